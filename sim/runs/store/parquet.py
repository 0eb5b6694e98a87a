"""Part files of a run, and where a run may be written."""

from __future__ import annotations

import hashlib
import io
import os
import re
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import polars as pl

from sim.data import disk
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
from sim.game import Tally
from sim.players.batch import Plan
from sim.runs.store.manifest import FORMAT, MANIFEST, SEAT_TABLE, PartEntry, part_name
from sim.runs.store.run_folder import check_unclaimed

PART = re.compile(r"part-\d+\.parquet")
COMPRESSION_LEVEL = 3
"""Of part files, in zstd: what is above saves little and takes longer."""
TABLE = re.compile(rb'"file": "(\w+)/part-')


def seat_frame(plan: Plan, rows: np.ndarray, variants: Sequence[str] = ()) -> pl.DataFrame:
    """Turn seat rows into the columns of a part file.

    Parameters
    ----------
    rows
        int32 of shape (games * players, columns), whole games in order.
    variants
        All variants of the run, where its seats name them (`sim.runs.groups.variants_named`).
    """
    wins = (rows[:, RANK] == 1).reshape(-1, plan.players)
    # A game of one player may be lost by its only seat.
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
    """Turn piece rows, int32 of shape (any, 3 + columns of pieces), into the columns of a part file."""
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


def tally_frame(plan: Plan, tally: Tally, rows: np.ndarray) -> pl.DataFrame:
    """Turn rows of a tally, int32 of shape (any, 2 + columns), into the columns of a part file."""
    columns = {
        "game": _narrow("game", rows[:, 0], "uint32"),
        tally.name: _named(rows[:, 1], tally.names(plan.data)),
    }
    for number, name in enumerate(tally.columns):
        columns[name] = _narrow(name, rows[:, TALLY_KEYS + number], "uint16")
    return pl.DataFrame(columns)


def _narrow(name: str, values: np.ndarray, kind: str) -> pl.Series:
    """Column of whole numbers in a narrow type.

    Raises
    ------
    UserError
        A number does not fit; only tables with unheard-of values can bring that about.
    """
    limits = np.iinfo(kind)
    if len(values) and not limits.min <= values.min() <= values.max() <= limits.max:
        found = values.max() if values.max() > limits.max else values.min()
        allowed = f"{limits.min} to {limits.max}"
        raise UserError("a result is too large for its column", field=name, found=int(found), allowed=allowed)
    return pl.Series(values.astype(kind))


def _named(codes: np.ndarray, names: Sequence[str]) -> pl.Series:
    """Column of names from their numbers."""
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


def tally_counts(tally: Tally, frame: pl.DataFrame) -> np.ndarray:
    """Turn the columns of a tally back into rows: the inverse of `tally_frame`."""
    return _codes(frame, ["game", tally.name, *tally.columns])


def _codes(frame: pl.DataFrame, names: Sequence[str]) -> np.ndarray:
    """Columns of whole numbers, and of names by their numbers, as int32 rows; 0 for a column that is not there."""
    rows = np.zeros((frame.height, len(names)), np.int32)
    for number, name in enumerate(names):
        if name in frame.columns:
            column = frame[name]
            rows[:, number] = (column.to_physical() if isinstance(column.dtype, pl.Enum) else column).to_numpy()
    return rows


def write_part(folder: Path, table: str, number: int, frame: pl.DataFrame, games: int) -> PartEntry:
    """Write one part file of so many games, and wait until it is on the disk; return its entry in the manifest.

    The file is written under another name and renamed, so a part that is there is whole.

    Raises
    ------
    OSError
        It cannot be written.
    """
    entry, content = part_of(table, number, frame, games)
    target = folder / entry.file
    if not target.parent.is_dir():
        disk.make_folder(target.parent)
        disk.sync_folder(folder)
    disk.write_whole(target, content)
    return entry


def part_of(table: str, number: int, frame: pl.DataFrame, games: int) -> tuple[PartEntry, bytes]:
    """Return a part of so many games: its entry in the manifest, and the content of its file."""
    content = parquet(frame, COMPRESSION_LEVEL)
    # The digest is that of what is to be written, not of what a full or failing disk has made of it.
    digest = hashlib.sha256(content).hexdigest()
    return PartEntry(file=part_name(table, number), games=games, rows=frame.height, sha256=digest), content


def parquet(frame: pl.DataFrame, compression_level: int | None = None) -> bytes:
    """Return a frame as the content of a Parquet file."""
    buffer = io.BytesIO()
    frame.write_parquet(buffer, compression="zstd", compression_level=compression_level)
    return buffer.getvalue()


def check_out(folder: Path, overwrite: bool) -> None:
    """Check, before any work is done, that results may be written to a folder.

    Raises
    ------
    UserError
        Another process writes to it, or as `check_run_folder`.
    """
    check_run_folder(folder, overwrite)
    check_unclaimed(folder)


def check_run_folder(folder: Path, overwrite: bool) -> None:
    """Check that a run may lie in a folder.

    Raises
    ------
    UserError
        It exists and is not to be overwritten, is no run folder or holds files of others, lies within a run, or
        cannot be written.
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
    """Check that a folder to be written does not lie within a run.

    Raises
    ------
    UserError
        It does.
    """
    around = next((parent for parent in folder.resolve().parents if _is_run(parent)), None)
    if around is not None:
        raise UserError("the output folder lies inside a run", file=folder, allowed=f"a folder outside {around}")


def check_replaceable(folder: Path) -> None:
    """Check that a folder holds nothing but a run, so that nothing else is lost with it; an empty one may be filled.

    Raises
    ------
    UserError
        It is no run folder, or holds files that are not the run's own.
    """
    if not _is_run(folder) and (not folder.is_dir() or any(folder.iterdir())):
        message = "what is to be overwritten is no run"
        raise UserError(message, file=folder, allowed="a folder that simulate has written")
    strange = next((path for path in sorted(folder.rglob("*")) if not _is_own(folder, path)), None)
    if strange is not None:
        message = f"the run cannot be overwritten, for {strange.relative_to(folder)} in its folder is not its own"
        raise UserError(message, file=folder, allowed="a folder with nothing but a run; move the rest away first")


def _is_own(folder: Path, path: Path) -> bool:
    """Whether a path within a run folder is the run's own: manifest, parts and their folders."""
    name, tables = path.relative_to(folder), _tables_of(folder)
    if path.is_dir():
        return not path.is_symlink() and str(name) in tables
    return str(name) == MANIFEST or (str(name.parent) in tables and PART.fullmatch(name.name) is not None)


def _tables_of(folder: Path) -> set[str]:
    """Tables of a run, of whatever version: those whose parts its manifest names."""
    return {SEAT_TABLE, *(name.decode() for name in TABLE.findall((folder / MANIFEST).read_bytes()))}


def check_not_part(path: Path, field: str | None = None) -> None:
    """Check that a file to be written is no part of a run: neither its manifest nor where its tables lie.

    Raises
    ------
    UserError
        It is.
    """
    place = path.resolve()
    for parent in place.parents:
        if _is_run(parent) and place.relative_to(parent).parts[0] in (MANIFEST, *_tables_of(parent)):
            raise UserError("a part of a run lies there", field=field, found=str(path), allowed="another name")


def _is_run(folder: Path) -> bool:
    """Tell whether a folder holds a run, of whatever version: other folders are never replaced."""
    try:
        return FORMAT.partition("/")[0].encode() in (folder / MANIFEST).read_bytes()
    except OSError:
        return False
