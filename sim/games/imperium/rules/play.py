"""Plays a stretch of a plan and writes down its results, one row for each seat."""

from __future__ import annotations

from typing import Any

from sim.compiler.kernel import Record, kernel
from sim.engine.result_rows import FIXED_COLUMNS, write_piece_row, write_seat_row
from sim.engine.seating import seat_players
from sim.engine.state import PIECE_ROWS_FULL
from sim.games.imperium.rules import constants
from sim.games.imperium.rules.log import GAINED_ROUND, OFFERED
from sim.games.imperium.rules.setup import set_up
from sim.games.imperium.rules.turns import play_on

PARTS = len(constants.SCORE_PARTS)
MEASURES = (
    "material",
    "population",
    "empire_round",
    "nation_left",
    "development_left",
    "cards_played",
    "unrest_taken",
    "turns_cut",
)
"""Other numbers of a seat: what it has at the end, the round in which it became an empire (0: never), cards left in
its nation deck and development area, cards it played, unrest it took,
and turns that had no end and were cut short."""
CARD_ROWS = 200
"""Cards that can come before a seat's eyes in one game: those of all nations at the table and of a box."""
CARD_COLUMNS = (
    ("offered", "uint16"),
    ("gained_round", "uint8"),
    ("played_round", "uint8"),
    ("times_played", "uint16"),
    ("developed_round", "uint8"),
    ("history_round", "uint8"),
    ("garrison_round", "uint8"),
    ("lost_round", "uint8"),
)
"""Columns of a card row, in the order of `log.OFFERED` to `log.LOST_ROUND`; rounds count from 1, 0 is never."""


@kernel
def start_game(g: Record, t: Record, plan: Record, game: int) -> None:
    """Set up game number `game` of a plan, with its players seated."""
    block = game // plan.block_games
    factions = plan.factions[: plan.faction_count]
    set_up(g, t, plan.seed, game, block, plan.players, plan.variant, factions, plan.factions_fixed)
    seat_players(g, plan, game % plan.block_games)


@kernel
def play_games(
    g: Record, t: Record, players: Any, plan: Record, first: int, count: int, rows: Any, piece_rows: Any
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
    rows[row, column] = g.resource[seat, constants.MATERIAL]
    rows[row, column + 1] = g.resource[seat, constants.POPULATION]
    rows[row, column + 2] = g.empire_round[seat]
    rows[row, column + 3] = g.zone_size[seat, constants.NATION]
    rows[row, column + 4] = g.zone_size[seat, constants.DEVELOPMENT]
    rows[row, column + 5] = g.cards_played[seat]
    rows[row, column + 6] = g.unrest_taken[seat]
    rows[row, column + 7] = g.turns_cut[seat]


@kernel
def write_card_rows(g: Record, t: Record, piece_rows: Any, at: int, game: int, seat: int) -> int:
    """Write a row for every card that was in a seat's hand or before its eyes; return the next place.

    With more than `CARD_ROWS` the game stops.
    """
    first = at
    for card in range(t.cards):
        seen = g.log.pieces[seat, card]
        if seen[OFFERED] != 0 or seen[GAINED_ROUND] != 0:
            if at == first + CARD_ROWS:
                g.error = PIECE_ROWS_FULL
                return at
            write_piece_row(piece_rows, at, game, seat, card, seen)
            at += 1
    return at
