"""Rules that implementations of the game are known to get wrong, each on a small position."""

from typing import Any

import numpy as np
import pytest

from sim.compiler.kernel import strategy_pointer, strategy_slots
from sim.compiler.player_record import LINEUP
from sim.errors import UserError
from sim.games.seven_wonders.data.catalog import load_catalog
from sim.games.seven_wonders.data.compile import build_tables
from sim.games.seven_wonders.io.layout import Position, load_position
from sim.games.seven_wonders.io.payments import FREE, set_choice
from sim.games.seven_wonders.io.positions import inspect_position
from sim.games.seven_wonders.rules.building import list_plays, take_from_hand
from sim.games.seven_wonders.rules.constants import (
    BUILD,
    COLOURS,
    DISCARD,
    FREE_BUILD,
    FROM_DISCARD,
    LOG_PLAY,
    PLAY,
    STAGE,
)
from sim.games.seven_wonders.rules.setup import start_age
from sim.games.seven_wonders.rules.state import STATE
from sim.games.seven_wonders.rules.tables import TABLES
from sim.games.seven_wonders.rules.trade import begin_turn
from sim.games.seven_wonders.rules.turns import act
from tests.games.seven_wonders.playing import play_turn

CATALOG = load_catalog()
T = build_tables(CATALOG)
RED = COLOURS.index("red")


def city(board: str = "Gizah A", *cards: str, coins: int = 3, stages: int = 0, tokens: tuple[int, ...] = ()) -> Any:
    wonder, side = board.split()
    return {
        "wonder": wonder,
        "side": side,
        "cards": list(cards),
        "stages_built": stages,
        "coins": coins,
        "conflict_tokens": list(tokens),
    }


def look(*cities: Any, moves: Any = None, age: int = 3, **settings: Any) -> dict[str, Any]:
    """Inspect three cities: the first has the second as its right neighbour and the third as its left one."""
    position = {"age": age, "cities": list(cities) + [city("Ephesos A")] * (3 - len(cities))}
    if moves is not None:
        position["moves"] = moves
    catalog = load_catalog(settings=settings)
    return inspect_position(position, catalog, build_tables(catalog))


def prices(*cities: Any, **settings: Any) -> dict[str, int | None]:
    found: dict[str, int | None] = look(*cities, **settings)["cities"][0]["prices"]
    return found


def move(p: int, do: str, card: str, **more: object) -> dict[str, object]:
    return {"p": p, "do": do, "card": card, **more}


# ---- Coins ----


def test_vineyard_counts_brown_cards_of_both_neighbours_and_its_own_those_of_this_turn_too() -> None:
    result = look(
        city("Gizah A", "Lumber Yard", coins=0),
        city("Rhodos A", "Ore Vein", "Foundry"),
        city("Ephesos A"),
        moves=[move(0, "build", "Vineyard"), move(2, "build", "Clay Pool")],
    )
    assert result["after"][0]["coins"] == 1 + 2 + 1


def test_bazar_pays_two_coins_for_each_grey_card_and_boards_are_no_cards() -> None:
    result = look(
        city("Gizah A", "Loom", coins=0),
        city("Ephesos A", "Glassworks", "Press"),
        city("Alexandria A"),
        moves=[move(0, "build", "Bazar"), move(2, "build", "Press")],
    )
    assert result["after"][0]["coins"] == 2 * (1 + 2 + 1)


def test_coins_of_a_sale_cannot_be_spent_in_the_same_turn() -> None:
    seller = city("Gizah A", coins=1)
    buyer = city("Ephesos A", coins=2)
    sale = move(1, "build", "Baths")
    assert look(seller, buyer, moves=[sale])["after"][0]["coins"] == 3
    with pytest.raises(UserError, match="cannot be paid with 1 coins"):
        look(seller, buyer, city("Rhodos A"), moves=[sale, move(0, "build", "Barracks")])


def test_coins_of_a_discard_come_after_all_payments() -> None:
    result = look(city("Gizah A", coins=0), moves=[move(0, "discard", "Baths")])
    assert result["after"][0]["coins"] == 3


# ---- Trade ----


def test_several_units_come_at_a_discount_from_one_neighbour() -> None:
    seller = city("Gizah A", "Quarry")
    assert prices(city("Ephesos A", coins=6), seller)["Aqueduct"] == 6
    result = look(city("Ephesos A", "East Trading Post", coins=3), seller)["cities"][0]
    assert result["prices"]["Aqueduct"] == 3
    assert result["payments"]["Aqueduct"] == [{"bank": 0, "left": 0, "right": 3}]


