"""What the rulebook says of single cards (rules digest, 11), and how its open points are played, as positions."""

from __future__ import annotations

from typing import Any

import pytest

from tests.games.imperial_settlers.inspecting import after, held, inspect, move, player, refused, table, things

JAPANESE, BARBARIANS, ROMANS, EGYPTIANS = "japanese", "barbarians", "romans", "egyptians"


def use(location: str, **keys: Any) -> dict[str, Any]:
    """Return the move by which seat 0 uses a location."""
    return move("activate", location=location, **keys)


# ---- General ----


def test_a_feature_answers_to_its_own_building() -> None:
    seat = player(ROMANS, goods="2 stone", hand=["Headquarters"], foundations=1)
    result = after(table(seat), move("build", card="Headquarters", discard="foundation", take="gold"))
    assert held(result) == {"gold": 1}
    assert result["players"][0]["foundations"] == 0
    position = table(player(BARBARIANS, goods="3 wood", hand=["Mill"]))
    assert held(after(position, move("build", card="Mill"))) == {"gold": 1, "vp": 1}


def test_a_location_that_counts_a_colour_counts_itself() -> None:
    seat = player(BARBARIANS, goods="2 wood 1 stone", hand=["Baker"], locations=["Hunter Joe", "Brewer"], deck=["Idol"])
    result = after(table(seat), move("build", card="Baker", draw=["faction"]))
    assert held(result) == {"vp": 3, "card": 1}
    full = player(ROMANS, goods="2 wood 1 stone", hand=["Rubble"], locations=["Statue", "Supplier", "Coal Mine"])
    assert held(after(table(full), move("build", card="Rubble"))) == {"stone": 3, "gold": 1, "vp": 1}


# ---- Japanese ----


def test_cards_under_a_gate_stay_and_score() -> None:
    seat = player(JAPANESE, hand=["Mill", "Town", "Farm"], locations=["Gate"])
    result = after(table(seat), move("tuck", cards=["Mill", "Farm"]), move("tuck", cards=["Town"]))
    assert held(result) == {"vp": 3}
    assert things(result, "Gate") == {"tucked": 3}
    assert result["players"][0]["score"]["cards"] == 2
    assert result["to_move"] == 0
    cleaned = after(
        table(player(JAPANESE, locations=[{"card": "Gate", "tucked": 4}]), phase="cleanup"), move("cleanup", None)
    )
    assert things(cleaned, "Gate") == {"tucked": 4}


def test_gate_and_shrine_cannot_be_razed_but_carry_a_samurai() -> None:
    seats = player(BARBARIANS, goods="5 raze"), player(JAPANESE, goods="2 worker", locations=["Gate", "Shrine"])
    position = table(*seats)
    assert "raze" not in inspect(position)["legal"]
    assert refused(position, move("raze", target=1, at="Gate")) == "Gate cannot be razed"
    result = after({**position, "first": 1}, move("samurai", 1, location="Gate"), move("samurai", 1, location="Shrine"))
    assert (held(result, 1), things(result, "Gate", 1)) == ({}, {"samurai": True})


def test_garrison_takes_any_location_out_of_the_game() -> None:
    seats = player(JAPANESE, goods="2 raze", locations=["Garrison"]), player(ROMANS, locations=["Legion", "Mill"])
    result = after(table(*seats), use("Garrison", pay="2 raze", target=1, at="Legion"))
    other = result["players"][1]
    assert (other["locations"], other["discard"], other["foundations"], held(result, 1)) == (["Mill"], [], 0, {})
    assert held(result) == {}


def test_a_trade_route_makes_a_deal_with_an_opponents_location() -> None:
    seat = player(JAPANESE, goods="1 food", locations=["Trade Route", "Dojo"], deck=["Farm", "Gate"])
    other = player(ROMANS, locations=["Legion", "Builder"])
    result = after(table(seat, other), use("Trade Route", pay="1 food", target=1, at="Builder"))
    assert held(result) == {"stone": 1, "vp": 1}
    told = result["players"][0]
    assert (told["deals"], told["deck"], told["production"]["stone"]) == (["Builder"], 1, 1)
    position = table(seat, player(ROMANS, locations=["Mill"]))
    assert refused(position, use("Trade Route")) == "there is nothing that Trade Route could mean"


def test_deals_by_trade_route_survive_the_route_but_not_the_location() -> None:
    traded = player(
        JAPANESE,
        goods="1 wood 1 raze",
        hand=["Gate"],
        locations=["Trade Route"],
        deals=["Farm", {"card": "Builder", "of": 1}],
    )
    other = player(ROMANS, goods="1 stone", hand=["Headquarters"], locations=["Builder"])
    built = after(table(traded, other), move("build", card="Gate", discard="Trade Route"))
    assert built["players"][0]["deals"] == ["Farm", "Builder"]
    position = table(traded, {**other, "goods": {"stone": 2}}, first=1)
    lost = after(position, move("build", 1, card="Headquarters", discard="Builder", take="vp"))
    assert lost["players"][0]["deals"] == ["Farm"]


