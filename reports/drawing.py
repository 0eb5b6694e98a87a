"""Colours, fonts and helpers of all figures.

Colours are safe for colour-blind readers and mean the same everywhere. Orange: wins more than its fair share. Blue:
wins less. Grey: no difference found.
"""

from __future__ import annotations

import textwrap
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import wraps
from typing import TYPE_CHECKING, Any, ParamSpec

import numpy as np

from reports.formatting import edge_parts, points, typeset
from sim.errors import UserError

if TYPE_CHECKING:
    from matplotlib.axes import Axes as Axes  # noqa: PLC0414 - for the modules that draw
    from matplotlib.figure import Figure
    from matplotlib.image import AxesImage
else:
    Axes = Any  # matplotlib takes long to import, and text reports draw nothing

STRONG, WEAK, NEUTRAL, INK, FAINT = "#C4500A", "#0B6CB0", "#7A828A", "#1F2933", "#D9DEE3"
UNSURE = "#E3E6EA"
"""Colour of a heat-map cell without a significant difference."""
COLOURS = {"strong": STRONG, "weak": WEAK, "": NEUTRAL}
DIVERGING = ("#0B4F8A", "#6FB1DD", "#F7F7F5", "#F0A765", "#A83C00")
"""Colours of heat maps, from weak to strong."""
# Colours by Okabe and Ito (2008), with a grey and two dark colours for games with many score parts.
PARTS = ("#D55E00", "#E8C33A", "#8C6BB1", "#0072B2", "#009E73", "#56B4E9", "#CC79A7", "#9AA5B1", "#5B4636", "#2F4858")

# Width of a letter and height of a line in a figure's title, in inches.
TITLE_LETTER, TITLE_LINE = 0.112, 0.22
WIDTH = 6.6
# Width in inches of figures that must stay readable on a phone, which shows them 350 pixels wide.
NARROW = 5.4
STYLE: Any = {
    "font.family": "DejaVu Sans", "font.size": 10, "text.color": INK, "axes.labelcolor": INK, "axes.edgecolor": FAINT,
    "xtick.color": INK, "ytick.color": INK, "axes.spines.top": False, "axes.spines.right": False,
    "axes.spines.left": False, "axes.axisbelow": True, "ytick.major.size": 0, "xtick.major.size": 0,
    "hatch.linewidth": 0.6, "hatch.color": "white", "figure.titleweight": "bold", "figure.titlesize": 12.5,
    "text.parse_math": False,  # names may contain dollar signs
}  # fmt: skip
P = ParamSpec("P")


def own_settings() -> Any:
    """Return matplotlib's settings for this module's style.

    They also reset everything that a user's `matplotlibrc` changes. It could, for example, turn on TeX text, and then
    drawing would run other programs.
    """
    import matplotlib as mpl

    usual = mpl.rcParamsDefault
    changed = [name for name, value in mpl.rcParamsOrig.items() if value != usual[name]]
    return {name: usual[name] for name in changed if not name.startswith("backend")} | STYLE


@contextmanager
def in_style(**more: Any) -> Iterator[None]:
    """Draw with this module's style and without warnings about characters that the font lacks."""
    import matplotlib as mpl

    with mpl.rc_context(own_settings() | more), warnings.catch_warnings():
        for message in (r"Glyph \d+ .*missing from", "Matplotlib currently does not support .* natively"):
            warnings.filterwarnings("ignore", message, UserWarning)
        yield


def styled(draw: Callable[P, Axes]) -> Callable[P, Axes]:
    """Decorate a drawing function so that it draws in this module's style and then restores matplotlib's settings."""

    @wraps(draw)
    def drawn(*args: P.args, **kwargs: P.kwargs) -> Axes:
        with in_style():
            return draw(*args, **kwargs)

    return drawn


def figure_of(ax: Axes) -> Figure:
    """Return the figure to which axes belong. Raise UserError if `ax` is not a matplotlib Axes."""
    if not hasattr(ax, "get_figure"):
        raise UserError("not a matplotlib Axes", field="ax", found=type(ax).__name__, allowed="Axes")
    figure = ax.get_figure(root=True)
    if figure is None:
        raise ValueError("these axes were removed from their figure")
    return figure


def blank(width: float, height: float, title: str = "") -> tuple[Figure, Axes]:
    """Return a figure of this size in inches with one axes, and a title at the left.

    A long title is wrapped, and the figure becomes higher.
    """
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    lines = textwrap.wrap(title, max(12, int(width / TITLE_LETTER)))
    height += TITLE_LINE * (len(lines) - 1) if lines else 0
    figure = Figure(figsize=(width, height), layout="constrained", facecolor="white")
    FigureCanvasAgg(figure)
    if title:
        figure.suptitle("\n".join(lines), x=0.012, ha="left")
    return figure, figure.add_subplot()


def styled_axes(ax: Axes | None, width: float, height: float, title: str = "") -> Axes:
    """Return the given axes in this module's style. Without axes, return new ones in a figure of this size in inches.

    On given axes, the title stands above the axes, not above the figure. If their figure has no layout, it gets one
    that makes room for text beside the axes.
    """
    if ax is None:
        return blank(width, height, title)[1]
    if (figure := figure_of(ax)).get_layout_engine() is None:
        figure.set_layout_engine("constrained")
    ax.spines[["top", "right", "left"]].set_visible(False)
    ax.spines["bottom"].set_color(FAINT)
    ax.tick_params(length=0, colors=INK)
    ax.set_axisbelow(True)
    if title:
        ax.set_title(title, loc="left", fontsize=STYLE["font.size"], fontweight="bold", color=INK)
    return ax


