"""What befalls all seats of a game alike, such as the directions in which it is played, and who gains by it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import polars as pl
from scipy import stats

from reports.data.load import Run
from reports.statistics.groupings import START, starts
from reports.statistics.winshare import ALPHA, Floats, holm, t_quantile

OF_SCORE = "score_"
"""Prefix of the columns on points above the mean of the table; those on wins have none."""


def circumstance_tables(run: Run, measure: str) -> Iterator[tuple[str, pl.DataFrame]]:
    """Yield noun and table of factions, and of starting places, by a measure that is the same for all seats of a game.

    Games of one player count for nothing. Columns are those of `change_of_level`; `p_holm` is corrected within a table.
    Nothing where the measure is the same in all games.
    """
    manifest = run.manifest
    keys = [(manifest["faction_title"], "faction")] if manifest["factions"] else []
    seats = run.seats.filter(pl.col("players") > 1)
    if starts(manifest):
        seats = seats.with_columns(pl.col(manifest["starting_place"]).alias(START))
        keys.append((START, START))
    for noun, key in keys:
        sums = block_sums(seats, key, measure)
        if sums["x"].n_unique() > 1:
            rows = [
                {"level": str(level)} | change_of_level(part)
                for (level,), part in sums.sort(key).group_by([key], maintain_order=True)
            ]
            frame = pl.DataFrame(rows, infer_schema_length=None)
            corrected = {name: holm(frame[name].to_numpy()) for name in ("p", f"{OF_SCORE}p")}
            yield (
                noun,
                frame.with_columns(
                    pl.Series(f"{name}_holm", values).fill_nan(None) for name, values in corrected.items()
                ).with_columns(pl.col(pl.Float64).fill_nan(None)),
            )


def block_sums(seats: pl.LazyFrame, key: str, measure: str) -> pl.DataFrame:
    """Sum the seats of each block at each value of a measure by group: `block`, `x`, the key, `n`, `wins`, `score`.

    `wins` are those above the fair share, `score` the points above the mean of all seats of the block's games at that
    value: its deals are played by the same players from every seat.
    """
    value = pl.col(measure).cast(pl.Float64).alias("x")
    sums = (
        seats.with_columns(value)
        .group_by("block", "x", key)
        .agg(
            pl.len().cast(pl.Float64).alias("n"),
            (pl.col("win").cast(pl.Float64) - 1.0 / pl.col("players")).sum().alias("wins"),
            pl.col("score").cast(pl.Float64).sum(),
        )
        .collect(engine="streaming")
    )
    of_all = pl.col("score").sum().over("block", "x") / pl.col("n").sum().over("block", "x")
    return sums.with_columns(score=pl.col("score") - pl.col("n") * of_all).sort("block", "x", key)


def change_of_level(sums: pl.DataFrame) -> dict[str, Any]:
    """How the wins and points of a level change with the measure.

    Returns
    -------
    `games` (seat-games), and of wins above the fair share (fractions) and, with `OF_SCORE`, points above the table's
    mean: `below` and `above`, the means in games with less and more of the measure than on average; `change`, what one
    more of it brings, by least squares; its 95 % limits `low` and `high`, and `p`. Errors come from blocks.
    """
    x, n = sums["x"].to_numpy(), sums["n"].to_numpy()
    blocks = sums["block"].to_numpy()
    found: dict[str, Any] = {"games": int(n.sum())}
    more = x > (x * n).sum() / n.sum()
    for name, prefix in (("wins", ""), ("score", OF_SCORE)):
        y = sums[name].to_numpy()
        means = [float(y[part].sum() / n[part].sum()) if part.any() else np.nan for part in (~more, more)]
        change, error, count = slope(x, y, n, blocks)
        reach = float(t_quantile(np.array(count), 1 - ALPHA / 2)) * error
        p = 2 * stats.t.sf(abs(change / error), count - 1) if error > 0 else np.nan
        values = {"below": means[0], "above": means[1], "change": change, "low": change - reach, "high": change + reach}
        found |= {f"{prefix}{column}": value for column, value in values.items()} | {f"{prefix}p": float(p)}
    return found


def slope(x: Floats, y: Floats, n: Floats, blocks: Floats) -> tuple[float, float, float]:
    """Least squares of y / n on x with weights n: the slope, its error clustered by block, and the number of blocks.

    The sandwich of Liang and Zeger (1986): residuals times the distance from the mean, summed within each block.
    """
    away = x - (x * n).sum() / n.sum()
    squares = float((away**2 * n).sum())
    count = float(len(np.unique(blocks)))
    if squares == 0 or count < 2:
        return np.nan, np.nan, count
    found = float((away * y).sum()) / squares
    residuals = y - n * (y.sum() / n.sum() + found * away)
    _, place = np.unique(blocks, return_inverse=True)
    within = np.bincount(place, weights=away * residuals)
    return found, float(np.sqrt((within**2).sum() * count / (count - 1))) / squares, count
