"""Names of the features in `rules/features.py`, in the same order."""

from __future__ import annotations

from sim.game import Data
from sim.games.glory_of_rome.rules.features import COUNTS


def name_features(data: Data) -> tuple[str, ...]:
    """Return the name of each feature: counts, characters, trade cards in hand, and missions held."""
    catalog = data.catalog
    characters = (f"character: {character.name}" for character in data.factions)
    held = data.pieces[: len(catalog.trade_cards) + len(catalog.missions)]
    return (*COUNTS, *characters, *(f"holds: {card}" for card in held))
