"""Turns and the solstice, advancing and developing, fame and the end of a game, on small positions."""

from typing import Any

import pytest

from sim.games.imperium.game import GAME
from sim.games.imperium.rules import constants
from sim.games.imperium.rules.drawing import look_at_fame, resolve_king_of_kings, trigger_scoring
from sim.games.imperium.rules.moving import move
from sim.games.imperium.rules.scoring import variable_points
from sim.games.imperium.rules.turns import play_step
from tests.games.imperium.cases import at, case, draws, lay_out, may, may_not, play, put, rows, solstice, turn, use
from tests.games.imperium.playing import (
    INNOVATING,
    REVOLTING,
    act,
    amount,
    check_used,
    develop,
    exhaust,
    for_suit,
    market,
    no,
    option,
    pick,
    pick_from,
    resolve,
    revealed,
    scripted,
    whole_round,
    yes,
)
from tests.games.imperium.tables import CATALOG, T, card, found, have, names, position, table, tables_with, unrest_pile

# fmt: off
RESHUFFLED = at(discard="Conquer", nation="Glory, Advance")
ACCESSION = at(nation="Glory", development="ROM6", has=(4, 0, 0))
EGYPT = at(play="EGY1A", development="EGY4", nations="Egyptians A, Celts B", has=(4, 0, 0))
PASS = {"play": "1REG14", "hand": "Conquer"}
MINOS = at(hand="MIN2", development="MIN3", has=(9, 9, 9), empire=[0], nations="Minoans A, Romans B")
DEVELOPING = ("1FAM5", "1TRI3", "ATL5", "EGY3", "MAC3", "PER4")


def obliged(name: str, material: int) -> dict[str, Any]:
    return at(hand=name, development="ROM6", empire=[0], has=(material, 0, 0))


test_drawing_advancing_and_developing = rows(
    case("a barbarian advances with a reshuffle", RESHUFFLED, draws(), nation_exhausted=1, exhausts=4, nation="Glory"),
    case("once a turn", RESHUFFLED, draws(), draws(count=2), nation="Glory", hand="Advance, Conquer"),
    case("also in the turn of another", at(discard1="Conquer", nation1="Glory, Advance"), draws(seat=1),
         nation_exhausted1=1, nation1="Glory"),
    case("the accession card makes an empire", ACCESSION, draws(), state=constants.EMPIRE, hand="Glory",
         development="The Senate"),
    case("which develops at the next reshuffle", ACCESSION, draws(), draws(develop("The Senate")),
         hand="Glory, The Senate", development_exhausted=1, have=(0, 0, 0)),
    case("an empire that does not develop moves no token",
         at(empire=[0], development="ROM6", has=(4, 0, 0), discard="Glory"), draws(develop(None)),
         development_exhausted=0, exhausts=5, hand="Glory"),
    case("no advance without an exhaust token", RESHUFFLED | {"exhausts": 0}, draws(), nation="Glory, Advance"),
    case("the last card drawn does not reshuffle", at(deck="Conquer", discard="Advance", nation="Glory"), draws(),
         hand="Conquer", discard="Advance"),
    case("developing by an effect needs no token and pays reduced costs",
         at(hand="EGY3", play="EGY8", development="EGY6, EGY7", has=(4, 1, 0), empire=[0],
            nations="Egyptians B, Celts B", development_exhausted=1), play("Development", option(0)), have=(0, 0, 0),
         exhausts=5, discard_has="Ramesses II"),
    *(case(f"{name} develops where it can be paid for", obliged(name, 4), play(name), development="",
           ending=constants.LAST_DEVELOPMENT)
      for name in DEVELOPING),
    case("and only there", obliged("1TRI3", 3), play("1TRI3"), development="The Senate", ending=constants.NOT_ENDING),
    *(case(f"who must develop chooses {name}", at(hand="1FAM5", development="The Senate, Legions", empire=[0]),
           play("1FAM5", develop(name)),
           development=other) for name, other in (("The Senate", "Legions"), ("Legions", "The Senate"))),
    case("a card that says so may leave the development", MINOS, play("King Minos", no()),
         development="Minoan Traders"),
    case("or not", MINOS, play("King Minos", yes()), development=""),
    case("a barbarian may develop", EGYPT, use("EGY1A"), actions=2, ending=constants.LAST_DEVELOPMENT),
    case("unless a setting forbids it", EGYPT | {"rules": {"barbarian_may_develop": False}}, use("EGY1A"),
         development="Embalming"),
    case("a tributary discards the top nation card without a token", at(hand="1TRI3", nation="Glory, Advance"),
         play("1TRI3"), discard="Advance", nation_exhausted=0),
    case("Sacred Pass swaps a hand card for the top nation card", at(**PASS, nation="Glory, Advance"),
         use("Sacred Pass", yes(), yes()), hand="Advance", nation="Glory, Conquer"),
    case("but never for the accession card", at(**PASS, nation="Glory"), use("Sacred Pass", no(), yes()),
         hand="Conquer", nation="Glory"),
)


