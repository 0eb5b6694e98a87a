"""Building tiles, population and medals (rulebook: Build phase)."""

from __future__ import annotations

from sim.compiler.kernel import Record, kernel
from sim.engine.options import offer
from sim.games.glory_of_rome.rules import constants
from sim.games.glory_of_rome.rules.conditions import province_before
from sim.games.glory_of_rome.rules.glory import gain_denarii, gain_glory
from sim.games.glory_of_rome.rules.log import BUILT, MEDAL_TAKEN, log_event
from sim.games.glory_of_rome.rules.trading import most_brought


@kernel
def can_build(g: Record, t: Record, seat: int, kind: int, denarii: int) -> bool:
    """Tell whether a seat with `denarii` denarii can place the next tile of a type in the province in front of it."""
    level = int(g.building[province_before(g, seat), kind])
    return bool(level < constants.LEVELS and g.tiles[kind, level] > 0 and t.price[kind, level] <= denarii)


@kernel
def denarii_while_building(g: Record, t: Record, seat: int) -> int:
    """Return a seat's denarii, including those that trade cards can bring while it builds."""
    return int(g.denarii[seat] + most_brought(g, t, seat, constants.BUILD, constants.DENARII, constants.NO_CARD))


@kernel
def offer_tiles(g: Record, t: Record, seat: int) -> None:
    """Offer the tiles that a seat can place."""
    denarii = denarii_while_building(g, t, seat)
    province = province_before(g, seat)
    for kind in range(g.building.shape[1]):
        if can_build(g, t, seat, kind, denarii):
            offer(g, constants.PLACE_TILE, kind, int(g.building[province, kind]) + 1, seat)


@kernel
def build(g: Record, t: Record, seat: int, kind: int) -> None:
    """Pay for the next tile of a type, place it, and gain its glory.

    The first tile of level III of a type also brings the medal.
    """
    province = province_before(g, seat)
    level = int(g.building[province, kind])
    price = int(t.price[kind, level])
    log_event(g, BUILT, seat, kind, constants.NO_CARD, level + 1, price)
    gain_denarii(g, seat, -price)
    g.tiles[kind, level] -= 1
    g.building[province, kind] = level + 1
    g.tiles_built[seat, kind] += 1
    gain_glory(g, t, seat, int(t.building_glory[kind, level]))
    if level + 1 == constants.LEVELS and g.medal[kind] == constants.NO_SEAT:
        g.medal[kind] = seat
        log_event(g, MEDAL_TAKEN, seat, kind, constants.NO_CARD, 0, 0)
