"""What a learned judge reads of a city with the hand of its seat, between two turns."""

from __future__ import annotations

from typing import Any

import numpy as np

from sim.compiler.kernel import Record, kernel
from sim.games.seven_wonders.rules.building import has_chain, next_stage_item, owns_name
from sim.games.seven_wonders.rules.constants import START_TURN
from sim.games.seven_wonders.rules.scoring import TOTAL, science_of, science_points, score_city
from sim.games.seven_wonders.rules.state import MAX_CITY_CARDS, MAX_HAND, left_of, right_of
from sim.games.seven_wonders.rules.tables import MAX_CARDS, MAX_FACTIONS, MAX_NAMES, MAX_STAGES
from sim.games.seven_wonders.rules.trade import meets, shortfall

COUNTS = (
    "coins", "fewer than 3 coins", "shields", "points of conflicts", "defeats", "stages built", "stages to build",
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
"""Names of the features that are numbers, in the order in which they are written."""
PHASES = 3
"""Parts of the game with a net of their own: its ages."""
TURNS = 8
STAGES = MAX_STAGES + 1
TURN_AT = len(COUNTS)
STAGE_AT = TURN_AT + TURNS
OWN_AT = STAGE_AT + MAX_FACTIONS * STAGES
HAND_AT = OWN_AT + MAX_NAMES
PAYABLE_AT = HAND_AT + MAX_CARDS
FEATURES = PAYABLE_AT + MAX_CARDS
"""Number of all features: the counts; the turn; the board with the stages built; cards owned, by name; cards in hand;
and which of these can be paid with own goods or by a chain."""
MAX_FEATURES = len(COUNTS) + 2 + MAX_CITY_CARDS + 2 * MAX_HAND

MOST_COINS = 40
MOST_LEAD = 3
LANE = np.uint64(15)
LANE_OF = np.array([4, 8, 16, 32, 4, 8, 16], np.uint64)
"""Place of the lane of a single good in the packed supply of its class (`tables.py`)."""


@kernel
def phase_of(g: Record, t: Record) -> int:
    """Return the age, from 0."""
    return g.age - 1


@kernel
def may_stop(g: Record) -> int:
    """Tell whether a turn is about to begin: hands are passed, conflicts resolved, the next age dealt."""
    return int(g.phase == START_TURN)


@kernel
def describe_seat(g: Record, t: Record, seat: int, index: Any, value: Any) -> int:
    """Write the features of a seat's city and hand that are not zero; return how many."""
    count = write_city(g, t, seat, index, value)
    count = write_supplies(g, seat, index, value, count)
    count = write_neighbours(g, seat, index, value, count)
    count = write(index, value, count, TURN_AT + min(g.turn, TURNS) - 1, 1.0)
    count = write(index, value, count, STAGE_AT + STAGES * g.faction[seat] + g.stages_built[seat], 1.0)
    for place in range(g.city_size[seat]):
        count = write(index, value, count, OWN_AT + t.card_name[g.city_cards[seat, place]], 1.0)
    return write_hand(g, t, seat, index, value, count)


@kernel
def write(index: Any, value: Any, count: int, feature: int, amount: float) -> int:
    """Add a feature if it is not zero; return how many there are."""
    if amount == 0.0:
        return count
    index[count] = feature
    value[count] = amount
    return count + 1


@kernel
def write_city(g: Record, t: Record, seat: int, index: Any, value: Any) -> int:
    """Write what a city has, and its points as if the game ended now."""
    coins = g.coins[seat]
    count = write(index, value, 0, 0, min(coins, MOST_COINS))
    count = write(index, value, count, 1, int(coins < 3))
    count = write(index, value, count, 2, g.shields[seat])
    count = write(index, value, count, 3, g.conflict_points[seat])
    count = write(index, value, count, 4, g.defeats[seat])
    count = write(index, value, count, 5, g.stages_built[seat])
    count = write(index, value, count, 6, t.faction_stages[g.faction[seat]] - g.stages_built[seat])
    score_city(g, t, seat)
    for part in range(TOTAL):
        count = write(index, value, count, 7 + part, g.score[seat, part])
    g.score[seat] = 0  # as it is until the end of the game
    now = science_of(g, t, seat, 0)
    symbols = g.symbols[seat]
    for symbol in range(3):
        count = write(index, value, count, 14 + symbol, symbols[symbol])
    count = write(index, value, count, 17, g.symbol_choices[seat])
    for symbol in range(3):
        tablets, gears, compasses = (
            symbols[0] + int(symbol == 0),
            symbols[1] + int(symbol == 1),
            symbols[2] + int(symbol == 2),
        )
        more = science_points(t, tablets, gears, compasses, g.symbol_choices[seat])
        count = write(index, value, count, 18 + symbol, more - now)
    for colour in range(7):
        count = write(index, value, count, 21 + colour, g.colour_count[seat, colour])
    return count


@kernel
def write_supplies(g: Record, seat: int, index: Any, value: Any, count: int) -> int:
    """Write the goods that a city makes and sells, its discounts and the powers of its wonder."""
    for good in range(7):
        own = g.own_raw[seat] if good < 4 else g.own_manufactured[seat]
        count = write(index, value, count, 28 + good, int((own >> LANE_OF[good]) & LANE))
    for good in range(7):
        sold = g.sold_raw[seat] if good < 4 else g.sold_manufactured[seat]
        count = write(index, value, count, 35 + good, int((sold >> LANE_OF[good]) & LANE))
    for side in range(2):
        for goods in range(2):
            count = write(index, value, count, 42 + 2 * side + goods, 2 - g.price[seat, side, goods])
    count = write(index, value, count, 46, g.free_builds_left[seat])
    count = write(index, value, count, 47, g.free_builds[seat])
    count = write(index, value, count, 48, g.plays_last_card[seat])
    return write(index, value, count, 49, int(g.copies_guild[seat] != 0))


@kernel
def write_neighbours(g: Record, seat: int, index: Any, value: Any, count: int) -> int:
    """Write how a city stands against its neighbours in shields."""
    for side in range(2):
        neighbour = left_of(g, seat) if side == 0 else right_of(g, seat)
        lead = g.shields[seat] - g.shields[neighbour]
        count = write(index, value, count, 50 + 3 * side, int(lead > 0))
        count = write(index, value, count, 51 + 3 * side, int(lead < 0))
        count = write(index, value, count, 52 + 3 * side, min(max(lead, -MOST_LEAD), MOST_LEAD))
    return count


@kernel
def write_hand(g: Record, t: Record, seat: int, index: Any, value: Any, count: int) -> int:
    """Write the hand of a city's seat, and what of it and of the wonder can be paid with own goods."""
    stage = next_stage_item(g, t, seat)
    if stage >= 0:
        missing = shortfall(t.item_need_raw[stage], g.own_raw[seat])
        missing += shortfall(t.item_need_manufactured[stage], g.own_manufactured[seat])
        count = write(index, value, count, 56, missing)
    payable = 0
    for place in range(g.hand_size[seat]):
        card = g.hand[seat, place]
        count = write(index, value, count, HAND_AT + card, 1.0)
        if is_payable(g, t, seat, card):
            payable += 1
            count = write(index, value, count, PAYABLE_AT + card, 1.0)
    return write(index, value, count, 57, payable)


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
