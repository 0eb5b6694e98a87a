"""Converts the tables of a run to Parquet part files and back, and checks where a run may be written."""

from __future__ import annotations

import hashlib
import io
import os
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from sim.data import disk
from sim.data.files import MANIFEST
from sim.engine.result_rows import (
    BLOCK,
    END_REASON,
    FACTION,
    FIXED_COLUMNS,
    GAME,
    PIECE_KEYS,
    RANK,
    ROUNDS,
    SCORE,
    SEAT,
    STRATEGY,
    TALLY_KEYS,
)
from sim.errors import UserError
from sim.game import DeclaredTally
from sim.runs.store.manifest import FORMAT, SEAT_TABLE, PartEntry, part_name
from sim.runs.store.run_folder import being_written, is_being_written

if TYPE_CHECKING:
    from sim.players.batch import Plan
    from sim.runs.shards import Group

PART = re.compile(r"part-\d+\.parquet")
COMPRESSION_LEVEL = 3
"""Compression level of zstd for part files; higher levels save little and take longer."""
TABLE = re.compile(rb'"file": "(\w+)/part-')


def seat_frame(plan: Plan, rows: np.ndarray, variants: Sequence[str] = ()) -> pl.DataFrame:
    """Turn seat rows into the columns of a part file.

    `rows` are int32 of shape (games * players, columns), whole games in order. `variants` are all variants of the run
    if seat rows record the variant, otherwise empty (`sim.runs.shards.variants_named`).
    """
    wins = (rows[:, RANK] == 1).reshape(-1, plan.players)
    # A solo game may have no winner, because its only seat may lose. Do not divide by 0 then.
    share = (wins / np.maximum(wins.sum(axis=1, keepdims=True), 1)).astype(np.float32).ravel()
    columns = {
        "game": _narrow("game", rows[:, GAME], "uint32"),
        "block": _narrow("block", rows[:, BLOCK], "uint32"),
        "players": pl.Series(np.full(len(rows), plan.players, np.uint8)),
    }
    if variants:
        columns["variant"] = _named(np.full(len(rows), variants.index(plan.variant)), variants)
    columns["seat"] = _narrow("seat", rows[:, SEAT], "uint8")
    if plan.data.factions:
        columns["faction"] = _named(rows[:, FACTION], [faction.name for faction in plan.data.factions])
    columns |= {
        "strategy": _named(rows[:, STRATEGY], [strategy.name for strategy in plan.strategies]),
        "score": _narrow("score", rows[:, SCORE], "int16"),
        "rank": _narrow("rank", rows[:, RANK], "uint8"),
        "win": pl.Series(share),
    }
    for number, name in enumerate((*plan.game.score_parts, *plan.game.measures)):
        columns[name] = _narrow(name, rows[:, FIXED_COLUMNS + number], "int16")
    columns["rounds"] = _narrow("rounds", rows[:, ROUNDS], "uint8")
    columns["end_reason"] = _named(rows[:, END_REASON], plan.game.end_reasons)
    return pl.DataFrame(columns)


def piece_frame(plan: Plan, rows: np.ndarray) -> pl.DataFrame:
    """Turn piece rows, int32 of shape (rows, 3 + columns of pieces), into the columns of a part file."""
    pieces = plan.game.pieces
    assert pieces is not None, "rows of pieces come from games that have pieces"
    columns = {
        "game": _narrow("game", rows[:, 0], "uint32"),
        "seat": _narrow("seat", rows[:, 1], "uint8"),
        pieces.name: _named(rows[:, 2], plan.data.pieces),
    }
    for number, (name, kind) in enumerate(pieces.columns):
        columns[name] = _narrow(name, rows[:, PIECE_KEYS + number], kind)
    return pl.DataFrame(columns)


def tally_frame(plan: Plan, tally: DeclaredTally, rows: np.ndarray) -> pl.DataFrame:
    """Turn rows of a tally, int32 of shape (rows, 2 + columns), into the columns of a part file."""
    columns = {"game": _narrow("game", rows[:, 0], "uint32"), tally.name: _named(rows[:, 1], tally.names(plan.data))}
    for number, name in enumerate(tally.columns):
        columns[name] = _narrow(name, rows[:, TALLY_KEYS + number], "uint16")
    return pl.DataFrame(columns)


def _narrow(name: str, values: np.ndarray, kind: str) -> pl.Series:
    """Return whole numbers as a column of the integer type `kind`; raise UserError if a number does not fit."""
    limits = np.iinfo(kind)
    if len(values) and not limits.min <= values.min() <= values.max() <= limits.max:
        found = values.max() if values.max() > limits.max else values.min()
        allowed = f"{limits.min} to {limits.max}"
        raise UserError("a result is too large for its column", field=name, found=int(found), allowed=allowed)
    return pl.Series(values.astype(kind))