def test_the_east_post_reaches_the_right_neighbour_and_the_west_post_the_left_one() -> None:
    assert prices(city("Ephesos A", "East Trading Post"), city("Gizah A"))["Baths"] == 1
    assert prices(city("Ephesos A", "West Trading Post"), city("Gizah A"))["Baths"] == 2
    assert prices(city("Ephesos A", "West Trading Post"), city("Rhodos A"), city("Gizah A"))["Baths"] == 1


def test_a_discount_works_from_the_turn_after() -> None:
    olympia = city("Olympia B", coins=2)
    wood = city("Ephesos A", "Lumber Yard")
    result = look(olympia, wood, moves=[move(0, "wonder", "Altar")])
    assert result["cities"][0]["next_stage"] == {"prices": 2, "payments": [{"bank": 0, "left": 0, "right": 2}]}
    assert result["after"][0]["coins"] == 0
    built = look(city("Olympia B", "East Trading Post", coins=2, stages=1), wood)["cities"][0]
    assert built["prices"]["Statue"] is None
    assert prices(city("Olympia B", coins=9, stages=1), city("Rhodos A", "Ore Vein"))["Statue"] == 2


def test_both_neighbours_buy_the_same_unit_and_its_owner_uses_it_too() -> None:
    result = look(
        city("Gizah A", coins=0),
        city("Ephesos A"),
        city("Rhodos A"),
        moves=[move(seat, "build", "Baths") for seat in range(3)],
    )
    assert [after["coins"] for after in result["after"]] == [4, 1, 1]
    assert all("Baths" in after["cards"] for after in result["after"])


def test_a_choice_card_sells_either_good_whatever_its_owner_uses() -> None:
    owner = city("Ephesos A", "Timber Yard", coins=0)
    result = look(
        owner,
        city("Rhodos A", "Clay Pool"),
        city("Alexandria A"),
        moves=[move(0, "build", "Baths"), move(1, "build", "Stables", free=True), move(2, "build", "Baths")],
    )
    assert result["after"][0]["coins"] == 2
    assert prices(city("Rhodos A", "Clay Pool"), owner)["Stables"] == 2


def test_a_choice_card_sells_one_buyer_one_good_a_turn() -> None:
    buyer = city("Rhodos A", "Lumber Yard", coins=9)  # for the Senate a wood and a stone are missing
    seller = city("Ephesos A", "Timber Yard")
    assert prices(buyer, seller)["Senate"] is None
    assert prices(buyer, seller, seller)["Senate"] == 4
    assert prices(buyer, seller, choice_card_sells="each-good")["Senate"] == 4


def test_goods_of_yellow_cards_and_stages_are_never_sold() -> None:
    neighbour = city("Alexandria B", "Forum", "Caravansery", stages=2)
    found = prices(city("Rhodos A", coins=20), neighbour, city("Rhodos B"))
    assert found["Workshop"] == 2  # the glass of the board itself
    assert found["Baths"] is None
    assert found["Apothecary"] is None
    assert found["Scriptorium"] is None


def test_a_choice_of_own_goods_beside_a_yellow_choice_is_used_both_ways() -> None:
    needs_two_stone_and_ore = "Arena"
    city_with = city("Ephesos A", "Timber Yard", "Mine", "Caravansery", coins=0)
    city_without = city("Ephesos A", "Timber Yard", "Mine", coins=0)
    assert prices(city_with)[needs_two_stone_and_ore] == 0
    assert prices(city_without)[needs_two_stone_and_ore] is None


def test_a_double_card_and_a_yellow_choice_give_three_units_but_only_one_of_choice() -> None:
    double = city("Ephesos A", "Foundry", "Caravansery", coins=0)
    assert prices(double)["Statue"] == 0  # two ore and one wood
    assert prices(double)["Stables"] is None  # one ore, one clay and one wood


# ---- Building ----


def test_a_chain_is_free_without_goods_and_coins() -> None:
    result = look(city("Gizah A", "Baths", coins=0), moves=[move(0, "build", "Aqueduct")])
    assert result["cities"][0]["prices"]["Aqueduct"] == 0
    assert result["cities"][0]["payments"]["Aqueduct"] == [{"bank": 0, "left": 0, "right": 0}]
    assert result["after"][0]["score"]["blue"] == 3 + 5


def test_a_name_is_barred_across_ages() -> None:
    for age in (1, 2):
        assert "Loom" not in look(city("Gizah A", "Loom"), age=age)["cities"][0]["prices"]
        with pytest.raises(UserError, match="has one already"):
            look(city("Gizah A", "Loom"), age=age, moves=[move(0, "build", "Loom")])


