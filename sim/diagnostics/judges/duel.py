"""Plays a player with a new judge against a player with an old judge on fresh deals."""

from __future__ import annotations

import math
import tempfile
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from sim.engine.result_rows import BLOCK, RANK, STRATEGY
from sim.engine.script import Strategy
from sim.players.batch import Plan, play
from sim.players.compile_players import players_of
from sim.players.judge_files import Judge, write_judge
from sim.players.search_config import SearchTable, search_of
from sim.runs.shards import in_order

NEW, OLD = 0, 1
SURELY = 1.96
"""Half-width of a 95 % confidence interval in standard errors."""
BLOCKS_AT_A_TIME = 4


@dataclass(frozen=True)
class Duel:
    """The result of a duel: the win rate per seat of a new judge's player against an opponent.

    `win_rate`, its standard error `error`, and `fair`, the rate of equal players, are in percent.
    """

    opponent: str
    win_rate: float
    error: float
    fair: float
    games: int

    @property
    def is_weaker(self) -> bool:
        """Whether the new player is significantly weaker."""
        return self.win_rate + SURELY * self.error < self.fair

    @property
    def is_stronger(self) -> bool:
        """Whether the new player is significantly stronger."""
        return self.win_rate - SURELY * self.error > self.fair

    def __str__(self) -> str:
        """Return the result in one line."""
        shown = f"{self.win_rate:.1f} ± {self.error:.1f} % (fair: {self.fair:.1f} %)"
        return f"wins at tables with {self.opponent}: {shown} in {self.games:,} games on fresh deals"


def judging(base: Strategy, plan: Plan, table: dict[str, object], weights: Path, name: str) -> Strategy:
    """Return the player `base`, renamed `name`, who looks ahead with the judge in the file `weights`.

    `table` holds the other search parameters: the table `[search]` of the player's file, without the judge.
    """
    row = SearchTable.model_validate({**table, "judge": str(weights.resolve())})
    return replace(base, name=name, search=search_of(plan.game, row.rollouts, row, weights))


def duel_of(
    judge: Judge, opponent: Strategy | Judge, plan: Plan, table: dict[str, object], games: int, jobs: int
) -> Duel:
    """Play a duel on the deals of a plan, and return the win rate per seat of the player with `judge`.

    The opponent is a player, or a judge whose player is the opponent. The first strategy of the plan is the base of the
    judges' players. `table` says how these look ahead (`judging`).
    """
    base = plan.strategies[0]
    with tempfile.TemporaryDirectory(prefix="empirelab-judge-") as folder:
        files = [Path(folder) / f"{name}.npz" for name in ("new", "old")]
        write_judge(files[NEW], judge)
        if isinstance(opponent, Judge):
            write_judge(files[OLD], opponent)
            opponent = judging(base, plan, table, files[OLD], "the judge before")
        pair = judging(base, plan, table, files[NEW], "new"), opponent
        plan = replace(plan, strategies=pair, lineup=(NEW, OLD), assign="rotate")
        team = players_of(plan)
        blocks = max(2, math.ceil(games / plan.block_games))
        size = BLOCKS_AT_A_TIME * plan.block_games
        stretches = range(0, blocks * plan.block_games, size)
        pieces = ((plan, team, first, min(size, blocks * plan.block_games - first)) for first in stretches)
        rows = np.concatenate([rows for rows, _ in in_order(play, pieces, jobs)])
    return result_of(rows.reshape(-1, plan.players, rows.shape[1]), opponent.name)


def result_of(table: np.ndarray, opponent: str) -> Duel:
    """Compute the result of a duel from its seat rows, shape (games, players, columns).

    `opponent` is the opponent's name. The standard error follows from the variation between blocks.
    """
    games, players, _ = table.shape
    wins = (table[:, :, RANK] == 1) / (table[:, :, RANK] == 1).sum(axis=1, keepdims=True)
    mine = table[:, :, STRATEGY] == NEW
    block = table[:, 0, BLOCK] - table[0, 0, BLOCK]
    won, seats = np.bincount(block, (wins * mine).sum(axis=1)), np.bincount(block, mine.sum(axis=1))
    rate = won.sum() / seats.sum()
    error = (won - rate * seats).std(ddof=1) / seats.mean() / math.sqrt(len(won))
    return Duel(opponent, 100 * rate, 100 * error, 100 / players, games)
