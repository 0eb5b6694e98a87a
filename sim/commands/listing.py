"""Lists games and scripted players."""

from __future__ import annotations

from dataclasses import asdict

from sim.commands.shared import AsJson, Code, GameName, Quiet, print_json


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


def strategies(
    game: GameName,
    code: Code = None,
    as_json: AsJson = False,
    quiet: Quiet = False,
) -> None:
    """List the scripted players of a game."""
    from sim.game import load_game
    from sim.runs.loading import load_strategies

    declared = load_game(game)
    found = load_strategies(declared.name, code)
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
        print_json(rows)
        return
    width = max(len(name) for name in found)
    for name, strategy in found.items():
        print(f"{name:<{width}}  {strategy.description}")
    plain = next((name for name in declared.default_strategies if name in found), next(iter(found)))
    print(f"\nAny of them can be made less careful: {plain}@0.5 adds noise of that scale to every score.")
