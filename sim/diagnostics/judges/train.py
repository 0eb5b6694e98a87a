"""Trains a learned judge by games of self-play, tests it on fresh deals and writes it with a player who uses it."""

from __future__ import annotations

import math
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import tomli_w

from sim.data.catalog import CONFIGS
from sim.data.files import write_whole
from sim.diagnostics.judges.fit import Net, examples_of, first_net, fit_net, gradients, roles_of_seats
from sim.diagnostics.judges.self_play import GAMES_AT_A_TIME, Positions, beginnings, joined, positions_of
from sim.engine.result_rows import BLOCK, RANK, STRATEGY
from sim.engine.script import Strategy
from sim.errors import UserError
from sim.game import load_game
from sim.players.batch import Plan, play
from sim.players.compile_players import players_of
from sim.players.find_strategies import check_name, load_strategies
from sim.players.judge_files import ROLES, Judge, JudgeRecord, judge_for, write_judge
from sim.players.search_config import SearchTable, search_of
from sim.runs.config import RunConfig, conditions, make_plan

PASSES = 5
"""How often the fit uses every position."""
USUAL_SEARCH = {"rollouts": 4, "options": 4, "horizon": 1}
"""How a judge's player looks ahead in a game that has no such player yet."""
PLAYER = "judge"
"""Name of the players with judges that come with the games."""
FRESH_DEALS = 1 << 40
"""Distance of the seed of the test from that of the training."""
NEW, OLD = 0, 1
SURELY = 1.96
"""Standard errors of a confidence interval of 95 %."""


@dataclass(frozen=True)
class Duel:
    """Win rates per seat of a new judge's player at tables with an old one, in percent, with the standard error."""

    opponent: str
    win_rate: float
    error: float
    fair: float
    games: int

    def __str__(self) -> str:
        """Return the result in one line."""
        shown = f"{self.win_rate:.1f} ± {self.error:.1f} % (fair: {self.fair:.1f} %)"
        return f"wins at tables with {self.opponent}: {shown} in {self.games:,} games on fresh deals"


@dataclass(frozen=True)
class Training:
    """What a training brought: the judge, how it did on fresh deals, and the file of its weights."""

    judge: Judge
    duel: Duel
    weights: Path


def train_judge(
    config: RunConfig,
    out: Path,
    *,
    base: str = "balanced",
    games: int = 200_000,
    fresh: int = 1000,
    say: Callable[[str], None] = print,
) -> Training:
    """Train a judge for a table and write it with a player who uses it.

    Parameters
    ----------
    config
        The table: game, number of players, variants, changes, settings, decks, seed.
    out
        TOML file of the player; the weights are written beside it.
    base
        Player whose games the judge learns from, and who plays the rollouts.
    games
        Games of self-play.
    fresh
        Games of the test.
    say
        Is told the progress.

    Raises
    ------
    UserError
        The game has no features for a judge, the base looks ahead, or the new judge is weaker than the old.
    """
    plans = plans_of(config, base)
    scale = search_of(plans[0].game, 1).lead_scale
    check_name(out.stem, load_strategies(config.game, judges=True))
    rounds = forecast(plans, games, scale, say)
    positions = play_self(plans, games, scale, rounds, say)
    judge = fit_judge(positions, plans, base, games, scale, say)
    weights = out.with_suffix(".npz")
    search = search_table(config.game)
    duel = test_judge(judge, plans[0], search, out, fresh)
    if duel.win_rate + SURELY * duel.error < duel.fair:
        message = f"the new judge is weaker than {duel.opponent}, so nothing is written"
        raise UserError(message, found=str(duel), allowed="more games of self-play")
    write_judge(weights, judge)
    write_whole(out, player_file(out, base, search, duel, judge).encode())
    return Training(judge, duel, weights)


