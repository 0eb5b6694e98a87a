"""Games of one player: fair is the mean of the run, edges have the right errors, and every section knows of it."""

import math
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from scipy.special import expit, logit
from synthetic import (
    Truth,
    manifest_of,
    named,
    play,
    rows,
    typed_manifest,
    write_pieces,
    write_rows,
    write_run,
)

from reports.data.check import check_run
from reports.data.load import load_run, with_fair_share
from reports.data.moments import block_moments, moments_and_products
from reports.model import Report
from reports.render.export import csv_files, json_text
from reports.render.page import render
from reports.report import build_report
from reports.sections.compare.changes import comparison_sections
from reports.sections.course.results import results_section
from reports.statistics.core.win_rate import win_rates
from reports.statistics.course.results import result_counts, result_rows, result_shares
from reports.studies.compare.compare import compare_runs
from reports.studies.players.metagame import play_metagame
from reports.studies.players.tuning import tune_strategy
from reports.studies.sample_size.plan import check_effect_size
from reports.studies.sample_size.sequential import Watch, sum_blocks
from reports.studies.search.rebalance import search_value
from sim.engine.result_rows import STRATEGY
from sim.errors import UserError
from sim.runs.config import RunConfig
from tests.reports.conftest import at_terminal

FACTIONS = {"Alexandria A": 4.0, "Babylon A": 0.0, "Ephesos A": 0.0, "Gizah A": -4.0}
STRATEGIES = {"balanced": 3.0, "greedy": -3.0}
ENDINGS = ("solo lost", "solo commoner", "solo king", "solo emperor")


SOLO = Truth(blocks=3000, players=1, goal=47, factions=FACTIONS, strategies=STRATEGIES, endings=ENDINGS)


def truth(blocks: int = 3000, **changed: Any) -> Truth:
    return replace(SOLO, blocks=blocks, **changed)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_run(tmp_path_factory.mktemp("runs") / "solo", truth())


@pytest.fixture(scope="module")
def report(folder: Path) -> Report:
    return build_report(folder)


def won_of(folder: Path, players: int = 1) -> float:
    """Mean win rate in games of this many players."""
    seats = load_run(folder).seats.filter(pl.col("players") == players)
    return float(seats.select(pl.col("win").cast(pl.Float64).mean()).collect().item())


def test_fair_is_the_share_that_all_win_and_edges_add_up_to_nothing(folder: Path, report: Report) -> None:
    for name in ("faction", "strategy"):
        frame = report.tables[name].frame
        assert frame["null"].to_list() == pytest.approx([won_of(folder)] * frame.height)
        assert float((frame["edge"] * frame["games"]).sum()) == pytest.approx(0.0, abs=1e-6)


def test_the_strong_and_the_weak_are_found_and_no_others(report: Report) -> None:
    flags = dict(report.tables["faction"].frame.select("level", "flag").rows())
    assert flags == {"Alexandria A": "strong", "Babylon A": "", "Ephesos A": "", "Gizah A": "weak"}
    assert {row["name"] for row in report.verdict.rows} == {"Alexandria A", "Gizah A"}


def simulated(runs: int, games: int, rates: tuple[float, ...], seed: int) -> Iterator[pl.DataFrame]:
    """Tables of win rates from runs in which factions win at these rates."""
    rng, names = np.random.default_rng(seed), pl.Enum([str(i) for i in range(len(rates))])
    for _ in range(runs):
        faction = rng.integers(0, len(rates), games)
        win = rng.random(games) < np.array(rates)[faction]
        frame = pl.DataFrame({
            "block": np.arange(games, dtype=np.uint32), "players": np.ones(games, np.uint8),
            "score": np.zeros(games, np.int16), "rank": np.where(win, 1, 2), "win": win.astype(np.float32),
            "faction": pl.Series(faction.astype(str), dtype=names),
        })  # fmt: skip
        seats = with_fair_share(frame.lazy(), typed_manifest(truth(1), games, games))
        yield win_rates(block_moments(seats, ["faction"]), ["faction"])


@pytest.mark.parametrize(
    "rates",
    [
        pytest.param((0.6, 0.5, 0.4, 0.3), id="four", marks=pytest.mark.sweep),
        pytest.param((0.8, 0.6), id="two", marks=pytest.mark.sweep),
        pytest.param((0.2,) * 6, id="alike"),
    ],
)
def test_intervals_hold_the_truth_nineteen_times_in_twenty_and_equals_seldom_raise_an_alarm(
    rates: tuple[float, ...], scaled: Callable[..., int]
) -> None:
    mean, runs = sum(rates) / len(rates), scaled(200, 200, full_count=400)
    inside = alarms = 0
    for frame in simulated(runs, 600, rates, 5):
        alarms += (frame["flag"] != "").any()
        for row in frame.to_dicts():
            inside += row["edge_low"] <= rates[int(row["faction"])] - mean <= row["edge_high"]
    assert 0.935 < inside / runs / len(rates) < 0.965
    if rates[0] == rates[1]:
        assert 0.02 < alarms / runs < 0.08


