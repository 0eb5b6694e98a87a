"""`empirelab distil`: what it writes and says, and what it refuses."""

import json
import tomllib
from pathlib import Path
from typing import Any

import pytest

SMALL = ("--from", "balanced+2", "--games", 10, "--share", 0.05, "--rounds", 1, "--fresh", 32, "--pool", "civil",
         "--jobs", 1)  # fmt: skip


@pytest.mark.usefixtures("compiled_only")
def test_distil_writes_a_strategy_that_can_be_played(empirelab: Any, tmp_path: Path) -> None:
    done = empirelab("distil", "seven_wonders", "balanced", *SMALL, "--weights", "blue,military")
    assert done.status == 0
    assert "fitting 2 weights to" in done.err
    assert ("so few tell little" in done.err) == (
        tomllib.loads((tmp_path / "balanced-learnt.toml").read_text(encoding="utf-8"))["record"]["decisions"] < 40
    )
    assert "written: balanced-learnt.toml" in done.out
    content = tomllib.loads((tmp_path / "balanced-learnt.toml").read_text(encoding="utf-8"))
    assert content["base"] == "balanced"
    assert content["record"]["teacher"] == "balanced+2"
    assert content["record"]["given_away_after"] <= content["record"]["given_away_before"]
    own = ("--code", "balanced-learnt.toml", "--strategies", "balanced-learnt,balanced")
    assert empirelab("simulate", "seven_wonders", "--games", 8, *own, "--out", "run").status == 0


@pytest.mark.usefixtures("compiled_only")
def test_distil_finds_the_same_with_any_number_of_workers(empirelab: Any) -> None:
    told = [
        json.loads(
            empirelab(
                "distil",
                "seven_wonders",
                "balanced",
                *SMALL,
                "--weights",
                "blue",
                "--name",
                name,
                "--json",
                "--quiet",
                "--jobs",
                jobs,
            ).out
        )
        for name, jobs in (("one", 1), ("two", 2))
    ]
    for record in told:
        del record["command"]
    assert told[0] == told[1]


def test_distil_leaves_a_file_that_is_there_alone(complaint: Any, tmp_path: Path) -> None:
    (tmp_path / "civil-learnt.toml").write_text("mine")
    assert "the file exists" in complaint("distil", "seven_wonders", "civil")
    assert (tmp_path / "civil-learnt.toml").read_text() == "mine"
