"""Runs of which one has only some games of the other are compared by the deals that both have."""

from collections.abc import Callable
from typing import Any

import pytest

from tests.cli.conftest import Program

STRETCH = ("--games", 120, "--games-from", 30, "--games-to", 90)
CHANGE = ("--change", "cards.toml#altar.vp=20")
RUNS: dict[str, tuple[object, ...]] = {
    "whole": ("--games", 120),
    "begin": ("--games", 120, "--games-to", 60),
    "middle": STRETCH,
    "end": ("--games", 120, "--games-from", 60),
    "middle changed": (*STRETCH, *CHANGE),
    "sixty": ("--games", 60),
    "sixty of seed 2": ("--games", 60, "--seed", 2),
    "sixty of seed 2 changed": ("--games", 60, "--seed", 2, *CHANGE),
    "ninety changed": ("--games", 90, *CHANGE),
    "both": ("--games", 120, "--players", "4,3"),
}
"""Options of runs, by folder; they have three players unless `--players` says otherwise."""


@pytest.fixture
def play(once: Program) -> Callable[[str], None]:
    """Play one of these runs."""

    def run(name: str) -> None:
        players = () if "--players" in RUNS[name] else ("--players", 3)
        words = ("--strategies", "balanced,greedy", *players, *RUNS[name], "--quiet", "--out", name)
        once("simulate", "seven_wonders", *words)

    return run


@pytest.fixture
def found(empirelab: Program, play: Callable[[str], None]) -> Callable[..., tuple[Any, str]]:
    """Compare two runs, played first if need be; return the tables of the comparison and its sentences."""

    def run(first: str, second: str) -> tuple[Any, str]:
        for name in RUNS.keys() & {first, second}:
            play(name)
        sections = empirelab("compare", first, second, "--json").json["sections"]
        said = " ".join(sentence for section in sections for sentence in section["sentences"])
        return [section["listings"] for section in sections], said

    return run


def test_a_stretch_of_a_changed_run_goes_with_the_same_deals_of_the_whole_run(found: Any) -> None:
    expected, _ = found("middle", "middle changed")
    tables, said = found("whole", "middle changed")
    assert tables == expected
    assert "60 further games of the first run are left out" in said
    assert "Both runs play the same 60 games on the same deals" in said


@pytest.mark.sweep
def test_runs_joined_of_several_seeds_go_with_a_run_of_one_of_them(
    play: Callable[[str], None], found: Any, empirelab: Program
) -> None:
    expected, _ = found("sixty of seed 2", "sixty of seed 2 changed")
    play("sixty")
    empirelab("merge", "sixty", "sixty of seed 2", "--out", "joined")
    assert found("joined", "sixty of seed 2 changed")[0] == expected


@pytest.mark.sweep
def test_a_run_of_several_numbers_of_players_goes_with_a_run_of_one_of_them(found: Any) -> None:
    tables, said = found("both", "ninety changed")
    assert tables == found("sixty", "ninety changed")[0]
    assert "60 further games of the first run and 30 further games of the second run are left out" in said


@pytest.mark.sweep
def test_of_one_plan_the_same_games_are_said_to_be_the_same_and_nothing_changes(found: Any) -> None:
    for first, second, games in (("middle", "whole", 60), ("begin", "middle", 30)):
        tables, said = found(first, second)
        assert {row["change"] for table in tables[0] for row in table["rows"] if row.get("change") is not None} == {0.0}
        assert f"These runs have one plan: the {games} games that both runs have are the same" in said
        assert "independent" not in said


@pytest.mark.sweep
def test_stretches_of_one_plan_without_a_game_in_common_differ_by_luck(found: Any) -> None:
    _, said = found("begin", "end")
    assert "The runs have one plan and no game in common, so they differ only by luck." in said
    assert "do not share their deals (different games of the plan)" in said
