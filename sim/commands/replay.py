"""Tells one game of a run."""

from __future__ import annotations

from typing import Annotated

import typer

from sim.commands.console import print_json
from sim.commands.options import AsJson, Quiet, RunFolder
from sim.errors import UserError


def replay(
    folder: RunFolder,
    game: Annotated[
        int | None, typer.Option("--game", "-g", help="Number of the game, from 0, which it is else.")
    ] = None,
    where: Annotated[
        str | None,
        typer.Option(
            metavar="WORDS", help='A game that is like this instead: "Rhodos B wins", "science in seat 0 loses".'
        ),
    ] = None,
    pick: Annotated[
        str | None, typer.Option(metavar="WAY", help="Which of these: typical (by default), closest or first.")
    ] = None,
    trust: Annotated[
        bool, typer.Option("--trust", help="Run the Python files of players that the run names, if they are unchanged.")
    ] = False,
    as_json: AsJson = False,
    quiet: Quiet = False,
) -> None:
    """Play one game of a run again and tell it turn by turn.

    Example: empirelab replay runs/first --where "Halikarnassos B wins" --pick closest
    """
    from sim.runs.game_query import pick_game
    from sim.runs.replay import replay as tell

    chosen = None
    if where is not None or pick is not None:
        if game is not None:
            raise UserError("give either --game or --where, not both", field="game", found=game)
        chosen = pick_game(folder, where or "", pick or "typical")
        game = chosen.game
    lines = tell(folder, game or 0, trust=trust)
    if as_json:
        of = {} if chosen is None else {"where": chosen.where, "pick": chosen.pick, "fitting": chosen.fitting}
        print_json({"run": str(folder), "game": game or 0, **of, "lines": list(lines)})
    else:
        print("\n".join(lines if chosen is None else [f"{chosen}.", "", *lines]))
