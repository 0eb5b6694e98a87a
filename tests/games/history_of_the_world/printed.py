"""Both sets of data of History of the World as they are printed."""

from collections.abc import Sequence
from typing import Any

from sim.games.history_of_the_world.data.catalog import Catalog, load_catalog
from sim.games.history_of_the_world.data.compile import build_tables
from sim.games.history_of_the_world.rules import constants

SETS = {name: load_catalog(settings={"data": name}) for name in constants.DATA_SETS}
TABLES_OF: dict[str, Any] = {name: build_tables(catalog) for name, catalog in SETS.items()}
CATALOG: Catalog = SETS["reconstruction-2018"]
T: Any = TABLES_OF["reconstruction-2018"]
OLD: Catalog = SETS["edition-1993"]
LANDS: Sequence[str] = CATALOG.land_names
CARDS: Sequence[str] = CATALOG.card_names
