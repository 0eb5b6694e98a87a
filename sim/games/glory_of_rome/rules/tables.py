"""Tables that every kernel receives as `t`: boards, cards and settings as numbers.

Trade cards, missions and events are rows of one card table, in this order. Cards with the same name are one row, which
has their number of copies.
"""

from __future__ import annotations

import numpy as np

from sim.compiler.kernel import FieldRecord
from sim.games.glory_of_rome.rules.constants import (
    BUILDINGS,
    FOLLOWERS_TOLD_APART,
    LEVELS,
    PLACES,
    REGIONS,
    SENATE_SIZE,
    SETTINGS,
    TABLES_TOLD_APART,
    TRADE_EFFECTS,
    TRADE_TYPES,
)

MAX_CHARACTERS = 12
MAX_CARDS = 160
MAX_TRACK = 8
MAX_POPULATION = 17
MAX_MILESTONES = 4
MAX_ROUNDS = 9

CARDS = (MAX_CARDS,)
CHARACTERS = (MAX_CHARACTERS,)
TILES = (len(BUILDINGS), LEVELS)

TABLES = np.dtype(
    (
        FieldRecord,
        [
            ("rounds", np.int64),
            ("characters", np.int64),
            ("cards", np.int64),
            ("trade_cards", np.int64),  # cards 0 to trade_cards - 1
            ("missions", np.int64),  # number of missions; their cards come next, then the events
            # Characters
            ("legions", np.int16, CHARACTERS),
            ("votes", np.int16, CHARACTERS),
            ("denarii", np.int16, CHARACTERS),
            ("glory", np.int16, CHARACTERS),
            ("discord", np.int16, CHARACTERS),
            ("anchor", np.int16, CHARACTERS),
            ("own_intrigue", np.int16, CHARACTERS),
            ("track", np.int16, (MAX_CHARACTERS, MAX_TRACK)),  # from the left: bonus type or NO_BONUS
            ("track_length", np.int16, CHARACTERS),
            # Cards
            ("kind", np.int16, CARDS),
            ("copies", np.int16, CARDS),
            ("star", np.int16, CARDS),  # 1: removed with 1 and 2 players
            ("removed_in", np.int16, CARDS),  # bits of the variants in which the card is removed
            ("type", np.int16, CARDS),  # type of a trade card
            ("when", np.int16, CARDS),
            ("effect", np.int16, (MAX_CARDS, len(TRADE_EFFECTS))),  # numbers by effect
            ("condition", np.int16, CARDS),  # condition of a mission or an event
            ("count", np.int16, CARDS),  # index in COUNTS, for MEDAL the type of building
            ("number", np.int16, CARDS),
            ("points", np.int16, CARDS),
            ("reward_denarii", np.int16, CARDS),  # reward of an event; below 0 for a loss
            ("reward_glory", np.int16, CARDS),
            ("direction", np.int16, CARDS),
            ("arrows", np.int16, CARDS),
            ("negative", np.int16, CARDS),
            # Numbers on boards. If a field has two rows, the second row is for 1 and 2 players
            ("price", np.int16, TILES),
            ("building_glory", np.int16, TILES),
            ("tiles", np.int16, (2, *TILES)),
            ("penalty", np.int16, (MAX_POPULATION,)),  # by population
            ("shield", np.int16, (2, len(REGIONS))),
            ("region_points", np.int16, (2, len(REGIONS), 4)),  # by place; the last place has no points
            ("senate_values", np.int16, (SENATE_SIZE,)),  # lowest first
            ("set_points", np.int16, (len(TRADE_TYPES),)),
            ("pantheon_points", np.int16, (4,)),  # by METALS
            ("pantheon_own", np.int16, (2,)),  # own pieces of each level
            ("pantheon_common", np.int16, (5, 2, 4)),  # by number of players, level and metal
            ("economic", np.int16, (MAX_ROUNDS,)),  # denarii by round
            ("milestones", np.int16, (MAX_MILESTONES,)),
            ("fixed_milestones", np.int64),  # this many milestones, the first ones, never move
            # Learned bonuses, in points, by round: for placing a follower (without and with the bonus, by followers
            # left) and for building a tile
            ("follower_lesson", np.float64, (len(TABLES_TOLD_APART), len(PLACES), 2, MAX_ROUNDS, FOLLOWERS_TOLD_APART)),
            ("tile_lesson", np.float64, (len(TABLES_TOLD_APART), *TILES, MAX_ROUNDS)),
            # Numbers of the rulebook and settings
            ("legion_limit", np.int64),
            ("vote_limit", np.int64),
            ("intrigue_tokens", np.int64),
            ("discord_tokens", np.int64),
            ("hand_limit", np.int64),
            ("set_limit", np.int64),
            ("missions_dealt", np.int64),
            ("missions_kept", np.int64),
            ("majority_glory", np.int64),
            ("majority_glory_with_medal", np.int64),
            ("colosseum_glory", np.int64),
            ("slander_glory", np.int64),
            ("invalid_vote_glory", np.int64),
            ("sold_denarii", np.int64),
            ("economic_medal_denarii", np.int64),
            ("card_price", np.int64),
            ("denarii_for_point", np.int64),
            ("denarii_for_point_with_medal", np.int64),
            *((setting, np.int64) for setting in SETTINGS),
        ],
    )
)
"""dtype of the tables."""
