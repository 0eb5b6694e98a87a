"""Cleanup: storing and discarding goods, and the next round (docs/rules-imperial-settlers.md: Clean-up)."""

from __future__ import annotations

from sim.compiler.kernel import Record, kernel
from sim.engine.seating import seat_after
from sim.games.imperial_settlers.rules import constants
from sim.games.imperial_settlers.rules.log import GAVE_BACK, LOST, PHASE_BEGINS, STORED, log_event, log_good
from sim.games.imperial_settlers.rules.lookout import begin_round
from sim.games.imperial_settlers.rules.moving import give_back, works_for


@kernel
def clean_up(g: Record, t: Record) -> None:
    """Store and discard goods. Then begin the next round or, in the solo game, the attack phase."""
    log_event(g, PHASE_BEGINS, constants.NO_SEAT, constants.NO_CARD, constants.CLEANUP, 0)
    for seat in range(g.players):
        store(g, t, seat)
    for seat in range(constants.MAX_SEATS):
        clear_locations(g, t, seat)
    g.passed[:] = 0
    if g.solo != 0:
        g.turn_seat = constants.NO_SEAT
        g.phase = constants.ATTACK
    else:
        next_round(g, t)


@kernel
def next_round(g: Record, t: Record) -> None:
    """Move the round marker forward, pass the first-player token to the left, and begin the round."""
    g.rounds += 1
    g.first_seat = seat_after(g, int(g.first_seat))
    begin_round(g, t)


@kernel
def store(g: Record, t: Record, seat: int) -> None:
    """Let a seat keep the goods that its empire or its locations store. All other goods are discarded."""
    kept = stored_goods(g, t, seat)
    for good in range(constants.SUPPLY):
        if (kept >> good) & 1 != 0:
            log_good(g, STORED, seat, constants.NO_CARD, good, int(g.goods[seat, good]))
        else:
            log_good(g, LOST, seat, constants.NO_CARD, good, int(g.goods[seat, good]))
            g.goods[seat, good] = 0


@kernel
def stored_goods(g: Record, t: Record, seat: int) -> int:
    """Return the kinds of goods (bits) that a seat keeps in cleanup."""
    kept = 0
    for good in range(constants.SUPPLY):
        if t.stores[g.faction[seat], good] != 0:
            kept |= 1 << good
    if g.features[seat, constants.STORES] == 0:
        return kept
    for zone in (constants.LOCATIONS, constants.CONTROLLED):
        for place in range(g.zone_size[seat, zone]):
            card = int(g.zone[seat, zone, place])
            if works_for(g, card, seat) and t.trigger[card] == constants.STORES:
                kept |= int(t.feature_goods[card])
    return kept


@kernel
def clear_locations(g: Record, t: Record, seat: int) -> None:
    """Discard the goods and defence tokens on a seat's locations, and make the locations usable again.

    Locations that other seats control go back to the seat. Samurai, cards under a Gate and resources on a Shrine stay.
    """
    for place in range(g.zone_size[seat, constants.LOCATIONS]):
        card = int(g.zone[seat, constants.LOCATIONS, place])
        g.used[card] = 0
        g.blocked[card] = 0
        g.defence[card] = 0
        g.gained[card] = 0
        g.paid[card, :] = 0
        if g.holder[card] != seat:
            log_event(g, GAVE_BACK, int(g.holder[card]), card, seat, 0)
            give_back(g, t, card)
