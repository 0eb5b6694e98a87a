"""Number of games that a question needs, from a pilot run that measures the variance of blocks.

References
----------
Bloom, H. S. (1995). Minimum detectable effects. Evaluation Review 19, 547-556.
Kish, L. (1965). Survey Sampling. Wiley, ch. 8.2 (design effect).
Rao, J. N. K. and Scott, A. J. (1981). The analysis of categorical data from complex sample surveys. J. Amer. Statist.
    Assoc. 76, 221-230.
Cochran, W. G. (1977). Sampling Techniques, 3rd ed., ch. 4 (sample size from a pilot's variance).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import polars as pl
from scipy import stats

from reports.data.load import Run
from reports.model import Table
from reports.statistics.compare.paired import paired_differences, paired_moments
from reports.statistics.core.win_rate import FEW_BLOCKS as FEW_FOR_FAIR_SHARE
from reports.statistics.core.win_rate import Floats, blank_zero


@dataclass(frozen=True)
class Question:
    """A question: the edge or change to find (a fraction), the power, and the error rate of tests and intervals."""

    effect: float
    power: float
    alpha: float


@dataclass(frozen=True)
class Pilot:
    """A short run in memory, and its playing time in seconds without compilation."""

    run: Run
    seconds: float


def needed_blocks(variance: Floats, q: Question, tests: float = 1, null_variance: Floats | None = None) -> Floats:
    """Return the blocks in which the report's tests find an effect with the requested power.

    B = ((c + z_power) * s / effect)^2 (Bloom 1995; Cochran 1977, eq. 4.4), where s^2 is the variance of a block's share
    and c the value that the mean over its standard error must exceed, with t = t_{1 - alpha/(2 tests)} at B - 1 degrees
    of freedom. A score test takes its variance about the null: c^2 = t^2 (B - 1) / (B - t^2), which tends to t^2. The
    test of a fair share divides by s0 in place of s: c = t s0 / s, and both count below `win_rate.FEW_BLOCKS` blocks.
    B stands on both sides and is found by halving.

    Parameters
    ----------
    variance
        s^2 = B * (standard error)^2 of a pilot of B blocks; shape (rows,).
    tests
        Rows tested together; alpha is divided by it (Bonferroni, the first step of Holm).
    null_variance
        s0^2 for the test of a fair share; None for a score test.

    Returns
    -------
    Blocks that contain the row, not rounded. NaN if the variance is unknown.
    """
    with np.errstate(divide="ignore", invalid="ignore"):  # a row that never won, or always, shows no variance
        wider = None if null_variance is None else np.sqrt(null_variance / variance)

    def demand(blocks: Floats) -> Floats:
        t = stats.t.ppf(1 - q.alpha / (2 * tests), blocks - 1)
        # With t^2 blocks or fewer a score test can flag nothing: ask for more than any halving would stay at.
        careful = np.where(blocks > t**2, t * np.sqrt((blocks - 1) / np.maximum(blocks - t**2, 1e-9)), 1e3)
        if wider is None:
            return np.asarray(careful)
        return np.where(blocks < FEW_FOR_FAIR_SHARE, np.maximum(careful, t * wider), t * wider)

    return solve_blocks(variance, demand, float(stats.norm.ppf(q.power)), q.effect)


def interval_blocks(variance: Floats, q: Question) -> Floats:
    """Return the blocks after which an interval reaches `effect` to either side: (t * s / effect)^2."""
    return solve_blocks(variance, lambda blocks: np.asarray(stats.t.ppf(1 - q.alpha / 2, blocks - 1)), 0.0, q.effect)


def solve_blocks(variance: Floats, demand: Callable[[Floats], Floats], z: float, effect: float) -> Floats:
    """Solve B = ((demand(B) + z) * s / effect)^2 by halving on a logarithmic scale; demand falls as B grows."""
    low, high = np.full(np.shape(variance), 2.0), np.full(np.shape(variance), 1e15)
    for _ in range(80):
        middle = np.sqrt(low * high)
        enough = middle >= (np.maximum(demand(middle) + z, 0.0) ** 2) * variance / effect**2
        low, high = np.where(enough, low, middle), np.where(enough, middle, high)
    return np.asarray(np.where(np.isfinite(variance), high, np.nan))


def table_needs(table: Table, games: int, q: Question) -> pl.DataFrame:
    """Return the games that every row of a table needs.

    Parameters
    ----------
    table
        Of a pilot.

    Returns
    -------
    `level`, `blocks` and `error` in the pilot, `design_effect` (variance over that of as many independent seat-games,
    Kish 1965), `flag_one` (games to flag an edge of this size, that row alone tested), `flag_any` (all rows
    that are judged together allowed for), `interval` (games for an interval of +- effect), `apart` (games of each of
    two arms that share no luck, all rows of the table allowed for), `note`. Games are not rounded; null if the pilot
    shows no variation.
    """
    frame = table.frame
    error, blocks, share, null, seat_games = (
        frame[name].to_numpy().astype(np.float64) for name in ("error", "blocks", "win_rate", "null", "games")
    )
    error = blank_zero(error)
    variance = error**2 * blocks
    tests = max(int(np.isfinite(error).sum()), 1)
    together = table.tests or tests
    per_block = games / blocks
    # The design effect is kept (Rao and Scott 1981); the share is that of a fair row, and of one off by the effect.
    with np.errstate(divide="ignore", invalid="ignore"):
        clustering = variance / (share * (1 - share))
    fair = clustering * null * (1 - null)
    off = np.clip(null + q.effect * np.where(null < 0.5, 1, -1), 0.01, 0.99)
    unfair = clustering * off * (1 - off)
    needs = {
        "flag_one": needed_blocks(unfair, q, 1, fair),
        "flag_any": needed_blocks(unfair, q, together, fair),
        "interval": interval_blocks(variance, q),
        "apart": needed_blocks(2 * variance, q, tests),
    }
    with np.errstate(divide="ignore", invalid="ignore"):
        design = error**2 * seat_games / (share * (1 - share))
    columns = {"error": error, "design_effect": design} | {name: need * per_block for name, need in needs.items()}
    note = ["" if known else "no variation in the pilot" for known in np.isfinite(error)]
    return frame.select(
        "level",
        "blocks",
        *(pl.Series(name, values).fill_nan(None) for name, values in columns.items()),
        pl.Series("note", note, dtype=pl.String),
    )


def paired_needs(pilot_a: Run, pilot_b: Run, table: str, q: Question) -> pl.DataFrame:
    """Return the games of each arm that a change of this size needs on the same deals, from pilots of both arms.

    Parameters
    ----------
    table
        "faction", "seat" or "strategy".

    Returns
    -------
    `level`, `paired` (games, all rows allowed for; null if no win differs), `saving` (how many times the games arms
    that share no luck would need).
    """
    changed = paired_differences(paired_moments(pilot_a, pilot_b, [table]), [table])
    error, blocks = changed["error"].to_numpy().astype(np.float64), changed["blocks"].to_numpy()
    error = blank_zero(error)
    variance = error**2 * blocks
    tests = max(int(np.isfinite(error).sum()), 1)
    games = needed_blocks(variance, q, tests) * pilot_a.manifest.games / blocks
    text = pl.format("seat {}", table) if table == "seat" else pl.col(table).cast(pl.String)
    return changed.select(text.alias("level"), pl.Series("paired", games).fill_nan(None), "saving")
