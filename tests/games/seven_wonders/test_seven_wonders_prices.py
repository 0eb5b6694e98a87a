"""What things cost: the kernels against a naive search through all ways to pay (`naive.py`)."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sim.compiler.kernel import compiled
from sim.games.seven_wonders.rules.building import CANNOT, build_price, next_stage_item, stage_price
from sim.games.seven_wonders.rules.tables import need_lanes, source_lanes
from sim.games.seven_wonders.rules.trade import add_supplies, least_price, list_payments, meets, shortfall
from tests.games.seven_wonders import naive
from tests.games.seven_wonders.naive import City
from tests.games.seven_wonders.playing import CATALOG, T, tables

PRODUCERS = [card.name for card in CATALOG.cards if card.colour in ("brown", "grey")]
TRADERS = ["East Trading Post", "West Trading Post", "Marketplace", "Forum", "Caravansery"]
OTHERS = [card.name for card in CATALOG.cards if card.name not in (*PRODUCERS, *TRADERS)]


def random_city(random: np.random.Generator, wonder: str, few_goods: bool) -> City:
    """A city with goods, trade cards and a few others; no name twice."""
    cards = random.choice(sorted(set(PRODUCERS)), random.integers(0, 4 if few_goods else 8), replace=False).tolist()
    cards += random.choice(TRADERS, random.integers(0, 4), replace=False).tolist()
    cards += random.choice(sorted(set(OTHERS)), random.integers(0, 5), replace=False).tolist()
    names = [f"{name} {random.choice(naive.ages_of(CATALOG, name))}" for name in cards]
    stages = int(random.integers(0, len(CATALOG.wonders[CATALOG.faction_names.index(wonder)].stage) + 1))
    return City(wonder, names, stages, int(random.integers(0, 12)))


def random_cities(random: np.random.Generator) -> list[City]:
    wonders = random.choice(7, 3, replace=False)
    sides = random.choice(["A", "B"], 3)
    names = [f"{CATALOG.wonder_names[wonder]} {side}" for wonder, side in zip(wonders, sides, strict=True)]
    few_goods = bool(random.integers(2))
    return [random_city(random, name, few_goods and number == 0) for number, name in enumerate(names)]


def listed(g: Any, t: Any, city: int, item: int) -> list[tuple[int, int]]:
    """Payments the engine offers, as coins to the left and the right neighbour."""
    count = list_payments(g, t, city, item)
    return [(int(g.option_left[option]), int(g.option_right[option])) for option in range(count)]


def check_item(t: Any, g: Any, cities: list[City], item: int, cost: Any, **rules: bool) -> int:
    """Compare price and payments of an item for city 0 with all ways to pay; return the least it can pay now."""
    ways = naive.all_payments(CATALOG, cities, 0, cost, **rules)
    least = cost.coins + min((sum(way) for way in ways), default=-1 - cost.coins)
    assert least_price(g, t, 0, item) == least
    affordable = {way for way in ways if cost.coins + sum(way) <= cities[0].coins}
    offered = listed(g, t, 0, item)
    assert len(set(offered)) == len(offered)
    assert set(offered) == naive.unbeaten(affordable)
    assert [g.option_price[option] for option in range(len(offered))] == [cost.coins + sum(way) for way in offered]
    return min((cost.coins + sum(way) for way in affordable), default=CANNOT)


@pytest.mark.parametrize(
    ("setting", "rules"),
    [
        ({}, {}),
        ({"choice_card_sells": "each-good"}, {"each_good": True}),
        ({"discounts_add_up": True}, {"add_up": True}),
    ],
)
def test_price_and_payments_of_random_cities_are_those_of_a_search_through_all_ways(
    setting: dict[str, object], rules: dict[str, bool], scaled: Callable[..., int]
) -> None:
    t, random = tables(**setting), np.random.default_rng(1)
    for _ in range(scaled(50 if setting else 100, 25, full_count=2000)):
        cities = random_cities(random)
        g = naive.load_position(CATALOG, t, cities)[0]
        names = {name[:-2] for name in cities[0].cards}
        for item in map(int, random.choice(len(CATALOG.cards), 8, replace=False)):
            card = CATALOG.cards[item]
            paid = check_item(t, g, cities, item, card.cost, **rules)
            chained = names.intersection(card.chain_from)
            assert build_price(g, t, 0, item) == (CANNOT if card.name in names else 0 if chained else paid)
        item = int(next_stage_item(g, t, 0))
        stages = CATALOG.wonders[g.faction[0]].stage
        assert (item < 0) == (cities[0].stages == len(stages))
        if item >= 0:
            check_item(t, g, cities, item, stages[cities[0].stages].cost, **rules)


# ---- Supplies ----

GOODS = st.integers(3, 4)


@st.composite
def needs_and_sources(draw: st.DrawFn) -> tuple[list[int], list[int], int]:
    """Units needed of each good, sources as bits of the goods they can give, and the number of goods."""
    goods = draw(GOODS)
    wanted = draw(st.lists(st.integers(0, goods - 1), max_size=7))
    sources = draw(st.lists(st.integers(1, (1 << goods) - 1), max_size=7))
    return [wanted.count(good) for good in range(goods)], sources, goods


def supply_of(sources: list[int], goods: int) -> np.uint64:
    supply = np.uint64(0)
    for source in sources:
        supply = np.uint64(add_supplies(supply, np.uint64(source_lanes(source, goods))))
    return supply


@settings(max_examples=100 if compiled() else 60, deadline=None, derandomize=True)
@given(needs_and_sources())
def test_the_shortfall_is_what_stays_unmet_when_every_source_is_used_as_well_as_it_can_be(
    case: tuple[list[int], list[int], int],
) -> None:
    units, sources, goods = case
    wanted = [str(good) for good, count in enumerate(units) for _ in range(count)]
    choices = [tuple(str(good) for good in range(goods) if source >> good & 1) for source in sources]
    need = np.uint64(need_lanes(units))
    unmet = naive.unmet(wanted, choices)
    assert shortfall(need, supply_of(sources, goods)) == unmet
    assert meets(supply_of(sources, goods), need) == (unmet == 0)


@settings(max_examples=100 if compiled() else 60, deadline=None, derandomize=True)
@given(GOODS.flatmap(lambda goods: st.lists(st.integers(1, (1 << goods) - 1), max_size=30)))
def test_supplies_add_up_lane_by_lane_and_stop_at_seven(sources: list[int]) -> None:
    supply = int(supply_of(sources, 4))
    for subset in range(16):
        serving = sum(bool(source & subset) for source in sources)
        assert supply >> 4 * subset & 15 == min(serving, 7)


# ---- Examples ----


def table(*cities: City) -> Any:
    return naive.load_position(CATALOG, T, cities)[0]


BABYLON, RHODOS, EPHESOS = City("Babylon A"), City("Rhodos A"), City("Ephesos A")
GIZAH, ALEXANDRIA, ONE_OF_BOTH = City("Gizah A"), City("Alexandria A"), City("Ephesos A", ["Timber Yard"])
YELLOW = City("Alexandria B", ["Forum", "Caravansery"], stages=2)
STONES = City("Babylon A", ["Stone Pit", "Timber Yard"])
WITH_YELLOW = ["Timber Yard", "Mine", "Caravansery"]
FREE = [(0, 0)]
EXAMPLES: dict[str, tuple[list[City], dict[str, list[tuple[int, int]]]]] = {
    "own goods, two stones are no three": (
        [City("Gizah A", ["Stone Pit", "Clay Pool", "Ore Vein", "Press", "Loom"], coins=0), BABYLON, RHODOS],
        {"Barracks": FREE, "Scriptorium": FREE, "Aqueduct": []},
    ),
    "wood from the left and papyrus from the right": (
        [City("Alexandria A", ["Lumber Yard"], coins=4), EPHESOS, City("Olympia A")],
        {"University": [(2, 2)]},
    ),
    "goods of yellow cards and of stages are not sold, the good of a board is": (
        [City("Gizah A", coins=9), YELLOW, RHODOS],
        {"Stockade": [], "Apothecary": [], "Workshop": [(0, 2)]},
    ),
    "the East Trading Post makes raw goods of the right cheap": (
        [City("Gizah A", ["East Trading Post"], coins=2), City("Olympia A"), City("Olympia B")],
        {"Stockade": [(0, 1), (2, 0)]},
    ),
    "the West Trading Post makes raw goods of the left cheap": (
        [City("Gizah A", ["West Trading Post"], coins=2), City("Olympia A"), City("Olympia B")],
        {"Stockade": [(0, 2), (1, 0)]},
    ),
    "trading posts leave manufactured goods dear": (
        [City("Gizah A", ["East Trading Post", "West Trading Post"]), ALEXANDRIA, City("Olympia B")],
        {"Workshop": [(0, 2)]},
    ),
    "the Marketplace makes manufactured goods cheap on both sides": (
        [City("Gizah A", ["Marketplace"]), ALEXANDRIA, City("Alexandria B")],
        {"Workshop": [(0, 1), (1, 0)]},
    ),
    "Olympia B buys raw goods for one coin, and a post lowers it no further": (
        [City("Olympia B", ["East Trading Post"], stages=1), GIZAH, City("Gizah B")],
        {"Baths": [(0, 1), (1, 0)]},
    ),
    "several units from one neighbour": (
        [City("Ephesos A", coins=6), City("Gizah A", ["Quarry"]), BABYLON],
        {"Aqueduct": [(0, 6)]},
    ),
    "several units at a discount": (
        [City("Ephesos A", ["East Trading Post"], coins=3), City("Gizah A", ["Quarry"]), BABYLON],
        {"Aqueduct": [(0, 3)]},
    ),
    "three stones, one on the right and two on the left": (
        [City("Rhodos A", coins=6), GIZAH, STONES],
        {"Walls": [(4, 2)]},
    ),
    "the buyer chooses between neighbours who both have a good": (
        [City("Rhodos A", ["Stone Pit"], coins=6), GIZAH, STONES],
        {"Walls": [(2, 2), (4, 0)]},
    ),
    "a choice card sells one buyer one good a turn": (
        [City("Rhodos A", ["Lumber Yard"], coins=9), ONE_OF_BOTH, GIZAH],
        {"Senate": [(2, 2)]},
    ),
    "a wood and a stone of one choice card cannot be had": (
        [City("Rhodos A", ["Lumber Yard"], coins=9), ONE_OF_BOTH, BABYLON],
        {"Senate": []},
    ),
    "an own choice beside a yellow one is used both ways": (
        [City("Ephesos A", WITH_YELLOW, coins=0), BABYLON, RHODOS],
        {"Arena": FREE},
    ),
    "without the yellow one a good is missing": (
        [City("Ephesos A", WITH_YELLOW[:2], coins=0), BABYLON, RHODOS],
        {"Arena": []},
    ),
    "a double card and a yellow choice give three units, but only one of choice": (
        [City("Ephesos A", ["Foundry", "Caravansery"], coins=0), BABYLON, RHODOS],
        {"Statue": FREE, "Stables": []},
    ),
}


@pytest.mark.parametrize("example", EXAMPLES)
def test_goods_are_bought_as_in_the_examples(example: str) -> None:
    cities, cards = EXAMPLES[example]
    g = table(*cities)
    for name, ways in cards.items():
        card = naive.card_id(CATALOG, name)
        assert sorted(listed(g, T, 0, card)) == ways, name
        assert build_price(g, T, 0, card) == min(map(sum, ways), default=CANNOT), name


def test_a_setting_lets_a_choice_card_sell_each_of_its_goods() -> None:
    t = tables(choice_card_sells="each-good")
    # Temple: wood, clay, glass; the Tree Farm of the right neighbour gives wood or clay.
    cities = [City("Gizah A", ["Glassworks"], coins=9), City("Rhodos A", ["Tree Farm"]), EPHESOS]
    temple = naive.card_id(CATALOG, "Temple")
    assert build_price(table(*cities), T, 0, temple) == CANNOT
    assert build_price(naive.load_position(CATALOG, t, cities)[0], t, 0, temple) == 4


def test_a_library_is_built_with_own_stone_even_if_both_neighbours_buy_it() -> None:
    g = table(City("Gizah A", ["Stone Pit", "Loom"], coins=0), City("Babylon A", coins=4), City("Ephesos A", coins=4))
    assert build_price(g, T, 0, naive.card_id(CATALOG, "Library")) == 0
    # Each neighbour can have both stones for 4 coins: Ephesos' first stage costs two.
    assert stage_price(g, T, 2) == 4
    assert listed(g, T, 2, int(next_stage_item(g, T, 2))) == [(0, 4)]


def test_a_price_is_paid_with_the_coins_of_the_beginning_of_the_turn() -> None:
    g, forum = table(City("Gizah A", coins=3), BABYLON, RHODOS), naive.card_id(CATALOG, "Forum")
    assert build_price(g, T, 0, forum) == CANNOT
    g.coins[0] += 3
    assert build_price(g, T, 0, forum) == CANNOT
