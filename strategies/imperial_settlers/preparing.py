"""What is worked out once for a run: what each card costs and gives, as bundles."""

from __future__ import annotations

import numpy as np

from sim.games.imperial_settlers import words
from sim.games.imperial_settlers.tables import MAX_CARDS
from sim.jit import Record
from sim.scripts import Floats
from strategies.imperial_settlers.bundles import of_good
from strategies.imperial_settlers.weights import (
    ACTION_OF,
    BONUS_OF,
    COST_OF,
    DYNAMIC,
    PREPARED,
    PRODUCTION_OF,
    RAZE_OF,
    USE_COST_OF,
)


def prepare(w: Record, t: Record, players: int) -> Floats:
    """Work out the numbers that players find in `w.prepared`, laid out as in `weights.py`."""
    prepared = np.zeros(PREPARED)
    for card in range(min(int(t.cards), MAX_CARDS)):
        prepared[PRODUCTION_OF + card] = goods_of(t, card, words.PRODUCES)
        prepared[BONUS_OF + card] = goods_of(t, card, words.BONUS)
        prepared[ACTION_OF + card] = goods_of(t, card, words.ACTS)
        prepared[RAZE_OF + card] = bundle_of(t.raze[card])
        prepared[COST_OF + card] = bundle_of(t.cost[card])
        prepared[USE_COST_OF + card] = bundle_of(t.pay[card])
    return prepared


def bundle_of(goods: Floats) -> int:
    """Pack a number of each good."""
    return sum(int(of_good(good, int(number))) for good, number in enumerate(goods))


def goods_of(t: Record, card: int, program: int) -> float:
    """Goods of a program that always gives the same, else DYNAMIC."""
    at = int(t.program[card, program])
    if at == words.NO_PROGRAM:
        return 0.0
    goods = np.zeros(len(words.GOODS), int)
    while t.code[at, words.OPERATION] != words.OP_END:
        operation, first, number = (int(value) for value in t.code[at, : words.B + 1])
        if operation == words.GAIN:
            goods[first] += number
        elif operation == words.DRAW_CARDS:
            goods[words.CARD] += number
        else:
            return DYNAMIC
        at = int(t.code[at, words.NEXT])
    return float(bundle_of(goods))
