"""Differences between runs on the same deals: sums, intervals that cover, tests that keep their level."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from scipy import stats
from synthetic import Truth, typed_manifest, with_fields, write_run

from reports.data.load import Run, load_run
from reports.statistics.compare.paired import change_interval, check_same_deals, paired_differences, paired_moments
from reports.statistics.core.win_rate import family_probability
from sim.errors import UserError

SMALL = Truth(blocks=160, strategies={"balanced": 1.0, "greedy": -1.0, "civil": 0.0})


@pytest.fixture(scope="module")
def first(tmp_path_factory: pytest.TempPathFactory) -> Run:
    return load_run(write_run(tmp_path_factory.mktemp("paired") / "first", SMALL))


def with_seats(run: Run, frame: pl.DataFrame, **manifest: Any) -> Run:
    return replace(run, seats=frame.lazy(), manifest=with_fields(run.manifest, manifest))


@pytest.fixture(scope="module")
def second(first: Run) -> Run:
    """The same deals; in a third of the games seat 2 wins alone with ten points more."""
    frame = first.seats.collect()
    other = (pl.col("game") % 3 == 0) & (pl.col("block") % 4 != 0)
    seat2 = pl.col("seat") == 2
    changed = frame.with_columns(
        win=pl.when(other).then(seat2.cast(pl.Float32)).otherwise("win"),
        score=pl.when(other & seat2).then(pl.col("score") + 10).otherwise("score"),
    )
    return with_seats(first, changed)


def oracle(run_a: Run, run_b: Run, key: str, level: object) -> dict[str, float]:
    """The same figures by loops over blocks."""
    sums: list[dict[int, list[float]]] = [{}, {}]
    for run, table in zip((run_a, run_b), sums, strict=True):
        for row in run.seats.collect().filter(pl.col(key).cast(pl.String) == str(level)).to_dicts():
            entry = table.setdefault(row["block"], [0.0, 0.0, 0.0])
            for place, value in enumerate((1, row["win"], row["score"])):
                entry[place] += value
    blocks = sorted(set(sums[0]) | set(sums[1]))
    n, w, s = (np.array([[table.get(b, [0, 0, 0])[i] for b in blocks] for table in sums]) for i in range(3))
    found: dict[str, float] = {}
    for name, y in (("share", w), ("score", s)):
        ratio = y.sum(axis=1) / n.sum(axis=1)
        residual = (y - ratio[:, None] * n) / n.sum(axis=1)[:, None]
        scale = len(blocks) / (len(blocks) - 1)
        found[f"{name}_change"] = ratio[1] - ratio[0]
        found[f"{name}_error"] = np.sqrt(scale * ((residual[1] - residual[0]) ** 2).sum())
        found[f"{name}_alone"] = scale * (residual**2).sum()
    null = (w - w.sum() / n.sum() * n) / n.sum(axis=1)[:, None]
    difference = null[1] - null[0]
    t = abs(difference.sum()) / np.sqrt((difference**2).sum())
    differing = ((w[0] - w[1] != 0) | (n[0] != n[1])).sum()
    reach = stats.t.ppf(0.975, len(blocks) - 1)
    p = 2 * stats.t.sf(t, len(blocks) - 1)
    return found | {"p": p, "blocks": len(blocks), "differing": differing, "reach": reach}


@pytest.mark.parametrize("key", ["faction", "strategy", "seat"])
def test_differences_agree_with_loops_over_blocks(first: Run, second: Run, key: str) -> None:
    frame = paired_differences(paired_moments(first, second, [key]), [key])
    assert frame.height == first.seats.select(pl.col(key).n_unique()).collect().item()
    for row in frame.to_dicts():
        want = oracle(first, second, key, row[key])
        assert row["blocks"] == want["blocks"]
        assert row["change"] == pytest.approx(want["share_change"], abs=1e-7)
        assert row["error"] == pytest.approx(want["share_error"], rel=1e-5, abs=1e-7)
        assert row["p"] == pytest.approx(want["p"], rel=1e-4)
        assert row["high"] - row["change"] == pytest.approx(want["reach"] * want["share_error"], rel=1e-5)
        assert row["saving"] == pytest.approx(want["share_alone"] / want["share_error"] ** 2, rel=1e-4)
        assert row["score_change"] == pytest.approx(want["score_change"])
        if row["score_change"]:
            assert row["score_high"] - row["score_change"] == pytest.approx(want["reach"] * want["score_error"])
        else:
            assert (row["score_high"], row["note"]) == (None, "no score differs")


def test_groups_of_blocks_that_differ_in_size_agree_too(first: Run, second: Run) -> None:
    # Without some of its rows run B has other numbers of seat-games per block.
    thinned = with_seats(second, second.seats.collect().filter((pl.col("block") + pl.col("seat")) % 5 != 0))
    for row in paired_differences(paired_moments(first, thinned, ["faction"]), ["faction"]).to_dicts():
        want = oracle(first, thinned, "faction", row["faction"])
        assert row["error"] == pytest.approx(want["share_error"], rel=1e-5)
        assert row["p"] == pytest.approx(want["p"], rel=1e-4)
        assert row["differing"] == want["differing"]


def test_only_games_that_both_runs_have_are_compared(first: Run, second: Run) -> None:
    longer = first.seats.collect()
    short = with_seats(second, second.seats.collect().filter(pl.col("game") < 120), games=120, blocks=30)
    cut = with_seats(first, longer.filter(pl.col("game") < 120), games=120, blocks=30)
    assert paired_moments(first, short, ["faction"]).equals(paired_moments(cut, short, ["faction"]))


def test_a_run_against_itself_shows_no_change_and_how_sure_that_is(first: Run) -> None:
    frame = paired_differences(paired_moments(first, first, ["faction"]), ["faction"])
    assert set(frame["note"]) == {"no win differs"}
    assert frame["change"].to_list() == frame["score_change"].to_list() == [0.0] * frame.height
    for row in frame.to_dicts():
        assert row["error"] == 0.0
        assert row["p"] is row["saving"] is row["mde"] is None
        # Chance below 5 % that so many blocks stay alike if blocks differ more often than this.
        assert row["high"] == -row["low"] == pytest.approx(1 - 0.05 ** (1 / row["blocks"]))


def test_a_mirror_match_says_that_its_shares_are_fixed(tmp_path: Path) -> None:
    run = load_run(write_run(tmp_path / "mirror", Truth(blocks=20, strategies={"balanced": 0.0})))
    row = paired_differences(paired_moments(run, run, ["strategy"]), ["strategy"]).to_dicts()[0]
    assert (row["note"], row["change"], row["low"], row["p"]) == ("no variation", 0.0, None, None)


def test_a_level_of_one_run_only_is_named(first: Run, second: Run) -> None:
    without = with_seats(second, second.seats.collect().filter(pl.col("faction") != "Gizah A"))
    for pair, word, known in (
        ((first, without), "only in the first run", "share_a"),
        ((without, first), "only in the second run", "share_b"),
    ):
        frame = paired_differences(paired_moments(*pair, ["faction"]), ["faction"])
        row = frame.filter(pl.col("faction") == "Gizah A").to_dicts()[0]
        assert row["note"] == word
        assert row[known] > 0
        assert row["change"] is row["low"] is row["error"] is row["p"] is row["saving"] is row["score_change"] is None
        assert row["games"] > 0


def test_one_block_says_so_and_few_that_differ_too(first: Run, second: Run) -> None:
    one = [with_seats(run, run.seats.collect().filter(pl.col("block") == 1), games=8) for run in (first, second)]
    assert set(paired_differences(paired_moments(*one, ["seat"]), ["seat"])["note"]) == {"one block"}
    frame = second.seats.collect()
    few = with_seats(second, pl.concat([first.seats.collect().filter(pl.col("block") >= 6),
                                        frame.filter(pl.col("block") < 6)]))  # fmt: skip
    assert "few deals differ" in paired_differences(paired_moments(first, few, ["seat"]), ["seat"])["note"].to_list()


def test_the_order_of_names_and_rows_changes_nothing(first: Run, second: Run) -> None:
    turned = list(reversed(SMALL.factions))
    other = second.seats.collect().with_columns(pl.col("faction").cast(pl.String).cast(pl.Enum(turned)))
    plain = paired_differences(paired_moments(first, second, ["faction"]), ["faction"])
    mixed = paired_differences(paired_moments(first, with_seats(second, other), ["faction"]), ["faction"])
    name = pl.col("faction").cast(pl.String)
    assert plain.with_columns(name).sort("faction").equals(mixed.with_columns(name).sort("faction"))
    keys = ["strategy", "faction"]
    shuffled = [
        with_seats(run, run.seats.collect().sample(fraction=1, shuffle=True, seed=4)) for run in (first, second)
    ]
    assert paired_moments(first, second, keys).equals(paired_moments(*shuffled, keys))


@pytest.mark.parametrize(
    ("field", "value"),
    [("seed", 2), ("game", "chess"), ("players", 5), ("block_games", 1), ("lineup", ["a"]), ("factions_dealt", ["b"])],
)
def test_runs_that_do_not_share_their_deals_are_refused(first: Run, field: str, value: object) -> None:
    other = replace(first, folder=Path("other"), manifest=with_fields(first.manifest, {field: value}))
    with pytest.raises(UserError, match=f"do not share their deals: {field.replace('_', ' ')} differs"):
        paired_moments(first, other, ["faction"])
    check_same_deals(first, replace(first, manifest=with_fields(first.manifest, {"games": 8})))


def repeated(repetitions: int, blocks: int, change: float, seed: int = 1) -> pl.DataFrame:
    """Many experiments as levels of one column: a block is four games of one player with luck of its own.

    Run B moves a game from lost to won (or back) in some of the blocks only.
    """
    rng = np.random.default_rng(seed)
    luck = rng.beta(2, 6, (repetitions, blocks, 1))
    wins_a = rng.random((repetitions, blocks, 4)) < luck
    flips = rng.random((repetitions, blocks, 4))
    gain = (flips < 0.10 + change) & ~wins_a
    loss = (flips > 0.90) & wins_a
    wins_b = (wins_a | gain) & ~loss
    rows = {
        "level": np.repeat(np.arange(repetitions, dtype=np.int64), blocks * 4),
        "block": np.tile(np.repeat(np.arange(blocks, dtype=np.int64), 4), repetitions),
        "game": np.tile(np.arange(blocks * 4, dtype=np.int64), repetitions),
        "players": np.full(wins_a.size, 4), "score": np.zeros(wins_a.size, np.int64),
    }  # fmt: skip
    return pl.DataFrame({**rows, "a": wins_a.ravel(), "b": wins_b.ravel()})


def differences_of(frame: pl.DataFrame, blocks: int) -> pl.DataFrame:
    manifest = typed_manifest(Truth(blocks=blocks), blocks * 4, blocks)
    one, other = (
        Run(Path(arm), manifest, frame.with_columns(pl.col(arm).cast(pl.Float32).alias("win")).lazy()) for arm in "ab"
    )
    return paired_differences(paired_moments(one, other, ["level"]), ["level"])


def test_intervals_cover_the_true_change() -> None:
    # A game is lost with chance 3/4 and then gained with 0.10 + change; won with 1/4 and then lost with 0.10.
    change = 0.04
    frame = differences_of(repeated(1000, 150, change), 150)
    truth = 0.75 * (0.10 + change) - 0.25 * 0.10
    covered = ((frame["low"] <= truth) & (truth <= frame["high"])).to_numpy().mean()
    assert 0.93 <= covered <= 0.97
    assert frame["change"].mean() == pytest.approx(truth, abs=0.002)
    assert (frame["saving"] > 1.5).all()


def test_a_test_of_no_change_keeps_its_level() -> None:
    # Gained and lost games balance: 0.75 * x = 0.25 * 0.10.
    frame = differences_of(repeated(1000, 80, 0.10 / 3 - 0.10, seed=2), 80)
    assert 0.03 <= (frame["p"] < 0.05).to_numpy().mean() <= 0.07
    assert (frame["p_holm"] < 0.05).sum() <= 1


def test_limits_hold_where_few_deals_differ() -> None:
    """Each of some 8 of 2,000 deals moves one win: where few happen to differ, their variance is as much too low."""
    repetitions, blocks = 4000, 2000
    differing = np.random.default_rng(3).poisson(8, repetitions).astype(float)
    m = {name: np.full(repetitions, float(blocks)) for name in ("blocks", "N_b")}
    m |= {"largest": np.ones(repetitions), "differing": differing}
    probability, error = family_probability(35, 0.025), np.sqrt(differing) / blocks
    low, high = change_interval(differing / blocks, error, m, np.zeros(repetitions, bool), probability)
    missed = int(((low > 8 / blocks) | (high < 8 / blocks)).sum())
    assert missed <= 2 * (1 - probability) * repetitions + 3
