"""The nations whose rules differ: Vikings, Arthurians, Atlanteans, Utopians, Carthaginians and Qin."""

from __future__ import annotations

from typing import Any

import pytest

from sim.games.imperium.rules import constants
from sim.games.imperium.rules.knowledge import knows_nation
from tests.games.imperium.playing import (
    amount,
    develop,
    draws,
    exhaust,
    market,
    may_play,
    may_use,
    no,
    option,
    pick,
    play,
    solstice,
    solstice_of,
    turn,
    use,
    yes,
)
from tests.games.imperium.tables import card, have, names, position, tables_with

MARKET = ("Oasis", "Elders", "Education", "City", "Diplomacy")
DECKS: dict[str, Any] = {
    "regions": ["2REG10", "2REG2"],
    "uncivilised": ["2UNC6", "2UNC7"],
    "civilised": ["2CIV10", "2CIV14"],
    "main": ["Hills", "2TRI1"],
}


def seat_of(faction: str, /, **zones: Any) -> Any:
    """Lay out a position of a nation against the Romans."""
    return position(nations=(faction, "Romans B"), **{"market": MARKET, **DECKS, **zones})


# ---- Vikings ----


def test_vikings_discard_what_would_go_into_history_and_that_pays_for_it() -> None:
    g = seat_of("Vikings A", hand={0: ["1CIV2", "Glory"]}, discard={0: ["Prosperity"]}, empire=[0], market=())
    play(g, "Education", pick("Glory"), pick("Prosperity"))
    assert names(g, 0, constants.HISTORY) == []
    assert sorted(names(g, 0, constants.DISCARD_PILE)) == ["Education", "Glory", "Prosperity"]
    g = seat_of("Vikings A", play={0: ["MIN12"]}, discard={0: ["Glory"]}, deck={0: ["Prosperity"]})
    use(g, "Writing Systems")
    assert (names(g, 0, constants.DISCARD_PILE), names(g, 0, constants.HAND)) == (["Glory"], ["Prosperity"])


def test_the_zenith_triggers_scoring_and_makes_no_empire() -> None:
    g = seat_of("Vikings A", nation={0: ["Harald Hardrada"]})
    draws(g)
    assert (g.ending, g.state[0], names(g, 0, constants.HAND)) == (
        constants.HARALD_HARDRADA,
        constants.BARBARIAN,
        ["Harald Hardrada"],
    )
    g = seat_of("Vikings B", nation={0: ["Harald Hardrada"]}, hand={0: ["1TRI3"]})
    play(g, "1TRI3")
    assert (g.ending, g.state[0]) == (constants.HARALD_HARDRADA, constants.BARBARIAN)


def test_vikings_with_an_empty_nation_deck_only_reshuffle() -> None:
    g = seat_of("Vikings A", discard={0: ["Glory"]})
    draws(g)
    assert (g.nation_exhausted[0], g.exhausts[0], names(g, 0, constants.HAND)) == (0, 5, ["Glory"])


@pytest.mark.parametrize("wish", [yes(), no()])
def test_vikings_look_at_their_nation_deck_when_they_take_unrest_with_a_market_card_too(wish: Any) -> None:
    g = seat_of(
        "Vikings B",
        hand={0: ["VIK18"]},
        nation={0: ["Harald Hardrada", "Iceland", "Combs"]},
        resources={0: (3, 0, 0)},
    )
    play(g, "Advance", market("Elders"), wish)
    moved = wish.value == 1
    assert names(g, 0, constants.NATION)[-1] == ("Iceland" if moved else "Combs")
    assert names(g, 0, constants.NATION)[0] == "Harald Hardrada"
    assert knows_nation(g, 0) == (0 if moved else 1)


def test_whether_unrest_under_a_market_card_is_taken_is_a_setting() -> None:
    t = tables_with(tucked_unrest_is_taken=False)
    zones = {"hand": {0: ["VIK18"]}, "nation": {0: ["Harald Hardrada", "Iceland", "Combs"]}}
    g = seat_of("Vikings B", **zones, resources={0: (3, 0, 0)}, t=t)
    play(g, "Advance", market("Elders"), t=t)
    assert knows_nation(g, 0) == 0


