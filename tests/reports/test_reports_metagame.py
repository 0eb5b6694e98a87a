"""Players who choose among strategies: what tables are played, how sure equilibria are, and what is said of them."""

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from synthetic import Strengths, Truth, equal, made_up_tables, rare_is_strong, studied, write_run

from reports.data.load import load_run
from reports.render.export import json_text
from reports.report import build_report
from reports.statistics.strength.equilibria import companies_of, met, payoffs_by_company, symmetric_equilibria
from reports.statistics.strength.metagame import (
    TableWins,
    frequency_limits,
    invader_rows,
    needed_tables,
    resampled_payoffs,
    share_rows,
)
from reports.studies.compare.arms import play_arm
from reports.studies.players.metagame import plan_of_tables, play_metagame, play_tables
from reports.studies.players.metagame_report import Metagame, frequency_words, metagame_values
from sim.engine.result_rows import FACTION
from sim.players.batch import play
from sim.players.compile_players import players_of
from sim.runs.config import RunConfig
from tests.reports.conftest import Kept


def many_are_strong(seats: np.ndarray) -> np.ndarray:
    """Whoever plays what many play wins more."""
    return np.where(seats > 0, 1.0 * seats**2, 1.0)


def study(
    strengths: Strengths, players: int = 4, blocks: int = 400, names: str = "ab", resamples: int = 200
) -> Metagame:
    searched, fresh = (made_up_tables(names, players, blocks, strengths, seed) for seed in (1, 2))
    return studied(searched, fresh, resamples)


# ---- Errors ----


def test_win_rates_and_errors_are_those_of_plain_loops_over_blocks() -> None:
    tables = made_up_tables("abc", 3, 50, rare_is_strong)
    rows = share_rows(tables)
    for row in rows.filter(pl.col("note") == "").to_dicts():
        values = tables.wins[:, row["table"], "abc".index(row["strategy"])]
        assert row["win_rate"] == pytest.approx(values.mean())
        assert row["error"] == pytest.approx(values.std(ddof=1) / np.sqrt(50))
        assert row["games"] == 50 * 3 * row["seats"]
    alike = rows.filter(pl.col("note") == "alike")
    assert alike["win_rate"].to_list() == pytest.approx([1 / 3] * 3)
    assert alike["low"].null_count() == 3


@pytest.mark.parametrize(("names", "players"), [("abc", 3), ("ab", 4)])
def test_limits_of_invaders_hold_for_all_of_them_at_once_where_nobody_gains(
    names: str, players: int, scaled: Callable[..., int]
) -> None:
    runs = scaled(250, 40, 3000)
    mixture = np.random.default_rng(1).dirichlet(np.ones(len(names)))
    held = gains = 0
    for seed in range(runs):
        rows = invader_rows(made_up_tables(names, players, 60, equal, seed), mixture)
        held += bool(((rows["low"] <= 0) & (rows["high"] >= 0)).all())
        gains += bool((rows["low"] > 0).any())
    slack = 3 * np.sqrt(0.05 * 0.95 / runs)
    assert 0.95 - slack < held / runs
    assert gains / runs < 0.025 + slack


def test_limits_of_an_invader_cover_its_true_gain(scaled: Callable[..., int]) -> None:
    runs, mixture = scaled(200, 30, 2000), np.array([0.7, 0.3])
    companies = companies_of(2, 3)
    chances = companies.tables * np.array([rare_is_strong(seats) for seats in companies.tables])
    payoffs = chances / chances.sum(axis=1, keepdims=True) / np.maximum(companies.tables, 1)
    gain = float((payoffs_by_company(companies, payoffs)[1] @ met(companies, mixture)) - 1 / 3)
    held = 0
    for seed in range(runs):
        rows = invader_rows(made_up_tables("ab", 3, 80, rare_is_strong, seed), mixture)
        row = rows.row(by_predicate=pl.col("strategy") == "b", named=True)
        held += row["low"] <= gain <= row["high"]
    assert gain > 0.03
    assert held / runs > 0.95 - 3 * np.sqrt(0.05 * 0.95 / runs)


