"""Fits a strategy's weights to the option values of a teacher that looks ahead, and tests them on fresh deals.

The strategy plays, and a teacher values the options of its decisions (`sim.players.option_values`). The fit minimises
the value that a softmax choice over the strategy's scores loses. Weights are varied by factors, as in `tuning`. Several
fits follow each other. Each fit treats scores as linear near the weights at which it starts. The scores are computed
again for the next fit. The loss is linear in the values, so their random errors average out over many decisions. Games
that are held out decide on the softmax temperature, the penalty and the number of fits. The result is measured against
the strategy, at tables with the strategies of a pool, on deals that the fit has not used.

References
----------
Anthony, T., Tian, Z. and Barber, D. (2017). Thinking fast and slow with deep learning and tree search. NeurIPS 30.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize

from reports.studies.players.tuning import (
    ORIGINAL,
    Arena,
    RunOptions,
    Tuning,
    checked_plan,
    measure_tuned_strategy,
    plan_to_tune,
    point_weights,
    rounded_points,
    significant,
    tables_against,
    tunable,
    tuning_seconds,
    with_record,
)
from reports.studies.stretches import play_stretches
from sim.data.arguments import cut, jobs_to_use
from sim.errors import UserError
from sim.players.batch import Plan
from sim.players.option_values import PLAYER, TEACHER, KeptDecisions, joined_decisions, keep_decisions, scores_again
from sim.runs.progress import duration, show_progress
from sim.runs.run import seconds_per_game, time_words

DERIVATIVE_STEP = 0.02
"""Step for numerical derivatives, in the log of a weight."""
MAX_MOVE = 0.4
"""Largest move of a weight in one fit, in the log of the weight. Scores are only locally linear."""
SOFTNESS = (0.25, 0.5, 1.0, 2.0)
"""Softmax temperatures that are tried, in units of the typical lead of the best option."""
PENALTIES = (0.0001, 0.001, 0.01)
"""Penalties that are tried: value per squared distance of the log weights from the strategy's own."""
HELD_BACK = 5
"""One game in this many is held out."""
MIN_GAMES = 10
MIN_DECISIONS_PER_WEIGHT = 20
"""With fewer decisions per weight, the fit follows the random errors of the teacher."""
MIN_GAMES_FOR_FORECAST = 40
"""From this many games on, one game is played first, to estimate how long all games take."""
STRETCH_GAMES = 4
"""Number of games in a worker's task, few because a teacher is slow. Decisions do not depend on it."""

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Lesson:
    """Summary of a fit.

    Attributes
    ----------
    decisions
        Number of decisions that the teacher valued.
    given_away_before, given_away_after
        Mean value that the strategy's choices lose in held-out games, before and after the fit.
    rounds
        Number of fits that reduced this loss.
    """

    decisions: int
    given_away_before: float
    given_away_after: float
    rounds: int


def distil_strategy(
    game: str,
    strategy: str,
    teacher: str,
    *,
    weights: Sequence[str] | None = None,
    games: int = 200,
    share: float = 0.5,
    rounds: int = 4,
    fresh: int = 100_000,
    pool: Sequence[str] | None = None,
    players: int | None = None,
    factions: Sequence[str] = ("all",),
    variant: str | None = None,
    seed: int = 1,
    code: str | Path | None = None,
    decks: Sequence[str | Path] = (),
    name: str | None = None,
    out: str | Path | None = None,
    jobs: int = -1,
    command: str = "",
    progress: bool = True,
    say: Callable[[str], None] = lambda text: None,
) -> Tuning:
    """Fit a strategy's weights to a teacher's option values, and test the weights. Like `empirelab distil`.

    Parameters
    ----------
    teacher
        A player who looks ahead, such as "balanced+128".
    games, share
        Games of the strategy against itself, and the share of its decisions that the teacher values.
    rounds
        Maximum number of fits. Each starts from the result of the one before.
    weights, fresh, pool, players, factions, variant, seed, code, decks, name, out, jobs, command, progress, say
        As in `tuning.tune_strategy`.

    Raises
    ------
    UserError
        A name is unknown or an option impossible, the teacher does not look ahead, the games are too few, or the file
        cannot be written.
    """
    called = name or f"{strategy}-learnt"
    own = None if code is None else Path(code)
    run = RunOptions(game=game, players=players, factions=factions, variant=variant, seed=seed, code=own, decks=decks)
    arena_plan = plan_to_tune(strategy, called, pool, run)
    plan = plan_to_learn(strategy, teacher, run)
    names = tunable(plan.strategies[PLAYER], weights)
    if games < MIN_GAMES:
        raise UserError("too few games to learn from", field="games", found=games, allowed=f"{MIN_GAMES} or more")
    workers = jobs_to_use(jobs)
    length = time_to_ask(plan, games, share, workers)
    say(f"asking {plan.strategies[TEACHER].name} in {games:,} games of {strategy}{length}")
    if arena_plan.game.plain is not None:  # the test of a compiled game takes negligible time
        measure = partial(seconds_per_game, jobs=workers, written=False)
        seconds = tuning_seconds(arena_plan, names, games, 0, 1, fresh, workers, measure)
        say(f"the test on {fresh:,} fresh games then takes {time_words(seconds)}; --fresh sets their number")
    decisions = keep_all(plan, games, share, workers, progress)
    if len(np.unique(decisions.game)) < 2:
        raise UserError(f"{teacher} had nothing to choose in these games", field="games", found=games)
    say(f"fitting {len(names)} weights to {len(decisions):,} decisions")
    if len(decisions) < MIN_DECISIONS_PER_WEIGHT * len(names):
        fewest = f"{MIN_DECISIONS_PER_WEIGHT} decisions or more for each weight"
        say(f"so few tell little: ask for {fewest} (--games, --share)")
    learnt, lesson = learn_weights(plan, decisions, names, rounds, say)
    arena = Arena(arena_plan, tables_against(len(arena_plan.strategies) - 1, arena_plan.players))
    tuned = replace(arena_plan.strategies[ORIGINAL], name=called, weights=learnt, source="")
    say(f"testing {called} on {fresh:,} fresh games")
    # The test uses other deals than the fit.
    first = math.ceil(games / arena_plan.block_games) * arena_plan.block_games
    result = measure_tuned_strategy(arena, tuned, first, fresh, workers, np.zeros((0, 2)))
    result = replace(result, found_by=f"learnt from {plan.strategies[TEACHER].name}")
    options = {"command": command, "teacher": plan.strategies[TEACHER].name, "games": games, "share": share}
    taught = {
        "decisions": lesson.decisions,
        "given_away_before": rounded_points(lesson.given_away_before),
        "given_away_after": rounded_points(lesson.given_away_after),
    }
    return with_record(result, arena_plan, {**options, **taught}, out)


