"""Writes the results of a finished game: measures of each seat, and the fate of its cards."""

from __future__ import annotations

from typing import Any

from sim.compiler.kernel import Integers, Record, kernel
from sim.engine.result_rows import write_piece_row
from sim.engine.state import PIECE_ROWS_FULL
from sim.games.imperial_settlers.rules import constants
from sim.games.imperial_settlers.rules.log import HELD_ROUND, OFFERED, TIMES_USED
from sim.games.imperial_settlers.rules.tables import MAX_ZONE

CHECKPOINTS = tuple(f"score_round_{number}" for number in range(1, constants.ROUNDS))
"""Columns with the points after each round but the last, counted as if the game had ended then."""
ACTIONS = tuple(f"actions_{number}" for number in range(1, constants.ROUNDS + 1))
"""Columns with the number of actions in each round."""
MEASURES = (
    "razed",
    "razed_from_hand",
    "was_razed",
    "deals",
    "built_common",
    "built_faction",
    "given_up",
    "activated",
    "exchanged",
    "drawn",
    "collected",
    "starting_place",
    *ACTIONS,
    *CHECKPOINTS,
)
"""Further columns of a seat: locations of other seats that it razed, cards razed from its hand, its locations that
other seats razed, deals made, common and faction locations built, locations and foundations given up to build, uses of
action locations, pairs of workers exchanged, cards drawn, cards that the virtual player of a solo game collected,
and the place in the turn order of the first round (1 for the first player). The columns of `ACTIONS` and
`CHECKPOINTS` follow."""
CARD_ROWS = MAX_ZONE
"""Maximum number of card rows of a seat in one game: all common cards and the seat's own deck fit into one zone."""
CARD_COLUMNS = (
    ("offered", "uint16"),
    ("held_round", "uint8"),
    ("built_round", "uint8"),
    ("dealt_round", "uint8"),
    ("razed_round", "uint8"),
    ("given_up_round", "uint8"),
    ("lost_round", "uint8"),
    ("times_used", "uint16"),
)
"""Columns of a card row, in the order of `log.OFFERED` to `log.TIMES_USED`. Rounds count from 1; 0 means never.

A row stands for all copies of a card that a seat had. Each round is the earliest of any copy. The other numbers are
sums over the copies.
"""


@kernel
def write_measures(g: Record, t: Record, measures: Integers, seat: int) -> None:
    """Write the `MEASURES` of a seat."""
    measures[0] = g.razed[seat]
    measures[1] = g.razed_from_hand[seat]
    measures[2] = g.was_razed[seat]
    measures[3] = g.deals_made[seat]
    measures[4] = g.built[seat, 0]
    measures[5] = g.built[seat, 1]
    measures[6] = g.given_up[seat]
    measures[7] = g.activated[seat]
    measures[8] = g.exchanged[seat]
    measures[9] = g.drawn[seat]
    measures[10] = g.zone_size[constants.VIRTUAL, constants.PILE] if g.solo != 0 else 0
    first = g.first_seat - (g.rounds - 1)  # the first-player token moves left after each round but the last
    measures[11] = (seat - first) % g.players + 1
    for number in range(constants.ROUNDS):
        measures[12 + number] = g.actions[seat, number]
    for number in range(constants.ROUNDS - 1):
        measures[12 + constants.ROUNDS + number] = g.score_after[seat, number]


@kernel
def write_pieces(g: Record, t: Record, piece_rows: Any, at: int, game: int, seat: int) -> int:
    """Write a row for every card name that a seat was offered or had in hand; return the index of the next free row.

    Copies of a card are adjacent in the card table. More than `CARD_ROWS` rows set `g.error`.
    """
    first = at
    before = constants.NO_CARD
    for card in range(t.cards):
        became = g.log.pieces[seat, card]
        if became[OFFERED] == 0 and became[HELD_ROUND] == 0:
            continue
        if before != constants.NO_CARD and t.name[card] == t.name[before]:
            add_copy(g, seat, before, card)
            at -= 1
        elif at == first + CARD_ROWS:
            g.error = PIECE_ROWS_FULL
            return at
        else:
            before = card
        write_piece_row(piece_rows, at, game, seat, int(t.name[before]), g.log.pieces[seat, before])
        at += 1
    return at


@kernel
def add_copy(g: Record, seat: int, card: int, copy: int) -> None:
    """Add the entries of another copy in `g.log.pieces` to those of a card: add counts, keep the earliest rounds."""
    became, of_copy = g.log.pieces[seat, card], g.log.pieces[seat, copy]
    for column in range(became.shape[0]):
        if column in (OFFERED, TIMES_USED):
            became[column] += of_copy[column]
        elif of_copy[column] != 0 and (became[column] == 0 or of_copy[column] < became[column]):
            became[column] = of_copy[column]
