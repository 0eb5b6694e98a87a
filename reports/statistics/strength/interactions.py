"""Who does better against some opponents than strength alone predicts. Matchups are shrunk towards that prediction.

The log odds that a finishes ahead of b are strength_a - strength_b + interaction_ab. Strengths and interactions are
normal, with variances that are estimated from the run itself (Efron and Morris 1975). With strengths alone, this is the
model of Bradley and Terry (1952); the model of Plackett and Luce is the same for every single pair. Strengths alone
have no curl: around any three levels the log odds add up to 0 (Jiang et al. 2011). So rock-paper-scissors requires
interactions.

Pairs in one game are not independent, and neither are games of one block. So the covariance of all pairs is estimated
from blocks (Schäfer and Strimmer 2005). The test of all interactions uses the approximation of Satterthwaite (1946).
`docs/statistics.md` lists the sources.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy import linalg, special
from scipy.special import expit

from reports.statistics.core.shrinkage import REACH, steady_error
from reports.statistics.core.win_rate import ALPHA, Floats
from reports.statistics.strength.matchups import Pairs, pair_numbers

MIN_FREEDOM = 3
"""Matchups are shrunk only if pairs outnumber free strengths by at least this. Four levels that all met suffice."""
STEPS = 50
GRID = 8
"""Number of values of each spread (of strengths, of interactions) over which shrunk matchups are averaged."""
LEAST_LIKELY = 0.003
"""Spreads are left out if their likelihood is below this fraction of the greatest likelihood."""
MOST_SPREAD = 4.0
"""Largest spread of strengths or of interactions that is tried, on the scale of log odds."""


@dataclass(frozen=True)
class Interactions:
    """How matchups of a run differ from what strength predicts, and all matchups shrunk.

    Attributes
    ----------
    first, second
        Indices in `names` of the two levels of each pair, shape (pairs,); `first` is the smaller index.
    p
        Chance (p-value) of interactions at least this wide if only strength mattered.
    spread, spread_low, spread_high
        Standard deviation of the interactions, with limits. It is expressed as a change in the share of pairings in
        which one of two equally strong levels is ahead (a fraction).
    share, low, high
        Shrunk share of pairings in which the first level is ahead, with 95 % limits. None if pairs outnumber free
        strengths by fewer than `MIN_FREEDOM`.
    by_strength
        The share that strengths alone predict; None in the same case.
    """

    names: list[str]
    first: np.ndarray
    second: np.ndarray
    p: float
    spread: float
    spread_low: float
    spread_high: float
    share: Floats | None = None
    low: Floats | None = None
    high: Floats | None = None
    by_strength: Floats | None = None


def interactions(pairs: Pairs, rate: float = ALPHA) -> Interactions | None:
    """Return matchups beyond strength, with limits at this error rate; None if the pairs cannot show interactions.

    Pairs can show interactions only if at least three levels met in a circle. If levels met only within groups,
    strengths are comparable within each group only.
    """
    first, second = np.nonzero(pairs.met)
    if not len(first) or pairs.products is None or pairs.blocks < 2:
        return None
    games, ahead = pairs.met[first, second], pairs.ahead[first, second]
    design = incidence(first, second, len(pairs.names))
    freedom = len(first) - int(np.linalg.matrix_rank(design))
    if freedom < 1:
        return None
    middle = strengths_alone(design, ahead, games)
    slope = middle * (1 - middle)
    odds = np.log(middle / (1 - middle)) + (ahead / games - middle) / slope
    covariance = pair_covariance(pairs, first, second, slope)
    if covariance is None:
        return None
    noise = covariance / np.outer(slope, slope)
    if not (np.diag(noise) > 1e-9).all():
        return None  # a few deals that all ended alike say nothing about luck
    p, squares = curl_test(odds, design, noise, games * slope, freedom, pairs.blocks, rate)
    spread, low, high = (float(np.sqrt(square)) / 4 for square in squares)
    if freedom < MIN_FREEDOM:
        return Interactions(pairs.names, first, second, p, spread, low, high)
    mean, error, alone = shrunk(odds, design, steadied(noise, design, pairs.blocks), np.sqrt(squares[2]))
    share, least, most = (expit(mean + sign * REACH * error) for sign in (0, -1, 1))
    return Interactions(pairs.names, first, second, p, spread, low, high, share, least, most, expit(alone))


def incidence(first: np.ndarray, second: np.ndarray, levels: int) -> Floats:
    """Return the design of strengths, shape (pairs, levels): 1 for the first level of a pair, -1 for the second."""
    design = np.zeros((len(first), levels))
    design[np.arange(len(first)), first] = 1.0
    design[np.arange(len(first)), second] = -1.0
    return design


def strengths_alone(design: Floats, ahead: Floats, games: Floats) -> Floats:
    """Return the shares ahead that strengths alone predict (Bradley and Terry).

    One pairing is added to each pair; each side wins half of it.
    """
    wins, games = ahead + 0.5, games + 1
    strength = np.zeros(design.shape[1])
    for _ in range(STEPS):
        share = expit(design @ strength)
        weight = games * share * (1 - share)
        information = design.T @ (design * weight[:, None]) + 1e-6 * np.eye(len(strength))
        step = np.linalg.solve(information, design.T @ (wins - games * share))
        strength = strength + np.clip(step, -1, 1)
        if np.abs(step).max() < 1e-8:
            break
    return np.asarray(expit(design @ strength))


def pair_covariance(pairs: Pairs, first: np.ndarray, second: np.ndarray, variance: Floats) -> Floats | None:
    """Return the covariance of the shares ahead, from blocks; None if nothing varies.

    Pairs with few blocks borrow from other pairs.

    Parameters
    ----------
    variance
        Variance of a single pairing of each pair, by strengths alone, shape (pairs,).
    """
    assert pairs.products is not None
    number = pair_numbers(len(pairs.names))[first, second]
    won, both, met = (pairs.products[..., place][np.ix_(number, number)] for place in range(3))
    games = pairs.met[first, second]
    edge = pairs.ahead[first, second] / games - 0.5
    raw = won - both * edge[None, :] - both.T * edge[:, None] + met * np.outer(edge, edge)
    blocks = pairs.pair_blocks[first, second]
    few = np.sqrt(blocks / np.maximum(blocks - 1, 1)) / games
    raw *= np.outer(few, few)
    own = np.sqrt(np.maximum(np.diag(raw), 0))
    # Take errors relative to those of single pairings, so that pairs of unequal strength can borrow from each other.
    relative = steady_error(own / np.sqrt(variance), blocks, games, np.diag(met))
    if not np.isfinite(relative).all():
        return None
    error, known = relative * np.sqrt(variance), own > 0
    scale = np.where(known, error / np.where(known, own, 1.0), 0.0)
    covariance = raw * np.outer(scale, scale)
    np.fill_diagonal(covariance, error**2)
    return np.asarray(covariance)


def curl_test(
    odds: Floats, design: Floats, noise: Floats, weight: Floats, freedom: int, blocks: int, rate: float
) -> tuple[float, tuple[float, float, float]]:
    """Test whether strengths alone explain all pairs; return p, and the variance of interactions with its limits.

    The statistic is the weighted sum of squared residuals from strengths alone. Without interactions, it is a sum of
    squares of correlated normal values; its distribution is approximately that of a multiple of F (Satterthwaite 1946).
    With interactions, the same holds after the statistic is divided by its mean. This gives the limits. The weights are
    those of single pairings by strengths alone. Observed errors would not do: they are small where luck has moved a
    share far from even, so luck would get more weight.
    """
    inverse = np.linalg.pinv(design.T @ (design * weight[:, None]), hermitian=True)
    residual = np.eye(len(odds)) - design @ (inverse @ (design.T * weight))
    root = np.sqrt(weight)[:, None]
    statistic = float(((root[:, 0] * (residual @ odds)) ** 2).sum())
    spread = (root * residual) @ noise @ (root * residual).T
    mean, squares = float(np.trace(spread)), float((spread**2).sum())
    # Noise in the covariance makes the sum of its squares too large, by the squared trace divided by the number of
    # blocks.
    squares = max(squares - mean**2 / blocks, mean**2 / freedom)
    degrees = mean**2 / squares
    law = degrees, max(blocks - 1, 1)  # of the F distribution
    each = float((weight * np.diag(residual @ residual.T)).sum())
    limits = (statistic / float(special.fdtri(*law, chance)) - mean for chance in (1 - rate / 2, rate / 2))
    found = (max((value) / each, 0.0) for value in (statistic - mean, *limits))
    middle, low, high = found
    return float(special.fdtrc(*law, statistic / mean)), (middle, low, high)


def steadied(noise: Floats, design: Floats, blocks: int) -> Floats:
    """Return an invertible covariance: correlations are shrunk towards those that the model of strengths suggests.

    Pairs with a level in common are correlated, since a good game of that level counts in both pairs. The target has
    equal correlations for all such pairs, as if all levels met equally often (Schäfer and Strimmer 2005: constant
    correlation).
    """
    error = np.sqrt(np.diag(noise))
    correlation, shared = noise / np.outer(error, error), design @ design.T
    off = ~np.eye(len(noise), dtype=bool)
    common = float(np.clip((shared * correlation)[off].sum() / max((shared**2)[off].sum(), 1.0), 0.0, 0.49))
    target = (1 - 2 * common) * np.eye(len(noise)) + common * shared
    apart = float(((correlation - target)[off] ** 2).sum())
    luck = float(((1 - np.minimum(correlation[off] ** 2, 1)) ** 2).sum()) / blocks
    # With two blocks, all correlations are 1 or -1. They say nothing about luck, and the matrix is singular. So always
    # shrink a little.
    pull = 1.0 if apart <= luck else max(luck / apart, 1 / blocks)
    return np.asarray(((1 - pull) * correlation + pull * target) * np.outer(error, error))


def shrunk(odds: Floats, design: Floats, noise: Floats, widest: float) -> tuple[Floats, Floats, Floats]:
    """Return the log odds of all pairs with their errors, and the log odds by strengths alone.

    The log odds are averaged over several spreads of strengths and of interactions, weighted by likelihood. So the
    errors allow for the uncertainty about these spreads.

    Parameters
    ----------
    widest
        Upper limit of the spread of interactions, on the scale of log odds.
    """
    both, own = design @ design.T, np.eye(len(odds))
    rough = float(np.std(odds)) + float(np.sqrt(np.diag(noise).mean()))
    strengths = np.linspace(0.02, min(2 * rough, MOST_SPREAD), GRID)
    wide = np.linspace(0.0, min(max(1.5 * widest, 0.05), MOST_SPREAD), GRID)
    spreads = [(strength**2, interaction**2) for strength in strengths for interaction in wide]
    likelihood = []
    for strength, interaction in spreads:
        factor = linalg.cholesky(strength * both + interaction * own + noise, lower=True)
        scaled = linalg.solve_triangular(factor, odds, lower=True)
        likelihood.append(-0.5 * float(scaled @ scaled) - float(np.log(np.diag(factor)).sum()))
    chance = np.exp(np.array(likelihood) - max(likelihood))
    counted = np.flatnonzero(chance > LEAST_LIKELY)
    chance = chance[counted] / chance[counted].sum()
    means, variances, alone = [], [], []
    for strength, interaction in (spreads[place] for place in counted):
        prior = strength * both + interaction * own
        factor = linalg.cholesky(prior + noise, lower=True)
        half = linalg.solve_triangular(factor, np.column_stack([odds, prior]), lower=True)
        means.append(half[:, 1:].T @ half[:, 0])
        variances.append(np.diag(prior) - (half[:, 1:] ** 2).sum(axis=0))
        alone.append(strength * (both @ linalg.solve_triangular(factor, half[:, 0], lower=True, trans="T")))
    mean = chance @ np.array(means)
    variance = chance @ (np.array(variances) + np.array(means) ** 2) - mean**2
    return mean, np.sqrt(np.maximum(variance, 0.0)), chance @ np.array(alone)
