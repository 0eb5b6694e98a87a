"""Convergence of estimates: edges with intervals after the first n games of a run.

Blocks are taken in order, so the values after n games are those that a run of n games would have reported. Each
interval holds for its own n only. It does not hold if a run is stopped at a favourable n.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import polars as pl

from reports.data.games import Integers, gather
from reports.data.load import Run, level_columns, level_names, only_one_player
from reports.data.moments import SUMS, allow_for_lone_games, moments_frame
from reports.formatting import factors
from reports.statistics.core.groupings import GroupSums
from reports.statistics.core.win_rate import Floats, win_rates

SHOWN = 3
SHOWN_COLUMNS = ("edge", "edge_low", "edge_high", "note")


@dataclass(frozen=True)
class Course:
    """Edges of every level of one column, such as every faction, after increasing numbers of games.

    `frame` has `level`, `point` (0, 1, ...), `games` (so far), `blocks_so_far`, and `edge`, `edge_low`, `edge_high` and
    `note` as in `win_rate.win_rates`. It is sorted by level and point.
    """

    noun: str
    frame: pl.DataFrame


def follow_edges(run: Run) -> list[Course]:
    """Return the edges of every strategy and of every faction after increasing numbers of games."""
    found, nouns, courses = gather(run, GroupSums), factors(run.manifest), []
    for column in reversed(level_columns(run.manifest)):
        taken = found.course(column)
        if only_one_player(run.manifest):
            for sums_so_far in taken:
                allow_for_lone_games(sums_so_far)
        names = level_names(run.manifest, column)
        frame = course_frame(names, taken, found.stops, found.games, found.moments.unit)
        courses.append(Course(nouns[column], frame))
    return courses


def course_frame(names: list[str], taken: Floats, stops: Integers, games: Integers, unit: int) -> pl.DataFrame:
    """Return the frame of a `Course` from a column's levels and its `GroupSums.course`; a win counts `unit` there."""
    point, level = np.nonzero((taken[:, :, SUMS.index("N")] > 0) & (games > 0)[:, None])
    moments = moments_frame({"row": np.arange(len(point))}, taken[point, level], unit)
    shares = win_rates(moments, ["row"]).select(
        pl.Series("level", [names[i] for i in level]), pl.Series("point", point), *SHOWN_COLUMNS
    )
    reached = pl.DataFrame({"point": np.arange(len(stops)), "games": games, "blocks_so_far": stops})
    columns = ("level", "point", "games", "blocks_so_far", *SHOWN_COLUMNS)
    return shares.join(reached, on="point", how="left").select(columns).sort("level", "point")


def widest_levels(course: Course) -> pl.DataFrame:
    """Return all rows of the three levels whose edges after all games are widest, and the column `noun`."""
    last = course.frame.filter(pl.col("point") == course.frame["point"].max())
    order = last.sort(pl.col("edge").abs(), descending=True)["level"].head(SHOWN).to_list()
    chosen = pl.concat([course.frame.filter(pl.col("level") == level) for level in order])
    return chosen.with_columns(pl.lit(course.noun).alias("noun"))


def orders(course: Course) -> list[tuple[int, list[str]]]:
    """Return, for every point, the number of games so far and the levels sorted by edge, best first."""
    ordered = course.frame.sort(["point", "edge", "level"], descending=[False, True, False])
    parts = ordered.partition_by("point", maintain_order=True)
    return [(int(part["games"][0]), part["level"].to_list()) for part in parts]
