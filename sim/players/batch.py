"""Plays consecutive games of a plan (a stretch) and returns the rows of results.

While a user's strategy is called, its mark is set. Marks are entries in memory that is shared with the watching process
(`sim.players.sandbox`), so that this process knows which strategy is running. Compiled code cannot pass on exceptions,
such as an index out of range. If a strategy raises one, its mark records that.
"""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from sim.compiler.kernel import LINEUP, FieldRecord, Record, address_of, compiled, kernel, score_at, strategy_pointer
from sim.compiler.source_digest import digest_of_code, is_project_code
from sim.engine.result_rows import FIXED_COLUMNS, PIECE_KEYS
from sim.engine.rng import CHANCE
from sim.engine.script import Strategy
from sim.engine.seating import ASSIGNMENTS, PLAN, games_per_block
from sim.engine.state import (
    ANSWER_NOT_LISTED,
    ANSWERS_LEFT,
    CAPACITIES,
    NO_ERROR,
    NO_OPTION,
    NO_ROOM,
    PIECE_ROWS_FULL,
    SCORE_NOT_A_NUMBER,
    viewer_of,
)
from sim.errors import UserError, what_was_raised
from sim.game import Data, GameSpec
from sim.games.plain.playing import play_plain_games
from sim.players.judge_files import Judge, judge_for
from sim.players.kernel_failures import kernel_errors_told
from sim.players.python_players import raise_failure
from sim.players.sandbox import FIRST_MARK, MARK, MOST_MARKS, own_marks
from sim.players.search_memory import game_with_room

ERRORS = {
    ANSWER_NOT_LISTED: "an answer is not one of the options",
    ANSWERS_LEFT: "a step asked for fewer decisions than it was given answers",
    NO_OPTION: "a decision has no option",
    NO_ROOM: "a player looks ahead and has no memory for it",
}
"""Messages for errors that can stop a game of any kind. `CAPACITIES` has further messages."""


WRITTEN = 6
"""Position of the first of three output arguments of the kernel `play_games`: rows of seats, of pieces, and tallies."""


@dataclass(frozen=True)
class Plan:
    """The plan of a run. With the number of a game, it determines this game completely.

    Attributes
    ----------
    strategies, lineup
        The different strategies of the run, and the line-up, as indices of strategies. A strategy that the line-up has
        twice plays twice as often.
    factions
        Ids of the factions that may be dealt.
    factions_fixed
        Whether seat i always plays `factions[i]`.
    assign
        "rotate", "random" or "fixed": how strategies are assigned to seats.
    keeps_pieces
        Whether the run records what happens to every piece.
    changes
        The changes to data and strategies with which the run is played, as strings.
    checked
        Whether the run checks that no strategy writes into the game (`sim.players.readonly_check`). The check does not
        change the games.
    """

    game: GameSpec
    data: Data
    players: int
    variant: str
    strategies: tuple[Strategy, ...]
    lineup: tuple[int, ...]
    factions: tuple[int, ...]
    factions_fixed: bool
    assign: str
    seed: int
    keeps_pieces: bool = False
    changes: tuple[str, ...] = ()
    checked: bool = False

    @property
    def block_games(self) -> int:
        """Number of games that share one deal."""
        return games_per_block(self.assign, self.players, len(self.strategies))

    @property
    def looks_ahead(self) -> bool:
        """Whether any player looks ahead."""
        return any(strategy.search is not None for strategy in self.strategies)

    @property
    def judges(self) -> tuple[Judge | None, ...]:
        """The learned judge of each strategy; None for a strategy that has none or does not look ahead."""
        files = [strategy.search.judge if strategy.search is not None else "" for strategy in self.strategies]
        return tuple(
            judge_for(file, self.game, self.data, self.players, self.variant) if file else None for file in files
        )

    @property
    def columns(self) -> int:
        """Number of columns of a seat row, which holds the result of one seat in one game."""
        return FIXED_COLUMNS + len(self.game.score_parts) + len(self.game.measures)


