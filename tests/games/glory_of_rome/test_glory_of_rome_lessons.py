"""What players have learnt of followers and tiles: the file, the tables, and what it does to the scores of options."""

from typing import Any, get_args

import numpy as np
import pytest

from sim.data.changes import parse_change
from sim.diagnostics.lessons.glory_of_rome import added, learn
from sim.games.glory_of_rome.data.catalog import load_catalog
from sim.games.glory_of_rome.data.compile import build_tables
from sim.games.glory_of_rome.data.models import LearntTable, Place
from sim.games.glory_of_rome.rules import constants
from sim.games.glory_of_rome.rules.state import new_games
from sim.games.glory_of_rome.rules.tables import MAX_ROUNDS
from strategies.glory_of_rome.decisions import lesson_of_place, lesson_of_tile
from strategies.glory_of_rome.weights import P_LESSONS
from tests.kit.lessons import made_up_rows, player_of

CATALOG = load_catalog()
T: Any = build_tables(CATALOG)
ROW = [[10.0 * round_ + left for left in range(constants.FOLLOWERS_TOLD_APART)] for round_ in range(MAX_ROUNDS)]


def changed(*changes: str) -> Any:
    """Tables with changes of the lessons."""
    return build_tables(load_catalog(changes=[parse_change(change) for change in changes]))


def game_of(players: int, rounds: int, left: int) -> Any:
    """A game in some round in which the first seat has so many followers left."""
    g: Any = new_games(1)[0]
    g.players, g.rounds, g.followers_left[0] = players, rounds, left
    return g


def test_every_place_and_tile_has_its_lesson_at_both_kinds_of_tables() -> None:
    assert get_args(Place) == constants.PLACES
    assert get_args(LearntTable) == constants.TABLES_TOLD_APART
    followers, tiles = np.full(T.follower_lesson.shape, np.nan), np.full(T.tile_lesson.shape, np.nan)
    for row in CATALOG.follower_lessons:
        players, place = constants.TABLES_TOLD_APART.index(row.players), constants.PLACES.index(row.place)
        followers[players, place, int(row.bonus)] = row.points
    for tile in CATALOG.tile_lessons:
        players, kind = constants.TABLES_TOLD_APART.index(tile.players), constants.BUILDINGS.index(tile.type)
        tiles[players, kind, tile.level - 1] = tile.points
    assert (T.follower_lesson == followers).all()
    assert (T.tile_lesson == tiles).all()


@pytest.mark.parametrize(
    ("players", "rounds", "left", "points"), [(2, 0, 1, 0.0), (2, 3, 4, 33.0), (2, 8, 7, 84.0), (1, 3, 4, 0.0)]
)
def test_a_follower_is_scored_by_the_round_and_the_followers_left(
    players: int, rounds: int, left: int, points: float
) -> None:
    t = changed(f"lessons.toml#2 military true.points={ROW}")
    g = game_of(players, rounds, left)
    assert lesson_of_place(g, t, 0, constants.MILITARY, 1, player_of(P_LESSONS, 0.5)) == 0.5 * points


def test_tables_of_two_have_lessons_of_their_own() -> None:
    t = changed(
        "lessons.toml#2 military 1.points=[1.0, 1, 1, 1, 1, 1, 1, 1, 1]",
        "lessons.toml#3 or 4 military 1.points=[2.0, 2, 2, 2, 2, 2, 2, 2, 2]",
    )
    found = [
        lesson_of_tile(game_of(players, 4, 3), t, constants.MILITARY, 1, player_of(P_LESSONS, 1.0))
        for players in (1, 2, 3, 4)
    ]
    assert found == [0.0, 1.0, 2.0, 2.0]


# ---- Fitting ----


def test_what_a_follower_brings_is_learnt_of_its_place_the_round_and_the_followers_left() -> None:
    military = (5, 3, constants.PLACE_FOLLOWER, constants.MILITARY, 1)
    followers, tiles = learn(
        made_up_rows(constants.ASK_FOLLOWER, military, (5, 3, constants.PLACE_FOLLOWER, constants.ECONOMIC, 0))
    )
    found = followers[constants.MILITARY, 1] - followers[constants.ECONOMIC, 0]
    assert found[5, 2] == pytest.approx(3.0, abs=0.3)
    assert found[5, 2] == found.max()
    assert not followers[constants.RELIGIOUS].any()
    assert not tiles.any()


def test_what_a_tile_brings_is_learnt_of_its_third_of_the_game() -> None:
    tile = (7, 0, constants.PLACE_TILE, constants.POLITICAL, 2)
    followers, tiles = learn(made_up_rows(constants.ASK_BUILD, tile, (7, 0, constants.PASS, -1, 0)))
    found = tiles[constants.POLITICAL, 1]
    assert found[6] == found[7] == found[8] == pytest.approx(3.0, abs=0.5)
    assert found[0] == found[5] < found[6]
    assert not followers.any()


def test_shares_of_what_is_found_are_added_to_what_is_known() -> None:
    followers, tiles = np.ones(3), np.ones(2)
    first = added((followers, tiles), None, (0.5, 0.25))
    assert [points.tolist() for points in first] == [[0.5] * 3, [0.25] * 2]
    more = added((followers, tiles), (2 * followers, 4 * tiles), (0.5, 0.25))
    assert [points.tolist() for points in more] == [[2.5] * 3, [4.25] * 2]
