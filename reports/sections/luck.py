"""Seats and luck: what decides a score, by how much games are won, and who led on the way.

The variance of the score is split in two steps. What faction, strategy, seat and number of players explain is the
gain in R squared by each, averaged over all orders in which they can enter an additive model, so that factors that go
together share what they explain together. Of what is left, the deal explains as much as
scores at the same seat of the same deal are alike although another strategy plays it. The rest is what happens within
one game. Batches of blocks are left out in turn to remove the bias of small runs and to get intervals.

References
----------
Lindeman, R. H., Merenda, P. F. and Gold, R. Z. (1980). Introduction to Bivariate and Multivariate Analysis, p. 119.
Groemping, U. (2007). Estimators of relative importance in linear regression based on variance decomposition. The
American Statistician 61, 139-147.
Koch, G. G. (1967). A general approach to the estimation of variance components. Technometrics 9, 93-118.
Searle, S. R., Casella, G. and McCulloch, C. E. (1992). Variance Components.
Efron, B. and Tibshirani, R. J. (1993). An Introduction to the Bootstrap, ch. 11 (jackknife).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from itertools import combinations
from math import factorial
from typing import Any

import matplotlib as mpl
import numpy as np
import polars as pl
from matplotlib.axes import Axes
from matplotlib.patches import PathPatch, Rectangle
from matplotlib.path import Path
from matplotlib.ticker import FuncFormatter, PercentFormatter
from numpy.typing import NDArray
from scipy import stats

from reports.data.games import Games, read_games
from reports.data.load import Run, level_names
from reports.data.moments import SUMS, add_block, moments_frame
from reports.shapes import Column, Listing, Picture, Section
from reports.show.figures import FAINT, INK, NEUTRAL, STRONG, STYLE, WIDTH, blank
from reports.statistics.winshare import ALPHA, win_shares
from reports.words import counted, edge_words, number, percent
from sim.jit import kernel

BATCHES = 100
CLOSE = (1, 2, 5)
MARGINS = 1000
BELOW = "not told from 0: the estimate fell below it"
SAME_SCORES = "all scores are the same"
QUANTILES = (0.25, 0.50, 0.75, 0.95)
# What rows of a group share: nothing (each row alone), deal and seat, or deal, seat and strategy.
ALONE, SEAT, REPEAT = range(3)
SHADES = ("#C4500A", "#E8C33A", "#8C6BB1", "#5B4636", "#0072B2", "#56B4E9", "#D9DEE3")
# From the winner, who stands out, to the last.
RANKS = ("#C4500A", "#8FB3CC", "#B4C7D3", "#CBD5DC", "#D9DEE3", "#E4E8EB", "#ECEFF1")
SHARE_COLUMNS = (
    Column("source", "what", "text"),
    Column("share", "share of the differences in score", "share", "low", "high", "of the score's variance"),
    Column("points", "points", "number", meaning="typical size: standard deviation in points"),
    Column("note", "note", "text"),
)
MARGIN_COLUMNS = (
    Column("what", "games", "text"),
    Column("share", "share", "share", "low", "high", "share of games"),
    Column("note", "note", "text"),
)
LEAD_COLUMNS = (
    Column("moment", "moment", "text"),
    Column("led", "winner in the lead", "share", "low", "high", "final winner had most points then, alone or not"),
    Column("alone", "in the lead alone", "share", meaning="final winner had more points then than any other"),
    Column("note", "note", "text"),
)
READING = (
    "The bar splits all differences between scores: what comes with board, strategy and seat, what the deal brings, "
    "and the rest, which is decided within a single game. A deal counts as far as scores at the same seat of the same "
    "deal are alike although others play it. Margins are points between first and second place."
)

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Design:
    """Columns of the additive model.

    Attributes
    ----------
    factors
        What its factors are called, e.g. "seat".
    starts
        Where the columns of each factor start, and the end; shape (factors + 1,).
    players, variant
        Whether the number of players, and then the variant, are factors behind the others.
    """

    factors: tuple[str, ...]
    starts: NDArray[np.int64]
    players: bool
    variant: bool = False


def luck_section(run: Run) -> Section:
    """Shares of the score's variance, margins of victory, and the lead on the way.

    Parameters
    ----------
    run
        From `load_run`. The manifest's `checkpoints`, if any, names measures with each seat's score at earlier
        moments, in their order.
    """
    moments: list[str] = run.manifest.get("checkpoints", [])
    design = design_of(run)
    sums, margins, leads = gather(run, design, moments)
    shares = variance_shares(sums, design)
    close = margin_shares(margins)
    sentences = [*variance_words(shares), seat_words(margins["seats"]), *margin_words(margins, close)]
    listings = [
        Listing("luck shares", "What decides the score", shares, SHARE_COLUMNS),
        Listing("luck margins", "How close games are", close, MARGIN_COLUMNS),
    ]
    pictures = []
    if shares["share"].is_not_null().any():
        said = variance_words(shares)[0]
        pictures.append(Picture("luck shares", partial(share_bar, shares), said))
    if margins["counts"].sum() > 0:
        said = "How often each margin between first and second place occurs."
        pictures.append(Picture("luck margins", partial(margin_bars, margins["counts"].sum(axis=0)), said))
    if not moments:
        sentences.append("This run has no scores from before the end, so nothing can be said on changes of the lead.")
    elif leads["games"].sum() > 0:
        titles = [moment_title(name) for name in moments]
        lead = lead_shares(leads, titles)
        sentences += lead_words(leads, lead)
        listings.append(Listing("luck leads", "Who led on the way", lead, LEAD_COLUMNS))
        said = f"How ranks move from {titles[0]} to the end."
        flows = leads["flows"].sum(axis=0)
        pictures.append(Picture("luck ranks", partial(rank_flows, flows, [*titles, "end"]), said))
    return Section("luck", "Seats and luck", tuple(sentences), tuple(listings), tuple(pictures), READING)


def design_of(run: Run) -> Design:
    """Lay out the columns of the additive model: seat, faction, strategy; players and variant where they vary."""
    players = run.manifest["players"]
    most = players if isinstance(players, int) else max(players)
    sizes = {
        "seat": most,
        run.manifest["faction_title"]: len(level_names(run.manifest, "faction")),
        "strategy": len(level_names(run.manifest, "strategy")),
    }
    if not isinstance(players, int) and len(players) > 1:
        sizes["number of players"] = most + 1
    named = run.seats.collect_schema().get("variant")
    if isinstance(named, pl.Enum):
        sizes["variant"] = len(named.categories)
    starts = np.cumsum([0, *sizes.values()])
    return Design(tuple(sizes), starts, "number of players" in sizes, "variant" in sizes)


def gather(run: Run, design: Design, moments: Sequence[str]) -> tuple[Floats, dict[str, Floats], dict[str, Floats]]:
    """Sum a run per batch of consecutive blocks.

    Returns
    -------
    Cross-products of the model's columns and the score, see `add_products`; margins, see `add_margins`; leads, see
    `add_leads`.
    """
    blocks = max(1, run.manifest["blocks"])
    size = -(-blocks // BATCHES)
    batches, columns, most = -(-blocks // size), int(design.starts[-1]) + 2, int(design.starts[1])
    sums = np.zeros((batches, 3, columns, columns))
    margins = {
        "counts": np.zeros((batches, 2 * MARGINS + 1)),
        "kinds": np.zeros((batches, 3)),
        "seats": np.zeros((batches, most, 3)),
    }
    leads = {
        "flows": np.zeros((batches, max(1, len(moments)), most, most)),
        "games": np.zeros((batches, 3)),
        "led": np.zeros((batches, max(1, len(moments)), 2)),
    }
    seen = 0
    for games in read_games(run, [*moments, *(["variant"] if design.variant else [])]):
        numbers, seen_now = batch_of(games, size, batches, seen)
        codes = model_codes(games, design)
        add_products(games.block, numbers, codes, games.score.astype(np.float64), sums)
        columns_of = (games.game, games.block, numbers, games.seat, games.score, games.rank)
        add_margins(*columns_of, margins["counts"], margins["kinds"], margins["seats"])
        if moments:
            scores = np.stack([games.more[name] for name in moments], axis=1)
            arrays = (games.game, games.block, numbers, scores, games.rank)
            add_leads(*arrays, leads["flows"], leads["games"], leads["led"])
        seen = seen_now
    return sums, margins, leads


def batch_of(games: Games, size: int, batches: int, seen: int) -> tuple[NDArray[np.int64], int]:
    """Batch of every row, and how many blocks have been seen after these."""
    fresh = np.diff(games.block, prepend=games.block[0] - 1) != 0
    place = seen + np.cumsum(fresh)
    return np.minimum((place - 1) // size, batches - 1), int(place[-1])


def model_codes(games: Games, design: Design) -> NDArray[np.int64]:
    """Columns of the model that are 1 in each row, one per factor; shape (rows, factors)."""
    levels = [games.seat, games.faction, games.strategy] + [games.players] * design.players
    levels += [games.more["variant"]] if design.variant else []
    return np.stack([level + start for level, start in zip(levels, design.starts, strict=False)], axis=1)


@kernel
def add_products(block: Any, batch: Any, codes: Any, score: Any, sums: Any) -> None:
    """Add cross-products of group sums, for groups of rows that share something.

    With z the vector of a row's model columns, 1 and the score, `sums[batch, kind]` gains the sum over groups of
    (sum z)(sum z)'. The residuals of any additive model then have group sums of squares that follow without the rows.

    Parameters
    ----------
    block, batch, score
        One entry per row, rows of a block next to each other; shape (rows,).
    codes
        Columns of the model that are 1, shape (rows, factors): seat, faction, strategy, ..., rising in each row.
    sums
        Shape (batches, 3, columns + 2, columns + 2), changed in place; only the upper triangle is filled.
    """
    width = sums.shape[2]
    totals = np.zeros(width)
    touched = np.empty(width, np.int64)
    rows = len(block)
    start = 0
    while start < rows:
        end = start + 1
        while end < rows and block[end] == block[start]:
            end += 1
        done = np.zeros(end - start, np.int64)
        for kind in range(3):
            square = sums[batch[start], kind]
            for first in range(start, end):
                if kind != ALONE and done[first - start] == kind:
                    continue
                used = 0
                # A seat occurs once in a game, so other rows of the group come from later games.
                for row in range(first + 1, end if kind != ALONE else first):
                    same = codes[row, 0] == codes[first, 0]
                    if same and (kind == SEAT or codes[row, 2] == codes[first, 2]):
                        done[row - start] = kind
                        if used == 0:
                            used = add_row(totals, touched, 0, codes, first, score[first])
                        used = add_row(totals, touched, used, codes, row, score[row])
                if used == 0:
                    add_alone(square, codes, first, score[first])
                else:
                    add_square(square, totals, touched, used)
        start = end


@kernel
def add_alone(square: Any, codes: Any, row: int, score: float) -> None:
    """Add the outer product of a group of one row, upper triangle only; most groups are such."""
    width, factors = len(square), codes.shape[1]
    one, last = width - 2, width - 1
    for x in range(factors):
        for y in range(x, factors):
            square[codes[row, x], codes[row, y]] += 1
        square[codes[row, x], one] += 1
        square[codes[row, x], last] += score
    square[one, one] += 1
    square[one, last] += score
    square[last, last] += score * score


@kernel
def add_row(totals: Any, touched: Any, used: int, codes: Any, row: int, score: float) -> int:
    """Add a row's columns, 1 and score to a group's totals; return how many columns the group touches."""
    width = len(totals)
    for factor in range(codes.shape[1]):
        code = codes[row, factor]
        if totals[code] == 0:
            touched[used] = code
            used += 1
        totals[code] += 1
    if totals[width - 2] == 0:
        touched[used], touched[used + 1] = width - 2, width - 1
        used += 2
    totals[width - 2] += 1
    totals[width - 1] += score
    return used


@kernel
def add_square(square: Any, totals: Any, touched: Any, used: int) -> None:
    """Add the outer product of a group's totals, upper triangle only, and clear them."""
    for x in range(used):
        a = touched[x]
        for y in range(x, used):
            b = touched[y]
            square[min(a, b), max(a, b)] += totals[a] * totals[b]
    for x in range(used):
        totals[touched[x]] = 0


