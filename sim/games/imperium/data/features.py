"""Names of the features in `rules/features.py`, in the same order."""

from __future__ import annotations

from sim.game import Data
from sim.games.imperium.rules.features import COUNTS, PLACES


def name_features(data: Data) -> tuple[str, ...]:
    """Return the name of each feature: one for each count, for each nation side, and for each card in each place."""
    nations = (f"nation: {faction.name}" for faction in data.factions)
    cards = (f"{place}: {card}" for place in PLACES for card in data.pieces)
    return (*COUNTS, *nations, *cards)
