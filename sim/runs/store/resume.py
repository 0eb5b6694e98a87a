"""A run that notes how far it has come, and goes on from there after whatever ended it."""

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
from sim.runs.groups import Group
from sim.runs.shards import play_shards, shards_of
from sim.runs.store.journal import (
    NOTHING_SPENT,
    Kept,
    Line,
    Spent,
    UnfinishedPlan,
    Waiting,
    drop_waiting,
    note,
    read_kept,
    read_waiting,
    restore,
    without_waiting,
    write_plan,
    write_waiting,
)
from sim.runs.store.manifest import SEAT_TABLE, PartEntry
from sim.runs.store.parquet import COMPRESSION_LEVEL, parquet, write_part
from sim.runs.store.table_writer import Parts, table_frame, table_rows
from sim.runs.store.verify import is_whole, open_parts, seat_columns

SECONDS_BETWEEN_NOTES = 60.0
"""How much of its work a run loses at most when it is killed outright, about; what waits is written as often."""


@dataclass
class Session:
    """One process's work at a run, from when its folder is claimed until the folder is in place.

    Attributes
    ----------
    groups, plan
        The games of the run, and what is noted of them.
    keep
        Whether what has been played is kept when something ends the process's work.
    folder
        The unfinished folder; None before it is claimed.
    parts
        What gathers the rows of each table.
    games, rows
        Games played when all tables last held the same games, and the rows that waited then, by table.
    waiting
        What of the rows that wait has been written last.
    whole
        Whether all games are played and the manifest is written.
    before
        Seconds that earlier sessions took; `began`, `writing` are of this one.
    """

    groups: Sequence[Group]
    plan: UnfinishedPlan
    keep: bool
    folder: Path | None = None
    parts: list[Parts] = field(default_factory=list)
    games: int = 0
    rows: tuple[tuple[np.ndarray, ...], ...] = ()
    waiting: Waiting | None = None
    whole: bool = False
    before: Spent = NOTHING_SPENT
    clock: float = field(default_factory=time.perf_counter)
    began: float = field(default_factory=time.perf_counter)
    writing: float = 0.0
    noted: float = field(default_factory=time.perf_counter)

    def spent(self) -> Spent:
        """Seconds that all sessions have taken so far."""
        now = time.perf_counter()
        return Spent(
            seconds=round(self.before.seconds + now - self.clock, 3),
            playing=round(self.before.playing + now - self.began, 3),
            writing=round(self.before.writing + self.writing, 3),
        )

    def begin(self, content: Path) -> Kept:
        """Begin in an unfinished folder: write the plan first, or read what is there of it."""
        self.folder = content.parent
        kept = read_kept(self.folder)
        if kept is None:
            write_plan(self.folder, self.plan)
            kept = read_kept(self.folder)
        assert kept is not None, "the plan has just been written"
        self.before = kept.spent
        self.parts = [
            Parts(partial(write_part, content), self.groups, table, games, written=self.note_part)
            for table, games in self.plan.part_games.items()
        ]
        return kept

    def note_part(self, entry: PartEntry) -> None:
        """Note a part that is on the disk."""
        assert self.folder is not None, "parts are written into a folder"
        note(self.folder, Line(part=entry, spent=self.spent()))

    def go_on(self, kept: Kept, frames: Mapping[str, pl.DataFrame]) -> None:
        """Stand where a run was left: behind its whole parts, with the rows that wait."""
        plan = self.groups[0].plan
        for part in self.parts:
            frame = frames.get(part.table)
            rows = None if frame is None else table_rows(plan, part.table, frame)
            part.go_on(kept.parts[part.table], rows, kept.games)
        self.waiting = kept.waiting
        self.stand(kept.games)

    def stand(self, games: int) -> None:
        """Note in memory that all tables hold so many games: an interrupt may come in the middle of any step."""
        rows = tuple(tuple(part.waiting) for part in self.parts)
        self.games, self.rows = games, rows

    def note_now_and_then(self) -> None:
        """Write the rows that wait, where the last time is long ago."""
        if self.keep and time.perf_counter() - self.noted >= SECONDS_BETWEEN_NOTES:
            self.note_waiting()

    def note_waiting(self) -> None:
        """Write the rows that fill no part yet, in place of those written before."""
        games, old = self.games, self.waiting
        if self.folder is None or games <= (0 if old is None else old.games) or not self.rows:
            return
        frames = {}
        for part, rows in zip(self.parts, self.rows, strict=True):
            frame = (
                table_frame(self.groups, part.table, np.concatenate(rows)) if any(map(len, rows)) else pl.DataFrame()
            )
            frames[part.table] = (frame, parquet(frame, COMPRESSION_LEVEL))
        self.waiting = write_waiting(self.folder, games, frames, self.spent())
        if old is not None:
            drop_waiting(self.folder, old)
        self.noted = time.perf_counter()

    def keeps(self, error: BaseException) -> str:
        """Say how much is kept when an error ends the run; nothing where the run is at fault or has not begun."""
        if not self.keep or self.folder is None or not (is_outage(error) or self.whole):
            return ""
        if not self.whole:
            with suppress(OSError, MemoryError, RuntimeError, pl.exceptions.PanicException):
                self.note_waiting()
        kept = read_kept(self.folder)
        if kept is None or not kept.games:
            return ""
        total = self.plan.planned.games
        most = "at most " if self.plan.rule is not None else ""
        return f"{kept.games:,} of {most}{total:,} games are kept, and the same command goes on with them"


