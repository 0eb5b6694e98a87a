"""Arms of a comparison: an interrupt keeps those that are whole, a failure none."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

import reports.studies.compare.arms
from reports.studies.compare.arms import folder_names, play_arms
from sim.errors import UserError
from sim.runs.config import RunConfig

SMALL = RunConfig(game="seven_wonders", players=3, strategies=["random"])
ARMS = {"a": SMALL, "b": SMALL}


@dataclass
class Played:
    """Names of the arms that were played, and what the second one is to end with."""

    names: list[str]
    second_ends: BaseException | None = None


@pytest.fixture
def played(monkeypatch: pytest.MonkeyPatch) -> Played:
    """What is played; the second arm may be told to end."""
    play, noted = reports.studies.compare.arms.play_run, Played([])

    def play_run(plan: Any, games: int, out: Path, **options: Any) -> None:
        if out.name == "b" and noted.second_ends is not None:
            raise noted.second_ends
        play(plan, games, out, **options)
        noted.names.append(out.name)

    monkeypatch.setattr(reports.studies.compare.arms, "play_run", play_run)
    return noted


def names_in(folder: Path) -> list[str]:
    """Names of all files and folders below a folder."""
    return sorted(path.name for path in folder.rglob("*"))


def test_an_arm_that_fails_takes_the_others_with_it(played: Played, tmp_path: Path) -> None:
    home = tmp_path / "arms"
    home.mkdir()
    (home / "notes.txt").write_text("mine")
    played.second_ends = UserError("a strategy fails")
    with pytest.raises(UserError), play_arms(ARMS, 6, home, jobs=1):
        pass
    assert names_in(tmp_path) == ["arms", "notes.txt"]


def test_an_interrupt_keeps_the_arms_that_are_whole_and_they_are_not_played_again(
    played: Played, tmp_path: Path
) -> None:
    played.second_ends = KeyboardInterrupt()
    with (
        pytest.raises(KeyboardInterrupt, match="1 of 2 arms saved; run the same command to resume"),
        play_arms(ARMS, 6, tmp_path / "arms", jobs=1),
    ):
        pass
    assert [path.parent.name for path in tmp_path.rglob("run.json")] == ["a"]
    played.second_ends, told = None, list[int]()
    with play_arms(ARMS, 6, tmp_path / "arms", jobs=1, progress=told.append) as runs:
        assert list(runs) == ["a", "b"]
    assert played.names == ["a", "b"]
    assert sum(told) == 12


def test_an_arm_of_another_plan_is_refused_before_anything_is_played(played: Played, tmp_path: Path) -> None:
    with play_arms(ARMS, 6, tmp_path, jobs=1):
        pass
    other = {"a": SMALL, "b": SMALL.model_copy(update={"seed": 2})}
    with pytest.raises(UserError, match="b: the run that is here has another plan: seed 1 there, 2 asked for"):
        play_arms(other, 6, tmp_path, jobs=1).__enter__()
    assert played.names == ["a", "b"]
    with play_arms(other, 6, tmp_path, jobs=1, overwrite=True) as runs:
        assert [run.manifest.seed for run in runs.values()] == [1, 2]
    assert played.names == ["a", "b", "b"]


def test_arms_whose_names_make_one_folder_have_folders_of_their_own() -> None:
    assert folder_names(["1", "-1", "a b"]) == ["1-0", "1-1", "a-b"]
