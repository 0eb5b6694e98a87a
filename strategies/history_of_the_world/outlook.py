"""What an appraising player notes once for a decision: armies in the regions, what each region could bring."""

from __future__ import annotations

import math

from sim.games.history_of_the_world import words
from sim.games.history_of_the_world.tables import MAX_REGIONS
from sim.jit import Record, kernel
from strategies.history_of_the_world.land_worth import armies_needed, kind_of_battle, odds_of
from strategies.history_of_the_world.weights import (
    AFTER,
    FIRST_LAND,
    LAND_COST,
    LANDS_OF,
    LATER,
    MOST_ARMIES,
    N_AFTER,
    N_COST,
    N_ICONS,
    N_LEADER,
    N_ODDS,
    N_READY,
    N_REGION,
    P_CONTROL,
    P_DOMINANCE,
    P_FIRST,
    P_HURT,
    P_LEADER,
    P_PRESENCE,
    R_ARMIES,
    R_BEAT,
    R_BREAK,
    R_COST,
    R_COUNT,
    R_GAIN,
    R_LATER,
    R_WORTH,
    REGION_NOTES,
)

STEPS = 4
"""Armies more in a region that a plan has at most."""
WANTED = 0.5
"""Armies that a land may cost more if the strongest other player of its region holds it."""
TAKEN = 100.0
"""Added to the cost of a land in a search that has taken it."""
BY_TOKENS = 0.5
"""Share of the armies spent in battles when siege tokens take the place of some."""
FREE = 1.0
"""Cost of a land that nobody holds; all others cost more."""
OWN = 1000.0
"""Cost of an own land."""
PRINTED = (0.0, 1.0, 2.0, 3.0)
"""Points of each level, in presence values, for others."""
THINNED = 0.15
"""What another seat loses with an army though its level stays."""


@kernel
def look_ahead(g: Record, t: Record, me: int, w: Record) -> None:
    """Note what is the same for all options of a decision, unless it is noted."""
    if not math.isnan(g.notes[N_READY]):
        return
    g.notes[N_READY] = 1.0
    g.notes[N_AFTER] = w.prepared[AFTER + g.epoch]
    note_leader(g, me)
    note_battles(g, t, w)
    count_armies(g, t, me)


@kernel
def note_leader(g: Record, me: int) -> None:
    """Note the other seat with the most points."""
    leader = words.NO_SEAT
    for seat in range(g.players):
        if seat != me and (leader == words.NO_SEAT or g.points[seat] > g.points[leader]):
            leader = seat
    g.notes[N_LEADER] = leader


@kernel
def note_battles(g: Record, t: Record, w: Record) -> None:
    """Note the armies that every kind of battle takes, and where its odds stand."""
    share = BY_TOKENS if g.phase == words.TURN and g.siege_tokens > 1 else 1.0
    for fort in range(2):
        for maritime in range(2):
            for terrain in range(2):
                at = odds_of(g, t, terrain, fort, maritime, MOST_ARMIES, 0)
                kind = kind_of_battle(terrain, fort, maritime)
                g.notes[N_COST + kind] = 1.0 + share * w.prepared[at + 1]
                g.notes[N_ODDS + kind] = at - 2 * MOST_ARMIES


@kernel
def region_notes(region: int) -> int:
    """First place of the notes on a region."""
    return N_REGION + REGION_NOTES * region


@kernel
def count_armies(g: Record, t: Record, me: int) -> None:
    """Note the armies of every seat in every region, and the icons of active lands."""
    for region in range(t.regions):
        at = region_notes(region)
        for seat in range(g.players):
            g.notes[at + R_COUNT + seat] = 0.0
    icons = 0
    for land in range(t.lands):
        owner = int(g.army[land])
        if owner != words.NO_SEAT:
            g.notes[region_notes(int(t.region[land])) + R_COUNT + owner] += 1.0
            if owner == me:
                icons += int(g.active[land] * t.resource[land])
    g.notes[N_ICONS] = icons


# ---- Levels ----


