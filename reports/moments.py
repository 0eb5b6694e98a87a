"""Sums of a run per group and block: all that win shares and their intervals need, for many groupings in one reading.

A block holds a few rows of few groups. The kernel adds up one block at a time in a scratch row per group, squares what
it found and goes on: nothing grows with the number of blocks, and every grouping is done while the rows are at hand.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from sim.jit import Floats, Integers, kernel

SUMS = ("blocks", "largest", "N", "W", "E", "S", "R", "K", "NN", "WW", "WN", "DD", "DN", "SS", "SN", "RR", "RN")
ONCE, TWICE = ("W", "E", "WN", "DN"), ("WW", "DD")
COLUMNS = ("win", "fair", "score", "rank", "middle")
HELD = 2_000_000
"""Rows that are fetched at a time, in the types of the files: a fetch costs the same for one row as for a million."""
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
        hold whole numbers, text or Enum; a row in which one of them is null belongs to no group.
    keys
        Columns that make up a group, e.g. `["faction"]` or `["strategy", "faction"]`.
    most_players
        Largest number of players in one game. Wins are summed as whole numbers of 1/lcm(1..most_players), so that a
        third of a win three times is one win exactly and sums do not depend on the order of the rows.

    Returns
    -------
    One row per group, sorted by `keys`: `blocks` in which the group occurs and sums over them of N (seat-games),
    W (wins), E (1/players), S (score), R (rank), K ((players + 1) / 2, the mean rank of a game), and of the products
    NN, WW, WN, DD, DN, SS, SN, RR, RN, where D = W - E; `largest` is the largest N.
    """
    return moments_of(seats, [keys], most_players)[0]


def moments_of(
    seats: pl.LazyFrame, groupings: Sequence[Sequence[str]], most_players: int = 12, rows: int = 400_000
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
    for frame in stretches(seats, keys.values(), unit, rows):
        block = frame["block"].to_numpy()
        starts = np.concatenate(([0], np.flatnonzero(block[1:] != block[:-1]) + 1, [len(block)]))
        win, fair, score, rank, middle = (frame[name].to_numpy() for name in COLUMNS)
        codes = {name: frame[f"code {name}"].to_numpy() for name in names}
        for grouping, size, total, room in zip(groupings, sizes, sums, scratch, strict=True):
            group = group_numbers([codes[name] for name in grouping], size)
            add_blocks(starts, group, win, fair, score, rank, middle, total, room)
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


def stretches(seats: pl.LazyFrame, keys: Any, unit: int, rows: int) -> Iterator[pl.DataFrame]:
    """Yield the rows in the order of their blocks, about `rows` at a time; a block is never cut.

    The simulator writes rows in that order; rows in another order are sorted, which takes memory for all of them.
    """
    block = pl.col("block")
    facts = seats.select(pl.len().alias("rows"), (block < block.shift()).any().alias("mixed"))
    total, mixed = facts.collect(engine="streaming").row(0)
    codes = [key.code.cast(pl.Int32).fill_null(-1).alias(f"code {key.name}") for key in keys]
    chosen = seats.select("block", "win", "players", "score", "rank", *codes)
    if mixed:
        # Ties of a sort fall anew with every reading, so rows out of order are held as a whole.
        chosen = chosen.sort("block").collect(engine="streaming").lazy()
    waiting = chosen.head(0).collect()
    for first in range(0, total, HELD):
        held = chosen.slice(first, HELD).collect(engine="streaming")
        for start in range(0, held.height, rows):
            frame = pl.concat([waiting, held.slice(start, rows)])
            if first + min(start + rows, held.height) < total:
                last = frame["block"][-1]
                end = int(frame["block"].search_sorted(last, side="left"))
                waiting, frame = frame.slice(end), frame.head(end)
            if frame.height:
                yield added(frame.rechunk(), unit)


def added(frame: pl.DataFrame, unit: int) -> pl.DataFrame:
    """Rows with what is added up of them, in the place of the columns it comes from."""
    players = pl.col("players").cast(pl.Float64)
    return frame.select(
        "block",
        (pl.col("win").cast(pl.Float64) * unit).round().alias("win"),
        (unit / players).round().alias("fair"),
        pl.col("score").cast(pl.Int64).cast(pl.Float64),
        pl.col("rank").cast(pl.Float64),
        ((players + 1) / 2).alias("middle"),
        pl.col("^code .*$"),
    )


def group_numbers(codes: list[NDArray[np.int32]], sizes: list[int]) -> NDArray[np.int32]:
    """Number of each row's group; -1 where one of its columns has no level."""
    number = codes[0].copy()
    for code, levels in zip(codes[1:], sizes[1:], strict=True):
        number = np.where((number < 0) | (code < 0), np.int32(-1), number * np.int32(levels) + code)
    return number


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
            n, w, e, s, r = part[0], part[1], part[2], part[3], part[4]
            total, d = sums[g], w - e
            total[0] += 1.0
            total[1] = max(total[1], n)
            total[2] += n
            total[3] += w
            total[4] += e
            total[5] += s
            total[6] += r
            total[7] += part[5]
            total[8] += n * n
            total[9] += w * w
            total[10] += w * n
            total[11] += d * d
            total[12] += d * n
            total[13] += s * s
            total[14] += s * n
            total[15] += r * r
            total[16] += r * n
            part[:] = 0.0


def as_frame(sums: NDArray[np.float64], keys: list[Key], sizes: list[int], unit: int) -> pl.DataFrame:
    """Return the groups that occur, with their levels and sums, sorted by level."""
    found = np.flatnonzero(sums[:, 0])
    levels = [key.levels.gather(place) for key, place in zip(keys, np.unravel_index(found, sizes), strict=True)]
    scale = dict.fromkeys(ONCE, unit) | dict.fromkeys(TWICE, unit**2)
    columns = [pl.Series(name, sums[found, i] / scale.get(name, 1)) for i, name in enumerate(SUMS)]
    frame = pl.DataFrame([*levels, *columns]).with_columns(pl.col("blocks").cast(pl.Int64))
    return frame.sort([key.name for key in keys])
