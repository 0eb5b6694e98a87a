"""What must hold at every decision of every game, checked on random games by adding up what lies on the table."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from sim.compiling import compile_strategies
from sim.jit import kernel
from sim.rows import END_REASON, FACTION, FIXED_COLUMNS, SCORE
from tests.kit.laws import check_games, checking_player
from tests.kit.plans import (
    KIT_GAMES,
    TRIED_TABLES,
    exclusive_names,
    has_winners,
    plan_for,
    supplied,
    tables_of,
    with_player,
)


@pytest.mark.slow
@pytest.mark.parametrize(("game", "variant", "players"), TRIED_TABLES)
def test_the_laws_hold_at_every_decision_of_random_games(
    game: str, variant: str, players: int, scaled: Callable[..., int]
) -> None:
    plan = plan_for(game, variant, players, seed=players)
    tables = len([table for table in tables_of(game) if table[1] == variant])
    count = scaled(240, 1, full_count=max(1680, 5040 // tables))
    rows = check_games(plan, 0, count)
    parts = rows[:, :, FIXED_COLUMNS : FIXED_COLUMNS + len(plan.game.score_parts)]
    assert (parts.sum(axis=2) == rows[:, :, SCORE]).all()
    assert has_winners(rows)
    assert (rows[:, :, END_REASON] == rows[:, :1, END_REASON]).all()
    assert set(rows[:, 0, END_REASON].tolist()) <= set(range(len(plan.game.end_reasons)))
    if not plan.data.factions:
        return
    kinds = np.array(exclusive_names(plan.data, plan.game.exclusive))
    assert all(len(set(kinds[dealt])) == players for dealt in rows[:, :, FACTION]), "two alike at one table"
    assert set(rows[:, :, FACTION].ravel().tolist()) == set(range(len(kinds))) or count < 100


def always_broken(g: Any, t: Any, me: int, decision: int, w: Any) -> int:
    """A law that no table keeps."""
    return 0


@pytest.mark.parametrize("game", KIT_GAMES)
def test_a_broken_law_is_told_with_its_place(game: str, monkeypatch: pytest.MonkeyPatch) -> None:
    broken = with_player(plan_for(game), "checking", checking_player(kernel(always_broken)))
    slots = compile_strategies(broken)
    monkeypatch.setattr("tests.kit.laws.compiled_player", lambda _: slots)
    with pytest.raises(AssertionError, match=r"\(game 0, decision \d, seat \d\)") as error:
        check_games(plan_for(game), 0, 1)
    assert supplied(game, "laws").LAWS[0] in str(error.value)
