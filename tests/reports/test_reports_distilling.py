"""Weights fitted to what options are worth: what is kept of decisions, what is given away, and what a fit finds."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from scipy.optimize import check_grad

from reports.studies.players import distilling
from reports.studies.players.distilling import (
    fit_move,
    given_away,
    learn_weights,
    linear_at,
    linear_scores,
    option_chances,
    plan_to_learn,
    typical_lead,
)
from reports.studies.players.tuning import RunOptions, plan_to_tune
from sim.data.catalog import CONFIGS
from sim.players import option_values
from sim.players.batch import Plan
from sim.players.option_values import PLAYER, TEACHER, KeptDecisions, joined_decisions, keep_decisions, scores_again

GAMES = (
    "seven_wonders", "history_of_the_world",
    *(pytest.param(game, marks=pytest.mark.sweep) for game in ("imperium", "imperial_settlers", "glory_of_rome")),
)  # fmt: skip


def plan_of(game: str, teacher: str = "balanced+2", **more: Any) -> Plan:
    return plan_to_learn("balanced", teacher, run_of(game, **more))


def run_of(game: str, players: int | None = None, code: Path | None = None) -> RunOptions:
    """What `tune` and `distil` are asked to play."""
    return RunOptions(game=game, players=players, factions=["all"], variant=None, seed=3, code=code, decks=[])


def made_up(count: int, options: int, weights: int, seed: int = 5) -> tuple[KeptDecisions, np.ndarray, np.ndarray]:
    """Decisions whose options are worth what they score after a move of 0.3 of every weight; scores and slopes."""
    random = np.random.default_rng(seed)
    scores, slopes = random.normal(size=count * options), random.normal(size=(count * options, weights))
    worth = scores + slopes @ np.full(weights, 0.3)
    zeros, counts = np.zeros(count, np.int64), np.full(count, options)
    return KeptDecisions(np.arange(count), zeros, zeros, counts, worth, ()), scores, slopes


# ---- What is given away ----


def test_what_is_given_away_is_the_best_worth_less_that_of_the_option_liked_best() -> None:
    decisions, scores, _ = made_up(30, 4, 2)
    for place, lost in enumerate(given_away(scores, decisions)):
        worth, score = decisions.worth[4 * place : 4 * place + 4], scores[4 * place : 4 * place + 4]
        assert lost == pytest.approx(max(worth) - worth[int(np.argmax(score))])


def test_of_options_liked_alike_each_is_as_likely() -> None:
    one = np.zeros(1, np.int64)
    decisions = KeptDecisions(one, one, one, np.array([3]), np.array([0.2, 0.6, 1.0]), ())
    assert given_away(np.array([1.0, 1.0, -np.inf]), decisions) == pytest.approx([0.6])


def test_chances_of_a_decision_sum_to_1_and_what_is_never_taken_has_none() -> None:
    chances = option_chances(np.array([0.0, 1.0, -np.inf, 5.0, 5.0]), np.array([0, 3]), np.array([3, 2]))
    assert chances == pytest.approx([1 / (1 + np.e), np.e / (1 + np.e), 0.0, 0.5, 0.5])


def test_the_typical_lead_is_that_of_the_option_liked_best_over_the_next() -> None:
    assert typical_lead(np.array([1.0, 4.0, 2.0, 7.0, 3.0]), np.array([0, 3]), np.array([3, 2])) == 3.0


# ---- Fits ----


def test_a_fit_finds_the_weights_by_which_the_worths_were_made() -> None:
    decisions, scores, slopes = made_up(400, 5, 3)
    # The softer the choice, the further the best weights are from those of a choice that is certain: 0.36 at 0.25.
    move = fit_move(linear_at(scores, slopes, decisions, np.full(400, True)), 0.1, 0.0, np.zeros(3))
    assert given_away(scores, decisions).mean() > 0.1
    assert given_away(scores + slopes @ move, decisions).mean() < 0.005
    assert move == pytest.approx([0.3] * 3, abs=0.05)


def test_caution_holds_weights_where_they_are() -> None:
    decisions, scores, slopes = made_up(400, 5, 3)
    used = np.full(400, True)
    known = linear_at(scores, slopes, decisions, used)
    bold, cautious = (fit_move(known, 0.25, caution, np.zeros(3)) for caution in (0.0, 100.0))
    assert np.abs(cautious).max() < 0.01 < np.abs(bold).max()


def test_the_slope_of_what_is_lost_is_that_of_small_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    decisions, scores, slopes = made_up(50, 4, 3)
    asked: list[Any] = []
    monkeypatch.setattr(distilling, "minimize", lambda loss, start, **_: asked.append(loss) or SimpleNamespace(x=start))
    fit_move(linear_at(scores, slopes, decisions, np.arange(50) % 2 == 0), 0.5, 0.01, np.array([0.1, -0.2, 0.0]))
    at = np.array([0.1, 0.2, -0.3])
    assert check_grad(lambda x: asked[0](x)[0], lambda x: asked[0](x)[1], at) < 1e-5


def test_how_long_the_teacher_is_asked_is_said_of_many_games_only(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[tuple[int, int, float]] = []
    monkeypatch.setattr(distilling, "keep_decisions", lambda plan, *stretch: asked.append(stretch))
    monkeypatch.setattr(distilling.time, "perf_counter", iter([10.0, 12.0]).__next__)
    plan = plan_of("seven_wonders")
    assert distilling.time_to_ask(plan, 39, 0.5, 1) == ""
    assert distilling.time_to_ask(plan, 300, 0.5, 2) == ": this will take about 5 min"
    assert asked == [(0, 1, 0.0), (0, 1, 0.5)]


# ---- KeptDecisions of games ----


@pytest.mark.usefixtures("compiled_only")
@pytest.mark.parametrize("game", GAMES)
def test_kept_decisions_score_again_as_the_player_scored_them(game: str, monkeypatch: pytest.MonkeyPatch) -> None:
    priors: list[np.ndarray] = []
    found = option_values.worths_found

    def told(record: Any, w: Any) -> Any:
        """The base's scores of each decision that is kept, in order."""
        worth = found(record, w)
        if worth is not None:
            priors.append(np.array(record.prior[: len(worth)]))
        return worth

    monkeypatch.setattr(option_values, "worths_found", told)
    plan = plan_of(game)
    decisions = keep_decisions(plan, 0, 1, 0.2)
    assert len(decisions) > 5
    again = np.concatenate([scores[0] for _, scores in scores_again(plan, decisions, [plan.strategies[PLAYER]])])
    assert again.tolist() == pytest.approx(np.concatenate(priors).tolist(), nan_ok=False)