def variance_shares(sums: Floats, design: Design) -> pl.DataFrame:
    """Shares of the score's variance by factor, by the deal, and the rest.

    Parameters
    ----------
    sums
        From `gather`.
    design
        From `design_of`.

    Returns
    -------
    One row per source: `source`, `share` with 95 % limits `low` and `high`, `points` (root of its variance), `note`.
    Shares are from 0 to 1 and add up to 1: see `pooled`.
    """
    sources = [*design.factors, "deal", "within a game"]
    filled = sums[sums[:, ALONE, -2, -2] > 0]
    whole = symmetric(filled.sum(axis=0))
    variance = spread(whole[ALONE])
    if variance <= 0 or len(filled) < 2:
        nothing, why = [None] * len(sources), "one block" if len(filled) < 2 else SAME_SCORES
        return share_frame(sources, nothing, nothing, nothing, 0.0, [why] * len(sources))
    others = [split_variance(whole - symmetric(batch), design) for batch in filled]
    (estimate, low, high), below = pooled(split_variance(whole, design), np.array(others))
    notes = [BELOW if fell else "" for fell in below]
    if pairs_of(whole) == 0:
        notes[-2] = "part of the rest: no deal is played twice"
        estimate[-2] = low[-2] = high[-2] = np.nan
    for place, factor in enumerate(design.factors):
        levels = np.diag(whole[ALONE])[design.starts[place] : design.starts[place + 1]]
        if (levels > 0).sum() < 2:
            notes[place] = f"one {factor} only"
            estimate[place] = low[place] = high[place] = np.nan
    return share_frame(sources, list(estimate), list(low), list(high), variance, notes)


