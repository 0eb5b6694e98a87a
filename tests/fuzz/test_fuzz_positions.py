"""Positions changed at random are refused in words, or told."""

import json
from collections.abc import Callable
from importlib import import_module
from pathlib import Path

import pytest

from sim.game import load_game
from sim.games.shared.position_files import inspect_file
from tests.fuzz.mutations import told, try_broken, try_changed
from tests.kit.plans import KIT_GAMES, supplied

INSPECTED = [name for name in KIT_GAMES if "inspect" in load_game(name).tools]


def inspected(game: str, file: Path) -> None:
    """Inspect a file of positions; what is found is JSON, and is told in words."""
    played = load_game(game)
    tool = import_module(played.tools["inspect"])
    for result in told(lambda: inspect_file(file, played.load({}), tool.inspect_position)) or []:
        assert json.loads(json.dumps(result, allow_nan=False)) is not None
        assert tool.inspect_lines(result)


@pytest.mark.parametrize("game", INSPECTED)
def test_changed_positions_are_refused_in_words_or_told(game: str, tmp_path: Path, scaled: Callable[..., int]) -> None:
    file, example = tmp_path / "position.json", supplied(game, "positions").EXAMPLE
    try_changed(file, example, lambda: inspected(game, file), scaled(15, 10, 10_000))


@pytest.mark.parametrize("game", INSPECTED)
def test_broken_positions_are_refused_in_words_or_told(game: str, tmp_path: Path, scaled: Callable[..., int]) -> None:
    file, line = tmp_path / "position.jsonl", json.dumps(supplied(game, "positions").EXAMPLE).encode("utf-8") + b"\n"
    try_broken(file, 2 * line, lambda: inspected(game, file), scaled(10, 5, 5000))
