"""`ladder`, `report --ladder` and `strategies --ladder` from the command line: played, kept, resumed, refused."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from sim.runs.store.manifest import read_manifest
from tests.cli.conftest import Message, Program

GAME = "seven_wonders"
TABLE = ("--players", 3, "--jobs", 1, "--quiet")
RUNGS = ("--rungs", "random,greedy,greedy+1")
LADDER = ("ladder", GAME, *RUNGS, "--games", 60, "--search-games", 4, *TABLE)


@pytest.fixture
def played(once: Program) -> dict[str, Any]:
    """A small ladder in the folder `rungs`, as JSON tells it."""
    found: dict[str, Any] = once(*LADDER, "--out", "rungs", "--json").json
    return found


def test_a_ladder_is_kept_and_gone_on_with(empirelab: Program, played: dict[str, Any], tmp_path: Path) -> None:
    home = tmp_path / "rungs"
    assert played["rungs"] == ["random", "greedy", "greedy+1"]
    names = {"skill", "underplayed", "skill share", "first_player_by_rung"}
    assert {section["name"] for section in played["sections"]} == names
    assert read_manifest(home / "rungs" / "greedy+1")["games"] == 4
    assert read_manifest(home / "mixed")["games"] == 12
    assert read_manifest(home / "meeting")["games"] == 12
    kept = {path: path.read_bytes() for path in home.rglob("*.parquet")}
    shutil.rmtree(home / "rungs" / "greedy")
    again = empirelab(*LADDER[:-1], "--out", "rungs", "--json")
    assert "run 2 of 5: greedy in all seats" in again.err
    assert "run 1 of 5" not in again.err
    found = again.json
    assert found.pop("next")["said"] == played.pop("next")["said"]
    assert found == played
    assert {path: path.read_bytes() for path in home.rglob("*.parquet")} == kept


def test_another_ladder_in_its_place_is_refused(complaint: Message, played: dict[str, Any]) -> None:
    assert played
    more = [word if word != 60 else 90 for word in LADDER]
    assert "another plan: games 60 there, 90 asked for" in complaint(*more, "--out", "rungs")


@pytest.fixture
def judged(once: Program) -> None:
    """A run in the folder `run`, for a report with a ladder."""
    once("simulate", GAME, "--games", 300, "--strategies", "greedy", "--out", "run", *TABLE)


@pytest.mark.usefixtures("played", "judged")
def test_a_report_says_what_of_its_verdict_holds_with_more_skill(empirelab: Program, complaint: Message) -> None:
    report = empirelab("report", "run", "--ladder", "rungs", "--json").json
    assert any(one["headline"].startswith("By skill: ") for one in report["findings"])
    assert any(one["headline"].startswith("Who judged: greedy. ") for one in report["findings"])
    assert {"skill", "underplayed", "first_player_by_rung"} <= {section["name"] for section in report["sections"]}
    empirelab("simulate", GAME, "--games", 8, "--players", 4, "--strategies", "greedy", "--out", "four", "--quiet")
    assert "this file describes other games than the run (found: 3" in complaint("report", "four", "--ladder", "rungs")
    assert "not the folder of a ladder" in complaint("report", "run", "--ladder", "four")
    shutil.rmtree(Path("rungs", "rungs", "greedy"))
    said = complaint("report", "run", "--ladder", "rungs")
    assert "this run of the ladder is not finished (nothing of it is there)" in said


@pytest.mark.usefixtures("judged")
@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("{}", "not a file that ladder has written (found: 'none')"),
        ('{"format": "empirelab-ladder/1", "game": "seven_wonders"}', "field rungs: this field is missing"),
        ('{"format": "empirelab-ladder/1", "game": "x", "rungs": [{"player": "a", "folder": "a"}]}', "field rungs"),
        ("[", "JSON"),
    ],
)
def test_a_damaged_ladder_is_named(complaint: Message, content: str, said: str) -> None:
    Path("rungs").mkdir()
    Path("rungs", "ladder.json").write_text(content)
    assert said in complaint("report", "run", "--ladder", "rungs")


EDITS: dict[str, tuple[Callable[[dict[str, Any]], object], str]] = {
    "no such base": (
        lambda ladder: ladder["mixed"].update(base="other"),
        "field mixed.base: no rung has this player (found: 'other')",
    ),
    "no such searcher": (lambda ladder: ladder["mixed"].update(searcher="x"), "field mixed.searcher: no rung has this"),
    "another base": (
        lambda ladder: ladder["mixed"].update(base="random"),
        "rungs/mixed, field strategies: ladder.json contradicts this run (found: ['greedy', 'greedy+1'])",
    ),
    "rungs in turn": (
        lambda ladder: [
            rung.update(player=name) for rung, name in zip(ladder["rungs"], ("greedy", "random"), strict=False)
        ],
        "rungs/rungs/random, field strategies: ladder.json contradicts this run",
    ),
    "a rung twice": (
        lambda ladder: ladder["rungs"].append(ladder["rungs"][0]),
        "field rungs: a rung is named twice (found: 'random')",
    ),
    "another game": (lambda ladder: ladder.update(game="imperium"), "field game: ladder.json contradicts this run"),
    "a place outside": (lambda ladder: ladder["rungs"][0].update(folder="../run"), "field rungs.1.folder"),
    "a folder from the root": (lambda ladder: ladder["mixed"].update(folder="/tmp"), "field mixed.folder"),
}


@pytest.mark.usefixtures("played", "judged")
def test_an_edited_ladder_is_named(complaint: Message) -> None:
    file = Path("rungs", "ladder.json")
    whole = file.read_text("utf-8")
    for edit, said in EDITS.values():
        content = json.loads(whole)
        edit(content)
        file.write_text(json.dumps(content), "utf-8")
        assert said in complaint("report", "run", "--ladder", "rungs")


def test_a_ladder_does_not_lie_in_a_run(empirelab: Program, complaint: Message) -> None:
    empirelab("simulate", GAME, "--games", 6, "--strategies", "random", "--out", "run", *TABLE)
    assert "this folder holds a run, not a ladder" in complaint(*LADDER, "--out", "run")


def test_without_a_player_who_looks_ahead_no_gain_is_told(empirelab: Program) -> None:
    done = empirelab("ladder", GAME, "--rungs", "random,greedy", "--games", 30, *TABLE)
    assert "No mixed tables" in done.out


def test_all_players_are_rated_and_the_games_are_read_again(empirelab: Program, complaint: Message) -> None:
    words = ("strategies", GAME, "--ladder", "--games", 12, "--players", 3, "--jobs", 1, "--out", "rating", "--json")
    first, again = empirelab(*words), empirelab(*words)
    assert "nothing to play" in again.err
    assert first.json == again.json
    listed = empirelab("strategies", GAME, "--json").json
    names = {row["name"] for row in read_manifest(Path("rating"))["strategies"]}
    assert {row["name"] for row in listed} - {"judge", "expert"} <= names
    assert any("+" in name for name in names)
    assert any("@" in name for name in names)
    assert "this option needs --ladder" in complaint("strategies", GAME, "--games", 12)


def test_a_game_without_factions_has_no_mixed_tables(empirelab: Program, tmp_path: Path) -> None:
    rungs = ("--rungs", "random,random+1", "--players", 3, "--games", 4, "--jobs", 1, "--quiet", "--out", "rungs")
    done = empirelab("ladder", "history_of_the_world", *rungs)
    assert "These games deal no factions" in done.out
    assert not (tmp_path / "rungs" / "mixed").exists()
