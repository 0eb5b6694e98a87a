"""Figures of the report. Colours are safe for colour-blind readers and mean the same everywhere.

Orange: wins more than its fair share. Blue: wins less. Grey: no difference found.
"""

from __future__ import annotations

import io
import textwrap
from collections.abc import Callable, Iterator, Sequence
from functools import partial, wraps
from typing import Any, ParamSpec

import matplotlib as mpl
import numpy as np
import polars as pl
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.backends.backend_svg import FigureCanvasSVG
from matplotlib.colors import LinearSegmentedColormap, TwoSlopeNorm
from matplotlib.figure import Figure
from matplotlib.image import AxesImage
from matplotlib.ticker import FuncFormatter, MaxNLocator

from reports.sections.balance import Report, Table
from reports.shapes import Picture
from reports.words import capital, decimals, edge_limits, half_width, lopsided, percent, points, typeset

STRONG, WEAK, NEUTRAL, INK, FAINT = "#C4500A", "#0B6CB0", "#7A828A", "#1F2933", "#D9DEE3"
COLOURS = {"strong": STRONG, "weak": WEAK, "": NEUTRAL}
DIVERGING = LinearSegmentedColormap.from_list("weak to strong", ["#0B4F8A", "#6FB1DD", "#F7F7F5", "#F0A765", "#A83C00"])
# Okabe and Ito (2008) with a grey and two dark tones for games with many score parts.
PARTS = ("#D55E00", "#E8C33A", "#8C6BB1", "#0072B2", "#009E73", "#56B4E9", "#CC79A7", "#9AA5B1", "#5B4636", "#2F4858")
# Inches that a letter and a further line of a figure's title take.
TITLE_LETTER, TITLE_LINE = 0.112, 0.22
HATCHES = ("", "////", "....")
DPI = 288
WIDTH = 6.6
# Forest plots, scores and score parts stay readable on a telephone, where they are shown 350 pixels wide.
NARROW = 5.4
STYLE: Any = {
    "font.family": "DejaVu Sans", "font.size": 10, "text.color": INK, "axes.labelcolor": INK, "axes.edgecolor": FAINT,
    "xtick.color": INK, "ytick.color": INK, "axes.spines.top": False, "axes.spines.right": False,
    "axes.spines.left": False, "axes.axisbelow": True, "ytick.major.size": 0, "xtick.major.size": 0,
    "hatch.linewidth": 0.6, "hatch.color": "white", "figure.titleweight": "bold", "figure.titlesize": 12.5,
    "text.parse_math": False,  # a name may hold a dollar sign
}  # fmt: skip

P = ParamSpec("P")


def styled(draw: Callable[P, Axes]) -> Callable[P, Axes]:
    """Draw with this module's style and leave matplotlib's settings as they were."""

    @wraps(draw)
    def drawn(*args: P.args, **kwargs: P.kwargs) -> Axes:
        with mpl.rc_context(STYLE):
            return draw(*args, **kwargs)

    return drawn


def share_pictures(report: Report) -> tuple[Picture, ...]:
    """List the figures of a report's win shares and scores; those of its sections stand in the sections.

    Returns
    -------
    Pictures named like the table for win shares and heat maps; "scores"; "parts strategy", "parts faction".
    """
    parts = report.manifest["score_parts"]
    drawings: dict[str, Callable[..., Axes]] = {}
    for table in report.tables.values():
        if table.crossed:
            drawings[table.name] = partial(heat_map, table)
        elif not table.silence:
            drawings[table.name] = partial(forest, table)
    drawings["scores"] = partial(score_distributions, report.histogram, report.quantiles)
    for name in ("strategy", "faction"):
        drawings[f"parts {name}"] = partial(part_bars, report.tables[name], parts)
    return tuple(Picture(name, draw, alternative(name, report)) for name, draw in drawings.items())