def test_vikings_draw_for_unrest_they_return() -> None:
    g = seat_of("Vikings A", hand={0: ["Unrest"]}, deck={0: ["Glory", "Prosperity"]}, resources={0: (0, 1, 0)})
    play(g, "Unrest", yes())
    assert sorted(names(g, 0, constants.HAND)) == ["Glory", "Prosperity"]


def test_combs_let_one_card_of_this_turn_ignore_its_state_icon() -> None:
    g = seat_of("Vikings A", play={0: ["VIK4"]}, hand={0: ["1CIV12", "2CIV12"]})
    assert not may_play(g, "1CIV12")
    use(g, "Combs")
    play(g, "1CIV12")
    assert not may_play(g, "2CIV12")


def test_longships_acquire_regions_from_exile_and_bring_a_population() -> None:
    g = seat_of("Vikings A", play={0: ["VIK10"]}, hand={0: ["VIK22"]}, exile=["Coast"], resources={0: (2, 1, 0)})
    g.market[0] = constants.NO_CARD
    play(g, "Jomsviking", yes())
    assert (names(g, 0, constants.HAND), have(g)) == (["Coast"], [2, 1, 0])


def test_vikings_take_king_of_kings_as_barbarians() -> None:
    g = seat_of("Vikings A", hand={0: ["VIK12"]})
    play(g, "Rollo the Walker")
    assert have(g) == [0, 0, 6]
    assert names(g, constants.TABLE, constants.EXILE_PILE) == ["Rollo the Walker"]


def test_vikings_never_develop() -> None:
    g = seat_of("Vikings A", hand={0: ["EGY3"]}, development={0: ["EGY4"]}, empire=[0], resources={0: (9, 9, 9)})
    play(g, "Development", market("Elders"))
    assert names(g, 0, constants.DEVELOPMENT) == ["Embalming"]


# ---- Arthurians ----

QUESTS = ["Graal", "Lawnslot Llyn (Sir Lancelot)", "Excalibur"]


def test_the_court_makes_an_impending_quest_the_active_one_for_an_unrest() -> None:
    g = seat_of("Arthurians A", development={0: QUESTS})
    solstice_of(g, "King Arthur's Court", yes(), pick("Excalibur"))
    assert names(g, 0, constants.GARRISON) == ["Excalibur"]
    assert names(g, 0, constants.HAND) == ["Unrest"]
    solstice_of(g, "King Arthur's Court")
    assert names(g, 0, constants.GARRISON) == ["Excalibur"]


def test_the_graal_becomes_active_only_as_the_last_quest() -> None:
    g = seat_of("Arthurians A", development={0: ["Graal", "Excalibur"]})
    solstice_of(g, "King Arthur's Court", yes())
    assert names(g, 0, constants.GARRISON) == ["Excalibur"]
    g = seat_of("Arthurians A", development={0: ["Graal"]})
    solstice_of(g, "King Arthur's Court", yes())
    assert names(g, 0, constants.GARRISON) == ["Graal"]
    assert g.ending == constants.NOT_ENDING


def test_myrddin_takes_the_active_quest_to_the_hand_for_three_knights() -> None:
    g = seat_of(
        "Arthurians A",
        hand={0: ["ART23"]},
        play={0: ["ART12", "ART21"]},
        garrison={
            0: {"ART12": ["Bedwyr", "Cai (Sir Kay)"], "ART21": ["King Arthur"], "King Arthur's Court": ["Excalibur"]}
        },
    )
    play(g, "Myrddin Wyllt (Merlin)", pick("Bedwyr"), pick("King Arthur"))
    assert names(g, 0, constants.HAND) == ["Excalibur"]
    assert names(g, 0, constants.GARRISON) == []
    assert len(names(g, 0, constants.DISCARD_PILE)) == 4


