"""What decides a score: known shares of variance, margins and leads counted by plain loops."""

from collections.abc import Callable
from itertools import pairwise
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from matplotlib.patches import Rectangle
from synthetic import Truth, manifest_of, play, rows, write_rows, write_run

from reports.data.games import gather
from reports.data.load import Run, load_run
from reports.drawing import figure_of
from reports.sections.course.luck import convergence_section, luck_section, rank_flows
from reports.statistics.course.luck import LuckSums, batch_ratio, clip_at_zero, lmg, variance_shares


def deals(
    folder: Path, blocks: int, seed: int = 1, deal: float = 4.0, luck: float = 6.0, players: int = 4, taste: float = 0.0
) -> Run:
    """Factions stay at their seats, strategies rotate; the luck of a deal belongs to its seat.

    With `taste` a deal that is good for the first strategies is bad for the last ones.
    """
    rng = np.random.default_rng(seed)
    strengths = {"faction": np.linspace(-6, 6, 7), "strategy": np.linspace(-3, 3, 5), "seat": np.arange(players) - 1.5}
    faction = rng.permuted(np.tile(np.arange(7), (blocks, 1)), axis=1)[:, :players]
    strategy = rng.permuted(np.tile(np.arange(5), (blocks, 1)), axis=1)[:, :players]
    turn = (np.arange(players)[None, :] + np.arange(players)[:, None]) % players
    games = blocks * players
    plays = strategy[:, turn].reshape(games, players)
    sits, seat_luck = (np.repeat(a, players, axis=0) for a in (faction, rng.normal(0, deal, (blocks, players))))
    score = 100 + strengths["faction"][sits] + strengths["strategy"][plays] + strengths["seat"] + seat_luck
    answer = np.repeat(rng.normal(0, 1, (blocks, players)), players, axis=0)
    score += taste * answer * np.linspace(-1, 1, 5)[plays]
    score = np.rint(score + rng.normal(0, luck, score.shape)).astype(np.int16)
    truth = Truth(
        blocks=blocks, players=players, factions=dict.fromkeys("ABCDEFG", 0.0), strategies=dict.fromkeys("vwxyz", 0.0)
    )
    frame = rows(sits, plays, score, np.repeat(np.arange(blocks), players), list(truth.strategies))
    return load_run(write_rows(folder / f"run {seed}", frame, truth))


def true_shares(deal: float = 4.0, luck: float = 6.0) -> dict[str, float]:
    parts = {
        "seat": np.var(np.arange(4)), "wonder side": np.var(np.linspace(-6, 6, 7)),
        "strategy": np.var(np.linspace(-3, 3, 5)), "deal": deal**2, "within a game": luck**2 + 1 / 12,
    }  # fmt: skip
    return {name: float(part) / float(sum(parts.values())) for name, part in parts.items()}


def shares_of(run: Run) -> pl.DataFrame:
    found = gather(run, LuckSums)
    return variance_shares(found.products, found.design)


def test_shares_of_variance_are_those_the_scores_were_made_of(tmp_path: Path) -> None:
    found = shares_of(deals(tmp_path, 4000))
    assert found["share"].sum() == pytest.approx(1)
    for row in found.to_dicts():
        assert row["share"] == pytest.approx(true_shares()[row["source"]], abs=0.012)
        assert row["low"] < row["share"] < row["high"]


@pytest.mark.slow
def test_intervals_of_shares_cover_and_small_runs_are_not_biased(tmp_path: Path, scaled: Callable[..., int]) -> None:
    truth, repetitions = true_shares(), scaled(24, 24, 60)
    frames = [shares_of(deals(tmp_path, 60, seed)) for seed in range(2, 2 + repetitions)]
    every = pl.concat(frames).with_columns(pl.col("source").replace_strict(truth).alias("truth"))
    covered = every.select((pl.col("low") <= pl.col("truth")) & (pl.col("truth") <= pl.col("high"))).to_series().mean()
    assert 0.90 <= covered <= 0.99
    bias = every.group_by("source").agg((pl.col("share") - pl.col("truth")).mean().abs())["share"].max()
    assert bias < 0.015


def test_no_effect_means_no_share(tmp_path: Path) -> None:
    run = deals(tmp_path, 400, deal=0.0)
    found = dict(shares_of(run).select("source", "share").rows())
    assert (found["deal"] or 0.0) < 0.02
    blind = load_run(write_run(tmp_path / "blind", Truth(blocks=300, strategies=dict.fromkeys("abc", 0.0), deal=0.0)))
    found = dict(shares_of(blind).select("source", "share").rows())
    assert all((found[name] or 0.0) < 0.01 for name in ("seat", "strategy", "wonder side"))


