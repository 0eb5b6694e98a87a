"""What every command does alike: --help, --json, --quiet, numbers of games, and messages in short."""

import re
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from sim.cli import app
from tests.cli.conftest import COMMANDS, Message, Program

ROOT = Path(__file__).parents[2]
GAME = "seven_wonders"
TABLE = ("--players", 3, "--strategies", "random", "--jobs", 1)
RUN = f'game = "{GAME}"\ngames = 12\nplayers = 3\nstrategies = ["random"]\njobs = 1\n'
SWEEP = RUN + '[[vary]]\nchange = "wonders.toml#Rhodos B.coins_start"\nvalues = [3, 9]\n'
POSITION = ROOT / "docs" / "examples" / "position.json"
PLAYTESTS = ROOT / "docs" / "examples" / "playtests.csv"
RECORDS = ROOT / "tests" / "games" / "seven_wonders" / "data" / "sample.jsonl"
PEOPLE = "Game,Player,Faction,Place\n" + "".join(
    f"{game},p{(game + seat) % 5},{wonder},{(game * (seat + 2)) % 3 + 1}\n"
    for game in range(1, 25)
    for seat, wonder in enumerate(("Rhodos", "Gizah", "Babylon"))
)
"""Games of people, in which all three wonders win at times."""
SMALLEST: dict[str, tuple[object, ...]] = {
    "games": (),
    "strategies": (GAME,),
    "new": ("own_game",),
    "simulate": (GAME, "--games", 12, *TABLE, "--out", "new", "--overwrite"),
    "run": ("run.toml", "--out", "new", "--overwrite"),
    "import": (PLAYTESTS, "--out", "league", "--overwrite"),
    "report": ("out",),
    "explain": ("out", "--faction", "Rhodos B"),
    "price": ("out",),
    "ways": ("out",),
    "compare": ("out", "other"),
    "sweep": ("sweep.toml", "--out", "swept", "--overwrite"),
    "rebalance": (GAME, "--faction", "Rhodos B", "--knob", "coins_start", "--high", 4, "--games", 60, *TABLE),
    "intervene": (GAME, "--card", "Loom", "--games", 60, *TABLE),
    "sensitivity": (GAME, "--games", 60, *TABLE),
    "calibrate": (GAME, "--games", 60, "--pilots", 2, "--change", "wonders.toml#Rhodos B.coins_start=1", *TABLE),
    "ladder": (GAME, "--rungs", "random,greedy", "--games", 30, "--players", 3, "--jobs", 1),
    "drama": (GAME, "--games", 200, "--replays", 4, *TABLE),
    "metagame": (GAME, "--strategies", "random,greedy", "--games", 60, "--players", 3, "--jobs", 1),
    "plan": (GAME, "--pilot", 60, *TABLE),
    "tune": (GAME, "civil", "--weights", "blue", "--pool", "random", "--games", 12, "--generations", 1,
             "--population", 4, "--fresh", 12, "--players", 3, "--jobs", 1, "--overwrite"),
    "distil": (GAME, "civil", "--from", "civil+2", "--weights", "blue", "--pool", "random", "--games", 10,
               "--share", 0.05, "--rounds", 1, "--fresh", 12, "--players", 3, "--jobs", 1, "--overwrite"),
    "train": (GAME, "--players", 3, "--games", 300, "--fresh", 30, "--jobs", 1, "--change", "cards.toml#pawnshop.vp=4",
              "--out", "own_judge.toml", "--overwrite"),
    "replay": ("out",),
    "inspect": (GAME, POSITION),
    "verify": (GAME, RECORDS),
    "view": (".",),
    "validate": ("out", "people"),
    "predict": ("out", "--out", "said.json"),
    "merge": ("out", "other", "--out", "joined", "--overwrite"),
    "fetch": ("file://out", "--out", "fetched", "--overwrite"),
    "check": ("out", "other"),
    "soak": ("goofspiel", "--minutes", 0),
    "check-data": (GAME,),
    "check-game": (ROOT / "tests" / "plain" / "games" / "prizes.py", "goofspiel", "--games", 4, "--players", 2),
    "bench": (GAME, "--runs", 1, "--seconds", 0.01, "--no-start", "--whole", 0),
    "warm": (GAME,),
}  # fmt: skip
"""The least that each command can be asked for."""
QUIET = {"new", "simulate", "run", "sweep", "merge", "fetch", "check", "check-game", "soak", "warm"}
"""Commands that print nothing with --quiet if all is well."""
LONG = {
    "rebalance", "sensitivity", "calibrate", "ladder", "metagame", "plan", "tune", "distil", "train", "soak", "bench",
    "warm",
}  # fmt: skip
"""Commands that play for seconds: how little they say when asked to be quiet is tried with `--full`."""
JSON_ELSEWHERE = {*LONG, "compare", "view", "report", "explain", "price", "intervene", "merge"} - {"calibrate", "warm"}
"""Commands whose own tests read their --json output."""


