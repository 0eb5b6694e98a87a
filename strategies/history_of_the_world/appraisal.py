"""How an appraising player values conquests, forts, empires and events."""

from __future__ import annotations

import math

from sim.compiler.kernel import Record, kernel
from sim.games.history_of_the_world.rules import constants
from sim.games.history_of_the_world.rules.state import opponents_hold
from strategies.history_of_the_world.outlook import plan_of, region_notes, weight_of, worth_of_beating
from strategies.history_of_the_world.terms.land_worth import battle_for, worth_of_structures
from strategies.history_of_the_world.weights import (
    AFTER,
    LAND_COST,
    LAND_SCORE,
    LAND_WORTH,
    MOST_ARMIES,
    N_AFTER,
    N_BEST,
    N_COST,
    N_ICON,
    N_ODDS,
    N_PLANS,
    N_SCORED,
    NEAR,
    NEAR_BITS,
    NEAR_STEPS,
    P_CHAIN,
    P_DRAFT,
    P_EVENT,
    P_FILLER,
    P_FORT,
    P_LESSONS,
    P_ORDER,
    P_PRINTED,
    P_START,
    R_ARMIES,
    R_BREAK,
    R_COST,
    R_COUNT,
    R_GAIN,
    R_LATER,
    R_WORTH,
)

A_LITTLE = 0.02
"""Worth of a land that brings nothing else: holding it still blocks others."""
USUAL_ARMIES = 8
"""Typical number of armies of an empire in epoch I, assumed when the player drafts events."""


# ---- Lands ----


@kernel
def note_lands(g: Record, t: Record, me: int, w: Record) -> None:
    """Cache the score of conquering each land in reach, and the best land."""
    g.notes[N_SCORED] = 1.0
    best, most = constants.NO_LAND, 0.0
    for place in range(g.target_count):
        land = int(g.target_land[place])
        score = score_of_land(g, t, me, land, w) + lesson_of_land(g, t, me, land, w)
        g.notes[LAND_SCORE + land] = score
        best = land if score > most else best
        most = max(most, score)
    g.notes[N_BEST] = best


@kernel
def lesson_of_land(g: Record, t: Record, me: int, land: int, w: Record) -> float:
    """Return the lesson of conquering a land in this epoch; 0 for a land with the seat's own army.

    A lesson is a learned correction that is added to the appraisal.
    """
    return 0.0 if g.army[land] == me else float(w.weight[P_LESSONS] * t.land_lesson[g.epoch, land])


@kernel
def worth_of_land(g: Record, t: Record, me: int, land: int, w: Record) -> float:
    """Return the points that a seat gains if it comes to hold a land; 0 if it has an active army there.

    They are the land's share of the points of the region's plan (the best series of conquests there), the points of
    its structures and resources, and the worth of what others lose.
    """
    worth = float(t.resource[land]) * g.notes[N_ICON]
    if g.army[land] == me:
        return 0.0 if g.active[land] != 0 else worth
    if math.isnan(g.notes[LAND_WORTH + land]):
        g.notes[LAND_WORTH + land] = appraise_land(g, t, me, land, w)
    return float(worth + g.notes[LAND_WORTH + land])


@kernel
def appraise_land(g: Record, t: Record, me: int, land: int, w: Record) -> float:
    """Compute `worth_of_land` without resources, for a land held by another seat or by no seat."""
    region = int(t.region[land])
    at = plan_of(g, t, me, region, w)
    worth = A_LITTLE + g.notes[at + R_WORTH] * min(g.notes[LAND_COST + land], g.notes[at + R_COST])
    worth += worth_of_structures(g, t, me, land, w)
    if opponents_hold(g, me, land):
        worth += worth_of_beating(g, t, me, region, int(g.army[land]), w)
    return float(worth + g.notes[at + R_BREAK])


