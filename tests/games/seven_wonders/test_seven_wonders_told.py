"""Told games: what is said agrees with the record of the game."""

from typing import Any

import pytest

from sim.games.seven_wonders.data.catalog import load_catalog
from sim.games.seven_wonders.data.compile import build_tables
from sim.games.seven_wonders.game import GAME
from sim.games.seven_wonders.io.narrate import WondersNarrator
from sim.players.batch import plan_record
from sim.players.compile_players import players_of
from tests.games.seven_wonders.golden import GAMES, PLAYER
from tests.kit.golden import golden_plan

CATALOG = load_catalog()
T = build_tables(CATALOG)
NAMES = [PLAYER]


def lines_of(g: Any) -> list[str]:
    return list(WondersNarrator(g, T, CATALOG, NAMES).lines())


def play(name: str) -> Any:
    """A golden game, finished, with its log; an array of length 1."""
    plan, number = golden_plan("seven_wonders", name)
    games = plan.game.new_games(1)
    games["log"]["keeps_rows"] = 1
    GAME.kernels.start_game(games[0], plan.data.tables, plan_record(plan), number)
    GAME.kernels.play_out(games[0], plan.data.tables, players_of(plan))
    return games


@pytest.fixture(scope="module", params=GAMES)
def game(request: pytest.FixtureRequest) -> Any:
    return play(request.param)


def test_the_header_names_seats_boards_and_strategies() -> None:
    assert WondersNarrator(play("2_players")[0], T, CATALOG, NAMES).header() == [
        "Seat 0: Olympia A, wonder builder",
        "Seat 1: Rhodos B, wonder builder",
        "Free City: Babylon B",
    ]


def test_the_coins_told_are_the_coins_held(game: Any) -> None:
    g = game[0]
    teller = WondersNarrator(g, T, CATALOG, NAMES)
    list(teller.lines())
    assert teller.coins == g.coins[: g.cities].tolist()
    assert teller.stages == g.stages_built[: g.cities].tolist()


def test_the_buildings_told_are_those_of_the_cities(game: Any) -> None:
    g = game[0]
    teller = WondersNarrator(g, T, CATALOG, NAMES)
    list(teller.lines())
    for city in range(g.cities):
        assert teller.built[city] == {CATALOG.cards[card].name for card in g.city_cards[city, : g.city_size[city]]}


def test_every_turn_conflict_and_score_is_told(game: Any) -> None:
    g = game[0]
    lines = lines_of(g)
    for age in ("I", "II", "III"):
        assert f"Age {age}" in lines
        assert all(f"Age {age}, turn {turn}" in lines for turn in range(1, 7))
        assert f"Conflicts of Age {age}" in lines
    assert len(lines) - lines.index("Final scores") == 2 + g.cities


def test_every_dealt_hand_is_told(game: Any) -> None:
    g = game[0]
    lines = lines_of(g)
    holds = [line for line in lines if " holds " in line]
    assert len(holds) == 3 * g.players
    sizes = sorted(line.count(",") - line.split(" holds ")[0].count(",") + 1 for line in holds)
    assert sizes == ([7] * 3 + [8] * 3 if g.players == 2 else [7] * 3 * g.players)


def test_telling_leaves_the_game_as_it_was(game: Any) -> None:
    before = game.copy()
    lines_of(game[0])
    assert before.tobytes() == game.tobytes()
