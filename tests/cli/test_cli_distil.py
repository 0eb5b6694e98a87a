"""`empirelab distil`: what it writes and says, and what it refuses."""

import tomllib
from pathlib import Path

import pytest

from tests.cli.conftest import Message, Program

SMALL = ("--from", "balanced+2", "--games", 10, "--share", 0.05, "--rounds", 1, "--fresh", 32, "--pool", "civil",
         "--jobs", 1)  # fmt: skip


@pytest.mark.usefixtures("compiled_only")
def test_distil_writes_a_strategy_that_can_be_played(empirelab: Program, tmp_path: Path) -> None:
    done = empirelab("distil", "seven_wonders", "balanced", *SMALL, "--weights", "blue,military")
    assert "fitting 2 weights to" in done.err
    assert "written: balanced-learnt.toml" in done.out
    content = tomllib.loads((tmp_path / "balanced-learnt.toml").read_text("utf-8"))
    assert ("so few tell little" in done.err) == (content["record"]["decisions"] < 40)
    assert content["base"] == "balanced"
    assert content["record"]["teacher"] == "balanced+2"
    assert content["record"]["given_away_after"] <= content["record"]["given_away_before"]
    own = ("--code", "balanced-learnt.toml", "--strategies", "balanced-learnt,balanced")
    empirelab("simulate", "seven_wonders", "--games", 8, *own, "--out", "run")


@pytest.mark.usefixtures("compiled_only")
def test_distil_finds_the_same_with_any_number_of_workers(empirelab: Program) -> None:
    words = ("distil", "seven_wonders", "balanced", *SMALL, "--weights", "blue", "--json", "--quiet")
    one, two = (empirelab(*words, "--name", name, "--jobs", jobs).json for name, jobs in (("one", 1), ("two", 2)))
    assert one | {"command": ""} == two | {"command": ""}


def test_distil_leaves_a_file_that_is_there_alone(complaint: Message, tmp_path: Path) -> None:
    (tmp_path / "civil-learnt.toml").write_text("mine")
    assert "the file exists" in complaint("distil", "seven_wonders", "civil")
    assert (tmp_path / "civil-learnt.toml").read_text() == "mine"
