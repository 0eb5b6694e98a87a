"""Shell completion of games, and of strategies and variants of the game that was typed."""

from __future__ import annotations

from collections.abc import Iterable

import typer


def games_named(incomplete: str) -> list[str]:
    """Return the games that begin with the typed text."""
    from sim.game import GAMES

    return [name for name in GAMES if name.startswith(incomplete)]


def strategies_named(context: typer.Context, incomplete: str) -> list[str]:
    """Return line-ups: the names before the last comma, and completions of the one after it."""
    from sim.data.catalog import read_toml
    from sim.players.find_strategies import folder_of_players

    if (game := game_typed(context)) is None:
        return []
    names = [read_toml(path)["name"] for path in sorted(folder_of_players(game).glob("*.toml"))]
    return completed([*names, "all"], incomplete)


def complete_variants(context: typer.Context, incomplete: str) -> list[str]:
    """Return the variants of the game that complete the text after the last comma."""
    from sim.game import load_game

    game = game_typed(context)
    return [] if game is None else completed([variant.name for variant in load_game(game).variants], incomplete)


def game_typed(context: typer.Context) -> str | None:
    """Return the game on the command line; None without a known one."""
    from sim.game import GAMES

    # While a command is being typed, its arguments are not yet assigned to parameters.
    typed = [context.params.get("game"), context.params.get("first"), *context.args]
    return next((name for name in typed if name in GAMES), None)


def completed(names: Iterable[str], incomplete: str) -> list[str]:
    """Return completions of the last name of a list with commas, without names that it already has."""
    before, comma, last = incomplete.rpartition(",")
    taken = before.split(",")
    return [before + comma + name for name in names if name.startswith(last) and name not in taken]
