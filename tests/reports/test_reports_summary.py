"""Sums per block against plain counting, cells that learn from their row and column, and the balance in short."""

from pathlib import Path

import numpy as np
import polars as pl
import pytest
from scipy import stats
from synthetic import STRATEGIES, Truth, play, write_run

from reports.data.load import load_run
from reports.data.moments import block_moments, moments_and_products
from reports.sections.core.shares import share_report
from reports.sections.core.summary import with_limits
from reports.statistics.core.balance import balance_of, noncentrality, sankaran, spread_square
from reports.statistics.core.shrinkage import additive_design, shrink, steady_error
from reports.statistics.core.win_rate import win_rates

RNG_SEED = 51


def counted_plainly(frame: pl.DataFrame, keys: list[str]) -> pl.DataFrame:
    """The sums of `block_moments` in polars, block by block."""
    blocks = frame.group_by([*keys, "block"]).agg(
        N=pl.len().cast(pl.Float64), W=pl.col("win").cast(pl.Float64).sum(), E=(1 / pl.col("players")).sum(),
        S=pl.col("score").cast(pl.Float64).sum(), R=pl.col("rank").cast(pl.Float64).sum(),
        K=((pl.col("players").cast(pl.Float64) + 1) / 2).sum(),
    ).with_columns(D=pl.col("W") - pl.col("E"))  # fmt: skip
    products = [
        (pl.col(a) * pl.col(b)).sum().alias(f"{a}{b}")
        for a, b in ("NN", "WW", "WN", "DD", "DN", "SS", "SN", "RR", "RN")
    ]
    sums = [pl.col(name).sum() for name in "NWESRK"]
    return (
        blocks.group_by(keys)
        .agg(pl.len().alias("blocks"), pl.col("N").max().alias("largest"), *sums, *products)
        .sort(keys)
    )


@pytest.mark.parametrize("keys", [["faction"], ["seat", "strategy"], ["word"], ["word", "faction"]])
@pytest.mark.parametrize("rows", [50, 1_000_000])
def test_sums_equal_plain_counting_whatever_the_stretch_and_the_order(keys: list[str], rows: int) -> None:
    frame = play(Truth(blocks=40, players=3, luck=1.5)).with_columns(word=pl.format("w{}", pl.col("seat") % 2))
    expected = counted_plainly(frame, keys)
    for seats in (frame, frame.sample(fraction=1, shuffle=True, seed=1)):
        found = moments_and_products(seats.lazy(), [keys], (), 3, rows)[0][0]
        assert found.select(keys).rows() == expected.select(keys).rows()
        for name in expected.columns[len(keys) :]:
            assert found[name].to_list() == pytest.approx(expected[name].to_list()), name


def test_rows_without_a_level_belong_to_no_group() -> None:
    frame = play(Truth(blocks=10)).with_columns(half=pl.when(pl.col("seat") < 2).then(pl.col("seat")))
    moments = block_moments(frame.lazy(), ["half"], 4)
    assert moments["half"].to_list() == [0, 1]
    assert moments["N"].to_list() == [40, 40]


def test_mean_rank_and_its_interval_equal_plain_counting() -> None:
    frame = play(Truth(blocks=60, deal=6.0))
    table = win_rates(block_moments(frame.lazy(), ["faction"], 4), ["faction"])
    for row in table.to_dicts():
        part = frame.filter(pl.col("faction") == row["faction"])
        blocks = part.group_by("block").agg(pl.col("rank").cast(pl.Float64).sum(), pl.len().alias("n"))
        total, count = blocks["n"].sum(), blocks.height
        mean = blocks["rank"].sum() / total
        squares = ((blocks["rank"] - mean * blocks["n"]) ** 2).sum()
        half = stats.t.ppf(0.975, count - 1) * np.sqrt(count / (count - 1) * squares) / total
        seen = (row["mean_rank"], row["mean_rank_low"], row["mean_rank_high"], row["mean_rank_null"])
        assert seen == pytest.approx((mean, max(mean - half, 1), mean + half, 2.5))


def test_a_thin_cell_shows_what_its_row_and_column_say() -> None:
    row, column = (levels.ravel() for levels in np.indices((6, 5)))
    rng = np.random.default_rng(RNG_SEED)
    true = np.linspace(-0.1, 0.1, 6)[row] + np.linspace(-0.05, 0.05, 5)[column]
    error = np.full(30, 0.005)
    error[7] = 0.2
    edge = true + rng.normal(0, 0.004, 30)
    edge[7] = true[7] + 0.3
    result = shrink(edge, error, [row, column])
    assert result is not None
    estimate, low, high = result
    assert estimate[7] == pytest.approx(true[7], abs=0.02)
    assert low[7] < true[7] < high[7]
    assert additive_design([row, column]).sum() == 60


