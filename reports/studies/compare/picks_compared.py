"""Compares picks, such as an empire each epoch, between two runs: their edges over other picks of the same period."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import polars as pl

from reports.data.load import Run
from reports.data.piece_counts import picks_of
from reports.model import Table
from reports.statistics.compare.changes import STANDING_ALPHA, Compared, of_changes, with_flags
from reports.statistics.core.win_rate import Floats, family_probability
from reports.statistics.pieces.pick_values import (
    PickValues,
    edges_of_picks,
    independent_picks,
    paired_picks,
    pick_values,
    spread_of_picks,
)
from reports.statistics.pieces.picks import INSEPARABLE
from sim.errors import UserError
from sim.runs.store.verify import reading


@dataclass(frozen=True)
class PicksCompared:
    """Picks of one kind in two runs: their changes, and for each run the spread and the table of their edges."""

    compared: Compared
    spreads: tuple[float | None, float | None]
    tables: tuple[Table, Table]


def keeps_picks(*runs: Run) -> bool:
    """Tell whether all runs are of a game with picks and record who took which."""
    return all(run.pieces is not None and run.manifest.picks is not None for run in runs)


def picks_of_both(run_a: Run, run_b: Run) -> int:
    """Return how many different picks occur in either run. Only kinds of pick that both runs have count."""
    a, b = (picks_of(run).kinds for run in (run_a, run_b))
    return sum(len({*names, *b[kind]}) for kind, names in a.items() if kind in b)


def picks_compared(run_a: Run, run_b: Run, apart: bool, rows: int, arms: int = 1) -> dict[str, PicksCompared]:
    """Compare the picks of two runs, kind by kind. Their edges are those of each run's report.

    Parameters
    ----------
    run_a, run_b
        Runs for which `keeps_picks` holds.
    apart
        Whether the runs have different deals.
    rows
        Number of rows for which limits of changes hold simultaneously.
    arms
        Number of runs that are compared with the first one.

    Returns
    -------
    The comparison of each kind. Kinds of which no pick was taken are left out.
    """
    result = {}
    # The verdict on all other rows uses the other half of the error rate.
    standing = family_probability(picks_of_both(run_a, run_b), STANDING_ALPHA / 2 / arms)
    for kind in picks_of(run_a).kinds:
        if kind not in picks_of(run_b).kinds:
            continue
        with reading(run_a.folder):
            of_a = pick_values(run_a, kind)
        with reading(run_b.folder):
            values = of_a, pick_values(run_b, kind)
        if not all(one.names for one in values):
            continue
        first, second = (Table(kind, kind, edges_of_picks(one, standing)) for one in values)
        differences = independent_picks if apart else paired_picks
        frame = with_flags(differences(*values, of_changes(rows)), rows)
        periods = pl.concat([one.frame.select("level", "period") for one in (first, second)])
        periods = periods.unique("level", keep="first", maintain_order=True)
        frame = frame.join(periods, on="level", how="left", maintain_order="left")
        result[kind] = PicksCompared(
            Compared(kind, kind, frame, picks_of(run_a).period),
            (spread_of_picks(first.frame), spread_of_picks(second.frame)),
            (first, second),
        )
    return result


def pick_sums(run: Run, kind: str, name: str, null: float) -> tuple[Floats, Floats]:
    """Return a pick's pseudo-wins and pseudo-games by block, each of shape (blocks,), for the search for a fair value.

    Each block with an edge counts as one game. Its win is the fair share (`null`) plus the block's edge, so means and
    errors agree with the edge of the report. Raises UserError if the run has no estimate for the pick.
    """
    values = pick_values(run, kind)
    place = values.place(name)
    edge = values.edge[:, judged_place(values, place, kind, name, run.manifest.games)].astype(np.float64)
    known = np.isfinite(edge)
    return np.where(known, null + edge, 0.0), known.astype(np.float64)


def judged_place(values: PickValues, place: int | None, kind: str, name: str, games: int) -> int:
    """Return `place`, the index of a pick, if the pick has an edge. Otherwise raise UserError, which says why not."""
    if place is not None and not values.note[place]:
        return place
    if place is not None and values.note[place] == INSEPARABLE:
        message = f"this {kind} is always taken by one place or player, so its effect cannot be separated"
        raise UserError(message, field="card", found=name)
    message = f"too few games to compare this {kind} with the others of its period"
    raise UserError(message, field="games", found=games, allowed="as many games as a report needs to judge it")


def others_of_period(before: Run, after: Run, kind: str, name: str, rate: float) -> pl.DataFrame:
    """Return the changes of all other picks in the period of the pick `name`, between two runs on the same deals.

    Columns are `level`, `edge_before`, `edge_after` and those of `paired_picks`. Limits hold for all picks at once, at
    the error rate `rate`.
    """
    values = pick_values(before, kind), pick_values(after, kind)
    periods = dict(zip(values[0].names, values[0].periods, strict=True))
    same = [other for other, period in periods.items() if other != name and period == periods.get(name)]
    frame = paired_picks(*values, family_probability(len(same), rate)).filter(pl.col("level").is_in(same))
    return frame.rename({"edge_a": "edge_before", "edge_b": "edge_after"}).select(pl.exclude("^edge_[ab]_.*$"))
