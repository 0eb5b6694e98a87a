"""Lists games and scripted players."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from sim.commands.completion import complete_games
from sim.commands.console import print_json
from sim.commands.defaults import typed
from sim.commands.options import AsJson, GameName, Options, Quiet, games_option, option, with_options
from sim.errors import UserError

if TYPE_CHECKING:
    from sim.data.declarations import Variant


def games(
    game: Annotated[
        str | None, typer.Argument(metavar="[GAME]", help="Show this game in detail.", autocompletion=complete_games)
    ] = None,
    as_json: AsJson = False,
    quiet: Quiet = False,
) -> None:
    """List the games on one screen, or one of them in detail: variants, factions, strategies, settings.

    Examples
    --------
    empirelab games
    empirelab games imperium
    """
    from sim.data.declarations import GAMES, installed_games, variants_of

    if game is not None:
        show_game(game, as_json)
        return
    listed = {name: variants_of(name) for name in (*GAMES, *installed_games())}
    if as_json:
        print_json([summary_of(name, title, variants) for name, (title, variants) in listed.items()])
        return
    rows = [("GAME", "TITLE", "PLAYERS", "VARIANTS")]
    for name, (title, variants) in listed.items():
        names = [variant.name for variant in variants]
        shown = ", ".join(names) if len(names) <= MAX_VARIANTS else f"{names[0]} and {len(names) - 1} more"
        rows.append((name, title, player_count_range(variants), shown))
    widths = [max(map(len, column)) for column in list(zip(*rows, strict=True))[:3]]
    for *cells, last in rows:
        print("  ".join([*(cell.ljust(width) for cell, width in zip(cells, widths, strict=True)), last]))
    if not quiet:
        print("\nDetails: empirelab games GAME. Play: empirelab simulate GAME --out runs/first")


MAX_VARIANTS = 2
"""Maximum number of variants of a game that the list of all games names."""


def summary_of(name: str, title: str, variants: Sequence[Variant]) -> dict[str, Any]:
    """Return the JSON entry for a game in the list of all games."""
    return {"name": name, "title": title, "variants": [asdict(variant) for variant in variants]}


def player_count_range(variants: Sequence[Variant]) -> str:
    """Return the range of numbers of players in words, such as "3 to 7"."""
    counts = {count for variant in variants for count in variant.players}
    return f"{min(counts)} to {max(counts)}"


def show_game(name: str, as_json: bool) -> None:
    """Print the variants, factions, strategies and settings of a game."""
    from reports.formatting import plural
    from sim.game import load_game
    from sim.players.find_strategies import load_strategies

    game = load_game(name)
    data = game.load({})
    factions, strategies = [faction.name for faction in data.factions], list(load_strategies(name, None, judges=True))
    if as_json:
        print_json(
            summary_of(name, game.title, game.variants)
            | {"default_players": game.default_players, "default_strategies": game.default_strategies}
            | {"factions": factions, "strategies": strategies, "settings": data.settings}
        )
        return
    print(f"{game.title} ({name}), {player_count_range(game.variants)} players, {game.default_players} by default")
    settings = {
        key: str(value).lower() if isinstance(value, bool) else str(value) for key, value in data.settings.items()
    }
    lists = [
        ("Variants (--variant)", {variant.name: variant.description for variant in game.variants}),
        ("Settings (--set NAME=VALUE), with their defaults", settings),
    ]
    for heading, rows in lists:
        if rows:
            width = max(map(len, rows))
            print("\n".join(["", f"{heading}:", *(f"  {key:<{width}}  {value}" for key, value in rows.items())]))
    sets = [("Strategies (--strategies)", strategies)]
    if factions:
        sets.insert(0, (f"{plural(game.faction_title).capitalize()} (--factions)", factions))
    for heading, names in sets:
        print(f"\n{heading}: {len(names)}")
        print(textwrap.fill(", ".join(names), 100, initial_indent="  ", subsequent_indent="  "))


@with_options("code sandbox ladder games players variant settings seed jobs out html as_json quiet")
def strategies(
    options: Options,
    context: typer.Context,
    game: GameName,
    ladder: Annotated[bool, option("Rate all strategies in games in which they meet.", "--ladder")] = False,
    games: Annotated[int | None, games_option("With --ladder: games to play.", usual="the game's own")] = None,
    out: Annotated[
        Path | None,
        option(
            "With --ladder: folder of the run. An unfinished run is resumed, a finished one is read.",
            "--out",
            "-o",
            of="DIR",
        ),
    ] = None,
) -> None:
    """List the scripted players of a game; with --ladder, rate them by playing them against each other.

    Examples
    --------
    empirelab strategies seven_wonders
    empirelab strategies seven_wonders --code docs/examples/my_player.py --json
    empirelab strategies seven_wonders --ladder --games 1200 --out runs/rating

    Notes
    -----
    `--ladder` also rates the noisy players and those who look ahead of the game's ladder. Tables are drawn at random;
    the rating gives each player's strength with an interval, the strongest first. The command says beforehand how
    long it takes.
    """
    if ladder:
        from sim.commands.ladder import rate

        rate(options, game, games, out)
        return
    if needless := typed(context, ("games", "players", "variant", "out", "html")):
        raise UserError("this option needs --ladder", field=needless[0])
    from sim.game import load_game
    from sim.players.find_strategies import load_strategies

    declared = load_game(game)
    found = load_strategies(declared.name, options.code, judges=True)
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
    print(f"\nWeaker: {plain}@0.5 adds noise of that scale to the scores. Stronger: {plain}+32 looks ahead.")
