"""Whether instructions can be followed: which options of a choice are open, and whether anything would happen."""

from __future__ import annotations

from sim.games.imperium import words
from sim.games.imperium.conditions import counted, holds
from sim.games.imperium.costs import HAND_BIT, can_garrison, payable
from sim.games.imperium.counting import (
    count_garrisoned,
    count_market,
    count_of,
    count_of_suit,
    count_pinned,
    exhausted_besides,
)
from sim.games.imperium.market import acquired_from_exile, is_of_suits
from sim.games.imperium.payment import can_develop_any
from sim.jit import Record, kernel


@kernel
def can_do(g: Record, t: Record, root: int, seat: int, own: int, at: int) -> bool:
    """Tell whether a seat can follow instructions: a cost they begin with can be paid, a condition holds."""
    operation = t.code[at, words.OPERATION]
    while operation in (words.MAY, words.REQUIRE):
        if operation == words.REQUIRE and not holds(g, t, root, seat, own, at):
            return False
        at += 1
        operation = t.code[at, words.OPERATION]
    if operation == words.COST:
        return payable(g, t, root, seat, own, at + 1, int(t.code[at, words.A]))
    if operation == words.CHOOSE:
        return any_option(g, t, root, seat, own, at)
    if operation in (words.PAY, words.DISCARD, words.TOP_DECK, words.SPEND_ACTION):
        return payable(g, t, root, seat, own, at, at + 1)
    return bool(operation != words.PLAY_FROM_DISCARD or g.actions[seat] >= t.code[at, words.B])


@kernel
def any_option(g: Record, t: Record, root: int, seat: int, own: int, at: int) -> bool:
    """Tell whether one of the options of a CHOOSE is open to a seat."""
    option = at + 1
    for _ in range(t.code[at, words.A]):
        if option_is_open(g, t, root, seat, own, option + 1):
            return True
        option = int(t.code[option, words.NEXT])
    return False


@kernel
def option_is_open(g: Record, t: Record, root: int, seat: int, own: int, at: int) -> bool:
    """Tell whether an option may be chosen: its condition holds, its cost can be paid, and something of it happens."""
    operation = t.code[at, words.OPERATION]
    while operation == words.REQUIRE:
        if not holds(g, t, root, seat, own, at):
            return False
        at += 1
        operation = t.code[at, words.OPERATION]
    if operation == words.COST:
        return payable(g, t, root, seat, own, at + 1, int(t.code[at, words.A]))
    if operation == words.PAY:
        return payable(g, t, root, seat, own, at, at + 1)
    if t.empty_option_allowed != 0:
        return True
    while t.code[at, words.OPERATION] != words.JUMP and t.code[at, words.OPERATION] != words.END:
        if can_act(g, t, root, seat, own, at):
            return True
        at = int(t.code[at, words.NEXT])
    return False


@kernel
def can_act(g: Record, t: Record, root: int, seat: int, own: int, at: int) -> bool:
    """Tell whether an instruction would do anything."""
    operation = t.code[at, words.OPERATION]
    first = int(t.code[at, words.A])
    second = int(t.code[at, words.B])
    if operation == words.DISCARD:
        return first < 0 or count_of(g, t, seat, first, HAND_BIT) > 0
    if operation == words.RETURN_UNREST:
        if t.code[at, words.D] != 0:
            return count_garrisoned(g, t, seat, 0, own, words.NOTHING) > 0
        return count_of_suit(g, t, seat, second, words.UNREST) > 0
    if operation == words.TO_HISTORY:
        return first < 0 or count_of(g, t, seat, first, second) > 0
    if operation in (words.TOP_DECK, words.DRAW_FROM):
        return first < 0 or count_of(g, t, seat, first, 1 << second) > 0
    if operation in (words.RECALL, words.ABANDON):
        return count_pinned(g, t, own, seat, first, words.NOTHING) > 0
    if operation == words.RECALL_GARRISONED:
        return count_garrisoned(g, t, seat, first, own, words.NOTHING) > 0
    if operation == words.COST:
        return payable(g, t, root, seat, own, at + 1, int(t.code[at, words.A]))
    if operation == words.MAY:
        return can_act(g, t, root, seat, own, at + 1)
    return can_act_otherwise(g, t, root, seat, own, at, operation, first, second)


@kernel
def can_act_otherwise(
    g: Record, t: Record, root: int, seat: int, own: int, at: int, operation: int, first: int, second: int
) -> bool:
    """Tell the same of the instructions that seldom stand in options, or seldom do nothing."""
    if operation == words.GAIN_PER:
        return counted(g, t, root, seat, int(t.code[at, words.C]), int(t.code[at, words.D])) > 0
    if operation == words.DRAW:
        return can_draw(g, seat, second & words.IF_ABLE == 0)
    if operation == words.DRAW_PER:
        return counted(g, t, root, seat, int(t.code[at, words.C]), int(t.code[at, words.D])) > 0 and can_draw(
            g, seat, True
        )
    if operation == words.DEVELOP_CARD:
        return can_develop_any(g, t, seat, first)
    if operation == words.ACQUIRE:
        return can_acquire(g, t, seat, at)
    if operation == words.GARRISON_HERE:
        return can_garrison(g, t, seat, first)
    if operation in (words.FIND, words.GARRISON_SELF, words.EXILE_QUEST):
        zones = (
            second
            if operation == words.FIND
            else 1 << (words.PLAY if operation == words.GARRISON_SELF else words.DEVELOPMENT)
        )
        return count_of(g, t, seat, first, zones) > 0
    if operation == words.RETURN_EXHAUST:
        return exhausted_besides(g, seat, own) > 0
    if operation == words.EXILE_MARKET:
        return count_market(g, True) > 0
    return bool(
        operation != words.SWAP_EXILE or (count_market(g, False) > 0 and g.zone_size[words.TABLE, words.EXILE_PILE] > 0)
    )


@kernel
def can_draw(g: Record, seat: int, reshuffles: bool) -> bool:
    """Tell whether a seat has a card to draw, after a reshuffle if need be; a development cannot be reckoned with."""
    if g.zone_size[seat, words.DECK] > 0 or not reshuffles:
        return bool(g.zone_size[seat, words.DECK] > 0)
    advances = g.state[seat] == words.BARBARIAN and g.nation_exhausted[seat] == 0 and g.exhausts[seat] > 0
    return bool(g.zone_size[seat, words.DISCARD_PILE] > 0 or (advances and g.zone_size[seat, words.NATION] > 0))


@kernel
def can_acquire(g: Record, t: Record, seat: int, at: int) -> bool:
    """Tell whether there is a card that an ACQUIRE lets a seat take."""
    suits = int(t.code[at, words.A])
    flags = int(t.code[at, words.C])
    selector = int(t.code[at, words.D])
    token = (flags >> words.TOKEN_SHIFT) - 1
    if flags & words.ONLY_EXILE == 0:
        for slot in range(words.SLOTS):
            card = int(g.market[slot])
            fits = card != words.NO_CARD and is_of_suits(t, card, suits) and t.selector[selector, card] != 0
            if fits and (token < 0 or g.market_tokens[slot, token] > 0):
                return True
    exiled = acquired_from_exile(g, t, seat, suits, token, flags & (words.ALSO_EXILE | words.ONLY_EXILE) != 0)
    for place in range(g.zone_size[words.TABLE, words.EXILE_PILE]):
        card = int(g.zone[words.TABLE, words.EXILE_PILE, place])
        if is_of_suits(t, card, exiled) and t.selector[selector, card] != 0:
            return True
    return False
