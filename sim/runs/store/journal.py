"""What an unfinished run notes to be gone on with: its plan first, then every part and, now and then, what waits.

Beside the `content` of an unfinished folder (`sim.runs.store.run_folder`) lie `plan.json`; `parts.jsonl`, a journal
with a line for each part that is on the disk, with its SHA-256; and `waiting/`, the rows of games that do not fill a
part yet. A line of the journal is written when what it tells of is on the disk, so what no line tells of may be
half-written and is never used. What a line tells of is used only if its bytes have the SHA-256 of the line.
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
from sim.data.files import lines_within, read_within
from sim.errors import UserError, in_short, written
from sim.runs.groups import cut
from sim.runs.store.manifest import DIGEST_PATTERN, Entry, Games, PartEntry, PlannedRun, load_manifest, part_name
from sim.runs.store.run_folder import CONTENT, PLAN, target_of

JOURNAL, WAITING = "parts.jsonl", "waiting"
WAITING_PATTERN = rf"^{WAITING}/\w{{1,100}}-\d{{1,20}}\.parquet$"
MOST_DIFFERENCES = 3
"""Differences of two plans that a message names at most."""
SHOWN = 40
"""Letters of a value that a difference shows, about."""
ASKED = (
    "game",
    "variant",
    "players",
    "games",
    "seed",
    "assign",
    "detail",
    "lineup",
    "factions_dealt",
    "settings",
    "changes",
    "decks",
    "stretch",
    "rule",
)
"""Fields of a plan that say what was asked for; most others follow from them."""
PASSED_OVER = ("command", "format")
"""What of a plan may differ in runs of the same bytes; of the versions, that of Python too, and of a strategy its file:
its weights, and the digest of its code, say what it plays."""


class UnfinishedPlan(Entry):
    """What is to be played.

    Attributes
    ----------
    planned
        The run as its manifest will describe it, with all games that may be played.
    rule
        What a rule that may end the run early says of itself before the first game; None without one.
    part_games
        Games in a part of each table.
    started
        When it began.
    """

    format: Literal["empirelab-plan/1"] = "empirelab-plan/1"
    planned: PlannedRun
    rule: dict[str, Any] | None = None
    part_games: dict[str, Games]
    started: str = ""


class WaitingFile(Entry):
    """Rows of a table that do not fill a part yet."""

    file: str = Field(pattern=WAITING_PATTERN)
    rows: int = Field(ge=0, le=2**40)
    sha256: str = Field(pattern=DIGEST_PATTERN)


class Waiting(Entry):
    """The rows that waited when so many games had been played, by table."""

    games: Games
    files: dict[str, WaitingFile]


class Spent(Entry):
    """Wall-clock seconds that a run has taken so far, in all its sessions; see `sim.runs.store.manifest.Manifest`."""

    seconds: Annotated[float, Field(ge=0)] = 0.0
    playing: Annotated[float, Field(ge=0)] = 0.0
    writing: Annotated[float, Field(ge=0)] = 0.0


NOTHING_SPENT = Spent()


class Line(Entry):
    """A line of the journal: a part, or what waits."""

    part: PartEntry | None = None
    waiting: Waiting | None = None
    spent: Spent = NOTHING_SPENT


@dataclass(frozen=True)
class Kept:
    """What is there of an unfinished run.

    Attributes
    ----------
    folder
        The unfinished folder.
    parts
        Parts of each table, from the first one on.
    waiting
        Rows behind these parts, if any are to be used.
    games
        Games to go on from: all tables hold those before.
    """

    folder: Path
    plan: UnfinishedPlan
    parts: Mapping[str, Sequence[PartEntry]] = field(default_factory=dict)
    waiting: Waiting | None = None
    games: int = 0
    spent: Spent = NOTHING_SPENT

    @property
    def content(self) -> Path:
        """The folder of the parts."""
        return self.folder / CONTENT


# ---- Plans ----


def read_plan(folder: Path) -> UnfinishedPlan | None:
    """Read the plan of an unfinished folder; None where there is none that this version understands."""
    try:
        return plan_of_text(read_within(folder / PLAN))
    except OSError:
        return None


def plan_of_text(content: bytes) -> UnfinishedPlan | None:
    """Read the content of a plan's file; None where this version does not understand it."""
    try:
        return UnfinishedPlan.model_validate_json(content)
    except ValidationError:
        return None


def plan_text(plan: UnfinishedPlan) -> bytes:
    """Return a plan as the content of its file."""
    return (plan.model_dump_json(indent=1) + "\n").encode()


def write_plan(folder: Path, plan: UnfinishedPlan) -> None:
    """Write the plan of a run, and its journal without a line."""
    disk.make_folder(folder / WAITING)
    disk.write_whole(folder / JOURNAL, b"")
    disk.write_whole(folder / PLAN, plan_text(plan))


