"""The finishing orders of a run, packed for a fit: its games, and the cells of seat, faction and strategy in them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from reports.data.games import read_games
from reports.data.load import Run, level_columns, level_names
from reports.statistics import plackett_luce as model

FloatArray = NDArray[np.float64]
IntegerArray = NDArray[np.int64]
FACTORS = ("faction", "seat", "strategy")
"""What seats differ by; a game without factions has seats and strategies only."""
PAIR = ("strategy", "faction")
CROSSED = "strategy x faction"
BATCHES = 400


@dataclass(frozen=True)
class FinishingOrders:
    """The finishing orders of a run and what its cells are.

    Attributes
    ----------
    orders
        Games for `reports.statistics.plackett_luce`.
    levels
        Names of the levels that occur, by factor.
    place
        Place of each cell's level in `levels`, by factor, shape (cells,).
    games, wins, fair
        Per cell: seat-games, wins (ties split), and the sum of 1/players.
    sizes
        Games by number of players.
    seated
        Seat-games of each cell at tables of each of `sizes`, shape (sizes, cells).
    blocks
        Number of blocks.
    """

    orders: model.Orders
    levels: dict[str, list[str]]
    place: dict[str, IntegerArray]
    games: FloatArray
    wins: FloatArray
    fair: FloatArray
    sizes: dict[int, int]
    seated: FloatArray
    blocks: int


def gather(run: Run) -> FinishingOrders:
    """Read the finishing orders of a run into packed arrays."""
    names = {kind: level_names(run.manifest, kind) for kind in level_columns(run.manifest)}
    factions, strategies = len(names.get("faction", "-")), len(names["strategy"])
    codes, ranks, starts, blocks, rows = [], [], [], [], 0
    for games in read_games(run):
        codes.append(((games.seat * factions + games.faction) * strategies + games.strategy).astype(np.int32))
        ranks.append(games.rank.astype(np.int8))
        first = np.flatnonzero(np.diff(games.game, prepend=-1))
        starts.append(first + rows)
        blocks.append(games.block[first])
        rows += len(games.rank)
    code, start, block = np.concatenate(codes), np.append(np.concatenate(starts), rows), np.concatenate(blocks)
    seat, rest = np.divmod(np.arange(model.MOST_SEATS * factions * strategies), factions * strategies)
    faction, strategy = np.divmod(rest, strategies)
    names["seat"] = [f"seat {number}" for number in range(model.MOST_SEATS)]
    parts = {"seat": seat, "faction": faction, "strategy": strategy}
    parts = {factor: part for factor, part in parts.items() if factor in names}
    return tabulate(code, np.concatenate(ranks), start, block, parts, names)


def tabulate(
    code: NDArray[np.int32],
    rank: NDArray[np.int8],
    start: IntegerArray,
    block: IntegerArray,
    parts: dict[str, IntegerArray],
    names: dict[str, list[str]],
) -> FinishingOrders:
    """Number the cells that occur, put blocks into batches, and count wins.

    Parameters
    ----------
    code, rank
        Cell and place of every seat-game, games after each other.
    start
        Where each game begins, shape (games + 1,).
    block
        Block of each game.
    parts
        Level of every cell, by factor.
    names
        Names of the levels, by factor.
    """
    seen = np.bincount(code, minlength=len(parts["seat"])) > 0
    cell = (np.cumsum(seen) - 1).astype(np.int32)[code]
    batch = (block % BATCHES).astype(np.int32)
    used = np.bincount(batch, minlength=BATCHES) > 0
    batch = (np.cumsum(used) - 1).astype(np.int32)[batch]
    orders = model.Orders(cell, rank, start, batch, int(seen.sum()), int(used.sum()))
    levels, place = {}, {}
    for factor in (factor for factor in FACTORS if factor in parts):
        found, where = np.unique(parts[factor][seen], return_inverse=True)
        levels[factor], place[factor] = [names[factor][level] for level in found], where
    wins, fair = np.zeros(orders.cells), np.zeros(orders.cells)
    model.add_wins(cell, rank, start, wins, fair)
    played = np.bincount(np.diff(start))
    sizes = {int(players): int(played[players]) for players in np.flatnonzero(played)}
    seated = np.stack(
        [np.bincount(model.of_size(orders, players).cell, minlength=orders.cells) for players in sizes]
    ).astype(np.float64)
    return FinishingOrders(orders, levels, place, seated.sum(axis=0), wins, fair, sizes, seated, len(np.unique(block)))


def effects_of(table: FinishingOrders, place: dict[str, IntegerArray]) -> dict[str, FloatArray]:
    """Columns of the effects of each factor, for cells of these levels."""
    return {factor: model.contrasts(len(table.levels[factor]))[levels] for factor, levels in place.items()}


def crossed_effects(table: FinishingOrders, place: dict[str, IntegerArray], strategies: IntegerArray) -> FloatArray:
    """Columns of the effects of pairs, for cells of these levels: each column of one factor times each of the other.

    Only the given strategies have such effects, with sum zero over them; all others have none.
    """
    first = np.zeros((len(table.levels["strategy"]), len(strategies) - 1))
    first[strategies] = model.contrasts(len(strategies))
    second = model.contrasts(len(table.levels["faction"]))
    return (first[place["strategy"]][:, :, None] * second[place["faction"]][:, None, :]).reshape(len(place["seat"]), -1)
