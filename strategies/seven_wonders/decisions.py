"""How a school scores the options of every decision, for its own city and for the Free City."""

from __future__ import annotations

import math

from sim.games.seven_wonders.state import left_of, right_of
from sim.games.seven_wonders.words import DISCARD, FROM_DISCARD, NO_CARD, PAYMENT, PLAY, SHIELDS, STAGE
from sim.jit import Record, kernel
from strategies.seven_wonders.card_worth import card_worth, denial, denied_worth, stage_worth
from strategies.seven_wonders.outlook import coin_worth, lead, standing
from strategies.seven_wonders.weights import P_FEED, P_FEED_LEADER

TO_A_NEIGHBOUR = 0.5
"""How bad it is that a neighbour gets a coin, against that it is gone."""


@kernel
def score_school(g: Record, t: Record, me: int, decision: int, option: int, w: Record) -> float:
    """Score an option as a school does: by the points it should bring, add, unlock and deny."""
    if g.city != me:
        if decision == PAYMENT:
            return score_free_city_payment(g, me, option)
        if decision == FROM_DISCARD:
            return score_free_city_discard(g, t, me, option)
        return score_free_city(g, t, me, option, w)
    if decision == PAYMENT:
        return score_payment(g, t, option, w)
    if decision == FROM_DISCARD:
        card = g.option_card[option]
        return 0.0 if card == NO_CARD else card_worth(g, t, me, card, w)
    stage = stage_worth(g, t, me, w) if g.option_action[option] == STAGE else 0.0
    return score_play(g, t, me, option, denial(g, t, me, g.option_card[option], w), coin_worth(g, me, w), stage, w)


@kernel
def score_school_at_once(g: Record, t: Record, me: int, decision: int, w: Record) -> int:
    """Score all options of a decision as `score_school` does, and return how many there are."""
    if decision == PLAY and g.city == me:
        score_plays(g, t, me, w)
    else:
        for option in range(g.option_count):
            g.option_score[option] = score_school(g, t, me, decision, option, w)
    return int(g.option_count)


@kernel
def score_plays(g: Record, t: Record, me: int, w: Record) -> None:
    """Score all cards and actions for the own city; the options of a card lie side by side."""
    coin = coin_worth(g, me, w)
    stage = math.nan
    denied = 0.0
    last = NO_CARD
    for option in range(g.option_count):
        card = g.option_card[option]
        if card != last:
            denied = denial(g, t, me, card, w)
            last = card
        if g.option_action[option] == STAGE and math.isnan(stage):
            stage = stage_worth(g, t, me, w)
        g.option_score[option] = score_play(g, t, me, option, denied, coin, stage, w)


@kernel
def score_play(
    g: Record, t: Record, me: int, option: int, denied: float, coin: float, stage: float, w: Record
) -> float:
    """Score a card and an action for the own city, given the denial of the card, a coin's worth and the stage's."""
    action = g.option_action[option]
    if action == DISCARD:
        return denied + t.discard_coins * coin
    # What goes to neighbours also feeds them; the bank's share is small enough to be counted alike.
    worth = denied - g.option_price[option] * (coin + w.weight[P_FEED])
    if action == STAGE:
        return worth + stage
    return worth + card_worth(g, t, me, g.option_card[option], w)


@kernel
def score_payment(g: Record, t: Record, option: int, w: Record) -> float:
    """Score a payment of the own city: few coins, and rather to the neighbour who is behind."""
    left = g.option_left[option]
    right = g.option_right[option]
    lean = w.weight[P_FEED_LEADER] * (standing(g, t, left_of(g, g.city)) - standing(g, t, right_of(g, g.city)))
    lean = min(max(lean, -1.0), 1.0)
    return -(left + right) - TO_A_NEIGHBOUR * (left * (1.0 + lean) + right * (1.0 - lean))


@kernel
def score_free_city(g: Record, t: Record, me: int, option: int, w: Record) -> float:
    """Score a card for the Free City: keep the own best, deny the other player's, arm it only against him."""
    card = g.option_card[option]
    action = g.option_action[option]
    other = 1 - me
    worth = denied_worth(g, t, other, card, w) - card_worth(g, t, me, card, w)
    if action in (STAGE, DISCARD):
        return worth
    return worth + arming_worth(g, t, other, card) - arming_worth(g, t, me, card)


@kernel
def arming_worth(g: Record, t: Record, city: int, card: int) -> float:
    """Points that a neighbour of the acting city should lose in this age's conflict if that builds a card."""
    shields = 0
    for row in range(t.item_effect_count[card]):
        if t.item_effects[card, row, 0] == SHIELDS:
            shields += t.item_effects[card, row, 1]
    difference = float(g.shields[city] - g.shields[g.city])
    stake = 0.5 * (t.military_win_vp[g.age] - t.military_loss_vp)
    return stake * (lead(difference, 1.0) - lead(difference - shields, 1.0))


@kernel
def score_free_city_payment(g: Record, me: int, option: int) -> float:
    """Score a payment of the Free City: to oneself, not to the other player."""
    to_left = g.option_left[option]
    to_right = g.option_right[option]
    return float(to_left - to_right) if left_of(g, g.city) == me else float(to_right - to_left)


@kernel
def score_free_city_discard(g: Record, t: Record, me: int, option: int) -> float:
    """Score what the Free City builds from the discards: nothing gained by it is mine, so only arms count."""
    card = g.option_card[option]
    if card == NO_CARD:
        return 0.0
    return arming_worth(g, t, 1 - me, card) - arming_worth(g, t, me, card)
