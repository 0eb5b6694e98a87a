"""Compiles the engines of the games, once, before anything that would otherwise compile them several times.

python -m tests.kit.engines                  # all games, side by side
python -m tests.kit.engines seven_wonders    # one game, in this process
"""

from __future__ import annotations

import subprocess
import sys

from sim.batch import play
from sim.compiling import players_of
from sim.runs.config import RunConfig, make_plan
from sim.runs.loading import load_strategies
from tests.kit.plans import KIT_GAMES, all_detail


def compile_game(game: str) -> None:
    """Play one game with all strategies of a game, so that the engine and they lie in the kernel cache."""
    plan = make_plan(RunConfig(game=game, strategies=list(load_strategies(game)), detail=all_detail(game)))
    play(plan, players_of(plan), 0, 1)


def compile_engines() -> None:
    """Compile all games, each in a process of its own, side by side.

    Raises
    ------
    subprocess.CalledProcessError
        A game does not compile.
    """
    running = [subprocess.Popen([sys.executable, "-m", "tests.kit.engines", game]) for game in KIT_GAMES]
    for process in running:
        if process.wait() != 0:
            raise subprocess.CalledProcessError(process.returncode, process.args)


if __name__ == "__main__":
    if sys.argv[1:]:
        compile_game(sys.argv[1])
    else:
        compile_engines()
