"""The keywords of the rulebook, one by one, on small positions."""

from __future__ import annotations

from sim.games.imperium.rules import constants
from sim.games.imperium.rules.turns import clean_up
from tests.games.imperium.playing import (
    amount,
    exiled,
    market,
    may_play,
    may_use,
    no,
    option,
    pick,
    play,
    progress_for,
    revealed,
    scripted,
    solstice,
    solstice_of,
    top_of,
    use,
    yes,
)
from tests.games.imperium.tables import (
    MARKET_CARDS,
    NAMES,
    T,
    card,
    cards_in,
    have,
    in_market,
    names,
    table,
    tables_with,
    unrest_pile,
)

# ---- Playing ----


def test_a_played_card_costs_an_action_works_and_is_discarded() -> None:
    g = table(hand={0: ["1TRI8"]})
    play(g, "1TRI8")
    assert have(g) == [4, 0, 0]
    assert names(g, 0, constants.DISCARD_PILE) == ["Aksumites"]
    assert g.actions[0] == 2


def test_a_pinned_card_stays_in_play_and_a_free_play_needs_no_action() -> None:
    g = table(hand={0: ["1REG2", "1TRI2"]}, market=())
    play(g, "1REG2")
    assert names(g, 0, constants.PLAY) == ["Jungle"]
    g.actions[0] = 0
    play(g, "1TRI2")
    assert (have(g), g.actions[0]) == ([0, 2, 0], 0)


def test_a_card_with_a_state_icon_needs_that_side_unless_a_passive_ignores_it() -> None:
    g = table(hand={0: ["ROM17", "1CIV6"]}, resources={0: (0, 3, 0)})
    assert may_play(g, "ROM17")
    assert not may_play(g, "1CIV6")
    g.state[0] = constants.EMPIRE
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
    assert names(g, 0, constants.DISCARD_PILE) == ["Glory"]


def test_unrest_goes_back_for_a_population_two_other_cards_or_three_material() -> None:
    g = table(hand={0: ["Unrest"]}, resources={0: (0, 1, 0)})
    play(g, "Unrest")
    assert (have(g), unrest_pile(g), names(g, 0, constants.DISCARD_PILE)) == ([0, 0, 0], 9, [])
    g = table(hand={0: ["Unrest", "Glory", "Conquer"]})
    play(g, "Unrest", pick("Glory"))
    assert (sorted(names(g, 0, constants.DISCARD_PILE)), unrest_pile(g)) == (["Conquer", "Glory"], 9)
    g = table(hand={0: ["Unrest"]}, resources={0: (3, 0, 0)})
    play(g, "Unrest")
    assert (have(g), unrest_pile(g)) == ([0, 0, 0], 9)


def test_unrest_is_not_played_without_paying_and_does_not_pay_for_itself() -> None:
    g = table(hand={0: ["Unrest", "Glory"]}, resources={0: (2, 0, 0)})
    assert not may_play(g, "Unrest")
    assert not may_play(g, "Unrest", t=tables_with(unpayable_cost_forbids_play="none"))
    g = table(hand={0: ["Unrest", "Glory"]}, play={0: ["EGY9"]})
    play(g, "Unrest")
    assert names(g, 0, constants.DISCARD_PILE) == ["Glory"]


def test_a_played_card_is_in_neither_hand_nor_discard_pile_while_it_works() -> None:
    # Olympic Games draws two cards: the reshuffle passes by the card itself.
    g = table(hand={0: ["GRE2"]}, discard={0: ["Glory"]})
    play(g, "Olympic Games")
    assert names(g, 0, constants.HISTORY) == ["Glory"]
    assert names(g, 0, constants.DISCARD_PILE) == ["Olympic Games"]


# ---- Paying ----


def test_progress_stands_in_for_a_population_or_two_material_without_change() -> None:
    g = table(hand={0: ["1UNC20"]}, resources={0: (2, 0, 3)}, main=["Armenians", "Hills"])
    play(g, "Diplomacy", progress_for(2))
    assert (have(g), names(g, 0, constants.HAND)) == ([2, 0, 1], ["Armenians"])
    g = table(hand={0: ["1UNC20"]}, resources={0: (2, 0, 3)}, main=["Armenians", "Hills"])
    play(g, "Diplomacy", progress_for(1))
    assert have(g) == [1, 0, 2]


