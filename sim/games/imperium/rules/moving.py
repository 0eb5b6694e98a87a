"""Moves of cards between zones, such as discard, sink, abandon and exile (docs/rules-imperium.md: Keywords)."""

from __future__ import annotations

from sim.compiler.kernel import Record, kernel
from sim.engine.effect_stack import push
from sim.engine.zones import put, take_at, take_out, take_top
from sim.games.imperium.rules import constants
from sim.games.imperium.rules.knowledge import show_card
from sim.games.imperium.rules.log import (
    DISCARDED,
    ENTERED_PLAY,
    GAINED,
    GARRISON_ROUND,
    GARRISONED,
    HISTORY_ROUND,
    INTO_HISTORY,
    LOST_ROUND,
    RECALLED,
    RETURNED_UNREST,
    SANK,
    TOOK_BACK,
    TOOK_UNREST,
    TOP_DECKED,
    WAS_ABANDONED,
    WAS_EXILED,
    log_event,
    note_card,
)
from sim.games.imperium.rules.stack import fire, may_do, note_passives


@kernel
def lay(g: Record, t: Record, seat: int, card: int, zone: int) -> None:
    """Put a card that has left its zone into another zone.

    If the zone is the history or the sunken pile and the nation has no such zone, discard the card instead.
    """
    faction = g.faction[seat]
    if zone == constants.HISTORY and t.faction_has_history[faction] == 0:
        zone = constants.DISCARD_PILE
        if may_do(g, seat, constants.ADDS_TO_DISCARD):
            add_to_discard(g, t, seat)
    if zone == constants.SUNKEN and t.faction_sinks[faction] == 0:
        zone = constants.DISCARD_PILE
    if (
        zone == constants.DISCARD_PILE
        and t.code[t.program[card, constants.GAIN_PROGRAM], constants.OPERATION] == constants.ENTER_PLAY
    ):
        # The nadir (the Arthurians' bottom nation card) enters play at once. In the discard pile, a reshuffle in
        # progress would shuffle it into the draw deck.
        zone = constants.PLAY
        log_event(g, ENTERED_PLAY, seat, card, 0, 0)
    put(g, seat, zone, card)
    if zone == constants.PLAY:
        note_passives(g, t, seat, card)
    if zone == constants.DECK:
        # Every seat that knows the card sees where it goes.
        g.knows_place[card] = g.knows_zone[card]
    else:
        show_card(g, card)
    if zone == constants.DISCARD_PILE:
        log_event(g, DISCARDED, seat, card, 0, 0)
        if t.program[card, constants.GAIN_PROGRAM] != 0:
            push(g, t.program[card, constants.GAIN_PROGRAM], seat, card, -1)
    elif zone == constants.HISTORY:
        log_event(g, INTO_HISTORY, seat, card, 0, 0)
        note_card(g, seat, card, HISTORY_ROUND)
    elif zone == constants.SUNKEN:
        log_event(g, SANK, seat, card, 0, 0)
        fire(g, t, seat, constants.CARD_IS_SUNK, card, 0, 0)
    elif zone == constants.HAND:
        log_event(g, TOOK_BACK, seat, card, 0, 0)
    elif zone == constants.DECK:
        log_event(g, TOP_DECKED, seat, card, 0, 0)


@kernel
def add_to_discard(g: Record, t: Record, seat: int) -> None:
    """Begin the effects that passive abilities add when a card is discarded instead of going into the history."""
    for place in range(g.zone_size[seat, constants.PLAY]):
        card = int(g.zone[seat, constants.PLAY, place])
        if t.program[card, constants.HISTORY_PROGRAM] != 0:
            push(g, int(t.program[card, constants.HISTORY_PROGRAM]), seat, card, -1)


@kernel
def clear_card(g: Record, t: Record, seat: int, card: int) -> None:
    """Remove all tokens from a card that leaves play, and let its icons count as printed again.

    If a setting says so, the seat gets the resources stored on the card.
    """
    if g.stored[card] > 0 and t.tokens_gained_when_card_leaves != 0:
        g.resource[seat, t.stores[card]] += g.stored[card]
        log_event(g, GAINED, seat, constants.NO_CARD, int(t.stores[card]), int(g.stored[card]))
    g.exhausted[card] = 0
    g.stored[card] = 0
    g.treated[card] = 0


@kernel
def leave_play(g: Record, t: Record, seat: int, card: int, zone: int) -> None:
    """Move a card from play, with its garrison, to another zone of its seat.

    If another card in play has to sink when this one leaves (`t.sinks_with`), move that card with its garrison to the
    sunken pile.
    """
    take_out(g, seat, constants.PLAY, card)
    clear_card(g, t, seat, card)
    lay(g, t, seat, card, zone)
    move_garrison(g, t, seat, card, zone)
    for place in range(g.zone_size[seat, constants.PLAY] - 1, -1, -1):
        other = int(g.zone[seat, constants.PLAY, place])
        if t.sinks_with[other] >= 0 and t.selector[t.sinks_with[other], card] != 0:
            take_at(g, seat, constants.PLAY, place)
            clear_card(g, t, seat, other)
            lay(g, t, seat, other, constants.SUNKEN)
            move_garrison(g, t, seat, other, constants.SUNKEN)
            break


