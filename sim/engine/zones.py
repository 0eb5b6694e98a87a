"""Zones: ordered lists of the pieces at one place, such as a deck or a hand.

A record with zones has `zone`, of shape (owners, zones, entries), and `zone_size`, of shape (owners, zones). A piece is
a number; the top of a deck is the last entry of its zone.
"""

from __future__ import annotations

from sim.compiler.kernel import Record, kernel
from sim.engine.state import ZONE_FULL


@kernel
def put(g: Record, owner: int, zone: int, piece: int) -> None:
    """Put a piece on top of a zone, as its last entry; a full zone stops the game."""
    place = g.zone_size[owner, zone]
    if place >= g.zone.shape[2]:
        g.error = ZONE_FULL
        return
    g.zone[owner, zone, place] = piece
    g.zone_size[owner, zone] = place + 1


@kernel
def put_below(g: Record, owner: int, zone: int, piece: int) -> None:
    """Put a piece at the bottom of a zone, as its first entry; a full zone stops the game."""
    size = g.zone_size[owner, zone]
    if size >= g.zone.shape[2]:
        g.error = ZONE_FULL
        return
    for place in range(size, 0, -1):
        g.zone[owner, zone, place] = g.zone[owner, zone, place - 1]
    g.zone[owner, zone, 0] = piece
    g.zone_size[owner, zone] = size + 1


@kernel
def take_at(g: Record, owner: int, zone: int, place: int) -> int:
    """Remove the piece at an index of a zone and return it; the others keep their order."""
    piece = int(g.zone[owner, zone, place])
    last = g.zone_size[owner, zone] - 1
    for other in range(place, last):
        g.zone[owner, zone, other] = g.zone[owner, zone, other + 1]
    g.zone_size[owner, zone] = last
    return piece


@kernel
def take_top(g: Record, owner: int, zone: int) -> int:
    """Remove the top piece of a zone that is not empty, and return it."""
    last = g.zone_size[owner, zone] - 1
    g.zone_size[owner, zone] = last
    return int(g.zone[owner, zone, last])


@kernel
def place_in(g: Record, owner: int, zone: int, piece: int) -> int:
    """Return the index of a piece in a zone, -1 if it is not there."""
    for place in range(g.zone_size[owner, zone]):
        if g.zone[owner, zone, place] == piece:
            return place
    return -1


@kernel
def take_out(g: Record, owner: int, zone: int, piece: int) -> bool:
    """Remove a piece from a zone; tell whether it was there."""
    place = place_in(g, owner, zone, piece)
    if place < 0:
        return False
    take_at(g, owner, zone, place)
    return True
