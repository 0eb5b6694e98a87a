"""How likely it is that each row is fair, and the expected loss of each decision.

A row of a table (such as a faction) is fair if its true edge, win rate minus fair share, lies within the margin
(Kruschke 2018). The model is normal, with rows within groups, such as sides within boards: edge = group + row + luck.
The variances of groups and of rows are estimated from the table, and the uncertainty of these estimates is included
(Morris 1983; priors of Gelman 2006). Losses follow Raiffa and Schlaifer (1961, ch. 5, the value of sample information).
`docs/statistics.md` lists the sources.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import polars as pl
from numpy.typing import NDArray

from reports.statistics.core.shrinkage import BORROWED, steady_error
from reports.statistics.distributions import normal_cdf, normal_pdf

PRIOR_SCALE = 0.04
"""Scale of the half-Cauchy priors of both standard deviations, in fair shares. For tables of four it is 1 point."""
STEPS = 64
"""Number of values that each standard deviation can take; they are equally likely a priori."""
COST = 0.5
"""Cost of a change, in margins. An edge that exceeds the margin by less than this cost is cheaper to leave."""
WORTH = 0.25
"""Playing more is worthwhile if it saves this fraction of the cost of a change."""
TWICE, MOST = 2.0, 1000.0
"""If no number of further games is known, "play more" means a multiple of the run's games between these two."""
ENOUGH = 0.5
"""If no number of further games is known, "play more" plays until the error falls to this fraction of the margin."""
NODES, NODE_WEIGHTS = np.polynomial.hermite_e.hermegauss(41)
CHANCES = ("fair_chance", "strong_chance")
LOSSES = {"leave it": "loss_leave", "change it": "loss_change", "more games": "loss_more"}
"""Column of the expected loss of each decision."""
DECISION_WORDS = {"leave it": "leave", "change it": "change", "more games": "play more"}

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Believed:
    """The posterior distribution of each row's true edge, given the table: a mixture of normal distributions.

    Attributes
    ----------
    weight
        Weight of each pair of standard deviations (of groups and of rows), shape (pairs,).
    mean, error
        Mean and standard deviation of each true edge, given a pair of standard deviations; shape (pairs, rows).
    """

    weight: Floats
    mean: Floats
    error: Floats

    def below(self, end: float) -> Floats:
        """Return the chance that each true edge lies below `end`, shape (rows,)."""
        return np.asarray(self.weight @ normal_cdf((end - self.mean) / self.error))

    def moments(self) -> tuple[Floats, Floats]:
        """Return mean and variance of each true edge, shape (rows,)."""
        mean = self.weight @ self.mean
        return mean, self.weight @ (self.error**2 + (self.mean - mean) ** 2)


def believed(edge: Floats, error: Floats, fair: float, groups: NDArray[np.int64] | None = None) -> Believed:
    """Return the posterior distribution of the true edges.

    Let g be the standard deviation of groups and w that of rows within a group. Given g and w, everything is normal and
    has a closed form. Both g and w have half-Cauchy priors (Gelman 2006); each pair of their values is weighted by its
    likelihood. As the edges of m rows add up to 0, the likelihood counts them as m - 1 rows.

    Parameters
    ----------
    edge, error
        Edges and their standard errors, shape (rows,). All errors are above 0.
    fair
        Mean fair share, the unit of the priors.
    groups
        Index of each row's group, shape (rows,); None if rows form no groups.
    """
    quantiles = (np.arange(STEPS) + 0.5) / STEPS
    spreads = (PRIOR_SCALE * fair * np.tan(np.pi / 2 * quantiles)) ** 2
    between = spreads if groups is not None else np.zeros(1)
    member = np.eye(len(edge)) if groups is None else np.eye(int(groups.max()) + 1)[groups]
    g, w = (one.ravel()[:, None] for one in np.meshgrid(between, spreads, indexing="ij"))
    total = error**2 + w
    weights, sums = (1 / total) @ member, (edge / total) @ member
    centre, doubt = g * sums / (1 + g * weights), g / (1 + g * weights)
    fit = np.log(total).sum(1) + (edge**2 / total).sum(1) + (np.log1p(g * weights) - centre * sums).sum(1)
    likelihood = -0.5 * fit * (len(edge) - 1) / len(edge)
    weight = np.exp(likelihood - likelihood.max())
    own = w / total
    centre, doubt = centre @ member.T, doubt @ member.T
    spread = own * error**2 + (1 - own) ** 2 * doubt
    return Believed(weight / weight.sum(), own * edge + (1 - own) * centre, np.sqrt(spread))


