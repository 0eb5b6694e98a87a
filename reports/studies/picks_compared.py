"""What a change does to picks, such as an empire each epoch, against the others of their kind and period."""

from __future__ import annotations

import polars as pl

from reports.data.load import Run, reading
from reports.data.moments import block_moments
from reports.data.picks import among_their_like
from reports.shapes import Table
from reports.statistics.changes import Compared, finished, independent, paired_by
from reports.statistics.winshare import win_shares


def keeps_picks(*runs: Run) -> bool:
    """Whether runs are of a game whose seats take picks, and say who took which."""
    return all(run.pieces is not None and run.manifest.get("picks") is not None for run in runs)


def picks_compared(run_a: Run, run_b: Run, apart: bool) -> dict[str, tuple[Compared, tuple[Table, Table]]]:
    """Compare the picks of two runs, each kind by itself.

    An edge is what owners of a pick win more than seats of their strategy that stood alike and took another of the
    same period, as `rebalance --card` searches it (`reports.data.picks.among_their_like`).

    Parameters
    ----------
    run_a, run_b
        Runs for which `keeps_picks` holds.
    apart
        Whether they have deals of their own.

    Returns
    -------
    By kind: what changed, and the win shares of either run; kinds of which nothing was taken are left out.
    """
    found = {}
    for kind in run_a.manifest["picks"]["kinds"]:
        if kind not in run_b.manifest["picks"]["kinds"]:
            continue
        runs = [among_their_like(run, kind) for run in (run_a, run_b)]
        tables = [table_of(run, kind) for run in runs]
        if min(table.frame.height for table in tables) == 0:
            continue
        first, second = tables
        frame = independent(first, second) if apart else paired_by("faction", runs[0], runs[1], first, second)
        frame = finished(frame).join(periods_of(runs[0]), on="level", how="left")
        compared = Compared(kind, kind, frame, run_a.manifest["picks"]["period"])
        found[kind] = compared, (first, second)
    return found


def table_of(run: Run, kind: str) -> Table:
    """Win shares of picks that stand in the place of factions."""
    with reading(run.folder):
        shares = win_shares(block_moments(run.seats, ["faction"]), ["faction"])
    return Table(kind, kind, shares.with_columns(level=pl.col("faction").cast(pl.String)).drop("faction"))


def periods_of(run: Run) -> pl.DataFrame:
    """In which period each pick was taken first, from 1: `level`, `period`."""
    taken = pl.col(run.manifest["picks"]["taken"]).cast(pl.Int64)
    level = pl.col("faction").cast(pl.String).alias("level")
    return run.seats.group_by(level).agg(period=taken.min()).collect()
