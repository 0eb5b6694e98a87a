"""How sure an edge is that was picked from many rows: what luck alone would show in any of them.

References
----------
Sidak, Z. (1967). Rectangular confidence regions for the means of multivariate normal distributions. J. Amer. Statist.
Assoc. 62, 626-633.
Sidak, Z. (1968). On multivariate normal probabilities of rectangles: their dependence on correlations. Annals of
Mathematical Statistics 39, 1425-1434.
Westfall, P. H. and Young, S. S. (1993). Resampling-Based Multiple Testing, ch. 2 (single-step min P).
Hothorn, T., Bretz, F. and Westfall, P. (2008). Simultaneous inference in general parametric models. Biometrical Journal
50, 346-363.
Owen, A. B., Maximov, Y. and Chertkov, M. (2019). Importance sampling the union of rare events with an application to
power systems analysis. Electronic Journal of Statistics 13, 231-254.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray
from scipy import optimize, stats

from reports.statistics.core.winshare import (
    ALPHA,
    Floats,
    any_of,
    edge_columns,
    family_limits,
    known,
    minimum_detectable_effect,
    possible,
)

DRAWS = 10_000
SEED = 1
SAME = 1e-6
"""Correlations so close to 1 or -1 are those of one hypothesis, told twice."""


@dataclass(frozen=True)
class JointNull:
    """What luck does to the surest of several rows if all of them are fair.

    Attributes
    ----------
    correlation
        Of the different hypotheses, shape (hypotheses, hypotheses): the two rows of a table of two levels are one.
    draws
        How many draws each chance rests on.
    """

    correlation: Floats
    draws: int = DRAWS

    @property
    def hypotheses(self) -> int:
        """How many different hypotheses there are."""
        return len(self.correlation)

    @cached_property
    def drawn(self) -> tuple[NDArray[Any], Floats, Floats]:
        """One row in each draw, the chance that its deviate leaves above it, and what of all deviates is free of it."""
        rng = np.random.default_rng(SEED)
        values, vectors = np.linalg.eigh(self.correlation)
        root = vectors * np.sqrt(np.maximum(values, 0.0))
        deviates = rng.standard_normal((self.draws, self.hypotheses)) @ root.T
        # Each row as often as any other, and the chances evenly spread, in an order of their own.
        row: NDArray[Any] = np.arange(self.draws) % self.hypotheses
        above = rng.permutation((np.arange(self.draws) + 0.5) / self.draws)
        picked = deviates[np.arange(self.draws), row][:, None]
        return row, above, deviates - self.correlation[row] * picked

    def chance(self, p: Floats) -> Floats:
        """Chance that any of the rows has a p-value as small as `p`, if all are fair.

        The single-step min P of Westfall and Young (1993): no row is left out for being surer than another, so that
        the chance is true of every row it is said of. With m rows, M of them as sure as p, it is m p E[1/M], where one
        row is drawn by lot to be as sure and the others follow (Owen, Maximov and Chertkov 2019): as exact for rare
        chances as for frequent ones. It is at least p, and at most 1 - (1 - p)^m (Sidak 1967).

        Parameters
        ----------
        p
            Two-sided p-values of rows alone, shape (rows,); NaN stays NaN.
        """
        bound = any_of(p, self.hypotheses)
        if self.hypotheses == 1:
            return bound
        row, above, free = self.drawn
        found = np.where(p == 0, 0.0, np.nan)
        for place in np.flatnonzero(p > 0):
            least = stats.norm.isf(p[place] / 2)
            sure = stats.norm.isf(above * p[place] / 2)[:, None]
            many = (np.abs(free + self.correlation[row] * sure) >= least * (1 - SAME)).sum(axis=1)
            found[place] = self.hypotheses * p[place] * (1 / np.maximum(many, 1)).mean()
        return np.asarray(np.clip(found, p, bound))

    @cached_property
    def alone(self) -> float:
        """Level at which a row alone is tested so that all of them raise a false alarm in one run of twenty."""
        return self.level(ALPHA)

    def level(self, rate: float) -> float:
        """Level at which a row alone is tested so that all of them together raise a false alarm at this rate."""
        if self.hypotheses == 1:
            return rate
        ends = rate / self.hypotheses, rate
        return float(optimize.brentq(lambda p: float(self.chance(np.array([p]))[0]) - rate, *ends, rtol=1e-4))

    @property
    def tests(self) -> float:
        """How many independent rows would need so strict a level by Bonferroni's rule."""
        return ALPHA / self.alone