def test_the_cards_that_oblige_to_develop_are_all_tried() -> None:
    developing = [row.id for row in CATALOG.cards if "'develop'" in str(row.play) and "'may'" not in str(row.play)]
    assert set(developing) == set(DEVELOPING)


TO_DRAW = "Conquer, Advance, Prosperity, Jungle, Aksumites"
FOUR_UNREST = ", ".join(["Unrest"] * 4)
REVOLT = at(hand="Unrest, Unrest, Unrest, Glory", deck=TO_DRAW)


test_turns = rows(
    case("innovate discards the hand and breaks through", at(hand="Glory, ROM17", deck=FOUR_UNREST),
         turn(INNOVATING, for_suit("civilised"), market("Education"), pick(None)), hand=f"Education, {FOUR_UNREST}",
         discard="Conquer, Glory", actions=3, exhausts=5),
    case("revolt returns as many unrest as one likes and does nothing else", REVOLT, turn(REVOLTING, amount(2)),
         unrest=10, discard="", hand_has="Unrest"),
    case("hand cards are discarded at will before the hand is filled", at(hand="Glory, Unrest", deck=TO_DRAW),
         turn(pick("Glory")), discard="Glory", hand_has="Unrest"),
    case("a turn ends with a token on the market and all tokens renewed",
         at(hand="1TRI8, ROM14", play="2UNC7", deck="Conquer, Advance, Prosperity"),
         turn(act("Aksumites"), exhaust("Code of Laws"), market("City"), pick("Glory")), tokens3=(0, 0, 1), actions=3,
         exhausts=5, nation_exhausted=0, exhausted={"2UNC7": 0}),
    case("cards are drawn up to the hand size of the cards in play", at(play="1FAM8, 1TRI5", deck=["Unrest"] * 9),
         turn(), hand=["Unrest"] * 7),
    case("more stay", at(hand=["Unrest"] * 7, deck="Glory"), turn(), hand=["Unrest"] * 7),
    case("Masonry makes cities free plays", at(hand="1UNC15", play="2CIV9"), play("City"), actions=3),
    case("a card in play is used whatever its state icon says: barbarian",
         at(play="Coinage", deck="Glory", has=(1, 0, 0), uncivilised=""), may("Coinage")),
    case("a card in play is used whatever its state icon says: empire",
         at(play="1UNC6", deck="Glory", has=(1, 0, 0), empire=[0], uncivilised=""), may("1UNC6")),
    case("a gained action may be a fourth", at(play="Mysticism"), use("Mysticism"), actions=4),
    case("an exhaust token is returned to the state card", at(hand="1TRI6", play="2UNC7", deck="Conquer, Advance"),
         use("Code of Laws"), play("1TRI6"), exhausts=5, exhausted={"2UNC7": 0}),
    case("an ability that spends an action needs one",
         at(play="MAC17", discard="1REG2", nations="Macedonians B, Romans B", market="", actions=0), may_not("Phalanx"),
         put(actions=1), use("Phalanx"), play="Phalanx, Jungle", have=(0, 1, 0), actions=0),
)


POTTERY = at(play="MIN16", has=(4, 0, 0), nations="Minoans B, Romans B")
SPIED = at(play1="MIN16", hand="2UNC4, Glory", nations="Romans B, Minoans B", stored={"MIN16": 3})