def _named(codes: np.ndarray, names: Sequence[str]) -> pl.Series:
    """Return a column of names. `codes` are their indices in `names`."""
    return pl.Series(names, dtype=pl.Enum(names)).gather(codes.astype(np.uint32))


def seat_rows(plan: Plan, frame: pl.DataFrame) -> np.ndarray:
    """Turn the columns of seats back into rows, as kernels write them: the inverse of `seat_frame`."""
    names = ["game", "block", "seat", "faction", "strategy", "score", "rank", "rounds", "end_reason"]
    return _codes(frame, [*names, *plan.game.score_parts, *plan.game.measures])


def piece_rows(plan: Plan, frame: pl.DataFrame) -> np.ndarray:
    """Turn the columns of pieces back into rows: the inverse of `piece_frame`."""
    pieces = plan.game.pieces
    assert pieces is not None, "rows of pieces come from games that have pieces"
    return _codes(frame, ["game", "seat", pieces.name, *(name for name, _ in pieces.columns)])


def _codes(frame: pl.DataFrame, names: Sequence[str]) -> np.ndarray:
    """Return columns as int32 rows. Names become their indices, and a missing column becomes 0."""
    rows = np.zeros((frame.height, len(names)), np.int32)
    for number, name in enumerate(names):
        if name in frame.columns:
            column = frame[name]
            rows[:, number] = (column.to_physical() if isinstance(column.dtype, pl.Enum) else column).to_numpy()
    return rows


def write_part(folder: Path, table: str, number: int, frame: pl.DataFrame, games: int) -> PartEntry:
    """Write and sync one part file; return its entry in the manifest.

    The file is written under another name and renamed, so an existing part is always complete. Raise OSError if the
    file cannot be written.
    """
    entry, content = part_path(table, number, frame, games)
    target = folder / entry.file
    if not target.parent.is_dir():
        disk.make_folder(target.parent)
        disk.sync_folder(folder)
    disk.write_file_atomically(target, content)
    return entry


def part_path(table: str, number: int, frame: pl.DataFrame, games: int) -> tuple[PartEntry, bytes]:
    """Return a part's entry for the manifest, which has its path and SHA-256, and the content of its file."""
    content = parquet(frame, COMPRESSION_LEVEL)
    # Compute the digest from memory, because a full or failing disk may write something else.
    digest = hashlib.sha256(content).hexdigest()
    return PartEntry(file=part_name(table, number), games=games, rows=frame.height, sha256=digest), content


def parquet(frame: pl.DataFrame, compression_level: int | None = None) -> bytes:
    """Return a frame as the content of a Parquet file."""
    buffer = io.BytesIO()
    frame.write_parquet(buffer, compression="zstd", compression_level=compression_level)
    return buffer.getvalue()


def check_out(folder: Path, overwrite: bool) -> None:
    """Check, before any work is done, that results may be written to a folder.

    Raise UserError if another process writes to the folder, or `check_run_folder` refuses it.
    """
    check_run_folder(folder, overwrite)
    if is_being_written(folder):
        raise being_written(folder)


def check_run_folder(folder: Path, overwrite: bool) -> None:
    """Check that a run may be written to a folder.

    Raise UserError if the folder exists, and `overwrite` is false; the folder to overwrite is not a run, or contains
    other files; the folder lies within a run, or cannot be written.
    """
    check_outside(folder)
    if folder.exists():
        if not overwrite:
            raise UserError("the output folder exists", file=folder, allowed="a new folder, or --overwrite")
        check_replaceable(folder)
    parent = next((path for path in folder.absolute().parents if path.exists()), None)
    if parent is None or not parent.is_dir() or not os.access(parent, os.W_OK | os.X_OK):
        raise UserError("the output folder cannot be written", file=folder, allowed="a folder you may write to")


def check_outside(folder: Path) -> None:
    """Check that an output folder is not inside a run."""
    around = next((parent for parent in folder.resolve().parents if _is_run(parent)), None)
    if around is not None:
        raise UserError("the output folder lies inside a run", file=folder, allowed=f"a folder outside {around}")


def check_replaceable(folder: Path) -> None:
    """Check that a folder is empty or contains only a run, so that no other files are lost when it is replaced."""
    if not _is_run(folder) and (not folder.is_dir() or any(folder.iterdir())):
        message = "the folder to be overwritten is not a run"
        raise UserError(message, file=folder, allowed="a folder that simulate has written")
    strange = next((path for path in sorted(folder.rglob("*")) if not _is_own(folder, path)), None)
    if strange is not None:
        message = f"the run cannot be overwritten: {strange.relative_to(folder)} in its folder is not part of it"
        raise UserError(message, file=folder, allowed="a folder with nothing but a run; move the rest away first")


def _is_own(folder: Path, path: Path) -> bool:
    """Tell whether a path within a run folder is part of the run: the manifest, a part, or the folder of a table."""
    name, tables = path.relative_to(folder), _tables_of(folder)
    if path.is_dir():
        return not path.is_symlink() and str(name) in tables
    return str(name) == MANIFEST or (str(name.parent) in tables and PART.fullmatch(name.name) is not None)


