"""Saves a league in a folder: a manifest and one Parquet file of seats."""

from __future__ import annotations

import hashlib
import io
from datetime import UTC, datetime
from pathlib import Path

import polars as pl

from sim.data.files import MAX_PART_BYTES, read_within, write_all
from sim.data.json_input import while_reading
from sim.errors import UserError
from sim.league.manifest import LEAGUE, SEATS, LeagueManifest, is_league, load_league_manifest
from sim.league.read import SEAT_COLUMNS, League


def write_league(league: League, folder: Path) -> None:
    """Write a league to a folder (`write_all`). Raise UserError if the league cannot be written."""
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


def load_league(folder: Path) -> League:
    """Read a league from its folder.

    Raise UserError if the folder does not hold a league, or its manifest or seats are missing, damaged or of another
    version.
    """
    if folder.is_dir() and not is_league(folder):
        raise UserError("not a league of real games", file=folder, allowed="a folder that `empirelab import` wrote")
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
