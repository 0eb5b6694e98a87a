"""Every array of fixed size is proved big enough as data are read, or its kernel stops with an error that names it.

A game supplies `tests/games/<game>/capacities.py` with `STATE` and `TABLES`: the proof in words, or the number of the
error with which a kernel stops, and the names of the arrays it is for.
"""

from typing import Any

import numpy as np
import pytest

from sim.engine.effect_stack import push
from sim.engine.event_log import new_row
from sim.engine.seating import MAX_FACTIONS
from sim.engine.state import (
    CAPACITIES,
    LOG_FULL,
    OPTIONS_FULL,
    STACK_FULL,
    TOO_MANY_DECISIONS,
    ZONE_FULL,
    game_record,
    log_record,
    record_answer,
)
from sim.engine.zones import put, put_below
from sim.game import load_game
from sim.games.imperium.rules import constants
from sim.players.batch import reason_for
from tests.kit.plans import KIT_GAMES, supplied

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
    "answer_seat": TOO_MANY_DECISIONS,
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
    assert own == set(" ".join(of_game.STATE.values()).split())
    assert sorted(arrays_of(known.tables)) == sorted(" ".join(of_game.TABLES.values()).split())
    for error in {*of_game.STATE, *of_game.TABLES, *OF_EVERY_GAME.values()}:
        if isinstance(error, int):
            assert "of the record" in reason_for(known, error)
    assert len(known.load({}).factions) <= MAX_FACTIONS, "a plan does not hold all factions"


def test_of_the_arrays_of_every_game_it_is_said_too() -> None:
    log = log_record(rows=(1, 1), pieces=(1, 1, 1), number=np.int16)
    arrays = arrays_of(game_record([], seats=2, options=1, notes=1, score_parts=1, log=log))
    assert {name for name in arrays if not name.startswith("rng_")} == set(OF_EVERY_GAME) - {"rng_drawn"}


# ---- Kernels that games share stop; Imperium's record has all that they write ----


IMPERIUM = load_game("imperium").state
ZONE, STACK, LOG_ROWS = IMPERIUM["zone"].shape[-1], IMPERIUM["frame"].shape[0], IMPERIUM["log"]["rows"].shape[0]
ANSWERS = IMPERIUM["answer"].shape[0]
FULL = {
    # what is filled: (a write, how many of these there is room for, the error, what it says)
    "zone": (lambda g: put(g, 0, constants.HAND, 5), ZONE,
             ZONE_FULL, "more than 128 pieces in a zone (zone of the record)"),
    "zone from below": (lambda g: put_below(g, 4, constants.EXILE_PILE, 5), ZONE,
                        ZONE_FULL, "more than 128 pieces in a zone (zone of the record)"),
    "stack": (lambda g: push(g, 1, 0, 5, -1), STACK,
              STACK_FULL, "more than 64 effects that wait for each other (frame of the record)"),
    "log": (new_row, LOG_ROWS, LOG_FULL, "more than 12,000 rows in the log of a game (log.rows of the record)"),
    "answers": (lambda g: record_answer(g, 0, ANSWERS, 0), 0,
                TOO_MANY_DECISIONS, "more than 64 decisions in a step (answer of the record)"),
}  # fmt: skip


@pytest.mark.parametrize("name", FULL)
def test_what_is_full_stops_the_game_and_nothing_else_is_touched(name: str) -> None:
    fill, room, error, says = FULL[name]
    g: Any = load_game("imperium").new_games(1)[0]
    g.log.keeps_rows = 1
    for _ in range(room + 1):
        fill(g)
    assert g.error == error
    assert reason_for(load_game("imperium"), error) == says
    if name == "zone":
        assert g.zone_size[0, constants.HAND] == ZONE
        assert not g.zone[0, constants.DECK].any()


def test_every_lack_of_room_is_tried() -> None:
    # Games list the options of their decisions themselves, and try it in tests of their own.
    assert {error for _, _, error, _ in FULL.values()} == {*CAPACITIES} - {OPTIONS_FULL}