def signed(value: float, _: float = 0.0) -> str:
    """Format a tick label in percentage points: '+5', '0'."""
    return typeset(f"{value:+g}") if value else "0"


def edge_label(row: dict[str, Any]) -> str:
    """Format a row's edge and interval without a unit: '+8.1 ± 0.4', or '-25.0 (-25.0 to -21.3)' if asymmetric."""
    edge, limits = edge_parts(row)
    return typeset(edge if limits is None else f"{edge} ({limits[0]} to {limits[1]})")


def edge_texts(edges: np.ndarray) -> np.ndarray:
    """Format edges, given in percentage points, as texts of heat-map cells. An unknown edge is a dot."""
    texts = ["·" if np.isnan(edge) else typeset(points(edge / 100)) for edge in edges.ravel()]
    return np.array(texts, dtype=object).reshape(edges.shape)


def draw_cells(
    ax: Axes, values: np.ndarray, texts: np.ndarray, bold: np.ndarray, widest: float, middle: float = 0.0
) -> AxesImage:
    """Draw a heat map with a text in each cell.

    Cells are white at the middle value, orange above it and blue below it, and grey where the value is unknown.

    Parameters
    ----------
    values
        Shape (rows, columns); NaN if unknown or not significant.
    texts, bold
        Text of each cell ("" for none), and whether it is bold; both have the shape of `values`.
    widest
        Distance from the middle at which a cell has the full colour.
    """
    from matplotlib.colors import LinearSegmentedColormap, TwoSlopeNorm

    ax.set_facecolor(UNSURE)
    colours = LinearSegmentedColormap.from_list("weak to strong", DIVERGING)
    image = ax.imshow(values, cmap=colours, norm=TwoSlopeNorm(middle, middle - widest, middle + widest),
                      aspect="auto")  # fmt: skip
    for (y, x), text in np.ndenumerate(texts):
        if text:
            written = ax.text(x, y, text, ha="center", va="center", fontsize=8.5,
                              fontweight="bold" if bold[y, x] else "normal",
                              color="white" if abs(values[y, x] - middle) > 0.72 * widest else INK)  # fmt: skip
            written.set_in_layout(False)  # texts stay within their cells, and measuring hundreds of them is slow
    return image


def label_cells(ax: Axes, columns: Sequence[str], rows: Sequence[str]) -> None:
    """Label the columns and rows of a heat map, and separate its cells by thin white lines."""
    slant, side = (35, "left") if len(columns) > 4 else (0, "center")
    ax.set_xticks(range(len(columns)), columns, rotation=slant, ha=side, rotation_mode="anchor")
    ax.xaxis.tick_top()
    ax.set_yticks(range(len(rows)), rows)
    ax.spines[:].set_visible(False)
    ax.vlines(np.arange(len(columns) - 1) + 0.5, -0.5, len(rows) - 0.5, "white", lw=1.5)
    ax.hlines(np.arange(len(rows) - 1) + 0.5, -0.5, len(columns) - 0.5, "white", lw=1.5)


def rows_down(ax: Axes, names: Sequence[str], below: float = 0.4) -> None:
    """Name the rows of a figure, the first at the top. Below the last one, `1 - below` times a row's height is free."""
    ax.set_yticks(range(len(names)), names)
    ax.set_ylim(len(names) - below, -0.6)


def label_rows(ax: Axes, names: Sequence[str], below: float = 0.4) -> None:
    """Name the rows of a figure as `rows_down` does, and add faint vertical grid lines."""
    rows_down(ax, names, below)
    ax.grid(axis="x", color=FAINT, lw=0.8)


def value_beside(ax: Axes, place: float, text: str, colour: str = INK) -> None:
    """Write a row's value to the right of the axes, at height `place`."""
    ax.annotate(text, (1.02, place), xycoords=ax.get_yaxis_transform(), va="center", fontsize=9, color=colour)


def heading_beside(ax: Axes, text: str) -> None:
    """Write a heading above the values that stand to the right of the axes."""
    ax.annotate(text, (1.02, 1.0), xytext=(0, 5), xycoords="axes fraction", textcoords="offset points", fontsize=8.5,
                color=NEUTRAL)  # fmt: skip


def key_below(ax: Axes, labels: int, own: bool, **style: Any) -> None:
    """Add a legend with this number of labels: below the figure if it is our `own`, else right below the axes."""
    key: dict[str, Any] = {"ncols": min(4, labels), "frameon": False, "fontsize": 8.5, "handlelength": 1, **style}
    if own:
        figure_of(ax).legend(*ax.get_legend_handles_labels(), loc="outside lower center", **key)
    else:
        ax.legend(loc="upper center", bbox_to_anchor=(0.5, -0.1), **key)


def label_ends(ax: Axes, ends: Sequence[tuple[float, str, str]]) -> None:
    """Label lines at their right ends. Each end is (height, name, colour). Labels that overlap are moved apart."""
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
