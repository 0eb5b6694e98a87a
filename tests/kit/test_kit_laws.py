"""What must hold at every decision of every game, checked on random games by adding up what lies on the table."""

from collections.abc import Callable
from dataclasses import replace

import pytest

from sim.diagnostics.invariant_watch import broken_results
from sim.engine.result_rows import END_REASON, FACTION, RANK, ROUNDS, SCORE
from tests.kit.laws import check_games
from tests.kit.plans import KIT_GAMES, TRIED_TABLES, plan_for, rows_of, tables_of


@pytest.mark.slow
@pytest.mark.parametrize(("game", "variant", "players"), TRIED_TABLES)
def test_the_laws_hold_at_every_decision_of_random_games(
    game: str, variant: str, players: int, scaled: Callable[..., int]
) -> None:
    plan = plan_for(game, variant, players, seed=players)
    tables = len([table for table in tables_of(game) if table[1] == variant])
    count = scaled(24, 1, full_count=max(1680, 5040 // tables))
    rows = check_games(plan, 0, count)
    if not plan.data.factions:
        return
    assert set(rows[:, :, FACTION].ravel().tolist()) == set(range(len(plan.data.factions))) or count < 100


@pytest.mark.parametrize("game", KIT_GAMES)
def test_a_broken_law_is_told_with_its_place(game: str, monkeypatch: pytest.MonkeyPatch) -> None:
    plan = plan_for(game)
    declared = replace(plan.game, laws="tests.kit.never_kept")
    with pytest.raises(AssertionError, match=r"not so: nothing is allowed \(game 0, decision \d, seat \d\)"):
        check_games(replace(plan, game=declared), 0, 1)


@pytest.mark.parametrize(
    ("column", "value", "law"),
    [
        (SCORE, 999, "points are the sum of their parts"),
        (RANK, 2, "somebody has won, or nobody who is alone"),
        (END_REASON, 77, "a game ends for one reason"),
        (FACTION, 0, "no two alike are dealt to one table"),
        (ROUNDS, 17, "a game has eighteen rounds"),
    ],
)
def test_a_result_that_breaks_a_law_is_told_with_its_game(column: int, value: int, law: str) -> None:
    plan = plan_for("seven_wonders")
    rows = rows_of(plan, 0, 4)
    assert not broken_results(plan, rows, 20)
    rows[2, :, column] = value
    assert broken_results(plan, rows, 20) == f"not so: {law} (game 22)"
