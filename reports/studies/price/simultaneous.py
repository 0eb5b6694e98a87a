"""Prices in goods that all factions pay together, in printable values.

The price of a faction alone holds only while the others pay nothing. Goods at the start change play, so final scores do
not determine the result. Therefore the run's deals are played with all values changed at once. Factions that still miss
their fair share get a new value. It is chosen by the effect that the number had while its faction alone paid. This
repeats a few times. The best values and the printed values are played on fresh deals, because values look too fair
on the deals on which they were chosen.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import polars as pl

from reports.statistics.core.crossing import Edges, edges_at_values, has_effect
from reports.studies.parts.intervene import changed_plan
from reports.studies.price.one_parameter import NumberTurned, OwnSeats, Play
from reports.studies.search.successive_halving import with_fresh_deals
from sim.players.batch import Plan

MAX_ROUNDS = 4
Places = tuple[int, ...]
"""For every faction: the index of its value on its grid."""
PAID_SCHEMA = {
    "players": pl.Int64, "faction": pl.String, "printed": pl.Float64, "paid": pl.Float64, "edge": pl.Float64,
    "edge_low": pl.Float64, "edge_high": pl.Float64, "left": pl.Float64, "left_low": pl.Float64,
    "left_high": pl.Float64, "games": pl.Int64, "rounds": pl.Int64, "seed": pl.Int64,
    "blocks": pl.Int64,
}  # fmt: skip


def paid_at_once(
    plan: Plan, turned: Sequence[NumberTurned], play: Play, say: Callable[[str], None] = lambda text: None
) -> list[dict[str, Any]]:
    """Find values with which all factions together are as fair as possible, and play them on fresh deals.

    `turned` are the numbers of the factions, with the values that were tried for each alone. Returns a row for each
    faction. `printed` and `paid` are its printed value and its value when all pay. `edge` (as printed) and `left` (when
    all pay) are its edges on fresh deals, with 95 % limits `_low` and `_high`. `games` counts its seat-games there.
    `seed` is the seed of these deals, `rounds` the number of rounds that the search played.
    """
    result, rounds = best_joint_values(plan, turned, play, say)
    fresh = with_fresh_deals(plan)
    say("all at once on fresh deals")
    printed = tuple(one.grid.present for one in turned)
    before = play(fresh)
    after = play(with_values(fresh, turned, result)) if result != printed else before
    rows = []
    for one, place in zip(turned, result, strict=True):
        row = {"players": plan.players, "faction": plan.data.factions[one.number].name, "paid": one.grid.value(place),
               "printed": one.grid.printed, "games": len(before[one.number].block), "rounds": rounds,
               "seed": fresh.seed, "blocks": len(np.unique(after[one.number].block))}  # fmt: skip
        for name, seats in (("edge", before), ("left", after)):
            edge, half = at_place(edge_when_all_pay(one, seats), 0)
            row |= {name: edge, f"{name}_low": edge - half, f"{name}_high": edge + half}
        rows.append(row)
    return rows


def best_joint_values(
    plan: Plan, turned: Sequence[NumberTurned], play: Play, say: Callable[[str], None]
) -> tuple[Places, int]:
    """Return the tried set of values with the smallest sum of squared edges, and the number of rounds.

    In every round, each faction whose 95 % interval excludes 0 moves to the value that `next_place` returns. The search
    ends after `MAX_ROUNDS` rounds, or when all values together have been played before.
    """
    at = tuple(one.grid.present for one in turned)
    left = [at_place(one.edges, one.grid.present) for one in turned]
    tried = {at: left}
    for number in range(MAX_ROUNDS):
        at = tuple(next_place(one, place, *edge) for one, place, edge in zip(turned, at, left, strict=True))
        if at in tried:
            break
        say(f"all at once, round {number + 1}")
        seats = play(with_values(plan, turned, at))
        left = [at_place(edge_when_all_pay(one, seats), 0) for one in turned]
        tried[at] = left
    return min(tried, key=lambda places: sum(edge**2 for edge, _ in tried[places])), len(tried) - 1


def at_place(edges: Edges, place: int) -> tuple[float, float]:
    """Return the edge at the tried value with grid index `place`, and half the width of its 95 % interval."""
    number = int(np.flatnonzero(edges.places == place)[0])
    return float(edges.edges[number]), float(edges.reach * edges.errors[number])


def next_place(one: NumberTurned, place: int, edge: float, half: float) -> int:
    """Return the grid index of a faction's next value. `edge` is left at the current value `place` when all pay.

    Straight lines join the edges that were measured while the faction alone paid. They are shifted so that they meet
    `edge` at the current value. The next value is the one at which the shifted lines are nearest to 0.

    The value stays the same if `edge` is at most `half` (half its 95 % interval), or if no effect of the number is
    known.
    """
    if not abs(edge) > half or not has_effect(one.edges):
        return place
    places = np.arange(one.edges.places[0], one.edges.places[-1] + 1)
    alone = np.interp(places, one.edges.places, one.edges.edges)
    expected = alone + edge - alone[place - int(places[0])]
    return int(places[np.argmin(np.abs(expected))])


def with_values(plan: Plan, turned: Sequence[NumberTurned], places: Places) -> Plan:
    """Return the plan with changes for all values that differ from the printed ones. `places` are grid indices."""
    moved = [(one, place) for one, place in zip(turned, places, strict=True) if place != one.grid.present]
    return changed_plan(plan, [one.change(one.grid.value(place)) for one, place in moved]) if moved else plan


def edge_when_all_pay(one: NumberTurned, seats: dict[int, OwnSeats]) -> Edges:
    """Return the edge of a faction when all pay, as `Edges` with a single value."""
    wins, owned = seats[one.number].sums(one.blocks)
    return edges_at_values(np.zeros(1, np.int64), wins[None], owned[None], 1 / one.plan.players)
