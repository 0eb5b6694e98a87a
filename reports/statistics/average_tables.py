"""Win shares at an average table, where everything but the level in question is dealt to all alike.

References
----------
Lane, P. W. and Nelder, J. A. (1982). Analysis of covariance and standardization as instances of prediction. Biometrics
38, 613-621.
Robins, J. (1986). A new approach to causal inference in mortality studies with a sustained exposure period.
Mathematical Modelling 7, 1393-1512.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from reports.statistics.finishing_orders import CROSSED, FinishingOrders, crossed_effects, effects_of

FloatArray = NDArray[np.float64]
IntegerArray = NDArray[np.int64]


@dataclass(frozen=True)
class Seating:
    """Average tables of one size, for the levels of one factor.

    Attributes
    ----------
    players
        Seats at the table.
    levels
        Levels that sat at such tables of the run, shape (levels,).
    weight
        Share of each level's seat-games that were played there, shape (levels,).
    design, mix
        Everything else that a seat there may have, see `average_table`.
    groups
        Who may sit there together, see `companies`.
    """

    players: int
    levels: IntegerArray
    weight: FloatArray
    design: FloatArray
    mix: FloatArray
    groups: FloatArray | None


def companies(levels: FloatArray, games: FloatArray, together: FloatArray, players: int) -> FloatArray | None:
    """Groups of levels that never meet at a table of the run, such as the two sides of one board.

    Parameters
    ----------
    levels
        Which level each cell has, 0 or 1, shape (cells, levels).
    games
        Seat-games of each cell at tables of this size.
    together
        How often cells met at tables of this size, from `plackett_luce.count_pairs`.
    players
        The size.

    Returns
    -------
    How frequent each level is in its group, shape (groups, levels), 0 in others; None where levels were not shared as
    evenly as the seats allow. Each level is its own group unless all that never met fall into groups, and into enough
    of them, or where there are fewer levels than players.
    """
    met = levels.T @ together @ levels
    whole, left = divmod(players, len(met))
    # Pairs of seats with the same level, each counted from both sides: fewest where all sit there equally often.
    fewest = left * (whole + 1) * whole + (len(met) - left) * whole * (whole - 1)
    if np.trace(met) > fewest * games.sum() / players:
        return None
    if players > len(met):
        return np.eye(len(met))
    # Who never met the same never met each other: then what never met makes groups.
    groups = np.unique(met == 0, axis=0)
    if (groups.sum(axis=0) > 1).any() or len(groups) < players:
        groups = np.eye(len(met), dtype=bool)
    members = groups * (levels.T @ games)
    return np.asarray(members / members.sum(axis=1, keepdims=True))


def average_tables(table: FinishingOrders, factor: str, terms: list[str], meetings: list[FloatArray]) -> list[Seating]:
    """Average tables of every size of the run, each with the weight that it has in the plain share of each level.

    Weights are a level's own seat-games: seat 4 is no part of a table of three, and a level that sat mostly at large
    tables is measured, and its fair share taken, mostly there.

    Parameters
    ----------
    table, factor
        The run's cells, and one of its factors.
    terms
        Terms of the model, in the order of their columns.
    meetings
        How often cells met at tables of each size, from `plackett_luce.count_pairs`.
    """
    which = np.eye(len(table.levels[factor]))[table.place[factor]]
    games, found = which.T @ table.games, []
    for players, seated, together in zip(table.sizes, table.seated, meetings, strict=True):
        here = which.T @ seated
        levels = np.flatnonzero(here)
        design, mix = average_table(table, factor, terms, levels, seated)
        groups = companies(which[:, levels], seated, together, players)
        found.append(Seating(players, levels, here[levels] / games[levels], design, mix, groups))
    return found


def average_table(
    table: FinishingOrders, factor: str, terms: list[str], levels: IntegerArray, games: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """Give levels of a factor everything else that seats of the run have.

    What goes with it is taken as it occurs in all these games, whatever the level: so a level gains nothing from having
    been held by strong players, and combinations of the other factors that never occurred, of which a fit may know
    nothing, have no part.

    Parameters
    ----------
    table, factor
        The run's cells, and one of its factors.
    terms
        Terms of the model, in the order of their columns.
    levels
        The levels, shape (levels,).
    games
        Seat-games of each cell, shape (cells,).

    Returns
    -------
    Design of these levels with all else, shape (levels * others, p), and how frequent each of these others is, shape
    (others,).
    """
    rest = [name for name in table.levels if name != factor]
    seen = games > 0
    held = np.stack([table.place[name][seen] for name in rest], axis=1)
    pairs, where = np.unique(held, axis=0, return_inverse=True)
    mix = np.bincount(where.ravel(), games[seen])
    place = {factor: np.repeat(levels, len(pairs))}
    place |= {name: np.tile(pairs[:, column], len(levels)) for column, name in enumerate(rest)}
    bases = effects_of(table, {name: place[name] for name in terms if name != CROSSED})
    if CROSSED in terms:
        bases[CROSSED] = crossed_effects(bases)
    return np.concatenate([bases[name] for name in terms], axis=1), mix / mix.sum()


def predicted_shares(draws: FloatArray, tables: list[Seating], levels: int) -> tuple[FloatArray, FloatArray]:
    """Shares of all levels at average tables, and their standard errors by the linear part of the resamples.

    Parameters
    ----------
    draws
        Parameters, the fit in the first row and its resamples below, shape (1 + resamples, p).
    tables
        From `average_tables`.
    levels
        Number of levels of the factor.
    """
    share, slopes = np.zeros(levels), np.zeros((levels, draws.shape[1]))
    for one in tables:
        if one.players == 1:
            share[one.levels] += one.weight
            continue
        theta = (one.design @ draws[0]).reshape(-1, len(one.mix))
        won, by_strength = average_shares(theta, one.mix, one.players, one.groups is None, one.groups)
        share[one.levels] += one.weight * won
        slopes[one.levels] += one.weight[:, None] * (by_strength.reshape(len(won), -1) @ one.design)
    return share, ((draws[1:] - draws[0]) @ slopes.T).std(axis=0)


def average_shares(
    theta: FloatArray, mix: FloatArray, players: int, repeat: bool, members: FloatArray | None = None
) -> tuple[FloatArray, FloatArray]:
    """Share of games that each level wins at an average table, and how it depends on every strength.

    Every seat draws what else it has from the run's mix, whatever its level (standardisation, g-computation: Lane and
    Nelder 1982, Robins 1986); the levels of the other seats are drawn by lot. Under Plackett-Luce the winner is who
    comes first when item i comes after a time with rate w_i. So with B_k(t) the mean of w exp(-w t) and A_k(t) that of
    exp(-w t) over what else level k may have, its share is the integral over t of B_k(t) E[product of the others'
    A(t)], which needs no list of tables: with replacement the expectation is (mean of A)^(players - 1), without it is
    a mean over sets of other levels. In log t the integrand falls off doubly exponentially, and the trapezium rule is
    exact to ten digits.

    The shares of all levels have mean 1 / players, whatever the strengths. A table of opponents of mean log strength
    would not have this: one hopeless level, with a log strength as low as the prior lets it be, would lift all others.

    Parameters
    ----------
    theta
        Log strengths of each level with everything else it may have, shape (levels, others).
    mix
        How frequent each of these is, shape (others,), adding up to 1.
    players
        Seats at the table, 2 or more.
    repeat
        Whether the levels of the others are drawn with replacement. If not, no level sits there twice; where there are
        fewer levels than players, they sit there as evenly as can be, see `field_of_all`.
    members
        Groups of levels of which one at most sits at a table: groups are drawn by lot, then a level of each. How
        frequent each level is in its group, shape (groups, levels), 0 in others; each level its own group by default.

    Returns
    -------
    Shares, shape (levels,), and their derivatives by all strengths, shape (levels, levels, others).
    """
    members = np.eye(len(theta)) if members is None else members
    group = members.argmax(axis=0)
    pace = 0.35
    nodes = np.arange(-theta.max() - 25, -theta.min() + 4 + pace, pace)
    rates = [np.exp(row + nodes[:, None]) for row in theta]
    absent = np.stack([np.exp(-rate) @ mix for rate in rates], axis=1)
    comes = np.stack([(rate * np.exp(-rate)) @ mix for rate in rates], axis=1)
    field = field_by_lot if repeat else field_of_sets if players <= len(members) else field_of_all
    others, slopes = field(absent @ members.T, players)
    others, slopes = others[:, group], slopes[:, group] @ members
    shares = pace * (comes * others).sum(axis=0)
    by_strength = np.empty((len(theta), *theta.shape))
    for level, rate in enumerate(rates):
        ends = pace * rate * np.exp(-rate) * mix
        by_strength[:, level] = -(comes * slopes[:, :, level]).T @ ends
        by_strength[level, level] += others[:, level] @ (ends * (1 - rate))
    return shares, by_strength


def field_by_lot(absent: FloatArray, players: int) -> tuple[FloatArray, FloatArray]:
    """Chance that nobody else has come where opponents' levels are drawn with replacement; see `field_of_sets`."""
    levels, mean = absent.shape[1], absent.mean(axis=1)[:, None]
    slopes = (players - 1) / levels * mean ** (players - 2)
    shape = (len(absent), levels)
    return np.broadcast_to(mean ** (players - 1), shape), np.broadcast_to(slopes[:, :, None], (*shape, levels))


