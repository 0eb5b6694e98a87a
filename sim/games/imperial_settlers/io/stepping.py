"""Plays a game of Imperial Settlers by moves that come from outside (`sim.games.shared.stepping`)."""

from __future__ import annotations

from functools import cache
from typing import Any

from sim.compiler.kernel import Record
from sim.games.imperial_settlers.data.catalog import Catalog
from sim.games.imperial_settlers.io.moves import VIRTUAL_NAME
from sim.games.imperial_settlers.io.naming import card_name, location_named
from sim.games.imperial_settlers.rules import constants
from sim.games.imperial_settlers.rules.pause import pause
from sim.games.imperial_settlers.rules.state import STATE
from sim.games.imperial_settlers.rules.tables import TABLES
from sim.games.imperial_settlers.rules.turns import play_step
from sim.games.shared.describe import cards_in
from sim.games.shared.stepping import SteppedGame, pausing_players, refuse_if


class InspectedGame(SteppedGame):
    """A game that is played move by move.

    Attributes
    ----------
    picked
        Seats that have picked from their pack in the current pass of an alternative lookout.
    """

    catalog: Catalog
    play_step = staticmethod(play_step)
    players = staticmethod(cache(lambda: pausing_players(pause, STATE, TABLES)))

    def __init__(self, table: Any, t: Record, catalog: Catalog) -> None:
        super().__init__(table, t, catalog)
        self.picked: set[int] = set()

    def card_name(self, card: int) -> str:
        """Return the name of a card."""
        return card_name(self.catalog, card)

    def cards(self, owner: int, zone: int) -> list[int]:
        """Return the cards in a zone. The top card of a deck comes last."""
        return cards_in(self.g, owner, zone)

    def location(self, owner: int, name: str) -> int | None:
        """Return the location of an empire to which a name refers."""
        return location_named(self.g, self.catalog, owner, name)

    def seat_name(self, seat: int) -> str:
        """Return the name that reasons use for a seat or the virtual player."""
        return "the virtual player" if self.g.solo and seat == constants.VIRTUAL else f"seat {seat}"

    def seat(self, target: Any) -> int:
        """Return the seat that a target stands for. The virtual player has the seat `constants.VIRTUAL`.

        Raises
        ------
        IllegalMoveError
            There is no such seat.
        """
        virtual = target == VIRTUAL_NAME
        refuse_if(
            (virtual and not self.g.solo, "there is no virtual player"),
            (not virtual and target >= self.g.players, f"there is no seat {target}"),
        )
        return constants.VIRTUAL if virtual else int(target)
