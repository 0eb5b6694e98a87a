"""Payments of moves in JSON: goods bought from neighbours, checked by the kernels in `rules/trade.py`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, Literal

import numpy as np
from pydantic import Field

from sim.compiler.kernel import Record
from sim.data.catalog import Row
from sim.games.seven_wonders.rules.constants import (
    LEFT,
    MANUFACTURED_GOODS,
    RAW_GOODS,
    RESOURCES,
    RIGHT,
    SIDES,
    Resource,
)
from sim.games.seven_wonders.rules.state import left_of, right_of
from sim.games.seven_wonders.rules.tables import need_lanes
from sim.games.seven_wonders.rules.trade import list_payments, shortfall, unit_price

MAX_COINS = 9999
Coins = Annotated[int, Field(ge=0, le=MAX_COINS)]


class Purchase(Row):
    """Goods bought from one neighbour, with the coins for all of them."""

    side: Literal["left", "right"] = Field(alias="from")
    price: Coins
    resources: dict[Resource, Annotated[int, Field(ge=1, le=99)]]


@dataclass(frozen=True)
class Payment:
    """Coins that an action pays to the bank and to the neighbours.

    Attributes
    ----------
    bank, left, right
        Coins.
    faults
        Violations of the rules, as sentences; empty for a legal payment.
    """

    bank: int
    left: int
    right: int
    faults: tuple[str, ...] = ()


FREE = Payment(0, 0, 0)


def payment_for(g: Record, t: Record, city: int, item: int, buy: Sequence[Purchase]) -> Payment:
    """Check a city's purchases for `item`, a card or a stage. Call this while cities choose, after `begin_turn`.

    Returns
    -------
    Payment
        The payment and its faults. The coins are at the engine's prices or, if the city cannot buy these goods, at the
        prices in `buy`.
    """
    bank = int(t.item_coins[item])
    bought = np.zeros((2, len(RESOURCES)), np.int64)
    named = [0, 0]
    price = [0, 0]
    wrong_prices: list[str] = []
    for purchase in buy:
        side = SIDES.index(purchase.side)
        coins = 0
        for resource, units in purchase.resources.items():
            good = RESOURCES.index(resource)
            bought[side, good] += units
            coins += units * int(unit_price(g, t, city, item, side, int(good >= len(RAW_GOODS))))
        named[side] += purchase.price
        price[side] += coins
        if coins != purchase.price:
            wrong_prices.append(
                f"price of {_goods(purchase.resources)} from the {purchase.side}: "
                f"recorded {purchase.price}, engine {coins}"
            )
    faults = _faults_of_goods(g, t, city, item, bought)
    left, right = named if faults else price
    faults += wrong_prices
    if bank + left + right > g.spendable[city]:
        faults.append(f"recorded {bank + left + right} coins paid, engine {g.spendable[city]} to spend")
    return Payment(bank, left, right, tuple(faults))


def _goods(resources: Mapping[Any, int]) -> str:
    return " and ".join(f"{units} {resource}" for resource, units in resources.items()) or "nothing"


def _faults_of_goods(g: Record, t: Record, city: int, item: int, bought: Any) -> list[str]:
    """Return sentences on what is wrong with the goods bought. `bought` has the units by side and resource."""
    faults = []
    for side, neighbour in ((LEFT, left_of(g, city)), (RIGHT, right_of(g, city))):
        if _units_missing(bought[side], g.sold_raw[neighbour], g.sold_manufactured[neighbour]):
            goods = {good: int(units) for good, units in zip(RESOURCES, bought[side], strict=True) if units}
            faults.append(f"recorded {_goods(goods)} from the {SIDES[side]}, engine: this neighbour does not sell that")
    need = t.item_need[item] - bought.sum(axis=0)
    unneeded = {good: int(-units) for good, units in zip(RESOURCES, need, strict=True) if units < 0}
    if unneeded:
        faults.append(f"recorded {_goods(unneeded)} bought, engine: not needed")
    missing = _units_missing(np.maximum(need, 0), g.own_raw[city], g.own_manufactured[city])
    if missing:
        faults.append(f"recorded {int(bought.sum())} goods bought, engine {missing} more needed")
    return faults


def _units_missing(units: Any, raw: Any, manufactured: Any) -> int:
    """Return how many needed units the supplies cannot give.

    `units` is the number needed of each resource. `raw` and `manufactured` are the lanes of the supplies.
    """
    if max(sum(units[: len(RAW_GOODS)]), sum(units[len(RAW_GOODS) :])) > 7:
        return int(sum(units))  # the lanes cannot hold so many units, and no card needs so many
    need_raw = np.uint64(need_lanes([int(count) for count in units[: len(RAW_GOODS)]]))
    need_manufactured = np.uint64(need_lanes([int(count) for count in units[len(RAW_GOODS) :]]))
    assert len(units) == len(RAW_GOODS) + len(MANUFACTURED_GOODS)
    return int(shortfall(need_raw, raw) + shortfall(need_manufactured, manufactured))


def cheapest_payment(g: Record, t: Record, city: int, item: int) -> Payment | None:
    """Return the cheapest payment; None if there is none. In a tie, the left neighbour gets as little as possible."""
    count = list_payments(g, t, city, item)
    pairs = [(int(g.option_left[option]), int(g.option_right[option])) for option in range(count)]
    if not pairs:
        return None
    left, right = min(pairs, key=lambda pair: (sum(pair), pair[0]))
    return Payment(int(t.item_coins[item]), left, right)


def set_choice(g: Record, city: int, card: int, action: int, payment: Payment) -> None:
    """Set a city's choice of action and payment, which `turns.act` carries out."""
    g.choice_card[city] = card
    g.choice_action[city] = action
    g.choice_bank[city] = payment.bank
    g.choice_left[city] = payment.left
    g.choice_right[city] = payment.right
