"""A game of 7 Wonders goes on from any turn; another player in one seat, or noise, changes only what it should."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from sim.batch import Plan, plan_record
from sim.compiling import players_of
from sim.games.seven_wonders.play import start_game
from sim.games.seven_wonders.turns import play_on, play_step
from sim.games.seven_wonders.words import CHOOSING, DISCARD_BUILDS, LAST_CARDS, START_TURN
from sim.record import give_answers
from sim.rng import SEATS
from sim.rows import SEAT, STRATEGY
from tests.games.seven_wonders.playing import play_turn

MIXED = ["random", "greedy", "balanced", "balanced@0.7"]
WITH_DECISIONS = ["Babylon B", "Halikarnassos B", "Olympia A", "Rhodos A", "Gizah A", "Ephesos A"]
"""Boards, the first of them those whose players decide after everybody's action."""


def options(**changed: Any) -> dict[str, Any]:
    return {"strategies": MIXED, "seed": 4, "detail": "cards", **changed}


@pytest.mark.parametrize("players", [2, 3, 6])
def test_a_copy_at_any_decision_plays_on_to_the_end_of_the_original(
    players: int, plan_of: Callable[..., Plan], scaled: Callable[[int, int], int]
) -> None:
    boards, settings = WITH_DECISIONS[: max(players, 3)], {"free_city_uses_wonder_powers": True}
    strategies = ["wonder", "wonder@1"]
    plan = plan_of(**options(players=players, strategies=strategies, factions=boards, settings=settings))
    t, team = plan.data.tables, players_of(plan)
    inside, phases, count_of_games = 0, set(), scaled(6, 1)
    for game in range(count_of_games):
        games = plan.game.new_games(1)
        g = games[0]
        g.log.keeps_rows = g.log.keeps_pieces = 1
        start_game(g, t, plan_record(plan), game)
        copies = []
        while not g.finished:
            start = games.copy()
            play_step(g, t, team)
            answers = int(g.decisions - g.step_decisions)
            for count in range(answers + 1):
                copies.append(start.copy())
                give_answers(copies[-1][0], g, count)
            inside += answers > 1
            if answers:
                phases.add(int(start[0].phase))
        for copy in copies[:: scaled(3, 23)]:
            play_on(copy[0], t, team)
            assert copy[0].score.tobytes() == g.score.tobytes()
            assert copy[0].log.tobytes() == g.log.tobytes()
            assert copy[0].rng_drawn.tobytes() == g.rng_drawn.tobytes()
    assert inside, "no step had a second decision"
    assert phases == {START_TURN, CHOOSING, LAST_CARDS, DISCARD_BUILDS} or count_of_games == 1


def test_a_copy_does_not_play_on_in_the_original(plan_of: Callable[..., Plan]) -> None:
    plan = plan_of(**options(players=3))
    games = plan.game.new_games(1)
    start_game(games[0], plan.data.tables, plan_record(plan), 0)
    before = games.tobytes()
    play_on(games.copy()[0], plan.data.tables, players_of(plan))
    assert games.tobytes() == before


# ---- One seat changed ----


@pytest.mark.parametrize("players", [3, 4])
def test_another_strategy_in_one_seat_leaves_the_deal_and_the_other_seats_lots_as_they_were(
    players: int, plan_of: Callable[..., Plan]
) -> None:
    distinct = [f"random@{1 + number}" for number in range(players - 1)]
    one = plan_of(players=players, strategies=[*distinct, "balanced"], assign="fixed", seed=9)
    other = plan_of(players=players, strategies=[*distinct, "greedy"], assign="fixed", seed=9)
    records = []
    for plan in (one, other):
        g = plan.game.new_games(1)[0]
        start_game(g, plan.data.tables, plan_record(plan), 17)
        records.append((g, players_of(plan)))
    (a, a_team), (b, b_team) = records
    assert a.deck.tobytes() == b.deck.tobytes()
    assert a.faction.tobytes() == b.faction.tobytes()
    t = one.data.tables
    play_turn(a, t, a_team)
    play_turn(b, t, b_team)
    # In the first turn nobody has seen what the changed seat does: all others did the same with the same lots.
    for seat in range(players - 1):
        assert a.rng_drawn[SEATS + seat] == b.rng_drawn[SEATS + seat]
        assert a.city_cards[seat].tolist() == b.city_cards[seat].tolist()
        assert (
            a.stage_cards[seat, : a.stages_built[seat]].tolist() == b.stage_cards[seat, : b.stages_built[seat]].tolist()
        )
    play_on(a, t, a_team)
    play_on(b, t, b_team)
    assert a.deck.tobytes() == b.deck.tobytes()
    assert a.score[:, 7].tolist() != b.score[:, 7].tolist()


def test_a_temperature_of_zero_is_no_noise_and_draws_nothing(
    plan_of: Callable[..., Plan], rows_of: Callable[..., np.ndarray]
) -> None:
    sharp = rows_of(plan_of(players=3, strategies=["balanced"]), 0, 5)
    zero = rows_of(plan_of(players=3, strategies=["balanced@0"]), 0, 5)
    warm = rows_of(plan_of(players=3, strategies=["balanced@3"]), 0, 5)
    assert (sharp == zero).all()
    assert (sharp != warm).any()


def test_a_tempered_strategy_plays_worse_the_hotter_it_is(
    plan_of: Callable[..., Plan], rows_of: Callable[..., np.ndarray], scaled: Callable[[int, int], int]
) -> None:
    names = ["balanced", "balanced@2", "balanced@20"]
    rows = rows_of(plan_of(players=3, strategies=names), 0, scaled(600, 30))
    means = [rows[rows[:, STRATEGY] == number][:, 5].mean() for number in range(3)]
    assert means[0] > means[1] > means[2]
    assert set(rows[:, SEAT].tolist()) == {0, 1, 2}
