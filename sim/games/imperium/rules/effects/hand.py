"""Effects on tokens, the hand, the discard pile and the draw deck."""

from __future__ import annotations

from sim.compiler.kernel import Record, kernel
from sim.engine.decide import Players, choose
from sim.engine.effect_stack import FRAME_AT, FRAME_CARD, FRAME_LEFT, FRAME_ROOT
from sim.engine.options import offer
from sim.engine.state import OPTIONS_FULL
from sim.engine.zones import take_out
from sim.games.imperium.rules import constants
from sim.games.imperium.rules.choices import ask_card, offer_from, offer_garrisoned
from sim.games.imperium.rules.conditions import count_things
from sim.games.imperium.rules.costs import can_react
from sim.games.imperium.rules.drawing import draw
from sim.games.imperium.rules.knowledge import hide_in_hand
from sim.games.imperium.rules.log import GAINED_ACTION, REACTED, RENEWED, SPENT_ACTION, log_event
from sim.games.imperium.rules.moving import lay, move, take_unrest
from sim.games.imperium.rules.payment import unrest_due
from sim.games.imperium.rules.state import DRAWN_FULL
from sim.games.imperium.rules.tables import MAX_OPTIONS


@kernel
def agrees(g: Record, t: Record, players: Players, seat: int) -> bool:
    """Ask a seat a yes-or-no question, which `g.asked` and `g.asking` describe; return the answer."""
    for answer in range(2):
        g.option_value[answer] = answer
        g.option_card[answer] = g.asking
    g.option_count = 2
    return bool(g.option_value[choose(g, t, players, seat, constants.WHETHER)] == 1)


@kernel
def choose_amount(g: Record, t: Record, players: Players, seat: int, operation: int, most: int) -> int:
    """Let a seat choose a number from 0 to `most`; return it. `operation` is what the number is for."""
    if most <= 0:
        return 0
    if most >= MAX_OPTIONS:
        g.error = OPTIONS_FULL
        return 0
    for number in range(most + 1):
        g.option_value[number] = number
        g.option_card[number] = g.asking
    g.option_count = most + 1
    g.asked = operation
    return int(g.option_value[choose(g, t, players, seat, constants.AMOUNT)])


@kernel
def follow_tokens_and_hand(
    g: Record, t: Record, players: Players, frame: int, at: int, operation: int, seat: int, optional: bool
) -> None:
    """Execute an instruction about tokens, the hand or the discard pile."""
    first = int(t.code[at, constants.A])
    if operation == constants.GAIN_ACTION:
        g.actions[seat] += first
        log_event(g, GAINED_ACTION, seat, int(g.frame[frame, FRAME_CARD]), 0, first)
    elif operation == constants.SPEND_ACTION:
        g.actions[seat] -= first
        log_event(g, SPENT_ACTION, seat, int(g.frame[frame, FRAME_CARD]), 0, first)
    elif operation == constants.RETURN_EXHAUST:
        return_exhaust(g, t, players, frame, seat)
    elif operation == constants.DRAW_FROM:
        for _ in range(t.code[at, constants.C]):
            if not draw_from(g, t, players, frame, at, seat, optional):
                break
    elif operation == constants.DISCARD:
        discard_cards(g, t, players, frame, at, seat, first, int(t.code[at, constants.B]))
    elif operation == constants.DISCARD_DRAWN:
        g.option_count = 0
        offer_from(
            g, t, int(g.frame[frame, FRAME_ROOT]), constants.NO_CARD, seat, constants.DRAWN_IT, 1 << constants.HAND
        )
        option = ask_card(g, t, players, seat, operation, False)
        if option >= 0:
            move(g, t, seat, int(g.option_card[option]), constants.HAND, constants.DISCARD_PILE)
    elif operation == constants.TOP_DECK:
        for _ in range(t.code[at, constants.C]):
            top_deck(g, t, players, frame, at, seat, optional)


@kernel
def return_exhaust(g: Record, t: Record, players: Players, frame: int, seat: int) -> None:
    """Let a seat move an exhaust token from another card in play back to its state card."""
    g.option_count = 0
    for place in range(g.zone_size[seat, constants.PLAY]):
        card = int(g.zone[seat, constants.PLAY, place])
        if g.exhausted[card] != 0 and card != g.frame[frame, FRAME_CARD]:
            offer(g, 0, card, constants.PLAY, seat)
    option = ask_card(g, t, players, seat, constants.RETURN_EXHAUST, False)
    if option >= 0:
        g.exhausted[g.option_card[option]] = 0
        g.exhausts[seat] += 1
        log_event(g, RENEWED, seat, int(g.option_card[option]), 0, 0)


@kernel
def draw_from(g: Record, t: Record, players: Players, frame: int, at: int, seat: int, optional: bool) -> bool:
    """Let a seat take a card from its discard pile or history into its hand; tell whether it took one."""
    g.option_count = 0
    offer_from(
        g,
        t,
        int(g.frame[frame, FRAME_ROOT]),
        constants.NO_CARD,
        seat,
        int(t.code[at, constants.A]),
        1 << t.code[at, constants.B],
    )
    option = ask_card(
        g, t, players, seat, constants.DRAW_FROM, optional or t.code[at, constants.D] & constants.UP_TO != 0
    )
    if option < 0:
        return False
    card = int(g.option_card[option])
    move(g, t, seat, card, int(g.option_value[option]), constants.HAND)
    return True


