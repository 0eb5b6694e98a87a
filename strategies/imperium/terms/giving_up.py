"""Losses and gains when cards leave the hand, the deck or play: for history or a garrison, or as discards.

The "deck's cycle" is the set of cards in the seat's hand, draw deck and discard pile.
"""

from __future__ import annotations

import math

from sim.compiler.kernel import Record, kernel
from sim.games.imperium.rules import constants
from sim.games.imperium.rules.counting import active_quest, can_leave, others_in_hand
from sim.games.imperium.rules.stack import may_do
from strategies.imperium.card_worth import (
    gain_by_thickness,
    note_hand_cards,
    points_to_come,
    share_of_time_playable,
    taste,
    worth_in_deck,
    worth_in_play,
    worth_of_hand_card,
    worth_of_owning,
)
from strategies.imperium.outlook import DRAWN_A_TURN, cards_that_cycle, harm_of_unrest, turns_in_play
from strategies.imperium.weights import (
    H_HISTORY,
    H_THIN,
    KIN,
    N_HAND,
    N_PLAYS,
    N_RELIEF,
    N_THIN_DISCARD,
    N_THIN_HAND,
    N_TURNS,
    N_WORST_HAND,
    ONCE,
    P_BURY,
    P_GRAAL,
    P_HINT,
    P_HISTORY,
    P_KIN,
    P_PAWN,
    P_SCARCE,
    P_THIN,
    PAWN,
    USE,
)

QUEST_DONE = 1.5
"""Worth of completing a quest, because the last quest comes closer."""
KIN_KEPT = 3
"""Number of cards that can pay for abilities and should stay in the deck's cycle."""
ACTIONS_A_TURN = 3
ENOUGH_CARDS = 9.0
"""Minimum number of cards in the deck's cycle that gives a seat a card for every action."""
SPARE_CARD = 0.3
"""Maximum loss from discarding a hand card for which no action is left."""


@kernel
def worth_of_retiring(g: Record, t: Record, me: int, card: int, zone: int, w: Record) -> float:
    """Return the worth of moving a card from the deck's cycle into `zone`: history, a garrison, or the sunken cards.

    A nation without a history gains nothing from history; it may even lose a card in play.
    """
    if t.faction_has_history[g.faction[me]] == 0 and zone == constants.HISTORY:
        return -least_in_play(g, t, me, w) if may_do(g, me, constants.ADDS_TO_DISCARD) else 0.0
    return worth_of_putting_away(g, t, me, card, zone, w)


@kernel
def worth_of_putting_away(g: Record, t: Record, me: int, card: int, zone: int, w: Record) -> float:
    """Return the worth of a card in `zone` instead of the deck's cycle, if it can get there.

    It calls nothing that calls it, because numba by itself fails to link large kernels that call each other.
    """
    kind = t.points_kind[card]
    points = 0.0
    if kind not in (constants.NO_POINTS, constants.VARIABLE_POINTS):
        points = float(t.points_at[card, zone] - t.points_at[card, constants.DISCARD_PILE])
    gone = worth_in_deck(g, t, me, card, w)
    points -= loss_of_reach(g, t, me, card, zone, w)
    if zone == constants.GARRISON:
        points += worth_of_pawn(g, t, me, card, w) - worth_where_scarce(g, t, me, card, w)
    return points - gone + (relief_by_retiring(g, t, me, zone, w) if t.suits[card] & constants.FAME == 0 else 0.0)


@kernel
def relief_by_retiring(g: Record, t: Record, me: int, zone: int, w: Record) -> float:
    """Return the worth of one card fewer in the deck's cycle. Cached per decision: for history, and for others."""
    note = N_RELIEF if zone == constants.HISTORY else N_RELIEF + 1
    if math.isnan(g.notes[note]):
        hint = t.faction_hint[g.faction[me], H_HISTORY if zone == constants.HISTORY else H_THIN]
        relief = 0.3 * w.weight[P_HISTORY] * (1.0 + w.weight[P_HINT] * hint) * g.notes[N_PLAYS]
        # If fewer cards than a full hand remained, there would be nothing to play.
        relief *= max(-2.0, min(1.0, (cards_that_cycle(g, me) - w.weight[P_THIN]) / 3.0))
        g.notes[note] = relief - gain_by_thickness(g, me)
    return float(g.notes[note])


@kernel
def worth_where_scarce(g: Record, t: Record, me: int, card: int, w: Record) -> float:
    """Return the extra worth of a playable card if the deck's cycle has hardly more cards than the seat has actions."""
    lack = (ENOUGH_CARDS - cards_that_cycle(g, me)) / (ENOUGH_CARDS - DRAWN_A_TURN)
    if lack <= 0.0 or t.pinned[card] != 0 or w.prepared[ONCE + card] > 0.0:
        return 0.0
    use = w.prepared[USE + card] * share_of_time_playable(g, t, me, card)
    return float(w.weight[P_SCARCE] * min(1.0, lack) * g.notes[N_PLAYS] * use)


