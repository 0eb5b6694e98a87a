"""Every operation of a card, as an enhancement on a small map."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from sim.engine.options import clear_options
from sim.engine.state import PAUSED
from sim.games.history_of_the_world.data.compile import build_tables
from sim.games.history_of_the_world.data.models import Empire, Event
from sim.games.history_of_the_world.io.positions import inspect_position
from sim.games.history_of_the_world.rules import constants
from sim.games.history_of_the_world.rules.constants import OPERATIONS
from sim.games.history_of_the_world.rules.effects import act_on_lands, place_discs
from sim.games.history_of_the_world.rules.options import offer_land
from sim.games.history_of_the_world.rules.state import new_games
from sim.players.compile_players import players_of
from tests.games.history_of_the_world.inspecting import (
    AMBER,
    DATA,
    STOP,
    Position,
    again,
    army,
    coast,
    conquer,
    inspect,
    roll,
)
from tests.kit.plans import plan_for

NUMBER = 2
LASTING = ("spares_forts", "ignores_terrain", "ignores_maritime", "wins_ties", "spares_structures", "fights_again")
EVENTS = tuple(
    Event(
        name=operation,
        epoch=1,
        kind="enhancement",
        effect=[[operation] if operation in LASTING else [operation, NUMBER]],
        certainty="stand-in",
    )
    for operation in OPERATIONS[1:]
)
"""For every operation an enhancement that does nothing else."""
ABLE = tuple(
    Empire(
        name=f"Empire of {event.name}",
        epoch=1,
        order=1,
        start_lands=["Amber"],
        armies=3,
        effect=event.effect,
        certainty="stand-in",
    )
    for event in EVENTS
)
"""For every operation an empire that has it as its ability."""
CATALOG = replace(DATA.catalog, empires=ABLE, events=EVENTS)
TABLES = build_tables(CATALOG)
MONUMENTS = {"do": "monuments"}


def play(position: Position, *moves: dict[str, Any]) -> dict[str, Any]:
    """Result of a position with moves, all of which must be made."""
    result = inspect_position({**position, "moves": list(moves)}, CATALOG, TABLES)
    assert [each for each in result["moves"] if not each["ok"]] == []
    return result


def refused(position: Position, *moves: dict[str, Any]) -> str:
    """Reason for which the last of some moves is refused."""
    last = inspect_position({**position, "moves": list(moves)}, CATALOG, TABLES)["moves"][-1]
    assert not last["ok"]
    return str(last["why"])


def table(lands: dict[str, Any], **turn: Any) -> Position:
    """Return a position in which blue holds all enhancements and has five armies on the card."""
    players = [{"name": "blue", "score": 10, "events": list(OPERATIONS[1:])}, {"name": "red", "score": 20}]
    return coast(lands, players=players, turn=turn)


def card(name: str, *lands: str, **keys: Any) -> dict[str, Any]:
    """Return the move that plays an enhancement."""
    return {"do": "event", "event": name, "lands": list(lands), **keys}


BLUE = army("blue", active=True)
RICH = {"Amber": BLUE, "Cedar": BLUE, "Delta": BLUE}
"""Three lands with an icon each."""


def icons_per_monument() -> None:
    lands = {**RICH, "Elm": BLUE}
    assert len(play(table(lands), {**MONUMENTS, "lands": ["Amber", "Cedar"]})["moves"][0]["built"]) == 2
    one = Event(name="one", epoch=1, kind="enhancement", effect=[["icons_per_monument", 1]], certainty="stand-in")
    catalog = replace(CATALOG, events=(one,))
    position = table(lands) | {"players": [{"name": "blue", "events": ["one"]}, {"name": "red", "score": 9}]}
    moves = [card("one"), {**MONUMENTS, "lands": list(lands)}]
    result = inspect_position({**position, "moves": moves}, catalog, build_tables(catalog))
    assert (result["moves"][1]["icons"], result["moves"][1]["due"]) == (4, 4)
    assert result["moves"][1]["built"] == list(lands)


def forts_per_icon() -> None:
    lands = {"Amber": BLUE, "Birch": BLUE, "Fen": BLUE, "Cedar": army("blue")}
    result = play(table(lands), card("forts_per_icon", "Birch", "Fen"))
    assert [name for name, land in result["lands"].items() if land["fort"]] == ["Birch", "Fen"]
    assert (result["turn"]["armies"], result["supply"]["fort"]) == (5, 12)
    assert "not asked" in refused(table(lands), card("forts_per_icon", "Birch", "Fen", "Amber"))
    assert "not asked" in refused(table(lands), card("forts_per_icon", "Birch", "Cedar"))


def forts() -> None:
    result = play(table({**RICH, "Fen": army("blue")}), card("forts", "Amber", "Delta"))
    assert [name for name, land in result["lands"].items() if land["fort"]] == ["Amber", "Delta"]
    assert result["turn"]["armies"] == 5
    assert "not asked" in refused(table({**RICH, "Fen": army("blue")}), card("forts", "Fen"))
    assert "not asked" in refused(table({"Amber": army("blue", True, fort=True)}), card("forts", "Amber"))


def battle_bonus() -> None:
    position = table({"Amber": BLUE, "Delta": army("red"), "Birch": army("red")})
    fights = conquer("Delta", roll([3, 1], [4])), conquer("Birch", roll([3, 1], [4]))
    moves = play(position, card("battle_bonus"), *fights)["moves"]
    assert [move["battles"][0]["attacker"] for move in moves[1:]] == [5, 5]
    assert [move["result"] for move in moves[1:]] == ["won", "tie"]


def attacker_rerolls() -> None:
    position = table({"Amber": BLUE, "Delta": army("red")})
    fight = conquer("Delta", roll([3, 1], [6], again("attacker", 1, 2), again("attacker", 2, 6)))
    assert play(position, card("attacker_rerolls"), fight)["moves"][1]["result"] == "tie"
    refused(position, fight)
    three = conquer("Delta", roll([3, 1], [6], *[again("attacker", 1, 1)] * 3))
    refused(position, card("attacker_rerolls"), three)


def armies() -> None:
    result = play(table({"Amber": BLUE}), card("armies"))
    assert (result["turn"]["armies"], result["turn"]["siege_tokens"]) == (7, 0)
    assert result["players"]["blue"]["supply"] == 17
    few = table({"Amber": BLUE})
    few["players"][0]["supply"] = 1
    result = play(few, card("armies"))
    assert (result["turn"]["armies"], result["turn"]["siege_tokens"]) == (6, 1)
    assert result["players"]["blue"]["supply"] == 0


def swap() -> None:
    lands = {"Amber": BLUE, "Fen": army("red", structures="capital monument", fort=True), "Elm": army("red")}
    result = play(table(lands), card("swap", "Fen", "Elm"))
    assert result["lands"]["Fen"] == army("blue", True, "capital monument", fort=True)
    assert result["lands"]["Elm"]["army"] == "blue"
    assert [result["players"][name]["supply"] for name in ("blue", "red")] == [17, 25]
    assert result["turn"]["armies"] == 5
    refused(table({"Amber": BLUE, "Fen": army("red")}), card("swap", "Fen"))
    refused(table(lands), card("swap", "Fen"))
    refused(table(lands), card("swap", "Fen", "Amber"))
    few = table(lands)
    few["players"][0]["supply"] = 1
    refused(few, card("swap", "Fen", "Elm"))


def destroy() -> None:
    lands = {
        "Amber": BLUE,
        "Fen": army("red", structures="capital monument", fort=True),
        "Elm": {"structures": ["city"]},
    }
    result = play(table(lands), card("destroy", "Fen", "Elm"))
    assert result["lands"]["Fen"] == army("red", structures="city monument", fort=True)
    assert result["lands"]["Elm"]["structures"] == []
    assert result["players"]["blue"]["score"] == 10
    refused(table({"Amber": BLUE, "Fen": lands["Fen"]}), card("destroy", "Fen"))


def points() -> None:
    result = play(table({"Amber": BLUE}), card("points"))
    assert result["players"]["blue"]["score"] == 12
    beside = table({"Amber": BLUE})
    beside["players"][1]["score"] = 12
    assert play(beside, card("points", landing=["lose"]))["players"]["blue"]["score"] == 11
    assert play(beside, card("points", landing=["gain"]))["players"]["blue"]["score"] == 13


def siege_tokens() -> None:
    position = table({"Amber": BLUE, "Delta": army("red")}, armies=1)
    result = play(position, card("siege_tokens"))
    assert (result["turn"]["armies"], result["turn"]["siege_tokens"]) == (1, 2)
    fight = conquer("Delta", roll([1, 2], [3], then="siege token"), roll([4, 2], [4]))
    result = play(position, card("siege_tokens"), fight)
    assert (result["moves"][1]["result"], result["turn"]["siege_tokens"]) == ("won", 1)


def spares_forts() -> None:
    position = table({"Amber": BLUE, "Delta": army("red", structures="city", fort=True)})
    fight = conquer("Delta", roll([6, 1], [2, 3]))
    assert play(position, fight)["lands"]["Delta"] == army("blue", active=True)
    assert play(position, card("spares_forts"), fight)["lands"]["Delta"] == army("blue", active=True, fort=True)


def ignores_terrain() -> None:
    position = table({"Amber": BLUE, "Birch": army("red")})
    fight = conquer("Birch", roll([4, 1], [4]))
    assert play(position, card("ignores_terrain"), fight)["moves"][1]["result"] == "tie"
    lost = conquer("Birch", roll([4, 1], [4], then="retreat"))
    assert play(position, lost)["moves"][0]["battles"][0]["defender"] == 5


def ignores_maritime() -> None:
    position = table({"Amber": BLUE, "Delta": army("red")}, fleets=["Bay"])
    fight = conquer("Delta", roll([4, 1], [2], again("defender", 2, 6), then="retreat"), way="fleet")
    assert play(position, fight)["moves"][0]["result"] == "retreated"
    refused(position, card("ignores_maritime"), fight)


def wins_ties() -> None:
    position = table({"Amber": BLUE, "Delta": army("red")})
    fight = conquer("Delta", roll([4, 1], [4]))
    assert play(position, fight)["lands"]["Delta"]["army"] is None
    result = play(position, card("wins_ties"), fight)
    assert result["lands"]["Delta"] == BLUE
    assert (result["turn"]["armies"], result["players"]["red"]["supply"]) == (4, 25)


def cities() -> None:
    lands = {"Amber": BLUE, "Fen": BLUE, "Elm": army("blue"), "Delta": army("blue", True, "capital")}
    result = play(table(lands), card("cities", "Amber", "Fen"))
    assert [name for name, land in result["lands"].items() if land["structures"] == ["city"]] == ["Amber", "Fen"]
    assert result["supply"]["capital_city"] == 21
    for land in ("Elm", "Delta"):
        assert "not asked" in refused(table(lands), card("cities", land))
    assert "not asked" in refused(table(lands) | {"supply": {"capital_city": 1}}, card("cities", "Amber", "Fen"))


def discs() -> None:
    result = play(table({"Elm": BLUE}), card("discs", "Gulf", "Dunes"))
    assert (result["turn"]["fleets"], result["turn"]["caravans"]) == (["Gulf"], ["Dunes"])
    assert set(result["reach"]["fleet"]) == {"Delta", "Cedar"}
    assert "not asked" in refused(table({"Elm": BLUE}), card("discs", "Bay"))


def spares_structures() -> None:
    position = table({"Amber": BLUE, "Delta": army("red", structures="city", fort=True)})
    fight = conquer("Delta", roll([6, 1], [2, 3]))
    result = play(position, card("spares_structures"), fight)
    assert result["lands"]["Delta"] == army("blue", active=True, structures="city")
    assert result["moves"][1]["destroyed"] is None


def again_in(land: str, *battles: dict[str, Any], **keys: Any) -> dict[str, Any]:
    """Return the move by which an army that has won fights again."""
    return {"do": "ability", "lands": [land], "battles": list(battles), **keys}


WON = roll([6, 1], [2])
TIED = roll([6, 1], [6])


def fights_again() -> None:
    lands = {"Delta": BLUE, "Amber": army("red"), "Birch": army("red", structures="city"), "Cedar": army("red")}
    position, plays, first = table(lands, armies=1), card("fights_again"), conquer("Amber", WON)
    result = play(position, plays, first, again_in("Birch", WON))
    held = {name for name, land in result["lands"].items() if land["army"] == "blue" and land["active"]}
    assert held == {"Delta", "Birch"}, "the land that the army comes from is empty"
    assert result["lands"]["Amber"] == {"army": None, "active": False, "structures": [], "fort": False}
    assert (result["moves"][2]["result"], result["moves"][2]["destroyed"]) == ("won", "city")
    assert (result["turn"]["armies"], result["players"]["blue"]["supply"]) == (0, 23), "no army of the card is spent"
    result = play(position, plays, first, again_in("Birch", WON), again_in("Cedar", TIED))
    assert {name for name, land in result["lands"].items() if land["army"]} == {"Delta"}
    lost = play(position, plays, first, again_in("Birch", roll([3, 1], [6], then="retreat")))
    assert (lost["lands"]["Amber"]["army"], lost["lands"]["Birch"]["army"]) == (None, "red")
    assert lost["players"]["blue"]["supply"] == 24
    refused(position, first, again_in("Birch", WON))
    refused(position, plays, conquer("Amber", TIED), again_in("Birch", WON))
    assert "next to Amber" in refused(position, plays, first, again_in("Cedar", WON))
    assert "one land" in refused(position, plays, first, again_in("Bay"))
    assert "battle" in refused(position, plays, first, again_in("Birch"))
    empty = table({**lands, "Elm": BLUE}, armies=2, fleets=["Gulf"], caravans=["Dunes"])
    refused(empty, plays, first, conquer("Cedar", roll([3, 1], [6], then="retreat")), again_in("Birch", WON))
    for between in ({"do": "fort", "land": "Amber"}, card("armies"), card("forts"), conquer("Elm")):
        rich = table(lands, armies=2, caravans=["Dunes"], fleets=["Gulf"])
        play(rich, plays, first, between)
        assert "no battle now" in refused(rich, plays, first, between, again_in("Birch", WON)), "it fights at once"


def test_a_fort_stays_in_a_land_that_its_army_leaves() -> None:
    lands = {"Delta": BLUE, "Amber": army("red", fort=True), "Birch": army("red")}
    spared = [card("fights_again"), card("spares_forts"), conquer("Amber", roll([6, 1], [4, 2]))]
    result = play(table(lands), *spared, again_in("Birch", WON))
    assert result["lands"]["Amber"] == {"army": None, "active": False, "structures": [], "fort": True}
    entered = play(table(lands), *spared, again_in("Birch", WON), conquer("Amber"))
    assert entered["lands"]["Amber"]["fort"], "to enter an empty land removes no fort"


EACH = {
    check.__name__: check
    for check in (
        icons_per_monument, forts_per_icon, forts, battle_bonus, attacker_rerolls, armies, swap, destroy, points,
        siege_tokens, spares_forts, ignores_terrain, ignores_maritime, wins_ties, cities, discs, spares_structures,
        fights_again,
    )
}  # fmt: skip


def test_every_operation_is_tried() -> None:
    assert tuple(sorted(EACH)) == tuple(sorted(OPERATIONS[1:]))


@pytest.mark.parametrize("check", EACH.values(), ids=EACH)
def test_an_operation_does_what_it_says(check: Callable[[], None]) -> None:
    check()


# ---- Abilities ----


def founded(operation: str, lands: dict[str, Any], *moves: dict[str, Any]) -> dict[str, Any]:
    """Result of moves with an empire that has an operation as its ability, founded in Amber with three armies."""
    players = [{"name": "blue", "score": 10, "empire": f"Empire of {operation}"}, {"name": "red", "score": 20}]
    position = coast(lands, players=players, turn={"step": "found", "armies": 0})
    return play(position, {"do": "found"}, *moves)


def test_an_ability_for_battles_holds_from_the_founding_on() -> None:
    fight = conquer("Delta", roll([3, 1], [4]))
    assert founded("battle_bonus", {"Delta": army("red")}, fight)["moves"][1]["result"] == "won"
    tied = conquer("Delta", roll([4, 1], [4]))
    assert founded("wins_ties", {"Delta": army("red")}, tied)["moves"][1]["result"] == "won"
    held = {"Birch": army("red"), "Cedar": army("red")}
    result = founded("fights_again", held, conquer("Birch", roll([6, 1], [2])), again_in("Cedar", WON))
    assert (result["lands"]["Birch"]["army"], result["lands"]["Cedar"]["army"]) == (None, "blue")
    fort = {"Delta": army("red", fort=True)}
    won = founded("spares_forts", fort, conquer("Delta", roll([6, 1], [4, 2])))
    assert won["lands"]["Delta"]["fort"]


def test_an_ability_that_is_used_by_itself_waits() -> None:
    result = founded("armies", {})
    assert result["turn"]["armies"] == 2
    assert founded("points", {})["players"]["blue"]["score"] == 10


def test_forts_of_an_ability_wait_for_the_monuments_whatever_else_it_brings() -> None:
    empire = {"empire": "Saxons", "ability": {"armies": 2, "forts": 1}}
    players = [{"name": "blue", "score": 10, "empire": "Saxons"}]
    position = coast(AMBER, players=players, empires=[empire], turn={"armies": 1})
    ability = {"do": "ability", "lands": ["Amber"]}
    result = inspect({**position, "moves": [ability, STOP, ability, ability]})
    assert [move.get("why", "ok") for move in result["moves"]] == [
        "the forts of an ability are built after the monuments", "ok", "ok", "the ability has been used",
    ]  # fmt: skip
    assert result["lands"]["Amber"]["fort"]
    at_once = inspect({**position, "moves": [ability]}, ability_forts="conquest")
    assert (at_once["moves"], at_once["turn"]["armies"]) == ([{"ok": True}], 3)


# ---- What an enhancement brings too late ----


def test_armies_gained_after_the_conquests_return_to_the_supply() -> None:
    position = table({"Amber": BLUE}, step="inactivate", armies=0)
    result = play(position, card("armies"), {"do": "inactivate"})
    assert (result["turn"]["armies"], result["players"]["blue"]["supply"]) == (0, 24)
    result = play(position, card("siege_tokens"), card("discs", "Bay"), {"do": "inactivate"})
    assert (result["turn"]["siege_tokens"], result["turn"]["fleets"]) == (0, [])


@pytest.mark.parametrize("operation", [constants.SWAP_ARMIES, constants.FORTS, constants.CITIES, constants.DESTROY])
def test_in_a_game_that_has_stopped_the_options_of_an_earlier_decision_name_no_land(operation: int) -> None:
    players = players_of(plan_for("history_of_the_world"))
    g = new_games(1)[0]
    g.army[:] = -1
    clear_options(g)
    offer_land(g, operation, 0, 0, 0)
    g.error = PAUSED
    before = g.copy()
    for exactly in (True, False):
        act_on_lands(g, TABLES, players, 0, 0, operation, 1, exactly)
        place_discs(g, TABLES, players, 0, 1)
    changed = {name for name in g.dtype.names if g[name].tobytes() != before[name].tobytes()}
    assert changed <= {"named"}, "what is asked of nobody changes nothing"
