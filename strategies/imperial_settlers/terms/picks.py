"""Scores the targets of effects for the appraising players: a card, a deal, a good or a seat."""

from __future__ import annotations

from sim.compiler.kernel import Record, kernel
from sim.engine.zones import place_in
from sim.games.imperial_settlers.rules import constants
from strategies.imperial_settlers.card_worth import (
    gains_of_building,
    loss_of_location,
    worth_in_hand,
    worth_of_deal,
    worth_of_holding,
    worth_of_razing,
    worth_of_triggers,
    worth_of_use,
    worth_to_owner,
)
from strategies.imperial_settlers.outlook import share_denied, strongest_opponent
from strategies.imperial_settlers.terms.bundles import of_good, together
from strategies.imperial_settlers.terms.gains import production_of, worth_beside_goods
from strategies.imperial_settlers.terms.plans import fill, with_one_more, with_supply
from strategies.imperial_settlers.weights import (
    CARD_FIELDS,
    COST_OF,
    N_BASE,
    N_HORIZON,
    N_PRICE,
    N_RAZE,
    N_SUPPLY,
    RAZE_OF,
)


@kernel
def score_pick(g: Record, t: Record, me: int, option: int, w: Record) -> float:
    """Score an option as the target of an effect, according to the effect's operation."""
    card = int(g.option_card[option])
    seat = int(g.option_seat[option])
    value = int(g.option_value[option])
    asked = int(g.asked)
    if asked in (
        constants.DISCARD_DEAL,
        constants.TAKE_DEAL,
        constants.TRADE_DEAL,
        constants.GAIN_DEAL_GOOD,
        constants.BUILD_DEAL,
    ):
        return score_deal_pick(g, t, me, card, seat, asked, w)
    if asked == constants.TAKE_RESOURCE:
        leads = seat == strongest_opponent(g, me, w)
        if value < 0:
            return 1.0 if leads else 0.5
        return (0.05 if leads else 0.0) + with_one_more(g, value, w)
    if asked == constants.COPY_RAZE_GOOD:
        return score_copied_good(g, t, card, value, w)
    if card == constants.NO_CARD:
        if 0 <= seat < g.players:
            return 1.0 if seat == strongest_opponent(g, me, w) else 0.5 + 0.01 * g.zone_size[seat, constants.HAND]
        return 0.0
    if asked == constants.BUILD_FROM_HAND:
        return score_waived(g, t, me, card, w)
    if asked in (constants.RAZE_EITHER, constants.RAZE_OWN, constants.RAZE_OPPONENT):
        return score_razed(g, t, me, card, w)
    if place_in(g, me, constants.HAND, card) >= 0:
        return score_discarded(g, t, me, card, w)
    if place_in(g, me, constants.DEALS, card) >= 0:
        return -worth_of_deal(g, t, me, card, w)
    return score_location_pick(g, t, me, card, asked, w)


@kernel
def score_location_pick(g: Record, t: Record, me: int, card: int, asked: int, w: Record) -> float:
    """Score a location that an effect activates, resets, blocks, controls or removes, or gives a samurai to."""
    if asked == constants.RUN_PRODUCTION:
        goods = production_of(g, t, me, card, 1, w)
        return with_supply(g, worth_beside_goods(g, goods), 0, goods, w)
    if asked == constants.RESET_ACTION:
        return worth_of_use(g, t, me, card, w) * g.used[card]
    if asked == constants.PLACE_SAMURAI:
        return loss_of_location(g, t, me, card, w) * (1.0 if t.razeable[card] != 0 else 0.2)
    owner = int(g.owner[card])
    if owner == me:
        return -loss_of_location(g, t, me, card, w)
    share = 0.1 + share_denied(g, me, owner, w)
    if asked == constants.BLOCK_ACTION:
        return share * worth_of_use(g, t, owner, card, w) * (t.uses[card] - g.used[card])
    if asked == constants.CONTROL_LOCATION:
        left = float(t.uses[card] - g.used[card]) if t.kind[card] == constants.ACTION else 0.3
        return worth_of_use(g, t, me, card, w) * left + 0.2 * share if t.kind[card] == constants.ACTION else 0.3 * left
    return share * loss_of_location(g, t, owner, card, w)


