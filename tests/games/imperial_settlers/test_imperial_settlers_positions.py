"""Positions: what is laid out where, what is told of it, and how names mean cards."""

import pytest

from sim.errors import UserError
from sim.games.imperial_settlers.io.positions import inspect_lines
from tests.games.imperial_settlers.cases import (
    BEGIN,
    Case,
    Said,
    barbarians,
    build,
    case,
    check,
    inspect,
    japanese,
    on,
    player,
    raze,
    romans,
    rows,
    use,
)

COMMONS, OWN, ATTACKS = 84, 30, 16


def test_what_is_left_out_is_as_the_format_says() -> None:
    result = inspect({"players": [{"faction": "romans"}, {"faction": "Japanese"}]})
    first = result["players"][0]
    assert (result["round"], result["phase"], result["first"], result["to_move"]) == (1, "action", 0, 0)
    assert (result["decks"], result["discards"], result["solo"]) == ({"common": COMMONS}, {"common": []}, None)
    assert (first["vp"], first["deck"], first["passed"], first["on"], first["pack"]) == (0, OWN, False, {}, [])
    assert first["goods"] == dict.fromkeys(("wood", "stone", "food", "gold", "worker", "raze", "defence"), 0)
    assert result["players"][1]["faction"] == "japanese"
    assert result["legal"] == {"pass": True}


def test_decks_hold_what_is_named_nowhere_else() -> None:
    mine = player("japanese", hand="Mill, Farm", at="Gate, Town", deals="Casino", discard="Dojo")
    other = player("romans", deals="Farm", foundations=3)
    result = inspect({"players": [mine, other], "discards": {"common": ["Baker", "Ruins"]}})
    assert (result["decks"], [each["deck"] for each in result["players"]]) == ({"common": COMMONS - 4}, [OWN - 5, OWN])


# fmt: off
GATE = japanese("9 wood 9 stone", "Casino, Stalls", "Gate: tucked 2, Farm", foundations=1,
                deals=[{"card": "Legion", "of": 1}])
CASTLES = "Castle: used 2, Mill, COM048: defence, Castle"


@rows(
    case("a foundation that is given up has no name", on(GATE, romans(at="Legion", deck="")),
         build("Casino", discard="foundation"), foundations=0, dropped=""),
    case("nor have cards under a Gate", on(GATE, romans(at="Legion", deck="")), build("Stalls", discard="Gate"),
         discard="Gate", dropped=""),
    case("what was razed before all eyes has one",
         on(barbarians("2 raze"), romans("1 food", "Legion", "Mill", deck="Gardens")), raze(target=1, at="Mill"),
         build("Legion", p=1, discard="foundation"), dropped="Mill"),
    case("a name means a print with the common values", on(romans("2 stone", "Castle, COM048")), build("COM046"),
         says="1 wood", hand="Castle, Castle", can={"build": {"Castle": {"stone": 2}}}),
    case("a code another print", on(romans("2 stone", "Castle, COM048")), build("COM048"), at="Castle"),
    case("of both the name", on(romans("1 wood 2 stone", "Castle, COM048")),
         can={"build": {"Castle": {"wood": 1, "stone": 1}}}),
    case("numbers tell locations of one name apart", on(romans("1 worker", at=CASTLES)),
         can={"activate": {"Castle#2": 1, "Castle#3": 1}}),
    case("so do codes", on(romans("1 worker", at=CASTLES)), use("COM048"),
         on="Castle: used 2 goods 2 worker, Castle#2: used 1 defence goods 1 worker"),
    case("there is no fourth", on(romans("1 worker", at=CASTLES)), use("Castle#4"), says="no location"),
    case("goods on a used location are its cost unless said otherwise",
         on(romans(at="Castle: used 2, Mason's Guild: used 1 goods 1 worker 2 gold, Tavern: used 1")),
         on="Castle: used 2 goods 2 worker, Mason's Guild: used 1 goods 1 worker 2 gold, Tavern: used 1"),
    case("the forecast does not hang on decks",
         on(romans(at="Watchtower, Architect, Legion", deals="Spies", deck=""), common=""),
         makes="2 worker 1 wood 1 stone 1 raze 1 defence 4 card", goods=""),
    case("decks are not looked into for moves", on(romans("2 wood 2 stone"), common=""), build("Town"),
         says="Town is not in the hand"),
    case("the solo game has its own cards",
         on(romans(), solo={"row": "wood wood", "deck": "wood", "locations": "Mill", "pile": 3}),
         row_of_attacks="wood wood", attacks=1, his="Mill", pile=3, won=False, title=None),
    case("a lookout phase may have begun", on(romans(), phase="lookout", row="Mill, Town, Baker"), BEGIN,
         says="has begun"),
)
def test_what_a_position_means(case: Case) -> None:
    check(case)
# fmt: on


@pytest.mark.parametrize(
    ("position", "reason"),
    [
        (on(romans(), solo={"row": "wood wood", "deck": "wood wood"}), r"solo\.deck\.2"),
        (on(romans(), solo={"row": "raze"}), "no attack card has this target"),
        (on(romans(deck=""), solo={"locations": "Legion"}), "a card of the Romans does not lie here"),
    ],
)
def test_more_cards_than_there_are_are_refused(position: Said, reason: str) -> None:
    with pytest.raises(UserError, match=reason):
        inspect(position)


def test_one_player_alone_plays_the_solo_game() -> None:
    result = inspect({"players": [{"faction": "romans"}]})
    assert result["solo"] == {"row": [], "deck": ATTACKS, "locations": [], "pile": 0, "won": False, "title": None}


def test_a_solo_position_is_told_in_lines() -> None:
    lines = inspect_lines(inspect(on(romans("2 raze"), solo={"row": "gold", "locations": "Mill"})))
    assert "  raze of the virtual player: Mill (2 raze)" in lines
    assert "Virtual player: row gold; locations Mill" in lines
