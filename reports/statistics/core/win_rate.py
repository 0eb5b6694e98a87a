"""Win rates with intervals and tests; the block is the unit of analysis.

A block is one deal, played by the same players rotated through all seats. The games of a block share luck, so games are
not independent, but blocks are. Everything here is computed from sums per block (`reports/data/moments.py`). Intervals
that treat games as independent are too narrow; `tests/reports/test_reports_win_rate.py` shows by how much.

In all statistics `rate` is the chance that any row of the family is wrongly flagged, and `family_low` and `family_high`
are limits that hold for all rows of the family at once.

Sources, in full in `docs/statistics.md`: Cochran (1977, ch. 6 ratio estimator, ch. 9A clusters of unequal size) and
Liang and Zeger (1986) for errors; Wilson (1927), Clopper and Pearson (1934), Korn and Graubard (1998) and Dean and
Pagano (2015) for limits of shares; Rao and Scott (1981) and Boos (1992) for tests; Holm (1979), Sidak (1967),
Benjamini and Hochberg (1995) and Benjamini and Yekutieli (2001) for several tests; Bloom (1995) for the minimum
detectable effect.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import polars as pl
from numpy.typing import NDArray

from reports.statistics.core.shrinkage import shrink, steady_error
from reports.statistics.distributions import beta_ppf, normal_ppf, t_ppf, t_sf

ALPHA = 0.05
FIRST_SCREEN_ALPHA, SECTIONS_ALPHA, PAGES_ALPHA = 0.8 * ALPHA, 0.1 * ALPHA, 0.1 * ALPHA
"""Error rates of the parts of a report: of its first screen, of all its sections, and of all pages on factions.

