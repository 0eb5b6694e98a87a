"""Every array of fixed size is proved big enough as data are read, or its kernel stops with an error that names it.

A game supplies `tests/games/<game>/capacities.py` with `STATE` and `TABLES`: of each array of its own the proof in
words, or the number of the error with which a kernel stops.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from sim.batch import play, reason_for
from sim.compiling import players_of
from sim.data.changes import parse_change
from sim.errors import UserError
from sim.game import load_game
from sim.games.imperium import words
from sim.games.imperium.choices import offer
from sim.games.imperium.effects.hand import choose_amount, draw_for_effect
from sim.games.imperium.log import OFFERED
from sim.games.imperium.play import CARD_COLUMNS, CARD_ROWS, write_card_rows
from sim.games.imperium.state import DRAWN_FULL
from sim.games.imperium.tables import MAX_OPTIONS, MAX_ZONE
from sim.games.seven_wonders.building import place_card
from sim.games.seven_wonders.state import CITY_FULL, MAX_CITY_CARDS
from sim.games.seven_wonders.state import MAX_OPTIONS as MAX_OPTIONS_OF_SEVEN_WONDERS
from sim.games.seven_wonders.tables import MAX_CARDS
from sim.kit.frames import push
from sim.kit.log import new_row
from sim.kit.zones import put, put_below
from sim.lineups import MAX_FACTIONS
from sim.record import (
    CAPACITIES,
    LOG_FULL,
    OPTIONS_FULL,
    OWN_ERRORS,
    PIECE_ROWS_FULL,
    STACK_FULL,
    TOO_MANY_DECISIONS,
    ZONE_FULL,
    game_record,
    keep_answer,
    log_record,
)
from tests.kit.plans import KIT_GAMES, plan_for, supplied
from tests.kit.wild import fields_of

OF_EVERY_GAME: dict[str, str | int] = {
    "rng_drawn": "an entry for each stream",
    "strategy": "an entry for each seat",
    "faction": "an entry for each seat",
    "score": "an entry for each seat and score part",
    "rank": "an entry for each seat",
    "seating": "seats and a line-up: fewer than 7 + 32",
    "option_score": "as many as the options of the game",
    "notes": "written by strategies only, who are told how many there are",
    "answer": TOO_MANY_DECISIONS,
    "answer_drawn": TOO_MANY_DECISIONS,
    "log.rows": LOG_FULL,
    "log.pieces": "an entry for each seat and card",
}
"""Arrays of every game's record, and why nothing is written beyond them."""


def arrays_of(record: np.dtype[Any], inside: str = "") -> list[str]:
    """Names of all arrays in a record and the records in it."""
    names = []
    for name in record.names or ():
        kind = record[name]
        names += [inside + name] if kind.shape else arrays_of(kind, f"{inside}{name}.") if kind.names else []
    return names


@pytest.mark.parametrize("game", KIT_GAMES)
def test_of_each_array_it_is_said_why_nothing_is_written_beyond_it(game: str) -> None:
    of_game, known = supplied(game, "capacities"), load_game(game)
    log = log_record(rows=(1, 1), pieces=(1, 1, 1), number=np.int16)
    common = set(arrays_of(game_record([], seats=1, options=1, notes=1, score_parts=1, log=log)))
    own = set(arrays_of(known.state)) - common
    assert own == {name for name in of_game.STATE if ":" not in name}
    assert set(arrays_of(known.tables)) == set(of_game.TABLES)
    for error in {*of_game.STATE.values(), *of_game.TABLES.values(), *OF_EVERY_GAME.values()}:
        if isinstance(error, int):
            assert "of the record" in reason_for(known, error)


def test_of_the_arrays_of_every_game_it_is_said_too() -> None:
    log = log_record(rows=(1, 1), pieces=(1, 1, 1), number=np.int16)
    arrays = arrays_of(game_record([], seats=2, options=1, notes=1, score_parts=1, log=log))
    assert {name for name in arrays if not name.startswith("rng_")} == set(OF_EVERY_GAME) - {"rng_drawn"}


def test_the_proofs_that_are_sums_hold() -> None:
    assert max(MAX_CARDS + 1, 8 * 4, 8 * 8) <= MAX_OPTIONS_OF_SEVEN_WONDERS
    # Ways to gain a card: the market, the exile pile, the small decks or the main deck, and none.
    assert words.SLOTS + MAX_ZONE + len(words.SUITS) + 1 <= MAX_OPTIONS
    for game in KIT_GAMES:
        factions = load_game(game).load({}).factions
        assert len(factions) <= MAX_FACTIONS


# ---- Kernels stop ----


def record(game: str) -> Any:
    return load_game(game).new_games(1)[0]


def fill_zone(g: Any) -> None:
    for _ in range(MAX_ZONE + 1):
        put(g, 0, words.HAND, 5)


def fill_zone_from_below(g: Any) -> None:
    for _ in range(MAX_ZONE + 1):
        put_below(g, 4, words.EXILE_PILE, 5)


def fill_options(g: Any) -> None:
    for _ in range(MAX_OPTIONS + 1):
        offer(g, 5, words.HAND, 0)


def fill_stack(g: Any) -> None:
    for _ in range(g.frame.shape[0] + 1):
        push(g, 1, 0, 5, -1)


def fill_log(g: Any) -> None:
    g.log.keeps_rows = 1
    for _ in range(g.log.rows.shape[0] + 1):
        new_row(g)


def fill_answers(g: Any) -> None:
    keep_answer(g, 0, g.answer.shape[0], 0)


