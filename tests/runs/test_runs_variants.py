"""Runs with several variants: they share the games, meet in no deal, and the seats say which variant was played."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from reports.data.load import load_run
from reports.render.page import render
from reports.report import build_report
from sim.data.declarations import Variant
from sim.engine.state import OWN_ERRORS
from sim.errors import UserError
from sim.game import load_game, variant_for
from sim.games.seven_wonders import game as module
from sim.players.batch import Plan, check_no_error
from sim.runs.config import RunConfig, make_plan, make_plans
from sim.runs.replay import replay
from sim.runs.run import play_run
from sim.runs.shards import share_out, variants_named
from sim.runs.simulate import command_of, config_of
from sim.runs.store.manifest import read_manifest
from tests.runs.conftest import set_sizes, table_of

OPTIONS: dict[str, Any] = {"strategies": ["balanced", "random"], "seed": 9}


@pytest.fixture(autouse=True)
def two_variants(monkeypatch: pytest.MonkeyPatch) -> None:
    """A game that four can play in two variants, and five in one of them only; parts hold games of both."""
    variants = (Variant("plain", (3, 4, 5), "3 to 5 players"), Variant("grand", (3, 4), "3 or 4 players"))
    monkeypatch.setattr(module, "GAME", replace(module.GAME, variants=variants))
    set_sizes(monkeypatch, 40, 15, 20, 15)


def plans_of(**options: Any) -> tuple[Plan, ...]:
    return make_plans(RunConfig(game="seven_wonders", **(OPTIONS | options)))


def test_variants_share_the_games_and_no_two_of_them_have_a_deal_in_common(tmp_path: Path) -> None:
    play_run(plans_of(variant=["plain", "grand"], detail="cards"), 41, tmp_path / "both", jobs=2)
    play_run(plans_of(variant="plain", detail="cards"), 48, tmp_path / "alone", jobs=1)
    both, alone = (table_of(tmp_path / name, "seats") for name in ("both", "alone"))
    assert both["variant"].dtype == pl.Enum(["plain", "grand"])
    assert both.group_by("variant", maintain_order=True).agg(pl.col("game").n_unique()).rows() == [
        ("plain", 21), ("grand", 20),
    ]  # fmt: skip
    # 21 games take six blocks of four: the other variant goes on with the deal of block 6, game 24.
    later = alone.filter(pl.col("game").is_between(24, 43)).with_columns(pl.col("game") - 3)
    assert both.filter(variant="grand").drop("variant").equals(later)
    assert both.filter(variant="plain").drop("variant").equals(alone.filter(pl.col("game") < 21))
    cards, all_cards = (table_of(tmp_path / name, "cards") for name in ("both", "alone"))
    moved = all_cards.filter(pl.col("game").is_between(24, 43)).with_columns(pl.col("game") - 3)
    assert cards.filter(pl.col("game") >= 21).equals(moved)


def test_the_manifest_says_which_games_are_of_which_variant_and_each_is_told_again(tmp_path: Path) -> None:
    play_run(plans_of(players=[3, 5], variant=["grand", "plain"]), 30, tmp_path / "run", jobs=1)
    manifest = read_manifest(tmp_path / "run")
    assert (manifest["variant"], manifest["variants"]) == ("grand and plain", ["grand", "plain"])
    assert manifest["players"] == [3, 5]
    assert [(count["players"], count["variant"], count["games"]) for count in manifest["player_counts"]] == [
        (3, "grand", 10), (3, "plain", 10), (5, "plain", 10),
    ]  # fmt: skip
    assert [count["first_deal"] for count in manifest["player_counts"]] == [0, 4, 0]
    assert load_run(tmp_path / "run").seats.collect_schema()["variant"] == pl.Enum(["grand", "plain"])
    for game in (0, 9, 10, 19, 20, 29):
        assert replay(tmp_path / "run", game)


def test_seats_name_no_variant_where_the_number_of_players_says_it(tmp_path: Path) -> None:
    play_run(plans_of(variant="grand"), 8, tmp_path / "run", jobs=1)
    assert "variant" not in table_of(tmp_path / "run").columns
    assert variants_named([(2, "a"), (3, "b")]) == ()
    assert variants_named([(2, "a"), (2, "b"), (3, "a")]) == ("a", "b")


@pytest.mark.usefixtures("without_figures")
def test_the_report_says_what_holds_in_each_variant(tmp_path: Path) -> None:
    plans = plans_of(players=[3, 4], variant=["plain", "grand"], detail="cards", strategies=["balanced", "greedy"])
    play_run(plans, 120, tmp_path / "run", jobs=1)
    report = build_report(load_run(tmp_path / "run"))
    assert {"variant x faction", "variant x seat", "variant x strategy"} <= set(report.tables)
    listings = [listing.name for listing in report.section("robustness").listings]
    assert "robustness faction by variant" in listings
    assert "robustness faction by number of players" in listings
    assert "plain and grand" in render(report)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"variant": ["plain", "x"]}, "unknown variant"),
        ({"variant": ["plain", "plain"]}, "named twice"),
        ({"variant": []}, "wrong number of entries"),
        ({"variant": ["plain", "grand"], "players": [5]}, "does not allow this number of players"),
        ({"variant": ["plain", "grand"], "players": [3, 7]}, "does not allow this number of players"),
    ],
)
def test_variants_that_cannot_be_are_refused(options: dict[str, Any], message: str) -> None:
    with pytest.raises(UserError, match=message):
        make_plans(config_of("test", game="seven_wonders", factions="all", settings={}, code=None, **options))


def test_what_needs_one_variant_says_so(tmp_path: Path) -> None:
    both = RunConfig(game="seven_wonders", variant=["plain", "grand"])
    with pytest.raises(UserError, match="a single variant is needed here"):
        make_plan(both)
    with pytest.raises(UserError, match="one number of players and one variant"):
        play_run(make_plans(both), 40, tmp_path / "run", jobs=1, stop_rule=lambda rows: None)


def test_the_command_of_a_run_names_its_variants() -> None:
    config = config_of("test", game="seven_wonders", variant="plain, grand", factions="all", settings={}, code=None)
    assert command_of(config) == "empirelab simulate seven_wonders --variant plain,grand"
    assert share_out(make_plans(config), 10)[1].first_deal == 5


def test_players_and_strategies_are_by_default_what_the_game_declares(monkeypatch: pytest.MonkeyPatch) -> None:
    declared = replace(module.GAME, default_players=3, default_strategies=("trade", "science"))
    monkeypatch.setattr(module, "GAME", declared)
    config = RunConfig(game="seven_wonders")
    assert (config.players, config.strategies) == (3, ["trade", "science"])
    assert command_of(config) == "empirelab simulate seven_wonders"
    assert command_of(RunConfig(game="seven_wonders", players=4)) == "empirelab simulate seven_wonders --players 4"


def test_a_game_that_stops_for_a_reason_of_its_own_says_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "GAME", replace(module.GAME, errors={OWN_ERRORS: "too many effects at once"}))
    plan = plans_of(players=4)[0]
    record: Any = plan.game.new_games(1)[0]
    record.error = OWN_ERRORS
    with pytest.raises(UserError, match="cannot be continued: too many effects at once"):
        check_no_error(plan, record)


def test_variants_played_together_may_be_named_in_any_order() -> None:
    game = load_game("glory_of_rome")
    assert variant_for(game, 3, "heroes+spies").name == "spies+heroes"
    with pytest.raises(UserError, match="unknown variant"):
        variant_for(game, 3, "spies+spies")
