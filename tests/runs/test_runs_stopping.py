"""Runs that a rule ends: the rule sees the games in order, and the run is the one that asks for so many games."""

import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from sim.engine.result_rows import BLOCK, GAME, SCORE
from sim.errors import UserError
from sim.players.batch import Plan
from sim.runs.config import RunConfig, make_plans
from sim.runs.run import StopRule, play_run
from sim.runs.store.manifest import read_manifest
from tests.runs.conftest import contents

pytestmark = pytest.mark.usefixtures("small_parts")


@pytest.fixture
def plan(plan_of: Callable[..., Plan]) -> Plan:
    return plan_of(players=4, strategies=["balanced", "random", "greedy", "science"], detail="cards", seed=77)


class PointsAreEnough:
    """A toy rule: the first block after which so many points have been made in all."""

    def __init__(self, points: int, block_games: int, players: int = 4) -> None:
        self.points = points
        self.block_rows = block_games * players
        self.block_games = block_games
        self.seen: list[np.ndarray] = []
        self.blocks = 0
        self.made = 0
        self.record: dict[str, Any] = {"rule": f"{points} points"}

    def __call__(self, rows: np.ndarray) -> int | None:
        self.seen.append(rows.copy())
        waiting = np.concatenate(self.seen)[self.blocks * self.block_rows :]
        for block in range(len(waiting) // self.block_rows):
            self.made += int(waiting[block * self.block_rows : (block + 1) * self.block_rows, SCORE].sum())
            self.blocks += 1
            if self.made >= self.points:
                self.record["blocks"] = self.blocks
                return self.blocks * self.block_games
        return None


def test_a_stopped_run_is_the_run_of_so_many_games_however_it_is_played(plan: Plan, tmp_path: Path) -> None:
    found = []
    for number, (jobs, shard) in enumerate([(2, None), (2, 7), (1, 400)]):
        folder, rule = tmp_path / str(number), PointsAreEnough(18_000, 4)
        summary = play_run(plan, 400, folder, jobs=jobs, shard_games=shard, stop_rule=rule)
        found.append((contents(folder), summary.games, summary.rows, summary.mean_scores))
    assert found[1] == found[2] == found[0]
    stopped = read_manifest(tmp_path / "0")
    games = stopped["games"]
    assert stopped["stopped"] == {"at_most": 400, "early": True, "rule": "18000 points", "blocks": games // 4}
    assert 60 < games < 200
    assert games % 4 == 0
    whole = play_run(plan, games, tmp_path / "whole", jobs=1)
    assert contents(tmp_path / "0", "stopped") == contents(tmp_path / "whole", "stopped")
    assert read_manifest(tmp_path / "whole")["stopped"] is None
    assert found[0][1:] == (games, games * 4, whole.mean_scores)


def test_a_rule_that_never_has_enough_sees_all_games_once_and_in_order(plan: Plan, tmp_path: Path) -> None:
    rule = PointsAreEnough(10**9, 4)
    play_run(plan, 101, tmp_path / "ruled", jobs=2, shard_games=7, stop_rule=rule)
    rows = np.concatenate(rule.seen)
    assert rows[:, GAME].tolist() == [game for game in range(101) for _ in range(4)]
    assert rows[:, BLOCK].tolist() == [game // 4 for game in range(101) for _ in range(4)]
    assert rows.dtype == np.int32
    play_run(plan, 101, tmp_path / "whole", jobs=1)
    assert contents(tmp_path / "ruled", "stopped") == contents(tmp_path / "whole", "stopped")
    assert read_manifest(tmp_path / "ruled")["stopped"] == {"at_most": 101, "early": False, "rule": "1000000000 points"}


def test_a_rule_may_be_any_function(plan: Plan, tmp_path: Path) -> None:
    play_run(plan, 400, tmp_path / "run", jobs=1, stop_rule=lambda rows: 8)
    manifest = read_manifest(tmp_path / "run")
    assert (manifest["games"], manifest["blocks"]) == (8, 2)
    assert manifest["stopped"] == {"at_most": 400, "early": True}


@pytest.mark.parametrize("games", [0, 4, 7, 19, 44, -4])
def test_a_rule_that_depends_on_how_the_games_are_split_is_found_out(games: int, plan: Plan, tmp_path: Path) -> None:
    def second_call(games: int) -> StopRule:
        calls: list[int] = []
        return lambda rows: None if calls.append(len(rows)) or len(calls) < 2 else games

    # The second call completes games 20 to 39.
    with pytest.raises(ValueError, match="whole blocks of 4 games"):
        play_run(plan, 100, tmp_path / "run", jobs=1, stop_rule=second_call(games))
    assert not list(tmp_path.iterdir())
    play_run(plan, 100, tmp_path / "run", jobs=1, stop_rule=second_call(24))


def test_a_stopped_run_leaves_no_workers_behind(plan: Plan, tmp_path: Path) -> None:
    before = threading.active_count()
    play_run(plan, 100_000, tmp_path / "run", jobs=2, stop_rule=PointsAreEnough(18_000, 4))
    # They end with the shard they are at.
    patience = time.monotonic() + 20
    while threading.active_count() > before and time.monotonic() < patience:
        time.sleep(0.01)
    assert threading.active_count() <= before


def test_a_rule_is_for_one_number_of_players(tmp_path: Path) -> None:
    plans = make_plans(RunConfig(game="seven_wonders", players=[3, 4], strategies=["random"]))
    with pytest.raises(UserError, match="one number of players"):
        play_run(plans, 100, tmp_path / "run", jobs=1, stop_rule=lambda rows: None)
    assert not list(tmp_path.iterdir())
