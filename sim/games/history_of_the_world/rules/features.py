"""Features that tell a learned judge about a seat between two turns: points, rank, holdings by region and land, cards.

At the beginning of an epoch, the empires of the epoch have not been drafted yet. After the draft, the judge knows which
empires are still to be called. The worth of a region is its presence value when the seat next scores the region.
"""

from __future__ import annotations

from typing import Any

from sim.compiler.kernel import Record, kernel
from sim.engine.features import add_feature, blank_counts, drop_zeros
from sim.games.history_of_the_world.rules import constants
from sim.games.history_of_the_world.rules.scoring import points_of_land, points_of_level

COUNTS = (
    "points",
    "points behind the leader",
    "lead",
    "share of others ahead",
    "chooses its empire first",
    "armies",
    "armies in mountains and forests",
    "region points to come",
    "structure points",
    "forts",
    "events held",
    "armies to come",
    "seats before its turn",
    "turn is over",
)
"""Names of the counts for a seat as a whole. The lead is 0 unless the seat leads."""
(
    POINTS,
    BEHIND,
    LEAD,
    AHEAD,
    IS_LAST,
    ARMIES,
    ARMIES_UP,
    NEXT,
    STRUCTURES,
    FORTS,
    EVENTS,
    ARMIES_TO_COME,
    SEATS_BEFORE,
    IS_OVER,
) = range(len(COUNTS))

IN_REGION = ("armies", "most armies of another", "presence", "dominance", "control", "structure points", "forts")
"""Names of the counts for a seat in each region."""
OWN, RIVAL, PRESENCE, DOMINANCE, CONTROL, BUILT, FORTS_IN = range(len(IN_REGION))

MAX_FEATURES = 224
PHASES = 4
"""Number of phases. The phase depends on the epochs left, including the current one: 1, 2, 3, or at least 4."""
TURNS = constants.MAX_SEATS + 1
"""Number of clock units of an epoch: one for the turn of each of `MAX_SEATS` seats, and one for its end."""


@kernel
def phase_of(g: Record, t: Record) -> int:
    """Return the phase of the game, by the number of epochs left. The last epoch has phase 0."""
    return int(min(t.epochs - g.epoch, PHASES)) - 1


@kernel
def may_stop(g: Record) -> int:
    """Tell whether a rollout may stop here to be judged: an epoch is about to begin, or an empire to be called."""
    if g.phase != constants.CALL:
        return int(g.phase == constants.TOKENS)
    for seat in range(g.players):
        if is_to_come(g, seat):
            return 1
    return 0


@kernel
def clock(g: Record) -> int:
    """Return the number of turns played. A finished epoch counts as `TURNS` turns, whatever the number of players."""
    turns = TURNS * int(g.phase == constants.END)
    if g.phase in (constants.CALL, constants.TURN):
        for seat in range(g.players):
            turns += int(g.called[seat] != 0)
        turns -= int(g.phase == constants.TURN)
    return int(g.epoch) * TURNS + turns


@kernel
def is_to_come(g: Record, seat: int) -> bool:
    """Tell whether a seat's empire is still to be called in this epoch."""
    is_drafted = g.phase in (constants.CALL, constants.TURN) and g.empire[seat] != constants.NO_CARD
    return bool(is_drafted and g.called[seat] == 0)


@kernel
def describe_seat(g: Record, t: Record, seat: int, index: Any, value: Any) -> int:
    """Write the features of a seat that are not zero. Return their number."""
    counts = len(COUNTS) + len(IN_REGION) * int(t.regions)
    blank_counts(index, value, counts)
    count_points(g, seat, value)
    count_turns(g, t, seat, value)
    count_lands(g, t, seat, value)
    count_rivals(g, t, seat, value, counts)
    for region in range(t.regions):
        level = level_of(t, int(value[at(t, OWN, region)]), int(value[at(t, RIVAL, region)]))
        if level > 0:
            value[at(t, PRESENCE + level - 1, region)] = 1
        value[NEXT] += points_of_level(t, level, next_token(g, t, seat, region))
    for card in range(t.empires, t.cards):
        value[EVENTS] += int(is_held(g, t, seat, card))
    count = drop_zeros(index, value, counts)
    for land in range(t.lands):
        if g.army[land] == seat:
            count = add_feature(index, value, count, counts + land)
    first = counts + int(t.lands)
    if is_to_come(g, seat):
        count = add_feature(index, value, count, first + int(g.empire[seat]))
    for card in range(t.empires, t.cards):
        if is_held(g, t, seat, card):
            count = add_feature(index, value, count, first + card)
    return count


