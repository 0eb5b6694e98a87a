"""The program, run in this process: `main` with its arguments, and what it printed."""

import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

import tests.kit.plans  # noqa: F401 - makes the tiny game known, whichever tests run
from sim.cli import main
from sim.compiler.source_digest import GUARDED


@dataclass(frozen=True)
class Outcome:
    """Exit status and what came out of one command."""

    status: int
    out: str
    err: str


Program = Callable[..., Outcome]


def listing(folder: Path) -> list[str]:
    """Everything below a folder but Python's own caches."""
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*") if "__pycache__" not in path.parts)


@pytest.fixture
def empirelab(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Program:
    """Run the program in an empty folder; its own output only is captured."""
    monkeypatch.chdir(tmp_path)
    # Strategy files of these tests are harmless: no process of their own is needed, see test_cli_guard.py.
    monkeypatch.setenv(GUARDED, "")

    def run(*arguments: object) -> Outcome:
        monkeypatch.setattr(sys, "argv", ["empirelab", *map(str, arguments)])
        capsys.readouterr()
        with pytest.raises(SystemExit) as end:
            main()
        printed = capsys.readouterr()
        assert isinstance(end.value.code, int)
        return Outcome(end.value.code, printed.out, printed.err)

    return run


@pytest.fixture
def complaint(empirelab: Program, tmp_path: Path) -> Callable[..., str]:
    """Run a command that must fail: status 2, one line of message, nothing on disk; return the message."""

    def run(*arguments: object) -> str:
        before = listing(tmp_path)
        outcome = empirelab(*arguments)
        message = outcome.err
        assert outcome.status == 2, outcome
        assert outcome.out == ""
        assert listing(tmp_path) == before
        assert message.startswith("empirelab: ")
        assert message.endswith("\n")
        assert message.count("\n") == 1, message
        assert len(message) < 1000
        return message.strip()

    return run