def test_a_negotiator_builds_a_deal_without_its_location() -> None:
    seat = player(JAPANESE, goods="1 worker 1 wood", locations=["Negotiator"], deals=["Geisha House", "Farm"])
    build = {"pay": {"wood": 1}}
    result = after(table(seat), use("Negotiator", pay="1 worker", deal="Geisha House", build=build))
    told = result["players"][0]
    assert (told["locations"], told["deals"], held(result)) == (["Negotiator", "Geisha House"], ["Farm"], {"worker": 1})
    plain = after(table(seat), use("Negotiator", deal="Farm"))
    assert held(plain) == {"worker": 1, "food": 1}
    assert after(table(seat), use("Negotiator", build={"deal": "Farm"}))["players"] == plain["players"]
    assert "`deal`" in refused(table(seat), use("Negotiator")) or "the card" in refused(table(seat), use("Negotiator"))
    traded = player(JAPANESE, goods="1 worker 5 stone", locations=["Negotiator"], deals=[{"card": "Builder", "of": 1}])
    position = table(traded, player(ROMANS, locations=["Builder"]))
    assert "nothing" in refused(position, use("Negotiator", deal="Builder"))


def test_ninjas_place_two_samurai_at_once() -> None:
    seat = player(JAPANESE, goods="1 stone", hand=["Ninjas"], locations=["Farm", "Gate", "Mill"])
    position = table(seat)
    result = after(position, move("build", card="Ninjas", discard="Mill", samurai=["Farm", "Ninjas"]))
    assert set(result["players"][0]["on"]) == {"Farm", "Ninjas"}
    assert held(result) == {}
    lost = after(position, move("build", card="Ninjas", discard="Gate", samurai=["Ninjas", "Farm"]))
    assert set(lost["players"][0]["on"]) == {"Farm", "Ninjas"}
    alone = table(player(JAPANESE, goods="1 stone", hand=["Ninjas"], locations=["Mill"]))
    assert things(after(alone, move("build", card="Ninjas")), "Ninjas") == {"samurai": True}
    assert after(position, move("build", card="Ninjas", discard="Gate"))["players"] == lost["players"]
    assert "several" in refused(position, move("build", card="Ninjas", discard="Mill", samurai=["Farm"]))
    assert "Mill" in refused(position, move("build", card="Ninjas", discard="Gate", samurai=["Mill", "Farm"]))


def test_ninjas_discard_a_deal_and_gain_its_good() -> None:
    seat = player(JAPANESE, goods="1 worker", locations=["Ninjas"])
    other = player(ROMANS, deals=["Stonecutter", "Spies"])
    result = after(table(seat, other), use("Ninjas", target=1, deal="Stonecutter"))
    assert held(result) == {"stone": 1}
    assert (result["players"][1]["deals"], result["players"][1]["discard"]) == (["Spies"], ["Stonecutter"])
    drawn = after({**table(seat, other), "decks": {"common": ["Mill"]}}, use("Ninjas", deal="Spies", draw=["common"]))
    assert drawn["players"][0]["hand"] == ["Mill"]


def test_a_shrine_banks_resources_to_the_end() -> None:
    seat = player(JAPANESE, goods="2 wood 1 food 1 gold", locations=["Shrine"])
    result = after(table(seat), move("bank", goods="2 wood 1 food"))
    assert things(result, "Shrine") == {"banked": {"wood": 2, "food": 1}}
    assert result["players"][0]["score"] == {"track": 0, "common": 0, "faction": 2, "cards": 2, "total": 4, "rank": 1}
    assert held(result) == {"gold": 1}
    assert refused(table(seat), move("bank", goods="1 gold")) == "gold cannot be laid onto it"
    assert refused(table(seat), move("bank", goods="1 stone")) == "not enough goods: 1 stone is missing"
    many = table(player(JAPANESE, locations=[{"card": "Shrine", "banked": {"stone": 7}}]), phase="cleanup")
    assert after(many, move("cleanup", None))["players"][0]["score"]["cards"] == 5


def test_samurai_count_for_daimyos_castle() -> None:
    guarded = [{"card": name, "samurai": True} for name in ("Farm", "Farm", "Stalls", "Casino")]
    seat = player(JAPANESE, locations=[*guarded, "Daimyo's Castle"])
    assert inspect(table(seat))["players"][0]["production"]["vp"] == 3


