"""Effects on resources: gaining, paying, stealing."""

from __future__ import annotations

from sim.compiler.kernel import Record, kernel
from sim.engine.decide import Players
from sim.engine.effect_stack import FRAME_CARD, FRAME_ROOT
from sim.engine.seating import seat_after
from sim.engine.zones import place_in
from sim.games.imperium.rules import constants
from sim.games.imperium.rules.conditions import count_things
from sim.games.imperium.rules.counting import icons_counted, icons_in_play
from sim.games.imperium.rules.effects.hand import choose_amount
from sim.games.imperium.rules.log import PAID_FOR, STOLEN, TOKEN_MOVED, TOKEN_STORED, TOKENS_SPENT, log_event
from sim.games.imperium.rules.market import gain, gain_with, place_on_market
from sim.games.imperium.rules.moving import take_unrest
from sim.games.imperium.rules.payment import can_pay, pay, progress_needed, unrest_due
from sim.games.imperium.rules.stack import fire


@kernel
def follow_resources(g: Record, t: Record, players: Players, frame: int, at: int, operation: int, seat: int) -> None:
    """Execute an instruction about resources."""
    own = int(g.frame[frame, FRAME_CARD])
    root = int(g.frame[frame, FRAME_ROOT])
    resource = int(t.code[at, constants.A])
    amount = int(t.code[at, constants.B])
    if operation == constants.GAIN:
        icons = int(g.frame[root, constants.ICONS_USED])
        if resource == constants.MATERIAL:
            icons |= icons_in_play(g, t, seat, own)
        gain_with(g, t, seat, resource, amount, icons)
    elif operation == constants.GAIN_PER:
        counter = int(t.code[at, constants.C])
        argument = int(t.code[at, constants.D])
        count = count_things(g, t, root, seat, counter, argument)
        icons = 0
        if resource == constants.MATERIAL:
            icons = icons_in_play(g, t, seat, own)
            icons |= icons_counted(g, t, seat, counter, argument) if counter <= 1 else 0
        gain_with(g, t, seat, resource, amount * count, icons)
    elif operation == constants.PAY:
        if resource == constants.MATERIAL:
            amount = unrest_due(g, t, seat, own, 0, amount)
        pay_for_effect(g, t, players, seat, resource, amount, kept_for_next(g, t, seat, at))
    elif operation == constants.PAY_UP_TO:
        g.frame[root, constants.PAID] = choose_amount(
            g, t, players, seat, operation, min(amount, g.resource[seat, resource])
        )
        g.resource[seat, resource] -= g.frame[root, constants.PAID]
        log_event(g, PAID_FOR, seat, constants.NO_CARD, resource, int(g.frame[root, constants.PAID]))
    elif operation == constants.PAY_ALL:
        log_event(g, PAID_FOR, seat, constants.NO_CARD, resource, int(g.resource[seat, resource]))
        g.resource[seat, resource] = 0
    elif operation == constants.STEAL:
        steal(g, t, root, seat, resource, amount, int(t.code[at, constants.C]), int(t.code[at, constants.D]))
    elif operation == constants.PLACE_ON_MARKET:
        g.asked = operation
        place_on_market(g, t, players, seat, resource, amount)
    elif operation == constants.PLACE_ON_SELF:
        g.stored[own] += amount
        log_event(g, TOKEN_STORED, seat, own, resource, amount)
    elif operation == constants.MOVE_TO_SELF:
        move_tokens(g, seat, own, resource, amount)
    elif operation == constants.PAY_ALL_ON_SELF:
        log_event(g, TOKENS_SPENT, seat, own, resource, int(g.stored[own]))
        g.stored[own] = 0
    elif operation in (constants.GAIN_ON_SELF, constants.DOUBLE_GAINED):
        gain(g, t, seat, resource, int(g.frame[root, constants.AMOUNT_GAINED]))


@kernel
def move_tokens(g: Record, seat: int, own: int, resource: int, amount: int) -> None:
    """Move up to `amount` of a seat's tokens of a resource to the card `own`, if the card is in play."""
    moved = min(amount, int(g.resource[seat, resource]))
    if moved > 0 and place_in(g, seat, constants.PLAY, own) >= 0:
        g.resource[seat, resource] -= moved
        g.stored[own] += moved
        log_event(g, TOKEN_MOVED, seat, own, resource, moved)


@kernel
def kept_for_next(g: Record, t: Record, seat: int, at: int) -> int:
    """Return the progress that a seat must keep for the payment in the next row; 0 if that row is no payment."""
    after = at + 1
    if t.code[after, constants.OPERATION] != constants.PAY:
        return 0
    amounts = (
        int(t.code[after, constants.B]) if t.code[after, constants.A] == constants.MATERIAL else 0,
        int(t.code[after, constants.B]) if t.code[after, constants.A] == constants.POPULATION else 0,
        int(t.code[after, constants.B]) if t.code[after, constants.A] == constants.PROGRESS else 0,
    )
    return progress_needed(g, seat, amounts[0], amounts[1], amounts[2])


@kernel
def pay_for_effect(g: Record, t: Record, players: Players, seat: int, resource: int, amount: int, kept: int) -> None:
    """Pay `amount` of a resource for an effect. A seat that cannot pay all of it pays nothing."""
    can = can_pay(
        g,
        seat,
        amount if resource == constants.MATERIAL else 0,
        amount if resource == constants.POPULATION else 0,
        amount if resource == constants.PROGRESS else 0,
    )
    if can and pay(g, t, players, seat, resource, amount, kept) > 0:
        fire(g, t, seat, constants.YOU_PAY, constants.NO_CARD, resource, 0)


@kernel
def steal(g: Record, t: Record, root: int, seat: int, resource: int, amount: int, whom: int, unrest: int) -> None:
    """Steal up to `amount` of a resource from each other player who has not avoided the attack.

    `whom` may limit this to players with a region in play (`WITH_REGION`) or to empires (`IN_EMPIRE`). A player who
    cannot give `amount` takes `unrest` unrest cards.
    """
    other = seat
    for _ in range(g.players - 1):
        if g.collapsed != 0:
            return
        other = seat_after(g, other)
        if g.frame[root, constants.SHIELDED] & ((1 << other) | (1 << (other + constants.EXCEPT_PROGRESS))) != 0:
            continue
        if whom == constants.IN_EMPIRE and g.state[other] != constants.EMPIRE:
            continue
        if whom == constants.WITH_REGION and not has_suit_in_play(g, t, other, constants.REGION):
            continue
        taken = int(min(amount, g.resource[other, resource]))
        g.resource[other, resource] -= taken
        if taken > 0:
            log_event(g, STOLEN, seat, other, resource, taken)
            gain(g, t, seat, resource, taken)
        if taken < amount:
            for _ in range(unrest):
                take_unrest(g, t, other)


@kernel
def has_suit_in_play(g: Record, t: Record, seat: int, suit: int) -> bool:
    """Tell whether a seat has a card of a suit in play."""
    for place in range(g.zone_size[seat, constants.PLAY]):
        if t.suits[g.zone[seat, constants.PLAY, place]] & suit != 0:
            return True
    return False
