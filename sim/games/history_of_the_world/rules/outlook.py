"""Estimates each seat's chance to win, between two epochs, from counts on the map.

The model is a conditional logit (McFadden 1974). Each seat has a prospect, which is a weighted sum of its counts. Its
chance is the exponential of its prospect, divided by the sum of these exponentials over all seats. The weights are
in the settings of the search (`configs/search/history_of_the_world.toml`).
"""

from __future__ import annotations

import math

from sim.compiler.kernel import Floats, Record, kernel
from sim.games.history_of_the_world.rules import constants
from sim.games.history_of_the_world.rules.scoring import count_armies, level_in, points_of_level, structure_points

PROSPECTS = ("points", "place", "last", "structures", "next", "armies")
"""Counts for a seat. points: its points. place: the share of the other seats that have more points. last: 1 if no seat
has fewer points, so that this seat chooses its empire first. structures: the points that it would score for structures.
next: the points that it would score for regions, with the values of the next epoch. armies: its armies on the map."""
POINTS, PLACE, LAST, STRUCTURES, NEXT, ARMIES = range(len(PROSPECTS))


@kernel
def evaluate_horizon(g: Record, t: Record, weights: Floats, chance: Floats) -> None:
    """Write every seat's chance to win into `chance`. Write nothing if no epoch is left.

    `weights` has a row for each number of epochs left, beginning with 1, and a column for each of `PROSPECTS`.
    """
    if g.phase == constants.END:
        return
    w = weights[t.epochs - g.epoch - 1]
    count_armies(g, t)
    most = -math.inf
    for seat in range(g.players):
        chance[seat] = prospect_of(g, t, seat, w)
        most = max(most, chance[seat])
    total = 0.0
    for seat in range(g.players):
        chance[seat] = math.exp(chance[seat] - most)
        total += chance[seat]
    for seat in range(g.players):
        chance[seat] /= total


@kernel
def prospect_of(g: Record, t: Record, seat: int, w: Floats) -> float:
    """Return a seat's prospect: the sum of its counts (`PROSPECTS`), each multiplied by its weight in `w`."""
    ahead, behind = 0, 0
    for other in range(g.players):
        ahead += int(g.points[other] > g.points[seat])
        behind += int(g.points[other] < g.points[seat])
    prospect = w[POINTS] * g.points[seat] + w[PLACE] * ahead / (g.players - 1)
    prospect += w[LAST] * int(behind == 0) + w[STRUCTURES] * structure_points(g, t, seat)
    for region in range(t.regions):
        level = level_in(g, t, seat, region)
        prospect += w[NEXT] * points_of_level(t, level, int(t.presence[g.epoch, region]))
        prospect += w[ARMIES] * g.counted[region, seat]
    return float(prospect)
