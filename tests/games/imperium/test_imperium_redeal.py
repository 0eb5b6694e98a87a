"""A game dealt anew for a seat: all that it has seen stays, the rest is as it could just as well be."""

from collections import Counter
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from sim.game import load_game
from sim.games.imperium.rules import constants
from sim.games.imperium.rules.drawing import draw, look_at_fame, shuffle_nation
from sim.games.imperium.rules.knowledge import look_at_card, show_card
from sim.games.imperium.rules.moving import move
from tests.games.imperium.hidden import cards_in
from tests.games.imperium.playing import option, pick, play, revealed, scripted, top_of
from tests.games.imperium.tables import T, names, position
from tests.kit.hidden import dealt_anew
from tests.kit.steps import eventful_plan, steps_of

GAME = load_game("imperium")
DEALS = 40
"""How often a position is dealt anew to see what a seat thinks possible."""


@pytest.mark.parametrize(("players", "box"), [(2, "classics"), (3, "legends"), (4, "classics")])
def test_no_card_leaves_the_cards_it_was_shuffled_with(
    players: int, box: str, scaled: Callable[[int, int], int]
) -> None:
    plan = eventful_plan("imperium", box, players)
    t = plan.data.tables
    for number in range(scaled(2, 1)):
        for step in steps_of(plan, number, scaled(17, 60)):
            g, other = step.before[0], dealt_anew(plan.game, step.before, t, number % players, number)[0]
            for seat in range(players):
                for zone in (constants.HAND, constants.DECK):
                    heaps = [Counter(g.heap[card] for card in cards_in(one, seat, zone)) for one in (g, other)]
                    assert heaps[0] == heaps[1] or any(g.put_back[cards_in(g, seat, constants.DECK)])
            for deck in range(constants.REGION_DECK, constants.MAIN_DECK):
                assert {int(g.heap[card]) for card in cards_in(other, constants.TABLE, deck)} <= {deck}


# ---- What the rules let a seat know ----

DECK_OF_SEVEN = ["Advance", "Glory", "Prosperity", "Conquer", "Hills", "Floodplain", "Coast"]


def deals(g: Any, me: int, owner: int, zone: int) -> list[list[str]]:
    """Names of the cards in a zone, as a seat thinks possible."""
    table = np.asarray(g).reshape(1)
    return [names(dealt_anew(GAME, table, T, me, number)[0], owner, zone) for number in range(DEALS)]


def thought_possible(g: Any, me: int, owner: int, zone: int) -> list[set[str]]:
    """Names that a seat thinks possible at each place of a zone, from the bottom up."""
    return [set(place) for place in zip(*deals(g, me, owner, zone), strict=True)]


def test_another_players_hand_may_hold_anything_of_its_draw_deck() -> None:
    g = position(deck={0: DECK_OF_SEVEN})
    draw(g, T, scripted(), 0, True)
    assert thought_possible(g, 1, 0, constants.HAND) == [set(DECK_OF_SEVEN)]
    assert thought_possible(g, 0, 0, constants.HAND) == [{"Coast"}]
    assert set.union(*thought_possible(g, 0, 0, constants.DECK)) == set(DECK_OF_SEVEN) - {"Coast"}


def test_what_is_taken_before_all_eyes_is_known_to_be_in_the_hand() -> None:
    g = position(
        hand={0: ["ROM16"]}, deck={0: DECK_OF_SEVEN}, resources={0: (3, 0, 0)}, market=(None, "Elders"), main=["Marsh"]
    )
    play(g, "Advance")
    draw(g, T, scripted(), 0, True)
    assert thought_possible(g, 1, 0, constants.HAND) == [{"Elders"}, {"Unrest"}, set(DECK_OF_SEVEN)]


def test_a_hand_card_put_on_the_draw_deck_unseen_may_be_any_of_the_hand_but_no_other() -> None:
    g = position(hand={0: ["1TRI9", "Elders", "Shrine"]}, deck={0: DECK_OF_SEVEN})
    for card in cards_in(g, 0, constants.HAND):
        show_card(g, card)
    play(g, "Minoans", pick("Elders"))
    assert thought_possible(g, 1, 0, constants.HAND) == [{"Elders", "Shrine"}]
    deck = thought_possible(g, 1, 0, constants.DECK)
    assert deck[-1] == {"Elders", "Shrine"}
    assert set.union(*deck[:-1]) == set(DECK_OF_SEVEN)
    assert thought_possible(g, 0, 0, constants.DECK)[-1] == {"Elders"}
    draw(g, T, scripted(), 0, True)
    assert set.union(*thought_possible(g, 1, 0, constants.HAND)) == {"Elders", "Shrine"}


