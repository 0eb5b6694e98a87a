"""The checkpoint of an unfinished run: its plan, a journal of completed part files, and buffered rows.

An unfinished folder (`sim.runs.store.run_folder`) holds these files next to `content`:

- `plan.json`: the plan;
- `parts.jsonl`: a journal, with an entry and a SHA-256 for each part on disk;
- `waiting/`: the buffered rows of games that do not fill a part yet, saved at intervals.

An entry is written after its file is on disk. So a file without an entry may be incomplete and is never used. A file
with an entry is used only if its SHA-256 matches.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Annotated, Any, Literal

import polars as pl
from pydantic import Field, ValidationError

from sim.data import disk
from sim.data.arguments import cut
from sim.data.declarations import Entry
from sim.data.files import lines_within, read_within
from sim.errors import UserError, truncate, written
from sim.runs.store.manifest import DIGEST_PATTERN, Games, PartEntry, PlannedRun, load_manifest, part_name
from sim.runs.store.run_folder import CONTENT, PLAN, target_of

JOURNAL, WAITING = "parts.jsonl", "waiting"
WAITING_PATTERN = rf"^{WAITING}/\w{{1,100}}-\d{{1,20}}\.parquet$"
MAX_DIFFERENCES = 3
"""Maximum number of differences between two plans that a message lists."""
SHOWN = 40
"""Approximate number of characters that a message shows of a differing value."""
REQUESTED = (
    "game", "variant", "players", "games", "seed", "assign", "detail", "lineup", "factions_dealt", "settings",
    "changes", "decks", "stretch", "rule",
)  # fmt: skip
"""Fields of a plan that contain the request. Most other fields follow from them."""
IGNORED = ("command", "format")
"""Fields that may differ between runs with the same bytes. The same holds for the version of Python. It also holds for
the path of a strategy's file: its weights and the digest of its code determine how the strategy plays."""


class CheckpointPlan(Entry):
    """The plan of a checkpoint: what is to be played.

    `planned` is the run as its manifest will describe it, with all games that may be played. `rule` is the attribute
    `record` of the stopping rule, before the first game (`sim.runs.run.StopRule`); None without a rule.
    """

    format: Literal["empirelab-plan/1"] = "empirelab-plan/1"
    planned: PlannedRun
    rule: dict[str, Any] | None = None
    part_games: dict[str, Games]
    started: str = ""


class BufferedFile(Entry):
    """The file of the buffered rows of a table."""

    file: str = Field(pattern=WAITING_PATTERN)
    rows: int = Field(ge=0, le=2**40)
    sha256: str = Field(pattern=DIGEST_PATTERN)


class BufferedRows(Entry):
    """The files of the rows that were buffered, by table, when `games` games had been played."""

    games: Games
    files: dict[str, BufferedFile]


class Spent(Entry):
    """Wall-clock seconds that a run has taken so far, summed over all processes that worked on it."""

    seconds: Annotated[float, Field(ge=0)] = 0.0
    playing: Annotated[float, Field(ge=0)] = 0.0
    writing: Annotated[float, Field(ge=0)] = 0.0


NOTHING_SPENT = Spent()


class JournalEntry(Entry):
    """One journal entry: a completed part file, or a save of the buffered rows."""

    part: PartEntry | None = None
    waiting: BufferedRows | None = None
    spent: Spent = NOTHING_SPENT


@dataclass(frozen=True)
class Checkpoint:
    """The saved state of an unfinished run.

    Attributes
    ----------
    parts
        Parts of each table, from the first one on.
    waiting
        The saved rows of the games that come after these parts; None if the run does not resume from such rows.
    games
        Game from which the run resumes. All tables hold the games before this one.
    """

    folder: Path
    plan: CheckpointPlan
    parts: Mapping[str, Sequence[PartEntry]] = field(default_factory=dict)
    waiting: BufferedRows | None = None
    games: int = 0
    spent: Spent = NOTHING_SPENT

    @property
    def content(self) -> Path:
        """The folder of the parts."""
        return self.folder / CONTENT


# ---- Plans ----


def read_plan(folder: Path) -> CheckpointPlan | None:
    """Read the plan of an unfinished folder; None if the plan is missing or of another version."""
    try:
        return plan_of_text(read_within(folder / PLAN))
    except OSError:
        return None


