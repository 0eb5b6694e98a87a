"""Scores after Ages I and II: those of a naive count of what lies on the table right after the conflicts."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from sim.engine.result_rows import FIXED_COLUMNS
from sim.games.seven_wonders.game import GAME
from sim.players.batch import Plan, plan_record
from sim.players.compile_players import players_of
from tests.games.seven_wonders import naive
from tests.games.seven_wonders.naive import City
from tests.games.seven_wonders.playing import play_turn

MIXED = ["balanced", "science", "military", "wonder", "random"]


def cities_of(plan: Plan, g: Any) -> list[City]:
    """The cities on the table as the naive count takes them."""
    catalog = plan.data.catalog
    return [
        City(
            catalog.faction_names[g.faction[city]],
            [catalog.cards[card].name for card in g.city_cards[city, : g.city_size[city]]],
            int(g.stages_built[city]),
            int(g.coins[city]),
            g.tokens[city].ravel().tolist(),
        )
        for city in range(g.cities)
    ]


@pytest.mark.parametrize("players", [2, 3, 5, 7])
def test_the_score_after_an_age_is_that_of_the_table_after_its_conflicts(
    players: int, plan_of: Callable[..., Plan], rows_of: Callable[..., np.ndarray], scaled: Callable[[int, int], int]
) -> None:
    plan = plan_of(players=players, strategies=MIXED, seed=21)
    team, games = players_of(plan), scaled(15, 2)
    names = [*plan.game.score_parts, *plan.game.measures]
    columns = [FIXED_COLUMNS + names.index(name) for name in plan.game.checkpoints]
    recorded = rows_of(plan, 0, games).reshape(games, players, -1)[:, :, columns]
    for game in range(games):
        g: Any = plan.game.new_games(1)[0]
        GAME.kernels.start_game(g, plan.data.tables, plan_record(plan), game)
        for turn in range(1, 13):
            play_turn(g, plan.data.tables, team)
            if turn % 6 == 0:
                # The next age has been dealt, but nobody has done anything in it.
                table = cities_of(plan, g)
                for seat in range(players):
                    expected = naive.score(plan.data.catalog, table, seat)
                    assert recorded[game, seat, turn // 6 - 1] == expected[-1], (game, seat, turn)
                assert not g.score.any()
