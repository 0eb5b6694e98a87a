"""A position of Imperium, for `tests/kit/test_kit_positions.py`."""

from typing import Any

EXAMPLE: dict[str, Any] = {
    "commons": "classics",
    "players": [
        {
            "nation": "Celts",
            "side": "A",
            "resources": {"material": 4, "population": 1, "progress": 3},
            "zones": {
                "hand": ["Advance", "Conquer", "Celtic Innovation", "Unrest"],
                "draw_deck": ["Boats", "Unrest"],
                "in_play": ["Celtica"],
                "garrisoned": {"Celtica": ["Cattle Raid"]},
                "development": ["Chariots", "Chainmail"],
            },
        },
        {
            "nation": "Romans",
            "side": "B",
            "state": "empire",
            "resources": {"progress": 1},
            "zones": {"hand": ["Advance"]},
        },
    ],
    "market": ["Oasis", {"card": "City", "tokens": {"progress": 2}}, None],
    "decks": {"unrest": 4},
}
