"""The keywords of the rulebook, one by one, on small positions."""

from __future__ import annotations

from typing import Any

import pytest

from sim.games.imperium.drawing import draw, resolve_king_of_kings
from sim.games.imperium.scoring import variable_points
from sim.games.imperium.state import (
    COLLAPSE,
    DECK,
    DEVELOPMENT,
    DISCARD,
    EMPIRE,
    EXILE_PILE,
    FAME_DECK,
    GARRISON,
    HAND,
    HISTORY,
    KING_OF_KINGS_TURNED,
    LAST_DEVELOPMENT,
    MAIN_DECK,
    MAIN_DECK_EMPTY,
    NATION,
    NO_CARD,
    NO_SEAT,
    PLAY,
    ROUND_LIMIT,
    TABLE,
    UNREST_PILE,
)
from sim.games.imperium.turns import clean_up, play_on
from tests.games.imperium.playing import (
    INNOVATING,
    REVOLTING,
    act,
    amount,
    check_used,
    develop,
    exhaust,
    exiled,
    for_suit,
    market,
    may_play,
    may_use,
    no,
    option,
    pick,
    pick_from,
    play,
    progress_for,
    protect,
    resolve,
    revealed,
    scripted,
    solstice,
    solstice_of,
    top_of,
    turn,
    use,
    whole_round,
    yes,
)
from tests.games.imperium.tables import IDS, NAMES, T, card, cards_in, names, position, tables_with

MARKET = ("Oasis", "Elders", "Education", "City", "Lost Scroll")
"""A market of a region, an uncivilised, a civilised card and two that are both."""


def table(**zones: Any) -> Any:
    """Lay out a position whose decks have cards to refill the market, but for those that lie elsewhere."""
    laid = set(named(zones))
    decks: dict[str, Any] = {
        "regions": ["Steppe", "Forest"],
        "uncivilised": ["Town", "Shrine"],
        "civilised": ["Temple", "Coinage"],
        "main": ["Hills", "Armenians", "Wonder", "Metropolis"],
    }
    decks = {zone: [name for name in cards if name not in laid] for zone, cards in decks.items()}
    return position(**{"market": MARKET, "power": False, **decks, **zones})


def named(content: Any) -> list[str]:
    """Names of all cards that a description of zones speaks of."""
    if isinstance(content, str):
        return [NAMES[card(content)]] if content in NAMES or content in IDS else []
    inside = content.values() if isinstance(content, dict) else content if isinstance(content, list | tuple) else ()
    return [name for part in inside for name in named(part)]


def draws(g: Any, *wishes: Any, seat: int = 0, count: int = 1) -> None:
    """Let a seat draw cards, outside any effect."""
    players = scripted(*wishes)
    for _ in range(count):
        draw(g, T, players, seat, True)
        resolve(g, T, players)
    check_used(players)


def in_market(g: Any) -> list[str | None]:
    return [None if row == NO_CARD else NAMES[row] for row in g.market]


def have(g: Any, seat: int = 0) -> list[int]:
    """Material, population and progress of a seat."""
    return [int(number) for number in g.resource[seat]]


def unrest_pile(g: Any) -> int:
    return int(g.zone_size[TABLE, UNREST_PILE])


# ---- Playing ----


def test_a_played_card_costs_an_action_works_and_is_discarded() -> None:
    g = table(hand={0: ["1TRI8"]})
    play(g, "1TRI8")
    assert have(g) == [4, 0, 0]
    assert names(g, 0, DISCARD) == ["Aksumites"]
    assert g.actions[0] == 2


def test_a_pinned_card_stays_in_play_and_a_free_play_needs_no_action() -> None:
    g = table(hand={0: ["1REG2", "1TRI2"]}, market=())
    play(g, "1REG2")
    assert names(g, 0, PLAY) == ["Jungle"]
    g.actions[0] = 0
    play(g, "1TRI2")
    assert (have(g), g.actions[0]) == ([0, 2, 0], 0)


def test_a_card_with_a_state_icon_needs_that_side_unless_a_passive_ignores_it() -> None:
    g = table(hand={0: ["ROM17", "1CIV6"]}, resources={0: (0, 3, 0)})
    assert may_play(g, "ROM17")
    assert not may_play(g, "1CIV6")
    g.state[0] = EMPIRE
    assert not may_play(g, "ROM17")
    assert may_play(g, "1CIV6")
    g = table(hand={0: ["ROM17"]}, play={0: ["Legions"]}, empire=[0], resources={0: (0, 3, 0)})
    assert may_play(g, "ROM17")


def test_a_card_that_cannot_be_paid_for_is_not_played_but_other_costs_leave_out_their_sentence() -> None:
    g = table(hand={0: ["1UNC20", "ROM14"]}, resources={0: (2, 5, 0)})
    assert not may_play(g, "Diplomacy")
    assert may_play(g, "Glory")
    assert not may_play(g, "Glory", t=tables_with(unpayable_cost_forbids_play="all"))
    assert may_play(g, "Diplomacy", t=tables_with(unpayable_cost_forbids_play="none"))
    play(g, "Glory")
    assert names(g, 0, DISCARD) == ["Glory"]


