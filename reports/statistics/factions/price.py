"""The price of a faction: points added to its final score with which it wins its fair share of the recorded games.

Points added at the end change no decision. So the winners can be recomputed exactly from the games of a run. New ties
count as half a win, since the result of the tie-break is unknown. Games that are not decided by points keep their
result.

Sources, in full in `docs/statistics.md`: Fieller (1954) for the limits of a price if no other faction pays, Oehlert
(1992, the delta method) for prices that all factions pay, Dunnett (1955) and Hsu (1984) for the limits of bids.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from reports.data.load import Run, level_names
from reports.data.opponents import LEAD, read_beside
from reports.statistics.core.crossing import Edges, find_crossing
from reports.statistics.core.groupings import SEED
from reports.statistics.core.win_rate import ALPHA, Floats, t_quantile
from reports.statistics.distributions import normal_sf
from reports.statistics.factions.opponents import MIN_BLOCKS
from sim.compiler.kernel import Integers, kernel
from sim.errors import UserError

Flags = NDArray[np.bool_]

MIN_PLAYERS_WITH_NEIGHBOURS = 3
"""Neighbours matter from this many players on. With two players, each player sits on both sides of the other."""
AROUND = 4
"""Number of points first tried on each side of the initial guess."""
WIDEST = 200
"""The search ends once this many points or more have been tried on each side of the initial guess."""
SLOPE_OVER = 0.25
"""Step over which slopes are measured, in standard deviations of scores; it is at least one point."""
PINNED = 1e-6
"""A combination of prices changes no win rate if its singular value is below this fraction of the largest one."""
STEPS = 60
CLOSE = 1e-4
"""Prices paid together have converged if no win rate differs from the fair share by more than this."""
UNSOLVED = 0.005
"""If a win rate still differs from the fair share by more than this after all steps, there is no solution."""
TOO_HIGH = 0.035
"""The part of the error rate of 5 % that goes to the lower limits of bids."""
DRAWS = 4000
"""Number of Monte Carlo draws for joint quantiles."""
NEIGHBOURS_PART = 0.2
"""The part of the error rate of prices that goes to the prices by neighbour."""


ARRAYS = ("faction", "block", "score", "lead", "win", "left", "right", "played")
OF_ONE = ("block", "lead", "win", "played")
"""Arrays of `PricedSeats` that the price of a single faction needs."""


@dataclass(frozen=True)
class PricedSeats:
    """Seats of all games with one number of players, in the order of games. Every array has one entry per seat.

    `faction` and `block` are indices. `score`, `lead` and `win` are the final score, the points ahead of the best other
    seat, and the share of the win in the game as played. `left` and `right` are the factions of the two neighbours;
    empty if no caller needs them. `played` tells whether the game was not decided by points, so that it keeps its
    result.
    """

    faction: NDArray[np.int64]
    block: NDArray[np.int64]
    score: Floats
    lead: Floats
    win: Floats
    left: NDArray[np.int64]
    right: NDArray[np.int64]
    played: NDArray[np.bool_]
    players: int

    def chosen(self, part: NDArray[Any], names: Sequence[str] = ARRAYS) -> PricedSeats:
        """Return a subset of the seats, with only some of the arrays filled; `part` holds flags or row numbers."""
        rows = np.flatnonzero(part) if part.dtype == bool else part
        arrays = {name: getattr(self, name) for name in ARRAYS}
        kept = {name: of.take(rows) if name in names and len(of) else of[:0] for name, of in arrays.items()}
        return PricedSeats(**kept, players=self.players)


def numbered_blocks(block: NDArray[Any]) -> NDArray[np.int64]:
    """Return the block of each seat, with blocks numbered from 0 without gaps."""
    if (block[1:] < block[:-1]).any():
        return np.unique(block, return_inverse=True)[1].astype(np.int64)
    changes = np.zeros(len(block), np.int64)
    changes[1:] = block[1:] != block[:-1]
    return changes.cumsum()


def count_blocks(block: NDArray[np.int64]) -> int:
    """Return the number of different blocks."""
    if (block[1:] < block[:-1]).any():
        return len(np.unique(block))
    return int(np.count_nonzero(block[1:] != block[:-1]) + (len(block) > 0))


def read_priced(run: Run) -> dict[int, PricedSeats]:
    """Read the seats of a run by number of players. Games of one player are left out.

    Raise UserError if no game has two players or more, or if the game has no factions.
    """
    if not run.manifest.factions:
        raise UserError(f"{run.manifest.title} has no factions to price", file=run.folder)
    columns = ["players", "block", "game", "faction", "score", f"{LEAD}score", "win", "left", "right", "rank"]
    frames = [frame.select(columns) for frame in read_beside(run, ("score",), ())]
    if not frames:
        raise UserError("games of one player have no opponents to set a price against", file=run.folder)
    whole = pl.concat(frames)
    return {
        int(players): as_arrays(part) for (players,), part in sorted(whole.group_by(["players"], maintain_order=True))
    }


def as_arrays(part: pl.DataFrame) -> PricedSeats:
    """Return the seats of games with one number of players as arrays."""
    players = int(part["players"][0])
    lead, rank = part[f"{LEAD}score"].cast(pl.Float64).to_numpy(), part["rank"].to_numpy()
    by_points = ((rank == 1) & (lead >= 0)).reshape(-1, players).any(axis=1)
    codes = {name: part[name].to_physical().cast(pl.Int64).to_numpy() for name in ("faction", "left", "right")}
    return PricedSeats(
        block=numbered_blocks(part["block"].to_numpy()), score=part["score"].cast(pl.Float64).to_numpy(), lead=lead,
        win=part["win"].to_numpy(), played=~np.repeat(by_points, players), players=players, **codes,
    )  # fmt: skip


# ---- One faction pays ----


@kernel
def won_with(lead: float, win: float, played: bool, points: float) -> float:
    """Return the win of a seat that gets extra points at the end while the other seats get none."""
    if played or points == 0:
        return win
    after = lead + points
    return 1.0 if after > 0 else 0.5 if after == 0 else 0.0


@kernel
def add_wins_with(lead: Floats, win: Floats, played: Flags, tried: Integers, wins: Floats) -> None:
    """Add to `wins` the wins of all seats with each number of points in `tried`."""
    for at in range(len(lead)):
        for place in range(len(tried)):
            wins[place] += won_with(lead[at], win[at], played[at], float(tried[place]))


@kernel
def add_residuals_with(
    block: Integers, lead: Floats, win: Floats, played: Flags, tried: Integers, share: Floats, products: Floats
) -> int:
    """Add to `products` the products of residuals over the blocks, for each pair of numbers of points.

    With a number of points, the residual of block b is W_b - s N_b: wins W_b, seat-games N_b, and the share s of all
    seat-games that are won. Returns the number of blocks.
    """
    residual, blocks = np.zeros(len(tried)), 0
    for at in range(len(block)):
        for place in range(len(tried)):
            residual[place] += won_with(lead[at], win[at], played[at], float(tried[place])) - share[place]
        if at + 1 == len(block) or block[at + 1] != block[at]:
            blocks += 1
            for one in range(len(tried)):
                for other in range(len(tried)):
                    products[one, other] += residual[one] * residual[other]
            residual[:] = 0.0
    return blocks


def edges_with(seats: PricedSeats, tried: NDArray[np.int64]) -> Edges:
    """Return the edge of these seats for each number of added points, in the form of `crossing.edges_at_values`."""
    if (seats.block[1:] < seats.block[:-1]).any():
        seats = seats.chosen(np.argsort(seats.block, kind="stable"))
    facts, total = (seats.lead, seats.win, seats.played, tried), max(len(seats.block), 1)
    # Two passes, because sums of squares would lose a small variance to rounding.
    wins, products = np.zeros(len(tried)), np.zeros((len(tried), len(tried)))
    add_wins_with(*facts, wins)
    share = wins / total
    blocks = int(add_residuals_with(seats.block, *facts, share, products))
    scale = blocks / (blocks - 1) if blocks > 1 else np.nan
    return Edges(tried, share - 1 / seats.players, scale * products / total**2, blocks)


@dataclass(frozen=True)
class FactionPrice:
    """Points that make a faction fair, with limits (95 % by default) and number of blocks.

    NaN if there is no solution.
    """

    points: float = np.nan
    low: float = np.nan
    high: float = np.nan
    blocks: int = 0


def price_alone(seats: PricedSeats) -> FactionPrice:
    """Return the price of the faction that holds these seats if no other faction pays, with 95 % limits."""
    return prices_alone(seats, ALPHA)[0]


def prices_alone(seats: PricedSeats, *alphas: float) -> list[FactionPrice]:
    """Return the price of the faction that holds these seats if no other faction pays.

    There is one result for each error rate in `alphas`, with the limits at that rate.
    """
    blocks = count_blocks(seats.block)
    if blocks < MIN_BLOCKS:
        return [FactionPrice()] * len(alphas)
    middle = round(float(-np.quantile(seats.lead, 1 - 1 / seats.players)))
    edges = lru_cache(lambda around: edges_with(seats, np.arange(middle - around, middle + around + 1)))
    return [first_price(edges, middle, alpha) for alpha in alphas]


def first_price(edges: Callable[[int], Edges], middle: int, alpha: float) -> FactionPrice:
    """Return the price; widen the range of points around `middle` until it contains the limits of the price.

    `edges(n)` returns the edges for the numbers of points from `middle` - n to `middle` + n. A limit that still lies
    outside a range of `WIDEST` points or more to each side is NaN.
    """
    around = AROUND
    while True:
        found = replace(edges(around), alpha=alpha)
        crossing = find_crossing(found, middle)
        if crossing is not None and not (crossing.open_low or crossing.open_high):
            return FactionPrice(crossing.place, crossing.low, crossing.high, found.blocks)
        if around >= WIDEST:
            if crossing is None:
                return FactionPrice()
            ends = (np.nan if crossing.open_low else crossing.low, np.nan if crossing.open_high else crossing.high)
            return FactionPrice(crossing.place, *ends, found.blocks)
        around *= 2


# ---- All pay ----


@dataclass(frozen=True)
class Together:
    """Prices with which every faction wins its fair share if all factions pay. Every array has one entry per faction.

    Attributes
    ----------
    prices, half
        Points that each faction gets, and half the width of their 95 % interval. The mean over all seats is 0, since
        only differences count. NaN for factions without seats, and for all factions if there is no solution.
    bids, bid_low, bid_high
        The same prices as points to pay, with 95 % limits: the highest price minus the faction's own price. They are
        never below 0.
    family_half, bid_family_low, bid_family_high
        Half intervals of prices, and limits of bids. They hold at once for all prices and bids, and for the prices
        of single factions if no other faction pays.
    level
        Error rate of each single limit at which all of them together keep the requested error rate.
    """

    prices: Floats
    half: Floats
    bids: Floats
    bid_low: Floats
    bid_high: Floats
    family_half: Floats
    bid_family_low: Floats
    bid_family_high: Floats
    level: float


def prices_together(seats: PricedSeats, factions: int, rate: float = ALPHA) -> Together:
    """Find the prices with which every faction wins its fair share if all factions pay.

    Errors are by the delta method. Let V be the variance of the win rates at these prices, by blocks, and J their
    slopes. The variance of the prices is J^-1 V J^-1'. Here J^-1 is the pseudo-inverse, since equal prices for all
    factions change nothing. The error of a bid is that of the difference between its two prices. Errors allow for the
    fact that prices were fitted to the same blocks, and quantiles allow for blocks without a faction. Otherwise limits
    would be too narrow in runs of a few hundred deals.

    Parameters
    ----------
    seats
        Seats of games with one number of players. All seats of each game must be there.
    rate
        Error rate of the joint limits.
    """
    none = np.full(factions, np.nan)
    prices = solve_prices(seats, factions)
    owned = np.bincount(seats.faction, minlength=factions)
    dealt, blocks = np.flatnonzero(owned), count_blocks(seats.block)
    at = np.nan_to_num(prices)
    unsolved = np.abs(shares_with(seats, at, owned)[dealt] - 1 / seats.players).max() > UNSOLVED
    if blocks < MIN_BLOCKS or unsolved:
        played = residual_products(seats, owned, seats.win)[np.ix_(dealt, dealt)]
        drawn = joint_deviates(played, blocks)
        return Together(none, none, none, none, none, none, none, none, joint_level(drawn, rate))
    slopes = np.stack([slope_of(seats, at, owned, int(faction))[dealt] for faction in dealt], axis=1)
    both = np.append(dealt, factions + dealt)
    products = residual_products(seats, owned, seats.win, wins_of(seats, at))[np.ix_(both, both)]
    carry = np.eye(len(both))
    carry[len(dealt) :, len(dealt) :] = np.linalg.pinv(slopes, rcond=PINNED)
    products = carry @ products @ carry.T
    drawn, carried = joint_deviates(products, blocks), products[len(dealt) :, len(dealt) :]
    luck, (first, second) = drawn[:, len(dealt) :], np.triu_indices(len(dealt), 1)
    level = joint_level(np.hstack([drawn, luck[:, first] - luck[:, second]]), rate)
    known, squares = blocks_with(seats, factions)[dealt], np.diag(carried)
    apart = np.maximum(squares[:, None] + squares[None, :] - 2 * carried, 0.0)
    own, together = bid_limits(prices[dealt], errors_of_sums(apart, blocks, len(dealt)), luck, known, level)
    error = errors_of_sums(squares, blocks, len(dealt))

    def of_all(values: Floats) -> Floats:
        whole = none.copy()
        whole[dealt] = values
        return whole

    return Together(
        prices, of_all(two_sided_t(known, ALPHA) * error), np.nanmax(prices) - prices, of_all(own[0]), of_all(own[1]),
        of_all(two_sided_t(known, level) * error), of_all(together[0]), of_all(together[1]), level,
    )  # fmt: skip


def joint_deviates(covariance: Floats, blocks: int) -> Floats:
    """Draw normal deviates with the covariances of sums over blocks; shape (draws, columns).

    Covariances are shrunk by the fraction columns / blocks, as in `groupings.joint_null`. This matters for few blocks.
    """
    shrunk = covariance * max(0.0, 1 - len(covariance) / blocks)
    np.fill_diagonal(shrunk, np.diag(covariance))
    values, vectors = np.linalg.eigh(shrunk)
    draws = np.random.default_rng(SEED).standard_normal((DRAWS, len(covariance)))
    return np.asarray(draws @ (vectors * np.sqrt(np.maximum(values, 0.0))).T)


def joint_level(drawn: Floats, rate: float) -> float:
    """Return the level for tests of single columns of `drawn` at which all together have this false alarm rate."""
    spread = drawn.std(axis=0)
    widest = (np.abs(drawn[:, spread > 0]) / spread[spread > 0]).max(axis=1, initial=0.0)
    return min(float(2 * normal_sf(np.quantile(widest, 1 - rate))), rate)


def bid_limits(
    prices: Floats, apart: Floats, luck: Floats, blocks: NDArray[np.int64], level: float
) -> tuple[tuple[Floats, ...], tuple[Floats, ...]]:
    """Return limits of bids: for each bid alone, and for all bids at once.

    A bid is the highest price minus the faction's own price. So it is the largest of several differences, and luck
    helps to decide which of them is the largest. If all prices are equal, the plain interval of that difference
    excludes 0 far too often. The lower limit of a bid is the largest of the lower limits of all its differences. Their
    quantile allows for all other factions that may have the highest price (Dunnett 1955). The upper limit is the
    largest of the upper limits, without such an allowance (Hsu 1984). Lower limits get most of the error rate, since no
    upper limit misses the truth if many prices are equal.

    Parameters
    ----------
    prices, apart
        Prices, shape (factions,), and standard errors of their differences, shape (factions, factions).
    luck
        Random deviates of the prices, from `joint_deviates`.
    blocks
        Number of blocks with each faction.
    level
        Error rate of the interval of a single difference at which the intervals of all differences hold at once.
    """
    both = np.minimum.outer(blocks, blocks)
    reach, wider = two_sided_t(both, level), two_sided_t(both, ALPHA) / two_sided_t(np.inf, ALPHA)
    gaps = prices[None, :] - prices[:, None]  # how much more the second faction gets than the first
    together = tuple(np.maximum((gaps + sign * reach * apart).max(axis=1), 0.0) for sign in (-1, 1))
    low = np.zeros(len(prices))
    for place in range(len(prices)):
        others = np.flatnonzero((together[0] == 0) & (apart[place] > 0))
        if len(others):
            deviates = luck[:, others] - luck[:, [place]]
            lower = wider[place] * np.quantile((deviates / deviates.std(axis=0)).max(axis=1), 1 - TOO_HIGH)
            low[place] = max(float((gaps[place] - lower * apart[place])[others].max()), 0.0)
    high = np.maximum((gaps + two_sided_t(both, 2 * (ALPHA - TOO_HIGH)) * apart).max(axis=1), 0.0)
    return (low, high), together


def paid_on_other_deals(seats: PricedSeats, factions: int) -> tuple[Floats, Floats]:
    """Return the edges in odd blocks with prices fitted on the even blocks, and half of their 95 % intervals.

    Prices absorb the luck of the even blocks, so the variances of the two halves add up. NaN for a faction that is
    missing in either half, and for all factions if there are too few blocks.
    """
    halves = [seats.chosen(seats.block % 2 == rest) for rest in (0, 1)]
    blocks = [count_blocks(half.block) for half in halves]
    if min(blocks) < MIN_BLOCKS:
        return np.full(factions, np.nan), np.full(factions, np.nan)
    prices = solve_prices(halves[0], factions)
    at, owned = np.nan_to_num(prices), [np.bincount(half.faction, minlength=factions) for half in halves]
    both = np.isfinite(prices) & (owned[1] > 0)
    errors = [
        two_sided_t(many, ALPHA) * errors_of_sums(np.diag(residual_products(half, own, wins_of(half, at))), many)
        for half, own, many in zip(halves, owned, blocks, strict=True)
    ]
    left = shares_with(halves[1], at, owned[1]) - 1 / seats.players
    return np.where(both, left, np.nan), np.where(both, np.hypot(*errors), np.nan)


@kernel
def add_residual_products(
    block: Integers, faction: Integers, wins: Floats, more: Floats, share: Floats, total: Floats, products: Floats
) -> None:
    """Add the products of two factions' residuals to the lower triangle of `products`; see `residual_products`.

    `share` has a row for each array of wins: `wins` and, if there is a second row, `more`. `total` has the seat-games
    of each faction.
    """
    kinds, factions = share.shape
    won, seen, residual = np.zeros(share.shape), np.zeros(factions), np.zeros(share.size)
    for at in range(len(block)):
        seen[faction[at]] += 1.0
        won[0, faction[at]] += wins[at]
        if kinds > 1:
            won[1, faction[at]] += more[at]
        if at + 1 == len(block) or block[at + 1] != block[at]:
            for one in range(len(residual)):
                kind, own = one // factions, one % factions
                residual[one] = (won[kind, own] - share[kind, own] * seen[own]) / total[own]
                for other in range(one + 1):
                    products[one, other] += residual[one] * residual[other]
            seen[:] = 0.0
            won[:] = 0.0


def residual_products(seats: PricedSeats, owned: NDArray[np.int64], *wins: Floats) -> Floats:
    """Return the sums over blocks of products of two factions' residuals, for every pair of factions.

    The residual of a faction in block b is (W_b - s N_b) / N. It has W_b wins in N_b seat-games of the block, N
    seat-games in all, and wins the share s of these. The matrix is symmetric, with a row and a column for each faction.
    With two arrays of `wins`, all factions come twice: with the first array, then with the second.
    """
    factions, total = len(owned), np.maximum(owned, 1).astype(np.float64)
    block, faction, won = seats.block, seats.faction, wins
    if (block[1:] < block[:-1]).any():
        order = np.argsort(block, kind="stable")
        block, faction, won = block[order], faction[order], tuple(own[order] for own in wins)
    share = np.stack([np.bincount(faction, own, factions) for own in won]) / total
    products = np.zeros((share.size, share.size))
    add_residual_products(block, faction, won[0], won[-1], share, total, products)
    return products + np.tril(products, -1).T


def errors_of_sums(squares: Floats, blocks: int, fitted: int = 1) -> Floats:
    """Return the standard errors of sums over blocks, from the sums of squares of the blocks' values.

    `blocks` also counts blocks without a faction; their value is 0. `fitted` is how many quantities were estimated
    together from these blocks.
    """
    spread: Floats = np.sqrt(blocks / max(blocks - fitted, 1) * squares)
    return spread


def blocks_with(seats: PricedSeats, factions: int) -> NDArray[np.int64]:
    """Return the number of blocks with each faction. It is at least 2, so that a quantile exists."""
    first = int(seats.block.min())
    there = np.zeros((int(seats.block.max()) - first + 1, factions), np.bool_)  # faster than a set of pairs
    there[seats.block - first, seats.faction] = True
    return np.maximum(there.sum(axis=0), 2)


def two_sided_t(blocks: float | NDArray[np.int64], rate: float) -> Floats:
    """Return the quantile of Student's t for intervals with this error rate; it has the shape of `blocks`."""
    return t_quantile(np.asarray(blocks, np.float64), 1 - rate / 2)