@kernel
def loss_of_reach(g: Record, t: Record, me: int, card: int, zone: int, w: Record) -> float:
    """Return the loss because a card that goes to `zone` can no longer be returned (unrest) or pay for abilities."""
    if t.suits[card] & constants.UNREST != 0:
        # In the deck's cycle, the unrest card could still have been returned. From a garrison, it may come back.
        share = w.weight[P_BURY] if zone != constants.GARRISON else 0.5 * w.weight[P_BURY]
        return float(share * min(1.0, 0.25 * (g.notes[N_TURNS] - 1.0)) * harm_of_unrest(g, t, me, w))
    if w.prepared[KIN + card] > 0.0 and kin_in_reach(g, me, w) <= KIN_KEPT:
        return float(w.weight[P_KIN] * g.notes[N_TURNS] / (g.notes[N_TURNS] + 2.0))
    return 0.0


@kernel
def kin_in_reach(g: Record, me: int, w: Record) -> int:
    """Count the cards in the deck's cycle that can pay for abilities."""
    count = 0
    for zone in (constants.HAND, constants.DECK, constants.DISCARD_PILE):
        for place in range(g.zone_size[me, zone]):
            count += int(w.prepared[KIN + g.zone[me, zone, place]] > 0.0)
    return count


@kernel
def best_to_retire(g: Record, t: Record, me: int, zone: int, w: Record) -> float:
    """Return the worth of putting the best card of a zone (hand or discard pile) into history.

    It is computed once per decision.
    """
    note = N_THIN_HAND if zone == constants.HAND else N_THIN_DISCARD
    if math.isnan(g.notes[note]):
        best = 0.0
        for place in range(g.zone_size[me, zone]):
            best = max(best, worth_of_retiring(g, t, me, int(g.zone[me, zone, place]), constants.HISTORY, w))
        g.notes[note] = best
    return float(g.notes[note])


@kernel
def best_meant_to_retire(g: Record, t: Record, me: int, selector: int, zone: int, w: Record) -> float:
    """Return the worth of putting into history the best card in a zone among those that match a selector, 0 if none."""
    if selector <= constants.ANYTHING:
        return best_to_retire(g, t, me, zone, w)
    best = -9.0
    for place in range(g.zone_size[me, zone]):
        card = int(g.zone[me, zone, place])
        if t.selector[selector, card] != 0:
            best = max(best, worth_of_retiring(g, t, me, card, constants.HISTORY, w))
    return best if best > -9.0 else 0.0


@kernel
def least_in_hand(g: Record, t: Record, me: int, own: int, w: Record) -> float:
    """Return the smallest loss from discarding a hand card other than `own`.

    The loss is small if the hand has more cards than the seat has actions.
    """
    if math.isnan(g.notes[N_WORST_HAND]):
        least = 3.0
        spare = g.zone_size[me, constants.HAND] - 1 - g.actions[me] > 0 or g.turn_seat != me
        for place in range(g.zone_size[me, constants.HAND]):
            card = int(g.zone[me, constants.HAND, place])
            if card != own:
                loss = max(0.05, worth_of_hand_card(g, t, me, place, w))
                few = spare and loss > SPARE_CARD and t.free_play[card] == 0
                least = min(least, SPARE_CARD if few else loss)
        g.notes[N_WORST_HAND] = least
    return float(g.notes[N_WORST_HAND])


@kernel
def loss_by_discarding(g: Record, t: Record, me: int, own: int, number: int, w: Record) -> float:
    """Return the loss from discarding the `number` least valuable hand cards other than `own`.

    The loss is small for cards that the seat has no action left to play.
    """
    note_hand_cards(g, t, me, w)
    loss = 0.0
    spare = int(g.zone_size[me, constants.HAND]) - ACTIONS_A_TURN
    if g.turn_seat == me:
        spare = others_in_hand(g, me, own) - int(g.actions[me])
    for place in range(g.zone_size[me, constants.HAND]):
        card = int(g.zone[me, constants.HAND, place])
        if card == own:
            continue
        rank = 0
        each = max(0.05, g.notes[N_HAND + place])
        for other in range(g.zone_size[me, constants.HAND]):
            than = max(0.05, g.notes[N_HAND + other])
            # Use no branches, because a processor cannot predict how cards rank.
            less = (than < each) | ((than == each) & (other < place))
            rank += int(less & (g.zone[me, constants.HAND, other] != own))
        if rank < number:
            few = rank < spare and t.free_play[card] == 0
            loss += min(each, SPARE_CARD) if few else min(3.0, each)
    return loss


