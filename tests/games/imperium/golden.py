"""The golden games of Imperium, for `tests/kit/golden.py`."""

from typing import Any

from sim.games.imperium.rules import constants

PLAYER = "scrambler"
FACTIONS = {
    "2_players_classics": ["Celts B", "Romans A"],
    "2_players_legends": ["Arthurians A", "Utopians B"],
    "3_players_classics": ["Vikings A", "Carthaginians B", "Persians A"],
    "3_players_legends": ["Minoans B", "Mauryans A", "Atlanteans A"],
    "4_players_classics": ["Greeks A", "Scythians B", "Macedonians B", "Qin A"],
    "4_players_legends": ["Egyptians A", "Olmecs B", "Utopians A", "Vikings B"],
}
GAMES = {
    name: ({"players": len(factions), "variant": name.split("_")[2], "factions": factions, "seed": 2021}, 1)
    for name, factions in FACTIONS.items()
}


def score(g: Any, t: Any, me: int, decision: int, option: int, w: Any) -> float:
    """Play cards and use abilities while any are left, and choose among them by a fixed scramble of the cards."""
    card = g.option_card[option]
    scramble = float((card * 37 + g.rounds * 11 + g.option_value[option] * 7 + me * 3) % 97)
    if decision == constants.TURN:
        kind = g.option_kind[option]
        if kind == constants.PLAY_CARD:
            return scramble + (20.0 if t.suits[card] & constants.UNREST != 0 else 300.0)
        if kind == constants.EXHAUST_CARD:
            return scramble + 200.0
        return 50.0 if kind == constants.INNOVATE and g.rounds % 4 == 2 else 10.0 if kind == constants.END_TURN else 0.0
    if decision == constants.WHETHER:
        return float(g.option_value[option])
    if decision == constants.INNOVATE_SUIT and g.option_value[option] == constants.CIVILISED:
        return 200.0
    return -1.0 if card == constants.NO_CARD else scramble
