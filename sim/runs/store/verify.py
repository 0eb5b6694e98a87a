"""Reads the parts of a run, and verifies each part against the manifest."""

from __future__ import annotations

import hashlib
import shlex
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import polars as pl

from sim.errors import UserError, lack_of_memory, printable
from sim.runs.store.manifest import Manifest, PartEntry, PlannedRun, TallyEntry

NUMBER_COLUMNS = ("game", "block", "players", "seat", "score", "rank", "win", "rounds")
"""Numeric columns that the table of seats has in every game."""
WHOLE_COLUMNS = ("game", "block", "players", "seat", "rank", "rounds")
"""The columns in `NUMBER_COLUMNS` that contain whole numbers."""
WHOLE_TYPES = (pl.Int8, pl.Int16, pl.Int32, pl.Int64, pl.UInt8, pl.UInt16, pl.UInt32, pl.UInt64)
NUMBER_TYPES = (*WHOLE_TYPES, pl.Float32, pl.Float64)
BROKEN = (pl.exceptions.PolarsError, pl.exceptions.PanicException, OSError)
"""Errors that polars raises for a damaged Parquet file."""


@dataclass(frozen=True)
class Columns:
    """Columns that the parts of a table must have.

    Attributes
    ----------
    names
        For each column of names, the names that it may contain; None if the manifest does not list the names.
    limits
        For a column, the smallest and the largest number that it may contain.
    players
        The numbers of players that games may have. Only for the table of seats, which has all seats of its games.
    """

    numbers: Sequence[str]
    names: Mapping[str, Sequence[str] | None]
    limits: Mapping[str, tuple[int, int]]
    players: Sequence[int] = ()


@dataclass(frozen=True)
class Fault:
    """A possible fault of a column: an expression that selects the faulty rows, and what is allowed instead."""

    column: str
    wrong: pl.Expr
    allowed: str


def seat_columns(planned: PlannedRun) -> Columns:
    """Return the columns of the table of seats of a run."""
    names: dict[str, Sequence[str] | None] = {"strategy": [row.name for row in planned.strategies], "end_reason": None}
    if planned.factions:
        names["faction"] = [row.name for row in planned.factions]
    limits = games_and_seats(planned) | {"block": (0, planned.blocks - 1), "win": (0, 1), "rounds": (0, 255)}
    numbers = [*NUMBER_COLUMNS, *planned.score_parts, *planned.measures]
    return Columns(numbers, names, limits, players_in(planned))


def players_in(planned: PlannedRun) -> list[int]:
    """Return the numbers of players that the games of a run have."""
    return planned.players if isinstance(planned.players, list) else [planned.players]


def games_and_seats(planned: PlannedRun) -> dict[str, tuple[int, int]]:
    """Return for the columns `game` and `seat` the smallest and the largest number that they may contain."""
    return {"game": (0, planned.games - 1), "seat": (0, max(players_in(planned)) - 1)}


def piece_columns(planned: PlannedRun) -> Columns:
    """Return the columns of the table of pieces, as the manifest describes them."""
    events, picks = [event.column for event in planned.piece_events], planned.picks
    own = [picks.taken, picks.draft_place, picks.turn_place, picks.later] if picks is not None else []
    declared = [planned.pieces_offered, *events, *own] if planned.pieces_offered and events else []
    return Columns(["game", "seat", *declared], {planned.piece: None}, games_and_seats(planned))


def tally_columns(planned: PlannedRun, entry: TallyEntry) -> Columns:
    """Return the columns of a tally."""
    limits = {"game": games_and_seats(planned)["game"]}
    return Columns(["game", *entry.columns], {entry.name: [row.name for row in entry.rows]}, limits)


def part_kinds(manifest: Manifest) -> list[tuple[list[PartEntry], Columns]]:
    """Return a pair for each table of a run: its part files, and the columns that they must have."""
    tallies = [
        (manifest.tally_shards.get(entry.plural, []), tally_columns(manifest, entry)) for entry in manifest.tallies
    ]
    seats, pieces = (manifest.shards, seat_columns(manifest)), (manifest.piece_parts, piece_columns(manifest))
    return [seats, pieces, *tallies]


