"""The plays that an empire can still make in a round: their worth, costs and gains."""

from __future__ import annotations

import math

import numpy as np

from sim.compiler.kernel import Record, kernel
from sim.games.imperial_settlers.rules import constants
from sim.games.imperial_settlers.rules.moving import works_for
from strategies.imperial_settlers.card_worth import (
    gains_of_building,
    least_loss_of_location,
    loss_of_foundation,
    loss_of_location,
    other_cost_of_use,
    worth_of_deal,
    worth_of_holding,
    worth_of_razing,
    worth_of_triggers,
    worth_to_owner,
)
from strategies.imperial_settlers.outlook import note_opponents, wish
from strategies.imperial_settlers.terms.bundles import (
    BITS,
    CANNOT,
    GOODS_ONLY,
    after_paying,
    number_of,
    of_good,
    together,
)
from strategies.imperial_settlers.terms.gains import goods_worth, prepared_goods, worth_beside_goods, worth_beyond_goods
from strategies.imperial_settlers.terms.plans import (
    AS_BUILD,
    AS_DEAL,
    AS_RAZE,
    AS_USE,
    LEAVES_COMMON,
    NEEDS_LOCATION,
    NOTHING_TO_GIVE,
    SLIGHT,
    fill,
    note_plan,
    note_rest,
)
from strategies.imperial_settlers.weights import (
    ACTION_OF,
    ALL_ADD,
    CANDIDATE_DENSITY,
    CANDIDATE_PLAY,
    CARD_FIELDS,
    COST_OF,
    DYNAMIC,
    FIRST_PLAY,
    LOSSES,
    MOST_RANKED,
    N_BASE,
    N_CANDIDATES,
    N_COUNT,
    N_KNOWN,
    N_LOCATION_NOW,
    N_LOSS,
    N_RANKED,
    N_RAZE,
    N_ROUNDS,
    N_SOON,
    N_SUPPLY,
    N_THREAT,
    PLAY_BIT,
    PLAY_COST,
    PLAY_FLAGS,
    PLAY_GAIN,
    PLAY_KEY,
    PLAY_RANK,
    PLAY_VALUE,
    PLAYS,
    RANKED_BIT,
    RANKED_CARD,
    RANKED_COST,
    RANKED_FLAGS,
    RANKED_GAIN,
    RANKED_VALUE,
    RAZE_OF,
    UNRANKED,
    USE_COST_OF,
    WORTH_FIELDS,
    WORTHS,
)

KINDS = AS_BUILD | AS_DEAL | AS_RAZE | AS_USE
FLAG = 4096
"""The key of a play is its card plus FLAG times its kind."""
SOON_GAINED = sum(number << (BITS * good) for good, number in enumerate((1, 1, 1, 1, 2, 1)))
"""Goods that a seat is assumed to gain later in the round. With them it can pay costs that it cannot pay now."""
MOST_OF_CARD = 3
"""Maximum number of plays of one card. The plays of a card are adjacent in the list."""
MASKED = 60
"""Number of hand cards that have a bit of their own in a plan. The cards at later indices of the hand share one bit."""
NO_BIT = 0


# ---- Locations that could be given up ----


@kernel
def note_losses(g: Record, t: Record, me: int, w: Record) -> None:
    """Cache the smallest losses from giving up a location or foundation: one for each hand card that costs a location.

    Also cache the greatest loss among the seat's locations that are in danger of being razed.
    """
    most = min(LOSSES, max(1, hand_that_needs_locations(g, t, me, w)))
    for place in range(most):
        g.notes[N_LOSS + place] = NOTHING_TO_GIVE
    for _ in range(min(most, int(g.zone_size[me, constants.FOUNDATIONS]))):
        note_loss(g, loss_of_foundation(g, w), most)
    best = 0.0
    all_add = wish(g, me, ALL_ADD, w) != 0.0
    threatened = g.notes[N_THREAT] != 0.0
    for place in range(g.zone_size[me, constants.LOCATIONS]):
        card = int(g.zone[me, constants.LOCATIONS, place])
        in_danger = threatened and t.razeable[card] != 0 and g.defence[card] == 0 and g.samurai[card] == 0
        # The loss of a location that is not in danger matters only if it is among the smallest losses.
        only_least = all_add and not in_danger
        if only_least and g.notes[N_LOSS + most - 1] <= least_loss_of_location(g, t, me, card, w):
            continue
        loss = loss_of_location(g, t, me, card, w)
        note_loss(g, loss, most)
        if in_danger:
            best = max(best, loss)
    g.notes[N_LOCATION_NOW] = best


