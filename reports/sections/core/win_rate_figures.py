"""Figures of win rates and scores: forest plots, heat maps, distributions, score parts."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np
import polars as pl

from reports.drawing import (
    COLOURS,
    FAINT,
    INK,
    NARROW,
    NEUTRAL,
    PARTS,
    WEAK,
    Axes,
    draw_cells,
    edge_label,
    edge_texts,
    figure_of,
    heading_beside,
    key_below,
    label_cells,
    label_rows,
    signed,
    styled,
    styled_axes,
    value_beside,
)
from reports.formatting import ROWS, capital, named_level, percent, points, typeset
from reports.model import Listing, Picture, Report, Table, draws
from sim.data.arguments import checks_arguments
from sim.errors import UserError, check_kind

HATCHES = ("", "////", "....")


def win_rate_figures(report: Report) -> tuple[Picture, ...]:
    """Return the figures of a report.

    A figure of win rates has the name of its table. The other figures are named "scores" and "parts <table>".
    """
    parts = report.manifest.score_parts
    drawings: dict[str, Callable[..., Axes]] = {}
    widest = widest_edge([table for table in report.tables.values() if table.crossed])
    for table in report.tables.values():
        if table.crossed:
            drawings[table.name] = partial(heat_map, table, widest=widest)
        elif not table.silence:
            drawings[table.name] = partial(forest, table)
    drawings["scores"] = partial(score_distributions, report.histogram, report.quantiles)
    for name in (name for name in ("strategy", "faction") if name in report.tables):
        drawings[f"parts {name}"] = partial(part_bars, report.tables[name], parts)
    return tuple(Picture(name, draw, text_alternative(name, report)) for name, draw in drawings.items())


@styled
@checks_arguments
def forest(table: Table, ax: Axes | None = None) -> Axes:
    """Draw the win rate of every level with its 95 % interval, the best first, and the fair share.

    Parameters
    ----------
    table
        A table that is not crossed: it has one level per row.

    Returns
    -------
    The axes. Each level has a point, filled and coloured if the level is flagged, open if not. The fair share is a
    dashed line. The edge and half its interval stand at the right, in percentage points. If fair shares differ, edges
    are drawn in place of win rates.
    """
    check_crossed(table, crossed=False)
    rows = table.frame.to_dicts()
    ax = styled_axes(ax, NARROW, 1.2 + 0.28 * len(rows))
    colours = [COLOURS[row["flag"]] for row in rows]
    nulls = [100 * row["null"] for row in rows]
    # Fair shares differ if, for example, seats sit at tables of several sizes. Then only edges can be compared.
    varied = max(nulls) - min(nulls) > 1e-9
    shown, *limits = ("edge", "edge_low", "edge_high") if varied else ("win_rate", "low", "high")
    known = [(place, row) for place, row in enumerate(rows) if row[limits[0]] is not None]
    low, high = ([100 * row[name] for _, row in known] for name in limits)
    ax.hlines([place for place, _ in known], low, high, [colours[place] for place, _ in known], lw=2.2)
    filled = [colour if row["flag"] else "white" for colour, row in zip(colours, rows, strict=True)]
    ax.scatter([100 * row[shown] for row in rows], range(len(rows)), 36, filled, edgecolors=colours, lw=1.5,
               zorder=3)  # fmt: skip
    for place, row in enumerate(rows):
        value_beside(ax, place, edge_label(row), colours[place])
    null, said = (0.0, "fair") if varied else (nulls[0], f"fair: {percent(nulls[0] / 100)}")
    ax.axvline(null, color=INK, lw=1.1, ls=(0, (4, 3)), zorder=1)
    ax.annotate(said, (null, 1.0), xycoords=ax.get_xaxis_transform(), xytext=(0, 5), textcoords="offset points",
                ha="center", fontsize=8.5)  # fmt: skip
    heading_beside(ax, "edge, points")
    label_rows(ax, [named_level(table, row) for row in rows])
    ax.locator_params("x", nbins=6)
    ax.xaxis.set_major_formatter(signed if varied else lambda value, _: f"{value:g} %")
    what = "edge: win rate minus fair share" if varied else "win rate"
    ax.set_xlabel(f"{what}; bar: 95 % interval", fontsize=9, color=NEUTRAL)
    return ax


@draws(Table)
def table_picture(table: Table, ax: Axes | None = None) -> Axes:
    """Draw the win rates of a table with intervals, or as a heat map if its rows are pairs of levels."""
    return heat_map(table, ax) if table.crossed else forest(table, ax)


@draws(Listing)
@styled
def listing_picture(listing: Listing, ax: Axes | None = None) -> Axes:
    """Draw a column of numbers, row by row: the first column with intervals, or else the first column of numbers.

    Raises UserError: the table has no numbers.
    """
    number = next((one for one in listing.shown if one.low), None)
    number = number or next((one for one in listing.shown if one.kind not in ("text", "flag", "link")), None)
    if number is None:
        raise UserError("this table has no numbers to draw", found=listing.name)
    names = [one.name for one in listing.shown if one.kind == "text"] or [listing.frame.columns[0]]
    rows = listing.frame.drop_nulls(number.name).to_dicts()
    scale = 100 if number.kind in ("share", "edge", "size") else 1
    ax = styled_axes(ax, NARROW, 1.2 + 0.28 * len(rows))
    if number.low:
        low, high = (
            [scale * (row[number.name] if row[end] is None else row[end]) for row in rows]
            for end in (number.low, number.high)
        )
        ax.hlines(range(len(rows)), low, high, color=WEAK, lw=2.2)
    ax.scatter([scale * row[number.name] for row in rows], range(len(rows)), 36, WEAK, zorder=3)
    label_rows(ax, [", ".join(str(row[name]) for name in names[:2] if row[name] is not None) for row in rows])
    unit = {"share": ", %", "edge": ", points", "size": ", points"}.get(number.kind, "")
    ax.set_xlabel(f"{number.title}{unit}{f'; bar: {number.limits}' if number.low else ''}", fontsize=9, color=NEUTRAL)
    return ax


def check_crossed(table: Table, *, crossed: bool) -> None:
    """Raise UserError unless this is a table of win rates of the right kind: pairs of levels, or single levels."""
    allowed = 'report.tables["strategy x faction"]' if crossed else 'report.tables["faction"]'
    check_kind(table, Table, f"a table of a report, such as {allowed}")
    if table.crossed != crossed:
        which = ("single levels", "pairs of levels")
        message = f"this figure needs a table whose rows are {which[crossed]}"
        raise UserError(message, found=table.name, allowed=f"such as {allowed}")


def widest_edge(tables: Sequence[Table]) -> float:
    """Return the largest flagged edge of crossed tables in percentage points. If none is flagged, the largest edge."""
    frames = [table.frame.select("edge", "flag") for table in tables]
    cells = pl.concat(frames) if frames else pl.DataFrame(schema={"edge": pl.Float64, "flag": pl.String})
    flagged = cells.filter(pl.col("flag") != "")
    edges = (flagged if flagged.height else cells)["edge"].drop_nulls().to_numpy()
    return max(100 * float(np.abs(edges).max(initial=0.0)), 1e-9)


@styled
@checks_arguments
def heat_map(table: Table, ax: Axes | None = None, *, widest: float | None = None) -> Axes:
    """Draw the edge of every strategy (columns) with every faction or attribute (rows), in percentage points.

    Rows and columns are ordered by their mean edge, the best at the top and at the left. Flagged cells are bold and
    coloured: orange above the fair share, blue below it. Grey cells are not significant. A dot marks a pair that never
    met.

    Parameters
    ----------
    table
        A crossed table: it has a pair of levels per row.
    widest
        The edge, in percentage points, that gets the full colour. Adjacent maps share it. By default, `widest_edge` of
        the table.
    """
    check_crossed(table, crossed=True)
    grid = table.frame.rename({"level2": ROWS}).pivot(on="level", index=ROWS, values="edge")
    edges = grid.drop(ROWS).to_numpy().astype(np.float64)
    across, down = np.argsort(-column_means(edges)), np.argsort(-column_means(edges.T))
    edges = 100 * edges[np.ix_(down, across)]
    rows = [grid[ROWS][int(i)] for i in down]
    columns = [grid.drop(ROWS).columns[i] for i in across]
    flagged = set(table.frame.filter(pl.col("flag") != "").select("level", "level2").rows())
    title = f"Edge of each {table.noun}, percentage points"
    ax = styled_axes(ax, max(1.9 + 0.62 * len(columns), NARROW), 1.7 + 0.32 * len(rows), title)
    widest = widest_edge([table]) if widest is None else widest
    bold = np.array([[(column, row) in flagged for column in columns] for row in rows])
    image = draw_cells(ax, np.where(bold, edges, np.nan), edge_texts(edges), bold, widest)
    label_cells(ax, columns, rows)
    ax.set_xlabel("grey: no significant difference from the fair share", fontsize=9, color=NEUTRAL)
    bar = figure_of(ax).colorbar(image, ax=ax, shrink=0.85, aspect=28, pad=0.035)
    bar.outline.set_visible(False)
    bar.ax.set_title("edge", fontsize=8.5, color=NEUTRAL, loc="left")
    bar.ax.yaxis.set_major_formatter(signed)
    return ax


def column_means(values: np.ndarray) -> np.ndarray:
    """Return the mean of each column over its known values; 0 for a column without known values."""
    return np.asarray(np.nansum(values, axis=0) / np.maximum(np.isfinite(values).sum(axis=0), 1))


@styled
@checks_arguments
def score_distributions(histogram: pl.DataFrame, quantiles: pl.DataFrame, ax: Axes | None = None) -> Axes:
    """Draw how often each strategy reaches each score, the highest median first. All strategies together are on top.

    Parameters
    ----------
    histogram, quantiles
        From a `Report`.

    Returns
    -------
    The axes, with one ridge per strategy on a common scale of scores. The thick bar below a ridge spans the middle half
    of the scores, the thin line the middle 90 %. The dot is the median.
    """
    order = quantiles.filter(pl.col("strategy").is_not_null()).sort(["q50", "mean"], descending=True).to_dicts()
    rows = [*quantiles.filter(pl.col("strategy").is_null()).to_dicts(), *order] if len(order) > 1 else order
    ax = styled_axes(ax, NARROW, 1.0 + 0.48 * len(rows))
    shapes = [density(histogram, row["strategy"]) for row in rows]
    tallest = max(float(shape.max()) for _, shape in shapes)
    for place, (row, (scores, shape)) in enumerate(zip(rows, shapes, strict=True)):
        colour = NEUTRAL if row["strategy"] is None else WEAK
        ax.fill_between(scores, place, place - 0.78 * shape / tallest, step="mid", color=colour, alpha=0.35, lw=0)
        ax.plot([row["q05"], row["q95"]], [place + 0.08] * 2, color=colour, lw=1, solid_capstyle="butt")
        ax.plot([row["q25"], row["q75"]], [place + 0.08] * 2, color=colour, lw=3.5, solid_capstyle="butt")
        ax.plot(row["q50"], place + 0.08, "o", ms=5, color="white", mec=colour, mew=1.6)
        ax.annotate(f"{row['q50']}", (1.02, place), xycoords=ax.get_yaxis_transform(), va="bottom", fontsize=9)
    ax.annotate("median", (1.02, 1.0), xytext=(0, 2), xycoords="axes fraction", textcoords="offset points",
                fontsize=8.5, color=NEUTRAL)  # fmt: skip
    ax.set_yticks(range(len(rows)), [row["strategy"] or "all" for row in rows], va="bottom")
    ax.set_ylim(len(rows) - 0.7, -0.85)
    visible = np.concatenate([scores[shape > 0.003 * tallest] for scores, shape in shapes])
    ax.set_xlim(visible.min() - 1.5, visible.max() + 1.5)
    ax.grid(axis="x", color=FAINT, lw=0.8)
    ax.set_xlabel("score; dot: median, thick bar: middle half, line: middle 90 %", fontsize=9, color=NEUTRAL)
    return ax


def density(histogram: pl.DataFrame, strategy: str | None) -> tuple[np.ndarray, np.ndarray]:
    """Return all scores from a strategy's lowest to its highest, and the share of its seat-games with each score.

    If `strategy` is None, all strategies are taken together.
    """
    chosen = histogram if strategy is None else histogram.filter(pl.col("strategy") == strategy)
    counted = chosen.group_by("score").agg(pl.col("games").sum()).sort("score")
    first = int(counted["score"][0])
    shares = np.zeros(int(counted["score"][-1]) - first + 1)
    shares[counted["score"].to_numpy() - first] = counted["games"].to_numpy() / counted["games"].sum()
    return np.arange(first, first + len(shares)), shares


@styled
@checks_arguments
def part_bars(table: Table, parts: Sequence[str], ax: Axes | None = None) -> Axes:
    """Draw where points come from: the means of the score parts, stacked. Negative parts are to the left of zero.

    Parameters
    ----------
    table
        A table with columns `mean_<part>`.
    parts
        The score parts, in the order in which they are stacked.
    """
    check_crossed(table, crossed=False)
    rows = table.frame.sort("mean_score", descending=True)
    lines, own = -(-len(parts) // 4), ax is None
    ax = styled_axes(ax, NARROW, 1.3 + 0.22 * lines + 0.30 * rows.height, f"Mean score by {table.noun}")
    above, below = np.zeros(rows.height), np.zeros(rows.height)
    for number, part in enumerate(parts):
        mean = rows[f"mean_{part}"].to_numpy()
        left = np.where(mean >= 0, above, below)
        colour, hatch = PARTS[number % len(PARTS)], HATCHES[number // len(PARTS) % len(HATCHES)]
        ax.barh(range(rows.height), mean, left=left, height=0.72, label=part.replace("_", " "), color=colour,
                edgecolor="white", lw=0.8, hatch=hatch)  # fmt: skip
        above, below = above + np.maximum(mean, 0), below + np.minimum(mean, 0)
    for place, row in enumerate(rows.to_dicts()):
        ax.text(above[place], place, f" {row['mean_score']:.1f}", va="center", fontsize=9)
    label_rows(ax, rows["level"].to_list())
    ax.set_xlim(1.02 * below.min(), 1.1 * above.max() if above.max() > 0 else 1)
    ax.set_xlabel("mean score", fontsize=9, color=NEUTRAL)
    key_below(ax, len(parts), own, handleheight=1, columnspacing=1.4)
    return ax


def text_alternative(name: str, report: Report) -> str:
    """Return the text alternative of a figure."""
    if name in report.tables:
        table = report.tables[name]
        rows = table.frame.to_dicts()
        ends = (rows[0], rows[-1])
        said = [f"{' with '.join(filter(None, (r['level'], r['level2'])))} {points(r['edge'])} points" for r in ends]
        return f"Edge by {table.noun}: highest {said[0]}, lowest {said[1]}."
    noun = name.removeprefix("parts ")
    return "Final scores by strategy." if name == "scores" else f"{capital(noun)}: mean of each score part."


MAX_SHOWN = 16
"""Maximum number of rows that a figure on the first screen shows in full. Figures of longer tables are folded."""
MAX_UNFOLDED = 12
"""Maximum number of rows that get a line of their own in a folded figure."""


@dataclass(frozen=True)
class Fold:
    """Rows that a folded figure summarises in one line, in the order of the table."""

    title: str
    rows: tuple[dict[str, Any], ...]


def first_picture_of(report: Report, table: Table) -> Picture | None:
    """Return the folded figure of a table. None if the full figure fits on the first screen."""
    if table.frame.height <= MAX_SHOWN:
        return None
    return Picture(f"{table.name} first", partial(short_forest, table), text_alternative(table.name, report))


def fold_table(table: Table) -> tuple[Table, tuple[Fold, ...]]:
    """Split a table into the rows that get a line of their own and the folds that summarise the other rows.

    Up to `MAX_UNFOLDED` flagged rows get their own line: those farthest from fair. If no row is flagged, only the
    row farthest from fair gets one. Rows above their fair share come first, then rows below it. Within both groups, the
    row farthest from fair comes first.
    """
    rows = sorted(table.frame.to_dicts(), key=lambda row: (row["flag"] == "", -abs(row["edge"])))
    flagged = sum(row["flag"] != "" for row in rows)
    shown = rows[: min(MAX_UNFOLDED, max(flagged, 1))]
    shown.sort(key=lambda row: (row["edge"] < 0, -abs(row["edge"])))
    order = [row["level"] for row in table.frame.to_dicts()]
    rest = sorted(rows[len(shown) :], key=lambda row: order.index(row["level"]))
    folds = (("more out of balance", [row for row in rest if row["flag"]]),
             ("not significant", [row for row in rest if not row["flag"]]))  # fmt: skip
    frame = pl.DataFrame(shown, schema=table.frame.schema)
    return replace(table, frame=frame), tuple(Fold(title, tuple(own)) for title, own in folds if own)


@styled
def short_forest(table: Table, ax: Axes | None = None) -> Axes:
    """Draw the win rates of the levels farthest from fair, a line each. Others share lines, with a dot per level."""
    short, folds = fold_table(table)
    rows = short.frame.to_dicts()
    ax = forest(short, styled_axes(ax, NARROW, 1.2 + 0.28 * (len(rows) + len(folds))))
    nulls = [row["null"] for row in rows]
    shown = "edge" if max(nulls) - min(nulls) > 1e-9 else "win_rate"
    for place, fold in enumerate(folds, len(rows)):
        at, edges = ([100 * row[name] for row in fold.rows] for name in (shown, "edge"))
        ax.hlines(place, min(at), max(at), NEUTRAL, lw=1.2)
        ax.scatter(at, [place] * len(at), 12, "white", edgecolors=NEUTRAL, lw=1, zorder=3)
        said = f"{points(min(edges) / 100)} to {points(max(edges) / 100)}"
        value_beside(ax, place, typeset(said), NEUTRAL)
    names = [named_level(table, row) for row in rows] + [f"{len(fold.rows)} {fold.title}" for fold in folds]
    ax.set_yticks(range(len(names)), names)
    for label in ax.get_yticklabels()[len(rows) :]:
        label.set(color=NEUTRAL, fontsize=8.5, fontstyle="italic")
    ax.set_ylim(len(names) - 0.4, -0.6)
    return ax
