"""Turns, phases, points and ranks on small positions."""

from typing import Any

import pytest

from tests.games.imperial_settlers.cases import (
    BEGIN,
    CLEANUP,
    Case,
    barbarians,
    build,
    case,
    check,
    egyptians,
    exchange,
    inspect,
    japanese,
    move,
    on,
    passes,
    produce,
    romans,
    rows,
    take,
)

# fmt: off
THREE = on(romans("2 worker"), barbarians(passed=True), egyptians("2 worker"), first=0)
FIRST_IS_2 = on(romans("2 worker"), japanese("2 worker"), barbarians("2 worker"), first=2)
ROUND = passes(2), exchange("wood"), passes(1), passes()


@rows(
    case("turns go round among those that have not passed", THREE, exchange("wood"), exchange("wood", p=2), to_move=0),
    case("until all have", THREE, exchange("wood"), exchange("wood", p=2), passes(), passes(1), passes(2), no=3,
         phase="cleanup", to_move=None, legal=None),
    case("the first player begins", FIRST_IS_2, passes(), says="it is the turn of seat 2"),
    case("the next one goes on", FIRST_IS_2, *ROUND[:1], to_move=0),
    case("round to who has not passed", FIRST_IS_2, *ROUND[:3], to_move=0),
    case("who has passed has", FIRST_IS_2, passes(2), exchange("wood", p=2), no=1, says="seat 2 has passed"),
    case("an action phase in which all have passed is over", on(romans(passed=True), barbarians(passed=True)),
         phase="cleanup"),
    case("in the last round with it the game", on(romans(passed=True), barbarians(passed=True), round=5), phase="end"),
    case("after round five the game ends without clean-up", on(romans("1 wood"), round=5), passes(), passes(1), CLEANUP,
         no=2, says="this is done in the cleanup phase", phase="end", round=5, to_move=None, goods="1 wood"),
    case("nor is there one before the end of a round", on(romans()), CLEANUP,
         says="this is done in the cleanup phase, and this is the action phase"),
    case("no file says so", on(romans(), round=5, phase="cleanup"), CLEANUP, says="no cleanup", modelled=False),
)
def test_turns_and_the_end(case: Case) -> None:
    check(case)


STAYING = "Gate: samurai tucked 3, Shrine: banked 4 stone"
ALL = "1 wood 2 stone 3 food 4 gold 5 worker 6 raze 1 defence"


def cleaned(name: str, *players: Any, **keys: Any) -> Case:
    """A case of one cleanup, of round 2 unless another is said."""
    said = {key: keys.pop(key) for key in ("round", "first", "solo") if key in keys}
    return case(name, on(*players, phase="cleanup", **{"round": 2, **said}), CLEANUP, **keys)


@rows(
    *(cleaned(f"{seat.args[0]} store one good", seat(ALL), goods=kept)
      for seat, kept in ((barbarians, "5 worker"), (japanese, "3 food"), (romans, "6 raze"), (egyptians, "4 gold"))),
    cleaned("Warehouses store resources besides", romans(ALL, at="Warehouses"), goods="6 raze 1 wood 2 stone 3 food"),
    cleaned("but not those of others", romans(at="Warehouses"), egyptians(ALL), goods1="4 gold"),
    case("what lost Warehouses stored stays until then",
         on(romans("2 wood 2 stone 1 food", "Roman Bank", "Warehouses", deck=""), round=2), build("Roman Bank"),
         goods="2 wood 1 stone 1 food 1 gold", at="Roman Bank"),
    case("and goes then", on(romans("2 wood 2 stone 1 food", "Roman Bank", "Warehouses", deck=""), round=2),
         build("Roman Bank"), passes(1), passes(), CLEANUP, goods=""),
    cleaned("uses and tokens go, and who has passed plays on", romans(at="Castle: used 1 defence blocked", passed=True),
            on="", phase="lookout", passed=False),
    cleaned("a controlled location is given back", egyptians(at="Temple of Ra"), romans(at="Mill: controlled_by 0"),
            on1=""),
    cleaned("what an Oasis has gained is forgotten", egyptians(at="Oasis: gained 4, Goldsmith: blocked used 1"), on=""),
    cleaned("samurai and what is tucked and banked stay, and all other cards",
            japanese("2 food", "Town", f"Stalls: used 2 samurai goods 2 food, Mill: defence, {STAYING}", deals="Farm",
               foundations=2), on=f"Stalls: samurai, {STAYING}", goods="2 food", hand="Town", deals="Farm",
            foundations=2),
    cleaned("in the solo game the attack follows", romans("2 raze 1 wood"), solo={"locations": "Mill"}, phase="attack",
            goods="2 raze"),
)
def test_cleanup(case: Case) -> None:
    check(case)


