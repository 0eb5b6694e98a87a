"""The commands that compare two arms, and that say how many games a question needs."""

import os
import shlex
from pathlib import Path

import polars as pl
import pytest

from sim.runs.replay import replay
from sim.runs.store.manifest import read_manifest
from tests.cli.conftest import Message, Program

CHANGE = ("--change", "cards.toml#pawnshop.vp=9")
WITHOUT = "players do not use learned bonuses"
SMALL = ("--games", 400, "--strategies", "balanced,greedy", "--players", 3)


def test_a_game_is_compared_with_a_changed_one_and_the_kept_runs_give_the_same_result(empirelab: Program) -> None:
    written = ("--html", "c.html", "--csv", "c.csv", "--out", "kept")
    outcome = empirelab("compare", "seven_wonders", *CHANGE, *SMALL, *written)
    assert outcome.out.startswith("7 Wonders, Pawnshop 1, points: 3 to 9: 400 games of 3 players")
    assert "Changed: Pawnshop 1, points: 3 to 9." in outcome.out
    assert "Balance before and after" in outcome.out
    frame = pl.read_csv("c.csv")
    assert {"change faction", "change strategy", "change seat", "spread"} <= set(frame["table"])
    page = Path("c.html").read_text("utf-8")
    assert "What changed" in page
    assert "<svg" in page or "data:image" in page
    assert sorted(path.name for path in Path().iterdir()) == ["c.csv", "c.html", "kept"]
    assert sorted(path.name for path in Path("kept").iterdir()) == ["a", "b"]
    again = empirelab("compare", "kept/a", "kept/b", "--json", "--csv", "again.csv").json
    assert pl.read_csv("again.csv").equals(frame)
    wide = empirelab("compare", "kept/a", "kept/b", "--json", "--margin", 40).json
    assert (again["format"], again["margin"], wide["margin"]) == ("empirelab-comparison/1", 0.01, 0.4)
    assert "40 points" in wide["sections"][0]["reading"]


def test_the_next_command_writes_beside_the_kept_runs(empirelab: Program) -> None:
    words = ("compare", "seven_wonders", *CHANGE, "-s", "5")
    wanted = shlex.join(["empirelab", *words])
    assert f"{wanted} --out kept-1600 --games 1600" in empirelab(*words, "-n", "400", "-o", "kept").said


def test_a_margin_is_refused_where_nothing_is_judged_by_it(complaint: Message) -> None:
    assert "field margin" in complaint("compare", "seven_wonders", *CHANGE, "--sprt", "--margin", 2)
    assert "allowed: above 0, below 100" in complaint("compare", "seven_wonders", *CHANGE, "--margin", 0)


@pytest.mark.sweep
def test_another_line_up_is_compared_as_an_independent_run(empirelab: Program) -> None:
    outcome = empirelab("compare", "seven_wonders", *SMALL, "--with-strategies", "balanced,science")
    assert "do not share their deals (different line-up)" in outcome.said


@pytest.mark.sweep
def test_another_rule_in_the_second_arm_shares_its_deals_and_leaves_nothing_behind(empirelab: Program) -> None:
    outcome = empirelab("compare", "seven_wonders", *SMALL, "--with-set", "discounts_add_up=true")
    assert "Changed: discounts add up: false to true." in outcome.out
    assert not list(Path().iterdir())


def test_a_sequential_comparison_stops_and_keeps_its_runs(empirelab: Program, tmp_path: Path) -> None:
    words = ("--sprt", "--effect", 20, "--on", "balanced", "--games", 4000, "--players", 3)
    outcome = empirelab("compare", "seven_wonders", *CHANGE, *words, "--strategies", "balanced,greedy", "--out", "kept")
    assert "No difference of 20 points: balanced." in outcome.out
    assert "Stopped after 750 games of each arm (250 blocks) of 4,000." in outcome.out
    for arm in "ab":
        assert read_manifest(tmp_path / "kept" / arm)["games"] == 750


def test_two_runs_are_compared_as_they_are(empirelab: Program, complaint: Message) -> None:
    empirelab("simulate", "seven_wonders", "--games", 40, "--out", "a", "--quiet")
    assert "a second run is needed" in complaint("compare", "a")
    assert "allowed: empirelab compare seven_wonders --change ..." in complaint("compare", "a", *CHANGE)
    assert "needs a game, not two finished runs" in complaint("compare", "a", "a", *CHANGE)
    assert "A run was compared with itself" in empirelab("compare", "a", "a").out


def test_a_plan_says_how_many_games(empirelab: Program, tmp_path: Path) -> None:
    words = ("plan", "seven_wonders", "--effect", 2, "--power", 0.8, "--pilot", 600, "--strategies", "balanced,greedy")
    outcome = empirelab(*words)
    assert "with 80 % power, play" in outcome.out
    assert "The pilot of 600 games" in outcome.out
    as_json = empirelab(*words, "--json", *CHANGE).json
    assert as_json["pilot_games"] == 600
    assert as_json["needs"][0]["paired"] is not None
    assert not list(tmp_path.iterdir())


def test_a_game_that_counts_more_than_seats_can_be_planned(empirelab: Program) -> None:
    assert "How many games" in empirelab("plan", "history_of_the_world", "--pilot", 60).out


def test_a_page_that_cannot_be_written_is_refused_before_a_game_is_played(
    complaint: Message, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Whoever runs the tests as root may write everywhere.
    monkeypatch.setattr(os, "access", lambda place, mode: False)
    words = ("compare", "seven_wonders", "--change", "cards.toml#pawnshop.vp=4", "--games", 10**9)
    assert "permission denied" in complaint(*words, "--html", tmp_path / "page.html")


@pytest.mark.sweep
def test_that_players_do_without_lessons_is_said_everywhere_and_such_runs_play_again(empirelab: Program) -> None:
    words = ("seven_wonders", *CHANGE, "--strategies", "taught", "--games", 40, "--out", "kept", "--html", "page.html")
    for arguments in (words, ("kept/a", "kept/b")):
        sections = empirelab("compare", *arguments, "--json").json["sections"]
        assert sum(WITHOUT in line for section in sections for line in section["sentences"]) == 1
    assert WITHOUT in Path("page.html").read_text("utf-8")
    for run in (Path("kept", "a"), Path("kept", "b")):
        assert "taught.toml#weights.lessons=0" in read_manifest(run)["changes"]
        assert replay(run, 1)  # which ends as it was recorded


def test_a_sequential_comparison_says_it_too(empirelab: Program) -> None:
    words = (*CHANGE, "--strategies", "taught", "--games", 40, "--sprt", "--on", "Rhodos B")
    assert WITHOUT in empirelab("compare", "seven_wonders", *words).said
