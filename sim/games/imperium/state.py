"""The record of one game in play, and the words the kernels share.

In every kernel `g` is this record and `t` the tables of `cards.py`. A card is a row of the card table: every physical
card has its own, so no card is in two places. All cards lie in zones: those of a seat, and those of the table, which
are kept under the owner `TABLE`. The top of a deck is the last entry of its zone.
"""

from __future__ import annotations

import numpy as np

from sim.jit import Record, kernel
from sim.kit.frames import OWN_FRAME_FIELDS
from sim.record import game_record, log_record

MAX_SEATS = 4
MAX_CARDS = 640
MAX_ZONE = 128
MAX_OPTIONS = 160
MAX_FRAMES = 64
LOG_ROWS = 12000
NO_CARD = -1
NO_SEAT = -1

# Zones of a seat.
HAND, DECK, DISCARD, PLAY, HISTORY, NATION, DEVELOPMENT, GARRISON, SUNKEN = range(9)
ZONES = 9
ZONE_NAMES = ("hand", "draw_deck", "discard", "in_play", "history", "nation", "development", "garrisoned", "sunken")

TABLE = MAX_SEATS
"""Owner of the zones that lie in the middle of the table."""
REGION_DECK, UNCIVILISED_DECK, CIVILISED_DECK, MAIN_DECK, FAME_DECK, UNREST_PILE, EXILE_PILE, REMOVED = range(8)
TABLE_ZONE_NAMES = ("region", "uncivilised", "civilised", "main", "fame", "unrest", "exile", "removed")

# Heaps of the set-up, see `knowledge.py`: those of the common cards have the numbers of their decks.
NATION_HEAPS, STARTING_HEAPS, SHOWN_HEAPS = 8, 12, 16
"""Heap of the nation deck of seat 0, of its starting deck, and of hand cards that all knew; those of others follow."""
FIRST_FREE_HEAP = 20
EVERYBODY = (1 << MAX_SEATS) - 1
"""Bits of all seats."""

SLOTS = 5
SLOT_DECKS = (REGION_DECK, UNCIVILISED_DECK, CIVILISED_DECK, MAIN_DECK, MAIN_DECK)
"""Deck that refills each slot of the market."""

MATERIAL, POPULATION, PROGRESS = range(3)
RESOURCES = ("material", "population", "progress")

BARBARIAN, EMPIRE, NO_STATE = 0, 1, 2
STATES = ("barbarian", "empire")

# Suits, as bits of a mask.
REGION, UNCIVILISED, CIVILISED, TRIBUTARY, FAME, UNREST = 1, 2, 4, 8, 16, 32
SUITS = ("region", "uncivilised", "civilised", "tributary", "fame", "unrest")
"""Suit i has bit i."""
TUCKS_UNREST = UNCIVILISED | CIVILISED | TRIBUTARY
"""Suits with an unrest card under them in the market."""

PRODUCTION, FERTILE, RIVER = range(3)
ICONS = ("production", "fertile", "river")

# What a card is besides being a card.
CARD, POWER, JOURNEY, COURT, KING_OF_KINGS = range(5)

# Decisions a strategy is asked for; `g.asked` says what for (an operation of `words.py`), `g.asking` by which card.
TURN = 0
"""What to do next in one's turn: `option_kind` is one of `PLAY_CARD` to `END_TURN`, `option_card` the card."""
PICK = 1
"""A card, `option_card` in zone `option_value` of seat `option_seat`, or none (`NO_CARD`) for what `g.asked` does."""
MARKET = 2
"""A card to gain: `option_kind` is one of `FROM_MARKET` to `FROM_EXILE`, `option_value` the slot or the suit."""
ALTERNATIVE = 3
"""One of several instructions to follow: `option_value` is where it starts in `t.code`."""
WHETHER = 4
"""Whether to follow an optional instruction, `option_value` 0 no, 1 yes; it starts at `g.asked_at` in `t.code`."""
PAYMENT = 5
"""How much progress, `option_value`, stands in for `g.asked_resource` in a payment of `g.asked_amount`."""
DEVELOP = 6
"""A card of the development area to pay for and take, or none."""
PROTECT = 7
"""A card, `option_card`, that keeps the attack of card `g.asking` away, or none."""
INNOVATE_SUIT = 8
"""The suit, `option_value`, that is broken through for."""
AMOUNT = 9
"""How many, `option_value`."""
DECISIONS = ("turn", "pick", "market", "option", "may", "payment", "develop", "protect", "innovate", "amount")

