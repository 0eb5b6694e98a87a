"""What short runs say, held against a later run."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import polars as pl
import pytest

import empirelab
from reports.data.load import Run, load_run
from reports.studies.calibrate.calibrate import (
    LATER,
    HeldAgainstLater,
    extended_pilot,
    play_calibration,
    stretch,
    tables_with_decisions,
    within_reach,
)
from reports.studies.calibrate.report import calibration_section, kept_promises, statement
from sim.commands.calibrate import searched
from sim.errors import UserError
from sim.runs.config import RunConfig

CONFIG = RunConfig(game="seven_wonders", games=100, strategies=["balanced", "military"])
CHANGE = "wonders.toml#Rhodos B.coins_start=9"
PLAIN = Path(__file__).parents[1] / "plain" / "games" / "trade.py"


@pytest.fixture(scope="module")
def found() -> HeldAgainstLater:
    return play_calibration(CONFIG, 2, 0.01, lambda name: [CHANGE], jobs=1)


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Run:
    folder = tmp_path_factory.mktemp("calibrated") / "run"
    empirelab.simulate("seven_wonders", games=400, strategies=["balanced", "military"], out=folder, progress=False)
    return load_run(folder)


def test_a_pilot_is_a_run_of_its_games_alone(run: Run) -> None:
    own = stretch(run, 80, 40)
    assert own.seats.select(pl.col("game").n_unique()).collect().item() == 40
    assert (own.manifest.games, own.manifest.blocks) == (40, 10)
    whole = tables_with_decisions(stretch(run, 0, 400), 0.01)["faction"].frame
    assert whole.equals(tables_with_decisions(run, 0.01)["faction"].frame)


def test_a_pilot_goes_on_with_other_deals(run: Run) -> None:
    longer = extended_pilot(stretch(run, 0, 40), run, 41)
    assert (longer.manifest.games, longer.manifest.blocks) == (84, 21)
    seats = longer.seats.collect()
    assert seats["game"].n_unique() == 84
    assert seats["block"].n_unique() == 21
    assert seats.tail(4)["score"].to_list() == run.seats.collect()["score"][43 * 4 : 44 * 4].to_list()


def test_later_runs_have_other_deals_and_ten_times_the_games(found: HeldAgainstLater) -> None:
    assert found.run.manifest.games == LATER * CONFIG.games
    assert found.run.manifest.seed == CONFIG.seed + 1
    assert found.rows["pilot"].n_unique() == 2
    assert set(found.rows["table"]) == {"faction", "seat"}


def test_a_change_is_seen_early_and_late(found: HeldAgainstLater) -> None:
    rows = found.effects.filter(pl.col("level") == "Rhodos B")
    assert rows.height == 2
    assert (rows["later"] > 0.05).all()
    assert rows["later"].n_unique() == 1


def test_statements_are_counted_as_they_came_true(found: HeldAgainstLater) -> None:
    frame = kept_promises(found)
    rows = found.rows
    first = frame.row(0, named=True)
    columns = ("edge", "error", "blocks", "later", "later_error", "later_blocks")
    near = within_reach(*(rows[name].to_numpy() for name in columns))
    assert first["of"] == rows.height
    assert first["seen"] == pytest.approx(near.mean())
    assert first["low"] < first["seen"] < first["high"] or first["seen"] == 1


def test_false_intervals_are_seen_as_such(found: HeldAgainstLater) -> None:
    narrow = replace(found, rows=found.rows.with_columns(pl.col("error") / 20, pl.col("later_error") / 20))
    assert kept_promises(narrow)["seen"][0] < 0.5
    sure = found.rows.with_columns(fair_chance=pl.lit(1.0), later=pl.lit(0.2))
    seen = kept_promises(replace(found, rows=sure)).filter(pl.col("promise").str.contains("80 % to 100 %"))
    assert seen["promised"].item() == 1
    assert seen["seen"].item() == 0


def test_intervals_of_drawn_estimates_hold_as_often_as_promised() -> None:
    rng, many = np.random.default_rng(4), 20_000
    for blocks, later_blocks in ((5, 50), (4, 4), (400, 4000)):
        # An error from few blocks has luck of its own.
        drawn = []
        for error, of in ((0.02, blocks), (0.006, later_blocks)):
            own = error * np.sqrt(rng.chisquare(of - 1, many) / (of - 1))
            drawn += [rng.normal(0, error, many), own, np.full(many, float(of))]
        assert within_reach(*drawn).mean() == pytest.approx(0.95, abs=0.01)
    normal = (rng.normal(0, 0.02, many), np.full(many, 0.02), np.full(many, np.inf))
    exact = (np.zeros(many), np.zeros(many), np.full(many, 2.0))
    assert within_reach(*normal, *exact).mean() == pytest.approx(0.95, abs=0.006)


def test_the_section_draws_and_counts(found: HeldAgainstLater) -> None:
    section = calibration_section(found)
    assert section.pictures[0].draw() is not None
    assert "2 short runs of 100 games" in section.sentences[0]
    assert any("coins_start=9" in said for said in section.sentences)
    assert not section.claims


@pytest.mark.sweep
def test_a_plain_game_can_be_calibrated() -> None:
    section = empirelab.calibrate(str(PLAIN), games=12, pilots=2, jobs=1, progress=False)
    assert len(section.tables["calibration"]) > 1


def test_one_pilot_or_several_numbers_of_players_are_refused() -> None:
    with pytest.raises(UserError, match="too few pilots to show a rate"):
        play_calibration(CONFIG, 1, 0.01, lambda name: [])
    with pytest.raises(UserError, match="one number of players"):
        play_calibration(CONFIG.model_copy(update={"players": [3, 4]}), 2, 0.01, lambda name: [])


def test_pilots_of_one_block_are_refused_and_others_have_whole_blocks() -> None:
    with pytest.raises(UserError, match="one block"):
        play_calibration(CONFIG.model_copy(update={"games": 4}), 2, 0.01, lambda name: [], jobs=1)
    last = CONFIG.model_copy(update={"games": 9, "seed": (1 << 63) - 1})
    found = play_calibration(last, 2, 0.01, lambda name: [], jobs=1)
    assert (found.games, found.run.manifest.games, found.run.manifest.seed) == (12, 12 * LATER, 0)


def test_what_keeps_a_search_from_a_change_is_said() -> None:
    said: list[str] = []
    assert searched(CONFIG, "Nobody", 1.0, 1, said.append) == ()
    (line,) = said
    assert line.startswith("no change of Nobody is tried: ")
    assert "'Nobody'" in line


def test_several_runs_about_one_row_count_together() -> None:
    rng, held = np.random.default_rng(5), []
    for _ in range(300):
        share = np.clip(rng.normal(0.6, 0.3, 12), 0, 1)  # each row has a rate of its own
        true = (rng.random((8, 12)) < share).ravel()
        about = pl.DataFrame({"table": "faction", "level": np.tile(np.arange(12), 8)})
        row = statement("statements", 0.6, true, about)
        held.append(row["low"] <= 0.578 <= row["high"])  # the mean of the clipped rates
    assert 0.92 < np.mean(held) <= 0.99
    alone = statement("statements", 0.95, np.ones(8, bool), pl.DataFrame({"table": "seat", "level": ["0"] * 8}))
    assert (alone["low"], alone["high"]) == (pytest.approx(0.025), 1)
