"""Tells one game of a run."""

from __future__ import annotations

from typing import Annotated

import typer

from sim.commands.shared import AsJson, Quiet, RunFolder, print_json


def replay(
    folder: RunFolder,
    game: Annotated[int, typer.Option("--game", "-g", help="Number of the game, from 0.")] = 0,
    trust: Annotated[
        bool, typer.Option("--trust", help="Run the Python files of players that the run names, if they are unchanged.")
    ] = False,
    as_json: AsJson = False,
    quiet: Quiet = False,
) -> None:
    """Play one game of a run again and tell it turn by turn."""
    from sim.replay import replay as tell

    lines = tell(folder, game, trust=trust)
    if as_json:
        print_json({"run": str(folder), "game": game, "lines": list(lines)})
    else:
        print("\n".join(lines))
