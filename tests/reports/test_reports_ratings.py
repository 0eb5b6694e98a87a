"""Plackett-Luce against known truth, a slow oracle and choix; words for runs that cannot be adjusted."""

from collections.abc import Callable
from dataclasses import replace
from itertools import permutations, product
from pathlib import Path
from typing import Any, get_args

import choix
import numpy as np
import polars as pl
import pytest
from synthetic import FACTIONS, Truth, rows, write_rows

from reports.data.load import load_run
from reports.sections.strength.ratings import edge_for_all, silence_words, strength_section
from reports.statistics.strength import plackett_luce as model
from reports.statistics.strength import played_tables, ratings
from reports.statistics.strength.played_tables import FinishingOrders, Packing, Seating, shares_in_seats, tabulate
from tests.reports.claims import mirror_match, shuffled
from tests.reports.conftest import Kept

NAMES = {
    "faction": [f"faction {i}" for i in range(20)],
    "strategy": [f"strategy {i}" for i in range(20)],
    "seat": [f"seat {i}" for i in range(12)],
}
Array = Any


def orders_of(items: Array, rank: Array, cells: int, batches: int = 40) -> model.Orders:
    """Games of equal size from cells and places of shape (games, players)."""
    games, players = items.shape
    start = np.arange(games + 1, dtype=np.int64) * players
    batch = (np.arange(games) % batches).astype(np.int32)
    return model.Orders(items.ravel().astype(np.int32), rank.ravel().astype(np.int8), start, batch, cells, batches)


def finish(rng: Array, theta: Array) -> Array:
    """Places drawn exactly from Plackett-Luce at log strengths of shape (games, players): largest Gumbel sum first."""
    return 1 + (-(theta + rng.gumbel(size=theta.shape))).argsort(axis=1).argsort(axis=1)


