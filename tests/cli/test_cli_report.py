"""`report` writes what it is asked for, all of it or nothing."""

from pathlib import Path

import pytest

from tests.cli.conftest import Message, Program


@pytest.fixture(autouse=True)
def run(once: Program, sketched_figures: None) -> None:
    """A small run in the folder `out`."""
    options = ("--games", 8, "--players", 4, "--strategies", "balanced,greedy", "--jobs", 1, "--quiet")
    once("simulate", "seven_wonders", *options, "--out", "out")


def test_every_form_of_the_report_is_written(empirelab: Program) -> None:
    outcome = empirelab("report", "out", "--html", "a.html", "--csv", "tables/", "--png", "deep/figures")
    for written in ("a.html", "tables", "deep/figures"):
        assert f"written: {written}\n" in outcome.out
    assert Path("tables", "win-rate-faction.csv").is_file()
    assert Path("deep", "figures", "scores.png").is_file()


def test_csv_is_one_file_unless_a_folder_is_named(empirelab: Program) -> None:
    Path("there").mkdir()
    empirelab("report", "out", "--csv", "one.csv")
    assert Path("one.csv").read_text().startswith("table,level,level2,")
    empirelab("report", "out", "--csv", "there")
    assert Path("there", "endings.csv").is_file()


@pytest.mark.sweep
def test_a_margin_decides_the_rows_and_stands_in_every_form(empirelab: Program) -> None:
    outcome = empirelab("report", "out", "--margin", 2.5, "--html", "a.html", "--csv", "a.csv")
    assert "decision: for a margin of 2.5 points" in outcome.said
    assert "Margin: 2.5 points." in Path("a.html").read_text()
    found = empirelab("report", "out", "--margin", 2.5, "--json").json
    assert (found["format"], found["run"]["games"], found["verdict"]["margin"]) == ("empirelab-report/2", 8, 0.025)
    assert {"decision", "more_games"} <= set(Path("a.csv").read_text().splitlines()[0].split(","))


def test_all_of_it_is_longer(empirelab: Program) -> None:
    short, full = empirelab("report", "out").out, empirelab("report", "out", "--full").out
    assert "strategy with" not in short.split("Win rate by")[-1]
    assert len(full) > len(short)


MARGIN = "field margin: margin out of range, in percentage points"
TWICE = "cannot have the same place"
PART = "this is a part of a run"
STANDARD_OUTPUT = "only --json can go to standard output"


@pytest.mark.parametrize(
    ("options", "said"),
    [
        *(((f"--margin={margin}", "--html", "a.html"), MARGIN) for margin in (0, -1, 100, 200, "nan", "inf")),
        (("--html", "x", "--csv", "./x"), TWICE),
        (("--csv", "x", "--png", "./x"), TWICE),
        (("--png", "x", "--html", "./x"), TWICE),
        (("--html", "out/run.json"), PART),
        (("--html", "out/seats/part-000000.parquet"), PART),
        (("--png", "out/seats"), PART),
        (("--csv", "out/seats/"), PART),
        # If one of them cannot be written, none is.
        (("--html", "out/run.json/page", "--csv", "fine/tables/", "--png", "fine/figures"), PART),
        (("--html", "fine.html", "--csv", "out/run.json/page", "--png", "fine/figures"), PART),
        (("--html", "fine.html", "--csv", "fine/tables/", "--png", "out/run.json/page"), PART),
        (("--html", "-"), STANDARD_OUTPUT),
        (("--csv", "-"), STANDARD_OUTPUT),
        (("--png", "-"), STANDARD_OUTPUT),
        (("--png", "notes"), "cannot be written (this is a file)"),
    ],
)
def test_what_cannot_be_asked_for_or_written_is_refused(
    complaint: Message, options: tuple[str, ...], said: str
) -> None:
    Path("notes").write_text("mine")
    message = complaint("report", "out", *options)
    assert said in message
    assert ("allowed: above 0, below 100" in message) == (said == MARGIN)


def test_one_game_is_no_run_to_report_on(empirelab: Program, complaint: Message) -> None:
    words = ("--games", 1, "--strategies", "random", "--quiet", "--out", "single")
    empirelab("simulate", "seven_wonders", *words)
    said = complaint("report", "single", "--html", "page.html")
    assert "single: one block of games cannot separate strength from luck" in said
    assert "(found: '1 game')" in said
