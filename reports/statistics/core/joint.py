"""Joint tests of many correlated rows: the null distribution of the smallest p-value.

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

from reports.statistics.core.win_rate import (
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
"""Correlations this close to 1 or -1 belong to one hypothesis."""


@dataclass(frozen=True)
class JointNull:
    """The null distribution of the surest of several rows if all are fair.

    Attributes
    ----------
    correlation
        Of the different hypotheses, shape (hypotheses, hypotheses): the two rows of a table of two levels are one.
    draws
        Number of Monte Carlo draws.
    """

    correlation: Floats
    draws: int = DRAWS

    @property
    def hypotheses(self) -> int:
        """Number of different hypotheses."""
        return len(self.correlation)

    @cached_property
    def drawn(self) -> tuple[NDArray[Any], Floats, Floats]:
        """One row in each draw, its upper tail probability, and the residuals of all deviates given that row."""
        rng = np.random.default_rng(SEED)
        values, vectors = np.linalg.eigh(self.correlation)
        root = vectors * np.sqrt(np.maximum(values, 0.0))
        deviates = rng.standard_normal((self.draws, self.hypotheses)) @ root.T
        # Stratified: each row equally often, and evenly spread probabilities in random order.
        row: NDArray[Any] = np.arange(self.draws) % self.hypotheses
        above = rng.permutation((np.arange(self.draws) + 0.5) / self.draws)
        picked = deviates[np.arange(self.draws), row][:, None]
        return row, above, deviates - self.correlation[row] * picked

    def chance(self, p: Floats) -> Floats:
        """Return the probability that any of the rows has a p-value as small as `p`, if all are fair.

        The single-step min P of Westfall and Young (1993). With m rows, M of them as sure as p, it is m p E[1/M], where
        a random row is conditioned to be as sure and the others follow (Owen, Maximov and Chertkov 2019), so rare
        chances are as exact as frequent ones. It is at least p, and at most 1 - (1 - p)^m (Sidak 1967).

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
        """Level of a single row's test such that all together raise a false alarm at the rate `ALPHA`."""
        return self.level(ALPHA)

    def level(self, rate: float) -> float:
        """Return the level of a single row's test such that all together raise a false alarm at this rate."""
        if self.hypotheses == 1:
            return rate
        ends = rate / self.hypotheses, rate
        return float(optimize.brentq(lambda p: float(self.chance(np.array([p]))[0]) - rate, *ends, rtol=1e-4))

    @property
    def tests(self) -> float:
        """Number of independent rows that would need this level by Bonferroni's rule."""
        return ALPHA / self.alone


def joint_null(products: Floats, blocks: int, draws: int = DRAWS) -> JointNull:
    """Return the joint null distribution of rows, from the correlations of their surpluses over blocks.

    Rows are normal with the correlations of their surpluses (Hothorn, Bretz and Westfall 2008); perfectly correlated
    rows are one. Correlations from few blocks are noisy and overstated, so they are shrunk by the part hypotheses /
    blocks, which makes the largest deviate larger, never smaller (Sidak 1968).

    Parameters
    ----------
    products
        From `surpluses.surplus_products`; rows without a surplus in any block do not count.
    draws
        With 10,000 the relative error of a probability is below 1 %.
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
    """Judge the rows of a table as part of a family of tests.

    A row is flagged if its limits for the whole family exclude 0 and its test agrees. The rows of a table of two levels
    are one hypothesis: both are flagged, or none.

    Parameters
    ----------
    frame, moments
        From `win_rate.win_rates`, and its argument.
    null
        Of the family.
    rate
        Error rate of limits and flags of the family.

    Returns
    -------
    The frame with `family_low`, `family_high`, `mde_family`, `p_family` and `flag` of the family; and with `p`,
    `p_holm` and `p_bh` of one test if the table has two levels.
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
        # If one level wins in every block, only one of the two rows varies.
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
