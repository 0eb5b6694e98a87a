"""The chance to win between two epochs is what a slow count of the map makes of it."""

import math
from functools import cache
from typing import Any

import numpy as np
import pytest

from sim.compiler.kernel import MAX_PROSPECTS, MAX_ROUNDS_LEFT
from sim.games.history_of_the_world.rules import constants
from sim.games.history_of_the_world.rules.features import clock, may_stop
from sim.games.history_of_the_world.rules.outlook import PROSPECTS, evaluate_horizon
from sim.players.compile_players import players_of
from tests.kit.plans import plan_for
from tests.kit.steps import started


@cache
def between_epochs(players: int, data: str) -> list[tuple[Any, Any]]:
    """Games of three players who conquer, as each of their epochs has ended, with their tables."""
    plan = plan_for("history_of_the_world", "draft", players, strategies=["balanced"], seed=8, settings={"data": data})
    t, team, found = plan.data.tables, players_of(plan), []
    table = started(plan, 0)
    g: Any = table[0]
    while not g.finished:
        rounds = int(g.rounds)
        plan.game.play_step(g, t, team)
        if g.rounds > rounds:
            found.append((table.copy()[0], t))
    return found


def counted(g: Any, t: Any, seat: int) -> dict[str, float]:
    """What is counted of a seat, land by land."""
    points = [int(g.points[other]) for other in range(g.players)]
    armies = [[int(land) for land in np.flatnonzero(g.army == other) if land < t.lands] for other in range(g.players)]
    regions = 0
    for region in range(t.regions):
        held = [sum(int(t.region[land]) == region for land in lands) for lands in armies]
        others = held[:seat] + held[seat + 1 :]
        level = int(held[seat] > 0)
        if held[seat] >= t.dominance_armies and held[seat] > max(others):
            level = 2
        if held[seat] >= t.control_armies and sum(others) == 0:
            level = 3
        regions += (0, 1, int(t.dominance_times), int(t.control_times))[level] * int(t.presence[g.epoch, region])
    structures = sum(
        g.capital[land] * t.points_capital + g.city[land] * t.points_city + g.monument[land] * t.points_monument
        for land in armies[seat]
    )
    return {
        "points": points[seat],
        "place": sum(other > points[seat] for other in points) / (g.players - 1),
        "last": float(min(points) == points[seat]),
        "structures": float(structures),
        "next": float(regions),
        "armies": float(len(armies[seat])),
    }


@pytest.mark.parametrize(
    ("players", "data"),
    [
        (3, "reconstruction-2018"),
        pytest.param(6, "reconstruction-2018", marks=pytest.mark.sweep),
        (4, "edition-1993"),
    ],
)
def test_chances_are_shares_of_the_exponentials_of_what_is_counted(players: int, data: str) -> None:
    weights = np.random.default_rng(3).normal(0.0, 0.1, (MAX_ROUNDS_LEFT, MAX_PROSPECTS))
    for g, t in between_epochs(players, data)[:-1]:
        chance = np.full(8, math.nan)
        evaluate_horizon(g, t, weights, chance)
        row = weights[t.epochs - g.epoch - 1]
        prospects = [
            sum(row[place] * counted(g, t, seat)[name] for place, name in enumerate(PROSPECTS))
            for seat in range(players)
        ]
        slow = np.exp(prospects) / np.exp(prospects).sum()
        assert chance[:players].tolist() == pytest.approx(slow.tolist())
        assert np.isnan(chance[players:]).all()


def test_after_the_last_epoch_nothing_is_judged() -> None:
    g, t = between_epochs(3, "reconstruction-2018")[-1]
    assert g.phase == constants.END
    chance = np.full(8, math.nan)
    evaluate_horizon(g, t, np.ones((MAX_ROUNDS_LEFT, MAX_PROSPECTS)), chance)
    assert np.isnan(chance).all()


@pytest.mark.parametrize("players", [3, 6])
def test_a_horizon_counts_turns_and_an_epoch_as_seven_with_any_number_of_players(players: int) -> None:
    plan = plan_for("history_of_the_world", "draft", players, strategies=["balanced"], seed=8)
    t, team, epochs, turns, stops = plan.data.tables, players_of(plan), 0, 0, 0
    g: Any = started(plan, 0)[0]
    while not g.finished:
        phase = int(g.phase)
        assert clock(g) == 7 * epochs + turns
        assert may_stop(g) == (phase == constants.TOKENS or (phase == constants.CALL and turns < players))
        stops += may_stop(g)
        plan.game.play_step(g, t, team)
        if phase == constants.TURN and g.phase == constants.CALL:
            turns += 1
        elif phase == constants.CALL and g.phase != constants.TURN:
            epochs, turns = epochs + 1, 0
    assert stops == t.epochs * (1 + players)
