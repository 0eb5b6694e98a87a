"""The trials of a soak: random runs of a game, and the checks that every run must pass.

Trial k of seed s is the same on any machine. The number of players, the strategy of the first player, and whether a
player looks ahead follow from k, so that short soaks cover all of these. The other strategies, temperatures, variant,
settings, factions and decks are drawn at random. The games of a trial are played in stretches of consecutive games. For
each stretch these checks are made:

- The invariants of the game hold (`sim.diagnostics.invariant_watch`): before every decision in a whole trial, at the
  ends of turns in other trials. The invariants of results hold for every finished game.
- The games have the same results when they are replayed without the check of invariants, in two parts cut at a random
  place. In a whole trial every stretch is replayed, in other trials one of several.
- No strategy writes into the first game (`sim.players.readonly_check`), and this game can be narrated.
"""

from __future__ import annotations

import math
import shlex
import sys
import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from sim.data.catalog import read_toml
from sim.data.changes import split_changes
from sim.diagnostics.invariant_watch import InvariantWatcher, broken_results
from sim.diagnostics.soak_plain import check_plain_stretch
from sim.errors import UserError
from sim.game import Data, GameSpec, boards_needed
from sim.players.batch import Plan, play_all
from sim.players.compile_players import players_of
from sim.players.find_strategies import load_strategies, strategy_files
from sim.runs.config import RunConfig, game_of, make_plan
from sim.runs.replay import tell_game
from sim.runs.store.manifest import SEAT_TABLE

MAX_STRATEGIES = 6
TEMPERATURES = (0.1, 0.5, 1.0, 3.0)
ROLLOUTS = (1, 2)
"""Numbers of rollouts of players who look ahead. They are small, because each rollout plays a game."""
LOOK_AHEAD = "players who look ahead"
SHARE_SOFT, SHARE_SETTING, SHARE_POOL, SHARE_PIECES, SHARE_DECK = 0.3, 0.15, 0.3, 0.5, 0.5
"""Probabilities: that a strategy has a temperature, that a setting has another value, that the pool of factions is
smaller, that rows of pieces are recorded, and that a deck is used."""
LEAST_CYCLE = 3
"""At most one trial in `LEAST_CYCLE` has a player who looks ahead."""
SHARE_JUDGED = 0.5
"""Probability of a player with the learned judge that comes with the game, if there is a judge for the table."""
WHOLE_EVERY = 4
"""One trial in `WHOLE_EVERY` is whole: invariants are checked before every decision, and games played twice."""
TRIAL_SECONDS = 4.0
"""Approximate limit of a trial in CPU seconds."""
TRIAL_GAMES = 4000
"""Approximate limit of a trial in games."""
STRETCH = 400
"""Maximum number of games in a stretch."""
AGAIN_EVERY = 4
"""In a trial that is not whole, one stretch in `AGAIN_EVERY` is replayed, beginning with the first stretch."""


# ---- Drawing ----


@dataclass(frozen=True)
class Trial:
    """A run drawn at random: trial `number` of a seed.

    In a `whole` trial invariants are checked before every decision, and every game is replayed. In others invariants
    are checked at the ends of turns, and some games are replayed.
    """

    number: int
    config: RunConfig
    whole: bool = True


def draw_trial(name: str, seed: int, number: int, decks: Sequence[str] = (), changes: Sequence[str] = ()) -> Trial:
    """Draw trial `number` of a seed. It uses some of the decks, and makes all changes."""
    random = np.random.default_rng([seed, number])
    chosen = [deck for deck in decks if random.random() < SHARE_DECK]
    game = game_of(RunConfig(game=name, decks=chosen))
    counts = sorted({count for variant in game.variants for count in variant.players})
    players = counts[number % len(counts)]
    variants = [variant for variant in game.variants if players in variant.players]
    variant = variants[random.integers(len(variants))]
    settings = draw_settings(game, random)
    of_game = split_changes(changes, list(game.files), list(strategy_files(game.name)))[0]
    try:
        data = game.load(settings, of_game)
    except UserError:
        if not of_game:
            raise
        settings = {}  # the drawn settings may select tables without the rows to be changed
        data = game.load(settings, of_game)
    assign: Any = str(random.choice(["rotate", "random", "fixed"], p=[0.6, 0.2, 0.2]))
    count = int(random.integers(1, MAX_STRATEGIES + 1)) if assign != "fixed" else players
    config = RunConfig(
        game=name,
        games=1,
        players=players,
        variant=variant.name,
        strategies=draw_strategies(game, count, number, len(counts), random),
        factions=draw_factions(game, data, players, random),
        assign=assign,
        seed=int(random.integers(1, 1 << 31)),
        detail=game.pieces.plural if game.pieces is not None and random.random() < SHARE_PIECES else SEAT_TABLE,
        settings=settings,
        changes=list(changes),
        decks=chosen,
    )
    if random.random() < SHARE_JUDGED:
        config = with_judge(config)
    return Trial(number, config, whole=number % WHOLE_EVERY == 0)


