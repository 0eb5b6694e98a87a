"""Tuning: what is searched, that it finds what is there to be found, and that fresh deals have the last word."""

import tomllib
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from reports.studies.players.tuning import (
    CANDIDATE,
    ORIGINAL,
    Arena,
    Difference,
    Tuning,
    as_toml,
    mean_interval,
    point_weights,
    record_of,
    search_weights,
    tables_against,
    tunable,
    tuning_lines,
    tuning_seconds,
)
from sim.engine.result_rows import RANK, STRATEGY
from sim.engine.script import Script, Strategy
from sim.errors import UserError
from sim.players.batch import Plan, play
from sim.players.compile_players import players_of
from sim.players.find_strategies import load_strategies
from tests.reports.conftest import Kept


@pytest.fixture(scope="module")
def tuning_plan(plan_of: Callable[..., Plan]) -> Callable[..., Plan]:
    """A plan whose candidate is named "new": `tuning_plan("military", "civil", players=4)`."""

    def plan(original: str, *pool: str, **options: object) -> Plan:
        made = plan_of(strategies=[original, *pool], **options)
        return replace(made, strategies=(replace(made.strategies[0], name="new"), *made.strategies), lineup=(0,))

    return plan


@pytest.mark.parametrize("players", range(2, 8))
@pytest.mark.parametrize("pool", [1, 2, 5, 9])
def test_the_candidate_sits_at_every_table_and_meets_everybody(players: int, pool: int) -> None:
    tables = tables_against(pool, players)
    assert all(len(table) == players and CANDIDATE in table for table in tables)
    assert {seat for table in tables for seat in table} == {CANDIDATE, *range(ORIGINAL, ORIGINAL + pool)}
    halves = [table for table in tables if table.count(CANDIDATE) > 1]
    assert len(halves) == (pool if players >= 4 else 0)


def test_weights_move_by_factors_and_keep_their_sign() -> None:
    strategy = Strategy(
        "a", Script("s", lambda: 0.0, ("up", "down", "still"), ""), {"up": 2.0, "down": -3.0, "still": 1}
    )
    moved = point_weights(strategy, ["up", "down"], np.log([2.0, 0.5]))
    assert moved == pytest.approx({"up": 4.0, "down": -1.5, "still": 1.0})
    assert point_weights(strategy, ["up", "down"], np.zeros(2)) == strategy.weights


def test_weights_to_vary_are_all_but_zeros_or_those_named() -> None:
    balanced = load_strategies("seven_wonders")["balanced"]
    assert set(tunable(balanced, None)) == {name for name, value in balanced.weights.items() if value}
    assert tunable(balanced, ["military", "blue", "military"]) == ("military", "blue")
    with pytest.raises(UserError, match="is 0; weights are varied by factors, so it would stay 0"):
        tunable(balanced, ["deny_left"])
    idle = replace(balanced, weights=dict.fromkeys(balanced.weights, 0.0))
    with pytest.raises(UserError, match="all weights of balanced are 0"):
        tunable(idle, None)


def test_the_edge_of_a_block_is_wins_less_fair_share_per_seat(tuning_plan: Callable[..., Plan]) -> None:
    plan = tuning_plan("military", "civil", players=3)
    arena = Arena(plan, [(0, 0, 2)])
    edges = arena.edges(plan.strategies[ORIGINAL], 30, 60)
    rows, _ = play(replace(plan, lineup=(0, 0, 2)), players_of(plan), 30, 60)
    expected = []
    for block in range(20):
        won = seats = 0.0
        for game in rows[9 * block : 9 * block + 9].reshape(3, 3, -1):
            winners = (game[:, RANK] == 1).sum()
            won += sum(1 / winners for row in game if row[RANK] == 1 and row[STRATEGY] == CANDIDATE)
            seats += (game[:, STRATEGY] == CANDIDATE).sum()
        expected.append(won / seats - 1 / 3)
    assert edges == pytest.approx(expected)


def test_a_candidate_equal_to_the_original_has_no_edge_in_a_duel(tuning_plan: Callable[..., Plan]) -> None:
    plan = tuning_plan("civil", players=4)
    arena = Arena(plan, [(CANDIDATE, CANDIDATE, ORIGINAL, ORIGINAL)])
    found = mean_interval(arena.edges(plan.strategies[ORIGINAL], 0, 1200), 1200)
    assert found.low < 0 < found.high


def spoilt(plan: Plan) -> Plan:
    """The plan with an original that pays far too much for military."""
    bad = replace(plan.strategies[ORIGINAL], weights={**plan.strategies[ORIGINAL].weights, "military": 40.0})
    return replace(plan, strategies=(replace(bad, name="new"), bad, *plan.strategies[2:]))


