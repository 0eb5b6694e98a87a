"""The verdict in fair games: how often it errs over all its tables, and whether '1 of N runs' is 1 of N."""

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import polars as pl
import pytest
from numpy.typing import NDArray
from scipy import stats
from synthetic import FACTIONS, Truth, play

from reports.data.moments import block_moments, moments_and_products
from reports.statistics.core.groupings import JointNull, flag_family, joint_null
from reports.statistics.core.win_rate import ALPHA, edge_columns, fair_share_test, family_limits, holm, win_rates

Floats = NDArray[np.float64]
PLAYERS, BLOCKS, DRAWS = 4, 150, 1000
TABLES = {"faction": range(14), "wonder": range(14, 21), "side": range(21, 23), "seat": range(23, 27)}
ROWS = 27


@dataclass(frozen=True)
class FairRuns:
    """Runs of a game in which luck alone decides; four tables of 27 rows, as in 7 Wonders.

    Attributes
    ----------
    p
        Of every row alone; shape (runs, rows).
    low, high
        Limits of each edge that hold for all rows of all tables at once.
    nulls
        What luck does to all rows together, as each run shows it.
    """

    p: Floats
    low: Floats
    high: Floats
    nulls: list[JointNull]


def fair_runs(runs: int, seed: int) -> FairRuns:
    """Deal 4 of 14 boards in each block, move them through the seats, and let a lot decide who wins."""
    rng = np.random.default_rng(seed)
    boards = rng.random((runs, BLOCKS, 14)).argsort(axis=2)[..., :PLAYERS]
    lot = rng.integers(0, PLAYERS, (runs, BLOCKS, PLAYERS))
    # In three blocks of ten one player wins all four games.
    winner = np.where(rng.random((runs, BLOCKS, 1)) < 0.3, lot[..., :1], lot)
    games, wins = np.zeros((2, runs, BLOCKS, ROWS))
    run, block = np.indices((runs, BLOCKS))
    for game in range(PLAYERS):
        for player in range(PLAYERS):
            board, won = boards[..., player], winner[..., game] == player
            for row in (board, 14 + board // 2, 21 + board % 2, np.full_like(board, 23 + (player + game) % PLAYERS)):
                games[run, block, row] += 1
                wins[run, block, row] += won
    surplus = wins - games / PLAYERS
    m = {"blocks": (games > 0).sum(axis=1), "largest": games.max(axis=1)}
    m |= {"N": games.sum(axis=1), "W": wins.sum(axis=1), "E": games.sum(axis=1) / PLAYERS}
    parts = {"N": games, "W": wins, "D": surplus}
    m |= {one + two: (parts[one] * parts[two]).sum(axis=1) for one, two in ("NN", "WW", "WN", "DD", "DN")}
    m = {name: values.astype(np.float64) for name, values in m.items()}
    edges = edge_columns(m)
    p = fair_share_test(m, edges)
    p[:, TABLES["side"]] = p[:, TABLES["side"]].max(axis=1, keepdims=True)
    nulls = [joint_null(one.T @ one, BLOCKS, DRAWS) for one in surplus]
    alone = np.array([null.level(ALPHA) for null in nulls])[:, None]
    # The quantile of the limits differs from run to run by little; a middle one serves all.
    low, high = family_limits(m, edges, float(1 - np.median(alone) / 2))
    return FairRuns(p, low, high, nulls)


@pytest.fixture(scope="module")
def fair(scaled: Callable[..., int]) -> FairRuns:
    return fair_runs(scaled(300, 300, full_count=4000), 7)


def test_fair_games_are_called_out_of_balance_in_at_most_one_run_of_twenty(fair: FairRuns) -> None:
    alone = np.array([null.level(ALPHA) for null in fair.nulls])[:, None]
    alarm = ((fair.p <= alone) & ((fair.low > 0) | (fair.high < 0))).any(axis=1)
    # Three binomial errors above the rate.
    assert 0.02 < alarm.mean() <= ALPHA + 3 * math.sqrt(ALPHA * (1 - ALPHA) / len(alarm))


def test_a_row_whose_limits_leave_fair_out_is_one_that_is_surer_than_luck_allows(fair: FairRuns) -> None:
    """The interval and the test of a row are one rule, but for two sides, whose test is that of the less sure one."""
    alone = np.median([null.level(ALPHA) for null in fair.nulls])
    rows = [row for row in range(ROWS) if row not in TABLES["side"]]
    sure, apart = fair.p <= alone, (fair.low > 0) | (fair.high < 0)
    assert (sure == apart)[:, rows].all()
    assert sure.any()


def test_luck_shows_an_edge_so_sure_as_often_as_it_is_said_to(fair: FairRuns) -> None:
    """'In 1 of N runs': the chance said of the surest edge is at most 1/N in 1 of N fair runs."""
    surest = np.array([null.chance(p.min(keepdims=True))[0] for null, p in zip(fair.nulls, fair.p, strict=True)])
    for said in (0.02, 0.05, 0.1, 0.2, 1 / 3, 0.5):
        error = math.sqrt(said * (1 - said) / len(surest))
        assert (surest <= said).mean() == pytest.approx(said, abs=3 * error + 0.1 * said), said


def test_the_least_sure_of_many_edges_is_not_said_to_be_surer_than_it_is(fair: FairRuns) -> None:
    """Ten boards out of balance for sure and one with p = 0.01: Holm's p says 1 of 25, luck shows as much in 1 of 5."""
    p = np.array([1e-6] * 10 + [0.01, 0.4, 0.6, 0.8])
    true = (fair.p.min(axis=1) <= p[10]).mean()
    assert holm(p)[10] == pytest.approx(0.04)
    assert true > 3 * holm(p)[10]
    error = math.sqrt(true * (1 - true) / len(fair.p))
    said = np.median([null.chance(p[10:11])[0] for null in fair.nulls])
    # Correlations from 150 blocks are shrunk, so that a little more is put down to luck than there is.
    assert true - 3 * error <= said <= 1.1 * true + 3 * error


# ---- What luck does to many rows, against what is known of it ----


def products(correlation: Floats) -> Floats:
    """Sums of products of surpluses with such a correlation."""
    scale = np.arange(1.0, len(correlation) + 1)
    return correlation * np.outer(scale, scale)


def test_independent_rows_are_as_many_as_they_are() -> None:
    null = joint_null(products(np.eye(10)), 10**9)
    p = np.array([0.3, 0.05, 0.01, 1e-3, 1e-6, np.nan])
    assert null.chance(p) == pytest.approx(1 - (1 - p) ** 10, rel=0.01, nan_ok=True)
    assert null.level(ALPHA) == pytest.approx(1 - 0.95**0.1, rel=0.01)
    assert ALPHA / null.level(ALPHA) == pytest.approx(10, rel=0.03)


def test_two_rows_that_lose_what_the_other_wins_are_one_test() -> None:
    null = joint_null(products(np.array([[1.0, -1.0], [-1.0, 1.0]])), 100)
    assert null.hypotheses == 1
    assert null.level(ALPHA) == pytest.approx(ALPHA)
    assert null.chance(np.array([0.2, 0.04])) == pytest.approx([0.2, 0.04])


def test_rows_that_go_together_count_for_less_but_for_no_less_than_one() -> None:
    close = 0.95 * np.ones((8, 8)) + 0.05 * np.eye(8)
    null = joint_null(products(close), 10**9)
    assert 1 < ALPHA / null.level(ALPHA) < 4
    levels = np.linspace(0.001, 0.999, 30)
    assert (null.chance(levels) >= levels - 0.005).all()
    assert (null.chance(levels) <= 1 - (1 - levels) ** 8).all()


def test_the_chance_never_falls_as_p_grows() -> None:
    null = joint_null(products(0.5 * np.ones((6, 6)) + 0.5 * np.eye(6)), 500)
    chances = null.chance(np.array([0.0, *np.geomspace(1e-12, 1, 100)]))
    assert (np.diff(chances) >= -1e-3 * chances[1:]).all()
    assert chances[0] == 0


def test_correlations_from_few_blocks_are_not_trusted() -> None:
    one = np.random.default_rng(3).normal(size=(12, 30))
    few = joint_null(one.T @ one, 12)
    assert ALPHA / few.level(ALPHA) == pytest.approx(30, rel=0.03)


def test_rows_without_a_surplus_do_not_count() -> None:
    assert joint_null(np.zeros((5, 5)), 10).level(ALPHA) == ALPHA
    assert joint_null(np.diag([0.0, 4.0, 0.0]), 10**6).hypotheses == 1


def test_the_correlation_of_a_pair_gives_the_chance_of_a_double_integral() -> None:
    rho, z = -0.6, 2.0
    box = stats.multivariate_normal(cov=[[1, rho], [rho, 1]])
    inside = box.cdf([z, z], lower_limit=[-z, -z])
    null = joint_null(products(np.array([[1, rho], [rho, 1]])), 10**9)
    assert null.chance(np.array([2 * stats.norm.sf(z)]))[0] == pytest.approx(1 - inside, rel=0.005)


# ---- Surpluses of a run ----


def test_products_of_surpluses_equal_plain_counting() -> None:
    frame = play(Truth(blocks=60)).with_columns(side=pl.col("faction") % 2)
    _, found, owner = moments_and_products(frame.lazy(), (), ["faction", "side", "seat"], PLAYERS, rows=100)
    assert owner == ["faction"] * 14 + ["side"] * 2 + ["seat"] * 4
    surplus = np.zeros((60, 20))
    for row in frame.iter_rows(named=True):
        for place in (row["faction"], 14 + row["side"], 16 + row["seat"]):
            surplus[row["block"], place] += row["win"] - 1 / PLAYERS
    unit = math.lcm(*range(1, PLAYERS + 1))
    assert found / unit**2 == pytest.approx(surplus.T @ surplus, abs=1e-4)
    assert found[14, 14] == -found[14, 15]


def test_two_sides_are_flagged_together_and_have_one_p() -> None:
    sided = dict.fromkeys(FACTIONS, 0.0) | {name: 2.5 for name in FACTIONS if name.endswith("A")}
    frame = play(Truth(blocks=400, factions=sided)).with_columns(side=pl.col("faction") % 2)
    moments = block_moments(frame.lazy(), ["side"], PLAYERS)
    products_of_rows = moments_and_products(frame.lazy(), (), ["side", "seat"], PLAYERS)[1]
    null = joint_null(products_of_rows, frame["block"].n_unique())
    table = flag_family(win_rates(moments, ["side"]), moments, null)
    assert table["flag"].to_list() == ["strong", "weak"]
    for name in ("p", "p_family", "p_holm", "p_bh"):
        assert table[name][0] == table[name][1]
    assert table["p_holm"][0] == table["p"][0]
