"""Places in the order in which a game begins, where lots decide on them."""

from pathlib import Path

import polars as pl
import pytest
from synthetic import Truth, play, write_rows, write_run

from reports.data.load import load_run
from reports.report import build_report
from reports.sections.core.shares import share_report
from reports.sections.core.win_rate_figures import forest

FACTIONS = dict.fromkeys(("Alexandria A", "Babylon A", "Ephesos A", "Gizah A"), 0.0)


def run_with_places(folder: Path, worth: float, players: int = 4, blocks: int = 1500) -> Path:
    """Lots give each game a first seat; each place is worth so many points less than the one before."""
    truth = Truth(blocks=blocks, players=players, factions=FACTIONS, strategies={"balanced": 0.0, "greedy": 0.0})
    frame = play(truth)
    first = pl.col("game").hash(seed=5) % players
    place = ((pl.col("seat").cast(pl.Int64) - first.cast(pl.Int64)) % players + 1).cast(pl.Int16)
    frame = frame.with_columns(coins=place).with_columns(score=pl.col("score") - (worth * (pl.col("coins") - 1)))
    rank = pl.col("score").rank("min", descending=True).over("game").cast(pl.UInt8)
    frame = frame.with_columns(pl.col("score").round().cast(pl.Int16), rank=rank)
    winners = (pl.col("rank") == 1).sum().over("game")
    win = pl.when(pl.col("rank") == 1).then(1 / winners).otherwise(0.0).cast(pl.Float32)
    return write_rows(folder, frame.with_columns(win=win), truth, starting_place="coins")


def test_a_place_that_wins_too_often_is_found_though_seats_are_alike_and_has_a_name(tmp_path: Path) -> None:
    report = build_report(run_with_places(tmp_path / "run", 3.0))
    flags = dict(report.tables["start"].frame.select("level", "flag").rows())
    assert (flags["first player"], flags["fourth player"]) == ("strong", "weak")
    assert not any(report.tables["seat"].frame["flag"])
    assert {row["table"] for row in report.verdict.rows} == {"start"}
    assert "first player too strong" in report.findings[0].headline
    # A place is never a bare number in sentences and figures.
    said = [detail for finding in report.findings for detail in finding.details]
    assert any(one.startswith("Also too strong: second player (+") for one in said)
    assert any("largest observed edge first player (+" in one for one in report.section("summary").sentences)
    names = [tick.get_text() for tick in forest(report.tables["start"]).get_yticklabels()]
    assert names == ["first player", "second player", "third player", "fourth player"]
    seats = [tick.get_text() for tick in forest(report.tables["seat"]).get_yticklabels()]
    assert sorted(seats) == [f"seat {seat}" for seat in range(4)]


def test_places_that_are_worth_nothing_are_balanced(tmp_path: Path) -> None:
    report = share_report(load_run(run_with_places(tmp_path / "run", 0.0)))
    assert not any(report.tables["start"].frame["flag"])
    assert report.tables["start"].frame["null"].to_list() == pytest.approx([0.25] * 4)
    assert "0 of 4 starting places" in report.findings[0].headline


def test_a_game_in_which_nobody_begins_has_no_such_table(tmp_path: Path) -> None:
    assert "start" not in share_report(load_run(write_run(tmp_path / "run", Truth(blocks=60)))).tables
