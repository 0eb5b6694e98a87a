"""Moves of a position: each kind made and refused, phase by phase."""

from __future__ import annotations

from typing import Any

import pytest

from tests.games.imperial_settlers.inspecting import after, held, inspect, move, player, refused, table, things

ROW3 = ["Mill", "Town", "Baker", "Canteen"]


def names(result: dict[str, Any], seat: int = 0, pile: str = "hand") -> list[str]:
    return list(result["players"][seat][pile])


# ---- Setup and lookout ----


def test_set_up_draws_from_the_tops_of_the_decks_in_turn_order() -> None:
    seats = [
        player(name, deck=cards) for name, cards in (("romans", ["Legion", "Spies"]), ("japanese", ["Farm", "Gate"]))
    ]
    position = table(*seats, phase="setup", first=1, decks={"common": ["Mill", "Town", "Baker", "Canteen", "Tavern"]})
    result = after(position, move("begin", None))
    assert names(result, 1) == ["Mill", "Town", "Farm", "Gate"]
    assert names(result, 0) == ["Baker", "Canteen", "Legion", "Spies"]
    assert (result["phase"], result["to_move"], result["decks"]) == ("lookout", None, {"common": 1})


def test_the_standard_lookout_goes_there_and_back() -> None:
    seats = [player(name) for name in ("romans", "japanese", "barbarians")]
    commons = [*ROW3, "Tavern", "Statue", "Gallows", "Monument"]
    position = table(*seats, phase="lookout", first=1, decks={"common": commons})
    begun = after(position, move("begin", None))
    assert (begun["row"], begun["to_move"], [len(each["hand"]) for each in begun["players"]]) == (ROW3, 1, [1, 1, 1])
    first = [move("take", 1, card="Baker"), move("take", 2, card="Mill"), move("take", 0, card="Town")]
    half = after(position, move("begin", None), *first)
    assert (half["row"], half["to_move"]) == (["Tavern", "Statue", "Gallows", "Monument"], 0)
    assert half["discards"] == {"common": ["Canteen"]}
    second = [move("take", 0, card="Statue"), move("take", 2, card="Gallows"), move("take", 1, card="Tavern")]
    result = after(position, move("begin", None), *first, *second)
    assert (result["phase"], result["to_move"], result["row"]) == ("production", 1, [])
    assert result["discards"] == {"common": ["Monument", "Canteen"]}
    assert names(result, 1)[1:] == ["Baker", "Tavern"]


def test_a_row_tells_whose_pick_it_is() -> None:
    seats = [player(name) for name in ("romans", "japanese", "barbarians")]
    for row, told, expected in ((4, None, 0), (3, None, 1), (3, 2, 2), (2, 2, 2), (4, 2, 2)):
        position = table(*seats, phase="lookout", row=ROW3[:row])
        position |= {} if told is None else {"to_move": told}
        assert inspect(position)["to_move"] == expected
    back = table(*seats, phase="lookout", row=ROW3[:2], to_move=0, decks={"common": []})
    result = after(back, move("take", card="Mill"))
    assert (result["phase"], result["discards"]) == ("production", {"common": ["Town"]})


@pytest.mark.parametrize(
    ("count", "sizes"),
    [(2, [5, 4, 3, 2]), (3, [5, 4, 4, 3, 3, 2]), (4, [5, 4, 4, 4, 3, 3, 3, 2])],
)
def test_the_advanced_lookout_reveals_cards_as_they_are_due(count: int, sizes: list[int]) -> None:
    seats = [player(name) for name in ("romans", "japanese", "barbarians", "egyptians")[:count]]
    position = table(*seats, phase="lookout", lookout="advanced")
    moves = [move("begin", None)]
    for number, size in enumerate(sizes):
        result = after(position, *moves)
        assert (len(result["row"]), result["to_move"]) == (size, number % count)
        moves.append(move("take", number % count, card=result["row"][0]))
    assert after(position, *moves)["phase"] == "production"


