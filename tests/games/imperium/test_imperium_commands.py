"""The commands of the program on Imperium: what they print and write, and one clear message for bad input."""

import json
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from sim.cli import main

Program = Callable[..., tuple[int, str, str]]
SMALL = ("--games", "24", "--jobs", "1", "--players", "2", "--strategies", "random")


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


def test_games_and_strategies_are_listed(program: Program) -> None:
    assert "imperium Imperium 2 to 4 classics, legends" in succeed(program, "games")
    assert "balanced" in succeed(program, "strategies", "imperium")


@pytest.mark.usefixtures("compiled_only")
def test_a_run_of_several_tables_is_reported_and_told(program: Program) -> None:
    tables = ("--players", "2,4", "--variant", "classics,legends")
    succeed(program, "simulate", "imperium", *SMALL, *tables, "--out", "run")
    assert json.loads(succeed(program, "report", "run", "--json"))
    told = succeed(program, "replay", "run", "--game", "23")
    assert "Round 1" in told
    assert "Winner" in told


@pytest.mark.usefixtures("compiled_only")
@pytest.mark.parametrize("factions", ["Celts B,Romans A", "B", "legends", "Vikings,Utopians A"])
def test_nations_are_chosen_by_name_side_or_box(program: Program, factions: str) -> None:
    assert "24 games" in succeed(program, "simulate", "imperium", *SMALL, "--factions", factions, "--out", "run")


@pytest.mark.usefixtures("compiled_only")
@pytest.mark.parametrize(
    ("words", "said"),
    [
        (
            ["compare", "--factions", "Celts B,Romans A", "--change", "celts.toml#Celts B.vp_for.cap=20"],
            "Celts B, most points for what is counted: 10 to 20",
        ),
        (["rebalance", "--faction", "Celts B", "--knob", "vp_for.points"], "As printed, with vp_for.points = 2"),
        (["intervene", "--card", "Lydians"], "without its effects"),
    ],
)
def test_studies_speak_of_its_cards_and_nations(program: Program, words: list[str], said: str) -> None:
    assert said in succeed(program, words[0], "imperium", *SMALL, *words[1:])


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
    assert (status, err[:11], "Traceback" in err) == (2, "empirelab: ", False)
    assert said in " ".join(err.split())
    assert list(tmp_path.iterdir()) == []
