"""What each part of a faction is worth, in words, a table and a figure."""

from __future__ import annotations

from functools import partial
from typing import Any, Protocol

import numpy as np
import polars as pl
from matplotlib.axes import Axes
from matplotlib.ticker import FuncFormatter

from reports.drawing import COLOURS, FAINT, INK, NARROW, NEUTRAL, dressed, signed, styled
from reports.shapes import Column, Listing, Picture, Section
from reports.words import capital, counted, edge_words, lessons_words, listed, points, some, typeset
from sim.batch import Plan

NAMED = 3
MOST_BARS = 20
WAY_WORDS = {"none": "without", "half": "halved", "free": "free"}
READING = (
    "Every deal was played as printed and again with one part changed, players knowing it. 'worth' is what the "
    "{noun} wins as printed less what it wins after the change, paired by deal; 'edge left' is what remains. "
    "'in play' says how many of its seats had the part before and after. A change of a part that others share, such "
    "as the cards of both sides of a nation, changes it for them too."
)


class Played(Protocol):
    """What this section shows, see `reports.studies.explain_parts.PartsPlayed`."""

    @property
    def faction(self) -> str:
        """Its name."""
        ...

    @property
    def noun(self) -> str:
        """What the game calls it."""
        ...

    @property
    def frame(self) -> pl.DataFrame:
        """A row for each part and way."""
        ...

    @property
    def edge(self) -> float:
        """Its edge as printed."""
        ...

    @property
    def low(self) -> float:
        """The lower limit of that."""
        ...

    @property
    def high(self) -> float:
        """The upper limit of that."""
        ...

    @property
    def games(self) -> int:
        """Games of each arm."""
        ...

    @property
    def plan(self) -> Plan:
        """What was played, as printed."""
        ...

    @property
    def left_out(self) -> tuple[str, ...]:
        """Parts that cannot be made so."""
        ...


def parts_section(found: Played) -> Section:
    """Say what the parts of a faction are worth."""
    frame = found.frame.with_columns(
        pl.concat_str("part", pl.lit(", "), pl.col("way").replace_strict(WAY_WORDS)).alias("change")
    )
    columns = (
        Column("change", "change", "text"),
        Column("flag", "flag", "flag", meaning="strong: it wins more by the part, all rows allowed for"),
        Column("worth", "worth", "edge", "low", "high", "points of win share it owes to what was taken away"),
        Column("edge", "edge left", "edge", "edge_low", "edge_high", "its edge after the change"),
        Column("score", "score", "number", meaning="points of score it owes to it"),
        Column("used", "in play", "share", meaning="of its seats as printed"),
        Column("used_after", "after", "share", meaning="of its seats after the change"),
        Column("moved", "others: most", "text", meaning="whose wins the change moves most surely"),
        Column("moved_by", "by", "edge", "moved_low", "moved_high", "limits allow for the choice among all others"),
        Column("rounds", "rounds", "number", "rounds_low", "rounds_high", "change of a game's length"),
        Column("p_holm", "p", "p", meaning="corrected for all rows"),
    )
    listing = Listing("parts", f"What its parts are worth to {found.faction}", frame, columns)
    shown = frame.filter(pl.col("low").is_not_null()).head(MOST_BARS)
    pictures: tuple[Picture, ...] = ()
    said = sentences(found, frame)
    if shown.height:
        pictures = (Picture("parts", partial(draw_parts, shown, found), said[0]),)
    title = capital(f"what each part of {found.faction} is worth")
    return Section("parts", title, tuple(said), (listing,), pictures, READING.format(noun=found.noun))


