"""Precomputes numbers once per run: the goods that each card costs and gains, as bundles."""

from __future__ import annotations

import numpy as np

from sim.compiler.kernel import Floats, Integers, Record
from sim.games.imperial_settlers.rules import constants
from sim.games.imperial_settlers.rules.tables import MAX_CARDS
from strategies.imperial_settlers.terms.bundles import CARDS_AT, of_good
from strategies.imperial_settlers.weights import (
    ACTION_OF,
    ALL_ADD,
    BONUS_OF,
    BY_COLOURS,
    BY_PRICES,
    CARD_FIELDS,
    COST_OF,
    DYNAMIC,
    FEATURE_GOODS,
    FEATURE_OF,
    OTHER_PRICE,
    P_COMMON,
    P_HINT,
    P_OWN,
    P_SOLO,
    PREPARED,
    PRODUCTION_OF,
    RAZE_OF,
    USE_COST_OF,
    USUAL_PRODUCTION,
    WISHES,
)

USUAL_WISH = 0.4
"""Value of a faction's hint that leaves the worth of a thing as it is."""
FEATURES_BY_PRICES = (constants.NO_TRIGGER, constants.ON_POINTS, constants.ON_EXCHANGE, constants.STORES)
"""Triggers of features whose worth depends only on the prices of goods and the rounds left."""
USUAL_COUNT = 2
"""Assumed number of an empire's locations of a colour, for cards that count them."""


def prepare(w: Record, t: Record, players: int) -> Floats:
    """Compute the numbers that players find in `w.prepared`; `weights.py` defines their layout."""
    prepared = np.zeros(PREPARED)
    for card in range(min(int(t.cards), MAX_CARDS)):
        row = prepared[CARD_FIELDS * card : CARD_FIELDS * (card + 1)]
        row[PRODUCTION_OF] = goods_of_price(t, card, constants.PRODUCES)
        if t.kind[card] == constants.ACTION:
            row[ACTION_OF] = goods_of_price(t, card, constants.ACTS)
        row[BONUS_OF] = goods_of_price(t, card, constants.BONUS)
        row[USUAL_PRODUCTION] = usual_goods(t, card) if t.kind[card] == constants.PRODUCTION else 0
        row[RAZE_OF] = bundle_of(t.raze[card])
        row[COST_OF] = bundle_of(t.cost[card])
        if t.kind[card] == constants.FEATURE:
            row[FEATURE_OF] = good_of_feature(t, card)
        takes_more = t.pay_any[card] + t.pay_hand[card] + t.pay_deal[card] > 0
        row[USE_COST_OF] = bundle_of(t.pay[card]) + (OTHER_PRICE if takes_more else what_worth_hangs_on(t, card, row))
    wishes = 1.0 + w.weight[P_HINT] * (t.hint - USUAL_WISH)
    others = np.delete(w.weight, (P_COMMON, P_OWN, P_SOLO))
    wishes[:, ALL_ADD] = (others >= 0.0).all() and (wishes >= 0.0).all()
    prepared[WISHES:] = wishes.ravel()
    return prepared


def bundle_of(goods: Floats) -> int:
    """Pack an amount of each good into a bundle."""
    return sum(int(of_good(good, int(number))) for good, number in enumerate(goods))


def goods_of_price(t: Record, card: int, program: int) -> float:
    """Return the goods that a program gains, as a bundle; DYNAMIC if it does anything but gain fixed numbers."""
    at = int(t.program[card, program])
    if at == constants.NO_PROGRAM:
        return 0.0
    goods = np.zeros(len(constants.GOODS), int)
    while t.code[at, constants.OPERATION] != constants.OP_END:
        operation, first, number = (int(value) for value in t.code[at, : constants.B + 1])
        if operation == constants.GAIN:
            goods[first] += number
        elif operation == constants.DRAW_CARDS:
            goods[constants.CARD] += number
        else:
            return DYNAMIC
        at = int(t.code[at, constants.NEXT])
    return float(bundle_of(goods))


def rows_of_program(t: Record, card: int, program: int) -> Integers:
    """Return the rows of a program and its branches, shape (rows, columns); none without a program."""
    first = end = int(t.program[card, program])
    while end != constants.NO_PROGRAM and t.code[end, constants.OPERATION] != constants.OP_END:
        end = int(t.code[end, constants.NEXT])
    return t.code[first:end]


def good_of_feature(t: Record, card: int) -> float:
    """Return the good that a feature gains and how many, packed as in FEATURE_OF; DYNAMIC for other features."""
    rows = rows_of_program(t, card, constants.FEATURES)
    if len(rows) != 1 or rows[0, constants.OPERATION] != constants.GAIN:
        return DYNAMIC
    return float(rows[0, constants.A] + FEATURE_GOODS * rows[0, constants.B])


def what_worth_hangs_on(t: Record, card: int, row: Floats) -> int:
    """Return when a card's cached worth becomes invalid.

    BY_PRICES: when the prices of goods change. BY_COLOURS: when these or the colours of the empire change. 0: at any
    decision, because the worth also depends on drawn cards or on other players. `row` holds the card's prepared
    numbers. The function must not be called for a card whose use costs anything besides goods.
    """
    if t.kind[card] == constants.FEATURE:
        return BY_PRICES if t.trigger[card] in FEATURES_BY_PRICES else 0
    if row[PRODUCTION_OF] != DYNAMIC:
        return BY_PRICES if int(row[PRODUCTION_OF]) >> CARDS_AT == 0 else 0
    rows = rows_of_program(t, card, constants.PRODUCES if t.kind[card] == constants.PRODUCTION else constants.ACTS)
    for operation, good in rows[:, : constants.A + 1]:
        if operation not in (constants.GAIN, constants.GAIN_PER_COLOUR) or good == constants.CARD:
            return 0
    return BY_COLOURS


def usual_goods(t: Record, card: int) -> int:
    """Return the goods of a production program, as a bundle.

    Goods that depend on the empire are estimated.
    """
    at = int(t.program[card, constants.PRODUCES])
    goods = np.zeros(len(constants.GOODS), int)
    while at != constants.NO_PROGRAM and t.code[at, constants.OPERATION] != constants.OP_END:
        operation, first, number, _, most = (int(value) for value in t.code[at, : constants.D + 1])
        if operation == constants.GAIN:
            goods[first] += number
        elif operation == constants.GAIN_PER_COLOUR:
            goods[first] += min(USUAL_COUNT * number, most)
        elif operation == constants.DRAW_CARDS:
            goods[constants.CARD] += number
        elif operation == constants.LOOK:
            goods[constants.CARD] += 1
        at = int(t.code[at, constants.NEXT])
    return bundle_of(goods)
