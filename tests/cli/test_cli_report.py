"""`report` writes what it is asked for, all of it or nothing."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Program = Callable[..., Any]
Message = Callable[..., str]


@pytest.fixture
def run(empirelab: Program, tmp_path: Path) -> Path:
    """A small run in the folder `out`."""
    options = ("--games", 8, "--players", 4, "--strategies", "balanced,greedy", "--jobs", 1, "--quiet")
    assert empirelab("simulate", "seven_wonders", *options, "--out", "out").status == 0
    return tmp_path / "out"


@pytest.mark.usefixtures("sketched_figures")
def test_every_form_of_the_report_is_written(empirelab: Program, run: Path, tmp_path: Path) -> None:
    files = ("--html", "a.html", "--csv", "tables/", "--png", "deep/figures")
    outcome = empirelab("report", "out", *files)
    assert outcome.status == 0, outcome.err
    for written in ("a.html", "tables", "deep/figures"):
        assert f"written: {written}\n" in outcome.out
    assert (tmp_path / "tables" / "win-rate-faction.csv").is_file()
    assert (tmp_path / "deep" / "figures" / "scores.png").is_file()


def test_csv_is_one_file_unless_a_folder_is_named(empirelab: Program, run: Path, tmp_path: Path) -> None:
    (tmp_path / "there").mkdir()
    assert empirelab("report", "out", "--csv", "one.csv").status == 0
    assert (tmp_path / "one.csv").read_text().startswith("table,level,level2,")
    assert empirelab("report", "out", "--csv", "there").status == 0
    assert (tmp_path / "there" / "endings.csv").is_file()


def test_json_on_standard_output_is_nothing_but_json(empirelab: Program, run: Path) -> None:
    outcome = empirelab("report", "out", "--json")
    assert outcome.status == 0
    found = json.loads(outcome.out)
    assert found["format"] == "empirelab-report/2"
    assert found["run"]["games"] == 8


@pytest.mark.usefixtures("sketched_figures")
def test_a_margin_decides_the_rows_and_stands_in_every_form(empirelab: Program, run: Path, tmp_path: Path) -> None:
    outcome = empirelab("report", "out", "--margin", 2.5, "--html", "a.html", "--csv", "a.csv")
    assert outcome.status == 0, outcome.err
    assert "decision: for a margin of 2.5 points" in " ".join(outcome.out.split())
    assert "Margin: 2.5 points." in (tmp_path / "a.html").read_text()
    assert json.loads(empirelab("report", "out", "--margin", 2.5, "--json").out)["verdict"]["margin"] == 0.025
    assert {"decision", "more_games"} <= set((tmp_path / "a.csv").read_text().splitlines()[0].split(","))


@pytest.mark.parametrize("margin", [0, -1, 100, 200, "nan", "inf"])
def test_a_margin_that_no_edge_can_have_is_refused(complaint: Message, run: Path, margin: object) -> None:
    message = complaint("report", "out", "--margin", margin, "--html", "a.html")
    assert "field margin: margin out of range, in percentage points" in message
    assert "allowed: above 0, below 100" in message


def test_all_of_it_is_longer(empirelab: Program, run: Path) -> None:
    short, full = empirelab("report", "out").out, empirelab("report", "out", "--full").out
    assert "strategy with" not in short.split("Win rate by")[-1]
    assert len(full) > len(short)


@pytest.mark.usefixtures("sketched_figures")
@pytest.mark.parametrize("pair", [("--html", "--csv"), ("--csv", "--png"), ("--png", "--html")])
def test_the_same_place_twice_is_refused(complaint: Message, run: Path, pair: tuple[str, str]) -> None:
    assert "cannot have the same place" in complaint("report", "out", pair[0], "x", pair[1], "./x")


@pytest.mark.parametrize(
    ("option", "place"),
    [("--html", "out/run.json"), ("--html", "out/seats/part-000000.parquet"), ("--png", "out/seats"),
     ("--csv", "out/seats/")],
)  # fmt: skip
def test_a_report_never_replaces_a_part_of_its_run(complaint: Message, run: Path, option: str, place: str) -> None:
    assert "this is a part of a run" in complaint("report", "out", option, place)


@pytest.mark.usefixtures("sketched_figures")
@pytest.mark.parametrize("option", ["--html", "--csv", "--png"])
def test_what_cannot_be_written_leaves_nothing_behind(complaint: Message, run: Path, option: str) -> None:
    others = {"--html": "fine.html", "--csv": "fine/tables/", "--png": "fine/figures"}
    arguments = [word for name, place in others.items() if name != option for word in (name, place)]
    message = complaint("report", "out", *arguments, option, "out/run.json/page")
    assert "this is a part of a run" in message


@pytest.mark.parametrize("option", ["--html", "--csv", "--png"])
def test_only_json_goes_to_standard_output(complaint: Message, run: Path, tmp_path: Path, option: str) -> None:
    assert "only --json can go to standard output" in complaint("report", "out", option, "-")
    assert not (tmp_path / "-").exists()


def test_figures_do_not_go_into_a_file(complaint: Message, run: Path, tmp_path: Path) -> None:
    (tmp_path / "notes").write_text("mine")
    assert "cannot be written (this is a file)" in complaint("report", "out", "--png", "notes")


def test_one_game_is_no_run_to_report_on(empirelab: Any, complaint: Any) -> None:
    words = ("--games", 1, "--strategies", "random", "--quiet", "--out", "single")
    assert empirelab("simulate", "seven_wonders", *words).status == 0
    said = complaint("report", "single", "--html", "page.html")
    assert "single: one block of games cannot separate strength from luck" in said
    assert "(found: '1 game')" in said