def plan_to_learn(strategy: str, teacher: str, run: RunOptions) -> Plan:
    """Return a plan with the strategy in all seats, and the teacher as a second strategy.

    Raises UserError if the teacher does not look ahead.
    """
    plan = checked_plan("distil", [strategy, teacher], run)
    if len(plan.strategies) < 2 or plan.strategies[TEACHER].search is None:
        message = f"{teacher} does not look ahead"
        raise UserError(message, field="from", found=teacher, allowed="a player such as balanced+128")
    return replace(plan, lineup=(PLAYER,), assign="rotate")


def time_to_ask(plan: Plan, games: int, share: float, workers: int) -> str:
    """Say how long all games take, as estimated from one game. Empty for fewer than `MIN_GAMES_FOR_FORECAST` games."""
    if games < MIN_GAMES_FOR_FORECAST:
        return ""
    keep_decisions(plan, 0, 1, 0.0)  # this game compiles everything, so that the timed game does not
    before = time.perf_counter()
    keep_decisions(plan, 0, 1, share)
    return f": this will take about {duration((time.perf_counter() - before) * games / workers)}"


def keep_all(plan: Plan, games: int, share: float, workers: int, progress: bool) -> KeptDecisions:
    """Record the teacher's values for a `share` of the decisions in games 0 to `games` - 1.

    The result does not depend on the number of workers.
    """
    with show_progress(f"Asking {plan.strategies[TEACHER].name}", games, progress) as bar:
        keep = partial(keep_decisions, plan, share=share)
        return joined_decisions(list(play_stretches(keep, plan, cut(games, STRETCH_GAMES), workers, bar.advance)))


# ---- Fitting ----


def learn_weights(
    plan: Plan,
    decisions: KeptDecisions,
    names: Sequence[str],
    rounds: int,
    say: Callable[[str], None] = lambda text: None,
) -> tuple[dict[str, float], Lesson]:
    """Return weights that lose less value in held-out games than the strategy's own. If none do, return its own.

    Parameters
    ----------
    plan
        A plan whose strategies are the player and the teacher.
    names
        Weights to vary.
    rounds
        Maximum number of fits.
    """
    strategy = plan.strategies[PLAYER]
    held_back = decisions.game % HELD_BACK == HELD_BACK - 1
    held_back = held_back if held_back.any() else np.arange(len(decisions)) % HELD_BACK == 0
    at = np.zeros(len(names))
    scores, slopes = linear_scores(plan, decisions, names, at)
    before = best = float(given_away(scores, decisions)[held_back].mean())
    done = 0
    for _ in range(rounds):
        known = linear_at(scores, slopes, decisions, ~held_back)
        lead = typical_lead(known.scores, known.starts, known.count)
        tried = [fit_move(known, softness * lead, caution, at) for softness in SOFTNESS for caution in PENALTIES]
        guessed = [given_away(scores + slopes @ move, decisions)[held_back].mean() for move in tried]
        move = tried[int(np.argmin(guessed))]
        after, slopes_there = linear_scores(plan, decisions, names, at + move)
        value = float(given_away(after, decisions)[held_back].mean())
        there = f"{100 * best:.2f} points before this round, {100 * value:.2f} after"
        say(f"given away a decision, in games held back: {there}")
        if value >= best:
            break
        at, scores, slopes, best, done = at + move, after, slopes_there, value, done + 1
    result = point_weights(strategy, names, at)
    learnt = {name: significant(value) if name in names else value for name, value in result.items()}
    return learnt, Lesson(len(decisions), before, best, done)


