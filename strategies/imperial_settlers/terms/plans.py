"""Plans for the round: the plays that goods can still pay for, chosen greedily in the order of their ranks.

The worth of an option includes the worth of the plan for the goods that it leaves. So a good is worth what it
buys in this round, and nothing if it will be discarded.
"""

from __future__ import annotations

import math

import numpy as np

from sim.compiler.kernel import Record, kernel
from sim.games.imperial_settlers.rules import constants
from strategies.imperial_settlers.terms.bundles import (
    BITS,
    CANNOT,
    GUARD,
    GUARDS,
    OTHER_GOODS,
    PAID,
    RESOURCE_GUARDS,
    SIGN,
    STAND_IN_GUARDS,
    after_paying,
    at_least_one,
    deficit,
    lacking,
    number_of,
    of_good,
    paid_with,
    resources_in,
    short_of,
    together,
)
from strategies.imperial_settlers.terms.gains import worth_beside_goods
from strategies.imperial_settlers.weights import (
    KNOWN_SUPPLY,
    KNOWN_WORTH,
    LOSSES,
    MOST_KNOWN,
    N_AFTER_GOOD,
    N_BASE,
    N_BASE_FREE,
    N_BASE_LEFT,
    N_BASE_PLAYS,
    N_BASE_SHORT,
    N_BASE_SPARE,
    N_BASE_TAKEN,
    N_BASE_USED,
    N_BASE_WANTED,
    N_KEPT,
    N_KNOWN,
    N_LEFT,
    N_LOSS,
    N_PAIR,
    N_PRICE,
    N_RANKED,
    N_REST,
    N_ROUNDS,
    N_SHORT,
    N_SUPPLY,
    N_TAKEN,
    P_REST,
    P_STORE,
    PLAY_GAIN,
    PLAY_RANK,
    RANKED_BIT,
    RANKED_CARD,
    RANKED_COST,
    RANKED_FLAGS,
    RANKED_GAIN,
    RANKED_VALUE,
    UNRANKED,
)

NEEDS_LOCATION, LEAVES_COMMON, AS_BUILD, AS_DEAL, AS_RAZE, AS_USE = 1, 2, 4, 8, 16, 32
"""Flags of a play. Two say whether it needs a location and whether it leaves a common location; four say its kind."""
NOTHING_TO_GIVE = 99.0
FRESH_LOSS = 1.6
"""Loss from giving up a common location that is built in the same plan."""
SLIGHT = 0.1
"""Maximum loss of worth, apart from goods, with which a play may still be part of a plan."""
NOT_BESIDE = -1e9
NEARLY = 1
"""Maximum number of missing goods with which a play still counts as within reach."""


@kernel
def note_plan(g: Record) -> None:
    """Cache facts about the plan for the goods at hand in the N_BASE notes.

    With them, `is_next` and `beside_plan` tell quickly whether a play would leave this plan unchanged.
    """
    whole = g.notes.view(np.int64)
    taken = int(g.notes[N_TAKEN])
    left = int(g.notes[N_LEFT])
    short = int(g.notes[N_SHORT])
    spare = int(g.notes[N_SUPPLY]) | GUARDS
    free = 0
    used = 0
    wanted = 0
    for good in range(constants.RESOURCES):
        if (short >> good) & 1 != 0:
            wanted |= GUARD << (BITS * good)
    for rank in range(int(g.notes[N_RANKED])):
        cost = whole[RANKED_COST + rank]
        if (taken >> rank) & 1 == 0:
            rest = (left | GUARDS) - cost
            if deficit(rest) <= NEARLY:
                wanted |= ~rest
            if rest & GUARDS == GUARDS and g.notes[RANKED_VALUE + rank] > 0.0:
                # The play was tried too early to benefit from the gains of later plays.
                wanted |= at_least_one(cost)
            continue
        used |= whole[RANKED_BIT + rank]
        spare -= cost
        over = ~spare & GUARDS
        if over == 0:
            free |= 1 << rank
        else:
            # The supply does not cover these goods. The seat pays with gains of other plays, or with replacements.
            spare = spare & ~((over << 1) - (over >> (BITS - 1))) | over
    wanted &= GUARDS
    if wanted & RESOURCE_GUARDS != 0:
        wanted |= STAND_IN_GUARDS
    g.notes[N_BASE_SHORT] = short
    g.notes[N_BASE_TAKEN] = taken
    g.notes[N_BASE_USED] = used
    g.notes[N_BASE_LEFT] = left
    g.notes[N_BASE_SPARE] = spare ^ GUARDS
    g.notes[N_BASE_FREE] = free
    g.notes[N_BASE_WANTED] = wanted
    g.notes[N_BASE_PLAYS] = g.notes[N_BASE] - worth_of_rest(g, left)


