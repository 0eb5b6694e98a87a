"""Says before a long run about how long it will take and how much it will write."""

from __future__ import annotations

import shutil
import time
from collections.abc import Sequence
from io import BytesIO
from pathlib import Path
from typing import Any

import polars as pl

from sim.batch import play
from sim.runs.groups import Group
from sim.runs.progress import duration
from sim.runs.store import piece_frame, seat_frame

SAMPLE = 600
"""Games played for a forecast; a run of fewer than `WORTH` times as many is too short for one."""
WORTH = 40
LONG_SECONDS, LARGE_BYTES = 60.0, 250e6
"""From here on a run is long or its result large."""


def word_on_length(groups: Sequence[Group], players: Sequence[Any], jobs: int, out: Path) -> str:
    """Say how long a run will take and how much it will write, from a few games of each group; nothing if it is short.

    Parameters
    ----------
    groups, players
        The games to be played, and their players as kernels take them.
    jobs
        Workers.
    out
        Folder of the run; the room that is left there is said where it will not do.
    """
    seconds = size = 0.0
    for group, team in zip(groups, players, strict=True):
        if group.games < SAMPLE * WORTH:
            continue
        before = time.perf_counter()
        rows, piece_rows = play(group.plan, team, 0, SAMPLE)
        seconds += (time.perf_counter() - before) / SAMPLE * group.games / jobs
        frames = [seat_frame(group.plan, rows), *([piece_frame(group.plan, piece_rows)] if len(piece_rows) else [])]
        size += sum(map(bytes_of_half, frames)) / (SAMPLE / 2) * group.games
    if seconds < LONG_SECONDS and size < LARGE_BYTES:
        return ""
    text = f"this run will take about {duration(seconds)} and write about {megabytes(size)}"
    room = shutil.disk_usage(next(path for path in out.absolute().parents if path.is_dir())).free
    return text if size < room else f"{text}, but only {megabytes(room)} are free"


def bytes_of_half(frame: pl.DataFrame) -> int:
    """Bytes that the second half of a frame adds to a part file: without what every file holds once, such as names."""
    return written_bytes(frame) - written_bytes(frame.head(frame.height // 2))


def written_bytes(frame: pl.DataFrame) -> int:
    """Bytes of a frame as a part file holds it."""
    file = BytesIO()
    frame.write_parquet(file, compression="zstd", compression_level=3)
    return file.tell()


def megabytes(size: float) -> str:
    """Write a size in megabytes, or gigabytes from one on."""
    return f"{size / 1e6:,.0f} MB" if size < 1e9 else f"{size / 1e9:,.1f} GB"
