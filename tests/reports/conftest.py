"""One synthetic run and its report, shared by the tests of this folder."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from synthetic import FACTIONS, Truth, write_run

from reports.data.load import load_run
from reports.model import Report
from reports.render.page import template_environment
from reports.sections.core.shares import share_report

BROWSER_OPTIONS = (
    "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync",
)  # fmt: skip
STRENGTHS = dict.fromkeys(FACTIONS, 0.0) | {"Halikarnassos B": 5.0, "Gizah A": -4.0}


@pytest.fixture(scope="session")
def run_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """2,000 blocks in three parts; Halikarnassos B is too strong, Gizah A too weak, seat 0 a little too strong."""
    folder = tmp_path_factory.mktemp("runs") / "first"
    truth = Truth(blocks=2000, factions=STRENGTHS, seats=(1.5, 0, 0, 0))
    certainty = {"confirmed": 80, "single-source": 12, "stand-in": 8}
    return write_run(folder, truth, part_games=3000, certainty=certainty)


@pytest.fixture(scope="session")
def report(run_folder: Path) -> Report:
    return share_report(load_run(run_folder))


@pytest.fixture(scope="session")
def browser() -> Iterator[Any]:
    """A browser without a window."""
    playwright = pytest.importorskip("playwright.sync_api", reason="the package playwright is missing")
    program = shutil.which("chromium")
    if program is None:
        pytest.skip("the browser chromium is not installed")
    with playwright.sync_playwright() as driver:
        chromium = driver.chromium.launch(executable_path=program, args=list(BROWSER_OPTIONS))
        yield chromium
        chromium.close()


@pytest.fixture
def without_figures(monkeypatch: pytest.MonkeyPatch) -> None:
    """Leave a page's figures empty, which take most of its time: for tests of what else it says."""
    empty = {"source": "data:,", "inches": "1.00", "width": 160, "wide": False}
    monkeypatch.setitem(template_environment().globals, "drawn", lambda picture: empty)
