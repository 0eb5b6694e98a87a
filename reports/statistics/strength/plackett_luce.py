"""Plackett-Luce model: strengths from finishing orders, including ties and tables of any size.

An item (here a cell of seat, faction and strategy) has strength w = exp(theta). An item takes first place with
probability w / (sum of all w at the table) (Luce 1959). One of the other items takes second place in the same way, and
so on (Plackett 1975). Each of these choices is a stage. Log strengths are linear, theta = X beta, with the design X and
the parameters beta. They are found by Newton's method on the exact likelihood, with a start from counts of pairs.

Sources, in full in `docs/statistics.md`: Hunter (2004) for the maximum of the likelihood, Azari Soufiani and others
(2013) for breaking orders into pairs, which is consistent, McFadden (1974) for first places alone, Davidson and
MacKinnon (1999) for resamples by one Newton step, Cameron and Miller (2015) for clustered errors.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit

from reports.statistics.core.win_rate import Floats
from sim.compiler.kernel import Integers, kernel
from sim.data.declarations import MAX_PLAYERS

Whole = NDArray[np.integer[Any]]
# The prior standard deviation of an effect on the log scale is 10: odds of e^10 to 1, uninformative but finite.
RIDGE = 0.01
STEPS = 60
# Information per meeting below this value is rounding error. One meeting in 10^9 gives more.
ROUNDING = 1e-12
# Batches of more games than this are summed in two threads.
THREADED = 10_000
# Newton's method stops if a step would raise the log likelihood by less than this. Such a step is shorter than 1e-3
# standard errors.
CLOSE = 1e-8
FAR = 1e150
NOTHING = slice(0)


@dataclass(frozen=True)
class Orders:
    """Finishing orders of many games, of `cells` items, in `batches` batches.

    `cell` (int32) and `rank` (int8) are the item and the finishing place of each seat-game, game by game: 1 is first,
    tied seats have equal places. `start`, int64, shape (games + 1,), is the index in `cell` at which each game begins,
    followed by the end. `batch`, int32, shape (games,), is the batch of blocks to which each game belongs.
    """

    cell: NDArray[np.int32]
    rank: NDArray[np.int8]
    start: NDArray[np.int64]
    batch: NDArray[np.int32]
    cells: int
    batches: int


@dataclass(frozen=True)
class Sums:
    """Results of one pass over all games at given strengths.

    `scores` is the gradient of the log likelihood by item, split by batch, shape (batches, items); `information` is
    minus its second derivatives, shape (items, items). `predicted` is the sum of the win probabilities of each cell's
    seat-games, shape (cells,).
    """

    likelihood: float
    scores: Floats
    information: Floats
    predicted: Floats


@dataclass(frozen=True)
class Fit:
    """The maximum of the penalised likelihood.

    `beta` are the parameters, shape (parameters,), and `inverse` is the inverse of the penalised information there,
    shape (parameters, parameters). `scores`, shape (batches, parameters), is the gradient of the log likelihood by
    batch, and `likelihood` the log likelihood, both at `beta` and without the penalty. `predicted`, shape (cells,), is
    the sum of the win probabilities of each cell's seat-games. `steps` is the number of Newton steps on the full
    likelihood, and `converged` tells whether at most `STEPS` of them reached the maximum.
    """

    beta: Floats
    inverse: Floats
    scores: Floats
    likelihood: float
    predicted: Floats
    steps: int
    converged: bool


@kernel
def add_pairs(cell: Whole, rank: Whole, start: Integers, ahead: Floats) -> None:
    """Add to `ahead[i, j]` how often item i finished ahead of item j; a tie counts half for both."""
    for game in range(len(start) - 1):
        for one in range(start[game], start[game + 1]):
            for other in range(one + 1, start[game + 1]):
                i, j = cell[one], cell[other]
                if rank[one] < rank[other]:
                    ahead[i, j] += 1
                elif rank[one] > rank[other]:
                    ahead[j, i] += 1
                else:
                    ahead[i, j] += 0.5
                    ahead[j, i] += 0.5


@kernel
def sort_game(cell: Whole, rank: Whole, first: int, last: int, items: Integers, places: Integers) -> None:
    """Copy a game's cells and places, in finishing order, to `items` and `places`."""
    for row in range(first, last):
        at = row - first
        while at > 0 and places[at - 1] > rank[row]:
            places[at], items[at] = places[at - 1], items[at - 1]
            at -= 1
        places[at], items[at] = rank[row], cell[row]