def sources_digest(plan: Plan) -> str:
    """Return the SHA-256 of the source files that determine a plan's games: those of engine, game and players.

    For a game in plain Python, these are its file, the modules next to it, and the code that plays such games.
    """
    if plan.game.plain is not None:
        return str(plan.game.plain.digest())
    functions = [strategy.script.score for strategy in plan.strategies]
    functions += [script.score_all for strategy in plan.strategies if (script := strategy.script).score_all is not None]
    return digest_of_code([*plan.game.source_functions, *functions])


def new_game(plan: Plan) -> Record:
    """Return a blank game record for a plan. It has search memory if any player looks ahead."""
    if plan.looks_ahead:
        return game_with_room(plan.game.state)
    return plan.game.new_games(1)[0]


def plan_record(plan: Plan) -> Record:
    """Pack a plan into a record for the kernels."""
    record: Any = np.zeros(1, PLAN)[0]
    record.seed = plan.seed
    record.players = plan.players
    record.variant = [variant.name for variant in plan.game.variants].index(plan.variant)
    record.block_games = plan.block_games
    record.lineup[: len(plan.lineup)] = plan.lineup
    record.lineup_size = len(plan.lineup)
    record.assign = ASSIGNMENTS.index(plan.assign)
    record.factions[: len(plan.factions)] = plan.factions
    record.faction_count = len(plan.factions)
    record.factions_fixed = plan.factions_fixed
    record.keeps_pieces = plan.keeps_pieces
    return record


def check_no_error(plan: Plan, g: Record) -> None:
    """If a kernel has stopped the game with an error, raise this error as a UserError.

    A strategy failed or returned a score that is not a number, or the game itself has stopped with an error.
    """
    if g.error != NO_ERROR:
        raise_failure()
    if g.error == SCORE_NOT_A_NUMBER:
        strategy = plan.strategies[int(g.error_strategy)]
        raise UserError(
            f"strategy {strategy.name} returned a score that is not a number",
            file=Path(strategy.source) if strategy.source else None,
            field="score",
            allowed="a number; -inf means never choose this option",
        )
    if g.error != 0:
        message = f"a game of {plan.game.title} cannot be continued: {reason_for(plan.game, int(g.error))}"
        raise UserError(message, found=f"seed {plan.seed}, game {int(g.rng_game[CHANCE])}")


def reason_for(game: GameSpec, error: int) -> str:
    """Return the message for an error, given its number in a game record."""
    if error == PIECE_ROWS_FULL and game.pieces is not None:
        return f"more than {game.pieces.rows:,} {game.pieces.plural} come before one seat (rows of the results)"
    if error not in CAPACITIES:
        return (ERRORS | dict(game.errors)).get(error, f"error {error}")
    what, field, axis = CAPACITIES[error]
    kind: Any = game.state
    for name in field.split("."):
        kind = kind[name]
    return f"more than {kind.shape[axis]:,} {what} ({field} of the record)"


def arguments_of(plan: Plan, players: tuple[Any, Record], first: int, count: int) -> tuple[Any, ...]:
    """Return the arguments with which `play_games` plays `count` games, from game `first` on.

    The arrays for the results are new and hold only zeros.
    """
    g = new_game(plan)
    rows = np.zeros((count * plan.players, plan.columns), np.int32)
    pieces = plan.game.pieces
    kept = count * plan.players * pieces.rows if pieces is not None and plan.keeps_pieces else 0
    piece_rows = np.zeros((kept, PIECE_KEYS + (0 if pieces is None else len(pieces.columns))), np.int32)
    tallied = count if plan.keeps_pieces else 0
    tallies = tuple(
        np.zeros((tallied, len(tally.names(plan.data)), len(tally.columns)), np.int32) for tally in plan.game.tallies
    )
    return g, plan.data.tables, players, plan_record(plan), first, count, rows, piece_rows, tallies


def play(plan: Plan, players: tuple[Any, Record], first: int, count: int) -> tuple[np.ndarray, np.ndarray]:
    """Play `count` games, from game `first` on. Return the rows of seats and of pieces, as `play_all` does."""
    rows, piece_rows, *_ = play_all(plan, players, first, count)
    return rows, piece_rows


