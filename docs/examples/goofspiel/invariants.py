"""What must hold of a table of Goofspiel at every decision (see `sim.engine.invariants`)."""

from __future__ import annotations

from typing import Any

import numpy as np

from sim.engine.api import RANK, ROUNDS, SCORE, kernel

LAWS = (
    "a seat holds as many cards as there are prizes still to be bid for",
    "every point is won, at stake or still to come, or was lost with a tied prize",
    "options are cards of the hand",
)


@kernel
def broken_law(g: Any, t: Any, me: int, _decision: int, _notes: Any) -> int:
    """Number of the first law the table breaks, -1 for none."""
    to_come = t.ranks - g.turned + 1
    for seat in range(g.players):
        held = 0
        for card in range(t.ranks):
            held += g.holds[seat, card]
        if held != to_come:
            return 0
    points = g.at_stake
    for seat in range(g.players):
        points += g.score[seat, 1]
    for place in range(g.turned, t.ranks):
        points += g.deck[place] + 1
    if points > t.ranks * (t.ranks + 1) // 2 or (t.tied_prizes_wait != 0 and points != t.ranks * (t.ranks + 1) // 2):
        return 1
    for option in range(g.option_count):
        if g.holds[me, g.option_card[option]] == 0:
            return 2
    return -1


def laws_of_results(t: Any, rows: np.ndarray) -> dict[str, np.ndarray]:
    """Laws of finished games in words, each with whether the games keep it."""
    scores = rows[:, :, SCORE]
    best = scores == scores.max(axis=1, keepdims=True)
    return {
        "every prize is bid for": (rows[:, :, ROUNDS] == t.ranks).all(axis=1),
        "no more points are won than there are": scores.sum(axis=1) <= t.ranks * (t.ranks + 1) // 2,
        "who has most points has won": ((rows[:, :, RANK] == 1) == best).all(axis=1),
    }
