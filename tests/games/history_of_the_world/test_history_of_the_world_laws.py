"""Every law that a table has to keep is broken by hand, and found broken."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from sim.games.history_of_the_world.rules.constants import ACT, CONQUEST, LANDING, NO_BATTLE, SETTINGS, TURN
from sim.games.history_of_the_world.rules.invariants import LAWS
from sim.players.batch import Plan
from sim.players.compile_players import players_of
from tests.kit.laws import check_games, first_broken_law, new_notes
from tests.kit.plans import plan_for
from tests.kit.steps import started

GAME = "history_of_the_world"
Break = Callable[[Any], None]


def in_a_turn() -> tuple[Plan, np.ndarray]:
    """Return a game in the third epoch as an empire goes on with its conquests, with two options to choose from."""
    plan = plan_for(GAME, "draft", 4, seed=3)
    table = started(plan, 1)
    g: Any = table[0]
    while g.epoch != 2 or g.phase != TURN or g.step != CONQUEST or g.armies < 2 or g.battle != NO_BATTLE:
        plan.game.play_step(g, plan.data.tables, players_of(plan))
    g.option_count = 2
    for field in ("option_card", "option_land", "option_seat"):
        g[field][:2] = 0
    return plan, table


def set_to(field: str, place: int, value: int) -> Break:
    """Return what writes a number into an entry of an array."""

    def write(g: Any) -> None:
        g[field][place] = value

    return write


def land_of_another(g: Any) -> int:
    """Return a land with an army of a seat that is not on turn."""
    return int(np.flatnonzero((g.army >= 0) & (g.army != g.turn_seat))[0])


def lose_an_army(g: Any) -> None:
    g.armies -= 1


def stand_up(g: Any) -> None:
    g.active[land_of_another(g)] = 1


def two_buildings(g: Any) -> None:
    g.capital[0] = g.city[0] = 1


def twice(g: Any) -> None:
    g.empire[0] = g.empire[1]


def tie_markers(g: Any) -> None:
    once_round = g.points[1] + 100
    g.part[0, 0] += once_round - g.points[0]
    g.points[0] = once_round


def gain_nowhere(g: Any) -> None:
    g.points[0] += 200


def unnamed_army(g: Any) -> None:
    g.placed_by[land_of_another(g)] = -1


def besiege_nobody(g: Any) -> None:
    g.besieging = 1
    g.armies -= 1


def drafted_too_late(g: Any) -> None:
    g.drafted[np.flatnonzero(g.holds)[0]] = 4


def one_option(g: Any) -> None:
    g.option_count = 1


BREAKS: dict[int, Break] = {
    0: lose_an_army,
    1: set_to("pieces", 1, 19),
    2: two_buildings,
    3: twice,
    4: set_to("event_stack", 4, 0),
    5: set_to("event", 0, -1),
    6: tie_markers,
    7: gain_nowhere,
    8: stand_up,
    9: unnamed_army,
    10: besiege_nobody,
    11: set_to("token", 0, 77),
    12: drafted_too_late,
    13: one_option,
}


def law_of(plan: Plan, table: np.ndarray, me: int = 0, decision: int = ACT) -> int:
    """Return the number of the first law that a game breaks."""
    return first_broken_law(GAME, table[0], plan.data.tables, me, decision, new_notes())


def test_every_law_can_be_broken() -> None:
    assert list(BREAKS) == list(range(len(LAWS)))


@pytest.mark.parametrize("law", BREAKS, ids=lambda law: LAWS[law])
def test_a_broken_law_is_found(law: int) -> None:
    plan, table = in_a_turn()
    assert law_of(plan, table) == -1
    BREAKS[law](table[0])
    assert law_of(plan, table) == law


def test_two_markers_may_stand_on_a_space_while_one_of_them_lands() -> None:
    plan, table = in_a_turn()
    tie_markers(table[0])
    assert law_of(plan, table, 0, LANDING) == -1
    assert law_of(plan, table, 2, LANDING) == 6


# ---- Other readings and numbers ----

OTHER_READINGS = [(name, value) for name, values in SETTINGS.items() for value in values]
OTHER_NUMBERS = (
    "army_limit=1", "army_limit=6", "army_limit=99", "capital_city=2", "monument=1", "fort=1", "siege_steps=0",
    "siege_steps=6", "fort_price=3", "attack_dice=1", "defence_dice=2", "maritime_rerolls=2", "points_destroyed=9",
    "icons_per_monument=1", "terrain_bonus=6", "track_spaces=10",
)  # fmt: skip


@pytest.mark.usefixtures("compiled_only")
@pytest.mark.parametrize(("name", "value"), OTHER_READINGS)
def test_the_laws_hold_however_the_rulebook_is_read(name: str, value: bool | str, scaled: Callable[..., int]) -> None:
    variant = "classic" if name == "classic_holder_may_draw" else "draft"
    check_games(plan_for(GAME, variant, 5, seed=9, settings={name: value}), 0, scaled(12, 1, 40))


@pytest.mark.usefixtures("compiled_only")
@pytest.mark.parametrize("change", OTHER_NUMBERS)
def test_the_laws_hold_with_other_numbers(change: str, scaled: Callable[..., int]) -> None:
    plan = plan_for(GAME, "draft", 5, seed=9, changes=[f"rules.toml#constants.{change}"])
    check_games(plan, 0, scaled(12, 1, 40))