def open_parts(folder: Path, entries: Sequence[PartEntry], columns: Columns) -> list[pl.LazyFrame]:
    """Verify the parts of a table and scan them lazily. All commands read the rows of a run through this function.

    Bytes are compared with their SHA-256, and columns with those that the table must have. Rows stay on disk. Raise
    UserError as `verified_part` does; or if a part is not a Parquet file, has the wrong number of rows, lacks a column
    or a value, has a column of the wrong type or of another type than in the first part, or contains names or numbers
    that the run cannot have.
    """
    files = verified_parts(folder, entries)
    schemas = [checked_schema(file, entry, columns) for file, entry in zip(files, entries, strict=True)]
    for file, schema in zip(files, schemas, strict=True):
        check_alike(file, schema, schemas[0], columns)
    if columns.players:
        check_order(files)
    return [with_printable_names(scan_part(file), schema) for file, schema in zip(files, schemas, strict=True)]


def with_printable_names(scan: pl.LazyFrame, schema: pl.Schema) -> pl.LazyFrame:
    """Return the rows of a part with unprintable characters in names replaced, as in the manifest."""
    for name, dtype in schema.items():
        names = dtype.categories.to_list() if isinstance(dtype, pl.Enum) else []
        if printed := {own: printable(own, lines=False) for own in names if own != printable(own, lines=False)}:
            known = pl.Enum(list(dict.fromkeys(printed.get(own, own) for own in names)))
            scan = scan.with_columns(pl.col(name).cast(pl.String).replace(printed).cast(known))
    return scan


def checked_schema(file: Path, entry: PartEntry, columns: Columns) -> pl.Schema:
    """Check a single part, and return the names and types of its columns; raise UserError as in `open_parts`."""
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
    check_part_columns(file, scan, schema, columns, entry.games)
    return schema


def check_part_columns(file: Path, scan: pl.LazyFrame, schema: pl.Schema, columns: Columns, games: int | None) -> None:
    """Raise UserError if a column is missing or of the wrong type, or contains values that the run does not have.

    Parameters
    ----------
    games
        Number of games in the rows; None if unknown.
    """
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
    check_values(file, scan, schema, columns, games)


def check_values(file: Path, scan: pl.LazyFrame, schema: pl.Schema, columns: Columns, games: int | None) -> None:
    """Read all rows once; raise UserError if a value is missing, or if this run cannot have it."""
    needed = list(dict.fromkeys([*columns.numbers, *columns.names]))
    faults = faults_in(schema, columns)
    with reading(file):
        empty = pl.col(needed).null_count()
        begun = (~pl.col("game").eq_missing(pl.col("game").shift())).sum().alias("games: found")
        found = scan.select(empty, *(fault.wrong.any().alias(f"{at}: wrong") for at, fault in enumerate(faults)), begun)
        row = found.collect().row(0, named=True)
        for name in needed:
            if row[name]:
                message = f"{rows_counted(row[name])} without a value; play the run again"
                raise UserError(message, file=file, field=name)
        for at, fault in enumerate(faults):
            if row[f"{at}: wrong"]:
                first = scan.select(pl.col("game", fault.column).filter(fault.wrong).first()).collect().to_dicts()[0]
                raise UserError(
                    "not a number that this run can have here; play the run again",
                    file=file, row=f"game {first['game']}", field=fault.column, found=first[fault.column],
                    allowed=fault.allowed,
                )  # fmt: skip
    if columns.players and games is not None and row["games: found"] != games:
        message = "the number of games in this part differs from the manifest"
        raise UserError(message, file=file, field="game", found=row["games: found"], allowed=str(games))


