"""Names of the features in `rules/features.py`, in the same order."""

from __future__ import annotations

from sim.game import Data
from sim.games.imperial_settlers.rules.features import COUNTS, PLACES


def name_features(data: Data) -> tuple[str, ...]:
    """Return the name of each feature: counts, factions, and card names built and in hand."""
    factions = (f"faction: {faction.name}" for faction in data.factions)
    cards = (f"{place}: {card}" for card in data.pieces for place in PLACES)
    return (*COUNTS, *factions, *cards)
