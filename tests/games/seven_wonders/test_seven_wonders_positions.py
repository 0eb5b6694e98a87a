"""Positions of 7 Wonders: what is told of a city, what comes after moves, and what is refused.

Prices, payments and scores are those of the rules' own tests (`test_seven_wonders_prices.py`, `..._scoring.py`).
"""

import json
from typing import Any

import pytest

from sim.errors import UserError
from sim.games.seven_wonders.io.positions import inspect_lines
from tests.games.seven_wonders.inspecting import city, move, told
from tests.games.seven_wonders.playing import CATALOG
from tests.games.seven_wonders.positions import EXAMPLE

PARTS = {"blue", "military", "science", "yellow", "guild", "wonder", "treasury", "total"}
Move = dict[str, Any]


def after(cities: list[Any], *moves: Move, settings: dict[str, object] | None = None, **keys: Any) -> list[Any]:
    """Cities after moves, in the third age."""
    found: list[Any] = told({"age": 3, "cities": cities, "moves": list(moves), **keys}, **(settings or {}))["after"]
    return found


# ---- What is told of a city ----


def test_every_city_has_the_keys_of_the_format() -> None:
    result = told(EXAMPLE)
    assert set(result) == {"cities"}
    for found, row in zip(result["cities"], EXAMPLE["cities"], strict=True):
        assert set(found) == {"score", "shields", "prices", "payments", "next_stage"}
        assert set(found["score"]) == PARTS
        assert set(found["prices"]) == set(found["payments"]) == set(CATALOG.names) - set(row.get("cards", []))
        for name, payments in found["payments"].items():
            assert found["prices"][name] == min((sum(each.values()) for each in payments), default=None)
    json.dumps(result)


def test_a_complete_wonder_has_no_next_stage() -> None:
    assert [found["next_stage"] for found in told(EXAMPLE)["cities"]] == [
        {"prices": 2, "payments": [{"bank": 0, "left": 0, "right": 2}]},
        {"prices": None, "payments": []},
        None,
    ]


def test_a_score_is_that_of_a_game_that_ends_now() -> None:
    found = told(EXAMPLE)["cities"]
    assert [each["shields"] for each in found] == [0, 1, 0]
    first, second, third = (each["score"] for each in found)
    assert (first["military"], first["treasury"], first["total"]) == (0, 1, 1)
    assert (second["treasury"], second["total"]) == (3, 3)
    assert third["wonder"] == 3 + 7


def test_what_is_left_out_has_its_value_of_a_new_city() -> None:
    cities = [{"wonder": "Gizah", "side": side} for side in "ABA"]
    new: dict[str, Any] = {"cards": [], "stages_built": 0, "coins": 3, "conflict_tokens": []}
    assert told({"cities": cities}) == told({"age": 3, "cities": [each | new for each in cities]})


def test_settings_override_the_rules() -> None:
    cities = [city("Olympia B", "East Trading Post", stages_built=1), city("Gizah A"), city("Rhodos A")]
    prices = [told({"cities": cities}, discounts_add_up=add)["cities"][0]["prices"]["Baths"] for add in (False, True)]
    assert prices == [1, 0]


# ---- Moves ----


def test_moves_lead_to_what_comes_after() -> None:
    moves = [move(0, "build", "Vineyard"), move(1, "wonder", "Loom", free=True), move(2, "free_build", "Temple")]
    found = told(EXAMPLE | {"moves": moves})["after"]
    assert [each["coins"] for each in found] == [3 + 2, 9 + 3, 0]
    assert found[0]["cards"] == ["Lumber Yard", "Vineyard"]
    assert (found[1]["stages_built"], found[1]["score"]["wonder"], found[2]["score"]["blue"]) == (1, 3, 3)
    assert all(set(each) == {"coins", "cards", "stages_built", "score"} for each in found)


def test_a_free_move_costs_nothing() -> None:
    found = told(EXAMPLE | {"moves": [move(0, "build", "Palace", free=True)]})["after"]
    assert (found[0]["coins"], found[0]["score"]["blue"]) == (3, 8)