test_the_solstice = rows(
    # The tokens of Pharmacy first, then the city.
    case("solstice effects come in an order of the player's choice", at(play="1CIV8, 2UNC8", has=(3, 2, 0)),
         solstice(pick("Religion"), option(1), option(1)), have=(0, 0, 1)),
    case("a card that has left play does not act", at(play="SCY21, 2REG8", nations="Scythians B, Romans B"),
         solstice(pick("Tents"), pick("Lowlands")), hand="Lowlands", have=(0, 0, 0)),
    case("mandatory effects are done as far as possible", at(play="EGY5", nations="Egyptians B, Romans B"), solstice(),
         have=(0, 0, 1)),
    case("Pottery stores progress", POTTERY, solstice(option(0)), solstice(option(0)), have=(0, 0, 0),
         stored={"MIN16": 2}),
    case("that is gained when it is abandoned", POTTERY, solstice(option(0)), solstice(option(0)), solstice(),
         have=(0, 0, 2), discard="Pottery", stored={"MIN16": 0}),
    case("or recalled", SPIED, play("Espionage", market("Oasis")), hand1="Pottery", have1=(0, 0, 3),
         stored={"MIN16": 0}),
    case("but not by a setting", SPIED | {"rules": {"tokens_gained_when_card_leaves": False}},
         play("Espionage", market("Oasis")), hand1="Pottery", have1=(0, 0, 0), stored={"MIN16": 0}),
)


test_fame = rows(
    case("looking at fame takes one and puts the others back in any order",
         at(hand="OLM4, OLM12, OLM13", play="OLM3", has=(0, 2, 0), fame="Triumphant, Great, Notorious, Glorious",
            empire=[0], nations="Olmecs B, Romans B", exhausts=0),
         play("Ritual Sacrifice", pick("Great"), pick("Glorious")), hand="Great",
         fame="Triumphant, Glorious, Notorious"),
    case("King of Kings is resolved instead of fame and turned", at(hand="2TRI5", play="1REG4"), play("2TRI5"),
         have=(0, 0, 6), king_turned=1, ending=constants.KING_OF_KINGS_TURNED),
)
# fmt: on


def test_of_fewer_fame_cards_than_named_all_are_looked_at() -> None:
    g = table(fame=["Great"])
    look_at_fame(g, T, scripted(), 0, 3, 1)
    assert (names(g, 0, constants.HAND), names(g, constants.TABLE, constants.FAME_DECK)) == (["Great"], [])


@pytest.mark.parametrize(("once", "expected"), [(False, [[6, 0], [10, 0], [10, 0]]), (True, [[6, 0], [6, 0], [6, 4]])])
def test_each_side_of_king_of_kings_is_resolved_once_in_a_game_or_by_a_setting_once_by_each(
    once: bool, expected: list[list[int]]
) -> None:
    assert T.king_once_per_player == 0
    t = tables_with(king_of_kings_once_per_player=once)
    g = table(t=t)
    progress = []
    for seat in (0, 0, 1):
        resolve_king_of_kings(g, t, seat)
        resolve(g, t, scripted())
        progress.append([have(g, other)[2] for other in (0, 1)])
    assert progress == expected


def test_king_of_kings_lets_an_empire_develop_for_free() -> None:
    g = table(development={0: ["ROM6", "ROM5"], 1: ["GRE9", "GRE8"]}, empire=[0, 1])
    for seat, name in enumerate(("The Senate", "Lighthouse")):
        players = scripted(develop(name))
        resolve_king_of_kings(g, T, seat)
        resolve(g, T, players)
        check_used(players)
    assert (have(g), have(g, 1)) == ([0, 0, 3], [0, 0, 0])
    assert names(g, 1, constants.DISCARD_PILE) == ["Lighthouse"]


# ---- Rounds and the end ----


