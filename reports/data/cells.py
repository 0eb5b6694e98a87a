"""Sum a run by seat, faction, strategy, number of players and variant, and check that its wins add up."""

from __future__ import annotations

from math import lcm

import polars as pl

from reports.data.load import Run, level_columns
from reports.formatting import counted
from sim.errors import UserError


def count_cells(run: Run) -> pl.DataFrame:
    """Sum a run by seat, faction, strategy, number of players and variant, and check that its wins add up.

    Returns
    -------
    `seat`, `faction` (in a game that has any), `strategy`, `players`, `variant` (where the seats name it), `games`
    (seat-games), and sums of each score part and measure.
    """
    keys = ["seat", *level_columns(run.manifest), "players"]
    keys += ["variant"] if "variant" in run.seats.collect_schema() else []
    sums = [*run.manifest.score_parts, *run.manifest.measures]
    checked = [*keys, "block", "win", "score", "rank", *sums]
    unit = lcm(*range(1, 13))
    cells = (
        run.seats.group_by(keys)
        .agg(
            pl.len().cast(pl.Int64).alias("games"),
            (pl.col("win").cast(pl.Float64) * unit).round().sum().alias("wins"),
            pl.sum_horizontal([pl.col(name).null_count() for name in checked]).alias("empty"),
            *(pl.col(name).cast(pl.Int64).sum() for name in sums),
        )
        .collect(engine="streaming")
        .sort(keys)
    )
    if cells["empty"].sum() > 0 or sum(cells.select(keys).null_count().row(0)) > 0:
        raise UserError("the rows have empty cells; play the run again", file=run.folder)
    wins, games = float(cells["wins"].sum()) / unit, run.manifest.games
    alone = cells.filter(pl.col("players") == 1)
    lost = float(alone["games"].sum()) - float(alone["wins"].sum()) / unit
    if not (abs(wins + lost - games) < 0.5 and lost > -0.5):
        raise UserError(
            f"the wins add up to {wins:g}, but the run has {counted(games, 'game')}; play it again", file=run.folder
        )
    return cells.drop("wins", "empty")
