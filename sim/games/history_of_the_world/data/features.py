"""Names of the features in `rules/features.py`, in the same order."""

from __future__ import annotations

from sim.game import Data
from sim.games.history_of_the_world.rules.features import COUNTS, IN_REGION


def name_features(data: Data) -> tuple[str, ...]:
    """Return the name of each feature: counts overall, counts by region, lands with an army, and cards."""
    catalog = data.catalog
    regions = (f"{what}: {region}" for what in IN_REGION for region in catalog.region_names)
    lands = (f"army in: {land}" for land in catalog.land_names)
    empires = (f"to come: {card}" for card in data.pieces[: len(catalog.empires)])
    events = (f"holds: {card}" for card in data.pieces[len(catalog.empires) :])
    return (*COUNTS, *regions, *lands, *empires, *events)
