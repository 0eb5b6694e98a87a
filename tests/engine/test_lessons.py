"""Lessons: what options bring beyond their scores, asked of a player who looks ahead and fitted by ridge regression."""

import numpy as np
import pytest

from sim.compiler.kernel import Record
from sim.data.declarations import Search
from sim.diagnostics.lessons.fit import OWN_COLUMNS, SCORE_COLUMNS, ask_options, fit_lessons, plan_to_ask
from sim.players.batch import Plan
from sim.players.find_strategies import load_strategies

RANDOM = np.random.default_rng(8)
DECISIONS = np.repeat(np.arange(400), 4)
SCORES = RANDOM.normal(size=1600)
KEYS = RANDOM.integers(-1, 5, 1600)
OTHER_KEYS = RANDOM.integers(0, 3, 1600)


def brings(weight: float, lesson: float, noise: float) -> np.ndarray:
    """What options bring where key 3 is worth something beyond the score, and every decision has a level of its own."""
    level = RANDOM.normal(size=400)[DECISIONS] * 50
    return level + weight * SCORES + lesson * (KEYS == 3) + RANDOM.normal(size=1600) * noise


def test_what_an_option_brings_beyond_its_score_is_found_in_the_unit_of_the_score() -> None:
    [found] = fit_lessons(DECISIONS, SCORES, brings(0.5, 3.0, 0.01), [KEYS], 1e-6)
    assert sorted(found) == [0, 1, 2, 3, 4], "options with a key below 0 have no lesson"
    others = [points for key, points in found.items() if key != 3]
    assert found[3] - np.mean(others) == pytest.approx(6.0, abs=0.05)


def test_lessons_do_not_grow_where_a_score_is_taken_to_bring_more_than_it_does() -> None:
    wanted = brings(0.0, 3.0, 0.01)
    free, bound = (fit_lessons(DECISIONS, SCORES, wanted, [KEYS], 1e-6, least)[0] for least in (0.1, 1.0))
    assert bound[3] == pytest.approx(free[3] / 10)


def test_a_plan_to_ask_has_the_settings_it_is_told() -> None:
    settings = {"data": "edition-1993"}
    plan = plan_to_ask(
        "history_of_the_world", "balanced", 4, 1, rollouts=2, options=3, decisions=("act",), settings=settings
    )
    assert plan.data.catalog.data_set == "edition-1993"


def test_a_judge_that_teaches_keeps_its_net_and_its_horizons() -> None:
    decisions = ("keep_event", "keep_empire")
    plan = plan_to_ask(
        "history_of_the_world", "balanced", 4, 1, rollouts=2, options=3, decisions=decisions, teacher="judge"
    )
    judge = load_strategies("history_of_the_world", judges=True)["judge"].search
    search = plan.strategies[1].search
    assert judge is not None
    assert isinstance(search, Search)
    assert (search.judge, search.rollouts, search.options, search.decisions) == (judge.judge, 2, 3, list(decisions))
    assert {name: row.horizon for name, row in search.each.items()} == {
        name: row.horizon for name, row in judge.each.items() if row.horizon
    }
    assert all(row.options is None and row.prior is None for row in search.each.values())


def test_a_fit_is_the_ridge_regression_of_what_differs_within_decisions() -> None:
    """The slow way: a column for each decision, and the equations solved as they stand."""
    wanted, ridge = brings(0.7, -2.0, 1.0), 30.0
    own = [(key == KEYS).astype(float) for key in range(5)] + [(key == OTHER_KEYS).astype(float) for key in range(3)]
    levels = (DECISIONS[:, None] == np.arange(400)).astype(float)
    matrix = np.column_stack([SCORES, *own, levels])
    penalty = np.diag([1e-12 + 1.0] + [ridge] * 8 + [0.0] * 400)
    solved = np.linalg.solve(matrix.T @ matrix + penalty, matrix.T @ wanted)
    found = fit_lessons(DECISIONS, SCORES, wanted, [KEYS, OTHER_KEYS], ridge)
    assert [found[0][key] for key in range(5)] == pytest.approx(solved[1:6] / solved[0], abs=1e-4)
    assert [found[1][key] for key in range(3)] == pytest.approx(solved[6:9] / solved[0], abs=1e-4)


def test_a_heavier_penalty_makes_lessons_smaller() -> None:
    wanted = brings(0.5, 3.0, 5.0)
    sizes = [
        np.abs(list(fit_lessons(DECISIONS, SCORES, wanted, [KEYS], ridge)[0].values())).sum() for ridge in (1, 1e4)
    ]
    assert sizes[1] < sizes[0] / 5


def test_no_options_teach_nothing() -> None:
    empty = np.zeros(0)
    assert fit_lessons(np.zeros(0, np.int64), empty, empty, [np.zeros(0, np.int64)], 1.0) == [{}]


# ---- Asking ----


def plan_of() -> Plan:
    """A plan in which a player of Imperial Settlers is asked at actions and cards taken."""
    return plan_to_ask("imperial_settlers", "balanced", 2, 5, rollouts=2, options=3, decisions=("turn", "take"))


def describe(g: Record, me: int) -> tuple[float, ...]:
    """Round and seat."""
    return int(g.rounds), me


def test_every_option_that_was_played_on_has_a_row() -> None:
    rows = ask_options(plan_of(), 1, 0.1, describe, ("option_kind", "option_card"))
    assert rows.shape[1] == len(OWN_COLUMNS) + 2 + 2 + len(SCORE_COLUMNS)
    _, count = np.unique(rows[:, 1], return_counts=True)
    assert len(count) > 5
    assert set(count) <= {2, 3}
    assert ((rows[:, -1] > 0) & (rows[:, -1] < 1)).all()
    assert set(rows[:, 3]) <= {1, 2, 3, 4, 5}


def test_games_asked_about_by_parts_say_the_same() -> None:
    whole = ask_options(plan_of(), 2, 0.02, describe, ("option_card",))
    parts = [ask_options(plan_of(), 1, 0.02, describe, ("option_card",), first) for first in (0, 1)]
    assert len(whole) > 0
    assert (whole == np.concatenate(parts)).all()


def test_at_no_share_of_the_decisions_nothing_is_asked() -> None:
    assert ask_options(plan_of(), 1, 0.0, describe, ("option_card",)).size == 0
