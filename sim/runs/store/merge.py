"""Merges runs: stretches of one plan into the whole run, and runs of one plan with several seeds into one."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import pairwise
from pathlib import Path

import polars as pl

from sim.data.arguments import checks_arguments
from sim.errors import UserError
from sim.runs.config import Label, merge_labels
from sim.runs.run import part_games_of
from sim.runs.store.journal import described_plan, plans_differ, some_of
from sim.runs.store.manifest import (
    MAX_GAMES,
    SEAT_TABLE,
    CountEntry,
    Manifest,
    PartEntry,
    StretchEntry,
    load_manifest,
    write_manifest,
)
from sim.runs.store.parquet import check_out, check_run_folder, write_part
from sim.runs.store.run_folder import atomic_folder
from sim.runs.store.verify import open_parts, part_kinds, reading, scan_part

SIZES = tuple(StretchEntry.model_fields["whole"].annotation.model_fields)  # type: ignore[union-attr]
"""Fields of a manifest that describe the size of a run."""
SPENT = ("seconds", "playing_seconds", "writing_seconds")


@dataclass(frozen=True)
class Piece:
    """A run to be merged: the games `first` to `stop` - 1 of a plan with `games` games and `blocks` blocks."""

    folder: Path
    manifest: Manifest
    first: int
    stop: int
    games: int
    blocks: int
    first_block: int


@checks_arguments
def merge(
    folders: Sequence[Path], out: Path, *, overwrite: bool = False, command: str = "", report: Callable[[int], None]
) -> Manifest:
    """Merge runs of one plan: its stretches, and runs with several seeds.

    All parts are verified. Merged stretches have the same bytes as a run of all games. Runs with several seeds are put
    in the order of the seeds. Their deals differ, so all their blocks count as separate blocks. `report` gets the
    number of games of each part. Raise UserError if there is only one run; a run has another plan, was stopped by a
    rule or was itself merged from several seeds; stretches overlap or leave out some games; a part is damaged; the
    folder exists, is one of the runs, or cannot be written.
    """
    check_out(out, overwrite)
    pieces = [piece_of(folder) for folder in folders]
    if len({piece.folder.resolve() for piece in pieces}) < max(len(pieces), 2):
        raise UserError("merging needs two or more different runs", found=", ".join(map(str, folders)))
    if out.resolve() in (piece.folder.resolve() for piece in pieces):
        message = "the merged run would replace one of the runs to be merged"
        raise UserError(message, file=out, field="out", allowed="another folder")
    seeds = pieces_by_seed(pieces)
    games = pieces[0].games * len(seeds)
    if games > MAX_GAMES:
        raise UserError("too many games for one run", field="games", found=games, allowed=f"at most {MAX_GAMES:,}")
    ordered = [piece for found in seeds.values() for piece in found]
    for piece in ordered:
        for entries, columns in part_kinds(piece.manifest):
            open_parts(piece.folder, entries, columns)
    with atomic_folder(out, partial(check_run_folder, out, overwrite)) as folder:
        parts = {
            table: write_table(folder, table, list(frames_of(ordered, table)), report if table == SEAT_TABLE else None)
            for table in tables_of_manifest(ordered[0].manifest)
        }
        manifest = manifest_of(ordered, list(seeds), parts, command)
        write_manifest(folder, manifest)
    return manifest


def piece_of(folder: Path) -> Piece:
    """Open a run to be merged; raise UserError if the manifest is damaged, or the run cannot be merged."""
    manifest = load_manifest(folder)
    if manifest.stopped is not None:
        message = "runs stopped early by --until-width cannot be merged"
        raise UserError(message, file=folder, allowed="runs without --until-width")
    if any(count.seed is not None for count in manifest.player_counts):
        raise UserError(
            "this run is already merged from several seeds", file=folder, allowed="the runs it was merged from"
        )
    if not manifest.player_counts:
        raise UserError("this run was played by an earlier version", file=folder, allowed="play it again")
    stretch = manifest.stretch
    if stretch is None:
        return Piece(folder, manifest, 0, manifest.games, manifest.games, manifest.blocks, 0)
    whole = stretch.whole
    return Piece(
        folder, manifest, stretch.first_game, stretch.stop_game, whole.games, whole.blocks, stretch.first_block
    )


def whole_of(manifest: Manifest) -> dict[str, object]:
    """Return the fields that runs must share to be merged: the plan without seed, for a stretch that of its whole."""
    planned = described_plan(manifest)
    sizes = {} if manifest.stretch is None else manifest.stretch.whole.model_dump(mode="json")
    return {name: value for name, value in (planned | sizes).items() if name not in ("seed", "stretch")}


def pieces_by_seed(pieces: Sequence[Piece]) -> dict[int, list[Piece]]:
    """Return the runs of each seed in the order of their games.

    Raise UserError if a run has another plan than the first run, stretches overlap, or games of the plan are missing.
    """
    check_shared_plan(pieces)
    return {seed: stretches(pieces, seed) for seed in sorted({piece.manifest.seed for piece in pieces})}


def check_shared_plan(pieces: Sequence[Piece]) -> None:
    """Check that all runs share the plan of the first one; seeds and stretches may differ."""
    first = whole_of(pieces[0].manifest)
    for piece in pieces[1:]:
        found = plans_differ(first, whole_of(piece.manifest), ("in the first", "here"))
        if found:
            message = f"a run of another plan than {pieces[0].folder}: {some_of(found)}"
            raise UserError(
                message, file=piece.folder, allowed="stretches of one plan, or the same plan with other seeds"
            )


def stretches(pieces: Sequence[Piece], seed: int) -> list[Piece]:
    """Return the runs of a seed in the order of their games.

    Raises
    ------
    UserError
        Some stretches overlap, or games of the plan are missing.
    """
    found = sorted(
        (piece for piece in pieces if piece.manifest.seed == seed), key=lambda piece: (piece.first, piece.stop)
    )
    for one, other in pairwise(found):
        if other.first < one.stop:
            both = f"games {other.first} to {min(one.stop, other.stop) - 1} of seed {seed} are in {one.folder} too"
            raise UserError(f"these stretches overlap: {both}", file=other.folder, allowed="each game once")
    ends = [0, *(piece.stop for piece in found)]
    begins = [*(piece.first for piece in found), found[0].games]
    for end, begin in zip(ends, begins, strict=True):
        if end < begin:
            message = f"games {end} to {begin - 1} of seed {seed} are in none of the runs"
            raise UserError(
                message, found=", ".join(str(piece.folder) for piece in found), allowed="all games of the plan"
            )
    return found


def tables_of_manifest(manifest: Manifest) -> dict[str, list[PartEntry]]:
    """Return the parts of each table of a run, by the table's name."""
    every = [manifest.shards, manifest.piece_parts, *manifest.tally_shards.values()]
    return {entries[0].file.partition("/")[0]: entries for entries in every if entries}


