"""Run folders with known truth: latent strengths, luck shared by the games of a block, seats rotated."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

WONDERS = ("Alexandria", "Babylon", "Ephesos", "Gizah", "Halikarnassos", "Olympia", "Rhodos")
FACTIONS = tuple(f"{wonder} {side}" for wonder in WONDERS for side in "AB")
STRATEGIES = {
    "random": -16.0, "greedy": -2.0, "military": 0.5, "science": 3.0, "civil": 1.0,
    "trade": -1.0, "wonder": -3.0, "guilds": 0.0, "blocker": -1.5, "balanced": 4.0,
}  # fmt: skip
PARTS = {"military": 0.10, "treasury": 0.06, "wonder": 0.16, "blue": 0.30, "science": 0.18, "yellow": 0.08, "guild": 0.12}
FAVOURS = {"military": "military", "science": "science", "civil": "blue", "trade": "treasury", "wonder": "wonder"}


def write_run(
    folder: Path,
    blocks: int = 250,
    players: int = 4,
    factions: dict[str, float] | None = None,
    strategies: dict[str, float] | None = None,
    seats: tuple[float, ...] = (),
    deal: float = 3.0,
    luck: float = 9.0,
    seed: int = 1,
    part_games: int = 100_000,
    **manifest: Any,
) -> Path:
    """Write a run whose scores are 48 + strength of faction, strategy and seat + luck of the deal + luck of the game.

    All games of a block keep their players (faction and strategy), who move one seat on from game to game; `deal` is the
    standard deviation of what a player's luck has in common over a block. Returns the folder.
    """
    rng = np.random.default_rng(seed)
    factions = dict.fromkeys(FACTIONS, 0.0) if factions is None else factions
    strategies = STRATEGIES if strategies is None else strategies
    frame = play(rng, blocks, players, factions, strategies, seats, deal, luck)
    return write_parts(folder, frame, list(factions), list(strategies), players, blocks, part_games, seed, manifest)


def play(
    rng: np.random.Generator,
    blocks: int,
    players: int,
    factions: dict[str, float],
    strategies: dict[str, float],
    seats: tuple[float, ...],
    deal: float,
    luck: float,
) -> pl.DataFrame:
    """All rows of a run, game by game and seat by seat."""
    games = blocks * players
    draw = rng.random((blocks, len(factions))).argsort(axis=1).astype(np.uint8)
    takes = draw[:, np.arange(players) % len(factions)]
    plays = rng.integers(0, len(strategies), (blocks, players), dtype=np.uint8)
    fortune = rng.normal(0, deal, (blocks, players)).astype(np.float32)
    fortune += np.array(list(factions.values()), np.float32)[takes]
    fortune += np.array(list(strategies.values()), np.float32)[plays]
    turn = (np.arange(players)[None, :] + np.arange(players)[:, None]) % players
    faction, strategy, strength = (a[:, turn].reshape(games, players) for a in (takes, plays, fortune))
    strength = strength + np.array(seats or [0.0] * players, np.float32)
    score = np.clip(np.rint(48 + strength + rng.normal(0, luck, strength.shape)), 5, 120).astype(np.int16)
    return rows(rng, faction, strategy, score, list(strategies), players)


def rows(
    rng: np.random.Generator, faction: Any, strategy: Any, score: Any, strategies: list[str], block_games: int
) -> pl.DataFrame:
    """Columns of a run from `faction`, `strategy` (numbers) and `score`, each of shape (games, players)."""
    games, players = score.shape
    rank = (1 + (score[:, None, :] > score[:, :, None]).sum(axis=2)).astype(np.uint8)
    winners = (rank == 1).sum(axis=1, keepdims=True)
    weights = np.array([[share * (2.4 if FAVOURS.get(name) == part else 1.0) for part, share in PARTS.items()]
                        for name in strategies])  # fmt: skip
    weights /= weights.sum(axis=1, keepdims=True)
    flat, who = score.ravel(), strategy.ravel()
    parts = {part: np.floor(flat * weights[who, i]).astype(np.int16) for i, part in enumerate(PARTS)}
    parts["blue"] += flat - sum(parts.values())
    game = np.repeat(np.arange(games, dtype=np.uint32), players)
    return pl.DataFrame({
        "game": game, "block": game // np.uint32(block_games), "players": np.full(flat.size, players, np.uint8),
        "seat": np.tile(np.arange(players, dtype=np.uint8), games), "faction": faction.ravel(), "strategy": who,
        "score": flat, "rank": rank.ravel(), "win": np.where(rank == 1, 1 / winners, 0).astype(np.float32).ravel(),
        **parts, "coins": rng.integers(0, 15, flat.size).astype(np.int16),
        "rounds": np.full(flat.size, 18, np.uint8), "end_reason": np.zeros(flat.size, np.uint8),
    })  # fmt: skip


def write_parts(
    folder: Path,
    frame: pl.DataFrame,
    factions: list[str],
    strategies: list[str],
    players: Any,
    blocks: int,
    part_games: int,
    seed: int,
    manifest: dict[str, Any],
) -> Path:
    """Write the parts and `run.json`; `manifest` overrides fields."""
    (folder / "seats").mkdir(parents=True)
    named = {"faction": factions, "strategy": strategies, "end_reason": ["last age"]}
    frame = frame.with_columns(pl.Series(names, dtype=pl.Enum(names)).gather(frame[column]).alias(column)
                               for column, names in named.items())  # fmt: skip
    games, shards = int(frame["game"].max()) + 1, []
    for number, first in enumerate(range(0, games, part_games)):
        part = frame.filter(pl.col("game").is_between(first, first + part_games - 1))
        file = f"seats/part-{number:06d}.parquet"
        part.write_parquet(folder / file, compression="zstd")
        shards.append({"file": file, "games": part["game"].n_unique(), "rows": part.height, "sha256": ""})
    attributes = [{"wonder": name.rsplit(" ", 1)[0], "side": name.rsplit(" ", 1)[-1]} for name in factions]
    content = {
        "format": "empirelab-run/1", "game": "seven_wonders", "title": "7 Wonders", "variant": "base", "players": players,
        "games": games, "blocks": blocks, "block_games": games // blocks, "seed": seed, "assign": "rotate",
        "detail": "seats", "command": f"empirelab simulate seven_wonders --games {games} --seed {seed}",
        "strategies": [{"name": name, "base": name, "temperature": 0.0, "weights": {"score": 1.0}, "source": "hand-made"}
                       for name in strategies],
        "factions": [{"name": name, "attributes": attribute, "certainty": "confirmed"}
                     for name, attribute in zip(factions, attributes, strict=True)],
        "faction_title": "wonder side", "faction_attributes": ["wonder", "side"], "score_parts": list(PARTS),
        "measures": ["coins"], "end_reasons": ["last age"],
        "settings": {"games": games, "players": players, "expansions": [], "workers": 2},
        "certainty": {"confirmed": 92, "single-source": 0, "stand-in": 0},
        "versions": {"empirelab": "0.1.0", "numba": "0.65.0", "python": "3.11.7"},
        "started": "2026-01-01T12:00:00+00:00", "seconds": 12.3, "shards": shards, **manifest,
    }  # fmt: skip
    (folder / "run.json").write_text(json.dumps(content), encoding="utf-8")
    return folder