@kernel
def sort_games(cell: Whole, rank: Whole, start: Integers) -> None:
    """Put the seats of all games into finishing order, in place, so that later passes need not sort them."""
    items, places = np.empty(MAX_PLAYERS, np.int64), np.empty(MAX_PLAYERS, np.int64)
    for game in range(len(start) - 1):
        first, last = start[game], start[game + 1]
        sort_game(cell, rank, first, last, items, places)
        for row in range(first, last):
            cell[row], rank[row] = items[row - first], places[row - first]


@kernel
def tied_stages(
    w: Floats, low: int, high: int, below: float, once: Floats, twice: Floats
) -> tuple[float, float, float]:
    """Average the stages at which the tied items `low` to `high` - 1 take their places, over all their possible orders.

    While m of the t tied items are left, every subset of m items is equally likely to be the one that is left. So a
    non-empty subset U enters with weight 1 / C(t, |U|). Its denominator is D = `below` + the sum of its strengths.

    Returns
    -------
    The sums of weight * log D, weight / D and weight / D^2 over all subsets. The sums of weight / D over the subsets
    that contain i are added to `once[i]`; those of weight / D^2 over the subsets that contain i and j are added to
    `twice[i, j]`.
    """
    ties = high - low
    logs, total, squares = 0.0, 0.0, 0.0
    for subset in range(1, 1 << ties):
        denominator, size = below, 0
        for i in range(ties):
            if subset >> i & 1:
                denominator += w[low + i]
                size += 1
        weight = 1.0
        for i in range(size):
            weight *= (i + 1) / (ties - i)
        share = weight / denominator
        logs += weight * np.log(denominator)
        total += share
        squares += share / denominator
        for i in range(ties):
            if subset >> i & 1:
                once[low + i] += share
                for j in range(ties):
                    if subset >> j & 1:
                        twice[low + i, low + j] += share / denominator
    return logs, total, squares


@kernel
def first_stage(places: Integers, seats: int, left: float, chosen: Floats, once: Floats, twice: Floats) -> float:
    """Fill `chosen`, `once` and `twice` for a game in which only first place counts, as `all_stages` does for an order.

    `chosen` is each seat's share of first place. `left` is the sum of the strengths of all seats; its logarithm is
    returned.
    """
    winners = 0
    while winners < seats and places[winners] == places[0]:
        winners += 1
    for i in range(seats):
        chosen[i] = 1 / winners if i < winners else 0.0
        once[i] = 1 / left
        for j in range(i + 1):
            twice[i, j] = once[i] * once[i]
    return np.log(left)


@kernel
def all_stages(w: Floats, places: Integers, seats: int, once: Floats, twice: Floats) -> float:
    """Fill the arrays `once` and `twice` for a game with its whole order: the sums over stages of 1 / D and 1 / D^2.

    D is the sum of the strengths that are left at a stage. `add_games` and `add_seats` use these arrays.

    Returns
    -------
    The sum of log D over the stages.
    """
    passed, squares, low, logs = 0.0, 0.0, 0, 0.0
    while low < seats:
        high = low + 1
        while high < seats and places[high] == places[low]:
            high += 1
        below = 0.0
        for j in range(high, seats):
            below += w[j]
        if high == low + 1:
            denominator = below + w[low]
            logs += np.log(denominator)
            passed += 1 / denominator
            squares += 1 / (denominator * denominator)
            once[low] = passed
            for j in range(low, seats):
                twice[j, low] = squares
        else:
            for i in range(low, high):
                once[i] = passed
                for j in range(low, high):
                    twice[i, j] = squares
            tied, total, total_squares = tied_stages(w, low, high, below, once, twice)
            logs += tied
            for i in range(low, high):
                for j in range(high, seats):
                    twice[j, i] = twice[i, i]
            passed += total
            squares += total_squares
        low = high
    return logs


