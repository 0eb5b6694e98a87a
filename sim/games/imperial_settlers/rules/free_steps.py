"""Free steps in a turn: defence token, samurai, Gate, Shrine (rulebook: Protection; U4 and U20 in rules.toml)."""

from __future__ import annotations

from sim.compiler.kernel import Record, kernel
from sim.engine.options import offer
from sim.engine.zones import put, take_out
from sim.games.imperial_settlers.rules import constants
from sim.games.imperial_settlers.rules.knowledge import lay_unseen
from sim.games.imperial_settlers.rules.log import BANKED, DEFENDED, PLACED_SAMURAI, TUCKED, log_event
from sim.games.imperial_settlers.rules.moving import gain_points, works_for


@kernel
def may_carry_defence(g: Record, t: Record, card: int) -> bool:
    """Tell whether a location can get a defence token: it must be a common location that has none."""
    return bool(t.deck[card] == constants.COMMON and g.defence[card] == 0)


@kernel
def may_carry_samurai(g: Record, t: Record, seat: int, card: int) -> bool:
    """Tell whether a seat's location can get a samurai: it must be a faction location that has none."""
    return bool(t.deck[card] == g.faction[seat] and g.samurai[card] == 0)


@kernel
def list_free_steps(g: Record, t: Record, seat: int) -> None:
    """List the free steps that a seat can take."""
    defends = g.goods[seat, constants.DEFENCE] > 0
    guards = t.samurai[g.faction[seat]] != 0 and g.goods[seat, constants.WORKER] > 0
    tucks_or_banks = g.features[seat, constants.TUCKS] + g.features[seat, constants.BANKS] > 0
    if not defends and not guards and not tucks_or_banks:
        return
    for place in range(g.zone_size[seat, constants.LOCATIONS]):
        card = int(g.zone[seat, constants.LOCATIONS, place])
        if defends and may_carry_defence(g, t, card):
            offer(g, constants.DEFEND, card, 0, seat)
        elif guards and may_carry_samurai(g, t, seat, card):
            offer(g, constants.SAMURAI, card, 0, seat)
        if tucks_or_banks:
            list_on_location(g, t, seat, card)
    if tucks_or_banks:
        for place in range(g.zone_size[seat, constants.CONTROLLED]):
            list_on_location(g, t, seat, int(g.zone[seat, constants.CONTROLLED, place]))


@kernel
def list_on_location(g: Record, t: Record, seat: int, card: int) -> None:
    """List the hand cards that a seat can tuck under a Gate, or the resources that it can store on a Shrine."""
    if not works_for(g, card, seat):
        return
    if t.trigger[card] == constants.TUCKS:
        for place in range(g.zone_size[seat, constants.HAND]):
            offer(g, constants.TUCK, int(g.zone[seat, constants.HAND, place]), card, seat)
    elif t.trigger[card] == constants.BANKS:
        for good in range(constants.GOLD + 1):
            listed = (t.feature_goods[card] >> good) & 1 != 0 or (good == constants.GOLD and t.shrine_takes_gold != 0)
            if listed and g.goods[seat, good] > 0:
                offer(g, constants.BANK, card, good, seat)


@kernel
def take_free_step(g: Record, t: Record, seat: int, kind: int, card: int, value: int) -> None:
    """Take a free step: an option of `list_free_steps`."""
    g.free_step = 1
    if kind == constants.DEFEND:
        g.goods[seat, constants.DEFENCE] -= 1
        g.defence[card] = 1
        log_event(g, DEFENDED, seat, card, 0, 0)
    elif kind == constants.SAMURAI:
        g.goods[seat, constants.WORKER] -= 1
        g.samurai[card] = 1
        log_event(g, PLACED_SAMURAI, seat, card, 0, 0)
    elif kind == constants.TUCK:
        tuck(g, t, seat, card, value)
    else:
        g.goods[seat, value] -= 1
        g.banked[card, value] += 1
        log_event(g, BANKED, seat, card, value, 1)


@kernel
def tuck(g: Record, t: Record, seat: int, card: int, gate: int) -> None:
    """Tuck a hand card under a Gate, unseen by others, and gain points."""
    take_out(g, seat, constants.HAND, card)
    put(g, g.owner[gate], constants.TUCKED, card)
    lay_unseen(g, t, seat, card)
    g.host[card] = gate
    g.tucked[gate] += 1
    log_event(g, TUCKED, seat, card, gate, 0)
    gain_points(g, t, seat, int(t.feature_number[gate]), gate)
