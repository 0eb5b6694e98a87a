"""Scores the options of every decision for a school (a player that appraises cards), also for the Free City."""

from __future__ import annotations

import math

from sim.compiler.kernel import Record, kernel
from sim.games.seven_wonders.rules.constants import BUILD, DISCARD, FROM_DISCARD, NO_CARD, PAYMENT, PLAY, SHIELDS, STAGE
from sim.games.seven_wonders.rules.state import left_of, right_of
from strategies.seven_wonders.appraisal import item_worth
from strategies.seven_wonders.card_worth import card_worth, denial, denied_worth, stage_worth, with_chains
from strategies.seven_wonders.outlook import coin_worth, lead, next_in_line, standing
from strategies.seven_wonders.weights import MOST_CHAINED, MOST_DENIED, P_FEED, P_FEED_LEADER, P_LESSONS

TO_A_NEIGHBOUR = 0.5
"""Harm of paying a coin to a neighbour, relative to the loss of the coin."""
ROUNDING = 1e-6
"""Upper bound of rounding errors from adding scores in another order; far above the actual errors."""


@kernel
def score_school(g: Record, t: Record, me: int, decision: int, option: int, w: Record) -> float:
    """Score an option for a school by the points that it is expected to bring, unlock and deny."""
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
        if card == NO_CARD:
            return 0.0
        return card_worth(g, t, me, card, coin, w) + lesson_of_play(g, t, me, card, BUILD, w)
    receiver = next_in_line(g, t, me)
    denied = denial(g, t, me, card, receiver, coin_worth(g, receiver, w), w)
    stage = stage_worth(g, t, me, coin, w) if g.option_action[option] == STAGE else 0.0
    gain = gain_and_chains(g, t, me, option, gain_of_play(g, t, me, option, coin, stage, w), coin, w)
    return score_play(g, option, denied, gain, coin, w)


@kernel
def score_school_at_once(g: Record, t: Record, me: int, decision: int, w: Record) -> int:
    """Score all options of a decision as `score_school` does, and return their number."""
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
    """Score all actions with all cards for the seat's city. The options of a card are adjacent.

    Unless the scores of all options matter, denials and chains are computed only for cards that could become the best.
    """
    coin = coin_worth(g, me, w)
    best = note_gains(g, t, me, coin, w)
    receiver = next_in_line(g, t, me)
    coin_of_receiver = coin_worth(g, receiver, w)
    margin = math.inf if w.temperature > 0.0 or w.search.rollouts > 0 else ROUNDING
    denied = 0.0
    last = NO_CARD
    for option in range(g.option_count):
        card = g.option_card[option]
        gain = g.option_score[option]
        score = score_play(g, option, 0.0, gain, coin, w)
        most_denied = w.prepared[MOST_DENIED + card] + margin
        if not score + w.prepared[MOST_CHAINED + card] + most_denied < best:
            gain = gain_and_chains(g, t, me, option, gain, coin, w)
            score = score_play(g, option, 0.0, gain, coin, w)
            if not score + most_denied < best:
                if card != last:
                    denied = denial(g, t, me, card, receiver, coin_of_receiver, w)
                    last = card
                score = score_play(g, option, denied, gain, coin, w)
                best = max(best, score)
        g.option_score[option] = score


@kernel
def note_gains(g: Record, t: Record, me: int, coin: float, w: Record) -> float:
    """Store the gain of each option in place of its score; return the best score without denials and chains."""
    best = -math.inf
    stage = math.nan
    for option in range(g.option_count):
        if g.option_action[option] == STAGE and math.isnan(stage):
            stage = stage_worth(g, t, me, coin, w)
        gain = gain_of_play(g, t, me, option, coin, stage, w)
        g.option_score[option] = gain
        best = max(best, score_play(g, option, 0.0, gain, coin, w))
    return best


@kernel
def score_payments(g: Record, t: Record, w: Record) -> None:
    """Score all payments of the seat's city."""
    lean = lean_to_left(g, t, w)
    for option in range(g.option_count):
        g.option_score[option] = score_payment(g, option, lean)


