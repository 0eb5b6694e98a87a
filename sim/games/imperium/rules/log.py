"""The log of a game: events for the narration, and the fate of each card for each seat."""

from __future__ import annotations

from sim.compiler.kernel import Record, kernel
from sim.engine.event_log import write_log_row
from sim.games.imperium.rules import constants

# Columns of a log row.
KIND, SEAT, CARD, VALUE, NUMBER, ROUND = range(6)

# Kinds of log rows. SEAT and CARD are the seat and the card concerned; comments explain VALUE and NUMBER.
(
    TURN_BEGINS,  # NUMBER: exhaust tokens on the state card
    PLAYED,  # VALUE: 0 for an action, 1 as a free play, 2 by another card's effect; NUMBER: the card's zone before
    USED,  # an exhaust ability
    REACTED,
    SOLSTICE_EFFECT,
    INNOVATED,
    REVOLTED,
    GAINED,  # VALUE: resource, NUMBER: amount
    PAID_FOR,  # VALUE: resource, NUMBER: amount
    STOLEN,  # VALUE: resource, NUMBER: amount, CARD: the seat that loses it
    GAINED_ACTION,
    DREW,
    RESHUFFLED,
    ACCEDED,  # the top nation card went to the discard pile
    BECAME_EMPIRE,
    DEVELOPED,
    ACQUIRED,  # VALUE: `FROM_MARKET` or `FROM_EXILE`
    BROKE_THROUGH,  # VALUE: `FROM_MARKET` to `FROM_EXILE`
    FOUND_NOTHING,  # VALUE: suits, NUMBER: selector that the card had to match
    TOOK_FAME,
    KING_RESOLVED,
    TOOK_UNREST,
    RETURNED_UNREST,
    DISCARDED,
    TOP_DECKED,
    INTO_HISTORY,
    SANK,
    WAS_EXILED,
    WAS_ABANDONED,
    RECALLED,
    GARRISONED,  # VALUE: host
    FOUND,  # VALUE: zone to which the card goes
    GAVE,  # VALUE: the receiving seat
    TOOK_BACK,  # to the hand, from discard pile, history or garrison
    TOKEN_PLACED,  # VALUE: resource, NUMBER: amount put on market card CARD
    MARKET_FILLED,  # VALUE: slot
    SHIELDED_BY,
    FLIPPED,
    SCORING_TRIGGERED,  # VALUE: end reason
    COLLAPSED,
    ROUND_ENDS,
    CLEANS_UP,
    HOLDS,  # a card in hand when a turn begins
    MARKET_SHOWS,  # VALUE: slot, when a round begins
    TOKENS_LIE,  # VALUE: resource, NUMBER: amount on market card CARD
    STANDS,  # CARD, VALUE, NUMBER: material, population, progress
    HAS_LEFT,  # CARD, VALUE, NUMBER: cards in hand, draw deck, discard pile
    HAS_AHEAD,  # CARD, VALUE, NUMBER: cards in nation deck, development area, unrest pile
    SWAPPED,  # hand card CARD replaces nation card VALUE
    PUT_BELOW,  # a nation card goes to the bottom
    LOOKED,  # NUMBER: how many of the top nation cards
    ENTERED_PLAY,
    COPIED,  # the exhaust ability of CARD, which is in play for seat VALUE
    TREATED,  # icon VALUE of CARD counts as production
    RENEWED,  # an exhaust token goes back from CARD to the state card
    SPENT_ACTION,  # NUMBER: action tokens
    TOKEN_STORED,  # VALUE: resource, NUMBER: amount put on CARD in play
    DECK_EXHAUSTED,  # an exhaust token goes to the nation deck (VALUE 0) or the development area (VALUE 1)
    TOKENS_TAKEN,  # all tokens on market card CARD; rows of the gains follow
    TOKEN_MOVED,  # VALUE: resource, NUMBER: amount moved from the player to CARD in play
    TOKENS_SPENT,  # VALUE: resource, NUMBER: amount that lay on CARD
) = range(61)

# Columns of `log.pieces`: the fate of a card for a seat. Rounds count from 1; 0 means never.
OFFERED, GAINED_ROUND, PLAYED_ROUND, TIMES_PLAYED, DEVELOPED_ROUND, HISTORY_ROUND, GARRISON_ROUND, LOST_ROUND = range(8)

MOST_COUNTED = 32767
"""Maximum count of a card's plays: the largest number that fits into `log.pieces`."""


@kernel
def log_event(g: Record, kind: int, seat: int, card: int, value: int, number: int) -> None:
    """Log an event, if the game is narrated."""
    write_log_row(g, kind, seat, card, value, number, g.rounds + 1)


@kernel
def note_card(g: Record, seat: int, card: int, column: int) -> None:
    """Record the round in which an event first happened to a card of a seat, if cards are recorded."""
    if g.log.keeps_pieces != 0 and g.log.pieces[seat, card, column] == 0:
        g.log.pieces[seat, card, column] = g.rounds + 1


@kernel
def log_market(g: Record) -> None:
    """Log the market at the start of a round."""
    for slot in range(constants.SLOTS):
        card = int(g.market[slot])
        if card != constants.NO_CARD:
            log_event(g, MARKET_SHOWS, constants.NO_SEAT, card, slot, 0)
            for resource in range(len(constants.RESOURCES)):
                if g.market_tokens[slot, resource] > 0:
                    log_event(g, TOKENS_LIE, constants.NO_SEAT, card, resource, int(g.market_tokens[slot, resource]))


@kernel
def log_hand(g: Record, seat: int) -> None:
    """Log the hand of a seat at the start of its turn."""
    for place in range(g.zone_size[seat, constants.HAND]):
        log_event(g, HOLDS, seat, int(g.zone[seat, constants.HAND, place]), 0, 0)


@kernel
def log_standing(g: Record, seat: int) -> None:
    """Log a seat's resources, and the number of its cards in each zone."""
    resource = g.resource[seat]
    size = g.zone_size[seat]
    log_event(
        g,
        STANDS,
        seat,
        int(resource[constants.MATERIAL]),
        int(resource[constants.POPULATION]),
        int(resource[constants.PROGRESS]),
    )
    log_event(
        g, HAS_LEFT, seat, int(size[constants.HAND]), int(size[constants.DECK]), int(size[constants.DISCARD_PILE])
    )
    log_event(
        g,
        HAS_AHEAD,
        seat,
        int(size[constants.NATION]),
        int(size[constants.DEVELOPMENT]),
        int(g.zone_size[constants.TABLE, constants.UNREST_PILE]),
    )
