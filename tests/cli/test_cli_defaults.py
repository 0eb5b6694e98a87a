"""Defaults of options from `empirelab.toml`: where they come from, what they may hold, and what they do not touch."""

from pathlib import Path

import pytest

from sim.runs.store.manifest import read_manifest
from tests.cli.conftest import Message, Program

GAME = "seven_wonders"
PLAY = ("simulate", GAME, "--games", 12, "--players", 3, "--out", "run")
FILE = "empirelab.toml"


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of the user's configuration, outside of the working directory."""
    folder = tmp_path.with_name(f"{tmp_path.name}-config") / "empirelab"
    folder.mkdir(parents=True)
    monkeypatch.setattr("platformdirs.user_config_path", lambda *_, **__: folder)
    return folder


def test_the_command_line_wins_over_this_folder_and_this_folder_over_the_users(empirelab: Program, home: Path) -> None:
    (home / FILE).write_text('jobs = 2\nseed = 5\nstrategies = ["random", "greedy"]\n')
    Path(FILE).write_text("seed = 6\njobs = 1\n[simulate]\nassign = 'random'\n")
    done = empirelab(*PLAY, "--seed", 7)
    written = read_manifest(Path("run"))
    assert (written["seed"], written["assign"]) == (7, "random")
    assert [row["name"] for row in written["strategies"]] == ["random", "greedy"]
    assert f"defaults from {home / FILE}: --strategies random,greedy\n" in done.err
    assert f"defaults from {FILE}: --assign random, --jobs 1\n" in done.err


def test_a_run_with_defaults_is_the_run_that_is_typed(empirelab: Program) -> None:
    Path(FILE).write_text("seed = 6\njobs = 1\nplayers = [3]\n")
    empirelab("simulate", GAME, "--games", 12, "--out", "run", "--quiet")
    command = read_manifest(Path("run"))["command"]
    assert command == f"empirelab simulate {GAME} --games 12 --out run --quiet --players 3 --jobs 1 --seed 6"
    Path(FILE).unlink()
    empirelab(*command.replace("--out run", "--out typed").split()[1:])
    parts = [read_manifest(Path(folder))["shards"] for folder in ("run", "typed")]
    assert parts[0] == parts[1]


def test_help_and_quiet_commands_tell_and_leave_out_which_file_gives_a_default(empirelab: Program) -> None:
    Path(FILE).write_text("margin = 2\n[simulate]\nfactions = 'A'\n")
    assert f"defaults from {FILE}: --factions A" in empirelab("simulate", "--help").out
    assert empirelab(*PLAY, "--quiet").err == ""


@pytest.mark.parametrize("command", ["run", "sweep"])
def test_a_file_that_holds_a_whole_plan_takes_no_defaults(empirelab: Program, command: str) -> None:
    Path(FILE).write_text("seed = 6\nplayers = 4\njobs = 2\n")
    vary = '[[vary]]\nchange = "wonders.toml#Rhodos B.coins_start"\nvalues = [3, 9]\n' if command == "sweep" else ""
    Path("plan.toml").write_text(f'game = "{GAME}"\ngames = 12\nplayers = 3\nstrategies = ["random"]\njobs = 1\n{vary}')
    assert "defaults" not in empirelab(command, "plan.toml", "--out", "run").err
    if command == "run":
        assert (read_manifest(Path("run"))["seed"], read_manifest(Path("run"))["players"]) == (1, 3)


def test_a_default_that_a_command_does_not_need_is_no_mistake(empirelab: Program) -> None:
    empirelab(*PLAY, "--strategies", "random,greedy", "--quiet")
    Path(FILE).write_text("players = 3\nmargin = 2\n[explain]\ngames = 60\n[strategies]\ngames = 60\n")
    for words in (
        ("strategies", GAME),
        ("price", "run"),
        ("explain", "run", "--faction", "Rhodos B"),
        ("compare", "run", "run"),
    ):
        empirelab(*words)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("job = 1", f"{FILE}: unknown default (found: 'job'); did you mean 'jobs'?"),
        ("games = 60", f"{FILE}: unknown default (found: 'games')"),
        ("[simulat]\njobs = 1", f"{FILE}: unknown command (found: 'simulat'); did you mean 'simulate'?"),
        ("[simulate]\ngame = 60", f"{FILE}, row simulate: unknown default (found: 'game'); did you mean 'games'?"),
        ("[simulate]\ncode = 'evil.py'", f"{FILE}, row simulate: unknown default (found: 'code')"),
        ("[simulate]\noverwrite = true", f"{FILE}, row simulate: unknown default (found: 'overwrite')"),
        ("[simulate]\npower = 0.9", f"{FILE}, row simulate: the command has no such option (found: 'power')"),
        ("[run]\nseed = 1", f"{FILE}, field run: this command takes no defaults"),
        ("jobs = 'many'", f"{FILE}, field jobs: not a whole number"),
        ("jobs = true", f"{FILE}, field jobs: a value of the wrong kind (found: 'True'); allowed: a number or a text"),
        ("quiet = 1", f"{FILE}, field quiet: a value of the wrong kind (found: '1'); allowed: true or false"),
        ("jobs = ", f"{FILE}: not valid TOML"),
    ],
)
def test_a_wrong_file_of_defaults_is_refused(complaint: Message, text: str, message: str) -> None:
    Path(FILE).write_text(f"{text}\n")
    assert complaint(*PLAY).startswith(f"empirelab: {message}")
