"""Finds runs, comparisons, sweeps and leagues in a folder by their manifests."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from sim.data.files import MANIFEST
from sim.errors import UserError
from sim.league.manifest import is_league

SWEEP_MANIFEST = "sweep.json"
MAX_DEPTH = 6
"""Maximum depth of subfolders that are searched."""
ARMS = ("a", "b")
"""Names of the folders of the two runs that `compare --out` saves."""

What = Literal["run", "comparison", "sweep", "league"]


@dataclass(frozen=True)
class FoundFolder:
    """A folder with a result, and the kind of the result."""

    what: What
    folder: Path


def find_results(folder: Path) -> list[FoundFolder]:
    """Find runs, comparisons, sweeps and leagues in a folder and its subfolders, sorted by name.

    Links are not followed, and hidden folders, which hold unfinished runs, are skipped. Raise UserError if the folder
    does not exist or cannot be read.
    """
    if not folder.is_dir():
        found = "a file" if folder.exists() else None
        raise UserError("no such folder", file=folder, found=found, allowed="a folder with runs in it")
    return list(walk(folder, MAX_DEPTH))


def walk(folder: Path, deep: int) -> Iterator[FoundFolder]:
    """Yield the results in a folder and its subfolders down to the depth `deep`, but none inside another result.

    Raise UserError if a folder cannot be read.
    """
    if (folder / MANIFEST).is_file():
        yield FoundFolder("run", folder)
    elif is_league(folder):
        yield FoundFolder("league", folder)
    elif (folder / SWEEP_MANIFEST).is_file():
        yield FoundFolder("sweep", folder)
    elif all((folder / arm / MANIFEST).is_file() for arm in ARMS):
        yield FoundFolder("comparison", folder)
    elif deep:
        try:
            below = sorted(entry.name for entry in os.scandir(folder) if entry.is_dir(follow_symlinks=False))
        except OSError as error:
            raise UserError(f"cannot be read ({error.strerror})", file=folder) from error
        for name in below:
            if not name.startswith("."):
                yield from walk(folder / name, deep - 1)
