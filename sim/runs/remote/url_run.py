"""Runs at a URL: workers of a cluster play portions and write their parts there. The manifest is written last.

A portion is a number of consecutive games that fill whole part files of every table. Until the manifest is written,
`unfinished/` contains the plan and a note on each completed portion. From these the same command resumes the run. No
lock is needed: two processes with the same plan write the same bytes, and another plan is refused.
"""

from __future__ import annotations

import hashlib
import time
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import polars as pl
from pydantic import Field, ValidationError

from sim.data import disk
from sim.data.arguments import cut
from sim.data.declarations import Entry
from sim.data.files import MANIFEST, MAX_MANIFEST_BYTES, MAX_PART_BYTES, is_url
from sim.errors import OutageError, UserError, is_outage
from sim.players.batch import Plan
from sim.runs.config import RunRequest
from sim.runs.remote.object_store import put_new, put_object, read, remove_object, sizes
from sim.runs.run import Report, Summary, finished_manifest, mean_scores, no_message, plan_of_run, shard_games_of
from sim.runs.shards import Group, groups_to_play, play_shard, shards_of
from sim.runs.store.journal import CheckpointPlan, Spent, check_same_plan, plan_of_text, plan_text
from sim.runs.store.manifest import SEAT_TABLE, Games, Manifest, PartEntry, load_manifest, manifest_text
from sim.runs.store.parquet import Parts, check_out, check_run_folder, part_path
from sim.runs.store.resume import add_scores
from sim.runs.store.run_folder import atomic_folder
from sim.runs.store.verify import verified_parts

UNFINISHED = "unfinished/"
"""Folder at the URL of an unfinished run, with the plan and the notes on completed portions."""
PLAN = f"{UNFINISHED}plan.json"
ANOTHER = "another URL; or remove what is there with the tools of the store"


class Portion(Entry):
    """Games that are played and written together, and their results.

    Attributes
    ----------
    parts, sizes
        Parts of each table, and the size of each part in bytes.
    scores
        For each strategy, the sum of its scores and the number of its seats.
    """

    first: Annotated[int, Field(ge=0)]
    games: Games
    parts: dict[str, list[PartEntry]]
    sizes: dict[str, int]
    scores: list[tuple[float, float]]


Write = Callable[[str, Mapping[str, int], Sequence[tuple[int, int]]], Generator[Portion]]
"""Function that lets workers play portions and write them to a URL. Its arguments are the URL, the number of games in a
part of each table, and the first game and number of games of each portion."""


# ---- At a worker ----


