"""Told games: what is said agrees with the record of the game."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from sim.compiler.kernel import strategy_pointer, strategy_slots
from sim.compiler.player_record import LINEUP
from sim.games.imperium.game import GAME
from sim.games.imperium.io.narrate import OPENINGS, PARTS, PARTS_OF, WORDS, ImperiumNarrator, list_points
from sim.games.imperium.rules import log
from sim.games.imperium.rules.constants import (
    ANYTHING,
    COLLAPSE,
    END_TURN,
    HAND,
    INNOVATE,
    LAST_DEVELOPMENT,
    MATERIAL,
    NO_CARD,
    NO_SEAT,
    PICK,
    POPULATION,
    PROGRESS,
    REVOLT,
    SCORE_PARTS,
    TRIBUTARY,
    TURN,
    VARIABLE_POINTS,
)
from sim.games.imperium.rules.log import log_event, log_standing
from sim.games.imperium.rules.scoring import PROGRESS_PART, TOTAL, score_game
from sim.games.imperium.rules.state import LOG_ROWS, STATE, new_games
from sim.games.imperium.rules.tables import TABLES
from sim.games.shared.narration import WIDTH
from tests.games.imperium.tables import CATALOG, FACTIONS, T, card, cards_in, dealt, position
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
    if decision == TURN:
        kind = g.option_kind[option]
        if kind == END_TURN:
            return -1.0
        return 0.5 if (kind == REVOLT) or (kind == INNOVATE and scramble < 20) else float(scramble)
    if decision == PICK and g.option_card[option] == NO_CARD:
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


def test_the_header_names_seats_factions_strategies_and_commons() -> None:
    g = dealt(3, 1, nations=("Celts A", "Romans B", "Qin A"))
    g.first_seat = 1
    assert ImperiumNarrator(g, T, CATALOG, NAMES).header() == [
        "Seat 0: Celts A, busy",
        "Seat 1: Romans B, busy",
        "Seat 2: Qin A, busy",
        "Commons of Legends; Romans B (seat 1) begins every round",
    ]


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
    if g.end_reason != COLLAPSE:
        assert len(turns) == g.rounds * g.players


def test_every_turn_tells_its_hand_and_what_the_player_has_after_it(game: Any) -> None:
    lines = lines_of(game[0])
    turns = sum(line.startswith("Round ") and "(seat " in line for line in lines)
    assert sum(line.startswith("  hand: ") for line in lines) <= turns
    assert sum(line.startswith("  now ") for line in lines) == turns


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
        for part in range(len(SCORE_PARTS)):
            points = sum(points for _, _, of, points in listed if of == part)
            tokens = g.resource[seat, PROGRESS] if part == PROGRESS_PART else 0
            assert points + tokens == g.score[seat, part]


def test_lines_are_short(game: Any) -> None:
    lines = lines_of(game[0])
    scores = next(place for place, line in enumerate(lines) if line.startswith("Final scores"))
    assert max(map(len, lines[:scores])) <= WIDTH


def test_telling_leaves_the_game_as_it_was(game: Any) -> None:
    before = game.copy()
    lines_of(game[0])
    assert before.tobytes() == game.tobytes()


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


def test_what_a_card_does_stands_behind_it_and_what_others_do_below() -> None:
    advance, oxen, unrest = card("Advance", "Celts"), card("Boats"), card("Unrest")
    assert told(
        (log.TURN_BEGINS, 0, NO_CARD, 0, 5),
        (log.HOLDS, 0, advance, 0, 0),
        (log.HOLDS, 0, unrest, 0, 0),
        (log.PLAYED, 0, advance, 0, HAND),
        (log.PAID_FOR, 0, NO_CARD, MATERIAL, 3),
        (log.ACQUIRED, 0, oxen, 0, 0),
        (log.GAINED, 0, NO_CARD, PROGRESS, 2),
        (log.TOOK_UNREST, 0, unrest, 0, 0),
        (log.MARKET_FILLED, NO_SEAT, card("Oasis"), 1, 0),
        (log.REACTED, 0, int(T.faction_power[FACTIONS.index("Celts A")]), 0, 0),
        (log.TOOK_UNREST, 1, unrest, 0, 0),
        (log.DISCARDED, 0, advance, 0, 0),
        (log.CLEANS_UP, 0, NO_CARD, 0, 0),
        (log.TOKEN_PLACED, 0, oxen, PROGRESS, 1),
        (log.DISCARDED, 0, unrest, 0, 0),
        (log.DREW, 0, card("Glory", "Celts"), 0, 0),
        (log.DREW, 0, unrest, 0, 0),
        (log.STANDS, 0, 0, 2, 3),
        (log.HAS_LEFT, 0, 5, 3, 2),
        (log.HAS_AHEAD, 0, 7, 5, 6),
    ) == [
        "Round 1, Celts A (seat 0, busy) with 3 material, 2 population, 1 progress, 5 exhaust tokens",
        "  hand: Advance, Unrest",
        "  plays Advance: pays 3 material; acquires Boats; gains 2 progress; takes 1 unrest; new in the market Oasis",
        "    reacts with its power",
        "    Romans: takes 1 unrest",
        "  cleans up: puts 1 progress on Boats; discards Unrest; draws Glory, Unrest",
        "  now 0 material, 2 population, 3 progress; hand 5, draw deck 3, discards 2, nation 7, development 5; "
        "unrest pile 6",
    ]


def test_what_is_stolen_leaves_the_other_player() -> None:
    g = made_up(
        (log.TURN_BEGINS, 0, NO_CARD, 0, 0),
        (log.STOLEN, 0, 1, POPULATION, 2),
        (log.GAINED, 0, NO_CARD, POPULATION, 2),
    )
    teller = ImperiumNarrator(g, T, CATALOG, NAMES)
    assert "    Celts: steals 2 population from Romans; gains 2 population" in list(teller.lines())
    assert [held[POPULATION] for held in teller.resources] == [4, 0]


def test_a_turn_without_an_action_says_so() -> None:
    lines = told((log.TURN_BEGINS, 1, NO_CARD, 0, 0), (log.CLEANS_UP, 1, NO_CARD, 0, 0))
    assert lines[1:] == ["  does nothing", "  cleans up"]


def test_a_round_begins_with_its_market() -> None:
    lines = told(
        (log.MARKET_SHOWS, NO_SEAT, card("Oasis"), 0, 0),
        (log.MARKET_SHOWS, NO_SEAT, card("Boats"), 1, 0),
        (log.TOKENS_LIE, NO_SEAT, card("Boats"), MATERIAL, 2),
        (log.TOKENS_LIE, NO_SEAT, card("Boats"), PROGRESS, 1),
    )
    assert lines == ["Round 1", "  market: Oasis, Boats (2 material, 1 progress)"]


def test_a_break_through_that_finds_nothing_says_what_it_was_for() -> None:
    variable = T.points_kind[: T.cards] == VARIABLE_POINTS
    selectors = [n for n, meant in enumerate(T.selector[:, : T.cards] != 0) if (meant == variable).all()]
    for row, says in (
        ((63, selectors[0]), "a variable card"),
        ((TRIBUTARY, ANYTHING), "tributary"),
    ):
        lines = told(
            (log.TURN_BEGINS, 0, NO_CARD, 0, 0),
            (log.INNOVATED, 0, NO_CARD, 0, 0),
            (log.FOUND_NOTHING, 0, NO_CARD, *row),
        )
        assert f"breaks through for {says} and finds none" in lines[-1]


def test_solstice_effects_name_their_players_and_idle_ones_are_left_out() -> None:
    lines = told(
        (log.SOLSTICE_EFFECT, 1, card("Boats"), 0, 0),
        (log.SOLSTICE_EFFECT, 0, card("Oasis"), 0, 0),
        (log.GAINED, 0, NO_CARD, MATERIAL, 1),
        (log.ROUND_ENDS, NO_SEAT, NO_CARD, 0, 0),
    )
    assert lines == ["Solstice of round 1", "  Celts: Oasis: gains 1 material"]


def test_a_card_that_is_developed_or_abandoned_is_not_told_twice() -> None:
    chariots = card("Chariots", "Celts")
    lines = told(
        (log.TURN_BEGINS, 0, NO_CARD, 0, 0),
        (log.CLEANS_UP, 0, NO_CARD, 0, 0),
        (log.DEVELOPED, 0, chariots, 0, 0),
        (log.DISCARDED, 0, chariots, 0, 0),
        (log.BECAME_EMPIRE, 0, NO_CARD, 1, 0),
    )
    assert lines[-1] == "  cleans up: develops Chariots; BECOMES EMPIRE"


def test_the_exhaust_tokens_of_a_player_and_of_a_reshuffle_are_told() -> None:
    raetia, coast = card("Raetia"), card("Coast")
    lines = told(
        (log.TURN_BEGINS, 1, NO_CARD, 0, 1),
        (log.USED, 1, coast, 0, 0),
        (log.ACCEDED, 1, raetia, 0, 0),
        (log.DECK_EXHAUSTED, 1, NO_CARD, 0, 0),
        (log.RESHUFFLED, 1, NO_CARD, 2, 0),
        (log.RENEWED, 1, coast, 0, 0),
        (log.DEVELOPED, 1, raetia, 0, 0),
        (log.DECK_EXHAUSTED, 1, NO_CARD, 1, 0),
    )
    assert lines[0].endswith("1 progress, 1 exhaust token")
    assert " ".join(line.strip() for line in lines[1:]) == (
        "uses Coast: the nation deck gives Raetia; puts an exhaust token on the nation deck; reshuffles 2 cards; "
        "takes the exhaust token back from Coast; develops Raetia; puts an exhaust token on the development area"
    )


def test_the_end_is_told_when_it_is_triggered() -> None:
    lines = told((log.SCORING_TRIGGERED, NO_SEAT, NO_CARD, LAST_DEVELOPMENT, 0))
    assert lines == ["  Scoring is triggered (last development): round 2 is the last"]


def test_a_collapse_is_won_by_least_unrest() -> None:
    g = made_up((log.COLLAPSED, NO_SEAT, NO_CARD, 0, 0), hand={0: ["Unrest"]})
    g.end_reason = COLLAPSE
    score_game(g, T)
    log_standing(g, 0)
    lines = lines_of(g)
    assert lines[0] == "Collapse: the unrest pile has no card left"
    assert lines[-1] == "Winner: Romans B (seat 1, busy) by least unrest"
    assert any(line.endswith("unrest cards") for line in lines)


def test_a_collapse_with_equal_unrest_is_won_by_points() -> None:
    g = made_up(hand={0: ["Unrest", "Celtic Innovation"], 1: ["Unrest"]})
    g.end_reason = COLLAPSE
    score_game(g, T)
    line = lines_of(g)[-1]
    assert line == "Winner: Celts A (seat 0, busy) by points, with no more unrest than the others"


def test_a_log_that_is_full_says_that_it_breaks_off() -> None:
    g = made_up(*[(log.DREW, 0, card("Boats"), 0, 0)] * 3)
    g.log.rows[:] = g.log.rows[0]
    g.log.row_count = LOG_ROWS
    assert "The log of this game is full: what came after this is not told" in list(
        ImperiumNarrator(g, T, CATALOG, NAMES).lines()
    )


def test_the_hand_told_is_the_hand_of_the_first_turn() -> None:
    games = new_games(1)
    g: Any = games[0]
    g.log.keeps_rows = 1
    deal("imperium", g, T, (0, 2), players=2, fixed=True, seed=7)
    hand = [CATALOG.cards[row].name for row in cards_in(g, int(g.first_seat), HAND)]
    log.log_hand(g, int(g.first_seat))
    assert lines_of(g)[0] == f"  hand: {', '.join(hand)}"