def test_morigena_puts_the_quest_and_a_nation_card_into_the_discard_pile() -> None:
    g = seat_of(
        "Arthurians A",
        hand={0: ["ART16"]},
        play={0: ["ART12"]},
        garrison={0: {"ART12": ["ART23"], "King Arthur's Court": ["Excalibur"]}},
        nation={0: ["Gwaith Camlan", "Bedwyr"]},
    )
    play(g, "Morigena", yes())
    assert {"Excalibur", "Bedwyr"} <= set(names(g, 0, constants.DISCARD_PILE))
    assert names(g, 1, constants.HAND) == ["Unrest"]


def test_the_graal_triggers_scoring() -> None:
    g = seat_of("Arthurians A", hand={0: ["Graal"]}, history={0: ["Glory"]}, exile=["Coast", "Bedwyr"])
    play(g, "Graal", pick("Glory"))
    assert g.ending == constants.GRAAL
    assert names(g, 0, constants.HAND) == ["Glory"]


def test_the_nadir_enters_play_instead_of_being_shuffled_and_makes_no_empire() -> None:
    g = seat_of("Arthurians A", nation={0: ["Gwaith Camlan"]}, discard={0: ["Glory"]})
    draws(g)
    assert "Gwaith Camlan" in names(g, 0, constants.PLAY)
    assert (names(g, 0, constants.HAND), names(g, 0, constants.DECK), g.state[0]) == (
        ["Glory"],
        [],
        constants.BARBARIAN,
    )


def test_gwaith_camlan_takes_a_knight_or_two_unrest_and_stays() -> None:
    g = seat_of("Arthurians A", play={0: ["ART8"]}, hand={0: ["Bedwyr"]})
    solstice_of(g, "Gwaith Camlan", option(0))
    assert names(g, 0, constants.HISTORY) == ["Bedwyr"]
    solstice_of(g, "Gwaith Camlan")
    assert names(g, 0, constants.HAND) == ["Unrest", "Unrest"]
    g = position(
        nations=("Romans B", "Arthurians A"),
        hand={0: ["GRE7", "Glory", "Unrest"]},
        play={1: ["ART8"]},
        empire=[0],
        market=MARKET,
        **DECKS,
    )
    play(g, "Greek Innovation", pick("Unrest"), market("Oasis"))
    assert "Gwaith Camlan" in names(g, 1, constants.PLAY)


def test_cafall_exiles_twrch_trwyth_in_play_or_as_the_active_quest_but_not_with_a_token() -> None:
    cafall = {"hand": {0: ["ART25", "Glory"]}}
    g = seat_of("Arthurians A", **cafall, play={0: ["ART5"]})
    play(g, "Cafall", yes())
    assert names(g, constants.TABLE, constants.EXILE_PILE) == ["Twrch Trwyth"]
    g = seat_of("Arthurians A", **cafall, play={0: ["ART5"]})
    g.exhausted[card("ART5")] = 1
    play(g, "Cafall", yes())
    assert names(g, constants.TABLE, constants.EXILE_PILE) == []
    g = seat_of("Arthurians A", **cafall, garrison={0: {"King Arthur's Court": ["ART5"]}})
    play(g, "Cafall", yes())
    assert names(g, constants.TABLE, constants.EXILE_PILE) == ["Twrch Trwyth"]


def test_twrch_trwyth_plays_an_empire_card_and_exiles_quests_but_the_graal() -> None:
    g = seat_of("Arthurians A", play={0: ["ART5"]}, hand={0: ["1CIV10"]}, resources={0: (0, 0, 1)})
    use(g, "Twrch Trwyth")
    assert "Coinage" in names(g, 0, constants.PLAY)
    g = seat_of("Arthurians A", play={0: ["ART5"]}, hand={0: ["Bedwyr"]}, development={0: ["Graal", "Excalibur"]})
    solstice_of(g, "Twrch Trwyth", yes())
    assert names(g, constants.TABLE, constants.EXILE_PILE) == ["Excalibur"]


