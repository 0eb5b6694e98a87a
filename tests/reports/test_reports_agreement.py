"""Agreement of two sets of estimates: ranks, slopes and spreads are those of the truth, not of the noise."""

import numpy as np
import pytest

from reports.statistics.agreement import fit_people_edges, predicted, spearman, spread_of


def test_the_slope_is_not_pulled_to_zero_by_errors_of_the_simulation() -> None:
    rng = np.random.default_rng(1)
    true = rng.normal(0, 0.1, 60)
    error = np.full(60, 0.1)
    simulated, people = true + rng.normal(0, 0.1, 60), true + rng.normal(0, 0.01, 60)
    plain = float(np.polyfit(simulated, people, 1)[0])
    fitted = fit_people_edges(simulated, error, people, np.full(60, 0.01))
    assert fitted is not None
    assert plain < 0.65
    assert fitted.slope_low < 1 < fitted.slope_high
    assert abs(fitted.slope - 1) < abs(plain - 1) / 2


def test_limits_of_slope_ranks_and_predictions_hold_the_truth() -> None:
    rng = np.random.default_rng(2)
    held = np.zeros(3)
    worlds = 40
    for _ in range(worlds):
        simulated = rng.normal(0, 0.1, 10)
        people = 0.5 * simulated + rng.normal(0, 0.04, 10)
        error, own = np.full(10, 0.01), np.full(10, 0.04)
        fitted = fit_people_edges(
            simulated + error * rng.normal(size=10), error, people + own * rng.normal(size=10), own
        )
        assert fitted is not None
        new = rng.normal(0, 0.1, 1)
        later = 0.5 * new + rng.normal(0, 0.04, 1)
        _, low, high = predicted(new, np.zeros(1), fitted.slope, fitted.slope_error, fitted.rest)
        rank = spearman(simulated, people)
        held += [fitted.slope_low <= 0.5 <= fitted.slope_high, fitted.rank_low <= rank <= fitted.rank_high,
                 low[0] <= later[0] <= high[0]]  # fmt: skip
    assert (held >= 0.88 * worlds).all(), held


def test_few_factions_leave_the_agreement_open() -> None:
    assert fit_people_edges(*(np.array([0.1, 0.0, -0.1]) for _ in range(4))) is None


def test_ranks_of_numbers_that_do_not_vary_are_unknown() -> None:
    assert np.isnan(spearman(np.zeros(3), np.arange(3.0)))
    assert spearman(np.array([1.0, 5.0, 9.0]), np.array([2.0, 3.0, 4.0])) == pytest.approx(1)


def test_the_spread_of_equal_factions_is_none_whatever_the_noise() -> None:
    rng = np.random.default_rng(3)
    errors = np.full(400, 0.05)
    spread, error = spread_of(rng.normal(0, 0.05, 400), errors)
    assert spread < 0.02
    spread, error = spread_of(rng.normal(0, 0.1, 400) + rng.normal(0, 0.05, 400), errors)
    assert spread == pytest.approx(0.1, abs=3 * error + 0.01)
