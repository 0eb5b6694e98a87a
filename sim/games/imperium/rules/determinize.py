"""Redeals what a seat cannot know, consistently with everything that the seat has seen (`knowledge.py`).

First it shuffles the unknown cards of each heap among their places in all zones. Then it shuffles the unknown cards
within each deck.
Knowledge about a place stays with the place. Places are encoded as in `sim.engine.determinize`.
"""

from __future__ import annotations

from sim.compiler.kernel import Record, kernel
from sim.engine.determinize import card_at, heap_at, lay_at, place_number, put_heaps_together, renew_chance
from sim.engine.rng import SEARCH, below
from sim.games.imperium.rules import constants
from sim.games.imperium.rules.tables import MAX_CARDS, MAX_ZONE


@kernel
def redeal(g: Record, t: Record, me: int) -> None:
    """Redeal all that seat `me` cannot know, including future draws, with random numbers of the search stream."""
    renew_chance(g)
    sort_zones(g, me)
    deal_heaps(g, me)
    for zone in range(constants.REGION_DECK, constants.FAME_DECK + 1):
        shuffle_deck(g, me, constants.TABLE, zone)
    for seat in range(g.players):
        shuffle_deck(g, me, seat, constants.NATION)
        if seat == me:
            shuffle_deck(g, me, seat, constants.DECK)
        else:
            shuffle_hand_and_deck(g, me, seat)


# ---- Places ----


@kernel
def is_of_a_seat(place: int) -> bool:
    """Tell whether a place is in the hand or the draw deck of a seat. Cards move unseen between these two zones."""
    return place // MAX_ZONE // constants.ZONES != constants.TABLE and place // MAX_ZONE % constants.ZONES in (
        constants.HAND,
        constants.DECK,
    )


@kernel
def exchange(g: Record, one: int, other: int) -> None:
    """Exchange the cards at two places. Knowledge about the places stays with the places."""
    card, instead = card_at(g, one), card_at(g, other)
    lay_at(g, one, instead)
    lay_at(g, other, card)
    known, known_instead = g.knows_zone[card], g.knows_zone[instead]
    if constants.EVERYBODY in (known, known_instead):
        # If all seats saw a card shuffled into a deck, they know its deck, but not its place in the deck.
        g.knows_zone[card] = constants.EVERYBODY if known == constants.EVERYBODY else g.knows_place[instead]
        g.knows_zone[instead] = constants.EVERYBODY if known_instead == constants.EVERYBODY else g.knows_place[card]
    else:
        g.knows_zone[card], g.knows_zone[instead] = known_instead, known
    knows_place, put_back = g.knows_place[card], g.put_back[card]
    g.knows_place[card], g.put_back[card] = g.knows_place[instead], g.put_back[instead]
    g.knows_place[instead], g.put_back[instead] = knows_place, put_back
    same_owner = one // MAX_ZONE // constants.ZONES == other // MAX_ZONE // constants.ZONES
    if not (same_owner and is_of_a_seat(one) and is_of_a_seat(other)):
        held = g.held[card]
        g.held[card] = g.held[instead]
        g.held[instead] = held


@kernel
def add_unseen(g: Record, me: int, count: int, owner: int, zone: int, put_back: int) -> int:
    """Add to `g.unseen` the places of a zone whose cards seat `me` does not know; return the new number of places.

    With `put_back` 1, add only the places where a hand card was put on a draw deck unseen. With 0, add all others.
    """
    for entry in range(g.zone_size[owner, zone]):
        card = g.zone[owner, zone, entry]
        if g.knows_zone[card] & (1 << me) == 0 and g.put_back[card] == put_back:
            g.unseen[count] = place_number(g, owner, zone, entry)
            count += 1
    return count


@kernel
def add_hand_and_deck(g: Record, me: int, count: int, seat: int) -> int:
    """Add the unseen places of a hand and its draw deck to `g.unseen`; return the new number of places.

    The places where `held` cards may be (see `knowledge.py`) come first.
    """
    count = add_unseen(g, me, count, seat, constants.HAND, 0)
    count = add_unseen(g, me, count, seat, constants.DECK, 1)
    return add_unseen(g, me, count, seat, constants.DECK, 0)


