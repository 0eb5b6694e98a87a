"""Shared by the tests of the fits of lessons."""

from collections.abc import Sequence

import numpy as np

from sim.compiler.kernel import WEIGHTS, Record
from sim.diagnostics.lessons.fit import Floats


def made_up_rows(decision: int, better: Sequence[float], other: Sequence[float]) -> Floats:
    """Rows of 400 decisions in which one option brings 3 hundredths of a win more than its score says."""
    random = np.random.default_rng(3)
    rows = []
    for number in range(400):
        for what, beyond in ((better, 3.0), (other, 0.0)):
            score = random.normal()
            rows.append((0, number, decision, *what, score, (score + beyond) / 100))
    return np.array(rows)


def player_of(place: int, weight: float) -> Record:
    """Return the weights of a player who counts lessons so much; the place is that of the weight in the game."""
    w: Record = np.zeros(1, WEIGHTS)[0]
    w.weight[place] = weight
    return w
