"""The figure below a page's headline: the rows farthest from fair, and what is folded into a line each."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import polars as pl
from matplotlib.axes import Axes

from reports.drawing import NARROW, NEUTRAL, dressed, styled
from reports.formatting import named_level, points, typeset
from reports.model import Picture, Report, Table
from reports.sections.core.share_pictures import alternative, forest

MOST_SHOWN = 16
"""Rows of a figure that a first screen has room for; a table of more is folded."""
FARTHEST = 12
"""Rows of a folded figure that stand by themselves."""


@dataclass(frozen=True)
class Fold:
    """Rows in one line: what they are called, and their rows in the order of the table."""

    title: str
    rows: tuple[dict[str, Any], ...]


def first_picture_of(report: Report, table: Table) -> Picture | None:
    """Return the short figure of a table; None where the whole one has room on a first screen."""
    if table.frame.height <= MOST_SHOWN:
        return None
    return Picture(f"{table.name} first", partial(short_forest, table), alternative(table.name, report))


def folded(table: Table) -> tuple[Table, tuple[Fold, ...]]:
    """Return the rows farthest from fair, those above it first, each from the farthest, and what is folded of the rest.

    What is flagged stands before what is not told apart from fair, however far it was seen.
    """
    rows = sorted(table.frame.to_dicts(), key=lambda row: (row["flag"] == "", -abs(row["edge"])))
    flagged = sum(row["flag"] != "" for row in rows)
    shown = rows[: min(FARTHEST, max(flagged, 1))]
    shown.sort(key=lambda row: (row["edge"] < 0, -abs(row["edge"])))
    order = [row["level"] for row in table.frame.to_dicts()]
    rest = sorted(rows[len(shown) :], key=lambda row: order.index(row["level"]))
    folds = (("more out of balance", [row for row in rest if row["flag"]]),
             ("not told apart from fair", [row for row in rest if not row["flag"]]))  # fmt: skip
    frame = pl.DataFrame(shown, schema=table.frame.schema)
    return replace(table, frame=frame), tuple(Fold(title, tuple(own)) for title, own in folds if own)


@styled
def short_forest(table: Table, ax: Axes | None = None) -> Axes:
    """Win share of the levels farthest from fair, and a line for those that are folded, from the lowest to the highest.

    Parameters
    ----------
    table
        Not crossed: one level per row.
    """
    short, folds = folded(table)
    rows = short.frame.to_dicts()
    ax = forest(short, dressed(ax, NARROW, 1.2 + 0.28 * (len(rows) + len(folds))))
    nulls = [row["null"] for row in rows]
    shown = "edge" if max(nulls) - min(nulls) > 1e-9 else "win_share"
    for place, fold in enumerate(folds, len(rows)):
        at, edges = ([100 * row[name] for row in fold.rows] for name in (shown, "edge"))
        ax.hlines(place, min(at), max(at), NEUTRAL, lw=1.2)
        ax.scatter(at, [place] * len(at), 12, "white", edgecolors=NEUTRAL, lw=1, zorder=3)
        said = f"{points(min(edges) / 100)} to {points(max(edges) / 100)}"
        ax.annotate(typeset(said), (1.02, place), xycoords=ax.get_yaxis_transform(), va="center", fontsize=9,
                    color=NEUTRAL)  # fmt: skip
    names = [named_level(table, row) for row in rows] + [f"{len(fold.rows)} {fold.title}" for fold in folds]
    ax.set_yticks(range(len(names)), names)
    for label in ax.get_yticklabels()[len(rows) :]:
        label.set(color=NEUTRAL, fontsize=8.5, fontstyle="italic")
    ax.set_ylim(len(names) - 0.4, -0.6)
    return ax
