"""Open the games so far of a run that is still being played or was interrupted, like a finished run."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import polars as pl

from reports.data.load import Run, joined_seats, joined_tally, load_run, piece_events, piece_noun
from reports.formatting import plural
from sim.errors import UserError
from sim.runs.store.journal import Checkpoint, read_buffered, read_checkpoint
from sim.runs.store.manifest import SEAT_TABLE, Manifest, PlannedRun, UnfinishedEntry
from sim.runs.store.run_folder import is_being_written, unfinished_at
from sim.runs.store.verify import Columns, check_part_columns, open_parts, piece_columns, seat_columns, tally_columns

TRIES = 5
"""Attempts to read a run while another process replaces its files."""


def load_so_far(folder: Path) -> Run:
    """Open a run as `load_run` does, or the games so far of an unfinished one; raise UserError if there are none.

    The manifest of an unfinished run has `unfinished`: the planned games, and whether a process is playing it.
    """
    for attempt in range(TRIES):
        unfinished = None if folder.exists() else unfinished_at(folder)
        kept = None if unfinished is None else read_checkpoint(unfinished)
        if kept is None:
            break
        try:
            return opened(folder, kept)
        except (UserError, OSError):
            if attempt == TRIES - 1 or not is_being_written(folder):
                raise
    return load_run(folder)


def opened(folder: Path, kept: Checkpoint) -> Run:
    """Open the games so far of an unfinished run; raise UserError if there are none or they are damaged."""
    waiting = {} if kept.waiting is None else read_buffered(kept.folder, kept.waiting)
    if waiting is None:
        raise UserError("the games of this unfinished run that wait for a part are damaged", file=folder)
    if not kept.games:
        message = "of this unfinished run no games are there yet"
        raise UserError(message, file=folder, allowed="wait a minute, or go on with the command that began it")
    manifest = so_far(kept.plan.planned, kept.games, is_being_written(folder))
    planned = kept.plan.planned
    seats = scans_of(kept, SEAT_TABLE, waiting, seat_columns(planned))
    noun = piece_noun(manifest)
    pieces = None
    if plural(noun) in kept.parts and piece_events(manifest):
        pieces = tuple(scans_of(kept, plural(noun), waiting, piece_columns(planned)))
    tallies = {}
    for entry in planned.tallies:
        if entry.plural in kept.parts:
            scans = scans_of(kept, entry.plural, waiting, tally_columns(planned, entry))
            if scans:
                tallies[entry.plural] = joined_tally(scans, entry)
    return Run(folder, manifest, joined_seats(folder, seats, manifest), pieces, tallies)


def scans_of(kept: Checkpoint, table: str, waiting: Mapping[str, pl.DataFrame], columns: Columns) -> list[pl.LazyFrame]:
    """Scan the parts of a table and its buffered rows, all verified."""
    scans = open_parts(kept.content, kept.parts[table], columns)
    if kept.waiting is None or table not in waiting or not waiting[table].height:
        return scans
    rows = waiting[table].lazy()
    check_part_columns(kept.folder / kept.waiting.files[table].file, rows, waiting[table].schema, columns, None)
    return [*scans, rows]


def so_far(planned: PlannedRun, games: int, being_written: bool) -> Manifest:
    """Return the manifest of an unfinished run, restricted to its first `games` games."""
    counts = [
        count.model_copy(update={"games": own, "blocks": -(-own // count.block_games)})
        for count in planned.player_counts
        if (own := min(count.games, games - count.first_game)) > 0
    ]
    players = list(dict.fromkeys(count.players for count in counts))
    variants = list(dict.fromkeys(count.variant for count in counts))
    blocks = sum(count.blocks for count in counts)
    unfinished = UnfinishedEntry(at_most=planned.games, being_written=being_written)
    return Manifest(**planned.model_dump(), shards=[], unfinished=unfinished).model_copy(
        update={
            "games": games,
            "blocks": blocks,
            "block_games": counts[0].block_games if len(counts) == 1 else max(1, round(games / blocks)),
            "players": players[0] if len(players) == 1 else players,
            "variant": " and ".join(variants),
            "variants": variants,
            "player_counts": counts,
        }
    )
