"""Games in plain Python for the tests, each in a folder of its own."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from sim.compiler.source_digest import GUARDED

GAMES = Path(__file__).parent / "games"


@pytest.fixture
def trade(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A game of guilds with its numbers in a TOML file; the working directory is its folder."""
    monkeypatch.setenv(GUARDED, "")  # the games of these tests are harmless, see test_plain_guard.py
    shutil.copytree(GAMES, tmp_path, dirs_exist_ok=True)
    monkeypatch.chdir(tmp_path)
    return tmp_path / "trade.py"


@pytest.fixture
def bids(trade: Path) -> Path:
    """A game of sealed bids, in which all choose at the same time."""
    return trade.with_name("bids.py")


def edited(file: Path, old: str, new: str) -> Path:
    """Replace a text of a file that has it."""
    text = file.read_text()
    assert old in text
    file.write_text(text.replace(old, new))
    return file
