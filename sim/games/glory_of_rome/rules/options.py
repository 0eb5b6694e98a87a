"""Options with an `option_place`: a province or a region."""

from __future__ import annotations

from sim.compiler.kernel import Record, kernel
from sim.engine.options import offer
from sim.engine.state import NO_ERROR


@kernel
def offer_at(g: Record, kind: int, card: int, value: int, seat: int, place: int) -> None:
    """Add an option with an `option_place`."""
    offer(g, kind, card, value, seat)
    if g.error == NO_ERROR:
        g.option_place[g.option_count - 1] = place
