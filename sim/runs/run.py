"""Carries out a run: plays its shards on all cores and writes the results in the order of the games."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from sim.batch import Plan, arguments_of, play, play_all
from sim.compiling import compile_strategies, players_of
from sim.errors import UserError
from sim.jit import compiled, is_cached, is_strategy_cached, strategy_slots
from sim.kernel_cache import drop_old_kernels, word_given
from sim.parallel import in_order, interruptible
from sim.players import LINEUP
from sim.rows import BLOCK, GAME, SCORE, STRATEGY
from sim.runs.describe import describe
from sim.runs.forecast import word_on_length
from sim.runs.groups import Group, share_out, variants_named
from sim.runs.making import folder_in_the_making
from sim.runs.manifest import SEAT_TABLE, Manifest, PartEntry, write_manifest
from sim.runs.store import check_out, check_run_folder, piece_frame, seat_frame, tally_frame, write_part
from sim.sources import is_watched

PART_GAMES, PART_GAMES_OF_PIECES = 100_000, 10_000
"""Games in a part file of seats, and of pieces; fixed, so that the files do not depend on how the work was split."""
MOST_JOBS = 1024
"""Workers are threads; systems give a process a few thousand at most."""
SHARD_GAMES, SHARD_GAMES_WITH_PIECES = 5_000, 1_000
"""Games played at one stretch by one worker."""

Report = Callable[[int], None]
"""Called with the number of games just finished."""

Enough = Callable[[np.ndarray], int | None]
"""A rule that ends a run early.

It is called with the seat rows of the next games, int32 with the columns of `sim.rows`, always in the order of the
games and each game once; it must not change them. A call may end within a block: the rest of the block begins the next
call. It answers None to go on, or the number of games, counted from the start of the run, that are enough: whole
blocks, the last of which was completed by this call. For the run to be the same however its games were split into
calls, the answer may depend only on games up to that number, and must be the first such number.

