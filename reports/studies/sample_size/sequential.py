"""Stops a run when its intervals are narrow enough, by a rule that preserves the coverage of the intervals.

Blocks are played in the order of their index. The intervals are tested at numbers of blocks that are fixed in advance;
each of these tests is a look. So the same seed stops after the same game on any machine. The rule for two arms
(`reports/studies/compare/sprt.py`) uses the same looks and sums.

References
----------
Chow, Y. S. and Robbins, H. (1965). On the asymptotic theory of fixed-width sequential confidence intervals for the
    mean. Ann. Math. Statist. 36, 457-462.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from reports.statistics.core.win_rate import edge_columns
from sim.engine.result_rows import FACTION, RANK, SEAT, STRATEGY
from sim.errors import UserError
from sim.players.batch import Plan

Floats = NDArray[np.float64]
Integers = NDArray[np.int32]

FIRST_LOOK = 250
"""Blocks before the first look, and between looks. With fewer blocks the variance is estimated too poorly."""
EVEN_LOOKS = 5_000
"""Looks are evenly spaced up to this many blocks. After that, each look has 5 % more blocks than the one before."""
LATER_LOOKS = 1.05
IMAGINED_BLOCKS = 4.0
"""The width rule adds the variance of this many imaginary blocks in which every game is won."""
Z = 1.96
WIDTH_TABLES = ("faction", "strategy", "seat", "all")
RULE_COLUMNS = (SEAT, FACTION, STRATEGY, RANK)
"""Columns of seat rows that the rules use."""
BLOCK_SUMS = ("N", "W", "E")
PRODUCTS = (("N", "N"), ("W", "W"), ("W", "N"), ("D", "D"), ("D", "N"))


def look_schedule() -> Iterator[int]:
    """Yield the numbers of blocks at which a rule looks: every 250 up to 5,000, then 5 % more each time, without end.

    The numbers are fixed in advance. After 5,000 blocks, a run stops at most 5 % later than it could.
    """
    look = FIRST_LOOK
    while True:
        yield look
        look = look + FIRST_LOOK if look < EVEN_LOOKS else math.ceil(look * LATER_LOOKS)


@dataclass(frozen=True)
class Watch:
    """Rows of a table that a rule watches: "faction", "strategy", "seat" or an attribute.

    A `column` of seat rows holds a code, such as the index of the faction. `members` is 1 if a code belongs to a row of
    the table, else 0, shape (codes, rows).
    """

    table: str
    names: tuple[str, ...]
    column: int
    members: NDArray[np.int64]


def watch_table(plan: Plan, table: str) -> Watch:
    """Return a watch on every level of a table ("faction", "strategy" or "seat") that occurs in a plan's games."""
    column, names, present = {
        "faction": (FACTION, [faction.name for faction in plan.data.factions], sorted(set(plan.factions))),
        "strategy": (STRATEGY, [strategy.name for strategy in plan.strategies], sorted(set(plan.lineup))),
        "seat": (SEAT, [f"seat {seat}" for seat in range(plan.players)], list(range(plan.players))),
    }[table]
    members = np.zeros((len(names), len(present)), np.int64)
    members[present, np.arange(len(present))] = 1
    return Watch(table, tuple(names[code] for code in present), column, members)


