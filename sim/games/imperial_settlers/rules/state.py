"""The record of one game in play.

In every kernel `g` is this record and `t` are the tables of `tables.py`. A card is a row of the card table, and every
card is in one zone (`constants.py`). Hands, packs, decks, cards under Gates, markers of Trade Routes, and foundations
that were hand cards are hidden. `knows` holds, for each card, the seats that know where the card is.
"""

from __future__ import annotations

import numpy as np

from sim.engine.state import game_record, log_record
from sim.games.imperial_settlers.rules.constants import (
    COLOURS,
    FRAME_FIELDS,
    MAX_SEATS,
    RESOURCES,
    ROUNDS,
    SCORE_PARTS,
    SUPPLY,
    TRIGGERS,
    ZONES,
)
from sim.games.imperial_settlers.rules.tables import MAX_CARDS, MAX_NOTES, MAX_OPTIONS, MAX_ZONE

MAX_FRAMES = 48
LOG_ROWS = 8000
SEAT = (MAX_SEATS,)
CARDS = (MAX_CARDS,)

LOG = log_record(rows=(LOG_ROWS, 6), pieces=(MAX_SEATS, MAX_CARDS, 8), number=np.int16)

STATE = game_record(
    [
        ("lookout", np.int64),  # STANDARD, ALTERNATIVE or ADVANCED of `constants`
        ("peaceful", np.int64),
        ("solo", np.int64),
        ("phase", np.int64),
        ("first_seat", np.int64),
        ("turn_seat", np.int64),  # seat whose turn it is, or NO_SEAT
        ("lookout_step", np.int64),  # progress of the lookout phase (see `lookout.py`)
        ("exchanging", np.int64),  # 1 while `turn_seat` may exchange more workers in the same action
        ("free_step", np.int64),  # 1 once `turn_seat` has taken a free step this turn
        ("acted", np.int64),  # 1 once the action has begun; the turn ends when all effects are resolved
        # Public
        ("goods", np.int64, (MAX_SEATS, SUPPLY)),
        ("points", np.int64, SEAT),  # points on the track
        ("passed", np.int64, SEAT),
        ("colours", np.int64, (MAX_SEATS, len(COLOURS))),  # number of locations of each colour that work for a seat
        ("features", np.int64, (MAX_SEATS, len(TRIGGERS))),  # number of these locations with each trigger
        ("sources", np.int16, (MAX_ZONE,)),  # sources that are still to produce for the seat whose turn it is
        ("source_count", np.int64),
        # State of each card while it is a location
        ("owner", np.int8, CARDS),  # seat in whose empire the location is
        ("holder", np.int8, CARDS),  # seat for which the location works: the owner, or who controls it
        ("used", np.int8, CARDS),
        ("blocked", np.int8, CARDS),
        ("defence", np.int8, CARDS),
        ("samurai", np.int8, CARDS),
        ("gained", np.int8, CARDS),  # how often an Oasis has gained something this round
        ("paid", np.int16, (MAX_CARDS, SUPPLY)),  # goods on the card that were paid for its use
        ("banked", np.int16, (MAX_CARDS, RESOURCES + 1)),
        ("tucked", np.int16, CARDS),  # number of cards under the location
        ("ran", np.int8, CARDS),  # 1 for a card that has let other locations produce in the current chain
        ("host", np.int16, CARDS),  # Gate under which a tucked card lies
        # Where the cards are
        ("zone", np.int16, (MAX_SEATS + 1, ZONES, MAX_ZONE)),
        ("zone_size", np.int64, (MAX_SEATS + 1, ZONES)),
        ("knows", np.int8, CARDS),  # seats (bits) that know where the card is
        # Seats (bits) that have lost sight of the card: they know only that it is in its deck or in a certain hand, or
        # was laid down unseen from there
        ("knows_deck", np.int8, CARDS),
        ("clock", np.int64),  # number of shuffles plus number of cards laid face down so far (`knowledge.py`)
        ("heap", np.int16, CARDS),  # value of `clock` when the card was shuffled
        ("came", np.int16, CARDS),  # value of `clock` when the card came to its hand, pack or deck
        ("laid", np.int16, CARDS),  # value of `clock` when the card was laid down unseen
        ("unseen", np.int16, CARDS),  # working storage for places in a redeal (`determinize.py`)
        # Effects being resolved
        ("depth", np.int64),
        ("frame", np.int64, (MAX_FRAMES, FRAME_FIELDS)),
        # The price that is being added up: goods, and resources of any kind
        ("due", np.int64, (SUPPLY,)),
        ("due_any", np.int64),
        # The current decision
        ("asked", np.int64),
        ("asked_card", np.int64),
        ("asked_good", np.int64),
        ("option_kind", np.int64, (MAX_OPTIONS,)),
        ("option_card", np.int64, (MAX_OPTIONS,)),
        ("option_value", np.int64, (MAX_OPTIONS,)),
        ("option_seat", np.int64, (MAX_OPTIONS,)),
        # The decision at which `pause` stopped the game: seat, decision, and what it is about
        ("paused", np.int64),  # 1 once the game is stopped
        ("paused_seat", np.int64),
        ("paused_decision", np.int64),
        ("paused_asked", np.int64),
        ("paused_card", np.int64),
        ("paused_good", np.int64),
        # Statistics of each seat's actions
        ("actions", np.int64, (MAX_SEATS, ROUNDS)),  # number of actions in each round
        ("built", np.int64, (MAX_SEATS, 2)),  # common and faction locations
        ("deals_made", np.int64, SEAT),
        ("razed_from_hand", np.int64, SEAT),
        ("razed", np.int64, SEAT),  # locations of other seats that the seat razed
        ("was_razed", np.int64, SEAT),  # locations of the seat that other seats razed
        ("given_up", np.int64, SEAT),  # locations and foundations given up to build
        ("activated", np.int64, SEAT),
        ("exchanged", np.int64, SEAT),  # pairs of workers
        ("drawn", np.int64, SEAT),  # cards
        ("score_after", np.int64, (MAX_SEATS, ROUNDS)),  # points as if the game had ended after each round
    ],
    seats=MAX_SEATS,
    options=MAX_OPTIONS,
    notes=MAX_NOTES,
    score_parts=len(SCORE_PARTS),
    log=LOG,
)
"""dtype of a game record. The record holds the whole state of a game, so a copy of it can be played on."""


def new_games(count: int) -> np.ndarray:
    """Return `count` blank game records, shape (count,)."""
    return np.zeros(count, STATE)
