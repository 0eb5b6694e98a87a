"""Figures of the plain and the adjusted effects of pieces."""

from __future__ import annotations

from typing import Any

import numpy as np
import polars as pl

from reports.drawing import (
    COLOURS,
    FAINT,
    INK,
    NEUTRAL,
    WIDTH,
    Axes,
    edge_label,
    signed,
    styled,
    styled_axes,
    value_beside,
)
from reports.formatting import plural

ENDS = 12
"""Number of pieces that a figure shows from each end of a long table."""
NAMED = 7
"""Number of pieces that a scatter plot names at each end."""


@styled
def draw_effects(frame: pl.DataFrame, noun: str, value: str, label: str, ax: Axes | None = None) -> Axes:
    """Draw effects with their intervals. Of a long table, only `ENDS` rows at each end are drawn.

    Dots of flagged rows are filled. `frame` has the names in the column `noun`, the effects in the column `value`
    (fractions, the best first), and `low`, `high` and `flag`. There are no nulls.
    """
    long = frame.height > 2 * ENDS
    rows = [*frame.head(ENDS).to_dicts(), *frame.tail(ENDS).to_dicts()] if long else frame.to_dicts()
    ax = styled_axes(ax, WIDTH, 1.1 + 0.27 * (len(rows) + int(long)))
    places = [place + int(long and place >= ENDS) for place in range(len(rows))]
    for place, row in zip(places, rows, strict=True):
        colour = COLOURS.get(row["flag"], INK)
        ax.plot([100 * row["low"], 100 * row["high"]], [place, place], color=colour, lw=2.2, solid_capstyle="butt")
        ax.plot(100 * row[value], place, "o", ms=6, mec=colour, mew=1.5, color=colour if row["flag"] else "white")
        written = edge_label({"edge": row[value], "edge_low": row["low"], "edge_high": row["high"]})
        value_beside(ax, place, written, colour)
    ax.axvline(0, color=INK, lw=1.1, ls=(0, (4, 3)), zorder=1)
    if long:
        left_out = f"{frame.height - 2 * ENDS} {plural(noun)} in between"
        ax.annotate(left_out, (0.5, ENDS), xycoords=ax.get_yaxis_transform(),
                    ha="center", va="center", fontsize=8.5, color=NEUTRAL, backgroundcolor="white")  # fmt: skip
    ax.set_yticks(places, [row[noun] for row in rows])
    ax.set_ylim(places[-1] + 0.6, -0.6)
    style_axis(ax, label)
    return ax


@styled
def draw_scatter(frame: pl.DataFrame, noun: str, ax: Axes | None = None) -> Axes:
    """Draw each piece's adjusted edge against its plain edge. Name `NAMED` pieces at either end."""
    rows = frame.sort("adjusted", descending=True).to_dicts()
    ax = styled_axes(ax, WIDTH, 5.0)
    for row in rows:
        colour = COLOURS.get(row["flag"], INK)
        ax.plot(100 * row["edge"], 100 * row["adjusted"], "o", ms=5, mec=colour, mew=1.2,
                color=colour if row["flag"] else "white")  # fmt: skip
    ax.axhline(0, color=INK, lw=1.1, ls=(0, (4, 3)), zorder=1)
    ax.axvline(0, color=FAINT, lw=1.1, zorder=1)
    ax.set_xlim(*ax.get_xlim())
    ax.set_ylim(*ax.get_ylim())
    top = rows[:NAMED]
    write_names(ax, noun, top, rows[max(len(top), len(rows) - NAMED) :])
    ax.yaxis.set_major_formatter(signed)
    ax.set_ylabel("adjusted, points of win rate", fontsize=9, color=NEUTRAL)
    style_axis(ax, "unadjusted edge of seats that have it, points")
    ax.grid(axis="y", color=FAINT, lw=0.8)
    return ax


def write_names(ax: Axes, noun: str, top: list[dict[str, Any]], bottom: list[dict[str, Any]]) -> None:
    """Write the names of pieces at the right edge, so that they do not overlap, with lines to their dots."""
    low, high = ax.get_ylim()
    step = 0.042 * (high - low)
    place, named = np.inf, []
    for row in top:
        place = min(100 * row["adjusted"], place - step)
        named.append((row, place))
    place = -np.inf
    for row in reversed(bottom):
        place = max(100 * row["adjusted"], place + step)
        named.append((row, place))
    edge = ax.get_xlim()[1]
    for row, height in named:
        colour = COLOURS.get(row["flag"], INK)
        ax.plot([100 * row["edge"], edge], [100 * row["adjusted"], height], color=colour, lw=0.5, alpha=0.6, zorder=1)
        ax.annotate(row[noun], (edge, height), xytext=(4, 0), textcoords="offset points", fontsize=8.5, va="center",
                    color=colour, annotation_clip=False)  # fmt: skip


def style_axis(ax: Axes, label: str) -> None:
    """Give an x axis of percentage points its style."""
    ax.grid(axis="x", color=FAINT, lw=0.8)
    ax.locator_params("x", nbins=6)
    ax.xaxis.set_major_formatter(signed)
    ax.set_xlabel(label, fontsize=9, color=NEUTRAL)
