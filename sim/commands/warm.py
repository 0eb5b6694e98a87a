"""Compiles the code of games before they are played."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Annotated

import typer

from sim.commands.bench import ALL
from sim.commands.completion import complete_games
from sim.commands.console import log_unless, print_json
from sim.commands.options import AsJson, Quiet, named_game
from sim.errors import UserError


def warm(
    game: Annotated[
        str,
        typer.Argument(
            metavar="[GAME]",
            help='Name or folder of a game, or "all".',
            autocompletion=complete_games,
            callback=named_game,
        ),
    ] = ALL,
    as_json: AsJson = False,
    quiet: Quiet = False,
) -> None:
    """Compile a game, its players, look-ahead and the report before the first batch, or for a container image.

    Examples
    --------
    empirelab warm
    empirelab warm imperium

    Notes
    -----
    Compiled code is stored in the cache, whose folder is `EMPIRELAB_CACHE`. Later commands on this machine compile
    nothing. A copy of the cache also works on other machines with the same processor features and versions.
    """
    from sim.data.declarations import GAMES
    from sim.game import load_game

    say, took = log_unless(quiet), {}
    for each in GAMES if game == ALL else [game]:
        if load_game(each).plain is not None:
            raise UserError("a game in plain Python is not compiled", field="GAME", found=each, allowed=GAMES)
        before = time.perf_counter()
        compile_all(each, say)
        took[each] = time.perf_counter() - before
        if not (quiet or as_json):
            print(f"{each}: ready after {took[each]:.0f} s")
    if as_json:
        print_json({"seconds": took})


def compile_all(game: str, say: Callable[[str], None]) -> None:
    """Compile all players of a game, its engine, its look-ahead, and what a report and its page need."""
    from reports.render.page import write_html
    from reports.report import build_report
    from sim.game import load_game
    from sim.players.find_strategies import load_strategies
    from sim.runs.config import RunConfig, make_plan
    from sim.runs.run import no_message, play_run, warm_up
    from sim.runs.store.manifest import SEAT_TABLE
    from sim.runs.warm import all_parts_message, keep_all_parts

    names, spec = list(load_strategies(game)), load_game(game)
    base = spec.default_strategies[0].partition("@")[0]
    everybody = make_plan(RunConfig(game=game, strategies=[*names, f"{base}+1"]))
    message, before = all_parts_message(everybody), time.perf_counter()
    if message:
        say(message)
    warm_up([everybody], say if not message else no_message)
    detail = SEAT_TABLE if spec.pieces is None else spec.pieces.plural
    plan = make_plan(RunConfig(game=game, strategies=names[:1], detail=detail))
    with tempfile.TemporaryDirectory() as folder:
        run = Path(folder) / "run"
        play_run(plan, 4 * plan.block_games, run)
        write_html(build_report(run), Path(folder) / "report.html")
    if message:
        keep_all_parts(everybody, time.perf_counter() - before)