def test_the_alternative_lookout_passes_packs_to_the_left() -> None:
    seats = [player(name) for name in ("romans", "japanese")]
    commons = ["Mill", "Town", "Baker", "Canteen", "Tavern", "Statue"]
    position = table(*seats, phase="lookout", lookout="alternative", decks={"common": commons})
    begin = move("begin", None)
    begun = after(position, begin)
    assert (names(begun, 0, "pack"), names(begun, 1, "pack")) == (commons[:3], commons[3:])
    assert (begun["row"], begun["to_move"]) == ([], None)
    early = [begin, move("take", 1, card="Statue")]
    assert "has picked" in refused(position, move("take", 1, card="Tavern"), *early)
    assert "Canteen is not in the pack" in refused(position, move("take", 0, card="Canteen"), *early)
    passed = after(position, *early, move("take", 0, card="Town"))
    assert (names(passed, 0, "pack"), names(passed, 1, "pack")) == (["Canteen", "Tavern"], ["Mill", "Baker"])
    last = [move("take", 0, card="Tavern"), move("take", 1, card="Baker")]
    result = after(position, *early, move("take", 0, card="Town"), *last)
    assert (names(result, 0)[1:], names(result, 1)[1:]) == (["Town", "Tavern"], ["Statue", "Baker"])
    assert (result["phase"], sorted(result["discards"]["common"])) == ("production", ["Canteen", "Mill"])


def test_the_peaceful_variant_draws_a_common_card_too() -> None:
    result = after(table(player("romans"), phase="lookout", peaceful=True), move("begin", None))
    assert [len(each["hand"]) for each in result["players"]] == [2, 2]


def test_picks_out_of_turn_or_not_in_the_row_are_refused() -> None:
    position = table(player("romans"), phase="lookout", row=["Mill", "Town", "Baker"])
    assert refused(position, move("take", 1, card="Mill")) == "it is the turn of seat 0"
    assert refused(position, move("take", card="Statue")) == "Statue is not in the row"
    assert refused(position, move("begin", None)) == "the lookout phase has begun"
    waiting = table(player("romans"), phase="lookout")
    assert refused(waiting, move("take", card="Mill")) == "it is nobody's turn"
    assert "lookout phase" in refused(table(player("romans")), move("take", card="Mill"))
    assert "lookout phase" in refused(table(player("romans")), move("begin", None))


# ---- Production ----


def test_production_goes_in_turn_order() -> None:
    position = table(player("romans"), player("barbarians"), phase="production", first=1)
    assert inspect(position)["to_move"] == 1
    assert refused(position, move("produce", 0)) == "it is the turn of seat 1"
    half = after(position, move("produce", 1))
    assert (half["phase"], half["to_move"], held(half)) == ("production", 0, {})
    result = after(position, move("produce", 1), move("produce", 0))
    assert (result["phase"], result["to_move"]) == ("action", 1)
    assert held(result, 1) == {"worker": 5, "raze": 1, "defence": 1}
    late = table(player("romans"), player("barbarians"), phase="production", to_move=1)
    assert after(late, move("produce", 1))["phase"] == "action"


def test_decisions_of_production_stand_under_choices() -> None:
    seat = player(
        "romans",
        locations=["Watchtower", "Watchtower", "Legion"],
        deals=["Spies", "Architect"],
        deck=["Gardens", "Legion"],
    )
    position = table(seat, phase="production", decks={"common": ["Mill", "Town", "Baker"]})
    choices = {"deals": {"draw": ["faction", "common"]}, "Watchtower#2": {"draw": ["faction"]}}
    result = after(position, move("produce", choices=choices))
    assert names(result) == ["Gardens", "Mill", "Town", "Legion", "Baker"]
    more = {**choices, "deals": {"draw": ["faction", "common", "common"]}, "Idol": {"take": "vp"}}
    assert names(after(position, move("produce", choices=more))) == names(result)


# ---- Actions ----


def test_turns_go_round_until_all_have_passed() -> None:
    seats = [player(name, goods="2 worker") for name in ("romans", "japanese", "barbarians")]
    position = table(*seats, first=2)
    assert refused(position, move("pass", 0)) == "it is the turn of seat 2"
    moves = [move("pass", 2), move("exchange", 0, for_=["wood"]), move("pass", 1), move("pass", 0)]
    assert after(position, *moves[:1])["to_move"] == 0
    assert after(position, *moves[:3])["to_move"] == 0
    assert refused(position, move("exchange", 2, for_=["wood"]), *moves[:1]) == "seat 2 has passed"
    result = after(position, *moves)
    assert (result["phase"], result["to_move"], result["legal"]) == ("cleanup", None, None)
    last = after({**position, "round": 5}, *moves)
    assert (last["phase"], last["round"], last["to_move"]) == ("end", 5, None)
    assert refused({**position, "round": 5}, move("cleanup", None), *moves).startswith("this is done in the cleanup")