def test_a_stage_hides_its_card_and_needs_no_price_of_it() -> None:
    result = look(city("Rhodos A", "Lumber Yard", "Sawmill", coins=0), moves=[move(0, "wonder", "Palace")])
    assert result["after"][0]["cards"] == ["Lumber Yard", "Sawmill"]
    assert result["after"][0]["score"]["wonder"] == 3


# ---- Olympia ----


def test_olympia_a_builds_free_once_in_each_age() -> None:
    position = Position.model_validate({"age": 2, "cities": [city("Olympia A", stages=2, coins=0)] + [city()] * 2})
    games = load_position(position, CATALOG, T)
    g: Any = games[0]
    palace, senate = CATALOG.card_id("Palace", 3), CATALOG.card_id("Senate", 3)
    g.turn = 5

    def may_build_free(card: int) -> bool:
        begin_turn(g)
        g.hand[0, 0], g.hand_size[0] = card, 1
        count = list_plays(g, T, 0, 0)
        return FREE_BUILD in g.option_action[:count]

    assert may_build_free(palace)
    set_choice(g, 0, palace, FREE_BUILD, FREE)
    act(g, T, LOG_PLAY)
    assert g.points[0, COLOURS.index("blue")] == 8
    assert not may_build_free(senate)
    start_age(g, T, 3)
    assert may_build_free(senate)
    assert not may_build_free(palace)


def test_olympia_b_copies_the_guild_that_is_worth_most() -> None:
    olympia = city("Olympia B", stages=3, coins=0)
    result = look(olympia, city("Gizah A", "Workers Guild", "Ore Vein", "Spies Guild"), city("Rhodos A", "Barracks"))
    assert result["cities"][0]["score"]["wonder"] == 5 + 1
    assert result["cities"][1]["score"]["guild"] == 1  # the owner of the guilds keeps his points: one red card


def test_a_copied_scientists_guild_gives_a_symbol() -> None:
    olympia = city("Olympia B", "Apothecary", "Workshop", stages=3, coins=0)
    owner = city("Gizah A", "Scientists Guild")
    score = look(olympia, owner)["cities"][0]["score"]
    assert score["science"] == 2
    assert score["wonder"] == 5 + (1 + 1 + 1 + 7 - 2)
    without = look(olympia, owner, copied_scientists_gives_symbol=False)["cities"][0]["score"]
    assert without["wonder"] == 5


def test_a_copied_shipowners_guild_counts_the_copiers_cards_and_itself() -> None:
    olympia = city("Olympia B", "Ore Vein", "Loom", "Altar", "Workers Guild", stages=3, coins=0)
    owner = city("Gizah A", "Shipowners Guild")
    assert look(olympia, owner)["cities"][0]["score"]["wonder"] == 5 + 4
    without = look(olympia, owner, copied_guild_counts_itself=False)["cities"][0]["score"]
    assert without["wonder"] == 5 + 3


def test_without_a_neighbours_guild_there_is_nothing_to_copy() -> None:
    far = [city("Gizah A"), city("Rhodos A", "Shipowners Guild", "Ore Vein"), city("Ephesos A")]
    olympia = city("Olympia B", "Spies Guild", stages=3, coins=0)
    position = {"cities": [olympia, *far]}
    assert inspect_position(position, CATALOG, T)["cities"][0]["score"]["wonder"] == 5


# ---- Scores ----


def test_military_points_may_be_negative_and_strategists_count_defeats_not_their_value() -> None:
    strategists = city("Gizah A", "Strategists Guild", tokens=(1, -1), coins=0)
    result = look(strategists, city(tokens=(-1, -1, 5)), city(tokens=(-1,)))
    assert result["cities"][0]["score"]["guild"] == 3
    assert result["cities"][0]["score"]["military"] == 0
    assert result["cities"][2]["score"]["military"] == -1


def test_wild_symbols_are_used_as_is_best() -> None:
    science = ("Apothecary", "Dispensary", "Lodge", "Workshop", "Laboratory", "Scriptorium")
    assert look(city("Gizah A", *science))["cities"][0]["score"]["science"] == 9 + 4 + 1 + 7
    assert look(city("Babylon A", *science, stages=2))["cities"][0]["score"]["science"] == 9 + 4 + 4 + 14


# ---- The last turn of an age ----


def wants_red(g: Any, t: Any, me: int, decision: int, option: int, w: Any) -> float:
    card = g.option_card[option]
    if decision == FROM_DISCARD:
        return 1.0 if card >= 0 and t.card_colour[card] == RED else 0.0
    if decision == PLAY:
        return 1.0 if g.option_action[option] == BUILD else 0.0
    return -float(g.option_price[option])