def all_figures(report: Report) -> Iterator[tuple[str, Figure]]:
    """Draw every figure of a report and of its sections, one at a time.

    Yields
    ------
    The picture's name and the figure.
    """
    for picture in (*share_pictures(report), *(picture for section in report.sections for picture in section.pictures)):
        yield picture.name, figure_of(picture.draw())


def figure_of(ax: Axes) -> Figure:
    """Return the figure that axes stand in."""
    figure = ax.get_figure(root=True)
    if figure is None:
        raise ValueError("these axes were removed from their figure")
    return figure


def png(figure: Figure) -> bytes:
    """Return the figure as a PNG file at more than twice the density of a common screen."""
    buffer = io.BytesIO()
    with mpl.rc_context(STYLE):
        # No date or version in the file: the same run gives the same bytes.
        figure.savefig(buffer, format="png", dpi=DPI, metadata={"Software": None})
    return buffer.getvalue()


def svg(figure: Figure) -> bytes:
    """Return the figure as an SVG file: sharp at any size, half as large as a PNG file and drawn in half the time.

    Letters are drawn as outlines, so that they look the same where the font is missing.
    """
    buffer, canvas = io.BytesIO(), figure.canvas
    with mpl.rc_context({**STYLE, "svg.fonttype": "path", "svg.hashsalt": "empirelab"}):
        # By way of the canvas, since savefig draws a figure twice: once without ink, to lay it out.
        FigureCanvasSVG(figure).print_svg(buffer, metadata={"Date": None, "Creator": None})
    figure.set_canvas(canvas)
    return buffer.getvalue()


def blank(width: float, height: float, title: str = "") -> tuple[Figure, Axes]:
    """Return a figure of that many inches with one axes and a title, if any, at its left edge.

    A title that is wider than the figure takes several lines, for which the figure is higher.
    """
    lines = textwrap.wrap(title, max(12, int(width / TITLE_LETTER)))
    height += TITLE_LINE * (len(lines) - 1) if lines else 0
    figure = Figure(figsize=(width, height), layout="constrained", facecolor="white")
    FigureCanvasAgg(figure)
    if title:
        figure.suptitle("\n".join(lines), x=0.012, ha="left")
    return figure, figure.add_subplot()


def dressed(ax: Axes | None, width: float, height: float, title: str = "") -> Axes:
    """Return the axes to draw on: those given, in this module's dress, or new ones of that many inches.

    The figure of given axes keeps its size; the title stands above the axes then, not above the figure.
    """
    if ax is None:
        return blank(width, height, title)[1]
    ax.spines[["top", "right", "left"]].set_visible(False)
    ax.spines["bottom"].set_color(FAINT)
    ax.tick_params(length=0, colors=INK)
    ax.set_axisbelow(True)
    if title:
        ax.set_title(title, loc="left", fontsize=STYLE["font.size"], fontweight="bold", color=INK)
    return ax


