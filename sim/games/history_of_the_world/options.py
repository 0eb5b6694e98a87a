"""Options that are lands."""

from __future__ import annotations

from sim.games.history_of_the_world.words import NO_CARD
from sim.jit import Record, kernel
from sim.kit.options import offer
from sim.record import NO_ERROR


@kernel
def offer_land(g: Record, kind: int, land: int, value: int, seat: int) -> None:
    """Add a land to the options."""
    offer(g, kind, NO_CARD, value, seat)
    if g.error == NO_ERROR:
        g.option_land[g.option_count - 1] = land
