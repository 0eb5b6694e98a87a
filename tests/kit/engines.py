"""Compiles the engines of the games, once, before anything that would otherwise compile them several times.

python -m tests.kit.engines                  # all games, side by side
python -m tests.kit.engines seven_wonders    # one game, in this process
"""

from __future__ import annotations

import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from copy import deepcopy
from importlib import import_module
from typing import Any

from sim.batch import plan_record, play
from sim.compiling import players_of
from sim.game import load_game
from sim.kernel_cache import build_name, cache_home
from sim.runs.config import RunConfig, make_plan
from sim.runs.loading import load_strategies
from sim.searching import kernels_of
from sim.sources import FOLDERS, file_of, source_digest
from tests.kit.laws import check_games
from tests.kit.plans import KIT_GAMES, all_detail, plan_for, supplied


def compile_game(game: str) -> None:
    """Play with all strategies of a game, in one go and step by step, hold it to its laws and look at a position.

    All that is then in the kernel cache. In one process its parts are compiled once for all of these.
    """
    plan = make_plan(RunConfig(game=game, strategies=list(load_strategies(game)), detail=all_detail(game)))
    team = players_of(plan)
    play(plan, team, 0, 1)
    g: Any = plan.game.new_games(1)[0]
    plan.game.start_game(g, plan.data.tables, plan_record(plan), 0)
    plan.game.play_step(g, plan.data.tables, team)
    plan.game.redeal(g, plan.data.tables, 0)
    kernels_of(plan.game)
    plan.game.play_on(g, plan.data.tables, team)
    check_games(plan_for(game), 0, 1)
    if "inspect" in plan.game.tools:
        tool = import_module(plan.game.tools["inspect"])
        tool.inspect_position(deepcopy(supplied(game, "positions").EXAMPLE), plan.data.catalog, plan.data.tables)


def compile_engines() -> None:
    """Compile all games, each in a process of its own, one on each core; nothing if that was done with the same code.

    Those with most code come first, so that no core waits long for the last.

    Raises
    ------
    subprocess.CalledProcessError
        A game does not compile.
    """
    files = [path for folder in FOLDERS for path in folder.rglob("*.py")]
    done = cache_home() / build_name() / f"engines-{source_digest(files)[:16]}"
    if done.is_dir():
        return
    games = sorted(KIT_GAMES, key=_size, reverse=True)
    commands = [[sys.executable, "-m", "tests.kit.engines", game] for game in games]
    with ThreadPoolExecutor(os.cpu_count()) as cores:
        list(cores.map(lambda command: subprocess.run(command, check=True), commands))
    done.mkdir(parents=True)


def _size(game: str) -> int:
    """Bytes of the rules of a game."""
    rules = file_of(load_game(game).play_step).parent
    return sum(path.stat().st_size for path in rules.glob("*.py"))


if __name__ == "__main__":
    if sys.argv[1:]:
        compile_game(sys.argv[1])
    else:
        compile_engines()
