"""Tallies of a run: what its games counted besides seats and pieces, such as battles for each land."""

from __future__ import annotations

import polars as pl

from reports.data.load import Run
from sim.runs.store.manifest import TallyEntry


def tallies_shown(run: Run, shows: str) -> list[TallyEntry]:
    """What a run's games counted that is to be shown in some way; nothing of what the run did not keep."""
    entries = [TallyEntry(**entry) for entry in run.manifest.get("tallies", [])]
    return [entry for entry in entries if entry.shows == shows and entry.plural in run.tallies]


def tally_sums(run: Run, entry: TallyEntry) -> pl.DataFrame:
    """Sums over all games: a row for each row of the tally in its order, `row`, and its columns."""
    counts = [pl.col(name).cast(pl.Int64).sum() for name in entry.columns]
    sums = run.tallies[entry.plural].group_by(entry.name).agg(counts)
    names = [row.name for row in entry.rows]
    every = pl.LazyFrame({entry.name: pl.Series(names, dtype=pl.Enum(names))})
    whole = every.join(sums, on=entry.name, how="left", maintain_order="left")
    row = pl.col(entry.name).cast(pl.String).alias("row")
    return whole.select(row, pl.col(entry.columns).fill_null(0)).collect(engine="streaming")
