"""The games that a plan asks for give the power and the precision that were asked for."""

from pathlib import Path

import numpy as np
import polars as pl
import pytest
from synthetic import FACTIONS, Truth, named, play, typed_manifest

from reports.data.load import Run
from reports.data.moments import block_moments
from reports.model import Table
from reports.sections.core.shares import silence
from reports.sections.factions.plan import duration_words, plan_section
from reports.statistics.core.decisions import Pilot, Question, interval_blocks, needed_blocks, table_needs
from reports.statistics.core.groupings import with_level_columns
from reports.statistics.core.win_rate import score_test, win_rates
from reports.studies.sample_size.plan import plan_needs, play_pilot, question
from sim.runs.config import RunConfig, make_plan

REPEATS = 2000


def pilot_of(truth: Truth, seconds: float = 0.5) -> Pilot:
    frame = named(play(truth), truth)
    return Pilot(Run(Path(), typed_manifest(truth, frame["game"].n_unique(), truth.blocks), frame.lazy()), seconds)


@pytest.mark.parametrize("tests", [1, 14])
@pytest.mark.parametrize(("power", "effect"), [(0.9, 0.02), (0.8, 0.1), (0.9, 0.3)])
def test_the_blocks_asked_for_give_the_power_asked_for(tests: int, power: float, effect: float) -> None:
    """Known variance, the report's own test: the share of samples in which an edge of this size is flagged."""
    rng, spread = np.random.default_rng(5), 0.35
    blocks = int(np.ceil(needed_blocks(np.array([spread**2]), Question(effect, power, 0.05), tests)[0]))
    # Sum and sum of squares of that many normal wins, drawn at once.
    mean = rng.normal(effect, spread / blocks**0.5, REPEATS)
    squares = spread**2 * rng.chisquare(blocks - 1, REPEATS) + blocks * mean**2
    p = score_test(blocks * mean, squares, np.full(REPEATS, float(blocks)))
    # The other rows are as fair as can be, so Holm's first step decides.
    assert (p * tests < 0.05).mean() == pytest.approx(power, abs=0.03)


def test_the_blocks_for_an_interval_make_it_as_narrow_as_asked() -> None:
    blocks = int(np.ceil(interval_blocks(np.array([0.16]), Question(0.05, 0.9, 0.05))[0]))
    errors = np.random.default_rng(2).normal(0, 0.4, (500, blocks)).std(axis=1, ddof=1) / blocks**0.5
    assert 1.97 * errors.mean() == pytest.approx(0.05, rel=0.02)


def test_games_needed_do_not_depend_on_the_size_of_the_pilot() -> None:
    needs = [plan_needs(pilot_of(Truth(blocks=blocks, seed=4)), question(1.0, 0.9, 0.05)) for blocks in (1500, 6000)]
    a, b = (frame.filter(pl.col("table") == "seat").row(0, named=True) for frame in needs)
    for name in ("flag_one", "flag_any", "interval", "apart"):
        assert a[name] == pytest.approx(b[name], rel=0.08)
    # A seat wins a quarter of its games; a score test of one row alone, by the textbook, with blocks of four games.
    textbook = 0.25 * 0.75 * ((1.96 + 1.2816) / 0.01) ** 2
    assert b["flag_one"] / b["design_effect"] == pytest.approx(textbook, rel=0.02)


def test_the_least_precise_row_decides_and_corrections_cost_games() -> None:
    truth = Truth(blocks=1500, factions=dict.fromkeys(FACTIONS[:6], 0.0))
    needs = plan_needs(pilot_of(truth), question(2.0, 0.9, 0.05))
    row = needs.filter(pl.col("table") == "faction").row(0, named=True)
    assert row["interval"] < row["flag_one"] < row["flag_any"] < row["apart"]
    assert (row["rows"], row["paired"]) == (6, None)
    assert needs["table"].to_list() == ["faction", "wonder", "side", "seat", "strategy"]


def test_a_change_on_the_same_deals_needs_fewer_games() -> None:
    truth = Truth(blocks=1500)
    helped = Truth(blocks=1500, factions=dict.fromkeys(FACTIONS, 0.0) | {"Rhodos A": 3.0})
    pilots = pilot_of(truth), pilot_of(helped)
    needs = plan_needs(pilots[0], question(1.0, 0.9, 0.05), "faction", pilots[1])
    row = needs.row(0, named=True)
    assert row["paired"] < row["apart"] / 3
    assert row["saving"] > 3
    words = " ".join(plan_section(needs, pilots[0], question(1.0, 0.9, 0.05)).sentences)
    assert "as measured with this change, which saves" in words


def test_a_plan_says_how_long_the_games_take() -> None:
    pilot = pilot_of(Truth(blocks=1000), seconds=0.5)
    section = plan_section(plan_needs(pilot, question(1.0, 0.9, 0.05)), pilot, question(1.0, 0.9, 0.05))
    frame = section.listings[0].frame
    assert frame["seconds"].to_numpy() == pytest.approx(frame["flag_any"].to_numpy() / 8000, rel=0.1)
    assert [duration_words(s) for s in (0.2, 4, 250, 9000)] == [
        "less than a second", "about 4 s", "about 4 min", "about 2.5 h",
    ]  # fmt: skip


def test_a_pilot_of_the_real_game_is_the_run_it_says() -> None:
    plan = make_plan(RunConfig(game="seven_wonders", strategies=["balanced", "greedy"]))
    pilots = [play_pilot(plan, 400, jobs) for jobs in (1, 2)]
    frames = [pilot.run.seats.collect() for pilot in pilots]
    assert frames[0].equals(frames[1])
    assert frames[0].height == 1600
    needs = plan_needs(pilots[0], question(5.0, 0.9, 0.05))
    assert needs["flag_any"].null_count() == 0


def test_rows_without_variation_are_named_not_counted() -> None:
    wins = pl.DataFrame({"level": ["never"] * 50 + ["often"] * 50, "win": [0.0] * 50 + [1.0] * 20 + [0.0] * 30})
    blocks = wins.with_columns(block=pl.Series([*range(50)] * 2), players=pl.lit(4), score=pl.lit(1), rank=pl.lit(2))
    frame = with_level_columns(win_rates(block_moments(blocks.lazy(), ["level"]), ["level"]), ["level"])
    table = Table("strategy", "strategy", frame, silence("strategy", frame, "strategy"))
    needs = table_needs(table, 100, question(5, 0.9, 0.05))
    rows = {row["level"]: row for row in needs.to_dicts()}
    assert rows["never"]["flag_any"] is None
    assert rows["never"]["note"] == "no variation in the pilot"
    assert rows["often"]["flag_any"] == pytest.approx(rows["often"]["flag_one"])
    # An interval is as wide as the row's own variance makes it, not that of a fair row: blocks of one game, 40 % won.
    q = Question(0.05, 0.9, 0.05)
    assert rows["often"]["interval"] == pytest.approx(2 * interval_blocks(np.array([0.24 * 50 / 49]), q)[0])


def test_a_pilot_of_one_block_says_that_it_is_too_short() -> None:
    pilot = pilot_of(Truth(blocks=1))
    q = question(1.0, 0.9, 0.05)
    words = plan_section(plan_needs(pilot, q), pilot, q).sentences
    assert words[0] == "The pilot run shows no variation in any row; play a longer one (--pilot)."
    short = pilot_of(Truth(blocks=20))
    assert "may be far off" in plan_section(plan_needs(short, q), short, q).sentences[-1]
