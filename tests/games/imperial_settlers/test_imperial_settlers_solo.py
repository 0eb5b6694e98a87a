"""The solo game: its attack phase, what is the virtual player's, and who wins."""

from typing import Any

from sim.engine.result_rows import END_REASON, FACTION, FIXED_COLUMNS, RANK, SCORE
from sim.games.imperial_settlers.rules.constants import END_REASONS, SOLO_LOST, SOLO_WON, TITLES
from tests.games.imperial_settlers.cases import (
    ATTACK,
    CLEANUP,
    Case,
    case,
    check,
    japanese,
    on,
    passes,
    raze,
    romans,
    rows,
    use,
)
from tests.kit.plans import plan_for, rows_of


def attack(
    name: str, at: str, row: str, deck: str, left: str = "", loses: Any = None, seat: Any = romans, **more: Any
) -> Case:
    """A case of an attack phase; `row` has the newest card first, `deck` the top one, `left` is what is still there."""
    said = {key: more.pop(key) for key in ("round", "solo") if key in more}
    solo = {"row": row, "deck": deck, **said.pop("solo", {})}
    moved = ATTACK if loses is None else {**ATTACK, "loses": loses}
    return case(name, on(seat(at=at, deck=""), solo=solo, phase="attack", common="", **said), moved, at=left, **more)


# fmt: off
ALL = "Merchant's Guild, Supplier, Mason's Guild"
BOOK = "Carpenter's Workshop, Marketplace, Joiner, Wood Supplier"


@rows(
    attack("the example of the rulebook", BOOK, "worker gold", "wood food",
           "Carpenter's Workshop, Joiner, Wood Supplier", solo={"pile": 1, "locations": "Mill, Town"},
           row_of_attacks="food worker gold wood", pile=4, his="", attacks=0, phase="lookout"),
    attack("the newest card names the first target", "Joiner, Hunter Joe", "vp food", "wood card", "Hunter Joe"),
    attack("the next the second", "Joiner, Hunter Joe", "food vp", "wood card", "Joiner"),
    attack("only pairs with the first target count", "Hunter Joe", "wood food", "gold card", "Hunter Joe"),
    attack("a good twice needs it on two cards", "Lumberjacks", "stone food", "wood card", "Lumberjacks"),
    attack("with two it is hit", "Lumberjacks", "stone wood", "wood card"),
    attack("one good in the raze field is not two", "Hunter Joe", "stone wood", "wood card", "Hunter Joe"),
    attack("two attacks take two locations at most", "Lumberjacks, Old Forest, Hunter Joe, Joiner", "vp food",
           "wood wood", "Lumberjacks, Old Forest"),
    attack("Ruins and faction locations are safe", "Ruins, Legion", "wood vp worker", "vp worker", "Ruins, Legion"),
    attack("tokens do not protect", "Joiner: defence", "vp food", "wood card", goods="", foundations=0, pile=1, on=""),
    attack("actions go first", ALL, "stone food", "gold card", "Merchant's Guild, Supplier"),
    attack("then features", "Merchant's Guild, Supplier", "stone food", "gold card", "Merchant's Guild"),
    attack("then production", "Merchant's Guild", "stone food", "gold card"),
    attack("then the highest cost", "Joiner, Carpenter", "vp food", "wood card", "Joiner"),
    *(attack(f"then more stone: {two}", two, "worker vp", "food card", "Pig Farmer", on=left) for two, left in (
        ("Pig Farmer, COM055: defence", "Pig Farmer: defence"),
         ("COM055: defence, Pig Farmer", "Pig Farmer: defence"))),
    *(attack(f"then the player loses {name}", "Monty the Merchant, Supplier", "stone food", "gold card", left,
      loses=name)
      for name, left in (("Monty the Merchant", "Supplier"), ("Supplier", "Monty the Merchant"))),
    attack("which is said", "Monty the Merchant, Supplier", "stone food", "gold card", "Monty the Merchant, Supplier",
           no=0),
    attack("and only then", "Old Forest, Mill", "wood food", "wood stone", "Old Forest, Mill", loses="Mill",
           says="does not take", modelled=False),
    attack("a miss leaves the new card in front", "", "vp stone", "wood worker", row_of_attacks="worker wood vp stone"),
    attack("the cards of a hit go to the end, the newest last", "Joiner", "stone vp food", "wood worker",
           row_of_attacks="worker stone food vp wood"),
)
def test_attacks(case: Case) -> None:
    check(case)


def on_japanese(name: str, at: str, left: str = "", row: str = "stone vp", deck: str = "vp food", **more: Any) -> Case:
    return attack(name, at, row, deck, left, seat=japanese, **more)