def restored(
    kept: Kept, groups: Sequence[Group], players: Sequence[Any], workers: int, size: int, say: Callable[[str], None]
) -> tuple[Kept, dict[str, pl.DataFrame]]:
    """Verify what is kept of a run, play again what is damaged, and remove what is not to be used.

    Parameters
    ----------
    groups, players
        The games of the run, and their players as kernels take them.
    workers, size
        Workers, and games at one stretch.

    Returns
    -------
    kept, frames
        What holds from now on, and the rows that wait, by table.
    """
    frames = {} if kept.waiting is None else read_waiting(kept.folder, kept.waiting)
    if frames is None:
        kept, frames = without_waiting(kept), {}
    bad = [entry for entries in kept.parts.values() for entry in entries if not is_whole(kept.content, entry)]
    if bad:
        say(f"damaged, and played again: {', '.join(entry.file for entry in bad)}")
    mended = {
        entry.file: replayed(kept.content, entry, list(kept.plan.part_games), groups, players, kept.plan, workers, size)
        for entry in bad
    }
    parts = {table: [mended.get(entry.file, entry) for entry in entries] for table, entries in kept.parts.items()}
    kept = replace(kept, parts=parts)
    restore(kept)
    return kept, frames


def replayed(
    content: Path,
    entry: PartEntry,
    tables: Sequence[str],
    groups: Sequence[Group],
    players: Sequence[Any],
    plan: UnfinishedPlan,
    workers: int,
    size: int,
) -> PartEntry:
    """Play the games of a part again and write it anew."""
    table, _, name = entry.file.partition("/")
    number = int(name[len("part-") : -len(".parquet")])
    frame = played_again(table, number * plan.part_games[table], entry.games, tables, groups, players, workers, size)
    return write_part(content, table, number, frame, entry.games)


def played_again(
    table: str,
    first: int,
    games: int,
    tables: Sequence[str],
    groups: Sequence[Group],
    players: Sequence[Any],
    workers: int,
    size: int,
) -> pl.DataFrame:
    """Play some games of a run again; return the columns of one of its tables."""
    at = tables.index(table)
    with closing(play_shards(shards_of(groups, players, size, first, first + games), workers)) as played:
        rows = np.concatenate([found[at] for found in played])
    return table_frame(groups, table, rows)


def seats_kept(kept: Kept, frames: Mapping[str, pl.DataFrame]) -> Iterator[pl.DataFrame]:
    """Seats of the games that are kept, in their order: a frame for each part, and what waits."""
    for seats in open_parts(kept.content, kept.parts[SEAT_TABLE], seat_columns(kept.plan.planned)):
        yield seats.collect()
    if SEAT_TABLE in frames and frames[SEAT_TABLE].height:
        yield frames[SEAT_TABLE]


def add_scores(totals: np.ndarray, rows: np.ndarray) -> None:
    """Add scores and seats to the totals of each strategy, shape (strategies, 2)."""
    np.add.at(totals[:, 0], rows[:, STRATEGY], rows[:, SCORE])
    np.add.at(totals[:, 1], rows[:, STRATEGY], 1)
