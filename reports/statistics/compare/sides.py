"""Differences within pairs of factions that differ in one attribute only, such as the two sides of a board."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from typing import Any

import numpy as np
import polars as pl
from scipy import stats

from reports.statistics.core.win_rate import ALPHA, blank_zero, family_probability, holm, known
from sim.data.declarations import Faction

FIRST, SECOND = "first wins more", "second wins more"
"""Flags of a pair; "weak" would read as a verdict on a faction."""


def find_pairs(frame: pl.DataFrame, factions: Sequence[Faction], paired: str, alike: str) -> list[dict[str, Any]]:
    """Return a row for every two factions that differ in `paired` and agree in `alike`."""
    shares = {row["level"]: row for row in frame.to_dicts()}
    groups: dict[str, list[Faction]] = {}
    for faction in factions:
        if faction.name in shares and {paired, alike} <= faction.attributes.keys():
            groups.setdefault(str(faction.attributes[alike]), []).append(faction)
    found = []
    for name, members in groups.items():
        for one, two in combinations(members, 2):
            values = [str(faction.attributes[paired]) for faction in (one, two)]
            if values[0] != values[1]:
                first, second = shares[one.name], shares[two.name]
                row = {"pair": name, "first": values[0], "second": values[1]}
                for place, share in (("first", first), ("second", second)):
                    row |= {f"{place}_{key}": share[key] for key in ("edge", "error", "blocks", "mean_score")}
                    row |= {f"{place}_share": share["win_rate"], f"{place}_faction": share["level"]}
                found.append(row | {"games": first["games"] + second["games"]})
    return found


def compare_pairs(frame: pl.DataFrame, rate: float = ALPHA) -> pl.DataFrame:
    """Add the difference of each pair, with its own limits, those for all pairs, and a test.

    The two of a pair share no block, so their variances add up; degrees of freedom by Satterthwaite. The test takes
    both variances about the mean edge of the pair, as a score test does (see `win_rate.score_test`).

    Returns
    -------
    The frame with `difference`, `difference_low`, `difference_high`, `family_low`, `family_high`, `score_difference`,
    `p` (Holm), `flag` and `note`, largest difference first.
    """
    numbers = frame.with_columns(pl.col("^(first|second)_(edge|error|blocks)$").cast(pl.Float64).fill_null(np.nan))
    edge, error, blocks = (
        np.stack([numbers[f"first_{name}"].to_numpy(), numbers[f"second_{name}"].to_numpy()])
        for name in ("edge", "error", "blocks")
    )
    difference, variance = edge[0] - edge[1], error**2
    with np.errstate(divide="ignore", invalid="ignore"):
        total = blank_zero(np.sqrt(variance.sum(axis=0)))
        freedom = total**4 / (variance**2 / (blocks - 1)).sum(axis=0)
        middle = (edge * blocks).sum(axis=0) / blocks.sum(axis=0)
        null = (variance * (blocks - 1) / blocks + (edge - middle) ** 2 / blocks).sum(axis=0)
        p = holm(np.where(np.isfinite(total), 2 * stats.t.sf(np.abs(difference) / np.sqrt(null), freedom), np.nan))
        own, family = (
            stats.t.ppf(level, freedom) * total for level in (1 - ALPHA / 2, family_probability(frame.height, rate))
        )
    sure = (p < rate) & (np.abs(difference) > family)
    flag = np.where(sure, np.where(difference > 0, FIRST, SECOND), "")
    note = np.where(np.isfinite(total), "", "too few blocks")
    limits = {"difference_low": difference - own, "difference_high": difference + own}
    limits |= {"family_low": difference - family, "family_high": difference + family}
    scores = pl.col("first_mean_score") - pl.col("second_mean_score")
    return frame.with_columns(
        *known({"difference": difference, **limits, "p": p}),
        scores.alias("score_difference"),
        pl.Series("flag", flag.astype(str)),
        pl.Series("note", note.astype(str)),
    ).sort("difference", "pair", descending=[True, False])
