"""Every open point of the rules: a small position in which the value that is not the default makes a difference."""

from typing import Any

import pytest

from sim.data.place import NOWHERE
from sim.games.imperial_settlers.io.layout import Position, load_position
from sim.games.imperial_settlers.io.stepping import InspectedGame
from sim.games.imperial_settlers.rules import constants
from sim.games.imperial_settlers.rules.constants import SETTINGS
from sim.games.shared.position_files import read_position
from sim.games.shared.stepping import Decision
from tests.games.imperial_settlers.cases import (
    ATTACK,
    DATA,
    INSPECTOR,
    Said,
    barbarians,
    build,
    egyptians,
    exchange,
    inspect,
    japanese,
    meant,
    move,
    on,
    passes,
    raze,
    romans,
    told,
    use,
)

# fmt: off
Row = tuple[str, Said, tuple[Said, ...], str, Any, Any]
MADE, NOT_MADE = True, False
ONE_RAZED = on(romans("2 raze"), japanese(at="Farm"))
COLONY = on(romans("1 wood 2 stone", "Trade Colony", "Supplier, Mill, Ruins"))
DESERT = egyptians(hand="Mill", at="Desert", deck="")
BUILDER = romans(at="Builder, Mill", deck="")
HELD = romans("1 stone", "Roman Bank", "Builder", deck="")
SPIES = on(romans("1 worker", at="Spies"), barbarians(deals="Primeval Forest"))
FARMERS = {"choices": {"Farmers at Work": {"at": "Town"}}}
FAST = use("Castle", times=2)

ROWS: list[Row] = [
    # The setting, a position with moves, what is looked at ("ok" for whether the last move is made), and what it is by
    # default and with the other value.
    ("draw_one_by_one", on(egyptians(hand="Desert", deck="Slaves, Pyramid")), (build("Desert", draw="faction"),),
     "hand", "Slaves, Watchtower", "Pyramid, Slaves"),
    ("reshuffle", on(romans("2 worker", deck="", discard="Legion")), (exchange("faction"),), "hand", "", "Legion"),
    ("build_order", on(egyptians("1 stone", "Quarry (Egyptian)", "Slaver, Ruins")),
     (build("Quarry (Egyptian)", discard="Ruins", choices={"Slaver": {"pay": {"stone": 1}}}),), "ok", MADE, NOT_MADE),
    ("build_fires_all_colours", COLONY, (build("Trade Colony", discard="Ruins"),), "vp", 2, 0),
    ("banked_when_lost", on(japanese("1 wood", "Stalls", "Shrine: banked 3 wood")), (build("Stalls"),), "goods", "",
     "3 wood"),
    ("free_step_before_pass", on(japanese(hand="Town, Ruins", at="Gate")), (move("tuck", cards="Town"), passes()), "ok",
     MADE, NOT_MADE),
    ("shrine_takes_gold", on(japanese("1 gold", at="Shrine")), (move("bank", goods="1 gold"),), "ok", NOT_MADE, MADE),
    ("wood_for_razed_faction_location", ONE_RAZED, (raze(target=1, at="Farm"),), "goods1", "", "1 wood"),
    ("raze_from_hand_fires", on(barbarians("1 raze", "Old Forest", "Gallows")), (raze(card="Old Forest"),), "vp", 1, 0),
    ("raze_effects_need_field", on(egyptians("1 raze", at="Chariot Builder"), romans(at="Builder", deck="")),
     (use("Chariot Builder", target=1, at="Builder"),), "discard1", "", "Builder"),
    ("removal_targets", on(japanese("2 raze", at="Garrison"), BUILDER), (use("Garrison", target=1, at="Builder"),),
     "ok", MADE, NOT_MADE),
    ("pack_needs_razeable", on(barbarians("1 worker", at="Pack"), japanese(at="Gate, Farm")),
     (use("Pack", target=1, at="Gate"),),
     "ok", MADE, NOT_MADE),
    ("reset_uses", on(egyptians("1 gold 2 worker", at="Royal Bath, Castle: used 2")),
     (use("Royal Bath"), passes(1), FAST),
     "ok", MADE, NOT_MADE),
    ("blocked_for", on(egyptians("1 worker", at="Scorpion Breeder"), romans("2 worker", at="Castle")),
     (use("Scorpion Breeder"), use("Castle", p=1)), "ok", NOT_MADE, MADE),
    ("farmers_chain", on(romans("1 food", at="Porters, Farmers at Work, Town")),
     (use("Porters", at="Farmers at Work", **FARMERS),),
     "ok", MADE, NOT_MADE),
    ("desert_needs_card", on(DESERT), (use("Desert"),), "vp", 1, 0),
    ("desert_chooser", on(DESERT, romans(hand="Town, Brewer")), (use("Desert"),), "ok", NOT_MADE, MADE),
    ("sanctuary_takes", on(egyptians("1 worker", "Caravan", "Sanctuary")), (use("Sanctuary"),), "foundations", 0, 1),
    ("trade_ends_with_location", on(japanese(deals=[{"card": "Builder", "of": 1}]), HELD),
     (passes(), build("Roman Bank", p=1)),
     "deals", "", "Builder"),
    ("trade_fires_deal_features", on(japanese("1 food", at="Trade Route, Dojo"), BUILDER), (use("Trade Route"),), "vp",
     1, 0),
    ("taken_deal_gives_good", SPIES, (use("Spies"),), "goods", "1 wood", ""),
    ("taken_deal_gives_good", SPIES, (use("Spies"),), "deals", "Primeval Forest", "Primeval Forest"),
    ("foundations_score", on(romans(foundations=2)), (), "common", 0, 2),
    ("gold_breaks_ties", on(romans("2 gold"), barbarians("1 wood")), (), "rank", 2, 1),
    *(("controlled_scores_for", on(egyptians(), romans(at="Builder: controlled_by 0", deck="")), (), *each)
      for each in (("total", 0, 2), ("total1", 2, 0))),
    ("attack_in_last_round", on(romans(), round=5, solo={"row": "wood"}), (passes(),), "phase", "attack", "end"),
    *(("solo_faction_attack", on(japanese(at="Farm, Monument"), phase="attack", solo={"row": row, "deck": deck}),
      (ATTACK,), "at", *left)
      for row, deck, left in (("stone vp", "vp food", ("Monument", "Farm")),
      ("wood vp", "vp food", ("Monument", "Monument")))),
]
# fmt: on


