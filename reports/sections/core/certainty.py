"""How sure the game data behind the rows of a table is, said below every table whose rows are factions."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

import polars as pl

from reports.formatting import counted
from reports.model import Listing, Section

CONFIRMED = "confirmed"
SOURCES = {"single-source": "on a single source", "stand-in": "on stand-ins for the printed values"}
"""What the data of a row rests on, by its certainty."""
SAID = "Game data"
"""Begins what is said."""
NAMED = 8
"""Up to so many factions are named."""


def faction_note(levels: Iterable[object], manifest: dict[str, Any]) -> str:
    """Say on what the rows of a table rest, where they are factions and some of them are not confirmed.

    Parameters
    ----------
    levels
        Values of the column that names the rows; a faction may stand in several.
    manifest
        The run's `run.json`, with the certainty of each faction.

    Returns
    -------
    'Game data: 8 of 32 boards rest on a single source (Rome A, ...).', or nothing.
    """
    certainty = {row["name"]: str(row.get("certainty", "")) for row in manifest["factions"]}
    wanted = {level for level in levels if level is not None}
    if not wanted or not certainty.keys() >= wanted:
        return ""
    shown = [name for name in certainty if name in wanted]
    said = []
    for level in dict.fromkeys(certainty.values()):
        names = [name for name in shown if certainty[name] == level]
        if names and level not in ("", CONFIRMED):
            whole = f"{len(names)} of {counted(len(shown), manifest['faction_title'])}"
            which = f" ({', '.join(names)})" if len(names) <= NAMED and len(names) < len(shown) else ""
            verb = "rests" if len(names) == 1 else "rest"
            said.append(f"{whole} {verb} {SOURCES.get(level, f'on data that is {level}')}{which}")
    return f"{SAID}: {'; '.join(said)}." if said else ""


def noted(sections: Iterable[Section], manifest: dict[str, Any]) -> tuple[Section, ...]:
    """Return sections whose tables of factions say below how sure the data of their rows is."""
    return tuple(
        replace(section, listings=tuple(with_note(listing, manifest) for listing in section.listings))
        for section in sections
    )


def with_note(listing: Listing, manifest: dict[str, Any]) -> Listing:
    """Return a table with what is to be said of its factions at the end of its note, where that says nothing yet."""
    if SAID in listing.note:
        return listing
    columns = [listing.frame[column.name] for column in listing.columns if column.kind == "text"]
    said = next((note for note in notes(columns, manifest) if note), "")
    return replace(listing, note=f"{listing.note} {said}".strip()) if said else listing


def notes(columns: Sequence[pl.Series], manifest: dict[str, Any]) -> Iterable[str]:
    """What is to be said of each of some columns of text."""
    return (faction_note(column.cast(pl.String).to_list(), manifest) for column in columns)
