"""Production and trade: what a city produces, what it can buy, and at which price.

Supplies and needs are packed into words of 4-bit lanes, one lane for each set of goods (`tables.py`). By Hall's
theorem, a need is met exactly if no set of goods is needed more often than there are sources for it. By König's
theorem, the largest excess over all sets is the number of units that stay unmet (Lovász and Plummer, "Matching Theory",
1986, chapter 1).

The sets of sources that can serve at the same time form a transversal matroid. So it is cheapest to take the cheap
sources first (Edmonds, 1971). One neighbour can deliver every number of units between its fewest and its most.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from sim.compiler.kernel import Record, kernel
from sim.games.seven_wonders.rules.constants import (
    DISCOUNT,
    LEFT,
    MANUFACTURED,
    OWN,
    RAW,
    RIGHT,
    WITH_BOTH,
    WITH_LEFT,
    WITH_RIGHT,
)
from sim.games.seven_wonders.rules.state import left_of, right_of

Lanes = Any
"""A uint64 of sixteen 4-bit lanes."""

HIGH = np.uint64(0x8888888888888888)
NO_LANES = np.uint64(0)
THREE_BITS = np.uint64(3)
RAW_MASK = 15
MANUFACTURED_SHIFT = 4


@kernel
def add_supplies(one: Lanes, other: Lanes) -> Lanes:
    """Return the sum of two supplies. Lanes are capped at 7."""
    both = one + other
    full = both & HIGH
    return (both | (full - (full >> THREE_BITS))) & ~full


@kernel
def shortfall(need: Lanes, supply: Lanes) -> int:
    """Return how many of the needed units a supply cannot give, whatever goods are chosen."""
    lanes = (supply | HIGH) - need
    short = ~lanes & HIGH
    units = 0
    while short != NO_LANES:
        lanes += short >> THREE_BITS
        short = ~lanes & HIGH
        units += 1
    return units


@kernel
def meets(supply: Lanes, need: Lanes) -> bool:
    """Tell whether a supply can give all units of a need."""
    return ((supply | HIGH) - need) & HIGH == HIGH


@kernel
def add_source(g: Record, t: Record, city: int, mask: int, amount: int, sellable: int) -> None:
    """Let a city produce `amount` units, each of any good in `mask`. If `sellable` is 1, neighbours may buy them."""
    raw = mask & RAW_MASK
    manufactured = mask >> MANUFACTURED_SHIFT
    for _ in range(amount):
        g.own_raw[city] = add_supplies(g.own_raw[city], t.raw_lanes[raw])
        g.own_manufactured[city] = add_supplies(g.own_manufactured[city], t.manufactured_lanes[manufactured])
    if sellable != 0:
        add_sales(g, t, city, mask, amount)


@kernel
def add_sales(g: Record, t: Record, city: int, mask: int, amount: int) -> None:
    """Offer a source to both neighbours: one of its goods per turn or, with a setting, each of its goods."""
    for good in range(7):
        one = 1 << good
        if mask & one == 0 or (t.choice_card_sells == 0 and mask & (one - 1) != 0):
            continue
        offered = one if t.choice_card_sells != 0 else mask
        for _ in range(amount):
            g.sold_raw[city] = add_supplies(g.sold_raw[city], t.raw_lanes[offered & RAW_MASK])
            g.sold_manufactured[city] = add_supplies(
                g.sold_manufactured[city], t.manufactured_lanes[offered >> MANUFACTURED_SHIFT]
            )


@kernel
def add_discount(g: Record, t: Record, city: int, sides: int, classes: int, price: int) -> None:
    """Lower the price that a city pays for a class of goods. A setting decides whether two discounts add up."""
    for side in range(2):
        for goods in range(2):
            if sides & (1 << side) != 0 and classes & (1 << goods) != 0:
                g.price[city, side, goods] = discounted(t, g.price[city, side, goods], price)


@kernel
def discounted(t: Record, price: int, price_with_discount: int) -> int:
    """Return the price of a good after another discount, which on its own would give `price_with_discount`."""
    if t.discounts_add_up != 0:
        return max(price - (t.trade_price - price_with_discount), 0)
    return min(price, price_with_discount)


@kernel
def begin_turn(g: Record) -> None:
    """Determine, at the start of the turn, what each city can spend and reach, and its prices."""
    for city in range(g.cities):
        g.spendable[city] = g.coins[city]
        for side in (LEFT, RIGHT):
            for goods in (RAW, MANUFACTURED):
                g.turn_price[city, side, goods] = g.price[city, side, goods]
        see_supplies(g, city)


@kernel
def see_supplies(g: Record, city: int) -> None:
    """Store the goods in a city's reach: its own, and these plus what the left, the right or both neighbours sell."""
    left = left_of(g, city)
    right = right_of(g, city)
    raw = g.own_raw[city]
    g.reach_raw[city, OWN] = raw
    g.reach_raw[city, WITH_LEFT] = add_supplies(raw, g.sold_raw[left])
    g.reach_raw[city, WITH_RIGHT] = add_supplies(raw, g.sold_raw[right])
    g.reach_raw[city, WITH_BOTH] = add_supplies(g.reach_raw[city, WITH_LEFT], g.sold_raw[right])
    own = g.own_manufactured[city]
    g.reach_manufactured[city, OWN] = own
    g.reach_manufactured[city, WITH_LEFT] = add_supplies(own, g.sold_manufactured[left])
    g.reach_manufactured[city, WITH_RIGHT] = add_supplies(own, g.sold_manufactured[right])
    g.reach_manufactured[city, WITH_BOTH] = add_supplies(
        g.reach_manufactured[city, WITH_LEFT], g.sold_manufactured[right]
    )