def excess(mean: Floats, error: Floats, margin: float) -> Floats:
    """Return the expected amount by which a normally distributed edge exceeds the margin, above or below."""
    error = np.maximum(error, 1e-12)
    over = [side * mean - margin for side in (1, -1)]
    return np.asarray(sum(far * normal_cdf(far / error) + error * normal_pdf(far / error) for far in over))


def losses(mean: Floats, variance: Floats, error: Floats, margin: float, times: Floats) -> dict[str, Floats]:
    """Return the expected loss of each decision, in win rate.

    Leaving a row costs the amount by which its true edge exceeds the margin. A change costs `COST` margins. It is
    assumed to bring the row within the margin, because a change is searched and confirmed with games of its own.
    Playing on until there are `times` as many games costs nothing by itself. The expected loss is then that of the
    cheaper of the first two decisions, chosen with all these games (Raiffa and Schlaifer 1961).

    Parameters
    ----------
    mean, variance
        Posterior mean and variance of the true edges, shape (rows,).
    error
        Standard errors of the edges.
    times
        Multiple of the run's games that are played in all, above 1; shape (rows,).
    """
    cost = COST * margin
    learnt = variance**2 / (variance + error**2 / (times - 1))
    later = mean + np.sqrt(learnt) * NODES[:, None]
    chosen = np.minimum(excess(later, np.sqrt(variance - learnt), margin), cost)
    leave, more = excess(mean, np.sqrt(variance), margin), NODE_WEIGHTS @ chosen / NODE_WEIGHTS.sum()
    change = np.full_like(mean, cost)
    return {"loss_leave": leave, "loss_change": change, "loss_more": more}


def with_fair_chance(
    frame: pl.DataFrame, margin: float, games: int, groups: Sequence[str] | None = None
) -> pl.DataFrame:
    """Add the chance that each row is fair and the expected loss of each decision.

    Parameters
    ----------
    frame
        From `decisions.decided`.
    margin
        The margin as a fraction.
    games
        Number of games of the run.
    groups
        Group of each row, such as the board of a side; None if rows form no groups.

    Returns
    -------
    The frame with `fair_chance` (chance that the true edge lies within the margin), `strong_chance` (chance that it
    lies above the margin), and the expected losses `loss_leave`, `loss_change` and `loss_more`, as fractions. A row has
    nulls if its decision is empty or "cannot tell". All rows have nulls if no row has 30 blocks or if any row has no
    error.
    """
    edge, error, blocks, seats, null, more = (
        frame[name].cast(pl.Float64).fill_null(np.nan).to_numpy()
        for name in ("edge", "error", "blocks", "games", "null", "more_games")
    )
    decided = (~frame["decision"].is_in(["", "cannot tell"])).to_numpy()
    steady = steady_error(error, blocks, seats, seats**2 / blocks) if decided.any() else error
    if (
        not decided.any()
        or blocks.max() < BORROWED
        or not (np.isfinite(steady) & (steady > 0) & np.isfinite(edge)).all()
    ):
        return without_fair_chance(frame)
    places = None if groups is None else np.unique(np.array(groups), return_inverse=True)[1]
    known = believed(edge, steady, float(null.mean()), places)
    times = np.where(more > 0, 1 + more / games, np.clip((steady / (ENOUGH * margin)) ** 2, TWICE, MOST))
    within, above = known.below(margin) - known.below(-margin), 1 - known.below(margin)
    columns = dict(zip(CHANCES, (within, above), strict=True)) | losses(*known.moments(), steady, margin, times)
    told = [pl.Series(name, np.where(decided, values, np.nan)).fill_nan(None) for name, values in columns.items()]
    return frame.with_columns(told)


def without_fair_chance(frame: pl.DataFrame) -> pl.DataFrame:
    """Add the columns of `with_fair_chance`, with nulls."""
    return frame.with_columns(pl.lit(None, pl.Float64).alias(name) for name in (*CHANCES, *LOSSES.values()))


def cheapest(losses: Sequence[float], margin: float) -> str:
    """Return the decision with the lowest expected loss, given the `losses` in the order of `LOSSES`.

    "more games" must lower the expected loss by at least `WORTH` times the cost of a change.
    """
    leave, change, more = losses
    best = min(leave, change)
    if best - more >= WORTH * COST * margin:
        return "more games"
    return "leave it" if leave <= change else "change it"
