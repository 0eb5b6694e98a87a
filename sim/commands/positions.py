"""Scores positions and checks recorded games."""

from __future__ import annotations

import sys
from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Any

import typer

from sim.commands.console import print_json, print_json_line
from sim.commands.options import AsJson, Decks, GameName, Quiet, Settings, game_with, read_settings
from sim.errors import UserError


def inspect(
    game: GameName,
    file: Annotated[
        Path, typer.Argument(metavar="FILE.json", help="A position, or a .jsonl file with one position a line.")
    ],
    settings: Settings = None,
    decks: Decks = None,
    as_json: AsJson = False,
    quiet: Quiet = False,
) -> None:
    """Analyse a position: scores, prices, legal moves, and what each move would change.

    Examples
    --------
    empirelab inspect seven_wonders docs/examples/position.json
    empirelab inspect seven_wonders docs/examples/position.json --json

    Notes
    -----
    A `.jsonl` file is answered line by line. A wrong line has its error in its place, and the exit status is 2.
    """
    from sim.data.json_input import holds_lines
    from sim.games.shared.position_files import inspect_file, inspect_lines_of

    played = game_with(game, decks)
    tool = tool_of(played, "inspect")
    data = played.load(read_settings(settings))
    if not holds_lines(file):
        (result,) = inspect_file(file, data, tool.inspect_position)
        if as_json:
            print_json(result)
        else:
            print("\n".join(tool.inspect_lines(result)))
        return
    wrong = False
    for found in inspect_lines_of(file, data, tool.inspect_position):
        if isinstance(found, UserError):
            wrong = True
            print(f"empirelab: {found}", file=sys.stderr)
            if as_json:
                print_json_line({"error": str(found)})
        elif as_json:
            print_json_line(found)
        else:
            print("\n".join(tool.inspect_lines(found)))
    if wrong:
        raise typer.Exit(2)


def verify(
    game: GameName,
    file: Annotated[Path, typer.Argument(metavar="FILE.jsonl", help="Recorded games, one on each line.")],
    settings: Settings = None,
    as_json: AsJson = False,
    quiet: Quiet = False,
) -> None:
    """Play recorded games through the engine and report every difference; exit status 0 only if there is none.

    Examples
    --------
    empirelab verify seven_wonders tests/games/seven_wonders/data/sample.jsonl
    """
    from sim.game import load_game

    records = tool_of(load_game(game), "verify")
    results = records.verify_file(file, read_settings(settings))
    if as_json:
        print_json([asdict(result) for result in results])
    else:
        print("\n".join(records.summary_lines(results)))
    if any(result.differences for result in results):
        raise typer.Exit(1)


def tool_of(game: Any, command: str) -> Any:
    """Return the module of a game that reads files for a command. Raise UserError if there is none."""
    from importlib import import_module

    if command not in game.tools:
        raise UserError(f"`{command}` does not support {game.title} yet")
    return import_module(game.tools[command])
