"""Sum a run by group and block: the moments for win rates and their intervals, many groupings in one pass.

The kernel sums one block at a time in a scratch row per group, and adds squares and products to the totals, so that
memory use does not grow with the number of blocks.

It also sums the products of the surpluses of all rows of several tables over blocks.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from reports.data.games import block_starts, whole_blocks
from reports.data.load import FAIR, LONE, add_lone, squares_about_mean
from sim.compiler.kernel import Floats, Integers, kernel

SUMS = ("blocks", "largest", "N", "W", "E", "S", "R", "K", "NN", "WW", "WN", "DD", "DN", "SS", "SN", "RR", "RN")
ONCE, TWICE = ("W", "E", "WN", "DN"), ("WW", "DD")
COLUMNS = ("win", "fair", "score", "rank", "middle")
PARTS = 6
"""Number of sums within a block: N, W, E, S, R and K."""


@dataclass(frozen=True)
class GroupKey:
    """A grouping column: its name, its levels, and an expression for the index of a row's level (null for none)."""

    name: str
    levels: pl.Series
    code: pl.Expr


def block_moments(seats: pl.LazyFrame, keys: Sequence[str], most_players: int = 12) -> pl.DataFrame:
    """Sum a run by group to the first and second moments of its block sums.

    Parameters
    ----------
    seats
        One row per seat per game: `block`, `players`, `win`, `score`, `rank` and the columns in `keys` (integers,
        strings or Enum); a row with a null key belongs to no group. With `fair` if some games have one player, see
        `load.with_fair_share`.
    keys
        Columns that make up a group, e.g. `["faction"]` or `["strategy", "faction"]`.
    most_players
        Largest number of players in one game. Wins are summed as integers in units of 1/lcm(1..most_players), so that
        three thirds are exactly one win and sums do not depend on the order of rows.

    Returns
    -------
    One row per group, sorted by `keys`: `blocks` in which the group occurs and sums over them of N (seat-games),
    W (wins), E (1/players, or `fair`), S (score), R (rank), K ((players + 1) / 2, the mean rank of a game), and of the
    products NN, WW, WN, DD, DN, SS, SN, RR, RN, where D = W - E; `largest` is the largest N. Where `fair` is a mean of
    the run, DD allows for that (`load.squares_about_mean`).
    """
    return moments_of(seats, [keys], most_players)[0]


def moments_of(
    seats: pl.LazyFrame, groupings: Sequence[Sequence[str]], most_players: int = 12, rows: int | None = None
) -> list[pl.DataFrame]:
    """Return `block_moments` of several groupings, in one pass over the rows.

    Parameters
    ----------
    groupings
        The columns of each grouping.
    """
    return moments_and_products(seats, groupings, (), most_players, rows)[0]


