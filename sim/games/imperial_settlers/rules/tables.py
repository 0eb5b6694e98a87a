"""Tables that every kernel receives as `t`: cards, boards and settings as numbers.

A card is a row of the card table, one for every physical card: the common cards first, then the decks of the factions
in their order, then the attack cards of the solo game.
"""

from __future__ import annotations

import numpy as np

from sim.compiler.kernel import FieldRecord
from sim.games.imperial_settlers.rules.constants import (
    CODE_COLUMNS,
    COLOURS,
    GOODS,
    LESSONS,
    MOVES,
    PROGRAMS,
    ROUNDS,
    SETTINGS,
)

MAX_CARDS = 640
MAX_FACTIONS = 16
MAX_CODE = 2048
MAX_ZONE = 128
MAX_OPTIONS = 512
MAX_NOTES = 2 * MAX_OPTIONS + 4 * MAX_CARDS + 896
MAX_TIERS = 4
MAX_HINTS = 16

CARDS = (MAX_CARDS,)
OF_GOODS = (MAX_CARDS, len(GOODS))

TABLES = np.dtype(
    (
        FieldRecord,
        [
            ("cards", np.int64),
            ("commons", np.int64),  # cards 0 to commons - 1
            ("factions", np.int64),
            ("deck_first", np.int64, (MAX_FACTIONS,)),  # first card of a faction's deck
            ("deck_size", np.int64, (MAX_FACTIONS,)),
            ("attack_first", np.int64),
            ("attack_cards", np.int64),
            # What is printed on it
            ("deck", np.int16, CARDS),  # COMMON, SOLO, or the faction
            ("name", np.int16, CARDS),  # the same for all cards with one name
            ("kind", np.int16, CARDS),
            ("colours", np.int16, CARDS),  # bits
            ("cost", np.int16, OF_GOODS),
            ("cost_location", np.int16, CARDS),  # 1: a location or foundation is given up
            ("raze", np.int16, OF_GOODS),
            ("raze_goods", np.int16, CARDS),  # number of goods in the raze field, 0 for none
            ("razeable", np.int16, CARDS),  # 1: may be razed as an opponent's location
            ("deal", np.int16, OF_GOODS),  # good of the deal field; target of an attack card
            ("deal_good", np.int16, CARDS),  # index of that good, -1 for none
            ("points_end", np.int16, CARDS),
            # What it does
            ("code", np.int16, (MAX_CODE, CODE_COLUMNS)),
            ("program", np.int16, (MAX_CARDS, len(PROGRAMS))),
            ("draws", np.int16, (MAX_CARDS, len(PROGRAMS))),  # 1: has cards or choices, so timing matters
            ("pay", np.int16, OF_GOODS),  # cost of an activation
            ("pay_any", np.int16, CARDS),  # resources of any kind, in addition
            ("pay_hand", np.int16, CARDS),  # hand cards, in addition
            ("pay_deal", np.int16, CARDS),  # own deals, in addition
            ("uses", np.int16, CARDS),  # per round
            ("trigger", np.int16, CARDS),
            ("feature_colours", np.int16, CARDS),
            ("feature_decks", np.int16, CARDS),
            ("feature_number", np.int16, CARDS),
            ("feature_goods", np.int16, CARDS),  # bits
            ("end_tier", np.int16, (MAX_CARDS, MAX_TIERS, 2)),  # at the end: things on it, points for them
            # Lessons of players, in points by round: for cards (`LESSONS` in data/models.py) and kinds of moves
            ("card_lesson", np.float32, (MAX_CARDS, ROUNDS, LESSONS)),
            ("move_lesson", np.float32, (len(MOVES), ROUNDS)),
            # Factions
            ("empire", np.int64, (MAX_FACTIONS,)),  # index of its board
            ("board", np.int64, (MAX_FACTIONS, len(GOODS))),
            ("stores", np.int64, (MAX_FACTIONS, len(GOODS))),  # 1: goods that cleanup keeps
            ("samurai", np.int64, (MAX_FACTIONS,)),  # 1: may place samurai
            ("own_deck_razeable", np.int64, (MAX_FACTIONS,)),  # 1: its faction cards can be razed
            ("hint", np.float64, (MAX_FACTIONS, MAX_HINTS)),  # what an empire is good at, for players
            # Numbers of the rulebook and settings
            ("start_common", np.int64),
            ("start_faction", np.int64),
            ("raze_cost_hand", np.int64),
            ("raze_cost_location", np.int64),
            ("deal_cost", np.int64),  # food
            ("foundation_wood", np.int64),
            ("pair", np.int64),  # number of workers per exchange
            ("title_from", np.int64, (8,)),  # minimum points of each title of the solo game
            ("action_limit", np.int64),  # maximum number of actions of a seat per round; not a rule of the game
            *((setting, np.int64) for setting in SETTINGS),
        ],
    )
)
"""dtype of the tables; every card index is a row of the card table, every good an index into `constants.GOODS`."""

assert len(COLOURS) <= 15
