"""Underplayed factions in words: with which of them a player who looks ahead finds more than with the others."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace

import polars as pl

from reports.data.ladder import Ladder
from reports.shapes import Column, Listing, Section
from reports.statistics.underplayed import FEWEST_BLOCKS, Underplayed, underplayed
from reports.words import counted, listed, plural, points, size, some

BADGE = "players do not know how to play this one yet"
"""What stands with a faction that is surely underplayed."""
TITLE = "Underplayed"
READING = (
    "One seat looks ahead, the others play its base, and it sits in every seat of every deal in turn; the same deals, "
    "and more, are played by the base alone. What it gains with a faction is compared with its average gain by odds: a "
    "player who is better in the same way with all factions multiplies their odds, while in points those near a half "
    "gain most. Where it surely wins more than the average gain would bring, the base plays that faction worse than "
    "the others, and a low win share among such players says little of the faction."
)
COLUMNS = (
    Column("level", "row", "text"),
    Column("flag", "", "text", meaning="underplayed: surely more to gain than the average"),
    Column("base_share", "base wins", "share"),
    Column("share", "looking ahead", "share", meaning="what the player who looks ahead wins with it"),
    Column("gain", "gain", "edge", "gain_low", "gain_high", "the difference, points"),
    Column("expected", "expected", "share", meaning="what the average gain in odds would bring"),
    Column("beyond", "beyond", "edge", "beyond_low", "beyond_high", "looking ahead less expected, points"),
    Column("p_holm", "p", "p", meaning="chance of such a difference by luck, all rows allowed for"),
    Column("games", "games", "count", meaning="games of the player who looks ahead"),
    Column("note", "note", "text"),
)


def underplayed_of(ladder: Ladder) -> tuple[list[str], Section]:
    """Compare gains by faction in the mixed tables of a ladder.

    Returns
    -------
    Who is underplayed, and the section; it gives the reason where nothing can be compared.
    """
    if len(ladder.manifest["factions_dealt"]) < 2:
        return [], Section("underplayed", TITLE, (WITHOUT_FACTIONS,))
    if ladder.mixed is None:
        return [], Section("underplayed", TITLE, (WITHOUT_TABLES,))
    found = underplayed(ladder.rungs[ladder.base], ladder.mixed, ladder.searcher)
    sentences, better = [gain_words(found[0])], found[0].gain_low > 0
    if better:
        sentences += [said for one in found for said in sentences_of(one)]
    else:
        found = [replace(one, frame=one.frame.with_columns(flag=pl.lit(""))) for one in found]
    listings = tuple(
        Listing(f"underplayed {one.noun}", f"What {one.searcher} gains with each {one.noun}", one.frame, COLUMNS)
        for one in found
    )
    badges = [level for one in found for level in one.levels]
    return badges, Section("underplayed", TITLE, tuple(sentences), listings, (), READING)


WITHOUT_FACTIONS = "No factions are dealt in these games, or one only: there are none to compare."
WITHOUT_TABLES = (
    "No mixed tables: they take a rung that looks ahead, such as balanced+8, its base among the rungs, and two players."
)


def gain_words(found: Underplayed) -> str:
    """Say what looking ahead gains over all."""
    deals = counted(found.blocks, "deal")
    if math.isnan(found.gain_low):
        return f"{deals} are too few to compare gains; it takes {FEWEST_BLOCKS}."
    limits = f"{points(found.gain_low)} to {points(found.gain_high)}; {deals}"
    if found.gain_low <= 0:
        return (
            f"One {found.searcher} among {found.base} does not surely win more than {found.base} in its place "
            f"({points(found.gain)} points, {limits}): nothing can be said of factions."
        )
    return (
        f"One {found.searcher} among {found.base} wins {size(found.gain, 1)} points more than {found.base} in its "
        f"place ({limits})."
    )


def sentences_of(found: Underplayed) -> Iterator[str]:
    """Say with whom there is surely more to gain than with the others, and with whom less."""
    rows = found.frame.filter(pl.col("flag") == "underplayed").to_dicts()
    for row in rows:
        yield (
            f"{row['level']}: {BADGE}. {found.searcher} wins {size(row['beyond'], 1)} points more with it than its "
            f"average gain would bring ({points(row['beyond_low'])} to {points(row['beyond_high'])})."
        )
    if not rows:
        yield f"With no {found.noun} is there surely more to gain than with the others."
    if less := found.frame.filter(pl.col("flag") == "overplayed").sort("beyond")["level"].to_list():
        yield f"Surely less than with the others is to be gained with {some(less)}."
    few = found.frame.filter(pl.col("note") == "too few wins")["level"].to_list()
    if few:
        who = listed(few) if len(few) < found.frame.height else f"all {plural(found.noun)}"
        yield f"Too few wins or losses to judge: {who}."


def badge_note(levels: list[str]) -> str:
    """What is said below a table of factions of those that are underplayed; nothing where none is."""
    return f"{BADGE[:1].upper()}{BADGE[1:]}: {listed(levels)}." if levels else ""
