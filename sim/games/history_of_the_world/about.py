"""Title and variants of History of the World, separate so that lists of games need not load the rules."""

from __future__ import annotations

from sim.data.declarations import Variant

TITLE = "History of the World"
PLAYERS = (3, 4, 5, 6)
VARIANTS = (
    Variant("draft", PLAYERS, "3 to 6 players who draft events and empires"),
    Variant("classic", PLAYERS, "3 to 6 players with the classic card selection"),
)