@kernel
def move_garrison(g: Record, t: Record, seat: int, host: int, zone: int) -> None:
    """Move the cards garrisoned under a host to the zone to which the host goes."""
    for place in range(g.zone_size[seat, constants.GARRISON] - 1, -1, -1):
        card = int(g.zone[seat, constants.GARRISON, place])
        if g.host[card] == host:
            take_at(g, seat, constants.GARRISON, place)
            g.host[card] = constants.NO_CARD
            lay(g, t, seat, card, zone)


@kernel
def abandon(g: Record, t: Record, seat: int, card: int) -> None:
    """Abandon a card in play: move it with its garrison to the discard pile."""
    log_event(g, WAS_ABANDONED, seat, card, 0, 0)
    note_card(g, seat, card, LOST_ROUND)
    leave_play(g, t, seat, card, constants.DISCARD_PILE)


@kernel
def recall(g: Record, t: Record, seat: int, card: int) -> None:
    """Recall a card in play: move it with its garrison to the hand."""
    log_event(g, RECALLED, seat, card, 0, 0)
    leave_play(g, t, seat, card, constants.HAND)


@kernel
def take_from(g: Record, t: Record, seat: int, zone: int, card: int) -> None:
    """Remove a card from a zone. A card in play loses the tokens on it."""
    take_out(g, seat, zone, card)
    if zone == constants.PLAY:
        clear_card(g, t, seat, card)
    elif zone == constants.GARRISON:
        g.host[card] = constants.NO_CARD


@kernel
def move(g: Record, t: Record, seat: int, card: int, source: int, zone: int) -> None:
    """Move a card of a seat from one zone to another. The garrison of a host moves with it."""
    if source == constants.PLAY:
        leave_play(g, t, seat, card, zone)
    else:
        take_from(g, t, seat, source, card)
        lay(g, t, seat, card, zone)


@kernel
def garrison(g: Record, t: Record, seat: int, card: int, source: int, host: int) -> None:
    """Garrison a card: move it from the zone `source` under the card `host` in play."""
    take_from(g, t, seat, source, card)
    put(g, seat, constants.GARRISON, card)
    show_card(g, card)
    g.host[card] = host
    log_event(g, GARRISONED, seat, card, host, 0)
    note_card(g, seat, card, GARRISON_ROUND)


@kernel
def exile(g: Record, t: Record, seat: int, card: int, source: int) -> None:
    """Put a card of a seat into the exile pile, with its garrison."""
    take_from(g, t, seat, source, card)
    put(g, constants.TABLE, constants.EXILE_PILE, card)
    show_card(g, card)
    log_event(g, WAS_EXILED, seat, card, 0, 0)
    note_card(g, seat, card, LOST_ROUND)
    for place in range(g.zone_size[seat, constants.GARRISON] - 1, -1, -1):
        other = int(g.zone[seat, constants.GARRISON, place])
        if g.host[other] == card:
            take_at(g, seat, constants.GARRISON, place)
            g.host[other] = constants.NO_CARD
            put(g, constants.TABLE, constants.EXILE_PILE, other)
            log_event(g, WAS_EXILED, seat, other, 0, 0)


@kernel
def take_unrest(g: Record, t: Record, seat: int) -> None:
    """Move one unrest card from the pile to the hand. If it is the last one, the game collapses."""
    if g.zone_size[constants.TABLE, constants.UNREST_PILE] == 0:
        return
    card = take_top(g, constants.TABLE, constants.UNREST_PILE)
    put(g, seat, constants.HAND, card)
    took_unrest(g, t, seat, card, True)
    check_collapse(g)


@kernel
def took_unrest(g: Record, t: Record, seat: int, card: int, from_pile: bool) -> None:
    """Record that a seat has taken an unrest card, and trigger abilities that wait for this."""
    g.unrest_taken[seat] += 1
    log_event(g, TOOK_UNREST, seat, card, 0, 0)
    if from_pile or t.tucked_unrest_is_taken != 0:
        fire(g, t, seat, constants.YOU_TAKE_UNREST, card, 0, 0)


@kernel
def check_collapse(g: Record) -> None:
    """End the game immediately if the unrest pile is empty."""
    if g.zone_size[constants.TABLE, constants.UNREST_PILE] == 0:
        g.collapsed = 1
        g.end_reason = constants.COLLAPSE


@kernel
def return_unrest(g: Record, t: Record, seat: int, card: int, source: int) -> None:
    """Return an unrest card to the pile."""
    take_from(g, t, seat, source, card)
    put(g, constants.TABLE, constants.UNREST_PILE, card)
    show_card(g, card)
    log_event(g, RETURNED_UNREST, seat, card, 0, 0)
    fire(g, t, seat, constants.YOU_RETURN_UNREST, card, 0, 0)
