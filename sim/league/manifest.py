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
    """The manifest of a league, `league.json`: fields of `League`, and the numbers of games and seats (`rows`).

    `imported` is a time in ISO 8601, and `sha256` that of the file of seats.
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
    """Check that `folder` is new, or to be overwritten and holds nothing but a league."""
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