def goes_on(folder: Path, asked: UnfinishedPlan, overwrite: bool) -> bool:
    """Tell whether a run goes on with an unfinished folder; if not, the folder may be removed.

    Raises
    ------
    UserError
        The folder has another plan, and is not to be overwritten.
    """
    there = read_plan(folder)
    if overwrite and (there is None or differences(there, asked)):
        return False
    check_same_plan(there, asked, target_of(folder), "another folder, or --overwrite to drop it")
    return True


def check_same_plan(there: UnfinishedPlan | None, asked: UnfinishedPlan, place: Path | str, allowed: str) -> None:
    """Check that an unfinished run has the plan that is asked for.

    Parameters
    ----------
    there
        Its plan; None where it cannot be read.
    place, allowed
        Where it lies, and what would do instead.

    Raises
    ------
    UserError
        It has another.
    """
    found = ["its plan cannot be read"] if there is None else differences(there, asked)
    if found:
        message = f"an unfinished run of another plan lies here: {some_of(found)}"
        raise UserError(message, file=place, allowed=allowed)


def differences(there: UnfinishedPlan, asked: UnfinishedPlan) -> list[str]:
    """Say what differs between two plans that would give other bytes: 'seed 1 there, 2 asked for'."""
    return plans_differ(comparable(there), comparable(asked))


def plans_differ(
    there: Mapping[str, Any], asked: Mapping[str, Any], sides: tuple[str, str] = ("there", "asked for")
) -> list[str]:
    """Say what differs between two plans: what was asked for otherwise, and only where nothing was, what follows."""
    chosen = [{name: plan.get(name) for name in ASKED} for plan in (there, asked)]
    return differing(chosen[0], chosen[1], sides) or differing(there, asked, sides)


def comparable(plan: UnfinishedPlan) -> dict[str, Any]:
    """What of a plan decides the bytes of its run, as JSON has it."""
    dumped = json.loads(plan.model_dump_json(include={"rule", "part_games"}))
    return described(plan.planned) | dict(dumped)


def described(planned: PlannedRun) -> dict[str, Any]:
    """What of a planned run, or of the manifest of a played one, decides its bytes, as JSON has it."""
    found = json.loads(planned.model_dump_json(include=set(PlannedRun.model_fields)))
    found = {name: value for name, value in found.items() if name not in PASSED_OVER}
    versions = {name: value for name, value in found["versions"].items() if name != "python"}
    strategies = [{name: value for name, value in row.items() if name != "source"} for row in found["strategies"]]
    return found | {"versions": versions, "strategies": strategies}


def is_played(folder: Path, asked: UnfinishedPlan) -> bool:
    """Tell whether the run of a plan lies finished in a folder.

    Raises
    ------
    UserError
        A run of another plan does, or its manifest is damaged.
    """
    if not folder.exists():
        return False
    there = asked.model_copy(update={"planned": load_manifest(folder)})
    found = differences(there, asked)
    if found:
        message = f"the run that lies here is of another plan: {some_of(found)}"
        raise UserError(message, file=folder, allowed="another folder, or --overwrite")
    return True


def some_of(differences: Sequence[str]) -> str:
    """Name a few of the differences between two plans."""
    more = f" and {len(differences) - MOST_DIFFERENCES} more" if len(differences) > MOST_DIFFERENCES else ""
    return "; ".join(differences[:MOST_DIFFERENCES]) + more


def differing(there: Any, asked: Any, sides: tuple[str, str] = ("there", "asked for"), place: str = "") -> list[str]:
    """Where two JSON values differ, each place in words, with a word for either side."""
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
    said = [f"{in_short(written(value), SHOWN)} {side}" for value, side in zip((there, asked), sides, strict=True)]
    return [f"{place} {', '.join(said)}"]


def lists_differ(there: list[Any], asked: list[Any], sides: tuple[str, str]) -> str:
    """Say how lists of unlike lengths differ; of long ones only what the other has not: cut, they would look alike."""
    lists = [[row.get("name", row) if isinstance(row, dict) else row for row in rows] for rows in (there, asked)]
    if max(len(written(rows)) for rows in lists) <= SHOWN:
        return ", ".join(f"{written(rows)} {side}" for rows, side in zip(lists, sides, strict=True))
    only = [[row for row in rows if row not in other] for rows, other in (lists, lists[::-1])]
    said = [f"also {in_short(written(rows), SHOWN)} {side}" for rows, side in zip(only, sides, strict=True) if rows]
    lengths = ", ".join(f"{len(rows)} entries {side}" for rows, side in zip(lists, sides, strict=True))
    return ", ".join(said) or lengths


# ---- The journal ----


def read_kept(folder: Path) -> Kept | None:
    """Read what the journal of an unfinished folder tells; None where there is no plan. Bytes are not looked at."""
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
            if entry is None or entry.games != games:  # a rule that ends a run makes its last parts smaller
                break
            parts[table].append(entry)
    waiting = [line.waiting for line in lines if line.waiting is not None and set(line.waiting.files) == set(parts)]
    spent = Spent(
        **{name: max([getattr(line.spent, name) for line in lines], default=0.0) for name in Spent.model_fields}
    )
    return chosen(Kept(folder, plan, parts, waiting[-1] if waiting else None, 0, spent))