@kernel
def hand_that_needs_locations(g: Record, t: Record, me: int, w: Record) -> int:
    """Count the hand cards that cost a location and whose cost in goods the seat can pay now or later this round."""
    count = 0
    soon = int(g.notes[N_SOON])
    for place in range(g.zone_size[me, constants.HAND]):
        card = int(g.zone[me, constants.HAND, place])
        if t.cost_location[card] != 0:
            count += int(after_paying(soon, int(w.prepared[CARD_FIELDS * card + COST_OF])) != CANNOT)
    return count


@kernel
def note_loss(g: Record, loss: float, most: int) -> None:
    """Insert a loss into the sorted list of the `most` smallest losses, unless all of these are as small."""
    place = most - 1
    if g.notes[N_LOSS + place] <= loss:
        return
    while place > 0 and g.notes[N_LOSS + place - 1] > loss:
        g.notes[N_LOSS + place] = g.notes[N_LOSS + place - 1]
        place -= 1
    g.notes[N_LOSS + place] = loss


# ---- Possible plays ----


@kernel
def add_play(g: Record, value: float, cost: int, gain: int, bit: int, card: int, flags: int) -> None:
    """Append a play to the list of plays in `g.notes`; do nothing if the list is full.

    `value` is the worth of the play apart from goods, and `cost` and `gain` are its goods, as bundles. `bit` is the bit
    of its hand card, and `flags` are the flags in `plans.py`. If plans may include the play, also add it to the
    candidates, with the ratio of its worth to its cost.
    """
    count = int(g.notes[N_COUNT])
    if count >= PLAYS:
        return
    whole = g.notes.view(np.int64)
    g.notes[PLAY_VALUE + count] = value
    whole[PLAY_COST + count] = cost
    whole[PLAY_GAIN + count] = gain
    whole[PLAY_BIT + count] = bit
    whole[PLAY_FLAGS + count] = flags & ~KINDS
    whole[PLAY_KEY + count] = card + FLAG * (flags & KINDS)
    whole[PLAY_RANK + count] = UNRANKED
    g.notes[N_COUNT] = count + 1
    worth = value
    if flags & NEEDS_LOCATION != 0:
        worth -= min(1.5, g.notes[N_LOSS])
    if worth <= 0.0 and flags & AS_DEAL != 0 and g.notes[N_ROUNDS] == 0.0:
        # In the last round, swapping one good for another gains nothing by itself. A gain comes only from what the seat
        # then pays for with the new good.
        return
    if worth < -SLIGHT or after_paying(int(g.notes[N_SOON]), cost) == CANNOT:
        return
    if worth > 0.0:
        worth /= 0.25 + max(0.0, goods_worth(g, cost) - 0.8 * goods_worth(g, gain))
    candidate = int(g.notes[N_CANDIDATES])
    whole[CANDIDATE_PLAY + candidate] = count
    g.notes[CANDIDATE_DENSITY + candidate] = worth
    g.notes[N_CANDIDATES] = candidate + 1


@kernel
def rank_plays(g: Record) -> None:
    """Rank the candidates for plans by the ratio of worth to cost.

    This is a separate pass, so that no comparison has to wait for the division of a worth by a cost.
    """
    whole = g.notes.view(np.int64)
    ranked = 0
    for candidate in range(int(g.notes[N_CANDIDATES])):
        density = g.notes[CANDIDATE_DENSITY + candidate]
        play = whole[CANDIDATE_PLAY + candidate]
        rank = ranked
        if ranked < MOST_RANKED:
            ranked += 1
        elif g.notes[CANDIDATE_DENSITY + ranked - 1] >= density:
            continue
        else:
            rank -= 1
        while rank > 0:
            before = g.notes[CANDIDATE_DENSITY + rank - 1]
            if before >= density:
                break
            g.notes[CANDIDATE_DENSITY + rank] = before
            whole[CANDIDATE_PLAY + rank] = whole[CANDIDATE_PLAY + rank - 1]
            rank -= 1
        g.notes[CANDIDATE_DENSITY + rank] = density
        whole[CANDIDATE_PLAY + rank] = play
    g.notes[N_RANKED] = ranked