@kernel
def score_deal_pick(g: Record, t: Record, me: int, card: int, seat: int, asked: int, w: Record) -> float:
    """Score a deal that an effect makes, uses, builds as a location, takes or ends."""
    if card == constants.NO_CARD:
        return 0.0
    good = int(t.deal_good[card])
    each = float(g.notes[N_PRICE + good]) if good >= 0 else 0.0
    lasting = each * g.notes[N_HORIZON]
    if asked == constants.GAIN_DEAL_GOOD:
        return with_one_more(g, good, w)
    if asked == constants.TRADE_DEAL:
        return lasting + each
    if asked == constants.BUILD_DEAL:
        return score_waived(g, t, me, card, w) - lasting
    share = share_denied(g, me, seat, w) if 0 <= seat < g.players else 0.5
    return lasting * (share + (1.0 if asked == constants.TAKE_DEAL else 0.0)) + each


@kernel
def score_waived(g: Record, t: Record, me: int, card: int, w: Record) -> float:
    """Score building a location whose location cost is waived."""
    lasting = worth_to_owner(g, t, me, card, 0, w)
    gain = gains_of_building(g, t, me, card, w)
    value = lasting + worth_of_triggers(g, t, card) + worth_beside_goods(g, gain)
    if t.cost_location[card] != 0:
        value += 0.5
    if place_in(g, me, constants.HAND, card) >= 0:
        value -= worth_of_holding(g, lasting, w)
    return with_supply(g, value, int(w.prepared[CARD_FIELDS * card + COST_OF]), gain, w)


@kernel
def score_copied_good(g: Record, t: Record, card: int, good: int, w: Record) -> float:
    """Score copying `good` from a raze field or, if it is negative, the best good in the raze field of `card`."""
    if good >= 0:
        return with_one_more(g, good, w)
    best = 0.0
    if card >= 0:
        for kind in range(len(constants.GOODS)):
            if t.raze[card, kind] > 0:
                best = max(best, with_one_more(g, kind, w))
    return best


@kernel
def score_razed(g: Record, t: Record, me: int, card: int, w: Record) -> float:
    """Score a card to raze: a hand card, one's own location, or another seat's."""
    spoils = int(w.prepared[CARD_FIELDS * card + RAZE_OF])
    place = place_in(g, me, constants.HAND, card)
    if place >= 0:
        holding = worth_of_holding(g, worth_to_owner(g, t, me, card, 0, w), w)
        value = worth_beside_goods(g, spoils) + g.notes[N_RAZE] - holding
        return value + fill(
            g, together(int(g.notes[N_SUPPLY]), spoils), 1 << min(place, 60), 0, constants.NO_CARD, 0, 0
        )
    owner = int(g.owner[card])
    if owner == me:
        value = worth_beside_goods(g, spoils) + g.notes[N_RAZE] - loss_of_location(g, t, me, card, w) + 0.5
        return with_supply(g, value, 0, together(spoils, of_good(constants.WOOD, 1)), w)
    value = worth_of_razing(g, t, me, owner, card, w)
    if g.asked == constants.RAZE_EITHER:
        cost = int(t.raze_cost_location + g.defence[card] + g.samurai[card])
        return with_supply(g, value, of_good(constants.RAZE, cost), spoils, w)
    return with_supply(g, value, 0, spoils, w)


@kernel
def score_discarded(g: Record, t: Record, me: int, card: int, w: Record) -> float:
    """Score a hand card to pay, discard or lay down as a foundation: the less valuable, the higher."""
    place = place_in(g, me, constants.HAND, card)
    plan = fill(g, int(g.notes[N_SUPPLY]), 1 << min(place, 60), 0, constants.NO_CARD, 0, 0)
    return plan - float(g.notes[N_BASE]) - 0.3 * worth_in_hand(g, t, me, card, w)
