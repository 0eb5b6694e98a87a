"""Count the events of every piece in the games of a run, with block sums and the pieces in play of each seat."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from reports.data.games import GameArrays, read_games
from reports.data.load import Run, piece_events, piece_noun
from reports.data.moments import SUMS, add_block, allow_for_mean
from reports.data.moments import moments_frame as as_moments
from reports.data.one_player import mean_of_one_player, only_one_player
from reports.formatting import plural, with_article
from sim.compiler.kernel import kernel
from sim.data.declarations import PieceEvent
from sim.errors import UserError

MAX_GAMES = 30_000
"""Games that are read: enough to know pieces to half a point; more would cost time and memory."""
ROWS = 500_000
"""Piece rows per batch."""
MAX_TURNS = 256
UNIT = math.lcm(*range(1, 13))
"""Wins are counted as integers in units of 1/UNIT, so that sums do not depend on the order of the rows."""
WITHIN = 4
"""Number of sums within a block: N, W, E and S."""
OFFERED, PLAYED = 0, 1

Array = NDArray[Any]


@dataclass(frozen=True)
class PieceGames:
    """Games of whole blocks with the pieces of every seat.

    Attributes
    ----------
    noun
        The game's word for a piece: "card".
    names
        Name of every piece.
    start
        First seat-game of each game, shape (games + 1,).
    block
        Block of each game, from 0 without gaps, shape (games,).
    seats
        Every seat-game, in order.
    held, holder
        Pieces in play and their seat-games, in order of the seat-games; shape (any,).
    offered, taken, became
        Seat-games in which a piece was offered, in which it was then taken, and in which each event then happened;
        shapes (pieces,), (pieces,), (events, pieces).
    turns
        How often a piece came into play in each turn, shape (pieces, turns).
    moments
        `moments.SUMS`, without ranks, of seats that were offered a piece (0) and that had it in play (1), shape
        (2, pieces, SUMS).
    events
        The manifest's `piece_events`.
    fair
        Share of the games of one player that was won, in a run of such games alone; 0 in others.
    """

    noun: str
    names: tuple[str, ...]
    start: Array
    block: Array
    seats: GameArrays
    held: Array
    holder: Array
    offered: Array
    taken: Array
    became: Array
    turns: Array
    moments: Array
    events: tuple[PieceEvent, ...]
    fair: float = 0.0

    @property
    def games(self) -> int:
        """Number of games."""
        return len(self.block)


def read_pieces(run: Run, most_games: int = MAX_GAMES) -> PieceGames:
    """Read the pieces of the first whole blocks of a run: at most `most_games` games, but at least one block.

    Raises
    ------
    UserError
        The run has no piece table, or it names a seat or game that the run does not have.
    """
    if run.pieces is None:
        several = plural(piece_noun(run.manifest))
        raise UserError(f"the run kept no {several}", file=run.folder, field="detail", found="seats", allowed=several)
    seats = first_blocks(run, most_games)
    first = np.flatnonzero(np.diff(seats.game, prepend=-1))
    start = np.append(first, len(seats.game)).astype(np.int64)
    numbers = seats.game[first]
    block = np.cumsum(np.diff(seats.block[first], prepend=seats.block[0]) != 0)
    wins = win_units(seats.rank, start)
    events = piece_events(run.manifest)
    names = piece_names(run)
    taken = np.array([event.taken for event in events])
    in_play = np.array([event.in_play for event in events])
    counts = np.zeros((2 + len(events), len(names)), np.int64)
    turns = np.zeros((len(names), MAX_TURNS), np.int64)
    moments = np.zeros((2, len(names), len(SUMS)))
    current = np.zeros((2, len(names), WITHIN))
    open_block = np.zeros(1, np.int64)
    alone = mean_of_one_player(run.seats)
    held, holder = [], []
    for frame in read_piece_rows(run, int(numbers[-1])):
        game = np.searchsorted(numbers, frame["game"].to_numpy())
        row = start[game] + frame["seat"].to_numpy()
        check_rows(row, game, frame, seats, numbers, start, run)
        piece, offered = frame["piece"].to_numpy(), frame["offered"].to_numpy()
        when = np.stack([frame[event.column].to_numpy() for event in events])
        played = np.empty(len(piece), np.uint8)
        count_rows(row, piece, offered, when, taken, in_play, played, counts, turns)
        add_piece_moments(row, piece, offered, played, block[game], wins, seats.players, alone, seats.score, current,
                    open_block, moments)  # fmt: skip
        held.append(piece[played != 0].astype(np.int16))
        holder.append(row[played != 0].astype(np.int32))
    close_block(current, moments)
    if only_one_player(run.manifest):
        allow_for_all_games(moments, alone, run.manifest.games)
    return PieceGames(
        piece_noun(run.manifest), names, start, block, seats,
        np.concatenate([np.zeros(0, np.int16), *held]), np.concatenate([np.zeros(0, np.int32), *holder]),
        counts[0], counts[1], counts[2:], turns, moments, events,
        alone if only_one_player(run.manifest) else 0.0,
    )  # fmt: skip


def first_blocks(run: Run, most_games: int) -> GameArrays:
    """Return the seats of the first whole blocks with at most `most_games` games, or of the first block."""
    stretches, games = [], 0
    for stretch in read_games(run):
        stretches.append(stretch)
        games += len(np.unique(stretch.game))
        if games >= most_games:
            break
    names = ("block", "game", "players", "seat", "score", "rank", "faction", "strategy")
    columns: dict[str, Any] = {
        name: np.concatenate([getattr(stretch, name) for stretch in stretches]) for name in names
    }
    first_of_game = np.flatnonzero(np.diff(columns["game"], prepend=-1))
    if len(first_of_game) > most_games:
        blocks = columns["block"]
        cut = int(np.searchsorted(blocks, blocks[first_of_game[most_games]]))
        cut = cut or int(np.searchsorted(blocks, blocks[0], "right"))
        columns = {name: column[:cut] for name, column in columns.items()}
    return GameArrays(**columns)


def win_units(rank: Array, start: Array) -> Array:
    """Return the wins of every seat-game in units of 1/UNIT; a win shared by two counts half for each."""
    first = rank == 1
    winners = np.add.reduceat(first.astype(np.int64), start[:-1])
    return np.where(first, UNIT // np.repeat(np.maximum(winners, 1), np.diff(start)), 0).astype(np.float64)


def piece_names(run: Run) -> tuple[str, ...]:
    """Return the name of every piece of a run."""
    assert run.pieces is not None
    dtype = run.pieces[0].collect_schema()[piece_noun(run.manifest)]
    return tuple(getattr(dtype, "categories", ()))


def read_piece_rows(run: Run, last_game: int) -> Iterator[pl.DataFrame]:
    """Yield piece rows up to a game in batches, in the order of games and seats, with names as codes."""
    columns = [event.column for event in piece_events(run.manifest)]
    for part in run.pieces or ():
        frame = part.filter(pl.col("game") <= last_game).collect()
        if not frame.height:
            return
        place = frame["game"].cast(pl.Int64) * 256 + frame["seat"].cast(pl.Int64)
        if not place.is_sorted():
            frame = frame.sort("game", "seat", maintain_order=True)
        for stretch in frame.iter_slices(ROWS):
            yield stretch.select(
                pl.col("game").cast(pl.Int64),
                pl.col("seat").cast(pl.Int32),
                pl.col(piece_noun(run.manifest)).to_physical().cast(pl.Int32).alias("piece"),
                pl.col(run.manifest.pieces_offered).cast(pl.Int32).alias("offered"),
                *(pl.col(name).cast(pl.Int32) for name in columns),
            )


def check_rows(
    row: Array, game: Array, frame: pl.DataFrame, seats: GameArrays, numbers: Array, start: Array, run: Run
) -> None:
    """Raise UserError if a piece row names a game or seat that the run does not have."""
    seat = frame["seat"].to_numpy()
    wrong = (numbers[game] != frame["game"].to_numpy()) | (seat < 0) | (row >= start[game + 1])
    if not wrong.any():
        wrong = seats.seat[row] != seat
    if wrong.any():
        found = frame.row(int(np.flatnonzero(wrong)[0]), named=True)
        noun = piece_noun(run.manifest)
        message = f"{with_article(noun)} row names a seat that its run does not have"
        raise UserError(message, file=run.folder / plural(noun), found=f"game {found['game']}, seat {found['seat']}")


@kernel
def count_rows(
    row: Array, piece: Array, offered: Array, when: Array, taken: Array, in_play: Array, played: Array, counts: Array,
    turns: Array,
) -> None:  # fmt: skip
    """Count the events of pieces.

    `when` has shape (events, rows). `counts` has shape (2 + events, pieces): offered, taken when offered, each event
    when offered. `turns` counts the turns in which a piece came into play; `played` becomes 1 for rows where it did.
    """
    events = when.shape[0]
    for at in range(len(row)):
        kind = piece[at]
        was_taken = False
        played[at] = 0
        for event in range(events):
            turn = when[event, at]
            if turn > 0:
                was_taken = was_taken or taken[event]
                if offered[at] > 0:
                    counts[2 + event, kind] += 1
                if in_play[event]:
                    played[at] = 1
                    turns[kind, min(turn, turns.shape[1] - 1)] += 1
        if offered[at] > 0:
            counts[0, kind] += 1
            if was_taken:
                counts[1, kind] += 1


@kernel
def add_piece_moments(
    row: Array, piece: Array, offered: Array, played: Array, block: Array, wins: Array, players: Array, alone: float,
    score: Array, current: Array, open_block: Array, moments: Array,
) -> None:  # fmt: skip
    """Add rows to the sums of their block, and finished blocks to the moments.

    `alone` is the fair share in a game of one player. `current` (2, pieces, WITHIN) and `open_block` (1,) carry the
    unfinished block between calls.
    """
    for at in range(len(row)):
        if block[at] != open_block[0]:
            close_block(current, moments)
            open_block[0] = block[at]
        seat = row[at]
        for group in range(2):
            if (group == OFFERED and offered[at] > 0) or (group == PLAYED and played[at] != 0):
                sums = current[group, piece[at]]
                sums[0] += 1.0
                sums[1] += wins[seat]
                sums[2] += np.round(UNIT / players[seat]) if players[seat] > 1 else UNIT * alone
                sums[3] += score[seat]


def allow_for_all_games(moments: Array, fair: float, games: int) -> None:
    """Correct the moments of pieces in games of one player for a fair share that is the mean of these games."""
    for sums in moments:
        n, w, e, squares = (sums[:, SUMS.index(name)] for name in ("N", "W", "E", "DD"))
        allow_for_mean(sums, np.column_stack([n, w - e, squares]), games, UNIT**2 * games * fair * (1 - fair))


@kernel
def close_block(current: Array, moments: Array) -> None:
    """Add the sums of a block to the moments, and reset them."""
    for group in range(current.shape[0]):
        for piece in range(current.shape[1]):
            n, w, e, s = current[group, piece]
            if n > 0.0:
                add_block(moments[group, piece], n, w, e, s, 0.0, 0.0)
                current[group, piece, :] = 0.0


def piece_moments(pieces: PieceGames, group: int) -> pl.DataFrame:
    """Return the moments of one group as `win_rates` takes them, with a row for each piece that occurs."""
    found = np.flatnonzero(pieces.moments[group, :, SUMS.index("N")])
    return as_moments({pieces.noun: [pieces.names[piece] for piece in found]}, pieces.moments[group, found], UNIT)
