"""Whole games, told in words, must stay word for word the same.

`EMPIRELAB_GOLDEN=write pytest tests/games/seven_wonders/test_seven_wonders_golden.py` writes the files again; read the
difference before keeping it.
"""

import os
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from sim.games.seven_wonders.catalog import load_catalog
from sim.games.seven_wonders.compile import build_tables
from sim.games.seven_wonders.setup import set_up
from sim.games.seven_wonders.state import STATE, new_games
from sim.games.seven_wonders.tables import TABLES
from sim.games.seven_wonders.told import tell, tell_header
from sim.games.seven_wonders.turns import play_on
from sim.games.seven_wonders.words import FREE_BUILD, PAYMENT, STAGE
from sim.jit import strategy_pointer, strategy_slots
from sim.players import LINEUP

GOLDEN = Path(__file__).parent / "golden"
CATALOG = load_catalog()
T = build_tables(CATALOG)
GAMES = [
    (2, ("Olympia A", "Rhodos B", "Babylon B")),
    (3, ("Babylon B", "Halikarnassos B", "Olympia A")),
    (4, ("Gizah B", "Ephesos A", "Alexandria B", "Rhodos A")),
    (5, ("Olympia B", "Halikarnassos A", "Babylon A", "Ephesos B", "Alexandria A")),
    (7, ("Olympia B", "Babylon B", "Gizah A", "Halikarnassos B", "Rhodos B", "Ephesos A", "Alexandria B")),
]


def wonder_builder(g: Any, t: Any, me: int, decision: int, option: int, w: Any) -> float:
    """Build stages first, then what a fixed scramble of the cards says; pay the least."""
    if decision == PAYMENT:
        return -float(g.option_price[option] * 64 + g.option_left[option])
    card = g.option_card[option]
    action = g.option_action[option]
    scramble = (card * 37 + g.age * 11 + g.turn * 5 + me * 3) % 97
    bonus = 300 if action == FREE_BUILD else 200 if action == STAGE else 100 * (2 - action)
    return float(bonus + scramble)


def play(players: int, factions: tuple[str, ...]) -> tuple[Any, Any]:
    games = new_games(1)
    g: Any = games[0]
    g.log.keeps_rows = 1
    ids = np.array([CATALOG.faction_names.index(name) for name in factions], np.int64)
    slots = strategy_slots([strategy_pointer(wonder_builder, STATE, TABLES)])
    set_up(g, T, 2010, players, players, players, ids, 1)
    lineup: Any = np.zeros(1, LINEUP)
    play_on(g, T, (slots, lineup[0]))
    return games, g


@pytest.mark.parametrize(("players", "factions"), GAMES, ids=[f"{players}_players" for players, _ in GAMES])
def test_a_game_goes_as_it_always_went(players: int, factions: tuple[str, ...]) -> None:
    _games, g = play(players, factions)
    names = ["wonder builder"]
    told = "\n".join([*tell_header(g, CATALOG, names), *tell(g, T, CATALOG, names)]) + "\n"
    file = GOLDEN / f"{players}_players.txt"
    if os.environ.get("EMPIRELAB_GOLDEN") == "write":
        file.write_text(told, "utf-8")
    assert told == file.read_text("utf-8")