def test_unrest_goes_back_for_a_population_two_other_cards_or_three_material() -> None:
    g = table(hand={0: ["Unrest"]}, resources={0: (0, 1, 0)})
    play(g, "Unrest")
    assert (have(g), unrest_pile(g), names(g, 0, DISCARD)) == ([0, 0, 0], 9, [])
    g = table(hand={0: ["Unrest", "Glory", "Conquer"]})
    play(g, "Unrest", pick("Glory"))
    assert (sorted(names(g, 0, DISCARD)), unrest_pile(g)) == (["Conquer", "Glory"], 9)
    g = table(hand={0: ["Unrest"]}, resources={0: (3, 0, 0)})
    play(g, "Unrest")
    assert (have(g), unrest_pile(g)) == ([0, 0, 0], 9)


def test_unrest_is_not_played_without_paying_and_does_not_pay_for_itself() -> None:
    g = table(hand={0: ["Unrest", "Glory"]}, resources={0: (2, 0, 0)})
    assert not may_play(g, "Unrest")
    assert not may_play(g, "Unrest", t=tables_with(unpayable_cost_forbids_play="none"))
    g = table(hand={0: ["Unrest", "Glory"]}, play={0: ["EGY9"]})
    play(g, "Unrest")
    assert names(g, 0, DISCARD) == ["Glory"]


def test_a_played_card_is_in_neither_hand_nor_discard_pile_while_it_works() -> None:
    # Olympic Games draws two cards: the reshuffle passes by the card itself.
    g = table(hand={0: ["GRE2"]}, discard={0: ["Glory"]})
    play(g, "Olympic Games")
    assert names(g, 0, HISTORY) == ["Glory"]
    assert names(g, 0, DISCARD) == ["Olympic Games"]


# ---- Paying ----


def test_progress_stands_in_for_a_population_or_two_material_without_change() -> None:
    g = table(hand={0: ["1UNC20"]}, resources={0: (2, 0, 3)}, main=["Armenians", "Hills"])
    play(g, "Diplomacy", progress_for(2))
    assert (have(g), names(g, 0, HAND)) == ([2, 0, 1], ["Armenians"])
    g = table(hand={0: ["1UNC20"]}, resources={0: (2, 0, 3)}, main=["Armenians", "Hills"])
    play(g, "Diplomacy", progress_for(1))
    assert have(g) == [1, 0, 2]


def test_progress_needed_for_the_second_payment_of_a_cost_is_kept() -> None:
    g = table(hand={0: ["VIK22"]}, resources={0: (0, 1, 1)}, nations=("Vikings A", "Romans B"))
    play(g, "Jomsviking")
    assert have(g) == [0, 0, 0]
    assert "Oasis" in names(g, 0, HAND)


def test_nothing_stands_in_for_progress() -> None:
    g = table(play={0: ["CEL20"]}, resources={0: (9, 9, 0)})
    assert not may_use(g, "Cauldron of Cerridwen")


# ---- Acquire and break through ----


def test_acquire_takes_a_market_card_with_its_tokens_and_its_unrest() -> None:
    g = table(hand={0: ["ROM16"]}, resources={0: (3, 0, 0)})
    g.market_tokens[1] = (1, 2, 3)
    play(g, "Advance", market("Elders"))
    assert sorted(names(g, 0, HAND)) == ["Elders", "Unrest"]
    assert have(g) == [1, 2, 3]
    assert in_market(g)[1] == "Shrine"
    assert NAMES[g.market_unrest[1]] == "Unrest"
    assert unrest_pile(g) == 7
    assert g.unrest_taken[0] == 1


def test_a_slot_is_refilled_from_the_main_deck_when_its_own_is_empty_and_stays_empty_after_that() -> None:
    g = table(hand={0: ["ROM17", "ROM21"]}, resources={0: (0, 4, 0)}, regions=[], main=["Hills"])
    play(g, "Conquer", option(0))
    assert in_market(g)[0] == "Hills"
    assert g.ending == MAIN_DECK_EMPTY
    play(g, "Roman Expansion")
    assert in_market(g)[0] is None


def test_acquiring_a_region_brings_no_unrest() -> None:
    g = table(hand={0: ["ROM17"]}, resources={0: (0, 2, 0)})
    play(g, "Conquer")
    assert names(g, 0, HAND) == ["Oasis"]
    assert unrest_pile(g) == 8


def test_break_through_puts_the_unrest_of_a_market_card_back() -> None:
    g = table(hand={0: ["ROM16"]}, resources={0: (5, 0, 0)})
    play(g, "Advance", option(1), market("Elders"))
    # One back to the pile, one under the new card.
    assert (names(g, 0, HAND), unrest_pile(g)) == (["Elders"], 8)


def test_break_through_takes_the_top_card_of_a_small_deck_unseen() -> None:
    g = table(hand={0: ["ROM16"]}, resources={0: (5, 0, 0)})
    play(g, "Advance", option(1), top_of("civilised"))
    assert names(g, 0, HAND) == ["Coinage"]
    assert in_market(g) == list(MARKET)


def test_break_through_reveals_the_main_deck_for_a_tributary_or_a_suit_whose_deck_is_empty() -> None:
    g = table(hand={0: ["ROM17", "ROM18"]}, resources={0: (0, 3, 0)}, main=["Armenians", "Hills", "Elders"])
    g.market[1] = NO_CARD
    play(g, "Conquer", option(1), revealed("tributary"))
    assert "Armenians" in names(g, 0, HAND)
    assert len(cards_in(g, TABLE, MAIN_DECK)) == 2
    g = table(hand={0: ["ROM18"]}, uncivilised=[], main=["2UNC6", "Hills"], market=("Oasis",))
    play(g, "Triumvirate")
    assert names(g, 0, HAND) == ["Monument"]
    assert names(g, 0, HISTORY) == ["Triumvirate"]


