"""Razing hand cards and locations, and the foundations that remain (rulebook: Raze, Foundations)."""

from __future__ import annotations

from sim.compiler.kernel import Record, kernel
from sim.engine.decide import Players, choose
from sim.engine.effect_stack import push_step
from sim.engine.options import clear_options, offer
from sim.engine.zones import put, take_out
from sim.games.imperial_settlers.rules import constants
from sim.games.imperial_settlers.rules.drawing import gain_good
from sim.games.imperial_settlers.rules.log import (
    CONVERTED,
    PAID,
    RAZED,
    RAZED_FROM_HAND,
    RAZED_ROUND,
    log_event,
    log_good,
    note_card,
)
from sim.games.imperial_settlers.rules.moving import (
    ALL_SEATS,
    become_foundation,
    discard,
    gain,
    gain_points,
    leave_empire,
)
from sim.games.imperial_settlers.rules.targets import protection


@kernel
def may_be_razed_from_hand(g: Record, t: Record, seat: int, card: int) -> bool:
    """Tell whether a hand card can be razed: it must have a raze field. Some factions cannot raze their own cards."""
    own = t.deck[card] == constants.COMMON or t.own_deck_razeable[g.faction[seat]] != 0
    return bool(own and t.raze_goods[card] != 0)


@kernel
def tokens_needed(g: Record, t: Record, card: int) -> int:
    """Return how many raze tokens a seat must spend to raze a location by the raze action."""
    return int(t.raze_cost_location) + protection(g, card)


@kernel
def spend_tokens(g: Record, seat: int, card: int, tokens: int) -> None:
    """Spend raze tokens on a card."""
    g.goods[seat, constants.RAZE] -= tokens
    log_good(g, PAID, seat, card, constants.RAZE, tokens)


@kernel
def raze_from_hand(g: Record, t: Record, players: Players, seat: int, card: int, tokens: int, worth: int) -> None:
    """Raze a hand card: pay `tokens` raze tokens, gain the card's goods and discard it.

    If `worth` is not 0, the seat may turn each good into `worth` points.
    """
    log_event(g, RAZED_FROM_HAND, seat, card, 0, 0)
    spend_tokens(g, seat, card, tokens)
    take_out(g, seat, constants.HAND, card)
    g.razed_from_hand[seat] += 1
    note_card(g, seat, card, RAZED_ROUND)
    lay_aside(g, seat, card)
    gain_raze_goods(g, t, players, seat, card, worth)
    discard_aside(g, t, seat, card)
    if t.raze_from_hand_fires != 0:
        push_step(g, constants.STEP_TRIGGERS, seat, card, constants.ON_RAZE, 0)


@kernel
def raze_location(g: Record, t: Record, players: Players, seat: int, card: int, tokens: int, worth: int) -> None:
    """Raze a location of any seat for `tokens` raze tokens. A common location becomes a foundation of its owner.

    If `worth` is not 0, the seat may turn each good of the raze field into `worth` points.
    """
    owner = int(g.owner[card])
    # The seat that controls the location (Temple of Ra) gets the wood, unless that seat itself razes the location.
    heir = owner if g.holder[card] == seat else int(g.holder[card])
    log_event(g, RAZED, seat, card, owner, tokens)
    spend_tokens(g, seat, card, tokens)
    note_card(g, seat, card, RAZED_ROUND)
    if owner != seat:
        g.razed[seat] += 1
        g.was_razed[owner] += 1
    leave_empire(g, t, card)
    stays = t.deck[card] == constants.COMMON and not (g.solo != 0 and owner == constants.VIRTUAL)
    if stays:
        become_foundation(g, owner, card, ALL_SEATS)
    else:
        lay_aside(g, seat, card)
    if stays or t.wood_for_razed_faction_location != 0:
        gain_wood(g, t, heir)
    gain_raze_goods(g, t, players, seat, card, worth)
    if not stays:
        discard_aside(g, t, seat, card)
    push_step(g, constants.STEP_TRIGGERS, seat, card, constants.ON_RAZE, 0)


@kernel
def lay_aside(g: Record, seat: int, card: int) -> None:
    """Put a razed card aside, visible to all, while the seat gains its goods.

    So a reshuffle caused by drawing these goods does not shuffle the razed card in.
    """
    put(g, seat, constants.LOOKED, card)
    g.knows[card] = ALL_SEATS


@kernel
def discard_aside(g: Record, t: Record, seat: int, card: int) -> None:
    """Discard a card that was put aside."""
    take_out(g, seat, constants.LOOKED, card)
    discard(g, t, card)


@kernel
def gain_wood(g: Record, t: Record, seat: int) -> None:
    """Gain the wood that a razed location brings."""
    gain(g, t, seat, constants.WOOD, int(t.foundation_wood), constants.NO_CARD)


@kernel
def gain_raze_goods(g: Record, t: Record, players: Players, seat: int, card: int, worth: int) -> None:
    """Gain the goods of a raze field. If `worth` is not 0, the seat may turn each into `worth` points (Dark Chapel)."""
    points = 0
    for good in range(len(constants.GOODS)):
        number = int(t.raze[card, good])
        if worth != 0 and (good < constants.SUPPLY or t.points_and_cards_convert != 0):
            for _ in range(int(t.raze[card, good])):
                if converts(g, t, players, seat, card, good):
                    number -= 1
                    points += worth
        gain_good(g, t, players, seat, good, number, card)
    if points > 0:
        gain_points(g, t, seat, points, card)


@kernel
def converts(g: Record, t: Record, players: Players, seat: int, card: int, good: int) -> bool:
    """Ask a seat whether to turn a good that it gains into points; return its answer."""
    clear_options(g)
    offer(g, 0, card, 0, seat)
    offer(g, 0, card, 1, seat)
    g.asked_good = good
    converted = choose(g, t, players, seat, constants.CONVERT) == 1
    if converted:
        log_event(g, CONVERTED, seat, card, good, 0)
    return converted
