"""Which lands an empire can conquer, and by which way (rulebook: Conquest, Fleets and caravans)."""

from __future__ import annotations

from sim.games.history_of_the_world import words
from sim.jit import Record, kernel


@kernel
def find_reach(g: Record, t: Record, seat: int) -> None:
    """Fill `g.reach`: for every land the bits of the ways by which the active armies of a seat can conquer it."""
    g.reach[:] = 0
    for land in range(t.lands):
        if g.army[land] == seat and g.active[land] != 0:
            reach_neighbours(g, t, land)
    reach_by_bodies(g, t, seat, True)
    reach_by_bodies(g, t, seat, False)
    for land in range(t.lands):
        if g.army[land] == seat and g.active[land] != 0:
            g.reach[land] = 0


@kernel
def reach_neighbours(g: Record, t: Record, land: int) -> None:
    """Reach what a land borders, or joins by stepping stones."""
    for entry in range(t.borders.shape[1]):
        other = t.borders[land, entry]
        if other < 0:
            break
        g.reach[other] |= 1 << words.BORDER
    for entry in range(t.stepping_stones.shape[1]):
        other = t.stepping_stones[land, entry]
        if other < 0:
            break
        g.reach[other] |= 1 << words.STEPPING_STONES


@kernel
def carries(g: Record, t: Record, body: int, barren_only: bool) -> bool:
    """Tell whether conquests can pass a body: by a disc in it, or a sea by a fleet on an ocean that it adjoins."""
    if barren_only or t.body_kind[body] == words.BARREN:
        return bool(g.disc[body] != 0 and t.body_kind[body] == words.BARREN)
    if g.disc[body] != 0:
        return True
    if t.body_kind[body] == words.SEA:
        for other in range(t.bodies):
            if g.disc[other] != 0 and t.body_kind[other] == words.OCEAN and t.body_borders[body, other] != 0:
                return True
    return False


@kernel
def reach_by_bodies(g: Record, t: Record, seat: int, barren_only: bool) -> None:
    """Reach what chains of fleets and caravans join; a chain of caravans alone is no fleet."""
    g.reached[:] = 0
    for body in range(t.bodies):
        if g.reached[body] == 0 and carries(g, t, body, barren_only) and shore_has_army(g, t, seat, body):
            follow_chain(g, t, body, barren_only)
    # A chain is a fleet's if there is water in it: barren areas count only where they join some.
    way = 1 << (words.CARAVAN if barren_only else words.FLEET)
    for body in range(t.bodies):
        if g.reached[body] != 0 and (barren_only or chain_has_water(g, t, body)):
            for entry in range(t.shores.shape[1]):
                land = t.shores[body, entry]
                if land < 0:
                    break
                g.reach[land] |= way


@kernel
def shore_has_army(g: Record, t: Record, seat: int, body: int) -> bool:
    """Tell whether an active army of a seat stands in a land that touches a body."""
    for entry in range(t.shores.shape[1]):
        land = t.shores[body, entry]
        if land < 0:
            break
        if g.army[land] == seat and g.active[land] != 0:
            return True
    return False


@kernel
def follow_chain(g: Record, t: Record, first: int, barren_only: bool) -> None:
    """Mark all bodies that a chain from a body passes; `reached` holds the number of the chain's first body, plus 1."""
    mark = first + 1
    g.reached[first] = mark
    grown = True
    while grown:
        grown = False
        for body in range(t.bodies):
            if g.reached[body] == 0 and carries(g, t, body, barren_only):
                for other in range(t.bodies):
                    if g.reached[other] == mark and t.body_borders[body, other] != 0:
                        g.reached[body] = mark
                        grown = True
                        break


@kernel
def chain_has_water(g: Record, t: Record, body: int) -> bool:
    """Tell whether the chain that a body belongs to has a sea or an ocean."""
    for other in range(t.bodies):
        if g.reached[other] == g.reached[body] and t.body_kind[other] != words.BARREN:
            return True
    return False
