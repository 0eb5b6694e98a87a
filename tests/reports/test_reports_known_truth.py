"""A thousand runs with known edges: what the statistics promise is kept."""

import math
from dataclasses import dataclass

import numpy as np
import polars as pl
import pytest
from numpy.typing import NDArray

from reports.data.moments import block_moments
from reports.statistics.core.balance import balance_of, effective_number, spread_square
from reports.statistics.core.shrinkage import shrink, steady_error
from reports.statistics.core.win_rate import (
    benjamini_hochberg,
    edge_columns,
    fair_share_test,
    family_probability,
    holm,
    t_quantile,
    wilson_interval,
    win_rates,
)

RNG_SEED = 41
RUNS, BLOCKS, FACTIONS, PLAYERS = 1000, 150, 14, 4

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Thousand:
    """Edges of every faction in every run, true and seen; shape (RUNS, FACTIONS)."""

    true: Floats
    edge: Floats
    error: Floats
    blocks: Floats
    p: Floats
    steady: Floats
    moments: pl.DataFrame


def thousand(spread: float) -> Thousand:
    """Play runs in which P(win) = 1/4 + strength - mean strength at the table; four games of a block share their luck.

    A faction meets the others at random, so its true edge is strength * 3/4 * 14/13, as strengths add up to 0.
    """
    rng = np.random.default_rng(RNG_SEED)
    strength = rng.normal(0, spread, (RUNS, FACTIONS))
    strength -= strength.mean(axis=1, keepdims=True)
    blocks = RUNS * BLOCKS
    run = np.repeat(np.arange(RUNS), BLOCKS)
    table = rng.random((blocks, FACTIONS), dtype=np.float32).argpartition(PLAYERS, axis=1)[:, :PLAYERS]
    seated = strength[run[:, None], table]
    chance = np.clip(0.25 + seated - seated.mean(axis=1, keepdims=True), 0, 1).cumsum(axis=1)
    lot = rng.random((blocks, 4))
    # In three blocks of ten the first game decides all four.
    lot = np.where(rng.random((blocks, 1)) < 0.3, lot[:, :1], lot)
    winner = (lot[:, :, None] > chance[:, None, :-1]).sum(axis=2)
    win = winner[:, :, None] == np.arange(PLAYERS)
    rows = win.size
    seats = pl.LazyFrame({
        "run": np.repeat(run, 16), "block": np.repeat(np.arange(blocks, dtype=np.uint32), 16),
        "players": np.full(rows, PLAYERS, np.uint8), "win": win.ravel().astype(np.float32),
        "score": np.zeros(rows, np.int16), "rank": np.where(win.ravel(), 1, 3).astype(np.uint8),
        "faction": np.repeat(table[:, None, :], 4, axis=1).ravel().astype(np.uint8),
    })  # fmt: skip
    moments = block_moments(seats, ["run", "faction"], PLAYERS)
    m = {name: moments[name].to_numpy().astype(np.float64) for name in moments.columns}
    columns = edge_columns(m)
    p = fair_share_test(m, columns)
    steady = [
        steady_error(*(part[name].to_numpy().astype(float) for name in ("error", "blocks", "N", "NN")))
        for part in moments.with_columns(error=pl.Series(columns["error"])).partition_by("run", maintain_order=True)
    ]
    shape = (RUNS, FACTIONS)
    seen = (values.reshape(shape) for values in (columns["edge"], columns["error"], m["blocks"], p))
    return Thousand(strength * 0.75 * 14 / 13, *seen, np.array(steady), moments)


@pytest.fixture(scope="module")
def uneven() -> Thousand:
    """Runs of a game whose edges have a standard deviation of some four points."""
    return thousand(0.05)


@pytest.fixture(scope="module")
def fair() -> Thousand:
    return thousand(0.0)


def rate_is_at_most(rate: float, allowed: float) -> None:
    """Fail where a rate seen in `RUNS` runs is more than two and a half binomial errors above what is allowed."""
    assert rate <= allowed + 2.5 * math.sqrt(allowed * (1 - allowed) / RUNS)


def test_intervals_cover_the_true_edge(uneven: Thousand) -> None:
    reach = t_quantile(uneven.blocks, 0.975) * uneven.error
    assert 0.93 <= (np.abs(uneven.edge - uneven.true) <= reach).mean() <= 0.97


def test_limits_for_all_rows_hold_for_all_rows_and_for_the_widest_one_picked(uneven: Thousand, fair: Thousand) -> None:
    for runs in (uneven, fair):
        low, high = wilson_interval(runs.edge + 0.25, runs.error, t_quantile(runs.blocks, family_probability(FACTIONS)))
        missed = (runs.true < low - 0.25) | (runs.true > high - 0.25)
        picked = np.abs(runs.edge).argmax(axis=1)
        rate_is_at_most(missed[np.arange(RUNS), picked].mean(), 0.05)
        # Errors from some forty blocks a row are themselves uncertain: all limits at once miss a little more often.
        rate_is_at_most(missed.any(axis=1).mean(), 0.06)