def test_a_break_through_that_finds_nothing_gives_two_progress() -> None:
    g = table(hand={0: ["1UNC20"]}, resources={0: (3, 0, 0)}, main=["Hills", "Wonder"])
    play(g, "Diplomacy")
    assert have(g) == [0, 0, 2]
    assert len(cards_in(g, TABLE, MAIN_DECK)) == 2
    t = tables_with(break_through_fallback="material")
    g = table(hand={0: ["1UNC20"]}, resources={0: (3, 0, 0)}, main=["Hills", "Wonder"], t=t)
    play(g, "Diplomacy", t=t)
    assert have(g) == [2, 0, 0]


def test_acclaimed_breaks_through_for_a_variable_card_only() -> None:
    g = table(hand={0: ["2FAM8"]}, main=["Hills", "1UNC9", "Armenians"], market=("Oasis", "1UNC12"))
    play(g, "Acclaimed", market("Shaduf"))
    assert (names(g, 0, HAND), names(g, 0, HISTORY)) == (["Shaduf"], ["Acclaimed"])
    g = table(hand={0: ["2FAM8"]}, main=["Hills", "1UNC9", "Armenians"], market=("Oasis",))
    play(g, "Acclaimed")
    assert names(g, 0, HAND) == ["Oracle"]


def test_a_card_of_two_suits_is_both() -> None:
    g = table(hand={0: ["2TRI4"]}, market=("Oasis", "Elders", None, "City", None))
    play(g, "Phoenicians")
    assert "City" in names(g, 0, HAND)


def test_acquiring_or_breaking_through_for_an_exiled_card_takes_an_unrest_unless_it_is_a_region() -> None:
    g = table(
        hand={0: ["MAC6"]}, exile=["Coast"], history={0: ["MAC2"]}, empire=[0], nations=("Macedonians B", "Celts B")
    )
    play(g, "Alexander the Great", exiled("Coast"), market("Oasis"))
    assert sorted(names(g, 0, HAND)) == ["Coast", "Oasis"]
    g = table(hand={0: ["2FAM1"]}, exile=["Aksumites"])
    play(g, "Imperial", exiled("Aksumites"))
    assert sorted(names(g, 0, HAND)) == ["Aksumites", "Unrest"]


def test_any_exiled_card_can_be_meant_even_one_without_a_suit() -> None:
    g = table(hand={0: ["ART3"]}, exile=["VIK12"], nations=("Arthurians A", "Romans B"))
    play(g, "Graal", exiled("Rollo the Walker"))
    assert names(g, 0, HAND) == ["Rollo the Walker"]


def test_a_market_card_must_hold_the_token_that_caravans_want() -> None:
    g = table(
        play={0: ["CAR10"]}, hand={0: ["Glory"]}, resources={0: (3, 0, 0)}, nations=("Carthaginians B", "Romans B")
    )
    g.market_tokens[2] = (2, 0, 0)
    use(g, "Caravans")
    assert sorted(names(g, 0, HAND)) == ["Education", "Unrest"]
    assert have(g) == [2, 0, 0]


def test_several_acquisitions_come_one_by_one_with_newly_dealt_cards() -> None:
    g = table(hand={0: ["2TRI10"]})
    play(g, "Macedonians")
    assert sorted(names(g, 0, HAND)) == ["Forest", "Oasis"]


def test_free_play_of_the_acquired_card() -> None:
    g = table(hand={0: ["CAR18"]}, nations=("Carthaginians B", "Romans B"), market=("1REG2",))
    play(g, "Dido, Queen of Carthage", willing=True)
    assert "Jungle" in names(g, 0, PLAY)
    assert have(g) == [0, 2, 0]
    assert g.cards_played[0] == 2


def test_gambling_takes_a_card_of_the_named_suit_and_exiles_another() -> None:
    g = table(hand={0: ["1UNC18"]}, resources={0: (1, 0, 0)}, main=["Hills", "Armenians"])
    play(g, "Gambling", revealed("tributary"))
    assert (names(g, 0, HAND), unrest_pile(g)) == (["Armenians"], 8)
    g = table(hand={0: ["1UNC18"]}, resources={0: (1, 0, 0)}, main=["Hills", "Armenians"])
    play(g, "Gambling", revealed("region"))
    assert names(g, TABLE, EXILE_PILE) == ["Armenians"]
    assert not may_play(table(hand={0: ["1UNC18"]}), "Gambling")


# ---- Exile and swap ----


def test_a_market_card_without_tokens_is_exiled_its_unrest_goes_back_and_the_slot_is_refilled() -> None:
    g = table(hand={0: ["1REG6"]})
    g.market_tokens[0] = (0, 0, 1)
    play(g, "1REG6", market("Elders"))
    assert names(g, TABLE, EXILE_PILE) == ["Elders"]
    assert in_market(g)[1] == "Shrine"
    assert unrest_pile(g) == 8
    g = table(hand={0: ["1REG6"]})
    g.market_tokens[:] = 1
    play(g, "1REG6")
    assert names(g, TABLE, EXILE_PILE) == []


