"""A game dealt anew for a seat: all that it has seen stays, the rest is as it could just as well be."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from sim.batch import Plan, plan_record
from sim.compiling import players_of
from sim.games.imperium.drawing import draw, look_at_fame, shuffle_nation
from sim.games.imperium.knowledge import look, show
from sim.games.imperium.moving import move
from sim.games.imperium.play import start_game
from sim.games.imperium.state import STATE
from sim.games.imperium.turns import play_on, play_step
from sim.games.imperium.words import (
    DECK,
    DISCARD_PILE,
    FAME_DECK,
    HAND,
    MAIN_DECK,
    NATION,
    REGION_DECK,
    REMOVED,
    TABLE,
    UNREST_PILE,
    ZONES,
)
from sim.record import give_answers, progress_bytes
from sim.runs.config import RunConfig, make_plan
from tests.games.imperium.hidden import dealt_anew
from tests.games.imperium.playing import option, pick, play, revealed, scripted, top_of
from tests.games.imperium.tables import T, names, position

HIDDEN_OF_SEATS = (HAND, DECK, NATION)
DEALS = 40
"""How often a position is dealt anew to see what a seat thinks possible."""


def plan_of_table(players: int, box: str = "classics") -> Plan:
    """Plan of games of random players."""
    return make_plan(RunConfig(game="imperium", players=players, variant=box, strategies=["random"], seed=31))


def steps_of(plan: Plan, game: int, every: int) -> list[tuple[np.ndarray, np.ndarray]]:
    """Play a game; return copies of it before and after some of the steps in which something was decided."""
    table = plan.game.new_games(1)
    g: Any = table[0]
    players = players_of(plan)
    start_game(g, plan.data.tables, plan_record(plan), game)
    found = []
    decided = 0
    while g.finished == 0:
        before = table.copy()
        play_step(g, plan.data.tables, players)
        if g.decisions > before[0].decisions:
            decided += 1
            if decided % every == 0:
                found.append((before, table.copy()))
    assert g.error == 0
    return found


@pytest.fixture(scope="module")
def tables(scaled: Callable[[int, int], int]) -> list[tuple[Plan, np.ndarray]]:
    """Games under way, for 2 to 4 players."""
    plans = [plan_of_table(2), plan_of_table(3, "legends"), plan_of_table(4)]
    return [
        (plan, before)
        for plan in plans
        for game in range(scaled(6, 1))
        for before, _ in steps_of(plan, game, scaled(11, 23))
    ]


# ---- Whole games ----


def cards_in(g: Any, owner: int, zone: int) -> list[int]:
    return [int(card) for card in g.zone[owner, zone, : g.zone_size[owner, zone]]]


def all_hidden(g: Any) -> Counter[int]:
    """All cards of the zones in which cards may lie unseen."""
    owners = [(TABLE, zone) for zone in (*range(REGION_DECK, UNREST_PILE), REMOVED)]
    owners += [(seat, zone) for seat in range(g.players) for zone in HIDDEN_OF_SEATS]
    return Counter(card for owner, zone in owners for card in cards_in(g, owner, zone))


def test_what_a_seat_has_seen_stays(tables: list[tuple[Plan, np.ndarray]]) -> None:
    for number, (plan, table) in enumerate(tables):
        me = number % plan.players
        g, other = table[0], dealt_anew(table, plan.data.tables, me, number)[0]
        assert (g.zone_size == other.zone_size).all()
        for owner in range(TABLE + 1):
            for zone in range(ZONES):
                before, after = cards_in(g, owner, zone), cards_in(other, owner, zone)
                hidden = zone in HIDDEN_OF_SEATS if owner < TABLE else zone < UNREST_PILE or zone == REMOVED
                if not hidden or (owner == me and zone == HAND):
                    assert before == after
                for place, card in enumerate(before):
                    if g.knows_zone[card] & (1 << me):
                        assert card in after
                        assert zone == HAND or not g.knows_place[card] & (1 << me) or after[place] == card
        assert sorted(cards_in(g, me, DECK)) == sorted(cards_in(other, me, DECK))
        dealt = {
            "zone",
            "knows_zone",
            "knows_place",
            "held",
            "put_back",
            "unseen",
            "rng_game",
            "rng_drawn",
            "rng_words",
        }
        for field in STATE.names or ():
            if field not in dealt | {"notes"}:
                assert g[field].tobytes() == other[field].tobytes(), field


def test_no_card_is_made_or_lost_and_none_leaves_the_cards_it_was_shuffled_with(
    tables: list[tuple[Plan, np.ndarray]],
) -> None:
    for number, (plan, table) in enumerate(tables):
        t = plan.data.tables
        g, other = table[0], dealt_anew(table, t, number % plan.players, number)[0]
        assert all_hidden(g) == all_hidden(other)
        for seat in range(plan.players):
            assert sorted(cards_in(g, seat, NATION)) == sorted(cards_in(other, seat, NATION))
            for zone in (HAND, DECK):
                heaps = [Counter(g.heap[card] for card in cards_in(one, seat, zone)) for one in (g, other)]
                assert heaps[0] == heaps[1] or any(g.put_back[cards_in(g, seat, DECK)])
        for deck in range(REGION_DECK, MAIN_DECK):
            assert {int(g.heap[card]) for card in cards_in(other, TABLE, deck)} <= {deck}


def test_a_deal_depends_on_nothing_hidden(tables: list[tuple[Plan, np.ndarray]]) -> None:
    size = progress_bytes(STATE)
    differ = 0
    for number, (plan, table) in enumerate(tables):
        t, me = plan.data.tables, number % plan.players
        one = dealt_anew(table, t, me, 1)
        another = dealt_anew(table, t, me, 2)
        again = dealt_anew(another, t, me, 1)
        for game in (one, again):
            # Words in stock are those last drawn of a stream, `unseen` is for the dealing alone.
            game[0].rng_words[:] = 0
            game[0].unseen[:] = 0
        assert one.tobytes()[:size] == again.tobytes()[:size]
        differ += int((one[0].zone != another[0].zone).any())
    assert differ == len(tables)


def test_a_game_dealt_anew_can_be_played_to_its_end(tables: list[tuple[Plan, np.ndarray]]) -> None:
    for number, (plan, table) in enumerate(tables[:: max(1, len(tables) // 6)]):
        other = dealt_anew(table, plan.data.tables, number % plan.players, number)
        play_on(other[0], plan.data.tables, players_of(plan))
        assert (other[0].finished, other[0].error) == (1, 0)


@pytest.mark.parametrize("players", [2, 4])
def test_a_copy_at_any_decision_plays_on_to_the_same_end(players: int, scaled: Callable[[int, int], int]) -> None:
    plan = plan_of_table(players)
    t, team = plan.data.tables, players_of(plan)
    whole = plan.game.new_games(1)
    start_game(whole[0], t, plan_record(plan), 5)
    play_on(whole[0], t, team)
    within = 0
    for before, after in steps_of(plan, 5, scaled(3, 90)):
        decisions = int(after[0].decisions - before[0].decisions)
        within += decisions > 1
        for count in range(decisions + 1):
            copy = before.copy()
            give_answers(copy[0], after[0], count)
            play_on(copy[0], t, team)
            assert copy[0].score.tobytes() == whole[0].score.tobytes()
            assert copy[0].zone.tobytes() == whole[0].zone.tobytes()
            assert copy[0].rng_drawn.tolist() == whole[0].rng_drawn.tolist()
            assert (copy[0].decisions, copy[0].error) == (whole[0].decisions, 0)
    assert within or not scaled(1, 0)


# ---- What the rules let a seat know ----

DECK_OF_SEVEN = ["Advance", "Glory", "Prosperity", "Conquer", "Hills", "Floodplain", "Coast"]


def deals(g: Any, me: int, owner: int, zone: int) -> list[list[str]]:
    """Names of the cards in a zone, as a seat thinks possible."""
    table = np.asarray(g).reshape(1)
    return [names(dealt_anew(table, T, me, number)[0], owner, zone) for number in range(DEALS)]


def thought_possible(g: Any, me: int, owner: int, zone: int) -> list[set[str]]:
    """Names that a seat thinks possible at each place of a zone, from the bottom up."""
    return [set(place) for place in zip(*deals(g, me, owner, zone), strict=True)]


def test_another_players_hand_may_hold_anything_of_its_draw_deck() -> None:
    g = position(deck={0: DECK_OF_SEVEN})
    draw(g, T, scripted(), 0, True)
    assert thought_possible(g, 1, 0, HAND) == [set(DECK_OF_SEVEN)]
    assert thought_possible(g, 0, 0, HAND) == [{"Coast"}]
    assert set.union(*thought_possible(g, 0, 0, DECK)) == set(DECK_OF_SEVEN) - {"Coast"}


def test_what_is_taken_before_all_eyes_is_known_to_be_in_the_hand() -> None:
    g = position(
        hand={0: ["ROM16"]}, deck={0: DECK_OF_SEVEN}, resources={0: (3, 0, 0)}, market=(None, "Elders"), main=["Marsh"]
    )
    play(g, "Advance")
    draw(g, T, scripted(), 0, True)
    assert thought_possible(g, 1, 0, HAND) == [{"Elders"}, {"Unrest"}, set(DECK_OF_SEVEN)]


def test_a_hand_card_put_on_the_draw_deck_unseen_may_be_any_of_the_hand_but_no_other() -> None:
    g = position(hand={0: ["1TRI9", "Elders", "Shrine"]}, deck={0: DECK_OF_SEVEN})
    for card in cards_in(g, 0, HAND):
        show(g, card)
    play(g, "Minoans", pick("Elders"))
    assert thought_possible(g, 1, 0, HAND) == [{"Elders", "Shrine"}]
    deck = thought_possible(g, 1, 0, DECK)
    assert deck[-1] == {"Elders", "Shrine"}
    assert set.union(*deck[:-1]) == set(DECK_OF_SEVEN)
    assert thought_possible(g, 0, 0, DECK)[-1] == {"Elders"}
    draw(g, T, scripted(), 0, True)
    assert set.union(*thought_possible(g, 1, 0, HAND)) == {"Elders", "Shrine"}


def test_a_card_put_on_the_draw_deck_from_the_discard_pile_is_known_to_lie_there() -> None:
    g = position(hand={0: ["2TRI8"]}, deck={0: DECK_OF_SEVEN}, discard={0: ["Shrine"]})
    move(g, T, 0, cards_in(g, 0, DISCARD_PILE)[0], DISCARD_PILE, DECK)
    for seat in (0, 1):
        assert thought_possible(g, seat, 0, DECK)[-1] == {"Shrine"}
    draw(g, T, scripted(), 0, True)
    assert thought_possible(g, 1, 0, HAND)[-1] == {"Shrine"}


def test_hand_cards_from_before_a_reshuffle_are_not_in_the_new_draw_deck() -> None:
    g = position(deck={0: ["Elders", "Shrine"]}, discard={0: DECK_OF_SEVEN})
    for _ in range(3):
        draw(g, T, scripted(), 0, True)
    for hand in deals(g, 1, 0, HAND):
        assert {"Elders", "Shrine"} < set(hand)
    assert set.union(*thought_possible(g, 1, 0, DECK)) == set(DECK_OF_SEVEN)


FAME = ["Great", "Notorious", "Marvellous", "Glorious", "Praiseworthy"]


def test_who_looks_at_fame_knows_what_it_leaves_and_the_others_do_not_know_what_it_takes() -> None:
    g = position(3, fame=FAME)
    look_at_fame(g, T, scripted(pick("Glorious")), 0, 2, 1)
    assert names(g, 0, HAND) == ["Glorious"]
    assert thought_possible(g, 0, TABLE, FAME_DECK)[-1] == {"Praiseworthy"}
    assert thought_possible(g, 1, 0, HAND) == [set(FAME)]
    assert thought_possible(g, 1, TABLE, FAME_DECK)[-1] == set(FAME)


def test_a_seat_that_others_shuffle_fame_under_no_longer_knows_the_top() -> None:
    g = position(fame=FAME)
    look_at_fame(g, T, scripted(), 1, 1, 0)
    assert thought_possible(g, 1, TABLE, FAME_DECK)[-1] == {"Praiseworthy"}
    look_at_fame(g, T, scripted(pick("Glorious")), 0, 2, 1)
    assert len(thought_possible(g, 1, TABLE, FAME_DECK)[-1]) > 1


def test_the_unseen_top_card_of_a_small_deck_may_be_any_of_its_suit() -> None:
    regions = ["Hills", "Oasis", "Coast", "Floodplain"]
    g = position(hand={0: ["ROM17"]}, resources={0: (0, 3, 0)}, regions=regions[:3], main=regions[3:])
    play(g, "Conquer", option(1), top_of("region"))
    assert thought_possible(g, 0, 0, HAND) == [{"Coast"}]
    assert thought_possible(g, 1, 0, HAND) == [set(regions)]
    assert thought_possible(g, 1, TABLE, MAIN_DECK) == [set(regions)]


def test_cards_revealed_and_shuffled_back_are_known_to_be_in_the_main_deck() -> None:
    g = position(
        hand={0: ["ROM17"]}, resources={0: (0, 3, 0)}, regions=["Oasis"], main=["Elders", "Armenians", "Hills", "Coast"]
    )
    play(g, "Conquer", option(1), revealed("tributary"))
    assert thought_possible(g, 1, TABLE, REGION_DECK) == [{"Oasis"}]
    assert thought_possible(g, 1, TABLE, MAIN_DECK) == [{"Elders", "Hills", "Coast"}] * 3
    assert thought_possible(g, 1, 0, HAND) == [{"Armenians"}]


def test_the_nation_deck_is_unknown_but_for_its_bottom_and_what_its_player_looked_at() -> None:
    nation = ["Harald Hardrada", "Iceland", "Combs", "Graenland"]
    g = position(nations=("Vikings B", "Romans B"), nation={0: nation})
    assert thought_possible(g, 0, 0, NATION) == [{"Harald Hardrada"}, *[set(nation[1:])] * 3]
    look(g, 0, cards_in(g, 0, NATION)[-1])
    assert thought_possible(g, 0, 0, NATION) == [{"Harald Hardrada"}, *[{"Iceland", "Combs"}] * 2, {"Graenland"}]
    assert thought_possible(g, 1, 0, NATION)[-1] == set(nation[1:])
    shuffle_nation(g, 0)
    assert len(thought_possible(g, 0, 0, NATION)[-1]) == 3
