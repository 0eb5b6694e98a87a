"""Prepares players who look ahead: compiles the search, and writes its parameters into the weights of the players."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np

from sim.compiler.kernel import (
    LINEUP,
    MAX_ROUNDS_LEFT,
    Record,
    address_of,
    bind_kernels,
    kernel,
    kernel_pointer,
    strategy_pointer,
)
from sim.data.declarations import Search
from sim.engine.decide import Players
from sim.engine.script import VALUES, Strategy
from sim.engine.state import NO_ERROR
from sim.game import Data, GameSpec, JudgeFeatures
from sim.players.judge import always_may_stop, judge_position, play_to_judge, rounds_played
from sim.players.judge_files import address_of_net
from sim.players.search import MODEL, look_nowhere, score_by_search, score_forced
from sim.players.search_memory import scores_at, searched_at

play_step: Any = None
score_game: Any = None
evaluate_horizon: Any = None
redeal: Any = None
"""`bind_kernels` replaces these names with a game's kernels."""


@dataclass(frozen=True)
class SearchKernels:
    """Pointers to the functions of a search. The scoring function of the base is not among them."""

    score: Any
    forced: Any
    play_rest: Any
    redeal: Any


@cache
def search_kernels(
    game: str,
    state: np.dtype[Any],
    tables: np.dtype[Any],
    *kernels: Callable[..., None],
) -> SearchKernels:
    """Compile the search of a game with records of these dtypes, once per process.

    Its kernels are `play_step`, `score_game`, `redeal`, and `evaluate_horizon` or `look_nowhere`.
    """
    step, score, deal, outlook = kernels
    rest = bind_kernels(play_rest, play_step=step, score_game=score, evaluate_horizon=outlook)
    return SearchKernels(
        strategy_pointer(score_by_search, state, tables),
        strategy_pointer(score_forced, state, tables),
        kernel_pointer(rest, state, tables, np.uint64, LINEUP, np.int64),
        kernel_pointer(bind_kernels(redeal_for, redeal=deal), state, tables, np.int64),
    )


def play_rest(g: Record, t: Record, scores: int, lineup: Record, rounds: int) -> int:
    """Roll out a game to its end, or to the horizon if that comes first; return 0.

    The horizon is reached when `g.rounds` is `rounds`. There, score the game as if it ended, and write every seat's
    estimated chance to win if the game has such an estimate. `scores` is the address of the state of the search, which
    holds the players' scoring functions.
    """
    players: Players = (scores_at(scores), lineup)
    while g.finished == 0 and g.error == NO_ERROR and g.rounds < rounds:
        play_step(g, t, players)
    if g.finished == 0 and g.error == NO_ERROR:
        evaluate_horizon(g, t, lineup.seats[MODEL].search.outlook, searched_at(scores).chance)
        score_game(g, t)
    return 0


def redeal_for(g: Record, t: Record, me: int) -> int:
    """Determinize a game for seat `me`: redeal in place what this seat cannot know. Return 0."""
    redeal(g, t, me)
    return 0


def kernels_of(game: GameSpec) -> SearchKernels:
    """Return the compiled search of a game."""
    outlook = game.evaluate_horizon or look_nowhere
    return search_kernels(game.name, game.state, game.tables, game.play_step, game.score_game, game.redeal, outlook)


@cache
def judge_kernel(game: str, state: np.dtype[Any], tables: np.dtype[Any], step: Any, features: JudgeFeatures) -> Any:
    """Compile rollouts in which a judge rates the horizon; cached. Arguments are as in `search_kernels`."""
    seat, phase = features.describe_seat, features.phase_of
    position = kernel(bind_kernels(judge_position, describe_seat=seat, phase_of=phase))
    stop = features.may_stop or always_may_stop
    clock = features.clock or rounds_played
    rollout = bind_kernels(play_to_judge, play_step=step, may_stop=stop, clock=clock, judge_position=position)
    return kernel_pointer(rollout, state, tables, np.uint64, LINEUP, np.int64)


def tell_to_search(w: Record, strategy: Strategy, game: GameSpec, data: Data, players: int, base: Any) -> None:
    """Write a strategy's search parameters into its record of weights `w`, which is part of a line-up.

    If the search uses a judge, it must have been trained for the data and the number of players. `base` is the compiled
    scoring function of the strategy's script. A strategy without search is left unchanged.
    """
    if strategy.search is None:
        return
    search, kernels = strategy.search, kernels_of(game)
    w.search.rollouts = search.rollouts
    w.search.halves = search.halves
    w.search.value = VALUES.index(search.value)
    w.search.lead_scale = search.lead_scale
    for number, name in enumerate(game.decisions):
        own = search.each.get(name)
        for field in ("options", "horizon", "prior"):
            value = None if own is None else getattr(own, field)
            w.search[field][number] = getattr(search, field) if value is None else value
    tell_to_look_out(w, search, game)
    w.search.model_temperature = search.model_temperature
    w.search.decisions = sum(1 << game.decisions.index(name) for name in search.decisions)
    w.search.own_score = address_of(base)
    w.search.forced = address_of(kernels.forced)
    w.search.play_rest = address_of(kernels.play_rest)
    w.search.redeal = address_of(kernels.redeal)
    if search.judge and game.judge is not None:
        judged = judge_kernel(game.name, game.state, game.tables, game.play_step, game.judge)
        w.search.looks_out = 1
        w.search.judge = address_of_net(search.judge, game, data, players)
        w.search.play_rest = address_of(judged)


def tell_to_look_out(w: Record, search: Search, game: GameSpec) -> None:
    """Write the weights of `Search.outlook`, which estimate chances to win at a horizon, into a strategy's weights.

    `Search.outlook` has one row for each number of rounds left. The last row also holds for all larger numbers.
    """
    w.search.looks_out = len(search.outlook) > 0
    for left in range(MAX_ROUNDS_LEFT if search.outlook else 0):
        for name, weight in search.outlook[min(left, len(search.outlook) - 1)].items():
            w.search.outlook[left, game.prospects.index(name)] = weight
