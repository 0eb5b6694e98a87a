"""Tallies of a game: counts for each land, shown on a map, and counts for each kind of roll."""

from __future__ import annotations

from itertools import product
from operator import attrgetter

from sim.data.declarations import TallyRow
from sim.game import Data, DeclaredTally
from sim.games.history_of_the_world.data.checks import both_ways
from sim.games.history_of_the_world.io.odds import Battle, roll_odds
from sim.games.history_of_the_world.rules.constants import MOST_PLUS
from sim.games.history_of_the_world.rules.results import LAND_COLUMNS

RESULTS = ("won", "tied", "lost")
"""Results of a roll for the attacker, in the order of `g.log.rolls`."""


def land_rows(data: Data) -> tuple[TallyRow, ...]:
    """Return every land with its region, its place on the schematic map, and its neighbours.

    Lands joined by stepping stones are neighbours, too.
    """
    lands = data.catalog.lands
    near = both_ways((land.name, [*land.borders, *land.stepping_stones]) for land in lands)
    return tuple(
        TallyRow(
            name=land.name, values={"x": land.x, "y": land.y, "group": land.region}, near=list(near.get(land.name, ()))
        )
        for land in lands
    )


ROLLS = [*product((False, True), (False, True), (False, True), range(MOST_PLUS + 1))]
"""Terrain, fort, maritime and bonus for each kind of roll except the last, in the order of `log.roll_kind`."""


def roll_names(_: Data) -> tuple[str, ...]:
    """Names of all kinds of rolls."""
    names = []
    for terrain, fort, maritime, plus in ROLLS:
        helps = [name for name, is_so in (("terrain", terrain), ("fort", fort), ("maritime", maritime)) if is_so]
        names.append(f"{', '.join(helps) or 'open land'}, +{plus}{' or more' if plus == MOST_PLUS else ''}")
    return (*names, "attacker re-rolls or wins ties")


def roll_rows(data: Data) -> tuple[TallyRow, ...]:
    """Return all kinds of rolls, with exact odds where a kind has them.

    The odds assume that defenders re-roll only if the land would be lost. Kinds with a bonus of `MOST_PLUS` or more,
    and the last kind (the attacker may re-roll or wins ties), combine rolls with different odds. They get no odds.
    """
    odds = [
        {} if plus == MOST_PLUS
        else dict(zip(RESULTS, roll_odds(Battle(terrain, fort, maritime, plus, deny=True), data.tables), strict=True))
        for terrain, fort, maritime, plus in ROLLS
    ]  # fmt: skip
    return tuple(TallyRow(name=name, values=known) for name, known in zip(roll_names(data), [*odds, {}], strict=True))


ROLL_READING = (
    "Rolls by what helps the defender and by the bonus on the attacker's highest die. Where a side may roll again the "
    "exact odds are those of one way to do so; a difference there says that players decide otherwise."
)
"""Explains the table of rolls to readers of a report."""

TALLIES = (
    DeclaredTally(
        name="land",
        plural="lands",
        shows="map",
        columns=list(LAND_COLUMNS),
        names=attrgetter("catalog.land_names"),
        rows=land_rows,
        parts={"points": 10},
    ),
    DeclaredTally(
        name="roll",
        plural="rolls",
        shows="odds",
        columns=list(RESULTS),
        names=roll_names,
        rows=roll_rows,
        reading=ROLL_READING,
    ),
)
