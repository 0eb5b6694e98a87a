"""The Pantheon (rulebook: Pantheon): a level begins with a player's own pieces and ends with a common one."""

from __future__ import annotations

from sim.compiler.kernel import Record, kernel
from sim.games.glory_of_rome.rules import constants
from sim.games.glory_of_rome.rules.log import PIECE_PLACED, PIECE_REMOVED, log_event

NO_PIECE = -1


@kernel
def is_finished(g: Record, t: Record, seat: int, level: int) -> bool:
    """Tell whether all pieces of a seat's Pantheon level have been placed."""
    return bool(g.pantheon_common[seat, level] != 0 and g.pantheon_own[seat, level] == t.pantheon_own[level])


@kernel
def next_piece(g: Record, t: Record, seat: int, level: int) -> int:
    """Return the piece that a seat would place next on a level: its own, the best common one left, or NO_PIECE."""
    if is_finished(g, t, seat, level):
        return NO_PIECE
    if level == constants.ROOF and t.roof_first == 0 and not is_finished(g, t, seat, constants.BASE):
        return NO_PIECE
    if g.pantheon_own[seat, level] < t.pantheon_own[level]:
        return constants.OWN
    for metal in range(constants.GOLD, constants.BRONZE + 1):
        if g.common[level, metal] > 0:
            return metal
    return NO_PIECE


@kernel
def can_place_piece(g: Record, t: Record, seat: int) -> bool:
    """Tell whether a seat can place a Pantheon piece."""
    return next_piece(g, t, seat, constants.BASE) != NO_PIECE or next_piece(g, t, seat, constants.ROOF) != NO_PIECE


@kernel
def place_piece(g: Record, t: Record, seat: int, level: int) -> None:
    """Place the next piece of a level."""
    piece = next_piece(g, t, seat, level)
    if piece == constants.OWN:
        g.pantheon_own[seat, level] += 1
    else:
        g.pantheon_common[seat, level] = piece
        g.common[level, piece] -= 1
    log_event(g, PIECE_PLACED, seat, level, constants.NO_CARD, piece, 0)


@kernel
def has_loose_piece(g: Record, t: Record, seat: int, level: int) -> bool:
    """Tell whether a seat's level is unfinished and has at least one of the seat's own pieces."""
    return bool(g.pantheon_own[seat, level] > 0 and not is_finished(g, t, seat, level))


@kernel
def remove_piece(g: Record, seat: int, level: int) -> None:
    """Remove one of a seat's own pieces from an unfinished level. The seat gets it back."""
    g.pantheon_own[seat, level] -= 1
    log_event(g, PIECE_REMOVED, seat, level, constants.NO_CARD, 0, 0)


@kernel
def pieces_of(g: Record, seat: int) -> int:
    """Return the number of Pantheon pieces that a seat has placed."""
    count = 0
    for level in range(2):
        count += int(g.pantheon_own[seat, level]) + int(g.pantheon_common[seat, level] != 0)
    return count


@kernel
def pantheon_points(g: Record, t: Record, seat: int) -> int:
    """Return the end glory of a seat's Pantheon."""
    points = 0
    for level in range(2):
        points += int(g.pantheon_own[seat, level]) * int(t.pantheon_points[constants.OWN])
        if g.pantheon_common[seat, level] != 0:
            points += int(t.pantheon_points[g.pantheon_common[seat, level]])
    return points