def slope_of(seats: PricedSeats, prices: Floats, owned: NDArray[np.int64], faction: int) -> Floats:
    """Return the change of every win rate per point on one faction's price, over one point or more to each side."""
    step = max(1.0, SLOPE_OVER * float(seats.score.std()))
    own = np.where(np.arange(len(prices)) == faction, step, 0.0)
    more, less = (shares_with(seats, prices + sign * own, owned) for sign in (1, -1))
    return (more - less) / (2 * step)


def solve_prices(seats: PricedSeats, factions: int) -> Floats:
    """Find the prices with which all factions are fair if all pay, by secant steps for each faction."""
    owned = np.bincount(seats.faction, minlength=factions)
    dealt, prices = owned > 0, np.zeros(factions)
    spread = max(float(seats.score.std()), 1.0)
    step = np.full(factions, spread)  # first guess: points that raise the win rate by 1
    before, moved = None, None
    for _ in range(STEPS):
        share = shares_with(seats, prices, owned)
        miss = np.where(dealt, share - 1 / seats.players, 0.0)
        if np.abs(miss).max() < CLOSE:
            break
        if before is not None and moved is not None:
            gained = miss - before
            with np.errstate(divide="ignore", invalid="ignore"):
                slope = np.where(np.abs(moved) > 1e-3, moved / gained, step)
            step = np.clip(np.where(np.isfinite(slope) & (slope > 0), slope, step), spread, 20 * spread)
        change = -step * miss
        change -= (change * owned).sum() / owned.sum()
        prices, before, moved = prices + 0.8 * change, miss, 0.8 * change
    prices -= (prices * owned).sum() / owned.sum()
    return np.where(dealt, prices, np.nan)


