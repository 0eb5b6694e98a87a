"""The record of cards, board sides, constants and settings that every kernel receives as `t`.

Capacities are fixed, so that an edited TOML file changes numbers in the record and never its dtype. compile.py fills
the record.

Lanes
-----
Whether a city can pay for a card is decided on "lanes". These are 4-bit numbers packed into one uint64. There is one
lane for each subset s of the four raw goods (16 lanes) or of the three manufactured goods (8 lanes). Bit i of s stands
for good i. In a need, lane s is the number of units of goods in s that are needed. In a source, it is 1 if the source
can give one of these goods. The lanes of several sources add up. Every source gives one good. By Hall's marriage
theorem, the sources can then meet a need exactly if no lane of the need is larger than the same lane of the sources.
A lane of a need is at most 7, so that two lanes can be subtracted.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from sim.compiler.kernel import FieldRecord, kernel
from sim.games.seven_wonders.rules.constants import ACTIONS_LEARNT, AGES, COLOURS, HALVES, SETTINGS

MAX_CARDS = 96
MAX_NAMES = 96
MAX_FACTIONS = 20
MAX_STAGES = 4
MAX_EFFECTS = 4
MAX_CHAIN_FROM = 2
MAX_CHAIN_TO = 4
MAX_ITEMS = MAX_CARDS + MAX_FACTIONS * MAX_STAGES
MAX_UNITS = 7
MAX_NEED_LEVELS = 4
EFFECT_NUMBERS = 5

TABLES = np.dtype(
    (
        FieldRecord,
        [
            ("cards", np.int64),
            ("names", np.int64),
            ("factions", np.int64),
            # Cards, by card id
            ("card_name", np.int64, (MAX_CARDS,)),
            ("card_age", np.int64, (MAX_CARDS,)),
            ("card_colour", np.int64, (MAX_CARDS,)),
            ("card_guild", np.int64, (MAX_CARDS,)),
            ("card_copies", np.int64, (MAX_CARDS, 8)),  # copies in the deck, by number of players
            ("chain_from", np.int64, (MAX_CARDS, MAX_CHAIN_FROM)),  # name ids, -1 for none
            ("chain_to", np.int64, (MAX_CARDS, MAX_CHAIN_TO)),  # card ids, -1 for none
            # Cards and wonder stages, by item id (see `stage_item`)
            ("item_coins", np.int64, (MAX_ITEMS,)),
            ("item_need", np.int64, (MAX_ITEMS, 7)),  # units by resource
            ("item_need_raw", np.uint64, (MAX_ITEMS,)),
            ("item_need_manufactured", np.uint64, (MAX_ITEMS,)),
            ("item_effects", np.int64, (MAX_ITEMS, MAX_EFFECTS, EFFECT_NUMBERS)),
            ("item_effect_count", np.int64, (MAX_ITEMS,)),
            # Mean number of cards per city that need more than n units of a resource. The indices are players, age,
            # resource, n and colour
            ("later_need", np.float64, (8, 4, 7, MAX_NEED_LEVELS, 7)),
            # Board sides, by faction id. The first field has the number of unbuilt stages that need more than n units
            # of a resource. Its indices are faction, stages built, resource and n
            ("stages_in_need", np.int64, (MAX_FACTIONS, MAX_STAGES + 1, 7, MAX_NEED_LEVELS)),
            ("faction_stages", np.int64, (MAX_FACTIONS,)),
            ("faction_resource", np.int64, (MAX_FACTIONS,)),
            ("faction_coins", np.int64, (MAX_FACTIONS,)),  # at the start
            ("faction_wonder", np.int64, (MAX_FACTIONS,)),  # the same for both sides of a board
            # Learned bonuses of players, in points on top of their appraisal
            ("card_lesson", np.float64, (MAX_CARDS, ACTIONS_LEARNT, HALVES)),  # by card id, action and half of the age
            ("colour_lesson", np.float64, (MAX_FACTIONS, len(COLOURS), len(AGES))),  # for building a card of a colour
            ("stage_lesson", np.float64, (MAX_FACTIONS, MAX_STAGES, len(AGES))),
            # Lanes of one source, by the bits of the goods that it can give
            ("raw_lanes", np.uint64, (16,)),
            ("manufactured_lanes", np.uint64, (8,)),
            # Constants
            ("start_coins", np.int64),
            ("hand_size", np.int64),
            ("turns_per_age", np.int64),
            ("discard_coins", np.int64),
            ("trade_price", np.int64),
            ("coins_per_vp", np.int64),
            ("science_set_vp", np.int64),
            ("military_win_vp", np.int64, (4,)),  # by age, from 1
            ("military_loss_vp", np.int64),
            ("pass_direction", np.int64, (4,)),  # by age, from 1: -1 to the left, +1 to the right
            ("guilds_beyond_players", np.int64),
            # Settings: index of the value in `SETTINGS`
            *((name, np.int64) for name in SETTINGS),
        ],
    )
)
"""dtype of the tables record. Ids count from 0 in the order of the TOML files."""


@kernel
def stage_item(faction: int, stage: int) -> int:
    """Return the item id of a stage (from 0) of a wonder side. The item id of a card is its card id."""
    return MAX_CARDS + faction * MAX_STAGES + stage


def need_lanes(units: Sequence[int]) -> int:
    """Return the lanes of a need.

    Parameters
    ----------
    units
        Units needed of each good of one class; at most 7 in total.
    """
    lanes = 0
    for subset in range(1 << len(units)):
        lanes += sum(count for good, count in enumerate(units) if subset >> good & 1) << 4 * subset
    return lanes


def source_lanes(options: int, goods: int) -> int:
    """Return the lanes of one source that gives one unit per turn.

    Parameters
    ----------
    options
        Bits of the goods to choose from.
    goods
        Number of goods in the class.
    """
    return sum(1 << 4 * subset for subset in range(1 << goods) if subset & options)