def test_wilson_limits_solve_their_equation() -> None:
    share, error, t = np.array([0.25, 0.02, 0.9]), np.array([0.02, 0.01, 0.03]), np.array([3.0, 2.0, 2.5])
    games = share * (1 - share) / error**2
    for limit in wilson_interval(share, error, t):
        assert np.abs(share - limit) == pytest.approx(t * np.sqrt(limit * (1 - limit) / games))


def test_corrected_tests_raise_a_false_alarm_in_at_most_one_fair_run_of_twenty(fair: Thousand) -> None:
    for corrected in (holm, benjamini_hochberg):
        alarms = [bool((corrected(p) < 0.05).any()) for p in fair.p]
        rate_is_at_most(float(np.mean(alarms)), 0.05)


def test_benjamini_hochberg_keeps_the_share_of_false_alarms_and_finds_more_than_holm(uneven: Thousand) -> None:
    """Half of the factions are given exactly their fair share; the other half keep their edges."""
    p = np.where(np.arange(FACTIONS) % 2 == 0, uneven.p, np.random.default_rng(RNG_SEED).random(uneven.p.shape))
    found = np.array([benjamini_hochberg(row) < 0.05 for row in p])
    false = found[:, 1::2].sum(axis=1) / np.maximum(found.sum(axis=1), 1)
    rate_is_at_most(float(false.mean()), 0.05)
    assert found.sum() > np.array([holm(row) < 0.05 for row in p]).sum()


def shrunk(runs: Thousand) -> NDArray[np.float64]:
    """Estimates with their limits, shape (RUNS, 3, FACTIONS)."""
    results = [shrink(edge, error) for edge, error in zip(runs.edge, runs.steady, strict=True)]
    return np.array([result for result in results if result is not None])


def test_shrinkage_errs_less_than_the_edges_as_seen(uneven: Thousand, fair: Thousand) -> None:
    for runs, gain in ((uneven, 0.9), (fair, 0.25)):
        error = ((shrunk(runs)[:, 0] - runs.true) ** 2).mean()
        assert error < gain * ((runs.edge - runs.true) ** 2).mean()


def test_limits_of_shrunk_edges_cover_the_true_edge(uneven: Thousand) -> None:
    estimate = shrunk(uneven)
    covered = (estimate[:, 1] <= uneven.true) & (uneven.true <= estimate[:, 2])
    assert 0.93 <= covered.mean() <= 0.97


def test_spread_is_unbiased_and_its_interval_covers(uneven: Thousand, fair: Thousand) -> None:
    for runs in (uneven, fair):
        square, low, high = spread_square(runs.edge, runs.error)
        true = (runs.true**2).mean(axis=1)
        noise = square.std() / math.sqrt(RUNS)
        # Errors of ratios from some forty blocks are a few percent too small, which leaves a trace of noise.
        assert (square - true).mean() == pytest.approx(0, abs=3 * noise + 0.03 * (runs.error**2).mean())
        covered = ((low <= true) & (true <= high)).mean()
        assert 0.93 <= covered <= (0.97 if true.any() else 0.99)


def test_effective_number_is_the_true_one_once_noise_is_taken_out(uneven: Thousand) -> None:
    truth, seen, plain, covered = [], [], [], []
    spreads = np.sqrt(np.maximum(spread_square(uneven.edge, uneven.error), 0))
    for run in range(300):
        share = 0.25 + uneven.true[run]
        share = share / share.sum()
        truth.append(math.exp(-(share * np.log(share)).sum()))
        ratio = 1 + 4 * uneven.edge[run]
        found, low, high = effective_number(ratio, 4 * uneven.error[run], tuple(spreads[:, run]), 0.25)
        assert found is not None and low is not None and high is not None  # noqa: PT018 - for the type checker
        seen.append(found)
        covered.append(low <= truth[-1] <= high)
        part = ratio / ratio.sum()
        plain.append(math.exp(-(part * np.log(np.maximum(part, 1e-12))).sum()))
    assert np.mean(seen) == pytest.approx(np.mean(truth), abs=0.03)
    assert np.mean(plain) < np.mean(truth) - 0.1
    assert 0.90 <= np.mean(covered) <= 0.99


def test_frames_hold_what_these_functions_say(uneven: Thousand) -> None:
    part = uneven.moments.filter(pl.col("run") == 5).drop("run")
    frame = win_rates(part, ["faction"])
    assert frame["edge"].to_numpy() == pytest.approx(uneven.edge[5])
    assert frame["p_bh"].to_numpy() == pytest.approx(benjamini_hochberg(uneven.p[5]))
    result = shrink(uneven.edge[5], uneven.steady[5])
    assert result is not None
    assert frame["shrunk"].to_numpy() == pytest.approx(result[0])
    t = t_quantile(uneven.blocks[5], family_probability(FACTIONS))
    limits = wilson_interval(uneven.edge[5] + 0.25, uneven.error[5], t)
    for name, limit in zip(("family_low", "family_high"), limits, strict=True):
        assert frame[name].to_numpy() == pytest.approx(limit - 0.25)
    balance = balance_of(frame)
    assert balance.spread == pytest.approx(math.sqrt(spread_square(uneven.edge[5], uneven.error[5])[0]))
    assert balance.within + balance.outside + balance.unknown == FACTIONS
