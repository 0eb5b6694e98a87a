"""The market: acquire, break through, exile, swap, and refill slots (docs/rules-imperium.md: Set-up, Keywords)."""

from __future__ import annotations

from sim.compiler.kernel import Record, kernel
from sim.engine.decide import Players, choose
from sim.engine.effect_stack import push
from sim.engine.options import offer
from sim.engine.rng import CHANCE, shuffle
from sim.engine.zones import put, take_at, take_out, take_top
from sim.games.imperium.rules import constants
from sim.games.imperium.rules.drawing import trigger_scoring
from sim.games.imperium.rules.knowledge import forget_places, gain_unseen, show_card
from sim.games.imperium.rules.log import (
    ACQUIRED,
    BROKE_THROUGH,
    FOUND_NOTHING,
    GAINED,
    GAINED_ROUND,
    MARKET_FILLED,
    TOKEN_PLACED,
    TOKENS_TAKEN,
    WAS_EXILED,
    log_event,
    note_card,
)
from sim.games.imperium.rules.moving import check_collapse, take_unrest, took_unrest
from sim.games.imperium.rules.stack import fire, may_do


@kernel
def gain(g: Record, t: Record, seat: int, resource: int, amount: int) -> bool:
    """Gain a resource, or what a passive ability gives in its place; tell whether the resource itself was gained."""
    if amount <= 0:
        return False
    if may_do(g, seat, constants.REPLACES_GAIN) and replace_gain(g, t, seat, resource):
        return False
    g.resource[seat, resource] += amount
    log_event(g, GAINED, seat, constants.NO_CARD, resource, amount)
    return True


@kernel
def replace_gain(g: Record, t: Record, seat: int, resource: int) -> bool:
    """Begin the effect of a passive ability that replaces a gain of this resource; tell whether the seat has one."""
    for place in range(g.zone_size[seat, constants.PLAY]):
        card = int(g.zone[seat, constants.PLAY, place])
        if t.replaces_gain[card] == resource:
            push(g, t.program[card, constants.REPLACE_GAIN_PROGRAM], seat, card, -1)
            return True
    return False


@kernel
def gain_with(g: Record, t: Record, seat: int, resource: int, amount: int, icons: int) -> None:
    """Gain a resource. Material counts as gained from the region icons `icons` (bits), which may trigger abilities."""
    if gain(g, t, seat, resource, amount) and resource == constants.MATERIAL:
        for icon in range(constants.FERTILE, constants.RIVER + 1):
            if icons & (1 << icon) != 0:
                fire(g, t, seat, constants.YOU_GAIN_FROM_ICON, constants.NO_CARD, icon, amount)


@kernel
def fill_slot(g: Record, slot: int) -> None:
    """Refill a slot of the market. If the slot's own deck is empty, take a card from the main deck."""
    deck = constants.SLOT_DECKS[slot]
    if g.zone_size[constants.TABLE, deck] == 0:
        deck = constants.MAIN_DECK
    g.market[slot] = constants.NO_CARD
    if g.zone_size[constants.TABLE, deck] > 0:
        g.market[slot] = take_top(g, constants.TABLE, deck)
        show_card(g, int(g.market[slot]))
        log_event(g, MARKET_FILLED, -1, g.market[slot], slot, 0)
        check_main_deck(g)


@kernel
def check_main_deck(g: Record) -> None:
    """Trigger scoring if the main deck is empty."""
    if g.zone_size[constants.TABLE, constants.MAIN_DECK] == 0:
        trigger_scoring(g, constants.MAIN_DECK_EMPTY)


@kernel
def tuck_unrest(g: Record, t: Record, slot: int) -> None:
    """Put an unrest card under the market card of a slot, if the card's suit requires one."""
    card = g.market[slot]
    g.market_unrest[slot] = constants.NO_CARD
    if (
        card != constants.NO_CARD
        and t.suits[card] & constants.TUCKS_UNREST != 0
        and g.zone_size[constants.TABLE, constants.UNREST_PILE] > 0
    ):
        g.market_unrest[slot] = take_top(g, constants.TABLE, constants.UNREST_PILE)