def pooled(estimate: Floats, others: Floats) -> tuple[tuple[Floats, Floats, Floats], NDArray[np.bool_]]:
    """Jackknife shares whose unbiased estimates may fall below 0, and put those at 0.

    A share without any effect comes out below 0 about as often as above. It is then counted as 0 and left to the last
    one, what arises within a game, whose estimate and limits are those of the sum (Searle, Casella and McCulloch 1992,
    on negative estimates: the source is taken out of the model).

    Parameters
    ----------
    estimate, others
        As for `jackknife`; the values add up to 1.

    Returns
    -------
    Shares with their limits, within 0 and 1, and which of them came out below 0; shape (values,).
    """
    found, low, high = jackknife(estimate, others)
    below = np.asarray(found < 0)
    below[-1] = False
    rest = np.append(np.flatnonzero(below), len(estimate) - 1)
    sums = jackknife(estimate[rest].sum(keepdims=True), others[:, rest].sum(axis=1, keepdims=True))
    for values, total in zip((found, low, high), sums, strict=True):
        values[-1] = total[0]
        np.clip(values, 0, 1, out=values)
    found[below] = 0.0
    return (found, low, high), below


def symmetric(upper: Floats) -> Floats:
    """Fill the lower triangles of square matrices that hold only their upper one."""
    return np.asarray(upper + np.swapaxes(np.triu(upper, 1), -1, -2))


