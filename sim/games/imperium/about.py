"""Title and variants of Imperium. They have a module of their own, so that lists of games need not load the rules."""

from __future__ import annotations

from sim.data.declarations import Variant

TITLE = "Imperium"
VARIANTS = (
    Variant("classics", (2, 3, 4), "2 to 4 players with the common cards of Classics"),
    Variant("legends", (2, 3, 4), "2 to 4 players with the common cards of Legends"),
)