def test_progress_needed_for_the_second_payment_of_a_cost_is_kept() -> None:
    g = table(hand={0: ["VIK22"]}, resources={0: (0, 1, 1)}, nations=("Vikings A", "Romans B"))
    play(g, "Jomsviking")
    assert have(g) == [0, 0, 0]
    assert "Oasis" in names(g, 0, constants.HAND)


def test_nothing_stands_in_for_progress() -> None:
    g = table(play={0: ["CEL20"]}, resources={0: (9, 9, 0)})
    assert not may_use(g, "Cauldron of Cerridwen")


# ---- Acquire and break through ----


def test_acquire_takes_a_market_card_with_its_tokens_and_its_unrest() -> None:
    g = table(hand={0: ["ROM16"]}, resources={0: (3, 0, 0)})
    g.market_tokens[1] = (1, 2, 3)
    play(g, "Advance", market("Elders"))
    assert sorted(names(g, 0, constants.HAND)) == ["Elders", "Unrest"]
    assert have(g) == [1, 2, 3]
    assert in_market(g)[1] == "Shrine"
    assert NAMES[g.market_unrest[1]] == "Unrest"
    assert unrest_pile(g) == 7
    assert g.unrest_taken[0] == 1


def test_a_slot_is_refilled_from_the_main_deck_when_its_own_is_empty_and_stays_empty_after_that() -> None:
    g = table(hand={0: ["ROM17", "ROM21"]}, resources={0: (0, 4, 0)}, regions=[], main=["Hills"])
    play(g, "Conquer", option(0))
    assert in_market(g)[0] == "Hills"
    assert g.ending == constants.MAIN_DECK_EMPTY
    play(g, "Roman Expansion")
    assert in_market(g)[0] is None


def test_acquiring_a_region_brings_no_unrest() -> None:
    g = table(hand={0: ["ROM17"]}, resources={0: (0, 2, 0)})
    play(g, "Conquer")
    assert names(g, 0, constants.HAND) == ["Oasis"]
    assert unrest_pile(g) == 8


def test_break_through_puts_the_unrest_of_a_market_card_back() -> None:
    g = table(hand={0: ["ROM16"]}, resources={0: (5, 0, 0)})
    play(g, "Advance", option(1), market("Elders"))
    # One back to the pile, one under the new card.
    assert (names(g, 0, constants.HAND), unrest_pile(g)) == (["Elders"], 8)


def test_break_through_takes_the_top_card_of_a_small_deck_unseen() -> None:
    g = table(hand={0: ["ROM16"]}, resources={0: (5, 0, 0)})
    play(g, "Advance", option(1), top_of("civilised"))
    assert names(g, 0, constants.HAND) == ["Coinage"]
    assert in_market(g) == list(MARKET_CARDS)


def test_break_through_reveals_the_main_deck_for_a_tributary_or_a_suit_whose_deck_is_empty() -> None:
    g = table(hand={0: ["ROM17", "ROM18"]}, resources={0: (0, 3, 0)}, main=["Armenians", "Hills", "Elders"])
    g.market[1] = constants.NO_CARD
    play(g, "Conquer", option(1), revealed("tributary"))
    assert "Armenians" in names(g, 0, constants.HAND)
    assert len(cards_in(g, constants.TABLE, constants.MAIN_DECK)) == 2
    g = table(hand={0: ["ROM18"]}, uncivilised=[], main=["2UNC6", "Hills"], market=("Oasis",))
    play(g, "Triumvirate")
    assert names(g, 0, constants.HAND) == ["Monument"]
    assert names(g, 0, constants.HISTORY) == ["Triumvirate"]


def test_a_break_through_that_finds_nothing_gives_two_progress() -> None:
    g = table(hand={0: ["1UNC20"]}, resources={0: (3, 0, 0)}, main=["Hills", "Wonder"])
    play(g, "Diplomacy")
    assert have(g) == [0, 0, 2]
    assert len(cards_in(g, constants.TABLE, constants.MAIN_DECK)) == 2
    t = tables_with(break_through_fallback="material")
    g = table(hand={0: ["1UNC20"]}, resources={0: (3, 0, 0)}, main=["Hills", "Wonder"], t=t)
    play(g, "Diplomacy", t=t)
    assert have(g) == [2, 0, 0]


