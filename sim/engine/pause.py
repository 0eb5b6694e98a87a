"""A strategy that decides nothing: the game stops at the first decision, which then stands in the record."""

from __future__ import annotations

from sim.compiler.kernel import Record
from sim.engine.state import NO_ERROR, PAUSED


def pause(g: Record, t: Record, me: int, decision: int, option: int, w: Record) -> float:
    """Stop the game at its first decision; a record so stopped is given up once it has been looked at."""
    if g.paused == 0 and g.error == NO_ERROR:
        g.error = PAUSED
        g.paused = 1
        g.paused_decision = decision
    return 0.0
