"""Redeals what a seat cannot know, consistently with everything that the seat has seen (`knowledge.py`).

A heap is a set of cards that were shuffled together. First the cards of each heap are shuffled among the places where
they lie now, in all zones. Then the cards of each stack (another seat's hand, or the own deck) are shuffled, together
with the cards that were laid down unseen from it. The back of a card shows its deck, so a card changes places only with
cards of the same deck. What other seats know about a place stays with the place. Places are encoded as in
`sim.engine.determinize`.
"""

from __future__ import annotations

from sim.compiler.kernel import Record, kernel
from sim.engine.determinize import card_at, heap_at, lay_at, place_number, put_heaps_together, renew_chance
from sim.engine.rng import SEARCH, below
from sim.games.imperial_settlers.rules import constants
from sim.games.imperial_settlers.rules.tables import MAX_CARDS

HIDDEN_ZONES = (
    constants.HAND,
    constants.DECK,
    constants.TUCKED,
    constants.FOUNDATIONS,
    constants.PACK,
    constants.LOOKED,
    constants.MARKERS,
)
"""Zones in which a card may lie unseen."""


@kernel
def redeal(g: Record, t: Record, me: int) -> None:
    """Redeal all that seat `me` cannot know, including future draws, with random numbers of the search stream."""
    renew_chance(g)
    deal_stacks(g, t, me, False)
    deal_heaps(g, t, me, constants.COMMON)
    for seat in range(g.players):
        deal_heaps(g, t, me, int(g.faction[seat]))
    if g.solo != 0:
        deal_heaps(g, t, me, constants.SOLO)
    deal_stacks(g, t, me, True)


# ---- Places ----


@kernel
def exchange(g: Record, me: int, at: int, other: int) -> None:
    """Exchange the cards at two entries of `g.unseen`. Facts about the places stay with the places.

    What seat `me` itself knows about a card moves with the card.
    """
    if at == other:
        return
    card, instead = card_at(g, int(g.unseen[at])), card_at(g, int(g.unseen[other]))
    lay_at(g, int(g.unseen[at]), instead)
    lay_at(g, int(g.unseen[other]), card)
    mine = 1 << me
    knows, knows_deck, laid, host = g.knows[card], g.knows_deck[card], g.laid[card], g.host[card]
    own, own_instead = knows_deck & mine, g.knows_deck[instead] & mine
    g.knows[card], g.laid[card], g.host[card] = g.knows[instead], g.laid[instead], g.host[instead]
    g.knows_deck[card] = (g.knows_deck[instead] & ~mine) | own
    g.knows[instead], g.laid[instead], g.host[instead] = knows, laid, host
    g.knows_deck[instead] = (knows_deck & ~mine) | own_instead


@kernel
def add_unseen(g: Record, t: Record, me: int, count: int, owner: int, zone: int, back: int, in_stack: bool) -> int:
    """Add to `g.unseen` the places of a zone whose cards seat `me` does not know; return the new number of places.

    `count` is the number of places before. Only cards of the deck `back` are considered. If seat `me` knows that a card
    is in a certain stack (a hand or a deck) or was laid down from there (`g.knows_deck`), its place is added only if
    `in_stack` is set.
    """
    for entry in range(g.zone_size[owner, zone]):
        card = g.zone[owner, zone, entry]
        unseen = (g.knows[card] >> me) & 1 == 0 and (in_stack or (g.knows_deck[card] >> me) & 1 == 0)
        if unseen and t.deck[card] == back:
            g.unseen[count] = place_number(g, owner, zone, entry)
            count += 1
    return count


# ---- Heaps ----


@kernel
def deal_heaps(g: Record, t: Record, me: int, back: int) -> None:
    """Shuffle the unseen cards of a deck among the places where they lie, each heap by itself."""
    count = 0
    for owner in range(constants.MAX_SEATS + 1):
        for zone in HIDDEN_ZONES:
            count = add_unseen(g, t, me, count, owner, zone, back, False)
    put_heaps_together(g, count)
    first = 0
    for at in range(1, count + 1):
        if at == count or heap_at(g, at) != heap_at(g, first):
            sort_places(g, me, first, at)
            shuffle_places(g, me, first, at)
            first = at


@kernel
def sort_places(g: Record, me: int, first: int, end: int) -> None:
    """Sort the cards at entries `first` to `end` - 1 of `g.unseen` by `order_of`."""
    for at in range(first, end - 1):
        first_at = at
        least = order_of(g, me, at)
        for other in range(at + 1, end):
            order = order_of(g, me, other)
            if order < least:
                first_at, least = other, order
        exchange(g, me, at, first_at)


