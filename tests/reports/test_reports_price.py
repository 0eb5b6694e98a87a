"""The price of a faction: points at the end that make it fair, from the final scores of a run's own games."""

import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import permutations
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from synthetic import FACTIONS, Truth, write_empires, write_run

from reports.data.load import load_run
from reports.sections.factions.price import (
    draw_beside,
    neighbour_range_words,
    neighbours_section,
    price_said,
    price_sections,
)
from reports.statistics.core.crossing import edges_at_values
from reports.statistics.factions.price import (
    FactionPrice,
    PricedSeats,
    against,
    edges_with,
    paid_on_other_deals,
    price_alone,
    prices_beside,
    prices_by_neighbour,
    prices_of,
    prices_together,
    read_priced,
    shares_with,
    with_apart,
)
from sim.errors import UserError
from tests.reports.conftest import Kept

STRENGTHS = dict.fromkeys(FACTIONS, 0.0) | {"Halikarnassos B": 4.0, "Gizah A": -4.0}
ALIKE = {"balanced": 0.0, "military": 0.0, "science": 0.0, "civil": 0.0}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    truth = Truth(blocks=1500, factions=STRENGTHS, strategies=ALIKE)
    return write_run(tmp_path_factory.mktemp("runs") / "priced", truth)


def test_prices_undo_the_points_that_a_faction_is_stronger_by(folder: Path) -> None:
    rows = {row["faction"]: row for row in prices_of(load_run(folder)).to_dicts()}
    held = 0
    for name, strength in STRENGTHS.items():
        row = rows[name]
        assert row["together"] == pytest.approx(-strength, abs=1.6)
        held += row["together_low"] <= -strength <= row["together_high"]
    assert held >= 12  # of 14 intervals, 95 % each
    assert rows["Halikarnassos B"]["high"] < 0 < rows["Gizah A"]["low"]


