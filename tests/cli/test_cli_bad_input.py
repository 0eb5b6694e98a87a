"""Folders and files that are not what a command needs: one message, status 2, and nothing lost."""

import json
import shutil
from pathlib import Path

import pytest

from sim.runs.store.manifest import read_manifest
from tests.cli.conftest import Message, Program
from tests.reports.synthetic import edit

SMALL = ("simulate", "seven_wonders", "--games", 8, "--jobs", 1, "--quiet", "--out", "out")
SAMPLE = Path(__file__).parents[1] / "games" / "seven_wonders" / "data" / "sample.jsonl"


def test_a_folder_is_no_run_file(complaint: Message) -> None:
    Path("folder.toml").mkdir()
    assert "folder.toml: cannot be read" in complaint("run", "folder.toml")


# ---- Where results go ----


def test_an_output_folder_that_exists_is_left_alone_and_only_a_run_is_overwritten(complaint: Message) -> None:
    Path("out").mkdir()
    assert "out: the output folder exists; allowed: a new folder, or --overwrite" in complaint(*SMALL)
    Path("out", "thesis.txt").write_text("years of work")
    message = "out: the folder to be overwritten is not a run; allowed: a folder that simulate has written"
    assert message in complaint(*SMALL, "--overwrite")
    Path("out", "run.json").write_text('{"of": "another program"}')
    assert message in complaint(*SMALL, "--overwrite")
    assert Path("out", "thesis.txt").read_text() == "years of work"


def test_a_file_is_no_output_folder(complaint: Message) -> None:
    Path("out").write_text("a file")
    assert "out: the output folder exists" in complaint(*SMALL)
    assert "out: the folder to be overwritten is not a run" in complaint(*SMALL, "--overwrite")
    assert "out/below: the output folder cannot be written" in complaint(*SMALL[:-1], "out/below")


# ---- Reading runs, positions and recorded games ----


@pytest.fixture
def run(once: Program, tmp_path: Path) -> Path:
    """A good run of eight games in the folder `out`."""
    once(*SMALL)
    return tmp_path / "out"


def test_a_run_may_be_overwritten_from_within(empirelab: Program, run: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(run)
    empirelab(*SMALL[:-1], ".", "--overwrite", "--seed", 2)
    assert read_manifest(run)["seed"] == 2


def test_a_run_that_is_not_there_is_told_with_the_nearest_one_or_the_way_to_get_one(
    complaint: Message, run: Path
) -> None:
    shutil.copytree(run, Path("both", "war"))
    run.rename("first")
    assert "frist: no such run folder; did you mean 'first'?" in complaint("report", "frist")
    assert "xyz: no such run folder; allowed: first" in complaint("report", "xyz")
    assert f"; allowed: {Path('both', 'war')}" in complaint("report", "both")
    said = complaint("explain", "seven_wonders", "--faction", "Rhodos B")
    assert "this is the name of a game; allowed: a run of it: empirelab simulate seven_wonders --out FOLDER" in said


def test_a_run_that_is_not_there_is_told(complaint: Message) -> None:
    Path("file").touch()
    assert "file: this is a file, not the folder of a run" in complaint("report", "file")
    Path("empty").mkdir()
    for command in ("report", "replay"):
        assert "empty: not a finished run" in complaint(command, "empty")


@pytest.mark.usefixtures("run")
def test_a_game_the_run_does_not_have_is_told(complaint: Message) -> None:
    for number in (8, -1, 10**12):
        message = f"the run has no such game (found: {number}); allowed: 0 to 7"
        assert message in complaint("replay", "out", "--game", number)


def test_a_run_played_with_other_tables_or_strategies_is_not_told_again(complaint: Message, run: Path) -> None:
    edit(run, lambda manifest: manifest["strategies"][0]["weights"].update(of_old=1.0))
    message = complaint("replay", "out")
    assert "field weights: the run was played with another version of this strategy" in message
    assert "only there or only here: of_old" in message
    edit(run, lambda manifest: manifest.update(tables="of last year"))
    assert "the game's tables have changed since this run" in complaint("replay", "out")


def test_an_unknown_card_of_a_position_is_named_with_the_nearest(complaint: Message, tmp_path: Path) -> None:
    boards = [("Rhodos", "A"), ("Gizah", "A"), ("Babylon", "B")]
    cities = [{"wonder": wonder, "side": side, "cards": ["Lumber Yrd"]} for wonder, side in boards]
    (tmp_path / "position.json").write_text(json.dumps({"cities": cities}))
    message = complaint("inspect", "seven_wonders", "position.json").partition(" Allowed: ")[0]
    assert "position.json" in message
    assert "(found: 'Lumber Yrd'); did you mean 'Lumber Yard'?" in message


def test_an_unknown_card_of_a_recorded_game_is_named_with_line_and_nearest(complaint: Message, tmp_path: Path) -> None:
    lines = SAMPLE.read_text().splitlines()[:2]
    game = json.loads(lines[1])
    game["steps"][0]["hands"][0][0] = "Stokade"
    (tmp_path / "games.jsonl").write_text(f"{lines[0]}\n{json.dumps(game)}\n")
    message = complaint("verify", "seven_wonders", "games.jsonl").partition(" Allowed: ")[0]
    assert "games.jsonl, row 2, field steps.1.hands.1.1: no such card in age 1 (found: 'Stokade'); did you" in message


def test_settings_of_verify_are_checked(complaint: Message, tmp_path: Path) -> None:
    shutil.copy(SAMPLE, tmp_path / "games.jsonl")
    message = complaint("verify", "seven_wonders", "games.jsonl", "--set", "discounts_add=true")
    assert "did you mean 'discounts_add_up'?" in message