@kernel
def price_of(g: Record, me: int, land: int) -> float:
    """Return how many armies it takes to conquer a land; if the seat's own inactive army is there, one."""
    return 1.0 if g.army[land] == me else float(g.notes[LAND_COST + land])


@kernel
def score_of_land(g: Record, t: Record, me: int, land: int, w: Record) -> float:
    """Return the points per army for conquering a land.

    If a further land comes into reach by this conquest, the best such land counts in part.
    """
    left = int(g.armies) - 1
    worth = worth_of_land(g, t, me, land, w)
    cost = 1.0
    chance = 1.0
    if opponents_hold(g, me, land):
        # Siege tokens count as armies in a siege, as long as at least one army is left as well.
        sieges = left + (int(g.siege_tokens) if left > 0 else 0)
        if left == 0:
            worth -= share_beyond_one(g, t, me, land, w)
        battle = battle_for(g, t, land)
        odds = int(g.notes[N_ODDS + battle])
        chance = w.prepared[odds + 2 * min(sieges, MOST_ARMIES)]
        cost += min(w.prepared[odds + 2 * min(left, MOST_ARMIES) + 1], g.notes[N_COST + battle] - 1.0)
    best = chance * worth / cost
    if left >= 1:
        most = best
        for entry in range(t.borders.shape[1]):
            other = int(t.borders[land, entry])
            if other < 0:
                break
            most = max(most, with_next(g, t, me, other, worth, cost, w))
        for entry in range(t.stepping_stones.shape[1]):
            other = int(t.stepping_stones[land, entry])
            if other < 0:
                break
            most = max(most, with_next(g, t, me, other, worth, cost, w))
        best += w.weight[P_CHAIN] * chance * (most - best)
    return float(best)


@kernel
def share_beyond_one(g: Record, t: Record, me: int, land: int, w: Record) -> float:
    """Return the points to deduct from a land's worth if only one army is left on the card.

    The worth follows from the region's plan, which may spend more than one army on the land.
    """
    at = plan_of(g, t, me, int(t.region[land]), w)
    return float(g.notes[at + R_WORTH] * max(0.0, min(g.notes[LAND_COST + land], g.notes[at + R_COST]) - 1.0))


@kernel
def with_next(g: Record, t: Record, me: int, other: int, worth: float, cost: float, w: Record) -> float:
    """Return the points per army for conquering a land and then the land `other`, which it brings into reach.

    `worth` and `cost` are those of the first land. The result is 0 if `other` is in reach already or held by an active
    army of the seat. It is lower if the armies left do not suffice for both lands.
    """
    # Evaluate all conditions before branching: the processor mispredicts one branch less often than three.
    if (g.reach[other] != 0) | ((g.army[other] == me) & (g.active[other] != 0)):
        return 0.0
    worth += worth_of_land(g, t, me, other, w)
    together = cost + price_of(g, me, other)
    value = worth / together
    return float(value if together <= g.armies else value * g.armies / together)


@kernel
def best_elsewhere(g: Record, land: int) -> float:
    """Return the best score of a land in reach other than `land`."""
    best = 0.0
    for place in range(g.target_count):
        other = int(g.target_land[place])
        if other != land:
            best = max(best, g.notes[LAND_SCORE + other])
    return float(best)


@kernel
def worth_of_holding(g: Record, t: Record, me: int, land: int, w: Record) -> float:
    """Return the points that one of the seat's lands is expected to bring in later epochs."""
    at = plan_of(g, t, me, int(t.region[land]), w)
    points = g.capital[land] * t.points_capital + g.city[land] * t.points_city + g.monument[land] * t.points_monument
    share = g.notes[at + R_LATER] / max(1.0, 0.5 * g.notes[at + R_COUNT + me])
    return float(share + points * g.notes[N_AFTER])


@kernel
def worth_of_fort(g: Record, t: Record, me: int, land: int, w: Record) -> float:
    """Return the worth of a fort: the part of the land's later points that it saves. In open terrain it saves more."""
    helped = 0.3 if t.terrain[land] == 0 else 0.25
    return float(w.weight[P_FORT] * helped * worth_of_holding(g, t, me, land, w))


