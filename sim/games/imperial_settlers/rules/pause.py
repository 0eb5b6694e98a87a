"""A strategy that decides nothing: the game stops at the first decision, which then stands in the record.

So a game is looked at from outside, decision by decision (`move_making.py`): options stay as they are listed
(`sim.engine.options`), and whose decision it is, and for what, is kept before the rest of the step runs on.
"""

from __future__ import annotations

from sim.compiler.kernel import Record
from sim.engine.state import NO_ERROR, PAUSED


def pause(g: Record, t: Record, me: int, decision: int, option: int, w: Record) -> float:
    """Stop the game at its first decision; a record so stopped is given up once it has been looked at."""
    if g.paused == 0 and g.error == NO_ERROR:
        g.error = PAUSED
        g.paused = 1
        g.paused_seat = me
        g.paused_decision = decision
        g.paused_asked = g.asked
        g.paused_card = g.asked_card
        g.paused_good = g.asked_good
    return 0.0
