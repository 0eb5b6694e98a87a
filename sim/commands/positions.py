"""Scores positions and checks recorded games."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated, Any

import typer

from sim.commands.shared import GameName, Settings, read_settings
from sim.errors import UserError


def inspect(
    game: GameName,
    file: Annotated[Path, typer.Argument(metavar="FILE.json", help="A position, or a .jsonl file of positions.")],
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON, one object for each position.")] = False,
    settings: Settings = None,
) -> None:
    """Show what a position holds: scores, prices, what can be done, and what moves would change."""
    from sim.data.positions import inspect_file
    from sim.game import load_game

    played = load_game(game)
    positions = tool_of(played, "positions")
    for result in inspect_file(file, played.load(read_settings(settings)), positions.inspect_position):
        if as_json:
            print(json.dumps(result, ensure_ascii=False))
        else:
            print("\n".join(positions.inspect_lines(result)))


def verify(
    game: GameName,
    file: Annotated[Path, typer.Argument(metavar="FILE.jsonl", help="Recorded games, one a line.")],
    settings: Settings = None,
) -> None:
    """Play recorded games through the engine and report every difference; exit status 0 only if there is none."""
    from sim.game import load_game

    records = tool_of(load_game(game), "records")
    results = records.verify_file(file, read_settings(settings))
    print("\n".join(records.summary_lines(results)))
    if any(result.differences for result in results):
        raise typer.Exit(1)


def tool_of(game: Any, name: str) -> Any:
    """Module of a game that reads positions or records.

    Raises
    ------
    UserError
        The game has no such module.
    """
    from importlib import import_module
    from importlib.util import find_spec

    module = f"sim.games.{game.name}.{name}"
    if find_spec(module) is None:
        raise UserError(f"{game.title} has no {name} to read yet")
    return import_module(module)
