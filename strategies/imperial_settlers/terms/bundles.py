"""Goods packed into one number, so that all of them are paid and compared in one operation.

A bundle has seven bits for each of wood, stone, food, gold, workers and raze tokens: six for the number, and a guard
bit. Five bits for points and five for cards follow. The 52 bits of a bundle fit into a note (a float64).
"""

from __future__ import annotations

from sim.compiler.kernel import Record, kernel
from sim.games.imperial_settlers.rules import constants

BITS = 7
PAID = 6
"""Number of kinds of goods that a cost can contain: wood to raze tokens."""
MOST = 63
GUARD = 64
GUARDS = sum(GUARD << (BITS * good) for good in range(PAID))
RESOURCE_GUARDS = sum(GUARD << (BITS * good) for good in range(constants.RESOURCES))
STAND_IN_GUARDS = sum(GUARD << (BITS * good) for good in (constants.GOLD, constants.WORKER))
FULL = sum(MOST << (BITS * good) for good in range(PAID))
OTHER_GOODS = sum(MOST << (BITS * good) for good in range(constants.RESOURCES, PAID))
"""The bits of a bundle that hold the numbers of those goods that gold cannot replace."""
SIGN = -1 << 63
"""The sign bit."""
POINTS_AT = BITS * PAID
CARDS_AT = POINTS_AT + 5
MOST_POINTS = 31
GOODS_ONLY = (1 << POINTS_AT) - 1
CANNOT = -1
"""Returned in place of a bundle if a cost cannot be paid."""


@kernel
def number_of(bundle: int, good: int) -> int:
    """Return the number of a good (wood to raze tokens) in a bundle."""
    return (bundle >> (BITS * good)) & MOST


@kernel
def points_of(bundle: int) -> int:
    """Return the points in a bundle."""
    return (bundle >> POINTS_AT) & MOST_POINTS


@kernel
def cards_of(bundle: int) -> int:
    """Return the cards in a bundle."""
    return (bundle >> CARDS_AT) & MOST_POINTS


@kernel
def of_good(good: int, number: int) -> int:
    """Return a bundle with `number` of one good. For defence tokens, the bundle is empty."""
    if good < PAID:
        return min(number, MOST) << (BITS * good)
    if good == constants.VP:
        return min(number, MOST_POINTS) << POINTS_AT
    if good == constants.CARD:
        return min(number, MOST_POINTS) << CARDS_AT
    return 0


@kernel
def goods_at_hand(g: Record, seat: int) -> int:
    """Return the supply of a seat as a bundle."""
    bundle = 0
    for good in range(PAID):
        bundle += min(int(g.goods[seat, good]), MOST) << (BITS * good)
    return bundle


@kernel
def together(supply: int, gained: int) -> int:
    """Return a supply plus gained goods (not points and cards), each good at most at its maximum."""
    both = supply + (gained & GOODS_ONLY)
    if both & GUARDS != 0:
        for good in range(PAID):
            if both & (GUARD << (BITS * good)) != 0:
                both = (both & ~(127 << (BITS * good))) | (MOST << (BITS * good))
    return both


@kernel
def after_paying(supply: int, cost: int) -> int:
    """Return the supply after paying a cost; CANNOT if the seat cannot pay.

    Gold replaces missing resources first, then pairs of workers do.
    """
    rest = (supply | GUARDS) - cost
    if rest & GUARDS == GUARDS:
        return rest ^ GUARDS
    return with_stand_ins(rest)


@kernel
def lacking(rest: int) -> int:
    """Return the goods that are missing to pay a cost, as a bundle.

    `rest` is the supply with guard bits, minus the cost. A good that is missing has lost its guard bit there.
    """
    missing = ~rest & GUARDS
    return missing - (rest & ((missing << 1) - (missing >> (BITS - 1))))


@kernel
def resources_in(bundle: int) -> int:
    """Return the total of wood, stone and food in a bundle."""
    return number_of(bundle, constants.WOOD) + number_of(bundle, constants.STONE) + number_of(bundle, constants.FOOD)


@kernel
def with_stand_ins(rest: int) -> int:
    """Return the supply after paying a cost for which goods are missing; CANNOT if the seat cannot replace them.

    `rest` is the supply with guard bits, minus the cost.
    """
    lacks = lacking(rest)
    resources = resources_in(lacks)
    gold = min(resources, number_of(rest, constants.GOLD))
    pairs = resources - gold
    if lacks & OTHER_GOODS != 0 or 2 * pairs > number_of(rest, constants.WORKER):
        return CANNOT
    return paid_with(rest, lacks, gold, pairs)


@kernel
def paid_with(rest: int, lacks: int, gold: int, pairs: int) -> int:
    """Return the supply after paying a cost with the help of `gold` gold and `pairs` pairs of workers.

    `rest` is the supply with guard bits, minus the cost. `lacks` are the goods that are missing in it.
    """
    return ((rest + lacks) ^ GUARDS) - (gold << (BITS * constants.GOLD)) - (2 * pairs << (BITS * constants.WORKER))


@kernel
def at_least_one(bundle: int) -> int:
    """Return the guard bits of those goods of which a bundle contains at least one."""
    return ((bundle & FULL) + FULL) & GUARDS


@kernel
def deficit(rest: int) -> int:
    """Return how many goods are still missing for a cost after all replacements.

    `rest` is the supply with guard bits, minus the cost.
    """
    lacks = lacking(rest)
    left = rest + lacks
    others = number_of(lacks, constants.GOLD) + number_of(lacks, constants.WORKER) + number_of(lacks, constants.RAZE)
    stand_in = number_of(left, constants.GOLD) + number_of(left, constants.WORKER) // 2
    return others + max(0, resources_in(lacks) - stand_in)


@kernel
def short_of(rest: int) -> int:
    """Return one bit for each resource that is missing. `rest` is the supply with guard bits, minus the cost."""
    missing = ~rest >> (BITS - 1)
    return (missing & 1) | ((missing >> (BITS - 1)) & 2) | ((missing >> (2 * (BITS - 1))) & 4)
