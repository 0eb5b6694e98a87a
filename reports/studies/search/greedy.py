"""Greedy search for one faction: changes are added one at a time if neither one number nor two make it fair.

The change that leaves least is made, and all numbers race again with it on the same deals, until the edge lies within
the margin or no number surely removes a part of it. The result is a small set that works, not the smallest.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from reports.formatting import counted, points
from reports.studies.search.space import Arm, arm_words, from_printed, standing_at, with_arm
from reports.studies.search.successive_halving import LAST_ROUND_SIZE, PRINTED, Heats, arm_key, first_rounds, last_round

MAX_STEPS = 8
"""Most changes that are added."""
REACHED = "within the margin"
NO_HELP = "no further number is confirmed to reduce it"
TOO_MANY = f"{MAX_STEPS} further changes were tried"


@dataclass(frozen=True)
class Added:
    """One added change in words, and the edge that it left on the deals of the search."""

    change: str
    left: float


@dataclass(frozen=True)
class Further:
    """Result of adding changes one at a time.

    Attributes
    ----------
    arm
        All changes, from the printed values.
    way
        The first change and those added, in order.
    ended
        Why no more were added: `REACHED`, `NO_HELP` or `TOO_MANY`.
    arms
        Number of values played.
    """

    arm: Arm
    way: tuple[Added, ...]
    ended: str
    arms: int


def add_changes(heats: Heats, first: Arm) -> Further:
    """Add changes to a first one until the edge lies within the margin.

    Parameters
    ----------
    heats
        Those of the printed game, whose deals are used.
    first
        Changes to begin with, such as the pair that leaves least.
    """
    search, printed = heats.search, {turn.text: turn for turn in heats.turns}
    held, added, way, arms = first, first, list[Added](), 0
    while True:
        now = Heats(
            search, heats.place, heats.faction, standing_at(heats.turns, held), heats.loaded, held,
            heats.sums[arm_key(PRINTED)],
        )  # fmt: skip
        now.play(PRINTED, search.full)
        left = now.edge()
        way.append(Added(arm_words(added), left))
        search.say(f"with {counted(len(held), 'number')} changed {points(left)} points are left")
        if abs(left) <= heats.goal.margin:
            return Further(held, tuple(way), REACHED, arms)
        if len(way) > MAX_STEPS:
            return Further(held, tuple(way), TOO_MANY, arms)
        raced = first_rounds(now, LAST_ROUND_SIZE * search.full)[1]
        best = last_round([(now, raced)])
        arms += len(now.arms) - 1
        if best is None or math.copysign(best.worth, best.worth * left) <= best.half or abs(best.off) >= abs(left):
            return Further(held, tuple(way), NO_HELP, arms)
        added = best.arm
        held = from_printed(printed, with_arm(held, added))
