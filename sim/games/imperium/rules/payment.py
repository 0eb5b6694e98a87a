"""Payment: what can be paid, and progress as a replacement for population and material (docs/rules-imperium.md)."""

from __future__ import annotations

from sim.compiler.kernel import Record, kernel
from sim.engine.decide import Players, choose
from sim.engine.state import OPTIONS_FULL
from sim.games.imperium.rules import constants
from sim.games.imperium.rules.log import PAID_FOR, log_event
from sim.games.imperium.rules.stack import may_do
from sim.games.imperium.rules.tables import MAX_OPTIONS

PROGRESS_IS_WORTH = (2, 1, 1)
"""Amount of material, of population and of progress that one progress token can replace in a payment."""


@kernel
def progress_needed(g: Record, seat: int, material: int, population: int, progress: int) -> int:
    """Return the progress that a seat must spend on a cost after using all its material and population."""
    lacking_material = max(0, material - g.resource[seat, constants.MATERIAL])
    lacking_population = max(0, population - g.resource[seat, constants.POPULATION])
    return int(progress + lacking_population + (lacking_material + 1) // 2)


@kernel
def can_pay(g: Record, seat: int, material: int, population: int, progress: int) -> bool:
    """Tell whether a seat can pay a cost in full."""
    return progress_needed(g, seat, material, population, progress) <= g.resource[seat, constants.PROGRESS]


@kernel
def pay(g: Record, t: Record, players: Players, seat: int, resource: int, amount: int, kept: int) -> int:
    """Pay `amount` of a resource; the seat, which must be able to pay, chooses how much of it progress replaces.

    Parameters
    ----------
    kept
        Progress that must be left for the rest of the cost.

    Returns
    -------
    The amount of the resource itself that was paid.
    """
    stand_in = amount
    if resource != constants.PROGRESS:
        stand_in = choose_stand_in(g, t, players, seat, resource, amount, kept)
    g.resource[seat, constants.PROGRESS] -= stand_in
    own = 0
    if resource != constants.PROGRESS:
        own = max(0, amount - stand_in * PROGRESS_IS_WORTH[resource])
        g.resource[seat, resource] -= own
        log_event(g, PAID_FOR, seat, constants.NO_CARD, resource, own)
    if stand_in > 0:
        log_event(g, PAID_FOR, seat, constants.NO_CARD, constants.PROGRESS, stand_in)
    return own


@kernel
def choose_stand_in(g: Record, t: Record, players: Players, seat: int, resource: int, amount: int, kept: int) -> int:
    """Let a seat choose how many progress tokens it pays in place of a resource; return the number.

    `kept` tokens must be left.
    """
    worth = PROGRESS_IS_WORTH[resource]
    least = (max(0, amount - g.resource[seat, resource]) + worth - 1) // worth
    most = min(g.resource[seat, constants.PROGRESS] - kept, (amount + worth - 1) // worth)
    if most <= least:
        return int(least)
    g.asked_resource = resource
    g.asked_amount = amount
    if most - least >= MAX_OPTIONS:
        g.error = OPTIONS_FULL
        return int(least)
    for number in range(least, most + 1):
        g.option_value[number - least] = number
        g.option_card[number - least] = constants.NO_CARD
    g.option_count = most - least + 1
    return int(g.option_value[choose(g, t, players, seat, constants.PAYMENT)])


@kernel
def unrest_due(g: Record, t: Record, seat: int, card: int, kind: int, amount: int) -> int:
    """Return the material (`kind` 0) or the number of cards (`kind` 1) that a card's effect costs.

    `amount` is the cost before changes. Passive abilities in play may change the cost of effects of unrest cards.
    """
    if t.suits[card] & constants.UNREST == 0 or not may_do(g, seat, constants.CHANGES_UNREST_COST):
        return amount
    change = 0
    for place in range(g.zone_size[seat, constants.PLAY]):
        change += t.unrest_cost[g.zone[seat, constants.PLAY, place], kind]
    return int(max(1, amount + change)) if change != 0 else amount


@kernel
def development_price(g: Record, t: Record, seat: int, card: int, resource: int) -> int:
    """Return how much of a resource a seat pays to develop a card, with the discounts of its passive abilities."""
    price = t.cost[card, resource]
    if price > 0 and may_do(g, seat, constants.CHANGES_DEVELOPMENT_COST):
        for place in range(g.zone_size[seat, constants.PLAY]):
            price += t.development_cost[g.zone[seat, constants.PLAY, place], resource]
    return int(max(0, price))


@kernel
def can_develop_any(g: Record, t: Record, seat: int, free: int) -> bool:
    """Tell whether a seat can develop any card of its development area now."""
    if not may_develop(g, t, seat):
        return False
    for place in range(g.zone_size[seat, constants.DEVELOPMENT]):
        if can_develop(g, t, seat, int(g.zone[seat, constants.DEVELOPMENT, place]), free):
            return True
    return False


@kernel
def may_develop(g: Record, t: Record, seat: int) -> bool:
    """Tell whether a seat may develop at all. Some nations never may, and barbarians only if a setting allows it."""
    if t.faction_develops[g.faction[seat]] == 0:
        return False
    return bool(t.barbarian_may_develop != 0 or g.state[seat] != constants.BARBARIAN)


@kernel
def can_develop(g: Record, t: Record, seat: int, card: int, free: int) -> bool:
    """Tell whether a seat can pay for a card of its development area. With `free`, the card costs nothing."""
    return free != 0 or (
        t.unrest_to_develop[card] <= g.zone_size[constants.TABLE, constants.UNREST_PILE]
        and can_pay(
            g,
            seat,
            development_price(g, t, seat, card, constants.MATERIAL),
            development_price(g, t, seat, card, constants.POPULATION),
            development_price(g, t, seat, card, constants.PROGRESS),
        )
    )
