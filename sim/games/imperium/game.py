"""Imperium as the rest of the program sees it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from sim.catalog import CERTAINTIES
from sim.changes import Change
from sim.game import Data, Faction
from sim.games.imperium.cards import build_tables, load_catalog

CARD_ROWS = 200
"""Cards that can come before a seat's eyes in one game: those of all nations at the table and of a box."""


def load(settings: Mapping[str, object], changes: Sequence[Change] = ()) -> Data:
    """Read the cards, nations and settings of Imperium, with changes to what the files say.

    Raises
    ------
    UserError
        Anything is wrong in the files, the changes or the settings.
    """
    catalog = load_catalog(settings=settings, changes=changes)
    rows = catalog.certainty
    return Data(
        tables=build_tables(catalog),
        factions=tuple(
            Faction(f"{nation.name} {side}", {"nation": nation.name, "side": side, "box": nation.box}, nation.certainty)
            for nation in catalog.nations
            for side in "AB"
        ),
        cards=catalog.card_names,
        settings=catalog.settings,
        certainty={level: rows["cards"][level] + rows["nations"][level] for level in CERTAINTIES},
        settings_certainty={level: rows["settings"][level] for level in CERTAINTIES},
        digest=catalog.digest,
        catalog=catalog,
    )
