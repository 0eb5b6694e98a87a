"""Trade cards on positions: drawing, playing, sets and selling."""

from __future__ import annotations

from typing import Any

import pytest

from tests.games.glory_of_rome.inspecting import Position, act, after, card, inspect, kept, move, refused, trade


def test_cards_are_drawn_from_the_end_of_the_deck() -> None:
    position = act(commercial=1) | {"trade_deck": ["Sundial", "Compass", "Bulla"]}
    result = after(position, move("follower", on="commercial", bonus=True))
    assert (result["players"][0]["hand"], result["trade_deck"]) == (["Bulla", "Compass"], 1)


def test_a_draw_without_room_is_refused_until_there_is_some() -> None:
    position = act({"hand": ["Sundial"] * 4}, commercial=1) | {"trade_deck": ["Compass", "Bulla"]}
    both = move("follower", on="commercial", bonus=True)
    assert "no room" in refused(position, both)
    assert "no room" in refused(position, both, draw_beyond_limit="lost")
    for before in ([{"sell": "Sundial"}], [{"discard": "Sundial"}]):
        assert len(after(position, {**both, "before": before})["players"][0]["hand"]) == 5
    assert len(after(position, move("discard", card="Sundial"), both)["players"][0]["hand"]) == 5


def test_a_card_that_draws_needs_room_and_cards() -> None:
    position = act({"hand": ["Bulla", *["Spatha"] * 4]}) | {"trade_deck": ["Compass", "Sundial"]}
    played = move("follower", on="Colosseum", before=[{"play": "Bulla"}])
    assert "not possible in full" in refused(position, played)
    result = after(position, {**played, "before": [{"sell": "Spatha"}, {"play": "Bulla"}]})
    assert result["players"][0]["hand"] == ["Spatha"] * 3 + ["Sundial", "Compass"]
    empty = act({"hand": ["Bulla"]}) | {"trade_deck": ["Compass"]}
    assert "not possible in full" in refused(empty, played)


@pytest.mark.parametrize(
    ("effect", "player", "reason"),
    [
        ({"take_discard": 1}, {}, "no trade card is discarded"),
        ({"recruit_legions": 2}, {"legions": {"board": 6}}, "1 legions are left to recruit"),
        ({"recruit_votes": 2}, {"votes": 4}, "1 votes are left to recruit"),
        ({"remove_anchor": True}, {}, "there is no anchor card in the hand"),
        ({"draw": 2}, {}, "there are not trade cards enough to draw"),
        ({"draw": 1}, {"hand": ["Lamp", *["Spatha"] * 5]}, "the hand has no room"),
    ],
)
def test_what_of_a_cards_effect_is_not_possible_is_said(
    effect: dict[str, Any], player: dict[str, Any], reason: str
) -> None:
    data = trade(card("Lamp", "tools", "follower", **effect))
    position = act({"hand": ["Lamp"], **player}) | {"trade_deck": ["Compass"], "data": data}
    assert reason in refused(position, move("follower", on="Colosseum", before=[{"play": "Lamp"}]))


def test_a_card_drawn_by_a_card_is_played_at_once_only_under_the_same_condition() -> None:
    arena = card("Trident", "weapons", "follower_colosseum", glory=1)
    data = trade(arena, card("Crowd", "tools", "follower_colosseum", draw=1))
    sundial = act({"hand": ["Sundial", "Crowd"]}) | {"trade_deck": ["Trident"], "data": data}
    chained = move("follower", on="Colosseum", before=[{"play": "Sundial"}, {"play": "Trident"}])
    assert "another condition" in refused(sundial, chained)
    crowd = move("follower", on="Colosseum", before=[{"play": "Crowd"}, {"play": "Trident"}])
    assert kept(after(sundial, crowd))[1] == 3
    both = move("follower", on="Colosseum", before=[{"play": "Crowd"}, {"play": "Sundial"}])
    more = {**sundial, "trade_deck": ["Compass", "Trident"]}
    after(more, both)
    refused(more, both, mixed_conditions="one condition")


@pytest.mark.parametrize(
    ("when", "places"),
    [
        ("follower", ["economic", "Colosseum", "intrigue"]),
        ("follower_economic", ["economic"]),
        ("follower_colosseum", ["Colosseum"]),
        ("build", []),
        ("double_tax", []),
    ],
)
def test_cards_are_played_under_their_condition(when: str, places: list[str]) -> None:
    data = trade(card("Lamp", when=when, glory=5))
    position = act({"hand": ["Lamp"]}, economic=1) | {"data": data}
    for place in ("economic", "Colosseum", "intrigue"):
        placed = move("follower", on=place, before=[{"play": "Lamp"}])
        if place in places:
            assert after(position, placed)["trade_discard"] == ["Lamp"]
        else:
            refused(position, placed)


