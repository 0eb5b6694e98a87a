"""Zones: where the pieces of a game lie, as lists with an order.

A record that has zones holds `zone`, of shape (owners, zones, places), and `zone_size`, of shape (owners, zones). A
piece is a number; the top of a deck is the last entry of its zone.
"""

from __future__ import annotations

from sim.compiler.kernel import Record, kernel
from sim.engine.state import ZONE_FULL


@kernel
def put(g: Record, owner: int, zone: int, piece: int) -> None:
    """Lay a piece on a zone: it becomes the last entry, the top of a deck. In a full zone the game stops."""
    place = g.zone_size[owner, zone]
    if place >= g.zone.shape[2]:
        g.error = ZONE_FULL
        return
    g.zone[owner, zone, place] = piece
    g.zone_size[owner, zone] = place + 1


@kernel
def put_below(g: Record, owner: int, zone: int, piece: int) -> None:
    """Put a piece below a zone: it becomes the first entry, the bottom of a deck. In a full zone the game stops."""
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
    """Take the piece at a place out of a zone; the order of the others stays."""
    piece = int(g.zone[owner, zone, place])
    last = g.zone_size[owner, zone] - 1
    for other in range(place, last):
        g.zone[owner, zone, other] = g.zone[owner, zone, other + 1]
    g.zone_size[owner, zone] = last
    return piece


@kernel
def take_top(g: Record, owner: int, zone: int) -> int:
    """Take the top piece of a zone that is not empty."""
    last = g.zone_size[owner, zone] - 1
    g.zone_size[owner, zone] = last
    return int(g.zone[owner, zone, last])


@kernel
def place_in(g: Record, owner: int, zone: int, piece: int) -> int:
    """Place of a piece in a zone, -1 if it is not there."""
    for place in range(g.zone_size[owner, zone]):
        if g.zone[owner, zone, place] == piece:
            return place
    return -1


@kernel
def take_out(g: Record, owner: int, zone: int, piece: int) -> bool:
    """Take a piece out of a zone; tell whether it was there."""
    place = place_in(g, owner, zone, piece)
    if place < 0:
        return False
    take_at(g, owner, zone, place)
    return True
