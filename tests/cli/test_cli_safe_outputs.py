"""Nothing that was played before is lost by a slip: what commands refuse to write over, and options without effect."""

import json
from pathlib import Path

import pytest

from tests.cli.conftest import Message, Program

pytestmark = pytest.mark.usefixtures("sketched_figures")

PLAYED = ("--games", 40, "--players", 3, "--strategies", "random", "--jobs", 1, "--quiet")
CHANGE = ("compare", "seven_wonders", "--change", "cards.toml#altar.vp=4")
SWEEP = """
game = "seven_wonders"
players = 3
strategies = ["random"]
[[vary]]
change = "cards.toml#altar.vp"
values = [3, 30]
"""


@pytest.fixture
def run(empirelab: Program, tmp_path: Path) -> dict[Path, bytes]:
    """Two runs, `one` and `two`; what their files hold."""
    for name in ("one", "two"):
        empirelab("simulate", "seven_wonders", *PLAYED, "--out", name)
    return {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()}


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("compare", "one", "two", "--html", "one/run.json"), "this is a part of a run"),
        (("compare", "one", "two", "--csv", "two/seats/part-000000.parquet"), "this is a part of a run"),
        (("compare", "one", "two", "--html", "two/seats/new.html"), "this is a part of a run"),
        (("compare", "one", "two", "--html", "one"), "this is a folder"),
        (("compare", "one", "two", "--html", "none/page.html"), "there is no such folder"),
        (("compare", "one", "two", "--csv", "one/run.json/"), "this is a part of a run"),
        (("tune", "seven_wonders", "civil", "--out", "one/run.json", "--overwrite"), "this is a part of a run"),
        (("tune", "seven_wonders", "civil", "--out", "one", "--overwrite"), "this is a folder"),
        (("intervene", "seven_wonders", "--card", "Altar", "--csv", "one/run.json"), "this is a part of a run"),
        ((*CHANGE, "--out", "one"), "the output folder lies inside a run"),
        ((*CHANGE, "--out", "one/more"), "the output folder lies inside a run"),
        (("simulate", "seven_wonders", "--out", "one/more"), "the output folder lies inside a run"),
        (
            ("simulate", "seven_wonders", "--out", "one/seats/more", "--overwrite"),
            "the output folder lies inside a run",
        ),
        (("sweep", "sweep.toml", "--out", "one/more"), "the output folder lies inside a run"),
    ],
)
def test_no_part_of_a_run_is_written_over(
    run: dict[Path, bytes], complaint: Message, tmp_path: Path, words: tuple[str, ...], message: str
) -> None:
    (tmp_path / "sweep.toml").write_text(SWEEP)
    assert message in complaint(*words)
    assert {path: path.read_bytes() for path in run} == run


@pytest.mark.parametrize("name", ["page.html", "seats/notes.txt", "a/run.json", "seats/part-000000.parquet.bak"])
def test_a_run_is_not_replaced_while_its_folder_holds_anything_else(
    run: dict[Path, bytes], complaint: Message, tmp_path: Path, name: str
) -> None:
    (tmp_path / "one" / name).parent.mkdir(exist_ok=True)
    (tmp_path / "one" / name).write_text("mine")
    said = complaint("simulate", "seven_wonders", *PLAYED, "--out", "one", "--overwrite")
    assert f"{name.partition('/')[0] if name.startswith('a/') else name} in its folder is not part of it" in said
    assert (tmp_path / "one" / name).read_text() == "mine"
    assert {path: path.read_bytes() for path in run} == run


def test_a_run_alone_in_its_folder_is_replaced(empirelab: Program, run: dict[Path, bytes]) -> None:
    assert run
    empirelab("simulate", "seven_wonders", *PLAYED, "--seed", 2, "--out", "one", "--overwrite")
    assert json.loads(Path("one/run.json").read_text())["seed"] == 2


def test_a_sweep_is_not_replaced_while_its_folder_holds_anything_else(
    empirelab: Program, complaint: Message, tmp_path: Path
) -> None:
    (tmp_path / "sweep.toml").write_text(SWEEP)
    words = ("sweep", "sweep.toml", "--games", 12, "--jobs", 1, "--quiet", "--out", "swept")
    empirelab(*words)
    (tmp_path / "swept" / "notes.txt").write_text("mine")
    assert "notes.txt in its folder is not part of it" in complaint(*words, "--overwrite")


@pytest.mark.parametrize(
    "words",
    [("--games", 100), ("--seed", 1), ("--strategies", "civil"), ("--players", 4), ("--set", "a=b"), ("--alpha", 0.05)],
)
def test_two_runs_take_no_option_that_says_how_to_play(
    run: dict[Path, bytes], complaint: Message, words: tuple[object, ...]
) -> None:
    assert run
    said = complaint("compare", "one", "two", *words)
    assert f"field {str(words[0])[2:]}: this option needs a game, not two finished runs" in said


def test_tables_go_into_a_folder_that_is_named_with_a_slash(
    empirelab: Program, run: dict[Path, bytes], tmp_path: Path
) -> None:
    assert run
    empirelab("compare", "one", "two", "--csv", "tables/all/")
    names = [path.name for path in (tmp_path / "tables" / "all").iterdir()]
    assert {"change-faction.csv", "change-seat.csv", "spread.csv"} <= set(names)
    empirelab("plan", "seven_wonders", "--pilot", 60, "--players", 3, "--csv", "plan/", "--html", "p.html")
    assert [path.name for path in (tmp_path / "plan").iterdir()] == ["plan.csv"]
    assert "How many games" in (tmp_path / "p.html").read_text("utf-8")
