"""Another player in one seat, or noise, changes only what it should."""

from collections.abc import Callable

import numpy as np
import pytest

from sim.engine.result_rows import SEAT, STRATEGY
from sim.engine.rng import SEATS
from sim.games.seven_wonders.game import GAME
from sim.players.batch import Plan, plan_record
from sim.players.compile_players import players_of
from tests.games.seven_wonders.playing import play_turn


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
        GAME.kernels.start_game(g, plan.data.tables, plan_record(plan), 17)
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
    GAME.kernels.play_out(a, t, a_team)
    GAME.kernels.play_out(b, t, b_team)
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
