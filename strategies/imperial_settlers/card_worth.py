"""The worth of a location until the end of the game, to its owner or to others, and the worth of a hand card."""

from __future__ import annotations

import math

from sim.compiler.kernel import Record, kernel
from sim.games.imperial_settlers.rules import constants
from strategies.imperial_settlers.outlook import share_denied, wish, worth_of_gain
from strategies.imperial_settlers.terms.bundles import number_of
from strategies.imperial_settlers.terms.gains import (
    goods_worth,
    prepared_goods,
    production_of,
    worth_beside_goods,
    worth_beyond_goods,
    worth_of_bundle,
)
from strategies.imperial_settlers.weights import (
    ACTION_OF,
    BONUS_OF,
    BY_COLOURS,
    BY_PRICES,
    CARD_FIELDS,
    COST_OF,
    DYNAMIC,
    H_ACTIONS,
    H_DEALS,
    H_FACTION_CARDS,
    H_FEATURES,
    H_PRODUCTION,
    H_RAZING,
    N_COLOUR,
    N_COLOURED,
    N_COLOURS,
    N_DEAL,
    N_GATES,
    N_HORIZON,
    N_OF_COMMON,
    N_OF_FACTION,
    N_PRICE,
    N_PRICES,
    N_RAZE,
    N_ROUNDS,
    OTHER_PRICE,
    P_ACTION,
    P_BANK,
    P_COMMON,
    P_DEAL,
    P_ENGINE,
    P_FEATURE,
    P_FOUNDATION,
    P_HOLD,
    P_HOLD_ALONE,
    P_OWN,
    P_SOLO,
    P_USE_NOW,
    PRODUCTION_OF,
    RAZE_OF,
    USE_COST_OF,
    WORTH,
    WORTH_FIELDS,
    WORTH_KEY,
    WORTH_OF_USE,
    WORTHS,
)

SECOND_USE = 0.55
"""Worth of a second use of an action location in a round, relative to the first: a second use may be too expensive."""
BUILDS_OF_A_COLOUR = 0.7
BUILDS_OF_OWN = 1.3
"""Expected numbers of cards built per round: cards of one colour, and cards from the seat's own deck."""
RAZES_A_ROUND = 1.0
DEALS_A_ROUND = 1.2
PAIRS_OF_OTHERS = 1.3
"""Expected numbers per round: locations razed, deals made, and pairs of workers exchanged by each opponent."""
PAID_WITH_A_LOCATION = 0.5
"""Addition to the worth of the seat's own faction locations, because another location was given up for each."""


# ---- Locations ----


@kernel
def worth_of_location(g: Record, t: Record, seat: int, card: int, built: int, w: Record) -> float:
    """Return the worth of a location from the next round on, including its points.

    `built` is 0 if the location has not been built. Then part of the worth of using it in this round is included.
    """
    net = worth_of_use(g, t, seat, card, w) if t.kind[card] == constants.ACTION else 0.0
    return worth_by_use(g, t, seat, card, built, net, w)


@kernel
def worth_to_owner(g: Record, t: Record, me: int, card: int, built: int, w: Record) -> float:
    """Return `worth_of_location` for the seat's location or hand card, cached until its inputs change."""
    row = WORTHS + WORTH_FIELDS * card
    hangs_on = int(w.prepared[CARD_FIELDS * card + USE_COST_OF])
    number = g.notes[N_COLOURED if hangs_on & BY_COLOURS != 0 else N_PRICES]
    key = 2 * constants.MAX_SEATS * number + 2 * me + built
    if g.notes[row + WORTH_KEY] == key:
        return float(g.notes[row + WORTH])
    net = worth_of_use(g, t, me, card, w) if t.kind[card] == constants.ACTION else 0.0
    worth = worth_by_use(g, t, me, card, built, net, w)
    g.notes[row + WORTH_KEY] = key if hangs_on & (BY_PRICES | BY_COLOURS) != 0 else math.nan
    g.notes[row + WORTH] = worth
    g.notes[row + WORTH_OF_USE] = net
    return worth


@kernel
def worth_of_having(g: Record, t: Record, seat: int, card: int, w: Record) -> float:
    """Return the worth of having a location, apart from its effects."""
    worth = float(t.points_end[card])
    if t.deck[card] == constants.COMMON:
        return worth + w.weight[P_COMMON]
    worth += w.weight[P_OWN] * wish(g, seat, H_FACTION_CARDS, w)
    if g.solo != 0:
        worth += w.weight[P_SOLO]
    return worth


