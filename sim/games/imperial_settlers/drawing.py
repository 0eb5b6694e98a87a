"""Drawing cards, revealing them, reshuffling (rulebook: Terms; open points U1, U2)."""

from __future__ import annotations

from sim.choosing import Players, choose
from sim.games.imperial_settlers import words
from sim.games.imperial_settlers.knowledge import begin_heap, shuffle_back
from sim.games.imperial_settlers.log import (
    DREW,
    KEPT,
    LOOKED_AT,
    NOTHING_TO_DRAW,
    OFFERED,
    RESHUFFLED,
    note,
    note_again,
)
from sim.games.imperial_settlers.moving import discard, gain, to_hand
from sim.jit import Record, kernel
from sim.kit.options import clear_options, offer
from sim.kit.zones import put, take_out, take_top
from sim.rng import CHANCE, shuffle


@kernel
def owner_of_deck(seat: int, deck: int) -> int:
    """Owner of the zones of a deck: the table has the common one."""
    return words.TABLE if deck == words.COMMON_DECK else seat


@kernel
def can_draw(g: Record, t: Record, seat: int, deck: int) -> bool:
    """Tell whether a deck has a card, or will have when it is reshuffled."""
    owner = owner_of_deck(seat, deck)
    if g.zone_size[owner, words.DECK] > 0:
        return True
    return bool(g.zone_size[owner, words.DISCARD] > 0 and (deck == words.COMMON_DECK or t.reshuffle != 0))


@kernel
def draw_from(g: Record, t: Record, seat: int, deck: int) -> int:
    """Take the top card of a deck, common or the seat's own; it then lies nowhere. NO_CARD if there is none."""
    owner = owner_of_deck(seat, deck)
    if g.zone_size[owner, words.DECK] == 0:
        if not can_draw(g, t, seat, deck):
            note(g, NOTHING_TO_DRAW, seat, words.NO_CARD, deck, 0)
            return words.NO_CARD
        reshuffle(g, owner)
    return take_top(g, owner, words.DECK)


@kernel
def reshuffle(g: Record, owner: int) -> None:
    """Shuffle a discard pile; it becomes the deck."""
    count = int(g.zone_size[owner, words.DISCARD])
    for place in range(count):
        put(g, owner, words.DECK, int(g.zone[owner, words.DISCARD, place]))
    g.zone_size[owner, words.DISCARD] = 0
    begin_heap(g, owner)
    shuffle(g, CHANCE, g.zone[owner, words.DECK], count)
    note(g, RESHUFFLED, words.NO_SEAT if owner == words.TABLE else owner, words.NO_CARD, owner, 0)


@kernel
def reveal(g: Record, t: Record) -> int:
    """Reveal the next common card; return it, or NO_CARD if there is none."""
    return draw_from(g, t, words.NO_SEAT, words.COMMON_DECK)


@kernel
def ask_deck(g: Record, t: Record, players: Players, seat: int, deck: int) -> int:
    """Let a seat choose the deck of the next card; `deck` itself if that leaves no choice."""
    if deck != words.ANY_DECK:
        return deck
    clear_options(g)
    for option in (words.COMMON_DECK, words.FACTION_DECK):
        if can_draw(g, t, seat, option):
            offer(g, words.DRAW_CARDS, words.NO_CARD, option, seat)
    if g.option_count == 0:
        return words.COMMON_DECK
    return int(g.option_value[choose(g, t, players, seat, words.DRAW)])


@kernel
def draw(g: Record, t: Record, players: Players, seat: int, deck: int, number: int) -> None:
    """Draw cards, each from a deck that the seat chooses where `deck` is ANY_DECK (open point U1)."""
    which = deck
    for count in range(number):
        if count == 0 or t.draw_one_by_one != 0:
            which = ask_deck(g, t, players, seat, deck)
        draw_one(g, t, seat, which)


@kernel
def draw_one(g: Record, t: Record, seat: int, deck: int) -> None:
    """Draw the top card of a deck, if there is one."""
    card = draw_from(g, t, seat, deck)
    if card != words.NO_CARD:
        g.drawn[seat] += 1
        note(g, DREW, seat, card, 0, 0)
        note_again(g, seat, card, OFFERED)
        to_hand(g, seat, card, 0)


@kernel
def look_and_keep(
    g: Record, t: Record, players: Players, seat: int, deck: int, number: int, kept: int, rest: int
) -> None:
    """Look at cards of a deck, keep some; the rest is discarded or shuffled back into it."""
    for _ in range(number):
        which = ask_deck(g, t, players, seat, deck)
        card = draw_from(g, t, seat, which)
        if card != words.NO_CARD:
            put(g, seat, words.LOOKED, card)
            g.knows[card] = 1 << seat
            note(g, LOOKED_AT, seat, card, 0, 0)
            note_again(g, seat, card, OFFERED)
    for _ in range(min(kept, int(g.zone_size[seat, words.LOOKED]))):
        keep_one(g, t, players, seat)
    put_rest_away(g, t, seat, deck, rest)


@kernel
def keep_one(g: Record, t: Record, players: Players, seat: int) -> None:
    """Let a seat keep one of the cards it looks at."""
    clear_options(g)
    for place in range(g.zone_size[seat, words.LOOKED]):
        offer(g, words.LOOK, int(g.zone[seat, words.LOOKED, place]), 0, seat)
    card = int(g.option_card[choose(g, t, players, seat, words.KEEP)])
    take_out(g, seat, words.LOOKED, card)
    g.drawn[seat] += 1
    note(g, KEPT, seat, card, 0, 0)
    to_hand(g, seat, card, 0)


@kernel
def put_rest_away(g: Record, t: Record, seat: int, deck: int, rest: int) -> None:
    """Discard the cards looked at and not kept, or shuffle them back into their deck."""
    shuffled = rest == words.REST_SHUFFLED and g.zone_size[seat, words.LOOKED] > 0
    while g.zone_size[seat, words.LOOKED] > 0:
        card = take_top(g, seat, words.LOOKED)
        if rest == words.REST_DISCARDED:
            discard(g, t, card)
        else:
            owner = words.TABLE if t.deck[card] == words.COMMON else seat
            put(g, owner, words.DECK, card)
            shuffle_back(g, seat, card)
    if shuffled:
        for owner in (words.TABLE, seat):
            if deck == words.ANY_DECK or owner == owner_of_deck(seat, deck):
                shuffle(g, CHANCE, g.zone[owner, words.DECK], int(g.zone_size[owner, words.DECK]))


@kernel
def gain_good(g: Record, t: Record, players: Players, seat: int, good: int, number: int, source: int) -> None:
    """Gain goods of any kind; cards are drawn."""
    if good == words.CARD:
        draw(g, t, players, seat, words.ANY_DECK, number)
    else:
        gain(g, t, seat, good, number, source)
