"""A record copied anywhere in a game plays on to the same end, and leaves the original as it was."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from sim.engine.state import copy_position, copy_progress, give_answers, progress_bytes
from sim.players.batch import Plan
from sim.players.compile_players import players_of
from tests.kit.plans import AT_TABLES, KIT_GAMES, ONE_TABLE_EACH, sample_of, tables_of
from tests.kit.steps import STEPS, Step, eventful_plan, started, steps_of

pytestmark = pytest.mark.usefixtures("compiled_only")

LEFT_BY_ASKING = {"notes", "notes_of", "option_score", "rng_words"}
"""Fields that hold what is left of the last decision that a strategy was asked for, or of the last words drawn."""


def ended(plan: Plan, number: int) -> np.ndarray:
    """Return a game of a plan at its end, played in one go, with its log."""
    table = started(plan, number, keeps_log=True)
    plan.game.kernels.play_out(table[0], plan.data.tables, players_of(plan))
    assert (table[0].finished, table[0].error) == (1, 0)
    return table


def unlike(one: np.ndarray, other: np.ndarray) -> list[str]:
    """Fields in which two games differ, but for what the last question left."""
    names = set(one.dtype.names or ()) - LEFT_BY_ASKING
    return sorted(name for name in names if one[name].tobytes() != other[name].tobytes())


@pytest.mark.parametrize(("game", "variant", "players"), AT_TABLES)
def test_a_copy_of_the_progress_at_any_step_plays_on_to_the_same_end(
    game: str, variant: str, players: int, scaled: Callable[..., int]
) -> None:
    plan = eventful_plan(game, variant, players)
    size = progress_bytes(plan.game.state)
    team = players_of(plan)
    for number in range(scaled(1, 1, full_count=5)):
        end = ended(plan, number)
        for step in steps_of(plan, number, 29):
            copy = plan.game.new_games(1)
            copy_progress(copy[0], step.before[0])
            plan.game.kernels.play_out(copy[0], plan.data.tables, team)
            assert copy.tobytes()[:size] == end.tobytes()[:size]


@pytest.mark.parametrize(("game", "variant", "players"), ONE_TABLE_EACH)
def test_what_the_last_decision_left_is_not_read_at_the_start_of_a_step(game: str, variant: str, players: int) -> None:
    plan = eventful_plan(game, variant, players)
    end, names, fields = ended(plan, 0), plan.game.state.names or (), plan.game.state.fields or {}
    # Actions of The Glory of Rome that have no place keep that of another option, and do not read it.
    kept = [name for name in names[: names.index("answer")] if name not in LEFT_BY_ASKING | {"act_place"}]
    for step in steps_of(plan, 0, 11):
        copy = plan.game.new_games(1)
        copy.view(np.uint8)[fields["answer"][1] : fields["log"][1]] = 0x55
        copy_position(copy[0], step.before[0])
        plan.game.kernels.play_out(copy[0], plan.data.tables, players_of(plan))
        assert [name for name in kept if copy[name].tobytes() != end[name].tobytes()] == []


def decided_steps(plan: Plan, games: int, every: int) -> list[tuple[int, Step]]:
    """Steps of games in which something is decided, with the numbers of the games."""
    steps = [(number, step) for number in range(games) for step in steps_of(plan, number, every, keeps_log=True)]
    return [(number, step) for number, step in steps if step.decisions > 0]


@pytest.mark.parametrize("game", KIT_GAMES)
def test_a_copy_at_any_decision_within_a_step_plays_on_to_the_same_end(game: str, scaled: Callable[..., int]) -> None:
    kinds: set[object] = set()
    most_decisions = 0
    games = scaled(2, 2, full_count=5)
    for table in tables_of(game) if games > 2 else sample_of(tables_of(game)):
        plan = eventful_plan(*table)
        ends = [ended(plan, number) for number in range(games)]
        for number, step in decided_steps(plan, len(ends), 29):
            kinds.add(step.kind)
            most_decisions = max(most_decisions, step.decisions)
            for count in range(step.decisions + 1):
                copy = step.before.copy()
                give_answers(copy[0], step.after[0], count)
                plan.game.kernels.play_out(copy[0], plan.data.tables, players_of(plan))
                assert unlike(copy, ends[number]) == []
    always, seldom = set(STEPS[game].deciding), set(STEPS[game].seldom)
    assert kinds == always | seldom if games > 2 else always <= kinds <= always | seldom
    assert most_decisions > 1 or not STEPS[game].decides_twice


@pytest.mark.parametrize(("game", "variant", "players"), ONE_TABLE_EACH)
def test_a_copy_given_another_answer_ends_otherwise(game: str, variant: str, players: int) -> None:
    plan = eventful_plan(game, variant, players)
    end = ended(plan, 0)
    told_apart = 0
    for step in steps_of(plan, 0, 3, keeps_log=True):
        after: Any = step.after[0]
        if step.decisions == 1 and after.option_count > 1:
            copy = step.before.copy()
            give_answers(copy[0], after, 1)
            copy[0].answer[0] = (after.answer[0] + 1) % after.option_count
            plan.game.kernels.play_out(copy[0], plan.data.tables, players_of(plan))
            told_apart += "log" in unlike(copy, end)
    assert told_apart
