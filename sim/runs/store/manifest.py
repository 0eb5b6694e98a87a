"""The manifest of a run, `run.json`: written last, so a folder that has one holds a finished run."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from sim.data import disk
from sim.data.catalog import CONFIGS, validate_row
from sim.data.files import MAX_MANIFEST_BYTES
from sim.data.json_input import read_object, read_text
from sim.data.printing import printable
from sim.errors import UserError, nearest
from sim.runs.store.run_folder import unfinished_at

FORMAT = "empirelab-run/1"
MANIFEST = "run.json"
SEAT_TABLE = "seats"
"""The table that every run has, a folder of parts; that of the pieces is called by their plural."""
MOST_NAMED = 20
"""Runs below a folder that a message names at most."""
MAX_GAMES = 2**31 - 1
MAX_SEED = 2**63 - 1
PART_PATTERN = r"^\w{1,100}/part-\d{1,20}\.parquet$"
"""A part lies in the folder of its table, and nowhere else."""
DIGEST_PATTERN = "^[0-9a-f]{64}$"
AS_WRITTEN = ("text", "source")
"""Fields whose texts are kept as they are: what a deck's file says, and where a strategy's file lies."""
COLUMNS = (
    "game", "block", "players", "variant", "seat", "faction", "strategy", "score", "rank", "win", "rounds",
    "end_reason",
)  # fmt: skip
"""Columns of the seats in every game; its score parts and measures bear other names."""
RESERVED = ("faction", "seat", "strategy")
"""Names that an attribute of factions may not bear: tables of the report bear them."""

Games = Annotated[int, Field(ge=1, le=MAX_GAMES)]
Players = Annotated[int, Field(ge=1, le=255)]

# Fields are written in this order. Those with a value by default are lacking in runs of earlier versions.


class Entry(BaseModel):
    """A table of the manifest: exact types; fields of later versions are passed over."""

    model_config = ConfigDict(strict=True, frozen=True)


class CountEntry(Entry):
    """The games with one number of players and one variant; games, blocks and deals count from 0 in the run.

    `seed` is None but in a run that was joined of several seeds (`sim.runs.store.merge`).
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
    """How many games the plan of a stretch has, of what kinds; the fields are those of `PlannedRun`."""

    variant: str
    variants: list[str]
    players: Players | Annotated[list[Players], Field(min_length=1)]
    games: Games
    blocks: Games
    block_games: Games
    player_counts: list[CountEntry]
    factions_fixed: bool


class StretchEntry(Entry):
    """Which games of its plan a run has: `first_game` to `stop_game` - 1; in the run they are numbered from 0."""

    first_game: int = Field(ge=0, le=MAX_GAMES)
    stop_game: int = Field(ge=1, le=MAX_GAMES)
    first_block: int = Field(ge=0, le=MAX_GAMES)
    whole: WholeEntry


class EachEntry(Entry):
    """What is otherwise for one kind of decision."""

    options: int | None = None
    prior: float | None = None
    horizon: int | None = None


class SearchEntry(Entry):
    """How a strategy looks ahead (`sim.players.strategy.Search`)."""

    rollouts: int
    options: int
    value: str
    lead_scale: float
    prior: float
    model_temperature: float
    horizon: int
    halves: bool
    decisions: list[str]
    each: dict[str, EachEntry] = {}
    outlook: list[dict[str, float]] = []


class PlayerEntry(Entry):
    """A strategy; `base` is its script, `code` the SHA-256 of a user's own file, `source` where it comes from."""

    name: str = Field(min_length=1)
    base: str
    description: str
    temperature: float = Field(ge=0.0)
    weights: dict[str, float]
    source: str
    code: str = ""
    search: SearchEntry | None = None


class FactionEntry(Entry):
    """A faction of the game, dealt in this run or not."""

    name: str = Field(min_length=1)
    attributes: dict[str, str]
    certainty: str = ""


class DeckEntry(Entry):
    """A file of a user's own that added to the game's data: its name, and all it says."""

    file: str = Field(min_length=1)
    text: str


class PartEntry(Entry):
    """A part file, with what it holds and its SHA-256."""

    file: str = Field(pattern=PART_PATTERN)
    games: Games
    rows: int = Field(ge=0, le=2**40)
    sha256: str = Field(pattern=DIGEST_PATTERN)


class EventEntry(Entry):
    """What can become of a piece, as `sim.game.PieceEvent`."""

    column: str
    title: str
    taken: bool
    in_play: bool


class PicksEntry(Entry):
    """What makes pieces picks of a period, as `sim.game.Picks`; `kinds` are the names of the pieces of each kind."""

    period: str = Field(min_length=1)
    kinds: dict[str, list[str]] = Field(min_length=1)
    start: str
    taken: str
    draft_place: str
    turn_place: str
    later: str
    later_parts: Annotated[int, Field(ge=1)]
    draft: str = ""
    reading: str = ""


class CircumstanceEntry(Entry):
    """What befalls all seats of a game alike, as `sim.game.Circumstance`."""

    measure: str
    name: str
    unit: str
    less: str
    more: str