@kernel
def add_games(
    cell: Whole,
    rank: Whole,
    start: Integers,
    batch: Whole,
    theta: Floats,
    first_only: bool,
    item: Integers,
    scores: Floats,
    information: Floats,
    predicted: Floats,
) -> float:
    """Add log likelihood, gradient and information of all games at the log strengths `theta`; see `Sums`.

    Let D_s be the sum of the strengths that are left at stage s. An item of strength w that is left until stage m has
    gradient 1 - w * sum_{s <= m} 1 / D_s. Two items i and j have information

        w_i * [i = j] * sum 1 / D_s - w_i * w_j * sum 1 / D_s^2

    over the stages at which both items are left. Without ties, these are the stages up to the better of their two
    places.

    With `first_only`, only first place counts, and winners who tie share it. `item` holds the two items of each
    cell, shape (2, cells). The information is the sum of the matrix that is filled and its transpose.
    """
    cells, places = np.empty(MAX_PLAYERS, np.int64), np.empty(MAX_PLAYERS, np.int64)
    own, more = np.empty(MAX_PLAYERS, np.uint64), np.empty(MAX_PLAYERS, np.uint64)
    w, once, twice = np.empty(MAX_PLAYERS), np.empty(MAX_PLAYERS), np.empty((MAX_PLAYERS, MAX_PLAYERS))
    squares, strength = np.empty(MAX_PLAYERS), np.exp(theta)
    likelihood, product = 0.0, 1.0
    for game in range(len(start) - 1):
        seats = start[game + 1] - start[game]
        sort_game(cell, rank, start[game], start[game + 1], cells, places)
        left, winners, share = 0.0, seats, 1.0
        tied = False
        for i in range(seats - 1, -1, -1):
            own[i], more[i] = item[0, cells[i]], item[1, cells[i]]
            w[i] = strength[cells[i]]
            left += w[i]
            once[i] = left
            tied = tied or (i > 0 and places[i] == places[i - 1])
        if first_only:
            winners = 1
            while winners < seats and places[winners] == places[0]:
                winners += 1
            if winners > 1:
                share = 1 / winners
        if tied and not first_only:
            likelihood -= all_stages(w, places, seats, once, twice)
        else:
            passed, total = 0.0, 0.0
            for i in range(seats):
                if i == 0 or not first_only:
                    # Take one logarithm for many stages, before their product leaves the range of floats.
                    product *= once[i]
                    if not FAR > product > 1 / FAR:
                        likelihood -= np.log(product)
                        product = 1.0
                    stage = 1 / once[i]
                    passed += stage
                    total += stage * stage
                once[i], squares[i] = passed, total
        row, chance = batch[game], 1 / left
        for i in range(seats):
            gone, one, two = w[i] * once[i], own[i], more[i]
            gained = (share if i < winners else 0.0) - gone
            predicted[cells[i]] += w[i] * chance
            likelihood += theta[cells[i]] * (share if i < winners else 0.0)
            scores[row, one] += gained
            scores[row, two] += gained
            alone = gone - w[i] * w[i] * (twice[i, i] if tied and not first_only else squares[i])
            information[one, one] += alone / 2
            information[two, two] += alone / 2
            information[two, one] += alone
            for j in range(i):
                both = w[i] * w[j] * (twice[i, j] if tied and not first_only else squares[j])
                information[one, own[j]] -= both
                information[two, own[j]] -= both
                information[more[j], one] -= both
                information[two, more[j]] -= both
    return likelihood - np.log(product)


@kernel
def add_seats(
    rank: Whole, start: Integers, ordered: NDArray[np.bool_], theta: Floats, scores: Floats, weights: Floats
) -> float:
    """Fill in gradient and information by seat-game, for models in which each seat-game has a strength of its own.

    Parameters
    ----------
    rank, start
        As in `Orders`.
    ordered
        For each game, whether all its places are known; if not, only first place is known.
    theta
        Log strength of each seat-game.
    scores
        Filled with the gradient of the log likelihood.
    weights
        Filled with minus the second derivatives. Each seat-game has as many entries as its game has seats, in the order
        of the seats.

    Returns
    -------
    The log likelihood.
    """
    items, places = np.empty(MAX_PLAYERS, np.int64), np.empty(MAX_PLAYERS, np.int64)
    w, once, twice = np.empty(MAX_PLAYERS), np.empty(MAX_PLAYERS), np.empty((MAX_PLAYERS, MAX_PLAYERS))
    chosen, seat_games = np.ones(MAX_PLAYERS), np.arange(len(rank))
    likelihood, block = 0.0, 0
    for game in range(len(start) - 1):
        first, last = start[game], start[game + 1]
        seats = last - first
        sort_game(seat_games, rank, first, last, items, places)
        left = 0.0
        for i in range(seats):
            w[i] = np.exp(theta[items[i]])
            left += w[i]
            chosen[i] = 1.0
        if ordered[game]:
            likelihood -= all_stages(w, places, seats, once, twice)
        else:
            likelihood -= first_stage(places, seats, left, chosen, once, twice)
        for i in range(seats):
            likelihood += chosen[i] * theta[items[i]]
            scores[items[i]] = chosen[i] - w[i] * once[i]
            own = block + (items[i] - first) * seats
            weights[own + items[i] - first] = w[i] * once[i] - w[i] * w[i] * twice[i, i]
            for j in range(i):
                both = -w[i] * w[j] * twice[i, j]
                weights[own + items[j] - first] = both
                weights[block + (items[j] - first) * seats + items[i] - first] = both
        block += seats * seats
    return likelihood