def watch_names(plan: Plan, names: Sequence[str]) -> list[Watch]:
    """Return watches on rows by name: factions, levels of their attributes, strategies or seats ("seat 0").

    Raises UserError if no row of the plan's games has one of the names. The error suggests the nearest name.
    """
    rows = {name: (watch, [place]) for watch in every_table(plan) for place, name in enumerate(watch.names)}
    of_factions = watch_table(plan, "faction")
    factions = {faction.name: faction for faction in plan.data.factions}
    for attribute in plan.game.faction_attributes:
        for place, name in enumerate(of_factions.names):
            level = str(factions[name].attributes[attribute])
            watch, places = rows.get(level, (Watch(attribute, (level,), FACTION, of_factions.members), []))
            if watch.table == attribute:
                rows[level] = watch, [*places, place]
    # Skip a level that every faction has. It is in every seat, so its share of wins is 1/players by construction.
    every = len(of_factions.names)
    rows = {name: row for name, row in rows.items() if row[0].column != FACTION or len(row[1]) < every}
    by_fold = {name.casefold(): name for name in rows}
    result = []
    for name in dict.fromkeys(names):
        if name.casefold() not in by_fold:
            raise UserError("unknown row to watch", field="on", found=name, allowed=rows)
        exact = by_fold[name.casefold()]
        watch, places = rows[exact]
        members = watch.members[:, places].sum(axis=1, keepdims=True)
        result.append(Watch(watch.table, (exact,), watch.column, members))
    return result


def every_table(plan: Plan) -> list[Watch]:
    """Return watches on the tables by faction, strategy and seat. Tables with a single row are left out.

    A single row is in every seat, so its share of wins is 1/players by construction.
    """
    watches = [watch_table(plan, table) for table in ("faction", "strategy", "seat")]
    return [watch for watch in watches if len(watch.names) > 1]