@styled
def forest(table: Table, ax: Axes | None = None) -> Axes:
    """Win share of every level with its 95 % interval, best first, against the fair share.

    Parameters
    ----------
    table
        Not crossed: one level per row.

    Returns
    -------
    One point per level, filled and coloured where it is flagged, open where it is not; the fair share as a dashed line;
    edge and half interval in percentage points at the right. Edges in place of shares where fair shares differ.
    """
    rows = table.frame.to_dicts()
    ax = dressed(ax, NARROW, 1.2 + 0.28 * len(rows))
    colours = [COLOURS[row["flag"]] for row in rows]
    nulls = [100 * row["null"] for row in rows]
    # Where fair shares differ, as seats of several table sizes do, only what lies beyond them can be compared.
    varied = max(nulls) - min(nulls) > 1e-9
    shown, *limits = ("edge", "edge_low", "edge_high") if varied else ("win_share", "low", "high")
    known = [(place, row) for place, row in enumerate(rows) if row[limits[0]] is not None]
    low, high = ([100 * row[name] for _, row in known] for name in limits)
    ax.hlines([place for place, _ in known], low, high, [colours[place] for place, _ in known], lw=2.2)
    filled = [colour if row["flag"] else "white" for colour, row in zip(colours, rows, strict=True)]
    ax.scatter([100 * row[shown] for row in rows], range(len(rows)), 36, filled, edgecolors=colours, lw=1.5,
               zorder=3)  # fmt: skip
    for place, row in enumerate(rows):
        ax.annotate(edge_label(row), (1.02, place), xycoords=ax.get_yaxis_transform(), va="center", fontsize=9,
                    color=colours[place])  # fmt: skip
    draw_null(ax, 0.0 if varied else nulls[0], "fair" if varied else f"fair: {percent(nulls[0] / 100)}")
    ax.annotate("edge, points", (1.02, 1.0), xytext=(0, 5), xycoords="axes fraction", textcoords="offset points",
                fontsize=8.5, color=NEUTRAL)  # fmt: skip
    ax.set_yticks(range(len(rows)), [row["level"] for row in rows])
    ax.set_ylim(len(rows) - 0.4, -0.6)
    ax.grid(axis="x", color=FAINT, lw=0.8)
    ax.xaxis.set_major_locator(MaxNLocator(6, steps=[1, 2, 2.5, 5, 10]))
    ax.xaxis.set_major_formatter(FuncFormatter(signed if varied else lambda value, _: f"{value:g} %"))
    said = "edge: share of games won less the fair share" if varied else "share of games won"
    ax.set_xlabel(f"{said}; bar: 95 % interval", fontsize=9, color=NEUTRAL)
    return ax


def signed(value: float, _: float = 0.0) -> str:
    """A tick of percentage points: '+5', '0'."""
    return typeset(f"{value:+g}") if value else "0"


def edge_label(row: dict[str, Any]) -> str:
    """A row's edge and interval without the unit: '+8.1 ± 0.4', or '-25.0 (-25.0 to -21.3)' if lopsided."""
    half = half_width(row)
    digits = decimals(half)
    if lopsided(row):
        low, high = edge_limits(row, digits)
        return typeset(f"{points(row['edge'], digits)} ({low} to {high})")
    spread = "" if half is None else f" ± {100 * half:.{digits}f}"
    return typeset(f"{points(row['edge'], digits)}{spread}")


def draw_null(ax: Axes, null: float, said: str) -> None:
    """Draw what is fair as a dashed line."""
    ax.axvline(null, color=INK, lw=1.1, ls=(0, (4, 3)), zorder=1)
    ax.annotate(said, (null, 1.0), xycoords=ax.get_xaxis_transform(), xytext=(0, 5), textcoords="offset points",
                ha="center", fontsize=8.5)  # fmt: skip


@styled
def heat_map(table: Table, ax: Axes | None = None) -> Axes:
    """Edge in percentage points of every strategy (columns) with every faction or attribute (rows).

    Both are ordered by their mean edge, best at the top and at the left. White is the fair share, orange above it,
    blue below it. Bold cells are flagged; a pair that never met is marked with a dot.
    """
    grid = table.frame.pivot(on="level", index="level2", values="edge")
    edges = grid.drop("level2").to_numpy().astype(np.float64)
    across, down = np.argsort(-column_means(edges)), np.argsort(-column_means(edges.T))
    edges = 100 * edges[np.ix_(down, across)]
    rows = [grid["level2"][int(i)] for i in down]
    columns = [grid.drop("level2").columns[i] for i in across]
    flagged = set(table.frame.filter(pl.col("flag") != "").select("level", "level2").rows())
    title = f"Edge of each {table.noun}, percentage points"
    ax = dressed(ax, max(1.9 + 0.62 * len(columns), NARROW), 1.7 + 0.32 * len(rows), title)
    widest = max(float(np.nanmax(np.abs(edges))), 1e-9)
    bold = np.array([[(column, row) in flagged for column in columns] for row in rows])
    image = draw_cells(ax, edges, edge_texts(edges), bold, widest)
    label_cells(ax, columns, rows)
    bar = figure_of(ax).colorbar(image, ax=ax, shrink=0.85, aspect=28, pad=0.035)
    bar.outline.set_visible(False)
    bar.ax.set_title("edge", fontsize=8.5, color=NEUTRAL, loc="left")
    bar.ax.yaxis.set_major_formatter(FuncFormatter(signed))
    return ax


