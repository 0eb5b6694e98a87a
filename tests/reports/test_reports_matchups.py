"""Who finishes ahead of whom: against plain loops, and with designed circles and equals."""

import re
from collections import defaultdict
from itertools import combinations
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from scipy.special import expit
from synthetic import Truth, play, rows, write_rows, write_run

from reports.data.load import Run, load_run
from reports.data.moments import SUMS
from reports.sections.strength.matchups import ahead_words, matchup_map, matchups_section
from reports.statistics.core.win_rate import Floats
from reports.statistics.strength.interactions import interactions
from reports.statistics.strength.matchups import (
    EdgeSquare,
    Pairs,
    add_pairings,
    circles,
    count_pairings,
    matchups,
    pair_numbers,
    square,
)
from sim.compiler.kernel import compiled

BEATS = {("rock", "scissors"), ("scissors", "paper"), ("paper", "rock")}


def designed(folder: Path, blocks: int, chance: float, seed: int = 1) -> Run:
    """Games of two among rock, paper and scissors, one a block; who beats the other wins with this chance."""
    truth = Truth(blocks=blocks, players=2, strategies=dict.fromkeys(("rock", "paper", "scissors"), 0.0))
    rng = np.random.default_rng(seed)
    names = list(truth.strategies)
    strategy = rng.permuted(np.tile(np.arange(3), (blocks, 1)), axis=1)[:, :2]
    better = np.array([[(a, b) in BEATS for b in names] for a in names])[strategy[:, 0], strategy[:, 1]]
    wins = np.where(rng.random(blocks) < chance, better, ~better)
    score = np.stack([wins, ~wins], axis=1).astype(np.int16) + 40
    frame = rows(np.tile([0, 1], (blocks, 1)), strategy, score, np.arange(blocks), names)
    return load_run(write_rows(folder / "run", frame, truth))


def by_hand(frame: pl.DataFrame, column: str) -> dict[tuple[int, int], dict[int, tuple[int, float, int]]]:
    """Per pair and block: pairings, times ahead, difference of scores."""
    found: dict[tuple[int, int], dict[int, tuple[int, float, int]]] = defaultdict(dict)
    for (_,), game in frame.group_by("game"):
        for a, b in combinations(game.sort(column).to_dicts(), 2):
            if a[column] != b[column]:
                won = 1.0 if a["rank"] < b["rank"] else 0.5 if a["rank"] == b["rank"] else 0.0
                per_block = found[a[column], b[column]]
                n, w, s = per_block.get(a["block"], (0, 0.0, 0))
                per_block[a["block"]] = (n + 1, w + won, s + int(a["score"]) - int(b["score"]))
    return found


@pytest.mark.parametrize("column", ["faction", "strategy"])
def test_sums_and_errors_of_pairs_are_those_of_plain_loops(tmp_path: Path, column: str) -> None:
    truth = Truth(blocks=60, luck=3.0)
    run = load_run(write_run(tmp_path / "run", truth, part_games=90))
    pairs = count_pairings(run)[column]
    frame = matchups(pairs)
    expected = by_hand(play(truth), column)
    seen = {frozenset((row["level"], row["level2"])): row for row in frame.to_dicts() if row["games"]}
    assert len(seen) == len(expected)
    for (a, b), blocks in expected.items():
        row = seen[frozenset((pairs.names[a], pairs.names[b]))]
        n, w, s = (np.array(values, float) for values in zip(*blocks.values(), strict=True))
        share = w.sum() / n.sum()
        sign = 1 if row["level"] == pairs.names[a] else -1
        assert (row["games"], row["blocks"]) == (n.sum(), len(n))
        assert sign * row["edge"] == pytest.approx(share - 0.5)
        assert sign * row["margin"] == pytest.approx(s.sum() / n.sum())
        if len(n) > 1 and row["error"]:
            residual = w - share * n
            error = np.sqrt(len(n) / (len(n) - 1) * (residual**2).sum()) / n.sum()
            assert row["error"] == pytest.approx(error)
    assert pairs.met.sum() == sum(n for blocks in expected.values() for n, _, _ in blocks.values())


def test_rock_paper_scissors_is_found_and_named(tmp_path: Path) -> None:
    said = " ".join(matchups_section(designed(tmp_path, 3000, 0.65)).sentences)
    assert "Rock-paper-scissors" in said
    assert re.search("paper (finishes )?ahead of rock", said)


