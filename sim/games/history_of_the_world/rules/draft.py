"""Beginning of an epoch: region tokens, the draft, and the order of turns (rulebook: Start of an epoch)."""

from __future__ import annotations

from sim.compiler.kernel import Integers, Record, kernel
from sim.engine.decide import Players, choose
from sim.engine.options import clear_options, offer
from sim.games.history_of_the_world.rules import constants
from sim.games.history_of_the_world.rules.log import (
    CALLED,
    CHOSE_EMPIRE,
    CHOSE_EVENT,
    DRAFT_PLACE,
    EPOCH_BEGINS,
    GAVE,
    OFFERED,
    STACK_HOLDS,
    TAKEN_EPOCH,
    TOKEN_PLACED,
    TURN_PLACE,
    count_for,
    log_event,
)


@kernel
def begin_epoch(g: Record, t: Record) -> None:
    """Place the region tokens of an epoch and begin its draft."""
    log_event(g, EPOCH_BEGINS, constants.NO_SEAT, constants.NO_LAND, constants.NO_CARD, int(g.epoch), 0)
    for region in range(t.regions):
        if t.presence[g.epoch, region] > 0:
            g.token[region] = t.presence[g.epoch, region]
            log_event(
                g, TOKEN_PLACED, constants.NO_SEAT, constants.NO_LAND, constants.NO_CARD, region, int(g.token[region])
            )
    order_of_draft(g)
    g.empire[:] = constants.NO_CARD
    g.event[:] = constants.NO_CARD
    g.called[:] = 0
    g.draft_round = 0
    g.event_left = g.players
    g.empire_left = g.players
    g.phase = constants.CLASSIC if g.classic != 0 else constants.DRAFT


@kernel
def order_of_draft(g: Record) -> None:
    """Order the seats from the most to the fewest points. No two seats have equal points."""
    for seat in range(g.players):
        place = 0
        for other in range(g.players):
            place += int(g.points[other] > g.points[seat])
        g.draft_order[place] = seat


@kernel
def draft(g: Record, t: Record, players: Players) -> None:
    """Let the next two players choose: one of them an event, the other an empire.

    Players choose events in descending order of points, and empires in ascending order. If the number of players is
    odd, the player in the middle makes both choices of one round.
    """
    here = int(g.draft_round)
    chooser = int(g.draft_order[here])
    card = choose_card(g, t, players, chooser, g.event_stack[g.epoch], int(g.event_left), constants.KEEP_EVENT)
    g.event_left -= 1
    keep_event(g, chooser, card)
    chooser = int(g.draft_order[g.players - 1 - here])
    card = choose_card(g, t, players, chooser, g.empire_stack[g.epoch], int(g.empire_left), constants.KEEP_EMPIRE)
    g.empire_left -= 1
    keep_empire(g, chooser, card)
    g.draft_round += 1
    if g.draft_round == g.players:
        g.phase = constants.CALL


@kernel
def choose_card(g: Record, t: Record, players: Players, seat: int, stack: Integers, left: int, decision: int) -> int:
    """Let a seat look through the `left` cards of a stack and choose one; remove this card and return it."""
    clear_options(g)
    for place in range(left):
        card = int(stack[place])
        g.seen[card] |= 1 << seat
        log_event(g, STACK_HOLDS, seat, constants.NO_LAND, card, 0, 0)
        count_for(g, seat, card, OFFERED, 1)
        offer(g, 0, card, place, seat)
    chosen = int(g.option_value[choose(g, t, players, seat, decision)])
    return take_from_stack(stack, chosen, left)


@kernel
def take_from_stack(stack: Integers, place: int, left: int) -> int:
    """Remove the card at index `place` from a stack of `left` cards and return it; the others keep their order."""
    card = int(stack[place])
    for later in range(place + 1, left):
        stack[later - 1] = stack[later]
    stack[left - 1] = constants.NO_CARD
    return card


