"""Sums of a run per group and block: all that win shares and their intervals need, for many groupings in one reading.

A block holds a few rows of few groups. The kernel adds up one block at a time in a scratch row per group, squares what
it found and goes on: nothing grows with the number of blocks, and every grouping is done while the rows are at hand.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from reports.data.games import whole_blocks
from reports.data.one_player import FAIR, LONE, add_lone, squares_about_mean
from sim.compiler.kernel import Floats, Integers, kernel

SUMS = ("blocks", "largest", "N", "W", "E", "S", "R", "K", "NN", "WW", "WN", "DD", "DN", "SS", "SN", "RR", "RN")
ONCE, TWICE = ("W", "E", "WN", "DN"), ("WW", "DD")
COLUMNS = ("win", "fair", "score", "rank", "middle")
PARTS = 6
"""What is added up within a block: N, W, E, S, R and K."""


@dataclass(frozen=True)
class Key:
    """A column that groups are made of, as numbers from 0.

    Attributes
    ----------
    name
        The column.
    levels
        Its levels, in the order of the numbers.
    code
        An expression for the number of a row's level; null where the row belongs to no group.
    """

    name: str
    levels: pl.Series
    code: pl.Expr


def block_moments(seats: pl.LazyFrame, keys: Sequence[str], most_players: int = 12) -> pl.DataFrame:
    """Sum a run to what the intervals need: per group, first and second moments of its block sums.

    Parameters
    ----------
    seats
        One row per seat per game: `block`, `players`, `win`, `score`, `rank` and the columns named in `keys`, which
        hold whole numbers, text or Enum; a row in which one of them is null belongs to no group. `fair` where some
        games have one player, see `one_player.with_fair_share`.
    keys
        Columns that make up a group, e.g. `["faction"]` or `["strategy", "faction"]`.
    most_players
        Largest number of players in one game. Wins are summed as whole numbers of 1/lcm(1..most_players), so that a
        third of a win three times is one win exactly and sums do not depend on the order of the rows.

    Returns
    -------
    One row per group, sorted by `keys`: `blocks` in which the group occurs and sums over them of N (seat-games),
    W (wins), E (1/players, or `fair`), S (score), R (rank), K ((players + 1) / 2, the mean rank of a game), and of the
    products NN, WW, WN, DD, DN, SS, SN, RR, RN, where D = W - E; `largest` is the largest N. Where `fair` is a mean of
    the run, DD allows for that (`one_player.squares_about_mean`).
    """
    return moments_of(seats, [keys], most_players)[0]


def moments_of(
    seats: pl.LazyFrame, groupings: Sequence[Sequence[str]], most_players: int = 12, rows: int | None = None
) -> list[pl.DataFrame]:
    """`block_moments` of several groupings in one reading of the rows.

    Parameters
    ----------
    seats, most_players
        As for `block_moments`.
    groupings
        The columns that make up a group, once per grouping.
    rows
        Rows that are held at a time, about.

    Returns
    -------
    One frame per grouping.
    """
    unit = math.lcm(*range(1, most_players + 1))
    names = list(dict.fromkeys(name for keys in groupings for name in keys))
    keys = {name: key_of(seats, name) for name in names}
    sizes = [[len(keys[name].levels) for name in grouping] for grouping in groupings]
    sums = [np.zeros((math.prod(size), len(SUMS))) for size in sizes]
    scratch = [np.zeros((len(total), PARTS)) for total in sums]
    mean_is_fair = [FAIR] if FAIR in seats.collect_schema() else []
    lone = [np.zeros((len(total), len(LONE))) for total in sums]
    games = np.zeros(2)  # of one player, and the sum of the squares of their surpluses
    columns = ("block", "win", "players", "score", "rank", *mean_is_fair)
    chosen = seats.select(*columns, *(coded(key) for key in keys.values()))
    for frame in (added(part.rechunk(), unit) for part in whole_blocks(chosen, rows)):
        block = frame["block"].to_numpy()
        starts = np.concatenate(([0], np.flatnonzero(block[1:] != block[:-1]) + 1, [len(block)]))
        win, fair, score, rank, middle = (frame[name].to_numpy() for name in COLUMNS)
        codes = {name: frame[f"code {name}"].to_numpy() for name in names}
        alone = np.flatnonzero(middle == 1.0) if mean_is_fair else np.zeros(0, np.int64)
        surplus = (win - fair)[alone]
        games += len(alone), (surplus**2).sum()
        for grouping, size, total, room, own in zip(groupings, sizes, sums, scratch, lone, strict=True):
            group = group_numbers([codes[name] for name in grouping], size)
            add_blocks(starts, group, win, fair, score, rank, middle, total, room)
            add_lone(own, group[alone], surplus)
    for total, own in zip(sums, lone, strict=True):
        allow_for_mean(total, own, *games)
    return [
        as_frame(total, [keys[name] for name in grouping], size, unit)
        for grouping, size, total in zip(groupings, sizes, sums, strict=True)
    ]


def key_of(seats: pl.LazyFrame, name: str) -> Key:
    """Number the levels of a column: those of an Enum as they stand, whole numbers from the lowest, text sorted."""
    dtype, column = seats.collect_schema()[name], pl.col(name)
    if isinstance(dtype, pl.Enum):
        return Key(name, pl.Series(name, dtype.categories, dtype=dtype), column.to_physical())
    if dtype.is_integer():
        ends = seats.select(column.min().alias("low"), column.max().alias("high")).collect(engine="streaming")
        low, high = (int(ends[end].fill_null(0)[0]) for end in ("low", "high"))
        return Key(name, pl.Series(name, range(low, high + 1), dtype=dtype), column.cast(pl.Int64) - low)
    levels = seats.select(column.unique()).collect(engine="streaming")[name].drop_nulls().sort()
    return Key(name, levels, column.replace_strict(levels, pl.Series(range(len(levels))), default=None))


def coded(key: Key) -> pl.Expr:
    """Column with the number of each row's level; -1 where it has none."""
    return key.code.cast(pl.Int32).fill_null(-1).alias(f"code {key.name}")


