"""Compares results of solo games between factions or strategies, and outcomes of rolls with their exact odds."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import polars as pl

from reports.data.load import Run
from reports.statistics.core.balance import noncentrality
from reports.statistics.core.win_rate import ALPHA, Floats, blank_zero, exact_limits, family_probability, holm, known
from reports.statistics.course.endings import REASON
from reports.statistics.distributions import chi2_sf, normal_ppf, normal_sf
from sim.runs.store.manifest import TallyEntry

OFTEN, SELDOM = "often", "seldom"
SHARE_OF = "share of "
"""Prefix of the column with the share of an ending."""


def result_counts(run: Run, column: str) -> pl.DataFrame:
    """Count games of one player by ending and by level of a column, such as faction.

    The columns are `level`, `end_reason` (string), `games`, and the sums `wins` and `score`. Every level that occurs
    has a row for every ending that occurs, in the order of the run's names and of the game's endings.
    """
    alone = run.seats.filter(pl.col("players") == 1)
    counts = alone.group_by(column, REASON).agg(
        pl.len().cast(pl.Int64).alias("games"),
        pl.col("win").cast(pl.Float64).sum().alias("wins"),
        pl.col("score").cast(pl.Int64).sum(),
    )
    found = counts.collect(engine="streaming")
    every = found.select(column).unique().join(found.select(REASON).unique(), how="cross")
    whole = every.join(found, on=[column, REASON], how="left").sort(column, REASON)
    return whole.select(
        pl.col(column).cast(pl.String).alias("level"),
        pl.col(REASON).cast(pl.String),
        pl.col("games", "wins", "score").fill_null(0),
    )


def result_shares(counts: pl.DataFrame, families: int = 1, rate: float = ALPHA) -> pl.DataFrame:
    """Compare the share of each ending among the games of a level with the share of that ending among all games.

    Each game of one player is a block. The share among all games includes the games of the level. With share p and n
    games of a level, and share m and N games in all, the difference has the variance p (1 - p) (1 / n - 2 / N) + m (1 -
    m) / N. All differences are one family for Holm's correction.

    Parameters
    ----------
    counts
        From `result_counts`.
    rate
        Chance that any row of these tables is wrongly flagged.

    Returns
    -------
    One row per level and ending:
    `level` and `end_reason`;
    `games`, the number of games with this ending;
    `share` with its 95 % limits `low` and `high`;
    `mean`, the share among all games;
    `edge` = share - mean with `family_low` and `family_high`, its limits for all rows at once;
    `p` (Holm) and `flag` ("often", "seldom" or "").
    """
    frame = counts.with_columns(
        pl.col("games").sum().over("level").alias("own"),
        pl.col("games").sum().over(REASON).alias("alike"),
        pl.col("games").sum().alias("all"),
    )
    games, own, alike, total = (frame[name].to_numpy().astype(np.float64) for name in ("games", "own", "alike", "all"))
    share, mean = games / own, alike / total
    low, high = exact_limits(share, own)
    variance = share * (1 - share) * (1 / own - 2 / total) + mean * (1 - mean) / total
    least = mean * (1 - mean) * (1 / own - 1 / total)
    # A level in which a rare ending never occurs shows no variation. So use at least the variance of the share among
    # all games.
    error, edge = blank_zero(np.sqrt(np.maximum(variance, least))), share - mean
    p = np.minimum(families * holm(np.where(own < total, 2 * normal_sf(np.abs(edge) / error), np.nan)), 1.0)
    half = normal_ppf(family_probability(families * max(int(np.isfinite(p).sum()), 1), rate)) * error
    flag = np.where((p < rate) & (np.abs(edge) > half), np.where(edge > 0, OFTEN, SELDOM), "")
    numbers = {"share": share, "low": low, "high": high, "mean": mean, "edge": edge, "p": p}
    numbers |= {"family_low": edge - half, "family_high": edge + half}
    return frame.select("level", REASON, "games", *known(numbers), pl.Series("flag", flag.astype(str), dtype=pl.String))


def result_rows(counts: pl.DataFrame, endings: Sequence[str]) -> pl.DataFrame:
    """Return one row per level, the largest share of wins first.

    The columns are `games`, `wins` (share) with `low` and `high`, `score` (mean), and `share of <ending>` for each
    ending.
    """
    named = counts.with_columns(pl.concat_str(pl.lit(SHARE_OF), REASON).alias(REASON))
    wide = named.pivot(on=REASON, index="level", values="games")
    sums = counts.group_by("level", maintain_order=True).agg(pl.col("games", "wins", "score").sum())
    share = (sums["wins"] / sums["games"]).to_numpy()
    low, high = exact_limits(share, sums["games"].to_numpy().astype(np.float64))
    shares = sums.select("level", "games", (pl.col("score") / pl.col("games")).alias("score")).with_columns(
        *known({"wins": share, "low": low, "high": high})
    )
    whole = shares.join(wide, on="level", how="left")
    return whole.with_columns(pl.col(f"{SHARE_OF}{name}") / pl.col("games") for name in endings).sort(
        "wins", descending=True
    )


MIN_EXPECTED = 5.0
"""If the expected count of an outcome is below this, there is no chi-square test."""


def against_odds(entry: TallyEntry, counts: pl.DataFrame, rate: float = ALPHA) -> pl.DataFrame:
    """Compare the share of each outcome of a roll, such as a die's faces, with its exact odds.

    Each row of the tally, such as a kind of roll, is a set of independent trials. Holm's correction is over all rows.

    Parameters
    ----------
    entry
        Declaration of a tally. Its columns are the outcomes. Each of its rows holds the odds of every outcome by name,
        if they are known.
    counts
        `row` and the count of each outcome.

    Returns
    -------
    The rows that occur, in their order:
    `row` and `rolls`;
    for each outcome its share, with the suffixes `_low`, `_high` and `_exact` for its limits and its odds;
    `p`, `p_holm` and `flag` ("differs" or "");
    `distance`, the chi-square distance between shares and odds per roll, with its lower limit `distance_low` for all
    rows at once.
    Unknown values are null.
    """
    outcomes = entry.columns
    found = counts.select(outcomes).to_numpy().astype(np.float64)
    exact = np.array([[float(row.values.get(name, np.nan)) for name in outcomes] for row in entry.rows])
    occurs = found.sum(axis=1) > 0
    found, exact = found[occurs], exact[occurs]
    total = found.sum(axis=1)
    columns: dict[str, Floats] = {}
    for place, name in enumerate(outcomes):
        share = found[:, place] / total
        low, high = exact_limits(share, total)
        columns |= {name: share, f"{name}_low": low, f"{name}_high": high, f"{name}_exact": exact[:, place]}
    expected = exact * total[:, None]
    possible = expected > 0
    with np.errstate(divide="ignore", invalid="ignore"):
        parts = np.where(possible, (found - expected) ** 2 / expected, 0.0)
        p = chi2_sf(parts.sum(axis=1), possible.sum(axis=1) - 1)
    enough = np.where(possible, expected, np.inf).min(axis=1) >= MIN_EXPECTED
    p = np.where(enough, p, np.nan)
    p = np.where(((found > 0) & (exact == 0)).any(axis=1), 0.0, p)  # an outcome that occurs at odds of 0 refutes them
    p = np.where(np.isnan(exact).any(axis=1), np.nan, p)
    corrected = holm(p)
    kinds, freedom = max(int(np.isfinite(p).sum()), 1), np.maximum(possible.sum(axis=1) - 1.0, 1.0)
    distance = parts.sum(axis=1)
    least = noncentrality(distance, freedom, float(normal_ppf(1 - rate / kinds)))
    never = ((found > 0) & (exact == 0)).any(axis=1)
    columns |= {"distance": distance / total, "distance_low": np.where(never, 1.0, least) / total}
    flag = np.where((corrected < rate) & (never | (least > 0)), "differs", "")
    return counts.filter(pl.Series(occurs)).select("row", pl.Series("rolls", total.astype(np.int64))).with_columns(
        *known(columns | {"p": p, "p_holm": corrected}), pl.Series("flag", flag, dtype=pl.String)
    )  # fmt: skip