@kernel
def order_of(g: Record, me: int, at: int) -> int:
    """Return the sort key of the card at entry `at` of `g.unseen`: by heap, then by card.

    Cards that seat `me` knows to be in a certain stack come last.
    """
    card = card_at(g, int(g.unseen[at]))
    if (g.knows_deck[card] >> me) & 1 != 0:
        return (int(g.clock) + 1) * MAX_CARDS + card
    return int(g.heap[card]) * MAX_CARDS + card


@kernel
def shuffle_places(g: Record, me: int, first: int, end: int) -> None:
    """Shuffle the cards at entries `first` to `end` - 1 of `g.unseen` (Fisher and Yates)."""
    for last in range(end - 1, first, -1):
        exchange(g, me, last, first + below(g, SEARCH, last - first + 1))


# ---- Stacks: a hand or a deck, with the cards that were laid face down from it ----


@kernel
def deal_stacks(g: Record, t: Record, me: int, by_lot: bool) -> None:
    """Redeal the unseen cards of every stack: the hands of the other seats, and the deck of seat `me`.

    If `by_lot` is set, the cards are dealt at random, otherwise in the order of `order_of`.
    """
    for seat in range(g.players):
        faction = int(g.faction[seat])
        if seat == me:
            count = add_laid(g, t, me, 0, seat, constants.MARKERS, faction)
            deal_stack(g, me, count, add_unseen(g, t, me, count, seat, constants.DECK, faction, True), by_lot)
            continue
        for back in (constants.COMMON, faction):
            count = add_laid(g, t, me, 0, seat, constants.TUCKED, back)
            count = add_laid(g, t, me, count, seat, constants.FOUNDATIONS, back)
            deal_stack(g, me, count, add_unseen(g, t, me, count, seat, constants.HAND, back, True), by_lot)


@kernel
def add_laid(g: Record, t: Record, me: int, first: int, seat: int, zone: int, back: int) -> int:
    """Add to `g.unseen` the places in a zone where a seat laid down cards unseen; return the new number of places.

    The earliest come first. Only cards of the deck `back` are considered. `first` is the number of places before.
    """
    count = add_unseen(g, t, me, first, seat, zone, back, True)
    for at in range(first, count):
        place = g.unseen[at]
        before = at
        while before > 0 and g.laid[card_at(g, int(g.unseen[before - 1]))] > g.laid[card_at(g, int(place))]:
            g.unseen[before] = g.unseen[before - 1]
            before -= 1
        g.unseen[before] = place
    return count


@kernel
def deal_stack(g: Record, me: int, laid: int, count: int, by_lot: bool) -> None:
    """Redeal the stack at the first `count` entries of `g.unseen`.

    The first `laid` entries are places where cards were laid down unseen. They are dealt before all others. A
    place can take only cards that were in the stack when a card was laid down there. Cards that fit one place also fit
    all later ones, so every choice leaves cards for the other places.
    """
    for at in range(laid):
        moment = int(g.laid[card_at(g, int(g.unseen[at]))])
        possible = 0
        for other in range(at, count):
            possible += int(was_in_stack(g, me, other, moment))
        if by_lot and possible > 0:
            exchange(g, me, at, possible_place(g, me, at, moment, below(g, SEARCH, possible)))
        elif possible > 0:
            exchange(g, me, at, first_in_order(g, me, at, count, moment))
    if by_lot:
        shuffle_places(g, me, laid, count)
    else:
        sort_places(g, me, laid, count)


@kernel
def was_in_stack(g: Record, me: int, at: int, moment: int) -> bool:
    """Tell whether the card at entry `at` of `g.unseen` may have been in the stack at `moment` (value of `g.clock`)."""
    card = card_at(g, int(g.unseen[at]))
    since = g.came[card] if (g.knows_deck[card] >> me) & 1 != 0 else g.heap[card]
    return bool(since < moment)


@kernel
def possible_place(g: Record, me: int, first: int, moment: int, number: int) -> int:
    """Return entry number `number` (from 0) among the entries of `g.unseen` that fit, from entry `first` on.

    An entry fits if its card may have been in the stack at `moment`, when a card was laid down.
    """
    at = first
    while number > 0 or not was_in_stack(g, me, at, moment):
        number -= int(was_in_stack(g, me, at, moment))
        at += 1
    return at


@kernel
def first_in_order(g: Record, me: int, first: int, count: int, moment: int) -> int:
    """Return the entry of `g.unseen` with the least `order_of` among those from `first` to `count` - 1 that fit.

    An entry fits if its card may have been in the stack at `moment`, when a card was laid down.
    """
    least = first
    for other in range(first, count):
        if was_in_stack(g, me, other, moment) and order_of(g, me, other) < order_of(g, me, least):
            least = other
    return least
