"""Determinization shared by games: before a seat searches a copy, redeals everything that the seat cannot know.

Cards are sorted before they are shuffled, so that the outcome does not depend on hidden information. In games with
zones (`sim.engine.zones`) a place is a single number: the flat index of an entry of `g.zone`. `g.unseen` lists the
places to redeal. A heap is a set of cards that were shuffled together; `g.heap[card]` is the number of a card's heap.
Redealt cards may only swap places with cards of the same heap.
"""

from __future__ import annotations

from sim.compiler.kernel import Integers, Record, kernel
from sim.engine.rng import CHANCE, SEARCH, SEATS, renew_stream


@kernel
def renew_chance(g: Record) -> None:
    """Replace the random streams of chance and of the seats, since a seat cannot know future draws.

    The new streams are drawn from the stream `SEARCH`.
    """
    renew_stream(g, CHANCE, SEARCH)
    for seat in range(g.players):
        renew_stream(g, SEATS + seat, SEARCH)


@kernel
def sort_numbers(numbers: Integers, count: int) -> None:
    """Sort the first `count` numbers of an array in place (insertion sort)."""
    for entry in range(1, count):
        number = numbers[entry]
        place = entry
        while place > 0 and numbers[place - 1] > number:
            numbers[place] = numbers[place - 1]
            place -= 1
        numbers[place] = number


# ---- Places of zones ----


@kernel
def place_number(g: Record, owner: int, zone: int, entry: int) -> int:
    """Return the flat index of an entry of a zone: the number of this place."""
    return (owner * g.zone.shape[1] + zone) * g.zone.shape[2] + entry


@kernel
def card_at(g: Record, place: int) -> int:
    """Return the card at a place."""
    zone = place // g.zone.shape[2]
    return int(g.zone[zone // g.zone.shape[1], zone % g.zone.shape[1], place % g.zone.shape[2]])


@kernel
def lay_at(g: Record, place: int, card: int) -> None:
    """Put a card at a place."""
    zone = place // g.zone.shape[2]
    g.zone[zone // g.zone.shape[1], zone % g.zone.shape[1], place % g.zone.shape[2]] = card


@kernel
def heap_at(g: Record, at: int) -> int:
    """Return the heap of the card at the place `g.unseen[at]`."""
    return int(g.heap[card_at(g, int(g.unseen[at]))])


@kernel
def put_heaps_together(g: Record, count: int) -> None:
    """Sort the first `count` places of `g.unseen` by the heaps of their cards; places of a heap keep their order."""
    for at in range(1, count):
        place = g.unseen[at]
        heap = heap_at(g, at)
        before = at
        while before > 0 and heap_at(g, before - 1) > heap:
            g.unseen[before] = g.unseen[before - 1]
            before -= 1
        g.unseen[before] = place