They add up to `ALPHA` (Bonferroni), so that a whole report has a false claim in at most one run of twenty. The first
screen has the largest rate, because decisions rest on it. `reports.report` divides the rate of the sections evenly
among them; `reports.sections.factions.explained_details` does the same for the pages. A single page (`empirelab
explain`) has all of `ALPHA`, and so has a ladder.
"""
POWER = 0.80
# A sum of squares below this fraction of its largest possible value is rounding error. One win in 10^8 blocks gives
# more.
ROUNDING = 1e-12
FEW_BLOCKS = 30
MIN_WINS = 10
"""If a row has fewer wins or fewer losses than this, the observed variance of its win rate is unreliable."""
HOPELESS = 0.2
"""A strategy confirmed to win less than this fraction of its fair share is hopeless."""
Floats = NDArray[np.float64]


def win_rates(moments: pl.DataFrame, keys: Sequence[str], rate: float = ALPHA) -> pl.DataFrame:
    """Return win rate, rank and score of every group, with intervals, tests, shrinkage and minimum detectable effects.

    All rows are one family of tests.

    Parameters
    ----------
    moments
        From `block_moments`, or `moments.moments_frame`.
    rate
        Error rate of the limits for all rows, and of the flags.

    Returns
    -------
    One row per group: `keys`, then `games` (seat-games) and `blocks`;
    `win_rate` with its 95 % limits `low` and `high`;
    `null`, the win rate of an average player: the mean of 1/players;
    `edge` = win_rate - null with its 95 % limits `edge_low` and `edge_high`, and its standard error `error`;
    `family_low` and `family_high`, limits of the edge that hold for all rows at once (see `family_probability`);
    `mde` and `mde_family`, the minimum detectable effect without and with correction for all rows (see
    `minimum_detectable_effect`; null if no possible edge is that wide);
    `p`; `p_family`, the chance that any row has a p as small if all are fair (see `any_of`); `p_holm` and `p_bh`;
    `flag` ("strong", "weak" or "", by Holm);
    `shrunk` with `shrunk_low` and `shrunk_high` (see `shrinkage.shrink`);
    `mean_score` with `mean_score_low` and `mean_score_high`;
    `mean_rank` with `mean_rank_low` and `mean_rank_high`;
    `mean_rank_null`, the mean of (players + 1) / 2;
    `note`, a word on why an interval or an `mde` is null.
    Shares and edges are fractions (0.25), not percent. Unknown values are null, never NaN.
    """
    m = {name: moments[name].to_numpy().astype(np.float64) for name in moments.columns if name not in keys}
    blocks, edges = m["blocks"], edge_columns(m, rate)
    edge, error, null = edges["edge"], edges["error"], edges["null"]
    p = fair_share_test(m, edges)
    p_holm = holm(p)
    family = max(int(np.isfinite(p).sum()), 1)
    p_family = any_of(p, family)
    together = family * ALPHA / rate
    mde, mde_family = (possible(minimum_detectable_effect(error, blocks, tests), null) for tests in (1, together))
    flag = np.where(p_holm < rate, np.where(edge > 0, "strong", "weak"), "")
    short = np.where((error > 0) & np.isnan(mde_family), "too few games", "")
    note = np.where(blocks < 2, "one block", np.where(edges["share_error"] == 0, "no variation", short))
    crossed = [moments[key].to_physical().rank("dense").to_numpy() - 1 for key in keys] if len(keys) > 1 else []
    shrunk = shrink(edge, steady_error(error, blocks, m["N"], m["NN"]), crossed)
    if shrunk is None:
        # There are too few rows for shrinkage.
        shrunk = (edge, edges["edge_low"], edges["edge_high"])
    # Keep the edges in the range in which the win rate lies between 0 and 1.
    possible_shrunk = (np.clip(values, -null, 1 - null) for values in shrunk)
    tests = {"mde": mde, "mde_family": mde_family, "p": p, "p_family": p_family}
    tests |= {"p_holm": p_holm, "p_bh": benjamini_hochberg(p)}
    shown = ("win_rate", "null", "low", "high", "edge", "edge_low", "edge_high", "family_low", "family_high", "error")
    return moments.select(
        *keys,
        pl.col("N").cast(pl.Int64).alias("games"),
        "blocks",
        *known({name: edges[name] for name in shown} | tests),
        pl.Series("flag", flag.astype(str), dtype=pl.String),
        *known(dict(zip(("shrunk", "shrunk_low", "shrunk_high"), possible_shrunk, strict=True))),
        *known(mean_columns(m, "mean_score", "S", 0.0) | mean_columns(m, "mean_rank", "R", 1.0)),
        *known({"mean_rank_null": m["K"] / m["N"]}),
        pl.Series("note", note.astype(str), dtype=pl.String),
    )


def hopeless_players(strategies: pl.DataFrame) -> pl.DataFrame:
    """Return the strategies that certainly win less than a fifth of their fair share, the weakest last.

    "Certainly" means that the upper limit that holds for all strategies at once lies below this fifth. `strategies` is
    from `win_rates`.
    """
    highest = pl.col("null") + pl.col("family_high")
    return strategies.filter(highest < HOPELESS * pl.col("null")).sort("win_rate", descending=True)


def known(columns: dict[str, Floats]) -> list[pl.Series]:
    """Return columns with null in place of NaN."""
    return [pl.Series(name, values, dtype=pl.Float64, nan_to_null=True) for name, values in columns.items()]


def edge_columns(m: dict[str, Floats], rate: float = ALPHA) -> dict[str, Floats]:
    """Return win rates and edges with errors, with their own 95 % limits and with limits for all rows.

    Parameters
    ----------
    m
        Columns of `block_moments`, each of shape (groups,).

    Returns
    -------
    `win_rate`, `share_error`, `null`, `low`, `high`, `edge`, `error`, `edge_low`, `edge_high`, `family_low`,
    `family_high`.
    """
    n, blocks = m["N"], m["blocks"]
    share, null, edge = m["W"] / n, m["E"] / n, (m["W"] - m["E"]) / n
    sizes = {"blocks": blocks, "n": n, "nn": m["NN"]}
    share_error = clustered_error(share, m["WW"], m["WN"], **sizes)
    error = clustered_error(edge, m["DD"], m["DN"], **sizes)
    columns = {"win_rate": share, "share_error": share_error, "null": null, "edge": edge, "error": error}
    low, high = share_interval(share, share_error, t_quantile(blocks, 1 - ALPHA / 2), blocks, m["largest"] * blocks / n)
    # If the number of players varies, the fair share varies too, and the error of the edge differs from that of the
    # share.
    certain = np.isfinite(low) & (share_error == 0)
    reach = t_quantile(blocks, 1 - ALPHA / 2) * blank_zero(error)
    columns |= {"low": low, "high": high}
    columns["edge_low"] = np.where(certain, low - null, np.maximum(edge - reach, -null))
    columns["edge_high"] = np.where(certain, high - null, np.minimum(edge + reach, 1 - null))
    rows = max(int(((blocks > 1) & (share_error > 0)).sum()), 1)
    columns["family_low"], columns["family_high"] = family_limits(m, columns, family_probability(rows, rate))
    return columns


def family_limits(m: dict[str, Floats], columns: dict[str, Floats], probability: float) -> tuple[Floats, Floats]:
    """Return limits of edges that hold for all rows at once.

    Parameters
    ----------
    m
        Columns of `block_moments`, each of shape (groups,).
    columns
        From `edge_columns`: shares and edges with their errors.
    probability
        Probability at which the quantile is taken, from `family_probability`.
    """
    share, share_error, null, low, edge, error = (
        columns[name] for name in ("win_rate", "share_error", "null", "low", "edge", "error")
    )
    blocks = m["blocks"]
    t = t_quantile(blocks, probability)
    certain = np.isfinite(low) & (share_error == 0)
    never, ever = share_interval(share, share_error, t, blocks, m["largest"] * blocks / m["N"], 1 - probability)
    low, high = wilson_interval(share, share_error, t)
    scale = blank_zero(error) / blank_zero(share_error)
    return (
        np.where(certain, never - null, np.maximum(edge - scale * (share - low), -null)),
        np.where(certain, ever - null, np.minimum(edge + scale * (high - share), 1 - null)),
    )


def wilson_interval(share: Floats, error: Floats, t: Floats) -> tuple[Floats, Floats]:
    """Return limits of a win rate by Wilson's (1927) method, with the effective number of games.

    The error of a share depends on the share itself: with bad luck a small share is estimated too low, and its error
    too. This matters most at high confidence levels. So the limits are the shares q with
    |share - q| = t sqrt(q (1 - q) / n), where n = share (1 - share) / error^2 is the effective number of independent
    games. For clustered samples see Korn and Graubard (1998), and Dean and Pagano (2015).

    Parameters
    ----------
    share, error, t
        Win rate, its standard error, the t quantile; shape (groups,).

    Returns
    -------
    Lower and upper limits within [0, 1]; NaN if the error is 0 or unknown.
    """
    with np.errstate(divide="ignore", invalid="ignore"):
        pull = (t * blank_zero(error)) ** 2 / (share * (1 - share))
    return wilson_limits(share, pull)


def wilson_limits(share: Floats, pull: Floats) -> tuple[Floats, Floats]:
    """Return the shares q with (share - q)^2 = pull q (1 - q): Wilson's (1927) limits if pull = t^2 / games.

    With an infinite pull the limits are 0 and 1. NaN stays NaN.
    """
    endless = np.isinf(pull)
    pull = np.where(endless, 1.0, pull)
    centre = (share + pull / 2) / (1 + pull)
    half = np.sqrt(pull * (share * (1 - share) + pull / 4)) / (1 + pull)
    low, high = np.maximum(centre - half, 0.0), np.minimum(centre + half, 1.0)
    return np.where(endless, 0.0, low), np.where(endless, 1.0, high)


def mean_columns(m: dict[str, Floats], name: str, total: str, least: float) -> dict[str, Floats]:
    """Return the mean per seat-game of `total` ("S" for scores, "R" for ranks) with its 95 % limits.

    If `least` is not 0, no lower limit is below `least`.
    """
    n, blocks = m["N"], m["blocks"]
    mean = m[total] / n
    error = clustered_error(mean, m[total * 2], m[f"{total}N"], blocks=blocks, n=n, nn=m["NN"])
    reach = t_quantile(blocks, 1 - ALPHA / 2) * error
    low = mean - reach if least == 0 else np.maximum(mean - reach, least)
    return {name: mean, f"{name}_low": low, f"{name}_high": mean + reach}


def family_probability(rows: float, rate: float = ALPHA) -> float:
    """Return the probability whose quantile gives two-sided limits that hold for all rows at once.

    It is 1 - (1 - (1 - rate)^(1 / rows)) / 2 (Sidak 1967, for normal estimates under any correlation). Whichever row is
    picked from the table, even the one with the widest edge, the chance that its limits miss the truth is at most
    `rate`.
    """
    return float(1 - (1 - (1 - rate) ** (1 / max(rows, 1))) / 2)


def clustered_error(ratio: Floats, yy: Floats, yn: Floats, *, blocks: Floats, n: Floats, nn: Floats) -> Floats:
    """Return the standard error of a ratio sum(Y_b) / sum(N_b) over independent blocks.

    The error is linearised (Cochran 1977, eq. 6.13; the same as the cluster-robust variance of Liang and Zeger 1986).
    With B blocks and the residual r_b = Y_b - ratio * N_b of block b, the variance is B / (B - 1) * sum(r_b^2) /
    sum(N_b)^2.

    Parameters
    ----------
    ratio
        sum(Y_b) / sum(N_b), shape (groups,). All other arguments have this shape, too.
    yy, yn
        sum(Y_b^2), sum(Y_b * N_b).
    blocks, n, nn
        The number of blocks B, sum(N_b), sum(N_b^2).

    Returns
    -------
    Standard error, in the unit of `ratio`; NaN for a single block; exactly 0 if every block has the same ratio.
    """
    squares = yy - 2 * ratio * yn + ratio**2 * nn
    # Rounding error is relative to the subtracted terms, which are at most nn for shares and yy for scores.
    squares = np.where(squares <= ROUNDING * np.maximum(nn, yy), 0.0, squares)
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(blocks > 1, np.sqrt(blocks / (blocks - 1) * squares) / n, np.nan)


def t_quantile(blocks: Floats, probability: float) -> Floats:
    """Return Student's t quantile with `blocks` - 1 degrees of freedom; NaN for a single block."""
    return np.where(blocks > 1, t_ppf(probability, np.maximum(blocks - 1, 1)), np.nan)


