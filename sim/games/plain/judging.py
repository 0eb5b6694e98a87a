"""Learned judges of games in plain Python: estimate every seat's chance to win from the features of a position.

The neural net is that of `sim.players.judge`, computed with NumPy.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from sim.games.plain.features import features_of

ITSELF, OTHER = 0, 1
"""Indices of the two sets of input weights: for features of the seat that is rated, and of any other seat."""


class PlainJudge:
    """Evaluates positions for one number of players, with one net for the whole game (`judge_files.Judge`)."""

    def __init__(self, judge: Any) -> None:
        self.place = {name: number for number, name in enumerate(judge.features)}
        self.rows = judge.rows[0].reshape(len(judge.features), -1).astype(np.float64)
        self.biases, self.ratings = judge.biases[0].astype(np.float64), judge.ratings[0].astype(np.float64)
        self.by_seat, self.lead_scale = frozenset(judge.record.by_seat), float(judge.record.lead_scale)

    def chances(self, playing: Any, state: Any, observer: int) -> list[float]:
        """Return every seat's chance to win, estimated from what the seat `observer` sees."""
        described = features_of(playing, state, observer, self.by_seat)
        inputs = np.zeros((len(described), len(self.rows)))
        for seat, own in enumerate(described):
            for name, amount in own.items():
                if (place := self.place.get(name)) is not None:
                    inputs[seat, place] = amount
        parts = (inputs @ self.rows).reshape(len(described), -1, len(self.biases))
        sums = self.biases + parts[:, ITSELF] + (parts[:, OTHER].sum(axis=0) - parts[:, OTHER])
        rating = np.maximum(sums[:, :-1], 0.0) @ self.ratings[:-1] + sums[:, -1]
        chances = np.exp(rating - rating.max())
        return [float(each) for each in chances / chances.sum()]
