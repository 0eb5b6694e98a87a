"""The log of a game: rows for the narration, and what became of each card for each seat."""

from __future__ import annotations

from sim.compiler.kernel import Record, kernel
from sim.engine.event_log import NO_ROW, new_row
from sim.games.seven_wonders.rules.building import has_chain
from sim.games.seven_wonders.rules.constants import (
    BUILD,
    DISCARD,
    FREE_BUILD,
    LEFT,
    LOG_CONFLICT,
    LOG_FROM_DISCARD,
    NO_CARD,
    RIGHT,
    STAGE,
)
from sim.games.seven_wonders.rules.state import LOG_COLUMNS, MAX_HAND, turn_of_game

# Columns of a log row.
(
    KIND,
    AGE,
    TURN,
    CITY,
    ACTION,
    CARD,
    BANK,
    TO_LEFT,
    TO_RIGHT,
    INCOME,
    CHAINED,
    HOLDER,
    HAND_SIZE,
    HAND,
) = range(14)
TOKEN_LEFT, TOKEN_RIGHT = 4, 5

# Columns of `log.pieces`: what became of one kind of card for one seat.
OFFERED, FIRST_OFFERED, BUILT_TURN, BUILT_HOW, STAGE_TURN, DISCARD_TURN, COINS_PAID, LAST_OFFERED = range(8)
BUILT_PAID, BUILT_BY_CHAIN, BUILT_FREE, BUILT_FROM_DISCARDS = 1, 2, 3, 4


@kernel
def log_event(g: Record, kind: int, city: int) -> int:
    """Begin a log row about a city, with the time and the Free City's holder. Return its index, or NO_ROW."""
    place = new_row(g)
    if place == NO_ROW:
        return NO_ROW
    row = g.log.rows[place]
    for column in range(LOG_COLUMNS):
        row[column] = NO_CARD
    row[KIND] = kind
    row[AGE] = g.age
    row[TURN] = g.turn
    row[CITY] = city
    row[HOLDER] = g.holder
    return place


@kernel
def log_choice(g: Record, t: Record, city: int, kind: int) -> None:
    """Log a city's card and action, its payments, and the cards left in the hand."""
    place = log_event(g, kind, city)
    if place == NO_ROW:
        return
    row = g.log.rows[place]
    row[CARD] = g.choice_card[city]
    if kind == LOG_FROM_DISCARD:
        row[ACTION] = FREE_BUILD
        row[BANK] = 0
        row[TO_LEFT] = 0
        row[TO_RIGHT] = 0
        row[CHAINED] = 0
    else:
        row[ACTION] = g.choice_action[city]
        row[BANK] = g.choice_bank[city]
        row[TO_LEFT] = g.choice_left[city]
        row[TO_RIGHT] = g.choice_right[city]
        row[CHAINED] = int(g.choice_action[city] == BUILD and has_chain(g, t, city, g.choice_card[city]))
    seat = city if city < g.players else g.holder
    row[HAND_SIZE] = g.hand_size[seat]
    for card in range(min(g.hand_size[seat], MAX_HAND)):
        row[HAND + card] = g.hand[seat, card]


@kernel
def log_income(g: Record) -> None:
    """Add the coins that each city is about to receive to the log: to the city's newest row about a card."""
    for city in range(g.cities):
        for place in range(g.log.row_count - 1, -1, -1):
            row = g.log.rows[place]
            if row[CITY] == city and row[KIND] != LOG_CONFLICT:
                if g.choice_card[city] != NO_CARD:
                    row[INCOME] = g.income[city]
                elif g.income[city] != 0:
                    # Another city has bought goods from this city for an extra card: add the coins to this city's row.
                    row[INCOME] += g.income[city]
                break


@kernel
def log_tokens(g: Record, city: int, kind: int) -> None:
    """Log the conflict tokens that a city has just taken."""
    place = log_event(g, kind, city)
    if place == NO_ROW:
        return
    row = g.log.rows[place]
    row[TOKEN_LEFT] = g.tokens[city, g.age - 1, LEFT]
    row[TOKEN_RIGHT] = g.tokens[city, g.age - 1, RIGHT]


@kernel
def note_offers(g: Record, t: Record, seat: int) -> None:
    """Record the cards in a seat's hand as offered. Two copies in one hand count once."""
    now = turn_of_game(g, t) + 1
    for place in range(g.hand_size[seat]):
        seen = g.log.pieces[seat, g.hand[seat, place]]
        if seen[OFFERED] == 0:
            seen[FIRST_OFFERED] = now
        if seen[LAST_OFFERED] != now:
            seen[OFFERED] += 1
            seen[LAST_OFFERED] = now


@kernel
def note_action(g: Record, t: Record, city: int) -> None:
    """Record what a city does with its card. Call this before the card is placed."""
    now = turn_of_game(g, t) + 1
    action = g.choice_action[city]
    seen = g.log.pieces[city, g.choice_card[city]]
    paid = g.choice_bank[city] + g.choice_left[city] + g.choice_right[city]
    if action == BUILD:
        seen[BUILT_TURN] = now
        seen[BUILT_HOW] = BUILT_BY_CHAIN if has_chain(g, t, city, g.choice_card[city]) else BUILT_PAID
        seen[COINS_PAID] = paid
    elif action == FREE_BUILD:
        seen[BUILT_TURN] = now
        seen[BUILT_HOW] = BUILT_FREE
    elif action == STAGE:
        seen[STAGE_TURN] = now
    elif action == DISCARD:
        seen[DISCARD_TURN] = now


@kernel
def note_from_discards(g: Record, t: Record, city: int, card: int) -> None:
    """Record a card built from the discard pile."""
    seen = g.log.pieces[city, card]
    seen[BUILT_TURN] = turn_of_game(g, t) + 1
    seen[BUILT_HOW] = BUILT_FROM_DISCARDS
