"""The price of a faction in goods: made-up games whose shares follow a number of the faction's row."""

from collections.abc import Callable
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

from reports.studies.price import start_goods as module
from reports.studies.price.one_parameter import OwnSeats, seats_of
from reports.studies.price.report import played_sections
from reports.studies.price.start_goods import PricesPlayed, knobs_of, prices_played
from sim.engine.result_rows import FACTION, RANK
from sim.errors import UserError
from sim.players.batch import Plan
from sim.runs.config import RunConfig, make_plan
from tests.reports.claims import PER_COIN, manifest_of, named

Played = Callable[..., PricesPlayed]
BLOCKS = 3000
EDGES = {"Rhodos B": 0.10, "Olympia B": -0.10, "Halikarnassos B": 0.40}
BAD_NEIGHBOUR = "Gizah A"


@pytest.fixture(scope="module")
def plan() -> Plan:
    return make_plan(RunConfig(game="seven_wonders", players=4, strategies=["balanced"]))


@pytest.fixture
def made_up(monkeypatch: pytest.MonkeyPatch, plan: Plan) -> Played:
    """Games in which a coin more is worth 5 points of win rate, and the bad neighbour takes 10 away."""
    names = [faction.name for faction in plan.data.factions]

    def own_seats(plan: Plan, only: int | None = None, **_: object) -> dict[int, OwnSeats]:
        found = {}
        for number in plan.factions if only is None else (only,):
            rng = np.random.default_rng(number)
            left, right = rng.integers(0, len(names), (2, BLOCKS))
            opposite = np.where(rng.random(BLOCKS) < 0.5, names.index(BAD_NEIGHBOUR), left)
            coins = float(plan.changes[0].partition("=")[2]) if plan.changes else 3.0
            beside = (left == names.index(BAD_NEIGHBOUR)) | (right == names.index(BAD_NEIGHBOUR))
            share = 0.25 + EDGES.get(names[number], 0.0) + PER_COIN * (coins - 3) - 0.1 * beside
            win = (rng.random(BLOCKS) < share).astype(np.float64)
            found[number] = OwnSeats(np.arange(BLOCKS), win, left, right, np.stack([left, right, opposite], axis=1))
        return found

    monkeypatch.setattr(module, "own_seats", own_seats)
    monkeypatch.setattr(module, "compile_players_of", lambda plans, say: None)
    monkeypatch.setattr(module, "manifest_plan", lambda folder, manifest, count, trust: plan)
    monkeypatch.setattr(module, "load_manifest", lambda folder: manifest_of(plan, BLOCKS))
    return lambda faction=None, field="coins_start": prices_played(Path("run"), field, faction, BLOCKS)


def row_of(found: PricesPlayed, name: str) -> dict[str, Any]:
    return found.frame.row(by_predicate=pl.col("faction") == name, named=True)


def test_the_price_in_coins_takes_the_edge_away_and_differs_beside_a_bad_neighbour(made_up: Played) -> None:
    found = made_up("Olympia B")
    row = row_of(found, "Olympia B")
    # Beside the bad neighbour, about a seventh of the time, it wins 10 points less.
    due = (0.10 + 0.1 * 2 / 14) / PER_COIN
    assert row["low"] < due < row["high"]
    assert row["price"] == pytest.approx(due, abs=0.4)
    assert row["value"] == pytest.approx(3 + row["price"])
    apart = found.beside.filter("apart")
    assert apart["neighbour"].to_list() == [BAD_NEIGHBOUR]
    assert apart["differs"].item() == pytest.approx(2, abs=0.8)
    # The values on either side of the price are said to be within the margin or not.
    assert {row["nearest"], row["other"]} == {5, 6}
    assert abs(row["left"]) < 0.03
    assert abs(row["left"]) < abs(row["other_left"]) < PER_COIN + 0.02
    assert row["left"] * row["other_left"] < 0
    said = {margin: " ".join(played_sections(found, margin=margin)[0].sentences) for margin in (0.002, 0.2)}
    assert said[0.2].count("(within)") == 2
    assert "(within)" not in said[0.002]


