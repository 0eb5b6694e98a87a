"""A strategy that stops the game at its first decision, so that the decision can be read from the record."""

from __future__ import annotations

from sim.compiler.kernel import Record
from sim.engine.state import NO_ERROR, PAUSED


def pause(g: Record, t: Record, me: int, decision: int, option: int, w: Record) -> float:
    """Stop the game at its first decision. The game cannot be continued from this record afterwards."""
    if g.paused == 0 and g.error == NO_ERROR:
        g.error = PAUSED
        g.paused = 1
        g.paused_decision = decision
    return 0.0