@kernel
def worth_by_use(g: Record, t: Record, seat: int, card: int, built: int, net: float, w: Record) -> float:
    """Compute `worth_of_location`; `net` is the worth of one use of an action location minus its cost."""
    worth = worth_of_having(g, t, seat, card, w)
    kind = t.kind[card]
    horizon = float(g.notes[N_HORIZON])
    if kind == constants.PRODUCTION:
        if horizon > 0.0:
            goods = worth_of_bundle(g, production_of(g, t, seat, card, built, w))
            if w.prepared[CARD_FIELDS * card + PRODUCTION_OF] == DYNAMIC:
                goods *= 1.15
            worth += goods * horizon * w.weight[P_ENGINE] * wish(g, seat, H_PRODUCTION, w)
        return worth
    if kind == constants.ACTION:
        share = 1.0 + (SECOND_USE if t.uses[card] > 1 else 0.0)
        later = net * horizon * w.weight[P_ACTION] * wish(g, seat, H_ACTIONS, w)
        now = net * w.weight[P_USE_NOW] if built == 0 else 0.0
        return worth + share * (later + now)
    if t.trigger[card] != constants.NO_TRIGGER:
        worth += w.weight[P_FEATURE] * wish(g, seat, H_FEATURES, w) * worth_of_feature(g, t, seat, card, built, w)
    return worth


@kernel
def worth_of_use(g: Record, t: Record, seat: int, card: int, w: Record) -> float:
    """Return the worth of using an action location once, minus its cost; at least 0."""
    worth = worth_of_bundle(g, prepared_goods(g, t, seat, card, constants.ACTS, ACTION_OF, 1, w))
    if w.prepared[CARD_FIELDS * card + ACTION_OF] == DYNAMIC:
        worth += worth_beyond_goods(g, t, seat, card, int(t.program[card, constants.ACTS]), w)
    price = int(w.prepared[CARD_FIELDS * card + USE_COST_OF])
    cost = goods_worth(g, price)
    if price & OTHER_PRICE != 0:
        cost += other_cost_of_use(g, t, seat, card)
    return max(0.0, worth - cost)


@kernel
def other_cost_of_use(g: Record, t: Record, seat: int, card: int) -> float:
    """Return the worth of what a use costs besides fixed goods: resources of any kind, hand cards and deals."""
    worth = 0.0
    if t.pay_any[card] > 0:
        worth += t.pay_any[card] * 0.8 * min(g.notes[N_PRICE], g.notes[N_PRICE + 1], g.notes[N_PRICE + 2])
    if t.pay_hand[card] > 0:
        worth += t.pay_hand[card] * min(1.0, 0.2 + 0.8 * g.notes[N_PRICE + constants.CARD])
    if t.pay_deal[card] > 0:
        worth += 0.4 + 0.8 * g.notes[N_HORIZON]
        if g.zone_size[seat, constants.DEALS] == 0:
            worth += 9.0
    return float(worth)


@kernel
def worth_of_feature(g: Record, t: Record, seat: int, card: int, built: int, w: Record) -> float:
    """Return the worth of a feature's future gains."""
    trigger = t.trigger[card]
    horizon = float(g.notes[N_HORIZON])
    if trigger == constants.ON_BUILD:
        each = worth_of_gain(g, t, card, w)
        if t.feature_decks[card] != 0:
            return each * (0.5 * min(3.0, matching(g, t, seat, card)) + BUILDS_OF_OWN * horizon)
        now = 0.6 * min(3.0, matching(g, t, seat, card))
        own = 1.0 if built == 0 and t.colours[card] & t.feature_colours[card] != 0 else 0.0
        return each * (own + now + BUILDS_OF_A_COLOUR * horizon)
    if trigger == constants.ON_RAZE:
        soon = 0.6 * min(3.0, float(g.goods[seat, constants.RAZE]))
        return (RAZES_A_ROUND * wish(g, seat, H_RAZING, w) * horizon + soon) * 1.0
    if trigger == constants.ON_DEAL:
        soon = 0.5 * min(2.0, float(g.goods[seat, constants.FOOD]))
        return DEALS_A_ROUND * wish(g, seat, H_DEALS, w) * horizon + soon
    if trigger == constants.ON_POINTS:
        return 1.3 * horizon + 0.6
    if trigger == constants.ON_EXCHANGE:
        return PAIRS_OF_OTHERS * min(2.0, g.players - 1.0) * g.notes[N_PRICE + constants.WORKER] * (horizon + 0.3)
    if trigger == constants.ON_PRODUCTION:
        return 0.35 * min(4.0, g.zone_size[seat, constants.DEALS] + 1.0) * horizon
    if trigger == constants.STORES:
        return 0.9 * horizon
    return worth_of_keeping_feature(g, t, seat, card, built, w)


