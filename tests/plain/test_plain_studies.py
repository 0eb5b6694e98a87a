"""The studies of games in plain Python: what the commands do with the five games, they do with these."""

from __future__ import annotations

import importlib
import json
import os
import shlex
import tomllib
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

import empirelab
from reports.studies.parts.parts import parts_of
from reports.studies.players.distilling import distil_strategy
from sim.cli import app
from sim.game import load_game, name_game
from sim.games.plain import loading
from sim.players.batch import play_all
from sim.runs.config import RunConfig, make_plan
from tests.plain.conftest import command, edited

COMMANDS = {
    "ladder": "ladder trade.py --games 12 --jobs 1",
    "ladder ahead": "ladder bids.py --rungs random,matching,matching+2 --games 6 --jobs 1",
    "metagame": "metagame trade.py --strategies saver,spender --games 12 --jobs 1",
    "intervene": "intervene trade.py --card Ore --games 30 --jobs 1",
    "sensitivity": "sensitivity trade.py --games 30 --jobs 1",
    "strategies": "strategies trade.py",
    "bench": "bench trade.py --no-start --whole 0 --runs 1 --seconds 0.1",
}
"""Commands that no other test here runs."""


@pytest.mark.parametrize("name", COMMANDS)
def test_a_command_takes_the_file_of_a_game(trade: Path, name: str) -> None:
    assert command(COMMANDS[name])


def test_a_plan_proposes_a_folder_without_the_ending_of_the_file(trade: Path) -> None:
    proposed = json.loads(command("plan trade.py --pilot 90 --jobs 1 --json"))["next"]["commands"]
    assert proposed[0].startswith("empirelab simulate trade.py --out runs/trade ")


def test_a_run_is_explained_priced_and_reported(trade: Path) -> None:
    run = empirelab.simulate("trade.py", games=60, strategies="saver,spender", detail="goods", progress=False, jobs=1)
    assert run.table("faction").frame["level"].sort().to_list() == ["Brewers", "Miners", "Weavers"]
    assert run.report().section("matchups").title
    assert run.price()
    names = [section.name for section in run.explain("Weavers", pieces=True, games=60, trust=True, progress=False)]
    assert "parts" in " ".join(names)


def test_the_numbers_of_a_faction_are_those_of_its_row_not_those_of_the_goods_that_all_can_buy(trade: Path) -> None:
    game = load_game(name_game("trade.py"))
    places = [place for part in parts_of(game, game.load({}), 0) for place in part.places]
    assert sorted(places) == ["trade.toml#Weavers.coins", "trade.toml#Weavers.wage"]


def test_a_search_leaves_out_a_value_with_which_the_game_does_not_end(trade: Path) -> None:
    endless = "state.turn += 1 if state.factions[me].coins != 4 else 0"
    edited(trade, "state.turn += 1", endless)
    edited(trade, "    score_parts", "    max_steps = 200\n    score_parts")
    told = command("rebalance trade.py --faction Weavers --knob all --games 60 --jobs 1")
    assert "left out: coins 3 to 4" in told
    assert "with trade.toml#Weavers.coins=4 has not ended after 200 moves" in told


def test_a_search_starts_from_changes_and_writes_them_with_its_own(trade: Path) -> None:
    base = ["trade.toml#Miners.wage=2", "trade.toml#Weavers.coins=6"]
    Path("base.toml").write_text(f"changes = {base}", encoding="utf-8")
    knob = "--knob coins --low 5 --high 7 --change @base.toml --patch both.toml"
    told = command(f"rebalance trade.py --faction Weavers --games 60 --jobs 1 {knob}")
    assert "seed 1, on top of @base.toml" in told
    assert "with coins = 6, " in told
    first, second = tomllib.loads(Path("both.toml").read_text(encoding="utf-8"))["changes"]
    assert first == base[0]
    assert second.startswith("trade.toml#Weavers.coins=")


