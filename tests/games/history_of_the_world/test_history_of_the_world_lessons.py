"""What players have learnt of drafts and lands: the file, the tables, and what it does to the scores of options."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from sim.data.changes import parse_change
from sim.diagnostics.lessons.history_of_the_world import known_before, learn_cards, learn_lands, rows_of
from sim.engine.options import clear_options, offer
from sim.games.history_of_the_world.data.catalog import FOLDER, load_catalog
from sim.games.history_of_the_world.data.compile import build_tables
from sim.games.history_of_the_world.rules import constants
from sim.games.history_of_the_world.rules.setup import clear_table
from sim.games.history_of_the_world.rules.state import new_games
from sim.games.history_of_the_world.rules.turns import list_conquests
from sim.players.compile_players import lineup_record
from sim.players.find_strategies import load_strategies
from strategies.history_of_the_world.decisions import AT_ONCE, score_landing
from strategies.history_of_the_world.weights import P_HELD_BACK
from tests.games.history_of_the_world.printed import CARDS, CATALOG, LANDS, SETS, TABLES_OF, T
from tests.kit.hidden import fresh_scores
from tests.kit.lessons import made_up_rows, player_of
from tests.kit.plans import plan_for

LESSONS = "reconstruction-2018/lessons.toml"
STRATEGY = load_strategies("history_of_the_world")["balanced"]


def changed(*changes: str) -> Any:
    """Tables with changes of the lessons."""
    return build_tables(load_catalog(changes=[parse_change(f"{LESSONS}#{change}") for change in changes]))


def scores(t: Any, g: Any, decision: int, **changes: float) -> list[float]:
    """Scores that `balanced` gives to the listed options, with tables of one's own."""
    w = lineup_record((STRATEGY,), plan_for("history_of_the_world", players=3).data, 3).seats[0]
    for name, weight in changes.items():
        w.weight[STRATEGY.script.parameters.index(name)] = weight
    return fresh_scores("history_of_the_world", STRATEGY.script.score, g, t, 0, decision, w)


@pytest.mark.parametrize("data_set", SETS)
def test_there_is_a_lesson_of_every_card_and_land(data_set: str) -> None:
    catalog = SETS[data_set]
    assert list(catalog.empire_lessons) == [empire.name for empire in catalog.empires]
    assert list(catalog.event_lessons) == [event.name for event in catalog.events]
    assert list(catalog.land_lessons) == list(catalog.land_names)


@pytest.mark.parametrize("data_set", SETS)
def test_a_lesson_stands_where_its_card_or_land_is(data_set: str) -> None:
    catalog, t = SETS[data_set], TABLES_OF[data_set]
    for number, card in enumerate(catalog.cards):
        lessons = catalog.empire_lessons if number < len(catalog.empires) else catalog.event_lessons
        assert t.card_lesson[number] == lessons[card.name].points
    for number, land in enumerate(catalog.land_names):
        assert t.land_lesson[: catalog.epochs, number].tolist() == catalog.land_lessons[land].points


def test_of_a_card_that_a_change_renames_nothing_is_learnt() -> None:
    catalog = load_catalog(changes=[parse_change("reconstruction-2018/empires.toml#Romans.name='Latins'")])
    romans = catalog.card_names.index("Latins")
    assert CATALOG.empire_lessons["Romans"].points != 0.0
    assert build_tables(catalog).card_lesson[romans] == 0.0


def test_a_land_of_which_nothing_is_learnt_is_as_lands_are_on_average() -> None:
    learnt = {name: lesson for name, lesson in CATALOG.land_lessons.items() if name != "Turan"}
    t = build_tables(replace(CATALOG, land_lessons=learnt))
    usual = np.mean([lesson.points for lesson in learnt.values()], axis=0)
    assert t.land_lesson[:5, LANDS.index("Turan")] == pytest.approx(usual)
    assert (usual > 0.1).all()


def draft_of(t: Any, *names: str) -> Any:
    """A game in which seat 0 keeps one of some empires of epoch II."""
    g: Any = new_games(1)[0]
    clear_table(g, t, 3)
    g.phase, g.epoch = constants.DRAFT, 1
    clear_options(g)
    for name in names:
        offer(g, 0, CARDS.index(name), 0, constants.NO_SEAT)
    return g


def turn_of_egyptians(t: Any, epoch: int) -> Any:
    """A turn of seat 0 that holds the Nile and has three armies left."""
    g: Any = new_games(1)[0]
    clear_table(g, t, 3)
    g.epoch, g.phase, g.step, g.turn_seat = epoch, constants.TURN, constants.CONQUEST, 0
    g.card, g.armies, g.icons_needed[:] = CARDS.index("Egyptians"), 3, int(t.icons_per_monument)
    g.army[LANDS.index("Nile")], g.active[LANDS.index("Nile")] = 0, 1
    clear_options(g)
    return g


def test_a_card_is_kept_for_what_was_learnt_of_it() -> None:
    plain, taught = changed("Romans.points=0.0"), changed("Romans.points=10.0")
    g = draft_of(plain, "Romans", "Celts")
    before, after = scores(plain, g, constants.KEEP_EMPIRE), scores(taught, g, constants.KEEP_EMPIRE)
    assert after[0] - before[0] == pytest.approx(10.0)
    assert after[1] == before[1]
    assert scores(taught, g, constants.KEEP_EMPIRE, lessons=0.5)[0] == pytest.approx(before[0] + 5.0)


