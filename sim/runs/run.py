"""Carries out a run: plays its shards on all cores and writes the results in the order of the games."""

from __future__ import annotations

import os
import platform
import signal
import threading
import time
import warnings
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import closing, contextmanager
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np
from joblib import Parallel, delayed

from sim.batch import GAME, SCORE, STRATEGY, Plan, play, players_of, sources_digest
from sim.errors import UserError
from sim.jit import compiled, drop_old_caches, is_cached
from sim.runs.manifest import FORMAT, write_manifest
from sim.runs.store import card_frame, check_out, folder_in_the_making, seat_frame, write_part
from strategies.loading import code_digest

PART_GAMES = {"seats": 100_000, "cards": 10_000}
"""Games in a part file; fixed, so that the files do not depend on how the work was split."""
SHARD_GAMES = {"seats": 5_000, "cards": 1_000}
"""Games played at one stretch by one worker."""

Report = Callable[[int], None]
"""Called with the number of games just finished."""


@dataclass
class Summary:
    """What a finished run has to say of itself; times are wall-clock seconds."""

    folder: Path
    games: int
    rows: int
    seconds: float
    writing_seconds: float
    size: int = 0
    mean_scores: dict[str, float] = field(default_factory=dict)


def jobs_to_use(jobs: int) -> int:
    """Number of workers: as asked for, all cores for -1.

    Raises
    ------
    UserError
        The number makes no sense.
    """
    if jobs == -1:
        return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    if jobs < 1:
        raise UserError("impossible number of jobs", field="jobs", found=jobs, allowed="1 or more, or -1 for all cores")
    return jobs


def shards(games: int, shard: int) -> list[tuple[int, int]]:
    """First game and number of games of each shard."""
    return [(first, min(shard, games - first)) for first in range(0, games, shard)]


def play_shards(
    plan: Plan, players: Any, pieces: Iterable[tuple[int, int]], jobs: int
) -> Generator[tuple[np.ndarray, np.ndarray]]:
    """Play shards on `jobs` workers and yield their rows in order.

    Workers are threads: kernels run without the interpreter lock, so they share one compiled engine and no rows
    are copied between processes.
    """
    workers = Parallel(n_jobs=jobs, backend="threading", return_as="generator", pre_dispatch="2*n_jobs")
    played = workers(delayed(play)(plan, players, first, count) for first, count in pieces)
    try:
        for tables in played:  # noqa: UP028 - `yield from` would close it before the warning is silenced
            yield tables
    finally:
        with warnings.catch_warnings():
            # An interrupted run leaves shards unused; joblib would warn of that.
            warnings.simplefilter("ignore", UserWarning)
            played.close()


def warm_up(plan: Plan, say: Callable[[str], None]) -> Any:
    """Compile what the plan needs, once and before any worker starts; return the players.

    Raises
    ------
    UserError
        A strategy does not compile or fails in the first game.
    """
    if compiled() and not is_cached(plan.game.play_games):
        say("compiling the engine, once, about 40 s")
        drop_old_caches()
    players = players_of(plan)
    with plain_interrupts():
        play(plan, players, 0, 1)
    return players


