"""Set-up and draft: scores by lot, stacks, who chooses when, and in which order empires are called."""

from typing import Any

import numpy as np
import pytest

from sim.errors import UserError
from sim.games.history_of_the_world.rules import log
from sim.games.history_of_the_world.rules.constants import CALL, CLASSIC, DRAFT, EMPIRE, NO_CARD, NO_SEAT, START, TURN
from sim.players.batch import Plan
from sim.players.compile_players import players_of
from tests.kit.plans import plan_for, tables_of
from tests.kit.steps import started

GAME = "history_of_the_world"
PLAYERS = (3, 4, 5, 6)
POINTS = (30, 9, 51, 27, 44, 12)
"""Points given to the seats before a draft."""


def begun(players: int, variant: str = "draft", number: int = 0, **settings: object) -> tuple[Plan, Any]:
    """Return a plan and a game of it that has been set up, its log open."""
    plan = plan_for(GAME, variant, players, seed=12, settings=settings)
    return plan, started(plan, number, keeps_log=True)[0]


def step(plan: Plan, g: Any) -> None:
    """Go one step on with players who do anything."""
    plan.game.play_step(g, plan.data.tables, players_of(plan))
    assert g.error == 0


def rows_of(g: Any, *kinds: int) -> list[list[int]]:
    """Rows of some kinds that the log has."""
    rows = [[int(number) for number in g.log.rows[place]] for place in range(g.log.row_count)]
    return [row for row in rows if row[log.KIND] in kinds]


def in_draft(players: int, variant: str = "draft") -> tuple[Plan, Any, list[int]]:
    """Return a game as the draft begins with the points above, and the seats from the most to the fewest."""
    plan, g = begun(players, variant)
    g.points[:players] = POINTS[:players]
    step(plan, g)
    return plan, g, sorted(range(players), key=lambda seat: -POINTS[seat])


# ---- Set-up ----


@pytest.mark.parametrize("players", PLAYERS)
def test_scores_are_the_first_spaces_drawn_by_lot(players: int) -> None:
    drawn = set()
    for number in range(12):
        _, g = begun(players, number=number)
        assert sorted(g.points[:players]) == list(range(1, players + 1))
        assert g.part[:players, START].tolist() == g.points[:players].tolist()
        drawn.add(tuple(g.points[:players].tolist()))
    assert len(drawn) > 2


@pytest.mark.parametrize("players", PLAYERS)
def test_each_stack_has_a_card_of_its_epoch_for_every_player(players: int) -> None:
    plan, g = begun(players)
    t = plan.data.tables
    for stacks, empires in ((g.empire_stack, True), (g.event_stack, False)):
        for epoch in range(5):
            cards = stacks[epoch][:players].tolist()
            assert (stacks[epoch][players:] == NO_CARD).all()
            assert len(set(cards)) == players
            assert {(int(t.epoch[card]), bool(t.kind[card] == EMPIRE)) for card in cards} == {(epoch, empires)}


def test_other_cards_are_put_back_in_other_games() -> None:
    played = [begun(3, number=number)[1].empire_stack[0, :3].tolist() for number in range(40)]
    assert {card for cards in played for card in cards} == set(range(8))


@pytest.mark.parametrize("players", PLAYERS)
def test_the_map_is_empty_and_all_pieces_are_in_the_supply(players: int) -> None:
    _, g = begun(players)
    assert (g.army == NO_SEAT).all()
    assert g.supply.tolist() == [25] * players + [0] * (6 - players)
    assert g.pieces.tolist() == [24, 20, 14]
    assert not any(g[field].any() for field in ("capital", "city", "monument", "fort", "disc", "token"))


def test_three_to_six_players_play() -> None:
    assert {players for _, _, players in tables_of(GAME)} == set(PLAYERS)
    for players in (2, 7):
        with pytest.raises(UserError, match="players"):
            begun(players)


# ---- Region tokens ----


def test_the_first_epoch_places_five_tokens_that_lie_until_others_replace_them() -> None:
    plan, g = begun(3)
    names, t = plan.data.catalog.region_names, plan.data.tables
    step(plan, g)
    first = {names[region] for region in range(t.regions) if g.token[region] > 0}
    assert first == {"North Africa", "Southern Europe", "Middle East", "India", "China"}
    while g.finished == 0:
        step(plan, g)
        last = [max((e for e in range(g.epoch + 1) if t.presence[e, r] > 0), default=-1) for r in range(t.regions)]
        placed = g.phase not in (0, 5) or g.epoch == 0
        expected = [int(t.presence[last[r], r]) if last[r] >= 0 else 0 for r in range(t.regions)]
        assert not placed or g.token[: t.regions].tolist() == expected


# ---- The draft ----