def test_a_move_without_purchases_takes_the_cheapest_payment_and_of_several_the_right_neighbour() -> None:
    cities = [city("Ephesos A", coins=2), city("Gizah A", coins=0), city("Rhodos A", "Stone Pit", coins=0)]
    build = move(0, "build", "Baths")
    assert [each["coins"] for each in after(cities, build)] == [0, 2, 0]
    build["buy"] = [{"from": "left", "price": 2, "resources": {"stone": 1}}]
    assert [each["coins"] for each in after(cities, build)] == [0, 0, 2]


def test_a_building_from_the_discards_follows_the_stage_that_allows_it() -> None:
    cities = [city("Halikarnassos B", "Foundry"), city("Gizah A"), city("Rhodos A")]
    stage, discard = move(0, "wonder", "Loom"), move(1, "discard", "Altar")
    build = move(0, "build_from_discard", "Altar")
    assert after(cities, build, stage, discard, discards=[])[0]["cards"] == ["Foundry", "Altar"]
    with pytest.raises(UserError, match="not among the discards"):
        after(cities, build, stage, discards=["Baths"])
    with pytest.raises(UserError, match="may not build from the discards"):
        after(cities, build, discard)


OTHERS = [city("Gizah A"), city("Halikarnassos B", "Foundry")]


def babylon(stages: int) -> list[Any]:
    """Babylon B with some stages and one coin, and two others."""
    return [city("Babylon B", stages_built=stages, coins=1), *OTHERS]


def test_babylon_plays_its_seventh_card_as_its_second_move_after_those_of_all() -> None:
    moves = [move(0, "build", "Timber Yard"), move(0, "discard", "Altar")]
    found = after(babylon(2), *moves)[0]
    assert (found["cards"], found["coins"]) == (["Timber Yard"], 1 - 1 + 3)
    with pytest.raises(UserError, match=r"moves\.2\.do: cannot be paid with 0 coins"):
        after(babylon(2), moves[0], moves[0] | {"card": "Clay Pit"})


def test_a_seventh_card_is_for_babylon_with_its_second_stage_which_may_be_built_in_this_turn() -> None:
    moves = [move(0, "wonder", "Loom", free=True), move(0, "discard", "Altar")]
    assert after(babylon(1), *moves)[0]["coins"] == 1 + 3
    for stages, settings in ((0, {}), (1, {"last_card_in_turn_built": False})):
        with pytest.raises(UserError, match=r"moves\.2\.p: a city moves twice"):
            after(babylon(stages), *moves, settings=settings)


def test_a_seventh_card_that_babylon_discards_can_be_built_from_the_discards() -> None:
    moves = [move(0, "discard", "Loom"), move(0, "discard", "Altar")]
    moves += [move(2, "wonder", "Press"), move(2, "build_from_discard", "Altar")]
    assert after(babylon(2), *moves, discards=[])[2]["cards"] == ["Foundry", "Altar"]
    with pytest.raises(UserError, match="not among the discards"):
        after(babylon(2), *moves, discards=[], settings={"last_card_before_discard_build": False})


# ---- Two players and the Free City ----


def free_city(number: int, *moves: Move, **of_it: Any) -> dict[str, Any]:
    """A position of two players in which this city is the free one."""
    cities = [city("Gizah A"), city("Rhodos A"), city("Ephesos A")]
    cities[number] |= {"free_city": True} | of_it
    return {"variant": "free-city", "age": 1, "cities": cities} | ({"moves": list(moves)} if moves else {})


@pytest.mark.parametrize("number", range(3))
def test_the_free_city_is_the_one_that_says_so_and_trades_with_the_players_beside_it(number: int) -> None:
    standard = told({"age": 1, "cities": free_city(0, free_city=False)["cities"]})["cities"]
    found = told(free_city(number))["cities"]
    assert [each.pop("free_city", False) for each in found] == [place == number for place in range(3)]
    assert found == standard


