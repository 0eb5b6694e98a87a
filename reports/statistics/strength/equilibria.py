"""Symmetric equilibria of a game of several players, from the payoff of each strategy at each table.

All players choose among the same strategies. What a seat wins depends on its own strategy and on how many of the other
seats play each strategy. Let a table have K seats. If the K - 1 others draw their strategies independently from the
mixture x, a seat that plays s wins on average

    u_s(x) = sum over multisets n of K - 1 others of (K - 1)! / prod_t n_t! * prod_t x_t^n_t * U[s among n].

Here n_t of the others play t, and U[s among n] is what a seat that plays s wins at the table with these others.

A mixture x is a symmetric equilibrium if no strategy wins more than x itself: u_s(x) <= x . u(x) for all s. There is
always an equilibrium (Nash 1951), and there may be several. All strategies with a share in an equilibrium win equally
often. These equations are solved for each set of strategies, and each solution is checked against all other strategies.
Stability is that of Haigh (1975), for several players that of Broom, Cannings and Vickers (1997). `docs/statistics.md`
lists the sources.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain, combinations, combinations_with_replacement
from math import comb, factorial

import numpy as np
from numpy.typing import NDArray

from reports.data.games import Integers
from reports.statistics.core.win_rate import Floats

STARTS = 24
"""Number of points from which the equations of three or more strategies are solved."""
STEPS = 40
SOLVED = 1e-10
ALIKE = 1e-9
"""Payoffs closer than this are equal."""
MIN_SHARE = 1e-6
"""If a strategy's share is below this, the solution is dropped. The set without this strategy is tried as well."""
APART = 1e-5
"""Solutions whose shares differ by less than this count as one solution."""
FLAT = 1e-7
"""If the smallest singular value of the equations is below this, they have a whole line of solutions."""


@dataclass(frozen=True)
class Companies:
    """All possible tables, and all sets of opponents that a seat can meet.

    Attributes
    ----------
    players
        Number of seats at the table, K.
    tables
        Number of seats of each strategy, for every multiset of K strategies; shape (tables, strategies).
    others
        Number of other seats of each strategy, for every multiset of K - 1 strategies; shape (others, strategies).
    ways
        In how many ways each set of others can be seated, (K - 1)! / prod n!; shape (others,).
    joined
        Index in `tables` of the table that a strategy and a set of others form; shape (strategies, others).
    """

    players: int
    tables: Integers
    others: Integers
    ways: Floats
    joined: Integers


@dataclass(frozen=True)
class Equilibrium:
    """A mixture against which no strategy gains.

    Attributes
    ----------
    shares
        Share of each strategy, shape (strategies,); they add up to 1.
    gains
        Payoff of each strategy against the mixture minus the payoff of the mixture; shape (strategies,). No gain is
        above 0.
    stable
        Whether the mixture resists small invasions; see `is_stable`.
    single
        Whether the equilibrium is isolated. Two equivalent strategies, for example, give a line of equilibria.
    """

    shares: Floats
    gains: Floats
    stable: bool
    single: bool

    @property
    def support(self) -> tuple[int, ...]:
        """The strategies that have a share in the mixture."""
        return tuple(np.flatnonzero(self.shares > 0).tolist())


def count_tables(strategies: int, players: int) -> int:
    """Return the number of multisets of S strategies at a table of K players: C(S + K - 1, K)."""
    return comb(strategies + players - 1, players)


def multisets(strategies: int, size: int) -> Integers:
    """Return the count of each strategy in every multiset; shape (multisets, strategies), in lexicographic order."""
    entries = list(combinations_with_replacement(range(strategies), size))
    return np.array([np.bincount(np.array(entry, np.int64), minlength=strategies) for entry in entries], np.int64)


def companies_of(strategies: int, players: int) -> Companies:
    """Return the tables of `players` seats, and the sets of opponents of a seat."""
    tables, others = multisets(strategies, players), multisets(strategies, players - 1)
    place = {tuple(row): number for number, row in enumerate(tables.tolist())}
    one_more = others[None, :, :] + np.eye(strategies, dtype=np.int64)[:, None, :]
    joined = np.array([[place[tuple(row)] for row in rows] for rows in one_more.tolist()])
    orders = [factorial(players - 1) / np.prod([factorial(n) for n in row]) for row in others.tolist()]
    return Companies(players, tables, others, np.array(orders), joined)


def met(companies: Companies, shares: Floats) -> Floats:
    """Return the probability of each set of others if each of them plays the mixture.

    Shares of shape (..., strategies) give probabilities of shape (..., others).
    """
    return np.asarray(companies.ways * np.prod(shares[..., None, :] ** companies.others, axis=-1))


