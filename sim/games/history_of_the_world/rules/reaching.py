"""Which lands an empire can conquer, and in which ways (rulebook: Conquest, Fleets and caravans).

A body is a sea, an ocean or a barren area. A disc is a fleet or a caravan.
"""

from __future__ import annotations

from sim.compiler.kernel import Record, kernel
from sim.games.history_of_the_world.rules import constants
from sim.games.history_of_the_world.rules.state import list_standing

TO_REACH = -1
"""Value of `g.reached` for a body that conquests can pass and that no chain has reached yet."""


@kernel
def find_reach(g: Record, t: Record, seat: int) -> None:
    """Fill `g.reach`: for every land, the ways (as bits) in which the active armies of a seat can conquer it.

    `g.target_land` lists all lands with at least one way.
    """
    g.reach[:] = 0
    list_standing(g, t, seat)
    for place in range(g.standing_count):
        reach_neighbours(g, t, int(g.standing[place]))
    caravans, fleets = 0, 0
    for body in range(t.bodies):
        barren = int(t.body_kind[body] == constants.BARREN)
        caravans += g.disc[body] * barren
        fleets += g.disc[body] * (1 - barren)
    if caravans != 0:
        reach_by_bodies(g, t, seat, True)
    if fleets != 0:
        reach_by_bodies(g, t, seat, False)
    for place in range(g.standing_count):
        g.reach[g.standing[place]] = 0
    list_targets(g, t)


@kernel
def list_targets(g: Record, t: Record) -> None:
    """List in `g.target_land` the lands for which `g.reach` has at least one way."""
    count = 0
    for land in range(t.lands):
        # Each entry is written before the condition is known, because that is faster (see `list_standing`).
        g.target_land[count] = land
        count += int(g.reach[land] != 0)
    g.target_count = count


@kernel
def reach_neighbours(g: Record, t: Record, land: int) -> None:
    """Mark the lands that border a land, or are joined to it by stepping stones, as within reach."""
    for entry in range(t.borders.shape[1]):
        other = t.borders[land, entry]
        if other < 0:
            break
        g.reach[other] |= 1 << constants.BORDER
    for entry in range(t.stepping_stones.shape[1]):
        other = t.stepping_stones[land, entry]
        if other < 0:
            break
        g.reach[other] |= 1 << constants.STEPPING_STONES


@kernel
def list_carriers(g: Record, t: Record, barren_only: bool) -> None:
    """List in `g.carrier` the bodies that conquests can pass, and mark them TO_REACH in `g.reached`.

    They are the bodies with a disc, and the seas that adjoin an ocean with a fleet. With `barren_only`, they are only
    the barren areas with a caravan.
    """
    g.reached[:] = 0
    for body in range(t.bodies):
        barren = t.body_kind[body] == constants.BARREN
        if g.disc[body] != 0 and (barren or not barren_only):
            g.reached[body] = TO_REACH
            if t.body_kind[body] == constants.OCEAN:
                for other in range(t.bodies):
                    if t.body_borders[body, other] != 0 and t.body_kind[other] == constants.SEA:
                        g.reached[other] = TO_REACH
    count = 0
    for body in range(t.bodies):
        g.carrier[count] = body
        count += int(g.reached[body] == TO_REACH)
    g.carrier_count = count


@kernel
def reach_by_bodies(g: Record, t: Record, seat: int, barren_only: bool) -> None:
    """Mark in `g.reach` the lands that a seat can reach by chains of bodies.

    A chain consists of adjoining bodies that conquests can pass. One of them must touch a land with an
    active army. With `barren_only`, only barren areas form chains. Otherwise a chain must contain a sea or an ocean.
    """
    list_carriers(g, t, barren_only)
    for place in range(g.carrier_count):
        body = int(g.carrier[place])
        if g.reached[body] == TO_REACH and shore_has_army(g, t, seat, body):
            follow_chain(g, t, body)
    # Without `barren_only`, a chain needs a sea or an ocean. Barren areas alone do not count as a fleet.
    way = 1 << (constants.CARAVAN if barren_only else constants.FLEET)
    for place in range(g.carrier_count):
        body = int(g.carrier[place])
        if g.reached[body] != TO_REACH and (barren_only or chain_has_water(g, t, body)):
            for entry in range(t.shores.shape[1]):
                land = t.shores[body, entry]
                if land < 0:
                    break
                g.reach[land] |= way


@kernel
def shore_has_army(g: Record, t: Record, seat: int, body: int) -> bool:
    """Tell whether a seat has an active army in a land that touches a body."""
    for entry in range(t.shores.shape[1]):
        land = t.shores[body, entry]
        if land < 0:
            break
        if g.army[land] == seat and g.active[land] != 0:
            return True
    return False


@kernel
def follow_chain(g: Record, t: Record, first: int) -> None:
    """Mark all bodies of the chain that begins at `first`: set their entries of `g.reached` to `first` + 1."""
    mark = first + 1
    g.reached[first] = mark
    grown = True
    while grown:
        grown = False
        for place in range(g.carrier_count):
            body = int(g.carrier[place])
            if g.reached[body] == TO_REACH and joins_chain(g, t, body, mark):
                g.reached[body] = mark
                grown = True


@kernel
def joins_chain(g: Record, t: Record, body: int, mark: int) -> bool:
    """Tell whether a body borders any body whose entry of `g.reached` is `mark`."""
    for place in range(g.carrier_count):
        other = g.carrier[place]
        if g.reached[other] == mark and t.body_borders[body, other] != 0:
            return True
    return False


@kernel
def chain_has_water(g: Record, t: Record, body: int) -> bool:
    """Tell whether the chain to which a body belongs contains a sea or an ocean."""
    if t.body_kind[body] != constants.BARREN:
        return True
    for place in range(g.carrier_count):
        other = g.carrier[place]
        if g.reached[other] == g.reached[body] and t.body_kind[other] != constants.BARREN:
            return True
    return False
