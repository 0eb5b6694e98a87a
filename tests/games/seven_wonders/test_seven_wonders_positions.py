import itertools
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from sim.errors import UserError
from sim.games.seven_wonders.data.catalog import load_catalog
from sim.games.seven_wonders.game import GAME
from sim.games.seven_wonders.io.positions import inspect_lines, inspect_position
from sim.games.shared.position_files import inspect_file
from tests.games.seven_wonders.positions import EXAMPLE

CATALOG = load_catalog()
PARTS = {"blue", "military", "science", "yellow", "guild", "wonder", "treasury", "total"}


def write(tmp_path: Path, *positions: object, name: str = "position.json") -> Path:
    file = tmp_path / name
    file.write_text("\n".join(json.dumps(position) for position in positions), "utf-8")
    return file


def inspect_all(file: Path, **settings: object) -> list[dict[str, Any]]:
    return inspect_file(file, GAME.load(settings), inspect_position)


def inspect(tmp_path: Path, **changes: object) -> dict[str, Any]:
    return inspect_all(write(tmp_path, EXAMPLE | changes))[0]


# ---- What is told of a city ----


def test_every_city_has_the_keys_of_the_format(tmp_path: Path) -> None:
    result = inspect(tmp_path)
    assert set(result) == {"cities"}
    for city in result["cities"]:
        assert set(city) == {"score", "shields", "prices", "payments", "next_stage"}
        assert set(city["score"]) == PARTS
        assert city["score"]["total"] == sum(city["score"][part] for part in PARTS - {"total"})
    json.dumps(result)


def test_prices_name_every_card_the_city_does_not_own(tmp_path: Path) -> None:
    for city, row in zip(inspect(tmp_path)["cities"], EXAMPLE["cities"], strict=True):
        assert set(city["prices"]) == set(CATALOG.names) - set(row.get("cards", []))
        assert set(city["payments"]) == set(city["prices"])


def test_a_price_is_that_of_the_cheapest_payment(tmp_path: Path) -> None:
    for city in inspect(tmp_path)["cities"]:
        for name, price in city["prices"].items():
            payments = city["payments"][name]
            assert price == (min(sum(payment.values()) for payment in payments) if payments else None)


def test_no_payment_beats_another(tmp_path: Path) -> None:
    for city in inspect(tmp_path)["cities"]:
        for payments in city["payments"].values():
            for one, other in itertools.permutations(payments, 2):
                assert not (one["left"] <= other["left"] and one["right"] <= other["right"])


def test_a_good_both_neighbours_sell_can_be_paid_to_either(tmp_path: Path) -> None:
    cities = [
        {"wonder": "Ephesos", "side": "A", "coins": 2},
        {"wonder": "Gizah", "side": "A"},
        {"wonder": "Rhodos", "side": "A", "cards": ["Stone Pit"]},
    ]
    found = inspect(tmp_path, cities=cities)["cities"][0]
    assert found["payments"]["Baths"] == [{"bank": 0, "left": 0, "right": 2}, {"bank": 0, "left": 2, "right": 0}]


def test_a_payment_that_gives_both_more_is_left_out(tmp_path: Path) -> None:
    cities = [
        {"wonder": "Ephesos", "side": "A", "cards": ["East Trading Post"], "coins": 6},
        {"wonder": "Gizah", "side": "A", "cards": ["Stone Pit"]},
        {"wonder": "Rhodos", "side": "A", "cards": ["Stone Pit", "Quarry"]},
    ]
    found = inspect(tmp_path, cities=cities)["cities"][0]
    assert found["payments"]["Aqueduct"] == [
        {"bank": 0, "left": 2, "right": 2},
        {"bank": 0, "left": 4, "right": 1},
        {"bank": 0, "left": 6, "right": 0},
    ]


def test_a_complete_wonder_has_no_next_stage(tmp_path: Path) -> None:
    found = inspect(tmp_path)["cities"]
    assert found[2]["next_stage"] is None
    assert found[0]["next_stage"] == {"prices": 2, "payments": [{"bank": 0, "left": 0, "right": 2}]}
    assert found[1]["next_stage"] == {"prices": None, "payments": []}


def test_a_score_is_that_of_a_game_that_ends_now(tmp_path: Path) -> None:
    first, second, third = (city["score"] for city in inspect(tmp_path)["cities"])
    assert (first["military"], first["treasury"], first["total"]) == (0, 1, 1)
    assert (second["treasury"], second["total"]) == (3, 3)
    assert third["wonder"] == 3 + 7


