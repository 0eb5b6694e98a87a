"""Targets of a search (fair shares, or the shares and meetings of a target file), and deviations from targets.

Intervals hold for all targets at once, like those of a table in a report.

References
----------
Sidak, Z. (1967). Rectangular confidence regions for the means of multivariate normal distributions. J. Amer. Statist.
Assoc. 62, 626-633.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from reports.statistics.compare.arm_changes import changed
from reports.statistics.core.decisions import MAX_FACTOR, games_to_decide
from reports.statistics.core.win_rate import ALPHA, family_probability, share_interval, t_quantile
from reports.studies.parts.explain_parts import MIN_BLOCKS
from reports.studies.search.block_sums import ArmSums
from sim.players.batch import Plan

Floats = NDArray[np.float64]
State = Literal["within", "undecided", "out", "not known"]
"""Whether an interval lies within the margin: completely, partly ("undecided") or not. "not known": no interval."""


@dataclass(frozen=True)
class Goal:
    """Targets for a game.

    Attributes
    ----------
    names
        Names of the targets: "Rhodos B", "Rhodos B ahead of Gizah A".
    factions
        For each target, the factions whose numbers may be changed. A value above the target means that the first of
        them is too strong, or the second too weak.
    shares
        Factions with a target share of wins. These targets precede those of pairs.
    pairs
        Pairs of factions with a target for how often the first finishes ahead of the second.
    targets
        Target shares, shape (targets,).
    margin
        Largest accepted deviation, a fraction.
    fair
        Whether the targets are fair shares.
    together
        Whether each change is judged by all targets at once, as for the sides of a nation, which share cards.
    """

    names: tuple[str, ...]
    factions: tuple[tuple[int, ...], ...]
    shares: tuple[int, ...]
    pairs: tuple[tuple[int, int], ...]
    targets: Floats
    margin: float
    fair: bool = False
    together: bool = False

    @property
    def one(self) -> bool:
        """Tell whether the only target is the fair share of one faction.

        Then a change is also good enough if the interval of the remaining edge contains 0.
        """
        return self.fair and len(self.names) == 1

    def counts(self, sums: ArmSums) -> tuple[Floats, Floats]:
        """Return by block and target: games won (or finished ahead), and games that count for the target."""
        won = sums.wins[:, list(self.shares)], sums.seats[:, list(self.shares)]
        if not self.pairs:
            return won
        return np.hstack([won[0], sums.ahead]), np.hstack([won[1], sums.met])


def fair_goal(plan: Plan, margin: float, some: Sequence[int] | None = None) -> Goal:
    """Return the goal of fair shares for every dealt faction, or only for `some`, which are judged together."""
    chosen = tuple(plan.factions if some is None else some)
    names = tuple(plan.data.factions[number].name for number in chosen)
    fair = np.full(len(names), 1 / plan.players)
    return Goal(
        names, tuple((number,) for number in chosen), chosen, (), fair, margin, True, some is not None and len(some) > 1
    )


@dataclass(frozen=True)
class Deviations:
    """Deviations of one arm from the goal, as arrays of shape (targets,).

    Attributes
    ----------
    off
        Share minus target. NaN without games.
    low, high
        Simultaneous limits of `off`. NaN if there are too few blocks.
    change
        Share minus the share in another arm, paired by block. 0 without another arm.
    change_low, change_high
        Limits of `change`, see `deviations`.
    """

    off: Floats
    low: Floats
    high: Floats
    change: Floats
    change_low: Floats
    change_high: Floats

    def states(self, margin: float) -> list[State]:
        """Return the state of each target's interval."""
        return [state_of(low, high, margin) for low, high in zip(self.low, self.high, strict=True)]

    def excess(self, margin: float, moved: bool = False) -> float:
        """Return how far targets lie beyond the margin, in total. With `moved`, only targets with a change count."""
        beyond = np.maximum(np.abs(self.off) - margin, 0)
        return float(np.nansum(beyond[self.change != 0] if moved else beyond))

    def sure(self, margin: float) -> NDArray[np.bool_]:
        """Tell which targets lie beyond the margin and have an interval that excludes 0."""
        return np.asarray((np.abs(self.off) > margin) & ((self.low > 0) | (self.high < 0)))


def state_of(low: float, high: float, margin: float) -> State:
    """Return the position of an interval relative to a margin, see `State`."""
    if not (np.isfinite(low) and np.isfinite(high)):
        return "not known"
    if -margin <= low and high <= margin:
        return "within"
    return "out" if low > margin or high < -margin else "undecided"


def deviations(goal: Goal, base: ArmSums, after: ArmSums | None = None, said: float | None = None) -> Deviations:
    """Return the deviations of the arm `base`. If `after` is given, return its deviations and its change from `base`.

    The two arms share their deals. If `after` has fewer games than `base`, its deviation is computed as the deviation
    in all games of `base` plus the change in the games that both have. So luck that is common to both does not count
    twice. The limits of deviations hold for all targets at once. If the error rate `said` is given, the limits of
    changes do so, too. If it is not given, as in a search, each change has 95 % limits of its own.
    """
    won, counted = goal.counts(base)
    own = changed((won, counted, won), (won, counted, won), 0.0)
    blocks, error = own.blocks, own.error
    share, change, change_half = own.edge, np.zeros(len(goal.names)), np.zeros(len(goal.names))
    if after is not None:
        won_after, counted_after = goal.counts(after)
        result = changed((won, counted, won), (won_after, counted_after, won_after), 0.0)
        known = int(np.isfinite(result.change).sum())
        reach = result.reach if said is None else t_quantile(result.blocks, family_probability(known, said))
        change, change_half = result.change, reach * result.change_error
        if len(won_after) >= len(won):
            share, error, blocks, counted = result.edge, result.error, result.blocks, counted_after
        else:
            share = own.edge + change
    limits = simultaneous_limits(share, error, blocks, counted, ALPHA if said is None else said)
    low, high = (end - goal.targets for end in limits)
    return Deviations(share - goal.targets, low, high, change, change - change_half, change + change_half)


def simultaneous_limits(
    share: Floats, error: Floats, blocks: Floats, counted: Floats, rate: float
) -> tuple[Floats, Floats]:
    """Return limits that hold for all shares at once, at the error rate `rate`. NaN if there are too few blocks.

    Shares, errors and numbers of blocks have the shape (targets,). `counted` are the games that count for each target,
    shape (blocks, targets).
    """
    probability = family_probability(int(np.isfinite(share).sum()), rate)
    known = blocks >= MIN_BLOCKS
    with np.errstate(invalid="ignore", divide="ignore"):
        imbalance = counted.max(axis=0) * blocks / counted.sum(axis=0)
        low, high = share_interval(share, error, t_quantile(blocks, probability), blocks, imbalance, 1 - probability)
    return np.where(known, low, np.nan), np.where(known, high, np.nan)


def games_to_separate(off: float, low: float, high: float, margin: float, games: int) -> int | None:
    """Estimate how many games of each arm would show on which side of the margin an observed deviation lies.

    None if the deviation is so close to the margin that more than `MAX_FACTOR` times the games would be needed.
    """
    edge, lower, upper = (np.array([value]) for value in (off, low, high))
    (factor,) = games_to_decide(edge, lower, upper, margin)
    return int(np.ceil(games * factor)) if np.isfinite(factor) and factor <= MAX_FACTOR else None
