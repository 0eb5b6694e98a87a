"""Whether instructions can be followed: which options of a choice are open, and whether anything would happen."""

from __future__ import annotations

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
from sim.games.imperium.state import (
    BARBARIAN,
    DECK,
    DEVELOPMENT,
    DISCARD,
    EXILE_PILE,
    NATION,
    NO_CARD,
    PLAY,
    SLOTS,
    TABLE,
    UNREST,
)
from sim.games.imperium.words import (
    ABANDON,
    ACQUIRE,
    ALSO_EXILE,
    CHOOSE,
    COST,
    DEVELOP_CARD,
    DRAW,
    DRAW_FROM,
    DRAW_PER,
    END,
    EXILE_MARKET,
    EXILE_QUEST,
    FIND,
    GAIN_PER,
    GARRISON_HERE,
    GARRISON_SELF,
    IF_ABLE,
    JUMP,
    MAY,
    NEXT,
    NOTHING,
    ONLY_EXILE,
    OPERATION,
    PAY,
    PLAY_FROM_DISCARD,
    RECALL,
    RECALL_GARRISONED,
    REQUIRE,
    RETURN_EXHAUST,
    RETURN_UNREST,
    SPEND_ACTION,
    SWAP_EXILE,
    TO_HISTORY,
    TOKEN_SHIFT,
    TOP_DECK,
    A,
    B,
    C,
    D,
)
from sim.games.imperium.words import DISCARD as DISCARD_CARDS
from sim.jit import Record, kernel


@kernel
def can_do(g: Record, t: Record, root: int, seat: int, own: int, at: int) -> bool:
    """Tell whether a seat can follow instructions: a cost they begin with can be paid, a condition holds."""
    operation = t.code[at, OPERATION]
    while operation in (MAY, REQUIRE):
        if operation == REQUIRE and not holds(g, t, root, seat, own, at):
            return False
        at += 1
        operation = t.code[at, OPERATION]
    if operation == COST:
        return payable(g, t, root, seat, own, at + 1, int(t.code[at, A]))
    if operation == CHOOSE:
        return any_option(g, t, root, seat, own, at)
    if operation in (PAY, DISCARD_CARDS, TOP_DECK, SPEND_ACTION):
        return payable(g, t, root, seat, own, at, at + 1)
    return bool(operation != PLAY_FROM_DISCARD or g.actions[seat] >= t.code[at, B])


@kernel
def any_option(g: Record, t: Record, root: int, seat: int, own: int, at: int) -> bool:
    """Tell whether one of the options of a CHOOSE is open to a seat."""
    option = at + 1
    for _ in range(t.code[at, A]):
        if option_is_open(g, t, root, seat, own, option + 1):
            return True
        option = int(t.code[option, NEXT])
    return False


@kernel
def option_is_open(g: Record, t: Record, root: int, seat: int, own: int, at: int) -> bool:
    """Tell whether an option may be chosen: its condition holds, its cost can be paid, and something of it happens."""
    operation = t.code[at, OPERATION]
    while operation == REQUIRE:
        if not holds(g, t, root, seat, own, at):
            return False
        at += 1
        operation = t.code[at, OPERATION]
    if operation == COST:
        return payable(g, t, root, seat, own, at + 1, int(t.code[at, A]))
    if operation == PAY:
        return payable(g, t, root, seat, own, at, at + 1)
    if t.empty_option_allowed != 0:
        return True
    while t.code[at, OPERATION] != JUMP and t.code[at, OPERATION] != END:
        if can_act(g, t, root, seat, own, at):
            return True
        at = int(t.code[at, NEXT])
    return False


