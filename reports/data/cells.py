"""Sums a run by seat, faction, strategy, number of players and variant."""

from __future__ import annotations

import numpy as np
import polars as pl

from reports.data.games import UNIT, GameArrays, GameSums, KeyedSums, gather, possible_levels
from reports.data.load import Run, level_columns, player_counts
from reports.formatting import counted
from sim.errors import UserError


class CellSums(GameSums):
    """Sums over the games of a run by cell: seat-games, wins, score parts and measures.

    A cell is a combination of seat, faction, strategy, number of players and variant. `levels` has the possible levels
    of each of these columns. `cells` has the sums: `games`, `units won` (a win is `UNIT` units), and each score part
    and measure.
    """

    def __init__(self, run: Run) -> None:
        schema, manifest, self.folder = run.seats.collect_schema(), run.manifest, run.folder
        keys = ["seat", *level_columns(manifest), "players", *(["variant"] if "variant" in schema else [])]
        most = max(player_counts(manifest))
        self.levels = {name: possible_levels(schema[name], most).alias(name) for name in keys}
        self.parts = [*manifest.score_parts, *manifest.measures]
        self.more = [*dict.fromkeys([*self.parts, *(["variant"] if "variant" in keys else [])])]
        sizes = {name: len(levels) for name, levels in self.levels.items()}
        self.cells = KeyedSums(sizes, ["games", "units won", *self.parts])

    def add(self, games: GameArrays) -> None:
        """Add a batch of whole blocks."""
        keys = {name: games.more[name] if name == "variant" else getattr(games, name) for name in self.levels}
        for name, levels in self.levels.items():
            if not 0 <= keys[name].min() <= keys[name].max() < len(levels):
                message = "the rows name a seat or a number of players that the run does not have; play the run again"
                raise UserError(message, file=self.folder)
        wins = np.rint(games.win * UNIT)
        parts = {name: games.more[name] for name in self.parts}
        self.cells.add(keys, {"games": np.ones_like(wins), "units won": wins, **parts})


def count_cells(run: Run) -> pl.DataFrame:
    """Sum a run by seat, faction, strategy, number of players and variant.

    The columns are `seat`, `faction` (in a game with factions), `strategy`, `players`, `variant` (if the run records
    it), `games` (seat-games), and sums of each score part and measure. Raise UserError if the wins do not add up to the
    games.
    """
    found, games = gather(run, CellSums), run.manifest.games
    cells = found.cells.frame()
    units, alone = cells["units won"].to_numpy(), (cells["players"] == 1).to_numpy()
    wins, lost = units.sum() / UNIT, float(cells["games"].to_numpy()[alone].sum() - units[alone].sum() / UNIT)
    if not (abs(wins + lost - games) < 0.5 and lost > -0.5):
        raise UserError(
            f"the wins add up to {wins:g}, but the run has {counted(games, 'game')}; play it again", file=run.folder
        )
    sums = pl.col("games", *found.parts).cast(pl.Int64)
    return cells.select(*(levels.gather(cells[name]) for name, levels in found.levels.items()), sums)
