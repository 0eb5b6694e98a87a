"""Plays two arms on the same deals until it is sure whether they differ: a sequential probability ratio test.

Blocks are tested in index order, at the block counts of `sequential.look_schedule`; error rates hold however early the
test stops (`reports/statistics/core/sprt.py`).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from reports.formatting import only_one
from reports.statistics.core.sprt import add_paired, caution_blocks, paired_estimate, settle, settled, sprt_answers
from reports.statistics.core.winshare import ALPHA
from reports.studies.sample_size.sequential import (
    FIRST_LOOK,
    Floats,
    Gathering,
    Integers,
    Watch,
    check_points,
    check_rate,
    every_table,
    look_schedule,
    sum_blocks,
    watch_names,
)
from sim.errors import UserError
from sim.players.batch import Plan
from sim.runs.groups import share_out
from sim.runs.run import jobs_to_use, warm_up
from sim.runs.shards import play_shards, shards_of

STEP_GAMES = 1_000
"""Games of each arm in a shard."""


@dataclass
class DifferenceRule:
    """Stopping rule: is it sure for every watched row whether two arms on the same deals differ?

    Called with the seat rows of the next games of both arms, it returns None, or the number of games (of each arm)
    after which the answer is sure. It does not matter how the rows are split over calls.

    Attributes
    ----------
    effect
        The difference to detect, as a fraction.
    alpha, beta
        Error rates for all rows together; each row's test gets its share (Bonferroni).
    state
        Bits of `sprt_answers` per row; shape (rows,).
    decided
        Blocks at which each row got its answer, 0 while it is open; shape (rows,).
    blocks
        Blocks looked at so far.
    enough
        Games after which all rows were settled; None before that.
    """

    plan: Plan
    effect: float
    alpha: float
    beta: float
    watches: list[Watch]
    gatherings: tuple[Gathering, Gathering]
    moments: list[dict[str, Floats]]
    schedule: Iterator[int]
    look: int
    state: NDArray[np.int8]
    decided: NDArray[np.int64]
    blocks: int = 0
    enough: int | None = None

    @property
    def names(self) -> list[tuple[str, str]]:
        """Table and name of each row."""
        return [(watch.table, name) for watch in self.watches for name in watch.names]

    def __call__(self, rows_a: Integers, rows_b: Integers) -> int | None:
        """Take the next rows of both arms; return the number of games if the answer is sure."""
        if self.enough is not None:
            return self.enough
        for gathering, rows in zip(self.gatherings, (rows_a, rows_b), strict=True):
            gathering.add(rows)
        while (pair := self.next_blocks(self.look)) is not None:
            self.take(pair)
            if settled(self.state).all():
                self.enough = self.blocks * self.plan.block_games
                return self.enough
            self.look = next(self.schedule)
        return None

    def look_at_rest(self) -> None:
        """Test once more with the whole blocks received since the last look, when no more games follow."""
        waiting = min(gathering.rows for gathering in self.gatherings) // self.gatherings[0].rows_per_block
        if self.enough is None and waiting and (pair := self.next_blocks(self.blocks + waiting)) is not None:
            self.look = self.blocks + waiting
            self.take(pair)
            if settled(self.state).all():
                self.enough = self.blocks * self.plan.block_games

    def next_blocks(self, look: int) -> tuple[Integers, Integers] | None:
        """Return the rows of both arms up to a look; None if they have not all arrived."""
        one, two = (gathering.upto(look) for gathering in self.gatherings)
        return None if one is None or two is None else (one, two)

    def take(self, pair: tuple[Integers, Integers]) -> None:
        """Add the blocks up to the next look, and test."""
        players, block_games = self.plan.players, self.plan.block_games
        unit = math.lcm(*range(1, players + 1))
        for watch, moments in zip(self.watches, self.moments, strict=True):
            one, two = (sum_blocks(rows, watch, players, block_games) for rows in pair)
            add_paired(moments, one["N"], two["N"], (two["W"] - one["W"]) / unit)
        self.blocks = self.look
        if self.blocks < FIRST_LOOK:
            return
        estimate, variance = self.estimates()
        rows = len(self.state)
        answers = sprt_answers(estimate, variance, self.effect, self.alpha / rows, self.beta / rows)
        before = settled(self.state)
        self.state = settle(self.state, answers)
        self.decided[settled(self.state) & ~before] = self.blocks

    def estimates(self) -> tuple[Floats, Floats]:
        """Return the difference of every row and its variance, shape (rows,)."""
        together = {name: np.concatenate([moments[name] for moments in self.moments]) for name in self.moments[0]}
        return paired_estimate(together, caution_blocks(self.beta / len(self.state)))


def difference_rule(
    plan: Plan, effect: float, on: Sequence[str] = (), alpha: float = ALPHA, beta: float = ALPHA
) -> DifferenceRule:
    """Return a rule that stops two arms on the same deals once it is sure for every row whether they differ.

    Parameters
    ----------
    plan
        Either arm: they share seats, factions and strategies.
    effect
        In percentage points: the smallest difference worth finding.
    on
        Rows to watch; by default all factions and strategies, where there is more than one.
    alpha, beta
        Chance of any wrong "differs" where nothing differs, and of any "no difference of that size" where there is one.

    Raises
    ------
    UserError
        An impossible number, an unknown row, or nothing to watch.
    """
    check_points("effect", effect, 100.0)
    check_rate("alpha", alpha)
    check_rate("beta", beta)
    watches = watch_names(plan, on) if on else [watch for watch in every_table(plan) if watch.table != "seat"]
    if not watches:
        raise UserError(f"{only_one(bool(plan.data.factions))}: nothing can differ; watch a seat", field="on")
    rows = sum(len(watch.names) for watch in watches)
    schedule = look_schedule()
    rows_per_block = plan.block_games * plan.players
    return DifferenceRule(
        plan=plan,
        effect=effect / 100,
        alpha=alpha,
        beta=beta,
        watches=watches,
        gatherings=(Gathering(rows_per_block), Gathering(rows_per_block)),
        moments=[{} for _ in watches],
        schedule=schedule,
        look=next(schedule),
        state=np.zeros(rows, np.int8),
        decided=np.zeros(rows, np.int64),
    )


def play_in_step(
    plan_a: Plan,
    plan_b: Plan,
    games: int,
    rule: DifferenceRule,
    *,
    jobs: int = -1,
    say: Callable[[str], None] = lambda text: None,
    progress: Callable[[int], None] = lambda games: None,
) -> int:
    """Play two arms side by side in memory until the rule is sure or the games are used up.

    Parameters
    ----------
    plan_a, plan_b
        The arms; they share seed, seats, factions and strategies.
    games
        The most games of each arm.
    rule
        From `difference_rule`.
    jobs
        Workers, -1 for all cores; the answer is the same for any number.
    say, progress
        Take messages, and the number of games (of both arms together) just finished.

    Returns
    -------
    Games of each arm that the answer rests on: whole blocks that the rule has looked at.

    Raises
    ------
    UserError
        A strategy fails, or the change alters who plays what.
    """
    workers = jobs_to_use(jobs)
    teams = [warm_up([plan], say)[0] for plan in (plan_a, plan_b)]
    pieces = [
        shards_of(share_out([plan], games), [team], STEP_GAMES)
        for plan, team in zip((plan_a, plan_b), teams, strict=True)
    ]
    with closing(play_shards(pieces[0], workers)) as first, closing(play_shards(pieces[1], workers)) as second:
        for piece, (rows_a, _), (rows_b, _) in zip(pieces[0], first, second, strict=True):
            progress(2 * piece.count)
            if rule(rows_a, rows_b) is not None:
                break
    rule.look_at_rest()
    return min(games, rule.blocks * rule.plan.block_games)
