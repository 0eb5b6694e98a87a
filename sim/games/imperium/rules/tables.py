"""Tables that every kernel receives as `t`: the cards, nations and settings of a game as numbers.

A card is a row of the card table. The rows are in the order of the files, with the cards of nations first.
"""

from __future__ import annotations

import numpy as np

from sim.compiler.kernel import FieldRecord
from sim.games.imperium.rules.constants import (
    ACTING,
    ACTIONS_TOLD_APART,
    CODE_COLUMNS,
    LESSONS,
    PROGRAMS,
    RESOURCES,
    ZONES,
)

MAX_CARDS = 640
MAX_CODE = 4096
MAX_SELECTORS = 96
MAX_FACTIONS = 40
MAX_IGNORES = 3
MAX_ZONE = 128
MAX_OPTIONS = 160
MAX_EFFECTS_LEARNT = 4
"""Maximum number of effects of a card that have lessons."""
MAX_NOTES = 199
"""Maximum number of notes: numbers that a strategy remembers from one option of a decision to the next."""

CARD = (MAX_CARDS,)

TABLES = np.dtype(
    (
        FieldRecord,
        [
            ("cards", np.int64),
            ("factions", np.int64),
            # What is printed on a card
            ("nation", np.int16, CARD),  # nation of the card, -1 for commons
            ("box", np.int16, CARD),  # bits of the boxes that contain a common: 1 Classics, 2 Legends
            ("kind", np.int16, CARD),  # CARD, POWER, JOURNEY, COURT, KING_OF_KINGS of `constants`
            ("other_side", np.int16, CARD),  # -1 for none
            ("name", np.int16, CARD),  # the same number for all cards with the same name
            ("suits", np.int16, CARD),
            ("state", np.int16, CARD),  # state icon, or NO_STATE
            ("pinned", np.int16, CARD),
            ("attack", np.int16, CARD),
            ("icons", np.int16, (MAX_CARDS, 3)),
            ("start", np.int16, CARD),  # START_DECK to START_COMMONS
            ("min_players", np.int16, CARD),
            ("cost", np.int16, (MAX_CARDS, 3)),  # price of developing the card
            ("unrest_to_develop", np.int16, CARD),  # unrest taken when the card is developed
            ("stores", np.int16, CARD),  # resource whose tokens may lie on the card
            ("free_play", np.int16, CARD),
            ("unplayable", np.int16, CARD),
            ("no_garrison", np.int16, CARD),
            ("comes_last", np.int16, CARD),  # 1 for a quest that may become active only if no other is impending
            ("fixed_in_play", np.int16, CARD),  # 1 if the card can be neither abandoned nor recalled
            ("region_weight", np.int16, CARD),  # number of regions that the card counts as
            # Effects
            ("code", np.int16, (MAX_CODE, CODE_COLUMNS)),
            ("code_end", np.int16, (MAX_CODE,)),  # for each row, the next END that is not nested more deeply
            ("program", np.int16, (MAX_CARDS, PROGRAMS)),
            ("play_asks", np.int16, CARD),  # 1 if the play effect has a payment, cost or choice (see `compile.asks`)
            ("selector", np.uint8, (MAX_SELECTORS, MAX_CARDS)),
            ("react_on", np.int16, CARD),
            ("react_to", np.int16, CARD),
            ("react_any_turn", np.int16, CARD),
            ("when", np.int16, CARD),
            ("when_to", np.int16, CARD),
            # Passives
            (
                "passives",
                np.int32,
                CARD,
            ),  # bits of its triggers in play, then of its abilities from `REPLACES_GAIN` on
            ("hand_size", np.int16, CARD),
            ("look_extra", np.int16, CARD),  # fame cards looked at in addition to those of an effect
            # Selector of cards (or NOTHING), and the state icon of these cards that the player may ignore
            ("ignores", np.int16, (MAX_CARDS, MAX_IGNORES, 2)),
            # Changes of the costs of effects of unrest cards: in material, and in cards. A changed cost is at least 1.
            ("unrest_cost", np.int16, (MAX_CARDS, 2)),
            # Change of the prices of developments. A changed price is at least 0.
            ("development_cost", np.int16, (MAX_CARDS, len(RESOURCES))),
            ("market_token", np.int16, (MAX_CARDS, 2)),  # tokens for the market at clean-up: resource (or -1), number
            ("exile_suits", np.int16, CARD),  # suits (bits) that the card lets its player acquire from exile
            ("shield", np.int16, CARD),  # how the card avoids attacks
            ("shield_arg", np.int16, CARD),  # selector of the card to recall, or population to pay
            ("plays_free", np.int16, CARD),  # selector of cards that are free plays, or NOTHING
            ("replaces_gain", np.int16, CARD),  # resource whose gain the card replaces, or -1
            ("sinks_with", np.int16, CARD),  # selector of the card with which this card leaves play, or NOTHING
            ("discard_relief", np.int16, CARD),  # what lowers a required discard: 1 its reaction, 2 its garrison
            ("relief_of", np.int16, CARD),  # selector of the cards whose discard is lowered
            # Points
            ("points_kind", np.int16, CARD),
            ("points_at", np.int16, (MAX_CARDS, ZONES)),  # fixed and conditional points by zone
            ("points", np.int16, CARD),  # variable: points for each `per` counted things, at most `cap`
            ("per", np.int16, CARD),
            ("cap", np.int16, CARD),
            ("of", np.int16, CARD),
            ("of_arg", np.int16, (MAX_CARDS, 2)),
            # Factions: a nation together with a side of its power card
            ("faction_nation", np.int16, (MAX_FACTIONS,)),
            ("faction_power", np.int16, (MAX_FACTIONS,)),
            ("faction_has_history", np.int16, (MAX_FACTIONS,)),
            ("faction_sinks", np.int16, (MAX_FACTIONS,)),  # has a sunken pile
            ("faction_develops", np.int16, (MAX_FACTIONS,)),  # can develop
            ("faction_becomes_empire", np.int16, (MAX_FACTIONS,)),  # becomes an empire by its accession card
            ("faction_starts_empire", np.int16, (MAX_FACTIONS,)),
            ("faction_exhausts", np.int16, (MAX_FACTIONS,)),
            # Lessons for cards and for individual effects (`LESSONS` of catalog.py), in points
            ("card_lesson", np.float64, (MAX_CARDS, LESSONS, 2)),  # for the first `EARLY_ROUNDS` rounds, and for later
            ("acting_lesson", np.float64, (MAX_CARDS, ACTING, ACTIONS_TOLD_APART)),  # added to these, by actions left
            ("lesson_at", np.int16, (MAX_CARDS, MAX_EFFECTS_LEARNT)),  # first row of the effect in `code`, 0 for none
            ("effect_lesson", np.float64, (MAX_CARDS, MAX_EFFECTS_LEARNT)),
            ("faction_hint", np.float64, (MAX_FACTIONS, 24)),  # hints for players: what a nation wants
            # Numbers of the rulebook and settings
            ("start_resource", np.int64, (3,)),
            ("actions", np.int64),
            ("hand", np.int64),
            ("deck_size", np.int64, (5,)),  # size of the small decks, by number of players
            ("fame_removed", np.int64, (5,)),
            ("round_limit", np.int64),
            ("turn_limit", np.int64),
            ("fallback_resource", np.int64),  # gained if a break-through finds nothing
            ("fallback_number", np.int64),
            ("king_of_kings", np.int64),  # side A of King of Kings
            ("king_once_per_player", np.int64),
            ("quest_is_scored", np.int64),
            ("garrisoned_unrest_counts", np.int64),
            ("sunken_unrest_counts", np.int64),
            ("unpayable_forbids", np.int64),  # FORBIDS_NOTHING to FORBIDS_ALL of `constants`
            ("empty_option_allowed", np.int64),
            ("play_triggers_first", np.int64),
            ("avoiding_loses_benefits", np.int64),
            ("power_card_is_counted", np.int64),
            ("tokens_on_cards_score", np.int64),
            ("tokens_gained_when_card_leaves", np.int64),
            ("tucked_unrest_is_taken", np.int64),
            ("barbarian_may_develop", np.int64),
        ],
    )
)
"""dtype of the tables. Every index of a card is a row of the card table."""
