"""What players have learnt of cards and wonders: the file, the tables, and what it does to the scores of options."""

import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from sim.data.changes import parse_change
from sim.diagnostics.lessons.fit import write_lessons
from sim.diagnostics.lessons.seven_wonders import learn, rows_of
from sim.games.seven_wonders.data.catalog import FOLDER, load_catalog
from sim.games.seven_wonders.data.compile import build_tables
from sim.games.seven_wonders.rules.constants import BUILD, COLOURS, DISCARD, FREE_BUILD, PLAY, STAGE
from sim.games.seven_wonders.rules.state import STATE
from strategies.seven_wonders.decisions import gain_of_play, lesson_of_play
from strategies.seven_wonders.weights import P_LESSONS
from tests.games.seven_wonders.playing import CATALOG, T
from tests.kit.lessons import made_up_rows, player_of

ALTAR, LOOM = CATALOG.card_id("Altar", 1), CATALOG.card_id("Loom", 2)
RHODOS = CATALOG.faction_names.index("Rhodos A")
FULL = player_of(P_LESSONS, 1.0)


def with_rows(folder: Path, rows: Sequence[str]) -> Any:
    """Tables with these lessons in place of the project's."""
    copied = folder / "seven_wonders"
    shutil.copytree(FOLDER, copied)
    write_lessons(copied, rows)
    return build_tables(load_catalog(copied))


OF_ALTAR = '[[lesson]]\nname = "Altar"\nage = 1\nbuild = [1.0, 2.0]\nwonder = [3.0, 4.0]\ndiscard = [5.0, 6.0]\n'
OF_RHODOS = '[[board]]\nname = "Rhodos"\nside = "A"\nblue = [10.0, 20.0, 30.0]\nstages = [[100, 0, 0], [70, 80, 90]]\n'


def game_at(age: int, turn: int, stages: int = 0) -> Any:
    """A game at some turn of an age, in which the first seat has Rhodos A with so many stages."""
    g: Any = np.zeros(1, STATE)[0]
    g.players, g.age, g.turn = 3, age, turn
    g.faction[0], g.stages_built[0] = RHODOS, stages
    return g


def test_an_action_has_the_lessons_of_its_card_and_of_the_colour_or_stage(tmp_path: Path) -> None:
    t = with_rows(tmp_path, [OF_ALTAR, OF_RHODOS])
    of_action = {(BUILD, 3): 11, (BUILD, 4): 12, (FREE_BUILD, 4): 12, (STAGE, 1): 73, (STAGE, 6): 74, (DISCARD, 4): 6}
    for (action, turn), points in of_action.items():
        assert lesson_of_play(game_at(1, turn, stages=1), t, 0, ALTAR, action, FULL) == points


def test_colours_and_stages_have_a_lesson_for_each_age(tmp_path: Path) -> None:
    t = with_rows(tmp_path, [OF_ALTAR, OF_RHODOS])
    built = [lesson_of_play(game_at(age, 1), t, 0, ALTAR, BUILD, FULL) for age in (1, 2, 3)]
    assert built == [11.0, 21.0, 31.0]
    stages = [lesson_of_play(game_at(2, 1, stages), t, 0, LOOM, STAGE, FULL) for stages in (0, 1, 2)]
    assert stages == [0.0, 80.0, 0.0]


def test_a_gain_counts_lessons_by_their_weight() -> None:
    g = game_at(1, 2)
    g.option_card[0], g.option_action[0] = ALTAR, DISCARD
    without, half = (gain_of_play(g, T, 0, 0, 1.0, 0.0, player_of(P_LESSONS, weight)) for weight in (0.0, 0.5))
    assert without == T.discard_coins
    assert half - without == pytest.approx(0.5 * T.card_lesson[ALTAR, DISCARD, 0])


