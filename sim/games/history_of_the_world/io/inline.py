"""Maps and cards that a position brings itself, in place of those of the data set (`docs/records.md`)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Annotated, Any, Literal

from pydantic import Field, model_validator

from sim.data.catalog import Name, NoRepeats, Row, fault
from sim.data.place import Place
from sim.games.history_of_the_world.data.catalog import Catalog
from sim.games.history_of_the_world.data.checks import both_ways
from sim.games.history_of_the_world.data.models import (
    Body,
    BodyKind,
    Card,
    Empire,
    Event,
    EventKind,
    Land,
    Region,
    Terrain,
)
from sim.games.history_of_the_world.rules.tables import (
    MAX_BODIES,
    MAX_CARDS,
    MAX_DISCS,
    MAX_LANDS,
    MAX_NEIGHBOURS,
    MAX_OPERATIONS,
    MAX_REGIONS,
    MAX_STARTS,
)

MOST = 99
CERTAIN: dict[str, Any] = {"certainty": "stand-in"}

Number = Annotated[int, Field(ge=0, le=MOST)]
Positive = Annotated[int, Field(ge=1, le=MOST)]
Names = Annotated[list[Name], Field(default_factory=list), NoRepeats]
Discs = Annotated[list[Name], Field(default_factory=list, max_length=MAX_DISCS), NoRepeats]
Operation = Literal[
    "icons_per_monument", "forts_per_icon", "forts", "battle_bonus", "attacker_rerolls", "armies", "swap", "destroy"
]
Operations = Annotated[dict[Operation, Positive], Field(default_factory=dict, max_length=MAX_OPERATIONS)]

# ---- The map ----


class PositionRegion(Row):
    """A region with the presence values of its tokens, by the epoch in which each is placed."""

    tokens: Annotated[dict[str, Number], Field(default_factory=dict, max_length=MOST)]


class PositionMapLand(Row):
    """A land of the map."""

    region: Name
    borders: Names
    stepping_stones: Names
    terrain: Terrain | None = None
    resource: bool = False
    bodies: Annotated[list[Name], Field(default_factory=list, max_length=MAX_NEIGHBOURS), NoRepeats]


class PositionBody(Row):
    """A sea, an ocean or a barren area."""

    kind: BodyKind
    borders: Names


class PositionMap(Row):
    """A map in place of that of the data set."""

    regions: Annotated[dict[Name, PositionRegion], Field(default_factory=dict, max_length=MAX_REGIONS)]
    lands: Annotated[dict[Name, PositionMapLand], Field(default_factory=dict, max_length=MAX_LANDS)]
    bodies: Annotated[dict[Name, PositionBody], Field(default_factory=dict, max_length=MAX_BODIES)]


def replace_map(catalog: Catalog, found: PositionMap, place: Place) -> Catalog:
    """Return a catalogue with the map of a position.

    Raises
    ------
    UserError
        A name or an epoch of the map is not known, or it holds more than the tables.
    """
    lands, bodies = place.at("lands"), place.at("bodies")
    for name, land in found.lands.items():
        lands.at(name, "region").check_name(land.region, found.regions, "no such region of the map")
        _check_joined(lands, name, "borders", land.borders, found.lands)
        _check_joined(lands, name, "stepping_stones", land.stepping_stones, found.lands)
        _check_names(lands.at(name, "bodies"), land.bodies, found.bodies, "body")
    for name, body in found.bodies.items():
        _check_joined(bodies, name, "borders", body.borders, found.bodies)
    _check_neighbours(lands, "borders", {name: land.borders for name, land in found.lands.items()})
    _check_neighbours(lands, "stepping_stones", {name: land.stepping_stones for name, land in found.lands.items()})
    epochs = catalog.epochs
    return replace(
        catalog,
        regions=tuple(
            Region(name=name, tokens=_tokens(region.tokens, epochs, place.at("regions", name, "tokens")), **CERTAIN)
            for name, region in found.regions.items()
        ),
        lands=tuple(
            Land(name=name, x=0, y=0, **CERTAIN, **(land.model_dump() | {"terrain": land.terrain or "none"}))
            for name, land in found.lands.items()
        ),
        bodies=tuple(Body(name=name, x=0, y=0, **CERTAIN, **body.model_dump()) for name, body in found.bodies.items()),
    )


def _tokens(found: Mapping[str, int], epochs: int, place: Place) -> list[int]:
    """List the values of a region's tokens, one for each epoch."""
    known = [str(epoch) for epoch in range(1, epochs + 1)]
    for epoch in found:
        place.check_name(epoch, known, "no such epoch")
    return [found.get(epoch, 0) for epoch in known]


def _check_names(place: Place, names: Sequence[str], known: Iterable[str], what: str) -> None:
    for number, name in enumerate(names, start=1):
        place.at(number).check_name(name, known, f"no such {what} of the map")


def _check_joined(place: Place, row: str, field: str, names: Sequence[str], known: Iterable[str]) -> None:
    here = place.at(row, field)
    what = "body" if place.field.endswith("bodies") else "land"
    _check_names(here, names, known, what)
    if row in names:
        raise here.wrong(f"a {what} is not joined to itself", row)


