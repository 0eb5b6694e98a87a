"""Changes of one faction added one at a time, where neither one number nor two are enough to make it fair.

Greedy: the change that leaves least stands, and all numbers are raced again with it, on the same deals, until the edge
lies within the margin or no number surely takes a part of it away. What is found is a small set that works, not the
smallest there is.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

from reports.formatting import counted, points
from reports.studies.search.space import Arm, from_printed, standing_at, with_arm, words_of
from reports.studies.search.successive_halving import LAST, PRINTED, Heats, key_of, last_heat, single_heats, whole

MOST_STEPS = 8
"""Changes that are added at most."""
REACHED = "within the margin"
NO_HELP = "no further number surely takes a part of that away"
MANY = f"{MOST_STEPS} further changes were tried"


@dataclass(frozen=True)
class Added:
    """One change that was added to those that stood: what it changes, and what it left on the deals of the search."""

    change: str
    left: float


@dataclass(frozen=True)
class Further:
    """What came of adding changes one at a time.

    Attributes
    ----------
    arm
        All changes, from the printed values.
    way
        The change it began with, and those added, in their order.
    ended
        Why no more were added: `REACHED`, `NO_HELP` or `MANY`.
    arms
        Values that were played for it.
    """

    arm: Arm
    way: tuple[Added, ...]
    ended: str
    arms: int


def add_changes(heats: Heats, first: Arm, games: int, say: Callable[[str], None]) -> Further:
    """Add changes to a first one until the edge lies within the margin.

    Parameters
    ----------
    heats
        Those of the printed game, on whose deals the search goes on.
    first
        What stands at the beginning, such as the pair that leaves least.
    games
        Games of the last heat of each race.
    say
        Told what was added and what is left.
    """
    printed = {turn.text: turn for turn in heats.turns}
    held, added, way, arms = first, first, list[Added](), 0
    while True:
        now = with_held(heats, held)
        now.play(PRINTED, whole(heats.plan, games))
        left = now.edge()
        way.append(Added(words_of(added), left))
        say(f"with {counted(len(held), 'number')} changed {points(left)} points are left")
        if abs(left) <= heats.goal.margin:
            return Further(held, tuple(way), REACHED, arms)
        if len(way) > MOST_STEPS:
            return Further(held, tuple(way), MANY, arms)
        raced = single_heats(now, games, say, LAST * whole(heats.plan, games))[1]
        best = last_heat([(now, raced)], games)
        arms += len(now.arms) - 1
        if best is None or math.copysign(best.worth, best.worth * left) <= best.half or abs(best.off) >= abs(left):
            return Further(held, tuple(way), NO_HELP, arms)
        added = best.arm
        held = from_printed(printed, with_arm(held, added))


def with_held(heats: Heats, held: Arm) -> Heats:
    """Return heats on the same deals in which some changes stand already."""
    return Heats(
        heats.plan, heats.goal, heats.place, heats.faction, standing_at(heats.turns, held), heats.loaded, heats.jobs,
        heats.progress, held, heats.store, heats.sums[key_of(PRINTED)], heats.expect,
    )  # fmt: skip
