"""What the documentation tells people to type works: every command, every Python block, every link."""

import contextlib
import json
import re
import shlex
import shutil
import sys
import tomllib
from collections.abc import Callable
from importlib.util import find_spec
from itertools import pairwise
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest
from typer.main import get_command

from sim.cli import app, main
from sim.compiler.kernel import compiled
from sim.compiler.source_digest import GUARDED
from sim.data.catalog import CONFIGS
from sim.engine.result_rows import RANK, STRATEGY
from sim.errors import UserError
from sim.game import load_game
from sim.players.batch import play
from sim.players.compile_players import players_of
from sim.players.find_strategies import load_code, load_strategies
from sim.runs.config import RunConfig, make_plan, read_runs

ROOT = Path(__file__).parent.parent.parent
DOCS = ROOT / "docs"
PAGES = [ROOT / name for name in ("README.md", "CONTRIBUTING.md", "CHANGELOG.md")] + sorted(DOCS.glob("*.md"))
PLAYER = DOCS / "examples" / "my_player.py"
IMPERIUM_PLAYER = DOCS / "examples" / "my_imperium_player.py"
GAMES = 48
"""Games that stand for the many a page asks for."""
SMALL = {
    "simulate": f"--games {GAMES} --jobs 1",
    "compare": f"--games {GAMES} --jobs 1",
    "sweep": f"--games {GAMES} --jobs 1",
    "rebalance": f"--games {2 * GAMES} --jobs 1",
    "rebalance --all": f"--games {GAMES} --top-games 0 --jobs 1",
    "rebalance --card": "--games 2400 --jobs 1",
    "rebalance --target": f"--games {GAMES} --top-games 2 --jobs 1",
    "intervene": f"--games {GAMES} --jobs 1",
    "sensitivity": f"--games {GAMES} --jobs 1",
    "calibrate": f"--games {GAMES} --pilots 2 --jobs 1",
    "ladder": "--games 40 --search-games 2 --jobs 1",
    "strategies --ladder": "--games 12 --jobs 1",
    "price --in": f"--games {GAMES} --jobs 1",
    "explain --pieces": f"--games {2 * GAMES} --jobs 1",
    "explain --budget": "--budget 4000 --jobs 1",
    "drama": "--games 200 --replays 2 --jobs 1",
    "metagame": f"--games {GAMES} --fresh {GAMES} --jobs 1",
    "plan": f"--pilot {GAMES} --jobs 1",
    "tune": f"--games {GAMES} --fresh {GAMES} --population 4 --jobs 1",
    "distil": f"--games 10 --share 0.02 --rounds 1 --fresh {GAMES} --jobs 1",
    # A judge that has learned from so few games may be weaker than the shipped one.
    "train": "--games 300 --fresh 40 --even-if-weaker --jobs 1",
    "bench": "--runs 1 --seconds 0.01 --no-start --whole 0",
}
"""Options that make a command of a page small."""


def blocks(page: Path, language: str) -> list[str]:
    """Code blocks of a language."""
    return re.findall(rf"^```{language}\n(.*?)^```", page.read_text("utf-8"), re.MULTILINE | re.DOTALL)


def write_files(text: str) -> None:
    """Write the files whose content a page shows: whole ones, and what it adds at their end or that of their class."""
    for title, shown in re.findall(r'^```\w+ title="([^"]+)"\n(.*?)^```', text, re.MULTILINE | re.DOTALL):
        name, _, place = title.partition(", ")
        before, content, after = Path(name).read_text() + "\n\n" if place else "", shown, ""
        if place == "at the end of the class":
            before, after = before.split("\n\n\ndef ", 1)
            before, after = before + "\n\n", "\n\ndef " + after.rstrip("\n") + "\n"
            content = shown.partition("\n")[2]  # the line `class ...:` shows where it stands
        Path(name).write_text(before + content + after)


def commands(page: Path) -> list[list[str]]:
    """Commands of the program in the shell blocks of a page, in order."""
    return commands_of(page.read_text("utf-8"))


