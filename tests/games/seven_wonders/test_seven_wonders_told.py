"""Told games: what is said agrees with the record of the game."""

from typing import Any

import pytest

from sim.games.seven_wonders.data.catalog import load_catalog
from sim.games.seven_wonders.data.compile import build_tables
from sim.games.seven_wonders.game import GAME
from sim.games.seven_wonders.io.narrate import WondersNarrator
from sim.players.batch import plan_record
from sim.players.compile_players import players_of
from tests.games.seven_wonders.golden import GAMES, PLAYER
from tests.kit.golden import golden_plan

CATALOG = load_catalog()
T = build_tables(CATALOG)
NAMES = [PLAYER]


def play(name: str) -> Any:
    """A golden game, finished, with its log; an array of length 1."""
    plan, number = golden_plan("seven_wonders", name)
    games = plan.game.new_games(1)
    games["log"]["keeps_rows"] = 1
    GAME.kernels.start_game(games[0], plan.data.tables, plan_record(plan), number)
    GAME.kernels.play_out(games[0], plan.data.tables, players_of(plan))
    return games


@pytest.mark.parametrize("name", GAMES)
def test_the_coins_stages_and_buildings_told_are_those_of_the_cities(name: str) -> None:
    g = play(name)[0]
    teller = WondersNarrator(g, T, CATALOG, NAMES)
    list(teller.lines())
    assert teller.coins == g.coins[: g.cities].tolist()
    assert teller.stages == g.stages_built[: g.cities].tolist()
    for city in range(g.cities):
        assert teller.built[city] == {CATALOG.cards[card].name for card in g.city_cards[city, : g.city_size[city]]}
