"""Strength of pieces in play, adjusted for other pieces, faction, seat and strategy.

The model is a rank-ordered logit (Plackett 1975; Beggs, Cardell and Hausman 1981). A seat takes first place with
probability exp(eta) / (sum over the table). One of the other seats takes second place in the same way, and so on. eta
is the sum of the terms of the seat's pieces in play, faction, strategy and seat. Tied seats have the same rivals
(Breslow 1974). Pieces that come later do not count (Rosenbaum 1984). Errors are clustered by block (Liang and Zeger
1986). `docs/statistics.md` lists the sources.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from reports.data.moments import SUMS
from reports.data.piece_counts import PieceGames
from sim.compiler.kernel import kernel
from sim.data.declarations import MAX_PLAYERS

RIDGE = 0.1
"""Precision of the normal prior of every term: a standard deviation of 3, which is a factor of 20 either way."""
BLOCKS_FOR_EACH_TERM = 10
MIN_BLOCKS = 50
"""A piece that is in play in fewer blocks is fitted but gets no estimate."""
FIRST_GAMES = 8_000
STEPS = 60
TOLERANCE = 1e-8
ACROSS = 0.1
"""Two stages have less than this fraction of plays in common; see `turn_stages`."""
BLOCKS = SUMS.index("blocks")
CHUNK = 20_000
"""Number of blocks whose gradients are in memory at a time."""

Array = NDArray[Any]


@dataclass(frozen=True)
class PieceDesign:
    """Terms of every seat-game.

    `terms` holds the terms of all seat-games, one after the other; `first`, shape (seat-games + 1,), tells where those
    of each seat-game start. `start`, `rank` and `block` are as in `PieceGames`. `piece_term` is the term of each piece;
    -1 for a piece that no seat or every seat has in play. `count` is the number of terms.
    """

    first: Array
    terms: Array
    start: Array
    rank: Array
    block: Array
    piece_term: Array
    count: int


@dataclass(frozen=True)
class PieceStrengths:
    """Effects of pieces on the log scale, each relative to the pieces that come into play in the same turns.

    `effect` and `error` have shape (pieces,). They are NaN for pieces without an estimate. `blocks` is the number of
    blocks.
    """

    effect: Array
    error: Array
    blocks: int


def piece_design(pieces: PieceGames) -> PieceDesign:
    """Number the terms of every seat-game.

    First come the pieces in play. Then come faction, strategy, seat and solo play, as far as they vary.
    """
    rows = len(pieces.seats.rank)
    in_play = np.bincount(pieces.held, minlength=len(pieces.names))
    used = (in_play > 0) & (in_play < rows)
    piece_term = np.where(used, np.cumsum(used) - 1, -1)
    count = int(used.sum())
    extra = []
    for column in (pieces.seats.faction, pieces.seats.strategy, pieces.seats.seat):
        levels, codes = np.unique(column, return_inverse=True)
        if len(levels) > 1:
            extra.append(count + codes)
            count += len(levels)
    lone = np.repeat(np.diff(pieces.start) == 1, np.diff(pieces.start))
    if lone.any():
        # The opponent in games of one player: the game itself.
        extra.append(count + np.where(lone, 0, 1))
        count += 1 if lone.all() else 2
    kept = piece_term[pieces.held] >= 0
    holder, held = pieces.holder[kept].astype(np.int64), piece_term[pieces.held[kept]]
    own = np.bincount(holder, minlength=rows)
    first = np.append(0, np.cumsum(own + len(extra))).astype(np.int64)
    terms = np.empty(first[-1], np.int16)
    terms[np.arange(len(held)) + holder * len(extra)] = held
    for place, column in enumerate(extra):
        terms[first[:-1] + own + place] = column
    return PieceDesign(first, terms, pieces.start, pieces.seats.rank, pieces.block, piece_term, count)


@kernel
def chances(eta: Array, rank: Array, first: int, size: int, residual: Array, curvature: Array) -> float:
    """Return the log likelihood of a game's finishing order, and fill in its derivatives by eta.

    Tied seats have the same rivals (Breslow 1974). A lone player's rival is the game itself, whose eta is 0.
    `residual`, shape (seats,), is filled with the gradient; `curvature`, shape (seats, seats), with minus the second
    derivatives.
    """
    likelihood = 0.0
    if size == 1:
        sign = 1.0 if rank[first] == 1 else -1.0
        lost = 1.0 / (1.0 + np.exp(sign * eta[first]))
        residual[0] = sign * lost
        curvature[0, 0] = lost * (1.0 - lost)
        return float(np.log1p(-lost)) if lost < 1.0 else float(sign * eta[first])
    top = -np.inf
    for i in range(size):
        top = max(top, eta[first + i])
        residual[i] = 0.0
        for j in range(size):
            curvature[i, j] = 0.0
    for stage in range(size):
        place = rank[first + stage]
        total = 0.0
        rivals = 0
        for i in range(size):
            if rank[first + i] >= place:
                total += np.exp(eta[first + i] - top)
                rivals += 1
        if rivals == 1:
            continue
        residual[stage] += 1.0
        likelihood += eta[first + stage] - top - np.log(total)
        for i in range(size):
            if rank[first + i] < place:
                continue
            p = np.exp(eta[first + i] - top) / total
            residual[i] -= p
            curvature[i, i] += p
            for j in range(size):
                if rank[first + j] >= place:
                    curvature[i, j] -= p * np.exp(eta[first + j] - top) / total
    return likelihood


@kernel
def seat_strengths(first: Array, terms: Array, beta: Array, low: int, high: int, eta: Array) -> None:
    """Fill `eta` with the sums of the terms of the seat-games from `low` to `high` - 1."""
    for row in range(low, high):
        total = 0.0
        for at in range(first[row], first[row + 1]):
            total += beta[terms[at]]
        eta[row] = total


@kernel
def add_gradient(
    first: Array, terms: Array, start: Array, rank: Array, block: Array, eta: Array, low: int, high: int, scores: Array
) -> float:
    """Add the gradients of the games `low` to `high` - 1 to the rows of their blocks in `scores`.

    Returns the log likelihood of these games.

    `scores` has shape (blocks, terms). Its first row is for the block of game `low`.
    """
    residual = np.empty(MAX_PLAYERS)
    curvature = np.empty((MAX_PLAYERS, MAX_PLAYERS))
    likelihood = 0.0
    for game in range(low, high):
        size = start[game + 1] - start[game]
        likelihood += chances(eta, rank, start[game], size, residual, curvature)
        score = scores[min(block[game] - block[low], scores.shape[0] - 1)]
        for seat in range(size):
            row = start[game] + seat
            for at in range(first[row], first[row + 1]):
                score[terms[at]] += residual[seat]
    return likelihood


@kernel
def add_information(
    first: Array, terms: Array, start: Array, rank: Array, eta: Array, low: int, high: int, own: Array, across: Array
) -> None:
    """Add minus the second derivatives of the games `low` to `high` - 1.

    Only the terms of the seats are touched. `own`, shape (terms, terms), gets the part of each seat with itself.
    `across`, of the same shape, gets each pair of seats once. The information is own + across + the transpose of
    across.
    """
    residual = np.empty(MAX_PLAYERS)
    curvature = np.empty((MAX_PLAYERS, MAX_PLAYERS))
    for game in range(low, high):
        size = start[game + 1] - start[game]
        chances(eta, rank, start[game], size, residual, curvature)
        for i in range(size):
            row = start[game] + i
            for j in range(i, size):
                other = start[game] + j
                weight = curvature[i, j]
                sums = own if i == j else across
                for at in range(first[row], first[row + 1]):
                    line = sums[terms[at]]
                    for beside in range(first[other], first[other + 1]):
                        line[terms[beside]] += weight


def gradient(design: PieceDesign, beta: Array, games: int) -> tuple[Array, Array]:
    """Return the gradient of the first `games` games, shape (terms,), and the sum over blocks of its outer products."""
    eta = np.empty(len(design.rank))
    seat_strengths(design.first, design.terms, beta, 0, int(design.start[games]), eta)
    total, squares = np.zeros(design.count), np.zeros((design.count, design.count))
    low = 0
    while low < games:
        high = min(games, int(np.searchsorted(design.block, design.block[low] + CHUNK)))
        scores = np.zeros((int(design.block[high - 1] - design.block[low]) + 1, design.count))
        add_gradient(design.first, design.terms, design.start, design.rank, design.block, eta, low, high, scores)
        total += scores.sum(axis=0)
        squares += scores.T @ scores
        low = high
    return total, squares


def penalised_gradient(design: PieceDesign, beta: Array, games: int) -> Array:
    """Return the gradient of the penalised log likelihood of the first `games` games, shape (terms,)."""
    eta = np.empty(len(design.rank))
    seat_strengths(design.first, design.terms, beta, 0, int(design.start[games]), eta)
    scores = np.zeros((1, design.count))
    add_gradient(design.first, design.terms, design.start, design.rank, design.block, eta, 0, games, scores)
    return np.asarray(scores[0] - RIDGE * beta)


def information(design: PieceDesign, beta: Array, games: int) -> Array:
    """Return minus the second derivatives of the penalised log likelihood of the first `games` games.

    The shape is (terms, terms).
    """
    eta = np.empty(len(design.rank))
    seat_strengths(design.first, design.terms, beta, 0, int(design.start[games]), eta)
    own, across = np.zeros((2, design.count, design.count))
    add_information(design.first, design.terms, design.start, design.rank, eta, 0, games, own, across)
    return np.asarray(own + across + across.T + RIDGE * np.eye(design.count))


def newton(design: PieceDesign) -> tuple[Array, Array]:
    """Return the maximum of the penalised likelihood, shape (terms,), and the information at or close to it.

    Newton's method runs on the first `FIRST_GAMES` games, then the chord method on all games. The chord method uses the
    same information for up to ten steps, since the point to which it converges depends on the gradient only.
    """
    games = len(design.block)
    few = min(games, FIRST_GAMES)
    beta = np.zeros(design.count)
    for _ in range(STEPS):
        step = np.linalg.solve(information(design, beta, few), penalised_gradient(design, beta, few))
        # Where a piece separates winners from losers, a step of more than a factor of e^2 would overshoot.
        beta = beta + step * min(1.0, 2.0 / max(float(np.abs(step).max()), 1e-300))
        if np.abs(step).max() < 1e-4:
            break
    curvature = information(design, beta, games)
    for number in range(STEPS):
        step = np.linalg.solve(curvature, penalised_gradient(design, beta, games))
        beta = beta + step
        if np.abs(step).max() < TOLERANCE:
            break
        if number % 10 == 9:
            curvature = information(design, beta, games)
    return beta, curvature


def turn_contrasts(turns: Array) -> Array:
    """Return contrasts, shape (pieces, pieces), of each piece with the pieces that come into play in the same turns.

    A seat plays one piece per turn, so each piece excludes another piece. Leaders have more pieces in play, so every
    piece looks good. Both effects cancel in the difference between a piece and all pieces that are played in the same
    turns, the piece itself included.
    """
    plays = turns.astype(np.float64)
    by_piece = plays / np.maximum(plays.sum(axis=1, keepdims=True), 1)
    by_turn = plays / np.maximum(plays.sum(axis=0, keepdims=True), 1)
    return np.asarray(np.diag((plays.sum(axis=1) > 0).astype(float)) - by_piece @ by_turn.T)


def turn_stages(turns: Array) -> Array:
    """Return the stage of the game, such as its age, to which each piece belongs, from 0.

    Stages follow from the turns in which pieces come into play. A new stage begins between two turns if few pieces come
    into play on both sides of the boundary. Let b and a be the plays of a piece before and after the boundary. The
    condition is that sum(min(b, a)) is less than a tenth of min(sum(b), sum(a)). A piece belongs to the stage of its
    median turn.
    """
    before = np.cumsum(turns, axis=1)
    after = before[:, -1:] - before
    across = np.minimum(before, after).sum(axis=0)
    sides = np.minimum(before.sum(axis=0), after.sum(axis=0))
    begins = np.append(0, np.cumsum((sides > 0) & (across < ACROSS * sides)))
    median = np.argmax(before >= before[:, -1:] / 2, axis=1)
    return np.asarray(np.unique(begins[median], return_inverse=True)[1])


def piece_strengths(pieces: PieceGames) -> PieceStrengths | None:
    """Fit the pieces together, stage by stage, and compare each piece with those that come into play in the same turns.

    A piece is adjusted only for the pieces of its own stage and of earlier stages. Later pieces may be a consequence of
    the piece, and adjusting for them would hide its effect (Rosenbaum 1984).

    Errors are clustered by block (Liang and Zeger 1986): with B blocks, the information H and the gradient u_b of block
    b, the variance is B / (B - terms) H^-1 (sum u_b u_b') H^-1.

    Returns
    -------
    The strengths. None if the run has fewer than ten blocks for each term, or if there is no piece that only some seats
    have in play.
    """
    blocks = int(pieces.block[-1]) + 1
    whole = piece_design(pieces)
    if not (whole.piece_term >= 0).any() or blocks < BLOCKS_FOR_EACH_TERM * whole.count:
        return None
    stage = turn_stages(pieces.turns)
    effect, error = np.full((2, len(pieces.names)), np.nan)
    for number in range(int(stage.max()) + 1):
        fitted, effects, errors = fit_stage(pieces_up_to_stage(pieces, stage, number), blocks)
        own = stage[fitted] == number
        effect[fitted[own]], error[fitted[own]] = effects[own], errors[own]
    judged = pieces.moments[1, :, BLOCKS] >= MIN_BLOCKS
    return PieceStrengths(np.where(judged, effect, np.nan), np.where(judged & (error > 0), error, np.nan), blocks)


def pieces_up_to_stage(pieces: PieceGames, stage: Array, number: int) -> PieceGames:
    """Return the games with only the pieces of stage `number` and of earlier stages. `stage` has shape (pieces,)."""
    kept = stage <= number
    rows, turns = kept[pieces.held], np.where(kept[:, None], pieces.turns, 0)
    return replace(pieces, held=pieces.held[rows], holder=pieces.holder[rows], turns=turns)


def fit_stage(pieces: PieceGames, blocks: int) -> tuple[Array, Array, Array]:
    """Fit pieces together; return their indices, their effects relative to pieces of the same turns, and the errors."""
    design = piece_design(pieces)
    beta, curvature = newton(design)
    _, squares = gradient(design, beta, len(design.block))
    inverse = np.linalg.inv(curvature)
    variance = blocks / (blocks - design.count) * inverse @ squares @ inverse
    fitted = np.flatnonzero(design.piece_term >= 0)
    contrast = turn_contrasts(pieces.turns[fitted])
    terms = design.piece_term[fitted]
    spread = np.einsum("ij,jk,ik->i", contrast, variance[np.ix_(terms, terms)], contrast)
    return fitted, contrast @ beta[terms], np.sqrt(np.maximum(spread, 0))


def points_of_share(effect: Array, fair: float) -> Array:
    """Return how much a seat's win rate among equals changes if its strength on the log scale grows by `effect`.

    The change is exp(effect) / (exp(effect) + 1 / fair - 1) - fair, which is approximately effect fair (1 - fair).
    """
    return np.asarray(1 / (1 + (1 / fair - 1) * np.exp(-effect)) - fair)
