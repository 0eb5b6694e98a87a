"""The golden games of History of the World, for `tests/kit/golden.py`."""

from typing import Any

from sim.games.history_of_the_world.rules import constants

PLAYER = "scrambler"
DRAFT = {"variant": "draft", "seed": 2018}
GAMES = {
    "3_players": ({**DRAFT, "players": 3}, 1),
    "6_players": ({**DRAFT, "players": 6}, 1),
    "4_players_classic": ({"variant": "classic", "players": 4, "seed": 2018}, 1),
    "4_players_1993": ({**DRAFT, "players": 4, "settings": {"data": "edition-1993"}}, 1),
}


def score(g: Any, t: Any, me: int, decision: int, option: int, w: Any) -> float:
    """Do all kinds of things, by a fixed scramble of lands and cards: play events and attack above all."""
    card, land, value = g.option_card[option], g.option_land[option], g.option_value[option]
    kind = g.option_kind[option]
    place = card if card != constants.NO_CARD else land
    scramble = float((place * 37 + value * 7 + g.epoch * 11 + g.option_seat[option] * 5 + me * 3) % 97)
    if decision == constants.BEGIN:
        return -1.0 if card == constants.NO_CARD and (g.epoch + me) % 4 != 0 else scramble
    if decision == constants.AFTER_LOSS:
        return -1.0 if kind == constants.RETREAT and (g.target + me) % 4 != 0 else scramble
    if decision != constants.ACT:
        return scramble
    if kind == constants.CONQUER:
        held = g.army[land] >= 0 and g.army[land] != me
        return scramble + 100.0 + (60.0 if held else 0.0) + (30.0 if (value >> constants.FLEET) & 1 else 0.0)
    if kind == constants.BUILD_FORT:
        return scramble + (110.0 if (land + g.epoch) % 7 == 0 else 0.0)
    if kind in (constants.PLAY_EVENT, constants.USE_ABILITY, constants.FIGHT_AGAIN):
        return scramble + (150.0 if (g.armies + me) % 3 == 0 else 90.0)
    return -50.0 if kind == constants.STOP else 0.0
