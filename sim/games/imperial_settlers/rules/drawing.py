"""Drawing cards, revealing them, reshuffling (rulebook: Terms; open points U1 and U2 in rules.toml)."""

from __future__ import annotations

from sim.compiler.kernel import Record, kernel
from sim.engine.decide import Players, choose
from sim.engine.options import clear_options, offer
from sim.engine.rng import CHANCE, shuffle
from sim.engine.zones import put, take_out, take_top
from sim.games.imperial_settlers.rules import constants
from sim.games.imperial_settlers.rules.knowledge import begin_heap, shuffle_back
from sim.games.imperial_settlers.rules.log import (
    DREW,
    KEPT,
    LOOKED_AT,
    NOTHING_TO_DRAW,
    OFFERED,
    RESHUFFLED,
    log_event,
    note_again,
)
from sim.games.imperial_settlers.rules.moving import discard, gain, to_hand


@kernel
def owner_of_deck(seat: int, deck: int) -> int:
    """Return the owner of a deck's zones. The table owns the common deck."""
    return constants.TABLE if deck == constants.COMMON_DECK else seat


@kernel
def can_draw(g: Record, t: Record, seat: int, deck: int) -> bool:
    """Tell whether a deck has a card to draw, or will have one after a reshuffle."""
    owner = owner_of_deck(seat, deck)
    if g.zone_size[owner, constants.DECK] > 0:
        return True
    return bool(g.zone_size[owner, constants.DISCARD] > 0 and (deck == constants.COMMON_DECK or t.reshuffle != 0))


@kernel
def draw_from(g: Record, t: Record, seat: int, deck: int) -> int:
    """Take the top card of a deck out of its zone; return it, or NO_CARD if there is none.

    The deck is the common one or the seat's own.
    """
    owner = owner_of_deck(seat, deck)
    if g.zone_size[owner, constants.DECK] == 0:
        if not can_draw(g, t, seat, deck):
            log_event(g, NOTHING_TO_DRAW, seat, constants.NO_CARD, deck, 0)
            return constants.NO_CARD
        reshuffle(g, owner)
    return take_top(g, owner, constants.DECK)


@kernel
def reshuffle(g: Record, owner: int) -> None:
    """Shuffle a discard pile to form a new deck."""
    count = int(g.zone_size[owner, constants.DISCARD])
    for place in range(count):
        put(g, owner, constants.DECK, int(g.zone[owner, constants.DISCARD, place]))
    g.zone_size[owner, constants.DISCARD] = 0
    begin_heap(g, owner)
    shuffle(g, CHANCE, g.zone[owner, constants.DECK], count)
    log_event(g, RESHUFFLED, constants.NO_SEAT if owner == constants.TABLE else owner, constants.NO_CARD, owner, 0)


@kernel
def reveal(g: Record, t: Record) -> int:
    """Reveal the next common card; return the card, or NO_CARD if there is none."""
    return draw_from(g, t, constants.NO_SEAT, constants.COMMON_DECK)


@kernel
def ask_deck(g: Record, t: Record, players: Players, seat: int, deck: int) -> int:
    """Return the deck from which a seat draws next: `deck` or, if that is ANY_DECK, the one that the seat chooses."""
    if deck != constants.ANY_DECK:
        return deck
    clear_options(g)
    for option in (constants.COMMON_DECK, constants.FACTION_DECK):
        if can_draw(g, t, seat, option):
            offer(g, constants.DRAW_CARDS, constants.NO_CARD, option, seat)
    if g.option_count == 0:
        return constants.COMMON_DECK
    return int(g.option_value[choose(g, t, players, seat, constants.DRAW)])


@kernel
def draw(g: Record, t: Record, players: Players, seat: int, deck: int, number: int) -> None:
    """Draw cards. If `deck` is ANY_DECK, the seat chooses a deck for each card, or one deck for all (open point U1)."""
    which = deck
    for count in range(number):
        if count == 0 or t.draw_one_by_one != 0:
            which = ask_deck(g, t, players, seat, deck)
        draw_one(g, t, seat, which)


@kernel
def draw_one(g: Record, t: Record, seat: int, deck: int) -> None:
    """Draw the top card of a deck, if there is one."""
    card = draw_from(g, t, seat, deck)
    if card != constants.NO_CARD:
        g.drawn[seat] += 1
        log_event(g, DREW, seat, card, 0, 0)
        note_again(g, seat, card, OFFERED)
        to_hand(g, seat, card, 0)


@kernel
def look_and_keep(
    g: Record, t: Record, players: Players, seat: int, deck: int, number: int, kept: int, rest: int
) -> None:
    """Let a seat look at `number` cards of a deck and keep `kept` of them.

    `rest` says what happens to the others: REST_DISCARDED or REST_SHUFFLED (back into their deck).
    """
    for _ in range(number):
        which = ask_deck(g, t, players, seat, deck)
        card = draw_from(g, t, seat, which)
        if card != constants.NO_CARD:
            put(g, seat, constants.LOOKED, card)
            g.knows[card] = 1 << seat
            log_event(g, LOOKED_AT, seat, card, 0, 0)
            note_again(g, seat, card, OFFERED)
    for _ in range(min(kept, int(g.zone_size[seat, constants.LOOKED]))):
        keep_one(g, t, players, seat)
    put_rest_away(g, t, seat, deck, rest)


@kernel
def keep_one(g: Record, t: Record, players: Players, seat: int) -> None:
    """Let a seat keep one of the cards that it is looking at."""
    clear_options(g)
    for place in range(g.zone_size[seat, constants.LOOKED]):
        offer(g, constants.LOOK, int(g.zone[seat, constants.LOOKED, place]), 0, seat)
    card = int(g.option_card[choose(g, t, players, seat, constants.KEEP)])
    take_out(g, seat, constants.LOOKED, card)
    g.drawn[seat] += 1
    log_event(g, KEPT, seat, card, 0, 0)
    to_hand(g, seat, card, 0)


@kernel
def put_rest_away(g: Record, t: Record, seat: int, deck: int, rest: int) -> None:
    """Discard the cards that a seat looked at and did not keep, or shuffle them back into their deck."""
    shuffled = rest == constants.REST_SHUFFLED and g.zone_size[seat, constants.LOOKED] > 0
    while g.zone_size[seat, constants.LOOKED] > 0:
        card = take_top(g, seat, constants.LOOKED)
        if rest == constants.REST_DISCARDED:
            discard(g, t, card)
        else:
            owner = constants.TABLE if t.deck[card] == constants.COMMON else seat
            put(g, owner, constants.DECK, card)
            shuffle_back(g, seat, card)
    if shuffled:
        for owner in (constants.TABLE, seat):
            if deck == constants.ANY_DECK or owner == owner_of_deck(seat, deck):
                shuffle(g, CHANCE, g.zone[owner, constants.DECK], int(g.zone_size[owner, constants.DECK]))


@kernel
def gain_good(g: Record, t: Record, players: Players, seat: int, good: int, number: int, source: int) -> None:
    """Gain goods of any kind. To gain cards means to draw them."""
    if good == constants.CARD:
        draw(g, t, players, seat, constants.ANY_DECK, number)
    else:
        gain(g, t, seat, good, number, source)
