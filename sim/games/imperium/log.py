"""What is written down of a game that is to be told, or whose cards are to be counted."""

from __future__ import annotations

from sim.games.imperium.state import LOG_ROWS
from sim.jit import Record, kernel

# Columns of a log row.
KIND, SEAT, CARD, VALUE, NUMBER, ROUND = range(6)

# Kinds of log rows: who, which card, and what VALUE and NUMBER are.
(
    TURN_BEGINS,
    PLAYED,  # VALUE 1: free
    USED,  # an exhaust ability
    REACTED,
    SOLSTICE_EFFECT,
    INNOVATED,
    REVOLTED,
    GAINED,  # resource, number
    PAID_FOR,  # resource, number
    STOLEN,  # resource, number, from CARD (a seat)
    GAINED_ACTION,
    DREW,
    RESHUFFLED,
    ACCEDED,  # top nation card came to the discard pile
    BECAME_EMPIRE,
    DEVELOPED,
    ACQUIRED,  # VALUE: `FROM_MARKET` or `FROM_EXILE`
    BROKE_THROUGH,  # VALUE: `FROM_MARKET` to `FROM_EXILE`
    FOUND_NOTHING,
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
    FOUND,  # VALUE: zone it goes to
    GAVE,  # VALUE: to which seat
    TOOK_BACK,  # from discard pile or history to the hand
    TOKEN_PLACED,  # resource, number, on CARD
    MARKET_FILLED,  # VALUE: slot
    SHIELDED_BY,
    FLIPPED,
    SCORING_TRIGGERED,  # VALUE: end reason
    COLLAPSED,
    ROUND_ENDS,
) = range(41)

# Columns of `seen`: what became of a card in one seat's hands; rounds count from 1, 0 is never.
OFFERED, GAINED_ROUND, PLAYED_ROUND, TIMES_PLAYED, DEVELOPED_ROUND, HISTORY_ROUND, GARRISON_ROUND, LOST_ROUND = range(8)


@kernel
def note(g: Record, kind: int, seat: int, card: int, value: int, number: int) -> None:
    """Write an event down, if this game is to be told."""
    if g.keeps_log != 0 and g.log_size < LOG_ROWS:
        row = g.log[g.log_size]
        row[KIND] = kind
        row[SEAT] = seat
        row[CARD] = card
        row[VALUE] = value
        row[NUMBER] = number
        row[ROUND] = g.rounds + 1
        g.log_size += 1


@kernel
def note_card(g: Record, seat: int, card: int, column: int) -> None:
    """Write down the round in which something first became of a card, if cards are to be counted."""
    if g.keeps_cards != 0 and g.seen[seat, card, column] == 0:
        g.seen[seat, card, column] = g.rounds + 1
