"""Title and variants of 7 Wonders.

They have a module of their own, so that a list of games can be made without loading the rules.
"""

from __future__ import annotations

from sim.data.declarations import Variant

TITLE = "7 Wonders"
VARIANTS = (
    Variant("standard", (3, 4, 5, 6, 7), "3 to 7 players"),
    Variant("free-city", (2,), "2 players, who take turns in playing for the Free City"),
)
