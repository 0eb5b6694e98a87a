"""Prices and payments: gold can replace any resource, but not the reverse (rulebook: Terms).

The record holds the price that is being added up: `g.due` has the goods, and `g.due_any` the number of resources whose
kind the seat may choose. A payment is the wood, stone, food and gold actually paid, packed into one number. For the
other goods of a price there is no choice.
"""

from __future__ import annotations

from sim.compiler.kernel import Integers, Record, kernel
from sim.engine.decide import Players, choose
from sim.engine.options import clear_options, offer
from sim.games.imperial_settlers.rules import constants
from sim.games.imperial_settlers.rules.log import PAID, log_good

MOST_PAID = 32
"""A payment contains less than this amount of each good, so that it can be packed into a number."""


@kernel
def nothing_due(g: Record) -> None:
    """Start adding up a new price."""
    g.due[:] = 0
    g.due_any = 0


@kernel
def add_due(g: Record, price: Integers) -> None:
    """Add goods to the price. `price` has shape (goods,); its points and cards are ignored."""
    for good in range(constants.SUPPLY):
        g.due[good] += price[good]


@kernel
def add_use(g: Record, t: Record, card: int, times: int) -> None:
    """Add the cost of using an action location `times` times to the price."""
    for _ in range(times):
        add_due(g, t.pay[card])
    g.due_any += times * t.pay_any[card]


@kernel
def payable(g: Record, seat: int) -> bool:
    """Tell whether a seat can pay the price that has been added up."""
    return can_pay(g, seat, g.due, int(g.due_any))


@kernel
def can_pay(g: Record, seat: int, price: Integers, of_any: int) -> bool:
    """Tell whether a seat can pay a price, shape (goods,), and in addition `of_any` resources of any kind."""
    goods = g.goods[seat]
    lacks = 0
    for good in range(constants.WORKER, constants.SUPPLY):
        lacks |= int(goods[good] < price[good])
    missing = 0
    left = 0
    for good in range(constants.RESOURCES):
        rest = goods[good] - price[good]
        missing += max(0, -rest)
        left += max(0, rest)
    return bool(lacks == 0 and missing + max(0, of_any - left) <= goods[constants.GOLD] - price[constants.GOLD])


@kernel
def pack_payment(wood: int, stone: int, food: int, gold: int) -> int:
    """Pack the amounts of a payment into one number."""
    return ((gold * MOST_PAID + food) * MOST_PAID + stone) * MOST_PAID + wood


@kernel
def paid_of(payment: int, good: int) -> int:
    """Return the amount of WOOD, STONE, FOOD or GOLD in a payment."""
    return (payment >> (5 * good)) & (MOST_PAID - 1)


@kernel
def list_payments(g: Record, seat: int, card: int) -> None:
    """List all ways to pay the price. There is at least one."""
    due = g.due
    goods = g.goods[seat]
    most_wood, most_stone, most_food = most_paid(g, seat, 0), most_paid(g, seat, 1), most_paid(g, seat, 2)
    for wood in range(most_wood, -1, -1):
        for stone in range(most_stone, -1, -1):
            for food in range(most_food, -1, -1):
                more = max(0, wood - due[0]) + max(0, stone - due[1]) + max(0, food - due[2])
                short = max(0, due[0] - wood) + max(0, due[1] - stone) + max(0, due[2] - food)
                gold = due[constants.GOLD] + short + g.due_any - more
                if more <= g.due_any and gold <= goods[constants.GOLD]:
                    offer(g, 0, card, pack_payment(wood, stone, food, int(gold)), seat)


@kernel
def most_paid(g: Record, seat: int, good: int) -> int:
    """Return the largest amount of a resource that a payment can contain."""
    return int(min(g.goods[seat, good], g.due[good] + g.due_any, MOST_PAID - 1))


@kernel
def choose_payment(g: Record, t: Record, players: Players, seat: int, card: int) -> int:
    """Let a seat choose how it pays the price of a card.

    There is only one way if the price fixes the kind of every resource and the seat has no gold to spare.
    """
    if g.due_any == 0 and g.goods[seat, constants.GOLD] <= g.due[constants.GOLD]:
        return pack_payment(int(g.due[0]), int(g.due[1]), int(g.due[2]), int(g.due[constants.GOLD]))
    clear_options(g)
    list_payments(g, seat, card)
    g.asked_card = card
    return int(g.option_value[choose(g, t, players, seat, constants.PAY)])


@kernel
def pay_due(g: Record, t: Record, players: Players, seat: int, card: int, stays: bool) -> None:
    """Let a seat pay the price of a card. If `stays` is set, the goods lie on the card until cleanup."""
    payment = choose_payment(g, t, players, seat, card)
    for good in range(constants.SUPPLY):
        number = paid_of(payment, good) if good <= constants.GOLD else int(g.due[good])
        g.goods[seat, good] -= number
        log_good(g, PAID, seat, card, good, number)
        if stays:
            g.paid[card, good] += number
