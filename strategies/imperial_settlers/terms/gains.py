"""What programs of cards gain: goods as bundles, and the worth of everything else."""

from __future__ import annotations

from sim.compiler.kernel import Record, kernel
from sim.games.imperial_settlers.rules import constants
from sim.games.imperial_settlers.rules.moving import works_for
from strategies.imperial_settlers.outlook import simple_worth
from strategies.imperial_settlers.terms.bundles import (
    GOODS_ONLY,
    GUARDS,
    MOST_POINTS,
    PAID,
    POINTS_AT,
    cards_of,
    number_of,
    of_good,
    points_of,
)
from strategies.imperial_settlers.weights import (
    ACTION_OF,
    CARD_FIELDS,
    DYNAMIC,
    N_FACTION,
    N_HORIZON,
    N_LOSS,
    N_MORE,
    N_PRICE,
    N_RAZE,
    N_ROUNDS,
    P_DENY,
    PRODUCTION_OF,
)

LONGEST = 24
"""Maximum number of operations that are read from a program."""
USUAL_LOCATION = 2.6
"""Assumed worth of an opponent's location as the target of an effect, as long as the target has not been chosen."""
TWO_OR_MORE = 2


@kernel
def worth_of_bundle(g: Record, bundle: int) -> float:
    """Return the worth of a bundle: its goods at the prices of later rounds, its points and its cards."""
    return goods_worth(g, bundle) + worth_beside_goods(g, bundle)


@kernel
def goods_worth(g: Record, bundle: int) -> float:
    """Return the worth of the goods in a bundle, without points and cards."""
    if bundle & GOODS_ONLY == 0:
        return 0.0
    worth = 0.0
    for good in range(PAID):
        worth += number_of(bundle, good) * g.notes[N_PRICE + good]
    return worth


@kernel
def worth_beside_goods(g: Record, bundle: int) -> float:
    """Return the worth of the points and cards in a bundle, including what features gain for points."""
    if bundle >> POINTS_AT == 0:
        return 0.0
    points = points_of(bundle)
    worth = points + cards_of(bundle) * g.notes[N_PRICE + constants.CARD]
    if points >= TWO_OR_MORE:
        worth += g.notes[N_MORE]
    return float(worth)


@kernel
def joined_gains(one: int, other: int) -> int:
    """Return the sum of two bundles, each good capped at the maximum of its field."""
    if one == 0:
        return other
    both = one + other
    fits = points_of(one) + points_of(other) <= MOST_POINTS and cards_of(one) + cards_of(other) <= MOST_POINTS
    if fits and both & GUARDS == 0:
        return both
    both = 0
    for good in range(PAID):
        both += of_good(good, number_of(one, good) + number_of(other, good))
    both += of_good(constants.VP, points_of(one) + points_of(other))
    return both + of_good(constants.CARD, cards_of(one) + cards_of(other))


@kernel
def doubled(bundle: int) -> int:
    """Return a bundle added to itself."""
    return joined_gains(bundle, bundle)


# ---- Programs that gain goods ----


@kernel
def goods_of_program(g: Record, t: Record, seat: int, card: int, at: int, built: int) -> int:
    """Return the goods that a seat gains from a program, as a bundle. `built` is 0 for a card not yet built."""
    if at == constants.NO_PROGRAM:
        return 0
    bundle = 0
    for _ in range(LONGEST):
        operation = int(t.code[at, constants.OPERATION])
        if operation == constants.OP_END:
            break
        if operation in (constants.OP_CHOOSE, constants.OP_MAY):
            best = best_branch(g, t, at)
            if best >= 0:
                for row in range(best + 1, int(t.code[best, constants.NEXT])):
                    bundle = joined_gains(bundle, goods_of_operation(g, t, seat, card, row, built))
        else:
            bundle = joined_gains(bundle, goods_of_operation(g, t, seat, card, at, built))
        at = int(t.code[at, constants.NEXT])
    return bundle


@kernel
def best_branch(g: Record, t: Record, at: int) -> int:
    """Return the row of the best branch of a choice; -1 if none is worth taking."""
    best = -1
    most = 0.0
    branch = at + 1
    for _ in range(int(t.code[at, constants.A])):
        behind = int(t.code[branch, constants.NEXT])
        worth = 0.0
        for row in range(branch + 1, behind):
            worth += simple_worth(g, t, row)
        if worth > most:
            most = worth
            best = branch
        branch = behind
    return best


@kernel
def goods_of_operation(g: Record, t: Record, seat: int, card: int, at: int, built: int) -> int:
    """Return the goods that a seat gains from one operation, as a bundle."""
    operation = int(t.code[at, constants.OPERATION])
    first = int(t.code[at, constants.A])
    number = int(t.code[at, constants.B])
    if operation == constants.GAIN:
        return of_good(first, number)
    if operation == constants.GAIN_PER_COLOUR:
        colour = int(t.code[at, constants.C])
        count = int(g.colours[seat, colour])
        if built == 0:
            count += (int(t.colours[card]) >> colour) & 1
        return of_good(first, min(number * count, int(t.code[at, constants.D])))
    if operation == constants.GAIN_PER_SAMURAI:
        return of_good(first, min(number * samurai_of(g, seat), int(t.code[at, constants.C])))
    if operation == constants.DRAW_CARDS:
        return of_good(constants.CARD, number)
    if operation == constants.LOOK:
        return of_good(constants.CARD, int(t.code[at, constants.C]))
    if operation == constants.RUN_PRODUCTION:
        return producer_goods(g, t, seat, card)
    if operation == constants.SWAP:
        return of_good(int(t.code[at, constants.C]), int(t.code[at, constants.D]))
    return 0