class TallyRowEntry(Entry):
    """What a tally counts of, as `sim.game.TallyRow`."""

    name: str
    values: dict[str, float | str] = {}
    near: list[str] = []


class TallyEntry(Entry):
    """What is counted of each game besides, as `sim.game.Tally`."""

    name: str = Field(min_length=1)
    plural: str = Field(min_length=1)
    shows: str
    columns: list[str]
    parts: dict[str, Annotated[int, Field(ge=1)]] = {}
    rows: list[TallyRowEntry]
    reading: str = ""


class OtherReadingEntry(Entry):
    """How a setting is played, and what another reading of it moves, as `sim.data.settings.Measured`."""

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


class PlannedRun(Entry):
    """What of a manifest follows from the plans of a run: enough to play it again, and to read it.

    Attributes
    ----------
    block_games
        What a report divides games by where games of a block count once.
    piece, card_offered, card_events, card_changeable, picks
        What the game calls its pieces, the column of how often one was offered, what can become of one, whether
        pieces stand in the game's files, so that one can be changed, and what makes them picks of a period, if it does.
    tallies
        What is counted of each game besides, in a run that keeps pieces.
    circumstances
        What befalls all seats of a game alike.
    other_readings
        Open points of the rules whose other reading was measured to move results of games such as these.
    tables, sources
        SHA-256 of the game's data, and of the engine and its players.
    stretch
        Which games of a longer plan these are; None where the run is all of its plan.
    """

    format: str
    game: str
    title: str
    variant: str
    variants: list[str] = []
    players: Players | Annotated[list[Players], Field(min_length=1)]
    games: Games
    blocks: Games
    block_games: Games
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
    starting_place: str = ""
    score_parts: list[str]
    measures: list[str]
    checkpoints: list[str] = []
    event_rounds: list[str] = []
    end_reasons: list[str] = []
    piece: str = "card"
    card_offered: str = ""
    card_events: list[EventEntry] = []
    card_changeable: bool = True
    picks: PicksEntry | None = None
    tallies: list[TallyEntry] = []
    circumstances: list[CircumstanceEntry] = []
    settings: dict[str, bool | int | float | str]
    changes: list[str] = []
    decks: list[DeckEntry] = []
    certainty: dict[str, Annotated[int, Field(ge=0)]]
    settings_certainty: dict[str, Annotated[int, Field(ge=0)]] = {}
    other_readings: list[OtherReadingEntry] = []
    tables: str
    sources: str
    versions: dict[str, str]
    stretch: StretchEntry | None = None


class Manifest(PlannedRun):
    """A finished run.

    Attributes
    ----------
    tags, note
        What the user wrote on the run; they decide nothing in it.
    stopped
        By which rule the run could end early, and whether it did; None without one.
    started, seconds, playing_seconds, writing_seconds, jobs
        When and how it was played; wall-clock seconds.
    """

    tags: list[str] = []
    note: str = ""
    stopped: dict[str, Any] | None = None
    started: str = ""
    seconds: float = 0.0
    playing_seconds: float = 0.0
    writing_seconds: float = 0.0
    jobs: int = 0
    shards: list[PartEntry]
    card_shards: list[PartEntry] = []
    tally_shards: dict[str, list[PartEntry]] = {}


def part_name(table: str, number: int) -> str:
    """Name of a part within the folder of a run."""
    return f"{table}/part-{number:06d}.parquet"


def write_manifest(folder: Path, manifest: Manifest) -> None:
    """Write the manifest under another name, then rename it.

    Raises
    ------
    OSError
        It cannot be written.
    """
    disk.write_whole(folder / MANIFEST, manifest_text(manifest))


def manifest_text(manifest: Manifest) -> bytes:
    """Return a manifest as the content of its file."""
    return (json.dumps(manifest.model_dump(), indent=1, ensure_ascii=False) + "\n").encode("utf-8")


def load_manifest(folder: Path) -> Manifest:
    """Read and check the manifest of a finished run.

    Raises
    ------
    UserError
        As `read_manifest`, a field is missing or not as it should be, or fields contradict each other.
    """
    path = folder / MANIFEST
    manifest = validate_row(path, read_manifest(folder), Manifest, None)
    check_names(manifest, path)
    check_games(manifest, path)
    return manifest


