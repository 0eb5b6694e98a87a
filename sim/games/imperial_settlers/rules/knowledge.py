"""What each seat knows of hidden cards; determinization (`determinize.py`) redeals a game by it.

Who knows where a card lies stands in `knows`. Other cards are alike to a seat within a heap: those of one deck that
were shuffled together, wherever they have gone since. A card whose place a seat knew may go where the seat cannot tell
it from others: laid face down from a hand that holds others of its back, or shuffled into a deck. Then the seat knows
only that it lies there or where cards have gone from there unseen since (`knows_deck`). `clock` counts shuffles and
cards laid unseen, so that it is known what came first.
"""

from __future__ import annotations

from sim.compiler.kernel import Record, kernel
from sim.games.imperial_settlers.rules import constants


@kernel
def begin_heap(g: Record, owner: int) -> None:
    """Make the cards of a reshuffled deck a heap: nobody knows where any of them lies."""
    g.clock += 1
    for place in range(g.zone_size[owner, constants.DECK]):
        card = g.zone[owner, constants.DECK, place]
        g.heap[card] = g.clock
        g.knows[card] = 0
        g.knows_deck[card] = 0


@kernel
def shuffle_back(g: Record, seat: int, card: int) -> None:
    """Let a seat know no more of a card that it has looked at than that it lies somewhere in its deck."""
    g.knows[card] = 0
    g.knows_deck[card] = 1 << seat
    g.came[card] = g.clock


@kernel
def lay_marker(g: Record, card: int) -> None:
    """Mark the card laid face down from the top of a deck (Trade Route) as unknown to all."""
    g.clock += 1
    g.laid[card] = g.clock
    g.knows[card] = 0


@kernel
def lay_unseen(g: Record, t: Record, seat: int, card: int) -> None:
    """Let only its player know the card that it lays face down from its hand; its back shows the deck it is of.

    Others no longer know which cards of that back are left in the hand.
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
    """Let all but a seat know only that a card, whose place they knew, is in its hand or was laid down from it."""
    g.knows_deck[card] |= g.knows[card] & ~(1 << seat)
    g.knows[card] = 1 << seat
