"""Random runs with everything checked: what is drawn, what is found, and that what is printed plays it again."""

from __future__ import annotations

import json
import shlex
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import sim.soak
from sim.batch import Plan
from sim.runs.config import make_plan
from sim.soak import draw_trial, play_trial, soak
from tests.kit.plans import KIT_GAMES

TINY = "goofspiel"
"""A game whose kernels are compiled in a moment."""


@pytest.mark.parametrize("game", KIT_GAMES)
def test_every_trial_that_is_drawn_can_be_played_and_is_drawn_again_alike(game: str) -> None:
    trials = [draw_trial(game, 7, number) for number in range(12)]
    assert trials == [draw_trial(game, 7, number) for number in range(12)]
    plans = [make_plan(trial.config) for trial in trials]
    assert len({(plan.variant, plan.players, plan.assign, plan.lineup) for plan in plans}) > 6
    assert trials != [draw_trial(game, 8, number) for number in range(12)]


def test_decks_are_dealt_in_some_trials() -> None:
    deck = str(Path(__file__).parents[2] / "docs" / "examples" / "my_deck.toml")
    decks = [draw_trial("imperial_settlers", 1, number, [deck]).config.decks for number in range(12)]
    assert [deck] in decks
    assert [] in decks


@pytest.mark.slow
def test_a_game_is_soaked_in_a_process_of_its_own(empirelab: Callable[..., Any]) -> None:
    outcome = empirelab("soak", TINY, "--minutes", 0, "--json")
    assert outcome.status == 0, outcome
    found = json.loads(outcome.out)
    assert found["trials"] == 1
    assert found["games"] > 0
    assert found["violations"] == []


@pytest.fixture
def lawless(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every table breaks a law."""

    def make(config: Any) -> Plan:
        plan = make_plan(config)
        return replace(plan, game=replace(plan.game, laws="tests.kit.never_kept"))

    monkeypatch.setattr(sim.soak, "make_plan", make)


@pytest.mark.usefixtures("lawless")
def test_a_broken_law_ends_a_trial_at_its_first_stretch() -> None:
    begun, fault = play_trial(draw_trial(TINY, 1, 0))
    assert begun == make_plan(draw_trial(TINY, 1, 0).config).block_games
    assert fault.startswith("not so: nothing is allowed (game 0, decision 0, seat ")


@pytest.mark.usefixtures("lawless")
def test_what_does_not_hold_is_told_with_the_commands_that_play_it_again(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    sim.soak.soak_here(TINY, 3, iter([5]), None, [])
    done = json.loads(capsys.readouterr().out.splitlines()[-1])
    again, plain = (shlex.split(done["violation"][name]) for name in ("again", "plain"))
    begun = again[again.index("--games") + 1]
    assert again == ["empirelab", "soak", TINY, "--seed", "3", "--trial", "5", "--games", begun]
    assert plain[:5] == ["empirelab", "simulate", TINY, "--games", begun]
    assert play_trial(draw_trial(TINY, 3, 5), int(begun)) == (int(begun), done["violation"]["fault"])


def test_a_process_that_cannot_begin_is_an_error(
    complaint: Callable[..., str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sim.soak.sys, "executable", "/bin/false")
    assert "no trial can be played: the process died with status 1" in complaint(
        "soak", TINY, "--minutes", 0, "--quiet"
    )


DYING = """#!/bin/sh
echo '{"trial": 4}'
echo '{"clean": 8}'
kill -SEGV $$
"""


def test_a_trial_in_which_the_process_dies_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    dying = tmp_path / "dying"
    dying.write_text(DYING, "utf-8")
    dying.chmod(0o755)
    monkeypatch.setattr(sim.soak.sys, "executable", str(dying))
    found = soak(TINY, seconds=0)
    assert (found.trials, found.games) == (1, 8)
    (violation,) = found.violations
    assert violation.fault == "the process died with status -11 (behind game 8)"
    assert violation.again == "empirelab soak goofspiel --seed 1 --trial 4"


def test_wrong_input_is_told(complaint: Callable[..., str]) -> None:
    assert "unknown game" in complaint("soak", "seven_wondrs")
    assert "field games: this option needs --trial" in complaint("soak", TINY, "--games", 3)
