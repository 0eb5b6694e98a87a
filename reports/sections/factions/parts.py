"""Section on the worth of each part of a faction."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
import polars as pl

from reports.claims import Said, claiming, split_claims, unclaimed
from reports.drawing import COLOURS, INK, NARROW, NEUTRAL, Axes, label_rows, signed, styled, styled_axes, value_beside
from reports.formatting import capital, counted, edge_between, lessons_words, listed, points, some, typeset
from reports.model import Column, Listing, Picture, Section, limited
from sim.players.batch import Plan

NAMED = 3
MAX_BARS = 20
WAY_WORDS = {"none": "without", "half": "halved", "free": "free"}
READING = (
    "Every deal was played as printed and again with one part changed; players know about the change. "
    "'worth' is the win rate of the {noun} as printed minus that after the change, paired by deal; "
    "'edge left' is its edge after the change. Intervals in sentences hold for all statements about it "
    "at once; each interval in the table is a 95 % interval of its own. 'in play' is the share of its "
    "seats that had the part, before and after. Changing a part that others share, such as the cards "
    "of both sides of a nation, changes it for them too."
)


@dataclass(frozen=True)
class PartsPlayed:
    """Results of playing without the parts of a faction.

    Attributes
    ----------
    faction, noun
        The faction's name, and the game's word for a faction.
    frame
        One row for each part and each way to change it, the part that is worth most first. The columns are:

        - `part`, `way`, and `changes` as strings.
        - `worth`: win rate as printed minus win rate after the change, with `low`, `high` and the columns of
          `with_family_limits`.
        - `edge` after the change, with `edge_low`, `edge_high`.
        - `score`: points that the faction loses by the change.
        - `used`, `used_after`: share of the faction's seat-games that had the part, as printed and after the change;
          null if unknown.
        - `rounds`: change of a game's length, with `rounds_low`, `rounds_high`.
        - `moved`: the other faction whose win rate changes most beyond its limits, and `moved_by`, its change.
          Its limits `moved_low`, `moved_high` allow for the choice of this faction among all others.
    edge, low, high
        The faction's edge as printed, with limits.
    family
        Lower and upper limit of that edge. They hold for all statements on the faction at once.
    plan, games
        The plan of the printed arm, and the number of games of each arm.
    left_out
        Changes that cannot be played.
    players
        Sentences on players that replaced others in these games.
    """

    faction: str
    noun: str
    frame: pl.DataFrame
    edge: float
    low: float
    high: float
    family: tuple[float | None, float | None]
    plan: Plan
    games: int
    left_out: tuple[str, ...]
    players: tuple[str, ...] = ()


def parts_section(found: PartsPlayed) -> Section:
    """Return the section on the worth of each part of a faction."""
    frame = found.frame.with_columns(
        pl.concat_str("part", pl.lit(", "), pl.col("way").replace_strict(WAY_WORDS)).alias("change")
    )
    columns = (
        Column("change", "change", "text"),
        Column(
            "flag", "flag", "flag", meaning="strong: it wins more because of the part; holds for all statements at once"
        ),
        Column("worth", "worth", "edge", "low", "high", "win rate that it owes to the removed part, points"),
        limited("edge", "edge left", "edge", "its edge after the change"),
        Column("score", "score", "number", meaning="score that it owes to the part, points"),
        Column("used", "in play", "share", meaning="share of its seats that had it, as printed"),
        Column("used_after", "after", "share", meaning="the same after the change"),
        Column("moved", "others: most", "text", meaning="the other row whose win rate changes most"),
        Column("moved_by", "by", "edge", "moved_low", "moved_high", "limits are corrected for choosing the largest"),
        limited("rounds", "rounds", "number", "change in the length of a game"),
        Column("p_family", "p", "p", meaning="corrected for all statements about it"),
    )
    listing = Listing("parts", f"Value of the parts of {found.faction}", frame, columns)
    shown = frame.filter(pl.col("low").is_not_null()).head(MAX_BARS)
    pictures: tuple[Picture, ...] = ()
    said, claims = split_claims(part_sentences(found, frame))
    if shown.height:
        pictures = (Picture("parts", partial(draw_parts, shown, found), said[0]),)
    title = capital(f"value of each part of {found.faction}")
    return Section("parts", title, said, (listing,), pictures, READING.format(noun=found.noun), claims=claims)


def part_sentences(found: PartsPlayed, frame: pl.DataFrame) -> Iterator[Said]:
    """Yield the results as sentences with claims, the most important first."""

    def claimed(said: str, rows: list[dict[str, Any]]) -> Said:
        named = [row | {"level": f"{found.faction}: {row['change']}"} for row in rows]
        return claiming(said, "parts explained", named, "all statements about it", "worth")

    sure = frame.filter(pl.col("flag") != "").to_dicts()
    strong = [row for row in sure if row["flag"] == "strong"][:NAMED]
    weak = [row for row in sure if row["flag"] == "weak"][-NAMED:][::-1]
    for rows, words in ((strong, f"{found.faction} owes most to"), (weak, "It wins more after these changes:")):
        if rows:
            yield claimed(f"{words} {listed([worth_words(row) for row in rows])}.", rows)
    if not sure:
        yield f"No part of {found.faction} is shown to change its win rate; {limits_words(frame)}.", ()
    fair = [row for row in frame.to_dicts() if row["edge_low"] is not None and row["edge_low"] <= 0 <= row["edge_high"]]
    low, high = found.family
    if fair and ((low or 0) > 0 or (high or 0) < 0):
        named = [f"{row['change']} ({points(row['edge'])})" for row in sorted(fair, key=lambda row: abs(row["edge"]))]
        yield f"It may be fair after: {some(named)}.", ()
    quiet = frame.height - len(sure)
    if quiet and sure:
        yield f"{counted(quiet, 'change')}: no difference found; {limits_words(frame)}.", ()
    if found.left_out:
        yield f"Cannot be played: {some(found.left_out)}.", ()
    printed = {"change": "as printed", "worth": found.edge, "family_low": low, "family_high": high}
    games = f"{counted(found.games, 'game')} of each of {counted(frame.height + 1, 'arm')}, the same deals"
    yield claimed(f"As printed its edge is {edge_between(found.edge, low, high)} ({games}).", [printed])
    yield from unclaimed([*lessons_words(found.plan.changes), *found.players])


def worth_words(row: dict[str, Any]) -> str:
    """Format a worth as in the table: 'stage 1 (without it: worth +9.9 ± 1.7 points, leaves an edge of +0.4)'."""
    half = "" if row["family_low"] is None else f" ± {50 * (row['family_high'] - row['family_low']):.1f}"
    way = "without it" if row["way"] == "none" else WAY_WORDS[row["way"]]
    return f"{row['part']} ({way}: worth {points(row['worth'])}{half} points, leaves an edge of {points(row['edge'])})"


def limits_words(frame: pl.DataFrame) -> str:
    """State the median half-width of the limits that hold for all rows, or that there are too few games for limits."""
    halves = ((frame["family_high"] - frame["family_low"]) / 2).drop_nulls()
    if not len(halves):
        return "too few games"
    return f"typical intervals reach {100 * float(np.median(halves.to_numpy())):.1f} points to either side"


@styled
def draw_parts(frame: pl.DataFrame, found: PartsPlayed, ax: Axes | None = None) -> Axes:
    """Draw the worth of each part with its interval, the highest on top. Write the remaining edge at the right."""
    rows = frame.to_dicts()
    ax = styled_axes(ax, NARROW, 1.3 + 0.28 * len(rows))
    colours = [COLOURS[row["flag"]] for row in rows]
    low, high = ([100 * row[end] for row in rows] for end in ("low", "high"))
    ax.hlines(range(len(rows)), low, high, colours, lw=2.2)
    filled = [colour if row["flag"] else "white" for colour, row in zip(colours, rows, strict=True)]
    ax.scatter([100 * row["worth"] for row in rows], range(len(rows)), 36, filled, edgecolors=colours, lw=1.5, zorder=3)
    for place, row in enumerate(rows):
        value_beside(ax, place, typeset(points(row["edge"])))
    ax.annotate(f"edge left ({typeset(points(found.edge))} as printed)", (1.02, 1.0), xytext=(0, 5), ha="center",
                xycoords="axes fraction", textcoords="offset points", fontsize=8.5, color=NEUTRAL)  # fmt: skip
    ax.axvline(0, color=INK, lw=1.1, zorder=0)
    label_rows(ax, [row["change"] for row in rows])
    ax.xaxis.set_major_formatter(signed)
    ax.set_xlabel(f"win rate that {found.faction} owes to it, points; bar: 95 % interval", fontsize=9, color=NEUTRAL)
    return ax
