"""How well simulated edges agree with people's edges: ranks, calibration, and factions that differ.

Both edges are estimates. The true edges, x in the simulation and y among people, follow y = slope x + rest. Both x and
rest are normal with mean 0; each has a standard deviation of its own, called its spread. This is a regression with
errors in both variables whose error variances are known (Fuller 1987, ch. 1 and 2). The slope and the two spreads get
flat priors on a grid (Gelman 2006). The intervals are therefore wide if there are few factions. `docs/statistics.md`
lists the sources.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import polars as pl

from reports.statistics.core.win_rate import ALPHA, Floats
from reports.statistics.distributions import normal_isf

DRAWS = 8_000
SEED = 1
SLOPES = np.linspace(-2, 4, 121)
SPREADS = np.linspace(0, 1, 21)[1:]
"""Spreads on the grid, in units of the largest edge."""
HAIR = 1e-9
FEWEST = 4
"""Minimum number of factions for a fit."""


@dataclass(frozen=True)
class Calibration:
    """The relation of people's edges to simulated edges.

    Attributes
    ----------
    slope, slope_low, slope_high, slope_error
        Factor that turns a simulated edge into a prediction of people's edge: its posterior mean, limits and standard
        deviation.
    rest
        Root mean square of the distances of people's true edges from the prediction.
    rank, rank_low, rank_high
        Spearman's rank correlation of the true edges: posterior median and limits.
    observed
        Spearman's rank correlation of the estimates.
    """

    slope: float
    slope_low: float
    slope_high: float
    slope_error: float
    rest: float
    rank: float
    rank_low: float
    rank_high: float
    observed: float


def spearman(one: Floats, other: Floats) -> float:
    """Return the rank correlation of two rows of numbers; NaN if one of them does not vary."""
    ranks = [pl.Series(values).rank("average").to_numpy() for values in (one, other)]
    if any(np.ptp(rank) == 0 for rank in ranks):
        return float("nan")
    return float(np.asarray(np.corrcoef(ranks))[0, 1])


def fit_people_edges(
    simulated: Floats, error: Floats, people: Floats, people_error: Floats, rate: float = ALPHA
) -> Calibration | None:
    """Fit people's edges on simulated edges; return None if there are too few factions.

    Parameters
    ----------
    simulated, error, people, people_error
        Edges of the same factions in the simulation and among people, each followed by its standard errors.
    rate
        Error rate of the limits.
    """
    if len(simulated) < FEWEST:
        return None
    scale = float(np.max(np.abs(np.concatenate([simulated, people]))))
    grid = np.array(np.meshgrid(SLOPES, scale * SPREADS, scale * SPREADS, indexing="ij")).reshape(3, -1)
    slope, rest, spread = grid
    log = np.zeros_like(slope)
    for x, e, y, f in zip(simulated, error, people, people_error, strict=True):
        xx, xy, yy = covariances(slope, rest, spread, e, f)
        determinant = xx * yy - xy**2
        log -= (np.log(determinant) + (yy * x**2 - 2 * xy * x * y + xx * y**2) / determinant) / 2
    weight = np.exp(log - log.max())
    rng = np.random.default_rng(SEED)
    chosen = rng.choice(len(weight), DRAWS, p=weight / weight.sum())
    # Move each drawn slope by a random part of the grid step, so that slopes also lie between the points of the grid.
    b = slope[chosen] + rng.uniform(-0.5, 0.5, DRAWS) * (SLOPES[1] - SLOPES[0])
    t, s = rest[chosen][:, None], spread[chosen][:, None]
    xx, xy, yy = covariances(b[:, None], t, s, error, people_error)
    determinant = xx * yy - xy**2
    # Draw the true edges given both estimates: first x, then y given x. Both are normal.
    to_x, to_y = s**2, b[:, None] * s**2
    mean_x = (to_x * yy - to_y * xy) / determinant * simulated + (to_y * xx - to_x * xy) / determinant * people
    gone = (to_x**2 * yy - 2 * to_x * to_y * xy + to_y**2 * xx) / determinant
    true_x = mean_x + np.sqrt(np.maximum(s**2 - gone, 0)) * rng.standard_normal(mean_x.shape)
    precision = 1 / t**2 + 1 / people_error**2
    mean_y = (b[:, None] * true_x / t**2 + people / people_error**2) / precision
    true_y = mean_y + rng.standard_normal(mean_y.shape) / np.sqrt(precision)
    ranks = [values.argsort(axis=1).argsort(axis=1) for values in (true_x, true_y)]  # no two draws are equal
    centred = [rank - rank.mean(axis=1, keepdims=True) for rank in ranks]
    rank = (centred[0] * centred[1]).sum(axis=1) / np.sqrt(
        (centred[0] ** 2).sum(axis=1) * (centred[1] ** 2).sum(axis=1)
    )
    tails = [rate / 2, 0.5, 1 - rate / 2]
    # The limits are themselves possible values of the correlation. Widen them slightly, so that rounding does not
    # exclude a correlation that equals a limit.
    low, middle, high = (float(value) for value in np.quantile(rank, tails) + np.array([-HAIR, 0, HAIR]))
    slope_low, _, slope_high = (float(value) for value in np.quantile(b, tails))
    return Calibration(
        float(b.mean()), slope_low, slope_high, float(b.std()), float(np.sqrt(np.mean(t**2))), middle, low, high,
        spearman(simulated, people),
    )  # fmt: skip


def covariances(
    slope: Floats, rest: Floats, spread: Floats, error: Floats | float, other: Floats | float
) -> tuple[Floats, Floats, Floats]:
    """Return the variance of simulated edges, the covariance, and the variance of people's, whose error is `other`."""
    return spread**2 + error**2, slope * spread**2, slope**2 * spread**2 + rest**2 + other**2


def predicted(
    simulated: Floats, error: Floats, slope: float, slope_error: float, rest: float
) -> tuple[Floats, Floats, Floats]:
    """Return predictions of the edges among people, with their 95 % limits.

    If the slope is 1, and `slope_error` and `rest` are 0, these are the simulated edges with their own limits.
    """
    edge = slope * simulated
    spread = np.sqrt((slope_error * simulated) ** 2 + (slope * error) ** 2 + rest**2)
    reach = normal_isf(ALPHA / 2) * spread
    return edge, edge - reach, edge + reach


def spread_of(edges: Floats, errors: Floats) -> tuple[float, float]:
    """Return the root mean square of the true edges, without the noise of the estimates, and its standard error."""
    square = float(np.mean(edges**2 - errors**2))
    if square <= 0:
        return 0.0, float(np.sqrt(np.mean(errors**2)))
    root = float(np.sqrt(square))
    noise = np.sqrt(np.sum(4 * edges**2 * errors**2 + 2 * errors**4)) / len(edges)
    return root, float(noise / (2 * root))
