"""A game that is looked at from outside: played step by step, each decision answered by what is asked for it.

The engine stops at every decision (`sim.games.shared.stepping`).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any

from sim.compiler.kernel import Record
from sim.engine.pause import pause
from sim.games.history_of_the_world.data.catalog import Catalog
from sim.games.history_of_the_world.rules.state import STATE
from sim.games.history_of_the_world.rules.tables import TABLES
from sim.games.history_of_the_world.rules.turns import play_step
from sim.games.shared.stepping import Play, pausing_players, play_decided


@dataclass(frozen=True)
class Option:
    """An option of a decision, as `options.offer_land` lists it."""

    place: int
    kind: int
    card: int
    value: int
    seat: int
    land: int


@dataclass(frozen=True)
class Asked:
    """A decision (`words.DECISIONS`) and its options."""

    decision: int
    options: tuple[Option, ...]


Decide = Callable[[Asked], int]
"""Returns the place of the option that is taken."""


@cache
def stopping_players() -> Any:
    """Players who stop the game at every decision, as kernels take them."""
    return pausing_players(pause, STATE, TABLES)


def read_asked(g: Record) -> Asked:
    """Return the decision at which a game has been stopped."""
    fields = (g.option_kind, g.option_card, g.option_value, g.option_seat, g.option_land)
    options = [
        Option(place, *(int(numbers[place]) for numbers in fields))
        for place in range(int(g.option_count))
    ]  # fmt: skip
    return Asked(int(g.paused_decision), tuple(options))


class InspectedGame:
    """A game that is played move by move.

    Attributes
    ----------
    table
        Array of one record, replaced as the game goes on.
    t, catalog
        Tables, and what they were compiled from.
    names
        Name of every seat.
    """

    def __init__(self, table: Any, t: Record, catalog: Catalog, names: tuple[str, ...]) -> None:
        self.table, self.t, self.catalog, self.names = table, t, catalog, names
        self.g.asks_always = 1

    @property
    def g(self) -> Any:
        """Record of the game."""
        return self.table[0]

    def step(self, decide: Decide, play: Play = play_step) -> None:
        """Play one step; `decide` returns the place of the option to take.

        Raises
        ------
        IllegalMoveError
            From `decide`; the game is as it was.
        UserError
            The game holds more than the engine.
        """
        players = stopping_players()
        self.table = play_decided(self.table, self.t, players, play, lambda trial: decide(read_asked(trial)))

    # ---- Names ----

    def land_name(self, land: int) -> str:
        """Return the name of a land."""
        return self.catalog.land_names[land]

    def seat_name(self, seat: int) -> str | None:
        """Return the name of a seat; None where there is none."""
        return self.names[seat] if seat >= 0 else None
