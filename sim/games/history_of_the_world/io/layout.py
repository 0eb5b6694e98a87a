"""The JSON format of a position (`docs/records.md`), and its loading into a game record."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import cache
from typing import Annotated, Any, Literal

from pydantic import Field, model_validator

from sim.compiler.kernel import Record
from sim.data.catalog import Name, NoRepeats, Number, Row, fault
from sim.data.place import NOWHERE, Place
from sim.games.history_of_the_world.data.catalog import Catalog, load_catalog
from sim.games.history_of_the_world.data.compile import build_tables
from sim.games.history_of_the_world.io.inline import (
    PositionEmpire,
    PositionEvent,
    PositionMap,
    replace_empires,
    replace_events,
    replace_map,
)
from sim.games.history_of_the_world.io.moves import PositionMove
from sim.games.history_of_the_world.io.queries import ClassicQuery, LandingQuery, OddsQuery, Points, SetupQuery
from sim.games.history_of_the_world.io.stepping import InspectedGame
from sim.games.history_of_the_world.rules import constants
from sim.games.history_of_the_world.rules.effects import follow_card
from sim.games.history_of_the_world.rules.setup import clear_table
from sim.games.history_of_the_world.rules.state import new_games
from sim.games.history_of_the_world.rules.tables import MAX_CARDS, MAX_LANDS
from sim.games.history_of_the_world.rules.turns import begin_card
from sim.games.shared.position_files import TableLayout, blank_table, name_alone

MAX_MOVES = 1000
BLANK = MAX_CARDS - 1
"""An unused row of the card table, for a turn without an empire."""
Bodies = Annotated[list[Name], Field(default_factory=list), NoRepeats]

# ---- The rows of a file ----


class PositionHeld(Row):
    """An event held by a player. If only the name is given, the event was drafted in this epoch."""

    event: Name
    drafted: Annotated[int, Field(ge=1)] | None = None

    _name_alone = name_alone("event")


class PositionPlayer(Row):
    """One player."""

    name: Name
    score: Points = 0
    supply: Number | None = None
    empire: Name | None = None
    events: Annotated[list[PositionHeld], Field(default_factory=list, max_length=MAX_CARDS)]


class PositionLand(Row):
    """The army and structures in a land."""

    army: Name | None = None
    active: bool = False
    structures: Annotated[list[Literal["capital", "city", "monument"]], Field(default_factory=list), NoRepeats]
    fort: bool = False

    @model_validator(mode="after")
    def _holds_what_a_land_can(self) -> PositionLand:
        if self.active and self.army is None:
            fault("no army stands here", field="active", found=True, allowed="an army")
        if "capital" in self.structures and "city" in self.structures:
            fault("a capital or a city, not both", field="structures", found=self.structures, allowed="one of them")
        return self


class PositionSupply(Row):
    """The common supply. If a number is None, the supply holds all pieces of this kind that are not in a land."""

    capital_city: Number | None = None
    monument: Number | None = None
    fort: Number | None = None


class PositionTurn(Row):
    """The current turn."""

    player: Name
    empire: Name | None = None
    kingdom: Name | None = None
    step: Literal["found", "conquest", "inactivate", "score", "done"] = "conquest"
    armies: Number = 0
    siege_tokens: Number = 0
    fleets: Bodies
    caravans: Bodies

    @model_validator(mode="after")
    def _step_of_a_kingdom(self) -> PositionTurn:
        if self.kingdom is not None and self.step not in ("conquest", "inactivate"):
            allowed = ("conquest", "inactivate")
            fault("a kingdom is not played in this step", field="step", found=self.step, allowed=allowed)
        return self


class Position(Row):
    """A complete table, moves to make on it, and queries."""

    data: Literal["reconstruction-2018", "edition-1993"] | None = None
    map: PositionMap | None = None
    empires: Annotated[list[PositionEmpire], Field(max_length=MAX_CARDS)] | None = None
    events: Annotated[list[PositionEvent], Field(max_length=MAX_CARDS)] | None = None
    epoch: Annotated[int, Field(ge=1)] = 1
    players: Annotated[list[PositionPlayer], Field(default_factory=list, max_length=constants.MAX_SEATS)]
    lands: Annotated[dict[Name, PositionLand], Field(default_factory=dict, max_length=MAX_LANDS)]
    supply: PositionSupply = PositionSupply()
    turn: PositionTurn | None = None
    moves: Annotated[list[PositionMove], Field(default_factory=list, max_length=MAX_MOVES)]
    odds: OddsQuery | None = None
    landing: LandingQuery | None = None
    setup: SetupQuery | None = None
    classic: ClassicQuery | None = None

    @model_validator(mode="after")
    def _names_are_different(self) -> Position:
        for name, count in Counter(player.name for player in self.players).items():
            if count > 1:
                fault("two players of this name", field="players", found=name, allowed="a name for each")
        return self


# ---- Map and cards ----


@cache
def _load_set(settings: tuple[tuple[str, object], ...]) -> Catalog:
    return load_catalog(settings=dict(settings))


def replace_data(position: Position, catalog: Catalog, t: Record, place: Place) -> tuple[Catalog, Record]:
    """Return the catalogue and tables for a position. The position's own map and cards replace those of its data set.

    Raises
    ------
    UserError
        There is an error in the map or the cards.
    """
    data_set = position.data or "reconstruction-2018"
    if position.data is not None and data_set != catalog.data_set:
        catalog = _load_set(tuple(sorted((dict(catalog.settings) | {"data": data_set}).items())))
        t = build_tables(catalog)
    epochs = catalog.epochs
    if position.epoch > epochs:
        raise place.at("epoch").wrong("no such epoch", position.epoch, f"1 to {epochs}")
    own = catalog
    if position.map is not None:
        own = replace_map(own, position.map, place.at("map"))
    if position.empires is not None:
        own = replace_empires(own, position.empires, position.epoch, epochs, place.at("empires"))
    if position.events is not None:
        own = replace_events(own, position.events, position.epoch, epochs, place.at("events"))
    return (catalog, t) if own is catalog else (own, build_tables(own))


# ---- Loading ----


@dataclass(frozen=True, kw_only=True)
class Layout(TableLayout):
    """A table that is being set up from a position."""

    names: tuple[str, ...]

    def seat(self, name: str) -> int:
        """Return the seat of a player."""
        return self.index_of(name, self.names, "no such player")

    def empire(self, name: str) -> int:
        """Return the id of an empire."""
        return self.index_of(name, (card.name for card in self.catalog.empires), "no such empire")

    def event(self, name: str) -> int:
        """Return the id of an event."""
        event = self.index_of(name, (card.name for card in self.catalog.events), "no such event")
        return len(self.catalog.empires) + event


def load_position(position: Position, catalog: Catalog, t: Record, place: Place = NOWHERE) -> InspectedGame:
    """Load a position into a game record. `place` says where the position comes from, for messages.

    Raises
    ------
    UserError
        A name is unknown, or two players hold the same card.
    """
    table = blank_table(new_games)
    g: Any = table[0]
    clear_table(g, t, len(position.players))
    names = tuple(player.name for player in position.players)
    layout = Layout(place.file, place.row, place.field, g=g, t=t, catalog=catalog, names=names)
    g.phase = constants.TURN
    g.epoch = position.epoch - 1
    for epoch in range(position.epoch):
        placed = t.presence[epoch] > 0
        g.token[placed] = t.presence[epoch][placed]
    _lay_lands(layout.at("lands"), position)
    for seat, player in enumerate(position.players):
        _lay_player(layout.at("players", seat + 1), seat, player)
    _lay_supply(g, t, position)
    if position.turn is not None:
        _lay_turn(layout.at("turn"), position.turn)
    _lay_armies(g, t, position)
    return InspectedGame(table, t, catalog, names)


def _lay_lands(layout: Layout, position: Position) -> None:
    g = layout.g
    for name, land in position.lands.items():
        number = layout.index_of(name, layout.catalog.land_names, "no such land")
        if land.army is not None:
            g.army[number] = layout.at(name, "army").seat(land.army)
            g.active[number] = int(land.active)
            g.placed_by[number] = BLANK
        for structure in ("capital", "city", "monument"):
            g[structure][number] = int(structure in land.structures)
        g.fort[number] = int(land.fort)


def _lay_player(layout: Layout, seat: int, player: PositionPlayer) -> None:
    g = layout.g
    g.points[seat] = player.score
    if player.empire is not None:
        here = layout.at("empire")
        card = here.empire(player.empire)
        if card in g.empire[:seat]:
            raise here.wrong("another player has chosen this empire", player.empire)
        g.empire[seat] = card
    for number, held in enumerate(player.events, start=1):
        here = layout.at("events", number)
        card = here.event(held.event)
        if g.holds[card]:
            raise here.wrong("a player already holds this event", held.event)
        drafted = g.epoch if held.drafted is None else held.drafted - 1
        if drafted > g.epoch:
            raise here.at("drafted").wrong("an epoch that is still to come", held.drafted, f"1 to {g.epoch + 1}")
        g.holds[card] = 1 + seat
        g.drafted[card] = drafted


def _lay_supply(g: Record, t: Record, position: Position) -> None:
    used = (int((g.capital + g.city > 0).sum()), int(g.monument.sum()), int(g.fort.sum()))
    for piece, name in enumerate(constants.PIECES):
        given = getattr(position.supply, name)
        g.pieces[piece] = max(0, int(t.supply[piece]) - used[piece]) if given is None else given


def _lay_armies(g: Record, t: Record, position: Position) -> None:
    """Fill the players' supplies: by default, with all armies that are nowhere else."""
    for seat, player in enumerate(position.players):
        elsewhere = int((g.army == seat).sum()) + (int(g.armies) if seat == g.turn_seat else 0)
        g.supply[seat] = max(0, int(t.army_limit) - elsewhere) if player.supply is None else player.supply


