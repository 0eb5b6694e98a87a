"""What tokens gained, paid, stolen or laid down by an effect are worth."""

from __future__ import annotations

from sim.games.imperium import words
from sim.games.imperium.conditions import counted
from sim.games.imperium.payment import unrest_due
from sim.games.imperium.state import seat_after
from sim.jit import Record, kernel
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
    if operation == words.GAIN:
        return amount * each
    if operation == words.GAIN_PER:
        counter = int(t.code[at, words.C])
        if counter == words.RETURNED_UNREST:
            return amount * each * unrest_to_return(g, t, me, for_others)
        count = 2
        if counter <= words.CARDS_GARRISONED:
            count = counted(g, t, 0, me, counter, int(t.code[at, words.D]))
        return amount * count * each
    if operation == words.PAY:
        if resource == words.MATERIAL:
            amount = unrest_due(g, t, me, own, 0, amount)
        lacking = max(0, amount - g.resource[me, resource])
        if resource == words.PROGRESS or lacking == 0:
            return -amount * each
        stand_in = (lacking + 1) // 2 if resource == words.MATERIAL else lacking
        if stand_in > g.resource[me, words.PROGRESS]:
            return CANNOT_PAY
        return -(amount - lacking) * each - stand_in * g.notes[N_WORTH + words.PROGRESS]
    if operation == words.PAY_ALL:
        # Where progress leads to something, it is worth no more than its points once it does.
        return -g.resource[me, resource] * min(1.0, each)
    if operation == words.STEAL:
        return stolen(g, t, me, resource, amount, int(t.code[at, words.D]), w)
    if operation == words.PLACE_ON_SELF:
        # It is gained in another solstice.
        return STORED * amount * each if g.notes[N_TURNS] > 1.0 else 0.0
    if operation == words.PLACE_ON_MARKET:
        return 0.5 * amount * each
    if operation == words.GAIN_ON_SELF:
        return float(g.stored[own]) * each
    if operation == words.DOUBLE_GAINED:
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
        for zone in (words.HAND, words.DISCARD_PILE):
            for place in range(g.zone_size[me, zone]):
                if t.suits[g.zone[me, zone, place]] & words.UNREST != 0:
                    return count + 1.0
    return count


@kernel
def stolen(g: Record, t: Record, me: int, resource: int, amount: int, unrest: int, w: Record) -> float:
    """Worth of stealing from every other player what is there."""
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
