"""Decides whether a program can be executed: its targets must exist (rulebook: Activate).

An operation that needs a target, such as an opponent's location, cannot be executed without one. Then the location with
the operation cannot be activated. Operations that only gain something can always be executed.
`card` is the card with the program, and `at` a row of the effect code.
"""

from __future__ import annotations

from sim.compiler.kernel import Record, kernel
from sim.engine.options import offer
from sim.games.imperial_settlers.rules import constants
from sim.games.imperial_settlers.rules.building import deck_bit
from sim.games.imperial_settlers.rules.dealing import may_be_dealt, offer_deals_of_others, offer_own_deals, offer_trades
from sim.games.imperial_settlers.rules.free_steps import may_carry_samurai
from sim.games.imperial_settlers.rules.moving import works_for
from sim.games.imperial_settlers.rules.payment import add_due, add_use, nothing_due, payable
from sim.games.imperial_settlers.rules.razing import may_be_razed_from_hand
from sim.games.imperial_settlers.rules.targets import (
    is_open_to,
    may_be_razed_by_effect,
    offer_locations_of_others,
    protection,
)


@kernel
def can_follow(g: Record, t: Record, seat: int, card: int, start: int, times: int) -> bool:
    """Tell whether all operations of a program can be executed `times` times. The uses have not been paid for yet."""
    at = start
    while t.code[at, constants.OPERATION] != constants.OP_END:
        if not can_do(g, t, seat, card, at, times):
            return False
        at = int(t.code[at, constants.NEXT])
    return True


@kernel
def branch_is_open(g: Record, t: Record, seat: int, card: int, branch: int, end: int) -> bool:
    """Tell whether all operations of a branch can be executed. `end` is the row after the choice."""
    at = branch + 1
    while at != end:
        if not can_do(g, t, seat, card, at, 1):
            return False
        at = int(t.code[at, constants.NEXT])
    return True


@kernel
def can_do(g: Record, t: Record, seat: int, card: int, at: int, times: int) -> bool:
    """Tell whether an operation has what it needs for `times` uses in one action."""
    row = t.code[at]
    operation = int(row[constants.OPERATION])
    if operation < constants.RUN_PRODUCTION:
        return True
    if operation == constants.SWAP:
        return has_for_swap(g, seat, int(row[constants.A]), int(row[constants.B]))
    if operation == constants.OPPONENT_DISCARDS:
        return t.desert_needs_card == 0 or anyone_has_cards(g, seat)
    if operation == constants.PLACE_SAMURAI:
        return True
    # The targets are added after the present options, counted, and removed again.
    count = int(g.option_count)
    list_meant(g, t, seat, card, at)
    found = g.option_count - count
    g.option_count = count
    # A location that has been reset no longer counts as used, so each use needs another location to reset.
    return bool(found >= (times if operation == constants.RESET_ACTION else 1))


@kernel
def has_for_swap(g: Record, seat: int, good: int, number: int) -> bool:
    """Tell whether a seat can pay `number` goods of one kind. Gold can replace resources."""
    gold = g.goods[seat, constants.GOLD] if good < constants.RESOURCES else 0
    return bool(g.goods[seat, good] + gold >= number)


@kernel
def anyone_has_cards(g: Record, seat: int) -> bool:
    """Tell whether any opponent that may be targeted has a hand card."""
    for other in range(g.players):
        if is_open_to(g, seat, other) and g.zone_size[other, constants.HAND] > 0:
            return True
    return False


@kernel
def list_meant(g: Record, t: Record, seat: int, card: int, at: int) -> None:
    """Add the possible targets of a card's operation to the options."""
    row = t.code[at]
    operation = int(row[constants.OPERATION])
    if operation in (
        constants.RAZE_OPPONENT,
        constants.REMOVE_LOCATION,
        constants.BLOCK_ACTION,
        constants.CONTROL_LOCATION,
    ):
        offer_locations_of_others(g, t, seat, operation)
    elif operation in (constants.RUN_PRODUCTION, constants.RESET_ACTION, constants.RAZE_OWN):
        list_own_locations(g, t, seat, card, operation, int(row[constants.A]))
    elif operation == constants.GAIN_DEAL_GOOD:
        offer_own_deals(g, t, seat, True)
    elif operation in (constants.DISCARD_DEAL, constants.TAKE_DEAL):
        offer_deals_of_others(g, t, seat, operation == constants.DISCARD_DEAL)
    elif operation == constants.TRADE_DEAL:
        offer_trades(g, t, seat)
    elif operation in (constants.BUILD_FROM_HAND, constants.FOUND_FROM_HAND):
        list_hand_cards(g, t, seat, card, operation, int(row[constants.A]))
    elif operation == constants.BUILD_DEAL:
        list_deals_to_build(g, t, seat, card)
    elif operation == constants.TAKE_RESOURCE:
        list_resources(g, t, seat, int(row[constants.A]))
    elif operation == constants.COPY_RAZE_GOOD:
        list_raze_goods(g, t, seat)
    elif operation == constants.RAZE_EITHER:
        list_raze_either(g, t, seat, int(row[constants.A]), int(row[constants.B]))
    elif operation == constants.OPPONENT_DISCARDS:
        for other in range(g.players):
            if is_open_to(g, seat, other) and g.zone_size[other, constants.HAND] > 0:
                offer(g, 0, constants.NO_CARD, 0, other)
    elif operation == constants.PLACE_SAMURAI:
        for place in range(g.zone_size[seat, constants.LOCATIONS]):
            own = int(g.zone[seat, constants.LOCATIONS, place])
            if may_carry_samurai(g, t, seat, own):
                offer(g, 0, own, 0, seat)


