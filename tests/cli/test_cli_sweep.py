"""`sweep`, `rebalance` and `intervene` from the command line: what they print, write and refuse."""

import json
from pathlib import Path

import pytest

from tests.cli.conftest import Message, Program

pytestmark = pytest.mark.usefixtures("sketched_figures")

FILE = """
game = "seven_wonders"
games = 1000000
players = 3
strategies = ["random"]
watch = ["Gizah A"]
[[vary]]
change = "cards.toml#pawnshop.vp"
values = [3, 30]
"""
REBALANCE = ("rebalance", "seven_wonders", "--strategies", "random", "--players", "3", "--games", "60", "--jobs", "1")


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "points.toml"
    path.write_text(FILE)
    return path


def test_a_sweep_prints_and_writes(empirelab: Program, complaint: Message, file: Path, tmp_path: Path) -> None:
    outcome = empirelab("sweep", file, "--games", "30", "--seed", "7", "--jobs", "1", "--html", "points.html")
    page = (tmp_path / "points.html").read_text("utf-8")
    assert "30 games at each value, random, seed 7" in page
    assert "fair" in page
    assert "<figure" in page
    assert "30 games of 3 at each of 2 settings, all on the same deals, seed 7" in outcome.out
    assert "Gizah A" in outcome.out
    assert "against vp = 3 (as printed)" in outcome.said
    folder = tmp_path / "runs" / "sweep-points"
    assert sorted(path.name for path in folder.iterdir()) == ["sweep.json", "sweep.parquet", "sweep.png"]
    assert json.loads((folder / "sweep.json").read_text())["config"]["seed"] == 7
    assert "the output folder exists" in complaint("sweep", file, "--games", "30", "--quiet", "--jobs", "1")
    assert empirelab("sweep", file, "--games", "30", "--jobs", "1", "--quiet", "--overwrite").out == ""


def test_a_search_prints_sentences_and_json(empirelab: Program) -> None:
    plain = empirelab(*REBALANCE, "--faction", "Gizah A", "--knob", "stage.1.vp", "--high", "60")
    assert "Values tried" in plain.out
    assert "playing 60 games with Gizah A: stage 1 points = 3" in plain.err
    exact = empirelab(*REBALANCE, "--faction", "Gizah A", "--knob", "stage.1.vp", "--high", "60", "--json", "-q")
    found = exact.json
    assert (found["faction"], found["printed"], exact.err) == ("Gizah A", 3, "")
    assert found["sentences"][0] in plain.said


def test_what_a_card_is_worth_is_printed_and_written(empirelab: Program, tmp_path: Path) -> None:
    asked = ("intervene", "seven_wonders", "--card", "Altar", "--games", "60", "--jobs", "1", "--strategies", "random")
    plain = empirelab(*asked, "--csv", "cards.csv", "--png", "cards.png", "--html", "cards.html", "--quiet")
    assert "Value of cards" in plain.out
    assert "written: cards.png" in plain.out
    assert (tmp_path / "cards.csv").read_text("utf-8").startswith("table,card,games")
    assert (tmp_path / "cards.png").read_bytes().startswith(b"\x89PNG")
    found = empirelab(*asked, "--json", "--quiet").json
    assert (found["make"], [row["card"] for row in found["cards"]]) == ("none", ["Altar (1)"])
    assert found["sections"][0]["name"] == "intervention"
