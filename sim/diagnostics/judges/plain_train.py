"""Trains learned judges of games in plain Python."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

from sim.data.arguments import jobs_to_use
from sim.diagnostics.judges.kept_work import kept_work
from sim.diagnostics.judges.plain_self_play import SAMPLE_GAMES, GameSketch, plain_positions, sample_games
from sim.diagnostics.judges.rounds import TrainingSetup, fit_nets, judge_of
from sim.diagnostics.judges.trained import Training, check_training_sizes, plans_of, test_judge, work_of, write_training
from sim.errors import UserError
from sim.game import load_game
from sim.games.plain.playing import open_deal
from sim.games.plain.policies import missing
from sim.players.find_strategies import check_name, load_strategies
from sim.players.judge_files import ROLES, Judge
from sim.runs.config import RunConfig
from sim.runs.run import time_words

GAMES, FRESH = 5_000, 300
"""Default numbers of games of self-play and of the test."""
GAMES_AT_A_TIME = 50
"""Number of games that a worker plays at a time. One file holds their positions."""
PASSES = 8
"""Number of passes of the fit over all positions."""
SEARCH: dict[str, object] = {"rollouts": 4, "options": 3, "horizon": 1}
"""How the judge's player looks ahead: the table `[search]` of its file, without the judge."""


def train_plain_judge(
    config: RunConfig,
    out: Path,
    *,
    base: str,
    games: int | None,
    rounds: int,
    fresh: int | None,
    even_if_weaker: bool,
    jobs: int,
    say: Callable[[str], None],
) -> Training:
    """Train a judge for a game in plain Python, in one training round.

    The parameters are those of `sim.diagnostics.judges.train.train_judge`. Raise UserError if the game does not declare
    what seats cannot see, the code of the game or of the base raised an error, the base looks ahead, several training
    rounds are requested, or the new judge is weaker than the old judge.
    """
    game = load_game(config.game)
    games, fresh = GAMES if games is None else games, FRESH if fresh is None else fresh
    if rounds > 1:
        raise UserError(
            "a game in plain Python trains its judge in one round", field="rounds", found=rounds, allowed="1"
        )
    check_training_sizes(games=games, rounds=rounds, round_games=1, fresh=fresh)
    if not game.plain.hides:
        raise missing(game.plain, "a judge looks at what a seat can see, so", "hidden", "hidden = () if nothing is")
    plans, shares = plans_of(config, base)
    plan, *others = plans
    if others:
        names = [plan.variant, *(other.variant for other in others)]
        message = "a judge for a game in plain Python can be trained for only one variant"
        raise UserError(message, field="variant", found=", ".join(names), allowed=names)
    check_name(out.stem, load_strategies(config.game, judges=True))
    if word := open_deal(plan):
        say(word)
    with kept_work(out, work_of(config, plans, games=games), say) as folder:
        begun = time.perf_counter()
        sample = sample_games(plan)
        setup = TrainingSetup(plans, shares, dict(SEARCH), sample.lead_scale, 1.0, 1.0, folder, jobs_to_use(jobs), say)
        seconds = (time.perf_counter() - begun) / SAMPLE_GAMES * games * (1 + 1 / setup.jobs)
        say(f"{games:,} games of self-play, then the fit and {fresh:,} games of the test: {time_words(seconds)}")
        judge = fit_judge(setup, games, sample)
        duel = test_judge(judge, plan, setup.search, out, fresh, setup.jobs)
        return write_training(Training(judge, duel, out.with_suffix(".npz")), base, setup.search, even_if_weaker)


def fit_judge(setup: TrainingSetup, games: int, sample: GameSketch) -> Judge:
    """Play the games of self-play, and fit the net of a judge to their positions."""
    plan = setup.plans[0]
    setup.say(f"{len(sample.names):,} features of the state")
    play, size = partial(plain_positions, plan, sample), (len(sample.names), ROLES["others"])
    (net,) = fit_nets(setup, 0, play, games, GAMES_AT_A_TIME, size, PASSES, [None])
    if math.isnan(net.loss):
        raise UserError("too few positions for a judge", found=games, allowed="more games of self-play")
    return judge_of([net], setup, games, 1, sample.names, plan.game.plain.stamp, sample.by_seat)