def test_shields_are_those_of_cards_and_stages(tmp_path: Path) -> None:
    assert [city["shields"] for city in inspect(tmp_path)["cities"]] == [0, 1, 0]


def test_what_is_left_out_has_its_value_of_a_new_city(tmp_path: Path) -> None:
    cities = [{"wonder": "Gizah", "side": side} for side in "ABA"]
    full = [
        {"wonder": "Gizah", "side": side, "cards": [], "stages_built": 0, "coins": 3, "conflict_tokens": []}
        for side in "ABA"
    ]
    shortened = inspect_all(write(tmp_path, {"cities": cities}))
    assert shortened == inspect_all(write(tmp_path, {"age": 3, "cities": full}))


def test_a_jsonl_file_has_a_position_a_line(tmp_path: Path) -> None:
    results = inspect_all(write(tmp_path, EXAMPLE, EXAMPLE | {"age": 3}, name="positions.jsonl"))
    assert len(results) == 2
    assert results[0] == inspect(tmp_path)


def test_settings_override_the_rules(tmp_path: Path) -> None:
    cities = [
        {"wonder": "Olympia", "side": "B", "stages_built": 1, "cards": ["East Trading Post"]},
        {"wonder": "Gizah", "side": "A"},
        {"wonder": "Rhodos", "side": "A"},
    ]
    file = write(tmp_path, {"cities": cities})
    assert inspect_all(file)[0]["cities"][0]["prices"]["Baths"] == 1
    assert inspect_all(file, discounts_add_up=True)[0]["cities"][0]["prices"]["Baths"] == 0


# ---- Moves ----


def test_moves_lead_to_what_comes_after(tmp_path: Path) -> None:
    moves = [
        {"p": 0, "do": "build", "card": "Vineyard"},
        {"p": 1, "do": "wonder", "card": "Loom", "free": True},
        {"p": 2, "do": "free_build", "card": "Temple"},
    ]
    after = inspect(tmp_path, moves=moves)["after"]
    assert [city["coins"] for city in after] == [3 + 2, 9 + 3, 0]
    assert after[0]["cards"] == ["Lumber Yard", "Vineyard"]
    assert after[1]["stages_built"] == 1
    assert after[1]["score"]["wonder"] == 3
    assert after[2]["score"]["blue"] == 3
    assert all(set(city) == {"coins", "cards", "stages_built", "score"} for city in after)


def test_a_free_move_costs_nothing(tmp_path: Path) -> None:
    after = inspect(tmp_path, moves=[{"p": 0, "do": "build", "card": "Palace", "free": True}])["after"]
    assert (after[0]["coins"], after[0]["score"]["blue"]) == (3, 8)


def test_a_move_without_purchases_takes_the_cheapest_payment_and_of_several_the_right_neighbour(tmp_path: Path) -> None:
    cities = [
        {"wonder": "Ephesos", "side": "A", "coins": 2},
        {"wonder": "Gizah", "side": "A", "coins": 0},
        {"wonder": "Rhodos", "side": "A", "cards": ["Stone Pit"], "coins": 0},
    ]
    move: dict[str, Any] = {"p": 0, "do": "build", "card": "Baths"}
    assert [city["coins"] for city in inspect(tmp_path, cities=cities, moves=[move])["after"]] == [0, 2, 0]
    move["buy"] = [{"from": "left", "price": 2, "resources": {"stone": 1}}]
    assert [city["coins"] for city in inspect(tmp_path, cities=cities, moves=[move])["after"]] == [0, 0, 2]


def test_a_building_from_the_discards_follows_the_stage_that_allows_it(tmp_path: Path) -> None:
    cities = [
        {"wonder": "Halikarnassos", "side": "B", "cards": ["Foundry"]},
        {"wonder": "Gizah", "side": "A"},
        {"wonder": "Rhodos", "side": "A"},
    ]
    stage = {"p": 0, "do": "wonder", "card": "Loom"}
    discard = {"p": 1, "do": "discard", "card": "Altar"}
    build = {"p": 0, "do": "build_from_discard", "card": "Altar"}
    after = inspect(tmp_path, cities=cities, discards=[], moves=[build, stage, discard])["after"]
    assert after[0]["cards"] == ["Foundry", "Altar"]
    with pytest.raises(UserError, match="not among the discards"):
        inspect(tmp_path, cities=cities, discards=["Baths"], moves=[build, stage])
    with pytest.raises(UserError, match="may not build from the discards"):
        inspect(tmp_path, cities=cities, moves=[build, discard])


