"""Dealing anew what a seat cannot know: stacks to come, cards put back, events and empires that others hold unseen.

A seat knows the cards that it has seen pass in the draft, and all that was played. Of the others it knows nothing, nor of
the stacks of later epochs. Cards are put in an order that depends on nothing hidden before they are shuffled.
"""

from __future__ import annotations

from sim.games.history_of_the_world import words
from sim.jit import Record, kernel
from sim.rng import CHANCE, SEARCH, SEATS, renew_stream, shuffle


@kernel
def redeal(g: Record, t: Record, me: int) -> None:
    """Deal anew, by draws from the stream of searches, everything that seat `me` cannot know, future lots included."""
    renew_stream(g, CHANCE, SEARCH)
    for seat in range(g.players):
        renew_stream(g, SEATS + seat, SEARCH)
    for epoch in range(t.epochs):
        for empires in (True, False):
            if epoch >= g.epoch or not empires:
                redeal_kind(g, t, me, epoch, empires)


@kernel
def redeal_kind(g: Record, t: Record, me: int, epoch: int, empires: bool) -> None:
    """Deal the unknown empires or events of an epoch anew among the places where they may be: stacks, hands, box."""
    count = 0
    for card in range(t.cards):
        if is_unknown(g, t, me, card, epoch, empires):
            g.pool[count] = card
            count += 1
    for place in range(count):
        g.pool_place[place] = place_of(g, t, int(g.pool[place]), epoch, empires)
    # Which cards are unknown does not depend on where they lie, so their order is one of its own.
    shuffle(g, SEARCH, g.pool, count)
    for place in range(count):
        lay_at(g, t, int(g.pool[place]), int(g.pool_place[place]), epoch, empires)


@kernel
def is_unknown(g: Record, t: Record, me: int, card: int, epoch: int, empires: bool) -> bool:
    """Tell whether a seat has never seen a card of a kind and an epoch."""
    if t.epoch[card] != epoch or (t.kind[card] == words.EMPIRE) != empires:
        return False
    return bool((g.seen[card] >> me) & 1 == 0)


# Places: 0 to MAX_SEATS - 1 in the hand of a seat; STACK + place in the stack; BOX.
STACK_FROM = 100
BOX = 99


@kernel
def place_of(g: Record, t: Record, card: int, epoch: int, empires: bool) -> int:
    """Where a card lies, as a number."""
    for seat in range(g.players):
        if (empires and g.empire[seat] == card) or (not empires and g.holds[card] == 1 + seat):
            return int(seat)
    stack = g.empire_stack[epoch] if empires else g.event_stack[epoch]
    for place in range(stack.shape[0]):
        if stack[place] == card:
            return STACK_FROM + int(place)
    return BOX


@kernel
def lay_at(g: Record, t: Record, card: int, place: int, epoch: int, empires: bool) -> None:
    """Lay a card at a place."""
    if not empires:
        g.holds[card] = 0
    if place >= STACK_FROM:
        if empires:
            g.empire_stack[epoch, place - STACK_FROM] = card
        else:
            g.event_stack[epoch, place - STACK_FROM] = card
    elif place != BOX:
        if empires:
            g.empire[place] = card
        else:
            g.holds[card] = 1 + place
            g.drafted[card] = epoch
            if epoch == g.epoch:
                g.event[place] = card
