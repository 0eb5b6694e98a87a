"""Tracks what each seat knows about hidden cards; determinization (`determinize.py`) uses it to redeal a game.

`knows` holds, for each card, the seats that know where the card is. A heap is a set of cards of one deck that were
shuffled together, wherever they are now. If a seat does not know where some cards of a heap are, it cannot tell these
cards apart.

A seat may lose sight of a card that it knew. This happens when the card is shuffled into a deck, or when a card with
the same back is laid face down from the hand that holds the card. Then the seat knows only that the card is in that
deck or hand, or has been laid face down from there since (`knows_deck`). `clock` is the number of
shuffles plus the number of cards laid face down so far, so that the order of these events is known.
"""

from __future__ import annotations

from sim.compiler.kernel import Record, kernel
from sim.games.imperial_settlers.rules import constants


@kernel
def begin_heap(g: Record, owner: int) -> None:
    """Make the cards of a reshuffled deck a heap. No seat knows where any of them is."""
    g.clock += 1
    for place in range(g.zone_size[owner, constants.DECK]):
        card = g.zone[owner, constants.DECK, place]
        g.heap[card] = g.clock
        g.knows[card] = 0
        g.knows_deck[card] = 0


@kernel
def shuffle_back(g: Record, seat: int, card: int) -> None:
    """Record that a card is shuffled back after a seat looked at it. The seat knows only which deck it is in."""
    g.knows[card] = 0
    g.knows_deck[card] = 1 << seat
    g.came[card] = g.clock


@kernel
def lay_marker(g: Record, card: int) -> None:
    """Record that a card is laid face down from the top of a deck, so that no seat knows it (Trade Route)."""
    g.clock += 1
    g.laid[card] = g.clock
    g.knows[card] = 0


@kernel
def lay_unseen(g: Record, t: Record, seat: int, card: int) -> None:
    """Record that a card is laid face down from a hand. Only the seat `seat` knows the card.

    The back of the card shows its deck. Other seats no longer know which cards with that back are left in the hand.
    """
    g.clock += 1
    g.laid[card] = g.clock
    forget(g, seat, card)
    for place in range(g.zone_size[seat, constants.HAND]):
        other = int(g.zone[seat, constants.HAND, place])
        if t.deck[other] == t.deck[card]:
            forget(g, seat, other)


@kernel
def forget(g: Record, seat: int, card: int) -> None:
    """Record that only seat `seat` still knows where a card is.

    Seats that knew it until now know only that the card is in this seat's hand or was laid down from there.
    """
    g.knows_deck[card] |= g.knows[card] & ~(1 << seat)
    g.knows[card] = 1 << seat
