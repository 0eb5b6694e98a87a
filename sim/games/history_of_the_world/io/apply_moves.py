"""Makes the moves of a position. The engine plays each move. When it stops for a decision, the move has the answer."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from sim.data.place import Place
from sim.games.history_of_the_world.data.catalog import Catalog
from sim.games.history_of_the_world.io.fighting import fight_battles
from sim.games.history_of_the_world.io.layout import BLANK
from sim.games.history_of_the_world.io.move_answers import Answers
from sim.games.history_of_the_world.io.moves import PositionMove
from sim.games.history_of_the_world.io.standing import score_now
from sim.games.history_of_the_world.io.stepping import InspectedGame
from sim.games.history_of_the_world.rules import constants
from sim.games.history_of_the_world.rules.battle import in_force
from sim.games.history_of_the_world.rules.structures import icons_a_monument, icons_of
from sim.games.shared.stepping import first_reason, refuse_if

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
"""Steps of the turn in which each move can be made. `ability` is missing, because its step depends on the ability."""

BUILDS_FORTS = (constants.FORTS, constants.FORTS_PER_ICON)
"""Operations that build forts."""

Result = dict[str, Any]
"""Fields that a move adds to its entry in the result."""


def make_move(game: InspectedGame, move: PositionMove) -> Result | None:
    """Make one move. Return the fields that it adds to its entry in the result, or None if it adds none."""
    refuse_if((game.g.turn_seat == constants.NO_SEAT, "it is nobody's turn"))
    step = constants.STEPS[int(game.g.step)]
    allowed = STEPS_OF.get(move.do, (step,))
    refuse_if((step not in allowed, f"{move.do} belongs to the step {' or '.join(allowed)}, the turn is at {step}"))
    return MAKES[move.do](game, move)


def check_names(catalog: Catalog, move: PositionMove, place: Place) -> None:
    """Check that all lands and events named in a move exist."""
    if move.land is not None:
        place.at("land").check_name(move.land, catalog.land_names, "no such land")
    if move.event is not None:
        place.at("event").check_name(move.event, [event.name for event in catalog.events], "no such event")
    known = [*catalog.land_names, *(catalog.body_names if move.do in ("event", "ability") else ())]
    for number, name in enumerate(move.lands, start=1):
        place.at("lands", number).check_name(name, known, "no such land")


def _step(game: InspectedGame, move: PositionMove, kind: int, why: str, **fields: int) -> Answers:
    """Play the step that begins with the option of this kind and these `fields`, and return the answers of the move.

    If the option is not offered, raise IllegalMoveError with the message `why`. Check that every answer was used.
    """
    answers = Answers(game, move, why, kind=kind, **fields)
    game.step(answers)
    answers.check_used()
    return answers


def _end_step(game: InspectedGame, move: PositionMove) -> Answers:
    return _step(game, move, constants.STOP, "the turn cannot go on")


# ---- Founding ----


def _event(game: InspectedGame, move: PositionMove, kind: int) -> tuple[int, str]:
    """Return the card of the event that a move names, and the message to give if the player cannot play the event."""
    g, t, name = game.g, game.t, move.event or ""
    card = len(game.catalog.empires) + [event.name for event in game.catalog.events].index(name)
    refuse_if((t.kind[card] != kind, f"{name} is no {'kingdom' if kind == constants.KINGDOM else 'enhancement'}"))
    why = first_reason(
        (g.holds[card] != 1 + g.turn_seat, "the player on turn does not hold it"),
        (g.waiting != constants.NO_CARD, "a kingdom is being played"),
        (g.drafted[card] != g.epoch and kind == constants.KINGDOM, "it was drafted in an earlier epoch"),
        (t.enhancements != 0 and g.step == constants.CONQUEST, "it is not played during the conquests"),
        (True, "it cannot have its full effect"),
    )
    return card, f"{name} cannot be played: {why}"


def _check_start_lands(game: InspectedGame, card: int) -> None:
    refuse_if((card == BLANK, "the player on turn has no empire"))
    for name in game.catalog.cards[card].start_lands:
        refuse_if((name not in game.catalog.land_names, f"the start land {name} is not on the map"))


def _kingdom(game: InspectedGame, move: PositionMove) -> None:
    card, why = _event(game, move, constants.KINGDOM)
    _check_start_lands(game, card)
    _step(game, move, constants.PLAY_EVENT, why, card=card)


def _found(game: InspectedGame, move: PositionMove) -> None:
    _check_start_lands(game, int(game.g.card))
    _step(game, move, constants.STOP, "nothing can be founded")


# ---- Conquest ----


def _conquer(game: InspectedGame, move: PositionMove) -> Result:
    land = game.catalog.land_names.index(move.land or "")
    refuse_if((game.g.armies == 0, "no army is left on the card"))
    answers = Answers(game, move, f"{move.land} cannot be reached", kind=constants.CONQUER, place=land)
    return _fight_for(game, move, answers, land)


def _fight_for(game: InspectedGame, move: PositionMove, answers: Answers, land: int) -> Result:
    """Send an army to a land. Return the result of its battle and what the army destroyed."""
    pieces = ("monument", "city", "capital", "fort")
    before = [int(game.g[name][land]) for name in pieces]
    game.step(answers)
    fought = fight_battles(game, move, answers)
    answers.check_used()
    gone = [name for name, number in zip(pieces, before, strict=True) if number > game.g[name][land]]
    destroyed = next((name for name in gone if name != "fort"), None)
    return {
        "result": fought.result,
        "battles": fought.rolls,
        "siege_bonus": int(game.g.siege) if fought.rolls else 0,
        "destroyed": destroyed,
        "fort_removed": "fort" in gone,
        "points": int(game.t.points_destroyed) if destroyed and game.t.marauder[game.g.card] else 0,
    }


def _fort(game: InspectedGame, move: PositionMove) -> None:
    """Build a fort, and pay for it with armies or siege tokens."""
    g, t, name = game.g, game.t, move.land or ""
    land = game.catalog.land_names.index(name)
    with_tokens = t.siege_tokens_build_forts != 0 and g.siege_tokens >= t.fort_price
    refuse_if((g.armies < t.fort_price and not with_tokens, "no army is left on the card"))
    own = g.army[land] == g.turn_seat and g.active[land]
    why = first_reason(
        (not own, f"no active army of the player on turn stands in {name}"),
        (g.fort[land], f"a fort stands in {name} already"),
        (True, "no fort is left in the supply"),
    )
    _step(game, move, constants.BUILD_FORT, why, place=land)


# ---- Effects ----


def _play_event(game: InspectedGame, move: PositionMove) -> None:
    """Play an enhancement. This is possible even after the last step of the turn."""
    card, why = _event(game, move, constants.ENHANCEMENT)
    step = int(game.g.step)
    if step == constants.DONE:
        game.g.step = constants.SCORE
    _step(game, move, constants.PLAY_EVENT, why, card=card)
    game.g.step = step


def _use_ability(game: InspectedGame, move: PositionMove) -> Result | None:
    g, t = game.g, game.t
    in_conquest = g.step == constants.CONQUEST
    builds_forts = any(operation in BUILDS_FORTS for operation in t.effect[g.card, :, constants.OPERATION])
    refuse_if(
        (not in_conquest and g.step != constants.INACTIVATE, "an ability is not used in this step"),
        (in_conquest and builds_forts and not t.ability_forts, "the forts of an ability are built after the monuments"),
    )
    if g.won_in != constants.NO_LAND and in_force(g, constants.FIGHTS_AGAIN):
        return _fight_again(game, move)
    refuse_if((move.battles, "this ability brings no battle now"))
    why = "the ability has been used" if g.ability_used else "the card being played has no ability to be used now"
    _step(game, move, constants.USE_ABILITY, why)
    return None


def _fight_again(game: InspectedGame, move: PositionMove) -> Result:
    """Let the army that has just won a battle fight again, in the land that the move names."""
    names = game.catalog.land_names
    refuse_if((len(move.lands) != 1 or move.lands[0] not in names, "an army fights again in one land"))
    land = names.index(move.lands[0])
    why = f"no opponent's army lies in {move.lands[0]}, next to {game.land_name(int(game.g.won_in))}"
    answers = Answers(game, move, why, kind=constants.FIGHT_AGAIN, place=land)
    answers.lands.clear()
    return _fight_for(game, move, answers, land)


# ---- Steps after the conquests ----


def _monuments(game: InspectedGame, move: PositionMove) -> Result:
    """End the conquests and build monuments. Return how many were due, and where they were built."""
    icons = int(icons_of(game.g, game.t, int(game.g.turn_seat), False))
    due = icons // int(icons_a_monument(game.g))
    return {"icons": icons, "due": due, "built": _end_step(game, move).sites}


def _inactivate(game: InspectedGame, move: PositionMove) -> None:
    _end_step(game, move)


def _score(game: InspectedGame, move: PositionMove) -> Result:
    scoring = score_now(game, int(game.g.turn_seat))
    _end_step(game, move)
    return scoring


MAKES: dict[str, Callable[[InspectedGame, PositionMove], Result | None]] = {
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
"""The function that makes each kind of move."""
