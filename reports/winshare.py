"""Win shares, their intervals and tests, with the block as the unit of analysis.

A block is one deal played by the same players rotated through all seats. Its games share luck, so they are not
independent; blocks are. Everything here is therefore computed from sums per block. Counting games as if they were
independent gives intervals that are too narrow (`tests/reports/test_reports_winshare.py` shows by how much).

References
----------
Cochran, W. G. (1977). Sampling Techniques, 3rd ed., ch. 6 (ratio estimator) and 9A (clusters of unequal size).
Liang, K.-Y. and Zeger, S. L. (1986). Longitudinal data analysis using generalized linear models. Biometrika 73, 13-22.
Boos, D. D. (1992). On generalized score tests. The American Statistician 46, 327-333.
Holm, S. (1979). A simple sequentially rejective multiple test procedure. Scand. J. Statist. 6, 65-70.
Bloom, H. S. (1995). Minimum detectable effects. Evaluation Review 19, 547-556.
Clopper, C. J. and Pearson, E. S. (1934). The use of confidence or fiducial limits. Biometrika 26, 404-413.
Bergsma, W. (2013). A bias-correction for Cramer's V and Tschuprow's T. J. Korean Statist. Soc. 42, 323-328.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import polars as pl
from numpy.typing import NDArray
from scipy import stats

ALPHA = 0.05
POWER = 0.80
# Below this share of the largest possible value a sum of squares is rounding error: one win in 10^8 blocks lies above.
ROUNDING = 1e-12

Floats = NDArray[np.float64]


def block_moments(seats: pl.LazyFrame, keys: Sequence[str], most_players: int = 12) -> pl.DataFrame:
    """Sum a run to what the intervals need: per group, first and second moments of its block sums.

    Parameters
    ----------
    seats
        One row per seat per game: `block`, `players`, `win`, `score` and the columns named in `keys`.
    keys
        Columns that make up a group, e.g. `["faction"]` or `["strategy", "faction"]`.
    most_players
        Largest number of players in one game. Wins are summed as whole numbers of 1/lcm(1..most_players), so that a
        third of a win three times is one win exactly and sums do not depend on the order of the rows.

    Returns
    -------
    One row per group, sorted by `keys`: `blocks` in which the group occurs and sums over them of N (seat-games),
    W (wins), E (1/players), S (score), and of the products NN, WW, WN, DD, DN, SS, SN, where D = W - E;
    `largest` is the largest N.
    """
    unit = math.lcm(*range(1, most_players + 1))
    per_block = seats.group_by([*keys, "block"]).agg(
        N=pl.len().cast(pl.Float64),
        W=(pl.col("win").cast(pl.Float64) * unit).round().sum(),
        E=(unit / pl.col("players").cast(pl.Float64)).round().sum(),
        S=pl.col("score").cast(pl.Int64).sum().cast(pl.Float64),
    )
    n, w, s = pl.col("N"), pl.col("W"), pl.col("S")
    d = w - pl.col("E")
    summed = per_block.group_by(list(keys)).agg(
        blocks=pl.len().cast(pl.Int64),
        largest=n.max(),
        N=n.sum(), W=w.sum(), E=pl.col("E").sum(), S=s.sum(),
        NN=(n * n).sum(), WW=(w * w).sum(), WN=(w * n).sum(),
        DD=(d * d).sum(), DN=(d * n).sum(), SS=(s * s).sum(), SN=(s * n).sum(),
    )  # fmt: skip
    scaled = [pl.col(name) / unit for name in ("W", "E", "WN", "DN")]
    squared = [pl.col(name) / unit**2 for name in ("WW", "DD")]
    return summed.collect(engine="streaming").with_columns(*scaled, *squared).sort(list(keys))


def win_shares(moments: pl.DataFrame, keys: Sequence[str]) -> pl.DataFrame:
    """Win share, interval, test and minimum detectable effect of every group.

    The rows together are one family for Holm's correction.

    Parameters
    ----------
    moments
        From `block_moments`.
    keys
        The columns that make up a group.

    Returns
    -------
    `keys`, then per group: `games` (seat-games) and `blocks`; `win_share` with its 95 % limits `low` and `high`; `null`
    (mean of 1/players, the share of an average player); `edge` = win_share - null with `edge_low` and `edge_high`;
    `error`, the standard error of the edge;
    `mde` and `mde_family` (see `minimum_detectable_effect`, the latter after correction for all rows; null where no
    possible edge is that wide);
    `p` and `p_holm`; `flag` ("strong", "weak" or ""); `mean_score` with `mean_score_low` and `mean_score_high`;
    `note`, a word why an interval or an `mde` is null. Shares and edges are fractions (0.25), not percent. Unknown
    values are null, never NaN.
    """
    m = {name: moments[name].to_numpy().astype(np.float64) for name in moments.columns if name not in keys}
    n, blocks = m["N"], m["blocks"]
    share, null, edge, mean_score = m["W"] / n, m["E"] / n, (m["W"] - m["E"]) / n, m["S"] / n
    reach = t_quantile(blocks, 1 - ALPHA / 2)
    sizes = {"blocks": blocks, "n": n, "nn": m["NN"]}
    share_se = clustered_error(share, m["WW"], m["WN"], **sizes)
    edge_se = clustered_error(edge, m["DD"], m["DN"], **sizes)
    score_se = clustered_error(mean_score, m["SS"], m["SN"], **sizes)
    low, high = share_interval(share, share_se, reach, blocks, m["largest"] * blocks / n)
    # Where the number of players varies, the null varies with it and the edge has an error of its own.
    certain = np.isfinite(low) & (share_se == 0)
    edge_reach = reach * blank_zero(edge_se)
    edge_low = np.where(certain, low - null, np.maximum(edge - edge_reach, -null))
    edge_high = np.where(certain, high - null, np.minimum(edge + edge_reach, 1 - null))
    p = score_test(m["W"] - m["E"], m["DD"], blocks)
    p_holm = holm(p)
    flag = np.where(p_holm < ALPHA, np.where(edge > 0, "strong", "weak"), "")
    family = max(int(np.isfinite(p).sum()), 1)
    mde, mde_family = (possible(minimum_detectable_effect(edge_se, blocks, tests), null) for tests in (1, family))
    short = np.where((edge_se > 0) & np.isnan(mde_family), "too few games", "")
    note = np.where(blocks < 2, "one block", np.where(share_se == 0, "no variation", short))
    columns = {
        "win_share": share, "null": null, "low": low, "high": high,
        "edge": edge, "edge_low": edge_low, "edge_high": edge_high,
        "error": edge_se, "mde": mde, "mde_family": mde_family,
        "p": p, "p_holm": p_holm,
    }  # fmt: skip
    score_columns = {
        "mean_score": mean_score,
        "mean_score_low": mean_score - reach * score_se,
        "mean_score_high": mean_score + reach * score_se,
    }
    return moments.select(
        *keys,
        pl.col("N").cast(pl.Int64).alias("games"),
        "blocks",
        *(pl.Series(name, values).fill_nan(None) for name, values in columns.items()),
        pl.Series("flag", flag.astype(str), dtype=pl.String),
        *(pl.Series(name, values).fill_nan(None) for name, values in score_columns.items()),
        pl.Series("note", note.astype(str), dtype=pl.String),
    )


def clustered_error(ratio: Floats, yy: Floats, yn: Floats, *, blocks: Floats, n: Floats, nn: Floats) -> Floats:
    """Return the standard error of a ratio sum(Y_b) / sum(N_b) over independent blocks.

    Linearised (Cochran 1977, eq. 6.13; the same as the cluster-robust variance of Liang and Zeger 1986): with the
    residual r_b = Y_b - ratio * N_b, variance = B / (B - 1) * sum(r_b^2) / sum(N_b)^2.

    Parameters
    ----------
    ratio
        sum(Y_b) / sum(N_b), shape (groups,), as are all others.
    yy, yn
        sum(Y_b^2), sum(Y_b * N_b).
    blocks, n, nn
        B, sum(N_b), sum(N_b^2).

    Returns
    -------
    Standard error, in the unit of `ratio`; NaN for a single block; exactly 0 where every block has the same ratio.
    """
    squares = yy - 2 * ratio * yn + ratio**2 * nn
    # Rounding error is relative to what was subtracted: at most nn for shares, yy for scores.
    squares = np.where(squares <= ROUNDING * np.maximum(nn, yy), 0.0, squares)
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(blocks > 1, np.sqrt(blocks / (blocks - 1) * squares) / n, np.nan)


def t_quantile(blocks: Floats, probability: float) -> Floats:
    """Student's t quantile with `blocks` - 1 degrees of freedom; NaN for a single block."""
    return np.where(blocks > 1, stats.t.ppf(probability, np.maximum(blocks - 1, 1)), np.nan)


