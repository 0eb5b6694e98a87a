"""Section on the number of games that it takes to answer a question."""

from __future__ import annotations

import math
from functools import partial
from typing import Any

import polars as pl

from reports.claims import Claim, Said, unclaimed
from reports.drawing import NARROW, NEUTRAL, PARTS, Axes, label_rows, styled, styled_axes, value_beside
from reports.formatting import count, counted, plural, round_up
from reports.model import Column, Listing, Picture, Section, said_section
from reports.statistics.core.decisions import Pilot, Question

Row = dict[str, Any]
FEW_BLOCKS = 100
"""With fewer blocks than this, the variance of a pilot is only a guess."""
GAMES = ("flag_one", "flag_any", "interval", "apart", "paired")
"""Columns of `plan_needs` that hold numbers of games."""


def plan_section(needs: pl.DataFrame, pilot: Pilot, q: Question) -> Section:
    """Say how many games each question of `plan_needs` needs, and how long these take at the pilot's speed."""
    speed = pilot.run.manifest.games / max(pilot.seconds, 1e-9)
    wanted = needs.filter(pl.col("flag_any").is_not_null()).to_dicts()
    parts = [plan_sentence(row, q, speed) for row in sorted(wanted, key=lambda row: row["table"] not in ("faction",))]
    if not parts:
        parts = unclaimed(["The pilot run shows no variation in any row; play a longer one (--pilot)."])
    parts += unclaimed([pairs_words(wanted, q, speed)] if wanted else [])
    parts += unclaimed([pilot_precision(wanted, pilot)])
    frame = needs.with_columns(
        *(pl.Series(name, rounded(needs[name]), dtype=pl.Int64) for name in GAMES),
        (pl.col("flag_any") / speed).alias("seconds"),
    )
    points = f"{100 * q.effect:g}"
    columns: tuple[Column, ...] = (
        Column("noun", "table", "text"),
        Column("rows", "rows", "count"),
        Column("level", "least precise", "text", meaning="the row that needs most games"),
        Column(
            "flag_any", "to flag", "count", meaning=f"games to flag an edge of {points} points, corrected for all rows"
        ),
        Column("flag_one", "one test", "count", meaning="the same if only that row is tested"),
        Column("interval", f"± {points}", "count", meaning="games for an interval as narrow as the effect"),
        Column("paired", "same deals", "count", meaning="games of each of two arms on the same deals"),
        Column("apart", "other deals", "count", meaning="games of each of two arms on different deals"),
        Column("design_effect", "design effect", "number", meaning="variance relative to independent seat-games"),
        Column("seconds", "seconds", "number", meaning="time for the games to flag, on this machine"),
    )
    columns = columns if frame["paired"].count() else tuple(one for one in columns if one.name != "paired")
    reading = (
        "Games are those of the row of each table that needs most; a row that is dealt rarely needs more. "
        "Factions, attributes and seats are tested together: more rows mean more chances of a false alarm, "
        "so each edge needs more games. Half the effect needs four times the games."
    )
    listing = Listing("plan", f"Games needed for {point_words(q)}", frame, columns)
    drawn = f"Games to flag an edge of {point_words(q)}, for each table."
    pictures = [Picture("plan", partial(draw_games, frame), drawn)] if wanted else []
    return said_section("plan", "How many games", parts, [listing], pictures, reading)


@styled
def draw_games(frame: pl.DataFrame, ax: Axes | None = None) -> Axes:
    """Draw how many games it takes to flag an edge: a bar for each table, on a logarithmic scale."""
    rows = frame.filter(pl.col("flag_any").is_not_null()).to_dicts()
    ax = styled_axes(ax, NARROW, 1.1 + 0.34 * len(rows))
    ax.barh(range(len(rows)), [row["flag_any"] for row in rows], 0.62, color=PARTS[3])
    for place, row in enumerate(rows):
        value_beside(ax, place, count(row["flag_any"]))
    label_rows(ax, [plural(row["noun"]) for row in rows])
    ax.set_xscale("log")
    ax.set_xlim(left=min(row["flag_any"] for row in rows) / 10)
    ax.xaxis.set_major_formatter("{x:,.0f}")
    ax.set_xlabel("games to play, logarithmic scale", fontsize=9, color=NEUTRAL)
    return ax


def rounded(games: pl.Series) -> list[int | None]:
    """Round numbers of games up to two significant digits, so that no advice is too low. Null stays null."""
    return [None if value is None else round_up(value) for value in games.to_list()]


def plan_sentence(row: Row, q: Question, speed: float) -> Said:
    """Return a sentence: 'To flag an edge of 1 point in any of 14 boards with 90 % power, play 46,000 games; ...'."""
    games = round_up(row["flag_any"])
    rows = f"any of {row['rows']} {plural(row['noun'])}"
    said = (
        f"To flag an edge of {point_words(q)} of {rows} with {100 * q.power:g} % power, play {count(games)} games "
        f"({duration_words(games / speed)} on this machine); for intervals of ± {100 * q.effect:g}, "
        f"{count(round_up(row['interval']))} games."
    )
    return said, (Claim("games to flag", rows, float(games), None, float(games), "one row", said),)


def pairs_words(rows: list[Row], q: Question, speed: float) -> str:
    """Say how many games a comparison of two arms needs.

    If the plan names a change, the number is measured with it. Otherwise the text gives an upper bound.
    """
    row = next((row for row in rows if row["table"] == "faction"), rows[0])
    apart = round_up(row["apart"])
    question_words = f"To find a change of {point_words(q)} between two arms in any {row['noun']}"
    if row["paired"] is None:
        return (
            f"{question_words}: at most {count(apart)} games of each arm, which is what arms on different deals need. "
            "On the same deals fewer are enough; how many depends on the change, so name it with --change."
        )
    games = round_up(row["paired"])
    saved = "" if row["saving"] is None else f", which saves {row['saving']:.1f} times the games"
    return (
        f"{question_words} on the same deals: {count(games)} games of each arm ({duration_words(2 * games / speed)} "
        f"for both), as measured with this change{saved}; {count(apart)} on different deals."
    )


def pilot_precision(rows: list[Row], pilot: Pilot) -> str:
    """State the 95 % precision of numbers from a pilot, or that the pilot is too short.

    A variance estimated from B blocks has a relative standard error of sqrt(2 / (B - 1)).
    """
    games = f"The pilot of {counted(pilot.run.manifest.games, 'game')}"
    blocks = min((row["blocks"] for row in rows), default=0)
    if blocks < FEW_BLOCKS:
        return f"{games} is short, so these numbers may be far off. Play a longer one (--pilot)."
    return f"{games} estimates these numbers to within about {196 * math.sqrt(2 / (blocks - 1)):.0f} %."


def point_words(q: Question) -> str:
    """Format points: '1 point', '0.5 points'."""
    return f"{100 * q.effect:g} point{'' if math.isclose(q.effect, 0.01) else 's'}"


def duration_words(seconds: float) -> str:
    """Format a duration: 'about 4 s', 'about 3 min', 'about 2.5 h', 'about 12 days'."""
    if seconds < 1:
        return "less than a second"
    if seconds < 100:
        return f"about {seconds:.0f} s"
    if seconds < 6000:
        return f"about {seconds / 60:.0f} min"
    return f"about {seconds / 3600:.1f} h" if seconds < 48 * 3600 else f"about {seconds / 86400:,.0f} days"
