"""Checks a whole run: its manifest, files, digests, and every row against the manifest."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from reports.data.cells import count_cells
from reports.data.load import Run, load_run
from reports.formatting import counted, plural
from sim.data.files import MANIFEST
from sim.errors import UserError
from sim.runs.store.journal import read_checkpoint
from sim.runs.store.manifest import SEAT_TABLE, CountEntry, Manifest, PartEntry, load_manifest
from sim.runs.store.run_folder import unfinished_at
from sim.runs.store.verify import is_whole, open_parts, part_kinds, reading, scan_part, verified_parts


@dataclass(frozen=True)
class Checked:
    """A run that has passed all checks, and its size. `parts` and `rows` are totals over all of its tables."""

    folder: Path
    games: int
    blocks: int
    parts: int
    rows: int


def check_run(folder: Path) -> Checked:
    """Check that a run is unmodified and consistent, and return its size.

    Raise UserError as `load_run` does, and if the folder contains foreign files or the rows of a part do not match its
    games.
    """
    folder = Path(folder)
    check_finished(folder)
    run = load_run(folder)
    manifest = load_manifest(folder)
    tallies = [part for parts in manifest.tally_shards.values() for part in parts]
    parts = [*manifest.shards, *manifest.piece_parts, *tallies]
    check_part_tables(folder, manifest)
    check_files(folder, parts)
    for entries, columns in part_kinds(manifest):  # reports ignore tables whose meaning is not declared
        open_parts(folder, entries, columns)
    verified_parts(folder, tallies)
    check_counts(folder, manifest)
    with reading(folder):
        count_cells(run)
        check_seats(run, manifest)
        for entry, games in parts_with_game_numbers(manifest.piece_parts):
            check_pieces(folder / entry.file, games, manifest)
    return Checked(folder, manifest.games, manifest.blocks, len(parts), sum(part.rows for part in parts))


def check_finished(folder: Path) -> None:
    """Raise UserError if a run is unfinished. The message counts the games and the damaged parts."""
    unfinished = None if folder.exists() else unfinished_at(folder)
    kept = None if unfinished is None else read_checkpoint(unfinished)
    if kept is None:
        return
    parts = [entry for entries in kept.parts.values() for entry in entries]
    bad = [entry.file for entry in parts if not is_whole(kept.content, entry)]
    of = f"{kept.games:,} of {kept.plan.planned.games:,} games are there"
    if bad:
        message = f"an unfinished run, {of}, but of its parts {len(bad)} of {len(parts)} are damaged"
        allowed = "check --repair, or the command that began it: both play damaged parts again"
        raise UserError(message, file=folder, found=bad[0], allowed=allowed)
    message = f"an unfinished run, {of}, in {counted(len(parts), 'whole part')}"
    raise UserError(message, file=folder, allowed="the command that started it, which resumes it")


def check_part_tables(folder: Path, manifest: Manifest) -> None:
    """Raise UserError if the manifest lists a part under the wrong table."""
    pieces = plural(manifest.piece)
    tallies = [(f"tally_shards.{name}", name, parts) for name, parts in manifest.tally_shards.items()]
    tables = [("shards", SEAT_TABLE, manifest.shards), ("piece_parts", pieces, manifest.piece_parts), *tallies]
    for field, table, parts in tables:
        for part in parts:
            if part.file.partition("/")[0] != table:
                message = "not a part of this table"
                raise UserError(message, file=folder / MANIFEST, field=field, found=part.file, allowed=f"{table}/...")


def check_files(folder: Path, parts: Sequence[PartEntry]) -> None:
    """Raise UserError if a run folder contains a link, or a file that the manifest does not list."""
    files = {MANIFEST, *(part.file for part in parts)}
    tables = {part.file.partition("/")[0] for part in parts}
    for path in sorted(folder.rglob("*")):
        name = path.relative_to(folder).as_posix()
        if path.is_symlink():
            raise UserError("a link in a run folder", file=path, found=str(path.readlink()), allowed="the file itself")
        if name not in (tables if path.is_dir() else files):
            raise UserError(f"not a file of this run: {MANIFEST} does not list it", file=path)


def count_entries(manifest: Manifest) -> list[CountEntry]:
    """Return the manifest's entries, one for each number of players and variant. An old run gets one entry."""
    if manifest.player_counts or not isinstance(manifest.players, int):
        return list(manifest.player_counts)
    return [
        CountEntry(
            players=manifest.players,
            variant=manifest.variant,
            games=manifest.games,
            blocks=manifest.blocks,
            block_games=manifest.block_games,
            factions_fixed=manifest.factions_fixed,
        )
    ]