@contextmanager
def plain_interrupts() -> Iterator[None]:
    """Let an interrupt end the process at once: a strategy that never returns keeps Python from seeing it.

    Only for the first game, when nothing has been written.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    signals = (signal.SIGINT, signal.SIGTERM)
    before = [signal.signal(number, signal.SIG_DFL) for number in signals]
    try:
        yield
    finally:
        for number, handler in zip(signals, before, strict=True):
            signal.signal(number, handler)


class Parts:
    """Gathers rows and writes a part file whenever enough games are together."""

    def __init__(self, folder: Path, plan: Plan, table: str) -> None:
        self.folder = folder
        self.plan = plan
        self.table = table
        self.waiting: list[np.ndarray] = []
        self.games = 0
        self.entries: list[dict[str, Any]] = []

    def add(self, rows: np.ndarray, games: int) -> None:
        """Add the rows of the next so many games; write every part that is full, cut at its last game."""
        self.waiting.append(rows)
        self.games += games
        full = PART_GAMES[self.table]
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
        frame = seat_frame(self.plan, rows) if self.table == "seats" else card_frame(self.plan, rows)
        self.entries.append(write_part(self.folder, self.table, len(self.entries), frame, games))


def execute(
    plan: Plan,
    games: int,
    out: Path,
    *,
    jobs: int = -1,
    overwrite: bool = False,
    command: str = "",
    shard_games: int | None = None,
    say: Callable[[str], None] = lambda text: None,
    report: Report = lambda games: None,
) -> Summary:
    """Play all games of a run and write its folder.

    Parameters
    ----------
    out
        Folder of the run; it appears only when the run is whole.
    jobs
        Workers, -1 for all cores; the files are the same for any number.
    shard_games
        Games at one stretch; the files are the same for any number.
    say, report
        Told what is being prepared, and how many games have been finished.

    Raises
    ------
    UserError
        The folder cannot be written or exists, or a strategy fails.
    """
    check_out(out, overwrite)
    workers = jobs_to_use(jobs)
    detail = "cards" if plan.keeps_cards else "seats"
    shard = shard_games or SHARD_GAMES[detail]
    started = datetime.now(UTC)
    clock = time.perf_counter()
    players = warm_up(plan, say)
    playing = time.perf_counter()
    writing = 0.0
    with folder_in_the_making(out) as folder:
        parts = [Parts(folder, plan, "seats")] + ([Parts(folder, plan, "cards")] if plan.keeps_cards else [])
        totals = np.zeros((len(plan.strategies), 2))
        pieces = shards(games, shard)
        with closing(play_shards(plan, players, pieces, workers)) as played:
            for (_, count), tables in zip(pieces, played, strict=True):
                before = time.perf_counter()
                for part, rows in zip(parts, tables, strict=False):
                    part.add(rows, count)
                add_scores(totals, tables[0])
                writing += time.perf_counter() - before
                report(count)
        before = time.perf_counter()
        for part in parts:
            part.flush()
        writing += time.perf_counter() - before
        end = time.perf_counter()
        manifest = describe(plan, games, command) | {
            "started": started.isoformat(timespec="seconds"),
            "seconds": round(end - clock, 3),
            "playing_seconds": round(end - playing, 3),
            "writing_seconds": round(writing, 3),
            "jobs": workers,
            "shards": parts[0].entries,
            "card_shards": parts[1].entries if plan.keeps_cards else [],
        }
        write_manifest(folder, manifest)
        size = sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())
    names = [strategy.name for strategy in plan.strategies]
    means = {name: total / count for name, (total, count) in zip(names, totals, strict=True) if count}
    return Summary(out, games, games * plan.players, end - playing, writing, size, means)


def add_scores(totals: np.ndarray, rows: np.ndarray) -> None:
    """Add scores and seats to the totals of each strategy, shape (strategies, 2)."""
    np.add.at(totals[:, 0], rows[:, STRATEGY], rows[:, SCORE])
    np.add.at(totals[:, 1], rows[:, STRATEGY], 1)


def describe(plan: Plan, games: int, command: str) -> dict[str, Any]:
    """Everything of the manifest that follows from the plan: enough to play the run again, and to read it."""
    game = plan.game
    return {
        "format": FORMAT,
        "game": game.name,
        "title": game.title,
        "variant": plan.variant,
        "players": plan.players,
        "games": games,
        "blocks": -(-games // plan.block_games),
        "block_games": plan.block_games,
        "seed": plan.seed,
        "assign": plan.assign,
        "detail": "cards" if plan.keeps_cards else "seats",
        "command": command,
        "strategies": [
            {
                "name": strategy.name,
                "base": strategy.script.name,
                "description": strategy.description,
                "temperature": strategy.temperature,
                "weights": dict(strategy.weights),
                "source": strategy.source,
                "code": code_digest(strategy.source),
            }
            for strategy in plan.strategies
        ],
        "lineup": [plan.strategies[number].name for number in plan.lineup],
        "factions": [
            {"name": faction.name, "attributes": dict(faction.attributes), "certainty": faction.certainty}
            for faction in plan.data.factions
        ],
        "factions_dealt": [plan.data.factions[number].name for number in plan.factions],
        "factions_fixed": plan.factions_fixed,
        "faction_title": game.faction_title,
        "faction_attributes": list(game.faction_attributes),
        "score_parts": list(game.score_parts),
        "measures": list(game.measures),
        "end_reasons": list(game.end_reasons),
        "card_offered": game.card_table.offered,
        "card_events": [asdict(event) for event in game.card_table.events],
        "settings": dict(plan.data.settings),
        "changes": list(plan.changes),
        "certainty": dict(plan.data.certainty),
        "settings_certainty": dict(plan.data.settings_certainty),
        "tables": plan.data.digest,
        "sources": sources_digest(plan),
        "versions": {name: version(name) for name in ("empirelab", "numba", "numpy", "polars")}
        | {"python": platform.python_version()},
    }
