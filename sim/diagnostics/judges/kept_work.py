"""Keeps what a training has done, so that the same command resumes it after it was killed or stopped."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from sim.data.disk import remove, write_file_atomically
from sim.data.files import read_within
from sim.runs.store.run_folder import PLAN, begin, claimed


@contextmanager
def kept_work(out: Path, plan: Mapping[str, object]) -> Iterator[Path]:
    """Yield the folder for the work of a training; it is removed once the training is complete, and when it is empty.

    Parameters
    ----------
    out
        File that the training writes; the folder lies beside it, and only one process may work on it.
    plan
        What decides the work. Work of another plan is discarded.

    Raises
    ------
    UserError
        Another process works on it.
    """
    text = (json.dumps(plan, sort_keys=True, indent=1) + "\n").encode()
    with claimed(out.resolve()) as claim:
        content = begin(claim, lambda folder: read_within(folder / PLAN) == text)
        write_file_atomically(content.parent / PLAN, text)
        claim.kept = True  # a killed process changes it no more
        try:
            yield content
        except BaseException:
            claim.kept = any(content.iterdir())
            raise
        claim.kept = False


def files_of(folder: Path, kind: str, number: int) -> list[Path]:
    """Return the files of a kind that a round of a training has kept."""
    return sorted(folder.glob(f"{kind}-{number}-*"))


def forget(folder: Path, kind: str, number: int) -> None:
    """Remove the files of a kind that a round of a training has kept."""
    for file in files_of(folder, kind, number):
        remove(file)
