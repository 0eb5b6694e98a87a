"""`simulate` in Python: the run of the command, in a folder that load_run opens, with a bar where somebody sees it."""

import re
import shlex
import sys
import tempfile
from collections.abc import Callable
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import nbclient
import nbformat
import pytest

import sim
from sim import simulate
from sim.compiler.kernel import compiled
from sim.errors import UserError
from sim.runs import progress, run
from sim.runs import simulate as module
from sim.runs.config import RunConfig, make_plans
from sim.runs.run import warm_up
from sim.runs.shards import share_out
from sim.runs.store.manifest import read_manifest
from tests.plain.conftest import command
from tests.runs.conftest import contents, parts

IN_A_TEMPORARY_FOLDER = """
import sim, sys
print(sorted({'numba', 'numpy', 'polars', 'rich', 'pydantic'} & set(sys.modules)))
from sim import simulate
folder = simulate("seven_wonders", games=6, strategies="random", jobs=1)
again = simulate("seven_wonders", games=6, strategies="random", jobs=1)
assert folder != again and (folder / "run.json").exists() and (again / "run.json").exists()
print(folder.parent, again.parent, sep="\\n")
"""
CELL = """
from sim import simulate
folder = simulate("seven_wonders", games=600, strategies="random,greedy", jobs=1)
print(folder.name)
"""


