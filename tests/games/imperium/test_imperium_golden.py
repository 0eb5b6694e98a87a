"""Whole games, told in words, must stay word for word the same.

`EMPIRELAB_GOLDEN=write pytest tests/games/imperium/test_imperium_golden.py` writes the files again; read the difference
before keeping it.
"""

import os
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from sim.games.imperium.cards import TABLES
from sim.games.imperium.setup import set_up
from sim.games.imperium.state import (
    CIVILISED,
    END_TURN,
    EXHAUST_CARD,
    INNOVATE,
    INNOVATE_SUIT,
    NO_CARD,
    PLAY_CARD,
    STATE,
    TURN,
    UNREST,
    WHETHER,
    new_games,
)
from sim.games.imperium.told import tell, tell_header
from sim.games.imperium.turns import play_on
from sim.jit import strategy_pointer, strategy_slots
from sim.players import LINEUP
from tests.games.imperium.tables import CATALOG, T, faction

GOLDEN = Path(__file__).parent / "golden"
NAMES = ["scrambler"]
GAMES = {
    "2_players_classics": (0, ("Celts B", "Romans A")),
    "2_players_legends": (1, ("Arthurians A", "Utopians B")),
    "3_players_classics": (0, ("Vikings A", "Carthaginians B", "Persians A")),
    "3_players_legends": (1, ("Minoans B", "Mauryans A", "Atlanteans A")),
    "4_players_classics": (0, ("Greeks A", "Scythians B", "Macedonians B", "Qin A")),
    "4_players_legends": (1, ("Egyptians A", "Olmecs B", "Utopians A", "Vikings B")),
}
"""Box of the commons, and who sits where: every nation plays in one of the games at least."""


def scrambler(g: Any, t: Any, me: int, decision: int, option: int, w: Any) -> float:
    """Play cards and use abilities while any are left, and choose among them by a fixed scramble of the cards."""
    card = g.option_card[option]
    scramble = float((card * 37 + g.rounds * 11 + g.option_value[option] * 7 + me * 3) % 97)
    if decision == TURN:
        kind = g.option_kind[option]
        if kind == PLAY_CARD:
            return scramble + (20.0 if t.suits[card] & UNREST != 0 else 300.0)
        if kind == EXHAUST_CARD:
            return scramble + 200.0
        return 50.0 if kind == INNOVATE and g.rounds % 4 == 2 else 10.0 if kind == END_TURN else 0.0
    if decision == WHETHER:
        return float(g.option_value[option])
    if decision == INNOVATE_SUIT and g.option_value[option] == CIVILISED:
        return 200.0
    return -1.0 if card == NO_CARD else scramble


def tell_game(commons: int, nations: tuple[str, ...]) -> str:
    """Play a game of scramblers with its log, and tell it."""
    games = new_games(1)
    g: Any = games[0]
    g.log.keeps_rows = 1
    slots = strategy_slots([strategy_pointer(scrambler, STATE, TABLES)])
    set_up(g, T, 2021, 1, 1, len(nations), commons, np.array([faction(name) for name in nations]), 1)
    lineup: Any = np.zeros(1, LINEUP)
    play_on(g, T, (slots, lineup[0]))
    return "\n".join([*tell_header(g, CATALOG, NAMES), *tell(g, T, CATALOG, NAMES)]) + "\n"


@pytest.mark.parametrize("name", GAMES)
def test_a_game_goes_as_it_always_went(name: str) -> None:
    told = tell_game(*GAMES[name])
    file = GOLDEN / f"{name}.txt"
    if os.environ.get("EMPIRELAB_GOLDEN") == "write":
        file.write_text(told, "utf-8")
    assert told == file.read_text("utf-8")


def test_every_nation_plays_in_a_golden_game() -> None:
    told = {name[:-2] for _, nations in GAMES.values() for name in nations}
    assert told == {nation.name for nation in CATALOG.nations}
