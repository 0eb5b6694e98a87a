"""How a school scores the options of every decision, for its own city and for the Free City."""

from __future__ import annotations

import math

from sim.games.seven_wonders.state import left_of, right_of
from sim.games.seven_wonders.words import DISCARD, FROM_DISCARD, NO_CARD, PAYMENT, PLAY, SHIELDS, STAGE
from sim.jit import Record, kernel
from strategies.seven_wonders.card_worth import card_worth, denial, denied_worth, stage_worth
from strategies.seven_wonders.outlook import coin_worth, lead, next_in_line, standing
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
        return score_payment(g, option, lean_to_left(g, t, w))
    card = g.option_card[option]
    coin = coin_worth(g, me, w)
    if decision == FROM_DISCARD:
        return 0.0 if card == NO_CARD else card_worth(g, t, me, card, coin, w)
    receiver = next_in_line(g, t, me)
    denied = denial(g, t, me, card, receiver, coin_worth(g, receiver, w), w)
    stage = stage_worth(g, t, me, coin, w) if g.option_action[option] == STAGE else 0.0
    return score_play(g, t, me, option, denied, coin, stage, w)


@kernel
def score_school_at_once(g: Record, t: Record, me: int, decision: int, w: Record) -> int:
    """Score all options of a decision as `score_school` does, and return how many there are."""
    if decision == PLAY and g.city == me:
        score_plays(g, t, me, w)
    elif decision == PAYMENT and g.city == me:
        score_payments(g, t, w)
    else:
        for option in range(g.option_count):
            g.option_score[option] = score_school(g, t, me, decision, option, w)
    return int(g.option_count)


@kernel
def score_plays(g: Record, t: Record, me: int, w: Record) -> None:
    """Score all cards and actions for the own city; the options of a card lie side by side."""
    coin = coin_worth(g, me, w)
    receiver = next_in_line(g, t, me)
    coin_of_receiver = coin_worth(g, receiver, w)
    stage = math.nan
    denied = 0.0
    last = NO_CARD
    for option in range(g.option_count):
        card = g.option_card[option]
        if card != last:
            denied = denial(g, t, me, card, receiver, coin_of_receiver, w)
            last = card
        if g.option_action[option] == STAGE and math.isnan(stage):
            stage = stage_worth(g, t, me, coin, w)
        g.option_score[option] = score_play(g, t, me, option, denied, coin, stage, w)


@kernel
def score_payments(g: Record, t: Record, w: Record) -> None:
    """Score all payments of the own city."""
    lean = lean_to_left(g, t, w)
    for option in range(g.option_count):
        g.option_score[option] = score_payment(g, option, lean)


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
    return worth + card_worth(g, t, me, g.option_card[option], coin, w)


@kernel
def lean_to_left(g: Record, t: Record, w: Record) -> float:
    """How much worse it is to feed the left neighbour than the right one, -1 to 1: by how far it is ahead."""
    lean = w.weight[P_FEED_LEADER] * (standing(g, t, left_of(g, g.city)) - standing(g, t, right_of(g, g.city)))
    return min(max(lean, -1.0), 1.0)


@kernel
def score_payment(g: Record, option: int, lean: float) -> float:
    """Score a payment of the own city: few coins, and rather to the neighbour who is behind."""
    left = g.option_left[option]
    right = g.option_right[option]
    return -(left + right) - TO_A_NEIGHBOUR * (left * (1.0 + lean) + right * (1.0 - lean))


@kernel
def score_free_city(g: Record, t: Record, me: int, option: int, w: Record) -> float:
    """Score a card for the Free City: keep the own best, deny the other player's, arm it only against him."""
    card = g.option_card[option]
    action = g.option_action[option]
    other = 1 - me
    denied = denied_worth(g, t, other, card, coin_worth(g, other, w), w)
    worth = denied - card_worth(g, t, me, card, coin_worth(g, me, w), w)
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