# ---- Cards ----


@kernel
def worth_of_campaign(g: Record, t: Record, me: int, card: int, w: Record) -> float:
    """Return the points that the armies of an empire or kingdom are expected to gain.

    From the start lands they follow the best plans for regions nearby.
    """
    # Siege tokens replace armies that are missing from the supply, but they cannot conquer.
    armies = float(min(t.armies[card], g.supply[me]))
    worth = w.weight[P_FILLER] * 0.5 * (t.armies[card] - armies)
    for entry in range(t.start.shape[1]):
        land = int(t.start[card, entry])
        if land == constants.NO_LAND:
            break
        armies -= 1.0
        worth += worth_of_start(g, t, me, card, land, w)
    if armies >= 1.0:
        for region in range(t.regions):
            g.notes[N_PLANS + region] = plan_from(g, t, me, card, region, w)
    while armies >= 1.0:
        best, most = -1, w.weight[P_FILLER]
        for region in range(t.regions):
            value = g.notes[N_PLANS + region]
            best = region if value > most else best
            most = max(most, value)
        if best < 0:
            break
        g.notes[N_PLANS + best] = -math.inf
        spent = min(armies, cost_from(g, card, best, w))
        worth += most * spent
        armies -= spent
    return float(worth + armies * w.weight[P_FILLER])


@kernel
def steps_to(card: int, region: int, w: Record) -> int:
    """Return the precomputed distance of a region from a card's start lands, as a number of conquests."""
    return (int(w.prepared[NEAR + card]) >> NEAR_BITS * region) % NEAR_STEPS


@kernel
def cost_from(g: Record, card: int, region: int, w: Record) -> float:
    """Return the number of armies that the plan for a region costs if they begin in a card's start lands."""
    return float(g.notes[region_notes(region) + R_ARMIES] + max(0, steps_to(card, region, w) - 1))


@kernel
def plan_from(g: Record, t: Record, me: int, card: int, region: int, w: Record) -> float:
    """Return the points per army of the plan for a region if the armies begin in a card's start lands."""
    if steps_to(card, region, w) == NEAR_STEPS - 1:
        return 0.0
    at = plan_of(g, t, me, region, w)
    if g.notes[at + R_GAIN] <= 0.0:
        return 0.0
    return float((g.notes[at + R_GAIN] + g.notes[at + R_BREAK]) / max(cost_from(g, card, region, w), 1.0))


@kernel
def worth_of_start(g: Record, t: Record, me: int, card: int, land: int, w: Record) -> float:
    """Return the worth of a start land: the new army and capital, and the harm to the seat whose army is driven out.

    If `me` already holds the land, the army adds nothing, and the structures that are lost there are deducted.
    """
    at = plan_of(g, t, me, int(t.region[land]), w)
    after = 1.0 + g.notes[N_AFTER]
    worth = 0.0
    if t.capital[card] != 0:
        worth += after * (t.points_city if t.capital[card] == 2 else t.points_capital)
    points = g.capital[land] * t.points_capital + g.city[land] * t.points_city + g.monument[land] * t.points_monument
    holder = int(g.army[land])
    if holder == me:
        return float(worth - points * after - w.weight[P_FILLER])
    worth += g.notes[at + R_WORTH]
    if holder != constants.NO_SEAT:
        lost = points * after + worth_of_region_to(g, t, land)
        worth += w.weight[P_START] * lost * weight_of(g, holder, w)
    return float(worth)


@kernel
def worth_of_region_to(g: Record, t: Record, land: int) -> float:
    """Estimate how many points for the region the holder of a land would lose by losing this land."""
    region = int(t.region[land])
    return float(g.token[region] + g.notes[region_notes(region) + R_LATER])


