"""Title and variants of History of the World.

They have a module of their own, so that a list of games can be made without loading the rules.
"""

from __future__ import annotations

from sim.data.declarations import Variant

TITLE = "History of the World"
PLAYERS = (3, 4, 5, 6)
VARIANTS = (
    Variant("draft", PLAYERS, "3 to 6 players who draft events and empires"),
    Variant("classic", PLAYERS, "3 to 6 players with the classic card selection"),
)
