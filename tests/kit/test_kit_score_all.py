"""Scripts that score all options of a decision in one call: each option gets what it gets by itself.

Where only the best one counts, those that are not best may get less.
"""

import ctypes
from typing import Any

import numpy as np
import pytest

from sim.compiler.kernel import all_options_pointer, compiled
from sim.game import load_game
from sim.players.batch import play
from sim.players.compile_players import lineup_record, players_of
from sim.players.find_strategies import load_strategies
from tests.kit.hidden import address_of, decisions_of, fresh_scores
from tests.kit.plans import KIT_GAMES, plan_for

OF_ALL = [
    game
    for game in KIT_GAMES
    if any(strategy.script.score_all is not None for strategy in load_strategies(game).values())
]
"""Games with such scripts."""
EVERY, MOST = (5, 25) if compiled() else (7, 2)


def all_at_once(game: str, function: Any, g: Any, t: Any, me: int, decision: int, w: Any) -> list[float]:
    """Scores of all options of a decision as one call writes them."""
    g.option_score[:] = np.nan
    declared = load_game(game)
    pointer = all_options_pointer(function, declared.state, declared.tables)
    if compiled():
        signature = ctypes.CFUNCTYPE(
            ctypes.c_int64, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int64, ctypes.c_int64, ctypes.c_void_p
        )
        count = signature(pointer.address)(address_of(g), address_of(t), me, decision, address_of(w))
    else:
        count = pointer(g, t, me, decision, w)
    assert count == g.option_count
    return [float(score) for score in g.option_score[:count]]


@pytest.mark.parametrize("game", OF_ALL)
def test_all_options_at_once_score_what_each_scores_alone(game: str) -> None:
    declared, looked = load_game(game), 0
    for variant in declared.variants:
        plan = plan_for(game, variant.name, variant.players[0], strategies=list(declared.default_strategies), seed=6)
        lineup: Any = lineup_record(plan.strategies, plan.data, plan.players)
        for table, me, decision in decisions_of(plan, 1, EVERY, MOST):
            g: Any = table[0]
            script, w = plan.strategies[int(g.strategy[me])].script, lineup.seats[int(g.strategy[me])]
            if script.score_all is None:
                continue
            alone = fresh_scores(game, script.score, g, plan.data.tables, me, decision, w)
            at_once = all_at_once(game, script.score_all, g, plan.data.tables, me, decision, w)
            best = max(alone)
            assert [score == best for score in at_once] == [score == best for score in alone]
            assert all(low <= score for low, score in zip(at_once, alone, strict=True))
            w.temperature = 1.0
            assert all_at_once(game, script.score_all, g, plan.data.tables, me, decision, w) == alone
            w.temperature = 0.0
            looked += 1
    assert looked >= (20 if compiled() else 2)


@pytest.mark.parametrize("game", OF_ALL)
def test_games_are_the_same_whether_options_are_scored_at_once_or_one_by_one(game: str) -> None:
    plan = plan_for(game, strategies=list(load_game(game).default_strategies), seed=6)
    scores, lineup = players_of(plan)
    assert lineup.seats[0].score_all != 0
    one_by_one: Any = np.array([lineup])[0]
    one_by_one.seats["score_all"] = 0
    games = 40 if compiled() else 1
    at_once, alone = (play(plan, (scores, team), 0, games)[0] for team in (lineup, one_by_one))
    assert (at_once == alone).all()
