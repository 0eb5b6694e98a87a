"""What tokens gained, paid, stolen or laid down by an effect are worth."""

from __future__ import annotations

from sim.compiler.kernel import Record, kernel
from sim.engine.seating import seat_after
from sim.games.imperium.rules import constants
from sim.games.imperium.rules.conditions import count_things
from sim.games.imperium.rules.payment import unrest_due
from strategies.imperium.outlook import gain_by_unrest_given, unrest_of
from strategies.imperium.weights import N_TURNS, N_WORTH, P_ATTACK

STORED = 0.9
"""Worth of a token laid on a card, against that of one gained."""
CANNOT_PAY = -9.0
"""Worth of a payment that cannot be made."""


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
    """Worth of gaining, paying, stealing or placing tokens."""
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
        # Where progress leads to something, it is worth no more than its points once it does.
        return -g.resource[me, resource] * min(1.0, each)
    if operation == constants.STEAL:
        return stolen(g, t, me, resource, amount, int(t.code[at, constants.D]), w)
    if operation == constants.PLACE_ON_SELF:
        # It is gained in another solstice.
        return STORED * amount * each if g.notes[N_TURNS] > 1.0 else 0.0
    if operation == constants.PLACE_ON_MARKET:
        return 0.5 * amount * each
    if operation == constants.GAIN_ON_SELF:
        return float(g.stored[own]) * each
    if operation == constants.DOUBLE_GAINED:
        return 1.5 * each
    return 0.0


@kernel
def unrest_to_return(g: Record, t: Record, me: int, for_others: bool) -> float:
    """Guess how many unrest cards players return who may return one: of others, half of those who have any."""
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
    """Worth of stealing from every other player."""
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
