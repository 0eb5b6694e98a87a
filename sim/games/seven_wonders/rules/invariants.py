"""Invariants of 7 Wonders, checked at every decision (see `sim.engine.invariants`)."""

from __future__ import annotations

from typing import Any

import numpy as np

from sim.compiler.kernel import kernel
from sim.engine.invariants import cards_are_others, mark_of
from sim.engine.result_rows import FIXED_COLUMNS, RANK, ROUNDS, SCORE
from sim.games.seven_wonders.rules.constants import FROM_DISCARD, NO_CARD, PAYMENT, PLAY
from sim.games.seven_wonders.rules.scoring import SCORE_PARTS

LAWS = (
    "no card is made or lost",
    "coins are never negative, and no option costs more than there is to spend",
    "a city has no name twice, unless names do not count for what is built from the discards",
    "the colours counted are those of the cards of the city",
    "no more stages are built than the board has",
    "the points of conflicts are those of the tokens",
    "options are cards of the hand or of the discards",
)


@kernel
def marks_of(cards: Any, first: int, end: int) -> int:
    """Return the sum of the marks (see `mark_of`) of the cards at indices `first` to `end` - 1."""
    total = 0
    for place in range(first, end):
        total += mark_of(cards[place])
    return total


@kernel
def marks_of_all_cards(g: Any, decision: int) -> int:
    """Return the sum of the marks of all cards: in decks, hands, choices and cities, below stages and discarded."""
    total = marks_of(g.discards, 0, g.discards_size)
    for age in range(g.age, 4):
        first = g.pile_next if age == g.age else 0
        total += marks_of(g.deck[age - 1], first, g.deck_size[age - 1])
    for city in range(g.cities):
        total += marks_of(g.hand[city], 0, g.hand_size[city])
        total += marks_of(g.city_cards[city], 0, g.city_size[city])
        total += marks_of(g.stage_cards[city], 0, g.stages_built[city])
        # A chosen card is still in hand while its payment is being chosen.
        if g.choice_card[city] != NO_CARD and not (decision == PAYMENT and city == g.city):
            total += mark_of(g.choice_card[city])
    return total


@kernel
def broken_city(g: Any, t: Any, city: int) -> int:
    """Return the index of an invariant broken by a city; -1 if none is."""
    if g.coins[city] < 0:
        return 1
    colours = np.zeros(7, np.int64)
    for place in range(g.city_size[city]):
        card = g.city_cards[city, place]
        colours[t.card_colour[card]] += 1
        for earlier in range(place):
            same = t.card_name[g.city_cards[city, earlier]] == t.card_name[card]
            if same and t.discard_build_checks_names != 0:
                return 2
    for colour in range(7):
        if colours[colour] != g.colour_count[city, colour]:
            return 3
    if g.stages_built[city] > t.faction_stages[g.faction[city]]:
        return 4
    return -1 if g.tokens[city].sum() == g.conflict_points[city] else 5


@kernel
def is_among(card: int, cards: Any, size: int) -> bool:
    """Tell whether a card is among the first `size` of `cards`."""
    for place in range(size):
        if cards[place] == card:
            return True
    return False


@kernel
def broken_option(g: Any, me: int, decision: int) -> int:
    """Return the index of an invariant broken by an option; -1 if none is."""
    for option in range(g.option_count):
        card = g.option_card[option]
        if decision in (PLAY, PAYMENT) and g.option_price[option] > g.spendable[g.city]:
            return 1
        if decision == PLAY and not is_among(card, g.hand[me], g.hand_size[me]):
            return 6
        if decision == FROM_DISCARD and card != NO_CARD and not is_among(card, g.discards, g.discards_size):
            return 6
    return -1


@kernel
def broken_law(g: Any, t: Any, me: int, decision: int, notes: Any) -> int:
    """Return the index of the first invariant that is broken at a decision; -1 if none is."""
    total = marks_of_all_cards(g, decision)
    if cards_are_others(total, notes):
        return 0
    law = broken_option(g, me, decision)
    for city in range(g.cities):
        if law < 0:
            law = broken_city(g, t, city)
    return law


def laws_of_results(t: Any, rows: np.ndarray) -> dict[str, np.ndarray]:
    """Return, for each invariant of finished games, its description and which of the games satisfy it."""
    score, coins = rows[:, :, SCORE], rows[:, :, FIXED_COLUMNS + len(SCORE_PARTS)]
    more = score[:, None, :] > score[:, :, None]
    better = more | ((score[:, None, :] == score[:, :, None]) & (coins[:, None, :] > coins[:, :, None]))
    return {
        "a game has eighteen rounds": (rows[:, :, ROUNDS] == 18).all(axis=1),
        "ranks follow points, then coins": (rows[:, :, RANK] == 1 + better.sum(axis=2)).all(axis=1),
    }
