"""The worth of tokens that an effect gains, pays, steals or places on cards."""

from __future__ import annotations

from sim.compiler.kernel import Record, kernel
from sim.engine.seating import seat_after
from sim.games.imperium.rules import constants
from sim.games.imperium.rules.conditions import count_things
from sim.games.imperium.rules.payment import unrest_due
from strategies.imperium.outlook import gain_by_unrest_given, printed_points, unrest_of
from strategies.imperium.weights import LASTING, N_TURNS, N_WORTH, P_ATTACK

STORED = 0.9
"""Worth of a token placed on a card, relative to a token gained."""
MOVED_A_ROUND = 4.0
"""Number of tokens that can be moved to a card per round: by exhausting the card, and in the solstice."""
CANNOT_PAY = -9.0
"""Worth of a payment that the player cannot make."""


@kernel
def worth_of_tokens(
    g: Record,
    t: Record,
    me: int,
    own: int,
    at: int,
    operation: int,
    resource: int,
    amount: int,
    for_others: bool,
    w: Record,
) -> float:
    """Return the worth of an instruction that gains, pays, steals or places tokens."""
    each = g.notes[N_WORTH + resource]
    if operation == constants.GAIN:
        return amount * each
    if operation == constants.GAIN_PER:
        counter = int(t.code[at, constants.C])
        if counter == constants.RETURNED_UNREST:
            return amount * each * unrest_to_return(g, t, me, for_others)
        count = 2
        if counter <= constants.CARDS_GARRISONED or counter == constants.CARDS_IN_DEVELOPMENT:
            count = count_things(g, t, 0, me, counter, int(t.code[at, constants.D]))
        return amount * count * each
    if operation == constants.PAY:
        if resource == constants.MATERIAL:
            amount = unrest_due(g, t, me, own, 0, amount)
        lacking = max(0, amount - g.resource[me, resource])
        if resource == constants.PROGRESS or lacking == 0:
            return -amount * each
        stand_in = (lacking + 1) // 2 if resource == constants.MATERIAL else lacking
        if stand_in > g.resource[me, constants.PROGRESS]:
            return CANNOT_PAY
        return -(amount - lacking) * each - stand_in * g.notes[N_WORTH + constants.PROGRESS]
    if operation == constants.PAY_ALL:
        # Progress scores points, or buys something. This effect buys something, so only the points are lost.
        return -g.resource[me, resource] * min(1.0, each)
    if operation == constants.STEAL:
        return stolen(g, t, me, resource, amount, int(t.code[at, constants.D]), w)
    if operation == constants.PLACE_ON_SELF:
        # The token will be gained in a later solstice.
        return STORED * amount * each if g.notes[N_TURNS] > 1.0 else 0.0
    if operation == constants.PLACE_ON_MARKET:
        return 0.5 * amount * each
    if operation == constants.MOVE_TO_SELF:
        moved = min(amount, g.resource[me, resource])
        return moved * (worth_of_token_on(g, t, me, own, w) - each)
    if operation == constants.PAY_ALL_ON_SELF:
        return worth_of_other_face(g, t, me, own, w)
    if operation == constants.GAIN_ON_SELF:
        return float(g.stored[own]) * each
    if operation == constants.DOUBLE_GAINED:
        return 1.5 * each
    return 0.0


@kernel
def worth_of_other_face(g: Record, t: Record, me: int, own: int, w: Record) -> float:
    """Return the gain from turning over a card in play: in points, and in effects until the end."""
    other = int(t.other_side[own])
    if other < 0:
        return 0.0
    points = float(printed_points(t, other, constants.PLAY) - printed_points(t, own, constants.PLAY))
    return points + (w.prepared[LASTING + other] - w.prepared[LASTING + own]) * (g.notes[N_TURNS] - 1.0)


@kernel
def worth_of_token_on(g: Record, t: Record, me: int, own: int, w: Record) -> float:
    """Return the worth of a token on a card that is turned over by several tokens.

    It is a share of the gain from turning the card over; 0 if there is not enough time left for that.
    """
    needed = turned_by(t, own)
    left = needed - int(g.stored[own])
    if left <= 0 or left > MOVED_A_ROUND * (g.notes[N_TURNS] - 1.0):
        return 0.0
    return max(0.0, worth_of_other_face(g, t, me, own, w)) / needed


@kernel
def turned_by(t: Record, own: int) -> int:
    """Return how many tokens it takes to turn a card over in the solstice; 0 if it cannot be turned over."""
    at = int(t.program[own, constants.SOLSTICE_PROGRAM])
    for place in range(at, int(t.code_end[at])):
        if t.code[place, constants.OPERATION] == constants.PAY_ALL_ON_SELF:
            return int(t.code[place, constants.B])
    return 0


@kernel
def best_tokens(g: Record) -> float:
    """Return the worth of the tokens on the market card whose tokens are worth most."""
    best = 0.0
    for slot in range(constants.SLOTS):
        best = max(best, worth_of_tokens_at(g, slot))
    return best


@kernel
def worth_of_tokens_at(g: Record, slot: int) -> float:
    """Return the worth of the tokens on a market card."""
    worth = 0.0
    for resource in range(len(constants.RESOURCES)):
        worth += g.market_tokens[slot, resource] * g.notes[N_WORTH + resource]
    return worth


@kernel
def unrest_to_return(g: Record, t: Record, me: int, for_others: bool) -> float:
    """Estimate how many unrest cards are returned if each player may return one.

    Half of the other players who have unrest are assumed to do so.
    """
    count = 0.0
    other = me
    for _ in range(g.players - 1):
        other = seat_after(g, other)
        count += 0.5 if unrest_of(g, t, other) > 0 else 0.0
    if not for_others:
        for zone in (constants.HAND, constants.DISCARD_PILE):
            for place in range(g.zone_size[me, zone]):
                if t.suits[g.zone[me, zone, place]] & constants.UNREST != 0:
                    return count + 1.0
    return count


@kernel
def stolen(g: Record, t: Record, me: int, resource: int, amount: int, unrest: int, w: Record) -> float:
    """Return the worth of stealing `amount` tokens from every other player.

    A player who has fewer tokens takes `unrest` unrest cards.
    """
    each = g.notes[N_WORTH + resource]
    worth = 0.0
    other = me
    for _ in range(g.players - 1):
        other = seat_after(g, other)
        taken = min(amount, g.resource[other, resource])
        worth += taken * each * (1.0 + w.weight[P_ATTACK] / (g.players - 1))
        if taken < amount:
            worth += unrest * gain_by_unrest_given(g, t, me, w) / (g.players - 1)
    return worth