def sum_blocks(rows: Integers, watch: Watch, players: int, block_games: int) -> dict[str, Floats]:
    """Sum whole blocks of seat rows (columns `RULE_COLUMNS`).

    Returns N (seat-games), W (wins) and E (expected wins: 1/players per seat-game), each of shape (blocks, rows of the
    table). The unit of W and E is 1/lcm(1..players), so sums are whole numbers and do not depend on the order of
    summation.
    """
    unit = math.lcm(*range(1, players + 1))
    won = (rows[:, RULE_COLUMNS.index(RANK)] == 1).reshape(-1, players)
    # A solo game may have no winner.
    wins = (won * (unit // np.maximum(won.sum(axis=1, keepdims=True), 1))).ravel()
    blocks, codes = len(rows) // (players * block_games), len(watch.members)
    cell = np.repeat(np.arange(blocks) * codes, players * block_games) + rows[:, RULE_COLUMNS.index(watch.column)]

    def summed(weights: NDArray[Any] | None) -> Floats:
        by_code = np.bincount(cell, weights, blocks * codes).reshape(blocks, codes)
        return np.asarray(by_code @ watch.members, np.float64)

    games = summed(None)
    return {"N": games, "W": summed(wins), "E": games * (unit // players)}


def add_block_moments(moments: dict[str, Floats], sums: dict[str, Floats]) -> None:
    """Add the result of `sum_blocks` to running moments: those of `moments.block_moments` from which edges follow.

    Arrays have the shape (rows of the table,), in the units of the sums. The dictionary is changed in place. At the
    start it is empty.
    """
    sums = sums | {"D": sums["W"] - sums["E"]}
    new = {name: sums[name].sum(axis=0) for name in BLOCK_SUMS}
    new |= {one + two: (sums[one] * sums[two]).sum(axis=0) for one, two in PRODUCTS}
    new["blocks"] = (sums["N"] > 0).sum(axis=0).astype(np.float64)
    for name, values in new.items():
        moments[name] = moments[name] + values if name in moments else values
    largest = sums["N"].max(axis=0)
    moments["largest"] = np.maximum(moments["largest"], largest) if "largest" in moments else largest


def scaled(moments: dict[str, Floats], players: int) -> dict[str, Floats]:
    """Return running moments in units of whole wins, as `win_rate.edge_columns` needs them."""
    unit = math.lcm(*range(1, players + 1))
    return {name: values / unit ** sum(map(name.count, "WDE")) for name, values in moments.items()}


@dataclass
class Gathering:
    """A buffer of seat rows. It takes rows in batches, and returns the rows up to each look."""

    rows_per_block: int
    waiting: list[Integers] = field(default_factory=list)
    rows: int = 0
    taken: int = 0

    def add(self, rows: Integers) -> None:
        """Append the next rows of a run, in game order."""
        self.waiting.append(rows[:, RULE_COLUMNS])
        self.rows += len(rows)

    def upto(self, blocks: int) -> Integers | None:
        """Return the rows of the first `blocks` blocks that were not returned before. None if some have not arrived."""
        needed = blocks * self.rows_per_block - self.taken
        if needed > self.rows:
            return None
        together = np.concatenate(self.waiting)
        self.waiting, self.rows, self.taken = [together[needed:]], self.rows - needed, self.taken + needed
        return together[:needed]


@dataclass(kw_only=True)
class LookRule:
    """Base class of stopping rules that test at the looks of a schedule.

    A rule is called with the seat rows of the next games, one argument per arm. It returns the number of games after
    which play can stop (`enough`), or None as long as it must go on. It does not matter how the rows are split over
    calls.
    """

    plan: Plan
    watches: list[Watch]
    enough: int | None = None
    arms: ClassVar[int] = 1

    def __post_init__(self) -> None:
        self.gatherings = [Gathering(self.plan.block_games * self.plan.players) for _ in range(self.arms)]
        self.moments: list[dict[str, Floats]] = [{} for _ in self.watches]
        self.schedule = look_schedule()
        self.look = next(self.schedule)

    def __call__(self, *rows: Integers) -> int | None:
        """Take the next rows of every arm. Return the number of games after which play can stop, or None."""
        if self.enough is None:
            for gathering, own in zip(self.gatherings, rows, strict=True):
                gathering.add(own)
            while self.enough is None and self.take_up_to(self.look):
                self.look = next(self.schedule)
        return self.enough

    def take_up_to(self, look: int) -> bool:
        """Take the blocks up to a look and test them. Return False if some have not arrived yet."""
        parts = [part for gathering in self.gatherings if (part := gathering.upto(look)) is not None]
        if len(parts) == self.arms and self.is_sure(look, parts):
            self.enough = look * self.plan.block_games
        return len(parts) == self.arms

    def is_sure(self, look: int, parts: list[Integers]) -> bool:
        """Add the rows of every arm up to a look. Return whether play can stop."""
        raise NotImplementedError


@dataclass(kw_only=True)
class WidthRule(LookRule):
    """Stopping rule: stop once the 95 % intervals of all edges of some tables are narrow enough.

    Attributes
    ----------
    width
        Largest allowed distance from an edge to either end of its interval, a fraction: 0.005 is 0.5 percentage points.
    of
        The tables whose edges count: "faction", "strategy", "seat" or "all".
    reached
        The largest such distance at the last look. None if it is unknown.
    least
        Name of the least precise row.
    looks
        Number of looks so far.
    """

    width: float
    of: str
    reached: float | None = None
    least: str = ""
    looks: int = 0

    def is_sure(self, look: int, parts: list[Integers]) -> bool:
        """Tell whether the widest interval is narrow enough."""
        self.looks += 1
        for watch, moments in zip(self.watches, self.moments, strict=True):
            add_block_moments(moments, sum_blocks(parts[0], watch, self.plan.players, self.plan.block_games))
        self.reached, self.least = self.widest()
        return self.reached is not None and self.reached <= self.width

    def widest(self) -> tuple[float | None, str]:
        """Return half the width of the widest interval, and the name of its row. None if an interval is unknown."""
        reaches = np.concatenate([cautious_reach(scaled(moments, self.plan.players)) for moments in self.moments])
        names = [name for watch in self.watches for name in watch.names]
        widest = int(reaches.argmax())  # the first unknown one, if there are any
        return None if np.isnan(reaches[widest]) else float(reaches[widest]), names[widest]

    @property
    def record(self) -> dict[str, Any]:
        """The manifest's entry `stopped`. Widths are in percentage points."""
        reached = None if self.reached is None else round(100 * self.reached, 4)
        return {"rule": "until-width", "width": 100 * self.width, "of": self.of, "reached": reached,
                "least_precise": self.least, "looks": self.looks, "enough": self.enough is not None}  # fmt: skip


def cautious_reach(moments: dict[str, Floats]) -> Floats:
    """Return the length of each 95 % interval's longer side, as if a few more blocks had been won completely.

    A row that rarely wins seems most precise while it has too few wins, so that play would stop too early. To prevent
    this, Chow and Robbins (1965) add 1/n to the variance after n observations. Here, the square of the largest number
    of seat-games in a block is added to the sum of squares for each of `IMAGINED_BLOCKS` blocks. With many blocks, this
    no longer matters.

    Takes moments from `scaled`. Returns fractions, shape (rows,), never less than half the width of the reported
    interval. NaN where that interval is unknown: for rows that have not occurred yet, or that show no variation.
    """
    occurs = moments["N"] > 0
    edges = edge_columns({name: np.where(occurs, values, 1.0) for name, values in moments.items()})
    longer = np.maximum(edges["edge_high"] - edges["edge"], edges["edge"] - edges["edge_low"])
    added = Z * IMAGINED_BLOCKS**0.5 * moments["largest"] / np.where(occurs, moments["N"], np.nan)
    return np.asarray(np.hypot(longer, added))


def until_width_rule(plan: Plan, width: float, of: str | None = None) -> WidthRule:
    """Return a rule that stops a run when all win-rate edges of a table have 95 % intervals within `width` points.

    This is a fixed-width sequential interval (Chow and Robbins 1965): it stops at the first look at which
    t * standard error <= d. Here t is the quantile of Student's t, and d the requested width. The coverage of such
    intervals tends to 95 % as d falls. Looks begin at 250 blocks. There, simulations of thousands of runs cannot tell
    the coverage from 95 %. The width depends on the variance and hardly on the edge, so tests keep their error rate.

    Parameters
    ----------
    plan
        The run to be played.
    width
        The requested width in percentage points: 0.5 asks for intervals of +- 0.5 points or narrower.
    of
        "faction", "strategy", "seat" or "all". By default the first of the tables by faction, strategy and seat that
        has several rows.

    Returns
    -------
    A rule for `sim.runs.run.play_run(..., stop_rule=rule)`. The manifest gets its `record` as the entry `stopped`.

    Raises
    ------
    UserError
        The width is impossible, the table is unknown, the game has no factions to watch, or the table has one row only,
        whose share of wins is 1/players by construction.
    """
    check_points("until-width", width, 50.0)
    tables = {watch.table: watch for watch in every_table(plan)}
    if of is None:
        of = next((table for table in ("faction", "strategy", "seat") if table in tables), "seat")
    if of not in WIDTH_TABLES:
        raise UserError("unknown table", field="until-of", found=of, allowed=WIDTH_TABLES)
    if of == "faction" and not plan.data.factions:
        raise UserError(f"{plan.game.title} has no factions", field="until-of", found=of, allowed=[*tables, "all"])
    chosen = list(tables.values()) if of == "all" else [tables[of]] if of in tables else []
    if not chosen:
        message = "a table with one row cannot be measured: its win rate is fair by construction"
        raise UserError(message, field="until-of", found=of, allowed=[*tables, *(["all"] if tables else [])])
    return WidthRule(plan=plan, width=width / 100, of=of, watches=chosen)


def check_points(field: str, value: float, most: float) -> None:
    """Raise UserError unless a number of percentage points is above 0 and at most `most`."""
    if not 0 < value <= most:
        message = "number of percentage points out of range"
        raise UserError(message, field=field, found=value, allowed=f"above 0, at most {most:g}")


def check_rate(field: str, value: float) -> None:
    """Raise UserError unless a probability lies between 0 and 1, both excluded."""
    if not 0 < value < 1:
        raise UserError("probability out of range", field=field, found=value, allowed="between 0 and 1")