def test_a_knight_garrisons_itself_in_a_region_which_works_again() -> None:
    g = seat_of("Arthurians A", hand={0: ["ART14", "Glory"]}, play={0: ["ART12"]}, deck={0: ["Prosperity"]})
    play(g, "Gwalchmei (Sir Gawain)", pick("ART12"))
    assert "Gwalchmei (Sir Gawain)" in names(g, 0, constants.GARRISON)
    assert sorted(names(g, 0, constants.HAND)) == ["Glory", "Prosperity", "Unrest"]


# ---- Atlanteans ----


def test_atlanteans_sink_a_region_with_its_garrison() -> None:
    g = seat_of("Atlanteans B", hand={0: ["ATL12"]}, play={0: ["1REG4"]}, garrison={0: {"1REG4": ["Glory"]}})
    play(g, "Flood", market("Elders"))
    assert sorted(names(g, 0, constants.SUNKEN)) == ["Coast", "Flood", "Glory"]
    assert sorted(names(g, 0, constants.HAND)) == ["Elders", "Unrest"]


def test_a_flood_without_a_region_does_nothing_and_is_discarded() -> None:
    g = seat_of("Atlanteans B", hand={0: ["ATL12"]})
    play(g, "Flood")
    assert (names(g, 0, constants.SUNKEN), names(g, 0, constants.DISCARD_PILE)) == ([], ["Flood"])


def test_others_who_are_told_to_sink_discard() -> None:
    g = seat_of("Romans B", hand={0: ["ATL12"]}, play={0: ["1REG4"]}, empire=[0])
    play(g, "Flood", market("Elders"))
    assert (sorted(names(g, 0, constants.DISCARD_PILE)), names(g, 0, constants.SUNKEN)) == (["Coast", "Flood"], [])


def test_the_power_answers_to_each_sunken_card_with_one_exhaust_token() -> None:
    g = seat_of("Atlanteans A", hand={0: ["ATL12"]}, play={0: ["1REG4"]}, discard={0: ["Glory", "Prosperity"]})
    play(g, "Flood", yes(), pick("Glory"), market("Elders"))
    assert (names(g, 0, constants.DECK), g.exhausts[0]) == (["Glory"], 4)


def test_atlanteans_start_as_empire_and_develop_at_every_reshuffle() -> None:
    g = seat_of("Atlanteans B", development={0: ["ATL7"]}, resources={0: (0, 0, 2)}, discard={0: ["Glory"]})
    assert g.state[0] == constants.EMPIRE
    draws(g, develop("Myths and Legends"))
    assert (names(g, 0, constants.DEVELOPMENT), g.ending) == ([], constants.LAST_DEVELOPMENT)


def test_the_palace_sinks_when_the_mountain_leaves_play() -> None:
    g = seat_of("Atlanteans B", hand={0: ["ATL12"]}, play={0: ["ATL10", "ATL3"]})
    play(g, "Flood", market("Elders"))
    assert sorted(names(g, 0, constants.SUNKEN)) == ["Flood", "Mountain of Atlantis", "Palace of Poseidon"]


# ---- Utopians ----


def test_the_journey_costs_all_progress_three_times() -> None:
    g = seat_of("Utopians B", resources={0: (0, 0, 6)})
    assert g.exhausts[0] == 3
    solstice(g)
    assert (names(g, 0, constants.PLAY)[1:], have(g)) == (["Path to Shangri-la"], [0, 0, 0])
    g.resource[0] = (0, 0, 5)
    solstice(g)
    assert (names(g, 0, constants.PLAY)[1:], g.state[0]) == (["Gates of Shangri-la"], constants.EMPIRE)
    g.resource[0] = (0, 0, 5)
    solstice(g)
    assert (names(g, 0, constants.PLAY)[1:], have(g)) == (["Shangri-la"], [0, 0, 0])
    g.resource[0] = (0, 24, 0)
    solstice(g)
    assert g.ending == constants.SHANGRI_LA


