"""Tracks what each seat knows about hidden cards; determinization (`determinize.py`) uses it to redeal a game.

For every card the record holds which seats know its zone and, in a deck, its exact place. All seats know this for open
cards, and for cards that were put into a hand or on a deck in public. The owner of a draw deck knows its cards.

A heap is a set of cards that other seats cannot tell apart while they do not know them. Its cards were shuffled
together, such as the regions at set-up or a discard pile that became a draw deck, or all lay in one hand when a card of
that hand moved unseen. By counting, players know how many cards of each heap are in each place.

A hand card that did not come from the current draw deck is marked `held`. It is in the hand, or at a place of the draw
deck where the player put a hand card unseen (`put_back`). A seat that does not know the other cards of the hand
cannot exclude that they are anywhere in the draw deck.
"""

from __future__ import annotations

from sim.compiler.kernel import Record, kernel
from sim.games.imperium.rules import constants


@kernel
def show_card(g: Record, card: int) -> None:
    """Record that all seats know where a card is."""
    g.knows_zone[card] = constants.EVERYBODY
    g.knows_place[card] = constants.EVERYBODY
    g.put_back[card] = 0


@kernel
def look_at_card(g: Record, seat: int, card: int) -> None:
    """Record that a seat has looked at a card in a deck."""
    g.knows_zone[card] |= 1 << seat
    g.knows_place[card] |= 1 << seat


@kernel
def rearrange(g: Record, seat: int, card: int) -> None:
    """Record that only seat `seat` knows where a card is, because it looked at the card and may move it unseen."""
    g.knows_zone[card] = 1 << seat
    g.knows_place[card] = 1 << seat


@kernel
def hide_place(g: Record, seat: int, card: int) -> None:
    """Record that every other seat loses track of a card's place in its deck.

    Seats that knew that the card is in the deck still know this.
    """
    g.knows_place[card] &= 1 << seat


@kernel
def draw_unseen(g: Record, seat: int, card: int) -> None:
    """Record that a seat draws a card from a deck. Other seats know the drawn card if they knew the card's place."""
    g.knows_zone[card] = g.knows_place[card] | (1 << seat)
    g.knows_place[card] = 0
    g.put_back[card] = 0


@kernel
def gain_unseen(g: Record, seat: int, card: int) -> None:
    """Record that a seat takes a card into its hand from a deck other than its draw deck, and mark it as `held`."""
    draw_unseen(g, seat, card)
    g.held[card] = 1


@kernel
def forget_places(g: Record, owner: int, zone: int, lowest: int) -> None:
    """Record that the cards of a deck from index `lowest` up are shuffled, so that no seat knows their places.

    A seat that had looked at one of the cards can still tell by its heap that the card is in the deck.
    """
    for place in range(lowest, g.zone_size[owner, zone]):
        card = g.zone[owner, zone, place]
        g.knows_place[card] = 0
        if g.knows_zone[card] != constants.EVERYBODY:
            g.knows_zone[card] = 0


@kernel
def begin_heap(g: Record, seat: int) -> None:
    """Record that the cards of a new draw deck were shuffled together: they form a new heap.

    Mark the hand cards as `held`, because they were not shuffled in.
    """
    g.heaps += 1
    g.deck_heap[seat] = g.heaps - 1
    for place in range(g.zone_size[seat, constants.HAND]):
        g.held[g.zone[seat, constants.HAND, place]] = 1
    for place in range(g.zone_size[seat, constants.DECK]):
        hide_in_deck(g, seat, int(g.zone[seat, constants.DECK, place]))


@kernel
def hide_in_deck(g: Record, seat: int, card: int) -> None:
    """Add a card to the heap of its draw deck: only the owner knows that the card is there, and no seat knows where."""
    g.heap[card] = g.deck_heap[seat]
    g.knows_zone[card] = 1 << seat
    g.knows_place[card] = 0
    g.held[card] = 0
    g.put_back[card] = 0


@kernel
def hide_in_hand(g: Record, seat: int) -> None:
    """Make all cards in a hand unknown to others, because one of them is about to move unseen."""
    for place in range(g.zone_size[seat, constants.HAND]):
        card = g.zone[seat, constants.HAND, place]
        if g.knows_zone[card] == constants.EVERYBODY:
            g.heap[card] = constants.SHOWN_HEAPS + seat
            g.held[card] = 1
        g.knows_zone[card] = 1 << seat
        g.knows_place[card] = 0


@kernel
def shuffle_in(g: Record, seat: int) -> None:
    """Record that a draw deck is shuffled after a search, so that no seat knows the places of its cards.

    Cards that were put back unseen may now be anywhere in the deck. A card that all seats know to be in the deck joins
    the deck's heap, because it may now be drawn unseen.
    """
    any_put_back = False
    for place in range(g.zone_size[seat, constants.DECK]):
        card = int(g.zone[seat, constants.DECK, place])
        any_put_back = any_put_back or g.put_back[card] != 0
        if g.knows_zone[card] == constants.EVERYBODY:
            hide_in_deck(g, seat, card)
        g.knows_zone[card] = 1 << seat
        g.knows_place[card] = 0
        g.put_back[card] = 0
    if any_put_back:
        for zone in (constants.HAND, constants.DECK):
            for place in range(g.zone_size[seat, zone]):
                g.held[g.zone[seat, zone, place]] = 0


@kernel
def knows_nation(g: Record, seat: int) -> bool:
    """Tell whether a seat knows the top card of its nation deck."""
    size = g.zone_size[seat, constants.NATION]
    return bool(size > 0 and g.knows_place[g.zone[seat, constants.NATION, size - 1]] & (1 << seat) != 0)
