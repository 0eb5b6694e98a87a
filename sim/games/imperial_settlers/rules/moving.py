"""Cards that enter and leave empires, and gains and losses of goods (rulebook: Terms, Foundations, Protection)."""

from __future__ import annotations

from sim.compiler.kernel import Record, kernel
from sim.engine.zones import place_in, put, take_at, take_out
from sim.games.imperial_settlers.rules import constants
from sim.games.imperial_settlers.rules.log import (
    BECAME_FOUNDATION,
    DISCARDED,
    GAINED,
    HELD_ROUND,
    LEFT_PLAY,
    LOST_ROUND,
    TRADE_ENDED,
    log_event,
    log_good,
    note_card,
)

ALL_SEATS = 15
"""Value of `knows` for a card whose place all seats have seen."""

# ---- Goods ----


@kernel
def gain(g: Record, t: Record, seat: int, good: int, number: int, source: int) -> None:
    """Let a seat gain goods other than cards. Points may trigger features that add more points (Sphinx)."""
    if number <= 0:
        return
    if good == constants.VP:
        gain_points(g, t, seat, number, source)
    else:
        g.goods[seat, good] += number
        log_good(g, GAINED, seat, source, good, number)


@kernel
def gain_points(g: Record, t: Record, seat: int, number: int, source: int) -> None:
    """Let a seat gain points from one effect. Each feature that rewards such a gain adds points."""
    g.points[seat] += number
    log_good(g, GAINED, seat, source, constants.VP, number)
    if g.features[seat, constants.ON_POINTS] == 0:
        return
    for zone in (constants.LOCATIONS, constants.CONTROLLED):
        for place in range(g.zone_size[seat, zone]):
            card = int(g.zone[seat, zone, place])
            if works_for(g, card, seat) and t.trigger[card] == constants.ON_POINTS and number >= t.feature_number[card]:
                more = int(t.code[t.program[card, constants.FEATURES], constants.B])
                g.points[seat] += more
                log_good(g, GAINED, seat, card, constants.VP, more)


@kernel
def works_for(g: Record, card: int, seat: int) -> bool:
    """Tell whether a location works for a seat. It works for the seat that controls it or, if none does, its owner."""
    return bool(g.holder[card] == seat)


# ---- Hands and discards ----


@kernel
def to_hand(g: Record, seat: int, card: int, seen: int) -> None:
    """Put a card into a hand. `seen` are the other seats (bits) that know that the card is there."""
    put(g, seat, constants.HAND, card)
    g.knows[card] = seen | (1 << seat)
    g.knows_deck[card] = 0
    g.came[card] = g.clock
    note_card(g, seat, card, HELD_ROUND)


@kernel
def discard(g: Record, t: Record, card: int) -> None:
    """Put a card on the discard pile of its deck, visible to all. The card must be in no zone."""
    deck = int(t.deck[card])
    if deck == constants.COMMON:
        put(g, constants.TABLE, constants.DISCARD, card)
    elif deck == constants.SOLO:
        put(g, constants.VIRTUAL, constants.DISCARD, card)
    else:
        put(g, seat_of_faction(g, deck), constants.DISCARD, card)
    g.knows[card] = ALL_SEATS


@kernel
def discard_from_hand(g: Record, t: Record, seat: int, card: int) -> None:
    """Discard a hand card."""
    take_out(g, seat, constants.HAND, card)
    discard(g, t, card)
    log_event(g, DISCARDED, seat, card, 0, 0)


@kernel
def seat_of_faction(g: Record, faction: int) -> int:
    """Return the seat that plays a faction."""
    for seat in range(g.players):
        if g.faction[seat] == faction:
            return int(seat)
    return 0


# ---- Locations ----


@kernel
def enter_empire(g: Record, t: Record, seat: int, card: int) -> None:
    """Put a card into an empire, as a location with nothing on it. The card must be in no zone."""
    put(g, seat, constants.LOCATIONS, card)
    g.owner[card] = seat
    g.knows[card] = ALL_SEATS
    g.used[card] = 0
    g.blocked[card] = 0
    g.defence[card] = 0
    g.samurai[card] = 0
    g.gained[card] = 0
    g.tucked[card] = 0
    g.paid[card, :] = 0
    g.banked[card, :] = 0
    begin_work(g, t, seat, card)


