"""A table of real games goes from the file to a page, and only the commands that read leagues take it."""

from pathlib import Path

import pytest

from tests.cli.conftest import Message, Program

EXAMPLE = Path(__file__).parents[2] / "docs" / "examples" / "playtests.csv"


@pytest.fixture
def league(once: Program) -> str:
    """The folder of an imported league."""
    once("import", EXAMPLE, "--out", "league")
    return "league"


def test_columns_and_what_was_left_out_are_shown(empirelab: Program) -> None:
    said = empirelab("import", EXAMPLE, "--out", "league").out
    assert "  player: Name\n  faction: Race\n" in said
    assert "row 19, column VP: the score is missing" in said
    assert "'Bob' = 'BOB'" in said
    assert "Next: empirelab report league" in said


def test_a_league_becomes_a_page_with_filters_tables_and_claims(empirelab: Program, league: str) -> None:
    outcome = empirelab("report", league, "--html", "league.html", "--csv", "tables/", "--png", "figures")
    assert "Too strong: Raiders" in outcome.out
    page = Path("league.html").read_text("utf-8")
    assert 'id="asked"' in page
    assert '"2020"' in page or "quarter" in page
    assert Path("tables", "people-faction.csv").is_file()
    assert Path("figures", "people-faction.png").is_file()
    content = empirelab("report", league, "--json").json
    assert content["format"] == "empirelab-league-report/1"
    assert "edge among people" in {claim["kind"] for claim in content["claims"]}


def test_view_lists_a_league_with_its_verdict(empirelab: Program, league: str) -> None:
    said = empirelab("view", ".").out
    assert "1 league in" in said
    assert "Too strong: Raiders" in said


OPTION = "this option needs a simulated run, not results of real games"
COMMAND = "these are results of real games, and this needs a simulated run"


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("report", "league", "--explain", "--html", "page.html"), OPTION),
        (("report", "league", "--with", "other"), OPTION),
        (("report", "league", "--ladder", "other"), OPTION),
        (("explain", "league", "--faction", "Raiders"), COMMAND),
        (("price", "league"), COMMAND),
        (("check", "league"), COMMAND),
        (("report", EXAMPLE), "empirelab import reads a table of real games"),
        (("compare", "league", "."), "results of real games are compared with other results of real games"),
        (("import", "missing.csv", "--out", "new"), "missing.csv: no such file"),
        (("import", ".", "--out", "new"), "this is a folder, not a file of results"),
        (("import", EXAMPLE, "--columns", "player", "--out", "new"), "not a kind and a heading"),
        (("import", EXAMPLE, "--columns", "playr=Name", "--out", "new"), "did you mean 'player'"),
        (("import", EXAMPLE, "--missing", "refuse", "--out", "new"), "row 19, field VP: the score is missing"),
    ],
)
@pytest.mark.usefixtures("league")
def test_what_cannot_be_imported_or_needs_a_simulated_run_is_one_message(
    complaint: Message, words: tuple[object, ...], said: str
) -> None:
    assert said in complaint(*words)


def test_a_league_is_replaced_only_if_asked_and_never_if_its_folder_holds_other_files(
    empirelab: Program, complaint: Message, league: str
) -> None:
    assert "the output folder exists" in complaint("import", EXAMPLE, "--out", league)
    empirelab("import", EXAMPLE, "--out", league, "--overwrite", "--anonymous")
    assert "Bob" not in empirelab("report", league, "--full").out
    Path(league, "notes.txt").write_text("mine")
    assert "or holds other files (found: 'notes.txt')" in complaint("import", EXAMPLE, "--out", league, "--overwrite")