def play_all(plan: Plan, players: tuple[Any, Record], first: int, count: int) -> tuple[np.ndarray, ...]:
    """Play `count` games, from game `first` on. The result of game i does not depend on `first` and `count`.

    Returns
    -------
    rows, piece_rows, ...
        Arrays of int32. Rows of seats have the shape (count * players, columns), rows of pieces (rows, 3 +
        columns of pieces). Then comes an array for each tally, (rows, 2 + columns of the tally), without the rows whose
        counts are all 0.

    Raises
    ------
    UserError
        A strategy failed, returned a score that is not a number, or wrote into the game in a checked run. Or the game
        itself has stopped with an error.
    """
    if plan.game.plain is not None:
        with game_marked() as mark:
            return play_plain_games(plan, first, count, mark)
    with marked(plan.strategies, plan.game.state, plan.game.tables, players) as team:
        arguments = arguments_of(plan, team, first, count)
        if plan.checked:
            from sim.players.readonly_check import Check  # noqa: PLC0415 - few runs are checked

            check = Check(plan.game.state, plan.data.tables, team, plan.strategies)
            arguments = (arguments[0], check.tables, check.players, *arguments[3:])
        with kernel_errors_told(plan.game):
            written = plan.game.kernels.play_games(*arguments)
    g, (rows, piece_rows, tallies) = arguments[0], arguments[WRITTEN:]
    if plan.checked:
        check.raise_if_written(g)
    check_no_error(plan, g)
    return rows, piece_rows[:written], *(tally_rows(counts, first) for counts in tallies)


def play_chosen(
    plan: Plan, players: tuple[Any, Record], stretches: Sequence[tuple[int, int]]
) -> tuple[np.ndarray, np.ndarray]:
    """Play several stretches, given as pairs of first game and count. Return rows as `play` does.

    The plan must be unchecked.

    It is faster than several calls of `play`: each call makes a new game record, which takes as long as a short game.
    Here, all stretches share one record.
    """
    if plan.game.plain is not None:
        with game_marked() as mark:
            played = [play_plain_games(plan, first, count, mark) for first, count in stretches]
        return np.concatenate([rows for rows, _ in played]), np.concatenate([rows for _, rows in played])
    with marked(plan.strategies, plan.game.state, plan.game.tables, players) as team:
        blank = arguments_of(plan, team, 0, sum(count for _, count in stretches))
        g, (rows, piece_rows, tallies) = blank[0], blank[WRITTEN:]
        done = written = 0
        for first, count in stretches:
            own = (rows[done * plan.players :], piece_rows[written:], tuple(counts[done:] for counts in tallies))
            with kernel_errors_told(plan.game):
                written += plan.game.kernels.play_games(*blank[: WRITTEN - 2], first, count, *own)
            check_no_error(plan, g)
            done += count
    return rows, piece_rows[:written]


def tally_rows(counts: np.ndarray, first: int) -> np.ndarray:
    """Convert the counts of a tally, shape (games, rows, columns), to a table: game, row of the tally, its counts.

    Rows whose counts are all 0 are left out. `first` is the number of the first game.
    """
    game, row = np.nonzero(counts.any(axis=2))
    return np.column_stack([first + game, row, counts[game, row]]).astype(np.int32)


NUMBERS = np.dtype((FieldRecord, [(name, MARK[name]) for name in ("inside", "calls", "failed")]))
"""The fields of a mark that kernels write. They come first in a mark."""
mark_at: Any = viewer_of(NUMBERS)
"""Returns the mark at an address."""


@kernel
def score_marked(g: Record, t: Record, me: int, decision: int, option: int, w: Record) -> float:
    """Score an option with a user's function, at `w.guarded`, while its mark is set; NaN if it raises."""
    mark = mark_at(w.mark)
    mark.calls += 1
    mark.inside = 1
    value: float = score_at(w.guarded, g, t, me, decision, option, w)
    mark.inside = 0
    return value if mark.failed == 0 else np.nan


