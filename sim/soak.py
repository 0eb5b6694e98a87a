"""Soaking a game: random runs of all kinds, with everything checked that must hold of any of them.

Trial k of seed s is the same run anywhere: random strategies, temperatures, players who look ahead, variant, number of
players, settings, factions and decks. Of each stretch of its games

- the laws of the game hold at every decision (`sim.watching`), and those of results of every finished game;
- the games come out the same played once more, without anybody looking on, in two stretches that part anywhere;
- no strategy writes into the first games (`sim.checking`), and the first of them can be told.

The trials are played by a process of their own, in which every index is checked (`EMPIRELAB_CHECK_BOUNDS`).
"""

from __future__ import annotations

import json
import math
import os
import queue
import shlex
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from sim.batch import Plan, play_all
from sim.compiling import players_of
from sim.data.catalog import read_toml
from sim.errors import UserError
from sim.game import GAMES, Data, Game, boards_needed
from sim.guard import end_with_watcher
from sim.replay import tell_game
from sim.runs.config import RunConfig, game_of, make_plan
from sim.runs.loading import load_strategies
from sim.runs.manifest import SEAT_TABLE
from sim.runs.simulate import command_of
from sim.watching import Lookout, broken_results

MOST_STRATEGIES = 6
TEMPERATURES = (0.1, 0.5, 1.0, 3.0)
ROLLOUTS = (1, 2)
"""Of players who look ahead: each rollout is a game."""
SHARE_SOFT, SHARE_AHEAD, SHARE_SETTING, SHARE_POOL, SHARE_PIECES, SHARE_DECK = 0.3, 0.15, 0.15, 0.3, 0.5, 0.5
"""Chances: of a temperature, of a trial with one who looks ahead, of another value of a setting, of a smaller pool of
factions, of rows of pieces, and of each deck."""
TRIAL_SECONDS = 4.0
"""CPU seconds that a trial takes, about."""
STRETCH = 400
"""Games of a stretch at most."""
SILENCE = 1800.0
"""Seconds after which a process that says nothing is taken to be in an endless game; compiling may take minutes."""


@dataclass(frozen=True)
class Trial:
    """A run that was drawn: its number, and what it is asked to be."""

    number: int
    config: RunConfig


@dataclass(frozen=True)
class Violation:
    """What does not hold: in words, and the commands that play it again."""

    fault: str
    again: str
    plain: str


@dataclass
class Soaked:
    """What came of soaking: trials begun, games played, what was wrong."""

    game: str
    seed: int
    trials: int
    games: int
    violations: list[Violation]


# ---- Drawing ----


def draw_trial(name: str, seed: int, number: int, decks: Sequence[str] = ()) -> Trial:
    """Draw trial `number` of a seed.

    Raises
    ------
    UserError
        There is no such game, or it does not take these decks.
    """
    random = np.random.default_rng([seed, number])
    chosen = [deck for deck in decks if random.random() < SHARE_DECK]
    game = game_of(RunConfig(game=name, decks=chosen))
    variant = game.variants[random.integers(len(game.variants))]
    players = int(random.choice(variant.players))
    settings = draw_settings(game, random)
    assign: Any = str(random.choice(["rotate", "random", "fixed"], p=[0.6, 0.2, 0.2]))
    count = int(random.integers(1, MOST_STRATEGIES + 1)) if assign != "fixed" else players
    config = RunConfig(
        game=name,
        games=1,
        players=players,
        variant=variant.name,
        strategies=draw_strategies(game, count, random),
        factions=draw_factions(game, game.load(settings), players, random),
        assign=assign,
        seed=int(random.integers(1, 1 << 31)),
        detail=game.pieces.plural if game.pieces is not None and random.random() < SHARE_PIECES else SEAT_TABLE,
        settings=settings,
        decks=chosen,
    )
    return Trial(number, config)


def draw_strategies(game: Game, count: int, random: np.random.Generator) -> list[str]:
    """Draw so many names of a line-up; some with a temperature, at times one who looks ahead."""
    known = list(load_strategies(game.name))
    names = [str(name) for name in random.choice(known, count)]
    if random.random() < SHARE_AHEAD:
        names[random.integers(count)] += f"+{random.choice(ROLLOUTS)}"
    return [f"{name}@{random.choice(TEMPERATURES)}" if random.random() < SHARE_SOFT else name for name in names]


