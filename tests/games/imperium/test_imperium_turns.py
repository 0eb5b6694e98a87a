"""Turns and the solstice, advancing and developing, fame and the end of a game, on small positions."""

from __future__ import annotations

from sim.games.imperium.game import GAME
from sim.games.imperium.rules import constants
from sim.games.imperium.rules.drawing import resolve_king_of_kings
from sim.games.imperium.rules.scoring import variable_points
from tests.games.imperium.playing import (
    INNOVATING,
    act,
    check_used,
    develop,
    draws,
    exhaust,
    for_suit,
    market,
    may_use,
    no,
    option,
    pick,
    pick_from,
    play,
    resolve,
    revealed,
    scripted,
    solstice,
    turn,
    use,
    whole_round,
    yes,
)
from tests.games.imperium.tables import (
    CATALOG,
    T,
    card,
    have,
    names,
    position,
    table,
    tables_with,
    unrest_pile,
)

# ---- Drawing, advancing, developing ----


def test_a_barbarian_advances_once_with_a_reshuffle() -> None:
    g = table(discard={0: ["Conquer"]}, nation={0: ["Glory", "Advance"]})
    draws(g)
    assert (g.nation_exhausted[0], g.exhausts[0], names(g, 0, constants.NATION)) == (1, 4, ["Glory"])
    assert len(names(g, 0, constants.HAND) + names(g, 0, constants.DECK)) == 2
    draws(g, count=2)
    assert names(g, 0, constants.NATION) == ["Glory"]


def test_the_accession_card_makes_an_empire_which_develops_at_the_next_reshuffle() -> None:
    g = table(nation={0: ["Glory"]}, development={0: ["ROM6"]}, resources={0: (4, 0, 0)})
    draws(g)
    assert (g.state[0], names(g, 0, constants.HAND), names(g, 0, constants.DEVELOPMENT)) == (
        constants.EMPIRE,
        ["Glory"],
        ["The Senate"],
    )
    draws(g, develop("The Senate"))
    assert names(g, 0, constants.HAND) == ["Glory", "The Senate"]
    assert (g.development_exhausted[0], have(g)) == (1, [0, 0, 0])


def test_an_empire_that_does_not_develop_moves_no_token() -> None:
    g = table(empire=[0], development={0: ["ROM6"]}, resources={0: (4, 0, 0)}, discard={0: ["Glory"]})
    draws(g, develop(None))
    assert (g.development_exhausted[0], g.exhausts[0], names(g, 0, constants.HAND)) == (0, 5, ["Glory"])


def test_no_advance_without_an_exhaust_token() -> None:
    g = table(discard={0: ["Conquer"]}, nation={0: ["Glory", "Advance"]})
    g.exhausts[0] = 0
    draws(g)
    assert names(g, 0, constants.NATION) == ["Glory", "Advance"]


def test_the_last_card_drawn_does_not_reshuffle() -> None:
    g = table(deck={0: ["Conquer"]}, discard={0: ["Advance"]}, nation={0: ["Glory"]})
    draws(g)
    assert (names(g, 0, constants.HAND), names(g, 0, constants.DISCARD_PILE)) == (["Conquer"], ["Advance"])


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
    play(g, "Development", option(0))
    assert (have(g), g.exhausts[0]) == ([0, 0, 0], 5)
    assert "Ramesses II" in names(g, 0, constants.DISCARD_PILE)


def test_an_effect_that_develops_cannot_be_declined_where_a_card_can_be_paid_for() -> None:
    developing = [row.id for row in CATALOG.cards if "'develop'" in str(row.play) and "'may'" not in str(row.play)]
    assert set(developing) == {"1FAM5", "1TRI3", "ATL5", "EGY3", "MAC3", "PER4"}
    for name, material, left in (*((name, 4, []) for name in developing), ("1TRI3", 3, ["The Senate"])):
        g = table(hand={0: [name]}, development={0: ["ROM6"]}, empire=[0], resources={0: (material, 0, 0)})
        play(g, name)
        assert (names(g, 0, constants.DEVELOPMENT), g.ending == constants.LAST_DEVELOPMENT) == (left, not left)


def test_who_must_develop_chooses_which_card() -> None:
    for name, other in (("The Senate", "Legions"), ("Legions", "The Senate")):
        g = table(hand={0: ["1FAM5"]}, development={0: ["The Senate", "Legions"]}, empire=[0])
        play(g, "1FAM5", develop(name))
        assert names(g, 0, constants.DEVELOPMENT) == [other]


def test_a_card_that_says_so_may_leave_the_development() -> None:
    for answer, left in ((no(), ["Minoan Traders"]), (yes(), [])):
        g = table(
            hand={0: ["MIN2"]},
            development={0: ["MIN3"]},
            resources={0: (9, 9, 9)},
            empire=[0],
            nations=("Minoans A", "Romans B"),
        )
        play(g, "King Minos", answer)
        assert names(g, 0, constants.DEVELOPMENT) == left