def plans_of(config: RunConfig, base: str) -> tuple[Plan, ...]:
    """Return a plan of self-play for each variant.

    Raises
    ------
    UserError
        The game has no features for a judge, or the base or the table is impossible.
    """
    game = load_game(config.game)
    if game.judge is None and game.plain is None:
        raise UserError(f"{game.title} has no features for a judge", field="game", found=game.name)
    if isinstance(config.players, list) or config.players < 2:
        raise UserError("a judge is trained for one table of several players", field="players", found=config.players)
    names, _ = beginnings(base)
    plans = tuple(
        make_plan(config.model_copy(update={"strategies": names, "players": players, "variant": variant}))
        for players, variant in conditions(config)
    )
    if plans[0].looks_ahead or "@" in base:
        message = "the base of a judge plays without look-ahead and noise"
        raise UserError(message, field="base", found=base, allowed="a scripted player, such as balanced")
    return plans


def search_table(game: str) -> dict[str, object]:
    """Return how the player with a judge of a game looks ahead, without its judge."""
    shipped = load_strategies(game, judges=True).get(PLAYER)
    if shipped is None or shipped.search is None:
        return dict(USUAL_SEARCH)
    usual = search_of(load_game(game), 1).model_dump()
    own = shipped.search.model_dump(exclude_none=True)
    return {"rollouts": shipped.search.rollouts} | {
        name: value for name, value in own.items() if value != usual[name] and name != "judge"
    }


# ---- Self-play ----


def forecast(plans: Sequence[Plan], games: int, scale: float, say: Callable[[str], None]) -> float:
    """Play a few games, say how long the training will take, and return the rounds of a usual game."""
    usual = 1.0
    for _ in range(2):  # the first time compiles
        begun = time.perf_counter()
        parts = [positions_of(plan, 0, GAMES_AT_A_TIME, scale, usual) for plan in plans]
        usual = max(1.0, float(np.concatenate([part.rounds for part in parts]).mean()))
    played = (time.perf_counter() - begun) / len(plans) / GAMES_AT_A_TIME
    seconds = games * (played + PASSES * seconds_of_fit(joined(parts), plans[0]) / len(plans) / GAMES_AT_A_TIME)
    say(f"{games:,} games of self-play at {1 / played:,.0f} a second, then the fit: about {minutes(seconds)}")
    return usual


def seconds_of_fit(positions: Positions, plan: Plan) -> float:
    """Measure how long a step of the fit takes with positions."""
    features, roles = size_of_net(plan)
    known = np.arange(len(positions))
    examples, _ = examples_of(positions, features, known)
    net, table = first_net(np.random.default_rng(0), features, roles), roles_of_seats(plan.players, roles)
    begun = time.perf_counter()
    gradients(net, examples.matrix(known), table, positions.chance[known])
    return time.perf_counter() - begun


def size_of_net(plan: Plan) -> tuple[int, int]:
    """Return the numbers of features and of roles of a game."""
    features: Any = plan.game.judge
    return len(features.name_features(plan.data)), ROLES[features.roles]


def minutes(seconds: float) -> str:
    """Return a time in minutes."""
    whole = math.ceil(seconds / 60)
    return f"{whole} minute" + "s" * (whole != 1)


def play_self(plans: Sequence[Plan], games: int, scale: float, rounds: float, say: Callable[[str], None]) -> Positions:
    """Play the games of self-play, stretches of the variants in turn, and return their positions."""
    parts = []
    stretches = range(0, games, GAMES_AT_A_TIME)
    for number, first in enumerate(stretches):
        plan, count = plans[number % len(plans)], min(GAMES_AT_A_TIME, games - first)
        parts.append(positions_of(plan, first, count, scale, rounds))
        if number * 10 // len(stretches) != (number + 1) * 10 // len(stretches):
            say(f"  {first + count:,} of {games:,} games")
    return joined(parts)


