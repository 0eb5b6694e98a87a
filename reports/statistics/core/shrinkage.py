"""Empirical-Bayes shrinkage of edges, by which rows with few games borrow from other rows.

The widest edge of a table is wide partly by luck, most of all with few games. Shrinkage removes from every edge the
part that luck explains. Over the whole table, shrunk edges have smaller errors than raw edges (Stein 1956).

Sources, in full in `docs/statistics.md`: Efron and Morris (1975) and Morris (1983) for estimates and limits, Paule and
Mandel (1982) for the variance between rows, Smyth (2004) for variances that rows borrow from each other.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from reports.statistics.distributions import normal_ppf

MIN_FREEDOM = 4
"""Minimum degrees of freedom for shrinkage. With two or fewer, shrinkage gains nothing (Stein 1956)."""
BORROWED = 30
"""A row with this many blocks gives its own error and that of the table equal weight."""
HALVINGS = 60
REACH = float(normal_ppf(0.975))

Floats = NDArray[np.float64]


def steady_error(error: Floats, blocks: Floats, games: Floats, squares: Floats) -> Floats:
    """Return standard errors, steadied for rows with few blocks by the average variance of the whole table.

    An error from five blocks is mostly luck, and a row without wins has no error. So the variance per seat-game is
    averaged, as gene variances are in small experiments (Smyth 2004). The row's own variance counts with blocks - 1
    degrees of freedom, that of the table with `BORROWED`.

    Parameters
    ----------
    error
        Standard errors of the edges, shape (groups,); 0 or NaN if unknown.
    blocks, games, squares
        Number of blocks, sum(N_b) and sum(N_b^2), where N_b is the number of seat-games in block b.

    Returns
    -------
    Standard errors; NaN for all rows if the table has no variation.
    """
    freedom = np.maximum(blocks - 1, 0)
    size = squares / games**2
    own = np.where(freedom > 0, np.nan_to_num(error) ** 2 / size, 0.0)
    if not (own > 0).any():
        return np.full(error.shape, np.nan)
    whole = float((freedom * own).sum() / freedom.sum())
    return np.asarray(np.sqrt(size * (BORROWED * whole + freedom * own) / (BORROWED + freedom)))


def shrink(
    edge: Floats, error: Floats, crossed: Sequence[NDArray[np.int64]] = ()
) -> tuple[Floats, Floats, Floats] | None:
    """Return empirical-Bayes estimates of edges with 95 % limits (Efron and Morris 1975).

    The model is edge_i = prediction_i + u_i + noise_i with u ~ N(0, tau^2) and noise_i ~ N(0, error_i^2). For a plain
    table the prediction is 0, which is the fair share. For a crossed table it is the sum of a row's effect and a
    column's effect, so that a cell with only a handful of games shows what its row and its column say. tau^2 is that of
    Paule and Mandel (1982): the value at which the sum of the weighted squared residuals equals their degrees of
    freedom. The estimate is prediction + (1 - B) (edge - prediction) with B = error^2 / (error^2 + tau^2).

    Parameters
    ----------
    edge, error
        Shape (groups,).
    crossed
        For a crossed table: the index of each group's level in the first column, and in the second.

    Returns
    -------
    Estimate, lower and upper limit, each of shape (groups,). The limits allow for the fact that tau^2 is estimated
    (Morris 1983, eq. 4.6). None if there are fewer than `MIN_FREEDOM` degrees of freedom, or if any error is 0 or
    unknown.
    """
    design = additive_design(crossed) if crossed else np.zeros((len(edge), 0))
    freedom = len(edge) - (int(np.linalg.matrix_rank(design)) if crossed else 0)
    if freedom < MIN_FREEDOM or not np.isfinite(error).all() or not (error > 0).all():
        return None
    variance = error**2
    between = paule_mandel(edge, variance, design, freedom)
    prediction, doubt = fitted(edge, variance + between, design)
    pull = variance / (variance + between)
    residual = edge - prediction
    estimate = prediction + (1 - pull) * residual
    # The factor (freedom - 2) / freedom and the last term allow for the estimation of tau^2. Morris also uses this
    # factor in the estimate. There it would leave too much luck in cells with a handful of games.
    spread = (
        variance * (1 - (freedom - 2) / freedom * pull) + pull**2 * doubt + 2 / (freedom - 2) * pull**2 * residual**2
    )
    reach = REACH * np.sqrt(spread)
    return estimate, estimate - reach, estimate + reach


def additive_design(crossed: Sequence[NDArray[np.int64]]) -> Floats:
    """Return a design of zeros and ones: one column per level of the first factor, then one per level of the second."""
    return np.hstack([np.eye(int(levels.max()) + 1)[levels] for levels in crossed])


def fitted(edge: Floats, variance: Floats, design: Floats) -> tuple[Floats, Floats]:
    """Return the predictions of edges by least squares with weights 1 / variance, and their variances."""
    if design.shape[1] == 0:
        return np.zeros_like(edge), np.zeros_like(edge)
    weighted = design / variance[:, None]
    inverse = np.linalg.pinv(design.T @ weighted, hermitian=True)
    prediction = design @ (inverse @ (weighted.T @ edge))
    return prediction, np.einsum("ij,jk,ik->i", design, inverse, design, optimize=True)


def paule_mandel(edge: Floats, variance: Floats, design: Floats, freedom: int) -> float:
    """Return the variance tau^2 between rows at which sum(residual^2 / (variance + tau^2)) equals `freedom`.

    It is 0 if no tau^2 above 0 does this.
    """

    def surplus(between: float) -> float:
        total = variance + between
        return float(((edge - fitted(edge, total, design)[0]) ** 2 / total).sum()) - freedom

    low, high = 0.0, float((edge**2).sum()) + float(variance.max())
    if surplus(low) <= 0:
        return 0.0
    for _ in range(HALVINGS):
        middle = (low + high) / 2
        low, high = (middle, high) if surplus(middle) > 0 else (low, middle)
        if high - low < 1e-6 * high:
            break
    return (low + high) / 2
