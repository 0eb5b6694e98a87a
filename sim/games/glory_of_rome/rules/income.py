"""Taxes, and turning the board (rulebook: Income phase)."""

from __future__ import annotations

from sim.compiler.kernel import Record, kernel
from sim.games.glory_of_rome.rules import constants
from sim.games.glory_of_rome.rules.conditions import population, province_before
from sim.games.glory_of_rome.rules.glory import gain_denarii, lose_glory, spaces_behind
from sim.games.glory_of_rome.rules.log import BOARD_TURNED, TAXED, log_event


@kernel
def penalty(g: Record, t: Record, seat: int) -> int:
    """Return the glory that a seat would lose by taxing twice."""
    return int(t.penalty[population(g, province_before(g, seat))])


@kernel
def can_tax_twice(g: Record, t: Record, seat: int) -> bool:
    """Tell whether a seat's marker can move back by the full penalty."""
    return bool(spaces_behind(g, t, seat) >= penalty(g, t, seat))


@kernel
def tax(g: Record, t: Record, seat: int, doubled: bool) -> None:
    """Take as many denarii as the population of the province. If `doubled`, take twice as many and lose glory."""
    denarii = population(g, province_before(g, seat))
    if doubled:
        denarii *= 2
    log_event(g, TAXED, seat, 0, constants.NO_CARD, int(doubled), denarii)
    g.taxes[seat] += denarii
    gain_denarii(g, seat, denarii)
    if doubled:
        g.double_taxes[seat] += 1
        lose_glory(g, t, seat, penalty(g, t, seat))


@kernel
def turn_board(g: Record) -> None:
    """Turn the board one place per arrow in the direction of the event. With Clockwork, turn it one place clockwise."""
    direction, places = int(g.direction), int(g.arrows)
    if g.variant & constants.CLOCKWORK != 0:
        direction, places = constants.CLOCKWISE, 1
    log_event(g, BOARD_TURNED, constants.NO_SEAT, direction, constants.NO_CARD, places, 0)
    for _ in range(places):
        if direction == constants.CLOCKWISE:
            last = int(g.board[3])
            for place in range(3, 0, -1):
                g.board[place] = g.board[place - 1]
            g.board[0] = last
        else:
            first = int(g.board[0])
            for place in range(3):
                g.board[place] = g.board[place + 1]
            g.board[3] = first
