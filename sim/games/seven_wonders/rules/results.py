"""Writes the results of a finished game: measures of each seat, and what became of its cards."""

from __future__ import annotations

from typing import Any

from sim.compiler.kernel import Integers, Record, kernel
from sim.engine.result_rows import write_piece_rows
from sim.games.seven_wonders.rules.log import BUILT_TURN, OFFERED
from sim.games.seven_wonders.rules.scoring import CHECKPOINTS
from sim.games.seven_wonders.rules.tables import MAX_CARDS

MEASURES = ("coins", *CHECKPOINTS)
"""Columns of the measures of each seat: its coins, and its scores after Ages I and II."""
CARD_COLUMNS = (
    ("offered", "uint8"),
    ("first_offered", "uint8"),
    ("built_turn", "uint8"),
    ("built_how", "uint8"),
    ("stage_turn", "uint8"),
    ("discard_turn", "uint8"),
    ("coins_paid", "uint16"),
)
"""Columns of a card row, in the order of `log.OFFERED` to `log.COINS_PAID`. Turns count from 1 to 18; 0 means never."""


@kernel
def write_measures(g: Record, t: Record, measures: Integers, seat: int) -> None:
    """Write the `MEASURES` of a seat."""
    measures[0] = g.coins[seat]
    for age in range(len(CHECKPOINTS)):
        measures[1 + age] = g.score_after_age[seat, age]


@kernel
def write_pieces(g: Record, t: Record, piece_rows: Any, at: int, game: int, seat: int) -> int:
    """Write a row for every kind of card that a seat was offered or owns; return the index of the next free row."""
    return write_piece_rows(g, piece_rows, at, game, seat, t.cards, OFFERED, BUILT_TURN, MAX_CARDS)
