"""Positions: what is laid out where, what is told of it, and how names mean cards."""

from __future__ import annotations

from typing import Any

import pytest

from sim.errors import UserError
from sim.games.imperial_settlers.io.positions import inspect_lines
from tests.games.imperial_settlers.inspecting import after, held, inspect, move, player, refused, table, things

COMMONS, OWN, ATTACKS = 84, 30, 16


def test_what_is_left_out_is_as_the_format_says() -> None:
    result = inspect({"players": [{"faction": "romans"}, {"faction": "Japanese"}]})
    first = result["players"][0]
    assert (result["round"], result["phase"], result["first"], result["to_move"]) == (1, "action", 0, 0)
    assert (result["decks"], result["discards"], result["solo"]) == ({"common": COMMONS}, {"common": []}, None)
    assert (first["vp"], first["deck"], first["passed"], first["on"], first["pack"]) == (0, OWN, False, {}, [])
    assert first["goods"] == dict.fromkeys(("wood", "stone", "food", "gold", "worker", "raze", "defence"), 0)
    assert result["players"][1]["faction"] == "japanese"
    assert result["legal"] == {"pass": True}


def test_decks_hold_what_is_named_nowhere_else() -> None:
    seat = player("japanese", hand=["Mill", "Farm"], locations=["Gate", "Town"], deals=["Casino"], discard=["Dojo"])
    other = player("romans", deals=["Farm"], foundations=3)
    result = inspect(table(seat, other, discards={"common": ["Baker", "Ruins"]}))
    assert result["decks"] == {"common": COMMONS - 4}
    assert [each["deck"] for each in result["players"]] == [OWN - 5, OWN]
    assert result["discards"] == {"common": ["Baker", "Ruins"]}


def test_cards_of_moves_lie_where_they_lay() -> None:
    position = table(player("romans", goods="2 wood 2 stone"), decks={"common": []})
    assert refused(position, move("build", card="Town")) == "Town is not in the hand"


def test_decks_are_given_top_first() -> None:
    seat = player("romans", goods="4 worker", deck=["Legion", "Spies"])
    result = after(table(seat, decks={"common": ["Mill", "Town"]}), move("exchange", for_=["common", "faction"]))
    assert result["players"][0]["hand"] == ["Mill", "Legion"]
    assert (result["decks"], result["players"][0]["deck"]) == ({"common": 1}, 1)


def test_the_common_discards_are_shuffled_when_the_deck_is_used_up() -> None:
    seat = player("romans", goods="4 worker", deck=[], discard=["Legion"])
    position = table(seat, decks={"common": []}, discards={"common": ["Mill"]})
    result = after(position, move("exchange", for_=["common"]))
    assert (result["players"][0]["hand"], result["discards"]) == (["Mill"], {"common": []})
    assert "faction deck" in refused(position, move("exchange", for_=["faction"]))


def test_cards_without_a_name_are_never_seen() -> None:
    gate = {"card": "Gate", "tucked": 2}
    seat = player(
        "japanese", goods="9 wood 9 stone", hand=["Casino", "Stalls"], locations=[gate, "Farm"], foundations=1
    )
    position = table({**seat, "deals": [{"card": "Legion", "of": 1}]}, player("romans", locations=["Legion"]))
    given_up = after(position, move("build", card="Casino", discard="foundation"))
    assert (given_up["players"][0]["foundations"], given_up["discards"]) == (0, {"common": []})
    lost = after(position, move("build", card="Stalls", discard="Gate"))
    assert (lost["players"][0]["discard"], lost["discards"]) == (["Gate"], {"common": []})
    razed = after(
        table(
            player("barbarians", goods="2 raze"), player("romans", goods="1 food", hand=["Legion"], locations=["Mill"])
        ),
        move("raze", target=1, at="Mill"),
        move("build", 1, card="Legion", discard="foundation"),
    )
    assert razed["discards"] == {"common": ["Mill"]}


def test_a_print_with_other_values_is_named_by_its_code() -> None:
    seat = player("romans", goods="2 stone", hand=["Castle", "COM048"])
    position = table(seat)
    assert inspect(position)["players"][0]["hand"] == ["Castle", "Castle"]
    assert inspect(position)["legal"]["build"] == {"Castle": {"stone": 2}}
    assert "1 wood" in refused(position, move("build", card="COM046"))
    assert after(position, move("build", card="COM048"))["players"][0]["locations"] == ["Castle"]
    both = table({**seat, "goods": {"wood": 1, "stone": 2}})
    assert inspect(both)["legal"]["build"] == {"Castle": {"wood": 1, "stone": 1}}
    with pytest.raises(UserError, match="all 2 cards lie elsewhere"):
        inspect(table(player("romans", hand=["Castle", "Castle", "Castle"])))


