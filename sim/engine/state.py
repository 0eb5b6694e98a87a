"""The record of one game in play: fields that all games have, steps, and copies.

A game's `state.py` builds its dtype STATE with `game_record` from these fields and its own. The record holds the whole
state of a game, so a game can be continued from a copy. A game advances in steps, each of which begins with
`begin_step`. A copy made at the start of a step can replay the first answers of that step (`give_answers`), and so
reach any decision of it.

The last field is the log, a record of its own. `copy_progress` copies only the `progress_bytes` before the log. Just
before the log come the answers of the step, the options of the decision and the notes. Nothing reads these at the start
of a step, so a search copies only the fields before them (`copy_position`).
"""

from __future__ import annotations

import ctypes
from collections.abc import Mapping
from functools import partial
from types import MappingProxyType
from typing import Any

import numba
import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

from sim.compiler.kernel import FieldRecord, Record, compiled, kernel
from sim.engine.rng import RNG_FIELDS, SEATS
from sim.engine.seating import LINEUP_FIELDS

Fields = list[tuple[Any, ...]]
"""Fields of a record: name, type and, for an array, its shape."""

MAX_ANSWERS = 64
"""Maximum number of decisions in one step."""
NOT_BEGUN = -1
"""Value of `step_decisions` in a copy that has been given answers but has not begun its step."""

# Values of `error`: why a game has stopped. Reasons that a game defines begin at OWN_ERRORS.
NO_ERROR = 0
SCORE_NOT_A_NUMBER = 1
"""A strategy, `error_strategy`, returned NaN as a score."""
TOO_MANY_DECISIONS = 2
"""A step had more than MAX_ANSWERS decisions."""
ANSWER_NOT_LISTED = 3
"""A recorded answer, replayed in a copy, is not among the options."""
ANSWERS_LEFT = 4
"""A copy was given more recorded answers than its step had decisions."""
STACK_FULL = 5
"""More effects are pending than the record holds."""
ZONE_FULL = 6
"""A zone has more pieces than the record holds."""
OPTIONS_FULL = 7
"""A decision has more options than the record holds."""
NO_OPTION = 8
"""A decision has no option."""
LOG_FULL = 9
"""A game has more log rows than the record holds."""
PIECE_ROWS_FULL = 10
"""A seat has more piece rows than the game declares (`sim.game.Pieces.rows`)."""
STRATEGY_WROTE = 11
"""In a checked run: a strategy, `error_strategy`, changed the record while scoring an option."""
STRATEGY_WROTE_TABLES = 12
"""In a checked run: a strategy, `error_strategy`, changed the tables while scoring an option."""
PAUSED = 13
"""The game is paused at a decision, whose options are in the record. The game cannot be continued from this record."""
NO_ROOM = 14
"""A player searches in a game whose record has no memory for a search (`sim.players.search_memory`)."""
OWN_ERRORS = 16

CAPACITIES = {
    TOO_MANY_DECISIONS: ("decisions in a step", "answer", 0),
    STACK_FULL: ("effects that wait for each other", "frame", 0),
    ZONE_FULL: ("pieces in a zone", "zone", 2),
    OPTIONS_FULL: ("options of a decision", "option_score", 0),
    LOG_FULL: ("rows in the log of a game", "log.rows", 0),
}
"""For each error that means a full array: what the array holds, its field in the record, and the axis that is full."""