def share_interval(
    share: Floats, error: Floats, reach: Floats, blocks: Floats, imbalance: Floats, tail: float = ALPHA / 2
) -> tuple[Floats, Floats]:
    """Return limits of win rates, clipped to 0 and 1.

    A group that never won has no variation, yet its true share is not exactly 0. The probability that a block contains
    a win is at most the upper limit of `exact_limits` for 0 of all blocks. The share is at most this limit times
    `imbalance`. A group that always won is treated in the same way.

    Parameters
    ----------
    share, error, reach
        Win rate, its standard error, the t quantile; shape (groups,).
    imbalance
        max(N_b) / mean(N_b), where N_b is the group's number of seat-games in block b.
    tail
        Chance that the limit on one side misses the truth.

    Returns
    -------
    Lower and upper limits. NaN for a group with one block, or with a share that is the same in every block by
    construction.
    """
    _, bound = exact_limits(np.zeros(share.shape), blocks, tail)
    bound = np.where(blocks > 1, np.minimum(1.0, bound * imbalance), np.nan)
    error = blank_zero(error)
    low, high = np.maximum(share - reach * error, 0.0), np.minimum(share + reach * error, 1.0)
    low = np.where(share == 0, np.where(blocks > 1, 0.0, np.nan), np.where(share == 1, 1 - bound, low))
    high = np.where(share == 0, bound, np.where(share == 1, np.where(blocks > 1, 1.0, np.nan), high))
    return low, high


