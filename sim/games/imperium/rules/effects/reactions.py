"""Reactions to events, and avoiding attacks."""

from __future__ import annotations

from sim.compiler.kernel import Record, kernel
from sim.engine.decide import Players, choose
from sim.engine.effect_stack import push
from sim.engine.options import offer
from sim.engine.seating import seat_after
from sim.games.imperium.rules import constants
from sim.games.imperium.rules.choices import ask_card, offer_pinned
from sim.games.imperium.rules.costs import can_react
from sim.games.imperium.rules.effects.hand import agrees, use
from sim.games.imperium.rules.effects.resources import pay_for_effect
from sim.games.imperium.rules.log import REACTED, SHIELDED_BY, log_event
from sim.games.imperium.rules.moving import recall
from sim.games.imperium.rules.options import can_do
from sim.games.imperium.rules.payment import can_pay
from sim.games.imperium.rules.stack import is_in_zone, waits_for


@kernel
def answer(g: Record, t: Record, players: Players, seat: int, card: int, trigger: int, value: int, amount: int) -> None:
    """Let an event (see `fire`) trigger cards in play: passive abilities always, reactions if the player agrees."""
    for place in range(g.zone_size[seat, constants.PLAY]):
        own = int(g.zone[seat, constants.PLAY, place])
        effect = -1
        if t.when[own] == trigger and waits_for(t, trigger, int(t.when_to[own]), card, value):
            if t.program[own, constants.WHEN_PROGRAM] != 0:
                effect = push(g, int(t.program[own, constants.WHEN_PROGRAM]), seat, own, -1)
        elif t.react_on[own] == trigger and waits_for(t, trigger, int(t.react_to[own]), card, value):
            at = int(t.program[own, constants.REACT_PROGRAM])
            if at != 0 and can_react(g, seat, own) and can_do(g, t, 0, seat, own, at):
                g.asking = own
                g.asked_at = at
                g.asked = constants.EXHAUST_TO_REACT
                if agrees(g, t, players, seat):
                    use(g, seat, own)
                    log_event(g, REACTED, seat, own, 0, 0)
                    effect = push(g, at, seat, own, -1)
        if effect >= 0:
            g.frame[effect, constants.AMOUNT_GAINED] = amount


@kernel
def protect_all(g: Record, t: Record, players: Players, seat: int, card: int, effect: int) -> None:
    """Let the other seats, in turn order, avoid an attack by `seat` with `card`.

    Record those that do in the field `SHIELDED` of the frame `effect`.
    """
    other = seat
    for _ in range(g.players - 1):
        other = seat_after(g, other)
        if ignores_attacks(g, t, other):
            g.frame[effect, constants.SHIELDED] |= 1 << (other + constants.EXCEPT_PROGRESS)
            continue
        g.option_count = 0
        for place in range(g.zone_size[other, constants.PLAY]):
            offer_shield(g, t, other, int(g.zone[other, constants.PLAY, place]))
        if g.option_count > 0:
            g.asking = card
            g.option_card[g.option_count] = constants.NO_CARD
            g.option_seat[g.option_count] = other
            g.option_count += 1
            shield = int(g.option_card[choose(g, t, players, other, constants.PROTECT)])
            if shield != constants.NO_CARD:
                log_event(g, SHIELDED_BY, other, shield, card, 0)
                g.frame[effect, constants.SHIELDED] |= 1 << other
                pay_for_shield(g, t, players, other, shield)


@kernel
def ignores_attacks(g: Record, t: Record, seat: int) -> bool:
    """Tell whether a passive ability protects a seat from all attacks. The seat still gains progress by attacks."""
    for place in range(g.zone_size[seat, constants.PLAY]):
        if t.shield[g.zone[seat, constants.PLAY, place]] == constants.SHIELD_ALWAYS:
            return True
    return False


@kernel
def offer_shield(g: Record, t: Record, seat: int, card: int) -> None:
    """Offer a card in play if it can avoid an attack and the seat can pay for that."""
    shield = t.shield[card]
    argument = int(t.shield_arg[card])
    open_to = False
    if shield == constants.SHIELD_BY_EXHAUST:
        open_to = g.exhausted[card] == 0 and g.exhausts[seat] > 0 and can_pay(g, seat, 0, argument, 0)
    elif shield == constants.SHIELD_BY_PAYING:
        open_to = can_pay(g, seat, 0, argument, 0)
    elif shield == constants.SHIELD_BY_RECALL:
        open_to = argument == constants.SELF or is_in_zone(g, t, seat, constants.PLAY, argument)
    if open_to:
        offer(g, 0, card, constants.PLAY, seat)


@kernel
def pay_for_shield(g: Record, t: Record, players: Players, seat: int, card: int) -> None:
    """Pay the price of avoiding an attack: exhaust the card, pay population, or recall a card."""
    shield = t.shield[card]
    argument = int(t.shield_arg[card])
    if shield == constants.SHIELD_BY_EXHAUST:
        use(g, seat, card)
    if shield in (constants.SHIELD_BY_EXHAUST, constants.SHIELD_BY_PAYING) and argument > 0:
        pay_for_effect(g, t, players, seat, constants.POPULATION, argument, 0)
    if shield == constants.SHIELD_BY_RECALL:
        g.option_count = 0
        offer_pinned(g, t, card, seat, argument, constants.NOTHING)
        option = ask_card(g, t, players, seat, constants.RECALL, False)
        if option >= 0:
            recall(g, t, seat, int(g.option_card[option]))
