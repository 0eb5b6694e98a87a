"""The commands of the program on Imperium: what they print and write, and one clear message for bad input."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from sim.cli import main

Program = Callable[..., tuple[int, str, str]]


@pytest.fixture
def program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Program:
    """Run a command in an empty folder; return exit status, what it prints, and what it complains of."""
    monkeypatch.chdir(tmp_path)

    def run(*words: str) -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "argv", ["empirelab", *words])
        with pytest.raises(SystemExit) as end:
            main()
        printed = capsys.readouterr()
        assert isinstance(end.value.code, int)
        return end.value.code, printed.out, printed.err

    return run


def succeed(program: Program, *words: str) -> str:
    """Run a command that must succeed; return what it prints."""
    status, out, err = program(*words)
    assert status == 0, err
    return " ".join(out.split())


SMALL = ("--games", "24", "--jobs", "1")


# ---- What is there ----


def test_games_and_strategies_are_listed(program: Program) -> None:
    listed = succeed(program, "games")
    assert "imperium (Imperium)" in listed
    assert "legends 2 to 4 players with the common cards of Legends" in listed
    assert "balanced" in succeed(program, "strategies", "imperium")


# ---- Runs and their reports ----


@pytest.mark.usefixtures("compiled_only")
@pytest.mark.usefixtures("sketched_figures")
def test_a_run_of_all_tables_is_reported_in_every_form(program: Program) -> None:
    tables = ("--players", "2,3,4", "--variant", "classics,legends")
    played = ("--games", "24", "--jobs", "1", "--strategies", "balanced,random", "--detail", "cards", "--out", "run")
    succeed(program, "simulate", "imperium", *tables, *played)
    files = ("--html", "page.html", "--csv", "tables.csv")
    out = succeed(program, "report", "run", "--full", *files)
    assert "Win rate by nation side" in out
    assert "Win rate by nation" in out
    assert "nation sides rest on a single source" in out
    assert "wonder" not in out
    assert "Those who build" not in out
    page = Path("page.html").read_text("utf-8")
    assert "Celts B" in page
    assert "nation side" in page
    assert json.loads(succeed(program, "report", "run", "--json"))
    told = succeed(program, "replay", "run", "--game", "23")
    assert "Round 1" in told
    assert "Winner" in told


@pytest.mark.usefixtures("compiled_only")
@pytest.mark.parametrize("factions", ["Celts B,Romans A", "B", "legends", "Vikings,Utopians A"])
def test_nations_are_chosen_by_name_side_or_box(program: Program, factions: str) -> None:
    options = ("--players", "2", "--factions", factions, "--strategies", "random", "--out", "run")
    assert "24 games" in succeed(program, "simulate", "imperium", *SMALL, *options)


@pytest.mark.usefixtures("compiled_only")
def test_a_changed_card_is_compared_on_the_same_deals(program: Program) -> None:
    change = "celts.toml#Celts B.vp_for.cap=20"
    options = ("--players", "2", "--strategies", "random", "--factions", "Celts B,Romans A")
    said = succeed(program, "compare", "imperium", *SMALL, *options, "--change", change)
    assert "Both runs play the same 24 games on the same deals" in said
    assert "Celts B, most points for what is counted: 10 to 20" in said


@pytest.mark.usefixtures("compiled_only")
def test_a_fair_value_is_searched_and_a_card_is_taken_away(program: Program) -> None:
    options = (*SMALL, "--players", "2", "--strategies", "random")
    said = succeed(program, "rebalance", "imperium", "--faction", "Celts B", "--knob", "vp_for.points", *options)
    assert "As printed, with vp_for.points = 2" in said
    said = succeed(program, "intervene", "imperium", "--card", "Lydians", *options)
    assert "without its effects" in said
    assert "built" not in said


@pytest.mark.usefixtures("compiled_only")
def test_a_plan_says_how_many_games_it_takes(program: Program) -> None:
    words = ("plan", "imperium", "--pilot", "120", "--jobs", "1", "--players", "2", "--strategies", "random")
    assert "nation sides with 90 % power" in succeed(program, *words)


# ---- Bad input ----


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["simulate", "imperium", "--players", "2", "--factions", "Celts A,Celts B"], "different nations"),
        (["intervene", "imperium", "--card", "Advanse"], "did you mean 'Advance'"),
        (["rebalance", "imperium", "--faction", "Celts", "--knob", "vp_for.points"], "Celts A"),
        (["rebalance", "imperium", "--faction", "Celts B", "--knob", "coins_start"], "coins_start"),
        (["compare", "imperium", "--change", "celts.toml#Keltoi.vp=2"], "Keltoi"),
    ],
)
def test_bad_input_gets_one_clear_message(program: Program, words: list[str], said: str, tmp_path: Path) -> None:
    status, _, err = program(*words)
    assert status == 2
    message = " ".join(err.split())
    assert said in message
    assert err.startswith("empirelab: ")
    assert "Traceback" not in err
    assert list(tmp_path.iterdir()) == []