@kernel
def note_order(g: Record) -> None:
    """Copy the fields of the ranked plays to the RANKED notes, in the order in which a plan tries the plays."""
    whole = g.notes.view(np.int64)
    for rank in range(int(g.notes[N_RANKED])):
        play = whole[CANDIDATE_PLAY + rank]
        whole[RANKED_BIT + rank] = whole[PLAY_BIT + play]
        whole[RANKED_CARD + rank] = whole[PLAY_KEY + play] & (FLAG - 1)
        whole[RANKED_FLAGS + rank] = whole[PLAY_FLAGS + play]
        whole[RANKED_COST + rank] = whole[PLAY_COST + play]
        whole[RANKED_GAIN + rank] = whole[PLAY_GAIN + play]
        g.notes[RANKED_VALUE + rank] = g.notes[PLAY_VALUE + play]
        whole[PLAY_RANK + play] = rank


@kernel
def begin_plays(g: Record, card: int) -> None:
    """Record that the next plays to be listed are those of this card."""
    g.notes[WORTHS + WORTH_FIELDS * card + FIRST_PLAY] = g.notes[N_COUNT]


@kernel
def play_of(g: Record, card: int, flag: int) -> int:
    """Return the index of a card's play of this kind; -1 if no such play is listed."""
    first = g.notes[WORTHS + WORTH_FIELDS * card + FIRST_PLAY]
    count = int(g.notes[N_COUNT])
    if math.isnan(first):
        return -1
    key = card + FLAG * flag
    whole = g.notes.view(np.int64)
    for play in range(int(first), min(count, int(first) + MOST_OF_CARD)):
        if whole[PLAY_KEY + play] == key:
            return play
    return -1


@kernel
def note_plays(g: Record, t: Record, me: int, w: Record) -> None:
    """List, once per decision, all plays still possible in this round, and compute the plan for the goods at hand."""
    if not math.isnan(g.notes[N_COUNT]):
        return
    note_opponents(g, me, w)
    g.notes[N_SOON] = together(int(g.notes[N_SUPPLY]), SOON_GAINED)
    note_losses(g, t, me, w)
    g.notes[N_COUNT] = 0.0
    g.notes[N_CANDIDATES] = 0.0
    g.notes[N_KNOWN] = 0.0
    for place in range(g.zone_size[me, constants.HAND]):
        note_hand_plays(g, t, me, place, w)
    for zone in (constants.LOCATIONS, constants.CONTROLLED):
        for place in range(g.zone_size[me, zone]):
            card = int(g.zone[me, zone, place])
            if t.kind[card] == constants.ACTION and works_for(g, card, me) and g.blocked[card] == 0:
                left = int(t.uses[card] - g.used[card])
                if left > 0:
                    note_uses(g, t, me, card, left, w)
    if g.phase == constants.ACT and g.peaceful == 0 and g.goods[me, constants.RAZE] >= t.raze_cost_location:
        note_raids(g, t, me, w)
    rank_plays(g)
    note_order(g)
    note_rest(g, w)
    g.notes[N_BASE] = fill(g, int(g.notes[N_SUPPLY]), 0, 0, constants.NO_CARD, 0, 0)
    note_plan(g)


@kernel
def note_hand_plays(g: Record, t: Record, me: int, place: int, w: Record) -> None:
    """List the plays of a hand card: building it, making a deal with it, and razing it."""
    card = int(g.zone[me, constants.HAND, place])
    lasting = worth_to_owner(g, t, me, card, 0, w)
    holding = worth_of_holding(g, lasting, w)
    gain = gains_of_building(g, t, me, card, w)
    value = lasting + worth_of_triggers(g, t, card) + worth_beside_goods(g, gain) - holding
    flags = AS_BUILD
    if t.cost_location[card] != 0:
        flags |= NEEDS_LOCATION
    elif t.deck[card] == constants.COMMON:
        flags |= LEAVES_COMMON
    bit = 1 << min(place, MASKED)
    begin_plays(g, card)
    add_play(g, value, int(w.prepared[CARD_FIELDS * card + COST_OF]), gain, bit, card, flags)
    good = int(t.deal_good[card])
    if t.deck[card] >= 0 and good >= 0:
        deal = worth_of_deal(g, t, me, card, w) - holding
        bundle = of_good(good, 1)
        deal += worth_beside_goods(g, bundle)
        add_play(g, deal, of_good(constants.FOOD, int(t.deal_cost)), bundle, bit, card, AS_DEAL)
    if t.raze_goods[card] > 0 and (t.deck[card] == constants.COMMON or t.own_deck_razeable[g.faction[me]] != 0):
        spoils = int(w.prepared[CARD_FIELDS * card + RAZE_OF])
        worth = worth_beside_goods(g, spoils) + g.notes[N_RAZE] - holding
        add_play(g, worth, of_good(constants.RAZE, int(t.raze_cost_hand)), spoils, bit, card, AS_RAZE)


