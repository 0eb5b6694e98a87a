"""How evenly seats, factions and strategies are mixed in a run, and which of them are confounded.

References
----------
Bergsma, W. (2013). A bias-correction for Cramer's V and Tschuprow's T. J. Korean Statist. Soc. 42, 323-328.
"""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np
import polars as pl
from numpy.typing import NDArray

from reports.formatting import ROWS
from sim.runs.store.manifest import Manifest

BOUND = 0.999


def bound_groups(cells: pl.DataFrame, manifest: Manifest) -> list[tuple[str, ...]]:
    """Return which of faction, seat and strategy are confounded."""
    pairs = [{one, two} for one, two, plain, _ in associations(cells, manifest) if plain > BOUND]
    # Any two of the three pairs share a column, so there is never more than one group.
    members = set().union(*pairs)
    return [tuple(name for name in ("faction", "seat", "strategy") if name in members)] if members else []


def associations(cells: pl.DataFrame, manifest: Manifest) -> Iterator[tuple[str, str, float, float]]:
    """Yield each two of seat, faction and strategy with their association, plain and corrected for chance."""
    for one, two in (("seat", "faction"), ("seat", "strategy"), ("faction", "strategy")):
        if not {one, two} <= set(cells.columns):
            continue
        counted = cells.group_by(one, two).agg(pl.col("games").sum()).sort(one, two).rename({one: ROWS})
        wide = counted.pivot(on=two, index=ROWS, values="games").fill_null(0).drop(ROWS)
        # A deal counts once, however often its players are rotated, since seat-games of a block are not independent.
        plain, corrected = association(wide.to_numpy().astype(np.float64) / manifest.block_games)
        yield one, two, plain, corrected


def association(counts: NDArray[np.float64]) -> tuple[float, float]:
    """Return the association of two columns of a run: Cramer's V, plain and corrected for chance (Bergsma 2013).

    Parameters
    ----------
    counts
        Contingency table, shape (rows, columns), without empty rows or columns.

    Returns
    -------
    V and corrected V, both in [0, 1]: 0 = evenly mixed, 1 = one column determines the other. (0, 0) if one of them has
    only one level.
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
