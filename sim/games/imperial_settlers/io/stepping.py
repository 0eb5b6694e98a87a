"""A game that is looked at from outside: played step by step, each decision answered by what is asked for it.

The engine stops at every decision (`pausing.py`). A step is played anew with the answers found so far until it asks for
no more.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from typing import Any

from sim.compiler.kernel import Record
from sim.games.imperial_settlers.data.catalog import Catalog
from sim.games.imperial_settlers.io.option_matching import Asked, read_asked
from sim.games.imperial_settlers.rules.pause import pause
from sim.games.imperial_settlers.rules.state import STATE
from sim.games.imperial_settlers.rules.tables import TABLES
from sim.games.imperial_settlers.rules.turns import play_step
from sim.games.shared.stepping import pausing_players, play_answered, play_decided

Decide = Callable[[Asked], int]
"""Returns the place of the option that is taken."""


@cache
def stopping_players() -> Any:
    """Players who stop the game at every decision, as kernels take them."""
    return pausing_players(pause, STATE, TABLES)


class InspectedGame:
    """A game that is played move by move.

    Attributes
    ----------
    table
        Array of one record, replaced as the game goes on.
    t, catalog
        Tables and cards.
    picked
        Seats that have picked from their pack in this pass of an alternative lookout.
    """

    def __init__(self, table: Any, t: Record, catalog: Catalog) -> None:
        self.table, self.t, self.catalog = table, t, catalog
        self.g.asks_always = 1
        self.picked: set[int] = set()

    @property
    def g(self) -> Any:
        """Record of the game."""
        return self.table[0]

    def copy(self) -> InspectedGame:
        """Return a copy that can be played on."""
        return InspectedGame(self.table.copy(), self.t, self.catalog)

    def look_ahead(self, answers: Sequence[int] = ()) -> Asked | None:
        """Return the next decision of the step that is due, after these answers; None if it asks for no more."""
        trial = self._trial(answers)
        return read_asked(self.g, trial[0]) if trial[0].paused else None

    def step(self, decide: Decide) -> None:
        """Play one step; `decide` returns the place of the option to take.

        Raises
        ------
        IllegalMoveError
            From `decide`; the game is as it was.
        UserError
            The game holds more than the engine.
        """
        self.table = play_decided(
            self.table, self.t, stopping_players(), play_step, lambda trial: decide(read_asked(self.g, trial))
        )

    def _trial(self, answers: Sequence[int]) -> Any:
        """Return a copy of the game in which the step has been played with these answers, up to the next decision."""
        return play_answered(self.table, self.t, stopping_players(), play_step, answers)
