"""Draw an edge against the values of a parameter, with the fair share as a line and the value at which they meet."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl

from reports.drawing import FAINT, INK, NEUTRAL, STRONG, WEAK, WIDTH, Axes, signed, styled, styled_axes

MAX_TICKS = 14


@dataclass(frozen=True)
class FairRange:
    """The parameter value at which an edge vanishes, with 95 % limits."""

    place: float
    low: float
    high: float


@styled
def edge_by_value(
    tried: pl.DataFrame, name: str, printed: float, best: float, fair: FairRange | None, ax: Axes | None = None
) -> Axes:
    """Draw the edge at every value tried with its 95 % interval, the fair line, and the range of fair values.

    Parameters
    ----------
    tried
        One row per value, in ascending order: `value`, `edge`, `low`, `high`. Edges are fractions.
    printed, best
        The printed and the proposed value. They are equal if no value is proposed.
    fair
        The range of fair values. None if the edge keeps its sign.
    """
    ax = styled_axes(ax, WIDTH, 3.4)
    values, edges, low, high = (
        tried[column].cast(pl.Float64).fill_null(np.nan).to_numpy() for column in ("value", "edge", "low", "high")
    )
    if fair is not None:
        ax.axvspan(fair.low, fair.high, color=NEUTRAL, alpha=0.13, lw=0, zorder=0)
        ax.plot(fair.place, 0, "D", ms=7, color=INK, zorder=5)
    ax.plot(values, 100 * edges, color=NEUTRAL, lw=1.2, zorder=1)
    for value, edge, ends in zip(values, 100 * edges, 100 * np.column_stack([low, high]), strict=True):
        colour = STRONG if ends[0] > 0 else WEAK if ends[1] < 0 else NEUTRAL
        ax.plot([value, value], ends, color=colour, lw=4, alpha=0.35, solid_capstyle="butt", zorder=2)
        ax.plot(value, edge, "o", ms=6.5, color=colour, mec="white", mew=0.8, zorder=3)
    ax.axhline(0, color=INK, lw=1.1, ls=(0, (4, 3)), zorder=1)
    ax.annotate("fair", (0.0, 0), xycoords=ax.get_yaxis_transform(), xytext=(3, 3), textcoords="offset points",
                fontsize=8.5)  # fmt: skip
    name_values(ax, {"as printed": printed} | ({"proposed": best} if best != printed else {}))
    if len(values) <= MAX_TICKS:
        ax.set_xticks(values, [f"{value:g}" for value in values])
    ax.grid(axis="y", color=FAINT, lw=0.8)
    ax.yaxis.set_major_formatter(signed)
    ax.margins(x=0.06)
    ax.set_xlabel(f"{name}{'; grey: values that may be fair' if fair is not None else ''}")
    ax.set_ylabel("edge, points; bar: 95 % interval", fontsize=9, color=NEUTRAL)
    return ax


def name_values(ax: Axes, named: dict[str, float]) -> None:
    """Label values above the axes, with a thin line down from each."""
    beside: Any = {"xycoords": ax.get_xaxis_transform(), "textcoords": "offset points"}
    for word, value in named.items():
        ax.axvline(value, color=NEUTRAL, lw=0.9, ls=(0, (1, 2)), zorder=0)
        ax.annotate(word, (value, 1.0), xytext=(0, 4), ha="center", fontsize=8.5, color=NEUTRAL, **beside)


def mark_fair(ax: Axes, places: Sequence[float], height: float, colour: str) -> None:
    """Mark and label the points at which a line meets the fair share: at the values `places`, all at one height."""
    for place in places:
        ax.plot(place, height, "D", ms=6.5, mfc="white", mec=colour, mew=1.6, zorder=5)
        ax.annotate(f"{place:.2g}", (place, height), xytext=(0, -13), textcoords="offset points", ha="center",
                    fontsize=8.5, color=colour)  # fmt: skip