def test_those_who_have_passed_cannot_be_aimed_at() -> None:
    seat = player("barbarians", goods="2 raze 1 worker", locations=["Saboteurs"])
    passed = player("romans", goods="1 wood", locations=["Mill"], passed=True)
    position = table(seat, passed, player("japanese", goods="1 wood"))
    assert refused(position, move("raze", target=1, at="Mill")) == "seat 1 has passed"
    assert refused(position, move("activate", location="Saboteurs", target=1)) == "seat 1 has passed"
    assert set(inspect(position)["legal"]) == {"activate", "pass"}


@pytest.mark.parametrize(
    ("seat", "wrong", "reason"),
    [
        (player("romans", hand=["Town"]), move("build", card="Mill"), "Mill is not in the hand"),
        (
            player("romans", goods="1 wood", hand=["Town"]),
            move("build", card="Town"),
            "not enough goods: 1 stone is missing",
        ),
        (
            player("romans", goods="1 gold", hand=["Baker"]),
            move("build", card="Baker"),
            "not enough goods: 1 wood, 1 stone are missing",
        ),
        (
            player("romans", goods="1 food", hand=["Legion"]),
            move("build", card="Legion"),
            "Legion costs a location, and there is none to discard, nor a foundation",
        ),
        (
            player("romans", goods="1 food", hand=["Legion"], locations=["Mill", "Town"]),
            move("build", card="Legion"),
            "Legion: what is discarded is not given, and there are several ways: Mill, Town",
        ),
        (
            player("romans", goods="1 food", hand=["Legion"], locations=["Mill", "Town"]),
            move("build", card="Legion", discard="Baker"),
            "Baker is no location that can be discarded",
        ),
        (
            player("romans", goods="1 food", hand=["Legion"], locations=["Mill", "Town"]),
            move("build", card="Legion", discard="foundation"),
            "there is no foundation to discard",
        ),
        (
            player("romans", goods="1 wood", hand=["Village"], locations=["Mill"]),
            move("build", card="Village", discard="Mill"),
            "Village costs no location",
        ),
        (
            player("romans", goods="1 wood 1 stone", hand=["Village"]),
            move("build", card="Village", pay="1 stone"),
            "the move: the price is 1 wood",
        ),
        (
            player("romans", goods="1 wood 1 gold", hand=["Village"]),
            move("build", card="Village", pay="1 wood 1 gold"),
            "Village cannot be paid with 1 wood, 1 gold",
        ),
        (player("romans", goods="1 food", hand=["Mill"]), move("deal", card="Mill"), "Mill has no deal field"),
        (player("romans", hand=["Spies"]), move("deal", card="Spies"), "not enough goods: 1 food is missing"),
        (player("romans", hand=["Mill"]), move("raze", card="Mill"), "not enough goods: 1 raze is missing"),
        (player("romans", goods="1 raze", hand=["Spies"]), move("raze", card="Spies"), "Spies cannot be razed"),
        (player("romans", locations=["Mill"]), move("activate", location="Mill"), "Mill is no action location"),
        (player("romans"), move("activate", location="Castle"), "Castle is no location of seat 0"),
        (
            player("romans", locations=["Castle"]),
            move("activate", location="Castle"),
            "not enough goods: 1 worker is missing",
        ),
        (
            player("romans", goods="2 worker", locations=["Hunter Joe"]),
            move("activate", location="Hunter Joe", times=2),
            "Hunter Joe cannot be used 2 times any more in this round",
        ),
        (
            player("romans", goods="2 worker", locations=[{"card": "Hunter Joe", "used": 1}]),
            move("activate", location="Hunter Joe"),
            "Hunter Joe has been used in this round",
        ),
        (
            player("romans", goods="2 worker", locations=["Castle"]),
            move("activate", location="Castle", pay="2 worker"),
            "the move: the price is 1 worker",
        ),
        (
            player("romans", goods="3 worker"),
            move("exchange", for_=["wood", "wood"]),
            "not enough goods: 1 worker is missing",
        ),
        (
            player("romans", goods="3 worker", deck=[]),
            move("exchange", for_=["faction"]),
            "the faction deck has no card to draw",
        ),
        (
            player("romans", goods="1 defence", locations=["Spies"]),
            move("defend", location="Spies"),
            "Spies is no common location",
        ),
        (player("romans", locations=["Mill"]), move("defend", location="Mill"), "there is no defence token to place"),
        (
            player("romans", goods="1 worker", locations=["Spies"]),
            move("samurai", location="Spies"),
            "the Romans have no samurai",
        ),
        (
            player("japanese", goods="1 worker", locations=["Mill"]),
            move("samurai", location="Mill"),
            "Mill is no faction location",
        ),
        (
            player("japanese", locations=["Farm"]),
            move("samurai", location="Farm"),
            "not enough goods: 1 worker is missing",
        ),
        (player("japanese", hand=["Mill"]), move("tuck", cards=["Mill"]), "there is no Gate"),
        (
            player("japanese", hand=["Mill"], locations=["Gate"]),
            move("tuck", cards=["Mill", "Town"]),
            "Town is not in the hand",
        ),
        (player("japanese", goods="1 wood"), move("bank", goods="1 wood"), "there is no Shrine"),
        (player("romans"), move("raze", target=0, at="Mill"), "own locations are not razed by the action"),
        (player("romans"), move("raze", target=1, at="Mill"), "Mill is no location of seat 1"),
        (player("romans"), move("raze", target="virtual", at="Mill"), "there is no virtual player"),
        (player("romans"), move("cleanup", None), "this is done in the cleanup phase, and this is the action phase"),
    ],
)
def test_a_move_against_the_rules_is_refused_with_its_reason(
    seat: dict[str, Any], wrong: dict[str, Any], reason: str
) -> None:
    assert refused(table(seat), wrong) == reason


