"""The meta-game: which strategies remain if players copy what wins.

The payoff of a strategy against another is its share ahead of it at one table, minus one half: a symmetric zero-sum
game. Two standard answers are given. Alpha-rank follows one population in which now and then somebody tries another
strategy, and copies it if it does better. The replicator equilibrium is the mixture against which nothing does better
than even.

References
----------
Omidshafiei, S. et al. (2019). Alpha-rank: multi-agent evaluation by evolution. Scientific Reports 9, 9937.
Taylor, P. D. and Jonker, L. B. (1978). Evolutionary stable strategies and game dynamics. Mathematical Biosciences 40,
145-156.
Grassmann, W. K., Taksar, M. I. and Heyman, D. P. (1985). Regenerative analysis and steady state distributions for
Markov chains. Operations Research 33, 1107-1116.
Fisher, D. C. and Ryan, J. (1992). Optimal strategies for a generalized "scissors, paper, and stone" game. American
Mathematical Monthly 99, 935-942.
Efron, B. and Tibshirani, R. J. (1993). An Introduction to the Bootstrap, ch. 13.
"""

from __future__ import annotations

from itertools import pairwise
from math import inf
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray
from scipy.optimize import linprog, minimize

from reports.statistics.matchups import Pairs
from sim.errors import UserError

Floats = NDArray[np.float64]
POPULATION = 50
BATCHES = 200
FEWEST_BATCHES = 20
"""Two blocks that agree would agree in every resample, and pass for certainty."""
RESAMPLES = 500
SEED = 1
EXACT = 1e-9


def payoff_table(sums: Floats) -> Floats:
    """Share ahead minus one half, from sums per pair.

    Parameters
    ----------
    sums
        Pairings and times ahead of each pair (a, b), a < b; shape (..., 2, levels, levels), zeros elsewhere.

    Returns
    -------
    Antisymmetric payoffs, shape (..., levels, levels); NaN for a pair that never met, 0 on the diagonal.
    """
    games, ahead = sums[..., 0, :, :], sums[..., 1, :, :]
    upper = np.triu(np.ones(games.shape[-2:], np.bool_), 1)
    with np.errstate(invalid="ignore", divide="ignore"):
        half = np.where(upper, ahead / games - 0.5, 0.0)
    return np.asarray(half - np.swapaxes(half, -1, -2))


def resample(pairs: Pairs, there: NDArray[np.int64], resamples: int = RESAMPLES) -> Floats:
    """Payoff tables of resampled runs: batches of blocks drawn with replacement (Efron and Tibshirani 1993).

    Returns
    -------
    Shape (resamples, levels, levels); fewer where a pair does not meet in some of them, none for fewer than
    `FEWEST_BATCHES`.
    """
    filled = pairs.batches[pairs.batches[:, 0].sum(axis=(1, 2)) > 0]
    batches = filled[:, :, there][..., there]
    if len(batches) < FEWEST_BATCHES:
        return np.empty((0, len(there), len(there)))
    rng = np.random.default_rng(SEED)
    times = rng.multinomial(len(batches), np.full(len(batches), 1 / len(batches)), resamples).astype(np.float64)
    tables = payoff_table((times @ batches.reshape(len(batches), -1)).reshape(resamples, *batches.shape[1:]))
    return np.asarray(tables[np.isfinite(tables).all(axis=(1, 2))])