@kernel
def keep_event(g: Record, seat: int, card: int) -> None:
    """Give a seat the event that it has drafted."""
    g.event[seat] = card
    g.seen[card] |= 1 << seat
    g.holds[card] = 1 + seat
    g.drafted[card] = g.epoch
    log_event(g, CHOSE_EVENT, seat, constants.NO_LAND, card, 0, 0)
    note_taken(g, seat, card)


@kernel
def keep_empire(g: Record, seat: int, card: int) -> None:
    """Give a seat the empire that it has drafted."""
    g.empire[seat] = card
    g.seen[card] |= 1 << seat
    log_event(g, CHOSE_EMPIRE, seat, constants.NO_LAND, card, 0, 0)
    note_taken(g, seat, card)


@kernel
def note_taken(g: Record, seat: int, card: int) -> None:
    """Record that a card was taken, with the epoch and the seat's rank by points."""
    count_for(g, seat, card, TAKEN_EPOCH, int(g.epoch) + 1)
    for place in range(g.players):
        if g.draft_order[place] == seat:
            count_for(g, seat, card, DRAFT_PLACE, place + 1)


# ---- Classic card selection ----


@kernel
def select_classic(g: Record, t: Record, players: Players) -> None:
    """Let the next player draw the top card of a stack (events before empires), and keep it or give it away."""
    events = g.event_left > 0
    left = int(g.event_left) if events else int(g.empire_left)
    held = g.event if events else g.empire
    g.draft_round = classic_round(g, t, held, events)
    seat = classic_chooser(g, int(g.draft_round), events)
    stack = g.event_stack[g.epoch] if events else g.empire_stack[g.epoch]
    card = take_from_stack(stack, 0, left)
    g.seen[card] |= 1 << seat
    count_for(g, seat, card, OFFERED, 1)
    clear_options(g)
    for other in range(g.players):
        if held[other] == constants.NO_CARD:
            offer(g, int(events), card, 0, other)
    receiver = int(g.option_seat[choose(g, t, players, seat, constants.GIVE)])
    log_event(g, GAVE, seat, constants.NO_LAND, card, receiver, 0)
    g.draft_round += 1
    if events:
        g.event_left -= 1
        keep_event(g, receiver, card)
    else:
        g.empire_left -= 1
        keep_empire(g, receiver, card)
    if left == 1:
        g.draft_round = 0
        if not events:
            g.phase = constants.CALL


@kernel
def classic_round(g: Record, t: Record, held: Integers, events: bool) -> int:
    """Return the number of the next round of drawing. In each round, one player draws a card.

    The players take turns. The round of a player who has a card already is skipped unless the setting
    `classic_holder_may_draw` is true.
    """
    for draws in range(g.draft_round, g.draft_round + g.players):
        if t.classic_holder_may_draw != 0 or held[classic_chooser(g, draws, events)] == constants.NO_CARD:
            return int(draws)
    return int(g.draft_round)


@kernel
def classic_chooser(g: Record, draws: int, events: bool) -> int:
    """Return the seat that draws in a round: in the order of the draft for events, in reverse order for empires."""
    place = draws % g.players
    return int(g.draft_order[place if events else g.players - 1 - place])


# ---- Calling ----


@kernel
def call_next(g: Record, t: Record) -> bool:
    """Call the next empire of the epoch. Skip empires that no player holds. Return False if no empire is left."""
    next_seat = constants.NO_SEAT
    for seat in range(g.players):
        if g.called[seat] == 0 and g.empire[seat] != constants.NO_CARD:
            earlier = next_seat == constants.NO_SEAT or t.order[g.empire[seat]] < t.order[g.empire[next_seat]]
            if earlier:
                next_seat = seat
    if next_seat == constants.NO_SEAT:
        return False
    place = 1
    for seat in range(g.players):
        place += int(g.called[seat] != 0)
    g.called[next_seat] = 1
    card = int(g.empire[next_seat])
    g.seen[card] = constants.ALL_SEATS
    g.turn_seat = next_seat
    g.card = card
    log_event(g, CALLED, next_seat, constants.NO_LAND, card, place, 0)
    count_for(g, next_seat, card, TURN_PLACE, place)
    return True
