"""Standardised win rates: every level of a factor takes the same seats of the played tables in turn.

References
----------
Lane, P. W. and Nelder, J. A. (1982). Analysis of covariance and standardization as instances of prediction. Biometrics
38, 613-621.
Robins, J. (1986). A new approach to causal inference in mortality studies with a sustained exposure period.
Mathematical Modelling 7, 1393-1512.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from math import prod

import numpy as np

from reports.data.games import Integers
from reports.statistics.core.win_rate import Floats
from reports.statistics.strength.finishing_orders import (
    CROSSED,
    MAX_TABLES,
    FinishingOrders,
    crossed_effects,
    effects_of,
)
from reports.statistics.strength.plackett_luce import MAX_SEATS, THREADED, Orders
from sim.compiler.kernel import kernel


@dataclass(frozen=True)
class Seating:
    """The played tables of one size, for the levels of one factor.

    Attributes
    ----------
    orders
        The games.
    players
        Seats at the table.
    levels
        Levels that sat at such tables, shape (levels,).
    weight
        Share of each level's seat-games that were played there, shape (levels,).
    code, level
        Index of each cell in the grid of all combinations of levels, and its level of the factor, shape (cells,).
    stride
        Distance of neighbouring levels of the factor in the grid.
    group
        Levels of one group never sit at one table; shape (all levels of the factor,).
    swaps
        Whether a level that takes a seat swaps with the seat that holds it, see `put_into_seats`.
    """

    orders: Orders
    players: int
    levels: Integers
    weight: Floats
    code: Integers
    level: Integers
    stride: int
    group: Integers
    swaps: bool


@dataclass(frozen=True)
class Predicted:
    """Shares of levels at tables of one size and their derivatives; rows are parts of the seats, or one for all.

    Attributes
    ----------
    share
        Shape (parts, levels).
    by_own, by_others
        Derivatives by the log strengths of the grid's cells, of who takes the seat and of the others, shape
        (parts, levels, grid).
    """

    share: Floats
    by_own: Floats
    by_others: Floats


def grid_design(table: FinishingOrders, terms: list[str], paired: Integers) -> Floats:
    """Return the design of every combination of levels, shape (grid, p); `paired` strategies have interactions."""
    sizes = [len(levels) for levels in table.levels.values()]
    places = np.unravel_index(np.arange(prod(sizes)), sizes)
    place = dict(zip(table.levels, places, strict=True))
    bases = effects_of(table, {name: place[name] for name in terms if name != CROSSED})
    if CROSSED in terms:
        bases[CROSSED] = crossed_effects(table, place, paired)
    return np.concatenate([bases[name] for name in terms], axis=1)


def played_tables(table: FinishingOrders, factor: str, meetings: list[Floats], most: int = MAX_TABLES) -> list[Seating]:
    """Return the tables of every size, weighted by each level's own seat-games at that size.

    Parameters
    ----------
    table, factor
        The run's cells, and one of its factors.
    meetings
        How often cells met at tables of each size, from `plackett_luce.count_pairs`.
    most
        Games of one size that are looked at, `MAX_TABLES` or `FEWER_TABLES`.
    """
    names = list(table.levels)
    sizes = [len(table.levels[name]) for name in names]
    code = np.ravel_multi_index(tuple(table.place[name] for name in names), sizes)
    stride = prod(sizes[names.index(factor) + 1 :])
    which, place = np.eye(len(table.levels[factor]))[table.place[factor]], table.place[factor].astype(np.int64)
    games, found = which.T @ table.games, []
    sizes_of = zip(table.sizes, table.seated, meetings, table.samples[most], strict=True)
    for players, seated, together, orders in sizes_of:
        here = which.T @ seated
        levels = np.flatnonzero(here)
        met = which.T @ together @ which
        group, swaps = companies(met, levels, players), np.trace(met) == 0 or all_at_every_table(orders, place, levels)
        weight = here[levels] / games[levels]
        found.append(Seating(orders, players, levels, weight, code, place, stride, group, swaps))
    return found


def companies(met: Floats, levels: Integers, players: int) -> Integers:
    """Return the group of each level; levels of one group, such as the two sides of a board, never sit at one table.

    Each level is its own group unless no level sits twice at a table, levels that never met form groups, and there are
    enough groups for a table.

    Parameters
    ----------
    met
        How often levels met at tables of this size, shape (all levels, all levels).
    levels
        Levels that sat there.
    players
        The size.
    """
    alone = np.arange(len(met))
    if np.trace(met) > 0:
        return alone
    # Levels with the same set of levels never met form a group.
    never = met[np.ix_(levels, levels)] == 0
    groups, of_level = np.unique(never, axis=0, return_inverse=True)
    if (groups.sum(axis=0) > 1).any() or len(groups) < players:
        return alone
    group = alone + len(met)
    group[levels] = of_level.ravel()
    return group


def all_at_every_table(orders: Orders, place: Integers, levels: Integers) -> bool:
    """Whether every table has every level, so that tables differ at most in repeated levels."""
    games = np.repeat(np.arange(len(orders.start) - 1), np.diff(orders.start))
    seen = np.zeros((len(orders.start) - 1, int(levels.max()) + 1), bool)
    seen[games, place[orders.cell]] = True
    return bool(seen[:, levels].all())


@kernel
def take_seat(  # type: ignore[no-untyped-def]
    at, seat, rival, mine, theirs, players, times, row, new, own, strength, weight, won, by_own, by_others
):
    """Add the share of one seat whose cell becomes `mine`, while that of `rival`, if any, becomes `theirs`."""
    total = own[mine]
    for other in range(players):
        if other != seat:
            total += strength[theirs if other == rival else at[other]]
    share = own[mine] / total
    won[row, new] += times * share
    weight[row, new] += times
    by_own[row, new, mine] += times * share * (1 - share)
    for other in range(players):
        if other != seat:
            cell = theirs if other == rival else at[other]
            by_others[row, new, cell] -= times * share * strength[cell] / total


@kernel
def put_into_seats(  # type: ignore[no-untyped-def]
    cell, start, code, level, part, stride, levels, group, swaps, own, strength, weight, won, by_own, by_others
):
    """Put every level into every seat of every game, and sum its predicted wins.

    All else stays as it was. With `swaps` a level swaps with the seat that holds it, or one of its group, at that
    table, so that the composition of tables stays as played; if several seats hold it each is tried, and a table counts
    as often as it has the level, as in plain shares. Without `swaps`, levels were drawn seat by seat, and the others
    keep theirs.

    Parameters
    ----------
    cell, start
        As in `plackett_luce.Orders`.
    code, level, part
        Place in the grid, level, and row of the results of each cell.
    stride, levels, group, swaps
        As in `Seating`.
    own, strength
        Strengths of the grid's cells: of who takes a seat, and of the others.
    weight, won
        Times that a level was tried, and its wins, shape (parts, all levels); added to.
    by_own, by_others
        Derivatives by log strengths, shape (parts, all levels, grid); added to.
    """
    at = np.empty(MAX_SEATS, np.int64)
    for game in range(len(start) - 1):
        first, players = start[game], start[game + 1] - start[game]
        for seat in range(players):
            at[seat] = code[cell[first + seat]]
        for seat in range(players):
            held, row = level[cell[first + seat]], part[cell[first + seat]]
            for new in levels:
                mine, partners = at[seat] + (new - held) * stride, 0
                sums = (row, new, own, strength, weight, won, by_own, by_others)
                for rival in range(players if swaps else 0):
                    theirs = level[cell[first + rival]]
                    if rival == seat or group[theirs] != group[new] or (new != held and group[new] == group[held]):
                        continue
                    partners += 1
                    if new != held:
                        swapped = at[rival] + (held - theirs) * stride
                        take_seat(at, seat, rival, mine, swapped, players, 1.0, *sums)
                if new == held:
                    take_seat(at, seat, -1, mine, mine, players, 1.0 + partners, *sums)
                elif partners == 0:
                    take_seat(at, seat, -1, mine, mine, players, 1.0, *sums)


def shares_in_seats(seating: Seating, own: Floats, strength: Floats, part: Integers) -> Predicted:
    """Return the shares of all levels at the tables of one size, see `put_into_seats`.

    The mean predicted share over all other facts of the seats (standardisation: Lane and Nelder 1982, g-computation:
    Robins 1986).

    Parameters
    ----------
    seating
        One of `played_tables`.
    own, strength
        Log strengths of the grid's cells: of who takes a seat, and of the others; shape (grid,).
    part
        Row of the results to which each cell belongs, shape (cells,).
    """
    orders, parts, levels = seating.orders, int(part.max()) + 1, len(seating.group)
    facts = (seating.code, seating.level, part, seating.stride, seating.levels, seating.group, seating.swaps)
    # Strengths count by their ratios.
    highest = max(own.max(), strength.max())
    rates = (np.exp(own - highest), np.exp(strength - highest))

    def add(start: Integers) -> list[Floats]:
        plain, sloped = (parts, levels), (parts, levels, len(own))
        sums = [np.zeros(shape) for shape in (plain, plain, sloped, sloped)]
        put_into_seats(orders.cell, start, *facts, *rates, *sums)
        return sums

    # Always two halves, so that rounding does not depend on the number of cores.
    if len(orders.start) > THREADED:
        half = (len(orders.start) - 1) // 2
        with ThreadPoolExecutor(2) as threads:
            one, other = threads.map(add, (orders.start[: half + 1], orders.start[half:]))
        sums = [first + second for first, second in zip(one, other, strict=True)]
    else:
        sums = add(orders.start)
    weight, won, by_own, by_others = sums
    scale = np.where(weight > 0, weight, 1.0)
    return Predicted(won / scale, by_own / scale[:, :, None], by_others / scale[:, :, None])


def predicted_shares(draws: Floats, design: Floats, tables: list[Seating], levels: int) -> tuple[Floats, Floats]:
    """Return the shares of all levels at the played tables, and their standard errors by linearised resamples.

    Parameters
    ----------
    draws
        Parameters, the fit in the first row and its resamples below, shape (1 + resamples, p).
    """
    share, slopes = np.zeros(levels), np.zeros((levels, draws.shape[1]))
    theta = design @ draws[0]
    for one in tables:
        if one.players == 1:
            share[one.levels] += one.weight
            continue
        found = shares_in_seats(one, theta, theta, np.zeros(len(one.code), np.int64))
        share[one.levels] += one.weight * found.share[0, one.levels]
        slopes[one.levels] += one.weight[:, None] * ((found.by_own + found.by_others)[0, one.levels] @ design)
    return share, ((draws[1:] - draws[0]) @ slopes.T).std(axis=0)


def pair_surplus(
    draws: Floats, design: Floats, main: Floats, tables: list[Seating], part: Integers, shape: list[int]
) -> tuple[Floats, Floats, Floats]:
    """Return the share of every pair, its share without interaction, and the error of the difference.

    The seats of each strategy get every faction in turn, at the played tables.

    Parameters
    ----------
    main
        The design without the effects of pairs, shape (grid, p).
    tables
        From `played_tables`, of the factions.
    part
        Strategy of each cell.
    shape
        Numbers of strategies and of factions.

    Returns
    -------
    Shares, promised shares and errors, each of shape (strategies * factions,). A pair is averaged over table sizes by
    the seat-games of its strategy there.
    """
    share, promised, total = np.zeros(shape), np.zeros(shape), np.zeros(shape)
    slopes = np.zeros((*shape, draws.shape[1]))
    whole, alone = design @ draws[0], main @ draws[0]
    for one in (one for one in tables if one.players > 1):
        seated = np.bincount(part, np.bincount(one.orders.cell, minlength=len(part)), shape[0])
        games = seated[:, None] * np.isin(np.arange(shape[1]), one.levels)
        found, told = (shares_in_seats(one, own, whole, part) for own in (whole, alone))
        share, promised, total = share + games * found.share, promised + games * told.share, total + games
        by_whole = found.by_own + found.by_others - told.by_others
        slopes += games[:, :, None] * (by_whole @ design - told.by_own @ main)
    moved = (draws[1:] - draws[0]) @ (slopes / total[:, :, None]).reshape(-1, draws.shape[1]).T
    return (share / total).ravel(), (promised / total).ravel(), moved.std(axis=0)