@kernel
def worth_of_effect(g: Record, t: Record, card: int, armies: int, w: Record) -> float:
    """Return the points that a card's operations bring to an empire with `armies` armies."""
    worth = 0.0
    army = w.weight[P_EVENT]
    after = w.prepared[AFTER + g.epoch]
    for entry in range(t.effect.shape[1]):
        operation = int(t.effect[card, entry, constants.OPERATION])
        number = int(t.effect[card, entry, constants.A])
        if operation == constants.ARMIES:
            worth += army * number
        elif operation == constants.SWAP_ARMIES:
            worth += 1.7 * army * number
        elif operation == constants.POINTS:
            worth += number
        elif operation == constants.BATTLE_BONUS:
            worth += 0.14 * army * armies * number
        elif operation == constants.ATTACKER_REROLLS:
            worth += 0.08 * army * armies * number
        elif operation == constants.WINS_TIES:
            worth += 0.07 * army * armies
        elif operation == constants.FIGHTS_AGAIN:
            worth += 0.02 * army * armies
        elif operation == constants.IGNORES_TERRAIN:
            worth += 0.06 * army * armies
        elif operation == constants.IGNORES_MARITIME:
            worth += 0.03 * army * armies
        elif operation == constants.SIEGE_TOKENS:
            worth += 0.45 * army * number
        elif operation == constants.CITIES:
            worth += number * (1.0 + after)
        elif operation == constants.FORTS:
            worth += 0.4 * number * min(1.0, after)
        elif operation == constants.FORTS_PER_ICON:
            worth += 0.6 * number
        elif operation == constants.ICONS_PER_MONUMENT:
            worth += 0.12 * armies * (1.0 + after)
        elif operation == constants.DISCS:
            worth += 0.3 * army * number
        elif operation == constants.DESTROY:
            worth += 0.7 * number
        elif operation == constants.NOTHING:
            break
    return float(worth)


@kernel
def worth_of_empire(g: Record, t: Record, me: int, card: int, w: Record) -> float:
    """Return the points that an empire is expected to bring its player now and in later epochs."""
    worth = worth_of_campaign(g, t, me, card, w) + worth_of_effect(g, t, card, int(t.armies[card]), w)
    if t.marauder[card] != 0:
        worth += 0.12 * t.armies[card]
    return float(worth - w.weight[P_ORDER] * t.order[card])


@kernel
def worth_of_event(g: Record, t: Record, me: int, card: int, w: Record) -> float:
    """Return the points that an event is expected to bring."""
    if t.kind[card] == constants.KINGDOM:
        return worth_of_campaign(g, t, me, card, w)
    return worth_of_effect(g, t, card, USUAL_ARMIES + int(g.epoch), w)


@kernel
def worth_of_card(g: Record, t: Record, me: int, card: int, w: Record) -> float:
    """Return the worth of an empire or event to its player."""
    if t.kind[card] == constants.EMPIRE:
        return worth_of_empire(g, t, me, card, w)
    return worth_of_event(g, t, me, card, w)


@kernel
def printed_worth(g: Record, t: Record, card: int, w: Record) -> float:
    """Return the points expected of a card from its printed armies and operations, regardless of the position."""
    armies = int(t.armies[card]) if t.kind[card] == constants.EMPIRE else USUAL_ARMIES + int(g.epoch)
    return float(w.weight[P_FILLER] * t.armies[card] + worth_of_effect(g, t, card, armies, w))


@kernel
def score_of_keeping(g: Record, t: Record, me: int, card: int, w: Record) -> float:
    """Score keeping a drafted card, in hundredths of a win.

    The score adds up its worth in this position, its printed worth and its lesson (a learned correction).
    """
    score = w.weight[P_DRAFT] * worth_of_card(g, t, me, card, w) + w.weight[P_PRINTED] * printed_worth(g, t, card, w)
    return float(score + w.weight[P_LESSONS] * t.card_lesson[card])