BABYLON = [
    {"wonder": "Babylon", "side": "B", "stages_built": 2, "coins": 1},
    {"wonder": "Gizah", "side": "A"},
    {"wonder": "Halikarnassos", "side": "B", "cards": ["Foundry"]},
]


def test_babylon_plays_its_seventh_card_as_its_second_move_after_those_of_all(tmp_path: Path) -> None:
    moves = [{"p": 0, "do": "build", "card": "Timber Yard"}, {"p": 0, "do": "discard", "card": "Altar"}]
    after = inspect(tmp_path, cities=BABYLON, moves=moves)["after"]
    assert (after[0]["cards"], after[0]["coins"]) == (["Timber Yard"], 1 - 1 + 3)
    with pytest.raises(UserError, match=r"moves\.2\.do: cannot be paid with 0 coins"):
        inspect(tmp_path, cities=BABYLON, moves=[moves[0], moves[0] | {"card": "Clay Pit"}])


def test_a_seventh_card_is_for_babylon_with_its_second_stage_which_may_be_built_in_this_turn(tmp_path: Path) -> None:
    stage = {"p": 0, "do": "wonder", "card": "Loom", "free": True}
    moves = [stage, {"p": 0, "do": "discard", "card": "Altar"}]
    early = [BABYLON[0] | {"stages_built": 1}, *BABYLON[1:]]
    assert inspect(tmp_path, cities=early, moves=moves)["after"][0]["coins"] == 1 + 3
    file = write(tmp_path, EXAMPLE | {"cities": early, "moves": moves})
    with pytest.raises(UserError, match=r"moves\.2\.p: a city moves twice"):
        inspect_all(file, last_card_in_turn_built=False)
    with pytest.raises(UserError, match=r"moves\.2\.p: a city moves twice"):
        inspect(tmp_path, cities=[BABYLON[0] | {"stages_built": 0}, *BABYLON[1:]], moves=moves)


def test_a_seventh_card_that_babylon_discards_can_be_built_from_the_discards(tmp_path: Path) -> None:
    moves = [
        {"p": 0, "do": "discard", "card": "Loom"},
        {"p": 0, "do": "discard", "card": "Altar"},
        {"p": 2, "do": "wonder", "card": "Press"},
        {"p": 2, "do": "build_from_discard", "card": "Altar"},
    ]
    after = inspect(tmp_path, cities=BABYLON, moves=moves, discards=[])["after"]
    assert after[2]["cards"] == ["Foundry", "Altar"]
    file = write(tmp_path, EXAMPLE | {"cities": BABYLON, "moves": moves, "discards": []})
    with pytest.raises(UserError, match="not among the discards"):
        inspect_all(file, last_card_before_discard_build=False)


# ---- Two players and the Free City ----


def free_city(number: int, move: Mapping[str, object] | None = None, **of_it: Any) -> dict[str, Any]:
    """A position of two players in which this city is the free one, with a move of it."""
    cities: list[dict[str, Any]] = [{"wonder": wonder, "side": "A"} for wonder in ("Gizah", "Rhodos", "Ephesos")]
    cities[number] |= {"free_city": True} | of_it
    moves = {} if move is None else {"moves": [{"p": number, **move}]}
    return {"variant": "free-city", "age": 1, "cities": cities} | moves


def told(position: dict[str, Any], **settings: object) -> dict[str, Any]:
    data = GAME.load(settings)
    return inspect_position(position, data.catalog, data.tables)


def test_the_free_city_is_the_one_that_says_so_and_trades_with_the_players_beside_it() -> None:
    cities: list[dict[str, Any]] = [
        {"wonder": "Gizah", "side": "A", "cards": ["Loom"]},
        {"wonder": "Rhodos", "side": "A"},
        {"wonder": "Ephesos", "side": "A", "cards": ["Press"]},
    ]
    standard = told({"cities": cities})["cities"]
    for number in range(3):
        position: dict[str, Any] = {"variant": "free-city", "cities": [dict(city) for city in cities]}
        position["cities"][number]["free_city"] = True
        found = told(position)["cities"]
        assert [city.pop("free_city", False) for city in found] == [place == number for place in range(3)]
        assert found == standard