def game_record(own: Fields, *, seats: int, options: int, notes: int, score_parts: int, log: np.dtype[Any]) -> Any:
    """Return the dtype of a game's record.

    Parameters
    ----------
    own
        Fields of the game itself, including those of its options, whose names begin with `option_`.
    seats, options, notes, score_parts
        Sizes of the arrays that all games have.
    log
        Dtype of the log, from `log_record`.
    """
    seat = (seats,)
    fields: Fields = [
        *RNG_FIELDS,
        ("players", np.int64),
        ("finished", np.int64),
        ("error", np.int64),
        ("error_strategy", np.int64),
        ("rounds", np.int64),
        ("end_reason", np.int64),
        # Who sits where
        *LINEUP_FIELDS,
        ("strategy", np.int64, seat),
        ("faction", np.int64, seat),
        *(field for field in own if not field[0].startswith("option_")),
        ("option_count", np.int64),
        # Decisions made and options scored since the record was created
        ("decisions", np.int64),
        ("options_scored", np.int64),
        ("decisions_before", np.int64),  # value of `decisions` at the start of the game
        # The step in progress: value of `decisions` at its start
        ("step_decisions", np.int64),
        ("answers_given", np.int64),  # number of recorded answers to replay in this step
        ("asks_always", np.int64),  # 1: players choose even from a single option (`sim.games.shared.stepping`)
        # The result
        ("score", np.int64, (seats, score_parts + 1)),  # score parts, then the total
        ("rank", np.int64, seat),
        ("notes_of", np.int64),  # number of the script that used the notes last, 0 for none
        # Answers given in this step so far: the option chosen, how many draws the seat's stream had made by then, and
        # the seat
        ("answer", np.int64, (MAX_ANSWERS,)),
        ("answer_drawn", np.uint64, (MAX_ANSWERS,)),
        ("answer_seat", np.int64, (MAX_ANSWERS,)),
        # The decision being made
        *(field for field in own if field[0].startswith("option_")),
        ("option_score", np.float64, (options,)),
        # Numbers that a strategy remembers from one option to the next. They are set to NaN before each decision,
        # except those that the script keeps (`Script.kept_notes`)
        ("notes", np.float64, (notes,)),
        ("log", log),
    ]
    return np.dtype((FieldRecord, fields))


def log_record(
    rows: tuple[int, int],
    pieces: tuple[int, int, int],
    number: Any,
    tallies: Mapping[str, tuple[int, int]] = MappingProxyType({}),
) -> np.dtype[Any]:
    """Return the dtype of a log: rows of events, the fate of each piece (such as a card) for each seat, and tallies.

    Parameters
    ----------
    rows
        Number of rows of events, and number of columns of each row.
    pieces
        Number of seats, of pieces, and of columns for each piece.
    number
        Type of the numbers in rows, pieces and tallies.
    tallies
        For each tally (`sim.game.Tally`), by name: its number of rows and its number of columns.
    """
    fields: Fields = [
        ("room", np.uint64),  # address of the memory of a search (`sim.players.search_memory`), 0 for none
        ("keeps_rows", np.int64),  # 1 in a game that is narrated
        ("row_count", np.int64),
        ("rows", number, rows),
        ("keeps_pieces", np.int64),  # 1 in a game that fills `pieces` and the tallies
        ("pieces", number, pieces),
        *((name, number, shape) for name, shape in tallies.items()),
    ]
    return np.dtype((FieldRecord, fields))


def progress_bytes(state: np.dtype[Any]) -> int:
    """Return the number of bytes before the log; they hold the whole state of a game."""
    assert state.fields is not None
    return int(state.fields["log"][1])


# ---- Copies ----


def _copying_until(field: str) -> Any:
    """Return a function for kernels that copies a record up to a field, without that field."""

    def copy_fields(to: Record, source: Record) -> None:
        for name in to.dtype.names[: to.dtype.names.index(field)]:
            to[name] = source[name]

    def copy(_: Any, to: Any, source: Any) -> Any:
        size = to.offset(field)

        def generate(context: Any, builder: Any, _: Any, arguments: Any) -> Any:
            cgutils.raw_memcpy(builder, arguments[0], arguments[1], ir.Constant(ir.IntType(64), size), 1)
            return context.get_dummy_value()

        return types.void(to, source), generate

    return intrinsic(copy) if compiled() else copy_fields


copy_until_log: Any = _copying_until("log")
copy_until_answers: Any = _copying_until("answer")


def record_in_memory(address: int, kind: np.dtype[Any]) -> Any:
    """Return the record of this dtype at an address."""
    memory: Any = (ctypes.c_char * kind.itemsize).from_address(int(address))
    return np.frombuffer(memory, kind)[0]


def viewer_of(kind: np.dtype[Any]) -> Any:
    """Return a function for kernels that views the memory at an address as a record of this dtype."""
    if not compiled():
        return partial(record_in_memory, kind=kind)
    record = numba.from_dtype(kind)

    def view(_: Any, address: Any) -> Any:
        return record(types.uint64), _address_as_record

    return intrinsic(view)


