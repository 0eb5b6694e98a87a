"""Determinization: redeals decks, future events, the hands and missions of others, and a face-down token.

A seat knows its own cards, the missions that it has put under the deck, and cards that it saw enter other hands, from
the discard pile or by intrigue. If another seat took cards from a hand and the seat did not see which, the redeal draws
the taken cards at random from the possible ones, with their probabilities.
"""

from __future__ import annotations

from sim.compiler.kernel import Record, kernel
from sim.engine.determinize import renew_chance, sort_numbers
from sim.engine.rng import SEARCH, below, shuffle
from sim.games.glory_of_rome.rules import constants
from sim.games.glory_of_rome.rules.sightings import doubtful_cards, unknown_cards
from sim.games.glory_of_rome.rules.treaties import TOKENS


@kernel
def redeal(g: Record, t: Record, me: int) -> None:
    """Redeal everything that seat `me` cannot know, and replace future draws. All draws use the search stream."""
    renew_chance(g)
    redeal_trade_cards(g, me)
    redeal_missions(g, me)
    sort_numbers(g.event_deck, int(g.event_size))
    shuffle(g, SEARCH, g.event_deck, int(g.event_size))
    if token_is_hidden(g, me):
        g.token = below(g, SEARCH, TOKENS)


@kernel
def token_is_hidden(g: Record, me: int) -> bool:
    """Tell whether another player's diplomacy token lies face down."""
    return bool(
        g.phase == constants.DIPLOMACY_PHASE
        and g.stage in (constants.TREATY_ANSWER, constants.TREATY_RAISE, constants.TREATY_LAST_ANSWER)
        and g.turn_seat != me
    )


@kernel
def redeal_trade_cards(g: Record, me: int) -> None:
    """Redeal the deck, and the cards in other hands that a seat did not see arrive there."""
    choose_moved(g, me)
    count = 0
    for place in range(g.trade_size):
        g.pool[count] = g.trade_deck[place]
        count += 1
    for seat in range(g.players):
        if seat != me:
            for place in range(keep_known_first(g, me, seat), g.hand_size[seat]):
                g.pool[count] = g.hand[seat, place]
                count += 1
    sort_numbers(g.pool, count)
    shuffle(g, SEARCH, g.pool, count)
    for seat in range(g.players):
        if seat != me:
            count = deal_known(g, me, seat, count)
    for seat in range(g.players):
        if seat != me:
            for place in range(known_cards(g, me, seat), g.hand_size[seat]):
                count -= 1
                g.hand[seat, place] = g.pool[count]
    for place in range(g.trade_size):
        g.trade_deck[place] = g.pool[place]


# ---- Cards that a seat knows in other hands ----


@kernel
def choose_moved(g: Record, me: int) -> None:
    """Choose at random which doubtful cards (see `sightings.py`) are now in the taker's hand; count them in `moved`."""
    g.moved[:] = 0
    for owner in range(g.players):
        if g.gone[me, owner] > 0:
            known = doubtful_cards(g, me, owner)
            number = number_moved(g, me, owner, known)
            for card in range(g.doubtful.shape[2]):
                for _ in range(g.doubtful[me, owner, card]):
                    if below(g, SEARCH, known) < number:
                        g.moved[owner, card] += 1
                        number -= 1
                    known -= 1


@kernel
def number_moved(g: Record, me: int, owner: int, known: int) -> int:
    """Draw and return how many of the `known` doubtful cards of `owner` this redeal puts in the taker's hand."""
    number, left, strangers = 0, known, int(g.strangers[me, owner])
    for _ in range(min(int(g.gone[me, owner]), left + strangers)):
        if below(g, SEARCH, left + strangers) < left:
            number += 1
            left -= 1
        else:
            strangers -= 1
    taker = int(g.taker[owner])
    free = unknown_cards(g, me, taker)
    for other in range(g.players):
        if other != owner and g.gone[me, other] > 0 and g.taker[other] == taker:
            # The same taker also took cards from `other`. If `other` < `owner`, it is already chosen which of them have
            # moved. Otherwise leave room for those that must have moved.
            free -= least_moved(g, me, other) if other > owner else moved_cards(g, other)
    return max(least_moved(g, me, owner), min(number, free))