def moments_and_products(
    seats: pl.LazyFrame,
    groupings: Sequence[Sequence[str]],
    together: Sequence[str],
    most_players: int = 12,
    rows: int | None = None,
) -> tuple[list[pl.DataFrame], Floats, list[str]]:
    """Return moments of groupings and products of surpluses, in one pass over the rows.

    The surplus of a level in a block is D = W - E, wins minus fair wins, or 0 if the level does not occur. If all
    levels are fair, the normalised sums of D_i D_j over the blocks are the correlations of their edges.

    Parameters
    ----------
    seats, groupings, most_players
        As for `moments_of`.
    together
        Columns whose levels are the rows of the products; a row counts for the columns in which it is not null.

    Returns
    -------
    The frames of `moments_of`; the products, a symmetric matrix over all levels, in squared units of
    1/lcm(1..most_players) wins; the column of each level.
    """
    unit, schema = math.lcm(*range(1, most_players + 1)), seats.collect_schema()
    wanted = list(dict.fromkeys([*((name,) for name in together), *(tuple(keys) for keys in groupings)]))
    keys = {name: group_key(seats, name) for name in dict.fromkeys(name for grouping in wanted for name in grouping)}
    sizes = [[len(keys[name].levels) for name in grouping] for grouping in wanted]
    firsts = np.cumsum([0, *(math.prod(size) for size in sizes)])
    groups, joint = int(firsts[-1]), int(firsts[len(together)])
    sums, products, lone = np.zeros((groups, len(SUMS))), np.zeros((joint, joint)), np.zeros((groups, len(LONE)))
    room, seen = np.zeros((groups, PARTS)), np.zeros(groups, np.int64)
    games = np.zeros(2)  # number of games of one player, and the sum of their squared surpluses
    columns = [name for name in ("block", "win", "players", "score", "rank", FAIR) if name in schema]
    chosen = seats.select(
        *columns, *(key.code.cast(pl.Int32).fill_null(-1).alias(f"code {key.name}") for key in keys.values())
    )
    for frame in (summands(part.rechunk(), unit) for part in whole_blocks(chosen, rows)):
        codes = {name: frame[f"code {name}"].to_numpy() for name in keys}
        group = np.empty((len(wanted), frame.height), np.int32)
        for place, (grouping, size) in enumerate(zip(wanted, sizes, strict=True)):
            own = group_numbers([codes[name] for name in grouping], size)
            group[place] = np.where(own < 0, np.int32(-1), own + np.int32(firsts[place]))
        win, fair, score, rank, middle = (frame[name].to_numpy() for name in COLUMNS)
        add_blocks(block_starts(frame), group, win, fair, score, rank, middle, sums, products, room, seen)
        alone = np.flatnonzero(middle == 1.0) if FAIR in columns else np.zeros(0, np.int64)
        surplus = win[alone] - fair[alone]
        games += len(alone), (surplus**2).sum()
        for place in range(len(wanted) if len(alone) else 0):
            add_lone(lone, group[place, alone], surplus)
    allow_for_mean(sums, lone, *games)
    found = {
        grouping: group_frame(sums[first:last], [keys[name] for name in grouping], size, unit)
        for grouping, size, first, last in zip(wanted, sizes, firsts, firsts[1:], strict=False)
        if grouping in map(tuple, groupings)
    }
    products += np.tril(products, -1).T + change_by_mean(lone[:joint], *games)
    return (
        [found[tuple(grouping)] for grouping in groupings],
        products,
        [name for name in together for _ in keys[name].levels],
    )


def group_key(seats: pl.LazyFrame, name: str) -> GroupKey:
    """Number the levels of a column: Enums in their order, integers from the lowest, strings alphabetically."""
    dtype, column = seats.collect_schema()[name], pl.col(name)
    if isinstance(dtype, pl.Enum):
        return GroupKey(name, pl.Series(name, dtype.categories, dtype=dtype), column.to_physical())
    if dtype.is_integer():
        ends = seats.select(column.min().alias("low"), column.max().alias("high")).collect(engine="streaming")
        low, high = (int(ends[end].fill_null(0)[0]) for end in ("low", "high"))
        return GroupKey(name, pl.Series(name, range(low, high + 1), dtype=dtype), column.cast(pl.Int64) - low)
    levels = seats.select(column.unique()).collect(engine="streaming")[name].drop_nulls().sort()
    return GroupKey(name, levels, column.replace_strict(levels, pl.Series(range(len(levels))), default=None))


def summands(frame: pl.DataFrame, unit: int) -> pl.DataFrame:
    """Replace the columns of each row by its summands."""
    players = pl.col("players").cast(pl.Float64)
    fair = (unit / players).round()
    if FAIR in frame.columns:
        fair = pl.when(players == 1).then(unit * pl.col(FAIR)).otherwise(fair)
    return frame.select(
        "block",
        (pl.col("win").cast(pl.Float64) * unit).round().alias("win"),
        fair.alias("fair"),
        *(
            (pl.col(name).cast(pl.Int64) if name in frame.columns else pl.lit(0)).cast(pl.Float64).alias(name)
            for name in ("score", "rank")
        ),
        ((players + 1) / 2).alias("middle"),
        pl.col("^code .*$"),
    )


def allow_for_mean(total: Floats, lone: Floats, games: float, squares: float) -> None:
    """Correct sums, shape (groups, SUMS), for a fair share that is the mean of the run's games of one player."""
    found = np.flatnonzero(lone[:, 0])
    n, w, e, dd = (total[found, SUMS.index(name)] for name in ("N", "W", "E", "DD"))
    if len(found):
        total[found, SUMS.index("DD")] = squares_about_mean(dd, (w - e) / n, lone[found], games, squares)


def group_numbers(codes: list[NDArray[np.int32]], sizes: list[int]) -> NDArray[np.int32]:
    """Return the index of each row's group; -1 if one of its columns has no level."""
    number = codes[0].copy()
    for code, levels in zip(codes[1:], sizes[1:], strict=True):
        number *= np.int32(levels)
        number += code
    for code in codes:
        if code.min(initial=0) < 0:
            number[code < 0] = -1
    return number


