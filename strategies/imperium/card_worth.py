"""The worth of a card to its owner: its points, its effects until the end, and the place that it takes in the deck."""

from __future__ import annotations

import math

from sim.compiler.kernel import Record, kernel
from sim.games.imperium.rules import constants
from sim.games.imperium.rules.market import deck_of_suit
from sim.games.imperium.rules.scoring import count_of
from strategies.imperium.outlook import DRAWN_A_TURN, cards_that_cycle, harm_of_unrest
from strategies.imperium.weights import (
    H_PINNED,
    LASTING,
    N_ACTION,
    N_ADVANCE,
    N_AS_BARBARIAN,
    N_HAND,
    N_HAND_NOTED,
    N_PLAYS,
    N_SLOT,
    N_STAYS,
    N_STAYS_LATER,
    N_TURNS,
    N_WORTH,
    ONCE,
    P_DILUTION,
    P_HINT,
    P_LASTING,
    P_USE,
    P_VARIABLE,
    SUIT_CYCLE,
    SUIT_USE,
    TASTE,
    TASTES,
    USE,
)

IN_THE_WAY = 0.7
"""Harm of having an unrest card in the deck, apart from its points."""


@kernel
def share_of_time_playable(g: Record, t: Record, me: int, card: int) -> float:
    """Return the share of the remaining turns in which a card's state icon allows it to be played."""
    icon = t.state[card]
    if icon > constants.EMPIRE:
        return 1.0
    return float(g.notes[N_AS_BARBARIAN] if icon == constants.BARBARIAN else 1.0 - g.notes[N_AS_BARBARIAN])


@kernel
def points_to_come(g: Record, t: Record, me: int, card: int, w: Record) -> float:
    """Return the points that a card is expected to score at the end."""
    if t.points_kind[card] == constants.NO_POINTS:
        return 0.0
    if t.points_kind[card] != constants.VARIABLE_POINTS:
        in_deck = float(t.points_at[card, constants.DISCARD_PILE])
        better = max(float(t.points_at[card, constants.HISTORY]), float(t.points_at[card, constants.GARRISON]) - 2.0)
        return max(in_deck, 0.7 * better + 0.3 * in_deck)
    return w.weight[P_VARIABLE] * variable_to_come(g, t, me, card)


@kernel
def variable_to_come(g: Record, t: Record, me: int, card: int) -> float:
    """Return the points expected of a card with variable points, from the present count and its expected growth."""
    of = t.of[card]
    if of == constants.OF_OTHERS_UNREST:
        # Other players' hands and decks are hidden.
        return 2.5 * (g.players - 1)
    if of == constants.OF_PLAYERS_WITH_LESS:
        return float(t.points[card]) * 0.5 * (g.players - 1)
    things = 1.0 + count_of(g, t, me, card)
    if of not in (constants.OF_EXILE_PILE, constants.OF_CARDS_IN_PLAY):
        things *= 1.0 + 0.03 * g.notes[N_TURNS]
    return min(float(t.cap[card]), t.points[card] * things / max(1.0, float(t.per[card])))


@kernel
def taste(g: Record, t: Record, me: int, suits: int, w: Record) -> float:
    """Return the worth in points of owning a card of these suits, beyond its own points: less towards the end."""
    worth = w.prepared[TASTE + TASTES * g.faction[me] + (suits & (TASTES - 1))]
    return float(worth * g.notes[N_TURNS] / (g.notes[N_TURNS] + 2.0))


@kernel
def worth_in_deck(g: Record, t: Record, me: int, card: int, w: Record) -> float:
    """Return the worth of a card's later plays if it cycles through the deck.

    Each time that it is drawn, the worth of another card in its place is deducted.
    """
    if t.suits[card] & constants.UNREST != 0:
        # In history or in a garrison, the card is out of the way but still counts.
        return -min(IN_THE_WAY, g.notes[N_PLAYS] * IN_THE_WAY)
    plays = g.notes[N_PLAYS]
    playable = share_of_time_playable(g, t, me, card) if t.unplayable[card] == 0 else 0.0
    use = w.weight[P_USE] * w.prepared[USE + card] * playable
    if t.pinned[card] != 0:
        # Once it is in play, the card is out of the way.
        return playable * (min(1.0, plays) * use + worth_in_play(g, t, me, card, g.notes[N_STAYS_LATER], w))
    if w.prepared[ONCE + card] > 0.0:
        return min(1.0, plays) * use
    return plays * (use - w.weight[P_DILUTION])


