"""Matchups: who finishes ahead of whom.

A pairing is two seats of one game with different strategies (or factions). The seat with the better rank is ahead;
equal ranks count half for each. Intervals and tests are those of win rates, by block, with one half as the null in
place of 1/players (ratio estimator: Cochran 1977, ch. 6). Circles are the circular triads of Kendall and Babington
Smith (1940). `docs/statistics.md` lists the sources.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from reports.data.games import GameArrays, GameSums, gather
from reports.data.load import Run, level_columns, level_names
from reports.data.moments import SUMS, add_block, moments_frame
from reports.statistics.compare.robustness import null_test
from reports.statistics.core.win_rate import ALPHA, Floats, holm, known, win_rates
from sim.compiler.kernel import kernel

KEYS = ("level", "level2")
SHOWN = ("edge", "edge_low", "edge_high", "error", "mde", "mde_family", "p", "p_holm", "flag")
NEVER_MET = "never met"
MAX_LEVELS = 40
"""Maximum number of levels for which products of pairs are summed; 40 levels have 780 pairs."""


@dataclass(frozen=True)
class Pairs:
    """Pairings of a run, summed over blocks.

    Attributes
    ----------
    names
        Names of the levels, in the order of the manifest.
    sums
        Shape (levels, levels, SUMS): `moments.SUMS` of each pair (a, b) in which a comes before b; zeros elsewhere.
        A pairing counts as a seat-game, and as a win if a is ahead. The score of a minus that of b counts as its score.
    blocks
        Number of blocks in the run.
    products
        Sums over blocks of products of two pairs, shape (pairs, pairs, 3); pairs are numbered by `pair_numbers`. The
        surplus of a pair is how often its first level is ahead minus half its pairings. The three products are surplus
        of the first pair times surplus of the second, surplus times pairings, and pairings times pairings. None with
        more than `MAX_LEVELS` levels.
    """

    names: list[str]
    sums: Floats
    blocks: int
    products: Floats | None

    @property
    def met(self) -> Floats:
        """Number of pairings of each pair, shape (levels, levels)."""
        return np.asarray(self.sums[..., SUMS.index("N")])

    @property
    def ahead(self) -> Floats:
        """How often the first level of each pair was ahead, with ties as half, shape (levels, levels)."""
        return np.asarray(self.sums[..., SUMS.index("W")])

    @property
    def pair_blocks(self) -> Floats:
        """Number of blocks in which each pair met, shape (levels, levels)."""
        return np.asarray(self.sums[..., SUMS.index("blocks")])


@dataclass(frozen=True)
class EdgeSquare:
    """Edges of all pairs as a square matrix, strongest level first.

    `names` are the levels that met any other level, sorted by their mean edge over opponents. `edge` is the share of
    pairings in which the row's level is ahead of the column's level, minus one half; NaN where they never met.
    `certain` marks where the edge differs from zero after Holm's correction. `shrunk` is the shrunk share minus one
    half; None if there are no shrunk shares.
    """

    names: list[str]
    edge: Floats
    certain: NDArray[np.bool_]
    shrunk: Floats | None = None

    @property
    def shown(self) -> Floats:
        """The shrunk edges if there are any, else the observed edges."""
        return self.edge if self.shrunk is None else self.shrunk


class Pairings(GameSums):
    """Sums the pairings of a run, block by block.

    `pairs` has the `Pairs` by column: "strategy", and "faction" if there are factions.
    """

    def __init__(self, run: Run) -> None:
        self.pairs = {}
        for column in reversed(level_columns(run.manifest)):
            names = level_names(run.manifest, column)
            levels, size = len(names), len(names) * (len(names) - 1) // 2
            products = np.zeros((size, size, 3)) if size > 0 and levels <= MAX_LEVELS else None
            self.pairs[column] = Pairs(names, np.zeros((levels, levels, len(SUMS))), run.manifest.blocks, products)

    def add(self, games: GameArrays) -> None:
        """Add a batch of whole blocks."""
        for column, pairs in self.pairs.items():
            if len(pairs.names) > 1:
                products = np.zeros((0, 0, 3)) if pairs.products is None else pairs.products
                own = getattr(games, column), pairs.sums, pair_numbers(len(pairs.names)), products
                add_pairings(games.block, games.game, games.rank, games.score, *own)


def count_pairings(run: Run) -> dict[str, Pairs]:
    """Return the pairs of strategies, and the pairs of factions if there are factions, by column."""
    return gather(run, Pairings).pairs


def pair_numbers(levels: int) -> NDArray[np.int64]:
    """Return the index of each pair of levels, shape (levels, levels), from 0 for the first two levels.

    It is -1 on and below the diagonal.
    """
    numbers = np.full((levels, levels), -1)
    first, second = np.triu_indices(levels, 1)
    numbers[first, second] = np.arange(len(first))
    return numbers


@kernel
def add_pairings(
    block: Any, game: Any, rank: Any, score: Any, code: Any, sums: Any, number: Any, products: Any
) -> None:
    """Add whole blocks to the sums of all pairs. Only the pairs that meet in a block cost time.

    The first arguments have one entry per seat-game; the games of a block, and the seats of a game, must be contiguous.
    `sums` and `products` are as in `Pairs`, changed in place. If `products` is empty, no products are summed. `number`
    is from `pair_numbers`.
    """
    levels, rows = len(sums), len(block)
    place_of, pairs = np.full((levels, levels), -1), np.empty((levels * levels, 2), np.int64)
    met, ahead, margin, surplus = np.zeros((4, levels * levels))
    row = 0
    while row < rows:
        here, count = block[row], 0
        while row < rows and block[row] == here:
            end = row + 1
            while end < rows and game[end] == game[row] and block[end] == here:
                end += 1
            for first in range(row, end):
                for second in range(first + 1, end):
                    x, y = first, second
                    if code[x] == code[y]:
                        continue
                    if code[x] > code[y]:
                        x, y = y, x
                    place = place_of[code[x], code[y]]
                    if place < 0:
                        place_of[code[x], code[y]] = place = count
                        pairs[place, 0], pairs[place, 1] = code[x], code[y]
                        met[place], ahead[place], margin[place] = 0, 0, 0
                        count += 1
                    met[place] += 1
                    margin[place] += score[x] - score[y]
                    if rank[x] < rank[y]:
                        ahead[place] += 1
                    elif rank[x] == rank[y]:
                        ahead[place] += 0.5
            row = end
        for place in range(count):
            a, b = pairs[place]
            surplus[place] = ahead[place] - met[place] / 2
            add_block(sums[a, b], met[place], ahead[place], met[place] / 2, margin[place], 0.0, 0.0)
            place_of[a, b] = -1
        for place in range(count if len(products) else 0):
            own = products[number[pairs[place, 0], pairs[place, 1]]]
            for other in range(count):
                cell = own[number[pairs[other, 0], pairs[other, 1]]]
                cell[0] += surplus[place] * surplus[other]
                cell[1] += surplus[place] * met[other]
                cell[2] += met[place] * met[other]


def matchups(pairs: Pairs) -> pl.DataFrame:
    """Return how often each level is ahead of each other level, with interval and test.

    Holm's correction is over all pairs.

    Returns
    -------
    One row per pair of levels that met any other level, seen from the level that is ahead more often, widest edge
    first:
    `level` and `level2`;
    `games` (pairings) and `blocks`;
    `ahead`, the share of pairings in which `level` is ahead, with 95 % limits `low` and `high`;
    `edge` = ahead - 1/2 with `edge_low` and `edge_high`;
    `error`, `mde`, `mde_family`, `p`, `p_holm` and `flag` ("strong" or "") as in `win_rate.win_rates`;
    `margin`, the mean difference between the two scores, with `margin_low` and `margin_high`;
    `note`, a word on why a value is null.
    """
    met = pairs.met > 0
    first, second = np.nonzero(met)
    moments = moments_frame({"pair": np.arange(len(first))}, pairs.sums[first, second])
    levels = [pl.Series(key, [pairs.names[i] for i in side]) for key, side in zip(KEYS, (first, second), strict=True)]
    renamed = {"ahead": "win_rate", "low": "low", "high": "high"}
    margin = {"margin": "mean_score", "margin_low": "mean_score_low", "margin_high": "mean_score_high"}
    names_of = [pl.col(old).alias(new) for new, old in (renamed | margin).items()]
    # Use a single key, so that pairs are not shrunk like the cells of a crossed table.
    shares = win_rates(moments, ["pair"]).select(*levels, "games", "blocks", *names_of, *SHOWN, "note")
    # Single pairs meet in few blocks, and many pairs are tested. The score test keeps its error rate even then, since
    # its statistic never exceeds sqrt(B).
    p, edge, error = (shares[name].cast(pl.Float64).fill_null(np.nan).to_numpy() for name in ("p", "edge", "error"))
    p = np.fmax(p, null_test(edge, error, shares["blocks"].cast(pl.Float64).to_numpy()))
    corrected = holm(p)
    flag = np.where(corrected < ALPHA, np.where(edge > 0, "strong", "weak"), "")
    shares = shares.with_columns(*known({"p": p, "p_holm": corrected}), pl.Series("flag", flag, dtype=pl.String))
    there = np.flatnonzero(met.any(axis=0) | met.any(axis=1))
    apart = [(pairs.names[a], pairs.names[b]) for a in there for b in there if a < b and not met[a, b]]
    strangers = pl.DataFrame(apart, schema={"level": pl.String, "level2": pl.String}, orient="row").with_columns(
        pl.lit(0, pl.Int64).alias("games"),
        pl.lit(0, pl.Int64).alias("blocks"),
        pl.lit("").alias("flag"),
        pl.lit(NEVER_MET).alias("note"),
    )
    ordered = seen_from_ahead(pl.concat([shares, strangers], how="diagonal"))
    return ordered.sort(["edge", *KEYS], descending=[True, False, False], nulls_last=True)


def seen_from_ahead(frame: pl.DataFrame) -> pl.DataFrame:
    """Swap the levels of pairs in which the second level is ahead more often, so that no edge is negative."""
    turned = {
        "level": pl.col("level2"), "level2": pl.col("level"), "ahead": 1 - pl.col("ahead"),
        "low": 1 - pl.col("high"), "high": 1 - pl.col("low"), "edge": -pl.col("edge"),
        "edge_low": -pl.col("edge_high"), "edge_high": -pl.col("edge_low"),
        "margin": -pl.col("margin"), "margin_low": -pl.col("margin_high"), "margin_high": -pl.col("margin_low"),
        "flag": pl.when(pl.col("flag") == "weak").then(pl.lit("strong")).otherwise(pl.col("flag")),
    }  # fmt: skip
    behind = pl.col("edge").fill_null(0) < 0
    return frame.with_columns(
        pl.when(behind).then(other).otherwise(pl.col(name)).alias(name) for name, other in turned.items()
    )


def square(frame: pl.DataFrame) -> EdgeSquare:
    """Return the pairs of `matchups` as square matrices, strongest level first."""
    names = sorted(set(frame["level"]) | set(frame["level2"]))
    place = {name: number for number, name in enumerate(names)}
    edge = np.full((len(names), len(names)), np.nan)
    certain, shrunk = np.zeros(edge.shape, np.bool_), edge.copy()
    for row in frame.filter(pl.col("edge").is_not_null()).iter_rows(named=True):
        a, b = place[row["level"]], place[row["level2"]]
        edge[a, b], edge[b, a] = row["edge"], -row["edge"]
        certain[a, b] = certain[b, a] = row["flag"] != ""
        if row.get("shrunk") is not None:
            shrunk[a, b], shrunk[b, a] = row["shrunk"] - 0.5, 0.5 - row["shrunk"]
    met = np.maximum(np.isfinite(edge).sum(axis=1), 1)
    order = np.argsort(-np.nansum(edge, axis=1) / met, kind="stable")
    kept = np.ix_(order, order)
    known = shrunk[kept] if "shrunk" in frame.columns and frame["shrunk"].count() else None
    return EdgeSquare([names[i] for i in order], edge[kept], certain[kept], known)


def circles(grid: EdgeSquare) -> list[tuple[float, tuple[str, str, str]]]:
    """Return all circular triads (Kendall and Babington Smith 1940) whose three edges are significant.

    Returns
    -------
    For each circle its narrowest edge and its three levels: each level is ahead of the next, and the last is ahead of
    the first. The circle whose narrowest edge is widest comes first.
    """
    beats = np.where(grid.certain & (grid.edge > 0), grid.edge, 0.0)
    found = []
    for a in range(len(beats)):
        # Let each circle start with its smallest index, so that it is found only once.
        weakest = np.minimum(np.minimum(beats[a][:, None], beats), beats[:, a][None, :])
        weakest[: a + 1] = 0
        weakest[:, : a + 1] = 0
        for b, c in np.argwhere(weakest > 0):
            found.append((float(weakest[b, c]), (grid.names[a], grid.names[b], grid.names[c])))
    return sorted(found, reverse=True)