def _tables_of(folder: Path) -> set[str]:
    """Return the names of the tables of a run of any version: those whose parts the manifest lists."""
    return {SEAT_TABLE, *(name.decode() for name in TABLE.findall((folder / MANIFEST).read_bytes()))}


def check_not_part(path: Path, field: str | None = None) -> None:
    """Check that an output file is not part of a run: neither its manifest nor a file in the folder of a table."""
    place = path.resolve()
    for parent in place.parents:
        if _is_run(parent) and place.relative_to(parent).parts[0] in (MANIFEST, *_tables_of(parent)):
            raise UserError("this is a part of a run", field=field, found=str(path), allowed="another name")


def _is_run(folder: Path) -> bool:
    """Tell whether a folder holds a run of any version. Only such folders, and empty ones, may be replaced."""
    try:
        return FORMAT.partition("/")[0].encode() in (folder / MANIFEST).read_bytes()
    except OSError:
        return False


# ---- Tables of a run while it is played ----


def tables_of(plan: Plan) -> list[str]:
    """Return the names of the tables of a run: seats and, in a run that keeps pieces, pieces and tallies."""
    pieces = plan.game.pieces if plan.keeps_pieces else None
    return (
        [SEAT_TABLE] if pieces is None else [SEAT_TABLE, pieces.plural, *(tally.plural for tally in plan.game.tallies)]
    )


def tally_of(plan: Plan, table: str) -> DeclaredTally | None:
    """Return the tally that a table records; None for the tables of seats and pieces."""
    return next((tally for tally in plan.game.tallies if tally.plural == table), None)


def table_frame(groups: Sequence[Group], table: str, rows: np.ndarray) -> pl.DataFrame:
    """Turn rows of a table, whole games in order from one or several groups, into the columns of a part."""
    if table != SEAT_TABLE:
        plan, tally = groups[0].plan, tally_of(groups[0].plan, table)
        return piece_frame(plan, rows) if tally is None else tally_frame(plan, tally, rows)
    cuts = np.searchsorted(rows[:, GAME], [group.first_game for group in groups[1:]])
    of_groups = zip(groups, np.split(rows, cuts), strict=True)
    frames = [seat_frame(group.plan, own, group.variants) for group, own in of_groups if len(own)]
    return frames[0] if len(frames) == 1 else pl.concat(frames, rechunk=True)


def table_rows(plan: Plan, table: str, frame: pl.DataFrame) -> np.ndarray:
    """Turn columns of a table back into rows: the inverse of `table_frame`."""
    if table == SEAT_TABLE:
        return seat_rows(plan, frame)
    tally = tally_of(plan, table)
    return piece_rows(plan, frame) if tally is None else _codes(frame, ["game", tally.name, *tally.columns])


@dataclass(eq=False)
class Parts:
    """Buffers the rows of a table, and writes a part file whenever there are enough games for one.

    `store` writes a part, given the table, the part's number, its rows and its number of games; for a folder this is
    `write_part`. `written` receives the entry of every part after the part is on disk.
    """

    store: Callable[[str, int, pl.DataFrame, int], PartEntry]
    groups: Sequence[Group]
    table: str
    part_games: int
    first_part: int = 0
    written: Callable[[PartEntry], None] = lambda entry: None
    buffered: list[np.ndarray] = field(default_factory=list, init=False)
    games: int = field(default=0, init=False)
    entries: list[PartEntry] = field(default_factory=list, init=False)

    def resume(self, entries: Sequence[PartEntry], rows: np.ndarray | None, games: int) -> None:
        """Restore the state after `games` games of a run: its finished parts, and its buffered rows if any."""
        self.entries = list(entries)
        self.buffered = [] if rows is None else [rows]
        self.games = games - sum(entry.games for entry in entries)

    def add(self, rows: np.ndarray, games: int) -> None:
        """Add the rows of the next `games` games, and write every part that is now full."""
        self.buffered.append(rows)
        self.games += games
        full = self.part_games
        while self.games >= full:
            rows = np.concatenate(self.buffered)
            cut = int(np.searchsorted(rows[:, GAME], (self.first_part + len(self.entries) + 1) * full))
            self.write(rows[:cut], full)
            self.buffered = [rows[cut:]]
            self.games -= full

    def flush(self) -> None:
        """Write the last part, which may not be full."""
        if self.games:
            self.write(np.concatenate(self.buffered), self.games)
            self.buffered, self.games = [], 0

    def write(self, rows: np.ndarray, games: int) -> None:
        """Write a part file of `games` games."""
        number = self.first_part + len(self.entries)
        entry = self.store(self.table, number, table_frame(self.groups, self.table, rows), games)
        self.written(entry)
        self.entries.append(entry)
