"""Several runs in one file, and files given to the command for others."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]
SHARED = 'game = "seven_wonders"\ngames = 1.2e1\nplayers = 3\nstrategies = ["random"]\njobs = 1\nout = "runs/all"\n'
TWO = '[[run]]\nname = "war"\nstrategies = ["military", "greedy"]\n[[run]]\nname = "four"\nplayers = 4\nseed = 7\n'


def manifest(folder: Path) -> Any:
    return json.loads((folder / "run.json").read_text("utf-8"))


def test_each_run_of_a_file_is_written_to_a_folder_of_its_own(empirelab: Callable[..., Any], tmp_path: Path) -> None:
    (tmp_path / "several.toml").write_text(SHARED + TWO)
    done = empirelab("run", "several.toml")
    assert done.status == 0, done
    assert done.err.splitlines() == ["run 1 of 2: war", "run 2 of 2: four"]
    war, four = manifest(tmp_path / "runs/all/war"), manifest(tmp_path / "runs/all/four")
    assert (war["lineup"], war["players"], war["seed"]) == (["military", "greedy"], 3, 1)
    assert (four["lineup"], four["players"], four["seed"]) == (["random"], 4, 7)
    elsewhere = json.loads(empirelab("run", "several.toml", "--out", "here", "--json").out)
    assert [one["folder"] for one in elsewhere["runs"]] == ["here/war", "here/four"]
    assert "runs/all/war: the output folder exists" in empirelab("run", "several.toml").err


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            '[[run]]\nname = "a"\n[[run]]\nname = "b"\nstrategies = ["balaced"]\n',
            "several.toml, row run b, field strategies: unknown strategy",
        ),
        (
            '[[run]]\nname = "a"\n[[run]]\nname = "b"\nfactions = ["Rodos B"]\n',
            "several.toml, row run b: unknown board (found: 'Rodos B')",
        ),
        (
            '[[run]]\nname = "a"\n[[run]]\nname = "b"\nsettings = {nope = 1}\n',
            "several.toml, row run b: unknown setting",
        ),
        ('[[run]]\nname = "a"\n[[run]]\nname = "b"\nplayers = 99\n', "(found: 99)"),
        ('[[run]]\nname = "a"\n[[run]]\nname = "b"\nplayrs = 3\n', "row run b, field playrs: unknown field"),
        ('[[run]]\nname = "a"\n[[run]]\nname = "A"\n', "row run 2, field name: two runs have this name (found: 'A')"),
        ('[[run]]\nname = "a"\n[[run]]\nseed = 2\n', "row run 2, field name: this field is missing"),
        ('[[run]]\nname = "../a"\n', "row run 1, field name: not allowed here (found: '../a')"),
        ('[[run]]\nname = "a"\nout = "b"\n', "field out: this key belongs above the [[run]] tables, for all runs"),
        ('run = "a"\n', "field run: not a list of runs (found: 'a'); allowed: one or more [[run]] tables"),
        ("run = []\n", "field run: not a list of runs"),
    ],
)
def test_what_is_wrong_with_any_run_is_found_before_the_first_is_played(
    complaint: Callable[..., str], tmp_path: Path, text: str, message: str
) -> None:
    (tmp_path / "several.toml").write_text(SHARED + text)
    assert message in complaint("run", "several.toml")


@pytest.mark.parametrize(
    ("command", "file", "message"),
    [
        (
            "sweep",
            "runs/demo.toml",
            "a run, not a sweep; allowed: empirelab run {file}",
        ),
        ("run", "sweeps/rhodos-coins.toml", "a sweep, not a run; allowed: empirelab sweep {file}"),
        (
            "run",
            "strategies/seven_wonders/greedy.toml",
            "describes a player, not a run; allowed: --code {file} with any command",
        ),
        (
            "sweep",
            "strategies/seven_wonders/greedy.toml",
            "a player, not a sweep; allowed: --code {file} with any command",
        ),
    ],
)
def test_a_file_for_another_command_is_recognised(
    complaint: Callable[..., str], command: str, file: str, message: str
) -> None:
    path = ROOT / "configs" / file
    assert message.format(file=path) in complaint(command, path)