def test_school_of_diplomacy_turns_goods_of_deals_into_points() -> None:
    seat = player(JAPANESE, locations=["School of Diplomacy"], deals=["Farm", "Farm", "Casino"])
    convert = {"choices": {"School of Diplomacy": {"convert": {"worker": 1, "gold": 1}}}}
    position = table(seat, phase="production")
    assert held(after(position, move("produce", **convert))) == {
        "worker": 5,
        "wood": 1,
        "raze": 1,
        "defence": 1,
        "vp": 2,
    }
    assert held(after(position, move("produce")))["gold"] == 1
    wrong = {"choices": {"School of Diplomacy": {"convert": {"stone": 1}}}}
    assert "convert" in refused(position, move("produce", **wrong))


# ---- Egyptians ----


def test_a_chariot_builder_ignores_protection() -> None:
    seat = player(EGYPTIANS, goods="1 raze", locations=["Chariot Builder"])
    other = player(BARBARIANS, locations=[{"card": "Armorer", "defence": True}])
    result = after(table(seat, other), use("Chariot Builder", pay="1 raze", at="Armorer"))
    assert (held(result), held(result, 1)) == ({"stone": 1, "vp": 1}, {"wood": 1})
    assert result["players"][1]["foundations"] == 1


def test_a_sanctuary_makes_a_foundation_of_a_common_hand_card() -> None:
    seat = player(EGYPTIANS, goods="1 worker", hand=["Mill", "Caravan", "Town"], locations=["Sanctuary"])
    result = after(table(seat), use("Sanctuary", card="Mill"))
    assert held(result) == {"stone": 1, "vp": 1, "card": 2}
    assert result["players"][0]["foundations"] == 1
    assert "Caravan is not" in refused(table(seat), use("Sanctuary", card="Caravan"))


def test_an_oasis_gains_a_worker_for_each_pair_of_an_opponent() -> None:
    seats = player(ROMANS, goods="12 worker"), player(EGYPTIANS, locations=["Oasis"])
    result = after(table(*seats), move("exchange", for_=["wood"] * 6))
    assert (held(result), held(result, 1)) == ({"wood": 6}, {"worker": 4})
    assert things(result, "Oasis", 1) == {"gained": 4}
    three = player(EGYPTIANS, locations=[{"card": "Oasis", "gained": 3}])
    assert held(after(table(seats[0], three), move("exchange", for_=["wood"] * 2)), 1) == {"worker": 1}


def test_a_temple_of_ra_controls_a_location_for_the_round() -> None:
    seat = player(EGYPTIANS, goods="2 worker", locations=["Temple of Ra"])
    used = {"card": "Castle", "used": 1}
    other = player(BARBARIANS, goods="1 worker 2 wood", hand=["Old Forest", "Raid"], locations=[used, "Village"])
    position = table(seat, other, decks={"common": ["Mill", "Town"]})
    taken = after(position, use("Temple of Ra", target=1, at="Castle"))
    assert things(taken, "Castle", 1) == {"used": 1, "goods": {"worker": 1}, "controlled_by": 0}
    assert things(taken, "Temple of Ra") == {"used": 1}
    assert (held(taken), taken["players"][1]["score"]["common"]) == ({"worker": 2}, 2)
    lent = use("Temple of Ra", at="Castle")
    wait = move("build", 1, card="Old Forest")
    result = after(position, lent, wait, use("Castle", owner=1))
    assert (held(result)["card"], things(result, "Castle", 1)["used"]) == (1, 2)
    assert "Castle is controlled" in refused(position, move("activate", 1, location="Castle"), lent)
    assert "discarded" in refused(position, move("build", 1, card="Raid", discard="Castle"), lent)
    production = after(position, use("Temple of Ra", at="Village"))
    assert held(production) == {"worker": 2}
    assert production["players"][1]["production"]["worker"] == 6


def test_a_controlled_location_is_given_back_in_cleanup() -> None:
    castle = {"card": "Castle", "controlled_by": 0}
    seats = player(EGYPTIANS, goods="2 worker"), player(BARBARIANS, locations=[castle])
    position = table(*seats)
    assert "Castle" not in inspect(position)["legal"].get("activate", {})
    assert held(after({**position, "decks": {"common": ["Mill"]}}, use("Castle", owner=1))) == {"worker": 1, "card": 1}
    cleaned = after({**position, "phase": "cleanup"}, move("cleanup", None))
    assert cleaned["players"][1]["on"] == {}


def test_the_wood_for_a_controlled_location_goes_to_the_egyptians() -> None:
    castle = {"card": "Mill", "controlled_by": 0}
    seats = player(EGYPTIANS), player(BARBARIANS, locations=[castle]), player(ROMANS, goods="2 raze")
    result = after(table(*seats, first=2), move("raze", 2, target=1, at="Mill"))
    assert (held(result), held(result, 1), result["players"][1]["foundations"]) == ({"wood": 1}, {}, 1)


