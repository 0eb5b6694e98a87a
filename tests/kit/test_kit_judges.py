"""Learned judges of every game with features: the kernel against NumPy, and players with the judges that come along."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from sim.compiler.kernel import bind_kernels, kernel
from sim.data.catalog import CONFIGS
from sim.diagnostics.judges.duel import result_of
from sim.diagnostics.judges.fit import (
    RIDGE,
    entropy,
    examples_of,
    first_net,
    fit_net,
    forward,
    gradients,
    roles_of_seats,
)
from sim.diagnostics.judges.self_play import Positions
from sim.engine.result_rows import BLOCK, RANK, STRATEGY
from sim.game import load_game
from sim.players.batch import Plan, play
from sim.players.compile_players import players_of
from sim.players.find_strategies import load_strategies
from sim.players.judge import final_chances, judge_position
from sim.players.judge_files import ROLES, Judge, JudgeRecord, net_numbers, read_judge, write_judge
from sim.players.search_memory import SEARCHED, UNITS
from sim.runs.config import RunConfig, make_plan
from tests.kit.test_kit_features import DESCRIBED, between_rounds, described

SHIPPED = sorted((CONFIGS / "judges").rglob("*.npz"))
OF_GAMES = {file.relative_to(CONFIGS / "judges").parts[0]: file for file in reversed(SHIPPED)}
"""One of the judges that come with each game: the others play with `--full` only."""


def random_judge(names: Sequence[str], phases: int, roles: int, seed: int = 3) -> Judge:
    """A judge with random weights for some features."""
    lot = np.random.default_rng(seed)
    record = JudgeRecord(
        game="any", players=2, variants=[], tables="", base="", games=1, seed=1, lead_scale=4.0, loss=[], least=[]
    )
    rows = lot.normal(0.0, 0.05, (phases, len(names), roles, UNITS)).astype(np.float32)
    biases, ratings = (lot.normal(0.0, 0.3, (phases, UNITS)).astype(np.float32) for _ in range(2))
    return Judge(record, tuple(names), rows, biases, ratings)


def relation(other: int, seat: int, players: int, roles: int) -> int:
    """What one seat is to another, told by a list of who sits where."""
    if roles == 2:
        return int(other != seat)
    around = [(seat + step) % players for step in range(players)]
    place = around.index(other)
    if place == 0:
        return 0
    return 1 if place == players - 1 else 2 if place == 1 else 3


def slow_chances(judge: Judge, seats: Sequence[dict[str, float]], phase: int) -> NDArray[np.float64]:
    """The chances of all seats as the formula says, from the features by name."""
    place = {name: number for number, name in enumerate(judge.features)}
    roles, ratings = judge.rows.shape[2], []
    for seat in range(len(seats)):
        hidden = judge.biases[phase].astype(np.float64)
        for other, features in enumerate(seats):
            role = relation(other, seat, len(seats), roles)
            for name, amount in features.items():
                hidden = hidden + amount * judge.rows[phase, place[name], role].astype(np.float64)
        ratings.append(np.maximum(hidden[:-1], 0.0) @ judge.ratings[phase, :-1] + hidden[-1])
    powers = np.exp(np.array(ratings) - max(ratings))
    return np.asarray(powers / powers.sum())


@pytest.mark.parametrize("game", DESCRIBED)
def test_the_kernel_finds_the_chances_that_the_formula_gives(game: str) -> None:
    features: Any = load_game(game).judge
    own = kernel(bind_kernels(judge_position, describe_seat=features.describe_seat, phase_of=features.phase_of))
    found: Any = np.zeros(1, SEARCHED)[0]
    for number, (plan, names, g) in enumerate(between_rounds(game, 4)):
        if number % 5:
            continue
        judge = random_judge(names, features.phases, ROLES[features.roles])
        own(g, plan.data.tables, net_numbers(judge, names), found)
        seats = []
        for seat in range(plan.players):
            index, value = described(plan, g, seat)
            seats.append({names[feature]: amount for feature, amount in zip(index, value, strict=True)})
        wanted = slow_chances(judge, seats, int(features.phase_of(g, plan.data.tables)))
        assert np.asarray(found.chance[: plan.players]) == pytest.approx(wanted, abs=1e-4)


def test_a_result_is_softened_by_points_and_shared_where_they_did_not_decide() -> None:
    g: Any = load_game("seven_wonders").new_games(1)[0]
    g.players, chance = 4, np.zeros(8)
    g.score[:4, -1] = (30, 41, 38, 12)
    g.rank[:4] = (3, 1, 2, 4)
    final_chances(g, 4.0, chance)
    powers = np.exp(np.array([30, 41, 38, 12]) / 4.0)
    assert chance[:4] == pytest.approx(powers / powers.sum())
    g.rank[:4] = (1, 2, 1, 4)  # the seat with the most points has not won
    final_chances(g, 4.0, chance)
    assert chance[:4].tolist() == [0.5, 0.0, 0.5, 0.0]


def test_weights_are_found_again_by_the_names_of_features(tmp_path: Path) -> None:
    judge = random_judge(["coins", "shields", "never seen"], 2, 4)
    judge.rows[:, 2] = 0.0
    write_judge(tmp_path / "one.npz", judge)
    write_judge(tmp_path / "two.npz", judge)
    assert (tmp_path / "one.npz").read_bytes() == (tmp_path / "two.npz").read_bytes()
    again = read_judge(tmp_path / "one.npz")
    assert again.features == ("coins", "shields")
    other_order = net_numbers(again, ["shields", "new", "coins"])
    rows = other_order[3:][: 3 * 4 * UNITS].reshape(3, 4, UNITS)
    assert rows[0] == pytest.approx(judge.rows[0, 1], abs=1e-3)
    assert not rows[1].any()
    assert rows[2] == pytest.approx(judge.rows[0, 0], abs=1e-3)


def name_of(file: Path) -> str:
    """A judge's place among those that come along."""
    return "-".join(file.relative_to(CONFIGS / "judges").with_suffix("").parts)


