"""Tails and quantiles of the distributions that tests and intervals use.

The same numbers as `scipy.stats`, from the functions below it. `scipy.stats` takes half a second to import, and checks
its arguments for longer than it computes: a report asks thousands of times. Arguments may be numbers or arrays, which
are broadcast; NaN stays NaN.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import special


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
