"""Deals, by the deal action and by Trade Route (rulebook: Deal; open points U12, U19 and U27 in rules.toml)."""

from __future__ import annotations

from sim.compiler.kernel import Record, kernel
from sim.engine.decide import Players
from sim.engine.effect_stack import push_step
from sim.engine.options import offer
from sim.engine.zones import place_in, put, take_out
from sim.games.imperial_settlers.rules import constants
from sim.games.imperial_settlers.rules.drawing import can_draw, draw_from, gain_good
from sim.games.imperial_settlers.rules.knowledge import lay_marker
from sim.games.imperial_settlers.rules.log import DEALT_ROUND, LOST_DEAL, MADE_DEAL, TRADED, log_event, note_card
from sim.games.imperial_settlers.rules.moving import ALL_SEATS, discard, end_trade
from sim.games.imperial_settlers.rules.payment import nothing_due, pay_due, payable
from sim.games.imperial_settlers.rules.targets import is_open_to


@kernel
def can_deal(g: Record, t: Record, seat: int) -> bool:
    """Tell whether a seat can pay for making a deal."""
    nothing_due(g)
    g.due[constants.FOOD] = t.deal_cost
    return payable(g, seat)


@kernel
def may_be_dealt(t: Record, card: int) -> bool:
    """Tell whether a card can become a deal: it must be a faction card with a deal field."""
    return bool(t.deck[card] >= 0 and t.deal_good[card] >= 0)


@kernel
def deal_from_hand(g: Record, t: Record, players: Players, seat: int, card: int) -> None:
    """Make a deal with a hand card."""
    log_event(g, MADE_DEAL, seat, card, 0, 0)
    nothing_due(g)
    g.due[constants.FOOD] = t.deal_cost
    pay_due(g, t, players, seat, card, False)
    take_out(g, seat, constants.HAND, card)
    put(g, seat, constants.DEALS, card)
    g.knows[card] = ALL_SEATS
    g.deals_made[seat] += 1
    note_card(g, seat, card, DEALT_ROUND)
    gain_deal_good(g, t, players, seat, card)
    push_step(g, constants.STEP_TRIGGERS, seat, card, constants.ON_DEAL, 0)


@kernel
def gain_deal_good(g: Record, t: Record, players: Players, seat: int, card: int) -> None:
    """Gain the good of a deal field."""
    good = int(t.deal_good[card])
    if good >= 0:
        gain_good(g, t, players, seat, good, int(t.deal[card, good]), card)


@kernel
def offer_own_deals(g: Record, t: Record, seat: int, with_trades: bool) -> None:
    """Offer a seat's deals and, if `with_trades`, those by Trade Route, for which `option_value` is 1."""
    for place in range(g.zone_size[seat, constants.DEALS]):
        offer(g, constants.DEALS, int(g.zone[seat, constants.DEALS, place]), 0, seat)
    if with_trades:
        for place in range(g.zone_size[seat, constants.TRADES]):
            offer(g, constants.TRADES, int(g.zone[seat, constants.TRADES, place]), 1, seat)


@kernel
def offer_deals_of_others(g: Record, t: Record, seat: int, with_trades: bool) -> None:
    """Offer the deals of opponents and, if `with_trades`, those by Trade Route, for which `option_value` is 1.

    The virtual player's deals are the revealed attack cards.
    """
    for other in range(constants.MAX_SEATS):
        if not is_open_to(g, seat, other):
            continue
        zone = constants.DEALS if other < g.players else constants.ROW
        for place in range(g.zone_size[other, zone]):
            offer(g, zone, int(g.zone[other, zone, place]), 0, other)
        if with_trades:
            for place in range(g.zone_size[other, constants.TRADES]):
                offer(g, constants.TRADES, int(g.zone[other, constants.TRADES, place]), 1, other)


@kernel
def lose_deal(g: Record, t: Record, seat: int, kind: int, card: int, taker: int) -> None:
    """Take a deal from a seat and give it to `taker`, or discard it if `taker` is NO_SEAT.

    `kind` is the zone of the deal: DEALS, TRADES or ROW. A Trade Route deal (TRADES) always ends.
    """
    log_event(g, LOST_DEAL, seat, card, taker, 0)
    if kind == constants.TRADES:
        end_trade(g, t, seat, card)
        return
    take_out(g, seat, kind, card)
    if taker == constants.NO_SEAT:
        discard(g, t, card)
    else:
        put(g, taker, constants.DEALS, card)


# ---- Trade Route ----


@kernel
def offer_trades(g: Record, t: Record, seat: int) -> None:
    """Offer the opponents' faction locations with which a seat can make a deal. A location allows one deal per seat."""
    if not can_draw(g, t, seat, constants.FACTION_DECK):
        return
    for other in range(g.players):
        if not is_open_to(g, seat, other):
            continue
        for place in range(g.zone_size[other, constants.LOCATIONS]):
            card = int(g.zone[other, constants.LOCATIONS, place])
            if may_be_dealt(t, card) and place_in(g, seat, constants.TRADES, card) < 0:
                offer(g, 0, card, 0, other)


@kernel
def trade(g: Record, t: Record, players: Players, seat: int, card: int) -> None:
    """Make a deal with an opponent's faction location. The top card of the seat's own deck, unseen, marks the deal."""
    marker = draw_from(g, t, seat, constants.FACTION_DECK)
    if marker == constants.NO_CARD:
        return
    put(g, seat, constants.MARKERS, marker)
    lay_marker(g, marker)
    put(g, seat, constants.TRADES, card)
    g.deals_made[seat] += 1
    log_event(g, TRADED, seat, card, int(g.owner[card]), marker)
    gain_deal_good(g, t, players, seat, card)
    if t.trade_fires_deal_features != 0:
        push_step(g, constants.STEP_TRIGGERS, seat, card, constants.ON_DEAL, 0)