@kernel
def can_act(g: Record, t: Record, root: int, seat: int, own: int, at: int) -> bool:
    """Tell whether an instruction would do anything."""
    operation = t.code[at, OPERATION]
    first = int(t.code[at, A])
    second = int(t.code[at, B])
    if operation == DISCARD_CARDS:
        return first < 0 or count_of(g, t, seat, first, HAND_BIT) > 0
    if operation == RETURN_UNREST:
        if t.code[at, D] != 0:
            return count_garrisoned(g, t, seat, 0, own, NOTHING) > 0
        return count_of_suit(g, t, seat, second, UNREST) > 0
    if operation == TO_HISTORY:
        return first < 0 or count_of(g, t, seat, first, second) > 0
    if operation in (TOP_DECK, DRAW_FROM):
        return first < 0 or count_of(g, t, seat, first, 1 << second) > 0
    if operation in (RECALL, ABANDON):
        return count_pinned(g, t, own, seat, first, NOTHING) > 0
    if operation == RECALL_GARRISONED:
        return count_garrisoned(g, t, seat, first, own, NOTHING) > 0
    if operation == COST:
        return payable(g, t, root, seat, own, at + 1, int(t.code[at, A]))
    if operation == MAY:
        return can_act(g, t, root, seat, own, at + 1)
    return can_act_otherwise(g, t, root, seat, own, at, operation, first, second)


@kernel
def can_act_otherwise(
    g: Record, t: Record, root: int, seat: int, own: int, at: int, operation: int, first: int, second: int
) -> bool:
    """Tell the same of the instructions that seldom stand in options, or seldom do nothing."""
    if operation == GAIN_PER:
        return counted(g, t, root, seat, int(t.code[at, C]), int(t.code[at, D])) > 0
    if operation == DRAW:
        return can_draw(g, seat, second & IF_ABLE == 0)
    if operation == DRAW_PER:
        return counted(g, t, root, seat, int(t.code[at, C]), int(t.code[at, D])) > 0 and can_draw(g, seat, True)
    if operation == DEVELOP_CARD:
        return can_develop_any(g, t, seat, first)
    if operation == ACQUIRE:
        return can_acquire(g, t, seat, at)
    if operation == GARRISON_HERE:
        return can_garrison(g, t, seat, first)
    if operation in (FIND, GARRISON_SELF, EXILE_QUEST):
        zones = second if operation == FIND else 1 << (PLAY if operation == GARRISON_SELF else DEVELOPMENT)
        return count_of(g, t, seat, first, zones) > 0
    if operation == RETURN_EXHAUST:
        return exhausted_besides(g, seat, own) > 0
    if operation == EXILE_MARKET:
        return count_market(g, True) > 0
    return bool(operation != SWAP_EXILE or (count_market(g, False) > 0 and g.zone_size[TABLE, EXILE_PILE] > 0))


@kernel
def can_draw(g: Record, seat: int, reshuffles: bool) -> bool:
    """Tell whether a seat has a card to draw, after a reshuffle if need be; a development cannot be reckoned with."""
    if g.zone_size[seat, DECK] > 0 or not reshuffles:
        return bool(g.zone_size[seat, DECK] > 0)
    advances = g.state[seat] == BARBARIAN and g.nation_exhausted[seat] == 0 and g.exhausts[seat] > 0
    return bool(g.zone_size[seat, DISCARD] > 0 or (advances and g.zone_size[seat, NATION] > 0))


@kernel
def can_acquire(g: Record, t: Record, seat: int, at: int) -> bool:
    """Tell whether there is a card that an ACQUIRE lets a seat take."""
    suits = int(t.code[at, A])
    flags = int(t.code[at, C])
    selector = int(t.code[at, D])
    token = (flags >> TOKEN_SHIFT) - 1
    if flags & ONLY_EXILE == 0:
        for slot in range(SLOTS):
            card = int(g.market[slot])
            fits = card != NO_CARD and is_of_suits(t, card, suits) and t.selector[selector, card] != 0
            if fits and (token < 0 or g.market_tokens[slot, token] > 0):
                return True
    exiled = acquired_from_exile(g, t, seat, suits, token, flags & (ALSO_EXILE | ONLY_EXILE) != 0)
    for place in range(g.zone_size[TABLE, EXILE_PILE]):
        card = int(g.zone[TABLE, EXILE_PILE, place])
        if is_of_suits(t, card, exiled) and t.selector[selector, card] != 0:
            return True
    return False