def payoffs_by_company(companies: Companies, payoffs: Floats) -> Floats:
    """Return the payoff of each strategy with each set of others, shape (..., strategies, others).

    `payoffs` has shape (..., tables, strategies). Its value is arbitrary for a strategy without a seat at a table.
    """
    strategies = companies.tables.shape[1]
    return np.asarray(payoffs[..., companies.joined, np.arange(strategies)[:, None]])


def won_against(companies: Companies, payoffs: Floats, shares: Floats) -> Floats:
    """Return the payoff u(x) of each strategy against a mixture x, shape (..., strategies)."""
    return np.asarray((payoffs_by_company(companies, payoffs) @ met(companies, shares)[..., None])[..., 0])


def slopes(companies: Companies, won: Floats, shares: Floats) -> Floats:
    """Return the derivatives of u_s(x) by x_t, shape (..., s, t). `won` is from `payoffs_by_company`."""
    strategies = companies.tables.shape[1]
    fewer = np.maximum(companies.others - np.eye(strategies, dtype=np.int64)[:, None, :], 0)
    powers = np.prod(shares[..., None, None, :] ** fewer, axis=-1)  # (..., strategy, others)
    change = companies.ways * companies.others.T * powers
    return np.asarray(won @ np.swapaxes(change, -1, -2))


def symmetric_equilibria(
    companies: Companies, payoffs: Floats, supports: Sequence[tuple[int, ...]] | None = None
) -> list[list[Equilibrium]]:
    """Find the symmetric equilibria of several games that have the same strategies.

    A single strategy is checked against the others. For two strategies, the roots of a polynomial are found. For more,
    Newton's method starts from `STARTS` points, so it can miss one of several equilibria if there are more than two
    players.

    Parameters
    ----------
    payoffs
        Payoff of each strategy at each table; shape (games, tables, strategies).
    supports
        The sets of strategies to try; by default all sets.

    Returns
    -------
    The equilibria of each game; those with fewer strategies come first.
    """
    tried = every_support(companies.tables.shape[1]) if supports is None else supports
    found: list[list[Equilibrium]] = [[] for _ in payoffs]
    for support in tried:
        members = list(support)
        own = companies if len(members) == companies.tables.shape[1] else companies_of(len(members), companies.players)
        rows = np.flatnonzero(companies.tables[:, members].sum(axis=1) == companies.players)
        games, mixtures, single = alike(own, payoffs[:, rows][:, :, members])
        shares = np.zeros((len(games), companies.tables.shape[1]))
        shares[:, members] = mixtures
        for game, mixture, alone in zip(games.tolist(), shares, single.tolist(), strict=True):
            one = checked(companies, payoffs[game], mixture, alone)
            if one is not None:
                found[game].append(one)
    return found


def every_support(strategies: int) -> list[tuple[int, ...]]:
    """Return all non-empty sets of strategies, the smallest first."""
    return list(chain.from_iterable(combinations(range(strategies), size) for size in range(1, strategies + 1)))


def alike(companies: Companies, payoffs: Floats) -> tuple[Integers, Floats, NDArray[np.bool_]]:
    """Find mixtures of all strategies that give all strategies equal payoffs, in several games.

    Returns
    -------
    games, mixtures, single
        Game of each mixture, shape (mixtures,); its shares, shape (mixtures, strategies); and whether it is isolated.
        From a line of solutions, only the most even mixture is returned.
    """
    strategies = payoffs.shape[-1]
    if strategies == 1:
        return np.arange(len(payoffs)), np.ones((len(payoffs), 1)), np.ones(len(payoffs), np.bool_)
    won = payoffs_by_company(companies, payoffs)
    games, mixtures = (of_two if strategies == 2 else of_many)(companies, won)
    equations = by_differences(slopes(companies, won[games], mixtures))
    equations[:, -1] = 1.0
    single = np.linalg.svd(equations, compute_uv=False)[:, -1] > FLAT
    return different(games, mixtures, single)


def of_two(companies: Companies, won: Floats) -> tuple[Integers, Floats]:
    """Find the mixtures of two strategies that give both equal payoffs: the roots of u_0 - u_1.

    With K players, this difference is a polynomial of degree K - 1 in the share of strategy 0. Returns the index of the
    game of each mixture, and its shares.
    """
    degree = companies.players - 1
    games, roots = [], []
    number = companies.others[:, 0]
    # As a polynomial in the odds x / (1 - x), u_0 - u_1 has the coefficients of its Bernstein form.
    coefficients = np.zeros((len(won), degree + 1))
    coefficients[:, degree - number] = companies.ways * (won[:, 0] - won[:, 1])
    for game, line in enumerate(coefficients):
        if np.abs(line).max() < ALIKE:
            odds = np.array([1.0])
        else:
            solved = np.roots(line)
            odds = solved.real[(np.abs(solved.imag) < 1e-7 * (1 + np.abs(solved.real))) & (solved.real > 0)]
        share = odds / (1 + odds)
        inside = share[(share > MIN_SHARE) & (share < 1 - MIN_SHARE)]
        games += [game] * len(inside)
        roots += inside.tolist()
    shares = np.array(roots, np.float64)
    return np.array(games, np.int64), np.stack([shares, 1 - shares], axis=1)


