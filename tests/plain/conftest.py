"""Games in plain Python for the tests, each in a folder of its own."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from typer.testing import CliRunner

from sim.cli import app
from sim.compiler.source_digest import GUARDED

GAMES = Path(__file__).parent / "games"


@pytest.fixture
def trade(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A game of guilds with its numbers in a TOML file; the working directory is its folder."""
    monkeypatch.setenv(GUARDED, "")  # the games of these tests are harmless, see test_plain_guard.py
    shutil.copytree(GAMES, tmp_path, dirs_exist_ok=True)
    monkeypatch.chdir(tmp_path)
    return tmp_path / "trade.py"


@pytest.fixture(scope="module")
def folder_of_games(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A folder with the games that the tests of a module share; the working directory unless a test has its own."""
    folder = shutil.copytree(GAMES, tmp_path_factory.mktemp("games"), dirs_exist_ok=True)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(GUARDED, "")
        patch.chdir(folder)
        yield folder


@pytest.fixture
def bids(trade: Path) -> Path:
    """A game of sealed bids, in which all choose at the same time."""
    return trade.with_name("bids.py")


def command(words: str, *more: str) -> str:
    """Run a command of the program, which must succeed; return what it prints, as one line."""
    done = CliRunner().invoke(app, [*words.split(), *more], catch_exceptions=False)
    assert done.exit_code == 0, done.output
    return " ".join(done.output.split())


def edited(file: Path, old: str, new: str) -> Path:
    """Replace a text of a file that has it."""
    text = file.read_text()
    assert old in text
    file.write_text(text.replace(old, new))
    return file
