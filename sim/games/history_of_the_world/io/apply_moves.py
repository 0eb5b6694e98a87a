"""Makes the moves of a position: the engine plays them, and stops at every decision (`sim.games.shared.stepping`).

A move against the rules changes nothing; the reason is told.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from sim.data.place import Place
from sim.games.history_of_the_world.data.catalog import Catalog
from sim.games.history_of_the_world.io.fighting import fight_battles
from sim.games.history_of_the_world.io.layout import BLANK
from sim.games.history_of_the_world.io.move_answers import Given
from sim.games.history_of_the_world.io.moves import PositionMove
from sim.games.history_of_the_world.io.standing import score_now
from sim.games.history_of_the_world.io.stepping import Asked, InspectedGame
from sim.games.history_of_the_world.rules import constants
from sim.games.history_of_the_world.rules.battle import in_force
from sim.games.history_of_the_world.rules.structures import icons_a_monument, icons_of
from sim.games.shared.stepping import IllegalMoveError

STEPS_OF: dict[str, tuple[str, ...]] = {
    "kingdom": ("found",),
    "found": ("found",),
    "conquer": ("conquest",),
    "fort": ("conquest",),
    "event": constants.STEPS,
    "monuments": ("conquest",),
    "inactivate": ("inactivate",),
    "score": ("score",),
}
"""Steps of the turn that a move belongs to; that of an ability depends on the ability."""

BUILDS_FORTS = (constants.FORTS, constants.FORTS_PER_ICON)
"""Operations that build forts."""

Told = dict[str, Any]
"""What is told of a move that was made."""


def try_move(game: InspectedGame, move: PositionMove) -> Told:
    """Make one move; a move against the rules changes nothing.

    Returns
    -------
    dict
        `ok`, and `why` the move was refused, or what it led to.
    """
    before = game.table.copy()
    try:
        _check_step(game, move)
        return {"ok": True} | WAYS[move.do](game, move)
    except IllegalMoveError as illegal:
        game.table = before
        return {"ok": False, "why": str(illegal)}


def check_names(catalog: Catalog, move: PositionMove, place: Place) -> None:
    """Check that all lands and events that a move names are known.

    Raises
    ------
    UserError
        One is not.
    """
    if move.land is not None:
        place.at("land").check_name(move.land, catalog.land_names, "no such land")
    if move.event is not None:
        place.at("event").check_name(move.event, [event.name for event in catalog.events], "no such event")
    known = [*catalog.land_names, *(catalog.body_names if move.do in ("event", "ability") else ())]
    for number, name in enumerate(move.lands, start=1):
        place.at("lands", number).check_name(name, known, "no such land")


def _check_step(game: InspectedGame, move: PositionMove) -> None:
    g = game.g
    if g.turn_seat == constants.NO_SEAT:
        raise IllegalMoveError("it is nobody's turn")
    step = constants.STEPS[int(g.step)]
    allowed = STEPS_OF.get(move.do, (step,))
    if step not in allowed:
        raise IllegalMoveError(f"{move.do} belongs to the step {' or '.join(allowed)}, the turn is at {step}")


# ---- Beginning ----


def _option(asked: Asked, kind: int, why: str, **wanted: int) -> int:
    """Return the place of the option of a kind with these fields.

    Raises
    ------
    IllegalMoveError
        There is none; `why` is the reason.
    """
    for option in asked.options:
        if option.kind == kind and all(getattr(option, field) == number for field, number in wanted.items()):
            return option.place
    raise IllegalMoveError(why)


def _event(game: InspectedGame, name: str | None) -> int:
    """Return the number of an event."""
    names = [event.name for event in game.catalog.events]
    return len(game.catalog.empires) + names.index(name or "")


def _starts_on_map(game: InspectedGame, card: int) -> None:
    if card == BLANK:
        raise IllegalMoveError("the player on turn has no empire")
    for name in game.catalog.cards[card].start_lands:
        if name not in game.catalog.land_names:
            raise IllegalMoveError(f"the start land {name} is not on the map")


def _kingdom(game: InspectedGame, move: PositionMove) -> Told:
    """Reveal a kingdom and found it."""
    card = _event(game, move.event)
    if game.t.kind[card] != constants.KINGDOM:
        raise IllegalMoveError(f"{move.event} is no kingdom")
    why = f"{move.event} cannot be played: {_why_not_held(game, card)}"
    given = Given(game, move, lambda asked: _option(asked, constants.PLAY_EVENT, why, card=card))
    _starts_on_map(game, card)
    game.step(given)
    return {}


def _why_not_held(game: InspectedGame, card: int) -> str:
    """Return why the seat on turn cannot play an event."""
    g = game.g
    if g.holds[card] != 1 + g.turn_seat:
        return "the player on turn does not hold it"
    if g.waiting != constants.NO_CARD:
        return "a kingdom is being played"
    if g.drafted[card] != g.epoch and game.t.kind[card] == constants.KINGDOM:
        return "it was drafted in an earlier epoch"
    if game.t.enhancements != 0 and g.step == constants.CONQUEST:
        return "it is not played during the conquests"
    return "it cannot have its full effect"


def _found(game: InspectedGame, move: PositionMove) -> Told:
    """Found the empire of the player on turn."""
    _starts_on_map(game, int(game.g.card))
    game.step(Given(game, move, lambda asked: _option(asked, constants.STOP, "nothing can be founded")))
    return {}


# ---- Conquest ----


def _conquer(game: InspectedGame, move: PositionMove) -> Told:
    """Conquer a land, with its battle."""
    g = game.g
    assert move.land is not None
    land = game.catalog.land_names.index(move.land)
    if g.armies == 0:
        raise IllegalMoveError("no army is left on the card")
    why = f"{move.land} cannot be reached"
    given = Given(game, move, lambda asked: _option(asked, constants.CONQUER, why, land=land))
    return _fight_for(game, move, given, land)


def _fight_for(game: InspectedGame, move: PositionMove, given: Given, land: int) -> Told:
    """Send an army to a land, and tell what becomes of it and of what stands there."""
    before = _pieces_in(game.g, land)
    game.step(given)
    rolls = fight_battles(game, move, given)
    given.check_used()
    after = _pieces_in(game.g, land)
    gone = [name for name in ("monument", "city", "capital") if before[name] > after[name]]
    points = int(game.t.points_destroyed) if gone and game.t.marauder[game.g.card] else 0
    return {
        "result": rolls.result,
        "battles": rolls.told,
        "siege_bonus": int(game.g.siege) if rolls.told else 0,
        "destroyed": gone[0] if gone else None,
        "fort_removed": before["fort"] > after["fort"],
        "points": points,
    }


def _pieces_in(g: Any, land: int) -> dict[str, int]:
    return {name: int(g[name][land]) for name in ("capital", "city", "monument", "fort")}


def _fort(game: InspectedGame, move: PositionMove) -> Told:
    """Spend an army for a fort."""
    assert move.land is not None
    land = game.catalog.land_names.index(move.land)
    with_tokens = game.t.siege_tokens_build_forts != 0 and game.g.siege_tokens >= game.t.fort_price
    if game.g.armies < game.t.fort_price and not with_tokens:
        raise IllegalMoveError("no army is left on the card")
    why = _why_no_fort(game, land)
    game.step(Given(game, move, lambda asked: _option(asked, constants.BUILD_FORT, why, land=land)))
    return {}


def _why_no_fort(game: InspectedGame, land: int) -> str:
    """Return why the seat on turn can build no fort in a land, an army for it apart."""
    g, name = game.g, game.land_name(land)
    if g.army[land] != g.turn_seat or not g.active[land]:
        return f"no active army of the player on turn stands in {name}"
    return f"a fort stands in {name} already" if g.fort[land] else "no fort is left in the supply"


# ---- Effects ----


def _play_event(game: InspectedGame, move: PositionMove) -> Told:
    """Play an enhancement; when the turn is done as well, although nothing follows."""
    g = game.g
    card = _event(game, move.event)
    if game.t.kind[card] != constants.ENHANCEMENT:
        raise IllegalMoveError(f"{move.event} is no enhancement")
    step = int(g.step)
    if step == constants.DONE:
        g.step = constants.SCORE
    why = f"{move.event} cannot be played: {_why_not_held(game, card)}"
    given = Given(game, move, lambda asked: _option(asked, constants.PLAY_EVENT, why, card=card))
    game.step(given)
    given.check_used()
    game.g.step = step
    return {}


def _use_ability(game: InspectedGame, move: PositionMove) -> Told:
    """Use the ability of the empire."""
    g, t = game.g, game.t
    if g.step not in (constants.CONQUEST, constants.INACTIVATE):
        raise IllegalMoveError("an ability is not used in this step")
    builds_forts = any(operation in BUILDS_FORTS for operation in t.effect[g.card, :, constants.OPERATION])
    if g.step == constants.CONQUEST and builds_forts and not t.ability_forts:
        raise IllegalMoveError("the forts of an ability are built after the monuments")
    if g.won_in != constants.NO_LAND and in_force(g, constants.FIGHTS_AGAIN):
        return _fight_again(game, move)
    if move.battles:
        raise IllegalMoveError("this ability brings no battle now")
    why = "the ability has been used" if g.ability_used else "the card being played has no ability to be used now"
    given = Given(game, move, lambda asked: _option(asked, constants.USE_ABILITY, why))
    game.step(given)
    given.check_used()
    return {}


def _fight_again(game: InspectedGame, move: PositionMove) -> Told:
    """Let the army that has just won a battle fight again, in the one land that the move names."""
    if len(move.lands) != 1 or move.lands[0] not in game.catalog.land_names:
        raise IllegalMoveError("an army fights again in one land")
    land = game.catalog.land_names.index(move.lands[0])
    why = f"no opponent's army lies in {move.lands[0]}, next to {game.land_name(int(game.g.won_in))}"
    given = Given(game, move, lambda asked: _option(asked, constants.FIGHT_AGAIN, why, land=land))
    given.lands.clear()
    return _fight_for(game, move, given, land)


# ---- The steps after the conquests ----


def _stop(asked: Asked) -> int:
    return _option(asked, constants.STOP, "the turn cannot go on")


def _monuments(game: InspectedGame, move: PositionMove) -> Told:
    """Return armies to the supply and build monuments."""
    g, t = game.g, game.t
    icons = int(icons_of(g, t, int(g.turn_seat), False))
    due = icons // int(icons_a_monument(g))
    before = g.monument.copy()
    given = Given(game, move, _stop)
    game.step(given)
    given.check_used()
    new = (game.g.monument > before).nonzero()[0]
    built = move.lands or [game.land_name(int(land)) for land in new]
    built = built if move.lands else sorted(built, key=given.sites.index)
    return {"icons": icons, "due": due, "built": list(built)}


def _inactivate(game: InspectedGame, move: PositionMove) -> Told:
    """Lay the armies on their side."""
    game.step(Given(game, move, _stop))
    return {}


def _score(game: InspectedGame, move: PositionMove) -> Told:
    """Score the turn."""
    told = score_now(game, int(game.g.turn_seat))
    given = Given(game, move, _stop)
    game.step(given)
    given.check_used()
    return told


WAYS: dict[str, Callable[[InspectedGame, PositionMove], Told]] = {
    "kingdom": _kingdom,
    "found": _found,
    "conquer": _conquer,
    "fort": _fort,
    "event": _play_event,
    "monuments": _monuments,
    "ability": _use_ability,
    "inactivate": _inactivate,
    "score": _score,
}
"""What makes each move."""