def of_many(companies: Companies, won: Floats) -> tuple[Integers, Floats]:
    """Return the same as `of_two` for more strategies, by Newton's method from many points; mixtures may repeat."""
    strategies = won.shape[1]
    first = start_points(strategies)
    at, game = np.tile(first, (len(won), 1)), np.repeat(np.arange(len(won)), len(first))
    games, mixtures = [np.zeros(0, np.int64)], [np.zeros((0, strategies))]
    for _ in range(STEPS):
        values = by_differences((won[game] @ met(companies, at)[..., None])[..., 0])
        values[:, -1] = at.sum(axis=1) - 1
        solved = np.abs(values).max(axis=1) < SOLVED
        inside = solved & (at > MIN_SHARE).all(axis=1)
        games.append(game[inside])
        mixtures.append(at[inside] / at[inside].sum(axis=1, keepdims=True))
        left = ~solved & (np.abs(at) < 2).all(axis=1)
        game, at, values = game[left], at[left], values[left]
        if not len(game):
            break
        equations = by_differences(slopes(companies, won[game], at))
        equations[:, -1] = 1.0
        at = at - newton_step(equations, values)
    return np.concatenate(games), np.concatenate(mixtures)


def by_differences(values: Floats) -> Floats:
    """Return each strategy's row minus the next one's, along axis 1. Callers replace the last, redundant row."""
    return np.asarray(values - np.roll(values, -1, axis=1))


def newton_step(equations: Floats, values: Floats) -> Floats:
    """Solve several systems of linear equations. If any system is singular, all are solved by least squares."""
    try:
        return np.asarray(np.linalg.solve(equations, values[..., None])[..., 0])
    except np.linalg.LinAlgError:
        return np.asarray((np.linalg.pinv(equations) @ values[..., None])[..., 0])


def start_points(strategies: int) -> Floats:
    """Return starting mixtures: the even mixture, one near each strategy, and random ones with a fixed seed."""
    near = 0.8 * np.eye(strategies) + 0.2 / strategies
    drawn = np.random.default_rng(strategies).dirichlet(np.ones(strategies), max(STARTS - strategies - 1, strategies))
    return np.concatenate([np.full((1, strategies), 1 / strategies), near, drawn])


def different(
    games: Integers, mixtures: Floats, single: NDArray[np.bool_]
) -> tuple[Integers, Floats, NDArray[np.bool_]]:
    """Keep one of several equal mixtures of a game; of all its mixtures on lines, keep only the most even."""
    kept: list[int] = []
    for place in np.lexsort((-mixtures.min(axis=1), games)).tolist():
        same = [
            other for other in kept
            if games[other] == games[place] and (
                np.abs(mixtures[other] - mixtures[place]).max() < APART or not (single[other] or single[place])
            )
        ]  # fmt: skip
        if not same:
            kept.append(place)
    return games[kept], mixtures[kept], single[kept]


def checked(companies: Companies, payoffs: Floats, shares: Floats, single: bool) -> Equilibrium | None:
    """Return a mixture with equal payoffs as an `Equilibrium`, or None if some strategy gains against the mixture."""
    won = won_against(companies, payoffs, shares)
    gains = won - won @ shares
    if gains.max() > ALIKE:
        return None
    return Equilibrium(shares, gains, is_stable(companies, payoffs, shares, gains), single)


def is_stable(companies: Companies, payoffs: Floats, shares: Floats, gains: Floats) -> bool:
    """Tell whether an equilibrium resists small invasions.

    At any nearby mixture y, the equilibrium x must win more than y itself: (x - y) . u(y) > 0. To first order in y - x,
    this requires that strategies without a share lose. To second order, it requires that z . J z < 0 for all z that
    shift shares among the strategies of x, where J is the derivative of u (Haigh 1975 for two players; Broom, Cannings
    and Vickers 1997).
    """
    support = np.flatnonzero(shares > 0)
    if (np.delete(gains, support) > -ALIKE).any():
        return False
    if len(support) == 1:
        return True
    own = slopes(companies, payoffs_by_company(companies, payoffs), shares)[np.ix_(support, support)]
    level = np.eye(len(support)) - 1 / len(support)
    basis = np.linalg.svd(level)[0][:, : len(support) - 1]  # shifts of shares that keep their sum
    return bool(np.linalg.eigvalsh(basis.T @ (own + own.T) @ basis).max() < -ALIKE)
