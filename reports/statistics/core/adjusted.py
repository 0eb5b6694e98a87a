"""Adjusted comparison of levels: least squares with errors that are clustered by block.

Within a group, the outcome of a row is a sum of terms, one for each level of the row: the level of the compared factor,
and the levels of the factors that are adjusted for. Each level is compared with the mean of its group's levels,
weighted by frequency (Frisch and Waugh 1933). The difference is an association among otherwise equal rows. It is not an
effect if players chose the level.

Let b be the terms, x the rows, and A the inverse (or pseudo-inverse) of sum(x x'). The score u of a block is the sum
over its rows of x times the residual. With B blocks, the variance of b is B / (B - rank) A (sum u u') A (Liang and
Zeger 1986, Cameron and Miller 2015).

A comparison is a product c b. It is estimable only if c lies in the row space of sum(x x') (Searle 1971, chapter 5). If
levels of two factors occur only together, the factors are confounded, and their levels cannot be compared.
`docs/statistics.md` lists the sources.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import NDArray

from reports.statistics.core.win_rate import t_quantile, two_sided_p
from reports.statistics.pieces.piece_strength import BLOCKS_FOR_EACH_TERM, MIN_BLOCKS

Array = NDArray[Any]
Rows = dict[str, Array]
NO_MORE_THAN_ROUNDING = 1e-12
"""Eigenvalues below this fraction of the largest eigenvalue count as 0."""


@dataclass(frozen=True)
class Adjustment:
    """One comparison: the groups within which rows are compared, the compared levels, and the factors adjusted for.

    Attributes
    ----------
    group
        Column of the groups (-1 for rows in no group), and the number of groups.
    levels
        Column of the levels that are compared, and the number of levels.
    beside
        Columns that are adjusted for, each with its number of levels.
    """

    group: tuple[str, int]
    levels: tuple[str, int]
    beside: tuple[tuple[str, int], ...]

    @property
    def factors(self) -> tuple[tuple[str, int], ...]:
        """All columns whose levels have terms."""
        return (self.levels, *self.beside)

    @property
    def terms(self) -> int:
        """Number of terms."""
        return sum(size for _, size in self.factors)


@dataclass(frozen=True)
class Adjusted:
    """Results of a comparison by group and level.

    Arrays of counts have shape (groups, levels), those of outcomes (groups, levels, outcomes). `count` and `blocks` are
    the numbers of rows of the group with this level, and of blocks with at least one such row. `mean` is the mean
    outcome without adjustment; NaN without rows. `effect` and `error` are the adjusted difference from the mean of the
    group's levels, and its standard error. They are NaN for a level in fewer than `MIN_BLOCKS` blocks, for a group with
    fewer than `BLOCKS_FOR_EACH_TERM` blocks for each term, and where the difference is not estimable. `estimable`,
    shape (groups, levels), tells whether a level is free of confounding with the factors that are adjusted for.
    `all_blocks`, shape (groups,), is the number of blocks of each group.
    """

    count: Array
    blocks: Array
    mean: Array
    effect: Array
    error: Array
    estimable: Array
    all_blocks: Array

    def interval(self, probability: float) -> tuple[Array, Array]:
        """Return limits with this coverage of each effect, by Student's t with blocks - 1 degrees of freedom."""
        reach = t_quantile(self.all_blocks.astype(np.float64), 1 - (1 - probability) / 2)
        half = reach[:, None, None] * self.error
        return self.effect - half, self.effect + half

    def p(self) -> Array:
        """Return the two-sided p-value of each effect."""
        return two_sided_p(self.effect, self.error, self.all_blocks[:, None, None])


@dataclass(frozen=True)
class LeastSquares:
    """The fitted terms of one group.

    `used` are the indices of the terms that occur, `rank` is the number of estimable terms, and `beta`, shape (terms
    that occur, outcomes), is one solution. `inverse` is the pseudo-inverse of the sums of products of terms,
    `projection` the projection onto the space that these sums span.
    """

    used: Array
    inverse: Array
    projection: Array
    rank: int
    beta: Array