@kernel
def worth_of_keeping_feature(g: Record, t: Record, seat: int, card: int, built: int, w: Record) -> float:
    """Return the worth of a Gate or a Shrine: the points that it has now, and those that it may still gain."""
    horizon = float(g.notes[N_HORIZON])
    if t.trigger[card] == constants.TUCKS:
        held = max(0.0, g.zone_size[seat, constants.HAND] - 2.0) if built == 0 else 0.0
        return 1.2 * horizon + 0.6 * min(4.0, held) + end_points_on(t, card, int(g.tucked[card]) if built != 0 else 0)
    if t.trigger[card] == constants.BANKS:
        things = banked_on(g, card) if built != 0 else 0
        return end_points_on(t, card, things) + w.weight[P_BANK] * (1.5 * horizon + 0.5 * things)
    return 0.0


@kernel
def banked_on(g: Record, card: int) -> int:
    """Return the number of goods stored on a Shrine."""
    return int(g.banked[card, 0] + g.banked[card, 1] + g.banked[card, 2] + g.banked[card, 3])


@kernel
def end_points_on(t: Record, card: int, things: int) -> float:
    """Return the points that a card scores at the end for the cards or goods on it (`things`)."""
    points = 0.0
    for tier in range(t.end_tier.shape[1]):
        if t.end_tier[card, tier, 1] > 0 and things >= t.end_tier[card, tier, 0]:
            points = max(points, float(t.end_tier[card, tier, 1]))
    return points


@kernel
def matching(g: Record, t: Record, seat: int, card: int) -> float:
    """Return how many of the seat's other hand cards trigger the feature `card` when they are built.

    An opponent is assumed to have one such card in hand.
    """
    if g.turn_seat != seat and g.phase == constants.ACT:
        return 1.0
    own_count = int(t.feature_decks[card] & constants.OF_FACTION != 0)
    colours = int(t.feature_colours[card])
    count = 0
    for place in range(g.zone_size[seat, constants.HAND]):
        other = int(g.zone[seat, constants.HAND, place])
        own = int(t.deck[other] >= 0) & own_count
        count += int(other != card) & (own | int(t.colours[other] & colours != 0))
    return float(count)


# ---- Own locations ----


@kernel
def loss_of_location(g: Record, t: Record, me: int, card: int, w: Record) -> float:
    """Return what the seat loses with one of its locations: its later worth, and its remaining uses in this round."""
    worth = worth_to_owner(g, t, me, card, 1, w)
    net = g.notes[WORTHS + WORTH_FIELDS * card + WORTH_OF_USE]
    if net > 0.0 and g.phase == constants.ACT and g.used[card] < t.uses[card] and g.blocked[card] == 0:
        worth += (t.uses[card] - g.used[card]) * 0.6 * net
    if g.samurai[card] != 0:
        worth += 0.3
    if g.holder[card] != me:
        worth += 0.5
    if t.deck[card] != constants.COMMON:
        worth += PAID_WITH_A_LOCATION
    return worth


@kernel
def least_loss_of_location(g: Record, t: Record, me: int, card: int, w: Record) -> float:
    """Return a lower bound of `loss_of_location`, provided that no effect of the location has a negative worth."""
    worth = worth_of_having(g, t, me, card, w)
    return worth if t.deck[card] == constants.COMMON else worth + PAID_WITH_A_LOCATION


@kernel
def loss_of_foundation(g: Record, w: Record) -> float:
    """Return the loss from giving up a foundation, which then can no longer pay for a location."""
    return float(w.weight[P_FOUNDATION] * min(1.0, g.notes[N_ROUNDS]) + 0.01)


# ---- Building ----


@kernel
def gains_of_building(g: Record, t: Record, me: int, card: int, w: Record) -> int:
    """Return the goods that building a card brings immediately, as a bundle."""
    bundle = 0
    if t.kind[card] == constants.PRODUCTION:
        bundle = production_of(g, t, me, card, 0, w)
    if t.program[card, constants.BONUS] != constants.NO_PROGRAM:
        bundle += prepared_goods(g, t, me, card, constants.BONUS, BONUS_OF, 0, w)
    return bundle


