"""Trade cards in hand: drawing, selling, discarding, sets, the hand limit (rulebook: Trade cards)."""

from __future__ import annotations

from sim.compiler.kernel import Record, kernel
from sim.engine.options import offer
from sim.engine.rng import CHANCE, below, shuffle
from sim.games.glory_of_rome.rules import constants
from sim.games.glory_of_rome.rules.glory import gain_denarii, most_paid
from sim.games.glory_of_rome.rules.log import (
    CARD_DISCARDED,
    CARD_DRAWN,
    CARD_FROM_DISCARD,
    CARD_IN_SET,
    CARD_SOLD,
    CARD_TAKEN,
    DECK_RENEWED,
    DRAWN,
    LOST_ROUND,
    MISSION_DRAWN,
    SET_LAID,
    SET_ROUND,
    SOLD_ROUND,
    TAKEN_ROUND,
    log_event,
    mark,
)
from sim.games.glory_of_rome.rules.sightings import hide_taking, show_card, show_leaving
from sim.games.glory_of_rome.rules.state import HAND_FULL, MISSIONS_FULL

SET_SIZE = 3


@kernel
def room(g: Record, t: Record, seat: int) -> int:
    """Return the number of cards for which a hand has room. An anchor card counts towards the limit."""
    return int(t.hand_limit - g.hand_size[seat] - g.anchor[seat])


@kernel
def put_in_hand(g: Record, seat: int, card: int, fresh: int) -> None:
    """Put a card into a hand.

    `fresh` is the condition of the trade card whose effect brought this card, or NEVER if no effect did.
    """
    place = g.hand_size[seat]
    if place >= g.hand.shape[1]:
        g.error = HAND_FULL
        return
    g.hand[seat, place] = card
    g.fresh[seat, place] = fresh
    g.hand_size[seat] = place + 1
    if g.log.keeps_pieces != 0:
        g.log.pieces[seat, card, DRAWN] += 1
    mark(g, seat, card, TAKEN_ROUND, int(g.round_number))


@kernel
def take_from_hand(g: Record, seat: int, place: int) -> int:
    """Remove the card at an index of a hand, and return it. All players see the card."""
    show_leaving(g, seat, int(g.hand[seat, place]))
    return pull_out(g, seat, place)


@kernel
def pull_out(g: Record, seat: int, place: int) -> int:
    """Remove the card at an index of a hand, close the gap, and return the card."""
    card = int(g.hand[seat, place])
    for other in range(place, g.hand_size[seat] - 1):
        g.hand[seat, other] = g.hand[seat, other + 1]
        g.fresh[seat, other] = g.fresh[seat, other + 1]
    g.hand_size[seat] -= 1
    return card


@kernel
def lay_on_discard(g: Record, card: int) -> None:
    """Put a card on the discard pile."""
    g.discard[g.discard_size] = card
    g.discard_size += 1


@kernel
def renew_deck(g: Record) -> None:
    """If the deck is empty, shuffle the discard pile to form a new one."""
    if g.trade_size == 0 and g.discard_size > 0:
        log_event(g, DECK_RENEWED, constants.NO_SEAT, 0, constants.NO_CARD, 0, int(g.discard_size))
        for place in range(g.discard_size):
            g.trade_deck[place] = g.discard[place]
        g.trade_size = g.discard_size
        g.discard_size = 0
        shuffle(g, CHANCE, g.trade_deck, int(g.trade_size))


@kernel
def draw_cards(g: Record, t: Record, seat: int, number: int, fresh: int) -> None:
    """Draw trade cards one by one, as long as there is room and there are cards. `fresh` is that of `put_in_hand`."""
    for _ in range(number):
        renew_deck(g)
        if g.trade_size == 0 or room(g, t, seat) <= 0:
            return
        g.trade_size -= 1
        card = int(g.trade_deck[g.trade_size])
        log_event(g, CARD_DRAWN, seat, 0, card, 0, 0)
        g.cards_drawn[seat] += 1
        put_in_hand(g, seat, card, fresh)


@kernel
def take_discarded(g: Record, t: Record, seat: int, number: int, fresh: int) -> None:
    """Take cards from the top of the discard pile. All players see them."""
    for _ in range(number):
        if g.discard_size == 0 or room(g, t, seat) <= 0:
            return
        g.discard_size -= 1
        card = int(g.discard[g.discard_size])
        log_event(g, CARD_FROM_DISCARD, seat, 0, card, 0, 0)
        put_in_hand(g, seat, card, fresh)
        show_card(g, seat, card)


@kernel
def draw_mission(g: Record, seat: int) -> None:
    """Draw the top mission card."""
    g.mission_size -= 1
    card = int(g.mission_deck[g.mission_size])
    hold_mission(g, seat, card)
    log_event(g, MISSION_DRAWN, seat, 0, card, 0, 0)


@kernel
def hold_mission(g: Record, seat: int, card: int) -> None:
    """Give a seat a mission."""
    place = g.mission_count[seat]
    if place >= g.missions.shape[1]:
        g.error = MISSIONS_FULL
        return
    g.missions[seat, place] = card
    g.mission_count[seat] = place + 1
    mark(g, seat, card, TAKEN_ROUND, max(1, int(g.round_number)))


