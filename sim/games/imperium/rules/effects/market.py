"""Effects on the market, fame, development and the nation deck."""

from __future__ import annotations

from sim.compiler.kernel import Record, kernel
from sim.engine.decide import Players
from sim.engine.effect_stack import FRAME_ROOT
from sim.engine.options import offer
from sim.engine.zones import place_in, put, take_out
from sim.games.imperium.rules import constants
from sim.games.imperium.rules.choices import ask_card, offer_from
from sim.games.imperium.rules.drawing import (
    advance,
    develop,
    look_at_fame,
    shuffle_nation,
    take_top_fame,
    trigger_scoring,
)
from sim.games.imperium.rules.knowledge import hide_place, look_at_card, show_card
from sim.games.imperium.rules.log import LOOKED, PUT_BELOW, SWAPPED, log_event
from sim.games.imperium.rules.market import (
    acquire,
    break_through,
    gain_on_market,
    gamble,
    list_acquisitions,
    list_break_through,
    swap_with_exile,
)
from sim.games.imperium.rules.plays import can_play, play_card


@kernel
def follow_market(
    g: Record, t: Record, players: Players, frame: int, at: int, operation: int, seat: int, optional: bool
) -> None:
    """Execute an instruction about the market, fame, development or the nation deck."""
    first = int(t.code[at, constants.A])
    g.asked = operation
    if operation in (constants.ACQUIRE, constants.BREAK_THROUGH):
        gain_cards(g, t, players, frame, at, seat, operation, optional)
    elif operation == constants.SWAP_EXILE:
        swap_with_exile(g, t, players, seat)
    elif operation == constants.GAIN_ON_MARKET:
        gain_on_market(g, t, players, seat, optional)
    elif operation == constants.GAMBLE:
        gamble(g, t, players, seat, first)
    elif operation == constants.FAME_LOOK:
        look_at_fame(g, t, players, seat, first, int(t.code[at, constants.B]))
    elif operation == constants.FAME_TOP:
        take_top_fame(g, t, seat)
    elif operation == constants.DEVELOP_CARD:
        develop(g, t, players, seat, first, False)
    elif operation == constants.NATION_LOOK:
        look_at_nation(g, seat, max(1, first))
        log_event(g, LOOKED, seat, constants.NO_CARD, 0, max(1, first))
    elif operation == constants.NATION_SHUFFLE:
        shuffle_nation(g, seat)
    elif operation == constants.NATION_TO_DISCARD:
        for _ in range(first):
            advance(g, t, seat)
    elif operation == constants.NATION_TO_BOTTOM:
        if first <= 1:
            nation_to_bottom(g, seat, int(g.zone_size[seat, constants.NATION] - 1))
        else:
            choose_for_bottom(g, t, players, seat, first, optional)
    elif operation == constants.NATION_SWAP:
        swap_with_nation(g, t, players, seat)
    elif operation == constants.TRIGGER_SCORING:
        trigger_scoring(g, first)


@kernel
def gain_cards(
    g: Record, t: Record, players: Players, frame: int, at: int, seat: int, operation: int, optional: bool
) -> None:
    """Acquire or break through as often as the instruction says. Cards that refill the market in between can be taken.

    With the flag `PLAYS_IT`, an acquired card is played at once as a free play.
    """
    suits = int(t.code[at, constants.A])
    flags = int(t.code[at, constants.C])
    selector = int(t.code[at, constants.D])
    token = (flags >> constants.TOKEN_SHIFT) - 1
    also_exile = flags & (constants.ALSO_EXILE | constants.ONLY_EXILE) != 0
    icons = int(g.frame[g.frame[frame, FRAME_ROOT], constants.ICONS_USED])
    for _ in range(t.code[at, constants.B]):
        if g.collapsed != 0:
            return
        if operation == constants.BREAK_THROUGH:
            list_break_through(g, t, suits, selector, also_exile)
            break_through(g, t, players, seat, selector)
            continue
        list_acquisitions(g, t, seat, suits, selector, token, flags & constants.ONLY_EXILE == 0, also_exile)
        if optional and g.option_count > 0:
            offer(g, constants.FROM_MARKET, constants.NO_CARD, 0, constants.NO_SEAT)
        card = acquire(g, t, players, seat, icons)
        if (
            card != constants.NO_CARD
            and flags & constants.PLAYS_IT != 0
            and can_play(g, t, seat, card)
            and g.collapsed == 0
        ):
            play_card(g, t, seat, card, constants.HAND, 1)


@kernel
def look_at_nation(g: Record, seat: int, number: int) -> None:
    """Let a seat look at the top `number` cards of its nation deck."""
    size = int(g.zone_size[seat, constants.NATION])
    for place in range(max(0, size - number), size):
        look_at_card(g, seat, int(g.zone[seat, constants.NATION, place]))


@kernel
def nation_to_bottom(g: Record, seat: int, place: int) -> None:
    """Move the nation card at index `place` to the bottom of its deck, but above the accession card."""
    if place > 1:
        card = g.zone[seat, constants.NATION, place]
        for above in range(place, 1, -1):
            g.zone[seat, constants.NATION, above] = g.zone[seat, constants.NATION, above - 1]
        g.zone[seat, constants.NATION, 1] = card
        log_event(g, PUT_BELOW, seat, int(card), 0, 0)


@kernel
def choose_for_bottom(g: Record, t: Record, players: Players, seat: int, number: int, optional: bool) -> None:
    """Let a seat look at its top `number` nation cards and put one of them at the bottom, unseen by the others."""
    look_at_nation(g, seat, number)
    size = int(g.zone_size[seat, constants.NATION])
    g.option_count = 0
    for place in range(size - 1, max(1, size - 1 - number), -1):
        offer(g, 0, int(g.zone[seat, constants.NATION, place]), constants.NATION, seat)
    option = ask_card(g, t, players, seat, constants.NATION_TO_BOTTOM, optional)
    if option >= 0:
        card = int(g.option_card[option])
        for place in range(max(1, size - number), size):
            hide_place(g, seat, int(g.zone[seat, constants.NATION, place]))
        nation_to_bottom(g, seat, place_in(g, seat, constants.NATION, card))


@kernel
def swap_with_nation(g: Record, t: Record, players: Players, seat: int) -> None:
    """Let a seat swap a hand card with its top nation card, unless that is the accession card."""
    size = g.zone_size[seat, constants.NATION]
    if size < 2:
        return
    g.option_count = 0
    offer_from(g, t, 0, constants.NO_CARD, seat, 0, 1 << constants.HAND)
    option = ask_card(g, t, players, seat, constants.NATION_SWAP, False)
    if option >= 0:
        card = int(g.option_card[option])
        take_out(g, seat, constants.HAND, card)
        log_event(g, SWAPPED, seat, card, int(g.zone[seat, constants.NATION, size - 1]), 0)
        put(g, seat, constants.HAND, g.zone[seat, constants.NATION, size - 1])
        show_card(g, int(g.zone[seat, constants.NATION, size - 1]))
        g.zone[seat, constants.NATION, size - 1] = card
        show_card(g, card)
