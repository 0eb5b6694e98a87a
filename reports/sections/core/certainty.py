"""State the certainty of the game data below tables of factions, and what is known elsewhere of extreme edges."""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any

import polars as pl
from pydantic import Field

from reports.formatting import counted, listed, points
from reports.model import Listing, Report, Section
from sim.data.catalog import CONFIGS, Row, read_toml, validate_row
from sim.runs.store.manifest import Manifest

CONFIRMED = "confirmed"
SOURCES = {"single-source": "on data from a single source", "stand-in": "on stand-in data instead of printed values"}
"""The basis of a row's data, by its certainty."""
SAID = "Game data"
"""First words of the note."""
NAMED = 8
"""Number of factions up to which they are named."""
EXTREME = 0.2
"""A report says what else is known of edges wider than this."""


class KnownLevel(Row):
    """What is known of a faction, or of a level of an attribute.

    Attributes
    ----------
    ahead
        Its edge with players who look ahead, in points.
    changed
        What a later printing changed: "3 cards".
    """

    ahead: float | None = None
    changed: str = ""


class Known(Row):
    """What is known of a game's factions from elsewhere: `configs/known/<game>.toml`.

    Attributes
    ----------
    people
        What is known of games of people.
    ahead, reprint
        The games behind `KnownLevel.ahead`, and the printing behind `KnownLevel.changed`, with its `source`.
    page
        Page of the documentation that tells more.
    levels
        Factions, or levels of their attributes, by name.
    """

    people: str = ""
    ahead: str = ""
    reprint: str = ""
    source: str = ""
    page: str = ""
    levels: dict[str, KnownLevel] = Field(default_factory=dict)


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


def extreme_rows(report: Report) -> list[dict[str, Any]]:
    """Return the factions of the verdict with extreme edges: the strongest first, and the weakest if both are."""
    rows = [row for row in report.verdict.rows if row["table"] == "faction" and abs(row["edge"]) > EXTREME]
    return [rows[0], *rows[1:][-1:]] if rows and rows[0]["edge"] * rows[-1]["edge"] < 0 else rows[:1]


def extreme_words(report: Report, laddered: bool) -> str:
    """Say who played and what is known elsewhere, if the headline names factions with extreme edges; else ''.

    Parameters
    ----------
    laddered
        Whether the report has a ladder, which says more of players who look ahead.
    """
    manifest = report.manifest
    rows = extreme_rows(report)
    if not rows:
        return ""
    path = CONFIGS / "known" / f"{manifest.game}.toml"
    known = validate_row(path, read_toml(path), Known, manifest.game) if path.is_file() else Known()
    attributes = {row.name: [row.name, *map(str, row.attributes.values())] for row in manifest.factions}
    found = {
        name: known.levels[name]
        for row in rows for name in attributes[row["name"]] if name in known.levels
    }  # fmt: skip
    why = shlex.join(["empirelab", "explain", str(report.folder), "--faction", rows[0]["name"]])
    said = " ".join([rung_words(manifest), *known_words(known, found, laddered, manifest.game)])
    said += f" Why {rows[0]['name']} wins so {'often' if rows[0]['edge'] > 0 else 'rarely'}: `{why}`."
    return f"Before you act on edges of more than {100 * EXTREME:g} points: {said}"


def rung_words(manifest: Manifest) -> str:
    """Say which players played, and on which rung of the game's ladder a single one stands."""
    names = [row.name for row in manifest.strategies]
    path = CONFIGS / "ladder" / f"{manifest.game}.toml"
    rungs: list[str] = read_toml(path)["rungs"] if path.is_file() else []
    if len(names) == 1 and names[0] in rungs:
        return f"{names[0]} is rung {rungs.index(names[0]) + 1} of {len(rungs)} in skill ({', '.join(rungs)})."
    return f"the players are {listed(names)}."


def known_words(known: Known, found: dict[str, KnownLevel], laddered: bool, game: str) -> Iterator[str]:
    """Yield what is known with look-ahead, from people, and from later printings."""
    ahead = [f"{name} {points(level.ahead / 100, 0)}" for name, level in found.items() if level.ahead is not None]
    if laddered:
        yield "With look-ahead: see 'By skill'."
    elif ahead:
        yield f"With look-ahead ({known.ahead}): {listed(ahead)} points."
    else:
        yield f"With look-ahead: not known; `empirelab ladder {game}` measures it."
    if known.people:
        yield f"People: {known.people}."
    changed = [f"{name} {level.changed}" for name, level in found.items() if level.changed]
    if changed:
        yield f"{known.reprint[:1].upper()}{known.reprint[1:]} changed: {'; '.join(changed)} ({known.source})."
    if known.page:
        yield f"More: docs/{known.page}.md."
