"""Tables that every kernel receives as `t`: the map, the cards and the settings as numbers.

Empires, kingdoms and enhancements are rows of one card table. The empires come first, sorted by epoch and, within an
epoch, by the order in which they are called. Then come the events, sorted by epoch.
"""

from __future__ import annotations

import numpy as np

from sim.compiler.kernel import FieldRecord
from sim.games.history_of_the_world.rules.constants import SETTINGS

MAX_LANDS = 128
MAX_BODIES = 64
MAX_REGIONS = 24
MAX_EPOCHS = 8
MAX_CARDS = 160
MAX_NEIGHBOURS = 16
MAX_STARTS = 4
MAX_DISCS = 6
MAX_OPERATIONS = 4
STACK = 16
"""Maximum number of empires, and of events, in an epoch."""

ROLL_KINDS = 49
"""Number of kinds of rolls that are counted separately (see `log.roll_kind`)."""

LANDS = (MAX_LANDS,)
CARDS = (MAX_CARDS,)

TABLES = np.dtype(
    (
        FieldRecord,
        [
            ("epochs", np.int64),
            ("regions", np.int64),
            ("lands", np.int64),
            ("bodies", np.int64),
            ("cards", np.int64),
            ("empires", np.int64),  # cards 0 to empires - 1
            # The map
            ("region", np.int16, LANDS),
            ("terrain", np.int16, LANDS),  # index in TERRAINS
            ("resource", np.int16, LANDS),  # number of resource icons
            ("borders", np.int16, (MAX_LANDS, MAX_NEIGHBOURS)),  # lands across a border, padded with NO_LAND
            ("stepping_stones", np.int16, (MAX_LANDS, MAX_NEIGHBOURS)),
            ("coasts", np.int16, (MAX_LANDS, MAX_NEIGHBOURS)),  # bodies that a land touches, padded with NOWHERE
            ("shores", np.int16, (MAX_BODIES, MAX_LANDS)),  # lands that touch a body, padded with NO_LAND
            ("body_kind", np.int16, (MAX_BODIES,)),
            ("body_borders", np.int8, (MAX_BODIES, MAX_BODIES)),  # 1: a common border
            ("presence", np.int16, (MAX_EPOCHS, MAX_REGIONS)),  # value of the token placed in an epoch; 0 for no token
            # Cards
            ("kind", np.int16, CARDS),
            ("epoch", np.int16, CARDS),  # epoch of a card, from 0
            ("order", np.int16, CARDS),  # when an empire is called in its epoch: 1 for the first
            ("start", np.int16, (MAX_CARDS, MAX_STARTS)),  # start lands, padded with NO_LAND
            ("armies", np.int16, CARDS),  # printed number, including those in the start lands
            ("capital", np.int16, CARDS),  # piece in the start lands: 1 for a capital, 2 for a city
            ("marauder", np.int16, CARDS),
            ("discs", np.int16, (MAX_CARDS, MAX_DISCS)),  # bodies with a fleet or caravan, padded with NOWHERE
            ("effect", np.int16, (MAX_CARDS, MAX_OPERATIONS, 3)),  # operations, padded with NOTHING
            # Learned bonuses: hundredths of a win for keeping a card, points per army for conquering a land
            ("card_lesson", np.float64, CARDS),
            ("land_lesson", np.float64, (MAX_EPOCHS, MAX_LANDS)),
            # Numbers of the rulebook and settings
            ("army_limit", np.int64),
            ("supply", np.int64, (3,)),  # capital_city, monument, fort
            ("attack_dice", np.int64),
            ("defence_dice", np.int64),
            ("fort_dice", np.int64),
            ("terrain_bonus", np.int64),
            ("maritime_rerolls", np.int64),
            ("siege_steps", np.int64),
            ("points_capital", np.int64),
            ("points_city", np.int64),
            ("points_monument", np.int64),
            ("points_destroyed", np.int64),
            ("icons_per_monument", np.int64),
            ("fort_price", np.int64),
            ("dominance_armies", np.int64),
            ("dominance_times", np.int64),
            ("control_armies", np.int64),
            ("control_times", np.int64),
            ("track_spaces", np.int64),
            *((setting, np.int64) for setting in SETTINGS),
        ],
    )
)
"""dtype of the tables."""
