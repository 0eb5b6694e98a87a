"""Offers lands as options."""

from __future__ import annotations

from sim.compiler.kernel import Record, kernel
from sim.engine.options import offer
from sim.engine.state import NO_ERROR, OPTIONS_FULL
from sim.games.history_of_the_world.rules.constants import CONQUER, NO_CARD


@kernel
def offer_land(g: Record, kind: int, land: int, value: int, seat: int) -> None:
    """Add a land to the options."""
    offer(g, kind, NO_CARD, value, seat)
    if g.error == NO_ERROR:
        g.option_land[g.option_count - 1] = land


@kernel
def offer_targets(g: Record, seat: int) -> None:
    """Offer to conquer each land that `find_reach` has listed. For speed, the free space is checked only once."""
    first, count = int(g.option_count), int(g.target_count)
    if g.error != NO_ERROR:
        return
    if first + count > g.option_land.shape[0]:
        g.error = OPTIONS_FULL
        return
    for place in range(count):
        land = int(g.target_land[place])
        g.option_kind[first + place] = CONQUER
        g.option_card[first + place] = NO_CARD
        g.option_value[first + place] = g.reach[land]
        g.option_seat[first + place] = seat
        g.option_land[first + place] = land
    g.option_count = first + count
