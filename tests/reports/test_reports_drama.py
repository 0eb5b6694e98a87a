"""Drama: chances by round, when games are decided, leads that grow, kingmaking."""

import itertools

import numpy as np
import pytest
from scipy.optimize import minimize

from reports.statistics.course.drama import (
    BEHIND,
    RIDGE,
    SURE,
    Chances,
    chances_by,
    chances_by_round,
    condition_differences,
    fit_logit,
    kingmaking,
    lead_slopes,
    lost_seats,
    measures_by_game,
    measures_frame,
    rounds_frame,
)
from reports.studies.course.drama import play_drama
from sim.game import name_game
from sim.players.batch import play
from sim.runs.config import RunConfig, make_plan
from sim.runs.histories import Histories, play_histories, replay_with_other_choices
from sim.runs.run import warm_up
from tests.reports.synthetic import made_up_histories

CARAVANS = "docs/examples/caravans.py"


def test_the_fit_is_that_of_a_general_optimiser() -> None:
    rng = np.random.default_rng(1)
    features = rng.normal(size=(80, 3, 2))
    wins = np.eye(3)[(features @ [1.0, -0.5] + rng.gumbel(size=(80, 3))).argmax(axis=1)]

    def cost(beta: np.ndarray) -> float:
        return float(-(wins * np.log(chances_by(features, beta))).sum() + RIDGE / 2 * (beta**2).sum())

    assert fit_logit(features, wins) == pytest.approx(minimize(cost, np.zeros(2)).x, abs=1e-3)


def test_chances_that_were_fitted_on_other_deals_come_true() -> None:
    histories = made_up_histories(1, games=4000)
    chances = chances_by_round(histories)
    assert set(histories.block[chances.games] % 2) == {1}
    sure = chances.chance[:, 5]
    won = histories.wins[chances.games]
    for low, high in ((0.0, 0.1), (0.4, 0.6), (0.8, 1.0)):
        chosen = (sure >= low) & (sure < high)
        assert won[chosen].mean() == pytest.approx(sure[chosen].mean(), abs=0.05)


def slow_measures(chance: np.ndarray, wins: np.ndarray, ends: int) -> tuple[float, bool, float, int]:
    """Measure one game whose chances are known before it and after each round: slow and obvious."""
    of_winner = [sum(chance[moment][wins > 0]) for moment in range(ends + 1)]
    decided = next((at for at in range(ends + 1) if min(of_winner[at:]) >= SURE), ends + 1)
    gaps = [np.sqrt(max(max(chance[at]) - of_winner[at], 0)) for at in range(1, ends + 1)]
    favourites = [int(chance[at].argmax()) for at in range(1, ends + 1)]
    if wins[favourites[-1]] == 0:
        favourites.append(int(wins.argmax()))
    changes = sum(one != other for one, other in itertools.pairwise(favourites))
    return decided / (ends + 1), min(of_winner[1:]) < BEHIND / len(wins), float(np.mean(gaps)), changes


def test_measures_of_a_game_are_those_of_a_slow_count() -> None:
    rng = np.random.default_rng(2)
    chance = rng.dirichlet(np.full(3, 0.3), (300, 6))
    wins = np.eye(3)[rng.integers(0, 3, 300)]
    ends = rng.integers(1, 6, 300)
    histories = Histories(np.arange(300), ends, np.zeros((300, 6, 3), np.int64), wins, *np.zeros((2, 300, 3), np.int64))
    found = measures_by_game(histories, Chances(np.arange(300), chance))
    for game in range(300):
        slow = [float(one) for one in slow_measures(chance[game], wins[game], int(ends[game]))]
        fast = [found[name][game] for name in ("decided", "comeback", "drama", "favourites")]
        assert fast == pytest.approx(slow)


def test_rounds_that_only_games_of_the_other_half_lasted_have_no_row() -> None:
    chance, wins, ends = np.full((4, 6, 2), 0.5), np.eye(2)[[0, 1, 0, 1]], np.array([5, 3, 5, 2])
    histories = Histories(np.arange(4), ends, np.zeros((4, 6, 2), np.int64), wins, *np.zeros((2, 4, 2), np.int64))
    frame = rounds_frame("a", histories, Chances(np.array([1, 3]), chance[:2]))
    assert frame.select("after", "games").rows() == [(0, 2), (1, 2), (2, 2), (3, 1)]
    assert frame["winner"].to_list() == [0.5] * 4


def test_a_lead_that_grows_or_shrinks_is_found() -> None:
    for grows, flag in ((0.2, "grows"), (-0.2, "shrinks")):
        found = lead_slopes(["a"], [made_up_histories(3, games=2000, grows=grows)])
        assert set(found["flag"]) == {flag}
        per_stretch = (1 + grows) ** 2 - 1
        assert found["slope"][0] == pytest.approx(per_stretch, abs=0.06)


def test_games_that_the_last_round_decides_are_decided_later() -> None:
    every = [made_up_histories(4, comes_late=late) for late in (1.0, 4.0)]
    frame = measures_frame(["even", "late"], every, [chances_by_round(one) for one in every])
    flags = {row["measure"]: row["flag"] for row in condition_differences(frame).to_dicts()}
    assert flags["decided"] == "more"


@pytest.mark.parametrize("game", ["seven_wonders", CARAVANS])
def test_histories_end_as_the_games_of_a_run(game: str) -> None:
    plan = make_plan(RunConfig(game=name_game(game)))
    (players,) = warm_up([plan], lambda _: None)
    histories = play_histories(plan, players, 4, 8)
    rows, _ = play(plan, players, 4, 8)
    assert (rows[:, 5].reshape(8, -1) == histories.scores[:, -1]).all()
    assert ((rows[:, 6].reshape(8, -1) == 1) == (histories.wins > 0)).all()
    assert (histories.moments > 3).all()


def test_a_replay_without_other_choices_is_the_game() -> None:
    plan = make_plan(RunConfig(game="seven_wonders"))
    (players,) = warm_up([plan], lambda _: None)
    histories = play_histories(plan, players, 0, 12)
    wins = replay_with_other_choices(plan, [(game, 9, game % 4) for game in range(12)], 2)
    assert (wins[:, 0] == histories.wins).all()
    assert (wins[:, 3:] == wins[:, :1]).all(), "nothing is drawn after the deal in this game"
    assert (wins[:, 1:3] != wins[:, :1]).any()


def test_only_another_opponent_who_wins_is_kingmaking() -> None:
    wins = np.zeros((2, 5, 3))
    wins[:, :, 0] = 1
    wins[0, 1] = [0, 1, 0]  # another opponent
    wins[0, 2] = [0, 0, 1]  # the lost seat itself
    wins[1, 3] = [0, 1, 0]  # by other chance
    found = kingmaking(wins, [(0, 3, 2), (1, 3, 2)], np.array([0, 1]))
    assert [found[name][0] for name in ("choices", "any", "luck")] == [0.25, 0.5, 0.25]


def test_a_seat_that_can_hardly_win_is_found_three_quarters_through() -> None:
    histories = made_up_histories(5)
    for game, moment, seat in lost_seats(histories, chances_by_round(histories), 20):
        assert moment == 6
        assert histories.scores[game, moment - 1, seat] < histories.scores[game, moment - 1].max()


def test_a_plain_game_is_described() -> None:
    drama, kings = play_drama(RunConfig(game=name_game(CARAVANS), games=200), replays=6, jobs=1)
    assert drama.tables["drama"]["games"].to_list() == [100]
    assert len(kings.sentences) == 1