def plan_with(file: Path) -> Plan:
    """A plan with the player who looks ahead with a judge, and a random one."""
    game, *_, players = file.relative_to(CONFIGS / "judges").with_suffix("").parts
    judge = str(file.relative_to(CONFIGS)).replace(file.name, "{players}.npz")
    (name,) = (
        one.name for one in load_strategies(game, judges=True).values() if one.search and one.search.judge == judge
    )
    return make_plan(RunConfig(game=game, players=int(players), strategies=[f"{name}+2", "random"], seed=4))


@pytest.mark.parametrize("file", SHIPPED, ids=name_of)
def test_a_judge_that_comes_with_a_game_is_for_its_tables_and_makes_its_player_strong(
    file: Path, pytestconfig: pytest.Config
) -> None:
    plan = plan_with(file)
    players = players_of(plan)
    if file in OF_GAMES.values() or pytestconfig.getoption("full"):
        rows, _ = play(replace(plan, lineup=(0, 1)), players, 0, 2 * plan.players)
        won = rows[rows[:, RANK] == 1]
        assert (won[:, STRATEGY] == 0).mean() > 0.8


# ---- Training ----


def small_positions(count: int = 400, seats: int = 3, features: int = 6, seed: int = 1) -> Positions:
    """Positions in which the seat with more of the first feature wins more."""
    lot = np.random.default_rng(seed)
    filled = lot.integers(1, features, (count, seats)).astype(np.int32)
    chosen = [np.sort(lot.choice(features, many, replace=False)) for many in filled.ravel()]
    amount = lot.integers(1, 4, int(filled.sum())).astype(np.float16)
    index = np.concatenate(chosen).astype(np.uint16)
    first = np.zeros((count * seats,), np.float32)
    starts = np.concatenate([[0], np.cumsum(filled.ravel())])
    for row, (begin, end) in enumerate(pairwise(starts)):
        first[row] = amount[begin:end][index[begin:end] == 0].sum()
    power = np.exp(first.reshape(count, seats))
    chance = (power / power.sum(axis=1, keepdims=True)).astype(np.float32)
    return Positions(
        np.arange(count), np.zeros(count, np.int64), chance, filled, index, amount, np.ones((count, 2), np.int64)
    )


@pytest.mark.parametrize("roles", ROLES.values())
def test_the_gradient_is_that_of_the_loss(roles: int) -> None:
    positions, table = small_positions(12), roles_of_seats(3, roles)
    rows = np.arange(len(positions))
    examples, _ = examples_of(positions, 6, rows)
    inputs = examples.matrix(rows).astype(np.float64)
    net = {name: each.astype(np.float64) for name, each in first_net(np.random.default_rng(2), 6, roles).items()}
    slopes, _ = gradients(net, inputs, table, positions.chance)  # type: ignore[arg-type]
    lot = np.random.default_rng(3)
    for name, weights in net.items():
        for _ in range(10):
            place = tuple(int(lot.integers(size)) for size in weights.shape)
            was, losses = weights[place], []
            for step in (-1e-4, 1e-4):
                weights[place] = was + step
                losses.append(entropy(forward(net, inputs, table)[0], positions.chance))  # type: ignore[arg-type]
            weights[place] = was
            ridge = RIDGE * was if name == "rows" else 0.0
            wanted = 0.0 if name == "ratings" and place[0] == UNITS - 1 else (losses[1] - losses[0]) / 2e-4
            assert slopes[name][place] == pytest.approx(wanted + ridge, abs=1e-5)


def test_a_fit_learns_and_one_that_begins_with_a_net_never_ends_with_a_worse_one() -> None:
    said: list[str] = []
    first = fit_net(small_positions(12_000), 0, 6, 2, 10, 1, said.append)
    assert first.least < first.loss < first.least + 0.1 * (np.log(3) - first.least)
    other = small_positions(300, seed=9)
    again = fit_net(other, 0, 6, 2, 3, 1, said.append, first)
    before = float(next(line for line in said if "before" in line).split()[1])
    assert again.loss <= before + 1e-4
    assert fit_net(other, 1, 6, 2, 3, 1, said.append, first) is first  # no position is of this part of the game


def test_a_duel_counts_wins_per_seat_and_its_error_by_deal() -> None:
    lot = np.random.default_rng(5)
    table = np.zeros((40, 3, max(RANK, STRATEGY, BLOCK) + 1), np.int32)
    for game in range(40):
        table[game, :, BLOCK] = 7 + game // 4
        table[game, :, STRATEGY] = lot.permutation([0, 1, lot.integers(2)])
        table[game, :, RANK] = lot.choice([[1, 2, 3], [1, 1, 3], [3, 2, 1]])
    won, seats = np.zeros(10), np.zeros(10)
    for game in table:
        winners = [row for row in game if row[RANK] == 1]
        won[game[0, BLOCK] - 7] += sum(1 for row in winners if row[STRATEGY] == 0) / len(winners)
        seats[game[0, BLOCK] - 7] += sum(1 for row in game if row[STRATEGY] == 0)
    found = result_of(table, "old")
    rate = won.sum() / seats.sum()
    assert found.win_rate == pytest.approx(100 * rate)
    assert found.error == pytest.approx(100 * np.std(won - rate * seats, ddof=1) / seats.mean() / np.sqrt(10))
    assert (found.games, found.fair) == (40, pytest.approx(100 / 3))
