"""Runs of which one has only some games of the other are compared by the deals that both have."""

from collections.abc import Callable
from typing import Any

import pytest

from tests.cli.conftest import Program

PLAN = ("--strategies", "balanced,greedy", "--quiet")
CHANGE = ("--change", "cards.toml#altar.vp=20")
STRETCH = ("--games", 120, "--games-from", 30, "--games-to", 90)

Play = Callable[..., None]


@pytest.fixture
def play(empirelab: Program) -> Play:
    """Play a run into a folder."""

    def run(name: str, *options: object) -> None:
        players = () if "--players" in options else ("--players", 3)
        empirelab("simulate", "seven_wonders", *PLAN, *players, "--out", name, *options)

    return run


@pytest.fixture
def found(empirelab: Program) -> Callable[..., tuple[Any, str]]:
    """Compare two runs: the tables that were found, and all that was said."""

    def run(first: str, second: str) -> tuple[Any, str]:
        outcome = empirelab("compare", first, second, "--json")
        sections = outcome.json["sections"]
        said = " ".join(sentence for section in sections for sentence in section["sentences"])
        return [section["listings"] for section in sections], said

    return run


def test_a_stretch_of_a_changed_run_goes_with_the_same_deals_of_the_whole_run(play: Play, found: Any) -> None:
    play("whole", "--games", 120)
    play("printed", *STRETCH)
    play("changed", *CHANGE, *STRETCH)
    expected, _ = found("printed", "changed")
    tables, said = found("whole", "changed")
    assert tables == expected
    assert "60 further games of the first run are left out" in said
    assert "Both runs play the same 60 games on the same deals" in said
    assert found("changed", "whole")[0] != expected


def test_runs_joined_of_several_seeds_go_with_a_run_of_one_of_them(play: Play, found: Any, empirelab: Program) -> None:
    for seed in (1, 2):
        play(f"printed-{seed}", "--games", 60, "--seed", seed)
    play("changed", "--games", 60, "--seed", 2, *CHANGE)
    empirelab("merge", "printed-1", "printed-2", "--out", "joined")
    assert found("joined", "changed")[0] == found("printed-2", "changed")[0]


def test_a_run_of_several_numbers_of_players_goes_with_a_run_of_one_of_them(play: Play, found: Any) -> None:
    play("both", "--games", 120, "--players", "4,3")
    play("printed", "--games", 60)
    play("changed", "--games", 90, *CHANGE)
    tables, said = found("both", "changed")
    assert tables == found("printed", "changed")[0]
    assert "60 further games of the first run and 30 further games of the second run are left out" in said


def test_of_one_plan_the_same_games_are_said_to_be_the_same_and_nothing_changes(play: Play, found: Any) -> None:
    play("whole", "--games", 120)
    play("middle", *STRETCH)
    play("begin", "--games", 120, "--games-to", 60)
    for first, second, games in (("middle", "whole", 60), ("begin", "middle", 30)):
        tables, said = found(first, second)
        assert {row["change"] for table in tables[0] for row in table["rows"] if row.get("change") is not None} == {0.0}
        assert f"These runs have one plan: the {games} games that both runs have are the same" in said
        assert "independent" not in said


def test_stretches_of_one_plan_without_a_game_in_common_differ_by_luck(play: Play, found: Any) -> None:
    play("begin", "--games", 120, "--games-to", 60)
    play("end", "--games", 120, "--games-from", 60)
    _, said = found("begin", "end")
    assert "The runs have one plan and no game in common, so they differ only by luck." in said
    assert "do not share their deals (different games of the plan)" in said
