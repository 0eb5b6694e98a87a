"""Maps and cards that a position defines for itself, in place of those of the data set (`docs/records.md`)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Annotated, Any, Literal, TypeVar

from pydantic import Field, model_validator

from sim.data.catalog import MAX_NUMBER, Name, NoRepeats, Number, Positive, Row, fault
from sim.data.place import Place
from sim.games.history_of_the_world.data import models
from sim.games.history_of_the_world.data.catalog import Catalog
from sim.games.history_of_the_world.data.checks import both_ways
from sim.games.history_of_the_world.rules import tables

CERTAIN: dict[str, Any] = {"certainty": "stand-in"}

Names = Annotated[list[Name], Field(default_factory=list), NoRepeats]
Discs = Annotated[list[Name], Field(default_factory=list, max_length=tables.MAX_DISCS), NoRepeats]
Operation = Literal[
    "icons_per_monument", "forts_per_icon", "forts", "battle_bonus", "attacker_rerolls", "armies", "swap", "destroy"
]
CardT = TypeVar("CardT", bound=models.Card)
Operations = Annotated[dict[Operation, Positive], Field(default_factory=dict, max_length=tables.MAX_OPERATIONS)]

# ---- The map ----


class PositionRegion(Row):
    """A region. `tokens` has the presence value of each of its tokens, by the epoch in which the token is placed."""

    tokens: Annotated[dict[str, Number], Field(default_factory=dict, max_length=MAX_NUMBER)]


class PositionMapLand(Row):
    """A land of the map."""

    region: Name
    borders: Names
    stepping_stones: Names
    terrain: models.Terrain | None = None
    resource: bool = False
    bodies: Annotated[list[Name], Field(default_factory=list, max_length=tables.MAX_NEIGHBOURS), NoRepeats]


class PositionBody(Row):
    """A sea, an ocean or a barren area."""

    kind: models.BodyKind
    borders: Names


class PositionMap(Row):
    """A map that replaces the map of the data set."""

    regions: Annotated[dict[Name, PositionRegion], Field(default_factory=dict, max_length=tables.MAX_REGIONS)]
    lands: Annotated[dict[Name, PositionMapLand], Field(default_factory=dict, max_length=tables.MAX_LANDS)]
    bodies: Annotated[dict[Name, PositionBody], Field(default_factory=dict, max_length=tables.MAX_BODIES)]


def replace_map(catalog: Catalog, found: PositionMap, place: Place) -> Catalog:
    """Return the catalogue with its map replaced by the map of a position.

    Raises
    ------
    UserError
        A name or an epoch is unknown, or the map does not fit into the tables.
    """
    lands, bodies = place.at("lands"), place.at("bodies")
    for name, land in found.lands.items():
        lands.at(name, "region").check_name(land.region, found.regions, "no such region of the map")
        for field in ("borders", "stepping_stones"):
            _check_joined(lands.at(name, field), name, getattr(land, field), found.lands, "land")
        _check_names(lands.at(name, "bodies"), land.bodies, found.bodies, "body")
    for name, body in found.bodies.items():
        _check_joined(bodies.at(name, "borders"), name, body.borders, found.bodies, "body")
    for field in ("borders", "stepping_stones"):
        joined = both_ways((name, getattr(land, field)) for name, land in found.lands.items())
        for name, others in joined.items():
            if len(others) > tables.MAX_NEIGHBOURS:
                allowed = f"at most {tables.MAX_NEIGHBOURS}, those that name this land included"
                raise lands.at(name, field).wrong("too many", len(others), allowed)
    known = [str(epoch) for epoch in range(1, catalog.epochs + 1)]
    for name, region in found.regions.items():
        for epoch in region.tokens:
            place.at("regions", name, "tokens").check_name(epoch, known, "no such epoch")
    return replace(
        catalog,
        regions=tuple(
            models.Region(name=name, tokens=[region.tokens.get(epoch, 0) for epoch in known], **CERTAIN)
            for name, region in found.regions.items()
        ),
        lands=tuple(
            models.Land(name=name, x=0, y=0, **CERTAIN, **(land.model_dump() | {"terrain": land.terrain or "none"}))
            for name, land in found.lands.items()
        ),
        bodies=tuple(
            models.Body(name=name, x=0, y=0, **CERTAIN, **body.model_dump()) for name, body in found.bodies.items()
        ),
    )


def _check_names(place: Place, names: Sequence[str], known: Iterable[str], what: str) -> None:
    for number, name in enumerate(names, start=1):
        place.at(number).check_name(name, known, f"no such {what} of the map")


def _check_joined(place: Place, name: str, others: Sequence[str], known: Iterable[str], what: str) -> None:
    _check_names(place, others, known, what)
    if name in others:
        raise place.wrong(f"a {what} is not joined to itself", name)


# ---- Cards ----


class PositionCard(Row):
    """The fields shared by empires and kingdoms."""

    epoch: Annotated[int, Field(ge=1)] | None = None
    order: Number = 0
    start_lands: Annotated[list[Name], Field(default_factory=list, max_length=tables.MAX_STARTS), NoRepeats]
    armies: Number = 0
    capital: bool = False
    marauder: bool = False
    fleets: Discs
    caravans: Discs
    ability: Operations

    _discs_fit = model_validator(mode="after")(models.check_discs)


class PositionEmpire(PositionCard):
    """An empire card."""

    empire: Name


class PositionEvent(PositionCard):
    """An event card: an enhancement, or a kingdom with the fields of an empire."""

    event: Name
    kind: models.EventKind
    city: bool = False
    effect: Operations

    @model_validator(mode="after")
    def _fits_the_tables(self) -> PositionEvent:
        most, found = tables.MAX_OPERATIONS, len(self.ability) + len(self.effect)
        if found > most:
            allowed = f"at most {most}, those of ability included"
            fault("too many effects", field="effect", found=found, allowed=allowed)
        return self

    @model_validator(mode="after")
    def _has_the_fields_of_its_kind(self) -> PositionEvent:
        allowed = ("event", "kind", "epoch", "effect")
        for field in type(self).model_fields:
            if self.kind == "enhancement" and field in self.model_fields_set and field not in allowed:
                fault("only a kingdom has this", field=field, found=getattr(self, field), allowed=allowed)
        return self


def replace_empires(
    catalog: Catalog, found: Sequence[PositionEmpire], epoch: int, epochs: int, place: Place
) -> Catalog:
    """Return the catalogue with its empires replaced by those of a position.

    A card that gives no epoch belongs to `epoch`. The game has `epochs` epochs.
    """
    _check_cards(catalog, [card.empire for card in found], found, catalog.events, epochs, place)
    rows = [_row(models.Empire, card, card.empire, epoch, card.ability) for card in found]
    return replace(catalog, empires=tuple(sorted(rows, key=lambda row: (row.epoch, row.order))))


def replace_events(catalog: Catalog, found: Sequence[PositionEvent], epoch: int, epochs: int, place: Place) -> Catalog:
    """Return the catalogue with its events replaced by those of a position. See `replace_empires`."""
    _check_cards(catalog, [card.event for card in found], found, catalog.empires, epochs, place)
    rows = [_row(models.Event, card, card.event, epoch, card.ability, card.effect) for card in found]
    return replace(catalog, events=tuple(sorted(rows, key=lambda row: row.epoch)))


def _row(model: type[CardT], card: PositionCard, name: str, epoch: int, *effects: Mapping[Any, int]) -> CardT:
    """Return a card as a data row. The checks of data files are skipped: a position need not give all fields."""
    fields = dict(card) | {"name": name, "epoch": card.epoch or epoch, "known": [], "ability": None, "source": None}
    fields["effect"] = [[operation, number] for effect in effects for operation, number in effect.items()]
    return model.model_construct(**fields | CERTAIN)


def _check_cards(
    catalog: Catalog,
    names: Sequence[str],
    found: Sequence[PositionCard],
    others: Sequence[models.Card],
    epochs: int,
    place: Place,
) -> None:
    """Check cards against each other and against the map. One row of the card table must stay free for `BLANK`."""
    if len(found) + len(others) >= tables.MAX_CARDS:
        raise place.wrong("too many cards", len(found), f"fewer than {tables.MAX_CARDS - len(others)}")
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
