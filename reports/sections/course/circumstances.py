"""Section on circumstances that affect all seats of a game alike, and who gains by them."""

from __future__ import annotations

from typing import Any

import polars as pl

from reports.claims import Said, claims_on, told
from reports.data.load import Run
from reports.data.one_player import only_one_player
from reports.formatting import capital, number, plural, points
from reports.model import Column, Listing, Section
from reports.statistics.core.win_rate import ALPHA, one_family
from reports.statistics.course.circumstances import SCORE_PREFIX, circumstance_tables
from sim.data.declarations import Circumstance

READING = (
    "No player chooses it, so with these players it causes the change. Changes are per {unit}, by "
    "least squares, with errors by block; limits in sentences hold for all rows of this section at "
    "once."
)


def circumstances_section(run: Run, rate: float = ALPHA) -> Section | None:
    """Say who wins more or scores more under a circumstance; None if the game declares none or it does not vary."""
    named = [] if only_one_player(run.manifest) else run.manifest.circumstances
    found = [(entry, *table) for entry in named for table in circumstance_tables(run, entry.measure)]
    columns = ("change", "low", "high", "p")
    frames = one_family([frame for *_, frame in found], columns, run.manifest.blocks, rate=rate)
    family = f"{sum(frame['p'].count() for frame in frames)} rows of this section"
    judged = [(entry, noun, frame) for (entry, noun, _), frame in zip(found, frames, strict=True)]
    said, claims = told(circumstance_words(frame, noun, entry, family) for entry, noun, frame in judged)
    listings = [change_listing(frame, noun, entry) for entry, noun, frame in judged]
    if not listings:
        return None
    title = capital(" and ".join(entry.name for entry in named))
    reading = READING.format(unit=" or ".join(entry.unit for entry in named))
    return Section("circumstances", title, said, tuple(listings), (), reading, claims=claims)


def circumstance_words(frame: pl.DataFrame, noun: str, entry: Circumstance, family: str) -> Said:
    """Say who gains or loses by a circumstance, the widest change first; else the widest change seen."""
    rows = sorted(frame.to_dicts(), key=lambda row: -abs(row["change"] or 0.0))
    sure = [row for row in rows if row["flag"]]
    if not sure:
        change = f"{points(rows[0]['change'], 2)} points per {entry.unit}"
        widest = f": the largest observed is {circumstance_name(rows[0], noun)} ({change})" if rows[0]["change"] else ""
        return f"No {noun} is shown to depend on {entry.name}{widest}.", ()
    named = "; ".join(row_words(row, noun) for row in sure)
    sentence = f"Per {entry.unit}, the win rate changes for {named}."
    return sentence, claims_on("circumstance", sure, sentence, family, ("change", "family_low", "family_high"))


def circumstance_name(row: dict[str, Any], noun: str) -> str:
    """Name a row; a bare number gets its noun."""
    return f"{noun} {row['level']}" if row["level"].isdigit() else str(row["level"])


def row_words(row: dict[str, Any], noun: str) -> str:
    """Return a row's name and its change in points of win rate."""
    half = (row["family_high"] - row["family_low"]) / 2
    return f"{circumstance_name(row, noun)} by {points(row['change'], 2)} ± {number(100 * half, 2)} points"


def change_listing(frame: pl.DataFrame, noun: str, entry: Circumstance) -> Listing:
    """Return the table of a circumstance."""
    less, more, unit = entry.less, entry.more, entry.unit
    columns = (
        Column("level", noun, "text"),
        Column("below", less, "edge", meaning=f"edge in games played {less}"),
        Column("above", more, "edge", meaning=f"edge in games played {more}"),
        Column("change", f"per {unit}", "edge", "low", "high", f"change of the win rate per {unit}"),
        Column("p_holm", "p", "p"),
        Column(f"{SCORE_PREFIX}below", f"points {less}", "number", meaning="points above the mean of the table"),
        Column(f"{SCORE_PREFIX}above", f"points {more}", "number", meaning="points above the mean of the table"),
        Column(
            f"{SCORE_PREFIX}change", f"points per {unit}", "number", f"{SCORE_PREFIX}low", f"{SCORE_PREFIX}high",
            f"change of the points above the mean of the table per {unit}",
        ),
        Column("games", "games", "count", meaning="seat-games"),
    )  # fmt: skip
    return Listing(f"{entry.measure} x {noun}", f"{capital(plural(noun))} by {entry.name}", frame, columns)