def test_a_swap_leaves_the_tokens_and_gives_the_new_card_its_own_unrest() -> None:
    g = table(play={0: ["GRE9"]}, exile=["Armenians"], empire=[0], nations=("Greeks B", "Romans B"))
    g.market_tokens[0] = (0, 2, 0)
    use(g, "Lighthouse", market("Oasis"))
    assert in_market(g)[0] == "Armenians"
    assert list(g.market_tokens[0]) == [0, 2, 0]
    assert (g.market_unrest[0] != NO_CARD, unrest_pile(g)) == (True, 7)
    assert names(g, TABLE, EXILE_PILE) == ["Oasis"]


def test_a_card_that_may_put_itself_into_history_is_asked_about() -> None:
    for answer, zone in ((yes(), HISTORY), (no(), DISCARD)):
        g = table(hand={0: ["Great"]})
        play(g, "Great", answer)
        assert names(g, 0, zone) == ["Great"]


# ---- Abandon, recall, garrison ----


def test_abandoned_cards_go_to_the_discard_pile_with_their_garrison() -> None:
    g = table(hand={0: ["2TRI5"]}, play={0: ["1REG4", "1UNC7"]}, garrison={0: {"1REG4": ["Glory"]}}, fame=["Great"])
    play(g, "2TRI5")
    assert sorted(names(g, 0, DISCARD)) == ["Coast", "Glory"]
    assert names(g, 0, GARRISON) == []
    assert names(g, 0, HAND) == ["Great"]
    assert names(g, TABLE, EXILE_PILE) == ["Romans"]
    assert have(g, 1) == [0, 0, 1]


def test_recalled_cards_go_to_the_hand_with_their_garrison_and_without_tokens() -> None:
    g = table(play={0: ["1UNC11", "1REG12"]}, garrison={0: {"1REG12": ["Glory"]}})
    g.exhausted[card("1REG12")] = 1
    use(g, "Boats")
    assert sorted(names(g, 0, HAND)) == ["Cape", "Glory"]
    assert g.exhausted[card("1REG12")] == 0
    assert have(g) == [2, 1, 0]


def test_a_garrisoned_card_is_another_hand_card_that_may_be_garrisoned() -> None:
    g = table(hand={0: ["1REG10", "ROM14", "Unrest", "1FAM6"]}, market=())
    play(g, "1REG10", pick("Unrest"))
    assert names(g, 0, GARRISON) == ["Unrest"]
    assert g.host[cards_in(g, 0, GARRISON)[0]] == card("1REG10")
    g = table(hand={0: ["1REG10", "ROM14", "1FAM6"]}, market=())
    play(g, "1REG10", willing=True)
    assert names(g, 0, GARRISON) == []


def test_a_garrisoned_card_is_not_in_play() -> None:
    g = table(play={0: ["1REG4"]}, garrison={0: {"1REG4": ["1CIV10", "1REG10"]}}, hand={0: ["SCY14"]})
    solstice(g)
    assert have(g) == [0, 0, 0]
    play(g, "SCY14")
    assert have(g) == [1, 0, 0]


def test_a_card_garrisons_itself_and_its_host_is_resolved_again() -> None:
    g = table(hand={0: ["1CIV15"]}, play={0: ["1REG2"], 1: ["1REG4", "1REG5"]}, empire=[0])
    play(g, "Cataphract", pick("1REG2"), pick("1REG5", seat=1))
    assert names(g, 0, GARRISON) == ["Cataphract"]
    assert have(g) == [0, 1, 0]
    assert names(g, 1, DISCARD) == ["Floodplain"]


# ---- Choose, discard, history, find ----


def test_an_option_whose_cost_cannot_be_paid_or_that_would_do_nothing_is_not_open() -> None:
    # Mysticism: an unrest, or two cards discarded.
    g = table(play={0: ["1UNC8"]})
    solstice_of(g, "Mysticism")
    assert names(g, 0, HAND) == ["Unrest"]
    g = table(play={0: ["1UNC8"]}, hand={0: ["Glory"]})
    solstice_of(g, "Mysticism", option(1))
    assert names(g, 0, DISCARD) == ["Glory"]
    # Religion cannot be paid for.
    g = table(play={0: ["2UNC8"]}, resources={0: (2, 9, 0)})
    solstice_of(g, "Religion")
    assert names(g, 0, HAND) == ["Unrest"]


def test_an_empty_option_is_open_only_by_the_setting() -> None:
    tree = {"play": {0: ["Tree of Knowledge"]}, "deck": {0: ["Glory"]}, "nations": ("Utopians B", "Romans B")}
    g = table(**tree)
    solstice_of(g, "Tree of Knowledge")
    assert names(g, 0, HAND) == ["Glory"]
    t = tables_with(empty_option_allowed=True)
    g = table(**tree, t=t)
    solstice_of(g, "Tree of Knowledge", option(0), t=t)
    assert names(g, 0, PLAY) == ["Tree of Knowledge"]


def test_nothing_can_be_drawn_from_nowhere_so_a_monastery_is_abandoned() -> None:
    g = table(play={0: ["Monastery"]}, nations=("Utopians B", "Romans B"))
    solstice_of(g, "Monastery")
    assert names(g, 0, DISCARD) == ["Monastery"]


def test_history_is_out_of_play() -> None:
    g = table(hand={0: ["1CIV2", "Glory"]}, discard={0: ["Conquer"]}, empire=[0])
    play(g, "Education", pick("Glory"), pick("Conquer"))
    assert names(g, 0, HISTORY) == ["Glory", "Conquer"]