def test_acclaimed_breaks_through_for_a_variable_card_only() -> None:
    g = table(hand={0: ["2FAM8"]}, main=["Hills", "1UNC9", "Armenians"], market=("Oasis", "1UNC12"))
    play(g, "Acclaimed", market("Shaduf"))
    assert (names(g, 0, constants.HAND), names(g, 0, constants.HISTORY)) == (["Shaduf"], ["Acclaimed"])
    g = table(hand={0: ["2FAM8"]}, main=["Hills", "1UNC9", "Armenians"], market=("Oasis",))
    play(g, "Acclaimed")
    assert names(g, 0, constants.HAND) == ["Oracle"]


def test_a_card_of_two_suits_is_both() -> None:
    g = table(hand={0: ["2TRI4"]}, market=("Oasis", "Elders", None, "City", None))
    play(g, "Phoenicians")
    assert "City" in names(g, 0, constants.HAND)


def test_acquiring_or_breaking_through_for_an_exiled_card_takes_an_unrest_unless_it_is_a_region() -> None:
    g = table(
        hand={0: ["MAC6"]}, exile=["Coast"], history={0: ["MAC2"]}, empire=[0], nations=("Macedonians B", "Celts B")
    )
    play(g, "Alexander the Great", exiled("Coast"), market("Oasis"))
    assert sorted(names(g, 0, constants.HAND)) == ["Coast", "Oasis"]
    g = table(hand={0: ["2FAM1"]}, exile=["Aksumites"])
    play(g, "Imperial", exiled("Aksumites"))
    assert sorted(names(g, 0, constants.HAND)) == ["Aksumites", "Unrest"]


def test_any_exiled_card_can_be_meant_even_one_without_a_suit() -> None:
    g = table(hand={0: ["ART3"]}, exile=["VIK12"], nations=("Arthurians A", "Romans B"))
    play(g, "Graal", exiled("Rollo the Walker"))
    assert names(g, 0, constants.HAND) == ["Rollo the Walker"]


def test_a_market_card_must_hold_the_token_that_caravans_want() -> None:
    g = table(
        play={0: ["CAR10"]}, hand={0: ["Glory"]}, resources={0: (3, 0, 0)}, nations=("Carthaginians B", "Romans B")
    )
    g.market_tokens[2] = (2, 0, 0)
    use(g, "Caravans")
    assert sorted(names(g, 0, constants.HAND)) == ["Education", "Unrest"]
    assert have(g) == [2, 0, 0]


def test_several_acquisitions_come_one_by_one_with_newly_dealt_cards() -> None:
    g = table(hand={0: ["2TRI10"]})
    play(g, "Macedonians")
    assert sorted(names(g, 0, constants.HAND)) == ["Forest", "Oasis"]


def test_free_play_of_the_acquired_card() -> None:
    g = table(hand={0: ["CAR18"]}, nations=("Carthaginians B", "Romans B"), market=("1REG2",))
    play(g, "Dido, Queen of Carthage", willing=True)
    assert "Jungle" in names(g, 0, constants.PLAY)
    assert have(g) == [0, 2, 0]
    assert g.cards_played[0] == 2


def test_gambling_takes_a_card_of_the_named_suit_and_exiles_another() -> None:
    g = table(hand={0: ["1UNC18"]}, resources={0: (1, 0, 0)}, main=["Hills", "Armenians"])
    play(g, "Gambling", revealed("tributary"))
    assert (names(g, 0, constants.HAND), unrest_pile(g)) == (["Armenians"], 8)
    g = table(hand={0: ["1UNC18"]}, resources={0: (1, 0, 0)}, main=["Hills", "Armenians"])
    play(g, "Gambling", revealed("region"))
    assert names(g, constants.TABLE, constants.EXILE_PILE) == ["Armenians"]
    assert not may_play(table(hand={0: ["1UNC18"]}), "Gambling")


# ---- Exile and swap ----