@pytest.fixture(autouse=True)
def temporary_folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where temporary folders are made during a test."""
    home = tmp_path / "temporary"
    home.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(home))
    return home


def test_it_plays_the_run_of_the_command(tmp_path: Path) -> None:
    words = "--games 60 --players 3,2 --strategies balanced,random@1 --factions A --seed 5 --detail cards"
    command(f"simulate seven_wonders {words} --set discounts_add_up=true --quiet --out {tmp_path}/command")
    folder = simulate(
        "seven_wonders", games=60, players=[3, 2], strategies=["balanced", "random@1"], factions="A", seed=5,
        detail="cards", settings={"discounts_add_up": True}, out=tmp_path / "python",
    )  # fmt: skip
    assert folder == tmp_path / "python"
    assert contents(folder) == contents(tmp_path / "command")


def test_the_manifest_has_the_command_that_plays_the_run_again(tmp_path: Path) -> None:
    code = Path(__file__).parents[2] / "docs" / "examples" / "variant.toml"
    options: dict[str, Any] = {"players": "3,4", "factions": ["Gizah", "Rhodos A", "Babylon B", "Olympia"], "games": 30}
    folder = simulate(
        "seven_wonders", strategies="general,greedy", code=code, settings={"discounts_add_up": True}, **options
    )
    program, *words = shlex.split(read_manifest(folder)["command"])
    assert (program, *words[:2]) == ("empirelab", "simulate", "seven_wonders")
    command("", *words, "--jobs", "1", "--out", str(tmp_path / "again"), "--quiet")
    assert parts(folder) == parts(tmp_path / "again")


def test_without_a_folder_every_call_makes_a_new_one_that_goes_when_python_ends(
    in_new_process: Callable[..., str], temporary_folders: Path
) -> None:
    heavy, *folders = in_new_process(IN_A_TEMPORARY_FOLDER, TMPDIR=str(temporary_folders)).splitlines()
    assert heavy == "[]", "what takes long to import is imported before it is needed"
    assert len(folders) == 2
    assert not list(temporary_folders.iterdir())


def test_what_sim_does_not_have_is_no_attribute() -> None:
    with pytest.raises(AttributeError, match="no attribute 'stimulate'"):
        sim.stimulate  # noqa: B018 - it is the access that fails
    assert sim.simulate is module.simulate


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"games": 0}, "simulate, field games"),
        ({"players": (3, 9)}, "does not allow this number of players"),
        ({"code": "nowhere.py"}, "nowhere.py"),
        ({"jobs": 0}, "field jobs"),
    ],
)
def test_a_wrong_option_is_an_error_that_says_what_is_wrong(
    options: dict[str, Any], message: str, temporary_folders: Path
) -> None:
    with pytest.raises(UserError, match=message):
        simulate("seven_wonders", **options)
    assert not list(temporary_folders.iterdir())


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("long/" * 100 + "long" * 100, "unknown game"),
        ("長" * 100, "unknown game"),
        ("null\0", "unknown game"),
        ("long" * 100 + ".py", "no such game file"),
    ],
    ids=["folder", "letters of three bytes", "null", "Python file"],
)
def test_a_name_that_no_file_can_have_is_not_a_game(name: str, message: str, temporary_folders: Path) -> None:
    with pytest.raises(UserError, match=message):
        simulate(name)
    assert not list(temporary_folders.iterdir())


def test_an_interrupt_keeps_what_was_played_only_in_a_folder_of_the_users(
    temporary_folders: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(games: int) -> None:
        raise KeyboardInterrupt

    bar = progress.Progress(interrupted, lambda text: None)
    monkeypatch.setattr(progress, "lines_of_progress", lambda label, total: bar)
    with pytest.raises(KeyboardInterrupt):
        simulate("seven_wonders", games=100, strategies="random")
    assert not list(temporary_folders.iterdir())
    out = tmp_path / "new" / "run"
    with pytest.raises(KeyboardInterrupt, match="100 of 100 games saved; run the same command to resume"):
        simulate("seven_wonders", games=100, strategies="random", out=out)
    assert not out.exists()
    monkeypatch.undo()
    assert simulate("seven_wonders", games=100, strategies="random", out=out) == out
    assert [path.name for path in out.parent.iterdir()] == ["run"]


# ---- Progress ----


def test_nothing_is_shown_where_nobody_looks(capfd: pytest.CaptureFixture[str]) -> None:
    simulate("seven_wonders", games=40, strategies="random")
    assert capfd.readouterr() == ("", "")


def test_a_terminal_gets_a_bar(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True, raising=False)
    simulate("seven_wonders", games=40, strategies="random", players="3,4")
    told = capsys.readouterr()
    assert "7 Wonders, 3 or 4 players" in told.err
    assert "40/40" in told.err
    assert told.out == ""
    simulate("seven_wonders", games=40, strategies="random", progress=False)
    assert capsys.readouterr() == ("", "")


@pytest.mark.sweep
@pytest.mark.skipif(not compiled(), reason="the kernel of the notebook would be slow")
@pytest.mark.filterwarnings("ignore")
def test_a_cell_of_a_notebook_keeps_one_line_and_no_bar(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONPATH", str(Path(sim.__file__).parents[1]))
    notebook: Any = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(CELL)])
    nbclient.NotebookClient(notebook, timeout=300, kernel_name="python3").execute()
    shown, printed = notebook.cells[0].outputs
    assert shown["data"] == {"text/plain": "7 Wonders, 4 players: 600 games played"}
    assert printed["text"] == "seven_wonders\n"


class Screen:
    """Stands for a notebook: what its one output shows, one after another."""

    def __init__(self) -> None:
        self.shown: list[dict[str, str]] = []

    def display(self, data: dict[str, str], *, raw: bool, display_id: bool) -> "Screen":
        assert raw
        assert display_id
        assert not self.shown, "a second output"
        self.shown.append(data)
        return self

    def update(self, data: dict[str, str], *, raw: bool) -> None:
        assert raw
        self.shown.append(data)


def test_the_bar_of_a_notebook_fills_in_one_output(monkeypatch: pytest.MonkeyPatch) -> None:
    screen = Screen()
    monkeypatch.setattr(progress, "import_module", lambda name: screen)
    monkeypatch.setattr(progress, "SECONDS_BETWEEN_UPDATES", 0.0)
    with progress.notebook_bar("Some <game>", 2000) as bar:
        bar.say("compiling")
        bar.advance(500)
        bar.advance(1500)
    texts = [data["text/plain"] for data in screen.shown]
    assert texts == [
        "Some <game>: preparing",
        "Some <game>: compiling",
        "Some <game>: 500 of 2,000 games",
        "Some <game>: 2,000 of 2,000 games",
        "Some <game>: 2,000 games played",
    ]
    assert screen.shown[2]["text/html"].startswith('<progress style="width: 40ex" max="2000" value="500"></progress>')
    assert "Some &lt;game&gt;" in screen.shown[2]["text/html"]
    assert "text/html" not in screen.shown[-1]


def test_the_bar_of_a_notebook_says_how_far_an_interrupted_run_got(monkeypatch: pytest.MonkeyPatch) -> None:
    screen = Screen()
    monkeypatch.setattr(progress, "import_module", lambda name: screen)
    run = progress.notebook_bar("Some game", 2000)
    run.__enter__().advance(500)
    interrupt = KeyboardInterrupt()
    assert not run.__exit__(KeyboardInterrupt, interrupt, None)
    assert screen.shown[-1] == {"text/plain": "Some game: 500 games played"}


@pytest.fixture
def at_seconds(monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """Let the clock of the progress show these seconds, one after another."""
    return lambda *shown: monkeypatch.setattr(progress.time, "monotonic", partial(next, iter(shown)))


def test_without_a_terminal_a_line_a_minute_is_written(at_seconds: Any, capfd: pytest.CaptureFixture[str]) -> None:
    at_seconds(0.0, 10.0, 61.0, 119.0, 122.0, 200.0)
    with progress.show_progress("7 Wonders", 1000) as bar:
        for _ in range(5):
            bar.advance(200)
    assert capfd.readouterr().err.splitlines() == [
        "7 Wonders: 400 of 1,000 games, about 2 min left",
        "7 Wonders: 800 of 1,000 games, about 30 s left",
    ]


def test_time_before_the_first_game_is_not_taken_for_the_speed_of_games(
    at_seconds: Any, capfd: pytest.CaptureFixture[str]
) -> None:
    at_seconds(0.0, 100.0, 170.0)
    with progress.show_progress("race", 400) as bar:
        bar.advance(0)
        bar.advance(200)
    assert capfd.readouterr().err.splitlines() == ["race: 0 of 400 games", "race: 200 of 400 games, about 70 s left"]


def test_games_that_are_foreseen_on_the_way_are_told_with_the_time_they_take(
    at_seconds: Any, capfd: pytest.CaptureFixture[str]
) -> None:
    at_seconds(0.0, 0.0, 30.0, 30.0, 30.0, 95.0, 96.0)
    with progress.show_progress("race", None) as bar:
        bar.expect(1000)  # nothing is known of the speed yet
        bar.advance(300)
        bar.expect(500)  # 50 s: too short for a word
        bar.expect(3000)
        bar.advance(700)
        bar.expect(100)
    assert capfd.readouterr().err.splitlines() == [
        "race: 300 of up to 3,300 games, up to 5 min left",
        "race: 1,000 of up to 3,300 games, up to 4 min left",
    ]


@pytest.fixture
def estimate(tmp_path: Path) -> Callable[..., str]:
    """What is said of the time and the size of a run before it is played."""
    plans = make_plans(RunConfig(game="seven_wonders", strategies=["random", "greedy"]))
    players = warm_up(plans, lambda text: None)

    def say(games: int, jobs: int = 1, **more: Any) -> str:
        return run.runtime_estimate_message(share_out(plans, games), players, jobs, tmp_path / "deep" / "out", **more)

    return say


def test_a_long_run_says_how_long_and_how_large_it_will_be_and_a_short_one_does_not(estimate: Any) -> None:
    assert estimate(100) == estimate(40_000, 8) == ""
    long = re.fullmatch(r"this run will take about ([\d.]+) h and write about ([\d.]+) GB(, but .*)?", estimate(10**9))
    assert long is not None
    assert 1 < float(long[1]) < 1000
    # A game of four takes about 35 bytes.
    assert 20 < float(long[2]) < 60


def test_of_slow_players_few_games_are_a_forecast(estimate: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    asked, sample_of = [], run.sample_of

    def slow(group: Any, team: Any, games: int) -> Any:
        asked.append(games)
        return 10.0, sample_of(group, team, games)[1]

    monkeypatch.setattr(run, "sample_of", slow)
    for games in (1000, 10**6):
        assert estimate(games, ends_early=True).startswith("this run may take up to 2")
    assert asked == [run.FEW] * 2


def test_a_run_too_large_for_the_disk_is_said(estimate: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(run.shutil, "disk_usage", lambda folder: SimpleNamespace(free=5e6))
    assert estimate(10**9).endswith(" GB, but only 5 MB are free")


@pytest.mark.parametrize("settings", ["discounts_add_up=true", ["discounts_add_up=true"]])
def test_settings_that_are_not_given_by_name_are_refused(settings: Any) -> None:
    with pytest.raises(UserError, match=r'field settings: .*allowed: {"name": value} or None'):
        sim.simulate("seven_wonders", games=1, settings=settings)