@pytest.mark.parametrize("first", range(3))
def test_the_token_of_the_first_player_goes_to_the_left_and_the_round_on(first: int) -> None:
    position = on(barbarians(passed=True), japanese(passed=True), romans(passed=True), phase="cleanup")
    check(case("", {**position, "first": first, "round": 4}, CLEANUP, round=5, phase="lookout", passed2=False))
    assert inspect({**position, "first": first, "moves": [CLEANUP]})["first"] == (first + 1) % 3


def gate(tucked: int) -> str:
    return f"Gate: tucked {tucked}"


@rows(
    case("a common location is worth one point and one of the faction two",
         on(romans("7 vp", "Baker, Architect", "Mill, Ruins, Legion, Town, Gardens", deck="")), track=7, common=3,
         faction=4, cards=0, total=14, rank=1),
    case("foundations, deals and hand cards nothing", on(romans(hand="Mill", foundations=3, deals="Legion", deck="")),
         total=0),
    *(case(f"a Gate with {tucked} cards", on(japanese(at=gate(tucked))), cards=points)
      for tucked, points in ((2, 0), (3, 2), (9, 2))),
    case("each Gate by itself", on(japanese(at=f"{gate(3)}, {gate(2)}")), cards=2),
    *(case(f"a Shrine with {banked}", on(japanese(at=f"Shrine: banked {banked}")), cards=points)
      for banked, points in (("2 wood", 0), ("3 wood", 2), ("3 wood 3 stone", 2), ("3 wood 3 stone 1 food", 5),
                             ("11 food", 5), ("12 food", 10), ("40 stone", 10))),
    case("the owner of a controlled location scores it",
         on(egyptians(at="Temple of Ra"), romans(at="Legion: controlled_by 0", deck="")), faction=2, faction1=2),
    case("most points win", on(romans("3 vp"), japanese("5 vp"), egyptians("4 vp")), rank=3, rank1=1, rank2=2),
    case("who is level shares a rank and the next is left out", on(romans("4 vp"), japanese("2 vp"), egyptians("4 vp")),
         rank=1, rank1=3, rank2=1),
    case("workers and resources break a tie", on(romans("1 wood 1 worker", "Mill"), japanese("3 food")), rank=2,
         rank1=1),
    case("then hand cards", on(romans("3 worker", "Mill"), japanese("3 food")), rank=1, rank1=2),
    case("then nothing", on(romans("3 worker"), japanese("3 food")), rank=1, rank1=1),
    case("not by many hand cards", on(romans("1 wood", ", ".join(["Ruins"] * 6 + ["Village"] * 2)), japanese("2 wood")),
         rank=2, rank1=1),
    case("nor by other goods", on(romans("5 gold 4 raze 1 defence"), japanese("1 wood")), rank=2, rank1=1),
    case("nor by foundations and deals", on(romans(foundations=2, deals="Builder", deck="")), rank=1, rank1=1),
    case("locations count before", on(romans(at="Builder", deck=""), barbarians("2 vp")), rank=1, rank1=1),
)
def test_points_and_ranks(case: Case) -> None:
    check(case)


MADE = "5 worker 1 wood 2 raze 1 defence 1 gold 1 food"
JAPANESE = on(japanese(at="Armorer, Lord's Fields", deals="Farm, Casino"), phase="production")
SCHOOL = on(japanese(at="School of Diplomacy", deals="Farm, Casino"), phase="production")
TOWERS = on(romans(at="Watchtower, Watchtower, Legion", deals="Spies, Architect", deck="Gardens, Legion"),
            phase="production")
DRAWS = {"deals": {"draw": ["faction", "common"]}, "Watchtower#2": {"draw": ["faction"]}}


