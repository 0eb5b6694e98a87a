"""Lists games and scripted players."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from sim.commands.console import print_json
from sim.commands.options import AsJson, GameName, Options, Quiet, games_option, with_options
from sim.errors import UserError


def games(as_json: AsJson = False, quiet: Quiet = False) -> None:
    """List the games, with their variants and numbers of players."""
    from sim.game import GAMES, load_game

    declared = {name: load_game(name) for name in GAMES}
    if as_json:
        print_json(
            [
                {"name": name, "title": game.title, "variants": [asdict(variant) for variant in game.variants]}
                for name, game in declared.items()
            ]
        )
        return
    for name, game in declared.items():
        print(f"{name}  ({game.title})")
        width = max(12, *(len(variant.name) for variant in game.variants))
        for variant in game.variants:
            print(f"  {variant.name:<{width}} {variant.description}")


@with_options("code sandbox ladder games players variant settings seed jobs out html as_json quiet")
def strategies(
    options: Options,
    game: GameName,
    ladder: Annotated[
        bool, typer.Option("--ladder", help="Rate them, and those of the game's ladder, in games in which all meet.")
    ] = False,
    games: Annotated[int | None, games_option("With --ladder: how many games to play; by default the game's.")] = None,
    out: Annotated[
        Path | None,
        typer.Option(
            "--out",
            "-o",
            metavar="DIR",
            help="With --ladder: folder of the run; resumed or read if it exists.",
        ),
    ] = None,
) -> None:
    """List the scripted players of a game; with --ladder rate all of them, soft ones and those who look ahead too."""
    if ladder:
        from sim.commands.ladder import rate

        rate(options, game, games, out)
        return
    check_without_ladder(
        {"games": games, "players": options.players, "variant": options.variant, "out": out, "html": options.html}
    )
    from sim.game import load_game
    from sim.players.find_strategies import load_strategies

    declared = load_game(game)
    found = load_strategies(declared.name, options.code)
    if options.as_json:
        rows = [
            {
                "name": strategy.name,
                "script": strategy.script.name,
                "description": strategy.description,
                "temperature": strategy.temperature,
                "weights": dict(strategy.weights),
                "source": strategy.source,
            }
            for strategy in found.values()
        ]
        print_json(rows)
        return
    width = max(len(name) for name in found)
    for name, strategy in found.items():
        print(f"{name:<{width}}  {strategy.description}")
    plain = next((name for name in declared.default_strategies if name in found), next(iter(found)))
    print(f"\nAny of them can be made less careful: {plain}@0.5 adds noise of that scale to every score.")


def check_without_ladder(given: Mapping[str, object]) -> None:
    """Check that no option is given that only games need.

    Raises
    ------
    UserError
        An option is given.
    """
    for name, value in given.items():
        if value is not None:
            raise UserError(
                "this option rates players by playing games", field=name, found=str(value), allowed="with --ladder"
            )
