"""The commands of the program on Imperium, whose tables, nations and cards have names of their own."""

import pytest

from tests.cli.conftest import Program

pytestmark = pytest.mark.usefixtures("compiled_only")
SMALL = ("--games", 24, "--jobs", 1, "--players", 2, "--strategies", "random")


def test_a_run_of_several_tables_is_reported_and_told(empirelab: Program) -> None:
    tables = ("--players", "2,4", "--variant", "classics,legends")
    empirelab("simulate", "imperium", *SMALL, *tables, "--out", "run")
    assert empirelab("report", "run", "--json").json
    told = empirelab("replay", "run", "--game", "23").said
    assert "Round 1" in told
    assert "Winner" in told


@pytest.mark.parametrize("factions", ["Celts B,Romans A", "B", "legends", "Vikings,Utopians A"])
def test_nations_are_chosen_by_name_side_or_box(empirelab: Program, factions: str) -> None:
    assert "24 games" in empirelab("simulate", "imperium", *SMALL, "--factions", factions, "--out", "run").said


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
def test_studies_speak_of_its_cards_and_nations(empirelab: Program, words: list[str], said: str) -> None:
    assert said in empirelab(words[0], "imperium", *SMALL, *words[1:]).said
