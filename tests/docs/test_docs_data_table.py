"""The README says how many rows of each game's data are how sure, and shows a page."""

import importlib.util
import re
import sys
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from sim.commands.data import check_data
from sim.data.declarations import GAMES
from sim.game import load_game

PROJECT_GAMES = {name: module for name, module in GAMES.items() if module.startswith("sim.")}
ROOT = Path(__file__).parents[2]
SCRIPT = ROOT / "docs" / "make_data_table.py"
MOST_BYTES = 200_000
"""That a picture of the README takes."""


@pytest.fixture
def maker(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """The script, which finds its page in a folder of the test."""
    monkeypatch.syspath_prepend(str(SCRIPT.parent))
    spec = importlib.util.spec_from_file_location("make_data_table", SCRIPT)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    monkeypatch.setattr(module, "GAMES", PROJECT_GAMES)
    monkeypatch.setattr(module, "PAGE", tmp_path / "README.md")
    module.PAGE.write_text(f"Before\n{module.MARKS[0]}\nolder\n\n{module.MARKS[1]}behind\n", "utf-8")
    monkeypatch.setattr(sys, "argv", [SCRIPT.name])
    return module


def test_the_table_of_data_is_written_from_the_files_and_compared_with_them(
    maker: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    maker.main()
    page = maker.PAGE.read_text("utf-8")
    assert page == f"Before\n{maker.MARKS[0]}\n{maker.data_table()}\n{maker.MARKS[1]}behind\n"
    monkeypatch.setattr(sys, "argv", [SCRIPT.name, "--check"])
    maker.main()
    maker.PAGE.write_text(page.replace("| 7 Wonders | 1", "| 7 Wonders | 2"), "utf-8")
    with pytest.raises(SystemExit, match="the table is not of the files"):
        maker.main()


def test_the_readme_has_the_table_of_what_check_data_counts(maker: Any, capsys: pytest.CaptureFixture[str]) -> None:
    page = (ROOT / "README.md").read_text("utf-8")
    shared = importlib.import_module("make_speed_table")
    assert shared.page_with(page, maker.data_table(), maker.MARKS) == page
    for game in PROJECT_GAMES:
        check_data(game)
        counted = re.search(r"^all: (.*)", capsys.readouterr().out, re.MULTILINE)
        assert counted is not None
        assert f"| {load_game(game).title} | {' | '.join(re.findall(r'[0-9,]*[0-9]', counted[1]))} |\n" in page


def test_the_readme_shows_a_page_in_few_bytes() -> None:
    shown = re.findall(r"!\[[^\]]*\]\(([^)]+)\)", (ROOT / "README.md").read_text("utf-8"))
    assert shown == ["docs/report.png"]
    assert (ROOT / shown[0]).stat().st_size < MOST_BYTES
    with Image.open(ROOT / shown[0]) as picture:
        assert picture.width == 1280


@pytest.mark.parametrize("page", ["README.md", "docs/glory-of-rome.md"])
def test_no_page_says_that_all_variants_of_the_glory_of_rome_are_played(page: str) -> None:
    text = " ".join((ROOT / page).read_text("utf-8").split())
    assert not re.search(r"all variants(?! (?:but|except) \[Cassius' attack\])", text)
    assert "Cassius' attack" in text


def test_who_can_run_code_through_a_cluster_is_said_with_the_remedy() -> None:
    text = " ".join((ROOT / "docs" / "cluster.md").read_text("utf-8").split())
    assert "Anyone who can reach the port of a Dask scheduler or worker can run any code there" in text
    assert "--protocol tls" in text
