"""The golden games of Goofspiel, for `tests/kit/golden.py`."""

from typing import Any

PLAYER = "scrambler"
GAMES = {f"{players}_players": ({"players": players, "seed": 1930}, players) for players in (2, 3, 4)}


def score(g: Any, _t: Any, me: int, _decision: int, option: int, _w: Any) -> float:
    """Like cards as a fixed scramble of card, prize and seat says."""
    return float((g.option_card[option] * 37 + g.turned * 11 + me * 5) % 17)
