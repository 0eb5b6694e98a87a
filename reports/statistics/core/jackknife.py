"""The jackknife over blocks: errors of any statistic, from leaving out groups of whole blocks in turn.

Blocks are independent; games are not. So each group holds whole blocks. The statistic is recomputed once for each
group, without that group. Its limits use Student's t with one degree of freedom less than there are groups (Efron and
Tibshirani 1993, ch. 11; Shao and Tu 1995, ch. 2: grouped jackknife).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from reports.statistics.core.win_rate import ALPHA, Floats
from reports.statistics.distributions import t_ppf

MIN_BLOCKS = 20
"""With fewer blocks than this, errors are unreliable and nothing is claimed."""


@dataclass(frozen=True)
class Jackknifed:
    """Statistics with their errors.

    Attributes
    ----------
    value
        Estimates corrected for first-order bias: with G groups, G estimate - (G - 1) mean of the estimates with a group
        left out; shape (values,).
    error
        Standard errors of the estimates.
    groups
        Number of groups, G.
    """

    value: Floats
    error: Floats
    groups: int

    def reach(self, rate: float = ALPHA) -> Floats:
        """Return half the widths of intervals that miss the truth at this rate; NaN for one group."""
        return t_reach(self.groups, 1 - rate / 2) * self.error


def jackknife(estimate: Floats, others: Floats) -> Jackknifed:
    """Return statistics with their errors, from the estimate over all blocks and the estimates without each group.

    Parameters
    ----------
    estimate
        Estimate from all blocks, shape (values,).
    others
        Estimates that each leave out one group of blocks, shape (groups, values).
    """
    groups = len(others)
    mean = others.mean(axis=0)
    error = np.sqrt((groups - 1) / groups * ((others - mean) ** 2).sum(axis=0))
    return Jackknifed(groups * estimate - (groups - 1) * mean, error, groups)


def t_reach(groups: int, probability: float) -> float:
    """Return the quantile of Student's t for a statistic with this many groups; NaN for one group."""
    return float(t_ppf(probability, groups - 1)) if groups > 1 else np.nan


def block_groups(blocks: NDArray[Any], most: int, together: int = 1) -> tuple[NDArray[np.int64], int]:
    """Return the group of each row, given its block, and the number of groups. No group is empty.

    Parameters
    ----------
    most
        Maximum number of groups.
    together
        Number of neighbouring blocks that stay together, such as 2 if a model is fitted to even blocks and judges odd
        blocks.
    """
    names, place = np.unique(blocks, return_inverse=True)
    units = -(-len(names) // together)
    groups = max(min(most, units), 1)
    return (place // together % groups).astype(np.int64), groups