def sum_games(
    stretches: Iterable[Orders], theta: Floats, first_only: bool = False, items: NDArray[np.uint64] | None = None
) -> Sums:
    """Return log likelihood, gradient by item and batch, and information by item, at the log strengths `theta`.

    `items` are the two items of each cell, from `split_design`. By default each cell is an item of its own.
    """
    # Large batches are always split into two halves, so that rounding does not depend on the number of cores.
    halves: list[Sums | None] = [None, None]
    cells = len(theta)
    item = np.stack([np.arange(cells), np.full(cells, cells)]).astype(np.uint64) if items is None else items

    def add(half: int, orders: Orders, part: slice) -> None:
        own = halves[half] or empty_sums(orders, int(item.max()) + 1)
        start, batch = orders.start[part.start : part.stop + 1], orders.batch[part]
        games = (orders.cell, orders.rank, start, batch, theta, first_only, item)
        likelihood = add_games(*games, own.scores, own.information, own.predicted)
        halves[half] = replace(own, likelihood=own.likelihood + float(likelihood))

    with ThreadPoolExecutor(1) as other:
        for orders in stretches:
            games = len(orders.batch)
            half = games // 2 if games >= THREADED else 0
            first = other.submit(add, 1, orders, slice(0, half)) if half else None
            add(0, orders, slice(half, games))
            if first is not None:
                first.result()
    found = [half for half in halves if half is not None]
    if not found:
        raise ValueError("no games to sum")
    sums = found[0] if len(found) == 1 else combined_sums(found[0], found[1])
    shown = slice(cells if items is None else None)
    information = (sums.information + sums.information.T)[shown, shown]
    return replace(sums, scores=sums.scores[:, shown], information=information)


def empty_sums(orders: Orders, items: int) -> Sums:
    """Return sums of zero games, to which games are added."""
    return Sums(0.0, np.zeros((orders.batches, items)), np.zeros((items, items)), np.zeros(orders.cells))


def combined_sums(one: Sums, other: Sums) -> Sums:
    """Add the sums over two sets of games."""
    return Sums(
        one.likelihood + other.likelihood,
        one.scores + other.scores,
        one.information + other.information,
        one.predicted + other.predicted,
    )


def split_design(design: Floats, apart: slice) -> tuple[Floats, NDArray[np.uint64]]:
    """Write each row of a design as the sum of the rows of two items. There are fewer items than cells.

    Sums over pairs of items fit into the processor's cache; sums over pairs of cells do not.

    Parameters
    ----------
    apart
        Columns of the design that the second items take, such as those of seats.

    Returns
    -------
    The rows of the items, shape (items, parameters), and the two items of each cell, shape (2, cells).
    """
    second = np.zeros_like(design)
    second[:, apart] = design[:, apart]
    parts = [np.unique(part, axis=0, return_inverse=True) for part in (design - second, second)]
    (rows, own), (more_rows, more) = parts
    items = np.stack([own.ravel(), len(rows) + more.ravel()])
    return np.concatenate([rows, more_rows]), items.astype(np.uint64)


def of_size(orders: Orders, players: int) -> Orders:
    """Return only the games with this number of players."""
    seats = np.diff(orders.start)
    chosen = seats == players
    if chosen.all():
        return orders
    rows = np.repeat(chosen, seats)
    start = np.arange(chosen.sum() + 1, dtype=np.int64) * players
    return replace(orders, cell=orders.cell[rows], rank=orders.rank[rows], start=start, batch=orders.batch[chosen])