def plan_of_text(content: bytes) -> CheckpointPlan | None:
    """Parse the content of a plan file; None if it is of another version."""
    try:
        return CheckpointPlan.model_validate_json(content)
    except ValidationError:
        return None


def plan_text(plan: CheckpointPlan) -> bytes:
    """Return the content of a plan file."""
    return (plan.model_dump_json(indent=1) + "\n").encode()


def write_plan(folder: Path, plan: CheckpointPlan) -> None:
    """Write the plan of a run and an empty journal."""
    disk.make_folder(folder / WAITING)
    disk.write_file_atomically(folder / JOURNAL, b"")
    disk.write_file_atomically(folder / PLAN, plan_text(plan))


def can_resume(folder: Path, asked: CheckpointPlan, overwrite: bool) -> bool:
    """Tell whether a run of the plan `asked` can resume an unfinished folder.

    If not, the caller may remove the folder. Raise UserError if the folder has another plan, and `overwrite` is false.
    """
    there = read_plan(folder)
    if overwrite and (there is None or differences(there, asked)):
        return False
    check_same_plan(there, asked, target_of(folder), "another folder, or --overwrite to discard it")
    return True


def check_same_plan(there: CheckpointPlan | None, asked: CheckpointPlan, place: Path | str, allowed: str) -> None:
    """Check that an unfinished run has the requested plan.

    Parameters
    ----------
    there
        The plan of the unfinished run; None if it cannot be read.
    place, allowed
        For the message: the folder, and what is allowed instead.
    """
    found = ["its plan cannot be read"] if there is None else differences(there, asked)
    if found:
        message = f"an unfinished run of another plan is here: {some_of(found)}"
        raise UserError(message, file=place, allowed=allowed)


def differences(there: CheckpointPlan, asked: CheckpointPlan) -> list[str]:
    """List those differences between two plans that change the bytes of the run: 'seed 1 there, 2 asked for'."""
    return plans_differ(comparable(there), comparable(asked))


def plans_differ(
    there: Mapping[str, Any], asked: Mapping[str, Any], sides: tuple[str, str] = ("there", "asked for")
) -> list[str]:
    """List the differences between the requests of two plans. If the requests are equal, compare the whole plans."""
    chosen = [{name: plan.get(name) for name in REQUESTED} for plan in (there, asked)]
    return differing(chosen[0], chosen[1], sides) or differing(there, asked, sides)


def comparable(plan: CheckpointPlan) -> dict[str, Any]:
    """Return the fields that decide the bytes of a checkpoint's run, as JSON values. Equal runs have equal fields."""
    dumped = json.loads(plan.model_dump_json(include={"rule", "part_games"}))
    return described_plan(plan.planned) | dict(dumped)


def described_plan(planned: PlannedRun) -> dict[str, Any]:
    """Return the fields of a planned run, or of a manifest, that decide the bytes of the run, as JSON values."""
    found = json.loads(planned.model_dump_json(include=set(PlannedRun.model_fields)))
    found = {name: value for name, value in found.items() if name not in IGNORED}
    versions = {name: value for name, value in found["versions"].items() if name != "python"}
    strategies = [{name: value for name, value in row.items() if name != "source"} for row in found["strategies"]]
    return found | {"versions": versions, "strategies": strategies}


def has_finished_run(folder: Path, asked: CheckpointPlan) -> bool:
    """Tell whether a folder holds the finished run of the plan `asked`.

    Raise UserError if the folder holds a run of another plan, or its manifest is damaged.
    """
    if not folder.exists():
        return False
    there = asked.model_copy(update={"planned": load_manifest(folder)})
    found = differences(there, asked)
    if found:
        message = f"the run that is here has another plan: {some_of(found)}"
        raise UserError(message, file=folder, allowed="another folder, or --overwrite")
    return True


def some_of(differences: Sequence[str]) -> str:
    """Return a string that lists the first few differences between two plans."""
    more = f" and {len(differences) - MAX_DIFFERENCES} more" if len(differences) > MAX_DIFFERENCES else ""
    return "; ".join(differences[:MAX_DIFFERENCES]) + more