def test_the_luck_of_deals_that_players_answer_differently_cannot_be_told(tmp_path: Path) -> None:
    """A deal moves each score by 8 points, but strategies in opposite ways: scores of one deal go apart."""
    run = deals(tmp_path, 400, deal=0.0, taste=8.0)
    shares = shares_of(run)
    deal = shares.filter(source="deal").row(0, named=True)
    assert (deal["share"], deal["low"], deal["high"], deal["points"]) == (None, None, None, None)
    assert deal["note"] == "cannot be estimated: scores on one deal differ as much as on different deals"
    assert shares["share"].sum() == pytest.approx(1)
    section = luck_section(run)
    assert "as if every player used a deal differently" in section.sentences[1]
    assert "the deal," not in section.sentences[0]
    assert "deal" not in [text.get_text().partition(" ")[0] for text in section.pictures[0].draw().texts]


def test_an_interval_that_fell_to_nothing_is_not_printed_as_a_share() -> None:
    """Four shares with known estimates: what fell below 0 with its whole interval is as unknown as its size."""
    estimate = np.array([0.4, -0.2, -0.001, 0.801])
    noise = np.random.default_rng(1).normal(0, 1e-4, (100, 4))
    (found, low, high), below = clip_at_zero(estimate, estimate + noise - noise.mean(axis=0))
    assert below.tolist() == [False, True, True, False]
    assert np.isnan([found[1], low[1], high[1]]).all()
    assert (found[2], low[2]) == (0, 0)
    assert high[2] > 0
    assert found[[0, 2, 3]].sum() == pytest.approx(1)


def test_products_are_those_of_plain_loops(tmp_path: Path) -> None:
    run = deals(tmp_path, 5)
    found = gather(run, LuckSums)
    design, sums = found.design, found.products.sum(axis=0)
    frame = run.seats.with_columns(pl.col("faction").to_physical(), pl.col("strategy").to_physical()).collect()
    keys = {0: ["block", "game", "seat"], 1: ["block", "seat"], 2: ["block", "seat", "strategy"]}
    for kind, group in keys.items():
        expected = np.zeros_like(sums[kind])
        for _, part in frame.group_by(group):
            z = np.zeros(len(expected))
            for row in part.to_dicts():
                for start, name in zip(design.starts, ("seat", "faction", "strategy"), strict=False):
                    z[start + row[name]] += 1
                z[-2:] += [1, row["score"]]
            expected += np.outer(z, z)
        assert sums[kind] == pytest.approx(np.triu(expected))


def test_factors_that_say_the_same_share_what_they_explain(tmp_path: Path) -> None:
    truth = Truth(blocks=50, players=4, factions=dict.fromkeys("ABCD", 0.0), strategies=dict.fromkeys("wxyz", 0.0))
    seats = np.tile(np.arange(4), (200, 1))
    score = 50 + 3 * seats + np.random.default_rng(1).integers(-3, 4, seats.shape)
    frame = rows(seats, seats, score, np.repeat(np.arange(50), 4), list(truth.strategies))
    found = shares_of(load_run(write_rows(tmp_path / "run", frame, truth)))["share"].to_list()
    assert found[0] == pytest.approx(found[1], abs=1e-6)
    assert found[1] == pytest.approx(found[2], abs=1e-6)


