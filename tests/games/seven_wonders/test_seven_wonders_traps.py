"""Rules that implementations of the game are known to get wrong, each on a small position."""

from typing import Any

import pytest

from sim.errors import UserError
from sim.games.seven_wonders.io.layout import Position, load_position
from sim.games.seven_wonders.io.payments import FREE, set_choice
from sim.games.seven_wonders.rules import constants
from sim.games.seven_wonders.rules.building import list_plays, take_from_hand
from sim.games.seven_wonders.rules.setup import start_age
from sim.games.seven_wonders.rules.trade import begin_turn
from sim.games.seven_wonders.rules.turns import act
from tests.games.seven_wonders.inspecting import city, move, told
from tests.games.seven_wonders.playing import CATALOG, T, play_turn, tables, team_of

RED = constants.COLOURS.index("red")


def look(*cities: Any, moves: Any = None, age: int = 3, **settings: Any) -> dict[str, Any]:
    """Inspect three cities: the first has the second as its right neighbour and the third as its left one."""
    position = {"age": age, "cities": list(cities) + [city("Ephesos A")] * (3 - len(cities))}
    if moves is not None:
        position["moves"] = moves
    return told(position, **settings)


# ---- Coins ----


@pytest.mark.parametrize(
    ("cities", "card", "also", "coins"),
    [
        # Vineyard: a coin for each brown card of both neighbours and its own; those of this turn too.
        (
            [city("Gizah A", "Lumber Yard", coins=0), city("Rhodos A", "Ore Vein", "Foundry"), city("Ephesos A")],
            *("Vineyard", "Clay Pool", 1 + 2 + 1),
        ),
        # Bazar: two coins for each grey card; boards are no cards.
        (
            [city("Gizah A", "Loom", coins=0), city("Ephesos A", "Glassworks", "Press"), city("Alexandria A")],
            *("Bazar", "Press", 2 * (1 + 2 + 1)),
        ),
    ],
)
def test_yellow_cards_count_cards_of_both_neighbours_and_their_own_those_of_this_turn_too(
    cities: list[Any], card: str, also: str, coins: int
) -> None:
    result = look(*cities, moves=[move(0, "build", card), move(2, "build", also)])
    assert result["after"][0]["coins"] == coins


def test_coins_of_a_sale_cannot_be_spent_in_the_same_turn() -> None:
    seller = city("Gizah A", coins=1)
    buyer = city("Ephesos A", coins=2)
    sale = move(1, "build", "Baths")
    assert look(seller, buyer, moves=[sale])["after"][0]["coins"] == 3
    with pytest.raises(UserError, match="cannot be paid with 1 coins"):
        look(seller, buyer, city("Rhodos A"), moves=[sale, move(0, "build", "Barracks")])


# ---- Trade ----


def test_a_discount_works_from_the_turn_after() -> None:
    olympia = city("Olympia B", coins=2)
    wood = city("Ephesos A", "Lumber Yard")
    result = look(olympia, wood, moves=[move(0, "wonder", "Altar")])
    assert result["cities"][0]["next_stage"] == {"prices": 2, "payments": [{"bank": 0, "left": 0, "right": 2}]}
    assert result["after"][0]["coins"] == 0


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
    result = look(
        city("Ephesos A", "Timber Yard", coins=0),
        city("Rhodos A", "Clay Pool"),
        city("Alexandria A"),
        moves=[move(0, "build", "Baths"), move(1, "build", "Stables", free=True), move(2, "build", "Baths")],
    )
    assert result["after"][0]["coins"] == 2


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
    cities = [city("Olympia A", stages_built=2, coins=0), city(), city()]
    g: Any = load_position(Position.model_validate({"age": 2, "cities": cities}), CATALOG, T)[0]
    palace, senate = CATALOG.card_id("Palace", 3), CATALOG.card_id("Senate", 3)
    g.turn = 5

    def may_build_free(card: int) -> bool:
        begin_turn(g)
        g.hand[0, 0], g.hand_size[0] = card, 1
        count = list_plays(g, T, 0, 0)
        return constants.FREE_BUILD in g.option_action[:count]

    assert may_build_free(palace)
    set_choice(g, 0, palace, constants.FREE_BUILD, FREE)
    act(g, T, constants.LOG_PLAY)
    assert g.points[0, constants.COLOURS.index("blue")] == 8
    assert not may_build_free(senate)
    start_age(g, T, 3)
    assert may_build_free(senate)
    assert not may_build_free(palace)