@pytest.mark.parametrize("number", range(3))
@pytest.mark.parametrize("wrong", [{"do": "discard"}, {"do": "wonder", "free": True}])
def test_a_chain_binds_the_free_city(number: int, wrong: dict[str, Any]) -> None:
    chained: Move = {"p": number, "card": "Library"}
    binds = rf"moves\.1\.do: the Free City must build Library by its chain .*{wrong['do']}"
    with pytest.raises(UserError, match=binds):
        told(free_city(number, chained | wrong, cards=["Scriptorium"]))
    built = told(free_city(number, chained | {"do": "build"}, cards=["Scriptorium"]))["after"][number]
    assert (built["cards"], built["coins"]) == (["Scriptorium", "Library"], 3)


def test_the_free_city_discards_only_what_it_cannot_use() -> None:
    palace = move(1, "discard", "Palace")
    with pytest.raises(UserError, match=r"can neither build nor put below a stage, unlike Altar .*allowed: build"):
        told(free_city(1, move(1, "discard", "Altar")))
    with pytest.raises(UserError, match=r"unlike Palace .*allowed: wonder"):
        told(free_city(1, palace, cards=["Sawmill"]))
    assert told(free_city(1, palace))["after"][1]["coins"] == 6
    # Any player discards what he likes.
    assert told(free_city(1, move(0, "discard", "Altar")))["after"][0]["coins"] == 6


def test_what_the_free_city_pays_its_player_is_spent_in_the_same_turn_by_a_setting_alone() -> None:
    position = free_city(1, move(0, "build", "Timber Yard"), move(1, "build", "Baths")) | {"plays_free_city": 0}
    position["cities"][0]["coins"] = 0
    assert [each["coins"] for each in told(position, free_city_sales_spendable=True)["after"]] == [1, 1, 3]
    for keys, settings in (({}, {}), ({"plays_free_city": 2}, {"free_city_sales_spendable": True})):
        with pytest.raises(UserError, match=r"moves\.1\.do: cannot be paid with 0 coins"):
            told(position | keys, **settings)


@pytest.mark.parametrize(
    ("wonder", "do", "reason"),
    [
        ("Olympia", "free_build", "no free building"),
        ("Halikarnassos", "build_from_discard", "may not build from the discards"),
    ],
)
def test_whether_powers_of_the_free_citys_wonder_are_used_is_a_setting(wonder: str, do: str, reason: str) -> None:
    position = free_city(1, move(1, do, "Palace"), wonder=wonder, stages_built=2)
    assert told(position)["after"][1]["cards"] == ["Palace"]
    with pytest.raises(UserError, match=reason):
        told(position, free_city_uses_wonder_powers=False)


STANDARD = {"variant": "standard", "cities": EXAMPLE["cities"]}


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"variant": "standard"}, r"cities\.2\.free_city: no city is free here"),
        ({"variant": "free city"}, "did you mean 'free-city'"),
        ({"plays_free_city": 1}, r"plays_free_city: not a player's city .*found: 1"),
        ({"cities": EXAMPLE["cities"]}, r"field cities: one city is the Free City .*found: 0"),
        ({"cities": EXAMPLE["cities"][:1] * 4}, r"field cities: two players and the Free City .*found: 4"),
        ({**STANDARD, "plays_free_city": 0}, "plays_free_city: no city is free"),
    ],
)
def test_what_a_position_of_two_players_may_not_say(changes: dict[str, Any], says: str) -> None:
    with pytest.raises(UserError, match=says):
        told(free_city(1) | changes)


# ---- In words ----


def test_the_lines_tell_scores_stage_and_prices_and_name_the_free_city() -> None:
    lines = inspect_lines(told(EXAMPLE | {"moves": [move(0, "build", "Vineyard")]}))
    assert lines[0] == "City 0"
    assert "  score: 1 (blue 0, military 0, science 0, yellow 0, guild 0, wonder 0, treasury 1)" in lines
    assert "  next stage: none, the wonder is complete" in lines
    assert any(line.startswith("  1 coin (1 bank): ") for line in lines)
    assert "City 0 after the moves" in lines
    assert "  cards: Lumber Yard, Vineyard" in lines
    assert "City 2 (Free City)" in inspect_lines(told(free_city(2)))