@rows(
    case("board, deals and locations produce", JAPANESE, produce(), goods=MADE, makes=MADE, phase="production",
         to_move=1),
    case("in turn order", JAPANESE, produce(), move("produce", 1), phase="action", to_move=0,
         goods1="2 worker 1 wood 1 stone 1 raze 1 defence"),
    case("from the first player on", on(romans(), barbarians(), phase="production", first=1), produce(),
         says="it is the turn of seat 1"),
    case("to the last", on(romans(), barbarians(), phase="production", first=1), move("produce", 1), phase="production",
         to_move=0, goods=""),
    case("choices are left out of the forecast",
         on(egyptians(at="Pharaoh's Guard, Farmers at Work, Watchtower, Sphinx")),
         makes="3 worker 1 gold 1 raze 1 defence 1 card", choices="Farmers at Work, Pharaoh's Guard"),
    case("a Sphinx adds to two points at once", on(egyptians(at="Pharaoh's Guard, Sphinx, Sphinx"), phase="production"),
         move("produce", choices={"Pharaoh's Guard": {"take": "vp"}}), vp=4),
    case("Farmers at Work let another location produce",
         on(egyptians(at="Farmers at Work, Caravan, Town"), phase="production"),
         produce(Farmers_at_Work={"at": "Town"}), goods="8 worker 1 gold 1 raze 1 defence 1 food"),
    case("which is said", on(egyptians(at="Farmers at Work, Caravan, Town"), phase="production"), produce(), no=0),
    case("goods of deals become points in the school", SCHOOL, produce(School_of_Diplomacy={"convert": {"gold": 1}}),
         vp=1, goods="5 worker 1 wood 1 raze 1 defence"),
    case("or not", SCHOOL, produce(), vp=0, goods="5 worker 1 wood 1 raze 1 defence 1 gold"),
    case("as many as they gave", SCHOOL, produce(School_of_Diplomacy={"convert": {"gold": 2}}), no=0),
    case("and of these kinds", SCHOOL, produce(School_of_Diplomacy={"convert": {"stone": 1}}), says="convert"),
    case("decisions stand under choices", {**TOWERS, "decks": {"common": ["Mill", "Town", "Baker"]}},
         move("produce", choices=DRAWS), hand="Gardens, Mill, Town, Legion, Baker"),
)
def test_production(case: Case) -> None:
    check(case)


EMPTY = on(romans("6 worker", deck="", discard="Legion"), common="", discards="Town")


@rows(
    case("the common discards are shuffled again", EMPTY, exchange("common"), hand="Town", decks={"common": 0},
         dropped=""),
    case("those of a faction are not", EMPTY, exchange("faction"), says="faction deck"),
    case("decks are given top first", on(romans("4 worker")), exchange("common, faction"), hand="Legion, Watchtower",
         decks={"common": 3}, deck=2),
)
def test_decks(case: Case) -> None:
    check(case)


COMMONS = "Town, Brewer, Mill, Baker, Canteen, Porters, Tavern, Monument, Statue, Gallows, Rubble"


def lookout(*players: Any, phase: str = "lookout", **said: Any) -> Any:
    """A position before a lookout phase, of three unless others are said."""
    return on(*(players or (romans(), barbarians(), egyptians())), common=COMMONS, phase=phase, **said)


STANDARD = BEGIN, take(1, "Mill"), take(0, "Town"), take(0, "Canteen"), take(1, "Baker")
PACKS = BEGIN, take(2, "Tavern"), take(0, "Town"), take(0, "Brewer"), take(1, "Baker")
TWO = romans(), barbarians()
ROW = on(romans(), japanese(), barbarians(), phase="lookout", row="Mill, Town")
SOLO = lookout(romans(), solo={"row": "wood"})
PICKS = BEGIN, take(0, "Brewer"), move("random", None, card="Mill")


