"""Checks the invariants of a game at its decisions; every game's `invariants.py` builds on this.

A game's `invariants.py` has

- `LAWS`: the invariants in words;
- `broken_law(g, t, me, decision, notes)`: a kernel that returns the index in `LAWS` of the first invariant that is
  broken at a decision, or -1. `notes`, a record of `NOTES`, keeps numbers from one decision to the next;
- `laws_of_results(t, rows)`: returns a dict that maps each invariant of finished games, in words, to a bool array
  (games,): true where the invariant holds. `rows` are the seat rows, of shape (games, players, columns).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from sim.compiler.kernel import FieldRecord, Record, kernel, score_at
from sim.engine.rng import CHANCE
from sim.engine.state import viewer_of

OWN_NOTES = 32
"""How many numbers a game's invariants may keep from one decision to the next."""

NOTES = np.dtype(
    (
        FieldRecord,
        [
            # The first broken invariant, numbered from 1, and where it was broken: game, decision, seat
            ("broken", np.int64),
            ("game", np.float64),
            ("decision", np.int64),
            ("seat", np.int64),
            ("asked", np.int64),  # decisions made
            ("checks", np.int64),  # decisions checked
            ("at_turns", np.int64),  # 1: check only when the deciding seat changes
            ("last_seat", np.int64),  # seat of the last decision
            # The game being checked: its number, counted from 1, the sum of the marks of its cards (`mark_of`), and
            # the numbers that its invariants keep
            ("of_game", np.float64),
            ("cards", np.float64),
            ("own", np.float64, (OWN_NOTES,)),
        ],
    )
)
"""dtype of the values that a check keeps from one decision to the next."""
notes_at: Any = viewer_of(NOTES)
"""Returns the notes at an address."""


@kernel
def mark_of(card: int) -> int:
    """Return a number for a card. Different sets of cards are unlikely to have equal sums of these numbers."""
    return (card + 1) * (card + 7) * 7919 % 1000003 + 1


@kernel
def begin_notes(g: Record, notes: Record) -> bool:
    """Tell whether a new game has begun; if so, clear the numbers kept for the previous game."""
    of_game = float(g.rng_game[CHANCE]) + 1.0
    if notes.of_game == of_game:
        return False
    notes.of_game = of_game
    notes.cards = 0.0
    for place in range(OWN_NOTES):
        notes.own[place] = 0.0
    return True


@kernel
def cards_are_others(marks: int, notes: Record) -> bool:
    """Tell whether `marks`, the sum of the marks of a game's cards, differs from the sum at its first decision."""
    if notes.cards == 0.0:
        notes.cards = marks
    return bool(notes.cards != marks)


LAWS = ()
"""The invariants of a game that declares none."""


@kernel
def broken_law(_g: Record, _t: Record, _me: int, _decision: int, _notes: Record) -> int:
    """Return -1: no invariant is broken. A game with invariants replaces this kernel."""
    return -1


def laws_of_results(_t: Record, _rows: np.ndarray) -> dict[str, np.ndarray]:
    """Return an empty result: the game has no invariants for finished games."""
    return {}


def score_watched(g: Record, t: Record, me: int, decision: int, option: int, w: Record) -> float:
    """Return the strategy's own score of an option.

    Before the first option of a decision, check the invariants, and record the first that is broken in the run.
    """
    if option == 0:
        notes = notes_at(w.scratch)
        is_new = begin_notes(g, notes)
        if notes.at_turns == 0 or is_new or notes.last_seat != me:
            notes.checks += 1
            law = broken_law(g, t, me, decision, notes)
            if law >= 0 and notes.broken == 0:
                notes.broken = law + 1
                notes.game = float(g.rng_game[CHANCE])
                notes.decision = g.decisions
                notes.seat = me
        notes.asked += 1
        notes.last_seat = me
    value: float = score_at(w.own_score, g, t, me, decision, option, w)
    return value
