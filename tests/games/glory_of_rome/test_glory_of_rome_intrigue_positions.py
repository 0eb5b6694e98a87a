"""Intrigue on positions: what each effect does, and when it is refused."""

from __future__ import annotations

from typing import Any

import pytest

from tests.games.glory_of_rome.inspecting import Position, after, card, inspect, kept, move, of, refused, table, trade


def plot(own: str, target: dict[str, Any] | None = None, **actor: Any) -> Position:
    """Return a position in which seat 0 can activate an intrigue of its own in Gallia, before seat 1."""
    first = {"own_intrigue": own, "discord": 2, "discord_track": [None, None, "military"], "glory": 3, **actor}
    second = {"discord": 0, "discord_track": ["political", None], "glory": 3, **(target or {})}
    provinces = {"Gallia": {"intrigue": [0]}}
    return table(first, second, {}, {}, round=2, phase="intrigue", provinces=provinces)


def activate(effect: str, **keys: Any) -> dict[str, Any]:
    return move("activate", 0, province="Gallia", effect=effect, **keys)


def test_slander_moves_a_marker_back() -> None:
    result = after(plot("Sold"), activate("Slander"))
    assert (of(result, "glory")[:2], of(result, "discord")[:2]) == ([3, 2], [1, 1])
    assert result["to_move"] == 0
    refused(plot("Sold", {"glory": 1}), activate("Slander"))


def test_slander_moves_no_marker_back_from_space_1_with_its_other_side_up_but_by_a_setting() -> None:
    position = plot("Sold", {"glory": 31})
    refused(position, activate("Slander"))
    result = inspect({**position, "moves": [activate("Slander")]}, glory_floor="1 glory")
    assert result["players"][1]["marker"] == {"space": 30, "side": "plain"}
    assert after(plot("Sold", {"glory": 32}), activate("Slander"))["players"][1]["glory"] == 31


def test_demolition_takes_an_own_piece_of_an_unfinished_level() -> None:
    target = {"pantheon": {"base": ["own", "own", "bronze"], "roof": ["own", "own"]}}
    result = after(plot("Sold", target), activate("Demolition", level="roof"))
    assert result["players"][1]["pantheon"] == {"base": ["own", "own", "bronze"], "roof": ["own"]}
    refused(plot("Sold", target), activate("Demolition", level="base"))
    assert "level is not given" in refused(plot("Sold", target), activate("Demolition"))


def test_defection_removes_or_replaces_a_legion() -> None:
    position = plot("Defection", {"legions": {"Thrace": 2}}, legions={"board": 1})
    removed = after(position, activate("Defection", region="Thrace"))
    assert removed["players"][1]["legions"] == {"board": 1, "Epirus": 0, "Macedonia": 0, "Thrace": 1}
    replaced = after(position, activate("Defection", region="Thrace", replace=True))
    assert replaced["players"][0]["legions"] == {"board": 0, "Epirus": 0, "Macedonia": 0, "Thrace": 1}
    refused(position, activate("Defection", region="Epirus"))
    none_left = plot("Defection", {"legions": {"Thrace": 2}}, legions={})
    refused(none_left, activate("Defection", region="Thrace", replace=True))


def test_deception_moves_two_legions_to_another_region() -> None:
    position = plot("Deception", {"legions": {"Epirus": 1, "Thrace": 2}})
    result = after(position, activate("Deception", from_=["Thrace", "Epirus"], to="Macedonia"))
    assert result["players"][1]["legions"] == {"board": 0, "Epirus": 0, "Macedonia": 2, "Thrace": 1}
    result = after(position, activate("Deception", from_=["Thrace", "Thrace"], to="Epirus"))
    assert result["players"][1]["legions"] == {"board": 0, "Epirus": 3, "Macedonia": 0, "Thrace": 0}
    for from_, to in ((["Epirus", "Epirus"], "Thrace"), (["Epirus", "Thrace"], "Thrace"), (["Thrace"], "Epirus")):
        refused(position, activate("Deception", from_=from_, to=to))


