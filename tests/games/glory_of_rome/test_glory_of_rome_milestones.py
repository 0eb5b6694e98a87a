"""Glory and milestones: who gets a follower when, and how markers move."""

from __future__ import annotations

import pytest

from sim.games.glory_of_rome.rules import constants
from tests.games.glory_of_rome.playing import BIANKA, Table, choose, place, step, table

COLOSSEUM = "Colosseum"


def followers(position: Table) -> list[int]:
    """Followers of all seats."""
    found: list[int] = position.g.followers[: position.plan.players].tolist()
    return found


def test_who_reaches_a_milestone_gets_a_follower_and_its_marker_moves_down() -> None:
    position = table(glory=[11, 3, 3, 3])
    place(position, COLOSSEUM)
    assert position.g.glory[BIANKA] == 12
    assert followers(position) == [3, 1, 1, 1]
    assert position.g.marker.tolist() == [5, 11, 21, 30]


def test_who_stands_where_a_marker_moves_to_has_reached_it_too() -> None:
    position = table(glory=[11, 3, 11, 3])
    place(position, COLOSSEUM)
    assert followers(position) == [3, 1, 3, 1]
    assert position.g.marker[1] == 10


def test_two_who_stand_where_a_marker_moves_to_reach_it_together() -> None:
    position = table(glory=[11, 11, 11, 3])
    place(position, COLOSSEUM)
    assert followers(position) == [3, 3, 3, 1]
    assert position.g.marker[1] == 9


def test_the_first_milestone_is_fixed() -> None:
    position = table(glory=[4, 4, 3, 3])
    place(position, COLOSSEUM)
    place(position, COLOSSEUM)
    assert followers(position) == [2, 2, 1, 1]
    assert position.g.marker[0] == 5


def test_a_milestone_is_reached_once_and_no_follower_is_lost_by_moving_back() -> None:
    position = table(glory=[12, 3, 3, 3], followers_left=[1, 1, 1, 1])
    position.g.glory[BIANKA] = 11
    place(position, COLOSSEUM)
    assert (position.g.glory[BIANKA], position.g.followers[BIANKA]) == (12, 3)
    assert position.g.marker[1] == 12


def test_a_marker_may_be_passed_over() -> None:
    buildings = {"Africa": {"political": 2}}
    position = table(constants.BUILD_PHASE, glory=[9, 3, 3, 3], denarii=[13], buildings=buildings)
    choose(position, constants.PLACE_TILE, card=constants.POLITICAL)
    assert position.g.glory[BIANKA] == 15
    assert position.g.marker.tolist() == [5, 11, 21, 30]


def test_nobody_has_more_than_five_followers() -> None:
    position = table(glory=[29, 3, 3, 3])
    place(position, COLOSSEUM)
    assert followers(position)[0] == 5
    position.g.glory[BIANKA] = 40
    place(position, COLOSSEUM)
    assert followers(position)[0] == 5


def test_all_whom_an_event_brings_to_a_milestone_reach_it_at_the_same_time() -> None:
    position = table(constants.EVENT_PHASE, glory=[11, 11, 10, 3])
    g = position.g
    event = position.plan.data.catalog.card_names.index("Festival")
    g.event_deck[g.event_size - 1] = event
    step(position, None)
    # Of those with two followers or more, all gain glory; Gabor comes to 11 as the marker moves over it.
    assert g.glory[:4].tolist() == [12, 12, 11, 3]
    assert followers(position) == [3, 3, 3, 1]
    assert g.marker[1] == 9


def test_a_follower_won_before_the_action_phase_is_placed_in_it() -> None:
    buildings = {"Africa": {"political": 1}}
    position = table(constants.BUILD_PHASE, glory=[4, 1, 1, 1], denarii=[8], buildings=buildings)
    choose(position, constants.PLACE_TILE, card=constants.POLITICAL)
    assert position.g.followers_left[:4].tolist() == [2, 1, 1, 1]


@pytest.mark.parametrize(("value", "placed"), [("this round", 3), ("next round", 2)])
def test_a_setting_says_when_a_follower_won_in_the_action_phase_is_placed(value: str, placed: int) -> None:
    position = table(glory=[11, 1, 1, 1], settings={"follower_won_in_action": value})
    while position.decision in (-1, constants.ASK_FOLLOWER):
        place(position, COLOSSEUM)
    assert position.g.followers_placed[BIANKA, constants.COLOSSEUM] == placed
    assert position.g.followers_left[BIANKA] == position.g.followers[BIANKA] == 3


def test_the_glory_marker_goes_round_and_counts_on() -> None:
    position = table(glory=[30, 1, 1, 1])
    place(position, COLOSSEUM)
    assert position.g.glory[BIANKA] == 31
