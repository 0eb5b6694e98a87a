"""Decides whether instructions can be executed, whether they would have an effect, and which options are open.

`own` is the card with the effect, `root` the frame in which the effect began, and `at` a row of the effect code.
"""

from __future__ import annotations

from sim.compiler.kernel import Record, kernel
from sim.games.imperium.rules import constants
from sim.games.imperium.rules.conditions import count_things, holds
from sim.games.imperium.rules.costs import HAND_BIT, can_garrison, payable
from sim.games.imperium.rules.counting import (
    count_garrisoned,
    count_market,
    count_of,
    count_of_suit,
    count_pinned,
    exhausted_besides,
)
from sim.games.imperium.rules.market import acquired_from_exile, is_of_suits, lies_on_market
from sim.games.imperium.rules.payment import can_develop_any


@kernel
def can_do(g: Record, t: Record, root: int, seat: int, own: int, at: int) -> bool:
    """Tell whether a seat can execute the instructions from `at` on.

    Only the start of the instructions is checked: conditions must hold, a cost must be payable, and a choice must have
    an open option.
    """
    operation = t.code[at, constants.OPERATION]
    while operation in (constants.MAY, constants.REQUIRE):
        if operation == constants.REQUIRE and not holds(g, t, root, seat, own, at):
            return False
        at += 1
        operation = t.code[at, constants.OPERATION]
    if operation == constants.COST:
        return payable(g, t, root, seat, own, at + 1, int(t.code[at, constants.A]))
    if operation == constants.CHOOSE:
        return any_option(g, t, root, seat, own, at)
    if operation in (constants.PAY, constants.DISCARD, constants.TOP_DECK, constants.SPEND_ACTION):
        return payable(g, t, root, seat, own, at, at + 1)
    return bool(operation != constants.PLAY_FROM_DISCARD or g.actions[seat] >= t.code[at, constants.B])


@kernel
def any_option(g: Record, t: Record, root: int, seat: int, own: int, at: int) -> bool:
    """Tell whether one of the options of a CHOOSE is open to a seat."""
    option = at + 1
    for _ in range(t.code[at, constants.A]):
        if option_is_open(g, t, root, seat, own, option + 1):
            return True
        option = int(t.code[option, constants.NEXT])
    return False


@kernel
def option_is_open(g: Record, t: Record, root: int, seat: int, own: int, at: int) -> bool:
    """Tell whether an option may be chosen: its condition holds, its cost can be paid, and it has some effect."""
    operation = t.code[at, constants.OPERATION]
    while operation == constants.REQUIRE:
        if not holds(g, t, root, seat, own, at):
            return False
        at += 1
        operation = t.code[at, constants.OPERATION]
    if operation == constants.COST:
        return payable(g, t, root, seat, own, at + 1, int(t.code[at, constants.A]))
    if operation == constants.PAY:
        return payable(g, t, root, seat, own, at, at + 1)
    if t.empty_option_allowed != 0:
        return True
    while t.code[at, constants.OPERATION] != constants.JUMP and t.code[at, constants.OPERATION] != constants.END:
        if can_act(g, t, root, seat, own, at):
            return True
        at = int(t.code[at, constants.NEXT])
    return False


@kernel
def can_act(g: Record, t: Record, root: int, seat: int, own: int, at: int) -> bool:
    """Tell whether an instruction would have any effect."""
    operation = t.code[at, constants.OPERATION]
    first = int(t.code[at, constants.A])
    second = int(t.code[at, constants.B])
    if operation == constants.DISCARD:
        return first < 0 or count_of(g, t, seat, first, HAND_BIT) > 0
    if operation == constants.RETURN_UNREST:
        if t.code[at, constants.D] != 0:
            return count_garrisoned(g, t, seat, 0, own, constants.NOTHING) > 0
        return count_of_suit(g, t, seat, second, constants.UNREST) > 0
    if operation == constants.TO_HISTORY:
        return first < 0 or count_of(g, t, seat, first, second) > 0
    if operation in (constants.TOP_DECK, constants.DRAW_FROM):
        return first < 0 or count_of(g, t, seat, first, 1 << second) > 0
    if operation in (constants.RECALL, constants.ABANDON):
        return count_pinned(g, t, own, seat, first, constants.NOTHING) > 0
    if operation == constants.RECALL_GARRISONED:
        return count_garrisoned(g, t, seat, first, own, constants.NOTHING) > 0
    if operation == constants.COST:
        return payable(g, t, root, seat, own, at + 1, int(t.code[at, constants.A]))
    if operation == constants.MAY:
        return can_act(g, t, root, seat, own, at + 1)
    return can_act_otherwise(g, t, root, seat, own, at, operation, first, second)


