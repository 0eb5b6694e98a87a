"""A position of The Glory of Rome, for `tests/kit/test_kit_positions.py`."""

from typing import Any

EXAMPLE: dict[str, Any] = {
    "round": 4,
    "phase": "intrigue",
    "starting_player": 1,
    "direction": "counter-clockwise",
    "arrows": 2,
    "to_move": 1,
    "board": ["Gallia", "Hispania", "Italia", "Africa"],
    "variants": ["Spies and Alliances", "Hard Times"],
    "provinces": {
        "Hispania": {"buildings": {"political": 2, "commercial": 1}, "intrigue": [2]},
        "Gallia": {"buildings": {"military": 3}, "intrigue": [1], "activated": [2]},
    },
    "senate": [0, 1],
    "trade_deck": ["Sundial", "Lamp"],
    "trade_discard": ["Bulla"],
    "data": {
        "prices": {"military": [[2, 1], [7, 3], [12, 5]]},
        "penalties": {"4": 3},
        "shields": {"Thrace": 5},
        "senate_values": [1, 2, 3, 5, 6],
        "trade_cards": [{"name": "Lamp", "type": "tools", "when": "follower", "effect": {"denarii": 1}}],
        "missions": [{"name": "Peace", "points": 4, "if": {"least": "discord"}}],
        "events": [{"name": "Games", "turn": "clockwise", "arrows": 1, "reward": {"glory": 1}}],
    },
    "players": [
        {
            "character": "Junia Secunda",
            "glory": 32,
            "milestones": [5, 12],
            "legions": {"board": 1, "Thrace": 2},
            "pantheon": {"base": ["own", "own", "gold"], "roof": ["own"]},
            "medals": ["military"],
            "sets": ["tools"],
            "missions": ["Peace"],
        },
        {
            "character": "Fulvia",
            "own_intrigue": "Sold",
            "denarii": 6,
            "discord_track": ["political", "commercial", None, "military"],
            "discord": 2,
            "votes": 2,
            "hand": ["Lamp"],
            "anchor": True,
        },
        {"character": "Livia Drusilla", "denarii": 5, "placed": {"Colosseum": 1}, "bonus_used": ["military"]},
    ],
    "moves": [
        {"p": 1, "do": "activate", "province": "Gallia", "effect": "Slander", "before": [{"sell": "Lamp"}]},
        {"p": 2, "do": "build", "type": "religious", "level": 1},
        {"p": 1, "do": "pass"},
    ],
}