def share_frame(
    sources: Sequence[str], share: Sequence[Any], low: Sequence[Any], high: Sequence[Any], variance: float, notes: Any
) -> pl.DataFrame:
    """Frame of `variance_shares`."""
    columns = {"share": share, "low": low, "high": high}
    frame = pl.DataFrame(
        {"source": sources} | {name: pl.Series(values, dtype=pl.Float64) for name, values in columns.items()}
    )
    points = (pl.col("share").clip(lower_bound=0) * variance).sqrt()
    return frame.with_columns(pl.exclude("source").fill_nan(None)).with_columns(
        points.alias("points"), pl.Series("note", notes, dtype=pl.String)
    )


def spread(square: Floats) -> float:
    """Variance of the score per row, from cross-products of rows."""
    rows = square[-2, -2]
    centred = square[-1, -1] - square[-2, -1] ** 2 / rows
    return float(centred / (rows - 1)) if rows > 1 and centred > 1e-12 * square[-1, -1] else 0.0


def pairs_of(whole: Floats) -> float:
    """Ordered pairs of rows that share deal and seat, but neither game nor strategy."""
    return float(whole[SEAT, -2, -2] - whole[REPEAT, -2, -2])


def split_variance(whole: Floats, design: Design) -> Floats:
    """Point estimate of the shares, from symmetric cross-products of the run; shape (factors + 2,).

    The R squared of the additive model is split over its factors (Lindeman, Merenda and Gold 1980). The residuals'
    mean product over pairs of rows that share deal and seat, but neither game nor strategy, estimates the variance
    between deals at a seat (Koch 1967). The rest makes 1.
    """
    rows = whole[ALONE, -2, -2]
    centred = whole[ALONE] - np.outer(whole[ALONE, -2], whole[ALONE, -2]) / rows
    centred[-1, -1] = max(centred[-1, -1], 1e-300)
    factors = lmg(centred, design)
    beta = solve(centred, np.arange(design.starts[-1]))
    intercept = (whole[ALONE, -2, -1] - whole[ALONE, -2, : len(beta)] @ beta) / rows
    contrast = np.array([*-beta, -intercept, 1.0])
    squares = np.array([contrast @ square @ contrast for square in whole])
    pairs, total = pairs_of(whole), centred[-1, -1] / (rows - 1)
    deal = (squares[SEAT] - squares[REPEAT]) / pairs / total if pairs > 0 else 0.0
    return np.array([*factors, deal, 1 - factors.sum() - deal])


