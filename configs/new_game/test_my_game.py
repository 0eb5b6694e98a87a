"""Tests of My Game; `pytest` in this folder runs them."""

import random
from pathlib import Path
from types import SimpleNamespace

from my_game import MyGame

import empirelab

FILE = Path(__file__).with_name("my_game.py")


def table(players=2):
    """A game that has just been set up."""
    game = MyGame()
    state = SimpleNamespace(players=players, factions=game.data["clan"][:players])
    game.setup(state, random.Random(1))
    return game, state


def test_work_pays_the_wage_and_a_die():
    game, state = table()
    before = state.coins[0]
    game.apply(state, "work", random.Random(1))
    assert 2 <= state.coins[0] - before <= 4
    assert state.seat == 1


def test_a_card_that_is_too_dear_cannot_be_bought():
    game, state = table()
    state.coins[0] = 0
    assert game.options(state) == ["work"]


def test_a_card_that_is_bought_is_paid_and_counts():
    game, state = table()
    state.coins[0] = 20
    card = state.row[0]
    game.apply(state, ("buy", card), random.Random(1))
    assert state.coins[0] == 20 - card.price
    assert game.score(state, 0)[0] == card.points


def test_games_end_after_the_last_round(tmp_path):
    run = empirelab.simulate(str(FILE), games=24, out=tmp_path / "run", jobs=1, progress=False)
    assert set(run.to_pandas()["rounds"]) == {6}
