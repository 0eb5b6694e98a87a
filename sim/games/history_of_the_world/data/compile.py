"""Compiles a catalogue of a map and its cards to the tables that kernels read."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from sim.games.history_of_the_world.data.catalog import Catalog
from sim.games.history_of_the_world.data.checks import both_ways
from sim.games.history_of_the_world.data.models import Event
from sim.games.history_of_the_world.rules import constants
from sim.games.history_of_the_world.rules.tables import TABLES
from sim.games.shared.filling import fill_rules

CAPITAL, CITY = 1, 2
"""Values of `t.capital`."""


def build_tables(catalog: Catalog) -> Any:
    """Return a catalogue as a read-only record of dtype `TABLES`.

    Lands and bodies named on cards are omitted if they are not on the map.
    """
    array = np.zeros(1, TABLES)
    t: Any = array[0]
    for name in ("borders", "stepping_stones", "coasts", "shores", "start", "discs"):
        t[name][:] = constants.NO_LAND
    fill_rules(t, catalog, constants.SETTINGS, apart=constants.PIECES)
    t.supply[:] = [getattr(catalog.constants, piece) for piece in constants.PIECES]
    _fill_lands(t, catalog)
    _fill_bodies(t, catalog)
    for number, region in enumerate(catalog.regions):
        t.presence[: len(region.tokens), number] = region.tokens
    _fill_cards(t, catalog)
    array.flags.writeable = False
    return array[0]


def _numbers(names: Sequence[str]) -> dict[str, int]:
    return {name: number for number, name in enumerate(names)}


def _fill_list(row: Any, names: Sequence[str], numbers: Mapping[str, int]) -> None:
    """Write the ids of `names` at the start of a row. Names that `numbers` does not have are left out."""
    known = [numbers[name] for name in names if name in numbers]
    row[: len(known)] = known


# ---- The map ----


def _fill_lands(t: Any, catalog: Catalog) -> None:
    t.lands, t.regions, t.epochs = len(catalog.lands), len(catalog.regions), catalog.epochs
    lands, regions, bodies = map(_numbers, (catalog.land_names, catalog.region_names, catalog.body_names))
    # Bonuses are relative to the lowest bonus, so 0 would mark a land as bad. A land without a lesson gets the average.
    usual = np.mean([lesson.points for lesson in catalog.land_lessons.values()], axis=0)
    borders = both_ways((land.name, land.borders) for land in catalog.lands)
    stones = both_ways((land.name, land.stepping_stones) for land in catalog.lands)
    for number, land in enumerate(catalog.lands):
        t.region[number] = regions[land.region]
        t.terrain[number] = constants.TERRAINS.index(land.terrain)
        t.resource[number] = int(land.resource)
        _fill_list(t.borders[number], borders.get(land.name, []), lands)
        _fill_list(t.stepping_stones[number], stones.get(land.name, []), lands)
        _fill_list(t.coasts[number], land.bodies, bodies)
        lesson = catalog.land_lessons.get(land.name)
        points = usual if lesson is None else lesson.points
        t.land_lesson[: len(points), number] = points


def _fill_bodies(t: Any, catalog: Catalog) -> None:
    t.bodies = len(catalog.bodies)
    lands, bodies = _numbers(catalog.land_names), _numbers(catalog.body_names)
    borders = both_ways((body.name, body.borders) for body in catalog.bodies)
    for number, body in enumerate(catalog.bodies):
        t.body_kind[number] = constants.BODY_KINDS.index(body.kind)
        for other in borders.get(body.name, []):
            t.body_borders[number, bodies[other]] = 1
        _fill_list(t.shores[number], [land.name for land in catalog.lands if body.name in land.bodies], lands)


# ---- Cards ----


def _fill_cards(t: Any, catalog: Catalog) -> None:
    t.cards, t.empires = len(catalog.cards), len(catalog.empires)
    lands, bodies = _numbers(catalog.land_names), _numbers(catalog.body_names)
    for number, card in enumerate(catalog.cards):
        t.epoch[number] = card.epoch - 1
        t.armies[number] = card.armies
        t.capital[number] = CAPITAL if card.capital else 0
        t.marauder[number] = int(card.marauder)
        _fill_list(t.start[number], card.start_lands, lands)
        _fill_list(t.discs[number], [*card.fleets, *card.caravans], bodies)
        for entry, (name, *numbers) in enumerate(card.effect):
            t.effect[number, entry, constants.OPERATION] = constants.OPERATIONS.index(name)
            t.effect[number, entry, constants.A] = numbers[0] if numbers else 0
        if isinstance(card, Event):
            t.kind[number] = constants.CARD_KINDS.index(card.kind)
            if card.city:
                t.capital[number] = CITY
            lesson = catalog.event_lessons.get(card.name)
        else:
            t.kind[number], t.order[number] = constants.EMPIRE, card.order
            lesson = catalog.empire_lessons.get(card.name)
        if lesson is not None:
            t.card_lesson[number] = lesson.points
