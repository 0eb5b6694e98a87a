"""Compiles the kernels of a game before the first game is played, on two cores if possible.

The engine and the scoring functions of players are separate machine code. So a second process compiles the players
while this process compiles the engine. The second process saves the players in the cache, and this process loads them
from there.
"""

from __future__ import annotations

import gc
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

import numpy as np

from sim.compiler.cache import cache_home, cache_is_usable, read_cached, write_cached
from sim.compiler.kernel import LINEUP, is_cached, is_strategy_cached, strategy_slots
from sim.compiler.source_digest import is_outside, is_project_code, own_environment, own_program
from sim.data.arguments import jobs_to_use
from sim.data.catalog import digest
from sim.engine.script import Script
from sim.players.batch import Plan, arguments_of
from sim.players.batch import play as play_games
from sim.players.compile_players import compile_strategies, players_of
from sim.players.find_strategies import load_strategies
from sim.runs.config import RunConfig, make_plan
from sim.runs.progress import duration

SECOND_PROCESS_SAVES = 0.35
"""Share of the compilation time of a game that a second process saves. The players take 35 to 45 % of that time."""
SPEED_FILE = "compile-speed"
"""File in the cache with a ratio: the seconds of the last compilation on this machine, divided by the seconds that the
game declares."""
OTHER_PARTS = 8.0
"""Seconds for what `empirelab warm` compiles besides engine and players, on the machine that games declare them for."""
MIN_SPEED, MAX_SPEED = 0.2, 20.0
"""Limits of plausible ratios in the file `SPEED_FILE`; other ratios are ignored."""


def compile_message(plan: Plan) -> str:
    """Return a message that says what has to be compiled for a plan; empty if all kernels are cached."""
    if not engine_is_cached(plan):
        return f"compiling the engine, once, about {duration(expected_seconds(plan))}"
    return "compiling the players, once" if missing_scripts(plan) else ""


def all_parts_message(plan: Plan) -> str:
    """Return a message for `empirelab warm`, which also compiles look-ahead and reports; "" if the engine is cached."""
    if engine_is_cached(plan):
        return ""
    seconds = kept_number(all_parts_file(plan)) or expected_seconds(plan) + OTHER_PARTS * kept_speed()
    return f"compiling {plan.game.title}, about {duration(seconds)}"


def keep_all_parts(plan: Plan, seconds: float) -> None:
    """Save in the cache how many seconds it took to compile all parts of a game. `all_parts_message` uses them."""
    write_cached(all_parts_file(plan), repr(seconds).encode())


def all_parts_file(plan: Plan) -> Path:
    """Return the file of the cache with the seconds that all parts of a game took when they were last compiled."""
    return cache_home() / f"warm-seconds-{digest(plan.game.name)[:16]}"


def engine_is_cached(plan: Plan) -> bool:
    """Tell whether the kernels of a plan's game are compiled in this process or in the cache."""
    return is_cached(plan.game.kernels.play_games, *arguments_of(plan, nobody(), 0, 0))


def nobody() -> tuple[tuple[()], np.void]:
    """Return a line-up without players. A call that plays no games with this line-up compiles only the engine."""
    return strategy_slots([]), np.zeros(1, LINEUP)[0]


def missing_scripts(plan: Plan) -> list[Script]:
    """Return the project's scripts of a plan's strategies that are neither compiled nor cached."""
    own = dict.fromkeys(each.script for each in plan.strategies if is_project_code(each.script.score))
    records = plan.game.state, plan.game.tables
    return [script for script in own if not is_strategy_cached(script.score, script.score_all, *records)]


def expected_seconds(plan: Plan) -> float:
    """Estimate the seconds for compiling a game's kernels here: the declared seconds times `kept_speed`."""
    return declared_seconds(plan, len(names_for_second_process(plan)) > 0) * kept_speed()


def declared_seconds(plan: Plan, in_two: bool) -> float:
    """Return the seconds that a game declares for compiling its kernels; fewer if two processes do it (`in_two`)."""
    return plan.game.compile_seconds * (1.0 - SECOND_PROCESS_SAVES * in_two)


def kept_speed() -> float:
    """Return the saved ratio of measured to declared compilation seconds here; 1 if missing or implausible."""
    speed = kept_number(cache_home() / SPEED_FILE) or 1.0
    return speed if MIN_SPEED <= speed <= MAX_SPEED else 1.0


def kept_number(file: Path) -> float:
    """Return the number in a file of the cache; 0 if there is none."""
    try:
        return float(read_cached(file) or 0.0)
    except ValueError:
        return 0.0


def names_for_second_process(plan: Plan) -> list[str]:
    """Return names of strategies that a second process can compile while this process compiles the engine.

    There is one name for each script. The list is empty if all scripts are compiled, if the machine has one core, or if
    the cache cannot be used to pass on kernels.
    """
    missing = missing_scripts(plan)
    if not missing or is_outside(plan.game.play_step) or jobs_to_use(-1) < 2 or not cache_is_usable():
        return []
    shipped = load_strategies(plan.game.name)
    by_script = {each.script: name for name, each in reversed(shipped.items()) if each.search is None}
    return [by_script[script] for script in missing if script in by_script]


def compile_engine(plan: Plan) -> None:
    """Compile the kernels of a plan's game if they are not cached. Meanwhile a second process compiles the players."""
    if engine_is_cached(plan):
        return
    names, before = names_for_second_process(plan), time.perf_counter()
    with without_collection(), players_compiled_beside(plan, names):
        play_games(plan, nobody(), 0, 0)  # the call compiles the kernel, although it plays no game
    speed = (time.perf_counter() - before) / declared_seconds(plan, len(names) > 0)
    write_cached(cache_home() / SPEED_FILE, repr(speed).encode())


@contextmanager
def without_collection() -> Iterator[None]:
    """Switch garbage collection off.

    Compiling makes millions of lasting objects, and scanning them takes 5 % of the time.
    """
    collects = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collects:
            gc.enable()


@contextmanager
def players_compiled_beside(plan: Plan, names: Sequence[str]) -> Iterator[None]:
    """Let a second process compile players of a plan's game. When the context ends, wait for the second process.

    If the second process does not start or fails, this process compiles the players later. The second process shows no
    errors. If players do not compile, this process reports it when it compiles them.
    """
    second, silent = None, subprocess.DEVNULL
    with suppress(OSError):  # a limit on processes or memory may forbid a second process
        command = own_program("sim.runs.warm", plan.game.name, *names)
        if names:
            second = subprocess.Popen(command, env=own_environment(), stdin=silent, stdout=silent, stderr=silent)
    if second is None:
        yield
        return
    with second as process:
        try:
            yield
        except BaseException:
            process.kill()
            raise


def compile_players(game: str, names: Sequence[str]) -> None:
    """Compile the scoring functions of strategies of a game, in the second process."""
    plan = make_plan(RunConfig(game=game, strategies=list(names)))
    players_of(plan, compile_strategies(plan))


if __name__ == "__main__":
    with suppress(KeyboardInterrupt), without_collection():
        compile_players(sys.argv[1], sys.argv[2:])
