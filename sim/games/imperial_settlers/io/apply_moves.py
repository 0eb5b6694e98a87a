"""Makes the moves of a position: the engine plays them, and stops at every decision (`pausing.py`).

A move against the rules changes nothing; the reason is told.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from sim.data.place import Place
from sim.games.imperial_settlers.data.catalog import Catalog
from sim.games.imperial_settlers.io import reasons
from sim.games.imperial_settlers.io.layout import clear_nameless
from sim.games.imperial_settlers.io.moves import PositionMove
from sim.games.imperial_settlers.io.naming import cards_in, is_called, name_and_number, near_names
from sim.games.imperial_settlers.io.option_matching import NOBODY, Answers
from sim.games.imperial_settlers.io.stepping import InspectedGame
from sim.games.imperial_settlers.io.turn_moves import (
    MOST_STEPS,
    act,
    bank,
    called,
    check_left_over,
    nothing_asked,
    tuck,
)
from sim.games.imperial_settlers.rules import constants
from sim.games.imperial_settlers.rules.lookout import end_pick, give_to_virtual, is_due_by_chance
from sim.games.shared.stepping import IllegalMoveError

# ---- One move ----


def make_move(game: InspectedGame, move: PositionMove) -> None:
    """Make one move.

    Raises
    ------
    IllegalMoveError
        It is against the rules; the game may then be changed.
    """
    reason = reasons.why_not_now(game.g, move)
    if reason:
        raise IllegalMoveError(reason)
    ways: dict[str, Callable[[InspectedGame, PositionMove], None]] = {
        "begin": _begin,
        "take": _take,
        "random": _give_at_random,
        "produce": _produce,
        "tuck": tuck,
        "bank": bank,
        "cleanup": _play_phase,
        "attack": _play_phase,
    }
    ways.get(move.do, act)(game, move)
    clear_nameless(game.g, game.t)


def try_move(game: InspectedGame, move: PositionMove) -> str | None:
    """Make one move; a move against the rules changes nothing.

    Returns
    -------
    str or None
        Why the move is against the rules; None for one that has been made.
    """
    before, picked = game.table.copy(), set(game.picked)
    try:
        make_move(game, move)
    except IllegalMoveError as illegal:
        game.table, game.picked = before, picked
        return str(illegal)
    return None


def check_names(catalog: Catalog, move: PositionMove, place: Place) -> None:
    """Check that all cards that a move names are cards of the game.

    Raises
    ------
    UserError
        One is not.
    """
    known = {row.name for row in catalog.cards} | set(catalog.codes) | {row.target for row in catalog.attacks}
    known |= {"foundation", "deals"}

    def check(here: Place, value: Any) -> None:
        if isinstance(value, str):
            if value not in known and name_and_number(value)[0] not in known:
                raise here.wrong("no such card", value, near_names(sorted(known), value))
        elif isinstance(value, list):
            for number, entry in enumerate(value, start=1):
                check(here.at(number), entry)

    def check_row(here: Place, row: Any) -> None:
        for key in ("card", "discard", "location", "cards", "loses", "keep", "at", "deal", "gives", "samurai"):
            check(here.at(key), getattr(row, key, None))
        if row.build is not None:
            check_row(here.at("build"), row.build)
        for number, each in enumerate(getattr(row, "each", None) or [], start=1):
            check_row(here.at("each", number), each)
        for name, decisions in getattr(row, "choices", {}).items():
            check(here.at("choices", name), name)
            check_row(here.at("choices", name), decisions)

    check_row(place, move)


# ---- Phases without turns ----


def _begin(game: InspectedGame, move: PositionMove) -> None:
    """Draw the starting hands, or begin the lookout phase."""
    g = game.g
    if g.phase == constants.LOOKOUT and g.lookout_step > 0:
        raise IllegalMoveError("the lookout phase has begun")
    game.picked = set()
    game.step(nothing_asked)


def _take(game: InspectedGame, move: PositionMove) -> None:
    """Pick a card from the row, or from the own pack."""
    g, seat = game.g, move.p
    assert seat is not None
    if g.lookout_step == 0:
        raise IllegalMoveError("the lookout phase has not begun")
    packs = g.lookout == constants.ALTERNATIVE and not g.solo
    if packs:
        if seat in game.picked:
            raise IllegalMoveError(f"seat {seat} has picked, and the packs have not been passed on")
        g.turn_seat = seat
    where = f"the pack of seat {seat}" if packs else "the row"
    made = int(g.lookout_step)
    answers = Answers(g, game.t, game.catalog, move, NOBODY, nothing_asked)
    answers.turn = lambda asked: called(answers, asked, asked.options, move.card or "", where)
    owner, zone = (seat, constants.PACK) if packs else (constants.TABLE, constants.ROW)
    if not g.zone_size[owner, zone]:
        raise IllegalMoveError(f"there is no card in {where}")
    game.step(answers.answer)
    game.picked = set() if made % int(g.players) == 0 else game.picked | {seat}


def _give_at_random(game: InspectedGame, move: PositionMove) -> None:
    """Give the virtual player the card that chance has chosen."""
    g, t = game.g, game.t
    if not g.solo or not is_due_by_chance(g):
        raise IllegalMoveError("no card is due to the virtual player by chance")
    named = [
        card for card in cards_in(g, constants.TABLE, constants.ROW) if is_called(game.catalog, card, move.card or "")
    ]
    if not named:
        raise IllegalMoveError(f"{move.card} is not in the row")
    give_to_virtual(g, t, named[0])
    end_pick(g, t)


def _produce(game: InspectedGame, move: PositionMove) -> None:
    """Let a seat produce from all its sources."""
    answers = Answers(game.g, game.t, game.catalog, move, NOBODY, nothing_asked)
    seat, steps = int(game.g.turn_seat), 0
    while game.g.phase == constants.PRODUCE and game.g.turn_seat == seat and steps < MOST_STEPS:
        answers.begin_step(game.g)
        last = game.g.depth == 0 and game.g.source_count == 0
        game.step(answers.answer)
        steps += 1
        if last:
            break
    check_left_over(answers)


def _play_phase(game: InspectedGame, move: PositionMove) -> None:
    """Play the cleanup, or the attack phase."""
    answers = Answers(game.g, game.t, game.catalog, move, NOBODY, nothing_asked)
    game.step(answers.answer)
    if answers.losses:
        raise IllegalMoveError(f"the virtual player does not take {answers.losses[0]}")
