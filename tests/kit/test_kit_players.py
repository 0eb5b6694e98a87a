"""The scripted players of every game: they finish every game, play the same way twice, differ, and beat the weaker."""

import itertools
from collections.abc import Callable
from dataclasses import replace

import pytest

from sim.engine.result_rows import FACTION, ROUNDS
from sim.players.find_strategies import load_strategies
from tests.kit.plans import AT_TABLES, KIT_GAMES, few_of, has_winners, plan_for, rows_of, sample_of, tables_of
from tests.kit.players import DUELS, Duel, win_rate

PLAYERS = [(game, name) for game in KIT_GAMES for name in load_strategies(game)]
MANY = 5000
"""Games of a duel that takes long."""
CASES = [
    pytest.param(game, duel, id=f"{game}-{duel}", marks=pytest.mark.sweep if number % 8 or duel.games > MANY else ())
    for game in KIT_GAMES
    for number, duel in enumerate(DUELS[game])
]
"""Seven of eight duels of a game, and any that takes long, are for `--full`."""

pytestmark = pytest.mark.usefixtures("compiled_only")


@pytest.mark.parametrize(("game", "variant", "players"), AT_TABLES)
def test_all_strategies_play_every_faction_to_the_end(game: str, variant: str, players: int) -> None:
    plan = plan_for(game, variant, players, strategies=list(load_strategies(game)), seed=3)
    rows = rows_of(plan, 0, 150)
    assert (rows[:, :, ROUNDS] > 0).all()
    assert has_winners(rows)
    assert set(rows[:, :, FACTION].ravel().tolist()) == set(range(max(1, len(plan.data.factions))))


@pytest.mark.parametrize(("game", "name"), PLAYERS)
def test_a_strategy_that_has_all_seats_finishes_every_game_at_every_table(
    game: str, name: str, pytestconfig: pytest.Config
) -> None:
    tables, games = (tables_of(game), 12) if pytestconfig.getoption("full") else (sample_of(tables_of(game)), 3)
    for _, variant, players in tables:
        rows = rows_of(plan_for(game, variant, players, strategies=[name], seed=3), 0, games)
        assert (rows[:, :, ROUNDS] > 0).all()
        assert has_winners(rows)


@pytest.mark.parametrize("game", KIT_GAMES)
def test_no_two_strategies_play_alike(game: str) -> None:
    played = {name: rows_of(plan_for(game, strategies=[name], seed=8), 0, 24) for name in load_strategies(game)}
    for one, other in itertools.combinations(played, 2):
        assert (played[one] != played[other]).any(), (one, other)


@pytest.mark.parametrize("game", KIT_GAMES)
def test_notes_kept_from_decision_to_decision_change_no_game(game: str, scaled: Callable[..., int]) -> None:
    games = scaled(4, 1, full_count=20)
    for table in few_of(tables_of(game))[:: scaled(2, 1, full_count=1)]:
        plan = plan_for(*table, strategies=list(load_strategies(game)), seed=5)
        forgetful = [replace(each, script=replace(each.script, kept_notes=0)) for each in plan.strategies]
        assert (rows_of(plan, 0, games) == rows_of(replace(plan, strategies=tuple(forgetful)), 0, games)).all(), table


@pytest.mark.slow
@pytest.mark.parametrize(("game", "duel"), CASES)
def test_the_stronger_player_wins_more(game: str, duel: Duel) -> None:
    assert win_rate(game, duel) > duel.least
