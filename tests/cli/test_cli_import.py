"""A table of real games goes from the file to a page, and only the commands that read leagues take it."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cli.conftest import Program

EXAMPLE = Path(__file__).parents[2] / "docs" / "examples" / "playtests.csv"


@pytest.fixture
def league(empirelab: Program) -> str:
    """The folder of an imported league."""
    assert empirelab("import", EXAMPLE, "--out", "league").status == 0
    return "league"


def test_columns_and_what_was_left_out_are_shown(empirelab: Program) -> None:
    said = empirelab("import", EXAMPLE, "--out", "league").out
    assert "  player: Name\n  faction: Race\n" in said
    assert "row 19, column VP: the score is missing" in said
    assert "'Bob' = 'BOB'" in said
    assert "Next: empirelab report league" in said


def test_a_league_becomes_a_page_with_filters(empirelab: Program, league: str, tmp_path: Path) -> None:
    outcome = empirelab("report", league, "--html", "league.html", "--csv", "tables/", "--png", "figures")
    assert outcome.status == 0, outcome.err
    assert "Too strong: Raiders" in outcome.out
    page = (tmp_path / "league.html").read_text("utf-8")
    assert 'id="asked"' in page
    assert '"2020"' in page or "quarter" in page
    assert (tmp_path / "tables" / "people-faction.csv").is_file()
    assert (tmp_path / "figures" / "people-faction.png").is_file()


def test_the_json_of_a_league_has_its_claims(empirelab: Program, league: str) -> None:
    content = json.loads(empirelab("report", league, "--json").out)
    assert content["format"] == "empirelab-league-report/1"
    assert "edge among people" in {claim["kind"] for claim in content["claims"]}


def test_view_lists_a_league_with_its_verdict(empirelab: Program, league: str) -> None:
    said = empirelab("view", ".").out
    assert "1 league in" in said
    assert "Too strong: Raiders" in said


@pytest.mark.parametrize("option", [("--explain", "--html", "page.html"), ("--with", "other"), ("--ladder", "other")])
def test_options_of_simulated_runs_are_refused(
    complaint: Callable[..., str], league: str, option: tuple[str, ...]
) -> None:
    said = complaint("report", league, *option)
    assert "this option needs a simulated run, not results of real games" in said


@pytest.mark.parametrize(
    "command", [("explain", "league", "--faction", "Raiders"), ("price", "league"), ("check", "league")]
)
def test_commands_of_simulated_runs_say_what_a_league_is(
    complaint: Callable[..., str], league: str, command: tuple[str, ...]
) -> None:
    assert "these are results of real games, and this needs a simulated run" in complaint(*command)


def test_report_says_that_a_file_is_imported_first(complaint: Callable[..., str]) -> None:
    assert "empirelab import reads a table of real games" in complaint("report", EXAMPLE)


def test_a_league_is_not_compared_with_a_run(complaint: Callable[..., str], league: str, tmp_path: Path) -> None:
    assert "results of real games are compared with other results of real games" in complaint("compare", league, ".")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("missing.csv",), "missing.csv: no such file"),
        ((".",), "this is a folder, not a file of results"),
        ((EXAMPLE, "--columns", "player"), "not a kind and a heading"),
        ((EXAMPLE, "--columns", "playr=Name"), "did you mean 'player'"),
        ((EXAMPLE, "--missing", "refuse"), "row 19, field VP: the score is missing"),
    ],
)
def test_what_cannot_be_imported_is_one_message(
    complaint: Callable[..., str], arguments: tuple[object, ...], said: str
) -> None:
    assert said in complaint("import", *arguments, "--out", "league")


def test_a_league_is_replaced_only_if_asked(empirelab: Program, complaint: Callable[..., str], league: str) -> None:
    assert "the output folder exists" in complaint("import", EXAMPLE, "--out", league)
    assert empirelab("import", EXAMPLE, "--out", league, "--overwrite", "--anonymous").status == 0
    assert "Bob" not in empirelab("report", league, "--full").out


def test_a_folder_with_other_files_is_not_replaced(complaint: Callable[..., str], league: str, tmp_path: Path) -> None:
    (tmp_path / league / "notes.txt").write_text("mine")
    assert "or holds other files (found: 'notes.txt')" in complaint("import", EXAMPLE, "--out", league, "--overwrite")