@kernel
def level_of(t: Record, own: float, most: float, others: float) -> int:
    """Level of a seat in a region, 1 presence to 3 control, by its armies, the most of another seat and all others."""
    if own <= 0.0:
        return 0
    if own >= t.control_armies and others <= 0.0:
        return 3
    return 2 if own >= t.dominance_armies and own > most else 1


@kernel
def lasting(own: float, most: float) -> float:
    """What armies in a region bring later, in presence values: more are not lost as soon."""
    if own <= 0.0:
        return 0.0
    value = (
        1.0 + 0.35 * min(own - 1.0, 1.0) + 0.15 * max(0.0, min(own - 2.0, 1.0)) + 0.05 * max(0.0, min(own - 3.0, 3.0))
    )
    return value if own > most else 0.8 * value


@kernel
def points_of(t: Record, own: float, most: float, others: float, now: float, later: float, w: Record) -> float:
    """Points of armies in a region, now and later."""
    level = level_of(t, own, most, others)
    points = later * lasting(own, most)
    if level == 3:
        return float(points + now * t.control_times * w.weight[P_CONTROL])
    if level == 2:
        return float(points + now * t.dominance_times * w.weight[P_DOMINANCE])
    return float(points + now * w.weight[P_PRESENCE]) if level == 1 else 0.0


@kernel
def most_beside(g: Record, at: int, me: int) -> float:
    """Most armies that a seat other than one has in the region noted from place `at` on."""
    most = 0.0
    for seat in range(g.players):
        if seat != me:
            most = max(most, g.notes[at + R_COUNT + seat])
    return most


@kernel
def all_beside(g: Record, at: int, me: int) -> float:
    """All armies of seats other than one in the region noted from place `at` on."""
    armies = -g.notes[at + R_COUNT + me]
    for seat in range(g.players):
        armies += g.notes[at + R_COUNT + seat]
    return float(armies)


@kernel
def weight_of(g: Record, seat: int, w: Record) -> float:
    """What a point that another seat loses is worth."""
    share = w.weight[P_HURT] / (g.players - 1)
    return float(share * (1.0 + w.weight[P_LEADER]) if seat == g.notes[N_LEADER] else share)


@kernel
def value_for(g: Record, region: int, seat: int) -> float:
    """Points that a presence value in a region is worth to another seat: it may score still in this epoch."""
    now = 0.0 if g.called[seat] != 0 else float(g.token[region])
    return float(now + g.notes[region_notes(region) + R_LATER])


# ---- Plans ----


@kernel
def plan_of(g: Record, t: Record, me: int, region: int, w: Record) -> int:
    """Place of the notes on a region, with its plan worked out."""
    at = region_notes(region)
    if math.isnan(g.notes[at + R_WORTH]):
        plan_region(g, t, me, region, w)
    return at


@kernel
def plan_region(g: Record, t: Record, me: int, region: int, w: Record) -> None:
    """Note the most points for an army that armies more bring in a region: up to STEPS lands, the cheapest first."""
    at = region_notes(region)
    now = float(g.token[region])
    later = float(w.prepared[LATER + g.epoch * MAX_REGIONS + region])
    g.notes[at + R_LATER] = later
    g.notes[at + R_WORTH] = 0.0
    g.notes[at + R_COST] = 0.0
    g.notes[at + R_GAIN] = 0.0
    g.notes[at + R_ARMIES] = 1.0
    g.notes[at + R_BREAK] = 0.0
    free = note_costs(g, t, me, region, w)
    if now + later <= 0.0:
        return
    own = g.notes[at + R_COUNT + me]
    others = all_beside(g, at, me)
    most = most_beside(g, at, me)
    if own <= 0.0 and most == others and most >= t.control_armies:
        g.notes[at + R_BREAK] = worth_of_breaking(g, t, me, region, w)
    before = points_of(t, own, most, others, now, later, w)
    if own <= 0.0:
        before -= w.weight[P_FIRST]
    cost, dearest = 0.0, 0.0
    for step in range(STEPS):
        price = 1.0
        if step >= free:
            land = next_land(g, at, region, most, w)
            if land == words.NO_LAND:
                break
            price = g.notes[LAND_COST + land]
            g.notes[LAND_COST + land] = price + TAKEN
            others -= 1.0
            g.notes[at + R_COUNT + int(g.army[land])] -= 1.0
            most = most_beside(g, at, me)
        cost += price
        dearest = max(dearest, price)
        own += 1.0
        gain = points_of(t, own, most, others, now, later, w) - before
        if gain > g.notes[at + R_WORTH] * cost:
            g.notes[at + R_WORTH] = gain / cost
            g.notes[at + R_COST] = dearest
            g.notes[at + R_GAIN] = gain
            g.notes[at + R_ARMIES] = cost
    if free < STEPS:
        give_back(g, at, region, w)