@kernel
def at(t: Record, what: int, region: int) -> int:
    """Return the index of the feature that holds the count `IN_REGION[what]` of a region."""
    return len(COUNTS) + what * int(t.regions) + region


@kernel
def count_points(g: Record, seat: int, value: Any) -> None:
    """Write a seat's points, and how they compare with those of the other seats."""
    points = int(g.points[seat])
    best = 0
    ahead, behind = 0, 0
    for other in range(g.players):
        if other != seat:
            best = max(best, int(g.points[other]))
            ahead += int(g.points[other] > points)
            behind += int(g.points[other] < points)
    value[POINTS] = points
    value[BEHIND] = max(best - points, 0)
    value[LEAD] = max(points - best, 0)
    value[AHEAD] = ahead / (g.players - 1)
    value[IS_LAST] = int(behind == 0)


@kernel
def count_turns(g: Record, t: Record, seat: int, value: Any) -> None:
    """If a seat's turn is still to come, write the armies that it gets and the number of seats before it.

    Otherwise write whether its turn in this epoch is over."""
    if is_to_come(g, seat):
        card = int(g.empire[seat])
        value[ARMIES_TO_COME] = t.armies[card]
        for other in range(g.players):
            if is_to_come(g, other):
                value[SEATS_BEFORE] += int(t.order[g.empire[other]] < t.order[card])
    else:
        value[IS_OVER] = int(g.phase == constants.CALL)


@kernel
def count_lands(g: Record, t: Record, seat: int, value: Any) -> None:
    """Count armies and structures in the seat's lands, overall and by region."""
    for land in range(t.lands):
        if g.army[land] == seat:
            region = int(t.region[land])
            built = points_of_land(g, t, land)
            value[ARMIES] += 1
            value[ARMIES_UP] += int(t.terrain[land] != 0)
            value[STRUCTURES] += built
            value[FORTS] += g.fort[land]
            value[at(t, OWN, region)] += 1
            value[at(t, BUILT, region)] += built
            value[at(t, FORTS_IN, region)] += g.fort[land]


@kernel
def count_rivals(g: Record, t: Record, seat: int, value: Any, free: int) -> None:
    """Write, for each region, the number of armies of the strongest other seat.

    Entries of `value` from `free` on are scratch space.
    """
    for other in range(g.players):
        if other == seat:
            continue
        for region in range(t.regions):
            value[free + region] = 0
        for land in range(t.lands):
            if g.army[land] == other:
                value[free + int(t.region[land])] += 1
        for region in range(t.regions):
            value[at(t, RIVAL, region)] = max(value[at(t, RIVAL, region)], value[free + region])


@kernel
def level_of(t: Record, own: int, rival: int) -> int:
    """Return a seat's level in a region: 0 none, 1 presence, 2 dominance, 3 control.

    `own` counts its armies there, `rival` those of the strongest other seat.
    """
    if own >= t.control_armies and rival == 0:
        return 3
    if own >= t.dominance_armies and own > rival:
        return 2
    return int(own > 0)


@kernel
def next_token(g: Record, t: Record, seat: int, region: int) -> int:
    """Return the presence value of a region when a seat next scores it. A token stays until another one is placed."""
    epoch = int(g.epoch) + int(g.phase == constants.CALL and not is_to_come(g, seat))
    placed = int(t.presence[epoch, region]) if epoch < t.epochs else 0
    return placed if placed > 0 else int(g.token[region])


@kernel
def is_held(g: Record, t: Record, seat: int, card: int) -> bool:
    """Tell whether a seat holds an event that it may still play. A kingdom must be played in the epoch of its draft."""
    if g.holds[card] != 1 + seat:
        return False
    return bool(t.kind[card] == constants.ENHANCEMENT or (g.drafted[card] == g.epoch and is_to_come(g, seat)))
