"""Draw edges before and after a change: an open dot, a line, and a filled dot with its interval."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from textwrap import wrap

from reports.drawing import (
    FAINT,
    INK,
    NARROW,
    NEUTRAL,
    STRONG,
    WEAK,
    Axes,
    label_rows,
    signed,
    styled,
    styled_axes,
    value_beside,
)
from reports.formatting import points, typeset
from reports.model import Picture

MAX_ROWS = 40
KEY = "bar: limits as in the table\nopen: as printed, filled: changed, grey: margin"
NAME_WIDTH, NAME_LINES = 30, 4
"""A row's name is cut to this many letters per line and this many lines. A longer name would fill the figure."""


@dataclass(frozen=True)
class Moved:
    """A row of the figure: its edge before the change, and its edge with limits after the change.

    Edges and limits are fractions. Limits are None if unknown. `state` is from `reports.studies.search.goals.state_of`.
    """

    name: str
    before: float
    after: float
    low: float | None
    high: float | None
    state: str


def before_after(
    name: str, rows: Sequence[Moved], margin: float, said: str, what: str = "edge", key: str = KEY
) -> tuple[Picture, ...]:
    """Return a figure of up to `MAX_ROWS` rows. `said` begins its description; `what` and `key` label the x axis."""
    shown = list(rows)[:MAX_ROWS]
    ends = "; ".join(f"{row.name}: {points(row.before)} to {points(row.after)}" for row in shown)
    return (Picture(name, partial(draw_before_after, shown, margin, what, key), f"{said} {ends}."),)


@styled
def draw_before_after(rows: Sequence[Moved], margin: float, what: str, key: str = KEY, ax: Axes | None = None) -> Axes:
    """Draw the margin as a band, and a line per row from its edge before the change to its edge after it.

    An open dot marks the edge before. A filled dot with an interval marks the edge after.
    """
    names = ["\n".join(wrap(row.name, NAME_WIDTH, max_lines=NAME_LINES, placeholder=" ...")) for row in rows]
    lines = max((name.count("\n") for name in names), default=0)
    ax = styled_axes(ax, NARROW, 1.6 + (0.28 + 0.15 * lines) * len(rows))
    ax.axvspan(-100 * margin, 100 * margin, color=NEUTRAL, alpha=0.13, lw=0, zorder=0)
    ax.axvline(0, color=INK, lw=1.1, ls=(0, (4, 3)), zorder=1)
    for place, row in enumerate(rows):
        colour = NEUTRAL if row.state != "out" else STRONG if row.after > 0 else WEAK
        before, after = 100 * row.before, 100 * row.after
        if row.low is not None and row.high is not None:
            ax.hlines(place, 100 * row.low, 100 * row.high, colour, lw=4, alpha=0.35, zorder=2)
        ax.plot([before, after], [place, place], color=FAINT, lw=1.4, zorder=1)
        ax.plot(before, place, "o", ms=6.5, mfc="white", mec=NEUTRAL, mew=1.3, zorder=3)
        ax.plot(after, place, "o", ms=6.5, color=INK if row.state == "within" else colour, zorder=4)
        value_beside(ax, place, typeset(points(row.after)))
    label_rows(ax, names)
    ax.xaxis.set_major_formatter(signed)
    ax.set_xlabel(f"{what}, points; {key}", fontsize=8.5, color=NEUTRAL)
    return ax
