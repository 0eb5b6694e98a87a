"""Measures speed and memory on this machine."""

from __future__ import annotations

import os
import re
import statistics
import subprocess
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from sim.compiler.source_digest import own_environment, own_program
from sim.engine.result_rows import SCORE
from sim.errors import UserError
from sim.game import GameSpec, load_game
from sim.games.plain.playing import Playing
from sim.players.batch import WRITTEN, Plan, arguments_of, play
from sim.players.compile_players import players_of
from sim.players.kernel_failures import kernel_errors_told
from sim.runs.config import RunConfig, make_plan
from sim.runs.store.manifest import load_manifest

COUNTED = 50
"""Maximum number of games in which decisions are counted, for a game in plain Python."""


def measure(lineup: str, plan: Plan, runs: int, seconds: float) -> dict[str, Any]:
    """Play games of a plan several times on one core, each time for about `seconds` CPU seconds. Write no files.

    Speeds are in CPU time: the median of the runs, with the slowest and fastest run. A decision is a choice between at
    least two options. Each of its options is scored once.
    """
    players = players_of(plan)
    games = 200
    used, _, _ = _play(plan, players, games)
    games = max(games, int(games * seconds / max(used, 1e-9)))
    times, decisions, options, score = [], 0, 0, 0.0
    for _ in range(runs):
        used, (decisions, options), score = _play(plan, players, games)
        times.append(used)
    middle = statistics.median(times)
    return {
        "lineup": lineup, "players": plan.players, "games": games, "runs": runs, "games_per_second": games / middle,
        "slowest": games / max(times), "fastest": games / min(times), "decisions_per_second": decisions / middle,
        "options_per_second": options / middle, "mean_score": score,
    }  # fmt: skip


def _play(plan: Plan, players: Any, games: int) -> tuple[float, tuple[int, int], float]:
    """Play games in this thread; return CPU seconds, (decisions, scored options), and the mean score."""
    if plan.game.plain is not None:
        return _play_plain(plan, games)
    arguments = arguments_of(plan, players, 0, games)
    before = time.thread_time()
    with kernel_errors_told(plan.game):
        plan.game.kernels.play_games(*arguments)
    used = time.thread_time() - before
    g, rows = arguments[0], arguments[WRITTEN]
    return used, (int(g.decisions), int(g.options_scored)), float(rows[:, SCORE].mean())


def _play_plain(plan: Plan, games: int) -> tuple[float, tuple[int, int], float]:
    """Do what `_play` does for a game in plain Python. Decisions are counted in a sample of the games."""
    before = time.thread_time()
    rows, _ = play(plan, (None, None), 0, games)
    used, playing, some = time.thread_time() - before, Playing(plan), min(games, COUNTED)
    for number in range(some):
        playing.play_out(playing.start(number), playing.seats, playing.streams, playing.chance, audit=True)
    counts = playing.decisions * games // some, playing.options_seen * games // some
    return used, counts, float(rows[:, SCORE].mean())


def measure_start(game: str, folder: Path, label: str) -> dict[str, Any]:
    """Measure the start of the program: a new process that plays one game.

    `folder` holds its kernel cache, and `label` names the state of the cache in the result. Seconds are wall-clock
    time, from the start of the process to its end. Memory is the peak.
    """
    names = ",".join(dict.fromkeys(("random", *load_game(game).default_strategies)))
    arguments = ["simulate", game, "--games", "1", "--jobs", "1", "--strategies", names, "--quiet"]
    with tempfile.TemporaryDirectory() as out:
        seconds, memory = _run([*arguments, "--out", str(Path(out) / "run")], {"EMPIRELAB_CACHE": str(folder)})
    return {"cache": label, "seconds": seconds, "memory_megabytes": memory}


