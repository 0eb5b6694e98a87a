"""Fits the nets of a judge to softened results by stochastic gradient descent.

A softened result is a share of the win for each seat, by a softmax of the points (`sim.players.judge.final_chances`).
The loss is the cross-entropy with the softened results. The inputs are sparse: a seat has a few dozen of hundreds or
thousands of features, so the first layer is a product of sparse matrices.

References
----------
Kingma, D. P. and Ba, J. (2015). Adam: a method for stochastic optimization. International Conference on Learning
Representations.
Loshchilov, I. and Hutter, F. (2017). SGDR: stochastic gradient descent with warm restarts. The same conference.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

from sim.diagnostics.judges.self_play import Positions
from sim.players.judge import role_of
from sim.players.search_memory import UNITS

HELD_OUT = 20
"""One game in `HELD_OUT` is held out of the fit."""
LARGEST_BATCH, SMALLEST_BATCH, STEPS_OF_A_PASS = 2048, 256, 200
FEWEST_STEPS, MOST_PASSES = 1500, 20
"""Minimum number of steps of a fit from a random net, and maximum number of passes over all positions. With few
positions a pass has few steps. Then a fit makes more passes."""
RATE, LATER_RATE = 2e-3, 5e-4
"""Peak learning rate of a fit from a random net, and of a fit that begins with a fitted net."""
WARM_UP = 100
"""Number of steps until the learning rate reaches its peak."""
MEAN_DECAY, SQUARE_DECAY, TINY = 0.9, 0.995, 1e-8
RIDGE = 1e-5
LEAST_SPREAD = 0.25
"""Minimum standard deviation by which a feature is divided, so that rare features do not learn too fast."""

Floats = NDArray[np.float32]


@dataclass(frozen=True)
class Net:
    """The net of one part of the game: weights as in `sim.players.judge_files.Judge`, and losses on held-out positions.

    `loss` is the loss of the net. `least` is the loss of a perfect forecast: the entropy of the softened results.
    """

    rows: Floats
    biases: Floats
    ratings: Floats
    loss: float = math.nan
    least: float = math.nan


@dataclass(frozen=True)
class Examples:
    """Positions with their features as a matrix, from which batches are drawn.

    `starts` has the index of the first feature of each position, and `scale` the factor by which each feature is
    multiplied.
    """

    positions: Positions
    starts: NDArray[np.int64]
    scale: Floats

    def matrix(self, rows: NDArray[np.int64]) -> Any:
        """Return the scaled features of these positions as a sparse matrix, with a row for each seat."""
        counts = self.starts[rows + 1] - self.starts[rows]
        ends = np.cumsum(counts)
        places = np.arange(ends[-1] if len(ends) else 0) + np.repeat(self.starts[rows] - ends + counts, counts)
        index = self.positions.index[places].astype(np.int32)
        amount = self.positions.amount[places].astype(np.float32) * self.scale[index]
        begins = np.concatenate([[0], np.cumsum(self.positions.filled[rows].ravel())])
        return sp.csr_matrix((amount, index, begins), shape=(len(begins) - 1, len(self.scale)))


def examples_of(positions: Positions, features: int, chosen: NDArray[np.int64]) -> tuple[Examples, NDArray[np.bool_]]:
    """Return positions with scaled features, and for each feature whether it occurs in the chosen positions.

    Each feature is divided by its standard deviation in the chosen positions.
    """
    starts = np.concatenate([[0], np.cumsum(positions.filled.sum(axis=1, dtype=np.int64))])
    plain = Examples(positions, starts, np.ones(features, np.float32))
    some = plain.matrix(chosen[:: max(1, len(chosen) // 20_000)])
    mean = np.asarray(some.mean(axis=0)).ravel()
    spread = np.sqrt(np.maximum(np.asarray(some.power(2).mean(axis=0)).ravel() - mean**2, 0.0))
    seen = np.zeros(features, np.bool_)
    for part in np.array_split(chosen, max(1, len(chosen) // 20_000)):
        seen[np.unique(plain.matrix(part).indices)] = True
    scale = (1.0 / np.maximum(spread, LEAST_SPREAD)).astype(np.float32)
    return Examples(positions, starts, scale), seen


def roles_of_seats(seats: int, roles: int) -> list[list[int]]:
    """Return a table of roles: entry [seat][other] is the role of `other` for `seat` (see `role_of`)."""
    return [[int(role_of(other, seat, seats, roles)) for other in range(seats)] for seat in range(seats)]


def forward(net: dict[str, Floats], inputs: Any, table: list[list[int]]) -> tuple[Floats, Floats]:
    """Return the chances of all seats to win, and the inputs of their hidden units.

    `inputs` is the sparse matrix of features, with a row for each seat of each position, and `table` the roles of the
    seats (`roles_of_seats`).
    """
    seats = len(table)
    features, roles, units = net["rows"].shape
    parts = (inputs @ net["rows"].reshape(features, roles * units)).reshape(-1, seats, roles, units)
    sums = np.repeat(net["biases"][None, None], len(parts), axis=0).repeat(seats, axis=1)
    for seat in range(seats):
        for other in range(seats):
            sums[:, seat] += parts[:, other, table[seat][other]]
    rating = np.maximum(sums[..., :-1], 0.0) @ net["ratings"][:-1] + sums[..., -1]
    rating = np.exp(rating - rating.max(axis=1, keepdims=True))
    return rating / rating.sum(axis=1, keepdims=True), sums


def gradients(
    net: dict[str, Floats], inputs: Any, table: list[list[int]], wanted: Floats
) -> tuple[dict[str, Floats], float]:
    """Return the gradient of the loss for each array of weights, and the loss; `wanted` are softened results."""
    chance, sums = forward(net, inputs, table)
    features, roles, units = net["rows"].shape
    by_rating = (chance - wanted) / len(wanted)
    by_sums = np.empty_like(sums)
    by_sums[..., -1] = by_rating
    by_sums[..., :-1] = by_rating[..., None] * net["ratings"][:-1] * (sums[..., :-1] > 0.0)
    by_parts = np.zeros((len(wanted), len(table), roles, units), np.float32)
    for seat, row in enumerate(table):
        for other, role in enumerate(row):
            by_parts[:, other, role] += by_sums[:, seat]
    ratings = np.zeros(units, np.float32)
    ratings[:-1] = np.einsum("psu,ps->u", np.maximum(sums[..., :-1], 0.0), by_rating)
    rows = (inputs.T @ by_parts.reshape(-1, roles * units)).reshape(features, roles, units)
    found = {"rows": rows + RIDGE * net["rows"], "biases": by_sums.sum(axis=(0, 1)), "ratings": ratings}
    return found, entropy(chance, wanted)


def entropy(chance: Floats, wanted: Floats) -> float:
    """Return the mean cross-entropy of forecast chances `chance`, given the softened results `wanted`."""
    return float(-(wanted * np.log(np.maximum(chance, 1e-9))).sum(axis=1).mean())


def first_net(lot: np.random.Generator, features: int, roles: int) -> dict[str, Floats]:
    """Return the random weights with which a fit begins."""
    rows = lot.normal(0.0, 0.06, (features, roles, UNITS)).astype(np.float32)
    rows[..., -1] *= 0.1
    rows[:, 1:] *= 0.5
    ratings = lot.normal(0.0, 0.15, UNITS).astype(np.float32)
    ratings[-1] = 0.0
    return {"rows": rows, "biases": np.zeros(UNITS, np.float32), "ratings": ratings}


def fit_net(
    positions: Positions,
    phase: int,
    features: int,
    roles: int,
    passes: int,
    seed: int,
    say: Callable[[str], None],
    begin: Net | None = None,
) -> Net:
    """Fit the net of one part of the game, by at least `passes` passes over all positions.

    `say` receives a message with the loss after each pass. The fit begins with the net `begin`, and returns this net if
    no pass lowers its loss. By default it begins with a random net.
    """
    chosen = np.flatnonzero(positions.phase == phase)
    is_held = positions.game[chosen] % HELD_OUT == 0
    known, held = chosen[~is_held], chosen[is_held]
    lot = np.random.default_rng([seed, phase])
    if len(known) == 0 or len(held) == 0:
        net = first_net(lot, features, roles)
        return begin or Net(net["rows"] * 0.0, net["biases"], net["ratings"])
    examples, seen = examples_of(positions, features, known)
    table = roles_of_seats(positions.chance.shape[1], roles)
    scale = examples.scale[:, None, None]
    if begin is None:
        net, rate, best = first_net(lot, features, roles), RATE, None
        passes = max(passes, min(MOST_PASSES, FEWEST_STEPS * batch_size(len(known)) // len(known)))
    else:
        net = {"rows": begin.rows / scale, "biases": begin.biases.copy(), "ratings": begin.ratings.copy()}
        rate, best = LATER_RATE, begin
    least, uniform = entropy(positions.chance[held], positions.chance[held]), math.log(len(table))
    if best is not None:
        best = replace(best, loss=held_out_loss(net, examples, held, table), least=least)
        say(f"  before: {best.loss:.4f} on held-out games")
    for number, _ in enumerate(passes_of(net, examples, known, table, passes, lot, rate), start=1):
        loss = held_out_loss(net, examples, held, table)
        say(f"  pass {number} of {passes}: {loss:.4f} on held-out games")
        if best is None or loss < best.loss:
            old = 0.0 if begin is None else begin.rows
            rows = np.where(seen[:, None, None], net["rows"] * scale, old).astype(np.float32)
            best = Net(rows, net["biases"].copy(), net["ratings"].copy(), loss, least)
    say(f"  (lowest possible loss {least:.4f}, loss with even chances {uniform:.4f})")
    assert best is not None, "there are passes"
    return best


def passes_of(
    net: dict[str, Floats],
    examples: Examples,
    known: NDArray[np.int64],
    table: list[list[int]],
    passes: int,
    lot: np.random.Generator,
    most: float = RATE,
) -> Iterator[None]:
    """Improve a net in place by passes over the positions `known`; yield after each pass.

    `table` is as in `forward`, `lot` draws the order of the positions, and `most` is the peak learning rate.
    """
    size = batch_size(len(known))
    batches = max(1, len(known) // size)
    means = {name: np.zeros_like(each) for name, each in net.items()}
    squares = {name: np.zeros_like(each) for name, each in net.items()}
    step = 0
    for _ in range(passes):
        order = lot.permutation(known)
        for number in range(batches):
            rows = np.sort(order[number * size : (number + 1) * size])
            found, _ = gradients(net, examples.matrix(rows), table, examples.positions.chance[rows])
            step += 1
            rate = most * min(1.0, step / WARM_UP) * 0.5 * (1.0 + math.cos(math.pi * step / (passes * batches + 1)))
            for name, slope in found.items():
                means[name] += (1.0 - MEAN_DECAY) * (slope - means[name])
                squares[name] += (1.0 - SQUARE_DECAY) * (slope * slope - squares[name])
                size_of = np.sqrt(squares[name] / (1.0 - SQUARE_DECAY**step)) + TINY
                net[name] -= (rate / (1.0 - MEAN_DECAY**step)) * means[name] / size_of
        yield


def batch_size(positions: int) -> int:
    """Return how many positions each gradient step uses, given the number of positions of a fit."""
    return int(np.clip(positions // STEPS_OF_A_PASS, SMALLEST_BATCH, LARGEST_BATCH))


def held_out_loss(net: dict[str, Floats], examples: Examples, held: NDArray[np.int64], table: list[list[int]]) -> float:
    """Return the loss of a net on the positions `held`, which are held out of the fit."""
    parts = np.array_split(held, max(1, len(held) // LARGEST_BATCH))
    total = 0.0
    for rows in parts:
        chance, _ = forward(net, examples.matrix(rows), table)
        total += len(rows) * entropy(chance, examples.positions.chance[rows])
    return total / len(held)
