"""Points as if the game ended now, ties, and what settings change."""

from __future__ import annotations

from typing import Any

import pytest

from sim.games.imperial_settlers.game import load
from sim.games.imperial_settlers.io.positions import inspect_position
from tests.games.imperial_settlers.inspecting import inspect, player, table


def score(*players: dict[str, Any], seat: int = 0, **settings: object) -> dict[str, int]:
    """Score of a seat."""
    result = ranked(*players, **settings)["players"][seat]["score"]
    assert result["total"] == sum(result[part] for part in ("track", "common", "faction", "cards"))
    found: dict[str, int] = result
    return found


def ranked(*players: dict[str, Any], **settings: object) -> dict[str, Any]:
    """Result of a position, played with some settings."""
    data = load(settings)
    return inspect_position(table(*players), data.catalog, data.tables)


def ranks(*players: dict[str, Any], **settings: object) -> list[int]:
    """Ranks of the seats."""
    return [one["score"]["rank"] for one in ranked(*players, **settings)["players"]]


# ---- Points ----


def test_a_common_location_is_worth_one_point_and_one_of_the_faction_two() -> None:
    seat = player("romans", vp=7, locations=["Mill", "Ruins", "Legion", "Town", "Gardens"], hand=["Baker", "Architect"])
    assert score(seat) == {"track": 7, "common": 3, "faction": 4, "cards": 0, "total": 14, "rank": 1}


def test_foundations_deals_and_hand_cards_are_worth_nothing_by_default() -> None:
    seat = player("romans", foundations=3, deals=["Legion"], hand=["Mill"])
    assert score(seat)["total"] == 0
    assert score(seat, foundations_score=True)["common"] == 3


@pytest.mark.parametrize(("tucked", "points"), [(1, 0), (2, 0), (3, 2), (9, 2)])
def test_a_gate_is_worth_two_points_more_with_three_cards_under_it(tucked: int, points: int) -> None:
    assert score(player("japanese", locations=[{"card": "Gate", "tucked": tucked}]))["cards"] == points


@pytest.mark.parametrize(
    ("banked", "points"),
    [({"wood": 2}, 0), ({"wood": 3}, 2), ({"wood": 3, "stone": 3}, 2), ({"wood": 3, "stone": 3, "food": 1}, 5),
     ({"food": 11}, 5), ({"food": 12}, 10), ({"stone": 40}, 10)],
)  # fmt: skip
def test_a_shrine_is_worth_more_the_more_resources_lie_on_it(banked: dict[str, int], points: int) -> None:
    assert score(player("japanese", locations=[{"card": "Shrine", "banked": banked}]))["cards"] == points


def test_each_gate_counts_by_itself() -> None:
    gates = [{"card": "Gate", "tucked": 3}, {"card": "Gate", "tucked": 2}]
    assert score(player("japanese", locations=gates))["cards"] == 2


def test_the_owner_of_a_controlled_location_scores_it() -> None:
    mill = {"card": "Legion", "controlled_by": 0}
    seats = player("egyptians", locations=["Temple of Ra"]), player("romans", locations=[mill])
    assert [score(*seats, seat=seat)["faction"] for seat in (0, 1)] == [2, 2]
    held = [score(*seats, seat=seat, controlled_scores_for="holder")["faction"] for seat in (0, 1)]
    assert held == [4, 0]


# ---- Ranks ----


def test_more_points_win() -> None:
    seats = player("romans", vp=3), player("japanese", vp=5), player("egyptians", vp=4)
    assert ranks(*seats) == [3, 1, 2]


def test_a_tie_is_broken_by_workers_and_resources_then_by_cards() -> None:
    fewer, more = player("romans", goods="1 wood 1 worker", hand=["Mill"] * 1), player("japanese", goods="3 food")
    assert ranks(fewer, more) == [2, 1]
    level = player("romans", goods="3 worker", hand=["Mill"])
    assert ranks(level, more) == [1, 2]
    assert ranks(player("romans", goods="3 worker"), more) == [1, 1]


def test_one_good_more_outweighs_any_hand() -> None:
    hand = ["Ruins"] * 6 + ["Watchtower"] * 4 + ["Village"] * 2
    assert ranks(player("romans", hand=hand, goods="1 wood"), player("japanese", goods="2 wood")) == [2, 1]


def test_other_goods_break_no_tie() -> None:
    seats = player("romans", goods="5 gold 4 raze 1 defence"), player("japanese", goods="1 wood")
    assert ranks(*seats) == [2, 1]
    assert ranks(player("romans", goods="5 gold"), player("japanese")) == [1, 1]
    assert ranks(player("romans", goods="5 gold"), player("japanese"), gold_breaks_ties=True) == [1, 2]


def test_who_is_level_shares_a_rank_and_the_next_one_is_left_out() -> None:
    seats = player("romans", vp=4), player("japanese", vp=2), player("egyptians", vp=4)
    assert ranks(*seats) == [1, 3, 1]


# ---- Solo ----


@pytest.mark.parametrize(
    ("points", "title"),
    [(0, "commoner"), (29, "commoner"), (30, "servant"), (39, "servant"), (40, "squire"), (50, "knight"),
     (60, "castellan"), (70, "king"), (79, "king"), (80, "emperor"), (200, "emperor")],
)  # fmt: skip
def test_points_of_a_won_solo_game_earn_a_title(points: int, title: str) -> None:
    seat = player("romans", vp=points - 2, locations=["Legion"]) if points else player("romans", locations=["Legion"])
    assert inspect(table(seat, solo={}))["solo"]["title"] == title


@pytest.mark.parametrize(("pile", "won"), [(0, True), (1, True), (2, False), (3, False)])
def test_the_solo_game_is_won_with_more_faction_locations_than_cards_in_the_pile(pile: int, won: bool) -> None:
    seat = player("romans", vp=50, locations=["Legion", "Mill", "Town", "Gardens"])
    solo = inspect(table(seat, solo={"pile": pile}))["solo"]
    assert (solo["won"], solo["title"]) == (won, "knight" if won else None)
