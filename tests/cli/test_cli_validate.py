"""`validate` sets runs beside real games; `predict` writes before what `validate` holds against them later."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from sim.league.folder import write_league
from sim.league.read import SEAT_COLUMNS, League
from tests.cli.conftest import Program
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


def said(empirelab: Program, *folders: Path) -> dict[str, Any]:
    return dict(json.loads(empirelab("validate", *folders, "--json").out))


def test_a_simulation_that_says_what_people_found_is_told_from_one_that_says_the_opposite(
    empirelab: Program, agreeing: Path, contradicting: Path, league: Path
) -> None:
    found = said(empirelab, agreeing, contradicting, league)
    alike, opposite = found["sections"][0]["sentences"][:2]
    assert alike.startswith("Factions that win more among people win more with balanced: rank correlation")
    assert opposite.startswith("Factions that win more among people win less with greedy: rank correlation -")
    slopes = {row["rung"]: row["slope"] for row in found["calibrations"]}
    assert slopes["balanced"] > 0 > slopes["greedy"]
    differ = {claim["subject"] for claim in found["claims"] if claim["kind"] == "people and simulation"}
    assert {"F1, greedy", "F2, greedy"} <= differ


def test_the_page_has_the_picture_and_every_faction(
    empirelab: Program, tmp_path: Path, agreeing: Path, league: Path
) -> None:
    assert empirelab("validate", agreeing, league, "--html", "page.html").status == 0
    page = (tmp_path / "page.html").read_text("utf-8")
    assert page.count("<svg") >= 1
    assert all(name in page for name in SCORES)
    assert "People played at tables of 3, 4 or 5, the simulation at tables of 4" in page


def test_a_run_that_has_no_faction_of_the_league_is_refused_with_the_names_of_both(
    empirelab: Program, tmp_path: Path, league: Path
) -> None:
    strange = write_run(tmp_path / "strange", Truth(blocks=20, strategies={"balanced": 0.0}))
    outcome = empirelab("validate", strange, league)
    assert outcome.status == 2
    assert "fewer than 2 factions with enough games in common" in outcome.err
    assert "F1" in outcome.err
    assert "Rhodos" in outcome.err


@pytest.mark.parametrize("order", ["only a run", "the league first", "a run twice", "a run for a league"])
def test_folders_in_another_order_are_refused(empirelab: Program, agreeing: Path, league: Path, order: str) -> None:
    folders = {
        "only a run": [agreeing],
        "the league first": [league, agreeing],
        "a run twice": [agreeing] * 2 + [league],
        "a run for a league": [agreeing] * 2,
    }
    outcome = empirelab("validate", *folders[order])
    assert outcome.status == 2
    assert "Traceback" not in outcome.err
    assert "no such file" not in outcome.err


def test_predictions_are_held_against_the_league_that_comes_later(
    empirelab: Program, tmp_path: Path, agreeing: Path, contradicting: Path, league: Path
) -> None:
    for run, name in ((agreeing, "right.json"), (contradicting, "wrong.json")):
        (tmp_path / "validation.json").write_text(empirelab("validate", agreeing, league, "--json").out, "utf-8")
        more = ["--calibration", "validation.json"] if run is agreeing else []
        assert empirelab("predict", run, "--out", name, *more).status == 0
    rows = {
        name: said(empirelab, Path(name), league)["sections"][0]["listings"] for name in ("right.json", "wrong.json")
    }
    held = {name: [row["held"] for row in listings[0]["rows"]] for name, listings in rows.items()}
    assert "outside" not in held["right.json"]
    assert held["wrong.json"].count("outside") >= 2
    written = json.loads((tmp_path / "right.json").read_text("utf-8"))
    assert written["calibration"]["rung"] == "balanced"
    assert all(row["low"] < row["edge"] < row["high"] for row in written["predictions"])


def test_a_league_that_names_wonders_without_sides_is_predicted_too(
    empirelab: Program, tmp_path: Path, league: Path
) -> None:
    sides = {f"{name} {side}": score for name, score in SCORES.items() for side in "AB"}
    run = write_run(tmp_path / "sides", Truth(blocks=300, factions=sides, strategies={"balanced": 0.0}))
    assert empirelab("predict", run, "--out", "said.json").status == 0
    section = said(empirelab, Path("said.json"), league)["sections"][0]
    assert {row["level"] for row in section["listings"][0]["rows"]} == set(SCORES)
    assert said(empirelab, run, league)["sections"][1]["listings"][0]["rows"][0]["level"] == "F1"


def test_predictions_that_were_changed_afterwards_are_refused(
    empirelab: Program, tmp_path: Path, agreeing: Path, league: Path
) -> None:
    empirelab("predict", agreeing, "--out", "said.json")
    text = (tmp_path / "said.json").read_text("utf-8")
    (tmp_path / "said.json").write_text(text.replace('"written": "2', '"written": "1'), "utf-8")
    outcome = empirelab("validate", "said.json", league)
    assert outcome.status == 2
    assert "changed after they were written" in outcome.err


def test_predictions_are_not_replaced(empirelab: Program, tmp_path: Path, agreeing: Path) -> None:
    empirelab("predict", agreeing, "--out", "said.json")
    before = (tmp_path / "said.json").read_bytes()
    outcome = empirelab("predict", agreeing, "--out", "said.json")
    assert outcome.status == 2
    assert "predictions are not replaced" in outcome.err
    assert (tmp_path / "said.json").read_bytes() == before


def test_a_calibration_of_other_players_is_refused(
    empirelab: Program, tmp_path: Path, agreeing: Path, contradicting: Path, league: Path
) -> None:
    (tmp_path / "validation.json").write_text(empirelab("validate", agreeing, league, "--json").out, "utf-8")
    outcome = empirelab("predict", contradicting, "--out", "said.json", "--calibration", "validation.json")
    assert outcome.status == 2
    assert "no calibration of these players" in outcome.err
    assert not (tmp_path / "said.json").exists()
