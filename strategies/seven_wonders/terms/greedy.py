"""Points as if the game ended now, and the greedy player, which takes the option that adds the most points."""

from __future__ import annotations

from sim.compiler.kernel import Record, kernel
from sim.games.seven_wonders.rules.building import next_stage_item
from sim.games.seven_wonders.rules.constants import (
    COPY_GUILD,
    DISCARD,
    NOTHING,
    PAYMENT,
    SCIENCE,
    SCIENCE_CHOICE,
    SHIELDS,
    STAGE,
    VP,
    VP_PER,
)
from sim.games.seven_wonders.rules.effects import coins_brought, count_things, counts_itself
from sim.games.seven_wonders.rules.scoring import science_points
from sim.games.seven_wonders.rules.state import left_of, right_of
from strategies.seven_wonders.decisions import score_free_city_payment
from strategies.seven_wonders.outlook import guild_in_reach


@kernel
def score_greedy(g: Record, t: Record, me: int, decision: int, option: int, w: Record) -> float:
    """Score an option by the points that it adds now. A coin counts as the points that it scores at the end."""
    price = g.option_price[option]
    if decision == PAYMENT:
        return -float(price) if g.city == me else score_free_city_payment(g, me, option)
    card = g.option_card[option]
    action = g.option_action[option]
    if action == NOTHING:
        return 0.0
    if action == DISCARD:
        return t.discard_coins / t.coins_per_vp
    city = g.city
    item = next_stage_item(g, t, city) if action == STAGE else card
    points = points_now(g, t, city, item) - price / t.coins_per_vp
    return points if city == me else -points


@kernel
def points_now(g: Record, t: Record, city: int, item: int) -> float:
    """Return the points that a card or stage would add if the game ended now, after this age's conflicts."""
    symbols = g.symbols[city]
    choices = g.symbol_choices[city]
    before = science_points(t, symbols[0], symbols[1], symbols[2], choices)
    points = coins_brought(g, t, city, item, False) / t.coins_per_vp
    for row in range(t.item_effect_count[item]):
        effect = t.item_effects[item, row]
        operation = effect[0]
        if operation == VP:
            points += effect[1]
        elif operation == VP_PER:
            points += effect[1] * count_things(g, city, effect[2], effect[3], effect[4])
            points += effect[1] * counts_itself(t, item, effect[2], effect[3], effect[4])
        elif operation == SHIELDS:
            points += conflict_points_now(g, t, city, effect[1]) - conflict_points_now(g, t, city, 0)
        elif operation == SCIENCE:
            more = int(effect[1])
            after = science_points(
                t, symbols[0] + int(more == 0), symbols[1] + int(more == 1), symbols[2] + int(more == 2), choices
            )
            points += after - before
        elif operation == SCIENCE_CHOICE:
            points += science_points(t, symbols[0], symbols[1], symbols[2], choices + 1) - before
        elif operation == COPY_GUILD:
            points += guild_in_reach(g, t, city)
    return points


@kernel
def conflict_points_now(g: Record, t: Record, city: int, more: int) -> int:
    """Return the points of this age's conflicts if they took place now and the city had `more` additional shields."""
    points = 0
    for side in range(2):
        neighbour = left_of(g, city) if side == 0 else right_of(g, city)
        if g.shields[city] + more > g.shields[neighbour]:
            points += t.military_win_vp[g.age]
        elif g.shields[city] + more < g.shields[neighbour]:
            points += t.military_loss_vp
    return points