def test_deception_of_a_single_legion_is_a_setting() -> None:
    position = plot("Deception", {"legions": {"Epirus": 1}})
    deceived = activate("Deception", from_=["Epirus"], to="Macedonia")
    refused(position, deceived)
    result = after(position, deceived, single_legion_deception="possible")
    assert result["players"][1]["legions"]["Macedonia"] == 1


def test_an_invalid_vote_brings_glory() -> None:
    position = plot("Invalid vote") | {"senate": [1, 0, 1]}
    result = after(position, activate("Invalid vote", vote=3))
    assert ([vote["seat"] for vote in result["senate"]], of(result, "glory")[:2]) == ([1, 0], [4, 3])
    refused(position, activate("Invalid vote", vote=2))
    for vote in (0, 5, 6):
        assert f"no vote {vote}" in refused(position, activate("Invalid vote", vote=vote))


def test_a_re_vote_needs_a_vote_of_ones_own() -> None:
    position = plot("Re-vote", votes=1) | {"senate": [1, 0, 0]}
    result = after(position, activate("Re-vote", vote=1))
    assert ([vote["seat"] for vote in result["senate"]], kept(result)[1]) == ([0, 0, 0], 5)
    refused(plot("Re-vote", votes=0) | {"senate": [1, 0, 0]}, activate("Re-vote", vote=1))


@pytest.mark.parametrize("name", ["Sundial", "Compass", "Spatha"])
def test_sold_and_custom_duty_take_the_card_that_chance_gives(name: str) -> None:
    hand = ["Sundial", "Compass", "Bulla", "Spatha"]
    left = [each for each in hand if each != name]
    sold = after(plot("Sold", {"hand": hand}, denarii=0), activate("Sold", card=name))
    assert (sold["players"][1]["hand"], sold["trade_discard"], kept(sold)) == (left, [name], (2, 3))
    taken = after(plot("Custom duty", {"hand": hand}), activate("Custom duty", card=name))
    assert [each["hand"] for each in taken["players"][:2]] == [[name], left]
    for effect in ("Sold", "Custom duty"):
        assert "not said" in refused(plot(effect, {"hand": hand}), activate(effect))
        assert "not in the hand" in refused(plot(effect, {"hand": hand}), activate(effect, card="Snake bracelets"))
        refused(plot(effect, {"anchor": True}), activate(effect))


def test_custom_duty_needs_room_that_is_made_before() -> None:
    hand = ["Sundial"] * 4
    position = plot("Custom duty", {"hand": ["Spatha"]}, hand=hand, anchor=True)
    taken = activate("Custom duty", card="Spatha")
    assert "no room" in refused(position, taken)
    assert inspect(position)["legal"] == {"activate": ["Gallia: Slander"]}
    result = after(position, {**taken, "before": [{"sell": "Sundial"}]})
    assert result["players"][0]["hand"] == [*hand[1:], "Spatha"]
    assert inspect(plot("Custom duty", {"hand": ["Spatha"]}))["legal"]["activate"] == [
        "Gallia: Slander",
        "Gallia: Custom duty",
    ]


def test_an_effect_of_another_character_is_refused() -> None:
    assert "does not have Sold" in refused(plot("Defection", {"hand": ["Sundial"]}), activate("Sold"))


def test_intrigue_is_activated_in_provinces_of_others_only() -> None:
    position = plot("Sold") | {"provinces": {"Africa": {"intrigue": [0]}, "Hispania": {"intrigue": [1]}}}
    assert "own province" in refused(position, move("activate", province="Africa", effect="Slander"))
    assert "no intrigue of seat 0" in refused(position, move("activate", province="Hispania", effect="Slander"))
    two = table({"discord": 1}, {}, round=2, phase="intrigue", provinces={"Gallia": {"intrigue": [0]}})
    assert "before no player" in refused(two, activate("Slander"))


def test_activated_intrigue_returns_at_the_end_of_the_action_phase() -> None:
    position = table({}, {}, phase="action", provinces={"Gallia": {"intrigue": [0], "activated": [0, 1]}})
    result = after(position, move("follower", 0, on="Colosseum"))
    assert (of(result, "intrigue_left"), result["provinces"]["Gallia"]["activated"]) == ([1, 2], [0, 1])
    result = after(position, move("follower", 0, on="Colosseum"), move("follower", 1, on="Colosseum"))
    assert (of(result, "intrigue_left"), result["provinces"]["Gallia"]["activated"]) == ([2, 3], [])