def exact_limits(share: Floats, games: Floats, tail: float = ALPHA / 2) -> tuple[Floats, Floats]:
    """Return exact limits of the share of successes in independent trials (Clopper and Pearson 1934).

    For 0 of N the upper limit is 1 - tail^(1/N); for N of N the lower limit is tail^(1/N).

    Parameters
    ----------
    share, games
        Share of successes and number of trials, shape (groups,). Neither the number of successes nor that of trials
        needs to be a whole number.
    tail
        Chance that the limit on one side misses the truth.
    """
    won, lost = share * games, (1 - share) * games
    low = np.where(won > 0, beta_ppf(tail, np.maximum(won, ROUNDING), lost + 1), 0.0)
    high = np.where(lost > 0, beta_ppf(1 - tail, won + 1, np.maximum(lost, ROUNDING)), 1.0)
    return low, high


def luck_interval(share: Floats, error: Floats, blocks: Floats, imbalance: Floats) -> tuple[Floats, Floats]:
    """Return 95 % limits of a share of games, for shares that are not fixed by construction.

    The limits are those of `exact_limits` with the effective number of independent games (Korn and Graubard 1998). If
    all blocks have the same share, each block counts as one game, or as less if blocks differ in size.

    Parameters
    ----------
    share, error, blocks, imbalance
        Share, its standard error, number of blocks, and max(N_b) / mean(N_b), where N_b is the number of games in block
        b; shape (groups,).

    Returns
    -------
    Lower and upper limits; NaN for one block.
    """
    with np.errstate(divide="ignore", invalid="ignore"):
        wider = t_quantile(blocks, 1 - ALPHA / 2) / normal_ppf(1 - ALPHA / 2)
        games = np.where(error > 0, share * (1 - share) / (wider * error) ** 2, blocks / imbalance)
    low, high = exact_limits(share, games)
    return np.where(blocks > 1, low, np.nan), np.where(blocks > 1, high, np.nan)