def read_journal(folder: Path) -> list[Line]:
    """Read the lines of a journal; one that was torn as it was written is passed over."""
    lines = []
    with suppress(OSError):
        for text in lines_within(folder / JOURNAL):
            with suppress(ValidationError):
                lines.append(Line.model_validate_json(text))
    return lines


def chosen(kept: Kept) -> Kept:
    """Choose from where a run goes on: from the last game up to which whole parts hold all tables, or what waits."""
    plan, total = kept.plan, kept.plan.planned.games
    ends = {
        min(number * plan.part_games[table], total)
        for table, parts in kept.parts.items()
        for number in range(len(parts) + 1)
    }
    best = Kept(kept.folder, plan, {table: [] for table in kept.parts}, None, 0, kept.spent)
    for games in ends:
        numbers = {table: -(-games // size) for table, size in plan.part_games.items()}
        full = games == total or all(games % size == 0 for size in plan.part_games.values())
        if full and games > best.games and has_parts(kept, numbers):
            best = with_parts(kept, numbers, games)
    if kept.waiting is not None and kept.waiting.games > best.games:
        numbers = {table: kept.waiting.games // size for table, size in plan.part_games.items()}
        if has_parts(kept, numbers):
            return replace(with_parts(kept, numbers, kept.waiting.games), waiting=kept.waiting)
    return best


def has_parts(kept: Kept, numbers: Mapping[str, int]) -> bool:
    """Whether so many parts of each table are there."""
    return all(number <= len(kept.parts[table]) for table, number in numbers.items())


def with_parts(kept: Kept, numbers: Mapping[str, int], games: int) -> Kept:
    """What is kept without the parts of each table behind so many, and without what waits."""
    parts = {table: kept.parts[table][:number] for table, number in numbers.items()}
    return replace(kept, parts=parts, waiting=None, games=games)


def without_waiting(kept: Kept) -> Kept:
    """What is kept where the rows that wait cannot be used."""
    return chosen(replace(kept, waiting=None, games=0))


def note(folder: Path, line: Line) -> None:
    """Write a line behind the journal, and wait until it is on the disk."""
    disk.append(folder / JOURNAL, (line.model_dump_json() + "\n").encode())
    disk.sync(folder / JOURNAL)


def restore(kept: Kept) -> None:
    """Make a journal tell what is kept and no more, then remove what it does not tell of."""
    lines = [Line(part=entry, spent=kept.spent) for entries in kept.parts.values() for entry in entries]
    if kept.waiting is not None:
        lines.append(Line(waiting=kept.waiting, spent=kept.spent))
    content = "".join(line.model_dump_json() + "\n" for line in lines).encode()
    if not (kept.folder / JOURNAL).is_file() or (kept.folder / JOURNAL).read_bytes() != content:
        disk.write_whole(kept.folder / JOURNAL, content)
    own = {kept.folder / PLAN, kept.folder / JOURNAL, kept.folder / WAITING, kept.content}
    own |= {kept.content / table for table in kept.parts}
    own |= {kept.content / entry.file for entries in kept.parts.values() for entry in entries}
    if kept.waiting is not None:
        own |= {kept.folder / entry.file for entry in kept.waiting.files.values()}
    for home in (kept.folder, kept.folder / WAITING, kept.content, *(kept.content / table for table in kept.parts)):
        for path in sorted(home.iterdir()) if home.is_dir() else ():
            if path not in own:
                disk.remove_tree(path)
    if not (kept.folder / WAITING).is_dir():
        disk.make_folder(kept.folder / WAITING)


# ---- Rows that wait ----


def write_waiting(folder: Path, games: int, frames: Mapping[str, tuple[pl.DataFrame, bytes]], spent: Spent) -> Waiting:
    """Write the rows of all tables that fill no part, of a run of which so many games have been played.

    Parameters
    ----------
    frames
        Rows of each table, and the same as the content of a file.
    """
    files = {}
    for table, (frame, content) in frames.items():
        name = f"{WAITING}/{table}-{games}.parquet"
        disk.write(folder / name, content)
        disk.sync(folder / name)
        files[table] = WaitingFile(file=name, rows=frame.height, sha256=hashlib.sha256(content).hexdigest())
    disk.sync_folder(folder / WAITING)
    waiting = Waiting(games=games, files=files)
    note(folder, Line(waiting=waiting, spent=spent))
    return waiting


def drop_waiting(folder: Path, waiting: Waiting) -> None:
    """Remove rows that wait no longer; the journal tells of newer ones."""
    for entry in waiting.files.values():
        disk.remove(folder / entry.file)


def read_waiting(folder: Path, waiting: Waiting) -> dict[str, pl.DataFrame] | None:
    """Read the rows that wait, by table; None where a file is not as it was written."""
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
