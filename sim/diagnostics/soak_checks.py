"""Playing the trials of a soak, with everything checked that must hold of any run.

Of each stretch of a trial's games

- the laws of the game hold (`sim.diagnostics.invariant_watch`): before every decision in a whole trial, at the ends of
turns in others;
  those of results hold of every finished game;
- the games come out the same played once more, without anybody looking on, in two stretches that part anywhere: all
  of them in a whole trial, one stretch of several in others;
- no strategy writes into the first game (`sim.players.readonly_check`), and it can be told.
"""

from __future__ import annotations

import math
import sys
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from sim.diagnostics.invariant_watch import Lookout, broken_results
from sim.diagnostics.soak_trials import Trial
from sim.errors import UserError
from sim.players.batch import Plan, play_all
from sim.players.compile_players import players_of
from sim.runs.config import make_plan
from sim.runs.replay import tell_game

TRIAL_SECONDS = 4.0
"""CPU seconds that a trial takes at most, about."""
TRIAL_GAMES = 4000
"""Games after which a trial ends, about."""
STRETCH = 400
"""Games of a stretch at most."""
AGAIN_EVERY = 4
"""In a trial that is not whole, the first of so many stretches is played again."""


@dataclass(frozen=True)
class Clean:
    """What of a stretch has just been found clean: games, their decisions, and how many of these were looked at."""

    games: int
    decisions: int
    looked_at: int


def play_trial(
    trial: Trial, games: int | None = None, report: Callable[[Clean], None] = lambda clean: None
) -> tuple[int, str]:
    """Play a trial with everything checked.

    Parameters
    ----------
    games
        How many games; by default as many as a trial has time for.
    report
        Told of each stretch that has just been found clean.

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
        size, stretch, started = plan.block_games, 0, math.inf
        while begun < (games or TRIAL_GAMES) and (games or time.thread_time() - started < TRIAL_SECONDS):
            size = size if games is None else min(size, games - begun)
            begun += size
            again = trial.whole or stretch % AGAIN_EVERY == 0
            fault, clean = check_stretch(plan, players, begun - size, size, random, trial.whole, again)
            if fault or faults:
                return begun, "; ".join([*filter(None, [fault]), *_counted(faults)])
            report(clean)
            started = min(started, time.thread_time())  # the first stretch may have had to be compiled
            size, stretch = min(2 * size, STRETCH), stretch + 1
    except UserError as error:
        return begun, str(error)
    except (ArithmeticError, LookupError, ValueError, TypeError, RuntimeError, SystemError) as error:
        # A checked index, or anything else that kernels or those who call them stop with.
        return begun, f"{type(error).__name__}: {error}"
    return begun, ""


def _counted(faults: list[str]) -> list[str]:
    """Say each fault once, with how often it came."""
    return [fault if count == 1 else f"{fault} ({count} times)" for fault, count in Counter(faults).items()]


def check_stretch(
    plan: Plan, players: Any, first: int, count: int, random: np.random.Generator, whole: bool, again: bool
) -> tuple[str, Clean]:
    """Play some games in all ways; say what does not hold of them, nothing if all holds, and how much was played.

    Parameters
    ----------
    whole
        Whether laws are looked at before every decision, else at the ends of turns.
    again
        Whether the games are played once more.

    Raises
    ------
    UserError
        A game cannot be played on, or a strategy writes into it.
    """
    watch = Lookout(plan.game, players, at_turns=not whole)
    seen = play_all(plan, watch.players, first, count)
    fault = watch.broken()
    if not fault and again and (cut := cut_of_others(plan, players, first, count, seen, random)) is not None:
        fault = f"games {first} to {first + count - 1} played again in two stretches, from {cut} on, are others"
    if not fault:
        fault = broken_results(plan, seen[0].reshape(count, plan.players, -1), first)
    if not fault and first == 0:
        fault = fault_of_first(plan, players, seen[0][: plan.players])
    return fault, Clean(count, int(watch.notes.asked), int(watch.notes.checks))


def cut_of_others(
    plan: Plan, players: Any, first: int, count: int, seen: tuple[np.ndarray, ...], random: np.random.Generator
) -> int | None:
    """Play games again in two stretches; return where the second begins if these are others, None if all are alike."""
    cut = int(random.integers(count + 1))
    parts = (play_all(plan, players, first, cut), play_all(plan, players, first + cut, count - cut))
    same = all(
        np.array_equal(rows, np.concatenate([part[number] for part in parts])) for number, rows in enumerate(seen)
    )
    return None if same else cut


def fault_of_first(plan: Plan, players: Any, rows: np.ndarray) -> str:
    """Say what does not hold of game 0 with its strategies checked, and told; nothing if all holds."""
    checked = play_all(replace(plan, checked=True), players, 0, 1)
    if not np.array_equal(checked[0], rows):
        return "game 0 played with its strategies checked is another"
    return "" if tell_game(plan, 0) else "nothing is told of game 0"
