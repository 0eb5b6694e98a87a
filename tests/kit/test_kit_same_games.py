"""Game i of seed s is the same game: compiled or not, in any process, in any stretch, whatever was played before."""

import hashlib
import json
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pytest

from sim.engine.result_rows import BLOCK, GAME
from sim.players.batch import WRITTEN, Plan, arguments_of, play, play_all
from sim.players.compile_players import players_of
from tests.kit.plans import KIT_GAMES, TRIED_TABLES, all_detail, few_of, mixed, plan_for, rows_of, tables_of

RESULTS = """
import json, sys
from sim.compiler.kernel import compiled
from tests.kit.test_kit_same_games import results
tables = json.loads(sys.argv[1])
print(json.dumps({"compiled": compiled(), "found": results(tables, int(sys.argv[2]))}))
"""


def results(tables: Sequence[tuple[str, str, int]], games: int) -> dict[str, list[str]]:
    """Digests of the seat rows and the card rows of some games at each table."""
    found = {}
    for game, variant, players in tables:
        plan = plan_for(game, variant, players, strategies=mixed(game), seed=4, detail=all_detail(game))
        rows = play(plan, players_of(plan), 0, games)
        found[f"{game} {variant} {players}"] = [hashlib.sha256(part.tobytes()).hexdigest() for part in rows]
    return found


@pytest.mark.usefixtures("compiled_only")
@pytest.mark.parametrize("few", [True, pytest.param(False, marks=pytest.mark.sweep)], ids=["few", "all"])
def test_compiled_and_interpreted_games_are_the_same_bit_by_bit(few: bool, in_new_process: Callable[..., str]) -> None:
    games = 1 if few else 5
    tables = [table for game in KIT_GAMES for table in (few_of(tables_of(game))[::8] if few else tables_of(game))]
    slow = json.loads(in_new_process(RESULTS, json.dumps(tables), str(games), NUMBA_DISABLE_JIT="1"))
    assert not slow["compiled"]
    assert slow["found"] == results(tables, games)


@pytest.mark.parametrize(("game", "variant", "players"), TRIED_TABLES)
def test_another_seed_plays_other_games(game: str, variant: str, players: int) -> None:
    one, other = (rows_of(plan_for(game, variant, players, seed=seed), 0, 2) for seed in (1, 2))
    assert (one != other).any()


@pytest.mark.parametrize("game", KIT_GAMES)
def test_no_two_games_of_a_run_are_alike(game: str, scaled: Callable[..., int]) -> None:
    games = scaled(1000, 10)
    plan = plan_for(game)
    without_number = np.delete(rows_of(plan, 0, games), [GAME, BLOCK], axis=2).reshape(games, -1)
    # A game that is told apart by its scores alone may end twice alike by chance.
    least = games if plan.game.measures else 0.95 * games
    assert len(np.unique(without_number, axis=0)) >= least


@pytest.mark.parametrize("game", KIT_GAMES)
def test_a_game_is_the_same_in_any_stretch(game: str, scaled: Callable[..., int]) -> None:
    count = scaled(12, 3)
    plan = plan_for(game, strategies=mixed(game), seed=4, detail=all_detail(game))
    team = players_of(plan)
    whole = play_all(plan, team, 0, count)
    cuts = ((0, 1), (1, count // 2), (count // 2, count))
    pieces = [play_all(plan, team, first, upto - first) for first, upto in cuts]
    for table, parts in zip(whole, zip(*pieces, strict=True), strict=True):
        assert (np.concatenate(parts) == table).all()
    rows = whole[0]
    backwards = [play(plan, team, number, 1)[0] for number in reversed(range(count))]
    assert (np.concatenate(backwards[::-1]) == rows).all()


def played_in(g: Any, plan: Plan, number: int) -> tuple[np.ndarray, ...]:
    """Play one game of a plan in a record; return its seat rows, piece rows and tallies."""
    arguments = arguments_of(plan, players_of(plan), number, 1)
    plan.game.kernels.play_games(g, *arguments[1:])
    rows, piece_rows, tallies = arguments[WRITTEN:]
    return rows, piece_rows, *tallies


@pytest.mark.parametrize("game", KIT_GAMES)
def test_what_was_played_before_leaves_no_trace(game: str) -> None:
    ends = [tables_of(game)[0], tables_of(game)[-1]]
    small, big = (plan_for(*table, strategies=mixed(game), seed=7, detail=all_detail(game)) for table in ends)
    for plan, other in ((big, small), (small, big)):
        used, fresh = plan.game.new_games(1)[0], plan.game.new_games(1)[0]
        played_in(used, other, 3)
        for one, another in zip(played_in(used, plan, 8), played_in(fresh, plan, 8), strict=True):
            assert (one == another).all()