def check_counts(folder: Path, manifest: Manifest) -> None:
    """Raise UserError if the entries of `player_counts` do not add up to the games and blocks of the run."""
    path, games, blocks = folder / MANIFEST, 0, 0
    counts = count_entries(manifest)
    for number, count in enumerate(counts, start=1):
        for field, found, expected in (
            ("first_game", count.first_game, games),
            ("first_block", count.first_block, blocks),
        ):
            if found != expected:
                message = "does not continue where the previous entry ends"
                raise UserError(
                    message, file=path, field=f"player_counts.{number}.{field}", found=found, allowed=str(expected)
                )
        games += count.games
        blocks += count.blocks
    players = manifest.players if isinstance(manifest.players, list) else [manifest.players]
    for field, own, expected_of_run in (
        ("games", games, manifest.games),
        ("blocks", blocks, manifest.blocks),
        ("players", list(dict.fromkeys(count.players for count in counts)), players),
    ):
        if counts and own != expected_of_run:
            message = f"the entries of player_counts make {own}"
            raise UserError(message, file=path, field=field, found=expected_of_run, allowed=str(own))


def parts_with_game_numbers(parts: Sequence[PartEntry]) -> Iterator[tuple[PartEntry, range]]:
    """Yield each part with the range of its game numbers, counted over the whole run."""
    first = 0
    for part in parts:
        yield part, range(first, first + part.games)
        first += part.games


def players_of_games(manifest: Manifest, games: range) -> NDArray[np.int64] | None:
    """Return the number of players of each game in a range; None if the manifest does not say."""
    counts = count_entries(manifest)
    if not counts:
        return None
    place = (
        np.searchsorted([count.first_game for count in counts], np.arange(games.start, games.stop), side="right") - 1
    )
    return np.array([count.players for count in counts])[place]


def check_seats(run: Run, manifest: Manifest) -> None:
    """Raise UserError if the seats of a game contradict the manifest, or if the numbers of blocks have gaps."""
    last_block = -1
    for entry, games in parts_with_game_numbers(manifest.shards):
        file = run.folder / entry.file
        table = games_in_part(file)
        expect(file, "game", table, np.arange(games.start, games.stop), table["game"].to_numpy())
        players = players_of_games(manifest, games)
        for field in ("players", "rows"):
            if players is not None:
                expect(file, field, table, players, table[field].to_numpy())
        for field in ("one block", "one win", "winners of rank 1"):
            expect(file, field, table, np.ones(table.height), table[field].to_numpy())
        blocks = table["block"].cast(pl.Int64).to_numpy()
        steps = np.diff(blocks, prepend=last_block)
        allowed = np.clip(steps, 0, 1)
        allowed[:1] = 1 if games.start == 0 else allowed[:1]
        expect(file, "block", table, blocks - steps + allowed, blocks)
        last_block = int(blocks[-1])
    if last_block + 1 != manifest.blocks:
        message = f"the seats have {last_block + 1} blocks"
        raise UserError(message, file=run.folder / MANIFEST, field="blocks", found=manifest.blocks)


def games_in_part(file: Path) -> pl.DataFrame:
    """Summarise the rows of a part by game. A game whose rows are not adjacent appears more than once."""
    # In a game of one player, the player may lose. Then nobody wins.
    wins = pl.when(pl.len() > 1).then(1.0).otherwise((pl.col("rank").first() == 1).cast(pl.Float64))
    return (
        scan_part(file)
        .group_by(pl.col("game").rle_id().alias("stretch"), maintain_order=True)
        .agg(
            pl.col("game").first(),
            pl.len().alias("rows"),
            pl.col("players").first(),
            pl.col("block").first(),
            (pl.col("block").n_unique() == 1).alias("one block"),
            ((pl.col("win").cast(pl.Float64).sum() - wins).abs() < 1e-5).alias("one win"),
            ((pl.col("win") > 0) == (pl.col("rank") == 1)).all().alias("winners of rank 1"),
        )
        .collect()
    )


def expect(file: Path, field: str, table: pl.DataFrame, expected: NDArray[Any], found: NDArray[Any]) -> None:
    """Raise UserError if a value differs from the expected one. The message names the first game with a wrong value."""
    many = min(len(found), len(expected))
    wrong = np.flatnonzero(found[:many] != expected[:many])
    if len(wrong):
        at = int(wrong[0])
        values = (found[at].item(), expected[at].item())
        said = ("no", "yes") if found.dtype == bool else tuple(map(str, values))
        message = f"the rows of this game are not those of the run: {said[0]} where {said[1]} is expected"
        raise UserError(message, file=file, row=f"game {table['game'][at]}", field=field)
    if len(found) != len(expected):
        message = "the number of games in this part differs from the manifest"
        raise UserError(message, file=file, field=field, found=len(found), allowed=str(len(expected)))


def check_pieces(file: Path, games: range, manifest: Manifest) -> None:
    """Raise UserError if a piece row names a game or seat that the part does not have."""
    rows = scan_part(file).select("game", "seat").collect()
    game = rows["game"].cast(pl.Int64).to_numpy()
    seat = rows["seat"].cast(pl.Int64).to_numpy()
    wrong = (game < games.start) | (game >= games.stop)
    players = players_of_games(manifest, games)
    if players is not None:
        wrong |= seat >= players[np.clip(game - games.start, 0, len(games) - 1)]
    if wrong.any():
        at = int(np.flatnonzero(wrong)[0])
        message = "a row names a game or seat that this part does not have"
        raise UserError(message, file=file, row=at, found=f"game {game[at]}, seat {seat[at]}")