def test_what_one_of_two_rows_wins_more_the_other_wins_less() -> None:
    (frame,) = simulated(1, 900, (0.55, 0.5), 7)
    first, second = frame.to_dicts()
    assert first["games"] * first["edge"] == pytest.approx(-second["games"] * second["edge"])
    assert first["games"] * first["error"] == pytest.approx(second["games"] * second["error"], rel=0.01)


def test_surpluses_of_two_rows_are_one_hypothesis(folder: Path) -> None:
    seats = load_run(folder).seats.filter(pl.col("strategy").is_not_null())
    _, products, owner = moments_and_products(seats, (), ["strategy"])
    assert owner == ["strategy"] * 2
    assert products[0, 1] / math.sqrt(products[0, 0] * products[1, 1]) == pytest.approx(-1.0)


def test_a_row_that_plays_every_game_has_no_edge_to_test(tmp_path: Path) -> None:
    report = build_report(write_run(tmp_path / "run", truth(300, strategies={"greedy": 0.0})))
    row = report.tables["strategy"].frame.row(0, named=True)
    assert row["edge"] == pytest.approx(0.0, abs=1e-12)
    assert row["p"] is None
    assert report.tables["strategy"].silence


def test_a_run_of_one_player_is_checked_and_odd_wins_are_refused(folder: Path, tmp_path: Path) -> None:
    assert check_run(folder).games == 3000
    frame = play(truth(40)).with_columns(win=pl.lit(1.0, pl.Float32))
    odd = write_rows(tmp_path / "odd", frame, truth(40))
    with pytest.raises(UserError, match="one win"):
        check_run(odd)


def test_results_by_faction_are_counted_and_flagged_where_they_surely_come_more_often(folder: Path) -> None:
    run = load_run(folder)
    counts = result_counts(run, "faction")
    assert counts["games"].sum() == 3000
    mine = run.seats.filter(pl.col("faction") == "Gizah A").collect()
    row = result_rows(counts, list(ENDINGS)).row(by_predicate=pl.col("level") == "Gizah A", named=True)
    assert row["wins"] == pytest.approx(mine["win"].cast(pl.Float64).mean())
    assert row["score"] == pytest.approx(mine["score"].mean())
    for ending in ENDINGS:
        assert row[f"share of {ending}"] == pytest.approx((mine["end_reason"] == ending).sum() / mine.height)
    lost = result_shares(counts).filter(pl.col("end_reason") == "solo lost")
    flags = dict(lost.select("level", "flag").rows())
    assert (flags["Gizah A"], flags["Alexandria A"], flags["Babylon A"]) == ("often", "seldom", "")


def test_equal_factions_are_flagged_by_result_in_few_runs() -> None:
    alarms = 0
    for seed in range(60):
        frame = named(play(truth(800, factions=dict.fromkeys(FACTIONS, 0.0), seed=seed)), truth(800))
        counts = frame.group_by("faction", "end_reason").agg(pl.len().alias("games")).rename({"faction": "level"})
        alarms += (result_shares(counts)["flag"] != "").any()
    assert alarms <= 8


@pytest.mark.usefixtures("sketched_figures")
def test_every_show_takes_a_run_of_one_player(report: Report, tmp_path: Path) -> None:
    out = at_terminal(report, full=True)
    assert "Games of one player" in out
    assert "fair: the mean win rate of all rows in games of one player" in out
    assert "solo emperor" in render(report)
    assert "emperor" in json_text(report)
    names = {path.name for path, _ in csv_files(report, tmp_path)}
    assert {"results-faction.csv", "result-x-strategy.csv"} <= names


def test_runs_of_several_players_have_no_such_section(tmp_path: Path) -> None:
    run = load_run(write_run(tmp_path / "run", Truth(blocks=40)))
    assert results_section(run) is None
    assert "fair" not in run.seats.collect_schema()


@pytest.mark.sweep
def test_a_change_may_win_more_games_for_all(tmp_path: Path) -> None:
    runs = [write_run(tmp_path / str(goal), truth(1500, goal=goal)) for goal in (47, 44)]
    said = comparison_sections(compare_runs(*runs))[0]
    (won,) = [one for one in said.sentences if one.endswith("of all games are won.")]
    assert won.startswith("In the second run, ")
    assert f"{100 * (won_of(runs[1]) - won_of(runs[0])):.1f} ± " in won
    assert "may raise or lower all rows" in said.reading


