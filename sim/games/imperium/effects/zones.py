"""What effects do with cards in zones: history, exile, sinking, garrisons, abandoning and recalling."""

from __future__ import annotations

from sim.choosing import Players
from sim.games.imperium.choices import ask_card, offer, offer_from, offer_garrisoned, offer_pinned
from sim.games.imperium.counting import active_quest, regions_in
from sim.games.imperium.effects.hand import move_drawn_cards
from sim.games.imperium.knowledge import shuffle_in
from sim.games.imperium.market import exile_from_market
from sim.games.imperium.moving import abandon, exile, garrison, lay, leave_play, move, recall
from sim.games.imperium.state import (
    ABANDONED,
    ABANDONED_CARD,
    AMOUNT_GAINED,
    DECK,
    DISCARD,
    EXILED_CARD,
    GARRISON,
    HAND,
    HISTORY,
    ICONS_USED,
    NO_CARD,
    PLAY,
    SUNKEN,
    ZONES,
)
from sim.games.imperium.words import (
    ABANDON,
    ABANDON_GARRISONED,
    ALL_OF,
    DRAWN_IT,
    EXILE_CARD,
    EXILE_HAND,
    EXILE_MARKET,
    GARRISON_HERE,
    GARRISON_SELF,
    NOTHING,
    PLAY_PROGRAM,
    RECALL,
    RECALL_GARRISONED,
    SELF,
    SINK,
    TO_HISTORY,
    UP_TO,
    A,
    B,
    C,
    D,
)
from sim.jit import Record, kernel
from sim.kit.frames import FRAME_CARD, FRAME_ROOT, FRAME_SEAT, push
from sim.kit.zones import take_at
from sim.rng import CHANCE, shuffle


@kernel
def is_in_play(g: Record, seat: int, card: int) -> bool:
    """Tell whether a card is in a seat's play area."""
    for place in range(g.zone_size[seat, PLAY]):
        if g.zone[seat, PLAY, place] == card:
            return True
    return False


@kernel
def follow_zones(
    g: Record, t: Record, players: Players, frame: int, at: int, operation: int, seat: int, optional: bool
) -> None:
    """Follow an instruction that moves cards between zones."""
    own = int(g.frame[frame, FRAME_CARD])
    first = int(t.code[at, A])
    second = int(t.code[at, B])
    third = int(t.code[at, C])
    if operation == TO_HISTORY:
        put_into_history(g, t, players, frame, at, seat, optional)
    elif operation == EXILE_MARKET:
        g.asked = operation
        for _ in range(first):
            exile_from_market(g, t, players, seat)
    elif operation == EXILE_HAND:
        exile_from_hand(g, t, players, frame, seat, first)
    elif operation == EXILE_CARD:
        exile_card(g, t, frame, seat, first)
    elif operation == SINK:
        sink(g, t, players, frame, seat, first, second, third)
    elif operation == GARRISON_HERE:
        for _ in range(second):
            garrison_here(g, t, players, seat, own, first, optional)
    elif operation == GARRISON_SELF:
        garrison_self(g, t, players, seat, own, first, optional)
    elif operation == ABANDON:
        abandon_cards(g, t, players, frame, at, seat)
    elif operation == ABANDON_GARRISONED:
        for _ in range(second):
            g.option_count = 0
            offer_garrisoned(g, t, seat, first, NO_CARD, third)
            move_chosen(g, t, players, seat, operation, DISCARD)
    elif operation == RECALL:
        recall_cards(g, t, players, frame, seat, first, second, optional)
    elif operation == RECALL_GARRISONED:
        g.option_count = 0
        offer_garrisoned(g, t, seat, first, own, NOTHING)
        move_chosen(g, t, players, seat, operation, HAND)


@kernel
def move_chosen(g: Record, t: Record, players: Players, seat: int, operation: int, zone: int) -> None:
    """Let a seat choose one of the cards offered and move it."""
    option = ask_card(g, t, players, seat, operation, False)
    if option >= 0:
        move(g, t, seat, int(g.option_card[option]), int(g.option_value[option]), zone)


@kernel
def put_into_history(g: Record, t: Record, players: Players, frame: int, at: int, seat: int, optional: bool) -> None:
    """Put cards into history: the card itself, the one drawn, all of a kind, or those chosen."""
    root = int(g.frame[frame, FRAME_ROOT])
    own = int(g.frame[frame, FRAME_CARD])
    selector = int(t.code[at, A])
    number = int(t.code[at, C])
    if selector == SELF:
        if is_in_play(g, seat, own):
            leave_play(g, t, seat, own, HISTORY)
    elif selector == DRAWN_IT:
        move_drawn_cards(g, t, root, seat, HISTORY)
    elif number == ALL_OF:
        put_all_into_history(g, t, seat, selector, int(t.code[at, B]))
    else:
        for _ in range(number):
            g.option_count = 0
            offer_from(g, t, root, own, seat, selector, int(t.code[at, B]))
            option = ask_card(g, t, players, seat, TO_HISTORY, optional or t.code[at, D] & UP_TO != 0)
            if option < 0:
                return
            move(g, t, seat, int(g.option_card[option]), int(g.option_value[option]), HISTORY)


@kernel
def put_all_into_history(g: Record, t: Record, seat: int, selector: int, zones: int) -> None:
    """Put all cards of a kind in some zones into history; a searched draw deck is shuffled."""
    for zone in range(ZONES):
        if zones & (1 << zone) != 0:
            for place in range(g.zone_size[seat, zone] - 1, -1, -1):
                card = int(g.zone[seat, zone, place])
                if t.selector[selector, card] != 0:
                    take_at(g, seat, zone, place)
                    lay(g, t, seat, card, HISTORY)
    if zones & (1 << DECK) != 0:
        shuffle_in(g, seat)
        shuffle(g, CHANCE, g.zone[seat, DECK], g.zone_size[seat, DECK])


