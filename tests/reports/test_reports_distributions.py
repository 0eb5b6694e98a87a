"""Tails and quantiles of distributions, against `scipy.stats`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from scipy import optimize, stats

from reports.statistics import distributions as own

RNG = np.random.default_rng(1)
Q = np.concatenate([RNG.uniform(0, 1, 500), 10 ** RNG.uniform(-300, -1, 500), [0.0, 0.5, 1.0, np.nan]])
X = np.concatenate([RNG.normal(0, 10, 1000), [-np.inf, 0.0, np.inf, np.nan]])
DF = np.concatenate([RNG.integers(1, 50, 500), 10 ** RNG.uniform(-3, 15, 500), [np.nan, 0.0, -1.0, 2.0]])
A, B = 10 ** RNG.uniform(-2, 6, (2, 500))


@pytest.mark.parametrize(
    ("function", "reference", "arguments"),
    [
        (own.normal_cdf, stats.norm.cdf, (X,)),
        (own.normal_sf, stats.norm.sf, (X,)),
        (own.normal_ppf, stats.norm.ppf, (Q,)),
        (own.normal_pdf, stats.norm.pdf, (X,)),
        (own.normal_isf, stats.norm.isf, (Q,)),
        (own.t_sf, stats.t.sf, (X, DF)),
        (own.t_ppf, stats.t.ppf, (Q, DF)),
        (own.t_ppf, stats.t.ppf, (Q, 7)),
        (own.t_isf, stats.t.isf, (Q, DF)),
        (own.chi2_sf, stats.chi2.sf, (np.abs(X), np.trunc(DF))),
        (own.beta_ppf, stats.beta.ppf, (Q[:500], A, B)),
    ],
)
def test_every_function_returns_the_bits_of_scipy_stats(
    function: Callable[..., Any], reference: Callable[..., Any], arguments: tuple[Any, ...]
) -> None:
    np.testing.assert_array_equal(function(*arguments), reference(*arguments))
    one = [np.ravel(values)[0] for values in arguments]
    assert function(*one) == reference(*one)


@pytest.mark.parametrize("close", [own.EPSILON, 1e-4])
def test_roots_are_those_of_scipy_optimize(close: float) -> None:
    rng = np.random.default_rng(3)
    for power, shift, low, high in zip(
        rng.integers(1, 4, 60), *rng.uniform((-3, -9, 4), (3, -4, 9), (60, 3)).T, strict=True
    ):

        def function(x: float, power: int = 2 * power - 1, shift: float = shift) -> float:
            return float(np.tanh(x - shift) + 0.01 * (x - shift) ** power)

        assert own.find_root(function, low, high, close) == optimize.brentq(function, low, high, rtol=close)
