"""Unrest, attacks, and the cards that answer to what happens, on small positions."""

from __future__ import annotations

import pytest

from sim.games.imperium.rules.constants import DISCARD_PILE, GARRISON, HAND, HISTORY, POPULATION, PROGRESS
from sim.games.imperium.rules.log import GAINED, KIND, REACTED, RETURNED_UNREST, VALUE
from tests.games.imperium.playing import (
    REVOLTING,
    amount,
    market,
    no,
    option,
    pick,
    pick_from,
    play,
    protect,
    turn,
    yes,
)
from tests.games.imperium.tables import (
    NAMES,
    card,
    have,
    names,
    table,
    tables_with,
    unrest_pile,
)

# ---- Unrest ----


def test_unrest_is_taken_in_turn_order_and_the_last_one_ends_the_game_at_once() -> None:
    g = table(
        players=3, hand={0: ["CEL3"]}, empire=[0], unrest=1, nations=("Celts B", "Romans B", "Greeks B"), market=()
    )
    play(g, "Celtic Innovation")
    assert g.collapsed == 1
    assert (names(g, 1, HAND), names(g, 2, HAND)) == (["Unrest"], [])


def test_an_unrest_under_a_new_market_card_can_be_the_last() -> None:
    g = table(hand={0: ["ROM16"]}, resources={0: (3, 0, 0)}, unrest=1)
    play(g, "Advance", market("Elders"))
    assert g.collapsed == 1


def test_returning_unrest_from_the_named_places() -> None:
    g = table(hand={0: ["1TRI4", "Unrest"]}, discard={0: ["Unrest"]})
    play(g, "Ionians", pick_from(HAND), pick_from(DISCARD_PILE))
    assert unrest_pile(g) == 10
    assert names(g, 0, HISTORY) == ["Ionians"]


def test_all_players_may_return_unrest_and_each_is_counted() -> None:
    g = table(
        players=3,
        hand={0: ["OLM9", "Unrest"], 1: ["Unrest"], 2: ["Unrest"]},
        nations=("Olmecs B", "Romans B", "Celts B"),
    )
    play(g, "Cacao", yes(0), no(1), yes(2))
    assert (have(g), unrest_pile(g)) == ([0, 0, 2], 10)


# ---- Steal and attacks ----


def test_stealing_takes_what_there_is_and_never_progress_instead() -> None:
    g = table(
        players=3,
        hand={0: ["MAC11"]},
        resources={1: (1, 0, 5), 2: (3, 0, 0)},
        nations=("Macedonians B", "Romans B", "Celts B"),
    )
    play(g, "Uxians")
    assert have(g) == [3, 0, 0]
    assert (have(g, 1), have(g, 2)) == ([0, 0, 5], [1, 0, 0])


def test_who_cannot_give_the_full_number_takes_unrest() -> None:
    g = table(players=3, hand={0: ["1FAM3"]}, resources={2: (0, 0, 1)})
    play(g, "Notorious")
    assert (names(g, 1, HAND), names(g, 2, HAND)) == (["Unrest"], [])
    assert have(g) == [0, 0, 1]


def test_cattle_raid_steals_from_those_with_a_region_and_from_empires() -> None:
    g = table(
        players=3,
        hand={0: ["CEL19"]},
        play={1: ["1REG4"]},
        empire=[2],
        resources={1: (1, 0, 1), 2: (1, 0, 1)},
        nations=("Celts B", "Romans B", "Greeks B"),
    )
    play(g, "Cattle Raid")
    assert (have(g), have(g, 1), have(g, 2)) == ([3, 0, 1], [0, 0, 1], [1, 0, 0])


GREEK = {"hand": {0: ["GRE15"]}, "nations": ("Greeks B", "Romans B"), "deck": {0: ["Glory"]}}
"""Greek Mercenaries: 2 material stolen from each other player, who gains a population."""


@pytest.mark.parametrize("shield", ["SCY20", "2TRI2"])
def test_an_exhaust_ability_avoids_an_attack_with_all_it_does_and_gives(shield: str) -> None:
    g = table(**GREEK, play={1: [shield]}, resources={1: (3, 0, 0)})
    play(g, "Greek Mercenaries", protect(NAMES[card(shield)]))
    assert (have(g), have(g, 1)) == ([0, 0, 1], [3, 0, 0])
    assert (g.exhausted[card(shield)], g.exhausts[1]) == (1, 4)
    t = tables_with(avoiding_loses_benefits=False)
    g = table(**GREEK, play={1: [shield]}, resources={1: (3, 0, 0)}, t=t)
    play(g, "Greek Mercenaries", protect(NAMES[card(shield)]), t=t)
    assert have(g, 1) == [3, 1, 0]