def _lay_turn(layout: Layout, turn: PositionTurn) -> None:
    g, t = layout.g, layout.t
    g.turn_seat = seat = layout.at("player").seat(turn.player)
    empire = int(g.empire[seat]) if turn.empire is None else layout.at("empire").empire(turn.empire)
    g.card = BLANK if empire == constants.NO_CARD else empire
    if turn.kingdom is not None:
        here = layout.at("kingdom")
        kingdom = here.event(turn.kingdom)
        if t.kind[kingdom] != constants.KINGDOM:
            kingdoms = [card.name for card in layout.catalog.events if card.kind == "kingdom"]
            raise here.wrong("no kingdom", turn.kingdom, kingdoms)
        g.waiting, g.card = g.card, kingdom
        # The kingdom has been revealed, so it is no longer held.
        g.holds[kingdom] = 0
    begin_card(g, t)
    g.step = constants.STEPS.index(turn.step)
    if g.step == constants.FOUND:
        # Before the empire is founded, the only active armies are those that an enhancement has swapped in.
        g.placed_by[(g.army == seat) & (g.active != 0)] = g.card
    else:
        follow_card(g, t, InspectedGame.players(), seat, int(g.card), True)
    g.armies, g.siege_tokens = turn.armies, turn.siege_tokens
    _lay_discs(layout, turn)


def _lay_discs(layout: Layout, turn: PositionTurn) -> None:
    bodies = layout.catalog.bodies
    known = [body.name for body in bodies]
    for field, names, places in (
        ("fleets", turn.fleets, "fleets stand on seas and oceans"),
        ("caravans", turn.caravans, "caravans stand in barren areas"),
    ):
        fitting = [body.name for body in bodies if (body.kind == "barren") == (field == "caravans")]
        for number, name in enumerate(names, start=1):
            layout.at(field, number).check_name(name, fitting, places if name in known else "no such body")
            layout.g.disc[known.index(name)] = 1
