"""Tables of a run as it is played: their rows are gathered, and written whenever a part is full."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
import polars as pl

from sim.engine.result_rows import GAME
from sim.game import Tally
from sim.players.batch import Plan
from sim.runs.groups import Group
from sim.runs.store.manifest import SEAT_TABLE, PartEntry
from sim.runs.store.parquet import piece_frame, piece_rows, seat_frame, seat_rows, tally_counts, tally_frame


def tables_of(plan: Plan) -> list[str]:
    """Names of the tables of a run: its seats and, where it keeps them, pieces and tallies."""
    pieces = plan.game.pieces if plan.keeps_pieces else None
    return (
        [SEAT_TABLE] if pieces is None else [SEAT_TABLE, pieces.plural, *(tally.plural for tally in plan.game.tallies)]
    )


def tally_of(plan: Plan, table: str) -> Tally | None:
    """The tally that a table is; None for seats and pieces."""
    return next((tally for tally in plan.game.tallies if tally.plural == table), None)


def table_frame(groups: Sequence[Group], table: str, rows: np.ndarray) -> pl.DataFrame:
    """Turn rows of a table, whole games in order, into columns; they may be of several groups."""
    if table != SEAT_TABLE:
        plan, tally = groups[0].plan, tally_of(groups[0].plan, table)
        return piece_frame(plan, rows) if tally is None else tally_frame(plan, tally, rows)
    cuts = np.searchsorted(rows[:, GAME], [group.first_game for group in groups[1:]])
    of_groups = zip(groups, np.split(rows, cuts), strict=True)
    frames = [seat_frame(group.plan, own, group.variants) for group, own in of_groups if len(own)]
    return frames[0] if len(frames) == 1 else pl.concat(frames, rechunk=True)


def table_rows(plan: Plan, table: str, frame: pl.DataFrame) -> np.ndarray:
    """Turn columns of a table back into rows: the inverse of `table_frame`."""
    if table == SEAT_TABLE:
        return seat_rows(plan, frame)
    tally = tally_of(plan, table)
    return piece_rows(plan, frame) if tally is None else tally_counts(tally, frame)


class Parts:
    """Gathers rows and writes a part file whenever enough games are together.

    Parameters
    ----------
    store
        Writes a part, given the table, the part's number, its rows and its games; `sim.runs.store.parquet.write_part`
        for a folder.
    part_games
        Games in a part.
    first_part
        Number of the first part.
    written
        Told of every part that is on the disk.
    """

    def __init__(
        self,
        store: Callable[[str, int, pl.DataFrame, int], PartEntry],
        groups: Sequence[Group],
        table: str,
        part_games: int,
        first_part: int = 0,
        written: Callable[[PartEntry], None] = lambda entry: None,
    ) -> None:
        self.store = store
        self.groups = groups
        self.table = table
        self.part_games = part_games
        self.first_part = first_part
        self.written = written
        self.waiting: list[np.ndarray] = []
        self.games = 0
        self.entries: list[PartEntry] = []

    def go_on(self, entries: Sequence[PartEntry], rows: np.ndarray | None, games: int) -> None:
        """Go on behind parts that are there, with rows that wait, in a run of which so many games have been played."""
        self.entries = list(entries)
        self.waiting = [] if rows is None else [rows]
        self.games = games - sum(entry.games for entry in entries)

    def add(self, rows: np.ndarray, games: int) -> None:
        """Add the rows of the next so many games; write every part that is full, cut at its last game."""
        self.waiting.append(rows)
        self.games += games
        full = self.part_games
        while self.games >= full:
            rows = np.concatenate(self.waiting)
            cut = int(np.searchsorted(rows[:, GAME], (self.first_part + len(self.entries) + 1) * full))
            self.write(rows[:cut], full)
            self.waiting = [rows[cut:]]
            self.games -= full

    def flush(self) -> None:
        """Write what is left."""
        if self.games:
            self.write(np.concatenate(self.waiting), self.games)
            self.waiting, self.games = [], 0

    def write(self, rows: np.ndarray, games: int) -> None:
        """Write a part file of so many games."""
        number = self.first_part + len(self.entries)
        entry = self.store(self.table, number, table_frame(self.groups, self.table, rows), games)
        self.written(entry)
        self.entries.append(entry)
