"""Tells one game of a run."""

from __future__ import annotations

from typing import Annotated

import typer

from sim.commands.shared import RunFolder


def replay(
    folder: RunFolder,
    game: Annotated[int, typer.Option("--game", "-g", help="Number of the game, from 0.")] = 0,
    trust: Annotated[
        bool, typer.Option("--trust", help="Run the Python files of players that the run names, if they are unchanged.")
    ] = False,
) -> None:
    """Play one game of a run again and tell it turn by turn."""
    from sim.replay import replay as tell

    print("\n".join(tell(folder, game, trust=trust)))
