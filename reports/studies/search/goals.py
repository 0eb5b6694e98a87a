"""What changes are to reach: fair shares for all, or the shares and meetings of a target file; and how far it is off.

Intervals of all that is wanted hold at once, as those of a table in a report do.

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
from reports.statistics.core.decisions import FARTHEST, games_to_decide
from reports.statistics.core.winshare import ALPHA, family_probability, share_interval, t_quantile
from reports.studies.parts.explain_parts import MIN_BLOCKS
from reports.studies.search.block_sums import ArmSums
from sim.players.batch import Plan

Floats = NDArray[np.float64]
State = Literal["within", "not told apart", "out", "not known"]
"""What an interval says of a margin: wholly inside, over its edge, wholly outside; not known where there is none."""


@dataclass(frozen=True)
class Goal:
    """What is wanted of a game.

    Attributes
    ----------
    names
        Of each thing wanted: "Rhodos B", "Rhodos B ahead of Gizah A".
    factions
        Of each, the factions whose numbers may be turned for it; what is above its target is so because the first is
        too strong, or the second too weak.
    shares
        Factions whose share of wins is wanted; they come first.
    pairs
        Pairs of which is wanted how often the first ends ahead of the second.
    wanted
        The wanted shares, shape (things wanted,).
    margin
        How far off is near enough, a fraction.
    fair
        Whether what is wanted is that all are fair.
    together
        Whether each change is judged by all that is wanted at once, as for the sides of a nation, which share cards.
    """

    names: tuple[str, ...]
    factions: tuple[tuple[int, ...], ...]
    shares: tuple[int, ...]
    pairs: tuple[tuple[int, int], ...]
    wanted: Floats
    margin: float
    fair: bool = False
    together: bool = False

    def counts(self, sums: ArmSums) -> tuple[Floats, Floats]:
        """Games won, or ended ahead, and games that count, by block and thing wanted."""
        won = sums.wins[:, list(self.shares)], sums.seats[:, list(self.shares)]
        if not self.pairs:
            return won
        return np.hstack([won[0], sums.ahead]), np.hstack([won[1], sums.met])


def fair_goal(plan: Plan, margin: float, some: Sequence[int] | None = None) -> Goal:
    """Return the goal that every faction dealt wins its fair share, or some of them, which are then judged together."""
    chosen = tuple(plan.factions if some is None else some)
    names = tuple(plan.data.factions[number].name for number in chosen)
    wanted = np.full(len(names), 1 / plan.players)
    return Goal(names, tuple((number,) for number in chosen), chosen, (), wanted, margin, True, some is not None)


@dataclass(frozen=True)
class Deviations:
    """How far one arm of games is off the goal; arrays of shape (things wanted,).

    Attributes
    ----------
    off
        Share less what is wanted; NaN where there was no such game.
    low, high
        Limits for all at once; NaN in fewer blocks than an interval takes.
    change
        Share less that of the arm it is compared with, paired by block; 0 where it is compared with nothing.
    change_low, change_high
        Limits, see `deviations`.
    """

    off: Floats
    low: Floats
    high: Floats
    change: Floats
    change_low: Floats
    change_high: Floats

    def states(self, margin: float) -> list[State]:
        """What the limits say of a margin, of each thing wanted."""
        return [state_of(low, high, margin) for low, high in zip(self.low, self.high, strict=True)]

    def excess(self, margin: float, moved: bool = False) -> float:
        """By how much all are beyond the margin together, or those whose share is not what it was."""
        beyond = np.maximum(np.abs(self.off) - margin, 0)
        return float(np.nansum(beyond[self.change != 0] if moved else beyond))

    def sure(self, margin: float) -> NDArray[np.bool_]:
        """What is farther off than the margin, and surely off: its interval does not hold what is wanted."""
        return np.asarray((np.abs(self.off) > margin) & ((self.low > 0) | (self.high < 0)))


def state_of(low: float, high: float, margin: float) -> State:
    """What an interval says of a margin; see `State`."""
    if not (np.isfinite(low) and np.isfinite(high)):
        return "not known"
    if -margin <= low and high <= margin:
        return "within"
    return "out" if low > margin or high < -margin else "not told apart"


def deviations(goal: Goal, base: ArmSums, after: ArmSums | None = None, said: float | None = None) -> Deviations:
    """Say how far an arm is off the goal, and what it changes against another on the same deals.

    Where `after` has fewer games than `base`, what it is off is that of all games of `base` and the change on the
    shared ones: luck that falls on both arms alike does not count twice. What is said of an
    arm has limits that miss any of all that is wanted at a rate, and any of all changes at the same; in a search those
    of a change are its own.
    """
    won, counted = goal.counts(base)
    own = changed((won, counted, won), (won, counted, won), 0.0)
    blocks, error = own.blocks, own.error
    share, change, change_half = own.edge, np.zeros(len(goal.names)), np.zeros(len(goal.names))
    if after is not None:
        won_after, counted_after = goal.counts(after)
        found = changed((won, counted, won), (won_after, counted_after, won_after), 0.0)
        reach = found.reach if said is None else simultaneous_reach(found.change, found.blocks, said)
        change, change_half = found.change, reach * found.change_error
        if len(won_after) >= len(won):
            share, error, blocks, counted = found.edge, found.error, found.blocks, counted_after
        else:
            share = own.edge + change
    limits = simultaneous_limits(share, error, blocks, counted, ALPHA if said is None else said)
    low, high = (end - goal.wanted for end in limits)
    return Deviations(share - goal.wanted, low, high, change, change - change_half, change + change_half)


def simultaneous_reach(values: Floats, blocks: Floats, rate: float) -> Floats:
    """Student's t quantile of limits that hold for all values that are known at once."""
    return t_quantile(blocks, family_probability(int(np.isfinite(values).sum()), rate))


def simultaneous_limits(
    share: Floats, error: Floats, blocks: Floats, counted: Floats, rate: float
) -> tuple[Floats, Floats]:
    """Limits of shares that hold for all of them at once; NaN in few blocks.

    Parameters
    ----------
    share, error, blocks
        Shape (things wanted,).
    counted
        Games that count, shape (blocks, things wanted).
    rate
        How often they miss anything.
    """
    probability = family_probability(int(np.isfinite(share).sum()), rate)
    known = blocks >= MIN_BLOCKS
    with np.errstate(invalid="ignore", divide="ignore"):
        imbalance = counted.max(axis=0) * blocks / counted.sum(axis=0)
        low, high = share_interval(share, error, t_quantile(blocks, probability), blocks, imbalance, 1 - probability)
    return np.where(known, low, np.nan), np.where(known, high, np.nan)


def games_to_separate(off: float, low: float, high: float, margin: float, games: int) -> int | None:
    """About how many games of each arm would tell a thing that is as it was seen from the margin; None for no number.

    Where it lies so close to the margin that `decisions.FARTHEST` times the games would be needed, there is none.
    """
    edge, lower, upper = (np.array([value]) for value in (off, low, high))
    (factor,) = games_to_decide(edge, lower, upper, margin)
    return int(np.ceil(games * factor)) if np.isfinite(factor) and factor <= FARTHEST else None