@kernel
def note_costs(g: Record, t: Record, me: int, region: int, w: Record) -> int:
    """Note what every land of a region costs; own ones are taken. Return how many are free."""
    free = 0
    for place in range(int(w.prepared[FIRST_LAND + region]), int(w.prepared[FIRST_LAND + region + 1])):
        land = int(w.prepared[LANDS_OF + place])
        owner = g.army[land]
        if owner == words.NO_SEAT:
            g.notes[LAND_COST + land] = FREE
            free += 1
        else:
            g.notes[LAND_COST + land] = OWN if owner == me else armies_needed(g, t, land)
    return free


@kernel
def next_land(g: Record, at: int, region: int, most: float, w: Record) -> int:
    """Cheapest land of opponents not taken in a region; one of the strongest may cost more."""
    best, least = words.NO_LAND, TAKEN
    for place in range(int(w.prepared[FIRST_LAND + region]), int(w.prepared[FIRST_LAND + region + 1])):
        land = int(w.prepared[LANDS_OF + place])
        price = g.notes[LAND_COST + land]
        if FREE < price < TAKEN:
            if g.notes[at + R_COUNT + int(g.army[land])] >= most:
                price -= WANTED
            if price < least:
                least = price
                best = land
    return best


@kernel
def give_back(g: Record, at: int, region: int, w: Record) -> None:
    """Count the lands that a plan has taken as they are."""
    for place in range(int(w.prepared[FIRST_LAND + region]), int(w.prepared[FIRST_LAND + region + 1])):
        land = int(w.prepared[LANDS_OF + place])
        price = g.notes[LAND_COST + land]
        if TAKEN <= price < OWN:
            g.notes[LAND_COST + land] = price - TAKEN
            g.notes[at + R_COUNT + int(g.army[land])] += 1.0


@kernel
def worth_of_breaking(g: Record, t: Record, me: int, region: int, w: Record) -> float:
    """Worth of ending the control that another seat has of a region, by entering it."""
    at = region_notes(region)
    for seat in range(g.players):
        if seat != me and g.notes[at + R_COUNT + seat] > 0.0:
            lost = float(t.control_times - t.dominance_times)
            return float(lost * value_for(g, region, seat) * weight_of(g, seat, w))
    return 0.0


@kernel
def worth_of_beating(g: Record, t: Record, me: int, region: int, holder: int, w: Record) -> float:
    """Worth of what the holder of a land loses in its region when an own army takes its place."""
    at = region_notes(region)
    if not math.isnan(g.notes[at + R_BEAT + holder]):
        return float(g.notes[at + R_BEAT + holder])
    own = g.notes[at + R_COUNT + holder]
    others = all_beside(g, at, holder)
    most = most_beside(g, at, holder)
    before = PRINTED[level_of(t, own, most, others)]
    most = max(most, g.notes[at + R_COUNT + me] + 1.0)
    lost = before - PRINTED[level_of(t, own - 1.0, most, others + 1.0)] + THINNED
    g.notes[at + R_BEAT + holder] = lost * value_for(g, region, holder) * weight_of(g, holder, w)
    return float(g.notes[at + R_BEAT + holder])
