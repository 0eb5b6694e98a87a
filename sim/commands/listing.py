"""Lists games and scripted players."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer

from sim.commands.shared import GameName


def games() -> None:
    """List the games, with their variants and numbers of players."""
    from sim.game import GAMES, load_game

    for name in GAMES:
        game = load_game(name)
        print(f"{name}  ({game.title})")
        for variant in game.variants:
            print(f"  {variant.name:<12} {variant.description}")


def strategies(
    game: GameName,
    code: Annotated[Path | None, typer.Option(help="Python file with a strategy of your own.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print everything, weights too, as JSON.")] = False,
) -> None:
    """List the scripted players of a game."""
    from sim.game import load_game
    from strategies.loading import load_strategies

    found = load_strategies(load_game(game).name, code)
    if as_json:
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
        print(json.dumps(rows, indent=1))
        return
    width = max(len(name) for name in found)
    for name, strategy in found.items():
        print(f"{name:<{width}}  {strategy.description}")
    print("\nAny of them can be made less careful: balanced@0.5 adds noise of that scale to every score.")
