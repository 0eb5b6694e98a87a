"""Open a run folder, and refuse one that is damaged or inconsistent."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import polars as pl

from reports.data.one_player import with_fair_share
from reports.formatting import run_size, with_article
from sim.data.arguments import checks_arguments
from sim.data.declarations import PieceEvent
from sim.errors import UserError, check_kind
from sim.runs.store.manifest import Manifest, PartEntry, TallyEntry, load_manifest
from sim.runs.store.verify import NUMBER_COLUMNS, open_parts, piece_columns, reading, seat_columns, tally_columns


@dataclass(frozen=True)
class Run:
    """A run on disk: finished, or the games so far of an unfinished one (`reports.data.partial_run`).

    Attributes
    ----------
    manifest
        The content of `run.json`.
    seats
        Lazy scan of all parts: one row per seat per game; with `fair`, the fair share of the seat, if some games have
        one player (`reports.data.one_player`).
    pieces
        Lazy scans of the parts of the piece table, in the order of the games; None if the run kept none.
    tallies
        Lazy scan of each tally of the run, by its plural: `game`, its row names, and its columns of counts.
    """

    folder: Path
    manifest: Manifest
    seats: pl.LazyFrame
    pieces: tuple[pl.LazyFrame, ...] | None = None
    tallies: Mapping[str, pl.LazyFrame] = field(default_factory=dict)

    def __repr__(self) -> str:
        strategies = ", ".join(row.name for row in self.manifest.strategies)
        return f"{self.manifest.title}: {run_size(self.manifest)}; strategies: {strategies}"


@checks_arguments
def load_run(folder: str | os.PathLike[str]) -> Run:
    """Open a finished run.

    Reads the manifest and checks the SHA-256 of every part; rows stay on disk until a statistic reads them.

    Parameters
    ----------
    folder
        A run folder, e.g. `runs/first`.

    Raises
    ------
    UserError
        No such folder; an unfinished run; a manifest that is missing, of another format or inconsistent; a part that is
        missing, damaged, of another run or without a needed column.
    """
    folder = Path(folder)
    manifest = load_manifest(folder)
    scans = open_parts(folder, manifest.shards, seat_columns(manifest))
    check_strangers(folder, manifest.shards)
    seats = joined_seats(folder, scans, manifest)
    return Run(folder, manifest, seats, open_pieces(folder, manifest), open_tallies(folder, manifest))


def joined_seats(folder: Path, scans: Sequence[pl.LazyFrame], manifest: Manifest) -> pl.LazyFrame:
    """Concatenate the seats of all parts: the common columns, those of the game, and `variant` if there is one."""
    variants = "variant" in scans[0].collect_schema()
    columns = [*NUMBER_COLUMNS, *name_columns(manifest), *manifest.score_parts, *manifest.measures]
    columns += ["variant"] if variants else []
    seats = pl.concat([with_levels(scan.select(columns), manifest) for scan in scans], how="vertical")
    with reading(folder):
        return with_fair_share(seats, manifest)


def as_run(run: Run | str | os.PathLike[str]) -> Run:
    """Return an open run as it is, and open one that is given by its folder; raise UserError for anything else."""
    if isinstance(run, str | os.PathLike):
        return load_run(Path(run))
    check_kind(run, Run, 'load_run("runs/first"), or the run\'s folder')
    return run


def open_pieces(folder: Path, found: Manifest) -> tuple[pl.LazyFrame, ...] | None:
    """Open the piece table of a run; None if it kept none, or does not declare its columns."""
    if not found.piece_parts or not piece_events(found):
        return None
    check_strangers(folder, found.piece_parts)
    return tuple(open_parts(folder, found.piece_parts, piece_columns(found)))


def open_tallies(folder: Path, found: Manifest) -> dict[str, pl.LazyFrame]:
    """Open the tallies of a run, by their plurals."""
    opened = {}
    for entry in found.tallies:
        parts = found.tally_shards.get(entry.plural)
        if parts:
            check_strangers(folder, parts)
            opened[entry.plural] = joined_tally(open_parts(folder, parts, tally_columns(found, entry)), entry)
    return opened


def joined_tally(scans: Sequence[pl.LazyFrame], entry: TallyEntry) -> pl.LazyFrame:
    """Concatenate the parts of a tally, with the row names of the manifest; rows of zeros are not stored."""
    names: Any = pl.Enum([row.name for row in entry.rows])
    return pl.concat([scan.with_columns(pl.col(entry.name).cast(names)) for scan in scans])


def piece_noun(manifest: Manifest) -> str:
    """Return the game's word for a piece, which is also its column; "card" in runs of earlier versions."""
    return manifest.piece