@pytest.mark.parametrize("players", PLAYERS)
def test_events_go_from_the_most_points_down_and_empires_from_the_fewest_up(players: int) -> None:
    plan, g, order = in_draft(players)
    for choice in range(players):
        assert g.phase == DRAFT
        step(plan, g)
        assert {seat for seat in range(players) if g.event[seat] != NO_CARD} == set(order[: choice + 1])
        assert {seat for seat in range(players) if g.empire[seat] != NO_CARD} == set(order[-choice - 1 :])
    assert g.phase == CALL
    chosen = rows_of(g, log.CHOSE_EVENT, log.CHOSE_EMPIRE)
    both = [seat for pair in zip(order, reversed(order), strict=True) for seat in pair]
    assert [row[log.SEAT] for row in chosen] == both


@pytest.mark.parametrize("players", PLAYERS)
def test_each_sees_the_cards_that_are_left_and_keeps_one_of_them(players: int) -> None:
    plan, g, _ = in_draft(players)
    stacks = {log.CHOSE_EVENT: g.event_stack[0].tolist(), log.CHOSE_EMPIRE: g.empire_stack[0].tolist()}
    while g.phase == DRAFT:
        step(plan, g)
    looked: list[int] = []
    for row in rows_of(g, log.STACK_HOLDS, log.CHOSE_EVENT, log.CHOSE_EMPIRE):
        if row[log.KIND] == log.STACK_HOLDS:
            looked.append(row[log.CARD])
            continue
        stack = stacks[row[log.KIND]]
        assert looked == [card for card in stack if card != NO_CARD]
        stack.remove(row[log.CARD])
        looked = []
    assert (g.event_stack[0] == NO_CARD).all()
    assert (g.empire_stack[0] == NO_CARD).all()
    assert [int(g.holds[card]) for card in g.event[:players]] == list(range(1, players + 1))
    assert g.drafted[g.event[:players]].tolist() == [0] * players


# ---- Classic card selection ----


@pytest.mark.parametrize("players", PLAYERS)
def test_in_the_classic_selection_the_top_card_is_kept_or_given_to_one_without(players: int) -> None:
    plan, g, order = in_draft(players, "classic")
    tops = {True: g.event_stack[0, :players].tolist(), False: g.empire_stack[0, :players].tolist()}
    for events in (True, False):
        held = g.event if events else g.empire
        for number in range(players):
            assert g.phase == CLASSIC
            before = held.copy()
            step(plan, g)
            (changed,) = np.flatnonzero(held != before)
            assert before[changed] == NO_CARD
            assert held[changed] == tops[events][number]
        drawers = [row[log.SEAT] for row in rows_of(g, log.GAVE)][-players:]
        assert drawers == (order if events else order[::-1])
    assert g.phase == CALL


def test_by_a_setting_who_has_a_card_draws_no_more() -> None:
    differing = 0
    for number in range(4):
        plan, g = begun(4, "classic", number, classic_holder_may_draw=False)
        step(plan, g)
        while g.phase == CLASSIC:
            held = (g.event if g.event_left > 0 else g.empire).copy()
            drawn_before = len(rows_of(g, log.GAVE))
            step(plan, g)
            drawn = rows_of(g, log.GAVE)
            assert len(drawn) == drawn_before + 1
            assert held[drawn[-1][log.SEAT]] == NO_CARD
        seats = [row[log.SEAT] for row in rows_of(g, log.GAVE)][:4]
        differing += len(set(seats)) < 4
    assert differing


# ---- Calling ----


@pytest.mark.parametrize("players", PLAYERS)
def test_every_player_has_one_turn_in_an_epoch_in_the_order_of_the_empires(players: int) -> None:
    plan, g = begun(players)
    order = plan.data.tables.order
    while g.finished == 0:
        step(plan, g)
        assert g.phase != TURN or g.called[g.turn_seat]
    called = rows_of(g, log.CALLED)
    assert len(called) == 5 * players
    for epoch in range(5):
        turns = called[epoch * players : (epoch + 1) * players]
        assert {row[log.EPOCH] for row in turns} == {epoch}
        assert sorted(row[log.SEAT] for row in turns) == list(range(players))
        numbers = [int(order[row[log.CARD]]) for row in turns]
        assert numbers == sorted(set(numbers))
    assert g.rounds == 5


def test_a_turn_is_over_with_its_scoring_before_the_next_empire_is_called() -> None:
    plan, g = begun(4)
    while g.finished == 0:
        step(plan, g)
    scored = [row[log.KIND] for row in rows_of(g, log.CALLED, log.SCORED_STRUCTURES, log.EPOCH_BEGINS)]
    assert scored == [log.EPOCH_BEGINS, *[log.CALLED, log.SCORED_STRUCTURES] * 4] * 5


def test_the_most_points_win_and_all_are_told_apart() -> None:
    plan, g = begun(5)
    while g.finished == 0:
        step(plan, g)
    totals = g.score[:5, -1].tolist()
    assert totals == g.points[:5].tolist()
    assert len(set(totals)) == 5
    assert g.rank[:5].tolist() == [1 + sum(other > total for other in totals) for total in totals]
