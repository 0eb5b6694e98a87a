"""Estimates before a long run how long it will take and how much it will write."""

from __future__ import annotations

import shutil
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import polars as pl

from sim.players.batch import Plan, play_all
from sim.players.compile_players import players_of
from sim.runs.progress import duration
from sim.runs.shards import Group, share_out
from sim.runs.store.parquet import COMPRESSION_LEVEL, parquet, piece_frame, seat_frame, tally_frame
from sim.runs.threads import interruptible, jobs_to_use

FEW, SAMPLE = 20, 600
"""Games played for an estimate, and for a better one if they will take less than `PATIENCE` seconds."""
MIN_SAMPLE = 1
"""Games played for an estimate if players look ahead."""
WORTH, PATIENCE = 40, 1.0
"""A run shorter than `WORTH` samples gets no estimate."""
LONG_SECONDS, LARGE_BYTES = 60.0, 250e6
"""From these sizes on a run is long or its result large."""


def runtime_estimate_message(
    groups: Sequence[Group], players: Sequence[Any], jobs: int, out: Path, ends_early: bool = False
) -> str:
    """Return the message on how long a run will take and how much it will write; empty if it is short.

    Parameters
    ----------
    groups, players
        The games to be played, and their players as arguments of kernels.
    jobs
        Workers.
    out
        Folder of the run; the message says so if the disk has too little space.
    ends_early
        Whether a stopping rule may end the run early.
    """
    seconds = size = 0.0
    for group, team in zip(groups, players, strict=True):
        few = MIN_SAMPLE if group.plan.looks_ahead else FEW
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


def seconds_per_game(plan: Plan, jobs: int = -1) -> float:
    """Return the seconds that a game of a compiled plan takes here with some workers, measured on a few games."""
    players, few = players_of(plan), MIN_SAMPLE if plan.looks_ahead else FEW
    (group,) = share_out([plan], SAMPLE // plan.block_games * plan.block_games or plan.block_games)
    if not plan.looks_ahead:
        sample_of(group, players, few)  # the first games pay for memory and caches
    each, _ = sample_of(group, players, few)
    if each * SAMPLE < PATIENCE:
        each, _ = sample_of(group, players, SAMPLE)
    return each / jobs_to_use(jobs)


def sample_of(group: Group, players: Any, games: int) -> tuple[float, list[pl.DataFrame]]:
    """Play a few games of a group; return the seconds per game, and the columns of the part files."""
    before = time.perf_counter()
    plan = group.plan
    rows, piece_rows, *counts = interruptible(play_all, plan, players, 0, games)
    seconds = (time.perf_counter() - before) / games
    pieces = [piece_frame(plan, piece_rows)] if len(piece_rows) else []
    tallies = [tally_frame(plan, tally, rows) for tally, rows in zip(plan.game.tallies, counts, strict=True)]
    return seconds, [seat_frame(plan, rows), *pieces, *tallies]


def bytes_of_half(frame: pl.DataFrame) -> int:
    """Return the bytes that the second half of a frame adds to a part file, without what every file holds once."""
    return len(parquet(frame, COMPRESSION_LEVEL)) - len(parquet(frame.head(frame.height // 2), COMPRESSION_LEVEL))


def time_words(seconds: float) -> str:
    """Say how long a command takes here: 'about 40 s here'."""
    return f"about {duration(max(seconds, 1.0))} here"


def megabytes(size: float) -> str:
    """Write a size in megabytes, or gigabytes from one on."""
    return f"{size / 1e6:,.0f} MB" if size < 1e9 else f"{size / 1e9:,.1f} GB"