def test_a_card_put_on_the_draw_deck_from_the_discard_pile_is_known_to_lie_there() -> None:
    g = position(hand={0: ["2TRI8"]}, deck={0: DECK_OF_SEVEN}, discard={0: ["Shrine"]})
    move(g, T, 0, cards_in(g, 0, constants.DISCARD_PILE)[0], constants.DISCARD_PILE, constants.DECK)
    for seat in (0, 1):
        assert thought_possible(g, seat, 0, constants.DECK)[-1] == {"Shrine"}
    draw(g, T, scripted(), 0, True)
    assert thought_possible(g, 1, 0, constants.HAND)[-1] == {"Shrine"}


def test_hand_cards_from_before_a_reshuffle_are_not_in_the_new_draw_deck() -> None:
    g = position(deck={0: ["Elders", "Shrine"]}, discard={0: DECK_OF_SEVEN})
    for _ in range(3):
        draw(g, T, scripted(), 0, True)
    for hand in deals(g, 1, 0, constants.HAND):
        assert {"Elders", "Shrine"} < set(hand)
    assert set.union(*thought_possible(g, 1, 0, constants.DECK)) == set(DECK_OF_SEVEN)


FAME = ["Great", "Notorious", "Marvellous", "Glorious", "Praiseworthy"]


def test_who_looks_at_fame_knows_what_it_leaves_and_the_others_do_not_know_what_it_takes() -> None:
    g = position(3, fame=FAME)
    look_at_fame(g, T, scripted(pick("Glorious")), 0, 2, 1)
    assert names(g, 0, constants.HAND) == ["Glorious"]
    assert thought_possible(g, 0, constants.TABLE, constants.FAME_DECK)[-1] == {"Praiseworthy"}
    assert thought_possible(g, 1, 0, constants.HAND) == [set(FAME)]
    assert thought_possible(g, 1, constants.TABLE, constants.FAME_DECK)[-1] == set(FAME)


def test_a_seat_that_others_shuffle_fame_under_no_longer_knows_the_top() -> None:
    g = position(fame=FAME)
    look_at_fame(g, T, scripted(), 1, 1, 0)
    assert thought_possible(g, 1, constants.TABLE, constants.FAME_DECK)[-1] == {"Praiseworthy"}
    look_at_fame(g, T, scripted(pick("Glorious")), 0, 2, 1)
    assert len(thought_possible(g, 1, constants.TABLE, constants.FAME_DECK)[-1]) > 1


def test_the_unseen_top_card_of_a_small_deck_may_be_any_of_its_suit() -> None:
    regions = ["Hills", "Oasis", "Coast", "Floodplain"]
    g = position(hand={0: ["ROM17"]}, resources={0: (0, 3, 0)}, regions=regions[:3], main=regions[3:])
    play(g, "Conquer", option(1), top_of("region"))
    assert thought_possible(g, 0, 0, constants.HAND) == [{"Coast"}]
    assert thought_possible(g, 1, 0, constants.HAND) == [set(regions)]
    assert thought_possible(g, 1, constants.TABLE, constants.MAIN_DECK) == [set(regions)]


def test_cards_revealed_and_shuffled_back_are_known_to_be_in_the_main_deck() -> None:
    g = position(
        hand={0: ["ROM17"]}, resources={0: (0, 3, 0)}, regions=["Oasis"], main=["Elders", "Armenians", "Hills", "Coast"]
    )
    play(g, "Conquer", option(1), revealed("tributary"))
    assert thought_possible(g, 1, constants.TABLE, constants.REGION_DECK) == [{"Oasis"}]
    assert thought_possible(g, 1, constants.TABLE, constants.MAIN_DECK) == [{"Elders", "Hills", "Coast"}] * 3
    assert thought_possible(g, 1, 0, constants.HAND) == [{"Armenians"}]


def test_the_nation_deck_is_unknown_but_for_its_bottom_and_what_its_player_looked_at() -> None:
    nation = ["Harald Hardrada", "Iceland", "Combs", "Graenland"]
    g = position(nations=("Vikings B", "Romans B"), nation={0: nation})
    assert thought_possible(g, 0, 0, constants.NATION) == [{"Harald Hardrada"}, *[set(nation[1:])] * 3]
    look_at_card(g, 0, cards_in(g, 0, constants.NATION)[-1])
    assert thought_possible(g, 0, 0, constants.NATION) == [
        {"Harald Hardrada"},
        *[{"Iceland", "Combs"}] * 2,
        {"Graenland"},
    ]
    assert thought_possible(g, 1, 0, constants.NATION)[-1] == set(nation[1:])
    shuffle_nation(g, 0)
    assert len(thought_possible(g, 0, 0, constants.NATION)[-1]) == 3
