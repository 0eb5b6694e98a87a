"""Effect of a change on every faction, from block sums of both arms on the same deals."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from reports.statistics.core.win_rate import ALPHA, Floats, t_quantile


@dataclass(frozen=True)
class Changed:
    """Win rates after a change, and how much the change moved them, with standard errors; shape (factions,).

    Attributes
    ----------
    edge, error
        Edge after the change; NaN for a faction that was not dealt.
    change, change_error
        Win rate after the change minus win rate before, paired by block.
    score
        Mean score after the change minus mean score before.
    blocks
        Number of blocks in which the faction was dealt in either arm.
    """

    edge: Floats
    error: Floats
    change: Floats
    change_error: Floats
    score: Floats
    blocks: Floats

    @property
    def reach(self) -> Floats:
        """Student's t quantile for 95 % intervals."""
        return t_quantile(self.blocks, 1 - ALPHA / 2)


def changed(before: tuple[Floats, Floats, Floats], after: tuple[Floats, Floats, Floats], fair: float) -> Changed:
    """Compare two arms block by block.

    The errors come from residuals of ratios over the same blocks, as in `crossing.edges_at_values` and
    `paired.residual_squares` (Cochran 1977, eq. 6.13). `before` and `after` are wins, seats and scores, each of shape
    (blocks, factions). Blocks that only one arm has are left out.
    """
    blocks = min(len(before[0]), len(after[0]))
    shares, residuals, scores = [], [], []
    for wins, seats, points in (before, after):
        total = seats[:blocks].sum(axis=0)
        with np.errstate(invalid="ignore", divide="ignore"):
            share = wins[:blocks].sum(axis=0) / total
            residuals.append((wins[:blocks] - share * seats[:blocks]) / total)
            scores.append(points[:blocks].sum(axis=0) / total)
        shares.append(share)
    there = ((before[1][:blocks] > 0) | (after[1][:blocks] > 0)).sum(axis=0).astype(np.float64)
    with np.errstate(invalid="ignore", divide="ignore"):
        scale = np.where(there > 1, there / (there - 1), np.nan)
        error = np.sqrt(scale * (residuals[1] ** 2).sum(axis=0))
        change_error = np.sqrt(scale * ((residuals[1] - residuals[0]) ** 2).sum(axis=0))
    return Changed(shares[1] - fair, error, shares[1] - shares[0], change_error, scores[1] - scores[0], there)
