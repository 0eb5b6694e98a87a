"""Sums a run so that a page can show any choice of strategies, numbers of players, variants and seats.

Errors that allow for blocks need sums of squares over blocks. The square for a set of strategies does not follow from
the squares for each of them. So the products of all pairs of strategies are stored. For each company (a multiset of
strategies in a block), the number of its blocks is stored as well. Filters that choose whole blocks, such as the number
of players, only need sums.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from reports.data.games import block_starts, whole_blocks
from reports.data.moments import group_numbers
from sim.compiler.kernel import Floats, Integers, kernel

ALL = -1
"""Number that stands for all levels of a column."""
MAX_COMPANIES = 40_000
"""Maximum number of block counts in a table. If there are more, a reader can choose only one strategy or all."""
SLOTS = 2**12
"""Number of rows of an empty table of block counts; a power of 2."""
LARGE_PRIME = 1_000_003
MAX_PRODUCTS = 8_000_000
MAX_CODE = 2**62
Row = dict[str, Any]


@dataclass(frozen=True)
class AskedTable:
    """A table of the page.

    `rows` is the column whose levels are the rows of the table. `others` are the columns to filter by. A filter is set
    to one level of its column, or to all.
    """

    rows: str
    others: tuple[str, ...]


@dataclass(frozen=True)
class CompanySums:
    """Sums over blocks for one table.

    A company is the multiset of the strategies that a block has in the chosen seats. `companies` has each of them as a
    flat list: a strategy, its seat-games in the block, the next strategy, and so on.

    `groups` has an entry for each combination of number of players, variant, row and filters that occurs:

    - `keys`: the level numbers, in this order; `ALL` for a filter that is set to all levels
    - `blocks`: pairs of a company (its index) and its number of blocks
    - `wins`: pairs of a strategy and its wins
    - `products`: a pair of strategies, and the sums over blocks of W1 W2, W1 N2 and W2 N1, where W1 and W2 are the wins
      of the two strategies in a block, N1 and N2 their seat-games
    """

    question: AskedTable
    companies: list[list[int]]
    groups: list[Row]


@dataclass
class Adding:
    """Sums of one table while a run is being read.

    `keys` are number of players, variant, row and filters; `sizes` are their numbers of levels. The other fields are
    arguments of `add_companies`.
    """

    question: AskedTable
    keys: list[str]
    sizes: list[int]
    wins: Floats
    both: Floats
    beside: Floats
    counts: Integers
    used: Integers


def company_sums(
    seats: pl.LazyFrame,
    levels: dict[str, list[Any]],
    questions: Sequence[AskedTable],
    every_company: bool,
    beside: Callable[[pl.DataFrame], pl.DataFrame] = lambda frame: frame,
) -> list[CompanySums] | None:
    """Sum a run for every table in one pass; return None if this needs too many sums.

    Parameters
    ----------
    seats
        One row per seat per game: `block`, `win`, and for each column in `levels` the index of the row's level, -1 for
        none.
    levels
        Levels of `players` (ascending), of `variant`, of `strategy` and of the columns that `questions` name.
    every_company
        Whether the reader of a page may filter by any set of strategies. If not, and always in a table whose rows are
        strategies, companies, wins and products count all strategies as one.
    beside
        Function that adds further columns to a batch of rows.
    """
    base = 1 + int(levels["players"][-1]) ** 2
    strategies = len(levels["strategy"])
    adding = [begun(question, levels, every_company) for question in questions]
    if every_company and (base**strategies > MAX_CODE or any(one.both.size > MAX_PRODUCTS for one in adding)):
        return None
    for stretch in whole_blocks(seats):
        frame = beside(stretch)
        for one in adding:
            add_stretch(one, frame, base)
            if every_company and one.used[0] > MAX_COMPANIES:
                return None
    return [finished_sums(one, base) for one in adding]


def begun(question: AskedTable, levels: dict[str, list[Any]], every_company: bool) -> Adding:
    """Return empty sums for a table."""
    keys = ["players", "variant", question.rows, *question.others]
    sizes = [len(levels[key]) + (key in question.others) for key in keys]
    groups = math.prod(sizes)
    strategies = len(levels["strategy"]) if every_company and question.rows != "strategy" else 1
    wins, both, beside = (np.zeros((groups, *(strategies,) * powers)) for powers in (1, 2, 2))
    counts = np.zeros((SLOTS, 3), np.int64)
    return Adding(question, keys, sizes, wins, both, beside, counts, np.zeros(1, np.int64))


def add_stretch(adding: Adding, frame: pl.DataFrame, base: int) -> None:
    """Add a batch of whole blocks to the sums of a table. `base` is as in `members`."""
    starts, rows = block_starts(frame), frame.height
    strategies = adding.wins.shape[1]
    strategy = frame["strategy"].to_numpy().astype(np.int64) if strategies > 1 else np.zeros(rows, np.int64)
    weights = np.array([base**place for place in range(strategies)], dtype=np.int64)
    places = np.full((2, len(adding.wins)), -1)
    for group in chosen_groups(frame, adding.keys, adding.sizes, adding.question.others):
        facts = (starts, group.astype(np.int64), strategy, frame["win"].to_numpy(), weights)
        block = 0
        while block < len(starts) - 1:
            block = add_companies(
                *facts, adding.wins, adding.both, adding.beside, places, adding.counts, adding.used, block
            )
            if block < len(starts) - 1:
                adding.counts = enlarged(adding.counts)


def enlarged(counts: Integers) -> Integers:
    """Return the table of block counts with twice as many rows; see `add_company`."""
    larger = np.zeros((2 * len(counts), 3), np.int64)
    for group, company, blocks in counts[counts[:, 2] > 0]:
        larger[row_of(group, company, larger)] = group, company, blocks
    return larger


def finished_sums(adding: Adding, base: int) -> CompanySums:
    """Return the sums in the form that the page uses."""
    names = ("group", "company", "blocks")
    found = adding.counts[adding.counts[:, 2] > 0]
    counts = pl.DataFrame(dict(zip(names, found.T, strict=True))).sort("group", "company")
    companies = counts["company"].unique().sort().to_list()
    place_of = {company: place for place, company in enumerate(companies)}
    groups = []
    for (number,), own in counts.group_by("group", maintain_order=True):
        wins = adding.wins[int(number)]
        groups.append({
            "keys": unravelled(int(number), adding.keys, adding.sizes, adding.question.others),
            "blocks": [(place_of[one], blocks) for one, blocks in zip(own["company"], own["blocks"], strict=True)],
            "wins": [(int(place), float(wins[place])) for place in np.flatnonzero(wins)],
            "products": list(pair_products(adding.both[int(number)], adding.beside[int(number)])),
        })  # fmt: skip
    return CompanySums(adding.question, [members(one, base, adding.wins.shape[1]) for one in companies], groups)


def chosen_groups(
    frame: pl.DataFrame, keys: Sequence[str], sizes: Sequence[int], others: Sequence[str]
) -> Iterator[NDArray[np.int32]]:
    """Yield the groups of the rows for each way to leave some of the filters `others` open, from none to all of them.

    Each array has the number of the group of every row. An open filter puts all its levels into one group.
    """
    codes = {key: frame[key].to_numpy() for key in keys}
    for whole in product((False, True), repeat=len(others)):
        taken = dict(zip(others, whole, strict=True))
        chosen = [
            np.full(frame.height, size - 1, np.int32) if taken.get(key) else codes[key]
            for key, size in zip(keys, sizes, strict=True)
        ]
        yield group_numbers(chosen, list(sizes))


def unravelled(number: int, keys: Sequence[str], sizes: Sequence[int], others: Sequence[str]) -> list[int]:
    """Decode the index of a group into its level number for each key; `ALL` for a filter set to all levels."""
    places = [int(place) for place in np.unravel_index(number, sizes)]
    return [
        ALL if key in others and place == size - 1 else place
        for key, place, size in zip(keys, places, sizes, strict=True)
    ]


def pair_products(both: Floats, beside: Floats) -> Iterator[tuple[int, int, float, float, float]]:
    """Yield pairs of strategies with their three products, as in `CompanySums`. Pairs with products of 0 are skipped.

    `both` and `beside` are the sums of W1 W2 and of W1 N2 in one group, shape (strategies, strategies).
    """
    for one, two in zip(*np.nonzero(both + beside + beside.T), strict=True):
        if one <= two:
            yield int(one), int(two), float(both[one, two]), float(beside[one, two]), float(beside[two, one])


def members(company: int, base: int, strategies: int) -> list[int]:
    """Decode a company into a flat list of strategies and numbers of seat-games.

    The code is a number in the numeral system with this base. Its digit number i, from the right, is the number of
    seat-games of strategy i in the block.
    """
    flat = []
    for place in range(strategies):
        company, seats = divmod(company, base)
        flat += [place, seats] if seats else []
    return flat


@kernel
def add_companies(
    starts: Integers,
    group: Integers,
    strategy: Integers,
    won: Floats,
    weights: Integers,
    wins: Floats,
    both: Floats,
    beside: Floats,
    places: Integers,
    counts: Integers,
    used: Integers,
    block: int,
) -> int:
    """Add blocks to the sums of their groups and strategies.

    Parameters
    ----------
    starts
        Result of `block_starts`.
    group, strategy, won
        For each row: its group (-1 for none), its strategy, and its share of the win.
    weights
        Amount by which a seat-game of each strategy raises the code of a company; see `members`.
    wins, both, beside
        Sums of W1, of W1 W2 and of W1 N2, shapes (groups, strategies) and twice (groups, strategies, strategies). They
        are updated in place.
    places
        First and last row of each group within a block, -1 outside this kernel; shape (2, groups).
    counts, used
        Hash table with the number of blocks of each group and company, and how many of its rows are used; see
        `add_company`.
    block
        Index of the first block to add.

    Returns
    -------
    Index of the first block that was not added. It is the number of blocks if all were added. Otherwise `counts` could
    become more than half full with this block.
    """
    first, last, following = places[0], places[1], np.empty(len(group), np.int64)
    while block < len(starts) - 1:
        start, end = starts[block], starts[block + 1]
        if 2 * (used[0] + end - start) > len(counts):
            break
        for i in range(start, end):
            g, following[i] = group[i], -1
            if g >= 0:
                if first[g] < 0:
                    first[g] = i
                else:
                    following[last[g]] = i
                last[g] = i
        for i in range(start, end):
            g = group[i]
            if g < 0:
                continue
            t, j, total = strategy[i], first[g], 0
            wins[g, t] += won[i]
            while j >= 0:
                both[g, t, strategy[j]] += won[i] * won[j]
                beside[g, t, strategy[j]] += won[i]
                total += weights[strategy[j]]
                j = following[j]
            if first[g] == i:
                add_company(g, total, counts, used)
        for i in range(start, end):
            if group[i] >= 0:
                first[group[i]] = last[group[i]] = -1
        block += 1
    return block


@kernel
def row_of(group: int, company: int, counts: Integers) -> int:
    """Return the row of a group and a company in the hash table of `add_company`.

    If they have no row yet, return the empty row where they belong.
    """
    place = (company % LARGE_PRIME * 31 + group) & (len(counts) - 1)
    while counts[place, 2] > 0 and (counts[place, 0] != group or counts[place, 1] != company):
        place = (place + 1) & (len(counts) - 1)
    return place


@kernel
def add_company(group: int, company: int, counts: Integers, used: Integers) -> None:
    """Add 1 to the number of blocks in which a group has a company (a multiset of strategies).

    `counts` is a hash table whose rows hold group, company and number of blocks. Its length is a power of 2, and at
    most half of its rows are used.
    """
    place = row_of(group, company, counts)
    if counts[place, 2] == 0:
        counts[place, 0], counts[place, 1] = group, company
        used[0] += 1
    counts[place, 2] += 1