@kernel
def refill(g: Record, t: Record, slot: int) -> None:
    """Refill a slot during the game. If this takes the last unrest card from the pile, the game collapses."""
    fill_slot(g, slot)
    tuck_unrest(g, t, slot)
    check_collapse(g)


@kernel
def take_from_market(g: Record, t: Record, seat: int, slot: int, takes_unrest: bool, icons: int) -> int:
    """Move a market card to the hand with all its tokens, and refill the slot; return the card.

    The unrest card below it goes to the hand if `takes_unrest`, else back to the pile. `icons`: see `gain_with`.
    """
    card = int(g.market[slot])
    put(g, seat, constants.HAND, card)
    note_card(g, seat, card, GAINED_ROUND)
    for resource in range(3):
        amount = int(g.market_tokens[slot, resource])
        if amount > 0:
            g.market_tokens[slot, resource] = 0
            gain_with(g, t, seat, resource, amount, icons)
            fire(g, t, seat, constants.YOU_GAIN_MARKET_TOKEN, card, resource, amount)
    unrest = int(g.market_unrest[slot])
    if unrest != constants.NO_CARD:
        if takes_unrest:
            put(g, seat, constants.HAND, unrest)
            took_unrest(g, t, seat, unrest, False)
        else:
            put(g, constants.TABLE, constants.UNREST_PILE, unrest)
    refill(g, t, slot)
    return card


@kernel
def exiled_suits(g: Record, t: Record, seat: int) -> int:
    """Return the suits (bits) that passive abilities in play let a seat acquire from the exile pile."""
    suits = 0
    for place in range(g.zone_size[seat, constants.PLAY]):
        suits |= t.exile_suits[g.zone[seat, constants.PLAY, place]]
    return int(suits)


@kernel
def is_of_suits(t: Record, card: int, suits: int) -> bool:
    """Tell whether a card has one of these suits (bits). `ANY_SUIT` includes cards without a suit."""
    return bool(suits == constants.ANY_SUIT or t.suits[card] & suits != 0)


@kernel
def list_market(g: Record, t: Record, suits: int, selector: int, token: int) -> None:
    """List market cards of some suits that match a selector. `token` is a resource that must lie on them, or -1."""
    for slot in range(constants.SLOTS):
        card = int(g.market[slot])
        fits = card != constants.NO_CARD and is_of_suits(t, card, suits) and t.selector[selector, card] != 0
        if fits and (token < 0 or g.market_tokens[slot, token] > 0):
            offer(g, constants.FROM_MARKET, card, slot, constants.NO_SEAT)


@kernel
def list_exile(g: Record, t: Record, suits: int, selector: int) -> None:
    """List exiled cards of some suits that match a selector."""
    for place in range(g.zone_size[constants.TABLE, constants.EXILE_PILE]):
        card = int(g.zone[constants.TABLE, constants.EXILE_PILE, place])
        if is_of_suits(t, card, suits) and t.selector[selector, card] != 0:
            offer(g, constants.FROM_EXILE, card, place, constants.NO_SEAT)


@kernel
def list_acquisitions(
    g: Record, t: Record, seat: int, suits: int, selector: int, token: int, market: bool, exile: bool
) -> None:
    """List the cards that a seat may acquire: from the market, from exile, or both."""
    g.option_count = 0
    if market:
        list_market(g, t, suits, selector, token)
    list_exile(g, t, acquired_from_exile(g, t, seat, suits, token, exile), selector)


@kernel
def acquired_from_exile(g: Record, t: Record, seat: int, suits: int, token: int, exile: bool) -> int:
    """Return the suits (bits) that a seat may acquire from exile.

    If the effect itself allows exile (`exile`), return all of `suits`. Otherwise return those of `suits` that passive
    abilities allow, but none if the effect requires the resource `token` on the card (-1 for no such requirement).
    """
    if exile:
        return suits
    return suits & exiled_suits(g, t, seat) if token < 0 else 0


