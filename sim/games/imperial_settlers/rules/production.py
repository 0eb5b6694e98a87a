"""The production phase (rulebook: Production; open point U3 in rules.toml).

A source is the board, a deal, a Trade Route deal, or one of the seat's production locations. The seat chooses the order
only of the sources that draw cards or offer a choice. For the others the order does not matter.
"""

from __future__ import annotations

from sim.compiler.kernel import Record, kernel
from sim.engine.decide import Players, choose
from sim.engine.effect_stack import push
from sim.engine.options import clear_options, offer
from sim.engine.state import ZONE_FULL
from sim.engine.zones import place_in
from sim.games.imperial_settlers.rules import constants
from sim.games.imperial_settlers.rules.dealing import gain_deal_good
from sim.games.imperial_settlers.rules.log import PRODUCES, log_event
from sim.games.imperial_settlers.rules.moving import gain, works_for
from sim.games.imperial_settlers.rules.razing import converts


@kernel
def begin_production(g: Record, t: Record, seat: int) -> None:
    """Begin the production of a seat: list its sources."""
    g.sources[0] = constants.BOARD
    g.source_count = 1
    for zone in (constants.DEALS, constants.TRADES, constants.LOCATIONS):
        for place in range(g.zone_size[seat, zone]):
            card = g.zone[seat, zone, place]
            if zone != constants.LOCATIONS or t.kind[card] == constants.PRODUCTION:
                add_source(g, card)


@kernel
def add_source(g: Record, card: int) -> None:
    """Add a source to the list; set `g.error` if the list is full."""
    if g.source_count == g.sources.shape[0]:
        g.error = ZONE_FULL
        return
    g.sources[g.source_count] = card
    g.source_count += 1


@kernel
def matters_when(g: Record, t: Record, seat: int, source: int) -> bool:
    """Tell whether the order in which a source produces matters, because it draws cards or offers a choice."""
    if source == constants.BOARD:
        return False
    if place_in(g, seat, constants.LOCATIONS, source) >= 0:
        return bool(t.draws[source, constants.PRODUCES] != 0)
    return bool(t.deal_good[source] == constants.CARD)


@kernel
def take_source(g: Record, t: Record, players: Players, seat: int) -> int:
    """Remove the next source from the list and return it: first the sources whose order does not matter.

    If only others are left, the seat chooses one.
    """
    for place in range(g.source_count):
        if not matters_when(g, t, seat, int(g.sources[place])):
            return take_source_at(g, place)
    clear_options(g)
    for place in range(g.source_count):
        offer(g, 0, int(g.sources[place]), place, seat)
    return take_source_at(g, int(g.option_value[choose(g, t, players, seat, constants.SOURCE)]))


@kernel
def take_source_at(g: Record, place: int) -> int:
    """Remove the source at an index from the list and return it. The other sources keep their order."""
    source = int(g.sources[place])
    for later in range(place + 1, g.source_count):
        g.sources[later - 1] = g.sources[later]
    g.source_count -= 1
    return source


@kernel
def produce_next(g: Record, t: Record, players: Players) -> None:
    """Let a source produce: the next one of the seat whose turn it is."""
    seat = int(g.turn_seat)
    source = take_source(g, t, players, seat)
    log_event(g, PRODUCES, seat, source, 0, 0)
    if source == constants.BOARD:
        for good in range(constants.SUPPLY):
            gain(g, t, seat, good, int(t.board[g.faction[seat], good]), constants.BOARD)
    elif place_in(g, seat, constants.LOCATIONS, source) >= 0:
        produce(g, t, seat, source)
    else:
        produce_from_deal(g, t, players, seat, source)


@kernel
def produce(g: Record, t: Record, seat: int, card: int) -> None:
    """Let a production location produce. Its program is pushed onto the stack."""
    if works_for(g, card, seat) and t.program[card, constants.PRODUCES] != constants.NO_PROGRAM:
        push(g, int(t.program[card, constants.PRODUCES]), seat, card, -1)


@kernel
def produce_from_deal(g: Record, t: Record, players: Players, seat: int, card: int) -> None:
    """Gain the good of a deal, or points in place of the good (School of Diplomacy)."""
    good = int(t.deal_good[card])
    school = convertible_by(g, t, seat, good)
    if school != constants.NO_CARD:
        g.asked_card = school
        if converts(g, t, players, seat, card, good):
            number = int(t.deal[card, good])
            gain(g, t, seat, constants.VP, number * int(t.feature_number[school]), school)
            return
    gain_deal_good(g, t, players, seat, card)


@kernel
def convertible_by(g: Record, t: Record, seat: int, good: int) -> int:
    """Return the location that can turn a deal's good into points in production, or NO_CARD if there is none."""
    if g.features[seat, constants.ON_PRODUCTION] == 0 or good < 0:
        return constants.NO_CARD
    if good >= constants.SUPPLY and t.points_and_cards_convert == 0:
        return constants.NO_CARD
    for place in range(g.zone_size[seat, constants.LOCATIONS]):
        card = int(g.zone[seat, constants.LOCATIONS, place])
        if works_for(g, card, seat) and t.trigger[card] == constants.ON_PRODUCTION:
            return card
    return constants.NO_CARD
