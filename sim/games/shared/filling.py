"""Fills the table columns that are the same in all games: the rulebook's numbers and the settings."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from sim.data.catalog import Row, Sourced
from sim.data.game_files import GameCatalog, Known


def fill_rules(t: Any, catalog: GameCatalog, known: Known, apart: Collection[str] = ()) -> None:
    """Fill in the numbers of the rulebook and the settings, each in the column of the same name.

    Parameters
    ----------
    t
        Record of tables.
    known
        Every setting with its possible values. The column holds the index of the value.
    apart
        Numbers and settings that the game fills in itself, or that its kernels do not need.

    Raises
    ------
    ValueError
        A number or a setting has no column and is not in `apart`, or `apart` has a name that is neither.
    """
    constants: Row = catalog.constants
    numbers = [name for name in type(constants).model_fields if name not in Sourced.model_fields]
    unknown = set(apart).difference(numbers, known)
    if unknown:
        raise ValueError(f"neither numbers nor settings: {sorted(unknown)}")
    for name in numbers:
        if name not in apart:
            t[name] = getattr(constants, name)
    for name, values in known.items():
        if name not in apart:
            t[name] = values.index(catalog.settings[name])
