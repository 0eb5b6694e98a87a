"""Sections as a statistic might make them: every kind of column, unknown values, folds, several pictures, nothing."""

from dataclasses import replace
from functools import partial

import numpy as np
import polars as pl
from matplotlib.axes import Axes

from reports.drawing import NARROW, STRONG, styled_axes
from reports.model import Column, Listing, Picture, Report, Section, Table

NAMES = ["Halikarnassos B", "Rhodos B", "Ephesos B", "Gizah A"]
FRAME = pl.DataFrame({
    "level": NAMES, "flag": ["strong", "", None, "weak"],
    "strength": [0.4213, 0.3, None, -0.3], "low": [0.3, float("nan"), None, -0.4], "high": [0.5, 0.4, None, -0.2],
    "share": [0.333, 0.31, None, 0.21], "edge": [0.0831, -0.00001, None, -0.04],
    "edge_low": [0.07, -0.01, None, -0.05], "edge_high": [0.09, 0.01, None, -0.03],
    "games": [1_000, 20_000, 3, 1_234_567], "mde": [0.01, 0.02, None, 0.03], "p": [1e-9, 0.5, None, 0.0312],
    "holds": [True, False, None, True], "note": ["", "", "never met", None],
})  # fmt: skip
COLUMNS = (
    Column("level", "board", "text"),
    Column("flag", "flag", "flag"),
    Column("strength", "strength", "number", "low", "high", "log odds against an average board"),
    Column("share", "share", "share"),
    Column("edge", "edge", "edge", "edge_low", "edge_high"),
    Column("games", "games", "count"),
    Column("mde", "MDE", "size"),
    Column("p", "p", "p"),
    Column("holds", "holds", "text"),
)
PAIRS = pl.DataFrame({"pair": [f"pair {number}" for number in range(50)], "ahead": [n / 50 for n in range(50)]})
PAIR_COLUMNS = (Column("pair", "pair", "text"), Column("ahead", "ahead", "share"))


def draw(height: float, ax: Axes | None = None) -> Axes:
    """Draw a line."""
    ax = styled_axes(ax, NARROW, height)
    ax.plot([0, 1], [0, 1], color=STRONG)
    return ax


STRENGTH = Section(
    "strength",
    "Adjusted strength & more",
    ("Halikarnassos B is the strongest (-7.2 ± 0.3 points).", "The order holds in 97 % of resamples."),
    (
        Listing("strength faction", "Strength by board", FRAME, COLUMNS, note="Relative to the mean of all boards."),
        Listing("pairs", "All pairs", PAIRS, PAIR_COLUMNS, folded=True),
    ),
    (
        Picture("strength faction", partial(draw, 2.0), "A line that rises"),
        Picture("strength strategy", partial(draw, 1.0), "Another line"),
    ),
    "A strength of 0.1 is worth 2.5 points.",
)
LONG = Section("pairs", "Pairs one by one", ("Too many to print.",), (Listing("pairs", "Pairs", PAIRS, PAIR_COLUMNS),))
SILENT = Section("luck", "Luck", ("This run has one block: nothing can be said on luck.",))
EMPTY = Section("none", "None", (), (Listing("none", "No rows", PAIRS.head(0), PAIR_COLUMNS, note="No pair met."),))
SECTIONS = (STRENGTH, LONG, SILENT, EMPTY)


def many_rows(report: Report, rows: int = 32) -> Table:
    """A table of many factions; the edges of the first and the last thirds are flagged."""
    table = report.tables["faction"]
    edges = np.linspace(0.30, -0.20, rows)
    flags = ["strong" if edge > 0.1 else "weak" if edge < -0.05 else "" for edge in edges]
    first = table.frame.row(0, named=True)
    made = [
        {**first, "level": f"Nation {place}", "edge": edge, "win_rate": 0.25 + edge, "low": 0.23 + edge,
         "high": 0.27 + edge, "edge_low": edge - 0.02, "edge_high": edge + 0.02, "flag": flag}
        for place, (edge, flag) in enumerate(zip(edges.tolist(), flags, strict=True))
    ]  # fmt: skip
    return replace(table, frame=pl.DataFrame(made, schema=table.frame.schema))
