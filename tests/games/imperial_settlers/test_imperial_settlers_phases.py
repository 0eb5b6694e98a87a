"""Turns, phases and the solo game on small positions: what the engine makes of them, and what the slow model does."""

from __future__ import annotations

from typing import Any

import pytest

from tests.games.imperial_settlers.naive import GOODS
from tests.games.imperial_settlers.small_tables import DECKS, NO, OK, PASS, SIDES, goods, raze, table, use


@pytest.fixture(params=SIDES)
def play(request: pytest.FixtureRequest) -> Any:
    """What the model or the engine makes of a position."""
    return request.param


# ---- Turns, clean-up, end ----


def test_turns_go_round_among_those_that_have_not_passed(play: Any) -> None:
    said = {"romans": {"goods": {"worker": 2}}, "barbarians": {"passed": True}, "egyptians": {"goods": {"worker": 2}}}
    exchange = {"do": "exchange", "for": ["wood"]}
    moves = [exchange, {**exchange, "p": 2}, {"do": "pass", "p": 0}, {"do": "pass", "p": 1}, {"do": "pass", "p": 2}]
    result = play(table(*moves[:2], first=0, **said))
    assert (result["moves"], result["to_move"]) == ([OK, OK], 0)
    result = play(table(*moves, first=0, **said))
    assert result["moves"] == [OK, OK, OK, NO, OK]
    assert (result["phase"], result["to_move"]) == ("cleanup", None)


def test_an_action_phase_in_which_all_have_passed_is_over(play: Any) -> None:
    passed = {"romans": {"passed": True}, "barbarians": {"passed": True}}
    assert [play(table(round=number, **passed))["phase"] for number in (1, 5)] == ["cleanup", "end"]


def test_after_round_five_the_game_ends_without_clean_up(play: Any) -> None:
    result = play(table(PASS, {"do": "pass", "p": 1}, {"do": "cleanup"}, round=5, romans={"goods": {"wood": 1}}))
    assert result["moves"] == [OK, OK, NO]
    assert (result["phase"], result["players"][0]["goods"]) == ("end", goods(wood=1))


@pytest.mark.parametrize(
    ("faction", "places", "kept"),
    [
        ("barbarians", [], {"worker": 3}),
        ("japanese", [], {"food": 3}),
        ("romans", [], {"raze": 3}),
        ("egyptians", [], {"gold": 3}),
        ("romans", ["Warehouses"], {"raze": 3, "wood": 3, "stone": 3, "food": 3}),
    ],
)
def test_the_clean_up_stores_and_clears(play: Any, faction: str, places: list[Any], kept: dict[str, int]) -> None:
    on = [{"card": "Castle", "used": 1, "defence": True, "blocked": True}]
    own = {"goods": dict.fromkeys(GOODS, 3), "locations": [*places, *on], "passed": True}
    result = play(table({"do": "cleanup"}, phase="cleanup", round=2, **{faction: own}))
    assert result["players"][0]["goods"] == goods(**kept)
    assert result["players"][0]["on"] == {}
    assert (result["round"], result["phase"], result["first"]) == (3, "lookout", 1)


def test_samurai_and_what_is_banked_outlast_the_clean_up(play: Any) -> None:
    on = [{"card": "Gate", "samurai": True, "tucked": 2}, {"card": "Shrine", "banked": {"wood": 2}}]
    result = play(table({"do": "cleanup"}, phase="cleanup", japanese={"locations": on}))
    assert result["players"][0]["on"] == {"Gate": {"samurai": True, "tucked": 2}, "Shrine": {"banked": {"wood": 2}}}


@pytest.mark.parametrize(
    ("own", "other", "ranks"),
    [
        ({"vp": 1}, {}, [1, 2]),
        ({"goods": {"worker": 1}}, {"goods": {"food": 2}}, [2, 1]),
        ({"goods": {"gold": 3, "raze": 1}}, {"goods": {"food": 1}}, [2, 1]),
        ({"hand": ["Town"]}, {}, [1, 2]),
        ({"foundations": 2, "deals": ["Builder"]}, {}, [1, 1]),
        ({"locations": ["Builder"]}, {"vp": 2}, [1, 1]),
    ],
)
def test_ranks(play: Any, own: dict[str, Any], other: dict[str, Any], ranks: list[int]) -> None:
    result = play(table(round=5, phase="end", romans=own, barbarians=other))
    assert [player["score"]["rank"] for player in result["players"]] == ranks