def test_a_desert_costs_an_opponent_a_card() -> None:
    seat = player(EGYPTIANS, hand=["Mill", "Town"], locations=["Desert"])
    other = player(ROMANS, hand=["Baker", "Legion"])
    result = after(table(seat, other), use("Desert", card="Mill", target=1, gives="Legion"))
    assert held(result) == {"vp": 1, "card": 1}
    assert (result["players"][1]["hand"], result["players"][1]["discard"]) == (["Baker"], ["Legion"])
    assert (result["discards"], things(result, "Desert")) == ({"common": ["Mill"]}, {"used": 1})
    empty = after(table(seat, player(ROMANS)), use("Desert", card="Town", target=1))
    assert held(empty) == {"vp": 1, "card": 1}
    assert "several" in refused(table(seat, other), use("Desert", card="Mill"))


def test_a_desert_means_no_player_who_has_passed_though_nobody_has_a_card() -> None:
    seat = player(EGYPTIANS, hand=["Mill"], locations=["Desert"])
    passed = table(seat, player(ROMANS, passed=True, hand=["Town"]))
    assert "has passed" in refused(passed, use("Desert", target=1))
    assert "no opponent of itself" in refused(table(seat, player(ROMANS)), use("Desert", target=0))


def test_cards_of_a_location_between_two_others_may_be_said_with_it() -> None:
    seat = player(ROMANS, goods={"food": 1}, locations=["Porters", "Farmers at Work", "Watchtower"], deck=["Builder"])
    choices = {"Farmers at Work": {"at": "Watchtower", "draw": ["faction"]}}
    move = use("Porters", at="Farmers at Work", choices=choices)
    result = after(table(seat, player(EGYPTIANS), decks={"common": ["Mill"]}), move)
    assert result["players"][0]["hand"] == ["Builder"]


def test_a_free_location_is_an_action() -> None:
    seat = player(EGYPTIANS, hand=["Desert", "Ruins"], deck=["Caravan"])
    position = table(seat, decks={"common": ["Mill"]})
    result = after(position, move("build", card="Desert", draw=["faction", "common"]))
    assert (result["players"][0]["hand"], result["to_move"]) == (["Ruins", "Caravan", "Mill"], 1)
    assert inspect(position)["legal"]["build"] == {"Desert": {}, "Ruins": {}}
    assert held(after(position, move("build", card="Ruins", pay={}))) == {"worker": 1, "card": 1}


def test_a_sphinx_adds_a_point_to_two_or_more_at_once() -> None:
    seat = player(EGYPTIANS, goods="2 gold 1 worker", locations=["Sphinx", "Sphinx", "Goldsmith", "Golden Bazaar"])
    assert held(after(table(seat), use("Goldsmith"))) == {"gold": 1, "vp": 5}
    one = player(EGYPTIANS, goods="1 food", locations=["Sphinx", "Golden Bazaar"])
    assert held(after(table(one), use("Golden Bazaar"))) == {"gold": 1, "vp": 1}
    guard = player(EGYPTIANS, locations=["Sphinx", "Pharaoh's Guard"])
    take = {"choices": {"Pharaoh's Guard": {"take": "vp"}}}
    assert held(after(table(guard, phase="production"), move("produce", **take)))["vp"] == 3


def test_a_slaver_is_paid_for_points() -> None:
    seat = player(EGYPTIANS, goods="3 stone 1 gold", hand=["Pyramid"], locations=["Slaver"])
    build = move("build", card="Pyramid", pay="2 stone")
    assert held(after(table(seat), build)) == {"stone": 2, "gold": 2}
    gold = after(table(seat), {**build, "choices": {"Slaver": {"pay": {"gold": 1}}}})
    assert held(gold) == {"stone": 2, "gold": 1, "vp": 2}
    stone = after(table(seat), {**build, "choices": {"Slaver": {"pay": {"stone": 1}}}})
    assert held(stone) == {"stone": 1, "gold": 2, "vp": 1}
    wrong = {**build, "choices": {"Slaver": {"pay": {"worker": 1}}}}
    assert "Slaver" in refused(table(seat), wrong)
    own = player(EGYPTIANS, goods="1 stone 1 gold", hand=["Slaver"], foundations=1)
    paid = move("build", card="Slaver", pay="1 stone", choices={"Slaver": {"pay": {"gold": 1}}})
    assert held(after(table(own), paid)) == {"vp": 2}
    produced = player(EGYPTIANS, goods="1 food", hand=["Caravan"], locations=["Slaver"])
    nothing = move("build", card="Caravan", choices={"Slaver": {"pay": {"gold": 1}}})
    assert "pay" in refused(table(produced), nothing)


