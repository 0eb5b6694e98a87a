"""Runs with several numbers of players: each plays the games it plays alone, and the folder is one run."""

import json
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from sim.errors import UserError
from sim.players.batch import Plan
from sim.runs.config import RunConfig, make_plan, make_plans, read_runs
from sim.runs.replay import replay
from sim.runs.run import play_run
from sim.runs.shards import share_out
from sim.runs.store.manifest import read_manifest
from tests.runs.conftest import parts, set_sizes, table_of

OPTIONS: dict[str, Any] = {"strategies": ["balanced", "random", "greedy"], "seed": 9}
COUNTS = ((2, 34), (5, 33), (3, 33))
"""Numbers of players in the run that tests share, and how many of its games each has."""


@pytest.fixture(scope="module", autouse=True)
def small_parts() -> Iterator[None]:
    """Parts that hold the last games of one number of players and the first of the next."""
    with pytest.MonkeyPatch.context() as patch:
        set_sizes(patch, 40, 15, 20, 15)
        yield


def plans_of(players: list[int], **options: Any) -> tuple[Plan, ...]:
    return make_plans(RunConfig(game="seven_wonders", players=players, **(OPTIONS | options)))


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run with three numbers of players; no test may change it."""
    folder = tmp_path_factory.mktemp("counts") / "run"
    play_run(plans_of([players for players, _ in COUNTS], detail="cards"), 100, folder, jobs=2)
    return folder


def test_each_number_of_players_plays_the_games_it_plays_alone(
    run: Path, plan_of: Callable[..., Plan], tmp_path: Path
) -> None:
    seats, cards = table_of(run), table_of(run, "cards")
    games = blocks = 0
    for players, count in COUNTS:
        folder = tmp_path / str(players)
        play_run(plan_of(players=players, detail="cards", **OPTIONS), count, folder, jobs=1)
        alone = table_of(folder)
        mine = pl.col("game").is_between(games, games + count - 1)
        assert seats.filter(mine).equals(alone.with_columns(pl.col("game") + games, pl.col("block") + blocks))
        assert cards.filter(mine).equals(table_of(folder, "cards").with_columns(pl.col("game") + games))
        games += count
        blocks += alone["block"].n_unique()
    assert seats["game"].n_unique() == games == 100
    assert seats["block"].n_unique() == blocks
    assert seats["block"].is_sorted()


def test_the_manifest_says_which_games_have_how_many_players(run: Path) -> None:
    manifest, seats = read_manifest(run), table_of(run)
    assert manifest["players"] == [2, 5, 3]
    assert manifest["variant"] == "free-city and standard"
    assert (manifest["games"], manifest["blocks"], manifest["block_games"]) == (100, 17 + 7 + 11, round(100 / 35))
    same = {"first_deal": 0, "factions_fixed": False, "seed": None}
    two, five, three = manifest["player_counts"]
    assert two == same | {
        "players": 2, "variant": "free-city", "block_games": 2, "games": 34, "first_game": 0, "blocks": 17,
        "first_block": 0,
    }  # fmt: skip
    assert five == same | {
        "players": 5, "variant": "standard", "block_games": 5, "games": 33, "first_game": 34, "blocks": 7,
        "first_block": 17,
    }  # fmt: skip
    for count in (two, five, three):
        rows = seats.filter(pl.col("players") == count["players"])
        last = count["first_game"] + count["games"] - 1
        assert (rows["game"].min(), rows["game"].max()) == (count["first_game"], last)
        assert (rows["block"].min(), rows["block"].n_unique()) == (count["first_block"], count["blocks"])
        assert rows.height == count["games"] * count["players"]


def test_parts_are_the_same_for_any_number_of_jobs_and_any_shards(run: Path, tmp_path: Path) -> None:
    assert [entry["games"] for entry in read_manifest(run)["shards"]] == [40, 40, 20]
    for number, (jobs, shard) in enumerate([(2, 7), (1, 100)]):
        play_run(plans_of([2, 5, 3], detail="cards"), 100, tmp_path / str(number), jobs=jobs, shard_games=shard)
        assert parts(tmp_path / str(number)) == parts(run)


def test_one_number_in_a_list_is_that_number(plan_of: Callable[..., Plan], tmp_path: Path) -> None:
    play_run(plans_of([3]), 50, tmp_path / "list", jobs=1)
    play_run(plan_of(players=3, **OPTIONS), 50, tmp_path / "number", jobs=1)
    assert parts(tmp_path / "list") == parts(tmp_path / "number")
    manifest = read_manifest(tmp_path / "list")
    assert (manifest["players"], manifest["block_games"], manifest["variant"]) == (3, 3, "standard")
    assert [count["games"] for count in manifest["player_counts"]] == [50]


def test_games_of_every_number_of_players_can_be_told(run: Path) -> None:
    for game in (0, 33, 34, 66, 67, 99):
        rows = table_of(run).filter(pl.col("game") == game)
        assert [line for line in replay(run, game) if line.startswith("Seat ")] == [
            f"Seat {row['seat']}: {row['faction']}, {row['strategy']}" for row in rows.iter_rows(named=True)
        ]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda counts: counts.pop(), "the player counts differ"),
        (lambda counts: counts[1].update(first_game=40), "no entry covers this game"),
        (lambda counts: counts[1].update(players=9), "the player counts differ"),
        (lambda counts: counts[1].update(games="many"), "player_counts"),
        (lambda counts: counts[1].update(first_block=1), "does not end as recorded"),
    ],
)
def test_a_manifest_whose_player_counts_cannot_be_is_refused_by_replay(
    change: Callable[[list[dict[str, Any]]], object], message: str, run: Path, tmp_path: Path
) -> None:
    folder = shutil.copytree(run, tmp_path / "run")
    manifest = read_manifest(folder)
    change(manifest["player_counts"])
    (folder / "run.json").write_text(json.dumps(manifest), "utf-8")
    with pytest.raises(UserError, match=message):
        replay(folder, 34)


def test_games_are_shared_out_evenly_and_the_first_get_the_remainder() -> None:
    plans = plans_of([3, 4, 5])
    assert [group.games for group in share_out(plans, 11)] == [4, 4, 3]
    assert [group.first_game for group in share_out(plans, 11)] == [0, 4, 8]
    assert [group.games for group in share_out(plans, 3)] == [1, 1, 1]
    with pytest.raises(UserError, match="too few games for these numbers of players"):
        share_out(plans, 2)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"players": [3, 8]}, "does not allow this number of players"),
        ({"players": [2, 3], "variant": "standard"}, "does not allow this number of players"),
        ({"players": [3, 4], "assign": "fixed"}, "one strategy for each seat"),
        ({"players": [3, 4], "factions": ["Gizah", "Rhodos", "Babylon"]}, "4 players need 4 factions"),
    ],
)
def test_what_does_not_fit_every_number_of_players_is_refused(options: dict[str, Any], message: str) -> None:
    with pytest.raises(UserError, match=message):
        plans_of(**options)


def test_boards_are_fixed_where_they_fit_the_seats() -> None:
    boards = ["Gizah A", "Rhodos A", "Babylon B", "Olympia A"]
    plans = plans_of([3, 4], assign="fixed", strategies=["balanced"], factions=boards)
    assert [plan.factions_fixed for plan in plans] == [False, True]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[]", "field players: wrong number of entries"),
        ("[3, 3]", "named twice"),
        ("[3, 0]", "players.2: not allowed here"),
        ('["3"]', "players.1: not allowed here"),
        ('"3,4"', "field players: not allowed here"),
    ],
)
def test_a_wrong_list_of_players_in_a_run_file_is_named(text: str, message: str, tmp_path: Path) -> None:
    (tmp_path / "run.toml").write_text(f'game = "seven_wonders"\nplayers = {text}\n')
    with pytest.raises(UserError, match=message):
        read_runs(tmp_path / "run.toml")


def test_a_run_file_may_name_several_numbers_of_players(tmp_path: Path) -> None:
    (tmp_path / "run.toml").write_text('game = "seven_wonders"\nplayers = [3, 5]\n')
    config = read_runs(tmp_path / "run.toml")[""]
    assert [plan.players for plan in make_plans(config)] == [3, 5]
    with pytest.raises(UserError, match="a single number of players is needed here"):
        make_plan(config)
