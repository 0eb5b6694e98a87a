"""Lists the options of a decision, for games in which an option consists of a kind, a card, a number and a seat."""

from __future__ import annotations

from sim.compiler.kernel import Record, kernel
from sim.engine.state import NO_ERROR, OPTIONS_FULL


@kernel
def clear_options(g: Record) -> None:
    """Clear the options; if the game has stopped, keep them so that they can be read."""
    if g.error == NO_ERROR:
        g.option_count = 0


@kernel
def offer(g: Record, kind: int, card: int, value: int, seat: int) -> None:
    """Add an option unless the game has stopped; too many options stop the game."""
    if g.error != NO_ERROR:
        return
    option = g.option_count
    if option >= g.option_card.shape[0]:
        g.error = OPTIONS_FULL
        return
    g.option_kind[option] = kind
    g.option_card[option] = card
    g.option_value[option] = value
    g.option_seat[option] = seat
    g.option_count = option + 1
