"""Edges of picks, split over blocks, so that two runs can be compared block by block.

The edge of a pick is that of `reports.statistics.pieces.picks`. The value of a block is this edge plus the number of
blocks times the block's influence on the edge (the infinitesimal jackknife: Jaeckel 1972; Efron 1982, ch. 6). The mean
of the values is the edge. The variance of that mean equals the variance that the report uses. For two runs on the same
deals, the values are subtracted block by block. `docs/statistics.md` lists the sources.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from reports.data.load import Run
from reports.data.piece_counts import Levels, Rows, read_levels, read_picks
from reports.model import Table
from reports.statistics.compare.changes import edges_of_both, independent
from reports.statistics.core.adjusted import (
    Adjustment,
    LeastSquares,
    add_term_products,
    against_their_mean,
    fewest_blocks,
    fit_terms,
    scores_of_blocks,
)
from reports.statistics.core.balance import spread_square
from reports.statistics.core.win_rate import ALPHA, Floats, known, two_sided_p
from reports.statistics.distributions import t_ppf
from reports.statistics.pieces.picks import INSEPARABLE, TOO_FEW, standing_of
from reports.statistics.pieces.piece_strength import MIN_BLOCKS

OUTCOME = ("surplus",)
SHARED_COLUMNS = ("error", "games", "note", "mean_score")
"""Columns of each run that a comparison needs and then drops."""


@dataclass(frozen=True)
class PickValues:
    """Values of the picks of one kind. Each pick belongs to the first period in which it was taken.

    Attributes
    ----------
    names, periods, games
        Name, period (from 1) and number of seat-games of each pick that was taken.
    edge
        Value of each block and pick; the mean over blocks is the pick's edge, a fraction. NaN in a block without picks
        of that period, and for a pick without an estimate.
    score
        The same for the mean score of the seats that took the pick.
    note
        Why a pick has no estimate; else empty.
    """

    names: tuple[str, ...]
    periods: tuple[int, ...]
    games: tuple[int, ...]
    edge: NDArray[np.float32]
    score: NDArray[np.float32]
    note: tuple[str, ...]

    def place(self, name: str) -> int | None:
        """Return the index of a pick; None if no seat took it."""
        return self.names.index(name) if name in self.names else None


def pick_values(run: Run, kind: str) -> PickValues:
    """Split the edges of the picks of a kind over blocks.

    Parameters
    ----------
    kind
        A kind of pick that the game declares in `picks`.
    """
    levels = read_levels(run)
    number = levels.kinds.index(kind)
    comparison = Adjustment(("group", levels.periods), ("piece", len(levels.pieces)), standing_of(levels))
    read = partial(of_kind, run, levels, number)
    gram = np.zeros((levels.periods, comparison.terms, comparison.terms))
    total = np.zeros((levels.periods, comparison.terms, 1))
    for rows in read():
        add_term_products(rows, comparison, OUTCOME, gram, total)
    count = np.diagonal(gram, axis1=1, axis2=2)[:, : len(levels.pieces)]
    taken = np.flatnonzero(count.any(axis=0))
    periods = (count[:, taken] > 0).argmax(axis=0)
    blocks = 1 + int(run.seats.select(pl.col("block").max()).collect().item() or 0)
    edge, score = np.full((2, blocks, len(taken)), np.nan, np.float32)  # smaller than float64, precise enough for means
    note = np.full(len(taken), TOO_FEW, dtype=object)
    for period in np.unique(periods):
        own = np.flatnonzero(periods == period)
        found = fit_terms(gram[period], total[period])
        edges, scores, notes = values_of_period(read, comparison, int(period), found, count[period], blocks)
        at = np.searchsorted(found.used[found.used < len(levels.pieces)], taken[own])
        edge[:, own], score[:, own], note[own] = edges[:, at], scores[:, at], notes[at]
    order = np.lexsort((taken, periods))
    return PickValues(
        tuple(levels.pieces[taken[place]] for place in order),
        tuple(int(periods[place]) + 1 for place in order),
        tuple(int(count[periods[place], taken[place]]) for place in order),
        edge[:, order],
        score[:, order],
        tuple(str(note[place]) for place in order),
    )


def of_kind(run: Run, levels: Levels, kind: int) -> Iterable[Rows]:
    """Yield the picks of a run. `group` is the period for picks of this kind, and -1 for other picks."""
    for rows in read_picks(run, levels):
        yield rows | {"group": np.where(rows["kind"] == kind, rows["period"], -1)}


def values_of_period(
    read: Callable[[], Iterable[Rows]], comparison: Adjustment, period: int, found: LeastSquares, count: Floats,
    blocks: int,
) -> tuple[Floats, Floats, np.ndarray]:  # fmt: skip
    """Return `edge`, `score` and `note`, as in `PickValues`, of the picks of one period, in one pass over the picks."""
    own, contrast, estimable = against_their_mean(found, count, comparison.levels[1])
    reach = (contrast @ found.inverse).T
    influence, held = np.zeros((blocks, len(own))), np.zeros((blocks, len(own)))
    scores, there = np.zeros((blocks, len(own))), np.zeros(blocks, bool)
    for rows in read():
        kept = rows["group"] == period
        if not kept.any():
            continue
        number, occurs, left = scores_of_blocks(rows, comparison, found, kept, 0, OUTCOME[0])
        influence[number], held[number], there[number] = left @ reach, occurs[:, own], True
        place = np.full(comparison.terms, -1)
        place[found.used] = np.arange(len(found.used))
        np.add.at(scores, (rows["block"][kept], place[rows["piece"][kept]]), rows["score"][kept])
    all_blocks = int(there.sum())
    enough = (held > 0).sum(axis=0) >= MIN_BLOCKS
    varies = (influence != 0).any(axis=0)
    judged = estimable & enough & varies & (all_blocks >= fewest_blocks(found.rank))
    note = np.where(judged, "", np.where(estimable, TOO_FEW, INSEPARABLE)).astype(object)
    effect = (contrast @ found.beta)[:, 0]
    # The variance of a mean over B blocks divides by B - 1, that of the report by B - rank. So widen the values.
    spread = np.sqrt((all_blocks - 1) / max(all_blocks - found.rank, 1))
    edge = np.where(judged, effect + all_blocks * spread * influence, np.nan)
    seats = held.sum(axis=0)
    mean = scores.sum(axis=0) / seats
    score = mean + all_blocks * (scores - mean * held) / seats
    edge[~there], score[~there] = np.nan, np.nan
    return edge, score, note


def edges_of_picks(values: PickValues, probability: float = 1 - ALPHA / 2) -> pl.DataFrame:
    """Return the edges of picks with intervals, equal to those in the report of their run.

    Parameters
    ----------
    probability
        Quantile probability of the limits for all rows together, from `win_rate.family_probability`.

    Returns
    -------
    One row per pick, in the order of `PickValues`: `level`, `period`, `games` and `blocks`; `edge` with `edge_low`,
    `edge_high`, the limits for all rows `family_low` and `family_high`, and `error`; `mean_score` with its limits; `p`
    and `note`.
    """
    edge, error, blocks = mean_and_error(values.edge)
    score, score_error, _ = mean_and_error(values.score)
    reach, score_reach = half_interval(error, blocks), half_interval(score_error, blocks)
    wide = half_interval(error, blocks, probability)
    columns = {
        "edge": edge, "edge_low": edge - reach, "edge_high": edge + reach, "family_low": edge - wide,
        "family_high": edge + wide, "error": error, "mean_score": score, "mean_score_low": score - score_reach,
        "mean_score_high": score + score_reach, "p": two_sided_p(edge, error, blocks),
    }  # fmt: skip
    return pl.DataFrame([
        pl.Series("level", values.names, dtype=pl.String), pl.Series("period", values.periods, dtype=pl.Int64),
        pl.Series("games", values.games, dtype=pl.Int64), pl.Series("blocks", blocks), *known(columns),
        pl.Series("note", values.note, dtype=pl.String),
    ])  # fmt: skip


def spread_of_picks(edges: pl.DataFrame) -> float | None:
    """Return the root mean square of the true edges, given `edges_of_picks`; None if fewer than two edges are known."""
    known = edges.drop_nulls(["edge", "error"])
    if known.height < 2:
        return None
    square, _, _ = spread_square(known["edge"].to_numpy(), known["error"].to_numpy())
    return float(np.sqrt(max(float(square), 0.0)))


def paired_picks(values_a: PickValues, values_b: PickValues, probability: float = 1 - ALPHA / 2) -> pl.DataFrame:
    """Return the changes of picks between two runs on the same deals, block by block.

    `probability` is as in `edges_of_picks`.

    Returns
    -------
    A row for every pick that occurs in either run: `level`, `edge_a` and `edge_b` with `_low` and `_high`, and those
    columns of `changes.Compared` that describe the change.
    """
    a, b = (Table("", "", edges_of_picks(values)) for values in (values_a, values_b))
    joined = edges_of_both(a, b)
    for table, arm in ((a, "a"), (b, "b")):
        own = table.frame.select("level", *(pl.col(name).alias(f"{name}_{arm}") for name in SHARED_COLUMNS))
        joined = joined.join(own, on="level", how="left")
    names = joined["level"].to_list()
    change, error, blocks = mean_and_error(value_differences(values_a, values_b, "edge", names))
    score_change, score_error, _ = mean_and_error(value_differences(values_a, values_b, "score", names))
    reach, score_reach = half_interval(error, blocks), half_interval(score_error, blocks)
    wide = half_interval(error, blocks, probability)
    own_a, own_b = (joined[f"error_{arm}"].cast(pl.Float64).fill_null(np.nan).to_numpy() for arm in "ab")
    with np.errstate(divide="ignore", invalid="ignore"):
        saving = np.where(error > 0, (own_a**2 + own_b**2) / error**2, np.nan)
    still = pl.Series("still", ["no win differs" if none else "" for none in error == 0], dtype=pl.String)
    columns = {
        "change": change, "low": change - reach, "high": change + reach, "family_low": change - wide,
        "family_high": change + wide, "error": error, "p": two_sided_p(change, error, blocks),
        "score_change": score_change, "score_low": score_change - score_reach,
        "score_high": score_change + score_reach, "saving": saving,
    }  # fmt: skip
    joined = joined.with_columns(
        *known(columns), pl.Series("blocks", blocks), note=note_of_either(still),
        games=pl.coalesce("games_b", "games_a"), score_a="mean_score_a", score_b="mean_score_b",
    )  # fmt: skip
    return joined.drop(f"{name}_{arm}" for name in SHARED_COLUMNS for arm in "ab")


def note_of_either(usual: pl.Series) -> pl.Expr:
    """Return the note on the change of a pick between two runs: why there is no estimate, or else `usual`."""
    return (
        pl.when(pl.col("games_b").is_null()).then(pl.lit("only in the first run"))
        .when(pl.col("games_a").is_null()).then(pl.lit("only in the second run"))
        .when(pl.col("note_a") != "").then(pl.col("note_a"))
        .when(pl.col("note_b") != "").then(pl.col("note_b"))
        .otherwise(pl.lit(usual))
    )  # fmt: skip


def independent_picks(values_a: PickValues, values_b: PickValues, probability: float = 1 - ALPHA / 2) -> pl.DataFrame:
    """Return the changes of picks between two runs without common deals, with the columns of `changes.independent`."""
    edges = [edges_of_picks(values) for values in (values_a, values_b)]
    first, second = (Table("", "", each) for each in edges)
    frame = independent(first, second, probability)
    seen = frame.select("level")
    for each, arm in zip(edges, "ab", strict=True):
        own = each.select("level", pl.col("games").alias(f"games_{arm}"), pl.col("note").alias(f"note_{arm}"))
        seen = seen.join(own, on="level", how="left", maintain_order="left")
    return frame.with_columns(note=seen.select(note=note_of_either(frame["note"]))["note"])


def value_differences(values_a: PickValues, values_b: PickValues, what: str, names: list[str]) -> Floats:
    """Return `edge` or `score` in run B minus that in run A, by block and pick; NaN if either run has no value."""
    of_a, of_b = getattr(values_a, what), getattr(values_b, what)
    blocks = min(len(of_a), len(of_b))
    found = np.full((blocks, len(names)), np.nan)
    for column, name in enumerate(names):
        place_a, place_b = values_a.place(name), values_b.place(name)
        if place_a is not None and place_b is not None:
            found[:, column] = of_b[:blocks, place_b] - of_a[:blocks, place_a]
    return found


def mean_and_error(values: NDArray[Any]) -> tuple[Floats, Floats, np.ndarray]:
    """Return for each column the mean over blocks, its standard error, and the number of blocks with a value."""
    mean, error = np.full((2, values.shape[1]), np.nan)
    blocks = np.zeros(values.shape[1], np.int64)
    for column, every in enumerate(values.T):
        known = every[np.isfinite(every)].astype(np.float64)
        blocks[column] = len(known)
        mean[column] = known.mean() if len(known) else np.nan
        error[column] = known.std(ddof=1) / np.sqrt(len(known)) if len(known) > 1 else np.nan
    return mean, error, blocks


def half_interval(error: Floats, blocks: np.ndarray, probability: float = 1 - ALPHA / 2) -> Floats:
    """Return half the width of an interval, 95 % by default; NaN if nothing varies: the error is then unknown."""
    return np.where(error > 0, t_ppf(probability, np.maximum(blocks - 1, 1)) * error, np.nan)
