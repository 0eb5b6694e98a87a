"""Title and variants of Imperial Settlers.

They have a module of their own, so that a list of games can be made without loading the rules.
"""

from __future__ import annotations

from sim.data.declarations import Variant

TITLE = "Imperial Settlers"

LOOKOUTS = {
    "standard": "the standard lookout: cards picked from an open row, there and back",
    "alternative": "the alternative lookout: cards picked from packs that are passed on",
    "advanced": "the advanced lookout: cards picked from an open row of five",
}

VARIANTS = (
    *(Variant(name, (2, 3, 4), f"2 to 4 players, {lookout}") for name, lookout in LOOKOUTS.items()),
    Variant("peaceful", (2, 3, 4), f"2 to 4 players at peace, {LOOKOUTS['standard']}"),
    *(
        Variant(f"peaceful-{name}", (2, 3, 4), f"2 to 4 players at peace, {lookout}")
        for name, lookout in LOOKOUTS.items()
        if name != "standard"
    ),
    Variant("solo", (1,), "1 player against the virtual player"),
)
"""The variants, in the order in which kernels number them (see `rules/setup.py`)."""
