"""The golden games of Imperial Settlers, for `tests/kit/golden.py`."""

from typing import Any

from sim.games.imperial_settlers.rules import constants

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
        {"players": len(factions), "variant": name.split("_")[2], "factions": factions, "seed": SEEDS.get(name, 2021)},
        1,
    )
    for name, factions in FACTIONS.items()
}
FREE_STEPS = (constants.DEFEND, constants.SAMURAI, constants.TUCK, constants.BANK)


def score(g: Any, t: Any, me: int, decision: int, option: int, w: Any) -> float:
    """Do all kinds of things, by a fixed scramble of the cards: use faction locations above all, and keep them."""
    card, value = g.option_card[option], g.option_value[option]
    scramble = float((card * 37 + value * 7 + g.rounds * 11 + g.option_seat[option] * 5 + me * 3) % 97)
    of_faction = card >= 0 and t.deck[card] >= 0
    if decision == constants.GIVE_UP:
        return scramble - (100.0 if of_faction else 0.0)
    if decision != constants.TURN:
        return -1.0 if card == constants.NO_CARD and value == constants.STOP else scramble
    kind = g.option_kind[option]
    if kind == constants.PASS:
        return -100.0
    if kind == constants.ACTIVATE:
        return scramble + (100.0 if of_faction else 30.0)
    if kind == constants.BUILD:
        return scramble + (80.0 if of_faction and t.kind[card] != constants.PRODUCTION else 40.0)
    if kind in (constants.DEAL, constants.RAZE_HAND, constants.RAZE_LOCATION):
        return scramble + (30.0 if kind == constants.RAZE_LOCATION else -20.0)
    if kind == constants.EXCHANGE:
        return scramble - 40.0
    return scramble if kind in FREE_STEPS and (card + g.rounds) % 3 == 0 else -150.0
