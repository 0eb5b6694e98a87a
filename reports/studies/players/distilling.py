"""Fits a strategy's weights to what a player who looks ahead finds options worth, and tests them on fresh deals.

The strategy plays; a teacher says what the options of its decisions are worth (`sim.players.option_values`). The
weights are those by which the strategy, choosing options with chances that follow its scores (softmax regression),
gives least away. Weights are varied by factors, as in `tuning`; scores are taken to be linear in them near the weights
of each round, which are then scored anew. What is given away is linear in the worths, so their chance errors even out
over many decisions. Games held back say which softness of choice, which caution and which round to take; what comes out
is measured against the strategy at tables of all players, on deals that nothing has used.

References
----------
Anthony, T., Tian, Z. and Barber, D. (2017). Thinking fast and slow with deep learning and tree search. NeurIPS 30.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from joblib import Parallel, delayed
from numpy.typing import NDArray
from scipy.optimize import minimize

from reports.studies.players.tuning import (
    ORIGINAL,
    Arena,
    Tuning,
    checked_plan,
    plan_to_tune,
    rounded_points,
    significant,
    tables_against,
    tunable,
    validate,
    weights_at,
    with_record,
)
from sim.errors import UserError
from sim.players.batch import Plan
from sim.players.compile_players import lineup_record
from sim.players.option_values import PLAYER, TEACHER, KeptDecisions, joined, keep_decisions, scores_again
from sim.players.strategy import Strategy
from sim.runs.progress import duration, show_progress
from sim.runs.run import jobs_to_use

DERIVATIVE_STEP = 0.02
"""Step of the numerical derivatives, in natural logarithms of a weight."""
MAX_MOVE = 0.4
"""How far a weight may move in one round, likewise: scores are linear in weights for short ways only."""
SOFTNESS = (0.25, 0.5, 1.0, 2.0)
"""Softness of choice that is tried, in units of the typical lead of the option liked best."""
PENALTIES = (0.0001, 0.001, 0.01)
"""Weights of the penalty on moving away that are tried, in the unit of worth for a squared logarithm."""
HELD_BACK = 5
"""One game in so many is held back."""
MIN_GAMES = 10
MIN_DECISIONS_PER_WEIGHT = 20
"""Decisions for each weight below which chance errors of the teacher are fitted rather than what he knows."""
MIN_GAMES_FOR_FORECAST = 40
"""Games from which on one is played first, to say how long all will take."""
STRETCH_GAMES = 4

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Lesson:
    """What the decisions taught.

    Attributes
    ----------
    decisions
        How many were kept.
    given_away_before, given_away_after
        Worth that the strategy's choices give away on average, at decisions of the games held back.
    rounds
        How often the weights were fitted and scored anew before nothing more was gained.
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
    """Fit a strategy's weights to the worths that a teacher finds, and test them, as `empirelab distil` does.

    Parameters
    ----------
    game, strategy
        Names of the game and of the strategy.
    teacher
        A player who looks ahead, such as "balanced+128".
    games, share
        Games the strategy plays against itself, and the part of its decisions at which the teacher is asked.
    rounds
        Fits at most, each of which begins where the one before has ended.
    weights, fresh, pool, players, factions, variant, seed, code, decks, name, out, jobs, command, progress, say
        As in `tuning.tune_strategy`.

    Raises
    ------
    UserError
        Anything is unknown or impossible, the teacher does not look ahead, too few games are asked for, or the file
        cannot be written.
    """
    called = name or f"{strategy}-learnt"
    own = None if code is None else Path(code)
    arena_plan = plan_to_tune(game, strategy, called, pool, players, factions, seed, own, variant, decks)
    plan = plan_to_learn(arena_plan, teacher, own, decks, factions)
    names = tunable(plan.strategies[PLAYER], weights)
    if games < MIN_GAMES:
        raise UserError("too few to learn from", field="games", found=games, allowed=f"{MIN_GAMES} or more")
    workers = jobs_to_use(jobs)
    length = time_to_ask(plan, games, share, workers)
    say(f"asking {plan.strategies[TEACHER].name} in {games:,} games of {strategy}{length}")
    decisions = keep_all(plan, games, share, workers, progress)
    if len(np.unique(decisions.game)) < 2:
        raise UserError(f"{teacher} found nothing to choose in these games", field="games", found=games)
    say(f"fitting {len(names)} weights to {len(decisions):,} decisions")
    if len(decisions) < MIN_DECISIONS_PER_WEIGHT * len(names):
        fewest = f"{MIN_DECISIONS_PER_WEIGHT} decisions or more for each weight"
        say(f"so few tell little: ask for {fewest} (--games, --share)")
    learnt, lesson = learn(plan, decisions, names, rounds, say)
    arena = Arena(arena_plan, tables_against(len(arena_plan.strategies) - 1, arena_plan.players))
    tuned = replace(arena_plan.strategies[ORIGINAL], name=called, weights=learnt, source="")
    say(f"testing {called} on {fresh:,} fresh games")
    # No game of the lesson is among the deals of the test.
    first = math.ceil(games / arena_plan.block_games) * arena_plan.block_games
    result = validate(arena, tuned, first, fresh, workers, np.zeros((0, 2)))
    result = replace(result, found_by=f"learnt from {plan.strategies[TEACHER].name}")
    asked = {"command": command, "teacher": plan.strategies[TEACHER].name, "games": games, "share": share}
    taught = {
        "decisions": lesson.decisions,
        "given_away_before": rounded_points(lesson.given_away_before),
        "given_away_after": rounded_points(lesson.given_away_after),
    }
    return with_record(result, arena_plan, {**asked, **taught}, out)


