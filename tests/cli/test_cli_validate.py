"""`validate` sets runs beside real games; `predict` writes before what `validate` holds against them later."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from sim.league.folder import write_league
from sim.league.read import SEAT_COLUMNS, League
from tests.cli.conftest import Message, Program
from tests.reports.leagues import MadeUpLeague
from tests.reports.synthetic import Truth, write_run

STRENGTHS = (0.0, 0.6, -0.6, 0.3, -0.3, 0.0)
SCORES = {"F0": 0.0, "F1": 5.0, "F2": -5.0, "F3": 2.5, "F4": -2.5, "F5": 0.0}


@pytest.fixture(scope="module")
def league(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A league whose factions are as unequal as those of the run that agrees with it."""
    made, _ = MadeUpLeague(strength=STRENGTHS, games=600).made(1)
    folder = tmp_path_factory.mktemp("leagues") / "club"
    write_league(League("club", made.seats.select(SEAT_COLUMNS)), folder)
    return folder


@pytest.fixture(scope="module")
def agreeing(tmp_path_factory: pytest.TempPathFactory) -> Path:
    truth = Truth(blocks=1000, factions=SCORES, strategies={"balanced": 0.0})
    return write_run(tmp_path_factory.mktemp("runs") / "agreeing", truth)


@pytest.fixture(scope="module")
def contradicting(tmp_path_factory: pytest.TempPathFactory) -> Path:
    turned = {name: -score for name, score in SCORES.items()}
    truth = Truth(blocks=1000, factions=turned, strategies={"greedy": 0.0}, seed=2)
    return write_run(tmp_path_factory.mktemp("runs") / "contradicting", truth)


def test_a_simulation_that_says_what_people_found_is_told_from_one_that_says_the_opposite(
    empirelab: Program, agreeing: Path, contradicting: Path, league: Path
) -> None:
    found = empirelab("validate", agreeing, contradicting, league, "--json", "--html", "page.html").json
    alike, opposite = found["sections"][0]["sentences"][:2]
    assert alike.startswith("Factions that win more among people win more with balanced: rank correlation")
    assert opposite.startswith("Factions that win more among people win less with greedy: rank correlation -")
    slopes = {row["rung"]: row["slope"] for row in found["calibrations"]}
    assert slopes["balanced"] > 0 > slopes["greedy"]
    differ = {claim["subject"] for claim in found["claims"] if claim["kind"] == "people and simulation"}
    assert {"F1, greedy", "F2, greedy"} <= differ
    page = Path("page.html").read_text("utf-8")
    assert "<svg" in page
    assert all(name in page for name in SCORES)
    assert "People played at tables of 3, 4 or 5, the simulation at tables of 4" in page


def test_a_run_that_has_no_faction_of_the_league_is_refused_with_the_names_of_both(
    complaint: Message, tmp_path: Path, league: Path
) -> None:
    strange = write_run(tmp_path / "strange", Truth(blocks=20, strategies={"balanced": 0.0}))
    told = complaint("validate", strange, league)
    assert "fewer than 2 factions with enough games in common" in told
    assert "F1" in told
    assert "Rhodos" in told


def test_folders_in_another_order_are_refused(complaint: Message, agreeing: Path, league: Path) -> None:
    for folders in ([agreeing], [league, agreeing], [agreeing, agreeing, league], [agreeing, agreeing]):
        assert "no such file" not in complaint("validate", *folders)


def test_predictions_are_held_against_the_league_that_comes_later(
    empirelab: Program, complaint: Message, agreeing: Path, contradicting: Path, league: Path
) -> None:
    Path("validation.json").write_text(empirelab("validate", agreeing, league, "--json").out, "utf-8")
    calibrated = ("--calibration", "validation.json")
    empirelab("predict", agreeing, "--out", "right.json", *calibrated)
    empirelab("predict", contradicting, "--out", "wrong.json")
    refused = complaint("predict", contradicting, "--out", "said.json", *calibrated)
    assert "no calibration of these players" in refused
    held = {}
    for name in ("right.json", "wrong.json"):
        section = empirelab("validate", name, league, "--json").json["sections"][0]
        held[name] = [row["held"] for row in section["listings"][0]["rows"]]
    assert "outside" not in held["right.json"]
    assert held["wrong.json"].count("outside") >= 2
    written = json.loads(Path("right.json").read_text("utf-8"))
    assert written["calibration"]["rung"] == "balanced"
    assert all(row["low"] < row["edge"] < row["high"] for row in written["predictions"])


def test_a_league_that_names_wonders_without_sides_is_predicted_too(empirelab: Program, league: Path) -> None:
    sides = {f"{name} {side}": score for name, score in SCORES.items() for side in "AB"}
    run = write_run(Path("sides"), Truth(blocks=300, factions=sides, strategies={"balanced": 0.0}))
    empirelab("predict", run, "--out", "said.json")
    section = empirelab("validate", "said.json", league, "--json").json["sections"][0]
    assert {row["level"] for row in section["listings"][0]["rows"]} == set(SCORES)
    section = empirelab("validate", run, league, "--json").json["sections"][1]
    assert section["listings"][0]["rows"][0]["level"] == "F1"


def test_predictions_are_not_replaced_and_are_refused_if_changed_afterwards(
    empirelab: Program, complaint: Message, agreeing: Path, league: Path
) -> None:
    empirelab("predict", agreeing, "--out", "said.json")
    text = Path("said.json").read_text("utf-8")
    assert "predictions are not replaced" in complaint("predict", agreeing, "--out", "said.json")
    assert Path("said.json").read_text("utf-8") == text
    Path("said.json").write_text(text.replace('"written": "2', '"written": "1'), "utf-8")
    assert "changed after they were written" in complaint("validate", "said.json", league)
