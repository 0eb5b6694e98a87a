"""The Imperial variant for one player: events, seven tasks, and titles."""

from __future__ import annotations

from typing import Any

import pytest

from sim.games.glory_of_rome.rules import constants
from tests.games.glory_of_rome.playing import Table, finish, listed, places_listed, step, table

FULFILLED: dict[str, dict[str, Any]] = {
    "glory": {"glory": [51]},
    "medals": {"medals": dict.fromkeys(constants.BUILDINGS[:3], 0)},
    "regions": {"legions": {"Epirus": [2], "Macedonia": [3]}},
    "votes": {"senate": [0, 0, 0, 0]},
    "sets": {},
    "pantheon": {"pantheon_own": [[2, 3]], "pantheon_common": [[constants.GOLD, constants.SILVER]]},
    "missions": {"missions": {0: ["Each Card Kept", "Great Wealth"]}, "hands": {0: ["Stola"]}, "denarii": [24]},
}


def alone(phase: int = constants.ACTION_PHASE, variant: str = "imperial", **fields: Any) -> Table:
    """Return a position with one player."""
    return table(phase, players=1, variant=variant, **fields)


def with_tasks(names: list[str]) -> Table:
    """Return a position in which these tasks are fulfilled."""
    position = alone(**{field: value for name in names for field, value in FULFILLED[name].items()})
    if "sets" in names:
        position.g.sets[0, constants.TOOLS] = 2
    return position


@pytest.mark.parametrize("name", constants.TASKS)
def test_each_task_counts(name: str) -> None:
    position = with_tasks([name])
    finish(position)
    fulfilled = [task for bit, task in enumerate(constants.TASKS) if (int(position.g.tasks[0]) >> bit) & 1]
    assert fulfilled == [name]


@pytest.mark.parametrize(
    ("count", "title"),
    [(3, "no title"), (4, "Praetor"), (5, "Praetor"), (6, "Imperator"), (7, "Son of Jupiter")],
)
def test_titles_need_four_six_or_all_seven_tasks(count: int, title: str) -> None:
    position = with_tasks(list(constants.TASKS[:count]))
    finish(position)
    assert constants.END_REASONS[int(position.g.end_reason)] == title
    assert position.g.rank[0] == (2 if title == "no title" else 1)


def test_an_event_brings_a_denarius_for_each_follower_and_no_reward() -> None:
    position = alone(constants.EVENT_PHASE, glory=[12], denarii=[0])
    step(position, None)
    assert position.g.denarii[0] == 3
    assert position.g.glory[0] == 12


@pytest.mark.parametrize(("value", "lost"), [("apply", 2), ("do nothing", 0)])
def test_a_negative_event_brings_no_denarii_and_a_setting_says_whether_it_applies(value: str, lost: int) -> None:
    settings = {"imperial_negative_events": value}
    position = alone(constants.EVENT_PHASE, "imperial+hard-times", glory=[12], denarii=[9], settings=settings)
    g = position.g
    g.event_deck[g.event_size - 1] = position.plan.data.catalog.card_names.index("Great Fire")
    step(position, None)
    assert g.denarii[0] == 9 - lost


def test_no_intrigue_is_placed_and_discord_stays() -> None:
    position = alone(buildings={"Africa": {"economic": 1}})
    assert places_listed(position) == {("economic", 0), ("Colosseum", 0)}
    position.g.phase, position.g.stage = constants.EVENT_PHASE, constants.TURN_BEGINS
    listed(position)
    assert position.g.phase == constants.BUILD_PHASE
    assert position.g.discord[0] == position.t.discord[position.g.faction[0]]


def test_the_table_is_set_as_for_two_players() -> None:
    g = alone().g
    assert g.tiles[0].tolist() == [4, 2, 1]
    assert g.small == 1