@kernel
def samurai_of(g: Record, seat: int) -> int:
    """Return the number of samurai in an empire."""
    count = 0
    for place in range(g.zone_size[seat, constants.LOCATIONS]):
        count += int(g.samurai[g.zone[seat, constants.LOCATIONS, place]])
    return count


@kernel
def producer_goods(g: Record, t: Record, seat: int, card: int) -> int:
    """Return the goods of an empire's best production location, other than the card that activates it."""
    best = 0
    most = 0.0
    for place in range(g.zone_size[seat, constants.LOCATIONS]):
        other = int(g.zone[seat, constants.LOCATIONS, place])
        if other != card and t.kind[other] == constants.PRODUCTION and works_for(g, other, seat):
            bundle = plain_production(g, t, seat, other)
            worth = worth_of_bundle(g, bundle)
            if worth > most:
                most = worth
                best = bundle
    return best


@kernel
def plain_production(g: Record, t: Record, seat: int, card: int) -> int:
    """Return the goods of a production program, ignoring operations that run another program."""
    at = int(t.program[card, constants.PRODUCES])
    bundle = 0
    if at == constants.NO_PROGRAM:
        return 0
    for _ in range(LONGEST):
        operation = int(t.code[at, constants.OPERATION])
        if operation == constants.OP_END:
            break
        first = int(t.code[at, constants.A])
        number = int(t.code[at, constants.B])
        if operation == constants.GAIN:
            bundle = joined_gains(bundle, of_good(first, number))
        elif operation == constants.GAIN_PER_COLOUR:
            count = int(g.colours[seat, int(t.code[at, constants.C])])
            bundle = joined_gains(bundle, of_good(first, min(number * count, int(t.code[at, constants.D]))))
        elif operation == constants.DRAW_CARDS:
            bundle = joined_gains(bundle, of_good(constants.CARD, number))
        at = int(t.code[at, constants.NEXT])
    return bundle


# ---- Effects other than goods ----


@kernel
def worth_beyond_goods(g: Record, t: Record, me: int, card: int, at: int, w: Record) -> float:
    """Return the worth of a program's effects that do not gain goods directly."""
    if at == constants.NO_PROGRAM:
        return 0.0
    worth = 0.0
    for _ in range(LONGEST):
        operation = int(t.code[at, constants.OPERATION])
        if operation == constants.OP_END:
            break
        if operation >= constants.GAIN_DEAL_GOOD:
            worth += worth_of_operation(g, t, me, card, operation, at, w)
        at = int(t.code[at, constants.NEXT])
    return worth


@kernel
def worth_of_operation(g: Record, t: Record, me: int, card: int, operation: int, at: int, w: Record) -> float:
    """Return the worth of an operation that does not gain goods directly."""
    first = int(t.code[at, constants.A])
    deny = w.weight[P_DENY] / max(1, g.players - 1)
    horizon = g.notes[N_HORIZON]
    if operation == constants.GAIN_DEAL_GOOD:
        return best_deal_good(g, t, me)
    if operation == constants.BUILD_FROM_HAND:
        return 1.2 if holds_to_build(g, t, me, first) else 0.0
    if operation == constants.BUILD_DEAL:
        return 0.9 if g.zone_size[me, constants.DEALS] > 0 else 0.0
    if operation in (constants.TRADE_DEAL, constants.TAKE_DEAL, constants.DISCARD_DEAL):
        return worth_of_others_deal(g, t, me, operation, first, deny)
    if operation == constants.TAKE_RESOURCE:
        return resource_to_take(g, me, first) * (1.0 + deny)
    if operation == constants.COPY_RAZE_GOOD:
        return 0.9 if others_have(g, me, constants.LOCATIONS) else 0.0
    if operation == constants.RAZE_EITHER:
        return 0.6 + g.notes[N_RAZE]
    if operation == constants.RAZE_OWN:
        return rubble(g, t, me) + g.notes[N_RAZE]
    if operation == constants.RAZE_OPPONENT:
        return (1.4 + deny * USUAL_LOCATION + g.notes[N_RAZE]) if others_have(g, me, constants.LOCATIONS) else 0.0
    if operation == constants.REMOVE_LOCATION:
        return deny * (USUAL_LOCATION + horizon) if others_have(g, me, constants.LOCATIONS) else 0.0
    if operation == constants.RESET_ACTION:
        return best_reset(g, t, me, card, w)
    if operation == constants.BLOCK_ACTION:
        return 0.8 * deny
    if operation == constants.CONTROL_LOCATION:
        return 1.0 if others_have(g, me, constants.LOCATIONS) else 0.0
    if operation == constants.FOUND_FROM_HAND:
        return 0.5 if g.notes[N_ROUNDS] > 0 else 0.1
    if operation == constants.OPPONENT_DISCARDS:
        return 0.6 * deny * g.notes[N_FACTION]
    return 0.5 * first if operation == constants.PLACE_SAMURAI else 0.0


