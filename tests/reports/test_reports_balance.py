"""What a report says of runs whose truth is known."""

import json
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from synthetic import FACTIONS, PARTS, STRATEGIES, Truth, play, write_rows, write_run

from reports.data.load import load_run
from reports.model import Report
from reports.sections.core.row_cards import row_cards
from reports.sections.core.shares import share_report
from reports.sections.core.verdict import headline_tables


def report_on(folder: Path, truth: Truth, **manifest: object) -> Report:
    return share_report(load_run(write_run(folder, truth, **manifest)))


def findings(report: Report, tone: str) -> str:
    return " ".join(finding.headline for finding in report.findings if finding.tone == tone)


def test_every_seat_game_stands_once_in_every_table(report: Report) -> None:
    for table in report.tables.values():
        assert table.frame["games"].sum() == 2000 * 4 * 4
        assert (table.frame["games"] * table.frame["win_rate"]).sum() == pytest.approx(2000 * 4)


def test_score_parts_add_up_to_the_mean_score_although_one_bears_the_name_of_an_attribute(report: Report) -> None:
    assert "wonder" in PARTS
    for table in report.tables.values():
        total = table.frame.select(pl.sum_horizontal(f"mean_{part}" for part in PARTS)).to_series()
        assert total.to_list() == pytest.approx(table.frame["mean_score"].to_list())


def test_means_equal_plain_counting(report: Report, run_folder: Path) -> None:
    rows = pl.read_parquet(run_folder / "seats/*.parquet")
    for name in ("faction", "strategy"):
        for row in report.tables[name].frame.to_dicts():
            chosen = rows.filter(pl.col(name).cast(pl.String) == row["level"])
            for measure in ("rank", "science", "coins"):
                assert row[f"mean_{measure}"] == pytest.approx(chosen[measure].mean())
    side = report.tables["side"].frame.filter(pl.col("level") == "B").to_dicts()[0]
    chosen = rows.filter(pl.col("faction").cast(pl.String).str.ends_with(" B"))
    assert side["win_rate"] == pytest.approx(chosen["win"].cast(pl.Float64).mean())


def test_scores_are_counted_and_their_quantiles_exact(report: Report, run_folder: Path) -> None:
    rows = pl.read_parquet(run_folder / "seats/*.parquet")
    assert report.histogram["games"].sum() == rows.height
    whole = report.quantiles.to_dicts()[0]
    assert whole["strategy"] is None
    assert whole["mean"] == pytest.approx(rows["score"].mean())
    exact = np.quantile(rows["score"].to_numpy(), [0.05, 0.25, 0.5, 0.75, 0.95], method="inverted_cdf")
    assert [whole[name] for name in ("q05", "q25", "q50", "q75", "q95")] == list(exact)
    assert report.quantiles["strategy"].to_list()[1:] == list(STRATEGIES)


def test_the_same_run_gives_the_same_report_to_the_last_digit(report: Report, run_folder: Path) -> None:
    again = share_report(load_run(run_folder))
    assert all(again.tables[name].frame.equals(table.frame) for name, table in report.tables.items())
    assert again.findings == report.findings


def test_one_faction_has_no_finding_on_factions(tmp_path: Path) -> None:
    report = report_on(tmp_path / "run", Truth(blocks=400, players=2, factions={"Rhodos A": 0.0}))
    assert "Every seat plays Rhodos A, so its win rate equals the fair share" in findings(report, "silent")
    assert list(report.tables) == ["faction", "seat", "strategy", "seat x strategy"]
    assert report.omitted == (
        "No table by wonder: every wonder side in this run has Rhodos.",
        "No table by side: every wonder side in this run has A.",
    )


def test_an_attribute_that_only_renames_the_factions_has_no_table(tmp_path: Path) -> None:
    factions = {name: 0.0 for name in FACTIONS if name.endswith("A")}
    report = report_on(tmp_path / "run", Truth(blocks=100, factions=factions))
    assert "wonder" not in report.tables
    assert report.omitted[0] == "No table by wonder: it would repeat the one by wonder side."


def test_a_real_edge_below_one_point_is_called_small(tmp_path: Path) -> None:
    truth = Truth(blocks=40_000, players=2, strategies={"a": 0.0}, factions={"x A": 0.0, "y B": 0.0}, seats=(0.25, 0))
    report = report_on(tmp_path / "run", truth)
    seat = next(finding for finding in report.findings if finding.table == "seat")
    assert seat.tone == "small"
    assert seat.headline.startswith("Observed within 1 point, but not confirmed: seat 0 wins too often")
    assert report.findings[0].headline.startswith("Close to balance")


