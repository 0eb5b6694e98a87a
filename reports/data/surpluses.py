"""Products of the surpluses of all rows of several tables, summed over blocks."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import polars as pl
from numpy.typing import NDArray

from reports.data.games import block_starts, whole_blocks
from reports.data.moments import coded, group_key
from reports.data.one_player import FAIR, LONE, add_lone
from sim.compiler.kernel import Floats, Integers, kernel


def surplus_products(
    seats: pl.LazyFrame, keys: Sequence[str], most_players: int = 12, rows: int | None = None
) -> tuple[NDArray[np.float64], list[str]]:
    """Sum the products of the surpluses of every two levels over the blocks of a run.

    The surplus of a level in a block is D = W - E, wins less fair wins, and 0 if it does not occur. If all levels are
    fair, the normalised sums of D_i D_j are the correlations of their edges.

    Parameters
    ----------
    seats
        One row per seat per game: `block`, `players`, `win` and the columns in `keys`; a row counts for the columns in
        which it is not null.
    keys
        Columns whose levels are the rows of the matrix.
    most_players
        Largest number of players in one game; wins are summed as integers, as in `moments.block_moments`.

    Returns
    -------
    A symmetric matrix over all levels, in squared units of 1/lcm(1..most_players) wins, and the column of each level.
    """
    unit = math.lcm(*range(1, most_players + 1))
    numbered = [group_key(seats, name) for name in keys]
    firsts = np.cumsum([0, *(len(key.levels) for key in numbered)])
    alone = pl.col("players") == 1
    fair = (unit / pl.col("players").cast(pl.Float64)).round()
    if FAIR in seats.collect_schema():
        fair = pl.when(alone).then(unit * pl.col(FAIR)).otherwise(fair)
    surplus = (pl.col("win").cast(pl.Float64) * unit).round() - fair
    chosen = seats.select("block", surplus.alias("surplus"), alone.alias("alone"), *(coded(key) for key in numbered))
    total = int(firsts[-1])
    products, room, seen = np.zeros((total, total)), np.zeros(total), np.zeros((2, total), np.int64)
    lone, games = np.zeros((total, len(LONE))), np.zeros(2)
    for frame in whole_blocks(chosen, rows):
        starts = block_starts(frame)
        columns = [frame[f"code {key.name}"].to_numpy().astype(np.int64) for key in numbered]
        levels = [np.where(code < 0, -1, code + first) for code, first in zip(columns, firsts, strict=False)]
        surpluses, single = frame["surplus"].to_numpy(), frame["alone"].to_numpy()
        add_surplus_products(starts, np.column_stack(levels), surpluses, products, room, seen)
        games += single.sum(), (surpluses[single] ** 2).sum()
        for level in levels:
            add_lone(lone, level[single], surpluses[single])
    lower = np.tril(products, -1)
    products += lower.T
    return products + change_by_mean(lone, *games), [key.name for key in numbered for _ in key.levels]


def change_by_mean(lone: Floats, games: float, squares: float) -> Floats:
    """Return the correction of the products for a fair share that is the mean of the games of one player.

    If level i has the part f_i of these games, its surplus in a game with surplus D is D 1_i - f_i D, so products
    change by - f_j sum(D^2 1_i) - f_i sum(D^2 1_j) + f_i f_j sum(D^2). `lone` is from `one_player.add_lone`.
    """
    part = lone[:, 0] / max(games, 1.0)
    own = np.outer(lone[:, 2], part)
    return np.asarray(np.outer(part, part) * squares - own - own.T)


@kernel
def add_surplus_products(
    starts: Integers, levels: Integers, surplus: Floats, products: Floats, room: Floats, seen: Integers
) -> None:
    """Add the products of the surpluses of blocks.

    Parameters
    ----------
    starts
        From `block_starts`.
    levels
        Levels of each row, -1 for none; shape (rows, columns).
    surplus
        Wins less fair wins, one per row.
    products
        Shape (levels, levels); the lower triangle is added to.
    room, seen
        Zeroed scratch, shapes (levels,) and (2, levels); zero again afterwards.
    """
    for b in range(len(starts) - 1):
        many = 0
        for i in range(starts[b], starts[b + 1]):
            for k in range(levels.shape[1]):
                level = levels[i, k]
                if level < 0:
                    continue
                if seen[1, level] == 0:
                    seen[0, many] = level
                    seen[1, level] = 1
                    many += 1
                room[level] += surplus[i]
        for one in range(many):
            first = seen[0, one]
            for two in range(one + 1):
                second = seen[0, two]
                products[max(first, second), min(first, second)] += room[first] * room[second]
        for one in range(many):
            room[seen[0, one]] = 0.0
            seen[1, seen[0, one]] = 0
