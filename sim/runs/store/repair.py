"""Repairs a run: replays the parts that are damaged or missing."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from sim.data import disk
from sim.data.arguments import jobs_to_use
from sim.errors import UserError
from sim.players.batch import sources_digest
from sim.runs.replay import Train, manifest_plan, matching_count, replay_variants
from sim.runs.run import shard_games_of, warm_up
from sim.runs.shards import Group
from sim.runs.store.journal import Checkpoint, read_checkpoint
from sim.runs.store.manifest import PartEntry, PlannedRun, load_manifest, no_such_run
from sim.runs.store.parquet import COMPRESSION_LEVEL, parquet
from sim.runs.store.resume import replay_games, restore_checkpoint
from sim.runs.store.run_folder import claimed, unfinished_at
from sim.runs.store.verify import is_whole


def repair(
    folder: Path, *, jobs: int = -1, trust: bool = False, train: Train | None = None, say: Callable[[str], None]
) -> list[str]:
    """Replay damaged or missing parts of a run, finished or not, and put them in place; return their paths.

    Files that are not part of the run stay as they are. `trust` and `train` are as in `sim.runs.replay.manifest_plan`.
    Raise UserError if the run is missing, its manifest or plan is damaged, another process writes to it, it cannot be
    written, or its game, players or data have changed, so that its games cannot be replayed.
    """
    workers = jobs_to_use(jobs)
    target = folder.resolve()
    if folder.exists():
        load_manifest(folder)
    elif unfinished_at(target) is None:
        raise no_such_run(folder)
    try:
        with claimed(target):
            if folder.exists():
                return repair_whole(folder, workers, trust, train, say)
            unfinished = unfinished_at(target)
            saved = None if unfinished is None else read_checkpoint(unfinished)
            if saved is None:
                raise UserError("the plan of this unfinished run cannot be read", file=folder)
            return repair_unfinished(saved, workers, trust, train, say)
    except OSError as error:
        raise UserError(
            f"the run cannot be written: {error.strerror or error}", file=error.filename or folder
        ) from error


def repair_unfinished(
    saved: Checkpoint, workers: int, trust: bool, train: Train | None, say: Callable[[str], None]
) -> list[str]:
    """Repair an unfinished run whose lock the caller holds; return the paths of the parts that were damaged."""
    bad = [entry.file for entries in saved.parts.values() for entry in entries if not is_whole(saved.content, entry)]
    groups = damaged_groups(saved.folder, saved.plan.planned, trust, train)
    players = warm_up([group.plan for group in groups], say)
    restore_checkpoint(saved, groups, players, workers, shard_games_of(groups[0].plan), say)
    return bad


def repair_whole(folder: Path, workers: int, trust: bool, train: Train | None, say: Callable[[str], None]) -> list[str]:
    """Repair a finished run whose lock the caller holds; return the paths of the parts that were damaged."""
    manifest = load_manifest(folder)
    tables = [manifest.shards, manifest.piece_parts, *manifest.tally_shards.values()]
    bad = [(entry, first) for entries in tables for entry, first in with_first(entries) if not is_whole(folder, entry)]
    if bad:
        groups = damaged_groups(folder, manifest, trust, train)
        players = warm_up([group.plan for group in groups], say)
        for entry, first in bad:
            table, plan = entry.file.partition("/")[0], groups[0].plan
            frame = replay_games(table, first, entry.games, groups, players, workers, shard_games_of(plan))
            replace_part(folder, entry, parquet(frame, COMPRESSION_LEVEL), manifest.sources == sources_digest(plan))
    remove_half_written(folder, [entry for entries in tables for entry in entries])
    return [entry.file for entry, _ in bad]


def replace_part(folder: Path, entry: PartEntry, content: bytes, same_sources: bool) -> None:
    """Write a replayed part, if its checksum is that of the manifest; raise UserError if the checksums differ."""
    found = hashlib.sha256(content).hexdigest()
    if found != entry.sha256:
        changed = "the versions of packages or run.json have" if same_sources else "engine or players have"
        message = (
            f"this part cannot be repaired: a replay gives another result, because {changed} changed since the run"
        )
        raise UserError(message, file=folder / entry.file, field="sha256", found=found, allowed=entry.sha256)
    disk.make_folders((folder / entry.file).parent)
    disk.write_file_atomically(folder / entry.file, content)


def with_first(entries: Sequence[PartEntry]) -> Iterator[tuple[PartEntry, int]]:
    """Yield each part of a table together with the number of its first game."""
    first = 0
    for entry in entries:
        yield entry, first
        first += entry.games


def remove_half_written(folder: Path, entries: Sequence[PartEntry]) -> None:
    """Remove the temporary files of a repair that was killed."""
    for entry in entries:
        half = (folder / entry.file).with_suffix(".unfinished")
        if half.is_file():
            disk.remove(half)


def damaged_groups(folder: Path, planned: PlannedRun, trust: bool, train: Train | None) -> list[Group]:
    """Return the groups of a damaged run, rebuilt from its manifest or the plan of its checkpoint."""
    groups = []
    for count in planned.player_counts or [matching_count(folder, planned, 0)]:
        plan = replace(
            manifest_plan(folder, planned, count, trust=trust, train=train), keeps_pieces=planned.detail != "seats"
        )
        variants = replay_variants(planned)
        groups.append(Group(plan, count.games, count.first_game, count.first_block, count.first_deal, variants))
    return groups
