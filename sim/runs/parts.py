"""Parts of a run as they are read: each is compared with what the manifest says of it."""

from __future__ import annotations

import hashlib
import shlex
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import polars as pl

from sim.errors import UserError, lack_of_memory
from sim.printing import printable
from sim.runs.manifest import Manifest, PartEntry, PlannedRun, TallyEntry

NUMBER_COLUMNS = ("game", "block", "players", "seat", "score", "rank", "win", "rounds")
"""Columns of numbers of the seats in every game."""
WHOLE_COLUMNS = ("game", "block", "players", "seat", "rank", "rounds")
"""Those of them that count: whole numbers only."""
WHOLE_TYPES = (pl.Int8, pl.Int16, pl.Int32, pl.Int64, pl.UInt8, pl.UInt16, pl.UInt32, pl.UInt64)
NUMBER_TYPES = (*WHOLE_TYPES, pl.Float32, pl.Float64)
BROKEN = (pl.exceptions.PolarsError, pl.exceptions.PanicException, OSError)
"""What polars raises where bytes are not those of a Parquet file."""


@dataclass(frozen=True)
class Columns:
    """Columns that the parts of a table must have.

    Attributes
    ----------
    numbers
        Columns of numbers.
    names
        Columns of names, with the names that may stand there; None where the manifest does not list them.
    """

    numbers: Sequence[str]
    names: Mapping[str, Sequence[str] | None]


def seat_columns(planned: PlannedRun) -> Columns:
    """Return the columns of the seats of a run."""
    names: dict[str, Sequence[str] | None] = {"strategy": [row.name for row in planned.strategies], "end_reason": None}
    if planned.factions:
        names["faction"] = [row.name for row in planned.factions]
    return Columns([*NUMBER_COLUMNS, *planned.score_parts, *planned.measures], names)


def piece_columns(planned: PlannedRun) -> Columns:
    """Return the columns of the table of pieces, as far as the manifest says what they mean."""
    events, picks = [event.column for event in planned.card_events], planned.picks
    own = [picks.taken, picks.draft_place, picks.turn_place, picks.later] if picks is not None else []
    declared = [planned.card_offered, *events, *own] if planned.card_offered and events else []
    return Columns(["game", "seat", *declared], {planned.piece: None})


def tally_columns(entry: TallyEntry) -> Columns:
    """Return the columns of a tally."""
    return Columns(["game", *entry.columns], {entry.name: [row.name for row in entry.rows]})


def tables_of(manifest: Manifest) -> list[tuple[list[PartEntry], Columns]]:
    """Return the parts and the columns of each table of a run."""
    tallies = [(manifest.tally_shards.get(entry.plural, []), tally_columns(entry)) for entry in manifest.tallies]
    seats, pieces = (manifest.shards, seat_columns(manifest)), (manifest.card_shards, piece_columns(manifest))
    return [seats, pieces, *tallies]


def open_parts(folder: Path, entries: Sequence[PartEntry], columns: Columns) -> list[pl.LazyFrame]:
    """Scan the parts of a table. Every command that reads rows of a run does it here.

    Bytes are compared with their SHA-256, and columns with those that the table must have. Rows stay on disk.

    Raises
    ------
    UserError
        As `verified_part`; a part is no Parquet file, has another number of rows, lacks a column, has one of another
        type than it must have or than the first part has, lacks a value, or holds names foreign to the run.
    """
    files = verified_parts(folder, entries)
    schemas = [checked_schema(file, entry, columns) for file, entry in zip(files, entries, strict=True)]
    for file, schema in zip(files, schemas, strict=True):
        check_alike(file, schema, schemas[0], columns)
    return [with_printable_names(scan_part(file), schema) for file, schema in zip(files, schemas, strict=True)]


def with_printable_names(scan: pl.LazyFrame, schema: pl.Schema) -> pl.LazyFrame:
    """Return the rows of a part with their names as the manifest has them, printable (`made_printable`)."""
    for name, dtype in schema.items():
        names = dtype.categories.to_list() if isinstance(dtype, pl.Enum) else []
        if printed := {own: printable(own, lines=False) for own in names if own != printable(own, lines=False)}:
            known = pl.Enum(list(dict.fromkeys(printed.get(own, own) for own in names)))
            scan = scan.with_columns(pl.col(name).cast(pl.String).replace(printed).cast(known))
    return scan