def metagame(names: list[str], payoffs: Floats, resampled: Floats) -> pl.DataFrame:
    """Alpha-rank and equilibrium of every strategy, and in how many resamples the order holds.

    Parameters
    ----------
    names
        The strategies.
    payoffs
        Antisymmetric, shape (strategies, strategies).
    resampled
        The same for resampled runs, shape (resamples, strategies, strategies).

    Returns
    -------
    By place: `place`, `strategy`, `payoff`, `alpha`, `mean_alpha`, `equilibrium` with its 95 % percentile interval
    `low`, `high`, `first` and `before_next` (shares of resamples; null for the last place),
    `whole_order` (share of resamples with this order) and `single` (in which one strategy beats all others), the same
    in all rows, `note`.
    """
    alpha, mixture, order = alpha_rank(payoffs), equilibrium(payoffs), ranking(payoffs)
    columns: dict[str, Floats | list[None]] = dict.fromkeys(
        ("whole_order", "single", "mean_alpha", "low", "high", "first", "before_next"), [None] * len(names)
    )
    if len(resampled):
        # In the limit of strong selection only the signs matter, and most resamples agree on them.
        signs, which = np.unique(np.sign(resampled).astype(np.int8), axis=0, return_inverse=True)
        shares = np.array([alpha_rank(sign) for sign in signs])[which]
        places = np.array([np.argsort(ranking(sign)) for sign in signs])[which]
        mixtures = np.array([equilibrium(table, unique=True) for table in resampled])
        low, high = np.quantile(mixtures, (0.025, 0.975), axis=0)
        before = [float((places[:, a] < places[:, b]).mean()) for a, b in pairwise(order)]
        columns |= {
            "whole_order": np.full(len(names), (np.argsort(places, axis=1) == order).all(axis=1).mean()),
            "single": np.full(len(names), ((shares > 0).sum(axis=1) == 1).mean()),
            "mean_alpha": shares.mean(axis=0)[order],
            "low": low[order], "high": high[order], "first": (places == 0).mean(axis=0)[order],
            "before_next": np.array([*before, np.nan]),
        }  # fmt: skip
    known = {
        "payoff": payoffs.sum(axis=1)[order] / (len(names) - 1), "alpha": alpha[order], "equilibrium": mixture[order],
    }  # fmt: skip
    return pl.DataFrame({
        "place": np.arange(1, len(names) + 1), "strategy": [names[i] for i in order],
        **{name: pl.Series(values, dtype=pl.Float64) for name, values in (known | columns).items()},
        "note": ["" if len(resampled) else "too few blocks"] * len(names),
    }).with_columns(pl.col("before_next").fill_nan(None))  # fmt: skip


def alpha_rank(payoffs: Floats, selection: float = inf, population: int = POPULATION) -> Floats:
    """Share of time that each strategy rules a population whose members copy what wins (Omidshafiei et al. 2019).

    From a population that all plays r, each other strategy s is tried at the rate 1/(S - 1) and takes over with the
    chance rho(d) = (1 - exp(-alpha d)) / (1 - exp(-alpha m d)), d = payoff(s, r) - payoff(r, s), 1/m where d = 0.
    The shares are the stationary distribution of this chain.

    Parameters
    ----------
    payoffs
        Antisymmetric, shape (strategies, strategies).
    selection
        The ranking intensity alpha; infinite by default, the limit in which whoever is better always takes over and
        whoever is worse never does.
    population
        m.

    Returns
    -------
    Shares, shape (strategies,), adding up to 1.
    """
    advantage = payoffs.T - payoffs  # of the column's strategy, tried where the row's rules
    if selection == inf:
        takes = np.where(advantage > 0, 1.0, np.where(advantage == 0, 1 / population, 0.0))
    else:
        x = selection * np.where(advantage == 0, 1.0, advantage)
        # Both exponents are kept negative, so that nothing overflows however strong the selection.
        rise = -np.expm1(-np.abs(x)) / -np.expm1(-population * np.abs(x))
        takes = np.where(advantage == 0, 1 / population, rise * np.exp((population - 1) * np.minimum(x, 0)))
    np.fill_diagonal(takes, 0.0)
    return stationary(takes)


def stationary(rates: Floats) -> Floats:
    """Stationary distribution of a chain in which every two states are joined in at least one direction.

    Such a chain has exactly one set of states that it never leaves. On it the elimination of Grassmann, Taksar and
    Heyman (1985) is used, which never subtracts, so that rates of very different size do no harm.

    Parameters
    ----------
    rates
        From row to column, not negative, zero on the diagonal; shape (states, states).
    """
    kept = lasting(rates > 0)
    block = rates[np.ix_(kept, kept)].copy()
    size = len(kept)
    for last in range(size - 1, 0, -1):
        block[:last, last] /= block[last, :last].sum()
        block[:last, :last] += np.outer(block[:last, last], block[last, :last])
    weights = np.ones(size)
    for state in range(1, size):
        weights[state] = weights[:state] @ block[:state, state]
    shares = np.zeros(len(rates))
    shares[kept] = weights / weights.sum()
    return shares


def lasting(moves: NDArray[np.bool_]) -> NDArray[np.int64]:
    """States that a chain with these moves returns to for ever, where every two states are joined by a move.

    The states that it can never leave are entered from all others, so they have the most moves into them: they are the
    shortest beginning, in that order, from which no move leads out. Shape (states in it,).
    """
    order = np.argsort(-moves.sum(axis=0), kind="stable")
    size = 1
    while moves[order[:size]][:, order[size:]].any():
        size += 1
    return np.sort(order[:size])


def ranking(payoffs: Floats) -> NDArray[np.int64]:
    """Strategies in the order of alpha-rank: those that last by their share, then the same without them, and so on."""
    left = np.arange(len(payoffs))
    order: list[int] = []
    while len(left):
        shares = alpha_rank(payoffs[np.ix_(left, left)])
        lasts = np.flatnonzero(shares > 0)
        order += [int(left[i]) for i in lasts[np.argsort(-shares[lasts], kind="stable")]]
        left = np.delete(left, lasts)
    return np.array(order)


