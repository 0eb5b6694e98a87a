"""Sum a run by group and block: the moments for win rates and their intervals, many groupings in one pass.

The kernel sums one block at a time in a scratch row per group, and adds squares and products to the totals, so that
memory use does not grow with the number of blocks.

Products of the surpluses of all rows of several tables, summed over blocks.
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
        One row per seat per game: `block`, `players`, `win`, `score`, `rank` and the columns in `keys` (integers, text
        or Enum); a row with a null key belongs to no group. With `fair` if some games have one player, see
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
    unit = math.lcm(*range(1, most_players + 1))
    names = list(dict.fromkeys([*(name for keys in groupings for name in keys), *together]))
    keys = {name: group_key(seats, name) for name in names}
    sizes = [[len(keys[name].levels) for name in grouping] for grouping in groupings]
    sums = [np.zeros((math.prod(size), len(SUMS))) for size in sizes]
    scratch = [np.zeros((len(total), PARTS)) for total in sums]
    mean_is_fair = [FAIR] if FAIR in seats.collect_schema() else []
    lone = [np.zeros((len(total), len(LONE))) for total in sums]
    products = SurplusProducts([len(keys[name].levels) for name in together])
    games = np.zeros(2)  # of one player, and the sum of the squares of their surpluses
    columns = ("block", "win", "players", *(("score", "rank") if groupings else ()), *mean_is_fair)
    chosen = seats.select(
        *columns, *(key.code.cast(pl.Int32).fill_null(-1).alias(f"code {key.name}") for key in keys.values())
    )
    for frame in (summands(part.rechunk(), unit) for part in whole_blocks(chosen, rows)):
        starts = block_starts(frame)
        values = {name: frame[name].to_numpy() for name in COLUMNS if name in frame.columns}
        codes = {name: frame[f"code {name}"].to_numpy() for name in names}
        alone = np.flatnonzero(values["middle"] == 1.0) if mean_is_fair else np.zeros(0, np.int64)
        surplus = values["win"] - values["fair"]
        games += len(alone), (surplus[alone] ** 2).sum()
        for grouping, size, total, room, own in zip(groupings, sizes, sums, scratch, lone, strict=True):
            group = group_numbers([codes[name] for name in grouping], size)
            parts = (values[name] for name in COLUMNS)
            add_blocks(starts, group, *parts, total, room)  # type: ignore[call-arg]
            add_lone(own, group[alone], surplus[alone])
        products.add(starts, [codes[name] for name in together], surplus, alone)
    for total, own in zip(sums, lone, strict=True):
        allow_for_mean(total, own, *games)
    moments = [
        group_frame(total, [keys[name] for name in grouping], size, unit)
        for grouping, size, total in zip(groupings, sizes, sums, strict=True)
    ]
    return moments, products.total(*games), [name for name in together for _ in keys[name].levels]


def group_key(seats: pl.LazyFrame, name: str) -> GroupKey:
    """Number the levels of a column: Enums in their order, integers from the lowest, texts alphabetically."""
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
        *(pl.col(name).cast(pl.Int64).cast(pl.Float64) for name in ("score", "rank") if name in frame.columns),
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
        In the order of `SUMS`; added to.
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
    room: Floats,
) -> None:
    """Add blocks to the sums of their groups.

    Parameters
    ----------
    starts
        From `block_starts`.
    group
        Group of each row, -1 for none.
    win, fair, score, rank, middle
        Wins and fair wins as integers, score, rank and mean rank of the game, one per row.
    sums
        One row per group, in the order of `SUMS`; added to.
    room
        One row of `PARTS` zeros per group; zeros again afterwards.
    """
    for b in range(len(starts) - 1):
        for i in range(starts[b], starts[b + 1]):
            g = group[i]
            if g >= 0:
                part = room[g]
                part[0] += 1.0
                part[1] += win[i]
                part[2] += fair[i]
                part[3] += score[i]
                part[4] += rank[i]
                part[5] += middle[i]
        for i in range(starts[b], starts[b + 1]):
            g = group[i]
            # The first row of a group receives the sums and clears them.
            if g < 0 or room[g, 0] == 0.0:
                continue
            part = room[g]
            add_block(sums[g], part[0], part[1], part[2], part[3], part[4], part[5])
            part[:] = 0.0


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


class SurplusProducts:
    """Products of surpluses (see `moments_and_products`) of columns with these numbers of levels, batch by batch."""

    def __init__(self, levels: Sequence[int]) -> None:
        self.firsts = np.cumsum([0, *levels])
        total = int(self.firsts[-1])
        self.products, self.room = np.zeros((total, total)), np.zeros(total)
        self.seen, self.lone = np.zeros((2, total), np.int64), np.zeros((total, len(LONE)))

    def add(
        self, starts: Integers, codes: Sequence[NDArray[np.int32]], surplus: Floats, alone: NDArray[np.int64]
    ) -> None:
        """Add whole blocks: the level of each row in each column, its surplus, and which rows are of one player."""
        if not codes:
            return
        levels = np.empty((len(surplus), len(codes)), np.int32)
        for place, (code, first) in enumerate(zip(codes, self.firsts, strict=False)):
            levels[:, place] = np.where(code < 0, np.int32(-1), code + np.int32(first))
            add_lone(self.lone, levels[alone, place], surplus[alone])
        add_surplus_products(starts, levels, surplus, self.products, self.room, self.seen)

    def total(self, games: float, squares: float) -> Floats:
        """Return the symmetric sums, given the games of one player and the squares of their surpluses."""
        return self.products + np.tril(self.products, -1).T + change_by_mean(self.lone, games, squares)


def change_by_mean(lone: Floats, games: float, squares: float) -> Floats:
    """Return the correction of the products for a fair share that is the mean of the games of one player.

    If level i has the part f_i of these games, its surplus in a game with surplus D is D 1_i - f_i D, so products
    change by - f_j sum(D^2 1_i) - f_i sum(D^2 1_j) + f_i f_j sum(D^2). `lone` is from `load.add_lone`.
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
