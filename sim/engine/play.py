"""Plays the games of a plan and writes their results.

The code is the same for all games; `game_kernels` binds the names `set_up`, `play_step`, `write_measures`,
`write_pieces` and `write_tallies` to a game's own kernels.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any

from sim.compiler.kernel import Integers, Record, bind_kernels, kernel
from sim.engine.decide import Players
from sim.engine.result_rows import FIXED_COLUMNS, write_seat_row
from sim.engine.rng import start_streams
from sim.engine.seating import seat_players
from sim.engine.state import NO_ERROR

Kernel = Callable[..., Any]

set_up: Any = None
play_step: Any = None


@kernel
def write_measures(g: Record, t: Record, measures: Integers, seat: int) -> None:
    """Write no measures: the game has none."""


@kernel
def write_pieces(g: Record, t: Record, piece_rows: Any, at: int, game: int, seat: int) -> int:
    """Write no rows of pieces, and return `at`: the game has none."""
    return at


@kernel
def write_tallies(g: Record, tallies: Any, place: int) -> None:
    """Write no tallies: the game has none."""


def start_game(g: Record, t: Record, plan: Record, game: int) -> None:
    """Set up game number `game` of a plan and seat its players."""
    start_streams(g, plan.seed, game, game // plan.block_games)
    set_up(g, t, plan)
    seat_players(g, plan, game % plan.block_games)


def play_out(g: Record, t: Record, players: Players) -> None:
    """Play a game to its end, from any step."""
    while g.finished == 0 and g.error == NO_ERROR:
        play_step(g, t, players)


def play_games(
    g: Record, t: Record, players: Players, plan: Record, first: int, count: int, rows: Any, piece_rows: Any,
    tallies: Any,
) -> int:  # fmt: skip
    """Play the games `first` to `first` + `count` - 1 of a plan. Stop early at an error, with `g.error` set.

    Parameters
    ----------
    rows
        Seat rows to write, int32 of shape (count * players, columns). The columns are the fixed columns of
        `sim.engine.result_rows`, then the score parts, then the measures.
    piece_rows
        Piece rows to write, int32 of shape (any number, 3 + columns of pieces).
    tallies
        A tuple with an array for each tally, int32 of shape (count, rows, columns). Pieces and tallies are written only
        if the plan keeps pieces.

    Returns
    -------
    Number of piece rows written.
    """
    g.log.keeps_pieces = plan.keeps_pieces
    row = 0
    piece_row = 0
    first_measure = FIXED_COLUMNS + g.score.shape[1] - 1  # the total score is one of the fixed columns
    for game in range(first, first + count):
        start_game(g, t, plan, game)
        play_out(g, t, players)
        if g.error != NO_ERROR:
            break
        for seat in range(plan.players):
            write_seat_row(g, rows, row, plan, game, seat)
            write_measures(g, t, rows[row, first_measure:], seat)
            row += 1
            if plan.keeps_pieces != 0:
                piece_row = write_pieces(g, t, piece_rows, piece_row, game, seat)
        if plan.keeps_pieces != 0:
            write_tallies(g, tallies, game - first)
        if g.error != NO_ERROR:
            break
    return piece_row


@dataclass(frozen=True)
class GameKernels:
    """The kernels of this module, bound to one game."""

    start_game: Kernel
    play_out: Kernel
    play_games: Kernel


@cache
def game_kernels(
    set_up: Kernel, play_step: Kernel, measures: Kernel | None, pieces: Kernel | None, tallies: Kernel | None
) -> GameKernels:
    """Return this module's kernels bound to the kernels of a game, once per process.

    The game's kernels are `set_up(g, t, plan)`, `play_step(g, t, players)` and those that write results, which have the
    signatures of `write_measures`, `write_pieces` and `write_tallies`. They are None if the game has no such results.
    """
    module = play_step.__module__
    start = kernel(bind_kernels(start_game, module, set_up=set_up))
    rest = kernel(bind_kernels(play_out, module, play_step=play_step))
    games = bind_kernels(
        play_games,
        module,
        start_game=start,
        play_out=rest,
        write_measures=measures or write_measures,
        write_pieces=pieces or write_pieces,
        write_tallies=tallies or write_tallies,
    )
    return GameKernels(start, rest, kernel(games))
