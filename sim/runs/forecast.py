"""Says before a long run about how long it will take and how much it will write."""

from __future__ import annotations

import shutil
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import polars as pl

from sim.players.batch import play_all
from sim.runs.groups import Group
from sim.runs.progress import duration
from sim.runs.store.parquet import COMPRESSION_LEVEL, parquet, piece_frame, seat_frame, tally_frame
from sim.runs.threads import interruptible

FEW, SAMPLE = 20, 600
"""Games played for a forecast, and for a better one where the few show that these take less than `PATIENCE` seconds."""
FEWEST = 1
"""Games played for a forecast where players look ahead."""
WORTH, PATIENCE = 40, 1.0
"""A run of fewer than so many samples is too short for one."""
LONG_SECONDS, LARGE_BYTES = 60.0, 250e6
"""From here on a run is long or its result large."""


def word_on_length(
    groups: Sequence[Group], players: Sequence[Any], jobs: int, out: Path, ends_early: bool = False
) -> str:
    """Say how long a run will take and how much it will write, from a few games of each group; nothing if it is short.

    Parameters
    ----------
    groups, players
        The games to be played, and their players as kernels take them.
    jobs
        Workers.
    out
        Folder of the run; the room that is left there is said where it will not do.
    ends_early
        Whether a rule may end the run before all games are played.
    """
    seconds = size = 0.0
    for group, team in zip(groups, players, strict=True):
        few = FEWEST if group.plan.looks_ahead else FEW
        if group.games < few * WORTH:
            continue
        each, frames = sample_of(group, team, few)
        if group.games >= SAMPLE * WORTH and each * SAMPLE < PATIENCE:
            each, frames = sample_of(group, team, SAMPLE)
        seconds += each * group.games / jobs
        size += sum(map(bytes_of_half, frames)) * 2 * group.plan.players / frames[0].height * group.games
    if seconds < LONG_SECONDS and size < LARGE_BYTES:
        return ""
    takes = "may take up to" if ends_early else "will take about"
    text = f"this run {takes} {duration(seconds)} and write about {megabytes(size)}"
    room = shutil.disk_usage(next(path for path in out.absolute().parents if path.is_dir())).free
    return text if size < room else f"{text}, but only {megabytes(room)} are free"


def sample_of(group: Group, players: Any, games: int) -> tuple[float, list[pl.DataFrame]]:
    """Play so many games of a group; return the seconds that one takes, and the columns of the part files."""
    before = time.perf_counter()
    plan = group.plan
    rows, piece_rows, *counts = interruptible(play_all, plan, players, 0, games)
    seconds = (time.perf_counter() - before) / games
    pieces = [piece_frame(plan, piece_rows)] if len(piece_rows) else []
    tallies = [tally_frame(plan, tally, rows) for tally, rows in zip(plan.game.tallies, counts, strict=True)]
    return seconds, [seat_frame(plan, rows), *pieces, *tallies]


def bytes_of_half(frame: pl.DataFrame) -> int:
    """Bytes that the second half of a frame adds to a part file: without what every file holds once, such as names."""
    return len(parquet(frame, COMPRESSION_LEVEL)) - len(parquet(frame.head(frame.height // 2), COMPRESSION_LEVEL))


def megabytes(size: float) -> str:
    """Write a size in megabytes, or gigabytes from one on."""
    return f"{size / 1e6:,.0f} MB" if size < 1e9 else f"{size / 1e9:,.1f} GB"
