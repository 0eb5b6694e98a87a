"""What seats did: means of parts and measures side by side."""

from dataclasses import replace
from pathlib import Path

import polars as pl
import pytest
from synthetic import Truth, with_fields, write_run

from reports.data.load import load_run
from reports.report import build_report
from reports.sections.core.shares import MEAN_OF, measures_section, share_report

FEW = {"Alexandria A": 6.0, "Babylon A": 0.0, "Ephesos A": 0.0, "Gizah A": -6.0}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    truth = Truth(blocks=60, factions=FEW, strategies={"balanced": 0.0, "military": 0.0})
    return write_run(tmp_path_factory.mktemp("runs") / "few", truth)


def test_means_stand_side_by_side(folder: Path) -> None:
    section = build_report(folder).section("measures")
    listing = next(one for one in section.listings if one.name == "measures faction")
    rows = {row[MEAN_OF]: row for row in listing.frame.to_dicts()}
    seats = load_run(folder).seats.filter(pl.col("faction") == "Gizah A").collect()
    for name in ("coins", "science", "score", "score_age_1"):
        assert rows[name.replace("_", " ")]["Gizah A"] == pytest.approx(seats[name].mean())


def test_measures_that_nobody_has_are_left_out(folder: Path) -> None:
    report = share_report(load_run(folder))
    table = report.tables["faction"]
    poor = replace(table, frame=table.frame.with_columns(mean_coins=pl.lit(0.0)))
    section = measures_section({"faction": poor}, report.manifest)
    assert section is not None
    assert "coins" not in section.listings[0].frame[MEAN_OF].to_list()
    assert measures_section(report.tables, with_fields(report.manifest, {"measures": []})) is None, "a game without any"


def test_a_row_of_many_levels_has_no_columns_of_its_own(tmp_path: Path) -> None:
    report = share_report(load_run(write_run(tmp_path / "run", Truth(blocks=40, strategies={"greedy": 0.0}))))
    assert measures_section(report.tables, report.manifest) is None
