"""The time left, and the coins and goods that a city has, sells and will need until the end."""

from __future__ import annotations

import numpy as np

from sim.compiler.kernel import Record, kernel
from sim.games.seven_wonders.rules.constants import PURPLE
from sim.games.seven_wonders.rules.scoring import copied_guild_points, symbol_points
from sim.games.seven_wonders.rules.state import left_of, right_of, turn_of_game
from strategies.seven_wonders.weights import (
    COIN_AT_END,
    COIN_SCARCE,
    NEED_LEVELS,
    NEEDS,
    P_COIN_SCALE,
    SHARE_LEFT,
    STAGES_IN_NEED,
    TURN_NUMBERS,
)

LANE = np.uint64(15)
LANE_OF = np.array([4, 8, 16, 32, 4, 8, 16], np.uint64)
"""Position of each good in the packed supply of its class (see `sim/games/seven_wonders/rules/tables.py`)."""


@kernel
def turns_left(g: Record, t: Record) -> float:
    """Return the number of turns after this one."""
    return 3.0 * t.turns_per_age - 1.0 - turn_of_game(g, t)


@kernel
def of_turn(g: Record) -> int:
    """Return the index at which the numbers prepared for this turn begin."""
    return TURN_NUMBERS * int(g.moment)


@kernel
def time_left(g: Record, w: Record) -> float:
    """Return the share of the game that is still to come, from nearly 1 in the first turn to 0 in the last."""
    return w.prepared[of_turn(g) + SHARE_LEFT]


@kernel
def coin_worth(g: Record, city: int, w: Record) -> float:
    """Return the worth in points of one more coin: what it scores at the end, and what it can buy.

    What the coin can buy counts more in a poorer city.
    """
    turn = of_turn(g)
    scarce = w.prepared[turn + COIN_SCARCE] / (w.weight[P_COIN_SCALE] + g.coins[city])
    return w.prepared[turn + COIN_AT_END] + scarce


@kernel
def lead(difference: float, doubt: float) -> float:
    """Return the chance of being ahead minus the chance of being behind.

    `difference` is the lead in shields, and `doubt` its uncertainty.
    """
    return difference / (doubt + abs(difference))


@kernel
def units_made(g: Record, city: int, resource: int) -> int:
    """Return how many units of a resource a city can produce. A choice counts fully for each resource."""
    if resource < 4:
        return int((g.own_raw[city] >> LANE_OF[resource]) & LANE)
    return int((g.own_manufactured[city] >> LANE_OF[resource]) & LANE)


@kernel
def units_sold(g: Record, city: int, resource: int) -> int:
    """Return how many units of a resource a city can sell."""
    if resource < 4:
        return int((g.sold_raw[city] >> LANE_OF[resource]) & LANE)
    return int((g.sold_manufactured[city] >> LANE_OF[resource]) & LANE)


@kernel
def wanted(g: Record, t: Record, city: int, resource: int, level: int, w: Record) -> float:
    """Return the expected number of future cards and stages that need more than `level` units of a resource."""
    if level >= NEED_LEVELS:
        return 0.0
    stages = t.stages_in_need[g.faction[city], g.stages_built[city], resource, level]
    return w.prepared[of_turn(g) + NEEDS + (NEED_LEVELS * resource + level) * STAGES_IN_NEED + stages]


@kernel
def standing(g: Record, t: Record, city: int) -> float:
    """Return a city's present points from open information: conflicts, coins, printed points and science symbols."""
    points = g.conflict_points[city] + g.coins[city] / t.coins_per_vp
    for kind in range(8):
        points += g.points[city, kind]
    symbols = g.symbols[city]
    return points + symbol_points(t, symbols[0], symbols[1], symbols[2])


@kernel
def next_in_line(g: Record, t: Record, seat: int) -> int:
    """Return the seat that gets this seat's hand next."""
    if t.pass_direction[g.age] < 0:
        return seat - 1 if seat > 0 else g.players - 1
    return seat + 1 if seat + 1 < g.players else 0


@kernel
def left_neighbour_will_see(g: Record, t: Record, me: int, receiver: int) -> bool:
    """Tell whether the left neighbour gets this hand before it is down to the last card."""
    if g.players == 2:
        return False
    passes = 1 if receiver == left_of(g, me) else g.players - 1
    return g.turn + passes <= t.turns_per_age


@kernel
def guild_in_reach(g: Record, t: Record, city: int) -> float:
    """Return the points of the neighbours' best guild as if this city copied it now; 0 if they have no guild."""
    best = 0
    for side in range(2):
        neighbour = left_of(g, city) if side == 0 else right_of(g, city)
        if g.colour_count[neighbour, PURPLE] == 0:
            continue
        for place in range(g.city_size[neighbour]):
            card = g.city_cards[neighbour, place]
            if t.card_colour[card] == PURPLE:
                best = max(best, copied_guild_points(g, t, city, card))
    return float(best)