def adjusted_levels(
    read: Callable[[], Iterable[Rows]], comparisons: Sequence[Adjustment], outcomes: Sequence[str]
) -> list[Adjusted]:
    """Compare levels in two passes over the rows: the first fits the terms, the second computes their errors.

    `read` returns the rows in batches of whole blocks, and is called twice. Columns of levels hold integers from 0.
    """
    grams = [np.zeros((c.group[1], c.terms, c.terms)) for c in comparisons]
    totals = [np.zeros((c.group[1], c.terms, len(outcomes))) for c in comparisons]
    for rows in read():
        for comparison, gram, total in zip(comparisons, grams, totals, strict=True):
            add_term_products(rows, comparison, outcomes, gram, total)
    fits = [
        [fit_terms(*pair) for pair in zip(gram, total, strict=True)] for gram, total in zip(grams, totals, strict=True)
    ]
    squares = [np.zeros((c.group[1], len(outcomes), c.terms, c.terms)) for c in comparisons]
    seen = [np.zeros((c.group[1], c.levels[1] + 1), np.int64) for c in comparisons]
    for rows in read():
        for place, comparison in enumerate(comparisons):
            add_block_scores(rows, comparison, outcomes, fits[place], squares[place], seen[place])
    parts = zip(grams, totals, fits, squares, seen, strict=True)
    return [compare_levels(comparison, *found) for comparison, found in zip(comparisons, parts, strict=True)]


def term_numbers(rows: Rows, comparison: Adjustment, kept: Array) -> Array:
    """Return the index of the term of each factor, for the rows that `kept` selects; shape (rows, factors)."""
    starts = np.cumsum([0, *(size for _, size in comparison.factors)])[:-1]
    return np.stack([start + rows[name][kept] for start, (name, _) in zip(starts, comparison.factors, strict=True)], 1)


def add_term_products(rows: Rows, comparison: Adjustment, outcomes: Sequence[str], gram: Array, total: Array) -> None:
    """Add products of terms with each other to `gram`, and products of terms with outcomes to `total`.

    The shapes are (groups, terms, terms) and (groups, terms, outcomes).
    """
    group = rows[comparison.group[0]]
    kept = group >= 0
    numbers, first = term_numbers(rows, comparison, kept), group[kept] * comparison.terms
    for one, other in product(range(numbers.shape[1]), repeat=2):
        pairs = (first + numbers[:, one]) * comparison.terms + numbers[:, other]
        gram += np.bincount(pairs, minlength=gram.size).reshape(gram.shape)
    for place, name in enumerate(outcomes):
        values = rows[name][kept]
        for factor in range(numbers.shape[1]):
            sums = np.bincount(first + numbers[:, factor], values, total[:, :, 0].size)
            total[:, :, place] += sums.reshape(total.shape[:2])


def fit_terms(gram: Array, total: Array) -> LeastSquares:
    """Fit the terms of one group, given the sums of their products with each other and with the outcomes."""
    used = np.flatnonzero(np.diag(gram))
    values, vectors = np.linalg.eigh(gram[np.ix_(used, used)])
    spanned = values > NO_MORE_THAN_ROUNDING * values.max(initial=0.0)
    values, vectors = values[spanned], vectors[:, spanned]
    inverse = (vectors / values) @ vectors.T
    return LeastSquares(used, inverse, vectors @ vectors.T, len(values), inverse @ total[used])


def add_block_scores(
    rows: Rows, comparison: Adjustment, outcomes: Sequence[str], fits: Sequence[LeastSquares],
    squares: Array, seen: Array,
) -> None:  # fmt: skip
    """Add products of block scores to `squares`, shape (groups, outcomes, terms, terms), and count blocks in `seen`.

    `seen` has a column for each level and, as the last one, a column for all blocks.
    """
    group, levels = rows[comparison.group[0]], comparison.levels[1]
    for number, found in enumerate(fits):
        used = found.used
        kept = group == number
        if not kept.any():
            continue
        own = used < levels
        for outcome, name in enumerate(outcomes):
            _, occurs, scores = scores_of_blocks(rows, comparison, found, kept, outcome, name)
            squares[number, outcome][np.ix_(used, used)] += scores.T @ scores
        seen[number, used[own]] += (occurs[:, own] > 0).sum(axis=0)
        seen[number, -1] += len(occurs)


