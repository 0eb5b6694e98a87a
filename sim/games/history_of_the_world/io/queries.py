"""Queries of a position of History of the World, with or without a table (`docs/records.md`)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict
from typing import Annotated, Any, Literal

from pydantic import Field

from sim.data.catalog import Name, NoRepeats, Row
from sim.data.place import Place
from sim.games.history_of_the_world.io.odds import Battle, roll_odds, siege_odds
from sim.games.history_of_the_world.io.stepping import InspectedGame
from sim.games.history_of_the_world.rules import constants
from sim.games.history_of_the_world.rules.draft import classic_chooser, classic_round
from sim.games.history_of_the_world.rules.scoring import space_of
from sim.games.history_of_the_world.rules.setup import clear_table
from sim.games.history_of_the_world.rules.state import new_games
from sim.games.shared.position_files import blank_table
from sim.games.shared.stepping import IllegalMoveError

MAX_ARMIES = 99
MAX_POINTS = 9999
MIN_PLAYERS = 3

Points = Annotated[int, Field(ge=0, le=MAX_POINTS)]
Players = Annotated[int, Field(ge=MIN_PLAYERS, le=constants.MAX_SEATS)]


class OddsQuery(Row):
    """Query for the odds of one roll and, if `armies` is given, those of the whole attack."""

    terrain: bool | Literal["none", "mountain", "forest"] | None = False
    fort: bool = False
    maritime: bool = False
    bonus: Annotated[int, Field(ge=0, le=MAX_ARMIES)] = 0
    policy: Literal["survive", "deny"] = "survive"
    armies: Annotated[int, Field(ge=0, le=MAX_ARMIES)] | None = None


class LandingQuery(Row):
    """Query for the spaces on which a moving marker may land."""

    score: Points = 0
    gain: Points = 0
    markers: Annotated[list[Points], Field(default_factory=list, max_length=constants.MAX_SEATS)]


class SetupQuery(Row):
    """Query for the set-up that follows from the order in which score markers were drawn."""

    players: Players
    drawn: Annotated[list[Name], Field(max_length=constants.MAX_SEATS), NoRepeats]


class ClassicQuery(Row):
    """Query about a classic card selection. For each draw, `gives` names the player who receives the card."""

    stack: Literal["events", "empires"]
    gives: Annotated[list[Name], Field(default_factory=list, max_length=1000)]


def answer_odds(query: OddsQuery, loaded: InspectedGame, place: Place) -> dict[str, float]:
    """Return the odds of one roll and, if `armies` is given, those of the whole attack."""
    battle = Battle(
        terrain=query.terrain not in (False, None, "none"),
        fort=query.fort,
        maritime=query.maritime,
        bonus=query.bonus,
        deny=query.policy == "deny",
    )
    win, tie, lose = roll_odds(battle, loaded.t)
    answer = {"win": win, "tie": tie, "lose": lose}
    return answer if query.armies is None else answer | asdict(siege_odds(battle, loaded.t, query.armies))


def answer_landing(query: LandingQuery, loaded: InspectedGame, place: Place) -> dict[str, list[int]]:
    """Return all scores at which a moving marker may stop.

    A marker that would stop on an occupied space moves on to the next free space, above or below.
    """
    t, stop = loaded.t, query.score + query.gain
    taken = {space_of(t, marker) for marker in query.markers}
    if query.gain == 0 or space_of(t, stop) not in taken:
        return {"scores": [stop]}
    above = below = stop
    while space_of(t, above) in taken:
        above += 1
    while space_of(t, below) in taken:
        below -= 1
    ends = (below, above) if below >= 1 or t.landing_below_one else (above,)
    return {"scores": list(ends)}


def answer_setup(query: SetupQuery, loaded: InspectedGame, place: Place) -> dict[str, Any]:
    """Return the starting scores, which depend on the order of drawing, and the sizes of the stacks.

    Raises
    ------
    UserError
        The number of names differs from the number of players.
    """
    if len(query.drawn) != query.players:
        raise place.at("drawn").wrong("not one name for each player", len(query.drawn), str(query.players))
    in_stack = sum(empire.epoch == 1 for empire in loaded.catalog.empires)
    return {
        "scores": {name: space for space, name in enumerate(query.drawn, start=1)},
        "stacks": 2 * loaded.catalog.epochs,
        "cards_per_stack": query.players,
        "returned_per_stack": max(0, in_stack - query.players),
    }


def answer_classic(query: ClassicQuery, loaded: InspectedGame, place: Place) -> list[dict[str, Any]]:
    """Return, for each draw, who draws, and whether the rules allow this player to give the card to the player named.

    If the rules do not allow it, the same player decides again about the same card.
    """
    t, names = loaded.t, loaded.names
    table = blank_table(new_games)
    g: Any = table[0]
    clear_table(g, t, len(names))
    g.points[:] = loaded.g.points
    g.epoch = g.draft_round = 0
    # Among players with equal scores, the one listed first counts as ahead.
    g.draft_order[: len(names)] = sorted(range(len(names)), key=lambda seat: -int(g.points[seat]))
    g.event_stack[0, : len(names)] = range(len(names))
    g.empire_stack[0, : len(names)] = range(len(names))
    events = query.stack == "events"
    g.event_left, g.empire_left = (len(names), 0) if events else (0, len(names))
    g.phase = constants.CLASSIC
    game = InspectedGame(table, t, loaded.catalog, names)
    drawn = []
    for number, name in enumerate(query.gives, start=1):
        place.at("gives", number).check_name(name, names, "no such player")
        seat = _who_draws(game, events)
        drawn.append({"player": game.seat_name(seat), "ok": seat >= 0 and _gives(game, names.index(name))})
    return drawn


def _who_draws(game: InspectedGame, events: bool) -> int:
    """Return who draws next; NO_SEAT if the stack is empty."""
    g = game.g
    if not (g.event_left if events else g.empire_left):
        return constants.NO_SEAT
    draws = classic_round(g, game.t, g.event if events else g.empire, events)
    return int(classic_chooser(g, draws, events))


def _gives(game: InspectedGame, receiver: int) -> bool:
    """Give the top card to a player. Return whether the rules allow this."""
    try:
        game.step(lambda decision: decision.pick("this player has a card of the stack", seat=receiver))
    except IllegalMoveError:
        return False
    return True


ANSWERS: dict[str, Callable[[Any, InspectedGame, Place], Any]] = {
    "odds": answer_odds,
    "landing": answer_landing,
    "setup": answer_setup,
    "classic": answer_classic,
}
"""The function that answers each query. Its parameters are the query, the loaded position, and the query's place."""
