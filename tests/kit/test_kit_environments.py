"""Games as PettingZoo environments: PettingZoo's own tests pass, and games go as in a run with the same answers."""

from functools import partial
from typing import Any

import numpy as np
import pytest

from sim.engine.result_rows import RANK
from sim.errors import UserError
from sim.players.batch import play
from sim.players.compile_players import lineup_record
from tests.kit.hidden import slots_of
from tests.kit.plans import plan_for
from tests.kit.test_kit_python_players import SHOWN_GAMES, fewest

pytest.importorskip("pettingzoo")
from pettingzoo.test import api_test, seed_test

from sim.runs.pettingzoo_env import environment

# PettingZoo warns of observations that are no arrays of numbers.
pytestmark = pytest.mark.filterwarnings("ignore")
OFTEN = ("seven_wonders", "glory_of_rome", "goofspiel")
"""Games that are compared with a run even without `--full`."""


def played(env: Any, random: np.random.Generator) -> list[int]:
    """Play a game with options by lot; return them."""
    answers = []
    for agent in env.agent_iter():
        observation, _, ended, _, info = env.last()
        if ended:
            env.step(None)
            continue
        assert int(observation["action_mask"].sum()) == len(info["options"])
        assert info["view"]["seat"] == int(agent.removeprefix("seat_"))
        answers.append(int(random.integers(len(info["options"]))))
        env.step(answers[-1])
    return answers


@pytest.mark.parametrize("game", SHOWN_GAMES)
def test_an_environment_passes_the_tests_of_pettingzoo_and_refuses_what_is_no_option(game: str) -> None:
    env = environment(game, players=fewest(game))
    api_test(env, num_cycles=10)
    env.reset(seed=1)
    with pytest.raises(UserError, match="no option has this number"):
        env.step(10**6)
    seed_test(partial(environment, game, players=fewest(game)), num_cycles=10)


@pytest.mark.parametrize(
    "game", [pytest.param(game, marks=() if game in OFTEN else pytest.mark.sweep) for game in SHOWN_GAMES]
)
def test_a_game_in_an_environment_ends_as_in_a_run_with_the_same_answers(game: str) -> None:
    env = environment(game, players=fewest(game))
    env.reset(seed=5)
    answers = played(env, np.random.default_rng(1))
    plan, left = plan_for(game, players=fewest(game), seed=5), iter(answers)
    taken: list[int] = []

    def answer(_g: Any, _t: Any, _me: int, _decision: int, option: int, _w: Any) -> float:
        taken[:] = [next(left)] if option == 0 else taken
        return float(option == taken[0])

    slots, alive = slots_of(plan.game, answer, 1)
    rows = play(plan, (slots, lineup_record(plan.strategies, plan.data, plan.players)), 0, 1)[0]
    del alive
    assert next(left, None) is None
    assert rows[:, RANK].tolist() == env.table[0].rank[: plan.players].tolist()
    assert env.scores() == plan_scores(plan, rows)


def plan_scores(plan: Any, rows: np.ndarray) -> list[int]:
    """Points of the seats by the rows of a run: the sum of the parts."""
    parts = len(plan.game.score_parts)
    first = plan.columns - parts - len(plan.game.measures)
    return [int(points) for points in rows[:, first : first + parts].sum(axis=1)]
