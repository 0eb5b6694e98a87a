"""The log of a game: events for the narration, and the fate of each card for each seat."""

from __future__ import annotations

from sim.compiler.kernel import Record, kernel
from sim.engine.event_log import write_log_row
from sim.games.imperial_settlers.rules.constants import NO_CARD

# Columns of a log row.
KIND, SEAT, CARD, VALUE, NUMBER, ROUND = range(6)

# Kinds of log rows. SEAT is the seat concerned; comments explain CARD, VALUE and NUMBER.
(
    ROUND_BEGINS,
    PHASE_BEGINS,  # VALUE: phase
    ROW_SHOWS,  # CARD in the row or the pack before a pick
    TOOK,  # CARD from the row or the pack
    LEFT_OVER,  # CARD that is discarded from the row or a pack
    DREW,  # CARD
    RESHUFFLED,  # VALUE: owner of the deck, a seat or TABLE
    NOTHING_TO_DRAW,  # VALUE: COMMON_DECK or FACTION_DECK
    PRODUCES,  # CARD: source, BOARD for the board
    GAINED,  # VALUE: good, NUMBER: amount, CARD: source, or NO_CARD if a rule gives the good
    LOST,  # VALUE: good, NUMBER: amount, CARD: as with GAINED
    BUILT,  # CARD; VALUE: 1 if its location cost was waived
    PAID,  # VALUE: good, NUMBER: amount, CARD: what the seat pays for
    GAVE_UP,  # CARD: location or foundation; VALUE: 1 if a foundation
    MADE_DEAL,  # CARD
    TRADED,  # CARD: location of seat VALUE with which a deal is made; NUMBER: the marker
    TRADE_ENDED,  # CARD as in TRADED
    RAZED_FROM_HAND,  # CARD
    RAZED,  # CARD of seat VALUE; NUMBER: raze tokens spent
    BECAME_FOUNDATION,  # CARD; VALUE: 1 if from the hand
    LEFT_PLAY,  # CARD; VALUE: 1 if out of the game, 2 if to the virtual player's pile
    ACTIVATED,  # CARD
    EXCHANGED,  # VALUE: WOOD to FOOD, COMMON_DECK or FACTION_DECK; NUMBER: workers paid
    DEFENDED,  # CARD
    PLACED_SAMURAI,  # CARD; VALUE: 1 if by an effect
    TUCKED,  # CARD under the Gate VALUE
    BANKED,  # VALUE: good, NUMBER: amount put on CARD
    PASSED,
    DISCARDED,  # CARD from the hand
    LOST_DEAL,  # CARD; VALUE: the seat that takes the deal, or NO_SEAT if it is discarded
    BECAME_RENEWED,  # CARD, which can be used again
    BECAME_BLOCKED,  # CARD of seat VALUE
    TOOK_CONTROL,  # CARD of seat VALUE
    GAVE_BACK,  # CARD to seat VALUE
    LOOKED_AT,  # CARD
    KEPT,  # CARD
    CONVERTED,  # VALUE: good that the seat turns into points
    HOLDS,  # CARD in hand as the action phase begins
    STANDS,  # VALUE: good, NUMBER: amount when a phase ends
    ATTACK_SHOWN,  # CARD
    ATTACK_MISSES,
    ATTACK_TAKES,  # CARD
    TO_VIRTUAL,  # CARD is placed in front of the virtual player
    STORED,  # VALUE: good, NUMBER: amount
    ROUND_ENDS,  # VALUE: seat, NUMBER: the seat's points as if the game ended now
    TURN_BEGINS,  # in the action phase
) = range(46)

# Columns of `log.pieces`: the fate of a card for a seat. Rounds count from 1; 0 means never.
OFFERED, HELD_ROUND, BUILT_ROUND, DEALT_ROUND, RAZED_ROUND, GIVEN_UP_ROUND, LOST_ROUND, TIMES_USED = range(8)


@kernel
def log_event(g: Record, kind: int, seat: int, card: int, value: int, number: int) -> None:
    """Log an event, if the game is narrated."""
    write_log_row(g, kind, seat, card, value, number, int(g.rounds))


@kernel
def log_good(g: Record, kind: int, seat: int, card: int, good: int, number: int) -> None:
    """Log that a seat gains, pays or loses goods, if `number` is not 0."""
    if number != 0:
        log_event(g, kind, seat, card, good, number)


@kernel
def note_card(g: Record, seat: int, card: int, column: int) -> None:
    """Record the round in which an event first happened to a card of a seat, if cards are recorded."""
    if g.log.keeps_pieces != 0 and card != NO_CARD and g.log.pieces[seat, card, column] == 0:
        g.log.pieces[seat, card, column] = max(int(g.rounds), 1)


@kernel
def note_again(g: Record, seat: int, card: int, column: int) -> None:
    """Add 1 to a column of a card's row in `log.pieces`, if cards are recorded."""
    if g.log.keeps_pieces != 0 and g.log.pieces[seat, card, column] < 255:
        g.log.pieces[seat, card, column] += 1
