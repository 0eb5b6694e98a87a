"""The scripted players of The Glory of Rome: kept notes give the same scores as fresh ones."""

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
import pytest

from sim.compiler.kernel import compiled
from sim.games.glory_of_rome.rules import constants
from sim.games.glory_of_rome.rules.state import STATE
from sim.players.batch import Plan
from sim.players.compile_players import lineup_record
from sim.players.find_strategies import load_strategies
from strategies.glory_of_rome.weights import B_WORTH, BALANCE_NOTES, KEPT_NOTES, MOST_LEGIONS, NOTES, P_REGION
from tests.kit.hidden import decisions_of, fresh_scores, scores_of
from tests.kit.plans import few_of, plan_for, tables_of

GAME = "glory_of_rome"
APPRAISING = [name for name, each in load_strategies(GAME).items() if each.script.name == "appraising"]


def test_notes_have_room() -> None:
    assert STATE["notes"].shape[0] >= NOTES


def kept_scores(notes: np.ndarray, *asked: Any) -> list[float]:
    """Scores of all options of a decision, begun with the kept notes of another decision."""
    g = asked[2]
    g.notes[:KEPT_NOTES], g.notes[KEPT_NOTES:] = notes[:KEPT_NOTES], np.nan
    return scores_of(*asked)


@pytest.mark.parametrize("shuffled", [False, True], ids=["in order", "shuffled"])
@pytest.mark.parametrize(("_", "variant", "players"), few_of(tables_of(GAME)))
def test_notes_kept_from_other_decisions_change_no_score(_: str, variant: str, players: int, shuffled: bool) -> None:
    plan = plan_for(GAME, variant, players, strategies=APPRAISING, seed=5)
    lineup: Any = lineup_record(plan.strategies, plan.data, plan.players)
    found = decisions_of(plan, 2 if compiled() else 1, 1, 1000 if compiled() else 10)
    notes, reused = np.full(KEPT_NOTES, np.nan), 0
    for place in np.random.default_rng(1).permutation(len(found)) if shuffled else range(len(found)):
        table, me, decision = found[place]
        g: Any = table[0]
        which = int(g.strategy[me])
        asked = (GAME, plan.strategies[which].script.score, g, plan.data.tables, me, decision, lineup.seats[which])
        fresh = fresh_scores(*asked)
        wrong, own = notes.copy(), slice(me * BALANCE_NOTES + B_WORTH, (me + 1) * BALANCE_NOTES)
        wrong[own] += np.arange(own.stop - own.start)
        reused += kept_scores(wrong, *asked) != fresh
        assert kept_scores(notes, *asked) == fresh
        notes = g.notes[:KEPT_NOTES].copy()
    assert reused > 0


# ---- What the worth of legions depends on ----


def other_strategy(g: Any, t: Any, me: int) -> None:
    g.strategy[me] = 1 - g.strategy[me]


def other_round(g: Any, t: Any, me: int) -> None:
    g.round_number = t.rounds if g.round_number < t.rounds else t.rounds - 1


def other_medal(g: Any, t: Any, me: int) -> None:
    owned = g.medal[constants.MILITARY] == me
    g.medal[constants.MILITARY] = (me + 1) % g.players if owned else me


def mission_for_first_places(g: Any, t: Any, me: int) -> None:
    of_first_places = (t.kind == constants.MISSION) & (t.count == constants.COUNT_FIRST_PLACES)
    g.missions[me, 0], g.mission_count[me] = np.flatnonzero(of_first_places)[0], 1


def other_leader(g: Any, t: Any, me: int) -> None:
    g.glory[(me + 1) % g.players] += 50


def one_more_legion_of_another(g: Any, t: Any, me: int) -> None:
    g.legions[:, (me + 1) % g.players] += 1


def one_more_legion(g: Any, t: Any, me: int) -> None:
    g.legions[:, me] += 1


def no_legion(g: Any, t: Any, me: int) -> None:
    g.legions[:, me] = 0


@pytest.mark.parametrize(
    "change",
    [
        other_strategy, other_round, other_medal, mission_for_first_places, other_leader, one_more_legion_of_another,
        one_more_legion,
    ],
)  # fmt: skip
def test_the_worth_of_legions_is_recomputed_if_a_position_changes(change: Callable[[Any, Any, int], None]) -> None:
    changed = 0
    plan, lineup, found = legion_decisions()
    for kept, me in found:
        before, fresh, reused = scores_after(plan, lineup, kept, me, change)
        assert reused == fresh
        changed += fresh != before
    assert changed > 0


def test_more_legions_than_notes_have_room_for_are_appraised_without_notes() -> None:
    plan, lineup, found = legion_decisions()
    for kept, me in found:
        many = kept.copy()
        many[0]["legions"][:, me] = MOST_LEGIONS
        _, fresh, reused = scores_after(plan, lineup, many, me, no_legion)
        assert reused == fresh
    assert found


@cache
def legion_decisions() -> tuple[Plan, Any, list[tuple[np.ndarray, int]]]:
    """A plan with two strategies that weigh regions differently, and positions in which a seat places a legion."""
    plan = plan_for(GAME, strategies=["balanced", "military"], seed=5)
    lineup: Any = lineup_record(plan.strategies, plan.data, plan.players)
    # Both strategies weigh regions alike, so change one.
    lineup.seats[1].weight[P_REGION] *= 0.5
    found = decisions_of(plan, 4 if compiled() else 1, 1, 100)
    return plan, lineup, [(table, me) for table, me, decision in found if decision == constants.ASK_LEGION]


def scores_after(
    plan: Plan, lineup: Any, kept: np.ndarray, me: int, change: Callable[[Any, Any, int], None]
) -> tuple[list[float], list[float], list[float]]:
    """Scores before a change of the position; after it, without notes; and after it, with the notes from before."""
    g: Any = kept.copy()[0]
    t = plan.data.tables
    asked = (GAME, plan.strategies[0].script.score, g, t, me, constants.ASK_LEGION)
    before = fresh_scores(*asked, lineup.seats[g.strategy[me]])
    notes = g.notes.copy()
    change(g, t, me)
    fresh = fresh_scores(*asked, lineup.seats[g.strategy[me]])
    return before, fresh, kept_scores(notes, *asked, lineup.seats[g.strategy[me]])
