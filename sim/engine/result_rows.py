"""Rows of results: columns that every game has, and writing them."""

from __future__ import annotations

from typing import Any

from sim.compiler.kernel import Integers, Record, kernel

GAME, BLOCK, SEAT, FACTION, STRATEGY, SCORE, RANK, ROUNDS, END_REASON = range(9)
FIXED_COLUMNS = 9
"""Columns of a seat row that every game has; score parts and measures follow."""

TALLY_KEYS = 2
"""Columns of a row of a tally before its counts: game and row."""
PIECE_KEYS = 3
"""Columns of a piece row before the game's own: game, seat and piece."""


@kernel
def write_seat_row(g: Record, rows: Any, row: int, plan: Record, game: int, seat: int, parts: int) -> None:
    """Write the columns that every game has, and the score parts, of one seat of a finished game."""
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
def write_piece_row(piece_rows: Any, row: int, game: int, seat: int, piece: int, became: Integers) -> None:
    """Write what became of a piece before a seat: the entries of `became` that the game has columns for."""
    piece_rows[row, 0] = game
    piece_rows[row, 1] = seat
    piece_rows[row, 2] = piece
    for column in range(PIECE_KEYS, piece_rows.shape[1]):
        piece_rows[row, column] = became[column - PIECE_KEYS]


@kernel
def write_tally(counts: Any, place: int, found: Integers) -> None:
    """Write the counts of a game, of as many rows and columns as there is room for, at its place in a stretch."""
    for row in range(counts.shape[1]):
        for column in range(counts.shape[2]):
            counts[place, row, column] = found[row, column]
