"""Frames: effects that wait for each other, on a stack in the record, so that nothing recurses.

A record that has them holds `depth`, how many wait, and `frame`, of shape (frames, fields); the top frame is resolved
first. A frame is a place in the code of effects with who acts and for which card, or a step of the engine between them.
"""

from __future__ import annotations

from sim.compiler.kernel import Record, kernel
from sim.engine.state import STACK_FULL

FRAME_AT, FRAME_SEAT, FRAME_CARD, FRAME_ROOT, FRAME_LEFT, FRAME_VALUE = range(6)
"""Fields of a frame: where it goes on in the code (below 0: a step of the engine), who acts, the card it comes from,
the frame its effect began with, repeats left (-1: none begun), and a number that a step needs."""
OWN_FRAME_FIELDS = 6
"""What the effects of a game remember, in the frame they began with, stands from this field on."""


@kernel
def push(g: Record, at: int, seat: int, card: int, root: int) -> int:
    """Lay a frame on the stack that runs the code from `at`; without a root (-1) it begins an effect of its own.

    Returns
    -------
    Index of the frame; the lowest one, with `g.error` set, if the stack is full.
    """
    if g.depth >= g.frame.shape[0]:
        g.error = STACK_FULL
        return 0
    frame = g.depth
    g.depth += 1
    row = g.frame[frame]
    row[FRAME_AT] = at
    row[FRAME_SEAT] = seat
    row[FRAME_CARD] = card
    row[FRAME_ROOT] = frame if root < 0 else root
    row[FRAME_LEFT] = -1
    row[FRAME_VALUE] = 0
    if root < 0:
        for field in range(OWN_FRAME_FIELDS, g.frame.shape[1]):
            row[field] = 0
    return int(frame)


@kernel
def push_step(g: Record, step: int, seat: int, card: int, value: int, left: int) -> None:
    """Lay a step of the engine on the stack."""
    frame = push(g, step, seat, card, -1)
    g.frame[frame, FRAME_VALUE] = value
    g.frame[frame, FRAME_LEFT] = left
