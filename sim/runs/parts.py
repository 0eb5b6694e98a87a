"""Parts of a run as they are read: each is compared with what the manifest says of it."""

from __future__ import annotations

import hashlib
import shlex
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import polars as pl

from sim.errors import UserError
from sim.runs.manifest import PartEntry


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