@kernel
def acquire(g: Record, t: Record, players: Players, seat: int, icons: int) -> int:
    """Let a seat acquire a listed card; return it, or NO_CARD if none is listed or chosen. `icons`: see `gain_with`."""
    if g.option_count == 0:
        return constants.NO_CARD
    option = choose(g, t, players, seat, constants.MARKET)
    card = int(g.option_card[option])
    if card == constants.NO_CARD:
        return constants.NO_CARD
    kind = int(g.option_kind[option])
    log_event(g, ACQUIRED, seat, card, kind, 0)
    if kind == constants.FROM_MARKET:
        take_from_market(g, t, seat, int(g.option_value[option]), True, icons)
    else:
        take_from_exile(g, t, seat, card)
        if t.suits[card] & constants.TUCKS_UNREST != 0:
            take_unrest(g, t, seat)
        fire(g, t, seat, constants.YOU_ACQUIRE_FROM_EXILE, card, 0, 0)
    fire(g, t, seat, constants.YOU_ACQUIRE, card, 0, 0)
    fire(g, t, seat, constants.YOU_ACQUIRE_OR_BREAK_THROUGH, card, 0, 0)
    return card


@kernel
def take_from_exile(g: Record, t: Record, seat: int, card: int) -> None:
    """Move an exiled card to the hand."""
    take_out(g, constants.TABLE, constants.EXILE_PILE, card)
    put(g, seat, constants.HAND, card)
    note_card(g, seat, card, GAINED_ROUND)


@kernel
def deck_of_suit(suit: int) -> int:
    """Return the small deck of a suit; -1 for tributaries, which have no small deck."""
    if suit == constants.REGION:
        return constants.REGION_DECK
    if suit == constants.UNCIVILISED:
        return constants.UNCIVILISED_DECK
    return constants.CIVILISED_DECK if suit == constants.CIVILISED else -1


@kernel
def list_break_through(g: Record, t: Record, suits: int, selector: int, exile: bool) -> None:
    """List the ways to break through for a card of some suits that matches a selector. `exile` includes exiled cards.

    With a selector other than `ANYTHING`, small decks are not listed: the seat reveals cards of the main deck instead.
    """
    g.option_count = 0
    list_market(g, t, suits, selector, -1)
    if exile:
        list_exile(g, t, suits, selector)
    if selector != constants.ANYTHING:
        offer(g, constants.FROM_MAIN, constants.NO_CARD, suits, constants.NO_SEAT)
        return
    for bit in range(4):
        suit = 1 << bit
        if suits & suit != 0:
            deck = deck_of_suit(suit)
            kind = constants.FROM_DECK if deck >= 0 and g.zone_size[constants.TABLE, deck] > 0 else constants.FROM_MAIN
            offer(g, kind, constants.NO_CARD, suit, constants.NO_SEAT)


@kernel
def break_through(g: Record, t: Record, players: Players, seat: int, selector: int) -> int:
    """Let a seat gain a card in one of the listed ways; return the card.

    If no card is found, the seat gains `t.fallback_number` of a resource; return NO_CARD.
    """
    option = choose(g, t, players, seat, constants.MARKET)
    kind = int(g.option_kind[option])
    card = int(g.option_card[option])
    value = int(g.option_value[option])
    if kind == constants.FROM_MARKET:
        log_event(g, BROKE_THROUGH, seat, card, kind, 0)
        take_from_market(g, t, seat, value, False, 0)
    elif kind == constants.FROM_EXILE:
        log_event(g, BROKE_THROUGH, seat, card, kind, 0)
        take_from_exile(g, t, seat, card)
        if t.suits[card] & constants.TUCKS_UNREST != 0:
            take_unrest(g, t, seat)
    else:
        card = (
            take_top(g, constants.TABLE, deck_of_suit(value))
            if kind == constants.FROM_DECK
            else reveal(g, t, value, selector)
        )
        if card == constants.NO_CARD:
            log_event(g, FOUND_NOTHING, seat, constants.NO_CARD, value, selector)
            gain(g, t, seat, t.fallback_resource, t.fallback_number)
            return constants.NO_CARD
        put(g, seat, constants.HAND, card)
        if kind == constants.FROM_DECK:
            gain_unseen(g, seat, card)
        log_event(g, BROKE_THROUGH, seat, card, kind, 0)
        note_card(g, seat, card, GAINED_ROUND)
    fire(g, t, seat, constants.YOU_ACQUIRE_OR_BREAK_THROUGH, card, 0, 0)
    return card