def fit_judge(
    positions: Positions, plans: Sequence[Plan], base: str, games: int, scale: float, say: Callable[[str], None]
) -> Judge:
    """Fit the nets of all parts of the game."""
    plan = plans[0]
    game = plan.game
    assert game.judge is not None
    names = game.judge.name_features(plan.data)
    features, roles = size_of_net(plan)
    nets: list[Net] = []
    for phase in range(game.judge.phases):
        say(f"part {phase + 1} of {game.judge.phases} of the game: {(positions.phase == phase).sum():,} positions")
        nets.append(fit_net(positions, phase, features, roles, PASSES, plan.seed, say))
    record = JudgeRecord(
        game=game.name,
        players=plan.players,
        variants=[each.variant for each in plans],
        tables=plan.data.digest,
        base=base,
        games=games,
        seed=plan.seed,
        lead_scale=scale,
        loss=[round(net.loss, 5) for net in nets],
        least=[round(net.least, 5) for net in nets],
    )
    rows, biases, ratings = (np.stack([getattr(net, name) for net in nets]) for name in ("rows", "biases", "ratings"))
    return Judge(record, names, rows, biases, ratings)


# ---- Test and files ----


def test_judge(judge: Judge, plan: Plan, table: dict[str, object], out: Path, games: int) -> Duel:
    """Let the new judge's player play against the old one on fresh deals, the base if there is none."""
    base = plan.strategies[0]
    with tempfile.TemporaryDirectory(prefix="empirelab-judge-") as folder:
        weights = Path(folder) / "judge.npz"
        write_judge(weights, judge)
        new = judging(base, plan, table, weights, "new")
        old = next(
            (
                judging(base, plan, table, file, f"the judge of {file.name}")
                for file in (out.with_suffix(".npz"), shipped_file(plan))
                if fits(file, plan)
            ),
            base,
        )
        plan = replace(
            plan, strategies=(new, old), lineup=(NEW, OLD), assign="rotate", seed=(plan.seed + FRESH_DEALS) % (1 << 63)
        )
        return duel_of(plan, old.name, games)


def judging(base: Strategy, plan: Plan, table: dict[str, object], weights: Path, name: str) -> Strategy:
    """Return a player who looks ahead with a judge."""
    row = SearchTable.model_validate({**table, "judge": str(weights.resolve())})
    return replace(base, name=name, search=search_of(plan.game, row.rollouts, row, weights))


def shipped_file(plan: Plan) -> Path:
    """Return the file of the judge that comes with a game."""
    return CONFIGS / "judges" / plan.game.name / f"{plan.players}.npz"


def fits(file: Path, plan: Plan) -> bool:
    """Tell whether there is a judge in a file that was trained for a table."""
    try:
        judge_for(str(file.resolve()), plan.game, plan.data, plan.players, plan.variant)
    except UserError:
        return False
    return True


def duel_of(plan: Plan, opponent: str, games: int) -> Duel:
    """Play a duel and return the win rate per seat of the first strategy."""
    blocks = max(2, math.ceil(games / plan.block_games))
    rows, _ = play(plan, players_of(plan), 0, blocks * plan.block_games)
    table = rows.reshape(-1, plan.players, rows.shape[1])
    wins = (table[:, :, RANK] == 1) / (table[:, :, RANK] == 1).sum(axis=1, keepdims=True)
    mine = table[:, :, STRATEGY] == NEW
    block = table[:, 0, BLOCK] - table[0, 0, BLOCK]
    won, seats = np.bincount(block, (wins * mine).sum(axis=1)), np.bincount(block, mine.sum(axis=1))
    rate = won.sum() / seats.sum()
    error = (won - rate * seats).std(ddof=1) / seats.mean() / math.sqrt(len(won))
    return Duel(opponent, 100 * rate, 100 * error, 100 / plan.players, len(table))


def player_file(out: Path, base: str, table: dict[str, object], duel: Duel, judge: Judge) -> str:
    """Return the TOML file of a player who uses a new judge."""
    record = judge.record
    content = {
        "name": out.stem,
        "description": f"Looks ahead as {base} and lets a judge trained on {record.games:,} games decide who will win.",
        "base": base,
        "search": {**table, "judge": out.with_suffix(".npz").name},
        "record": {**record.model_dump(exclude_defaults=True), "test": str(duel)},
    }
    return tomli_w.dumps(content)