@pytest.mark.parametrize("strengths", [(9.0, 0.0, 0.0, -9.0), (0.0, 0.0, 0.0, 0.0)])
def test_what_goes_together_is_said_first_and_accused_once(strengths: tuple[float, ...], tmp_path: Path) -> None:
    truth = Truth(blocks=400, strategies=dict.fromkeys("abcd", 0.0), seats=strengths)
    frame = play(truth).with_columns(strategy=pl.col("seat"), block=pl.col("game"))
    report = share_report(load_run(write_rows(tmp_path / "run", frame, truth)))
    first = report.findings[0]
    assert first.tone == "caution"
    assert first.headline.startswith("In this run seat and strategy are confounded: their effects cannot be separated.")
    assert ("Largest differences: seat 0 with a w" in first.headline) == any(strengths)
    assert "too strong" not in first.headline
    assert headline_tables(report.findings) == []
    together = {finding.table: finding.together for finding in report.findings if finding.together}
    assert together == {"seat": ("strategy",), "strategy": ("seat",)}
    assert {card.decision for card in row_cards(report, {}) if card.title == "Seat"} == {"cannot tell"}


def test_a_run_too_small_to_judge_shows_no_impossible_effect(tmp_path: Path) -> None:
    report = report_on(tmp_path / "run", Truth(blocks=2, strategies={"a": 0.0}, factions={"x A": 0.0, "y B": 0.0}))
    for table in report.tables.values():
        for row in table.frame.to_dicts():
            assert all(row[name] is None or row[name] <= 0.75 for name in ("mde", "mde_family"))
            if row["error"] and row["mde_family"] is None:
                assert row["note"] == "too few games"


def test_uneven_mixing_is_named(tmp_path: Path) -> None:
    truth = Truth(blocks=500, strategies=dict.fromkeys("abcd", 0.0))
    uneven = pl.when(pl.col("block") % 3 == 0).then("seat").otherwise("strategy").alias("strategy")
    report = share_report(load_run(write_rows(tmp_path / "run", play(truth).with_columns(uneven), truth)))
    assert "seat and strategy are unevenly mixed" in findings(report, "caution")


def test_games_of_two_and_of_four_make_one_report(tmp_path: Path) -> None:
    truth = Truth(blocks=300, strategies={"a": 0.0, "b": 2.0})
    four, two = play(truth), play(Truth(blocks=300, players=2, strategies=truth.strategies))
    shift = [pl.col("game") + four["game"].n_unique(), pl.col("block") + 300]
    frame = pl.concat([four, two.with_columns(shift)])
    report = share_report(load_run(write_rows(tmp_path / "run", frame, truth, players=[2, 4])))
    seats = {row["level"]: row for row in report.tables["seat"].frame.to_dicts()}
    assert seats["seat 3"]["null"] == pytest.approx(1 / 4)
    assert seats["seat 0"]["null"] == pytest.approx((1200 / 4 + 600 / 2) / 1800)
    assert report.tables["strategy"].frame["flag"].to_list() == ["strong", "weak"]
    assert report.endings["games"].to_list() == [1800]


def test_levels_of_the_manifest_that_never_played_are_left_out(tmp_path: Path) -> None:
    truth = Truth(blocks=50)
    folder = write_rows(tmp_path / "run", play(truth).with_columns(strategy=pl.lit(3, pl.UInt8)), truth)
    assert len(json.loads((folder / "run.json").read_text())["strategies"]) == 10
    report = share_report(load_run(folder))
    assert report.tables["strategy"].frame["level"].to_list() == ["science"]


def test_factions_that_never_played_choose_no_tables(tmp_path: Path) -> None:
    """The run lists both sides of each board, and only the first of them played."""
    frame = play(Truth(blocks=40, factions=dict.fromkeys(FACTIONS[::2], 0.0)))
    both = write_rows(tmp_path / "both", frame.with_columns(pl.col("faction") * 2), Truth(blocks=40))
    tables = share_report(load_run(both)).tables
    assert set(tables["faction"].frame["level"]) == set(FACTIONS[::2])
    assert "side" not in tables
    assert tables["faction"].frame["games"].sum() == frame.height