def test_numbers_tell_locations_of_one_name_apart() -> None:
    castles = [{"card": "Castle", "used": 2}, "Mill", {"card": "COM048", "defence": True}, "Castle"]
    seat = player("romans", goods="1 worker", locations=castles)
    result = inspect(table(seat))
    assert (things(result, "Castle")["used"], things(result, "Castle#2")) == (2, {"defence": True})
    assert result["legal"]["activate"] == {"Castle#2": 1, "Castle#3": 1}
    used = after(table(seat), move("activate", location="COM048"))
    assert things(used, "Castle#2")["used"] == 1
    assert "no location" in refused(table(seat), move("activate", location="Castle#4"))


def test_goods_on_a_used_location_are_its_cost_unless_said_otherwise() -> None:
    locations = [{"card": "Castle", "used": 2}, {"card": "Mason's Guild", "used": 1, "goods": {"worker": 1, "gold": 2}}]
    result = inspect(table(player("romans", locations=[*locations, {"card": "Tavern", "used": 1}])))
    assert things(result, "Castle") == {"used": 2, "goods": {"worker": 2}}
    assert things(result, "Mason's Guild") == {"used": 1, "goods": {"worker": 1, "gold": 2}}
    assert result["players"][0]["on"]["Tavern"] == {"used": 1}


def test_ranks_are_by_points_then_by_what_is_left() -> None:
    def ranks(*players: dict[str, Any]) -> list[int]:
        return [each["score"]["rank"] for each in inspect(table(*players))["players"]]

    assert ranks(player("romans", vp=3), player("japanese", vp=5)) == [2, 1]
    assert ranks(player("romans", vp=3, goods="1 food"), player("japanese", vp=3, goods="5 gold 5 raze")) == [1, 2]
    assert ranks(player("romans", vp=3, hand=["Mill"]), player("japanese", vp=3)) == [1, 2]
    level = player("romans", vp=3), player("japanese", vp=3), player("barbarians", vp=1)
    assert ranks(*level) == [1, 1, 3]
    scored = inspect(table(player("romans", vp=4, locations=["Mill", "Legion", "Legion"], foundations=2)))
    assert scored["players"][0]["score"] == {"track": 4, "common": 1, "faction": 4, "cards": 0, "total": 9, "rank": 1}


def test_a_shrine_scores_by_what_lies_on_it() -> None:
    def points(number: int) -> int:
        shrine = {"card": "Shrine", "banked": {"wood": number}}
        return int(inspect(table(player("japanese", locations=[shrine])))["players"][0]["score"]["cards"])

    assert [points(number) for number in (0, 2, 3, 6, 7, 11, 12, 20)] == [0, 0, 2, 2, 5, 5, 10, 10]


def test_the_forecast_does_not_hang_on_decks() -> None:
    seat = player("romans", locations=["Watchtower", "Architect", "Legion"], deals=["Spies"], deck=[])
    position = table(seat, decks={"common": []})
    assert inspect(position)["players"][0]["production"]["card"] == 4
    assert held(inspect(position)) == {}


def test_all_who_have_passed_end_the_action_phase() -> None:
    seats = player("romans", passed=True), player("japanese", passed=True)
    assert inspect(table(*seats))["phase"] == "cleanup"
    assert inspect(table(*seats, round=5))["phase"] == "end"
    assert after(table(*seats), move("cleanup", None))["phase"] == "lookout"


def test_one_player_alone_plays_the_solo_game() -> None:
    result = inspect({"players": [{"faction": "romans"}]})
    none = {"row": [], "deck": ATTACKS, "locations": [], "pile": 0, "won": False, "title": None}
    assert result["solo"] == none
    named = {"row": ["wood", "wood"], "deck": ["wood"], "locations": ["Mill"], "pile": 3}
    solo = inspect(table(player("romans"), solo=named))["solo"]
    assert (solo["row"], solo["deck"], solo["locations"], solo["pile"]) == (["wood", "wood"], 1, ["Mill"], 3)
    with pytest.raises(UserError, match=r"solo\.deck\.2"):
        inspect(table(player("romans"), solo={"row": ["wood", "wood"], "deck": ["wood", "wood"]}))
    with pytest.raises(UserError, match="no attack card has this target"):
        inspect(table(player("romans"), solo={"row": ["raze"]}))
    with pytest.raises(UserError, match="a card of the Romans does not lie here"):
        inspect(table(player("romans"), solo={"locations": ["Legion"]}))


def test_a_solo_position_is_told_in_lines() -> None:
    solo = inspect_lines(
        inspect(table(player("romans", goods="2 raze"), solo={"row": ["gold"], "locations": ["Mill"]}))
    )
    assert "  raze of the virtual player: Mill (2 raze)" in solo
    assert "Virtual player: row gold; locations Mill" in solo
