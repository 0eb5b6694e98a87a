"""Conditions of missions and events: what a seat has, and whether it has the most or the least of all seats."""

from __future__ import annotations

from sim.compiler.kernel import Record, kernel
from sim.games.glory_of_rome.rules import constants
from sim.games.glory_of_rome.rules.hands import sets_laid
from sim.games.glory_of_rome.rules.pantheon import pieces_of
from sim.games.glory_of_rome.rules.regions import first_places
from sim.games.glory_of_rome.rules.senate import votes_in_column


@kernel
def province_before(g: Record, seat: int) -> int:
    """Return the province in front of a seat."""
    return int(g.board[g.place[seat]])


@kernel
def population(g: Record, province: int) -> int:
    """Return the population of a province: 1 plus the sum of the levels of its buildings."""
    total = 1
    for kind in range(g.building.shape[1]):
        total += int(g.building[province, kind])
    return total


@kernel
def medals_of(g: Record, seat: int) -> int:
    """Return the number of a seat's medals."""
    count = 0
    for kind in range(g.medal.shape[0]):
        count += int(g.medal[kind] == seat)
    return count


@kernel
def count_of(g: Record, seat: int, count: int) -> int:
    """Return how many things of the kind `count` (an index in `constants.COUNTS`) a seat has."""
    if count == constants.COUNT_DENARII:
        return int(g.denarii[seat])
    if count == constants.COUNT_GLORY:
        return int(g.glory[seat])
    if count == constants.COUNT_LEGIONS:
        placed = 0
        for region in range(g.legions.shape[0]):
            placed += int(g.legions[region, seat])
        return placed
    if count == constants.COUNT_VOTES:
        return votes_in_column(g, seat)
    if count == constants.COUNT_SETS:
        return sets_laid(g, seat)
    if count == constants.COUNT_MEDALS:
        return medals_of(g, seat)
    if count == constants.COUNT_PANTHEON:
        return pieces_of(g, seat)
    if count == constants.COUNT_DISCORD:
        return int(g.discord[seat])
    if count == constants.COUNT_FOLLOWERS:
        return int(g.followers[seat])
    if count == constants.COUNT_TRADE_CARDS:
        return int(g.hand_size[seat])
    if count == constants.COUNT_POPULATION:
        return population(g, province_before(g, seat))
    if count == constants.COUNT_FIRST_PLACES:
        return first_places(g, seat)
    return 0


@kernel
def meets_condition(g: Record, t: Record, seat: int, card: int) -> bool:
    """Tell whether a seat meets the condition of a mission or an event.

    Seats that tie for the most or the least all meet it.
    """
    condition, count = int(t.condition[card]), int(t.count[card])
    if condition == constants.ALWAYS:
        return True
    if condition == constants.MEDAL:
        return bool(g.medal[count] == seat)
    own = count_of(g, seat, count)
    if condition == constants.AT_LEAST:
        return bool(own >= t.number[card])
    for other in range(g.players):
        theirs = count_of(g, other, count)
        if (condition == constants.MOST and theirs > own) or (condition == constants.LEAST and theirs < own):
            return False
    return True


@kernel
def is_fulfilled(g: Record, t: Record, seat: int, mission: int) -> bool:
    """Tell whether a seat has fulfilled a mission.

    A mission that pays for each counted thing needs one such thing; any other mission needs its condition to be met.
    """
    if t.condition[mission] == constants.PER:
        return count_of(g, seat, int(t.count[mission])) > 0
    return meets_condition(g, t, seat, mission)


@kernel
def mission_points(g: Record, t: Record, seat: int, mission: int) -> int:
    """Return a seat's end glory for a mission: a fixed number if the condition is met, or points per counted thing."""
    if t.condition[mission] == constants.PER:
        return int(t.points[mission]) * count_of(g, seat, int(t.count[mission]))
    return int(t.points[mission]) if meets_condition(g, t, seat, mission) else 0
