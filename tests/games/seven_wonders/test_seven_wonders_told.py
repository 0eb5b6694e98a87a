"""Told games: what is said agrees with the record of the game."""

from typing import Any

import pytest

from sim.games.seven_wonders.io.narrate import WondersNarrator
from sim.players.compile_players import players_of
from tests.games.seven_wonders.golden import GAMES, PLAYER
from tests.games.seven_wonders.playing import CATALOG, T
from tests.kit.golden import golden_plan
from tests.kit.steps import started


@pytest.mark.parametrize("name", GAMES)
def test_the_coins_stages_and_buildings_told_are_those_of_the_cities(name: str) -> None:
    plan, number = golden_plan("seven_wonders", name)
    g: Any = started(plan, number, keeps_log=True)[0]
    plan.game.kernels.play_out(g, T, players_of(plan))
    teller = WondersNarrator(g, T, CATALOG, [PLAYER])
    list(teller.lines())
    assert teller.coins == g.coins[: g.cities].tolist()
    assert teller.stages == g.stages_built[: g.cities].tolist()
    for city in range(g.cities):
        assert teller.built[city] == {CATALOG.cards[card].name for card in g.city_cards[city, : g.city_size[city]]}
