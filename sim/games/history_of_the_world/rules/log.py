"""The log of a game: rows for the narration, and counts for each card, land and kind of roll."""

from __future__ import annotations

from sim.compiler.kernel import Record, kernel
from sim.engine.event_log import NO_ROW, new_row
from sim.games.history_of_the_world.rules.constants import MOST_PLUS, NO_CARD
from sim.games.history_of_the_world.rules.tables import MAX_EPOCHS, ROLL_KINDS

# Columns of a log row.
KIND, SEAT, LAND, CARD, VALUE, NUMBER, EPOCH = range(7)

# Kinds of log rows. A comment says which columns a kind uses apart from SEAT, and what VALUE and NUMBER mean.
(
    EPOCH_BEGINS,
    TOKEN_PLACED,  # VALUE: region, NUMBER: presence value
    STACK_HOLDS,  # CARD, which the seat sees before it chooses in the draft
    CHOSE_EVENT,  # CARD
    CHOSE_EMPIRE,  # CARD
    GAVE,  # CARD to seat VALUE (classic card selection)
    CALLED,  # CARD
    FOUNDED,  # CARD in LAND; VALUE: armies on the card, NUMBER: siege tokens
    CLEARED,  # LAND; VALUE: seat whose army is removed
    CONQUERS,  # LAND by way VALUE; NUMBER: armies left on the card
    ENTERED,  # LAND; VALUE 1: an inactive army of the seat is replaced
    ROLLED,  # LAND; VALUE: attacker's first die + 10 * second die, NUMBER: defender's dice likewise
    REROLLED,  # VALUE: 0 attacker, 1 defender; NUMBER: old + 10 * new number of the die
    COMPARED,  # VALUE: result of the attacker, NUMBER: of the defender, bonuses included
    WON_BATTLE,  # LAND, against seat VALUE
    TIED_BATTLE,  # LAND, against seat VALUE
    LOST_BATTLE,  # LAND, against seat VALUE
    BESIEGES,  # LAND; VALUE 1: with a siege token; NUMBER: bonus
    RETREATED,  # LAND
    DESTROYED,  # LAND; VALUE: 0 capital, 1 city, 2 monument
    FORT_REMOVED,  # LAND
    FORT_BUILT,  # LAND; CARD whose effect built it, or NO_CARD if it was paid for
    CITY_BUILT,  # LAND
    DISC_PLACED,  # VALUE: body
    PLAYED_EVENT,  # CARD
    USED_ABILITY,  # CARD
    SWAPPED,  # LAND; VALUE: seat whose army goes back to its supply
    GAINED_ARMIES,  # NUMBER: armies; VALUE: siege tokens
    MONUMENT_BUILT,  # LAND
    ENDED_CONQUEST,  # NUMBER: armies that go back to the supply
    INACTIVE,
    SCORED_REGION,  # VALUE: region, NUMBER: points; CARD: 0 presence, 1 dominance, 2 control
    SCORED_STRUCTURES,  # NUMBER: points
    GAINED_POINTS,  # NUMBER: points; VALUE: score part
    LANDED,  # VALUE: +1 or -1 point
    STANDS_AT,  # NUMBER: points
    EPOCH_ENDS,
    FIGHTS_AGAIN,  # LAND that the army leaves
) = range(38)

# Columns of `log.pieces`: what became of a card for a seat. Epochs and places in an order count from 1; 0 means never.
(
    OFFERED, TAKEN_EPOCH, TURN_PLACE, ARMIES_HAD, TRIED, WON, TURN_POINTS, REGION_POINTS, STRUCTURE_POINTS,
    LATER_TENTHS, DRAFT_PLACE, PLAYED_EPOCH,
) = range(12)  # fmt: skip


@kernel
def log_event(g: Record, kind: int, seat: int, land: int, card: int, value: int, number: int) -> None:
    """Log an event, if the game is narrated."""
    place = new_row(g)
    if place != NO_ROW:
        row = g.log.rows[place]
        row[KIND] = kind
        row[SEAT] = seat
        row[LAND] = land
        row[CARD] = card
        row[VALUE] = value
        row[NUMBER] = number
        row[EPOCH] = g.epoch


@kernel
def count_for(g: Record, seat: int, card: int, column: int, number: int) -> None:
    """Add `number` to the count `column` of a card for a seat, if cards are recorded."""
    if g.log.keeps_pieces != 0 and card != NO_CARD:
        g.log.pieces[seat, card, column] += number


@kernel
def count_land(g: Record, land: int, what: int, number: int) -> None:
    """Add `number` to the count `what` of a land in this epoch, if lands are recorded."""
    if g.log.keeps_pieces != 0:
        g.log.lands[land, what * MAX_EPOCHS + g.epoch] += number


@kernel
def roll_kind(terrain: bool, fort: bool, maritime: bool, plus: int) -> int:
    """Return the index of the kind of a roll.

    It depends on the defender's advantages and on `plus`, the bonus on the attacker's highest die.
    """
    return ((int(terrain) * 2 + int(fort)) * 2 + int(maritime)) * (MOST_PLUS + 1) + min(plus, MOST_PLUS)


OTHER_ROLLS = ROLL_KINDS - 1
"""Kind of the rolls in which the attacker may re-roll or wins ties."""


@kernel
def count_roll(g: Record, kind: int, result: int) -> None:
    """Count a roll by its kind and its result for the attacker: won, tied or lost."""
    if g.log.keeps_pieces != 0:
        g.log.rolls[kind, result] += 1