def with_judge(config: RunConfig) -> RunConfig:
    """Return a configuration with a judge's player in first place, or unchanged if its table has no judge."""
    judged = config.model_copy(update={"strategies": ["judge+1", *config.strategies[1:]]})
    try:
        make_plan(judged)
    except UserError:
        return config
    return judged


def met_by(players: object, variant: object, strategies: Sequence[str]) -> set[str]:
    """Return what a trial covers, in words: number of players, variant, strategies, and look-ahead if any."""
    names = {name.split("@")[0].split("+")[0] for name in strategies}
    ahead = {LOOK_AHEAD} if any("+" in name for name in strategies) else set()
    return {f"{players} players", f"variant {variant}"} | names | ahead


def not_met(
    name: str, seed: int, decks: Sequence[str], changes: Sequence[str], met: set[str], following: int
) -> tuple[list[str], int]:
    """Return what no trial has covered so far, and about how many more trials are needed to cover it.

    The items are numbers of players, variants, strategies, and look-ahead. `met` is what trials have covered
    (`met_by`), and `following` the number of the next trial.
    """
    game = game_of(RunConfig(game=name, decks=list(decks)))
    known = strategies_drawn(game)
    counts = sorted({count for variant in game.variants for count in variant.players})
    every = [LOOK_AHEAD] if can_look_ahead(game) else []
    every += [f"{count} players" for count in counts] + [f"variant {variant.name}" for variant in game.variants] + known
    missing = [one for one in every if one not in met]
    most = max(len(known), max(len(counts), LEAST_CYCLE) * len(counts))
    left, more = set(missing), 0
    while left and more < most:
        config = draw_trial(name, seed, following + more, decks, changes).config
        left -= met_by(config.players, config.variant, config.strategies)
        more += 1
    return missing, more


def strategies_drawn(game: GameSpec) -> list[str]:
    """Return the names of the strategies from which trials draw."""
    known = list(load_strategies(game.name))
    if game.plain is not None and not game.plain.shows:
        known = [name for name in known if not game.plain.players[name].chooses]
    return known


def can_look_ahead(game: GameSpec) -> bool:
    """Tell whether players of a game can look ahead. For this a game in plain Python must declare what is hidden."""
    return game.plain is None or bool(game.plain.hides)


