"""Sums of a run for every choice a reader of its page can make: which players, numbers of players, variants, seats.

Win shares by block need, for the seats that were chosen, how many of them a block holds and how many of these won,
squared and added up over blocks. Squares of sums do not add up, so products of every two players are kept, and how many
blocks hold which players how often. What is chosen of a block as a whole, such as its number of players, needs no more
than sums.
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

from reports.data.games import whole_blocks
from reports.data.moments import group_numbers
from sim.compiler.kernel import Floats, Integers, kernel

ALL = -1
"""In place of a level: all of them."""
MAX_COMPANIES = 40_000
"""So many counts of blocks at most; with more line-ups, one player or all of them can be chosen."""
MAX_PRODUCTS = 8_000_000
"""So many products at most are held."""
MAX_CODE = 2**62
Row = dict[str, Any]


@dataclass(frozen=True)
class AskedTable:
    """What the rows of a table are, and which further columns can be chosen from.

    Attributes
    ----------
    rows
        Column whose levels are the rows.
    others
        Columns of which one level, or all, can be chosen.
    """

    rows: str
    others: tuple[str, ...]


@dataclass(frozen=True)
class CompanySums:
    """Sums over blocks for one question.

    Attributes
    ----------
    question
        What was asked.
    companies
        How often each strategy sits in what was chosen of a block: pairs of its place and of a number of seat-games.
    groups
        For each number of players, variant, row and choice of the other columns that occurs: `keys` (places of their
        levels in this order, `ALL` for all), `blocks` (pairs of a company's place and of how many blocks hold it),
        `wins` (pairs of a strategy and its wins), `products` (two strategies, the products of their wins, of the wins
        of the first and the seat-games of the second, and the other way round, summed over blocks).
    """

    question: AskedTable
    companies: list[list[int]]
    groups: list[Row]


@dataclass
class Adding:
    """Sums of one question while stretches of a run are added to them."""

    question: AskedTable
    keys: list[str]
    sizes: list[int]
    wins: Floats
    both: Floats
    beside: Floats
    counts: pl.DataFrame


def add_up(
    seats: pl.LazyFrame,
    levels: dict[str, list[Any]],
    questions: Sequence[AskedTable],
    every_company: bool,
    beside: Callable[[pl.DataFrame], pl.DataFrame] = lambda frame: frame,
) -> list[CompanySums] | None:
    """Add up a run for every question, in one reading.

    Parameters
    ----------
    seats
        One row per seat per game: `block`, `win`, and a column for each of `levels`: the place of the row's level, -1
        where it has none.
    levels
        Levels of `players` (from the lowest), `variant`, `strategy` and of the columns of the questions.
    questions
        What is asked.
    every_company
        Whether any set of strategies can be chosen. If not, they count as one, as they do where they are the rows.
    beside
        Adds columns to a stretch of rows that do not stand in the seats.

    Returns
    -------
    None where blocks hold too many different sets of strategies.
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
            if every_company and one.counts.height > MAX_COMPANIES:
                return None
    return [finished(one, base) for one in adding]


def begun(question: AskedTable, levels: dict[str, list[Any]], every_company: bool) -> Adding:
    """Return the sums of a question with nothing added to them yet."""
    keys = ["players", "variant", question.rows, *question.others]
    sizes = [len(levels[key]) + (key in question.others) for key in keys]
    groups = math.prod(sizes)
    strategies = len(levels["strategy"]) if every_company and question.rows != "strategy" else 1
    wins, both, beside = (np.zeros((groups, *(strategies,) * powers)) for powers in (1, 2, 2))
    counts = pl.DataFrame(schema={"group": pl.Int64, "company": pl.Int64, "blocks": pl.Int64})
    return Adding(question, keys, sizes, wins, both, beside, counts)


def add_stretch(adding: Adding, frame: pl.DataFrame, base: int) -> None:
    """Add a stretch of whole blocks to the sums of a question."""
    block = frame["block"].to_numpy()
    starts = np.concatenate(([0], np.flatnonzero(block[1:] != block[:-1]) + 1, [len(block)]))
    strategies = adding.wins.shape[1]
    strategy = frame["strategy"].to_numpy().astype(np.int64) if strategies > 1 else np.zeros(len(block), np.int64)
    weights = np.array([base**place for place in range(strategies)], dtype=np.int64)
    found = [adding.counts]
    for group in chosen_groups(frame, adding.keys, adding.sizes, adding.question.others):
        company = np.full(len(block), -1, np.int64)
        add_companies(
            starts, group.astype(np.int64), strategy, frame["win"].to_numpy(), weights, adding.wins, adding.both,
            adding.beside, company,
        )  # fmt: skip
        held = pl.DataFrame({"group": group.astype(np.int64), "company": company}).filter(pl.col("company") >= 0)
        found.append(held.group_by("group", "company").agg(pl.len().cast(pl.Int64).alias("blocks")))
    adding.counts = pl.concat(found).group_by("group", "company").agg(pl.col("blocks").sum())


def finished(adding: Adding, base: int) -> CompanySums:
    """Return the sums of a question."""
    counts = adding.counts.sort("group", "company")
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
    """Yield the group of every row, once for each set of the other columns of which all levels are chosen."""
    codes = {key: frame[key].to_numpy() for key in keys}
    for whole in product((False, True), repeat=len(others)):
        taken = dict(zip(others, whole, strict=True))
        chosen = [
            np.full(frame.height, size - 1, np.int32) if taken.get(key) else codes[key]
            for key, size in zip(keys, sizes, strict=True)
        ]
        yield group_numbers(chosen, list(sizes))


def unravelled(number: int, keys: Sequence[str], sizes: Sequence[int], others: Sequence[str]) -> list[int]:
    """Places of a group's levels; `ALL` where all levels of another column are chosen."""
    places = [int(place) for place in np.unravel_index(number, sizes)]
    return [
        ALL if key in others and place == size - 1 else place
        for key, place, size in zip(keys, places, sizes, strict=True)
    ]


def pair_products(both: Floats, beside: Floats) -> Iterator[tuple[int, int, float, float, float]]:
    """Yield two strategies, the first not after the second, and their products, where any is above 0."""
    for one, two in zip(*np.nonzero(both + beside + beside.T), strict=True):
        if one <= two:
            yield int(one), int(two), float(both[one, two]), float(beside[one, two]), float(beside[two, one])


def members(company: int, base: int, strategies: int) -> list[int]:
    """Strategies of a company, each with its number of seat-games, as one flat list."""
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
    company: Integers,
) -> None:
    """Add blocks to the sums of their groups and strategies.

    Parameters
    ----------
    starts
        First row of each block, and at the end the number of rows.
    group, strategy, won
        Number of each row's group (-1 for none) and strategy, and its part of a win.
    weights
        What a seat-game of each strategy adds to the number of a company.
    wins
        Shape (groups, strategies); added to.
    both, beside
        Products of the wins of two strategies, and of the wins of the first and the seat-games of the second, shape
        (groups, strategies, strategies); added to.
    company
        One per row, -1; at the first row of a group in a block it is set to the number of its company.
    """
    for b in range(len(starts) - 1):
        for i in range(starts[b], starts[b + 1]):
            g = group[i]
            if g < 0:
                continue
            t = strategy[i]
            wins[g, t] += won[i]
            known = False
            for j in range(starts[b], starts[b + 1]):
                if group[j] == g:
                    both[g, t, strategy[j]] += won[i] * won[j]
                    beside[g, t, strategy[j]] += won[i]
                    if j < i:
                        known = True
            if not known:
                total = 0
                for j in range(i, starts[b + 1]):
                    if group[j] == g:
                        total += weights[strategy[j]]
                company[i] = total
