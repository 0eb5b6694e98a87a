"""A position of History of the World, for `tests/kit/test_kit_positions.py`."""

from typing import Any

EXAMPLE: dict[str, Any] = {
    "map": {
        "regions": {"Isles": {"tokens": {"1": 3}}},
        "lands": {
            "Thule": {"region": "Isles", "resource": True, "bodies": ["Cold Sea"]},
            "Skerry": {"region": "Isles", "terrain": "forest", "bodies": ["Cold Sea"]},
        },
        "bodies": {"Cold Sea": {"kind": "sea"}},
    },
    "players": [{"name": "blue", "score": 4}, {"name": "red", "score": 9}, {"name": "gold", "score": 2}],
    "lands": {"Thule": {"army": "blue", "active": True, "structures": ["capital"]}, "Skerry": {"army": "red"}},
    "turn": {"player": "blue", "armies": 1, "fleets": ["Cold Sea"]},
    "moves": [
        {
            "do": "conquer",
            "land": "Skerry",
            "battles": [{"attacker": [6, 2], "defender": [3], "rerolls": [{"by": "defender", "from": 3, "to": 4}]}],
        }
    ],
}
"""The example of docs/records.md."""
