"""Actions and free steps on small positions: what the engine makes of them, and what the slow model does."""

from __future__ import annotations

from typing import Any

import pytest

from tests.games.imperial_settlers.small_tables import NO, OK, PASS, SIDES, build, goods, raze, table, use


@pytest.fixture(params=SIDES)
def play(request: pytest.FixtureRequest) -> Any:
    """What the model or the engine makes of a position."""
    return request.param


# ---- Building ----


def test_a_location_is_paid_and_lies_last(play: Any) -> None:
    own = {"hand": ["Town"], "goods": {"wood": 2, "stone": 1}, "locations": ["Mill"]}
    result = play(table(build("Town"), romans=own))
    player = result["players"][0]
    assert player["goods"] == goods(wood=1, worker=2)
    assert (player["locations"], player["hand"]) == (["Mill", "Town"], [])
    assert result["to_move"] == 1


def test_gold_stands_for_resources_and_not_the_other_way_round(play: Any) -> None:
    own = {"hand": ["Town"], "goods": {"gold": 2}}
    assert play(table(build("Town"), romans=own))["players"][0]["goods"] == goods(worker=2)
    wrong = {"locations": ["Goldsmith's Workshop"], "goods": {"wood": 3, "worker": 1}}
    assert play(table(use("Goldsmith's Workshop"), romans=wrong))["moves"] == [NO]


def test_gold_is_paid_only_for_what_is_missing_unless_said(play: Any) -> None:
    own = {"hand": ["Town"], "goods": {"wood": 1, "stone": 1, "gold": 2}}
    assert play(table(build("Town"), romans=own))["players"][0]["goods"] == goods(gold=2, worker=2)
    said = play(table(build("Town", pay={"gold": 2}), romans=own))
    assert said["players"][0]["goods"] == goods(wood=1, stone=1, worker=2)


@pytest.mark.parametrize("paid", [{"wood": 2}, {"wood": 1, "stone": 2}, {"stone": 1, "food": 1}, {"wood": 1}])
def test_a_payment_has_to_be_the_price(play: Any, paid: dict[str, int]) -> None:
    own = {"hand": ["Town"], "goods": {"wood": 3, "stone": 3, "food": 3}}
    result = play(table(build("Town", pay=paid), romans=own))
    assert result["moves"] == [NO]
    assert result["players"][0]["goods"] == goods(wood=3, stone=3, food=3)
    assert (result["to_move"], result["players"][0]["hand"]) == (0, ["Town"])


def test_a_location_part_of_a_cost_takes_a_location_or_a_foundation(play: Any) -> None:
    own = {"hand": ["Roman Bank"], "goods": {"stone": 1}, "locations": ["Mill", "Builder"], "foundations": 1}
    for given, left, foundations in (("Mill", ["Builder"], 1), ("foundation", ["Mill", "Builder"], 0)):
        player = play(table(build("Roman Bank", discard=given), romans=own))["players"][0]
        assert player["locations"] == [*left, "Roman Bank"]
        assert player["foundations"] == foundations
        assert player["goods"] == goods(gold=1)
    assert play(table(build("Roman Bank"), romans=own))["moves"] == [NO]


def test_the_only_location_is_given_up_unsaid(play: Any) -> None:
    own = {"hand": ["Roman Bank"], "goods": {"stone": 1}, "locations": ["Mill"]}
    result = play(table(build("Roman Bank"), romans=own))
    assert result["players"][0]["locations"] == ["Roman Bank"]
    assert result["discards"]["common"] == ["Mill"]


def test_without_a_location_none_is_built_on(play: Any) -> None:
    own = {"hand": ["Roman Bank"], "goods": {"stone": 1, "gold": 3}}
    result = play(table(build("Roman Bank"), romans=own))
    assert result["moves"] == [NO]
    assert "build" not in result["legal"]


def test_all_on_a_location_given_up_is_lost(play: Any) -> None:
    place = {"card": "Castle", "used": 1, "goods": {"worker": 1}, "defence": True}
    own = {"hand": ["Roman Bank"], "goods": {"stone": 1}, "locations": [place]}
    player = play(table(build("Roman Bank"), romans=own))["players"][0]
    assert (player["goods"], player["on"]) == (goods(gold=1), {})