@kernel
def reveal(g: Record, t: Record, suits: int, selector: int) -> int:
    """Reveal cards of the main deck until one has one of the suits and matches the selector; then shuffle the rest.

    Return this card, or NO_CARD if there is none.
    """
    for place in range(g.zone_size[constants.TABLE, constants.MAIN_DECK] - 1, -1, -1):
        card = int(g.zone[constants.TABLE, constants.MAIN_DECK, place])
        show_card(g, card)
        if is_of_suits(t, card, suits) and t.selector[selector, card] != 0:
            take_at(g, constants.TABLE, constants.MAIN_DECK, place)
            if place < g.zone_size[constants.TABLE, constants.MAIN_DECK]:
                forget_places(g, constants.TABLE, constants.MAIN_DECK, 0)
                shuffle(
                    g,
                    CHANCE,
                    g.zone[constants.TABLE, constants.MAIN_DECK],
                    g.zone_size[constants.TABLE, constants.MAIN_DECK],
                )
            check_main_deck(g)
            return card
    forget_places(g, constants.TABLE, constants.MAIN_DECK, 0)
    if g.zone_size[constants.TABLE, constants.MAIN_DECK] > 1:
        shuffle(
            g, CHANCE, g.zone[constants.TABLE, constants.MAIN_DECK], g.zone_size[constants.TABLE, constants.MAIN_DECK]
        )
    return constants.NO_CARD


@kernel
def has_tokens(g: Record, slot: int) -> bool:
    """Tell whether a market card has tokens, which protect it from exile."""
    return bool(g.market_tokens[slot, 0] + g.market_tokens[slot, 1] + g.market_tokens[slot, 2] > 0)


@kernel
def lies_on_market(g: Record) -> bool:
    """Tell whether any market card has tokens."""
    for slot in range(constants.SLOTS):
        if has_tokens(g, slot):
            return True
    return False


@kernel
def gain_on_market(g: Record, t: Record, players: Players, seat: int, optional: bool) -> None:
    """Let a seat gain all tokens on one market card; the card stays there."""
    g.option_count = 0
    for slot in range(constants.SLOTS):
        if g.market[slot] != constants.NO_CARD and has_tokens(g, slot):
            offer(g, constants.FROM_MARKET, int(g.market[slot]), slot, constants.NO_SEAT)
    if g.option_count == 0:
        return
    if optional:
        offer(g, constants.FROM_MARKET, constants.NO_CARD, 0, constants.NO_SEAT)
    option = choose(g, t, players, seat, constants.MARKET)
    if g.option_card[option] == constants.NO_CARD:
        return
    slot = int(g.option_value[option])
    log_event(g, TOKENS_TAKEN, seat, int(g.market[slot]), slot, 0)
    for resource in range(len(constants.RESOURCES)):
        amount = int(g.market_tokens[slot, resource])
        g.market_tokens[slot, resource] = 0
        gain(g, t, seat, resource, amount)


@kernel
def exile_from_market(g: Record, t: Record, players: Players, seat: int) -> None:
    """Let a seat exile a market card without tokens. Return the unrest below it to the pile, and refill the slot."""
    g.option_count = 0
    for slot in range(constants.SLOTS):
        if g.market[slot] != constants.NO_CARD and not has_tokens(g, slot):
            offer(g, constants.FROM_MARKET, int(g.market[slot]), slot, constants.NO_SEAT)
    if g.option_count == 0:
        return
    slot = int(g.option_value[choose(g, t, players, seat, constants.MARKET)])
    remove_to_exile(g, seat, slot)
    refill(g, t, slot)


