"""Checked runs: they detect and name a strategy that writes into the game.

Kernels call scoring functions by address. In a checked run, every address is that of `checked_score`. It calls the
strategy's own function, and compares the record before and after the call. All other code is compiled as usual, and
unchecked runs are not slower.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

from sim.compiler.kernel import (
    LINEUP,
    FieldRecord,
    Record,
    compiled,
    kernel,
    score_at,
    strategy_pointer,
    strategy_slots,
)
from sim.engine.script import Strategy
from sim.engine.state import STRATEGY_WROTE, STRATEGY_WROTE_TABLES
from sim.errors import UserError

MAY_BE_WRITTEN = "notes"
"""The only field of a record that a strategy may write."""


def scratch_dtype(state: np.dtype[Any]) -> np.dtype[Any]:
    """Return the dtype of a check's memory: the tables' address, the record before a call, and a record it changed."""
    fields = [("tables", np.uint64), ("before", state), ("after", state)]
    return np.dtype((FieldRecord, fields))


BEFORE = 8
"""Offset, in the scratch memory, of the record before the scoring call. The record after the call follows it."""


# ---- Bytes of records ----

BYTE = ir.IntType(8).as_pointer()
NUMBER = ir.IntType(64)


def _bytes_at(builder: Any, start: Any, offset: int = 0) -> Any:
    """Return a pointer to the byte at `offset` of a record, or of the memory at an address."""
    pointer = builder.bitcast(start, BYTE) if isinstance(start.type, ir.PointerType) else builder.inttoptr(start, BYTE)
    return builder.gep(pointer, [ir.Constant(NUMBER, offset)])


def _differences(builder: Any, one: Any, other: Any, size: Any) -> Any:
    """Compare `size` bytes at two pointers. The result is 0 if they are the same."""
    kind = ir.FunctionType(ir.IntType(32), [BYTE, BYTE, NUMBER])
    function = cgutils.get_or_insert_function(builder.module, kind, "memcmp")
    return builder.call(function, [one, other, size])


def _size(builder: Any, g: Any, start: int, with_log: Any) -> Any:
    """Generate code for a record's number of bytes from offset `start` on, without its log if `with_log` is 0."""
    ends = (ir.Constant(NUMBER, end - start) for end in (g.size, g.offset("log")))
    return builder.select(builder.icmp_signed("!=", with_log, ir.Constant(NUMBER, 0)), *ends)


def _keeping(place: Callable[[Any], int]) -> Any:
    """Return an intrinsic that copies a record, with or without log, to offset `place(its type)` of the scratch."""

    def keep(_: Any, scratch: Any, g: Any, with_log: Any) -> Any:
        def generate(context: Any, builder: Any, _: Any, arguments: Any) -> Any:
            scratch, source, with_log = arguments
            size = _size(builder, g, 0, with_log)
            cgutils.raw_memcpy(builder, _bytes_at(builder, scratch, place(g)), _bytes_at(builder, source), size, 1)
            return context.get_dummy_value()

        return types.void(types.uint64, g, types.int64), generate

    return intrinsic(keep)


def _same_record(_: Any, scratch: Any, g: Any, with_log: Any) -> Any:
    """Tell whether a record equals its copy from before the call, except for the field that may be written."""
    first = g.offset(MAY_BE_WRITTEN)
    behind = min(g.offset(name) for name in g.fields if g.offset(name) > first)

    def generate(context: Any, builder: Any, _: Any, arguments: Any) -> Any:
        parts = ((0, ir.Constant(NUMBER, first)), (behind, _size(builder, g, behind, arguments[2])))
        found = [
            _differences(builder, _bytes_at(builder, scratch, BEFORE + start), _bytes_at(builder, record, start), size)
            for scratch, record in [arguments[:2]]
            for start, size in parts
        ]
        return builder.icmp_signed("==", builder.or_(*found), ir.Constant(ir.IntType(32), 0))

    return types.boolean(types.uint64, g, types.int64), generate


def _same_tables(_: Any, scratch: Any, t: Any) -> Any:
    """Tell whether the tables `t` still equal the originals, whose address is in the scratch memory."""

    def generate(context: Any, builder: Any, _: Any, arguments: Any) -> Any:
        address = builder.load(builder.bitcast(_bytes_at(builder, arguments[0]), NUMBER.as_pointer()))
        one, other = _bytes_at(builder, address), _bytes_at(builder, arguments[1])
        found = _differences(builder, one, other, ir.Constant(NUMBER, t.size))
        return builder.icmp_signed("==", found, ir.Constant(ir.IntType(32), 0))

    return types.boolean(types.uint64, t), generate


keep_before: Any = _keeping(lambda _: BEFORE)
keep_after: Any = _keeping(lambda g: BEFORE + int(g.size))
same_record: Any = intrinsic(_same_record)
same_tables: Any = intrinsic(_same_tables)


# ---- Scores ----


