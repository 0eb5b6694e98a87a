"""Help names everything, and costs nothing."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from typing import Any

import pytest
from typer.main import get_command

from sim.cli import app

COMMANDS: dict[str, Any] = get_command(app).commands  # type: ignore[attr-defined]


@pytest.fixture(autouse=True)
def _wide_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("typer.rich_utils.MAX_WIDTH", 200)


def options_of(command: Any) -> list[str]:
    return [flag for parameter in command.params for flag in parameter.opts if flag.startswith("--")]


@pytest.mark.parametrize("flag", ["-h", "--help"])
def test_help_of_the_program_names_every_command(empirelab: Callable[..., Any], flag: str) -> None:
    outcome = empirelab(flag)
    assert outcome.status == 0
    for name in COMMANDS:
        assert name in outcome.out


@pytest.mark.parametrize("name", COMMANDS)
def test_help_of_a_command_names_its_options(empirelab: Callable[..., Any], name: str) -> None:
    outcome = empirelab(name, "--help")
    assert outcome.status == 0
    for option in options_of(COMMANDS[name]):
        assert option in outcome.out
    assert all(parameter.help for parameter in COMMANDS[name].params if hasattr(parameter, "help"))


@pytest.mark.parametrize("arguments", [["--help"], ["bench", "--help"]])
def test_help_imports_nothing_heavy(arguments: list[str]) -> None:
    heavy = ("numpy", "numba", "polars", "pandas", "scipy", "matplotlib", "joblib")
    code = f"""
import sys
sys.argv = ["empirelab", *{arguments!r}]
import sim.cli
try:
    sim.cli.main()
except SystemExit as end:
    assert end.code == 0
found = [name for name in {heavy!r} if name in sys.modules]
sys.exit(", ".join(found) or 0)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize(
    ("code", "needless"),
    [
        ("import sim.commands.simulate", "sim.commands.rebalance"),
        ("import reports.report", "sim.runs.run"),
        ("import reports.report", "sim.players.batch"),
    ],
)
def test_a_command_loads_neither_other_commands_nor_what_plays_games_for_a_report(code: str, needless: str) -> None:
    program = f"import sys\n{code}\nsys.exit({needless!r} in sys.modules)"
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0
