"""Standardised win rates: each level of a factor in turn takes every seat at the tables that were played.

The module also packs the finishing orders of a run for a fit. Each seat-game has a cell, its combination of seat,
faction and strategy. Shares are averaged over the played tables (standardisation: Lane and Nelder 1982, g-computation:
Robins 1986). `docs/statistics.md` lists the sources.
"""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from math import prod

import numpy as np
from numpy.typing import NDArray

from reports.data.games import GameArrays, GameSums, Integers, Stretches, gather
from reports.data.load import Run, level_columns, level_names
from reports.statistics.core.win_rate import Floats
from reports.statistics.strength import plackett_luce as model
from reports.statistics.strength.plackett_luce import THREADED, Orders
from sim.compiler.kernel import kernel
from sim.data.declarations import MAX_PLAYERS

FACTORS = ("faction", "seat", "strategy")
"""Factors of a cell. A game without factions has only seats and strategies."""
PAIR = ("strategy", "faction")
CROSSED = "strategy x faction"
BATCHES = 400
MAX_TABLES, FEWER_TABLES = 50_000, 10_000
"""Maximum number of games of one table size that are sampled, evenly over the run.

The second, smaller number is for differences of edges.
"""


@dataclass(frozen=True)
class PackedOrders:
    """The finishing orders of all games of a run; iterating yields `plackett_luce.Orders` of consecutive games.

    A code numbers all possible combinations of seat, faction and strategy; a cell numbers those that occur. `packed`
    has for each stretch of games: `code` and `rank` of every seat-game, game by game, first place first; and for each
    game its number of seats (`seats`) and the batch of its block (`batch`). `cell`, int32, is the cell of each code,
    arbitrary for codes that do not occur. `place`, int32, is the index of each of the `BATCHES` batches among those
    that occur.
    """

    packed: Stretches
    cell: NDArray[np.int32]
    place: NDArray[np.int32]
    cells: int
    batches: int

    def __iter__(self) -> Iterator[model.Orders]:
        for part in self.packed:
            start = np.concatenate(([0], np.cumsum(part["seats"], dtype=np.int64)))
            cell, batch = self.cell[part["code"]], self.place[part["batch"]]
            yield model.Orders(cell, part["rank"], start, batch, self.cells, self.batches)


@dataclass(frozen=True)
class FinishingOrders:
    """The finishing orders of a run and the levels of its cells.

    `levels` and `place` have for each factor: names of the levels that occur, and index of each cell's level in them,
    shape (cells,). `games`, `wins` and `fair` are for each cell: seat-games, wins (ties split), and the sum of
    1/players. `sizes` has the number of games by number of players, and `seated`, shape (sizes, cells), the seat-games
    of each cell at tables of each size. `samples[MAX_TABLES]` has for each of `sizes` at most `MAX_TABLES` games,
    evenly spread over the run; `samples[FEWER_TABLES]` likewise.
    """

    orders: PackedOrders
    levels: dict[str, list[str]]
    place: dict[str, Integers]
    games: Floats
    wins: Floats
    fair: Floats
    sizes: dict[int, int]
    seated: Floats
    samples: dict[int, list[model.Orders]]
    blocks: int


class Packing:
    """Packs the games of a run while they are read, and counts them.

    `codes`, `batches` and `seats` are numbers of seat-games by code, of games by batch, and of games by number of
    players.
    """

    def __init__(self, codes: int) -> None:
        self.packed = Stretches()
        self.codes, self.batches = np.zeros(codes, np.int64), np.zeros(BATCHES, np.int64)
        self.seats = np.zeros(MAX_PLAYERS + 1, np.int64)
        self.blocks = 0

    def add(self, code: Integers, rank: Integers, start: Integers, block: Integers) -> None:
        """Add a batch of whole blocks.

        `code` and `rank` have an entry per seat-game. `start` has the index at which each game starts, followed by the
        end. `block` has the block of each game.
        """
        seats, batch = np.diff(start), block % BATCHES
        self.codes += np.bincount(code, minlength=len(self.codes))
        self.batches += np.bincount(batch, minlength=BATCHES)
        self.seats += np.bincount(seats, minlength=len(self.seats))
        self.blocks += 1 + int(np.count_nonzero(np.diff(np.sort(block, kind="stable"))))
        code, rank = code.astype(np.min_scalar_type(len(self.codes))), rank.astype(np.int8)
        model.sort_games(code, rank, start)
        self.packed.add(code=code, rank=rank, seats=seats.astype(np.uint8), batch=batch.astype(np.int16))