def _address_as_record(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
    """Generate the code of an intrinsic that returns the record at an address."""
    return builder.inttoptr(arguments[0], context.get_value_type(signature.return_type))


def _record_at(_: Any, address: Any, like: Any) -> Any:
    """Return the record at an address, of the same type as `like`. This is the code of the intrinsic `record_at`."""
    return like(types.uint64, like), _address_as_record


record_at: Any = intrinsic(_record_at)


def _blank_own_fields(_: Any, g: Any) -> Any:
    """Set the factions, a game's own fields and the number of options to 0 (the code of `blank_own_fields`)."""
    options = g.offset("answer_seat") + MAX_ANSWERS * np.dtype(np.int64).itemsize
    parts = (g.offset("faction"), g.offset("decisions")), (options, g.offset("option_score"))

    def generate(context: Any, builder: Any, _: Any, arguments: Any) -> Any:
        for first, end in parts:
            start = cgutils.pointer_add(builder, arguments[0], ir.Constant(ir.IntType(64), first), cgutils.voidptr_t)
            cgutils.memset(builder, start, ir.Constant(ir.IntType(64), end - first), 0)
        return context.get_dummy_value()

    return types.void(g), generate


blank_own_fields: Any = intrinsic(_blank_own_fields)

if not compiled():

    def record_at(address: int, like: Record) -> Record:
        """Return the record at an address, of the same type as `like`."""
        return record_in_memory(address, like.dtype)

    def blank_own_fields(g: Record) -> None:
        """Set the factions, a game's own fields and the number of options to 0."""
        names = g.dtype.names
        own = names[names.index("faction") : names.index("decisions")]
        for name in own + names[names.index("answer_seat") + 1 : names.index("option_score")]:
            g[name] = 0


@kernel
def copy_progress(to: Record, source: Record) -> None:
    """Copy a record without its log; the copy logs nothing."""
    copy_until_log(to, source)
    keep_no_log(to)


@kernel
def copy_position(to: Record, source: Record) -> None:
    """Copy the fields that are needed to play on from the start of a step; the copy logs nothing and has no notes."""
    copy_until_answers(to, source)
    to.notes_of = 0
    keep_no_log(to)


@kernel
def keep_no_log(g: Record) -> None:
    """Make a copy log nothing."""
    g.log.room = 0
    g.log.keeps_rows = 0
    g.log.row_count = 0
    g.log.keeps_pieces = 0


# ---- Games and steps ----


@kernel
def begin_game(g: Record, players: int) -> None:
    """Begin a new game: set its fields and scores to 0. The flags `keeps_rows` and `keeps_pieces` of the log stay."""
    blank_own_fields(g)
    g.players = players
    g.finished = 0
    g.error = NO_ERROR
    g.error_strategy = 0
    g.rounds = 0
    g.end_reason = 0
    g.decisions_before = g.decisions
    g.answers_given = 0
    g.asks_always = 0
    g.notes_of = 0
    g.score[:] = 0
    g.rank[:] = 0
    g.log.row_count = 0
    if g.log.keeps_pieces != 0:
        g.log.pieces[:] = 0


@kernel
def begin_step(g: Record) -> None:
    """Begin a step. From now on its answers are recorded, and a search within the step starts from this state."""
    if g.log.room != 0:
        copy_until_answers(record_at(g.log.room, g), g)
    if g.answers_given != 0 and g.step_decisions != NOT_BEGUN:
        g.error = ANSWERS_LEFT
    g.step_decisions = g.decisions


@kernel
def give_answers(copy: Record, g: Record, count: int) -> None:
    """Give a copy, made at the start of a step, the first `count` answers that the original received in that step.

    When the copy plays the step, it replays these answers and so reaches the state of the original.
    """
    for place in range(count):
        copy.answer[place] = g.answer[place]
        copy.answer_drawn[place] = g.answer_drawn[place]
        copy.answer_seat[place] = g.answer_seat[place]
    copy.answers_given = count
    copy.step_decisions = NOT_BEGUN


@kernel
def record_answer(g: Record, seat: int, place: int, option: int) -> None:
    """Record that a seat chose `option` in decision `place` (from 0) of the current step.

    Also record how many random numbers the seat has drawn so far.
    """
    if place < MAX_ANSWERS:
        g.answer[place] = option
        g.answer_drawn[place] = g.rng_drawn[SEATS + seat]
        g.answer_seat[place] = seat
    else:
        g.error = TOO_MANY_DECISIONS
