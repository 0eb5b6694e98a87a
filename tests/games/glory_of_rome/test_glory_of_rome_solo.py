"""The Imperial variant for one player: events, seven tasks, and titles."""

from typing import Any

import pytest

from sim.games.glory_of_rome.rules import constants
from tests.games.glory_of_rome.playing import Table, revealed, table

FULFILLED: dict[str, dict[str, Any]] = {
    "glory": {"glory": [51]},
    "medals": {"medals": dict.fromkeys(constants.BUILDINGS[:3], 0)},
    "regions": {"legions": {"Epirus": [2], "Macedonia": [3]}},
    "votes": {"senate": [0, 0, 0, 0]},
    "sets": {"sets": {0: [constants.TOOLS] * 2}},
    "pantheon": {"pantheon_own": [[2, 3]], "pantheon_common": [[constants.GOLD, constants.SILVER]]},
    "missions": {"missions": {0: ["Each Card Kept", "Great Wealth"]}, "hands": {0: ["Stola"]}, "denarii": [24]},
}
ALONE: dict[str, Any] = {"players": 1, "variant": "imperial"}


def with_tasks(*names: str) -> Table:
    """Return the end of a game in which these tasks are fulfilled."""
    position = table(**ALONE, **{field: value for name in names for field, value in FULFILLED[name].items()})
    position.finish()
    return position


@pytest.mark.parametrize("name", constants.TASKS)
def test_each_task_counts(name: str) -> None:
    tasks = int(with_tasks(name).g.tasks[0])
    assert [task for bit, task in enumerate(constants.TASKS) if tasks >> bit & 1] == [name]


@pytest.mark.parametrize(
    "fields",
    [
        pytest.param({"glory": [50]}, id="glory"),
        pytest.param({"medals": dict.fromkeys(constants.BUILDINGS[:2], 0)}, id="medals"),
        pytest.param({"legions": {"Epirus": [2], "Macedonia": [2]}}, id="regions"),
        pytest.param({"senate": [0, 0, 0]}, id="votes"),
        pytest.param({"sets": {0: [constants.TOOLS]}}, id="sets"),
        pytest.param({"pantheon_own": [[2, 3]], "pantheon_common": [[constants.GOLD, 0]]}, id="pantheon"),
        pytest.param({"missions": {0: ["Each Card Kept", "Great Wealth"]}, "denarii": [24]}, id="missions"),
    ],
)
def test_one_less_is_no_task(fields: dict[str, Any]) -> None:
    position = table(**ALONE, **fields)
    position.finish()
    assert position.g.tasks[0] == 0


@pytest.mark.parametrize(
    ("count", "title"), [(3, "no title"), (4, "Praetor"), (5, "Praetor"), (6, "Imperator"), (7, "Son of Jupiter")]
)
def test_titles_need_four_six_or_all_seven_tasks(count: int, title: str) -> None:
    position = with_tasks(*constants.TASKS[:count])
    assert constants.END_REASONS[int(position.g.end_reason)] == title
    assert position.g.rank[0] == (2 if title == "no title" else 1)


def test_an_event_brings_a_denarius_for_each_follower_and_no_reward() -> None:
    position = revealed("Festival", **ALONE, glory=[12], denarii=[0])
    assert (position.g.denarii[0], position.g.glory[0]) == (3, 12)


@pytest.mark.parametrize(("value", "lost"), [("apply", 2), ("do nothing", 0)])
def test_a_negative_event_brings_no_denarii_and_a_setting_says_whether_it_applies(value: str, lost: int) -> None:
    fields: dict[str, Any] = {"players": 1, "variant": "imperial+hard-times", "glory": [12], "denarii": [9]}
    position = revealed("Great Fire", **fields, settings={"imperial_negative_events": value})
    assert position.g.denarii[0] == 9 - lost


def test_no_intrigue_is_placed_and_discord_stays() -> None:
    position = table(**ALONE, buildings={"Africa": {"economic": 1}})
    assert position.places_listed() == {("economic", 0), ("Colosseum", 0)}
    position.g.phase, position.g.stage = constants.EVENT_PHASE, constants.TURN_BEGINS
    position.listed()
    assert position.g.phase == constants.BUILD_PHASE
    assert position.g.discord[0] == position.t.discord[position.g.faction[0]]


def test_the_table_is_set_as_for_two_players() -> None:
    g, two = table(**ALONE).g, table(players=2).g
    assert (g.tiles[0].tolist(), g.small) == ([4, 2, 1], 1)
    assert all((g[field] == two[field]).all() for field in ("tiles", "common", "marker"))