def equilibrium(payoffs: Floats, unique: bool = False) -> Floats:
    """Nash equilibrium of the symmetric zero-sum game: the mixture that no strategy beats.

    Only strategies of the lasting component can have a share. With one of them the answer is pure; where the component
    has an inner equilibrium it is the null vector of the payoffs; otherwise a linear programme finds it. Measured
    payoffs without ties have one equilibrium (Fisher and Ryan 1992, for odd supports); where there are several, that
    of largest entropy is taken.

    Parameters
    ----------
    payoffs
        Antisymmetric, shape (strategies, strategies).
    unique
        Take the first equilibrium found, without a look for others.

    Returns
    -------
    Shares x, shape (strategies,), with x @ payoffs >= 0 and sum 1. It is a rest point of `replicator`.
    """
    shares = np.zeros(len(payoffs))
    kept = lasting((payoffs.T > 0) | (payoffs == 0))
    game = payoffs[np.ix_(kept, kept)]
    if len(kept) == 1:
        shares[kept] = 1.0
        return shares
    _, sizes, vectors = np.linalg.svd(game)
    inner = vectors[-1] / vectors[-1].sum() if abs(vectors[-1].sum()) > EXACT else vectors[-1]
    single = sizes[-1] < EXACT < sizes[-2]
    if single and (inner > EXACT).all():
        shares[kept] = inner
        return shares
    found = by_linear_programme(game, np.zeros(len(kept)))
    shares[kept] = found if unique else most_even(game, found)
    return shares


def by_linear_programme(game: Floats, prefer: Floats) -> Floats:
    """Return an equilibrium of a symmetric zero-sum game, of several the one with the largest prefer @ x."""
    size = len(game)
    limits: Any = {"A_ub": -game.T, "b_ub": np.full(size, EXACT), "A_eq": np.ones((1, size)), "b_eq": np.ones(1)}
    result: Any = linprog(-prefer, **limits, bounds=(0, 1), method="highs")
    if not result.success:
        raise UserError(f"the equilibrium of the strategies cannot be found ({result.message})")
    found = np.maximum(result.x, 0)
    return np.asarray(found / found.sum())


def most_even(game: Floats, found: Floats) -> Floats:
    """Return the equilibrium of largest entropy: `found` itself unless another strategy can have a larger share."""
    corners = [by_linear_programme(game, row) for row in np.eye(len(game))]
    if max(float(np.abs(corner - found).max()) for corner in corners) < 1e-6:
        return found
    start = np.mean(corners, axis=0)
    limits: Any = [
        {"type": "eq", "fun": lambda x: x.sum() - 1},
        {"type": "ineq", "fun": lambda x: x @ game + EXACT},
    ]
    result = minimize(_disorder, start, bounds=[(0, 1)] * len(game), constraints=limits, method="SLSQP")
    even = np.maximum(result.x, 0) / np.maximum(result.x, 0).sum()
    return np.asarray(even if (even @ game >= -1e-6).all() else start)


def _disorder(shares: Floats) -> float:
    """Entropy with its sign turned."""
    return float(shares @ np.log(shares + 1e-12))


def replicator(payoffs: Floats, start: Floats, time: float, steps: int = 2000) -> tuple[Floats, Floats]:
    """Follow the replicator dynamics dx_i/dt = x_i ((A x)_i - x A x) (Taylor and Jonker 1978).

    Parameters
    ----------
    payoffs
        A, antisymmetric, so that x A x = 0; shape (strategies, strategies).
    start
        Shares at time 0, shape (strategies,).
    time, steps
        How long, and in how many Runge-Kutta steps of fourth order (of log x, so that shares stay positive).

    Returns
    -------
    Times, shape (steps + 1,), and shares, shape (steps + 1, strategies).
    """
    with np.errstate(divide="ignore"):
        logs = np.log(np.asarray(start, np.float64))
    step = time / steps
    path = np.empty((steps + 1, len(payoffs)))

    def shares(log: Floats) -> Floats:
        raised = np.exp(log - log.max())
        return np.asarray(raised / raised.sum())

    for number in range(steps + 1):
        path[number] = shares(logs)
        k1 = payoffs @ path[number]
        k2 = payoffs @ shares(logs + step / 2 * k1)
        k3 = payoffs @ shares(logs + step / 2 * k2)
        k4 = payoffs @ shares(logs + step * k3)
        logs = logs + step / 6 * (k1 + 2 * k2 + 2 * k3 + k4)
    return np.linspace(0, time, steps + 1), path