@pytest.mark.usefixtures("compiled_only")
def test_decisions_are_the_same_in_any_stretches_of_games() -> None:
    plan = plan_of("seven_wonders")
    whole = keep_decisions(plan, 0, 3, 0.1)
    parts = joined_decisions([keep_decisions(plan, 0, 1, 0.1), keep_decisions(plan, 1, 2, 0.1)])
    for field in ("game", "seat", "decision", "count", "worth"):
        assert getattr(whole, field).tolist() == getattr(parts, field).tolist(), field


@pytest.mark.usefixtures("compiled_only")
def test_asking_the_teacher_changes_nothing_of_the_game() -> None:
    plan = plan_of("seven_wonders")
    often, seldom = (keep_decisions(plan, 0, 2, share) for share in (1.0, 0.1))
    kept = dict(zip(zip(often.game, often.seat, often.progress, strict=True), often.count, strict=True))
    assert len(often) > 5 * len(seldom) / 2 > 0
    for key, count in zip(zip(seldom.game, seldom.seat, seldom.progress, strict=True), seldom.count, strict=True):
        assert kept[key] == count


@pytest.mark.usefixtures("compiled_only")
def test_an_interrupt_while_the_teacher_is_asked_is_told_as_one(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(option_values, "worths_found", interrupted)
    with pytest.raises(KeyboardInterrupt):
        keep_decisions(plan_of("seven_wonders"), 0, 1, 1.0)


@pytest.mark.sweep
@pytest.mark.usefixtures("compiled_only")
def test_a_strategy_of_a_users_own_can_learn_from_itself_looking_ahead() -> None:
    own = CONFIGS.parent / "docs" / "examples" / "my_player.py"
    run = run_of("seven_wonders", code=own)
    assert plan_to_tune("my_player", "pupil", None, run).strategies[0].name == "pupil"
    plan = plan_to_learn("my_player", "my_player+2", run)
    assert len(keep_decisions(plan, 0, 1, 0.1)) > 0


@pytest.mark.usefixtures("compiled_only")
def test_weights_that_were_spoilt_are_mended() -> None:
    plan = plan_of("seven_wonders", "balanced+8", players=3)
    player = plan.strategies[PLAYER]
    spoilt = replace(player, weights={**player.weights, "blue": 0.2 * player.weights["blue"]})
    plan = replace(plan, strategies=(spoilt, plan.strategies[TEACHER]))
    decisions = keep_decisions(plan, 0, 10, 0.5)
    learnt, lesson = learn_weights(plan, decisions, ("blue",), 3)
    assert lesson.given_away_after < lesson.given_away_before
    assert learnt["blue"] > 1.3 * spoilt.weights["blue"]
    assert {name for name in learnt if learnt[name] != spoilt.weights[name]} == {"blue"}


@pytest.mark.usefixtures("compiled_only")
def test_slopes_are_those_of_scores_with_the_weight_changed() -> None:
    plan = plan_of("seven_wonders")
    decisions = keep_decisions(plan, 0, 1, 0.1)
    scores, slopes = linear_scores(plan, decisions, ("blue",), np.zeros(1))
    moved, _ = linear_scores(plan, decisions, ("blue",), np.array([0.01]))
    assert np.abs(slopes).max() > 0
    assert moved == pytest.approx(scores + 0.01 * slopes[:, 0], abs=1e-3)
