"""Features of a city and its seat's hand, between two turns, as input of a learned judge (an evaluation net)."""

from __future__ import annotations

from typing import Any

import numpy as np

from sim.compiler.kernel import Record, kernel
from sim.engine.features import add_feature, blank_counts, count_feature, drop_zeros
from sim.games.seven_wonders.rules.building import has_chain, next_stage_item, owns_name
from sim.games.seven_wonders.rules.constants import START_TURN
from sim.games.seven_wonders.rules.scoring import TOTAL, science_of, science_points, score_city
from sim.games.seven_wonders.rules.state import MAX_CITY_CARDS, MAX_HAND, left_of, right_of
from sim.games.seven_wonders.rules.tables import MAX_CARDS, MAX_FACTIONS, MAX_NAMES, MAX_STAGES
from sim.games.seven_wonders.rules.trade import meets, shortfall

COUNTS = (
    "coins", "fewer coins than at the start", "shields", "points of conflicts", "defeats", "stages built",
    "stages to build",
    "points: military", "points: treasury", "points: wonder", "points: blue", "points: science", "points: yellow",
    "points: guild", "tablets", "gears", "compasses", "symbols of choice", "points of one more tablet",
    "points of one more gear", "points of one more compass", "brown cards", "grey cards", "blue cards",
    "green cards", "yellow cards", "red cards", "purple cards", "makes wood", "makes stone", "makes clay", "makes ore",
    "makes glass", "makes cloth", "makes papyrus", "sells wood", "sells stone", "sells clay", "sells ore",
    "sells glass", "sells cloth", "sells papyrus", "discount left, raw", "discount left, manufactured",
    "discount right, raw", "discount right, manufactured", "free buildings left", "free buildings of an age",
    "plays the last card", "copies a guild", "stronger than the left", "weaker than the left", "lead over the left",
    "stronger than the right", "weaker than the right", "lead over the right", "goods missing for the next stage",
    "cards payable with own goods",
)  # fmt: skip
"""Names of the features that are counts, in the order in which they are written."""
(
    COINS, POOR, SHIELDS, CONFLICTS, DEFEATS, STAGES_BUILT, STAGES_LEFT, POINTS, SYMBOLS, CHOICES, ONE_MORE,
    COLOUR_CARDS, MAKES, SELLS, DISCOUNT, FREE_LEFT, FREE_OF_AGE, PLAYS_LAST, COPIES, AGAINST, MISSING, PAYABLE,
) = (0, 1, 2, 3, 4, 5, 6, 7, 14, 17, 18, 21, 28, 35, 42, 46, 47, 48, 49, 50, 56, 57,)  # fmt: skip
"""Indices of the counts. If a name covers several counts, it has the index of the first."""
PHASES = 3
"""Number of parts of the game: a judge has a neural net for each of the three ages."""
TURNS = 8
STAGES = MAX_STAGES + 1
TURN_AT = len(COUNTS)
STAGE_AT = TURN_AT + TURNS
OWN_AT = STAGE_AT + MAX_FACTIONS * STAGES
HAND_AT = OWN_AT + MAX_NAMES
PAYABLE_AT = HAND_AT + MAX_CARDS
FEATURES = PAYABLE_AT + MAX_CARDS
"""Number of all features: the counts, the turn, the board with its stages built, cards owned (by name), cards in hand,
and cards in hand that the city can pay for with its own goods or by a chain."""
MAX_FEATURES = len(COUNTS) + 2 + MAX_CITY_CARDS + 2 * MAX_HAND + 1

MOST_COINS = 40
MOST_LEAD = 3
LANE = np.uint64(15)
LANE_OF = np.array([4, 8, 16, 32, 4, 8, 16], np.uint64)
"""Position of each good in the packed supply of its class (`tables.py`)."""


@kernel
def phase_of(g: Record, t: Record) -> int:
    """Return the index of the age, from 0."""
    return g.age - 1


@kernel
def may_stop(g: Record) -> int:
    """Tell whether a turn is about to begin. Hands have then been passed, conflicts resolved and new hands dealt."""
    return int(g.phase == START_TURN)


@kernel
def describe_seat(g: Record, t: Record, seat: int, index: Any, value: Any) -> int:
    """Write the non-zero features of a seat's city and hand to the arrays `index` and `value`. Return their number."""
    blank_counts(index, value, TURN_AT)
    count_city(g, t, seat, value)
    count_points(g, t, seat, value)
    count_supplies(g, t, seat, value)
    compare_shields(g, seat, value)
    count_payable(g, t, seat, value)
    count = drop_zeros(index, value, TURN_AT)
    count = add_feature(index, value, count, TURN_AT + min(g.turn, TURNS) - 1)
    count = add_feature(index, value, count, STAGE_AT + STAGES * g.faction[seat] + g.stages_built[seat])
    for place in range(g.city_size[seat]):
        count = add_feature(index, value, count, OWN_AT + t.card_name[g.city_cards[seat, place]])
    first = count
    for place in range(g.hand_size[seat]):
        card = g.hand[seat, place]
        count = count_feature(index, value, first, count, HAND_AT + card)
        if is_payable(g, t, seat, card):
            count = count_feature(index, value, first, count, PAYABLE_AT + card)
    return count