def draw_strategies(game: GameSpec, count: int, number: int, counts: int, random: np.random.Generator) -> list[str]:
    """Draw the names of the line-up for trial `number`. Some have a temperature, and in some trials one looks ahead.

    From trial to trial the first player goes through all strategies. In each cycle of trials, one trial has a player
    who looks ahead. The position of this trial within the cycle moves on by one from cycle to cycle. So there is
    look-ahead with every number of players. `count` is the number of names to draw, and `counts` how many different
    numbers of players the game allows.
    """
    known = strategies_drawn(game)
    names = [known[number % len(known)], *map(str, random.choice(known, count - 1))]
    cycle = max(counts, LEAST_CYCLE)
    if number % cycle == (number // cycle + 1) % cycle and can_look_ahead(game):
        names[random.integers(count)] += f"+{random.choice(ROLLOUTS)}"
    return [f"{name}@{random.choice(TEMPERATURES)}" if random.random() < SHARE_SOFT else name for name in names]


def draw_settings(game: GameSpec, random: np.random.Generator) -> dict[str, Any]:
    """Draw some of the settings, each with a value other than its default."""
    drawn = {}
    for name, values in game.plain.kind.settings.items() if game.plain is not None else ():
        if len(values) > 1 and random.random() < SHARE_SETTING:
            drawn[name] = values[random.integers(1, len(values))]
    for file, tables in game.files.items():
        for row in read_toml(game.folder / file).get("setting", []) if "setting" in tables else []:
            others = [value for value in row["allowed"] if value != row["value"]]
            if others and random.random() < SHARE_SETTING:
                drawn[row["name"]] = others[random.integers(len(others))]
    return drawn


def draw_factions(game: GameSpec, data: Data, players: int, random: np.random.Generator) -> list[str]:
    """Draw a pool of factions: usually all, otherwise a random part that is large enough for a table."""
    if not data.factions or random.random() >= SHARE_POOL:
        return ["all"]
    kinds = [one.attributes[game.exclusive] if game.exclusive else one.name for one in data.factions]
    unlike = sorted(set(kinds))
    size = int(random.integers(min(boards_needed(game, players), len(unlike)), len(unlike) + 1))
    pool = set(random.choice(unlike, size, replace=False).tolist())
    return [one.name for one, kind in zip(data.factions, kinds, strict=True) if kind in pool]


def trial_command(trial: Trial, seed: int, games: int | None, decks: Sequence[str]) -> str:
    """Return the command that replays a trial with all checks."""
    words = ["empirelab", "soak", trial.config.game, "--seed", str(seed), "--trial", str(trial.number)]
    words += ["--games", str(games)] if games else []
    for option, values in (("--deck", decks), ("--change", trial.config.changes)):
        words += [word for value in values for word in (option, value)]
    return shlex.join(words)


# ---- Playing and checking ----


@dataclass(frozen=True)
class Clean:
    """Number of games of a clean stretch, of their decisions, and of decisions before which invariants were checked."""

    games: int
    decisions: int
    looked_at: int


def play_trial(
    trial: Trial, games: int | None = None, report: Callable[[Clean], None] = lambda clean: None
) -> tuple[int, str]:
    """Play a trial with all checks; return the number of games begun, and the failed check (empty if all passed).

    By default it plays as many games as fit into `TRIAL_SECONDS`. `report` receives the counts of each clean stretch.
    """
    faults: list[str] = []
    sys.unraisablehook = lambda raised: faults.append(f"in a strategy, {raised.exc_value!r}")
    begun = 0
    try:
        plan = make_plan(trial.config)
        players = players_of(plan)
        random = np.random.default_rng(trial.number)
        size, stretch, started = plan.block_games, 0, math.inf
        while begun < (games or TRIAL_GAMES) and (games or time.thread_time() - started < TRIAL_SECONDS):
            size = size if games is None else min(size, games - begun)
            begun += size
            again = trial.whole or stretch % AGAIN_EVERY == 0
            if plan.game.plain is None:
                fault, clean = check_stretch(plan, players, begun - size, size, random, trial.whole, again)
            else:
                fault, *counts = check_plain_stretch(plan, begun - size, size, random, trial.whole)
                clean = Clean(size, *counts)
            if fault or faults:
                return begun, "; ".join([*filter(None, [fault]), *_counted(faults)])
            report(clean)
            started = min(started, time.thread_time())  # start the clock after the first stretch, which may compile
            size, stretch = min(2 * size, STRETCH), stretch + 1
    except UserError as error:
        return begun, str(error)
    except (ArithmeticError, LookupError, ValueError, TypeError, RuntimeError, SystemError) as error:
        # An error in kernels or their callers, for example an index out of bounds.
        return begun, f"{type(error).__name__}: {error}"
    return begun, ""


def _counted(faults: list[str]) -> list[str]:
    """Return each fault once, with the number of times it occurred."""
    return [fault if count == 1 else f"{fault} ({count} times)" for fault, count in Counter(faults).items()]


def check_stretch(
    plan: Plan, players: Any, first: int, count: int, random: np.random.Generator, whole: bool, again: bool
) -> tuple[str, Clean]:
    """Play and check some games; return the failed check (empty if all passed), and the counts of the games.

    Invariants are checked before every decision of a `whole` trial, otherwise at the ends of turns. With `again`, the
    games are replayed. Raise UserError if a game cannot continue, or a strategy writes into it.
    """
    watch = InvariantWatcher(plan.game, players, at_turns=not whole)
    seen = play_all(plan, watch.players, first, count)
    fault = watch.broken()
    if not fault and again and (cut := cut_of_others(plan, players, first, count, seen, random)) is not None:
        last, second = first + count - 1, first + cut
        fault = f"games {first} to {last} differ when replayed in two stretches, the second from game {second} on"
    if not fault:
        fault = broken_results(plan, seen[0].reshape(count, plan.players, -1), first)
    if not fault and first == 0:
        fault = fault_of_first(plan, players, seen[0][: plan.players])
    return fault, Clean(count, int(watch.notes.asked), int(watch.notes.checks))


def cut_of_others(
    plan: Plan, players: Any, first: int, count: int, seen: tuple[np.ndarray, ...], random: np.random.Generator
) -> int | None:
    """Replay games in two parts; return the size of the first part if the results differ from `seen`, else None."""
    cut = int(random.integers(count + 1))
    parts = (play_all(plan, players, first, cut), play_all(plan, players, first + cut, count - cut))
    same = all(
        np.array_equal(rows, np.concatenate([part[number] for part in parts])) for number, rows in enumerate(seen)
    )
    return None if same else cut


def fault_of_first(plan: Plan, players: Any, rows: np.ndarray) -> str:
    """Replay game 0 with the read-only check, and narrate it; return the failed check (empty if all passed)."""
    checked = play_all(replace(plan, checked=True), players, 0, 1)
    if not np.array_equal(checked[0], rows):
        return "game 0 differs when replayed with the read-only check"
    return "" if tell_game(plan, 0) else "the narration of game 0 is empty"