@kernel
def pay_all(
    score: Floats, faction: Integers, prices: Floats, played: Flags, win: Floats, players: int, won: Floats,
    wins: Floats,
) -> None:  # fmt: skip
    """Add the wins of all seats to `wins` by faction if all factions pay; see `wins_of`.

    If `won` has room for all seats, it is filled with the wins of each seat. If it has room for one game only, it is
    scratch space.
    """
    step = players if len(won) > players else 0
    for game in range(len(score) // players):
        best, near, first, own = -np.inf, 0.0, game * players, game * step
        for at in range(players):
            won[own + at] = score[first + at] + prices[faction[first + at]]
            best = max(best, won[own + at])
        for at in range(players):
            won[own + at] = max(1 - (best - won[own + at]), 0.0)
            near += won[own + at]
        for at in range(players):
            won[own + at] = win[first + at] if played[first + at] else won[own + at] / near
            wins[faction[first + at]] += won[own + at]


def shares_with(seats: PricedSeats, prices: Floats, owned: NDArray[np.int64]) -> Floats:
    """Return the win rate of every faction if all factions pay; see `wins_of`."""
    wins = np.zeros(len(owned))
    pay_all(seats.score, seats.faction, prices, seats.played, seats.win, seats.players, np.empty(seats.players), wins)
    shares: Floats = wins / np.maximum(owned, 1)
    return shares


def wins_of(seats: PricedSeats, prices: Floats) -> Floats:
    """Return the wins of all seats if all factions pay, shape (seats,).

    Wins are interpolated between whole points: seats less than one point behind the best seat get a part of the win.
    """
    won, wins = np.empty(len(seats.win)), np.zeros(len(prices))
    pay_all(seats.score, seats.faction, prices, seats.played, seats.win, seats.players, won, wins)
    return won


# ---- Tables ----


def prices_of(run: Run) -> pl.DataFrame:
    """Return the price of every faction for every number of players in a run.

    Returns
    -------
    One row per faction and number of players:
    `players`, `faction`, `games` (its seat-games) and `edge`;
    `price`, the price if no other faction pays, with `low` and `high`;
    `together` and `bid` as in `Together`, and `left` as in `paid_on_other_deals`, each with `_low` and `_high`;
    `otherwise`, the share of games that points do not decide.
    `price`, `together` and `bid` also have `_family_low` and `_family_high`, limits that hold at once for all of these
    prices of the run.
    """
    names = level_names(run.manifest, "faction")
    read = read_priced(run)
    rows = []
    for players, seats in read.items():
        found = prices_together(seats, len(names), ALPHA * (1 - NEIGHBOURS_PART) / len(read))
        left, left_half = paid_on_other_deals(seats, len(names))
        left = np.where(np.isfinite(found.prices), left, np.nan)
        paid = {
            "together": (found.prices, found.prices - found.half, found.prices + found.half),
            "together_family": (found.prices, found.prices - found.family_half, found.prices + found.family_half),
            "bid": (found.bids, found.bid_low, found.bid_high),
            "bid_family": (found.bids, found.bid_family_low, found.bid_family_high),
            "left": (left, left - left_half, left + left_half),
        }
        for number, name in enumerate(names):
            own = seats.chosen(seats.faction == number)
            if not len(own.lead):
                continue
            alone, family = prices_alone(own, ALPHA, found.level)
            rows.append({
                "players": players, "faction": name, "games": len(own.lead),
                "edge": float(own.win.mean()) - 1 / players, "price": alone.points, "low": alone.low,
                "high": alone.high, "price_family_low": family.low, "price_family_high": family.high,
                **{f"{which}{end}": float(values[number]) for which, ends in paid.items()
                   for end, values in zip(("", "_low", "_high"), ends, strict=True)},
                "otherwise": float(seats.played.mean()),
            })  # fmt: skip
    frame = pl.DataFrame(rows).drop("together_family", "bid_family").with_columns(pl.col(pl.Float64).fill_nan(None))
    return frame.sort("players", "price", nulls_last=True)


def prices_beside(run: Run, faction: str) -> pl.DataFrame:
    """Return the price of a faction next to each neighbour, in games with three or more players.

    Returns
    -------
    `players`, `neighbour`, and for the games in which the neighbour sits on either side of the faction: `games` and
    `price` with `low` and `high`. For each number of players, the lowest price comes first.
    """
    names = level_names(run.manifest, "faction")
    own_number = names.index(faction)
    rows = []
    for players, seats in read_priced(run).items():
        own = seats.chosen(seats.faction == own_number)
        for number, name in enumerate(names):
            there = own.chosen((own.left == number) | (own.right == number))
            if players > 2 and len(there.lead):
                found = price_alone(there)
                rows.append({"players": players, "neighbour": name, "games": len(there.lead), "price": found.points,
                             "low": found.low, "high": found.high})  # fmt: skip
    schema = {"players": pl.Int64, "neighbour": pl.String, "games": pl.Int64, "price": pl.Float64,
              "low": pl.Float64, "high": pl.Float64}  # fmt: skip
    frame = pl.DataFrame(rows, schema=schema).with_columns(pl.col(pl.Float64).fill_nan(None))
    return frame.sort("players", "price", nulls_last=True)


def prices_by_neighbour(run: Run) -> pl.DataFrame:
    """Return each faction's price next to each neighbour and the difference from its price away from that neighbour.

    Only games with three or more players count.

    Returns
    -------
    `players`, `faction`, `neighbour`, `games`, and `price` with `low` and `high`;
    `differs`, this price minus the faction's price in games in which that neighbour sits elsewhere at the table, with
    limits `differs_low` and `differs_high` that allow for all pairs of the run;
    `apart`, whether these limits exclude 0.
    With three players all seats are neighbours, so `differs` is unknown.
    """
    names = level_names(run.manifest, "faction")
    rows = []
    for players, seats in read_priced(run).items():
        if players < MIN_PLAYERS_WITH_NEIGHBOURS:
            continue
        table = seats.faction.reshape(-1, players)
        met = {number: np.repeat((table == number).any(axis=1), players) for number in range(len(names))}
        for own_number, faction in enumerate(names):
            its = seats.faction == own_number
            for number, name in enumerate(names):
                beside = (seats.left == number) | (seats.right == number)
                here, elsewhere = (price_alone(seats.chosen(its & there)) for there in (beside, met[number] & ~beside))
                if number == own_number or not (its & beside).any():
                    continue
                rows.append({
                    "players": players, "faction": faction, "neighbour": name, "games": int((its & beside).sum()),
                    "price": here.points, "low": here.low, "high": here.high,
                    **against(here, elsewhere),
                })  # fmt: skip
    return with_apart(rows, NEIGHBOURS_PART * ALPHA)


def against(here: FactionPrice, elsewhere: FactionPrice) -> dict[str, float]:
    """Return the difference of two independent prices, with its error and number of blocks.

    The error comes from the wider side of each interval. It is NaN if either interval is open on either side.
    """
    # Do not use Python's max: it would ignore a NaN as its second argument.
    errors = [
        float(np.maximum(price.high - price.points, price.points - price.low)) / two_sided_t(price.blocks, ALPHA)
        for price in (here, elsewhere)
    ]
    blocks = min(here.blocks, elsewhere.blocks)
    return {"differs": here.points - elsewhere.points, "error": math.hypot(*errors), "blocks": blocks}


def with_apart(rows: list[dict[str, Any]], rate: float) -> pl.DataFrame:
    """Return rows by neighbour with limits of `differs` that hold for all rows at this error rate (Bonferroni)."""
    schema = {"players": pl.Int64, "faction": pl.String, "neighbour": pl.String, "games": pl.Int64, "price": pl.Float64,
              "low": pl.Float64, "high": pl.Float64, "differs": pl.Float64, "error": pl.Float64,
              "blocks": pl.Int64}  # fmt: skip
    frame = pl.DataFrame(rows, schema=schema).with_columns(pl.col(pl.Float64).fill_nan(None))
    pairs = max(frame["error"].count(), 1)
    wide: Floats = t_quantile(frame["blocks"].cast(pl.Float64).to_numpy(), 1 - rate / 2 / pairs)
    reach = pl.Series("reach", wide, dtype=pl.Float64) * frame["error"]
    frame = frame.with_columns(differs_low=frame["differs"] - reach, differs_high=frame["differs"] + reach)
    apart = (pl.col("differs_low") > 0) | (pl.col("differs_high") < 0)
    frame = frame.with_columns(apart=apart.fill_null(False)).drop("error", "blocks")
    return frame.sort("players", "faction", "price", nulls_last=True)