def edge_texts(edges: np.ndarray) -> np.ndarray:
    """Edges in percentage points as cells of a map write them; a dot where nothing is known."""
    texts = ["·" if np.isnan(edge) else typeset(points(edge / 100)) for edge in edges.ravel()]
    return np.array(texts, dtype=object).reshape(edges.shape)


def draw_cells(
    ax: Axes, values: np.ndarray, texts: np.ndarray, bold: np.ndarray, widest: float, middle: float = 0.0
) -> AxesImage:
    """Colour the cells of a map, white in the middle, orange above it and blue below, and write into them.

    Parameters
    ----------
    values
        Shape (rows, columns); NaN where nothing is known.
    texts, bold
        What is written into each cell, "" for nothing, and whether in bold; of the same shape.
    widest
        Distance from the middle that has the full colour.
    """
    image = ax.imshow(values, cmap=DIVERGING, norm=TwoSlopeNorm(middle, middle - widest, middle + widest),
                      aspect="auto")  # fmt: skip
    for (y, x), text in np.ndenumerate(texts):
        if text:
            written = ax.text(x, y, text, ha="center", va="center", fontsize=8.5,
                              fontweight="bold" if bold[y, x] else "normal",
                              color="white" if abs(values[y, x] - middle) > 0.72 * widest else INK)  # fmt: skip
            written.set_in_layout(False)  # it lies within its cell; measuring hundreds of them takes time
    return image


def label_cells(ax: Axes, columns: Sequence[str], rows: Sequence[str]) -> None:
    """Put the names at the top and at the left of a map, and thin white lines between its cells."""
    slant, side = (35, "left") if len(columns) > 4 else (0, "center")
    ax.set_xticks(range(len(columns)), columns, rotation=slant, ha=side, rotation_mode="anchor")
    ax.xaxis.tick_top()
    ax.set_yticks(range(len(rows)), rows)
    ax.spines[:].set_visible(False)
    ax.vlines(np.arange(len(columns) - 1) + 0.5, -0.5, len(rows) - 0.5, "white", lw=1.5)
    ax.hlines(np.arange(len(rows) - 1) + 0.5, -0.5, len(columns) - 0.5, "white", lw=1.5)


def label_ends(ax: Axes, ends: Sequence[tuple[float, str, str]]) -> None:
    """Write the name of every line beside its right end, moved apart where they would touch.

    Parameters
    ----------
    ends
        Height of each line's end, its name and colour; a line whose end is unknown gets no name.
    """
    low, high = ax.get_ylim()
    gap = 0.052 * (high - low)
    ordered = sorted((end for end in ends if np.isfinite(end[0])), reverse=True)
    places = [end for end, _, _ in ordered]
    for _ in range(50):
        for upper in range(len(places) - 1):
            lack = gap - (places[upper] - places[upper + 1])
            if lack > 1e-9:
                places[upper] += lack / 2
                places[upper + 1] -= lack / 2
    for place, (_, level, colour) in zip(places, ordered, strict=True):
        ax.annotate(level, (1.01, place), xycoords=ax.get_yaxis_transform(), va="center", fontsize=9, color=colour)


def column_means(values: np.ndarray) -> np.ndarray:
    """Mean of each column over its known values."""
    return np.asarray(np.nansum(values, axis=0) / np.maximum(np.isfinite(values).sum(axis=0), 1))