def test_an_attack_may_also_be_let_through_and_without_a_token_it_must() -> None:
    g = table(**GREEK, play={1: ["SCY20"]}, resources={1: (3, 0, 0)})
    play(g, "Greek Mercenaries", protect(None))
    assert (have(g), have(g, 1)) == ([2, 0, 1], [1, 1, 0])
    g = table(**GREEK, play={1: ["SCY20"]}, resources={1: (3, 0, 0)})
    g.exhausts[1] = 0
    play(g, "Greek Mercenaries")
    assert have(g, 1) == [1, 1, 0]


def test_a_fortified_region_or_a_daochang_needs_a_population_to_avoid_an_attack() -> None:
    g = table(**GREEK, play={1: ["2REG12"]}, resources={1: (2, 1, 0)})
    play(g, "Greek Mercenaries", protect("Fortified Region"))
    assert have(g, 1) == [2, 0, 0]
    g = table(**GREEK, play={1: ["2REG12"]}, resources={1: (2, 0, 0)})
    play(g, "Greek Mercenaries")
    assert have(g, 1) == [0, 1, 0]
    g = table(**GREEK | {"nations": ("Greeks B", "Utopians B")}, play={1: ["UTO6"]}, resources={1: (2, 0, 1)})
    play(g, "Greek Mercenaries", protect("Daochang"))
    assert have(g, 1) == [2, 0, 0]
    assert g.exhausts[1] == 3


def test_a_cape_is_recalled_and_long_walls_recall_any_long_walls() -> None:
    g = table(**GREEK, play={1: ["1REG12"]}, resources={1: (2, 0, 0)})
    play(g, "Greek Mercenaries", protect("Cape"))
    assert (names(g, 1, HAND), have(g, 1)) == (["Cape"], [2, 0, 0])
    g = table(**GREEK | {"nations": ("Greeks B", "Qin B")}, play={1: ["QIN3", "QIN4"]}, resources={1: (2, 0, 0)})
    play(g, "Greek Mercenaries", protect("Long Walls II"), pick("Long Walls III"))
    assert names(g, 1, HAND) == ["Long Walls III"]


def test_a_standing_army_ignores_attacks_but_for_progress_that_they_give() -> None:
    g = table(**GREEK, play={1: ["1UNC1", "SCY20"]}, resources={1: (2, 0, 0)})
    play(g, "Greek Mercenaries")
    assert have(g, 1) == [2, 0, 0]
    assert g.exhausts[1] == 5


def test_in_an_attack_on_all_players_the_player_of_the_card_is_never_spared() -> None:
    g = table(hand={0: ["1CIV4"]}, play={1: ["SCY20"]}, empire=[0])
    play(g, "Corruption", protect("Mounted Archers"))
    assert (have(g), have(g, 1), names(g, 1, HAND)) == ([2, 0, 1], [0, 0, 0], [])


def test_an_avoider_is_given_no_card() -> None:
    g = table(hand={0: ["1CIV11", "Glory"]}, play={1: ["SCY20"]}, empire=[0])
    play(g, "Exports", protect("Mounted Archers"))
    assert (names(g, 0, HAND), names(g, 1, HAND)) == (["Glory"], [])


def test_a_card_without_the_attack_icon_cannot_be_avoided() -> None:
    g = table(hand={0: ["CEL2"]}, play={1: ["SCY20"]}, nations=("Celts B", "Romans B"))
    play(g, "Celtic Gold")
    assert have(g, 1) == [1, 0, 0]


# ---- Reactions and passives ----


def test_a_reaction_to_a_played_region_comes_after_its_effects_and_costs_an_exhaust_token() -> None:
    scythian = {"hand": {0: ["1REG4"]}, "play": {0: ["MAC5"]}, "market": (), "nations": ("Macedonians B", "Romans B")}
    g = table(**scythian, deck={0: ["Glory", "Conquer"]})
    play(g, "Coast", yes(), pick("Conquer"))
    # Coast draws Conquer and garrisons it before the cavalry draws.
    assert names(g, 0, GARRISON) == ["Conquer"]
    assert names(g, 0, HAND) == ["Glory"]
    assert (g.exhausts[0], g.exhausted[card("MAC5")]) == (4, 1)
    t = tables_with(play_trigger_timing="before")
    g = table(**scythian, deck={0: ["Glory", "Conquer"]}, t=t)
    play(g, "Coast", yes(), pick("Conquer"), t=t)
    assert names(g, 0, GARRISON) == ["Conquer"]