def test_find_takes_an_exact_card_from_the_first_place_that_has_it() -> None:
    indian = {"nations": ("Mauryans B", "Romans B"), "market": ()}
    g = table(hand={0: ["MAU18"]}, discard={0: ["MAU12"]}, deck={0: ["MAU13", "Glory", "Prosperity"]}, **indian)
    before = cards_in(g, 0, DECK)
    play(g, "Chandragupta")
    assert cards_in(g, 0, DECK) == before
    assert "Indian Elephants" in names(g, 0, DISCARD)
    g = table(hand={0: ["MAU18"]}, nation={0: ["Glory", "MAU12", "MAU13"]}, **indian)
    play(g, "Chandragupta")
    assert names(g, 0, DISCARD) == ["Indian Elephants"]
    assert names(g, 0, NATION)[0] == "Glory"
    assert len(names(g, 0, NATION)) == 2


def test_find_by_kind_looks_everywhere() -> None:
    g = table(
        hand={0: ["VIK21"]},
        play={0: ["Scandinavia"]},
        deck={0: ["Vinland"]},
        nation={0: ["Harald Hardrada", "Iceland"]},
        resources={0: (0, 1, 0)},
        nations=("Vikings B", "Romans B"),
    )
    play(g, "Erik the Red", pick("Iceland"))
    assert names(g, 0, HAND) == ["Iceland"]
    assert names(g, TABLE, EXILE_PILE) == ["Erik the Red"]


def test_looking_at_drawn_cards_and_discarding_one_of_them() -> None:
    g = table(hand={0: ["1UNC9", "Glory"]}, deck={0: ["Conquer", "Advance"]})
    play(g, "Oracle", pick("Conquer"))
    assert sorted(names(g, 0, HAND)) == ["Advance", "Glory"]


def test_draw_if_able_never_reshuffles() -> None:
    g = table(hand={0: ["1UNC2"]}, deck={0: ["Conquer"]}, discard={0: ["Advance"]})
    play(g, "Jade Mask", amount(3))
    assert names(g, 0, DISCARD) == ["Advance", "Jade Mask"]
    assert names(g, 0, DECK) == ["Conquer"]
    g = table(hand={0: ["1FAM4"]}, deck={0: ["Conquer"]})
    play(g, "Marvellous", option(2))
    assert names(g, 0, HISTORY) == ["Conquer"]


def test_for_each_discarded_unrest() -> None:
    g = table(play={0: ["MAU9"]}, hand={0: ["Unrest", "Unrest", "Glory"]}, nations=("Mauryans B", "Romans B"))
    solstice_of(g, "Arthashastra", pick("Unrest"), pick("Unrest"), option(1), option(1))
    assert (have(g), sorted(names(g, 0, DISCARD))) == ([0, 0, 2], ["Unrest", "Unrest"])


def test_given_cards_go_to_the_hand_of_each_other_player_and_masks_bring_unrest() -> None:
    g = table(
        players=3,
        hand={0: ["OLM5", "OLM12"]},
        discard={0: ["Prosperity"]},
        empire=[0],
        nations=("Olmecs B", "Romans B", "Greeks B"),
    )
    play(g, "Olmec Traders", pick("Stone Mask"))
    assert sorted(names(g, 1, HAND)) == ["Stone Mask", "Unrest"]
    assert names(g, 2, HAND) == ["Prosperity"]
    assert have(g) == [3, 0, 0]


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
    play(g, "Ionians", pick_from(HAND), pick_from(DISCARD))
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


# ---- Icons ----


def test_production_and_regions_are_counted() -> None:
    g = table(hand={0: ["ROM15"]}, play={0: ["1REG10", "1REG4"]})
    play(g, "Prosperity", option(0))
    assert have(g) == [3, 0, 0]
    g = table(hand={0: ["ROM15"]}, play={0: ["1REG10", "1REG4"]})
    play(g, "Prosperity", option(1))
    assert have(g) == [0, 2, 0]


def test_all_players_may_draw() -> None:
    g = table(hand={0: ["ROM15"]}, play={0: ["1REG10"]}, deck={0: ["Glory"], 1: ["Conquer"]})
    play(g, "Prosperity", no(0), yes(1))
    assert (names(g, 0, HAND), names(g, 1, HAND)) == ([], ["Conquer"])


def test_grand_trunk_road_is_two_regions() -> None:
    nations = ("Mauryans B", "Romans B")
    g = table(hand={0: ["MAU22"]}, play={0: ["MAU4", "1REG4"]}, nations=nations)
    play(g, "Prosperity", option(1))
    assert have(g) == [0, 3, 0]
    g = table(hand={0: ["MAU2"]}, play={0: ["MAU4", "1REG4"]}, nations=nations, fame=["Great"])
    play(g, "Glory", pick("Grand Trunk Road"))
    assert names(g, 0, HAND) == ["Great"]
    assert sorted(names(g, 0, DISCARD)) == ["Coast", "Glory", "Grand Trunk Road"]


def test_an_icon_treated_as_three_production_is_no_longer_what_it_was_until_the_end_of_the_turn() -> None:
    g = table(
        hand={0: ["SCY14", "CEL2"]}, play={0: ["1UNC10", "1REG4"]}, nations=("Celts B", "Romans B"), deck={0: ["Glory"]}
    )
    use(g, "Agriculture")
    play(g, "SCY14")
    assert have(g) == [4, 0, 0]
    play(g, "Celtic Gold")
    assert have(g) == [4, 0, 0]
    g.activating = 0
    clean_up(g, T, scripted())
    assert not g.treated.any()


