"""The program as a user runs it, in a process of its own, and what the commands print when all goes well."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

SMALL = ("simulate", "seven_wonders", "--games", 40, "--jobs", 1)


def program(folder: Path, *arguments: object) -> subprocess.CompletedProcess[str]:
    """Run the program in a folder."""
    command = [sys.executable, "-m", "sim.cli", *map(str, arguments)]
    path = str(Path(__file__).parent.parent.parent)
    environment = os.environ | {"PYTHONPATH": path}
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)


# ---- True processes ----


def test_a_run_is_written_and_reported(tmp_path: Path) -> None:
    done = program(tmp_path, *SMALL, "--strategies", "balanced,greedy", "--out", "runs/first")
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("40 games, 160 seats in ")
    assert "read it with: empirelab report runs/first" in done.stdout
    assert sorted(path.name for path in (tmp_path / "runs").iterdir()) == ["first"]
    report = program(tmp_path, "report", "runs/first")
    assert report.returncode == 0, report.stderr
    assert report.stdout.startswith("7 Wonders, standard: 40 games of 4 players")


def test_bad_input_ends_with_status_2_and_no_traceback(tmp_path: Path) -> None:
    done = program(tmp_path, *SMALL, "--strategies", "balaced", "--out", "runs/first")
    assert done.returncode == 2
    assert done.stdout == ""
    assert done.stderr.startswith("empirelab: ")
    assert "Traceback" not in done.stderr
    assert list(tmp_path.iterdir()) == []


def test_a_strategy_that_fails_leaves_nothing(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text("def score(g, t, me, decision, option, w):\n    return float('nan')\n")
    done = program(tmp_path, *SMALL, "--code", "mine.py", "--strategies", "mine", "--out", "deep/er/out")
    assert done.returncode == 2
    assert "mine.py, field score: strategy mine returned a score that is not a number" in done.stderr
    assert not (tmp_path / "deep").exists()


@pytest.mark.skipif(sys.platform == "win32", reason="pipes end otherwise")
def test_output_may_be_cut_off(tmp_path: Path) -> None:
    command = f"{sys.executable} -m empirelab strategies seven_wonders --json | head -n 1"
    environment = os.environ | {"PYTHONPATH": str(Path(__file__).parent.parent.parent)}
    done = subprocess.run(
        command, shell=True, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False
    )
    assert done.stdout == "[\n"
    assert done.stderr == ""


# ---- What commands print ----


def test_quiet_says_nothing(empirelab: Callable[..., Any]) -> None:
    outcome = empirelab(*SMALL, "--quiet")
    assert (outcome.status, outcome.out, outcome.err) == (0, "", "")


def test_without_out_a_run_goes_to_runs(empirelab: Callable[..., Any], tmp_path: Path) -> None:
    assert empirelab(*SMALL, "--quiet").status == 0
    assert (tmp_path / "runs" / "seven_wonders" / "run.json").is_file()


def test_the_manifest_keeps_the_command(empirelab: Callable[..., Any], tmp_path: Path) -> None:
    empirelab(*SMALL, "--quiet", "--factions", "A,Rhodos B", "--out", "out")
    manifest = json.loads((tmp_path / "out" / "run.json").read_text())
    assert manifest["command"].endswith("--jobs 1 --quiet --factions 'A,Rhodos B' --out out")
    assert len(manifest["factions_dealt"]) == 8


def test_a_run_file_and_its_options_write_the_same_games(empirelab: Callable[..., Any], tmp_path: Path) -> None:
    text = (
        'game = "seven_wonders"\ngames = 40\nplayers = 3\nstrategies = ["balanced", "greedy@0.5"]\nseed = 5\njobs = 1\n'
    )
    (tmp_path / "three.toml").write_text(text)
    assert empirelab("run", "three.toml", "--quiet").status == 0
    options = ("--players", 3, "--strategies", "balanced,greedy@0.5", "--seed", 5, "--out", "other", "--quiet")
    assert empirelab(*SMALL, *options).status == 0
    digests = [
        json.loads((tmp_path / folder / "run.json").read_text())["shards"][0]["sha256"]
        for folder in ("runs/three", "other")
    ]
    assert digests[0] == digests[1]


def test_card_rows_are_kept_when_asked_for(empirelab: Callable[..., Any], tmp_path: Path) -> None:
    assert empirelab(*SMALL, "--quiet", "--detail", "cards", "--out", "out").status == 0
    assert (tmp_path / "out" / "cards" / "part-000000.parquet").is_file()


def test_a_game_of_a_run_is_told(empirelab: Callable[..., Any]) -> None:
    empirelab(*SMALL, "--quiet", "--strategies", "balanced,greedy", "--out", "out")
    outcome = empirelab("replay", "out", "--game", 39)
    assert outcome.status == 0
    assert outcome.out.startswith("Seat 0: ")
    assert "greedy" in outcome.out


def test_strategies_are_listed_and_told_as_json(empirelab: Callable[..., Any], tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(
        '"""Lets the lot decide."""\nWEIGHTS = {"a": 1}\ndef score(g, t, me, decision, option, w):\n    return 0.0\n'
    )
    outcome = empirelab("strategies", "seven_wonders", "--code", "mine.py")
    assert "mine      Lets the lot decide." in outcome.out
    rows = json.loads(empirelab("strategies", "seven_wonders", "--code", "mine.py", "--json").out)
    assert rows[-1]["name"] == "mine"
    assert rows[-1]["weights"] == {"a": 1.0}


def test_games_are_listed(empirelab: Callable[..., Any]) -> None:
    assert "seven_wonders  (7 Wonders)" in empirelab("games").out


def test_a_strategy_may_sit_at_the_table_twice(empirelab: Callable[..., Any]) -> None:
    names = "balanced,military,balanced"
    arguments = ("simulate", "seven_wonders", "--games", 6, "--players", 3, "--assign", "fixed", "--strategies", names)
    assert empirelab(*arguments, "--quiet", "--out", "out").status == 0
    told = empirelab("replay", "out").out
    assert [line.rsplit(", ", 1)[1] for line in told.splitlines()[:3]] == ["balanced", "military", "balanced"]