@kernel
def worth_in_play(g: Record, t: Record, me: int, card: int, stays: float, w: Record) -> float:
    """Return the worth of a pinned card in play, if it stays for `stays` turns."""
    hint = w.weight[P_HINT] * t.faction_hint[g.faction[me], H_PINNED]
    return w.weight[P_LASTING] * w.prepared[LASTING + card] * stays * (1.0 + 0.3 * hint)


@kernel
def worth_of_owning(g: Record, t: Record, me: int, card: int, w: Record) -> float:
    """Return the worth in points of gaining a card, apart from tokens and unrest gained with it."""
    worth = points_to_come(g, t, me, card, w) + worth_in_deck(g, t, me, card, w) + gain_by_thickness(g, me)
    return worth + taste(g, t, me, t.suits[card], w)


@kernel
def gain_by_thickness(g: Record, me: int) -> float:
    """Return the gain from one more card in the deck if a reshuffle harms the seat, otherwise 0.

    A reshuffle harms nations that take unrest when their nation deck is empty. A thicker deck is reshuffled less often.
    """
    if g.notes[N_ADVANCE] >= 0.0:
        return 0.0
    cycling = cards_that_cycle(g, me)
    return -g.notes[N_ADVANCE] * DRAWN_A_TURN * min(8.0, g.notes[N_TURNS]) / (cycling * cycling + 40.0)


@kernel
def worth_of_slot(g: Record, t: Record, me: int, slot: int, w: Record) -> float:
    """Return the worth of gaining a market card with its tokens, computed once per decision."""
    if math.isnan(g.notes[N_SLOT + slot]):
        worth = worth_of_owning(g, t, me, int(g.market[slot]), w)
        for resource in range(3):
            worth += g.market_tokens[slot, resource] * g.notes[N_WORTH + resource]
        g.notes[N_SLOT + slot] = worth
    return float(g.notes[N_SLOT + slot])


@kernel
def worth_of_unseen(g: Record, t: Record, me: int, suit: int, w: Record) -> float:
    """Return the worth of gaining an unseen card of a suit, from the means over the common cards of this suit.

    If no card of the suit is left, it is the worth of what is gained instead.
    """
    if all_gone(g, t, suit):
        return float(t.fallback_number * g.notes[N_WORTH + t.fallback_resource])
    place = SUIT_USE + 3 * suit_number(suit)
    worth = w.prepared[place + 2] + taste(g, t, me, suit, w)
    worth += w.weight[P_LASTING] * w.prepared[place + 1] * g.notes[N_STAYS] * 0.8
    worth -= g.notes[N_PLAYS] * w.weight[P_DILUTION] * w.prepared[SUIT_CYCLE + suit_number(suit)]
    return worth + g.notes[N_PLAYS] * w.weight[P_USE] * (w.prepared[place]) * 0.5


@kernel
def all_gone(g: Record, t: Record, suit: int) -> bool:
    """Tell whether no card of a suit is left in any deck. Suits are public, so every player can count this."""
    if suit & constants.TRIBUTARY == 0 and g.zone_size[constants.TABLE, deck_of_suit(suit)] > 0:
        return False
    for place in range(g.zone_size[constants.TABLE, constants.MAIN_DECK]):
        if t.suits[g.zone[constants.TABLE, constants.MAIN_DECK, place]] & suit != 0:
            return False
    return True


@kernel
def suit_number(suit: int) -> int:
    """Return the index of a suit among the four that can be gained."""
    if suit & constants.REGION != 0:
        return 0
    if suit & constants.UNCIVILISED != 0:
        return 1
    return 2 if suit & constants.CIVILISED != 0 else 3


