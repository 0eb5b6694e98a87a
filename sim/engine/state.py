"""The record of one game in play: the fields that every game's record has, its steps, and copies of it.

A game's `state.py` builds its dtype STATE with `game_record` from these fields and its own. All progress of a game is
in its record, so a copy can be played on. A game goes on in steps, which begin with `begin_step`; a copy made at the
start of a step, given the answers to the first decisions of that step, stands at any decision within it.

The log of what happened is a record within the record and its last field: the progress of a game is the first
`progress_bytes` of it, and `copy_progress` copies no more.
"""

from __future__ import annotations

import ctypes
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

from sim.compiler.fast_record import FieldRecord
from sim.compiler.kernel import Record, compiled, kernel
from sim.engine.rng import RNG_FIELDS, SEATS
from sim.engine.seating import LINEUP_FIELDS

Fields = list[tuple[Any, ...]]
"""Fields of a record: name, type and, of an array, its shape."""

MAX_ANSWERS = 64
"""Decisions one step may hold."""
NOT_BEGUN = -1
"""Value of `step_decisions` in a copy whose step is to begin with given answers."""

# Why a game cannot be played on, as `error` says it; the reasons of a game itself begin at OWN_ERRORS.
NO_ERROR = 0
SCORE_NOT_A_NUMBER = 1
"""A strategy, `error_strategy`, has returned a score that is no number."""
TOO_MANY_DECISIONS = 2
"""A step held more than MAX_ANSWERS decisions."""
ANSWER_NOT_LISTED = 3
"""A given answer is none of the options."""
ANSWERS_LEFT = 4
"""A step asked for fewer decisions than it was given answers."""
STACK_FULL = 5
"""More effects wait for each other than the record holds."""
ZONE_FULL = 6
"""A zone was to take more pieces than the record holds."""
OPTIONS_FULL = 7
"""A decision has more options than the record holds."""
NO_OPTION = 8
"""A decision has no option."""
LOG_FULL = 9
"""A game that is to be told has more to tell than its log holds."""
PIECE_ROWS_FULL = 10
"""More pieces came before a seat than a game declares rows for (`sim.game.Pieces.rows`)."""
STRATEGY_WROTE = 11
"""In a checked run: a strategy, `error_strategy`, has changed the record by scoring an option."""
STRATEGY_WROTE_TABLES = 12
"""In a checked run: it has changed the tables."""
PAUSED = 13
"""A decision is to be looked at from outside: its options stand in the record, which is given up after that."""
NO_ROOM = 14
"""A player looks ahead in a game without the memory for it (`sim.players.search_memory`)."""
OWN_ERRORS = 16

CAPACITIES = {
    TOO_MANY_DECISIONS: ("decisions in a step", "answer", 0),
    STACK_FULL: ("effects that wait for each other", "frame", 0),
    ZONE_FULL: ("pieces in a zone", "zone", 2),
    OPTIONS_FULL: ("options of a decision", "option_score", 0),
    LOG_FULL: ("rows in the log of a game", "log.rows", 0),
}
"""Reasons that are a lack of room: what there is too much of, and the field and axis of the record that is full."""