# ---- Sorting and shuffling ----


@kernel
def order_of(g: Record, card: int) -> int:
    """Return a card's sort key within a zone, or a hand with its draw deck: first `held`, then heap, then card."""
    return (int(g.heap[card]) + (0 if g.held[card] != 0 else int(g.heaps))) * MAX_CARDS + card


@kernel
def sort_places(g: Record, first: int, count: int, by_heap: bool) -> None:
    """Sort the cards at entries `first` to `count` - 1 of `g.unseen`: by `order_of` if `by_heap`, else by id."""
    for at in range(first, count - 1):
        least = at
        for other in range(at + 1, count):
            card, best = card_at(g, int(g.unseen[other])), card_at(g, int(g.unseen[least]))
            if (by_heap and order_of(g, card) < order_of(g, best)) or (not by_heap and card < best):
                least = other
        if least != at:
            exchange(g, int(g.unseen[at]), int(g.unseen[least]))


@kernel
def shuffle_places(g: Record, first: int, count: int) -> None:
    """Shuffle the cards at entries `first` to `count` - 1 of `g.unseen` (Fisher and Yates)."""
    for last in range(count - 1, first, -1):
        other = first + below(g, SEARCH, last - first + 1)
        if other != last:
            exchange(g, int(g.unseen[last]), int(g.unseen[other]))


@kernel
def sort_zones(g: Record, me: int) -> None:
    """Sort the unseen cards of each zone, and of each hand with its draw deck, so that their order reveals nothing."""
    for zone in range(constants.REGION_DECK, constants.UNREST_PILE):
        sort_places(g, 0, add_unseen(g, me, 0, constants.TABLE, zone, 0), True)
    for seat in range(g.players):
        sort_places(g, 0, add_hand_and_deck(g, me, 0, seat), True)


@kernel
def deal_heaps(g: Record, me: int) -> None:
    """Shuffle the unseen cards among the places where they lie, each heap by itself."""
    count = 0
    for zone in range(constants.REGION_DECK, constants.UNREST_PILE):
        count = add_unseen(g, me, count, constants.TABLE, zone, 0)
    count = add_unseen(g, me, count, constants.TABLE, constants.REMOVED, 0)
    for seat in range(g.players):
        count = add_unseen(g, me, count, seat, constants.NATION, 0)
        count = add_hand_and_deck(g, me, count, seat)
    put_heaps_together(g, count)
    first = 0
    for at in range(1, count + 1):
        if at == count or heap_at(g, at) != heap_at(g, first):
            sort_places(g, first, at, False)
            shuffle_places(g, first, at)
            first = at


# ---- Decks ----


@kernel
def shuffle_deck(g: Record, me: int, owner: int, zone: int) -> None:
    """Shuffle a deck, except for the cards whose place seat `me` knows."""
    count = 0
    for entry in range(g.zone_size[owner, zone]):
        if g.knows_place[g.zone[owner, zone, entry]] & (1 << me) == 0:
            g.unseen[count] = place_number(g, owner, zone, entry)
            count += 1
    sort_places(g, 0, count, False)
    shuffle_places(g, 0, count)


@kernel
def shuffle_hand_and_deck(g: Record, me: int, seat: int) -> None:
    """Shuffle the unseen cards of a hand and its draw deck.

    `held` cards stay among the places where they may be; all others may go to any of the places.
    """
    count = add_unseen(g, me, add_unseen(g, me, 0, seat, constants.HAND, 0), seat, constants.DECK, 1)
    shuffle_places(g, 0, count)
    count = add_hand_and_deck(g, me, 0, seat)
    free = 0
    for at in range(count):
        if g.held[card_at(g, int(g.unseen[at]))] == 0:
            g.unseen[free] = g.unseen[at]
            free += 1
    shuffle_places(g, 0, free)
