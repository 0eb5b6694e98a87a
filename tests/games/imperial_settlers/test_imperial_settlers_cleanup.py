"""Cleanup: what each empire stores, what is discarded, and who begins the next round."""

from __future__ import annotations

from typing import Any

import pytest

from tests.games.imperial_settlers.inspecting import after, held, inspect, move, player, refused, table, things

EVERYTHING = "1 wood 2 stone 3 food 4 gold 5 worker 6 raze 1 defence"
CLEANUP = move("cleanup", None)


def cleaned(*players: dict[str, Any], **keys: Any) -> dict[str, Any]:
    """Result of a position after its cleanup."""
    return after(table(*players, **{"phase": "cleanup", **keys}), CLEANUP)


@pytest.mark.parametrize(
    ("faction", "kept"),
    [("barbarians", {"worker": 5}), ("japanese", {"food": 3}), ("romans", {"raze": 6}), ("egyptians", {"gold": 4})],
)
def test_an_empire_keeps_any_number_of_its_own_good(faction: str, kept: dict[str, int]) -> None:
    assert held(cleaned(player(faction, goods=EVERYTHING))) == kept


def test_warehouses_keep_resources_besides() -> None:
    result = cleaned(player("romans", goods=EVERYTHING, locations=["Warehouses"]))
    assert held(result) == {"raze": 6, "wood": 1, "stone": 2, "food": 3}


def test_warehouses_of_others_keep_nothing() -> None:
    result = cleaned(player("romans", locations=["Warehouses"]), player("egyptians", goods=EVERYTHING))
    assert held(result, 1) == {"gold": 4}


def test_goods_and_defence_tokens_on_locations_go_and_all_else_stays() -> None:
    locations = [
        {"card": "Stalls", "used": 2, "goods": {"food": 2}, "samurai": True},
        {"card": "Mill", "defence": True},
        {"card": "Gate", "tucked": 3},
        {"card": "Shrine", "banked": {"stone": 4}},
    ]
    seat = player("japanese", locations=locations, hand=["Town"], deals=["Farm"], foundations=2)
    result = cleaned(seat)
    mine = result["players"][0]
    assert set(mine["on"]) == {"Stalls", "Gate", "Shrine"}
    assert things(result, "Stalls") == {"samurai": True}
    assert mine["on"]["Gate"]["tucked"] == 3
    assert mine["on"]["Shrine"]["banked"]["stone"] == 4
    assert (mine["hand"], mine["deals"], mine["foundations"]) == (["Town"], ["Farm"], 2)


def test_locations_can_be_used_anew() -> None:
    oasis = {"card": "Oasis", "gained": 4}
    result = cleaned(player("egyptians", locations=[oasis, {"card": "Goldsmith", "blocked": True, "used": 1}]))
    assert result["players"][0]["on"] == {}


def test_a_controlled_location_works_for_its_owner_again() -> None:
    mill = {"card": "Mill", "controlled_by": 0}
    result = cleaned(player("egyptians", locations=["Temple of Ra"]), player("romans", locations=[mill]))
    assert result["players"][1]["on"] == {}


def test_the_token_of_the_first_player_goes_to_the_left_and_the_round_on() -> None:
    factions = ("barbarians", "japanese", "romans")
    seats = [player(faction, passed=True) for faction in factions]
    for first in range(3):
        result = cleaned(*seats, first=first, round=4)
        assert (result["first"], result["round"], result["phase"]) == ((first + 1) % 3, 5, "lookout")
        assert not any(one["passed"] for one in result["players"])


def test_there_is_no_cleanup_in_the_last_round() -> None:
    seats = player("romans", goods="3 wood"), player("japanese", passed=True)
    result = after(table(*seats, round=5), move("pass"))
    assert (result["phase"], held(result)) == ("end", {"wood": 3})
    assert refused(table(*seats, round=5), CLEANUP, move("pass"))


def test_the_solo_game_goes_on_with_the_attack_of_the_same_round() -> None:
    result = cleaned(player("romans", goods="2 raze 1 wood"), solo={"locations": ["Mill"]}, round=2)
    assert (result["phase"], result["round"], held(result)) == ("attack", 2, {"raze": 2})
    assert inspect(table(player("romans"), solo={}, round=2))["phase"] == "action"


def test_the_last_round_has_no_cleanup() -> None:
    position = table(player("romans"), player("egyptians"), phase="cleanup", round=5)
    assert "no cleanup" in refused(position, CLEANUP)
