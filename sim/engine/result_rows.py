"""Result rows: the columns that all games have, and kernels that write rows.

A piece is a card, empire or other thing that a seat is offered or takes (`sim.game.Pieces`). A tally is a table of
counts that belong to no seat (`sim.game.Tally`).
"""

from __future__ import annotations

from typing import Any

from sim.compiler.kernel import Integers, Record, kernel
from sim.engine.state import PIECE_ROWS_FULL

GAME, BLOCK, SEAT, FACTION, STRATEGY, SCORE, RANK, ROUNDS, END_REASON = range(9)
FIXED_COLUMNS = 9
"""Number of columns that the seat rows of every game begin with; score parts and measures follow."""

TALLY_KEYS = 2
"""Number of columns before the counts in a row of a tally: game and row."""
PIECE_KEYS = 3
"""Number of columns before the game's own columns in a piece row: game, seat and piece."""


@kernel
def write_seat_row(g: Record, rows: Any, row: int, plan: Record, game: int, seat: int) -> None:
    """Write the fixed columns and the score parts of one seat of a finished game."""
    parts = g.score.shape[1] - 1
    rows[row, GAME] = game
    rows[row, BLOCK] = game // plan.block_games
    rows[row, SEAT] = seat
    rows[row, FACTION] = g.faction[seat]
    rows[row, STRATEGY] = g.strategy[seat]
    rows[row, SCORE] = g.score[seat, parts]
    rows[row, RANK] = g.rank[seat]
    rows[row, ROUNDS] = g.rounds
    rows[row, END_REASON] = g.end_reason
    for part in range(parts):
        rows[row, FIXED_COLUMNS + part] = g.score[seat, part]


@kernel
def write_piece_rows(
    g: Record, piece_rows: Any, at: int, game: int, seat: int, pieces: int, offered: int, taken: int, most: int
) -> int:
    """Write a row for every piece that a seat was offered or took; return the index of the next free row.

    Parameters
    ----------
    at
        Index of the first row to write.
    pieces
        Number of pieces.
    offered, taken
        Two columns of `g.log.pieces`. The first is not 0 if the seat was offered the piece, the second is not 0 if the
        seat took it.
    most
        Maximum number of rows of this seat; if there are more, the game stops.
    """
    first = at
    for piece in range(pieces):
        became = g.log.pieces[seat, piece]
        if became[offered] != 0 or became[taken] != 0:
            if at == first + most:
                g.error = PIECE_ROWS_FULL
                return at
            write_piece_row(piece_rows, at, game, seat, piece, became)
            at += 1
    return at


@kernel
def write_piece_row(piece_rows: Any, row: int, game: int, seat: int, piece: int, became: Integers) -> None:
    """Write the row of a piece for a seat: game, seat, piece, then the entries of `became` (from `g.log.pieces`)."""
    piece_rows[row, 0] = game
    piece_rows[row, 1] = seat
    piece_rows[row, 2] = piece
    for column in range(PIECE_KEYS, piece_rows.shape[1]):
        piece_rows[row, column] = became[column - PIECE_KEYS]


@kernel
def write_tally(counts: Any, place: int, found: Integers) -> None:
    """Copy `found`, the counts of one game, to `counts[place]`. `counts` is the array of a tally for several games.

    Only as many rows and columns of `found` are copied as `counts[place]` has.
    """
    for row in range(counts.shape[1]):
        for column in range(counts.shape[2]):
            counts[place, row, column] = found[row, column]