@kernel
def least_moved(g: Record, me: int, owner: int) -> int:
    """Return the minimum number of doubtful cards of `owner` that are in the taker's hand.

    There are two lower bounds. At most `g.strangers` of the cards taken were not doubtful, so all others were. And at
    most as many doubtful cards are left in the hand of `owner` as it has unknown cards.
    """
    known = doubtful_cards(g, me, owner)
    wanting = int(g.gone[me, owner] - g.strangers[me, owner])
    return max(0, wanting, known - unknown_cards(g, me, owner))


@kernel
def moved_cards(g: Record, owner: int) -> int:
    """Return how many doubtful cards of `owner` this redeal assumes to be in the taker's hand."""
    count = 0
    for card in range(g.moved.shape[1]):
        count += int(g.moved[owner, card])
    return count


@kernel
def copies_known(g: Record, me: int, seat: int, card: int) -> int:
    """Return the number of copies of a card that a seat knows or assumes to be in another hand."""
    count = int(g.seen[me, seat, card] + g.doubtful[me, seat, card] - g.moved[seat, card])
    for owner in range(g.players):
        if g.moved[owner, card] > 0 and g.taker[owner] == seat:
            count += int(g.moved[owner, card])
    return count


@kernel
def known_cards(g: Record, me: int, seat: int) -> int:
    """Return the number of cards that a seat knows or assumes to be in another hand."""
    count = 0
    for card in range(g.seen.shape[2]):
        count += copies_known(g, me, seat, card)
    return count


@kernel
def keep_known_first(g: Record, me: int, seat: int) -> int:
    """Move the cards of another hand that `copies_known` counts to the front of this hand; return their number.

    There they are sorted by card, so that their order reveals nothing.
    """
    first = 0
    for card in range(g.seen.shape[2]):
        for _ in range(copies_known(g, me, seat, card)):
            for place in range(first, g.hand_size[seat]):
                if g.hand[seat, place] == card:
                    g.hand[seat, place] = g.hand[seat, first]
                    g.hand[seat, first] = card
                    fresh = g.fresh[seat, place]
                    g.fresh[seat, place] = g.fresh[seat, first]
                    g.fresh[seat, first] = fresh
                    first += 1
                    break
    return first


@kernel
def deal_known(g: Record, me: int, seat: int, count: int) -> int:
    """Deal a seat, from `g.pool`, the cards that `me` knows or assumes it to have. `count` is the size of the pool.

    Return the number of cards that remain in the pool.
    """
    kept = keep_known_first(g, me, seat)
    place = kept
    for card in range(g.seen.shape[2]):
        missing = copies_known(g, me, seat, card)
        for other in range(kept):
            missing -= int(g.hand[seat, other] == card)
        for _ in range(missing):
            take_out_of_pool(g, card, count)
            count -= 1
            g.hand[seat, place] = card
            place += 1
    return count


@kernel
def take_out_of_pool(g: Record, card: int, count: int) -> None:
    """Remove a card from the first `count` cards of `g.pool`; the others keep their order."""
    gap = 0
    while g.pool[gap] != card:
        gap += 1
    for place in range(gap, count - 1):
        g.pool[place] = g.pool[place + 1]


# ---- Missions ----


@kernel
def lies_known(g: Record, me: int, place: int) -> bool:
    """Tell whether the mission at this index of the deck was put there by seat `me`."""
    return bool(g.known[me, g.mission_deck[place]] == place + 1)


@kernel
def was_drawn_known(g: Record, me: int, mission: int) -> bool:
    """Tell whether a mission that a seat put under the deck has been drawn since. All players saw who drew it."""
    return bool(g.known[me, mission] > g.mission_size)


@kernel
def redeal_missions(g: Record, me: int) -> None:
    """Redeal the mission deck and the others' missions, except the missions that seat `me` put under the deck."""
    count = 0
    for place in range(g.mission_size):
        if not lies_known(g, me, place):
            g.pool[count] = g.mission_deck[place]
            count += 1
    for seat in range(g.players):
        if seat != me:
            for place in range(g.mission_count[seat]):
                if not was_drawn_known(g, me, int(g.missions[seat, place])):
                    g.pool[count] = g.missions[seat, place]
                    count += 1
    sort_numbers(g.pool, count)
    shuffle(g, SEARCH, g.pool, count)
    for seat in range(g.players):
        if seat != me:
            for place in range(g.mission_count[seat]):
                if not was_drawn_known(g, me, int(g.missions[seat, place])):
                    count -= 1
                    g.missions[seat, place] = g.pool[count]
    for place in range(g.mission_size):
        if not lies_known(g, me, place):
            count -= 1
            g.mission_deck[place] = g.pool[count]