def share_interval(
    share: Floats, error: Floats, reach: Floats, blocks: Floats, imbalance: Floats
) -> tuple[Floats, Floats]:
    """95 % limits of win shares, kept within 0 and 1.

    A group that never (or always) won shows no variation, yet its share is not known exactly. If a block holds any win
    with chance q, no win in B blocks has chance (1 - q)^B, so q <= 1 - 0.025^(1/B) at 97.5 % (Clopper and Pearson
    1934), and the share is at most q * max(N_b) / mean(N_b).

    Parameters
    ----------
    share, error, reach
        Win share, its standard error, the t quantile; shape (groups,).
    blocks
        Number of blocks.
    imbalance
        max(N_b) / mean(N_b).

    Returns
    -------
    Lower and upper limits; NaN where unknown: one block, or a share that is the same in every block by construction.
    """
    bound = np.where(blocks > 1, np.minimum(1.0, (1 - (ALPHA / 2) ** (1 / blocks)) * imbalance), np.nan)
    error = blank_zero(error)
    low, high = np.maximum(share - reach * error, 0.0), np.minimum(share + reach * error, 1.0)
    low = np.where(share == 0, np.where(blocks > 1, 0.0, np.nan), np.where(share == 1, 1 - bound, low))
    high = np.where(share == 0, bound, np.where(share == 1, np.where(blocks > 1, 1.0, np.nan), high))
    return low, high