def test_where_no_prices_are_fair_nothing_is_left_with_them(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Faction 0 wins more than half of the games by something other than points."""
    run, games, none = load_run(folder), 400, np.zeros(0, np.int64)
    played = np.repeat(np.arange(games) < 0.55 * games, 2)
    score = np.random.default_rng(3).normal(0, 5, 2 * games)
    lead = score - score.reshape(-1, 2)[:, ::-1].ravel()
    win = np.where(played, np.tile([1.0, 0.0], games), (lead > 0).astype(float))
    seats = PricedSeats(np.tile([0, 1], games), np.repeat(np.arange(games), 2), score, lead, win, none, none, played, 2)
    monkeypatch.setattr("reports.statistics.factions.price.read_priced", lambda run: {2: seats})
    frame = prices_of(run)
    assert frame["together"].null_count() == frame["left"].null_count() == frame["left_low"].null_count() == 2
    together = prices_together(seats, 2)
    assert np.isnan([*together.prices, *together.half]).all()


def test_all_shares_are_fair_at_the_prices_found(folder: Path) -> None:
    seats = read_priced(load_run(folder))[4]
    prices = prices_together(seats, len(FACTIONS)).prices
    owned = np.bincount(seats.faction, minlength=len(FACTIONS))
    assert np.abs(shares_with(seats, prices, owned) - 0.25).max() < 5e-3
    assert (prices * owned).sum() == pytest.approx(0, abs=1e-6)


def seated(scores: np.ndarray, faction: np.ndarray, block: np.ndarray) -> PricedSeats:
    """Seats of games that points decide, from scores and factions of shape (games, players)."""
    others = np.stack([np.delete(scores, seat, 1).max(1) for seat in range(scores.shape[1])], 1)
    top = scores == scores.max(1, keepdims=True)
    win, nobody = top / top.sum(1, keepdims=True), np.zeros(scores.size, np.int64)
    return PricedSeats(faction.ravel(), np.repeat(block, scores.shape[1]), scores.ravel().astype(float),
                       (scores - others).ravel().astype(float), win.ravel(), nobody, nobody,
                       np.zeros(scores.size, bool), scores.shape[1])  # fmt: skip


def made_up(rng: np.random.Generator, strengths: Sequence[float], blocks: int) -> PricedSeats:
    """Three of four factions meet; their luck is shared by the games of a block, whole points."""
    faction = np.repeat([rng.permutation(len(strengths))[:3] for _ in range(blocks)], 2, axis=0)
    luck = np.repeat(rng.normal(0, 3, faction[::2].shape), 2, axis=0) + rng.normal(0, 6, faction.shape)
    scores = np.round(50 + np.array(strengths)[faction] + luck)
    return seated(scores, faction, np.repeat(np.arange(blocks), 2))


def shares_slowly(scores: np.ndarray, prices: Sequence[int]) -> list[float]:
    """Share of wins of every faction, each at its own seat, game by game; a tie is shared."""
    wins = [0.0] * len(prices)
    for game in scores.tolist():
        after = [score + price for score, price in zip(game, prices, strict=True)]
        first = [place for place, score in enumerate(after) if score == max(after)]
        for place in first:
            wins[place] += 1 / len(first)
    return [won / len(scores) for won in wins]


def test_prices_when_all_pay_are_the_only_whole_ones_that_make_all_shares_fair() -> None:
    """Every luck falls on every faction in turn, so that the prices undo the strengths to the point."""
    luck = np.random.default_rng(6).integers(0, 12, (40, 3))
    scores = np.array([4, -2, 0]) + np.concatenate([luck[:, list(order)] for order in permutations(range(3))])
    fair = [
        (first, second) for first in range(-7, 8) for second in range(-7, 8)
        if np.allclose(shares_slowly(scores, (first, second, 0)), 1 / 3)
    ]  # fmt: skip
    assert fair == [(-4, 2)]
    seats = seated(scores, np.broadcast_to(np.arange(3), scores.shape), np.arange(len(scores)))
    found = prices_together(seats, 3)
    assert found.prices - found.prices[2] == pytest.approx([-4, 2, 0], abs=0.01)
    assert found.prices.sum() == pytest.approx(0, abs=1e-9)
    assert found.bids == pytest.approx([6, 0, 2], abs=0.01)
    assert found.bid_low[1] == 0


def test_errors_when_all_pay_are_those_of_deals_drawn_again() -> None:
    rng = np.random.default_rng(7)
    seats = made_up(rng, (3.0, 0.0, -1.0, -2.0), 600)
    games, drawn = np.arange(len(seats.block)).reshape(600, -1), []
    for _ in range(100):
        again = games[rng.integers(0, 600, 600)].ravel()
        resampled = replace(seats.chosen(again), block=np.repeat(np.arange(600), games.shape[1]))
        drawn.append(prices_together(resampled, 4).prices)
    assert prices_together(seats, 4).half / 1.964 == pytest.approx(np.std(drawn, axis=0), rel=0.25)


def test_paid_on_other_deals_all_are_fair_as_often_as_intervals_say() -> None:
    rng, held, true = np.random.default_rng(8), 0, 0
    strengths = np.array([4.0, 0.0, -1.0, -3.0])
    for _ in range(60):
        seats = made_up(rng, strengths.tolist(), 300)
        found, (left, half) = prices_together(seats, 4), paid_on_other_deals(seats, 4)
        held += int((np.abs(left) <= half).sum())
        true += int((np.abs(found.prices + strengths) <= found.half).sum())
    assert 0.91 <= held / 240 <= 0.99
    assert 0.91 <= true / 240 <= 0.99


@pytest.mark.parametrize("strengths", [(0.0,) * 6, (6.0, 3.0, 0, 0, -3.0, -3.0)], ids=["equal", "unequal"])
def test_bids_lie_within_their_limits_as_often_as_these_say(
    strengths: tuple[float, ...], scaled: Callable[..., int]
) -> None:
    """Where all prices are equal, whoever is picked for the largest bid was lucky."""
    rng, runs = np.random.default_rng(9), scaled(40, 10, full_count=400)
    truth = np.array(strengths) - min(strengths)
    held = together = 0
    for _ in range(runs):
        found = prices_together(made_up(rng, strengths, 200), 6)
        held += int(((found.bid_low <= truth) & (truth <= found.bid_high)).sum())
        together += bool(((found.bid_family_low <= truth) & (truth <= found.bid_family_high)).all())
    assert 0.92 <= held / runs / 6 <= 0.98
    assert together / runs >= 0.95 - 3 * np.sqrt(0.05 * 0.95 / runs)


def test_a_lead_is_lost_tied_and_won_point_by_point() -> None:
    lead, win, zeros = np.array([-2.0, -1.0, 0.0, 3.0]), np.array([0.0, 0.0, 1.0, 1.0]), np.zeros(4, np.int64)
    played = np.array([False, False, False, True])  # the last is not decided by points
    seats = PricedSeats(zeros, np.arange(4), lead, lead, win, zeros, zeros, played, 4)
    for points, won in ((0, [0, 0, 1, 1]), (1, [0, 0.5, 1, 1]), (2, [0.5, 1, 1, 1]), (-9, [0, 0, 0, 1])):
        edges = [edges_with(seats.chosen(np.array([at])), np.array([points])).edges[0] for at in range(4)]
        assert edges == [share - 0.25 for share in won]


def test_edges_with_points_are_those_of_sums_by_block_in_any_order_of_the_seats() -> None:
    rng = np.random.default_rng(4)
    seats = made_up(rng, (3.0, 0.0, -1.0, -2.0), 50)
    seats = replace(seats, played=rng.random(len(seats.block)) < 0.1)
    own, tried = seats.chosen(seats.faction == 1), np.arange(-3, 4)
    after = own.lead + tried[:, None]
    won = np.where(
        own.played | (tried[:, None] == 0), own.win, np.where(after > 0, 1.0, np.where(after == 0, 0.5, 0.0))
    )
    wins = np.stack([np.bincount(own.block, of, 50) for of in won])
    owned = np.broadcast_to(np.bincount(own.block, minlength=50), wins.shape).astype(float)
    slowly = edges_at_values(tried, wins, owned, 1 / 3)
    for order in (np.arange(len(own.block)), rng.permutation(len(own.block))):
        found = edges_with(own.chosen(order), tried)
        assert found.edges == pytest.approx(slowly.edges, abs=1e-12)
        assert found.covariance == pytest.approx(slowly.covariance, rel=1e-9)
        assert found.blocks == slowly.blocks


def test_intervals_of_a_fair_faction_hold_0_about_as_often_as_they_say() -> None:
    rng, held = np.random.default_rng(3), 0
    faction, block = np.tile(np.arange(4), (600, 1)), np.repeat(np.arange(150), 4)
    for _ in range(100):
        scores = np.round(rng.normal(50, 8, (600, 4)) + np.repeat(rng.normal(0, 3, (150, 4)), 4, axis=0))
        seats = seated(scores, faction, block)
        found = price_alone(seats.chosen(seats.faction == 0))
        held += found.low <= 0 <= found.high
    assert 88 <= held <= 99


def test_beside_each_neighbour_there_is_a_price_of_its_own(folder: Path) -> None:
    frame = prices_beside(load_run(folder), "Rhodos B")
    assert set(frame["neighbour"]) == {name for name in FACTIONS if name != "Rhodos B"}
    assert frame["price"].is_sorted()
    own = prices_of(load_run(folder)).filter(pl.col("faction") == "Rhodos B")["games"].item()
    assert own < frame["games"].sum() <= 2 * own  # two neighbours, who may have one name


def test_where_places_touch_every_price_stands_beside_each_neighbour_and_none_is_apart_by_luck(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The made-up factions do not touch each other: it matters who is at the table, not who sits beside whom."""
    frame = prices_by_neighbour(load_run(folder))
    assert frame.height == 14 * 13
    assert frame.select((pl.col("differs_low") < pl.col("differs_high")).all()).item()
    assert frame["apart"].sum() == 0
    monkeypatch.setattr("reports.sections.factions.price.prices_by_neighbour", lambda run: frame)
    names = [section.name for section in price_sections(load_run(folder), touching=True)]
    assert names == ["price", "price neighbours"]


def test_a_neighbour_who_takes_points_away_makes_a_faction_dearer() -> None:
    rng = np.random.default_rng(5)
    blocks = 4000
    left = rng.integers(1, 4, blocks)
    lead = np.round(rng.normal(0, 6, blocks) - 5.0 * (left == 2))
    win = np.where(lead > 0, 1.0, np.where(lead == 0, 0.5, 0.0))
    own = PricedSeats(np.zeros(blocks, np.int64), np.arange(blocks), lead, lead, win, left, left,
                      np.zeros(blocks, bool), 2)  # fmt: skip
    here, elsewhere = (price_alone(own.chosen((left == 2) == there)) for there in (True, False))
    frame = with_apart([{"players": 3, "faction": "a", "neighbour": "b", "games": 9, "price": here.points,
                         "low": here.low, "high": here.high, **against(here, elsewhere)}], 0.05)  # fmt: skip
    (row,) = frame.to_dicts()
    assert row["differs"] == pytest.approx(5, abs=1)
    assert row["apart"]
    texts = [text.get_text() for text in draw_beside(frame, "side", "3 players").texts]
    assert "+5" in texts


@pytest.mark.parametrize("open_end", [(np.nan, 2.0), (0.0, np.nan)])
def test_a_price_known_to_one_side_only_is_not_told_apart(open_end: tuple[float, float]) -> None:
    told = against(FactionPrice(1.0, *open_end), FactionPrice(9.0, 8.9, 9.1))
    assert np.isnan(told["error"])
    assert np.isnan(against(FactionPrice(9.0, 8.9, 9.1), FactionPrice(1.0, *open_end))["error"])


def test_a_price_is_told_with_limits_that_hold_for_all_prices_at_once(folder: Path) -> None:
    (section,) = price_sections(load_run(folder))
    row = section.listings[0].frame.row(by_predicate=pl.col("faction") == "Halikarnassos B", named=True)
    low, high = -row["price_family_high"], -row["price_family_low"]
    assert low < -row["high"] < -row["low"] < high
    assert f"Halikarnassos B pays {-row['price']:.2f} ({low:.2f} to {high:.2f})" in " ".join(section.sentences)
    claim = next(claim for claim in section.claims if claim.subject == "Halikarnassos B, 4 players")
    assert (claim.estimate, claim.low, claim.high) == (row["price"], -high, -low)


def priced(*limits: tuple[float | None, float | None]) -> pl.DataFrame:
    """Sides at tables of four, each with limits of its price."""
    names = ("players", "faction", "price", "price_family_low", "price_family_high")
    kinds = (pl.Int64, pl.String, pl.Float64, pl.Float64, pl.Float64)
    rows = [(4, f"side {number}", -3.0, low, high) for number, (low, high) in enumerate(limits)]
    return pl.DataFrame(rows, dict(zip(names, kinds, strict=True)), orient="row")


def test_what_is_said_of_prices_that_are_not_fully_known_is_as_kept(kept: Kept) -> None:
    beside = [{"neighbour": name, "price": price, "low": price - 1, "high": price + 1} for name, price in
              (("Gizah A", 2.0), ("Olympia B", -3.0))]  # fmt: skip
    apart = {"faction": "Rhodos B", "neighbour": "Gizah A", "games": 40, "price": 2.0, "low": 1.0, "high": 3.0,
             "differs": math.nan, "error": math.nan, "blocks": 30}  # fmt: skip
    limits = {
        "known to one side, which is not the near one": [(-8.0, None)],
        "the far limit is not known": [(None, -1.0)],
        "some may be fair": [(-1.0, 2.0), (-3.0, 0.5)],
        "of some nothing is known": [(-1.0, 2.0), (-3.0, 0.5), (None, None), (None, 4.0), (None, -1.0)],
    }
    said = {name: [text for text, _ in price_said(priced(*ends), "side")] for name, ends in limits.items()}
    said["beside one neighbour"] = neighbour_range_words("Rhodos B", beside[:1], "points")
    said["beside several"] = neighbour_range_words("Rhodos B", beside, "points")
    for players in ((3, 3), (3, 4)):
        section = neighbours_section(
            with_apart([apart | {"players": many} for many in players], 0.01), "side", "points"
        )
        assert section is not None
        said[f"neighbours cannot be told from company at tables of {players}"] = [*section.sentences]
    kept("prices that are not fully known", said)


def test_too_few_games_have_no_price(tmp_path: Path) -> None:
    run = load_run(write_run(tmp_path / "run", Truth(blocks=12)))
    frame = prices_of(run)
    assert price_sections(run)[0].sentences[0].startswith("No price can be given")
    assert frame["price"].null_count() == frame["together_low"].null_count() == frame.height


def test_a_game_without_factions_has_no_prices(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="no factions"):
        prices_of(load_run(write_empires(tmp_path / "run", 40, worth=0.0, skill=0.0)))
