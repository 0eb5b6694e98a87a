"""The studies of games in plain Python: what the commands do with the five games, they do with these."""

from __future__ import annotations

import importlib
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

import empirelab
from sim.cli import app
from sim.players.batch import play_all
from sim.runs.config import RunConfig, make_plan

COMMANDS = {
    "compare": "compare trade.py --change trade.toml#Weavers.coins=0 --games 60",
    "ladder": "ladder trade.py --games 30",
    "ladder ahead": "ladder bids.py --rungs random,matching,matching+2 --games 12",
    "metagame": "metagame trade.py --strategies saver,spender --games 30",
    "plan": "plan trade.py --pilot 90",
    "rebalance": "rebalance trade.py --faction Weavers --knob coins --games 60",
    "rebalance all": "rebalance trade.py --faction Weavers --knob all --games 60",
    "intervene": "intervene trade.py --card Ore --games 60",
    "strategies": "strategies trade.py",
    "soak": "soak bids.py --trial 0 --games 6",
    "bench": "bench trade.py --no-start --whole 0 --runs 1 --seconds 0.1",
}


@pytest.mark.parametrize("name", COMMANDS)
def test_a_command_takes_the_file_of_a_game(trade: Path, name: str) -> None:
    jobs = [] if name in ("strategies", "soak", "bench") else ["--jobs", "1"]
    done = CliRunner().invoke(app, [*COMMANDS[name].split(), *jobs], catch_exceptions=False)
    assert done.exit_code == 0, done.output
    assert done.output


def test_a_run_is_explained_priced_and_reported(trade: Path) -> None:
    run = empirelab.simulate("trade.py", games=120, strategies="saver,spender", detail="goods", progress=False, jobs=1)
    assert run.table("faction").frame["level"].sort().to_list() == ["Brewers", "Miners", "Weavers"]
    assert run.report().section("matchups").title
    assert run.price()
    names = [section.name for section in run.explain("Weavers", pieces=True, games=60, trust=True, progress=False)]
    assert "parts" in " ".join(names)


def test_a_sweep_finds_the_number_that_matters(trade: Path) -> None:
    found = empirelab.sweep_values(
        "trade.py", {"trade.toml#Weavers.coins": [0, 8]}, games=120, strategies="saver", progress=False, jobs=1
    )
    assert "Weavers" in repr(found)


def test_weights_of_a_player_are_changed_by_their_names(trade: Path) -> None:
    usual, keen = (
        play_all(make_plan(RunConfig(game="trade.py", strategies=["saver"], changes=changes)), None, 0, 12)[0]
        for changes in ([], ["saver.toml#weights.patience=9"])
    )
    assert keen[:, 9].sum() == 0 < usual[:, 9].sum()


def test_a_player_of_another_file_plays(trade: Path) -> None:
    Path("bot.py").write_text("def worker(game, view, options):\n    return options[0]\n")
    run = empirelab.simulate("trade.py", games=9, strategies="worker,saver", code="bot.py", progress=False, jobs=1)
    assert run.manifest["lineup"] == ["worker", "saver"]


def test_looking_ahead_wins_more(trade: Path) -> None:
    plan = make_plan(RunConfig(game="trade.py", strategies=["random", "random+16"], players=2))
    rows, *_ = play_all(plan, None, 0, 40)
    wins = rows[rows[:, 6] == 1]
    assert (wins[:, 4] == 1).sum() > 1.5 * (wins[:, 4] == 0).sum()


def test_an_environment_plays_as_a_run_does(trade: Path) -> None:
    pytest.importorskip("pettingzoo")
    environment = importlib.import_module("sim.runs.pettingzoo_env").environment
    plan = make_plan(RunConfig(game="trade.py", strategies=["spender"]))
    rows, *_ = play_all(plan, None, 3, 1)
    env = environment("trade.py")
    env.reset(seed=plan.seed)
    for _ in range(3):
        env.reset()
    while not all(env.terminations.values()):
        assert env.observe(env.agent_selection)["action_mask"].sum() > 1
        env.step(len(env.infos[env.agent_selection]["options"]) - 1)
    assert np.array_equal(env.scores(), rows[:, 5])