class RunOrders(GameSums):
    """Packs the finishing orders of a run; `names` has the names of its factions and strategies."""

    def __init__(self, run: Run) -> None:
        self.names = {kind: level_names(run.manifest, kind) for kind in level_columns(run.manifest)}
        self.shape = MAX_PLAYERS, len(self.names.get("faction", "-")), len(self.names["strategy"])
        self.packing = Packing(prod(self.shape))

    def add(self, games: GameArrays) -> None:
        """Add a batch of whole blocks."""
        _, factions, strategies = self.shape
        first = np.flatnonzero(np.diff(games.game, prepend=-1))
        code = (games.seat * factions + games.faction) * strategies + games.strategy
        self.packing.add(code, games.rank, np.append(first, len(code)), games.block[first])


def pack_orders(run: Run) -> FinishingOrders:
    """Read and pack the finishing orders of a run in bounded memory."""
    found = gather(run, RunOrders)
    names = {**found.names, "seat": [f"seat {number}" for number in range(MAX_PLAYERS)]}
    parts = dict(zip(("seat", "faction", "strategy"), np.indices(found.shape).reshape(3, -1), strict=True))
    return tabulate(found.packing, {factor: part for factor, part in parts.items() if factor in names}, names)


def tabulate(packing: Packing, parts: dict[str, Integers], names: dict[str, list[str]]) -> FinishingOrders:
    """Number the cells and batches that occur, and count wins.

    `parts` has for each factor the level of every code (possible cell), `names` the names of the factor's levels.
    """
    seen, used = packing.codes > 0, packing.batches > 0
    cell, batch = ((np.cumsum(of) - 1).astype(np.int32) for of in (seen, used))
    orders = PackedOrders(packing.packed, cell, batch, int(seen.sum()), int(used.sum()))
    levels, place = {}, {}
    for factor in (factor for factor in FACTORS if factor in parts):
        found, where = np.unique(parts[factor][seen], return_inverse=True)
        levels[factor], place[factor] = [names[factor][level] for level in found], where
    sizes = {int(players): int(packing.seats[players]) for players in np.flatnonzero(packing.seats)}
    wins, fair, seated = np.zeros(orders.cells), np.zeros(orders.cells), np.zeros((len(sizes), orders.cells))
    chosen = {most: [Sample(games, most) for games in sizes.values()] for most in (MAX_TABLES, FEWER_TABLES)}
    for stretch in orders:
        model.add_wins(stretch.cell, stretch.rank, stretch.start, wins, fair)
        for number, players in enumerate(sizes):
            own = model.of_size(stretch, players)
            seated[number] += np.bincount(own.cell, minlength=orders.cells)
            for samples in chosen.values():
                samples[number].add(own, players)
    tables = {most: [sample.whole() for sample in samples] for most, samples in chosen.items()}
    return FinishingOrders(orders, levels, place, seated.sum(axis=0), wins, fair, sizes, seated, tables, packing.blocks)