def frames_of(pieces: Sequence[Piece], table: str) -> Iterator[tuple[Path, PartEntry, int, int]]:
    """Yield each part of a table: its file, its entry, and what to add to its game numbers and block numbers."""
    before: dict[int, tuple[int, int]] = {}
    for piece in pieces:
        number = before.setdefault(piece.manifest.seed, (len(before) * piece.games, len(before) * piece.blocks))
        for entry in tables_of_manifest(piece.manifest)[table]:
            yield piece.folder / entry.file, entry, number[0] + piece.first, number[1] + piece.first_block


def write_table(
    folder: Path, table: str, parts: Sequence[tuple[Path, PartEntry, int, int]], report: Callable[[int], None] | None
) -> list[PartEntry]:
    """Write a table of the merged run, with parts of the usual size; return their entries in the manifest."""
    size = part_games_of(table)
    entries: list[PartEntry] = []
    waiting: list[pl.DataFrame] = []
    games = 0
    for number, (file, entry, first_game, first_block) in enumerate(parts):
        added = {"game": first_game, "block": first_block}
        with reading(file.parent.parent):
            frame = scan_part(file).collect()
        waiting.append(
            frame.with_columns(
                pl.col(name) + pl.lit(more, pl.UInt32) for name, more in added.items() if name in frame.columns
            )
        )
        games += entry.games
        while games >= size or (games and number == len(parts) - 1):
            rows = pl.concat(waiting, rechunk=True)
            now = min(size, games)
            cut = int(rows["game"].search_sorted(sum(entry.games for entry in entries) + now))
            entries.append(write_part(folder, table, len(entries), rows[:cut].rechunk(), now))
            waiting = [rows[cut:]]
            games -= now
        if report is not None:
            report(entry.games)
    return entries


def manifest_of(
    pieces: Sequence[Piece], seeds: Sequence[int], parts: Mapping[str, list[PartEntry]], command: str
) -> Manifest:
    """Return the manifest of the merged run."""
    manifests = [piece.manifest for piece in pieces]
    first = manifests[0]
    label = merge_labels([Label(tuple(manifest.tags), manifest.note) for manifest in manifests])
    sizes = {name: getattr(first.stretch.whole if first.stretch else first, name) for name in SIZES}
    if len(seeds) > 1:
        sizes |= pooled(sizes["player_counts"], seeds, sizes["games"], sizes["blocks"])
    tables = dict(parts)
    shards = tables.pop(SEAT_TABLE)
    pieces_of_game = next((name for name in tables if name not in first.tally_shards), None)
    return first.model_copy(
        update=sizes
        | {
            "stretch": None,
            "seed": seeds[0],
            "command": command,
            "tags": list(label.tags),
            "note": label.note,
            "started": min(manifest.started for manifest in manifests),
            **{name: round(sum(getattr(manifest, name) for manifest in manifests), 3) for name in SPENT},
            "jobs": max(manifest.jobs for manifest in manifests),
            "shards": shards,
            "piece_parts": [] if pieces_of_game is None else tables.pop(pieces_of_game),
            "tally_shards": tables,
        }
    )


def pooled(counts: Sequence[CountEntry], seeds: Sequence[int], games: int, blocks: int) -> dict[str, object]:
    """Return the manifest fields on the size of runs merged from `seeds`; the other arguments are sizes of one run."""
    entries = [
        count.model_copy(
            update={
                "seed": seed,
                "first_game": count.first_game + number * games,
                "first_block": count.first_block + number * blocks,
            }
        )
        for number, seed in enumerate(seeds)
        for count in counts
    ]
    each = len(counts) == 1
    return {
        "games": games * len(seeds),
        "blocks": blocks * len(seeds),
        "block_games": counts[0].block_games if each else max(1, round(games / blocks)),
        "player_counts": entries,
    }
