"""Sums a run by group and block: the moments for win rates and their intervals, for many groupings in one pass.

The kernel sums one block at a time, in one scratch row per group. Then it adds squares and products to the totals. So
memory use does not grow with the number of blocks. It also sums, over blocks, the products of the surpluses (wins minus
fair wins) of any two rows of several tables.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from reports.data.games import block_starts, whole_blocks
from reports.data.load import FAIR, LONE, mean_of_one_player, squares_about_mean
from sim.compiler.kernel import Floats, Integers, kernel
from sim.data.declarations import MAX_PLAYERS

SUMS = ("blocks", "largest", "N", "W", "E", "S", "R", "K", "NN", "WW", "WN", "DD", "DN", "SS", "SN", "RR", "RN")
ONCE, TWICE = ("W", "E", "WN", "DN"), ("WW", "DD")
WHOLE = ("players", "score", "rank")
PAIR = 2
ROOM = 8
"""How many numbers are kept for a group within a block: N, W, E, S, R, K and W - E (see `block_moments`), and one more.

The last number is unused. It is there because eight numbers are added at once.
"""
MOST_PLAYERS = 256
"""A number above the players of any game: the column `players` holds one byte."""


def block_moments(seats: pl.LazyFrame, keys: Sequence[str], most_players: int = MAX_PLAYERS) -> pl.DataFrame:
    """Sum a run by group, and return the first and second moments of the sums of its blocks.

    Parameters
    ----------
    seats
        One row per seat per game: `block`, `players`, `win`, `score`, `rank` and the columns in `keys` (integers,
        strings or Enum). A row with a null key belongs to no group. If some games have one player, there must be a
        column `fair`, see `load.with_fair_share`.
    keys
        Columns that make up a group, e.g. `["faction"]` or `["strategy", "faction"]`.
    most_players
        Largest number of players in one game. Wins are summed as integers in units of 1/lcm(1..most_players). So three
        thirds are exactly one win, and sums do not depend on the order of rows.

    Returns
    -------
    One row per group, sorted by `keys`. `blocks` is the number of blocks in which the group occurs, and `largest` the
    largest N in one of them. The other columns are sums over these blocks. N counts seat-games, W wins, E fair wins
    (1/players, or `fair`), S score, R rank, and K mean ranks of games ((players + 1) / 2). NN, WW, WN, DD, DN, SS, SN,
    RR and RN are sums of products, where D = W - E. If `fair` is a mean of the run, DD allows for that
    (`load.squares_about_mean`).
    """
    return moments_and_products(seats, [keys], (), most_players)[0][0]


def moments_and_products(
    seats: pl.LazyFrame,
    groupings: Sequence[Sequence[str]],
    together: Sequence[str],
    most_players: int = MAX_PLAYERS,
    rows: int | None = None,
) -> tuple[list[pl.DataFrame], Floats, list[str]]:
    """Return moments of several groupings and products of surpluses, computed in one pass over the rows.

    The surplus of a level in a block is D = W - E, wins minus fair wins, or 0 if the level does not occur. If all
    levels are fair, the normalised sums of D_i D_j over the blocks are the correlations of the edges of levels i and j.

    Parameters
    ----------
    seats, most_players
        As for `block_moments`.
    groupings
        The columns of each grouping.
    together
        Columns whose levels are the rows and columns of the matrix of products. A row of `seats` counts for each of
        these columns in which it is not null.

    Returns
    -------
    The frames of `block_moments`; the products, a symmetric matrix over all levels, in squared units of
    1/lcm(1..most_players) wins; the column of each level.
    """
    wanted = [*((name,) for name in together), *(tuple(keys) for keys in groupings)]
    keys = {name: group_key(seats, name) for name in dict.fromkeys(name for grouping in wanted for name in grouping)}
    levels, schema = {name: own for name, (own, _) in keys.items()}, seats.collect_schema()
    found = Moments(levels, groupings, together, most_players, mean_of_one_player(seats) if FAIR in schema else None)
    chosen = seats.select(
        "block",
        pl.col("win").cast(pl.Float64),
        *((pl.col(name) if name in schema else pl.lit(0).alias(name)).cast(pl.Int64) for name in WHOLE),
        *(code.cast(pl.Int32).fill_null(-1).alias(f"code {name}") for name, (_, code) in keys.items()),
    )
    for frame in whole_blocks(chosen, rows):
        codes = np.stack([frame[f"code {name}"].to_numpy() for name in keys])
        found.add(block_starts(frame), codes, frame["win"].to_numpy(), *(frame[name].to_numpy() for name in WHOLE))
    return found.frames(groupings), found.products(), [name for name in together for _ in levels[name]]


class Moments:
    """Moments of groupings and products of surpluses, to which whole blocks can be added. See `moments_and_products`.

    Attributes
    ----------
    levels
        The levels of each column of which groups are made.
    unit
        The integer that stands for one win.
    sums
        The sums so far, one row per group, in the order of `SUMS`. The groups of the columns whose surpluses are
        multiplied come first.
    """

    def __init__(
        self,
        levels: Mapping[str, pl.Series],
        groupings: Sequence[Sequence[str]],
        together: Sequence[str],
        most_players: int,
        alone: float | None,
    ) -> None:
        self.levels, self.unit = levels, math.lcm(*range(1, most_players + 1))
        self.groupings = list(dict.fromkeys([*((name,) for name in together), *map(tuple, groupings)]))
        names, lengths = list(levels), [len(own) for own in levels.values()]
        # If a grouping has more than two columns, all but the last are replaced by one column of their combinations.
        self.merged = list(dict.fromkeys(grouping[:-1] for grouping in self.groupings if len(grouping) > PAIR))
        self.columns, self.sizes = np.full((len(self.groupings), 2), -1), np.ones((len(self.groupings), 2), np.int64)
        for place, (*others, last) in enumerate(self.groupings):
            own = [self.merged.index(tuple(others)) + len(names)] if len(others) > 1 else map(names.index, others)
            self.columns[place, : 1 + bool(others)] = [*own, names.index(last)]
            sizes = [math.prod(lengths[names.index(name)] for name in others), lengths[names.index(last)]]
            self.sizes[place, : 1 + bool(others)] = sizes[not others :]
        self.firsts = np.cumsum([0, *self.sizes.prod(axis=1)])
        groups, joint = int(self.firsts[-1]), int(self.firsts[len(dict.fromkeys(together))])
        self.sums, self.joint = np.zeros((groups, len(SUMS))), np.zeros((joint, joint))
        self.lone, self.games = np.zeros((groups, len(LONE))), np.zeros(2)
        self.room, self.seen = np.zeros((groups, ROOM)), np.zeros(groups, np.int64)
        with np.errstate(divide="ignore"):
            self.fair = np.rint(self.unit / np.arange(MOST_PLAYERS))
        self.fair[0] = 0.0
        self.alone = alone is not None
        if alone is not None:
            self.fair[1] = self.unit * alone

    def add(
        self, starts: Integers, codes: NDArray[np.int32], win: Floats, players: Integers, score: Integers,
        rank: Integers,
    ) -> None:  # fmt: skip
        """Add whole blocks. Rows before the first of `starts`, the result of `block_starts`, are left out.

        `codes` has the level of each row in each of the columns of `levels`, -1 for none, shape (columns, rows).
        """
        names, lengths = list(self.levels), [len(own) for own in self.levels.values()]
        for own in self.merged:
            places = [names.index(name) for name in own]
            codes = np.vstack([codes, group_numbers([codes[at] for at in places], [lengths[at] for at in places])])
        groups, facts = (self.columns, self.sizes, self.firsts), (win, players, score, rank)
        sums = (self.sums, self.joint, self.lone, self.games, self.room, self.seen)
        add_blocks(starts, codes, *groups, *facts, self.fair, self.unit, self.alone, *sums)

    def frames(self, groupings: Sequence[Sequence[str]]) -> list[pl.DataFrame]:
        """Return the moments of some groupings, as `block_moments` does."""
        sums = self.sums.copy()
        allow_for_mean(sums, self.lone, *self.games)
        places = [self.groupings.index(tuple(grouping)) for grouping in groupings]
        return [
            group_frame(
                sums[self.firsts[place] : self.firsts[place + 1]],
                [self.levels[name] for name in grouping], [len(self.levels[name]) for name in grouping], self.unit,
            )
            for place, grouping in zip(places, groupings, strict=True)
        ]  # fmt: skip

    def products(self) -> Floats:
        """Return the products of surpluses as a symmetric matrix."""
        whole = self.joint + self.joint.T - np.diag(np.diag(self.joint))
        return whole + change_by_mean(self.lone[: len(whole)], *self.games)


def group_key(seats: pl.LazyFrame, name: str) -> tuple[pl.Series, pl.Expr]:
    """Return the levels of a column, and an expression for the index of a row's level (null for no level).

    Levels of an Enum are numbered in its order, integers from the lowest one, and strings alphabetically.
    """
    dtype, column = seats.collect_schema()[name], pl.col(name)
    if isinstance(dtype, pl.Enum):
        return pl.Series(name, dtype.categories, dtype=dtype), column.to_physical()
    if dtype.is_integer():
        ends = seats.select(column.min().alias("low"), column.max().alias("high")).collect(engine="streaming")
        low, high = (int(ends[end].fill_null(0)[0]) for end in ("low", "high"))
        return pl.Series(name, range(low, high + 1), dtype=dtype), column.cast(pl.Int64) - low
    levels = seats.select(column.unique()).collect(engine="streaming")[name].drop_nulls().sort()
    return levels, column.replace_strict(levels, pl.Series(range(len(levels))), default=None)


def allow_for_mean(total: Floats, lone: Floats, games: float, squares: float) -> None:
    """Correct DD in `total`, shape (groups, SUMS), in place, if the fair share is the mean of the games of one player.

    `lone`, `games` and the total `squares` are as in `load.squares_about_mean`.
    """
    found = np.flatnonzero(lone[:, 0])
    n, w, e, dd = (total[found, SUMS.index(name)] for name in ("N", "W", "E", "DD"))
    if len(found):
        total[found, SUMS.index("DD")] = squares_about_mean(dd, (w - e) / n, lone[found], games, squares)


def allow_for_lone_games(total: Floats, games: float | None = None, squares: float | None = None) -> None:
    """Correct `total`, shape (groups, SUMS), as `allow_for_mean` does, if all games of the run have one player.

    In such games the fair share is the mean of all games. `games` is their number, and `squares` is the sum of
    (wins - fair share)^2 over all of them. By default both are sums over the groups. Then each game must be in exactly
    one group.
    """
    n, w, e, dd = (total[:, SUMS.index(name)] for name in ("N", "W", "E", "DD"))
    all_games, all_squares = n.sum() if games is None else games, dd.sum() if squares is None else squares
    allow_for_mean(total, np.column_stack([n, w - e, dd]), all_games, all_squares)


def group_numbers(codes: list[NDArray[np.int32]], sizes: list[int]) -> NDArray[np.int32]:
    """Return the index of each row's group; -1 if the row has no level in one of the columns."""
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
        Totals in the order of `SUMS`, updated in place.
    n, w, e, s, r, k
        Sums of the block: seat-games, wins, fair wins, score, rank and mean rank.
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
    codes: Any,
    columns: Integers,
    sizes: Integers,
    firsts: Integers,
    win: Floats,
    players: Integers,
    score: Integers,
    rank: Integers,
    fair: Floats,
    unit: int,
    alone: bool,
    sums: Floats,
    products: Floats,
    lone: Floats,
    games: Floats,
    room: Floats,
    seen: Integers,
) -> None:
    """Add blocks to the sums of their groups, and to the products of the surpluses of the first groups.

    Parameters
    ----------
    starts, codes, win, players, score, rank
        As in `Moments.add`.
    columns, sizes, firsts
        For each grouping: its one or two columns (-1 for none), their numbers of levels, and the index of its first
        group.
    fair
        Fair wins of a seat by number of players, in units.
    alone
        Whether games of one player are also added to `lone` (groups, LONE) and to `games`.
    sums
        One row per group, in the order of `SUMS`; updated in place.
    products
        Square matrix with one row for each group that has products. For each pair of rows, only one of the two entries
        is updated.
    room
        One row of zeros per group. It is used as scratch and contains zeros again afterwards.
    seen
        Scratch, with one entry per group.
    """
    longest = 0
    for b in range(len(starts) - 1):
        longest = max(longest, starts[b + 1] - starts[b])
    values = np.zeros((longest, ROOM))
    for b in range(len(starts) - 1):
        begin, many, joint = starts[b], 0, 0
        rows = starts[b + 1] - begin
        for i in range(rows):
            seats = players[begin + i]
            value = values[i]
            value[0] = 1.0
            value[1] = np.floor(win[begin + i] * unit + 0.5)
            value[2] = fair[seats]
            value[3] = score[begin + i]
            value[4] = rank[begin + i]
            value[5] = (seats + 1) / 2
            if alone and seats == 1:
                games[0] += 1
                games[1] += (value[1] - value[2]) ** 2
        for k in range(len(columns)):
            one, two = columns[k, 0], columns[k, 1]
            for i in range(rows):
                g = codes[one, begin + i]
                if two >= 0:
                    other = codes[two, begin + i]
                    g = g * sizes[k, 1] + other if g >= 0 and other >= 0 else -1
                if g < 0:
                    continue
                g += firsts[k]
                part = room[g]
                if part[0] == 0.0:
                    seen[many] = g
                    many += 1
                    joint += g < len(products)
                for place in range(ROOM):
                    part[place] += values[i, place]
                if alone and players[begin + i] == 1:
                    surplus = values[i, 1] - values[i, 2]
                    lone[g, 0] += 1
                    lone[g, 1] += surplus
                    lone[g, 2] += surplus * surplus
        for one in range(joint):
            room[seen[one], 6] = room[seen[one], 1] - room[seen[one], 2]
        for one in range(many):
            g = seen[one]
            part = room[g]
            add_block(sums[g], part[0], part[1], part[2], part[3], part[4], part[5])
            surplus = part[6]
            for two in range(one + 1 if one < joint else 0):
                products[g, seen[two]] += surplus * room[seen[two], 6]
        for one in range(many):
            room[seen[one]] = 0.0