@pytest.mark.parametrize(("banked", "points"), [(2, 0), (3, 2), (6, 2), (7, 5), (11, 5), (12, 10)])
def test_points_of_a_shrine(play: Any, banked: int, points: int) -> None:
    on = [{"card": "Shrine", "banked": {"stone": banked}}, {"card": "Gate", "tucked": 2}, {"card": "Gate", "tucked": 3}]
    assert play(table(japanese={"locations": on}))["players"][0]["score"]["cards"] == points + 2


# ---- Production ----


def test_production_of_board_deals_and_locations(play: Any) -> None:
    own = {"deals": ["Farm", "Casino"], "locations": ["Armorer", "Lord's Fields"]}
    result = play(table({"do": "produce"}, phase="production", japanese=own))
    expected = goods(worker=5, wood=1, raze=2, defence=1, gold=1, food=1)
    assert result["players"][0]["goods"] == expected
    assert result["players"][0]["production"] == {**expected, "vp": 0, "card": 0}
    assert (result["phase"], result["to_move"]) == ("production", 1)
    both = [{"do": "produce"}, {"do": "produce", "p": 1}]
    result = play(table(*both, phase="production", japanese=own))
    assert (result["phase"], result["to_move"]) == ("action", 0)


def test_choices_are_left_out_of_the_forecast(play: Any) -> None:
    own = {"locations": ["Pharaoh's Guard", "Farmers at Work", "Watchtower", "Sphinx"]}
    player = play(table(egyptians=own))["players"][0]
    assert player["production"] == {**goods(worker=3, gold=1, raze=1, defence=1), "vp": 0, "card": 1}
    assert player["production_choices"] == ["Farmers at Work", "Pharaoh's Guard"]


def test_a_sphinx_adds_to_two_points_at_once_in_production_too(play: Any) -> None:
    own = {"locations": ["Pharaoh's Guard", "Sphinx", "Sphinx"]}
    move = {"do": "produce", "choices": {"Pharaoh's Guard": {"take": "vp"}}}
    assert play(table(move, phase="production", egyptians=own))["players"][0]["vp"] == 4


def test_farmers_at_work_let_another_location_produce(play: Any) -> None:
    own = {"locations": ["Farmers at Work", "Caravan", "Town"]}
    move = {"do": "produce", "choices": {"Farmers at Work": {"at": "Town"}}}
    player = play(table(move, phase="production", egyptians=own))["players"][0]
    assert player["goods"] == goods(worker=3 + 1 + 2 + 2, gold=1, raze=1, defence=1, food=1)
    assert play(table({"do": "produce"}, phase="production", egyptians=own))["moves"] == [NO]


def test_goods_of_deals_become_points_in_the_school(play: Any) -> None:
    own = {"deals": ["Farm", "Casino"], "locations": ["School of Diplomacy"]}
    move = {"do": "produce", "choices": {"School of Diplomacy": {"convert": {"gold": 1}}}}
    player = play(table(move, phase="production", japanese=own))["players"][0]
    assert (player["vp"], player["goods"]) == (1, goods(worker=5, wood=1, raze=1, defence=1))
    move = {"do": "produce", "choices": {"School of Diplomacy": {"convert": {"gold": 2}}}}
    assert play(table(move, phase="production", japanese=own))["moves"] == [NO]


# ---- Empty decks ----


def test_only_the_common_discards_are_shuffled_again(play: Any) -> None:
    own = {"goods": {"worker": 6}, "deck": [], "discard": ["Legion"]}
    said = {"decks": {"common": []}, "discards": {"common": ["Town"]}, "romans": own}
    result = play(table({"do": "exchange", "for": ["common"]}, **said))
    assert (result["players"][0]["hand"], result["decks"], result["discards"]) == (
        ["Town"],
        {"common": 0},
        {"common": []},
    )
    result = play(table({"do": "exchange", "for": ["faction"]}, **said))
    assert result["moves"] == [NO]


# ---- Solo ----


def solo(*moves: Any, **said: Any) -> dict[str, Any]:
    """A position of the solo game, with the Romans unless another faction is said."""
    said.setdefault("solo", {})
    if not any(one in DECKS for one in said):
        said["romans"] = {}
    return table(*moves, **said)


