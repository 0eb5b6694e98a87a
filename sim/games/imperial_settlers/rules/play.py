"""Plays a stretch of a plan and writes down its results, one row for each seat."""

from __future__ import annotations

from typing import Any

from sim.compiler.kernel import Record, kernel
from sim.engine.decide import Players
from sim.engine.result_rows import FIXED_COLUMNS, write_piece_row, write_seat_row
from sim.engine.seating import seat_players
from sim.engine.state import PIECE_ROWS_FULL
from sim.games.imperial_settlers.rules import constants
from sim.games.imperial_settlers.rules.log import HELD_ROUND, OFFERED, TIMES_USED
from sim.games.imperial_settlers.rules.setup import set_up
from sim.games.imperial_settlers.rules.tables import MAX_ZONE
from sim.games.imperial_settlers.rules.turns import play_on

PARTS = len(constants.SCORE_PARTS)
CHECKPOINTS = tuple(f"score_round_{number}" for number in range(1, constants.ROUNDS))
"""Measures that hold the score as if the game had ended after each round but the last."""
ACTIONS = tuple(f"actions_{number}" for number in range(1, constants.ROUNDS + 1))
"""Measures that hold the actions of each round."""
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
"""Other numbers of a seat: locations of others that it razed, cards it razed from its hand, locations of its own that
others razed, deals made, common and faction locations built, locations and foundations given up to build, uses of
action locations, pairs of workers exchanged, cards drawn, cards that the virtual player of a solo game collected,
the place in the turn order of the first round, 1 for the first player, and what the last names say."""
CARD_ROWS = MAX_ZONE
"""Cards that can come before a seat in one game: the common deck and its own, which the data keep within a zone."""
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
"""Columns of a card row, in the order of `log.OFFERED` to `log.TIMES_USED`; rounds count from 1, 0 is never.

A row is for all copies of a card that a seat had: the earliest of their rounds, the sum of the other numbers.
"""


@kernel
def start_game(g: Record, t: Record, plan: Record, game: int) -> None:
    """Set up game number `game` of a plan, with its players seated."""
    block = game // plan.block_games
    factions = plan.factions[: plan.faction_count]
    set_up(g, t, plan.seed, game, block, plan.players, plan.variant, factions, plan.factions_fixed)
    seat_players(g, plan, game % plan.block_games)


@kernel
def play_games(
    g: Record, t: Record, players: Players, plan: Record, first: int, count: int, rows: Any, piece_rows: Any
) -> int:
    """Play games first to first + count - 1 of a plan; return how many piece rows were written.

    `rows` is int32 of shape (count * players, columns): the fixed columns of `sim.engine.result_rows`, the score parts,
    and `MEASURES`. `piece_rows` is int32 of shape (any, 3 + columns of pieces); it stays untouched unless the plan
    keeps pieces. Stops early with `g.error` set if something is wrong.
    """
    g.log.keeps_pieces = plan.keeps_pieces
    row = 0
    card_row = 0
    for game in range(first, first + count):
        start_game(g, t, plan, game)
        play_on(g, t, players)
        if g.error != 0:
            break
        for seat in range(plan.players):
            write_seat_row(g, rows, row, plan, game, seat, PARTS)
            write_measures(g, rows, row, seat)
            row += 1
            if plan.keeps_pieces != 0:
                card_row = write_card_rows(g, t, piece_rows, card_row, game, seat)
        if g.error != 0:
            break
    return card_row


@kernel
def write_measures(g: Record, rows: Any, row: int, seat: int) -> None:
    """Write the other numbers of a seat."""
    column = FIXED_COLUMNS + PARTS
    rows[row, column] = g.razed[seat]
    rows[row, column + 1] = g.razed_from_hand[seat]
    rows[row, column + 2] = g.was_razed[seat]
    rows[row, column + 3] = g.deals_made[seat]
    rows[row, column + 4] = g.built[seat, 0]
    rows[row, column + 5] = g.built[seat, 1]
    rows[row, column + 6] = g.given_up[seat]
    rows[row, column + 7] = g.activated[seat]
    rows[row, column + 8] = g.exchanged[seat]
    rows[row, column + 9] = g.drawn[seat]
    rows[row, column + 10] = g.zone_size[constants.VIRTUAL, constants.PILE] if g.solo != 0 else 0
    first = g.first_seat - (g.rounds - 1)  # its token has gone to the left after every round but the last
    rows[row, column + 11] = (seat - first) % g.players + 1
    column += 12
    for number in range(constants.ROUNDS):
        rows[row, column + number] = g.actions[seat, number]
    column += constants.ROUNDS
    for number in range(constants.ROUNDS - 1):
        rows[row, column + number] = g.score_after[seat, number]


@kernel
def write_card_rows(g: Record, t: Record, piece_rows: Any, at: int, game: int, seat: int) -> int:
    """Write a row for every name of a card that a seat could pick or had in hand; return the next place.

    Copies of a card stand behind each other in the card table. With more than `CARD_ROWS` rows the game stops.
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
    """Add what became of a copy to what became of the card."""
    became, of_copy = g.log.pieces[seat, card], g.log.pieces[seat, copy]
    for column in range(became.shape[0]):
        if column in (OFFERED, TIMES_USED):
            became[column] += of_copy[column]
        elif of_copy[column] != 0 and (became[column] == 0 or of_copy[column] < became[column]):
            became[column] = of_copy[column]
