"""A game whose seats all begin alike: everything is said of seats and strategies, and nothing of factions."""

import json
import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from synthetic import Truth, play, with_fields, write_rows, write_run

from reports.data.load import load_run
from reports.model import Report
from reports.render.export import csv_text, json_text
from reports.render.page import render, report_card
from reports.report import build_report
from reports.sections.compare.changes import comparison_sections
from reports.sections.course.luck import luck_section
from reports.sections.factions.plan import plan_section
from reports.statistics.core.decisions import Pilot
from reports.statistics.course.luck import score_design
from reports.statistics.strength.ratings import fit_strengths
from reports.studies.compare.compare import compare_runs
from reports.studies.compare.sprt import difference_rule
from reports.studies.sample_size.plan import plan_needs, question
from reports.studies.sample_size.sequential import every_table, until_width_rule, watch_names
from reports.studies.sweep.sweep import compared_tables
from sim.engine.result_rows import RANK, SEAT, STRATEGY
from sim.errors import UserError
from sim.players.batch import Plan
from sim.runs.config import RunConfig, make_plan
from tests.reports.conftest import at_terminal

TRUTH = Truth(blocks=800, factions={}, strategies={"careful": 0.0, "bold": 6.0}, endings=("last round", "empty deck"))
OF_FACTIONS = re.compile(r"\bfactions?\b|\bboards?\b|\bNone\b|\bby \W|  ")
"""Words for factions, and the gap that a missing word would leave."""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two strategies, one of them stronger; every third game ends because the deck is empty."""
    frame = play(TRUTH).with_columns((pl.col("game") % 3 == 0).cast(pl.UInt8).alias("end_reason"))
    return write_rows(tmp_path_factory.mktemp("alike") / "run", frame, TRUTH, certainty={"confirmed": 8, "stand-in": 2})


@pytest.fixture(scope="module")
def report(folder: Path) -> Report:
    return build_report(load_run(folder))


def sentences(report: Report) -> list[str]:
    said = [text for finding in report.findings for text in (finding.headline, *finding.details)]
    return said + [text for section in report.sections for text in (*section.sentences, section.reading)]


# ---- The report ----


@pytest.mark.usefixtures("without_figures")
def test_a_report_has_tables_of_seats_and_strategies_alone_and_says_nothing_of_factions(report: Report) -> None:
    assert list(report.tables) == ["seat", "strategy", "seat x strategy"]
    assert report.omitted == ()
    for listing in (listing for section in report.sections for listing in section.listings):
        assert "faction" not in listing.name
        assert all(column.title for column in listing.shown if column.kind == "text")
    for text in sentences(report):
        assert not OF_FACTIONS.search(text), text
    assert not re.search(r"\bboards?\b", at_terminal(report, full=True))
    page = re.sub(r"(?s)<script.*?</script>", "", render(report))  # scripts have names of columns of any run
    assert not re.search(r"\bfactions?\b|\bboards?\b", page)
    assert "faction" not in csv_text(report)
    assert "2 strategies<" in page
    assert "strategy" in report_card(report)
    assert json.loads(json_text(report))["run"]["factions"] == []


def test_the_stronger_strategy_is_found_by_every_statistic(folder: Path, report: Report) -> None:
    seats = load_run(folder).seats.collect()
    share = seats.filter(pl.col("strategy") == "bold")["win"].cast(pl.Float64).to_numpy().mean()
    row = report.tables["strategy"].frame.row(0, named=True)
    assert (row["level"], row["flag"], row["win_rate"]) == ("bold", "strong", pytest.approx(share))
    adjusted = fit_strengths(load_run(folder))
    assert set(adjusted.frames) == {"seat", "strategy"}
    assert adjusted.silences == ()
    assert adjusted.frames["strategy"]["level"][0] == "bold"
    assert adjusted.frames["strategy"]["flag"].to_list() == ["strong", "weak"]
    assert report.section("matchups").listings[0].frame.row(0, named=True)["level"] == "bold"
    course = report.section("convergence").listings[0].frame
    assert set(course["level"]) == {"bold", "careful"}
    ends = next(listing for listing in report.section("endings").listings if listing.name == "ending x strategy")
    assert set(ends.frame.filter(pl.col("level") == "bold")["flag"]) == {"strong"}


def test_the_score_is_split_over_seat_strategy_and_deal(report: Report) -> None:
    shares = report.section("luck").listings[0].frame
    assert shares["source"].to_list() == ["seat", "strategy", "deal", "within a game"]
    found = dict(shares.select("source", "share").rows())
    # Two strategies 6 apart bring 9 of 99 points of variance; luck of a deal moves on with its player, not with a seat.
    assert found["strategy"] == pytest.approx(9 / 99, abs=0.02)
    # No luck of deals that seats share: whether it has a figure depends on the side of 0 to which the estimate falls.
    assert (found["deal"] or 0.0) == pytest.approx(0.0, abs=0.03)
    assert sum(share or 0.0 for share in found.values()) == pytest.approx(1, abs=0.03)


def test_repeats_of_a_strategy_at_a_seat_are_no_luck_of_the_deal(tmp_path: Path) -> None:
    """Scores are those of the strategies alone, so that a deal brings nothing whatever is repeated in it."""
    truth = Truth(blocks=200, factions={}, strategies={"careful": 0.0, "bold": 8.0, "wild": -8.0}, deal=0.0, luck=0.01)
    run = load_run(write_run(tmp_path / "run", truth))
    assert score_design(run).factors == ("seat", "strategy")
    shares = dict(luck_section(run).listings[0].frame.select("source", "share").rows())
    assert shares["strategy"] > 0.99
    # An estimate that fell below 0 is no figure.
    assert shares["deal"] is None or shares["deal"] == pytest.approx(0, abs=0.005)


def test_other_runs_are_conditions_under_which_seats_are_compared(folder: Path, tmp_path: Path) -> None:
    other = load_run(write_run(tmp_path / "other", replace(TRUTH, seed=2)))
    names = [listing.name for listing in build_report(folder, [other]).section("robustness").listings]
    assert "robustness seat by run" in names
    assert not any("faction" in name for name in names)


def test_a_game_that_has_a_word_for_factions_has_some(tmp_path: Path) -> None:
    folder = write_run(tmp_path / "run", TRUTH, faction_title="board")
    with pytest.raises(UserError, match="factions: the game has a faction title but no factions"):
        load_run(folder)


# ---- Studies ----


def test_two_runs_are_compared_by_seat_and_strategy(tmp_path: Path) -> None:
    bolder = replace(TRUTH, strategies={"careful": 0.0, "bold": 9.0})
    runs = [load_run(write_run(tmp_path / name, truth)) for name, truth in (("a", TRUTH), ("b", bolder))]
    compared = compare_runs(*runs, "before", "after")
    assert list(compared.tables) == ["seat", "strategy"]
    assert compared.apart == ""
    flags = dict(compared.tables["strategy"].frame.select("level", "flag").rows())
    assert flags == {"bold": "up", "careful": "down"}
    said = [text for section in comparison_sections(compared) for text in section.sentences]
    assert said[0].startswith("careful: ")
    assert "worst side effect bold +" in said[0]
    assert not any(OF_FACTIONS.search(text) for text in said)


def test_the_games_needed_are_planned_for_seats_and_strategies(folder: Path) -> None:
    found, asked = Pilot(load_run(folder), 1.0), question(1.0, 0.9, 0.05)
    needs = plan_needs(found, asked)
    assert needs["table"].to_list() == ["seat", "strategy"]
    said = plan_section(needs, found, asked).sentences
    assert any("To flag an edge of 1 point of any of 2 strategies" in text for text in said)
    assert not any(OF_FACTIONS.search(text) for text in said)
    with pytest.raises(UserError, match="7 Wonders has no factions"):
        plan_needs(found, asked, "faction")


def test_a_sweep_compares_strategies_and_seats(folder: Path) -> None:
    run = load_run(folder)
    run = replace(run, manifest=with_fields(run.manifest, {"factions_dealt": [], "lineup": ["careful", "bold"]}))
    assert compared_tables(run) == ["strategy", "seat"]


def plan_without_factions(*strategies: str) -> Plan:
    plan = make_plan(RunConfig(game="seven_wonders", strategies=list(strategies)))
    return replace(plan, factions=(), data=replace(plan.data, factions=()),
                   game=replace(plan.game, faction_title="", faction_attributes=(), exclusive=""))  # fmt: skip


def test_a_run_may_end_when_strategies_are_known_well_enough() -> None:
    plan = plan_without_factions("balanced", "random")
    assert [watch.table for watch in every_table(plan)] == ["strategy", "seat"]
    rule = until_width_rule(plan, 3.0)
    assert rule.of == "strategy"
    rng = np.random.default_rng(1)
    blocks, players = 4000, plan.players
    rows = np.zeros((blocks * plan.block_games * players, plan.columns), np.int32)
    rows[:, SEAT] = np.tile(np.arange(players), blocks * plan.block_games)
    rows[:, STRATEGY] = rng.integers(0, 2, len(rows))
    rows[:, RANK] = 1 + rng.random((len(rows) // players, players)).argsort(axis=1).ravel()
    enough = rule(rows)
    assert enough is not None
    assert enough < blocks * plan.block_games
    assert rule.record["of"] == "strategy"
    with pytest.raises(UserError, match="7 Wonders has no factions"):
        until_width_rule(plan, 3.0, "faction")


def test_two_arms_are_watched_by_strategy_and_by_seat() -> None:
    plan = plan_without_factions("balanced", "random")
    assert [watch.table for watch in difference_rule(plan, 1.0).watches] == ["strategy"]
    assert [watch.names for watch in watch_names(plan, ["random", "seat 2"])] == [("random",), ("seat 2",)]
    with pytest.raises(UserError, match="one strategy only: nothing can differ"):
        difference_rule(plan_without_factions("balanced"), 1.0)
