"""What has no room is refused as data are read, or stops the game with a message."""

from typing import Any

import numpy as np
import pytest

from sim.data.changes import parse_change
from sim.engine.options import offer
from sim.engine.state import OPTIONS_FULL, PIECE_ROWS_FULL
from sim.engine.zones import put
from sim.errors import UserError
from sim.game import load_game
from sim.games.imperium.rules import constants
from sim.games.imperium.rules.effects.hand import choose_amount, draw_for_effect
from sim.games.imperium.rules.log import OFFERED
from sim.games.imperium.rules.results import CARD_COLUMNS, CARD_ROWS, write_pieces
from sim.games.imperium.rules.state import DRAWN_FULL
from sim.games.imperium.rules.tables import MAX_OPTIONS, MAX_ZONE
from sim.players.batch import reason_for
from sim.players.compile_players import players_of
from tests.kit.plans import plan_for
from tests.kit.wild import said_by_all


def record() -> Any:
    return load_game("imperium").new_games(1)[0]


def test_options_of_which_there_are_too_many_stop_the_game() -> None:
    g = record()
    for _ in range(MAX_OPTIONS + 1):
        offer(g, 0, 5, constants.HAND, 0)
    assert (g.error, g.option_count) == (OPTIONS_FULL, MAX_OPTIONS)
    assert reason_for(load_game("imperium"), OPTIONS_FULL) == (
        "more than 160 options of a decision (option_score of the record)"
    )


def test_a_decision_has_room_for_all_ways_to_gain_a_card() -> None:
    # The market, the exile pile, the small decks or the main deck, and none.
    assert constants.SLOTS + MAX_ZONE + len(constants.SUITS) + 1 <= MAX_OPTIONS


def test_an_amount_of_which_there_are_too_many_is_not_asked_for() -> None:
    g = record()
    plan = plan_for("imperium")
    assert choose_amount(g, plan.data.tables, players_of(plan), 0, constants.DRAW, MAX_OPTIONS) == 0
    assert g.error == OPTIONS_FULL


def test_a_table_of_more_common_cards_than_a_zone_holds_is_not_read() -> None:
    changes = [parse_change(text) for text in said_by_all(load_game("imperium"), "card", "start", '"unrest_pile"')]
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
    plan, g = plan_for("imperium"), record()
    t = plan.data.tables
    remembers = (t.code[:, constants.OPERATION] == constants.DRAW) & (t.code[:, constants.B] & constants.REMEMBER != 0)
    for _ in range(constants.DRAWN_CARDS + 1):
        put(g, 0, constants.DECK, 5)
        assert g.error == 0
        draw_for_effect(g, t, players_of(plan), 0, 0, int(np.flatnonzero(remembers)[0]), 0)
    assert (g.error, g.frame[0, constants.DRAWN]) == (DRAWN_FULL, constants.DRAWN_CARDS)


def test_more_piece_rows_than_a_game_declares_stop_it() -> None:
    g, t = record(), load_game("imperium").load({}).tables
    g.log.pieces[0, : CARD_ROWS + 9, OFFERED] = 1
    rows = np.zeros((2 * CARD_ROWS, 3 + len(CARD_COLUMNS)), np.int32)
    assert write_pieces(g, t, rows, 0, 0, 0) == CARD_ROWS
    assert g.error == PIECE_ROWS_FULL
    assert reason_for(load_game("imperium"), PIECE_ROWS_FULL).startswith("more than 200 cards come before one seat")
    assert rows[CARD_ROWS - 1].any()
    assert not rows[CARD_ROWS:].any()
    assert load_game("imperium").pieces.rows == CARD_ROWS
