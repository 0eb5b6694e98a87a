"""Each part of a page of `report` names the command and the Python call that give it again; they do."""

import json
import re
import shlex
from html import unescape
from pathlib import Path
from typing import Any

import pytest

import empirelab as api
from reports.data.load import Run
from reports.model import Report
from reports.render.export import json_written, rows
from reports.render.page import render
from reports.render.reproduce import again
from reports.report import build_report
from tests.cli.conftest import Message, Program

LEAGUE = Path(__file__).parents[2] / "docs" / "examples" / "playtests.csv"
PLAIN = Path(__file__).parents[2] / "docs" / "examples" / "caravans.py"


def body_of(page: str) -> dict[str, str]:
    """What the page's script builds commands and calls from."""
    (body,) = re.findall(r"<body( data-command=[^>]*)>", page)
    return {name: unescape(value) for name, value in re.findall(r'data-(\w+)="([^"]*)"', body)}


def parts_of(page: str) -> list[str]:
    """The names of all parts of a page."""
    found = re.findall(r'<section class="panel[^"]*" id="[^"]*" data-section="([^"]*)"', page)
    return [name for one in found for name in unescape(one).split("|") if name]


def printed(empirelab: Program, given: dict[str, str], name: str) -> dict[str, Any]:
    """The part that the printed command gives."""
    done = empirelab(*shlex.split(given["command"])[1:], "--section", name, "--json")
    (section,) = done.json["sections"]
    assert section["name"] == name
    return dict(section)


@pytest.fixture
def built_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Commands with the same options share the report of the first."""
    built: dict[str, Report] = {}

    def once(run: Run, *options: Any) -> Report:
        asked = f"{run.folder} {options}"
        if asked not in built:
            built[asked] = build_report(run, *options)
        return built[asked]

    monkeypatch.setattr("reports.report.build_report", once)


def test_the_command_and_the_call_name_all_options() -> None:
    given = again(Path("runs/my run"), 0.02, [("with", "runs/b"), ("ladder", "runs/ladder")])
    assert given.command == "empirelab report 'runs/my run' --margin 2 --with runs/b --ladder runs/ladder"
    assert given.python == 'empirelab.report("runs/my run", "runs/b", margin=2, ladder="runs/ladder")'
    assert again(Path("runs/a"), 0.01).command == "empirelab report runs/a"


@pytest.mark.parametrize(("game", "players"), [("seven_wonders", "balanced,greedy"), (str(PLAIN), "")])
@pytest.mark.usefixtures("without_figures", "built_once")
def test_each_command_and_call_of_a_page_gives_the_same_part(empirelab: Program, game: str, players: str) -> None:
    chosen = {"strategies": players} if players else {}
    api.simulate(game, games=240, out=Path("my run"), progress=False, **chosen)
    report = api.report("my run", margin=2.0)
    page = render(report)
    given, names = body_of(page), parts_of(page)
    assert {"faction", "seat", "strategy", "summary", "scores"} <= set(names)
    for name in names:
        section = printed(empirelab, given, name)
        if name in report.tables:
            assert section["listings"][0]["rows"] == json.loads(json_written(rows(report.tables[name].frame)))
    whole = eval(given["python"], {"empirelab": api})
    assert whole.verdict == report.verdict
    for section in report.sections:
        assert whole.section(section.name).sentences == section.sentences


@pytest.mark.sweep
@pytest.mark.usefixtures("without_figures")
def test_parts_of_a_league_are_given_again(empirelab: Program, tmp_path: Path) -> None:
    empirelab("import", LEAGUE, "--out", "league")
    empirelab("report", "league", "--html", "league.html")
    page = (tmp_path / "league.html").read_text()
    given, names = body_of(page), parts_of(page)
    assert given["command"] == "empirelab report league"
    assert len(names) > 3
    whole = eval(given["python"], {"empirelab": api})
    for name in names[:2]:
        assert printed(empirelab, given, name)["sentences"] == list(whole.section(name).sentences)


def test_an_unknown_part_is_refused_with_all_names(complaint: Message, empirelab: Program) -> None:
    empirelab("simulate", "seven_wonders", "--games", 40, "--out", "run", "--quiet")
    said = complaint("report", "run", "--section", "matchup")
    assert "the report has no such part (found: 'matchup')" in said
    assert "matchups" in said
    assert "pages of factions belong to the whole report" in complaint(
        "report", "run", "--section", "matchups", "--explain", "--html", "a.html"
    )
