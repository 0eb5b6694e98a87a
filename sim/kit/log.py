"""Rows of the log of a game that is to be told."""

from __future__ import annotations

from sim.jit import Record, kernel

NO_ROW = -1


@kernel
def new_row(g: Record) -> int:
    """Begin a row of the log; return its place, NO_ROW if the game keeps no rows or the log is full."""
    row = g.log.row_count
    if g.log.keeps_rows == 0 or row == g.log.rows.shape[0]:
        return NO_ROW
    g.log.row_count = row + 1
    return int(row)