@kernel
def count_city(g: Record, t: Record, seat: int, value: Any) -> None:
    """Write the numbers of a city's coins, shields, tokens, stages, cards and powers to `value`."""
    value[COINS] = min(g.coins[seat], MOST_COINS)
    value[POOR] = int(g.coins[seat] < t.start_coins)
    value[SHIELDS] = g.shields[seat]
    value[CONFLICTS] = g.conflict_points[seat]
    value[DEFEATS] = g.defeats[seat]
    value[STAGES_BUILT] = g.stages_built[seat]
    value[STAGES_LEFT] = t.faction_stages[g.faction[seat]] - g.stages_built[seat]
    for colour in range(7):
        value[COLOUR_CARDS + colour] = g.colour_count[seat, colour]
    value[FREE_LEFT] = g.free_builds_left[seat]
    value[FREE_OF_AGE] = g.free_builds[seat]
    value[PLAYS_LAST] = g.plays_last_card[seat]
    value[COPIES] = int(g.copies_guild[seat] != 0)


@kernel
def count_points(g: Record, t: Record, seat: int, value: Any) -> None:
    """Write to `value` the points as if the game ended now, the symbols, and the gain from one more of each symbol."""
    score_city(g, t, seat)
    for part in range(TOTAL):
        value[POINTS + part] = g.score[seat, part]
    g.score[seat] = 0  # scores stay 0 until the end of the game
    now = science_of(g, t, seat, 0)
    symbols, choices = g.symbols[seat], g.symbol_choices[seat]
    value[CHOICES] = choices
    for symbol in range(3):
        value[SYMBOLS + symbol] = symbols[symbol]
        tablets, gears = symbols[0] + int(symbol == 0), symbols[1] + int(symbol == 1)
        value[ONE_MORE + symbol] = science_points(t, tablets, gears, symbols[2] + int(symbol == 2), choices) - now


@kernel
def count_supplies(g: Record, t: Record, seat: int, value: Any) -> None:
    """Write to `value` how many goods a city makes and sells, and how many coins its discounts save per good."""
    for good in range(7):
        own = g.own_raw[seat] if good < 4 else g.own_manufactured[seat]
        sold = g.sold_raw[seat] if good < 4 else g.sold_manufactured[seat]
        value[MAKES + good] = int((own >> LANE_OF[good]) & LANE)
        value[SELLS + good] = int((sold >> LANE_OF[good]) & LANE)
    for side in range(2):
        for goods in range(2):
            value[DISCOUNT + 2 * side + goods] = t.trade_price - g.price[seat, side, goods]


@kernel
def compare_shields(g: Record, seat: int, value: Any) -> None:
    """Write to `value`, for each neighbour, whether the city has more or fewer shields, and how many more."""
    for side in range(2):
        neighbour = left_of(g, seat) if side == 0 else right_of(g, seat)
        lead = g.shields[seat] - g.shields[neighbour]
        value[AGAINST + 3 * side] = int(lead > 0)
        value[AGAINST + 3 * side + 1] = int(lead < 0)
        value[AGAINST + 3 * side + 2] = min(max(lead, -MOST_LEAD), MOST_LEAD)


@kernel
def count_payable(g: Record, t: Record, seat: int, value: Any) -> None:
    """Write to `value` how many goods a city lacks for its next stage, and how many hand cards it can pay for alone."""
    stage = next_stage_item(g, t, seat)
    if stage >= 0:
        missing = shortfall(t.item_need_raw[stage], g.own_raw[seat])
        value[MISSING] = missing + shortfall(t.item_need_manufactured[stage], g.own_manufactured[seat])
    for place in range(g.hand_size[seat]):
        value[PAYABLE] += int(is_payable(g, t, seat, g.hand[seat, place]))


@kernel
def is_payable(g: Record, t: Record, seat: int, card: int) -> bool:
    """Tell whether a city can build a card by a chain or with its own goods and coins."""
    if owns_name(g, t, seat, card):
        return False
    if has_chain(g, t, seat, card):
        return True
    if t.item_coins[card] > g.coins[seat] or not meets(g.own_raw[seat], t.item_need_raw[card]):
        return False
    return bool(meets(g.own_manufactured[seat], t.item_need_manufactured[card]))
