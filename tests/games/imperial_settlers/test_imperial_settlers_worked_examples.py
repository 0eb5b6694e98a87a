"""The rulebook's worked examples (rules digest, 13), and the example of the format, as positions."""

from __future__ import annotations

from tests.games.imperial_settlers.inspecting import after, held, inspect, move, player, table, things


def test_production_of_the_japanese() -> None:
    seat = player("japanese", deals=["Farm", "Casino"], locations=["Armorer", "Lord's Fields"])
    result = after(table(seat, phase="production"), move("produce"))
    made = {"worker": 5, "wood": 1, "raze": 2, "defence": 1, "gold": 1, "food": 1}
    assert held(result) == made
    forecast = inspect(table(seat))["players"][0]["production"]
    assert {good: number for good, number in forecast.items() if number} == made


def test_a_sentry_tower_is_built_for_a_mill() -> None:
    seat = player("barbarians", goods="2 wood", hand=["Sentry Tower"], locations=["Mill"])
    result = after(table(seat), move("build", card="Sentry Tower", pay="2 wood", discard="Mill"))
    assert held(result) == {"raze": 1, "worker": 1}
    assert result["players"][0]["locations"] == ["Sentry Tower"]
    assert result["discards"] == {"common": ["Mill"]}


def test_a_deal_is_made_with_a_sentry_tower() -> None:
    seat = player("barbarians", goods="1 food", hand=["Sentry Tower"])
    result = after(table(seat), move("deal", card="Sentry Tower", pay="1 food"))
    assert held(result) == {"worker": 1}
    assert result["players"][0]["deals"] == ["Sentry Tower"]


def test_a_wood_storage_is_razed_from_the_hand() -> None:
    seat = player("barbarians", goods="1 raze", hand=["Wood Storage"])
    result = after(table(seat), move("raze", card="Wood Storage"))
    assert held(result) == {"wood": 2}
    assert result["discards"] == {"common": ["Wood Storage"]}


def test_an_opponents_armorer_is_razed() -> None:
    seats = player("barbarians", goods="2 raze"), player("romans", locations=["Armorer"])
    result = after(table(*seats), move("raze", target=1, at="Armorer"))
    assert held(result) == {"stone": 1, "vp": 1}
    assert held(result, 1) == {"wood": 1}
    assert (result["players"][1]["foundations"], result["players"][1]["locations"]) == (1, [])


def test_a_guarded_japanese_location_takes_three_raze_tokens() -> None:
    guarded = player("japanese", locations=[{"card": "Farm", "samurai": True}])
    result = after(table(player("barbarians", goods="3 raze"), guarded), move("raze", target=1, at="Farm"))
    assert held(result) == {"vp": 1}
    owner = result["players"][1]
    assert (held(result, 1), owner["foundations"], owner["discard"]) == ({}, 0, ["Farm"])


def test_eight_workers_are_exchanged_in_one_action() -> None:
    seat = player("japanese", goods="8 worker", deck=["Gate", "Farm"])
    position = table(seat, decks={"common": ["Mill", "Town", "Baker"]})
    result = after(position, move("exchange", for_=["wood", "common", "common", "faction"]))
    assert result["players"][0]["hand"] == ["Mill", "Town", "Gate"]
    assert held(result) == {"wood": 1, "card": 3}
    assert result["to_move"] == 1


def test_the_japanese_keep_food_only() -> None:
    used = [{"card": "Stalls", "used": 1}, {"card": "Casino", "used": 1, "goods": {"worker": 1}}]
    seat = player("japanese", goods="2 food 1 worker", locations=used)
    position = table(seat, phase="cleanup", round=2)
    assert things(inspect(position), "Stalls") == {"used": 1, "goods": {"food": 1}}
    result = after(position, move("cleanup", None))
    assert held(result) == {"food": 2}
    assert result["players"][0]["on"] == {}
    assert (result["round"], result["phase"], result["first"], result["to_move"]) == (3, "lookout", 1, None)


def test_actions_of_the_rulebook() -> None:
    seat = player(
        "barbarians", goods="3 worker 2 stone", locations=["Saboteurs", "Mason's Guild", "Castle"], deck=["Idol"]
    )
    other = player("romans", goods="1 stone", passed=False)
    result = after(
        table(seat, other),
        move("activate", location="Saboteurs", pay="1 worker", take="stone"),
        move("pass", 1),
        move("activate", location="Mason's Guild", pay="1 worker 2 stone"),
        move("activate", location="Castle", pay="1 worker", draw=["faction"]),
    )
    assert held(result) == {"stone": 1, "vp": 3, "card": 1}
    assert result["players"][0]["hand"] == ["Idol"]
    assert held(result, 1) == {}
    assert things(result, "Mason's Guild") == {"used": 1, "goods": {"stone": 2, "worker": 1}}


def test_costs_of_the_rulebook() -> None:
    seat = player("barbarians", goods="3 wood 3 stone", hand=["Wood Storage", "Dark Chapel"], foundations=1)
    assert inspect(table(seat))["legal"]["build"] == {
        "Wood Storage": {"wood": 2, "stone": 1},
        "Dark Chapel": {"wood": 1, "stone": 2, "location": 1},
    }


def test_the_marketplace_is_lost_to_the_virtual_player() -> None:
    commons = ["Carpenter's Workshop", "Marketplace", "Joiner", "Wood Supplier"]
    seat = player("romans", locations=commons)
    solo = {"row": ["worker", "gold"], "deck": ["wood", "food"], "locations": ["Mill", "Town"], "pile": 1}
    result = after(table(seat, solo=solo, phase="attack"), move("attack", None))
    told = result["solo"]
    assert result["players"][0]["locations"] == ["Carpenter's Workshop", "Joiner", "Wood Supplier"]
    assert (told["pile"], told["locations"]) == (1 + 2 + 1, [])
    assert (told["row"], told["deck"]) == (["food", "worker", "gold", "wood"], 0)
    assert (result["phase"], result["round"]) == ("lookout", 2)


def test_the_example_of_the_format() -> None:
    position = {
        "round": 2,
        "first": 0,
        "players": [
            player("egyptians", vp=3, goods="1 wood 1 gold 2 worker", hand=["Town"], locations=["Caravan"]),
            player("romans", goods="1 worker", locations=[{"card": "Hunter Joe", "used": 1}], passed=True),
        ],
        "moves": [move("build", card="Town", pay="1 wood 1 gold"), move("exchange", 1, for_=["wood"])],
    }
    result = inspect(position)
    first, second = result["players"]
    assert held(result) == {"worker": 4, "vp": 3}
    assert first["locations"] == ["Caravan", "Town"]
    produced = {"wood": 0, "stone": 0, "food": 1, "gold": 1, "worker": 6, "raze": 1, "defence": 1, "vp": 0, "card": 0}
    assert first["production"] == produced
    assert first["score"] == {"track": 3, "common": 1, "faction": 2, "cards": 0, "total": 6, "rank": 1}
    assert things(result, "Hunter Joe", 1) == {"used": 1, "goods": {"worker": 1}}
    made = {good: number for good, number in second["production"].items() if number}
    assert made == {"worker": 2, "wood": 1, "stone": 1, "raze": 1, "defence": 1}
    assert result["moves"] == [{"ok": True}, {"ok": False, "reason": "seat 1 has passed"}]
    assert result["legal"] == {"exchange": 2, "pass": True}
