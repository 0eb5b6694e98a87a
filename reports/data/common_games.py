"""Find the games that two runs share: those with the same deal and number within it, at any position.

Runs share deals if one is shorter, a part of a longer plan, merged from several seeds, or has more numbers of players
or variants.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import polars as pl

from reports.data.load import Run

GAME_FIELDS = ("variant", "variants", "seed", "deals", "players", "block_games", "factions_fixed")
"""Manifest fields that vary between the games of a run; runs that differ in them may still share games."""


@dataclass(frozen=True)
class HeldGames:
    """Consecutive games of a run with one seed, number of players and variant.

    Attributes
    ----------
    entry
        Their entry of the manifest's `player_counts`; `seed` is never None.
    first, stop
        Their range, counted from the seed's first game for this number of players and variant.
    first_game, first_block
        Number in the run of game `first` and of its block.
    """

    entry: Mapping[str, Any]
    first: int
    stop: int
    first_game: int
    first_block: int

    @property
    def kind(self) -> tuple[Any, ...]:
        """The facts, besides its number, that decide the deal of a game."""
        return tuple(self.entry[name] for name in ("seed", "players", "variant", "block_games", "factions_fixed"))

    def within(self, first: int, stop: int) -> HeldGames:
        """Return a subrange of these games; `first` begins a block, and the last block may be incomplete."""
        more = first - self.first
        return HeldGames(
            self.entry, first, stop, self.first_game + more, self.first_block + more // self.entry["block_games"]
        )


def games_held(manifest: Mapping[str, Any]) -> list[HeldGames]:
    """Return the games of a run, in order."""
    alone = {name: manifest.get(name) for name in ("players", "variant", "games", "block_games", "factions_fixed")}
    entries = manifest.get("player_counts") or [alone]
    held = []
    for entry in entries:
        own = {"first_game": 0, "first_block": 0, "first_deal": 0, **entry}
        own["block_games"] = own["block_games"] or manifest["block_games"]
        own["seed"] = manifest["seed"] if own.get("seed") is None else own["seed"]
        if isinstance(own["players"], list):
            # Manifests of an earlier version do not list games by number of players; equal lengths mean equal games.
            own["players"] = (*own["players"], own["games"])
        first = own["first_deal"] * own["block_games"]
        held.append(HeldGames(own, first, first + own["games"], own["first_game"], own["first_block"]))
    return held


def games_in_common(a: Mapping[str, Any], b: Mapping[str, Any]) -> list[tuple[HeldGames, HeldGames]]:
    """Return pairs of ranges, one in each run, of the games that two runs share, in the order of the first."""
    common = []
    for one in games_held(a):
        for other in games_held(b):
            first, stop = max(one.first, other.first), min(one.stop, other.stop)
            if one.kind == other.kind and first < stop:
                common.append((one.within(first, stop), other.within(first, stop)))
    return common


def only_games(run: Run, held: Sequence[HeldGames]) -> Run:
    """Return a run restricted to some games, renumbered from 0."""
    entries: list[dict[str, Any]] = []
    games = blocks = 0
    for one in held:
        size = one.stop - one.first
        own_blocks = -(-size // one.entry["block_games"])
        entries.append({
            **one.entry, "games": size, "blocks": own_blocks, "first_game": games, "first_block": blocks,
            "first_deal": one.first // one.entry["block_games"],
        })  # fmt: skip
        games, blocks = games + size, blocks + own_blocks

    def chosen(scan: pl.LazyFrame) -> pl.LazyFrame:
        return pl.concat([renumbered(scan, one, entry) for one, entry in zip(held, entries, strict=True)])

    pieces = None if run.pieces is None else tuple(renumbered(part, one, entry) for one, entry in
                                                   zip(held, entries, strict=True) for part in run.pieces)  # fmt: skip
    tallies = {name: chosen(tally) for name, tally in run.tallies.items()}
    manifest = run.manifest | size_fields(entries, run.manifest)
    return replace(run, manifest=manifest, seats=chosen(run.seats), pieces=pieces, tallies=tallies)


def renumbered(scan: pl.LazyFrame, held: HeldGames, entry: Mapping[str, Any]) -> pl.LazyFrame:
    """Return the rows of some games, renumbered as an entry of `player_counts` says."""
    begin = held.first_game
    rows = scan.filter((pl.col("game") >= begin) & (pl.col("game") < begin + entry["games"]))
    steps = {"game": entry["first_game"] - begin, "block": entry["first_block"] - held.first_block}
    names = scan.collect_schema().names()
    # Signed: Polars applies the shift to the file's statistics, where unsigned numbers below 0 would wrap around.
    return rows.with_columns(pl.col(name).cast(pl.Int64) + step for name, step in steps.items() if name in names)


def size_fields(entries: Sequence[dict[str, Any]], manifest: Mapping[str, Any]) -> dict[str, Any]:
    """Return the manifest fields on games, blocks, players, variants and seeds for these entries."""
    counts = list(dict.fromkeys(entry["players"] for entry in entries))
    variants = list(dict.fromkeys(entry["variant"] for entry in entries))
    games, blocks = (sum(entry[name] for entry in entries) for name in ("games", "blocks"))
    sizes = {
        "games": games, "blocks": blocks, "seed": entries[0]["seed"], "stretch": None,
        "block_games": entries[0]["block_games"] if len(entries) == 1 else max(1, round(games / blocks)),
    }  # fmt: skip
    if not manifest.get("player_counts"):
        return sizes
    return sizes | {
        "players": counts[0] if len(counts) == 1 else counts,
        "variant": " and ".join(variants),
        "variants": variants,
        "factions_fixed": all(entry["factions_fixed"] for entry in entries),
        "player_counts": entries,
    }