@pytest.mark.parametrize("row", ROWS, ids=[f"{row[0]}-{row[3]}" for row in ROWS])
def test_a_setting_makes_a_difference(row: Row) -> None:
    setting, position, moves, key, *expected = row
    default = DATA.catalog.settings[setting]
    other = next(value for value in SETTINGS[setting] if value != default)
    for changed, wanted in zip(({}, {setting: other}), expected, strict=True):
        result = inspect({**position, "moves": list(moves)}, **changed)
        found = result["moves"][-1]["ok"] if key == "ok" else told(result, key)
        assert found == meant(key, wanted), changed


def test_points_of_a_raze_field_become_points_of_the_dark_chapel() -> None:
    said = on(barbarians("1 raze", "Armorer", "Dark Chapel"))
    points = []
    for value in SETTINGS["points_and_cards_convert"]:
        data = INSPECTOR.game.load({"points_and_cards_convert": value})
        position = read_position(said, Position, NOWHERE)
        game = InspectedGame(load_position(position, data.catalog, data.tables), data.tables, data.catalog)

        def convert_all(decision: Decision) -> int:
            wanted = (constants.TURN, constants.ACTIVATE)
            turn = [option.index for option in decision.options if (decision.number, option.kind) == wanted]
            return turn[0] if turn else len(decision.options) - 1

        while game.g.turn_seat == 0:
            game.step(convert_all)
        points.append(int(game.g.points[0]))
    # A stone for 2 points and the point itself; or both goods for 2.
    assert points == [3, 4]


def test_every_setting_is_tried() -> None:
    assert {row[0] for row in ROWS} | {"points_and_cards_convert"} == set(SETTINGS)