def count_pairs(stretches: Iterable[Orders], sizes: Sequence[int]) -> tuple[Floats, list[Floats]]:
    """Count how often each item finished ahead of each other item (a tie counts half), shape (cells, cells).

    Also returns how often two items met, for each table size, with the same shape.
    """
    ahead = [np.zeros((0, 0)) for _ in sizes]
    for orders in stretches:
        if not len(ahead[0]):
            ahead = [np.zeros((orders.cells, orders.cells)) for _ in sizes]
        for players, own_ahead in zip(sizes, ahead, strict=True):
            own = of_size(orders, players)
            add_pairs(own.cell, own.rank, own.start, own_ahead)
    return np.sum(ahead, axis=0), [own + own.T for own in ahead]


def contrasts(levels: int) -> Floats:
    """Return orthonormal Helmert contrasts, shape (levels, levels - 1).

    They are orthonormal, so that a ridge on the parameters is the same ridge on the effects, whatever the order of
    levels.
    """
    columns = np.zeros((levels, levels - 1))
    for k in range(1, levels):
        columns[:k, k - 1], columns[k, k - 1] = 1, -k
        columns[:, k - 1] /= np.sqrt(k * (k + 1))
    return columns


def unknown_directions(parts: Sequence[Floats], together: Floats) -> Floats:
    """Return an orthonormal basis, one direction per column, of the contrasts that finishing orders do not identify.

    It spans the null space of the information on the parameters if all strengths are equal. Up to a factor, this is
    X' (D - M) X. The columns of the design X are those of all `parts`, M (`together`) counts how often two items met,
    and D holds its row sums. D - M is the Laplacian of the graph of who met whom.
    """
    design = np.concatenate(parts, axis=1)
    laplacian = np.diag(together.sum(axis=1) - np.diag(together)) - (together - np.diag(np.diag(together)))
    information = np.asarray(design.T @ laplacian @ design) / max(together.sum(), 1)
    if not information.size:
        return information
    values, vectors = np.linalg.eigh(information)
    return np.asarray(vectors[:, values <= ROUNDING])


def invert(information: Floats) -> Floats:
    """Return the inverse of an information matrix, or its pseudo-inverse if it is singular."""
    try:
        return np.asarray(np.linalg.inv(information))
    except np.linalg.LinAlgError:
        return np.asarray(np.linalg.pinv(information, hermitian=True))


def fit_pairs(design: Floats, ahead: Floats, ridge: float = RIDGE, close: float = 0.01) -> Floats:
    """Fit strengths to counts of pairs: the Bradley-Terry model by Newton's method.

    Under Plackett-Luce, a cell of strength w_i finishes ahead of one of strength w_j with chance w_i / (w_i + w_j). So
    the estimate is consistent (Azari Soufiani et al. 2013). It weighs pairs differently from the full likelihood, for
    which it serves as a start. With two players, it also maximises the full likelihood.

    Parameters
    ----------
    design
        X, shape (cells, parameters).
    ahead
        From `count_pairs`.
    ridge
        Penalty: ridge / 2 * sum(beta^2) is subtracted from the log likelihood.
    close
        The fit stops when another step would raise the log likelihood by less than this. A start need not be precise.

    Returns
    -------
    beta, shape (parameters,).
    """
    met = ahead + ahead.T
    beta, best = np.zeros(design.shape[1]), -np.inf
    step, scale = np.zeros_like(beta), 1.0
    for _ in range(STEPS):
        trial = beta + scale * step
        theta = design @ trial
        gaps = theta[:, None] - theta[None, :]
        value = float(-(ahead * np.logaddexp(0, -gaps)).sum() - ridge / 2 * trial @ trial)
        if value < best - 1e-9 * abs(best):
            scale /= 2
            continue
        beta, best, scale = trial, value, 1.0
        chance = expit(gaps)
        expected = met * chance
        gradient = design.T @ (ahead.sum(axis=1) - expected.sum(axis=1)) - ridge * beta
        weight = expected * (1 - chance)
        laplacian = np.diag(weight.sum(axis=1)) - weight
        step = invert(design.T @ laplacian @ design + ridge * np.eye(len(beta))) @ gradient
        if float(gradient @ step) < close:
            break
    return beta


