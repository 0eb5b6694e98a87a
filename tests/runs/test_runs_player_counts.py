"""Runs with several numbers of players: each plays the games it plays alone, and the folder is one run."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from sim.errors import UserError
from sim.players.batch import Plan
from sim.runs import run
from sim.runs.config import RunConfig, make_plan, make_plans, read_runs
from sim.runs.replay import replay
from sim.runs.run import play_run
from sim.runs.shards import share_out
from sim.runs.store.manifest import read_manifest
from tests.runs.conftest import parts

OPTIONS: dict[str, Any] = {"strategies": ["balanced", "random", "greedy"], "seed": 9}


@pytest.fixture(autouse=True)
def small_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    """Parts that hold the last games of one number of players and the first of the next."""
    monkeypatch.setattr(run, "PART_GAMES", 40)
    monkeypatch.setattr(run, "PART_GAMES_OF_PIECES", 15)
    monkeypatch.setattr(run, "SHARD_GAMES", 20)
    monkeypatch.setattr(run, "SHARD_GAMES_WITH_PIECES", 15)


def plans_of(players: list[int], **options: Any) -> tuple[Plan, ...]:
    return make_plans(RunConfig(game="seven_wonders", players=players, **(OPTIONS | options)))


def table(folder: Path, name: str) -> pl.DataFrame:
    return pl.concat([pl.read_parquet(path) for path in sorted((folder / name).glob("*.parquet"))])


def test_each_number_of_players_plays_the_games_it_plays_alone(plan_of: Callable[..., Plan], tmp_path: Path) -> None:
    play_run(plans_of([2, 5, 3], detail="cards"), 100, tmp_path / "all", jobs=2)
    seats, cards = table(tmp_path / "all", "seats"), table(tmp_path / "all", "cards")
    games = blocks = 0
    for players, count in ((2, 34), (5, 33), (3, 33)):
        play_run(plan_of(players=players, detail="cards", **OPTIONS), count, tmp_path / str(players), jobs=1)
        alone = table(tmp_path / str(players), "seats")
        shifted = alone.with_columns(pl.col("game") + games, pl.col("block") + blocks)
        mine = pl.col("game").is_between(games, games + count - 1)
        assert seats.filter(mine).equals(shifted)
        assert cards.filter(mine).equals(
            table(tmp_path / str(players), "cards").with_columns(pl.col("game") + games),
        )
        games += count
        blocks += alone["block"].n_unique()
    assert games == 100
    assert seats["game"].n_unique() == 100
    assert seats["block"].n_unique() == blocks
    assert seats["block"].is_sorted()


def test_the_manifest_says_which_games_have_how_many_players(tmp_path: Path) -> None:
    play_run(plans_of([2, 4]), 61, tmp_path / "run", jobs=1)
    manifest = read_manifest(tmp_path / "run")
    assert manifest["players"] == [2, 4]
    assert manifest["variant"] == "free-city and standard"
    assert (manifest["games"], manifest["blocks"], manifest["block_games"]) == (61, 16 + 8, round(61 / 24))
    assert manifest["player_counts"] == [
        {
            "players": 2, "variant": "free-city", "games": 31, "first_game": 0, "blocks": 16, "first_block": 0,
            "first_deal": 0,
            "block_games": 2, "factions_fixed": False, "seed": None,
        },
        {
            "players": 4, "variant": "standard", "games": 30, "first_game": 31, "blocks": 8, "first_block": 16,
            "first_deal": 0,
            "block_games": 4, "factions_fixed": False, "seed": None,
        },
    ]  # fmt: skip
    seats = table(tmp_path / "run", "seats")
    for count in manifest["player_counts"]:
        rows = seats.filter(pl.col("players") == count["players"])
        last = count["first_game"] + count["games"] - 1
        assert (rows["game"].min(), rows["game"].max()) == (count["first_game"], last)
        assert (rows["block"].min(), rows["block"].n_unique()) == (count["first_block"], count["blocks"])
        assert rows.height == count["games"] * count["players"]


def test_parts_are_the_same_for_any_number_of_jobs_and_any_shards(tmp_path: Path) -> None:
    plans = plans_of([3, 2, 7], detail="cards")
    play_run(plans, 100, tmp_path / "first", jobs=1)
    expected = parts(tmp_path / "first")
    assert [entry["games"] for entry in read_manifest(tmp_path / "first")["shards"]] == [40, 40, 20]
    for number, (jobs, shard) in enumerate([(2, None), (2, 7), (1, 100)]):
        play_run(plans, 100, tmp_path / str(number), jobs=jobs, shard_games=shard)
        assert parts(tmp_path / str(number)) == expected


def test_one_number_in_a_list_is_that_number(plan_of: Callable[..., Plan], tmp_path: Path) -> None:
    plans = plans_of([3])
    play_run(plans, 50, tmp_path / "list", jobs=1)
    play_run(plan_of(players=3, **OPTIONS), 50, tmp_path / "number", jobs=1)
    assert parts(tmp_path / "list") == parts(tmp_path / "number")
    manifest = read_manifest(tmp_path / "list")
    assert (manifest["players"], manifest["block_games"], manifest["variant"]) == (3, 3, "standard")
    assert [count["games"] for count in manifest["player_counts"]] == [50]


def test_games_of_every_number_of_players_can_be_told(tmp_path: Path) -> None:
    play_run(plans_of([2, 3, 4]), 30, tmp_path / "run", jobs=1)
    seats = table(tmp_path / "run", "seats")
    for game in (0, 9, 10, 19, 20, 29):
        told = list(replay(tmp_path / "run", game))
        rows = seats.filter(pl.col("game") == game)
        assert [line for line in told if line.startswith("Seat ")] == [
            f"Seat {row['seat']}: {row['faction']}, {row['strategy']}" for row in rows.iter_rows(named=True)
        ]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda counts: counts.pop(), "the player counts differ"),
        (lambda counts: counts[1].update(first_game=20), "no entry covers this game"),
        (lambda counts: counts[1].update(players=9), "the player counts differ"),
        (lambda counts: counts[1].update(games="many"), "player_counts"),
        (lambda counts: counts[1].update(first_block=1), "does not end as recorded"),
    ],
)
def test_a_manifest_whose_player_counts_cannot_be_is_refused_by_replay(
    change: Callable[[list[dict[str, Any]]], object], message: str, tmp_path: Path
) -> None:
    play_run(plans_of([3, 4]), 30, tmp_path / "run", jobs=1)
    manifest = read_manifest(tmp_path / "run")
    change(manifest["player_counts"])
    (tmp_path / "run" / "run.json").write_text(json.dumps(manifest), "utf-8")
    with pytest.raises(UserError, match=message):
        replay(tmp_path / "run", 15)


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
    plans = plans_of(
        [3, 4], assign="fixed", strategies=["balanced"], factions=["Gizah A", "Rhodos A", "Babylon B", "Olympia A"]
    )
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
        read_runs(tmp_path / "run.toml")[""]


def test_a_run_file_may_name_several_numbers_of_players(tmp_path: Path) -> None:
    (tmp_path / "run.toml").write_text('game = "seven_wonders"\nplayers = [3, 5]\n')
    config = read_runs(tmp_path / "run.toml")[""]
    assert [plan.players for plan in make_plans(config)] == [3, 5]
    with pytest.raises(UserError, match="a single number of players is needed here"):
        make_plan(config)