@kernel
def best_in_market(g: Record, t: Record, me: int, suits: int, selector: int, unrest: bool, w: Record) -> float:
    """Return the worth of the best market card of these suits that matches a selector; 0 if none is worth gaining.

    `unrest` says whether the unrest card on a market card is taken as well.
    """
    best = 0.0
    for slot in range(constants.SLOTS):
        card = int(g.market[slot])
        if card != constants.NO_CARD and t.suits[card] & suits != 0 and t.selector[selector, card] != 0:
            worth = worth_of_slot(g, t, me, slot, w)
            if unrest and g.market_unrest[slot] != constants.NO_CARD:
                worth -= harm_of_unrest(g, t, me, w)
            best = max(best, worth)
    return best


@kernel
def best_break_through(g: Record, t: Record, me: int, suits: int, w: Record) -> float:
    """Return the worth of breaking through for the best of these suits."""
    best = best_in_market(g, t, me, suits, 0, False, w)
    for bit in range(4):
        if suits & (1 << bit) != 0:
            best = max(best, worth_of_unseen(g, t, me, 1 << bit, w))
    return best


@kernel
def worth_in_hand(g: Record, t: Record, me: int, card: int, w: Record) -> float:
    """Return the worth of holding a card in hand: the worth of playing it once, if its state icon allows that now."""
    if t.suits[card] & constants.UNREST != 0:
        return -0.3
    if t.unplayable[card] != 0:
        return 0.0
    icon = t.state[card]
    if icon <= constants.EMPIRE and icon != g.state[me] and g.ignores_state[me] & (1 << icon) == 0:
        return 0.0
    use = w.prepared[USE + card]
    if t.pinned[card] != 0:
        use += worth_in_play(g, t, me, card, g.notes[N_STAYS_LATER], w)
        if t.suits[card] & constants.REGION != 0:
            use += 0.5 * taste(g, t, me, constants.REGION, w)
    return use


@kernel
def note_hand_cards(g: Record, t: Record, me: int, w: Record) -> None:
    """Cache the worth of every hand card, once per decision."""
    if math.isnan(g.notes[N_HAND_NOTED]):
        for place in range(g.zone_size[me, constants.HAND]):
            g.notes[N_HAND + place] = worth_in_hand(g, t, me, int(g.zone[me, constants.HAND, place]), w)
        g.notes[N_HAND_NOTED] = 1.0


@kernel
def worth_of_hand_card(g: Record, t: Record, me: int, place: int, w: Record) -> float:
    """Return the worth of the hand card at the index `place`, as in `worth_in_hand`."""
    note_hand_cards(g, t, me, w)
    return float(g.notes[N_HAND + place])


@kernel
def better_in_hand(g: Record, t: Record, me: int, place: int, w: Record) -> int:
    """Count the hand cards that need an action and are worth more than the hand card at the index `place`.

    These cards are played first.
    """
    worth = worth_of_hand_card(g, t, me, place, w)
    better = 0
    for other in range(g.zone_size[me, constants.HAND]):
        # Use no branch, because a processor cannot predict which card is better.
        needs_action = t.free_play[g.zone[me, constants.HAND, other]] == 0
        better += int((g.notes[N_HAND + other] > worth) & needs_action)
    return better


@kernel
def worth_of_actions(g: Record, t: Record, me: int, spent: int, w: Record) -> float:
    """Return the worth of the plays that are lost this turn if `spent` actions are spent otherwise.

    These are the least valuable of the plays for which the seat has actions.
    """
    worth = 0.0
    for place in range(g.zone_size[me, constants.HAND]):
        if t.free_play[g.zone[me, constants.HAND, place]] == 0:
            rank = better_in_hand(g, t, me, place, w)
            if g.actions[me] - spent <= rank < g.actions[me]:
                worth += worth_of_hand_card(g, t, me, place, w)
    return max(worth, float(spent * g.notes[N_ACTION]))