def _check_neighbours(place: Place, field: str, named: Mapping[str, Sequence[str]]) -> None:
    """Check that what lands are joined to fits the tables."""
    for name, others in both_ways(named.items()).items():
        if len(others) > MAX_NEIGHBOURS:
            allowed = f"at most {MAX_NEIGHBOURS}, those that name this land included"
            raise place.at(name, field).wrong("too many", len(others), allowed)


# ---- Cards ----


class PositionCard(Row):
    """What empires and kingdoms have in common."""

    epoch: Annotated[int, Field(ge=1)] | None = None
    order: Number = 0
    start_lands: Annotated[list[Name], Field(default_factory=list, max_length=MAX_STARTS), NoRepeats]
    armies: Number = 0
    capital: bool = False
    marauder: bool = False
    fleets: Discs
    caravans: Discs
    ability: Operations

    @model_validator(mode="after")
    def _discs_fit(self) -> PositionCard:
        discs = len(self.fleets) + len(self.caravans)
        if discs > MAX_DISCS:
            fault("too many fleets and caravans", field="fleets", found=discs, allowed=f"at most {MAX_DISCS}")
        return self

    def of_founding(self, epoch: int) -> dict[str, Any]:
        """Return the fields that the rows of the data have too."""
        fields = ("start_lands", "armies", "capital", "marauder", "fleets", "caravans")
        return {field: getattr(self, field) for field in fields} | {"epoch": self.epoch or epoch, "known": []}


class PositionEmpire(PositionCard):
    """An empire card."""

    empire: Name


class PositionEvent(PositionCard):
    """An event card: an enhancement, or a kingdom with the fields of an empire."""

    event: Name
    kind: EventKind
    city: bool = False
    effect: Operations

    @model_validator(mode="after")
    def _fits_the_tables(self) -> PositionEvent:
        found, allowed = len(self.ability) + len(self.effect), f"at most {MAX_OPERATIONS}, those of ability included"
        if found > MAX_OPERATIONS:
            fault("too many effects", field="effect", found=found, allowed=allowed)
        return self

    @model_validator(mode="after")
    def _has_the_fields_of_its_kind(self) -> PositionEvent:
        allowed = ("event", "kind", "epoch", "effect")
        for field in type(self).model_fields:
            if self.kind == "enhancement" and field in self.model_fields_set and field not in allowed:
                fault("only a kingdom has this", field=field, found=getattr(self, field), allowed=allowed)
        return self


def _effect(*found: Mapping[Any, int]) -> list[list[Any]]:
    return [[name, number] for operations in found for name, number in operations.items()]


def replace_empires(
    catalog: Catalog, found: Sequence[PositionEmpire], epoch: int, epochs: int, place: Place
) -> Catalog:
    """Return a catalogue with the empires of a position; `epochs` is the number of epochs there are.

    Raises
    ------
    UserError
        A name stands twice or is not known, or there are too many.
    """
    _check_cards(catalog, [card.empire for card in found], found, catalog.events, epochs, place)
    # Built without the checks of data files: a position need not say all of a card.
    rows = [
        Empire.model_construct(
            name=card.empire, order=card.order, ability=None, effect=_effect(card.ability), source=None, **CERTAIN,
            **card.of_founding(epoch),
        )
        for card in found
    ]  # fmt: skip
    return replace(catalog, empires=tuple(sorted(rows, key=lambda row: (row.epoch, row.order))))


def replace_events(catalog: Catalog, found: Sequence[PositionEvent], epoch: int, epochs: int, place: Place) -> Catalog:
    """Return a catalogue with the events of a position.

    Raises
    ------
    UserError
        A name stands twice or is not known, or there are too many.
    """
    _check_cards(catalog, [card.event for card in found], found, catalog.empires, epochs, place)
    rows = [
        Event.model_construct(
            name=card.event, kind=card.kind, city=card.city,
            effect=_effect(card.ability, card.effect), source=None, **CERTAIN, **card.of_founding(epoch),
        )
        for card in found
    ]  # fmt: skip
    return replace(catalog, events=tuple(sorted(rows, key=lambda row: row.epoch)))


def _check_cards(
    catalog: Catalog,
    names: Sequence[str],
    found: Sequence[PositionCard],
    others: Sequence[Card],
    epochs: int,
    place: Place,
) -> None:
    """Check cards against each other and against the map; one row of the tables stays blank."""
    if len(found) + len(others) >= MAX_CARDS:
        raise place.wrong("too many cards", len(found), f"fewer than {MAX_CARDS - len(others)}")
    water = [body.name for body in catalog.bodies if body.kind != "barren"]
    barren = [body.name for body in catalog.bodies if body.kind == "barren"]
    for number, card in enumerate(found, start=1):
        here = place.at(number)
        if names[number - 1] in names[: number - 1]:
            raise here.wrong("this card stands twice", names[number - 1])
        if card.epoch is not None and card.epoch > epochs:
            raise here.at("epoch").wrong("no such epoch", card.epoch, f"1 to {epochs}")
        _check_names(here.at("start_lands"), card.start_lands, catalog.land_names, "land")
        _check_names(here.at("fleets"), card.fleets, water, "sea or ocean")
        _check_names(here.at("caravans"), card.caravans, barren, "barren area")
