"""The worth of building a card, and of taking it out of the hand so that others do not get it."""

from __future__ import annotations

from sim.compiler.kernel import Record, kernel
from sim.games.seven_wonders.rules.building import build_price, next_stage_item
from sim.games.seven_wonders.rules.state import left_of
from sim.games.seven_wonders.rules.tables import MAX_CHAIN_TO, stage_item
from strategies.seven_wonders.appraisal import item_worth
from strategies.seven_wonders.outlook import coin_worth, left_neighbour_will_see, turns_left
from strategies.seven_wonders.weights import (
    P_CHAIN,
    P_DENY_LEFT,
    P_DENY_NEXT,
    P_DENY_OVER,
    P_STAGES_BEHIND,
    WONDER_TASTE,
)

CANNOT_PAY_NOW = 0.4
"""Share of a card's worth that a city loses if it is denied a card that it could not have paid for now."""


@kernel
def card_worth(g: Record, t: Record, city: int, card: int, coin: float, w: Record) -> float:
    """Return the worth in points of building a card, including its chains; `coin` is the worth of a coin."""
    worth = item_worth(g, t, city, card, t.card_colour[card], coin, w)
    return with_chains(g, t, city, card, worth, coin, w)


@kernel
def with_chains(g: Record, t: Record, city: int, card: int, worth: float, coin: float, w: Record) -> float:
    """Return `worth` (of a card's effects) plus a share of the worth of the cards that can then be built free."""
    if w.weight[P_CHAIN] > 0.0:
        for row in range(MAX_CHAIN_TO):
            child = t.chain_to[card, row]
            if child < 0:
                break
            still_comes = t.card_age[child] > g.age and t.card_copies[child, max(g.players, 3)] > 0
            if still_comes and g.owns[city, t.card_name[child]] == 0:
                worth += w.weight[P_CHAIN] * max(0.0, item_worth(g, t, city, child, t.card_colour[child], coin, w))
    return worth


@kernel
def stage_worth(g: Record, t: Record, city: int, coin: float, w: Record) -> float:
    """Return the worth in points of the next stage, plus a share of the worth of later stages if time is left."""
    worth = item_worth(g, t, city, next_stage_item(g, t, city), WONDER_TASTE, coin, w)
    if w.weight[P_STAGES_BEHIND] > 0.0:
        next_stage = g.stages_built[city] + 1
        last = min(t.faction_stages[g.faction[city]], next_stage + int(turns_left(g, t)))
        for stage in range(next_stage, last):
            behind = item_worth(g, t, city, stage_item(g.faction[city], stage), WONDER_TASTE, coin, w)
            worth += w.weight[P_STAGES_BEHIND] * max(0.0, behind)
    return worth


@kernel
def denied_worth(g: Record, t: Record, victim: int, card: int, coin: float, w: Record) -> float:
    """Return the points that a city loses if it never sees a card; fewer if it cannot pay for the card now.

    `coin` is the worth of a coin to the city.
    """
    if g.owns[victim, t.card_name[card]] != 0:
        return 0.0
    worth = item_worth(g, t, victim, card, t.card_colour[card], coin, w) - w.weight[P_DENY_OVER]
    if worth <= 0.0:
        return 0.0
    return worth if build_price(g, t, victim, card) >= 0 else CANNOT_PAY_NOW * worth


@kernel
def denial(g: Record, t: Record, me: int, card: int, receiver: int, coin: float, w: Record) -> float:
    """Return the worth in points of taking a card so that others do not get it.

    `receiver` is the seat that gets the hand next, and `coin` the worth of a coin to it.
    """
    if g.turn == t.turns_per_age:
        return 0.0
    worth = 0.0
    if w.weight[P_DENY_NEXT] > 0.0:
        worth += w.weight[P_DENY_NEXT] * denied_worth(g, t, receiver, card, coin, w)
    if w.weight[P_DENY_LEFT] > 0.0 and left_neighbour_will_see(g, t, me, receiver):
        left = left_of(g, me)
        worth += w.weight[P_DENY_LEFT] * denied_worth(g, t, left, card, coin_worth(g, left, w), w)
    return worth