def mixed(folder: Path) -> Path:
    """As many games of one player as of four, one size after the other."""
    alone, four = truth(2000), Truth(blocks=500, factions=FACTIONS, strategies=STRATEGIES, endings=ENDINGS, seed=2)
    first, second = play(alone), play(four)
    later = second.with_columns(
        game=(pl.col("game") + 2000).cast(pl.UInt32), block=(pl.col("block") + 2000).cast(pl.UInt32)
    )
    counts = [
        {"players": 1, "variant": "base", "games": 2000, "blocks": 2000, "block_games": 1, "factions_fixed": False},
        {"players": 4, "variant": "base", "games": 2000, "blocks": 500, "block_games": 4, "factions_fixed": False}
        | {"first_game": 2000, "first_block": 2000},
    ]
    manifest = manifest_of(alone, 4000, 2500)
    given = {name: manifest[name] for name in ("games", "blocks")} | {"players": [1, 4], "block_games": 2}
    return write_rows(folder, pl.concat([first, later]), alone, player_counts=counts, **given)


def test_games_of_one_player_beside_others_count_against_their_own_mean(tmp_path: Path) -> None:
    folder = mixed(tmp_path / "run")
    check_run(folder)
    report = build_report(folder)
    nulls = dict(report.tables["players x strategy"].frame.select("level", "null").rows())
    assert nulls == {"1 player": pytest.approx(won_of(folder)), "4 players": pytest.approx(0.25)}
    seats = report.tables["seat"].frame
    assert seats.filter(pl.col("level") == "seat 0")["games"].item() == 2000
    assert seats["null"].to_list() == pytest.approx([0.25] * 4)
    assert report.section("results").sentences[0].startswith("Of 2,000 games of one player")


def pieces_run(folder: Path, worth: float) -> Path:
    """Games of one player with two cards of three in play, the first of which is worth something."""
    games, rng, cards = 4000, np.random.default_rng(3), ("Abbey", "Bridge", "Castle")
    missing = rng.integers(0, 3, games)
    won = rng.random(games) < expit(-0.3 + worth * (missing != 0))
    game, zero = np.arange(games, dtype=np.uint32), np.zeros((games, 1), np.uint8)
    frame = rows(zero, zero, np.where(won, 60, 30)[:, None].astype(np.int16), game, ["greedy"]).with_columns(
        rank=pl.Series(np.where(won, 1, 2).astype(np.uint8)), win=pl.Series(won.astype(np.float32))
    )
    kept = {
        "piece": "card", "pieces_offered": "offered", "pieces_changeable": False,
        "piece_events": [{"column": "built_round", "title": "built", "taken": True, "in_play": True}],
    }  # fmt: skip
    write_rows(folder, frame, truth(games, factions={}, strategies={"greedy": 0.0}), **kept)
    table = pl.DataFrame({
        "game": np.repeat(game, 3), "seat": np.zeros(3 * games, np.uint8),
        "card": pl.Series(cards * games, dtype=pl.Enum(cards)), "offered": np.ones(3 * games, np.uint8),
        "built_round": (np.arange(3)[None, :] != missing[:, None]).ravel().astype(np.uint8),
    })  # fmt: skip
    write_pieces(folder, table, "cards", part_games=1000)
    return folder


def test_cards_in_games_of_one_player_are_weighed_against_the_game(tmp_path: Path) -> None:
    section = build_report(pieces_run(tmp_path / "run", 0.8)).section("cards")
    abbey = section.listings[-1].frame.row(by_predicate=pl.col("card") == "Abbey", named=True)
    # The worth of a card beside the mean of all three, at the odds that all have on average.
    share = (expit(-0.3) + 2 * expit(0.5)) / 3
    at_mean = expit(logit(share) + 0.8 * 2 / 3) - share
    assert abbey["adjusted_low"] < at_mean < abbey["adjusted_high"]
    assert abbey["flag"] == "often"
    assert abbey["edge_low"] < expit(0.5) - share < abbey["edge_high"]


ALONE: dict[str, Any] = {"game": "imperial_settlers", "players": 1, "strategies": ["random", "greedy"], "games": 10}


def test_questions_to_players_who_meet_are_refused_with_the_reason() -> None:
    config = RunConfig(**ALONE)
    with pytest.raises(UserError, match="a single player has no opponents"):
        play_metagame(config, fresh=10)
    with pytest.raises(UserError, match="a fair value needs opponents"):
        search_value(config, "Japanese", "board.worker")
    with pytest.raises(UserError, match="weights are judged against opponents"):
        tune_strategy("imperial_settlers", "balanced", players=1, progress=False)


def test_any_edge_can_be_planned_for_where_one_plays_alone() -> None:
    check_effect_size(60.0, 1)
    with pytest.raises(UserError, match="among 2 players"):
        check_effect_size(60.0, 2)


def test_a_rule_that_stops_a_run_takes_lost_games() -> None:
    watch = Watch("strategy", ("a", "b"), STRATEGY, np.eye(2, dtype=np.int64))
    kept = np.array([[0, 0, 0, 1], [0, 0, 1, 2], [0, 0, 1, 1]], np.int32)
    sums = sum_blocks(kept, watch, 1, 1)
    assert sums["W"].tolist() == [[1, 0], [0, 0], [0, 1]]
