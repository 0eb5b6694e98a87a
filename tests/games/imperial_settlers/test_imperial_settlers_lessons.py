"""What players have learnt of cards and moves: the file, the tables, and what it does to the scores of options."""

import math
from typing import Any, get_args

import numpy as np
import pytest

from sim.data.changes import parse_change
from sim.diagnostics.lessons.imperial_settlers import learn, scores_tell
from sim.games.imperial_settlers.data.catalog import load_catalog
from sim.games.imperial_settlers.data.compile import build_tables
from sim.games.imperial_settlers.data.models import LESSONS, Move
from sim.games.imperial_settlers.rules import constants
from sim.games.imperial_settlers.rules.state import new_games
from strategies.imperial_settlers.decisions import LEARNT_OF, add_lessons, least_of_best, lesson_of
from strategies.imperial_settlers.weights import P_LESSONS, SCORES
from tests.kit.lessons import made_up_rows, player_of

CATALOG = load_catalog()
T: Any = build_tables(CATALOG)


def changed(*changes: str) -> Any:
    """Tables with changes of the lessons."""
    return build_tables(load_catalog(changes=[parse_change(change) for change in changes]))


def first_copy(name: str) -> int:
    """Row of the first copy of a card."""
    return [card.name for card in CATALOG.cards].index(name)


def turn_of(scores: list[float], kind: int, card: int, rounds: int = 1) -> Any:
    """A turn whose options are all to do the same with a card, and score so."""
    g: Any = new_games(1)[0]
    g.rounds, g.option_count = rounds, len(scores)
    g.option_kind[: len(scores)], g.option_card[: len(scores)] = kind, card
    g.notes[SCORES : SCORES + len(scores)] = scores
    return g


# ---- The file ----


def test_columns_of_lessons_are_the_actions_with_cards_then_taking_and_giving_up() -> None:
    for kind in range(constants.BUILD, constants.ACTIVATE + 1):
        assert LESSONS[kind - constants.BUILD] == constants.MOVES[kind]
    assert LESSONS[constants.LEARNT_OF_TAKING] == "take"
    assert LESSONS[constants.LEARNT_OF_GIVING_UP] == "give_up"
    assert len(LESSONS) == constants.LESSONS
    assert get_args(Move) == constants.MOVES


def test_a_lesson_stands_in_the_row_of_every_copy() -> None:
    for card, row in enumerate(CATALOG.cards):
        known = CATALOG.lessons.get(row.name)
        for what, name in enumerate(LESSONS):
            points = [0.0] * constants.ROUNDS if known is None else getattr(known, name)
            assert T.card_lesson[card, :, what].tolist() == pytest.approx(points)


def test_a_lesson_of_a_move_stands_in_the_row_of_its_kind() -> None:
    t = changed("lessons.toml#deal.points=[1.0, 2.0, 3.0, 4.0, 5.0]")
    assert t.move_lesson[constants.DEAL].tolist() == [1.0, 2.0, 3.0, 4.0, 5.0]


def test_a_card_that_is_given_another_name_has_no_lessons() -> None:
    t = changed('common.toml#Statue.name="Colonnade"')
    assert not t.card_lesson[first_copy("Statue")].any()
    others = [card for card, row in enumerate(CATALOG.cards) if row.name != "Statue"]
    assert (t.card_lesson[others] == T.card_lesson[others]).all()


# ---- Fitting ----


def test_what_an_action_brings_is_learnt_of_its_card_its_move_and_its_round() -> None:
    statue, gate = first_copy("Statue"), first_copy("Gate")
    learnt = learn(made_up_rows(constants.TURN, (2, constants.DEAL, statue, 0), (2, constants.RAZE_HAND, gate, 0)), T)
    deal = learnt.cards["deal", int(T.name[statue])] + learnt.moves["deal"]
    raze = learnt.cards["raze", int(T.name[gate])] + learnt.moves["raze"]
    assert deal[1] - raze[1] == pytest.approx(3.0, abs=0.3)
    assert deal[1] > max(deal[[0, 2, 3, 4]])
    assert set(learnt.moves) == {"deal", "raze"}