def field_of_sets(absent: FloatArray, players: int) -> tuple[FloatArray, FloatArray]:
    """Chance that nobody else has come where the levels of a table differ.

    Parameters
    ----------
    absent
        Chance that each level has not come yet, at several times; shape (times, levels).
    players
        Seats at the table.

    Returns
    -------
    For each level the mean over all sets of players - 1 other levels of the product of their chances, shape
    (times, levels), and its derivatives by all chances, shape (times, levels, levels).
    """
    times, levels = absent.shape
    same = np.eye(levels, dtype=bool)
    # means[size][:, k, j]: over sets of this size of the levels met so far, without k and j.
    means = [np.ones((times, levels, levels)), *(np.zeros((times, levels, levels)) for _ in range(players - 1))]
    met = np.zeros((levels, levels))
    for level in range(levels):
        counts = ~(same[level][:, None] | same[level])
        met += counts
        for size in range(players - 1, 0, -1):
            weight = np.where(counts & (met >= size), size / np.maximum(met, 1), 0.0)
            means[size] += (means[size - 1] * absent[:, level, None, None] - means[size]) * weight
    slopes = (players - 1) / max(levels - 1, 1) * means[max(players - 2, 0)] * ~same
    return np.diagonal(means[players - 1], axis1=1, axis2=2), slopes


