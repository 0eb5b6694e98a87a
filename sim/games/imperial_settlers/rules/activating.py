"""Action locations: when they can be used, and what a use costs (rulebook: Activate)."""

from __future__ import annotations

from sim.compiler.kernel import Record, kernel
from sim.engine.decide import Players, choose
from sim.engine.effect_stack import push, push_step
from sim.engine.options import clear_options, offer
from sim.games.imperial_settlers.rules import constants
from sim.games.imperial_settlers.rules.dealing import lose_deal, offer_own_deals
from sim.games.imperial_settlers.rules.effects.options import can_follow
from sim.games.imperial_settlers.rules.log import ACTIVATED, TIMES_USED, log_event, note_again
from sim.games.imperial_settlers.rules.moving import discard_from_hand, works_for
from sim.games.imperial_settlers.rules.payment import add_use, nothing_due, pay_due, payable


@kernel
def can_activate(g: Record, t: Record, seat: int, card: int, times: int) -> bool:
    """Tell whether a seat can use a location `times` times in one action."""
    if t.kind[card] != constants.ACTION or not works_for(g, card, seat):
        return False
    if g.blocked[card] != 0 or g.used[card] + times > t.uses[card]:
        return False
    if g.zone_size[seat, constants.HAND] < times * t.pay_hand[card]:
        return False
    if g.zone_size[seat, constants.DEALS] + g.zone_size[seat, constants.TRADES] < times * t.pay_deal[card]:
        return False
    nothing_due(g)
    add_use(g, t, card, times)
    return payable(g, seat) and can_follow(g, t, seat, card, int(t.program[card, constants.ACTS]), times)


@kernel
def activate(g: Record, t: Record, players: Players, seat: int, card: int, times: int) -> None:
    """Let a seat use a location `times` times in one action. The effects are pushed onto the stack."""
    if times > 1:
        push_step(g, constants.STEP_USE, seat, card, times - 1, 0)
    use(g, t, players, seat, card)


@kernel
def use(g: Record, t: Record, players: Players, seat: int, card: int) -> None:
    """Pay for one use of a location, and start its effect."""
    g.used[card] += 1
    g.activated[seat] += 1
    log_event(g, ACTIVATED, seat, card, 0, 0)
    note_again(g, seat, card, TIMES_USED)
    nothing_due(g)
    add_use(g, t, card, 1)
    pay_due(g, t, players, seat, card, True)
    for _ in range(t.pay_hand[card]):
        pay_with_card(g, t, players, seat, card)
    for _ in range(t.pay_deal[card]):
        pay_with_deal(g, t, players, seat, card)
    push(g, int(t.program[card, constants.ACTS]), seat, card, -1)


@kernel
def use_again(g: Record, t: Record, players: Players, seat: int, card: int, times: int) -> None:
    """Use a location `times` more times in the same action, if it can still be used."""
    if can_activate(g, t, seat, card, 1):
        activate(g, t, players, seat, card, times)


@kernel
def pay_with_card(g: Record, t: Record, players: Players, seat: int, card: int) -> None:
    """Let a seat pay for a use of a location with a hand card of its choice."""
    clear_options(g)
    for place in range(g.zone_size[seat, constants.HAND]):
        offer(g, 0, int(g.zone[seat, constants.HAND, place]), 0, seat)
    g.asked = constants.PAY_WITH_CARD
    g.asked_card = card
    discard_from_hand(g, t, seat, int(g.option_card[choose(g, t, players, seat, constants.PICK)]))


@kernel
def pay_with_deal(g: Record, t: Record, players: Players, seat: int, card: int) -> None:
    """Let a seat pay for a use of a location with one of its deals."""
    clear_options(g)
    offer_own_deals(g, t, seat, True)
    g.asked = constants.PAY_WITH_DEAL
    g.asked_card = card
    option = choose(g, t, players, seat, constants.PICK)
    lose_deal(g, t, seat, int(g.option_kind[option]), int(g.option_card[option]), constants.NO_SEAT)