def test_turns_go_round_from_the_player_left_of_the_solstice_marker() -> None:
    g = table(players=3, nations=("Romans B", "Greeks B", "Persians B"))
    g.first_seat = g.turn_seat = 1
    order: list[int] = []
    players = scripted()
    whole_round(g, players)
    rounds = int(g.rounds)
    while g.rounds == rounds:
        if g.turn_seat >= 0 and (not order or order[-1] != int(g.turn_seat)):
            order.append(int(g.turn_seat))
        play_step(g, T, players)
    assert order == [1, 2, 0]


def test_every_player_resolves_the_solstice_before_the_next_round() -> None:
    g = table(play={0: ["EGY5"], 1: ["Coinage"]}, nations=("Egyptians B", "Romans B"))
    whole_round(g, scripted())
    assert (have(g), have(g, 1)) == ([0, 0, 1], [2, 0, 0])


def test_scoring_triggered_ends_the_game_after_this_round_and_one_more() -> None:
    g = table(hand={0: ["1UNC18"]}, resources={0: (1, 0, 0)}, main=["Armenians"])
    players = scripted(act("Gambling"), revealed("tributary"))
    whole_round(g, players)
    assert (g.ending, g.rounds_left, g.rounds) == (constants.MAIN_DECK_EMPTY, 1, 1)
    GAME.kernels.play_out(g, T, players)
    assert (g.rounds, g.finished, g.end_reason) == (2, 1, constants.MAIN_DECK_EMPTY)


def test_scoring_triggered_in_the_solstice_leaves_one_more_round() -> None:
    g = table(play={0: ["UTO3B"]}, resources={0: (0, 24, 0)}, nations=("Utopians B", "Romans B"))
    whole_round(g, scripted())
    assert g.rounds_left == 1


def test_a_further_trigger_of_scoring_changes_nothing() -> None:
    g = table()
    trigger_scoring(g, constants.LAST_DEVELOPMENT)
    g.rounds_left = 1
    trigger_scoring(g, constants.MAIN_DECK_EMPTY)
    assert (g.ending, g.rounds_left) == (constants.LAST_DEVELOPMENT, 1)


def test_a_collapse_stops_the_turn_it_comes_in_and_the_game() -> None:
    g = table(hand={0: ["1CIV4"]}, resources={0: (0, 0, 0)}, empire=[0], unrest=1)
    GAME.kernels.play_out(g, T, scripted(act("Corruption")))
    assert (g.finished, g.end_reason, g.rounds, g.turn_seat) == (1, constants.COLLAPSE, 1, constants.NO_SEAT)
    assert have(g, 0) == [2, 0, 0], "the progress after the unrest is not gained"
    assert list(g.rank[:2]) == [1, 2]


def test_sumerians_return_unrest_before_the_end_is_judged() -> None:
    g = table(discard={0: ["1TRI7", "Unrest"]}, deck={0: ["Unrest"]}, hand={1: ["Unrest"]})
    g.collapsed = 1
    GAME.kernels.play_out(g, T, scripted(pick_from(constants.DISCARD_PILE), willing=True))
    assert (list(g.rank[:2]), unrest_pile(g), g.collapsed) == ([1, 2], 10, 1)


def test_a_game_stopped_at_the_limit_of_rounds_says_so() -> None:
    g = table()
    g.rounds = T.round_limit - 1
    GAME.kernels.play_out(g, T, scripted())
    assert (g.rounds, g.finished, g.end_reason) == (T.round_limit, 1, constants.ROUND_LIMIT)


def test_the_power_card_counts_as_a_card_by_the_setting() -> None:
    g = position(nations=("Greeks A", "Romans B"), deck={0: ["Unrest"] * 6}, unrest=2)
    assert variable_points(g, T, 0, card("GRE1A")) == 1
    assert variable_points(g, tables_with(power_card_is_counted=False), 0, card("GRE1A")) == 0


def test_a_garrisoned_card_that_is_moved_leaves_its_host_in_play() -> None:
    g, t = lay_out(at(play="Jungle", garrison={"Jungle": "Glory"}))
    move(g, t, 0, found(g, 0, constants.GARRISON, "Glory"), constants.GARRISON, constants.DISCARD_PILE)
    zones = (constants.PLAY, constants.GARRISON, constants.DISCARD_PILE)
    assert [names(g, 0, zone) for zone in zones] == [["Jungle"], [], ["Glory"]]
