"""The manifest of a league, `league.json`. Checks whether a league may be written to a folder."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

from sim.data.catalog import validate_row
from sim.data.declarations import Entry
from sim.data.json_input import read_limited_text, read_object
from sim.errors import UserError

LEAGUE = "league.json"
SEATS = "seats.parquet"
FORMAT: Literal["empirelab-league/1"] = "empirelab-league/1"


class LeagueManifest(Entry):
    """The manifest of a league, `league.json`.

    Attributes
    ----------
    name, columns, left_out, similar, notes, anonymous
        See `League`.
    imported
        Time when the league was imported, in ISO 8601.
    games, rows
        Number of games, and number of seats.
    sha256
        SHA-256 of the file of seats.
    """

    format: Literal["empirelab-league/1"] = FORMAT
    name: str
    imported: str
    games: int
    rows: int
    anonymous: bool
    columns: list[str]
    left_out: list[str]
    similar: list[list[str]]
    notes: list[str]
    sha256: str


def is_league(folder: Path) -> bool:
    """Tell whether a folder holds a league."""
    return (folder / LEAGUE).is_file()


def check_league_place(folder: Path, overwrite: bool) -> None:
    """Check that a league may be written to `folder`.

    The folder must be new, or it must hold nothing but a league and `overwrite` must be set.
    """
    if not folder.exists():
        return
    if not overwrite:
        raise UserError("the output folder exists", file=folder, allowed="a new folder, or --overwrite")
    strange = [] if not folder.is_dir() else [one.name for one in folder.iterdir() if one.name not in (LEAGUE, SEATS)]
    if not is_league(folder) or strange:
        message = "the folder to be overwritten is not a league, or holds other files"
        raise UserError(message, file=folder, found=", ".join(sorted(strange)[:5]) or None, allowed="a league's folder")


def load_league_manifest(folder: Path) -> LeagueManifest:
    """Read the manifest of a league; raise UserError if the manifest is missing or invalid."""
    path = folder / LEAGUE
    return validate_row(path, read_object(path, read_limited_text(path), None), LeagueManifest, None)
