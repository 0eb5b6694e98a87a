"""Told games: what is said agrees with the record of the game."""

from typing import Any

import numpy as np
import pytest

from sim.compiler.kernel import LINEUP, strategy_pointer, strategy_slots
from sim.games.imperium.game import GAME
from sim.games.imperium.io.narrate import OPENINGS, PARTS, PARTS_OF, WORDS, ImperiumNarrator, list_points
from sim.games.imperium.rules import constants, log
from sim.games.imperium.rules.log import log_event
from sim.games.imperium.rules.scoring import PROGRESS_PART, TOTAL, score_game
from sim.games.imperium.rules.state import LOG_ROWS, STATE, new_games
from sim.games.imperium.rules.tables import TABLES
from tests.games.imperium.tables import CATALOG, FACTIONS, T, card, position
from tests.kit.plans import deal

NAMES = ["busy"]


def lines_of(g: Any) -> list[str]:
    return list(ImperiumNarrator(g, T, CATALOG, NAMES).lines())


GAMES = (
    (0, ("Celts A", "Romans B")),
    (1, ("Atlanteans A", "Arthurians B", "Qin A")),
    (0, ("Vikings A", "Utopians B", "Persians A", "Egyptians A")),
)


def busy(g: Any, t: Any, me: int, decision: int, option: int, w: Any) -> float:
    """Do what can be done, never decline a card; everything else by a fixed scramble."""
    scramble = ((g.option_card[option] + 3) * 37 + option * 11 + g.rounds * 5 + me * 3) % 97
    if decision == constants.TURN:
        kind = g.option_kind[option]
        if kind == constants.END_TURN:
            return -1.0
        return 0.5 if (kind == constants.REVOLT) or (kind == constants.INNOVATE and scramble < 20) else float(scramble)
    if decision == constants.PICK and g.option_card[option] == constants.NO_CARD:
        return -1.0
    return float(scramble)


def play(commons: int, factions: tuple[str, ...]) -> tuple[Any, Any]:
    games = new_games(1)
    g: Any = games[0]
    g.log.keeps_rows = 1
    ids = [FACTIONS.index(name) for name in factions]
    slots = strategy_slots([strategy_pointer(busy, STATE, TABLES)])
    deal("imperium", g, T, ids, players=len(ids), fixed=True, seed=7, variant=commons)
    lineup: Any = np.zeros(1, LINEUP)
    GAME.kernels.play_out(g, T, (slots, lineup[0]))
    return games, g


@pytest.fixture(scope="module", params=GAMES, ids=["two", "three", "four"])
def game(request: pytest.FixtureRequest) -> Any:
    return play(*request.param)[0]


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


def test_every_turn_is_told_in_the_order_of_the_seats(game: Any) -> None:
    g = game[0]
    turns = [line for line in lines_of(g) if line.startswith("Round ") and "(seat " in line]
    seats = [(g.first_seat + turn) % g.players for turn in range(len(turns))]
    assert [int(line.split("(seat ")[1][0]) for line in turns] == seats
    if g.end_reason != constants.COLLAPSE:
        assert len(turns) == g.rounds * g.players


def test_the_final_scores_are_those_of_the_record(game: Any) -> None:
    g = game[0]
    lines = lines_of(g)
    table = lines[next(place for place, line in enumerate(lines) if line.startswith("Final scores")) + 2 :]
    for seat in range(g.players):
        numbers = table[seat].split(")")[1].split()
        expected = [g.rank[seat], *g.score[seat, : TOTAL + 1]]
        assert [int(number) for number in numbers[: len(expected)]] == expected
        assert f"Points of {table[seat].split(')')[0].strip()}): {g.score[seat, TOTAL]}" in lines
    winners = [FACTIONS[g.faction[seat]] for seat in range(g.players) if g.rank[seat] == 1]
    assert all(name in lines[-1] for name in winners)


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


@pytest.mark.parametrize("kind", sorted(WORDS))
def test_every_word_says_something(kind: int) -> None:
    teller = ImperiumNarrator(made_up(), T, CATALOG, NAMES)
    assert WORDS[kind](teller, [[kind, 0, 1, 1, 1, 1]]).strip()


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
