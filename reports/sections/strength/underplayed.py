"""Section on underplayed factions: those with which looking ahead raises the win rate more than with others."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from typing import Any

import polars as pl

from reports.claims import Claim, Said, claims_on
from reports.data.load import Ladder
from reports.formatting import capital, counted, listed, plural, points, size, some
from reports.model import Column, Listing, Section, limited, said_section
from reports.statistics.core.jackknife import MIN_BLOCKS
from reports.statistics.strength.skill import SCALES, Underplayed, underplayed

BADGE = "these players may not know how to play this one"
"""Badge of a faction that is confirmed as underplayed."""
TITLE = "Underplayed"
READING = (
    "One seat looks ahead, the others play its base strategy; it takes every seat of every deal in "
    "turn. The base alone plays the same deals and more. Its gain with a faction is compared with its "
    "average gain, in odds (beyond) and in points (apart), since a better player may multiply the odds "
    "of all factions or add the same points to each. If it gains more than average by both measures, "
    "the base plays that faction worse than the others, and a low win rate among such players says "
    "little about the faction."
)
COLUMNS = (
    Column("level", "row", "text"),
    Column("flag", "", "text", meaning="underplayed: larger gain than average, in odds and in points"),
    Column("base_share", "win rate of base", "share"),
    Column("share", "looking ahead", "share", meaning="win rate of the player who looks ahead"),
    limited("gain", "gain", "edge", "difference, points"),
    Column("expected", "expected", "share", meaning="win rate that the average gain in odds would bring"),
    limited("beyond", "beyond", "edge", "win rate with look-ahead minus expected, points"),
    limited("apart", "apart", "edge", "gain minus average gain, points"),
    Column("p_holm", "p", "p", meaning="chance of so large a difference in odds by luck, corrected for all rows"),
    Column("games", "games", "count", meaning="games of the player who looks ahead"),
    Column("note", "note", "text"),
)


def underplayed_of(ladder: Ladder) -> tuple[list[str], Section]:
    """Compare factions by the gain in win rate from looking ahead, in those games in which only one seat does so.

    Returns
    -------
    The underplayed factions, and the section. If nothing can be compared, the section says why.
    """
    if len(ladder.manifest.factions_dealt) < 2:
        return [], Section("underplayed", TITLE, (WITHOUT_FACTIONS,))
    if ladder.mixed is None:
        return [], Section("underplayed", TITLE, (WITHOUT_TABLES,))
    found = underplayed(ladder.rungs[ladder.base], ladder.mixed, ladder.searcher)
    parts, better = [gain_words(found[0])], found[0].gain_low > 0
    family = f"{sum(one.frame['p'].count() for one in found)} rows on both scales"
    if better:
        parts += [said for one in found for said in gain_sentences(one, family)]
    else:
        found = [replace(one, frame=one.frame.with_columns(flag=pl.lit(""))) for one in found]
    listings = [
        Listing(f"underplayed {one.noun}", f"Gain of {one.searcher} with each {one.noun}", one.frame, COLUMNS)
        for one in found
    ]
    badges = [level for one in found for level in one.levels]
    return badges, said_section("underplayed", TITLE, parts, listings, reading=READING)


WITHOUT_FACTIONS = "These games deal no factions, or only one, so there is nothing to compare."
WITHOUT_TABLES = (
    "No mixed tables: they need a rung that looks ahead, such as balanced+8, its base strategy as "
    "another rung, and at least two players."
)


def gain_words(found: Underplayed) -> Said:
    """State the gain in win rate from looking ahead, averaged over all factions."""
    deals = counted(found.blocks, "deal")
    if math.isnan(found.gain_low):
        return f"{deals} are too few to compare gains; at least {MIN_BLOCKS} are needed.", ()
    limits = f"{points(found.gain_low)} to {points(found.gain_high)}; {deals}"
    who, whom = f"One {found.searcher} among {found.base}", f"more than {found.base} in its place"
    if found.gain_low <= 0:
        seen = f"{points(found.gain)} points, {limits}"
        return f"{who} is not shown to win {whom} ({seen}), so factions cannot be judged.", ()
    said = f"{who} wins {size(found.gain, 1)} points {whom} ({limits})."
    return said, (Claim("by skill", found.searcher, found.gain, found.gain_low, found.gain_high, "one row", said),)


def on_scale(prefix: str, row: dict[str, Any]) -> str:
    """Name a faction and the scale on which its gain is measured, as the subject of a claim: 'Rhodos B, by odds'."""
    return f"{row['level']}, {'in points' if prefix else 'by odds'}"


def gain_sentences(found: Underplayed, family: str) -> Iterator[Said]:
    """Name the factions with a gain from looking ahead above the average, and those with a gain below it."""

    def claimed(sentence: str, rows: pl.DataFrame) -> Said:
        claims: list[Claim] = []
        for prefix, (value, *_) in SCALES.items():
            columns = (value, f"{prefix}family_low", f"{prefix}family_high")
            claims += claims_on("underplayed", rows.to_dicts(), sentence, family, columns, partial(on_scale, prefix))
        return sentence, tuple(claims)

    rows = found.frame.filter(pl.col("flag") == "underplayed")
    for row in rows.to_dicts():
        low, high = points(row["family_low"]), points(row["family_high"])
        yield claimed(
            f"{row['level']}: {BADGE}. {found.searcher} wins {size(row['beyond'], 1)} points more with it than its "
            f"average gain in odds would bring ({low} to {high}), and {size(row['apart'], 1)} more than its average "
            f"gain in points ({points(row['apart_family_low'])} to {points(row['apart_family_high'])}).",
            rows.filter(pl.col("level") == row["level"]),
        )
    if not rows.height:
        yield f"No {found.noun} is shown to have more to gain than the others.", ()
    less = found.frame.filter(pl.col("flag") == "overplayed").sort("beyond")
    if less.height:
        yield claimed(f"The gain with {some(less['level'].to_list())} is smaller than with the others.", less)
    if few := found.frame.filter(pl.col("note") == "too few wins")["level"].to_list():
        who = listed(few) if len(few) < found.frame.height else f"all {plural(found.noun)}"
        yield f"Too few wins or losses to judge: {who}.", ()


def badge_note(levels: list[str]) -> str:
    """Return the note below a table that names underplayed factions. Empty if there are none."""
    return f"{capital(BADGE)}: {listed(levels)}." if levels else ""
