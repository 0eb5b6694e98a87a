"""Plays two arms on the same deals until a sequential probability ratio test decides whether they differ.

Blocks are played in the order of their index. The test is made at each number of blocks in `sequential.look_schedule`;
each of these tests is a look. Error rates hold however early the test stops (`reports/statistics/core/sprt.py`).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from reports.formatting import only_one
from reports.statistics.core.sprt import (
    add_paired,
    caution_blocks,
    is_settled,
    paired_estimate,
    sprt_answers,
    update_state,
)
from reports.statistics.core.win_rate import ALPHA
from reports.studies.sample_size.sequential import (
    FIRST_LOOK,
    Floats,
    Integers,
    LookRule,
    check_points,
    check_rate,
    every_table,
    sum_blocks,
    watch_names,
)
from sim.data.arguments import jobs_to_use
from sim.errors import UserError
from sim.players.batch import Plan
from sim.runs.run import warm_up
from sim.runs.shards import play_shards, shards_of, share_out

STEP_GAMES = 1_000
"""Games of each arm that are played as one shard."""


@dataclass(kw_only=True)
class DifferenceRule(LookRule):
    """Stopping rule: stop once it is decided for every watched row whether two arms on the same deals differ.

    The difference to detect, `effect`, is a fraction. The error rates `alpha` and `beta` are for all rows together. The
    test of each row gets an equal part of them (Bonferroni). `blocks` is the number of blocks in the last look. `state`
    is the answer on each row so far, as bits from `sprt_answers`, and `decided` the number of blocks at which the row
    got it (0 while it has none), each of shape (rows,).
    """

    effect: float
    alpha: float
    beta: float
    blocks: int = 0
    arms: ClassVar[int] = 2

    def __post_init__(self) -> None:
        super().__post_init__()
        self.state, self.decided = np.zeros(len(self.names), np.int8), np.zeros(len(self.names), np.int64)

    @property
    def names(self) -> list[tuple[str, str]]:
        """The table and the name of each watched row."""
        return [(watch.table, name) for watch in self.watches for name in watch.names]

    def look_at_rest(self) -> None:
        """After the last games, test once more with the whole blocks that arrived since the last look."""
        waiting = min(gathering.rows for gathering in self.gatherings) // self.gatherings[0].rows_per_block
        if self.enough is None and waiting:
            self.take_up_to(self.blocks + waiting)

    def is_sure(self, look: int, parts: list[Integers]) -> bool:
        """Tell whether every row has an answer. Before the first look, no row has one."""
        players, block_games = self.plan.players, self.plan.block_games
        unit = math.lcm(*range(1, players + 1))
        for watch, moments in zip(self.watches, self.moments, strict=True):
            one, two = (sum_blocks(rows, watch, players, block_games) for rows in parts)
            add_paired(moments, one["N"], two["N"], (two["W"] - one["W"]) / unit)
        self.blocks = look
        if look >= FIRST_LOOK:
            estimate, variance = self.estimates()
            rows = len(self.state)
            answers = sprt_answers(estimate, variance, self.effect, self.alpha / rows, self.beta / rows)
            before = is_settled(self.state)
            self.state = update_state(self.state, answers)
            self.decided[is_settled(self.state) & ~before] = look
        return bool(is_settled(self.state).all())

    def estimates(self) -> tuple[Floats, Floats]:
        """Return the difference between the arms for every row, and its variance, each of shape (rows,)."""
        together = {name: np.concatenate([moments[name] for moments in self.moments]) for name in self.moments[0]}
        return paired_estimate(together, caution_blocks(self.beta / len(self.state)))


def difference_rule(
    plan: Plan, effect: float, on: Sequence[str] = (), alpha: float = ALPHA, beta: float = ALPHA
) -> DifferenceRule:
    """Return a rule that stops two arms on the same deals once it is decided for every row whether they differ.

    Parameters
    ----------
    plan
        The plan of either arm: the arms share seats, factions and strategies.
    effect
        The smallest difference worth finding, in percentage points.
    on
        Rows to watch. By default all factions and all strategies, if there are several.
    alpha, beta
        `alpha` is the chance that any row wrongly "differs" if none does. `beta` is the chance that any row wrongly has
        "no difference of that size".

    Raises
    ------
    UserError
        A number is impossible, a row is unknown, or there is nothing to watch.
    """
    check_points("effect", effect, 100.0)
    check_rate("alpha", alpha)
    check_rate("beta", beta)
    watches = watch_names(plan, on) if on else [watch for watch in every_table(plan) if watch.table != "seat"]
    if not watches:
        raise UserError(f"{only_one(bool(plan.data.factions))}: nothing can differ; watch a seat", field="on")
    return DifferenceRule(plan=plan, effect=effect / 100, alpha=alpha, beta=beta, watches=watches)


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
    """Play two arms side by side in memory until the rule has decided or `games` games of each are used up.

    The arms share seed, seats, factions and strategies. Returns the number of games of each arm on which the answer
    rests. They are the whole blocks that the rule has looked at. Raises UserError if a strategy fails, or the change
    alters which factions or players sit in which seats.
    """
    workers = jobs_to_use(jobs)
    pieces = [shards_of(share_out([plan], games), warm_up([plan], say), STEP_GAMES) for plan in (plan_a, plan_b)]
    with closing(play_shards(pieces[0], workers)) as first, closing(play_shards(pieces[1], workers)) as second:
        for piece, (rows_a, _), (rows_b, _) in zip(pieces[0], first, second, strict=True):
            progress(2 * piece.count)
            if rule(rows_a, rows_b) is not None:
                break
    rule.look_at_rest()
    return min(games, rule.blocks * rule.plan.block_games)
