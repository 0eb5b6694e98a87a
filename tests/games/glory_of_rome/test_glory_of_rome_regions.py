"""Legions and battle regions: conquest, places, ties, and points."""

from collections.abc import Sequence
from typing import Any

import pytest

from sim.games.glory_of_rome.rules import constants
from tests.games.glory_of_rome.playing import BIANKA, HENRIK, Table, against_henrik, table

EPIRUS, MACEDONIA, THRACE = range(3)


def castle(**fields: Any) -> Table:
    """Return an action phase in which Bianka can place a follower on a military building."""
    return table(buildings={"Africa": {"military": 1}}, **fields)


def military(legions: dict[str, Sequence[int]], players: int = 4, **fields: object) -> list[int]:
    """End glory of all seats for legions."""
    return [score["military"] for score in table(players=players, legions=legions, **fields).finish()]


def test_a_legion_from_the_board_is_placed_and_a_region_is_conquered_by_its_number() -> None:
    position = castle(board_legions=[2], legions={"Epirus": [0, 1]})
    position.place("military")
    position.choose(constants.PLACE_LEGION, place=EPIRUS)
    assert position.g.legions[EPIRUS, :2].tolist() == [1, 1]
    assert position.g.board_legions[BIANKA] == 1
    assert position.g.conquered.tolist() == [1, 0, 0]


@pytest.mark.parametrize(("value", "conquered"), [("must hold the number", 0), ("stays conquered", 1)])
def test_a_legion_can_move_between_regions_instead(value: str, conquered: int) -> None:
    position = castle(board_legions=[0], legions={"Epirus": [1, 1]}, settings={"left_region": value})
    position.place("military")
    assert position.kinds_listed() == {"move_legion"}
    position.choose(constants.MOVE_LEGION, card=EPIRUS, place=THRACE)
    assert position.g.legions[:, BIANKA].tolist() == [0, 0, 1]
    assert position.g.conquered.tolist() == [conquered, 0, 0]


def test_with_the_bonus_two_steps_are_made() -> None:
    position = castle(board_legions=[1], discord=[0])
    position.place("military", 1)
    position.choose(constants.PLACE_LEGION, place=EPIRUS)
    assert position.kinds_listed() == {"move_legion"}
    position.choose(constants.MOVE_LEGION, card=EPIRUS, place=THRACE)
    assert position.g.legions[:, BIANKA].tolist() == [0, 0, 1]
    assert position.g.bonus_used[BIANKA, constants.MILITARY] == 1


def test_without_any_legion_no_follower_goes_there() -> None:
    assert ("military", 0) not in castle(board_legions=[0]).places_listed()


@pytest.mark.parametrize(
    ("region", "legions", "points"),
    [
        ("Epirus", [1], [0, 0, 0, 0]),
        ("Epirus", [2], [5, 0, 0, 0]),
        ("Macedonia", [2], [0, 0, 0, 0]),
        ("Macedonia", [3], [8, 0, 0, 0]),
        ("Thrace", [3], [0, 0, 0, 0]),
        ("Thrace", [4], [10, 0, 0, 0]),
        ("Epirus", [4, 3, 2, 1], [5, 2, 0, 0]),
        ("Macedonia", [4, 3, 2, 1], [8, 4, 0, 0]),
        ("Thrace", [4, 3, 2, 1], [10, 5, 3, 0]),
        ("Epirus", [4, 3], [5, 2]),
        ("Macedonia", [4, 3], [4, 0]),
        ("Thrace", [4, 3], [5, 3]),
    ],
)
def test_a_conquered_region_brings_points_by_place(region: str, legions: list[int], points: list[int]) -> None:
    assert military({region: legions}, players=len(points)) == points


@pytest.mark.parametrize(
    ("legions", "medal", "points"),
    [
        ([3, 1, 3], None, [0, 5, 0, 0]),
        ([3, 3, 3, 1], None, [0, 0, 0, 5]),
        ([4, 2, 2, 1], None, [10, 0, 0, 3]),
        ([3, 1, 3], BIANKA, [10, 3, 5, 0]),
        ([3, 1, 3], HENRIK, [0, 5, 0, 0]),
    ],
)
def test_who_is_tied_scores_nothing_but_for_the_military_medal(
    legions: list[int], medal: int | None, points: list[int]
) -> None:
    assert military({"Thrace": legions}, medals={} if medal is None else {"military": medal}) == points


@pytest.mark.parametrize(("value", "points"), [("others tie", [10, 0, 0, 3]), ("others score alike", [10, 5, 5, 3])])
def test_a_setting_says_what_two_others_get_who_tie_with_the_medal(value: str, points: list[int]) -> None:
    settings = {"military_medal_with_three": value}
    assert military({"Thrace": [3, 3, 3, 1]}, medals={"military": BIANKA}, settings=settings) == points


# ---- Intrigue against legions ----


@pytest.mark.parametrize("replaced", [0, 1])
def test_defection_removes_or_replaces_a_legion(replaced: int) -> None:
    legions = {"legions": {"Macedonia": [0, 3]}, "board_legions": [2, 1]}
    position = against_henrik(own_intrigue=[constants.DEFECTION], **legions)
    position.activate(constants.DEFECTION, "Gallia", value=MACEDONIA + 3 * replaced)
    assert position.g.legions[MACEDONIA, :2].tolist() == [replaced, 2]
    assert position.g.board_legions[:2].tolist() == [2 - replaced, 2]
    assert position.g.conquered[MACEDONIA] == replaced


def test_deception_moves_two_legions_of_the_target_to_another_region() -> None:
    position = against_henrik(own_intrigue=[constants.DECEPTION], legions={"Epirus": [0, 1], "Macedonia": [0, 3]})
    deceptions = {
        (o.value % 4, o.value // 4 % 4, o.value // 16) for o in position.listed() if o.card == constants.DECEPTION
    }
    both = (MACEDONIA, MACEDONIA)
    assert deceptions == {(EPIRUS, MACEDONIA, THRACE), (*both, EPIRUS), (*both, THRACE)}
    position.activate(constants.DECEPTION, "Gallia", value=EPIRUS + 4 * MACEDONIA + 16 * THRACE)
    assert position.g.legions[:, HENRIK].tolist() == [0, 2, 2]


@pytest.mark.parametrize(("value", "offered"), [("not possible", False), ("possible", True)])
def test_a_setting_says_whether_deception_moves_a_single_legion(value: str, offered: bool) -> None:
    fields: dict[str, Any] = {"legions": {"Epirus": [0, 1]}, "settings": {"single_legion_deception": value}}
    position = against_henrik(own_intrigue=[constants.DECEPTION], **fields)
    assert any(option.card == constants.DECEPTION for option in position.listed()) == offered
    if offered:
        position.activate(constants.DECEPTION, "Gallia", value=EPIRUS + 4 * constants.NO_SECOND + 16 * THRACE)
        assert position.g.legions[:, HENRIK].tolist() == [0, 0, 1]