@kernel
def gain_of_play(g: Record, t: Record, me: int, option: int, coin: float, stage: float, w: Record) -> float:
    """Return the points that an action brings the city, without its price and chains.

    `stage` is the worth of the city's next stage.
    """
    action = g.option_action[option]
    card = g.option_card[option]
    if action == DISCARD:
        worth = t.discard_coins * coin
    elif action == STAGE:
        worth = stage
    else:
        worth = item_worth(g, t, me, card, t.card_colour[card], coin, w)
    return worth + lesson_of_play(g, t, me, card, action, w)


@kernel
def lesson_of_play(g: Record, t: Record, me: int, card: int, action: int, w: Record) -> float:
    """Return the lesson, a learned correction of the appraisal, of an action with a card."""
    if w.weight[P_LESSONS] == 0.0:
        return 0.0
    half = int(2 * g.turn > t.turns_per_age)
    faction = g.faction[me]
    if action == DISCARD:
        lesson = t.card_lesson[card, DISCARD, half]
    elif action == STAGE:
        lesson = t.card_lesson[card, STAGE, half] + t.stage_lesson[faction, g.stages_built[me], g.age - 1]
    else:
        lesson = t.card_lesson[card, BUILD, half] + t.colour_lesson[faction, t.card_colour[card], g.age - 1]
    return w.weight[P_LESSONS] * lesson


@kernel
def gain_and_chains(g: Record, t: Record, me: int, option: int, gain: float, coin: float, w: Record) -> float:
    """Return the gain of an option, plus the worth of the cards that can be built free after it."""
    if g.option_action[option] in (STAGE, DISCARD):
        return gain
    return with_chains(g, t, me, g.option_card[option], gain, coin, w)


@kernel
def score_play(g: Record, option: int, denied: float, gain: float, coin: float, w: Record) -> float:
    """Score an action with a card for the seat's city.

    `denied` is the worth of denying the card to others. `gain` is the worth of the action, without its price.
    """
    # Coins paid to neighbours also help the neighbours. Coins paid to the bank help nobody, but they are so few that
    # they are counted in the same way.
    return denied - g.option_price[option] * (coin + w.weight[P_FEED]) + gain


@kernel
def lean_to_left(g: Record, t: Record, w: Record) -> float:
    """Return how much worse it is to pay the left neighbour than the right one, from -1 to 1.

    Paying the neighbour with more points is worse.
    """
    lean = w.weight[P_FEED_LEADER] * (standing(g, t, left_of(g, g.city)) - standing(g, t, right_of(g, g.city)))
    return min(max(lean, -1.0), 1.0)


@kernel
def score_payment(g: Record, option: int, lean: float) -> float:
    """Score a payment of the seat's city: as few coins as possible, preferably to the neighbour that is behind."""
    left = g.option_left[option]
    right = g.option_right[option]
    return -(left + right) - TO_A_NEIGHBOUR * (left * (1.0 + lean) + right * (1.0 - lean))


@kernel
def score_free_city(g: Record, t: Record, me: int, option: int, w: Record) -> float:
    """Score a card for the Free City.

    The Free City gets a card that the opponent would like and the player does not need. It is armed only against the
    opponent.
    """
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
    """Return the points that `city` can expect to lose in this age's conflict if the acting city builds a card."""
    shields = 0
    for row in range(t.item_effect_count[card]):
        if t.item_effects[card, row, 0] == SHIELDS:
            shields += t.item_effects[card, row, 1]
    difference = float(g.shields[city] - g.shields[g.city])
    stake = 0.5 * (t.military_win_vp[g.age] - t.military_loss_vp)
    return stake * (lead(difference, 1.0) - lead(difference - shields, 1.0))


@kernel
def score_free_city_payment(g: Record, me: int, option: int) -> float:
    """Score a payment of the Free City, which should pay the player rather than the opponent."""
    to_left = g.option_left[option]
    to_right = g.option_right[option]
    return float(to_left - to_right) if left_of(g, g.city) == me else float(to_right - to_left)


@kernel
def score_free_city_discard(g: Record, t: Record, me: int, option: int) -> float:
    """Score a discarded card for the Free City, from which the acting player gains nothing but its shields."""
    card = g.option_card[option]
    if card == NO_CARD:
        return 0.0
    return arming_worth(g, t, 1 - me, card) - arming_worth(g, t, me, card)
