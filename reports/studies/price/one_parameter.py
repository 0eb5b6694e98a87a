"""Varies one number of one faction: tries values of it, and measures what the faction wins with each value.

Every value is played on the same deals. Only the faction's own seats are stored.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from reports.statistics.core.crossing import Crossing, bracket_of, edges_at_values, find_crossing, search_crossing
from reports.statistics.core.win_rate import ALPHA, Floats
from reports.statistics.factions.opponents import MIN_BLOCKS
from reports.statistics.factions.price import MIN_PLAYERS_WITH_NEIGHBOURS, FactionPrice, against
from reports.studies.parts.intervene import changed_plan
from reports.studies.parts.parts import check_loads
from reports.studies.search.block_sums import play_arrays, wins_of_rows
from reports.studies.search.checkpoint import Arrays, SumStore
from reports.studies.search.parameters import Knob
from reports.studies.search.rebalance import outcome_of, rebalance_grid
from reports.studies.search.rebalance_report import SearchGrid
from sim.data.changes import with_value
from sim.engine.result_rows import FACTION
from sim.players.batch import Plan

SEAT_ARRAYS = ("block", "win", "left", "right", "table")
"""Names of the arrays of `OwnSeats`."""


@dataclass(frozen=True)
class OwnSeats:
    """Seats of a faction: `block` from 0, `win`, and the factions to the `left` and `right`, each of shape (seats,).

    `table` holds the factions at all seats of each game, shape (seats, players).
    """

    block: NDArray[np.int64]
    win: Floats
    left: NDArray[np.int64]
    right: NDArray[np.int64]
    table: NDArray[np.int64]

    def sums(self, blocks: int, neighbour: int | None = None, beside: bool = True) -> tuple[Floats, Floats]:
        """Return wins and seats by block, each of shape (blocks,).

        With a `neighbour`, only games with that faction count: the seats next to it if `beside`, else the seats that
        are not next to it.
        """
        there = np.ones(len(self.block), bool)
        if neighbour is not None:
            there = ((self.left == neighbour) | (self.right == neighbour)) == beside
            there &= (self.table == neighbour).any(axis=1)
        block = self.block[there]
        wins: Floats = np.bincount(block, self.win[there], blocks).astype(np.float64)
        return wins, np.bincount(block, minlength=blocks).astype(np.float64)


class Play(Protocol):
    """A function that plays a plan and returns the seats of every faction, or only of the faction `only`."""

    def __call__(self, plan: Plan, *, only: int | None = None) -> dict[int, OwnSeats]:
        """Play a plan and return the seats by faction."""


def own_seats(
    plan: Plan,
    games: int,
    jobs: int,
    progress: Callable[[int], None],
    only: int | None = None,
    store: SumStore | None = None,
) -> dict[int, OwnSeats]:
    """Return the seats of each faction, or only of `only`. Play the games whose seats are not in `store`."""
    numbers = plan.factions if only is None else (only,)

    def arrays_of(rows: NDArray[Any], _: NDArray[Any], first: int) -> Arrays:
        result = {number: seats_of(plan, rows, first, number) for number in numbers}
        return {f"{number} {part}": getattr(seats, part) for number, seats in result.items() for part in SEAT_ARRAYS}

    arrays = play_arrays(plan, ("own tables", only), arrays_of, 0, games, jobs=jobs, progress=progress, store=store)
    return {number: OwnSeats(*(arrays[f"{number} {part}"] for part in SEAT_ARRAYS)) for number in numbers}


def seats_of(plan: Plan, rows: NDArray[Any], first: int, faction: int) -> OwnSeats:
    """Return the seats of a faction in the rows of a stretch that begins with game `first`."""
    table = rows[:, FACTION].reshape(-1, plan.players)
    win = wins_of_rows(rows, plan.players)
    game, seat = np.nonzero(table == faction)
    left, right = (table[game, (seat + step) % plan.players].astype(np.int64) for step in (-1, 1))
    return OwnSeats((first + game) // plan.block_games, win[game, seat], left, right, table[game].astype(np.int64))


class NumberTurned:
    """A search over the values of one number of one faction. A value is played when the search asks for it.

    Parameters
    ----------
    plan, number, knob
        The printed game, the index of the faction, and the number that is varied.
    play
        Plays a plan and returns the seats of all factions or of one.
    base
        Seats of all factions in the printed game.
    rate
        Error rate of the limits of this price. It is chosen so that the limits of all prices hold simultaneously.
    """

    def __init__(
        self,
        plan: Plan,
        number: int,
        knob: Knob,
        games: int,
        play: Play,
        base: dict[int, OwnSeats],
        rate: float = ALPHA,
    ) -> None:
        self.plan, self.number, self.knob, self.rate = plan, number, knob, rate
        self.blocks = -(-games // plan.block_games)
        self.grid = rebalance_grid(knob, None, None, None, self.fits)
        self.seats = {self.grid.present: base[number]}

        def measure(place: int) -> tuple[Floats, Floats]:
            if place not in self.seats:
                changed = changed_plan(plan, [self.change(self.grid.value(place))])
                self.seats[place] = play(changed, only=number)[number]
            return self.seats[place].sums(self.blocks)

        self.edges = search_crossing(measure, 0, len(self.grid.values) - 1, self.grid.present, 1 / plan.players)

    def change(self, value: float) -> str:
        """Return the change that sets the number to a value."""
        return with_value(self.knob.text, value)

    def fits(self, value: float) -> bool:
        """Tell whether the game accepts a value of the number."""
        whole = self.knob.limits is not None and self.knob.limits.whole
        return check_loads(self.plan.game, self.plan.data, [self.change(round(value) if whole else value)])

    def row(self) -> dict[str, Any]:
        """Return the row of `PricesPlayed.frame` on this number."""
        crossing, outcome = outcome_of(self.edges, self.grid.present)
        if len(np.unique(self.seats[self.grid.present].block)) < MIN_BLOCKS:
            crossing = None
        best, printed = int(np.argmin(np.abs(self.edges.edges))), float(self.grid.printed)
        price, low, high = priced(crossing, self.grid)
        family = None if crossing is None else find_crossing(replace(self.edges, alpha=self.rate), self.grid.present)
        _, family_low, family_high = priced(family, self.grid)
        own = int(np.flatnonzero(self.edges.places == self.grid.present)[0])
        return {
            "players": self.plan.players, "faction": self.plan.data.factions[self.number].name,
            "games": len(self.seats[self.grid.present].block), "printed": printed, "edge": float(self.edges.edges[own]),
            "price": price, "low": low, "high": high, "price_family_low": family_low, "price_family_high": family_high,
            "value": printed + price,
            **self.left_at("nearest", "left", best), **self.left_at("other", "other_left", self.other_side(best)),
            "least": float(self.grid.values[0]), "most": float(self.grid.values[-1]), "whole": self.grid.whole,
            "outcome": outcome, "tried": len(self.edges.places), "blocks": self.edges.blocks,
        }  # fmt: skip

    def left_at(self, value: str, left: str, tried: int | None) -> dict[str, float]:
        """Return the value at index `tried` and its edge with limits, by column name. All are NaN if `tried` is None.

        The column of the value is named `value`, that of the edge `left`, those of the limits `left` with "_low" and
        "_high".
        """
        if tried is None:
            return dict.fromkeys((value, left, f"{left}_low", f"{left}_high"), np.nan)
        edge, half = float(self.edges.edges[tried]), float(self.edges.reach * self.edges.errors[tried])
        result = float(self.grid.value(int(self.edges.places[tried])))
        return {value: result, left: edge, f"{left}_low": edge - half, f"{left}_high": edge + half}

    def other_side(self, best: int) -> int | None:
        """Return the index of the tried value that encloses the price together with the value at index `best`.

        None if no two neighbouring tried values enclose a price, or if the value at `best` is neither of them.
        """
        bracket = bracket_of(self.edges, self.grid.present)
        if bracket is None or best not in (bracket, bracket + 1):
            return None
        return 2 * bracket + 1 - best

    def rows_beside(self) -> list[dict[str, Any]]:
        """Return the rows of `PricesPlayed.beside` on this number, one for each neighbour."""
        if self.plan.players < MIN_PLAYERS_WITH_NEIGHBOURS:
            return []
        result = []
        for other in self.plan.factions:
            price, games = self.price_beside(other, True)
            if games:
                names = [self.plan.data.factions[number].name for number in (self.number, other)]
                result.append({
                    "players": self.plan.players, "faction": names[0], "neighbour": names[1], "games": games,
                    "price": price.points, "low": price.low, "high": price.high,
                    **against(price, self.price_beside(other, False)[0]),
                })  # fmt: skip
        return result

    def price_beside(self, other: int, there: bool) -> tuple[FactionPrice, int]:
        """Return the price for seats next to the faction `other` (or not next to it, unless `there`), and their number.

        If they are too few, the price is unknown and the number is 0.
        """
        sums = [self.seats[int(place)].sums(self.blocks, other, there) for place in self.edges.places]
        wins, seats = (np.array(part) for part in zip(*sums, strict=True))
        blocks = int((seats[0] > 0).sum())
        if blocks < MIN_BLOCKS:
            return FactionPrice(), 0
        edges = edges_at_values(self.edges.places, wins, seats, 1 / self.plan.players)
        price = priced(outcome_of(edges, self.grid.present)[0], self.grid)
        return FactionPrice(*price, blocks), int(seats[0].sum())


def priced(crossing: Crossing | None, grid: SearchGrid) -> tuple[float, float, float]:
    """Return the price (the fair value minus the printed one) and its limits.

    All three are NaN if the price is unknown. A single limit is NaN if the tried values do not bound it.
    """
    if crossing is None:
        return np.nan, np.nan, np.nan
    ends = (crossing.place, crossing.low, crossing.high)
    price, low, high = (float(grid.value(end)) - float(grid.printed) for end in ends)
    return price, np.nan if crossing.open_low else low, np.nan if crossing.open_high else high