def test_what_lay_under_a_gate_or_on_a_shrine_is_lost_with_it(play: Any) -> None:
    places = [{"card": "Gate", "tucked": 3}, {"card": "Shrine", "banked": {"wood": 3}}]
    own = {"hand": ["Stalls", "Ninjas"], "goods": {"wood": 1, "stone": 1}, "locations": places}
    result = play(table(build("Stalls", discard="Gate"), japanese=own))
    assert result["players"][0]["score"] == {"track": 0, "common": 0, "faction": 4, "cards": 2, "total": 6, "rank": 1}
    assert result["players"][0]["discard"] == ["Gate"]
    result = play(table(build("Stalls", discard="Shrine"), japanese=own))
    assert result["players"][0]["score"]["cards"] == 2
    assert result["players"][0]["goods"] == goods(stone=1)


def test_two_copies_may_stand_and_are_told_apart_by_number(play: Any) -> None:
    own = {"hand": ["Castle"], "goods": {"wood": 1, "stone": 1, "worker": 2}, "locations": ["Castle"]}
    moves = [build("Castle"), {"do": "pass", "p": 1}, use("Castle#2")]
    player = play(table(*moves, romans=own))["players"][0]
    assert player["locations"] == ["Castle", "Castle"]
    assert player["on"] == {"Castle#2": {"used": 1, "goods": {"worker": 1}}}


def test_a_print_has_its_own_cost(play: Any) -> None:
    own = {"hand": ["COM048"], "goods": {"wood": 1, "stone": 1}}
    assert play(table(build("Castle"), romans=own))["moves"] == [NO]
    own["goods"] = {"stone": 2}
    assert play(table(build("Castle"), romans=own))["players"][0]["goods"] == goods()


def test_ruins_are_free_but_take_the_action(play: Any) -> None:
    result = play(table(build("Ruins"), romans={"hand": ["Ruins"]}))
    assert result["players"][0]["goods"] == goods(worker=1)
    assert result["to_move"] == 1


def test_a_feature_answers_to_itself_and_to_every_copy(play: Any) -> None:
    own = {"hand": ["Supplier"], "goods": {"wood": 1, "stone": 2}, "locations": [{"card": "Headquarters"}]}
    player = play(table(build("Supplier", choices={"Headquarters": {"take": "vp"}}), romans=own))["players"][0]
    assert (player["goods"], player["vp"]) == (goods(gold=1), 2)
    assert play(table(build("Supplier"), romans=own))["moves"] == [NO]


@pytest.mark.parametrize("given_up", ["Headquarters", "Headquarters#2"])
def test_decisions_of_the_one_that_is_left_of_two_alike(play: Any, given_up: str) -> None:
    own = {"hand": ["Stonecutter"], "goods": {"wood": 1, "stone": 1}, "locations": ["Headquarters", "Headquarters"]}
    move = build("Stonecutter", discard=given_up, choices={"Headquarters": {"take": "vp"}})
    player = play(table(move, romans=own))["players"][0]
    assert (player["vp"], player["goods"]) == (1, goods(stone=2))


def test_a_trade_colony_answers_to_all_its_colours(play: Any) -> None:
    places = ["Supplier", "Carpenter's Workshop", "Mill", "Canteen", "Ruins"]
    own = {"hand": ["Trade Colony"], "goods": {"wood": 1, "stone": 2}, "locations": places}
    player = play(table(build("Trade Colony", discard="Ruins"), romans=own))["players"][0]
    assert (player["goods"], player["vp"]) == (goods(worker=1, gold=4), 3)


def test_a_slaver_may_be_paid_with_what_the_building_gives(play: Any) -> None:
    own = {"hand": ["Royal Bath"], "goods": {"stone": 1}, "locations": ["Slaver", "Canteen", "Ruins"]}
    move = build("Royal Bath", discard="Ruins", choices={"Slaver": {"pay": {"gold": 1}}})
    player = play(table(move, egyptians=own))["players"][0]
    assert (player["goods"], player["vp"]) == (goods(), 3)
    player = play(table(build("Royal Bath", discard="Ruins"), egyptians=own))["players"][0]
    assert (player["goods"], player["vp"]) == (goods(gold=1), 1)


