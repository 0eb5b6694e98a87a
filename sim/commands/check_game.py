"""Checks a compiled game against the same game in plain Python."""

from __future__ import annotations

from typing import Annotated

import typer

from sim.commands.console import print_json
from sim.commands.options import AsJson, Players, Quiet, games_option, named_game, option


def check_game(
    plain: Annotated[
        str, typer.Argument(metavar="PLAIN", help="Python file of the game in plain Python.", callback=named_game)
    ],
    compiled: Annotated[
        str, typer.Argument(metavar="COMPILED", help="Folder or name of the compiled game.", callback=named_game)
    ],
    games: Annotated[int, games_option("Games to play.")] = 200,
    players: Players = None,
    seed: Annotated[int, option("Seed of the deals and choices.", least=0)] = 1,
    as_json: AsJson = False,
    quiet: Quiet = False,
) -> None:
    """Check a compiled game against the same game in plain Python: same options, same scores, game by game.

    Examples
    --------
    empirelab check-game my_game.py my_game/

    Notes
    -----
    Both play the same deals and dice, and random choices by the number of the option. The first difference is shown,
    with exit status 1. The plain game may draw with `shuffle`, `choice` and `randint`. It has to draw in the same order
    as the kernels, and to list its options in the same order.
    """
    from sim.diagnostics.check_game import first_difference
    from sim.errors import UserError
    from sim.game import load_game
    from sim.runs.config import RunConfig, make_plan

    if load_game(plain).plain is None:
        raise UserError("not a game in plain Python", field="PLAIN", found=plain, allowed="a file such as my_game.py")
    if load_game(compiled).plain is not None:
        raise UserError("not a compiled game", field="COMPILED", found=compiled, allowed="the folder of a package")
    count = players or load_game(plain).default_players
    own = make_plan(RunConfig(game=plain, players=count, strategies=["random"], seed=seed))
    other = make_plan(RunConfig(game=compiled, players=count, seed=seed))
    difference = first_difference(own, other, games)
    if as_json:
        print_json({"games": games, "difference": difference})
    elif difference:
        print(difference)
    elif not quiet:
        print(f"the same options and scores in {games:,} games of {count} players")
    if difference:
        raise typer.Exit(1)
