"""What the tests of the engine, the rules, the strategies and the runs share."""

import gc
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from sim.compiler.kernel import compiled
from sim.players.batch import Plan, play
from sim.players.compile_players import players_of
from sim.runs.config import RunConfig, make_plan
from tests.kit.kept_engines import kept_engines
from tests.kit.slow import Stopwatch, mark_slow

ROOT = Path(__file__).resolve().parent.parent
# Importing and collecting makes objects that stay: looking among them for garbage takes an eighth of that time.
gc.disable()


def pytest_addoption(parser: pytest.Parser) -> None:
    """Let the broad sweeps be asked for, and the list of slow tests."""
    parser.addoption("--full", action="store_true", help="try thousands of games where otherwise a sample is tried")
    parser.addoption("--note-slow", action="store_true", help="write the list of tests that take long")


def pytest_configure(config: pytest.Config) -> None:
    """Take the time of all tests where the list of slow ones is to be written; workers only report."""
    if config.getoption("note_slow") and not hasattr(config, "workerinput"):
        config.pluginmanager.register(Stopwatch())


def pytest_sessionstart(session: pytest.Session) -> None:
    """Compile the engines before workers start: otherwise each worker would compile them for itself."""
    if compiled() and session.config.getoption("numprocesses", None) and not kept_engines().is_dir():
        subprocess.run([sys.executable, "-m", "tests.kit.engines"], cwd=ROOT, check=True)


def pytest_collection_finish() -> None:
    """Keep what was imported and collected: looking through it for garbage takes a seventh of the time of all tests."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(50_000, 20, 20)
    gc.enable()


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Mark what `make test-quick` leaves out, and leave out what only `--full` tries."""
    mark_slow(items)
    if not config.getoption("full"):
        swept = [item for item in items if item.get_closest_marker("sweep")]
        config.hook.pytest_deselected(items=swept)
        items[:] = [item for item in items if not item.get_closest_marker("sweep")]


@pytest.fixture(scope="session", autouse=True)
def no_waiting_for_disks() -> Iterator[None]:
    """Let files be written without waiting for the disk: that takes minutes, and only a power cut shows it."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(os, "fsync", lambda descriptor: None)
        yield


@pytest.fixture(scope="session")
def scaled(pytestconfig: pytest.Config) -> Callable[..., int]:
    """How many games or cases to try: `scaled(compiled, interpreted, full)`.

    Few are tried interpreted (`NUMBA_DISABLE_JIT=1`); with `--full` as many as the last number says, where there is
    one.
    """

    def count(compiled_count: int, interpreted_count: int, full_count: int | None = None) -> int:
        if not compiled():
            return interpreted_count
        return full_count if full_count and pytestconfig.getoption("full") else compiled_count

    return count


@pytest.fixture
def sketched_figures(monkeypatch: pytest.MonkeyPatch) -> None:
    """Draw all figures, but write them roughly: turning them into files takes most of the time of a page."""
    from reports.render import chart, page  # noqa: PLC0415

    def drawn(picture: Any, _: bool) -> dict[str, Any]:
        inches = chart.figure_of(picture.draw()).get_figwidth()
        return {"svg": "", "source": "data:,", "inches": f"{inches:.2f}", "width": 160, "wide": False}

    monkeypatch.setitem(page.template_environment().globals, "drawn", drawn)
    monkeypatch.setattr(chart, "DPI", 20)


@pytest.fixture
def without_figures(monkeypatch: pytest.MonkeyPatch) -> None:
    """Leave a page's figures empty, which take most of its time: for tests of what else it says."""
    from reports.render.page import template_environment  # noqa: PLC0415

    empty = {"svg": "", "source": "data:,", "inches": "1.00", "width": 160, "wide": False}
    monkeypatch.setitem(template_environment().globals, "drawn", lambda *_: empty)


@pytest.fixture
def compiled_only() -> None:
    """Skip a test that says something only about compiled kernels, or would take minutes without."""
    if not compiled():
        pytest.skip("only with compiled kernels")


@pytest.fixture(scope="session")
def plan_of() -> Callable[..., Plan]:
    """Plan of a run from the options of `simulate`."""

    def plan(**options: Any) -> Plan:
        return make_plan(RunConfig(game="seven_wonders", **options))

    return plan


@pytest.fixture(scope="session")
def rows_of() -> Callable[..., np.ndarray]:
    """Seat rows of a stretch of a plan."""

    def rows(plan: Plan, first: int, count: int) -> np.ndarray:
        return play(plan, players_of(plan), first, count)[0]

    return rows


@pytest.fixture(scope="session")
def in_new_process() -> Callable[..., str]:
    """Run a Python script in a process of its own; return what it prints."""

    def run(script: str, *arguments: str, cwd: Path = ROOT, **environment: str) -> str:
        done = subprocess.run(
            [sys.executable, "-W", "error", "-c", script, *arguments],
            cwd=cwd,
            env=os.environ | {"PYTHONPATH": str(cwd)} | environment,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        return done.stdout

    return run
