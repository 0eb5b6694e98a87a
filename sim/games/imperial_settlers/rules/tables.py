"""Tables that every kernel receives as `t`: cards, boards and settings as numbers.

Every physical card is a row of the card table. The common cards come first, then the decks of the factions in their
order, then the attack cards of the solo game.
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
            ("commons", np.int64),  # number of common cards, which are cards 0 to `commons` - 1
            ("factions", np.int64),
            ("deck_first", np.int64, (MAX_FACTIONS,)),  # first card of a faction's deck
            ("deck_size", np.int64, (MAX_FACTIONS,)),
            ("attack_first", np.int64),
            ("attack_cards", np.int64),
            # What is printed on a card
            ("deck", np.int16, CARDS),  # COMMON, SOLO, or the faction
            ("name", np.int16, CARDS),  # the same number for all cards with the same name
            ("kind", np.int16, CARDS),
            ("colours", np.int16, CARDS),  # as bits
            ("cost", np.int16, OF_GOODS),
            ("cost_location", np.int16, CARDS),  # 1 if a location or foundation must be given up
            ("raze", np.int16, OF_GOODS),
            ("raze_goods", np.int16, CARDS),  # number of goods in the raze field, 0 for none
            ("razeable", np.int16, CARDS),  # 1 if an opponent may raze the location
            ("deal", np.int16, OF_GOODS),  # amount of the good in the deal field; target of an attack card
            ("deal_good", np.int16, CARDS),  # index of that good, or -1 for none
            ("points_end", np.int16, CARDS),
            # What a card does
            ("code", np.int16, (MAX_CODE, CODE_COLUMNS)),
            ("program", np.int16, (MAX_CARDS, len(PROGRAMS))),
            # 1 for each program that draws cards or offers a choice, so that its order among other programs matters
            ("draws", np.int16, (MAX_CARDS, len(PROGRAMS))),
            ("pay", np.int16, OF_GOODS),  # cost of an activation
            ("pay_any", np.int16, CARDS),  # resources of any kind paid in addition
            ("pay_hand", np.int16, CARDS),  # hand cards paid in addition
            ("pay_deal", np.int16, CARDS),  # own deals paid in addition
            ("uses", np.int16, CARDS),  # possible uses per round
            ("trigger", np.int16, CARDS),
            ("feature_colours", np.int16, CARDS),
            ("feature_decks", np.int16, CARDS),
            ("feature_number", np.int16, CARDS),
            ("feature_goods", np.int16, CARDS),  # as bits
            # For each tier: a number of things on the card, and the points for them at the end
            ("end_tier", np.int16, (MAX_CARDS, MAX_TIERS, 2)),
            # Learned bonuses, in points by round: of cards (`LESSONS` in data/models.py) and of kinds of moves
            ("card_lesson", np.float32, (MAX_CARDS, ROUNDS, LESSONS)),
            ("move_lesson", np.float32, (len(MOVES), ROUNDS)),
            # Factions
            ("empire", np.int64, (MAX_FACTIONS,)),  # index of the faction's board in `EMPIRES`
            ("board", np.int64, (MAX_FACTIONS, len(GOODS))),
            ("stores", np.int64, (MAX_FACTIONS, len(GOODS))),  # 1 for goods that are kept in cleanup
            ("samurai", np.int64, (MAX_FACTIONS,)),  # 1 if the faction may place samurai
            ("own_deck_razeable", np.int64, (MAX_FACTIONS,)),  # 1 if the faction's cards can be razed
            ("hint", np.float64, (MAX_FACTIONS, MAX_HINTS)),  # what the faction wants or avoids, a hint for players
            # Numbers of the rulebook and settings
            ("start_common", np.int64),
            ("start_faction", np.int64),
            ("raze_cost_hand", np.int64),
            ("raze_cost_location", np.int64),
            ("deal_cost", np.int64),  # amount of food
            ("foundation_wood", np.int64),
            ("pair", np.int64),  # number of workers in a pair
            ("title_from", np.int64, (8,)),  # minimum points of each title of the solo game
            ("action_limit", np.int64),  # maximum number of actions of a seat per round; not a rule of the game
            *((setting, np.int64) for setting in SETTINGS),
        ],
    )
)
"""dtype of the tables. Every index of a card is a row of the card table; every good is an index into
`constants.GOODS`."""

assert len(COLOURS) <= 15
