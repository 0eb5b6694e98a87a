"""Writes the event log of a game that will be narrated."""

from __future__ import annotations

from sim.compiler.kernel import Record, kernel
from sim.engine.state import LOG_FULL

NO_ROW = -1


@kernel
def new_row(g: Record) -> int:
    """Begin a row of the log and return its index; NO_ROW if the game does not log. A full log stops the game."""
    row = g.log.row_count
    if g.log.keeps_rows == 0:
        return NO_ROW
    if row == g.log.rows.shape[0]:
        g.error = LOG_FULL
        return NO_ROW
    g.log.row_count = row + 1
    return int(row)


@kernel
def write_log_row(g: Record, kind: int, seat: int, first: int, second: int, third: int, fourth: int) -> None:
    """Write a row of six numbers to the log, if the game logs."""
    place = new_row(g)
    if place != NO_ROW:
        row = g.log.rows[place]
        row[0] = kind
        row[1] = seat
        row[2] = first
        row[3] = second
        row[4] = third
        row[5] = fourth
