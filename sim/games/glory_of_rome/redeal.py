"""Dealing anew what a seat cannot know: decks, events to come, hands and missions of others, a token face down.

A seat knows its own cards, the missions it has put under their deck, and cards that came into other hands before its
eyes: from the discard pile, or by intrigue. When a card is taken out of a hand by intrigue, who looks on forgets what
it knew of that hand: it cannot tell which one was taken.
"""

from __future__ import annotations

from sim.games.glory_of_rome import words
from sim.games.glory_of_rome.treaties import TOKENS
from sim.jit import Integers, Record, kernel
from sim.rng import CHANCE, SEARCH, SEATS, below, renew_stream, shuffle


@kernel
def redeal(g: Record, t: Record, me: int) -> None:
    """Deal anew, by draws from the stream of searches, everything that seat `me` cannot know, future lots included."""
    renew_stream(g, CHANCE, SEARCH)
    for seat in range(g.players):
        renew_stream(g, SEATS + seat, SEARCH)
    redeal_trade_cards(g, me)
    redeal_missions(g, me)
    sort_cards(g.event_deck, int(g.event_size))
    shuffle(g, SEARCH, g.event_deck, int(g.event_size))
    if token_is_hidden(g, me):
        g.token = below(g, SEARCH, TOKENS)


@kernel
def token_is_hidden(g: Record, me: int) -> bool:
    """Tell whether a diplomacy token of another player lies face down."""
    return bool(
        g.phase == words.DIPLOMACY_PHASE
        and g.stage in (words.TREATY_ANSWER, words.TREATY_RAISE, words.TREATY_LAST_ANSWER)
        and g.turn_seat != me
    )


@kernel
def sort_cards(cards: Integers, count: int) -> None:
    """Put the first cards of a list in order, so that nothing hidden is left in it."""
    for number in range(1, count):
        card = cards[number]
        at = number
        while at > 0 and cards[at - 1] > card:
            cards[at] = cards[at - 1]
            at -= 1
        cards[at] = card


@kernel
def redeal_trade_cards(g: Record, me: int) -> None:
    """Deal the deck and the cards in other hands anew that a seat has not seen come there."""
    count = 0
    for place in range(g.trade_size):
        g.pool[count] = g.trade_deck[place]
        count += 1
    for seat in range(g.players):
        if seat != me:
            keep_known_first(g, me, seat)
            for place in range(known_cards(g, me, seat), g.hand_size[seat]):
                g.pool[count] = g.hand[seat, place]
                count += 1
    sort_cards(g.pool, count)
    shuffle(g, SEARCH, g.pool, count)
    for seat in range(g.players):
        if seat != me:
            for place in range(known_cards(g, me, seat), g.hand_size[seat]):
                count -= 1
                g.hand[seat, place] = g.pool[count]
    for place in range(g.trade_size):
        g.trade_deck[place] = g.pool[place]


@kernel
def known_cards(g: Record, me: int, seat: int) -> int:
    """Cards in another hand that a seat knows."""
    count = 0
    for card in range(g.seen.shape[2]):
        count += int(g.seen[me, seat, card])
    return count


@kernel
def keep_known_first(g: Record, me: int, seat: int) -> None:
    """Put the cards of another hand that a seat knows first, in an order that depends on nothing hidden."""
    first = 0
    for card in range(g.seen.shape[2]):
        for _ in range(g.seen[me, seat, card]):
            for place in range(first, g.hand_size[seat]):
                if g.hand[seat, place] == card:
                    g.hand[seat, place] = g.hand[seat, first]
                    g.hand[seat, first] = card
                    fresh = g.fresh[seat, place]
                    g.fresh[seat, place] = g.fresh[seat, first]
                    g.fresh[seat, first] = fresh
                    first += 1
                    break


@kernel
def redeal_missions(g: Record, me: int) -> None:
    """Deal the mission deck and the missions of others anew, but for those that a seat has put under the deck."""
    count = 0
    for place in range(g.mission_size):
        if g.known[me, g.mission_deck[place]] == 0:
            g.pool[count] = g.mission_deck[place]
            count += 1
    for seat in range(g.players):
        if seat != me:
            for place in range(g.mission_count[seat]):
                if g.known[me, g.missions[seat, place]] == 0:
                    g.pool[count] = g.missions[seat, place]
                    count += 1
    sort_cards(g.pool, count)
    shuffle(g, SEARCH, g.pool, count)
    for seat in range(g.players):
        if seat != me:
            for place in range(g.mission_count[seat]):
                if g.known[me, g.missions[seat, place]] == 0:
                    count -= 1
                    g.missions[seat, place] = g.pool[count]
    for place in range(g.mission_size):
        if g.known[me, g.mission_deck[place]] == 0:
            count -= 1
            g.mission_deck[place] = g.pool[count]
