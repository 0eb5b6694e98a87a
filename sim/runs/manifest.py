"""The manifest of a run, `run.json`: written last, so a folder that has one holds a finished run."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from sim.data.catalog import validate_row
from sim.errors import UserError

FORMAT = "empirelab-run/1"
MANIFEST = "run.json"
SEAT_TABLE = "seats"
"""The table that every run has, a folder of parts; that of the pieces is called by their plural."""
MAX_GAMES = 2**31 - 1
MAX_SEED = 2**63 - 1

# Fields are written in this order. Those with a value by default are lacking in runs of earlier versions.


class Entry(BaseModel):
    """A table of the manifest: exact types; fields of later versions are passed over."""

    model_config = ConfigDict(strict=True, frozen=True)


class CountEntry(Entry):
    """The games with one number of players and one variant; games, blocks and deals count from 0 in the run."""

    players: int
    variant: str
    games: int = Field(ge=1, le=MAX_GAMES)
    first_game: int = Field(default=0, ge=0, le=MAX_GAMES)
    blocks: int = 0
    first_block: int = Field(default=0, ge=0, le=MAX_GAMES)
    first_deal: int = Field(default=0, ge=0, le=MAX_GAMES)
    block_games: int = 0
    factions_fixed: bool


class PlayerEntry(Entry):
    """A strategy; `base` is its script, `code` the SHA-256 of a user's own file, `source` where it comes from."""

    name: str
    base: str
    description: str
    temperature: float = Field(ge=0.0)
    weights: dict[str, float]
    source: str
    code: str = ""


class FactionEntry(Entry):
    """A faction of the game, dealt in this run or not."""

    name: str
    attributes: dict[str, str]
    certainty: str = ""


class PartEntry(Entry):
    """A part file, with what it holds and its SHA-256."""

    file: str
    games: int = Field(ge=1)
    rows: int = 0
    sha256: str = ""


class PlannedRun(Entry):
    """What of a manifest follows from the plans of a run: enough to play it again, and to read it.

    Attributes
    ----------
    block_games
        What a report divides games by where games of a block count once.
    piece, card_offered, card_events, card_changeable
        What the game calls its pieces, the column of how often one was offered, what can become of one, and whether
        pieces stand in the game's files, so that one can be changed.
    tables, sources
        SHA-256 of the game's data, and of the engine and its players.
    """

    format: str
    game: str
    title: str
    variant: str
    variants: list[str] = []
    players: int | list[int]
    games: int = Field(ge=1, le=MAX_GAMES)
    blocks: int
    block_games: int
    player_counts: list[CountEntry] = []
    seed: int = Field(ge=0, le=MAX_SEED)
    assign: Literal["rotate", "random", "fixed"]
    detail: str = "seats"
    command: str
    strategies: list[PlayerEntry] = Field(min_length=1)
    lineup: list[str] = Field(min_length=1)
    factions: list[FactionEntry]
    factions_dealt: list[str]
    factions_fixed: bool
    faction_title: str
    faction_attributes: list[str]
    exclusive: str = ""
    paired_attribute: str = ""
    score_parts: list[str]
    measures: list[str]
    checkpoints: list[str] = []
    end_reasons: list[str] = []
    piece: str = "card"
    card_offered: str = ""
    card_events: list[dict[str, str | bool]] = []
    card_changeable: bool = True
    settings: dict[str, bool | int | float | str]
    changes: list[str] = []
    certainty: dict[str, int]
    settings_certainty: dict[str, int] = {}
    tables: str
    sources: str
    versions: dict[str, str]


class Manifest(PlannedRun):
    """A finished run.

    Attributes
    ----------
    stopped
        By which rule the run could end early, and whether it did; None without one.
    started, seconds, playing_seconds, writing_seconds, jobs
        When and how it was played; wall-clock seconds.
    """

    stopped: dict[str, Any] | None = None
    started: str = ""
    seconds: float = 0.0
    playing_seconds: float = 0.0
    writing_seconds: float = 0.0
    jobs: int = 0
    shards: list[PartEntry]
    card_shards: list[PartEntry] = []


def write_manifest(folder: Path, manifest: Manifest) -> None:
    """Write the manifest under another name, then rename it."""
    target = folder / MANIFEST
    unfinished = target.with_suffix(".unfinished")
    unfinished.write_text(json.dumps(manifest.model_dump(), indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    unfinished.replace(target)


def load_manifest(folder: Path) -> Manifest:
    """Read and check the manifest of a finished run.

    Raises
    ------
    UserError
        As `read_manifest`, or a field is missing or not as it should be.
    """
    return validate_row(folder / MANIFEST, read_manifest(folder), Manifest, None)


def read_manifest(folder: Path) -> dict[str, Any]:
    """Read the manifest of a finished run as it stands there, its fields unchecked.

    Raises
    ------
    UserError
        No such folder, no manifest in it, not JSON, or JSON of another format.
    """
    if not folder.is_dir():
        raise UserError("no such run folder", file=folder)
    path = folder / MANIFEST
    if not path.is_file():
        raise UserError(f"not a finished run: there is no {MANIFEST} in this folder", file=folder)
    try:
        manifest = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise UserError(f"cannot be read as JSON ({error})", file=path) from error
    found = manifest.get("format") if isinstance(manifest, dict) else type(manifest).__name__
    if found != FORMAT:
        raise UserError("not a run manifest of this version", file=path, field="format", found=found, allowed=[FORMAT])
    return dict(manifest)
