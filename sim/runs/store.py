"""Result files of a run: Parquet parts and a manifest, written aside and put in place when whole."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from sim.batch import BLOCK, END_REASON, FACTION, FIXED_COLUMNS, GAME, RANK, ROUNDS, SCORE, SEAT, STRATEGY, Plan
from sim.errors import UserError

FORMAT = "empirelab-run/1"
MANIFEST = "run.json"


def seat_frame(plan: Plan, rows: np.ndarray) -> pl.DataFrame:
    """Turn seat rows into the columns of a part file.

    Parameters
    ----------
    rows
        int32 of shape (games * players, columns), whole games in order.
    """
    wins = (rows[:, RANK] == 1).reshape(-1, plan.players)
    share = (wins / wins.sum(axis=1, keepdims=True)).astype(np.float32).ravel()
    columns = {
        "game": pl.Series(rows[:, GAME].astype(np.uint32)),
        "block": pl.Series(rows[:, BLOCK].astype(np.uint32)),
        "players": pl.Series(np.full(len(rows), plan.players, np.uint8)),
        "seat": pl.Series(rows[:, SEAT].astype(np.uint8)),
        "faction": _named(rows[:, FACTION], [faction.name for faction in plan.data.factions]),
        "strategy": _named(rows[:, STRATEGY], [strategy.name for strategy in plan.strategies]),
        "score": pl.Series(rows[:, SCORE].astype(np.int16)),
        "rank": pl.Series(rows[:, RANK].astype(np.uint8)),
        "win": pl.Series(share),
    }
    for number, name in enumerate((*plan.game.score_parts, *plan.game.measures)):
        columns[name] = pl.Series(rows[:, FIXED_COLUMNS + number].astype(np.int16))
    columns["rounds"] = pl.Series(rows[:, ROUNDS].astype(np.uint8))
    columns["end_reason"] = _named(rows[:, END_REASON], plan.game.end_reasons)
    return pl.DataFrame(columns)


def card_frame(plan: Plan, rows: np.ndarray) -> pl.DataFrame:
    """Turn card rows, int32 of shape (any, 3 + card columns), into the columns of a part file."""
    columns = {
        "game": pl.Series(rows[:, 0].astype(np.uint32)),
        "seat": pl.Series(rows[:, 1].astype(np.uint8)),
        "card": _named(rows[:, 2], plan.data.cards),
    }
    for number, (name, kind) in enumerate(plan.game.card_columns):
        columns[name] = pl.Series(rows[:, 3 + number].astype(kind))
    return pl.DataFrame(columns)


def _named(codes: np.ndarray, names: Sequence[str]) -> pl.Series:
    """Column of names from their numbers."""
    return pl.Series(names, dtype=pl.Enum(names)).gather(codes.astype(np.uint32))


def write_part(folder: Path, table: str, number: int, frame: pl.DataFrame) -> dict[str, Any]:
    """Write one part file; return its entry in the manifest.

    The file is written under another name and renamed, so a part that is there is whole.

    Raises
    ------
    UserError
        It cannot be written.
    """
    name = f"{table}/part-{number:06d}.parquet"
    target = folder / name
    unfinished = target.with_suffix(".unfinished")
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        frame.write_parquet(unfinished, compression="zstd", compression_level=3)
        content = hashlib.sha256(unfinished.read_bytes()).hexdigest()
        unfinished.replace(target)
    except OSError as error:
        raise UserError(f"the results cannot be written: {error.strerror or error}", file=target) from error
    return {"file": name, "games": frame["game"].n_unique(), "rows": frame.height, "sha256": content}


def write_manifest(folder: Path, manifest: Mapping[str, Any]) -> None:
    """Write the manifest, last of all: a folder with a manifest is a finished run."""
    target = folder / MANIFEST
    unfinished = target.with_suffix(".unfinished")
    unfinished.write_text(json.dumps(manifest, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    unfinished.replace(target)


def read_manifest(folder: Path) -> dict[str, Any]:
    """Read the manifest of a finished run.

    Raises
    ------
    UserError
        There is no run, it is not finished, or its manifest is damaged.
    """
    path = folder / MANIFEST
    try:
        manifest = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise UserError("no finished run here", file=folder, allowed="a folder that simulate has written") from error
    except ValueError as error:
        raise UserError(f"the manifest is damaged: {error}", file=path) from error
    if not isinstance(manifest, dict) or manifest.get("format") != FORMAT:
        raise UserError("the manifest is of another format", file=path, field="format", allowed=FORMAT)
    return manifest


def check_out(folder: Path, overwrite: bool) -> None:
    """Check, before any work is done, that results may be written to a folder.

    Raises
    ------
    UserError
        It exists and is not to be overwritten, is no run folder, or cannot be written.
    """
    if folder.exists():
        if not overwrite:
            raise UserError("the output folder exists", file=folder, allowed="a new folder, or --overwrite")
        if not _is_run(folder) and (not folder.is_dir() or any(folder.iterdir())):
            message = "what is to be overwritten is no run"
            raise UserError(message, file=folder, allowed="a folder that simulate has written")
    parent = next((path for path in folder.absolute().parents if path.exists()), None)
    if parent is None or not parent.is_dir() or not os.access(parent, os.W_OK | os.X_OK):
        raise UserError("the output folder cannot be written", file=folder, allowed="a folder you may write to")


def _is_run(folder: Path) -> bool:
    """Tell whether a folder holds a run, of whatever version: other folders are never replaced."""
    try:
        return FORMAT.partition("/")[0].encode() in (folder / MANIFEST).read_bytes()
    except OSError:
        return False


@contextmanager
def folder_in_the_making(target: Path) -> Iterator[Path]:
    """Give a folder to fill that becomes `target` when all went well, and vanishes when not.

    Raises
    ------
    UserError
        The folder cannot be made.
    """
    target = target.resolve()
    making = target.with_name(f".{target.name}.unfinished-{os.getpid()}")
    made = [parent for parent in target.parents if not parent.exists()]
    try:
        making.mkdir(parents=True)
        yield making
        if target.exists():
            shutil.rmtree(target)
        making.replace(target)
    except OSError as error:
        raise UserError(f"the output folder cannot be written: {error.strerror or error}", file=target) from error
    finally:
        shutil.rmtree(making, ignore_errors=True)
        if not target.exists():
            for parent in made:
                if parent.is_dir() and not any(parent.iterdir()):
                    parent.rmdir()
