"""Gathers goods early, goes on with the science it has begun, and from then on counts points."""

from sim.engine.api import kernel
from sim.games.seven_wonders.rules.building import next_stage_item
from sim.games.seven_wonders.rules.constants import (
    DISCARD,
    FROM_DISCARD,
    GREEN,
    NO_CARD,
    PAYMENT,
    PRODUCE,
    SCIENCE,
    STAGE,
)
from sim.games.seven_wonders.rules.state import turn_of_game
from strategies.seven_wonders.outlook import units_made
from strategies.seven_wonders.terms.greedy import points_now

NAME = "my_player"
WEIGHTS = {
    "goods": 5.0,  # points that a good not made yet is worth in the first turn
    "symbol": 2.5,  # points that each symbol in the city adds to the next one, in the first turn
    "coin": 0.35,  # points of a coin; at the end of the game a third
}
GOODS, SYMBOL, COIN = range(len(WEIGHTS))


@kernel
def new_goods(g, city, goods):
    """How many of the goods in a bitmask the city does not make yet."""
    count = 0
    for resource in range(7):
        if (goods >> resource) & 1 == 1 and units_made(g, city, resource) == 0:
            count += 1
    return count


@kernel
def worth(g, t, city, item, w):
    """Points that a card or stage adds now, and a guess at what it will still bring."""
    time_left = 1.0 - turn_of_game(g, t) / 18.0
    points = points_now(g, t, city, item)
    for row in range(t.item_effect_count[item]):
        effect = t.item_effects[item, row]
        if effect[0] == PRODUCE:
            points += w.weight[GOODS] * time_left * min(2, new_goods(g, city, effect[1]))
        elif effect[0] == SCIENCE:
            points += w.weight[SYMBOL] * time_left * (1 + g.colour_count[city, GREEN])
    return points


def score(g, t, me, decision, option, w):
    """Score one option; the highest score is played."""
    card = g.option_card[option]
    if decision == PAYMENT:
        return -float(g.option_price[option])
    if decision == FROM_DISCARD:
        return 0.0 if card == NO_CARD else worth(g, t, g.city, card, w)
    action = g.option_action[option]
    if action == DISCARD:
        points = t.discard_coins * w.weight[COIN]
    elif action == STAGE:
        points = worth(g, t, g.city, next_stage_item(g, t, g.city), w)
    else:
        points = worth(g, t, g.city, card, w)
    points -= g.option_price[option] * w.weight[COIN]
    return points if g.city == me else -points  # two players: the Free City is nobody's friend