@kernel
def add_block(total: Floats, n: float, w: float, e: float, s: float, r: float, k: float) -> None:
    """Add a group's sums of one block to its totals.

    Parameters
    ----------
    total
        In the order of `SUMS`; updated in place.
    n, w, e, s, r, k
        Seat-games, wins, fair wins, score, rank and mean rank.
    """
    d = w - e
    total[0] += 1.0
    total[1] = max(total[1], n)
    total[2] += n
    total[3] += w
    total[4] += e
    total[5] += s
    total[6] += r
    total[7] += k
    total[8] += n * n
    total[9] += w * w
    total[10] += w * n
    total[11] += d * d
    total[12] += d * n
    total[13] += s * s
    total[14] += s * n
    total[15] += r * r
    total[16] += r * n


@kernel
def add_blocks(
    starts: Integers,
    group: Integers,
    win: Floats,
    fair: Floats,
    score: Floats,
    rank: Floats,
    middle: Floats,
    sums: Floats,
    products: Floats,
    room: Floats,
    seen: Integers,
) -> None:
    """Add blocks to the sums of their groups, and to the products of the surpluses of the first groups.

    Parameters
    ----------
    starts
        From `block_starts`.
    group
        Groups of each row, -1 for none; the groups of each grouping are numbered after those of the previous one; shape
        (groupings, rows).
    win, fair, score, rank, middle
        Wins and fair wins as integers, score, rank and mean rank of the game, one per row.
    sums
        One row per group, in the order of `SUMS`; updated in place.
    products
        Square, one row for each group that has them; only the lower triangle is updated.
    room
        One row of `PARTS` zeros per group; reset to zeros afterwards.
    seen
        Scratch, one entry per group.
    """
    for b in range(len(starts) - 1):
        many, joint = 0, 0
        for k in range(len(group)):
            for i in range(starts[b], starts[b + 1]):
                g = group[k, i]
                if g < 0:
                    continue
                part = room[g]
                if part[0] == 0.0:
                    seen[many] = g
                    many += 1
                    joint += g < len(products)
                part[0] += 1.0
                part[1] += win[i]
                part[2] += fair[i]
                part[3] += score[i]
                part[4] += rank[i]
                part[5] += middle[i]
        for one in range(many):
            g = seen[one]
            part = room[g]
            add_block(sums[g], part[0], part[1], part[2], part[3], part[4], part[5])
            surplus = part[1] - part[2]
            for two in range(one + 1 if one < joint else 0):
                h = seen[two]
                products[max(g, h), min(g, h)] += surplus * (room[h, 1] - room[h, 2])
        for one in range(many):
            room[seen[one]] = 0.0


def group_frame(sums: NDArray[np.float64], keys: list[GroupKey], sizes: list[int], unit: int) -> pl.DataFrame:
    """Return the groups that occur, sorted by level."""
    found = np.flatnonzero(sums[:, 0])
    places = np.unravel_index(found, sizes)
    levels = {key.name: key.levels.gather(place) for key, place in zip(keys, places, strict=True)}
    return moments_frame(levels, sums[found], unit).sort(list(levels))


def moments_frame(levels: Mapping[str, Any], sums: NDArray[np.float64], unit: int = 1) -> pl.DataFrame:
    """Return the frame that `win_rate.win_rates` takes, from level columns and sums of shape (groups, SUMS).

    `unit` is the integer that stands for one win.
    """
    scale = dict.fromkeys(ONCE, unit) | dict.fromkeys(TWICE, unit**2)
    columns = {name: sums[:, place] / scale.get(name, 1) for place, name in enumerate(SUMS)}
    return pl.DataFrame({**levels, **columns}).with_columns(pl.col("blocks").cast(pl.Int64))


def change_by_mean(lone: Floats, games: float, squares: float) -> Floats:
    """Return the correction of the products for a fair share that is the mean of the games of one player.

    If level i has a fraction f_i of these games, its surplus in a game with surplus D is D 1_i - f_i D, so products
    change by - f_j sum(D^2 1_i) - f_i sum(D^2 1_j) + f_i f_j sum(D^2). `lone` is from `load.add_lone`.
    """
    part = lone[:, 0] / max(games, 1.0)
    own = np.outer(lone[:, 2], part)
    return np.asarray(np.outer(part, part) * squares - own - own.T)
