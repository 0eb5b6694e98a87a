"""Runs, comparisons and sweeps that lie in a folder, found by their manifests."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from sim.errors import UserError
from sim.runs.store.manifest import MANIFEST

SWEEP_MANIFEST = "sweep.json"
MAX_DEPTH = 6
"""Folders below the one that is looked at; what lies deeper is not looked for."""
ARMS = ("a", "b")
"""Folders of the two runs that `compare --out` keeps."""

What = Literal["run", "comparison", "sweep"]


@dataclass(frozen=True)
class FoundFolder:
    """A folder, and what it holds."""

    what: What
    folder: Path


def find_results(folder: Path) -> list[FoundFolder]:
    """Find runs, comparisons and sweeps in a folder and below it, in the order of their names.

    Links are not followed, and hidden folders, where unfinished runs lie, are passed over.

    Raises
    ------
    UserError
        There is no such folder, or it cannot be read.
    """
    if not folder.is_dir():
        found = "a file" if folder.exists() else None
        raise UserError("no such folder", file=folder, found=found, allowed="a folder with runs in it")
    return list(walk(folder, MAX_DEPTH))


def walk(folder: Path, deep: int) -> Iterator[FoundFolder]:
    """Go through a folder; what is a result is not looked into.

    Raises
    ------
    UserError
        A folder cannot be read.
    """
    if (folder / MANIFEST).is_file():
        yield FoundFolder("run", folder)
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
