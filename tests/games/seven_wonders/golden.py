"""The golden games of 7 Wonders, for `tests/kit/golden.py`."""

from typing import Any

from sim.games.seven_wonders.rules.constants import FREE_BUILD, PAYMENT, STAGE

PLAYER = "wonder builder"
FACTIONS = {
    2: ["Olympia A", "Rhodos B", "Babylon B"],
    3: ["Babylon B", "Halikarnassos B", "Olympia A"],
    4: ["Gizah B", "Ephesos A", "Alexandria B", "Rhodos A"],
    5: ["Olympia B", "Halikarnassos A", "Babylon A", "Ephesos B", "Alexandria A"],
    7: ["Olympia B", "Babylon B", "Gizah A", "Halikarnassos B", "Rhodos B", "Ephesos A", "Alexandria B"],
}
GAMES = {
    f"{players}_players": ({"players": players, "factions": factions, "seed": 2010}, players)
    for players, factions in FACTIONS.items()
}


def score(g: Any, t: Any, me: int, decision: int, option: int, w: Any) -> float:
    """Build stages first, then what a fixed scramble of the cards says; pay the least."""
    if decision == PAYMENT:
        return -float(g.option_price[option] * 64 + g.option_left[option])
    card = g.option_card[option]
    action = g.option_action[option]
    scramble = (card * 37 + g.age * 11 + g.turn * 5 + me * 3) % 97
    bonus = 300 if action == FREE_BUILD else 200 if action == STAGE else 100 * (2 - action)
    return float(bonus + scramble)