@rows(
    case("set-up draws two and two from the first player on", lookout(*TWO, phase="setup", first=1), BEGIN,
         phase="lookout", hand="Baker, Builder, Legion, Mill", hand1="Brewer, Raid, Settlement, Town", to_move=None,
         row=""),
    case("the standard lookout goes there", lookout(*TWO, first=1), *STANDARD[:3], row="Baker, Canteen, Porters",
         to_move=0),
    case("and back", lookout(*TWO, first=1), *STANDARD, hand="Canteen, Legion, Town", hand1="Baker, Mill, Settlement",
         dropped="Brewer, Porters", phase="production", to_move=1),
    case("of three too", lookout(first=1), BEGIN, take(1, "Baker"), take(2, "Mill"), take(0, "Town"),
         row="Canteen, Porters, Tavern, Monument", dropped="Brewer", to_move=0),
    case("the alternative lookout passes packs to the left", lookout(lookout="alternative"), *PACKS, no=3, to_move=None,
         pack="Monument, Statue", pack1="Brewer, Mill", pack2="Canteen, Porters"),
    case("twice", lookout(lookout="alternative"), *PACKS, take(0, "Statue"), take(2, "Canteen"), take(1, "Mill"), no=3,
         dropped="Brewer, Monument, Porters", phase="production", to_move=0),
    case("who has picked waits", lookout(lookout="alternative"), *PACKS[:3], take(0, "Brewer"), no=3,
         says="has picked"),
    case("a pick is from the own pack", lookout(lookout="alternative"), BEGIN, take(0, "Baker"), no=1,
         says="Baker is not in the pack"),
    case("at peace a common card more is drawn", lookout(*TWO, peaceful=True), BEGIN, hand="Legion, Town",
         hand1="Brewer, Settlement", row="Mill, Baker, Canteen"),
    *(case(f"a row of {row} with {said} tells whose pick it is",
           on(romans(), japanese(), barbarians(), phase="lookout",
           row=", ".join(["Mill", "Town", "Baker", "Canteen"][:row]), **said), to_move=due,
           modelled=row != 3)
      for row, said, due in ((4, {}, 0), (3, {}, 1), (3, {"to_move": 2}, 2), (2, {"to_move": 2}, 2),
      (4, {"to_move": 2}, 2))),
    case("the last pick of a row half way", {**ROW, "to_move": 0}, take(0, "Mill"), phase="production", dropped="Town"),
    case("a pick out of turn", on(romans(), phase="lookout", row="Mill, Town, Baker"), take(1, "Mill"),
         says="it is the turn of seat 0"),
    case("a name means the print with the common values", on(romans(), phase="lookout", row="COM035, Mill, Mason"),
         take(0, "Mason"), row="Mason, Mill", to_move=1),
    case("a card that is not in the row", on(romans(), phase="lookout", row="Mill, Town, Baker"), take(0, "Statue"),
         says="Statue is not in the row"),
    case("a second begin", on(romans(), phase="lookout", row="Mill, Town, Baker"), BEGIN,
         says="the lookout phase has begun"),
    case("a pick before it", lookout(*TWO), take(0, "Mill"), says="it is nobody's turn"),
    case("a pick in another phase", on(romans()), take(0, "Mill"), says="lookout phase"),
    case("a begin in another phase", on(romans()), BEGIN, says="lookout phase"),
    case("set-up of a solo game reveals an attack card", on(romans(), solo={"deck": "gold wood"}, phase="setup"), BEGIN,
         row_of_attacks="gold", attacks=1, hand="Builder, Legion, Lumberjacks, Watchtower"),
    case("the lookout of a solo game", SOLO, BEGIN, row="Town, Brewer, Mill, Baker", to_move=0, hand="Legion"),
    case("leaves a card to chance", SOLO, *PICKS[:2], row="Town, Mill, Baker", to_move=None),
    case("not to the player", SOLO, *PICKS[:2], take(0, "Mill"), no=2, says="it is nobody's turn"),
    case("not before his pick", SOLO, BEGIN, PICKS[2], no=1, says="by chance"),
    case("of the row", SOLO, *PICKS[:2], move("random", None, card="Brewer"), no=2, says="not in the row"),
    case("by name or code", on(romans(), solo={}, phase="lookout", row="COM035, Mill, Mason"),
         move("random", None, card="Mason"), his="Mason", row="Mason, Mill", to_move=0),
    case("and the last to the virtual player", SOLO, *PICKS, take(0, "Town"), hand="Brewer, Legion, Town",
         his="Mill, Baker", phase="production", row=""),
    case("half way chance is due", on(romans(), solo={}, phase="lookout", row="Mill, Town, Baker"), to_move=None),
)
def test_set_up_and_lookout(case: Case) -> None:
    check(case)