def test_resamples_draw_a_deal_at_all_tables_together() -> None:
    tables = made_up_tables("ab", 2, 200, equal)
    wins = tables.wins.copy()
    wins[:, 1, 0] = wins[:, 1, 1] = 0.25 + 0.5 * (np.arange(200) % 2)
    linked = TableWins(tables.names, tables.companies, tables.blocks, wins, tables.squares, tables.played)
    drawn = resampled_payoffs(linked)
    assert drawn[:, 1, 0].std() > 0.01
    assert drawn[:, 1, 0] == pytest.approx(drawn[:, 1, 1])
    assert len(resampled_payoffs(made_up_tables("ab", 2, 19, equal))) == 0


def test_shares_of_a_mixture_scatter_over_resamples_as_over_runs() -> None:
    companies = companies_of(2, 3)
    shares = []
    for seed in range(60):
        tables = made_up_tables("ab", 3, 150, rare_is_strong, seed)
        shares += [one.shares[0] for one in symmetric_equilibria(companies, tables.payoffs[None])[0]]
    done = study(rare_is_strong, 3, 150)
    (support,) = [one for one in done.supports if one.members == (0, 1)]
    assert len(shares) == 60
    assert support.shares[:, 0].std() == pytest.approx(np.std(shares), rel=0.35)


@pytest.mark.parametrize(("found", "of"), [(0, 200), (1, 200), (150, 200), (199, 200), (200, 200), (20, 20)])
def test_how_often_resamples_show_something_is_never_certain(found: int, of: int) -> None:
    low, high = frequency_limits(found, of)
    assert low <= found / of <= high
    assert low < 1
    assert high > 0
    words = frequency_words(found, of)
    assert "100" not in words
    assert not words.startswith("0.0")
    assert ("at least" in words) == (found >= of - 1)
    assert ("at most" in words) == (found <= 1)


# ---- Words ----


def test_what_is_said_of_a_choice_is_as_kept(kept: Kept) -> None:
    lucky, true = made_up_tables("ab", 4, 400, many_are_strong), made_up_tables("ab", 4, 400, rare_is_strong)
    short = study(rare_is_strong, blocks=300)
    (found,) = short.invaders
    worlds = {
        "a mixture": study(rare_is_strong),
        "several equilibria": study(many_are_strong),
        "two players": study(lambda seats: np.array([3.0, 1.0]), 2),
        # One a leads any table, several of them are in each other's way.
        "ahead of all others, not among its own": study(lambda seats: np.array([1.6 if seats[0] == 1 else 0.6, 1.0])),
        "an equilibrium that only errors have made": studied(lucky, true),
        "an invader gains": replace(short, invaders=(found.with_columns(low=pl.Series([0.001, -0.02])),)),
        "the largest limit of all": replace(short, invaders=(found.with_columns(high=pl.Series([0.001, 0.02])),)),
        "others are not ruled out": study(equal, 2, 300),
        "few deals": study(rare_is_strong, 3, 10),
        "no equilibrium": replace(study(equal, 3, 30, resamples=20), equilibria=(), supports=(), invaders=()),
    }
    assert [one.support for one in worlds["several equilibria"].equilibria] == [(0,), (1,), (0, 1)]
    assert [one.support for one in worlds["ahead of all others, not among its own"].equilibria] == [(0, 1)]
    for one in worlds.values():
        json.dumps(metagame_values(one), allow_nan=False)
    kept("choice among strategies", {name: one.sections[:1] for name, one in worlds.items()})


def test_figures_hold_no_nan_and_every_table_of_all_strategies_is_listed() -> None:
    for strengths in (rare_is_strong, many_are_strong):
        section = study(strengths, names="abc", blocks=60, resamples=20).sections[0]
        for listing in section.listings:
            floats = listing.frame.select(pl.selectors.float())
            assert sum(floats.select(pl.all().is_nan().sum()).fill_null(0).row(0)) == 0
        assert section.listings[3].frame["table"].n_unique() == 15
        assert section.listings[2].frame.height == 6
        section.pictures[0].draw()


def test_only_tables_that_a_mixture_can_bring_about_are_played_against_invaders() -> None:
    companies = companies_of(3, 4)
    pure = companies.tables[needed_tables(companies, [np.array([0.0, 1.0, 0.0])])]
    assert pure.tolist() == [[1, 3, 0], [0, 4, 0], [0, 3, 1]]
    mixed = companies.tables[needed_tables(companies, [np.array([0.5, 0.5, 0.0])])]
    assert len(mixed) == 5 + 4
    assert mixed[:, 2].max() == 1


