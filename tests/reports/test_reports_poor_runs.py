"""Runs that can say little get words, whole tables and figures in every section all the same."""

from pathlib import Path
from typing import Any

import polars as pl
import pytest
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from synthetic import Truth, write_run

from reports.data.load import load_run
from reports.model import Section
from reports.report import build_report
from reports.sections.compare.changes import comparison_sections
from reports.studies.compare.compare import compare_runs
from tests.reports.conftest import Kept, at_terminal

ONE, ALONE = {"only": 0.0}, {"Rhodos A": 0.0}
POOR: dict[str, dict[str, Any]] = {
    "two blocks": {"blocks": 2},
    "three blocks of two": {"blocks": 3, "players": 2},
    "one strategy": {"blocks": 40, "strategies": ONE},
    "one faction": {"blocks": 40, "factions": ALONE},
    "one of both": {"blocks": 20, "strategies": ONE, "factions": ALONE},
    "nothing varies": {"blocks": 5, "luck": 0.0, "deal": 0.0, "strategies": ONE},
    "two equal strategies": {"blocks": 60, "players": 2, "strategies": {"a": 0.0, "b": 0.0}},
}
POOREST = ("two blocks", "one of both", "nothing varies")
"""Compared in every run of the tests; all are with `--full`."""


def expect_whole(sections: tuple[Section, ...]) -> None:
    """Expect words, no NaN, a reason beside everything unknown, and figures that can be drawn."""
    for section in sections:
        assert section.sentences, section.name
        assert "nan" not in " ".join(section.sentences).lower().replace("finan", "").replace("unan", ""), section.name
        for listing in section.listings:
            frame = listing.frame
            assert not any(frame.select(pl.selectors.float().is_nan().any()).row(0)), listing.name
            for low in {"low", "edge_low"} & set(frame.columns) if "note" in frame.columns else ():
                assert (frame.filter(pl.col(low).is_null())["note"] != "").all(), listing.name
        for picture in section.pictures:
            assert isinstance(picture.draw(), Axes)


@pytest.mark.parametrize("case", POOR)
def test_every_section_of_a_poor_run_has_words_and_figures_as_kept(case: str, tmp_path: Path, kept: Kept) -> None:
    report = build_report(load_run(write_run(tmp_path / "run", Truth(**POOR[case]))))
    expect_whole(report.sections)
    if case == "two equal strategies":
        for picture in (picture for section in report.sections for picture in section.pictures):
            axes = Figure().add_subplot()
            assert picture.draw(axes) is axes, "drawn into any axes"
    kept(f"poor run, {case}", {case: [at_terminal(report)]})


@pytest.mark.parametrize(
    "truth",
    [
        {"blocks": 1},
        *(pytest.param(POOR[case], id=case, marks=() if case in POOREST else pytest.mark.sweep) for case in POOR),
    ],
)
def test_poor_runs_are_compared_in_words(truth: dict[str, Any], tmp_path: Path) -> None:
    truths = [Truth(**truth, seed=seed) for seed in (1, 2)]
    runs = [load_run(write_run(tmp_path / str(one.seed), one)) for one in truths]
    found = compare_runs(*runs, "before", "after")
    expect_whole(comparison_sections(found))
    for table in found.tables.values():
        for row in table.frame.to_dicts():
            assert row["low"] is not None or row["note"]