def blank_zero(error: Floats) -> Floats:
    """Replace errors of 0 by NaN, since the error is unknown if nothing varies."""
    return np.where(error > 0, error, np.nan)


def fair_share_test(m: dict[str, Floats], edges: dict[str, Floats]) -> Floats:
    """Return the two-sided p-value of "this group wins its fair share", with the variance that a fair share would have.

    T = edge / (error sqrt(null (1 - null) / (share (1 - share)))) is compared with Student's t with blocks - 1 degrees
    of freedom. The number of independent games that would give the observed error is kept, and the share is set to the
    fair share (Rao and Scott 1981, for clustered counts). This is the test that belongs to `wilson_interval`.

    Block sums are skewed, since a player wins seldom but then often wins all games of a block. In tables of 14 rows
    with some forty blocks each, this test keeps the rate of false alarms at 5 %; with the score test it is 7 to 8 %.

    The score test must agree in two cases: where a group never or always won, and in fewer than `FEW_BLOCKS` blocks,
    where the observed error can be tiny by luck.

    Parameters
    ----------
    m
        Columns of `block_moments`.

    Returns
    -------
    p in [0, 1], shape (groups,); NaN for one block, or where every block has exactly its fair share by construction.
    """
    share, null, blocks = edges["win_rate"], edges["null"], m["blocks"]
    careful = score_test(m["W"] - m["E"], m["DD"], blocks)
    with np.errstate(divide="ignore", invalid="ignore"):
        t = np.abs(edges["edge"]) / (blank_zero(edges["error"]) * np.sqrt(null * (1 - null) / (share * (1 - share))))
    # Even a group that never won has an error if its fair share varies with the number of players.
    p = np.where((share > 0) & (share < 1), 2 * t_sf(t, np.maximum(blocks - 1, 1)), np.nan)
    return np.where(np.isnan(p) | np.isnan(careful), careful, np.where(blocks < FEW_BLOCKS, np.maximum(p, careful), p))


