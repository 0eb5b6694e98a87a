"""Parts of a run that are damaged, played again."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from sim.data import disk
from sim.errors import UserError
from sim.players.batch import sources_digest
from sim.runs.groups import Group
from sim.runs.replay import count_of, plan_of, variants_of
from sim.runs.run import jobs_to_use, shard_games_of, warm_up
from sim.runs.store.journal import Kept, read_kept
from sim.runs.store.manifest import PartEntry, PlannedRun, load_manifest, no_such_run
from sim.runs.store.parquet import COMPRESSION_LEVEL, parquet
from sim.runs.store.resume import played_again, restored
from sim.runs.store.run_folder import claimed, unfinished_at
from sim.runs.store.table_writer import tables_of
from sim.runs.store.verify import is_whole


def repair(folder: Path, *, jobs: int = -1, trust: bool = False, say: Callable[[str], None]) -> list[str]:
    """Play again what is damaged or missing of a run, finished or not, and put it in its place.

    Whatever is not the run's own stays as it is.

    Parameters
    ----------
    trust
        Whether Python files that the manifest names may be run, see `sim.runs.replay.replay`.
    say
        Told what is being prepared.

    Returns
    -------
    The parts that were played again.

    Raises
    ------
    UserError
        There is no run, its manifest or plan is damaged, another process writes to it, it cannot be written, or what it
        was played with has changed, so that its games cannot be played again.
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
                return repair_whole(folder, workers, trust, say)
            unfinished = unfinished_at(target)
            kept = None if unfinished is None else read_kept(unfinished)
            if kept is None:
                raise UserError("the plan of this unfinished run cannot be read", file=folder)
            return repair_unfinished(kept, workers, trust, say)
    except OSError as error:
        raise UserError(
            f"the run cannot be written: {error.strerror or error}", file=error.filename or folder
        ) from error


def repair_unfinished(kept: Kept, workers: int, trust: bool, say: Callable[[str], None]) -> list[str]:
    """Repair the parts of an unfinished run; its folder is claimed."""
    bad = [entry.file for entries in kept.parts.values() for entry in entries if not is_whole(kept.content, entry)]
    groups = groups_of(kept.folder, kept.plan.planned, trust)
    players = warm_up([group.plan for group in groups], say)
    restored(kept, groups, players, workers, shard_games_of(groups[0].plan), say)
    return bad


def repair_whole(folder: Path, workers: int, trust: bool, say: Callable[[str], None]) -> list[str]:
    """Repair the parts of a finished run; its folder is claimed."""
    manifest = load_manifest(folder)
    tables = [manifest.shards, manifest.card_shards, *manifest.tally_shards.values()]
    bad = [(entry, first) for entries in tables for entry, first in with_first(entries) if not is_whole(folder, entry)]
    if bad:
        groups = groups_of(folder, manifest, trust)
        players = warm_up([group.plan for group in groups], say)
        for entry, first in bad:
            table = entry.file.partition("/")[0]
            names = tables_of(groups[0].plan)
            frame = played_again(
                table, first, entry.games, names, groups, players, workers, shard_games_of(groups[0].plan)
            )
            put_back(
                folder, entry, parquet(frame, COMPRESSION_LEVEL), manifest.sources == sources_digest(groups[0].plan)
            )
    remove_half_written(folder, [entry for entries in tables for entry in entries])
    return [entry.file for entry, _ in bad]


def put_back(folder: Path, entry: PartEntry, content: bytes, same_sources: bool) -> None:
    """Write a part anew, if its bytes are those that the run wrote.

    Raises
    ------
    UserError
        They are not.
    """
    found = hashlib.sha256(content).hexdigest()
    if found != entry.sha256:
        changed = "the versions of packages or run.json have" if same_sources else "engine or players have"
        message = f"this part cannot be repaired: played again it is another, for {changed} changed since the run"
        raise UserError(message, file=folder / entry.file, field="sha256", found=found, allowed=entry.sha256)
    disk.make_folders((folder / entry.file).parent)
    disk.write_whole(folder / entry.file, content)


def with_first(entries: Sequence[PartEntry]) -> Iterator[tuple[PartEntry, int]]:
    """Each part with the number of its first game."""
    first = 0
    for entry in entries:
        yield entry, first
        first += entry.games


def remove_half_written(folder: Path, entries: Sequence[PartEntry]) -> None:
    """Remove what a repair that was killed has left: parts under the name they have while they are written."""
    for entry in entries:
        half = (folder / entry.file).with_suffix(".unfinished")
        if half.is_file():
            disk.remove(half)


def groups_of(folder: Path, planned: PlannedRun, trust: bool) -> list[Group]:
    """Return the games of a run by what its manifest says of them.

    Raises
    ------
    UserError
        As for `sim.runs.replay.plan_of`.
    """
    groups = []
    for count in planned.player_counts or [count_of(folder, planned, 0)]:
        plan = replace(plan_of(folder, planned, count, trust=trust), keeps_pieces=planned.detail != "seats")
        variants = variants_of(planned)
        groups.append(Group(plan, count.games, count.first_game, count.first_block, count.first_deal, variants))
    return groups
