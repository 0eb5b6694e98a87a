"""Sensitivity of the edges of a table to the players: each strategy is left out in turn.

References
----------
Tukey, J. W. (1958). Bias and confidence in not quite large samples (abstract). Annals of Mathematical Statistics 29,
614 (each part left out in turn).
Berger, R. L. (1982). Multiparameter hypothesis testing and acceptance sampling. Technometrics 24, 295-300 (what must
hold in every case is tested in each at the full level).
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import polars as pl
from numpy.typing import NDArray

from reports.statistics.compare.robustness import centred_error, condition_means
from reports.statistics.core.shrinkage import steady_error
from reports.statistics.core.win_rate import Floats, family_probability, known, t_quantile

NUMBERS = (
    "kept_edge", "kept_low", "kept_high",
    "without_low", "without_high", "without_low_limit", "without_high_limit", "without_low_upper", "without_high_lower",
)  # fmt: skip
NAMES = ("without_low_player", "without_high_player")


def with_players_left_out(
    frame: pl.DataFrame, cells: pl.DataFrame | None, strategies: pl.DataFrame, hopeless: Sequence[str], tests: float
) -> pl.DataFrame:
    """Add to each row of a table its edge without hopeless players, and its range if each other player is left out.

    Leaving out a strategy drops the seat-games of the row that it played. The others remain, at the same tables, and
    each is compared with the average of its own player: edge = sum_s g_s (x_s - m_s) / sum_s g_s over the remaining
    strategies s, with g_s and x_s the seat-games and win rate of the row under s, and m_s the win rate of s. The
    strategy still sits at the tables as an opponent.

    Parameters
    ----------
    frame
        Rows of a table of win rates, with `level`, `blocks` and `error`.
    cells
        Its crossing with the strategies: `level`, `strategy`, `games`, `blocks`, `edge`, `error`; None if there is
        none.
    strategies
        Win rates by strategy: `level` and `error`.
    hopeless
        Strategies that are always left out.
    tests
        Size of the family of tests, as for the plain limits.

    Returns
    -------
    The frame with `kept_edge`, `kept_low`, `kept_high`: the edge over all strategies that are not hopeless, with limits
    that hold for all rows at once; `without_low` and `without_high`, the lowest and the highest edge with one of them
    left out, and the strategies `without_low_player` and `without_high_player` whose leaving makes it (empty if one
    alone has hope); `without_low_limit` and `without_high_limit`, the lowest lower and the highest upper limit of all
    these: a claim for every omission must hold in between (Berger 1982); and `without_low_upper` and
    `without_high_lower`, the other limits of the lowest and the highest edge: it goes beyond them. All null without
    `cells`.
    """
    empty = [pl.lit(None, pl.Float64).alias(name) for name in NUMBERS]
    empty += [pl.lit(None, pl.String).alias(name) for name in NAMES]
    if cells is None:
        return frame.with_columns(empty)
    levels = frame["level"].to_list()
    names = [name for name in strategies["level"].to_list() if name not in hopeless]
    games, edge, error, _ = grids(cells, strategies, levels, names)
    parts = [list(range(len(names)))]
    parts += [[other for other in parts[0] if other != one] for one in parts[0]] if len(names) > 1 else []
    t = t_quantile(frame["blocks"].cast(pl.Float64).to_numpy(), family_probability(tests))
    wider = shared_luck(frame, *grids(cells, strategies, levels, strategies["level"].to_list()))
    found, low, high = (np.empty((len(parts), len(levels))) for _ in range(3))
    for place, part in enumerate(parts):
        found[place], spread = mean_over(games[:, part], edge[:, part], error[:, part])
        with np.errstate(invalid="ignore"):  # what came to the table in one block has no limits
            low[place], high[place] = found[place] - t * wider * spread, found[place] + t * wider * spread
    one_less, upper, lower = (ends[1:] if len(parts) > 1 else ends for ends in (found, high, low))
    ends = {"without_low": one_less.argmin(axis=0), "without_high": one_less.argmax(axis=0)}
    values = {
        "kept_edge": found[0], "kept_low": low[0], "kept_high": high[0],
        **{name: np.take_along_axis(one_less, place[None], axis=0)[0] for name, place in ends.items()},
        "without_low_limit": low.min(axis=0), "without_high_limit": high.max(axis=0),
        "without_low_upper": np.take_along_axis(upper, ends["without_low"][None], axis=0)[0],
        "without_high_lower": np.take_along_axis(lower, ends["without_high"][None], axis=0)[0],
    }  # fmt: skip
    who = [*names] if len(parts) > 1 else [""]
    players = [pl.Series(f"{name}_player", [who[i] for i in place], dtype=pl.String) for name, place in ends.items()]
    return frame.with_columns(*known(values), *players)


def grids(
    cells: pl.DataFrame, strategies: pl.DataFrame, levels: list[str], names: list[str]
) -> tuple[Floats, Floats, Floats, Floats]:
    """Return seat-games, edge against the strategy's mean, its error, and blocks; shapes (levels, strategies)."""
    facts = ("games", "blocks", "edge", "error")
    games, blocks, edge, own = (cells[name].cast(pl.Float64).fill_null(0.0).to_numpy() for name in facts)
    joined = cells.join(
        strategies.select(pl.col("level").alias("strategy"), pl.col("error").alias("total")), on="strategy",
        how="left", maintain_order="left",
    )  # fmt: skip
    total = joined["total"].cast(pl.Float64).fill_null(0.0).to_numpy()
    condition = cells["strategy"].rank("dense").to_numpy().astype(np.int64) - 1
    error = centred_error(steady_error(own, blocks, games, games**2 / blocks), games, condition, total)
    edge = edge - condition_means(edge, games, condition)
    row: NDArray[np.int64] = cells["level"].replace_strict(levels, range(len(levels)), default=-1).to_numpy()
    column = cells["strategy"].replace_strict(names, range(len(names)), default=-1).to_numpy()
    inside = (row >= 0) & (column >= 0)
    found = []
    for values in (games, edge, error, blocks):
        grid = np.zeros((len(levels), len(names)))
        grid[row[inside], column[inside]] = values[inside]
        found.append(grid)
    return found[0], found[1], found[2], found[3]


def shared_luck(frame: pl.DataFrame, games: Floats, edge: Floats, error: Floats, blocks: Floats) -> Floats:
    """Return the factor by which the errors of rows grow because their cells share blocks; shape (levels,), at least 1.

    A faction has one strategy per block, but a seat has all strategies in turn, with the same deal. The error of the
    whole row shows their common luck. The other arguments are those of all strategies, from `grids`.
    """
    whole = frame["error"].cast(pl.Float64).fill_null(np.nan).to_numpy()
    with np.errstate(divide="ignore", invalid="ignore"):
        ratio = whole / mean_over(games, edge, error)[1]
    shared = blocks.sum(axis=1) > frame["blocks"].to_numpy()
    return np.where(shared & (ratio > 1), ratio, 1.0)


def mean_over(games: Floats, edge: Floats, error: Floats) -> tuple[Floats, Floats]:
    """Return the mean edge of each row over strategies, weighted by seat-games, and its standard error; NaN if none.

    Edges under different strategies rest on different games; `shared_luck` corrects for blocks that they share.
    """
    total = games.sum(axis=1)
    with np.errstate(divide="ignore", invalid="ignore"):
        weight = games / total[:, None]
    return (weight * edge).sum(axis=1), np.sqrt((weight**2 * error**2).sum(axis=1))