def commands_of(text: str) -> list[list[str]]:
    """Commands of the program in the shell blocks of a text, in order."""
    shell = "\n".join(re.findall(r"^```sh\n(.*?)^```", text, re.MULTILINE | re.DOTALL)).replace("\\\n", " ")
    lines = [shlex.split(line, comments=True) for line in shell.splitlines()]
    return [words[1:] for words in lines if words and words[0] == "empirelab"]


def scaled_down(words: list[str]) -> list[str]:
    """The same command with fewer games, or a short measurement; where its output goes stays last."""
    command = "compare runs" if words[0] == "compare" and "/" in words[1] else words[0]
    command = next((f"{command} {word}" for word in words if f"{command} {word}" in SMALL), command)
    end = words.index(">") if ">" in words else len(words)
    return [*words[:end], *SMALL.get(command, "").split(), *words[end:]]


ELSEWHERE = ("soak", "merge", "fetch")
"""Commands that are not run: one compiles a game with its indices checked, the others need runs of certain sizes."""
ONLY_READERS_HAVE = {"first-printing.csv", "second-printing.csv", "runs/league-before", "runs/league-after", "my_game/"}
"""Leagues and a compiled game that only a reader has; commands that name them are not run."""
PAGES_WITH_COMMANDS = [page for page in PAGES if commands(page)]
ALWAYS_RUN = ("README",)
"""Pages whose commands are run; those of the others are read without `--full`, and tried small by other tests."""
LIST = "First steps at the shell"
"""The section of the README that has an example of every command: for `--full` like the pages of others."""