def differing(there: Any, asked: Any, sides: tuple[str, str] = ("there", "asked for"), place: str = "") -> list[str]:
    """List the differences of two JSON values as strings; `sides` are words for their origins, `place` the path."""
    if isinstance(there, Mapping) and isinstance(asked, Mapping):
        names = list(dict.fromkeys([*there, *asked]))
        return [
            text
            for name in names
            for text in differing(there.get(name), asked.get(name), sides, f"{place}.{name}" if place else name)
        ]
    if there == asked:
        return []
    if isinstance(there, list) and isinstance(asked, list) and len(there) == len(asked):
        return [
            text
            for number, (one, other) in enumerate(zip(there, asked, strict=True), start=1)
            for text in differing(one, other, sides, f"{place}.{number}")
        ]
    if isinstance(there, list) and isinstance(asked, list):
        return [f"{place} {lists_differ(there, asked, sides)}"]
    said = [f"{truncate(written(value), SHOWN)} {side}" for value, side in zip((there, asked), sides, strict=True)]
    return [f"{place} {', '.join(said)}"]


def lists_differ(there: list[Any], asked: list[Any], sides: tuple[str, str]) -> str:
    """Describe how lists of different lengths differ; of long lists, only the items that one of them lacks."""
    lists = [[row.get("name", row) if isinstance(row, dict) else row for row in rows] for rows in (there, asked)]
    if max(len(written(rows)) for rows in lists) <= SHOWN:
        return ", ".join(f"{written(rows)} {side}" for rows, side in zip(lists, sides, strict=True))
    only = [[row for row in rows if row not in other] for rows, other in (lists, lists[::-1])]
    said = [f"also {truncate(written(rows), SHOWN)} {side}" for rows, side in zip(only, sides, strict=True) if rows]
    lengths = ", ".join(f"{len(rows)} entries {side}" for rows, side in zip(lists, sides, strict=True))
    return ", ".join(said) or lengths


# ---- The journal ----


def read_checkpoint(folder: Path) -> Checkpoint | None:
    """Read the checkpoint of an unfinished folder without checking the bytes of parts; None if there is no plan."""
    plan = read_plan(folder)
    if plan is None:
        return None
    lines = read_journal(folder)
    listed = {line.part.file: line.part for line in lines if line.part is not None}
    parts: dict[str, list[PartEntry]] = {}
    for table in plan.part_games:
        parts[table] = []
        for number, (_, games) in enumerate(cut(plan.planned.games, plan.part_games[table])):
            entry = listed.get(part_name(table, number))
            if entry is None or entry.games != games:  # the last part is smaller if a rule stopped the run
                break
            parts[table].append(entry)
    waiting = [line.waiting for line in lines if line.waiting is not None and set(line.waiting.files) == set(parts)]
    spent = Spent(
        **{name: max([getattr(line.spent, name) for line in lines], default=0.0) for name in Spent.model_fields}
    )
    return at_last_consistent_game(Checkpoint(folder, plan, parts, waiting[-1] if waiting else None, 0, spent))


def read_journal(folder: Path) -> list[JournalEntry]:
    """Read the entries of a journal; an incomplete line is skipped."""
    lines = []
    with suppress(OSError):
        for text in lines_within(folder / JOURNAL):
            with suppress(ValidationError):
                lines.append(JournalEntry.model_validate_json(text))
    return lines