# ---- The report ----


def test_the_report_keeps_who_is_ahead_and_says_nothing_of_where_play_would_end(tmp_path: Path) -> None:
    truth = Truth(blocks=60, strategies={"weak": -8.0, "middle": 0.0, "strong": 8.0})
    report = build_report(load_run(write_run(tmp_path / "run", truth)))
    said = json_text(report).casefold()
    for word in ("equilibri", "would end", "would remain", "copied", "alpha-rank", "replicator"):
        assert word not in said
    pairs = next(one for one in report.section("matchups").listings if one.name == "matchups strategy").frame
    assert pairs.height == 3
    assert pairs["low"].null_count() == pairs["high"].null_count() == 0


# ---- Real games ----

GREEDY = RunConfig(game="seven_wonders", players=3, games=36, strategies=["random", "greedy"], seed=5)


def test_a_table_is_the_run_that_simulate_plays() -> None:
    plan = plan_of_tables(GREEDY)
    players, companies = players_of(plan), companies_of(2, 3)
    tables = play_tables(plan, players, companies, np.array([False, True, True, False]), (0, 12), 1, lambda games: None)
    names = [strategy.name for strategy in plan.strategies]
    for place in (1, 2):
        assert tables.wins[:, place] @ companies.tables[place] == pytest.approx(np.ones(12)), "wins of a block add up"
        lineup = [name for name, seats in zip(names, companies.tables[place], strict=True) for _ in range(seats)]
        with play_arm(GREEDY.model_copy(update={"strategies": lineup}), 36, jobs=1) as run:
            wins = run.seats.group_by("strategy").agg(pl.col("win").cast(pl.Float64).mean()).collect()
        assert dict(wins.rows()) == pytest.approx(dict(zip(names, tables.payoffs[place], strict=True)))
    assert tables.payoffs[0] == pytest.approx([1 / 3, 0])


def test_all_tables_get_the_same_deals_and_invaders_others() -> None:
    plan = plan_of_tables(GREEDY)
    players, companies = players_of(plan), companies_of(2, 3)
    boards = [
        play(replace(plan, lineup=lineup), players, 0, 36)[0][:, FACTION].tolist()
        for lineup in ((0, 0, 1), (0, 1, 1), (0, 0, 0))
    ]
    assert boards[0] == boards[1] == boards[2]
    mixed = np.array([False, True, True, False])
    long, later = (
        play_tables(plan, players, companies, mixed, deals, 1, lambda games: None) for deals in ((0, 20), (12, 8))
    )
    assert later.wins.tolist() == long.wins[12:].tolist()
    assert later.squares == pytest.approx((later.wins**2).sum(axis=0))


def test_any_number_of_workers_stretches_and_batches_gives_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    one = play_metagame(GREEDY, jobs=1)
    monkeypatch.setattr("reports.studies.players.metagame.TABLE_STRETCH_GAMES", 7)
    two = play_metagame(GREEDY, jobs=2)
    assert one.tables.wins.tolist() == two.tables.wins.tolist()
    assert one.fresh.wins.tolist() == two.fresh.wins.tolist()
    assert metagame_values(one) == metagame_values(two)
    # With more deals than batches, several share a batch and none is lost.
    monkeypatch.setattr("reports.studies.players.metagame.BATCHES", 5)
    batched = play_metagame(GREEDY, jobs=1).tables
    assert batched.blocks.tolist() == [3, 2, 3, 2, 2]
    assert batched.payoffs == pytest.approx(one.tables.payoffs)
    assert batched.squares == pytest.approx(one.tables.squares)


def test_who_never_wins_is_no_answer_and_the_other_is() -> None:
    done = play_metagame(GREEDY.model_copy(update={"games": 90}), jobs=1)
    assert [one.shares.tolist() for one in done.equilibria] == [[0, 1]]
    row = done.invaders[0].row(by_predicate=pl.col("strategy") == "random", named=True)
    assert row["gain"] < 0
    assert row["high"] < 0