@kernel
def can_act_otherwise(
    g: Record, t: Record, root: int, seat: int, own: int, at: int, operation: int, first: int, second: int
) -> bool:
    """Do the work of `can_act` for the operations that it does not handle. `first`, `second`: arguments A and B."""
    if operation == constants.GAIN_PER:
        return count_things(g, t, root, seat, int(t.code[at, constants.C]), int(t.code[at, constants.D])) > 0
    if operation == constants.DRAW:
        return can_draw(g, seat, second & constants.IF_ABLE == 0)
    if operation == constants.DRAW_PER:
        return count_things(
            g, t, root, seat, int(t.code[at, constants.C]), int(t.code[at, constants.D])
        ) > 0 and can_draw(g, seat, True)
    if operation == constants.DEVELOP_CARD:
        return can_develop_any(g, t, seat, first)
    if operation == constants.ACQUIRE:
        return can_acquire(g, t, seat, at)
    if operation == constants.GARRISON_HERE:
        return can_garrison(g, t, seat, first)
    if operation in (constants.FIND, constants.GARRISON_SELF, constants.EXILE_QUEST):
        zones = (
            second
            if operation == constants.FIND
            else 1 << (constants.PLAY if operation == constants.GARRISON_SELF else constants.DEVELOPMENT)
        )
        return count_of(g, t, seat, first, zones) > 0
    if operation == constants.RETURN_EXHAUST:
        return exhausted_besides(g, seat, own) > 0
    if operation == constants.EXILE_MARKET:
        return count_market(g, True) > 0
    if operation == constants.MOVE_TO_SELF:
        return bool(g.resource[seat, first] > 0)
    if operation == constants.GAIN_ON_MARKET:
        return lies_on_market(g)
    return bool(
        operation != constants.SWAP_EXILE
        or (count_market(g, False) > 0 and g.zone_size[constants.TABLE, constants.EXILE_PILE] > 0)
    )


@kernel
def can_draw(g: Record, seat: int, reshuffles: bool) -> bool:
    """Tell whether a seat has a card to draw, if necessary after a reshuffle.

    A card that the seat could develop during the reshuffle does not count.
    """
    if g.zone_size[seat, constants.DECK] > 0 or not reshuffles:
        return bool(g.zone_size[seat, constants.DECK] > 0)
    advances = g.state[seat] == constants.BARBARIAN and g.nation_exhausted[seat] == 0 and g.exhausts[seat] > 0
    return bool(g.zone_size[seat, constants.DISCARD_PILE] > 0 or (advances and g.zone_size[seat, constants.NATION] > 0))


@kernel
def can_acquire(g: Record, t: Record, seat: int, at: int) -> bool:
    """Tell whether there is a card that ACQUIRE lets a seat take."""
    suits = int(t.code[at, constants.A])
    flags = int(t.code[at, constants.C])
    selector = int(t.code[at, constants.D])
    token = (flags >> constants.TOKEN_SHIFT) - 1
    if flags & constants.ONLY_EXILE == 0:
        for slot in range(constants.SLOTS):
            card = int(g.market[slot])
            fits = card != constants.NO_CARD and is_of_suits(t, card, suits) and t.selector[selector, card] != 0
            if fits and (token < 0 or g.market_tokens[slot, token] > 0):
                return True
    exiled = acquired_from_exile(g, t, seat, suits, token, flags & (constants.ALSO_EXILE | constants.ONLY_EXILE) != 0)
    for place in range(g.zone_size[constants.TABLE, constants.EXILE_PILE]):
        card = int(g.zone[constants.TABLE, constants.EXILE_PILE, place])
        if is_of_suits(t, card, exiled) and t.selector[selector, card] != 0:
            return True
    return False