@kernel
def fill(g: Record, supply: int, used: int, given: int, but: int, times: int, fresh: int) -> float:
    """Return the worth of the plan for a supply, including the goods left over; plays are tried in rank order.

    Parameters
    ----------
    g
        Record of the game, whose notes hold the plays and the worth of remaining goods.
    supply
        Goods, as a bundle.
    used
        Bits of the places in the hand whose cards have been used.
    given
        Number of locations already given up.
    but, times
        An action location, and how many of its uses the plan must not include.
    fresh
        Number of newly built common locations that may be given up.
    """
    whole = g.notes.view(np.int64)
    total = 0.0
    short = 0
    taken = 0
    for rank in range(int(g.notes[N_RANKED])):
        bit = whole[RANKED_BIT + rank]
        if times > 0 and bit == 0 and whole[RANKED_CARD + rank] == but:
            times -= 1
            continue
        rest = (supply | GUARDS) - whole[RANKED_COST + rank]
        lacks = lacking(rest)
        resources = resources_in(lacks)
        gold = min(resources, number_of(rest, constants.GOLD))
        pairs = resources - gold
        # Use a single condition, because a processor would often mispredict several.
        if (used & bit) | (lacks & OTHER_GOODS) | ((number_of(rest, constants.WORKER) - 2 * pairs) & SIGN) != 0:
            continue
        value = float(g.notes[RANKED_VALUE + rank])
        flags = whole[RANKED_FLAGS + rank]
        needs = flags & NEEDS_LOCATION
        from_fresh = 0
        if needs != 0:
            loss = g.notes[N_LOSS + given] if given < LOSSES else NOTHING_TO_GIVE
            if loss >= FRESH_LOSS and fresh > 0:
                loss = FRESH_LOSS
                from_fresh = 1
            value -= loss
        if value < -SLIGHT:
            continue
        gain = whole[RANKED_GAIN + rank]
        # A pair of workers that replaces a resource can no longer be exchanged for a card.
        if gain == 0 and value <= pairs * g.notes[N_PAIR]:
            continue
        total += value
        supply = together(paid_with(rest, lacks, gold, pairs), gain)
        taken |= 1 << rank
        short |= short_of(rest)
        used |= bit
        given += needs - from_fresh
        fresh += ((flags & LEAVES_COMMON) >> 1) - from_fresh
    g.notes[N_SHORT] = short
    g.notes[N_TAKEN] = taken
    g.notes[N_LEFT] = supply
    return total + worth_of_rest(g, supply)


@kernel
def note_rest(g: Record, w: Record) -> None:
    """Cache, for each good, the worth of one unit at the end of the round: more if cleanup keeps the good."""
    kept = int(g.notes[N_KEPT]) if g.notes[N_ROUNDS] > 0.0 else 0
    for good in range(PAID):
        share = 0.0 if good == constants.WORKER else w.weight[P_REST]
        if kept & (1 << good) != 0:
            share += w.weight[P_STORE]
        g.notes[N_REST + good] = share * g.notes[N_PRICE + good]


@kernel
def is_planned(g: Record, play: int) -> bool:
    """Tell whether the plan for the goods at hand includes a play."""
    rank = int(g.notes.view(np.int64)[PLAY_RANK + play])
    return rank != UNRANKED and (int(g.notes[N_BASE_TAKEN]) >> rank) & 1 != 0


@kernel
def is_wanted(g: Record, gain: int) -> bool:
    """Tell whether gained goods (`gain`) could add plays to the plan for the goods at hand, or make some cheaper."""
    return at_least_one(gain) & int(g.notes[N_BASE_WANTED]) != 0


@kernel
def beside_plan(g: Record, cost: int, gain: int) -> float:
    """Return the joint worth of the plan for the goods at hand and a trade that leaves this plan unchanged.

    Return NOT_BESIDE if the trade would change the plan: the plan leaves too little to pay for the trade, or the plan
    could use the goods gained.
    """
    rest = (int(g.notes[N_BASE_SPARE]) | GUARDS) - cost
    if rest & GUARDS != GUARDS or is_wanted(g, gain):
        return NOT_BESIDE
    left = (int(g.notes[N_BASE_LEFT]) | GUARDS) - cost
    if left & GUARDS != GUARDS:
        return NOT_BESIDE
    return float(g.notes[N_BASE_PLAYS] + worth_of_rest(g, together(left ^ GUARDS, gain)))