@pytest.fixture
def runs(once: Program, tmp_path: Path) -> None:
    """Two small runs and the files that commands read."""
    for file, content in {"people.csv": PEOPLE, "run.toml": RUN, "sweep.toml": SWEEP}.items():
        (tmp_path / file).write_text(content)
    for name, seed in (("out", 1), ("other", 2)):
        once("simulate", GAME, "--games", 60, *TABLE, "--seed", seed, "--quiet", "--out", name)
    once("import", "people.csv", "--quiet", "--out", "people")


def test_every_command_is_tried() -> None:
    assert set(SMALLEST) == set(COMMANDS)


@pytest.mark.usefixtures("runs", "without_figures")
@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=pytest.mark.sweep if name in JSON_ELSEWHERE else ()) for name in SMALLEST]
)
def test_json_is_one_document(empirelab: Program, name: str) -> None:
    assert isinstance(empirelab(name, *SMALLEST[name], "--json").json, dict | list)


@pytest.mark.usefixtures("runs")
@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=pytest.mark.sweep if name in LONG else ()) for name in SMALLEST]
)
def test_quiet_leaves_only_results(empirelab: Program, name: str) -> None:
    quiet = empirelab(name, *SMALLEST[name], "--quiet")
    assert quiet.err == ""
    # What writes a folder has said all there, and what checks by its exit status.
    assert bool(quiet.out) == (name not in QUIET)


def test_every_command_has_the_same_options_for_json_and_silence() -> None:
    def shared(command: Any) -> dict[str, str]:
        helps = {option: parameter.help for parameter in command.params for option in parameter.opts}
        return {option: helps[option] for option in ("--json", "--quiet", "-q")}

    assert [name for name, one in COMMANDS.items() if shared(one) != shared(COMMANDS["games"])] == []


def test_the_version_is_told(empirelab: Program) -> None:
    from importlib.metadata import version  # noqa: PLC0415

    assert empirelab("--version").out == f"empirelab {version('empirelab')}\n"


# ---- Numbers, and names of strategies ----


@pytest.mark.parametrize(("text", "games"), [("1e1", 10), ("0.12e2", 12), ("1_2", 12), ("12.0", 12)])
def test_numbers_of_games_may_be_written_as_people_do(empirelab: Program, text: str, games: int) -> None:
    done = empirelab("simulate", GAME, "--games", text, *TABLE, "--json", "--out", "new")
    assert done.json["games"] == games


@pytest.mark.parametrize("text", ["1e-3", "1.5", "many", "nan", "inf", "1e999999999", "", "0x10", "9" * 5000])
@pytest.mark.parametrize(
    "words",
    [
        ("simulate", GAME, "--games"),
        ("plan", GAME, "--pilot"),
        ("tune", GAME, "civil", "--fresh"),
        ("bench", "--whole"),
    ],
)
def test_what_is_no_whole_number_is_refused(complaint: Message, words: tuple[str, ...], text: str) -> None:
    said = complaint(*words, text)
    assert "is not a whole number" in said
    assert said.count("9") < 220


