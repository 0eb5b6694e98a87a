"""Triggers of abilities by events, and passive abilities of the cards in play.

A rule that triggers other effects pushes a `FIRE` step on the stack of effects (`sim.engine.effect_stack`). Reactions
are resolved when the current operation is finished.
"""

from __future__ import annotations

from sim.compiler.kernel import Record, kernel
from sim.engine.effect_stack import push_step
from sim.games.imperium.rules import constants


@kernel
def note_passives(g: Record, t: Record, seat: int, card: int) -> None:
    """Record the passive abilities of a card that enters play."""
    g.passives[seat] |= t.passives[card]


@kernel
def renew_passives(g: Record, t: Record, seat: int) -> None:
    """Recompute the passive abilities of a seat's cards in play, after cards have left."""
    g.passives[seat] = 0
    for place in range(g.zone_size[seat, constants.PLAY]):
        note_passives(g, t, seat, int(g.zone[seat, constants.PLAY, place]))


@kernel
def may_do(g: Record, seat: int, passive: int) -> bool:
    """Return False only if no card that a seat has in play has a passive ability, given by its bit number.

    If it returns True, that card may have left play already.
    """
    return bool(g.passives[seat] & (1 << passive) != 0)


@kernel
def waits_for(t: Record, trigger: int, to: int, card: int, value: int) -> bool:
    """Tell whether an event triggers an ability with this trigger.

    `to` says what the ability waits for: a selector that `card` must match, or the number that `value` must equal.
    Other triggers, except NEVER, always fire.
    """
    if constants.YOU_PLAY <= trigger <= constants.YOU_ACQUIRE_FROM_EXILE or trigger == constants.DISCARD_REQUIRED:
        return bool(to == constants.ANYTHING or (card >= 0 and t.selector[to, card] != 0))
    if trigger in (constants.YOU_GAIN_MARKET_TOKEN, constants.YOU_PAY, constants.YOU_GAIN_FROM_ICON):
        return to == value
    return trigger != constants.NEVER


@kernel
def fire(g: Record, t: Record, seat: int, trigger: int, card: int, value: int, amount: int) -> None:
    """Push a FIRE step if an event triggers any of a seat's cards in play. It runs after the current operation.

    `card` and `value` describe the event (see `waits_for`). `amount` is the gain that a reaction may double.
    """
    if not may_do(g, seat, trigger):
        return
    for place in range(g.zone_size[seat, constants.PLAY]):
        own = g.zone[seat, constants.PLAY, place]
        if (t.when[own] == trigger and waits_for(t, trigger, t.when_to[own], card, value)) or (
            t.react_on[own] == trigger and waits_for(t, trigger, t.react_to[own], card, value)
        ):
            push_step(g, constants.FIRE, seat, card, trigger, value)
            g.frame[g.depth - 1, constants.AMOUNT_GAINED] = amount
            return


@kernel
def count_in_play(g: Record, t: Record, seat: int, selector: int) -> int:
    """Count a seat's cards in play that match a selector. A card may count as several regions."""
    count = 0
    for place in range(g.zone_size[seat, constants.PLAY]):
        card = g.zone[seat, constants.PLAY, place]
        if t.selector[selector, card] != 0:
            count += t.region_weight[card] if t.suits[card] & constants.REGION != 0 else 1
    return int(count)


@kernel
def is_in_zone(g: Record, t: Record, seat: int, zone: int, selector: int) -> bool:
    """Tell whether any card in a zone of a seat matches a selector."""
    for place in range(g.zone_size[seat, zone]):
        if t.selector[selector, g.zone[seat, zone, place]] != 0:
            return True
    return False


@kernel
def ignores_icon(g: Record, t: Record, seat: int, card: int) -> bool:
    """Tell whether a passive ability in play lets a seat play a card regardless of the card's state icon."""
    if not may_do(g, seat, constants.IGNORES_ICON):
        return False
    icon = t.state[card]
    for place in range(g.zone_size[seat, constants.PLAY]):
        own = g.zone[seat, constants.PLAY, place]
        for entry in range(t.ignores.shape[1]):
            selector = t.ignores[own, entry, 0]
            if selector >= 0 and t.selector[selector, card] != 0 and t.ignores[own, entry, 1] == icon:
                return True
    return False


@kernel
def shows_state(g: Record, t: Record, seat: int, card: int) -> bool:
    """Tell whether a seat's state card matches a card's state icon, or the seat may ignore the icon."""
    icon = t.state[card]
    if icon > constants.EMPIRE or icon == g.state[seat]:
        return True
    return bool(g.ignores_state[seat] & (1 << icon) != 0) or ignores_icon(g, t, seat, card)
