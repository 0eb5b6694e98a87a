"""Saves the progress of a training, so that the same command resumes it after it was killed or interrupted."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np

from sim.data.disk import remove, write_file_atomically
from sim.data.files import read_within
from sim.runs.store.run_folder import PLAN, begin, claimed


@contextmanager
def kept_work(out: Path, plan: Mapping[str, object], say: Callable[[str], None]) -> Iterator[Path]:
    """In a `with` block: yield the folder for the saved work of a training.

    The folder lies beside the file `out` that the training writes. It is removed if the training completes, or if it
    ends before anything was saved. `plan` is everything that determines the work: saved work of another plan is
    discarded, with a message to `say`. Raise UserError if another process is training a judge for the same file.
    """
    text = (json.dumps(plan, sort_keys=True, indent=1) + "\n").encode()

    def can_resume(folder: Path) -> bool:
        same = read_within(folder / PLAN) == text
        if not same:
            say(f"the unfinished work on {out} is from another training or other code, so the training starts over")
        return same

    with claimed(out.resolve()) as claim:
        content = begin(claim, can_resume)
        write_file_atomically(content.parent / PLAN, text)
        claim.kept = True  # keep the folder even if this process is killed
        try:
            yield content
        except BaseException:
            claim.kept = any(content.iterdir())
            raise
        claim.kept = False


def files_of(folder: Path, kind: str, number: int, say: Callable[[str], None]) -> list[Path]:
    """Return the intact files of a kind ("positions" or "net") that round `number` saved; remove damaged ones."""
    files = sorted(folder.glob(f"{kind}-{number}-*"))
    for file in (damaged := [file for file in files if not is_intact(file)]):
        say(f"{file.name} is damaged, so this part of the work is done again")
        remove(file)
    return [file for file in files if file not in damaged]


def is_intact(file: Path) -> bool:
    """Tell whether the checksums within a file of arrays are right."""
    try:
        with zipfile.ZipFile(file) as arrays:
            return arrays.testzip() is None
    except (OSError, EOFError, ValueError, zipfile.BadZipFile):
        return False


def keep(file: Path, arrays: Mapping[str, object]) -> None:
    """Save arrays to a file in the folder of the work."""
    content = io.BytesIO()
    np.savez(content, **arrays)  # type: ignore[arg-type]
    write_file_atomically(file, content.getvalue())


def kept_in(file: Path) -> dict[str, Any]:
    """Return the arrays in a file of saved work."""
    with np.load(file, allow_pickle=False) as arrays:
        return dict(arrays)


def forget(folder: Path, kind: str, number: int) -> None:
    """Remove the files of a kind (`positions` or `net`) that training round `number` has saved."""
    for file in folder.glob(f"{kind}-{number}-*"):
        remove(file)
