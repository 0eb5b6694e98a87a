"""The record of one game in play, and the indices of its ring of cities.

In every kernel `g` is this record and `t` are the tables of `tables.py`. Cities form a ring: the left neighbour of city
i is i - 1, and the right one is i + 1. Cities 0 to players - 1 are seats. The Free City of the two-player variant is
city 2. All counts are int64. Packed supplies are uint64 ("lanes", see `tables.py`).
"""

from __future__ import annotations

import numpy as np

from sim.compiler.kernel import Record, kernel
from sim.engine.state import OWN_ERRORS, Fields, game_record, log_record
from sim.games.seven_wonders.rules.tables import MAX_CARDS, MAX_NAMES

MAX_CITIES = 7
MAX_HAND = 8
MAX_OPTIONS = MAX_CARDS + 1
"""Number of options when building from the discards: each kind of card, or none. Other decisions have fewer options."""
MAX_NOTES = MAX_CARDS + 8
MAX_CITY_CARDS = 40
MAX_DISCARDS = 160
LOG_ROWS = 320
LOG_COLUMNS = 22
MOMENTS = 8
"""Number of moments reserved for an age: its turns, from 1, and one for the cards left after the last turn."""
NO_CITY = -1

CITY_FULL = OWN_ERRORS
"""Error that stops a game: a city has more cards than the record can hold."""

CITY = (MAX_CITIES,)

OWN_FIELDS: Fields = [
    ("cities", np.int64),
    ("age", np.int64),
    ("turn", np.int64),
    ("phase", np.int64),  # what the next step does
    # MOMENTS for each earlier age, plus the turn. When the cards left after the last turn are played or discarded, the
    # moment is one higher.
    ("moment", np.int64),
    ("holder", np.int64),  # seat that plays for the Free City this turn; -1 if there is none
    # Public information on the table
    ("coins", np.int64, CITY),
    ("shields", np.int64, CITY),
    ("conflict_points", np.int64, CITY),
    ("defeats", np.int64, CITY),
    ("tokens", np.int64, (MAX_CITIES, 3, 2)),  # by age and side (left, right)
    ("stages_built", np.int64, CITY),
    ("points", np.int64, (MAX_CITIES, 8)),  # printed points by colour of the card, then the wonder's
    ("symbols", np.int64, (MAX_CITIES, 3)),
    ("symbol_choices", np.int64, CITY),
    ("colour_count", np.int64, (MAX_CITIES, 7)),
    ("owns", np.int8, (MAX_CITIES, MAX_NAMES)),
    ("city_cards", np.int64, (MAX_CITIES, MAX_CITY_CARDS)),
    ("city_size", np.int64, CITY),
    ("copies_guild", np.int64, CITY),  # bits of the neighbours from which one guild may be copied
    ("free_builds", np.int64, CITY),  # number of free buildings per age
    ("free_builds_left", np.int64, CITY),
    ("plays_last_card", np.int64, CITY),
    ("last_card_from_turn", np.int64, CITY),  # turn (0..17) in which the power `plays_last_card` was built
    ("discard_builds_due", np.int64, CITY),
    # Goods: lanes of what a city produces and of what it sells, and prices by side and class
    ("own_raw", np.uint64, CITY),
    ("own_manufactured", np.uint64, CITY),
    ("sold_raw", np.uint64, CITY),
    ("sold_manufactured", np.uint64, CITY),
    ("price", np.int64, (MAX_CITIES, 2, 2)),
    # At the start of the turn: the coins that each city can spend, the goods in reach, and the prices
    ("spendable", np.int64, CITY),
    ("turn_price", np.int64, (MAX_CITIES, 2, 2)),
    ("reach_raw", np.uint64, (MAX_CITIES, 4)),
    ("reach_manufactured", np.uint64, (MAX_CITIES, 4)),
    # Hidden: hands, decks, discards, the cards below stages
    ("hand", np.int64, (MAX_CITIES, MAX_HAND)),
    ("hand_size", np.int64, CITY),
    ("deck", np.int64, (3, MAX_CITIES * 7)),
    ("deck_size", np.int64, (3,)),
    ("pile_next", np.int64),  # deck index of the Free City's next card
    ("discards", np.int64, (MAX_DISCARDS,)),
    ("discards_size", np.int64),
    ("stage_cards", np.int64, (MAX_CITIES, 4)),
    # Knowledge of face-down cards: when and by which city each was laid down, and the seats (bits) that saw the
    # discards
    ("discard_moment", np.int8, (MAX_DISCARDS,)),
    ("discard_city", np.int8, (MAX_DISCARDS,)),  # NO_CITY: an unseen card from the Free City's pile
    ("discard_seen", np.int8, (MAX_DISCARDS,)),
    ("stage_moment", np.int64, (MAX_CITIES, 4)),
    # The current decision
    ("city", np.int64),  # the city for which the decision is made
    ("option_card", np.int64, (MAX_OPTIONS,)),
    ("option_action", np.int64, (MAX_OPTIONS,)),
    ("option_price", np.int64, (MAX_OPTIONS,)),  # lowest price in coins; for a payment, its coins in total
    ("option_left", np.int64, (MAX_OPTIONS,)),
    ("option_right", np.int64, (MAX_OPTIONS,)),
    # The choice of each city for this turn
    ("choice_card", np.int64, CITY),
    ("choice_action", np.int64, CITY),
    ("choice_bank", np.int64, CITY),
    ("choice_left", np.int64, CITY),
    ("choice_right", np.int64, CITY),
    ("income", np.int64, CITY),
    ("placed_card", np.int64, CITY),  # card built this turn, NO_CARD if none
    ("placed_stage", np.int64, CITY),  # 1 if a stage was built this turn
    ("score_after_age", np.int64, (MAX_CITIES, 2)),  # total after Ages I and II, as if the game ended then
]

STATE = game_record(
    OWN_FIELDS,
    seats=MAX_CITIES,
    options=MAX_OPTIONS,
    notes=MAX_NOTES,
    score_parts=7,
    log=log_record(rows=(LOG_ROWS, LOG_COLUMNS), pieces=(MAX_CITIES, MAX_CARDS, 8), number=np.int64),
)
"""dtype of a game record. It holds the whole state of a game, so the game can be continued from a copy of it."""


@kernel
def left_of(g: Record, city: int) -> int:
    """Return the city of the left neighbour."""
    return city - 1 if city > 0 else g.cities - 1


@kernel
def right_of(g: Record, city: int) -> int:
    """Return the city of the right neighbour."""
    return city + 1 if city + 1 < g.cities else 0


@kernel
def turn_of_game(g: Record, t: Record) -> int:
    """Return the number of turns played before this one, 0 to 17."""
    return (g.age - 1) * t.turns_per_age + g.turn - 1


def new_games(count: int) -> np.ndarray:
    """Return `count` blank game records, shape (count,)."""
    return np.zeros(count, STATE)