def game_record(own: Fields, *, seats: int, options: int, notes: int, score_parts: int, log: np.dtype[Any]) -> Any:
    """Dtype of a game's record.

    Parameters
    ----------
    own
        Fields of the game itself; its options (`option_card` and the like) are among them.
    seats, options, notes, score_parts
        How many the arrays of every game's fields hold at most.
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
        *own,
        # The decision being made
        ("option_count", np.int64),
        ("option_score", np.float64, (options,)),
        # Notes a strategy may keep from one option to the next; blank (not a number) before every decision, but for
        # those that a script keeps (`Script.kept_notes`)
        ("notes", np.float64, (notes,)),
        ("notes_of", np.int64),  # number of the script that has taken them, 0 for none
        # Decisions made and options scored since the record was new
        ("decisions", np.int64),
        ("options_scored", np.int64),
        ("decisions_before", np.int64),  # value of `decisions` as the game began
        # The step in progress: value of `decisions` as it began, answers so far, draws of each seat's stream after them
        ("step_decisions", np.int64),
        ("answer", np.int64, (MAX_ANSWERS,)),
        ("answer_drawn", np.uint64, (MAX_ANSWERS,)),
        ("answer_seat", np.int64, (MAX_ANSWERS,)),
        ("answers_given", np.int64),  # answers of this step that stand already; its strategies are not asked for them
        ("asks_always", np.int64),  # 1 in a game looked at from outside: one option alone is asked about too
        # Final
        ("score", np.int64, (seats, score_parts + 1)),  # by score part, last the total
        ("rank", np.int64, seat),
        ("log", log),
    ]
    return np.dtype((FieldRecord, fields))


def log_record(
    rows: tuple[int, int],
    pieces: tuple[int, int, int],
    number: Any,
    tallies: Mapping[str, tuple[int, int]] = MappingProxyType({}),
) -> np.dtype[Any]:
    """Dtype of a log: rows of what happened, and what became of each piece before the eyes of each seat.

    Parameters
    ----------
    rows
        Rows it holds at most, and their columns.
    pieces
        Seats, kinds of pieces (cards), and columns of what is written down of each.
    number
        Type of all these numbers.
    tallies
        Further counts of the game: name, rows and columns of each (`sim.game.Tally`).
    """
    fields: Fields = [
        (
            "room",
            np.uint64,
        ),  # address of the memory of players who look ahead (`sim.players.search_memory`); 0 where there is none
        ("keeps_rows", np.int64),  # 1 in a game that is to be told
        ("row_count", np.int64),
        ("rows", number, rows),
        ("keeps_pieces", np.int64),  # 1 in a game whose pieces are to be counted
        ("pieces", number, pieces),
        *((name, number, shape) for name, shape in tallies.items()),
    ]
    return np.dtype((FieldRecord, fields))


def progress_bytes(state: np.dtype[Any]) -> int:
    """Bytes at the beginning of a record that hold all progress of the game: all but the log."""
    assert state.fields is not None
    return int(state.fields["log"][1])


# ---- Copies ----


def _copy_until_log(_: Any, to: Any, source: Any) -> Any:
    """Copy the bytes of a record that stand before its log: what the intrinsic `copy_until_log` compiles to."""
    size = to.offset("log")

    def generate(context: Any, builder: Any, _: Any, arguments: Any) -> Any:
        cgutils.raw_memcpy(builder, arguments[0], arguments[1], ir.Constant(ir.IntType(64), size), 1)
        return context.get_dummy_value()

    return types.void(to, source), generate


copy_until_log: Any = intrinsic(_copy_until_log)


def _record_at(_: Any, address: Any, like: Any) -> Any:
    """Look at memory as a record of the kind of another: what the intrinsic `record_at` compiles to."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.inttoptr(arguments[0], context.get_value_type(signature.return_type))

    return like(types.uint64, like), generate


record_at: Any = intrinsic(_record_at)

if not compiled():

    def record_at(address: int, like: Record) -> Record:
        """Return the record of the kind of another that lies at an address."""
        memory = (ctypes.c_char * like.dtype.itemsize).from_address(int(address))
        return np.frombuffer(memory, like.dtype)[0]

    def copy_until_log(to: Record, source: Record) -> None:
        """Copy the fields of a record that stand before its log."""
        for name in to.dtype.names[:-1]:
            to[name] = source[name]


@kernel
def copy_progress(to: Record, source: Record) -> None:
    """Make a record a copy of another, but for the log: the copy keeps none."""
    copy_until_log(to, source)
    to.log.room = 0
    to.log.keeps_rows = 0
    to.log.row_count = 0
    to.log.keeps_pieces = 0


# ---- Games and steps ----


@kernel
def begin_game(g: Record, players: int) -> None:
    """Blank the fields of every game's record for a new game; the log stays open or closed as it was."""
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
    """Begin a step: what is decided from here on are its answers. Who looks ahead plays on from its beginning."""
    if g.log.room != 0:
        copy_until_log(record_at(g.log.room, g), g)
    if g.answers_given != 0 and g.step_decisions != NOT_BEGUN:
        g.error = ANSWERS_LEFT
    g.step_decisions = g.decisions


@kernel
def give_answers(copy: Record, g: Record, count: int) -> None:
    """Give a copy made as a step began the first `count` answers of that step in the original.

    The copy then plays the step without asking for them and so comes to where the original stood after them.
    """
    for place in range(count):
        copy.answer[place] = g.answer[place]
        copy.answer_drawn[place] = g.answer_drawn[place]
        copy.answer_seat[place] = g.answer_seat[place]
    copy.answers_given = count
    copy.step_decisions = NOT_BEGUN


@kernel
def record_answer(g: Record, seat: int, place: int, option: int) -> None:
    """Remember the answer to a decision of the step in progress, and how far its seat's stream has been drawn."""
    if place < MAX_ANSWERS:
        g.answer[place] = option
        g.answer_drawn[place] = g.rng_drawn[SEATS + seat]
        g.answer_seat[place] = seat
    else:
        g.error = TOO_MANY_DECISIONS