def test_both_sides_of_an_intrigue_play_cards_before_it() -> None:
    gladius = card("Gladius", "weapons", "activate_intrigue", denarii=1)
    data = trade(gladius, card("Pugio", "weapons", "intrigue_in_own_province", denarii=3))
    hand = ["Gladius", "Pugio"]
    position = plot("Sold", {"hand": hand, "denarii": 0}, hand=hand, denarii=0) | {"data": data}
    steps = {"before": [{"play": "Gladius"}], "answer": [{"play": "Pugio"}]}
    result = after(position, activate("Slander", **steps))
    assert (of(result, "denarii")[:2], result["trade_discard"]) == ([1, 3], hand)
    for wrong in ({"before": [{"play": "Pugio"}]}, {"answer": [{"play": "Gladius"}]}):
        assert "is not played on this" in refused(position, activate("Slander", **wrong))
    # The card is gone before chance could give it.
    assert "not in the hand" in refused(position, activate("Sold", card="Pugio", answer=[{"play": "Pugio"}]))


def test_a_vote_recruited_before_a_re_vote_is_placed_by_it() -> None:
    data = trade(card("Toga", "textiles", "activate_intrigue", recruit_votes=1))
    position = plot("Re-vote", votes=0, hand=["Toga"]) | {"senate": [1], "data": data}
    result = after(position, activate("Re-vote", vote=1, before=[{"play": "Toga"}]))
    assert (result["senate"], result["players"][0]["votes"]) == ([{"seat": 0, "value": 1}], 0)


def test_in_a_truce_no_intrigue_is_activated() -> None:
    position = {**plot("Sold"), "variants": ["Truce"]}
    assert "no intrigue" in refused(position, activate("Slander"))
    assert inspect(position)["legal"] == {"activate": []}


FULL_BASE = {"pantheon": {"base": ["own", "own", "bronze"], "roof": []}}
LEGIONS = {"legions": {"Epirus": 1, "Thrace": 1}}


@pytest.mark.parametrize(
    ("own", "target", "actor", "move", "reason"),
    [
        ("Sold", {"glory": 1}, {}, {"effect": "Slander"}, "the glory marker of seat 1 cannot move back"),
        ("Sold", FULL_BASE, {}, {"effect": "Demolition", "level": "base"}, "the base of seat 1 is finished"),
        ("Sold", FULL_BASE, {}, {"effect": "Demolition", "level": "roof"}, "no own piece lies on the roof of seat 1"),
        ("Defection", LEGIONS, {}, {"region": "Macedonia"}, "seat 1 has no legion in Macedonia"),
        ("Defection", LEGIONS, {"legions": {}}, {"region": "Epirus", "replace": True}, "no legion on the player board"),
        ("Deception", LEGIONS, {}, {"from": ["Epirus", "Thrace"], "to": "Thrace"}, "and Thrace is none"),
        (
            "Deception",
            LEGIONS,
            {},
            {"from": ["Thrace", "Thrace"], "to": "Epirus"},
            "seat 1 has not 2 legions in Thrace",
        ),
        ("Deception", LEGIONS, {}, {"from": ["Thrace"], "to": "Epirus"}, "two legions are moved, and one is said"),
        ("Re-vote", {}, {}, {"vote": 1}, "vote 1 of the column is one of seat 2, not of seat 1"),
        ("Re-vote", {}, {"votes": 0}, {"vote": 2}, "there is no vote on the player board of seat 0"),
        ("Sold", {}, {}, {"effect": "Sold"}, "there is no trade card in the hand of seat 1"),
    ],
)
def test_what_keeps_an_effect_from_being_possible_is_said(
    own: str, target: dict[str, Any], actor: dict[str, Any], move: dict[str, Any], reason: str
) -> None:
    position = {**plot(own, target, **actor), "senate": [2, 1]}
    effect = move.get("effect", own)
    assert reason in refused(position, activate(effect, **{key: move[key] for key in move if key != "effect"}))
