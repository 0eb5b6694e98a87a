"""A city that is full stops the game with a message, and a decision has room for all its options."""

from typing import Any

import pytest

from sim.errors import UserError
from sim.game import load_game
from sim.games.seven_wonders.rules.building import place_card
from sim.games.seven_wonders.rules.state import CITY_FULL, MAX_CITY_CARDS, MAX_OPTIONS, new_games
from sim.games.seven_wonders.rules.tables import MAX_CARDS
from sim.players.batch import play
from sim.players.compile_players import players_of
from tests.games.seven_wonders.playing import T
from tests.kit.plans import plan_for
from tests.kit.wild import said_by_all


def test_a_decision_has_room_for_all_its_options() -> None:
    # Kinds of discarded cards and none; eight cards in four ways; eight payments to either side.
    assert max(MAX_CARDS + 1, 8 * 4, 8 * 8) <= MAX_OPTIONS


def test_a_full_city_stops_the_game() -> None:
    g: Any = new_games(1)[0]
    for _ in range(MAX_CITY_CARDS + 1):
        place_card(g, T, 0, 3)
    assert (g.error, g.city_size[0]) == (CITY_FULL, MAX_CITY_CARDS)
    assert g.city_cards[1, 0] == 0


def test_a_city_that_builds_all_discards_stops_the_game_with_a_message() -> None:
    changes = said_by_all(load_game("seven_wonders"), "card", "effects", "[{ build_from_discard = true }]")
    plan = plan_for("seven_wonders", changes=changes)
    with pytest.raises(UserError) as error:
        play(plan, players_of(plan), 0, 100)
    assert "more than 40 cards (city_cards of the record) (found: 'seed 1, game " in str(error.value)