def draw_settings(game: Game, random: np.random.Generator) -> dict[str, Any]:
    """Draw other values for some settings."""
    drawn = {}
    for file, tables in game.files.items():
        for row in read_toml(game.folder / file).get("setting", []) if "setting" in tables else []:
            others = [value for value in row["allowed"] if value != row["value"]]
            if others and random.random() < SHARE_SETTING:
                drawn[row["name"]] = others[random.integers(len(others))]
    return drawn


def draw_factions(game: Game, data: Data, players: int, random: np.random.Generator) -> list[str]:
    """Draw a pool of factions: mostly all, else enough for a table."""
    if not data.factions or random.random() >= SHARE_POOL:
        return ["all"]
    kinds = [one.attributes[game.exclusive] if game.exclusive else one.name for one in data.factions]
    unlike = sorted(set(kinds))
    size = int(random.integers(min(boards_needed(game, players), len(unlike)), len(unlike) + 1))
    pool = set(random.choice(unlike, size, replace=False).tolist())
    return [one.name for one, kind in zip(data.factions, kinds, strict=True) if kind in pool]


# ---- Playing ----


def play_trial(
    trial: Trial, games: int | None = None, report: Callable[[int], None] = lambda games: None
) -> tuple[int, str]:
    """Play a trial with everything checked.

    Parameters
    ----------
    games
        How many games; by default as many as a trial has time for.
    report
        Told how many games have just been found clean.

    Returns
    -------
    games, fault
        Games begun, and what did not hold; nothing if all held.
    """
    faults: list[str] = []
    sys.unraisablehook = lambda raised: faults.append(f"in a strategy, {raised.exc_value!r}")
    begun = 0
    try:
        plan = make_plan(trial.config)
        players = players_of(plan)
        random = np.random.default_rng(trial.number)
        size, started = plan.block_games, math.inf
        while not faults and (begun < games if games else time.thread_time() - started < TRIAL_SECONDS):
            size = size if games is None else min(size, games - begun)
            begun += size
            fault = fault_of_stretch(plan, players, begun - size, size, random)
            if fault or faults:
                return begun, "; ".join([*filter(None, [fault]), *faults])
            report(size)
            started = min(started, time.thread_time())  # the first stretch may have had to be compiled
            size = min(2 * size, STRETCH)
    except UserError as error:
        return begun, str(error)
    except (ArithmeticError, LookupError, ValueError, TypeError, RuntimeError, SystemError) as error:
        # A checked index, or anything else that kernels or those who call them stop with.
        return begun, f"{type(error).__name__}: {error}"
    return begun, "; ".join(faults)


def fault_of_stretch(plan: Plan, players: Any, first: int, count: int, random: np.random.Generator) -> str:
    """Play some games in all ways; say what does not hold of them, nothing if all holds.

    Raises
    ------
    UserError
        A game cannot be played on, or a strategy writes into it.
    """
    watch = Lookout(plan.game, players)
    seen = play_all(plan, watch.players, first, count)
    if law := watch.broken():
        return law
    cut = int(random.integers(count + 1))
    parts = (play_all(plan, players, first, cut), play_all(plan, players, first + cut, count - cut))
    for number, rows in enumerate(seen):
        if not np.array_equal(rows, np.concatenate([part[number] for part in parts])):
            return f"games {first} to {first + count - 1} played again in two stretches, from {cut} on, are others"
    if law := broken_results(plan, seen[0].reshape(count, plan.players, -1), first):
        return law
    if first == 0:
        checked = play_all(replace(plan, checked=True), players, 0, 1)
        if not np.array_equal(checked[0], seen[0][: plan.players]):
            return "game 0 played with its strategies checked is another"
        if not tell_game(plan, 0):
            return "nothing is told of game 0"
    return ""


# ---- In a process of its own ----


def soak_here(name: str, seed: int, numbers: Iterator[int], games: int | None, decks: Sequence[str]) -> None:
    """Play trials and write a line of JSON for each: that it begins, games found clean, and what came of it."""

    def write(**said: Any) -> None:
        print(json.dumps(said), flush=True)

    for number in numbers:
        write(trial=number)
        trial = draw_trial(name, seed, number, decks)
        begun, fault = play_trial(trial, games, lambda clean: write(clean=clean))
        again = command_again(trial, seed, begun, decks)
        plain = command_of(trial.config.model_copy(update={"games": max(begun, 1)}))
        write(done=number, violation=asdict(Violation(fault, again, plain)) if fault else None)


def command_again(trial: Trial, seed: int, games: int | None, decks: Sequence[str]) -> str:
    """Return the command that plays a trial again, with everything checked."""
    words = ["empirelab", "soak", trial.config.game, "--seed", str(seed), "--trial", str(trial.number)]
    words += ["--games", str(games)] if games else []
    for deck in decks:
        words += ["--deck", deck]
    return shlex.join(words)