FULL = {
    "zone": (fill_zone, ZONE_FULL, "more than 128 pieces in a zone (zone of the record)"),
    "zone from below": (fill_zone_from_below, ZONE_FULL, "more than 128 pieces in a zone (zone of the record)"),
    "options": (fill_options, OPTIONS_FULL, "more than 160 options of a decision (option_score of the record)"),
    "stack": (fill_stack, STACK_FULL, "more than 64 effects that wait for each other (frame of the record)"),
    "log": (fill_log, LOG_FULL, "more than 12,000 rows in the log of a game (log.rows of the record)"),
    "answers": (fill_answers, TOO_MANY_DECISIONS, "more than 64 decisions in a step (answer of the record)"),
}


@pytest.mark.parametrize("name", FULL)
def test_what_is_full_stops_the_game_and_nothing_else_is_touched(name: str) -> None:
    fill, error, says = FULL[name]
    g = record("imperium")
    fill(g)
    assert g.error == error
    assert reason_for(load_game("imperium"), error) == says
    if name == "zone":
        assert g.zone_size[0, words.HAND] == MAX_ZONE
        assert not g.zone[0, words.DECK].any()


def test_every_lack_of_room_is_tried() -> None:
    tried = {error for _, error, _ in FULL.values()} | {CITY_FULL, DRAWN_FULL, PIECE_ROWS_FULL}
    own = {error for game in KIT_GAMES for error in load_game(game).errors}
    assert {*CAPACITIES, *own} <= tried
    assert min(CITY_FULL, DRAWN_FULL) == OWN_ERRORS


def test_a_full_city_stops_the_game() -> None:
    data, g = load_game("seven_wonders").load({}), record("seven_wonders")
    for _ in range(MAX_CITY_CARDS + 1):
        place_card(g, data.tables, 0, 3)
    assert (g.error, g.city_size[0]) == (CITY_FULL, MAX_CITY_CARDS)
    assert g.city_cards[1, 0] == 0


def test_an_amount_of_which_there_are_too_many_is_not_asked_for() -> None:
    g = record("imperium")
    plan = plan_for("imperium")
    assert choose_amount(g, plan.data.tables, players_of(plan), 0, words.DRAW, MAX_OPTIONS) == 0
    assert g.error == OPTIONS_FULL


# ---- The faults that were found: data that readers took, and a game that wrote where it should not ----


def said_by_all(game: str, table: str, field: str, value: str, among: int | None = None) -> list[str]:
    """Changes by which all rows of a table, or so many, say the same."""
    rows = sorted({said.row for said in fields_of(load_game(game)) if said.table == table})
    return [f"{row}.{field}={value}" for row in rows[:among]]


def played(plan: Any) -> str:
    """Play some games; return the message with which they stop."""
    with pytest.raises(UserError) as error:
        play(plan, players_of(plan), 0, 200)
    return str(error.value)


def test_a_city_that_builds_all_discards_stops_the_game_with_a_message() -> None:
    changes = said_by_all("seven_wonders", "card", "effects", "[{ build_from_discard = true }]")
    message = played(plan_for("seven_wonders", changes=changes))
    assert "a city would have more than 40 cards (city_cards of the record) (found: 'seed 1, game " in message


def test_a_table_of_more_common_cards_than_a_zone_holds_is_not_read() -> None:
    changes = [parse_change(text) for text in said_by_all("imperium", "card", "start", '"unrest_pile"')]
    nations = [change for change in changes if change.file not in ("shared.toml", "classics.toml", "legends.toml")]
    with pytest.raises(UserError, match=r"classics\.toml.*for the main deck.*found: 1\d\d\); allowed: at most 128"):
        load_game("imperium").load({}, nations)


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (f"celts.toml#CEL14.play=[['choose', {', '.join(['[]'] * 161)}]]", "too many to choose from (found: 161)"),
        ("celts.toml#CEL14.play=[['break_through', ['fame']]]", "no deck has any of these suits (found: ['fame'])"),
        ("celts.toml#CEL14.play=[['gamble', ['unrest']]]", "no deck has any of these suits (found: ['unrest'])"),
        (
            "celts.toml#CEL14.play=[['draw', 5], ['discard_one_of_drawn', 1]]",
            "too many cards drawn for the next operation to name (found: 5); allowed: at most 4",
        ),
    ],
)
def test_an_effect_that_asks_for_more_than_there_is_room_for_is_not_read(change: str, says: str) -> None:
    with pytest.raises(UserError) as error:
        load_game("imperium").load({}, [parse_change(change)])
    assert says in str(error.value)


def test_more_cards_remembered_by_one_effect_than_a_frame_holds_stop_the_game() -> None:
    plan, g = plan_for("imperium"), record("imperium")
    t = plan.data.tables
    remembers = (t.code[:, words.OPERATION] == words.DRAW) & (t.code[:, words.B] & words.REMEMBER != 0)
    for _ in range(words.DRAWN_CARDS + 1):
        put(g, 0, words.DECK, 5)
        assert g.error == 0
        draw_for_effect(g, t, players_of(plan), 0, 0, int(np.flatnonzero(remembers)[0]), 0)
    assert (g.error, g.frame[0, words.DRAWN]) == (DRAWN_FULL, words.DRAWN_CARDS)


def test_more_piece_rows_than_a_game_declares_stop_it() -> None:
    g, t = record("imperium"), load_game("imperium").load({}).tables
    g.log.pieces[0, : CARD_ROWS + 9, OFFERED] = 1
    rows = np.zeros((2 * CARD_ROWS, 3 + len(CARD_COLUMNS)), np.int32)
    assert write_card_rows(g, t, rows, 0, 0, 0) == CARD_ROWS
    assert g.error == PIECE_ROWS_FULL
    assert rows[CARD_ROWS - 1].any()
    assert not rows[CARD_ROWS:].any()
    assert load_game("imperium").pieces.rows == CARD_ROWS
