"""What players have learnt of cards: the file, the tables, and what it does to their scores."""

import numpy as np
import pytest

from sim.data.changes import parse_change
from sim.diagnostics.lessons.imperium import AskedOptions, LearntOfNations, effect_lines, learn
from sim.errors import UserError
from sim.game import load_game
from sim.games.imperium.data.catalog import LESSONS, CardLesson, load_catalog
from sim.games.imperium.data.compile import LESSON_PROGRAMS, build_tables
from sim.games.imperium.rules import constants
from strategies.imperium.decisions import lesson_of, lesson_of_acting
from strategies.imperium.weights import P_LESSONS
from tests.games.imperium.tables import CATALOG, T
from tests.games.imperium.tables import card as row_of
from tests.kit.lessons import made_up_rows, player_of

ASKED = {constants.MAY, constants.OPTION}
"""What an effect of a lesson begins with: something that may be left, or one of several options."""


def test_columns_of_lessons_are_those_that_players_read() -> None:
    columns = ["play", "use", "gain", "develop", "retire", "garrison", "discard"]
    assert [LESSONS[getattr(constants, f"TO_{name.upper()}")] for name in columns] == columns
    assert len(LESSONS) == constants.LESSONS


def test_every_lesson_stands_in_the_row_of_its_card() -> None:
    assert len(CATALOG.lessons) > 400
    for card, lesson in CATALOG.lessons.items():
        row = T.card_lesson[row_of(card)]
        assert row[:, 0].tolist() == [getattr(lesson, name) for name in LESSONS]
        late = [getattr(lesson, name) + getattr(lesson.late, name) for name in LESSONS]
        assert row[:, 1].tolist() == late
        assert T.acting_lesson[row_of(card)].tolist() == [lesson.play_left, lesson.use_left]


def test_every_effect_of_a_lesson_is_one_that_players_are_asked_for() -> None:
    for card, lesson in CATALOG.lessons.items():
        for number, (effect, points) in enumerate(lesson.effects.items()):
            name, _, row = effect.partition(".")
            at = int(T.program[row_of(card), LESSON_PROGRAMS[name]]) + int(row)
            assert (T.lesson_at[row_of(card), number], T.effect_lesson[row_of(card), number]) == (at, points)
            before = int(T.code[at - 1, constants.OPERATION])
            assert ASKED & {int(T.code[at, constants.OPERATION]), before} or row == "0", (card, effect)


def test_a_change_of_a_card_leaves_the_lessons_of_all_others_as_they_are() -> None:
    sharing = [
        row_of(card) for card in CATALOG.lessons if T.lesson_at[row_of(card), 0] == T.lesson_at[row_of("CAR9"), 0]
    ]
    assert len(sharing) > 1
    changed = build_tables(load_catalog(changes=[parse_change("carthaginians.toml#CAR9.play=[]")]))
    assert not changed.effect_lesson[row_of("CAR9")].any()
    others = [card for card in range(T.cards) if card != row_of("CAR9")]
    assert (changed.effect_lesson[others] == T.effect_lesson[others]).all()
    assert all(changed.lesson_at[card, 0] != 0 for card in sharing if card != row_of("CAR9"))


def test_a_late_lesson_is_added_after_the_early_rounds_only() -> None:
    changes = ["lessons.toml#CAR9.gain=1.0", "lessons.toml#CAR9.late={ gain = 2.0 }"]
    changes += ["lessons.toml#CAR9.play_left=[0.5, 0.0, 0.0, 4.0]", "lessons.toml#CAR9.play=0.0"]
    game, card = load_game("imperium"), row_of("CAR9")
    t = build_tables(load_catalog(changes=[parse_change(change) for change in changes]))
    g, w = game.new_games(1)[0], player_of(P_LESSONS, 2.0)
    for rounds, points in ((constants.EARLY_ROUNDS - 1, 2.0), (constants.EARLY_ROUNDS, 6.0)):
        g.rounds = rounds
        assert lesson_of(g, t, card, constants.TO_GAIN, w) == points
    g.rounds = 1
    for actions, points in ((0, 1.0), (1, 0.0), (3, 8.0), (5, 8.0)):
        g.actions[0] = actions
        assert lesson_of_acting(g, t, 0, card, constants.TO_PLAY, w) == points


# ---- Fitting ----


def asked_about(decision: int, what: int, better: tuple[int, ...], other: tuple[int, ...]) -> AskedOptions:
    """Decisions of the twelfth round, 2 actions left, in which an option brings 3 hundredths more than its score."""
    about = (what, 0, 11, 2)
    return AskedOptions(made_up_rows(decision, (*about, *better), (*about, *other)))


def test_what_playing_a_card_brings_is_learnt_always_late_and_by_the_actions_left() -> None:
    asked = asked_about(constants.TURN, 0, (constants.PLAY_CARD, 40, 0), (constants.EXHAUST_CARD, 50, 0))
    learnt = learn(asked, True)
    parts = [learnt.always["play"][40], learnt.late["play"][40], learnt.left["play"][40][2]]
    assert min(parts) > 0.0
    assert [points for points in learnt.left["play"][40] if points] == [parts[2]]
    assert learnt.always["use"][50] + learnt.late["use"][50] + learnt.left["use"][50][2] < 0.0
    first = learn(asked, False)
    assert first.always["play"][40] > 0.0 > first.always["use"][50]
    assert not first.late
    assert not first.left


@pytest.mark.parametrize(
    ("column", "what"),
    [("retire", constants.TO_HISTORY), ("garrison", constants.GARRISON_HERE), ("discard", constants.DISCARD)],
)
def test_what_is_done_with_a_card_is_learnt_of_it(column: str, what: int) -> None:
    learnt = learn(asked_about(constants.PICK, what, (0, 40, 0), (0, constants.NO_CARD, 0)), True)
    assert set(learnt.always[column]) | set(learnt.late[column]) == {40}
    assert learnt.always[column].get(40, 0.0) + learnt.late[column][40] > 0.0


def test_lessons_are_added_to_those_that_are_known_and_rounded() -> None:
    learnt = LearntOfNations({"play": {0: 0.26}}, {"gain": {0: -1.0}}, {"use": {0: [0.0, 0.0, 2.0, 0.04]}})
    known = CardLesson.model_validate({"id": "CAR1A", "play": 1.0, "effects": {"play.0": 0.5}})
    lines = effect_lines(0, learnt, {"play.0": -0.5, "play.3": 0.31}, known)
    assert lines == [
        "play = 1.3",
        "late = { gain = -1.0 }",
        "use_left = [0.0, 0.0, 2.0, 0.0]",
        'effects = { "play.3" = 0.3 }',
    ]


def test_a_fit_of_games_in_which_nothing_was_asked_says_so() -> None:
    with pytest.raises(UserError, match="too few games: the teacher was never asked"):
        learn(AskedOptions(np.array([])), False)