def soak(
    name: str,
    *,
    seconds: float,
    seed: int = 1,
    trial: int | None = None,
    games: int | None = None,
    decks: Sequence[str | Path] = (),
    progress: Callable[[int], None] = lambda games: None,
    tell: Callable[[Violation], None] = lambda violation: None,
    silence: float = SILENCE,
) -> Soaked:
    """Play random runs of a game with everything checked, in a process of its own, until the time is over.

    Parameters
    ----------
    seconds
        How long, by the clock; the last trial is played to its end.
    seed
        The trials of a seed are the same anywhere; how many of them are played depends on the machine.
    trial, games
        Play this trial only, and so many games of it.
    decks
        Decks of a user's own, some of which are dealt in some trials.
    progress
        Told how many games have just been found clean.
    tell
        Told of a violation as soon as it is found.
    silence
        Seconds without a word after which the process is taken to be in an endless game.

    Raises
    ------
    UserError
        There is no such game, or it does not take these decks.
    """
    names = [str(deck) for deck in decks]
    game = game_of(RunConfig(game=name, decks=names))
    game.load({})
    found = Soaked(name, seed, 0, 0, [])
    first, until = (0 if trial is None else trial), time.monotonic() + seconds
    while True:
        numbers = f"{first}:{first + 1}" if trial is not None else f"{first}:"
        begun = _listen(
            found, [name, GAMES[name], str(seed), numbers, str(games or 0), *names], until, progress, tell, silence
        )
        if begun is None or trial is not None:
            return found
        first = begun + 1  # the process has died with this trial: another goes on behind it
        if time.monotonic() >= until:
            return found


def _listen(
    found: Soaked,
    arguments: list[str],
    until: float,
    progress: Callable[[int], None],
    tell: Callable[[Violation], None],
    silence: float,
) -> int | None:
    """Start a process that plays trials and note what it says; return the trial that it died with, None for none."""
    command = [sys.executable, "-m", "sim.soak", *arguments]
    environment = os.environ | {"EMPIRELAB_CHECK_BOUNDS": "1"}
    with subprocess.Popen(command, stdout=subprocess.PIPE, env=environment, text=True) as process:
        lines: queue.Queue[str | None] = queue.Queue()
        threading.Thread(target=_pass_on, args=(process.stdout, lines), daemon=True).start()
        at, clean, why = None, 0, ""
        try:
            while True:
                try:
                    line = lines.get(timeout=silence)
                except queue.Empty:
                    why = f"nothing was heard for {silence:.0f} s: a game that does not end"
                    break
                if line is None:
                    why = f"the process died with status {process.wait()}"
                    break
                said: Mapping[str, Any] = json.loads(line)
                if "trial" in said:
                    at, clean = said["trial"], 0
                    found.trials += 1
                elif "clean" in said:
                    clean += said["clean"]
                    found.games += said["clean"]
                    progress(said["clean"])
                else:
                    at = None
                    if said["violation"] is not None:
                        found.violations.append(Violation(**said["violation"]))
                        tell(found.violations[-1])
                    if time.monotonic() >= until:
                        break
        finally:
            process.kill()
        if at is None and why and process.returncode != 0:
            raise UserError(f"no trial can be played: {why}")
        if at is None or not why:
            return None
        trial = draw_trial(found.game, found.seed, at, arguments[5:])
        again = command_again(trial, found.seed, None, arguments[5:])
        found.violations.append(Violation(f"{why} (behind game {clean})", again, command_of(trial.config)))
        tell(found.violations[-1])
        return at


def _pass_on(stream: Any, lines: queue.Queue[str | None]) -> None:
    """Hand on what a process says, line by line, and None at the end."""
    with suppress(ValueError):  # the stream is closed while somebody still listens
        for line in stream:
            lines.put(line)
    lines.put(None)


def main(name: str, module: str, seed: str, numbers: str, games: str, *decks: str) -> None:
    """Play trials as the arguments of the process say: numbers from A to before B, "A:B", or from A on, "A:"."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # a terminal tells the process that listens too, which ends this one
    end_with_watcher()
    GAMES.setdefault(name, module)
    first, _, behind = numbers.partition(":")
    every = iter(range(int(first), int(behind) if behind else sys.maxsize))
    soak_here(name, int(seed), every, int(games) or None, decks)


if __name__ == "__main__":
    main(*sys.argv[1:])
