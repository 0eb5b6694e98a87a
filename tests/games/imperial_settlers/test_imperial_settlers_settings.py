"""Every open point of the rules: a small position in which the value that is not the default makes a difference."""

from __future__ import annotations

from functools import cache
from typing import Any

from sim.data.place import NOWHERE
from sim.games.imperial_settlers.data.catalog import load_catalog
from sim.games.imperial_settlers.data.compile import build_tables
from sim.games.imperial_settlers.io.layout import Position, load_position
from sim.games.imperial_settlers.io.positions import inspect_position
from sim.games.imperial_settlers.io.stepping import InspectedGame
from sim.games.imperial_settlers.rules import constants
from sim.games.imperial_settlers.rules.constants import SETTINGS
from sim.games.shared.position_files import read_position
from sim.games.shared.stepping import Decision
from tests.games.imperial_settlers.naive_comparing import CATALOG, by_engine, compared
from tests.games.imperial_settlers.small_tables import NO, OK, PASS, build, goods, raze, table, use


@cache
def rules(setting: str, value: bool | str) -> tuple[Any, Any]:
    """Cards and tables with one point of the rules played otherwise."""
    catalog = load_catalog(settings={setting: value})
    return catalog, build_tables(catalog)


def both(setting: str, position: dict[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    """What becomes of a position by default, and with the other value of a setting."""
    default = CATALOG.settings[setting]
    other = next(value for value in SETTINGS[setting] if value != default)
    return by_engine(position), compared(inspect_position(position, *rules(setting, other)))


def of_first(setting: str, field: str, position: dict[str, Any]) -> tuple[Any, Any]:
    """The same of one field of seat 0."""
    default, other = both(setting, position)
    return default["players"][0][field], other["players"][0][field]


def moves(setting: str, position: dict[str, Any]) -> tuple[Any, Any]:
    """Whether the last move is made by default, and with the other value."""
    default, other = both(setting, position)
    return default["moves"][-1], other["moves"][-1]


# ---- Drawing and building ----


def test_cards_drawn_together_come_from_one_deck() -> None:
    own = {"hand": ["Desert"], "deck": ["Slaves", "Pyramid"]}
    hands = of_first("draw_one_by_one", "hand", table(build("Desert", draw=["faction"]), egyptians=own))
    assert hands == (["Slaves", "Watchtower"], ["Pyramid", "Slaves"])


def test_faction_discards_are_shuffled_again() -> None:
    own = {"goods": {"worker": 2}, "deck": [], "discard": ["Legion"]}
    position = table({"do": "exchange", "for": ["faction"]}, romans=own)
    assert of_first("reshuffle", "hand", position) == ([], ["Legion"])


def test_features_answer_before_a_location_produces() -> None:
    own = {"hand": ["Quarry (Egyptian)"], "goods": {"stone": 1}, "locations": ["Slaver", "Ruins"]}
    move = build("Quarry (Egyptian)", discard="Ruins", choices={"Slaver": {"pay": {"stone": 1}}})
    assert moves("build_order", table(move, egyptians=own)) == (OK, NO)


def test_a_trade_colony_answers_to_no_single_colour() -> None:
    own = {"hand": ["Trade Colony"], "goods": {"wood": 1, "stone": 2}, "locations": ["Supplier", "Mill", "Ruins"]}
    position = table(build("Trade Colony", discard="Ruins"), romans=own)
    assert of_first("build_fires_all_colours", "vp", position) == (2, 0)


def test_what_is_banked_goes_to_the_supply() -> None:
    places = [{"card": "Shrine", "banked": {"wood": 3}}]
    own = {"hand": ["Stalls"], "goods": {"wood": 1}, "locations": places}
    supplies = of_first("banked_when_lost", "goods", table(build("Stalls"), japanese=own))
    assert supplies == (goods(), goods(wood=3))


def test_no_free_step_before_a_pass() -> None:
    own = {"hand": ["Town", "Ruins"], "locations": ["Gate"]}
    position = table({"do": "tuck", "cards": ["Town"]}, PASS, japanese=own)
    assert moves("free_step_before_pass", position) == (OK, NO)


def test_a_shrine_takes_gold() -> None:
    own = {"goods": {"gold": 1}, "locations": ["Shrine"]}
    position = table({"do": "bank", "goods": {"gold": 1}}, japanese=own)
    assert moves("shrine_takes_gold", position) == (NO, OK)


# ---- Razing ----


def test_a_razed_faction_location_gives_a_wood() -> None:
    position = table(raze(target=1, at="Farm"), romans={"goods": {"raze": 2}}, japanese={"locations": ["Farm"]})
    default, other = both("wood_for_razed_faction_location", position)
    assert [result["players"][1]["goods"] for result in (default, other)] == [goods(), goods(wood=1)]


def test_razing_a_hand_card_fires_nothing() -> None:
    own = {"hand": ["Old Forest"], "goods": {"raze": 1}, "locations": ["Gallows"]}
    assert of_first("raze_from_hand_fires", "vp", table(raze(card="Old Forest"), romans=own)) == (1, 0)


def test_effects_raze_locations_without_a_raze_field() -> None:
    own = {"locations": ["Chariot Builder"], "goods": {"raze": 1}}
    position = table(use("Chariot Builder", target=1, at="Builder"), egyptians=own, romans={"locations": ["Builder"]})
    default, other = both("raze_effects_need_field", position)
    assert [result["players"][1]["locations"] for result in (default, other)] == [["Builder"], []]
    assert other["players"][1]["discard"] == ["Builder"]


def test_only_common_locations_are_removed() -> None:
    own = {"locations": ["Garrison"], "goods": {"raze": 2}}
    position = table(use("Garrison", target=1, at="Builder"), japanese=own, romans={"locations": ["Builder", "Mill"]})
    assert moves("removal_targets", position) == (OK, NO)


def test_a_pack_copies_only_from_what_could_be_razed() -> None:
    own = {"locations": ["Pack"], "goods": {"worker": 1}}
    position = table(use("Pack", target=1, at="Gate"), barbarians=own, japanese={"locations": ["Gate", "Farm"]})
    assert moves("pack_needs_razeable", position) == (OK, NO)


def test_points_of_a_raze_field_become_points_of_the_dark_chapel() -> None:
    own = {"locations": ["Dark Chapel"], "goods": {"raze": 1}, "hand": ["Armorer"]}
    points = []
    for value in SETTINGS["points_and_cards_convert"]:
        catalog, t = rules("points_and_cards_convert", value)
        position = read_position(table(barbarians=own, romans={}), Position, NOWHERE)
        game = InspectedGame(load_position(position, catalog, t), t, catalog)

        def convert_all(decision: Decision) -> int:
            wanted = (constants.TURN, constants.ACTIVATE)
            turn = [option.index for option in decision.options if (decision.number, option.kind) == wanted]
            return turn[0] if turn else len(decision.options) - 1

        while game.g.turn_seat == 0:
            game.step(convert_all)
        points.append(int(game.g.points[0]))
    # A stone for 2 points and the point itself; or both goods for 2.
    assert points == [3, 4]


# ---- Actions ----


def test_clearing_a_location_gives_one_use_back() -> None:
    own = {"locations": ["Royal Bath", {"card": "Castle", "used": 2}], "goods": {"gold": 1, "worker": 2}}
    twice = {"do": "activate", "location": "Castle", "times": 2}
    position = table(use("Royal Bath"), {"do": "pass", "p": 1}, twice, egyptians=own)
    assert moves("reset_uses", position) == (OK, NO)


def test_a_block_takes_one_use() -> None:
    own = {"locations": ["Scorpion Breeder"], "goods": {"worker": 1}}
    other = {"locations": ["Castle"], "goods": {"worker": 2}}
    position = table(use("Scorpion Breeder"), use("Castle", p=1), egyptians=own, romans=other)
    assert moves("blocked_for", position) == (NO, OK)


def test_what_lets_others_produce_is_not_let_produce() -> None:
    own = {"locations": ["Porters", "Farmers at Work", "Town"], "goods": {"food": 1}}
    move = use("Porters", at="Farmers at Work", choices={"Farmers at Work": {"at": "Town"}})
    position = table(move, romans=own)
    assert moves("farmers_chain", position) == (OK, NO)


def test_a_desert_needs_an_opponent_with_a_card() -> None:
    own = {"locations": ["Desert"], "hand": ["Mill"], "deck": []}
    assert of_first("desert_needs_card", "vp", table(use("Desert"), egyptians=own)) == (1, 0)


def test_an_opponent_does_not_choose_what_the_desert_takes() -> None:
    own = {"locations": ["Desert"], "hand": ["Mill"], "deck": []}
    position = table(use("Desert"), egyptians=own, romans={"hand": ["Town", "Brewer"]})
    default, other = both("desert_chooser", position)
    assert default["moves"] == [NO]
    assert len(other["players"][1]["hand"]) == 1


def test_a_sanctuary_takes_faction_cards() -> None:
    own = {"locations": ["Sanctuary"], "hand": ["Caravan"], "goods": {"worker": 1}}
    assert of_first("sanctuary_takes", "foundations", table(use("Sanctuary"), egyptians=own)) == (0, 1)


# ---- Deals ----


def test_trades_outlast_their_location() -> None:
    own = {"deals": [{"card": "Builder", "of": 1}]}
    other = {"locations": ["Builder"], "hand": ["Roman Bank"], "goods": {"stone": 1}}
    position = table(PASS, build("Roman Bank", p=1), japanese=own, romans=other)
    assert of_first("trade_ends_with_location", "deals", position) == ([], ["Builder"])


def test_trades_fire_no_features() -> None:
    own = {"locations": ["Trade Route", "Dojo"], "goods": {"food": 1}}
    position = table(use("Trade Route"), japanese=own, romans={"locations": ["Builder"]})
    assert of_first("trade_fires_deal_features", "vp", position) == (1, 0)


def test_a_taken_deal_gives_its_good_later() -> None:
    own = {"locations": ["Spies"], "goods": {"worker": 1}}
    position = table(use("Spies"), romans=own, barbarians={"deals": ["Primeval Forest"]})
    assert of_first("taken_deal_gives_good", "goods", position) == (goods(wood=1), goods())
    assert of_first("taken_deal_gives_good", "deals", position) == (["Primeval Forest"], ["Primeval Forest"])


# ---- Scoring and the solo game ----


def test_foundations_score() -> None:
    default, other = of_first("foundations_score", "score", table(romans={"foundations": 2}))
    assert (default["total"], other["total"]) == (0, 2)


def test_gold_breaks_ties() -> None:
    position = table(romans={"goods": {"gold": 2}}, barbarians={"goods": {"wood": 1}})
    default, other = of_first("gold_breaks_ties", "score", position)
    assert (default["rank"], other["rank"]) == (2, 1)


def test_who_holds_a_location_scores_it() -> None:
    other = {"locations": [{"card": "Builder", "controlled_by": 0}]}
    default, changed = both("controlled_scores_for", table(egyptians={}, romans=other))
    assert [player["score"]["total"] for player in default["players"]] == [0, 2]
    assert [player["score"]["total"] for player in changed["players"]] == [2, 0]


def test_no_attack_in_the_last_round() -> None:
    default, other = both("attack_in_last_round", table(PASS, round=5, romans={}, solo={"row": ["wood"]}))
    assert (default["phase"], other["phase"]) == ("attack", "end")


def test_a_faction_location_is_attacked_only_if_no_common_one_is() -> None:
    cards = {"row": ["stone", "vp"], "deck": ["vp", "worker"]}
    own = {"locations": ["Farm", "Armorer"]}
    position = table({"do": "attack"}, phase="attack", japanese=own, solo=cards)
    assert of_first("solo_faction_attack", "locations", position) == (["Armorer"], ["Farm"])


def test_every_setting_has_a_test_here() -> None:
    tests = [function for name, function in globals().items() if name.startswith("test_") and "every" not in name]
    tested = {constant for test in tests for constant in test.__code__.co_consts if isinstance(constant, str)}
    assert set(SETTINGS) <= tested
