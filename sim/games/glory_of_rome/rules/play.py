"""Plays a stretch of a plan and writes down its results, one row for each seat."""

from __future__ import annotations

from typing import Any

from sim.compiler.kernel import Record, kernel
from sim.engine.result_rows import FIXED_COLUMNS, write_piece_row, write_seat_row
from sim.engine.seating import seat_players
from sim.engine.state import PIECE_ROWS_FULL
from sim.games.glory_of_rome.rules import constants
from sim.games.glory_of_rome.rules.conditions import medals_of
from sim.games.glory_of_rome.rules.hands import sets_laid
from sim.games.glory_of_rome.rules.log import DRAWN, TAKEN_ROUND
from sim.games.glory_of_rome.rules.scoring import count_bits
from sim.games.glory_of_rome.rules.setup import set_up
from sim.games.glory_of_rome.rules.turns import play_on

PARTS = len(constants.SCORE_PARTS)
CHECKPOINTS = tuple(f"score_round_{number}" for number in range(1, constants.ROUNDS))
"""Points as each round ends, as if the game ended then."""
FOLLOWERS = (*(f"followers_{kind}" for kind in constants.BUILDINGS), "followers_colosseum", "followers_intrigue")
TILES = tuple(f"tiles_{kind}" for kind in constants.BUILDINGS)
MEDALS = tuple(f"medal_{kind}" for kind in constants.BUILDINGS)
COUNTS = (
    "starting_place", "clockwise_rounds", "majorities", "activations", "suffered", "double_taxes", "taxes",
    "cards_drawn", "cards_played", "sets", "bonuses_used", "treaties", "missions_fulfilled", "medals", "achievements",
    "tasks",
)  # fmt: skip
ACHIEVEMENTS = tuple(f"achieved_{name}" for name in constants.ACHIEVEMENTS)
MEASURES = (*CHECKPOINTS, *FOLLOWERS, *TILES, *MEDALS, *COUNTS, *ACHIEVEMENTS)
"""Other numbers of a seat."""
CARD_ROWS = 120
"""Cards that can come before a seat in one game."""
CARD_COLUMNS = (
    ("drawn", "uint8"),
    ("taken_round", "uint8"),
    ("played_round", "uint8"),
    ("set_round", "uint8"),
    ("sold_round", "uint8"),
    ("lost_round", "uint8"),
    ("points", "uint16"),
    ("fulfilled", "uint8"),
)
"""Columns of a card's row, in the order of `log.DRAWN` and those behind it."""


@kernel
def start_game(g: Record, t: Record, plan: Record, game: int) -> None:
    """Set up game number `game` of a plan, with its players seated."""
    factions = plan.factions[: plan.faction_count]
    block = game // plan.block_games
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
    piece_row = 0
    for game in range(first, first + count):
        start_game(g, t, plan, game)
        play_on(g, t, players)
        if g.error != 0:
            break
        for seat in range(plan.players):
            write_seat_row(g, rows, row, plan, game, seat, PARTS)
            write_measures(g, t, rows, row, seat)
            row += 1
            if plan.keeps_pieces != 0:
                piece_row = write_card_rows(g, t, piece_rows, piece_row, game, seat)
        if g.error != 0:
            break
    return piece_row


@kernel
def write_measures(g: Record, t: Record, rows: Any, row: int, seat: int) -> None:
    """Write the other numbers of a seat."""
    at = FIXED_COLUMNS + PARTS
    for number in range(constants.ROUNDS - 1):
        rows[row, at + number] = g.score_after[seat, min(number, t.rounds - 1)]
    at += constants.ROUNDS - 1
    for place in range(g.followers_placed.shape[1]):
        rows[row, at + place] = g.followers_placed[seat, place]
    at += g.followers_placed.shape[1]
    for kind in range(g.medal.shape[0]):
        rows[row, at + kind] = g.tiles_built[seat, kind]
        rows[row, at + g.medal.shape[0] + kind] = int(g.medal[kind] == seat)
    at += 2 * g.medal.shape[0]
    write_counts(g, rows[row], at, seat)
    at += len(COUNTS)
    for number in range(len(ACHIEVEMENTS)):
        rows[row, at + number] = (g.achievements[seat] >> number) & 1


@kernel
def write_counts(g: Record, row: Any, at: int, seat: int) -> None:
    """Write what a seat did, in the order of `COUNTS`."""
    row[at] = (seat - g.starting_player + g.players) % g.players + 1
    row[at + 1] = g.clockwise_rounds
    row[at + 2] = g.majorities[seat]
    row[at + 3] = g.activations[seat]
    row[at + 4] = g.suffered[seat]
    row[at + 5] = g.double_taxes[seat]
    row[at + 6] = g.taxes[seat]
    row[at + 7] = g.cards_drawn[seat]
    row[at + 8] = g.cards_played[seat]
    row[at + 9] = sets_laid(g, seat)
    row[at + 10] = g.bonuses_used[seat]
    row[at + 11] = g.treaties[seat]
    row[at + 12] = g.fulfilled[seat]
    row[at + 13] = medals_of(g, seat)
    row[at + 14] = count_bits(int(g.achievements[seat]))
    row[at + 15] = count_bits(int(g.tasks[seat]))


@kernel
def write_card_rows(g: Record, t: Record, piece_rows: Any, at: int, game: int, seat: int) -> int:
    """Write a row for every card that a seat has had; return the next place."""
    first = at
    for card in range(t.cards):
        became = g.log.pieces[seat, card]
        if became[DRAWN] != 0 or became[TAKEN_ROUND] != 0:
            if at == first + CARD_ROWS:
                g.error = PIECE_ROWS_FULL
                return at
            write_piece_row(piece_rows, at, game, seat, card, became)
            at += 1
    return at