def attack(first: str, row: list[str], places: list[str], **said: Any) -> dict[str, Any]:
    """A position whose attack phase reveals a target, then a worker on which nothing lies in wait."""
    faction = said.pop("faction", "romans")
    cards = {"row": row, "deck": [first, "worker"], "pile": 0}
    player = {"locations": places}
    return solo({"do": "attack", **said}, phase="attack", round=2, solo=cards, **{faction: player})


def test_the_attack_of_the_rulebook_takes_the_marketplace(play: Any) -> None:
    places = ["Carpenter's Workshop", "Marketplace", "Joiner", "Wood Supplier"]
    result = play(attack("wood", ["worker", "gold"], places))
    assert result["players"][0]["locations"] == ["Carpenter's Workshop", "Joiner", "Wood Supplier"]
    assert result["solo"]["row"] == ["worker", "worker", "gold", "wood"]
    assert (result["solo"]["pile"], result["round"], result["phase"]) == (1, 3, "lookout")


def test_a_good_twice_in_a_raze_field_needs_two_attack_cards(play: Any) -> None:
    assert play(attack("wood", ["stone"], ["Wood Supplier"]))["solo"]["pile"] == 0
    result = play(attack("wood", ["stone", "wood"], ["Wood Supplier"]))
    assert (result["solo"]["pile"], result["players"][0]["locations"]) == (1, [])


def test_of_several_the_dearest_goes_and_among_equals_the_one_said(play: Any) -> None:
    places = ["Gold Mine", "Goldsmith's Workshop", "Hanseatic League"]
    result = play(attack("vp", ["gold"], places))
    assert result["players"][0]["locations"] == ["Gold Mine", "Goldsmith's Workshop"]
    assert play(attack("vp", ["gold"], places[:2]))["moves"] == [NO]
    result = play(attack("vp", ["gold"], places[:2], loses="Goldsmith's Workshop"))
    assert result["players"][0]["locations"] == ["Gold Mine"]


def test_two_points_attack_a_japanese_location_by_its_deal(play: Any) -> None:
    places = ["Shrine", "Casino", "Farm", "Ninjas", "Armorer"]
    result = play(attack("vp", ["stone", "vp"], places, faction="japanese"))
    assert result["players"][0]["locations"] == ["Shrine", "Casino", "Farm", "Armorer"]
    assert result["solo"]["row"] == ["worker", "stone", "vp", "vp"]
    assert result["players"][0]["discard"] == []


def test_the_virtual_players_locations_are_razed_without_foundation(play: Any) -> None:
    cards = {"row": ["wood"], "locations": ["Armorer", "Mill"], "pile": 2}
    said = {"romans": {"goods": {"raze": 2}, "locations": ["Builder", "Legion"]}, "solo": cards}
    result = play(solo(raze(target="virtual", at="Armorer"), **said))
    assert (result["players"][0]["vp"], result["discards"]["common"]) == (1, ["Armorer"])
    assert (result["solo"]["locations"], result["solo"]["pile"]) == (["Mill"], 2)
    assert (result["solo"]["won"], result["solo"]["title"]) == (False, None)


def test_revealed_attack_cards_are_his_deals(play: Any) -> None:
    cards = {"row": ["wood", "card", "wood"], "deck": ["gold"]}
    own = {"locations": ["Spies"], "goods": {"worker": 1}}
    result = play(solo(use("Spies", target="virtual", deal="wood"), romans=own, solo=cards))
    player = result["players"][0]
    assert (player["deals"], player["goods"], player["vp"]) == (["wood"], goods(wood=1), 1)
    assert (result["solo"]["row"], player["production"]["wood"]) == (["card", "wood"], 2)


def test_his_locations_come_to_the_pile_and_the_last_round_is_attacked_too(play: Any) -> None:
    cards = {"row": ["food"], "deck": ["stone", "card"], "locations": ["Mill", "Town"], "pile": 1}
    own = {"locations": ["Builder"] * 2 + ["Legion"] * 2, "vp": 33}
    result = play(solo(PASS, {"do": "attack"}, round=5, romans={**own, "deck": []}, solo=cards))
    assert (result["moves"], result["phase"]) == ([OK, OK], "end")
    assert (result["solo"]["pile"], result["solo"]["won"], result["solo"]["title"]) == (3, True, "squire")