def test_counts_include_the_new_card_and_stop_at_the_cap(play: Any) -> None:
    greys = ["Quarry", "Quarry", "COM010", "Rubble", "Coal Mine", "Mason", "Stonecutter"]
    own = {"hand": ["Statue"], "goods": {"wood": 1, "stone": 2}, "locations": greys}
    player = play(table(build("Statue", draw=["faction"]), romans=own))["players"][0]
    assert (player["vp"], player["hand"]) == (6, ["Legion"])
    own["locations"] = greys[:2]
    assert play(table(build("Statue"), romans=own))["players"][0]["vp"] == 3


# ---- Deals ----


def test_a_deal_costs_a_food_and_gives_its_good_at_once(play: Any) -> None:
    own = {"hand": ["Builder"], "goods": {"food": 1, "gold": 1}}
    player = play(table({"do": "deal", "card": "Builder"}, romans=own))["players"][0]
    assert (player["goods"], player["deals"]) == (goods(gold=1, stone=1), ["Builder"])
    player = play(table({"do": "deal", "card": "Builder", "pay": {"gold": 1}}, romans=own))["players"][0]
    assert player["goods"] == goods(food=1, stone=1)


def test_common_cards_make_no_deals(play: Any) -> None:
    own = {"hand": ["Town"], "goods": {"food": 1}}
    result = play(table({"do": "deal", "card": "Town"}, romans=own))
    assert result["moves"] == [NO]
    assert "deal" not in result["legal"]


def test_a_deal_may_give_a_card_of_either_deck(play: Any) -> None:
    own = {"hand": ["Architect"], "goods": {"food": 1}}
    for deck, card in (("common", "Watchtower"), ("faction", "Legion")):
        move = {"do": "deal", "card": "Architect", "draw": [deck]}
        assert play(table(move, romans=own))["players"][0]["hand"] == [card]


# ---- Razing ----


def test_razing_a_hand_card_takes_a_token_and_discards_the_card(play: Any) -> None:
    own = {"hand": ["Wood Storage"], "goods": {"raze": 1}}
    result = play(table(raze(card="Wood Storage"), romans=own))
    assert result["players"][0]["goods"] == goods(wood=2)
    assert result["discards"]["common"] == ["Wood Storage"]
    assert result["players"][1]["foundations"] == 0


def test_faction_cards_are_razed_only_by_the_japanese(play: Any) -> None:
    own = {"hand": ["Farm"], "goods": {"raze": 1}}
    player = play(table(raze(card="Farm"), japanese=own))["players"][0]
    assert (player["vp"], player["discard"]) == (1, ["Farm"])
    own = {"hand": ["Builder", "Ruins"], "goods": {"raze": 1}}
    assert play(table(raze(card="Builder"), raze(card="Ruins"), romans=own))["moves"] == [NO, NO]


@pytest.mark.parametrize(("on", "needed"), [({}, 2), ({"defence": True}, 3)])
def test_a_razed_location_becomes_a_foundation_and_gives_its_owner_a_wood(
    play: Any, on: dict[str, Any], needed: int
) -> None:
    other = {"locations": [{"card": "Armorer", **on}]}
    move = raze(target=1, at="Armorer")
    short = play(table(move, romans={"goods": {"raze": needed - 1}}, barbarians=other))
    assert short["moves"] == [NO]
    assert "raze" not in short["legal"]
    result = play(table(move, romans={"goods": {"raze": needed}}, barbarians=other))
    razer, owner = result["players"]
    assert (razer["goods"], razer["vp"]) == (goods(stone=1), 1)
    assert (owner["goods"], owner["foundations"], owner["locations"]) == (goods(wood=1), 1, [])


def test_a_razed_japanese_location_is_discarded_with_its_samurai(play: Any) -> None:
    other = {"locations": [{"card": "Farm", "samurai": True}]}
    result = play(table(raze(target=1, at="Farm"), romans={"goods": {"raze": 3}}, japanese=other))
    assert result["players"][0]["vp"] == 1
    owner = result["players"][1]
    assert (owner["goods"], owner["foundations"], owner["discard"]) == (goods(), 0, ["Farm"])