Where the rule has an attribute `record`, a mapping, it stands in the manifest's `stopped` as it is when the run ends.
"""


@dataclass
class Summary:
    """What a finished run has to say of itself; times are wall-clock seconds, `stopped` is as in the manifest."""

    folder: Path
    games: int
    rows: int
    seconds: float
    writing_seconds: float
    size: int = 0
    mean_scores: dict[str, float] = field(default_factory=dict)
    stopped: dict[str, Any] | None = None


def jobs_to_use(jobs: int) -> int:
    """Number of workers: as asked for, all cores for -1.

    Raises
    ------
    UserError
        The number makes no sense.
    """
    if jobs == -1:
        return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    if not 1 <= jobs <= MOST_JOBS:
        allowed = f"1 to {MOST_JOBS:,}, or -1 for all cores"
        raise UserError("impossible number of jobs", field="jobs", found=jobs, allowed=allowed)
    return jobs


def cut(games: int, size: int) -> list[tuple[int, int]]:
    """First game and number of games of each shard of such a size."""
    return [(first, min(size, games - first)) for first in range(0, games, size)]


@dataclass(frozen=True)
class Shard:
    """Consecutive games of a group, with its players as kernels take them; `first` counts in the group."""

    group: Group
    players: Any
    first: int
    count: int


def shards_of(groups: Sequence[Group], players: Sequence[Any], size: int) -> list[Shard]:
    """Cut the games of all groups into shards, in order."""
    return [
        Shard(group, team, first, count)
        for group, team in zip(groups, players, strict=True)
        for first, count in cut(group.games, size)
    ]


def play_shard(shard: Shard) -> tuple[np.ndarray, ...]:
    """Play a shard; games and blocks are numbered as in the run."""
    group = shard.group
    before = group.first_deal * group.plan.block_games
    tables = play_all(group.plan, shard.players, before + shard.first, shard.count)
    tables[0][:, BLOCK] += group.first_block - group.first_deal
    for rows in tables:
        rows[:, GAME] += group.first_game - before
    return tables


def play_shards(shards: Sequence[Shard], jobs: int) -> Generator[tuple[np.ndarray, ...]]:
    """Play shards on `jobs` workers and yield their rows in order (`sim.parallel.in_order`)."""
    return in_order(play_shard, ((shard,) for shard in shards), jobs)


def unsaid(text: str) -> None:
    """Say nothing: what a run is prepared with where nobody listens."""


def warm_up(plans: Sequence[Plan], say: Callable[[str], None]) -> list[Any]:
    """Compile what the plans of a run need, once and before any worker starts; return the players of each.

    Whoever listens hears what has to be compiled and how long it takes; else it is logged (`sim.kernel_cache`).

    Raises
    ------
    UserError
        A strategy does not compile or fails in the first game.
    """
    if compiled() and (word := word_on_compiling(plans[0])):
        say(word)
        if say is not unsaid:
            word_given.set()
        drop_old_kernels()
    slots = compile_strategies(plans[0])
    players = [players_of(plan, slots) for plan in plans]
    play(plans[0], players[0], 0, 0)  # no game at all compiles the kernel
    for plan, team in zip(plans, players, strict=True):
        interruptible(play, plan, team, 0, 1)  # a strategy may never return
    return players


def word_on_compiling(plan: Plan) -> str:
    """Say what of the engine and its own players has to be compiled for a plan; nothing if all is kept."""
    nobody = strategy_slots([]), np.zeros(1, LINEUP)[0]
    if not is_cached(plan.game.play_games, *arguments_of(plan, nobody, 0, 0)):
        return f"compiling the engine, once, about {plan.game.compile_seconds} s"
    own = {strategy.script.score for strategy in plan.strategies if is_watched(strategy.script.score)}
    if not all(is_strategy_cached(score, plan.game.state, plan.game.tables) for score in own):
        return "compiling the players, once"
    return ""


class Parts:
    """Gathers rows and writes a part file whenever enough games are together."""

    def __init__(self, folder: Path, groups: Sequence[Group], table: str) -> None:
        self.folder = folder
        self.groups = groups
        self.table = table
        self.part_games = PART_GAMES if table == SEAT_TABLE else PART_GAMES_OF_PIECES
        self.variants = variants_named((group.plan.players, group.plan.variant) for group in groups)
        self.waiting: list[np.ndarray] = []
        self.games = 0
        self.entries: list[PartEntry] = []

    def add(self, rows: np.ndarray, games: int) -> None:
        """Add the rows of the next so many games; write every part that is full, cut at its last game."""
        self.waiting.append(rows)
        self.games += games
        full = self.part_games
        while self.games >= full:
            rows = np.concatenate(self.waiting)
            cut = int(np.searchsorted(rows[:, GAME], (len(self.entries) + 1) * full))
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
        self.entries.append(write_part(self.folder, self.table, len(self.entries), self.frame(rows), games))

    def frame(self, rows: np.ndarray) -> pl.DataFrame:
        """Columns of a part, which may hold games of several groups."""
        if self.table != SEAT_TABLE:
            plan = self.groups[0].plan
            tally = next((tally for tally in plan.game.tallies if tally.plural == self.table), None)
            return piece_frame(plan, rows) if tally is None else tally_frame(plan, tally, rows)
        cuts = np.searchsorted(rows[:, GAME], [group.first_game for group in self.groups[1:]])
        of_groups = zip(self.groups, np.split(rows, cuts), strict=True)
        frames = [seat_frame(group.plan, own, self.variants) for group, own in of_groups if len(own)]
        return frames[0] if len(frames) == 1 else pl.concat(frames, rechunk=True)


def execute(
    plan: Plan | Sequence[Plan],
    games: int,
    out: Path,
    *,
    jobs: int = -1,
    overwrite: bool = False,
    command: str = "",
    shard_games: int | None = None,
    enough: Enough | None = None,
    say: Callable[[str], None] = unsaid,
    report: Report = lambda games: None,
) -> Summary:
    """Play all games of a run and write its folder.

    Parameters
    ----------
    plan
        The plan, or one for each number of players and variant (`make_plans`), which share the games.
    games
        How many games to play; with `enough` at most.
    out
        Folder of the run; it appears only when the run is whole.
    jobs
        Workers, -1 for all cores; the files are the same for any number.
    shard_games
        Games at one stretch; the files are the same for any number.
    enough
        Rule that may end the run early, see `Enough`. The run is then the one that asking for so many games gives.
    say, report
        Told what is being prepared, and how many games have been finished.

    Raises
    ------
    UserError
        The folder cannot be written or exists, another process writes to it, a strategy fails, there are too few games
        for so many numbers of players and variants, or several of them with a rule that ends the run.
    """
    check_out(out, overwrite)
    workers = jobs_to_use(jobs)
    plans = [plan] if isinstance(plan, Plan) else list(plan)
    groups = share_out(plans, games)
    if enough is not None and len(groups) > 1:
        message = "a run that ends when it is sure enough has one number of players and one variant"
        counts = dict.fromkeys(group.plan.players for group in groups)
        field, found = (
            ("players", [*counts]) if len(counts) > 1 else ("variant", [group.plan.variant for group in groups])
        )
        raise UserError(message, field=field, found=found)
    pieces = plans[0].game.pieces if plans[0].keeps_pieces else None
    started = datetime.now(UTC)
    clock = time.perf_counter()
    with folder_in_the_making(out, partial(check_run_folder, out, overwrite)) as folder:
        players = warm_up(plans, say)
        if word := word_on_length(groups, players, workers, out, enough is not None):
            say(word)
        playing = time.perf_counter()
        tallies = [] if pieces is None else [tally.plural for tally in plans[0].game.tallies]
        tables = [SEAT_TABLE] if pieces is None else [SEAT_TABLE, pieces.plural, *tallies]
        parts = [Parts(folder, groups, table) for table in tables]
        size = shard_games or (SHARD_GAMES if pieces is None else SHARD_GAMES_WITH_PIECES)
        totals = np.zeros((len(plans[0].strategies), 2))
        played, writing = play_and_write(shards_of(groups, players, size), workers, parts, totals, enough, report)
        if enough is not None:
            groups = (replace(groups[0], games=played),)
        end = time.perf_counter()
        manifest = Manifest(
            **dict(describe(groups, command)),
            stopped=stopped(enough, games, played),
            started=started.isoformat(timespec="seconds"),
            seconds=round(end - clock, 3),
            playing_seconds=round(end - playing, 3),
            writing_seconds=round(writing, 3),
            jobs=workers,
            shards=parts[0].entries,
            card_shards=parts[1].entries if pieces is not None else [],
            tally_shards={part.table: part.entries for part in parts[2:]},
        )
        write_manifest(folder, manifest)
        size = sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())
    names = [strategy.name for strategy in plans[0].strategies]
    means = {name: total / count for name, (total, count) in zip(names, totals, strict=True) if count}
    rows = sum(group.games * group.plan.players for group in groups)
    return Summary(out, played, rows, end - playing, writing, size, means, manifest.stopped)


def play_and_write(
    shards: Sequence[Shard],
    workers: int,
    parts: Sequence[Parts],
    totals: np.ndarray,
    enough: Enough | None,
    report: Report,
) -> tuple[int, float]:
    """Play shards until all are done or a rule has enough, and write the part files.

    Returns
    -------
    games, seconds
        Games that belong to the run, and the time spent on writing.
    """
    games, writing = 0, 0.0
    with closing(play_shards(shards, workers)) as played:
        for shard, found in zip(shards, played, strict=False):
            tables, count = found, shard.count
            stop = None if enough is None else ask(enough, tables[0], games, shard)
            if stop is not None:
                count = stop - games
                tables = tuple(rows[: np.searchsorted(rows[:, GAME], stop)] for rows in found)
            before = time.perf_counter()
            for part, rows in zip(parts, tables, strict=False):
                part.add(rows, count)
            add_scores(totals, tables[0])
            writing += time.perf_counter() - before
            games += count
            report(count)
            if stop is not None:
                break
    before = time.perf_counter()
    for part in parts:
        part.flush()
    return games, writing + time.perf_counter() - before


def ask(enough: Enough, rows: np.ndarray, before: int, shard: Shard) -> int | None:
    """Ask a rule whether the run is long enough with the rows of the next shard.

    Parameters
    ----------
    before
        Games the rule had seen before.

    Raises
    ------
    ValueError
        The rule's answer is not a number of whole blocks, or not one that this shard has completed: another split of
        the games would have ended the run elsewhere.
    """
    stop, block, seen = enough(rows), shard.group.plan.block_games, before + shard.count
    if stop is not None and (stop % block or not before - before % block < stop <= seen):
        raise ValueError(
            f"a rule may end a run at whole blocks of {block} games just played, {before} to {seen}: {stop}"
        )
    return stop


def stopped(enough: Enough | None, most: int, games: int) -> dict[str, Any] | None:
    """Say in the manifest by which rule a run could end early: None without one."""
    if enough is None:
        return None
    said: Mapping[str, Any] = getattr(enough, "record", {})
    return {"at_most": most, "early": games < most, **said}


def add_scores(totals: np.ndarray, rows: np.ndarray) -> None:
    """Add scores and seats to the totals of each strategy, shape (strategies, 2)."""
    np.add.at(totals[:, 0], rows[:, STRATEGY], rows[:, SCORE])
    np.add.at(totals[:, 1], rows[:, STRATEGY], 1)