def piece_events(manifest: Manifest) -> tuple[PieceEvent, ...]:
    """Return the events of a piece that the game declares, or nothing; raise UserError if none puts it in play."""
    events = manifest.piece_events
    if not events or not manifest.pieces_offered:
        return ()
    if not any(event.in_play for event in events):
        message = f"nothing that can become of {with_article(piece_noun(manifest))} puts it in play"
        raise UserError(message, field="piece_events", found=[event.column for event in events])
    return tuple(events)


def level_columns(manifest: Manifest) -> tuple[str, ...]:
    """Return the columns whose levels the manifest lists: faction, if the game has any, and strategy."""
    return ("faction", "strategy") if manifest.factions else ("strategy",)


def name_columns(manifest: Manifest) -> tuple[str, ...]:
    """Return the text columns of seat rows."""
    return (*level_columns(manifest), "end_reason")


def with_levels(seats: pl.LazyFrame, manifest: Manifest) -> pl.LazyFrame:
    """Cast names to the manifest's Enum, since parts may be written with fewer names."""
    return seats.with_columns(
        pl.col(name).cast(pl.Enum(level_names(manifest, name))) for name in level_columns(manifest)
    )


def level_names(manifest: Manifest, column: str) -> list[str]:
    """Return the levels of the column `faction` or `strategy`, in the manifest's order."""
    return [row.name for row in (manifest.factions if column == "faction" else manifest.strategies)]


def check_strangers(folder: Path, entries: Sequence[PartEntry]) -> None:
    """Raise UserError if a folder of parts has one that the manifest does not list."""
    files = [folder / entry.file for entry in entries]
    known = {file.resolve() for file in files}
    for home in sorted({file.parent for file in files}):
        for file in sorted(home.glob("*.parquet")):
            if file.resolve() not in known:
                raise UserError("this part is not listed in run.json: another run wrote into the folder", file=file)


def tallies_shown(run: Run, shows: str) -> list[TallyEntry]:
    """Return the tallies of a run that declare this kind of display and were kept."""
    return [entry for entry in run.manifest.tallies if entry.shows == shows and entry.plural in run.tallies]


def tally_sums(run: Run, entry: TallyEntry) -> pl.DataFrame:
    """Sum a tally over all games: `row`, in the tally's order, and its columns."""
    counts = [pl.col(name).cast(pl.Int64).sum() for name in entry.columns]
    sums = run.tallies[entry.plural].group_by(entry.name).agg(counts)
    names = [row.name for row in entry.rows]
    every = pl.LazyFrame({entry.name: pl.Series(names, dtype=pl.Enum(names))})
    whole = every.join(sums, on=entry.name, how="left", maintain_order="left")
    row = pl.col(entry.name).cast(pl.String).alias("row")
    return whole.select(row, pl.col(entry.columns).fill_null(0)).collect(engine="streaming")


def what_was_played(manifest: Manifest) -> dict[str, Any]:
    """Return the facts that comparable games share: game, players, strategies, factions, settings and data."""
    return {
        "game": manifest.game,
        "variant": manifest.variant,
        "players": manifest.players,
        "strategies": sorted(row.name for row in manifest.strategies),
        "factions": sorted(manifest.factions_dealt),
        **{f"settings.{name}": value for name, value in manifest.settings.items()},
        "tables": manifest.tables,
    }


def check_same_table(path: Path, theirs: Mapping[str, Any], run: Manifest, but: tuple[str, ...] = ()) -> None:
    """Check that the games of a file or folder are comparable with those of a run.

    Parameters
    ----------
    path
        The file, for the message.
    theirs, run
        Its facts, named as `what_was_played` names them, and the manifest of the run.
    but
        Fields that may differ: "strategies".

    Raises
    ------
    UserError
        Game, variant, number of players, strategies, factions, settings or data differ.
    """
    mine = what_was_played(run)
    for name, value in mine.items():
        if name not in but and theirs.get(name) != value:
            message = "this is of other games than the run"
            raise UserError(message, file=path, field=name, found=theirs.get(name), allowed=str(value))