def measure_run(game: str, games: int, folder: Path) -> dict[str, Any]:
    """Measure `empirelab simulate` with a mix of strategies on all cores, written into a new folder.

    Seconds are wall-clock time; `writing_share` is the fraction spent on writing. Memory is the peak.
    """
    longest = max(lineups_of(load_game(game)).values(), key=len)
    names = ",".join(longest)
    arguments = ["simulate", game, "--games", str(games), "--strategies", names, "--out", str(folder), "--quiet"]
    _, memory = _run(arguments, {})
    manifest = load_manifest(folder)
    size = sum(path.stat().st_size for path in folder.rglob("*.parquet"))
    playing = manifest.playing_seconds
    rows = sum(part.rows for part in manifest.shards)
    return {
        "games": games, "jobs": manifest.jobs, "seconds": playing, "games_per_second": games / playing,
        "writing_share": manifest.writing_seconds / playing, "size_megabytes": size / 1e6,
        "bytes_per_seat": size / rows, "memory_megabytes": memory,
    }  # fmt: skip


def measure_report(folder: Path, games: int) -> dict[str, Any]:
    """Measure `empirelab report --html`: wall-clock time in seconds, and peak memory.

    The report is written once before, so that the measurement does not include compiling.
    """
    with tempfile.TemporaryDirectory() as out:
        arguments = ["report", str(folder), "--html", str(Path(out) / "report.html")]
        _run(arguments, {})
        seconds, memory = _run(arguments, {})
    return {"games": games, "seconds": seconds, "memory_megabytes": memory}


def _run(arguments: Sequence[str], environment: dict[str, str]) -> tuple[float, float]:
    """Run the program in a fresh process; return its wall-clock seconds and its peak memory in megabytes."""
    before = time.perf_counter()
    with subprocess.Popen(
        own_program("sim.cli", *arguments),
        env=own_environment() | environment,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
    ) as process:
        peak = 0.0
        while process.poll() is None:
            peak = max(peak, _peak_memory(process.pid))
            time.sleep(0.02)
        seconds = time.perf_counter() - before
        if process.returncode != 0:
            message = process.stderr.read().decode(errors="replace").strip() if process.stderr else ""
            raise UserError(f"a measured run failed: {message}")
    return seconds, peak


def _peak_memory(process: int) -> float:
    """Return the peak memory of a running process in megabytes; 0 if unknown, because only Linux reports it.

    The peak that `wait` reports would not do: it includes the memory of the parent process.
    """
    try:
        status = Path(f"/proc/{process}/status").read_text("ascii")
    except OSError:
        return 0.0
    found = re.search(r"VmHWM:\s+(\d+) kB", status)
    return int(found[1]) / 1e3 if found else 0.0


def lineups_of(game: GameSpec) -> Mapping[str, Sequence[str]]:
    """Return the line-ups to measure: those that the game declares or, if none, random players and its default."""
    plain = {"random": ("random",), " and ".join(game.default_strategies): game.default_strategies}
    return game.bench_lineups or plain


def bench(
    game: str,
    *,
    players: int | None,
    runs: int,
    seconds: float,
    start: bool,
    whole: int,
    say: Callable[[str], None],
    decks: Sequence[str] = (),
) -> dict[str, Any]:
    """Make the requested measurements and return them as a dict for JSON. The games use the decks `decks`."""
    declared = load_game(game)
    seats = declared.default_players if players is None else players
    result: dict[str, Any] = {"game": game, "speed": [], "start": [], "run": None, "report": None}
    for label, names in lineups_of(declared).items():
        plan = make_plan(RunConfig(game=game, players=seats, strategies=list(names), decks=list(decks)))
        say(f"playing: {label}")
        result["speed"].append(measure(label, plan, runs, seconds))
    if start:
        with tempfile.TemporaryDirectory() as cache:
            say("starting a process that has to compile everything")
            result["start"].append(measure_start(game, Path(cache), "cold: everything compiled again"))
            say("starting it again")
            warm = [measure_start(game, Path(cache), "warm: compiled code read") for _ in range(3)]
            result["start"].append(sorted(warm, key=lambda one: one["seconds"])[1])
    if whole:
        with tempfile.TemporaryDirectory() as out:
            folder = Path(out) / "run"
            say(f"simulating {whole:,} games on all cores")
            result["run"] = measure_run(game, whole, folder)
            say("writing the report of these games, twice")
            result["report"] = measure_report(folder, whole)
    result["memory_megabytes"] = _peak_memory(os.getpid())
    return result