@kernel
def begin_work(g: Record, t: Record, seat: int, card: int) -> None:
    """Let a location work for a seat: count its colours and its feature for that seat."""
    g.holder[card] = seat
    for colour in range(len(constants.COLOURS)):
        g.colours[seat, colour] += (t.colours[card] >> colour) & 1
    g.features[seat, t.trigger[card]] += 1


@kernel
def end_work(g: Record, t: Record, card: int) -> None:
    """Stop a location from working for any seat."""
    seat = g.holder[card]
    for colour in range(len(constants.COLOURS)):
        g.colours[seat, colour] -= (t.colours[card] >> colour) & 1
    g.features[seat, t.trigger[card]] -= 1


@kernel
def control(g: Record, t: Record, seat: int, card: int) -> None:
    """Let a location of another seat work for this seat (Temple of Ra)."""
    end_work(g, t, card)
    begin_work(g, t, seat, card)
    put(g, seat, constants.CONTROLLED, card)


@kernel
def give_back(g: Record, t: Record, card: int) -> None:
    """Let a location that another seat controls work for its owner again."""
    take_out(g, g.holder[card], constants.CONTROLLED, card)
    end_work(g, t, card)
    begin_work(g, t, g.owner[card], card)


@kernel
def leave_empire(g: Record, t: Record, card: int) -> None:
    """Take a location out of its empire. Afterwards its card is in no zone.

    Things on the location are lost. Depending on settings, its owner gets the resources stored on it, and Trade Route
    deals with it end.
    """
    owner = int(g.owner[card])
    if g.holder[card] != owner:
        take_out(g, g.holder[card], constants.CONTROLLED, card)
    end_work(g, t, card)
    take_out(g, owner, constants.LOCATIONS, card)
    note_card(g, owner, card, LOST_ROUND)
    if g.tucked[card] > 0:
        lose_tucked(g, t, owner, card)
    if t.banked_when_lost != 0:
        for good in range(constants.RESOURCES + 1):
            gain(g, t, owner, good, int(g.banked[card, good]), card)
    if t.trade_ends_with_location != 0:
        end_trades(g, t, card)


@kernel
def lose_tucked(g: Record, t: Record, seat: int, gate: int) -> None:
    """Discard the cards under a Gate that leaves its empire."""
    for place in range(g.zone_size[seat, constants.TUCKED] - 1, -1, -1):
        if g.host[g.zone[seat, constants.TUCKED, place]] == gate:
            discard(g, t, take_at(g, seat, constants.TUCKED, place))


@kernel
def end_trades(g: Record, t: Record, card: int) -> None:
    """End all Trade Route deals with a location that leaves its empire, and discard their markers."""
    for seat in range(g.players):
        if place_in(g, seat, constants.TRADES, card) >= 0:
            end_trade(g, t, seat, card)


@kernel
def become_foundation(g: Record, seat: int, card: int, seen: int) -> None:
    """Put a card face down into an empire, as a foundation. The card must be in no zone. The seats `seen` know it."""
    put(g, seat, constants.FOUNDATIONS, card)
    g.knows[card] = seen
    log_event(g, BECAME_FOUNDATION, seat, card, int(seen != ALL_SEATS), 0)


@kernel
def remove_location(g: Record, t: Record, card: int) -> None:
    """Remove a location from the game (Garrison, Engineers). This does not count as razing."""
    log_event(g, LEFT_PLAY, int(g.owner[card]), card, 1, 0)
    leave_empire(g, t, card)
    put(g, constants.TABLE, constants.REMOVED, card)


# ---- Deals ----


@kernel
def end_trade(g: Record, t: Record, seat: int, card: int) -> None:
    """End a seat's Trade Route deal with a location, and discard its marker."""
    place = place_in(g, seat, constants.TRADES, card)
    take_at(g, seat, constants.TRADES, place)
    discard(g, t, take_at(g, seat, constants.MARKERS, place))
    log_event(g, TRADE_ENDED, seat, card, 0, 0)