@pytest.mark.parametrize(("faction", "card"), [("japanese", "Gate"), ("japanese", "Shrine"), ("egyptians", "Sphinx")])
def test_some_locations_are_never_razed(play: Any, faction: str, card: str) -> None:
    said = {"romans": {"goods": {"raze": 4}}, faction: {"locations": [card, "Ruins"]}}
    result = play(table(raze(target=1, at=card), raze(target=1, at="Ruins"), **said))
    assert result["moves"] == [NO, NO]
    assert "raze" not in result["legal"]


def test_who_has_passed_cannot_be_aimed_at(play: Any) -> None:
    other = {"locations": ["Armorer"], "passed": True, "goods": {"wood": 2}}
    own = {"goods": {"raze": 2, "worker": 1}, "locations": ["Saboteurs"]}
    moves = [raze(target=1, at="Armorer"), use("Saboteurs", target=1, take="wood")]
    result = play(table(*moves, barbarians=own, romans=other))
    assert result["moves"] == [NO, NO]
    assert "activate" not in result["legal"]


def test_own_locations_are_not_razed(play: Any) -> None:
    own = {"goods": {"raze": 2}, "locations": ["Armorer"]}
    assert play(table(raze(target=0, at="Armorer"), romans=own))["moves"] == [NO]


def test_in_the_peaceful_game_only_hand_cards_are_razed(play: Any) -> None:
    own = {"goods": {"raze": 3}, "hand": ["Wood Storage"]}
    moves = [raze(target=1, at="Armorer"), raze(card="Wood Storage")]
    result = play(table(*moves, romans=own, barbarians={"locations": ["Armorer"]}, peaceful=True))
    assert result["moves"] == [NO, OK]


def test_goods_of_a_razed_card_are_drawn_before_it_is_discarded(play: Any) -> None:
    own = {"hand": ["Castle"], "goods": {"raze": 1}, "deck": []}
    result = play(table(raze(card="Castle"), romans=own, decks={"common": []}))
    assert result["players"][0]["hand"] == []
    assert result["discards"]["common"] == ["Castle"]


def test_every_raze_fires_the_features_that_wait_for_it(play: Any) -> None:
    own = {"hand": ["Wood Storage"], "goods": {"raze": 3}, "locations": ["Gallows", "Raid", "Raid"]}
    moves = [raze(card="Wood Storage"), {"do": "exchange", "p": 1, "for": ["wood"]}, raze(target=1, at="Mill")]
    result = play(table(*moves, barbarians=own, romans={"locations": ["Mill"], "goods": {"worker": 2}}))
    assert result["moves"] == [OK, OK, OK]
    assert result["players"][0]["vp"] == 6


# ---- Using action locations ----


def test_what_is_paid_lies_on_the_location_and_marks_its_use(play: Any) -> None:
    own = {"locations": ["Mason's Guild"], "goods": {"worker": 2, "stone": 3, "gold": 1}}
    moves = [
        use("Mason's Guild", pay={"worker": 1, "stone": 1, "gold": 1}),
        {"do": "pass", "p": 1},
        use("Mason's Guild"),
    ]
    result = play(table(*moves, romans=own))
    assert result["moves"] == [OK, OK, NO]
    player = result["players"][0]
    assert (player["vp"], player["goods"]) == (3, goods(worker=1, stone=2))
    assert player["on"] == {"Mason's Guild": {"used": 1, "goods": {"worker": 1, "stone": 1, "gold": 1}}}


def test_twice_in_one_action_or_in_two(play: Any) -> None:
    own = {"locations": ["Castle"], "goods": {"worker": 3}}
    once = [use("Castle"), {"do": "pass", "p": 1}, use("Castle", draw=["faction"]), use("Castle")]
    result = play(table(*once, romans=own))
    assert result["moves"] == [OK, OK, OK, NO]
    assert result["players"][0]["hand"] == ["Legion", "Watchtower"]
    twice = use("Castle", times=2, each=[{"draw": ["faction"]}, {"draw": ["common"]}])
    result = play(table(twice, romans=own))
    assert result["players"][0]["hand"] == ["Legion", "Watchtower"]
    assert result["players"][0]["on"]["Castle"] == {"used": 2, "goods": {"worker": 2}}
    assert play(table(use("Coal Mine", times=2), romans={**own, "locations": ["Coal Mine"]}))["moves"] == [NO]


