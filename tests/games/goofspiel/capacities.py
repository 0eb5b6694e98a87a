"""Arrays of Goofspiel and why nothing is written beyond them, for `tests/kit/test_kit_capacities.py`."""

STATE: dict[str | int, str] = {
    "game.Suit: at most 16 ranks; at most 4 seats by the variant": "deck holds bid option_card",
}
TABLES: dict[str | int, str] = {}