class Sample:
    """A sample of at most `most` games of one table size, evenly spread over the run."""

    def __init__(self, games: int, most: int) -> None:
        self.chosen = np.arange(games) if games <= most else np.linspace(0, games - 1, most).astype(np.int64)
        self.passed = 0
        self.taken: list[model.Orders] = []

    def add(self, orders: model.Orders, players: int) -> None:
        """Add the next games of the run, as far as the sample includes them. All have this number of players."""
        games = len(orders.batch)
        low, high = np.searchsorted(self.chosen, (self.passed, self.passed + games))
        here = self.chosen[low:high] - self.passed
        self.passed += games
        rows = (here[:, None] * players + np.arange(players)).ravel()
        start = np.arange(len(here) + 1, dtype=np.int64) * players
        taken = replace(orders, cell=orders.cell[rows], rank=orders.rank[rows], start=start, batch=orders.batch[here])
        self.taken.append(taken)

    def whole(self) -> model.Orders:
        """Return the sampled games."""
        cell, rank, batch = (
            np.concatenate([getattr(part, name) for part in self.taken]) for name in ("cell", "rank", "batch")
        )
        seats = np.concatenate([np.diff(part.start) for part in self.taken])
        start = np.concatenate(([0], np.cumsum(seats)))
        return replace(self.taken[0], cell=cell, rank=rank, start=start, batch=batch)


def design_columns(table: FinishingOrders, place: dict[str, Integers]) -> dict[str, Floats]:
    """Return the design columns of each factor. `place` has for each factor the level index of every cell."""
    return {factor: model.contrasts(len(table.levels[factor]))[levels] for factor, levels in place.items()}


def crossed_effects(table: FinishingOrders, place: dict[str, Integers], strategies: Integers) -> Floats:
    """Return the design columns of interactions; `place` as in `design_columns`. Only `strategies` interact."""
    first = np.zeros((len(table.levels["strategy"]), len(strategies) - 1))
    first[strategies] = model.contrasts(len(strategies))
    second = model.contrasts(len(table.levels["faction"]))
    return (first[place["strategy"]][:, :, None] * second[place["faction"]][:, None, :]).reshape(len(place["seat"]), -1)


@dataclass(frozen=True)
class Seating:
    """The played tables of one size, with the levels of one factor.

    `levels` are those that sat at tables of `players` seats, and `weight` is the fraction of each level's seat-games
    that were played there, shape (levels,). `code` and `level`, shape (cells,), are each cell's index in the grid of
    all combinations of levels, and its level of the factor. `stride` is the distance in the grid between neighbouring
    levels of the factor. `group`, shape (all levels,), is the group of each level of the factor; levels of one group
    never sit at the same table. `swaps` tells whether two seats swap their levels when a level moves to another seat;
    see `put_into_seats`.
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
    """Shares of levels at tables of one size, and the derivatives of these shares.

    Rows are parts of the seats, or there is one row for all seats. `share` has shape (parts, levels). `by_own` and
    `by_others`, shape (parts, levels, grid), are derivatives by the log strengths of the grid's cells: by the strength
    of the seat that the level takes, and by the strengths of the other seats.
    """

    share: Floats
    by_own: Floats
    by_others: Floats


def grid_design(table: FinishingOrders, terms: list[str], paired: Integers) -> Floats:
    """Return the design of all combinations of levels, shape (grid, parameters); only `paired` strategies interact."""
    sizes = [len(levels) for levels in table.levels.values()]
    places = np.unravel_index(np.arange(prod(sizes)), sizes)
    place = dict(zip(table.levels, places, strict=True))
    bases = design_columns(table, {name: place[name] for name in terms if name != CROSSED})
    if CROSSED in terms:
        bases[CROSSED] = crossed_effects(table, place, paired)
    return np.concatenate([bases[name] for name in terms], axis=1)


def played_tables(table: FinishingOrders, factor: str, meetings: list[Floats], most: int = MAX_TABLES) -> list[Seating]:
    """Return the played tables of every size, prepared for putting each level of `factor` into their seats.

    A level's results at the sizes are later averaged with its own seat-games at each size as weights.
    `meetings` are how often cells met at tables of each size, from `plackett_luce.count_pairs`. `most` is the maximum
    number of games of one size: `MAX_TABLES` or `FEWER_TABLES`.
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
    """Return the index of each level's group.

    Levels of one group, such as the two sides of a board, never sit at one table.

    Levels are grouped under three conditions: no level sits twice at a table; "never met" splits the levels into
    disjoint groups; and there are at least as many groups as seats at a table. Otherwise each level is its own group.

    Parameters
    ----------
    met
        How often levels met at tables of this size, shape (all levels, all levels).
    levels
        Levels that sat at tables of this size.
    players
        Number of seats at these tables.
    """
    alone = np.arange(len(met))
    if np.trace(met) > 0:
        return alone
    # Levels form a group if the sets of levels that they never met are equal.
    never = met[np.ix_(levels, levels)] == 0
    groups, of_level = np.unique(never, axis=0, return_inverse=True)
    if (groups.sum(axis=0) > 1).any() or len(groups) < players:
        return alone
    group = alone + len(met)
    group[levels] = of_level.ravel()
    return group


