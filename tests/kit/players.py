"""Duels: which scripted player has to beat which.

A game supplies `tests/games/<game>/players.py` with `DUELS`.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from reports.statistics.core.sprt import always_valid_reach
from sim.engine.result_rows import RANK, STRATEGY
from sim.players.batch import Plan
from tests.kit.plans import plan_for, rows_of

FIRST_BLOCKS = 24
"""Blocks after which a duel is looked at for the first time; from then on whenever there are twice as many."""
ALPHA = 0.001
"""Chance that a duel is ever told before its last game although its share is on the other side of `least`."""

EFFECT = 0.1
"""Distance from `least` at which a duel is told soonest."""


@dataclass(frozen=True)
class Duel:
    """Two strategies that share the seats of a table.

    Attributes
    ----------
    stronger, weaker
        Their names.
    players, variant
        The table.
    least
        Share of the wins that the stronger one has to get more than; a fair share is a half.
    games
        How many games tell, unless fewer leave no doubt.
    """

    stronger: str
    weaker: str
    players: int
    least: float
    games: int
    variant: str | None = None

    def __str__(self) -> str:
        """Name of the duel in a list of tests."""
        return f"{self.stronger}-{self.weaker}-{self.players}{self.variant or ''}"


def shares_of_blocks(plan: Plan, first: int, count: int) -> np.ndarray:
    """Share of the wins that goes to the first strategy in each block of these games; shared wins are parted."""
    rows = rows_of(plan, first * plan.block_games, count * plan.block_games)
    best = rows[:, :, RANK] == 1
    won = (best & (rows[:, :, STRATEGY] == 0)).sum(axis=1) / best.sum(axis=1)
    return won.reshape(count, plan.block_games).mean(axis=1)


def is_told(shares: np.ndarray, least: float) -> bool:
    """Tell whether blocks leave no doubt on which side of `least` the share is, by an interval for every look."""
    # An imagined block won whole, as in `paired_estimate`: blocks that are all alike are not sure at once.
    variance = (shares.var(ddof=1) + 1 / len(shares)) / len(shares)
    return bool(abs(shares.mean() - least) > always_valid_reach(variance, EFFECT, ALPHA))


def win_share(game: str, duel: Duel) -> float:
    """Share of the wins that goes to the stronger strategy, as of the first look at which it is told."""
    plan = plan_for(game, duel.variant, duel.players, strategies=[duel.stronger, duel.weaker], seed=3)
    blocks = -(-duel.games // plan.block_games)
    shares = shares_of_blocks(plan, 0, min(FIRST_BLOCKS, blocks))
    while len(shares) < blocks and not is_told(shares, duel.least):
        more = min(len(shares), blocks - len(shares))
        shares = np.concatenate([shares, shares_of_blocks(plan, len(shares), more)])
    return float(shares.mean())
