"""Writes the results of a finished game: measures of each seat, and what became of its cards."""

from __future__ import annotations

from typing import Any

from sim.compiler.kernel import Integers, Record, kernel
from sim.engine.result_rows import write_piece_rows
from sim.games.glory_of_rome.rules import constants
from sim.games.glory_of_rome.rules.conditions import medals_of
from sim.games.glory_of_rome.rules.hands import sets_laid
from sim.games.glory_of_rome.rules.log import DRAWN, TAKEN_ROUND
from sim.games.glory_of_rome.rules.scoring import count_bits

CHECKPOINTS = tuple(f"score_round_{number}" for number in range(1, constants.ROUNDS))
"""Columns with the points at the end of each round but the last, as if the game had ended then."""
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
"""Columns of the measures of each seat."""
CARD_ROWS = 120
"""Maximum number of cards that are recorded for a seat in one game."""
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
"""Columns of a card row, in the order of `log.DRAWN` and the columns after it."""


@kernel
def write_measures(g: Record, t: Record, measures: Integers, seat: int) -> None:
    """Write the `MEASURES` of a seat."""
    for number in range(constants.ROUNDS - 1):
        measures[number] = g.score_after[seat, min(number, t.rounds - 1)]
    at = constants.ROUNDS - 1
    for place in range(g.followers_placed.shape[1]):
        measures[at + place] = g.followers_placed[seat, place]
    at += g.followers_placed.shape[1]
    for kind in range(g.medal.shape[0]):
        measures[at + kind] = g.tiles_built[seat, kind]
        measures[at + g.medal.shape[0] + kind] = int(g.medal[kind] == seat)
    at += 2 * g.medal.shape[0]
    write_counts(g, measures[at:], seat)
    at += len(COUNTS)
    for number in range(len(ACHIEVEMENTS)):
        measures[at + number] = (g.achievements[seat] >> number) & 1


@kernel
def write_counts(g: Record, counts: Integers, seat: int) -> None:
    """Write the counts of a seat's actions, in the order of `COUNTS`."""
    counts[0] = (seat - g.starting_player + g.players) % g.players + 1
    counts[1] = g.clockwise_rounds
    counts[2] = g.majorities[seat]
    counts[3] = g.activations[seat]
    counts[4] = g.suffered[seat]
    counts[5] = g.double_taxes[seat]
    counts[6] = g.taxes[seat]
    counts[7] = g.cards_drawn[seat]
    counts[8] = g.cards_played[seat]
    counts[9] = sets_laid(g, seat)
    counts[10] = g.bonuses_used[seat]
    counts[11] = g.treaties[seat]
    counts[12] = g.fulfilled[seat]
    counts[13] = medals_of(g, seat)
    counts[14] = count_bits(int(g.achievements[seat]))
    counts[15] = count_bits(int(g.tasks[seat]))


@kernel
def write_pieces(g: Record, t: Record, piece_rows: Any, at: int, game: int, seat: int) -> int:
    """Write a row for every card that a seat had; return the index of the next free row."""
    return write_piece_rows(g, piece_rows, at, game, seat, t.cards, DRAWN, TAKEN_ROUND, CARD_ROWS)
