"""Values cached once per decision (in `g.notes`): armies in the regions, and what can be gained there."""

from __future__ import annotations

import math

import numpy as np

from sim.compiler.kernel import Record, kernel
from sim.engine.decide import note_change
from sim.games.history_of_the_world.rules import constants
from sim.games.history_of_the_world.rules.constants import MAX_SEATS
from sim.games.history_of_the_world.rules.tables import MAX_LANDS, MAX_REGIONS
from strategies.history_of_the_world.terms.land_worth import (
    ONLY_FLEET,
    armies_needed,
    kind_of_battle,
    odds_of,
    worth_of_icon,
)
from strategies.history_of_the_world.weights import (
    AFTER,
    FIRST_LAND,
    LAND_COST,
    LAND_LOOK,
    LAND_WORTH,
    LANDS_OF,
    LASTING,
    LATER,
    LEVEL_POINTS,
    MOST_ARMIES,
    MOST_LASTING,
    N_AFTER,
    N_COST,
    N_HOLDERS,
    N_ICON,
    N_ICONS,
    N_LEADER,
    N_ODDS,
    N_PRICES,
    N_READY,
    N_REGION,
    N_TURN,
    P_FIRST,
    P_HURT,
    P_LEADER,
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
"""Maximum number of lands that a plan conquers in a region."""
WANTED = 0.5
"""A land of the region's strongest opponent is preferred even if it costs up to this many armies more than another."""
TAKEN = 100.0
"""Cost stored for a land that the plan has already taken, so that it is not taken again."""
BY_TOKENS = 0.5
"""Share of a battle's armies that is still spent if siege tokens replace some of them."""
FREE = 1.0
"""Cost of an empty land, in armies."""
PRINTED = (0.0, 1.0, 2.0, 3.0)
"""Points that each level (0 to 3) is assumed to bring other seats, as a multiple of the region's presence value."""
THINNED = 0.15
"""Loss of another seat that loses an army but keeps its level, as a multiple of the region's presence value."""


ACTIVE_LOOK = 8
"""Number added to a land's code if its army is active. The code modulo this number encodes the holder."""
BLOCK = 16
"""Number of lands that are compared at once; MAX_LANDS is a multiple of it."""


@kernel
def look_ahead(g: Record, t: Record, me: int, w: Record) -> None:
    """Cache the values that all options of a decision share, unless they are cached already.

    Some notes are kept from earlier decisions. The codes of lands and the armies in regions do not depend on the seat
    and are only updated. The other kept notes are reset to NaN when they are out of date: all of them if the seat,
    strategy, turn or effects in force have changed, otherwise only those about regions in which a land has changed.
    """
    if not math.isnan(g.notes[N_READY]):
        return
    g.notes[N_READY] = 1.0
    if math.isnan(g.notes[N_AFTER]):
        look_at_nothing(g)
    changed = turn_has_changed(g, me)
    if changed:
        g.notes[N_AFTER] = w.prepared[AFTER + g.epoch]
        g.notes[N_LEADER] = leader_beside(g, me)
        note_battles(g, t, w)
        for region in range(t.regions):
            g.notes[region_notes(region) + R_WORTH] = math.nan
        g.notes[LAND_WORTH : LAND_WORTH + t.lands] = math.nan
    look_at_lands(g, t, me, w)
    if changed:
        g.notes[N_ICONS] = own_icons(g, t, me)
    g.notes[N_ICON] = worth_of_icon(g, t, int(g.notes[N_ICONS]), w)


@kernel
def look_at_nothing(g: Record) -> None:
    """Initialize the notes with empty lands: every code is 0, and no seat has armies."""
    g.notes[LAND_LOOK : LAND_LOOK + MAX_LANDS] = 0.0
    for region in range(MAX_REGIONS):
        at = region_notes(region)
        g.notes[at + R_COUNT : at + R_COUNT + MAX_SEATS] = 0.0


@kernel
def own_icons(g: Record, t: Record, me: int) -> int:
    """Count the resource icons in lands with active armies of the seat."""
    icons = 0
    for land in range(t.lands):
        icons += int(t.resource[land]) * int((g.army[land] == me) & (g.active[land] != 0))
    return icons


@kernel
def turn_has_changed(g: Record, me: int) -> bool:
    """Tell whether the kept notes are out of date for a reason other than a changed land, and store the present state.

    Reasons are another seat, strategy, epoch, leader, card or effect in force, for example.
    """
    called = 0
    for seat in range(g.players):
        called += int(g.called[seat]) << seat
    in_turn = int(g.phase == constants.TURN)
    changed = note_change(g, N_TURN, int(g.epoch) * 2 + in_turn)
    changed |= note_change(g, N_TURN + 1, called)
    changed |= note_change(g, N_TURN + 2, leader_beside(g, me))
    changed |= note_change(g, N_TURN + 3, int(g.card))
    changed |= note_change(g, N_TURN + 4, int(g.waiting))
    changed |= note_change(g, N_TURN + 5, int(in_turn != 0 and g.siege_tokens > 1))
    for source in range(2):
        changed |= note_change(g, N_TURN + 6 + source, int(g.in_force[source]))
        changed |= note_change(g, N_TURN + 8 + source, int(g.bonus[source]))
        changed |= note_change(g, N_TURN + 10 + source, int(g.rerolls[source]))
    # Another strategy from the same script, with other weights, may continue a copy of the game.
    return changed | note_change(g, N_TURN + 12, int(g.strategy[me]) * MAX_SEATS + me)


@kernel
def leader_beside(g: Record, me: int) -> int:
    """Return the seat that has the most points among the others."""
    leader = constants.NO_SEAT
    for seat in range(g.players):
        if seat != me and (leader == constants.NO_SEAT or g.points[seat] > g.points[leader]):
            leader = seat
    return int(leader)


@kernel
def note_battles(g: Record, t: Record, w: Record) -> None:
    """Cache for each kind of battle the armies that it costs and the index of its odds."""
    share = BY_TOKENS if g.phase == constants.TURN and g.siege_tokens > 1 else 1.0
    for fort in range(2):
        for maritime in range(2):
            for terrain in range(2):
                at = odds_of(g, t, terrain, fort, maritime, MOST_ARMIES, 0)
                kind = kind_of_battle(terrain, fort, maritime)
                g.notes[N_COST + kind] = 1.0 + share * w.prepared[at + 1]
                g.notes[N_ODDS + kind] = at - 2 * MOST_ARMIES


@kernel
def look_of(g: Record, land: int) -> int:
    """Return a code for a land's state.

    It encodes the holder, whether its army is active, a fort, the other structures, and whether only fleets reach the
    army.
    """
    structures = int(g.capital[land]) + 2 * int(g.city[land]) + 4 * int(g.monument[land])
    by_fleet = int((g.reach[land] == ONLY_FLEET) & (g.army[land] >= 0))
    others = int(g.active[land]) + 2 * int(g.fort[land]) + 4 * by_fleet + 8 * structures
    return 1 + int(g.army[land]) + ACTIVE_LOOK * others


@kernel
def look_at_lands(g: Record, t: Record, me: int, w: Record) -> None:
    """Update the notes on the lands that have changed."""
    for first in range(0, t.lands, BLOCK):
        land, changed = first, changed_lands(g, first)
        while changed != 0:
            if changed & 1 != 0:
                note_look(g, t, me, land, look_of(g, land), w)
            land += 1
            changed >>= 1


@kernel
def changed_lands(g: Record, first: int) -> int:
    """Return the changed lands of a block as a bit set; the lowest bit stands for the land `first`.

    The loop has no branches, so that it can be vectorized.
    """
    changed = 0
    for place in range(BLOCK):
        # Use narrow numbers, so that more of them can be compared at once.
        look = np.int16(look_of(g, first + place))
        changed |= int(g.notes[LAND_LOOK + first + place] != look) << place
    return changed


@kernel
def note_look(g: Record, t: Record, me: int, land: int, look: int, w: Record) -> None:
    """Store a land's present state in the notes.

    Update the counts of armies and of own icons, and clear the notes that depend on the land.
    """
    region = int(t.region[land])
    at = region_notes(region)
    icons = int(t.resource[land])
    own = ACTIVE_LOOK + 1 + me
    before = int(g.notes[LAND_LOOK + land]) % (2 * ACTIVE_LOOK)
    after = look % (2 * ACTIVE_LOOK)
    if before % ACTIVE_LOOK > 0:
        g.notes[at + R_COUNT + before % ACTIVE_LOOK - 1] -= 1.0
    if after % ACTIVE_LOOK > 0:
        g.notes[at + R_COUNT + after % ACTIVE_LOOK - 1] += 1.0
    g.notes[N_ICONS] += icons * (int(after == own) - int(before == own))
    g.notes[LAND_LOOK + land] = look
    # If the region's plan is not cached, there are no other notes to clear.
    if not math.isnan(g.notes[at + R_WORTH]):
        g.notes[at + R_WORTH] = math.nan
        for place in range(int(w.prepared[FIRST_LAND + region]), int(w.prepared[FIRST_LAND + region + 1])):
            g.notes[LAND_WORTH + int(w.prepared[LANDS_OF + place])] = math.nan


@kernel
def region_notes(region: int) -> int:
    """Return the index of the first note about a region."""
    return N_REGION + REGION_NOTES * region


# ---- Levels ----


@kernel
def level_of(t: Record, own: float, most: float, others: float) -> int:
    """Return a seat's level in a region, from 0 to 3 (control).

    `own` are the seat's armies there, `most` those of its strongest rival, and `others` those of all rivals together.
    """
    if own <= 0.0:
        return 0
    if own >= t.control_armies and others <= 0.0:
        return 3
    return 2 if own >= t.dominance_armies and own > most else 1


@kernel
def points_of(t: Record, own: float, most: float, others: float, now: float, later: float, w: Record) -> float:
    """Return the points of `own` armies in a region, in this epoch and in later ones.

    `now` and `later` are the region's presence value in this epoch and the weighted sum of its later ones. `most` and
    `others` are those of `level_of`.
    """
    level = int(own > 0.0)
    level = 2 if (own >= t.dominance_armies) & (own > most) else level
    level = 3 if (own >= t.control_armies) & (others <= 0.0) else level
    lasts = w.prepared[LASTING + 2 * min(int(own), MOST_LASTING) + int(own > most)]
    return float(later * lasts + now * w.prepared[LEVEL_POINTS + level])


@kernel
def most_points(own: float, alone: bool, now: float, later: float, w: Record) -> float:
    """Return an upper bound of `points_of` for `own` armies and any rivals; control counts only if `alone` is set."""
    level = max(w.prepared[LEVEL_POINTS + 1], w.prepared[LEVEL_POINTS + 2])
    if alone:
        level = max(level, w.prepared[LEVEL_POINTS + 3])
    lasts = w.prepared[LASTING + 2 * min(int(own), MOST_LASTING) + 1]
    return float(later * lasts + now * max(level, 0.0))


@kernel
def most_beside(g: Record, at: int, me: int) -> float:
    """Return the armies of the strongest other seat in a region; the region's notes begin at the index `at`."""
    most = 0.0
    for seat in range(g.players):
        if seat != me:
            most = max(most, g.notes[at + R_COUNT + seat])
    return most


@kernel
def all_beside(g: Record, at: int, me: int) -> float:
    """Return the armies of all other seats together in a region; the region's notes begin at the index `at`."""
    armies = -g.notes[at + R_COUNT + me]
    for seat in range(g.players):
        armies += g.notes[at + R_COUNT + seat]
    return float(armies)


@kernel
def weight_of(g: Record, seat: int, w: Record) -> float:
    """Return the worth to this seat of a point lost by another seat."""
    share = w.weight[P_HURT] / (g.players - 1)
    return float(share * (1.0 + w.weight[P_LEADER]) if seat == g.notes[N_LEADER] else share)


@kernel
def value_for(g: Record, region: int, seat: int) -> float:
    """Return a region's presence value to another seat: the sum of this epoch's and the weighted later epochs' values.

    The value in this epoch is left out if the seat has scored in it already.
    """
    now = 0.0 if g.called[seat] != 0 else float(g.token[region])
    return float(now + g.notes[region_notes(region) + R_LATER])


# ---- Plans ----


@kernel
def worth_of_last_army(g: Record, t: Record, me: int, region: int, w: Record) -> float:
    """Return the points, now and later, that a seat would lose if it lost one army in a region."""
    at = plan_of(g, t, me, region, w)
    now, later = float(g.token[region]), g.notes[at + R_LATER]
    own, most, others = g.notes[at + R_COUNT + me], most_beside(g, at, me), all_beside(g, at, me)
    with_it = points_of(t, own, most, others, now, later, w)
    return float(with_it - points_of(t, own - 1.0, most, others, now, later, w))


@kernel
def plan_of(g: Record, t: Record, me: int, region: int, w: Record) -> int:
    """Return the index of a region's notes; compute the plan for the region if it is not cached."""
    at = region_notes(region)
    if math.isnan(g.notes[at + R_WORTH]):
        plan_region(g, t, me, region, w)
    return at


@kernel
def plan_region(g: Record, t: Record, me: int, region: int, w: Record) -> None:
    """Cache the costs of a region's lands, the gain of entering it, and its best plan."""
    at = region_notes(region)
    now = float(g.token[region])
    later = float(w.prepared[LATER + g.epoch * MAX_REGIONS + region])
    g.notes[at + R_LATER] = later
    g.notes[at + R_WORTH] = 0.0
    g.notes[at + R_COST] = 0.0
    g.notes[at + R_GAIN] = 0.0
    g.notes[at + R_ARMIES] = 1.0
    g.notes[at + R_BREAK] = 0.0
    g.notes[at + R_BEAT : at + R_BEAT + MAX_SEATS] = math.nan
    held = note_costs(g, t, me, region, w)
    if now + later <= 0.0:
        return
    most = most_beside(g, at, me)
    if g.notes[at + R_COUNT + me] <= 0.0 and most == held and most >= t.control_armies:
        g.notes[at + R_BREAK] = worth_of_breaking(g, t, me, region, w)
    note_best_plan(g, t, me, region, held, most, w)


@kernel
def note_best_plan(g: Record, t: Record, me: int, region: int, held: int, most: float, w: Record) -> None:
    """Find the conquests in a region that bring most points per army, and cache their gain and cost in armies.

    The plan takes up to STEPS lands, cheapest first. All opponents together hold `held` of the region's lands, and the
    strongest opponent holds `most` of them.
    """
    at = region_notes(region)
    now, later = float(g.token[region]), g.notes[at + R_LATER]
    own, others = g.notes[at + R_COUNT + me], float(held)
    before = points_of(t, own, most, others, now, later, w) - (w.weight[P_FIRST] if own <= 0.0 else 0.0)
    free = int(w.prepared[FIRST_LAND + region + 1] - w.prepared[FIRST_LAND + region]) - held - int(own)
    steps = min(STEPS, free + held)
    limit = most_points(own + steps, held <= max(0, steps - free), now, later, w) - before
    worth, gained, armies, highest = 0.0, 0.0, 1.0, 0.0
    cost, dearest = 0.0, 0.0
    for step in range(steps):
        if later >= 0.0 and limit <= worth * (cost + FREE):
            # Plans with more lands cannot be better, because each land costs at least FREE.
            break
        price = FREE
        if step >= free:
            price = take_next_land(g, at, held, most)
            others -= 1.0
            most = most_beside(g, at, me)
        cost += price
        dearest = max(dearest, price)
        own += 1.0
        gain = points_of(t, own, most, others, now, later, w) - before
        if gain > worth * cost:
            worth, gained, armies, highest = gain / cost, gain, cost, dearest
    g.notes[at + R_WORTH] = worth
    g.notes[at + R_COST] = highest
    g.notes[at + R_GAIN] = gained
    g.notes[at + R_ARMIES] = armies
    if free < STEPS:
        give_back_lands(g, at, held)


@kernel
def take_next_land(g: Record, at: int, held: int, most: float) -> float:
    """Mark the next land that the plan takes from an opponent (`next_land`) as taken, and return its cost."""
    place = next_land(g, at, held, most)
    price = g.notes[N_PRICES + place]
    g.notes[N_PRICES + place] = TAKEN
    g.notes[at + R_COUNT + int(g.notes[N_HOLDERS + place])] -= 1.0
    return float(price)


@kernel
def give_back_lands(g: Record, at: int, held: int) -> None:
    """Undo a plan in the notes: the armies in the lands that it has taken count for their holders again."""
    for place in range(held):
        if g.notes[N_PRICES + place] >= TAKEN:
            g.notes[at + R_COUNT + int(g.notes[N_HOLDERS + place])] += 1.0


@kernel
def note_costs(g: Record, t: Record, me: int, region: int, w: Record) -> int:
    """Cache, for every land in a region, the armies that it costs to conquer it; return the number of opponents' lands.

    For opponents' lands, also list the costs in N_PRICES and the holders in N_HOLDERS.
    """
    held = 0
    for place in range(int(w.prepared[FIRST_LAND + region]), int(w.prepared[FIRST_LAND + region + 1])):
        land = int(w.prepared[LANDS_OF + place])
        owner = int(g.army[land])
        price = armies_needed(g, t, land)
        g.notes[LAND_COST + land] = FREE if owner == constants.NO_SEAT else price
        # Write an entry for every land, so that no branch is needed. If the land is not an opponent's, the next entry
        # overwrites this one.
        g.notes[N_PRICES + held] = price
        g.notes[N_HOLDERS + held] = owner
        held += int((owner != constants.NO_SEAT) & (owner != me))
    return held


@kernel
def next_land(g: Record, at: int, held: int, most: float) -> int:
    """Return the index of the cheapest land of opponents that the plan has not taken.

    The result is a position among the `held` entries of N_PRICES. A land of the strongest opponent (`most` armies) is
    preferred even if it costs up to WANTED armies more than another.
    """
    best, least = 0, TAKEN
    for place in range(held):
        price = g.notes[N_PRICES + place]
        strongest = g.notes[at + R_COUNT + int(g.notes[N_HOLDERS + place])] >= most
        price -= WANTED if strongest and price < TAKEN else 0.0
        best = place if price < least else best
        least = min(least, price)
    return best


@kernel
def worth_of_breaking(g: Record, t: Record, me: int, region: int, w: Record) -> float:
    """Return the worth of ending another seat's control of a region by entering it."""
    at = region_notes(region)
    for seat in range(g.players):
        if seat != me and g.notes[at + R_COUNT + seat] > 0.0:
            lost = float(t.control_times - t.dominance_times)
            return float(lost * value_for(g, region, seat) * weight_of(g, seat, w))
    return 0.0


@kernel
def worth_of_beating(g: Record, t: Record, me: int, region: int, holder: int, w: Record) -> float:
    """Return the worth to this seat of the points for the region that a land's holder loses with the land."""
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