def test_shrinkage_of_cells_errs_less_than_the_cells_as_seen() -> None:
    rng = np.random.default_rng(RNG_SEED)
    row, column = (levels.ravel() for levels in np.indices((8, 6)))
    plain, better, covered = [], [], []
    for _ in range(100):
        true = rng.normal(0, 0.05, 8)[row] + rng.normal(0, 0.05, 6)[column] + rng.normal(0, 0.02, 48)
        error = rng.choice([0.01, 0.04, 0.1], 48)
        edge = true + rng.normal(0, error)
        result = shrink(edge, error, [row, column])
        assert result is not None
        plain.append(((edge - true) ** 2).mean())
        better.append(((result[0] - true) ** 2).mean())
        covered.append(((result[1] <= true) & (true <= result[2])).mean())
    assert np.mean(better) < 0.3 * np.mean(plain)
    assert 0.93 <= np.mean(covered) <= 0.97


def test_errors_of_thin_rows_lean_on_the_table() -> None:
    blocks, games = np.array([400.0, 400.0, 3.0]), np.array([1600.0, 1600.0, 12.0])
    steady = steady_error(np.array([0.02, 0.02, 0.0]), blocks, games, games**2 / blocks)
    assert steady[:2] == pytest.approx([0.02, 0.02], rel=0.01)
    assert 0.15 < steady[2] < 0.02 * np.sqrt(400 / 3)


@pytest.mark.parametrize("noncentral", [0.0, 5.0, 60.0, 5e4])
def test_sankaran_is_close_to_the_noncentral_chi_square(noncentral: float) -> None:
    exact = stats.ncx2(13, noncentral) if noncentral else stats.chi2(13)
    x = np.array([exact.ppf(0.025), exact.ppf(0.975)])
    assert sankaran(x, np.array(13.0), np.array(noncentral)) == pytest.approx([-1.96, 1.96], abs=0.02)
    if noncentral:
        assert noncentrality(x[1:], np.array([13.0]), 1.96) == pytest.approx([noncentral], rel=0.01)


@pytest.mark.parametrize(
    ("edge", "low", "high", "expected"),
    [
        (0.041, 0.037, 0.045, "4.1 ± 0.4 points"),
        (0.038, 0.001, 0.077, "3.8 points, between 0.1 and 7.7"),
        (0.02, 0.0003, 0.0402, "2.00 points, between 0.03 and 4.02"),
        (0.038, -0.001, 0.077, "3.8 ± 3.9 points"),
        (0.041, 0.030, 0.050, "4.1 ± 1.1 points"),
        (0.25, 0.10, 0.25, "25.0 points, between 10.0 and 25.0"),
        (0.041, None, None, "4.1 points"),
    ],
)
def test_an_edge_is_written_with_its_limits(edge: float, low: float, high: float, expected: str) -> None:
    assert with_limits(edge, low, high) == expected


def test_an_edge_of_nothing_has_no_sign() -> None:
    assert with_limits(-0.0001, -0.007, 0.007, "+") == "0.0 ± 0.7 points"


def test_a_mirror_match_of_equal_players_and_factions_raises_no_flag(tmp_path: Path) -> None:
    truth = Truth(blocks=3000, strategies={next(iter(STRATEGIES)): 0.0}, deal=6.0, seed=8)
    report = share_report(load_run(write_run(tmp_path / "run", truth)))
    for table in report.tables.values():
        assert set(table.frame["flag"]) == {""}
    balance = balance_of(report.tables["faction"].frame)
    assert balance.spread_low == 0
    assert balance.outside == 0
    assert balance.viable is not None
    assert balance.viable > 13.9


def test_the_spread_of_two_rows_that_mirror_each_other_has_one_degree_of_freedom() -> None:
    """What one of two strategies wins the other loses, so that there is one edge, not two."""
    truth = 3.0
    seen = truth + np.random.default_rng(RNG_SEED).normal(0, 1, 20_000)
    edge = np.stack([seen, -seen], axis=1)
    middle, low, high = spread_square(edge, np.ones(edge.shape))
    assert middle.mean() == pytest.approx(truth**2, abs=5 * middle.std() / np.sqrt(len(seen)))
    assert ((low <= truth**2) & (truth**2 <= high)).mean() == pytest.approx(0.95, abs=0.008)
    assert (low > truth**2).mean() == pytest.approx(0.025, abs=0.008)
