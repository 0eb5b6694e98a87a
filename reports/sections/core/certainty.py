"""State the certainty of the game data below every table whose rows are factions."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

import polars as pl

from reports.formatting import counted
from reports.model import Listing, Section
from sim.runs.store.manifest import Manifest

CONFIRMED = "confirmed"
SOURCES = {"single-source": "on a single source", "stand-in": "on stand-ins for the printed values"}
"""The basis of a row's data, by its certainty."""
SAID = "Game data"
"""First words of the note."""
NAMED = 8
"""Number of factions up to which they are named."""


def faction_note(levels: Iterable[object], manifest: Manifest) -> str:
    """Return a note on the certainty of the rows of a table, if they are factions and some are not confirmed.

    'Game data: 8 of 32 boards rest on a single source (Rome A, ...).', or an empty text.
    """
    certainty = {row.name: str(row.certainty) for row in manifest.factions}
    wanted = {level for level in levels if level is not None}
    if not wanted or not certainty.keys() >= wanted:
        return ""
    shown = [name for name in certainty if name in wanted]
    said = []
    for level in dict.fromkeys(certainty.values()):
        names = [name for name in shown if certainty[name] == level]
        if names and level not in ("", CONFIRMED):
            whole = f"{len(names)} of {counted(len(shown), manifest.faction_title)}"
            which = f" ({', '.join(names)})" if len(names) <= NAMED and len(names) < len(shown) else ""
            verb = "rests" if len(names) == 1 else "rest"
            said.append(f"{whole} {verb} {SOURCES.get(level, f'on data that is {level}')}{which}")
    return f"{SAID}: {'; '.join(said)}." if said else ""


def noted(sections: Iterable[Section], manifest: Manifest) -> tuple[Section, ...]:
    """Add the note to the tables of factions of all sections."""
    return tuple(
        replace(section, listings=tuple(with_note(listing, manifest) for listing in section.listings))
        for section in sections
    )


def with_note(listing: Listing, manifest: Manifest) -> Listing:
    """Append the note to a table, unless it has one."""
    if SAID in listing.note:
        return listing
    columns = [listing.frame[column.name] for column in listing.shown if column.kind == "text"]
    said = next((note for note in notes(columns, manifest) if note), "")
    return replace(listing, note=f"{listing.note} {said}".strip()) if said else listing


def notes(columns: Sequence[pl.Series], manifest: Manifest) -> Iterable[str]:
    """Return the note of each text column."""
    return (faction_note(column.cast(pl.String).to_list(), manifest) for column in columns)
