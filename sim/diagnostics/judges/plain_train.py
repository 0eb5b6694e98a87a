"""Trains learned judges of games in plain Python."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np

from sim.data.files import write_whole
from sim.diagnostics.judges.fit import fit_net
from sim.diagnostics.judges.plain_self_play import SAMPLE_GAMES, GameSketch, positions_of, sample_games
from sim.diagnostics.judges.self_play import Positions
from sim.diagnostics.judges.train import SURELY, Training, minutes, plans_of, player_file, test_judge
from sim.errors import UserError
from sim.game import GameSpec, load_game
from sim.games.plain.playing import open_deal
from sim.games.plain.policies import missing
from sim.players.batch import Plan
from sim.players.find_strategies import check_name, load_strategies
from sim.players.judge_files import ROLES, Judge, JudgeRecord, write_judge
from sim.runs.config import RunConfig

GAMES, FRESH = 5_000, 300
"""Games of self-play and of the test, unless the user says others."""
PASSES = 8
"""How often the fit uses every position."""
SEARCH: dict[str, object] = {"rollouts": 4, "options": 3, "horizon": 1}
"""How the judge's player looks ahead."""


def usual_base(game: GameSpec) -> str:
    """Return the player from whose games a judge learns: the first of the game's file.

    Raises
    ------
    UserError
        The file has none that scores options.
    """
    own = [name for name, player in game.plain.players.items() if player.function is not None and not player.chooses]
    if own:
        return own[0]
    raise UserError(
        "a judge learns from games of a player that scores options, and the file has none", file=game.plain.place,
        allowed="def my_player(game, state, option)",
    )  # fmt: skip


def file_beside(game: GameSpec) -> Path:
    """Return the file of a judge's player unless the user names another: beside the game, and named after it."""
    folder, stem = game.plain.folder, Path(game.plain.file or game.name).stem
    file: Path = folder / f"{stem}_judge.toml"
    return file.relative_to(Path.cwd()) if file.is_relative_to(Path.cwd()) else file


def train_plain_judge(
    config: RunConfig, out: Path, *, base: str, games: int, fresh: int, say: Callable[[str], None]
) -> Training:
    """Do what `sim.diagnostics.judges.train.train_judge` does, for a game in plain Python.

    Raises
    ------
    UserError
        The game does not say what seats cannot see, its code or that of the base raised an error, the base looks
        ahead, or the new judge is weaker than the old.
    """
    game = load_game(config.game)
    if not game.plain.hides:
        raise missing(game.plain, "a judge looks at what a seat can see, so", "hidden", "hidden = () if nothing is")
    plan, *others = plans_of(config, base)
    if others:
        names = [plan.variant, *(other.variant for other in others)]
        raise UserError("such a judge knows one variant", field="variant", found=", ".join(names), allowed=names)
    check_name(out.stem, load_strategies(config.game, judges=True))
    if word := open_deal(plan):
        say(word)
    begun = time.perf_counter()
    sample = sample_games(plan)
    seconds = (time.perf_counter() - begun) / SAMPLE_GAMES * games
    say(f"{games:,} games of self-play, then the fit and {fresh:,} games of the test: about {minutes(2 * seconds)}")
    judge = fit_judge(positions_of(plan, games, sample, say), plan, base, games, sample, say)
    duel = test_judge(judge, plan, dict(SEARCH), out, fresh)
    if duel.win_rate + SURELY * duel.error < duel.fair:
        message = f"the new judge is weaker than {duel.opponent}, so nothing is written"
        raise UserError(message, found=str(duel), allowed="more games of self-play, or features(state, seat)")
    weights = out.with_suffix(".npz")
    write_judge(weights, judge)
    write_whole(out, player_file(out, base, dict(SEARCH), duel, judge).encode())
    return Training(judge, duel, weights)


def fit_judge(
    positions: Positions, plan: Plan, base: str, games: int, sample: GameSketch, say: Callable[[str], None]
) -> Judge:
    """Fit the net of a judge."""
    say(f"{len(positions):,} positions, {len(sample.names):,} numbers of the state")
    net = fit_net(positions, 0, len(sample.names), ROLES["others"], PASSES, plan.seed, say)
    if math.isnan(net.loss):
        raise UserError("too few positions for a judge", found=len(positions), allowed="more games of self-play")
    record = JudgeRecord(
        game=plan.game.name, players=plan.players, variants=[plan.variant], tables=plan.data.digest, base=base,
        games=games, seed=plan.seed, lead_scale=sample.lead_scale, loss=[round(net.loss, 5)],
        least=[round(net.least, 5)], source=plan.game.plain.stamp, by_seat=sorted(sample.by_seat),
    )  # fmt: skip
    rows, biases, ratings = (np.stack([getattr(net, name)]) for name in ("rows", "biases", "ratings"))
    return Judge(record, sample.names, rows, biases, ratings)
