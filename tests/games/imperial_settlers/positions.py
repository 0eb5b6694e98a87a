"""A position of Imperial Settlers, for `tests/kit/test_kit_positions.py`."""

from typing import Any

EXAMPLE: dict[str, Any] = {
    "round": 2,
    "phase": "action",
    "first": 0,
    "to_move": 0,
    "players": [
        {
            "faction": "egyptians",
            "vp": 3,
            "goods": {"wood": 1, "gold": 1, "worker": 2},
            "hand": ["Town", "COM048"],
            "locations": ["Caravan", {"card": "Castle", "used": 1, "goods": {"worker": 1}}, "Slaver"],
            "foundations": 1,
            "deck": ["Goldsmith", "Sphinx"],
            "discard": ["Oasis"],
        },
        {
            "faction": "japanese",
            "goods": {"worker": 1},
            "hand": ["Farm"],
            "locations": [{"card": "Gate", "tucked": 2, "samurai": True}, {"card": "Mill", "defence": True}],
            "deals": ["Casino", {"card": "Caravan", "of": 0}],
            "passed": True,
        },
    ],
    "decks": {"common": ["Baker", "Canteen", "Tavern"]},
    "discards": {"common": ["Statue"]},
    "moves": [
        {"p": 0, "do": "build", "card": "Town", "pay": {"wood": 1, "gold": 1}},
        {"p": 1, "do": "exchange", "for": ["wood"]},
        {"p": 0, "do": "activate", "location": "Castle", "draw": ["common"], "choices": {}},
    ],
}

LOCATIONS = ("players", 0, "locations")