def write_portion(
    groups: Sequence[Group], players: Sequence[Any], url: str, part_games: Mapping[str, int], first: int, games: int
) -> Portion:
    """Play a portion, write its parts to a URL, then write a note that lists the parts.

    `part_games` is the number of games in a part of each table. Raise OutageError if the store refuses the
    files. Raise UserError if a strategy fails.
    """
    plan = groups[0].plan
    written: dict[str, int] = {}
    store = partial(put_part, url, written)
    tables = [Parts(store, groups, table, size, first // size) for table, size in part_games.items()]
    scores = np.zeros((len(plan.strategies), 2))
    for shard in shards_of(groups, players, shard_games_of(plan), first, first + games):
        found = play_shard(shard)
        for part, rows in zip(tables, found, strict=False):
            part.add(rows, shard.count)
        add_scores(scores, found[0])
    for part in tables:
        part.flush()
    parts = {part.table: part.entries for part in tables}
    totals = [(total, seats) for total, seats in scores.tolist()]
    done = Portion(first=first, games=games, parts=parts, sizes=written, scores=totals)
    put_object(url, f"{UNFINISHED}portion-{first:010d}.json", done.model_dump_json().encode())
    return done


def put_part(url: str, written: dict[str, int], table: str, number: int, frame: pl.DataFrame, games: int) -> PartEntry:
    """Write a part to a URL, record its size in `written`, and return its entry in the manifest."""
    entry, content = part_path(table, number, frame, games)
    put_object(url, entry.file, content)
    written[entry.file] = len(content)
    return entry


# ---- In the process that requests the run ----


def play_run_at_url(
    plans: Sequence[Plan],
    request: RunRequest,
    write: Write,
    *,
    say: Callable[[str], None] = no_message,
    report: Report = lambda games: None,
) -> Summary:
    """Let workers play all games of a run and write them to its URL; resume an unfinished run of the same plan.

    `write` lets workers play and write portions (`sim.runs.remote.cluster.Cluster.write`). `say` and `report` are as in
    `play_run`. Raise UserError if something else is at the URL, the store fails, or a strategy fails. Written parts
    stay; after an outage the same command resumes the run. Raise KeyboardInterrupt if the run was interrupted; the
    error says what is saved.
    """
    url, command = str(request.out), request.command
    groups, taken = groups_to_play(plans, request.config.games, request.stretch)
    clock, started = time.perf_counter(), datetime.now(UTC).isoformat(timespec="seconds")
    plan, portions = begin_remote_run(url, plan_of_run(groups, command, taken, started=started))
    games = plan.planned.games
    if portions:
        say(f"resuming: {played(portions):,} of {games:,} games already played")
        report(played(portions))
    todo = [piece for piece in cut(games, max(plan.part_games.values())) if piece[0] not in portions]
    with kept(portions, games), closing(write(url, plan.part_games, todo)) as found:
        for portion in found:
            portions[portion.first] = portion
            report(portion.games)
    seconds = round(time.perf_counter() - clock, 3)
    in_order = [portions[first] for first in sorted(portions)]
    check_there(url, in_order)
    parts = {table: [entry for portion in in_order for entry in portion.parts[table]] for table in plan.part_games}
    spent = Spent(seconds=seconds, playing=seconds)
    manifest = finished_manifest(groups, parts, plan.started, spent, 0, command, taken, None, request.label)
    put_object(url, MANIFEST, manifest_text(manifest))
    cleanup_remote(url)
    totals = np.sum([portion.scores for portion in in_order], axis=0)
    means = mean_scores(groups[0].plan, totals)
    rows = sum(entry.rows for entry in parts[SEAT_TABLE])
    return Summary(url, games, rows, seconds, 0.0, sum(sizes(url).values()), means)


def begin_remote_run(url: str, asked: CheckpointPlan) -> tuple[CheckpointPlan, dict[int, Portion]]:
    """Write the plan of a run to a URL; return the plan, and the completed portions by first game.

    If the URL already has this plan, the portions are read from there. Raise UserError if a finished run, a run of
    another plan or anything else is already there, or the store failed.
    """
    there = sizes(url)
    if MANIFEST in there:
        cleanup_remote(url)
        raise UserError("a run is already there", file=url, allowed=ANOTHER)
    if there and PLAN not in there:
        found = sorted(there)[0]
        raise UserError("something other than a run is there", file=url, found=found, allowed=ANOTHER)
    if put_new(url, PLAN, plan_text(asked)):
        return asked, {}
    plan = plan_of_text(read(url, PLAN) or b"")
    check_same_plan(plan, asked, url, ANOTHER)
    assert plan is not None, "the plan cannot be read"
    return plan, portions_at(url, there)


def portions_at(url: str, there: Mapping[str, int]) -> dict[int, Portion]:
    """Read the notes on completed portions; return the portions by their first games.

    Portions are left out if their note is damaged, or if a part is missing or has another size.

    Parameters
    ----------
    there
        Sizes in bytes of all files at the URL.
    """
    notes = [read_portion(url, name) for name in sorted(there) if name.startswith(UNFINISHED) and name != PLAN]
    return {note.first: note for note in notes if note is not None and note.sizes.items() <= there.items()}


def read_portion(url: str, name: str) -> Portion | None:
    """Read the note on a portion; return None if the file is not such a note."""
    try:
        return Portion.model_validate_json(read(url, name) or b"")
    except ValidationError:
        return None


def check_there(url: str, portions: Sequence[Portion]) -> None:
    """Check that all parts of these portions are at a URL and have the recorded sizes."""
    there = sizes(url)
    for portion in portions:
        for name, size in portion.sizes.items():
            if there.get(name) != size:
                message = "a part that a worker wrote is missing; run the same command to play it again"
                raise OutageError(message, file=url, found=name)


def cleanup_remote(url: str) -> None:
    """Remove the notes on the portions of a finished run, then its plan."""
    notes = sorted(name for name in sizes(url) if name.startswith(UNFINISHED) and name != PLAN)
    remove_object(url, [*notes, PLAN])


def played(portions: Mapping[int, Portion]) -> int:
    """Return the total number of games of these portions."""
    return sum(portion.games for portion in portions.values())


@contextmanager
def kept(portions: Mapping[int, Portion], games: int) -> Iterator[None]:
    """In a `with` block: if an error stops the run, add to its message how many of its `games` games are saved."""
    try:
        yield
    except BaseException as error:
        words = "no game is saved, only the plan of this run"
        if portions:
            words = f"{played(portions):,} of {games:,} games saved; run the same command to resume"
        if isinstance(error, KeyboardInterrupt):
            raise KeyboardInterrupt(words) from error
        if isinstance(error, UserError):
            more = words if is_outage(error) else "the files written so far remain; remove them yourself"
            raise UserError(f"{error}; {more}") from error
        raise


# ---- Fetching ----


def fetch_run(url: str, out: Path, *, overwrite: bool = False, report: Report = lambda games: None) -> Manifest:
    """Copy a finished run from a URL into a folder, and verify every part by its SHA-256.

    Raise UserError if there is no finished run at the URL, a part is missing or damaged, the store fails, or the folder
    cannot be written.
    """
    if not is_url(url):
        raise UserError("this is not a URL", field="URL", found=url, allowed="such as s3://bucket/run")
    check_out(out, overwrite)
    content = read(url, MANIFEST, MAX_MANIFEST_BYTES)
    if content is None:
        there = sizes(url)
        games = played(portions_at(url, there))
        message = f"an unfinished run is there, with {games:,} games so far" if PLAN in there else "no run is there"
        raise UserError(message, file=url, allowed="a finished run")
    with atomic_folder(out, partial(check_run_folder, out, overwrite)) as folder:
        disk.write(folder / MANIFEST, content)
        manifest = load_manifest(folder)
        entries = [*manifest.shards, *manifest.piece_parts, *(e for own in manifest.tally_shards.values() for e in own)]
        for entry in entries:
            target = folder / entry.file
            if not target.parent.is_dir():
                disk.make_folder(target.parent)
            found = read(url, entry.file, MAX_PART_BYTES)
            if found is None:
                raise UserError("this part of the run is missing", file=f"{url}/{entry.file}")
            if hashlib.sha256(found).hexdigest() != entry.sha256:
                message = "checksum mismatch: the part file was modified or is corrupt"
                raise UserError(message, file=f"{url}/{entry.file}")
            disk.write(target, found)
            report(entry.games if entry in manifest.shards else 0)
        verified_parts(folder, entries)
    return manifest