@kernel
def is_next(g: Record, play: int) -> bool:
    """Tell whether the plan for the goods at hand includes a play and would not change if that play came first."""
    whole = g.notes.view(np.int64)
    rank = int(whole[PLAY_RANK + play])
    if rank == UNRANKED or (int(g.notes[N_BASE_FREE]) >> rank) & 1 == 0:
        return False
    return not is_wanted(g, whole[PLAY_GAIN + play])


@kernel
def is_for_later(g: Record, play: int) -> bool:
    """Tell whether the plan for the goods at hand has plays, but does not include `play`.

    `play` is -1 for a play that is not listed in `g.notes`. No plan includes such a play.
    """
    return g.notes[N_BASE_TAKEN] != 0 and (play < 0 or not is_planned(g, play))


@kernel
def after_trade(g: Record, cost: int, gain: int) -> float:
    """Return the worth of everything that can be done after a trade that costs and gains goods."""
    return float(g.notes[KNOWN_WORTH + plan_after(g, cost, gain)])


@kernel
def plan_takes(g: Record, taken: int, bit: int) -> bool:
    """Tell whether a plan includes a play of the hand card with this bit; `taken` is encoded as in N_TAKEN."""
    whole = g.notes.view(np.int64)
    rank = 0
    while taken != 0:
        if taken & 1 != 0 and whole[RANKED_BIT + rank] == bit:
            return True
        taken >>= 1
        rank += 1
    return False


@kernel
def after_trading(g: Record, cost: int, gain: int) -> int:
    """Return the goods at hand after paying a cost and gaining goods, as a bundle."""
    supply = after_paying(int(g.notes[N_SUPPLY]), cost)
    return together(0 if supply == CANNOT else supply, gain)


@kernel
def plan_after(g: Record, cost: int, gain: int) -> int:
    """Return the index, in the KNOWN notes, of the plan for the goods at hand after paying `cost` and gaining `gain`.

    Compute and store the plan if it is not among them. If they are full, it replaces the last one.
    """
    supply = after_trading(g, cost, gain)
    known = int(g.notes[N_KNOWN])
    for place in range(known):
        if g.notes[KNOWN_SUPPLY + place] == supply:
            return place
    place = min(known, MOST_KNOWN - 1)
    g.notes[N_KNOWN] = place + 1
    g.notes[KNOWN_SUPPLY + place] = supply
    g.notes[KNOWN_WORTH + place] = fill(g, supply, 0, 0, constants.NO_CARD, 0, 0)
    return place


@kernel
def worth_of_rest(g: Record, supply: int) -> float:
    """Return the worth of the goods left at the end of the round; workers are exchanged for cards or kept."""
    workers = number_of(supply, constants.WORKER)
    worth = max((workers // 2) * g.notes[N_PAIR], workers * g.notes[N_REST + constants.WORKER])
    for good in (constants.WOOD, constants.STONE, constants.FOOD, constants.GOLD, constants.RAZE):
        worth += number_of(supply, good) * g.notes[N_REST + good]
    return float(worth)


@kernel
def worth_of_unused(g: Record, supply: int) -> float:
    """Return the worth of goods if nothing more is done in this round: workers are not even exchanged."""
    worth = 0.0
    for good in range(PAID):
        worth += number_of(supply, good) * g.notes[N_REST + good]
    return worth


@kernel
def with_one_more(g: Record, good: int, w: Record) -> float:
    """Return the worth of gaining one good now, including the best use of all goods in this round."""
    if math.isnan(g.notes[N_AFTER_GOOD + good]):
        gain = of_good(good, 1)
        g.notes[N_AFTER_GOOD + good] = with_supply(g, worth_beside_goods(g, gain), 0, gain, w)
    return float(g.notes[N_AFTER_GOOD + good])


@kernel
def with_supply(g: Record, value: float, cost: int, gain: int, w: Record) -> float:
    """Return `value`, a play's worth apart from goods, plus the worth of the plan for the goods left after the play."""
    plan = beside_plan(g, cost, gain)
    return value + (plan if plan != NOT_BESIDE else after_trade(g, cost, gain))
