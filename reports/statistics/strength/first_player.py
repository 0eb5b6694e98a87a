"""What it is worth to play first, for each number of players: edges of seats, and points that remove these edges.

Points added at the end change no decision. So the winners with a handicap follow from the final scores of the run. The
methods are those of `factions.price`, with seats in place of factions.
"""

from __future__ import annotations

import numpy as np
import polars as pl

from reports.data.games import whole_blocks
from reports.data.load import Run, player_counts
from reports.data.opponents import MAX_ROWS
from reports.statistics.core.groupings import has_starting_places, level_text, with_column
from reports.statistics.core.win_rate import ALPHA, Floats
from reports.statistics.factions.opponents import MIN_BLOCKS
from reports.statistics.factions.price import (
    OF_ONE,
    FactionPrice,
    Flags,
    PricedSeats,
    count_blocks,
    edges_with,
    errors_of_sums,
    price_alone,
    prices_alone,
    prices_together,
    residual_products,
    two_sided_t,
)
from sim.compiler.kernel import Integers, kernel

ROWS = 400_000
"""Approximate number of seats that are read at a time, as one batch. Reading stops only after a whole batch."""
FIRST = 0
"""Index of the seat or starting place that plays first."""


def play_order_table(run: Run) -> str:
    """Return the name of the table that shows who plays first: "start" if starting places are recorded, else "seat"."""
    return "start" if has_starting_places(run.manifest) else "seat"


def read_places(run: Run) -> dict[int, PricedSeats]:
    """Read the seats of all games with two or more players, by number of players.

    The place of a seat in the order of play is stored as its `faction`.
    """
    seats, key = with_column(run, play_order_table(run))
    columns = ("block", "game", "seat", "rank", "win", "score", pl.col(key).alias("place"))
    counts = [players for players in player_counts(run.manifest) if players > 1]
    found = {}
    for players in counts:
        frames, read = [], 0
        own = seats if len(player_counts(run.manifest)) == 1 else seats.filter(pl.col("players") == players)
        chosen = own.select(*columns)
        for frame in whole_blocks(chosen, ROWS, ("block", "game", "seat")):
            frames.append(frame)
            read += frame.height
            if read >= MAX_ROWS / len(counts):
                break
        if read:
            found[players] = as_places(pl.concat(frames), players)
    return found


def as_places(frame: pl.DataFrame, players: int) -> PricedSeats:
    """Return the seats of games with one number of players as arrays, in the order of games."""
    score, rank, block = (frame[name].to_numpy() for name in ("score", "rank", "block"))
    place, none = frame["place"].to_numpy().astype(np.int64), np.zeros(0, np.int64)
    lead, played, number = np.empty(len(score)), np.empty(len(score), np.bool_), np.empty(len(score), np.int64)
    score = score.astype(np.float64)
    fill_played(score, rank.astype(np.int64), block.astype(np.int64), players, lead, played, number)
    place -= place.min()
    return PricedSeats(
        faction=place, block=number, score=score, lead=lead,
        win=frame["win"].to_numpy().astype(np.float64), left=none, right=none, played=played, players=players,
    )  # fmt: skip


@kernel
def fill_played(
    score: Floats, rank: Integers, block: Integers, players: int, lead: Floats, played: Flags, number: Integers
) -> None:
    """Fill in three facts about each seat: its lead over the best other seat, the number of its block, and `played`.

    `played` is True if points did not decide the game, so that its result stays as played.
    """
    blocks = 0
    for first in range(0, len(score), players):
        blocks += first > 0 and block[first] != block[first - 1]
        by_points = False
        for at in range(first, first + players):
            most = -np.inf
            for other in range(first, first + players):
                if other != at:
                    most = max(most, score[other])
            lead[at] = score[at] - most
            by_points = by_points or (rank[at] == 1 and lead[at] >= 0)
        for at in range(first, first + players):
            played[at], number[at] = not by_points, blocks