def test_royal_bath_frees_another_action_location() -> None:
    locations = [{"card": "Goldsmith", "used": 1}, {"card": "Castle", "used": 2}, "Royal Bath"]
    seat = player(EGYPTIANS, goods="2 gold", locations=locations)
    result = after(table(seat), use("Royal Bath", pay="1 gold", at="Goldsmith"))
    assert (things(result, "Goldsmith"), things(result, "Castle")["used"]) == ({}, 2)
    both = after(table(seat), use("Royal Bath", times=2, each=[{"at": "Castle"}, {"at": "Goldsmith"}]))
    assert set(both["players"][0]["on"]) == {"Royal Bath"}
    assert things(both, "Royal Bath") == {"used": 2, "goods": {"gold": 2}}
    one = player(EGYPTIANS, goods="2 gold", locations=[{"card": "Castle", "used": 1}, "Royal Bath"])
    assert inspect(table(one))["legal"]["activate"] == {"Royal Bath": 1}
    assert "nothing" in refused(table(one), use("Royal Bath", times=2, each=[{"at": "Castle"}, {"at": "Castle"}]))


def test_a_scorpion_breeder_blocks_a_location_for_the_round() -> None:
    seat = player(EGYPTIANS, goods="1 worker", locations=["Scorpion Breeder"])
    other = player(ROMANS, goods="3 worker", locations=[{"card": "Castle", "used": 1}, "Village"])
    result = after(table(seat, other), use("Scorpion Breeder", target=1, at="Castle"))
    assert things(result, "Castle", 1)["blocked"] is True
    assert "Castle" not in result["legal"].get("activate", {})
    blocked = {**table(seat, other, first=1)}
    blocked["players"][1]["locations"][0] = {"card": "Castle", "blocked": True}
    assert "blocked" in refused(blocked, move("activate", 1, location="Castle"))


# ---- Romans ----


def test_a_trade_colony_has_three_colours() -> None:
    seat = player(ROMANS, goods="1 wood 2 stone", hand=["Trade Colony"], locations=["Mill", "Headquarters", "Gardens"])
    build = move("build", card="Trade Colony", discard="Gardens", choices={"Headquarters": {"take": "vp"}})
    assert held(after(table(seat), build)) == {"worker": 1, "gold": 2, "vp": 2}
    rubble = player(ROMANS, locations=["Trade Colony", "Rubble"])
    assert inspect(table(rubble))["players"][0]["production"]["stone"] == 3


def test_spies_take_a_deal_and_gain_its_good() -> None:
    seat = player(ROMANS, goods="1 worker", locations=["Spies"])
    other = player(JAPANESE, deals=["Casino", {"card": "Spies", "of": 0}])
    result = after(table(seat, other), use("Spies", pay="1 worker", deal="Casino"))
    assert held(result) == {"gold": 1, "vp": 1}
    assert (result["players"][0]["deals"], result["players"][1]["deals"]) == (["Casino"], ["Spies"])
    assert "Spies is no deal" in refused(table(seat, other), use("Spies", deal="Spies"))


def test_engineers_take_a_location_out_of_the_game() -> None:
    seat = player(ROMANS, goods="2 worker", locations=["Engineers"])
    other = player(JAPANESE, locations=[{"card": "Gate", "tucked": 2}, "Mill"])
    result = after(table(seat, other), use("Engineers", target=1, at="Gate"))
    assert held(result) == {"vp": 1}
    assert (result["players"][1]["locations"], result["players"][1]["discard"]) == (["Mill"], [])


def test_warehouses_store_resources() -> None:
    seat = player(ROMANS, goods="1 wood 2 stone 3 food 4 gold 5 worker 6 raze 1 defence", locations=["Warehouses"])
    result = after(table(seat, phase="cleanup"), move("cleanup", None))
    assert held(result) == {"wood": 1, "stone": 2, "food": 3, "raze": 6}


@pytest.mark.parametrize(("good", "gained"), [("gold", {"gold": 1}), ("vp", {"vp": 1})])
def test_an_administration_building_gives_gold_or_a_point(good: str, gained: dict[str, int]) -> None:
    seat = player(ROMANS, goods="1 food", hand=["Roman Barracks"], locations=["Administration Building"], foundations=1)
    build = move("build", card="Roman Barracks", discard="foundation")
    choices = {"Administration Building": {"take": good}}
    assert held(after(table(seat), {**build, "choices": choices})) == {"worker": 2, **gained}
    assert "several" in refused(table(seat), build)
    two = {**seat, "locations": ["Administration Building", "Administration Building"]}
    both = {**choices, "Administration Building#2": {"take": "vp"}}
    result = after(table(two), {**build, "choices": both})
    assert sum(number for good, number in held(result).items() if good in ("gold", "vp")) == 2