def joint_null(products: Floats, blocks: int, draws: int = DRAWS) -> JointNull:
    """Find what luck does to many rows at once, from how their surpluses went together over the blocks of a run.

    Rows are normal with the correlations of their surpluses (Hothorn, Bretz and Westfall 2008). Rows that always move
    together, or always against each other, are one. Correlations from few blocks are rough and make rows look more
    alike than they are: they are taken nearer to 0 by the part hypotheses / blocks, which makes the largest deviate
    larger, never smaller (Sidak 1968).

    Parameters
    ----------
    products
        Sums over blocks of the products of the surpluses of any two rows; shape (rows, rows). Rows without a
        surplus in any block cannot be tested and do not count.
    blocks
        How many blocks they are summed over.
    draws
        How many draws; with 10,000 the error of a chance is less than a hundredth of its size.
    """
    varied = np.flatnonzero(np.diag(products) > 0)
    if not len(varied):
        return JointNull(np.ones((1, 1)))
    products = products[np.ix_(varied, varied)]
    scale = np.sqrt(np.diag(products))
    correlation = products / np.outer(scale, scale)
    same = np.abs(correlation) > 1 - SAME
    first = np.flatnonzero(same.argmax(axis=1) == np.arange(len(same)))
    correlation = correlation[np.ix_(first, first)] * max(0.0, 1 - len(first) / blocks)
    np.fill_diagonal(correlation, 1.0)
    return JointNull(correlation, draws)


def judged_together(frame: pl.DataFrame, moments: pl.DataFrame, null: JointNull, rate: float = ALPHA) -> pl.DataFrame:
    """Judge the rows of a table together with those of others, or of that table alone.

    A row is flagged where its limits, which hold for all rows of all these tables at once, leave 0 out, and where its
    test says the same. The rows of a table of two levels are one hypothesis: both are flagged, or none.

    Parameters
    ----------
    frame, moments
        From `winshare.win_shares`, and what it was made of.
    null
        Of all rows that are judged together.
    rate
        How often their limits, or their flags, are wrong of any.

    Returns
    -------
    The frame with `family_low`, `family_high`, `mde_family`, `p_family` and `flag` for all these rows in place of those
    of the table alone; and with `p`, `p_holm` and `p_bh` of one test where the table has two levels.
    """
    m = {name: moments[name].to_numpy() for name in moments.columns if moments[name].dtype.is_numeric()}
    m = {name: values.astype(np.float64) for name, values in m.items()}
    edges = edge_columns(m)
    p = frame["p"].fill_null(np.nan).to_numpy()
    columns: dict[str, Floats] = {}
    if len(p) == 2:
        p = np.full(2, p.max())
        columns |= {"p": p, "p_holm": p, "p_bh": p}
    alone = null.level(rate)
    low, high = family_limits(m, edges, 1 - alone / 2)
    mde = possible(minimum_detectable_effect(edges["error"], m["blocks"], ALPHA / alone), edges["null"])
    columns |= {"family_low": low, "family_high": high, "mde_family": mde, "p_family": null.chance(p)}
    sure = (p <= alone) & ((low > 0) | (high < 0))
    if len(p) == 2:
        # Who wins in every block is known by who never does: half the seats of a table have no variation of their own.
        told = np.isfinite(low)
        sure = np.full(2, bool(told.any() and sure[told].all()))
    flag = np.where(sure, np.where(edges["edge"] > 0, "strong", "weak"), "")
    short = np.where((edges["error"] > 0) & np.isnan(mde), "too few games", "")
    note = np.where(frame["note"].is_in(["", "too few games"]).to_numpy(), short, frame["note"].to_numpy())
    return frame.with_columns(
        *known(columns),
        pl.Series("flag", flag.astype(str), dtype=pl.String),
        pl.Series("note", note.astype(str), dtype=pl.String),
    )
