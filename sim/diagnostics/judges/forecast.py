"""Estimates how long a training will take on this machine, and tells the user before the training begins."""

from __future__ import annotations

import time
from dataclasses import replace

import numpy as np

from sim.diagnostics.judges.duel import duel_of
from sim.diagnostics.judges.fit import Net, examples_of, first_net, gradients, roles_of_seats
from sim.diagnostics.judges.rounds import FEWEST_PASSES, TrainingSetup, judge_of, looking_ahead, scripted, size_of_net
from sim.diagnostics.judges.self_play import GAMES_AT_A_TIME, Positions, joined_positions, positions_of
from sim.players.batch import Plan
from sim.players.judge_files import Judge
from sim.runs.run import time_words


def forecast_training_time(
    setup: TrainingSetup, games: int, rounds: int, round_games: int, fresh: int
) -> TrainingSetup:
    """Play a few games; tell the user how long the training will take; return the setup with a game's length set."""
    setup, played, fitted = measured(setup)
    self_play, fit = games * played / setup.jobs, games * fitted
    test = fresh * seconds_of_duel(setup) / setup.jobs
    more = ""
    if rounds > 1:
        later = round_games * (seconds_of_looking_ahead(setup) / setup.jobs + fitted) + test
        more = f"; up to {rounds - 1} more rounds of {round_games:,} games, {time_words(later)} each"
    speed = f"{games:,} games of self-play at {setup.jobs / played:,.0f} a second"
    setup.say(f"{speed}, the fit and {fresh:,} games of the test: {time_words(self_play + fit + test)}{more}")
    return setup


def measured(setup: TrainingSetup) -> tuple[TrainingSetup, float, float]:
    """Play a few games; return the setup with the length of a game, the seconds per game of play, and of fitting.

    The length has two numbers: the mean number of rounds, and the mean number of places where a horizon may end.
    """
    for _ in range(2):  # the first pass also compiles the code
        begun = time.perf_counter()
        parts = [positions_of(scripted(setup, plan), 0, GAMES_AT_A_TIME) for plan in setup.plans]
        usual = np.concatenate([part.rounds for part in parts]).mean(axis=0)
        setup = replace(setup, usual_rounds=max(1.0, float(usual[0])), usual_stops=max(1.0, float(usual[1])))
    played = (time.perf_counter() - begun) / len(parts) / GAMES_AT_A_TIME
    fitted = FEWEST_PASSES * seconds_of_fit(joined_positions(parts), setup.plans[0]) / len(parts) / GAMES_AT_A_TIME
    return setup, played, fitted


def seconds_of_fit(positions: Positions, plan: Plan) -> float:
    """Return the seconds that the fit needs to compute the gradient over all of `positions` once."""
    features, roles = size_of_net(plan)
    known = np.arange(len(positions))
    examples, _ = examples_of(positions, features, known)
    net, table = first_net(np.random.default_rng(0), features, roles), roles_of_seats(plan.players, roles)
    begun = time.perf_counter()
    gradients(net, examples.matrix(known), table, positions.chance[known])
    return time.perf_counter() - begun


def seconds_of_duel(setup: TrainingSetup) -> float:
    """Return the seconds that a game of the test takes, measured with untrained judges."""
    judge, plan = untrained(setup), setup.plans[0]
    for _ in range(2):  # the first pass also compiles the code
        begun = time.perf_counter()
        duel = duel_of(judge, judge, plan, setup.search, 1, 1)
    return (time.perf_counter() - begun) / duel.games


def seconds_of_looking_ahead(setup: TrainingSetup) -> float:
    """Return the seconds that a game of self-play in a later training round takes, measured with an untrained judge."""
    games, count = looking_ahead(setup, untrained(setup), 1)[0], 4
    begun = time.perf_counter()
    positions_of(games, 0, count)
    return (time.perf_counter() - begun) / count


def untrained(setup: TrainingSetup) -> Judge:
    """Return an untrained judge, with random weights."""
    plan = setup.plans[0]
    assert plan.game.judge is not None
    features, roles = size_of_net(plan)
    first = first_net(np.random.default_rng(0), features, roles)
    nets = [Net(first["rows"], first["biases"], first["ratings"])] * plan.game.judge.phases
    return judge_of(nets, setup, 1, 1)