def all_at_every_table(orders: Orders, place: Integers, levels: Integers) -> bool:
    """Tell whether every table has every one of `levels`. Then tables differ only in which levels are repeated."""
    games = np.repeat(np.arange(len(orders.start) - 1), np.diff(orders.start))
    seen = np.zeros((len(orders.start) - 1, int(levels.max()) + 1), bool)
    seen[games, place[orders.cell]] = True
    return bool(seen[:, levels].all())


@kernel
def take_seat(
    mine: int, cells: Integers, rates: Floats, others: int, times: float, own: Floats, sums: Floats, slopes: Floats
) -> None:
    """Put the cell `mine` into a seat, and add the wins that are predicted for it, multiplied by `times`.

    The first `others` entries of `cells` and `rates` are the cells of the other seats and their strengths. `own` has
    the strength that each cell has in the seat.

    `sums`, updated in place, holds the total weight and the total predicted wins. `slopes`, updated in place, holds the
    derivatives of these wins by the log strengths of cells, shape (2, cells): in the seat, and in the other seats.
    """
    strength = own[mine]
    total = strength
    for other in range(others):
        total += rates[other]
    share = strength / total
    sums[0] += times
    sums[1] += times * share
    slopes[0, mine] += times * share * (1 - share)
    for other in range(others):
        slopes[1, cells[other]] -= times * share * rates[other] / total


@kernel
def put_into_seats(
    cell: NDArray[np.int32],
    start: Integers,
    code: Integers,
    level: Integers,
    part: Integers,
    stride: int,
    levels: Integers,
    group: Integers,
    swaps: bool,
    own: Floats,
    strength: Floats,
    sums: Floats,
    slopes: Floats,
) -> None:
    """Put every level into every seat of every game, and sum the wins that are predicted for it.

    Everything else at the table stays as it was.

    With `swaps`, two seats swap: the level takes a seat, and the level that sat there goes to the seat that held the
    first level or another level of its group. So the composition of the table stays as played. If several seats hold
    such a level, each of them swaps in turn. So a table counts once for each seat that has the level, as in plain win
    rates.

    Without `swaps`, the other seats keep their levels. This is right if levels were drawn seat by seat.

    Parameters
    ----------
    cell, start
        As in `plackett_luce.Orders`.
    code, level, part
        For each cell: its index in the grid, its level, and its row in the results.
    stride, levels, group, swaps
        As in `Seating`.
    own, strength
        Strengths of the grid's cells: in the seat that is taken, and in the other seats.
    sums
        How often each level was tried, and its predicted wins, shape (parts, all levels, 2); updated in place.
    slopes
        Derivatives by the log strengths in the seat that is taken, and in the other seats, shape (parts, all levels, 2,
        grid); updated in place.
    """
    at, held, rows = np.empty(MAX_PLAYERS, np.int64), np.empty(MAX_PLAYERS, np.int64), np.empty(MAX_PLAYERS, np.int64)
    cells, rates = np.empty(MAX_PLAYERS, np.int64), np.empty(MAX_PLAYERS)
    for game in range(len(start) - 1):
        first, players = start[game], start[game + 1] - start[game]
        for seat in range(players):
            its = cell[first + seat]
            at[seat], held[seat], rows[seat] = code[its], level[its], part[its]
        for seat in range(players):
            others, row, now = 0, rows[seat], held[seat]
            for other in range(players):
                if other != seat:
                    cells[others], rates[others] = at[other], strength[at[other]]
                    others += 1
            for new in levels:
                mine, company, partners = at[seat] + (new - now) * stride, group[new], 0
                for rival in range(players if swaps and (new == now or company != group[now]) else 0):
                    if rival == seat or group[held[rival]] != company:
                        continue
                    partners += 1
                    if new != now:
                        swapped, place = at[rival] + (now - held[rival]) * stride, rival - (rival > seat)
                        cells[place], rates[place] = swapped, strength[swapped]
                        take_seat(mine, cells, rates, others, 1.0, own, sums[row, new], slopes[row, new])
                        cells[place], rates[place] = at[rival], strength[at[rival]]
                if new == now:
                    take_seat(mine, cells, rates, others, 1.0 + partners, own, sums[row, new], slopes[row, new])
                elif partners == 0:
                    take_seat(mine, cells, rates, others, 1.0, own, sums[row, new], slopes[row, new])


