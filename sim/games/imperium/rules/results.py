"""Writes the results of a finished game: measures of each seat, and the fate of its cards."""

from __future__ import annotations

from typing import Any

from sim.compiler.kernel import Integers, Record, kernel
from sim.engine.result_rows import write_piece_rows
from sim.games.imperium.rules import constants
from sim.games.imperium.rules.log import GAINED_ROUND, OFFERED

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
"""Further columns of a seat: its material and population at the end, the round in which it became an empire (0: never),
cards left in its nation deck and development area, cards that it played, unrest that it took, and turns that were
ended because they reached `t.turn_limit`."""
CARD_ROWS = 200
"""Maximum number of cards that a seat can see in one game: the cards of all nations at the table and of one box."""
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
"""Columns of a card row, in the order of `log.OFFERED` to `log.LOST_ROUND`. Rounds count from 1; 0 means never."""


@kernel
def write_measures(g: Record, t: Record, measures: Integers, seat: int) -> None:
    """Write the `MEASURES` of a seat."""
    measures[0] = g.resource[seat, constants.MATERIAL]
    measures[1] = g.resource[seat, constants.POPULATION]
    measures[2] = g.empire_round[seat]
    measures[3] = g.zone_size[seat, constants.NATION]
    measures[4] = g.zone_size[seat, constants.DEVELOPMENT]
    measures[5] = g.cards_played[seat]
    measures[6] = g.unrest_taken[seat]
    measures[7] = g.turns_cut[seat]


@kernel
def write_pieces(g: Record, t: Record, piece_rows: Any, at: int, game: int, seat: int) -> int:
    """Write a row for every card that a seat was offered (see `note_offers`) or gained; return the next free index."""
    return write_piece_rows(g, piece_rows, at, game, seat, t.cards, OFFERED, GAINED_ROUND, CARD_ROWS)
