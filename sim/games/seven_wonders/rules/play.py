"""Plays a stretch of a plan and writes down its results, one row for each seat."""

from __future__ import annotations

from typing import Any

from sim.compiler.kernel import Record, kernel
from sim.engine.decide import Players
from sim.engine.result_rows import FIXED_COLUMNS, write_piece_row, write_seat_row
from sim.engine.seating import seat_players
from sim.games.seven_wonders.rules.log import BUILT_TURN, OFFERED
from sim.games.seven_wonders.rules.scoring import CHECKPOINTS, SCORE_PARTS
from sim.games.seven_wonders.rules.setup import set_up
from sim.games.seven_wonders.rules.turns import play_on

PARTS = len(SCORE_PARTS)
COINS_COLUMN = FIXED_COLUMNS + PARTS
CHECKPOINT_COLUMN = COINS_COLUMN + 1
AGES_BEFORE_THE_LAST = len(CHECKPOINTS)
CARD_COLUMNS = (
    ("offered", "uint8"),
    ("first_offered", "uint8"),
    ("built_turn", "uint8"),
    ("built_how", "uint8"),
    ("stage_turn", "uint8"),
    ("discard_turn", "uint8"),
    ("coins_paid", "uint16"),
)
"""Columns of a card row, in the order of `log.OFFERED` to `log.COINS_PAID`; turns count from 1 to 18, 0 is never."""


@kernel
def start_game(g: Record, t: Record, plan: Record, game: int) -> None:
    """Set up game number `game` of a plan, with its players seated."""
    block = game // plan.block_games
    set_up(g, t, plan.seed, game, block, plan.players, plan.factions[: plan.faction_count], plan.factions_fixed)
    seat_players(g, plan, game % plan.block_games)


@kernel
def play_games(
    g: Record, t: Record, players: Players, plan: Record, first: int, count: int, rows: Any, piece_rows: Any
) -> int:
    """Play games first to first + count - 1 of a plan; return how many piece rows were written.

    `rows` is int32 of shape (count * players, columns): the fixed columns of `sim.engine.result_rows`, the score parts,
    coins, and the scores after Ages I and II. `piece_rows` is int32 of shape (any, 3 + columns of pieces); it stays
    untouched unless the plan keeps pieces. Stops early with `g.error` set if a strategy returns something that is no
    number.
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
            rows[row, COINS_COLUMN] = g.coins[seat]
            for age in range(AGES_BEFORE_THE_LAST):
                rows[row, CHECKPOINT_COLUMN + age] = g.score_after_age[seat, age]
            row += 1
            if plan.keeps_pieces != 0:
                card_row = write_card_rows(g, t, piece_rows, card_row, game, seat)
    return card_row


@kernel
def write_card_rows(g: Record, t: Record, piece_rows: Any, at: int, game: int, seat: int) -> int:
    """Write a row for every kind of card that came before a seat's eyes or into its city; return the next place."""
    for card in range(t.cards):
        seen = g.log.pieces[seat, card]
        if seen[OFFERED] != 0 or seen[BUILT_TURN] != 0:
            write_piece_row(piece_rows, at, game, seat, card, seen)
            at += 1
    return at