def last_turn(age: int, cities: list[Any], hands: list[list[str]], actions: list[int], **settings: object) -> Any:
    """Play turn 6 of an age: each city does the given action with the first card of its hand."""
    catalog = load_catalog(settings=settings)
    t = build_tables(catalog)
    games = load_position(Position.model_validate({"age": age, "cities": cities}), catalog, t)
    g: Any = games[0]
    g.turn = t.turns_per_age
    g.holder = -1
    for seat, hand in enumerate(hands):
        g.hand[seat, : len(hand)] = [catalog.card_id(name, age) for name in hand]
        g.hand_size[seat] = len(hand)
        card = int(g.hand[seat, 0])
        set_choice(g, seat, card, actions[seat], FREE)
        take_from_hand(g, seat, card)
    slots = strategy_slots([strategy_pointer(wants_red, STATE, TABLES)])
    lineup: Any = np.zeros(1, LINEUP)
    play_turn(g, t, (slots, lineup[0]))
    return games


def test_halikarnassos_builds_in_the_very_last_turn_and_the_shields_count_in_the_last_conflict() -> None:
    games = last_turn(
        3,
        [city("Halikarnassos A", "Foundry", "Ore Vein", stages=1), city("Gizah A"), city("Rhodos A")],
        [["Palace", "Haven"], ["Arsenal", "Senate"], ["Study", "Lodge"]],
        [STAGE, DISCARD, DISCARD],
    )
    g: Any = games[0]
    assert g.shields[0] == 3
    assert g.tokens[0, 2].tolist() == [5, 5]
    assert g.finished == 1
    assert g.score[0, 0] == 10


def test_halikarnassos_may_take_what_was_left_over_in_this_very_turn() -> None:
    games = last_turn(
        3,
        [city("Halikarnassos A", "Foundry", "Ore Vein", stages=1), city("Gizah A"), city("Rhodos A")],
        [["Palace", "Haven"], ["Town Hall", "Circus"], ["Study", "Lodge"]],
        [STAGE, DISCARD, DISCARD],
    )
    g: Any = games[0]
    assert g.shields[0] == 3


def test_the_seventh_cards_lie_among_the_discards_without_coins() -> None:
    games = last_turn(
        1,
        [city("Gizah A"), city("Rhodos A"), city("Ephesos A")],
        [["Altar", "Loom"], ["Altar", "Press"], ["Altar", "Tavern"]],
        [BUILD, BUILD, BUILD],
    )
    g: Any = games[0]
    names = sorted(CATALOG.cards[card].name for card in g.discards[: g.discards_size])
    assert names == ["Loom", "Press", "Tavern"]
    assert g.coins[:3].tolist() == [3, 3, 3]
    assert (g.age, g.turn) == (2, 1)


BABYLON: list[dict[str, Any]] = [
    {"wonder": "Babylon", "side": "B", "cards": ["Sawmill", "Glassworks"], "stages_built": 1},
    {"wonder": "Gizah", "side": "A"},
    {"wonder": "Rhodos", "side": "A"},
]


def test_babylon_plays_the_seventh_card_in_the_very_turn_its_stage_is_built() -> None:
    hands = [["Forum", "Press"], ["Temple", "Statue"], ["School", "Library"]]
    games = last_turn(2, BABYLON, hands, [STAGE, DISCARD, DISCARD])
    g: Any = games[0]
    assert "Press" in [CATALOG.cards[card].name for card in g.city_cards[0, : g.city_size[0]]]
    assert g.discards_size == 4


def test_babylon_waits_for_the_next_age_where_the_tournament_ruling_is_set() -> None:
    hands = [["Forum", "Press"], ["Temple", "Statue"], ["School", "Library"]]
    games = last_turn(2, BABYLON, hands, [STAGE, DISCARD, DISCARD], last_card_in_turn_built=False)
    g: Any = games[0]
    assert g.city_size[0] == 2
    assert g.discards_size == 5


def test_babylons_seventh_card_may_be_chained_from_the_sixth_and_spends_no_coins_of_the_turn() -> None:
    built = {**BABYLON[0], "stages_built": 2, "coins": 0, "cards": []}
    games = last_turn(1, [built, *BABYLON[1:]], [["Tavern", "Timber Yard"], ["Altar"], ["Altar"]], [BUILD] * 3)
    g: Any = games[0]
    assert g.coins[0] == 5 + 3  # the Timber Yard costs a coin, so it could only be discarded
    games = last_turn(
        1,
        [built, *BABYLON[1:]],
        [["Tavern", "Timber Yard"], ["Altar"], ["Altar"]],
        [BUILD] * 3,
        last_card_spends_turn_income=True,
    )
    g = games[0]
    assert g.coins[0] == 5 - 1
