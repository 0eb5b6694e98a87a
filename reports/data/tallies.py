"""Tallies of a run: what its games counted besides seats and pieces, such as battles for each land."""

from __future__ import annotations

from typing import Any

import polars as pl

from reports.data.load import Run, check_file, check_numbers, check_strangers
from sim.errors import UserError
from sim.runs.manifest import PartEntry, TallyEntry
from sim.runs.parts import scan_part, verified_parts


def tallies_shown(run: Run, shows: str) -> list[TallyEntry]:
    """What a run's games counted that is to be shown in some way; nothing of what the run did not keep."""
    kept = run.manifest.get("tally_shards", {})
    entries = [TallyEntry(**entry) for entry in run.manifest.get("tallies", [])]
    return [entry for entry in entries if entry.shows == shows and kept.get(entry.plural)]


def tally_parts(run: Run, entry: TallyEntry) -> pl.LazyFrame:
    """Open a tally: `game`, its rows by name, and its columns of counts; rows of 0 are left out.

    Raises
    ------
    UserError
        A part is missing, damaged, foreign to the run or without a needed column.
    """
    parts = [PartEntry(**part) for part in run.manifest["tally_shards"][entry.plural]]
    files = verified_parts(run.folder, parts)
    check_strangers(run.folder, files)
    known = [row.name for row in entry.rows]
    for file, part in zip(files, parts, strict=True):
        schema = check_file(file, part.rows)
        check_numbers(schema, ["game", *entry.columns], [entry.name], file)
        if foreign := sorted(set(getattr(schema[entry.name], "categories", ())) - set(known)):
            raise UserError("a name that is not in run.json: part of another run", file=file, found=foreign[0])
    names: Any = pl.Enum(known)
    return pl.concat([scan_part(file).with_columns(pl.col(entry.name).cast(names)) for file in files])


def tally_sums(run: Run, entry: TallyEntry) -> pl.DataFrame:
    """Sums over all games: a row for each row of the tally in its order, `row`, and its columns."""
    sums = tally_parts(run, entry).group_by(entry.name).agg(pl.col(name).cast(pl.Int64).sum() for name in entry.columns)
    names = [row.name for row in entry.rows]
    every = pl.LazyFrame({entry.name: pl.Series(names, dtype=pl.Enum(names))})
    whole = every.join(sums, on=entry.name, how="left", maintain_order="left")
    counts, row = pl.col(entry.columns).fill_null(0), pl.col(entry.name).cast(pl.String).alias("row")
    return whole.select(row, counts).collect(engine="streaming")