@pytest.mark.parametrize(("decision", "column"), [(constants.TAKE, "take"), (constants.GIVE_UP, "give_up")])
def test_what_is_learnt_of_late_rounds_is_of_these(decision: int, column: str) -> None:
    statue, gate = first_copy("Statue"), first_copy("Gate")
    learnt = learn(made_up_rows(decision, (4, 0, statue, 0), (4, 0, gate, 0)), T)
    points = learnt.cards[column, int(T.name[statue])] - learnt.cards[column, int(T.name[gate])]
    assert points[3] == points[4] == pytest.approx(3.0, abs=1.5)
    assert points[0] == points[1] == points[2] < points[3]


def test_decisions_whose_scores_tell_nothing_of_all_but_the_best_are_left_out() -> None:
    told = {
        1: [7.0, 1.0, 1.0, 1.0],  # left out
        2: [3.0, 2.0, 1.0, 1.0],
        3: [5.0, 1.0, 1.0],  # too few to say
        4: [1.0, 1.0, 1.0, 1.0],  # alike, but with the best
        5: [6.0, 6.0, 2.0, 2.0, 2.0],  # left out
    }
    numbers = np.repeat(list(told), [len(scores) for scores in told.values()])
    tell = scores_tell(numbers, np.concatenate(list(told.values())))
    assert set(numbers[tell]) == {2, 3, 4}
    assert set(numbers[~tell]) == {1, 5}


def test_nothing_asked_is_nothing_learnt() -> None:
    learnt = learn(np.zeros((0, 9)), T)
    assert (learnt.cards, learnt.moves) == ({}, {})


# ---- Scores ----


def test_an_option_is_scored_by_its_card_its_move_and_the_round() -> None:
    t = changed("lessons.toml#Statue.build=[0.5, 1.5, 0, 0, 0]", "lessons.toml#build.points=[2.0, 3.0, 0, 0, 0]")
    statue, w = first_copy("Statue"), player_of(P_LESSONS, 2.0)
    for rounds, points in ((1, 5.0), (2, 9.0), (3, 0.0)):
        g = turn_of([1.0], constants.BUILD, statue, rounds)
        assert lesson_of(g, t, constants.TURN, 0, w) == points
        add_lessons(g, t, w)
        assert g.notes[SCORES] == 1.0 + points


def test_taking_and_giving_up_have_lessons_of_their_own() -> None:
    t = changed("lessons.toml#Statue.take=[1.0, 1, 1, 1, 1]", "lessons.toml#Statue.give_up=[-1.0, -1, -1, -1, -1]")
    g, w = turn_of([0.0], 0, first_copy("Statue")), player_of(P_LESSONS, 1.0)
    assert lesson_of(g, t, constants.TAKE, 0, w) == 1.0
    assert lesson_of(g, t, constants.GIVE_UP, 0, w) == -1.0
    g.option_kind[0] = constants.FOUNDATION
    assert lesson_of(g, t, constants.GIVE_UP, 0, w) == 0.0


def test_only_the_best_options_of_a_turn_are_given_lessons() -> None:
    """Of others nothing was learnt."""
    t = changed("lessons.toml#Statue.deal=[9.0, 9, 9, 9, 9]", "lessons.toml#deal.points=[0.0, 0, 0, 0, 0]")
    g = turn_of([float(number) for number in range(LEARNT_OF + 3)], constants.DEAL, first_copy("Statue"))
    add_lessons(g, t, player_of(P_LESSONS, 1.0))
    gained = g.notes[SCORES:][: LEARNT_OF + 3] - np.arange(LEARNT_OF + 3)
    assert gained.tolist() == [0.0] * 3 + [9.0] * LEARNT_OF


@pytest.mark.parametrize("scores", [[3.0], [1.0, 1.0, 2.0], [5.0] * 20, [float(n % 5) for n in range(30)]])
def test_options_that_score_like_the_last_of_the_best_are_among_them(scores: list[float]) -> None:
    g = turn_of(scores, constants.DEAL, 0)
    assert least_of_best(g) == sorted(scores, reverse=True)[:LEARNT_OF][-1]


@pytest.mark.parametrize("wrong", [math.nan, math.inf, -math.inf])
def test_a_score_that_is_no_number_ends_the_search_for_the_best(wrong: float) -> None:
    assert least_of_best(turn_of([1.0, wrong], constants.DEAL, 0)) == -math.inf


def test_in_the_solo_game_nothing_of_it_counts() -> None:
    g = turn_of([1.0], constants.BUILD, first_copy("Statue"))
    g.solo = 1
    assert lesson_of(g, T, constants.TURN, 0, player_of(P_LESSONS, 1.0)) == 0.0
