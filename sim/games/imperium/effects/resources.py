"""What effects do with resources: gaining, paying, stealing."""

from __future__ import annotations

from sim.choosing import Players
from sim.games.imperium import words
from sim.games.imperium.conditions import counted
from sim.games.imperium.counting import icons_counted, icons_in_play
from sim.games.imperium.effects.hand import choose_amount
from sim.games.imperium.log import PAID_FOR, STOLEN, TOKEN_STORED, note
from sim.games.imperium.market import gain, gain_with, place_on_market
from sim.games.imperium.moving import take_unrest
from sim.games.imperium.payment import can_pay, pay, progress_needed, unrest_due
from sim.games.imperium.stack import fire
from sim.games.imperium.state import seat_after
from sim.jit import Record, kernel
from sim.kit.frames import FRAME_CARD, FRAME_ROOT


@kernel
def follow_resources(g: Record, t: Record, players: Players, frame: int, at: int, operation: int, seat: int) -> None:
    """Follow an instruction about resources."""
    own = int(g.frame[frame, FRAME_CARD])
    root = int(g.frame[frame, FRAME_ROOT])
    resource = int(t.code[at, words.A])
    amount = int(t.code[at, words.B])
    if operation == words.GAIN:
        icons = int(g.frame[root, words.ICONS_USED])
        if resource == words.MATERIAL:
            icons |= icons_in_play(g, t, seat, own)
        gain_with(g, t, seat, resource, amount, icons)
    elif operation == words.GAIN_PER:
        counter = int(t.code[at, words.C])
        argument = int(t.code[at, words.D])
        count = counted(g, t, root, seat, counter, argument)
        icons = 0
        if resource == words.MATERIAL:
            icons = icons_in_play(g, t, seat, own)
            icons |= icons_counted(g, t, seat, counter, argument) if counter <= 1 else 0
        gain_with(g, t, seat, resource, amount * count, icons)
    elif operation == words.PAY:
        if resource == words.MATERIAL:
            amount = unrest_due(g, t, seat, own, 0, amount)
        pay_for_effect(g, t, players, seat, resource, amount, kept_for_next(g, t, seat, at))
    elif operation == words.PAY_UP_TO:
        g.frame[root, words.PAID] = choose_amount(
            g, t, players, seat, operation, min(amount, g.resource[seat, resource])
        )
        g.resource[seat, resource] -= g.frame[root, words.PAID]
        note(g, PAID_FOR, seat, words.NO_CARD, resource, int(g.frame[root, words.PAID]))
    elif operation == words.PAY_ALL:
        note(g, PAID_FOR, seat, words.NO_CARD, resource, int(g.resource[seat, resource]))
        g.resource[seat, resource] = 0
    elif operation == words.STEAL:
        steal(g, t, root, seat, resource, amount, int(t.code[at, words.C]), int(t.code[at, words.D]))
    elif operation == words.PLACE_ON_MARKET:
        g.asked = operation
        place_on_market(g, t, players, seat, resource, amount)
    elif operation == words.PLACE_ON_SELF:
        g.stored[own] += amount
        note(g, TOKEN_STORED, seat, own, resource, amount)
    elif operation in (words.GAIN_ON_SELF, words.DOUBLE_GAINED):
        gain(g, t, seat, resource, int(g.frame[root, words.AMOUNT_GAINED]))


@kernel
def kept_for_next(g: Record, t: Record, seat: int, at: int) -> int:
    """Progress that the next payment of the same cost will need."""
    after = at + 1
    if t.code[after, words.OPERATION] != words.PAY:
        return 0
    amounts = (
        int(t.code[after, words.B]) if t.code[after, words.A] == words.MATERIAL else 0,
        int(t.code[after, words.B]) if t.code[after, words.A] == words.POPULATION else 0,
        int(t.code[after, words.B]) if t.code[after, words.A] == words.PROGRESS else 0,
    )
    return progress_needed(g, seat, amounts[0], amounts[1], amounts[2])


@kernel
def pay_for_effect(g: Record, t: Record, players: Players, seat: int, resource: int, amount: int, kept: int) -> None:
    """Pay for an effect, as far as it can be paid at all."""
    can = can_pay(
        g,
        seat,
        amount if resource == words.MATERIAL else 0,
        amount if resource == words.POPULATION else 0,
        amount if resource == words.PROGRESS else 0,
    )
    if can and pay(g, t, players, seat, resource, amount, kept) > 0:
        fire(g, t, seat, words.YOU_PAY, words.NO_CARD, resource, 0)


@kernel
def steal(g: Record, t: Record, root: int, seat: int, resource: int, amount: int, whom: int, unrest: int) -> None:
    """Steal from each other player what is there; who cannot give all takes unrest if the card says so."""
    other = seat
    for _ in range(g.players - 1):
        if g.collapsed != 0:
            return
        other = seat_after(g, other)
        if g.frame[root, words.SHIELDED] & ((1 << other) | (1 << (other + words.EXCEPT_PROGRESS))) != 0:
            continue
        if whom == words.IN_EMPIRE and g.state[other] != words.EMPIRE:
            continue
        if whom == words.WITH_REGION and not has_suit_in_play(g, t, other, words.REGION):
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
    for place in range(g.zone_size[seat, words.PLAY]):
        if t.suits[g.zone[seat, words.PLAY, place]] & suit != 0:
            return True
    return False