def test_what_cards_recruit_serves_the_action() -> None:
    data = trade(card("Toga", "textiles", "follower", recruit_votes=1, recruit_legions=1))
    position = act({"hand": ["Toga", "Toga"], "votes": 0, "legions": {}}, political=1, military=1) | {"data": data}
    assert inspect(position)["legal"]["follower"] == ["Colosseum", "intrigue"]
    before = [{"play": "Toga"}]
    assert len(after(position, move("follower", on="political", before=before))["senate"]) == 1
    placed = after(position, move("follower", on="military", legions=[{"to": "Epirus"}], before=before))
    assert placed["players"][0]["legions"]["Epirus"] == 1
    both = move("follower", on="political", bonus=True, before=before * 2)
    assert len(after(position, both)["senate"]) == 2
    most = {**position, "players": [{**position["players"][0], "votes": 5}, {}]}
    most["players"][1] = position["players"][1]
    assert "in full" in refused(most, move("follower", on="Colosseum", before=before))


def test_a_compass_needs_an_anchor_card() -> None:
    played = move("follower", on="Colosseum", before=[{"play": "Compass"}])
    assert not after(act({"hand": ["Compass"], "anchor": True}), played)["players"][0]["anchor"]
    refused(act({"hand": ["Compass"]}), played)


def test_the_top_of_the_discard_pile_is_taken_from_below_the_card_played() -> None:
    position = act({"hand": ["Snake bracelets"]}) | {"trade_discard": ["Bulla", "Spatha"]}
    played = move("follower", on="Colosseum", before=[{"play": "Snake bracelets"}])
    result = after(position, played)
    assert (result["players"][0]["hand"], result["trade_discard"]) == (["Spatha"], ["Bulla", "Snake bracelets"])
    refused({**position, "trade_discard": []}, played)


def sets(hand: list[str], **seat: Any) -> Position:
    rows = [card(name.capitalize(), name) for name in ("tools", "weapons", "textiles", "jewels", "chest")]
    names = [name.capitalize() for name in hand]
    return act({"hand": names, **seat}) | {"data": trade(*rows)}


@pytest.mark.parametrize(
    ("hand", "kind", "medals", "laid"),
    [
        (["tools", "tools", "tools"], "tools", [], True),
        (["jewels", "chest", "chest"], "jewels", [], True),
        (["chest", "chest", "chest"], "jewels", [], False),
        (["tools", "tools", "weapons"], "tools", [], False),
        (["weapons", "weapons", "jewels"], "weapons", [], False),
        (["weapons", "weapons", "jewels"], "weapons", ["commercial"], True),
        (["weapons", "chest", "jewels"], "weapons", ["commercial"], True),
        (["weapons", "weapons", "jewels"], "jewels", ["commercial"], False),
        (["tools", "tools"], "tools", [], False),
    ],
)
def test_a_set_is_three_of_a_type_or_wild_cards(hand: list[str], kind: str, medals: list[str], laid: bool) -> None:
    position = sets(hand, medals=medals)
    names = [name.capitalize() for name in hand]
    laying = move("set", cards=names, type=kind)
    if laid:
        told = after(position, laying)["players"][0]
        assert (told["sets"], told["hand"]) == ([kind], [])
    else:
        assert "no set" in refused(position, laying)


def test_three_sets_are_the_most() -> None:
    position = sets(["tools"] * 3, sets=["jewels", "tools", "jewels"])
    assert "has laid down 3 sets" in refused(position, move("set", cards=["Tools"] * 3, type="tools"))
    assert "not so often" in refused(sets(["tools", "tools"]), move("set", cards=["Tools"] * 3, type="tools"))


def test_sets_of_chests_are_a_setting() -> None:
    laid = move("set", cards=["Chest"] * 3, type="jewels")
    assert after(sets(["chest"] * 3), laid, sets_of_chests="allowed")["players"][0]["sets"] == ["jewels"]
    refused(sets(["chest"] * 3), move("set", cards=["Chest"] * 3, type="chest"), sets_of_chests="allowed")


def test_cards_are_sold_in_the_own_turn_and_the_anchor_card_is_none() -> None:
    position = act({"hand": ["Sundial"], "anchor": True})
    result = after(position, move("sell", card="Sundial"))
    assert (kept(result)[0], result["trade_discard"], result["to_move"]) == (1, ["Sundial"], 0)
    assert "not in the hand" in refused(position, move("sell", card="Compass"))
