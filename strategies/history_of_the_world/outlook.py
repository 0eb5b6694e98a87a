"""What an appraising player notes once for a decision: armies in the regions, what each region could bring."""

from __future__ import annotations

import math

from sim.games.history_of_the_world import words
from sim.games.history_of_the_world.tables import MAX_REGIONS
from sim.jit import Record, kernel
from strategies.history_of_the_world.land_worth import armies_needed
from strategies.history_of_the_world.weights import (
    AFTER,
    FIRST_LAND,
    LAND_COST,
    LATER,
    N_AFTER,
    N_ICONS,
    N_LEADER,
    N_READY,
    N_REGION,
    NEXT_LAND,
    P_CONTROL,
    P_DOMINANCE,
    P_FIRST,
    P_HURT,
    P_LEADER,
    P_PRESENCE,
    R_ARMIES,
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


@kernel
def look_ahead(g: Record, t: Record, me: int, w: Record) -> None:
    """Note what is the same for all options of a decision, unless it is noted."""
    if not math.isnan(g.notes[N_READY]):
        return
    g.notes[N_READY] = 1.0
    g.notes[N_AFTER] = w.prepared[AFTER + g.epoch]
    note_leader(g, me)
    count_armies(g, t, me, w)
    for region in range(t.regions):
        plan_region(g, t, me, region, w)


@kernel
def note_leader(g: Record, me: int) -> None:
    """Note the other seat with the most points."""
    leader = words.NO_SEAT
    for seat in range(g.players):
        if seat != me and (leader == words.NO_SEAT or g.points[seat] > g.points[leader]):
            leader = seat
    g.notes[N_LEADER] = leader


@kernel
def region_notes(region: int) -> int:
    """First place of the notes on a region."""
    return N_REGION + REGION_NOTES * region


@kernel
def count_armies(g: Record, t: Record, me: int, w: Record) -> None:
    """Note the armies of every seat in every region, the icons of active lands, and what lands cost."""
    for region in range(t.regions):
        at = region_notes(region)
        for seat in range(g.players):
            g.notes[at + R_COUNT + seat] = 0.0
        g.notes[at + R_LATER] = w.prepared[LATER + g.epoch * MAX_REGIONS + region]
    icons = 0
    for land in range(t.lands):
        owner = int(g.army[land])
        if owner != words.NO_SEAT:
            g.notes[region_notes(int(t.region[land])) + R_COUNT + owner] += 1.0
        if owner == me:
            icons += int(g.active[land] * t.resource[land])
            g.notes[LAND_COST + land] = TAKEN
        else:
            g.notes[LAND_COST + land] = armies_needed(g, t, me, land, w)
    g.notes[N_ICONS] = icons


# ---- Levels ----


@kernel
def level_points(g: Record, t: Record, at: int, seat: int, w: Record) -> float:
    """Points for the level of a seat in a region, in presence values, by the armies noted from place `at` on."""
    level = level_of(g, t, at, seat)
    if level == 3:
        return float(t.control_times * w.weight[P_CONTROL])
    if level == 2:
        return float(t.dominance_times * w.weight[P_DOMINANCE])
    return float(w.weight[P_PRESENCE]) if level == 1 else 0.0


@kernel
def rank_points(g: Record, t: Record, at: int, seat: int) -> float:
    """Points for the level of a seat in a region as printed, in presence values."""
    level = level_of(g, t, at, seat)
    if level == 3:
        return float(t.control_times)
    return float(t.dominance_times) if level == 2 else float(level)


@kernel
def level_of(g: Record, t: Record, at: int, seat: int) -> int:
    """Level of a seat in a region: 0 none, 1 presence, 2 dominance, 3 control."""
    own = g.notes[at + R_COUNT + seat]
    if own <= 0.0:
        return 0
    most, others = 0.0, 0.0
    for other in range(g.players):
        if other != seat:
            count = g.notes[at + R_COUNT + other]
            others += count
            most = max(most, count)
    if own >= t.control_armies and others <= 0.0:
        return 3
    return 2 if own >= t.dominance_armies and own > most else 1


@kernel
def lasting(g: Record, at: int, seat: int) -> float:
    """What the armies of a seat in a region bring later, in presence values: more are not lost as soon."""
    own = g.notes[at + R_COUNT + seat]
    if own <= 0.0:
        return 0.0
    most = 0.0
    for other in range(g.players):
        if other != seat:
            most = max(most, g.notes[at + R_COUNT + other])
    value = 1.0 + 0.75 * min(own - 1.0, 1.0) + 0.5 * max(0.0, min(own - 2.0, 1.0)) + 0.2 * max(0.0, min(own - 3.0, 3.0))
    return value if own > most else 0.8 * value


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
def plan_region(g: Record, t: Record, me: int, region: int, w: Record) -> None:
    """Note the most points for an army that armies more bring in a region: up to STEPS lands, the cheapest first."""
    at = region_notes(region)
    now = float(g.token[region])
    later = g.notes[at + R_LATER]
    g.notes[at + R_WORTH] = 0.0
    g.notes[at + R_COST] = 0.0
    g.notes[at + R_GAIN] = 0.0
    g.notes[at + R_ARMIES] = 1.0
    g.notes[at + R_BREAK] = worth_of_breaking(g, t, me, region, w)
    if now + later <= 0.0:
        return
    before = now * level_points(g, t, at, me, w) + later * lasting(g, at, me)
    first = w.weight[P_FIRST] if g.notes[at + R_COUNT + me] <= 0.0 else 0.0
    cost, dearest, steps = 0.0, 0.0, 0
    while steps < STEPS:
        land = next_land(g, me, region, w)
        if land == words.NO_LAND:
            break
        price = g.notes[LAND_COST + land]
        cost += price
        dearest = max(dearest, price)
        shift(g, land, at, me, 1.0)
        g.notes[LAND_COST + land] = price + TAKEN
        steps += 1
        gain = first + now * level_points(g, t, at, me, w) + later * lasting(g, at, me) - before
        if gain > g.notes[at + R_WORTH] * cost:
            g.notes[at + R_WORTH] = gain / cost
            g.notes[at + R_COST] = dearest
            g.notes[at + R_GAIN] = gain
            g.notes[at + R_ARMIES] = cost
    give_back(g, at, me, region, w)


@kernel
def shift(g: Record, land: int, at: int, me: int, number: float) -> None:
    """Count a land as taken, or (`number` -1) as not."""
    g.notes[at + R_COUNT + me] += number
    owner = g.army[land]
    if owner != words.NO_SEAT:
        g.notes[at + R_COUNT + owner] -= number


@kernel
def next_land(g: Record, me: int, region: int, w: Record) -> int:
    """Cheapest land of a region not taken; one of the strongest other player may cost more."""
    at = region_notes(region)
    most = 0.0
    for seat in range(g.players):
        if seat != me:
            most = max(most, g.notes[at + R_COUNT + seat])
    best, least = words.NO_LAND, TAKEN
    land = int(w.prepared[FIRST_LAND + region])
    while land != words.NO_LAND:
        price = g.notes[LAND_COST + land]
        if price < TAKEN:
            owner = g.army[land]
            if owner != words.NO_SEAT and g.notes[at + R_COUNT + owner] >= most:
                price -= WANTED
            if price < least:
                least = price
                best = land
        land = int(w.prepared[NEXT_LAND + land])
    return best


@kernel
def give_back(g: Record, at: int, me: int, region: int, w: Record) -> None:
    """Count the lands that a plan has taken as they are."""
    land = int(w.prepared[FIRST_LAND + region])
    while land != words.NO_LAND:
        if g.notes[LAND_COST + land] >= TAKEN and g.army[land] != me:
            g.notes[LAND_COST + land] -= TAKEN
            shift(g, land, at, me, -1.0)
        land = int(w.prepared[NEXT_LAND + land])


@kernel
def worth_of_breaking(g: Record, t: Record, me: int, region: int, w: Record) -> float:
    """Worth of ending another seat's control of a region by entering it."""
    at = region_notes(region)
    holder, holders = words.NO_SEAT, 0
    for seat in range(g.players):
        if g.notes[at + R_COUNT + seat] > 0.0:
            holder = seat
            holders += 1
    if holders != 1 or holder == me or g.notes[at + R_COUNT + holder] < t.control_armies:
        return 0.0
    lost = float(t.control_times - t.dominance_times)
    return lost * value_for(g, region, holder) * weight_of(g, holder, w)


@kernel
def worth_of_beating(g: Record, t: Record, me: int, land: int, w: Record) -> float:
    """Worth of what the holder of a land loses in its region when an own army takes its place."""
    region = int(t.region[land])
    at = region_notes(region)
    holder = int(g.army[land])
    value = value_for(g, region, holder)
    if value <= 0.0:
        return 0.0
    before = rank_points(g, t, at, holder)
    shift(g, land, at, me, 1.0)
    after = rank_points(g, t, at, holder)
    shift(g, land, at, me, -1.0)
    return float(value * (before - after + 0.15) * weight_of(g, holder, w))
