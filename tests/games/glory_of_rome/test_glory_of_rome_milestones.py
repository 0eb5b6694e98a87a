"""Glory and milestones: who gets a follower when, and how markers move."""

import pytest

from sim.games.glory_of_rome.rules import constants
from tests.games.glory_of_rome.playing import BIANKA, HENRIK, Table, against_henrik, revealed, table

COLOSSEUM = "Colosseum"


def followers(position: Table) -> list[int]:
    """Followers of all seats."""
    found: list[int] = position.g.followers[: position.plan.players].tolist()
    return found


@pytest.mark.parametrize(
    ("glory", "reached", "marker"),
    [
        ([11, 3, 3, 3], [3, 1, 1, 1], 11),
        ([11, 3, 11, 3], [3, 1, 3, 1], 10),  # who stands where the marker moves to has reached it too
        ([11, 11, 11, 3], [3, 3, 3, 1], 9),  # two who stand there reach it together
    ],
)
def test_who_reaches_a_milestone_gets_a_follower_and_its_marker_moves_down(
    glory: list[int], reached: list[int], marker: int
) -> None:
    position = table(glory=glory)
    position.place(COLOSSEUM)
    assert position.g.glory[BIANKA] == 12
    assert followers(position) == reached
    assert position.g.marker.tolist() == [5, marker, 21, 30]


def test_the_first_milestone_is_fixed() -> None:
    position = table(glory=[4, 4, 3, 3])
    position.place(COLOSSEUM)
    position.place(COLOSSEUM)
    assert followers(position) == [2, 2, 1, 1]
    assert position.g.marker[0] == 5


def test_a_milestone_is_reached_once_and_no_follower_is_lost_by_moving_back() -> None:
    position = table(glory=[12, 3, 3, 3], followers_left=[1, 1, 1, 1])
    position.g.glory[BIANKA] = 11
    position.place(COLOSSEUM)
    assert (position.g.glory[BIANKA], position.g.followers[BIANKA]) == (12, 3)
    assert position.g.marker[1] == 12


def test_whose_marker_is_moved_below_a_milestone_keeps_the_follower() -> None:
    position = against_henrik(glory=[1, 5, 1, 1])
    position.activate(constants.SLANDER, "Gallia")
    assert (position.g.glory[HENRIK], followers(position)[HENRIK]) == (4, 2)


@pytest.mark.parametrize(
    ("glory", "denarii", "level", "then", "left"),
    [(9, 13, 2, 15, 3), (4, 8, 1, 8, 2)],  # a marker that is passed over is reached; its follower is placed this round
)
def test_a_follower_won_before_the_action_phase_is_placed_in_it(
    glory: int, denarii: int, level: int, then: int, left: int
) -> None:
    buildings = {"Africa": {"political": level}}
    position = table(constants.BUILD_PHASE, glory=[glory, 1, 1, 1], denarii=[denarii], buildings=buildings)
    position.choose(constants.PLACE_TILE, card=constants.POLITICAL)
    assert position.g.glory[BIANKA] == then
    assert position.g.followers_left[:4].tolist() == [left, 1, 1, 1]


def test_nobody_has_more_than_five_followers_and_the_marker_goes_round_and_counts_on() -> None:
    for glory in (29, 30):
        position = table(glory=[glory, 3, 3, 3])
        position.place(COLOSSEUM)
        assert (position.g.glory[BIANKA], followers(position)[0]) == (glory + 1, 5)


def test_all_whom_an_event_brings_to_a_milestone_reach_it_at_the_same_time() -> None:
    position = revealed("Festival", glory=[11, 11, 10, 3])
    # Of those with two followers or more, all gain glory; Gabor comes to 11 as the marker moves over it.
    assert position.g.glory[:4].tolist() == [12, 12, 11, 3]
    assert followers(position) == [3, 3, 3, 1]
    assert position.g.marker[1] == 9


@pytest.mark.parametrize(("value", "placed"), [("this round", 3), ("next round", 2)])
def test_a_setting_says_when_a_follower_won_in_the_action_phase_is_placed(value: str, placed: int) -> None:
    position = table(glory=[11, 1, 1, 1], settings={"follower_won_in_action": value})
    while position.decision in (-1, constants.ASK_FOLLOWER):
        position.place(COLOSSEUM)
    assert position.g.followers_placed[BIANKA, constants.COLOSSEUM] == placed
    assert position.g.followers_left[BIANKA] == position.g.followers[BIANKA] == 3
