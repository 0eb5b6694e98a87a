"""The course of turns and rounds: plain sentences of the rulebook on small positions."""

from __future__ import annotations

from typing import Any

import pytest

from sim.games.imperium.rules import constants
from sim.games.imperium.rules.drawing import draw, look_at_fame, trigger_scoring
from sim.games.imperium.rules.moving import move
from sim.games.imperium.rules.turns import play_step
from tests.games.imperium.playing import (
    REVOLTING,
    amount,
    market,
    may_use,
    option,
    pick,
    play,
    scripted,
    turn,
    use,
    whole_round,
)
from tests.games.imperium.tables import T, found, names, position

MARKET = ("Oasis", "Elders", "Education", "City", "Lost Scroll")
DECKS: dict[str, Any] = {
    "regions": ["Steppe", "Forest"],
    "uncivilised": ["Shrine"],
    "civilised": ["Temple"],
    "main": ["Hills", "Armenians", "Wonder"],
}
HAND_TO_DRAW = ["Conquer", "Advance", "Prosperity", "Jungle", "Aksumites"]


def table(**zones: Any) -> Any:
    """Lay out a position with a market and cards to refill it."""
    return position(**{"market": MARKET, "power": False, **DECKS, **zones})


# ---- Turns ----


def test_turns_go_round_from_the_player_left_of_the_solstice_marker() -> None:
    g = table(players=3, nations=("Romans B", "Greeks B", "Persians B"))
    g.first_seat = g.turn_seat = 1
    order: list[int] = []
    players = scripted()
    whole_round(g, players)
    rounds = int(g.rounds)
    while g.rounds == rounds:
        if g.turn_seat >= 0 and (not order or order[-1] != int(g.turn_seat)):
            order.append(int(g.turn_seat))
        play_step(g, T, players)
    assert order == [1, 2, 0]


def test_revolt_returns_as_many_unrest_as_the_player_likes_and_does_nothing_else() -> None:
    g = table(hand={0: ["Unrest", "Unrest", "Unrest", "Glory"]}, deck={0: HAND_TO_DRAW})
    pile = int(g.zone_size[constants.TABLE, constants.UNREST_PILE])
    turn(g, REVOLTING, amount(2))
    assert g.zone_size[constants.TABLE, constants.UNREST_PILE] == pile + 2
    assert (names(g, 0, constants.HAND).count("Unrest"), names(g, 0, constants.DISCARD_PILE)) == (1, [])


def test_hand_cards_are_discarded_at_will_before_the_hand_is_filled_to_five() -> None:
    g = table(hand={0: ["Glory", "Unrest"]}, deck={0: HAND_TO_DRAW})
    turn(g, pick("Glory"))
    assert names(g, 0, constants.DISCARD_PILE) == ["Glory"]
    assert (len(names(g, 0, constants.HAND)), "Unrest" in names(g, 0, constants.HAND)) == (5, True)


def test_a_reshuffle_comes_at_once_also_in_the_turn_of_another() -> None:
    g = table(discard={1: ["Conquer"]}, nation={1: ["Glory", "Advance"]}, turn=0)
    draw(g, T, scripted(), 1, True)
    assert (g.nation_exhausted[1], names(g, 1, constants.NATION), len(names(g, 1, constants.HAND))) == (1, ["Glory"], 1)


# ---- Actions and exhaust abilities ----


@pytest.mark.parametrize(("name", "empire"), [("Coinage", []), ("1UNC6", [0])])
def test_a_card_in_play_is_used_whatever_its_state_icon_says(name: str, empire: list[int]) -> None:
    g = table(play={0: [name]}, deck={0: ["Glory"]}, resources={0: (1, 0, 0)}, empire=empire, uncivilised=[])
    assert may_use(g, name)


def test_a_gained_action_may_be_a_fourth() -> None:
    g = table(play={0: ["Mysticism"]})
    use(g, "Mysticism")
    assert g.actions[0] == 4


# ---- Market, garrison ----


def test_break_through_gains_the_tokens_of_a_market_card() -> None:
    g = table(hand={0: ["Advance"]}, resources={0: (5, 0, 0)})
    g.market_tokens[1] = (0, 1, 2)
    play(g, "Advance", option(1), market("Elders"))
    assert names(g, 0, constants.HAND) == ["Elders"]
    assert g.resource[0].tolist()[1:] == [1, 2]


def test_a_garrisoned_card_that_is_moved_leaves_its_host_in_play() -> None:
    g = table(play={0: ["Jungle"]}, garrison={0: {"Jungle": ["Glory"]}})
    move(g, T, 0, found(g, 0, constants.GARRISON, "Glory"), constants.GARRISON, constants.DISCARD_PILE)
    assert (names(g, 0, constants.PLAY), names(g, 0, constants.GARRISON), names(g, 0, constants.DISCARD_PILE)) == (
        ["Jungle"],
        [],
        ["Glory"],
    )


# ---- Fame, solstice, end ----


def test_of_fewer_fame_cards_than_named_all_are_looked_at() -> None:
    g = table(fame=["Great"])
    look_at_fame(g, T, scripted(), 0, 3, 1)
    assert (names(g, 0, constants.HAND), names(g, constants.TABLE, constants.FAME_DECK)) == (["Great"], [])


def test_every_player_resolves_the_solstice_before_the_next_round() -> None:
    g = table(play={0: ["EGY5"], 1: ["Coinage"]}, nations=("Egyptians B", "Romans B"))
    whole_round(g, scripted())
    assert (g.resource[0].tolist(), g.resource[1].tolist()) == ([0, 0, 1], [2, 0, 0])


def test_a_further_trigger_of_scoring_changes_nothing() -> None:
    g = table()
    trigger_scoring(g, constants.LAST_DEVELOPMENT)
    g.rounds_left = 1
    trigger_scoring(g, constants.MAIN_DECK_EMPTY)
    assert (g.ending, g.rounds_left) == (constants.LAST_DEVELOPMENT, 1)
