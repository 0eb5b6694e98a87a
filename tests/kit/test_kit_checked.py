"""In a checked run a strategy that writes into the game is named; the strategies of the project write nothing."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from sim import simulate
from sim.errors import UserError
from sim.players.batch import Plan, play
from sim.players.compile_players import players_of
from sim.players.find_strategies import load_strategies
from tests.kit.plans import KIT_GAMES, plan_for, tables_of, with_player


def writes_rounds(g: Any, t: Any, me: int, decision: int, option: int, w: Any) -> float:
    """Write a field after a few decisions."""
    if g.decisions > 10:
        g.rounds = 77
    return 0.0


def writes_scores(g: Any, t: Any, me: int, decision: int, option: int, w: Any) -> float:
    """Write an entry of an array."""
    g.score[me, 0] = 1000
    return 0.0


def opens_the_log(g: Any, t: Any, me: int, decision: int, option: int, w: Any) -> float:
    """Write a field inside the record of the log."""
    g.log.keeps_rows = 1
    return 0.0


def writes_tables(g: Any, t: Any, me: int, decision: int, option: int, w: Any) -> float:
    """Write a field of 7 Wonders' tables."""
    t.discard_coins = 50
    return 0.0


def writes_weights(g: Any, t: Any, me: int, decision: int, option: int, w: Any) -> float:
    """Remember something from one game to the next."""
    w.prepared[7] = g.decisions
    return 0.0


def writes_temperature(g: Any, t: Any, me: int, decision: int, option: int, w: Any) -> float:
    """Become less careful."""
    w.temperature = 3.0
    return 0.0


def takes_notes(g: Any, t: Any, me: int, decision: int, option: int, w: Any) -> float:
    """Write what may be written."""
    g.notes[0] = option
    return 0.0


def play_checked(plan: Plan, count: int = 2) -> np.ndarray:
    """Play the first games of a plan with its strategies checked; return the seat rows."""
    return play(replace(plan, checked=True), players_of(plan), 0, count)[0]


@pytest.mark.parametrize("game", KIT_GAMES)
def test_no_strategy_of_the_project_writes_into_a_game(game: str, scaled: Callable[..., int]) -> None:
    names, count = list(load_strategies(game)), scaled(4, 1, full_count=100)
    tables = tables_of(game)
    for _, variant, players in tables if count > 4 else (tables[0], tables[-1]):
        plan = plan_for(game, variant, players, strategies=names, seed=9)
        assert np.array_equal(play_checked(plan, count), play(plan, players_of(plan), 0, count)[0])


@pytest.mark.parametrize(
    ("score", "written"),
    [
        (writes_rounds, "g.rounds from "),
        (writes_scores, "g.score["),
        (opens_the_log, "g.log.keeps_rows from 0 to 1"),
        (writes_tables, "t.discard_coins from 3 to 50"),
        (writes_weights, "w.prepared[7] from 0.0 to "),
        (writes_temperature, "w.temperature from 0.0 to 3.0"),
    ],
    ids=lambda value: getattr(value, "__name__", None),
)
def test_a_strategy_that_writes_is_named_with_the_field_it_wrote(score: Any, written: str) -> None:
    plan = with_player(plan_for("seven_wonders"), "cheat", score)
    with pytest.raises(UserError) as error:
        play_checked(plan)
    assert "strategy cheat writes into the game: " + written in str(error.value)
    assert "to write g.notes only" in str(error.value)
    assert plan.data.tables.discard_coins == 3, "a strategy has changed the tables of the next run"


def test_of_several_strategies_the_one_that_writes_is_named() -> None:
    honest = plan_for("seven_wonders", strategies=["random", "greedy"])
    cheat = with_player(honest, "cheat", writes_rounds).strategies[0]
    plan = replace(honest, strategies=(*honest.strategies, cheat), lineup=(0, 1, 2))
    with pytest.raises(UserError, match=r"^field score: strategy cheat writes into the game"):
        play_checked(plan)


@pytest.mark.parametrize("game", KIT_GAMES)
def test_notes_may_be_written(game: str) -> None:
    plan = with_player(plan_for(game), "notes", takes_notes)
    assert np.array_equal(play_checked(plan), play(plan, players_of(plan), 0, 2)[0])


def test_a_strategy_of_a_users_file_is_checked_and_leaves_no_run_behind(tmp_path: Path) -> None:
    code = tmp_path / "rich.py"
    code.write_text("def score(g, t, me, decision, option, w):\n    g.coins[me] += 1\n    return 0.0\n")
    options: dict[str, Any] = {"games": 8, "strategies": "rich,random", "code": code, "jobs": 1, "progress": False}
    with pytest.raises(UserError, match=r"rich\.py, field score: strategy rich writes into the game: g\.coins\["):
        simulate("seven_wonders", out=tmp_path / "run", checked=True, **options)
    assert not (tmp_path / "run").exists()
    simulate("seven_wonders", out=tmp_path / "run", **options)
