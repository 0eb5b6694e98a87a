"""Fills the columns of tables that the loaders of all games fill alike."""

from __future__ import annotations

from typing import Any

from sim.data.catalog import Row
from sim.data.game_files import GameCatalog, Known


def fill_rules(t: Any, catalog: GameCatalog, known: Known) -> None:
    """Fill in the numbers of the rulebook and the settings that have a column of the same name.

    Parameters
    ----------
    t
        Record of tables.
    known
        Every setting with its possible values. The column holds the index of the value.
    """
    columns = {name for name in t.dtype.names if t.dtype[name].shape == ()}
    constants: Row = catalog.constants
    for name in columns.intersection(type(constants).model_fields):
        t[name] = getattr(constants, name)
    for name in columns.intersection(known):
        t[name] = known[name].index(catalog.settings[name])
