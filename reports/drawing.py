"""What all figures share. Colours are safe for colour-blind readers and mean the same everywhere.

Orange: wins more than its fair share. Blue: wins less. Grey: no difference found.
"""

from __future__ import annotations

import textwrap
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import wraps
from typing import Any, ParamSpec

import matplotlib as mpl
import numpy as np
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.colors import LinearSegmentedColormap, TwoSlopeNorm
from matplotlib.figure import Figure
from matplotlib.image import AxesImage

from reports.formatting import decimals, edge_limits, half_width, lopsided, points, typeset

STRONG, WEAK, NEUTRAL, INK, FAINT = "#C4500A", "#0B6CB0", "#7A828A", "#1F2933", "#D9DEE3"
UNSURE = "#E3E6EA"
"""A cell of a map in which no difference was found."""
COLOURS = {"strong": STRONG, "weak": WEAK, "": NEUTRAL}
DIVERGING = LinearSegmentedColormap.from_list("weak to strong", ["#0B4F8A", "#6FB1DD", "#F7F7F5", "#F0A765", "#A83C00"])
# Okabe and Ito (2008) with a grey and two dark tones for games with many score parts.
PARTS = ("#D55E00", "#E8C33A", "#8C6BB1", "#0072B2", "#009E73", "#56B4E9", "#CC79A7", "#9AA5B1", "#5B4636", "#2F4858")
# Inches that a letter and a further line of a figure's title take.
TITLE_LETTER, TITLE_LINE = 0.112, 0.22
WIDTH = 6.6
# Forest plots, scores and score parts stay readable on a telephone, where they are shown 350 pixels wide.
NARROW = 5.4
FROM_FILE = {
    name: mpl.rcParamsDefault[name]
    for name, value in mpl.rcParamsOrig.items()
    if not name.startswith("backend") and value != mpl.rcParamsDefault[name]
}
"""What a file `matplotlibrc` has set, as it is without one: text by way of TeX, for one, runs other programs."""
STYLE: Any = FROM_FILE | {
    "font.family": "DejaVu Sans", "font.size": 10, "text.color": INK, "axes.labelcolor": INK, "axes.edgecolor": FAINT,
    "xtick.color": INK, "ytick.color": INK, "axes.spines.top": False, "axes.spines.right": False,
    "axes.spines.left": False, "axes.axisbelow": True, "ytick.major.size": 0, "xtick.major.size": 0,
    "hatch.linewidth": 0.6, "hatch.color": "white", "figure.titleweight": "bold", "figure.titlesize": 12.5,
    "text.parse_math": False,  # a name may hold a dollar sign
}  # fmt: skip
P = ParamSpec("P")


@contextmanager
def in_style(**more: Any) -> Iterator[None]:
    """Draw with this module's style; that the font lacks a letter of a name is no reason for a warning."""
    with mpl.rc_context(STYLE | more), warnings.catch_warnings():
        for message in (r"Glyph \d+ .*missing from", "Matplotlib currently does not support .* natively"):
            warnings.filterwarnings("ignore", message, UserWarning)
        yield


def styled(draw: Callable[P, Axes]) -> Callable[P, Axes]:
    """Draw with this module's style and leave matplotlib's settings as they were."""

    @wraps(draw)
    def drawn(*args: P.args, **kwargs: P.kwargs) -> Axes:
        with in_style():
            return draw(*args, **kwargs)

    return drawn


def figure_of(ax: Axes) -> Figure:
    """Return the figure that axes stand in."""
    figure = ax.get_figure(root=True)
    if figure is None:
        raise ValueError("these axes were removed from their figure")
    return figure


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


def edge_texts(edges: np.ndarray) -> np.ndarray:
    """Edges in percentage points as cells of a map write them; a dot where nothing is known."""
    texts = ["·" if np.isnan(edge) else typeset(points(edge / 100)) for edge in edges.ravel()]
    return np.array(texts, dtype=object).reshape(edges.shape)


def draw_cells(
    ax: Axes, values: np.ndarray, texts: np.ndarray, bold: np.ndarray, widest: float, middle: float = 0.0
) -> AxesImage:
    """Colour the cells of a map, white in the middle, orange above it and blue below, and write into them.

    Cells of an unknown value stay grey.

    Parameters
    ----------
    values
        Shape (rows, columns); NaN where nothing is known, or nothing is sure enough for a colour.
    texts, bold
        What is written into each cell, "" for nothing, and whether in bold; of the same shape.
    widest
        Distance from the middle that has the full colour.
    """
    ax.set_facecolor(UNSURE)
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
