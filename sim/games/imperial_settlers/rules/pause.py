"""A strategy that stops the game at its first decision, for stepping from outside (`sim.games.shared.stepping`).

The record keeps the options, the deciding seat, and the operation and card that caused the decision. The rest of the
step is still played, but only these fields are read.
"""

from __future__ import annotations

from sim.compiler.kernel import Record
from sim.engine.state import NO_ERROR, PAUSED


def pause(g: Record, t: Record, me: int, decision: int, option: int, w: Record) -> float:
    """Stop the game at its first decision. The stopped record is read, then discarded."""
    if g.paused == 0 and g.error == NO_ERROR:
        g.error = PAUSED
        g.paused = 1
        g.paused_seat = me
        g.paused_decision = decision
        g.paused_asked = g.asked
        g.paused_card = g.asked_card
        g.paused_good = g.asked_good
    return 0.0
