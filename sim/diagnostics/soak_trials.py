"""Drawing the trials of a soak: random runs of a game, the same ones anywhere.

Trial k of seed s is a random choice of strategies, temperatures, players who look ahead, variant, number of players,
settings, factions and decks.
"""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from sim.data.catalog import read_toml
from sim.game import Data, Game, boards_needed
from sim.players.find_strategies import load_strategies
from sim.runs.config import RunConfig, game_of
from sim.runs.store.manifest import SEAT_TABLE

MOST_STRATEGIES = 6
TEMPERATURES = (0.1, 0.5, 1.0, 3.0)
ROLLOUTS = (1, 2)
"""Of players who look ahead: each rollout is a game."""
SHARE_SOFT, SHARE_AHEAD, SHARE_SETTING, SHARE_POOL, SHARE_PIECES, SHARE_DECK = 0.3, 0.15, 0.15, 0.3, 0.5, 0.5
"""Chances: of a temperature, of a trial with one who looks ahead, of another value of a setting, of a smaller pool of
factions, of rows of pieces, and of each deck."""
WHOLE_EVERY = 4
"""Of so many trials one is looked at before every decision, and all its games are played twice."""


@dataclass(frozen=True)
class Trial:
    """A run that was drawn.

    Attributes
    ----------
    number
        Which of its seed.
    config
        What it is asked to be.
    whole
        Whether laws are looked at before every decision, and every game is played again; else at the ends of turns,
        and some of the games.
    """

    number: int
    config: RunConfig
    whole: bool = True


def draw_trial(name: str, seed: int, number: int, decks: Sequence[str] = ()) -> Trial:
    """Draw trial `number` of a seed.

    Raises
    ------
    UserError
        There is no such game, or it does not take these decks.
    """
    random = np.random.default_rng([seed, number])
    chosen = [deck for deck in decks if random.random() < SHARE_DECK]
    game = game_of(RunConfig(game=name, decks=chosen))
    variant = game.variants[random.integers(len(game.variants))]
    players = int(random.choice(variant.players))
    settings = draw_settings(game, random)
    assign: Any = str(random.choice(["rotate", "random", "fixed"], p=[0.6, 0.2, 0.2]))
    count = int(random.integers(1, MOST_STRATEGIES + 1)) if assign != "fixed" else players
    config = RunConfig(
        game=name,
        games=1,
        players=players,
        variant=variant.name,
        strategies=draw_strategies(game, count, random),
        factions=draw_factions(game, game.load(settings), players, random),
        assign=assign,
        seed=int(random.integers(1, 1 << 31)),
        detail=game.pieces.plural if game.pieces is not None and random.random() < SHARE_PIECES else SEAT_TABLE,
        settings=settings,
        decks=chosen,
    )
    return Trial(number, config, whole=number % WHOLE_EVERY == 0)


def draw_strategies(game: Game, count: int, random: np.random.Generator) -> list[str]:
    """Draw so many names of a line-up; some with a temperature, at times one who looks ahead."""
    known = list(load_strategies(game.name))
    names = [str(name) for name in random.choice(known, count)]
    if random.random() < SHARE_AHEAD:
        names[random.integers(count)] += f"+{random.choice(ROLLOUTS)}"
    return [f"{name}@{random.choice(TEMPERATURES)}" if random.random() < SHARE_SOFT else name for name in names]


def draw_settings(game: Game, random: np.random.Generator) -> dict[str, Any]:
    """Draw other values for some settings."""
    drawn = {}
    for file, tables in game.files.items():
        for row in read_toml(game.folder / file).get("setting", []) if "setting" in tables else []:
            others = [value for value in row["allowed"] if value != row["value"]]
            if others and random.random() < SHARE_SETTING:
                drawn[row["name"]] = others[random.integers(len(others))]
    return drawn


def draw_factions(game: Game, data: Data, players: int, random: np.random.Generator) -> list[str]:
    """Draw a pool of factions: mostly all, else enough for a table."""
    if not data.factions or random.random() >= SHARE_POOL:
        return ["all"]
    kinds = [one.attributes[game.exclusive] if game.exclusive else one.name for one in data.factions]
    unlike = sorted(set(kinds))
    size = int(random.integers(min(boards_needed(game, players), len(unlike)), len(unlike) + 1))
    pool = set(random.choice(unlike, size, replace=False).tolist())
    return [one.name for one, kind in zip(data.factions, kinds, strict=True) if kind in pool]


def command_again(trial: Trial, seed: int, games: int | None, decks: Sequence[str]) -> str:
    """Return the command that plays a trial again, with everything checked."""
    words = ["empirelab", "soak", trial.config.game, "--seed", str(seed), "--trial", str(trial.number)]
    words += ["--games", str(games)] if games else []
    for deck in decks:
        words += ["--deck", deck]
    return shlex.join(words)
