"""Counts of outcomes against exact odds.

References
----------
Wilson, E. B. (1927). Probable inference, the law of succession, and statistical inference. J. Amer. Statist. Assoc. 22,
209-212.
Pearson, K. (1900). On the criterion that a given system of deviations [...] can be reasonably supposed to have arisen
from random sampling. Philosophical Magazine 50, 157-175.
"""

from __future__ import annotations

import numpy as np
import polars as pl
from scipy import stats

from reports.statistics.core.balance import noncentrality
from reports.statistics.core.winshare import ALPHA, Floats, exact_limits, holm, known
from sim.runs.store.manifest import TallyEntry

LEAST_EXPECTED = 5.0
"""Expected number of an outcome below which the chi-square test is not made."""


def against_odds(entry: TallyEntry, counts: pl.DataFrame) -> pl.DataFrame:
    """Set shares of outcomes against exact odds, each row a set of independent trials; Holm over all rows.

    Parameters
    ----------
    entry
        Columns are outcomes; the values of its rows under these names are the odds, where known.
    counts
        `row` and the number of each outcome.

    Returns
    -------
    Rows that occur, in their order: `row`, `rolls`, and for each outcome its share, with `_low`, `_high` and `_exact`;
    `p`, `p_holm`, `flag` ("differs"); `distance`, the chi-square distance between shares and odds for a roll, with its
    lower limit `distance_low` for all rows at once. Unknown values are null.
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
        p = stats.chi2.sf(parts.sum(axis=1), possible.sum(axis=1) - 1)
    enough = np.where(possible, expected, np.inf).min(axis=1) >= LEAST_EXPECTED
    p = np.where(enough, p, np.nan)
    p = np.where(((found > 0) & (exact == 0)).any(axis=1), 0.0, p)  # what cannot be is no chance, however few rolls
    p = np.where(np.isnan(exact).any(axis=1), np.nan, p)
    corrected = holm(p)
    kinds, freedom = max(int(np.isfinite(p).sum()), 1), np.maximum(possible.sum(axis=1) - 1.0, 1.0)
    distance = parts.sum(axis=1)
    least = noncentrality(distance, freedom, float(stats.norm.ppf(1 - ALPHA / kinds)))
    never = ((found > 0) & (exact == 0)).any(axis=1)
    columns |= {"distance": distance / total, "distance_low": np.where(never, 1.0, least) / total}
    flag = np.where((corrected < ALPHA) & (never | (least > 0)), "differs", "")
    return counts.filter(pl.Series(occurs)).select("row", pl.Series("rolls", total.astype(np.int64))).with_columns(
        *known(columns | {"p": p, "p_holm": corrected}), pl.Series("flag", flag, dtype=pl.String)
    )  # fmt: skip
