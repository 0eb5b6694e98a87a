"""Matchups: who finishes ahead of whom when both are at the table.

A pairing is two seats of one game; the one with the better rank is ahead, equal ranks count half. Equals are ahead in
half of their pairings, so one half takes the place that 1/players has for wins, and intervals and tests are those of
win shares, by block. Two seats with the same strategy (or faction) are no pairing.

References
----------
Cochran, W. G. (1977). Sampling Techniques, 3rd ed., ch. 6 (ratio estimator).
Kendall, M. G. and Babington Smith, B. (1940). On the method of paired comparisons. Biometrika 31, 324-345 (circular
triads).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Any

import matplotlib as mpl
import numpy as np
import polars as pl
from matplotlib.axes import Axes
from matplotlib.ticker import FuncFormatter
from numpy.typing import NDArray

from reports.data.games import CODES, read_games
from reports.data.load import Run, level_names
from reports.data.moments import SUMS, add_block, moments_frame
from reports.shapes import Column, Listing, Picture, Section
from reports.show.figures import STYLE, WIDTH, blank, draw_cells, label_cells
from reports.statistics.winshare import win_shares
from reports.words import capital, counted, half_width, percent, plural
from sim.jit import kernel

KEYS = ("level", "level2")
SHOWN = ("edge", "edge_low", "edge_high", "error", "mde", "mde_family", "p", "p_holm", "flag")
MOST_NUMBERS = 24
NEVER_MET = "never met"
COLUMNS = (
    Column("level", "ahead", "text"),
    Column("level2", "behind", "text"),
    Column("games", "pairings", "count", meaning="pairs of seats of one game"),
    Column("ahead", "share ahead", "share", "low", "high", "ties count half; 50 % among equals"),
    Column("margin", "margin", "number", "margin_low", "margin_high", "mean difference of their scores"),
    Column("p_holm", "p", "p", meaning="chance of such an edge between equals, corrected for all pairs"),
    Column("flag", "flag", "flag"),
    Column("note", "note", "text"),
)
READING = (
    "A share ahead of 60 % means: in 60 of 100 games with both at the table the first finished ahead of the second. "
    "White is even, orange means that the row finishes ahead of the column; bold cells are certain, corrected for all "
    "pairs. Where A beats B, B beats C and C beats A, no order of strength is the whole truth."
)

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Pairs:
    """Pairings of a run, summed over blocks.

    Attributes
    ----------
    names
        The levels, in the manifest's order.
    sums
        Shape (levels, levels, SUMS): `moments.SUMS` of the pair (a, b), a before b, with pairings for seat-games, times
        ahead for wins and the margin for the score; zeros elsewhere.
    batches
        Shape (batches, 2, levels, levels): pairings and times ahead per batch of consecutive blocks.
    """

    names: list[str]
    sums: Floats
    batches: Floats

    @property
    def met(self) -> Floats:
        """Pairings of every pair, shape (levels, levels)."""
        return np.asarray(self.sums[..., SUMS.index("N")])


@dataclass(frozen=True)
class Grid:
    """Edges of all pairs as a square, strongest level first.

    Attributes
    ----------
    names
        The levels that met any other, by mean edge over their opponents.
    edge
        Share ahead of the row's level over the column's, minus one half; NaN where they never met.
    certain
        Where that edge differs from zero after Holm's correction.
    """

    names: list[str]
    edge: Floats
    certain: NDArray[np.bool_]


def matchups_section(run: Run) -> Section:
    """Who finishes ahead of whom: strategies with strategies, factions with factions.

    Parameters
    ----------
    run
        From `load_run`.

    Returns
    -------
    Sentences on the clearest pairs and on circles, a listing and a heat map for each of the two; a sentence in their
    place where all seats play the same.
    """
    sentences: list[str] = []
    listings, pictures = [], []
    found = count_pairs(run, ("strategy", "faction"))
    for column, pairs in found.items():
        noun = "strategy" if column == "strategy" else run.manifest["faction_title"]
        if not pairs.sums.any():
            sentences.append(f"No two {plural(noun)} ever met in this run: there are no matchups of {plural(noun)}.")
            continue
        frame = matchups(pairs)
        grid = square(frame)
        sentences += describe(frame, grid, noun)
        title = f"Who finishes ahead of whom, by {noun}"
        note = f"One row for each pair of {plural(noun)}, seen from the side that is ahead more often."
        if frame["games"].min() == 0:
            note += f" Pairs marked '{NEVER_MET}' are never dealt to one table in this run."
        listings.append(Listing(f"matchups {column}", title, frame, COLUMNS, column == "faction", note))
        pictures.append(Picture(f"matchups {column}", partial(heat_map, grid, noun), alternative(frame, noun)))
    return Section("matchups", "Matchups", tuple(sentences), tuple(listings), tuple(pictures), READING)


def count_pairs(run: Run, columns: tuple[str, ...] = CODES, batches: int = 1) -> dict[str, Pairs]:
    """Sum the pairings of a run, block by block.

    Parameters
    ----------
    run
        From `load_run`.
    columns
        "faction", "strategy" or both.
    batches
        Into how many batches of consecutive blocks the run is split (at most one for each block).

    Returns
    -------
    For each column its pairs.
    """
    blocks = max(1, run.manifest["blocks"])
    size = -(-blocks // batches)
    names = {column: level_names(run.manifest, column) for column in columns}
    sums = {column: np.zeros((len(found), len(found), len(SUMS))) for column, found in names.items()}
    split = {column: np.zeros((-(-blocks // size), 2, len(found), len(found))) for column, found in names.items()}
    seen = 0
    for games in read_games(run):
        before = seen
        for column in columns:
            code = getattr(games, column)
            arrays = (games.block, games.game, games.rank, games.score, code)
            seen = add_pairs(*arrays, sums[column], split[column], size, before)
    return {column: Pairs(names[column], sums[column], split[column]) for column in columns}


@kernel
def add_pairs(
    block: Any, game: Any, rank: Any, score: Any, code: Any, sums: Any, batches: Any, size: int, seen: int
) -> int:
    """Add whole blocks to the sums of all pairs; only pairs that a block touches cost time.

    Parameters
    ----------
    block, game, rank, score, code
        One entry per seat-game, games of a block and seats of a game next to each other; shape (rows,).
    sums, batches
        As in `Pairs`; changed in place.
    size
        Blocks of a batch.
    seen
        Blocks added before these.

    Returns
    -------
    Blocks added so far.
    """
    levels = len(sums)
    met = np.zeros((levels, levels))
    ahead = np.zeros((levels, levels))
    margin = np.zeros((levels, levels))
    touched = np.empty((levels * levels, 2), np.int64)
    rows = len(block)
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
                    a, b = code[x], code[y]
                    if met[a, b] == 0:
                        touched[count, 0], touched[count, 1] = a, b
                        count += 1
                    met[a, b] += 1
                    margin[a, b] += score[x] - score[y]
                    if rank[x] < rank[y]:
                        ahead[a, b] += 1
                    elif rank[x] == rank[y]:
                        ahead[a, b] += 0.5
            row = end
        batch = min(seen // size, len(batches) - 1)
        for place in range(count):
            a, b = touched[place, 0], touched[place, 1]
            add_block(sums[a, b], met[a, b], ahead[a, b], met[a, b] / 2, margin[a, b], 0.0, 0.0)
            batches[batch, 0, a, b] += met[a, b]
            batches[batch, 1, a, b] += ahead[a, b]
            met[a, b], ahead[a, b], margin[a, b] = 0, 0, 0
        seen += 1
    return seen


def matchups(pairs: Pairs) -> pl.DataFrame:
    """Share ahead of every pair, with interval and test; Holm's correction is over all pairs.

    Parameters
    ----------
    pairs
        From `count_pairs`, with one pairing at least.

    Returns
    -------
    One row per pair of levels that met any other, seen from the side that is ahead more often, widest edge first:
    `level`, `level2`, `games` (pairings), `blocks`, `ahead` with 95 % limits `low` and `high`; `edge` = ahead - 1/2
    with `edge_low` and `edge_high`; `error`, `mde`, `mde_family`, `p`, `p_holm` and `flag` ("strong" or "") as in
    `winshare.win_shares`; `margin`, the mean difference of the two scores, with `margin_low` and `margin_high`;
    `note`, a word why a value is null.
    """
    met = pairs.met > 0
    first, second = np.nonzero(met)
    moments = moments_frame({"pair": np.arange(len(first))}, pairs.sums[first, second])
    levels = [pl.Series(key, [pairs.names[i] for i in side]) for key, side in zip(KEYS, (first, second), strict=True)]
    renamed = {"ahead": "win_share", "low": "low", "high": "high"}
    margin = {"margin": "mean_score", "margin_low": "mean_score_low", "margin_high": "mean_score_high"}
    names_of = [pl.col(old).alias(new) for new, old in (renamed | margin).items()]
    # One key, so that no row is shrunk towards what its levels have in common: pairs are no cells of a table.
    shares = win_shares(moments, ["pair"]).select(*levels, "games", "blocks", *names_of, *SHOWN, "note")
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
    """Turn pairs round where the second level is ahead more often, so that no edge is negative."""
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


def square(frame: pl.DataFrame) -> Grid:
    """Edges and certainty of all pairs as squares, strongest level first."""
    names = sorted(set(frame["level"]) | set(frame["level2"]))
    place = {name: number for number, name in enumerate(names)}
    edge = np.full((len(names), len(names)), np.nan)
    certain = np.zeros(edge.shape, np.bool_)
    for row in frame.filter(pl.col("edge").is_not_null()).iter_rows(named=True):
        a, b = place[row["level"]], place[row["level2"]]
        edge[a, b], edge[b, a] = row["edge"], -row["edge"]
        certain[a, b] = certain[b, a] = row["flag"] != ""
    met = np.maximum(np.isfinite(edge).sum(axis=1), 1)
    order = np.argsort(-np.nansum(edge, axis=1) / met, kind="stable")
    return Grid([names[i] for i in order], edge[np.ix_(order, order)], certain[np.ix_(order, order)])


def circles(grid: Grid) -> list[tuple[float, tuple[str, str, str]]]:
    """Circular triads (Kendall and Babington Smith 1940) of which every edge is certain.

    Returns
    -------
    For each its narrowest edge and its levels, each ahead of the next and the last ahead of the first; clearest first.
    """
    beats = np.where(grid.certain & (grid.edge > 0), grid.edge, 0.0)
    found = []
    for a in range(len(beats)):
        # The smallest place stands first, so that each circle is found once.
        weakest = np.minimum(np.minimum(beats[a][:, None], beats), beats[:, a][None, :])
        weakest[: a + 1] = 0
        weakest[:, : a + 1] = 0
        for b, c in np.argwhere(weakest > 0):
            found.append((float(weakest[b, c]), (grid.names[a], grid.names[b], grid.names[c])))
    return sorted(found, reverse=True)


def describe(frame: pl.DataFrame, grid: Grid, noun: str) -> list[str]:
    """Say which pairs are clearest, who is ahead of all others, and whether strengths go round in a circle."""
    certain = frame.filter(pl.col("flag") != "")
    known = frame.filter(pl.col("p").is_not_null()).height
    if not known:
        return [f"Matchups of {plural(noun)} need at least two blocks with both at the table."]
    if not certain.height:
        first = frame.row(0, named=True)
        return [
            f"Of {counted(known, 'pair')} of {plural(noun)} none is certain; the widest difference seen is "
            f"{ahead_words(first)}."
        ]
    said = [f"Clearest matchup of {plural(noun)}: {ahead_words(certain.row(0, named=True))}."]
    said += extremes(grid, noun)
    rounds = circles(grid)
    if rounds:
        edge, (a, b, c) = rounds[0]
        more = f" {counted(len(rounds), 'such circle')} in all." if len(rounds) > 1 else ""
        said.append(
            f"Rock-paper-scissors: {a} finishes ahead of {b}, {b} ahead of {c} and {c} ahead of {a}, each in "
            f"{percent(0.5 + edge)} of their games or more.{more}"
        )
    elif len(grid.names) > 2:
        said.append(
            f"No rock-paper-scissors found among {plural(noun)}: {certain.height} of {counted(known, 'pair')} are "
            "certain, and no three of them go round in a circle."
        )
    return said


def extremes(grid: Grid, noun: str) -> list[str]:
    """Say who is certainly ahead of, or behind, all others that it met."""
    met = np.isfinite(grid.edge)
    said = []
    for side, word in ((1, "ahead of"), (-1, "behind")):
        sure = met & grid.certain & (side * grid.edge > 0)
        for place in np.flatnonzero((sure == met).all(axis=1) & (met.sum(axis=1) > 1)):
            others = int(met[place].sum())
            all_of = "both" if others == 2 else f"every one of the {others}"
            said.append(f"{capital(grid.names[place])} finishes {word} {all_of} other {plural(noun)} it meets.")
    return said


def ahead_words(row: dict[str, Any]) -> str:
    """A pair in words: 'balanced finishes ahead of trade in 71.2 ± 0.3 % of their pairings'."""
    half = half_width(row)
    spread = "" if half is None else f" ± {100 * half:.1f}"
    return f"{row['level']} finishes ahead of {row['level2']} in {100 * row['ahead']:.1f}{spread} % of their pairings"


def alternative(frame: pl.DataFrame, noun: str) -> str:
    """A text in place of the heat map."""
    clearest = capital(ahead_words(frame.row(0, named=True)))
    return f"Share of games in which each {noun} finishes ahead of each other. {clearest}."


def heat_map(grid: Grid, noun: str, ax: Axes | None = None) -> Axes:
    """Share ahead of every level (rows) over every other (columns), strongest first.

    Parameters
    ----------
    grid
        From `square`.
    noun
        What a level is called.
    ax
        Where to draw; by default on a new figure.

    Returns
    -------
    The axes. White is even, orange: the row is ahead; bold cells are certain; a dot marks pairs that never met.
    """
    count = len(grid.names)
    numbers = count <= MOST_NUMBERS
    with mpl.rc_context(STYLE):
        if ax is None:
            cell = 0.52 if numbers else 0.24
            title = f"How often the row's {noun} finishes ahead, %"
            _, ax = blank(max(2.6 + cell * count, WIDTH), 1.9 + (0.34 if numbers else 0.24) * count, title)
        shares = 50 + 100 * grid.edge
        widest = max(float(np.nanmax(np.abs(shares - 50))), 0.1)
        ax.set_facecolor("#EEF0F2")
        texts = np.full((count, count), "", dtype=object)
        if numbers:
            texts[:] = [["·" if np.isnan(share) else f"{share:.1f}" for share in row] for row in shares]
            np.fill_diagonal(texts, "")
        image = draw_cells(ax, shares, texts, grid.certain, widest, middle=50.0)
        label_cells(ax, grid.names, grid.names)
        figure = ax.get_figure()
        if figure is not None:
            bar = figure.colorbar(image, ax=ax, shrink=0.85, aspect=28, pad=0.02)
            bar.outline.set_visible(False)
            bar.ax.yaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g} %"))
    return ax
