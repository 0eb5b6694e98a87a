"""What is worked out once for a run: worth of the effects of trade cards, and of missions before the game."""

from __future__ import annotations

import math

import numpy as np

from sim.games.glory_of_rome import words
from sim.jit import Record
from sim.scripts import Floats
from strategies.glory_of_rome.weights import (
    CARD_GLORY,
    CARD_ROUND,
    MISSION_WORTH,
    P_ANCHOR,
    P_NEW_MISSION,
    P_RECRUIT,
    PREPARED,
)

USUAL = (0.0, 8.0, 38.0, 4.5, 2.3, 1.4, 1.2, 4.5, 2.0, 4.8, 1.5, 10.0, 1.0)
"""About what a player has at the end of each count."""
SPREAD = (1.0, 6.0, 8.0, 1.3, 1.0, 0.8, 0.9, 1.6, 1.0, 0.5, 1.0, 2.5, 0.8)
"""How much that differs."""
MEDAL_CHANCE = 0.45
"""Chance that who has a mission for it takes a medal."""
WANTED = 0.15
"""How much likelier who has a mission for it has the most of something."""


def prepare(w: Record, t: Record, players: int) -> Floats:
    """Work out the numbers that players find in `w.prepared`, laid out as in `weights.py`."""
    prepared = np.zeros(PREPARED)
    for card in range(int(t.cards)):
        if t.kind[card] == words.TRADE:
            effect = t.effect[card]
            prepared[CARD_GLORY + card] = effect[words.GLORY] + w.weight[P_RECRUIT] * (
                effect[words.RECRUIT_LEGIONS] + effect[words.RECRUIT_VOTES]
            )
            prepared[CARD_ROUND + card] = (
                w.weight[P_ANCHOR] * effect[words.REMOVE_ANCHOR] + w.weight[P_NEW_MISSION] * effect[words.MISSIONS]
            )
        elif t.kind[card] == words.MISSION:
            prepared[MISSION_WORTH + card] = mission_worth(t, card, players)
    return prepared


def mission_worth(t: Record, mission: int, players: int) -> float:
    """Points that a mission should bring who keeps it."""
    points, count = int(t.points[mission]), int(t.count[mission])
    condition = t.condition[mission]
    if condition == words.ALWAYS:
        return points
    if condition == words.MEDAL:
        return points * MEDAL_CHANCE
    if condition == words.PER:
        return points * USUAL[count]
    if condition == words.AT_LEAST:
        return points / (1.0 + math.exp((int(t.number[mission]) - 0.5 - USUAL[count]) / SPREAD[count]))
    return points * (1.0 / players + WANTED)
