"""Writes the results of a finished game: measures of each seat, and what became of its cards."""

from __future__ import annotations

from typing import Any

from sim.compiler.kernel import Integers, Record, kernel
from sim.engine.result_rows import write_piece_rows, write_tally
from sim.games.history_of_the_world.rules import constants
from sim.games.history_of_the_world.rules.log import OFFERED, TAKEN_EPOCH
from sim.games.history_of_the_world.rules.tables import MAX_EPOCHS

CHECKPOINTS = tuple(f"after_epoch_{epoch + 1}" for epoch in range(MAX_EPOCHS - 1))
"""Columns with the points at the end of each epoch but the last."""
MEASURES = (
    *CHECKPOINTS, "conquests", "rolls_won", "rolls_tied", "rolls_lost", "sieges", "forts_built", "monuments_built",
    "structures_destroyed", "armies_lost",
)  # fmt: skip
"""Columns of the measures of each seat."""
LAND_COLUMNS = tuple(f"{what}_{epoch + 1}" for what in constants.COUNTED_OF_LANDS for epoch in range(MAX_EPOCHS))
"""Columns of the counts of each land, in the order of `g.log.lands`."""
PICK_ROWS = 160
"""Maximum number of cards that are recorded for a seat in one game."""
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
"""Columns of a card row, in the order of `log.OFFERED` and the columns after it."""


@kernel
def write_measures(g: Record, t: Record, measures: Integers, seat: int) -> None:
    """Write the `MEASURES` of a seat."""
    for epoch in range(MAX_EPOCHS - 1):
        measures[epoch] = g.score_after[seat, min(epoch, t.epochs - 1)]
    counts = measures[MAX_EPOCHS - 1 :]
    counts[0] = g.conquests[seat]
    for result in range(3):
        counts[1 + result] = g.battles[seat, result]
    counts[4] = g.sieges[seat]
    counts[5] = g.forts_built[seat]
    counts[6] = g.monuments_built[seat]
    counts[7] = g.destroyed[seat]
    counts[8] = g.armies_lost[seat]


@kernel
def write_pieces(g: Record, t: Record, piece_rows: Any, at: int, game: int, seat: int) -> int:
    """Write a row for every card that a seat was offered or took; return the index of the next free row."""
    return write_piece_rows(g, piece_rows, at, game, seat, t.cards, OFFERED, TAKEN_EPOCH, PICK_ROWS)


@kernel
def write_tallies(g: Record, tallies: Any, place: int) -> None:
    """Write the counts of lands and rolls."""
    lands, rolls = tallies
    write_tally(lands, place, g.log.lands)
    write_tally(rolls, place, g.log.rolls)
