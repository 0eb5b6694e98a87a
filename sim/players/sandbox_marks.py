"""Marks each call of a user's strategy, so that the watcher knows which strategy is running.

Compiled code cannot hand on what it raises: a list of options read beyond its end, or memory that there is not. The
mark of the strategy that was at work says whose it was.
"""

from __future__ import annotations

import ctypes
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any

import numba
import numpy as np
from numba import types
from numba.extending import intrinsic

from sim.compiler.fast_record import FieldRecord
from sim.compiler.kernel import Record, address_of, compiled, kernel, score_at, strategy_pointer
from sim.compiler.player_record import LINEUP
from sim.compiler.source_digest import is_project_code
from sim.errors import UserError, what_was_raised
from sim.players.sandbox import FIRST_MARK, MARK, MOST_MARKS, own_marks
from sim.players.strategy import Strategy

NUMBERS = np.dtype((FieldRecord, [(name, MARK[name]) for name in ("inside", "calls", "failed")]))
"""The first fields of a mark, which kernels write."""
_NUMBERS_TYPE = numba.from_dtype(NUMBERS)


def _mark_at(_: Any, address: Any) -> Any:
    """View memory as a mark."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.inttoptr(arguments[0], context.get_value_type(signature.return_type))

    return _NUMBERS_TYPE(types.uint64), generate


mark_at: Any = intrinsic(_mark_at)

if not compiled():

    def mark_at(address: int) -> Record:
        """Return the mark at an address."""
        memory: Any = (ctypes.c_char * NUMBERS.itemsize).from_address(int(address))
        return np.frombuffer(memory, NUMBERS)[0]


@kernel
def score_marked(g: Record, t: Record, me: int, decision: int, option: int, w: Record) -> float:
    """Call a user's function at `w.guarded` with its mark set; an exception makes the score NaN."""
    mark = mark_at(w.mark)
    mark.calls += 1
    mark.inside = 1
    value: float = score_at(w.guarded, g, t, me, decision, option, w)
    mark.inside = 0
    return value if mark.failed == 0 else np.nan


@cache
def _marking_pointer(state: np.dtype[Any], tables: np.dtype[Any]) -> Any:
    """Compile `score_marked` for the records of a game, once in a process."""
    return strategy_pointer(score_marked, state, tables)


class _Marks:
    """The marks of this process, and the free ones among them."""

    def __init__(self) -> None:
        self.table = own_marks()
        self.free = list(range(MOST_MARKS - 1, FIRST_MARK - 1, -1))
        self.lock = threading.Lock()


@cache
def _marks() -> _Marks:
    return _Marks()


_at_work = threading.local()
"""State of each worker: its marks, and the exception of a strategy."""


@contextmanager
def marked(
    strategies: tuple[Strategy, ...], state: np.dtype[Any], tables: np.dtype[Any], players: tuple[Any, Record]
) -> Iterator[tuple[Any, Record]]:
    """Yield the players of a stretch, with calls of the user's strategies marked.

    Raises
    ------
    UserError
        As the stretch ends: a strategy has raised an error.
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
        pointer = _marking_pointer(state, tables)
        for number, place in zip(own, places, strict=True):
            marks.table[place] = (0, 0, 0, strategies[number].name.encode()[:100])
            seat = lineup["seats"][0][number]
            seat["guarded"] = scores[number] if compiled() else address_of(scores[number])
            seat["mark"] = marks.table.ctypes.data + place * MARK.itemsize
            scores[number] = pointer.address if compiled() else pointer
        _at_work.places, _at_work.error = places, None
        with _errors_caught():
            yield (np.array(scores, np.uint64) if compiled() else tuple(scores)), lineup[0]
        for number, place in zip(own, places, strict=True):
            if marks.table[place]["failed"]:
                raise _raised(strategies[number], _at_work.error)
    finally:
        _at_work.places = []
        marks.table["inside"][places] = 0
        with marks.lock:
            marks.free.extend(places)


def _raised(strategy: Strategy, error: BaseException) -> UserError:
    """Return the error for an exception of a strategy in compiled code."""
    said = f"strategy {strategy.name} stops with {what_was_raised(error)}"
    return UserError(said, file=Path(strategy.source), field="score")


@contextmanager
def _errors_caught() -> Iterator[None]:
    """Record the exceptions of compiled strategies instead of printing them."""
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
"""The earlier hook for such errors as the first entry; one more entry for each worker inside."""


def _note(raised: Any) -> None:
    """Record an exception that compiled code cannot raise, for the strategy that is running on this worker."""
    places = getattr(_at_work, "places", [])
    table = _marks().table
    inside = [place for place in places if table[place]["inside"]]
    if not inside:
        _catchers[0](raised)
        return
    table["failed"][inside] = 1
    _at_work.error = _at_work.error or raised.exc_value