def test_a_treated_icon_is_forgotten_when_the_card_leaves_play() -> None:
    g = table(play={0: ["1UNC10", "1REG4", "2UNC11"]})
    use(g, "Agriculture")
    use(g, "Water Mill")
    assert names(g, 0, HAND) == ["Coast"]
    assert not g.treated.any()


def test_domestication_answers_to_material_from_a_fertile_card_once_per_exhaust() -> None:
    g = table(hand={0: ["SCY14"]}, play={0: ["2UNC10", "1REG4"]})
    play(g, "SCY14", no(0), no(1), yes())
    assert have(g) == [1, 0, 1]
    g = table(hand={0: ["SCY14"]}, play={0: ["2UNC10", "1REG5"]})
    play(g, "SCY14")
    assert have(g) == [1, 0, 0]
    g = table(play={0: ["1UNC12", "1UNC11", "1REG5"]})
    use(g, "Boats", yes())
    assert have(g) == [2, 1, 1]


def test_regions_that_others_lose_are_no_source_of_material() -> None:
    g = table(hand={0: ["1CIV15"]}, play={0: ["2UNC10"], 1: ["1REG4"]}, empire=[0])
    g.market_tokens[0] = (1, 0, 0)
    play(g, "Cataphract", market("Oasis"))
    assert have(g) == [1, 0, 0]


def test_ambassador_uses_the_ability_of_anothers_pinned_card_as_its_own() -> None:
    g = table(play={0: ["1UNC14"], 1: ["1UNC6"]}, resources={0: (1, 0, 0), 1: (1, 0, 0)}, deck={0: ["Glory"]})
    g.exhausted[card("1UNC6")] = 1
    use(g, "Ambassador")
    assert (names(g, 0, HAND), have(g), have(g, 1)) == (["Glory"], [0, 0, 0], [1, 0, 0])
    assert g.exhausted[card("1UNC14")] == 1


# ---- Drawing, advancing, developing ----


def test_a_barbarian_advances_once_with_a_reshuffle() -> None:
    g = table(discard={0: ["Conquer"]}, nation={0: ["Glory", "Advance"]})
    draws(g)
    assert (g.nation_exhausted[0], g.exhausts[0], names(g, 0, NATION)) == (1, 4, ["Glory"])
    assert len(names(g, 0, HAND) + names(g, 0, DECK)) == 2
    draws(g, count=2)
    assert names(g, 0, NATION) == ["Glory"]


def test_the_accession_card_makes_an_empire_which_develops_at_the_next_reshuffle() -> None:
    g = table(nation={0: ["Glory"]}, development={0: ["ROM6"]}, resources={0: (4, 0, 0)})
    draws(g)
    assert (g.state[0], names(g, 0, HAND), names(g, 0, DEVELOPMENT)) == (EMPIRE, ["Glory"], ["The Senate"])
    draws(g, develop("The Senate"))
    assert names(g, 0, HAND) == ["Glory", "The Senate"]
    assert (g.development_exhausted[0], have(g)) == (1, [0, 0, 0])


def test_an_empire_that_does_not_develop_moves_no_token() -> None:
    g = table(empire=[0], development={0: ["ROM6"]}, resources={0: (4, 0, 0)}, discard={0: ["Glory"]})
    draws(g, develop(None))
    assert (g.development_exhausted[0], g.exhausts[0], names(g, 0, HAND)) == (0, 5, ["Glory"])


def test_no_advance_without_an_exhaust_token() -> None:
    g = table(discard={0: ["Conquer"]}, nation={0: ["Glory", "Advance"]})
    g.exhausts[0] = 0
    draws(g)
    assert names(g, 0, NATION) == ["Glory", "Advance"]


def test_the_last_card_drawn_does_not_reshuffle() -> None:
    g = table(deck={0: ["Conquer"]}, discard={0: ["Advance"]}, nation={0: ["Glory"]})
    draws(g)
    assert (names(g, 0, HAND), names(g, 0, DISCARD)) == (["Conquer"], ["Advance"])


def test_developing_by_an_effect_needs_no_token_and_pays_reduced_costs() -> None:
    g = table(
        hand={0: ["EGY3"]},
        play={0: ["EGY8"]},
        development={0: ["EGY6", "EGY7"]},
        resources={0: (4, 1, 0)},
        empire=[0],
        nations=("Egyptians B", "Celts B"),
    )
    g.development_exhausted[0] = 1
    play(g, "Development", option(0), develop("Ramesses II"))
    assert (have(g), g.exhausts[0]) == ([0, 0, 0], 5)
    assert "Ramesses II" in names(g, 0, DISCARD)


def test_whether_a_barbarian_may_develop_is_a_setting() -> None:
    egypt = {"play": {0: ["EGY1A"]}, "development": {0: ["EGY4"]}, "nations": ("Egyptians A", "Celts B")}
    g = table(**egypt, resources={0: (4, 0, 0)})
    use(g, "EGY1A", develop("Embalming"))
    assert g.actions[0] == 2
    assert g.ending == LAST_DEVELOPMENT
    t = tables_with(barbarian_may_develop=False)
    g = table(**egypt, resources={0: (4, 0, 0)}, t=t)
    use(g, "EGY1A", t=t)
    assert names(g, 0, DEVELOPMENT) == ["Embalming"]