def fit_orders(
    stretches: Iterable[Orders],
    design: Floats,
    ridge: float = RIDGE,
    start: Floats | None = None,
    first_only: bool = False,
    apart: slice = NOTHING,
) -> Fit:
    """Maximise the penalised Plackett-Luce likelihood by Newton's method; steps that overshoot are halved.

    The penalised likelihood is concave in beta, so the maximum does not depend on the start.

    Parameters
    ----------
    stretches
        The games in batches. They are read once per step.
    design
        X, shape (cells, parameters). The log strengths of the cells are X beta.
    ridge
        Penalty: ridge / 2 * sum(beta^2), a normal prior of variance 1 / ridge on every effect. With it, even an item
        that never wins has a finite strength. For other items the penalty weighs no more than a fraction of a game.
    start
        First guess, shape (parameters,); zeros by default.
    first_only
        Whether to learn from first places alone. Seats that tie for first place share it (McFadden 1974). At the
        maximum, the predicted wins of every effect equal the observed wins except for the ridge, even if lower places
        do not follow the model.
    apart
        See `split_design`. The fit is the same except for rounding.

    Returns
    -------
    The maximum. It is reached when another step would raise the log likelihood by less than 1e-8.
    """
    beta, best = np.zeros(design.shape[1]), -np.inf
    step, scale = np.zeros_like(beta) if start is None else start, 1.0
    steps, (rows, items) = 0, split_design(design, apart)
    while True:
        trial = beta + scale * step
        sums = sum_games(stretches, design @ trial, first_only, items)
        value = sums.likelihood - ridge / 2 * float(trial @ trial)
        if value < best - 1e-9 * abs(best) and steps < STEPS:
            scale, steps = scale / 2, steps + 1
            continue
        beta, best, scale = trial, value, 1.0
        scores = sums.scores @ rows
        gradient = scores.sum(axis=0) - ridge * beta
        information = rows.T @ sums.information @ rows + ridge * np.eye(len(beta))
        inverse = invert(information)
        step = inverse @ gradient
        converged = float(gradient @ step) < CLOSE
        if converged or steps >= STEPS:
            return Fit(beta, inverse, scores, sums.likelihood, sums.predicted, steps, converged)
        steps += 1


@lru_cache(maxsize=1)
def draws_of_batches(batches: int, resamples: int, seed: int) -> Integers:
    """Return how often each batch is drawn in each resample, shape (resamples, batches). All fits share these draws."""
    counts = np.random.default_rng(seed).multinomial(batches, np.full(batches, 1 / batches), size=resamples)
    counts.setflags(write=False)
    return counts


def resample(fit: Fit, contrasts: float, resamples: int = 1000, seed: int = 1) -> Floats:
    """Bootstrap the parameters by blocks. Each resample takes one Newton step from the maximum.

    A resample draws as many batches as there are, with replacement. If batch b is drawn n_b times, beta* = beta + H^-1
    sum_b (n_b - 1) s_b, with the information H and the scores s_b at the maximum (Davidson and MacKinnon 1999).
    Deviations from beta are widened by sqrt(B / (B - 1) * N / (N - p)), since the fit of p parameters has drawn the
    scores of B batches and N contrasts towards zero. (This is the usual correction of clustered errors, Cameron and
    Miller 2015.)

    Parameters
    ----------
    contrasts
        N, the number of independent comparisons: blocks * (players - 1).

    Returns
    -------
    The resampled parameters beta*, shape (resamples, parameters).
    """
    batches, parameters = fit.scores.shape
    counts = draws_of_batches(batches, resamples, seed)
    widened = np.sqrt(batches / max(batches - 1, 1) * contrasts / max(contrasts - parameters, 1))
    return np.asarray(fit.beta + widened * ((counts - 1) @ fit.scores @ fit.inverse))


@kernel
def add_wins(cell: Whole, rank: Whole, start: Integers, wins: Floats, fair: Floats) -> None:
    """Add each cell's wins, split among winners who tie, and its fair shares, 1 / players per seat-game."""
    for game in range(len(start) - 1):
        first, last = start[game], start[game + 1]
        best, winners = rank[first], 0
        for row in range(first, last):
            best = min(best, rank[row])
        for row in range(first, last):
            winners += rank[row] == best
        for row in range(first, last):
            fair[cell[row]] += 1 / (last - first)
            if rank[row] == best:
                wins[cell[row]] += 1 / winners
