"""A stack of pending effects in the record, so that nested effects need no recursion.

A record with a stack has `depth`, the number of frames, and `frame`, of shape (frames, fields). The top frame is
resolved first. A frame holds a position in the code of an effect, or a step that the engine takes between effects. The
acting seat and the card are in the frame, too.
"""

from __future__ import annotations

from sim.compiler.kernel import Record, kernel
from sim.engine.state import STACK_FULL

FRAME_AT, FRAME_SEAT, FRAME_CARD, FRAME_ROOT, FRAME_LEFT, FRAME_VALUE = range(6)
"""Fields of a frame: next position in the code (below 0: a step of the engine), acting seat, card that the effect comes
from, first frame of the effect, repeats left (-1: none begun), and a number that a step needs."""
OWN_FRAME_FIELDS = 6
"""Index of the first field of a frame that is free for the game. An effect stores values there, in its first frame."""


@kernel
def push(g: Record, at: int, seat: int, card: int, root: int) -> int:
    """Push a frame that runs the code from position `at`.

    `root` is the index of the first frame of the same effect, or -1 if the new frame begins an effect.

    Returns
    -------
    int
        Index of the frame. If the stack is full, 0 with `g.error` set.
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
    """Push a frame for a step of the engine, whose number `step` is below 0.

    `value` and `left` are stored in the fields `FRAME_VALUE` and `FRAME_LEFT`.
    """
    frame = push(g, step, seat, card, -1)
    g.frame[frame, FRAME_VALUE] = value
    g.frame[frame, FRAME_LEFT] = left
