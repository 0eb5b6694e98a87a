"""Run folders with known truth: latent strengths, luck shared by the games of a block, seats rotated."""

import hashlib
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from reports.statistics.course.ways import Profiles, Ways, judged_ways
from reports.statistics.pieces.restricted import RestrictedArm
from reports.statistics.strength.equilibria import companies_of, symmetric_equilibria
from reports.statistics.strength.metagame import TableWins, in_resamples, invader_rows, resampled_payoffs
from reports.studies.players.metagame_report import Metagame
from sim.players.restriction import Restriction
from sim.runs.config import RunConfig
from sim.runs.histories import Histories
from sim.runs.store.manifest import Manifest

WONDERS = ("Alexandria", "Babylon", "Ephesos", "Gizah", "Halikarnassos", "Olympia", "Rhodos")
FACTIONS = tuple(f"{wonder} {side}" for wonder in WONDERS for side in "AB")
STRATEGIES = {
    "random": -16.0, "greedy": -2.0, "military": 0.5, "science": 3.0, "civil": 1.0,
    "trade": -1.0, "wonder": -3.0, "guilds": 0.0, "blocker": -1.5, "balanced": 4.0,
}  # fmt: skip
PARTS = {
    "military": 0.10, "treasury": 0.06, "wonder": 0.16, "blue": 0.30, "science": 0.18, "yellow": 0.08, "guild": 0.12,
}  # fmt: skip
CHECKPOINTS = (("score_age_1", 0.11, 2.0), ("score_age_2", 0.37, 3.5))
"""Columns of early scores: which share of the final score they are on average, and how widely they scatter."""
FAVOURS = {"military": "military", "science": "science", "civil": "blue", "trade": "treasury", "wonder": "wonder"}


@dataclass(frozen=True)
class Truth:
    """What is true of a synthetic game.

    A score is 48 + strength of faction, strategy and seat + luck of the deal + luck of the game. All games of a block
    keep their players (faction, unless there are none, and strategy), who move one seat on from game to game; `deal` is
    the standard deviation of what a player's luck has in common over a block, `luck` of the rest. All games end for the
    first of `endings` unless their rows are given another number. A game of one player is won with `goal` points: it
    ends for the first of `endings` if it is lost, else for the others, which come every 8 points.
    """

    blocks: int = 250
    players: int = 4
    factions: dict[str, float] = field(default_factory=lambda: dict.fromkeys(FACTIONS, 0.0))
    strategies: dict[str, float] = field(default_factory=lambda: dict(STRATEGIES))
    seats: tuple[float, ...] = ()
    deal: float = 3.0
    luck: float = 9.0
    seed: int = 1
    endings: tuple[str, ...] = ("last age",)
    goal: int = 0


def write_run(folder: Path, truth: Truth | None = None, part_games: int = 100_000, **manifest: Any) -> Path:
    """Play a synthetic run and write its folder; `manifest` overrides fields of `run.json`. Returns the folder."""
    truth = truth or Truth()
    return write_rows(folder, play(truth), truth, part_games, **manifest)


def play(truth: Truth) -> pl.DataFrame:
    """All rows of a run, game by game and seat by seat; faction and strategy as numbers."""
    rng = np.random.default_rng(truth.seed)
    blocks, players, games = truth.blocks, truth.players, truth.blocks * truth.players
    draw = rng.random((blocks, max(len(truth.factions), 1))).argsort(axis=1).astype(np.uint8)
    takes = draw[:, np.arange(players) % draw.shape[1]]
    plays = rng.integers(0, len(truth.strategies), (blocks, players), dtype=np.uint8)
    fortune = rng.normal(0, truth.deal, (blocks, players)).astype(np.float32)
    fortune += np.array(list(truth.factions.values()) or [0.0], np.float32)[takes]
    fortune += np.array(list(truth.strategies.values()), np.float32)[plays]
    turn = (np.arange(players)[None, :] + np.arange(players)[:, None]) % players
    faction, strategy, strength = (a[:, turn].reshape(games, players) for a in (takes, plays, fortune))
    strength = strength + np.array(truth.seats or [0.0] * players, np.float32)
    score = np.clip(np.rint(48 + strength + rng.normal(0, truth.luck, strength.shape)), 5, 120).astype(np.int16)
    block = np.repeat(np.arange(blocks, dtype=np.uint32), players)
    frame = rows(faction, strategy, score, block, list(truth.strategies))
    return against_goal(frame, truth) if players == 1 else frame


