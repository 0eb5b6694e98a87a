"""Nothing that was played before is lost by a slip: what commands refuse to write over, and options without effect."""

from pathlib import Path

import pytest

from sim.runs.store.manifest import read_manifest
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
def run(once: Program, tmp_path: Path) -> dict[Path, bytes]:
    """Two runs, `one` and `two`; what their files hold."""
    for name in ("one", "two"):
        once("simulate", "seven_wonders", *PLAYED, "--out", name)
    return {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()}


PART, INSIDE = "this is a part of a run", "the output folder lies inside a run"


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("compare", "one", "two", "--html", "one/run.json"), PART),
        (("compare", "one", "two", "--csv", "two/seats/part-000000.parquet"), PART),
        (("compare", "one", "two", "--html", "two/seats/new.html"), PART),
        (("compare", "one", "two", "--html", "one"), "this is a folder"),
        (("compare", "one", "two", "--html", "none/page.html"), "there is no such folder"),
        (("compare", "one", "two", "--csv", "one/run.json/"), PART),
        (("tune", "seven_wonders", "civil", "--out", "one/run.json", "--overwrite"), PART),
        (("tune", "seven_wonders", "civil", "--out", "one", "--overwrite"), "this is a folder"),
        (("intervene", "seven_wonders", "--card", "Altar", "--csv", "one/run.json"), PART),
        ((*CHANGE, "--out", "one"), INSIDE),
        ((*CHANGE, "--out", "one/more"), INSIDE),
        (("simulate", "seven_wonders", "--out", "one/more"), INSIDE),
        (("simulate", "seven_wonders", "--out", "one/seats/more", "--overwrite"), INSIDE),
        (("sweep", "sweep.toml", "--out", "one/more"), INSIDE),
    ],
)
def test_no_part_of_a_run_is_written_over(
    run: dict[Path, bytes], complaint: Message, tmp_path: Path, words: tuple[str, ...], message: str
) -> None:
    (tmp_path / "sweep.toml").write_text(SWEEP)
    assert message in complaint(*words)
    assert {path: path.read_bytes() for path in run} == run


@pytest.mark.parametrize(
    ("name", "told"),
    [(name, name) for name in ("page.html", "seats/notes.txt", "seats/part-000000.parquet.bak")]
    + [("a/run.json", "a")],
)
def test_a_run_is_not_replaced_while_its_folder_holds_anything_else(
    run: dict[Path, bytes], complaint: Message, tmp_path: Path, name: str, told: str
) -> None:
    own = tmp_path / "one" / name
    own.parent.mkdir(exist_ok=True)
    own.write_text("mine")
    said = complaint("simulate", "seven_wonders", *PLAYED, "--out", "one", "--overwrite")
    assert f"{told} in its folder is not part of it" in said
    assert own.read_text() == "mine"
    assert {path: path.read_bytes() for path in run} == run


@pytest.mark.usefixtures("run")
def test_a_run_alone_in_its_folder_is_replaced(empirelab: Program) -> None:
    empirelab("simulate", "seven_wonders", *PLAYED, "--seed", 2, "--out", "one", "--overwrite")
    assert read_manifest(Path("one"))["seed"] == 2


def test_a_sweep_is_not_replaced_while_its_folder_holds_anything_else(empirelab: Program, complaint: Message) -> None:
    Path("sweep.toml").write_text(SWEEP)
    words = ("sweep", "sweep.toml", "--games", 12, "--jobs", 1, "--quiet", "--out", "swept")
    empirelab(*words)
    Path("swept", "notes.txt").write_text("mine")
    assert "notes.txt in its folder is not part of it" in complaint(*words, "--overwrite")


@pytest.mark.usefixtures("run")
def test_two_runs_take_no_option_that_says_how_to_play(complaint: Message) -> None:
    options = {"games": 100, "seed": 1, "strategies": "civil", "players": 4, "set": "a=b", "alpha": 0.05}
    for name, value in options.items():
        said = complaint("compare", "one", "two", f"--{name}", value)
        assert f"field {name}: this option needs a game, not two finished runs" in said


@pytest.mark.usefixtures("run")
def test_tables_go_into_a_folder_that_is_named_with_a_slash(empirelab: Program, tmp_path: Path) -> None:
    empirelab("compare", "one", "two", "--csv", "tables/all/")
    names = [path.name for path in (tmp_path / "tables" / "all").iterdir()]
    assert {"change-faction.csv", "change-seat.csv", "spread.csv"} <= set(names)
    empirelab("plan", "seven_wonders", "--pilot", 60, "--players", 3, "--csv", "plan/", "--html", "p.html")
    assert [path.name for path in (tmp_path / "plan").iterdir()] == ["plan.csv"]
    assert "How many games" in (tmp_path / "p.html").read_text("utf-8")