def test_a_sweep_finds_the_number_that_matters(trade: Path) -> None:
    found = empirelab.sweep_values(
        "trade.py", {"trade.toml#Weavers.coins": [0, 8]}, games=60, strategies="saver", progress=False, jobs=1
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
    plan = make_plan(RunConfig(game="trade.py", strategies=["random", "random+8"], players=2))
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


SEARCHES = {
    # the command, and what it says of the time it takes
    "tune": (
        "tune trade.py saver --games 12 --generations 1 --population 4 --fresh 24 --pool spender",
        "this takes about",
    ),
    "distil": (
        "distil trade.py saver --from saver+2 --games 10 --rounds 1 --fresh 24 --pool spender",
        "the test on 24 fresh games then takes about",
    ),
}


@pytest.mark.parametrize("name", SEARCHES)
def test_weights_that_a_search_has_written_are_played(trade: Path, name: str) -> None:
    words, said = SEARCHES[name]
    assert said in command(f"{words} --jobs 1 --name found --out found.toml")
    run = empirelab.simulate("trade.py", games=6, strategies="found,saver", code="found.toml", progress=False, jobs=1)
    assert run.manifest["lineup"] == ["found", "saver"]


def test_a_tuned_file_keeps_the_weights_of_the_file_it_began_with(trade: Path) -> None:
    Path("bot.py").write_text(
        "def bot(game, state, option, *, work=1.0, buy=1.0):\n    return work if option == 'work' else buy\n"
    )
    Path("keen.toml").write_text('name = "keen"\ndescription = "buys"\nbase = "bot.py"\n\n[weights]\nbuy = 7.0\n')
    few = "--games 12 --generations 1 --population 4 --fresh 24 --jobs 1"
    command(f"tune trade.py keen --code keen.toml --weights work {few} --pool spender --name found --out found.toml")
    plan = make_plan(RunConfig(game=name_game("trade.py"), strategies=["found"], code="found.toml"))
    assert plan.strategies[0].weights["buy"] == 7.0


def test_distil_moves_a_weight_that_loses_games(trade: Path) -> None:
    edited(trade, "patience=1.0", "patience=3.5")
    found = distil_strategy(name_game("trade.py"), "saver", "saver+8", weights=["patience"], games=20, share=1.0,
                            fresh=24, pool=["spender"], players=2, progress=False, jobs=1)  # fmt: skip
    assert found.tuned.weights["patience"] < 3.0


def test_a_state_that_cannot_be_stored_is_named(trade: Path) -> None:
    edited(trade, "state.turn, state.seat = 0, 0", "state.turn, state.seat, state.odd = 0, 0, lambda: 0")
    done = CliRunner().invoke(app, SEARCHES["distil"][0].split())
    assert "trade.py:20: a state of the game cannot be stored, which distil needs" in str(done.exception)


def test_a_report_ends_with_commands_that_run(trade: Path) -> None:
    empirelab.simulate("trade.py", games=800, strategies="saver,spender", players=2, settings={"dice": False},
                       out="run", progress=False, jobs=1)  # fmt: skip
    Path("elsewhere").mkdir()
    os.chdir("elsewhere")
    loading.NAMED.clear()
    told = CliRunner().invoke(app, ["report", "../run"], catch_exceptions=False).output
    printed = [" ".join(line.split()) for line in told.splitlines() if line.startswith("  empirelab")]
    assert [words.split()[1] for words in printed] == ["rebalance", "rebalance", "compare"]
    for words in printed:
        assert "../trade.py" in words
        assert "--set dice=false" in words
        command("", *shlex.split(words)[1:], "--games", "40", "--jobs", "1")
        # So few games of a search may find no change.
        Path("fair.toml").write_text('changes = ["trade.toml#Weavers.coins=0"]\n')


def test_a_report_on_a_game_whose_file_is_gone_prints_no_command(trade: Path) -> None:
    empirelab.simulate("trade.py", games=300, strategies="saver", out="run", progress=False, jobs=1)
    trade.unlink()
    loading.NAMED.clear()
    assert "rebalance" not in command("report run")


def test_sensitivity_says_what_to_add_to_a_game_with_nothing_open(bids: Path) -> None:
    done = CliRunner().invoke(app, ["sensitivity", "bids.py"])
    assert str(done.exception).startswith("bids.py, field settings: nothing in Bids is open: add `settings`")


@pytest.mark.sweep
def test_a_cluster_writes_the_same_bytes(trade: Path) -> None:
    pytest.importorskip("distributed")
    command("simulate trade.py --games 900 --out alone --jobs 1")
    command("simulate trade.py --games 900 --out cluster --jobs 1 --cluster local")
    alone, cluster = (Path(out) / "seats" / "part-000000.parquet" for out in ("alone", "cluster"))
    assert alone.read_bytes() == cluster.read_bytes()