def tabulated(code: Array, rank: Array, start: Array, block: Array) -> FinishingOrders:
    """A table of games in one stretch; codes count seats, factions and strategies."""
    packing = Packing(12 * 400)
    packing.add(code, rank, start, block)
    seat, rest = np.divmod(np.arange(12 * 400), 400)
    return tabulate(packing, {"seat": seat, "faction": rest // 20, "strategy": rest % 20}, NAMES)


def table_of(faction: Array, strategy: Array, rank: Array, block: Array, order: Array | None = None) -> FinishingOrders:
    """A table of games from arrays of shape (games, players)."""
    games, players = rank.shape
    order = np.arange(games) if order is None else order
    code = ((np.arange(players) * 20 + faction) * 20 + strategy)[order].ravel()
    start = np.arange(games + 1, dtype=np.int64) * players
    return tabulated(code, rank[order].ravel(), start, block[order])


def draw_games(
    rng: Array, games: int, effects: dict[str, Array], players: int = 4, rounded: bool = False
) -> tuple[Array, Array, Array]:
    """Factions (none twice at a table), strategies (by lot) and places, from effects on the log scale."""
    faction = rng.random((games, len(effects["faction"]))).argsort(axis=1)[:, :players]
    strategy = rng.integers(0, len(effects["strategy"]), (games, players))
    theta = effects["faction"][faction] + effects["strategy"][strategy] + effects["seat"][:players]
    if not rounded:
        return faction, strategy, finish(rng, theta)
    luck = np.round((theta + rng.gumbel(size=theta.shape)) / 0.2)
    return faction, strategy, 1 + (luck[:, None, :] > luck[:, :, None]).sum(axis=2)


EFFECTS = {
    "faction": np.array([0.4, 0.1, 0.0, -0.1, -0.1, -0.3]),
    "strategy": np.array([0.5, 0.0, -0.5]),
    "seat": np.array([0.15, 0.0, -0.05, -0.1]),
}


@pytest.mark.parametrize("first_only", [False, True])
def test_gradient_and_information_are_the_derivatives_of_the_likelihood(first_only: bool) -> None:
    rng = np.random.default_rng(3)
    orders = orders_of(rng.integers(0, 6, (30, 5)), rng.integers(1, 4, (30, 5)), 6)
    theta, step = rng.normal(0, 1, 6), 1e-5
    sums = model.sum_games([orders], theta, first_only)
    for cell, shift in enumerate(step * np.eye(6)):
        up, down = (model.sum_games([orders], theta + sign * shift, first_only) for sign in (1, -1))
        slope = (up.likelihood - down.likelihood) / (2 * step)
        assert sums.scores.sum(axis=0)[cell] == pytest.approx(slope, abs=1e-6)
        bend = (up.scores.sum(axis=0) - down.scores.sum(axis=0)) / (2 * step)
        assert -sums.information[cell] == pytest.approx(bend, abs=1e-6)


@pytest.mark.parametrize("first_only", [False, True])
def test_sums_over_seats_and_the_rest_are_those_over_cells(first_only: bool) -> None:
    rng = np.random.default_rng(4)
    seat, faction = np.divmod(np.arange(12), 4)
    design = np.concatenate([model.contrasts(4)[faction], model.contrasts(3)[seat]], axis=1)
    rows, items = model.split_design(design, slice(3, 5))
    assert len(rows) == 4 + 3
    orders, theta = orders_of(rng.integers(0, 12, (60, 5)), rng.integers(1, 5, (60, 5)), 12), rng.normal(0, 1, 12)
    cells, apart = (model.sum_games([orders], theta, first_only, of) for of in (None, items))
    assert apart.scores @ rows == pytest.approx(cells.scores @ design)
    assert rows.T @ apart.information @ rows == pytest.approx(design.T @ cells.information @ design)


def test_a_level_that_hardly_ever_wins_in_a_sample_starts_from_its_wins_in_all_games(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(played_tables, "MAX_TABLES", 400)
    drawn = draw_games(np.random.default_rng(7), 8_000, EFFECTS | {"faction": np.array([0.4, 0.1, 0, 0, 0, -6])})
    table = table_of(*drawn, np.arange(8_000) // 4)
    bases, sample = played_tables.design_columns(table, table.place), table.samples[400]
    design, ridge = np.concatenate(list(bases.values()), axis=1), model.RIDGE
    far = model.fit_orders(sample, design, ridge, first_only=True)
    moved = ratings.moved_by_wins(table, sample, far.predicted, ratings.term_slices(bases))
    place = table.place["faction"]
    won = np.bincount(place, table.wins)[5]
    before, after = (
        np.bincount(place, model.sum_games(table.orders, design @ start, first_only=True).predicted)[5]
        for start in (far.beta, far.beta + moved)
    )
    assert won > 0
    assert abs(np.log(after / won)) < 0.3 < abs(np.log(before / won))


def test_a_tie_counts_as_the_mean_over_all_orders_in_which_it_may_be_broken() -> None:
    theta = np.array([0.3, -0.5, 1.1, 0.0, -0.2])
    items, rank = np.array([[0, 1, 2, 3, 4]]), np.array([[2, 1, 2, 2, 5]])
    tied = model.sum_games([orders_of(items, rank, 5, 1)], theta)
    whole = []
    for broken in permutations((2, 3, 4)):
        places = np.array([[broken[0], 1, broken[1], broken[2], 5]])
        whole.append(model.sum_games([orders_of(items, places, 5, 1)], theta))
    assert tied.likelihood == pytest.approx(np.mean([one.likelihood for one in whole]), abs=1e-12)
    assert tied.scores == pytest.approx(np.mean([one.scores for one in whole], axis=0), abs=1e-12)
    assert tied.information == pytest.approx(np.mean([one.information for one in whole], axis=0), abs=1e-12)


def test_full_rankings_give_the_strengths_that_choix_finds() -> None:
    rng = np.random.default_rng(5)
    truth = np.array([0.6, 0.2, 0.0, -0.1, -0.7])
    items = np.array([rng.permutation(5)[:4] for _ in range(120)])
    rank = finish(rng, truth[items])
    basis = model.contrasts(5)
    ours = basis @ model.fit_orders([orders_of(items, rank, 5)], basis, ridge=0).beta
    data = [tuple(int(i) for i in row[place.argsort()]) for row, place in zip(items, rank, strict=True)]
    theirs = choix.ilsr_rankings(5, data, tol=1e-12)
    assert ours == pytest.approx(theirs - theirs.mean(), abs=1e-6)


def test_two_players_are_bradley_terry_and_first_places_say_all() -> None:
    rng = np.random.default_rng(6)
    items = np.array([rng.permutation(4)[:2] for _ in range(300)])
    orders = orders_of(items, finish(rng, np.array([0.5, 0, 0, -0.5])[items]), 4)
    basis = model.contrasts(4)
    ours, firsts = (basis @ model.fit_orders([orders], basis, 0, first_only=only).beta for only in (False, True))
    ahead, _ = model.count_pairs([orders], [2])
    pairs = [(i, j) for i in range(4) for j in range(4) for _ in range(int(ahead[i, j]))]
    theirs = choix.opt_pairwise(4, pairs, alpha=0, method="Newton-CG", tol=1e-12)
    assert ours == pytest.approx(theirs - theirs.mean(), abs=1e-6)
    assert firsts == pytest.approx(ours, abs=1e-6)
    assert basis @ model.fit_pairs(basis, ahead, 0, 1e-10) == pytest.approx(ours, abs=1e-6)


GAMES = {
    # Boards 0 and 1, and 2 and 3, are two sides of one; 4 and 5 stand alone.
    "sides": ([[0, 2, 4], [5, 3, 1], [4, 0, 3], [2, 5, 0]], [0, 0, 1, 1, 2, 3], True),
    # Two levels share three seats: each sits everywhere, one of them twice.
    "shared": ([[0, 0, 1], [1, 0, 1], [1, 0, 0], [1, 1, 0]], [0, 1], True),
    # Levels drawn seat by seat.
    "by lot": ([[0, 0, 0], [1, 0, 2], [2, 2, 0], [1, 1, 0]], [0, 1, 2], False),
}


def seating_of(kind: str) -> tuple[Array, Seating, Array]:
    """Games of three seats, each of which has one of two things else: levels, seating, and what else, by seat-game."""
    games, group, swaps = GAMES[kind]
    levels, else_ = np.array(games), np.array([[0, 1, 1], [1, 0, 0], [0, 0, 1], [1, 1, 0]])
    every = np.arange(2 * len(group))
    orders = orders_of(2 * levels + else_, np.ones_like(levels), len(every))
    shown = np.arange(len(group))
    return levels, Seating(orders, 3, shown, np.ones(len(group)), every, every // 2, 2, np.array(group), swaps), else_


def one_by_one(levels: Array, group: Array, swaps: bool, else_: Array, theta: Array) -> Array:
    """Shares of all levels, every one put into every seat by hand."""
    won, tried, w = np.zeros(len(group)), np.zeros(len(group)), np.exp(theta.reshape(-1, 2))
    for (table, has), seat, new in product(zip(levels, else_, strict=True), range(3), range(len(group))):
        rivals = [one for one in range(3) if one != seat and group[table[one]] == group[new]]
        tables = []
        if not swaps or not rivals or (group[new] == group[table[seat]] and new != table[seat]):
            tables = [[new if one == seat else table[one] for one in range(3)]]
        elif new == table[seat]:
            tables = [list(table)] * (1 + len(rivals))
        else:
            for rival in rivals:
                changed = list(table)
                changed[seat], changed[rival] = new, table[seat]
                tables.append(changed)
        for changed in tables:
            strengths = w[changed, has]
            won[new] += strengths[seat] / strengths.sum()
            tried[new] += 1
    return won / tried


@pytest.mark.parametrize("kind", list(GAMES))
def test_shares_at_the_tables_played_are_those_of_every_level_in_every_seat(kind: str) -> None:
    levels, seating, else_ = seating_of(kind)
    theta = np.random.default_rng(7).normal(0, 1, 2 * len(seating.group))
    nothing = np.zeros(len(theta), np.int64)
    found = shares_in_seats(seating, theta, theta, nothing)
    told = one_by_one(levels, seating.group, seating.swaps, else_, theta)
    assert found.share[0] == pytest.approx(told, abs=1e-12)
    for cell, step in enumerate(1e-5 * np.eye(len(theta))):
        own, others = (
            [shares_in_seats(seating, theta + a * step, theta + b * step, nothing).share[0] for a, b in shifts]
            for shifts in (((1, 0), (-1, 0)), ((0, 1), (0, -1)))
        )
        assert found.by_own[0, :, cell] == pytest.approx((own[0] - own[1]) / 2e-5, abs=1e-8)
        assert found.by_others[0, :, cell] == pytest.approx((others[0] - others[1]) / 2e-5, abs=1e-8)


def test_a_level_that_never_wins_has_a_share_of_nothing_and_no_number_overflows() -> None:
    _, seating, _ = seating_of("shared")
    theta = np.array([0.0, 0.0, -800.0, -800.0])
    found = shares_in_seats(seating, theta, theta, np.zeros(4, np.int64))
    assert found.share[0, 1] < 1e-12
    assert np.isfinite(found.by_own).all()
    assert np.isfinite(found.by_others).all()


def evenly(factor: str, effects: dict[str, Array], strategies: Array, players: int = 4) -> Array:
    """Win rates of the levels of a factor where all different factions meet these strategies, shape (tables, players),
    and every such table is played equally often.
    """
    factions = np.array(list(permutations(range(len(effects["faction"])), players)))
    faction = np.repeat(factions, len(strategies), axis=0)
    strategy = np.tile(strategies, (len(factions), 1))
    seat = np.broadcast_to(np.arange(players), faction.shape)
    w = np.exp(effects["faction"][faction] + effects["strategy"][strategy] + effects["seat"][seat])
    level = {"faction": faction, "strategy": strategy, "seat": seat}[factor].ravel()
    return np.bincount(level, (w / w.sum(axis=1, keepdims=True)).ravel()) / np.bincount(level)


def by_lot(strategies: int, players: int) -> Array:
    """All ways to draw strategies seat by seat."""
    return np.array(list(product(range(strategies), repeat=players)))


def test_where_every_table_holds_each_strategy_once_edges_are_those_of_such_tables() -> None:
    # Two strategies without hope: drawn seat by seat, a strong faction would often meet nobody but them.
    effects = {
        "faction": np.array([0.8, 0.0, 0.0, 0.0, -0.8]), "strategy": np.array([0.5, 0.0, -4.0, -9.0]),
        "seat": np.array([0.1, 0.0, 0.0, -0.1]),
    }  # fmt: skip
    rng, games = np.random.default_rng(31), 40_000
    faction = rng.random((games, 5)).argsort(axis=1)[:, :4]
    strategy = rng.random((games, 4)).argsort(axis=1)
    rank = finish(rng, sum(effects[name][of] for name, of in (("faction", faction), ("strategy", strategy)))
                  + effects["seat"])  # fmt: skip
    found = ratings.fit_table(table_of(faction, strategy, rank, np.arange(games)))
    each_once = np.array(list(permutations(range(4))))
    for factor in effects:
        frame, truth = found.frames[factor].sort("level"), evenly(factor, effects, each_once) - 1 / 4
        assert frame["edge"].to_numpy() == pytest.approx(truth, abs=0.007)
        assert (frame["edge"] - frame["raw_edge"]).abs().max() < 0.003  # type: ignore[operator]
    drawn = evenly("faction", effects, by_lot(4, 4)) - 1 / 4
    assert np.abs(drawn - (evenly("faction", effects, each_once) - 1 / 4)).max() > 0.01
    crossed = found.frames["strategy x faction"].filter(pl.col("p_holm") < 0.01)
    assert crossed.is_empty(), crossed.select("level", "level2", "games", "edge", "error", "p_holm", "raw_share").rows()


@pytest.mark.parametrize("rounded", [False, True])
def test_known_strengths_are_found_with_and_without_ties(rounded: bool) -> None:
    rng = np.random.default_rng(8)
    faction, strategy, rank = draw_games(rng, 60_000, EFFECTS, rounded=rounded)
    assert rounded == bool((np.sort(rank, axis=1) != np.arange(1, 5)).any())
    found = ratings.fit_table(table_of(faction, strategy, rank, np.arange(60_000)))
    for factor, truth in EFFECTS.items():
        frame, promised = found.frames[factor].sort("level"), evenly(factor, EFFECTS, by_lot(3, 4)) - 1 / 4
        assert frame["strength"].to_numpy() == pytest.approx(truth - truth.mean(), abs=0.03)
        assert frame["edge"].to_numpy() == pytest.approx(promised, abs=0.008)
    assert found.frames["strategy x faction"]["edge"].abs().max() < 0.02  # type: ignore[operator]


def test_unfair_company_misleads_plain_shares_but_not_adjusted_ones() -> None:
    rng = np.random.default_rng(9)
    games = 20_000
    faction = rng.random((games, 6)).argsort(axis=1)[:, :4]
    # Faction 0 is mostly held by the strong strategy, and worth no more than any other.
    strategy = (rng.random((games, 4)) < np.where(faction == 0, 0.1, 0.6)).astype(int)
    rank = finish(rng, np.array([0.8, -0.8])[strategy])
    found = ratings.fit_table(table_of(faction, strategy, rank, np.arange(games)))
    row = found.frames["faction"].filter(pl.col("level") == "faction 0").row(0, named=True)
    assert row["raw_edge"] > 0.1
    assert abs(row["edge"]) < 0.02


@pytest.mark.parametrize("frequent", [1 / 2, 4 / 5])
def test_where_all_met_evenly_adjusted_and_plain_edges_agree_even_if_factions_suit_strategies(frequent: float) -> None:
    rng = np.random.default_rng(19)
    games = 60_000
    # Boards 0 to 4 with two sides each, of which one is dealt; a strong player wins with some sides far more often.
    faction = 2 * rng.random((games, 5)).argsort(axis=1)[:, :4] + rng.integers(0, 2, (games, 4))
    strategy = (rng.random((games, 4)) < frequent).astype(int)
    suits = np.array([1.5, -0.5, 0.0, 0.0, 0.8, -0.8, 0.0, 0.0, -0.6, 0.3])
    worth = np.array([0.3, 0.6, 0.0, 0.0, -0.5, 0.2, 0.0, 0.1, -0.4, 0.0])
    rank = finish(rng, worth[faction] + suits[faction] * strategy + 0.8 * strategy)
    found = ratings.fit_table(table_of(faction, strategy, rank, np.arange(games)))
    assert "strategy x faction" in found.frames
    for factor in ("faction", "seat") if frequent != 1 / 2 else ("faction", "seat", "strategy"):
        frame = found.frames[factor]
        difference = (frame["edge"] - frame["raw_edge"]).abs().max()
        assert difference < 0.004  # type: ignore[operator]


def test_names_of_levels_and_the_order_of_games_change_nothing() -> None:
    rng = np.random.default_rng(10)
    faction, strategy, rank = draw_games(rng, 3000, EFFECTS)
    block, relabel = np.arange(3000) // 4, np.array([3, 5, 0, 1, 4, 2])
    plain = ratings.fit_table(table_of(faction, strategy, rank, block)).frames["faction"].sort("level")
    mixed = ratings.fit_table(table_of(faction, strategy, rank, block, rng.permutation(3000))).frames["faction"]
    other = ratings.fit_table(table_of(relabel[faction], strategy, rank, block)).frames["faction"].sort("level")
    for column in ("strength", "edge", "error", "p"):
        values = plain[column].to_numpy()
        assert mixed.sort("level")[column].to_numpy() == pytest.approx(values, rel=1e-6, abs=1e-9)
        assert other[column].to_numpy()[relabel] == pytest.approx(values, rel=1e-6, abs=1e-9)


def test_one_step_resamples_spread_as_full_fits_to_resampled_blocks_do() -> None:
    rng, basis = np.random.default_rng(11), model.contrasts(3)
    items = np.tile(np.arange(3), (300, 1))
    # Games of a block share luck, as deals do.
    luck = np.repeat(rng.normal(0, 0.8, (60, 3)), 5, axis=0)
    rank = finish(rng, np.array([0.5, 0.0, -0.5])[items] + luck)
    orders = replace(orders_of(items, rank, 3, 60), batch=(np.arange(300) // 5).astype(np.int32))
    quick = model.resample(model.fit_orders([orders], basis), 600, resamples=4000)
    slow = []
    for _ in range(400):
        games = (rng.integers(0, 60, 60)[:, None] * 5 + np.arange(5)).ravel()
        slow.append(model.fit_orders([orders_of(items[games], rank[games], 3)], basis).beta)
    assert quick.std(axis=0) == pytest.approx(np.std(slow, axis=0), rel=0.12)


def test_intervals_hold_the_truth_19_times_in_20_and_equals_are_rarely_flagged(scaled: Callable[..., int]) -> None:
    rng = np.random.default_rng(12)
    effects = {"faction": np.array([0.5, 0, 0, 0, -0.5]), "strategy": np.zeros(1), "seat": np.zeros(3)}
    truth = evenly("faction", effects, np.zeros((1, 3), int), 3) - 1 / 3
    held, alarms, repetitions = np.zeros(5), 0, scaled(100, 100, full_count=400)
    for _ in range(repetitions):
        faction, strategy, rank = draw_games(rng, 200, effects, players=3)
        found = ratings.fit_table(table_of(faction, strategy, rank, np.arange(200) // 4), resamples=200)
        frame = found.frames["faction"].sort("level")
        held += (frame["edge_low"].to_numpy() <= truth) & (truth <= frame["edge_high"].to_numpy())
        alarms += (found.frames["seat"]["flag"] != "").any()
    assert 0.93 <= held.mean() / repetitions <= 0.97
    assert alarms / repetitions <= 0.05 + 2 * np.sqrt(0.05 * 0.95 / repetitions)


def test_who_never_wins_stays_finite_and_leaves_the_others_their_fair_share() -> None:
    rng = np.random.default_rng(13)
    effects = {"faction": np.array([0.0, 0, 0, 0, -60]), "strategy": np.zeros(1), "seat": np.zeros(4)}
    frame = ratings.fit_table(table_of(*draw_games(rng, 2000, effects), np.arange(2000))).frames["faction"]
    last = frame.row(-1, named=True)
    assert (last["level"], last["note"], last["edge_low"]) == ("faction 4", "always or never ahead", None)
    assert -20 < last["strength"] < -4
    assert frame["edge"][:4].to_numpy() == pytest.approx(0.0625, abs=0.03)


def test_what_goes_together_is_said_and_not_given(tmp_path: Path) -> None:
    rng = np.random.default_rng(14)
    faction = rng.random((800, 14)).argsort(axis=1)[:, :4].astype(np.uint8)
    strategy, score = np.tile(np.arange(4, dtype=np.uint8), (800, 1)), rng.integers(20, 80, (800, 4), dtype=np.int16)
    frame = rows(faction, strategy, score, np.arange(800, dtype=np.uint32), list(Truth().strategies))
    run = load_run(write_rows(tmp_path / "fixed", frame, Truth()))
    assert set(ratings.fit_strengths(run).frames) == {"faction"}
    assert "Seat and strategy are confounded" in " ".join(strength_section(run).sentences)


def test_players_who_never_meet_are_not_compared() -> None:
    rng = np.random.default_rng(15)
    faction, _, rank = draw_games(rng, 500, EFFECTS)
    strategy = np.repeat(np.arange(500)[:, None] % 2, 4, axis=1)
    found = ratings.fit_table(table_of(faction, strategy, rank, np.arange(500)))
    assert "strategy" not in found.frames
    assert ratings.Silence("never meet", ("strategy",)) in found.silences
    said = [silence_words(silence, {"strategy": "strategy"}) for silence in found.silences]
    assert any(sentence.startswith("Not all strategies can be compared") for sentence in said)


def test_strengths_that_did_not_converge_are_not_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    table = table_of(*draw_games(np.random.default_rng(16), 500, EFFECTS), np.arange(500))
    assert ratings.fit_table(table).frames
    monkeypatch.setattr(model, "STEPS", 1)
    found = ratings.fit_table(table)
    assert (found.frames, [silence.kind for silence in found.silences]) == ({}, ["not converged"])


def test_every_silence_has_its_words_as_kept(kept: Kept) -> None:
    """Statistics hold what they found out in numbers and names; a sentence stands in the section."""
    said = {
        kind: silence_words(ratings.Silence(kind, ("seat", "faction"), ("Rhodos A",), 7, 42), {"faction": "board"})
        for kind in get_args(ratings.SilenceKind)
    }
    assert len(set(said.values())) == len(said) == 13
    kept("silences", {kind: [sentence] for kind, sentence in said.items()})


def test_tables_of_several_sizes_are_fitted_together(tmp_path: Path) -> None:
    rng = np.random.default_rng(18)
    frames, first = [], 0
    names = list(Truth().strategies)
    for players, games in ((3, 400), (4, 600), (7, 200)):
        faction = rng.random((games, 14)).argsort(axis=1)[:, :players].astype(np.uint8)
        score = np.rint(50 + 8.0 * (faction == 2) + rng.normal(0, 9, faction.shape)).astype(np.int16)
        frame = rows(faction, np.zeros_like(faction), score, np.arange(first, first + games).astype(np.uint32), names)
        frames.append(frame.with_columns((pl.col("game") + first).cast(pl.UInt32)))
        first += games
    run = load_run(write_rows(tmp_path / "sizes", pl.concat(frames), Truth(), players=[3, 4, 7]))
    found = ratings.fit_strengths(run)
    assert found.sizes == {3: 400, 4: 600, 7: 200}
    best = found.frames["faction"].row(0, named=True)
    assert (best["level"], best["flag"]) == (FACTIONS[2], "strong")
    assert found.frames["faction"]["fair"].to_numpy() == pytest.approx(1200 / (3 * 400 + 4 * 600 + 7 * 200), abs=0.02)
    assert any("Table sizes differ (3, 4 or 7 players)" in said for said in strength_section(run).sentences)


def mixed_sizes(rng: Array, sizes: dict[int, int], strategies: int, seats: Array) -> FinishingOrders:
    """Games at tables of several sizes, strategies shared as evenly as the seats allow; effects as in EFFECTS."""
    codes, ranks, lengths = [], [], []
    for players, games in sizes.items():
        faction = rng.random((games, 6)).argsort(axis=1)[:, :players]
        dealt = np.resize(np.arange(strategies), (games, -(-players // strategies) * strategies))
        shuffled = rng.permuted(np.tile(np.arange(strategies), (games, 1)), axis=1)
        strategy = rng.permuted(np.take_along_axis(shuffled, dealt, axis=1)[:, :players], axis=1)
        theta = EFFECTS["faction"][faction] + EFFECTS["strategy"][strategy] + seats[:players]
        codes.append(((np.arange(players) * 20 + faction) * 20 + strategy).ravel())
        ranks.append(finish(rng, theta).ravel())
        lengths += [players] * games
    start = np.concatenate([[0], np.cumsum(lengths)])
    return tabulated(np.concatenate(codes), np.concatenate(ranks), start, np.arange(len(lengths)))


def test_in_an_evenly_mixed_run_of_two_sizes_adjusted_and_plain_edges_agree_at_all_levels() -> None:
    seats = np.array([0.3, 0.0, -0.2, -0.1, 0.1])
    table = mixed_sizes(np.random.default_rng(20), {3: 50_000, 5: 50_000}, 3, seats)
    found = ratings.fit_table(table)
    for factor in ("faction", "seat", "strategy"):
        frame = found.frames[factor].sort("level")
        assert (frame["edge"] - frame["raw_edge"]).abs().max() < 0.003  # type: ignore[operator]
        assert frame["win_rate"].to_numpy() - frame["edge"].to_numpy() == pytest.approx(
            (frame["raw_share"] - frame["raw_edge"]).to_numpy(), abs=1e-12
        )
    # Seats 3 and 4 exist at tables of five only.
    assert found.frames["seat"].sort("level")["fair"].to_list() == pytest.approx([4 / 15] * 3 + [0.2] * 2)
    # Known truth: at three players all strategies meet, at five two of them sit twice.
    won, effects = np.zeros(3), EFFECTS | {"seat": seats}
    for players, dealt in ((3, ["012"]), (5, ["01201", "01202", "01212"])):
        tables = np.array([list(map(int, held)) for one in dealt for held in {*permutations(one)}])
        won += players / 8 * evenly("strategy", effects, tables, players)
    assert found.frames["strategy"].sort("level")["edge"].to_numpy() == pytest.approx(won - 0.25, abs=0.006)


def test_one_table_size_among_others_gets_no_more_weight_than_its_seats() -> None:
    few = ratings.fit_table(mixed_sizes(np.random.default_rng(21), {3: 20_000, 5: 2_000}, 3, np.zeros(5)))
    frame = few.frames["strategy"]
    assert frame["fair"].to_numpy() == pytest.approx(22 / 70, abs=0.001)
    assert (frame["edge"] - frame["raw_edge"]).abs().max() < 0.004  # type: ignore[operator]


def test_a_width_that_rounds_to_nothing_is_put_in_words() -> None:
    row = {"edge": -0.25, "family_low": -0.25, "family_high": -0.249999}
    assert edge_for_all(row) == "-25.0 points, exact to 0.01,"


def test_at_the_fewest_blocks_with_intervals_equals_are_rarely_flagged_and_with_fewer_there_are_none(
    scaled: Callable[..., int],
) -> None:
    rng = np.random.default_rng(22)
    # 13 + 3 + 2 effects.
    fewest, repetitions = ratings.BLOCKS_PER_MAIN_EFFECT * 18, scaled(40, 40, full_count=150)
    alarms, held = 0, 0.0
    turn = (np.arange(4)[:, None] + np.arange(4)) % 4

    def fair_blocks(blocks: int) -> FinishingOrders:
        """Blocks of one deal, turned through four seats, whose games share luck."""
        faction: Array = rng.random((blocks, 14)).argsort(axis=1)[:, :4]
        deals = (faction, rng.integers(0, 3, (blocks, 4)), rng.normal(0, 0.7, (blocks, 4)))
        faction, strategy, luck = (deal[:, turn].reshape(-1, 4) for deal in deals)
        return table_of(faction, strategy, finish(rng, luck), np.repeat(np.arange(blocks), 4))

    for _ in range(repetitions):
        frame = ratings.fit_table(fair_blocks(fewest), resamples=200).frames["faction"]
        alarms += (frame["flag"] != "").any()
        held += float(((frame["edge_low"] <= 0) & (frame["edge_high"] >= 0)).to_numpy().mean())
    assert alarms / repetitions <= 0.05 + 2 * np.sqrt(0.05 * 0.95 / repetitions)
    assert 0.93 <= held / repetitions <= 0.965
    few = ratings.fit_table(fair_blocks(fewest - 1), resamples=200)
    assert set(few.frames["faction"]["note"]) == {"too few blocks"}
    assert ratings.Silence("too few blocks", number=fewest - 1, needed=fewest) in few.silences


def test_lower_places_tell_another_story_only_where_luck_cannot_have_told_it() -> None:
    """In one run of twenty that is fair they may all the same: here in two of three."""
    for seed in (1, 2):
        section = strength_section(shuffled(mirror_match(3000), "faction", seed))
        assert "whole finishing orders agree with the real ones" in " ".join(section.sentences)
    section = strength_section(mirror_match(6000), rate=0.1)  # half of it is that of lower places
    (claim,) = [one for one in section.claims if one.kind == "lower places"]
    assert claim.subject == "the board Halikarnassos B"
    assert claim.high is not None
    assert claim.high < 0
