"""Known truth in, coverage and false-alarm rates out."""

import math
from collections import defaultdict
from collections.abc import Callable

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats
from synthetic import FACTIONS, Truth, play

from reports.data.moments import block_moments
from reports.statistics.core.groupings import association
from reports.statistics.core.win_rate import (
    ALPHA,
    benjamini_hochberg,
    edge_columns,
    exact_limits,
    fair_share_test,
    holm,
    luck_interval,
    minimum_detectable_effect,
    one_family,
    score_test,
    win_rates,
)

RNG_SEED = 20


def trials(wins: np.ndarray, sizes: np.ndarray, scores: np.ndarray | None = None) -> pl.LazyFrame:
    """Seats of many repetitions of a run, one group each: `wins` of `sizes` seat-games, shape (repetitions, blocks)."""
    repetitions, blocks = wins.shape
    n = sizes.ravel()
    within = np.arange(n.sum()) - np.repeat(np.cumsum(n) - n, n)
    win = (within < np.repeat(wins.ravel(), n)).astype(np.float32)
    return pl.LazyFrame({
        "repetition": np.repeat(np.repeat(np.arange(repetitions), blocks), n),
        "block": np.repeat(np.arange(repetitions * blocks, dtype=np.uint32), n),
        "players": np.full(n.sum(), 4, np.uint8),
        "win": win,
        "score": np.zeros(n.sum(), np.int16) if scores is None else scores,
        "rank": np.where(win > 0, 1, 2).astype(np.uint8),
    })  # fmt: skip


def shares_of(seats: pl.LazyFrame) -> pl.DataFrame:
    return win_rates(block_moments(seats, ["repetition"], 4), ["repetition"])


def p_values(moments: pl.DataFrame) -> pl.Series:
    """p-value of every group, as `win_rates` finds it."""
    m = {name: moments[name].to_numpy().astype(np.float64) for name in moments.columns}
    return pl.Series(fair_share_test(m, edge_columns(m)))


def unlucky_blocks(repetitions: int, blocks: int, sizes: np.ndarray, share: float, spread: float) -> np.ndarray:
    """Wins per block where the chance to win is common to a block's games and differs from block to block."""
    rng = np.random.default_rng(RNG_SEED)
    chance = rng.beta(share * spread, (1 - share) * spread, (repetitions, blocks))
    return rng.binomial(sizes, chance)


@pytest.mark.parametrize(
    ("share", "blocks", "most"), [(0.25, 60, 4), (0.25, 400, 4), (0.4, 60, 4), (0.25, 100, 8)],
    ids=["few blocks", "many blocks", "another share", "blocks that differ in size"],
)  # fmt: skip
def test_interval_covers_the_true_share_although_games_of_a_block_go_together(
    share: float, blocks: int, most: int
) -> None:
    shape = (1000, blocks)
    sizes = np.full(shape, 4) if most == 4 else np.random.default_rng(RNG_SEED).integers(1, most + 1, shape)
    frame = shares_of(trials(unlucky_blocks(*shape, sizes, share, 2.0), sizes))
    covered = frame.select((pl.col("low") <= share) & (share <= pl.col("high"))).to_series().mean()
    assert 0.93 <= covered <= 0.97


def test_interval_per_game_would_be_far_too_narrow() -> None:
    wins = unlucky_blocks(1000, 100, np.full((1000, 100), 4), 0.25, 2.0)
    share = wins.sum(axis=1) / 400
    naive = np.abs(share - 0.25) <= 1.96 * np.sqrt(share * (1 - share) / 400)
    assert naive.mean() < 0.85