def test_a_market_card_without_tokens_is_exiled_its_unrest_goes_back_and_the_slot_is_refilled() -> None:
    g = table(hand={0: ["1REG6"]})
    g.market_tokens[0] = (0, 0, 1)
    play(g, "1REG6", market("Elders"))
    assert names(g, constants.TABLE, constants.EXILE_PILE) == ["Elders"]
    assert in_market(g)[1] == "Shrine"
    assert unrest_pile(g) == 8
    g = table(hand={0: ["1REG6"]})
    g.market_tokens[:] = 1
    play(g, "1REG6")
    assert names(g, constants.TABLE, constants.EXILE_PILE) == []


def test_a_swap_leaves_the_tokens_and_gives_the_new_card_its_own_unrest() -> None:
    g = table(play={0: ["GRE9"]}, exile=["Armenians"], empire=[0], nations=("Greeks B", "Romans B"))
    g.market_tokens[0] = (0, 2, 0)
    use(g, "Lighthouse", market("Oasis"))
    assert in_market(g)[0] == "Armenians"
    assert list(g.market_tokens[0]) == [0, 2, 0]
    assert (g.market_unrest[0] != constants.NO_CARD, unrest_pile(g)) == (True, 7)
    assert names(g, constants.TABLE, constants.EXILE_PILE) == ["Oasis"]


def test_a_card_that_may_put_itself_into_history_is_asked_about() -> None:
    for answer, zone in ((yes(), constants.HISTORY), (no(), constants.DISCARD_PILE)):
        g = table(hand={0: ["Great"]})
        play(g, "Great", answer)
        assert names(g, 0, zone) == ["Great"]


# ---- Abandon, recall, garrison ----


def test_abandoned_cards_go_to_the_discard_pile_with_their_garrison() -> None:
    g = table(hand={0: ["2TRI5"]}, play={0: ["1REG4", "1UNC7"]}, garrison={0: {"1REG4": ["Glory"]}}, fame=["Great"])
    play(g, "2TRI5")
    assert sorted(names(g, 0, constants.DISCARD_PILE)) == ["Coast", "Glory"]
    assert names(g, 0, constants.GARRISON) == []
    assert names(g, 0, constants.HAND) == ["Great"]
    assert names(g, constants.TABLE, constants.EXILE_PILE) == ["Romans"]
    assert have(g, 1) == [0, 0, 1]


def test_recalled_cards_go_to_the_hand_with_their_garrison_and_without_tokens() -> None:
    g = table(play={0: ["1UNC11", "1REG12"]}, garrison={0: {"1REG12": ["Glory"]}})
    g.exhausted[card("1REG12")] = 1
    use(g, "Boats")
    assert sorted(names(g, 0, constants.HAND)) == ["Cape", "Glory"]
    assert g.exhausted[card("1REG12")] == 0
    assert have(g) == [2, 1, 0]


def test_a_garrisoned_card_is_another_hand_card_that_may_be_garrisoned() -> None:
    g = table(hand={0: ["1REG10", "ROM14", "Unrest", "1FAM6"]}, market=())
    play(g, "1REG10", pick("Unrest"))
    assert names(g, 0, constants.GARRISON) == ["Unrest"]
    assert g.host[cards_in(g, 0, constants.GARRISON)[0]] == card("1REG10")
    g = table(hand={0: ["1REG10", "ROM14", "1FAM6"]}, market=())
    play(g, "1REG10", willing=True)
    assert names(g, 0, constants.GARRISON) == []


def test_a_garrisoned_card_is_not_in_play() -> None:
    g = table(play={0: ["1REG4"]}, garrison={0: {"1REG4": ["1CIV10", "1REG10"]}}, hand={0: ["SCY14"]})
    solstice(g)
    assert have(g) == [0, 0, 0]
    play(g, "SCY14")
    assert have(g) == [1, 0, 0]


def test_a_card_garrisons_itself_and_its_host_is_resolved_again() -> None:
    g = table(hand={0: ["1CIV15"]}, play={0: ["1REG2"], 1: ["1REG4", "1REG5"]}, empire=[0])
    play(g, "Cataphract", pick("1REG2"), pick("1REG5", seat=1))
    assert names(g, 0, constants.GARRISON) == ["Cataphract"]
    assert have(g) == [0, 1, 0]
    assert names(g, 1, constants.DISCARD_PILE) == ["Floodplain"]


