"""Precomputes numbers once per run: the worth of trade cards' effects, and of missions at the start of the game."""

from __future__ import annotations

import math

import numpy as np

from sim.compiler.kernel import Floats, Record
from sim.games.glory_of_rome.rules import constants
from strategies.glory_of_rome.weights import (
    CARD_GLORY,
    CARD_ROUND,
    MISSION_WORTH,
    P_ANCHOR,
    P_NEW_MISSION,
    P_RECRUIT,
    PREPARED,
)

USUAL = (
    (0.0, 14.0, 48.0, 5.0, 1.7, 0.4, 1.1, 6.2, 2.3, 4.8, 0.4, 7.5, 1.35),
    (0.0, 18.0, 46.0, 5.8, 0.6, 0.4, 1.0, 6.2, 2.3, 4.9, 0.4, 12.0, 0.9),
)
"""Typical final value of each count for a player: in two-player games (first row) and four-player games (second)."""
SPREAD = (1.0, 7.0, 8.0, 1.2, 0.8, 0.8, 0.9, 1.4, 1.0, 0.5, 0.8, 2.0, 0.7)
"""Typical deviation of each count from its typical final value."""
WANTED = (0.0, -0.1, 0.1, 0.05, 0.0, 0.05, 0.1, 0.5, 0.05, 0.1, -0.1, -0.15, 0.1)
"""For each count: chance that the owner of a mission for the most or least of it fulfils it, minus 1 / players."""
MEDAL_CHANCE = 0.35
"""Probability that a seat with a mission for a medal takes this medal."""


def prepare(w: Record, t: Record, players: int) -> Floats:
    """Compute the numbers that players find in `w.prepared`; `weights.py` defines their layout."""
    prepared = np.zeros(PREPARED)
    for card in range(int(t.cards)):
        if t.kind[card] == constants.TRADE:
            effect = t.effect[card]
            prepared[CARD_GLORY + card] = effect[constants.GLORY] + w.weight[P_RECRUIT] * (
                effect[constants.RECRUIT_LEGIONS] + effect[constants.RECRUIT_VOTES]
            )
            prepared[CARD_GLORY + card] += w.weight[P_NEW_MISSION] * effect[constants.MISSIONS]
            prepared[CARD_ROUND + card] = w.weight[P_ANCHOR] * effect[constants.REMOVE_ANCHOR]
        elif t.kind[card] == constants.MISSION:
            prepared[MISSION_WORTH + card] = mission_worth(t, card, players)
    return prepared


def mission_worth(t: Record, mission: int, players: int) -> float:
    """Return the points that a mission is expected to bring its owner."""
    points, count = int(t.points[mission]), int(t.count[mission])
    condition = t.condition[mission]
    if condition == constants.ALWAYS:
        return points
    if condition == constants.MEDAL:
        return points * MEDAL_CHANCE
    few, many = USUAL[0][count], USUAL[1][count]
    usual = few + (many - few) * min(1.0, max(0, players - 2) / 2.0)
    if condition == constants.PER:
        return points * usual
    if condition == constants.AT_LEAST:
        return points / (1.0 + math.exp((int(t.number[mission]) - 0.5 - usual) / SPREAD[count]))
    return points * (1.0 / players + WANTED[count])
