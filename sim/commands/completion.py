"""Completes names at the shell: games, and the strategies and variants of the game that was typed."""

from __future__ import annotations

from collections.abc import Iterable

import typer


def games_named(incomplete: str) -> list[str]:
    """Games that begin so."""
    from sim.game import GAMES

    return [name for name in GAMES if name.startswith(incomplete)]


def strategies_named(context: typer.Context, incomplete: str) -> list[str]:
    """Line-ups that begin so: the names before the last comma, and strategies of the game for the one behind it."""
    from sim.data.catalog import read_toml
    from sim.players.find_strategies import folder_of_players

    if (game := game_typed(context)) is None:
        return []
    names = [read_toml(path)["name"] for path in sorted(folder_of_players(game).glob("*.toml"))]
    return completed([*names, "all"], incomplete)


def variants_named(context: typer.Context, incomplete: str) -> list[str]:
    """Variants of the game that begin so, behind the last comma."""
    from sim.game import load_game

    game = game_typed(context)
    return [] if game is None else completed([variant.name for variant in load_game(game).variants], incomplete)


def game_typed(context: typer.Context) -> str | None:
    """Return the game that stands on the command line; None where there is none, or none of this name."""
    from sim.game import GAMES

    # While a command is typed its arguments are not yet told from each other.
    typed = [context.params.get("game"), context.params.get("first"), *context.args]
    return next((name for name in typed if name in GAMES), None)


def completed(names: Iterable[str], incomplete: str) -> list[str]:
    """Return the texts that a list with commas may go on to: its last name completed, none named twice."""
    before, comma, last = incomplete.rpartition(",")
    taken = before.split(",")
    return [before + comma + name for name in names if name.startswith(last) and name not in taken]