# ---- Choose, discard, history, find ----


def test_an_option_whose_cost_cannot_be_paid_or_that_would_do_nothing_is_not_open() -> None:
    # Mysticism: an unrest, or two cards discarded.
    g = table(play={0: ["1UNC8"]})
    solstice_of(g, "Mysticism")
    assert names(g, 0, constants.HAND) == ["Unrest"]
    g = table(play={0: ["1UNC8"]}, hand={0: ["Glory"]})
    solstice_of(g, "Mysticism", option(1))
    assert names(g, 0, constants.DISCARD_PILE) == ["Glory"]
    # Religion cannot be paid for.
    g = table(play={0: ["2UNC8"]}, resources={0: (2, 9, 0)})
    solstice_of(g, "Religion")
    assert names(g, 0, constants.HAND) == ["Unrest"]


def test_an_empty_option_is_open_only_by_the_setting() -> None:
    tree = {"play": {0: ["Tree of Knowledge"]}, "deck": {0: ["Glory"]}, "nations": ("Utopians B", "Romans B")}
    g = table(**tree)
    solstice_of(g, "Tree of Knowledge")
    assert names(g, 0, constants.HAND) == ["Glory"]
    t = tables_with(empty_option_allowed=True)
    g = table(**tree, t=t)
    solstice_of(g, "Tree of Knowledge", option(0), t=t)
    assert names(g, 0, constants.PLAY) == ["Tree of Knowledge"]


def test_nothing_can_be_drawn_from_nowhere_so_a_monastery_is_abandoned() -> None:
    g = table(play={0: ["Monastery"]}, nations=("Utopians B", "Romans B"))
    solstice_of(g, "Monastery")
    assert names(g, 0, constants.DISCARD_PILE) == ["Monastery"]


def test_history_is_out_of_play() -> None:
    g = table(hand={0: ["1CIV2", "Glory"]}, discard={0: ["Conquer"]}, empire=[0])
    play(g, "Education", pick("Glory"), pick("Conquer"))
    assert names(g, 0, constants.HISTORY) == ["Glory", "Conquer"]


def test_find_takes_an_exact_card_from_the_first_place_that_has_it() -> None:
    indian = {"nations": ("Mauryans B", "Romans B"), "market": ()}
    g = table(hand={0: ["MAU18"]}, discard={0: ["MAU12"]}, deck={0: ["MAU13", "Glory", "Prosperity"]}, **indian)
    before = cards_in(g, 0, constants.DECK)
    play(g, "Chandragupta")
    assert cards_in(g, 0, constants.DECK) == before
    assert "Indian Elephants" in names(g, 0, constants.DISCARD_PILE)
    g = table(hand={0: ["MAU18"]}, nation={0: ["Glory", "MAU12", "MAU13"]}, **indian)
    play(g, "Chandragupta")
    assert names(g, 0, constants.DISCARD_PILE) == ["Indian Elephants"]
    assert names(g, 0, constants.NATION)[0] == "Glory"
    assert len(names(g, 0, constants.NATION)) == 2


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
    assert names(g, 0, constants.HAND) == ["Iceland"]
    assert names(g, constants.TABLE, constants.EXILE_PILE) == ["Erik the Red"]


def test_looking_at_drawn_cards_and_discarding_one_of_them() -> None:
    g = table(hand={0: ["1UNC9", "Glory"]}, deck={0: ["Conquer", "Advance"]})
    play(g, "Oracle", pick("Conquer"))
    assert sorted(names(g, 0, constants.HAND)) == ["Advance", "Glory"]


def test_draw_if_able_never_reshuffles() -> None:
    g = table(hand={0: ["1UNC2"]}, deck={0: ["Conquer"]}, discard={0: ["Advance"]})
    play(g, "Jade Mask", amount(3))
    assert names(g, 0, constants.DISCARD_PILE) == ["Advance", "Jade Mask"]
    assert names(g, 0, constants.DECK) == ["Conquer"]
    g = table(hand={0: ["1FAM4"]}, deck={0: ["Conquer"]})
    play(g, "Marvellous", option(2))
    assert names(g, 0, constants.HISTORY) == ["Conquer"]


