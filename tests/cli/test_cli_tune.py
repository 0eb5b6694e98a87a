"""`empirelab tune`: what it writes and says, and what it refuses."""

import tomllib
from pathlib import Path

import pytest

from tests.cli.conftest import Message, Program

SMALL = ("--games", 32, "--generations", 1, "--population", 4, "--fresh", 64, "--jobs", 1)


def test_tune_writes_a_strategy_that_can_be_played_and_told(empirelab: Program, tmp_path: Path) -> None:
    done = empirelab("tune", "seven_wonders", "military", "--pool", "civil", *SMALL)
    assert "varying 42 weights of military, 4 candidates in each of 1 generation\n" in done.err
    assert "fresh games" in done.out
    assert "written: military-tuned.toml" in done.out
    assert "this takes about" in done.err
    assert "Next: " in done.out
    content = tomllib.loads((tmp_path / "military-tuned.toml").read_text("utf-8"))
    assert content["base"] == "military"
    own = ("--code", "military-tuned.toml", "--strategies", "military-tuned,civil")
    empirelab("simulate", "seven_wonders", "--games", 8, *own, "--out", "run")
    empirelab("replay", "run", "--game", 3)


PLAYER = """\"\"\"Saves coins.\"\"\"
WEIGHTS = {"coin": 1.0, "late": 0.5}


def score(g, t, me, decision, option, w):
    return w.weight[0] * g.coins[me] - w.weight[1] * g.option_price[option]
"""
"""A player that compiles in no time."""


@pytest.mark.usefixtures("compiled_only")
def test_a_tuned_python_file_plays_beside_the_one_it_comes_from(empirelab: Program, tmp_path: Path) -> None:
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "my_player.py").write_text(PLAYER, "utf-8")
    own = ("--code", "mine/my_player.py", "--out", "tuned.toml")
    empirelab("tune", "seven_wonders", "my_player", *own, "--pool", "greedy", *SMALL, "--quiet")
    assert tomllib.loads((tmp_path / "tuned.toml").read_text("utf-8"))["base"] == "mine/my_player.py"
    both = ("--code", "tuned.toml", "--strategies", "my_player-tuned,my_player")
    empirelab("simulate", "seven_wonders", "--games", 8, *both, "--out", "run")
    empirelab("replay", "run", "--game", 3, "--trust")


@pytest.mark.usefixtures("compiled_only")
@pytest.mark.parametrize("based_on_code", [False, pytest.param(True, marks=pytest.mark.sweep)])
def test_what_was_tuned_can_be_tuned_again_and_played_by_itself(empirelab: Program, based_on_code: bool) -> None:
    Path("my_player.py").write_text(PLAYER, "utf-8")
    first, code = ("my_player", ("--code", "my_player.py")) if based_on_code else ("civil", ())
    Path("two.toml").write_text("older", "utf-8")
    one = ("--name", "one", "--out", "one.toml", *code)
    again = ("--name", "two", "--out", "two.toml", "--code", "one.toml")
    empirelab("tune", "seven_wonders", first, *one, "--pool", "greedy", *SMALL, "--quiet")
    done = empirelab("tune", "seven_wonders", "one", *again, "--pool", "greedy", *SMALL, "--quiet", "--overwrite")
    assert done.out.count("--overwrite") == 1  # in the command that searches longer
    Path("one.toml").unlink()
    own = ("--code", "two.toml", "--strategies", "two,greedy")
    empirelab("simulate", "seven_wonders", "--games", 8, *own, "--out", "run")


def test_tune_leaves_a_file_that_is_there_alone(complaint: Message, tmp_path: Path) -> None:
    (tmp_path / "civil-tuned.toml").write_text("mine")
    assert "the file exists" in complaint("tune", "seven_wonders", "civil")
    assert (tmp_path / "civil-tuned.toml").read_text() == "mine"


@pytest.mark.usefixtures("sketched_figures")
def test_the_page_of_a_tuned_strategy_opens_with_a_picture_the_file_and_the_next_command(empirelab: Program) -> None:
    own = ("--weights", "blue", "--pool", "greedy", "--html", "page.html", "--json", "--quiet")
    done = empirelab("tune", "seven_wonders", "civil", *own, *SMALL)
    assert (done.err, done.json["population"]) == ("", 4)
    page = Path("page.html").read_text("utf-8")
    opening = page.partition("<h2>")[2]
    assert opening.startswith("civil-tuned is ")
    assert 'data-figure="old and new"' in opening
    assert "What to do next" in opening
    assert "The strategy as a file" in opening
    assert "civil-tuned&#34;" in opening or 'name = "civil-tuned"' in opening