def faults_in(schema: pl.Schema, columns: Columns) -> list[Fault]:
    """Return the faults to look for in the numbers of a part, which the report's kernels use as indices."""
    floats = [name for name in columns.numbers if schema[name].is_float()]
    faults = [Fault(name, ~pl.col(name).is_finite(), "a finite number") for name in floats]
    for name, (least, most) in columns.limits.items():
        faults.append(Fault(name, ~pl.col(name).is_between(least, most), f"{least} to {most}"))
    if not columns.players:
        return faults
    game, players, seat, rank = (pl.col(name) for name in ("game", "players", "seat", "rank"))
    begins = ~game.eq_missing(game.shift())
    ends = begins.shift(-1, fill_value=True)
    misplaced = (begins & (seat != 0)) | (~begins & (seat != seat.shift() + 1))
    last = pl.when(players > 1).then(players).otherwise(2)  # in a lost solo game the only player has rank 2
    return [
        *faults,
        Fault("players", ~players.is_in(columns.players), " or ".join(map(str, columns.players))),
        Fault("rank", ~rank.is_between(1, last), "1 to the number of players"),
        Fault("seat", misplaced, "the seats of each game in order, from 0"),
        Fault("players", ends & (seat + 1 != players), "the number of rows of the game"),
        Fault("players", ~begins & (players != players.shift()), "the same in all rows of a game"),
        Fault("game", begins & (game <= game.shift()), "a larger number than the game before"),
    ]


def rows_counted(number: int) -> str:
    """Return a number of rows in words: '1 row', '1,200 rows'."""
    return f"{number:,} row{'' if number == 1 else 's'}"


def check_alike(file: Path, schema: pl.Schema, first: pl.Schema, columns: Columns) -> None:
    """Raise UserError if a column of a part has another type, or other names, than in the first part.

    If the manifest lists the names of a column, names are not compared, because a part need not contain all of them.
    """
    for name in columns.numbers:
        if schema[name] != first[name]:
            message = "the type differs from the first part: part of another run"
            raise UserError(message, file=file, field=name, found=str(schema[name]), allowed=str(first[name]))
    for name in ["variant", *(name for name, known in columns.names.items() if known is None)]:
        dtype = schema.get(name)
        if dtype != first.get(name) or not (dtype is None or isinstance(dtype, pl.Enum)):
            raise UserError(f"other {name}s than in the first part: part of another run", file=file, field=name)


def check_order(files: Sequence[Path]) -> None:
    """Raise UserError if the first game of a part of seats does not come after the last game of the part before it."""
    last = -1
    for file in files:
        first, end = scan_part(file).select(pl.first("game"), pl.last("game").alias("end")).collect().row(0)
        if first <= last:
            message = "not the games after those of the previous part; play the run again"
            raise UserError(message, file=file, field="game", found=first, allowed=f"from {last + 1} on")
        last = end


@contextmanager
def reading(folder: Path) -> Iterator[None]:
    """Convert errors that polars raises on damaged data into a UserError about the run."""
    try:
        yield
    except BROKEN as error:
        if lack_of_memory(error):
            raise
        first_line = str(error).splitlines()[0] if str(error) else type(error).__name__
        raise UserError(f"the run's rows cannot be read ({first_line}); play the run again", file=folder) from error


def verified_parts(folder: Path, entries: Sequence[PartEntry]) -> list[Path]:
    """Verify every byte of part files of a run, and return the paths of the files.

    One core takes about a second for 30 million games of 35 bytes each.
    """
    with ThreadPoolExecutor() as workers:
        return list(workers.map(lambda entry: verified_part(folder, entry), entries))


def verified_part(folder: Path, entry: PartEntry) -> Path:
    """Check the SHA-256 of a part file, and return the path of the file.

    Raise UserError if the part is missing, is a link to something outside the run folder, cannot be read, or has
    changed.
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
        message = f"checksum mismatch: the part file was modified or is corrupt; {remedy(folder)}"
        raise UserError(message, file=file, field="sha256", found=found, allowed=entry.sha256)
    return file


def remedy(folder: Path) -> str:
    """Return a hint that names the command for repairing damaged or missing parts of a run."""
    return f"play it again with: empirelab check --repair {shlex.quote(str(folder))}"


def is_whole(folder: Path, entry: PartEntry) -> bool:
    """Tell whether a part file exists and matches its checksum."""
    try:
        verified_part(folder, entry)
    except UserError:
        return False
    return True


def scan_part(file: Path) -> pl.LazyFrame:
    """Scan a part lazily. Brackets and stars in its path stand for themselves."""
    return pl.scan_parquet(file, glob=False)