def group_frame(sums: Floats, levels_of: list[pl.Series], sizes: list[int], unit: int) -> pl.DataFrame:
    """Return a frame of the groups that occur, sorted by level."""
    found = np.flatnonzero(sums[:, 0])
    places = np.unravel_index(found, sizes)
    levels = {own.name: own.gather(place) for own, place in zip(levels_of, places, strict=True)}
    return moments_frame(levels, sums[found], unit).sort(list(levels))


def moments_frame(levels: Mapping[str, Any], sums: NDArray[np.float64], unit: int = 1) -> pl.DataFrame:
    """Return the frame that `win_rate.win_rates` expects.

    `levels` are its level columns, `sums` has shape (groups, SUMS), and `unit` is the integer that stands for one win.
    """
    scale = dict.fromkeys(ONCE, unit) | dict.fromkeys(TWICE, unit**2)
    columns = {name: sums[:, place] / scale.get(name, 1) for place, name in enumerate(SUMS)}
    return pl.DataFrame({**levels, **columns}).with_columns(pl.col("blocks").cast(pl.Int64))


def change_by_mean(lone: Floats, games: float, squares: float) -> Floats:
    """Return how the products change because the fair share is the mean of the games of one player.

    Let f_i be the fraction of these games in which level i occurs. In a game with surplus D, level i then has the
    surplus D 1_i - f_i D, where 1_i is 1 if level i occurs in the game and 0 otherwise. So the product of levels i and
    j changes by - f_j sum(D^2 1_i) - f_i sum(D^2 1_j) + f_i f_j sum(D^2). `lone` has the sums of `load.LONE` by level.
    """
    part = lone[:, 0] / max(games, 1.0)
    own = np.outer(lone[:, 2], part)
    return np.asarray(np.outer(part, part) * squares - own - own.T)
