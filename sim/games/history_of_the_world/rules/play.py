"""Plays a stretch of a plan and writes down its results, one row for each seat."""

from __future__ import annotations

from typing import Any

from sim.compiler.kernel import Record, kernel
from sim.engine.result_rows import FIXED_COLUMNS, write_piece_row, write_seat_row, write_tally
from sim.engine.seating import seat_players
from sim.engine.state import PIECE_ROWS_FULL
from sim.games.history_of_the_world.rules import constants
from sim.games.history_of_the_world.rules.log import OFFERED, TAKEN_EPOCH
from sim.games.history_of_the_world.rules.setup import set_up
from sim.games.history_of_the_world.rules.tables import MAX_EPOCHS
from sim.games.history_of_the_world.rules.turns import play_on

PARTS = len(constants.SCORE_PARTS)
CHECKPOINTS = tuple(f"after_epoch_{epoch + 1}" for epoch in range(MAX_EPOCHS - 1))
"""Points as each epoch ends; after the last one they stay."""
MEASURES = (
    *CHECKPOINTS, "conquests", "rolls_won", "rolls_tied", "rolls_lost", "sieges", "forts_built", "monuments_built",
    "structures_destroyed", "armies_lost",
)  # fmt: skip
"""Other numbers of a seat."""
LAND_COLUMNS = tuple(f"{what}_{epoch + 1}" for what in constants.COUNTED_OF_LANDS for epoch in range(MAX_EPOCHS))
"""Columns of what is counted of each land, in the order of `g.log.lands`."""
PICK_ROWS = 160
"""Cards that can come before a seat in one game."""
PICK_COLUMNS = (
    ("offered", "uint8"),
    ("taken_epoch", "uint8"),
    ("turn_place", "uint8"),
    ("armies", "uint8"),
    ("conquests_tried", "uint8"),
    ("conquests_won", "uint8"),
    ("turn_points", "uint16"),
    ("region_points", "uint16"),
    ("structure_points", "uint16"),
    ("later_tenths", "uint16"),
    ("draft_place", "uint8"),
    ("played_epoch", "uint8"),
)
"""Columns of a pick's row, in the order of `log.OFFERED` and those behind it."""


@kernel
def start_game(g: Record, t: Record, plan: Record, game: int) -> None:
    """Set up game number `game` of a plan, with its players seated."""
    set_up(g, t, plan.seed, game, game // plan.block_games, plan.players, plan.variant)
    seat_players(g, plan, game % plan.block_games)


@kernel
def play_games(
    g: Record, t: Record, players: Any, plan: Record, first: int, count: int, rows: Any, piece_rows: Any,
    land_counts: Any, roll_counts: Any,
) -> int:  # fmt: skip
    """Play games first to first + count - 1 of a plan; return how many piece rows were written.

    `rows` is int32 of shape (count * players, columns): the fixed columns of `sim.engine.result_rows`, the score parts,
    and `MEASURES`. `piece_rows` is int32 of shape (any, 3 + columns of pieces); like `land_counts` and `roll_counts`,
    int32 of shape (count, rows, columns) of the tallies, it stays untouched unless the plan keeps pieces. Stops early
    with `g.error` set if something is wrong.
    """
    g.log.keeps_pieces = plan.keeps_pieces
    row = 0
    piece_row = 0
    for game in range(first, first + count):
        start_game(g, t, plan, game)
        play_on(g, t, players)
        if g.error != 0:
            break
        for seat in range(plan.players):
            write_seat_row(g, rows, row, plan, game, seat, PARTS)
            write_measures(g, t, rows, row, seat)
            row += 1
            if plan.keeps_pieces != 0:
                piece_row = write_pick_rows(g, t, piece_rows, piece_row, game, seat)
        if plan.keeps_pieces != 0:
            write_tally(land_counts, game - first, g.log.lands)
            write_tally(roll_counts, game - first, g.log.rolls)
        if g.error != 0:
            break
    return piece_row


@kernel
def write_measures(g: Record, t: Record, rows: Any, row: int, seat: int) -> None:
    """Write the other numbers of a seat."""
    column = FIXED_COLUMNS + PARTS
    for epoch in range(MAX_EPOCHS - 1):
        rows[row, column + epoch] = g.score_after[seat, min(epoch, t.epochs - 1)]
    column += MAX_EPOCHS - 1
    rows[row, column] = g.conquests[seat]
    for result in range(3):
        rows[row, column + 1 + result] = g.battles[seat, result]
    rows[row, column + 4] = g.sieges[seat]
    rows[row, column + 5] = g.forts_built[seat]
    rows[row, column + 6] = g.monuments_built[seat]
    rows[row, column + 7] = g.destroyed[seat]
    rows[row, column + 8] = g.armies_lost[seat]


@kernel
def write_pick_rows(g: Record, t: Record, piece_rows: Any, at: int, game: int, seat: int) -> int:
    """Write a row for every card that a seat was offered or took; return the next place."""
    first = at
    for card in range(t.cards):
        seen = g.log.pieces[seat, card]
        if seen[OFFERED] != 0 or seen[TAKEN_EPOCH] != 0:
            if at == first + PICK_ROWS:
                g.error = PIECE_ROWS_FULL
                return at
            write_piece_row(piece_rows, at, game, seat, card, seen)
            at += 1
    return at