def test_for_each_discarded_unrest() -> None:
    g = table(play={0: ["MAU9"]}, hand={0: ["Unrest", "Unrest", "Glory"]}, nations=("Mauryans B", "Romans B"))
    solstice_of(g, "Arthashastra", pick("Unrest"), pick("Unrest"), option(1), option(1))
    assert (have(g), sorted(names(g, 0, constants.DISCARD_PILE))) == ([0, 0, 2], ["Unrest", "Unrest"])


def test_given_cards_go_to_the_hand_of_each_other_player_and_masks_bring_unrest() -> None:
    g = table(
        players=3,
        hand={0: ["OLM5", "OLM12"]},
        discard={0: ["Prosperity"]},
        empire=[0],
        nations=("Olmecs B", "Romans B", "Greeks B"),
    )
    play(g, "Olmec Traders", pick("Stone Mask"))
    assert sorted(names(g, 1, constants.HAND)) == ["Stone Mask", "Unrest"]
    assert names(g, 2, constants.HAND) == ["Prosperity"]
    assert have(g) == [3, 0, 0]


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
    assert (names(g, 0, constants.HAND), names(g, 1, constants.HAND)) == ([], ["Conquer"])


def test_grand_trunk_road_is_two_regions() -> None:
    nations = ("Mauryans B", "Romans B")
    g = table(hand={0: ["MAU22"]}, play={0: ["MAU4", "1REG4"]}, nations=nations)
    play(g, "Prosperity", option(1))
    assert have(g) == [0, 3, 0]
    g = table(hand={0: ["MAU2"]}, play={0: ["MAU4", "1REG4"]}, nations=nations, fame=["Great"])
    play(g, "Glory", pick("Grand Trunk Road"))
    assert names(g, 0, constants.HAND) == ["Great"]
    assert sorted(names(g, 0, constants.DISCARD_PILE)) == ["Coast", "Glory", "Grand Trunk Road"]


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
    assert names(g, 0, constants.HAND) == ["Coast"]
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


def test_shaduf_answers_to_material_of_a_river_region_by_its_own_effect() -> None:
    g = table(hand={0: ["1REG9"]}, play={0: ["1UNC12"]}, market=())
    play(g, "1REG9", yes(0))
    assert have(g) == [2, 0, 1]
    g = table(hand={0: ["1REG9"]}, market=())
    play(g, "1REG9")
    assert have(g) == [2, 0, 0]


def test_material_that_shangri_la_replaces_is_none_that_shaduf_answers_to() -> None:
    g = table(play={0: ["UTO3B", "1UNC12", "1UNC19", "1REG9"]}, nations=("Utopians A", "Romans B"))
    use(g, "Port")
    assert have(g)[2] == 0


def test_of_a_cost_of_tokens_and_cards_only_the_tokens_must_be_there() -> None:
    g = table(hand={0: ["VIK21"]}, nations=("Vikings B", "Greeks B"), resources={0: (0, 1, 0)})
    assert may_play(g, "VIK21")
    assert not may_play(g, "VIK21", t=tables_with(unpayable_cost_forbids_play="all"))
    g = table(hand={0: ["VIK21"]}, nations=("Vikings B", "Greeks B"))
    assert not may_play(g, "VIK21")


def test_regions_that_others_lose_are_no_source_of_material() -> None:
    g = table(hand={0: ["1CIV15"]}, play={0: ["2UNC10"], 1: ["1REG4"]}, empire=[0])
    g.market_tokens[0] = (1, 0, 0)
    play(g, "Cataphract", market("Oasis"))
    assert have(g) == [1, 0, 0]


def test_ambassador_uses_the_ability_of_anothers_pinned_card_as_its_own() -> None:
    g = table(play={0: ["1UNC14"], 1: ["1UNC6"]}, resources={0: (1, 0, 0), 1: (1, 0, 0)}, deck={0: ["Glory"]})
    g.exhausted[card("1UNC6")] = 1
    use(g, "Ambassador")
    assert (names(g, 0, constants.HAND), have(g), have(g, 1)) == (["Glory"], [0, 0, 0], [1, 0, 0])
    assert g.exhausted[card("1UNC14")] == 1
