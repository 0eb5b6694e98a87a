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
    positions = tool_of(played, "inspect", "positions")
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

    records = tool_of(load_game(game), "verify", "records")
    results = records.verify_file(file, read_settings(settings))
    print("\n".join(records.summary_lines(results)))
    if any(result.differences for result in results):
        raise typer.Exit(1)


def tool_of(game: Any, command: str, reads: str) -> Any:
    """Module with which a game declares to answer a command that reads positions or records.

    Raises
    ------
    UserError
        The game declares none.
    """
    from importlib import import_module

    if command not in game.tools:
        raise UserError(f"{game.title} has no {reads} to read yet")
    return import_module(game.tools[command])
