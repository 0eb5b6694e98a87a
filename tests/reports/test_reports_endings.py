"""Why games end, how long they last, and who wins then: counted by game, with limits from the spread between blocks."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from synthetic import Truth, play, write_rows, write_run

from reports.data.load import Run, load_run
from reports.model import Listing, Section
from reports.render.page import render
from reports.report import build_report
from reports.sections.course.results import endings_section
from reports.statistics.course.endings import block_ratio, rounds_spread, sums_of_blocks

TRUTH = Truth(blocks=1500, strategies={"science": 0.0, "trade": 0.0}, endings=("last age", "collapse"))
COLLAPSE = TRUTH.endings.index("collapse")


def ended(frame: pl.DataFrame, collapses: pl.Expr, rounds: pl.Expr) -> pl.DataFrame:
    """Games that collapse where they are said to, after so many rounds."""
    return frame.with_columns(
        pl.when(collapses).then(COLLAPSE).otherwise(0).cast(pl.UInt8).alias("end_reason"),
        rounds.cast(pl.UInt8).alias("rounds"),
    )


def run_of(folder: Path, frame: pl.DataFrame, **manifest: Any) -> Run:
    return load_run(write_rows(folder, frame, TRUTH, **manifest))


def section_of(run: Run) -> Section:
    section = endings_section(run)
    assert section is not None
    return section


def listing(section: Section, name: str) -> Listing:
    return next(one for one in section.listings if one.name == name)


def test_a_game_that_always_ends_alike_after_as_many_rounds_needs_no_section(run_folder: Path) -> None:
    assert endings_section(load_run(run_folder)) is None


def test_endings_count_games_with_their_rounds_and_winning_scores(tmp_path: Path) -> None:
    block = pl.col("block")
    frame = ended(play(TRUTH), block % 4 == 0, pl.when(block % 4 == 0).then(5).otherwise(9))
    section = section_of(run_of(tmp_path / "run", frame))
    rows = {row["end_reason"]: row for row in listing(section, "end reasons").frame.to_dicts()}
    assert list(rows) == ["last age", "collapse"]
    assert (rows["collapse"]["games"], rows["collapse"]["share"]) == (1500, 0.25)
    assert (rows["collapse"]["mean_rounds"], rows["collapse"]["sd_rounds"]) == (5.0, 0.0)
    won = frame.filter(end_reason=COLLAPSE).group_by("game").agg(pl.col("score").max())["score"].mean()
    assert rows["collapse"]["winning_score"] == pytest.approx(won)
    assert rows["collapse"]["low"] < 0.25 < rows["collapse"]["high"]
    assert section.sentences[0].startswith("Games end 75.0 % by last age (after 9.0 rounds, won with ")


def test_limits_of_an_endings_share_come_from_blocks_not_from_games() -> None:
    """Where the four games of a block end alike, 400 games tell as much as 100."""
    rng = np.random.default_rng(5)
    z = []
    for _ in range(400):
        games = np.full(100, 4.0)
        share, error, blocks = block_ratio(sums_of_blocks(4.0 * (rng.random(100) < 0.3), games))
        z.append((share - 0.3) / error)
        assert blocks == 100
    assert np.std(z) == pytest.approx(1, abs=0.12)


def test_who_wins_where_games_end_in_one_way_is_told_apart(tmp_path: Path) -> None:
    frame = play(TRUTH)
    names = list(TRUTH.factions)
    won = (pl.col("faction") == names.index("Rhodos B")) & (pl.col("rank") == 1)
    frame = ended(frame, won.any().over("game"), pl.lit(7) + pl.col("block") % 3)
    section = section_of(run_of(tmp_path / "run", frame))
    shares = listing(section, "ending x wonder side").frame
    row = shares.filter(end_reason="collapse", level="Rhodos B").row(0, named=True)
    assert (row["flag"], row["win_rate"]) == ("strong", pytest.approx(1.0, abs=0.06))
    assert shares.filter(end_reason="last age", level="Rhodos B")["win_rate"].to_list() == [0.0]
    assert any(said.startswith("When games end by collapse, Rhodos B wins too often (+") for said in section.sentences)
    assert listing(section, "ending x side").frame.height == 4


def test_lengths_are_told_for_each_number_of_players_and_variant(tmp_path: Path) -> None:
    four = play(TRUTH)
    two = play(Truth(blocks=400, players=2, strategies=TRUTH.strategies, seed=2)).with_columns(
        pl.col("game") + four["game"].n_unique(), pl.col("block") + 1500
    )
    frame = pl.concat([four, two])
    rounds = pl.when(pl.col("players") == 2).then(6).otherwise(8 + pl.col("game") % 2)
    variant = pl.Series(["old", "new"], dtype=pl.Enum(["old", "new"])).gather((frame["block"] % 2).cast(pl.UInt32))
    frame = ended(frame, pl.lit(value=False), rounds).with_columns(variant.alias("variant"))
    section = section_of(run_of(tmp_path / "run", frame, players=[2, 4], variants=["old", "new"]))
    rows = listing(section, "rounds").frame
    assert rows["condition"].to_list() == ["2 players, old", "2 players, new", "4 players, old", "4 players, new"]
    assert rows["mean_rounds"].to_list() == [6.0, 6.0, 8.5, 8.5]
    assert rows["sd_rounds"].to_list() == [0.0, 0.0, 0.5, 0.5]
    assert rows["games"].sum() == frame["game"].n_unique()
    assert section.sentences[0] == "Every game ends in the same way (last age)."
    assert [one.name for one in section.listings] == ["end reasons", "rounds"]


def test_the_length_that_so_many_games_do_not_exceed_is_exact() -> None:
    found = rounds_spread(pl.Series([9, 4, 6]), pl.Series([19, 1, 80]))
    assert (found["q05"], found["q50"], found["q95"]) == (6.0, 6.0, 9.0)
    assert found["mean_rounds"] == pytest.approx((9 * 19 + 4 + 480) / 100)


@pytest.mark.slow
@pytest.mark.usefixtures("without_figures")
def test_the_report_shows_endings_once(tmp_path: Path) -> None:
    frame = ended(play(replace(TRUTH, blocks=150)), pl.col("block") % 4 == 0, pl.lit(9))
    report = build_report(run_of(tmp_path / "run", frame))
    assert report.section("endings").title == "How games end"
    page = render(report)
    assert "How the games ended" not in page
    assert 'data-table="end reasons"' in page
    alike = build_report(load_run(write_run(tmp_path / "alike", replace(TRUTH, blocks=40))))
    assert "endings" not in [section.name for section in alike.sections]
    assert "How the games ended" in render(alike)
