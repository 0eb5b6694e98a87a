"""Open a run folder, and refuse one whose figures could not be trusted."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import polars as pl

from reports.data.one_player import with_fair_share
from reports.words import counted, plural, run_size, with_article
from sim.arguments import checks_arguments
from sim.errors import UserError, check_kind
from sim.runs.manifest import Manifest, TallyEntry, load_manifest
from sim.runs.parts import scan_part, verified_parts

NUMBER_COLUMNS = ("game", "block", "players", "seat", "score", "rank", "win", "rounds")


@dataclass(frozen=True)
class Run:
    """A run as it lies on disk: finished, or what is there of an unfinished one (`reports.data.unfinished`).

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
    files = verified_parts(folder, found.shards)
    check_strangers(folder, files)
    for file, entry in zip(files, found.shards, strict=True):
        check_columns(check_file(file, entry.rows), manifest, file)
    scans = [scan_part(file) for file in files]
    seats = joined_seats(folder, scans, manifest, names_variants(files))
    return Run(folder, manifest, seats, open_pieces(folder, found), open_tallies(folder, found))


def joined_seats(folder: Path, scans: Sequence[pl.LazyFrame], manifest: dict[str, Any], variants: bool) -> pl.LazyFrame:
    """Join the seats of all parts: the columns that every run has, its own, and that of variants if they name them."""
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


def names_variants(files: Sequence[Path]) -> bool:
    """Whether the seats of a run say which variant they were played in.

    Raises
    ------
    UserError
        Some parts do and others do not, or they name different variants.
    """
    found = [scan_part(file).collect_schema().get("variant") for file in files]
    for file, dtype in zip(files, found, strict=True):
        if dtype != found[0] or not (dtype is None or isinstance(dtype, pl.Enum)):
            raise UserError("other variants than in the first part: part of another run", file=file, field="variant")
    return found[0] is not None


def open_pieces(folder: Path, found: Manifest) -> tuple[pl.LazyFrame, ...] | None:
    """Open the table of pieces of a run; None where it kept none, or does not say what its columns mean.

    Raises
    ------
    UserError
        A part is missing, damaged, foreign to the run or without a needed column.
    """
    manifest = found.model_dump()
    if not found.card_shards or not piece_events(manifest):
        return None
    noun = piece_noun(manifest)
    columns = ["game", "seat", found.card_offered, *(event.column for event in found.card_events)]
    if found.picks is not None:
        picks = found.picks
        columns += [picks.taken, picks.draft_place, picks.turn_place, picks.later]
    files = verified_parts(folder, found.card_shards)
    check_strangers(folder, files)
    for file, entry in zip(files, found.card_shards, strict=True):
        check_numbers(check_file(file, entry.rows), columns, [noun], file)
    scans = tuple(scan_part(file) for file in files)
    names = [scan.collect_schema()[noun] for scan in scans]
    for file, dtype in zip(files, names, strict=True):
        if dtype != names[0]:
            message = f"other {plural(noun)} than in the first part: part of another run"
            raise UserError(message, file=file, field=noun)
    return scans


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
            files = verified_parts(folder, parts)
            check_strangers(folder, files)
            for file, part in zip(files, parts, strict=True):
                check_tally(check_file(file, part.rows), entry, file)
            opened[entry.plural] = joined_tally([scan_part(file) for file in files], entry)
    return opened


def check_tally(schema: pl.Schema, entry: TallyEntry, file: Path) -> None:
    """Raise UserError where a part of a tally lacks a column, or names rows foreign to the run."""
    check_numbers(schema, ["game", *entry.columns], [entry.name], file)
    foreign = set(getattr(schema[entry.name], "categories", ())) - {row.name for row in entry.rows}
    if foreign:
        raise UserError("a name that is not in run.json: part of another run", file=file, found=min(foreign))


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
    events = manifest.get("card_events", [])
    if not events or not manifest.get("card_offered"):
        return ()
    if not any(event["in_play"] for event in events):
        message = f"nothing that can become of {with_article(piece_noun(manifest))} puts it in play"
        raise UserError(message, field="card_events", found=[event["column"] for event in events])
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


def check_file(file: Path, expected: int) -> pl.Schema:
    """Return the columns of a part that holds so many rows.

    Raises
    ------
    UserError
        It is no Parquet file, or has another number of rows.
    """
    try:
        scan = scan_part(file)
        schema = scan.collect_schema()
        rows = scan.select(pl.len()).collect().item()
    except (pl.exceptions.PolarsError, pl.exceptions.PanicException, OSError) as error:
        raise UserError("this part is damaged and cannot be read as Parquet; play the run again", file=file) from error
    if rows != expected:
        raise UserError(f"this part holds {counted(rows, 'row')}, the manifest says {expected}", file=file)
    return schema


def check_columns(schema: pl.Schema, manifest: dict[str, Any], file: Path) -> None:
    """Raise UserError where a column is missing, of the wrong type, or holds names foreign to the run."""
    check_numbers(
        schema, [*NUMBER_COLUMNS, *manifest["score_parts"], *manifest["measures"]], name_columns(manifest), file
    )
    for name in level_columns(manifest):
        dtype = schema[name]
        strangers = sorted(set(getattr(dtype, "categories", ())) - set(level_names(manifest, name)))
        if strangers:
            raise UserError("a name that is not in run.json: part of another run", file=file, found=strangers[0])


def check_numbers(schema: pl.Schema, numbers: Sequence[str], names: Sequence[str], file: Path) -> None:
    """Raise UserError where a column of numbers or of names is missing or of the wrong type."""
    missing = [name for name in [*numbers, *names] if name not in schema]
    if missing:
        raise UserError(f"columns are missing: {', '.join(missing)}", file=file)
    for name in numbers:
        if not schema[name].is_numeric():
            raise UserError("not a column of numbers", file=file, field=name, found=str(schema[name]))
    for name in names:
        if not isinstance(schema[name], pl.Enum):
            raise UserError("not a column of names", file=file, field=name, found=str(schema[name]), allowed="Enum")


def check_strangers(folder: Path, files: list[Path]) -> None:
    """Raise UserError where a part lies beside the listed ones that the manifest does not know."""
    known = {file.resolve() for file in files}
    for home in sorted({file.parent for file in files}):
        for file in sorted(home.glob("*.parquet")):
            if file.resolve() not in known:
                raise UserError("this part is not listed in run.json: another run wrote into the folder", file=file)


@contextmanager
def reading(folder: Path) -> Iterator[None]:
    """Turn what polars says of damaged data into a message about the run."""
    try:
        yield
    except (pl.exceptions.PolarsError, pl.exceptions.PanicException, OSError) as error:
        first_line = str(error).splitlines()[0] if str(error) else type(error).__name__
        raise UserError(f"the run's rows cannot be read ({first_line}); play the run again", file=folder) from error
