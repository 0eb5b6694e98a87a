"""The manifest of a run, `run.json`. It is written last, so a folder with a manifest contains a finished run."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import Field, model_validator

from sim.data import disk
from sim.data.catalog import CONFIGS, validate_row
from sim.data.declarations import MAX_PLAYERS, Circumstance, Entry, Faction, Picks, PieceEvent, Search, Tally, TallyRow
from sim.data.files import MANIFEST, MAX_MANIFEST_BYTES
from sim.data.json_input import read_limited_text, read_object
from sim.errors import UserError, nearest, printable
from sim.league.manifest import is_league
from sim.runs.store.run_folder import unfinished_at

FORMAT = "empirelab-run/1"
SEAT_TABLE = "seats"
"""Name of the table of seats, which every run has. The name of the table of pieces is a plural, such as "cards"."""
MAX_NAMED = 20
"""Maximum number of run folders that a message lists."""
MAX_GAMES = 2**31 - 1
MAX_SEED = 2**63 - 1
PART_PATTERN = r"^\w{1,100}/part-\d{1,20}\.parquet$"
"""Pattern for the path of a part: in the folder of its table, and nowhere else."""
DIGEST_PATTERN = "^[0-9a-f]{64}$"
AS_WRITTEN = ("text", "source")
"""Fields whose strings are not made printable: the content of a deck's file, and the path of a strategy's file."""
COLUMNS = (
    "game", "block", "players", "variant", "seat", "faction", "strategy", "score", "rank", "win", "rounds",
    "end_reason",
)  # fmt: skip
"""Columns that the table of seats has in every game; score parts and measures must have other names."""
RESERVED = ("faction", "seat", "strategy")
"""Names that an attribute of factions must not have, because tables of the report use these names."""

Games = Annotated[int, Field(ge=1, le=MAX_GAMES)]
Players = Annotated[int, Field(ge=1, le=MAX_PLAYERS)]

OLD_FIELDS = {
    "card_shards": "piece_parts",
    "card_offered": "pieces_offered",
    "card_events": "piece_events",
    "card_changeable": "pieces_changeable",
}
"""Names of fields in manifests of earlier versions, and the current names."""


def rename_old_fields(content: Mapping[str, Any]) -> dict[str, Any]:
    """Return a manifest of any version with the field names of the current version."""
    return {OLD_FIELDS.get(name, name): value for name, value in content.items()}


# Fields are written in this order. Fields with a default may be missing in runs of earlier versions.


class CountEntry(Entry):
    """The games of a run with one number of players and one variant.

    `first_game`, `first_block` and `first_deal` are as in `sim.runs.shards.Group`. `seed` is None except in a run
    merged from several seeds (`sim.runs.store.merge`).
    """

    players: Players
    variant: str
    games: Games
    first_game: int = Field(default=0, ge=0, le=MAX_GAMES)
    blocks: int = 0
    first_block: int = Field(default=0, ge=0, le=MAX_GAMES)
    first_deal: int = Field(default=0, ge=0, le=MAX_GAMES)
    block_games: int = 0
    factions_fixed: bool
    seed: int | None = Field(default=None, ge=0, le=MAX_SEED)


class WholeEntry(Entry):
    """Size of the longer run that a stretch is part of; the fields are as in `PlannedRun`."""

    variant: str
    variants: list[str]
    players: Players | Annotated[list[Players], Field(min_length=1)]
    games: Games
    blocks: Games
    block_games: Games
    player_counts: list[CountEntry]
    factions_fixed: bool


class StretchEntry(Entry):
    """Which games of a longer run this run has: `first_game` to `stop_game` - 1. Here they are numbered from 0."""

    first_game: int = Field(ge=0, le=MAX_GAMES)
    stop_game: int = Field(ge=1, le=MAX_GAMES)
    first_block: int = Field(ge=0, le=MAX_GAMES)
    whole: WholeEntry


class PlayerEntry(Entry):
    """A strategy: `base` is the name of its script (the code that scores options), `source` the path of its file.

    `code` is the SHA-256 of a user's Python file, or of the weights of a judge.
    """

    name: str = Field(min_length=1)
    base: str
    description: str
    temperature: float = Field(ge=0.0)
    weights: dict[str, float]
    source: str
    code: str = ""
    search: Search | None = None


class DeckEntry(Entry):
    """A user's file that extends the game's data: its name and its content."""

    file: str = Field(min_length=1)
    text: str


class PartEntry(Entry):
    """A part file, with its numbers of games and rows, and its SHA-256."""

    file: str = Field(pattern=PART_PATTERN)
    games: Games
    rows: int = Field(ge=0, le=2**40)
    sha256: str = Field(pattern=DIGEST_PATTERN)


PicksEntry = Picks[Annotated[dict[str, list[str]], Field(min_length=1)]]
"""The picks of a game in a manifest; `kinds` lists the names of the pieces of each kind."""
TallyEntry = Tally[list[TallyRow]]
"""A tally in a manifest, with its rows."""


class OtherReadingEntry(Entry):
    """The value of a setting in a run, and the measured effect of another value; see `sim.data.game_files.Measured`."""

    setting: str = Field(min_length=1)
    played: bool | str
    other: bool | str
    moves: str
    points: float
    low: float
    high: float
    games: Games
    strategies: str
    command: str


class UnfinishedEntry(Entry):
    """State of an unfinished run: the maximum number of games planned, and whether a process is playing it."""

    at_most: Games
    being_written: bool


class PlannedRun(Entry):
    """The part of a manifest that follows from the plans of a run: enough to replay the run and to read its rows.

    Attributes
    ----------
    block_games
        Number of games in a block; a block counts as one observation in a report.
    piece, pieces_offered, piece_events, pieces_changeable, picks
        In this order: the word for a piece (such as a card); the column that says how often a piece was offered; the
        events that are recorded of a piece; whether changes can name pieces of the game's files; the picks
        (`sim.data.declarations.Picks`), None in a game without picks.
    tallies
        Tables of counts that belong to no seat; only in a run that keeps pieces.
    circumstances
        Conditions that hold for all seats of a game, such as the direction of play.
    other_readings
        Other interpretations of ambiguous rules, with effects that were measured on games like these.
    numbers
        The numbers in the data of a game in plain Python, by table, row and field; empty for other games.
    tables, sources
        SHA-256 of the game's data, and of the source files of the engine and the players.
    stretch
        Which games of a longer run this run has; None if the run is not part of a longer run.
    """

    format: str
    game: str
    title: str
    variant: str
    variants: list[str] = Field(default=[])
    players: Players | Annotated[list[Players], Field(min_length=1)]
    games: Games
    blocks: Games
    block_games: Games
    player_counts: list[CountEntry] = Field(default=[])
    seed: int = Field(ge=0, le=MAX_SEED)
    assign: Literal["rotate", "random", "fixed"]
    detail: str = "seats"
    command: str
    strategies: list[PlayerEntry] = Field(min_length=1)
    lineup: list[str] = Field(min_length=1)
    factions: list[Faction]
    factions_dealt: list[str]
    factions_fixed: bool
    faction_title: str
    faction_attributes: list[str]
    exclusive: str = ""
    paired_attribute: str = ""
    starting_place: str = ""
    score_parts: list[str]
    measures: list[str]
    checkpoints: list[str] = Field(default=[])
    event_rounds: list[str] = Field(default=[])
    end_reasons: list[str] = Field(default=[])
    piece: str = "card"
    pieces_offered: str = ""
    piece_events: list[PieceEvent] = Field(default=[])
    pieces_changeable: bool = True
    picks: PicksEntry | None = None
    tallies: list[TallyEntry] = Field(default=[])
    circumstances: list[Circumstance] = Field(default=[])
    settings: dict[str, bool | int | float | str]
    changes: list[str] = Field(default=[])
    decks: list[DeckEntry] = Field(default=[])
    certainty: dict[str, Annotated[int, Field(ge=0)]]
    settings_certainty: dict[str, Annotated[int, Field(ge=0)]] = Field(default={})
    other_readings: list[OtherReadingEntry] = Field(default=[])
    numbers: dict[str, bool | int | float | str] = Field(default={})
    tables: str
    sources: str
    versions: dict[str, str]
    stretch: StretchEntry | None = None

    @model_validator(mode="before")
    @classmethod
    def _of_any_version(cls, content: Any) -> Any:
        return rename_old_fields(content) if isinstance(content, dict) else content


class Manifest(PlannedRun):
    """A finished run.

    Attributes
    ----------
    tags, note
        The user's tags and note, which do not affect the games.
    stopped
        The stopping rule, and whether it ended the run early; None without a rule.
    started, seconds, playing_seconds, writing_seconds, jobs
        When the run began, its wall-clock seconds in all, for playing and for writing, and the number of workers.
    unfinished
        Set only if the manifest describes the games that an unfinished run has played so far. Never saved to a file.
    """

    tags: list[str] = Field(default=[])
    note: str = ""
    stopped: dict[str, Any] | None = None
    started: str = ""
    seconds: float = 0.0
    playing_seconds: float = 0.0
    writing_seconds: float = 0.0
    jobs: int = 0
    shards: list[PartEntry]
    piece_parts: list[PartEntry] = Field(default=[])
    tally_shards: dict[str, list[PartEntry]] = Field(default={})
    unfinished: UnfinishedEntry | None = None


def changed_numbers(old: Mapping[str, object], new: Mapping[str, object]) -> list[str]:
    """List differences between the recorded numbers of two runs: 'card.Ore.price: 3, then 4'.

    At most `MAX_NUMBERS` are listed, and the rest is counted. The result is empty if one of the runs recorded no
    numbers.
    """
    if not old or not new:
        return []
    places = [place for place in {**old, **new} if old.get(place) != new.get(place)]
    said = [f"{place}: {old.get(place, 'none')}, then {new.get(place, 'none')}" for place in places[:MAX_NUMBERS]]
    rest = len(places) - len(said)
    return said if not rest else [*said, f"{rest} more of the game's numbers"]


MAX_NUMBERS = 5
"""Maximum number of differences that `changed_numbers` lists."""


def part_name(table: str, number: int) -> str:
    """Return the path of a part within the run folder."""
    return f"{table}/part-{number:06d}.parquet"


def write_manifest(folder: Path, manifest: Manifest) -> None:
    """Write the manifest atomically; raise OSError if the file cannot be written."""
    disk.write_file_atomically(folder / MANIFEST, manifest_text(manifest))


def manifest_text(manifest: Manifest) -> bytes:
    """Return a manifest as the content of its file."""
    return (json.dumps(manifest.model_dump(exclude={"unfinished"}), indent=1, ensure_ascii=False) + "\n").encode(
        "utf-8"
    )


def load_manifest(folder: Path) -> Manifest:
    """Read and check the manifest of a finished run.

    Raise UserError as `read_manifest` does; or if a field is missing, is wrong, or contradicts another field.
    """
    path = folder / MANIFEST
    manifest = validate_row(path, read_manifest(folder), Manifest, None)
    check_manifest_names(manifest, path)
    check_games(manifest, path)
    return manifest


def check_manifest_names(manifest: Manifest, path: Path) -> None:
    """Raise UserError if a list in a manifest has a name twice, or a name that does not exist in the run."""
    factions, strategies = ([row.name for row in rows] for rows in (manifest.factions, manifest.strategies))
    if manifest.faction_title and not factions:
        raise UserError("the game has a faction title but no factions", file=path, field="factions", found=[])
    events = [event.column for event in manifest.piece_events]
    for field, names in (
        ("factions", factions),
        ("strategies", strategies),
        ("faction_attributes", manifest.faction_attributes),
        ("score_parts", [*COLUMNS, *manifest.score_parts]),
        ("measures", [*COLUMNS, *manifest.score_parts, *manifest.measures]),
        ("piece_events", events),
    ):
        twice = next((name for place, name in enumerate(names) if name in names[:place]), None)
        if twice is not None:
            raise UserError("a name occurs twice", file=path, field=field, found=twice)
    for reserved in sorted(set(RESERVED) & set(manifest.faction_attributes)):
        raise UserError("reserved name of an attribute", file=path, field="faction_attributes", found=reserved)
    for faction in manifest.factions:
        missing = [name for name in manifest.faction_attributes if name not in faction.attributes]
        if missing:
            raise UserError(f"attribute {missing[0]!r} is missing", file=path, row=faction.name, field="factions")
    for field, names, known in (
        ("factions_dealt", manifest.factions_dealt, factions),
        ("lineup", manifest.lineup, strategies),
        ("checkpoints", manifest.checkpoints, manifest.measures),
        ("event_rounds", manifest.event_rounds, manifest.measures),
        ("starting_place", given(manifest.starting_place), [*manifest.score_parts, *manifest.measures]),
        ("exclusive", given(manifest.exclusive), manifest.faction_attributes),
        ("paired_attribute", given(manifest.paired_attribute), manifest.faction_attributes),
        ("circumstances", [entry.measure for entry in manifest.circumstances], manifest.measures),
        ("picks", [manifest.picks.start] if manifest.picks else [], manifest.score_parts),
    ):
        unknown = next((name for name in names if name not in known), None)
        if unknown is not None:
            raise UserError("not a name in this run", file=path, field=field, found=unknown, allowed=known)


def given(name: str) -> list[str]:
    """Return a list with a name, or an empty list if the name is ""."""
    return [name] if name else []


def check_games(manifest: Manifest, path: Path) -> None:
    """Check that the parts of a manifest hold all games of the run, and that no part is listed twice."""
    tallies = [(f"tally_shards.{name}", parts) for name, parts in manifest.tally_shards.items()]
    for field, parts in (("shards", manifest.shards), ("piece_parts", manifest.piece_parts), *tallies):
        files = [part.file for part in parts]
        if len(set(files)) < len(files):
            raise UserError("the same part is listed twice", file=path, field=field)
        played = sum(part.games for part in parts)
        if played != manifest.games and (parts or field == "shards"):
            message = f"the parts hold {played} games, but the run has {manifest.games}"
            raise UserError(message, file=path, field=field)
    players, rows = manifest.players, sum(part.rows for part in manifest.shards)
    if isinstance(players, int) and rows != manifest.games * players:
        message = f"the parts hold {rows} rows, but {manifest.games} games of {players} need a different number"
        raise UserError(message, file=path, field="players", found=players)


def no_such_run(folder: Path) -> UserError:
    """Return the error for a missing run folder; the message suggests the nearest existing name.

    If the folder has the name of a game, the message says how to play a run of that game.
    """
    # The names come from the folders of game data, because importing the games would be slow.
    if str(folder) in {path.name for path in (CONFIGS / "games").iterdir()}:
        message = "no such run folder: this is the name of a game"
        return UserError(message, file=folder, allowed=f"a run of it: empirelab simulate {folder} --out FOLDER")
    beside = [path.parent for path in sorted(folder.parent.glob(f"*/{MANIFEST}"))]
    near = nearest(folder.name, [run.name for run in beside])
    if near is not None:
        return UserError(f"no such run folder; did you mean {str(folder.parent / near)!r}?", file=folder)
    return UserError("no such run folder", file=folder, allowed=beside[:MAX_NAMED] or None)


def made_printable(content: Any, field: str = "") -> Any:
    """Return a manifest with all strings made printable, except those of the fields `AS_WRITTEN`."""
    if isinstance(content, dict):
        return {printable(name, lines=False): made_printable(value, name) for name, value in content.items()}
    if isinstance(content, list):
        return [made_printable(value, field) for value in content]
    if not isinstance(content, str) or field in AS_WRITTEN:
        return content
    return printable(content, lines=field == "note")


def read_manifest(folder: Path) -> dict[str, Any]:
    """Read the manifest of a finished run without checking its fields.

    Raise UserError if the folder does not exist, holds an unfinished run or has no manifest, or the manifest is not
    JSON or has another format.
    """
    if folder.is_file():
        allowed = "the folder of a run; empirelab import reads a table of real games"
        raise UserError("this is a file, not the folder of a run", file=folder, allowed=allowed)
    if not folder.exists() and unfinished_at(folder) is not None:
        allowed = "the command that started it, which resumes it"
        raise UserError("an unfinished run: it is being played or was interrupted", file=folder, allowed=allowed)
    if not folder.is_dir():
        raise no_such_run(folder)
    path = folder / MANIFEST
    if is_league(folder):
        message = "these are results of real games, and this needs a simulated run"
        raise UserError(message, file=folder, allowed="report, compare and view read results of real games")
    if not path.is_file():
        message = f"not a finished run: there is no {MANIFEST} in this folder"
        below = [found.parent for found in sorted(folder.glob(f"*/{MANIFEST}"))[:MAX_NAMED]]
        raise UserError(message, file=folder, allowed=below or None)
    content = read_object(path, read_limited_text(path, MAX_MANIFEST_BYTES), None, MAX_MANIFEST_BYTES)
    manifest = rename_old_fields(made_printable(content))
    found = manifest.get("format")
    if found != FORMAT:
        raise UserError("not a run manifest of this version", file=path, field="format", found=found, allowed=[FORMAT])
    return manifest
