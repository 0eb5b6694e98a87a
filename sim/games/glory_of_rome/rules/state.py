"""The record of one game in play.

In every kernel `g` is this record and `t` are the tables of `tables.py`. Hidden information: trade cards and missions
in hands, the order of the decks, future events, and a diplomacy token until the opponent has answered.
"""

from __future__ import annotations

import numpy as np

from sim.engine.state import OWN_ERRORS, game_record, log_record
from sim.games.glory_of_rome.rules.constants import (
    BONUSES,
    BUILDINGS,
    LEVELS,
    MAX_SEATS,
    PLACES,
    PROVINCES,
    REGIONS,
    ROUNDS,
    SCORE_PARTS,
    SENATE_SIZE,
    TRADE_TYPES,
)
from sim.games.glory_of_rome.rules.tables import MAX_CARDS, MAX_MILESTONES, MAX_TRACK

MAX_OPTIONS = 256
LOG_ROWS = 3000
HAND_PLACES = 8
"""Maximum number of cards in a hand. `hand_limit` in the tables never exceeds it."""
MISSION_PLACES = 48
DECK_PLACES = 160

# Errors that stop a game. The checks of the data make them impossible.
HAND_FULL = OWN_ERRORS
MISSIONS_FULL = OWN_ERRORS + 1

SEAT = (MAX_SEATS,)

LOG = log_record(rows=(LOG_ROWS, 6), pieces=(MAX_SEATS, MAX_CARDS, 8), number=np.int16)