@kernel
def checked_score(g: Record, t: Record, me: int, decision: int, option: int, w: Record) -> float:
    """Score an option with the strategy's function, at `w.own_score`.

    If it changes the record or the tables, stop the game.

    The tables are compared once per decision, because nothing else reads them between two options of a decision.
    """
    if g.error in (STRATEGY_WROTE, STRATEGY_WROTE_TABLES):
        return 0.0
    kept = g.log.keeps_rows + 2 * g.log.keeps_pieces
    which = g.strategy[me]
    is_last = option == g.option_count - 1
    keep_before(w.scratch, g, kept)
    value: float = score_at(w.own_score, g, t, me, decision, option, w)
    if g.log.keeps_rows + 2 * g.log.keeps_pieces != kept or not same_record(w.scratch, g, kept):
        keep_after(w.scratch, g, 1)
        g.error = STRATEGY_WROTE
        g.error_strategy = which
    elif is_last and not same_tables(w.scratch, t):
        g.error = STRATEGY_WROTE_TABLES
        g.error_strategy = which
    return value


class Check:
    """The kernel arguments for a stretch of games in a checked run.

    Parameters
    ----------
    state
        Dtype of the game's record.
    players
        The players, as kernel arguments.

    Attributes
    ----------
    tables, players
        The kernel arguments to use instead: a copy of the tables, and the players with checked scoring functions.
    """

    def __init__(
        self, state: np.dtype[Any], tables: Record, players: tuple[Any, Record], strategies: Sequence[Strategy]
    ) -> None:
        scores, lineup = players
        self._strategies = strategies
        self._own_tables = tables
        copies = np.array([tables], tables.dtype)
        self.tables: Record = copies[0]
        self._own_lineup = lineup
        lineups = np.array([lineup], LINEUP)
        lineups["seats"][0]["score_all"] = 0  # `score_all` would write into the game, which strategies must not do
        self._scratch = np.zeros(1, scratch_dtype(state))
        self._scratch["tables"] = tables.__array_interface__["data"][0]
        if compiled():
            seats = lineups["seats"][0]
            seats["own_score"][: len(scores)] = scores
            seats["scratch"] = self._scratch.ctypes.data
            scores = strategy_slots([strategy_pointer(checked_score, state, tables.dtype)] * len(scores))
        else:
            scores = tuple(self._checked(score) for score in scores)
        self._lineups = lineups
        self.players = (scores, lineups[0])

    def _checked(self, score: Any) -> Any:
        """Return an uncompiled function that scores with `score`, and checks the call as `checked_score` does."""

        def checked(g: Record, t: Record, me: int, decision: int, option: int, w: Record) -> float:
            if g.error in (STRATEGY_WROTE, STRATEGY_WROTE_TABLES):
                return 0.0
            scratch, which = self._scratch[0], int(g.strategy[me])
            scratch.before = g
            value = float(score(g, t, me, decision, option, w))
            scratch.after = g
            if self._field_written() is not None:
                g.error, g.error_strategy = STRATEGY_WROTE, which
            elif t.tobytes() != self._own_tables.tobytes():
                g.error, g.error_strategy = STRATEGY_WROTE_TABLES, which
            return value

        return checked

    def _field_written(self) -> str | None:
        """Describe the first field that a scoring call changed, with old and new value; None if it changed none."""
        scratch = self._scratch[0]
        return _difference(scratch.before, scratch.after, "g")

    def raise_if_written(self, g: Record) -> None:
        """If a strategy wrote into the game, raise a UserError that names the strategy and the field."""
        if g.error == STRATEGY_WROTE:
            raise self._error(int(g.error_strategy), self._field_written())
        if g.error == STRATEGY_WROTE_TABLES:
            raise self._error(int(g.error_strategy), _difference(self._own_tables, self.tables, "t"))
        for number in range(len(self._strategies)):
            for field in ("weight", "prepared", "temperature"):
                own, now = self._own_lineup.seats[number][field], self._lineups["seats"][0][number][field]
                if own.tobytes() != now.tobytes():
                    raise self._error(number, _change(own, now, f"w.{field}"))

    def _error(self, number: int, written: str | None) -> UserError:
        strategy = self._strategies[number]
        return UserError(
            f"strategy {strategy.name} writes into the game: {written}",
            file=Path(strategy.source) if strategy.source else None,
            field="score",
            allowed=f"to read, and to write g.{MAY_BE_WRITTEN} only",
        )


def _difference(before: Record, after: Record, name: str) -> str | None:
    """Describe the first field in which two records differ, with both values; None if they do not differ."""
    for field in before.dtype.names:
        if field != MAY_BE_WRITTEN and before[field].tobytes() != after[field].tobytes():
            if before[field].dtype.names:
                return _difference(before[field], after[field], f"{name}.{field}")
            return _change(before[field], after[field], f"{name}.{field}")
    return None


def _change(before: Any, after: Any, name: str) -> str:
    """Describe the first place in which two arrays or numbers differ, with both values."""
    one, other = np.asarray(before), np.asarray(after)
    if not one.shape:
        return f"{name} from {one} to {other}"
    place = tuple(int(number) for number in np.argwhere(one != other)[0])
    return f"{name}[{', '.join(map(str, place))}] from {one[place]} to {other[place]}"
