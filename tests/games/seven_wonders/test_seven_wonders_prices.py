"""What things cost: the kernels against a naive search through all ways to pay (`naive.py`)."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sim.compiler.kernel import compiled
from sim.games.seven_wonders.data.catalog import Catalog, load_catalog
from sim.games.seven_wonders.data.compile import build_tables
from sim.games.seven_wonders.rules.building import CANNOT, build_price, next_stage_item, stage_price
from sim.games.seven_wonders.rules.tables import need_lanes, source_lanes
from sim.games.seven_wonders.rules.trade import add_supplies, least_price, list_payments, meets, shortfall
from tests.games.seven_wonders import naive
from tests.games.seven_wonders.naive import City

CATALOG = load_catalog()
T = build_tables(CATALOG)
PRODUCERS = [card.name for card in CATALOG.cards if card.colour in ("brown", "grey")]
TRADERS = ["East Trading Post", "West Trading Post", "Marketplace", "Forum", "Caravansery"]
OTHERS = [card.name for card in CATALOG.cards if card.name not in (*PRODUCERS, *TRADERS)]
COSTLY = [number for number, card in enumerate(CATALOG.cards) if sum(card.cost.units(naive.RAW + naive.MANUFACTURED))]


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


def check_item(catalog: Catalog, t: Any, g: Any, cities: list[City], item: int, cost: Any, **rules: bool) -> None:
    """Compare price and payments of one item for city 0."""
    ways = naive.all_payments(catalog, cities, 0, cost, **rules)
    least = cost.coins + min((sum(way) for way in ways), default=-1 - cost.coins)
    assert least_price(g, t, 0, item) == least
    affordable = {way for way in ways if cost.coins + sum(way) <= cities[0].coins}
    offered = listed(g, t, 0, item)
    assert len(set(offered)) == len(offered)
    assert set(offered) == naive.unbeaten(affordable)
    assert [g.option_price[option] for option in range(len(offered))] == [cost.coins + sum(way) for way in offered]


@pytest.mark.parametrize("seed", range(4))
def test_price_and_payments_of_random_cities_are_those_of_a_search_through_all_ways(
    seed: int, scaled: Callable[..., int]
) -> None:
    random = np.random.default_rng(seed)
    for _ in range(scaled(120, 25, full_count=1000)):
        cities = random_cities(random)
        g = naive.load_position(CATALOG, T, cities)[0]
        for item in random.choice(COSTLY, 6, replace=False):
            check_item(CATALOG, T, g, cities, int(item), CATALOG.cards[item].cost)
        item = int(next_stage_item(g, T, 0))
        stages = CATALOG.wonders[g.faction[0]].stage
        assert (item < 0) == (cities[0].stages == len(stages))
        if item >= 0:
            check_item(CATALOG, T, g, cities, item, stages[cities[0].stages].cost)


@pytest.mark.parametrize(
    ("setting", "value", "rule"),
    [("choice_card_sells", "each-good", "each_good"), ("discounts_add_up", True, "add_up")],
)
def test_price_and_payments_follow_the_settings(
    setting: str, value: object, rule: str, scaled: Callable[[int, int], int]
) -> None:
    catalog = load_catalog(settings={setting: value})
    t = build_tables(catalog)
    random = np.random.default_rng(99)
    for _ in range(scaled(80, 20)):
        cities = random_cities(random)
        g = naive.load_position(catalog, t, cities)[0]
        for item in random.choice(COSTLY, 5, replace=False):
            check_item(catalog, t, g, cities, int(item), catalog.cards[item].cost, **{rule: True})


@pytest.mark.parametrize("seed", range(4))
def test_what_random_cities_can_build_is_free_by_chain_or_paid_with_the_coins_they_have(
    seed: int, scaled: Callable[..., int]
) -> None:
    random = np.random.default_rng(100 + seed)
    for _ in range(scaled(50, 15, full_count=300)):
        cities = random_cities(random)
        g = naive.load_position(CATALOG, T, cities)[0]
        names = {name[:-2] for name in cities[0].cards}
        for item in random.choice(len(CATALOG.cards), 8, replace=False):
            card = CATALOG.cards[item]
            price = build_price(g, T, 0, int(item))
            if card.name in names:
                assert price == CANNOT
            elif names.intersection(card.chain_from):
                assert price == 0
            else:
                ways = naive.all_payments(CATALOG, cities, 0, card.cost)
                prices = [card.cost.coins + sum(way) for way in ways]
                assert price == min((coins for coins in prices if coins <= cities[0].coins), default=CANNOT)


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


@settings(max_examples=500 if compiled() else 60, deadline=None, derandomize=True)
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


@settings(max_examples=500 if compiled() else 60, deadline=None, derandomize=True)
@given(GOODS.flatmap(lambda goods: st.lists(st.integers(1, (1 << goods) - 1), max_size=30)))
def test_supplies_add_up_lane_by_lane_and_stop_at_seven(sources: list[int]) -> None:
    supply = int(supply_of(sources, 4))
    for subset in range(16):
        serving = sum(bool(source & subset) for source in sources)
        assert supply >> 4 * subset & 15 == min(serving, 7)


# ---- Examples of the rulebook ----


def table(*cities: City) -> Any:
    return naive.load_position(CATALOG, T, cities)[0]


def price(g: Any, name: str) -> int:
    return int(build_price(g, T, 0, naive.card_id(CATALOG, name)))


def payments(g: Any, name: str) -> list[tuple[int, int]]:
    return sorted(listed(g, T, 0, naive.card_id(CATALOG, name)))


PLAIN = City("Babylon A", coins=3)


def test_gizah_with_stone_twice_clay_ore_papyrus_and_cloth_can_build_barracks_and_scriptorium_not_aqueduct() -> None:
    gizah = City("Gizah A", ["Stone Pit", "Clay Pool", "Ore Vein", "Press", "Loom"], coins=0)
    g = table(gizah, PLAIN, City("Rhodos A"))
    assert (price(g, "Barracks"), price(g, "Scriptorium"), price(g, "Aqueduct")) == (0, 0, CANNOT)


def test_university_is_built_with_a_wood_bought_left_and_a_papyrus_bought_right() -> None:
    g = table(City("Alexandria A", ["Lumber Yard"], coins=4), City("Ephesos A", coins=0), City("Olympia A", coins=0))
    assert payments(g, "University") == [(2, 2)]
    assert price(g, "University") == 4


def test_a_library_is_built_with_own_stone_even_if_both_neighbours_buy_it() -> None:
    seller = City("Gizah A", ["Stone Pit", "Loom"], coins=0)
    buyer = City("Babylon A", coins=4)
    g = naive.load_position(CATALOG, T, [seller, buyer, City("Ephesos A", coins=4)])[0]
    stage = naive.card_id(CATALOG, "Library")
    assert build_price(g, T, 0, stage) == 0
    # Each neighbour can have both stones for 4 coins: Ephesos' first stage costs two.
    assert stage_price(g, T, 2) == 4
    assert listed(g, T, 2, int(next_stage_item(g, T, 2))) == [(0, 4)]


def test_a_price_is_paid_with_the_coins_of_the_beginning_of_the_turn() -> None:
    g = table(City("Gizah A", coins=3), PLAIN, City("Rhodos A"))
    assert price(g, "Forum") == CANNOT
    g.coins[0] += 3
    assert price(g, "Forum") == CANNOT


def test_a_neighbour_with_both_goods_of_a_choice_card_sells_only_one_of_them_in_a_turn() -> None:
    cities = [City("Gizah A", coins=9), City("Rhodos A", ["Tree Farm"]), City("Ephesos A")]
    # Temple: wood, clay, glass; the Tree Farm of the right neighbour gives wood or clay.
    cities[0].cards = ["Glassworks"]
    assert price(table(*cities), "Temple") == CANNOT
    catalog = load_catalog(settings={"choice_card_sells": "each-good"})
    t = build_tables(catalog)
    assert build_price(naive.load_position(catalog, t, cities)[0], t, 0, naive.card_id(catalog, "Temple")) == 4


def test_goods_of_yellow_cards_and_of_stages_are_not_sold() -> None:
    cities = [City("Gizah A", coins=9), City("Alexandria B", ["Forum", "Caravansery"], stages=2), City("Rhodos A")]
    g = table(*cities)
    assert price(g, "Stockade") == CANNOT  # wood
    assert price(g, "Apothecary") == CANNOT  # cloth
    assert price(g, "Workshop") == 2  # glass of Alexandria's board


@pytest.mark.parametrize(
    ("post", "left_price", "right_price"), [("East Trading Post", 2, 1), ("West Trading Post", 1, 2)]
)
def test_a_trading_post_makes_the_raw_goods_of_its_side_cheap(post: str, left_price: int, right_price: int) -> None:
    g = table(City("Gizah A", [post], coins=2), City("Olympia A"), City("Olympia B"))
    assert payments(g, "Stockade") == sorted([(0, right_price), (left_price, 0)])
    assert price(g, "Stockade") == 1


def test_a_trading_post_leaves_manufactured_goods_dear() -> None:
    g = table(City("Gizah A", ["East Trading Post", "West Trading Post"]), City("Alexandria A"), City("Olympia B"))
    assert price(g, "Workshop") == 2


def test_the_marketplace_makes_manufactured_goods_cheap_on_both_sides() -> None:
    g = table(City("Gizah A", ["Marketplace"]), City("Alexandria A"), City("Alexandria B"))
    assert payments(g, "Workshop") == [(0, 1), (1, 0)]


def test_olympia_b_buys_raw_goods_for_one_coin_and_a_trading_post_lowers_it_no_further() -> None:
    g = table(City("Olympia B", ["East Trading Post"], stages=1), City("Gizah A"), City("Gizah B"))
    assert payments(g, "Baths") == [(0, 1), (1, 0)]


def test_the_buyer_chooses_between_neighbours_who_both_have_a_good() -> None:
    # Walls: three stone; one stands on the right, two on the left.
    left = City("Babylon A", ["Stone Pit", "Timber Yard"])
    g = table(City("Rhodos A", coins=6), City("Gizah A"), left)
    assert payments(g, "Walls") == [(4, 2)]
    g = table(City("Rhodos A", ["Stone Pit"], coins=6), City("Gizah A"), left)
    assert payments(g, "Walls") == [(2, 2), (4, 0)]
