"""Plays whatever it can, keeps clear of unrest, buys points and develops as soon as it may."""

from sim.engine.api import kernel
from sim.games.imperium.rules.constants import (
    AMOUNT,
    CLEAN_UP,
    DECK,
    DEVELOP,
    EXHAUST_CARD,
    HAND,
    INNOVATE,
    MARKET,
    NO_CARD,
    PAYMENT,
    PICK,
    PLAY_CARD,
    REVOLT,
    TUCKS_UNREST,
    TURN,
    UNREST,
    WHETHER,
)

NAME = "my_imperium_player"
WEIGHTS = {
    "unrest": 2.0,  # points that an unrest card costs, besides its own
    "revolt": 2.0,  # unrest in hand that is worth a turn
}
UNREST_COST, UNREST_TO_REVOLT = range(len(WEIGHTS))


@kernel
def unrest_in_hand(g, t, me):
    """How many unrest cards the seat holds."""
    count = 0
    for place in range(g.zone_size[me, HAND]):
        if t.suits[g.zone[me, HAND, place]] & UNREST != 0:
            count += 1
    return count


@kernel
def worth(t, card, w):
    """Points printed on a card, less what the unrest below it in the market costs."""
    points = float(t.points_at[card, DECK]) + 0.5 * float(t.points[card])
    return points - w.weight[UNREST_COST] if t.suits[card] & TUCKS_UNREST != 0 else points


def score(g, t, me, decision, option, w):
    """Score one option; the highest score is played."""
    card = g.option_card[option]
    kind = g.option_kind[option]
    if decision == TURN:
        if kind == REVOLT:
            return 10.0 if unrest_in_hand(g, t, me) >= w.weight[UNREST_TO_REVOLT] else -1.0
        if kind == PLAY_CARD:
            return 3.0 if t.suits[card] & UNREST == 0 else 1.0
        return 2.0 if kind == EXHAUST_CARD else -2.0 if kind == INNOVATE else 0.0
    if decision == MARKET:
        return 0.0 if card == NO_CARD else worth(t, card, w)
    if decision == DEVELOP:
        return -1.0 if card == NO_CARD else worth(t, card, w)
    if decision == PICK and g.asked == CLEAN_UP:
        return 1.0 if card == NO_CARD else 0.0  # it keeps its hand
    if decision == PAYMENT:
        return -float(g.option_value[option])  # progress is worth a point
    return float(g.option_value[option]) if decision in (AMOUNT, WHETHER) else 0.0
