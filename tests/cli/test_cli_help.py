"""Help names everything, and costs nothing."""

import json
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from typer.main import get_command

from sim.cli import FIRST_GROUP, GROUPS, MOST_USED, app
from sim.data.declarations import GAMES
from sim.game import load_game

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


@pytest.mark.parametrize("name", COMMANDS)
def test_the_options_of_a_command_stand_in_groups_the_five_that_matter_first_on_top(name: str) -> None:
    options = [one for one in COMMANDS[name].params if one.param_type_name == "option"]
    groups = list(dict.fromkeys(one.rich_help_panel for one in options))
    known = [FIRST_GROUP, *GROUPS]
    assert groups == sorted(groups, key=known.index)
    first = {one.name for one in options if one.rich_help_panel == FIRST_GROUP}
    assert first == set(MOST_USED.get(name, "").split())
    assert len(first) == 5 or len(options) < 8


def test_help_shows_no_default_that_a_game_of_ones_own_may_lack() -> None:
    shown = {
        (name, one.name): str(one.show_default)
        for name, command in COMMANDS.items()
        for one in command.params
        if one.name in ("players", "strategies")
    }
    assert shown["simulate", "players"] == "the game's usual number"
    assert shown["simulate", "strategies"] == "the game's usual players"
    assert not [place for place, text in shown.items() if re.search(r"[0-9]|balanced", text)]


@pytest.mark.parametrize(
    "arguments",
    [["--help"], ["bench", "--help"], ["games"], ["simulate", "seven_wonders", "--nope"], ["simulat"]],
)
def test_help_the_list_of_games_and_wrong_usage_import_nothing_heavy(arguments: list[str]) -> None:
    heavy = ("numpy", "numba", "polars", "pandas", "scipy", "matplotlib", "joblib")
    code = f"""
import sys
sys.argv = ["empirelab", *{arguments!r}]
import sim.cli
try:
    sim.cli.main()
except SystemExit as end:
    assert end.code in (0, 2)
found = [name for name in {heavy!r} if name in sys.modules]
sys.exit(", ".join(found) or 0)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize(
    ("code", "needless"),
    [
        ("import sim.commands.simulate", {"sim.commands.rebalance"}),
        ("import reports.report", {"sim.runs.run", "sim.players.batch"}),
    ],
)
def test_a_command_loads_neither_other_commands_nor_what_plays_games_for_a_report(
    code: str, needless: set[str]
) -> None:
    program = f"import sys\n{code}\nsys.exit(bool({needless!r} & set(sys.modules)))"
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0


def test_the_process_that_watches_a_game_of_the_users_loads_nothing_that_plays(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text("")
    program = """
import sys
import sim.players.sandbox as sandbox
sandbox.run_guarded = lambda *_: 7 + ("numba" in sys.modules)
sys.argv = ["empirelab", "simulate", "mine.py", "--out", "run"]
import sim.cli
sim.cli.main()
"""
    assert subprocess.run([sys.executable, "-c", program], cwd=tmp_path, check=False).returncode == 7


# ---- The list of games ----


def test_games_are_listed_on_one_screen_and_told_in_detail_by_name(empirelab: Callable[..., Any]) -> None:
    listed = empirelab("games").out.splitlines()
    assert len(listed) <= 24
    assert max(map(len, listed)) <= 80
    for name in GAMES:
        line = next(line for line in listed if line.startswith(f"{name} "))
        assert load_game(name).title in line
    told = empirelab("games", "seven_wonders").out
    assert "7 Wonders (seven_wonders), 2 to 7 players, 4 by default" in told
    for words in ("free-city ", "Rhodos B", "balanced, ", "discounts_add_up                 false"):
        assert words in told


def test_a_game_in_json_has_what_its_screen_has(empirelab: Callable[..., Any]) -> None:
    one = json.loads(empirelab("games", "glory_of_rome", "--json").out)
    listed = {row["name"]: row for row in json.loads(empirelab("games", "--json").out)}
    assert listed["glory_of_rome"].items() <= one.items()
    assert len(one["variants"]) == 40
    assert one["default_strategies"] == ["balanced"]
    assert one["factions"]