def test_a_chain_binds_the_free_city() -> None:
    for number in range(3):
        with pytest.raises(UserError, match=r"moves\.1\.do: the Free City must build Library by its chain .*'discard'"):
            told(free_city(number, {"do": "discard", "card": "Library"}, cards=["Scriptorium"]))
        with pytest.raises(UserError, match="must build Library by its chain"):
            told(free_city(number, {"do": "wonder", "card": "Library", "free": True}, cards=["Scriptorium"]))
        built = told(free_city(number, {"do": "build", "card": "Library"}, cards=["Scriptorium"]))["after"][number]
        assert (built["cards"], built["coins"]) == (["Scriptorium", "Library"], 3)


def test_the_free_city_discards_only_what_it_cannot_use() -> None:
    with pytest.raises(UserError, match=r"can neither build nor put below a stage, unlike Altar .*allowed: build"):
        told(free_city(1, {"do": "discard", "card": "Altar"}))
    with pytest.raises(UserError, match=r"unlike Palace .*allowed: wonder"):
        told(free_city(1, {"do": "discard", "card": "Palace"}, cards=["Sawmill"]))
    assert told(free_city(1, {"do": "discard", "card": "Palace"}))["after"][1]["coins"] == 6
    # Any player discards what he likes.
    assert told(free_city(1) | {"moves": [{"p": 0, "do": "discard", "card": "Altar"}]})["after"][0]["coins"] == 6


def test_what_the_free_city_pays_its_player_is_spent_in_the_same_turn_by_a_setting_alone() -> None:
    position = free_city(1, {"do": "build", "card": "Baths"}) | {"plays_free_city": 0}
    position["cities"][0] |= {"coins": 0}
    position["moves"].insert(0, {"p": 0, "do": "build", "card": "Timber Yard"})
    with pytest.raises(UserError, match=r"moves\.1\.do: cannot be paid with 0 coins"):
        told(position)
    after = told(position, free_city_sales_spendable=True)["after"]
    assert [city["coins"] for city in after] == [1, 1, 3]
    with pytest.raises(UserError, match="cannot be paid with 0 coins"):
        told(position | {"plays_free_city": 2}, free_city_sales_spendable=True)


def test_whether_powers_of_the_free_citys_wonder_are_used_is_a_setting() -> None:
    for power in ("Olympia", "Halikarnassos"):
        build = {"do": "free_build" if power == "Olympia" else "build_from_discard", "card": "Palace"}
        position = free_city(1, build, wonder=power, stages_built=2)
        assert told(position)["after"][1]["cards"] == ["Palace"]
        with pytest.raises(UserError, match=r"no free building|may not build from the discards"):
            told(position, free_city_uses_wonder_powers=False)


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"variant": "standard"}, r"cities\.2\.free_city: no city is free here"),
        ({"variant": "free city"}, "did you mean 'free-city'"),
        ({"plays_free_city": 1}, r"plays_free_city: not a player's city .*found: 1"),
        ({"cities": EXAMPLE["cities"]}, r"field cities: one city is the Free City .*found: 0"),
        ({"cities": EXAMPLE["cities"][:1] * 4}, r"field cities: two players and the Free City .*found: 4"),
        (
            {"variant": "standard", "plays_free_city": 0, "cities": EXAMPLE["cities"]},
            "plays_free_city: no city is free",
        ),
    ],
)
def test_what_a_position_of_two_players_may_not_say(changes: dict[str, Any], says: str) -> None:
    with pytest.raises(UserError, match=says):
        told(free_city(1) | changes)


def test_the_lines_name_the_free_city() -> None:
    assert [line for line in inspect_lines(told(free_city(2))) if line.startswith("City")] == [
        *("City 0", "City 1", "City 2 (Free City)"),
    ]


# ---- In words ----


def test_the_lines_tell_scores_stage_and_prices(tmp_path: Path) -> None:
    result = inspect(tmp_path, moves=[{"p": 0, "do": "build", "card": "Vineyard"}])
    lines = inspect_lines(result)
    assert lines[0] == "City 0"
    assert "  score: 1 (blue 0, military 0, science 0, yellow 0, guild 0, wonder 0, treasury 1)" in lines
    assert "  next stage: none, the wonder is complete" in lines
    assert any(line.startswith("  1 coin (1 bank): ") for line in lines)
    assert "City 0 after the moves" in lines
    assert "  cards: Lumber Yard, Vineyard" in lines