def test_an_order_of_strengths_is_no_circle(tmp_path: Path) -> None:
    truth = Truth(blocks=1500, strategies={"weak": -8.0, "middle": 0.0, "strong": 8.0})
    section = matchups_section(load_run(write_run(tmp_path / "run", truth)))
    said = " ".join(section.sentences)
    assert "No rock-paper-scissors cycle found among strategies" in said
    assert "Strong finishes ahead of both other strategies" in said
    first = section.listings[0].frame.row(0, named=True)
    assert (first["level"], first["level2"], first["flag"]) == ("strong", "weak", "strong")


def test_an_interval_that_ends_at_100_percent_is_told_by_its_limits() -> None:
    row = {"level": "a", "level2": "b", "ahead": 1.0, "low": 0.938, "high": 1.0, "edge": 0.5, "edge_low": 0.438,
           "edge_high": 0.5}  # fmt: skip
    assert ahead_words(row) == "a finishes ahead of b in 100.0 % of their pairings, between 93.8 and 100.0 %"
    row |= {"ahead": 0.712, "edge": 0.212, "edge_low": 0.209, "edge_high": 0.215}
    assert ahead_words(row) == "a finishes ahead of b in 71.2 ± 0.3 % of their pairings"


def test_circles_need_every_edge_to_be_certain() -> None:
    edge = np.array([[np.nan, 0.1, -0.1], [-0.1, np.nan, 0.2], [0.1, -0.2, np.nan]])
    sure = np.ones((3, 3), np.bool_)
    assert circles(EdgeSquare(["a", "b", "c"], edge, sure)) == [(0.1, ("a", "b", "c"))]
    sure[0, 2] = sure[2, 0] = False
    assert circles(EdgeSquare(["a", "b", "c"], edge, sure)) == []


def test_interval_covers_the_true_share_in_95_of_100_runs(tmp_path: Path) -> None:
    # One run with 40 x 40 strategies, of which each pair is a repetition of its own: pairs of equals.
    size, blocks = 40, 40_000 if compiled() else 4_000
    rng = np.random.default_rng(5)
    truth = Truth(blocks=blocks, players=2, strategies={f"s{i}": 0.0 for i in range(size)})
    players = rng.permuted(np.tile(np.arange(size), (blocks, 1)), axis=1)[:, :2]
    luck = rng.normal(0, 5, (blocks, 2))
    score = np.rint(50 + np.repeat(luck, 2, axis=0) + rng.normal(0, 5, (2 * blocks, 2))).astype(np.int16)
    strategy = np.repeat(players, 2, axis=0)
    frame = rows(
        np.tile([0, 1], (2 * blocks, 1)), strategy, score, np.repeat(np.arange(blocks), 2), list(truth.strategies)
    )
    run = load_run(write_rows(tmp_path / "run", frame, truth))
    found = matchups(count_pairings(run)["strategy"]).filter(pl.col("low").is_not_null())
    covered = found.select((pl.col("low") <= 0.5) & (pl.col("high") >= 0.5)).to_series().mean()
    assert 0.93 <= covered <= 0.97
    assert found.filter(pl.col("flag") != "").height == 0