def test_gold_stands_for_what_is_missing_unless_said_otherwise() -> None:
    seat = player("romans", goods="2 wood 1 stone 2 gold", hand=["Baker", "Town", "Spies"])
    position = table(seat)
    assert held(after(position, move("build", card="Town"))) == {"wood": 1, "gold": 2, "worker": 2, "card": 2}
    gold = after(position, move("build", card="Town", pay="1 wood 1 gold"))
    assert held(gold) == {"wood": 1, "stone": 1, "gold": 1, "worker": 2, "card": 2}
    assert held(after(position, move("deal", card="Spies", draw=["common"]))) == {
        "wood": 2, "stone": 1, "gold": 1, "card": 3,
    }  # fmt: skip
    assert inspect(position)["legal"]["build"]["Baker"] == {"wood": 2, "stone": 1}
    assert inspect(position)["legal"]["deal"] == ["Spies"]


def test_a_twice_card_is_used_twice_in_one_action_or_in_two() -> None:
    seat = player("romans", goods="3 worker 1 gold", locations=["Castle", "Castle"], deck=["Legion", "Spies"])
    position = table(seat, decks={"common": ["Mill"]})
    each = [{"pay": {"worker": 1}, "draw": ["faction"]}, {"draw": ["common"]}]
    result = after(position, move("activate", location="Castle#2", times=2, each=each))
    assert (names(result), things(result, "Castle#2")) == (["Legion", "Mill"], {"used": 2, "goods": {"worker": 2}})
    assert inspect(position)["legal"]["activate"] == {"Castle": 2, "Castle#2": 2}
    once = [move("activate", location="Castle", draw=["faction"]), move("pass", 1)]
    told = after(position, *once)
    assert told["legal"]["activate"] == {"Castle": 1, "Castle#2": 2}


@pytest.mark.parametrize("pay", [{"worker": 1}, {"worker": 2}])
def test_what_two_uses_pay_stands_in_each_and_nowhere_else(pay: dict[str, int]) -> None:
    position = table(player("romans", goods="2 worker", locations=["Castle"]))
    assert refused(position, move("activate", location="Castle", times=2, pay=pay)) == (
        "with `times` 2 what each use pays stands in `each`"
    )
    each = [{"pay": {"worker": 1}}, {"pay": {"worker": 1}}]
    assert after(position, move("activate", location="Castle", times=2, each=each))["moves"] == [{"ok": True}]