def small_search(plan: Plan, *names: str, jobs: int = 1, games: int = 120, generations: int = 4,
                 population: int = 6, fresh: int = 1200) -> Tuning:  # fmt: skip
    return search_weights(
        plan, names=names, name="new", games=games, generations=generations, population=population,
        fresh_games=fresh, seed=1, jobs=jobs,
    )  # fmt: skip


@pytest.fixture(scope="module")
def mended(tuning_plan: Callable[..., Plan]) -> Tuning:
    return small_search(spoilt(tuning_plan("balanced", "civil", players=4)), "military")


@pytest.mark.usefixtures("compiled_only")
def test_a_spoilt_weight_is_found_and_mended(mended: Tuning) -> None:
    assert mended.improved
    assert mended.tuned.weights["military"] < 20
    assert mended.gain.edge > 0.05
    assert mended.duel.low > 0
    others = {name for name in mended.tuned.weights if name != "military"}
    assert all(mended.tuned.weights[name] == mended.original.weights[name] for name in others)


def test_neither_search_nor_choice_has_seen_the_deals_of_the_test(
    tuning_plan: Callable[..., Plan], monkeypatch: pytest.MonkeyPatch
) -> None:
    played: list[tuple[int, int]] = []

    def no_games(self: Arena, strategy: Strategy, first: int, games: int) -> np.ndarray:
        played.append((first, first + games))
        return np.zeros(len(self.tables) * games // self.plan.block_games)

    monkeypatch.setattr(Arena, "edges", no_games)
    plan = tuning_plan("military", "civil")
    small_search(plan, "military", "blue", games=48, generations=3, population=4, fresh=4800)
    seen, fresh = played[:12], played[12:]
    assert len(fresh) == 3
    assert len(set(seen)) == 3  # the candidates of a generation share their deals, generations do not
    assert max(end for _, end in seen) <= min(first for first, _ in fresh)


@pytest.mark.usefixtures("compiled_only")
def test_the_search_is_the_same_for_any_number_of_workers(mended: Tuning, tuning_plan: Callable[..., Plan]) -> None:
    again = small_search(spoilt(tuning_plan("balanced", "civil", players=4)), "military", jobs=2)
    assert again.tuned.weights == mended.tuned.weights
    assert (again.history == mended.history).all()
    assert again.gain == mended.gain


@pytest.mark.usefixtures("compiled_only")
def test_the_file_is_a_strategy_with_its_record(
    mended: Tuning, tuning_plan: Callable[..., Plan], tmp_path: Path
) -> None:
    plan = tuning_plan("balanced", "civil", players=4)
    path = tmp_path / "new.toml"
    path.write_text(as_toml(mended, record_of(mended, plan, {"command": "empirelab tune ..."})), encoding="utf-8")
    loaded = load_strategies("seven_wonders", path)["new"]
    assert loaded.weights["military"] == mended.tuned.weights["military"]
    assert loaded.source == str(path)
    record = tomllib.loads(path.read_text(encoding="utf-8"))["record"]
    assert record["pool"] == ["balanced", "civil"]
    assert record["gain_low"] < record["gain"] < record["gain_high"]
    assert record["fresh_games"] >= 1200
    met = tuning_plan("new", "civil", code=str(path)).strategies[ORIGINAL:]
    assert [strategy.name for strategy in met] == ["new", "civil"]


def test_the_verdict_says_as_kept_where_the_new_strategy_does_not_beat_the_old(kept: Kept) -> None:
    civil = load_strategies("seven_wonders")["civil"]
    varied = next(name for name, value in civil.weights.items() if value)
    tuned = replace(civil, name="mine", weights=civil.weights | {varied: 2 * civil.weights[varied]})
    gain, worlds = Difference(0.02, 0.01, 0.03, 100), {}
    for low, high in ((0.01, 0.02), (-0.01, 0.02), (-0.02, -0.01)):
        duel = Difference((low + high) / 2, low, high, 100)
        worlds[f"{low} to {high}"] = tuning_lines(Tuning(civil, tuned, 0.0, 0.02, gain, duel, np.zeros((1, 2))))
    kept("tuning", worlds)


def test_the_forecast_of_a_search_counts_all_games_that_are_played(tuning_plan: Callable[..., Plan]) -> None:
    plan, names = tuning_plan("military", "civil"), ["military", "blue"]
    # A game takes 1,000 seconds, beside which preparing a player takes no time.
    seconds = tuning_seconds(plan, names, 240, 2, 4, 480, 1, lambda plan: 1000.0)
    found = small_search(plan, *names, games=240, generations=2, population=4, fresh=480)
    tested = 2 * found.gain.games + found.duel.games
    assert seconds / 1000 == pytest.approx(2 * 4 * 240 + tested, rel=0.1)
