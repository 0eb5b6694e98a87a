"""The program, run in this process: `main` with its arguments, and what it printed."""

import shutil
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, cast

import pytest
from typer.main import get_command

import tests.kit.plans  # noqa: F401 - makes the tiny game known, whichever tests run
from sim.cli import app, main
from sim.compiler.source_digest import GUARDED
from tests.kit.processes import Outcome

Program = Callable[..., Outcome]
Message = Callable[..., str]
COMMANDS: dict[str, Any] = cast(Any, get_command(app)).commands


def listing(folder: Path) -> list[str]:
    """Everything below a folder but Python's own caches."""
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*") if "__pycache__" not in path.parts)


@pytest.fixture
def empirelab(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Program:
    """Run the program in an empty folder: with status 0, unless another is expected, or any at all (`status=None`)."""
    monkeypatch.chdir(tmp_path)
    # Strategy files of these tests are harmless: no process of their own is needed, see test_cli_guard.py.
    monkeypatch.setenv(GUARDED, "")

    def run(*arguments: object, status: int | None = 0) -> Outcome:
        monkeypatch.setattr(sys, "argv", ["empirelab", *map(str, arguments)])
        capsys.readouterr()
        with pytest.raises(SystemExit) as end:
            main()
        printed = capsys.readouterr()
        assert isinstance(end.value.code, int)
        outcome = Outcome(end.value.code, printed.out, printed.err)
        assert status in (None, outcome.status), outcome
        return outcome

    return run


@pytest.fixture(scope="module")
def outcomes() -> dict[tuple[object, ...], tuple[Path, Outcome]]:
    """For each command that `once` has run in this module: the files it made, and its outcome."""
    return {}


@pytest.fixture
def once(
    empirelab: Program,
    tmp_path: Path,
    tmp_path_factory: pytest.TempPathFactory,
    outcomes: dict[tuple[object, ...], tuple[Path, Outcome]],
) -> Program:
    """Run a command once per module; each test that asks for it gets a copy of the files it made, and its outcome."""

    def run(*words: object) -> Outcome:
        if words not in outcomes:
            before = set(tmp_path.iterdir())
            outcomes[words] = tmp_path_factory.mktemp("once"), empirelab(*words)
            for path in set(tmp_path.iterdir()) - before:
                shutil.move(path, outcomes[words][0])
        made, outcome = outcomes[words]
        shutil.copytree(made, tmp_path, dirs_exist_ok=True)
        return outcome

    return run


@pytest.fixture
def complaint(empirelab: Program, tmp_path: Path) -> Message:
    """Run a command that must fail: status 2, one line of message, nothing on disk; return the message."""

    def run(*arguments: object) -> str:
        before = listing(tmp_path)
        outcome = empirelab(*arguments, status=2)
        message = outcome.err
        assert outcome.out == ""
        assert listing(tmp_path) == before
        assert message.startswith("empirelab: ")
        assert message.endswith("\n")
        assert message.count("\n") == 1, message
        assert len(message) < 1000
        return message.strip()

    return run
