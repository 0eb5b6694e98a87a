"""What a change does to picks, such as an empire each epoch, against the others of their kind and period."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import polars as pl

from reports.data.load import Run
from reports.model import Table
from reports.statistics.compare.changes import STANDING_ALPHA, Compared, of_changes, with_flags
from reports.statistics.core.winshare import Floats, family_probability
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
    """Picks of one kind in two runs: what changed, and the spread of their edges and the table of edges of either."""

    compared: Compared
    spreads: tuple[float | None, float | None]
    tables: tuple[Table, Table]


def keeps_picks(*runs: Run) -> bool:
    """Whether runs are of a game whose seats take picks, and say who took which."""
    return all(run.pieces is not None and run.manifest.get("picks") is not None for run in runs)


def picks_of_both(run_a: Run, run_b: Run) -> int:
    """How many picks the kinds that two runs share can have."""
    a, b = (run.manifest["picks"]["kinds"] for run in (run_a, run_b))
    return sum(len({*names, *b[kind]}) for kind, names in a.items() if kind in b)


def picks_compared(run_a: Run, run_b: Run, apart: bool, rows: int) -> dict[str, PicksCompared]:
    """Compare the picks of two runs, each kind by itself, by the edges that the report of either run has.

    Parameters
    ----------
    run_a, run_b
        Runs for which `keeps_picks` holds.
    apart
        Whether they have deals of their own.
    rows
        Of how many rows in all limits of changes are to hold at once.

    Returns
    -------
    By kind; kinds of which nothing was taken are left out.
    """
    found = {}
    # The verdict on all other rows has the other half of the rate.
    standing = family_probability(picks_of_both(run_a, run_b), STANDING_ALPHA / 2)
    for kind in run_a.manifest["picks"]["kinds"]:
        if kind not in run_b.manifest["picks"]["kinds"]:
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
        found[kind] = PicksCompared(
            Compared(kind, kind, frame, run_a.manifest["picks"]["period"]),
            (spread_of_picks(first.frame), spread_of_picks(second.frame)),
            (first, second),
        )
    return found


def pick_sums(run: Run, kind: str, name: str, null: float) -> tuple[Floats, Floats]:
    """Wins and seat-games of a pick by block, as a search for a fair value takes them, each of shape (blocks,).

    One seat-game stands for each block, and what is won of it is the fair share and the block's value of the edge: so
    their means and errors are those of the report's edge.

    Raises
    ------
    UserError
        The run says nothing of the pick: too few games, or it always goes with one place or strategy.
    """
    values = pick_values(run, kind)
    place = values.place(name)
    edge = values.edge[:, judged_place(values, place, kind, name, int(run.manifest["games"]))].astype(np.float64)
    known = np.isfinite(edge)
    return np.where(known, null + edge, 0.0), known.astype(np.float64)


def judged_place(values: PickValues, place: int | None, kind: str, name: str, games: int) -> int:
    """Place of a pick of which there is a figure.

    Raises
    ------
    UserError
        There is none.
    """
    if place is not None and not values.note[place]:
        return place
    if place is not None and values.note[place] == INSEPARABLE:
        message = f"this {kind} always goes with one place or player: nothing tells what it wins by itself"
        raise UserError(message, field="card", found=name)
    message = f"too few games to weigh this {kind} against the others of its period"
    raise UserError(message, field="games", found=games, allowed="more games, as a report takes them to weigh it")


def others_of_period(before: Run, after: Run, kind: str, name: str, rate: float) -> pl.DataFrame:
    """What changed for the other picks of the period of one, between two runs on the same deals.

    Limits for all of them miss at the rate given.

    Returns
    -------
    `level`, `edge_before`, `edge_after` and the columns of `paired_picks`.
    """
    values = pick_values(before, kind), pick_values(after, kind)
    periods = dict(zip(values[0].names, values[0].periods, strict=True))
    same = [other for other, period in periods.items() if other != name and period == periods.get(name)]
    frame = paired_picks(*values, family_probability(len(same), rate)).filter(pl.col("level").is_in(same))
    return frame.rename({"edge_a": "edge_before", "edge_b": "edge_after"}).select(pl.exclude("^edge_[ab]_.*$"))