def blank_zero(error: Floats) -> Floats:
    """Standard errors with NaN in place of 0: no variation seen is no knowledge of the error."""
    return np.where(error > 0, error, np.nan)


def score_test(surplus: Floats, squares: Floats, blocks: Floats) -> Floats:
    """Two-sided p-value of "this group wins its fair share".

    Generalised score test (Boos 1992): with D_b = W_b - E_b, T = sum(D_b) / sqrt(sum(D_b^2)), against Student's t with
    B - 1 degrees of freedom. The variance is taken under the null: a Wald test divides by an error that is far too
    small when a group has few wins and raises false alarms in small runs. T never exceeds sqrt(B), so few blocks
    cannot shout.

    Parameters
    ----------
    surplus
        sum(D_b), shape (groups,).
    squares
        sum(D_b^2).
    blocks
        B.

    Returns
    -------
    p in [0, 1]; NaN for one block, or where every block has exactly its fair share by construction.
    """
    known = (blocks > 1) & (squares > 0)
    with np.errstate(divide="ignore", invalid="ignore"):
        t = np.abs(surplus) / np.sqrt(squares)
    return np.where(known, np.minimum(1.0, 2 * stats.t.sf(t, np.maximum(blocks - 1, 1))), np.nan)


def holm(p: Floats) -> Floats:
    """p-values corrected by Holm (1979): the chance of any false alarm in the family stays below alpha.

    Valid under any dependence, which matters here: one row's surplus is another row's loss. NaN stays NaN and does not
    count as a test.
    """
    corrected = np.full(p.shape, np.nan)
    tested = np.flatnonzero(np.isfinite(p))
    order = tested[np.argsort(p[tested], kind="stable")]
    steps = p[order] * (len(order) - np.arange(len(order)))
    corrected[order] = np.minimum(1.0, np.maximum.accumulate(steps)) if len(order) else steps
    return corrected


def minimum_detectable_effect(error: Floats, blocks: Floats, tests: int = 1) -> Floats:
    """Smallest true edge that a run like this one finds four times in five.

    (t_{1 - alpha/2} + z_{power}) * standard error (Bloom 1995), alpha = 0.05, power = 0.80, t with B - 1 degrees of
    freedom.

    Parameters
    ----------
    error
        Standard error of the edge, shape (groups,).
    blocks
        B.
    tests
        Number of rows tested together; alpha is divided by it (Bonferroni, the first step of Holm).

    Returns
    -------
    Edge as a fraction; NaN where the standard error is 0 or unknown.
    """
    reach = t_quantile(blocks, 1 - ALPHA / (2 * tests)) + stats.norm.ppf(POWER)
    return np.asarray(reach * blank_zero(error))


def possible(effect: Floats, null: Floats) -> Floats:
    """Effects with NaN in place of those wider than any edge can be: a share lies between 0 and 1."""
    return np.where(effect <= np.maximum(null, 1 - null), effect, np.nan)


def games_factor(error: float, tests: int, edge: float) -> float:
    """How many times the games of a run are needed to find `edge` four times in five, given its error in that run.

    The error falls with the square root of the number of blocks, and t becomes z as blocks grow.
    """
    reach = float(stats.norm.ppf(1 - ALPHA / (2 * tests)) + stats.norm.ppf(POWER))
    return (reach * error / edge) ** 2


def association(counts: NDArray[np.float64]) -> tuple[float, float]:
    """How far two columns of a run go together: Cramer's V, plain and corrected for chance (Bergsma 2013).

    Parameters
    ----------
    counts
        Contingency table, shape (rows, columns), without empty rows or columns.

    Returns
    -------
    V and corrected V, both in [0, 1]: 0 = evenly mixed, 1 = one column gives the other away. (0, 0) where one of them
    has one level only.
    """
    rows, columns = counts.shape
    if min(rows, columns) < 2:
        return 0.0, 0.0
    n = counts.sum()
    expected = counts.sum(axis=1, keepdims=True) * counts.sum(axis=0, keepdims=True) / n
    phi2 = float(((counts - expected) ** 2 / expected).sum() / n)
    plain = math.sqrt(min(1.0, phi2 / (min(rows, columns) - 1)))
    if n <= 1:
        return plain, plain
    fewer_rows, fewer_columns = rows - (rows - 1) ** 2 / (n - 1), columns - (columns - 1) ** 2 / (n - 1)
    span = min(fewer_rows, fewer_columns) - 1
    excess = max(0.0, phi2 - (rows - 1) * (columns - 1) / (n - 1))
    return plain, math.sqrt(min(1.0, excess / span)) if span > 0 else 0.0
