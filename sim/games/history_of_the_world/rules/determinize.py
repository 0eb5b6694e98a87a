"""Determinization: redeals future stacks, cards put back, and unseen events and empires of other seats.

A seat knows the cards that it has seen in the draft, but not who took which of them later. It knows nothing about other
cards and the stacks of later epochs. In the classic selection it knows to whom it gave a card. If a seat is the next to
look at a stack, it counts as knowing the cards that it will see, because nothing can happen before.
"""

from __future__ import annotations

from sim.compiler.kernel import Record, kernel
from sim.engine.determinize import renew_chance, sort_numbers
from sim.engine.rng import SEARCH, shuffle
from sim.games.history_of_the_world.rules import constants
from sim.games.history_of_the_world.rules.draft import classic_chooser, classic_round
from sim.games.history_of_the_world.rules.tables import STACK

# Places of a hidden card: the seat that holds it, STACK_FROM plus its index in the stack, or BOX (put back unseen).
STACK_FROM = constants.MAX_SEATS
BOX = STACK_FROM + STACK
NO_PLACE = -1


@kernel
def redeal(g: Record, t: Record, me: int) -> None:
    """Redeal everything that seat `me` cannot know, and replace future dice. All draws use the search stream."""
    renew_chance(g)
    for epoch in range(t.epochs):
        for seen in (0, 1):
            redeal_cards(g, t, me, epoch, False, seen)
            if epoch >= g.epoch:
                redeal_cards(g, t, me, epoch, True, seen)


@kernel
def redeal_cards(g: Record, t: Record, me: int, epoch: int, empires: bool, seen: int) -> None:
    """Redeal those empires or events of an epoch whose places are unknown to seat `me`.

    With `seen` 0, redeal the cards that the seat has not seen. With `seen` 1, redeal the cards that it has seen without
    knowing who took them.

    Before the cards are shuffled, cards and places are sorted in an order that does not depend on hidden information.
    """
    before = cards_before(g, t, me, epoch, empires)
    count = 0
    for card in range(t.cards):
        if t.epoch[card] == epoch and (t.kind[card] == constants.EMPIRE) == empires:
            place = place_of(g, me, card, epoch, empires, seen, before)
            if place != NO_PLACE:
                g.pool[count] = card
                g.pool_place[count] = place
                count += 1
    sort_numbers(g.pool_place, count)
    shuffle(g, SEARCH, g.pool, count)
    for number in range(count):
        lay_card_at(g, int(g.pool[number]), int(g.pool_place[number]), epoch, empires)


@kernel
def cards_before(g: Record, t: Record, me: int, epoch: int, empires: bool) -> int:
    """Return how many cards of a stack a seat is about to look at: all in the draft, one in the classic selection."""
    if epoch != g.epoch:
        return 0
    if g.phase == constants.DRAFT:
        place = g.players - 1 - g.draft_round if empires else g.draft_round
        left = int(g.empire_left) if empires else int(g.event_left)
        return left if g.draft_order[place] == me else 0
    if g.phase == constants.CLASSIC and empires == (g.event_left == 0):
        held = g.empire if empires else g.event
        draws = classic_round(g, t, held, not empires)
        return 1 if classic_chooser(g, draws, not empires) == me else 0
    return 0


@kernel
def place_of(g: Record, me: int, card: int, epoch: int, empires: bool, seen: int, before: int) -> int:
    """Return the place of a card that may be redealt, because seat `me` cannot know its place; otherwise NO_PLACE.

    A card is not redealt if the seat holds it, if it has been played, or if it is one of the first `before` cards of
    its stack. With `seen` 0, only cards that the seat has not seen are redealt. With `seen` 1, only cards that it has
    seen are redealt, and none in the classic selection.
    """
    if (g.seen[card] >> me) & 1 != seen or (seen != 0 and g.classic != 0):
        return NO_PLACE
    for seat in range(g.players):
        if (empires and g.empire[seat] == card and g.called[seat] == 0) or (not empires and g.holds[card] == 1 + seat):
            return NO_PLACE if seat == me else int(seat)
    stack = g.empire_stack[epoch] if empires else g.event_stack[epoch]
    for place in range(stack.shape[0]):
        if stack[place] == card:
            return STACK_FROM + int(place) if place >= before else NO_PLACE
    return NO_PLACE if seen != 0 else BOX


@kernel
def lay_card_at(g: Record, card: int, place: int, epoch: int, empires: bool) -> None:
    """Put a card in one of the places that `place_of` returns."""
    if not empires:
        g.holds[card] = 0
        g.drafted[card] = 0
    if place >= STACK_FROM:
        if place < BOX:
            stack = g.empire_stack[epoch] if empires else g.event_stack[epoch]
            stack[place - STACK_FROM] = card
    elif empires:
        g.empire[place] = card
    else:
        g.holds[card] = 1 + place
        g.drafted[card] = epoch
        if epoch == g.epoch:
            g.event[place] = card