def check_names(manifest: Manifest, path: Path) -> None:
    """Check that lists of a manifest name nothing twice, and nothing that the run does not have.

    Raises
    ------
    UserError
        One does.
    """
    factions, strategies = ([row.name for row in rows] for rows in (manifest.factions, manifest.strategies))
    if manifest.faction_title and not factions:
        raise UserError("a game that has a word for its factions has some", file=path, field="factions", found=[])
    events = [event.column for event in manifest.card_events]
    for field, names in (
        ("factions", factions),
        ("strategies", strategies),
        ("faction_attributes", manifest.faction_attributes),
        ("score_parts", [*COLUMNS, *manifest.score_parts]),
        ("measures", [*COLUMNS, *manifest.score_parts, *manifest.measures]),
        ("card_events", events),
    ):
        twice = next((name for place, name in enumerate(names) if name in names[:place]), None)
        if twice is not None:
            raise UserError("the same name twice", file=path, field=field, found=twice)
    for reserved in sorted(set(RESERVED) & set(manifest.faction_attributes)):
        raise UserError("an attribute may not bear this name", file=path, field="faction_attributes", found=reserved)
    for faction in manifest.factions:
        missing = [name for name in manifest.faction_attributes if name not in faction.attributes]
        if missing:
            raise UserError(f"attribute {missing[0]!r} is missing", file=path, row=faction.name, field="factions")
    for field, names, known in (
        ("factions_dealt", manifest.factions_dealt, factions),
        ("lineup", manifest.lineup, strategies),
        ("checkpoints", manifest.checkpoints, manifest.measures),
        ("event_rounds", manifest.event_rounds, manifest.measures),
        ("circumstances", [entry.measure for entry in manifest.circumstances], manifest.measures),
        ("picks", [manifest.picks.start] if manifest.picks else [], manifest.score_parts),
    ):
        unknown = next((name for name in names if name not in known), None)
        if unknown is not None:
            raise UserError("the run has none of this name", file=path, field=field, found=unknown, allowed=known)


def check_games(manifest: Manifest, path: Path) -> None:
    """Check that the parts of a manifest hold the games of the run, each part once.

    Raises
    ------
    UserError
        They do not.
    """
    tallies = [(f"tally_shards.{name}", parts) for name, parts in manifest.tally_shards.items()]
    for field, parts in (("shards", manifest.shards), ("card_shards", manifest.card_shards), *tallies):
        files = [part.file for part in parts]
        if len(set(files)) < len(files):
            raise UserError("the same part is listed twice", file=path, field=field)
        played = sum(part.games for part in parts)
        if played != manifest.games and (parts or field == "shards"):
            message = f"the parts hold {played} games, but the run has {manifest.games}"
            raise UserError(message, file=path, field=field)
    players, rows = manifest.players, sum(part.rows for part in manifest.shards)
    if isinstance(players, int) and rows != manifest.games * players:
        message = f"the parts hold {rows} rows, but {manifest.games} games of {players} make another number"
        raise UserError(message, file=path, field="players", found=players)


def no_such_run(folder: Path) -> UserError:
    """Return the error that there is no such folder, naming the run beside it that is most likely meant.

    Who types a game's name where a run is wanted is told how to get a run.
    """
    # The names of the folders of game data: the games themselves would import much that reading a run does not need.
    if str(folder) in {path.name for path in (CONFIGS / "games").iterdir()}:
        message = "no such run folder: this is the name of a game"
        return UserError(message, file=folder, allowed=f"a run of it: empirelab simulate {folder} --out FOLDER")
    beside = [path.parent for path in sorted(folder.parent.glob(f"*/{MANIFEST}"))]
    near = nearest(folder.name, [run.name for run in beside])
    if near is not None:
        return UserError(f"no such run folder; did you mean {str(folder.parent / near)!r}?", file=folder)
    return UserError("no such run folder", file=folder, allowed=beside[:MOST_NAMED] or None)


def made_printable(content: Any, field: str = "") -> Any:
    """Return what a manifest says with all texts printable, but for those that are read again as they are."""
    if isinstance(content, dict):
        return {printable(name, lines=False): made_printable(value, name) for name, value in content.items()}
    if isinstance(content, list):
        return [made_printable(value, field) for value in content]
    if not isinstance(content, str) or field in AS_WRITTEN:
        return content
    return printable(content, lines=field == "note")


def read_manifest(folder: Path) -> dict[str, Any]:
    """Read the manifest of a finished run as it stands there, its fields unchecked.

    Raises
    ------
    UserError
        No such folder, an unfinished run, no manifest in it, not JSON, or JSON of another format.
    """
    if folder.is_file():
        raise UserError("this is a file, not the folder of a run", file=folder)
    if not folder.exists() and unfinished_at(folder) is not None:
        allowed = "the command that began it, which goes on with it"
        raise UserError("an unfinished run: it is being played or was interrupted", file=folder, allowed=allowed)
    if not folder.is_dir():
        raise no_such_run(folder)
    path = folder / MANIFEST
    if not path.is_file():
        message = f"not a finished run: there is no {MANIFEST} in this folder"
        below = [found.parent for found in sorted(folder.glob(f"*/{MANIFEST}"))[:MOST_NAMED]]
        raise UserError(message, file=folder, allowed=below or None)
    manifest: dict[str, Any] = made_printable(
        read_object(path, read_text(path, MAX_MANIFEST_BYTES), None, MAX_MANIFEST_BYTES)
    )
    found = manifest.get("format")
    if found != FORMAT:
        raise UserError("not a run manifest of this version", file=path, field="format", found=found, allowed=[FORMAT])
    return manifest
