"""Names of a city's features for a learned judge (`rules/features.py`). They also identify the judge's weights."""

from __future__ import annotations

from collections.abc import Iterable

from sim.game import Data
from sim.games.seven_wonders.rules.features import COUNTS, STAGES, TURNS
from sim.games.seven_wonders.rules.tables import MAX_CARDS, MAX_FACTIONS, MAX_NAMES


def name_features(data: Data) -> tuple[str, ...]:
    """Return the names of all features in the order of their indices."""
    boards = padded((faction.name for faction in data.factions), MAX_FACTIONS)
    names = padded(data.catalog.names, MAX_NAMES)
    cards = padded(data.pieces, MAX_CARDS)
    return (
        *COUNTS,
        *(f"turn {turn}" for turn in range(1, TURNS + 1)),
        *(f"board: {board}, {stages} stages" for board in boards for stages in range(STAGES)),
        *(f"built: {name}" for name in names),
        *(f"in hand: {card}" for card in cards),
        *(f"payable in hand: {card}" for card in cards),
    )


def padded(names: Iterable[str], most: int) -> list[str]:
    """Return `names`, filled up to `most` entries with "unused 1", "unused 2" and so on."""
    given = list(names)
    return [*given, *(f"unused {number}" for number in range(1, most - len(given) + 1))]