def added(frame: pl.DataFrame, unit: int) -> pl.DataFrame:
    """Rows with what is added up of them, in the place of the columns it comes from."""
    players = pl.col("players").cast(pl.Float64)
    fair = (unit / players).round()
    if FAIR in frame.columns:
        fair = pl.when(players == 1).then(unit * pl.col(FAIR)).otherwise(fair)
    return frame.select(
        "block",
        (pl.col("win").cast(pl.Float64) * unit).round().alias("win"),
        fair.alias("fair"),
        pl.col("score").cast(pl.Int64).cast(pl.Float64),
        pl.col("rank").cast(pl.Float64),
        ((players + 1) / 2).alias("middle"),
        pl.col("^code .*$"),
    )


def allow_for_mean(total: Floats, lone: Floats, games: float, squares: float) -> None:
    """Let sums over blocks, shape (groups, SUMS), allow for a fair share that is the mean of games of one player."""
    found = np.flatnonzero(lone[:, 0])
    n, w, e, dd = (total[found, SUMS.index(name)] for name in ("N", "W", "E", "DD"))
    if len(found):
        total[found, SUMS.index("DD")] = squares_about_mean(dd, (w - e) / n, lone[found], games, squares)


def group_numbers(codes: list[NDArray[np.int32]], sizes: list[int]) -> NDArray[np.int32]:
    """Number of each row's group; -1 where one of its columns has no level."""
    number = codes[0].copy()
    for code, levels in zip(codes[1:], sizes[1:], strict=True):
        number = np.where((number < 0) | (code < 0), np.int32(-1), number * np.int32(levels) + code)
    return number


@kernel
def add_block(total: Floats, n: float, w: float, e: float, s: float, r: float, k: float) -> None:
    """Add what a group did in one block to its sums and sums of products over blocks.

    Parameters
    ----------
    total
        In the order of `SUMS`; added to.
    n, w, e, s, r, k
        Seat-games, wins, fair wins, score, rank, mean rank of the games.
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
        First row of each block, and at the end the number of rows.
    group
        Number of each row's group, -1 for none.
    win, fair, score, rank, middle
        Wins and fair wins as whole numbers, score, rank and mean rank of the game, one per row.
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
            # The first of a group's rows takes the sums and clears them.
            if g < 0 or room[g, 0] == 0.0:
                continue
            part = room[g]
            add_block(sums[g], part[0], part[1], part[2], part[3], part[4], part[5])
            part[:] = 0.0


def as_frame(sums: NDArray[np.float64], keys: list[Key], sizes: list[int], unit: int) -> pl.DataFrame:
    """Return the groups that occur, with their levels and sums, sorted by level."""
    found = np.flatnonzero(sums[:, 0])
    places = np.unravel_index(found, sizes)
    levels = {key.name: key.levels.gather(place) for key, place in zip(keys, places, strict=True)}
    return moments_frame(levels, sums[found], unit).sort(list(levels))


def moments_frame(levels: Mapping[str, Any], sums: NDArray[np.float64], unit: int = 1) -> pl.DataFrame:
    """Put levels and sums into the frame that `winshare.win_shares` takes.

    Parameters
    ----------
    levels
        Columns of the groups' levels, each of length groups.
    sums
        Shape (groups, SUMS), from `add_block`.
    unit
        What a win was counted as.
    """
    scale = dict.fromkeys(ONCE, unit) | dict.fromkeys(TWICE, unit**2)
    columns = {name: sums[:, place] / scale.get(name, 1) for place, name in enumerate(SUMS)}
    return pl.DataFrame({**levels, **columns}).with_columns(pl.col("blocks").cast(pl.Int64))