@kernel
def best_deal_good(g: Record, t: Record, me: int) -> float:
    """Return the worth of the best good among the seat's own deals."""
    best = 0.0
    for place in range(g.zone_size[me, constants.DEALS]):
        good = int(t.deal_good[g.zone[me, constants.DEALS, place]])
        if good >= 0:
            best = max(best, float(g.notes[N_PRICE + good]))
    return best


@kernel
def holds_to_build(g: Record, t: Record, me: int, decks: int) -> bool:
    """Tell whether the hand has a card that costs a location, so that an effect can waive this cost.

    Hands of other seats are assumed to have such a card.
    """
    if g.turn_seat != me:
        return True
    for place in range(g.zone_size[me, constants.HAND]):
        card = int(g.zone[me, constants.HAND, place])
        of = constants.OF_COMMON if t.deck[card] == constants.COMMON else constants.OF_FACTION
        if decks & of != 0 and t.cost_location[card] != 0:
            return True
    return False


@kernel
def worth_of_others_deal(g: Record, t: Record, me: int, operation: int, first: int, deny: float) -> float:
    """Return the worth of an operation on deals with other seats' locations, or on other seats' deals."""
    rounds = g.notes[N_HORIZON]
    if operation == constants.TRADE_DEAL:
        return 0.7 * (rounds + 1.0) if others_have(g, me, constants.LOCATIONS) else 0.0
    if not others_have(g, me, constants.DEALS):
        return 0.0
    if operation == constants.TAKE_DEAL:
        return float((0.7 + deny * 0.7) * rounds + 0.7)
    return float(0.7 * deny * rounds + (0.8 if first == 1 else 0.0))


@kernel
def others_have(g: Record, me: int, zone: int) -> bool:
    """Tell whether an opponent that has not passed has a card in a zone."""
    if g.solo != 0:
        return bool(g.zone_size[constants.VIRTUAL, constants.ROW if zone == constants.DEALS else zone] > 0)
    for seat in range(g.players):
        if seat != me and g.passed[seat] == 0 and g.zone_size[seat, zone] > 0:
            return True
    return False


@kernel
def resource_to_take(g: Record, me: int, goods: int) -> float:
    """Return the worth of the best good that can be taken from the supply of an opponent."""
    best = 0.0
    for seat in range(g.players):
        if seat != me and g.passed[seat] == 0:
            for good in range(constants.RESOURCES):
                if goods & (1 << good) != 0 and g.goods[seat, good] > 0:
                    best = max(best, float(g.notes[N_PRICE + good]))
    return best


@kernel
def rubble(g: Record, t: Record, me: int) -> float:
    """Return the worth of razing one of the seat's own common locations: what it gains, minus the loss."""
    best = 0.0
    for place in range(g.zone_size[me, constants.LOCATIONS]):
        card = int(g.zone[me, constants.LOCATIONS, place])
        if t.deck[card] == constants.COMMON and t.raze_goods[card] > 0:
            best = max(best, 2.0 + g.notes[N_PRICE] - g.notes[N_LOSS] - 0.6)
    return best


@kernel
def best_reset(g: Record, t: Record, me: int, card: int, w: Record) -> float:
    """Return the worth of making the best action location that has been used this round usable again."""
    best = 0.0
    for place in range(g.zone_size[me, constants.LOCATIONS]):
        other = int(g.zone[me, constants.LOCATIONS, place])
        if other != card and t.kind[other] == constants.ACTION and g.used[other] > 0:
            bundle = w.prepared[CARD_FIELDS * other + ACTION_OF]
            if bundle != DYNAMIC:
                best = max(best, worth_of_bundle(g, int(bundle)) * 0.5 * g.used[other])
    return best


# ---- Precomputed goods ----


@kernel
def production_of(g: Record, t: Record, seat: int, card: int, built: int, w: Record) -> int:
    """Return the goods that a location gains in a production phase, as a bundle."""
    bundle = w.prepared[CARD_FIELDS * card + PRODUCTION_OF]
    if bundle == DYNAMIC:
        return goods_of_program(g, t, seat, card, int(t.program[card, constants.PRODUCES]), built)
    return int(bundle)


@kernel
def prepared_goods(g: Record, t: Record, seat: int, card: int, program: int, place: int, built: int, w: Record) -> int:
    """Return the goods of a bonus or an action, as a bundle; `place` is their index in the card's prepared numbers."""
    bundle = w.prepared[CARD_FIELDS * card + place]
    if bundle == DYNAMIC:
        return goods_of_program(g, t, seat, card, int(t.program[card, program]), built)
    return int(bundle)