@kernel
def worth_of_triggers(g: Record, t: Record, card: int) -> float:
    """Return the worth of what the seat's own features gain when it builds a card."""
    worth = g.notes[N_OF_COMMON if t.deck[card] == constants.COMMON else N_OF_FACTION]
    if int(t.colours[card]) & int(g.notes[N_COLOURS]) == 0:
        return float(worth)
    for colour in range(len(constants.COLOURS)):
        if (t.colours[card] >> colour) & 1 != 0:
            worth += g.notes[N_COLOUR + colour]
    return float(worth)


@kernel
def worth_of_holding(g: Record, lasting: float, w: Record) -> float:
    """Return the worth of keeping a card in hand for later rounds; `lasting` is its worth as a location."""
    rounds = float(g.notes[N_ROUNDS])
    worth = 0.02
    if rounds > 0.0:
        # In the solo game, buildings count more in early rounds: locations must outnumber the virtual player's pile.
        hold = w.weight[P_HOLD if g.solo == 0 else P_HOLD_ALONE]
        worth = 0.1 + hold * lasting * rounds / (rounds + 1.0)
    if g.notes[N_GATES] > 0.0:
        worth = max(worth, 0.8)
    return worth


@kernel
def worth_of_deal(g: Record, t: Record, me: int, card: int, w: Record) -> float:
    """Return the worth of a card as a deal, apart from the good that it gains immediately."""
    good = int(t.deal_good[card])
    if good < 0:
        return 0.0
    each = g.notes[N_PRICE + good]
    return float(each * g.notes[N_HORIZON] * w.weight[P_DEAL] * wish(g, me, H_DEALS, w) + g.notes[N_DEAL])


# ---- In hand ----


@kernel
def worth_in_hand(g: Record, t: Record, me: int, card: int, w: Record) -> float:
    """Return the worth of a card in hand: the best of building it, making a deal with it and razing it."""
    lasting = worth_to_owner(g, t, me, card, 0, w)
    build = lasting + worth_of_triggers(g, t, card) + worth_of_bundle(g, gains_of_building(g, t, me, card, w))
    build -= worth_of_bundle(g, int(w.prepared[CARD_FIELDS * card + COST_OF]))
    if t.cost_location[card] != 0:
        build -= 1.2
    # Expensive cards are built late, or not at all.
    size = 0
    for good in range(constants.RESOURCES):
        size += number_of(int(w.prepared[CARD_FIELDS * card + COST_OF]), good)
    build *= 1.0 - 0.05 * size
    best = build
    if t.deck[card] == constants.COMMON:
        spoils = worth_of_bundle(g, int(w.prepared[CARD_FIELDS * card + RAZE_OF])) + g.notes[N_RAZE]
        best = max(best, spoils - g.notes[N_PRICE + constants.RAZE])
    elif t.deal_good[card] >= 0:
        good = int(t.deal_good[card])
        deal = worth_of_deal(g, t, me, card, w) + g.notes[N_PRICE + good] - g.notes[N_PRICE + constants.FOOD]
        best = max(best, deal)
    if g.notes[N_ROUNDS] == 0.0:
        best *= 0.7
    return max(0.05, best)


# ---- Against others ----


@kernel
def worth_of_razing(g: Record, t: Record, me: int, seat: int, card: int, w: Record) -> float:
    """Return the worth of razing another seat's location, apart from the goods gained.

    The owner's loss counts, minus the foundation that the owner keeps.
    """
    worth = worth_beside_goods(g, int(w.prepared[CARD_FIELDS * card + RAZE_OF])) + g.notes[N_RAZE]
    if g.solo != 0:
        return float(worth + w.weight[P_SOLO])
    loss = worth_of_location(g, t, seat, card, 1, w)
    if t.kind[card] == constants.ACTION and g.used[card] < t.uses[card]:
        loss += 0.5 * worth_of_use(g, t, seat, card, w)
    if t.deck[card] == constants.COMMON:
        loss -= 0.6 * g.notes[N_PRICE + constants.WOOD] + 0.8 * min(1.0, g.notes[N_ROUNDS] + 0.3)
    return float(worth + share_denied(g, me, seat, w) * loss)
