"""What befalls all seats of a game alike, and who gains by it."""

from collections.abc import Callable
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from synthetic import Truth, play, write_rows

from reports.data.load import load_run
from reports.report import build_report
from reports.sections.course.results import circumstances_section
from reports.statistics.course.endings import clustered_slope, slope_sums

FACTIONS = dict.fromkeys(("Alexandria A", "Babylon A", "Ephesos A", "Gizah A"), 0.0)
RAIN = {"measure": "coins", "name": "weather", "unit": "day of rain", "less": "mostly dry", "more": "mostly wet"}


def run_with_rain(folder: Path, worth: float, blocks: int = 1200) -> Path:
    """Each deal has 0 to 6 days of rain; each is worth so many points to Babylon."""
    truth = Truth(blocks=blocks, players=4, factions=FACTIONS, strategies={"balanced": 0.0})
    frame = play(truth)
    days = (pl.col("block").hash(seed=3) % 7).cast(pl.Int16)
    frame = frame.with_columns(coins=days)
    # Factions are numbers still: Babylon is the second one.
    gain = pl.when(pl.col("faction") == 1).then(worth * pl.col("coins")).otherwise(0.0)
    frame = frame.with_columns(score=(pl.col("score") + gain).round().cast(pl.Int16))
    rank = pl.col("score").rank("min", descending=True).over("game").cast(pl.UInt8)
    frame = frame.with_columns(rank=rank)
    winners = (pl.col("rank") == 1).sum().over("game")
    win = pl.when(pl.col("rank") == 1).then(1 / winners).otherwise(0.0).cast(pl.Float32)
    return write_rows(folder, frame.with_columns(win=win), truth, circumstances=[RAIN])


def test_who_gains_by_it_is_named(tmp_path: Path) -> None:
    section = build_report(run_with_rain(tmp_path / "run", 1.0)).section("circumstances")
    rows = {row["level"]: row for row in section.listings[0].frame.to_dicts()}
    # A point to one of four is three quarters of a point above the mean of the table.
    assert rows["Babylon A"]["score_low"] < 0.75 < rows["Babylon A"]["score_high"]
    assert rows["Babylon A"]["below"] < rows["Babylon A"]["above"]
    assert rows["Babylon A"]["p_holm"] < 1e-6
    assert sum(row["change"] for row in rows.values()) == pytest.approx(0.0, abs=1e-9)
    assert section.title == "Weather"
    assert section.sentences[0].startswith("Per day of rain, the win rate changes for Babylon A by +")


def test_nobody_is_named_where_it_is_worth_nothing(tmp_path: Path) -> None:
    section = circumstances_section(load_run(run_with_rain(tmp_path / "run", 0.0)))
    assert section is not None
    assert section.sentences[0].startswith("No ")


def test_a_game_that_names_nothing_of_the_kind_has_no_such_section(tmp_path: Path) -> None:
    truth = Truth(blocks=60, factions=FACTIONS)
    assert circumstances_section(load_run(write_rows(tmp_path / "run", play(truth), truth))) is None


def test_the_change_is_that_of_least_squares_over_single_games() -> None:
    random = np.random.default_rng(1)
    blocks, x = np.repeat(np.arange(50), 4), np.repeat(random.integers(0, 7, 50), 4).astype(float)
    y = random.normal(size=200) + 0.3 * x
    fit = np.polynomial.polynomial.polyfit(x, y, 1)
    in_blocks = clustered_slope(slope_sums(x[::4], y.reshape(50, 4).sum(axis=1), np.full(50, 4.0), blocks[::4]))
    assert in_blocks[0] == pytest.approx(fit[1])
    assert clustered_slope(slope_sums(x, y, np.ones(200), blocks)) == pytest.approx(in_blocks)
    halves = [slope_sums(x[part], y[part], np.ones(100), blocks[part]) for part in (slice(100), slice(100, None))]
    assert clustered_slope(halves[0] + halves[1]) == pytest.approx(in_blocks)


def test_limits_hold_the_truth_as_often_as_they_say(scaled: Callable[..., int]) -> None:
    random = np.random.default_rng(2)
    rounds, held = scaled(400, 400, 4000), 0
    for _ in range(rounds):
        x = random.integers(3, 7, 150).astype(float)
        # Games of a block share its luck.
        y = 4 * (0.1 * x + random.normal(size=150)) + 2 * random.normal(size=150)
        found, error, _ = clustered_slope(slope_sums(x, y, np.full(150, 4.0), np.arange(150)))
        held += abs(found - 0.1) < 1.976 * error
    assert 0.92 < held / rounds < 0.975