def test_cards_of_a_printed_deck_take_no_entry() -> None:
    seat = player(ROMANS, goods="1 food", hand=["Legion"], foundations=1)
    position = table(seat, decks={"common": ["Mill", "Town", "Baker"]})
    result = after(position, move("build", card="Legion", discard="foundation"))
    assert result["players"][0]["hand"] == ["Mill", "Town"]
    named = after(position, move("build", card="Legion", discard="foundation", draw=["faction"]))
    assert named["players"][0]["hand"] == ["Mill", "Town"]


def test_an_architect_keeps_one_of_two_faction_cards() -> None:
    deck = ["Legion", "Spies", "Gardens"]
    seat = player(ROMANS, goods="2 stone", hand=["Architect"], foundations=1, deck=deck)
    result = after(table(seat), move("build", card="Architect", discard="foundation", keep="Spies"))
    assert (result["players"][0]["hand"], result["players"][0]["deck"]) == (["Spies"], 2)
    wrong = move("build", card="Architect", discard="foundation", keep="Gardens")
    assert refused(table(seat), wrong) == "Gardens is not among the cards looked at"
    produced = table({**seat, "hand": [], "locations": ["Architect"]}, phase="production")
    kept = move("produce", choices={"Architect": {"keep": "Legion"}})
    assert after(produced, kept)["players"][0]["hand"] == ["Legion"]
    assert inspect(produced)["players"][0]["production"]["card"] == 1


# ---- Barbarians ----


def test_rabble_razes_an_own_common_location() -> None:
    seat = player(BARBARIANS, goods="2 worker", locations=["Rabble", "Armorer", "Raid", "Ruins"])
    result = after(table(seat), use("Rabble", pay="2 worker", at="Armorer"))
    assert held(result) == {"wood": 1, "stone": 1, "vp": 2}
    assert (result["players"][0]["foundations"], result["players"][0]["locations"]) == (1, ["Rabble", "Raid", "Ruins"])
    assert "Ruins" in refused(table(seat), use("Rabble", at="Ruins"))


def test_pack_gains_a_good_without_razing() -> None:
    seat = player(BARBARIANS, goods="2 worker", locations=["Pack", "Raid"])
    other = player(ROMANS, locations=[{"card": "Armorer", "defence": True}, "Tavern"])
    each = [{"at": "Armorer", "take": "stone"}, {"at": "Tavern", "take": "card", "draw": ["common"]}]
    position = table(seat, other, decks={"common": ["Mill"]})
    result = after(position, use("Pack", times=2, each=each))
    assert held(result) == {"stone": 1, "card": 1}
    assert result["players"][1]["locations"] == ["Armorer", "Tavern"]
    assert "several" in refused(position, use("Pack", at="Armorer"))


def test_mission_chooses_the_deck_of_each_card() -> None:
    seat = player(BARBARIANS, goods="1 worker", locations=["Mission"], deck=["Idol", "Raid"])
    position = table(seat, decks={"common": ["Mill", "Town"]})
    look = use("Mission", draw=["faction", "common"], keep="Mill")
    result = after(position, look)
    assert (result["players"][0]["hand"], result["players"][0]["discard"]) == (["Mill"], ["Idol"])
    both = after(position, use("Mission", keep="Town"))
    assert (both["players"][0]["hand"], both["discards"]) == (["Town"], {"common": ["Mill"]})


def test_robbers_discard_a_deal_even_one_by_trade_route() -> None:
    seat = player(BARBARIANS, goods="2 worker", locations=["Robbers", "Raid"], deck=["Idol"])
    other = player(JAPANESE, deals=["Casino", {"card": "Raid", "of": 0}])
    result = after(table(seat, other), use("Robbers", deal="Raid", draw=["faction"]))
    assert (held(result), result["players"][1]["deals"]) == ({"vp": 1, "card": 1}, ["Casino"])
    assert after(table(seat, other), use("Robbers", deal="Casino"))["players"][1]["discard"] == ["Casino"]


def test_dark_chapel_razes_and_turns_goods_into_points() -> None:
    seat = player(BARBARIANS, goods="3 raze", hand=["Wood Storage"], locations=["Dark Chapel"])
    other = player(ROMANS, locations=[{"card": "Mill", "defence": True}, "Town", "Ruins"])
    position = table(seat, other)
    hand = after(position, use("Dark Chapel", pay="1 raze", card="Wood Storage", convert="1 wood"))
    assert held(hand) == {"raze": 2, "wood": 1, "vp": 2}
    guarded = after(position, use("Dark Chapel", pay="3 raze", target=1, at="Mill", convert="1 worker 1 food"))
    assert held(guarded) == {"vp": 4, "card": 1}
    assert held(guarded, 1) == {"wood": 1}
    assert held(after(position, use("Dark Chapel", at="Town"))) == {"raze": 1, "worker": 2, "card": 1}
    assert "price" in refused(position, use("Dark Chapel", pay="2 raze", at="Mill"))
    assert "Ruins" in refused(position, use("Dark Chapel", at="Ruins"))
    rich = table({**seat, "goods": {"raze": 1, "gold": 3}}, other)
    assert held(after(rich, use("Dark Chapel", pay="1 raze", card="Wood Storage"))) == {"gold": 3, "wood": 2}
    few = table({**seat, "goods": {"raze": 2}}, other)
    assert "Mill" in refused(few, use("Dark Chapel", at="Mill"))
    points = player(BARBARIANS, goods="2 raze", hand=["Tavern", "Armorer"], locations=["Dark Chapel"])
    assert "convert" in refused(table(points), use("Dark Chapel", card="Tavern", convert="1 gold"))
    assert held(after(table(points), use("Dark Chapel", card="Armorer", convert="1 stone")))["vp"] == 3


