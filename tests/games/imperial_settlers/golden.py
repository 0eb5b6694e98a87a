"""The golden games of Imperial Settlers, for `tests/kit/golden.py`."""

from __future__ import annotations

from typing import Any

from sim.games.imperial_settlers.rules.constants import (
    ACTIVATE,
    BANK,
    BUILD,
    DEAL,
    DEFEND,
    EXCHANGE,
    GIVE_UP,
    NO_CARD,
    PASS,
    PRODUCTION,
    RAZE_HAND,
    RAZE_LOCATION,
    SAMURAI,
    STOP,
    TUCK,
    TURN,
)

PLAYER = "scrambler"
FACTIONS = {
    "2_players_standard": ["Barbarians", "Japanese"],
    "3_players_alternative": ["Romans", "Egyptians", "Japanese"],
    "4_players_advanced": ["Egyptians", "Barbarians", "Japanese", "Romans"],
    "2_players_peaceful": ["Romans", "Egyptians"],
    "3_players_peaceful-alternative": ["Barbarians", "Romans", "Egyptians"],
    "4_players_peaceful-advanced": ["Japanese", "Romans", "Barbarians", "Egyptians"],
    "1_players_solo": ["Barbarians"],
    "1_players_solo_won": ["Japanese"],
}
SEEDS = {"1_players_solo_won": 2020}
GAMES = {
    name: (
        {
            "players": len(factions),
            "variant": name.split("_")[2],
            "factions": factions,
            "seed": SEEDS.get(name, 2021),
        },
        1,
    )
    for name, factions in FACTIONS.items()
}
FREE_STEPS = (DEFEND, SAMURAI, TUCK, BANK)


def score(g: Any, t: Any, me: int, decision: int, option: int, w: Any) -> float:
    """Do all kinds of things, by a fixed scramble of the cards: use faction locations above all, and keep them."""
    card, value = g.option_card[option], g.option_value[option]
    scramble = float((card * 37 + value * 7 + g.rounds * 11 + g.option_seat[option] * 5 + me * 3) % 97)
    of_faction = card >= 0 and t.deck[card] >= 0
    if decision == GIVE_UP:
        return scramble - (100.0 if of_faction else 0.0)
    if decision != TURN:
        return -1.0 if card == NO_CARD and value == STOP else scramble
    kind = g.option_kind[option]
    if kind == PASS:
        return -100.0
    if kind == ACTIVATE:
        return scramble + (100.0 if of_faction else 30.0)
    if kind == BUILD:
        return scramble + (80.0 if of_faction and t.kind[card] != PRODUCTION else 40.0)
    if kind in (DEAL, RAZE_HAND, RAZE_LOCATION):
        return scramble + (30.0 if kind == RAZE_LOCATION else -20.0)
    if kind == EXCHANGE:
        return scramble - 40.0
    return scramble if kind in FREE_STEPS and (card + g.rounds) % 3 == 0 else -150.0
