"""Exchange of pairs of workers (rulebook: Exchange; the Oasis)."""

from __future__ import annotations

from sim.compiler.kernel import Record, kernel
from sim.engine.decide import Players, choose
from sim.engine.options import clear_options, offer
from sim.games.imperial_settlers.rules import constants
from sim.games.imperial_settlers.rules.drawing import can_draw, draw_one
from sim.games.imperial_settlers.rules.log import EXCHANGED, log_event
from sim.games.imperial_settlers.rules.moving import gain, works_for


@kernel
def has_pair(g: Record, t: Record, seat: int) -> bool:
    """Tell whether a seat has a pair of workers."""
    return bool(g.goods[seat, constants.WORKER] >= t.pair)


@kernel
def list_exchanges(g: Record, t: Record, seat: int) -> None:
    """List what a pair of workers can be exchanged for."""
    for resource in range(constants.RESOURCES):
        offer(g, constants.EXCHANGE, constants.NO_CARD, resource, seat)
    for deck in (constants.COMMON_DECK, constants.FACTION_DECK):
        if can_draw(g, t, seat, deck):
            offer(g, constants.EXCHANGE, constants.NO_CARD, deck, seat)


@kernel
def exchange_pair(g: Record, t: Record, seat: int, good: int) -> None:
    """Exchange one pair of workers for a resource, or for a card of a deck."""
    g.goods[seat, constants.WORKER] -= t.pair
    g.exchanged[seat] += 1
    log_event(g, EXCHANGED, seat, constants.NO_CARD, good, int(t.pair))
    if good < constants.RESOURCES:
        gain(g, t, seat, good, 1, constants.NO_CARD)
    else:
        draw_one(g, t, seat, good)
    for other in range(g.players):
        if other != seat and g.features[other, constants.ON_EXCHANGE] > 0:
            answer_exchange(g, t, other)
    g.exchanging = int(has_pair(g, t, seat))


@kernel
def answer_exchange(g: Record, t: Record, seat: int) -> None:
    """Let a seat gain what its ON_EXCHANGE features bring, because another seat has exchanged a pair of workers.

    Each feature has a limit per round.
    """
    for zone in (constants.LOCATIONS, constants.CONTROLLED):
        for place in range(g.zone_size[seat, zone]):
            card = int(g.zone[seat, zone, place])
            answers = works_for(g, card, seat) and t.trigger[card] == constants.ON_EXCHANGE
            if answers and g.gained[card] < t.feature_number[card]:
                row = t.code[t.program[card, constants.FEATURES]]
                g.gained[card] += 1
                gain(g, t, seat, int(row[constants.A]), int(row[constants.B]), card)


@kernel
def exchange_more(g: Record, t: Record, players: Players, seat: int) -> None:
    """Let a seat exchange one more pair of workers in the same action, or stop."""
    clear_options(g)
    list_exchanges(g, t, seat)
    offer(g, constants.EXCHANGE, constants.NO_CARD, constants.STOP, seat)
    good = int(g.option_value[choose(g, t, players, seat, constants.MORE_PAIRS)])
    if good == constants.STOP:
        g.exchanging = 0
    else:
        exchange_pair(g, t, seat, good)