def test_two_uses_in_one_action_are_paid_together(play: Any) -> None:
    own = {"locations": ["Pack"], "goods": {"worker": 1}}
    each = [{"take": "worker"}, {"take": "wood"}]
    result = play(table(use("Pack", times=2, each=each), barbarians=own, romans={"locations": ["COM014"]}))
    assert result["moves"] == [NO]
    assert result["legal"]["activate"] == {"Pack": 1}


def test_a_card_pays_for_a_use_and_only_marks_it(play: Any) -> None:
    own = {"locations": ["Tavern"], "hand": ["Mill", "Town"]}
    player = play(table(use("Tavern", card="Mill"), romans=own))["players"][0]
    assert (player["vp"], player["hand"], player["on"]) == (2, ["Town"], {"Tavern": {"used": 1}})
    assert play(table(use("Tavern"), romans=own))["moves"] == [NO]
    assert "activate" not in play(table(romans={"locations": ["Tavern"]}))["legal"]


def test_resources_of_any_kind(play: Any) -> None:
    own = {"locations": ["Barter"], "goods": {"wood": 1, "food": 2, "gold": 1}}
    player = play(table(use("Barter", pay={"food": 2}), barbarians=own))["players"][0]
    assert (player["goods"], player["vp"]) == (goods(wood=1, gold=1), 2)
    assert play(table(use("Barter"), barbarians=own))["moves"] == [NO]
    each = [{"pay": {"wood": 1, "food": 1}}, {"pay": {"food": 1, "gold": 1}}]
    player = play(table(use("Barter", times=2, each=each), barbarians=own))["players"][0]
    assert (player["goods"], player["vp"]) == (goods(), 4)


def test_a_blocked_location_is_not_used(play: Any) -> None:
    own = {"locations": [{"card": "Castle", "blocked": True}], "goods": {"worker": 1}}
    result = play(table(use("Castle"), romans=own))
    assert result["moves"] == [NO]
    assert "activate" not in result["legal"]


def test_a_location_that_is_used_up_can_still_be_blocked(play: Any) -> None:
    other = {"locations": [{"card": "Coal Mine", "used": 1}, "Mill"]}
    own = {"locations": ["Scorpion Breeder"], "goods": {"worker": 1}}
    result = play(table(use("Scorpion Breeder", target=1, at="Coal Mine"), egyptians=own, romans=other))
    assert result["players"][1]["on"]["Coal Mine"] == {"used": 1, "goods": {"worker": 1}, "blocked": True}


def test_renewing_frees_both_uses_and_needs_a_used_location_for_each(play: Any) -> None:
    own = {"locations": ["Royal Bath", {"card": "Castle", "used": 2}], "goods": {"gold": 2, "worker": 2}}
    result = play(table(use("Royal Bath", times=2), egyptians=own))
    assert result["moves"] == [NO]
    assert result["legal"]["activate"] == {"Royal Bath": 1}
    result = play(table(use("Royal Bath"), {"do": "pass", "p": 1}, use("Castle", times=2), egyptians=own))
    assert result["moves"] == [OK, OK, OK]


def test_raze_tokens_for_a_use_lie_on_the_chapel(play: Any) -> None:
    own = {"locations": ["Dark Chapel"], "goods": {"raze": 3}, "hand": ["Village"]}
    player = play(table(use("Dark Chapel", card="Village", convert={"worker": 1}), barbarians=own))["players"][0]
    assert (player["goods"], player["vp"]) == (goods(raze=2, worker=1), 2)
    assert player["on"] == {"Dark Chapel": {"used": 1, "goods": {"raze": 1}}}
    other = {"locations": [{"card": "Village", "defence": True}]}
    result = play(table(use("Dark Chapel", target=1, at="Village"), barbarians=own, romans=other))
    assert result["players"][0]["goods"] == goods(worker=2)
    assert result["players"][1]["foundations"] == 1


def test_what_ran_before_may_run_again(play: Any) -> None:
    own = {"hand": ["Farmers at Work"], "goods": {"wood": 3, "food": 1}, "locations": ["Porters"]}
    result = play(table(build("Farmers at Work"), {"do": "pass", "p": 1}, romans=own))
    assert result["legal"]["activate"] == {"Porters": 1}
    result = play(table(build("Farmers at Work"), {"do": "pass", "p": 1}, use("Porters"), romans=own))
    assert result["moves"] == [OK, OK, OK]


