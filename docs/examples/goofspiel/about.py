"""Title and variants of Goofspiel, which lists show without loading its rules."""

from __future__ import annotations

from sim.engine.api import Variant

TITLE = "Goofspiel"
VARIANTS = (Variant("standard", (2, 3, 4), "2 to 4 players, a suit each"),)