@kernel
def lose_random_card(g: Record, seat: int, thief: int) -> int:
    """Move a random card from a hand to the hand of `thief`, and return it. If `thief` is NO_SEAT, discard it.

    Other seats do not see which card a thief takes.
    """
    place = below(g, CHANCE, int(g.hand_size[seat]))
    return lose_card(g, seat, place, thief)


@kernel
def lose_card(g: Record, seat: int, place: int, thief: int) -> int:
    """Move a card of a hand to the hand of `thief`, and return it. If `thief` is NO_SEAT, discard it."""
    card = int(g.hand[seat, place])
    mark(g, seat, card, LOST_ROUND, int(g.round_number))
    log_event(g, CARD_TAKEN, seat, 0, card, thief, 0)
    if thief == constants.NO_SEAT:
        lay_on_discard(g, take_from_hand(g, seat, place))
        return card
    hide_taking(g, seat, card, thief)
    put_in_hand(g, thief, pull_out(g, seat, place), constants.NEVER)
    return card


# ---- Free actions in a player's own turn ----


@kernel
def offer_free_actions(g: Record, t: Record, seat: int) -> None:
    """Offer the free actions of a seat's turn: sell a card, discard from a full hand, lay down a set, pay for glory."""
    for place in range(g.hand_size[seat]):
        offer(g, constants.SELL, int(g.hand[seat, place]), place, seat)
    if room(g, t, seat) <= 0:
        for place in range(g.hand_size[seat]):
            offer(g, constants.DISCARD, int(g.hand[seat, place]), place, seat)
    if g.hand_size[seat] >= SET_SIZE:
        offer_sets(g, t, seat)
    if most_paid(g, t, seat) > 0:
        offer(g, constants.PAY_FOR_GLORY, constants.NO_CARD, 1, seat)


@kernel
def sell(g: Record, t: Record, seat: int, place: int) -> None:
    """Sell a trade card."""
    card = take_from_hand(g, seat, place)
    log_event(g, CARD_SOLD, seat, 0, card, 0, 0)
    mark(g, seat, card, SOLD_ROUND, int(g.round_number))
    lay_on_discard(g, card)
    gain_denarii(g, seat, int(t.card_price))


@kernel
def discard_card(g: Record, seat: int, place: int) -> None:
    """Discard a trade card without gaining anything."""
    card = take_from_hand(g, seat, place)
    log_event(g, CARD_DISCARDED, seat, 0, card, 0, 0)
    lay_on_discard(g, card)


# ---- Sets ----


@kernel
def sets_laid(g: Record, seat: int) -> int:
    """Return the number of sets that a seat has laid down."""
    count = 0
    for kind in range(g.sets.shape[1]):
        count += int(g.sets[seat, kind])
    return count


@kernel
def fits_set(g: Record, t: Record, seat: int, card: int, kind: int) -> bool:
    """Tell whether a card fits into a set of a type. Chests are wild; with the commercial medal, jewels are, too."""
    own = int(t.type[card])
    if own == kind:
        return True
    return bool(own == constants.CHEST or (own == constants.JEWELS and g.medal[constants.COMMERCIAL] == seat))


@kernel
def is_set(g: Record, t: Record, seat: int, kind: int, places: int) -> bool:
    """Tell whether the cards at some indices (bits) of a hand form a set of a type."""
    count, own = 0, 0
    for place in range(g.hand_size[seat]):
        if (places >> place) & 1 != 0:
            card = int(g.hand[seat, place])
            if not fits_set(g, t, seat, card, kind):
                return False
            count += 1
            own += int(t.type[card] == kind)
    return count == SET_SIZE and (own > 0 or t.sets_of_chests != 0) and places >> g.hand_size[seat] == 0


@kernel
def offer_sets(g: Record, t: Record, seat: int) -> None:
    """Offer every set of three cards that a seat can lay down."""
    if sets_laid(g, seat) >= g.set_limit[seat]:
        return
    size = int(g.hand_size[seat])
    for kind in range(constants.CHEST):
        fitting, count = 0, 0
        for place in range(size):
            if fits_set(g, t, seat, int(g.hand[seat, place]), kind):
                fitting |= 1 << place
                count += 1
        if count < SET_SIZE:
            continue
        for one in range(size):
            for two in range(one):
                for three in range(two):
                    places = (1 << one) | (1 << two) | (1 << three)
                    if places & fitting == places and is_set(g, t, seat, kind, places):
                        offer(g, constants.LAY_SET, kind, places, seat)


@kernel
def lay_set(g: Record, seat: int, kind: int, places: int) -> None:
    """Lay down a set of three cards face up, permanently."""
    log_event(g, SET_LAID, seat, kind, constants.NO_CARD, 0, 0)
    for place in range(int(g.hand_size[seat]) - 1, -1, -1):
        if (places >> place) & 1 != 0:
            card = take_from_hand(g, seat, place)
            log_event(g, CARD_IN_SET, seat, kind, card, 0, 0)
            mark(g, seat, card, SET_ROUND, int(g.round_number))
    g.sets[seat, kind] += 1