def test_saboteurs_take_a_resource_of_a_supply() -> None:
    seat = player(BARBARIANS, goods="1 worker", locations=["Saboteurs"])
    other, third = player(ROMANS, goods="1 wood 1 gold"), player(JAPANESE, goods="1 wood 1 food")
    position = table(seat, other, third)
    result = after(position, use("Saboteurs", target=2, take="food"))
    assert (held(result), held(result, 2)) == ({"food": 1}, {"wood": 1})
    assert held(after(position, use("Saboteurs", target=1)), 1) == {"gold": 1}
    assert "gold" in refused(position, use("Saboteurs", target=1, take="gold"))
    assert "stone" in refused(position, use("Saboteurs", take="stone"))


def test_raid_answers_to_razing_from_the_hand_too() -> None:
    seat = player(BARBARIANS, goods="3 raze", hand=["Mill"], locations=["Raid", "Gallows"])
    other = player(ROMANS, locations=["Town"])
    assert held(after(table(seat, other), move("raze", card="Mill")))["vp"] == 2
    assert held(after(table(seat, other), move("raze", at="Town")))["vp"] == 2


def test_barter_takes_any_two_resources() -> None:
    seat = player(BARBARIANS, goods="1 wood 1 food 1 gold", locations=["Barter"])
    position = table(seat)
    assert held(after(position, use("Barter", pay="1 wood 1 food"))) == {"gold": 1, "vp": 2}
    assert held(after(position, use("Barter", pay="1 gold 1 food"))) == {"wood": 1, "vp": 2}
    assert inspect(position)["legal"]["activate"] == {"Barter": 1}
    assert "cannot be paid" in refused(position, use("Barter", pay="1 stone 1 food"))


# ---- Common ----


def test_imperial_messenger_gains_from_an_own_deal() -> None:
    seat = player(
        JAPANESE, goods="2 worker", locations=["Imperial Messenger"], deals=["Casino", {"card": "Spies", "of": 1}]
    )
    position = table(seat, player(ROMANS, locations=["Spies"]), decks={"common": ["Mill"]})
    assert held(after(position, use("Imperial Messenger", deal="Casino"))) == {"worker": 1, "gold": 1}
    assert held(after(position, use("Imperial Messenger", deal="Spies", draw=["common"])))["card"] == 1
    assert "several" in refused(position, use("Imperial Messenger"))


def test_hanseatic_league_is_paid_with_deals() -> None:
    seat = player(
        JAPANESE, goods="2 worker", locations=["Hanseatic League"], deals=["Casino", {"card": "Spies", "of": 1}]
    )
    position = table(seat, player(ROMANS, locations=["Spies"]))
    each = [{"pay": {"worker": 1}, "deal": "Spies"}, {"deal": "Casino"}]
    result = after(position, use("Hanseatic League", times=2, each=each))
    assert (held(result), result["players"][0]["deals"]) == ({"vp": 4}, [])
    assert result["players"][0]["discard"][0] == "Casino"
    assert things(result, "Hanseatic League") == {"used": 2, "goods": {"worker": 2}}


def test_a_tavern_is_paid_with_a_hand_card() -> None:
    seat = player(ROMANS, hand=["Mill", "Legion"], locations=["Tavern"])
    result = after(table(seat), use("Tavern", card="Legion"))
    assert (held(result), result["players"][0]["discard"]) == ({"vp": 2, "card": 1}, ["Legion"])
    assert things(result, "Tavern") == {"used": 1}
    assert "several" in refused(table(seat), use("Tavern"))
    assert refused(table(player(ROMANS, locations=["Tavern"])), use("Tavern")) == "there is no hand card to pay with"


def test_porters_and_farmers_let_others_produce() -> None:
    seat = player(BARBARIANS, goods="1 food", locations=["Porters", "Farmers at Work", "Settlement", "Watchtower"])
    position = table({**seat, "deck": ["Idol"]}, decks={"common": ["Mill"]})
    assert held(after(position, use("Porters", at="Settlement"))) == {"worker": 2}
    assert held(after(position, use("Porters", at="Watchtower", draw=["faction"])))["card"] == 1
    chained = use("Porters", at="Farmers at Work", choices={"Farmers at Work": {"at": "Settlement"}})
    assert held(after(position, chained)) == {"worker": 2}
    assert "Porters" in refused(position, use("Porters", at="Porters"))


