"""Win shares at the tables that were played, where all levels of a factor take the same seats in turn.

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
from reports.statistics.core.winshare import Floats
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
    """Tables of one size as they were played, for the levels of one factor.

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
        Place of each cell in the grid of all combinations of levels, and its level of the factor, shape (cells,).
    stride
        How far two neighbouring levels of the factor lie apart in the grid.
    group
        Levels of one group never sit at one table; shape (all levels of the factor,).
    swaps
        Whether a level that is put into a seat changes places with whoever holds it, see `put_into_seats`.
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
    """Columns of the model's terms for every combination of levels of all factors, shape (grid, p).

    `paired` are the strategies that have effects of pairs.
    """
    sizes = [len(levels) for levels in table.levels.values()]
    places = np.unravel_index(np.arange(prod(sizes)), sizes)
    place = dict(zip(table.levels, places, strict=True))
    bases = effects_of(table, {name: place[name] for name in terms if name != CROSSED})
    if CROSSED in terms:
        bases[CROSSED] = crossed_effects(table, place, paired)
    return np.concatenate([bases[name] for name in terms], axis=1)


def played_tables(table: FinishingOrders, factor: str, meetings: list[Floats], most: int = MAX_TABLES) -> list[Seating]:
    """Tables of every size of the run, each with the weight that it has in the plain share of each level.

    Weights are a level's own seat-games: seat 4 is no part of a table of three, and a level that sat mostly at large
    tables is measured, and its fair share taken, mostly there.

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
    """Group of each level: levels of one group never sit at one table of the run, such as the two sides of one board.

    Each level is its own group unless none sits twice at a table, all that never met fall into groups, and these are
    enough for a table.

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
    # Who never met the same never met each other: then what never met makes groups.
    never = met[np.ix_(levels, levels)] == 0
    groups, of_level = np.unique(never, axis=0, return_inverse=True)
    if (groups.sum(axis=0) > 1).any() or len(groups) < players:
        return alone
    group = alone + len(met)
    group[levels] = of_level.ravel()
    return group


def all_at_every_table(orders: Orders, place: Integers, levels: Integers) -> bool:
    """Whether every table holds every level, so that tables differ at most in which of them sit there once more."""
    games = np.repeat(np.arange(len(orders.start) - 1), np.diff(orders.start))
    seen = np.zeros((len(orders.start) - 1, int(levels.max()) + 1), bool)
    seen[games, place[orders.cell]] = True
    return bool(seen[:, levels].all())


@kernel
def take_seat(  # type: ignore[no-untyped-def]
    at, seat, rival, mine, theirs, players, times, row, new, own, strength, weight, won, by_own, by_others
):
    """Add the share of one seat whose cell becomes `mine`, while that of `rival`, if there is one, becomes `theirs`."""
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
    """Put every level into every seat of every game, and add up what it would win there.

    The seat keeps all else that it has, and so does everybody. With `swaps` a level changes places with whoever holds
    it, or one of its group, at that table, so that tables are made up as they were played: no level sits there twice
    that never did. Where several hold it each is tried, and a table counts as often as it holds the level, as in plain
    shares. Without, levels were drawn seat by seat, and the others keep theirs.

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
    """Shares of all levels at the tables of one size, see `put_into_seats`.

    The mean predicted share over what else each seat has, whoever holds it (standardisation: Lane and Nelder 1982,
    g-computation: Robins 1986).

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

    # Two halves whatever the number of cores, so that sums are rounded in the same way everywhere.
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
    """Shares of all levels at the tables that were played, and their standard errors by the linear part of resamples.

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
    """Share of every pair, what its two levels promise one by one, and the error of the difference.

    The seats of each strategy are given every faction in turn, at the tables that were played; what the two promise is
    the share of the same seats without the pair's own effect.

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