# ---- Exchange ----


def test_pairs_of_workers_in_one_action(play: Any) -> None:
    own = {"goods": {"worker": 9}}
    wanted = {"do": "exchange", "for": ["wood", "common", "common", "faction"]}
    result = play(table(wanted, romans=own))
    player = result["players"][0]
    assert (player["goods"], player["hand"]) == (goods(worker=1, wood=1), ["Legion", "Lumberjacks", "Watchtower"])
    assert result["to_move"] == 1
    assert play(table({"do": "exchange", "for": ["wood"] * 5}, romans=own))["moves"] == [NO]


def test_an_oasis_gains_of_each_pair_up_to_four_a_round(play: Any) -> None:
    other = {"locations": [{"card": "Oasis", "gained": 2}]}
    moves = [{"do": "exchange", "for": ["wood"] * 4}, {"do": "exchange", "p": 1, "for": ["wood"]}]
    result = play(table(*moves, romans={"goods": {"worker": 8}}, egyptians=other))
    assert result["players"][1]["on"] == {"Oasis": {"gained": 4}}
    # Nothing for its own pair.
    assert result["players"][1]["goods"] == goods(wood=1)
    result = play(
        table({"do": "exchange", "for": ["wood"]}, egyptians={"locations": ["Oasis"], "goods": {"worker": 2}})
    )
    assert result["players"][0]["goods"] == goods(wood=1)


# ---- Free steps ----


def test_free_steps_leave_the_turn(play: Any) -> None:
    own = {"locations": ["Mill", "Farm", "Gate"], "goods": {"defence": 1, "worker": 2}, "hand": ["Town", "Brewer"]}
    steps = [
        {"do": "defend", "location": "Mill"},
        {"do": "samurai", "location": "Farm"},
        {"do": "samurai", "location": "Gate"},
        {"do": "tuck", "cards": ["Town", "Brewer"]},
    ]
    result = play(table(*steps, japanese=own))
    assert result["moves"] == [OK] * 4
    assert result["to_move"] == 0
    player = result["players"][0]
    assert (player["vp"], player["hand"], player["goods"]) == (2, [], goods())
    gate = {"samurai": True, "tucked": 2}
    assert player["on"] == {"Mill": {"defence": True}, "Farm": {"samurai": True}, "Gate": gate}


def test_samurai_of_ninjas_need_no_saying_where_all_free_locations_get_one(play: Any) -> None:
    own = {"hand": ["Ninjas"], "goods": {"stone": 1}, "locations": ["Farm", "Mill", {"card": "Gate", "samurai": True}]}
    result = play(table(build("Ninjas", discard="Mill"), japanese=own))
    assert [*result["players"][0]["on"]] == ["Farm", "Gate", "Ninjas"]
    own["locations"] = ["Farm", "Casino", "Mill"]
    assert play(table(build("Ninjas", discard="Mill"), japanese=own))["moves"] == [NO]
    said = build("Ninjas", discard="Mill", samurai=["Casino", "Ninjas"])
    assert [*play(table(said, japanese=own))["players"][0]["on"]] == ["Casino", "Ninjas"]
    own["locations"] = ["Mill"]
    assert play(table(build("Ninjas"), japanese=own))["players"][0]["on"] == {"Ninjas": {"samurai": True}}


def test_where_tokens_and_samurai_may_lie(play: Any) -> None:
    places = [{"card": "Mill", "defence": True}, {"card": "Farm", "samurai": True}, "Town", "Casino"]
    own = {"locations": places, "goods": {"defence": 1, "worker": 1}}
    wrong = [
        {"do": "defend", "location": "Mill"},
        {"do": "defend", "location": "Casino"},
        {"do": "samurai", "location": "Farm"},
        {"do": "samurai", "location": "Town"},
    ]
    result = play(table(*wrong, japanese=own))
    assert result["moves"] == [NO] * 4
    assert (result["legal"]["defend"], result["legal"]["samurai"]) == (["Town"], ["Casino"])
    own = {"locations": ["Legion"], "goods": {"worker": 1, "defence": 1}}
    result = play(table({"do": "samurai", "location": "Legion"}, romans=own))
    assert result["moves"] == [NO]
    assert set(result["legal"]) == {"pass"}