def test_with_less_than_five_progress_the_journey_waits() -> None:
    g = seat_of("Utopians B", resources={0: (0, 0, 4)}, hand={0: ["Unrest"]}, deck={0: ["Charity", "Meditation"]})
    solstice(g)
    assert (names(g, 0, constants.PLAY)[1:], names(g, 0, constants.HAND)) == (["Visions of Shangri-la"], ["Meditation"])
    g = seat_of("Utopians B", play={0: ["UTO3B"]}, resources={0: (0, 23, 0)}, power=False)
    solstice(g)
    assert g.ending == constants.NOT_ENDING


def test_shangri_la_turns_material_gained_into_population_and_progress_for_others() -> None:
    g = seat_of("Utopians B", play={0: ["UTO3B"]}, hand={0: ["1REG3"]}, power=False, market=())
    use(g, "Shangri-la")
    assert (have(g), have(g, 1)) == ([0, 2, 0], [0, 0, 1])
    play(g, "1REG3")
    assert (have(g), have(g, 1)) == ([0, 4, 0], [0, 0, 2])


def test_utopians_take_unrest_whenever_their_draw_deck_becomes_empty() -> None:
    g = seat_of("Utopians B", deck={0: ["Charity"]}, discard={0: ["Meditation"]})
    draws(g)
    assert names(g, 0, constants.HAND) == ["Charity", "Unrest"]
    draws(g)
    assert names(g, 0, constants.HAND) == ["Charity", "Unrest", "Meditation", "Unrest"]
    draws(g)
    assert len(names(g, 0, constants.HAND)) == 4


def test_a_card_put_on_an_empty_utopian_deck_empties_it_again() -> None:
    g = seat_of("Utopians B", hand={0: ["UTO12", "UTO10"]}, discard={0: ["Charity"]})
    play(g, "Meditation")
    play(g, "Sacred Scroll", yes(0))
    assert sorted(names(g, 0, constants.HAND)) == ["Charity", "Unrest"]


def test_utopians_take_the_unrest_of_the_clean_up_before_they_go_on_drawing() -> None:
    g = seat_of("Utopians B", deck={0: ["Charity"]}, discard={0: ["UTO13", "UTO14", "UTO15", "UTO16"]})
    turn(g)
    assert len(names(g, 0, constants.HAND)) == 5
    assert names(g, 0, constants.HAND)[:2] == ["Charity", "Unrest"]


def test_visions_cost_an_action_for_a_progress() -> None:
    g = seat_of("Utopians B", hand={0: ["Unrest"]}, resources={0: (0, 1, 0)})
    play(g, "Unrest", yes())
    assert (have(g), g.actions[0]) == ([0, 0, 1], 1)


def test_scrolls_are_garrisoned_for_effects() -> None:
    g = seat_of("Utopians B", play={0: ["UTO5"]}, hand={0: ["UTO12"]})
    use(g, "Portals")
    assert (names(g, 0, constants.GARRISON), names(g, 0, constants.HAND)) == (["Sacred Scroll"], ["Oasis"])
    g = seat_of("Utopians B", play={0: ["UTO5"]}, hand={0: ["Unrest"]})
    assert not may_use(g, "Portals")


def test_others_may_return_unrest_for_the_utopians_population() -> None:
    g = seat_of("Utopians A", hand={0: ["Unrest"], 1: ["Unrest"]})
    solstice_of(g, "UTO1A", yes(1))
    assert (have(g), names(g, 0, constants.HAND), names(g, 1, constants.HAND)) == ([0, 1, 0], ["Unrest"], [])


# ---- Carthaginians and Qin ----


@pytest.mark.parametrize(
    ("nation", "tokens"),
    [("Carthaginians A", [1, 0, 0]), ("Carthaginians B", [2, 0, 0]), ("Qin A", [0, 1, 0]), ("Romans B", [0, 0, 1])],
)
def test_the_market_token_of_the_clean_up(nation: str, tokens: list[int]) -> None:
    g = seat_of(nation, deck={0: ["Glory"]})
    turn(g, market("City"))
    assert list(g.market_tokens[3]) == tokens