def test_leads_and_flows_are_those_of_plain_loops(tmp_path: Path) -> None:
    truth, names = Truth(blocks=40, seed=3), ["score_age_1", "score_age_2"]
    frame = play(truth)
    first = pl.Series(names[0], np.random.default_rng(4).integers(0, 15, frame.height), dtype=pl.Int16)
    frame = frame.with_columns(first, (first + frame["score"] // 2).alias(names[1]))
    run = load_run(write_rows(tmp_path / "run", frame, truth, measures=["coins", *names], checkpoints=names))
    found = gather(run, LuckSums)
    margins, leads = found.margins, found.leads
    flows, led, changes, winners = np.zeros((2, 4, 4)), np.zeros((2, 2)), 0, 0
    close, shared = 0, 0
    for (_,), game in frame.group_by("game"):
        seats = game.to_dicts()
        places = [[1 + sum(o[name] > s[name] for o in seats) for s in seats] for name in names]
        places.append([s["rank"] for s in seats])
        leader = None
        for moment, now in enumerate(places):
            if moment:
                for before, after in zip(places[moment - 1], now, strict=True):
                    flows[moment - 1, before - 1, after - 1] += 1
            if now.count(1) == 1:
                changes += leader is not None and leader != now.index(1)
                leader = now.index(1)
        for moment in range(2):
            for seat, place in enumerate(places[2]):
                if place == 1 and places[moment][seat] == 1:
                    led[moment] += [1, places[moment].count(1) == 1]
        winners += places[2].count(1)
        best = sorted((s["score"] for s in seats), reverse=True)
        close += best[0] - best[1] <= 5
        shared += best[0] == best[1]
    assert leads["flows"].sum(axis=0) == pytest.approx(flows)
    assert leads["led"].sum(axis=0) == pytest.approx(led)
    assert leads["games"].sum(axis=0).tolist() == [160, winners, changes]
    counts, middle = margins["counts"].sum(axis=0), margins["counts"].shape[1] // 2
    assert counts[middle - 5 : middle + 6].sum() == close
    assert margins["kinds"].sum(axis=0)[:2].tolist() == [160, shared]
    assert margins["seats"][:, :, 1].sum() == pytest.approx(160)


def test_moments_after_every_game_has_ended_are_left_out(tmp_path: Path) -> None:
    truth = Truth(blocks=10, seed=3)
    frame = play(truth).with_columns(after_epoch_1=pl.col("score") // 2, after_epoch_2="score", after_epoch_3="score")
    one_later = frame.with_columns(pl.col("after_epoch_2") - (pl.col("game") == 7))
    names = ["after_epoch_1", "after_epoch_2", "after_epoch_3"]
    fields = {"measures": names, "checkpoints": names}
    told = luck_section(load_run(write_rows(tmp_path / "run", frame, truth, **fields)))
    assert told.listings[2].frame["moment"].to_list() == ["after epoch 1"]
    assert "of winners led after epoch 1." in " ".join(told.sentences)
    later = luck_section(load_run(write_rows(tmp_path / "later", one_later, truth, **fields)))
    assert later.listings[2].frame["moment"].to_list() == ["after epoch 1", "after epoch 2"]


@pytest.mark.parametrize("moments", [1, 8])
def test_headings_of_ranks_stand_apart_and_labels_inside_their_columns(moments: int) -> None:
    flows = np.full((moments, 4, 4), 10.0)
    ax = rank_flows(flows, [*(f"after epoch {number + 1}" for number in range(moments)), "end"])
    figure = figure_of(ax)
    figure.canvas.draw()
    headings = [label.get_window_extent() for label in ax.get_xticklabels()]
    assert all(left.x1 < right.x0 for left, right in pairwise(headings))
    assert all(box.x0 >= 0 and box.x1 <= figure.bbox.x1 for box in headings)
    columns = [patch.get_window_extent() for patch in ax.patches if isinstance(patch, Rectangle)]
    labels = [text.get_window_extent() for text in ax.texts]
    assert len(labels) == len(columns) == 4 * (moments + 1)
    for column, label in zip(columns, labels, strict=True):
        assert column.x0 <= label.x0
        assert label.x1 <= column.x1


def test_several_player_counts_make_a_factor_of_their_own(tmp_path: Path) -> None:
    small, large = (play(Truth(blocks=40, players=n, seed=n)) for n in (3, 5))
    later = large.with_columns(pl.col("game") + 120, pl.col("block") + 40)
    content = manifest_of(Truth(), 320, 80)
    frame = pl.concat([small, later])
    truth = Truth(blocks=80)
    folder = write_rows(tmp_path / "run", frame, truth, players=[3, 5], games=content["games"], blocks=80)
    section = luck_section(load_run(folder))
    assert "number of players" in section.listings[0].frame["source"].to_list()
    assert section.listings[0].frame["share"].sum() == pytest.approx(1)


def test_variants_make_a_factor_of_their_own(tmp_path: Path) -> None:
    frame = play(Truth(blocks=200))
    others = np.var(frame["score"].to_numpy())
    named = pl.Series(["old", "new"], dtype=pl.Enum(["old", "new"]))
    variant = named.gather((frame["block"] >= 100).cast(pl.UInt32))
    frame = frame.with_columns(variant.alias("variant"), pl.col("score") + 20 * (pl.col("block") >= 100))
    run = load_run(write_rows(tmp_path / "run", frame, Truth(blocks=200), variants=["old", "new"]))
    frame = luck_section(run).listings[0].frame
    assert frame.filter(source="variant")["share"].item() == pytest.approx(100 / (100 + others), abs=0.06)
    assert frame["share"].sum() == pytest.approx(1)
    assert "are played one after the other" in convergence_section(run).sentences[0]


def test_explained_shares_add_up_to_r_squared(tmp_path: Path) -> None:
    run = deals(tmp_path, 200)
    found = gather(run, LuckSums)
    design, whole = found.design, found.products.sum(axis=0)[0]
    whole = whole + np.triu(whole, 1).T
    centred = whole - np.outer(whole[-2], whole[-2]) / whole[-2, -2]
    frame = run.seats.collect()
    dummies = [frame.select(name).to_dummies().to_numpy() for name in ("seat", "faction", "strategy")]
    x, y = np.hstack([np.ones((frame.height, 1)), *dummies]), frame["score"].to_numpy().astype(float)
    residual = y - x @ np.linalg.lstsq(x, y, rcond=None)[0]
    assert lmg(centred, design).sum() == pytest.approx(1 - residual.var() / y.var(), abs=1e-6)


@pytest.mark.parametrize(
    ("part", "whole", "deals", "limits"),
    [
        ([0.0] * 50, [2.0] * 50, 100, (0.0, 0.0, 0.03622)),
        ([2.0] * 50, [2.0] * 50, 100, (1.0, 1 - 0.03622, 1.0)),
        ([2.0, 2.0], [4.0, 4.0], 2, (0.5, 0.01258, 0.98742)),
    ],
)
def test_what_never_varied_has_limits_set_by_the_number_of_deals(
    part: list[float], whole: list[float], deals: int, limits: tuple[float, ...]
) -> None:
    assert batch_ratio(np.array(part), np.array(whole), deals) == pytest.approx(limits, abs=1e-5)