STATE = game_record(
    [
        ("variant", np.int64),  # bits of VARIANTS
        ("small", np.int64),  # 1 with 1 or 2 players: the second rows of the tables apply
        ("phase", np.int64),
        ("round_number", np.int64),  # from 1
        ("starting_player", np.int64),
        ("direction", np.int64),
        ("arrows", np.int64),
        ("event", np.int64),  # the face-up card, or NO_CARD
        ("turns_taken", np.int64),  # number of players who have had their turn in this phase
        ("turn_seat", np.int64),  # seat whose turn it is in this phase
        # Public, of the table
        ("place", np.int64, SEAT),  # place of each seat at the board, 0 to 3
        ("seat_at", np.int64, (len(PROVINCES),)),  # seat at each place, or NO_SEAT
        ("board", np.int64, (len(PROVINCES),)),  # province in front of each place
        ("building", np.int8, (len(PROVINCES), len(BUILDINGS))),  # level of a building
        ("intrigue", np.int8, (len(PROVINCES), MAX_SEATS)),  # tokens face down
        ("activated", np.int8, (len(PROVINCES), MAX_SEATS)),  # tokens face up
        ("tiles", np.int64, (len(BUILDINGS), LEVELS)),  # tiles left
        ("medal", np.int64, (len(BUILDINGS),)),  # owner, NO_SEAT or OUT_OF_THE_GAME
        ("common", np.int64, (2, 4)),  # Pantheon pieces left by level and metal
        ("legions", np.int64, (len(REGIONS), MAX_SEATS)),
        ("conquered", np.int64, (len(REGIONS),)),  # 1 once conquered
        ("senate", np.int64, (SENATE_SIZE + 1,)),  # owners of the votes, lowest vote first
        ("senate_size", np.int64),
        ("marker", np.int64, (MAX_MILESTONES,)),  # spaces of the milestones
        # Public, of each seat
        ("glory", np.int64, SEAT),
        ("denarii", np.int64, SEAT),
        ("reached", np.int8, (MAX_SEATS, MAX_MILESTONES)),
        ("followers", np.int64, SEAT),
        ("followers_left", np.int64, SEAT),
        ("placed", np.int8, (MAX_SEATS, len(PLACES))),  # followers placed this round
        ("bonus_used", np.int8, (MAX_SEATS, BONUSES)),
        ("board_legions", np.int64, SEAT),
        ("board_votes", np.int64, SEAT),
        ("intrigue_left", np.int64, SEAT),
        ("own_intrigue", np.int64, SEAT),
        ("track", np.int8, (MAX_SEATS, MAX_TRACK)),
        ("track_length", np.int64, SEAT),
        ("discord", np.int64, SEAT),  # tokens; they cover the rightmost spaces of the track
        ("anchor", np.int64, SEAT),  # 1: an anchor card in hand
        ("pantheon_own", np.int8, (MAX_SEATS, 2)),
        ("pantheon_common", np.int8, (MAX_SEATS, 2)),  # index in METALS, 0 if none
        ("sets", np.int8, (MAX_SEATS, len(TRADE_TYPES))),
        ("set_limit", np.int64, SEAT),
        # Cards
        ("hand", np.int16, (MAX_SEATS, HAND_PLACES)),
        ("hand_size", np.int64, SEAT),
        # For each card in a hand: condition of the card whose effect has just drawn it; NEVER for older cards
        ("fresh", np.int8, (MAX_SEATS, HAND_PLACES)),
        ("missions", np.int16, (MAX_SEATS, MISSION_PLACES)),
        ("mission_count", np.int64, SEAT),
        ("trade_deck", np.int16, (DECK_PLACES,)),  # the last card of a deck is drawn next
        ("trade_size", np.int64),
        ("discard", np.int16, (DECK_PLACES,)),
        ("discard_size", np.int64),
        ("mission_deck", np.int16, (DECK_PLACES,)),
        ("mission_size", np.int64),
        ("event_deck", np.int16, (DECK_PLACES,)),
        ("event_size", np.int64),
        # 1 + index from the bottom of a mission that a seat put under the deck; the number is kept after the mission is
        # drawn
        ("known", np.int16, (MAX_SEATS, MAX_CARDS)),
        # What seat `me` knows about the hand of `owner`, by [me, owner, card] or [me, owner] (see `sightings.py`)
        ("seen", np.int8, (MAX_SEATS, MAX_SEATS, MAX_CARDS)),
        ("doubtful", np.int8, (MAX_SEATS, MAX_SEATS, MAX_CARDS)),
        ("gone", np.int64, (MAX_SEATS, MAX_SEATS)),
        ("strangers", np.int64, (MAX_SEATS, MAX_SEATS)),
        ("blurred", np.int64, (MAX_SEATS, MAX_SEATS)),
        ("taker", np.int64, SEAT),  # the last seat that took cards from a hand unseen, or NO_SEAT
        # Doubtful cards that a redeal assumes to be in their taker's hand
        ("moved", np.int8, (MAX_SEATS, MAX_CARDS)),
        ("pool", np.int16, (2 * DECK_PLACES,)),  # scratch space for the cards of a redeal
        # The action in progress: the chosen option, and the stage of the turn
        ("stage", np.int64),
        ("act_kind", np.int64),
        ("act_card", np.int64),
        ("act_value", np.int64),
        ("act_seat", np.int64),
        ("act_place", np.int64),
        ("legions_left", np.int64),  # legion steps still to be made
        ("window_when", np.int64),  # condition of the first card played in this window, or NEVER
        ("window_plays", np.int64),  # number of cards played in this window
        # An offered treaty; only the owner of the token knows its kind
        ("token", np.int64),
        ("offered", np.int64),
        ("asked_for", np.int64),
        # For games inspected from outside: whether the game is paused, and at which decision
        ("paused", np.int64),
        ("paused_decision", np.int64),
        # The current decision
        ("option_kind", np.int64, (MAX_OPTIONS,)),
        ("option_card", np.int64, (MAX_OPTIONS,)),
        ("option_value", np.int64, (MAX_OPTIONS,)),
        ("option_seat", np.int64, (MAX_OPTIONS,)),
        ("option_place", np.int64, (MAX_OPTIONS,)),
        # Statistics of each seat's actions
        ("score_after", np.int64, (MAX_SEATS, ROUNDS)),
        ("followers_placed", np.int64, (MAX_SEATS, len(PLACES))),
        ("tiles_built", np.int64, (MAX_SEATS, len(BUILDINGS))),
        ("majorities", np.int64, SEAT),
        ("activations", np.int64, SEAT),
        ("suffered", np.int64, SEAT),
        ("double_taxes", np.int64, SEAT),
        ("taxes", np.int64, SEAT),
        ("cards_drawn", np.int64, SEAT),
        ("cards_played", np.int64, SEAT),
        ("bonuses_used", np.int64, SEAT),
        ("treaties", np.int64, SEAT),
        ("fulfilled", np.int64, SEAT),  # number of missions
        ("achievements", np.int64, SEAT),  # bits of ACHIEVEMENTS
        ("tasks", np.int64, SEAT),  # bits of TASKS
        ("clockwise_rounds", np.int64),
    ],
    seats=MAX_SEATS,
    options=MAX_OPTIONS,
    notes=MAX_OPTIONS,
    score_parts=len(SCORE_PARTS),
    log=LOG,
)
"""dtype of a game record. It holds the whole state of a game, so a game can be continued from a copy."""


def new_games(count: int) -> np.ndarray:
    """Return `count` blank game records, shape (count,)."""
    return np.zeros(count, STATE)