def test_all_strategies_meet_where_all_is_named(empirelab: Program) -> None:
    listed = empirelab("strategies", GAME, "--json").json
    judged = ("judge", "expert")  # a judge fits one number of players
    names = [row["name"] for row in listed if row["name"] not in judged]
    words = ("--games", 60, "--players", 3, "--jobs", 1, "--json", "--out", "new")
    done = empirelab("simulate", GAME, *words, "--strategies", "all").json
    assert sorted(done["mean_scores"]) == sorted(names)
    soft = empirelab("simulate", GAME, *words, "--strategies", "all@0.5", "--overwrite").json
    assert sorted(soft["mean_scores"]) == sorted(f"{name}@0.5" for name in names)


# ---- Messages ----


@pytest.mark.parametrize(
    "words",
    [
        ("LONG",),
        ("simulate", "LONG"),
        ("simulate", GAME, "--LONG"),
        ("simulate", GAME, "--games", "LONG"),
        ("simulate", GAME, "--strategies", "LONG"),
        ("simulate", GAME, "--factions", "LONG"),
        ("simulate", GAME, "--players", "LONG"),
        ("simulate", GAME, "--set", "LONG=1"),
        ("simulate", GAME, "--set", "discounts_add_up=LONG"),
        ("simulate", GAME, "--change", "LONG"),
        ("simulate", GAME, "--change", "cards.toml#LONG.vp=1"),
        ("simulate", GAME, "--change", "cards.toml#altar.LONG=1"),
        ("simulate", GAME, "--change", "cards.toml#altar.vp=LONG"),
        ("simulate", GAME, "--assign", "LONG"),
        ("report", "LONG"),
        ("compare", "LONG", "--change", "cards.toml#altar.vp=4"),
    ],
)
def test_no_message_repeats_more_than_200_characters(complaint: Message, words: tuple[str, ...]) -> None:
    said = complaint(*(word.replace("LONG", "w" * 5000) for word in words))
    assert 0 < said.count("w") < 300
    assert len(said) < 2500


# ---- Completion ----


@pytest.mark.parametrize(
    ("typed", "names"),
    [
        ("simulate sev", ["seven_wonders"]),
        ("rebal", ["rebalance"]),
        ("simulate seven_wonders --strategies mil", ["military"]),
        ("simulate seven_wonders --strategies military,sc", ["military,science"]),
        ("plan imperium --strategies empire", ["empire-rush"]),
        ("simulate none --strategies mil", []),
        ("simulate imperium --variant leg", ["legends"]),
        ("simulate seven_wonders --factions Rho", [r"Rhodos\ A", r"Rhodos\ B", "Rhodos"]),
        (r"simulate seven_wonders --factions Gizah,Rhodos\ ", [r"Gizah,Rhodos\ A", r"Gizah,Rhodos\ B"]),
        ('simulate seven_wonders --factions "Rhodos ', ["Rhodos A", "Rhodos B"]),
        ("explain runs/first --faction Giz", [r"Gizah\ A", r"Gizah\ B", "Gizah"]),
        ("intervene seven_wonders --card Loo", ["Loom"]),
        ("rebalance history_of_the_world --card Khm", ["Khmers"]),
        ("simulate seven_wonders --set discounts", ["discounts_add_up=true"]),
        ("report ru", ["runs/first"]),
        ("compare runs/", ["runs/first"]),
        ("report other", []),
    ],
)
def test_the_shell_completes_names(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, typed: str, names: list[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    for place in ("runs/first", "runs/other/plain", ".hidden"):
        (tmp_path / place).mkdir(parents=True)
    (tmp_path / "runs" / "first" / "run.json").write_text(f'{{"game": "{GAME}"}}')
    words = re.findall(r'"[^"]*|(?:\\.|\S)+', f"empirelab {typed}")
    asked = {"COMP_WORDS": "\n".join(words), "COMP_CWORD": str(len(words) - 1)}
    for name, value in (asked | {"_EMPIRELAB_COMPLETE": "complete_bash"}).items():
        monkeypatch.setenv(name, value)
    done = CliRunner().invoke(app, [], prog_name="empirelab")
    assert done.output.rstrip("\n") == "\n".join(names)