def test_whether_a_barbarian_may_develop_is_a_setting() -> None:
    egypt = {"play": {0: ["EGY1A"]}, "development": {0: ["EGY4"]}, "nations": ("Egyptians A", "Celts B")}
    g = table(**egypt, resources={0: (4, 0, 0)})
    use(g, "EGY1A")
    assert g.actions[0] == 2
    assert g.ending == constants.LAST_DEVELOPMENT
    t = tables_with(barbarian_may_develop=False)
    g = table(**egypt, resources={0: (4, 0, 0)}, t=t)
    use(g, "EGY1A", t=t)
    assert names(g, 0, constants.DEVELOPMENT) == ["Embalming"]


def test_the_tributary_puts_the_top_nation_card_into_the_discard_pile_without_a_token() -> None:
    g = table(hand={0: ["1TRI3"]}, nation={0: ["Glory", "Advance"]})
    play(g, "1TRI3")
    assert (names(g, 0, constants.DISCARD_PILE), g.nation_exhausted[0]) == (["Advance"], 0)


def test_sacred_pass_swaps_a_hand_card_for_the_top_nation_card_but_never_the_accession_card() -> None:
    g = table(play={0: ["1REG14"]}, hand={0: ["Conquer"]}, nation={0: ["Glory", "Advance"]})
    use(g, "Sacred Pass", yes(), yes())
    assert (names(g, 0, constants.HAND), names(g, 0, constants.NATION)) == (["Advance"], ["Glory", "Conquer"])
    g = table(play={0: ["1REG14"]}, hand={0: ["Conquer"]}, nation={0: ["Glory"]})
    use(g, "Sacred Pass", no(), yes())
    assert (names(g, 0, constants.HAND), names(g, 0, constants.NATION)) == (["Conquer"], ["Glory"])


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
    assert names(g, 0, constants.HAND) == ["Great"]
    assert names(g, constants.TABLE, constants.FAME_DECK) == ["Triumphant", "Glorious", "Notorious"]


def test_king_of_kings_is_resolved_instead_of_fame_and_turned() -> None:
    g = table(hand={0: ["2TRI5"]}, play={0: ["1REG4"]}, players=2)
    play(g, "2TRI5")
    assert have(g) == [0, 0, 6]
    assert (g.king_turned, g.ending) == (1, constants.KING_OF_KINGS_TURNED)


def progress_of_kings(once_per_player: bool) -> list[list[int]]:
    """Let seats 0, 0 and 1 come to King of Kings, and return the progress of both seats after each."""
    t = tables_with(king_of_kings_once_per_player=once_per_player)
    g = table(t=t)
    progress = []
    for seat in (0, 0, 1):
        resolve_king_of_kings(g, t, seat)
        resolve(g, t, scripted())
        progress.append([have(g, other)[2] for other in (0, 1)])
    return progress


def test_each_side_of_king_of_kings_is_resolved_once_in_a_game_by_whoever_comes_first() -> None:
    assert T.king_once_per_player == 0
    assert progress_of_kings(once_per_player=False) == [[6, 0], [10, 0], [10, 0]]


def test_that_each_player_resolves_king_of_kings_once_is_a_setting() -> None:
    assert progress_of_kings(once_per_player=True) == [[6, 0], [6, 0], [6, 4]]


def test_king_of_kings_lets_an_empire_develop_for_free() -> None:
    g = table(development={0: ["ROM6", "ROM5"], 1: ["GRE9", "GRE8"]}, empire=[0, 1])
    for seat, name in enumerate(("The Senate", "Lighthouse")):
        players = scripted(develop(name))
        resolve_king_of_kings(g, T, seat)
        resolve(g, T, players)
        check_used(players)
    assert (have(g), have(g, 1)) == ([0, 0, 3], [0, 0, 0])
    assert names(g, 1, constants.DISCARD_PILE) == ["Lighthouse"]


# ---- Turns ----


def test_innovate_discards_the_hand_and_breaks_through() -> None:
    g = table(hand={0: ["Glory", "ROM17"]}, deck={0: ["Unrest"] * 4})
    turn(g, INNOVATING, for_suit("civilised"), market("Education"), pick(None))
    assert sorted(names(g, 0, constants.HAND)) == ["Education", *["Unrest"] * 4]
    assert sorted(names(g, 0, constants.DISCARD_PILE)) == ["Conquer", "Glory"]
    assert (g.actions[0], g.exhausts[0]) == (3, 5)


