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
    CARD_FIELDS,
    COST_OF,
    DYNAMIC,
    OTHER_PRICE,
    P_HINT,
    PREPARED,
    PRODUCTION_OF,
    RAZE_OF,
    USE_COST_OF,
    USUAL_PRODUCTION,
    WISHES,
)

USUAL_WISH = 0.4
"""Value of a hint that changes nothing."""
USUAL_COUNT = 2
"""Locations of a colour that an empire has which builds what counts them."""


def prepare(w: Record, t: Record, players: int) -> Floats:
    """Work out the numbers that players find in `w.prepared`, laid out as in `weights.py`."""
    prepared = np.zeros(PREPARED)
    for card in range(min(int(t.cards), MAX_CARDS)):
        row = prepared[CARD_FIELDS * card : CARD_FIELDS * (card + 1)]
        row[PRODUCTION_OF] = goods_of(t, card, words.PRODUCES)
        if t.kind[card] == words.ACTION:
            row[ACTION_OF] = goods_of(t, card, words.ACTS)
        row[BONUS_OF] = goods_of(t, card, words.BONUS)
        row[USUAL_PRODUCTION] = usual_goods(t, card) if t.kind[card] == words.PRODUCTION else 0
        row[RAZE_OF] = bundle_of(t.raze[card])
        row[COST_OF] = bundle_of(t.cost[card])
        takes_more = t.pay_any[card] + t.pay_hand[card] + t.pay_deal[card] > 0
        row[USE_COST_OF] = bundle_of(t.pay[card]) + (OTHER_PRICE if takes_more else 0)
    prepared[WISHES:] = (1.0 + w.weight[P_HINT] * (t.hint - USUAL_WISH)).ravel()
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


def usual_goods(t: Record, card: int) -> int:
    """Goods of a production program, with a guess where they depend on the empire."""
    at = int(t.program[card, words.PRODUCES])
    goods = np.zeros(len(words.GOODS), int)
    while at != words.NO_PROGRAM and t.code[at, words.OPERATION] != words.OP_END:
        operation, first, number, _, most = (int(value) for value in t.code[at, : words.D + 1])
        if operation == words.GAIN:
            goods[first] += number
        elif operation == words.GAIN_PER_COLOUR:
            goods[first] += min(USUAL_COUNT * number, most)
        elif operation == words.DRAW_CARDS:
            goods[words.CARD] += number
        elif operation == words.LOOK:
            goods[words.CARD] += 1
        at = int(t.code[at, words.NEXT])
    return bundle_of(goods)
