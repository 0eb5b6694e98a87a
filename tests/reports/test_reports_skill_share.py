"""The skill share of players, how many are surely apart, and after how many games it shows."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from scipy import stats
from scipy.special import expit

import empirelab
from reports.data.load import load_run
from reports.sections.strength.skill_share import skill_share_section
from reports.statistics.strength.skill_share import explained, games_to_be_ahead, longest_chain, skill_share

NAMES = ("random", "greedy", "balanced", "military")


def test_games_to_be_ahead_are_those_of_all_ways_to_win() -> None:
    for p in (0.6, 0.75, 0.9, 0.99):
        games = games_to_be_ahead(p)
        assert games is not None
        assert stats.binom.sf(games // 2, games, p) >= 0.95
        assert games == 1 or stats.binom.sf((games - 2) // 2, games - 2, p) < 0.95
    assert [games_to_be_ahead(p) for p in (0.5, 0.5001, 1.0)] == [None, None, 1]


def test_a_coin_explains_nothing_and_a_certain_winner_everything() -> None:
    assert explained(np.array([[100.0, 50.0]])) == 0
    assert explained(np.array([[100.0, 100.0], [80.0, 0.0]])) == 1


def test_the_longest_chain_skips_those_who_are_not_surely_apart() -> None:
    sure = [("a", "b"), ("b", "d"), ("a", "c"), ("a", "d")]
    frame = pl.DataFrame({"level": [one for one, _ in sure], "level2": [two for _, two in sure], "flag": "strong"})
    assert longest_chain(frame) == ("a", "b", "d")
    circle = pl.DataFrame({"level": ["a", "b", "c"], "level2": ["b", "c", "a"], "flag": "strong"})
    assert len(longest_chain(circle)) == 3
    assert longest_chain(frame.with_columns(flag=pl.lit(""))) == ()


def test_skill_share_and_chain_are_those_of_drawn_orders(tmp_path: Path) -> None:
    strengths = dict(zip(NAMES, (-2.0, 0.0, 1.0, 1.0), strict=True))
    run = empirelab.simulate("seven_wonders", games=1200, strategies=list(NAMES), out=tmp_path / "run", progress=False)
    opened_run = load_run(run.folder)
    seats = opened_run.seats.collect()
    own = seats["strategy"].cast(pl.String).replace_strict(strengths).to_numpy()
    order = -(own + np.random.default_rng(3).gumbel(size=own.size)).reshape(-1, 4)
    rank = 1 + order.argsort(axis=1).argsort(axis=1).ravel()
    drawn = replace(opened_run, seats=seats.with_columns(pl.Series("rank", rank.astype(np.uint8))).lazy())
    found = skill_share(drawn)
    pairs = [(a, b) for place, a in enumerate(NAMES) for b in NAMES[place + 1 :]]
    truth = np.mean([(2 * expit(strengths[a] - strengths[b]) - 1) ** 2 for a, b in pairs])
    assert found.low < truth < found.high
    assert found.share == pytest.approx(truth, abs=0.05)
    assert len(found.chain) == 3
    assert found.chain[1:] == ("greedy", "random")
    section = skill_share_section(drawn)
    assert [claim.kind for claim in section.claims] == ["skill", "matchup", "matchup"]
    assert not any(claim.false_of(truth) for claim in section.claims if claim.kind == "skill")


def test_players_who_never_met_have_no_skill_share(tmp_path: Path) -> None:
    run = empirelab.simulate("seven_wonders", games=40, strategies="balanced", out=tmp_path / "run", progress=False)
    assert "No two players met" in skill_share_section(load_run(run.folder)).sentences[0]
