"""The finishing orders of a run, packed for a fit, with their cells of seat, faction and strategy."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from reports.data.games import Integers, Stretches, read_games
from reports.data.load import Run, level_columns, level_names
from reports.statistics.core.win_rate import Floats
from reports.statistics.strength import plackett_luce as model

FACTORS = ("faction", "seat", "strategy")
"""Factors of a seat; a game without factions has only seats and strategies."""
PAIR = ("strategy", "faction")
CROSSED = "strategy x faction"
BATCHES = 400
MAX_TABLES, FEWER_TABLES = 50_000, 10_000
"""Maximum games of one table size that are sampled, evenly over the run; fewer for differences of edges."""


@dataclass(frozen=True)
class PackedOrders:
    """The finishing orders of all games of a run, stretch by stretch as `plackett_luce.Orders`.

    Attributes
    ----------
    packed
        For each batch of rows `code` and `rank` of every seat-game, in order of games, `seats` and `batch` of each
        game.
    cell
        Cell of each code, int32; arbitrary for codes that do not occur.
    place
        Index of each of `BATCHES` batches among those that occur, int32.
    cells, batches
        Number of cells and of batches.
    """

    packed: Stretches
    cell: NDArray[np.int32]
    place: NDArray[np.int32]
    cells: int
    batches: int

    def __iter__(self) -> Iterator[model.Orders]:
        """Yield the games of one stretch after the other."""
        for part in self.packed:
            start = np.concatenate(([0], np.cumsum(part["seats"], dtype=np.int64)))
            cell, batch = self.cell[part["code"]], self.place[part["batch"]]
            yield model.Orders(cell, part["rank"], start, batch, self.cells, self.batches)


@dataclass(frozen=True)
class FinishingOrders:
    """The finishing orders of a run and the levels of its cells.

    Attributes
    ----------
    orders
        Games for `reports.statistics.strength.plackett_luce`.
    levels
        Names of the levels that occur, by factor.
    place
        Index of each cell's level in `levels`, by factor, shape (cells,).
    games, wins, fair
        Per cell: seat-games, wins (ties split), and the sum of 1/players.
    sizes
        Games by number of players.
    seated
        Seat-games of each cell at tables of each of `sizes`, shape (sizes, cells).
    samples
        By `MAX_TABLES` and `FEWER_TABLES`: for each of `sizes` at most this many games, evenly over the run.
    blocks
        Number of blocks.
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
    """Packs the games of a run as they are read, and counts them.

    Attributes
    ----------
    packed
        The games.
    codes, batches, seats
        Seat-games by code, games by batch and by number of players, so far.
    blocks
        Blocks so far.
    """

    def __init__(self, codes: int) -> None:
        self.packed = Stretches()
        self.codes, self.batches = np.zeros(codes, np.int64), np.zeros(BATCHES, np.int64)
        self.seats = np.zeros(model.MAX_SEATS + 1, np.int64)
        self.blocks = 0

    def add(self, code: Integers, rank: Integers, start: Integers, block: Integers) -> None:
        """Add a batch of whole blocks: code and place of every seat-game, start of each game and the end, its block."""
        seats, batch = np.diff(start), block % BATCHES
        self.codes += np.bincount(code, minlength=len(self.codes))
        self.batches += np.bincount(batch, minlength=BATCHES)
        self.seats += np.bincount(seats, minlength=len(self.seats))
        self.blocks += len(np.unique(block))
        narrow = np.min_scalar_type(len(self.codes))
        arrays = {"code": code.astype(narrow), "rank": rank.astype(np.int8)}
        self.packed.add(**arrays, seats=seats.astype(np.uint8), batch=batch.astype(np.int16))


def pack_orders(run: Run) -> FinishingOrders:
    """Read and pack the finishing orders of a run in bounded memory."""
    names = {kind: level_names(run.manifest, kind) for kind in level_columns(run.manifest)}
    factions, strategies = len(names.get("faction", "-")), len(names["strategy"])
    packing = Packing(model.MAX_SEATS * factions * strategies)
    for games in read_games(run):
        first = np.flatnonzero(np.diff(games.game, prepend=-1))
        code = (games.seat * factions + games.faction) * strategies + games.strategy
        packing.add(code, games.rank, np.append(first, len(code)), games.block[first])
    seat, rest = np.divmod(np.arange(model.MAX_SEATS * factions * strategies), factions * strategies)
    faction, strategy = np.divmod(rest, strategies)
    names["seat"] = [f"seat {number}" for number in range(model.MAX_SEATS)]
    parts = {"seat": seat, "faction": faction, "strategy": strategy}
    return tabulate(packing, {factor: part for factor, part in parts.items() if factor in names}, names)


def tabulate(packing: Packing, parts: dict[str, Integers], names: dict[str, list[str]]) -> FinishingOrders:
    """Number the cells and batches that occur, and count wins.

    Parameters
    ----------
    packing
        All games.
    parts
        Level of every cell, by factor.
    names
        Names of the levels, by factor.
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
    """A sample of at most `most` games of one size, evenly over the run."""

    def __init__(self, games: int, most: int) -> None:
        self.chosen = np.arange(games) if games <= most else np.linspace(0, games - 1, most).astype(np.int64)
        self.passed = 0
        self.taken: list[model.Orders] = []

    def add(self, orders: model.Orders, players: int) -> None:
        """Take the sampled ones of the next games, all of one size."""
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


def effects_of(table: FinishingOrders, place: dict[str, Integers]) -> dict[str, Floats]:
    """Return the design columns of each factor, for cells of these levels."""
    return {factor: model.contrasts(len(table.levels[factor]))[levels] for factor, levels in place.items()}


def crossed_effects(table: FinishingOrders, place: dict[str, Integers], strategies: Integers) -> Floats:
    """Return the design columns of interactions, for cells of these levels; only these strategies have any."""
    first = np.zeros((len(table.levels["strategy"]), len(strategies) - 1))
    first[strategies] = model.contrasts(len(strategies))
    second = model.contrasts(len(table.levels["faction"]))
    return (first[place["strategy"]][:, :, None] * second[place["faction"]][:, None, :]).reshape(len(place["seat"]), -1)
