"""The section of `calibrate`: what short runs promised, and how often later runs kept it."""

from __future__ import annotations

import math
from collections.abc import Iterator
from functools import partial
from typing import Any

import numpy as np
import polars as pl

from reports.drawing import FAINT, INK, NARROW, NEUTRAL, WEAK, Axes, signed, styled, styled_axes
from reports.formatting import count, counted, lessons_words, listed, margin_words, percent, size
from reports.model import Column, Listing, Picture, Section
from reports.statistics.core.decisions import CHANGE, LEAVE, PROMISED, column_as_floats
from reports.statistics.core.win_rate import exact_limits
from reports.statistics.course.drama import block_mean
from reports.studies.calibrate.calibrate import LATER, HeldAgainstLater, within_reach

READING = (
    "Each line holds one kind of statement of short runs against a later run on fresh deals. Promised: how often it "
    "should come true. The later run has luck of its own, which intervals here allow for. All short runs meet the same "
    "later run, so what they say of one row counts together in the limits of a share."
)
COLUMNS = (
    Column("promise", "statement", "text"),
    Column("promised", "promised", "share", meaning="at least this share; for chances, the mean chance stated"),
    Column("seen", "seen", "share", "low", "high", "share that came true"),
    Column("of", "statements", "count"),
)
ROWS = (
    Column("level", "row", "text"),
    Column("pilot", "run", "count"),
    Column("edge", "edge then", "edge"),
    Column("shrunk", "without luck", "edge"),
    Column("later", "edge later", "edge", "later_low", "later_high"),
    Column("fair_chance", "fair?", "share"),
    Column("decision", "decision", "text"),
)
BANDS = ((0.0, 0.2), (0.2, 0.8), (0.8, 1.0))
"""Rows are grouped into these bands of the chance to be fair."""


def calibration_section(found: HeldAgainstLater) -> Section:
    """Return the section of a calibration."""
    frame = kept_promises(found)
    rows = Listing("calibration rows", "Row by row", found.rows, ROWS, folded=True)
    listing = Listing("calibration", "What short runs said, and what later runs show", frame, COLUMNS)
    text = "Edges of short runs against those of the later run."
    picture = Picture("calibration", partial(draw_later, found), text)
    said = tuple(calibration_words(found, frame))
    return Section("calibration", "Do short runs keep their word?", said, (listing, rows), (picture,), READING)


def kept_promises(found: HeldAgainstLater) -> pl.DataFrame:
    """Return one row per kind of statement: `promise`, `promised`, `seen`, `low`, `high`, `of`.

    `of` is the number of statements that were checked. `promised` is the share of them that should come true. `seen` is
    the share that did.
    """
    rows = [statement(*one) for one in statements(found)]
    return pl.DataFrame([row for row in rows if row["of"]], infer_schema_length=None)


def statement(promise: str, promised: float, true: np.ndarray, about: pl.DataFrame) -> dict[str, Any]:
    """Return the row of `kept_promises` on one kind of statement. `true` tells which statements came true.

    Parameters
    ----------
    about
        The `table` and `level` of each statement. Statements of several pilots about one level are checked against the
        same later edge. So the limits count each level, not each statement, as one observation.
    """
    if not len(true):
        return {"promise": promise, "promised": promised, "seen": 0.0, "low": 0.0, "high": 1.0, "of": 0}
    row = about.select(pl.struct("table", "level").rank("dense")).to_series().to_numpy().astype(np.int64)
    seen, low, high = block_mean(true.astype(np.float64), row)
    if not np.isfinite(low):
        low, high = (float(end[0]) for end in exact_limits(np.array([seen]), np.array([1.0])))
    return {"promise": promise, "promised": promised, "seen": seen, "low": low, "high": high, "of": len(true)}


