"""The golden games of The Glory of Rome, for `tests/kit/golden.py`."""

from typing import Any

from sim.games.glory_of_rome.rules import constants

PLAYER = "scrambler"
CHARACTERS = {
    "2_players_standard": ["Marcus Antonius", "Livia Drusilla"],
    "3_players_spies+clockwork": ["Fulvia", "Gaius Octavius", "Junia Secunda"],
    "4_players_truce+heroes": ["Aemilius Lepidus", "Livia Drusilla", "Fulvia", "Marcus Antonius"],
    "4_players_standard": ["Gaius Octavius", "Aemilius Lepidus", "Junia Secunda", "Fulvia"],
    "2_players_spies+truce+clockwork+heroes": ["Junia Secunda", "Gaius Octavius"],
    "3_players_clockwork+hard-times": ["Aemilius Lepidus", "Marcus Antonius", "Livia Drusilla"],
    "4_players_spies+heroes+hard-times": ["Livia Drusilla", "Junia Secunda", "Marcus Antonius", "Gaius Octavius"],
    "2_players_truce+clockwork+heroes+hard-times": ["Fulvia", "Aemilius Lepidus"],
    "1_players_imperial+clockwork+heroes": ["Marcus Antonius"],
    "1_players_imperial+hard-times": ["Gaius Octavius"],
}
GAMES = {
    name: ({"players": len(characters), "variant": name.split("_")[2], "factions": characters, "seed": 2022}, 1)
    for name, characters in CHARACTERS.items()
}


def score(g: Any, t: Any, me: int, decision: int, option: int, w: Any) -> float:
    """Do all kinds of things, by a fixed scramble: build, use intrigue and bonuses, play cards, lay sets."""
    kind, card, value = g.option_kind[option], g.option_card[option], g.option_value[option]
    place, seat = g.option_place[option], g.option_seat[option]
    scramble = float((kind * 41 + card * 37 + value * 7 + place * 29 + seat * 5 + g.round_number * 11 + me * 3) % 97)
    if kind == constants.PLACE_FOLLOWER:
        if card == constants.COLOSSEUM:
            return scramble - 60.0
        return scramble + (20.0 if value == 1 or card == constants.INTRIGUE_SPACE else 0.0)
    if kind in (constants.PASS, constants.GO_ON):
        return 0.0
    if kind == constants.PLACE_TILE:
        return scramble - 10.0
    if kind in (constants.ACTIVATE, constants.PLAY, constants.LAY_SET, constants.FREE_ACTION):
        return scramble + 60.0
    if kind == constants.PAY_FOR_GLORY:
        return scramble - 40.0 - 20.0 * float(value)
    return scramble - (96.0 if kind in (constants.SELL, constants.DISCARD) else 0.0)
