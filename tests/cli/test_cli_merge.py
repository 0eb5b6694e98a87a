"""Stretches of a run on the command line, and `merge`, which joins them."""

import shutil
from pathlib import Path

import pytest

from sim.league.manifest import LEAGUE
from sim.runs.store.manifest import read_manifest
from tests.cli.conftest import Message, Program

PLAYED = ("--players", 3, "--strategies", "random,greedy", "--jobs", 1, "--quiet")
SIMULATE = ("simulate", "seven_wonders", "--games", 60, *PLAYED)
FILE = 'game = "seven_wonders"\ngames = 60\nplayers = 3\nstrategies = ["random", "greedy"]\njobs = 1\n'


@pytest.fixture
def halves(once: Program, tmp_path: Path) -> Path:
    """A run of 60 games in two stretches, the second played from a file."""
    (tmp_path / "run.toml").write_text(FILE)
    once(*SIMULATE, "--games-to", "3e1", "--out", "one")
    once("run", "run.toml", "--games-from", 30, "--out", "two", "--quiet")
    return tmp_path


def parts(folder: Path) -> list[str]:
    return [part["sha256"] for part in read_manifest(folder)["shards"]]


def test_stretches_are_joined_to_the_whole_run(empirelab: Program, halves: Path) -> None:
    empirelab(*SIMULATE, "--out", "whole")
    done = empirelab("merge", "two", "one", "--out", "joined")
    assert done.out.splitlines()[0] == "60 games in 20 blocks, seed 1"
    assert parts(halves / "joined") == parts(halves / "whole")
    empirelab("check", "one", "two", "joined")
    assert "30 games of 3 players in 10 blocks, seed 1 (games 30 to 59 of 60)" in empirelab("report", "two").out


def test_seeds_of_one_plan_are_pooled_and_repaired(empirelab: Program, halves: Path) -> None:
    empirelab(*SIMULATE, "--seed", 7, "--out", "seven")
    done = empirelab("merge", "one", "two", "seven", "--out", "joined", "--json")
    assert done.json == {"folder": "joined", "games": 120, "blocks": 40, "seeds": [1, 7]}
    assert "120 games of 3 players in 40 blocks, seeds 1 and 7" in empirelab("report", "joined").out
    for folder in ("joined", "two"):
        part = halves / folder / "seats" / "part-000000.parquet"
        whole = part.read_bytes()
        part.write_bytes(b"?")
        empirelab("check", folder, "--repair")
        assert part.read_bytes() == whole


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("merge", "one", "--out", "joined"), "merging needs two or more different runs"),
        (("merge", "one", "two", "--out", "two"), "two: the output folder exists"),
        (("merge", "one", "none", "--out", "joined"), "none: no such run folder"),
        (("merge", "one", "two", "--out", "one/more"), "the output folder lies inside a run"),
        (("merge", "one", "two", "--out", "./one", "--overwrite"), "would replace one of the runs to be merged"),
        ((*SIMULATE, "--games-from", 31, "--out", "new"), "a stretch consists of whole blocks, here of 3 games"),
        ((*SIMULATE, "--games-from", 30, "--until-width", 1, "--out", "new"), "needs all games of the run"),
        (("run", "several.toml", "--games-from", 30), "a stretch needs a file with a single run (found: '2 runs')"),
    ],
)
def test_what_cannot_be_joined_or_played_is_told(
    complaint: Message, halves: Path, words: tuple[object, ...], message: str
) -> None:
    (halves / "several.toml").write_text(FILE + '[[run]]\nname = "a"\n[[run]]\nname = "b"\n')
    assert message in complaint(*words)


def test_a_report_on_several_runs_names_the_command_that_takes_them(
    empirelab: Program, complaint: Message, halves: Path
) -> None:
    empirelab(*SIMULATE, "--set", "choice_card_sells=each-good", "--out", "other")
    (halves / "page.html").write_text("")
    shutil.copytree(halves / "one", halves / "copy")
    (halves / "league").mkdir()
    (halves / "league" / LEAGUE).write_text("{}")
    said = {
        ("one", "two"): "allowed: empirelab merge one two --out DIR",
        ("one", "other"): "allowed: empirelab compare one other",
        ("one", "copy"): "allowed: empirelab compare one copy",
        ("other", "one", "two", "page.html"): "allowed: empirelab report other --with one --with two",
        ("one", "league"): "allowed: one of them",
    }
    for words, fits in said.items():
        assert complaint("report", *words).endswith(f"(found: '{', '.join(words)}'); {fits}")
    empirelab("report", "other", "other")
