"""Margins of victory and changes of the lead, summed over batches of blocks.

The module also splits the variance of scores among seat, faction, strategy, the deal and the rest.

Seat, faction, strategy and number of players each explain the amount by which they raise R squared when they are added
to an additive model. This amount is averaged over all orders of adding the factors, so that correlated factors share
what they explain together (Lindeman, Merenda and Gold 1980, p. 119; Groemping 2007). The deal is estimated from the
residuals: from the correlation of scores at the same seat of the same deal under different strategies (Koch 1967). It
may be negative (Nelder 1954; Searle, Casella and McCulloch 1992). The rest arises within a game. A jackknife over
batches of blocks removes the bias of small runs and gives intervals (Efron and Tibshirani 1993, ch. 11).
`docs/statistics.md` lists the sources.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from math import factorial
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from reports.data.games import GameArrays, GameSums
from reports.data.load import Run, level_columns, level_names
from reports.data.moments import SUMS, add_block, moments_frame
from reports.formatting import counted, factors
from reports.statistics.core.jackknife import Jackknifed, jackknife
from reports.statistics.core.win_rate import ALPHA, ROUNDING, Floats, luck_interval, win_rates
from sim.compiler.kernel import kernel

BELOW = "consistent with 0: the estimate is below 0"
UNTOLD = "cannot be estimated: scores on one deal differ as much as on different deals"
SAME_SCORES = "all scores are the same"
# Kinds of groups of rows: each row alone; rows with the same deal and seat; rows with the same deal, seat and strategy.
ALONE, SEAT, REPEAT = range(3)


@dataclass(frozen=True)
class ScoreDesign:
    """Columns of the additive model for scores.

    `factors` are the nouns of the factors, such as "seat". `starts`, shape (factors + 1,), has the index of the first
    column of each, followed by the number of all columns. The faction is the second factor if `factions` is set; the
    last factors are the number of players and the variant, in this order, if `players` and `variant` are set.
    """

    factors: tuple[str, ...]
    starts: NDArray[np.int64]
    players: bool
    variant: bool = False
    factions: bool = True


def score_design(run: Run) -> ScoreDesign:
    """Return the columns of the additive model: seat, faction, strategy; and, if they vary, players and variant."""
    players = run.manifest.players
    most = players if isinstance(players, int) else max(players)
    sizes = {"seat": most}
    sizes |= {factors(run.manifest)[name]: len(level_names(run.manifest, name)) for name in level_columns(run.manifest)}
    if not isinstance(players, int) and len(players) > 1:
        sizes["number of players"] = most + 1
    named = run.seats.collect_schema().get("variant")
    if isinstance(named, pl.Enum):
        sizes["variant"] = len(named.categories)
    starts = np.cumsum([0, *sizes.values()])
    factions = "faction" in level_columns(run.manifest)
    return ScoreDesign(tuple(sizes), starts, "number of players" in sizes, "variant" in sizes, factions)


def model_codes(games: GameArrays, design: ScoreDesign) -> NDArray[np.int64]:
    """Return, for each row and factor, the index of the model column that is 1; shape (rows, factors)."""
    levels = [games.seat] + [games.faction] * design.factions + [games.strategy] + [games.players] * design.players
    levels += [games.more["variant"]] if design.variant else []
    return np.stack([level + start for level, start in zip(levels, design.starts, strict=False)], axis=1)


@kernel
def add_group_products(block: Any, batch: Any, codes: Any, strategy: int, score: Any, sums: Any) -> None:
    """Add cross-products of the sums of groups, for each kind of group.

    Let z be the vector of a row's model columns, followed by 1 and the score. `sums[batch, kind]` gains the sum over
    groups of (sum z)(sum z)'. For any additive model, the squares of the residuals' group sums follow from these
    products, without the rows.

    Parameters
    ----------
    block, batch, score
        One entry per row, shape (rows,). The rows of a block are contiguous.
    codes
        For each row the model columns that are 1, shape (rows, factors): seat, faction, strategy, ..., ascending in
        each row.
    strategy
        Index of the strategy among the factors.
    sums
        Shape (batches, kinds, columns + 2, columns + 2), changed in place. The products of a pair of columns go into
        only one of its two cells, above or below the diagonal. `REPEAT` holds only its difference from `ALONE`, since a
        strategy seldom plays a seat of a deal twice.
    """
    kinds, width = sums.shape[1], sums.shape[2]
    totals = np.zeros(width)
    touched = np.empty(width, np.int64)
    first, last = np.full(width, -1), np.empty(width, np.int64)
    following, rows = np.empty(len(block), np.int64), len(block)
    start = 0
    while start < rows:
        end = start
        alone = sums[batch[start], ALONE]
        while end < rows and block[end] == block[start]:
            add_alone(alone, codes, end, score[end], 1.0)
            seat, following[end] = codes[end, 0], -1
            if first[seat] < 0:
                first[seat] = end
            else:
                following[last[seat]] = end
            last[seat] = end
            end += 1
        for row in range(start, end if kinds > SEAT else start):
            if first[codes[row, 0]] == row:
                add_group(sums[batch[start], SEAT], totals, touched, codes, following, row, 0, score)
            repeated = kinds > REPEAT and is_repeated(codes, following, row, strategy)
            if repeated and not is_earlier(codes, first[codes[row, 0]], following, row, strategy):
                square, other = sums[batch[start], REPEAT], row
                add_group(square, totals, touched, codes, following, row, strategy, score)
                while other >= 0:
                    if codes[other, strategy] == codes[row, strategy]:
                        add_alone(square, codes, other, score[other], -1.0)
                    other = following[other]
        for row in range(start, end):
            first[codes[row, 0]] = -1
        start = end


@kernel
def is_repeated(codes: Any, following: Any, row: int, strategy: int) -> bool:
    """Tell whether a later row of the same seat and block has the same strategy as `row`."""
    other = following[row]
    while other >= 0 and codes[other, strategy] != codes[row, strategy]:
        other = following[other]
    return bool(other >= 0)


@kernel
def is_earlier(codes: Any, other: int, following: Any, row: int, strategy: int) -> bool:
    """Tell whether an earlier row of the same seat and block has the same strategy as `row`.

    `other` is the first row of this seat and block.
    """
    while other != row and codes[other, strategy] != codes[row, strategy]:
        other = following[other]
    return other != row


@kernel
def add_group(
    square: Any, totals: Any, touched: Any, codes: Any, following: Any, row: int, factor: int, score: Any
) -> None:
    """Add the outer product of one group of rows to `square`.

    `following` has for each row the next row of the same seat and block, or -1. The group is `row` and all rows that
    follow it in this chain and have the same level of `factor`.
    """
    width, used, level = len(totals), 2, codes[row, factor]
    touched[0], touched[1] = width - 2, width - 1
    while row >= 0:
        if codes[row, factor] == level:
            for place in range(codes.shape[1]):
                code = codes[row, place]
                if totals[code] == 0:
                    touched[used] = code
                    used += 1
                totals[code] += 1
            totals[width - 2] += 1
            totals[width - 1] += score[row]
        row = following[row]
    for x in range(used):
        a = touched[x]
        for y in range(x, used):
            square[a, touched[y]] += totals[a] * totals[touched[y]]
    for x in range(used):
        totals[touched[x]] = 0


@kernel
def add_alone(square: Any, codes: Any, row: int, score: float, times: float) -> None:
    """Add the outer product of a single row to `square`, multiplied by `times`."""
    width, factors = len(square), codes.shape[1]
    one, last = width - 2, width - 1
    for x in range(factors):
        for y in range(x, factors):
            square[codes[row, x], codes[row, y]] += times
        square[codes[row, x], one] += times
        square[codes[row, x], last] += times * score
    square[one, one] += times
    square[one, last] += times * score
    square[last, last] += times * score * score


def variance_shares(sums: Floats, design: ScoreDesign) -> pl.DataFrame:
    """Return the shares of the score's variance that are due to each factor, to the deal and to the rest.

    Returns
    -------
    One row per source: `source`, `share` with 95 % limits `low` and `high`, `points` (the square root of its variance),
    `note`. Shares lie between 0 and 1 and add up to 1; see `clip_at_zero`.

    A share whose whole interval lies at or below 0 is unknown. The share of the deal is unknown if its estimate is
    below 0. This estimate rests on the correlation of scores of different strategies on one deal. If players answer a
    deal differently, this correlation can be small or negative however much each player depends on the deal (Nelder
    1954). The deal is then part of the rest.
    """
    sources = [*design.factors, "deal", "within a game"]
    filled = sums[sums[:, ALONE, -2, -2] > 0]
    whole = symmetric(filled.sum(axis=0))
    variance = score_variance(whole[ALONE])
    if variance <= 0 or len(filled) < 2:
        nothing, why = [None] * len(sources), "one block" if len(filled) < 2 else SAME_SCORES
        return share_frame(sources, nothing, nothing, nothing, 0.0, [why] * len(sources))
    others = [split_variance(whole - symmetric(batch), design) for batch in filled]
    (estimate, low, high), below = clip_at_zero(split_variance(whole, design), np.array(others))
    notes = [BELOW if fell else "" for fell in below]
    unknown = np.zeros(len(sources), bool)
    if count_repeat_pairs(whole) == 0:
        notes[-2], unknown[-2] = "part of the rest: no deal is played twice", True
    elif below[-2]:
        notes[-2], unknown[-2] = UNTOLD, True
    for place, factor in enumerate(design.factors):
        levels = np.diag(whole[ALONE])[design.starts[place] : design.starts[place + 1]]
        if (levels > 0).sum() < 2:
            notes[place], unknown[place] = f"one {factor} only", True
    for values in (estimate, low, high):
        values[unknown] = np.nan
    return share_frame(sources, list(estimate), list(low), list(high), variance, notes)


def clip_at_zero(estimate: Floats, others: Floats) -> tuple[tuple[Floats, Floats, Floats], NDArray[np.bool_]]:
    """Compute shares with jackknife limits, and set negative estimates to 0.

    The unbiased estimate of a source without effect is negative about half of the time. Such a share is set to 0, and
    the source is removed from the model: its estimate is added to the last share, that of luck within a game. This last
    share gets the limits of the sum (Searle, Casella and McCulloch 1992).

    Returns
    -------
    Shares with their limits, all between 0 and 1, and which of the estimates were negative; shape (values,). A negative
    share whose upper limit is not above 0 is NaN, that is, unknown: "0, from 0 to 0" would claim too much.
    """
    found, low, high = value_and_limits(jackknife(estimate, others))
    below = np.asarray(found < 0)
    below[-1] = False
    unknown = below & (high <= 0)
    rest = np.append(np.flatnonzero(below), len(estimate) - 1)
    sums = value_and_limits(jackknife(estimate[rest].sum(keepdims=True), others[:, rest].sum(axis=1, keepdims=True)))
    for values, total in zip((found, low, high), sums, strict=True):
        values[-1] = total[0]
        np.clip(values, 0, 1, out=values)
    found[below] = 0.0
    for values in (found, low, high):
        values[unknown] = np.nan
    return (found, low, high), below


def symmetric(upper: Floats) -> Floats:
    """Fill in the lower triangles of square matrices that hold only their upper triangles."""
    return np.asarray(upper + np.swapaxes(np.triu(upper, 1), -1, -2))


def share_frame(
    sources: Sequence[str], share: Sequence[Any], low: Sequence[Any], high: Sequence[Any], variance: float, notes: Any
) -> pl.DataFrame:
    """Return the frame of `variance_shares`."""
    columns = {"share": share, "low": low, "high": high}
    frame = pl.DataFrame(
        {"source": sources} | {name: pl.Series(values, dtype=pl.Float64) for name, values in columns.items()}
    )
    points = (pl.col("share").clip(lower_bound=0) * variance).sqrt()
    return frame.with_columns(pl.exclude("source").fill_nan(None)).with_columns(
        points.alias("points"), pl.Series("note", notes, dtype=pl.String)
    )


def score_variance(square: Floats) -> float:
    """Return the variance of the score per row, from the cross-products of single rows."""
    rows = square[-2, -2]
    centred = square[-1, -1] - square[-2, -1] ** 2 / rows
    return float(centred / (rows - 1)) if rows > 1 and centred > 1e-12 * square[-1, -1] else 0.0


def count_repeat_pairs(whole: Floats) -> float:
    """Count ordered pairs of rows with the same deal and seat, but of different games and with different strategies."""
    return float(whole[SEAT, -2, -2] - whole[REPEAT, -2, -2])


def split_variance(whole: Floats, design: ScoreDesign) -> Floats:
    """Return the point estimates of the shares, shape (factors + 2,), from the symmetric cross-products of the run.

    The R squared of the additive model is split over its factors (Lindeman, Merenda and Gold 1980). The variance
    between deals at a seat is estimated from pairs of rows that share deal and seat, but neither game nor strategy: it
    is the mean product of their residuals (Koch 1967). The last share completes the sum to 1.
    """
    rows = whole[ALONE, -2, -2]
    centred = whole[ALONE] - np.outer(whole[ALONE, -2], whole[ALONE, -2]) / rows
    centred[-1, -1] = max(centred[-1, -1], 1e-300)
    factors = lmg(centred, design)
    beta = solve(centred, np.arange(design.starts[-1]))
    intercept = (whole[ALONE, -2, -1] - whole[ALONE, -2, : len(beta)] @ beta) / rows
    contrast = np.array([*-beta, -intercept, 1.0])
    squares = np.array([contrast @ square @ contrast for square in whole])
    pairs, total = count_repeat_pairs(whole), centred[-1, -1] / (rows - 1)
    deal = (squares[SEAT] - squares[REPEAT]) / pairs / total if pairs > 0 else 0.0
    return np.array([*factors, deal, 1 - factors.sum() - deal])


def solve(centred: Floats, columns: NDArray[np.int64]) -> Floats:
    """Return least-squares coefficients of the columns `columns`; a tiny ridge makes the solution unique."""
    square = centred[np.ix_(columns, columns)]
    ridge = 1e-9 * max(float(np.trace(square)), 1e-300) * np.eye(len(columns))
    return np.asarray(np.linalg.solve(square + ridge, centred[columns, -1]))


def lmg(centred: Floats, design: ScoreDesign) -> Floats:
    """Split R squared over the factors: its rise when each is added, averaged over all orders (LMG, Shapley value)."""
    number_of = len(design.factors)
    ranges = [np.arange(a, b) for a, b in zip(design.starts, design.starts[1:], strict=False)]
    explained: dict[frozenset[int], float] = {frozenset(): 0.0}
    for size in range(1, number_of + 1):
        for chosen in combinations(range(number_of), size):
            columns = np.concatenate([ranges[i] for i in chosen])
            explained[frozenset(chosen)] = float(solve(centred, columns) @ centred[columns, -1] / centred[-1, -1])
    shares = np.zeros(number_of)
    for without, value in explained.items():
        weight = factorial(len(without)) * factorial(max(0, number_of - len(without) - 1)) / factorial(number_of)
        for factor in set(range(number_of)) - without:
            shares[factor] += weight * (explained[without | {factor}] - value)
    return shares


def value_and_limits(found: Jackknifed) -> tuple[Floats, Floats, Floats]:
    """Return values with their 95 % limits."""
    reach = found.reach()
    return found.value, found.value - reach, found.value + reach


BATCHES = 100
CLOSE = (1, 2, 5)
MARGINS = 1000
QUANTILES = (0.25, 0.50, 0.75, 0.95)


class LuckSums(GameSums):
    """Sums of a run per batch of consecutive blocks.

    `design` has the columns of the additive model, `moments` the names of the moments before the end of the game at
    which scores are recorded. `sums` are filled by `add_group_products` for each kind of group: `ALONE`, `SEAT`,
    `REPEAT`. A kind is left out if its groups are those of the kind before it. If every block is one game, only `ALONE`
    is kept, since no deal repeats. If there is one strategy, `REPEAT` is left out, since its groups are those of
    `SEAT`. `margins` and `leads` are counts that `add_margins` and `add_leads` fill.
    """

    def __init__(self, run: Run) -> None:
        self.design, self.moments = score_design(run), moments_before_the_end(run, run.manifest.checkpoints)
        self.more = [*self.moments, *(["variant"] if self.design.variant else [])]
        blocks, moments = max(1, run.manifest.blocks), max(1, len(self.moments))
        self.size, self.seen = -(-blocks // BATCHES), 0
        batches, columns, most = -(-blocks // self.size), int(self.design.starts[-1]) + 2, int(self.design.starts[1])
        kinds = 1 if run.manifest.games == run.manifest.blocks else 2 if len(run.manifest.strategies) == 1 else 3
        self.sums = np.zeros((batches, kinds, columns, columns))
        self.margins = {
            "counts": np.zeros((batches, 2 * MARGINS + 1)),
            "kinds": np.zeros((batches, 3)),
            "seats": np.zeros((batches, most, 3)),
        }
        self.leads = {
            "flows": np.zeros((batches, moments, most, most)),
            "games": np.zeros((batches, 3)),
            "led": np.zeros((batches, moments, 2)),
        }

    @property
    def products(self) -> Floats:
        """The sums of all three kinds of groups, shape (batches, 3, columns + 2, columns + 2).

        Only upper triangles are filled.
        """
        whole = self.sums[:, [min(kind, self.sums.shape[1] - 1) for kind in (ALONE, SEAT, REPEAT)]]
        whole[:, REPEAT] += whole[:, ALONE] if self.sums.shape[1] > REPEAT else 0.0
        return np.asarray(np.triu(whole) + np.swapaxes(np.tril(whole, -1), -1, -2))

    def add(self, games: GameArrays) -> None:
        """Add a batch of whole blocks."""
        numbers, self.seen = batch_of(games, self.size, len(self.sums), self.seen)
        codes, strategy = model_codes(games, self.design), 2 if self.design.factions else 1
        add_group_products(games.block, numbers, codes, strategy, games.score.astype(np.float64), self.sums)
        columns_of = (games.game, games.block, numbers, games.seat, games.score, games.rank)
        add_margins(*columns_of, *self.margins.values())
        if self.moments:
            scores = np.stack([games.more[name] for name in self.moments], axis=1, dtype=np.int64, casting="unsafe")
            add_leads(games.game, games.block, numbers, scores, games.rank, *self.leads.values())


def moments_before_the_end(run: Run, moments: Sequence[str]) -> list[str]:
    """Return the moments before the end of the game: those at which some seat did not have its final score yet."""
    same = run.seats.select((pl.col(name) == pl.col("score")).all() for name in moments)
    ended = same.collect(engine="streaming").row(0) if moments else ()
    return [name for name, is_end in zip(moments, ended, strict=True) if not is_end]


def batch_of(games: GameArrays, size: int, batches: int, seen: int) -> tuple[NDArray[np.int64], int]:
    """Return the batch of every row (`size` blocks each, the last also the rest), and `seen` plus the blocks here."""
    fresh = np.diff(games.block, prepend=games.block[0] - 1) != 0
    place = seen + np.cumsum(fresh)
    return np.minimum((place - 1) // size, batches - 1), int(place[-1])


def batch_ratio(part: Floats, whole: Floats, blocks: int) -> tuple[float | None, float | None, float | None]:
    """Return sum(part) / sum(whole) over batches with 95 % limits, by a jackknife; each is None if it is unknown."""
    filled = whole > 0
    part, whole = part[filled], whole[filled]
    if not len(whole):
        return None, None, None
    value = float(part.sum() / whole.sum())
    if len(whole) < 2:
        return value, None, None
    others, batches = (part.sum() - part) / (whole.sum() - whole), len(whole)
    error = np.sqrt((batches - 1) / batches * ((others - others.mean()) ** 2).sum())
    # If nothing varies, each block counts as one trial. Otherwise the batches give the degrees of freedom.
    facts = (value, error if error > ROUNDING else 0.0, batches if error > ROUNDING else blocks)
    low, high = luck_interval(*(np.array([float(fact)]) for fact in (*facts, whole.max() / whole.mean())))
    return value, float(low[0]), float(high[0])


@kernel
def add_margins(
    game: Any, block: Any, batch: Any, seat: Any, score: Any, rank: Any, counts: Any, kinds: Any, seats: Any
) -> None:
    """Count games by the winner's margin over the second-placed seat, per batch.

    Parameters
    ----------
    game, block, batch, seat, score, rank
        One entry per row; shape (rows,).
    counts
        Games by margin, shape (batches, 2 M + 1), where M is `MARGINS`. Index M is a margin of 0; wider margins count
        as M or -M. A margin is negative if the winner has fewer points.
    kinds
        Shape (batches, 3): games; games with a tie for first place; games with a single winner and a margin of 0.
    seats
        Shape (batches, seats, 3): games, wins (ties split) and the sum of 1/players for each seat. Games of one player
        are left out.
    """
    rows, middle = len(game), counts.shape[1] // 2
    start = 0
    while start < rows:
        end = start + 1
        while end < rows and game[end] == game[start] and block[end] == block[start]:
            end += 1
        first, second, winners = start, -1, 0
        for row in range(start, end):
            if rank[row] == 1:
                winners += 1
            if rank[row] < rank[first]:
                first = row
        for row in range(start, end if end - start > 1 else start):
            seats[batch[start], seat[row], 0] += 1
            seats[batch[start], seat[row], 1] += 1 / winners if rank[row] == 1 else 0
            seats[batch[start], seat[row], 2] += 1 / (end - start)
            closer = (
                second < 0 or rank[row] < rank[second] or (rank[row] == rank[second] and score[row] > score[second])
            )
            if row != first and closer:
                second = row
        if second >= 0:
            margin = 0 if winners > 1 else score[first] - score[second]
            counts[batch[start], min(max(margin + middle, 0), 2 * middle)] += 1
            kinds[batch[start], 0] += 1
            if winners > 1:
                kinds[batch[start], 1] += 1
            elif margin == 0:
                kinds[batch[start], 2] += 1
        start = end


def margin_shares(margins: dict[str, Floats], blocks: int) -> pl.DataFrame:
    """Return the shares of close games: `what`, `share` with limits `low` and `high`, `note`."""
    counts, kinds = margins["counts"], margins["kinds"]
    games = kinds[:, 0]
    rows: list[tuple[str, Floats]] = [("shared first place", kinds[:, 1]), ("level on points, one winner", kinds[:, 2])]
    sizes = np.abs(np.arange(counts.shape[1]) - counts.shape[1] // 2)
    rows += [(f"decided by {counted(most, 'point')} or less", counts[:, sizes <= most].sum(axis=1)) for most in CLOSE]
    found = [(what, *batch_ratio(part, games, blocks)) for what, part in rows]
    unknown = pl.when(pl.col("share").is_null()).then(pl.lit("no game with two seats"))
    note = unknown.when(pl.col("low").is_null()).then(pl.lit("one block")).otherwise(pl.lit(""))
    schema = {"what": pl.String, "share": pl.Float64, "low": pl.Float64, "high": pl.Float64}
    return pl.DataFrame(found, schema=schema, orient="row").with_columns(note.alias("note"))


@kernel
def add_leads(game: Any, block: Any, batch: Any, scores: Any, rank: Any, flows: Any, games: Any, led: Any) -> None:
    """Count how ranks move between moments, how often the lead changes, and when the later winners led.

    Games of one player are skipped.

    Parameters
    ----------
    game, block, batch, rank
        One entry per row; shape (rows,).
    scores
        Scores at the moments before the end, shape (rows, moments).
    flows
        Seats by rank at one moment and rank at the next moment; shape (batches, moments, ranks, ranks). The end of the
        game follows the last moment.
    games
        Shape (batches, 3): games; winners (several where first place is shared); changes of the sole leader.
    led
        Winners who led at each moment, alone or not, and winners who led alone; shape (batches, moments, 2).
    """
    rows, moments = scores.shape
    places = np.empty(flows.shape[2], np.int64)
    start = 0
    while start < rows:
        end = start + 1
        while end < rows and game[end] == game[start] and block[end] == block[start]:
            end += 1
        if end - start == 1:
            start = end
            continue
        here = batch[start]
        games[here, 0] += 1
        leader = -1
        for moment in range(moments + 1):
            leaders, best = 0, -1
            for row in range(start, end):
                before, place = places[row - start], place_at(scores, rank, start, end, row, moment)
                places[row - start] = place
                if moment > 0:
                    flows[here, moment - 1, before - 1, place - 1] += 1
                if place == 1:
                    leaders, best = leaders + 1, row
                    if rank[row] == 1 and moment < moments:
                        led[here, moment, 0] += 1
            if leaders == 1:
                if rank[best] == 1 and moment < moments:
                    led[here, moment, 1] += 1
                if leader >= 0 and best != leader:
                    games[here, 2] += 1
                leader = best
            if moment == moments:
                games[here, 1] += leaders
        start = end


@kernel
def place_at(scores: Any, rank: Any, start: int, end: int, row: int, moment: int) -> int:
    """Return the rank of a row in its game by score at a moment. At the end, return its final rank."""
    if moment == scores.shape[1]:
        return int(rank[row])
    place = 1
    for other in range(start, end):
        if scores[other, moment] > scores[row, moment]:
            place += 1
    return place


def lead_shares(leads: dict[str, Floats], titles: Sequence[str], blocks: int) -> pl.DataFrame:
    """Return the share of final winners who were in the lead at each moment.

    The columns are `moment`, `led` with `low` and `high`, `alone` and `note`.
    """
    winners, led = leads["games"][:, 1], leads["led"]
    rows = [
        (title, *batch_ratio(led[:, place, 0], winners, blocks), batch_ratio(led[:, place, 1], winners, blocks)[0])
        for place, title in enumerate(titles)
    ]
    schema = {"moment": pl.String} | dict.fromkeys(("led", "low", "high", "alone"), pl.Float64)
    frame = pl.DataFrame(rows, schema=schema, orient="row")
    note = pl.when(pl.col("low").is_null()).then(pl.lit("one block")).otherwise(pl.lit(""))
    return frame.with_columns(note.alias("note"))


def seat_shares(seats: Floats, rate: float = ALPHA) -> pl.DataFrame:
    """Return win rates of seats, with batches as blocks: `seat` and the columns of `win_rate.win_rates`.

    `seats` are filled by `add_margins`.
    """
    found = np.flatnonzero(seats[:, :, 0].sum(axis=0) > 0)
    sums = np.zeros((len(found), len(SUMS)))
    for total, seat in zip(sums, found, strict=True):
        for n, w, e in seats[seats[:, seat, 0] > 0, seat]:
            add_block(total, n, w, e, 0.0, 0.0, 0.0)
    return win_rates(moments_frame({"seat": found}, sums), ["seat"], rate)


def margin_quantiles(counts: Floats) -> list[int]:
    """Return the quantiles of margins at `QUANTILES`."""
    reached = np.cumsum(counts) / counts.sum()
    return [int(np.searchsorted(reached, q - 1e-12)) - len(counts) // 2 for q in QUANTILES]