@kernel
def list_own_locations(g: Record, t: Record, seat: int, card: int, operation: int, which: int) -> None:
    """List the locations that work for a seat and that an operation with argument A `which` may target.

    Those that the seat controls in other empires cannot be razed.
    """
    for zone in (constants.LOCATIONS, constants.CONTROLLED):
        for place in range(g.zone_size[seat, zone]):
            own = int(g.zone[seat, zone, place])
            if works_for(g, own, seat) and is_meant(g, t, seat, card, own, operation, which):
                offer(g, 0, own, 0, seat)


@kernel
def is_meant(g: Record, t: Record, seat: int, card: int, own: int, operation: int, which: int) -> bool:
    """Tell whether an operation of `card`, with argument A `which`, may target the seat's location `own`."""
    if operation == constants.RESET_ACTION:
        return bool(own != card and t.kind[own] == constants.ACTION and g.used[own] > 0)
    if operation == constants.RAZE_OWN:
        return bool(g.owner[own] == seat and which & deck_bit(t, own) != 0 and t.razeable[own] != 0)
    return t.kind[own] == constants.PRODUCTION and may_run(g, t, card, own, which)


@kernel
def may_run(g: Record, t: Record, card: int, own: int, other_only: int) -> bool:
    """Tell whether `card` may let the production location `own` produce. With `other_only`, `own` cannot be `card`.

    If `own` in turn lets another location produce, it may do so only once in a chain, and only if a setting allows it.
    """
    if other_only != 0 and own == card:
        return False
    start = int(t.program[own, constants.PRODUCES])
    if start == constants.NO_PROGRAM:
        return False
    chains = t.code[start, constants.OPERATION] == constants.RUN_PRODUCTION
    # Marks of a finished chain do not count in the next chain.
    return bool(not chains or (t.farmers_chain != 0 and (g.depth == 0 or g.ran[own] == 0)))


@kernel
def list_hand_cards(g: Record, t: Record, seat: int, card: int, operation: int, decks: int) -> None:
    """List the hand cards of some decks (bits) that `operation` can build or, for FOUND_FROM_HAND, make foundations."""
    if operation == constants.FOUND_FROM_HAND and t.sanctuary_takes != 0:
        decks = constants.OF_COMMON | constants.OF_FACTION
    for place in range(g.zone_size[seat, constants.HAND]):
        own = int(g.zone[seat, constants.HAND, place])
        founds = operation == constants.FOUND_FROM_HAND
        if decks & deck_bit(t, own) != 0 and (founds or can_pay_besides(g, t, seat, card, own)):
            offer(g, 0, own, 0, seat)


@kernel
def list_deals_to_build(g: Record, t: Record, seat: int, card: int) -> None:
    """List the seat's own deals that can be built as locations.

    These are deals with faction cards under the seat's board. The seat must be able to pay for the card.
    """
    for place in range(g.zone_size[seat, constants.DEALS]):
        own = int(g.zone[seat, constants.DEALS, place])
        if may_be_dealt(t, own) and can_pay_besides(g, t, seat, card, own):
            offer(g, constants.DEALS, own, 0, seat)


@kernel
def can_pay_besides(g: Record, t: Record, seat: int, card: int, built: int) -> bool:
    """Tell whether a seat can pay the goods that `built` costs.

    If the use of `card` has not been paid yet, the seat must be able to pay for both.
    """
    nothing_due(g)
    if g.depth == 0:
        add_use(g, t, card, 1)
    add_due(g, t.cost[built])
    return payable(g, seat)


@kernel
def list_resources(g: Record, t: Record, seat: int, goods: int) -> None:
    """List the goods that can be taken from the supplies of opponents."""
    for other in range(g.players):
        if is_open_to(g, seat, other):
            for good in range(constants.SUPPLY):
                if (goods >> good) & 1 != 0 and g.goods[other, good] > 0:
                    offer(g, 0, constants.NO_CARD, good, other)


@kernel
def list_raze_goods(g: Record, t: Record, seat: int) -> None:
    """List the goods in raze fields of opponents' locations (Pack; open point U18 in rules.toml)."""
    for other in range(constants.MAX_SEATS):
        if not is_open_to(g, seat, other):
            continue
        for place in range(g.zone_size[other, constants.LOCATIONS]):
            own = int(g.zone[other, constants.LOCATIONS, place])
            if t.pack_needs_razeable == 0 or t.razeable[own] != 0:
                for good in range(len(constants.GOODS)):
                    if t.raze[own, good] > 0:
                        offer(g, 0, own, good, other)


@kernel
def list_raze_either(g: Record, t: Record, seat: int, tokens_hand: int, tokens_location: int) -> None:
    """List what the seat can raze, and has the raze tokens for: hand cards, and opponents' locations.

    A hand card takes `tokens_hand` tokens. A location takes `tokens_location`, and more if it is protected.
    """
    held = g.goods[seat, constants.RAZE]
    if held >= tokens_hand:
        for place in range(g.zone_size[seat, constants.HAND]):
            own = int(g.zone[seat, constants.HAND, place])
            if may_be_razed_from_hand(g, t, seat, own):
                offer(g, constants.RAZE_HAND, own, tokens_hand, seat)
    for other in range(constants.MAX_SEATS):
        if not is_open_to(g, seat, other):
            continue
        for place in range(g.zone_size[other, constants.LOCATIONS]):
            own = int(g.zone[other, constants.LOCATIONS, place])
            tokens = tokens_location + protection(g, own)
            if tokens <= held and may_be_razed_by_effect(t, own):
                offer(g, constants.RAZE_LOCATION, own, tokens, other)
