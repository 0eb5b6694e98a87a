"""What the tests of 7 Wonders share: the printed game, one player in all seats, and games played by turns."""

from collections.abc import Callable
from typing import Any

import numpy as np

from sim.compiler.kernel import LINEUP, strategy_pointer, strategy_slots
from sim.games.seven_wonders.data.catalog import load_catalog
from sim.games.seven_wonders.data.compile import build_tables
from sim.games.seven_wonders.rules.constants import START_TURN
from sim.games.seven_wonders.rules.state import STATE
from sim.games.seven_wonders.rules.tables import TABLES
from sim.games.seven_wonders.rules.turns import play_step

CATALOG = load_catalog()
T: Any = build_tables(CATALOG)


def tables(**settings: object) -> Any:
    """Tables of the printed game with settings."""
    return build_tables(load_catalog(settings=settings))


def team_of(score: Callable[..., float]) -> Any:
    """Players who all choose by one scoring function."""
    lineup: Any = np.zeros(1, LINEUP)
    return strategy_slots([strategy_pointer(score, STATE, TABLES)]), lineup[0]


def play_turn(g: Any, t: Any, players: Any) -> None:
    """Play one turn, from wherever it has got to, up to the beginning of the next one."""
    play_step(g, t, players)
    while g.phase != START_TURN and g.finished == 0 and g.error == 0:
        play_step(g, t, players)
