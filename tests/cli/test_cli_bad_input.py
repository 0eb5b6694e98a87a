"""Folders and files that are not what a command needs: one message, status 2, and nothing lost."""

import json
import shutil
from pathlib import Path

import pytest

from tests.cli.conftest import Message, Program

SMALL = ("simulate", "seven_wonders", "--games", 8, "--jobs", 1, "--quiet", "--out", "out")
SAMPLE = Path(__file__).parents[1] / "games" / "seven_wonders" / "data" / "sample.jsonl"


def test_a_folder_is_no_run_file(complaint: Message, tmp_path: Path) -> None:
    (tmp_path / "folder.toml").mkdir()
    assert "folder.toml: cannot be read" in complaint("run", "folder.toml")


# ---- Where results go ----


def test_an_output_folder_that_exists_is_left_alone(complaint: Message, tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()
    assert "out: the output folder exists; allowed: a new folder, or --overwrite" in complaint(*SMALL)


def test_only_a_run_is_overwritten(complaint: Message, tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "thesis.txt").write_text("years of work")
    message = "out: the folder to be overwritten is not a run; allowed: a folder that simulate has written"
    assert message in complaint(*SMALL, "--overwrite")
    (tmp_path / "out" / "run.json").write_text('{"of": "another program"}')
    assert message in complaint(*SMALL, "--overwrite")
    assert (tmp_path / "out" / "thesis.txt").read_text() == "years of work"


def test_a_file_is_no_output_folder(complaint: Message, tmp_path: Path) -> None:
    (tmp_path / "out").write_text("a file")
    assert "out: the output folder exists" in complaint(*SMALL)
    assert "out: the folder to be overwritten is not a run" in complaint(*SMALL, "--overwrite")
    assert "out/below: the output folder cannot be written" in complaint(*SMALL[:-1], "out/below")


def test_a_run_may_be_overwritten_from_within(
    empirelab: Program, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    empirelab(*SMALL)
    monkeypatch.chdir(tmp_path / "out")
    empirelab(*SMALL[:-1], ".", "--overwrite", "--seed", 2)
    assert json.loads((tmp_path / "out" / "run.json").read_text())["seed"] == 2


# ---- Reading runs, positions and recorded games ----


@pytest.fixture
def run(empirelab: Program, tmp_path: Path) -> Path:
    """A good run of eight games in the folder `out`."""
    empirelab(*SMALL)
    return tmp_path / "out"


def test_a_run_that_is_not_there_is_told_with_the_nearest_one_or_the_way_to_get_one(
    complaint: Message, run: Path
) -> None:
    run.rename(run.parent / "first")
    assert "frist: no such run folder; did you mean 'first'?" in complaint("report", "frist")
    assert "xyz: no such run folder; allowed: first" in complaint("report", "xyz")
    said = complaint("explain", "seven_wonders", "--faction", "Rhodos B")
    assert "this is the name of a game; allowed: a run of it: empirelab simulate seven_wonders --out FOLDER" in said


def test_a_run_that_is_not_there_is_told(complaint: Message, tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    assert "file: this is a file, not the folder of a run" in complaint("report", "file")
    (tmp_path / "empty").mkdir()
    assert "empty: not a finished run" in complaint("report", "empty")
    assert "empty: not a finished run" in complaint("replay", "empty")


def test_a_folder_of_runs_names_the_runs_in_it(complaint: Message, run: Path) -> None:
    shutil.copytree(run, run.parent / "both" / "war")
    assert f"; allowed: {Path('both', 'war')}" in complaint("report", "both")


def test_a_damaged_part_is_named(complaint: Message, run: Path) -> None:
    part = run / "seats" / "part-000000.parquet"
    content = part.read_bytes()
    for damaged in (b"junk", content[: len(content) // 2]):
        part.write_bytes(damaged)
        said = complaint("report", "out")
        assert "seats/part-000000.parquet, field sha256: checksum mismatch" in said
        assert "play it again with: empirelab check --repair out" in said
    part.unlink()
    assert "seats/part-000000.parquet: this part of the run is missing" in complaint("report", "out")


def test_a_damaged_manifest_is_named(complaint: Message, run: Path) -> None:
    (run / "run.json").write_text("{")
    assert "out/run.json, row 1: not valid JSON" in complaint("report", "out")
    assert "out/run.json, row 1: not valid JSON" in complaint("replay", "out")


def test_a_report_that_cannot_be_written_is_told(complaint: Message, run: Path) -> None:
    for option in ("--html", "--csv"):
        assert "this is a part of a run" in complaint("report", "out", option, "out/run.json/page")


@pytest.mark.parametrize("number", [8, -1, 10**12])
def test_a_game_the_run_does_not_have_is_told(complaint: Message, run: Path, number: int) -> None:
    message = f"the run has no such game (found: {number}); allowed: 0 to 7"
    assert message in complaint("replay", "out", "--game", number)


def test_a_run_played_with_other_tables_is_not_told_again(complaint: Message, run: Path) -> None:
    manifest = json.loads((run / "run.json").read_text())
    (run / "run.json").write_text(json.dumps(manifest | {"tables": "of last year"}))
    assert "the game's tables have changed since this run" in complaint("replay", "out")


def test_a_run_of_another_version_of_a_strategy_is_not_told_again(complaint: Message, run: Path) -> None:
    manifest = json.loads((run / "run.json").read_text())
    strategies = [row | {"weights": row["weights"] | {"of_old": 1.0}} for row in manifest["strategies"]]
    (run / "run.json").write_text(json.dumps(manifest | {"strategies": strategies}))
    message = complaint("replay", "out")
    assert "field weights: the run was played with another version of this strategy" in message
    assert "only there or only here: of_old" in message


def test_an_unknown_card_of_a_position_is_named_with_the_nearest(complaint: Message, tmp_path: Path) -> None:
    boards = [("Rhodos", "A"), ("Gizah", "A"), ("Babylon", "B")]
    cities = [{"wonder": wonder, "side": side, "cards": ["Lumber Yrd"]} for wonder, side in boards]
    (tmp_path / "position.json").write_text(json.dumps({"cities": cities}))
    message = complaint_start(complaint("inspect", "seven_wonders", "position.json"))
    assert "position.json" in message
    assert "(found: 'Lumber Yrd'); did you mean 'Lumber Yard'?" in message


def test_an_unknown_card_of_a_recorded_game_is_named_with_line_and_nearest(complaint: Message, tmp_path: Path) -> None:
    lines = SAMPLE.read_text().splitlines()[:2]
    game = json.loads(lines[1])
    game["steps"][0]["hands"][0][0] = "Stokade"
    (tmp_path / "games.jsonl").write_text(f"{lines[0]}\n{json.dumps(game)}\n")
    message = complaint_start(complaint("verify", "seven_wonders", "games.jsonl"))
    assert "games.jsonl, row 2, field steps.1.hands.1.1: no such card in age 1 (found: 'Stokade'); did you" in message


def test_settings_of_verify_are_checked(complaint: Message, tmp_path: Path) -> None:
    shutil.copy(SAMPLE, tmp_path / "games.jsonl")
    message = complaint("verify", "seven_wonders", "games.jsonl", "--set", "discounts_add=true")
    assert "did you mean 'discounts_add_up'?" in message


def complaint_start(message: str) -> str:
    """The part of a message before the list of all names."""
    return message.partition(" Allowed: ")[0]