@kernel
def exile_from_hand(g: Record, t: Record, players: Players, frame: int, seat: int, selector: int) -> None:
    """Exile a hand card."""
    g.option_count = 0
    offer_from(g, t, int(g.frame[frame, FRAME_ROOT]), NO_CARD, seat, selector, 1 << HAND)
    option = ask_card(g, t, players, seat, EXILE_HAND, False)
    if option >= 0:
        card = int(g.option_card[option])
        exile(g, t, seat, card, HAND)
        g.frame[g.frame[frame, FRAME_ROOT], EXILED_CARD] = card + 1


@kernel
def exile_card(g: Record, t: Record, frame: int, seat: int, selector: int) -> None:
    """Exile the card itself, or a card in play without tokens or the active quest."""
    if selector == SELF:
        own = int(g.frame[frame, FRAME_CARD])
        if is_in_play(g, seat, own):
            exile(g, t, seat, own, PLAY)
        return
    quest = active_quest(g, t, seat)
    if quest != NO_CARD and t.selector[selector, quest] != 0:
        exile(g, t, seat, quest, GARRISON)
        return
    for place in range(g.zone_size[seat, PLAY]):
        card = int(g.zone[seat, PLAY, place])
        if t.selector[selector, card] != 0 and g.exhausted[card] == 0 and g.stored[card] == 0:
            exile(g, t, seat, card, PLAY)
            return


@kernel
def sink(g: Record, t: Record, players: Players, frame: int, seat: int, selector: int, zone: int, number: int) -> None:
    """Sink the card itself, or cards of a zone."""
    own = int(g.frame[frame, FRAME_CARD])
    if selector == SELF:
        if is_in_play(g, seat, own):
            leave_play(g, t, seat, own, SUNKEN)
        return
    for _ in range(number):
        g.option_count = 0
        offer_from(g, t, int(g.frame[frame, FRAME_ROOT]), own, seat, selector, 1 << zone)
        move_chosen(g, t, players, seat, SINK, SUNKEN)


@kernel
def garrison_here(g: Record, t: Record, players: Players, seat: int, own: int, selector: int, optional: bool) -> None:
    """Garrison a hand card under a card in play."""
    if not is_in_play(g, seat, own):
        return
    g.option_count = 0
    for place in range(g.zone_size[seat, HAND]):
        card = int(g.zone[seat, HAND, place])
        if t.selector[selector, card] != 0 and t.no_garrison[card] == 0:
            offer(g, card, HAND, seat)
    option = ask_card(g, t, players, seat, GARRISON_HERE, optional)
    if option >= 0:
        garrison(g, t, seat, int(g.option_card[option]), HAND, own)


@kernel
def garrison_self(g: Record, t: Record, players: Players, seat: int, own: int, selector: int, optional: bool) -> None:
    """Garrison the card itself under a card in play, whose play effect is then resolved."""
    if not is_in_play(g, seat, own):
        return
    g.option_count = 0
    for place in range(g.zone_size[seat, PLAY]):
        host = int(g.zone[seat, PLAY, place])
        if host != own and t.selector[selector, host] != 0:
            offer(g, host, PLAY, seat)
    option = ask_card(g, t, players, seat, GARRISON_SELF, optional)
    if option >= 0:
        host = int(g.option_card[option])
        garrison(g, t, seat, own, PLAY, host)
        if t.program[host, PLAY_PROGRAM] != 0:
            push(g, int(t.program[host, PLAY_PROGRAM]), seat, host, -1)


@kernel
def abandon_cards(g: Record, t: Record, players: Players, frame: int, at: int, seat: int) -> None:
    """Abandon cards in play, as far as possible."""
    root = int(g.frame[frame, FRAME_ROOT])
    optional = t.code[at, C] & UP_TO != 0
    selector = int(t.code[at, A])
    left = int(t.code[at, B])
    while left > 0:
        g.option_count = 0
        offer_pinned(g, t, int(g.frame[frame, FRAME_CARD]), seat, selector, int(t.code[at, D]))
        option = ask_card(g, t, players, seat, ABANDON, optional)
        if option < 0:
            return
        card = int(g.option_card[option])
        remember_icons(g, t, root, seat, card)
        if selector == SELF:
            # The effect itself says who gets what lies on the card.
            g.frame[root, AMOUNT_GAINED] = g.stored[card]
            g.stored[card] = 0
        abandon(g, t, seat, card)
        counts_as = regions_in(t, selector, card)
        left -= counts_as
        g.frame[root, ABANDONED] += counts_as
        g.frame[root, ABANDONED_CARD] = card


@kernel
def remember_icons(g: Record, t: Record, root: int, seat: int, card: int) -> None:
    """Remember the region icons of a card that an effect takes from its own player's play area.

    Material gained by the effect is gained from them.
    """
    if seat != g.frame[root, FRAME_SEAT]:
        return
    for icon in range(1, 3):
        if t.icons[card, icon] > 0:
            g.frame[root, ICONS_USED] |= 1 << icon


@kernel
def recall_cards(
    g: Record, t: Record, players: Players, frame: int, seat: int, selector: int, number: int, optional: bool
) -> None:
    """Recall cards in play, as far as possible."""
    for _ in range(number):
        g.option_count = 0
        offer_pinned(g, t, int(g.frame[frame, FRAME_CARD]), seat, selector, NOTHING)
        option = ask_card(g, t, players, seat, RECALL, optional)
        if option < 0:
            return
        card = int(g.option_card[option])
        remember_icons(g, t, int(g.frame[frame, FRAME_ROOT]), seat, card)
        recall(g, t, seat, card)