def statements(found: HeldAgainstLater) -> Iterator[tuple[str, float, np.ndarray, pl.DataFrame]]:
    """Yield for each kind of statement: its words, the promised share, which statements came true, and their rows."""
    rows = found.rows.filter(pl.col("error").is_not_null() & pl.col("later_error").is_not_null())
    edge, later = ("edge", "error", "blocks"), ("later", "later_error", "later_blocks")
    reached = within_reach(*(column_as_floats(rows, one) for one in (*edge, *later)))
    yield "95 % intervals contain the later edge", 0.95, reached, rows
    # Intervals of shrunk edges come from the normal distribution.
    known = rows.filter(pl.col("shrunk").is_not_null()).with_columns(endless=math.inf)
    columns = [column_as_floats(known, one) for one in ("shrunk", "shrunk_error", "endless", *later)]
    yield "95 % intervals of edges without luck contain the later edge", 0.95, within_reach(*columns), known
    flagged = rows.filter(pl.col("flag") != "")
    same = np.sign(column_as_floats(flagged, "edge")) == np.sign(column_as_floats(flagged, "later"))
    yield "flagged rows are off to the same side later", 0.95, same, flagged
    decided = pl.concat([rows.filter(pl.col("decision") == word) for word in (CHANGE, LEAVE)])
    low, high = (column_as_floats(decided, f"later_{end}") for end in ("low", "high"))
    inside, outside = (low > -found.margin) & (high < found.margin), (low > found.margin) | (high < -found.margin)
    kept = ~np.where((decided["decision"] == CHANGE).to_numpy(), inside, outside)
    yield "decisions (change it, leave it) are not refuted later", 0.95, kept, decided
    for least, most in BANDS:
        some = rows.filter(pl.col("fair_chance").is_between(least, most, closed="left" if most < 1 else "both"))
        chance = some["fair_chance"].mean()
        fair = np.abs(column_as_floats(some, "later")) <= found.margin
        said = f"rows fair with a chance of {percent(least, 0)} to {percent(most, 0)} are fair later"
        yield said, float(chance) if isinstance(chance, float) else 0.0, fair, some
    true = found.forecasts["decided"].to_numpy()
    yield "the forecast further games decide a row", PROMISED, true, found.forecasts
    effects = found.effects.filter((pl.col("error") > 0) & (pl.col("later_error") > 0))
    columns = [column_as_floats(effects, one) for one in ("change", "error", "blocks", *later)]
    yield "95 % intervals of a change contain its later effect", 0.95, within_reach(*columns), effects


def calibration_words(found: HeldAgainstLater, frame: pl.DataFrame) -> Iterator[str]:
    """Say what was played, how often intervals held, how far shrinkage helped, and which change was tried."""
    first = frame.row(0, named=True)
    yield (
        f"{counted(found.pilots, 'short run')} of {counted(found.games, 'game')} were held against a later run of "
        f"{count(LATER * found.games)} games on fresh deals: {percent(first['seen'])} of {count(first['of'])} "
        "intervals contain the later edge (promised: 95 %)."
    )
    rows = found.rows.filter(pl.col("shrunk").is_not_null() & pl.col("later_error").is_not_null())
    if rows.height:
        luck = (column_as_floats(rows, "later_error") ** 2).mean()
        raw, shrunk = (
            np.sqrt(max(((column_as_floats(rows, one) - column_as_floats(rows, "later")) ** 2).mean() - luck, 0.0))
            for one in ("edge", "shrunk")
        )
        yield f"Typical error of an edge: {size(raw)} points as seen, {size(shrunk)} points without luck."
    if found.changed:
        yield f"The change tried on other deals: {listed(found.changed)}."
        yield from lessons_words(found.changed)
    else:
        yield "No change was tried: none was given, and the search confirmed none."
    yield f"Fair means within {margin_words(found.margin)}."


@styled
def draw_later(found: HeldAgainstLater, ax: Axes | None = None) -> Axes:
    """Draw the edge of each row in short runs, as observed and shrunk, against its edge in the later run."""
    ax = styled_axes(ax, NARROW, 4.6, "Edges of short runs, and of the later run")
    later, edge, shrunk = (100 * column_as_floats(found.rows, one) for one in ("later", "edge", "shrunk"))
    ends = [float(np.nanmin([later, edge])) - 0.5, float(np.nanmax([later, edge])) + 0.5]
    ax.axhspan(-100 * found.margin, 100 * found.margin, color=FAINT, alpha=0.55, lw=0)
    ax.plot(ends, ends, color=INK, lw=1, ls=(0, (4, 3)))
    ax.scatter(edge, later, 18, "white", edgecolors=NEUTRAL, lw=0.8, label="as seen")
    ax.scatter(shrunk, later, 16, WEAK, alpha=0.7, lw=0, label="without luck")
    ax.set_xlim(*ends)
    ax.set_ylim(*ends)
    ax.xaxis.set_major_formatter(signed)
    ax.yaxis.set_major_formatter(signed)
    ax.set_xlabel("edge in a short run, points", fontsize=9, color=NEUTRAL)
    ax.set_ylabel("edge later, points; band: margin", fontsize=9, color=NEUTRAL)
    ax.legend(frameon=False, fontsize=8.5, loc="upper left")
    return ax
