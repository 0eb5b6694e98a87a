"""Saves checkpoints while a run is played, and restores the run from them after an interruption."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from sim.engine.result_rows import SCORE, STRATEGY
from sim.errors import is_outage
from sim.runs.shards import Group, play_shards, shards_of
from sim.runs.store.journal import (
    NOTHING_SPENT,
    BufferedRows,
    Checkpoint,
    CheckpointPlan,
    JournalEntry,
    Spent,
    append_entry,
    read_buffered,
    read_checkpoint,
    remove_buffered,
    trim_to,
    without_buffered,
    write_buffered,
    write_plan,
)
from sim.runs.store.manifest import SEAT_TABLE, PartEntry
from sim.runs.store.parquet import COMPRESSION_LEVEL, Parts, parquet, table_frame, table_rows, tables_of, write_part
from sim.runs.store.verify import is_whole, open_parts, seat_columns

SECONDS_BETWEEN_SAVES = 60.0
"""Interval at which buffered rows are saved. A killed run loses at most about this much work."""


@dataclass
class Session:
    """The work of one process on a run, from taking the lock of its folder until the folder is in place.

    Attributes
    ----------
    groups, plan
        The games of the run, and the plan of its checkpoint.
    keep
        Whether an interruption leaves a checkpoint.
    folder
        The unfinished folder; None before the lock is taken.
    parts
        The buffer and writer of each table.
    games, rows
        The last consistent state: the number of games that all tables contained, and the rows of each table that were
        buffered at that moment.
    waiting
        The buffered rows that were saved last.
    whole
        Whether the run is complete, with its manifest.
    before
        Wall-clock seconds that earlier sessions took.
    clock, began
        When this session started, and when it began to play.
    writing
        Seconds that this session has spent on writing.
    saved_at
        When buffered rows were last saved.
    """

    groups: Sequence[Group]
    plan: CheckpointPlan
    keep: bool
    folder: Path | None = None
    parts: list[Parts] = field(default_factory=list)
    games: int = 0
    rows: tuple[tuple[np.ndarray, ...], ...] = ()
    waiting: BufferedRows | None = None
    whole: bool = False
    before: Spent = NOTHING_SPENT
    clock: float = field(default_factory=time.perf_counter)
    began: float = field(default_factory=time.perf_counter)
    writing: float = 0.0
    saved_at: float = field(default_factory=time.perf_counter)

    def spent(self) -> Spent:
        """Return the seconds of all sessions so far."""
        now = time.perf_counter()
        return Spent(
            seconds=round(self.before.seconds + now - self.clock, 3),
            playing=round(self.before.playing + now - self.began, 3),
            writing=round(self.before.writing + self.writing, 3),
        )

    def begin(self, content: Path) -> Checkpoint:
        """Begin in an unfinished folder; return its checkpoint, or write the plan and return an empty one."""
        self.folder = content.parent
        saved = read_checkpoint(self.folder)
        if saved is None:
            write_plan(self.folder, self.plan)
            saved = read_checkpoint(self.folder)
        assert saved is not None, "the plan has just been written"
        self.before = saved.spent
        self.parts = [
            Parts(partial(write_part, content), self.groups, table, games, written=self.log_part)
            for table, games in self.plan.part_games.items()
        ]
        return saved

    def log_part(self, entry: PartEntry) -> None:
        """Append a completed part to the journal."""
        assert self.folder is not None, "parts are written into a folder"
        append_entry(self.folder, JournalEntry(part=entry, spent=self.spent()))

    def resume(self, saved: Checkpoint, frames: Mapping[str, pl.DataFrame]) -> None:
        """Continue after a checkpoint: its parts are complete, and `frames` are its buffered rows."""
        plan = self.groups[0].plan
        for part in self.parts:
            frame = frames.get(part.table)
            rows = None if frame is None else table_rows(plan, part.table, frame)
            part.resume(saved.parts[part.table], rows, saved.games)
        self.waiting = saved.waiting
        self.mark_consistent(saved.games)

    def mark_consistent(self, games: int) -> None:
        """Record that all tables contain `games` games: the state to save after an interrupt."""
        self.games, self.rows = games, tuple(tuple(part.buffered) for part in self.parts)

    def save_if_due(self) -> None:
        """Save the buffered rows if the last save was `SECONDS_BETWEEN_SAVES` ago or longer."""
        if self.keep and time.perf_counter() - self.saved_at >= SECONDS_BETWEEN_SAVES:
            self.save_buffered()

    def save_buffered(self) -> None:
        """Save the buffered rows of the last consistent state, in place of the rows saved before."""
        games, old = self.games, self.waiting
        if self.folder is None or games <= (0 if old is None else old.games) or not self.rows:
            return
        frames = {}
        for part, rows in zip(self.parts, self.rows, strict=True):
            frame = (
                table_frame(self.groups, part.table, np.concatenate(rows)) if any(map(len, rows)) else pl.DataFrame()
            )
            frames[part.table] = (frame, parquet(frame, COMPRESSION_LEVEL))
        self.waiting = write_buffered(self.folder, games, frames, self.spent())
        if old is not None:
            remove_buffered(self.folder, old)
        self.saved_at = time.perf_counter()

    def saved_message(self, error: BaseException) -> str:
        """Save the buffered rows after an error; return a message that says how many games are saved.

        The message is empty if no checkpoint is kept, if the run itself caused the error, or if no game is saved.
        """
        if not self.keep or self.folder is None or not (is_outage(error) or self.whole):
            return ""
        if not self.whole:
            with suppress(OSError, MemoryError, RuntimeError, pl.exceptions.PanicException):
                self.save_buffered()
        saved = read_checkpoint(self.folder)
        if saved is None or not saved.games:
            return ""
        total = self.plan.planned.games
        most = "at most " if self.plan.rule is not None else ""
        return f"{saved.games:,} of {most}{total:,} games saved; run the same command to resume"


def restore_checkpoint(
    saved: Checkpoint,
    groups: Sequence[Group],
    players: Sequence[Any],
    workers: int,
    size: int,
    say: Callable[[str], None],
) -> tuple[Checkpoint, dict[str, pl.DataFrame]]:
    """Verify the parts of a checkpoint, replay damaged parts, and remove files that the checkpoint does not use.

    `size` is the number of games in a shard. Return the checkpoint after the repairs, and the buffered rows by table.
    """
    frames = {} if saved.waiting is None else read_buffered(saved.folder, saved.waiting)
    if frames is None:
        saved, frames = without_buffered(saved), {}
    bad = [entry for entries in saved.parts.values() for entry in entries if not is_whole(saved.content, entry)]
    if bad:
        say(f"damaged, playing again: {', '.join(entry.file for entry in bad)}")
    mended = {}
    for entry in bad:
        table, _, name = entry.file.partition("/")
        number = int(name[len("part-") : -len(".parquet")])
        first = number * saved.plan.part_games[table]
        frame = replay_games(table, first, entry.games, groups, players, workers, size)
        mended[entry.file] = write_part(saved.content, table, number, frame, entry.games)
    parts = {table: [mended.get(entry.file, entry) for entry in entries] for table, entries in saved.parts.items()}
    saved = replace(saved, parts=parts)
    trim_to(saved)
    return saved, frames


def replay_games(
    table: str, first: int, games: int, groups: Sequence[Group], players: Sequence[Any], workers: int, size: int
) -> pl.DataFrame:
    """Replay some games of a run and return the columns of one of its tables."""
    at = tables_of(groups[0].plan).index(table)
    with closing(play_shards(shards_of(groups, players, size, first, first + games), workers)) as played:
        rows = np.concatenate([found[at] for found in played])
    return table_frame(groups, table, rows)


def saved_seats(saved: Checkpoint, frames: Mapping[str, pl.DataFrame]) -> Iterator[pl.DataFrame]:
    """Yield the saved rows of the table of seats in order: a frame for each part, then the buffered rows."""
    for seats in open_parts(saved.content, saved.parts[SEAT_TABLE], seat_columns(saved.plan.planned)):
        yield seats.collect()
    if SEAT_TABLE in frames and frames[SEAT_TABLE].height:
        yield frames[SEAT_TABLE]


def add_scores(totals: np.ndarray, rows: np.ndarray) -> None:
    """Add the scores and the number of seats in `rows` to the totals of each strategy, of shape (strategies, 2)."""
    np.add.at(totals[:, 0], rows[:, STRATEGY], rows[:, SCORE])
    np.add.at(totals[:, 1], rows[:, STRATEGY], 1)
