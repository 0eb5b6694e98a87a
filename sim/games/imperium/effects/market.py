"""What effects do with the market, fame, development and the nation deck."""

from __future__ import annotations

from sim.choosing import Players
from sim.games.imperium import words
from sim.games.imperium.choices import ask_card, offer_from
from sim.games.imperium.drawing import advance, develop, look_at_fame, shuffle_nation, take_top_fame, trigger_scoring
from sim.games.imperium.knowledge import look, show
from sim.games.imperium.log import LOOKED, PUT_BELOW, SWAPPED, note
from sim.games.imperium.market import (
    acquire,
    break_through,
    gamble,
    list_acquisitions,
    list_break_through,
    swap_with_exile,
)
from sim.games.imperium.plays import can_play, play_card
from sim.jit import Record, kernel
from sim.kit.frames import FRAME_ROOT
from sim.kit.options import offer
from sim.kit.zones import put, take_out


@kernel
def follow_market(
    g: Record, t: Record, players: Players, frame: int, at: int, operation: int, seat: int, optional: bool
) -> None:
    """Follow an instruction about the market, fame, development or the nation deck."""
    first = int(t.code[at, words.A])
    g.asked = operation
    if operation in (words.ACQUIRE, words.BREAK_THROUGH):
        gain_cards(g, t, players, frame, at, seat, operation, optional)
    elif operation == words.SWAP_EXILE:
        swap_with_exile(g, t, players, seat)
    elif operation == words.GAMBLE:
        gamble(g, t, players, seat, first)
    elif operation == words.FAME_LOOK:
        look_at_fame(g, t, players, seat, first, int(t.code[at, words.B]))
    elif operation == words.FAME_TOP:
        take_top_fame(g, t, seat)
    elif operation == words.DEVELOP_CARD:
        develop(g, t, players, seat, first, False)
    elif operation == words.NATION_LOOK:
        if g.zone_size[seat, words.NATION] > 0:
            look(g, seat, int(g.zone[seat, words.NATION, g.zone_size[seat, words.NATION] - 1]))
        note(g, LOOKED, seat, words.NO_CARD, 0, 0)
    elif operation == words.NATION_SHUFFLE:
        shuffle_nation(g, seat)
    elif operation == words.NATION_TO_DISCARD:
        for _ in range(first):
            advance(g, t, seat)
    elif operation == words.NATION_TO_BOTTOM:
        nation_to_bottom(g, seat)
    elif operation == words.NATION_SWAP:
        swap_with_nation(g, t, players, seat)
    elif operation == words.TRIGGER_SCORING:
        trigger_scoring(g, first)


@kernel
def gain_cards(
    g: Record, t: Record, players: Players, frame: int, at: int, seat: int, operation: int, optional: bool
) -> None:
    """Acquire or break through, once or several times, newly dealt cards included."""
    suits = int(t.code[at, words.A])
    flags = int(t.code[at, words.C])
    selector = int(t.code[at, words.D])
    token = (flags >> words.TOKEN_SHIFT) - 1
    also_exile = flags & (words.ALSO_EXILE | words.ONLY_EXILE) != 0
    icons = int(g.frame[g.frame[frame, FRAME_ROOT], words.ICONS_USED])
    for _ in range(t.code[at, words.B]):
        if g.collapsed != 0:
            return
        if operation == words.BREAK_THROUGH:
            list_break_through(g, t, suits, selector, also_exile)
            break_through(g, t, players, seat, selector)
            continue
        list_acquisitions(g, t, seat, suits, selector, token, flags & words.ONLY_EXILE == 0, also_exile)
        if optional and g.option_count > 0:
            offer(g, words.FROM_MARKET, words.NO_CARD, 0, words.NO_SEAT)
        card = acquire(g, t, players, seat, icons)
        if card != words.NO_CARD and flags & words.PLAYS_IT != 0 and can_play(g, t, seat, card) and g.collapsed == 0:
            play_card(g, t, seat, card, words.HAND, 1)


@kernel
def nation_to_bottom(g: Record, seat: int) -> None:
    """Put the top nation card below the others, on the accession card."""
    size = g.zone_size[seat, words.NATION]
    if size > 2:
        card = g.zone[seat, words.NATION, size - 1]
        for place in range(size - 1, 1, -1):
            g.zone[seat, words.NATION, place] = g.zone[seat, words.NATION, place - 1]
        g.zone[seat, words.NATION, 1] = card
        note(g, PUT_BELOW, seat, int(card), 0, 0)


@kernel
def swap_with_nation(g: Record, t: Record, players: Players, seat: int) -> None:
    """Swap a hand card with the top nation card, which must not be the accession card."""
    size = g.zone_size[seat, words.NATION]
    if size < 2:
        return
    g.option_count = 0
    offer_from(g, t, 0, words.NO_CARD, seat, 0, 1 << words.HAND)
    option = ask_card(g, t, players, seat, words.NATION_SWAP, False)
    if option >= 0:
        card = int(g.option_card[option])
        take_out(g, seat, words.HAND, card)
        note(g, SWAPPED, seat, card, int(g.zone[seat, words.NATION, size - 1]), 0)
        put(g, seat, words.HAND, g.zone[seat, words.NATION, size - 1])
        show(g, int(g.zone[seat, words.NATION, size - 1]))
        g.zone[seat, words.NATION, size - 1] = card
        show(g, card)
