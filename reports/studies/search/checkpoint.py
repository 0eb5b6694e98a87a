"""Stores the sums of arms on disk during a search, so that the same command resumes after an interrupt.

A search plays the same arms in the same order each time, so stored sums can replace games. The name of a file is a
digest of everything that determines its sums: plan, code, data, versions, what was counted, and the first game.
"""

from __future__ import annotations

import hashlib
import io
import json
import re
import shutil
import zipfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import numpy as np

from sim.data.files import write_all
from sim.errors import UserError
from sim.players.batch import Plan
from sim.runs.shards import share_out
from sim.runs.store.build_manifest import planned_run

Arrays = Mapping[str, np.ndarray[Any, Any]]
MARK_FILE = "sums.json"
"""File that marks a folder of sums."""
SUMS_FORMAT = 1
UNFINISHED_NAMES = re.compile(rf"\.({re.escape(MARK_FILE)}|[0-9a-f]{{32}}-\d+\.npz)\.")
"""Pattern for the beginnings of names of temporary files, see `sim.data.files.write_all`."""


class SumStore:
    """A folder of stored sums. It is created when the first sums are stored.

    Raises UserError if the folder holds something else.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        if not folder.exists() or (folder / MARK_FILE).is_file():
            return
        # A killed search may leave just temporary files behind.
        if not folder.is_dir() or any(UNFINISHED_NAMES.match(path.name) is None for path in folder.iterdir()):
            message = "this folder holds something other than a search's games"
            raise UserError(message, file=folder, field="arms", allowed="a new folder, or one of the same search")

    def name_of(self, plan: Plan, counted: object, first: int) -> str:
        """Return the beginning of the names of the files that hold an arm's sums from game `first` on.

        It is a digest of the plan, `first`, and what was counted (`counted`).
        """
        planned = planned_run(share_out([plan], plan.block_games), "")
        text = json.dumps([SUMS_FORMAT, planned.model_dump_json(), repr(counted), plan.keeps_pieces, first])
        return hashlib.sha256(text.encode("utf-8")).hexdigest()[:32]

    def find(self, name: str, games: int) -> tuple[int, Arrays]:
        """Find the longest stored stretch of at most `games` games. Return its number of games and its arrays.

        Files that cannot be read are ignored. Without a file, the result is 0 games and no arrays.
        """
        stretches = {int(path.stem.partition("-")[2]): path for path in self.folder.glob(f"{name}-*.npz")}
        for size in sorted((size for size in stretches if size <= games), reverse=True):
            with suppress(OSError, ValueError, KeyError, EOFError, zipfile.BadZipFile):
                return size, dict(np.load(io.BytesIO(stretches[size].read_bytes()), allow_pickle=False))
        return 0, {}

    def keep(self, name: str, games: int, arrays: Arrays) -> None:
        """Write the sums of a stretch. Raise UserError if they cannot be written."""
        content = io.BytesIO()
        columns: dict[str, Any] = dict(arrays)
        np.savez_compressed(content, **columns)
        files = [(self.folder / f"{name}-{games}.npz", content.getvalue())]
        if not (self.folder / MARK_FILE).is_file():
            files.insert(0, (self.folder / MARK_FILE, json.dumps({"format": SUMS_FORMAT}).encode("utf-8")))
        write_all(files, [self.folder])


@contextmanager
def search_checkpoint(
    folder: Path | None, beside: Path | None, say: Callable[[str], None]
) -> Iterator[SumStore | None]:
    """Yield the store of a search. If the search is interrupted, the error says what is stored and how to resume it.

    `folder` is kept after the search. Without it, sums are stored next to the file that the search writes at its end
    (`beside`) until the search ends. If both are None, nothing is stored.
    """
    place = beside.with_name(f".{beside.name}.arms") if folder is None and beside is not None else folder
    store = None if place is None else SumStore(place)
    if store is not None and any(store.folder.glob("*.npz")):
        say(f"resuming with the games stored in {store.folder}")
    try:
        yield store
    except KeyboardInterrupt as error:
        raise KeyboardInterrupt("; ".join(filter(None, (str(error), resume_hint(store))))) from error
    if store is not None and folder is None:
        shutil.rmtree(store.folder, ignore_errors=True)


def resume_hint(store: SumStore | None) -> str:
    """Say whether `store` (None if there is no store) has finished games, and how to resume the search."""
    if store is None:
        return "no games were saved; with --arms DIR the same command resumes"
    if not any(store.folder.glob("*.npz")):
        return "nothing was played yet"
    return f"finished games are saved in {store.folder}; run the same command to resume"
