"""Golden games: whole games told in words, kept in tests/games/<game>/golden/.

A game supplies `tests/games/<game>/golden.py` with

- `GAMES`: by the name of a file, the options of a run and the number of its game that is told;
- `score`: a strategy that plays all seats and brings as much as it can of the rules before the reader's eyes;
- `PLAYER`: its name.
"""

from pathlib import Path

from sim.players.batch import Plan
from tests.kit.plans import folder_of, plan_for, supplied, with_player


def golden_plan(game: str, name: str) -> tuple[Plan, int]:
    """Return the plan of a golden game, and the number of the game."""
    module = supplied(game, "golden")
    options, number = module.GAMES[name]
    return with_player(plan_for(game, assign="fixed", **options), module.PLAYER, module.score), number


def golden_file(game: str, name: str) -> Path:
    """Return where a golden game is kept."""
    return folder_of(game) / "golden" / f"{name}.txt"
