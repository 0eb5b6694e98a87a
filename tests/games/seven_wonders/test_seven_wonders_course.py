"""Set-up, actions, and what single stages and cards bring: the plain rules, one sentence of the rulebook at a time."""

from typing import Any

import pytest

from sim.games.seven_wonders.rules import building
from sim.games.seven_wonders.rules.conflicts import resolve_conflicts
from sim.games.seven_wonders.rules.constants import BUILD, DISCARD, STAGE
from sim.games.seven_wonders.rules.scoring import score_city
from sim.games.seven_wonders.rules.state import new_games
from sim.games.seven_wonders.rules.tables import stage_item
from tests.games.seven_wonders.naive import City, card_id, load_position
from tests.games.seven_wonders.playing import CATALOG, T
from tests.kit.plans import deal

PLAIN = [City("Babylon A"), City("Rhodos A")]


def table(*cities: City, age: int = 1) -> Any:
    """A table of three cities, as a turn begins; neighbours that are not told of have nothing but their boards."""
    return load_position(CATALOG, T, [*cities, *PLAIN][:3], age=age)[0]


def carry_out(g: Any, city: int, action: int, name: str) -> None:
    """Let one city do something with a card, for nothing."""
    g.choice_card[city], g.choice_action[city] = card_id(CATALOG, name), action
    building.place_choice(g, T, city)
    building.collect(g, T, city)
    building.credit_income(g)


def points_of(g: Any, city: int) -> int:
    score_city(g, T, city)
    return int(g.score[city, -1])


# ---- Set-up ----


@pytest.mark.parametrize("players", [3, 4, 5, 6, 7])
def test_every_player_starts_with_three_coins_seven_cards_and_a_wonder_of_his_own(players: int) -> None:
    g: Any = new_games(1)[0]
    deal("seven_wonders", g, T, range(14), players=players)
    assert g.coins[:players].tolist() == [3] * players
    assert g.hand_size[:players].tolist() == [7] * players
    assert len({int(T.faction_wonder[faction]) for faction in g.faction[:players]}) == players
    assert (g.age, g.turn, g.stages_built.sum(), g.discards_size) == (1, 1, 0, 0)


def test_boards_may_be_chosen_and_their_sides_mixed() -> None:
    g: Any = new_games(1)[0]
    chosen = [CATALOG.faction_names.index(name) for name in ("Gizah B", "Rhodos A", "Olympia B")]
    deal("seven_wonders", g, T, chosen, players=3, fixed=True)
    assert g.faction[:3].tolist() == chosen


# ---- Actions ----


def actions(g: Any) -> list[int]:
    """What the first city may do with the cards of its hand."""
    count = building.list_plays(g, T, 0, 0)
    return sorted(g.option_action[:count].tolist())


def test_a_card_is_built_put_below_a_stage_or_discarded() -> None:
    g = table(City("Gizah A", ["Stone Pit"], hand=["Altar"]))
    assert actions(g) == sorted([BUILD, STAGE, DISCARD])


def test_who_can_build_neither_structure_nor_stage_must_discard() -> None:
    g = table(City("Gizah A", hand=["Loom", "Aqueduct"], cards=["Loom"], coins=0), age=2)
    assert actions(g) == [DISCARD, DISCARD]


def test_a_discarded_card_brings_three_coins_and_lies_on_the_discard_pile() -> None:
    g = table(City("Gizah A"))
    carry_out(g, 0, DISCARD, "Altar")
    assert (g.coins[0], g.discards[: g.discards_size].tolist()) == (6, [card_id(CATALOG, "Altar")])


def test_stages_come_in_their_order_each_once_and_several_in_an_age() -> None:
    g = table(City("Gizah A", ["Stone Pit", "Quarry", "Lumber Yard", "Sawmill"], coins=0))
    for stage in range(3):
        assert building.next_stage_item(g, T, 0) == stage_item(g.faction[0], stage)
        assert building.stage_price(g, T, 0) == 0
        building.place_stage(g, T, 0, 0)
    assert (building.next_stage_item(g, T, 0), building.stage_price(g, T, 0)) == (-1, building.CANNOT)


def test_a_later_stage_cannot_be_built_before_an_earlier_one_that_cannot_be_paid() -> None:
    # Four stone would pay the third stage, but the second one asks for wood.
    g = table(City("Gizah A", ["Stone Pit", "Quarry"], stages=1, coins=0))
    assert building.stage_price(g, T, 0) == building.CANNOT


# ---- What stages bring ----


@pytest.mark.parametrize(
    ("wonder", "stage", "shields", "coins", "points"),
    [
        ("Rhodos A", 2, 2, 0, 0), ("Rhodos B", 1, 1, 3, 3), ("Rhodos B", 2, 1, 4, 4), ("Ephesos A", 2, 0, 9, 0),
        ("Ephesos B", 1, 0, 4, 2), ("Ephesos B", 2, 0, 4, 3), ("Ephesos B", 3, 0, 4, 5),
    ],
)  # fmt: skip
def test_a_stage_brings_its_shields_coins_and_points_once(
    wonder: str, stage: int, shields: int, coins: int, points: int
) -> None:
    g = table(City(wonder, stages=stage - 1, coins=0), City("Babylon A"), City("Gizah A"))
    before = (int(g.shields[0]), points_of(g, 0))
    carry_out(g, 0, STAGE, "Altar")
    assert (g.shields[0] - before[0], g.coins[0]) == (shields, coins)
    g.coins[0] = 0
    assert points_of(g, 0) - before[1] == points
    building.credit_income(g)
    assert g.coins[0] == 0


@pytest.mark.parametrize(
    ("wonder", "stage"), [("Halikarnassos A", 2), *(("Halikarnassos B", stage) for stage in (1, 2, 3))]
)
def test_a_stage_of_halikarnassos_lets_one_discarded_card_be_built(wonder: str, stage: int) -> None:
    g = table(City(wonder, stages=stage - 1), City("Babylon A"), City("Gizah A"))
    carry_out(g, 0, STAGE, "Altar")
    assert g.discard_builds_due[:3].tolist() == [1, 0, 0]


# ---- What cards bring ----


@pytest.mark.parametrize(
    ("name", "coins", "points"), [("Haven", 2, 2), ("Chamber of Commerce", 2, 2), ("Lighthouse", 2, 2), ("Arena", 3, 1)]
)
def test_a_yellow_card_of_age_three_pays_at_once_and_scores_at_the_end(name: str, coins: int, points: int) -> None:
    # Two brown cards, a grey and a yellow one, and one stage; what the neighbours have does not count.
    own = City("Olympia B", ["Lumber Yard", "Ore Vein", "Loom", "Forum"], stages=1, coins=0)
    g = table(own, City("Babylon A", ["Clay Pool", "Press", "Tavern"], stages=1), City("Gizah A", stages=1), age=3)
    carry_out(g, 0, BUILD, name)
    assert g.coins[0] == coins
    g.coins[0] = 0
    assert points_of(g, 0) == points


def test_a_tavern_brings_five_coins_when_it_is_built() -> None:
    g = table(City("Gizah A"))
    carry_out(g, 0, BUILD, "Tavern")
    assert g.coins[0] == 3 + 5


# ---- Conflicts ----


def test_shields_stay_over_the_ages_and_victories_are_worth_more_in_each() -> None:
    g = table(City("Gizah A", ["Barracks"]))
    for age in (1, 2, 3):
        g.age = age
        resolve_conflicts(g, T)
    assert g.tokens[0].tolist() == [[1, 1], [3, 3], [5, 5]]
    assert g.tokens[1, :, 0].tolist() == [-1, -1, -1]
