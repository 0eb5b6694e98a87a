"""Convergence of estimates: edges with intervals after the first n games of a run.

Blocks are taken in order, so the values after n games are those that a run of n games would have reported. Each
interval holds for its own n only, not for stopping at a favourable one.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl

from reports.data.games import GameArrays, GameSums, Integers, gather
from reports.data.load import Run, level_columns, level_names, mean_of_one_player, only_one_player
from reports.data.moments import SUMS, add_block, allow_for_mean, moments_frame
from reports.formatting import factors
from reports.statistics.core.win_rate import Floats, win_rates
from sim.compiler.kernel import kernel

POINTS = 40
FIRST = 25
SHOWN = 3
SHOWN_COLUMNS = ("edge", "edge_low", "edge_high", "note")


@dataclass(frozen=True)
class Course:
    """Edges of all levels of one column after growing numbers of games.

    `frame` has `level`, `point` (0, 1, ...), `games` (so far), `blocks_so_far`, and `edge`, `edge_low`, `edge_high`,
    `note` as in `win_rate.win_rates`; sorted by level and point.
    """

    noun: str
    frame: pl.DataFrame


class EdgesOnTheWay(GameSums):
    """Sums of a run at about 40 stops, evenly spaced in the logarithm of the blocks so far; see `add_course_wins`."""

    def __init__(self, run: Run) -> None:
        blocks = max(1, run.manifest.blocks)
        self.stops = np.unique(np.rint(np.geomspace(min(FIRST, blocks), blocks, POINTS)).astype(np.int64))
        self.names = {name: level_names(run.manifest, name) for name in reversed(level_columns(run.manifest))}
        self.sums = {name: np.zeros((len(found), len(SUMS))) for name, found in self.names.items()}
        self.taken = {name: np.zeros((len(self.stops), *own.shape)) for name, own in self.sums.items()}
        self.games, self.seen = np.zeros(len(self.stops), np.int64), np.zeros(2, np.int64)
        self.alone = mean_of_one_player(run.seats)

    def add(self, games: GameArrays) -> None:
        """Add a batch of whole blocks."""
        before = self.seen.copy()
        for column in self.names:
            self.seen[:] = before
            arrays = (games.block, games.game, games.rank, getattr(games, column), self.alone)
            add_course_wins(*arrays, self.sums[column], self.taken[column], self.stops, self.games, self.seen)


def follow_edges(run: Run) -> list[Course]:
    """Return the edges of every strategy and faction as games are added."""
    found, nouns = gather(run, EdgesOnTheWay), factors(run.manifest)
    taken = found.taken
    if only_one_player(run.manifest):
        taken = {column: sums.copy() for column, sums in taken.items()}
        for sums_so_far in taken.values():
            for point in sums_so_far:
                allow_for_other_levels(point)
    return [
        Course(nouns[column], course_frame(names, taken[column], found.stops, found.games))
        for column, names in found.names.items()
    ]


@kernel
def add_course_wins(
    block: Any, game: Any, rank: Any, code: Any, alone: float, sums: Any, taken: Any, stops: Any, games: Any, seen: Any
) -> None:
    """Add whole blocks to the sums of all levels, and copy the sums at each stop.

    Parameters
    ----------
    block, game, rank, code
        One entry per seat-game, with games of a block and seats of a game contiguous; shape (rows,).
    alone
        Fair share in a game of one player.
    sums
        `moments.SUMS` so far, except those of scores and ranks, shape (levels, SUMS).
    taken
        Copies of them, shape (stops, levels, SUMS).
    stops
        Numbers of blocks after which copies are taken, ascending.
    games
        Games seen at each stop, shape (stops,).
    seen
        Blocks and games so far, shape (2,); all but the stops are changed in place.
    """
    rows, levels = len(block), len(sums)
    here = np.zeros((3, levels))
    touched = np.empty(levels, np.int64)
    row = 0
    while row < rows:
        now, used = block[row], 0
        while row < rows and block[row] == now:
            end, winners = row, 0
            while end < rows and game[end] == game[row] and block[end] == now:
                winners += rank[end] == 1
                end += 1
            for seat in range(row, end):
                level = code[seat]
                if here[0, level] == 0:
                    touched[used] = level
                    used += 1
                here[0, level] += 1
                here[1, level] += 1 / winners if rank[seat] == 1 else 0.0
                here[2, level] += 1 / (end - row) if end - row > 1 else alone
            row = end
            seen[1] += 1
        for place in range(used):
            level = touched[place]
            add_block(sums[level], here[0, level], here[1, level], here[2, level], 0.0, 0.0, 0.0)
            here[:, level] = 0
        seen[0] += 1
        stop = np.searchsorted(stops, seen[0])
        if stop < len(stops) and stops[stop] == seen[0]:
            taken[stop] = sums
            games[stop] = seen[1]


def allow_for_other_levels(sums: Floats) -> None:
    """Correct the sums of all levels, (levels, SUMS), of games of one player for a fair share that is their mean."""
    n, w, e, squares = (sums[:, SUMS.index(name)] for name in ("N", "W", "E", "DD"))
    allow_for_mean(sums, np.column_stack([n, w - e, squares]), n.sum(), squares.sum())


def course_frame(names: list[str], taken: Floats, stops: Integers, games: Integers) -> pl.DataFrame:
    """Return the frame of a `Course`, from the copies of `add_course_wins`."""
    point, level = np.nonzero((taken[:, :, SUMS.index("N")] > 0) & (games > 0)[:, None])
    moments = moments_frame({"row": np.arange(len(point))}, taken[point, level])
    shares = win_rates(moments, ["row"]).select(
        pl.Series("level", [names[i] for i in level]), pl.Series("point", point), *SHOWN_COLUMNS
    )
    reached = pl.DataFrame({"point": np.arange(len(stops)), "games": games, "blocks_so_far": stops})
    columns = ("level", "point", "games", "blocks_so_far", *SHOWN_COLUMNS)
    return shares.join(reached, on="point", how="left").select(columns).sort("level", "point")


def widest_levels(course: Course) -> pl.DataFrame:
    """Return the rows of the three levels with the widest final edges, widest first, with the column `noun`."""
    last = course.frame.filter(pl.col("point") == course.frame["point"].max())
    order = last.sort(pl.col("edge").abs(), descending=True)["level"].head(SHOWN).to_list()
    chosen = pl.concat([course.frame.filter(pl.col("level") == level) for level in order])
    return chosen.with_columns(pl.lit(course.noun).alias("noun"))


def orders(course: Course) -> list[tuple[int, list[str]]]:
    """Return the games so far and the levels by edge, best first, at every point."""
    ordered = course.frame.sort(["point", "edge", "level"], descending=[False, True, False])
    parts = ordered.partition_by("point", maintain_order=True)
    return [(int(part["games"][0]), part["level"].to_list()) for part in parts]
