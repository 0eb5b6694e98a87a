"""Sentences, tables and figures on how likely each row is to be fair, and on which decision should cost least."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import polars as pl

from reports.drawing import (
    NARROW,
    NEUTRAL,
    STRONG,
    UNSURE,
    WEAK,
    Axes,
    heading_beside,
    key_below,
    label_rows,
    styled,
    styled_axes,
    value_beside,
)
from reports.formatting import change_verb, label, margin_words, percent, plural, points, size, some, typeset
from reports.model import Column, Listing, Picture, Table
from reports.statistics.core.fair_chance import COST, DECISION_WORDS, LOSSES, cheapest

READING = (
    "Fair?: the chance that the true edge lies within the margin, given all rows of the table. Expected loss, in "
    "points of win rate: if a row is left, how far its edge exceeds the margin; if it is changed, the trouble of a "
    f"new print and a new test, which counts as {COST:g} margins; if more games are played, the cheaper of the two "
    "after them. More games are cheapest if they save a quarter of a change."
)
COLUMNS = (
    Column("level", "row", "text"),
    Column("edge", "edge", "edge", meaning="win rate minus fair share, points"),
    Column("shrunk", "without luck", "edge", meaning="the edge without the part that luck explains"),
    Column("fair_chance", "fair?", "share", meaning="chance that the true edge lies within the margin"),
    Column("strong_chance", "too strong?", "share", meaning="chance that it lies above the margin"),
    Column("loss_leave", "leave", "size", meaning="expected loss if the row is left as it is, points"),
    Column("loss_change", "change", "size", meaning="expected loss if it is changed, points"),
    Column("loss_more", "play more", "size", meaning="expected loss if more games are played first, points"),
    Column("cheapest", "cheapest", "text", meaning="the decision with the lowest expected loss"),
)


def fair_chances(tables: Sequence[Table], margin: float) -> tuple[list[str], list[Listing], tuple[Picture, ...]]:
    """Say how likely the rows of each table are to be fair, and which decision (change, leave, play more) costs least.

    Returns sentences, tables, and a figure of the first table only.
    """
    frames = [(table, with_cheapest(table, margin)) for table in tables]
    said = [words for table, frame in frames if (words := cheapest_words(table, frame, margin))]
    listings = [
        Listing(f"fair {table.name}", f"How likely is each {table.noun} fair?", frame, COLUMNS)
        for table, frame in frames
    ]
    return said, listings, tuple(chance_picture(table, frame, margin) for table, frame in frames[:1])


def with_cheapest(table: Table, margin: float) -> pl.DataFrame:
    """Return the rows with a known chance to be fair, and add the column `cheapest`: the decision that costs least."""
    frame = table.frame.filter(pl.col("fair_chance").is_not_null())
    words = [DECISION_WORDS[cheapest(losses, margin)] for losses in frame.select(*LOSSES.values()).rows()]
    chosen = [one.name for one in COLUMNS if one.name != "cheapest"]
    return frame.select(chosen).with_columns(pl.Series("cheapest", words, dtype=pl.String))


def cheapest_words(table: Table, frame: pl.DataFrame, margin: float) -> str:
    """Say which decision costs least for which rows: 'Cheapest for boards (...): change A and B; leave C.'"""
    widest = frame.sort(pl.col("edge").abs(), descending=True)
    chosen = {word: widest.filter(pl.col("cheapest") == word).to_dicts() for word in DECISION_WORDS.values()}
    parts = [
        f"{verb} {some([label(table, row) for row in chosen[word]])}"
        for word, verb in (("change", change_verb(table)), ("leave", "leave"), ("play more", "play more games for"))
        if chosen[word]
    ]
    cost = f"if the work of a change counts as much as {size(COST * margin)} points of win rate"
    return f"Cheapest for {plural(table.noun)}, {cost}: {'; '.join(parts)}." if parts else ""


def chance_picture(table: Table, frame: pl.DataFrame, margin: float) -> Picture:
    """Return the figure of all chances of a table."""
    best = frame.sort("fair_chance", descending=True).row(0, named=True)
    text = f"Chance that each {table.noun} is fair: highest {best['level']} with {percent(best['fair_chance'], 0)}."
    return Picture(f"fair {table.name}", partial(draw_chances, table, frame, margin), text)


@styled
def draw_chances(table: Table, frame: pl.DataFrame, margin: float, ax: Axes | None = None) -> Axes:
    """Draw for each row the chances that it is too weak, fair and too strong, as one bar."""
    rows, own = frame.to_dicts(), ax is None
    ax = styled_axes(ax, NARROW, 1.5 + 0.26 * len(rows), f"How likely is each {table.noun} fair?")
    for place, row in enumerate(rows):
        fair, strong, left = row["fair_chance"], row["strong_chance"], 0.0
        parts = (max(1 - fair - strong, 0.0), fair, strong)
        for part, colour, said in zip(parts, (WEAK, UNSURE, STRONG), ("too weak", "fair", "too strong"), strict=True):
            ax.barh(place, 100 * part, left=left, height=0.7, color=colour, label=said if place == 0 else None)
            left += 100 * part
    for place, row in enumerate(rows):
        value_beside(ax, place, percent(row["fair_chance"], 0), NEUTRAL)
    label_rows(ax, [typeset(f"{row['level']} ({points(row['edge'])})") for row in rows])
    ax.set_xlim(0, 100)
    heading_beside(ax, "fair?")
    ax.set_xlabel(f"chance, %; fair: within {margin_words(margin)}", fontsize=9, color=NEUTRAL)
    key_below(ax, 3, own)
    return ax
