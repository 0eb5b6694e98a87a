"""Compiled games outside the project: named by their folder, or installed."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import polars as pl
import pytest

import sim.game
from sim.commands.warm import compile_all
from sim.compiler.source_digest import is_project_code
from sim.data.declarations import installed_games
from sim.diagnostics.check_game import first_difference
from sim.errors import UserError
from sim.game import COMPILED, load_game, name_game
from sim.players.batch import sources_digest
from sim.players.kernel_failures import kernel_errors_told
from sim.runs.config import RunConfig, make_plan
from sim.runs.replay import replay
from sim.runs.run import warm_up
from sim.runs.simulate import simulate
from tests.kit.plans import GAMES

ROOT = Path(__file__).resolve().parents[2]
NAME = "outbid/game.py"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the compiled game of the documentation as a package of its own."""
    around = tmp_path_factory.mktemp("outside")
    own = around / "outbid"
    shutil.copytree(
        ROOT / "docs" / "examples" / "goofspiel", own,
        ignore=shutil.ignore_patterns("test_*", "__main__.py", "__pycache__"),
    )  # fmt: skip
    for path in own.glob("*.py"):
        path.write_text(path.read_text().replace("docs.examples.goofspiel", "outbid"))
    return around


@pytest.fixture
def outbid(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The same, as the working directory, with its game named."""
    monkeypatch.chdir(folder)
    name_game("outbid")
    yield folder / "outbid"
    COMPILED.pop("outbid", None)


def test_a_folder_plays_the_games_of_its_twin_in_the_project(outbid: Path, tmp_path: Path) -> None:
    assert "goofspiel" in GAMES
    frames = [
        pl.read_parquet(
            simulate(name, games=60, players=2, strategies="random,matching", out=tmp_path / out, progress=False)
            / "seats" / "*.parquet"
        )
        for name, out in (("outbid", "a"), ("goofspiel", "b"))
    ]  # fmt: skip
    assert frames[0].equals(frames[1])


@pytest.mark.parametrize("wanted", ["outbid", "./outbid/", "outbid/game.py"])
def test_a_game_has_one_name(outbid: Path, wanted: str) -> None:
    assert name_game(wanted) == NAME
    assert name_game(outbid) == NAME


def test_its_kernels_are_cached_and_its_files_are_in_the_digest(outbid: Path) -> None:
    game = load_game(NAME)
    assert is_project_code(game.play_step)
    plan = make_plan(RunConfig(game=NAME, players=2))
    before = sources_digest(plan)
    file = outbid / "turns.py"
    text = file.read_text()
    try:
        file.write_text(text + "# another rule\n")
        assert sources_digest(plan) != before
        with pytest.raises(UserError, match=r"has changed since it was imported.*a new process"):
            name_game("outbid")
    finally:
        file.write_text(text)


def test_a_run_folder_does_not_import_it(outbid: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(COMPILED, NAME)
    with pytest.raises(UserError, match="runs only if you name it"):
        load_game(NAME)


def test_another_package_of_the_same_name_is_refused(outbid: Path, tmp_path: Path) -> None:
    shutil.copytree(outbid, tmp_path / "outbid")
    with pytest.raises(UserError, match=r"another Python package has this name \(found: 'outbid'\)"):
        name_game(tmp_path / "outbid")


def test_a_folder_without_a_game_is_not_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "empty").mkdir()
    with pytest.raises(
        UserError, match=r"empty: this folder has no compiled game; allowed: game.py with a line GAME = "
    ):
        load_game(name_game("empty"))


def test_an_installed_package_is_a_game_by_its_entry_point(
    outbid: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    about = tmp_path / "outbid-1.0.dist-info"
    about.mkdir()
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: outbid\nVersion: 1.0\n")
    (about / "entry_points.txt").write_text("[empirelab.games]\noutbid_installed = outbid.game\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    installed_games.cache_clear()
    try:
        assert sim.game.is_known("outbid_installed")
        assert load_game("outbid_installed").title == "Goofspiel"
    finally:
        installed_games.cache_clear()
        COMPILED.pop("outbid_installed", None)


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("", "", ""),
        ("hands[state.seat])", "hands[state.seat])[1:]", r"decision 0: seat 0 has 12 options.*seat 0 has 13"),
        ("state.won[winners[0]] += state", "state.won[winners[0]] += 1 + state", "scores differ"),
        (
            "if not state.deck:",
            "if len(state.deck) < 3:",
            r"the plain game is over after decision \d+, the compiled one goes on",
        ),
        ("deal.shuffle(state.deck)", "deal.shuffle(state.deck); state.deck.reverse()", "scores differ"),
    ],
)
def test_the_first_difference_to_the_plain_game_is_found(
    outbid: Path, tmp_path: Path, old: str, new: str, said: str
) -> None:
    file = tmp_path / "prizes.py"
    file.write_text((ROOT / "tests" / "plain" / "games" / "prizes.py").read_text().replace(old, new))
    plans = [make_plan(RunConfig(game=str(game), players=3, strategies=["random"])) for game in (file, NAME)]
    found = first_difference(*plans, 5)
    assert bool(found) == bool(said)
    assert re.search(said, found), found


SIMULATE = "simulate outbid --players 2 --games 4 --strategies random"
BENCH = "bench outbid --no-start --whole 0 --runs 1 --seconds 0.1"
BEYOND = ("g.bid[seat]] = 0", "g.bid[seat] + 12 * g.turned] = 0")
FIELD = r"turns\.py:\d+: a kernel.* no field 'turnd'; did you mean 'turned'"
INDEX = r"turns\.py: a kernel of the game fails: index is out of bounds; allowed: NUMBA_DISABLE_JIT=1 before"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("command", "old", "new", "said"),
    [
        (SIMULATE, "g.turned = g", "g.turnd = g", FIELD),
        pytest.param(
            *(SIMULATE, "g.at_stake = 0", "g.at_stake = stake"),
            r"turns\.py:\d+: a kernel.*name 'stake' is not defined",
            marks=pytest.mark.sweep,
        ),
        pytest.param(SIMULATE, *BEYOND, INDEX, marks=pytest.mark.sweep),
        pytest.param(BENCH, *BEYOND, INDEX, marks=pytest.mark.sweep),
        pytest.param(BENCH, "g.turned = g", "g.turnd = g", FIELD, marks=pytest.mark.sweep),
        pytest.param("soak outbid --trial 0 --games 4", "g.turned = g", "g.turnd = g", FIELD, marks=pytest.mark.sweep),
    ],
)
def test_an_error_of_a_kernel_names_file_and_line(
    outbid: Path, tmp_path: Path, command: str, old: str, new: str, said: str
) -> None:
    shutil.copytree(outbid, tmp_path / "outbid", ignore=shutil.ignore_patterns("__pycache__"))
    file = tmp_path / "outbid" / "turns.py"
    file.write_text(file.read_text().replace(old, new))
    done = subprocess.run(
        [sys.executable, "-P", "-m", "sim.cli", *command.split()], cwd=tmp_path,
        env=os.environ | {"PYTHONPATH": str(ROOT)}, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode != 0
    assert re.search(said, done.stdout + done.stderr), done.stderr
    assert "Traceback" not in done.stderr


def test_a_game_that_does_not_import_names_file_and_line(outbid: Path, tmp_path: Path) -> None:
    own = shutil.copytree(outbid, tmp_path / "broken", ignore=shutil.ignore_patterns("__pycache__"))
    for path in own.glob("*.py"):
        path.write_text(path.read_text().replace("outbid", "broken").replace("def set_up", "df set_up"))
    with pytest.raises(UserError, match=r"turns\.py:\d+: the game does not import: SyntaxError"):
        load_game(name_game(own))


def test_an_index_error_of_compiled_code_names_the_way_to_its_line(outbid: Path) -> None:
    with pytest.raises(UserError, match=INDEX), kernel_errors_told(load_game(NAME)):
        raise IndexError("index is out of bounds")


# ---- The twins of the documentation: factions, dice, and one seat at a time ----


@pytest.fixture(scope="module")
def caravans(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the plain game of the tutorial and its compiled twin."""
    around = tmp_path_factory.mktemp("caravans")
    for name in ("caravans.py", "caravans.toml"):
        shutil.copy(EXAMPLES / name, around)
    own = around / "own_caravans"  # a process imports a package once, and other tests may import that of the examples
    shutil.copytree(EXAMPLES / "fast_caravans", own)
    for path in own.glob("*.py"):
        path.write_text(path.read_text().replace("fast_caravans", "own_caravans"))
    return around


EXAMPLES = ROOT / "docs" / "examples"


@pytest.mark.parametrize(
    ("players", "old", "new", "said"),
    [
        (4, "", "", ""),
        (2, "", "", ""),
        (4, "chance.randint(1,", "chance.randint(0,", "scores differ"),
        (4, "< state.factions[state.seat].camels", "< state.factions[0].camels", r"decision \d+: seat \d has"),
        (4, "return state.turn == self", "return state.turn + 1 == self", r"the plain game is over after decision \d+"),
    ],
)
def test_twins_with_factions_and_dice_are_compared(
    caravans: Path, monkeypatch: pytest.MonkeyPatch, players: int, old: str, new: str, said: str
) -> None:
    monkeypatch.chdir(caravans)
    name = name_game("own_caravans")
    text = (EXAMPLES / "caravans.py").read_text()
    assert old in text
    Path("other.py").write_text(text.replace(old, new))
    plans = [make_plan(RunConfig(game=game, players=players, strategies=["random"])) for game in ("other.py", name)]
    found = first_difference(*plans, 20)
    assert bool(found) == bool(said)
    assert re.search(said, found), found


def test_the_plain_twin_is_the_game_of_the_tutorial() -> None:
    text = (EXAMPLES / "caravans.py").read_text()
    page = (ROOT / "docs" / "own-game.md").read_text()
    blocks = re.findall(r"```(?:python|toml) title=.*?\n(.*?)```", page, re.DOTALL)
    numbers, rules, players, more = blocks
    assert (EXAMPLES / "caravans.toml").read_text() == numbers
    assert rules in text
    assert players in text
    assert all(line in text for line in more.splitlines()[1:])


def test_a_run_without_a_folder_leaves_the_game_alone(
    caravans: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)  # seen from here, the game is named by its whole path
    own = caravans / "own_caravans"
    before = sorted(own.rglob("*.py"))
    run = simulate(str(own), games=8, strategies="trader,hasty", progress=False)
    assert run.is_dir()
    assert not run.is_relative_to(caravans)
    with pytest.raises(UserError):
        simulate(str(own), games=8, strategies="nobody", progress=False)
    assert sorted(own.rglob("*.py")) == before


def test_a_game_without_pieces_is_compiled_ahead(caravans: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(caravans)
    said: list[str] = []
    compile_all(name_game("own_caravans"), said.append)
    said.clear()
    warm_up([make_plan(RunConfig(game=name_game("own_caravans"), strategies=["trader", "trader+1"]))], said.append)
    assert said == []


def test_what_a_compiled_game_leaves_out_has_a_default(caravans: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(caravans)
    game = load_game(name_game("own_caravans"))
    assert (game.score_parts, game.end_reasons, game.decisions) == (("points",), ("over",), ("move",))
    assert game.strategies == "own_caravans.players"
    assert game.strategies_folder == caravans / "own_caravans" / "strategies"
    run = simulate("own_caravans", games=8, strategies="trader,hasty", out="told", progress=False)
    told = replay(run, 0, trust=True)
    assert [line.partition(":")[0] for line in told][-4:] == [f"Seat {seat} ({name})" for seat, name in seats_of(run)]


def seats_of(run: Path) -> list[tuple[int, str]]:
    """The seats of game 0 of a run and who sat there."""
    rows = pl.read_parquet(run / "seats" / "*.parquet").filter(pl.col("game") == 0)
    return list(zip(rows["seat"].to_list(), map(str, rows["strategy"].to_list()), strict=True))