@kernel
def unit_price(g: Record, t: Record, city: int, item: int, side: int, goods: int) -> int:
    """Return the price of one unit of a class of goods from one side, when buying for this item."""
    price = g.turn_price[city, side, goods]
    if t.discount_on_own_purchase != 0:
        for row in range(t.item_effect_count[item]):
            effect = t.item_effects[item, row]
            if effect[0] == DISCOUNT and effect[1] & (1 << side) != 0 and effect[2] & (1 << goods) != 0:
                price = discounted(t, price, effect[3])
    return price


@kernel
def trade_coins(need: Lanes, own: Lanes, with_left: Lanes, with_right: Lanes, left_price: int, right_price: int) -> int:
    """Return the lowest payment to neighbours, in coins, for the units of one class of goods that the city lacks.

    `own`, `with_left` and `with_right` are the city's supply alone and together with one neighbour's. The neighbours
    must be able to give all missing units together.

    Every missing unit costs at least the lower price. Units that the cheaper neighbour cannot give cost the difference
    in price on top.
    """
    missing = shortfall(need, own)
    if left_price == right_price:
        return missing * left_price
    if left_price < right_price:
        return missing * left_price + shortfall(need, with_left) * (right_price - left_price)
    return missing * right_price + shortfall(need, with_right) * (left_price - right_price)


@kernel
def least_price(g: Record, t: Record, city: int, item: int) -> int:
    """Return the lowest price, to bank and neighbours together, of a card or stage; -1 if goods are out of reach."""
    raw = t.item_need_raw[item]
    manufactured = t.item_need_manufactured[item]
    reach_raw = g.reach_raw[city]
    reach_manufactured = g.reach_manufactured[city]
    coins = int(t.item_coins[item])
    # Check the city's own goods first: most items need nothing else.
    own_raw = meets(reach_raw[OWN], raw)
    own_manufactured = meets(reach_manufactured[OWN], manufactured)
    if own_raw and own_manufactured:
        return coins
    if not (meets(reach_raw[WITH_BOTH], raw) and meets(reach_manufactured[WITH_BOTH], manufactured)):
        return -1
    if not own_raw:
        coins += trade_coins(
            raw,
            reach_raw[OWN],
            reach_raw[WITH_LEFT],
            reach_raw[WITH_RIGHT],
            unit_price(g, t, city, item, LEFT, RAW),
            unit_price(g, t, city, item, RIGHT, RAW),
        )
    if not own_manufactured:
        coins += trade_coins(
            manufactured,
            reach_manufactured[OWN],
            reach_manufactured[WITH_LEFT],
            reach_manufactured[WITH_RIGHT],
            unit_price(g, t, city, item, LEFT, MANUFACTURED),
            unit_price(g, t, city, item, RIGHT, MANUFACTURED),
        )
    return coins


@kernel
def list_payments(g: Record, t: Record, city: int, item: int) -> int:
    """List the affordable payments for an item as options, without dominated payments. Return their number.

    A payment dominates another if neither neighbour gets more and one gets less. For each class of goods, the left
    neighbour can supply any number of units between the fewest and the most.
    """
    raw = t.item_need_raw[item]
    manufactured = t.item_need_manufactured[item]
    missing_raw = shortfall(raw, g.reach_raw[city, OWN])
    missing_manufactured = shortfall(manufactured, g.reach_manufactured[city, OWN])
    g.option_count = 0
    if (
        shortfall(raw, g.reach_raw[city, WITH_BOTH]) != 0
        or shortfall(manufactured, g.reach_manufactured[city, WITH_BOTH]) != 0
    ):
        return 0
    least_raw = shortfall(raw, g.reach_raw[city, WITH_RIGHT])
    most_raw = missing_raw - shortfall(raw, g.reach_raw[city, WITH_LEFT])
    least_manufactured = shortfall(manufactured, g.reach_manufactured[city, WITH_RIGHT])
    most_manufactured = missing_manufactured - shortfall(manufactured, g.reach_manufactured[city, WITH_LEFT])
    for raw_left in range(least_raw, most_raw + 1):
        for manufactured_left in range(least_manufactured, most_manufactured + 1):
            to_left = raw_left * unit_price(g, t, city, item, LEFT, RAW) + manufactured_left * unit_price(
                g, t, city, item, LEFT, MANUFACTURED
            )
            to_right = (missing_raw - raw_left) * unit_price(g, t, city, item, RIGHT, RAW) + (
                missing_manufactured - manufactured_left
            ) * unit_price(g, t, city, item, RIGHT, MANUFACTURED)
            if t.item_coins[item] + to_left + to_right <= g.spendable[city]:
                add_payment(g, t.item_coins[item], to_left, to_right)
    return g.option_count


@kernel
def add_payment(g: Record, bank: int, to_left: int, to_right: int) -> None:
    """Add a payment to the options, unless a listed payment is as good. Remove listed payments that it dominates."""
    kept = 0
    for option in range(g.option_count):
        if g.option_left[option] <= to_left and g.option_right[option] <= to_right:
            return
        if not (to_left <= g.option_left[option] and to_right <= g.option_right[option]):
            g.option_left[kept] = g.option_left[option]
            g.option_right[kept] = g.option_right[option]
            g.option_price[kept] = g.option_price[option]
            kept += 1
    g.option_left[kept] = to_left
    g.option_right[kept] = to_right
    g.option_price[kept] = bank + to_left + to_right
    g.option_count = kept + 1
