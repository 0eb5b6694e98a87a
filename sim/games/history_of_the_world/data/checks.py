"""Checks that the map and the cards of a data set fit together."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from functools import partial
from pathlib import Path

from sim.errors import UserError
from sim.games.history_of_the_world.data.models import Body, Card, Land, LandLesson, Region
from sim.games.history_of_the_world.rules import tables
from sim.games.history_of_the_world.rules.constants import MAX_SEATS

Where = Path | str
"""Where rows come from: a file, or a description in words. Error messages show it."""


def both_ways(pairs: Iterable[tuple[str, Sequence[str]]]) -> dict[str, list[str]]:
    """Return all neighbours of each name. If one of two names lists the other in `pairs`, both are neighbours."""
    named = [(name, other) for name, others in pairs for other in others]
    joined: dict[str, list[str]] = {}
    for name, other in [*named, *((other, name) for name, other in named)]:
        if other not in joined.setdefault(name, []):
            joined[name].append(other)
    return joined


# ---- The map ----


def check_map(where: Where, regions: Sequence[Region], lands: Sequence[Land], bodies: Sequence[Body]) -> None:
    """Check the rows of a map against each other. `check_connected` checks whether the map is connected."""
    _check_names(where, "region", [region.name for region in regions], tables.MAX_REGIONS)
    _check_names(where, "land", [land.name for land in lands], tables.MAX_LANDS)
    _check_names(where, "body", [body.name for body in bodies], tables.MAX_BODIES)
    region_names = {region.name for region in regions}
    body_names = {body.name for body in bodies}
    land_names = {land.name for land in lands}
    for land in lands:
        _check_known(where, land.name, "region", [land.region], region_names, "region")
        _check_joined(where, land.name, "borders", land.borders, land_names, "land")
        _check_joined(where, land.name, "stepping_stones", land.stepping_stones, land_names, "land")
        _check_known(where, land.name, "bodies", land.bodies, body_names, "body")
    for body in bodies:
        _check_joined(where, body.name, "borders", body.borders, body_names, "body")
    _check_neighbours(where, lands)
    _check_regions(where, regions, lands)


def _check_names(where: Where, table: str, names: Sequence[str], most: int) -> None:
    for name, rows in Counter(names).items():
        if rows > 1:
            raise UserError(f"this {table} is listed twice", file=where, row=name, field="name", found=name)
    if len(names) > most:
        raise UserError("too many rows", file=where, field=table, found=len(names), allowed=f"at most {most}")


def _check_known(where: Where, row: str, field: str, named: Sequence[str], known: Iterable[str], what: str) -> None:
    for name in named:
        if name not in known:
            raise UserError(f"unknown {what}", file=where, row=row, field=field, found=name, allowed=sorted(known))


def _check_joined(where: Where, row: str, field: str, named: Sequence[str], known: Iterable[str], what: str) -> None:
    _check_known(where, row, field, named, known, what)
    if row in named:
        raise UserError(f"a {what} cannot border itself", file=where, row=row, field=field, found=row)


def _check_neighbours(where: Where, lands: Sequence[Land]) -> None:
    """Check that the neighbours of each land fit into the tables."""
    fields = {
        "borders": both_ways((land.name, land.borders) for land in lands),
        "stepping_stones": both_ways((land.name, land.stepping_stones) for land in lands),
        "bodies": {land.name: land.bodies for land in lands},
    }
    for field, joined in fields.items():
        for name, others in joined.items():
            if len(others) > tables.MAX_NEIGHBOURS:
                allowed = f"at most {tables.MAX_NEIGHBOURS}, those that name this land included"
                raise UserError("too many", file=where, row=name, field=field, found=len(others), allowed=allowed)


def _check_regions(where: Where, regions: Sequence[Region], lands: Sequence[Land]) -> None:
    """Check that every region has a land, and that all regions have tokens for the same number of epochs."""
    epochs = len(regions[0].tokens)
    for region in regions:
        wrong = partial(UserError, file=where, row=region.name)
        if region.name not in {land.region for land in lands}:
            raise wrong("a region without a land", field="name", found=region.name, allowed="one land or more in it")
        if len(region.tokens) != epochs:
            message = "not a token value for each epoch"
            raise wrong(message, field="tokens", found=len(region.tokens), allowed=f"{epochs}, as {regions[0].name}")


def check_connected(where: Where, lands: Sequence[Land], bodies: Sequence[Body]) -> None:
    """Check that every land can be reached from every other by borders, stepping stones and bodies."""
    joined = both_ways(
        [
            (land.name, [*land.borders, *land.stepping_stones, *(f"body {name}" for name in land.bodies)])
            for land in lands
        ]
        + [(f"body {body.name}", [f"body {name}" for name in body.borders]) for body in bodies]
    )
    reached, waiting = {lands[0].name}, [lands[0].name]
    while waiting:
        for other in joined.get(waiting.pop(), []):
            if other not in reached:
                reached.add(other)
                waiting.append(other)
    apart = [land.name for land in lands if land.name not in reached]
    if apart:
        message = f"the map is not connected: {len(apart)} of {len(lands)} lands cannot be reached from {lands[0].name}"
        raise UserError(message, file=where, row=apart[0], field="borders", found=apart[:5], allowed="a way to it")


# ---- Cards ----


def check_cards(where: Where, table: str, cards: Sequence[Card], epochs: int) -> None:
    """Check either the empires or the events: each epoch has enough cards, and the cards fit into the tables.

    Parameters
    ----------
    where, table
        File and table of the cards, for messages.
    """
    _check_names(where, table, [card.name for card in cards], tables.MAX_CARDS)
    for card in cards:
        if card.epoch > epochs:
            allowed = f"1 to {epochs}, the epochs of the map's tokens"
            raise UserError(
                "no such epoch", file=where, row=card.name, field="epoch", found=card.epoch, allowed=allowed
            )
    counts = Counter(card.epoch for card in cards)
    for epoch in range(1, epochs + 1):
        if not MAX_SEATS <= counts[epoch] <= tables.STACK:
            message = f"wrong number of {table}s in epoch {epoch}"
            allowed = f"{MAX_SEATS} (one for each player) to {tables.STACK}"
            raise UserError(message, file=where, field=table, found=counts[epoch], allowed=allowed)


def check_capacity(where: Where, empires: Sequence[Card], events: Sequence[Card]) -> None:
    """Check that empires and events together fit into the tables."""
    count = len(empires) + len(events)
    if count > tables.MAX_CARDS:
        raise UserError(
            "too many cards", file=where, found=count, allowed=f"at most {tables.MAX_CARDS}, empires included"
        )


def check_lessons(where: Where, lessons: Iterable[LandLesson], epochs: int) -> None:
    """Check that lessons of lands have a number for each epoch."""
    for lesson in lessons:
        if len(lesson.points) != epochs:
            message, found = "not a number for each epoch", len(lesson.points)
            raise UserError(message, file=where, row=lesson.name, field="points", found=found, allowed=f"{epochs}")


def check_places(where: Where, cards: Sequence[Card], lands: Sequence[Land], bodies: Sequence[Body]) -> None:
    """Check that start lands, fleets and caravans are on the map: fleets on water, caravans in barren areas."""
    land_names = {land.name for land in lands}
    water = {body.name for body in bodies if body.kind != "barren"}
    barren = {body.name for body in bodies if body.kind == "barren"}
    for card in cards:
        _check_known(where, card.name, "start_lands", card.start_lands, land_names, "land")
        for field, right, wrong in (("fleets", water, barren), ("caravans", barren, water)):
            for name in getattr(card, field):
                if name in wrong:
                    what = "fleets stand on seas and oceans" if field == "fleets" else "caravans stand in barren areas"
                    raise UserError(what, file=where, row=card.name, field=field, found=name, allowed=sorted(right))
            _check_known(where, card.name, field, getattr(card, field), right, "body")