@kernel
def note_uses(g: Record, t: Record, me: int, card: int, left: int, w: Record) -> None:
    """List the remaining uses (at most two) of one of the seat's action locations as plays."""
    value, gain = worth_of_activating(g, t, me, card, w)
    cost = cost_of_activating(g, t, me, card, w)
    begin_plays(g, card)
    for _ in range(min(2, left)):
        add_play(g, value, cost, gain, NO_BIT, card, AS_USE)


@kernel
def worth_of_activating(g: Record, t: Record, me: int, card: int, w: Record) -> tuple[float, int]:
    """Return what one use of an action location gains: the worth of everything but goods, and the goods as a bundle."""
    gain = prepared_goods(g, t, me, card, constants.ACTS, ACTION_OF, 1, w)
    value = worth_beside_goods(g, gain) - paid_in_cards(g, t, me, card)
    if w.prepared[CARD_FIELDS * card + ACTION_OF] == DYNAMIC:
        value += worth_beyond_goods(g, t, me, card, int(t.program[card, constants.ACTS]), w)
    return value, gain


@kernel
def paid_in_cards(g: Record, t: Record, me: int, card: int) -> float:
    """Return the worth of the hand cards and deals that a use costs."""
    if t.pay_hand[card] == 0 and t.pay_deal[card] == 0:
        return 0.0
    return other_cost_of_use(g, t, me, card)


@kernel
def cost_of_activating(g: Record, t: Record, me: int, card: int, w: Record) -> int:
    """Return the goods that one use costs, as a bundle.

    Resources of any kind are paid with the kind that the seat has most of.
    """
    cost = int(w.prepared[CARD_FIELDS * card + USE_COST_OF]) & GOODS_ONLY
    for _ in range(int(t.pay_any[card])):
        most = 0
        for good in range(constants.RESOURCES):
            if g.goods[me, good] - number_of(cost, good) > g.goods[me, most] - number_of(cost, most):
                most = good
        cost += of_good(most, 1)
    return cost


@kernel
def note_raids(g: Record, t: Record, me: int, w: Record) -> None:
    """List the play that razes the most valuable location of another seat."""
    best = 0.0
    best_card = constants.NO_CARD
    for seat in range(g.players if g.solo == 0 else constants.VIRTUAL + 1):
        if seat == me or (g.solo == 0 and g.passed[seat] != 0):
            continue
        for place in range(g.zone_size[seat, constants.LOCATIONS]):
            card = int(g.zone[seat, constants.LOCATIONS, place])
            if t.razeable[card] == 0 or t.raze_goods[card] == 0 or g.holder[card] == me:
                continue
            if t.raze_cost_location + g.defence[card] + g.samurai[card] > g.goods[me, constants.RAZE]:
                continue
            worth = worth_of_razing(g, t, me, seat, card, w)
            if worth > best:
                best = worth
                best_card = card
    if best_card != constants.NO_CARD:
        cost = raze_cost(g, t, best_card)
        begin_plays(g, best_card)
        add_play(g, best, cost, int(w.prepared[CARD_FIELDS * best_card + RAZE_OF]), NO_BIT, best_card, AS_RAZE)


@kernel
def raze_cost(g: Record, t: Record, card: int) -> int:
    """Return the raze tokens needed for a location, as a bundle."""
    return of_good(constants.RAZE, int(t.raze_cost_location + g.defence[card] + g.samurai[card]))
