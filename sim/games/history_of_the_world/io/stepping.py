"""Plays a game of History of the World move by move. The caller gives the moves (see `sim.games.shared.stepping`)."""

from __future__ import annotations

from functools import cache
from typing import Any

from sim.compiler.kernel import Record
from sim.engine.pause import pause
from sim.games.history_of_the_world.data.catalog import Catalog
from sim.games.history_of_the_world.rules.state import STATE
from sim.games.history_of_the_world.rules.tables import TABLES
from sim.games.history_of_the_world.rules.turns import play_step
from sim.games.shared.stepping import SteppedGame, pausing_players


class InspectedGame(SteppedGame):
    """A game that is played move by move. `names` has the name of every seat."""

    catalog: Catalog
    play_step = staticmethod(play_step)
    players = staticmethod(cache(lambda: pausing_players(pause, STATE, TABLES)))

    def __init__(self, table: Any, t: Record, catalog: Catalog, names: tuple[str, ...]) -> None:
        super().__init__(table, t, catalog)
        self.names = names

    def land_name(self, land: int) -> str:
        """Return the name of a land."""
        return self.catalog.land_names[land]

    def seat_name(self, seat: int) -> str | None:
        """Return the name of a seat. NO_SEAT gives None."""
        return self.names[seat] if seat >= 0 else None
