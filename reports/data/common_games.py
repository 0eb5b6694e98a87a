"""Finds the games that two runs share: the same game of the same deal.

A shared game may have different numbers in the two runs. Runs can share deals even if one of them is shorter, is a part
of a longer plan, is merged from several seeds, or has more numbers of players or more variants.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import polars as pl

from reports.data.load import Run
from sim.runs.store.manifest import CountEntry, Manifest

GAME_FIELDS = ("variant", "variants", "seed", "deals", "players", "block_games", "factions_fixed")
"""Manifest fields that may differ between two runs with common games."""


@dataclass(frozen=True)
class HeldGames:
    """Consecutive games of a run that have the same seed, number of players and variant.

    `entry` is their entry in the manifest's `player_counts`; its `seed` is never None. The games are those from `first`
    to `stop` - 1, counted from the seed's first game with this number of players and variant. `first_game` and
    `first_block` are the numbers of the game `first` and of its block in the run.
    """

    entry: CountEntry
    first: int
    stop: int
    first_game: int
    first_block: int

    @property
    def kind(self) -> tuple[Any, ...]:
        """Seed and settings. Together with the number of a game (`first` to `stop` - 1), they determine its deal."""
        entry = self.entry
        return entry.seed, entry.players, entry.variant, entry.block_games, entry.factions_fixed

    def within(self, first: int, stop: int) -> HeldGames:
        """Return the games from `first` to `stop` - 1. `first` must begin a block; the last block may be incomplete."""
        more = first - self.first
        first_block = self.first_block + more // self.entry.block_games
        return HeldGames(self.entry, first, stop, self.first_game + more, first_block)


def games_held(manifest: Manifest) -> list[HeldGames]:
    """Return the games of a run in order, one item for each entry of the manifest."""
    held = []
    for entry in manifest.player_counts or [entry_of_old_run(manifest)]:
        block_games = entry.block_games or manifest.block_games
        seed = manifest.seed if entry.seed is None else entry.seed
        first = entry.first_deal * block_games
        own = entry.model_copy(update={"block_games": block_games, "seed": seed})
        held.append(HeldGames(own, first, first + own.games, own.first_game, own.first_block))
    return held


def entry_of_old_run(manifest: Manifest) -> CountEntry:
    """Return all games of a run of an earlier version as one entry.

    If such a run has several numbers of players, it does not say which games have which number. Two such runs have
    equal games only if they are equally long. So `players` is then a tuple: the numbers of players, and last the number
    of games.
    """
    several = isinstance(manifest.players, list)
    players: Any = (*manifest.players, manifest.games) if isinstance(manifest.players, list) else manifest.players
    entry = CountEntry(
        players=1 if several else players, variant=manifest.variant, games=manifest.games, blocks=manifest.blocks,
        factions_fixed=manifest.factions_fixed,
    )  # fmt: skip
    return entry.model_copy(update={"players": players})


def games_in_common(a: Manifest, b: Manifest) -> list[tuple[HeldGames, HeldGames]]:
    """Return ranges of games that two runs share, as held by the first and by the second, in the order of the first."""
    common = []
    for one in games_held(a):
        for other in games_held(b):
            first, stop = max(one.first, other.first), min(one.stop, other.stop)
            if one.kind == other.kind and first < stop:
                common.append((one.within(first, stop), other.within(first, stop)))
    return common


def only_games(run: Run, held: Sequence[HeldGames]) -> Run:
    """Return a run with only these games, which are renumbered from 0."""
    entries: list[CountEntry] = []
    games = blocks = 0
    for one in held:
        size = one.stop - one.first
        own_blocks = -(-size // one.entry.block_games)
        entries.append(one.entry.model_copy(update={
            "games": size, "blocks": own_blocks, "first_game": games, "first_block": blocks,
            "first_deal": one.first // one.entry.block_games,
        }))  # fmt: skip
        games, blocks = games + size, blocks + own_blocks

    def chosen(scan: pl.LazyFrame) -> pl.LazyFrame:
        return pl.concat([renumbered(scan, one, entry) for one, entry in zip(held, entries, strict=True)])

    pieces = None if run.pieces is None else tuple(renumbered(part, one, entry) for one, entry in
                                                   zip(held, entries, strict=True) for part in run.pieces)  # fmt: skip
    tallies = {name: chosen(tally) for name, tally in run.tallies.items()}
    manifest = run.manifest.model_copy(update=size_fields(entries, run.manifest))
    return replace(run, manifest=manifest, seats=chosen(run.seats), pieces=pieces, tallies=tallies)


def renumbered(scan: pl.LazyFrame, held: HeldGames, entry: CountEntry) -> pl.LazyFrame:
    """Return the rows of the games `held`. They are renumbered to begin with the first game and block of `entry`."""
    begin = held.first_game
    rows = scan.filter((pl.col("game") >= begin) & (pl.col("game") < begin + entry.games))
    steps = {"game": entry.first_game - begin, "block": entry.first_block - held.first_block}
    names = scan.collect_schema().names()
    # Use a signed type. Polars also shifts the statistics stored in the file, where unsigned numbers would wrap around
    # below 0.
    return rows.with_columns(pl.col(name).cast(pl.Int64) + step for name, step in steps.items() if name in names)


def size_fields(entries: Sequence[CountEntry], manifest: Manifest) -> dict[str, Any]:
    """Return the manifest fields that depend on these entries: games, blocks, players, variants and seeds."""
    counts = list(dict.fromkeys(entry.players for entry in entries))
    variants = list(dict.fromkeys(entry.variant for entry in entries))
    games, blocks = sum(entry.games for entry in entries), sum(entry.blocks for entry in entries)
    sizes = {
        "games": games, "blocks": blocks, "seed": entries[0].seed, "stretch": None,
        "block_games": entries[0].block_games if len(entries) == 1 else max(1, round(games / blocks)),
    }  # fmt: skip
    if not manifest.player_counts:
        return sizes
    return sizes | {
        "players": counts[0] if len(counts) == 1 else counts,
        "variant": " and ".join(variants),
        "variants": variants,
        "factions_fixed": all(entry.factions_fixed for entry in entries),
        "player_counts": entries,
    }
