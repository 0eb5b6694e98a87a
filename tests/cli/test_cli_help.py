"""Help names everything, and costs nothing."""

import re
from pathlib import Path
from typing import Any

import pytest

from sim.cli import FIRST_GROUP, GROUPS, MOST_USED
from sim.data.declarations import GAMES
from sim.game import load_game
from tests.cli.conftest import COMMANDS, Program
from tests.kit.processes import Outcome, in_process


@pytest.fixture(autouse=True)
def _wide_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("typer.rich_utils.MAX_WIDTH", 200)


def options_of(command: Any) -> list[str]:
    return [flag for parameter in command.params for flag in parameter.opts if flag.startswith("--")]


def test_help_of_the_program_names_every_command(empirelab: Program) -> None:
    told = empirelab("--help").out
    assert all(name in told for name in COMMANDS)
    assert empirelab("-h").out == told


@pytest.mark.parametrize("name", COMMANDS)
def test_help_of_a_command_names_its_options(empirelab: Program, name: str) -> None:
    told = empirelab(name, "--help").out
    assert all(option in told for option in options_of(COMMANDS[name]))
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


LIGHT = """
import sys
import sim.cli
for command in ("--help", "bench --help", "games", "simulate seven_wonders --nope", "simulat"):
    sys.argv = ["empirelab", *command.split()]
    try:
        sim.cli.main()
    except SystemExit as end:
        assert end.code in (0, 2)
    heavy = {"numpy", "numba", "polars", "pandas", "scipy", "matplotlib", "joblib"} & set(sys.modules)
    assert not heavy, (command, heavy)

import sim.players.sandbox as sandbox
sandbox.run_guarded = lambda *_: 7 + ("numba" in sys.modules)
sys.argv = ["empirelab", "simulate", "mine.py", "--out", "run"]
sim.cli.main()
"""


def test_help_wrong_usage_and_the_process_that_watches_a_users_game_import_nothing_heavy(tmp_path: Path) -> None:
    (tmp_path / "mine.py").touch()
    done = in_process(tmp_path, "-c", LIGHT)
    assert done.status == 7, done.err


def test_a_command_loads_neither_other_commands_nor_what_plays_games_for_a_report(tmp_path: Path) -> None:
    report = 'import sys, reports.report; assert not {"sim.runs.run", "sim.players.batch"} & set(sys.modules)'
    command = 'import sim.commands.simulate; assert "sim.commands.rebalance" not in sys.modules'
    assert in_process(tmp_path, "-c", f"{report}; {command}") == Outcome(0, "", "")


# ---- The list of games ----


def test_games_are_listed_on_one_screen_and_told_in_detail_by_name(empirelab: Program) -> None:
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


def test_a_game_in_json_has_what_its_screen_has(empirelab: Program) -> None:
    one = empirelab("games", "glory_of_rome", "--json").json
    listed = {row["name"]: row for row in empirelab("games", "--json").json}
    assert listed["glory_of_rome"].items() <= one.items()
    assert len(one["variants"]) == 40
    assert one["default_strategies"] == ["balanced"]
    assert one["factions"]