NEGLIGIBLE = 1e-100
"""A chance too small to matter in any sum of chances."""


def field_of_all(absent: FloatArray, players: int) -> tuple[FloatArray, FloatArray]:
    """Chance that nobody else has come where more players than levels share these evenly; see `field_of_sets`.

    With L levels and players = q L + r, every level sits there q times, and r of them, drawn by lot, once more. Of the
    seats of a level, the share (q + 1) r / players is at tables where it is one of these r.
    """
    levels = absent.shape[1]
    whole, left = divmod(players, levels)
    # What is divided by a chance is multiplied by one as small later: next to 0 it adds nothing, and would overflow.
    inverse = np.divide(1.0, absent, out=np.zeros_like(absent), where=absent > NEGLIGIBLE)
    base = (absent**whole).prod(axis=1)[:, None]
    base_slopes = whole * base * inverse
    once_more = (whole + 1) * left / players
    alone, alone_slopes = field_of_sets(absent, left + 1)
    without = base * inverse
    without_slopes = base_slopes[:, None, :] * inverse[:, :, None] - (without * inverse)[:, :, None] * np.eye(levels)
    others = (1 - once_more) * without * alone
    slopes = (1 - once_more) * (without_slopes * alone[:, :, None] + without[:, :, None] * alone_slopes)
    if left:
        among, among_slopes = field_of_sets(absent, left)
        others += once_more * base * among
        slopes += once_more * (base_slopes[:, None, :] * among[:, :, None] + base[:, :, None] * among_slopes)
    return others, slopes
