"""The scripted players of 7 Wonders score more than chance and greed, and do what their names say."""

from collections.abc import Callable

import numpy as np
import pytest

from sim.engine.result_rows import RANK, SCORE, STRATEGY
from sim.games.seven_wonders.game import GAME
from sim.players.batch import Plan, plan_record, play
from sim.players.compile_players import players_of
from sim.players.find_strategies import load_strategies

SCHOOLS = [name for name in load_strategies("seven_wonders") if name not in ("random", "greedy")]


def test_balanced_wins_from_those_before_and_scores_more_among_its_like(plan_of: Callable[..., Plan]) -> None:
    def scores(strategies: list[str], seed: int) -> np.ndarray:
        plan = plan_of(players=4, strategies=strategies, assign="fixed", seed=seed)
        return play(plan, players_of(plan), 0, 1200)[0]

    among_others = scores(["balanced", "tuned", "tuned", "tuned"], 12)
    assert (among_others[among_others[:, STRATEGY] == 0][:, RANK] == 1).mean() > 0.29
    assert scores(["balanced"] * 4, 13)[:, SCORE].mean() > scores(["tuned"] * 4, 13)[:, SCORE].mean() + 1


# ---- What a school does ----

COLOURS = ("brown", "grey", "blue", "green", "yellow", "red", "purple")
MEASURES = [
    "military", "treasury", "wonder", "blue", "science", "yellow", "guild", "shields", "stages", "symbols",
    *(f"{colour} cards" for colour in COLOURS),
]  # fmt: skip


def measured(plan: Plan, games: int) -> np.ndarray:
    """Play games; return of each seat its strategy and what its city came to."""
    found = np.zeros((games, plan.players, 1 + len(MEASURES)), np.int64)
    g, team, record = plan.game.new_games(1)[0], players_of(plan), plan_record(plan)
    for number in range(games):
        GAME.kernels.start_game(g, plan.data.tables, record, number)
        GAME.kernels.play_out(g, plan.data.tables, team)
        seats = slice(plan.players)
        found[number, :, 0] = g.strategy[seats]
        found[number, :, 1:8] = g.score[seats, :7]
        found[number, :, 8] = g.shields[seats]
        found[number, :, 9] = g.stages_built[seats]
        found[number, :, 10] = g.symbols[seats].sum(axis=1)
        found[number, :, 11:] = g.colour_count[seats, :7]
    return found.reshape(games * plan.players, -1)


@pytest.fixture(scope="module")
def habits(plan_of: Callable[..., Plan]) -> dict[str, dict[str, float]]:
    """Means of what each school comes to, when all schools meet at tables of 3 and of 5."""
    plans = [plan_of(players=players, strategies=SCHOOLS, seed=9) for players in (3, 5)]
    rows = np.concatenate([measured(plan, 400) for plan in plans])
    return {
        school: dict(zip(MEASURES, rows[rows[:, 0] == number][:, 1:].mean(axis=0).tolist(), strict=True))
        for number, school in enumerate(SCHOOLS)
    }


@pytest.mark.parametrize(
    ("school", "measure", "times"),
    [
        ("science", "science", 1.8),
        ("science", "symbols", 1.5),
        ("science", "green cards", 1.5),
        ("military", "military", 1.3),
        ("military", "shields", 1.25),
        ("military", "red cards", 1.2),
        ("civil", "blue", 1.5),
        ("civil", "blue cards", 1.5),
        ("guilds", "guild", 1.3),
        ("guilds", "purple cards", 1.3),
        ("trade", "yellow", 1.4),
        ("trade", "yellow cards", 1.25),
        ("wonder", "stages", 1.2),
        ("wonder", "wonder", 1.2),
    ],
)
def test_a_school_collects_more_of_its_own_than_the_others_do(
    school: str, measure: str, times: float, habits: dict[str, dict[str, float]]
) -> None:
    others = {name: found[measure] for name, found in habits.items() if name != school}
    assert habits[school][measure] > times * np.mean(list(others.values())), others


def test_science_gives_up_its_conflicts(habits: dict[str, dict[str, float]]) -> None:
    assert habits["science"]["military"] < min(found["military"] for name, found in habits.items() if name != "science")


def test_greedy_builds_nothing_that_only_pays_later(plan_of: Callable[..., Plan]) -> None:
    plan = plan_of(players=4, strategies=["greedy"], seed=10)
    g = plan.game.new_games(1)[0]
    brown = blue = 0
    for game in range(60):
        GAME.kernels.start_game(g, plan.data.tables, plan_record(plan), game)
        GAME.kernels.play_out(g, plan.data.tables, players_of(plan))
        brown += g.colour_count[:4, :2].sum()
        blue += g.colour_count[:4, 2].sum()
    assert brown < 0.1 * blue


def test_the_blocker_takes_more_from_its_left_neighbour_than_its_base_does(plan_of: Callable[..., Plan]) -> None:
    def mean_of_the_left_neighbour(name: str) -> float:
        plan = plan_of(players=4, strategies=[name, "tuned", "tuned@0", "military"], assign="fixed", seed=11)
        rows, _ = play(plan, players_of(plan), 0, 2000)
        return float(rows[rows[:, 2] == 3][:, SCORE].mean())

    assert mean_of_the_left_neighbour("blocker") < mean_of_the_left_neighbour("tuned@0.0") - 0.3
