"""The price of a faction in goods that it begins with: a number of its own row, such as coins, that makes it fair.

A run's deals are played again with other values of the number, one faction at a time and the others as they are. Goods
at the start change how a game is played, so that no final score tells this; every value is played on the same deals.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from reports.statistics.beside import FEWEST_BLOCKS
from reports.statistics.crossing import Crossing, edges_of, search
from reports.statistics.price import FEWEST_PLAYERS_WITH_NEIGHBOURS, Price, against, with_apart
from reports.statistics.winshare import Floats
from reports.studies.arm_sums import play_arrays, warmed
from reports.studies.intervene import changed_plan
from reports.studies.kept_sums import Arrays, SumStore
from reports.studies.knobs import Knob, find_knob, full_name, number_knobs
from reports.studies.parts import check_loads
from reports.studies.rebalance import outcome_of, rebalance_grid
from reports.studies.rebalance_found import SearchGrid
from sim.batch import Plan
from sim.data.changes import with_value
from sim.errors import UserError
from sim.replay import plan_of
from sim.rows import FACTION, RANK
from sim.runs.manifest import load_manifest

GAMES = 8000
"""Games of each value, where nothing else is asked for."""

PARTS = ("block", "win", "left", "right")
"""Arrays of `OwnSeats`."""
PRICED = {
    "players": pl.Int64, "faction": pl.String, "games": pl.Int64, "printed": pl.Float64, "edge": pl.Float64,
    "price": pl.Float64, "low": pl.Float64, "high": pl.Float64, "value": pl.Float64, "nearest": pl.Float64,
    "left": pl.Float64, "left_low": pl.Float64, "left_high": pl.Float64, "least": pl.Float64, "most": pl.Float64,
    "outcome": pl.String,
}  # fmt: skip


@dataclass(frozen=True)
class PricesPlayed:
    """What came of turning one number of every faction.

    Attributes
    ----------
    field, noun
        The number, and what the game calls a faction.
    frame
        A row for each number of players and faction: `games` (its seats at each value), `printed`, `edge` as printed,
        `price` (the value that makes it fair less the printed one) with 95 % limits `low` and `high`, `value` (printed
        and price together), `nearest` (the value played that leaves least) with what it leaves as `left`, `left_low`
        and `left_high`; `least` and `most`, the range that was searched, and `outcome` as `rebalance` has it.
    beside
        Prices by who sits beside the faction, on either side, as `prices_by_neighbour` has them; no rows where places
        do not touch.
    games
        Games of each value with one number of players.
    title
        Of the game.
    """

    field: str
    noun: str
    frame: pl.DataFrame
    beside: pl.DataFrame
    games: int
    title: str


@dataclass(frozen=True)
class OwnSeats:
    """Seats of a faction: their `block` from 0, `win`, factions at the `left` and `right`; each of shape (seats,)."""

    block: NDArray[np.int64]
    win: Floats
    left: NDArray[np.int64]
    right: NDArray[np.int64]

    def sums(self, blocks: int, neighbour: int | None = None, beside: bool = True) -> tuple[Floats, Floats]:
        """Wins and seats of every block: all, those beside a neighbour, or all but these; each of shape (blocks,)."""
        there = np.ones(len(self.block), bool)
        if neighbour is not None:
            there = ((self.left == neighbour) | (self.right == neighbour)) == beside
        block = self.block[there]
        wins: Floats = np.bincount(block, self.win[there], blocks).astype(np.float64)
        return wins, np.bincount(block, minlength=blocks).astype(np.float64)


def prices_played(
    folder: Path,
    field: str,
    faction: str | None = None,
    games: int = GAMES,
    *,
    trust: bool = False,
    jobs: int = -1,
    say: Callable[[str], None] = lambda text: None,
    progress: Callable[[int], None] = lambda games: None,
    store: SumStore | None = None,
) -> PricesPlayed:
    """Find what a number of each faction has to be for it to win its fair share of a run's deals.

    Parameters
    ----------
    folder
        Of the run whose deals and players these are.
    field
        A field of the faction's row in the game's data: "coins_start".
    faction
        Only this one; by default all that are dealt.
    games
        Games of each value, with each number of players and in each variant, if the run has so many.
    trust
        Whether Python files of players that the run names may be run.
    store
        Where seats are kept, so that an interrupted command goes on; by default nowhere.

    Raises
    ------
    UserError
        The run cannot be played again, has no factions or one player only, or no faction has such a number.
    """
    manifest = load_manifest(folder)
    counts = [count for count in manifest.player_counts if count.players > 1]
    if not manifest.factions:
        raise UserError(f"{manifest.title} has no factions that could have a price", file=folder)
    if not counts:
        raise UserError("games of one player have nobody to set a price against", file=folder)
    rows, beside = [], []
    for count in counts:
        plan = plan_of(folder, manifest, count, trust=trust)
        warmed([plan], say)
        wanted = [one for one in plan.factions if faction in (None, plan.data.factions[one].name)]
        knobs = knobs_of(plan, wanted, field)
        fits = max(min(games, count.games) // plan.block_games, 1) * plan.block_games
        base = own_seats(plan, fits, jobs, progress, store=store)
        for number, knob in zip(wanted, knobs, strict=True):
            say(f"{plan.players} players: {knob.title}")
            found = NumberTurned(plan, number, knob, fits, jobs, progress, base, store)
            rows.append(found.row())
            beside += found.rows_beside() if plan.game.touching else []
    frame = pl.DataFrame(rows, schema=PRICED).with_columns(pl.col(pl.Float64).fill_nan(None))
    frame = frame.sort("players", "price", nulls_last=True)
    return PricesPlayed(field, manifest.faction_title, frame, with_apart(beside), games, manifest.title)


def knobs_of(plan: Plan, factions: Sequence[int], field: str) -> list[Knob]:
    """Return the number of each faction's row, as printed.

    Raises
    ------
    UserError
        One has no such number; the message names those that all have.
    """
    names = [plan.data.factions[number].name for number in factions]
    texts = [full_name(plan.game, plan.data, name, field) for name in names]
    try:
        found = [find_knob(plan.game, plan.data, text) for text in texts]
    except UserError:
        found = []
    if len(found) == len(texts) and all(knob.limits is not None and is_number(knob.present) for knob in found):
        return found
    own = [{name.removeprefix(text.removesuffix(field)) for name in number_knobs(plan.game, plan.data, text)}
           for text in texts]  # fmt: skip
    message = f"not a number that every {plan.game.faction_title} has"
    raise UserError(message, field="in", found=field, allowed=sorted(set.intersection(*own)) if own else None)


def is_number(value: object) -> bool:
    """Whether a printed value is a number."""
    return isinstance(value, int | float) and not isinstance(value, bool)


def own_seats(
    plan: Plan,
    games: int,
    jobs: int,
    progress: Callable[[int], None],
    only: int | None = None,
    store: SumStore | None = None,
) -> dict[int, OwnSeats]:
    """Play games of a plan, as far as they are not kept; return the seats of each faction, or of one.

    Raises
    ------
    UserError
        A strategy fails.
    """
    wanted = plan.factions if only is None else (only,)

    def arrays_of(rows: NDArray[Any], _: NDArray[Any], first: int) -> Arrays:
        found = {number: seats_of(plan, rows, first, number) for number in wanted}
        return {f"{number} {part}": getattr(seats, part) for number, seats in found.items() for part in PARTS}

    arrays = play_arrays(plan, ("seats of", only), arrays_of, 0, games, jobs=jobs, progress=progress, store=store)
    return {number: OwnSeats(*(arrays[f"{number} {part}"] for part in PARTS)) for number in wanted}


def seats_of(plan: Plan, rows: NDArray[Any], first: int, faction: int) -> OwnSeats:
    """Seats of a faction among the rows of a stretch that begins with game `first`."""
    table = rows[:, FACTION].reshape(-1, plan.players)
    ranks = (rows[:, RANK] == 1).reshape(-1, plan.players)
    win = ranks / np.maximum(ranks.sum(axis=1, keepdims=True), 1)
    game, seat = np.nonzero(table == faction)
    left, right = (table[game, (seat + step) % plan.players].astype(np.int64) for step in (-1, 1))
    return OwnSeats((first + game) // plan.block_games, win[game, seat], left, right)


class NumberTurned:
    """One faction whose number is turned: values are played as the search asks for them.

    Parameters
    ----------
    plan, number, knob
        The printed game, the faction, and its number.
    games
        Games of each value.
    base
        Seats of all factions in the printed game.
    """

    def __init__(
        self,
        plan: Plan,
        number: int,
        knob: Knob,
        games: int,
        jobs: int,
        progress: Callable[[int], None],
        base: dict[int, OwnSeats],
        store: SumStore | None,
    ) -> None:
        self.plan, self.number, self.knob = plan, number, knob
        self.blocks = -(-games // plan.block_games)
        self.grid = rebalance_grid(knob, None, None, None, self.fits)
        self.seats = {self.grid.present: base[number]}
        fair = 1 / plan.players

        def measure(place: int) -> tuple[Floats, Floats]:
            if place not in self.seats:
                plan = changed_plan(self.plan, [self.change(self.grid.value(place))])
                self.seats[place] = own_seats(plan, games, jobs, progress, self.number, store)[self.number]
            return self.seats[place].sums(self.blocks)

        self.edges = search(measure, 0, len(self.grid.values) - 1, self.grid.present, fair)

    def change(self, value: float) -> str:
        """The change to a value."""
        return with_value(self.knob.text, value)

    def fits(self, value: float) -> bool:
        """Whether the game takes a value."""
        whole = self.knob.limits is not None and self.knob.limits.whole
        return check_loads(self.plan.game, self.plan.data, [self.change(round(value) if whole else value)])

    def row(self) -> dict[str, Any]:
        """A row of `PricesPlayed.frame`."""
        crossing, outcome = outcome_of(self.edges, self.grid.present)
        if len(np.unique(self.seats[self.grid.present].block)) < FEWEST_BLOCKS:
            crossing = None
        best = int(np.argmin(np.abs(self.edges.edges)))
        half = self.edges.reach * self.edges.errors[best]
        left, printed = float(self.edges.edges[best]), float(self.grid.printed)
        price, low, high = priced(crossing, self.grid)
        own = int(np.flatnonzero(self.edges.places == self.grid.present)[0])
        return {
            "players": self.plan.players, "faction": self.plan.data.factions[self.number].name,
            "games": len(self.seats[self.grid.present].block), "printed": printed, "edge": float(self.edges.edges[own]),
            "price": price, "low": low, "high": high, "value": printed + price,
            "nearest": float(self.grid.value(int(self.edges.places[best]))), "left": left, "left_low": left - half,
            "left_high": left + half, "least": float(self.grid.values[0]), "most": float(self.grid.values[-1]),
            "outcome": outcome,
        }  # fmt: skip

    def rows_beside(self) -> list[dict[str, Any]]:
        """Rows of `PricesPlayed.beside`: the values that were played, seats beside each neighbour only."""
        if self.plan.players < FEWEST_PLAYERS_WITH_NEIGHBOURS:
            return []
        found = []
        for other in self.plan.factions:
            here = self.price_beside(other, True)
            if here is not None:
                price, games = here
                elsewhere = self.price_beside(other, False)
                names = [self.plan.data.factions[number].name for number in (self.number, other)]
                apart = against(price, Price(*[np.nan] * 3) if elsewhere is None else elsewhere[0])
                found.append({
                    "players": self.plan.players, "faction": names[0], "neighbour": names[1], "games": games,
                    "price": price.points, "low": price.low, "high": price.high, **apart,
                })  # fmt: skip
        return found

    def price_beside(self, other: int, there: bool) -> tuple[Price, int] | None:
        """Price of its seats beside another faction, or of all others, and their number; None for too few."""
        sums = [self.seats[int(place)].sums(self.blocks, other, there) for place in self.edges.places]
        wins, seats = (np.array(part) for part in zip(*sums, strict=True))
        if (seats[0] > 0).sum() < FEWEST_BLOCKS:
            return None
        edges = edges_of(self.edges.places, wins, seats, 1 / self.plan.players)
        return Price(*priced(outcome_of(edges, self.grid.present)[0], self.grid)), int(seats[0].sum())


def priced(crossing: Crossing | None, grid: SearchGrid) -> tuple[float, float, float]:
    """Price with its limits: what is added to the printed value; NaN where it is not known, or goes on beyond."""
    if crossing is None:
        return np.nan, np.nan, np.nan
    ends = (crossing.place, crossing.low, crossing.high)
    price, low, high = (float(grid.value(end)) - float(grid.printed) for end in ends)
    return price, np.nan if crossing.open_low else low, np.nan if crossing.open_high else high