def solve(centred: Floats, columns: NDArray[np.int64]) -> Floats:
    """Least-squares coefficients of some columns; a trace of ridge picks one of many solutions that fit alike."""
    square = centred[np.ix_(columns, columns)]
    ridge = 1e-9 * max(float(np.trace(square)), 1e-300) * np.eye(len(columns))
    return np.asarray(np.linalg.solve(square + ridge, centred[columns, -1]))


def lmg(centred: Floats, design: Design) -> Floats:
    """Split R squared over the factors: each one's gain, averaged over all orders of entering (LMG, Shapley value)."""
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


def jackknife(estimate: Floats, others: Floats) -> tuple[Floats, Floats, Floats]:
    """Estimate without its bias of order 1/G, with 95 % limits, from estimates that each leave out one batch.

    Parameters
    ----------
    estimate
        From all batches, shape (values,).
    others
        Each without one batch, shape (G, values).

    Returns
    -------
    G estimate - (G - 1) mean(others), and its limits by Student's t with G - 1 degrees of freedom (Efron and
    Tibshirani 1993, ch. 11).
    """
    size = len(others)
    mean = others.mean(axis=0)
    error = np.sqrt((size - 1) / size * ((others - mean) ** 2).sum(axis=0))
    reach = float(stats.t.ppf(1 - ALPHA / 2, size - 1)) * error
    better = size * estimate - (size - 1) * mean
    return better, better - reach, better + reach


def ratio(part: Floats, whole: Floats) -> tuple[float | None, float | None, float | None]:
    """Ratio of two sums over batches with its 95 % limits, kept within 0 and 1; None where unknown."""
    filled = whole > 0
    part, whole = part[filled], whole[filled]
    if not len(whole):
        return None, None, None
    value = float(part.sum() / whole.sum())
    if len(whole) < 2:
        return value, None, None
    others = (part.sum() - part) / (whole.sum() - whole)
    _, low, high = jackknife(np.array([value]), others[:, None])
    return value, max(0.0, float(low[0])), min(1.0, float(high[0]))