# Phases of a game.
START_TURN, ACTIVATE, CLEANING_UP, DISCARDING, FILL_HAND, START_SOLSTICE, SOLSTICE, END_ROUND, BEFORE_SCORING = range(9)

# What can be done in a turn.
PLAY_CARD, EXHAUST_CARD, INNOVATE, REVOLT, END_TURN = range(5)

# Where a card is gained from.
FROM_MARKET, FROM_DECK, FROM_MAIN, FROM_EXILE = range(4)

# Effects being resolved, in frames (`sim.kit.frames`).
FINISH_PLAY, FIRE, ATTACKED = -1, -2, -3
"""Steps of the engine between effects: a card's play ends, something has happened that others wait for, an attack."""
OPTIONAL = -2
"""Repeats left of an instruction whose player may choose nothing."""
EXCEPT_PROGRESS = 4
"""Bits of seats that avoid all of an attack but progress given begin here in `SHIELDED`."""
# What an effect remembers, in the frame it began with.
(
    SHIELDED,  # bits of the seats an attack does not reach
    ABANDONED,  # cards abandoned
    ABANDONED_CARD,  # the last of them
    RETURNED,  # unrest returned
    DISCARDED,
    PAID,
    EXILED_CARD,
    AMOUNT_GAINED,  # what a reaction to a gain may double
    ICONS_USED,  # bits of the region icons of cards taken from play
    DRAWN,  # cards drawn, and which
    DRAWN_CARD,
) = range(OWN_FRAME_FIELDS, OWN_FRAME_FIELDS + 11)
DRAWN_CARDS = 4
FRAME_FIELDS = DRAWN_CARD + DRAWN_CARDS

SCORE_PARTS = ("progress", "power", "fame", "variable", "history", "regions", "other", "unrest")

# Why a game ended.
(
    MAIN_DECK_EMPTY,
    LAST_DEVELOPMENT,
    KING_OF_KINGS_TURNED,
    HARALD_HARDRADA,
    GRAAL,
    SHANGRI_LA,
    COLLAPSE,
    ROUND_LIMIT,
) = range(8)
END_REASONS = (
    "main deck",
    "last development",
    "King of Kings",
    "Harald Hardrada",
    "Graal",
    "Shangri-la",
    "collapse",
    "round limit",
)
NOT_ENDING = -1

SEAT = (MAX_SEATS,)

LOG = log_record(rows=(LOG_ROWS, 6), pieces=(MAX_SEATS, MAX_CARDS, 8), number=np.int16)