def checked_schema(file: Path, entry: PartEntry, columns: Columns) -> pl.Schema:
    """Return the columns of a part; raise UserError as `open_parts`, but for what only several parts show."""
    try:
        scan = scan_part(file)
        schema = scan.collect_schema()
        rows = scan.select(pl.len()).collect().item()
    except BROKEN as error:
        if lack_of_memory(error):
            raise
        raise UserError("this part is damaged and cannot be read as Parquet; play the run again", file=file) from error
    if rows != entry.rows:
        raise UserError(f"this part holds {rows_counted(rows)}, the manifest says {entry.rows}", file=file)
    missing = [name for name in [*columns.numbers, *columns.names] if name not in schema]
    if missing:
        raise UserError(f"columns are missing: {', '.join(missing)}", file=file)
    for name in columns.numbers:
        whole = name in WHOLE_COLUMNS
        if schema[name] not in (WHOLE_TYPES if whole else NUMBER_TYPES):
            message = f"not a column of {'whole ' if whole else ''}numbers"
            raise UserError(message, file=file, field=name, found=str(schema[name]))
    for name, known in columns.names.items():
        dtype = schema[name]
        if not isinstance(dtype, pl.Enum):
            raise UserError("not a column of names", file=file, field=name, found=str(dtype), allowed="Enum")
        found = {printable(own, lines=False) for own in dtype.categories}
        strangers = [] if known is None else sorted(found - set(known))
        if strangers:
            raise UserError("a name that is not in run.json: part of another run", file=file, found=strangers[0])
    with reading(file):
        needed = list(dict.fromkeys([*columns.numbers, *columns.names]))
        for name, empty in scan.select(pl.col(needed).null_count()).collect().row(0, named=True).items():
            if empty:
                message = f"{rows_counted(empty)} without a value; play the run again"
                raise UserError(message, file=file, field=name)
    return schema


def rows_counted(number: int) -> str:
    """Write a number of rows."""
    return f"{number:,} row{'' if number == 1 else 's'}"


def check_alike(file: Path, schema: pl.Schema, first: pl.Schema, columns: Columns) -> None:
    """Raise UserError where a column of a part is of another type, or may hold other names, than in the first part.

    Parts may be written with fewer of the names that the manifest lists.
    """
    for name in columns.numbers:
        if schema[name] != first[name]:
            message = "another type than in the first part: part of another run"
            raise UserError(message, file=file, field=name, found=str(schema[name]), allowed=str(first[name]))
    for name in ["variant", *(name for name, known in columns.names.items() if known is None)]:
        dtype = schema.get(name)
        if dtype != first.get(name) or not (dtype is None or isinstance(dtype, pl.Enum)):
            raise UserError(f"other {name}s than in the first part: part of another run", file=file, field=name)


@contextmanager
def reading(folder: Path) -> Iterator[None]:
    """Turn what polars says of damaged data into a message about the run."""
    try:
        yield
    except BROKEN as error:
        if lack_of_memory(error):
            raise
        first_line = str(error).splitlines()[0] if str(error) else type(error).__name__
        raise UserError(f"the run's rows cannot be read ({first_line}); play the run again", file=folder) from error


def verified_parts(folder: Path, entries: Sequence[PartEntry]) -> list[Path]:
    """Return the part files of a run, having read every byte of them.

    That takes about a second of one core for 30 million games of 35 bytes each.

    Raises
    ------
    UserError
        As `verified_part`, for the first part of which it is true.
    """
    with ThreadPoolExecutor() as workers:
        return list(workers.map(lambda entry: verified_part(folder, entry), entries))


def verified_part(folder: Path, entry: PartEntry) -> Path:
    """Return a part file whose bytes are those that the run wrote, by their SHA-256.

    Raises
    ------
    UserError
        The part is missing, is a link to something outside the run folder, cannot be read, or has changed.
    """
    file = folder / entry.file
    try:
        inside = file.resolve().is_relative_to(folder.resolve())
        if inside and file.is_file():
            with file.open("rb") as content:
                found = hashlib.file_digest(content, "sha256").hexdigest()
    except (OSError, RuntimeError) as error:
        raise UserError(f"this part cannot be read ({error})", file=file) from error
    if not inside:
        place = file.resolve()
        raise UserError("this part links to a place outside the run folder", file=file, found=str(place))
    if not file.is_file():
        raise UserError(f"this part of the run is missing; {remedy(folder)}", file=file)
    if found != entry.sha256:
        message = f"this part is damaged: its bytes are not those that the run wrote; {remedy(folder)}"
        raise UserError(message, file=file, field="sha256", found=found, allowed=entry.sha256)
    return file


def remedy(folder: Path) -> str:
    """Name the command that plays what is damaged or missing of a run again, and leaves the rest as it is."""
    return f"play it again with: empirelab check --repair {shlex.quote(str(folder))}"


def is_whole(folder: Path, entry: PartEntry) -> bool:
    """Whether a part file is there and its bytes are those that the run wrote."""
    try:
        verified_part(folder, entry)
    except UserError:
        return False
    return True


def scan_part(file: Path) -> pl.LazyFrame:
    """Scan a part; its name is taken as it is, whatever brackets and stars it holds."""
    return pl.scan_parquet(file, glob=False)