def score_test(surplus: Floats, squares: Floats, blocks: Floats) -> Floats:
    """Return the two-sided p-value of "this group wins its fair share" by a generalised score test (Boos 1992).

    Let D_b be the group's wins minus its fair wins in block b, and B the number of blocks. The statistic is
    T = sum(D_b) / sqrt(sum(D_b^2)). It is compared with Student's t with B - 1 degrees of freedom. The variance is
    taken under the null, because the error of a Wald test is far too small for a group with few wins. T never exceeds
    sqrt(B), so a result from few blocks cannot be significant.

    Parameters
    ----------
    surplus
        sum(D_b), shape (groups,).
    squares
        sum(D_b^2).

    Returns
    -------
    p in [0, 1]; NaN for one block, or where every block has exactly its fair share by construction.
    """
    # Because of rounding, a sum of squares that should be 0 may be negative.
    p = two_sided_p(surplus, np.sqrt(blank_zero(squares)), blocks)
    return np.where(blocks > 1, np.minimum(1.0, p), np.nan)


def two_sided_p(estimate: Floats, error: Floats, blocks: Floats) -> Floats:
    """Return the two-sided p-value of "the true value is 0", by Student's t with blocks - 1 degrees of freedom.

    All arrays are broadcast. NaN where the error is 0 or unknown.
    """
    return np.asarray(2 * t_sf(np.abs(estimate) / blank_zero(error), np.maximum(blocks - 1, 1)))


def any_of(p: Floats, rows: float) -> Floats:
    """Return the probability that any of `rows` fair rows has a p-value this small: 1 - (1 - p)^rows (Sidak 1967)."""
    return np.asarray(-np.expm1(rows * np.log1p(-np.minimum(p, 1 - ROUNDING))))


def holm(p: Floats) -> Floats:
    """Correct p-values by Holm's (1979) method, so that the chance of any false alarm in the family stays below alpha.

    The method is valid under any dependence between tests. This matters here, since one row's surplus is another row's
    loss. NaN stays NaN and does not count as a test.
    """
    corrected = np.full(p.shape, np.nan)
    tested = np.flatnonzero(np.isfinite(p))
    order = tested[np.argsort(p[tested], kind="stable")]
    steps = p[order] * (len(order) - np.arange(len(order)))
    corrected[order] = np.minimum(1.0, np.maximum.accumulate(steps)) if len(order) else steps
    return corrected


def one_family(
    frames: Sequence[pl.DataFrame],
    columns: tuple[str, str, str, str] = ("edge", "edge_low", "edge_high", "p"),
    blocks: int | None = None,
    families: int = 1,
    rate: float = ALPHA,
) -> list[pl.DataFrame]:
    """Judge the rows of several tables as one family of tests; `families` such families share the error rate.

    Parameters
    ----------
    frames
        Tables with an estimate, its 95 % limits and its p-value in each row.
    columns
        Names of the columns with the estimate, its two limits and p.
    blocks
        Number of blocks on which the limits rest, if there is no column `blocks`.
    rate
        Chance that any row of these families is wrongly flagged: by default one run in twenty.

    Returns
    -------
    The frames with `p_holm` (Holm over all rows), `family_low` and `family_high` (limits for all rows, Sidak 1967) and
    `flag`. The flag is "strong" or "weak" if the p-value is significant and the limits exclude 0, else empty.
    """
    value, low, high, chance = columns
    p = [frame[chance].cast(pl.Float64).fill_null(np.nan).to_numpy() for frame in frames]
    corrected = np.minimum(families * holm(np.concatenate(p)), 1.0) if p else np.array([])
    probability, found, first = family_probability(families * int(np.isfinite(corrected).sum()), rate), [], 0
    for frame in frames:
        edge, ends = frame[value].cast(pl.Float64), (frame[low].cast(pl.Float64), frame[high].cast(pl.Float64))
        number = frame["blocks"].cast(pl.Float64).to_numpy() if blocks is None else np.full(frame.height, float(blocks))
        wider = t_quantile(number, probability) / t_quantile(number, 1 - ALPHA / 2)
        least, most = (edge + (end - edge) * pl.Series(wider) for end in ends)
        own, first = corrected[first : first + frame.height], first + frame.height
        sure = (pl.Series(own).fill_nan(1.0) < rate) & ((least > 0) | (most < 0)).fill_null(False)
        flag = pl.Series("flag", np.where(sure.to_numpy(), np.where(edge.to_numpy() > 0, "strong", "weak"), ""))
        numbers = {"p_holm": own, "family_low": least.to_numpy(), "family_high": most.to_numpy()}
        found.append(frame.with_columns(*known(numbers), flag.cast(pl.String)))
    return found