def test_farmers_at_work_choose_another_location() -> None:
    seat = player(
        BARBARIANS, goods="3 wood", hand=["Farmers at Work"], locations=["Settlement", "Watchtower"], deck=["Idol"]
    )
    position = table(seat, decks={"common": ["Mill"]})
    built = after(position, move("build", card="Farmers at Work", at="Watchtower", draw=["faction", "common"]))
    assert built["players"][0]["hand"] == ["Idol", "Mill"]
    assert held(after(position, move("build", card="Farmers at Work", at="Settlement"))) == {"worker": 2, "card": 1}
    assert "Farmers at Work" in refused(position, move("build", card="Farmers at Work", at="Farmers at Work"))
    both = player(BARBARIANS, locations=["Farmers at Work", "Settlement", "Sentry Tower"])
    told = inspect(table(both))["players"][0]
    assert (told["production"]["worker"], told["production_choices"]) == (5 + 2 + 1, ["Farmers at Work"])
    one = inspect(table(player(BARBARIANS, locations=["Farmers at Work", "Settlement"])))["players"][0]
    assert (one["production"]["worker"], one["production_choices"]) == (5 + 4, [])
    chosen = move("produce", choices={"Farmers at Work": {"at": "Sentry Tower"}})
    assert held(after(table(both, phase="production"), chosen))["raze"] == 3


def test_ruins_have_no_colour_and_cannot_be_razed() -> None:
    seats = player(BARBARIANS, goods="5 raze", hand=["Ruins"]), player(ROMANS, locations=["Ruins"])
    position = table(*seats)
    assert {"raze", "raze_hand"} & set(inspect(position)["legal"]) == set()
    assert refused(position, move("raze", card="Ruins")) == "Ruins cannot be razed"
    assert refused(position, move("raze", target=1, at="Ruins")) == "Ruins cannot be razed"


def test_settlers_build_a_faction_card_without_its_location() -> None:
    hand = ["Sentry Tower", "Raid", "Mill"]
    seat = player(BARBARIANS, goods="3 wood 1 gold", hand=hand, locations=["Settlers"])
    build = {"card": "Sentry Tower", "pay": {"wood": 1, "gold": 1}}
    result = after(table(seat), use("Settlers", pay="1 wood", build=build))
    assert held(result) == {"wood": 1, "raze": 1, "worker": 1, "card": 2}
    assert result["players"][0]["locations"] == ["Settlers", "Sentry Tower"]
    assert things(result, "Settlers") == {"used": 1, "goods": {"wood": 1}}
    assert "Mill is not" in refused(table(seat), use("Settlers", build={"card": "Mill"}))
    assert "several" in refused(table(seat), use("Settlers"))


def test_the_new_location_of_settlers_has_its_own_decisions() -> None:
    seat = player(
        ROMANS, goods="3 stone 1 wood", hand=["Architect", "Mill"], locations=["Settlers"], deck=["Legion", "Spies"]
    )
    build = {"card": "Architect", "pay": {"stone": 2}, "keep": "Spies"}
    assert after(table(seat), use("Settlers", build=build))["players"][0]["hand"] == ["Mill", "Spies"]


def test_an_acting_troupe_frees_a_location_that_can_be_used_twice() -> None:
    seat = player(ROMANS, goods="3 worker", locations=["Acting Troupe", {"card": "Gold Mine", "used": 2}])
    result = after(table(seat), use("Acting Troupe"))
    assert result["players"][0]["on"].keys() == {"Acting Troupe"}


def test_pharaohs_guard_gives_a_token_or_points() -> None:
    seat = player(EGYPTIANS, goods="2 food", hand=["Pharaoh's Guard"], foundations=1)
    build = move("build", card="Pharaoh's Guard", discard="foundation", take="raze")
    assert held(after(table(seat), build)) == {"raze": 1}
    assert "several" in refused(table(seat), {key: build[key] for key in build if key != "take"})
    told = inspect(table(player(EGYPTIANS, locations=["Pharaoh's Guard"])))["players"][0]
    assert (told["production"]["raze"], told["production_choices"]) == (1, ["Pharaoh's Guard"])


def test_of_one_location_with_several_goods_the_good_is_asked_for() -> None:
    seat = player("barbarians", goods={"worker": 1}, locations=["Pack"])
    position = table(seat, player(ROMANS, locations=["Mill"]))
    assert "food, worker" in refused(position, use("Pack", target=1, at="Mill"))
    assert "no location" in refused(position, use("Pack", target=1, at="Farm"))