def against_goal(frame: pl.DataFrame, truth: Truth) -> pl.DataFrame:
    """Games of one player, won or lost by their score."""
    over = pl.col("score").cast(pl.Int64) - truth.goal
    last = max(len(truth.endings) - 1, 0)
    ending = pl.when(over < 0).then(0).otherwise((1 + over // 8).clip(min(1, last), last))
    rank = pl.when(over < 0).then(2).otherwise(1).cast(pl.UInt8)
    return frame.with_columns(rank=rank, win=(over >= 0).cast(pl.Float32), end_reason=ending.cast(pl.UInt8))


def rows(faction: Any, strategy: Any, score: Any, block: Any, strategies: list[str]) -> pl.DataFrame:
    """Columns of a run from `faction`, `strategy` (numbers) and `score` of shape (games, players), `block` (games,)."""
    games, players = score.shape
    rank = (1 + (score[:, None, :] > score[:, :, None]).sum(axis=2)).astype(np.uint8)
    winners = (rank == 1).sum(axis=1, keepdims=True)
    leaning = [[s * (2.4 if FAVOURS.get(name) == part else 1.0) for part, s in PARTS.items()] for name in strategies]
    weights = np.array(leaning) / np.sum(leaning, axis=1, keepdims=True)
    flat, who = score.ravel(), strategy.ravel()
    # Of its own, so that scores and ranks do not depend on it.
    early = np.random.default_rng(games).normal(0, 1, (2, flat.size))
    after = {name: np.rint(share * flat + spread * luck).astype(np.int16)
             for (name, share, spread), luck in zip(CHECKPOINTS, early, strict=True)}  # fmt: skip
    parts = {part: np.floor(flat * weights[who, i]).astype(np.int16) for i, part in enumerate(PARTS)}
    parts["blue"] += flat - sum(parts.values())
    return pl.DataFrame({
        "game": np.repeat(np.arange(games, dtype=np.uint32), players), "block": np.repeat(block, players),
        "players": np.full(flat.size, players, np.uint8), "seat": np.tile(np.arange(players, dtype=np.uint8), games),
        "faction": faction.ravel(), "strategy": who, "score": flat, "rank": rank.ravel(),
        "win": np.where(rank == 1, 1 / winners, 0).astype(np.float32).ravel(), **parts,
        "coins": (flat % 15).astype(np.int16), **after, "rounds": np.full(flat.size, 18, np.uint8),
        "end_reason": np.zeros(flat.size, np.uint8),
    })  # fmt: skip


def named(frame: pl.DataFrame, truth: Truth) -> pl.DataFrame:
    """The rows with names in place of numbers, as the simulator writes them; no column `faction` without factions."""
    names = {"faction": list(truth.factions), "strategy": list(truth.strategies), "end_reason": list(truth.endings)}
    if not truth.factions:
        frame, names = frame.drop("faction"), {name: names[name] for name in ("strategy", "end_reason")}
    return frame.with_columns(pl.Series(v, dtype=pl.Enum(v)).gather(frame[k]).alias(k) for k, v in names.items())


def write_rows(folder: Path, frame: pl.DataFrame, truth: Truth, part_games: int = 100_000, **manifest: Any) -> Path:
    """Write the parts and `run.json`."""
    (folder / "seats").mkdir(parents=True)
    frame = named(frame, truth)
    games, shards = frame["game"].n_unique(), []
    for number, first in enumerate(range(0, games, part_games)):
        part = frame.filter(pl.col("game").is_between(first, first + part_games - 1))
        file = f"seats/part-{number:06d}.parquet"
        part.write_parquet(folder / file, compression="zstd")
        shards.append({"file": file, "games": part["game"].n_unique(), "rows": part.height})
    content = {**manifest_of(truth, games, frame["block"].n_unique()), "shards": shards, **manifest}
    (folder / "run.json").write_text(json.dumps(content), encoding="utf-8")
    renew_digests(folder)
    return folder


def edit(folder: Path, change: Callable[[dict[str, Any]], object]) -> None:
    """Change what the manifest of a run says."""
    manifest = json.loads((folder / "run.json").read_text())
    change(manifest)
    (folder / "run.json").write_text(json.dumps(manifest))


def renew_digests(folder: Path) -> None:
    """Write the digests of all parts into the manifest: what they hold now passes for what the run wrote."""
    path = folder / "run.json"
    manifest = json.loads(path.read_text(encoding="utf-8"))
    tallies = [part for parts in manifest.get("tally_shards", {}).values() for part in parts]
    for part in (*manifest["shards"], *manifest.get("piece_parts", []), *tallies):
        part["sha256"] = hashlib.sha256((folder / part["file"]).read_bytes()).hexdigest()
    path.write_text(json.dumps(manifest), encoding="utf-8")


def with_fields(manifest: Manifest, fields: Mapping[str, Any]) -> Manifest:
    """A manifest with other values of some fields."""
    return Manifest.model_validate(manifest.model_dump() | fields)


def typed_manifest(truth: Truth, games: int, blocks: int) -> Manifest:
    """The manifest of a run that is in no folder."""
    return Manifest(**manifest_of(truth, games, blocks), shards=[])


def manifest_of(truth: Truth, games: int, blocks: int) -> dict[str, Any]:
    """`run.json` but for its parts."""
    attributes = {name: {"wonder": name.rsplit(" ", 1)[0], "side": name.rsplit(" ", 1)[-1]} for name in truth.factions}
    factions = [{"name": n, "attributes": a, "certainty": "confirmed"} for n, a in attributes.items()]
    player = {"description": "", "temperature": 0.0, "weights": {"score": 1.0}, "source": "hand-made"}
    return {
        "format": "empirelab-run/1", "game": "seven_wonders", "title": "7 Wonders", "variant": "base",
        "players": truth.players, "games": games, "blocks": blocks, "block_games": games // blocks,
        "seed": truth.seed, "assign": "rotate", "detail": "seats",
        "command": f"empirelab simulate seven_wonders --games {games} --seed {truth.seed}",
        "strategies": [{"name": name, "base": name, **player} for name in truth.strategies],
        "lineup": list(truth.strategies), "factions": factions, "factions_dealt": list(truth.factions),
        "factions_fixed": False, "faction_title": "wonder side" if factions else "",
        "faction_attributes": ["wonder", "side"] if factions else [],
        "score_parts": list(PARTS), "measures": ["coins", *(name for name, _, _ in CHECKPOINTS)],
        "checkpoints": [name for name, _, _ in CHECKPOINTS], "end_reasons": list(truth.endings),
        "settings": {"games": games, "players": truth.players, "expansions": "none", "workers": 2},
        "certainty": {"confirmed": 92, "single-source": 0, "stand-in": 0},
        "tables": "", "sources": "", "versions": {"empirelab": "0.1.0", "numba": "0.65.0", "python": "3.11.7"},
        "started": "2026-01-01T12:00:00+00:00", "seconds": 12.3,
    }  # fmt: skip


def write_pieces(folder: Path, table: pl.DataFrame, several: str, part_games: int = 700) -> None:
    """Add a table of pieces, sorted by game and seat, to a run folder whose manifest has no parts of it yet."""
    path = folder / "run.json"
    manifest = json.loads(path.read_text(encoding="utf-8"))
    (folder / several).mkdir()
    shards = []
    for number, first in enumerate(range(0, manifest["games"], part_games)):
        part = table.filter(pl.col("game").is_between(first, first + part_games - 1))
        file = f"{several}/part-{number:06d}.parquet"
        part.write_parquet(folder / file)
        games = min(part_games, manifest["games"] - first)
        shards.append({"file": file, "games": games, "rows": part.height})
    path.write_text(json.dumps({**manifest, "detail": several, "piece_parts": shards}), encoding="utf-8")
    renew_digests(folder)


EPOCHS, EMPIRES_OF_AN_EPOCH = 5, 8
EMPIRES = tuple(f"Empire {epoch}{letter}" for epoch in range(1, EPOCHS + 1) for letter in "ABCDEFGH")
MIGHTY, COVETED = "Empire 2C", "Empire 4F"
TAKEN_ANEW = [{"column": "epoch_taken", "title": "taken", "taken": True, "in_play": True}]


def write_empires(folder: Path, games: int, *, worth: float, skill: float, seed: int = 1) -> Path:
    """A run of a game without factions in which each of four seats takes a new empire in each of five epochs.

    A seat is offered two empires of the epoch, and no two seats the same. Two strategies take the first of them, but
    the skilled one takes `COVETED`, which is worth nothing, whenever it can. Only `MIGHTY` is worth something. Log
    strengths are those of a Plackett-Luce model.
    """
    rng, seats = np.random.default_rng(seed), 4
    offer = rng.random((games, EPOCHS, EMPIRES_OF_AN_EPOCH)).argsort(axis=2).reshape(games, EPOCHS, seats, 2)
    offer = offer.swapaxes(1, 2) + EMPIRES_OF_AN_EPOCH * np.arange(EPOCHS)[None, None, :, None]
    strategy = rng.integers(0, 2, (games, seats))
    covets = (strategy[:, :, None] == 1) & (offer[..., 1] == EMPIRES.index(COVETED))
    takes = np.where(covets, offer[..., 1], offer[..., 0])
    eta = skill * strategy + worth * (takes == EMPIRES.index(MIGHTY)).any(axis=2)
    score = np.rint(1000 * (eta + rng.gumbel(0, 1, eta.shape))).astype(np.int16)
    truth = Truth(blocks=games, factions={}, strategies={"plain": 0.0, "skilled": skill}, seed=seed)
    frame = rows(np.zeros_like(strategy), strategy, score, np.arange(games, dtype=np.uint32), list(truth.strategies))
    kept = {
        "piece": "empire",
        "pieces_offered": "offered",
        "piece_events": TAKEN_ANEW,
        "pieces_changeable": False,
        "title": "Empires of the World",
    }
    write_rows(folder, frame, truth, **kept)
    each = EPOCHS * 2
    table = pl.DataFrame({
        "game": np.repeat(np.arange(games, dtype=np.uint32), seats * each),
        "seat": np.tile(np.repeat(np.arange(seats, dtype=np.uint8), each), games),
        "empire": pl.Series(EMPIRES, dtype=pl.Enum(EMPIRES)).gather(offer.ravel().astype(np.uint32)),
        "offered": np.ones(offer.size, np.uint8),
        "epoch_taken": ((offer == takes[..., None]) * np.arange(1, EPOCHS + 1)[:, None]).ravel().astype(np.uint8),
    })  # fmt: skip
    write_pieces(folder, table, "empires")
    return folder


# ---- Tables of players who choose among strategies ----

Strengths = Callable[[np.ndarray], np.ndarray]


def made_up_tables(names: str, players: int, blocks: int, strengths: Strengths, seed: int = 1) -> TableWins:
    """Tables whose every game is won by a seat with a chance in proportion to its strength in that company.

    `strengths` takes the seats of each strategy at the table and returns the strength of a seat of each.
    """
    companies, rng = companies_of(len(names), players), np.random.default_rng(seed)
    wins = np.zeros((blocks, *companies.tables.shape))
    for place, seats in enumerate(companies.tables):
        chance = seats * strengths(seats)
        won = rng.multinomial(players, chance / chance.sum(), blocks)
        wins[:, place] = won / np.maximum(players * seats, 1)
        if seats.max() == players:
            wins[:, place] = (seats > 0) / players
    ones, squares = np.ones(blocks), (wins**2).sum(axis=0)
    return TableWins(tuple(names), companies, ones, wins, squares, np.ones(len(companies.tables), np.bool_))


def studied(tables: TableWins, fresh: TableWins, resamples: int = 200) -> Metagame:
    """What the study finds in such tables."""
    equilibria = symmetric_equilibria(tables.companies, tables.payoffs[None])[0]
    payoffs = resampled_payoffs(tables, resamples)
    config = RunConfig(game="seven_wonders", players=tables.companies.players)
    supports = tuple(in_resamples(tables, equilibria, payoffs))
    invaders = tuple(invader_rows(fresh, one.shares, len(equilibria)) for one in equilibria)
    return Metagame(config, "Made up", tables, tuple(equilibria), supports, len(payoffs), fresh, invaders)


def equal(seats: np.ndarray) -> np.ndarray:
    return np.ones(len(seats))


def rare_is_strong(seats: np.ndarray) -> np.ndarray:
    """Whoever plays what few play wins more."""
    return 1.0 / np.maximum(seats, 1)


def made_up_histories(
    seed: int, games: int = 600, seats: int = 4, rounds: int = 8, grows: float = 0.0, comes_late: float = 1.0
) -> Histories:
    """Return games whose seats gain points each round, some factions more; two games of a deal share half their luck.

    Parameters
    ----------
    grows
        Points that a seat gains each round for each point that it is ahead of the table.
    comes_late
        How many times as much the last round brings.
    """
    rng = np.random.default_rng(seed)
    faction = np.stack([rng.permutation(6)[:seats] for _ in range(games // 2)]).repeat(2, axis=0)
    shared = rng.normal(0, 2, (games // 2, rounds, seats)).repeat(2, axis=0)
    gains = 5 + 0.3 * faction[:, None, :] + shared + rng.normal(0, 2, (games, rounds, seats))
    gains[:, -1] = (gains[:, -1] - 5) * comes_late + 5
    totals, score = np.zeros((games, rounds, seats)), np.zeros((games, seats))
    for number in range(rounds):
        score = score + gains[:, number] + grows * (score - score.mean(axis=1, keepdims=True))
        totals[:, number] = score
    scores = np.rint(100 * totals).astype(np.int64)
    wins = scores[:, -1] == scores[:, -1].max(axis=1, keepdims=True)
    return Histories(
        np.arange(games) // 2, np.full(games, rounds - 1), scores, wins / wins.sum(axis=1, keepdims=True), faction,
        np.zeros_like(faction),
    )  # fmt: skip


def made_up_ways(seed: int, share: float = 0.8, games: int = 800, factions: int = 6) -> Ways:
    """Return two ways to win of made-up games that win alike; every faction takes the first in a share of its games.

    The two games of a deal have the same factions, and each takes the way of the first again in half of all deals.
    """
    rng = np.random.default_rng(seed)
    faction = np.stack([rng.permutation(factions)[:4] for _ in range(games // 2)]).repeat(2, axis=0)
    way = (rng.random((games // 2, 2, 4)) > share).astype(np.int64)
    way[:, 1] = np.where(rng.random((games // 2, 1)) < 0.5, way[:, 0], way[:, 1])
    won = np.eye(4)[rng.integers(0, 4, games)]
    ways, block = way.reshape(games, 4).ravel(), np.repeat(np.arange(games) // 2, 4)
    values = np.stack([ways, 1 - ways], axis=1).astype(np.float64)
    profiles = Profiles(values, values, ("a", "b"), 2, block, won.ravel(), np.full(4 * games, 0.25), faction.ravel())
    names = [f"faction {number}" for number in range(factions)]
    return judged_ways(names, profiles, np.ones(len(ways), bool), ways, ("more b", "more a"))


def made_up_restrictions(seed: int, kinds: int = 20, blocks: int = 150, edge: float = 0.0) -> list[RestrictedArm]:
    """Return arms in which a restricted player wins 1/4 and `edge` of its games; half of all deals favour it or not.

    Half of the games of an arm have the same winner as without the restriction.
    """
    rng = np.random.default_rng(seed)
    favour = rng.choice([-0.08, 0.08], blocks)
    shared = rng.binomial(2, 0.25 + favour)
    control = shared + rng.binomial(2, 0.25 + favour)
    wins = shared + rng.binomial(2, np.clip(0.25 + 2 * edge + favour, 0, 1), (kinds, blocks)).astype(np.float64)
    games, score = np.full((kinds, blocks), 4.0), rng.normal(50, 5, (2, kinds, blocks))
    sums = np.stack([games, wins, *score], axis=2)
    return [
        RestrictedArm("never", f"kind {number}", "balanced", own, control, Restriction())
        for number, own in enumerate(sums)
    ]
