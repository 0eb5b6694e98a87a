"""The README says how many rows of each game's data are how sure, and shows a page."""

import re
import sys
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from sim.commands.data import check_data
from sim.data.declarations import GAMES
from sim.game import load_game

PROJECT_GAMES = {name: module for name, module in GAMES.items() if module.startswith("sim.")}
ROOT = Path(__file__).parents[2]
MOST_BYTES = 200_000
"""That a picture of the README takes."""


@pytest.fixture
def maker(script: Callable[[str], Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """The script, with its page in the folder of the test; it counts the data once."""
    module = script("make_data_table")
    monkeypatch.setattr(module, "GAMES", PROJECT_GAMES)
    monkeypatch.setattr(module, "PAGE", tmp_path / "README.md")
    monkeypatch.setattr(module, "data_table", cache(module.data_table))
    module.PAGE.write_text(f"Before\n{module.MARKS[0]}\nolder\n\n{module.MARKS[1]}behind\n", "utf-8")
    monkeypatch.setattr(sys, "argv", ["make_data_table.py"])
    return module


def test_the_table_of_data_is_that_of_check_data_and_compared_with_the_files(
    maker: Any, script: Callable[[str], Any], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    maker.main()
    page = maker.PAGE.read_text("utf-8")
    assert page == f"Before\n{maker.MARKS[0]}\n{maker.data_table()}\n{maker.MARKS[1]}behind\n"
    monkeypatch.setattr(sys, "argv", ["make_data_table.py", "--check"])
    maker.main()
    maker.PAGE.write_text(page.replace("| 7 Wonders | 1", "| 7 Wonders | 2"), "utf-8")
    with pytest.raises(SystemExit, match="the table is not of the files"):
        maker.main()

    page = (ROOT / "README.md").read_text("utf-8")
    assert script("make_speed_table").page_with(page, maker.data_table(), maker.MARKS) == page
    capsys.readouterr()
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