class _Marks:
    """The marks of this process (`sim.players.sandbox.MARK`), and the indices of unused marks."""

    def __init__(self) -> None:
        self.table = own_marks()
        # Each process starts at a different index, so that processes of one run hardly ever share a mark.
        self.free = list(np.roll(np.arange(FIRST_MARK, MOST_MARKS), 97 * os.getpid()))
        self.lock = threading.Lock()


_marks = cache(_Marks)


@contextmanager
def game_marked() -> Iterator[memoryview]:
    """In a `with` block: set a mark because a game in plain Python is running; yield the mark's numbers (int64).

    For each move, the caller must add 1 to the number at index 1 (`calls` in `sim.players.sandbox.MARK`). If that
    number stays the same for too long, the watching process knows that a move takes too long.
    """
    marks = _marks()
    with marks.lock:
        place = marks.free.pop()
    marks.table[place] = (1, 0, 0, b"the game")
    try:
        numbers: Any = marks.table[place : place + 1].view(np.int64)
        yield memoryview(numbers)
    finally:
        marks.table[place] = (0, 0, 0, b"")
        marks.free.append(place)


_at_work = threading.local()
"""State of each worker: the indices of its marks, and the exception that a strategy raised."""


@contextmanager
def marked(
    strategies: tuple[Strategy, ...], state: np.dtype[Any], tables: np.dtype[Any], players: tuple[Any, Record]
) -> Iterator[tuple[Any, Record]]:
    """In a `with` block: yield `players`, changed so that each call of a user's strategy sets its mark.

    Raise UserError, at the end of the block, if a strategy has raised an exception.
    """
    own = [number for number, strategy in enumerate(strategies) if not is_project_code(strategy.script.score)]
    if not own:
        yield players
        return
    marks = _marks()
    with marks.lock:
        places = [marks.free.pop() for _ in own]
    try:
        scores, lineup = list(players[0]), np.array([players[1]], LINEUP)
        pointer = strategy_pointer(score_marked, state, tables)
        for number, place in zip(own, places, strict=True):
            marks.table[place] = (0, 0, 0, f"strategy {strategies[number].name}".encode()[:100])
            seat = lineup["seats"][0][number]
            seat["guarded"] = scores[number] if compiled() else address_of(scores[number])
            seat["mark"] = marks.table.ctypes.data + place * MARK.itemsize
            scores[number] = pointer.address if compiled() else pointer
        _at_work.places, _at_work.error = places, None
        with _errors_caught():
            yield (np.array(scores, np.uint64) if compiled() else tuple(scores)), lineup[0]
        for number, place in zip(own, places, strict=True):
            if marks.table[place]["failed"]:
                message = f"strategy {strategies[number].name} stops with {what_was_raised(_at_work.error)}"
                raise UserError(message, file=Path(strategies[number].source), field="score")
    finally:
        _at_work.places = []
        marks.table["inside"][places] = 0
        with marks.lock:
            marks.free.extend(places)


@contextmanager
def _errors_caught() -> Iterator[None]:
    """In a `with` block: record exceptions of compiled strategies instead of printing them."""
    with _catching:
        _catchers.append(sys.unraisablehook)
        sys.unraisablehook = _note
    try:
        yield
    finally:
        with _catching:
            hook = _catchers.pop()
            if not _catchers:
                sys.unraisablehook = hook


_catching = threading.Lock()
_catchers: list[Any] = []
"""For each worker that records exceptions, the `sys.unraisablehook` that it replaced. The first is the original
hook."""


def _note(raised: Any) -> None:
    """Record an exception that compiled code cannot pass on, and mark the running strategy of this worker as failed."""
    places = getattr(_at_work, "places", [])
    table = _marks().table
    inside = [place for place in places if table[place]["inside"]]
    if not inside:
        _catchers[0](raised)
        return
    table["failed"][inside] = 1
    _at_work.error = _at_work.error or raised.exc_value