def linear_scores(plan: Plan, decisions: KeptDecisions, names: Sequence[str], at: Floats) -> tuple[Floats, Floats]:
    """Return the scores of all options at some weights, and the slopes of scores in the log of each weight.

    `at` gives the log of the factor by which each weight of `names` is multiplied.

    Returns
    -------
    scores, slopes
        Arrays of shapes (options,) and (options, weights).
    """
    strategy = plan.strategies[PLAYER]
    steps = DERIVATIVE_STEP * np.eye(len(names))
    moves = [at, *(at + sign * step for step in steps for sign in (1, -1))]
    moved = [replace(strategy, weights=point_weights(strategy, names, move)) for move in moves]
    scores, slopes = np.zeros(len(decisions.worth)), np.zeros((len(decisions.worth), len(names)))
    for places, some in scores_again(plan, decisions, moved):
        scores[places] = some[0]
        with np.errstate(invalid="ignore"):  # -inf stays: such an option is never taken
            slopes[places] = np.nan_to_num((some[1::2] - some[2::2]).T / (2 * DERIVATIVE_STEP), posinf=0.0, neginf=0.0)
    return scores, slopes


def given_away(scores: Floats, decisions: KeptDecisions) -> Floats:
    """Return the value lost by taking the option with the highest score, shape (decisions,).

    Ties are broken at random, so tied options count with their mean value.
    """
    starts = decisions.starts
    taken = scores == np.repeat(np.maximum.reduceat(scores, starts), decisions.count)
    worth = np.add.reduceat(np.where(taken, decisions.worth, 0.0), starts) / np.add.reduceat(taken, starts)
    return np.maximum.reduceat(decisions.worth, starts) - worth


@dataclass(frozen=True)
class Linear:
    """The options of some decisions. Their scores are treated as linear functions of the log weights.

    Scores and the value `lost` by taking an option have the shape (options,), slopes (options, weights). The index of
    each decision's first option and the number of its options have the shape (decisions,).
    """

    scores: Floats
    slopes: Floats
    lost: Floats
    starts: NDArray[np.int64]
    count: NDArray[np.int64]


def linear_at(scores: Floats, slopes: Floats, decisions: KeptDecisions, used: NDArray[np.bool_]) -> Linear:
    """Return as `Linear` the options of those decisions that `used` (a mask, shape (decisions,)) selects."""
    options, count = np.repeat(used, decisions.count), decisions.count[used]
    best = np.repeat(np.maximum.reduceat(decisions.worth, decisions.starts), decisions.count)
    lost = (best - decisions.worth)[options]
    return Linear(scores[options], slopes[options], lost, np.cumsum(count) - count, count)


def fit_move(known: Linear, scale: float, caution: float, at: Floats) -> Floats:
    """Return the move of the log weights that minimises loss plus penalty, with linear scores. Shape (weights,).

    Parameters
    ----------
    scale
        Softmax temperature.
    caution
        Penalty per squared distance from the strategy's own log weights.
    at
        The move so far, to which this one is added.
    """
    starts, count, weights = known.starts, known.count, known.slopes.shape[1]

    def loss(move: Floats) -> tuple[float, Floats]:
        chances = option_chances((known.scores + known.slopes @ move) / scale, starts, count)
        mean = np.add.reduceat(chances * known.lost, starts)
        slant = chances * (known.lost - np.repeat(mean, count)) / scale
        away = at + move
        value = mean.mean() + caution * float(away @ away)
        return value, known.slopes.T @ slant / len(count) + 2 * caution * away

    result = minimize(loss, np.zeros(weights), jac=True, method="L-BFGS-B", bounds=[(-MAX_MOVE, MAX_MOVE)] * weights)
    return np.asarray(result.x)


def typical_lead(scores: Floats, starts: NDArray[np.int64], count: NDArray[np.int64]) -> float:
    """Return by how much the best option typically outscores the second best.

    This is the median over all decisions in which the lead is finite and not 0; 1 if there are none.
    """
    groups = np.split(scores, starts[1:])
    leads = [float(np.diff(np.partition(group, -2)[-2:])[0]) for group in groups]
    finite = [lead for lead in leads if math.isfinite(lead) and lead > 0]
    return float(np.median(finite)) if finite else 1.0


def option_chances(scores: Floats, starts: NDArray[np.int64], count: NDArray[np.int64]) -> Floats:
    """Return the softmax chance of every option within its decision."""
    raised = np.exp(scores - np.repeat(np.maximum.reduceat(scores, starts), count))
    return np.asarray(raised / np.repeat(np.add.reduceat(raised, starts), count))