# ---- The last turn of an age ----


def wants_red(g: Any, t: Any, me: int, decision: int, option: int, w: Any) -> float:
    card = g.option_card[option]
    if decision == constants.FROM_DISCARD:
        return 1.0 if card >= 0 and t.card_colour[card] == RED else 0.0
    if decision == constants.PLAY:
        return 1.0 if g.option_action[option] == constants.BUILD else 0.0
    return -float(g.option_price[option])


def last_turn(age: int, cities: list[Any], hands: list[list[str]], actions: list[int], **settings: object) -> Any:
    """Play turn 6 of an age: each city does the given action with the first card of its hand."""
    t = tables(**settings)
    g: Any = load_position(Position.model_validate({"age": age, "cities": cities}), CATALOG, t)[0]
    g.turn = t.turns_per_age
    g.holder = -1
    for seat, hand in enumerate(hands):
        g.hand[seat, : len(hand)] = [CATALOG.card_id(name, age) for name in hand]
        g.hand_size[seat] = len(hand)
        card = int(g.hand[seat, 0])
        set_choice(g, seat, card, actions[seat], FREE)
        take_from_hand(g, seat, card)
    play_turn(g, t, team_of(wants_red))
    return g


@pytest.mark.parametrize(
    "hands",
    [
        [["Palace", "Haven"], ["Arsenal", "Senate"], ["Study", "Lodge"]],
        # What was left over in this very turn may be taken too.
        [["Palace", "Haven"], ["Town Hall", "Circus"], ["Study", "Lodge"]],
    ],
)
def test_halikarnassos_builds_in_the_very_last_turn_and_the_shields_count_in_the_last_conflict(
    hands: list[list[str]],
) -> None:
    cities = [city("Halikarnassos A", "Foundry", "Ore Vein", stages_built=1), city("Gizah A"), city("Rhodos A")]
    g = last_turn(3, cities, hands, [constants.STAGE, constants.DISCARD, constants.DISCARD])
    assert g.shields[0] == 3
    assert g.tokens[0, 2].tolist() == [5, 5]
    assert g.finished == 1
    assert g.score[0, 0] == 10


def test_the_seventh_cards_lie_among_the_discards_without_coins() -> None:
    cities = [city("Gizah A"), city("Rhodos A"), city("Ephesos A")]
    g = last_turn(1, cities, [["Altar", "Loom"], ["Altar", "Press"], ["Altar", "Tavern"]], [constants.BUILD] * 3)
    names = sorted(CATALOG.cards[card].name for card in g.discards[: g.discards_size])
    assert names == ["Loom", "Press", "Tavern"]
    assert g.coins[:3].tolist() == [3, 3, 3]
    assert (g.age, g.turn) == (2, 1)


@pytest.mark.parametrize(("in_turn_built", "built", "discards"), [(True, ["Press"], 4), (False, [], 5)])
def test_babylon_plays_the_seventh_card_in_the_very_turn_its_stage_is_built_or_waits_by_the_tournament_ruling(
    in_turn_built: bool, built: list[str], discards: int
) -> None:
    cities = [city("Babylon B", "Sawmill", "Glassworks", stages_built=1), city("Gizah A"), city("Rhodos A")]
    hands = [["Forum", "Press"], ["Temple", "Statue"], ["School", "Library"]]
    actions = [constants.STAGE, constants.DISCARD, constants.DISCARD]
    g = last_turn(2, cities, hands, actions, last_card_in_turn_built=in_turn_built)
    assert [CATALOG.cards[card].name for card in g.city_cards[0, 2 : g.city_size[0]]] == built
    assert g.discards_size == discards


@pytest.mark.parametrize(("spends_income", "coins"), [(False, 5 + 3), (True, 5 - 1)])
def test_babylons_seventh_card_spends_no_coins_of_the_turn_but_by_a_setting(spends_income: bool, coins: int) -> None:
    cities = [city("Babylon B", coins=0, stages_built=2), city("Gizah A"), city("Rhodos A")]
    # The Timber Yard costs a coin, so without coins of the turn it can only be discarded.
    hands, actions = [["Tavern", "Timber Yard"], ["Altar"], ["Altar"]], [constants.BUILD] * 3
    g = last_turn(1, cities, hands, actions, last_card_spends_turn_income=spends_income)
    assert g.coins[0] == coins