def test_a_turn_ends_with_a_token_on_the_market_and_all_tokens_renewed() -> None:
    g = table(hand={0: ["1TRI8", "ROM14"]}, play={0: ["2UNC7"]}, deck={0: ["Conquer", "Advance", "Prosperity"]})
    turn(g, act("Aksumites"), exhaust("Code of Laws"), market("City"), pick("Glory"), seat=0)
    assert list(g.market_tokens[3]) == [0, 0, 1]
    assert (g.actions[0], g.exhausts[0], g.exhausted[card("2UNC7")]) == (3, 5, 0)
    assert len(names(g, 0, constants.HAND)) == 5
    assert g.exhausts[0] + g.nation_exhausted[0] == 5


def test_cards_are_drawn_up_to_the_hand_size_of_the_cards_in_play() -> None:
    g = table(play={0: ["1FAM8", "1TRI5"]}, deck={0: ["Unrest"] * 9})
    turn(g)
    assert len(names(g, 0, constants.HAND)) == 7
    g = table(hand={0: ["Unrest"] * 7}, deck={0: ["Glory"]})
    turn(g)
    assert len(names(g, 0, constants.HAND)) == 7


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
    assert (names(g, 0, constants.HAND), have(g)) == (["Lowlands"], [0, 0, 0])


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
    assert (have(g), names(g, 0, constants.DISCARD_PILE), g.stored[card("MIN16")]) == ([0, 0, 2], ["Pottery"], 0)


def test_who_gets_the_tokens_of_a_card_that_leaves_otherwise_is_a_setting() -> None:
    minoan = {"play": {1: ["MIN16"]}, "hand": {0: ["2UNC4", "Glory"]}, "nations": ("Romans B", "Minoans B")}
    for gained, t in ((3, T), (0, tables_with(tokens_gained_when_card_leaves=False))):
        g = table(**minoan, t=t)
        g.stored[card("MIN16")] = 3
        play(g, "Espionage", market("Oasis"), t=t)
        assert (names(g, 1, constants.HAND), have(g, 1)) == (["Pottery"], [0, 0, gained])
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
    assert (names(g, 0, constants.PLAY), have(g), g.actions[0]) == (["Phalanx", "Jungle"], [0, 1, 0], 0)


# ---- The end ----


def test_scoring_triggered_ends_the_game_after_this_round_and_one_more() -> None:
    g = table(hand={0: ["1UNC18"]}, resources={0: (1, 0, 0)}, main=["Armenians"])
    players = scripted(act("Gambling"), revealed("tributary"))
    whole_round(g, players)
    assert (g.ending, g.rounds_left, g.rounds) == (constants.MAIN_DECK_EMPTY, 1, 1)
    GAME.kernels.play_out(g, T, players)
    assert (g.rounds, g.finished, g.end_reason) == (2, 1, constants.MAIN_DECK_EMPTY)


def test_scoring_triggered_in_the_solstice_leaves_one_more_round() -> None:
    g = table(play={0: ["UTO3B"]}, resources={0: (0, 24, 0)}, nations=("Utopians B", "Romans B"))
    players = scripted()
    whole_round(g, players)
    assert g.rounds_left == 1


def test_a_collapse_stops_the_turn_it_comes_in_and_the_game() -> None:
    g = table(hand={0: ["1CIV4"]}, resources={0: (0, 0, 0)}, empire=[0], unrest=1)
    GAME.kernels.play_out(g, T, scripted(act("Corruption")))
    assert (g.finished, g.end_reason, g.rounds, g.turn_seat) == (1, constants.COLLAPSE, 1, constants.NO_SEAT)
    assert have(g, 0) == [2, 0, 0], "the progress after the unrest is not gained"
    assert list(g.rank[:2]) == [1, 2]


def test_a_game_stopped_at_the_limit_of_rounds_says_so() -> None:
    g = table()
    g.rounds = T.round_limit - 1
    GAME.kernels.play_out(g, T, scripted())
    assert (g.rounds, g.finished, g.end_reason) == (T.round_limit, 1, constants.ROUND_LIMIT)


def test_the_power_card_counts_as_a_card_by_the_setting() -> None:
    g = position(nations=("Greeks A", "Romans B"), deck={0: ["Unrest"] * 6}, unrest=2)
    assert variable_points(g, T, 0, card("GRE1A")) == 1
    assert variable_points(g, tables_with(power_card_is_counted=False), 0, card("GRE1A")) == 0


def test_sumerians_return_unrest_before_the_end_is_judged() -> None:
    g = table(discard={0: ["1TRI7", "Unrest"]}, deck={0: ["Unrest"]}, hand={1: ["Unrest"]})
    g.collapsed = 1
    GAME.kernels.play_out(g, T, scripted(pick_from(constants.DISCARD_PILE), willing=True))
    assert list(g.rank[:2]) == [1, 2]
    assert unrest_pile(g) == 10
    assert g.collapsed == 1
