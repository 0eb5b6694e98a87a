"""Exchange of pairs of workers (rulebook: Exchange; the Oasis)."""

from __future__ import annotations

from sim.choosing import Players, choose
from sim.games.imperial_settlers import words
from sim.games.imperial_settlers.drawing import can_draw, draw_one
from sim.games.imperial_settlers.log import EXCHANGED, note
from sim.games.imperial_settlers.moving import gain, works_for
from sim.jit import Record, kernel
from sim.kit.options import clear_options, offer


@kernel
def has_pair(g: Record, t: Record, seat: int) -> bool:
    """Tell whether a seat has a pair of workers."""
    return bool(g.goods[seat, words.WORKER] >= t.pair)


@kernel
def list_exchanges(g: Record, t: Record, seat: int) -> None:
    """List what a pair of workers can be exchanged for."""
    for resource in range(words.RESOURCES):
        offer(g, words.EXCHANGE, words.NO_CARD, resource, seat)
    for deck in (words.COMMON_DECK, words.FACTION_DECK):
        if can_draw(g, t, seat, deck):
            offer(g, words.EXCHANGE, words.NO_CARD, deck, seat)


@kernel
def exchange_pair(g: Record, t: Record, seat: int, good: int) -> None:
    """Exchange one pair of workers for a resource, or for a card of a deck."""
    g.goods[seat, words.WORKER] -= t.pair
    g.exchanged[seat] += 1
    note(g, EXCHANGED, seat, words.NO_CARD, good, int(t.pair))
    if good < words.RESOURCES:
        gain(g, t, seat, good, 1, words.NO_CARD)
    else:
        draw_one(g, t, seat, good)
    for other in range(g.players):
        if other != seat and g.features[other, words.ON_EXCHANGE] > 0:
            answer_exchange(g, t, other)
    g.exchanging = int(has_pair(g, t, seat))


@kernel
def answer_exchange(g: Record, t: Record, seat: int) -> None:
    """Let features gain from a pair of workers that an opponent has exchanged, up to their cap of the round."""
    for zone in (words.LOCATIONS, words.CONTROLLED):
        for place in range(g.zone_size[seat, zone]):
            card = int(g.zone[seat, zone, place])
            answers = works_for(g, card, seat) and t.trigger[card] == words.ON_EXCHANGE
            if answers and g.gained[card] < t.feature_number[card]:
                row = t.code[t.program[card, words.FEATURES]]
                g.gained[card] += 1
                gain(g, t, seat, int(row[words.A]), int(row[words.B]), card)


@kernel
def exchange_more(g: Record, t: Record, players: Players, seat: int) -> None:
    """Let a seat exchange one more pair in the same action, or stop."""
    clear_options(g)
    list_exchanges(g, t, seat)
    offer(g, words.EXCHANGE, words.NO_CARD, words.STOP, seat)
    good = int(g.option_value[choose(g, t, players, seat, words.MORE_PAIRS)])
    if good == words.STOP:
        g.exchanging = 0
    else:
        exchange_pair(g, t, seat, good)
