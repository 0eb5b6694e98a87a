"""Compiles the engines of the games, once, before anything that would otherwise compile them several times.

python -m tests.kit.engines                  # all games, side by side
python -m tests.kit.engines seven_wonders    # one game, in this process
python -m tests.kit.engines --note           # after all tests: note what they call, so that it is compiled here too
"""

import os
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from copy import deepcopy
from importlib import import_module
from importlib.util import find_spec
from inspect import signature
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numba
import numpy as np
from numba.core.dispatcher import Dispatcher

from reports.data.load import load_run
from reports.report import build_report
from reports.sections.core.shares import filter_data
from sim.compiler.cache import build_name, cache_home
from sim.compiler.kernel import WEIGHTS
from sim.compiler.source_digest import file_of
from sim.game import GameSpec, load_game
from sim.players.batch import Plan, plan_record, play
from sim.players.compile_players import players_of
from sim.players.find_strategies import load_strategies
from sim.players.search_setup import kernels_of
from sim.runs.config import RunConfig, make_plan
from sim.runs.run import play_run
from tests.kit.kept_engines import kept_engines
from tests.kit.laws import check_games
from tests.kit.plans import KIT_GAMES, all_detail, plan_for, supplied

REPORTED = "seven_wonders"
"""The game whose runs most tests of reports play."""
FOLDERS_OF_GAMES = ("sim.games.", "strategies.")
CALLED = Path(__file__).parent / "data" / "called_kernels.txt"


def compile_game(game: str) -> None:
    """Play with all strategies of a game, in one go and step by step, hold it to its laws and look at a position.

    All that is then in the kernel cache. In one process its parts are compiled once for all of these.
    """
    plan = make_plan(RunConfig(game=game, strategies=list(load_strategies(game)), detail=all_detail(game)))
    team = players_of(plan)
    play(plan, team, 0, 1)
    g: Any = plan.game.new_games(1)[0]
    plan.game.kernels.start_game(g, plan.data.tables, plan_record(plan), 0)
    plan.game.play_step(g, plan.data.tables, team)
    plan.game.redeal(g, plan.data.tables, 0)
    kernels_of(plan.game)
    plan.game.kernels.play_out(g, plan.data.tables, team)
    check_games(plan_for(game), 0, 1)
    if "inspect" in plan.game.tools:
        tool = import_module(plan.game.tools["inspect"])
        tool.inspect_position(deepcopy(supplied(game, "positions").EXAMPLE), plan.data.catalog, plan.data.tables)
    for called, kinds in kernels_of_tests(plan.game):
        called.compile(kinds)
    if game == REPORTED:
        report_a_run(plan)


def report_a_run(plan: Plan) -> None:
    """Make the report of a small run, with the kernels that count and estimate."""
    with TemporaryDirectory() as folder:
        play_run([plan], 16, Path(folder) / "run", jobs=1)
        run = load_run(Path(folder) / "run")
        build_report(run)
        filter_data(run)


def kernels_of_tests(game: GameSpec) -> Iterator[tuple[Any, tuple[Any, ...]]]:
    """Yield what tests of a game call of its kernels, with the types of a call.

    Those that take more than the game, its tables and numbers are left out.
    """
    records = {"g": game.state, "t": game.tables, "w": WEIGHTS}
    numbers = {str(int): np.int64, "int": np.int64, str(bool): np.bool_, "bool": np.bool_}
    for place in CALLED.read_text("utf-8").splitlines():
        module, _, name = place.rpartition(".")
        if game.name not in module.split(".") or find_spec(module) is None:
            continue
        called = getattr(import_module(module), name, None)
        parameters = signature(called.py_func).parameters.values() if isinstance(called, Dispatcher) else []
        kinds = [records.get(each.name, numbers.get(str(each.annotation))) for each in parameters]
        if kinds and None not in kinds:
            yield called, tuple(numba.from_dtype(np.dtype(kind)) for kind in kinds)


def note_called() -> None:
    """Note the kernels of games that are kept: after a run of all tests without a cache, those that tests call."""
    kept = {folder.name.rpartition("-")[0] for folder in (cache_home() / build_name()).iterdir()}
    CALLED.write_text("".join(f"{name}\n" for name in sorted(kept) if name.startswith(FOLDERS_OF_GAMES)), "utf-8")


def compile_engines() -> None:
    """Compile all games, each in a process of its own, one on each core; nothing if that was done with the same code.

    The one with the report and those with most code come first, so that no core waits long for the last.
    """
    done = kept_engines()
    if done.is_dir():
        return
    games = sorted(KIT_GAMES, key=lambda game: (game == REPORTED, _size(game)), reverse=True)
    commands = [[sys.executable, "-m", "tests.kit.engines", game] for game in games]
    with ThreadPoolExecutor(os.cpu_count()) as cores:
        list(cores.map(lambda command: subprocess.run(command, check=True), commands))
    done.mkdir(parents=True)


def _size(game: str) -> int:
    """Bytes of the rules of a game."""
    rules = file_of(load_game(game).play_step).parent
    return sum(path.stat().st_size for path in rules.glob("*.py"))


if __name__ == "__main__":
    if sys.argv[1:] == ["--note"]:
        note_called()
    elif sys.argv[1:]:
        compile_game(sys.argv[1])
    else:
        compile_engines()