def test_the_tributary_puts_the_top_nation_card_into_the_discard_pile_without_a_token() -> None:
    g = table(hand={0: ["1TRI3"]}, nation={0: ["Glory", "Advance"]})
    play(g, "1TRI3")
    assert (names(g, 0, DISCARD), g.nation_exhausted[0]) == (["Advance"], 0)


def test_sacred_pass_swaps_a_hand_card_for_the_top_nation_card_but_never_the_accession_card() -> None:
    g = table(play={0: ["1REG14"]}, hand={0: ["Conquer"]}, nation={0: ["Glory", "Advance"]})
    use(g, "Sacred Pass", yes(), yes())
    assert (names(g, 0, HAND), names(g, 0, NATION)) == (["Advance"], ["Glory", "Conquer"])
    g = table(play={0: ["1REG14"]}, hand={0: ["Conquer"]}, nation={0: ["Glory"]})
    use(g, "Sacred Pass", no(), yes())
    assert (names(g, 0, HAND), names(g, 0, NATION)) == (["Conquer"], ["Glory"])


# ---- Fame and King of Kings ----


def test_looking_at_fame_takes_one_and_puts_the_others_back_in_any_order() -> None:
    g = table(
        hand={0: ["OLM4", "OLM12", "OLM13"]},
        play={0: ["OLM3"]},
        resources={0: (0, 2, 0)},
        fame=["Triumphant", "Great", "Notorious", "Glorious"],
        empire=[0],
        nations=("Olmecs B", "Romans B"),
    )
    g.exhausts[0] = 0
    play(g, "Ritual Sacrifice", pick("Great"), pick("Glorious"))
    assert names(g, 0, HAND) == ["Great"]
    assert names(g, TABLE, FAME_DECK) == ["Triumphant", "Glorious", "Notorious"]


def test_king_of_kings_is_resolved_instead_of_fame_and_turned() -> None:
    g = table(hand={0: ["2TRI5"]}, play={0: ["1REG4"]}, players=2)
    play(g, "2TRI5")
    assert have(g) == [0, 0, 6]
    assert (g.king_turned, g.ending) == (1, KING_OF_KINGS_TURNED)
    resolve_king_of_kings(g, T, 0)
    resolve(g, T, scripted())
    assert have(g) == [0, 0, 6]
    resolve_king_of_kings(g, T, 1)
    resolve(g, T, scripted())
    # The other player has gained 1 from the tributary before.
    assert have(g, 1) == [0, 0, 5]


def test_king_of_kings_lets_an_empire_develop_for_free() -> None:
    g = table(development={0: ["ROM6", "ROM5"], 1: ["GRE9"]}, empire=[0, 1])
    for seat, name in enumerate(("The Senate", "Lighthouse")):
        players = scripted(develop(name))
        resolve_king_of_kings(g, T, seat)
        resolve(g, T, players)
        check_used(players)
    assert (have(g), have(g, 1)) == ([0, 0, 3], [0, 0, 0])
    assert names(g, 1, DISCARD) == ["Lighthouse"]


# ---- Turns ----


def test_innovate_discards_the_hand_and_breaks_through() -> None:
    g = table(hand={0: ["Glory", "ROM17"]}, deck={0: ["Unrest"] * 4})
    turn(g, INNOVATING, for_suit("civilised"), market("Education"), pick(None))
    assert sorted(names(g, 0, HAND)) == ["Education", *["Unrest"] * 4]
    assert sorted(names(g, 0, DISCARD)) == ["Conquer", "Glory"]
    assert (g.actions[0], g.exhausts[0]) == (3, 5)


def test_a_turn_ends_with_a_token_on_the_market_and_all_tokens_renewed() -> None:
    g = table(hand={0: ["1TRI8", "ROM14"]}, play={0: ["2UNC7"]}, deck={0: ["Conquer", "Advance", "Prosperity"]})
    turn(g, act("Aksumites"), exhaust("Code of Laws"), market("City"), pick("Glory"), seat=0)
    assert list(g.market_tokens[3]) == [0, 0, 1]
    assert (g.actions[0], g.exhausts[0], g.exhausted[card("2UNC7")]) == (3, 5, 0)
    assert len(names(g, 0, HAND)) == 5
    assert g.exhausts[0] + g.nation_exhausted[0] == 5


def test_cards_are_drawn_up_to_the_hand_size_of_the_cards_in_play() -> None:
    g = table(play={0: ["1FAM8", "1TRI5"]}, deck={0: ["Unrest"] * 9})
    turn(g)
    assert len(names(g, 0, HAND)) == 7
    g = table(hand={0: ["Unrest"] * 7}, deck={0: ["Glory"]})
    turn(g)
    assert len(names(g, 0, HAND)) == 7


def test_masonry_makes_cities_free_plays() -> None:
    g = table(hand={0: ["1UNC15"]}, play={0: ["2CIV9"]})
    play(g, "City")
    assert g.actions[0] == 3


# ---- Solstice ----


def test_solstice_effects_come_in_an_order_of_the_players_choice() -> None:
    # The tokens of Pharmacy first, then the city.
    g = table(play={0: ["1CIV8", "2UNC8"]}, resources={0: (3, 2, 0)})
    solstice(g, pick("Religion"), option(1), option(1))
    assert have(g) == [0, 0, 1]