def test_nothing_is_known_of_building_what_has_no_effect_any_more() -> None:
    changes = "cards.toml#Altar 1.effects=[]", "wonders.toml#Rhodos A.stage.1.effects=[]"
    t = build_tables(load_catalog(changes=[parse_change(change) for change in changes]))
    assert T.card_lesson[ALTAR, BUILD].any()
    assert T.stage_lesson[RHODOS, 0].any()
    assert not t.card_lesson[ALTAR, BUILD].any()
    assert not t.stage_lesson[RHODOS, 0].any()
    assert (t.card_lesson[ALTAR, DISCARD] == T.card_lesson[ALTAR, DISCARD]).all()
    assert (t.stage_lesson[RHODOS, 1] == T.stage_lesson[RHODOS, 1]).all()


def test_every_card_and_every_side_has_a_row() -> None:
    assert list(CATALOG.card_lessons) == [f"{card.name} {card.age}" for card in CATALOG.cards]
    assert list(CATALOG.board_lessons) == CATALOG.faction_names


def test_a_card_may_be_called_otherwise_by_a_change() -> None:
    t = build_tables(load_catalog(changes=[parse_change('cards.toml#Loom 2.name="Great Loom"')]))
    assert T.card_lesson[LOOM].any()
    assert not t.card_lesson[LOOM].any()


# ---- Fitting ----


def test_what_a_card_brings_is_learnt_of_its_action_and_the_half_of_its_age() -> None:
    built = (2, 5, RHODOS, 1, BUILD, LOOM)
    learnt = learn(made_up_rows(PLAY, built, (2, 5, RHODOS, 1, DISCARD, LOOM)), T)
    found = learnt.cards[LOOM, BUILD] - learnt.cards[LOOM, DISCARD]
    assert found[1] > found[0] > 0.0
    of_colour = learnt.colours[RHODOS, COLOURS.index("grey")]
    assert of_colour[1] > 0.0
    assert found[1] + of_colour[1] == pytest.approx(3.0, abs=0.5)
    assert not learnt.stages.any()


def test_what_a_stage_brings_is_learnt_of_the_wonder_and_the_age() -> None:
    learnt = learn(made_up_rows(PLAY, (3, 2, RHODOS, 2, STAGE, LOOM), (3, 2, RHODOS, 2, BUILD, LOOM)), T)
    assert learnt.stages[RHODOS, 2, 2] > 0.0
    assert np.count_nonzero(learnt.stages) == 1


def test_a_card_built_free_is_a_card_built() -> None:
    learnt = learn(made_up_rows(PLAY, (1, 2, RHODOS, 0, FREE_BUILD, ALTAR), (1, 2, RHODOS, 0, DISCARD, ALTAR)), T)
    assert learnt.cards[ALTAR, BUILD, 0] > 0.0
    assert learnt.cards.shape == T.card_lesson.shape


def test_what_is_added_is_what_is_known_and_a_share_of_what_is_new() -> None:
    learnt = learn(made_up_rows(PLAY, (1, 2, RHODOS, 0, BUILD, ALTAR), (1, 2, RHODOS, 0, DISCARD, ALTAR)), T)
    more = learnt.times(0.5).plus(T)
    assert more.cards == pytest.approx(T.card_lesson + 0.5 * learnt.cards)
    assert more.colours == pytest.approx(T.colour_lesson + 0.5 * learnt.colours)
    assert more.stages == pytest.approx(T.stage_lesson + 0.5 * learnt.stages)


def test_lessons_are_written_as_they_are_read(tmp_path: Path) -> None:
    learnt = learn(made_up_rows(PLAY, (1, 2, RHODOS, 0, BUILD, ALTAR), (1, 2, RHODOS, 0, STAGE, ALTAR)), T)
    t = with_rows(tmp_path, rows_of(CATALOG, learnt))
    assert t.card_lesson == pytest.approx(learnt.cards, abs=0.05)
    assert t.colour_lesson == pytest.approx(learnt.colours, abs=0.05)
    assert t.stage_lesson == pytest.approx(learnt.stages, abs=0.05)