def shares_in_seats(seating: Seating, own: Floats, strength: Floats, part: Integers) -> Predicted:
    """Return the shares of all levels at the tables of one size; see `put_into_seats`.

    The share of a level is its predicted share, averaged over all other facts about the seats. (Lane and Nelder 1982
    call this standardisation, Robins 1986 g-computation.) `own` and `strength` are log strengths of the grid's cells,
    shape (grid,): in the seat that is taken, and in the other seats. `part` is the row of the results to which each
    cell belongs, shape (cells,).
    """
    orders, parts, levels = seating.orders, int(part.max()) + 1, len(seating.group)
    facts = (seating.code, seating.level, part, seating.stride, seating.levels, seating.group, seating.swaps)
    # Only ratios of strengths matter.
    highest = max(own.max(), strength.max())
    rates = (np.exp(own - highest), np.exp(strength - highest))

    def add(start: Integers) -> list[Floats]:
        sums = [np.zeros((parts, levels, 2)), np.zeros((parts, levels, 2, len(own)))]
        put_into_seats(orders.cell, start, *facts, *rates, *sums)
        return sums

    # Always split into two halves, so that rounding does not depend on the number of cores.
    if len(orders.start) > THREADED:
        half = (len(orders.start) - 1) // 2
        with ThreadPoolExecutor(2) as threads:
            one, other = threads.map(add, (orders.start[: half + 1], orders.start[half:]))
        sums = [first + second for first, second in zip(one, other, strict=True)]
    else:
        sums = add(orders.start)
    (weight, won), (by_own, by_others) = (np.moveaxis(each, 2, 0) for each in sums)
    scale = np.where(weight > 0, weight, 1.0)
    return Predicted(won / scale, by_own / scale[:, :, None], by_others / scale[:, :, None])


def predicted_shares(draws: Floats, design: Floats, tables: list[Seating], levels: int) -> tuple[Floats, Floats]:
    """Return the shares of all levels at the played tables, with standard errors from linearised resamples.

    `draws` are parameters, shape (1 + resamples, parameters): the fit in the first row, its resamples below. `design`
    is from `grid_design`, `tables` from `played_tables`; `levels` is the number of levels of their factor.
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
    """Return the share of every pair, its share without interaction, and the standard error of the difference.

    A pair is a strategy with a faction. At the played tables, the seats of each strategy get every faction in turn.

    Parameters
    ----------
    main
        The design without the effects of pairs, shape (grid, parameters).
    tables
        From `played_tables`, of the factions.
    part
        Strategy of each cell, shape (cells,).
    shape
        Number of strategies and number of factions.

    Returns
    -------
    Shares, shares without interaction, and errors, each of shape (strategies * factions,). They are averaged over table
    sizes, weighted by the seat-games of the pair's strategy at each size.
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
