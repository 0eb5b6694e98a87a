"""Makes the `load` of a game from its catalogue and its tables."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from sim.data.additions import Addition
from sim.data.catalog import CERTAINTIES
from sim.data.changes import Change
from sim.data.declarations import Faction
from sim.data.game_files import LoadCatalog
from sim.data.load_once import read_once
from sim.game import Data


def data_loader(
    folder: Path,
    load_catalog: LoadCatalog[Any],
    build_tables: Callable[[Any], Any],
    pieces: Callable[[Any], Sequence[str]],
    factions: Callable[[Any], Iterable[Faction]] | None = None,
) -> Callable[..., Data]:
    """Return the `load` of a game.

    Parameters
    ----------
    folder
        Folder of the game's TOML files.
    load_catalog, build_tables
        The game's functions that read the files and compile the catalogue for kernels.
    pieces, factions
        Names of the pieces and the factions of a catalogue; None for a game without factions.
    """

    @read_once(folder)
    def load(
        settings: Mapping[str, object], changes: Sequence[Change] = (), additions: Sequence[Addition] = ()
    ) -> Data:
        catalog = load_catalog(settings=settings, changes=changes, additions=additions)
        rows = catalog.certainty
        return Data(
            tables=build_tables(catalog),
            factions=() if factions is None else tuple(factions(catalog)),
            pieces=tuple(pieces(catalog)),
            settings=catalog.settings,
            certainty={level: sum(rows[kind][level] for kind in rows if kind != "settings") for level in CERTAINTIES},
            settings_certainty={level: rows["settings"][level] for level in CERTAINTIES},
            digest=catalog.digest,
            catalog=catalog,
        )

    return load
