"""Points for regions and structures, and where the score marker lands (rulebook: Scoring)."""

from __future__ import annotations

from sim.compiler.kernel import Record, kernel
from sim.engine.decide import Players, choose
from sim.engine.options import clear_options, offer
from sim.engine.ranking import rank_seats
from sim.engine.state import NO_ERROR
from sim.games.history_of_the_world.rules import constants
from sim.games.history_of_the_world.rules.log import (
    GAINED_POINTS,
    LANDED,
    LATER_TENTHS,
    REGION_POINTS,
    SCORED_REGION,
    SCORED_STRUCTURES,
    STANDS_AT,
    STRUCTURE_POINTS,
    TURN_POINTS,
    count_for,
    count_land,
    log_event,
)

MOST_LANDINGS = 8
"""Maximum number of choices between gaining and losing a point in one move of a marker. After these choices, the player
can only gain points, so that the marker reaches a free space."""


@kernel
def count_armies(g: Record, t: Record) -> None:
    """Count the armies of every seat in every region, active or not."""
    g.counted[:] = 0
    for land in range(t.lands):
        if g.army[land] != constants.NO_SEAT:
            g.counted[t.region[land], g.army[land]] += 1


@kernel
def level_in(g: Record, t: Record, seat: int, region: int) -> int:
    """Return a seat's level in a region by the armies in `g.counted`: 0 none, 1 presence, 2 dominance, 3 control."""
    counted = g.counted[region]
    own = counted[seat]
    if own == 0:
        return 0
    most_of_others, others = 0, 0
    for other in range(g.players):
        if other != seat:
            most_of_others = max(most_of_others, counted[other])
            others += counted[other]
    if own >= t.control_armies and others == 0:
        return 3
    if own >= t.dominance_armies and own > most_of_others:
        return 2
    return 1


@kernel
def points_of_level(t: Record, level: int, presence: int) -> int:
    """Return the points of a region for a level, from the region's presence value."""
    if level == 3:
        return int(t.control_times) * presence
    if level == 2:
        return int(t.dominance_times) * presence
    return presence if level == 1 else 0


@kernel
def structure_points(g: Record, t: Record, seat: int) -> int:
    """Return the points for the structures in lands that a seat occupies."""
    points = 0
    for land in range(t.lands):
        if g.army[land] == seat:
            points += points_of_land(g, t, land)
    return int(points)


@kernel
def points_of_land(g: Record, t: Record, land: int) -> int:
    """Return the points for the structures in a land."""
    towns = g.capital[land] * t.points_capital + g.city[land] * t.points_city
    return int(towns + g.monument[land] * t.points_monument)


@kernel
def score_turn(g: Record, t: Record, players: Players, seat: int) -> None:
    """Score the regions and structures of a seat: add up the points first, then move the marker once."""
    card = int(g.card)
    in_regions = 0
    count_armies(g, t)
    for region in range(t.regions):
        level = level_in(g, t, seat, region)
        points = points_of_level(t, level, int(g.token[region]))
        if points > 0:
            log_event(g, SCORED_REGION, seat, constants.NO_LAND, level - 1, region, points)
            in_regions += points
            if g.log.keeps_pieces != 0:
                note_later(g, t, seat, region, card, points)
                count_lands(g, t, seat, region, points)
    in_structures = structure_points(g, t, seat)
    log_event(g, SCORED_STRUCTURES, seat, constants.NO_LAND, constants.NO_CARD, 0, in_structures)
    g.part[seat, constants.REGIONS] += in_regions
    g.part[seat, constants.STRUCTURES] += in_structures
    count_for(g, seat, card, REGION_POINTS, in_regions)
    count_for(g, seat, card, STRUCTURE_POINTS, in_structures)
    move_marker(g, t, players, seat, in_regions + in_structures)


@kernel
def note_later(g: Record, t: Record, seat: int, region: int, card: int, points: int) -> None:
    """Credit the cards of earlier turns with their part of the `points` that a region now brings.

    Each army in the region has an equal share, in tenths of points. It is credited to the card that brought the army.
    """
    own = g.counted[region, seat]
    for land in range(t.lands):
        if t.region[land] == region and g.army[land] == seat and g.placed_by[land] != card:
            count_for(g, seat, int(g.placed_by[land]), LATER_TENTHS, 10 * points // own)


@kernel
def count_lands(g: Record, t: Record, seat: int, region: int, points: int) -> None:
    """Record what each land of a seat in a region brings, in tenths of points.

    It is an equal share of the region's `points`, plus the points of the structures in the land.
    """
    own = g.counted[region, seat]
    for land in range(t.lands):
        if t.region[land] == region and g.army[land] == seat:
            count_land(g, land, constants.TIMES_SCORED, 1)
            count_land(g, land, constants.LAND_TENTHS, 10 * (points + own * points_of_land(g, t, land)) // own)


@kernel
def gain_points(g: Record, t: Record, players: Players, seat: int, points: int, part: int) -> None:
    """Give a seat points immediately, for one part of its score."""
    log_event(g, GAINED_POINTS, seat, constants.NO_LAND, constants.NO_CARD, part, points)
    g.part[seat, part] += points
    move_marker(g, t, players, seat, points)


@kernel
def move_marker(g: Record, t: Record, players: Players, seat: int, points: int) -> None:
    """Move a seat's marker. While another marker is on its space, the player chooses to gain or lose a point."""
    g.points[seat] += points
    count_for(g, seat, int(g.card), TURN_POINTS, points)
    if points == 0:
        return
    choices = 0
    while is_occupied(g, t, seat) and g.error == NO_ERROR:
        clear_options(g)
        offer(g, 0, constants.NO_CARD, 1, seat)
        if (choices < MOST_LANDINGS or g.asks_always != 0) and (g.points[seat] > 1 or t.landing_below_one != 0):
            offer(g, 0, constants.NO_CARD, -1, seat)
        step = int(g.option_value[choose(g, t, players, seat, constants.LANDING)])
        g.points[seat] += step
        g.part[seat, constants.LANDED] += step
        log_event(g, LANDED, seat, constants.NO_LAND, constants.NO_CARD, step, 0)
        choices += 1
    log_event(g, STANDS_AT, seat, constants.NO_LAND, constants.NO_CARD, 0, int(g.points[seat]))


@kernel
def space_of(t: Record, points: int) -> int:
    """Return the space of the score track on which a marker with this score stands, whichever side of it is up."""
    return int(points % t.track_spaces)


@kernel
def is_occupied(g: Record, t: Record, seat: int) -> bool:
    """Tell whether a seat's marker is on the same space as another marker."""
    space = space_of(t, int(g.points[seat]))
    for other in range(g.players):
        if other != seat and space_of(t, int(g.points[other])) == space:
            return True
    return False


@kernel
def finish(g: Record, t: Record) -> None:
    """End the game: compute score parts, totals and ranks."""
    for seat in range(g.players):
        for part in range(len(constants.SCORE_PARTS)):
            g.score[seat, part] = g.part[seat, part]
        g.score[seat, constants.TOTAL] = g.points[seat]
    totals = g.score[:, constants.TOTAL]
    rank_seats(g, totals, totals)
    g.finished = 1