@kernel
def discard_cards(
    g: Record, t: Record, players: Players, frame: int, at: int, seat: int, selector: int, number: int
) -> None:
    """Let a seat discard `number` hand cards that match a selector, or all of them if it has fewer.

    Reactions and garrisoned cards may replace some of them. With `ALL_OF` for `number`, the seat discards as many cards
    as it likes.
    """
    root = int(g.frame[frame, FRAME_ROOT])
    if selector == constants.DRAWN_IT:
        move_drawn_cards(g, t, root, seat, constants.DISCARD_PILE)
        return
    own = int(g.frame[frame, FRAME_CARD])
    left = (
        unrest_due(g, t, seat, own, 1, number) if number != constants.ALL_OF else int(g.zone_size[seat, constants.HAND])
    )
    while left > 0:
        g.option_count = 0
        offer_from(g, t, root, own, seat, selector, 1 << constants.HAND)
        if number != constants.ALL_OF:
            offer_relief(g, t, seat, selector)
        option = ask_card(g, t, players, seat, constants.DISCARD, number == constants.ALL_OF)
        if option < 0:
            return
        card = int(g.option_card[option])
        if g.option_value[option] == constants.PLAY:
            use(g, seat, card)
            log_event(g, REACTED, seat, card, 0, 0)
        else:
            move(g, t, seat, card, int(g.option_value[option]), constants.DISCARD_PILE)
            g.frame[root, constants.DISCARDED] += 1
        left -= 1


@kernel
def offer_relief(g: Record, t: Record, seat: int, selector: int) -> None:
    """Offer what can replace a card of a required discard: a reaction, or cards garrisoned under certain hosts."""
    for place in range(g.zone_size[seat, constants.PLAY]):
        card = int(g.zone[seat, constants.PLAY, place])
        if t.discard_relief[card] != 0 and t.relief_of[card] == selector:
            if t.discard_relief[card] == 2:
                offer_garrisoned(g, t, seat, 0, card, constants.NOTHING)
            elif can_react(g, seat, card):
                offer(g, 0, card, constants.PLAY, seat)


@kernel
def use(g: Record, seat: int, card: int) -> None:
    """Move an exhaust token from a seat's state card to a card in play."""
    g.exhausts[seat] -= 1
    g.exhausted[card] = 1


@kernel
def move_drawn_cards(g: Record, t: Record, root: int, seat: int, zone: int) -> None:
    """Move the drawn cards of an effect to another zone, except for cards that have left the hand."""
    for place in range(g.frame[root, constants.DRAWN]):
        card = int(g.frame[root, constants.DRAWN_CARD + place])
        if take_out(g, seat, constants.HAND, card):
            lay(g, t, seat, card, zone)
            if zone == constants.DECK:
                g.put_back[card] = 1


@kernel
def top_deck(g: Record, t: Record, players: Players, frame: int, at: int, seat: int, optional: bool) -> None:
    """Put a card that the seat chooses, or the cards that the effect has drawn, on top of the draw deck."""
    selector = int(t.code[at, constants.A])
    root = int(g.frame[frame, FRAME_ROOT])
    if selector == constants.DRAWN_IT:
        move_drawn_cards(g, t, root, seat, constants.DECK)
        return
    g.option_count = 0
    offer_from(g, t, root, int(g.frame[frame, FRAME_CARD]), seat, selector, 1 << t.code[at, constants.B])
    option = ask_card(g, t, players, seat, constants.TOP_DECK, optional)
    if option >= 0:
        card = int(g.option_card[option])
        source = int(g.option_value[option])
        if source == constants.HAND:
            hide_in_hand(g, seat)
            g.put_back[card] = 1
        move(g, t, seat, card, source, constants.DECK)


@kernel
def follow_one_by_one(g: Record, t: Record, players: Players, frame: int, at: int, operation: int, seat: int) -> None:
    """Draw one card or take one unrest card. The instruction is repeated until all its cards are drawn or taken."""
    row = g.frame[frame]
    root = int(row[FRAME_ROOT])
    if row[FRAME_LEFT] < 0:
        row[FRAME_LEFT] = number_wanted(g, t, players, root, at, operation, seat)
    if row[FRAME_LEFT] > 0:
        row[FRAME_LEFT] -= 1
        if operation == constants.TAKE_UNREST:
            take_unrest(g, t, seat)
        else:
            draw_for_effect(g, t, players, frame, root, at, seat)
    if row[FRAME_LEFT] > 0:
        row[FRAME_AT] = at
    else:
        row[FRAME_LEFT] = -1


@kernel
def number_wanted(g: Record, t: Record, players: Players, root: int, at: int, operation: int, seat: int) -> int:
    """Return how many cards an instruction draws or takes. If a DRAW has the flag `UP_TO`, the seat chooses."""
    if operation == constants.DRAW_PER:
        return int(t.code[at, constants.A]) * count_things(
            g, t, root, seat, int(t.code[at, constants.C]), int(t.code[at, constants.D])
        )
    number = int(t.code[at, constants.A])
    if operation == constants.DRAW and t.code[at, constants.B] & constants.UP_TO != 0:
        return choose_amount(g, t, players, seat, operation, number)
    return number


@kernel
def draw_for_effect(g: Record, t: Record, players: Players, frame: int, root: int, at: int, seat: int) -> None:
    """Draw one card for an effect. With the flag `REMEMBER`, later instructions can refer to the card."""
    flags = int(t.code[at, constants.B]) if t.code[at, constants.OPERATION] == constants.DRAW else 0
    card = draw(g, t, players, seat, flags & constants.IF_ABLE == 0)
    if card == constants.NO_CARD:
        g.frame[frame, FRAME_LEFT] = 0
    elif flags & constants.REMEMBER != 0:
        drawn = g.frame[root, constants.DRAWN]
        if drawn < constants.DRAWN_CARDS:
            g.frame[root, constants.DRAWN_CARD + drawn] = card
            g.frame[root, constants.DRAWN] = drawn + 1
        else:
            g.error = DRAWN_FULL