STATE = game_record(
    [
        ("commons", np.int64),  # box of the commons
        ("phase", np.int64),  # what comes when all effects are resolved
        ("steps", np.int64),  # plays and abilities of this turn; -1 once scoring is prepared
        ("solstice_seat", np.int64),  # whose solstice effects are resolved
        ("turn_seat", np.int64),  # whose turn it is; NO_SEAT in the solstice
        ("activating", np.int64),  # 1 while that seat may use exhaust abilities
        ("first_seat", np.int64),  # seat left of the solstice marker
        ("rounds_left", np.int64),  # rounds to play, this one included, once scoring is triggered
        ("collapsed", np.int64),
        ("ending", np.int64),  # end reason that was triggered, NOT_ENDING before
        # Open
        ("resource", np.int64, (MAX_SEATS, 3)),
        ("actions", np.int64, SEAT),  # action tokens on the state card
        ("exhausts", np.int64, SEAT),  # exhaust tokens on the state card
        ("state", np.int64, SEAT),  # BARBARIAN or EMPIRE
        ("nation_exhausted", np.int64, SEAT),
        ("development_exhausted", np.int64, SEAT),
        ("ignores_state", np.int64, SEAT),  # bits of the state icons the next card played this turn may bear
        ("market", np.int64, (SLOTS,)),  # card, NO_CARD if the slot is empty
        ("market_tokens", np.int64, (SLOTS, 3)),
        ("market_unrest", np.int64, (SLOTS,)),  # unrest card below, NO_CARD
        ("king_turned", np.int64),  # 1 once King of Kings shows side B
        ("king_used", np.int64, SEAT),
        # Every card's own state
        ("exhausted", np.int8, (MAX_CARDS,)),  # 1 with an exhaust token on it
        ("stored", np.int8, (MAX_CARDS,)),  # progress lying on it
        ("treated", np.int8, (MAX_CARDS, 3)),  # its icons that count as production this turn instead
        ("host", np.int16, (MAX_CARDS,)),  # card it is garrisoned under
        # Where the cards are; HAND, DECK, NATION and the small decks, MAIN_DECK and FAME_DECK are hidden
        ("zone", np.int16, (MAX_SEATS + 1, ZONES, MAX_ZONE)),
        ("zone_size", np.int64, (MAX_SEATS + 1, ZONES)),
        # What the seats know of where the cards lie, as bits of seats, and what is alike to the others (`knowledge.py`)
        ("knows_zone", np.int8, (MAX_CARDS,)),
        ("knows_place", np.int8, (MAX_CARDS,)),
        ("heap", np.int16, (MAX_CARDS,)),
        ("held", np.int8, (MAX_CARDS,)),
        ("put_back", np.int8, (MAX_CARDS,)),
        ("heaps", np.int64),  # heaps made so far
        ("deck_heap", np.int64, SEAT),  # heap that the draw deck was when it was last shuffled
        ("unseen", np.int16, (MAX_CARDS,)),  # places at work when a game is dealt anew (`redeal.py`)
        # Effects being resolved
        ("depth", np.int64),
        ("frame", np.int64, (MAX_FRAMES, FRAME_FIELDS)),
        ("pending", np.int64, (MAX_ZONE,)),  # cards whose solstice effects are still to come
        ("pending_count", np.int64),
        # The decision being made
        ("asked", np.int64),
        ("asked_at", np.int64),
        ("asked_resource", np.int64),
        ("asked_amount", np.int64),
        ("asking", np.int64),
        ("option_kind", np.int64, (MAX_OPTIONS,)),
        ("option_card", np.int64, (MAX_OPTIONS,)),
        ("option_value", np.int64, (MAX_OPTIONS,)),
        ("option_seat", np.int64, (MAX_OPTIONS,)),
        # What a seat did
        ("empire_round", np.int64, SEAT),  # round in which it became an empire, 0 never
        ("cards_played", np.int64, SEAT),
        ("unrest_taken", np.int64, SEAT),
        ("turns_cut", np.int64, SEAT),  # turns ended by the limit of `t.turn_limit` plays and abilities
        ("less_unrest", np.int64, SEAT),  # after a collapse: its unrest cards as a number below 0
    ],
    seats=MAX_SEATS,
    options=MAX_OPTIONS,
    notes=MAX_OPTIONS,
    score_parts=len(SCORE_PARTS),
    log=LOG,
)
"""dtype of a game record; one record holds the whole progress of a game, so a copy can be played on."""


def new_games(count: int) -> np.ndarray:
    """Return `count` blank game records, shape (count,)."""
    return np.zeros(count, STATE)


@kernel
def seat_after(g: Record, seat: int) -> int:
    """Return the next seat in turn order (clockwise)."""
    return seat + 1 if seat + 1 < g.players else 0