def test_a_card_that_has_left_play_does_not_act_in_the_solstice() -> None:
    g = table(play={0: ["SCY21", "2REG8"]}, nations=("Scythians B", "Romans B"))
    solstice(g, pick("Tents"), pick("Lowlands"))
    assert (names(g, 0, HAND), have(g)) == (["Lowlands"], [0, 0, 0])


def test_mandatory_solstice_effects_are_done_as_far_as_possible() -> None:
    g = table(play={0: ["EGY5"]}, nations=("Egyptians B", "Romans B"))
    solstice(g)
    assert have(g) == [0, 0, 1]


# ---- Tokens on cards ----


def test_pottery_stores_progress_that_is_gained_when_it_is_abandoned() -> None:
    g = table(play={0: ["MIN16"]}, resources={0: (4, 0, 0)}, nations=("Minoans B", "Romans B"))
    solstice(g, option(0))
    solstice(g, option(0))
    assert (have(g), g.stored[card("MIN16")]) == ([0, 0, 0], 2)
    solstice(g)
    assert (have(g), names(g, 0, DISCARD), g.stored[card("MIN16")]) == ([0, 0, 2], ["Pottery"], 0)


def test_who_gets_the_tokens_of_a_card_that_leaves_otherwise_is_a_setting() -> None:
    minoan = {"play": {1: ["MIN16"]}, "hand": {0: ["2UNC4", "Glory"]}, "nations": ("Romans B", "Minoans B")}
    for gained, t in ((3, T), (0, tables_with(tokens_gained_when_card_leaves=False))):
        g = table(**minoan, t=t)
        g.stored[card("MIN16")] = 3
        play(g, "Espionage", market("Oasis"), t=t)
        assert (names(g, 1, HAND), have(g, 1)) == (["Pottery"], [0, 0, gained])
        assert g.stored[card("MIN16")] == 0


def test_an_exhaust_token_is_returned_to_the_state_card() -> None:
    g = table(hand={0: ["1TRI6"]}, play={0: ["2UNC7"]}, deck={0: ["Conquer", "Advance"]})
    use(g, "Code of Laws")
    play(g, "1TRI6")
    assert (g.exhausts[0], g.exhausted[card("2UNC7")]) == (5, 0)


def test_an_ability_that_spends_an_action_needs_one() -> None:
    g = table(play={0: ["MAC17"]}, discard={0: ["1REG2"]}, nations=("Macedonians B", "Romans B"), market=())
    g.actions[0] = 0
    assert not may_use(g, "Phalanx")
    g.actions[0] = 1
    use(g, "Phalanx")
    assert (names(g, 0, PLAY), have(g), g.actions[0]) == (["Phalanx", "Jungle"], [0, 1, 0], 0)


# ---- The end ----


def test_scoring_triggered_ends_the_game_after_this_round_and_one_more() -> None:
    g = table(hand={0: ["1UNC18"]}, resources={0: (1, 0, 0)}, main=["Armenians"])
    players = scripted(act("Gambling"), revealed("tributary"))
    whole_round(g, players)
    assert (g.ending, g.rounds_left, g.rounds) == (MAIN_DECK_EMPTY, 1, 1)
    play_on(g, T, players)
    assert (g.rounds, g.finished, g.end_reason) == (2, 1, MAIN_DECK_EMPTY)


def test_scoring_triggered_in_the_solstice_leaves_one_more_round() -> None:
    g = table(play={0: ["UTO3B"]}, resources={0: (0, 24, 0)}, nations=("Utopians B", "Romans B"))
    players = scripted()
    whole_round(g, players)
    assert g.rounds_left == 1


def test_a_collapse_stops_the_turn_it_comes_in_and_the_game() -> None:
    g = table(hand={0: ["1CIV4"]}, resources={0: (0, 0, 0)}, empire=[0], unrest=1)
    play_on(g, T, scripted(act("Corruption")))
    assert (g.finished, g.end_reason, g.rounds, g.turn_seat) == (1, COLLAPSE, 1, NO_SEAT)
    assert have(g, 0) == [2, 0, 0], "the progress after the unrest is not gained"
    assert list(g.rank[:2]) == [1, 2]


def test_a_game_stopped_at_the_limit_of_rounds_says_so() -> None:
    g = table()
    g.rounds = T.round_limit - 1
    play_on(g, T, scripted())
    assert (g.rounds, g.finished, g.end_reason) == (T.round_limit, 1, ROUND_LIMIT)


def test_the_power_card_counts_as_a_card_by_the_setting() -> None:
    g = position(nations=("Greeks A", "Romans B"), deck={0: ["Unrest"] * 6}, unrest=2)
    assert variable_points(g, T, 0, card("GRE1A")) == 1
    assert variable_points(g, tables_with(power_card_is_counted=False), 0, card("GRE1A")) == 0


def test_sumerians_return_unrest_before_the_end_is_judged() -> None:
    g = table(discard={0: ["1TRI7", "Unrest"]}, deck={0: ["Unrest"]}, hand={1: ["Unrest"]})
    g.collapsed = 1
    play_on(g, T, scripted(pick_from(DISCARD), willing=True))
    assert list(g.rank[:2]) == [1, 2]
    assert unrest_pile(g) == 10
    assert g.collapsed == 1
