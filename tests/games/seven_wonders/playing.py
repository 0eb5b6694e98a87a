"""Games of 7 Wonders played by turns."""

from typing import Any

from sim.games.seven_wonders.rules.constants import START_TURN
from sim.games.seven_wonders.rules.turns import play_step


def play_turn(g: Any, t: Any, players: Any) -> None:
    """Play one turn, from wherever it has got to, up to the beginning of the next one."""
    play_step(g, t, players)
    while g.phase != START_TURN and g.finished == 0 and g.error == 0:
        play_step(g, t, players)
