"""Seat assignment: which strategy plays in which seat.

A block is one deal, played by the same players rotated through all seats, so that luck of the deal and of the seat
falls on all players alike. If all seats play the same strategy, or the line-up is not rotated, each game is a block.
"""

from __future__ import annotations

import numpy as np

from sim.compiler.kernel import STRATEGY_SLOTS, FieldRecord, Record, kernel
from sim.engine.rng import LINEUP, shuffle

ASSIGNMENTS = ("rotate", "random", "fixed")
ROTATE, RANDOM, FIXED = range(3)

MAX_FACTIONS = 64

PLAN = np.dtype(
    (
        FieldRecord,
        [
            ("seed", np.uint64),
            ("players", np.int64),
            ("variant", np.int64),  # index among the game's variants
            ("block_games", np.int64),
            ("lineup", np.int64, (STRATEGY_SLOTS,)),  # strategies that play; one listed twice gets twice as many seats
            ("lineup_size", np.int64),
            ("assign", np.int64),
            ("factions", np.int64, (MAX_FACTIONS,)),
            ("faction_count", np.int64),
            ("factions_fixed", np.int64),
            ("keeps_pieces", np.int64),
        ],
    )
)
"""dtype of a plan for kernels: all that they need to play any game of a run."""

LINEUP_FIELDS = [("seating", np.int64, (2 * STRATEGY_SLOTS,))]
"""Field in which `seat_players` lists the strategies in the order in which they are seated."""


def games_per_block(assign: str, players: int, strategies: int) -> int:
    """Return the number of games that share one deal (a block).

    It is the number of players if `assign` is "rotate" and there are several strategies; otherwise it is 1.
    """
    return players if assign == "rotate" and strategies > 1 else 1


@kernel
def seat_after(g: Record, seat: int) -> int:
    """Return the next seat clockwise."""
    return seat + 1 if seat + 1 < g.players else 0


@kernel
def seat_players(g: Record, plan: Record, rotation: int) -> None:
    """Seat the players of a game. Each entry of the line-up gets equally many seats, as far as possible.

    The order is drawn from the line-up stream, so the games of a block share the order. In game `rotation` of the block
    the order is shifted by `rotation` seats. In a fixed line-up, entry i sits in seat i.
    """
    seats = plan.players
    if plan.assign == FIXED:
        for seat in range(seats):
            g.strategy[seat] = plan.lineup[seat % plan.lineup_size]
        return
    order = g.seating
    seated = 0
    while seated < seats:
        for number in range(plan.lineup_size):
            order[seated + number] = plan.lineup[number]
        shuffle(g, LINEUP, order[seated:], plan.lineup_size)
        seated += plan.lineup_size
    shuffle(g, LINEUP, order, seats)
    for seat in range(seats):
        g.strategy[seat] = order[(seat + rotation) % seats]