def sentences(found: Played, frame: pl.DataFrame) -> list[str]:
    """What was found, most important first."""
    sure = frame.filter(pl.col("flag") != "").to_dicts()
    strong = [row for row in sure if row["flag"] == "strong"][:NAMED]
    weak = [row for row in sure if row["flag"] == "weak"][-NAMED:]
    said = []
    if strong:
        said.append(f"{found.faction} owes most to {listed([worth_words(row) for row in strong])}.")
    if weak:
        said.append(f"It wins more after these changes: {listed([worth_words(row) for row in reversed(weak)])}.")
    if not sure:
        said.append(f"No part of {found.faction} was found to be worth anything; {widest_words(frame)}.")
    fair = [row for row in frame.to_dicts() if row["edge_low"] is not None and row["edge_low"] <= 0 <= row["edge_high"]]
    own = {"edge": found.edge, "edge_low": found.low, "edge_high": found.high}
    unfair = np.isfinite(found.low) and not found.low <= 0 <= found.high
    if fair and unfair:
        named = [f"{row['change']} ({points(row['edge'])})" for row in sorted(fair, key=lambda row: abs(row["edge"]))]
        said.append(f"Not told apart from fair after: {some(named)}.")
    quiet = frame.height - len(sure)
    if quiet and sure:
        said.append(f"{counted(quiet, 'change')}: no difference was found; {widest_words(frame)}.")
    if found.left_out:
        said.append(f"Cannot be played so: {some(found.left_out)}.")
    said.append(
        f"As printed its edge is {edge_words(own)} ({counted(found.games, 'game')} of each of "
        f"{counted(frame.height + 1, 'arm')}, the same deals)."
    )
    return said + lessons_words(found.plan.changes)


def worth_words(row: dict[str, Any]) -> str:
    """'stage 1 (without it: worth +9.9 ± 1.7 points, leaves an edge of +0.4)', with the sign of the table."""
    half = "" if row["low"] is None else f" ± {50 * (row['high'] - row['low']):.1f}"
    way = "without it" if row["way"] == "none" else WAY_WORDS[row["way"]]
    return f"{row['part']} ({way}: worth {points(row['worth'])}{half} points, leaves an edge of {points(row['edge'])})"


def widest_words(frame: pl.DataFrame) -> str:
    """How sure what was not found is."""
    halves = ((frame["high"] - frame["low"]) / 2).drop_nulls()
    if not len(halves):
        return "too few games"
    return f"worths are known to ± {100 * float(np.median(halves.to_numpy())):.1f} points"


@styled
def draw_parts(frame: pl.DataFrame, found: Played, ax: Axes | None = None) -> Axes:
    """Worth of each part with its interval, most on top; what is left of the edge at the right."""
    rows = frame.to_dicts()
    ax = dressed(ax, NARROW, 1.3 + 0.28 * len(rows))
    colours = [COLOURS[row["flag"]] for row in rows]
    ax.hlines(
        range(len(rows)), [100 * row["low"] for row in rows], [100 * row["high"] for row in rows], colours, lw=2.2
    )
    filled = [colour if row["flag"] else "white" for colour, row in zip(colours, rows, strict=True)]
    ax.scatter([100 * row["worth"] for row in rows], range(len(rows)), 36, filled, edgecolors=colours, lw=1.5, zorder=3)
    for place, row in enumerate(rows):
        text = points(row["edge"])
        ax.annotate(typeset(text), (1.02, place), xycoords=ax.get_yaxis_transform(), va="center", fontsize=9)
    ax.annotate(f"edge left ({typeset(points(found.edge))} as printed)", (1.02, 1.0), xytext=(0, 5), ha="center",
                xycoords="axes fraction", textcoords="offset points", fontsize=8.5, color=NEUTRAL)  # fmt: skip
    ax.axvline(0, color=INK, lw=1.1, zorder=0)
    ax.set_yticks(range(len(rows)), [row["change"] for row in rows])
    ax.set_ylim(len(rows) - 0.4, -0.6)
    ax.grid(axis="x", color=FAINT, lw=0.8)
    ax.xaxis.set_major_formatter(FuncFormatter(signed))
    ax.set_xlabel(f"points of wins that {found.faction} owes to it; bar: 95 % interval", fontsize=9, color=NEUTRAL)
    return ax