def test_what_no_number_of_coins_makes_fair_is_said(made_up: Played) -> None:
    found = made_up("Halikarnassos B")
    row = row_of(found, "Halikarnassos B")
    assert (row["price"], row["nearest"], row["outcome"]) == (None, 0, "out of range")
    (said,) = played_sections(found)[0].sentences
    assert said.startswith("No coins at the start, from 0 to 8, make Halikarnassos B fair: 0 leaves +2")


@pytest.fixture
def contest(made_up: Played, monkeypatch: pytest.MonkeyPatch) -> Played:
    """Most points win: two for a coin, four more for Rhodos B, four fewer for Olympia B, and luck."""

    @cache
    def dealt(seed: int, factions: int) -> tuple[np.ndarray, np.ndarray]:
        rng = np.random.default_rng(seed)
        faction = rng.permuted(np.tile(np.arange(factions), (5 * BLOCKS, 1)), axis=1)[:, :4]
        return faction, rng.normal(0, 6, faction.shape)

    def own_seats(plan: Plan, only: int | None = None, **_: object) -> dict[int, OwnSeats]:
        names = [faction.name for faction in plan.data.factions]
        worth = np.array([{"Rhodos B": 4.0, "Olympia B": -4.0}.get(name, 0.0) for name in names])
        for text in plan.changes:
            worth[names.index(named(text, names))] += 2 * (float(text.partition("=")[2]) - 3)
        faction, luck = dealt(plan.seed, len(names))
        winner = (worth[faction] + luck).argmax(axis=1)
        win = (np.arange(4) == winner[:, None]).astype(np.float64)
        block = np.repeat(np.arange(BLOCKS), 20).reshape(-1, 4)
        found = {}
        for number in plan.factions if only is None else (only,):
            own = np.nonzero(faction == number)
            found[number] = OwnSeats(*(values[own] for values in (block, win, faction, faction)), faction[own[0]])
        return found

    monkeypatch.setattr(module, "own_seats", own_seats)
    return made_up


def test_when_all_pay_the_strong_have_less_and_the_weak_more_and_fresh_deals_are_fair(contest: Played) -> None:
    found = contest()
    rows = {row["faction"]: row for row in found.paid.to_dicts()}
    assert {name for name, row in rows.items() if row["paid"] != row["printed"]} >= {"Rhodos B", "Olympia B"}
    assert (rows["Rhodos B"]["paid"], rows["Olympia B"]["paid"]) == (1, 5)
    assert rows["Rhodos B"]["edge_low"] > 0.1
    assert sum(row["left_low"] <= 0 <= row["left_high"] for row in rows.values()) >= 11
    assert max(abs(row["left"]) for row in rows.values()) < 0.03
    section = next(section for section in played_sections(found, margin=0.05) if section.name == "price paid")
    assert section.listings[0].frame["holds"].to_list().count("within") == 14


def test_one_faction_alone_has_no_prices_that_all_pay(contest: Played) -> None:
    found = contest("Rhodos B")
    assert not found.paid.height
    assert "price paid" not in [section.name for section in played_sections(found)]


def test_games_without_neighbours_have_no_prices_beside_them(
    made_up: Played, plan: Plan, monkeypatch: pytest.MonkeyPatch
) -> None:
    apart = replace(plan, game=replace(plan.game, touching=False))
    monkeypatch.setattr(module, "manifest_plan", lambda folder, manifest, count, trust: apart)
    found = made_up("Olympia B")
    assert not found.beside.height
    assert len(played_sections(found, "Olympia B")) == 1


def test_only_a_number_that_all_have_is_a_price(plan: Plan) -> None:
    with pytest.raises(UserError, match=r"not every board has a number of this name.*coins_start"):
        knobs_of(plan, plan.factions, "coins")
    assert {knob.present for knob in knobs_of(plan, plan.factions, "coins_start")} == {3}


def test_neighbours_are_the_seats_before_and_after_round_the_table(plan: Plan) -> None:
    rows = np.zeros((8, max(FACTION, RANK) + 1), np.int64)
    rows[:, FACTION], rows[:, RANK] = [5, 6, 7, 8, 8, 5, 6, 7], [1, 2, 3, 4, 2, 1, 1, 4]
    found = seats_of(plan, rows, 40, 5)
    assert (found.left.tolist(), found.right.tolist()) == ([8, 8], [6, 6])
    assert found.win.tolist() == [1.0, 0.5]
    assert found.block.tolist() == [40 // plan.block_games, 41 // plan.block_games]
