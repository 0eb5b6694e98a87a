"""Margins of victory and changes of the lead, summed per batch of blocks."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from reports.data.games import GameArrays, read_games
from reports.data.load import Run
from reports.data.moments import SUMS, add_block, moments_frame
from reports.formatting import counted
from reports.statistics.core.win_rate import ALPHA, ROUNDING, Floats, luck_interval, win_rates
from reports.statistics.course.variance import ScoreDesign, add_group_products, model_codes
from sim.compiler.kernel import kernel

BATCHES = 100
CLOSE = (1, 2, 5)
MARGINS = 1000
QUANTILES = (0.25, 0.50, 0.75, 0.95)


def sum_batches(
    run: Run, design: ScoreDesign, moments: Sequence[str]
) -> tuple[Floats, dict[str, Floats], dict[str, Floats]]:
    """Sum a run per batch of consecutive blocks.

    Returns
    -------
    Cross-products of the model's columns and the score, see `add_group_products`; margins, see `add_margins`; leads,
    see `add_leads`.
    """
    blocks = max(1, run.manifest.blocks)
    size = -(-blocks // BATCHES)
    batches, columns, most = -(-blocks // size), int(design.starts[-1]) + 2, int(design.starts[1])
    sums = np.zeros((batches, 3, columns, columns))
    margins = {
        "counts": np.zeros((batches, 2 * MARGINS + 1)),
        "kinds": np.zeros((batches, 3)),
        "seats": np.zeros((batches, most, 3)),
    }
    leads = {
        "flows": np.zeros((batches, max(1, len(moments)), most, most)),
        "games": np.zeros((batches, 3)),
        "led": np.zeros((batches, max(1, len(moments)), 2)),
    }
    seen = 0
    for games in read_games(run, [*moments, *(["variant"] if design.variant else [])]):
        numbers, seen_now = batch_of(games, size, batches, seen)
        codes = model_codes(games, design)
        strategy = 2 if design.factions else 1
        add_group_products(games.block, numbers, codes, strategy, games.score.astype(np.float64), sums)
        columns_of = (games.game, games.block, numbers, games.seat, games.score, games.rank)
        add_margins(*columns_of, margins["counts"], margins["kinds"], margins["seats"])
        if moments:
            scores = np.stack([games.more[name] for name in moments], axis=1)
            arrays = (games.game, games.block, numbers, scores, games.rank)
            add_leads(*arrays, leads["flows"], leads["games"], leads["led"])
        seen = seen_now
    return sums, margins, leads


def moments_before_the_end(run: Run, moments: Sequence[str]) -> list[str]:
    """Return the moments at which some seat did not have its final score yet; shorter games repeat the final score."""
    same = run.seats.select((pl.col(name) == pl.col("score")).all() for name in moments)
    ended = same.collect(engine="streaming").row(0) if moments else ()
    return [name for name, is_end in zip(moments, ended, strict=True) if not is_end]


def batch_of(games: GameArrays, size: int, batches: int, seen: int) -> tuple[NDArray[np.int64], int]:
    """Return the batch of every row, and the number of blocks seen so far."""
    fresh = np.diff(games.block, prepend=games.block[0] - 1) != 0
    place = seen + np.cumsum(fresh)
    return np.minimum((place - 1) // size, batches - 1), int(place[-1])


def batch_ratio(part: Floats, whole: Floats, blocks: int) -> tuple[float | None, float | None, float | None]:
    """Return the ratio of two sums over batches with 95 % limits; None if unknown."""
    filled = whole > 0
    part, whole = part[filled], whole[filled]
    if not len(whole):
        return None, None, None
    value = float(part.sum() / whole.sum())
    if len(whole) < 2:
        return value, None, None
    others, batches = (part.sum() - part) / (whole.sum() - whole), len(whole)
    error = np.sqrt((batches - 1) / batches * ((others - others.mean()) ** 2).sum())
    # Without variation each block counts as a trial; with it batches are the degrees of freedom.
    facts = (value, error if error > ROUNDING else 0.0, batches if error > ROUNDING else blocks)
    low, high = luck_interval(*(np.array([float(fact)]) for fact in (*facts, whole.max() / whole.mean())))
    return value, float(low[0]), float(high[0])


@kernel
def add_margins(
    game: Any, block: Any, batch: Any, seat: Any, score: Any, rank: Any, counts: Any, kinds: Any, seats: Any
) -> None:
    """Count games by the winner's margin over the second, per batch.

    Parameters
    ----------
    game, block, batch, seat, score, rank
        One entry per row; shape (rows,).
    counts
        Games by margin, shape (batches, 2 M + 1): index M is a margin of 0, wider ones count at the ends.
    kinds
        Shape (batches, 3): games, games with a tie for the first place, games won alone with a margin of 0.
    seats
        Shape (batches, seats, 3): games, wins (ties split) and 1/players of each seat, without games of one player.
    """
    rows, middle = len(game), counts.shape[1] // 2
    start = 0
    while start < rows:
        end = start + 1
        while end < rows and game[end] == game[start] and block[end] == block[start]:
            end += 1
        first, second, winners = start, -1, 0
        for row in range(start, end):
            if rank[row] == 1:
                winners += 1
            if rank[row] < rank[first]:
                first = row
        for row in range(start, end if end - start > 1 else start):
            seats[batch[start], seat[row], 0] += 1
            seats[batch[start], seat[row], 1] += 1 / winners if rank[row] == 1 else 0
            seats[batch[start], seat[row], 2] += 1 / (end - start)
            closer = (
                second < 0 or rank[row] < rank[second] or (rank[row] == rank[second] and score[row] > score[second])
            )
            if row != first and closer:
                second = row
        if second >= 0:
            margin = 0 if winners > 1 else score[first] - score[second]
            counts[batch[start], min(max(margin + middle, 0), 2 * middle)] += 1
            kinds[batch[start], 0] += 1
            if winners > 1:
                kinds[batch[start], 1] += 1
            elif margin == 0:
                kinds[batch[start], 2] += 1
        start = end


def margin_shares(margins: dict[str, Floats], blocks: int) -> pl.DataFrame:
    """Return the shares of close games: `what`, `share` with limits `low` and `high`, `note`."""
    counts, kinds = margins["counts"], margins["kinds"]
    games = kinds[:, 0]
    rows: list[tuple[str, Floats]] = [("shared first place", kinds[:, 1]), ("level on points, one winner", kinds[:, 2])]
    sizes = np.abs(np.arange(counts.shape[1]) - counts.shape[1] // 2)
    rows += [(f"decided by {counted(most, 'point')} or less", counts[:, sizes <= most].sum(axis=1)) for most in CLOSE]
    found = [(what, *batch_ratio(part, games, blocks)) for what, part in rows]
    unknown = pl.when(pl.col("share").is_null()).then(pl.lit("no game with two seats"))
    note = unknown.when(pl.col("low").is_null()).then(pl.lit("one block")).otherwise(pl.lit(""))
    schema = {"what": pl.String, "share": pl.Float64, "low": pl.Float64, "high": pl.Float64}
    return pl.DataFrame(found, schema=schema, orient="row").with_columns(note.alias("note"))


@kernel
def add_leads(game: Any, block: Any, batch: Any, scores: Any, rank: Any, flows: Any, games: Any, led: Any) -> None:
    """Count how ranks move between moments, how often the lead changes and when winners led; skip games of one player.

    Parameters
    ----------
    game, block, batch, rank
        One entry per row; shape (rows,).
    scores
        Scores at the earlier moments, shape (rows, moments).
    flows
        Seats by rank at one moment and at the next, the end after the last; shape (batches, moments, ranks, ranks).
    games
        Shape (batches, 3): games, winners (more than one where first place is shared), changes of the sole leader.
    led
        Winners who led, and who led alone, at each moment; shape (batches, moments, 2).
    """
    rows, moments = scores.shape
    start = 0
    while start < rows:
        end = start + 1
        while end < rows and game[end] == game[start] and block[end] == block[start]:
            end += 1
        if end - start == 1:
            start = end
            continue
        here = batch[start]
        games[here, 0] += 1
        leader = -1
        for moment in range(moments + 1):
            leaders, best = 0, -1
            for row in range(start, end):
                place = place_at(scores, rank, start, end, row, moment)
                if place == 1:
                    leaders, best = leaders + 1, row
                if moment > 0:
                    before = place_at(scores, rank, start, end, row, moment - 1)
                    flows[here, moment - 1, before - 1, place - 1] += 1
                if place == 1 and rank[row] == 1 and moment < moments:
                    led[here, moment, 0] += 1
            if leaders == 1:
                if rank[best] == 1 and moment < moments:
                    led[here, moment, 1] += 1
                if leader >= 0 and best != leader:
                    games[here, 2] += 1
                leader = best
            if moment == moments:
                games[here, 1] += leaders
        start = end


@kernel
def place_at(scores: Any, rank: Any, start: int, end: int, row: int, moment: int) -> int:
    """Return the rank of a row in its game by score at a moment; at the end the final rank."""
    if moment == scores.shape[1]:
        return int(rank[row])
    place = 1
    for other in range(start, end):
        if scores[other, moment] > scores[row, moment]:
            place += 1
    return place


def lead_shares(leads: dict[str, Floats], titles: Sequence[str], blocks: int) -> pl.DataFrame:
    """Return the share of final winners in the lead at each moment: `moment`, `led`, `low`, `high`, `alone`, `note`."""
    winners, led = leads["games"][:, 1], leads["led"]
    rows = [
        (title, *batch_ratio(led[:, place, 0], winners, blocks), batch_ratio(led[:, place, 1], winners, blocks)[0])
        for place, title in enumerate(titles)
    ]
    schema = {"moment": pl.String} | dict.fromkeys(("led", "low", "high", "alone"), pl.Float64)
    frame = pl.DataFrame(rows, schema=schema, orient="row")
    note = pl.when(pl.col("low").is_null()).then(pl.lit("one block")).otherwise(pl.lit(""))
    return frame.with_columns(note.alias("note"))


def seat_shares(seats: Floats, rate: float = ALPHA) -> pl.DataFrame:
    """Return win rates of seats, by batches of blocks: `seat` and the columns of `win_rate.win_rates`.

    Parameters
    ----------
    seats
        From `add_margins`.
    """
    found = np.flatnonzero(seats[:, :, 0].sum(axis=0) > 0)
    sums = np.zeros((len(found), len(SUMS)))
    for total, seat in zip(sums, found, strict=True):
        for n, w, e in seats[seats[:, seat, 0] > 0, seat]:
            add_block(total, n, w, e, 0.0, 0.0, 0.0)
    return win_rates(moments_frame({"seat": found}, sums), ["seat"], rate)


def margin_quantiles(counts: Floats) -> list[int]:
    """Return the quantiles of margins at `QUANTILES`."""
    reached = np.cumsum(counts) / counts.sum()
    return [int(np.searchsorted(reached, q - 1e-12)) - len(counts) // 2 for q in QUANTILES]