def plan_to_learn(
    arena_plan: Plan, teacher: str, code: Path | None, decks: Sequence[str | Path], factions: Sequence[str]
) -> Plan:
    """Return a plan in which the strategy sits in all seats and the teacher in none.

    Raises
    ------
    UserError
        The teacher is unknown or does not look ahead.
    """
    strategies = [arena_plan.strategies[ORIGINAL].name, teacher]
    plan = checked_plan(
        "distil", arena_plan.game.name, strategies, arena_plan.players, factions, arena_plan.seed, code,
        arena_plan.variant, decks,
    )  # fmt: skip
    if len(plan.strategies) < 2 or plan.strategies[TEACHER].search is None:
        message = f"{teacher} does not look ahead"
        raise UserError(message, field="from", found=teacher, allowed="a player such as balanced+128")
    return replace(plan, lineup=(PLAYER,), assign="rotate")


def time_to_ask(plan: Plan, games: int, share: float, workers: int) -> str:
    """Say how long the teacher will be asked, from one game; nothing where that would be a large part of all."""
    if games < MIN_GAMES_FOR_FORECAST:
        return ""
    keep_decisions(plan, 0, 1, 0.0)  # Compiles.
    before = time.perf_counter()
    keep_decisions(plan, 0, 1, share)
    return f": this will take about {duration((time.perf_counter() - before) * games / workers)}"


def keep_all(plan: Plan, games: int, share: float, workers: int, progress: bool) -> KeptDecisions:
    """Keep decisions of games 0 to games - 1, the same for any number of workers."""
    parts = []
    with (
        show_progress(f"Asking {plan.strategies[TEACHER].name}", games, progress) as bar,
        Parallel(n_jobs=workers, backend="threading", return_as="generator") as parallel,
    ):
        stretches = [(first, min(STRETCH_GAMES, games - first)) for first in range(0, games, STRETCH_GAMES)]
        for (_, count), part in zip(
            stretches, parallel(delayed(keep_decisions)(plan, *stretch, share) for stretch in stretches), strict=True
        ):
            parts.append(part)
            bar.advance(count)
    return joined(parts)


# ---- Fitting ----