def scores_of_blocks(
    rows: Rows, comparison: Adjustment, found: LeastSquares, kept: Array, outcome: int, name: str
) -> tuple[Array, Array, Array]:
    """Return the scores of the blocks of the rows `kept`, for the outcome with this index and column name.

    Returns
    -------
    The blocks, ascending; the number of rows with each term, by block and term; and the scores, by block and term. A
    score is the sum of the residuals of those rows of the block in which the term occurs.
    """
    used = found.used
    place = np.full(comparison.terms, -1)
    place[used] = np.arange(len(used))
    numbers = place[term_numbers(rows, comparison, kept)]
    blocks, block = np.unique(rows["block"][kept], return_inverse=True)
    shape = (len(blocks), len(used))
    cells = block * len(used)
    left = rows[name][kept] - found.beta[numbers, outcome].sum(axis=1)
    occurs = sum(np.bincount(cells + column, minlength=shape[0] * shape[1]) for column in numbers.T)
    scores = sum(np.bincount(cells + column, left, shape[0] * shape[1]) for column in numbers.T)
    return blocks, np.asarray(occurs).reshape(shape), np.asarray(scores).reshape(shape)


def against_their_mean(found: LeastSquares, count: Array, levels: int) -> tuple[Array, Array, Array]:
    """Return the contrasts between each level of a group and the mean of all its levels.

    Returns
    -------
    Indices of the levels among the terms that occur; the weights of each level's difference from the weighted mean, by
    level and term; and whether that difference is estimable.
    """
    used = found.used
    own = np.flatnonzero(used < levels)
    contrast = np.zeros((len(own), len(used)))
    contrast[:, own] = np.eye(len(own)) - (count[used[own]] / count.sum())[None, :]
    return own, contrast, np.asarray(np.isclose(contrast @ found.projection, contrast, atol=1e-6).all(axis=1))


def compare_levels(
    comparison: Adjustment, gram: Array, total: Array, fits: Sequence[LeastSquares], squares: Array, seen: Array,
) -> Adjusted:  # fmt: skip
    """Compare each group's levels with their mean, from the sums of `add_term_products` and `add_block_scores`."""
    groups, levels, outcomes = len(gram), comparison.levels[1], total.shape[2]
    count = np.diagonal(gram, axis1=1, axis2=2)[:, :levels]
    with np.errstate(divide="ignore", invalid="ignore"):
        mean = total[:, :levels] / count[:, :, None]
    effect, error = np.full((2, groups, levels, outcomes), np.nan)
    estimable = np.zeros((groups, levels), bool)
    blocks, all_blocks = seen[:, :-1], seen[:, -1]
    for group, found in enumerate(fits):
        used, rank = found.used, found.rank
        if not (used < levels).any():
            continue
        own, contrast, estimable[group, used[used < levels]] = against_their_mean(found, count[group], levels)
        if all_blocks[group] < fewest_blocks(rank):
            continue
        reach = contrast @ found.inverse
        scale = all_blocks[group] / (all_blocks[group] - rank)
        effect[group, used[own]] = contrast @ found.beta
        for outcome in range(outcomes):
            inner = squares[group, outcome][np.ix_(used, used)]
            variance = scale * np.einsum("ij,jk,ik->i", reach, inner, reach)
            error[group, used[own], outcome] = np.sqrt(np.maximum(variance, 0))
    known = (estimable & (blocks >= MIN_BLOCKS))[:, :, None] & (error > 0)
    effect, error = (np.where(known, values, np.nan) for values in (effect, error))
    return Adjusted(count.astype(np.int64), blocks, mean, effect, error, estimable, all_blocks)


def fewest_blocks(rank: int) -> int:
    """Return the minimum number of blocks of a group with this many estimable terms."""
    return max(BLOCKS_FOR_EACH_TERM * rank, MIN_BLOCKS)
