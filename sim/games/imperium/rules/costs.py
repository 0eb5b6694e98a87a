"""Costs of effects: whether a player has what must be paid or given up.

`own` is the card with the effect, `root` the frame in which the effect began, and `at` a row of the effect code.
"""

from __future__ import annotations

from sim.compiler.kernel import Record, kernel
from sim.games.imperium.rules import constants
from sim.games.imperium.rules.counting import count_garrisoned, count_of, count_of_suit, count_pinned, others_in_hand
from sim.games.imperium.rules.payment import progress_needed, unrest_due
from sim.games.imperium.rules.stack import may_do

HAND_BIT = 1 << constants.HAND


@kernel
def relief(g: Record, t: Record, seat: int, selector: int) -> int:
    """Return by how many cards reactions and garrisoned cards can lower a required discard of cards of a selector."""
    count = 0
    if not may_do(g, seat, constants.LOWERS_DISCARD):
        return count
    for place in range(g.zone_size[seat, constants.PLAY]):
        card = int(g.zone[seat, constants.PLAY, place])
        if t.discard_relief[card] != 0 and t.relief_of[card] == selector:
            if t.discard_relief[card] == 1:
                count += int(can_react(g, seat, card))
            else:
                count += count_garrisoned(g, t, seat, 0, card, constants.NOTHING)
    return count


@kernel
def can_react(g: Record, seat: int, card: int) -> bool:
    """Tell whether a seat may exhaust a card for a reaction now.

    The seat must be in its activate turn and have an exhaust token left, and the card must not be exhausted.
    """
    return bool(g.activating != 0 and g.turn_seat == seat and g.exhausted[card] == 0 and g.exhausts[seat] > 0)


@kernel
def payable(g: Record, t: Record, root: int, seat: int, own: int, at: int, end: int) -> bool:
    """Tell whether a seat can pay the cost that the instructions `at` to `end` - 1 ask for."""
    material = 0
    population = 0
    progress = 0
    actions = 0
    from_hand = 0
    for place in range(at, end):
        operation = t.code[place, constants.OPERATION]
        first = int(t.code[place, constants.A])
        amount = int(t.code[place, constants.B])
        if operation == constants.PAY:
            if first == constants.MATERIAL:
                material += unrest_due(g, t, seat, own, 0, amount)
            elif first == constants.POPULATION:
                population += amount
            else:
                progress += amount
        elif operation == constants.SPEND_ACTION:
            actions += first
        elif operation == constants.TOP_DECK and amount == constants.HAND:
            from_hand += int(t.code[place, constants.C])
        elif not cost_is_there(g, t, root, seat, own, place):
            return False
        elif operation == constants.DISCARD and first == 0:
            from_hand += unrest_due(g, t, seat, own, 1, amount)
    if actions > g.actions[seat] or (from_hand > 0 and from_hand > others_in_hand(g, seat, own)):
        return False
    return bool(progress_needed(g, seat, material, population, progress) <= g.resource[seat, constants.PROGRESS])


@kernel
def tokens_are_there(g: Record, t: Record, seat: int, at: int, end: int) -> bool:
    """Tell whether a seat has the resources that the instructions `at` to `end` - 1 cost. Other costs are ignored."""
    material = owed(t, at, end, constants.MATERIAL)
    needed = progress_needed(
        g, seat, material, owed(t, at, end, constants.POPULATION), owed(t, at, end, constants.PROGRESS)
    )
    return bool(needed <= g.resource[seat, constants.PROGRESS])


@kernel
def owed(t: Record, at: int, end: int, resource: int) -> int:
    """Return how much of a resource the instructions `at` to `end` - 1 cost."""
    amount = 0
    for place in range(at, end):
        if t.code[place, constants.OPERATION] == constants.PAY and t.code[place, constants.A] == resource:
            amount += t.code[place, constants.B]
    return int(amount)


@kernel
def cost_is_there(g: Record, t: Record, root: int, seat: int, own: int, at: int) -> bool:
    """Tell whether a seat can pay one instruction of a cost. `payable` itself handles resources and action tokens."""
    operation = t.code[at, constants.OPERATION]
    first = int(t.code[at, constants.A])
    second = int(t.code[at, constants.B])
    third = int(t.code[at, constants.C])
    if operation == constants.DISCARD:
        if first < 0 or second < 0:
            return True
        wanted = unrest_due(g, t, seat, own, 1, second)
        return count_of(g, t, seat, first, HAND_BIT) + relief(g, t, seat, first) >= wanted
    if operation == constants.TO_HISTORY:
        return first < 0 or count_of(g, t, seat, first, second) >= third
    if operation == constants.TOP_DECK:
        return first < 0 or count_of(g, t, seat, first, 1 << second) >= third
    if operation == constants.ABANDON:
        return count_pinned(g, t, own, seat, first, int(t.code[at, constants.D])) >= second
    if operation == constants.RECALL:
        return count_pinned(g, t, own, seat, first, constants.NOTHING) >= second
    if operation == constants.ABANDON_GARRISONED:
        return count_garrisoned(g, t, seat, first, constants.NO_CARD, third) >= second
    if operation == constants.RECALL_GARRISONED:
        return count_garrisoned(g, t, seat, first, own, constants.NOTHING) > 0
    if operation == constants.SINK:
        return first < 0 or count_of(g, t, seat, first, 1 << second) >= third
    return rest_is_there(g, t, seat, own, at, operation, first, second)


@kernel
def rest_is_there(g: Record, t: Record, seat: int, own: int, at: int, operation: int, first: int, second: int) -> bool:
    """Tell whether a seat can pay one of the rarer instructions of a cost. `first`, `second`: its arguments A and B."""
    if operation == constants.RETURN_UNREST:
        return bool(first < 0 or count_of_suit(g, t, seat, second, constants.UNREST) >= first)
    if operation == constants.PAY_ALL:
        return bool(g.resource[seat, first] >= second)
    if operation == constants.PAY_ALL_ON_SELF:
        return bool(g.stored[own] >= second)
    if operation == constants.TAKE_UNREST:
        return bool(g.zone_size[constants.TABLE, constants.UNREST_PILE] >= first)
    if operation == constants.GARRISON_HERE:
        return can_garrison(g, t, seat, first) and g.zone_size[seat, constants.HAND] >= second
    if operation in (constants.FIND, constants.EXILE_HAND):
        return count_of(g, t, seat, first, second if operation == constants.FIND else HAND_BIT) > 0
    return True


@kernel
def can_garrison(g: Record, t: Record, seat: int, selector: int) -> bool:
    """Tell whether a seat has a hand card that matches a selector and may be garrisoned."""
    for place in range(g.zone_size[seat, constants.HAND]):
        card = g.zone[seat, constants.HAND, place]
        if t.selector[selector, card] != 0 and t.no_garrison[card] == 0:
            return True
    return False
