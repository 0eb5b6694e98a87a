"""What a user gets wrong on the command line or in a run's file: one message, status 2, nothing on disk."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Message = Callable[..., str]

SMALL = ("simulate", "seven_wonders", "--games", 8, "--jobs", 1, "--quiet", "--out", "out")
SAMPLE = Path(__file__).parents[1] / "games" / "seven_wonders" / "data" / "sample.jsonl"


# ---- Names and numbers ----

WRONG_OPTIONS = [
    # (option, value, what the message says)
    ("--strategies", "balaced", "field strategies: unknown strategy (found: 'balaced'); did you mean 'balanced'?"),
    ("--strategies", "balanced,sience", "(found: 'sience'); did you mean 'science'?"),
    ("--strategies", ",", "no strategy is given; allowed: balanced"),
    ("--strategies", "balanced+0", "field strategies: not a number of rollouts (found: 'balanced+0')"),
    ("--strategies", "balanced+many", "as in balanced+32"),
    ("--strategies", "balaced+32", "unknown strategy (found: 'balaced'); did you mean 'balanced'?"),
    ("--strategies", "balanced@warm", "a temperature is a number of at least 0 (found: 'warm')"),
    ("--strategies", "balanced@-1", "a temperature is a number of at least 0 (found: '-1')"),
    ("--strategies", "balanced@nan", "a temperature is a number of at least 0 (found: 'nan')"),
    ("--factions", "Rhodes A", "unknown board (found: 'Rhodes A'); did you mean 'Rhodos A'?"),
    ("--factions", "Rhodos", "4 players need 4 factions of different wonders (found: 'Rhodos')"),
    ("--factions", ",", "4 players need 4 factions"),
    ("--variant", "standart", "unknown variant (found: 'standart'); did you mean 'standard'?"),
    (
        "--variant",
        "free-city",
        "variant free-city of 7 Wonders does not allow this number of players (found: 4); allowed: 2",
    ),
    ("--players", 8, "7 Wonders does not allow this number of players (found: 8); allowed: 2, 3, 4, 5, 6, 7"),
    ("--players", 1, "does not allow this number of players (found: 1)"),
    ("--players", 0, "field players: not allowed here (found: 0); allowed: greater than or equal to 1"),
    ("--players", -3, "field players: not allowed here (found: -3)"),
    ("--games", 0, "field games: not allowed here (found: 0); allowed: greater than or equal to 1"),
    ("--games", -5, "field games: not allowed here (found: -5)"),
    ("--games", 2**31, "field games: not allowed here (found: 2147483648); allowed: less than or equal to 2147483647"),
    ("--seed", -1, "field seed: not allowed here (found: -1)"),
    ("--seed", 2**63, "field seed: not allowed here"),
    ("--assign", "rotated", "field assign: unknown value (found: 'rotated'); did you mean 'rotate'? Allowed: rotate, "),
    ("--assign", "fixed", "a fixed line-up needs one strategy for each seat"),
    ("--detail", "card", "field detail: unknown value (found: 'card'); did you mean 'cards'? Allowed: seats, cards"),
    ("--set", "free_build_same_ages=true", "unknown setting of seven_wonders (found: 'free_build_same_ages'); did you"),
    ("--set", "free_build_same_age=maybe", "setting free_build_same_age: unknown value (found: 'maybe'); allowed: fal"),
    ("--set", "free_build_same_age=1", "setting free_build_same_age: unknown value (found: 1)"),
    ("--set", "free_build_same_age", "a setting has the form NAME=VALUE (found: 'free_build_same_age')"),
    ("--jobs", 0, "field jobs: impossible number of jobs (found: 0); allowed: 1 to 1,024, or -1 for all cores"),
    ("--jobs", -2, "impossible number of jobs (found: -2)"),
]


@pytest.mark.parametrize(("option", "value", "message"), WRONG_OPTIONS)
def test_a_wrong_value_of_simulate_is_named(complaint: Message, option: str, value: object, message: str) -> None:
    others = ("--strategies", "balanced,greedy") if option == "--assign" else ()
    assert message in complaint(*SMALL, *others, option, value)


def test_more_players_than_a_line_up_holds_are_refused(complaint: Message) -> None:
    names = ",".join(f"balanced@0.{number:02}" for number in range(33))
    assert "too many strategies in one run (found: 33); allowed: up to 32" in complaint(*SMALL, "--strategies", names)


def test_an_unknown_game_is_named_with_the_nearest(complaint: Message) -> None:
    for command in ("simulate", "strategies"):
        message = "unknown game (found: 'seven_wonder'); did you mean 'seven_wonders'? Allowed: seven_wonders"
        assert message in complaint(command, "seven_wonder")


@pytest.mark.parametrize(
    "arguments",
    [
        ("simulate", "seven_wonders", "--games", "many"),
        ("simulate", "seven_wonders", "--games", "1.5"),
        ("simulate", "seven_wonders", "--jobs", "all"),
        ("simulate", "seven_wonders", "--gmaes", "3"),
        ("simulate", "seven_wonders", "other"),
        ("simulate",),
        ("run",),
        ("report",),
        ("replay",),
        ("replay", "runs/x", "--game", "first"),
        ("strategies",),
        ("inspect", "seven_wonders"),
        ("verify",),
        ("simulat",),
        ("bench", "--runs", "0"),
        ("bench", "--players", "0"),
        ("bench", "--whole", "-1"),
        ("bench", "--seconds", "-1"),
    ],
)
def test_wrong_usage_is_told_with_the_way_to_help(refused: Message, arguments: tuple[str, ...]) -> None:
    message = refused(*arguments)
    assert message.startswith("Usage: empirelab")
    assert "Error" in message


# ---- Files of runs ----

WRONG_CONFIGS = [
    ('game = "seven_wonders"\ngmaes = 3\n', "field gmaes: unknown field (found: 'gmaes'); did you mean 'games'?"),
    ('game = "seven_wonders"\ngames = "3"\n', "field games: not allowed here (found: '3'); allowed: a whole number"),
    ('game = "seven_wonders"\nplayers = true\n', "field players: not allowed here (found: True)"),
    ('game = "seven_wonders"\nstrategies = "balanced"\n', "field strategies: not allowed here (found: 'balanced')"),
    ('game = "seven_wonders"\nassign = "turn"\n', "field assign: unknown value (found: 'turn')"),
    ("games = 3\n", "field game: this field is missing"),
]


@pytest.mark.parametrize(("text", "message"), WRONG_CONFIGS)
def test_a_wrong_field_of_a_run_file_is_named(complaint: Message, tmp_path: Path, text: str, message: str) -> None:
    (tmp_path / "run.toml").write_text(text)
    told = complaint("run", "run.toml", "--out", "out")
    assert "run.toml, row run, " in told
    assert message in told


def test_a_run_file_that_is_no_toml_is_told_with_the_line(complaint: Message, tmp_path: Path) -> None:
    (tmp_path / "run.toml").write_text('game = "seven_wonders"\ngames =\n')
    assert "run.toml: not valid TOML: Invalid value (at line 2, column 8)" in complaint("run", "run.toml")


def test_a_missing_run_file_is_told_with_the_nearest(complaint: Message, tmp_path: Path) -> None:
    (tmp_path / "demo.toml").write_text("")
    assert "demos.toml: no such file (found: 'demos.toml'); did you mean 'demo.toml'?" in complaint("run", "demos.toml")


def test_a_folder_is_no_run_file(complaint: Message, tmp_path: Path) -> None:
    (tmp_path / "folder.toml").mkdir()
    assert "folder.toml: cannot be read" in complaint("run", "folder.toml")


def test_wrong_names_and_jobs_in_a_run_file_are_found(complaint: Message, tmp_path: Path) -> None:
    (tmp_path / "run.toml").write_text('game = "seven_wonders"\ngames = 8\njobs = 0\n')
    assert "impossible number of jobs" in complaint("run", "run.toml", "--quiet")
    (tmp_path / "run.toml").write_text('game = "seven_wonders"\nsettings = { discount_add_up = true }\n')
    assert "did you mean 'discounts_add_up'?" in complaint("run", "run.toml")


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
    empirelab: Callable[..., Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert empirelab(*SMALL).status == 0
    monkeypatch.chdir(tmp_path / "out")
    outcome = empirelab(*SMALL[:-1], ".", "--overwrite", "--seed", 2)
    assert outcome.status == 0, outcome
    assert json.loads((tmp_path / "out" / "run.json").read_text())["seed"] == 2


# ---- Reading runs, positions and recorded games ----


@pytest.fixture
def run(empirelab: Callable[..., Any], tmp_path: Path) -> Path:
    """A good run of eight games in the folder `out`."""
    assert empirelab(*SMALL).status == 0
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
    assert "nowhere: no such run folder" in complaint("report", "nowhere")
    assert "nowhere: no such run folder" in complaint("replay", "nowhere")
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


def test_a_report_that_cannot_be_written_is_told(refused: Message, run: Path) -> None:
    for option in ("--html", "--csv"):
        assert "this is a part of a run" in refused("report", "out", option, "out/run.json/page")


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


@pytest.mark.parametrize("command", ["inspect", "verify"])
@pytest.mark.parametrize(
    ("text", "message"),
    [("{ not json", "not valid JSON"), ("", "the file is empty"), ("[]", "not a JSON object"), ("{}", "missing")],
)
def test_a_file_that_is_not_as_the_format_says_is_told(
    complaint: Message, tmp_path: Path, command: str, text: str, message: str
) -> None:
    (tmp_path / "file.json").write_text(text)
    told = complaint(command, "seven_wonders", "file.json")
    assert "file.json" in told
    assert message in told


@pytest.mark.parametrize("command", ["inspect", "verify"])
def test_a_missing_file_is_told(complaint: Message, command: str) -> None:
    assert "nothing.json: no such file" in complaint(command, "seven_wonders", "nothing.json")


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


# ---- Whose edge is sought ----


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (
            ("glory_of_rome", "--card", "Gladius", "--knob", "copies"),
            "field card: this option needs a game whose seats take new pieces every period (found: 'Gladius'); "
            "allowed: --faction with a character",
        ),
        (
            ("history_of_the_world", "--faction", "Khmers", "--card", "Khmers", "--knob", "armies"),
            "field card: give either --faction or --card, not both",
        ),
        (("history_of_the_world", "--knob", "armies"), "field faction: no faction is given"),
        (
            ("seven_wonders", "--faction", "Rodos", "--margin", "2"),
            "unknown board (found: 'Rodos'); did you mean 'Rhodos'?",
        ),
        (
            ("seven_wonders", "--faction", "Rhodos", "--factions", "Rhodos B,Gizah,Olympia,Babylon"),
            "field faction: not all factions of this name are dealt (found: ['Rhodos A'])",
        ),
        (
            ("seven_wonders", "--faction", "Rhodos", "--knob", "coins_start"),
            "field faction: several boards are meant (found: 'Rhodos')",
        ),
        (
            ("seven_wonders", "--faction", "Rhodos", "--low", "2"),
            "field low: a range is for a single number; a race tries all numbers",
        ),
        (
            ("seven_wonders", "--faction", "Rhodos B", "--knob", "set#discounts_add_up", "--patch", "new.toml"),
            "field patch: a file of changes holds no settings; allowed: --knob with a printed number",
        ),
    ],
)
def test_a_search_of_a_fair_value_takes_one_name_of_the_right_kind(
    complaint: Message, words: tuple[str, ...], message: str
) -> None:
    assert message in complaint("rebalance", *words)