def several_figures(
    frame: pl.DataFrame,
    figures: Mapping[str, tuple[str, str, str, str]],
    words: Mapping[str, Mapping[str, str]],
    blocks: int | None = None,
    rate: float = ALPHA,
) -> pl.DataFrame:
    """Judge several estimates in each row of a table, all as one family; see `one_family`.

    Parameters
    ----------
    figures
        For each estimate, by its prefix: names of the columns with the estimate, its two limits and p.
    words
        For each prefix, the words for the flag in place of "strong" and "weak"; none changes nothing.

    Returns
    -------
    The frame with `flag`, `family_low` and `family_high` of each estimate under the estimate's prefix.
    """
    names = ("edge", "low", "high", "p")
    more = [] if blocks is not None else [pl.col("blocks")]
    parts = [frame.select(*(pl.col(old).alias(new) for old, new in zip(columns, names, strict=True)), *more)
             for columns in figures.values()]  # fmt: skip
    for prefix, found in zip(figures, one_family(parts, names, blocks, rate=rate), strict=True):
        frame = frame.with_columns(
            found["flag"].replace(words.get(prefix, {})).alias(f"{prefix}flag"),
            *(found[name].alias(f"{prefix}{name}") for name in ("family_low", "family_high")),
        )
    return frame


def benjamini_hochberg(p: Floats) -> Floats:
    """Adjust p-values by the step-up procedure of Benjamini and Hochberg (1995).

    Among the rows with an adjusted value below alpha, the fraction of false alarms is at most alpha on average. That
    holds for independent tests and for tests that depend positively on each other (Benjamini and Yekutieli 2001). Edges
    of a table depend negatively, though weakly: one row's win is another's loss. Under arbitrary dependence the bound
    is alpha times 1 + 1/2 + ... + 1/rows. Flags rest on Holm's correction, which needs no such condition. NaN stays NaN
    and does not count as a test.
    """
    adjusted = np.full(p.shape, np.nan)
    tested = np.isfinite(p)
    count, order = tested.sum(), np.argsort(p[tested])
    stepped = p[tested][order] * (count / np.arange(1, count + 1))
    stepped = np.minimum.accumulate(stepped[::-1])[::-1]
    adjusted[np.flatnonzero(tested)[order]] = np.clip(stepped, 0.0, 1.0)
    return adjusted


def minimum_detectable_effect(error: Floats, blocks: Floats, tests: float = 1) -> Floats:
    """Return the smallest true edge that a run like this finds with 80 % power.

    It is (t_{1 - alpha/2} + z_{power}) * standard error (Bloom 1995), with alpha = 0.05 and power = 0.80. Here t is the
    quantile of Student's t with B - 1 degrees of freedom for B blocks, and z that of the normal distribution.

    In fewer than `FEW_BLOCKS` blocks the score test decides. Its statistic never exceeds sqrt(B), so t is replaced by
    t sqrt((B - 1) / (B - t^2)). With t^2 blocks or fewer no edge is found at all.

    Parameters
    ----------
    error
        Standard error of the edge, shape (groups,).
    tests
        Number of rows tested together; alpha is divided by it (Bonferroni, the first step of Holm).

    Returns
    -------
    Edge as a fraction; NaN if the standard error is 0 or unknown, or if the blocks are too few to flag anything.
    """
    t = t_quantile(blocks, 1 - ALPHA / (2 * tests))
    with np.errstate(invalid="ignore"):
        careful = np.where(blocks > t**2, t * np.sqrt((blocks - 1) / np.maximum(blocks - t**2, 1e-9)), np.nan)
    reach = np.where(blocks < FEW_BLOCKS, careful, t) + normal_ppf(POWER)
    return np.asarray(reach * blank_zero(error))


def possible(effect: Floats, null: Floats) -> Floats:
    """Return the effects, with NaN where no edge can be that wide: an edge lies between -null and 1 - null."""
    return np.where(effect <= np.maximum(null, 1 - null), effect, np.nan)
