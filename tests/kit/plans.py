"""Plans for the harnesses: every table of every game, and who sits there."""

from collections.abc import Sequence
from dataclasses import replace
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from sim.data.declarations import GAMES
from sim.engine.result_rows import RANK
from sim.engine.script import Script, Strategy
from sim.engine.seating import PLAN
from sim.game import Data, load_game
from sim.players.batch import Plan, play
from sim.players.compile_players import players_of
from sim.runs.config import RunConfig, make_plan
from sim.runs.store.manifest import SEAT_TABLE

# The complete tiny game of docs/adding-a-game.md has to hold what every game holds.
GAMES.setdefault("goofspiel", "docs.examples.goofspiel.game")
KIT_GAMES = {name: f"tests.games.{name}" for name in GAMES}
"""Games that the harnesses try, with the package in which each supplies what they ask of it."""
EVERY_TABLE = [
    (name, variant.name, players)
    for name in KIT_GAMES
    for variant in load_game(name).variants
    for players in variant.players
]
"""Game, variant and number of players, for all there are."""
MOST_VARIANTS = 8
"""Variants of a game that are tried without `--full`."""


def variants_tried(game: str) -> list[str]:
    """Return the variants of a game that are tried without `--full`: all, or where there are many, every so-manieth."""
    variants = [variant.name for variant in load_game(game).variants]
    return variants[:: -(-len(variants) // MOST_VARIANTS)]


TRIED_TABLES = [
    pytest.param(*table, marks=() if table[1] in variants_tried(table[0]) else pytest.mark.sweep)
    for table in EVERY_TABLE
]
"""Every table; without `--full` those of the variants that are tried."""
ONE_TABLE_EACH = [next(table for table in EVERY_TABLE if table[0] == name) for name in KIT_GAMES]
"""The first table of each game."""


def tables_of(game: str) -> list[tuple[str, str, int]]:
    """Return all variants and numbers of players of a game."""
    return [table for table in EVERY_TABLE if table[0] == game]


def sample_of(tables: Sequence[tuple[str, str, int]]) -> list[tuple[str, str, int]]:
    """Return few of these tables of a game, in which each variant tried and each number of players comes up."""
    found: list[tuple[str, str, int]] = []
    tables = [table for table in tables if table[1] in variants_tried(table[0])]
    variants = list(dict.fromkeys(variant for _, variant, _ in tables))
    for table in sorted(tables, key=lambda table: (table[2] - variants.index(table[1])) % len(variants)):
        _, variant, players = table
        if variant not in [one[1] for one in found] or players not in [one[2] for one in found]:
            found.append(table)
    return found


def few_of(tables: Sequence[tuple[str, str, int]]) -> list[tuple[str, str, int]]:
    """Return still fewer of these tables of a game: one for each number of players, in different variants if it can."""
    return list({table[2]: table for table in reversed(sample_of(tables))}.values())


AT_TABLES = [
    pytest.param(*table, marks=() if table in few_of(tables_of(table[0])) else pytest.mark.sweep)
    for table in EVERY_TABLE
]
"""Every table for tests with `--full`; else one for each number of players, in different variants if it can be."""


def supplied(game: str, name: str) -> Any:
    """Return the module in which a game supplies something to a harness: tests/games/<game>/<name>.py."""
    return import_module(f"{KIT_GAMES[game]}.{name}")


def folder_of(game: str) -> Path:
    """Return the folder in which a game supplies what the harnesses ask of it."""
    package: ModuleType = import_module(KIT_GAMES[game])
    return Path(next(iter(package.__path__)))


def plan_for(game: str, variant: str | None = None, players: int | None = None, **options: Any) -> Plan:
    """Return the plan of a run; random players unless options say otherwise."""
    table = {"variant": variant, "players": load_game(game).default_players if players is None else players}
    return make_plan(RunConfig(game=game, **{"strategies": ["random"], **table, **options}))


def deal(
    game: str, g: Any, t: Any, factions: Sequence[int], *, players: int, fixed: bool = False, seed: int = 1,
    number: int = 0, block_games: int = 1, variant: int = 0,
) -> None:  # fmt: skip
    """Set up a game in a record, with factions from a pool or, if they are fixed, by seat; nobody plays it."""
    plan: Any = np.zeros(1, PLAN)[0]
    plan.seed, plan.players, plan.variant, plan.block_games, plan.lineup_size = seed, players, variant, block_games, 1
    plan.factions[: len(factions)] = factions
    plan.faction_count, plan.factions_fixed = len(factions), fixed
    load_game(game).kernels.start_game(g, t, plan, number)


def all_detail(game: str) -> str:
    """Return the value of the option `detail` that keeps all a game can keep: its pieces, where it has any."""
    pieces = load_game(game).pieces
    return SEAT_TABLE if pieces is None else pieces.plural


def mixed(game: str) -> list[str]:
    """Players who differ in what they do and in how they draw: chance, what the game plays by default, noise."""
    default = load_game(game).default_strategies[0].partition("@")[0]
    return ["random", default, f"{default}@0.7"]


def with_player(plan: Plan, name: str, score: Any) -> Plan:
    """Return the plan with one scoring function in every seat."""
    strategy = Strategy(name=name, script=Script(name=name, score=score, parameters=(), description=name))
    return replace(plan, strategies=(strategy,), lineup=(0,))


def rows_of(plan: Plan, first: int, count: int) -> np.ndarray:
    """Return the seat rows of some games of a plan, shape (count, players, columns)."""
    return play(plan, players_of(plan), first, count)[0].reshape(count, plan.players, -1)


def exclusive_names(data: Data, exclusive: str) -> list[str]:
    """Return of each faction that of which no table has two alike: an attribute, or its name."""
    return [faction.attributes[exclusive] if exclusive else faction.name for faction in data.factions]


def has_winners(rows: np.ndarray) -> bool:
    """Tell whether every game was won by somebody, given its seat rows; who is alone at the table may lose it."""
    best = rows[:, :, RANK].min(axis=1)
    return bool((best == 1).all()) or (rows.shape[1] == 1 and set(best.tolist()) <= {1, 2})