def test_the_lookout_of_the_solo_game(play: Any) -> None:
    picks = [{"do": "begin"}, {"do": "take", "card": "Lumberjacks"}, {"do": "random", "card": "Settlers"}]
    result = play(solo(*picks, phase="lookout"))
    assert (result["row"], result["to_move"]) == (["Watchtower", "Confectioner"], 0)
    result = play(solo(*picks, {"do": "take", "card": "Watchtower"}, phase="lookout"))
    assert result["players"][0]["hand"] == ["Legion", "Lumberjacks", "Watchtower"]
    assert (result["solo"]["locations"], result["phase"]) == (["Settlers", "Confectioner"], "production")


# ---- Lookout ----

COMMONS = ["Town", "Brewer", "Mill", "Baker", "Canteen", "Porters", "Tavern", "Monument", "Statue", "Gallows", "Rubble"]


def take(seat: int, card: str) -> dict[str, Any]:
    return {"do": "take", "p": seat, "card": card}


def test_standard_lookout_goes_there_and_back(play: Any) -> None:
    said = {"phase": "lookout", "first": 1, "decks": {"common": COMMONS}, "romans": {}, "barbarians": {}}
    moves = [{"do": "begin"}, take(1, "Mill"), take(0, "Town"), take(0, "Canteen"), take(1, "Baker")]
    result = play(table(*moves[:3], **said))
    assert (result["row"], result["to_move"]) == (["Baker", "Canteen", "Porters"], 0)
    result = play(table(*moves, **said))
    assert [player["hand"] for player in result["players"]] == [
        ["Canteen", "Legion", "Town"],
        ["Baker", "Mill", "Settlement"],
    ]
    assert result["discards"]["common"] == ["Brewer", "Porters"]
    assert (result["phase"], result["to_move"]) == ("production", 1)


def test_alternative_lookout_passes_packs_to_the_left(play: Any) -> None:
    said = {"phase": "lookout", "lookout": "alternative", "decks": {"common": COMMONS}}
    said |= {"romans": {}, "barbarians": {}, "egyptians": {}}
    moves = [{"do": "begin"}, take(2, "Tavern"), take(0, "Town"), take(0, "Brewer"), take(1, "Baker")]
    result = play(table(*moves, **said))
    assert result["moves"] == [OK, OK, OK, NO, OK]
    assert [player["pack"] for player in result["players"]] == [
        ["Monument", "Statue"],
        ["Brewer", "Mill"],
        ["Canteen", "Porters"],
    ]
    assert result["to_move"] is None
    result = play(table(*moves, take(0, "Statue"), take(2, "Canteen"), take(1, "Mill"), **said))
    assert result["discards"]["common"] == ["Brewer", "Monument", "Porters"]
    assert (result["phase"], result["to_move"]) == ("production", 0)


def test_advanced_lookout_of_three_shows_four_then_three_then_two(play: Any) -> None:
    said = {"phase": "lookout", "lookout": "advanced", "decks": {"common": COMMONS}}
    said |= {"romans": {}, "barbarians": {}, "egyptians": {}}
    moves = [{"do": "begin"}]
    seen = []
    for seat in (0, 1, 2, 0, 1, 2):
        result = play(table(*moves, **said))
        assert result["to_move"] == seat
        seen.append(len(result["row"]))
        moves.append(take(seat, result["row"][0]))
    assert seen == [5, 4, 4, 3, 3, 2]
    result = play(table(*moves, **said))
    assert (len(result["discards"]["common"]), result["phase"]) == (1, "production")


def test_the_set_up_draws_two_and_two_from_the_first_player_on(play: Any) -> None:
    said = {"phase": "setup", "first": 1, "decks": {"common": COMMONS}, "romans": {}, "barbarians": {}}
    result = play(table({"do": "begin"}, **said))
    assert [player["hand"] for player in result["players"]] == [
        ["Baker", "Builder", "Legion", "Mill"],
        ["Brewer", "Raid", "Settlement", "Town"],
    ]
    assert (result["phase"], result["to_move"], result["row"]) == ("lookout", None, [])


def test_the_peaceful_game_draws_a_common_card_more(play: Any) -> None:
    said = {"phase": "lookout", "peaceful": True, "decks": {"common": COMMONS}, "romans": {}, "barbarians": {}}
    result = play(table({"do": "begin"}, **said))
    assert [player["hand"] for player in result["players"]] == [["Legion", "Town"], ["Brewer", "Settlement"]]
    assert result["row"] == ["Mill", "Baker", "Canteen"]