def test_factions_never_dealt_together_have_a_word_and_no_share(tmp_path: Path) -> None:
    truth = Truth(blocks=30, players=2, factions=dict.fromkeys("ABCD", 0.0))
    rng = np.random.default_rng(1)
    faction = np.where(np.arange(60)[:, None] % 2 == 0, [0, 1], [2, 3])
    frame = rows(faction, faction % 2, rng.integers(40, 60, (60, 2)), np.arange(60) // 2, list(truth.strategies))
    frame = matchups(count_pairings(load_run(write_rows(tmp_path / "run", frame, truth)))["faction"])
    strangers = frame.filter(pl.col("note") == "never met")
    assert strangers.height == 4
    assert strangers["ahead"].null_count() == 4
    matchup_map(square(frame), "faction")


def made_pairs(
    games: int, players: int, strength: Floats, beyond: Floats | None = None, seed: int = 1, rotations: int = 1
) -> Pairs:
    """Return the pairs of games in which finishing orders follow Plackett and Luce, or of two by their log odds."""
    rng, levels = np.random.default_rng(seed), len(strength)
    who = np.argsort(rng.random((games // rotations, levels)), axis=1)[:, :players].repeat(rotations, axis=0)
    luck = strength[who] + rng.gumbel(size=who.shape)
    if beyond is not None:
        odds = np.diff(strength[who], axis=1)[:, 0] + beyond[who[:, 1], who[:, 0]]
        luck = np.stack([np.zeros(len(who)), odds + rng.logistic(size=len(who))], axis=1)
    rank = (-luck).argsort(axis=1).argsort(axis=1) + 1
    size = levels * (levels - 1) // 2
    sums, products = np.zeros((levels, levels, len(SUMS))), np.zeros((size, size, 3))
    game = np.arange(len(who)).repeat(players)
    add_pairings(
        game // rotations, game, rank.ravel().astype(np.int8), -rank.ravel().astype(np.int16), who.ravel(), sums,
        pair_numbers(levels), products,
    )  # fmt: skip
    return Pairs([f"L{number}" for number in range(levels)], sums, games // rotations, products)


def test_products_of_pairs_are_those_of_plain_loops() -> None:
    pairs = made_pairs(40, 3, np.array([0.5, 0.0, -0.5, 0.2]), rotations=2)
    assert pairs.products is not None
    first, second = np.nonzero(pairs.met)
    number = pair_numbers(4)[first, second]
    assert np.diag(pairs.products[..., 2])[number] == pytest.approx(pairs.sums[first, second, SUMS.index("NN")])
    assert pairs.products[..., 0] == pytest.approx(pairs.products[..., 0].T)
    every = np.ones(len(number)) @ pairs.products[..., 2] @ np.ones(len(number))
    assert every == pytest.approx(20 * (2 * 3) ** 2)


def test_matchups_by_strength_alone_are_seldom_said_to_depend_on_opponents() -> None:
    strength = np.linspace(-0.8, 0.8, 8)
    found = [interactions(made_pairs(400, 4, strength, seed=seed)) for seed in range(20)]
    assert sum(one is not None and one.p < 0.05 for one in found) <= 4


def test_matchups_that_depend_on_opponents_are_found_and_measured() -> None:
    rng = np.random.default_rng(3)
    beyond = np.triu(rng.normal(0, 0.5, (8, 8)), 1)
    found = interactions(made_pairs(6000, 2, np.linspace(-0.5, 0.5, 8), beyond - beyond.T))
    assert found is not None
    assert found.p < 0.001
    assert found.spread_low < 0.5 / 4 < found.spread_high


@pytest.mark.parametrize("beyond", [0.0, 0.3])
def test_shrunk_matchups_are_nearer_the_truth_and_their_intervals_hold(beyond: float) -> None:
    inside, gain = [], []
    for seed in range(10):
        rng = np.random.default_rng(100 + seed)
        strength, own = rng.normal(0, 0.4, 8), np.triu(rng.normal(0, beyond, (8, 8)), 1)
        pairs = made_pairs(1000, 2, strength, own - own.T, seed)
        found = interactions(pairs)
        assert found is not None
        assert found.share is not None
        assert found.low is not None
        assert found.high is not None
        truth = expit(strength[found.first] - strength[found.second] + (own - own.T)[found.first, found.second])
        inside += list((found.low <= truth) & (truth <= found.high))
        counted = pairs.ahead[found.first, found.second] / pairs.met[found.first, found.second]
        gain.append(((found.share - truth) ** 2).mean() / ((counted - truth) ** 2).mean())
    assert np.mean(inside) > 0.9
    assert np.mean(gain) < (0.5 if beyond == 0 else 0.95)


def test_three_levels_can_show_that_opponents_matter_but_are_not_shrunk() -> None:
    circle = np.array([[0.0, 0.6, -0.6], [-0.6, 0.0, 0.6], [0.6, -0.6, 0.0]])
    found = interactions(made_pairs(3000, 2, np.zeros(3), circle))
    assert found is not None
    assert found.p < 0.001
    assert found.share is None
    assert interactions(made_pairs(300, 2, np.zeros(2))) is None


def test_matchups_over_two_blocks_whose_correlations_show_no_luck_are_shrunk_too() -> None:
    found = [interactions(made_pairs(8, 4, np.zeros(5), seed=seed, rotations=4)) for seed in range(40)]
    assert any(one is not None and one.share is not None for one in found)
