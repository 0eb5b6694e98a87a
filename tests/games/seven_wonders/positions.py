"""A position of 7 Wonders, for `tests/kit/test_kit_positions.py`."""

from typing import Any

EXAMPLE: dict[str, Any] = {
    "age": 2,
    "cities": [
        {
            "wonder": "Gizah",
            "side": "A",
            "cards": ["Lumber Yard"],
            "stages_built": 0,
            "coins": 3,
            "conflict_tokens": [1, -1],
        },
        {"wonder": "Rhodos", "side": "B", "cards": ["Timber Yard", "Barracks"], "coins": 9},
        {"wonder": "Olympia", "side": "A", "stages_built": 3, "coins": 0},
    ],
}


def bought(player: int, price: int, good: str) -> dict[str, Any]:
    """A move that builds the Baths with a good of the left neighbour."""
    buy = [{"from": "left", "price": price, "resources": {good: 1}}]
    return {"p": player, "do": "build", "card": "Baths", "buy": buy}
