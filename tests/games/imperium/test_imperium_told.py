"""Told games: what is said agrees with the record of the game."""

from typing import Any

import pytest

from sim.games.imperium.io.narrate import OPENINGS, PARTS, PARTS_OF, WORDS, ImperiumNarrator, list_points
from sim.games.imperium.rules import constants, log
from sim.games.imperium.rules.log import log_event
from sim.games.imperium.rules.scoring import PROGRESS_PART, score_game
from sim.games.imperium.rules.state import LOG_ROWS
from sim.players.compile_players import players_of
from tests.games.imperium.golden import GAMES
from tests.games.imperium.tables import CATALOG, T, card, position
from tests.kit.golden import golden_plan
from tests.kit.steps import started

NAMES = ["busy"]


def lines_of(g: Any) -> list[str]:
    return list(ImperiumNarrator(g, T, CATALOG, NAMES).lines())


@pytest.fixture(scope="module", params=GAMES)
def game(request: pytest.FixtureRequest) -> Any:
    """A finished golden game: in these a lot happens."""
    plan, number = golden_plan("imperium", request.param)
    table = started(plan, number, keeps_log=True)
    plan.game.kernels.play_out(table[0], plan.data.tables, players_of(plan))
    return table


def made_up(*rows: tuple[int, int, int, int, int], **layout: Any) -> Any:
    """Record of two players' game in which just these things are written down."""
    g = position(nations=("Celts A", "Romans B"), **layout)
    g.log.keeps_rows = 1
    g.resource[:2] = T.start_resource
    for row in rows:
        log_event(g, *row)
    return g


def told(*rows: tuple[int, int, int, int, int]) -> list[str]:
    """Lines told of some rows, without the scores."""
    lines = lines_of(made_up(*rows))
    return lines[: next(place for place, line in enumerate(lines) if line.startswith("Final scores"))]


# ---- Whole games ----


def test_the_resources_told_are_the_resources_held(game: Any) -> None:
    g = game[0]
    teller = ImperiumNarrator(g, T, CATALOG, NAMES)
    list(teller.lines())
    assert g.log.row_count < LOG_ROWS
    assert teller.resources == g.resource[: g.players].tolist()


def test_the_cards_told_make_up_every_part_of_the_score(game: Any) -> None:
    g = game[0]
    for seat in range(g.players):
        listed = list_points(g, T, seat)
        for part in range(len(constants.SCORE_PARTS)):
            points = sum(points for _, _, of, points in listed if of == part)
            tokens = g.resource[seat, constants.PROGRESS] if part == PROGRESS_PART else 0
            assert points + tokens == g.score[seat, part]


# ---- Words ----


def test_every_kind_of_log_row_has_words() -> None:
    named = {value for name, value in vars(log).items() if name.isupper() and name not in NOT_KINDS}
    ways = [set(way) for way in (PARTS, PARTS_OF, OPENINGS, WORDS)]
    assert set().union(*ways) == named
    assert sum(map(len, ways)) == len(named)


NOT_KINDS = {
    *("KIND", "SEAT", "CARD", "VALUE", "NUMBER", "ROUND", "NO_ROW"),
    *("OFFERED", "GAINED_ROUND", "PLAYED_ROUND", "TIMES_PLAYED", "DEVELOPED_ROUND", "HISTORY_ROUND"),
    *("GARRISON_ROUND", "LOST_ROUND", "MOST_COUNTED"),
}


def test_every_word_says_something() -> None:
    teller = ImperiumNarrator(made_up(), T, CATALOG, NAMES)
    for kind, words in WORDS.items():
        assert words(teller, [[kind, 0, 1, 1, 1, 1]]).strip(), kind


def test_tokens_moved_to_a_card_are_no_longer_the_players_own() -> None:
    gates = card("Gates of Shangri-la")
    rows = (log.TOKEN_MOVED, 0, gates, constants.MATERIAL, 3), (log.TOKENS_SPENT, 0, gates, constants.MATERIAL, 12)
    teller = ImperiumNarrator(made_up(*rows), T, CATALOG, NAMES)
    said = "\n".join(teller.lines_from(0))
    assert "moves 3 material to Gates of Shangri-la; pays 12 material that lies on Gates of Shangri-la" in said
    assert teller.resources[0][constants.MATERIAL] == T.start_resource[constants.MATERIAL] - 3


def test_a_turn_without_an_action_says_so() -> None:
    lines = told((log.TURN_BEGINS, 1, constants.NO_CARD, 0, 0), (log.CLEANS_UP, 1, constants.NO_CARD, 0, 0))
    assert lines[1:] == ["  does nothing", "  cleans up"]


def test_a_collapse_with_equal_unrest_is_won_by_points() -> None:
    g = made_up(hand={0: ["Unrest", "Celtic Innovation"], 1: ["Unrest"]})
    g.end_reason = constants.COLLAPSE
    score_game(g, T)
    line = lines_of(g)[-1]
    assert line == "Winner: Celts A (seat 0, busy) by points, with no more unrest than the others"


def test_a_log_that_is_full_says_that_it_breaks_off() -> None:
    g = made_up(*[(log.DREW, 0, card("Boats"), 0, 0)] * 3)
    g.log.rows[:] = g.log.rows[0]
    g.log.row_count = LOG_ROWS
    assert "The log of this game is full; later events are not narrated" in lines_of(g)
