"""What effects do with cards in zones: history, exile, sinking, garrisons, abandoning and recalling."""

from __future__ import annotations

from sim.choosing import Players
from sim.games.imperium import words
from sim.games.imperium.choices import ask_card, offer_from, offer_garrisoned, offer_pinned
from sim.games.imperium.counting import active_quest, icons_of, regions_in
from sim.games.imperium.effects.hand import move_drawn_cards
from sim.games.imperium.knowledge import shuffle_in
from sim.games.imperium.market import exile_from_market
from sim.games.imperium.moving import abandon, exile, garrison, lay, leave_play, move, recall
from sim.jit import Record, kernel
from sim.kit.frames import FRAME_CARD, FRAME_ROOT, FRAME_SEAT, push
from sim.kit.options import offer
from sim.kit.zones import take_at
from sim.rng import CHANCE, shuffle


@kernel
def is_in_play(g: Record, seat: int, card: int) -> bool:
    """Tell whether a card is in a seat's play area."""
    for place in range(g.zone_size[seat, words.PLAY]):
        if g.zone[seat, words.PLAY, place] == card:
            return True
    return False


@kernel
def follow_zones(
    g: Record, t: Record, players: Players, frame: int, at: int, operation: int, seat: int, optional: bool
) -> None:
    """Follow an instruction that moves cards between zones."""
    own = int(g.frame[frame, FRAME_CARD])
    first = int(t.code[at, words.A])
    second = int(t.code[at, words.B])
    third = int(t.code[at, words.C])
    if operation == words.TO_HISTORY:
        put_into_history(g, t, players, frame, at, seat, optional)
    elif operation == words.EXILE_MARKET:
        g.asked = operation
        for _ in range(first):
            exile_from_market(g, t, players, seat)
    elif operation == words.EXILE_HAND:
        exile_from_hand(g, t, players, frame, seat, first)
    elif operation == words.EXILE_CARD:
        exile_card(g, t, frame, seat, first)
    elif operation == words.SINK:
        sink(g, t, players, frame, seat, first, second, third)
    elif operation == words.GARRISON_HERE:
        for _ in range(second):
            garrison_here(g, t, players, seat, own, first, optional)
    elif operation == words.GARRISON_SELF:
        garrison_self(g, t, players, seat, own, first, optional)
    elif operation == words.ABANDON:
        abandon_cards(g, t, players, frame, at, seat)
    elif operation == words.ABANDON_GARRISONED:
        for _ in range(second):
            g.option_count = 0
            offer_garrisoned(g, t, seat, first, words.NO_CARD, third)
            move_chosen(g, t, players, seat, operation, words.DISCARD_PILE)
    elif operation == words.RECALL:
        recall_cards(g, t, players, frame, seat, first, second, optional)
    elif operation == words.RECALL_GARRISONED:
        g.option_count = 0
        offer_garrisoned(g, t, seat, first, own, words.NOTHING)
        move_chosen(g, t, players, seat, operation, words.HAND)


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
    selector = int(t.code[at, words.A])
    number = int(t.code[at, words.C])
    if selector == words.SELF:
        if is_in_play(g, seat, own):
            leave_play(g, t, seat, own, words.HISTORY)
    elif selector == words.DRAWN_IT:
        move_drawn_cards(g, t, root, seat, words.HISTORY)
    elif number == words.ALL_OF:
        put_all_into_history(g, t, seat, selector, int(t.code[at, words.B]))
    else:
        for _ in range(number):
            g.option_count = 0
            offer_from(g, t, root, own, seat, selector, int(t.code[at, words.B]))
            option = ask_card(g, t, players, seat, words.TO_HISTORY, optional or t.code[at, words.D] & words.UP_TO != 0)
            if option < 0:
                return
            move(g, t, seat, int(g.option_card[option]), int(g.option_value[option]), words.HISTORY)


@kernel
def put_all_into_history(g: Record, t: Record, seat: int, selector: int, zones: int) -> None:
    """Put all cards of a kind in some zones into history; a searched draw deck is shuffled."""
    for zone in range(words.ZONES):
        if zones & (1 << zone) != 0:
            for place in range(g.zone_size[seat, zone] - 1, -1, -1):
                card = int(g.zone[seat, zone, place])
                if t.selector[selector, card] != 0:
                    take_at(g, seat, zone, place)
                    lay(g, t, seat, card, words.HISTORY)
    if zones & (1 << words.DECK) != 0:
        shuffle_in(g, seat)
        shuffle(g, CHANCE, g.zone[seat, words.DECK], g.zone_size[seat, words.DECK])


@kernel
def exile_from_hand(g: Record, t: Record, players: Players, frame: int, seat: int, selector: int) -> None:
    """Exile a hand card."""
    g.option_count = 0
    offer_from(g, t, int(g.frame[frame, FRAME_ROOT]), words.NO_CARD, seat, selector, 1 << words.HAND)
    option = ask_card(g, t, players, seat, words.EXILE_HAND, False)
    if option >= 0:
        card = int(g.option_card[option])
        exile(g, t, seat, card, words.HAND)
        g.frame[g.frame[frame, FRAME_ROOT], words.EXILED_CARD] = card + 1


