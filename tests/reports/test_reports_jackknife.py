"""The jackknife over blocks: right errors and limits also for few blocks."""

import numpy as np
import pytest
from scipy import stats

import empirelab
from reports.statistics.core.jackknife import block_groups, jackknife
from reports.studies.course.drama import play_drama
from sim.players.batch import Plan
from sim.runs.config import RunConfig


def test_groups_hold_whole_blocks_and_none_is_empty() -> None:
    blocks = np.repeat([5, 9, 2, 7, 11, 3, 8], 3)
    for most, together, expected in ((20, 1, 7), (3, 1, 3), (20, 2, 4), (2, 2, 2)):
        group, groups = block_groups(blocks, most, together)
        assert groups == expected
        assert sorted(set(group.tolist())) == list(range(groups))
        assert all(len(set(group[blocks == block].tolist())) == 1 for block in blocks)


def test_of_a_mean_it_is_the_usual_interval() -> None:
    values = np.random.default_rng(1).normal(3, 2, (7, 2))
    others = np.array([np.delete(values, number, axis=0).mean(axis=0) for number in range(7)])
    found = jackknife(values.mean(axis=0), others)
    assert found.value == pytest.approx(values.mean(axis=0))
    assert found.error == pytest.approx(values.std(axis=0, ddof=1) / np.sqrt(7))
    assert found.reach(0.1) == pytest.approx(stats.t.ppf(0.95, 6) * found.error)


def test_limits_of_few_groups_hold_as_often_as_promised_and_the_bias_goes() -> None:
    x = np.random.default_rng(2).normal(0, 1, (12, 4000))
    means = (x.sum(axis=0) - x) / 11
    found = jackknife(x.mean(axis=0), means)
    assert (np.abs(found.value) < found.reach()).mean() == pytest.approx(0.95, abs=0.012)
    variances = ((x**2).sum(axis=0) - x**2) / 11 - means**2
    assert jackknife(x.var(axis=0), variances).value.mean() == pytest.approx(1, abs=0.03)
    assert x.var(axis=0).mean() == pytest.approx(11 / 12, abs=0.03)


def test_drama_of_few_deals_is_refused_with_the_games_that_it_takes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Plan, "block_games", 24)
    with pytest.raises(empirelab.UserError, match=r"too few deals.*24 games") as refused:
        play_drama(RunConfig(game="seven_wonders", games=240))
    assert "480 or more" in str(refused.value)
