"""Sum a run by seat, faction, strategy, number of players and variant."""

from __future__ import annotations

from math import lcm, prod

import numpy as np
import polars as pl

from reports.data.games import GameArrays, GameSums, Integers, gather, names_of
from reports.data.load import Run, level_columns, player_counts
from reports.formatting import counted
from sim.compiler.kernel import kernel
from sim.errors import UserError

UNIT = lcm(*range(1, 13))
"""The integer that stands for one win."""


class CellSums(GameSums):
    """Seats, wins, and score parts and measures of every cell.

    Attributes
    ----------
    levels
        The levels of each column that makes up cells.
    sums
        Seats, wins as whole numbers and each of `more`, by cell.
    """

    def __init__(self, run: Run) -> None:
        schema, manifest, self.folder = run.seats.collect_schema(), run.manifest, run.folder
        keys = ["seat", *level_columns(manifest), "players", *(["variant"] if "variant" in schema else [])]
        self.levels = {name: level_series(run, name, schema) for name in keys}
        self.parts = [*manifest.score_parts, *manifest.measures]
        self.more = [*dict.fromkeys([*self.parts, *(["variant"] if "variant" in keys else [])])]
        self.shape = tuple(map(len, self.levels.values()))
        self.sums = np.zeros((2 + len(self.parts), prod(self.shape)), np.int64)

    def add(self, games: GameArrays) -> None:
        """Add a batch of whole blocks."""
        keys = [games.more["variant"] if name == "variant" else getattr(games, name) for name in self.levels]
        try:
            cell = np.ravel_multi_index(keys, self.shape)
        except ValueError as error:
            message = "the rows name a seat or a number of players that the run does not have; play the run again"
            raise UserError(message, file=self.folder) from error
        add_by_cell(cell, np.ones_like(cell), self.sums[0])
        add_by_cell(cell, np.rint(games.win * UNIT).astype(np.int64), self.sums[1])
        for name, sums in zip(self.parts, self.sums[2:], strict=True):
            add_by_cell(cell, games.more[name], sums)


@kernel
def add_by_cell(cell: Integers, values: Integers, sums: Integers) -> None:
    """Add the values of all rows to the sums of their cells."""
    for row in range(len(cell)):
        sums[cell[row]] += values[row]


def level_series(run: Run, name: str, schema: pl.Schema, column: str = "") -> pl.Series:
    """Return the possible levels of a column, of the type of `column` of the seats, or of its own.

    Numbers of players, seats and starting places are numbers up to the most players of a game.
    """
    dtype = schema[column or name]
    if isinstance(dtype, pl.Enum):
        return names_of(dtype).alias(name)
    return pl.Series(name, range(1 + max(player_counts(run.manifest))), dtype=dtype)


def count_cells(run: Run) -> pl.DataFrame:
    """Sum a run by seat, faction, strategy, number of players and variant, and check that its wins add up.

    Returns
    -------
    `seat`, `faction` (in a game that has any), `strategy`, `players`, `variant` (where the seats name it), `games`
    (seat-games), and sums of each score part and measure.
    """
    found, games = gather(run, CellSums), run.manifest.games
    seats, units, *parts = found.sums
    there = np.flatnonzero(seats)
    places = zip(found.levels.values(), np.unravel_index(there, found.shape), strict=True)
    cells = pl.DataFrame([
        *(levels.gather(place) for levels, place in places), pl.Series("games", seats[there]),
        *(pl.Series(name, sums[there]) for name, sums in zip(found.parts, parts, strict=True)),
    ])  # fmt: skip
    alone = (cells["players"] == 1).to_numpy()
    wins, lost = units.sum() / UNIT, float(seats[there][alone].sum() - units[there][alone].sum() / UNIT)
    if not (abs(wins + lost - games) < 0.5 and lost > -0.5):
        raise UserError(
            f"the wins add up to {wins:g}, but the run has {counted(games, 'game')}; play it again", file=run.folder
        )
    return cells