def at_last_consistent_game(saved: Checkpoint) -> Checkpoint:
    """Return the checkpoint cut back to the last game up to which the rows of all tables are saved.

    The rows may be in parts or buffered. Parts with later games are left out.
    """
    plan, total = saved.plan, saved.plan.planned.games
    ends = {
        min(number * plan.part_games[table], total)
        for table, parts in saved.parts.items()
        for number in range(len(parts) + 1)
    }
    best = Checkpoint(saved.folder, plan, {table: [] for table in saved.parts}, None, 0, saved.spent)
    for games in ends:
        numbers = {table: -(-games // size) for table, size in plan.part_games.items()}
        full = games == total or all(games % size == 0 for size in plan.part_games.values())
        if full and games > best.games and has_parts(saved, numbers):
            best = with_parts(saved, numbers, games)
    if saved.waiting is not None and saved.waiting.games > best.games:
        numbers = {table: saved.waiting.games // size for table, size in plan.part_games.items()}
        if has_parts(saved, numbers):
            return replace(with_parts(saved, numbers, saved.waiting.games), waiting=saved.waiting)
    return best


def has_parts(saved: Checkpoint, numbers: Mapping[str, int]) -> bool:
    """Tell whether each table has at least this number of saved parts."""
    return all(number <= len(saved.parts[table]) for table, number in numbers.items())


def with_parts(saved: Checkpoint, numbers: Mapping[str, int], games: int) -> Checkpoint:
    """Return the checkpoint with only the first `numbers` parts of each table, and without buffered rows."""
    parts = {table: saved.parts[table][:number] for table, number in numbers.items()}
    return replace(saved, parts=parts, waiting=None, games=games)


def without_buffered(saved: Checkpoint) -> Checkpoint:
    """Return the checkpoint without its buffered rows; needed when these are damaged."""
    return at_last_consistent_game(replace(saved, waiting=None, games=0))


def append_entry(folder: Path, line: JournalEntry) -> None:
    """Append an entry to the journal, and sync the journal to disk."""
    disk.append(folder / JOURNAL, (line.model_dump_json() + "\n").encode())
    disk.sync(folder / JOURNAL)


def trim_to(saved: Checkpoint) -> None:
    """Rewrite the journal so that it has only the entries of a checkpoint; remove files that have no entry."""
    lines = [JournalEntry(part=entry, spent=saved.spent) for entries in saved.parts.values() for entry in entries]
    if saved.waiting is not None:
        lines.append(JournalEntry(waiting=saved.waiting, spent=saved.spent))
    content = "".join(line.model_dump_json() + "\n" for line in lines).encode()
    if not (saved.folder / JOURNAL).is_file() or (saved.folder / JOURNAL).read_bytes() != content:
        disk.write_file_atomically(saved.folder / JOURNAL, content)
    own = {saved.folder / PLAN, saved.folder / JOURNAL, saved.folder / WAITING, saved.content}
    own |= {saved.content / table for table in saved.parts}
    own |= {saved.content / entry.file for entries in saved.parts.values() for entry in entries}
    if saved.waiting is not None:
        own |= {saved.folder / entry.file for entry in saved.waiting.files.values()}
    for home in (
        saved.folder,
        saved.folder / WAITING,
        saved.content,
        *(saved.content / table for table in saved.parts),
    ):
        for path in sorted(home.iterdir()) if home.is_dir() else ():
            if path not in own:
                disk.remove_tree(path)
    if not (saved.folder / WAITING).is_dir():
        disk.make_folder(saved.folder / WAITING)


# ---- Buffered rows ----


def write_buffered(
    folder: Path, games: int, frames: Mapping[str, tuple[pl.DataFrame, bytes]], spent: Spent
) -> BufferedRows:
    """Write the rows of all tables that are buffered after `games` games, and add an entry to the journal.

    `frames` has the rows of each table, as a frame and as the content of the table's file.
    """
    files = {}
    for table, (frame, content) in frames.items():
        name = f"{WAITING}/{table}-{games}.parquet"
        disk.write(folder / name, content)
        disk.sync(folder / name)
        files[table] = BufferedFile(file=name, rows=frame.height, sha256=hashlib.sha256(content).hexdigest())
    disk.sync_folder(folder / WAITING)
    waiting = BufferedRows(games=games, files=files)
    append_entry(folder, JournalEntry(waiting=waiting, spent=spent))
    return waiting


def remove_buffered(folder: Path, waiting: BufferedRows) -> None:
    """Remove the files of buffered rows, after newer rows have been saved."""
    for entry in waiting.files.values():
        disk.remove(folder / entry.file)


def read_buffered(folder: Path, waiting: BufferedRows) -> dict[str, pl.DataFrame] | None:
    """Read the buffered rows of each table; None if a file is missing or was modified."""
    frames = {}
    for table, entry in waiting.files.items():
        try:
            content = (folder / entry.file).read_bytes()
            if hashlib.sha256(content).hexdigest() != entry.sha256:
                return None
            frames[table] = pl.read_parquet(content)
        except (OSError, pl.exceptions.PolarsError):
            return None
    return frames