def test_razing_an_opponent_takes_tokens_for_its_protection() -> None:
    seat = player("barbarians", goods="3 raze")
    other = player("romans", locations=["Mill", {"card": "Mill", "defence": True}, "Legion"])
    position = table(seat, {**other, "locations": [{"card": "Tavern", "defence": True}, "Mill", "Legion"]})
    assert inspect(position)["legal"]["raze"] == {"1": {"Tavern": 3, "Mill": 2}}
    result = after(
        {**position, "decks": {"common": ["Town", "Baker"]}},
        move("raze", target=1, at="Tavern", draw=["common", "common"]),
    )
    assert (names(result), held(result, 1)) == (["Town", "Baker"], {"wood": 1})
    few = table(player("barbarians", goods="2 raze"), position["players"][1])
    assert refused(few, move("raze", target=1, at="Tavern")) == "not enough goods: 1 raze is missing"
    assert refused(position, move("raze", target=1, at="Legion")) == "Legion cannot be razed"
    peace = {**position, "peaceful": True}
    assert "peaceful" in refused(peace, move("raze", target=1, at="Mill"))
    assert "raze" not in inspect(peace)["legal"]


def test_free_steps_leave_the_turn_where_it_is() -> None:
    seat = player("japanese", goods="1 defence 2 worker", locations=["Mill", "Farm", "Farm"])
    position = table(seat)
    legal = inspect(position)["legal"]
    assert (legal["defend"], legal["samurai"]) == (["Mill"], ["Farm", "Farm#2"])
    result = after(position, move("defend", location="Mill"), move("samurai", location="Farm#2"), move("pass"))
    assert (things(result, "Mill"), things(result, "Farm#2"), held(result)) == (
        {"defence": True}, {"samurai": True}, {"worker": 1},
    )  # fmt: skip
    assert result["to_move"] == 1
    assert "already" in refused(position, move("samurai", location="Farm"), move("samurai", location="Farm"))


# ---- Cleanup ----


def test_cleanup_leaves_what_stays() -> None:
    locations = [
        {"card": "Shrine", "banked": {"wood": 1}, "samurai": True},
        {"card": "Gate", "tucked": 1},
        {"card": "Mill", "defence": True},
        {"card": "Castle", "used": 1, "blocked": True},
    ]
    seat = player("japanese", goods="1 wood 2 food", hand=["Town"], locations=locations, deals=["Farm"], foundations=2)
    result = after(table(seat, phase="cleanup", round=4, first=1), move("cleanup", None))
    told = result["players"][0]
    assert (told["hand"], told["deals"], told["foundations"], held(result)) == (
        ["Town"],
        ["Farm"],
        2,
        {"food": 2, "card": 1},
    )
    assert (things(result, "Shrine"), things(result, "Gate")) == (
        {"banked": {"wood": 1}, "samurai": True},
        {"tucked": 1},
    )
    assert set(told["on"]) == {"Shrine", "Gate"}
    assert (result["round"], result["first"]) == (5, 0)


# ---- Solo ----


def test_the_lookout_of_a_solo_game() -> None:
    deck = ["Mill", "Town", "Baker", "Canteen"]
    position = table(player("romans", deck=["Spies"]), solo={"row": ["wood"]}, phase="lookout", decks={"common": deck})
    begin, first = move("begin", None), move("take", card="Town")
    begun = after(position, begin)
    assert (begun["row"], begun["to_move"], names(begun)) == (deck, 0, ["Spies"])
    due = after(position, begin, first)
    assert (due["row"], due["to_move"]) == (["Mill", "Baker", "Canteen"], None)
    assert refused(position, move("take", card="Mill"), begin, first) == "it is nobody's turn"
    chance = move("random", None, card="Canteen")
    result = after(position, begin, first, chance, move("take", card="Mill"))
    assert (result["solo"]["locations"], names(result)) == (["Canteen", "Baker"], ["Spies", "Town", "Mill"])
    assert (result["phase"], result["row"]) == ("production", [])
    assert "by chance" in refused(position, chance, begin)
    assert "not in the row" in refused(position, move("random", None, card="Town"), begin, first)
    midway = table(player("romans"), solo={}, phase="lookout", row=["Mill", "Town", "Baker"])
    assert inspect(midway)["to_move"] is None