def test_an_event_is_kept_for_what_was_learnt_of_it() -> None:
    plain, taught = changed("Diplomacy.points=0.0"), changed("Diplomacy.points=4.0")
    g = draft_of(plain, "Diplomacy")
    assert scores(taught, g, constants.KEEP_EVENT)[0] - scores(plain, g, constants.KEEP_EVENT)[0] == pytest.approx(4.0)


def test_a_lesson_that_all_lands_have_changes_no_siege() -> None:
    found = []
    for lesson in (0.0, 5.0):
        t = T.copy()
        t.land_lesson[:] = lesson
        g = turn_of_egyptians(t, 0)
        # Elsewhere more is to be had, so that the siege has its price.
        g.token[t.region[LANDS.index("Nubia")]] = 6
        g.army[LANDS.index("Levant")] = 1
        list_conquests(g, t, 0)
        g.battle, g.target, g.way = constants.LOST_ROLL, LANDS.index("Levant"), constants.BORDER
        clear_options(g)
        for kind in (constants.SIEGE, constants.RETREAT):
            offer(g, kind, constants.NO_CARD, 0, constants.NO_SEAT)
        siege, retreat = scores(t, g, constants.AFTER_LOSS)
        found.append(siege)
    assert found[0] == pytest.approx(found[1])
    assert retreat < found[0] < AT_ONCE


def test_more_armies_on_a_card_count_though_its_lesson_stays() -> None:
    more = build_tables(load_catalog(changes=[parse_change("reconstruction-2018/empires.toml#Romans.armies=20")]))
    as_printed, raised = (scores(t, draft_of(t, "Romans"), constants.KEEP_EMPIRE)[0] for t in (T, more))
    assert raised > as_printed + 5.0


def test_a_land_is_conquered_for_what_was_learnt_of_it_in_this_epoch() -> None:
    plain = changed("Nubia.points=[0.0, 0.0, 0.0, 0.0, 0.0]")
    taught = changed("Nubia.points=[0.0, 3.0, 0.0, 0.0, 0.0]")
    more = []
    for epoch in (1, 2):
        g = turn_of_egyptians(plain, epoch)
        list_conquests(g, plain, 0)
        nubia = np.flatnonzero(g.option_land[: g.option_count] == LANDS.index("Nubia"))[0]
        more.append(scores(taught, g, constants.ACT)[nubia] - scores(plain, g, constants.ACT)[nubia])
    assert more == [pytest.approx(3.0), pytest.approx(0.0)]


@pytest.mark.parametrize(
    ("epoch", "classic", "held_back", "wins"),
    [(0, 0, 2.0, -1), (1, 0, 2.0, -1), (2, 0, 2.0, 1), (0, 1, 2.0, 1), (0, 0, 0.0, 1), (3, 0, 9.0, -1), (4, 0, 9.0, 1)],
)
def test_a_point_less_is_better_while_who_has_most_chooses_last(
    epoch: int, classic: int, held_back: float, wins: int
) -> None:
    g: Any = new_games(1)[0]
    g.epoch, g.classic = epoch, classic
    g.option_value[:2] = 1, -1
    w = player_of(P_HELD_BACK, held_back)
    assert np.sign(score_landing(g, T, 0, w) - score_landing(g, T, 1, w)) == wins


# ---- Fitting ----


def test_what_keeping_a_card_brings_is_learnt_of_the_card_in_hundredths_of_a_win() -> None:
    found = learn_cards(made_up_rows(constants.KEEP_EMPIRE, (1, 0, -1, 12), (1, 0, -1, 13)))
    assert found[12] - found[13] == pytest.approx(3.0, abs=0.5)
    assert not found[:12].any()


def test_what_a_conquest_brings_is_learnt_of_the_land_in_its_epoch() -> None:
    found = learn_lands(made_up_rows(constants.ACT, (3, constants.CONQUER, 7, -1), (3, constants.CONQUER, 8, -1)), 0.5)
    assert found[3, 7] - found[3, 8] == pytest.approx(1.5, abs=0.3)
    assert not found[2].any()


def test_the_first_round_forgets_what_is_known_and_later_ones_add_to_it() -> None:
    assert not any(known.any() for known in known_before(T, 1))
    assert [known.tolist() for known in known_before(T, 2)] == [T.card_lesson.tolist(), T.land_lesson.tolist()]


def test_the_land_that_brings_least_in_an_epoch_has_0() -> None:
    lands = np.zeros(T.land_lesson.shape)
    lands[0, 3], lands[1, 4] = -2.0, 1.5
    rows = rows_of(CATALOG, T.card_lesson, lands)
    points = {row.split('"')[1]: row.rpartition("= ")[2].strip() for row in rows if row.startswith("[[land]]")}
    assert points[LANDS[3]] == "[0.0, 0.0, 0.0, 0.0, 0.0]"
    assert points[LANDS[4]] == "[2.0, 1.5, 0.0, 0.0, 0.0]"
    assert points[LANDS[5]] == "[2.0, 0.0, 0.0, 0.0, 0.0]"


@pytest.mark.parametrize("data_set", SETS)
def test_lessons_are_written_as_they_are_read(data_set: str) -> None:
    t = TABLES_OF[data_set]
    rows = rows_of(SETS[data_set], t.card_lesson, t.land_lesson)
    text = (FOLDER / data_set / "lessons.toml").read_text(encoding="utf-8")
    assert text.endswith("\n\n" + "\n".join(rows))
