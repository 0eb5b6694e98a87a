"""What a seat knows of the cards stays when the rest is dealt anew; all that it cannot know may lie anywhere."""

from typing import Any

import numpy as np
import pytest

from sim.games.history_of_the_world.rules.constants import CALL, DRAFT, NO_CARD, TURN
from sim.games.history_of_the_world.rules.log import CARD, GAVE, KIND, SEAT, VALUE
from sim.players.batch import Plan
from sim.players.compile_players import players_of
from tests.kit.hidden import dealt_anew
from tests.kit.plans import plan_for
from tests.kit.steps import started

GAME = "history_of_the_world"
DEALS = 30


def played(phase: int, epoch: int, variant: str = "draft", choices: int = 0) -> tuple[Plan, np.ndarray]:
    """Return a game for four in a phase of an epoch, after so many choices of the draft."""
    plan = plan_for(GAME, variant, 4, seed=3)
    table = started(plan, 1, keeps_log=True)
    g: Any = table[0]
    while g.phase != phase or g.epoch != epoch or (phase == DRAFT and g.draft_round < choices):
        plan.game.play_step(g, plan.data.tables, players_of(plan))
    return plan, table


def deals(plan: Plan, table: np.ndarray, me: int) -> list[Any]:
    """Return the game dealt anew many times for a seat."""
    return [dealt_anew(plan.game, table, plan.data.tables, me, number)[0] for number in range(DEALS)]


@pytest.mark.parametrize("variant", ["draft", "classic"])
def test_cards_to_come_may_lie_in_any_order(variant: str) -> None:
    plan, table = played(CALL, 2, variant)
    for me in range(4):
        others = deals(plan, table, me)
        for stack in ("event_stack", "empire_stack"):
            assert len({tuple(other[stack][4, :4].tolist()) for other in others}) > DEALS // 2
            assert len({card for other in others for card in other[stack][4, :4].tolist()}) == 8


def test_who_has_seen_cards_pass_knows_that_others_have_them_but_not_who() -> None:
    plan, table = played(CALL, 0)
    g: Any = table[0]
    first = int(g.draft_order[0])
    passed = sorted(int(g.event[seat]) for seat in range(4) if seat != first)
    holders = set()
    for other in deals(plan, table, first):
        assert sorted(int(other.event[seat]) for seat in range(4) if seat != first) == passed
        holders.add(tuple(other.event[:4].tolist()))
    assert len(holders) == 6


def test_who_chose_last_knows_nothing_of_what_others_have() -> None:
    plan, table = played(CALL, 0)
    g: Any = table[0]
    last = int(g.draft_order[3])
    held = {int(card) for other in deals(plan, table, last) for card in np.delete(other.event[:4], last)}
    t = plan.data.tables
    events = {card for card in range(t.empires, t.cards) if t.epoch[card] == 0}
    assert held == events - {int(g.event[last])}


def test_in_the_middle_of_a_draft_the_cards_left_are_not_known_to_who_has_not_looked() -> None:
    plan, table = played(DRAFT, 0, choices=1)
    g: Any = table[0]
    first, last = int(g.draft_order[0]), int(g.draft_order[3])
    left = {tuple(sorted(other.event_stack[0, :3].tolist())) for other in deals(plan, table, first)}
    assert left == {tuple(sorted(g.event_stack[0, :3].tolist()))}
    assert len({tuple(sorted(other.event_stack[0, :3].tolist())) for other in deals(plan, table, last)}) > DEALS // 2


def test_a_card_given_away_is_known_to_who_gave_it() -> None:
    plan, table = played(CALL, 0, "classic")
    g: Any = table[0]
    given = [row for row in g.log.rows[: g.log.row_count] if row[KIND] == GAVE and row[SEAT] != row[VALUE]]
    assert given
    for row in given:
        for other in deals(plan, table, int(row[SEAT])):
            assert row[CARD] in (other.event[row[VALUE]], other.empire[row[VALUE]])


def test_empires_that_were_called_stay_and_events_are_drafted_in_their_epoch() -> None:
    plan, table = played(TURN, 1)
    g: Any = table[0]
    while g.called[:4].sum() < 2 or g.phase != CALL:
        plan.game.play_step(g, plan.data.tables, players_of(plan))
    called = np.flatnonzero(g.called)
    for me in range(4):
        for other in deals(plan, table, me):
            assert (other.empire[called] == g.empire[called]).all()
            assert len({int(card) for card in other.empire[:4] if card != NO_CARD}) == 4
            held = np.flatnonzero(other.holds)
            assert (other.drafted[held] == plan.data.tables.epoch[held]).all()
