"""Plays a game of The Glory of Rome move by move, with moves from outside (`sim.games.shared.stepping`)."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any

from sim.compiler.kernel import Record
from sim.engine.pause import pause
from sim.games.glory_of_rome.data.catalog import Catalog
from sim.games.glory_of_rome.rules import constants
from sim.games.glory_of_rome.rules.state import STATE
from sim.games.glory_of_rome.rules.tables import TABLES
from sim.games.glory_of_rome.rules.turns import begin_act, end_turn, play_step
from sim.games.shared.stepping import Decide, SteppedGame, no_decision, pausing_players


class InspectedGame(SteppedGame):
    """A game that is played move by move.

    Attributes
    ----------
    catalog
        Boards and cards. Like the tables, it includes what the position defines for itself.
    printed
        Tables without the position's own data.
    order
        Ids of the things that the record only counts, in order of arrival. Keys are those of `numbered_things`.
    """

    catalog: Catalog
    play_step = staticmethod(play_step)
    players = staticmethod(cache(lambda: pausing_players(pause, STATE, TABLES)))

    def __init__(self, table: Any, t: Record, catalog: Catalog, printed: Record) -> None:
        super().__init__(table, t, catalog)
        self.printed = printed
        self.order: dict[tuple[str, int], list[int]] = {}

    # ---- Playing on ----

    def begin(self, seat: int, kind: int, card: int = 0, value: int = 0, other: int = 0, place: int = 0) -> None:
        """Begin the action of an option with these fields. The caller checks that the rules offer this option."""
        g = self.g
        g.option_count = 1
        g.option_kind[0], g.option_card[0], g.option_value[0] = kind, card, value
        g.option_seat[0], g.option_place[0] = other, place
        begin_act(g, self.t, seat, 0)

    def play_on(self, decide: Decide = no_decision) -> None:
        """Play until the next move is due. No player buys glory before that: buying glory needs a move of its own."""
        while self.g.stage != constants.TURN and self.g.phase not in (constants.EVENT_PHASE, constants.OVER):
            if self.g.stage == constants.TURN_BEGINS:
                self.g.stage = constants.TURN
            else:
                self.step(decide)
        self.skip_finished()

    def skip_finished(self) -> None:
        """End the turn of a seat that has no followers left. If no seat has any, begin the income phase."""
        g = self.g
        if g.phase == constants.ACTION_PHASE and g.followers_left[g.turn_seat] == 0:
            end_turn(g, self.t)
            g.stage = constants.TURN

    # ---- Names and numbers ----

    @property
    def to_move(self) -> int | None:
        """The seat whose turn it is, or None in phases without turns."""
        return None if self.g.phase in (constants.EVENT_PHASE, constants.OVER) else int(self.g.turn_seat)

    def province_of(self, seat: int) -> int:
        """Return the province in front of a seat."""
        return int(self.g.board[self.g.place[seat]])

    def card_name(self, card: int) -> str:
        """Return the name of a card."""
        return self.catalog.cards[card].name

    def trade_card(self, name: str) -> int:
        """Return the id of a trade card."""
        return [card.name for card in self.catalog.trade_cards].index(name)

    def mission(self, name: str) -> int:
        """Return the id of a mission."""
        return int(self.t.trade_cards) + [card.name for card in self.catalog.missions].index(name)

    def event(self, name: str) -> int:
        """Return the id of an event."""
        return int(self.t.trade_cards + self.t.missions) + [card.name for card in self.catalog.events].index(name)

    # ---- Order of arrival ----

    def keep_order(self) -> None:
        """Update the lists in `order` from the record: remove things that are gone and append new ones."""
        for key, now in numbered_things(self.g).items():
            kept = []
            for thing in self.order.get(key, ()):
                if thing in now:
                    now.remove(thing)
                    kept.append(thing)
            self.order[key] = kept + now


def numbered_things(g: Record) -> dict[tuple[str, int], list[int]]:
    """Return the ids of things whose order of arrival the record does not keep.

    A key is the kind of things and a seat (medals, sets, Pantheon pieces) or a province (intrigue tokens).
    """
    things: dict[tuple[str, int], list[int]] = {}
    for seat in range(int(g.players)):
        things["medals", seat] = [kind for kind in range(len(constants.BUILDINGS)) if g.medal[kind] == seat]
        things["sets", seat] = _repeated(g.sets[seat])
        for level, name in enumerate(constants.PANTHEON_LEVELS):
            common = int(g.pantheon_common[seat, level])
            things[name, seat] = [constants.OWN] * int(g.pantheon_own[seat, level]) + ([common] if common else [])
    for province in range(len(constants.PROVINCES)):
        for name in ("intrigue", "activated"):
            things[name, province] = _repeated(g[name][province])
    return things


def _repeated(counts: Sequence[int]) -> list[int]:
    """List each index as often as its count says."""
    return [number for number, count in enumerate(counts) for _ in range(int(count))]
