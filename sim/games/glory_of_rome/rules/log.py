"""The log of a game: rows for the narration, and what became of each card for each seat."""

from __future__ import annotations

from sim.compiler.kernel import Record, kernel
from sim.engine.event_log import write_log_row
from sim.games.glory_of_rome.rules.constants import NO_CARD

# Columns of a log row.
KIND, SEAT, WHAT, CARD, VALUE, NUMBER = range(6)

# Kinds of log rows. A comment says what WHAT, VALUE and NUMBER mean. SEAT is the seat, and CARD the card.
(
    ROUND_BEGINS,  # NUMBER: the round
    EVENT_REVEALED,  # CARD
    PLAY_ORDER,  # WHAT: direction, VALUE: arrows
    PHASE_BEGINS,  # WHAT: phase
    MISSION_KEPT,  # CARD
    MISSION_UNDER,  # CARD is put under the deck
    MISSION_DRAWN,  # CARD
    GAINED_GLORY,  # NUMBER: glory, below 0 if lost; VALUE: glory now
    GAINED_DENARII,  # NUMBER: denarii, below 0 if lost; VALUE: denarii now
    REACHED_MILESTONE,  # WHAT: milestone, NUMBER: its space; VALUE: followers now
    OFFERED_TREATY,  # WHAT: building type, VALUE: province, NUMBER: denarii
    ASKED_FOR,  # NUMBER: denarii demanded
    RAISED,  # VALUE: 1 if the offer is raised to NUMBER denarii, 0 if it stays at NUMBER
    ANSWERED_TREATY,  # VALUE: 1 if accepted; WHAT: token
    SPIED,  # WHAT: building type, VALUE: 0 glory, 1 free action
    ACTIVATED,  # WHAT: effect, VALUE: province, NUMBER: target
    PIECE_REMOVED,  # piece of the target SEAT; WHAT: level
    LEGION_REMOVED,  # legion of SEAT in region WHAT; VALUE: seat whose legion replaces it, or NO_SEAT
    LEGION_MOVED,  # legion of SEAT, from region WHAT to region VALUE
    LEGION_PLACED,  # in region WHAT
    VOTE_REMOVED,  # vote of SEAT; WHAT: its index in the column, from 0
    VOTE_PLACED,
    VOTE_PUSHED_OUT,  # vote of SEAT
    MAJORITY,
    CARD_TAKEN,  # CARD of SEAT; VALUE: seat that takes it
    CARD_DISCARDED,  # CARD
    CARD_SOLD,  # CARD
    CARD_DRAWN,  # CARD
    CARD_FROM_DISCARD,  # CARD
    CARD_PLAYED,  # CARD
    SET_LAID,  # WHAT: type
    CARD_IN_SET,  # CARD
    DECK_RENEWED,  # NUMBER: cards
    ANCHOR_REMOVED,
    RECRUITED,  # WHAT: 0 legions, 1 votes; NUMBER: how many
    PAID_FOR_GLORY,  # NUMBER: how many times
    BUILT,  # WHAT: type, VALUE: level, NUMBER: price
    MEDAL_TAKEN,  # WHAT: type
    FOLLOWER_PLACED,  # WHAT: place, VALUE: 1 with the bonus
    PIECE_PLACED,  # WHAT: level, VALUE: metal
    ACTS,  # WHAT: place whose action is carried out now
    INTRIGUE_PLACED,  # VALUE: province
    CONQUERED,  # WHAT: region
    LOST_AGAIN,  # WHAT: region that is no longer conquered
    TAXED,  # VALUE: 1 if doubled, NUMBER: denarii
    BOARD_TURNED,  # WHAT: direction, VALUE: quarter turns
    SETS_ALLOWED,  # NUMBER: how many more
    REGION_SCORED,  # WHAT: region, VALUE: place, from 0; NUMBER: points
    MISSION_SCORED,  # CARD, NUMBER: points
) = range(49)

# Columns of `log.pieces`: what became of a card for a seat. Rounds count from 1; 0 means never.
DRAWN, TAKEN_ROUND, PLAYED_ROUND, SET_ROUND, SOLD_ROUND, LOST_ROUND, POINTS, FULFILLED = range(8)


@kernel
def log_event(g: Record, kind: int, seat: int, what: int, card: int, value: int, number: int) -> None:
    """Log an event, if the game is narrated."""
    write_log_row(g, kind, seat, what, card, value, number)


@kernel
def mark(g: Record, seat: int, card: int, column: int, number: int) -> None:
    """Write `number` into the column `column` of a card for a seat, if cards are recorded."""
    if g.log.keeps_pieces != 0 and card != NO_CARD:
        g.log.pieces[seat, card, column] = number