def first_player(run: Run, rate: float = ALPHA) -> pl.DataFrame:
    """Return how often every seat wins and the points that make it fair, for every number of players.

    Parameters
    ----------
    rate
        Error rate of the limits of edges and handicaps of the first players. These limits hold for all numbers of
        players at once.

    Returns
    -------
    One row per seat and number of players:
    `players`; `number` (0 plays first); `place` ("seat 0" or "first player"); `games`; `win_rate`;
    `edge` with `edge_low` and `edge_high`;
    `handicap`, the points that make this seat fair if no other seat gets any, with `handicap_low` and `handicap_high`;
    `left`, the edge that remains on half of the deals with the handicap from the other half, with its limits;
    `together`, the points of this seat if all seats get points (with a mean of 0), with limits;
    `otherwise`, the share of games that points do not decide.
    `edge` and `handicap` also have `_family_low` and `_family_high`. Unknown values are null.
    """
    read, table = read_places(run), play_order_table(run)
    rows = []
    for players, seats in read.items():
        blocks = count_blocks(seats.block)
        owned = np.bincount(seats.faction, minlength=players)
        error = np.full(players, np.nan)
        if blocks >= MIN_BLOCKS:
            error = errors_of_sums(np.diag(residual_products(seats, owned, seats.win)), blocks)
            error[error == 0] = np.nan
        together = prices_together(seats, players)
        one, family = (two_sided_t(blocks, level) for level in (ALPHA, rate / 2 / len(read)))
        for number in range(players):
            own = seats.chosen(seats.faction == number, (*OF_ONE, "score"))
            edge = float(own.win.mean()) - 1 / players
            # If only two different scores occur, they only tell who won. Then adding points makes no sense.
            scored = bool(((own.score > own.score.min()) & (own.score < own.score.max())).any())
            rates = [ALPHA, rate / 2 / len(read)][: 1 + (number == FIRST)]
            alone, wide = [*(prices_alone(own, *rates) if scored else ()), FactionPrice(), FactionPrice()][:2]
            left, half = left_with_handicap(own) if scored else (np.nan, np.nan)
            paid, reach = float(together.prices[number]), float(together.half[number])
            rows.append({
                "players": players, "number": number, "level": number + (table == "start"), "games": len(own.lead),
                "win_rate": edge + 1 / players, "edge": edge, "edge_low": edge - one * error[number],
                "edge_high": edge + one * error[number], "edge_family_low": edge - family * error[number],
                "edge_family_high": edge + family * error[number], "handicap": alone.points,
                "handicap_low": alone.low, "handicap_high": alone.high,
                "handicap_family_low": wide.low, "handicap_family_high": wide.high, "left": left,
                "left_low": left - half, "left_high": left + half,
                "together": paid, "together_low": paid - reach, "together_high": paid + reach,
                "otherwise": float(seats.played.mean()),
            })  # fmt: skip
    frame = pl.DataFrame(rows).with_columns(pl.col(pl.Float64).fill_nan(None))
    name = "seat" if table == "seat" else with_column(run, table)[1]
    words = level_text(name) if table == "start" else pl.format("seat {}", "seat")
    return frame.rename({"level": name}).with_columns(words.alias("place")).drop(name)


def left_with_handicap(own: PricedSeats) -> tuple[float, float]:
    """Return a seat's edge in odd blocks with the handicap from even blocks, and half its 95 % interval.

    NaN if it is not known.
    """
    halves = [own.chosen(own.block % 2 == rest, OF_ONE) for rest in (0, 1)]
    blocks = [count_blocks(half.block) for half in halves]
    points = price_alone(halves[0]).points if min(blocks) >= MIN_BLOCKS else np.nan
    if not np.isfinite(points):
        return np.nan, np.nan
    # A handicap between two whole numbers stands for a mixture of these two handicaps.
    below = int(np.floor(points))
    mixed = np.array([1 - (points - below), points - below])
    edges = [edges_with(half, np.array([below, below + 1])) for half in halves]
    errors = [
        two_sided_t(many, ALPHA) * np.sqrt(mixed @ of.covariance @ mixed)
        for of, many in zip(edges, blocks, strict=True)
    ]
    return float(mixed @ edges[1].edges), float(np.hypot(errors[0], errors[1]))