@kernel
def loss_from_play(g: Record, t: Record, me: int, card: int, to_hand: bool, w: Record) -> float:
    """Return the loss if a pinned card is out of play until it can be played again."""
    turns = g.notes[N_TURNS]
    away = min(turns, 1.0 if to_hand else 3.0)
    loss = worth_in_play(g, t, me, card, turns_in_play(away), w)
    if t.points_kind[card] != constants.NO_POINTS and t.points_kind[card] != constants.VARIABLE_POINTS:
        loss += 0.5 * float(t.points_at[card, constants.PLAY] - t.points_at[card, constants.DISCARD_PILE])
    if t.suits[card] & constants.REGION != 0:
        loss += 0.5 * taste(g, t, me, constants.REGION, w)
        loss -= 0.3 * w.prepared[USE + card] * min(1.0, turns - 1.0)
    for place in range(g.zone_size[me, constants.GARRISON]):
        under = int(g.zone[me, constants.GARRISON, place])
        if g.host[under] == card:
            loss += 0.5 * worth_of_putting_away(g, t, me, under, constants.GARRISON, w)
    return loss


@kernel
def least_in_play(g: Record, t: Record, me: int, w: Record) -> float:
    """Return the loss from abandoning the least valuable pinned card; 0 if there is none."""
    least = 99.0
    for place in range(g.zone_size[me, constants.PLAY]):
        card = int(g.zone[me, constants.PLAY, place])
        if can_leave(t, card):
            least = min(least, loss_from_play(g, t, me, card, False, w))
    return 0.0 if least == 99.0 else max(0.0, least)


@kernel
def least_meant(g: Record, t: Record, me: int, selector: int, w: Record) -> float:
    """Return the loss from discarding the least valuable hand card that matches a selector."""
    least = 1.0
    for place in range(g.zone_size[me, constants.HAND]):
        card = int(g.zone[me, constants.HAND, place])
        if t.selector[selector, card] != 0:
            least = min(least, 0.25 * max(0.05, worth_of_hand_card(g, t, me, place, w)))
    return least


@kernel
def least_owned(g: Record, t: Record, me: int, selector: int, zone: int, w: Record) -> float:
    """Return the loss from giving up the least valuable of those cards in a zone that match a selector."""
    least = 5.0
    for place in range(g.zone_size[me, zone]):
        card = int(g.zone[me, zone, place])
        if t.selector[selector, card] != 0:
            least = min(least, worth_of_owning(g, t, me, card, w))
    return max(0.0, least)


@kernel
def worth_of_quest(g: Record, t: Record, me: int, card: int, w: Record) -> float:
    """Return the worth of completing a quest: its points, one play of the card, and progress towards the last quest."""
    use = w.prepared[USE + card] * (
        1.0 if t.state[card] != constants.EMPIRE or g.state[me] == constants.EMPIRE else 0.35
    )
    return points_to_come(g, t, me, card, w) + use + QUEST_DONE + w.weight[P_GRAAL]


@kernel
def best_quest(g: Record, t: Record, me: int, w: Record) -> float:
    """Return the worth of the best quest in the development area that can become active."""
    best = 0.0
    left = g.zone_size[me, constants.DEVELOPMENT]
    for place in range(left):
        card = int(g.zone[me, constants.DEVELOPMENT, place])
        if t.comes_last[card] == 0 or left == 1:
            best = max(best, worth_of_quest(g, t, me, card, w))
    return best


@kernel
def worth_of_pawn(g: Record, t: Record, me: int, card: int, w: Record) -> float:
    """Return the worth of garrisoning a card that can pay for quests: its share of a quest's worth.

    It is 0 if the cards in the garrison already pay for a quest, or if too few turns are left.
    """
    share = w.prepared[PAWN + card]
    if share <= 0.0 or g.notes[N_TURNS] <= 2.0:
        return 0.0
    there = 0.0
    for place in range(g.zone_size[me, constants.GARRISON]):
        under = int(g.zone[me, constants.GARRISON, place])
        there += share if w.prepared[PAWN + under] == share and under != card else 0.0
    return 0.0 if there > 0.99 else worth_of_share(g, t, me, share, w)


@kernel
def worth_of_share(g: Record, t: Record, me: int, share: float, w: Record) -> float:
    """Return the worth of paying a share of a quest's price.

    The quest is the active one, or else the best that can become active.
    """
    quest = active_quest(g, t, me)
    worth = best_quest(g, t, me, w) if quest == constants.NO_CARD else worth_of_quest(g, t, me, quest, w)
    return float(w.weight[P_PAWN] * share * max(0.0, worth))


@kernel
def loss_of_pawns(g: Record, t: Record, me: int, selector: int, w: Record) -> float:
    """Return the loss if garrisoned cards that match a selector leave with their hosts and cannot pay for a quest."""
    share = 0.0
    for place in range(g.zone_size[me, constants.GARRISON]):
        under = int(g.zone[me, constants.GARRISON, place])
        if t.selector[selector, under] != 0:
            share = max(share, float(w.prepared[PAWN + under]))
    return 0.0 if share <= 0.0 or g.notes[N_TURNS] <= 2.0 else worth_of_share(g, t, me, share, w)
