"""`empirelab new` writes a game that plays; the examples of the documentation play, too."""

from __future__ import annotations

import os
import random
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from docs.examples.deltas import Deltas
from docs.examples.hex import Hex
from sim.commands.new import new
from sim.diagnostics.soak_plain import check_plain_stretch
from sim.errors import UserError
from sim.runs.config import RunConfig, make_plan
from tests.kit.processes import in_process

ROOT = Path(__file__).resolve().parents[2]
EXAMPLES = ROOT / "docs" / "examples"


@pytest.fixture
def workplace(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty working directory."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_a_new_game_has_its_name_everywhere_and_passes_its_own_tests(workplace: Path) -> None:
    new("river_town", quiet=True)
    text = "".join(path.read_text() for path in workplace.iterdir())
    assert "my_game" not in text.lower().replace(" ", "_")
    assert "class RiverTown(Game)" in text
    assert 'title = "River Town"' in text
    words = ["-m", "pytest", "-q", "-p", "no:cacheprovider", "-c", os.devnull, "--rootdir", "."]
    done = in_process(workplace, *words)
    assert "4 passed" in done.out, done


@pytest.mark.parametrize("there", ["town.py", "town.toml", "test_town.py"])
def test_no_file_is_overwritten(workplace: Path, there: str) -> None:
    (workplace / there).write_text("mine")
    with pytest.raises(UserError, match=rf"{there}: this file exists already"):
        new("town.py")
    assert [(path.name, path.read_text()) for path in workplace.iterdir()] == [(there, "mine")]


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("my game", r"Python module \(found: 'my game'\); allowed: letters"),
        ("7towns", "first a letter"),
        ("class", "that of a Python module"),
        ("random", "exists already, so imports would find the wrong one.*my_random"),
        ("none/town", "none: no such folder"),
    ],
)
def test_a_name_that_no_module_can_have_is_refused(workplace: Path, name: str, said: str) -> None:
    with pytest.raises(UserError, match=said):
        new(name)
    assert list(workplace.iterdir()) == []


@pytest.mark.sweep
@pytest.mark.parametrize("game", ["hex.py", "deltas.py"])
def test_the_examples_are_short_and_stand_all_checks(game: str) -> None:
    assert len((EXAMPLES / game).read_text().splitlines()) < 120
    plan = make_plan(RunConfig(game=str(EXAMPLES / game)))
    fault, moves, looks = check_plain_stretch(plan, 0, 6, np.random.default_rng(1), again=game == "hex.py")
    assert fault == ""
    assert moves > looks > 0


def hex_position(side: int, *, swap: bool) -> tuple[Hex, Any]:
    """An empty board of Hex."""
    game, state = Hex(), SimpleNamespace(settings=SimpleNamespace(swap=swap))
    game.data = {"side": side}
    game.setup(state, None)
    return game, state


def test_hex_ends_when_opposite_sides_are_connected() -> None:
    game, state = hex_position(3, swap=False)
    ended = [game.apply(state, cell, None) for cell in [(0, 1), (0, 2), (1, 1), (1, 2), (2, 0)]]
    assert ended == [False, False, False, False, True]
    assert [game.score(state, seat) for seat in (0, 1)] == [1, 0]


def test_a_swapped_stone_is_mirrored_with_the_sides() -> None:
    game, state = hex_position(3, swap=True)
    game.apply(state, (0, 1), None)
    assert game.options(state)[0] == "swap"
    game.apply(state, "swap", None)
    assert {cell: owner for cell, owner in state.owner.items() if owner is not None} == {(1, 0): 1}
    assert "swap" not in game.options(state)


def test_selling_lowers_the_price_of_grain_and_a_round_raises_it() -> None:
    game = Deltas()
    state = SimpleNamespace(players=2, factions=game.data["nation"][2:])
    game.setup(state, random.Random(1))
    state.grain = [5, 0]
    game.apply(state, ("sell", None), None)
    assert (state.gold[0], state.price) == (1 + 5 * 4 // 2, 3)
    game.apply(state, ("harvest", None), None)
    assert state.price == 4