@kernel
def add_margins(
    game: Any, block: Any, batch: Any, seat: Any, score: Any, rank: Any, counts: Any, kinds: Any, seats: Any
) -> None:
    """Count games by the winner's margin over the second, per batch.

    Parameters
    ----------
    game, block, batch, seat, score, rank
        One entry per row; shape (rows,).
    counts
        Games by margin, shape (batches, 2 M + 1): M is a margin of 0, wider ones count at the ends.
    kinds
        Shape (batches, 3): games, games with a tie for the first place, games won alone with a margin of 0.
    seats
        Shape (batches, seats, 3): games, wins (ties split) and 1/players of each seat.
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
        for row in range(start, end):
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


def margin_shares(margins: dict[str, Floats]) -> pl.DataFrame:
    """Shares of close games: `what`, `share` with 95 % limits `low` and `high`, `note`."""
    counts, kinds = margins["counts"], margins["kinds"]
    games = kinds[:, 0]
    rows: list[tuple[str, Floats]] = [("shared first place", kinds[:, 1]), ("level on points, one winner", kinds[:, 2])]
    sizes = np.abs(np.arange(counts.shape[1]) - counts.shape[1] // 2)
    rows += [(f"decided by {counted(most, 'point')} or less", counts[:, sizes <= most].sum(axis=1)) for most in CLOSE]
    found = [(what, *ratio(part, games)) for what, part in rows]
    unknown = pl.when(pl.col("share").is_null()).then(pl.lit("no game with two seats"))
    note = unknown.when(pl.col("low").is_null()).then(pl.lit("one block")).otherwise(pl.lit(""))
    schema = {"what": pl.String, "share": pl.Float64, "low": pl.Float64, "high": pl.Float64}
    return pl.DataFrame(found, schema=schema, orient="row").with_columns(note.alias("note"))


@kernel
def add_leads(game: Any, block: Any, batch: Any, scores: Any, rank: Any, flows: Any, games: Any, led: Any) -> None:
    """Count how ranks move between moments, how often the lead changes, and when winners led.

    Parameters
    ----------
    game, block, batch, rank
        One entry per row; shape (rows,).
    scores
        Scores at the earlier moments, shape (rows, moments).
    flows
        Seats by rank at one moment and at the next, the end after the last; shape (batches, moments, ranks, ranks).
    games
        Shape (batches, 3): games, winners (more than one where first place is shared), changes of the sole leader.
    led
        Winners who led, and who led alone, at each moment; shape (batches, moments, 2).
    """
    rows, moments = scores.shape
    start = 0
    while start < rows:
        end = start + 1
        while end < rows and game[end] == game[start] and block[end] == block[start]:
            end += 1
        here = batch[start]
        games[here, 0] += 1
        leader = -1
        for moment in range(moments + 1):
            leaders, best = 0, -1
            for row in range(start, end):
                place = place_at(scores, rank, start, end, row, moment)
                if place == 1:
                    leaders, best = leaders + 1, row
                if moment > 0:
                    before = place_at(scores, rank, start, end, row, moment - 1)
                    flows[here, moment - 1, before - 1, place - 1] += 1
                if place == 1 and rank[row] == 1 and moment < moments:
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
    """Rank of a row in its game at a moment: one more than the seats with more points; at the end the final rank."""
    if moment == scores.shape[1]:
        return int(rank[row])
    place = 1
    for other in range(start, end):
        if scores[other, moment] > scores[row, moment]:
            place += 1
    return place


def lead_shares(leads: dict[str, Floats], titles: Sequence[str]) -> pl.DataFrame:
    """Share of final winners in the lead at each moment: `moment`, `led`, `low`, `high`, `alone`, `note`."""
    winners = leads["games"][:, 1]
    rows = [
        (title, *ratio(leads["led"][:, place, 0], winners), ratio(leads["led"][:, place, 1], winners)[0])
        for place, title in enumerate(titles)
    ]
    schema = {"moment": pl.String} | dict.fromkeys(("led", "low", "high", "alone"), pl.Float64)
    frame = pl.DataFrame(rows, schema=schema, orient="row")
    note = pl.when(pl.col("low").is_null()).then(pl.lit("one block")).otherwise(pl.lit(""))
    return frame.with_columns(note.alias("note"))


def moment_title(column: str) -> str:
    """'score_age_1' as 'age 1'."""
    return column.removeprefix("score_").replace("_", " ")


def variance_words(shares: pl.DataFrame) -> list[str]:
    """Say what decides the score."""
    rows = shares.filter(pl.col("share").is_not_null()).to_dicts()
    if not rows:
        if shares["note"][0] == SAME_SCORES:
            return ["All scores are the same: there are no differences to explain."]
        return ["One block only: what decides the score cannot be told from chance."]
    *named, rest = rows
    named.sort(key=lambda row: -row["share"])
    parts = [f"{percent(max(0.0, row['share']))} come with the {row['source']}" for row in named]
    said = [
        f"Of the differences between scores, {', '.join(parts)}; the other {percent(max(0.0, rest['share']))} arise "
        "within a single game."
    ]
    if shares.filter(pl.col("note").str.starts_with("part of the rest")).height:
        said.append("No deal is played twice in this run, so the luck of the deal is part of that rest.")
    return said


def seat_words(seats: Floats) -> str:
    """Say which seat has the largest edge in win share, with batches of blocks in place of blocks.

    Parameters
    ----------
    seats
        From `add_margins`.
    """
    found = np.flatnonzero(seats[:, :, 0].sum(axis=0) > 0)
    sums = np.zeros((len(found), len(SUMS)))
    for total, seat in zip(sums, found, strict=True):
        for n, w, e in seats[seats[:, seat, 0] > 0, seat]:
            add_block(total, n, w, e, 0.0, 0.0, 0.0)
    row = max(win_shares(moments_frame({"seat": found}, sums), ["seat"]).to_dicts(), key=lambda row: abs(row["edge"]))
    sure = "" if row["flag"] else ", which may be chance"
    return f"The seat that matters most is seat {row['seat']}: {edge_words(row)} of win share{sure}."


def margin_quantiles(counts: Floats) -> list[int]:
    """Smallest margins that at least these shares of games do not exceed (`QUANTILES`)."""
    reached = np.cumsum(counts) / counts.sum()
    return [int(np.searchsorted(reached, q - 1e-12)) - len(counts) // 2 for q in QUANTILES]


def margin_words(margins: dict[str, Floats], close: pl.DataFrame) -> list[str]:
    """Say by how much games are won."""
    counts = margins["counts"].sum(axis=0)
    if not counts.sum():
        return ["No game had two seats, so there are no margins."]
    low, middle, high, _ = margin_quantiles(counts)
    mean = float(counts @ (np.arange(len(counts)) - len(counts) // 2) / counts.sum())
    share = dict(close.select("what", "share").rows())
    return [
        f"The winner is {number(mean)} points ahead of the second on average; half of all games are decided by "
        f"{counted(middle, 'point')} or less, the middle half by {low} to {high}.",
        f"{percent(share['decided by 1 point or less'])} of games are decided by one point or less, "
        f"{percent(share['decided by 5 points or less'])} by five or less; "
        f"{percent(share['shared first place'])} end with a shared first place.",
    ]


def lead_words(leads: dict[str, Floats], lead: pl.DataFrame) -> list[str]:
    """Say how often the lead changes and when winners led."""
    games, _, changes = leads["games"].sum(axis=0)
    first, *later = [(percent(row["led"], 0), row["moment"]) for row in lead.to_dicts()]
    rest = "".join(f", {share} at {moment}" for share, moment in later)
    return [
        f"{first[0]} of later winners were in the lead at {first[1]}{rest}.",
        f"The lead changes hands {number(float(changes / games), 2)} times a game between these moments and the end.",
    ]


def share_bar(shares: pl.DataFrame, ax: Axes | None = None) -> Axes:
    """Shares of the score's variance, one bar each with its 95 % interval, as parts of one whole.

    Parameters
    ----------
    shares
        From `variance_shares`.
    ax
        Where to draw; by default on a new figure.
    """
    rows = shares.filter(pl.col("share").is_not_null()).with_columns(pl.col("share").clip(lower_bound=0)).to_dicts()
    names = shares["source"].to_list()
    with mpl.rc_context(STYLE):
        if ax is None:
            _, ax = blank(WIDTH, 1.5 + 0.34 * len(rows), "What decides the score")
        left = 0.0
        for place, row in enumerate(rows):
            colour = SHADES[-1 if row["source"] == names[-1] else names.index(row["source"])]
            share = 100 * row["share"]
            ax.barh(0, share, left=left, height=0.8, color=colour, edgecolor="white", lw=1.2)
            ax.barh(place + 1.35, share, left=left, height=0.62, color=colour)
            spread_words = "" if row["low"] is None else f"  ({100 * row['low']:.1f} to {100 * row['high']:.1f})"
            end = left + share
            inside = share > 50
            ax.annotate(f"{row['source']} {percent(row['share'])}{spread_words}",
                        (left if inside else end, place + 1.35), xytext=(6, 0), textcoords="offset points", va="center",
                        fontsize=9, color=INK)  # fmt: skip
            left = end
        ax.set_xlim(0, max(100.0, left))
        ax.set_ylim(len(rows) + 1.0, -0.55)
        ax.set_yticks([])
        ax.xaxis.set_major_formatter(PercentFormatter(decimals=0, symbol=" %"))
        ax.set_xlabel("share of all differences between scores (95 % interval)", fontsize=9, color=NEUTRAL)
    return ax


def margin_bars(counts: Floats, ax: Axes | None = None) -> Axes:
    """How often each margin between first and second place occurs.

    Parameters
    ----------
    counts
        Games by margin, a margin of 0 in the middle; shape (2 M + 1,).
    ax
        Where to draw; by default on a new figure.
    """
    margins = np.arange(len(counts)) - len(counts) // 2
    share = 100 * counts / counts.sum()
    shown = slice(int(np.searchsorted(np.cumsum(share), 0.2)), int(np.searchsorted(np.cumsum(share), 99.5)) + 1)
    middle = margin_quantiles(counts)[1]
    with mpl.rc_context(STYLE):
        if ax is None:
            _, ax = blank(WIDTH, 2.9, "By how much games are won")
        close = np.abs(margins[shown]) <= max(CLOSE)
        ax.bar(margins[shown], share[shown], width=0.86, color=np.where(close, STRONG, NEUTRAL))
        ax.axvline(middle, color=INK, lw=1.1, ls=(0, (4, 3)))
        ax.annotate(f"half of all games: {counted(middle, 'point')} or less", (middle, 1.0), xytext=(6, -4),
                    xycoords=ax.get_xaxis_transform(), textcoords="offset points", va="top", fontsize=9)  # fmt: skip
        ax.set_xlabel(f"points between first and second; orange: {max(CLOSE)} or less", fontsize=9, color=NEUTRAL)
        ax.set_ylabel("share of games", fontsize=9, color=NEUTRAL)
        ax.yaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g} %"))
        ax.grid(axis="y", color=FAINT, lw=0.8)
    return ax


def rank_flows(flows: Floats, titles: Sequence[str], ax: Axes | None = None) -> Axes:
    """How seats move between ranks from moment to moment: bands as wide as the share of seats that take this way.

    Parameters
    ----------
    flows
        Seats by rank at one moment and at the next; shape (moments, ranks, ranks).
    titles
        Names of the moments, the end last.
    ax
        Where to draw; by default on a new figure.

    Returns
    -------
    The axes. Columns of ranks, best at the top; bands have the colour of the rank they lead to, that of the winner
    stands out.
    """
    flows = flows / flows[0].sum()
    heights = [flows[0].sum(axis=1), *(flow.sum(axis=0) for flow in flows)]
    ranks, gap = flows.shape[1], 0.03
    tops = [np.concatenate([[0], np.cumsum(height + gap)[:-1]]) for height in heights]
    with mpl.rc_context(STYLE):
        if ax is None:
            _, ax = blank(WIDTH, 1.6 + 0.62 * ranks, "How ranks move during the game")
        for step, flow in enumerate(flows):
            leaves, enters = tops[step].copy(), tops[step + 1].copy()
            for source in range(ranks):
                for target in range(ranks):
                    width = float(flow[source, target])
                    if width > 0:
                        ax.add_patch(band(step, leaves[source], enters[target], width, rank_colour(target)))
                    leaves[source] += width
                    enters[target] += width
        for place, (height, top) in enumerate(zip(heights, tops, strict=True)):
            for rank in np.flatnonzero(height > 0):
                ax.add_patch(Rectangle((place - 0.03, top[rank]), 0.06, height[rank], color=INK, lw=0))
                ax.text(place, top[rank] + height[rank] / 2, f"{rank + 1}.", color="white", ha="center", va="center",
                        fontsize=9, fontweight="bold" if rank == 0 else "normal")  # fmt: skip
        ax.set_xlim(-0.15, len(flows) + 0.15)
        ax.set_ylim(max(float(top[-1] + height[-1]) for top, height in zip(tops, heights, strict=True)) + 0.02, -0.02)
        ax.set_xticks(range(len(titles)), titles)
        ax.xaxis.tick_top()
        ax.set_yticks([])
        ax.spines[:].set_visible(False)
        ax.set_xlabel("rank at each moment; width: share of seats; colour: rank it leads to, orange first",
                      fontsize=9, color=NEUTRAL)  # fmt: skip
    return ax


def rank_colour(rank: int) -> str:
    """Colour of a rank, 0 for the winner."""
    return RANKS[min(rank, len(RANKS) - 1)]


def band(step: int, start: float, end: float, width: float, colour: str) -> PathPatch:
    """Return a band from one column of ranks to the next."""
    left, right, bend = step + 0.03, step + 0.97, step + 0.5
    points = [
        (left, start), (bend, start), (bend, end), (right, end), (right, end + width),
        (bend, end + width), (bend, start + width), (left, start + width), (left, start),
    ]  # fmt: skip
    codes = [Path.MOVETO, *[Path.CURVE4] * 3, Path.LINETO, *[Path.CURVE4] * 3, Path.CLOSEPOLY]
    return PathPatch(Path(points, codes), facecolor=colour, edgecolor="white", lw=0.5, alpha=0.85)