@kernel
def exile_card(g: Record, t: Record, frame: int, seat: int, selector: int) -> None:
    """Exile the card itself, or a card in play without tokens or the active quest."""
    if selector == words.SELF:
        own = int(g.frame[frame, FRAME_CARD])
        if is_in_play(g, seat, own):
            exile(g, t, seat, own, words.PLAY)
        return
    quest = active_quest(g, t, seat)
    if quest != words.NO_CARD and t.selector[selector, quest] != 0:
        exile(g, t, seat, quest, words.GARRISON)
        return
    for place in range(g.zone_size[seat, words.PLAY]):
        card = int(g.zone[seat, words.PLAY, place])
        if t.selector[selector, card] != 0 and g.exhausted[card] == 0 and g.stored[card] == 0:
            exile(g, t, seat, card, words.PLAY)
            return


@kernel
def sink(g: Record, t: Record, players: Players, frame: int, seat: int, selector: int, zone: int, number: int) -> None:
    """Sink the card itself, or cards of a zone."""
    own = int(g.frame[frame, FRAME_CARD])
    if selector == words.SELF:
        if is_in_play(g, seat, own):
            leave_play(g, t, seat, own, words.SUNKEN)
        return
    for _ in range(number):
        g.option_count = 0
        offer_from(g, t, int(g.frame[frame, FRAME_ROOT]), own, seat, selector, 1 << zone)
        move_chosen(g, t, players, seat, words.SINK, words.SUNKEN)


@kernel
def garrison_here(g: Record, t: Record, players: Players, seat: int, own: int, selector: int, optional: bool) -> None:
    """Garrison a hand card under a card in play."""
    if not is_in_play(g, seat, own):
        return
    g.option_count = 0
    for place in range(g.zone_size[seat, words.HAND]):
        card = int(g.zone[seat, words.HAND, place])
        if t.selector[selector, card] != 0 and t.no_garrison[card] == 0:
            offer(g, 0, card, words.HAND, seat)
    option = ask_card(g, t, players, seat, words.GARRISON_HERE, optional)
    if option >= 0:
        garrison(g, t, seat, int(g.option_card[option]), words.HAND, own)


@kernel
def garrison_self(g: Record, t: Record, players: Players, seat: int, own: int, selector: int, optional: bool) -> None:
    """Garrison the card itself under a card in play, whose play effect is then resolved."""
    if not is_in_play(g, seat, own):
        return
    g.option_count = 0
    for place in range(g.zone_size[seat, words.PLAY]):
        host = int(g.zone[seat, words.PLAY, place])
        if host != own and t.selector[selector, host] != 0:
            offer(g, 0, host, words.PLAY, seat)
    option = ask_card(g, t, players, seat, words.GARRISON_SELF, optional)
    if option >= 0:
        host = int(g.option_card[option])
        garrison(g, t, seat, own, words.PLAY, host)
        if t.program[host, words.PLAY_PROGRAM] != 0:
            push(g, int(t.program[host, words.PLAY_PROGRAM]), seat, host, -1)


@kernel
def abandon_cards(g: Record, t: Record, players: Players, frame: int, at: int, seat: int) -> None:
    """Abandon cards in play, as far as possible."""
    root = int(g.frame[frame, FRAME_ROOT])
    optional = t.code[at, words.C] & words.UP_TO != 0
    selector = int(t.code[at, words.A])
    left = int(t.code[at, words.B])
    while left > 0:
        g.option_count = 0
        offer_pinned(g, t, int(g.frame[frame, FRAME_CARD]), seat, selector, int(t.code[at, words.D]))
        option = ask_card(g, t, players, seat, words.ABANDON, optional)
        if option < 0:
            return
        card = int(g.option_card[option])
        remember_icons(g, t, root, seat, card)
        if selector == words.SELF:
            # The effect itself says who gets what lies on the card.
            g.frame[root, words.AMOUNT_GAINED] = g.stored[card]
            g.stored[card] = 0
        abandon(g, t, seat, card)
        counts_as = regions_in(t, selector, card)
        left -= counts_as
        g.frame[root, words.ABANDONED] += counts_as
        g.frame[root, words.ABANDONED_CARD] = card


@kernel
def remember_icons(g: Record, t: Record, root: int, seat: int, card: int) -> None:
    """Remember the region icons of a card that an effect takes from its own player's play area.

    Material gained by the effect is gained from them.
    """
    if seat != g.frame[root, FRAME_SEAT]:
        return
    g.frame[root, words.ICONS_USED] |= icons_of(t, card)


@kernel
def recall_cards(
    g: Record, t: Record, players: Players, frame: int, seat: int, selector: int, number: int, optional: bool
) -> None:
    """Recall cards in play, as far as possible."""
    for _ in range(number):
        g.option_count = 0
        offer_pinned(g, t, int(g.frame[frame, FRAME_CARD]), seat, selector, words.NOTHING)
        option = ask_card(g, t, players, seat, words.RECALL, optional)
        if option < 0:
            return
        card = int(g.option_card[option])
        remember_icons(g, t, int(g.frame[frame, FRAME_ROOT]), seat, card)
        recall(g, t, seat, card)
