"""Capitals, cities, monuments and forts (rulebook: Structures and forts, Build monuments)."""

from __future__ import annotations

from sim.compiler.kernel import Record, kernel
from sim.engine.decide import Players, choose
from sim.engine.options import clear_options
from sim.games.history_of_the_world.rules import constants
from sim.games.history_of_the_world.rules.log import (
    CITY_BUILT,
    DESTROYED,
    FORT_BUILT,
    FORT_REMOVED,
    MONUMENT_BUILT,
    log_event,
)
from sim.games.history_of_the_world.rules.options import offer_land
from sim.games.history_of_the_world.rules.state import list_standing

CAPITAL_GONE, CITY_GONE, MONUMENT_GONE = range(3)
NOTHING_GONE = -1
CAPITAL_LAND, CITY_LAND, RESOURCE_LAND = range(3)
"""Kinds of sites for monuments, in order of precedence."""


@kernel
def destroy_structure(g: Record, seat: int, land: int) -> int:
    """Destroy one structure in a land, and return its kind.

    A capital becomes a city. Otherwise a city is removed or, if there is none, a monument.
    """
    gone = NOTHING_GONE
    if g.capital[land] != 0:
        g.capital[land] = 0
        g.city[land] = 1
        gone = CAPITAL_GONE
    elif g.city[land] != 0:
        g.city[land] = 0
        g.pieces[constants.CAPITAL_CITY] += 1
        gone = CITY_GONE
    elif g.monument[land] != 0:
        g.monument[land] = 0
        g.pieces[constants.MONUMENT] += 1
        gone = MONUMENT_GONE
    if gone != NOTHING_GONE:
        g.destroyed[seat] += 1
        log_event(g, DESTROYED, seat, land, constants.NO_CARD, gone, 0)
    return gone


@kernel
def has_structure(g: Record, land: int) -> bool:
    """Tell whether a land has a structure; a fort does not count."""
    return bool(g.capital[land] + g.city[land] + g.monument[land] > 0)


@kernel
def remove_fort(g: Record, land: int) -> None:
    """Remove the fort of a land, if there is one."""
    if g.fort[land] != 0:
        g.fort[land] = 0
        g.pieces[constants.FORT] += 1
        log_event(g, FORT_REMOVED, int(g.turn_seat), land, constants.NO_CARD, 0, 0)


@kernel
def clear_structures(g: Record, land: int) -> None:
    """Remove all structures and the fort from a land in which an empire is founded."""
    if g.capital[land] + g.city[land] > 0:
        g.pieces[constants.CAPITAL_CITY] += 1
    g.pieces[constants.MONUMENT] += g.monument[land]
    g.capital[land] = 0
    g.city[land] = 0
    g.monument[land] = 0
    remove_fort(g, land)


@kernel
def place_capital(g: Record, land: int, city: bool) -> None:
    """Place a capital, or a city if `city`. Do nothing if the land has one of them or the supply has no piece left."""
    if g.pieces[constants.CAPITAL_CITY] > 0 and g.capital[land] + g.city[land] == 0:
        g.pieces[constants.CAPITAL_CITY] -= 1
        if city:
            g.city[land] = 1
            log_event(g, CITY_BUILT, int(g.turn_seat), land, constants.NO_CARD, 0, 0)
        else:
            g.capital[land] = 1


@kernel
def may_get_fort(g: Record, seat: int, land: int) -> bool:
    """Tell whether a seat may build a fort in a land.

    Its army there must be active, the land must have no fort, and the supply must have a fort left.
    """
    return bool(g.army[land] == seat and g.active[land] != 0 and g.fort[land] == 0 and g.pieces[constants.FORT] > 0)


@kernel
def build_fort(g: Record, seat: int, land: int, card: int) -> None:
    """Build a fort. `card` is the card whose effect builds it, or NO_CARD if the seat has paid for it."""
    g.fort[land] = 1
    g.pieces[constants.FORT] -= 1
    g.forts_built[seat] += 1
    log_event(g, FORT_BUILT, seat, land, card, 0, 0)


# ---- Monuments ----


@kernel
def icons_of(g: Record, t: Record, seat: int, inactive_too: bool) -> int:
    """Count the resource icons in the lands of a seat's active armies or, with `inactive_too`, of all its armies."""
    icons = 0
    for land in range(t.lands):
        if g.army[land] == seat and (g.active[land] != 0 or inactive_too):
            icons += t.resource[land]
    return int(icons)


@kernel
def icons_a_monument(g: Record) -> int:
    """Return how many resource icons a monument needs. Enhancements that change this do not apply to a kingdom."""
    needed = int(g.icons_needed[0])
    if g.waiting == constants.NO_CARD:
        needed = min(needed, int(g.icons_needed[1]))
    return max(1, needed)


@kernel
def site_rank(g: Record, t: Record, seat: int, land: int) -> int:
    """Return which kind of site for a monument a land is, such as CAPITAL_LAND; -1 if it is not a site."""
    if g.army[land] != seat or g.active[land] == 0 or g.monument[land] != 0:
        return -1
    if g.capital[land] != 0:
        return CAPITAL_LAND
    if g.city[land] != 0:
        return CITY_LAND
    return RESOURCE_LAND if t.resource[land] > 0 else -1


@kernel
def build_monuments(g: Record, t: Record, players: Players, seat: int) -> None:
    """Build the mandatory monuments.

    Their number depends on the resource icons in lands with active armies. It is limited by the sites and the supply.
    """
    for _ in range(icons_of(g, t, seat, False) // icons_a_monument(g)):
        if g.pieces[constants.MONUMENT] == 0:
            return
        list_sites(g, t, seat)
        if g.option_count == 0:
            return
        land = int(g.option_land[choose(g, t, players, seat, constants.SITE)])
        g.monument[land] = 1
        g.pieces[constants.MONUMENT] -= 1
        g.monuments_built[seat] += 1
        log_event(g, MONUMENT_BUILT, seat, land, constants.NO_CARD, 0, 0)


@kernel
def list_sites(g: Record, t: Record, seat: int) -> None:
    """List the sites for the next monument as options: all sites of the best kind that the seat has."""
    clear_options(g)
    list_standing(g, t, seat)
    for rank in range(CAPITAL_LAND, RESOURCE_LAND + 1):
        for place in range(g.standing_count):
            land = int(g.standing[place])
            if site_rank(g, t, seat, land) == rank:
                offer_land(g, 0, land, 0, seat)
        if g.option_count > 0:
            return
