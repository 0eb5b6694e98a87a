"""What the commands do, as functions: each returns tables, claims and something to show."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import pytest

import empirelab
from tests.kit.processes import Outcome, in_process

ROOT = Path(__file__).resolve().parents[2]
SMALL: dict[str, Any] = {"jobs": 1, "progress": False}
TRADE = str(ROOT / "tests" / "plain" / "games" / "trade.py")
"""A game with few numbers: all are searched in a second."""
COINS = "wonders.toml#Rhodos B.coins_start"


@cache
def seeded(seed: int) -> empirelab.Run:
    return empirelab.simulate("seven_wonders", games=200, strategies="balanced,military", seed=seed, **SMALL)


@cache
def part_searched() -> Any:
    return empirelab.rebalance("seven_wonders", "Rhodos B", "stage 1", games=400, **SMALL)


@cache
def several_compared(run: empirelab.Run) -> Any:
    return empirelab.compare({"first": run, "second": seeded(2), "third": seeded(3)})


STUDIES: dict[str, Callable[[empirelab.Run], Any]] = {
    "explain": empirelab.explain,
    "price": empirelab.price,
    "plan": lambda run: empirelab.plan("seven_wonders", pilot=200, effect=5.0, **SMALL),
    "sweep": lambda run: empirelab.sweep("seven_wonders", {COINS: [1, 3]}, games=100, **SMALL),
    "rebalance": lambda run: empirelab.rebalance("seven_wonders", "Rhodos B", "coins_start", low=2, high=4, games=100,
                                                 **SMALL),
    "rebalance a part": lambda run: part_searched(),
    "ladder": lambda run: empirelab.ladder("seven_wonders", ["random", "greedy"], games=100, **SMALL),
    "compare": lambda run: empirelab.compare({"one": run, "other": seeded(2)}),
    "validate": lambda run: empirelab.validate(run, league_of(run)),
    "validate predictions": lambda run: empirelab.validate(empirelab.predict(run), league_of(run)),
    "predict": empirelab.predict,
    "compare several": several_compared,
}  # fmt: skip


def league_of(run: empirelab.Run) -> empirelab.League:
    """The games of a run as if people had played them."""
    return empirelab.read_results(run.to_polars().select("game", "faction", "score"))


@pytest.mark.parametrize("name", STUDIES)
def test_a_study_has_tables_claims_and_something_to_show(name: str, run: empirelab.Run) -> None:
    found = STUDIES[name](run)
    assert "<table" in found._repr_html_()
    assert all(len(table) >= 0 and table.columns for table in found.tables.values())
    assert isinstance(found.claims, tuple)
    assert len(repr(found)) > 20
    for figure in found.figures.values():
        assert figure.draw().figure is not None


def test_the_changes_that_a_search_found_can_be_played() -> None:
    found = part_searched()
    played = empirelab.simulate("seven_wonders", games=4, changes=found.changes, **SMALL)
    assert tuple(played.manifest["changes"]) == found.changes


def test_without_a_faction_the_one_most_out_of_balance_is_explained_and_the_others_are_listed(
    run: empirelab.Run,
) -> None:
    first, *others = sorted(run.table("faction"), key=lambda row: (not row["flag"], -abs(row["edge"])))
    found = run.explain()
    assert first["board"] in found[0].title
    assert found.tables["others"]["board"].to_list() == [row["board"] for row in others]
    assert "others" not in [section.name for section in run.explain(first["board"])]


def test_all_numbers_of_a_faction_are_searched_quickly_unless_the_search_is_to_be_refined() -> None:
    options = {"games": 60, "progress": False, "jobs": 1}
    quick = empirelab.rebalance(TRADE, "Weavers", **options)
    assert any("quick search" in sentence for sentence in quick[0].sentences)
    refined = empirelab.rebalance(TRADE, "Weavers", refine=True, **options)
    assert not any("quick search" in sentence for sentence in refined[0].sentences)
    with pytest.raises(empirelab.UserError, match="all numbers"):
        empirelab.rebalance(TRADE, "Weavers", "coins", refine=True, **options)


def test_several_runs_have_a_column_each_and_wider_limits_than_one(run: empirelab.Run) -> None:
    found, second = several_compared(run), seeded(2)
    assert {"second", "third"} <= set(found.tables["board"].columns)
    alone, among = run.compare(second).tables["faction"], found.comparisons["second"].tables["faction"]
    narrow, wide = ((one.frame["family_high"] - one.frame["family_low"]).sum() for one in (alone, among))
    assert wide > narrow
    assert repr(run.compare(second).tables["board"]).startswith("Change by board")
    assert {claim.said for claim in found.sections[0].claims} <= set(found.sections[0].sentences)
    with pytest.raises(empirelab.UserError, match="two runs or more"):
        empirelab.compare({"first": run})


def test_games_and_players_are_listed() -> None:
    assert "seven_wonders" in empirelab.games()["name"].to_list()
    assert empirelab.strategies("imperium")["balanced"]["description"]
    with pytest.raises(empirelab.UserError, match="did you mean 'imperium'"):
        empirelab.strategies("imperum")


def test_a_calibration_from_one_league_shrinks_what_is_predicted_for_another(
    run: empirelab.Run, tmp_path: Path
) -> None:
    found = empirelab.validate([run, seeded_random()], league_of(run))
    assert [row.rung for row in found.calibrations] == ["balanced and military", "random"]
    plain, shrunk = empirelab.predict(run), empirelab.predict(run, found)
    assert plain.tables["predictions"]["predicted"].to_list() == plain.tables["predictions"]["simulation"].to_list()
    table, slope = shrunk.tables["predictions"], found.calibrations[0].slope
    assert table["predicted"].to_list() == pytest.approx([slope * edge for edge in table["simulation"]])
    shrunk.save(tmp_path / "said.json")
    held = empirelab.validate(tmp_path / "said.json", league_of(run))
    assert held[0].sentences[0].endswith(f"digest {shrunk.predictions.sha256[:12]}.")
    assert held.plot().figure is not None
    with pytest.raises(empirelab.UserError, match="predictions are not replaced"):
        shrunk.save(tmp_path / "said.json")


@pytest.mark.parametrize("runs", [[], ["said.json", "runs/first"]])
def test_what_cannot_stand_beside_a_league_is_one_message(run: empirelab.Run, runs: list[str], tmp_path: Path) -> None:
    empirelab.predict(run).save(tmp_path / "said.json")
    given = [str(tmp_path / "said.json") if name == "said.json" else run for name in runs]
    with pytest.raises(empirelab.UserError, match=r"a run and a league are needed|cannot be combined with runs"):
        empirelab.validate(given, league_of(run))


def seeded_random() -> empirelab.Run:
    return empirelab.simulate("seven_wonders", games=200, strategies="random", **SMALL)


def first(view: dict[str, Any], options: list[Any]) -> Any:
    """Takes the first option."""
    return options[0]


class Last:
    """Takes the last option."""

    NAME = "last"

    def choose(self, view: dict[str, Any], options: list[Any]) -> Any:
        return options[-1]


def test_functions_and_objects_play() -> None:
    played = empirelab.simulate("seven_wonders", games=8, strategies=[first, Last(), "random"], **SMALL)
    assert played.table("strategy")["strategy"].sort().to_list() == ["first", "last", "random"]
    assert "first" in played.game(0)


def test_a_game_is_not_told_by_another_function_of_the_same_name() -> None:
    played = empirelab.simulate("seven_wonders", games=4, strategies=[Last(), "random"], **SMALL)

    class Other:
        NAME = "last"

        def choose(self, view: dict[str, Any], options: list[Any]) -> Any:
            return options[len(options) // 2]

    empirelab.simulate("seven_wonders", games=4, strategies=[Other(), "random"], **SMALL)
    with pytest.raises(
        empirelab.UserError, match="function last of a Python session, which is not here or has changed"
    ):
        played.game(0)


@pytest.mark.parametrize("wrong", [3, lambda options: options[0], Last])
def test_what_cannot_play_is_refused(wrong: object) -> None:
    with pytest.raises(empirelab.UserError, match=r"field strategies: .*player"):
        empirelab.simulate("seven_wonders", games=4, strategies=[wrong, "random"], **SMALL)


def test_only_public_names_are_listed_and_the_import_loads_no_heavy_library() -> None:
    asked = (
        "import sys, empirelab; assert dir(empirelab) == sorted(empirelab.__all__);"
        "print([name for name in ('polars', 'scipy', 'numba', 'matplotlib', 'pandas') if name in sys.modules])"
    )
    assert in_process(ROOT, "-c", asked) == Outcome(0, "[]\n", "")


def test_names_of_before_still_work() -> None:
    assert empirelab.sweep_values is empirelab.sweep
    assert empirelab.games_needed is empirelab.plan
    assert callable(empirelab.fair_value)
