"""Arrays of Goofspiel and why nothing is written beyond them, for `tests/kit/test_kit_capacities.py`."""

RANKS = "game.Suit: at most 16 ranks; at most 4 seats by the variant"

STATE: dict[str, str | int] = dict.fromkeys(["deck", "holds", "bid", "option_card"], RANKS)
TABLES: dict[str, str | int] = {}