def test_set_up_of_a_solo_game_reveals_an_attack_card() -> None:
    result = after(table(player("romans"), solo={"deck": ["gold", "wood"]}, phase="setup"), move("begin", None))
    assert (result["solo"]["row"], result["solo"]["deck"], len(names(result))) == (["gold"], 1, 4)


def test_what_is_the_virtual_players_can_be_aimed_at() -> None:
    solo = {"row": ["gold", "wood"], "locations": ["Armorer", "Mill"]}
    seat = player("romans", goods="2 raze 2 worker", locations=["Engineers", "Spies"])
    position = table(seat, solo=solo)
    assert inspect(position)["legal"]["raze"] == {"virtual": {"Armorer": 2, "Mill": 2}}
    razed = after(position, move("raze", target="virtual", at="Armorer"))
    assert (held(razed), razed["solo"]["locations"]) == ({"worker": 2, "stone": 1, "vp": 1}, ["Mill"])
    assert (razed["discards"], razed["solo"]["pile"]) == ({"common": ["Armorer"]}, 0)
    spied = after(position, move("activate", location="Spies", target="virtual", deal="gold"))
    assert (spied["players"][0]["deals"], spied["solo"]["row"]) == (["gold"], ["wood"])
    assert held(spied) == {"raze": 2, "worker": 1, "gold": 1, "vp": 1}
    alike = table(seat, solo={"row": ["gold", "wood", "gold"]})
    newest = after(alike, move("activate", location="Spies", deal="gold"))
    assert newest["solo"]["row"] == ["wood", "gold"]
    gone = after(position, move("activate", location="Engineers", at="Mill"))
    assert gone["solo"]["locations"] == ["Armorer"]
    assert refused(position, move("raze", target=1, at="Mill")) == "there is no seat 1"


def test_the_choice_between_locations_that_are_alike_is_given() -> None:
    seat = player("romans", locations=["Joiner", "Lumberjacks", "New Forest", "Mill"])
    solo = {"row": ["wood", "food"], "deck": ["wood", "stone"]}
    position = table(seat, solo=solo, phase="attack")
    result = after(position, move("attack", None, loses="Lumberjacks"))
    assert names(result, pile="locations") == ["Joiner", "New Forest", "Mill"]
    single = table(player("romans", locations=["Old Forest", "Mill"]), solo=solo, phase="attack")
    assert names(after(single, move("attack", None)), pile="locations") == ["Mill"]
    assert "does not take" in refused(single, move("attack", None, loses="Mill"))


def test_the_attack_comes_after_cleanup_and_in_the_last_round() -> None:
    position = table(player("romans", goods="1 raze 1 wood"), solo={"locations": ["Mill", "Town"]}, round=3)
    passed = after(position, move("pass"))
    assert passed["phase"] == "cleanup"
    cleaned = after(position, move("pass"), move("cleanup", None))
    assert (cleaned["phase"], cleaned["round"], held(cleaned)) == ("attack", 3, {"raze": 1})
    attacked = after(position, move("pass"), move("cleanup", None), move("attack", None))
    assert (attacked["phase"], attacked["round"], attacked["solo"]["pile"]) == ("lookout", 4, 2)
    last = {**position, "round": 5}
    assert after(last, move("pass"))["phase"] == "attack"
    ended = after(last, move("pass"), move("attack", None))
    assert (ended["phase"], ended["round"]) == ("end", 5)


@pytest.mark.parametrize(
    ("vp", "pile", "won", "title"),
    [(28, 0, True, "servant"), (27, 0, True, "commoner"), (90, 1, False, None), (78, 0, True, "emperor")],
)
def test_a_solo_game_is_won_by_more_faction_locations(vp: int, pile: int, won: bool, title: str | None) -> None:
    seat = player("romans", vp=vp, locations=["Legion"])
    solo = inspect(table(seat, solo={"pile": pile, "locations": ["Mill"]}))["solo"]
    assert (solo["won"], solo["title"]) == (won, title)
