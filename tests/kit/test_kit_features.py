"""Features of every game that has them: what a judge is told of a seat between two rounds."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np
import pytest

from sim.game import JudgeFeatures, load_game
from sim.players.batch import Plan, plan_record
from sim.players.compile_players import players_of
from sim.players.judge import rounds_played
from tests.kit.plans import EVERY_TABLE, KIT_GAMES, plan_for, supplied, variants_tried

DESCRIBED = [name for name in KIT_GAMES if load_game(name).judge is not None]
TABLES = {
    game: [table for table in EVERY_TABLE if table[0] == game and table[1] in variants_tried(game) and table[2] > 1]
    for game in DESCRIBED
}
"""Tables of each game with rivals."""


def judge_of(game: str) -> JudgeFeatures:
    """What a game declares of its features."""
    judge = load_game(game).judge
    assert judge is not None
    return judge


def between_rounds(game: str, games: int) -> Iterator[tuple[Plan, Sequence[str], Any]]:
    """Games of random and balanced players at all tables, by turns, where a horizon may end; with names of features."""
    may_stop, clock = judge_of(game).may_stop, judge_of(game).clock or rounds_played
    tables = TABLES[game][:: -(-len(TABLES[game]) // games)]  # no more tables than games
    for number, (_, variant, players) in enumerate(tables):
        plan = plan_for(game, variant, players, strategies=["random", "balanced"], assign="random", seed=12)
        team, record, g = players_of(plan), plan_record(plan), plan.game.new_games(1)[0]
        names = judge_of(game).name_features(plan.data)
        for played in range(number, games, len(tables)):
            plan.game.kernels.start_game(g, plan.data.tables, record, played)
            seen = -1
            while not g.finished:
                if clock(g) > seen and (may_stop is None or may_stop(g)):
                    seen = int(clock(g))
                    yield plan, names, g
                plan.game.play_step(g, plan.data.tables, team)
                assert g.error == 0


def described(plan: Plan, g: Any, seat: int) -> tuple[list[int], list[float]]:
    """Indices and values of the features of a seat."""
    judge = judge_of(plan.game.name)
    index, value = np.zeros(judge.max_features, np.int32), np.zeros(judge.max_features, np.float32)
    count = judge.describe_seat(g, plan.data.tables, seat, index, value)
    return index[:count].tolist(), value[:count].tolist()


@pytest.mark.parametrize("game", DESCRIBED)
def test_each_feature_has_a_name_and_room_and_describing_changes_no_game(game: str, scaled: Callable[..., int]) -> None:
    judge, phases = judge_of(game), set()
    for plan, names, g in between_rounds(game, scaled(12, 4, full_count=24)):
        assert len(set(names)) == len(names)
        before = g.tobytes()
        phases.add(judge.phase_of(g, plan.data.tables))
        for seat in range(plan.players):
            index, value = described(plan, g, seat)
            assert len(index) < judge.max_features
            assert len(set(index)) == len(index)
            assert all(0 <= feature < len(names) for feature in index)
            assert all(np.isfinite(number) and number != 0 for number in value)
        assert g.tobytes() == before
    assert phases == set(range(judge.phases))


@pytest.mark.parametrize("game", DESCRIBED)
def test_a_seat_is_described_as_a_slow_count_says_each_time(game: str, scaled: Callable[..., int]) -> None:
    count = supplied(game, "features").expected
    for number, (plan, names, g) in enumerate(between_rounds(game, scaled(6, 2, full_count=10))):
        seat = number % plan.players
        index, value = described(plan, g, seat)
        assert (index, value) == described(plan, g, seat)
        found = {names[feature]: number for feature, number in zip(index, value, strict=True)}
        assert found == pytest.approx(count(plan.data, g, plan.data.tables, seat), rel=1e-6)
