"""Players who look ahead: what they find is what playing on slowly finds, and nothing hidden decides."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
import pytest

from sim.compiler.kernel import compiled
from sim.data.declarations import Search
from sim.engine.script import Strategy
from sim.engine.state import NO_ERROR, NO_ROOM
from sim.game import load_game
from sim.players.batch import Plan
from sim.players.compile_players import players_of
from sim.players.find_strategies import load_strategies
from sim.players.search import compare_options
from sim.players.search_memory import find_search_memory
from tests.kit.hidden import dealt_anew
from tests.kit.looking_ahead import in_room, slow_worths
from tests.kit.plans import KIT_GAMES, plan_for, rows_of, tables_of
from tests.kit.steps import started

ROLLOUTS = 2
POSITIONS, EVERY = (1, 11) if compiled() else (1, 1)
"""Positions looked at, and how many decisions lie between them."""


def base_of(game: str) -> Strategy:
    """Player on which those who look ahead stand: what the game plays by default."""
    return load_strategies(game)[load_game(game).default_strategies[0].partition("@")[0]]


def search_for(game: str) -> Search:
    """Search every decision without dropping an option."""
    return Search(
        rollouts=ROLLOUTS,
        options=64,
        value="win",
        lead_scale=5.0,
        prior=0.0,
        model_temperature=0.0,
        horizon=0,
        halves=False,
        decisions=list(load_game(game).decisions),
    )


def searching(game: str, players: int, **search: Any) -> Plan:
    """Return the plan of a run in which one strategy looks ahead and the others are random."""
    plan = plan_for(game, players=players, strategies=[base_of(game).name, "random"], seed=4)
    looks_ahead = replace(plan.strategies[0], search=search_for(game).model_copy(update=search), temperature=0.0)
    return replace(plan, strategies=(looks_ahead, plan.strategies[1]))


class Found(NamedTuple):
    """A decision as it was searched: the option taken, and what each is worth."""

    decision: int
    taken: int
    worths: list[float]


def decides_first(plan: Plan, table: np.ndarray, team: Any) -> tuple[int, np.ndarray]:
    """Play a step in a copy; return the seat that decides first in it, -1 for none, and the copy."""
    after = table.copy()
    g: Any = after[0]
    plan.game.play_step(g, plan.data.tables, team)
    return (int(g.answer_seat[0]) if g.decisions > table[0].decisions else -1), after


def search_step(plan: Plan, table: np.ndarray, me: int, team: Any) -> Found | None:
    """Play a step whose first decision is a seat's, which looks ahead; None if the decision that it takes is not."""
    g = in_room(plan, table)
    g.strategy[:] = 1
    g.strategy[me] = 0
    plan.game.play_step(g, plan.data.tables, team)
    assert g.error == NO_ERROR
    found = find_search_memory(g)
    if found.answers != 0:
        return None
    return Found(int(found.decision), int(g.answer[0]), found.worth[: int(found.option_count)].tolist())


def steps_searched(game: str, **search: Any) -> Iterator[tuple[Plan, np.ndarray, int, Found, Any]]:
    """Yield steps of a game with a decision that is searched: the game before it, the seat, and what was found."""
    plan = searching(game, load_game(game).default_players, **search)
    team, number, looked, asked = players_of(plan), 0, 0, 0
    while looked < POSITIONS:
        table = started(plan, number)
        g: Any = table[0]
        g.strategy[:] = 1
        while not g.finished and looked < POSITIONS:
            seat, after = decides_first(plan, table, team)
            asked += seat >= 0
            if seat >= 0 and asked % EVERY == 0 and (found := search_step(plan, table, seat, team)) is not None:
                looked += 1
                yield plan, table, seat, found, team
            table, g = after, after[0]
        number += 1


@pytest.mark.parametrize("game", KIT_GAMES)
def test_options_are_worth_what_playing_them_on_one_by_one_finds(game: str) -> None:
    compare_with_slow_search(game)


@pytest.mark.parametrize("game", [game for game in KIT_GAMES if load_game(game).evaluate_horizon is not None])
@pytest.mark.parametrize("rounds", [1, 2])
def test_options_are_worth_the_chances_that_are_judged_at_the_horizon(game: str, rounds: int) -> None:
    prospects = load_game(game).prospects
    outlook = tuple({name: 0.3 / left / place for place, name in enumerate(prospects, 1)} for left in range(1, 9))
    compare_with_slow_search(game, horizon=rounds, outlook=outlook)


def test_without_an_outlook_games_are_scored_at_the_horizon_as_if_they_had_ended() -> None:
    compare_with_slow_search("history_of_the_world", horizon=1)


def compare_with_slow_search(game: str, **search: Any) -> None:
    """Compare what is found of some decisions with what playing their options on one by one finds."""
    base = base_of(game)
    for plan, table, me, found, _ in steps_searched(game, **search):
        slowly = search_for(game).model_copy(update=search)
        slow = slow_worths(plan, table, replace(base, temperature=0.0), me, found.decision, slowly)
        assert len(slow) == len(found.worths)
        assert found.worths[found.taken] == pytest.approx(max(slow), abs=1e-6)
        assert slow[found.taken] == pytest.approx(max(slow), abs=1e-6)
        assert found.worths == pytest.approx(slow, abs=1e-6)


@pytest.mark.parametrize("game", KIT_GAMES)
def test_what_a_seat_cannot_see_changes_nothing_that_it_finds(game: str) -> None:
    for number, (plan, table, me, found, team) in enumerate(steps_searched(game)):
        other = dealt_anew(plan.game, table, plan.data.tables, me, 1 + number)
        nobody = plan.players + 1
        for _ in range(nobody):  # others whose choice lay hidden choose again before the seat does
            seat, after = decides_first(plan, other, team)
            if seat == me:
                break
            other = after
        g: Any = other[0]
        # Lots are drawn by the number of the decision.
        g.decisions_before = g.decisions - (table[0].decisions - table[0].decisions_before)
        assert search_step(plan, other, me, team) == found


@pytest.mark.parametrize("game", KIT_GAMES)
def test_games_of_players_who_look_ahead_are_the_same_in_any_stretch(game: str) -> None:
    name = base_of(game).name
    players = min(table[2] for table in tables_of(game) if table[2] > 1)
    plan = plan_for(game, players=players, strategies=[f"{name}+1", "random"], seed=3)
    games = 2 if compiled() else 1
    together = rows_of(plan, 0, games)
    for number in range(games):
        assert np.array_equal(rows_of(plan, number, 1)[0], together[number])


def test_a_copy_ends_at_its_decision_without_an_error_so_that_what_is_left_of_the_step_lists_its_options() -> None:
    plan = searching("goofspiel", 2)
    g = in_room(plan, started(plan, 0))
    found, w = find_search_memory(g), players_of(plan)[1].seats[0]
    g.option_count, found.option_count = 2, 3
    for option, ended in enumerate((0, 1)):
        compare_options(g, plan.data.tables, 0, 0, option, w, found)
        assert (g.finished, found.came, g.error) == (ended, ended, NO_ERROR)


def test_without_memory_nobody_looks_ahead() -> None:
    plan = searching("seven_wonders", 3)
    table = started(plan, 0)
    g: Any = table[0]
    g.strategy[:] = 0
    plan.game.play_step(g, plan.data.tables, players_of(plan))
    assert g.error == NO_ROOM