def test_their_a_sides_double_such_tokens_gained_with_a_market_card() -> None:
    g = seat_of("Carthaginians A", hand={0: ["CAR16"]}, resources={0: (3, 0, 0)})
    g.market_tokens[1] = (2, 1, 0)
    play(g, "Advance", market("Elders"), yes())
    assert have(g) == [4, 1, 0]
    g = seat_of("Qin A", hand={0: ["QIN19"]}, resources={0: (3, 0, 0)})
    g.market_tokens[1] = (2, 1, 0)
    play(g, "Advance", market("Elders"), yes())
    assert have(g) == [2, 2, 0]


def test_qin_philosophies_displace_each_other() -> None:
    g = seat_of("Qin B", play={0: ["QIN16"]}, hand={0: ["QIN15"]})
    play(g, "Confucianism")
    assert names(g, 0, constants.DISCARD_PILE) == ["Legalism"]


def test_school_of_diplomacy_acquires_for_each_region_abandoned() -> None:
    g = seat_of("Qin B", hand={0: ["QIN17"]}, play={0: ["QIN18", "QIN11"], 1: ["1REG4"]})
    play(g, "School of Diplomacy", pick("QIN18"), market("Oasis"))
    assert names(g, 0, constants.HAND) == ["Oasis"]
    assert names(g, 1, constants.HAND) == ["Coast"]


def test_king_wu_acquires_for_each_progress_paid() -> None:
    g = seat_of(
        "Qin B", hand={0: ["QIN8"]}, play={0: ["QIN22"]}, history={0: ["QIN21"]}, resources={0: (0, 0, 2)}, empire=[0]
    )
    play(g, "King Wu of Qin", amount(2), market("Oasis"), market("Elders"))
    assert sorted(names(g, 0, constants.HAND)) == ["Elders", "Oasis", "Unrest"]
    assert have(g) == [0, 0, 0]


# ---- Olmecs ----


def test_step_pyramids_and_stone_heads_stand_in_for_masks_to_be_discarded() -> None:
    g = seat_of("Olmecs A", play={0: ["OLM15", "OLM3"]}, hand={0: ["OLM12"]})
    use(g, "Ball Games", pick("Step Pyramids"), market("Elders"))
    assert names(g, 0, constants.DISCARD_PILE) == ["Stone Mask"]
    assert (g.exhausts[0], g.actions[0]) == (3, 2)
    g = seat_of("Olmecs A", play={0: ["OLM15", "OLM7"]}, hand={0: ["OLM12"]}, garrison={0: {"OLM7": ["Glory"]}})
    use(g, "Ball Games", pick("Glory"), market("Elders"))
    assert sorted(names(g, 0, constants.DISCARD_PILE)) == ["Glory", "Stone Mask"]
    g = seat_of("Olmecs A", play={0: ["OLM15", "OLM3"]}, hand={0: ["OLM12"]})
    g.exhausts[0] = 1
    assert not may_use(g, "Ball Games")


def test_step_pyramids_stand_in_for_a_mask_from_the_first_action_of_a_turn_on() -> None:
    g = seat_of("Olmecs A", play={0: ["OLM15", "OLM3"]}, hand={0: ["OLM12"]})
    turn(g, exhaust("Ball Games"), pick("Step Pyramids"), market("Elders"))
    assert "Elders" in names(g, 0, constants.HAND)


# ---- Romans ----


def test_romans_look_at_one_more_fame_card_for_a_progress() -> None:
    g = position(
        nations=("Romans A", "Celts B"),
        hand={0: ["ROM14"]},
        play={0: ["ROM11", "ROM12", "ROM20"]},
        fame=["Triumphant", "Great", "Notorious", "Glorious"],
    )
    play(g, "Glory", pick("Great"), pick("Notorious"))
    assert have(g) == [0, 0, 1]
    assert names(g, constants.TABLE, constants.FAME_DECK) == ["Triumphant", "Notorious", "Glorious"]
