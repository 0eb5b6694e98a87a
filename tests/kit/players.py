"""Duels: which scripted player has to beat which.

A game supplies `tests/games/<game>/players.py` with `DUELS`.
"""

from __future__ import annotations

from dataclasses import dataclass

from sim.rows import RANK, STRATEGY
from tests.kit.plans import plan_for, rows_of


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
        How many games tell.
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


def win_share(game: str, duel: Duel) -> float:
    """Share of the wins that goes to the stronger strategy; shared wins are parted."""
    plan = plan_for(game, duel.variant, duel.players, strategies=[duel.stronger, duel.weaker], seed=3)
    rows = rows_of(plan, 0, duel.games)
    first = rows[:, :, RANK] == 1
    won = (first & (rows[:, :, STRATEGY] == 0)).sum(axis=1) / first.sum(axis=1)
    return float(won.mean())
