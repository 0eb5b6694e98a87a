"""The record of one game in play.

In every kernel `g` is this record and `t` are the tables of `tables.py`. Every physical card has its own row in the
card table, so no card is in two places. Cards lie in zones of a seat, in zones of the table, or in slots of the market.
The zones of the table are stored under the owner `TABLE` of `constants.py`. The top of a deck is the last entry of its
zone.
"""

from __future__ import annotations

import numpy as np

from sim.engine.state import OWN_ERRORS, game_record, log_record
from sim.games.imperium.rules.constants import FRAME_FIELDS, MAX_SEATS, SCORE_PARTS, SLOTS, ZONES
from sim.games.imperium.rules.tables import MAX_CARDS, MAX_NOTES, MAX_OPTIONS, MAX_ZONE

MAX_FRAMES = 64
LOG_ROWS = 12000

DRAWN_FULL = OWN_ERRORS
"""Error that stops a game: an effect has drawn more cards than a frame can hold."""

SEAT = (MAX_SEATS,)

LOG = log_record(rows=(LOG_ROWS, 6), pieces=(MAX_SEATS, MAX_CARDS, 8), number=np.int16)

STATE = game_record(
    [
        ("commons", np.int64),  # box of the common cards
        ("phase", np.int64),  # what happens when all effects are resolved
        ("steps", np.int64),  # cards played and abilities used this turn; -1 once scoring has been prepared
        ("solstice_seat", np.int64),  # seat whose solstice effects are being resolved
        ("turn_seat", np.int64),  # seat whose turn it is; NO_SEAT in the solstice
        ("activating", np.int64),  # 1 while the seat whose turn it is may use exhaust abilities
        ("first_seat", np.int64),  # seat to the left of the solstice marker
        ("rounds_left", np.int64),  # rounds to play, including the current one, once scoring has been triggered
        ("collapsed", np.int64),
        ("ending", np.int64),  # end reason that was triggered, or NOT_ENDING
        # Public
        ("resource", np.int64, (MAX_SEATS, 3)),
        ("actions", np.int64, SEAT),  # action tokens on the state card
        ("exhausts", np.int64, SEAT),  # exhaust tokens on the state card
        ("state", np.int64, SEAT),  # BARBARIAN or EMPIRE
        ("nation_exhausted", np.int64, SEAT),
        ("development_exhausted", np.int64, SEAT),
        ("ignores_state", np.int64, SEAT),  # state icons (bits) that do not restrict the next card played this turn
        ("market", np.int64, (SLOTS,)),  # card, or NO_CARD if the slot is empty
        ("market_tokens", np.int64, (SLOTS, 3)),
        ("market_unrest", np.int64, (SLOTS,)),  # unrest card below the market card, or NO_CARD
        ("king_turned", np.int64),  # 1 once King of Kings shows side B
        ("king_used", np.int64, SEAT),
        ("passives", np.int64, SEAT),  # bits of `t.passives` of the cards in play, and possibly of cards that have left
        # The state of each card
        ("exhausted", np.int8, (MAX_CARDS,)),  # 1 while an exhaust token is on the card
        ("stored", np.int32, (MAX_CARDS,)),  # number of tokens on the card, of the resource `t.stores`
        ("treated", np.int8, (MAX_CARDS, 3)),  # by icon: how many of the card's icons count as production this turn
        ("host", np.int16, (MAX_CARDS,)),  # card under which the card is garrisoned
        # Cards by zone. HAND, DECK, NATION, the small decks, MAIN_DECK and FAME_DECK are hidden
        ("zone", np.int16, (MAX_SEATS + 1, ZONES, MAX_ZONE)),
        ("zone_size", np.int64, (MAX_SEATS + 1, ZONES)),
        # The seats (bits) that know where a card is, and the heaps of cards that other seats cannot tell apart
        # (`knowledge.py`)
        ("knows_zone", np.int8, (MAX_CARDS,)),
        ("knows_place", np.int8, (MAX_CARDS,)),
        ("heap", np.int32, (MAX_CARDS,)),
        ("held", np.int8, (MAX_CARDS,)),
        ("put_back", np.int8, (MAX_CARDS,)),
        ("heaps", np.int64),  # number of heaps so far
        ("deck_heap", np.int64, SEAT),  # heap that the draw deck formed when it was last shuffled
        ("unseen", np.int16, (MAX_CARDS,)),  # working storage for places in a redeal (`determinize.py`)
        # Effects being resolved
        ("depth", np.int64),
        ("frame", np.int64, (MAX_FRAMES, FRAME_FIELDS)),
        ("pending", np.int64, (MAX_ZONE,)),  # cards whose solstice effects are still to come
        ("pending_count", np.int64),
        # The current decision
        ("asked", np.int64),
        ("asked_at", np.int64),
        ("asked_resource", np.int64),
        ("asked_amount", np.int64),
        ("asking", np.int64),
        ("option_kind", np.int64, (MAX_OPTIONS,)),
        ("option_card", np.int64, (MAX_OPTIONS,)),
        ("option_value", np.int64, (MAX_OPTIONS,)),
        ("option_seat", np.int64, (MAX_OPTIONS,)),
        # Statistics of each seat's actions
        ("empire_round", np.int64, SEAT),  # round in which the seat became an empire, 0 if never
        ("cards_played", np.int64, SEAT),
        ("unrest_taken", np.int64, SEAT),
        ("turns_cut", np.int64, SEAT),  # turns ended by the limit of `t.turn_limit` plays and abilities
        ("less_unrest", np.int64, SEAT),  # after a collapse: minus the number of the seat's unrest cards
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