@styled
def score_distributions(histogram: pl.DataFrame, quantiles: pl.DataFrame, ax: Axes | None = None) -> Axes:
    """How often each strategy reaches each score, highest median first; all strategies together on top.

    Parameters
    ----------
    histogram, quantiles
        From a `Report`.

    Returns
    -------
    One ridge per strategy on a common scale of scores; the bar below it spans the middle half of its scores, the dot
    is its median, the thin line spans 90 %.
    """
    order = quantiles.filter(pl.col("strategy").is_not_null()).sort(["q50", "mean"], descending=True).to_dicts()
    rows = [*quantiles.filter(pl.col("strategy").is_null()).to_dicts(), *order] if len(order) > 1 else order
    ax = dressed(ax, NARROW, 1.0 + 0.48 * len(rows))
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
    """Scores from the lowest to the highest and the share of games that ended with each."""
    chosen = histogram if strategy is None else histogram.filter(pl.col("strategy") == strategy)
    counted = chosen.group_by("score").agg(pl.col("games").sum()).sort("score")
    first = int(counted["score"][0])
    shares = np.zeros(int(counted["score"][-1]) - first + 1)
    shares[counted["score"].to_numpy() - first] = counted["games"].to_numpy() / counted["games"].sum()
    return np.arange(first, first + len(shares)), shares


@styled
def part_bars(table: Table, parts: Sequence[str], ax: Axes | None = None) -> Axes:
    """Where the points come from: mean of each score part, stacked; negative parts to the left of zero.

    Parameters
    ----------
    table
        A table with columns `mean_<part>`.
    parts
        The score parts, in the order in which they are stacked.
    """
    rows = table.frame.sort("mean_score", descending=True)
    lines = -(-len(parts) // 4)
    own = ax is None
    ax = dressed(ax, NARROW, 1.3 + 0.22 * lines + 0.30 * rows.height, f"Mean score by {table.noun}")
    places = np.arange(rows.height)
    above, below = np.zeros(rows.height), np.zeros(rows.height)
    for number, part in enumerate(parts):
        mean = rows[f"mean_{part}"].to_numpy()
        left = np.where(mean >= 0, above, below)
        ax.barh(places, mean, left=left, height=0.72, label=part, color=PARTS[number % len(PARTS)], edgecolor="white",
                lw=0.8, hatch=HATCHES[number // len(PARTS) % len(HATCHES)])  # fmt: skip
        above, below = above + np.maximum(mean, 0), below + np.minimum(mean, 0)
    for place, row in enumerate(rows.to_dicts()):
        ax.text(above[place], place, f" {row['mean_score']:.1f}", va="center", fontsize=9)
    ax.set_yticks(places, rows["level"].to_list())
    ax.set_ylim(rows.height - 0.4, -0.6)
    ax.set_xlim(1.02 * below.min(), 1.1 * above.max() if above.max() > 0 else 1)
    ax.grid(axis="x", color=FAINT, lw=0.8)
    ax.set_xlabel("mean score", fontsize=9, color=NEUTRAL)
    key: dict[str, Any] = {"ncols": min(4, len(parts)), "frameon": False, "fontsize": 8.5, "handlelength": 1,
                           "handleheight": 1, "columnspacing": 1.4}  # fmt: skip
    if own:
        figure_of(ax).legend(*ax.get_legend_handles_labels(), loc="outside lower center", **key)
    else:
        ax.legend(loc="upper center", bbox_to_anchor=(0.5, -0.1), **key)
    return ax


def alternative(name: str, report: Report) -> str:
    """A text in place of a figure, for readers who cannot see it."""
    if name in report.tables:
        table = report.tables[name]
        rows = table.frame.to_dicts()
        ends = (rows[0], rows[-1])
        said = [f"{' with '.join(filter(None, (r['level'], r['level2'])))} {points(r['edge'])} points" for r in ends]
        return f"Edge by {table.noun}: highest {said[0]}, lowest {said[1]}."
    noun = name.removeprefix("parts ")
    return "Final scores by strategy." if name == "scores" else f"{capital(noun)}: mean of each score part."