@rows(
    on_japanese("two cards with points take a Japanese location", "Farm, Monument", "Monument", discard=""),
    on_japanese("one does not", "Farm, Monument", "Farm", row="stone wood"),
    on_japanese("nor two revealed before", "Farm, Monument", "Farm, Monument", row="vp vp", deck="wood food"),
    on_japanese("without one the commons are searched", "Monument"),
    on_japanese("Gate and Shrine are exempt", "Gate, Shrine", "Gate, Shrine"),
    attack("locations of other empires too", "Legion", "stone vp", "vp food", "Legion"),
    *(on_japanese(f"{one} goes before {other}", places, other)
      for one, other in (  # By their deals: card, raze, gold, points, stone, worker, food.
          ("Buddha's Temple", "Garrison"), ("Garrison", "Casino"), ("Casino", "Dojo"), ("Dojo", "Swordsmith"),
          ("Swordsmith", "Sumo School"), ("Sumo School", "Stalls"), ("Negotiator", "Sake Brewery"))
      for places in (f"{one}, {other}", f"{other}, {one}")),
    on_japanese("then actions", "Rice Fields, Sake Brewery, Stalls", "Rice Fields, Sake Brewery"),
    on_japanese("then features", "Rice Fields, Sake Brewery", "Rice Fields"),
    on_japanese("a samurai does not protect", "Farm: samurai", row_of_attacks="food stone vp vp"),
)
def test_attacks_on_the_japanese(case: Case) -> None:
    check(case)


LEFT = on(romans("1 raze 1 wood"), solo={"locations": "Mill, Town", "row": "food", "deck": "stone card"}, round=3)
HIS = {"row": "gold wood", "locations": "Armorer, Mill", "pile": 2}
MINE = on(romans("2 raze 2 worker", at="Engineers, Spies"), solo=HIS)
PILE = {"row": "food", "deck": "stone card", "locations": "Mill, Town", "pile": 1}


@rows(
    case("the action phase ends", LEFT, passes(), phase="cleanup"),
    case("the attack follows the cleanup", LEFT, passes(), CLEANUP, phase="attack", round=3, goods="1 raze"),
    case("his locations come to the pile", LEFT, passes(), CLEANUP, ATTACK, phase="lookout", round=4, pile=2, his=""),
    case("in the last round there is an attack without cleanup",
         on(romans(at="Builder, Builder, Legion, Legion", deck="", vp=33), solo=PILE, round=5), passes(), ATTACK,
         phase="end", round=5, pile=3, won=True, title="squire"),
    case("his locations can be razed", MINE, can={"raze": {"virtual": {"Armorer": 2, "Mill": 2}}}),
    case("without foundation", MINE, raze(target="virtual", at="Armorer"), goods="2 worker 1 stone", vp=1, his="Mill",
         dropped="Armorer", pile=2, won=False, title=None),
    case("revealed attack cards are his deals", MINE, use("Spies", target="virtual", deal="gold"), deals="gold",
         row_of_attacks="wood", goods="2 raze 1 worker 1 gold", vp=1,
         makes="2 worker 1 wood 1 stone 1 gold 1 raze 1 defence"),
    case("of two alike the newest", on(romans("2 worker", at="Spies"), solo={"row": "gold wood gold"}),
         use("Spies", deal="gold"), row_of_attacks="wood gold"),
    case("his locations can be removed", MINE, use("Engineers", at="Mill"), his="Armorer"),
    case("there is no other seat", MINE, raze(target=1, at="Mill"), says="there is no seat 1", modelled=False),
    *(case(f"{faction} faction locations against {pile} cards",
           on(romans("50 vp", at=", ".join(["Legion", "Mill", "Gardens"][:size]), deck=""),
                                                                  solo={"pile": pile, "locations": "Town"}), won=won,
                                                                  title=title)
      for faction, size, pile, won, title in ((1, 1, 0, True, "knight"), (1, 1, 1, False, None),
      (2, 3, 1, True, "knight"),
                                              (2, 3, 2, False, None))),
    *(case(f"{points} points", on(romans(f"{points - 2} vp", at="Legion", deck=""), solo={}), title=title) for points,
      title in (
        (29, "commoner"), (30, "servant"), (39, "servant"), (40, "squire"), (50, "knight"), (60, "castellan"),
         (70, "king"),
        (79, "king"), (80, "emperor"), (200, "emperor"))),
)
def test_the_solo_game(case: Case) -> None:
    check(case)
# fmt: on


def test_results_say_whether_the_game_was_won_and_with_which_title() -> None:
    plan = plan_for("imperial_settlers", "solo", 1, strategies=["balanced"])
    results = rows_of(plan, 0, 60)[:, 0]
    collected = FIXED_COLUMNS + len(plan.game.score_parts) + plan.game.measures.index("collected")
    assert set(results[:, FACTION]) == {0, 1, 2, 3}
    for row in results:
        own = int(row[FIXED_COLUMNS + plan.game.score_parts.index("faction_locations")]) // 2
        title = sum(row[SCORE] >= least for least in (30, 40, 50, 60, 70, 80))
        assert row[RANK] == (1 if own > row[collected] else 2)
        assert row[END_REASON] == (SOLO_WON + title if own > row[collected] else SOLO_LOST)
    assert END_REASONS[SOLO_WON:] == tuple(f"solo {title}" for title in TITLES)