@pytest.fixture
def workplace(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder that looks like the checkout, whose run files ask for few games; the current folder."""
    for name in ("docs", "tests"):
        (tmp_path / name).symlink_to(ROOT / name)
    for name in ("runs", "sweeps"):
        shutil.copytree(ROOT / "configs" / name, tmp_path / "configs" / name)
    for path in (tmp_path / "configs" / "runs").glob("*.toml"):
        path.write_text(re.sub(r"^games = \d+", f"games = {GAMES}", path.read_text(), flags=re.MULTILINE))
    monkeypatch.chdir(tmp_path)
    # What the pages run is harmless: no process of its own is needed, see test_cli_guard.py.
    monkeypatch.setenv(GUARDED, "")
    return tmp_path


def run(words: list[str], monkeypatch: pytest.MonkeyPatch) -> int:
    """Run the program in this process, its output into a file where the command says so; return its exit status."""
    words, file = (words[:-2], words[-1]) if ">" in words else (words, "")
    monkeypatch.setattr(sys, "argv", ["empirelab", *words])
    with contextlib.ExitStack() as stack:
        if file:
            stack.enter_context(contextlib.redirect_stdout(stack.enter_context(Path(file).open("w", encoding="utf-8"))))
        end = stack.enter_context(pytest.raises(SystemExit))
        main()
    assert isinstance(end.value.code, int)
    return end.value.code


# ---- Commands and Python ----


@pytest.mark.usefixtures("sketched_figures")
@pytest.mark.parametrize(
    "page",
    [
        pytest.param(page, marks=() if page.stem in ALWAYS_RUN else pytest.mark.sweep, id=page.stem)
        for page in PAGES_WITH_COMMANDS
    ],
)
def test_commands_and_python_of_a_page_run(
    page: Path,
    workplace: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    pytestconfig: pytest.Config,
) -> None:
    patches: set[str] = set()
    for text in re.split(r"^## ", page.read_text("utf-8"), flags=re.MULTILINE):
        if text.startswith(LIST) and not pytestconfig.getoption("full"):
            continue
        write_files(text)
        for words in commands_of(text):
            patches |= {f"@{file}" for word, file in pairwise(words) if word == "--patch"}
            # A small search writes no file if fresh deals do not confirm its change.
            unwritten = {file for file in patches & set(words) if not Path(file[1:]).exists()}
            if words[0] in ELSEWHERE or ONLY_READERS_HAVE & set(words) or unwritten:
                continue
            status = run(scaled_down(words), monkeypatch)
            assert status == 0, (words, capsys.readouterr().err)
    names: dict[str, Any] = {"__name__": "page"}
    for text in blocks(page, "python"):
        if "sim.runs.pettingzoo_env" in text and find_spec("pettingzoo") is None:
            continue
        exec(compile(text, str(page), "exec"), names)


@pytest.mark.usefixtures("workplace")
@pytest.mark.parametrize("page", PAGES_WITH_COMMANDS, ids=lambda page: page.stem)
def test_commands_of_a_page_are_understood(page: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    known: Any = get_command(app)
    write_files(page.read_text("utf-8"))
    for words in commands(page):
        if words[0] == "new":
            run(words, monkeypatch)
        end = words.index(">") if ">" in words else len(words)
        if "--help" not in words and not words[0].startswith("-"):
            known.commands[words[0]].make_context(words[0], words[1:end])


@pytest.mark.parametrize("page", PAGES_WITH_COMMANDS, ids=lambda page: page.stem)
def test_no_command_of_a_page_writes_where_another_has_written(page: Path) -> None:
    written = [
        words[words.index("--out") + 1]
        for words in commands(page)
        if "--out" in words and "--overwrite" not in words and words[0] not in ELSEWHERE
    ]
    assert sorted(set(written)) == sorted(written)


def test_every_python_block_is_run() -> None:
    assert [page for page in PAGES if blocks(page, "python") and page not in PAGES_WITH_COMMANDS] == []


def test_toml_blocks_are_toml() -> None:
    found = [text for page in PAGES for text in blocks(page, "toml")]
    assert len(found) >= 3
    for text in found:
        tomllib.loads(text)


def test_the_run_file_of_the_page_is_a_run() -> None:
    text = blocks(DOCS / "command-line.md", "toml")[0]
    assert make_plan(RunConfig.model_validate(tomllib.loads(text))).players == 4


def test_the_file_of_several_runs_of_the_page_is_one(tmp_path: Path) -> None:
    (tmp_path / "several.toml").write_text(blocks(DOCS / "command-line.md", "toml")[1])
    assert {name: config.players for name, config in read_runs(tmp_path / "several.toml").items()} == {
        "war": 4,
        "peace": 3,
    }


# ---- Pages ----


def anchors(page: Path) -> set[str]:
    """Names of the headings of a page, as links call them."""
    text = re.sub(r"^```.*?^```", "", page.read_text("utf-8"), flags=re.MULTILINE | re.DOTALL)
    headings = re.findall(r"^#+ (.*)$", text, re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_links_lead_somewhere(page: Path) -> None:
    text = page.read_text("utf-8")
    for link in re.findall(r"\]\(([^)\s]+)\)", text):
        if link.startswith(("http:", "https:")):
            continue
        name, _, anchor = link.partition("#")
        target = (page.parent / name).resolve() if name else page
        assert target.exists(), link
        if anchor:
            assert anchor in anchors(target), link


def test_the_index_lists_every_page() -> None:
    index = (DOCS / "index.md").read_text("utf-8")
    for path in [*DOCS.glob("*.md"), *DOCS.glob("examples/*.*")]:
        if path.name != "index.md":
            assert f"]({path.relative_to(DOCS).as_posix()})" in index


def test_the_site_has_four_parts_and_every_page_is_in_one(script: Callable[[str], Any]) -> None:
    parts = {name: pages for entry in script("make_site").settings()["project"]["nav"] for name, pages in entry.items()}
    assert [name for name, pages in parts.items() if isinstance(pages, list)] == [
        "Tutorials", "How-to pages", "Reference", "Background", "Working on empirelab",
    ]  # fmt: skip
    assert {
        page for pages in parts.values() if isinstance(pages, list) for entry in pages for page in entry.values()
    } >= {path.name for path in DOCS.glob("*.md") if path.name != "index.md"}


def test_the_page_of_commands_says_what_the_commands_say(script: Callable[[str], Any]) -> None:
    made = script("make_command_line").page()
    assert (DOCS / "command-line.md").read_text("utf-8") == made, "run docs/make_command_line.py"


@pytest.mark.parametrize("name", sorted(path.stem for path in DOCS.glob("make_*.py")))
def test_every_script_that_writes_a_page_or_a_picture_imports(name: str, script: Callable[[str], Any]) -> None:
    try:
        with patch.dict("os.environ"):  # one of them switches compilation off, for itself and what it starts
            assert script(name).__doc__
    except ModuleNotFoundError as problem:
        if problem.name not in ("pdoc", "playwright"):
            raise
        pytest.skip(f"the package {problem.name} is missing")


@pytest.mark.parametrize("game", sorted(path.name for path in (CONFIGS / "games").iterdir() if path.is_dir()))
def test_the_rules_page_lists_every_setting_with_its_default_and_certainty_and_no_other(game: str) -> None:
    text = (DOCS / f"rules-{game.replace('_', '-')}.md").read_text("utf-8")
    listed = re.findall(r"^\| `(\w+)` \| `?([\w -]+)`? \| ([\w-]+) \|", text, re.MULTILINE)
    rules = tomllib.loads((CONFIGS / "games" / game / "rules.toml").read_text("utf-8"))
    words = {True: "true", False: "false"}
    assert {name: known for name, *known in listed} == {
        rule["name"]: [words.get(rule["value"], rule["value"]), rule["certainty"]] for rule in rules["setting"]
    }


def test_every_direct_dependency_is_explained() -> None:
    page = (DOCS / "dependencies.md").read_text("utf-8")
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    for requirement in sum(project["optional-dependencies"].values(), project["dependencies"]):
        name = re.match(r"[\w-]+", requirement)
        assert name is not None
        assert re.search(rf"\b{name[0]}\b", page), requirement


def test_columns_of_the_results_page_are_those_of_a_run(workplace: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import polars as pl  # noqa: PLC0415

    words = ["simulate", "seven_wonders", "--games", "4", "--jobs", "1", "--detail", "cards", "--quiet", "--out", "run"]
    assert run(words, monkeypatch) == 0
    page = (DOCS / "results.md").read_text("utf-8")
    for table, heading in (("seats", "## Seats"), ("cards", "## Cards")):
        section = page.split(heading)[1].split("\n## ")[0]
        for name, kind in pl.read_parquet_schema(f"run/{table}/part-000000.parquet").items():
            rows = [row for row in section.splitlines() if row.startswith("|") and f"`{name}`" in row.split("|")[1]]
            assert len(rows) == 1, name
            assert type(kind).__name__ in str(rows[0].split("|")[2]) or str(kind) in rows[0].split("|")[2], name
    manifest = json.loads((workplace / "run" / "run.json").read_text())
    section = page.split("## Manifest")[1].split("\n## ")[0]
    for name in re.findall(r"`(\w+)`", section):
        assert name in manifest, name


# ---- Examples ----


def test_the_example_player_says_what_it_is() -> None:
    player = load_code(PLAYER, load_game("seven_wonders"), PLAYER)
    assert player.name == "my_player"
    assert player.description.startswith("Gathers goods early")
    assert set(player.weights) == {"goods", "symbol", "coin"}
    assert len(PLAYER.read_text().splitlines()) <= 70


@pytest.mark.sweep
@pytest.mark.skipif(not compiled(), reason="too slow without compiling")
@pytest.mark.parametrize(
    ("other", "least", "most"), [("greedy", 0.75, 0.9), ("random", 0.99, 1.0), ("civil", 0.15, 0.45)]
)
def test_the_example_player_is_as_good_as_the_page_says(
    scaled: Callable[..., int], other: str, least: float, most: float
) -> None:
    plan = make_plan(RunConfig(game="seven_wonders", strategies=["my_player", other], code=str(PLAYER), seed=11))
    rows, _ = play(plan, players_of(plan), 0, scaled(400, 400, 1200))
    winners = rows[rows[:, RANK] == 1]
    assert least <= (winners[:, STRATEGY] == 0).mean() <= most


@pytest.mark.sweep
@pytest.mark.parametrize("players", [2, 3, 7])
def test_the_example_player_can_sit_at_any_table(scaled: Callable[..., int], players: int) -> None:
    names, count = ["my_player", "greedy"], scaled(70, 2, 210)
    plan = make_plan(RunConfig(game="seven_wonders", players=players, strategies=names, code=str(PLAYER), seed=3))
    rows, _ = play(plan, players_of(plan), 0, count)
    assert len(rows) == count * players


@pytest.mark.sweep
@pytest.mark.skipif(not compiled(), reason="too slow without compiling")
@pytest.mark.parametrize(("players", "least"), [(2, 0.7), (4, 0.9)])
def test_the_example_player_of_imperium_beats_chance(scaled: Callable[..., int], players: int, least: float) -> None:
    names = ["my_imperium_player", "random"]
    config = RunConfig(game="imperium", players=players, strategies=names, code=str(IMPERIUM_PLAYER), seed=11)
    plan = make_plan(config)
    rows, _ = play(plan, players_of(plan), 0, scaled(120, 120, 400))
    assert (rows[rows[:, RANK] == 1][:, STRATEGY] == 0).mean() > least


@pytest.mark.parametrize("name_of_game", ["imperium", "imperial_settlers"])
def test_columns_of_a_game_are_those_of_a_run(name_of_game: str) -> None:
    game = load_game(name_of_game)
    page = (DOCS / f"{name_of_game.replace('_', '-')}.md").read_text("utf-8")
    first_cells = [row.split("|")[1] for row in page.splitlines() if row.startswith("|")]
    for name in (*game.score_parts, *game.measures):
        assert sum(f"`{name}`" in cell for cell in first_cells) == 1, name
    assert game.pieces is not None
    for name, _ in game.pieces.columns:
        assert f"`{name}`" in page
    assert all(f"{reason}" in page for reason in game.end_reasons)


def test_the_example_variant_is_the_one_on_the_page_and_loads(tmp_path: Path) -> None:
    variant = DOCS / "examples" / "variant.toml"
    shown = [tomllib.loads(text) for text in blocks(DOCS / "writing-a-strategy.md", "toml")]
    assert tomllib.loads(variant.read_text()) in shown
    shutil.copytree(CONFIGS / "strategies" / "seven_wonders", tmp_path / "players")
    shutil.copy(variant, tmp_path / "players")
    found = load_strategies("seven_wonders", folder=tmp_path / "players")
    assert found["general"].weights == {**found["balanced"].weights, "military": 3.0, "science": 0.3}


def test_the_example_error_of_the_data_page_is_what_is_said(tmp_path: Path) -> None:
    from sim.games.seven_wonders.data.catalog import load_catalog  # noqa: PLC0415

    shutil.copytree(CONFIGS / "games" / "seven_wonders", tmp_path / "game")
    cards = tmp_path / "game" / "cards.toml"
    cards.write_text(cards.read_text("utf-8").replace('produce = ["wood"] }', 'produce = ["wod"] }'))
    with pytest.raises(UserError) as error:
        load_catalog(tmp_path / "game")
    shown = " ".join((DOCS / "adding-data.md").read_text("utf-8").split())
    assert str(error.value).partition("cards.toml, ")[2] in shown


def test_the_example_of_a_player_in_plain_python_is_the_file_of_the_page() -> None:
    page = DOCS / "writing-a-strategy.md"
    assert (DOCS / "examples" / "my_bot.py").read_text("utf-8") in blocks(page, "python")