def test_the_timing_of_a_played_region_matters_for_what_can_be_garrisoned() -> None:
    fields = {"hand": {0: ["1REG10"]}, "play": {0: ["MAC5"]}, "market": (), "nations": ("Macedonians B", "Romans B")}
    g = table(**fields, deck={0: ["Conquer"]})
    play(g, "Steppe", willing=True)
    assert (names(g, 0, HAND), names(g, 0, GARRISON)) == (["Conquer"], [])
    t = tables_with(play_trigger_timing="before")
    g = table(**fields, deck={0: ["Conquer"]}, t=t)
    play(g, "Steppe", willing=True, t=t)
    assert names(g, 0, GARRISON) == ["Conquer"]


def test_a_reaction_to_what_is_paid_comes_before_what_is_got_for_it() -> None:
    # Druids: return an unrest from the hand to gain a population; Wonder gains progress for the unrest.
    celts = {"play": {0: ["1CIV9"]}, "empire": [0], "nations": ("Celts A", "Romans B")}
    g = table(hand={0: ["Druids", "Unrest"]}, **celts)
    g.log.keeps_rows = 1
    play(g, "Druids", option(1), yes())
    rows = g.log.rows[: g.log.row_count]
    happened = [(row[KIND], row[VALUE]) for row in rows if row[KIND] in (RETURNED_UNREST, REACTED, GAINED)]
    assert happened == [(RETURNED_UNREST, 0), (REACTED, 0), (GAINED, PROGRESS), (GAINED, POPULATION)]


def test_reactions_work_only_in_ones_own_activate_turn_and_passives_always() -> None:
    # Wonder waits for unrest being returned.
    g = table(play={0: ["1CIV9"]}, hand={0: ["Unrest"]}, empire=[0], resources={0: (0, 1, 0)})
    play(g, "Unrest", yes())
    assert have(g) == [0, 0, 2]
    g = table(play={0: ["1CIV9"]}, hand={0: ["Unrest"]}, empire=[0])
    turn(g, REVOLTING, amount(1))
    assert have(g) == [0, 0, 0]
    g = table(hand={0: ["1TRI4", "Unrest"]}, play={1: ["1CIV9"]})
    play(g, "Ionians", pick_from(HAND))
    assert have(g, 1) == [0, 0, 0]


def test_a_passive_answers_to_an_attack_being_played() -> None:
    g = table(hand={0: ["CEL18"]}, play={0: ["CEL4"]}, nations=("Celts B", "Romans B"))
    play(g, "Boudicca")
    assert have(g) == [0, 0, 2]


def test_acquire_and_break_through_are_two_things() -> None:
    g = table(play={0: ["2CIV7"]}, hand={0: ["ROM17", "ROM18"]}, resources={0: (0, 2, 0)}, main=["Wonder", "Temple"])
    play(g, "Conquer", yes())
    assert have(g) == [0, 0, 1]
    g = table(play={0: ["2CIV7"]}, hand={0: ["1TRI11"]}, resources={0: (0, 2, 0)})
    play(g, "Hittites", market("Oasis"))
    assert have(g) == [0, 2, 0]


def test_embalming_answers_to_population_paid_but_not_to_progress_in_its_place() -> None:
    egypt = {
        "play": {0: ["EGY4"]},
        "hand": {0: ["1CIV13", "Glory"]},
        "empire": [0],
        "nations": ("Egyptians B", "Celts B"),
    }
    g = table(**egypt, resources={0: (0, 1, 0)})
    play(g, "Mercenaries", pick("Glory"))
    assert names(g, 0, HISTORY) == ["Glory"]
    g = table(**egypt, resources={0: (0, 0, 1)})
    play(g, "Mercenaries", willing=True)
    assert names(g, 0, HISTORY) == []


def test_a_passive_answers_in_the_turn_of_another() -> None:
    # The other player pays a population to avoid an attack.
    g = table(
        **GREEK | {"nations": ("Greeks B", "Egyptians B")}, play={1: ["EGY4", "2REG12"]}, resources={1: (2, 1, 0)}
    )
    g.zone_size[1, HAND] = 0
    play(g, "Greek Mercenaries", protect("Fortified Region"))
    assert have(g, 1) == [2, 0, 0]
