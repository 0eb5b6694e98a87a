"""Keeps a league in a folder: a manifest of its own and one Parquet file of seats."""

from __future__ import annotations

import hashlib
import io
from datetime import UTC, datetime
from pathlib import Path
from typing import Literal

import polars as pl

from sim.data.catalog import validate_row
from sim.data.declarations import Entry
from sim.data.files import MAX_PART_BYTES, read_within, write_all
from sim.data.json_input import read_limited_text, read_object, while_reading
from sim.errors import UserError
from sim.league.read import SEAT_COLUMNS, League

LEAGUE = "league.json"
SEATS = "seats.parquet"
FORMAT: Literal["empirelab-league/1"] = "empirelab-league/1"


class LeagueManifest(Entry):
    """The manifest of a league, `league.json`.

    Attributes
    ----------
    name, columns, left_out, similar, notes, anonymous
        As in `League`.
    imported
        When it was read, ISO 8601.
    games, rows
        Number of games and of seats.
    sha256
        Digest of the seats.
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
    """Check that a league may be written to a folder.

    Raises
    ------
    UserError
        The folder exists and is not a league to be replaced, or holds other files.
    """
    if not folder.exists():
        return
    if not overwrite:
        raise UserError("the output folder exists", file=folder, allowed="a new folder, or --overwrite")
    strange = [] if not folder.is_dir() else [one.name for one in folder.iterdir() if one.name not in (LEAGUE, SEATS)]
    if not is_league(folder) or strange:
        message = "the folder to be overwritten is not a league, or holds other files"
        raise UserError(message, file=folder, found=", ".join(sorted(strange)[:5]) or None, allowed="a league's folder")


def write_league(league: League, folder: Path) -> None:
    """Write a league to a folder, all or nothing; raise UserError if it cannot be written."""
    buffer = io.BytesIO()
    league.seats.write_parquet(buffer, compression="zstd")
    content = buffer.getvalue()
    manifest = LeagueManifest(
        name=league.name, imported=datetime.now(UTC).isoformat(timespec="seconds"),
        games=league.games,
        rows=league.seats.height, anonymous=league.anonymous, columns=list(league.columns),
        left_out=list(league.left_out), similar=[list(pair) for pair in league.similar], notes=list(league.notes),
        sha256=hashlib.sha256(content).hexdigest(),
    )  # fmt: skip
    text = manifest.model_dump_json(indent=1) + "\n"
    write_all([(folder / SEATS, content), (folder / LEAGUE, text.encode("utf-8"))], [folder])


def load_league_manifest(folder: Path) -> LeagueManifest:
    """Read the manifest of a league; raise UserError if it is missing or wrong."""
    path = folder / LEAGUE
    return validate_row(path, read_object(path, read_limited_text(path), None), LeagueManifest, None)


def load_league(folder: Path) -> League:
    """Open a league.

    Raises
    ------
    UserError
        The manifest or the seats are missing, damaged or of another version.
    """
    manifest, path = load_league_manifest(folder), folder / SEATS
    with while_reading(path):
        content = read_within(path, MAX_PART_BYTES)
    if hashlib.sha256(content).hexdigest() != manifest.sha256:
        raise UserError("checksum mismatch: the file was modified or is corrupt", file=path, allowed="import it again")
    seats = pl.read_parquet(io.BytesIO(content))
    if tuple(seats.columns) != SEAT_COLUMNS:
        raise UserError("these are not the seats of a league", file=path, found=seats.columns, allowed=SEAT_COLUMNS)
    return League(
        manifest.name, seats, tuple(manifest.columns), tuple(manifest.left_out),
        tuple((one, other) for one, other in manifest.similar), tuple(manifest.notes), manifest.anonymous, folder,
    )  # fmt: skip
