"""What effects do with resources: gaining, paying, stealing."""

from __future__ import annotations

from sim.choosing import Players
from sim.games.imperium.conditions import counted
from sim.games.imperium.counting import icons_counted
from sim.games.imperium.effects.hand import choose_amount
from sim.games.imperium.log import PAID_FOR, STOLEN, TOKEN_STORED, note
from sim.games.imperium.market import gain, gain_with, place_on_market
from sim.games.imperium.moving import take_unrest
from sim.games.imperium.payment import can_pay, pay, progress_needed, unrest_due
from sim.games.imperium.stack import fire
from sim.games.imperium.state import (
    AMOUNT_GAINED,
    EMPIRE,
    EXCEPT_PROGRESS,
    ICONS_USED,
    MATERIAL,
    NO_CARD,
    PAID,
    PLAY,
    POPULATION,
    PROGRESS,
    REGION,
    SHIELDED,
    seat_after,
)
from sim.games.imperium.words import (
    DOUBLE_GAINED,
    GAIN,
    GAIN_ON_SELF,
    GAIN_PER,
    IN_EMPIRE,
    OPERATION,
    PAY,
    PAY_ALL,
    PAY_UP_TO,
    PLACE_ON_MARKET,
    PLACE_ON_SELF,
    STEAL,
    WITH_REGION,
    YOU_PAY,
    A,
    B,
    C,
    D,
)
from sim.jit import Record, kernel
from sim.kit.frames import FRAME_CARD, FRAME_ROOT


@kernel
def follow_resources(g: Record, t: Record, players: Players, frame: int, at: int, operation: int, seat: int) -> None:
    """Follow an instruction about resources."""
    own = int(g.frame[frame, FRAME_CARD])
    root = int(g.frame[frame, FRAME_ROOT])
    resource = int(t.code[at, A])
    amount = int(t.code[at, B])
    if operation == GAIN:
        gain_with(g, t, seat, resource, amount, int(g.frame[root, ICONS_USED]))
    elif operation == GAIN_PER:
        counter = int(t.code[at, C])
        argument = int(t.code[at, D])
        count = counted(g, t, root, seat, counter, argument)
        icons = icons_counted(g, t, seat, counter, argument) if resource == MATERIAL and counter <= 1 else 0
        gain_with(g, t, seat, resource, amount * count, icons)
    elif operation == PAY:
        if resource == MATERIAL:
            amount = unrest_due(g, t, seat, own, 0, amount)
        pay_for_effect(g, t, players, seat, resource, amount, kept_for_next(g, t, seat, at))
    elif operation == PAY_UP_TO:
        g.frame[root, PAID] = choose_amount(g, t, players, seat, operation, min(amount, g.resource[seat, resource]))
        g.resource[seat, resource] -= g.frame[root, PAID]
        note(g, PAID_FOR, seat, NO_CARD, resource, int(g.frame[root, PAID]))
    elif operation == PAY_ALL:
        note(g, PAID_FOR, seat, NO_CARD, resource, int(g.resource[seat, resource]))
        g.resource[seat, resource] = 0
    elif operation == STEAL:
        steal(g, t, root, seat, resource, amount, int(t.code[at, C]), int(t.code[at, D]))
    elif operation == PLACE_ON_MARKET:
        g.asked = operation
        place_on_market(g, t, players, seat, resource, amount)
    elif operation == PLACE_ON_SELF:
        g.stored[own] += amount
        note(g, TOKEN_STORED, seat, own, resource, amount)
    elif operation in (GAIN_ON_SELF, DOUBLE_GAINED):
        gain(g, t, seat, resource, int(g.frame[root, AMOUNT_GAINED]))


@kernel
def kept_for_next(g: Record, t: Record, seat: int, at: int) -> int:
    """Progress that the next payment of the same cost will need."""
    after = at + 1
    if t.code[after, OPERATION] != PAY:
        return 0
    amounts = (
        int(t.code[after, B]) if t.code[after, A] == MATERIAL else 0,
        int(t.code[after, B]) if t.code[after, A] == POPULATION else 0,
        int(t.code[after, B]) if t.code[after, A] == PROGRESS else 0,
    )
    return progress_needed(g, seat, amounts[0], amounts[1], amounts[2])


@kernel
def pay_for_effect(g: Record, t: Record, players: Players, seat: int, resource: int, amount: int, kept: int) -> None:
    """Pay for an effect, as far as it can be paid at all."""
    can = can_pay(
        g,
        seat,
        amount if resource == MATERIAL else 0,
        amount if resource == POPULATION else 0,
        amount if resource == PROGRESS else 0,
    )
    if can and pay(g, t, players, seat, resource, amount, kept) > 0:
        fire(g, t, seat, YOU_PAY, NO_CARD, resource, 0)


@kernel
def steal(g: Record, t: Record, root: int, seat: int, resource: int, amount: int, whom: int, unrest: int) -> None:
    """Steal from each other player what is there; who cannot give all takes unrest if the card says so."""
    other = seat
    for _ in range(g.players - 1):
        if g.collapsed != 0:
            return
        other = seat_after(g, other)
        if g.frame[root, SHIELDED] & ((1 << other) | (1 << (other + EXCEPT_PROGRESS))) != 0:
            continue
        if whom == IN_EMPIRE and g.state[other] != EMPIRE:
            continue
        if whom == WITH_REGION and not has_suit_in_play(g, t, other, REGION):
            continue
        taken = int(min(amount, g.resource[other, resource]))
        g.resource[other, resource] -= taken
        if taken > 0:
            note(g, STOLEN, seat, other, resource, taken)
            gain(g, t, seat, resource, taken)
        if taken < amount:
            for _ in range(unrest):
                take_unrest(g, t, other)


@kernel
def has_suit_in_play(g: Record, t: Record, seat: int, suit: int) -> bool:
    """Tell whether a seat has a card of a suit in play."""
    for place in range(g.zone_size[seat, PLAY]):
        if t.suits[g.zone[seat, PLAY, place]] & suit != 0:
            return True
    return False