def test_interval_covers_the_true_mean_score() -> None:
    rng = np.random.default_rng(RNG_SEED)
    sizes = np.full((2000, 60), 4)
    scores = 50 + np.repeat(rng.normal(0, 5, 2000 * 60), 4) + rng.normal(0, 5, 2000 * 60 * 4)
    frame = shares_of(trials(sizes // 4, sizes, np.rint(scores).astype(np.int16)))
    covered = frame.select((pl.col("mean_score_low") <= 50) & (pl.col("mean_score_high") >= 50)).to_series().mean()
    assert 0.93 <= covered <= 0.97


@pytest.mark.parametrize("blocks", [12, 50, 200])
def test_fair_games_raise_false_alarms_in_at_most_one_table_of_twenty(blocks: int) -> None:
    runs = 300
    truth = Truth(blocks=runs * blocks, strategies={"balanced": 0.0}, deal=6.0, seed=5)
    seats = play(truth).lazy().with_columns(run=pl.col("block") // blocks)
    for column, levels in (("faction", len(FACTIONS)), ("seat", 4)):
        moments = block_moments(seats, ["run", column], 4)
        p = moments.with_columns(p=p_values(moments)).partition_by("run")
        assert len(p) == runs
        assert moments[column].n_unique() == levels
        for corrected in (holm, benjamini_hochberg):
            alarms = [bool((corrected(part["p"].to_numpy()) < 0.05).any()) for part in p]
            # 0.05 and two and a half standard errors of a rate seen in 300 runs.
            assert np.mean(alarms) <= 0.05 + 2.5 * math.sqrt(0.05 * 0.95 / runs)


def test_few_wins_raise_no_more_alarms_in_small_runs() -> None:
    """Why the variance is taken under the null: few wins come with a small error, and so with a large t."""
    blocks, strict = 29, 0.05 / 14
    wins = np.random.default_rng(RNG_SEED).binomial(1, 0.25, (20_000, blocks))
    surplus, squares = wins.sum(axis=1) - 0.25 * blocks, ((wins - 0.25) ** 2).sum(axis=1)
    p = score_test(surplus, squares, np.full(len(wins), float(blocks)))
    assert (p < strict).mean() <= 1.3 * strict


def test_an_edge_as_large_as_the_detectable_effect_is_found_four_times_in_five() -> None:
    blocks, edge = 200, 0.04
    reach = stats.t.ppf(0.975, blocks - 1) + stats.norm.ppf(0.8)
    for _ in range(20):
        edge = reach * math.sqrt((0.25 + edge) * (0.75 - edge) / (4 * blocks))
    rng = np.random.default_rng(RNG_SEED)
    sizes = np.full((2000, blocks), 4)
    frame = shares_of(trials(rng.binomial(4, 0.25 + edge, sizes.shape), sizes))
    assert frame["mde"].mean() == pytest.approx(edge, rel=0.02)
    # A little more often for a strong row, a little less for a weak one: the test takes the variance of a fair share.
    assert (frame["p"] < 0.05).mean() == pytest.approx(0.8, abs=0.04)


def naive_holm(p: list[float]) -> list[float]:
    """Step down from the smallest p; each step has one test less to allow for."""
    corrected, highest = [0.0] * len(p), 0.0
    for step, place in enumerate(sorted(range(len(p)), key=lambda i: p[i])):
        highest = max(highest, min(1.0, p[place] * (len(p) - step)))
        corrected[place] = highest
    return corrected


@given(st.lists(st.floats(0, 1), max_size=20))
def test_corrections_are_the_textbook_procedures(p: list[float]) -> None:
    assert holm(np.array(p, dtype=float)) == pytest.approx(naive_holm(p))
    # Row i is found at level q if some p at least as large as its own is at most q * place / rows.
    adjusted, ordered = benjamini_hochberg(np.array(p, dtype=float)), sorted(p)
    for value, found in zip(p, adjusted, strict=True):
        steps = [one * len(p) / (place + 1) for place, one in enumerate(ordered) if one >= value]
        assert found == pytest.approx(min(1.0, *steps))


@pytest.mark.parametrize("corrected", [holm, benjamini_hochberg])
def test_rows_without_a_test_do_not_count(corrected: Callable[[np.ndarray], np.ndarray]) -> None:
    assert corrected(np.array([0.01, np.nan, 0.04])) == pytest.approx([0.02, np.nan, 0.04], nan_ok=True)


def test_one_block_gives_a_share_but_no_interval() -> None:
    row = shares_of(trials(np.array([[1]]), np.array([[4]]))).row(0, named=True)
    assert (row["win_rate"], row["note"], row["flag"]) == (0.25, "one block", "")
    assert all(row[name] is None for name in ("low", "high", "edge_low", "mde", "p", "p_holm", "mean_score_low"))


def test_a_share_that_cannot_vary_has_no_interval_and_no_test() -> None:
    row = shares_of(trials(np.ones((1, 50), int), np.full((1, 50), 4))).row(0, named=True)
    assert (row["win_rate"], row["edge"], row["note"]) == (0.25, 0.0, "no variation")
    assert all(row[name] is None for name in ("low", "high", "mde", "p", "p_holm"))


def test_a_group_that_never_or_always_wins_is_flagged_and_its_share_is_bounded_by_the_number_of_blocks() -> None:
    never, always = (
        shares_of(trials(np.full((1, 100), won), np.full((1, 100), 4))).row(0, named=True) for won in (0, 4)
    )
    assert (never["flag"], never["low"], never["mde"]) == ("weak", 0, None)
    assert never["high"] == pytest.approx(1 - 0.025 ** (1 / 100))
    assert never["edge_high"] == pytest.approx(never["high"] - 0.25)
    assert (always["flag"], always["high"]) == ("strong", 1)
    assert always["low"] == pytest.approx(0.025 ** (1 / 100))


def test_no_value_is_ever_nan() -> None:
    wins = np.array([[0, 0], [4, 4], [1, 1], [0, 4]])
    frame = shares_of(trials(wins, np.full((4, 2), 4)))
    assert not any(frame.select(pl.col(pl.Float64).is_nan().any()).row(0))


def naive_share(rows: list[dict[str, float]]) -> tuple[float, float, float]:
    """Share, and its interval from residuals block by block, in the words of the formula."""
    wins: dict[float, float] = defaultdict(float)
    games: dict[float, int] = defaultdict(int)
    for row in rows:
        wins[row["block"]] += row["win"]
        games[row["block"]] += 1
    n, blocks = sum(games.values()), len(games)
    share = sum(wins.values()) / n
    squares = sum((wins[block] - share * games[block]) ** 2 for block in games)
    half = stats.t.ppf(0.975, blocks - 1) * math.sqrt(blocks / (blocks - 1) * squares) / n
    return share, max(share - half, 0), min(share + half, 1)


@pytest.mark.parametrize("players", [2, 3, 4, 7])
def test_shares_and_intervals_equal_plain_counting(players: int) -> None:
    # A narrow range of scores makes many ties.
    frame = play(Truth(blocks=40, players=players, deal=1.0, luck=1.5, strategies={"a": 0.0, "b": 0.5}))
    assert frame.filter(pl.col("win").is_between(0.01, 0.99)).height > 10
    table = win_rates(block_moments(frame.lazy(), ["faction"], players), ["faction"])
    for row in table.to_dicts():
        chosen = frame.filter(pl.col("faction") == row["faction"]).to_dicts()
        assert row["games"] == len(chosen)
        assert (row["win_rate"], row["low"], row["high"]) == pytest.approx(naive_share(chosen), abs=1e-6)
        assert row["null"] == pytest.approx(1 / players)
        assert row["edge"] == pytest.approx(row["win_rate"] - row["null"])


def test_wins_shared_by_three_add_up_to_whole_games_exactly() -> None:
    third = np.float32(1 / 3)
    seats = pl.LazyFrame({
        "block": [0, 0, 0, 1, 1, 1], "players": [3] * 6, "seat": [0, 1, 2] * 2, "all": [1] * 6,
        "win": pl.Series([third, third, third, 1, 0, 0], dtype=pl.Float32), "score": [5] * 6,
        "rank": [1, 1, 1, 1, 2, 2],
    })  # fmt: skip
    row = block_moments(seats, ["all"], 3).to_dicts()[0]
    assert (row["W"], row["E"], row["DD"]) == (2.0, 2.0, 0.0)


def test_fair_share_of_a_mix_of_player_numbers_is_the_mean_over_its_games() -> None:
    seats = pl.LazyFrame({
        "block": [0, 0, 1, 1, 1, 1], "players": [2, 2, 4, 4, 4, 4], "level": [0, 1, 0, 1, 1, 1],
        "win": [1.0, 0, 0, 1, 0, 0], "score": [0] * 6, "rank": [1, 2, 1, 2, 2, 2],
    })  # fmt: skip
    null = win_rates(block_moments(seats, ["level"], 4), ["level"])["null"].to_list()
    assert null == pytest.approx([(1 / 2 + 1 / 4) / 2, (1 / 2 + 3 / 4) / 4])


def test_association_tells_mixed_from_bound_columns() -> None:
    assert association(np.full((4, 10), 25.0)) == (0.0, 0.0)
    assert association(np.diag([50.0, 50.0, 50.0]))[0] == pytest.approx(1)
    assert association(np.array([[100.0, 20.0]])) == (0.0, 0.0)
    rng = np.random.default_rng(RNG_SEED)
    chance_only = rng.multinomial(300, np.full(40, 1 / 40)).reshape(4, 10).astype(float)
    plain, corrected = association(chance_only)
    assert corrected < 0.1 < plain


def test_no_edge_counts_as_found_in_so_few_blocks_that_the_test_can_flag_nothing() -> None:
    error, blocks = np.full(4, 0.1), np.array([4.0, 6.0, 7.0, 400.0])
    # Every block one-sided is the most that a test can be shown.
    flagged = score_test(blocks, blocks, blocks) < ALPHA
    assert flagged.tolist() == [False, False, True, True]
    mde = minimum_detectable_effect(error, blocks)
    assert np.isfinite(mde).tolist() == flagged.tolist()
    assert mde[3] == pytest.approx(0.1 * (stats.t.ppf(0.975, 399) + stats.norm.ppf(0.8)))


def test_shares_of_nothing_and_of_all_have_exact_limits() -> None:
    low, high = exact_limits(np.array([0.0, 1.0, 0.5]), np.array([100.0, 100.0, 2.0]))
    assert low == pytest.approx([0.0, 0.025 ** (1 / 100), 0.012579], abs=1e-6)
    assert high == pytest.approx([1 - 0.025 ** (1 / 100), 1.0, 0.987421], abs=1e-6)


def test_limits_of_what_happens_by_luck_hold_the_truth_however_rare_it_is(scaled: Callable[..., int]) -> None:
    rng, blocks = np.random.default_rng(8), 60
    seen = rng.binomial(4, 0.01, (scaled(2000, 50), blocks)) / 4
    share, error = seen.mean(axis=1), seen.std(axis=1, ddof=1) / np.sqrt(blocks)
    many = np.full(len(seen), float(blocks))
    low, high = luck_interval(share, error, many, np.ones(len(seen)))
    assert ((low <= 0.01) & (high >= 0.01)).mean() >= 0.94
    assert (high[share == 0] > 0.05).all()


def test_several_tables_of_one_family_raise_a_false_alarm_in_one_run_of_twenty(scaled: Callable[..., int]) -> None:
    rng, alarms, tries = np.random.default_rng(9), 0, scaled(150, 20, full_count=600)
    for _ in range(tries):
        edges = [rng.normal(0, 1, rows) for rows in (5, 9, 3)]
        frames = [
            pl.DataFrame({"edge": edge, "edge_low": edge - 1.96, "edge_high": edge + 1.96,
                          "p": 2 * stats.norm.sf(np.abs(edge))}) for edge in edges
        ]  # fmt: skip
        alarms += any((frame["flag"] != "").any() for frame in one_family(frames, blocks=100_000))
    assert alarms / tries <= 0.05 + 2.5 * np.sqrt(0.05 * 0.95 / tries)