@kernel
def remove_to_exile(g: Record, seat: int, slot: int) -> None:
    """Put a market card into the exile pile, and return the unrest under it to its pile."""
    card = int(g.market[slot])
    put(g, constants.TABLE, constants.EXILE_PILE, card)
    log_event(g, WAS_EXILED, seat, card, 0, 0)
    if g.market_unrest[slot] != constants.NO_CARD:
        put(g, constants.TABLE, constants.UNREST_PILE, g.market_unrest[slot])
    g.market[slot] = constants.NO_CARD
    g.market_unrest[slot] = constants.NO_CARD


@kernel
def swap_with_exile(g: Record, t: Record, players: Players, seat: int) -> None:
    """Let a seat swap a market card with an exiled card.

    The exiled card gets the tokens of the market card and, if its suit requires one, a new unrest card.
    """
    g.option_count = 0
    for slot in range(constants.SLOTS):
        if g.market[slot] != constants.NO_CARD:
            offer(g, constants.FROM_MARKET, int(g.market[slot]), slot, constants.NO_SEAT)
    if g.option_count == 0 or g.zone_size[constants.TABLE, constants.EXILE_PILE] == 0:
        return
    slot = int(g.option_value[choose(g, t, players, seat, constants.MARKET)])
    g.option_count = 0
    list_exile(g, t, constants.ANY_SUIT, constants.ANYTHING)
    card = int(g.option_card[choose(g, t, players, seat, constants.MARKET)])
    remove_to_exile(g, seat, slot)
    take_out(g, constants.TABLE, constants.EXILE_PILE, card)
    g.market[slot] = card
    log_event(g, MARKET_FILLED, seat, card, slot, 0)
    tuck_unrest(g, t, slot)
    check_collapse(g)


@kernel
def place_on_market(g: Record, t: Record, players: Players, seat: int, resource: int, amount: int) -> None:
    """Let a seat put `amount` tokens of a resource on a market card of its choice."""
    g.option_count = 0
    for slot in range(constants.SLOTS):
        if g.market[slot] != constants.NO_CARD:
            offer(g, constants.FROM_MARKET, int(g.market[slot]), slot, constants.NO_SEAT)
    if g.option_count == 0:
        return
    g.asked_resource = resource
    g.asked_amount = amount
    option = choose(g, t, players, seat, constants.MARKET)
    g.market_tokens[g.option_value[option], resource] += amount
    log_event(g, TOKEN_PLACED, seat, g.option_card[option], resource, amount)


@kernel
def gamble(g: Record, t: Record, players: Players, seat: int, suits: int) -> None:
    """Let a seat name a suit, then reveal the top card of the main deck.

    A card of that suit goes to the hand, any other card into exile.
    """
    if g.zone_size[constants.TABLE, constants.MAIN_DECK] == 0:
        return
    g.option_count = 0
    for bit in range(4):
        if suits & (1 << bit) != 0:
            offer(g, constants.FROM_MAIN, constants.NO_CARD, 1 << bit, constants.NO_SEAT)
    suit = int(g.option_value[choose(g, t, players, seat, constants.MARKET)])
    card = take_top(g, constants.TABLE, constants.MAIN_DECK)
    show_card(g, card)
    if t.suits[card] & suit != 0:
        put(g, seat, constants.HAND, card)
        log_event(g, BROKE_THROUGH, seat, card, constants.FROM_MAIN, 0)
        note_card(g, seat, card, GAINED_ROUND)
    else:
        put(g, constants.TABLE, constants.EXILE_PILE, card)
        log_event(g, WAS_EXILED, seat, card, 0, 0)
    check_main_deck(g)
