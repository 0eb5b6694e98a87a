"""Nobody sees what is hidden: a redeal keeps what a seat has seen, and every strategy scores as before."""

from collections import defaultdict
from collections.abc import Callable
from functools import cache
from typing import Any, NamedTuple

import numpy as np
import pytest

from sim.compiler.kernel import compiled
from sim.players.batch import Plan
from sim.players.compile_players import players_of
from sim.players.find_strategies import load_strategies
from tests.kit.hidden import (
    Position,
    dealt_anew,
    fresh_scores,
    kind_of,
    lineup_of,
    positions_of,
    scored_otherwise,
    unlike,
)
from tests.kit.plans import AT_TABLES, KIT_GAMES, sample_of, supplied, tables_of
from tests.kit.steps import eventful_plan, steps_of

PLAYERS = [(game, name) for game in KIT_GAMES for name in load_strategies(game)]
CHEATS = [
    pytest.param(game, cheat, id=f"{game}-{cheat.__name__}")
    for game in KIT_GAMES
    for cheat in supplied(game, "hidden").CHEATS
]
TABLES = [pytest.param(table.values, marks=table.marks, id="-".join(map(str, table.values))) for table in AT_TABLES]


class UnderWay(NamedTuple):
    """A plan, games of it between two steps, and what its game supplies to tests of hidden information."""

    plan: Plan
    tables: list[np.ndarray]
    supply: Any

    def dealt(self, table: np.ndarray, me: int, number: int) -> np.ndarray:
        """Return a copy of a game in which all that a seat cannot know is redealt."""
        return dealt_anew(self.plan.game, table, self.plan.data.tables, me % self.plan.players, number)


# ---- Redealing ----


@pytest.fixture(scope="module", params=TABLES)
def under_way(request: pytest.FixtureRequest, scaled: Callable[..., int]) -> UnderWay:
    """Return the plan of a table, and some games between two steps, of every kind of step."""
    plan = eventful_plan(*request.param)
    games, every = (2, 9) if compiled() else (1, 60)
    of_kind: defaultdict[object, list[np.ndarray]] = defaultdict(list)
    for number in range(games):
        for step in steps_of(plan, number, every):
            of_kind[step.kind].append(step.before)
    most = scaled(5, 8, full_count=8)  # a game may have hundreds of steps of one kind
    tables = [table for found in of_kind.values() for table in found[:: -(-len(found) // most)]]
    return UnderWay(plan, tables, supplied(plan.game.name, "hidden"))


def test_what_a_seat_has_seen_and_the_pieces_in_a_game_stay_when_the_rest_is_redealt(under_way: UnderWay) -> None:
    plan, tables, supply = under_way
    t = plan.data.tables
    for number, table in enumerate(tables):
        for me in {number % plan.players, (number + 1) % plan.players}:
            other = under_way.dealt(table, me, number)
            assert supply.seen(table[0], t, me) == supply.seen(other[0], t, me)
            assert supply.pieces(table[0], t) == supply.pieces(other[0], t)
            assert unlike(table, other, supply.DEALT) == []


def test_a_deal_for_another_seat_changes_what_a_seat_has_seen(under_way: UnderWay) -> None:
    plan, tables, supply = under_way
    t = plan.data.tables
    if plan.players == 1:
        pytest.skip("who plays alone is the only seat")
    changed = 0
    for number, table in enumerate(tables):
        me, other = number % plan.players, under_way.dealt(table, number + 1, number)
        changed += supply.seen(table[0], t, me) != supply.seen(other[0], t, me)
    assert changed > supply.CHANGED * len(tables)


def test_a_deal_depends_on_nothing_hidden(under_way: UnderWay) -> None:
    _, tables, supply = under_way
    differed = 0
    for me, table in enumerate(tables):
        one, another = (under_way.dealt(table, me, deal) for deal in (1, 2))
        differed += unlike(one, another, supply.LEFT_OVER) != []
        assert unlike(one, under_way.dealt(another, me, 1), supply.LEFT_OVER) == []
    assert differed > len(tables) // 2


def test_a_game_that_is_redealt_can_be_played_to_its_end(under_way: UnderWay) -> None:
    plan, tables, _ = under_way
    for number, table in enumerate(tables[:: 5 if compiled() else 60]):
        other = under_way.dealt(table, number, number)
        plan.game.kernels.play_out(other[0], plan.data.tables, players_of(plan))
        assert (other[0].finished, other[0].error) == (1, 0)


# ---- Strategies ----


@cache
def positions_at(game: str, every_table: bool) -> list[Position]:
    """Decisions of every kind, at every table of a game or at tables of every variant and number of players."""
    if not compiled():
        return positions_of(game, tables_of(game)[:1], 1, 20, 2)
    tables = tables_of(game) if every_table else sample_of(tables_of(game))
    return positions_of(game, tables, 1, 5, 5)  # each position is a copy of two games: a second game takes gigabytes


@pytest.fixture
def positions(game: str, pytestconfig: pytest.Config) -> list[Position]:
    """Return decisions of the game that is tried."""
    return positions_at(game, bool(pytestconfig.getoption("full")))


@pytest.mark.parametrize("game", KIT_GAMES)
def test_decisions_of_every_kind_are_looked_at(
    game: str, positions: list[Position], scaled: Callable[..., int]
) -> None:
    supply = supplied(game, "hidden")
    kinds = {kind_of(game, position.table[0], position.decision) for position in positions}
    assert kinds >= set(supply.KINDS) or not compiled()
    assert len(positions) > scaled(supply.POSITIONS, 10)


@pytest.mark.parametrize(("game", "name"), PLAYERS)
def test_no_strategy_scores_by_what_it_cannot_see(game: str, name: str, positions: list[Position]) -> None:
    strategies = load_strategies(game)
    score, number = strategies[name].script.score, list(strategies).index(name)
    assert [position.decision for position in scored_otherwise(positions, score, number)] == []


@pytest.mark.parametrize(("game", "cheat"), CHEATS)
def test_a_strategy_that_looks_is_found_out(cheat: Any, positions: list[Position]) -> None:
    assert len(scored_otherwise(positions, cheat, 0)) > len(positions) // 20


@pytest.mark.parametrize("game", KIT_GAMES)
def test_a_strategy_that_looks_at_what_lies_open_is_not(game: str, positions: list[Position]) -> None:
    assert scored_otherwise(positions, supplied(game, "hidden").honest, 0) == []


@pytest.mark.parametrize(("game", "name"), PLAYERS)
def test_scoring_changes_nothing_and_says_the_same_twice(game: str, name: str, positions: list[Position]) -> None:
    strategies = load_strategies(game)
    score, number = strategies[name].script.score, list(strategies).index(name)
    plans = list({id(position.plan): position.plan for position in positions}.values())
    read = [(plan.data.tables.tobytes(), lineup_of(game, plan.players).tobytes()) for plan in plans]
    for plan, table, _, me, decision in positions:
        asked = (game, score, table[0], plan.data.tables, me, decision, lineup_of(game, plan.players).seats[number])
        table[0].notes[:] = np.nan
        before = table.copy()
        first = fresh_scores(*asked)
        assert fresh_scores(*asked) == first
        assert np.isfinite(first).all()
        assert unlike(before, table, {"notes"}) == []
    assert [(plan.data.tables.tobytes(), lineup_of(game, plan.players).tobytes()) for plan in plans] == read
