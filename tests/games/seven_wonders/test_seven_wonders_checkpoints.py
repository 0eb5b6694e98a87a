"""Scores after Ages I and II: those of a naive count of what lies on the table right after the conflicts."""

from collections.abc import Callable
from typing import Any

import pytest

from sim.engine.result_rows import FIXED_COLUMNS
from sim.players.compile_players import players_of
from tests.games.seven_wonders import naive
from tests.games.seven_wonders.naive import City
from tests.games.seven_wonders.playing import CATALOG, play_turn
from tests.kit.plans import plan_for, rows_of
from tests.kit.steps import started

MIXED = ["balanced", "science", "military", "wonder", "random"]


def cities_of(g: Any) -> list[City]:
    """The cities on the table as the naive count takes them."""
    return [
        City(
            CATALOG.faction_names[g.faction[city]],
            [CATALOG.cards[card].name for card in g.city_cards[city, : g.city_size[city]]],
            int(g.stages_built[city]),
            int(g.coins[city]),
            g.tokens[city].ravel().tolist(),
        )
        for city in range(g.cities)
    ]


@pytest.mark.parametrize("players", [2, 3, 7])
def test_the_score_after_an_age_is_that_of_the_table_after_its_conflicts(
    players: int, scaled: Callable[..., int]
) -> None:
    plan = plan_for("seven_wonders", players=players, strategies=MIXED, seed=21)
    team, games = players_of(plan), scaled(10, 2, full_count=60)
    names = [*plan.game.score_parts, *plan.game.measures]
    columns = [FIXED_COLUMNS + names.index(name) for name in plan.game.checkpoints]
    recorded = rows_of(plan, 0, games)[:, :, columns]
    for game in range(games):
        g: Any = started(plan, game)[0]
        for turn in range(1, 13):
            play_turn(g, plan.data.tables, team)
            if turn % 6 == 0:
                # The next age has been dealt, but nobody has done anything in it.
                table = cities_of(g)
                for seat in range(players):
                    expected = naive.score(CATALOG, table, seat)
                    assert recorded[game, seat, turn // 6 - 1] == expected[-1], (game, seat, turn)
                assert not g.score.any()