def learn(
    plan: Plan,
    decisions: KeptDecisions,
    names: Sequence[str],
    rounds: int,
    say: Callable[[str], None] = lambda text: None,
) -> tuple[dict[str, float], Lesson]:
    """Return weights that give less away than the strategy's own at decisions of games held back, or those.

    Parameters
    ----------
    plan
        Whose strategies are the player and the teacher.
    names
        Weights to vary.
    rounds
        Fits at most.
    say
        Told after each fit what is given away.
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
    found = weights_at(strategy, names, at)
    learnt = {name: significant(value) if name in names else value for name, value in found.items()}
    return learnt, Lesson(len(decisions), before, best, done)


def linear_scores(plan: Plan, decisions: KeptDecisions, names: Sequence[str], at: Floats) -> tuple[Floats, Floats]:
    """Scores of all options at some weights, and by how much they change with the logarithm of each weight.

    Returns
    -------
    scores, slopes
        Of shapes (options,) and (options, weights).
    """
    strategy = plan.strategies[PLAYER]
    moves = [at]
    for place in range(len(names)):
        for sign in (1, -1):
            moves.append(at.copy())
            moves[-1][place] += sign * DERIVATIVE_STEP
    records = [weights_record(plan, replace(strategy, weights=weights_at(strategy, names, move))) for move in moves]
    scores, slopes = np.zeros(len(decisions.worth)), np.zeros((len(decisions.worth), len(names)))
    for places, some in scores_again(plan, decisions, records):
        scores[places] = some[0]
        with np.errstate(invalid="ignore"):  # -inf stays what it is: such an option is never taken
            slopes[places] = np.nan_to_num((some[1::2] - some[2::2]).T / (2 * DERIVATIVE_STEP), posinf=0.0, neginf=0.0)
    return scores, slopes


def weights_record(plan: Plan, strategy: Strategy) -> Any:
    """Pack the weights of a strategy for the kernels."""
    return lineup_record((strategy,), plan.data, plan.players).seats[0]


def given_away(scores: Floats, decisions: KeptDecisions) -> Floats:
    """Worth that taking the option with the highest score gives away; shape (decisions,).

    Of several with that score each is as likely.
    """
    starts = decisions.starts
    taken = scores == np.repeat(np.maximum.reduceat(scores, starts), decisions.count)
    worth = np.add.reduceat(np.where(taken, decisions.worth, 0.0), starts) / np.add.reduceat(taken, starts)
    return np.maximum.reduceat(decisions.worth, starts) - worth


@dataclass(frozen=True)
class Linear:
    """Options of decisions whose scores are linear in the move of the weights.

    Attributes
    ----------
    scores, slopes
        Scores where the weights are, and by how much they change; shapes (options,) and (options, weights).
    lost
        Worth that taking an option gives away; shape (options,).
    starts, count
        Where the options of each decision begin, and how many they are; shape (decisions,).
    """

    scores: Floats
    slopes: Floats
    lost: Floats
    starts: NDArray[np.int64]
    count: NDArray[np.int64]


def linear_at(scores: Floats, slopes: Floats, decisions: KeptDecisions, used: NDArray[np.bool_]) -> Linear:
    """Return the options of those decisions that are used, a truth value for each."""
    options, count = np.repeat(used, decisions.count), decisions.count[used]
    best = np.repeat(np.maximum.reduceat(decisions.worth, decisions.starts), decisions.count)
    lost = (best - decisions.worth)[options]
    return Linear(scores[options], slopes[options], lost, np.cumsum(count) - count, count)


def fit_move(known: Linear, scale: float, caution: float, at: Floats) -> Floats:
    """Return the move that gives least away, scores being linear; shape (weights,).

    Parameters
    ----------
    scale
        Difference of scores at which one option is e times as likely as another.
    caution
        Penalty on the squared distance from the strategy's own weights, of which `at` is the way gone already.
    """
    starts, count, weights = known.starts, known.count, known.slopes.shape[1]

    def loss(move: Floats) -> tuple[float, Floats]:
        chances = softmax((known.scores + known.slopes @ move) / scale, starts, count)
        mean = np.add.reduceat(chances * known.lost, starts)
        slant = chances * (known.lost - np.repeat(mean, count)) / scale
        away = at + move
        value = mean.mean() + caution * float(away @ away)
        return value, known.slopes.T @ slant / len(count) + 2 * caution * away

    found = minimize(loss, np.zeros(weights), jac=True, method="L-BFGS-B", bounds=[(-MAX_MOVE, MAX_MOVE)] * weights)
    return np.asarray(found.x)


def typical_lead(scores: Floats, starts: NDArray[np.int64], count: NDArray[np.int64]) -> float:
    """Return the median lead of the highest score of a decision over the next one."""
    groups = np.split(scores, starts[1:])
    leads = [float(np.diff(np.partition(group, -2)[-2:])[0]) for group in groups]
    finite = [lead for lead in leads if math.isfinite(lead) and lead > 0]
    return float(np.median(finite)) if finite else 1.0


def softmax(scores: Floats, starts: NDArray[np.int64], count: NDArray[np.int64]) -> Floats:
    """Return chances that follow the scores of each decision's options."""
    raised = np.exp(scores - np.repeat(np.maximum.reduceat(scores, starts), count))
    return np.asarray(raised / np.repeat(np.add.reduceat(raised, starts), count))
