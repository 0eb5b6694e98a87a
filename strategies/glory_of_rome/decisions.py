"""Scores the options of every decision for the appraising players."""

from __future__ import annotations

from sim.compiler.kernel import Record, kernel
from sim.games.glory_of_rome.rules import constants
from sim.games.glory_of_rome.rules.conditions import population, province_before
from sim.games.glory_of_rome.rules.hands import room
from sim.games.glory_of_rome.rules.income import penalty
from strategies.glory_of_rome.card_worth import note_hand, play_worth, sale_worth, set_worth
from strategies.glory_of_rome.outlook import glory_worth, look_ahead
from strategies.glory_of_rome.terms.actions import action_worth, bonus_worth, note_actions, piece_worth
from strategies.glory_of_rome.terms.intrigues import score_activation
from strategies.glory_of_rome.terms.legion_worth import moving_worth, note_legions, placing_worth
from strategies.glory_of_rome.terms.tile_worth import gain_by_selling, plan_worth
from strategies.glory_of_rome.terms.treaties import score_treaty
from strategies.glory_of_rome.weights import (
    MISSION_WORTH,
    N_DENARIUS,
    N_FLOOR,
    N_LEFT,
    N_PLAY,
    P_FIRST_MILITARY,
    P_LATE,
    P_LESSONS,
    P_PATIENCE,
)

NEVER_SO = -50.0
BEFORE_ALL = 50.0


@kernel
def score_option(g: Record, t: Record, me: int, decision: int, option: int, w: Record) -> float:
    """Score an option by the points that it is expected to bring."""
    kind = int(g.option_kind[option])
    if kind == constants.PUT_UNDER:
        return -float(w.prepared[MISSION_WORTH + g.option_card[option]])
    look_ahead(g, t, me, w)
    if kind == constants.PLACE_FOLLOWER:
        place, with_bonus = int(g.option_card[option]), int(g.option_value[option])
        return score_place(g, t, me, place, with_bonus, w) + lesson_of_place(g, t, me, place, with_bonus, w)
    if kind == constants.PLACE_TILE:
        tile, level = int(g.option_card[option]), int(g.option_value[option])
        return plan_worth(g, t, me, tile, w) + lesson_of_tile(g, t, tile, level, w)
    if kind == constants.PLACE_LEGION:
        note_legions(g, t, me, w)
        return placing_worth(g, int(g.option_place[option]), w)
    if kind == constants.MOVE_LEGION:
        note_legions(g, t, me, w)
        return moving_worth(g, int(g.option_card[option]), int(g.option_place[option]))
    if kind == constants.PLACE_PIECE:
        return piece_worth(g, t, me, int(g.option_card[option]), w)
    if kind == constants.TAKE_TAX:
        return score_tax(g, t, me, int(g.option_value[option]), w)
    if kind == constants.ACTIVATE:
        return score_activation(g, t, me, option, w)
    if constants.PUT_TOKEN <= kind <= constants.FREE_ACTION:
        return score_treaty(g, t, me, decision, option, w)
    return score_card(g, t, me, decision, option, w)


@kernel
def lesson_of_place(g: Record, t: Record, me: int, place: int, with_bonus: int, w: Record) -> float:
    """Return the lesson (a learned correction) of placing a follower, by round and followers left."""
    if g.players == 1:
        return 0.0
    left = max(0, min(constants.FOLLOWERS_TOLD_APART, int(g.followers_left[me])) - 1)
    return float(w.weight[P_LESSONS] * t.follower_lesson[int(g.players > 2), place, with_bonus, g.rounds, left])


@kernel
def lesson_of_tile(g: Record, t: Record, tile: int, level: int, w: Record) -> float:
    """Return the lesson, a learned correction of the appraisal, of building a tile in this round."""
    if g.players == 1:
        return 0.0
    return float(w.weight[P_LESSONS] * t.tile_lesson[int(g.players > 2), tile, level - 1, g.rounds])


@kernel
def score_place(g: Record, t: Record, me: int, place: int, with_bonus: int, w: Record) -> float:
    """Score placing a follower on an action space.

    While further followers remain, a bonus on the score makes some actions come before others. In the last round,
    voting is left to the last followers.
    """
    worth = action_worth(g, t, me, place, w)
    if with_bonus != 0:
        worth += bonus_worth(g, t, me, place, w)
    if place == constants.POLITICAL and g.notes[N_LEFT] == 0.0:
        places = int(g.building[province_before(g, me), place] - g.placed[me, place])
        if places < g.followers_left[me]:
            worth -= w.weight[P_LATE]
    if g.followers_left[me] > 1:
        note_actions(g, t, me, w)
        if worth >= g.notes[N_FLOOR]:
            worth += w.weight[P_FIRST_MILITARY + place]
    return float(worth)


@kernel
def score_tax(g: Record, t: Record, me: int, doubled: int, w: Record) -> float:
    """Score taxing once (always 0) or twice."""
    if doubled == 0:
        return 0.0
    note_hand(g, t, me, w)
    denarii = population(g, province_before(g, me))
    worth = denarii * g.notes[N_DENARIUS] + glory_worth(g, me, -penalty(g, t, me), w)
    return float(worth + g.notes[N_PLAY + constants.DOUBLE_TAX])


@kernel
def score_card(g: Record, t: Record, me: int, decision: int, option: int, w: Record) -> float:
    """Score playing, selling or discarding a card, laying down a set, buying glory, or continuing (always 0)."""
    kind, card, value = int(g.option_kind[option]), int(g.option_card[option]), int(g.option_value[option])
    if kind == constants.PAY_FOR_GLORY:
        price = t.denarii_for_point_with_medal * g.notes[N_DENARIUS]
        return float(glory_worth(g, me, value, w) - value * price)
    if kind == constants.LAY_SET:
        worth = set_worth(g, t, me, card, value, w)
        return worth + BEFORE_ALL if worth > 0.0 else worth
    if kind == constants.PLAY:
        return play_worth(g, t, me, card, w)
    if kind == constants.SELL:
        return score_sale(g, t, me, decision, card, w)
    if kind == constants.DISCARD:
        return score_sale(g, t, me, decision, card, w) - float(t.card_price * g.notes[N_DENARIUS]) - 0.01
    return 0.0


@kernel
def score_sale(g: Record, t: Record, me: int, decision: int, card: int, w: Record) -> float:
    """Score selling a card.

    A card is sold for denarii at the end, to pay for a tile, or to make room in the hand. Otherwise it is kept.
    """
    worth = sale_worth(g, t, me, card, w)
    if decision == constants.ASK_BUILD:
        gain = gain_by_selling(g, t, me, w)
        return float(worth + gain if gain > 0.0 else worth - w.weight[P_PATIENCE])
    if decision == constants.ASK_FOLLOWER:
        return min(worth, 0.0) + NEVER_SO
    if decision == constants.ASK_TAX and g.notes[N_LEFT] == 0.0:
        return worth + BEFORE_ALL if worth > 0.0 else worth
    if decision in (constants.ASK_WINDOW, constants.ASK_RESPOND):
        return worth - 1.0 if room(g, t, me) > 0 else worth
    return worth + NEVER_SO
