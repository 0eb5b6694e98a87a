"""Open a run folder, and refuse one whose figures could not be trusted."""

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
from sim.errors import UserError, check_kind
from sim.runs.store.manifest import Manifest, PartEntry, TallyEntry, load_manifest
from sim.runs.store.verify import NUMBER_COLUMNS, open_parts, piece_columns, reading, seat_columns, tally_columns


@dataclass(frozen=True)
class Run:
    """A run as it lies on disk: finished, or what is there of an unfinished one (`reports.data.partial_run`).

    Attributes
    ----------
    folder
        The run folder.
    manifest
        The content of `run.json`.
    seats
        Lazy scan of all parts: one row per seat per game; with `fair`, the fair share of the seat, where some games
        have one player (`reports.data.one_player`).
    pieces
        Lazy scans of the parts of the table of pieces, in the order of the games; None where the run kept none.
    tallies
        Lazy scan of each tally that the run kept, by its plural: `game`, its rows by name, and its columns of counts.
    """

    folder: Path
    manifest: dict[str, Any]
    seats: pl.LazyFrame
    pieces: tuple[pl.LazyFrame, ...] | None = None
    tallies: Mapping[str, pl.LazyFrame] = field(default_factory=dict)

    def __repr__(self) -> str:
        """Show itself in a notebook or at a prompt."""
        strategies = ", ".join(row["name"] for row in self.manifest["strategies"])
        return f"{self.manifest['title']}: {run_size(self.manifest)}; strategies: {strategies}"


@checks_arguments
def load_run(folder: str | os.PathLike[str]) -> Run:
    """Open a finished run.

    Reads the manifest and compares the bytes of every part with its SHA-256 there; the rows themselves stay on disk
    until a statistic asks for them.

    Parameters
    ----------
    folder
        A run folder, e.g. `runs/first`.

    Raises
    ------
    UserError
        No such folder, an unfinished run, no manifest, a manifest of another format or one that contradicts itself, a
        part that is missing, damaged, foreign to the run or without a needed column.
    """
    folder = Path(folder)
    found = load_manifest(folder)
    manifest = found.model_dump()
    scans = open_parts(folder, found.shards, seat_columns(found))
    check_strangers(folder, found.shards)
    seats = joined_seats(folder, scans, manifest)
    return Run(folder, manifest, seats, open_pieces(folder, found), open_tallies(folder, found))


def joined_seats(folder: Path, scans: Sequence[pl.LazyFrame], manifest: dict[str, Any]) -> pl.LazyFrame:
    """Join the seats of all parts: the columns that every run has, its own, and that of variants if they name them."""
    variants = "variant" in scans[0].collect_schema()
    columns = [*NUMBER_COLUMNS, *name_columns(manifest), *manifest["score_parts"], *manifest["measures"]]
    columns += ["variant"] if variants else []
    seats = pl.concat([with_levels(scan.select(columns), manifest) for scan in scans], how="vertical")
    with reading(folder):
        return with_fair_share(seats, manifest)


def as_run(run: Run | str | os.PathLike[str]) -> Run:
    """Return a run that was opened before as it is, and open one that is named by its folder.

    Raises
    ------
    UserError
        As for `load_run`; or it is neither.
    """
    if isinstance(run, str | os.PathLike):
        return load_run(Path(run))
    check_kind(run, Run, 'load_run("runs/first"), or the run\'s folder')
    return run


def open_pieces(folder: Path, found: Manifest) -> tuple[pl.LazyFrame, ...] | None:
    """Open the table of pieces of a run; None where it kept none, or does not say what its columns mean.

    Raises
    ------
    UserError
        A part is missing, damaged, foreign to the run or without a needed column.
    """
    if not found.piece_parts or not piece_events(found.model_dump()):
        return None
    check_strangers(folder, found.piece_parts)
    return tuple(open_parts(folder, found.piece_parts, piece_columns(found)))


def open_tallies(folder: Path, found: Manifest) -> dict[str, pl.LazyFrame]:
    """Open the tallies of a run, by their plurals.

    Raises
    ------
    UserError
        A part is missing, damaged, foreign to the run or without a needed column.
    """
    opened = {}
    for entry in found.tallies:
        parts = found.tally_shards.get(entry.plural)
        if parts:
            check_strangers(folder, parts)
            opened[entry.plural] = joined_tally(open_parts(folder, parts, tally_columns(found, entry)), entry)
    return opened


def joined_tally(scans: Sequence[pl.LazyFrame], entry: TallyEntry) -> pl.LazyFrame:
    """Join the parts of a tally, its rows named as in the manifest; rows of 0 are left out."""
    names: Any = pl.Enum([row.name for row in entry.rows])
    return pl.concat([scan.with_columns(pl.col(entry.name).cast(names)) for scan in scans])


def piece_noun(manifest: dict[str, Any]) -> str:
    """What the game calls a piece, "card", and the column that names them; runs of earlier versions have cards."""
    return str(manifest.get("piece") or "card")


def piece_events(manifest: dict[str, Any]) -> tuple[dict[str, Any], ...]:
    """Return what can become of a piece, as the game declares it; empty where the manifest does not say.

    Raises
    ------
    UserError
        The declaration puts no piece in play.
    """
    events = manifest.get("piece_events", [])
    if not events or not manifest.get("pieces_offered"):
        return ()
    if not any(event["in_play"] for event in events):
        message = f"nothing that can become of {with_article(piece_noun(manifest))} puts it in play"
        raise UserError(message, field="piece_events", found=[event["column"] for event in events])
    return tuple(events)


def level_columns(manifest: dict[str, Any]) -> tuple[str, ...]:
    """Columns whose names the manifest lists: faction, in a game that has any, and strategy."""
    return ("faction", "strategy") if manifest["factions"] else ("strategy",)


def name_columns(manifest: dict[str, Any]) -> tuple[str, ...]:
    """Columns of seat rows that hold names."""
    return (*level_columns(manifest), "end_reason")


def with_levels(seats: pl.LazyFrame, manifest: dict[str, Any]) -> pl.LazyFrame:
    """Return seat rows with names cast to the manifest's, so that parts written with fewer names agree with others."""
    return seats.with_columns(
        pl.col(name).cast(pl.Enum(level_names(manifest, name))) for name in level_columns(manifest)
    )


def level_names(manifest: dict[str, Any], column: str) -> list[str]:
    """Return the names that may stand in the column `faction` or `strategy`, in the manifest's order."""
    rows = manifest["factions" if column == "faction" else "strategies"]
    return [row["name"] for row in rows]


def check_strangers(folder: Path, entries: Sequence[PartEntry]) -> None:
    """Raise UserError where a part lies beside the listed ones that the manifest does not know."""
    files = [folder / entry.file for entry in entries]
    known = {file.resolve() for file in files}
    for home in sorted({file.parent for file in files}):
        for file in sorted(home.glob("*.parquet")):
            if file.resolve() not in known:
                raise UserError("this part is not listed in run.json: another run wrote into the folder", file=file)
