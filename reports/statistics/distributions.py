"""Tails and quantiles of the distributions that tests and intervals use; roots of functions.

The values equal those of `scipy.stats`. They come from `scipy.special`, on which `scipy.stats` is built. `scipy.stats`
takes half a second to import, and it spends more time on checking arguments than on computing. A report makes thousands
of calls. Arguments may be numbers or arrays, which are broadcast; NaN stays NaN.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from scipy import special

EPSILON, ABSOLUTE = 4 * np.finfo(float).eps, 2e-12
"""Smallest relative error that `find_root` reaches, and its absolute error."""


def normal_cdf(x: Any) -> Any:
    """Return the probability that a standard normal variable is at most x."""
    return special.ndtr(x)


def normal_sf(x: Any) -> Any:
    """Return the probability that a standard normal variable exceeds x."""
    return special.ndtr(-x)


def normal_pdf(x: Any) -> Any:
    """Return the density of a standard normal variable at x."""
    return np.exp(-(x**2) / 2) / np.sqrt(2 * np.pi)


def normal_ppf(q: Any) -> Any:
    """Return the value that a standard normal variable stays below with probability q."""
    return special.ndtri(q)


def normal_isf(q: Any) -> Any:
    """Return the value that a standard normal variable exceeds with probability q."""
    return -special.ndtri(q)


def t_sf(x: Any, df: Any) -> Any:
    """Return the probability that Student's t with `df` degrees of freedom exceeds x; NaN unless df > 0."""
    return special.stdtr(df, -x)


def t_ppf(q: Any, df: Any) -> Any:
    """Return the value that Student's t stays below with probability q; NaN unless df > 0."""
    # scipy.special has the wrong sign at q = 0.
    return np.where((q == 0) & (df > 0), -np.inf, special.stdtrit(df, q))[()]


def t_isf(q: Any, df: Any) -> Any:
    """Return the value that Student's t exceeds with probability q; NaN unless df > 0."""
    return -t_ppf(q, df)


def chi2_sf(x: Any, df: Any) -> Any:
    """Return the probability that chi-squared exceeds x >= 0; NaN unless df > 0."""
    return np.where(df > 0, special.chdtrc(df, x), np.nan)[()]


def beta_ppf(q: Any, a: Any, b: Any) -> Any:
    """Return the value that a beta variable stays below with probability q."""
    return special.betaincinv(a, b, q)


def find_root(function: Callable[[float], float], low: float, high: float, close: float = EPSILON) -> float:
    """Return a root of a function that has opposite signs at `low` and `high`, by Brent's method.

    The result equals that of `scipy.optimize.brentq`. But to import `scipy.optimize` takes a tenth of a second.

    Parameters
    ----------
    close
        Relative error of the root.
    """
    before, now, opposite = low, high, 0.0
    f_before, f_now, f_opposite = function(low), function(high), 0.0
    last = step = 0.0
    if f_before == 0:
        return low
    while f_now != 0:
        if (f_before < 0) != (f_now < 0):
            opposite, f_opposite = before, f_before
            last = step = now - before
        if abs(f_opposite) < abs(f_now):
            before, now, opposite = now, opposite, now
            f_before, f_now, f_opposite = f_now, f_opposite, f_now
        least = (ABSOLUTE + close * abs(now)) / 2
        half = (opposite - now) / 2
        if f_now == 0 or abs(half) < least:
            break
        tried = np.inf
        if abs(last) > least and abs(f_now) < abs(f_before):
            if before == opposite:
                tried = -f_now * (now - before) / (f_now - f_before)
            else:
                one, two = (f_before - f_now) / (before - now), (f_opposite - f_now) / (opposite - now)
                tried = -f_now * (f_opposite * two - f_before * one) / (two * one * (f_opposite - f_before))
        good = 2 * abs(tried) < min(abs(last), 3 * abs(half) - least)
        last, step = (step, tried) if good else (half, half)
        before, f_before = now, f_now
        now += step if abs(step) > least else least if half > 0 else -least
        f_now = function(now)
    return float(now)
