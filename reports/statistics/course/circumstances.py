"""Effects of circumstances that all seats of a game share, such as the direction of play, on each level."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray
from scipy import stats

from reports.data.games import whole_blocks
from reports.data.load import Run
from reports.statistics.core.groupings import PLAYERS_IN_ORDER, START, has_starting_places
from reports.statistics.core.win_rate import ALPHA, Floats, holm, t_quantile

SCORE_PREFIX = "score_"
"""Prefix of columns on points above the table's mean; those on wins have none."""


@dataclass(frozen=True)
class SlopeSums:
    """Sufficient statistics of a level for least squares of y / n on x with weights n, with errors by block.

    Attributes
    ----------
    x, n, y
        Values of x, ascending, and the sums of n and y at each.
    products
        Sums over blocks of the products of a block's sums of xy, y, xn, n and xxn, shape (5, 5).
    blocks
        Number of blocks.
    """

    x: Floats
    n: Floats
    y: Floats
    products: Floats
    blocks: int

    def __add__(self, other: SlopeSums) -> SlopeSums:
        """Add the sums of rows of other blocks."""
        x, place = np.unique(np.concatenate([self.x, other.x]), return_inverse=True)
        n, y = (sums_by_place(place, np.concatenate(pair)) for pair in ((self.n, other.n), (self.y, other.y)))
        return SlopeSums(x, n, y, self.products + other.products, self.blocks + other.blocks)


def slope_sums(x: Floats, y: Floats, n: Floats, blocks: NDArray[Any]) -> SlopeSums:
    """Sum rows of whole blocks, in any order."""
    values, place = np.unique(x, return_inverse=True)
    _, block = np.unique(blocks, return_inverse=True)
    parts = np.stack([sums_by_place(block, weights) for weights in (x * y, y, x * n, n, x * x * n)], axis=1)
    return SlopeSums(values, sums_by_place(place, n), sums_by_place(place, y), parts.T @ parts, len(parts))


def sums_by_place(place: NDArray[np.int64], weights: Floats) -> Floats:
    """Sum weights by place."""
    return np.bincount(place, weights).astype(np.float64, copy=False)


def circumstance_tables(run: Run, measure: str) -> Iterator[tuple[str, pl.DataFrame]]:
    """Yield noun and table of factions, and of starting places, by a measure that all seats of a game share.

    Columns are those of `change_of_level`; `p_holm` is corrected within a table. Games of one player are excluded, and
    there is no table if the measure does not vary.
    """
    manifest = run.manifest
    keys = [(manifest.faction_title, "faction")] if manifest.factions else []
    seats = run.seats
    if has_starting_places(manifest):
        seats = seats.with_columns(pl.col(manifest.starting_place).alias(START))
        keys.append((START, START))
    for noun, key in keys:
        sums = level_sums(seats, key, measure)
        if len({x for of_level in sums.values() for x in of_level["wins"].x}) > 1:
            names = {level: PLAYERS_IN_ORDER[level - 1] if key == START else str(level) for level in sums}
            rows = [{"level": names[level]} | change_of_level(sums[level]) for level in sums]
            frame = pl.DataFrame(rows, infer_schema_length=None)
            corrected = {name: holm(frame[name].to_numpy()) for name in ("p", f"{SCORE_PREFIX}p")}
            yield (
                noun,
                frame.with_columns(
                    pl.Series(f"{name}_holm", values).fill_nan(None) for name, values in corrected.items()
                ).with_columns(pl.col(pl.Float64).fill_nan(None)),
            )


def level_sums(seats: pl.LazyFrame, key: str, measure: str) -> dict[Any, dict[str, SlopeSums]]:
    """Return the sums of `wins` and `score` of each level, in order."""
    chosen = seats.select("block", "players", "win", "score", key, pl.col(measure).cast(pl.Float64).alias("x"))
    dtype = chosen.collect_schema()[key]
    found: dict[Any, dict[str, SlopeSums]] = {}
    for frame in whole_blocks(chosen):
        for (level,), part in sum_seats_by_block(frame.filter(pl.col("players") > 1), key).group_by([key]):
            x, n, block = (part[name].to_numpy() for name in ("x", "n", "block"))
            fresh = {name: slope_sums(x, part[name].to_numpy(), n, block) for name in ("wins", "score")}
            before = found.get(level)
            found[level] = fresh if before is None else {name: before[name] + fresh[name] for name in fresh}
    return {level: found[level] for level in pl.Series(list(found), dtype=dtype).sort()}


def sum_seats_by_block(seats: pl.DataFrame, key: str) -> pl.DataFrame:
    """Sum the seats of each block at each value of a measure by group: `block`, `x`, the key, `n`, `wins`, `score`.

    `wins` are above the fair share, `score` above the mean of all seats of the block's games at that value.
    """
    sums = seats.group_by("block", "x", key, maintain_order=True).agg(
        pl.len().cast(pl.Float64).alias("n"),
        (pl.col("win").cast(pl.Float64) - 1.0 / pl.col("players")).sum().alias("wins"),
        pl.col("score").cast(pl.Float64).sum(),
    )
    of_all = pl.col("score").sum().over("block", "x") / pl.col("n").sum().over("block", "x")
    return sums.with_columns(score=pl.col("score") - pl.col("n") * of_all).sort("block", "x", key)


def change_of_level(sums: Mapping[str, SlopeSums]) -> dict[str, Any]:
    """Return how the wins and points of a level change with the measure.

    Parameters
    ----------
    sums
        Of `wins` and of `score`, from `level_sums`.

    Returns
    -------
    `games` (seat-games), and of wins above the fair share (fractions) and, with `SCORE_PREFIX`, points above the
    table's mean: `below` and `above`, the means in games with less and more of the measure than on average; `change`,
    what one more of it brings, by least squares; its 95 % limits `low` and `high`, and `p`. Errors come from blocks.
    """
    x, n = sums["wins"].x, sums["wins"].n
    found: dict[str, Any] = {"games": int(n.sum())}
    more = x > (x * n).sum() / n.sum()
    for name, prefix in (("wins", ""), ("score", SCORE_PREFIX)):
        y = sums[name].y
        means = [float(y[part].sum() / n[part].sum()) if part.any() else np.nan for part in (~more, more)]
        change, error, count = clustered_slope(sums[name])
        reach = float(t_quantile(np.array(count), 1 - ALPHA / 2)) * error
        p = 2 * stats.t.sf(abs(change / error), count - 1) if error > 0 else np.nan
        values = {"below": means[0], "above": means[1], "change": change, "low": change - reach, "high": change + reach}
        found |= {f"{prefix}{column}": value for column, value in values.items()} | {f"{prefix}p": float(p)}
    return found


def clustered_slope(sums: SlopeSums) -> tuple[float, float, float]:
    """Least squares of y / n on x with weights n: the slope, its error clustered by block, and the number of blocks.

    The sandwich of Liang and Zeger (1986): residuals y - n (m + b (x - c)) times the distance from the mean, x - c,
    summed within each block. That sum is linear in the block's sums of xy, y, xn, n and xxn.
    """
    x, n, y, count = sums.x, sums.n, sums.y, float(sums.blocks)
    centre, mean = (x * n).sum() / n.sum(), y.sum() / n.sum()
    away = x - centre
    squares = float((away**2 * n).sum())
    if squares == 0 or count < 2:
        return np.nan, np.nan, count
    found = float((away * y).sum()) / squares
    within = np.array([1.0, -centre, 2 * found * centre - mean, centre * (mean - found * centre), -found])
    total = max(float(within @ sums.products @ within), 0.0)
    return found, float(np.sqrt(total * count / (count - 1))) / squares, count