def test_a_shrine_takes_resources_and_no_gold(play: Any) -> None:
    own = {"locations": ["Shrine"], "goods": {"wood": 2, "food": 1, "gold": 1}}
    moves = [{"do": "bank", "goods": {"gold": 1}}, {"do": "bank", "goods": {"wood": 2, "food": 1}}]
    result = play(table(*moves, japanese=own))
    assert result["moves"] == [NO, OK]
    player = result["players"][0]
    assert player["on"] == {"Shrine": {"banked": {"wood": 2, "food": 1}}}
    assert (player["score"]["cards"], player["goods"]) == (2, goods(gold=1))


# ---- Temple of Ra ----


def test_a_controlled_location_works_for_the_holder_and_scores_for_the_owner(play: Any) -> None:
    own = {"locations": ["Temple of Ra", "Gold Creek"], "goods": {"worker": 2}}
    other = {"locations": ["Gold Mine", "Mill"], "goods": {"worker": 2}}
    moves = [use("Temple of Ra", target=1, at="Gold Mine"), use("Gold Mine", p=1), {"do": "pass", "p": 1}]
    result = play(table(*moves, use("Gold Mine", owner=1, times=2), egyptians=own, romans=other))
    assert result["moves"] == [OK, NO, OK, OK]
    assert result["players"][0]["goods"] == goods(gold=2)
    assert result["players"][1]["score"]["common"] == 2
    held = {"used": 2, "goods": {"worker": 2}, "controlled_by": 0}
    assert result["players"][1]["on"] == {"Gold Mine": held}


def test_a_controlled_location_is_not_given_up(play: Any) -> None:
    other = {"locations": [{"card": "Mill", "controlled_by": 0}], "hand": ["Roman Bank"], "goods": {"stone": 1}}
    result = play(table(PASS, build("Roman Bank", p=1), egyptians={"locations": ["Temple of Ra"]}, romans=other))
    assert result["moves"] == [OK, NO]


def test_who_holds_a_location_that_another_razes_gets_the_wood(play: Any) -> None:
    own = {"locations": ["Temple of Ra"]}
    other = {"locations": [{"card": "Mill", "controlled_by": 0}]}
    said = {"egyptians": own, "romans": other, "barbarians": {"goods": {"raze": 2}}}
    result = play(table(raze(p=2, target=1, at="Mill"), to_move=2, **said))
    assert result["players"][0]["goods"] == goods(wood=1)
    assert (result["players"][1]["foundations"], result["players"][1]["goods"]) == (1, goods())


def test_who_razes_what_he_holds_gets_no_wood_for_it(play: Any) -> None:
    own = {"locations": ["Temple of Ra"], "goods": {"raze": 2}}
    other = {"locations": [{"card": "Armorer", "controlled_by": 0}]}
    result = play(table(raze(target=1, at="Armorer"), egyptians=own, romans=other))
    assert [player["goods"] for player in result["players"]] == [goods(stone=1), goods(wood=1)]


# ---- Trade Route ----


def test_a_trade_route_deals_with_a_location_as_long_as_it_stands(play: Any) -> None:
    own = {"locations": ["Trade Route", "Dojo"], "goods": {"food": 1}}
    other = {"locations": ["Builder", "Mill"], "hand": ["Roman Bank"], "goods": {"stone": 1}}
    moves = [use("Trade Route", target=1, at="Builder"), build("Roman Bank", p=1, discard="Builder")]
    result = play(table(*moves[:1], japanese=own, romans=other))
    player = result["players"][0]
    assert (player["deals"], player["goods"], player["vp"]) == (["Builder"], goods(stone=1), 1)
    assert (player["deck"], player["production"]["stone"]) == (2, 1)
    player = play(table(*moves, japanese=own, romans=other))["players"][0]
    assert (player["deals"], player["discard"]) == ([], ["Rice Fields"])


def test_a_location_gives_one_trade_to_a_seat_and_common_ones_none(play: Any) -> None:
    own = {"locations": ["Trade Route"], "goods": {"food": 1}, "deals": [{"card": "Builder", "of": 1}]}
    result = play(
        table(use("Trade Route", target=1, at="Builder"), japanese=own, romans={"locations": ["Builder", "Mill"]})
    )
    assert result["moves"] == [NO]
    assert "activate" not in result["legal"]
