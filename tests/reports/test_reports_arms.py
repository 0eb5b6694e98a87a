"""Arms of a comparison: all of them, or none."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import reports.studies.arms
from reports.studies.arms import play_arms
from sim.runs.config import RunConfig

SMALL = RunConfig(game="seven_wonders", players=3, strategies=["random"])
ARMS = {"a": SMALL, "b": SMALL}


@pytest.fixture
def second_arm_interrupted(monkeypatch: pytest.MonkeyPatch) -> None:
    """The second arm is interrupted while it is played."""
    play = reports.studies.arms.execute

    def execute(plan: Any, games: int, out: Path, **options: Any) -> None:
        if out.name == "b":
            raise KeyboardInterrupt
        play(plan, games, out, **options)

    monkeypatch.setattr(reports.studies.arms, "execute", execute)


@pytest.mark.usefixtures("second_arm_interrupted")
@pytest.mark.parametrize("there_before", [False, True])
def test_an_interrupted_arm_takes_the_others_with_it(tmp_path: Path, there_before: bool) -> None:
    home = tmp_path / "arms"
    if there_before:
        home.mkdir()
        (home / "notes.txt").write_text("mine")
    with pytest.raises(KeyboardInterrupt), play_arms(ARMS, 6, home, jobs=1):
        pass
    assert [path.name for path in tmp_path.rglob("*")] == (["arms", "notes.txt"] if there_before else [])


def test_arms_stay_in_a_folder_that_was_named(tmp_path: Path) -> None:
    with play_arms(ARMS, 6, tmp_path / "arms", jobs=1) as runs:
        assert list(runs) == ["a", "b"]
    assert sorted(path.parent.name for path in tmp_path.rglob("run.json")) == ["a", "b"]
